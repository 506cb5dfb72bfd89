"""The shipped data matches the rule documents, and the golden data is complete."""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parent
FIXED_LINES = ("one_non_suited_one_suited", "one_suited", "two_non_suited", "one_non_suited")
TABLES = [f"3{x}" for x in "abcd"] + [f"4{x}" for x in "abcde"] + [f"5{x}" for x in "abcd"]


def golden_json(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((GOLDEN / name).read_text(encoding="utf-8"))
    return data


def golden_toml(name: str) -> dict[str, Any]:
    return tomllib.loads((GOLDEN / name).read_text(encoding="utf-8"))


def shipped(name: str) -> dict[str, Any]:
    return tomllib.loads((files("ventiuna") / "rules" / name).read_text(encoding="utf-8"))


def as_printed(pay: str) -> str:
    """A shipped pay in the format of the golden data."""
    return "$" if pay == "prize" else pay.replace(" % of meter", "% of jackpot")


def special_lines(rows: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(row["key"], as_printed(row["pay"])) for row in rows]


def yardstick_lines(rows: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(row["key"], row["pay"]) for row in rows]


def test_every_jackpot_table_is_shipped_and_no_other() -> None:
    folder = files("ventiuna") / "rules" / "paytables"
    assert sorted(path.name for path in folder.iterdir() if path.name.endswith(".toml")) == sorted(
        f"{name}.toml" for name in [*TABLES, "casino-card"]
    )


@pytest.mark.parametrize("name", TABLES)
def test_jackpot_table_equals_the_printed_one(name: str) -> None:
    """R-086 to R-092."""
    table = shipped(f"paytables/{name}.toml")
    printed = golden_json("paytables.json")["jackpot"]["tables"][name]
    assert table["id"] == name
    assert table["decks"] == [printed["decks"]]
    up_only = printed["fixed_pays_compare_with"] == "up card only"
    assert table["compares_with"] == ("up" if up_only else "up and down")
    assert list(table["pay_tables"]) == [str(number) for number in range(1, 9)]
    for number, pays in table["pay_tables"].items():
        expected = printed["paytables"][number]
        lines = special_lines(table["special"]) + [(key, pays[key]) for key in FIXED_LINES]
        assert lines == yardstick_lines(expected["lines"])
        assert (
            pays["published_house_advantage"].replace(" ", "")
            == (expected["house_advantage_published"])
        )


@pytest.mark.parametrize("name", TABLES)
def test_alternate_lines_equal_the_printed_ones(name: str) -> None:
    """R-093, R-094, and D-26: table 4a and tables 5 have no alternate lines."""
    alternates = shipped(f"paytables/{name}.toml").get("alternates", {})
    printed = golden_json("paytables.json")["jackpot"]["alternate_triggers"]
    expected: dict[str, list[dict[str, str]]] = {}
    if name.startswith("3"):
        expected = {"1": printed["tables_3"]["option_1"], "2": printed["tables_3"]["option_2"]}
    elif name.startswith("4") and name != "4a":
        expected = {"1": printed["tables_4b_to_4e"]["lines"]}
    assert {number: special_lines(rows["special"]) for number, rows in alternates.items()} == {
        number: yardstick_lines(rows) for number, rows in expected.items()
    }


def test_casino_card_progressive_equals_the_printed_one() -> None:
    """R-099."""
    table = shipped("paytables/casino-card.toml")
    printed = golden_json("paytables.json")["casino_card_progressive_001"]
    pays = table["pay_tables"]["1"]
    assert list(table["pay_tables"]) == ["1"]
    assert table["decks"] == [printed["decks"]]
    assert special_lines(table["special"]) + [(key, pays[key]) for key in FIXED_LINES] == (
        yardstick_lines(printed["lines"])
    )


def test_match_the_dealer_odds_equal_the_printed_ones() -> None:
    """R-022."""
    odds = shipped("match_the_dealer.toml")["odds"]
    printed = golden_json("paytables.json")["match_the_dealer"]["schedules"]
    assert [
        {
            "decks": row["decks"],
            "unsuited": row["unsuited"],
            "suited": row["suited"],
            "published": {
                "win_frequency": row["published_win_frequency"].replace(" ", ""),
                "one_in": row["published_one_in"],
                "house_advantage": row["published_house_advantage"].replace(" ", ""),
            },
        }
        for row in odds
    ] == [{key: row[key] for key in row if key != "recomputed"} for row in printed]


def test_limit_profiles_are_dated_and_sourced() -> None:
    """R-002, O-36: the regulator's amounts are data with a date."""
    profiles = {row["id"]: row for row in shipped("limits.toml")["profiles"]}
    assert list(profiles) == ["wac-2009", "wac-2023", "none"]
    assert profiles["wac-2009"]["maximum_wager"] == "300.00"
    assert profiles["wac-2023"]["maximum_wager"] == "400.00"
    assert "maximum_wager" not in profiles["none"]
    assert all(row["source"] for row in profiles.values())
    assert all(
        re.fullmatch(r"\d{4}(-\d{2}-\d{2})?", row["effective_from"])
        for row in profiles.values()
        if "maximum_wager" in row
    )


def test_every_requirement_and_decision_is_listed_once() -> None:
    ledger = shipped("text/requirements.toml")
    assert [row["id"] for row in ledger["requirements"]] == [f"R-{n:03}" for n in range(1, 126)]
    assert [row["id"] for row in ledger["decisions"]] == (
        [f"D-{n:02}" for n in range(1, 35)] + [f"O-{n:02}" for n in range(1, 41)]
    )
    assert all(row["text"] and row["documents"] for row in ledger["requirements"])
    assert all(row["testable"] or row["why"] for row in ledger["requirements"])
    assert all(row["default"] for row in ledger["decisions"])


def test_every_worked_round_cites_known_requirements() -> None:
    ledger = shipped("text/requirements.toml")
    known = {row["id"] for kind in ("requirements", "decisions") for row in ledger[kind]}
    rounds = golden_json("worked_rounds.json")
    examples = rounds["rounds"] + rounds["refused"]
    assert len(rounds["rounds"]) == 92
    assert len(rounds["refused"]) == 28
    assert not {ref for example in examples for ref in example["refs"]} - known


def test_chart_has_a_play_for_every_up_card() -> None:
    chart = golden_json("figures.json")["chart"]
    plays = re.compile(r"(H|S|D|P|R|RH)[3-6]?[*'\"$]?")
    for part in ("hard", "soft", "pairs", "after_one_double_hard"):
        for hand, row in chart[part].items():
            assert len(row) == len(chart["up_cards"]), hand
            assert all(plays.fullmatch(play) for play in row), hand
