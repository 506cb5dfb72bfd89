"""A client that knows no rules and plays whole rounds from views and options only."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from ventiuna.engine.codec import Data
from ventiuna.engine.events import Wager

MATCH_PARTS = {str(wager): wager.part for wager in Wager if wager.part}
JACKPOT_GAMES = {str(wager): wager.game for wager in Wager if wager.game}
BASE_WAGER = str(Wager.HAND)
PERSONS = ("", "ana", "ben", "dealer")
MORE_WAGERS_CHANCE = 0.6  # how often another spot gets wagers
CHANCE_OF_WAGER = 0.5


class PromptView(NamedTuple):
    """A table's display: the view as data."""

    waiting: str
    options: list[Data]
    spots: list[Data]


def prompt_view(view: Data) -> PromptView:
    waiting = _text(_data(view["waiting_for"]), "kind")
    return PromptView(waiting, _list(view, "options"), _list(view, "spots"))


class Client:
    """Chooses commands, as plain data, from the options offered."""

    def __init__(self, generator: random.Random) -> None:
        self._random = generator

    def command(self, ask: PromptView) -> Data:
        """Choose one of the current options, including amounts."""
        if ask.waiting == "wagers":
            return self._wagers(ask)
        legal = [option for option in ask.options if option.get("legal", True)]
        return self._chosen(self._random.choice(legal))

    def _chosen(self, option: Data) -> Data:
        kind, spot = option["kind"], option.get("spot", 0)
        if kind == "insurance":
            return {"command": "Insure", "spot": spot, "amount": self._amount(option, "most")}
        if kind == "answer":
            return _answer(option)
        name = COMMANDS[_text(option, "name")]
        if name == "Double" and self._random.random() < 0.5:
            return {"command": name, "spot": spot, "amount": self._less(option)}
        return {"command": name, "spot": spot}

    def _less(self, option: Data) -> int:
        """Chips for a double for less: a multiple of the unit, or the full amount."""
        chips, least = _int(option, "chips"), _int(option, "least_chips")
        below = list(range(least, chips, _int(option, "unit")))
        return self._random.choice(below[-9:] + below[:1] + [chips])

    # --- wagers ---

    def _wagers(self, ask: PromptView) -> Data:
        """Place wagers on spots, sometimes withdrawing them, then close."""
        answers = [option for option in ask.options if option["kind"] == "answer"]
        close = next(option for option in answers if option["name"] == "close")
        if close["legal"] and self._random.random() > MORE_WAGERS_CHANCE:
            return self._chosen(self._random.choice(answers) if len(answers) < 3 else close)
        return self.wagers(ask)

    def wagers(self, ask: PromptView) -> Data:
        offered = {_text(o, "wager"): o for o in ask.options if o["kind"] == "wager" and o["legal"]}
        base = offered.pop(BASE_WAGER)
        placed = {BASE_WAGER: self._amount(base, "most")}
        for name, option in offered.items():
            if not self._wants(option, placed):
                continue
            most = _int(option, "most")
            if option["at_most"] is not None:
                most = min(most, placed[_text(option, "at_most")])
            if most >= _int(option, "least"):
                placed[name] = self._amount({**option, "most": most}, "most")
        return place(self._random.choice(_numbers(base, "spots")), placed, self._person())

    def _wants(self, option: Data, placed: dict[str, int]) -> bool:
        if any(needed not in placed for needed in _texts(option, "needs")):
            return False
        return bool(option["required"]) or self._random.random() < CHANCE_OF_WAGER

    def _person(self) -> str:
        return self._random.choice(PERSONS)

    def _amount(self, option: Data, most: str) -> int:
        """A random multiple of the unit, with the limits more likely."""
        least, highest, unit = _int(option, "least"), _int(option, most), _int(option, "unit")
        steps = (highest - least) // unit
        few = min(steps, 12)
        return least + unit * self._random.choice([0, 0, few, steps, self._random.randint(0, few)])


# --- commands not offered ---------------------------------------------------------------------


def not_offered(ask: PromptView) -> Iterator[Data]:
    """Commands that aren't offered: a table refuses all of them."""
    yield from _misplaced_commands(ask)
    for option in ask.options:
        if option["kind"] == "insurance":
            yield from _wrong_insurance(option)
        elif option["kind"] == "action":
            yield from _wrong_action(option)
        elif option["kind"] == "answer" and not option["legal"]:
            yield _answer(option)
    if ask.waiting == "wagers":
        yield from _wrong_wagers(ask)


def _misplaced_commands(ask: PromptView) -> Iterator[Data]:
    """Commands that belong to a different prompt or a different spot."""
    kinds = {_text(option, "kind") for option in ask.options}
    answers = {_text(option, "name") for option in ask.options if option["kind"] == "answer"}
    for spot in (_int(seat, "number") for seat in ask.spots):
        asked = {_int(option, "spot") for option in ask.options if "spot" in option}
        if "insurance" not in kinds or spot not in asked:
            yield {"command": "Insure", "spot": spot, "amount": 0}
        if "take" not in answers or spot not in asked:
            yield {"command": "TakeBlackjack", "spot": spot}
            yield {"command": "KeepBlackjack", "spot": spot}
        if "action" not in kinds or spot not in asked:
            yield from ({"command": name, "spot": spot} for name in COMMANDS.values())
        if "withdraw" not in answers:
            yield {"command": "WithdrawWagers", "spot": spot}
    if "close" not in answers:
        yield {"command": "CloseWagers"}
        yield place(1, {BASE_WAGER: 10_00}, "")


def _wrong_insurance(option: Data) -> Iterator[Data]:
    most, unit = _int(option, "most"), _int(option, "unit")
    for amount in (most + unit, most + 1, unit - 1 or most + 2, -unit):
        yield {"command": "Insure", "spot": option["spot"], "amount": amount}


def _wrong_action(option: Data) -> Iterator[Data]:
    name = COMMANDS[_text(option, "name")]
    if not option["legal"]:
        yield {"command": name, "spot": option["spot"]}
    elif name == "Double":
        chips, least, unit = (_int(option, part) for part in ("chips", "least_chips", "unit"))
        wrong = {chips + unit, chips + 1, 0, -unit, least - 1}
        wrong |= {chips - unit} if least == chips else {chips - 1} if unit > 1 else set()
        for amount in wrong:
            yield {"command": name, "spot": option["spot"], "amount": amount}


def _wrong_wagers(ask: PromptView) -> Iterator[Data]:
    offered = {_text(o, "wager"): o for o in ask.options if o["kind"] == "wager"}
    base = offered[BASE_WAGER]
    least = minimum_wagers(ask)
    spots = _numbers(base, "spots")
    for spot in (0, max(spots) + 1):
        yield place(spot, least, "")
    for name, option in offered.items():
        if not option["legal"]:
            yield place(spots[0], {**least, name: 1_00}, "")
            continue
        for amount in _wrong_amounts(option):
            if amount or option["required"]:
                yield place(spots[0], _supporting_wagers(offered, least, name) | {name: amount}, "")
        if option["at_most"] is not None and _int(base, "most") > _int(base, "least"):
            above = least[BASE_WAGER] + _int(option, "unit")
            yield place(spots[0], _supporting_wagers(offered, least, name) | {name: above}, "")
        for needed in _texts(option, "needs"):
            alone = _supporting_wagers(offered, least, name) | {name: _int(option, "least")}
            yield place(spots[0], {other: alone[other] for other in alone if other != needed}, "")


def _wrong_amounts(option: Data) -> Iterator[int]:
    least, most, unit = (_int(option, part) for part in ("least", "most", "unit"))
    yield from (least - unit, most + unit, -unit)
    if unit > 1:
        yield from (least + 1, most - 1)
    if option["required"]:
        yield 0


def minimum_wagers(ask: PromptView) -> dict[str, int]:
    """The smallest wagers with which a spot can play."""
    offered = [o for o in ask.options if o["kind"] == "wager" and o["legal"] and o["required"]]
    return {_text(option, "wager"): _int(option, "least") for option in offered}


def _supporting_wagers(
    offered: dict[str, Data], least: dict[str, int], name: str
) -> dict[str, int]:
    """The smallest other wagers that this wager requires."""
    option = offered[name]
    wagers = dict(least)
    for needed in _texts(option, "needs"):
        wagers.setdefault(needed, _int(offered[needed], "least"))
    return wagers


# --- plain data -------------------------------------------------------------------------------

COMMANDS = {
    "stand": "Stand",
    "hit": "Hit",
    "double": "Double",
    "double-double": "DoubleDouble",
    "split": "Split",
    "surrender": "Surrender",
    "rescue": "Rescue",
}
_ANSWERS = {"take": "TakeBlackjack", "keep": "KeepBlackjack", "withdraw": "WithdrawWagers"}


def _answer(option: Data) -> Data:
    name = _text(option, "name")
    if name == "close":
        return {"command": "CloseWagers"}
    return {"command": _ANSWERS[name], "spot": option["spot"]}


def place(spot: int, wagers: dict[str, int], person: str) -> Data:
    return {
        "command": "PlaceWagers",
        "spot": spot,
        "base": wagers.get(BASE_WAGER, 0),
        "person": person,
        "mtd": {MATCH_PARTS[name]: cents for name, cents in wagers.items() if name in MATCH_PARTS},
        "jackpots": {
            str(JACKPOT_GAMES[name]): cents
            for name, cents in wagers.items()
            if name in JACKPOT_GAMES
        },
    }


def _data(value: object) -> Data:
    assert isinstance(value, dict)
    return value


def _int(option: Data, part: str) -> int:
    value = option[part]
    assert isinstance(value, int)
    return value


def _text(option: Data, part: str) -> str:
    value = option[part]
    assert isinstance(value, str)
    return value


def _list(data: Data, part: str) -> list[Data]:
    value = data[part]
    assert isinstance(value, list)
    return value


def _texts(option: Data, part: str) -> list[str]:
    value = option[part]
    assert isinstance(value, list)
    return value


def _numbers(option: Data, part: str) -> list[int]:
    value = option[part]
    assert isinstance(value, list)
    return value
