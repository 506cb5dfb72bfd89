"""The rules' data files: jackpot pay tables, Match the Dealer odds, limits, variants."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from ventiuna.core.rule_table import (
    FAMILY_FOUR_CARDS,
    FAMILY_TWO_DECKS,
    FAMILY_UP,
    FAMILY_UP_AND_DOWN,
)
from ventiuna.core.side_bets import (
    ONE_NON_SUITED,
    ONE_NON_SUITED_ONE_SUITED,
    ONE_SUITED,
    TWO_NON_SUITED,
)
from ventiuna.money import Odds, parse_amount

SUFFIX = ".toml"  # file name suffix of rules files
FAMILIES = {
    "3": FAMILY_UP,
    "4": FAMILY_UP_AND_DOWN,
    "4a": FAMILY_TWO_DECKS,
    "5": FAMILY_FOUR_CARDS,
}
FIXED_LINE_KEYS = {
    "one_non_suited_one_suited": ONE_NON_SUITED_ONE_SUITED,
    "one_suited": ONE_SUITED,
    "two_non_suited": TWO_NON_SUITED,
    "one_non_suited": ONE_NON_SUITED,
}
FIXED_LINE_NAMES = {
    ONE_NON_SUITED_ONE_SUITED: "one suited and one unsuited match",
    ONE_SUITED: "one suited match",
    TWO_NON_SUITED: "two unsuited matches",
    ONE_NON_SUITED: "one unsuited match",
}


@dataclass(frozen=True, slots=True)
class SpecialLine:
    """A line that pays a share of the meter or the operator's prize."""

    key: str
    hand: str
    percent: int  # 0 for the operator's prize

    @property
    def pay(self) -> str:
        return f"{self.percent} % of the meter" if self.percent else "the operator's prize"


@dataclass(frozen=True, slots=True)
class PayTable:
    number: int
    fixed: dict[int, Odds]  # by fixed line
    published_house_advantage: str


@dataclass(frozen=True, slots=True)
class JackpotTable:
    """A jackpot table from the documents, with its pay tables and alternate lines."""

    id: str
    family: int
    decks: tuple[int, ...]
    document: str
    rule: str
    special: tuple[SpecialLine, ...]
    pay_tables: dict[int, PayTable]
    alternates: dict[int, tuple[SpecialLine, ...]]

    def special_lines(self, alternate: int) -> tuple[SpecialLine, ...]:
        return self.alternates[alternate] if alternate else self.special


@dataclass(frozen=True, slots=True)
class MatchOdds:
    decks: int
    unsuited: int  # N to 1
    suited: int
    published_win_frequency: str
    published_one_in: str
    published_house_advantage: str


@dataclass(frozen=True, slots=True)
class LimitProfile:
    """A regulator's wager limit and its effective date."""

    id: str
    title: str
    effective_from: str
    maximum_wager: int | None  # cents
    source: str


def rules_folder() -> Traversable:
    return files("ventiuna.rules")


def read_toml(path: Traversable) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def jackpot_tables() -> dict[str, JackpotTable]:
    folder = rules_folder() / "paytables"
    found = [
        _jackpot_table(read_toml(path)) for path in folder.iterdir() if path.name.endswith(".toml")
    ]
    return {table.id: table for table in sorted(found, key=lambda table: table.id)}


def _jackpot_table(data: dict[str, Any]) -> JackpotTable:
    return JackpotTable(
        id=data["id"],
        family=FAMILIES[data["family"]],
        decks=tuple(data["decks"]),
        document=data["document"],
        rule=data["rule"],
        special=_special_lines(data["special"]),
        pay_tables={
            int(number): PayTable(
                int(number),
                {line: Odds.parse(lines[key]) for key, line in FIXED_LINE_KEYS.items()},
                lines.get("published_house_advantage", ""),
            )
            for number, lines in data["pay_tables"].items()
        },
        alternates={
            int(number): _special_lines(lines["special"])
            for number, lines in data.get("alternates", {}).items()
        },
    )


def _special_lines(rows: list[dict[str, str]]) -> tuple[SpecialLine, ...]:
    return tuple(
        SpecialLine(
            row["key"],
            row["hand"],
            0 if row["pay"] == "prize" else int(row["pay"].removesuffix(" % of meter")),
        )
        for row in rows
    )


@cache
def match_odds() -> dict[int, MatchOdds]:
    """Return Match the Dealer odds by number of decks (R-022)."""
    rows = read_toml(rules_folder() / "match_the_dealer.toml")["odds"]
    pays = ("unsuited", "suited")
    return {
        row["decks"]: MatchOdds(**row | {name: Odds.parse(row[name]).num for name in pays})
        for row in rows
    }


@cache
def limit_profiles() -> dict[str, LimitProfile]:
    rows = read_toml(rules_folder() / "limits.toml")["profiles"]
    return {
        row["id"]: LimitProfile(
            **row
            | {"effective_from": str(row.get("effective_from", ""))}
            | {
                "maximum_wager": parse_amount(row["maximum_wager"])
                if "maximum_wager" in row
                else None
            }
        )
        for row in rows
    }


# --- Variants of presets ---


@dataclass(frozen=True, slots=True)
class Variant:
    name: str
    rules: str  # the canonical string that the name stands for
    about: str


@cache
def variants() -> dict[str, Variant]:
    """Return all variants by name, in file order."""
    rows = read_toml(rules_folder() / "variants.toml")["variants"]
    return {row["name"]: Variant(**row) for row in rows}
