"""Contributions, awards and seeds of meters: the functions shared by all of Ventiuna."""

import pytest

from ventiuna.core import meters
from ventiuna.core.rule_table import JACKPOTS, SPECIAL_LINES, RuleTable
from ventiuna.core.side_bets import FIRST, NO_LINE, SECOND, THIRD
from ventiuna.rules import compile_rules, load_rules

PROGRESSIVE = "3c:1:seed=500"
HOUSE = "3c:1:kind=house:seed=500"
PRIZE = "3c:1:alternate=2:prize=250"  # 100%, 10%, then the operator's prize


def table(*games: str) -> RuleTable:
    return compile_rules(load_rules(f"wsgc-2021(jackpots={'+'.join(games)})"))


@pytest.mark.parametrize(
    ("game", "wagered", "added"),
    [
        (PROGRESSIVE, 100, 210_000),  # 21% of $1
        (PROGRESSIVE, 700, 1_470_000),
        (f"{PROGRESSIVE}:contribution=0.01%", 100, 100),
        (f"{PROGRESSIVE}:contribution=0%", 100, 0),
        (PROGRESSIVE, 0, 0),
        (HOUSE, 100, 0),
    ],
)
def test_o19_a_wager_adds_its_share_to_a_progressive_only(
    game: str, wagered: int, added: int
) -> None:
    assert meters.contribution(table(game), 0, wagered) == added


def test_o19_each_game_has_its_own_contribution() -> None:
    both = table("3c:1:contribution=10%", "4d:1:contribution=30%")
    assert [meters.contribution(both, game, 100) for game in (0, 1)] == [100_000, 300_000]


@pytest.mark.parametrize(
    ("remainder", "added", "cents", "left"),
    [(0, 9_999, 0, 9_999), (0, 10_000, 1, 0), (9_999, 1, 1, 0), (9_999, 10_002, 2, 1)],
)
def test_o18_fractions_of_a_cent_carry_over_to_the_next_contribution(
    remainder: int, added: int, cents: int, left: int
) -> None:
    assert meters.raised_by(remainder, added) == cents
    assert meters.remainder_after(remainder, added) == left


def test_o18_shares_are_rounded_down_to_the_cent() -> None:
    assert meters.share_of(1_000_009, 10) == 100_000
    assert meters.share_of(1_000_009, 100) == 1_000_009
    assert meters.share_of(9, 10) == 0
    assert meters.share_of(10, 10) == 1


def test_r095_a_special_line_pays_its_share_of_the_displayed_amount() -> None:
    rules = table(PROGRESSIVE)
    assert meters.special_pay(rules, 0, FIRST, 1_234_567) == 1_234_567
    assert meters.special_pay(rules, 0, SECOND, 1_234_567) == 123_456
    assert meters.special_pay(rules, 0, NO_LINE, 1_234_567) == 0


def test_r095_one_percent_is_a_share_like_any_other() -> None:
    rules = table(PROGRESSIVE)._replace(jackpot_percent=(1,) * (JACKPOTS * SPECIAL_LINES))
    assert meters.special_pay(rules, 0, FIRST, 1_234_567) == 12_345
    assert meters.comes_from_meter(rules, 0, FIRST)


def test_r092_prizes_are_stated_for_one_dollar_of_wager() -> None:
    rules = table(f"{PRIZE}:wager=5")
    assert meters.prize_pay(rules, 0, THIRD) == 125_000
    assert meters.prize_pay(rules, 0, SECOND) == 0
    assert meters.special_pay(rules, 0, THIRD, 100) == 125_000  # paid by the house, not the meter


def test_r092_the_second_game_has_its_own_lines() -> None:
    both = table(PROGRESSIVE, f"{PRIZE}:wager=5")
    assert meters.prize_pay(both, 0, THIRD) == 0
    assert meters.prize_pay(both, 1, THIRD) == 125_000
    assert [meters.meter_share(both, 0, line) for line in (FIRST, SECOND, THIRD)] == [100, 10, 0]
    assert [meters.meter_share(both, 1, line) for line in (FIRST, SECOND, THIRD)] == [100, 10, 0]
    differing = both._replace(jackpot_percent=(0, 100, 10, 1, 0, 90, 9, 2))
    lines = (FIRST, SECOND, THIRD)
    assert [meters.meter_share(differing, 0, line) for line in lines] == [100, 10, 1]
    assert [meters.meter_share(differing, 1, line) for line in lines] == [90, 9, 2]


def test_o37_a_prize_from_the_jackpot_never_exceeds_it() -> None:
    rules = table(f"{PRIZE}:prize_from=jackpot")
    assert meters.special_pay(rules, 0, THIRD, 25_001) == 25_000
    assert meters.special_pay(rules, 0, THIRD, 25_000) == 25_000
    assert meters.special_pay(rules, 0, THIRD, 24_999) == 24_999


@pytest.mark.parametrize(
    ("game", "line", "comes"),
    [
        (PRIZE, FIRST, True),
        (PRIZE, SECOND, True),
        (PRIZE, THIRD, False),
        (f"{PRIZE}:prize_from=jackpot", THIRD, True),
        (f"{PRIZE}:prize_from=jackpot", NO_LINE, False),
        (HOUSE, SECOND, True),
        (HOUSE, NO_LINE, False),
    ],
)
def test_o37_lines_paid_from_the_meter(game: str, line: int, comes: bool) -> None:
    assert meters.comes_from_meter(table(game), 0, line) is comes


@pytest.mark.parametrize(
    ("game", "line", "left"),
    [
        (PROGRESSIVE, SECOND, 900_000),
        (PROGRESSIVE, FIRST, 50_000),  # reseeded at once
        (f"{PROGRESSIVE}:reseed=after_round", FIRST, 0),
        (f"{PROGRESSIVE}:reseed=after_round", SECOND, 900_000),
        (HOUSE, SECOND, 1_000_000),
        (HOUSE, FIRST, 1_000_000),
        (f"{HOUSE}:winners=in_sequence", SECOND, 900_000),
        (f"{HOUSE}:winners=in_sequence", FIRST, 0),
        (f"{PRIZE}:prize_from=jackpot", THIRD, 975_000),
    ],
)
def test_r095_each_award_is_deducted_before_the_next(game: str, line: int, left: int) -> None:
    assert meters.meter_for_next_winner(table(game), 0, line, 1_000_000) == left


def test_o39_only_a_house_jackpot_pays_each_winner_in_full() -> None:
    assert meters.pays_each_in_full(table(HOUSE), 0)
    assert not meters.pays_each_in_full(table(f"{HOUSE}:winners=in_sequence"), 0)
    assert not meters.pays_each_in_full(table(PROGRESSIVE), 0)


def test_o39_an_award_lowers_a_progressive_and_leaves_a_house_jackpot_as_posted() -> None:
    assert meters.taken_off_meter(table(PROGRESSIVE), 0, 1234) == 1234
    assert meters.taken_off_meter(table(HOUSE), 0, 1234) == 0
    assert meters.taken_off_meter(table(f"{HOUSE}:winners=in_sequence"), 0, 1234) == 0


@pytest.mark.parametrize(
    ("game", "line", "at_once", "after_round"),
    [
        (PROGRESSIVE, FIRST, 50_000, 0),
        (PROGRESSIVE, SECOND, 0, 0),
        (f"{PROGRESSIVE}:reseed=after_round", FIRST, 0, 50_000),
        (f"{PROGRESSIVE}:reseed=after_round", SECOND, 0, 0),
        ("3c:1", FIRST, 0, 0),  # no seed money
        (HOUSE, FIRST, 0, 0),
        (f"{PRIZE}:seed=500:prize_from=jackpot", THIRD, 0, 0),
    ],
)
def test_o20_seed_money_follows_an_award_of_the_whole_meter(
    game: str, line: int, at_once: int, after_round: int
) -> None:
    assert meters.seed_at_once(table(game), 0, line) == at_once
    assert meters.seed_after_round(table(game), 0, line) == after_round


def test_o19_only_the_first_line_empties_a_progressives_meter() -> None:
    assert meters.empties_meter(table(PROGRESSIVE), 0, FIRST)
    assert not meters.empties_meter(table(PROGRESSIVE), 0, SECOND)
    assert not meters.empties_meter(table(PROGRESSIVE), 0, NO_LINE)
    assert not meters.empties_meter(table(HOUSE), 0, FIRST)
