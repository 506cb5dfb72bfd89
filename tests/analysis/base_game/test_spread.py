"""The standard deviation, including splits into several hands."""

from __future__ import annotations

from math import sqrt

import pytest

from tests import IS_SOAK
from tests.analysis.base_game.comparing import pack
from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.base_game.outcomes import standard_deviation
from ventiuna.analysis.composition import SplitPlay
from ventiuna.rules import load_rules
from ventiuna.testing.reference import reference_outcome


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("blackjack(split_hands=2)", "8c*5 3c*2 Kc*14"),
        ("blackjack(split_hands=3,double_cards=two_or_more)", "8c*5 3c*2 Kc*14"),
        ("blackjack(surrender=late)", "Ac*4 6c 8c*2 Kc*13"),
        ("wsgc-spanish-21(double_double=on)", "Ac*4 6c 8c*2 Kc*13"),
        ("super-fun-21", "8c*5 3c*2 Kc*14"),
    ],
)
@pytest.mark.parametrize("split_play", list(SplitPlay) if IS_SOAK else [SplitPlay.AS_UNSPLIT])
def test_small_packs(name: str, cards: str, split_play: SplitPlay) -> None:
    rules, composition = load_rules(name), pack(cards)
    outcome, base = reference_outcome(rules, composition, split_play)
    expected = sqrt(outcome.square - outcome.profit**2) / base
    analysis = analyze(rules, composition, split_play)
    assert standard_deviation(rules, analysis) == pytest.approx(expected, abs=1e-12)


def test_suits_of_split_hands_make_no_visible_difference() -> None:
    """Sixes, sevens and eights are the only case that isn't exact."""
    rules, composition = load_rules("wsgc-spanish-21"), pack("7s*3 7h 8s 6s Ks*9")
    outcome, base = reference_outcome(rules, composition)
    expected = sqrt(outcome.square - outcome.profit**2) / base
    assert standard_deviation(rules, analyze(rules, composition)) == pytest.approx(
        expected, abs=2e-3
    )
