"""Awards with several players, compared with all card orders of small shoes and with the engine."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import perm

import pytest

from tests import IS_SOAK
from tests.analysis.side_bets.enumeration import all_deals, shoe
from tests.rounds import play, seat
from ventiuna.analysis import jackpot_report, round_awards
from ventiuna.analysis.side_bets.jackpots import awards_in_turn
from ventiuna.core.meters import meter_share
from ventiuna.core.side_bets import NO_LINE, special_line
from ventiuna.rules import RulesError, compile_rules, load_rules

GAMES = [
    ("wsgc-2021(jackpots=3c:1:seed=500)", "As As As As Ks 7c 7c 7c"),
    ("wsgc-2021(jackpots=3c:1:alternate=1:prize=20)", "As As As As As Ks Ah Ah"),
    ("wsgc-2021(jackpots=3c:1:alternate=1:prize=20:prize_from=jackpot)", "7c 7c 7c 7c 7c 7c As Ks"),
    ("wsgc-2021(jackpots=4d:1)", "As As As As As 7c 7c 7c"),
    ("wsgc-2021(jackpots=4d:1:alternate=1:prize=20)", "7c 7c 7c 7c 7c 7c 7d As"),
    ("wsgc-2021(decks=2,jackpots=4a:1:prize=20)", "Ac Ac Ad Ah As Ks As Ks"),
    ("wsgc-2021(decks=8,jackpots=5d:1:prize=20)", "7c 7c 7c 7c 7c 7c 7c As"),
]


@pytest.mark.parametrize(("text", "cards"), GAMES)
@pytest.mark.parametrize("players", [2, 3])
def test_lines_seat_by_seat_equal_all_card_orders(text: str, cards: str, players: int) -> None:
    rules = load_rules(text)
    table = compile_rules(rules)
    from_meter = rules.jackpots[0].prize_from == "jackpot"
    composition = shoe(cards)
    counted: list[Counter[tuple[tuple[int, ...], int]]] = [Counter() for _ in range(players)]
    several = 0
    for ways, (up, down, *hands) in all_deals(composition, 2 + 2 * players):
        made: tuple[int, ...] = ()
        for place in range(players):
            first, second = hands[2 * place : 2 * place + 2]
            line = special_line(table, 0, first, second, up, down)
            if line != NO_LINE and (from_meter or meter_share(table, 0, line)):
                counted[place][made, line] += ways
                made = (*made, line)
        several += ways if len(made) > 1 else 0
    orders = perm(sum(composition), 2 + 2 * players)
    awards = round_awards(rules, players, composition=composition)
    assert [dict(each.turns) for each in awards.seats] == [
        {turn: Fraction(ways, orders) for turn, ways in seat_counts.items()}
        for seat_counts in counted
    ]
    assert awards.several == Fraction(several, orders)
    assert any(seat_counts for seat_counts in counted)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7] if IS_SOAK else [2, 4])
@pytest.mark.parametrize("text", [text for text, _ in GAMES])
def test_every_seat_hits_as_often_as_a_single_player(text: str, players: int) -> None:
    rules = load_rules(text)
    alone = jackpot_report(rules)
    from_meter = rules.jackpots[0].prize_from == "jackpot"
    hits = sum(line.frequency for line in alone.special_lines if line.percent or from_meter)
    awards = round_awards(rules, players, meter=1_000_000)
    assert [each.frequency for each in awards.seats] == [hits] * players
    assert awards.expected_awards == hits * players
    shares = [each.share for each in awards.seats]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == alone.meter_share
    first = awards.seats[0].expected_award
    assert first is not None
    paid = alone.expected_pay_at(1_000_000) - alone.expected_pay_at(0)
    assert first == paid
    assert all(each.expected_award is not None for each in awards.seats)


def test_r095_the_second_seat_wins_a_tenth_of_the_remainder() -> None:
    """Six 7c: everyone always has three alike, so each wins 10% in turn."""
    awards = round_awards(
        load_rules("wsgc-2021(jackpots=3c:1)"), 2, 1_000_000, composition=shoe("7c " * 6)
    )
    assert [each.share for each in awards.seats] == [Fraction(1, 10), Fraction(9, 100)]
    assert [each.expected_award for each in awards.seats] == [100_000, 90_000]
    assert awards.several == 1


def test_o20_a_100_percent_award_is_followed_by_the_seed() -> None:
    spades = shoe("As " * 6)
    for reseed, second in (("at_once", 50_000), ("after_round", 0)):
        rules = load_rules(f"wsgc-2021(jackpots=3c:1:seed=500:reseed={reseed})")
        awards = round_awards(rules, 2, 1_000_000, composition=spades)
        assert [each.expected_award for each in awards.seats] == [1_000_000, second]
        assert [each.share for each in awards.seats] == [1, 0]


def test_o39_a_house_jackpot_pays_each_winner_unless_set_otherwise() -> None:
    sevens = shoe("7c " * 6)
    text = "wsgc-2021(jackpots=3c:1:kind=house:seed=1000{})"
    each = round_awards(load_rules(text.format("")), 2, 100_000, composition=sevens)
    assert [one.expected_award for one in each.seats] == [10_000, 10_000]
    sequence = round_awards(
        load_rules(text.format(":winners=in_sequence")), 2, 100_000, composition=sevens
    )
    assert [one.expected_award for one in sequence.seats] == [10_000, 9_000]


@pytest.mark.parametrize(
    ("text", "dealer", "hands", "line"),
    [
        ("3d:1", "7c 2d / 8h", ["7c 7c"] * 3, 2),
        ("3c:1:seed=500", "As 9d", ["As As"] * 2, 1),
        ("3c:1:seed=500:reseed=after_round", "As 9d", ["As As"] * 2, 1),
        ("3d:1:kind=house:seed=1000", "7c 2d / 8h", ["7c 7c"] * 3, 2),
        ("3c:1:kind=house:seed=1000:winners=in_sequence", "7c 2d / 8h", ["7c 7c"] * 2, 2),
        ("3c:1:alternate=2:prize=9000:prize_from=jackpot", "7c 2d / 8h", ["7c 7c"] * 2, 3),
        ("4d:1", "7c 2d / 8h", ["7c 7c"] * 2, 2),
        ("5c:1:prize=5", "7c 7c / 2h Kd", ["7c 7c"] * 2, 2),
    ],
)
def test_successive_awards_match_the_engine(
    text: str, dealer: str, hands: list[str], line: int
) -> None:
    meter = 1234567
    decks = 8 if text.startswith("3d") else 6
    rules = load_rules(f"wsgc-2021(decks={decks},jackpots={text}:contribution=0%)")
    shown = rules.jackpots[0].seed if "house" in text else meter
    dealt = play(
        rules,
        dealer,
        *(seat(f"{cards} / stand", jackpots=(1,)) for cards in hands),
        meters=[f"{shown / 100:.2f}"],
    )
    paid = [payment.paid for payment in dealt.payments if payment.rule in ("R-095", "O-39")]
    lines = (line,) * len(hands)
    assert paid == awards_in_turn(compile_rules(rules), lines, shown)
    assert len(paid) == len(hands)


def test_more_players_than_seats_are_refused() -> None:
    with pytest.raises(RulesError, match=r"players = 8: this table seats 1 to 7 players \(O-02\)"):
        round_awards(load_rules("casino-card"), 8)
    with pytest.raises(RulesError, match="players = 0"):
        round_awards(load_rules("casino-card"), 0)
