"""Super Bonus and Envy Bonus: published odds, all card orders, and draws by earlier players."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import perm

import pytest

from tests.analysis.side_bets.enumeration import all_deals, golden, shoe
from ventiuna.analysis import SuperBonusReport, fresh_composition, super_bonus_report
from ventiuna.analysis.results import decimal_text
from ventiuna.analysis.side_bets.super_bonus import all_win
from ventiuna.core.base_game import (
    envy_pay,
    is_super_bonus,
    may_become_super_bonus,
    super_bonus_pay,
)
from ventiuna.core.cards import EMPTY_HAND, Hand, add_card, best_total
from ventiuna.core.rule_table import RuleTable
from ventiuna.rules import RulesError, compile_rules, load_rules

PUBLISHED = golden("figures.json")["side_bets"]["super_bonus_one_in"]["by_decks"]


def hand_of(*cards: int) -> Hand:
    hand = EMPTY_HAND
    for card in cards:
        hand = add_card(hand, card)
    return hand


@pytest.mark.parametrize("decks", PUBLISHED)
def test_the_probability_matches_every_published_digit(decks: str) -> None:
    """R-067, R-068."""
    one_in = 1 / all_win(load_rules(f"wsgc-2021(decks={decks})"), 1)
    digits = len(PUBLISHED[decks].partition(".")[2])
    assert decimal_text(one_in, digits) == PUBLISHED[decks]


@pytest.mark.parametrize("decks", [4, 5, 6, 8])
def test_the_probability_equals_the_closed_formula(decks: int) -> None:
    """Three 7s of one suit, then a 7 of the same or another suit."""
    ways = 4 * (perm(decks, 4) + perm(decks, 3) * 3 * decks)
    assert all_win(load_rules(f"wsgc-2021(decks={decks})"), 1) == Fraction(
        ways, perm(48 * decks, 4)
    )


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("wsgc-2021", "7s 7s 7s 7s 7h 7h 7h 7c 2d"),
        ("wsgc-2021(decks=2)", "7s 7s 7h 7h 7c 7c 7d 7d 2d"),
    ],
)
@pytest.mark.parametrize("hands", [1, 2])
def test_winning_hands_equal_all_card_orders(text: str, cards: str, hands: int) -> None:
    rules = load_rules(text)
    table = compile_rules(rules)
    composition = shoe(cards)
    wins = sum(
        ways
        for ways, (up, *dealt) in all_deals(composition, 1 + 3 * hands)
        if all(
            is_super_bonus(table, hand_of(*dealt[n : n + 3]), up) for n in range(0, 3 * hands, 3)
        )
    )
    assert wins > 0
    expected = Fraction(wins, perm(sum(composition), 1 + 3 * hands))
    assert all_win(rules, hands, composition) == expected


def play_two(
    table: RuleTable, left: list[int], up: int, hands: tuple[Hand, Hand], turn: int, ways: Fraction
) -> Counter[tuple[bool, bool]]:
    """Play both hands in turn: always try for the Super Bonus, otherwise draw to 15 or more."""
    if turn == 2:
        won = (is_super_bonus(table, hands[0], up), is_super_bonus(table, hands[1], up))
        return Counter({won: ways})
    hand = hands[turn]
    for_bonus = may_become_super_bonus(table, hand, up)
    if not for_bonus and best_total(hand.hard, hand.aces) >= 15:
        return play_two(table, left, up, hands, turn + 1, ways)
    found: Counter[tuple[bool, bool]] = Counter()
    cards = sum(left)
    for card, count in enumerate(left):
        if count:
            left[card] -= 1
            drawn = add_card(hand, card)
            after = (drawn, hands[1]) if turn == 0 else (hands[0], drawn)
            found += play_two(table, left, up, after, turn, ways * count / cards)
            left[card] += 1
    return found


def test_cards_drawn_in_between_do_not_matter() -> None:
    """The first player may draw any number of cards; the second player's chance stays exact."""
    rules = load_rules("wsgc-2021")
    table = compile_rules(rules)
    composition = shoe("7s 7s 7s 7s 7h 7h 7h 7h 2c 2c 2c 9d 9d")
    orders = perm(sum(composition), 5)
    won: Counter[tuple[bool, bool]] = Counter()
    for ways, (a, b, up, c, d) in all_deals(composition, 5):
        left = list(composition)
        for card in (a, b, up, c, d):
            left[card] -= 1
        won += play_two(table, left, up, (hand_of(a, c), hand_of(b, d)), 0, Fraction(ways, orders))
    assert sum(won.values()) == 1
    assert won[True, True] == all_win(rules, 2, composition)
    assert won[True, True] + won[False, True] == all_win(rules, 1, composition)
    assert won[True, True] + won[True, False] == all_win(rules, 1, composition)


def expected_by_enumeration(
    text: str, bases: list[int], persons: list[str], cards: str
) -> list[tuple[Fraction, Fraction]]:
    """Super Bonus and Envy Bonus of each spot if each is simply dealt three cards."""
    rules = load_rules(text)
    table = compile_rules(rules)
    composition = shoe(cards)
    spots = range(len(bases))
    paid = [[Fraction(), Fraction()] for _ in spots]
    orders = perm(sum(composition), 1 + 3 * len(bases))
    for ways, (up, *dealt) in all_deals(composition, 1 + 3 * len(bases)):
        winners = [
            spot
            for spot in spots
            if is_super_bonus(table, hand_of(*dealt[3 * spot : 3 * spot + 3]), up)
            and super_bonus_pay(table, bases[spot])
        ]
        for spot in spots:
            own = sum(persons[winner] == persons[spot] for winner in winners)
            envy = envy_pay(table, own, len(winners) - own)
            won = super_bonus_pay(table, bases[spot]) if spot in winners else 0
            paid[spot][0] += Fraction(ways * won, orders)
            paid[spot][1] += Fraction(ways * envy, orders)
    return [(won, envy) for won, envy in paid]


@pytest.mark.parametrize("envy", ["per_other_winner", "losers_only", "losers_once", "off"])
@pytest.mark.parametrize(
    ("bases", "persons"),
    [
        ([500, 2500, 1000], ["A", "B", "C"]),
        ([500, 400, 2500], ["A", "B", "C"]),
        ([500, 2500, 1000], ["A", "B", "A"]),
    ],
    ids=["three players", "one below $5", "two spots of one person"],
)
def test_d10_o13_o14_bonuses_equal_all_card_orders(
    envy: str, bases: list[int], persons: list[str]
) -> None:
    text = f"wsgc-2021(decks=4,envy={envy})"
    cards = "7s 7s 7s 7s 7h 7h 7h 7c 7c 7c"
    report = super_bonus_report(load_rules(text), bases, persons, shoe(cards))
    assert [(spot.expected_super_bonus, spot.expected_envy) for spot in report.spots] == (
        expected_by_enumeration(text, bases, persons, cards)
    )
    assert sum(report.winners) == 1


def fresh_report(players: int, envy: str = "per_other_winner") -> SuperBonusReport:
    return super_bonus_report(load_rules(f"wsgc-2021(envy={envy})"), [2500] * players)


@pytest.mark.parametrize("players", [1, 2, 3, 7])
def test_r074_envy_for_every_other_winner_is_linear_in_the_players(players: int) -> None:
    report = fresh_report(players)
    spot = report.spots[-1]
    assert spot.expected_super_bonus == report.event * 500_000
    assert spot.expected_envy == (players - 1) * report.event * 5_000
    assert sum(n * chance for n, chance in enumerate(report.winners)) == players * report.event
    assert sum(report.winners) == 1


def test_d10_each_kind_of_envy_pays_less_than_the_one_before() -> None:
    kinds = ("per_other_winner", "losers_only", "losers_once", "off")
    paid = [fresh_report(4, envy).spots[0].expected_envy for envy in kinds]
    assert paid[0] > paid[1] > paid[2] > paid[3] == 0


def test_r069_the_bonus_depends_on_the_players_own_base_wager() -> None:
    report = super_bonus_report(load_rules("wsgc-2021"), [400, 500, 2400, 2500, 30_000])
    assert [spot.super_bonus for spot in report.spots] == [0, 100_000, 100_000, 500_000, 500_000]
    assert report.spots[0].win_frequency == 0
    assert report.spots[0].expected_envy == 4 * report.event * 5_000
    assert report.spots[1].share_of_base == (report.event * (100_000 + 3 * 5_000) / 500)


def test_impossible_rounds_are_refused() -> None:
    rules = load_rules("wsgc-2021")
    with pytest.raises(RulesError, match=r"super-fun-21 with 1 decks has no Super Bonus"):
        super_bonus_report(load_rules("super-fun-21"), [500])
    with pytest.raises(RulesError, match="players = 8"):
        super_bonus_report(rules, [500] * 8)
    with pytest.raises(RulesError, match="a base wager must be above zero"):
        super_bonus_report(rules, [0])
    with pytest.raises(RulesError, match="each spot needs one person"):
        super_bonus_report(rules, [500, 500], ["A"])


def test_without_sevens_the_probability_is_zero() -> None:
    rules = load_rules("wsgc-2021")
    without_sevens = tuple(
        0 if card // 4 == 6 else count for card, count in enumerate(fresh_composition(rules))
    )
    assert all_win(rules, 1, without_sevens) == 0
    report = super_bonus_report(rules, [500, 500], composition=without_sevens)
    assert list(report.winners) == [1, 0, 0]
