"""CSV and Parquet: every table a command prints, with the rules and settings it is based on."""

import csv
import json
from fractions import Fraction
from importlib import import_module
from math import inf
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.cli.running import run
from ventiuna import __version__
from ventiuna.analysis.results import (
    MONEY,
    ONE_IN,
    PERCENT_4,
    Column,
    Form,
    FormattedNumber,
    html_of,
)
from ventiuna.cli.common.tables import OutputTable
from ventiuna.rules import fingerprint, load_rules

parquet: Any = import_module("pyarrow.parquet")
RULES = "wsgc-2021(decks=8,jackpots=3d:1)"
WORDS = ("jackpot", "wsgc-2021", "decks=8", "jackpots=3d:1")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_one_table_is_one_file_with_its_description(tmp_path: Path) -> None:
    path = tmp_path / "presets.csv"
    done = run("rules", "options", "decks", "--csv", str(path))
    assert done.code == 0
    assert done.err == f"written to {path}\n"
    assert "wsgc-2021" in {row["preset"] for row in _rows(path)}
    told = json.loads((tmp_path / "presets.csv-metadata.json").read_text())
    assert told["ventiuna:version"] == __version__
    assert [table["url"] for table in told["tables"]] == ["presets.csv"]


def test_several_tables_are_several_files(tmp_path: Path) -> None:
    assert run(*WORDS, "--csv", str(tmp_path / "all")).code == 0
    assert run(*WORDS, "--csv", str(tmp_path / "j.csv")).code == 0
    names = {path.name for path in (tmp_path / "all").iterdir()}
    assert {"lines_per_wager.csv", "csv-metadata.json"} <= names
    for path in (tmp_path / "all").glob("*.csv"):
        assert path.read_text() == (tmp_path / f"j-{path.name}").read_text()
    told = json.loads((tmp_path / "all" / "csv-metadata.json").read_text())
    assert told["ventiuna:rules"] == RULES
    assert told["ventiuna:fingerprint"] == fingerprint(load_rules(RULES))
    assert told["ventiuna:command"] == f"ventiuna {' '.join(WORDS)}"


def test_parquet_has_numbers_units_and_facts(tmp_path: Path) -> None:
    path = tmp_path / "j.parquet"
    assert run(*WORDS, "--parquet", str(path)).code == 0
    table = parquet.read_table(tmp_path / "j-lines_per_wager.parquet")
    facts = {name.decode(): text.decode() for name, text in table.schema.metadata.items()}
    assert facts["rules"] == RULES
    assert facts["version"] == __version__
    assert table.schema.field("per_100_000").type == "double"
    returns = parquet.read_table(tmp_path / "j-returns_per_wager.parquet")
    assert returns.schema.field("value_percent").metadata == {b"unit": b"percent"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("rules", "list", "--json", "--csv", "x.csv"), "--json doesn't print any"),
        (("rules", "explain", "R-021", "--csv", "x.csv"), "no table was printed"),
        (("rules", "list", "--csv", "no/such/folder/x.csv"), "No such file or directory"),
    ],
)
def test_output_that_cannot_be_exported_is_reported(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*words)
    assert done.code == 2
    assert sentence in done.err
    assert not list(tmp_path.iterdir())


def _sheet() -> OutputTable:
    sheet = OutputTable("up card", "expected result", "meter", words=1)
    sheet.add_row("ace", FormattedNumber(-1 / 3, Form(1)), FormattedNumber(1000, MONEY))
    sheet.add_row("ten", FormattedNumber(2 / 3, Form(1)), "none")
    return sheet


def test_figures_keep_all_digits_and_words_among_them_become_null() -> None:
    assert _sheet().columns_of_data() == {
        "up_card": ["ace", "ten"],
        "expected_result": [-1 / 3, 2 / 3],
        "meter_cents": [1000, None],
    }


def test_declared_columns_are_printed_and_exported_from_one_value() -> None:
    columns = (
        Column("up card", None, itemgetter(0), "up"),
        Column("edge", PERCENT_4, itemgetter(1)),
        Column("one in", ONE_IN, itemgetter(1)),
        Column(None, None, itemgetter(1), "chance"),
    )
    records = [("ace", Fraction(1, 3)), ("ten", Fraction())]
    table = OutputTable.of(columns, records)
    assert list(table.cells()) == [["ace", "33.3333%", "3.0"], ["ten", "0.0000%", "never"]]
    assert table.columns_of_data() == {
        "up_card": ["ace", "ten"],
        "edge_percent": [float(Fraction(100, 3)), 0.0],
        "one_in": [3.0, None],
    }
    assert '<td style="text-align:right">33.3333%</td>' in html_of("", columns, records)


def test_a_number_can_be_printed_in_words_and_a_hyphen_becomes_null() -> None:
    sheet = OutputTable("reading", "other", "money", words=2)
    form = Form(2, "cents", plus=True, zero="0")
    sheet.add_row("built", "-", FormattedNumber(0.0, form))
    sheet.add_row("other", "more", FormattedNumber(977.25, form))
    sheet.add_row("third", "-", FormattedNumber(0.25, form, "below 1¢"))
    assert [row[2] for row in sheet.cells()] == ["0", "+$9.77", "below 1¢"]
    assert sheet.columns_of_data() == {
        "reading": ["built", "other", "third"],
        "other": [None, "more", None],
        "money_cents": [0.0, 977.25, 0.25],
    }


def test_numbers_are_never_read_from_text() -> None:
    sheet = OutputTable("up card", "chance", words=1)
    sheet.add_row("ace", "71.5%")
    assert sheet.columns_of_data() == {"up_card": ["ace"], "chance": ["71.5%"]}


def test_each_unit_in_a_column_gets_its_own_column() -> None:
    sheet = OutputTable("", "", words=1)
    sheet.add_row("house edge", FormattedNumber(Fraction(1, 8), PERCENT_4))
    sheet.add_row("break-even meter", FormattedNumber(1000, MONEY))
    sheet.add_row("correlation", FormattedNumber(0.5, Form(2)))
    sheet.add_row("other", "none")
    sheet.add_row("error of one trial", FormattedNumber(inf, PERCENT_4))
    assert sheet.columns_of_data() == {
        "name": ["house edge", "break-even meter", "correlation", "other", "error of one trial"],
        "value": [12.5, 1000.0, 0.5, None, None],
        "value_unit": ["percent", "cents", "", None, "percent"],
    }


@pytest.mark.parametrize(
    ("form", "value", "text"),
    [
        (Form(4, style="e"), 0.000012345, "1.2345e-05"),
        (Form(6, style="g"), 1 / 3, "0.333333"),
        (Form(1, grouped=True), 1234.56, "1,234.6"),
        (Form(grouped=True), 1234567, "1,234,567"),
        (Form(3, "percent", plus=True), -0.0, "+0.000%"),
        (Form(2, "cents"), -123456.5, "-$1,234.57"),
        (Form(6, "points", plus=True, zero="0"), 4e-9, "0"),
    ],
)
def test_a_form_prints_a_number(form: Form, value: float, text: str) -> None:
    assert form.text(value) == text


def test_a_column_without_a_heading_is_named_after_the_previous_one() -> None:
    sheet = OutputTable("total result", "probability", "", words=1)
    sheet.add_row(
        FormattedNumber(-200, MONEY),
        FormattedNumber(Fraction(143, 200), PERCENT_4),
        "253636/354445",
    )
    assert sheet.columns_of_data() == {
        "total_result_cents": [-200],
        "probability_percent": [71.5],
        "probability": ["253636/354445"],
    }


def test_tables_are_named_after_their_content(tmp_path: Path) -> None:
    """Names never consist of the command and a number, or contain amounts someone entered."""
    assert run("sidebets", "wsgc-2021", "--stakes", "up=5", "--csv", str(tmp_path / "s")).code == 0
    assert {path.stem for path in (tmp_path / "s").glob("*.csv")} == {
        "blackjacks", "insurance", "match_the_dealer", "match_the_dealer_results",
        "match_the_dealer_together", "super_bonus",
    }  # fmt: skip
    assert "dealer_blackjack_percent" in (tmp_path / "s" / "insurance.csv").read_text()
    words = ("rules", "diff", "wsgc-2021", "super-fun-21", "--parquet", str(tmp_path / "d"))
    assert run(*words).code == 0
    found = {path.stem: parquet.read_table(path) for path in (tmp_path / "d").iterdir()}
    assert {"options", "bonus_21", "instant_wins"} <= found.keys()
    assert found["instant_wins"].schema.field("a").type == "string"  # although every value is null
    assert run("rules", "options", "--csv", str(tmp_path / "o")).code == 0
    assert (tmp_path / "o" / "blackjack_and_21.csv").is_file()


def test_columns_with_vague_headings_get_names() -> None:
    sheet = OutputTable("", "1", words=1)
    sheet.keys = ("jackpot_table", "pay_table_1")
    sheet.add_row("3a", FormattedNumber(Fraction(2279, 10000), PERCENT_4, "22.79 !"))
    assert sheet.columns_of_data() == {"jackpot_table": ["3a"], "pay_table_1_percent": [22.79]}


def test_a_name_that_looks_like_a_number_stays_a_name() -> None:
    sheet = OutputTable("rules", "fingerprint", words=1)
    sheet.add_row("one", "1234567890123456")
    sheet.add_row("two", "12345e7890123456")
    sheet.add_row("three", "a6219fb463681355")
    assert sheet.columns_of_data()["fingerprint"] == [
        "1234567890123456",
        "12345e7890123456",
        "a6219fb463681355",
    ]


def test_exact_figures_are_exported_with_all_digits(tmp_path: Path) -> None:
    assert run("edge", "wsgc-2021", "--csv", str(tmp_path)).code == 0
    data = run("edge", "wsgc-2021", "--json").data
    rows = _rows(tmp_path / "by_up_card.csv")
    assert [float(row["expected_result"]) for row in rows] == [up["ev"] for up in data["by_up"]]
    first = _rows(tmp_path / "result.csv")[0]
    assert float(first["value"]) == pytest.approx(100 * data["house_edge"], rel=1e-15)
    assert first["value_unit"] == "percent"


def test_a_simulation_exports_the_same_way(tmp_path: Path) -> None:
    words = ("simulate", "wsgc-2021", "decks=8", "--rounds", "1000", "--seed", "5")
    assert run(*words, "--parquet", str(tmp_path / "s.parquet")).code == 0
    table = parquet.read_table(tmp_path / "s-wagers.parquet")
    facts = {name.decode(): text.decode() for name, text in table.schema.metadata.items()}
    assert (facts["rules"], facts["seed"]) == ("wsgc-2021(decks=8)", "5")
    assert table.schema.field("net_cents").metadata == {b"unit": b"cents"}
    assert run(*words, "--csv", str(tmp_path / "csv")).code == 0
    told = json.loads((tmp_path / "csv" / "csv-metadata.json").read_text())
    assert told["ventiuna:seed"] == "5"


def _shown(sheet: OutputTable, width: int) -> list[str]:
    console = Console(width=width)
    with console.capture() as capture:
        console.print(sheet)
    return [line.rstrip() for line in capture.get().splitlines()]


def test_a_table_stacks_in_a_narrow_window_and_keeps_numbers_whole() -> None:
    assert _shown(_sheet(), 80)[0] == "up card  expected result   meter"
    assert _shown(_sheet(), 25)[:2] == ["         expected", "up card    result   meter"]
    assert _shown(_sheet(), 20) == [
        "up card: ace",
        "  expected result:",
        "  -0.3",
        "  meter: $10.00",
        "up card: ten",
        "  expected result:",
        "  0.7",
        "  meter: none",
    ]


def test_read_aloud_a_row_is_a_sentence() -> None:
    sheet = _sheet()
    sheet.read_aloud = True
    assert _shown(sheet, 80)[0] == "up card ace: expected result -0.3, meter $10.00"
