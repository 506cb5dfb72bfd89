"""Counting figures derived independently: with fractions, the public analyzer and all draws."""

from __future__ import annotations

from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest

from tests import IS_SOAK
from tests.counting import RULES, WORKSHOP
from ventiuna.analysis import analyze
from ventiuna.analysis.composition import composition_of, fresh_composition, without_cards
from ventiuna.cards import parse_card, parse_cards
from ventiuna.counting.betting import exact_trip_ruin, steps_of, trip_ruin
from ventiuna.counting.decisions import best_value
from ventiuna.counting.tags import Depths, read_tags, tags_of
from ventiuna.testing.reference import reference_outcome


@pytest.mark.parametrize("card", ["5c", "7s", "7d", "Ah", "Kd"])
def test_effects_of_removal_match_the_public_analyzer(card: str) -> None:
    """The edge without the card minus the edge of the whole shoe, both from the public analyzer."""
    shoe = fresh_composition(RULES)
    gone = parse_card(card)
    whole = -analyze(RULES).house_edge
    less = -analyze(RULES, composition=without_cards(shoe, [gone])).house_edge
    effect = WORKSHOP.betting.by_card[gone]
    assert effect == pytest.approx(less - whole, abs=1e-12)


def test_effects_in_a_tiny_shoe_match_all_its_orders() -> None:
    """Few cards: every deal, play and draw in fractions, with and without one card."""
    sixes, eights = (2, 4) if IS_SOAK else (1, 1)
    kinds = 4 * ["Ac"] + sixes * ["6c"] + eights * ["8c"] + 13 * ["Kc"]
    shoe = composition_of(parse_cards(" ".join(kinds)))
    whole = _in_fractions(shoe)
    for card in ("8c", "Kc"):
        less = without_cards(shoe, [parse_card(card)])
        by_fractions = _in_fractions(less) - whole
        ours = best_value(RULES, None, less) - best_value(RULES, None, shoe)
        assert ours == pytest.approx(float(by_fractions), abs=1e-12)


def _in_fractions(shoe: tuple[int, ...]) -> Fraction:
    outcome, base = reference_outcome(RULES, shoe)
    return outcome.profit / base


def test_true_counts_have_the_exact_frequencies() -> None:
    """A count of only fives is hypergeometric, with an exact mean, deviation and shares."""
    depths = Depths(RULES, tags_of(read_tags("5=1")))
    fives, cards = 4 * RULES.decks, RULES.shoe_size
    for unseen in (cards - 48, cards // 2, cards // 4):
        seen = cards - unseen
        ways = [comb(fives, k) * comb(cards - fives, seen - k) for k in range(fives + 1)]
        chances = np.array([Fraction(way, comb(cards, seen)) for way in ways], dtype=float)
        expected = fives * seen / cards
        true = np.array([(k - expected) * 48 / unseen for k in range(fives + 1)])
        assert float(chances @ true) == pytest.approx(0.0, abs=1e-12)
        deviation = sqrt(float(chances @ true**2))
        assert depths.deviation(unseen) == pytest.approx(deviation, rel=1e-12)
        # The normal curve approximates these chances but leaves out their skewness and kurtosis:
        # few fives are seen early and few are left late. With exact values of both, the curve fits
        # to half a percent of its peak; without them, to one fourteenth.
        z = true / deviation
        curve = np.exp(-0.5 * z**2) / sqrt(2 * np.pi) * 48 / unseen / deviation
        skewness, excess = float(chances @ z**3), float(chances @ z**4) - 3
        third, fourth = z**3 - 3 * z, z**4 - 6 * z**2 + 3
        sixth = z**6 - 15 * z**4 + 45 * z**2 - 15
        bent = 1 + skewness / 6 * third + excess / 24 * fourth + skewness**2 / 72 * sixth
        assert np.abs(curve * bent - chances).max() < 0.005 * chances.max()
        assert np.abs(curve - chances).max() < chances.max() / 13


def test_trip_risks_match_simulated_trips() -> None:
    """Independent rounds drawn one by one, compared with the exact risk and the Brownian one."""
    results = {-4: 0.06, -2: 0.42, 0: 0.09, 2: 0.35, 4: 0.08}  # half units
    steps = steps_of(results)
    bankroll, rounds, trips = 20, 300, 20_000
    drawn = np.random.default_rng(11).choice(
        list(results), p=list(results.values()), size=(trips, rounds)
    )
    ruined = float((drawn.cumsum(axis=1).min(axis=1) <= -bankroll).mean())
    error = sqrt(ruined * (1 - ruined) / trips)
    exact = exact_trip_ruin(steps, bankroll, rounds)
    assert abs(exact - ruined) < 4.5 * error
    mean = sum(size * chance for size, chance in results.items()) / 2
    variance = sum(size**2 * chance for size, chance in results.items()) / 4 - mean**2
    assert trip_ruin(mean, variance, bankroll / 2, rounds) == pytest.approx(exact, abs=0.05)
