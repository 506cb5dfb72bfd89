"""Where house rules leave the document they start from: allowed for study, always shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from ventiuna.rules.diamonds import implied_by
from ventiuna.rules.model import Choice, Jackpot, Rules
from ventiuna.rules.options import BY_NAME, OPTIONS, Option
from ventiuna.rules.reading.loading import (
    choices_of,
    jackpot_choices_of,
    load_preset,
    preset_ids,
    sources_of,
)
from ventiuna.rules.values import option_text, value_text
from ventiuna.rules.words.compare import NOTHING, row_differences

# Every house sets these for itself; no document fixes them.
HOUSE_SETTINGS = frozenset(
    {
        "cut_card",
        "burn_cards",
        "seats",
        "mtd_minimum",
        "mtd_maximum",
        "mtd_required",
        "table_minimum",
        "table_maximum",
        "chip_unit",
        "small_chip_unit",
        "limit_profile",
    }
)


class Standing(StrEnum):
    """Who decides an option."""

    FIXED = "fixed"  # the document
    CHOICE = "choice"  # the house, among what the document allows
    SILENT = "silent"  # nobody in the document: a recommended default (D- and O-numbers)
    HOUSE = "house"  # the house alone


class Departure(NamedTuple):
    option: str
    value: str
    allowed: str
    rule: str

    def __str__(self) -> str:
        rule = f" ({self.rule})" if self.rule else ""
        return f"{self.option} = {self.value}: the document has {self.allowed}{rule}"


def standing(preset: str, name: str) -> Standing:
    """Who decides this option of a preset."""
    if name in HOUSE_SETTINGS:
        return Standing.HOUSE
    if len(choices_of(preset).get(name, ())) > 1:
        return Standing.CHOICE
    numbers = sources_of(preset).get(name, "R-")
    return Standing.FIXED if "R-" in numbers else Standing.SILENT


def allowed_values(preset: str, option: Option) -> tuple[str, ...]:
    """What the document allows, as text; none for the house's own settings."""
    if option.name in HOUSE_SETTINGS:
        return ()
    usual = option_text(option, getattr(load_preset(preset), option.name))
    choices = choices_of(preset).get(option.name)
    return tuple(value_text(choice) for choice in choices) if choices else (usual,)


def departures(rules: Rules) -> list[Departure]:
    """Options, rows and jackpots outside what the preset's document fixes or allows."""
    preset = rules.origin.preset
    if preset not in preset_ids():  # rules that came as data from another version
        return [Departure("preset", preset or "none", "no text in this version to compare", "")]
    return [
        *_options(rules, preset),
        *_rows(rules, preset),
        *_jackpots(rules, preset),
    ]


def _options(rules: Rules, preset: str) -> Iterator[Departure]:
    implied = implied_by(dict(load_preset(preset).origin.start), rules)
    for option in OPTIONS:
        if getattr(rules, option.name) == implied[option.name]:
            continue
        allowed = allowed_values(preset, option)
        value = option_text(option, getattr(rules, option.name))
        if allowed and value not in allowed:
            yield Departure(option.name, value, _or(allowed), _rule(preset, option.name))


def _rows(rules: Rules, preset: str) -> Iterator[Departure]:
    # The document's own rows for this number of decks.
    document = replace(load_preset(preset), decks=rules.decks)
    for field, part, has, is_now, rule in row_differences(document, rules):
        was = "nothing" if has == NOTHING else has
        now = "left out" if is_now == NOTHING else is_now
        yield Departure(f"{field} {part}", now, was, rule)


def _jackpots(rules: Rules, preset: str) -> Iterator[Departure]:
    choices = jackpot_choices_of(preset)
    rule = _rule(preset, "jackpots")
    games = choices.get("games", [0])
    if len(rules.jackpots) not in games:
        allowed = _or([value_text(count) for count in games])
        yield Departure("jackpots", _games(len(rules.jackpots)), _games(allowed), rule)
    if games == [0]:
        return
    for number, jackpot in enumerate(rules.jackpots, start=1):
        yield from _jackpot(f"jackpots game {number}", jackpot, choices, rule)


def _jackpot(
    place: str, jackpot: Jackpot, choices: dict[str, list[Choice]], rule: str
) -> Iterator[Departure]:
    parts = {
        "table": (jackpot.table, choices.get("tables", [])),
        "kind": (str(jackpot.kind), choices.get("kinds", [])),
        "best_only": (value_text(jackpot.best_only), choices.get("best_only", ["off"])),
    }
    for part, (value, allowed) in parts.items():
        if value not in allowed:
            words = [value_text(choice) for choice in allowed]
            yield Departure(f"{place} {part}", value, _or(words), rule)


def _games(count: int | str) -> str:
    return f"{count} jackpot game{'' if str(count) == '1' else 's'}"


def _rule(preset: str, name: str) -> str:
    option = BY_NAME.get(name)
    return sources_of(preset).get(name, option.rule if option else "")


def _or(words: list[str] | tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)
