"""The true count where insurance becomes profitable, over every possible remainder of a shoe."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from ventiuna.cards import Pack
from ventiuna.rules import load_rules
from ventiuna.simulation.run import simulate
from ventiuna.strategy.counting import built_in_counts, read_count

DECK = len(Pack.SPANISH.cards)
LEVEL_ONE = built_in_counts()["level-one"]


def gains_from(decks: int, at: Fraction, wide: Fraction) -> tuple[Fraction, Fraction]:
    """Gain per unit of insurance, for all true counts from `at` up and for those from `at` to `at +
    wide`, at every third depth of a shoe dealt to the cut card.

    An ace is up. Seen cards count +1 (3 to 6), -1 (aces and ten-valued cards) or 0 (all others).
    All sets of unseen cards are equally likely.
    """
    plus, minus, others = 16 * decks, 16 * decks - 1, 16 * decks
    tens = 12 * decks
    gain = placed = step_gain = step_placed = Fraction(0)
    for unseen in range(DECK * decks // 4, DECK * decks, 3 * decks):
        sets = comb(plus + minus + others, unseen)
        for count in range(1, unseen):
            true_count = Fraction(count * DECK, unseen)
            if true_count < at:
                continue
            ways = held = 0
            for low in range(max(0, count), min(minus, unseen) + 1):
                high = low - count  # unseen cards of +1
                rest = unseen - low - high
                if rest < 0:
                    break
                found = comb(minus, low) * comb(plus, high) * comb(others, rest)
                ways += found
                held += found * low
            if not ways:
                continue
            chance = Fraction(ways, sets)
            ten = Fraction(held * tens, ways * unseen * minus)
            gain += chance * (3 * ten - 1)
            placed += chance
            if true_count < at + wide:
                step_gain += chance * (3 * ten - 1)
                step_placed += chance
    return gain / placed, step_gain / step_placed


@pytest.mark.parametrize("decks", [4, 6])
def test_the_built_in_count_insures_when_profitable(decks: int) -> None:
    assert LEVEL_ONE.insurance_at is not None
    gain, step = gains_from(decks, LEVEL_ONE.insurance_at, Fraction(1, 2))
    assert gain > 0.01
    assert 0 < step < Fraction(1, 50)
    _, below = gains_from(decks, LEVEL_ONE.insurance_at - Fraction(1, 2), Fraction(2, 5))
    assert below < 0


def test_a_count_that_doesnt_balance_for_the_pack_is_reported() -> None:
    assert LEVEL_ONE.misfit(Pack.SPANISH) == ""
    assert "add up to -4 in a deck of this pack" in LEVEL_ONE.misfit(Pack.STANDARD)
    tags = {"2": 1, "10": -1}
    drifting = read_count("mine", {"tags": tags, "count": "running", "start": 0})
    assert "add up to -8" in drifting.misfit(Pack.SPANISH)
    made_to = read_count("mine", {"tags": tags, "count": "running", "start": 8})
    assert made_to.misfit(Pack.SPANISH) == ""
    assert read_count("mine", {"tags": tags, "count": "running"}).misfit(Pack.SPANISH) == ""
    result = simulate(load_rules("blackjack"), rounds=1000, count="level-one")
    assert "it drifts as cards are dealt" in result.as_data()["misfit"]
