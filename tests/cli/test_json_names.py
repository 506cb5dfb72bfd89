"""One unit for each field of JSON: its name says it, or docs/json.md does."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "json.md"
GOLDEN = ROOT / "tests" / "golden" / "more_rounds.json"
RULES = "wsgc-2021-everything"
COMMANDS = {
    "edge": ("edge", "wsgc-2021", "--base", "10"),
    "hand": ("hand", "wsgc-2021", "5c6d", "2h"),
    "sidebets": ("sidebets", RULES, "--players", "2"),
    "posting": ("posting", RULES),
    "ambiguities": ("ambiguities", "wsgc-2021", "--number", "D-07"),
    "jackpot": ("jackpot", RULES, "--meter", "5000", "--players", "2"),
    "simulate": (
        *("simulate", RULES, "--rounds", "2000", "--side", "all"),
        *("--session", "100", "--bankroll", "20", "--details"),
    ),
    "count effects": ("count", "effects", "super-fun-21"),
    "count evaluate": (
        "count",
        "evaluate",
        "super-fun-21",
        "--count",
        "level-one",
        "--sample",
        "2",
    ),
    "count simulate": (
        *("count", "simulate", "wsgc-2021", "--count", "level-one", "--rounds", "20000"),
        *("--strategy", "chart", "--trip", "100"),
    ),
    "count compare": (
        *("count", "compare", "wsgc-2021", "--count", "level-one", "--rounds", "20000"),
        *("--strategy", "chart"),
    ),
    "count jackpot": ("count", "jackpot", RULES, "--players", "2", "--meter", "5000"),
    "deal": ("deal", RULES, "--jackpots"),
    "settle": ("settle", str(GOLDEN)),
    "rules show": ("rules", "show", RULES),
    "rules list": ("rules", "list"),
    "rules check": ("rules", "check", RULES),
    "rules explain": ("rules", "explain", "R-021"),
    "rules options": ("rules", "options"),
    "school": ("school",),
}
_NAMES = re.compile(r"^\| (`[^|]+`) \|", re.MULTILINE)


@cache
def _page() -> str:
    return PAGE.read_text(encoding="utf-8")


def _names(heading: str) -> set[str]:
    part = _page().split(f"## {heading}\n")[1].split("\n## ")[0]
    return {name for names in _NAMES.findall(part) for name in re.findall("`([^`]+)`", names)}


def _is_stored(key: str, value: Any) -> bool:
    """Events of a round are as they are stored; those of a simulation are lines of a table."""
    return key == "events" and any("event" in one for one in value)


def _numbers(data: Any, name: str = "") -> Iterator[str]:
    """Names of all fields that hold a number, however deep; an exact one is its fraction."""
    if isinstance(data, dict):
        if set(data) == {"exact", "value"}:
            yield name
            return
        for key, value in data.items():
            if key != "rules_data" and not _is_stored(key, value):
                yield from _numbers(value, name if name.endswith("_cents") else key)
    elif isinstance(data, list):
        for value in data:
            yield from _numbers(value, name)
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield name


def unnamed_numbers(data: Any) -> set[str]:
    """Fields that hold a number whose unit nothing says."""
    endings, listed = _names("Endings"), _names("Names without an ending")
    return {
        name
        for name in _numbers(data)
        if name not in listed and not any(name.endswith(ending) for ending in endings)
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_every_number_has_one_unit(command: str) -> None:
    data = run(*COMMANDS[command], "--json").data
    assert set(_numbers(data)) or command == "rules explain"
    unnamed = unnamed_numbers(data)
    assert not unnamed, f"say their unit in the name, or list them in {PAGE.name}"


def test_no_amount_is_written_in_dollars_beside_figures() -> None:
    for command in ("sidebets", "jackpot", "simulate", "settle"):
        text = run(*COMMANDS[command], "--json").out
        told = re.findall(r'"(\w+)": "[-+]?\$?[0-9][0-9,]*\.[0-9]{2}"', text)
        assert set(told) <= {"odds"}, command  # as it is printed
