"""Insurance by composition and blackjack frequencies, compared with figures and all card orders."""

from __future__ import annotations

from fractions import Fraction
from math import perm

import pytest

from tests.analysis.side_bets.enumeration import all_deals, golden, shoe
from ventiuna.analysis import blackjack_frequencies, fresh_composition, insurance_wager
from ventiuna.analysis.results import percent_text
from ventiuna.cards import card_text, parse_card, parse_cards
from ventiuna.rules import RulesError, load_rules

TENS = "TJQK"


def test_six_spanish_decks_match_every_published_digit() -> None:
    published = golden("figures.json")["side_bets"]["insurance_6_spanish_decks"]
    wager = insurance_wager(load_rules("wsgc-2021"))
    assert percent_text(wager.expected_value, 6) == published["expected_value"].replace(" ", "")
    assert wager.expected_value == Fraction(3 * 72, 287) - 1


@pytest.mark.parametrize("decks", [1, 2, 3, 4, 5, 6, 7, 8])
def test_blackjack_decks_by_formula(decks: int) -> None:
    wager = insurance_wager(load_rules(f"blackjack(decks={decks})"))
    assert wager.expected_value == Fraction(3 * 16 * decks, 52 * decks - 1) - 1
    assert wager.break_even_frequency == Fraction(1, 3)
    assert wager.house_edge == -wager.expected_value


def test_seen_cards_change_the_odds() -> None:
    rules = load_rules("super-fun-21")
    assert insurance_wager(rules, parse_cards("5c 6d")).win_frequency == Fraction(16, 49)
    assert insurance_wager(rules, parse_cards("Tc Kd")).win_frequency == Fraction(14, 49)
    own = insurance_wager(rules, parse_cards("Ad Kd"), up=parse_card("Ah"))
    assert own.win_frequency == Fraction(15, 49)
    rich = insurance_wager(rules, parse_cards("2c 3d 4h 5s 6c 7d"))
    assert rich.win_frequency == Fraction(16, 45)
    assert rich.expected_value > 0


def test_any_composition_even_without_faces() -> None:
    rules = load_rules("wsgc-2021")
    none = insurance_wager(rules, composition=shoe("As 5c 6d"))
    assert [none.win_frequency, none.expected_value] == [0, -1]
    sure = insurance_wager(rules, composition=shoe("As Kc Kd"))
    assert [sure.win_frequency, sure.expected_value] == [1, 2]
    assert sure.standard_deviation == 0


def test_insurance_needs_an_ace_up_and_rules_that_offer_it() -> None:
    with pytest.raises(RulesError, match=r"insurance is offered only against an ace \(R-034\)"):
        insurance_wager(load_rules("wsgc-2021"), up=parse_card("Kc"))
    with pytest.raises(RulesError, match="insurance = off"):
        insurance_wager(load_rules("wsgc-2021(insurance=off)"))


# --- blackjacks -----------------------------------------------------------------------------------


def is_blackjack_text(one: int, other: int) -> bool:
    ranks = {card_text(one)[0], card_text(other)[0]}
    return "A" in ranks and bool(ranks & set(TENS))


def is_diamonds_text(one: int, other: int) -> bool:
    return card_text(one)[1] == card_text(other)[1] == "d"


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("wsgc-2021", "As Ad Ad Kd Jc 5c 5c 9d"),
        ("super-fun-21", "As Ad Kd Td Tc 5c 6c 9d"),
    ],
)
def test_frequencies_equal_all_card_orders(text: str, cards: str) -> None:
    composition = shoe(cards)
    found = blackjack_frequencies(load_rules(text), composition)
    ours = {key: chance for key, _, chance in found.chances()}
    counted = dict.fromkeys(ours, 0)
    for ways, (first, second, up, down) in all_deals(composition, 4):
        player, dealer = is_blackjack_text(first, second), is_blackjack_text(up, down)
        diamonds = player and is_diamonds_text(first, second)
        ace_up = card_text(up)[0] == "A"
        for key, happened in {
            "player": player,
            "player_diamonds": diamonds,
            "dealer": dealer,
            "both": player and dealer,
            "both_player_diamonds": diamonds and dealer,
            "player_alone": player and not dealer,
            "dealer_alone": dealer and not player,
            "ace_up": ace_up,
            "dealer_given_ace_up": ace_up and dealer,
        }.items():
            counted[key] += ways if happened else 0
    orders = perm(sum(composition), 4)
    expected = {key: Fraction(ways, orders) for key, ways in counted.items()}
    expected["dealer_given_ace_up"] /= expected["ace_up"]
    assert ours == expected


@pytest.mark.parametrize("decks", [2, 4, 5, 6, 8])
def test_spanish_decks_by_formula(decks: int) -> None:
    """R-012: an ace with one of the three faces."""
    found = blackjack_frequencies(load_rules(f"wsgc-2021(decks={decks})"))
    cards = 48 * decks
    aces, faces = 4 * decks, 12 * decks
    assert found.player == Fraction(2 * aces * faces, perm(cards, 2))
    assert found.dealer == found.player
    assert found.player_diamonds == Fraction(2 * decks * 3 * decks, perm(cards, 2))
    assert found.both == found.player * Fraction(2 * (aces - 1) * (faces - 1), perm(cards - 2, 2))
    assert found.player_alone + found.dealer_alone + found.both + found.neither == 1


def test_r114_one_deck_of_diamonds() -> None:
    """Ad with Td, Jd, Qd or Kd."""
    found = blackjack_frequencies(load_rules("super-fun-21"))
    assert found.player_diamonds == Fraction(2 * 4, 52 * 51)
    assert found.player == 16 * found.player_diamonds


def test_no_aces_left() -> None:
    rules = load_rules("wsgc-2021")
    aceless = tuple(0 if card < 4 else n for card, n in enumerate(fresh_composition(rules)))
    found = blackjack_frequencies(rules, aceless)
    assert [found.player, found.dealer_given_ace_up, found.neither] == [0, 0, 1]
