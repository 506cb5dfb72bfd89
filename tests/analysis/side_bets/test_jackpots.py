"""Jackpots: all printed figures, line frequencies, and all card orders of small shoes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import perm
from typing import Any

import pytest

from tests import IS_SOAK
from tests.analysis.side_bets.enumeration import all_deals, golden, random_shoe, shoe
from ventiuna.analysis import JackpotReport, jackpot_report, with_jackpot
from ventiuna.analysis.results import percent_text
from ventiuna.analysis.side_bets.jackpots import PRINTED_SHARE
from ventiuna.core.meters import share_of
from ventiuna.core.side_bets import NO_LINE, fixed_line, fixed_pay, special_line
from ventiuna.rules import Rules, RulesError, change_rules, compile_rules, load_rules

JACKPOT = golden("paytables.json")["jackpot"]
TABLES: dict[str, Any] = JACKPOT["tables"]
# Every way in which pay tables evaluate cards: decks, table, alternate lines.
FAMILIES = [
    (6, "3c", 0),
    (6, "3c", 1),
    (6, "3c", 2),
    (6, "4d", 0),
    (6, "4d", 1),
    (2, "4a", 0),
    (6, "5c", 0),
]
BY_DECKS = {
    "3": {"4": "3a", "5": "3b", "6": "3c", "8": "3d"},
    "4": {"4": "4b", "5": "4c", "6": "4d", "8": "4e"},
}


def rules_with(
    decks: int, table: str, pay_table: int = 1, alternate: int = 0, prize: int | None = None
) -> Rules:
    rules = load_rules(f"wsgc-2021(decks={decks})")
    return with_jackpot(rules, table, pay_table, alternate, prize=prize)


def frequencies(report: JackpotReport) -> dict[str, Fraction]:
    return {line.key: line.frequency for line in report.lines}


@pytest.mark.parametrize("name", TABLES)
def test_r101_every_printed_house_advantage_is_reproduced(name: str) -> None:
    for number, printed in TABLES[name]["paytables"].items():
        report = jackpot_report(rules_with(TABLES[name]["decks"], name, int(number)))
        advantage = report.printed_house_advantage
        assert report.fixed_return == Fraction(printed["fixed_return_exact"])
        assert percent_text(advantage, 2).replace(" ", "") == printed["house_advantage_published"]
        assert percent_text(advantage, 4).replace(" ", "") == printed["house_advantage_recomputed"]
        assert (
            percent_text(1 - report.fixed_return, 4).replace(" ", "")
            == printed["house_advantage_fixed_pays_only"]
        )
        assert (
            report.published_house_advantage.replace(" ", "")
            == (printed["house_advantage_published"])
        )


def test_r101_there_are_104_printed_house_advantages() -> None:
    assert sum(len(table["paytables"]) for table in TABLES.values()) == 104


def test_r101_only_21_percent_for_the_special_lines_fits_all_figures() -> None:
    """Each printed figure, rounded to two digits, leaves an interval for the share."""
    lows, highs = [], []
    for name, table in TABLES.items():
        for number, printed in table["paytables"].items():
            report = jackpot_report(rules_with(table["decks"], name, int(number)))
            share = (
                1 - report.fixed_return - Fraction(printed["house_advantage_published"][:-1]) / 100
            )
            lows.append(share - Fraction(5, 100_000))
            highs.append(share + Fraction(5, 100_000))
    low, high = percent_text(max(lows), 5), percent_text(min(highs), 5)
    assert max(lows) <= PRINTED_SHARE < min(highs)
    found = JACKPOT["convention_of_published_house_advantage"]["jackpot_share_interval"]
    assert f"from {low} to {high} ".replace(" %", "%") in found


@pytest.mark.parametrize("name", TABLES)
def test_every_line_pays_as_often_as_counted(name: str) -> None:
    counted = TABLES[name]["line_frequencies"]
    report = jackpot_report(rules_with(TABLES[name]["decks"], name))
    assert frequencies(report) == {key: Fraction(line["exact"]) for key, line in counted.items()}
    for line in report.lines:
        assert float(round(1 / line.frequency, 1)) == counted[line.key]["one_in"]


@pytest.mark.parametrize(
    ("lines", "family", "alternate"),
    [
        (JACKPOT["alternate_triggers"]["tables_3"]["option_1"], "3", 1),
        (JACKPOT["alternate_triggers"]["tables_3"]["option_2"], "3", 2),
        (JACKPOT["alternate_triggers"]["tables_4b_to_4e"]["lines"], "4", 1),
    ],
)
def test_r093_r094_every_alternate_line_pays_as_often_as_counted(
    lines: list[dict[str, Any]], family: str, alternate: int
) -> None:
    for decks, table in BY_DECKS[family].items():
        ours = frequencies(jackpot_report(rules_with(int(decks), table, alternate=alternate)))
        for line in lines:
            assert ours[line["key"]] == Fraction(line["frequency_by_decks"][decks]["exact"])


@pytest.mark.parametrize(("decks", "table", "alternate"), FAMILIES)
def test_alternate_lines_dont_affect_the_fixed_lines(
    decks: int, table: str, alternate: int
) -> None:
    plain = jackpot_report(rules_with(decks, table))
    other = jackpot_report(rules_with(decks, table, alternate=alternate))
    assert plain.fixed_return == other.fixed_return


def count_outcomes(rules: Rules, composition: tuple[int, ...]) -> Counter[tuple[int, int]]:
    """Special line and fixed payout for every order of four cards."""
    table = compile_rules(rules)
    counted: Counter[tuple[int, int]] = Counter()
    for ways, (first, second, up, down) in all_deals(composition, 4):
        special = special_line(table, 0, first, second, up, down)
        counted[special, fixed_pay(table, 0, special, first, second, up, down)] += ways
    return counted


@pytest.mark.parametrize(("decks", "table", "alternate"), FAMILIES)
@pytest.mark.parametrize(
    "composition",
    [
        shoe("As As As As Ah Ad Ks Ks Kd 7c 7c 7c 7c 7h 9s"),
        shoe("Ac Ac Ad Ad Ah Ah As As Ks Ks Kc 8c 8d 8h 8s"),
        random_shoe(seed=7, kinds=22 if IS_SOAK else 9, most=4),
    ],
    ids=["spades", "two decks", "partly dealt"],
)
def test_outcomes_equal_all_card_orders_of_small_shoes(
    decks: int, table: str, alternate: int, composition: tuple[int, ...]
) -> None:
    rules = rules_with(decks, table, pay_table=3, alternate=alternate, prize=100)
    orders = perm(sum(composition), 4)
    report = jackpot_report(rules, composition=composition)
    assert {(o.special, o.fixed): o.probability for o in report.outcomes} == {
        key: Fraction(ways, orders) for key, ways in count_outcomes(rules, composition).items()
    }
    assert sum(outcome.probability for outcome in report.outcomes) == 1


@pytest.mark.parametrize(("decks", "table", "alternate"), FAMILIES)
def test_lines_pay_the_same_total_as_outcomes(decks: int, table: str, alternate: int) -> None:
    report = jackpot_report(rules_with(decks, table, 5, alternate, prize=25_000))
    fixed = sum(line.expected_pay for line in report.lines if line not in report.special_lines)
    assert fixed == report.fixed_return * report.jackpot.wager
    awards = sum(line.expected_award(2_500_000) for line in report.special_lines)
    prizes = sum(line.expected_pay for line in report.special_lines)
    assert fixed + awards + prizes == report.expected_pay_at(2_500_000)


def test_d24_best_only_pays_only_the_better_dealer_card() -> None:
    rules = load_rules("wsgc-2021(jackpots=4d:3:best_only=on)")
    composition = shoe("As As As As Ah Ad Ks Ks Kd 7c 7c 7c 7h 9s")
    counted = count_outcomes(rules, composition)
    orders = perm(sum(composition), 4)
    report = jackpot_report(rules, composition=composition)
    assert {(o.special, o.fixed): o.probability for o in report.outcomes} == {
        key: Fraction(ways, orders) for key, ways in counted.items()
    }
    both = jackpot_report(load_rules("wsgc-2021(jackpots=4d:3)"), composition=composition)
    assert report.fixed_return < both.fixed_return
    paid = sum(line.expected_pay for line in report.lines if line not in report.special_lines)
    assert paid == report.fixed_return * 100


def test_o23_top_alone_pays_the_100_percent_without_the_fixed_lines() -> None:
    besides = jackpot_report(load_rules("wsgc-2021(decks=2,jackpots=4a:1:prize=10)"))
    alone = jackpot_report(load_rules("wsgc-2021(decks=2,jackpots=4a:1:prize=10:top_alone=on)"))
    # As Ks against As Ks is one suited match with each dealer card, each paying 5 for 1.
    assert besides.fixed_return - alone.fixed_return == 10 * besides.lines[0].frequency


def test_fixed_lines_of_tables_3_compare_only_with_the_up_card() -> None:
    composition = shoe("As As Ah Ks Kd 7c 7c 7h 9s")
    orders = perm(sum(composition), 3)
    counted: Counter[int] = Counter()
    for ways, (first, second, up) in all_deals(composition, 3):
        counted[fixed_line(first, second, up)] += ways
    report = jackpot_report(rules_with(6, "3c"), composition=composition)
    fixed = [line for line in report.lines if line not in report.special_lines]
    assert sorted(line.frequency for line in fixed) == sorted(
        Fraction(ways, orders) for line, ways in counted.items() if line != NO_LINE
    )


# --- the meter ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("decks", "table", "alternate"), FAMILIES)
def test_return_rises_with_the_meter_up_to_break_even(
    decks: int, table: str, alternate: int
) -> None:
    report = jackpot_report(rules_with(decks, table, 2, alternate, prize=5_000))
    even = report.break_even_cents
    assert even is not None
    assert report.house_edge_at(even) <= 0 < report.house_edge_at(even - 1)
    linear = report.break_even_meter
    assert linear is not None
    assert linear <= even <= linear + 100  # the difference is only the rounding of awards to cents


def test_awards_are_rounded_down_and_the_rest_is_linear() -> None:
    """O-18."""
    report = jackpot_report(rules_with(6, "3c"))
    top, other = report.special_lines
    assert report.return_at(1_000_000) - report.fixed_return == (
        (top.frequency * 1_000_000 + other.frequency * 100_000) / 100
    )
    assert share_of(1_000_009, 10) == 100_000
    assert report.return_at(1_000_009) - report.return_at(1_000_000) == top.frequency * 9 / 100
    assert report.meter_share == top.frequency + other.frequency / 10


def test_r092_prizes_and_payouts_grow_with_the_wager_and_awards_do_not() -> None:
    one = jackpot_report(load_rules("wsgc-2021(jackpots=5c:1:prize=100)"))
    five = jackpot_report(load_rules("wsgc-2021(jackpots=5c:1:prize=100:wager=5)"))
    assert five.fixed_return == one.fixed_return
    assert five.prize_return == one.prize_return > 0
    awards = one.return_at(10_000_000) - one.return_at(0)
    assert five.return_at(10_000_000) - five.return_at(0) == awards / 5


def test_o37_a_prize_from_the_meter_never_exceeds_the_meter() -> None:
    rules = "wsgc-2021(jackpots=5c:1:prize=100:prize_from={})"
    house = jackpot_report(load_rules(rules.format("house")))
    meter = jackpot_report(load_rules(rules.format("jackpot")))
    assert meter.return_at(10_000) == house.return_at(10_000)
    assert house.return_at(5_000) - meter.return_at(5_000) == meter.lines[2].frequency * 50
    assert meter.house_hold - house.house_hold == house.prize_return


def test_the_house_keeps_the_rest_after_lines_contribution_and_seed() -> None:
    """O-19: a progressive's awards are the players' money; its seed is the house's."""
    plain = jackpot_report(load_rules("wsgc-2021(jackpots=3c:1)"))
    assert plain.house_hold == plain.printed_house_advantage
    seeded = jackpot_report(load_rules("wsgc-2021(jackpots=3c:1:seed=1000:contribution=15%)"))
    top = seeded.lines[0]
    assert seeded.house_hold == 1 - seeded.fixed_return - Fraction(15, 100) - top.frequency * 1000
    posted = jackpot_report(load_rules("wsgc-2021(jackpots=3c:1:kind=house:seed=1000)"))
    assert posted.house_hold == posted.house_edge_at(100_000)


def test_variance_by_hand() -> None:
    """Three aces of spades and a king make the three-card line or a suited match, nothing else."""
    report = jackpot_report(rules_with(6, "3c"), composition=shoe("As As As Ks"))
    pays = {(o.special, o.fixed): o.probability for o in report.outcomes}
    # The king is the up card (no match), the down card (As As against As: 100%), or one of the
    # player's cards (one suited match).
    assert pays == {(0, 0): Fraction(1, 4), (1, 0): Fraction(1, 4), (0, 500): Fraction(1, 2)}
    meter = 10_000
    mean = Fraction(meter + 2 * 500, 4)
    assert report.expected_pay_at(meter) == mean
    assert report.variance_at(meter) == Fraction(meter**2 + 2 * 500**2, 4) - mean**2


def test_a_missing_game_is_refused() -> None:
    with pytest.raises(RulesError, match=r"game = 1: these rules have no jackpot games \(R-084\)"):
        jackpot_report(load_rules("wsgc-2021"))
    with pytest.raises(RulesError, match="these rules have 1 jackpot game"):
        jackpot_report(load_rules("casino-card"), game=2)
    with pytest.raises(RulesError, match="table 3a is for Spanish 21 with 4 decks"):
        with_jackpot(load_rules("wsgc-2021"), "3a")
    with pytest.raises(RulesError, match="no such jackpot table"):
        with_jackpot(load_rules("wsgc-2021"), "9z")


def test_the_second_game_of_a_layout_is_separate() -> None:
    rules = load_rules("wsgc-2021(jackpots=3c:1+4d:7:wager=2)")
    alone = change_rules(rules, {"jackpots": "4d:7:wager=2"})
    second, same = jackpot_report(rules, 2), jackpot_report(alone)
    assert second.lines == same.lines
    assert second.break_even_cents == same.break_even_cents
    assert second.number == 2


def test_casino_card_progressive_equals_pay_table_1_of_4d() -> None:
    """R-099."""
    card = jackpot_report(load_rules("casino-card"))
    table = jackpot_report(rules_with(6, "4d"))
    assert [(line.frequency, line.pays) for line in card.lines] == [
        (line.frequency, line.pays) for line in table.lines
    ]
    printed = golden("paytables.json")["casino_card_progressive_001"]
    advantage = percent_text(card.printed_house_advantage, 2).replace(" ", "")
    assert advantage == printed["house_advantage_as_table_4d_paytable_1"]
