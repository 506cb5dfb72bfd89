"""Tiny packs with every round dealt, and the results in `counts.json`.

Run python -m tests.exhaustive to rewrite the file. A changed number means the game has changed, so
it needs a reason.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.exhaustive.enumeration import best_expectation, count_rounds
from ventiuna.analysis.composition import Composition, composition_of
from ventiuna.cards import parse_card
from ventiuna.engine.commands import PlaceWagers
from ventiuna.rules import load_rules

GOLDEN = Path(__file__).parent / "counts.json"


@dataclass(frozen=True)
class TinyPack:
    shows: str  # what this pack tests
    rules: str
    cards: str  # `3 Kc, 2 9s`
    spots: tuple[dict[str, Any], ...] = field(default=({"base": 1000},))

    @property
    def composition(self) -> Composition:
        return pack_of(self.cards)

    @property
    def wagers(self) -> list[PlaceWagers]:
        return [PlaceWagers(number, **spot) for number, spot in enumerate(self.spots, start=1)]


def pack_of(text: str) -> Composition:
    cards: list[int] = []
    for part in text.split(","):
        count, card = part.split()
        cards += [parse_card(card)] * int(count)
    return composition_of(cards)


def worked_out(pack: TinyPack) -> dict[str, Any]:
    rules = load_rules(pack.rules)
    counts = count_rounds(rules, pack.composition, pack.wagers)
    best = best_expectation(rules, pack.composition, pack.wagers)
    numbers = {name: getattr(counts, name) for name in ("rounds", "decisions", "deals")}
    fractions = {"chance": counts.chance, "net_of_chance": counts.net, "net_of_best_play": best}
    return numbers | {name: str(value) for name, value in fractions.items()}


def golden() -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return data


def write_golden() -> None:
    rows = [json.loads(json.dumps(asdict(pack) | {"found": worked_out(pack)})) for pack in PACKS]
    GOLDEN.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


PACKS = (
    TinyPack(
        "splitting to four hands",
        "wsgc-2021(decks=8,surrender=off,rescue=off,double_totals=10-11)",
        "8 8c, 8 9c",
    ),
    TinyPack(
        "splits, doubles and rescues with three hands",
        "wsgc-2021(decks=8,split_hands=3)",
        "8 8c, 7 9c",
    ),
    TinyPack(
        "blackjacks kept and doubled, double-double, insurance",
        "wsgc-2021(split_hands=1,double_double=on)",
        "3 Kc, 3 As, 3 9s",
    ),
    TinyPack(
        "soft totals, the dealer hits soft 17",
        "catfish-bend(split_hands=1)",
        "3 Kc, 2 Ad, 4 6c",
    ),
    TinyPack(
        "soft totals, the dealer stands on soft 17",
        "wsgc-2021(soft_17=stand,split_hands=1)",
        "3 Kc, 3 Ad, 3 6d",
    ),
    TinyPack(
        "21 with five cards",
        "catfish-bend(split_hands=1)",
        "4 Kc, 3 Ad, 3 5d",
    ),
    TinyPack(
        "Bonus 21, Super Bonus, Up and Down Card wagers",
        "wsgc-2021(split_hands=2)",
        "3 7s, 2 7d, 3 8c",
        ({"base": 1000, "mtd": {"up": 500, "down": 500}},),
    ),
    TinyPack(
        "Bonus Cards and their wagers",
        "wsgc-2021(split_hands=1,mtd_configuration=4,bonus_cards=2)",
        "3 7s, 3 7d, 3 8s",
        ({"base": 1000, "mtd": {"up": 500, "down": 500, "b1": 100, "b2": 100}},),
    ),
    TinyPack(
        "two players, Super and Envy Bonus, shares of one meter",
        "casino-card(split_hands=1)",
        "4 7s, 6 7d",
        (
            {"base": 500, "person": "Ana", "jackpots": {1: 100}},
            {"base": 2500, "person": "Ben", "jackpots": {1: 100}},
        ),
    ),
    TinyPack(
        "the two-deck jackpot",
        "wsgc-2021(decks=2,split_hands=1,jackpots=4a:1:prize=5:seed=1000)",
        "2 As, 2 Ks, 1 Ac, 1 Ah, 2 9d",
        ({"base": 1000, "jackpots": {1: 100}},),
    ),
    TinyPack(
        "Super Fun 21: splits, doubles and surrender at any time",
        "super-fun-21(decks=2,split_hands=2)",
        "2 9c, 2 9d, 2 Kc, 2 Kd",
    ),
    TinyPack(
        "Super Fun 21: blackjacks in diamonds, long hands",
        "super-fun-21(decks=2,split_hands=1)",
        "2 Ad, 2 Kd, 2 5d, 2 6c",
    ),
    TinyPack(
        "blackjack: one card for split aces, insurance, pushes",
        "blackjack(split_hands=2)",
        "5 Kc, 3 Ah, 4 9s",
    ),
    TinyPack(
        "blackjack: late surrender, doubling by total",
        "blackjack(split_hands=1,surrender=late,double_totals=10-11)",
        "3 6c, 3 5c, 4 Kc",
    ),
)
