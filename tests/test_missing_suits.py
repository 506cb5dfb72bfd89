"""Omitted suits: a result found with a few ways of filling them in holds for all of them."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path

import pytest

from tests import IS_SOAK
from ventiuna.cards import SUITS
from ventiuna.core.cards import card_of, rank_of
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import Refused
from ventiuna.notation import NotationError, RoundRecord, read_rounds, replay
from ventiuna.notation.json_format import round_from_data
from ventiuna.notation.missing_suits import (
    CardPlace,
    Filling,
    cards_of,
    replay_missing_suits,
    split_from,
    with_cards,
)
from ventiuna.notation.text import SuitFiller

GOLDEN = Path(__file__).parent / "golden"
ROUNDS = [
    entry
    for name in ("worked_rounds.json", "more_rounds.json")
    for entry in json.loads((GOLDEN / name).read_text("utf-8"))["rounds"]
]
MOST_SUITLESS = 3 if IS_SOAK else 2  # 64 or 16 ways to fill them in, each played
ALIKE = """\
round alike
rules: {rules}
dealer: {dealer}
spot 1 Ann: base 10{wagers}
  {hand}
"""


def _with_suits(
    record: RoundRecord, suitless: list[CardPlace], suits: tuple[int, ...]
) -> RoundRecord:
    cards = cards_of(record)
    for place, suit in zip(suitless, suits, strict=True):
        cards[place] = card_of(rank_of(cards[place]), suit)
    return with_cards(record, _with_origins(record, cards))


def _with_origins(record: RoundRecord, cards: Filling) -> Filling:
    for place, origin in split_from(record).items():
        cards[place] = cards[origin]
    return cards


def _paid(record: RoundRecord) -> tuple[tuple[object, ...], ...] | None:
    """All payments, or None if the shoe doesn't have these cards."""
    try:
        payments = replay(record).payments
    except Refused as error:
        if error.code != RefusalCode.TOO_MANY_COPIES:
            raise
        return None
    return tuple(
        sorted((each.spot, each.hand, each.wager, each.stake, each.paid) for each in payments)
    )


def _found_alike(record: RoundRecord, suitless: list[CardPlace]) -> bool:
    def read(suits: SuitFiller) -> RoundRecord:
        return _with_suits(record, suitless, (SUITS.index(suits.suit),) * len(suitless))

    try:
        replay_missing_suits(read)
    except NotationError as error:
        if "suits are needed" not in str(error):
            raise
        return False
    return True


def _are_alike(record: RoundRecord, suitless: list[CardPlace]) -> bool:
    every = product(range(len(SUITS)), repeat=len(suitless))
    paid = {_paid(_with_suits(record, suitless, suits)) for suits in every}
    return len(paid - {None}) == 1


@pytest.mark.parametrize("part", range(4))
def test_worked_rounds_with_suits_left_out(part: int) -> None:
    """Omits the suits of any two or three cards of each worked round and tries every filling."""
    verdicts = set()
    for number, entry in list(enumerate(ROUNDS))[part::4]:
        record = round_from_data(entry)
        draw = random.Random(number)
        origins = split_from(record)
        places = [place for place in cards_of(record) if place not in origins]
        suitless = draw.sample(places, min(MOST_SUITLESS, len(places)))
        alike = _are_alike(record, suitless)
        assert _found_alike(record, suitless) == alike, (record.id, suitless)
        verdicts.add(alike)
    assert verdicts == {True, False}


@pytest.mark.parametrize(
    ("rules", "dealer", "wagers", "hand"),
    [
        ("wsgc-2021", "7c Kh", "", "7c 7d / hit 7h"),
        ("wsgc-2021", "9c Kh", "", "6c 7d / hit 8h"),
        ("wsgc-2021", "7c Kh", ", up 5, down 5", "7c Kd / stand"),
        ("super-fun-21", "9c Kh", "", "Ac Kd / stand"),
        ("super-fun-21", "6c Kh / 2c", "", "2c 3d / hit 4h / hit 5c / hit 6d / stand"),
        ("wsgc-2021-jackpot", "8c 8d / 8h", ", jackpot-1 1", "8s 8c / stand"),
        ("wsgc-2021(decks=2)", "7c 9h", "", "7c 7d / hit 7h"),
    ],
)
def test_whole_rounds_without_any_suit(rules: str, dealer: str, wagers: str, hand: str) -> None:
    """Omits all suits at once, with at most five cards besides the dealer's draws."""
    text = ALIKE.format(rules=rules, dealer=dealer, wagers=wagers, hand=hand)
    [record] = read_rounds(text)
    places = [place for place in cards_of(record) if place.number < 3][:5]
    assert _found_alike(record, places) == _are_alike(record, places)
