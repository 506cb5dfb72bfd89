"""Messages that no honest client sends: other seats, used keys, old prompts, house commands."""

from __future__ import annotations

import random
from typing import Any

from tests.simulated_house.client_state import ClientTable, Data

NEW, USED = "new", "used"
FORGED = "forged"  # key prefix of such messages

HOUSE_ONLY: tuple[Data, ...] = (
    {"command": "TimeUp", "ask": 1},
    {"command": "SeatTimeUp", "seat": 1},
    {"command": "RestartClocks", "reason": "I want more time"},
    {"command": "FaultTable", "reason": "I lose"},
    {"command": "DealCard", "card": 0},
    {"command": "CloseWagers"},
    {"command": "ShowMeters", "meters": {"1": 100_000_000}},
    {"command": "VoidRound", "reason": "I lose"},
    {"command": "CloseTable", "reason": "I go home"},
    {"command": "DropBank", "reason": "for me"},
    {"command": "LinkJackpot", "game": 1, "jackpot": 1, "reason": "why not"},
    {"command": "OpenTable", "name": "mine", "rules": {}, "clocks": {}},
)


def forge_message(chance: random.Random, seen: ClientTable, person: str, now: int) -> Data:
    """Create a forged message; an empty one stands for input that isn't even a message.

    Its key is NEW, or USED if the forgery consists of reusing a key.
    """
    ask = seen.ask["n"] if seen.ask else None
    others = [
        spot for seat in seen.data["seats"] if seat["person"] != person for spot in seat["spots"]
    ] or [99]
    of_others: list[Data] = [
        {"command": "Stand", "spot": chance.choice(others)},
        {
            "command": "PlaceWagers",
            "spot": chance.choice(others),
            "base": 1000,
            "person": person,
            "mtd": {},
            "jackpots": {},
        },
        {"command": "WithdrawWagers", "spot": chance.choice(others)},
    ]
    kind = chance.randrange(7)
    if kind == 0:
        return _message(NEW, chance.choice(HOUSE_ONLY), ask, now)
    if kind == 1:
        return _message(NEW, chance.choice(of_others), ask, now)
    if kind == 2:  # a prompt that is no longer open
        wrong = max(0, (ask or seen.n + 1) - chance.choice([1, 3, 50]))
        return _message(NEW, {"command": "Ready"}, wrong, now)
    # A key already used for something else; with a new key, no wallet could cover this.
    if kind == 3:
        return _message(USED, {"command": "BuyChips", "amount": 10**15}, None, now)
    if kind == 4:  # amounts
        amount: Any = chance.choice([-1, 0, 2**63, 2**80, 1.5, "100", None, True])
        return _message(NEW, {"command": "BuyChips", "amount": amount}, None, now)
    if kind == 5:
        return _message(NEW, {"command": "TakeSeat", "seat": chance.choice([0, -1, 99])}, None, now)
    return {}


def _message(key: str, command: Data, ask: int | None, now: int) -> Data:
    message: Data = {"type": "command", "key": key, "command": command, "sent": now}
    if ask is not None:
        message["ask"] = ask
    return message
