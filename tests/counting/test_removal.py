"""Effects of removal: identities that hold exactly, and independently computed figures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from tests import IS_SOAK
from tests.counting import RULES as SPANISH
from tests.counting import WORKSHOP, effects_of_fixed_play
from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.composition import fresh_composition, without_cards
from ventiuna.cards import parse_card
from ventiuna.counting.removal import (
    alike_classes,
    base_effects,
    effects_of_removal,
    insurance_effects,
    jackpot_effects,
    match_effects,
)
from ventiuna.rules import load_rules

T = TypeVar("T")
TWO_DECKS = load_rules("wsgc-2021(decks=2,jackpots=none)")


def test_effects_of_a_fixed_play_add_up_to_nothing() -> None:
    """Removing an unseen card changes nothing on average, so the effects cancel out."""
    for effects in (effects_of_fixed_play(), base_effects(load_rules("super-fun-21"), fixed=True)):
        assert abs(effects.total) < 1e-11
        assert max(abs(e) for e in effects.by_card if e is not None) > 1e-4


def test_reoptimized_play_adds_the_value_of_knowing_the_card() -> None:
    fixed, best = effects_of_fixed_play(), WORKSHOP.betting
    assert best.value == fixed.value
    for card, (one, other) in enumerate(zip(best.by_card, fixed.by_card, strict=True)):
        if one is not None and other is not None:
            assert one >= other - 1e-12, card
    assert best.total > 1e-4


def test_cards_treated_as_equivalent_are_equivalent() -> None:
    shoe = fresh_composition(TWO_DECKS)
    classes = alike_classes(TWO_DECKS)
    assert sum(map(len, classes)) == len(TWO_DECKS.pack.cards)
    for cards in classes:
        found = {
            round(analyze(TWO_DECKS, without_cards(shoe, (card,))).ev, 12)
            for card in (cards[0], cards[-1])
        }
        assert len(found) == 1


def test_insurance_is_worked_out_by_hand() -> None:
    """72 of 287 unseen cards are ten-valued; insurance pays 2 to 1."""
    effects = insurance_effects(SPANISH)
    assert effects.exact is not None
    five, king = parse_card("5c"), parse_card("Kc")
    assert effects.exact[five] == 3 * (Fraction(72, 286) - Fraction(72, 287))
    assert effects.exact[king] == 3 * (Fraction(71, 286) - Fraction(72, 287))
    assert effects.exact_total == 0


def test_one_card_doesnt_affect_match_the_dealer() -> None:
    """The bet treats all ranks and suits alike and the effects cancel out, so each is 0."""
    effects = match_effects(SPANISH)
    assert effects.exact is not None
    assert {e for e in effects.exact if e is not None} == {Fraction(0)}


def test_effects_of_a_jackpot_cancel_out_exactly() -> None:
    """Outside a soak, only three cards with different effects are checked."""
    rules = load_rules("wsgc-2021(jackpots=3c:1:wager=5:seed=1000)")
    some = [parse_card(card) for card in ("7c", "7s", "As")]

    def each(_what: str, cards: Sequence[T], /) -> Sequence[T]:
        return cards if IS_SOAK else [card for card in cards if card in some]

    effects = jackpot_effects(rules, 1, 500_000, each)
    assert effects.exact is not None
    assert len({e for e in effects.exact if e is not None}) > 1
    assert effects.exact_total == 0 or not IS_SOAK


def test_a_study_separates_suits_if_a_wager_does() -> None:
    study = effects_of_removal(SPANISH)
    names = [kind.name for kind in study.classes]
    assert "7s" in names
    assert "5" in names
    data = study.as_data()
    assert [wager["wager"] for wager in data["wagers"]] == [
        "base game",
        "base game, play fixed",
        "insurance",
        "Match the Dealer",
    ]
