"""Tilted shoes, compared with all sets of cards that may be left, and rounded to whole cards."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from ventiuna.core.cards import CARDS, SPADE_ACE, value_of
from ventiuna.counting.efficiency import Tilt, mean_shares, weighted_shoes
from ventiuna.counting.indices import insurance_index
from ventiuna.counting.tags import Depths, tags_of
from ventiuna.rules import load_rules
from ventiuna.strategy.counting import built_in_counts
from ventiuna.strategy.protocol import PlanError

RULES = load_rules("wsgc-2021")
LEVEL_ONE = built_in_counts()["level-one"]
DEPTHS = Depths(RULES, tags_of(LEVEL_ONE))


def exact_share_of_low_cards(unseen: int, count: int) -> float:
    """96 cards of +1, 96 of -1 and 96 of 0, with all sets of unseen cards equally likely."""
    ways = held = 0
    for low in range(unseen + 1):
        high = low + count  # tags of the unseen cards add up to -count
        rest = unseen - low - high
        if rest < 0 or high < 0:
            continue
        found = comb(96, low) * comb(96, high) * comb(96, rest)
        ways += found
        held += found * low
    return held / ways / unseen


@pytest.mark.parametrize(("unseen", "count"), [(216, 6), (144, 12), (96, 20), (80, -10)])
def test_mean_shares_match_all_sets(unseen: int, count: int) -> None:
    tags = np.array([float(tag) for tag in DEPTHS.tags])
    shares = mean_shares(DEPTHS.counts, tags, float(unseen), float(-count))
    assert shares.sum() == pytest.approx(1.0)
    low = sum(float(shares[card]) for card in range(CARDS) if tags[card] > 0)
    assert low == pytest.approx(exact_share_of_low_cards(unseen, count), rel=2e-3)


def test_the_deviation_of_the_true_count_is_exact() -> None:
    """A deck of 48 with tags of variance 2/3, by the formula for drawing without replacement."""
    assert DEPTHS.variance == pytest.approx(2 / 3)
    assert DEPTHS.deviation(144) == pytest.approx(48 * (2 / 3 * 144 / (287 * 144)) ** 0.5)
    counts = np.arange(-40, 40, 0.01)
    assert DEPTHS.density(counts).sum() * 0.01 == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("true_count", [-7.3, 0.0, 2.2, 9.9])
def test_whole_shoes_have_the_tilted_one_as_their_mean(true_count: float) -> None:
    cards = Tilt(DEPTHS, true_count).shares() * DEPTHS.cards
    shoes = weighted_shoes(cards)
    assert sum(shoe.weight for shoe in shoes) == pytest.approx(1.0)
    assert len(shoes) <= 10
    for value in range(1, 11):
        wanted = sum(float(cards[card]) for card in range(CARDS) if value_of(card) == value)
        mean = sum(
            shoe.weight * sum(shoe.composition[c] for c in range(CARDS) if value_of(c) == value)
            for shoe in shoes
        )
        assert mean == pytest.approx(wanted, abs=1e-9)
    for shoe in shoes:
        assert sum(shoe.composition) == DEPTHS.cards
        assert all(abs(n - cards[c]) < 1.3 for c, n in enumerate(shoe.composition) if cards[c])


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(PlanError, match="no shoe reaches this true count"):
        Tilt(DEPTHS, 60.0).shares()


def test_a_card_seen_early_in_a_single_deck_excludes_some_depths() -> None:
    """Just after an ace, at most one card is gone, so a count of 0 isn't possible yet."""
    depths = Depths(load_rules("super-fun-21"), tags_of(built_in_counts()["hi-lo"]))
    shares = Tilt(depths, 0.0).shares((SPADE_ACE,))
    assert shares.sum() == pytest.approx(1.0)
    # At the same count, a low card must be gone along with the ace, so tens are only slightly
    # scarcer.
    tens = sum(float(shares[card]) for card in range(CARDS) if value_of(card) == 10)
    assert 15 / 50 < tens < 16.5 / 51
    index = insurance_index(depths, 20.0)
    assert index == pytest.approx(1.4, abs=0.2)  # a well-known figure for single decks


@pytest.mark.parametrize(("decks", "exact"), [(4, 9.88), (6, 10.02), (8, 10.10)])
def test_insurance_pays_from_the_count_found_by_summing_all_sets(decks: int, exact: float) -> None:
    """The built-in count's figures, computed independently in test_insurance_count."""
    depths = Depths(load_rules(f"wsgc-2021(decks={decks})"), tags_of(LEVEL_ONE))
    index = insurance_index(depths, 16.0)
    assert index == pytest.approx(exact, abs=0.15)
    assert index is not None
    shares = Tilt(depths, index).shares((SPADE_ACE,))
    tens = sum(float(shares[card]) for card in range(CARDS) if value_of(card) == 10)
    assert tens == pytest.approx(1 / 3, abs=1e-4)
