"""Two sets of rules side by side: every option, row, pay and jackpot that differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from ventiuna.money import money_text
from ventiuna.rules.data import match_odds
from ventiuna.rules.model import Jackpot, PayRow, Rules
from ventiuna.rules.options import OPTIONS
from ventiuna.rules.values import option_text
from ventiuna.rules.words.facts import (
    jackpot_facts,
    jackpot_pays,
    jackpot_table,
    pay_row_text,
    super_bonus_text,
)

NOTHING = "-"


class Difference(NamedTuple):
    field: str
    part: str  # row, line or setting inside the field; "" for a plain option
    first: str
    second: str
    rule: str


def differences(first: Rules, second: Rules) -> list[Difference]:
    return [
        *_options(first, second),
        *row_differences(first, second),
        *match_differences(first, second),
        *_jackpots(first, second),
    ]


def _options(first: Rules, second: Rules) -> Iterator[Difference]:
    sources = _joined_sources(first, second)
    for option in OPTIONS:
        one, other = first.in_force(option.name), second.in_force(option.name)
        if one != other:
            rule = sources.get(option.name, option.rule)
            yield Difference(
                option.name, "", option_text(option, one), option_text(option, other), rule
            )


def _joined_sources(first: Rules, second: Rules) -> dict[str, str]:
    """The rule numbers behind either value, each once."""
    joined: dict[str, str] = {}
    for rules in (first, second):
        for name, numbers in rules.sources.items():
            known = joined.get(name, "")
            words = dict.fromkeys([*known.split(", "), *numbers.split(", ")])
            joined[name] = ", ".join(word for word in words if word)
    return joined


def row_differences(first: Rules, second: Rules) -> list[Difference]:
    """Rows in force: Bonus 21, instant wins, Super Bonus and its amounts."""
    return [
        *_pay_rows("bonus_21", first.bonus_21_rows(), second.bonus_21_rows()),
        *_pay_rows("instant_wins", first.instant_wins, second.instant_wins),
        *_entries("super_bonus", _super_bonus(first), _super_bonus(second), "R-067, R-068"),
        *_entries("super_bonus_bands", _bands(first), _bands(second), "R-069"),
    ]


def _pay_rows(
    field: str, first: tuple[PayRow, ...], second: tuple[PayRow, ...]
) -> Iterator[Difference]:
    rules = {row.name: row.rule for row in (*first, *second)}
    ones = {row.name: pay_row_text(row) for row in first}
    others = {row.name: pay_row_text(row) for row in second}
    for name in {**ones, **others}:
        if ones.get(name) != others.get(name):
            one, other = ones.get(name, NOTHING), others.get(name, NOTHING)
            yield Difference(field, name, one, other, rules[name])
    if ones == others and [row.name for row in first] != [row.name for row in second]:
        # The first row that fits pays, so the order is part of the rules.
        yield Difference(field, "order", ", ".join(ones), ", ".join(others), "R-061")


def _entries(
    field: str, first: Mapping[str, str], second: Mapping[str, str], rule: str
) -> Iterator[Difference]:
    for name in {**first, **second}:
        one, other = first.get(name, NOTHING), second.get(name, NOTHING)
        if one != other:
            yield Difference(field, name, one, other, rule)


def _super_bonus(rules: Rules) -> dict[str, str]:
    form = rules.super_bonus_form()
    return {"hand": super_bonus_text(form)} if form else {}


def _bands(rules: Rules) -> dict[str, str]:
    return {
        f"base wager from {money_text(band.base_from)}": money_text(band.pay)
        for band in rules.super_bonus_bands
    }


def match_differences(first: Rules, second: Rules) -> Iterator[Difference]:
    yield from _entries("match_the_dealer", _match_pays(first), _match_pays(second), "R-022")


def _match_pays(rules: Rules) -> dict[str, str]:
    if not rules.mtd_configuration:
        return {}
    odds = match_odds()[rules.decks]
    return {"unsuited match": f"{odds.unsuited} to 1", "suited match": f"{odds.suited} to 1"}


def _jackpots(first: Rules, second: Rules) -> Iterator[Difference]:
    pairs = zip_longest(first.jackpots, second.jackpots)
    for number, (one, other) in enumerate(pairs, start=1):
        rule = ", ".join(dict.fromkeys(_jackpot_rule(game) for game in (one, other) if game))
        alone = one is None or other is None
        yield from _entries(
            f"jackpots game {number}", _jackpot(one, alone), _jackpot(other, alone), rule
        )


def _jackpot(jackpot: Jackpot | None, alone: bool) -> dict[str, str]:
    """Settings and pays; where there is nothing to compare with, the main settings only."""
    if jackpot is None:
        return {}
    facts = jackpot_facts(jackpot)
    if alone:
        facts = {name: facts[name] for name in ("table", "pay table", "kind", "wager")}
    return {**facts, **{pay.hand: pay.pays for pay in jackpot_pays(jackpot)}}


def _jackpot_rule(jackpot: Jackpot) -> str:
    return jackpot_table(jackpot).rule
