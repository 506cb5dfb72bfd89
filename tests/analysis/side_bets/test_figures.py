"""The published figures are complete and match, and a deviation is reported."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.analysis.side_bets.enumeration import golden
from ventiuna.analysis.figures import (
    Figure,
    FigureList,
    compare_figure,
    number_of,
    published_figures,
    written_like,
)
from ventiuna.analysis.results import decimal_text, one_in_text, percent_text, square_root
from ventiuna.rules import fingerprint, load_rules

RULES = load_rules("wsgc-2021")


@pytest.fixture(scope="module")
def found() -> FigureList:
    return published_figures()


def of_section(found: FigureList, section: str) -> dict[str, Figure]:
    return {figure.what: figure for figure in found.sections()[section]}


def test_every_published_figure_agrees_except_contradictory_ones(
    found: FigureList,
) -> None:
    assert found.unexplained == ()
    assert [(figure.rules, figure.published) for figure in found.different] == [
        ("super-fun-21", "0.77 %"),
        ("super-fun-21", "0.9788 %"),
        ("super-fun-21", "1.16 %"),
    ]


def test_standings_are_counted_separately(found: FigureList) -> None:
    counts = found.counts()
    assert sum(counts.values()) == len(found.figures)
    assert counts["within tolerance"] == sum(figure.within for figure in found.figures) > 0
    for figure in found.figures:
        if figure.standing == "equal":
            assert figure.ours == figure.published
        assert figure.standing != "within tolerance" or figure.tolerance
        assert figure.source
    assert f"{counts['equal']} matching every published digit" in found.summary()


def test_each_figure_states_its_rules(found: FigureList) -> None:
    for figure in found.figures:
        assert figure.fingerprint == fingerprint(load_rules(figure.rules))
    assert {figure.trust for figure in found.figures} >= {"printed", "primary", "counted"}


def test_all_104_house_advantages_are_listed_as_printed(found: FigureList) -> None:
    """R-101."""
    figures = of_section(found, "Jackpots, printed house advantage")
    tables = golden("paytables.json")["jackpot"]["tables"]
    assert {what: figure.ours.replace(" ", "") for what, figure in figures.items()} == {
        f"{name} pay table {number}": printed["house_advantage_published"]
        for name, table in tables.items()
        for number, printed in table["paytables"].items()
    }
    assert len(figures) == golden("figures.json")["side_bets"]["jackpot_house_advantages"]["number"]


def test_all_printed_match_the_dealer_figures_are_listed(found: FigureList) -> None:
    """R-022."""
    figures = of_section(found, "Match the Dealer, printed")
    expected = {}
    for row in golden("paytables.json")["match_the_dealer"]["schedules"]:
        printed = row["published"]
        expected[f"{row['decks']} decks, wins"] = printed["win_frequency"]
        expected[f"{row['decks']} decks, wins one in"] = printed["one_in"]
        expected[f"{row['decks']} decks, house advantage"] = printed["house_advantage"]
    assert {what: figure.ours.replace(" ", "") for what, figure in figures.items()} == expected


def test_every_side_bet_figure_in_the_test_data_is_listed(found: FigureList) -> None:
    yardstick = golden("figures.json")["side_bets"]
    match = of_section(found, "Match the Dealer")
    for decks, edge in yardstick["match_the_dealer_house_advantage"]["by_decks"].items():
        whats = [w for w, f in match.items() if w == f"{decks} decks, house edge" or f.ours == edge]
        assert whats, decks
    listed = [f.published for f in found.figures]
    one = yardstick["match_the_dealer_6_decks_one_card"]
    for text in (one["win_frequency"], one["house_advantage"], one["standard_deviation"]):
        assert text in listed
    for one_in in yardstick["super_bonus_one_in"]["by_decks"].values():
        digits = len(one_in.partition(".")[2])
        assert decimal_text(Fraction(one_in), digits, grouped=True) in listed
    assert yardstick["insurance_6_spanish_decks"]["expected_value"] in listed


def test_all_line_frequencies_are_listed(found: FigureList) -> None:
    figures = of_section(found, "Jackpots: odds of each line")
    jackpot = golden("paytables.json")["jackpot"]
    lines = sum(len(table["line_frequencies"]) for table in jackpot["tables"].values())
    alternates = 4 * (3 + 3 + 3)
    assert len(figures) == lines + alternates


def test_a_figure_that_differs_is_reported() -> None:
    value = Fraction(575, 3731)
    right = compare_figure("s", "w", RULES, "printed", "15.4 %", value)
    wrong = compare_figure("s", "w", RULES, "printed", "15.5 %", value)
    assert right.equal
    assert not wrong.equal
    assert wrong.ours == "15.4 %"
    both = FigureList((right, wrong))
    assert both.different == (wrong,)
    assert both.unexplained == (wrong,)
    disputed = compare_figure("s", "w", RULES, "printed", "15.5 %", value, disputed="others differ")
    assert FigureList((right, disputed)).unexplained == ()
    assert FigureList((right, disputed)).different == (disputed,)


def test_a_tolerance_is_in_the_unit_of_the_figure() -> None:
    value = Fraction(81, 10_000)  # 0.81%
    near = compare_figure("s", "w", RULES, "repeat", "0.78 %", value, "0.03 %")
    assert near.standing == "within tolerance"
    assert not near.equal
    assert compare_figure("s", "w", RULES, "repeat", "0.81 %", value, "0.03 %").standing == "equal"
    assert (
        compare_figure("s", "w", RULES, "repeat", "0.77 %", value, "0.03 %").standing == "differs"
    )


@pytest.mark.parametrize(
    ("text", "value", "ours"),
    [
        ("24.19 %", Fraction(241914, 1_000_000), "24.19 %"),
        ("-24.738676 %", Fraction(-71, 287), "-24.738676 %"),
        ("668,382", Fraction(668382), "668,382"),
        ("1,055,201.54", Fraction(105520153846, 100_000), "1,055,201.54"),
        ("7.0", Fraction(4465, 637), "7.0"),
        ("0.5", Fraction(-1, 100), "0.0"),
    ],
)
def test_our_figure_is_formatted_like_the_published_one(
    text: str, value: Fraction, ours: str
) -> None:
    assert written_like(text, value) == ours


def test_text_that_isnt_a_figure_is_refused() -> None:
    assert number_of("-24.5 %") == Fraction(-49, 2)
    with pytest.raises(ValueError, match="not a number"):
        number_of("about 5")


def test_fractions_in_words() -> None:
    assert decimal_text(Fraction(5, 1000), 2) == "0.01"
    assert decimal_text(Fraction(-5, 1000), 2) == "-0.01"
    assert decimal_text(Fraction(-4, 1000), 2) == "0.00"
    assert decimal_text(Fraction(1_234_567, 10), 0, grouped=True) == "123,457"
    assert percent_text(Fraction(1, 3), 2) == "33.33%"
    assert one_in_text(Fraction()) == "never"
    assert square_root(Fraction(9, 4)) == Fraction(3, 2)
    assert abs(square_root(Fraction(2)) ** 2 - 2) < Fraction(1, 10**45)
