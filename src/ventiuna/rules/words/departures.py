"""Who decides each option, and where rules depart from their document: allowed, always shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from ventiuna.money import money_text
from ventiuna.rules.data import LimitProfile, limit_profiles
from ventiuna.rules.diamonds import implied_by
from ventiuna.rules.model import Choice, Game, Jackpot, OptionValue, Rules
from ventiuna.rules.options import BY_NAME, OPTIONS, Option
from ventiuna.rules.reading.loading import (
    choices_of,
    jackpot_choices_of,
    load_preset,
    preset_ids,
    sources_of,
)
from ventiuna.rules.values import option_text, read_option, value_text
from ventiuna.rules.words.compare import NOTHING, match_differences, row_differences


class Standing(StrEnum):
    """Who decides an option (R-125)."""

    FIXED = "fixed"  # the document
    HOUSE = "house"  # the house: the document leaves the choice to it
    SILENT = "silent"  # neither: the document doesn't mention it, and our reading applies


STANDING_WORDS = {
    Standing.FIXED: "fixed by the document",
    Standing.HOUSE: "left to the house",
    Standing.SILENT: "silent: our reading",
}
_ABOUT_MATCH = {"bonus_cards", "mtd_minimum", "mtd_maximum", "mtd_at_most_base", "mtd_required"}
_ABOUT_DOWN = {"down_requires_up", "down_settled"}
_ABOUT_INSURANCE = {"insurance_pays", "insurance_on_blackjack"}


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
    choices = choices_of(preset).get(name)
    if choices is not None and len(choices) != 1:
        return Standing.HOUSE
    numbers = sources_of(preset).get(name, "R-")
    return Standing.FIXED if "R-" in numbers else Standing.SILENT


def allowed_values(preset: str, option: Option) -> tuple[str, ...]:
    """The values that the document allows, as text; none if it allows any or is silent."""
    decided_by = standing(preset, option.name)
    if decided_by is Standing.SILENT:
        return ()
    if decided_by is Standing.HOUSE:
        return tuple(_as_shown(option, choice) for choice in choices_of(preset)[option.name])
    if option.name == "limit_profile":  # the same law, from different dates (O-36)
        return tuple(profile.id for profile in _regulators_limits())
    return (option_text(option, getattr(load_preset(preset), option.name)),)


def _as_shown(option: Option, choice: Choice) -> str:
    value = read_option(option, choice, [])
    return value_text(choice) if value is None else option_text(option, value)


def _regulators_limits() -> list[LimitProfile]:
    return [profile for profile in limit_profiles().values() if profile.maximum_wager is not None]


def by_standing(rules: Rules) -> dict[Standing, list[Option]]:
    """The options that matter to these rules, by who decides them."""
    found: dict[Standing, list[Option]] = {standing: [] for standing in Standing}
    for option in OPTIONS:
        if _matters(rules, option.name):
            found[standing(rules.origin.preset, option.name)].append(option)
    return found


def _matters(rules: Rules, name: str) -> bool:
    if name == "mtd_configuration":
        return rules.game is Game.SPANISH_21
    if name in _ABOUT_MATCH:
        return rules.offers_up_wager
    if name in _ABOUT_DOWN:
        return rules.offers_down_wager
    return rules.insurance or name not in _ABOUT_INSURANCE


def who_decides(rules: Rules) -> tuple[str, ...]:
    """Who decides which options, in sentences for a sign."""
    if rules.origin.preset not in preset_ids():
        return ()
    found = by_standing(rules)
    offers_jackpots = len(jackpot_choices_of(rules.origin.preset).get("games", ())) > 1
    house = ", ".join(
        [*map(_label, found[Standing.HOUSE]), *(("jackpots",) if offers_jackpots else ())]
    )
    silent = ", ".join(_silent(rules, option) for option in found[Standing.SILENT])
    but = ", except for the departures" if departures(rules) else ""
    return (
        f"Left to the house by the document: {house}.",
        f"The document is silent, and our reading applies: {silent}.",
        f"Fixed by the document: everything else{but}.",
    )


def _label(option: Option) -> str:
    """
    >>> _label(BY_NAME["mtd_configuration"]), _label(BY_NAME["soft_17"])
    ('Match the Dealer configuration', 'soft 17')
    """
    name = option.name.replace("mtd_", "Match the Dealer ").replace("_", " ")
    return name.replace("double double", "double-double")


def _silent(rules: Rules, option: Option) -> str:
    other = other_reading(rules, option)
    numbers = _rule(rules.origin.preset, option.name)
    return f"{_label(option)} ({numbers}{f'; our reading: {other}' if other else ''})"


def other_reading(rules: Rules, option: Option) -> str:
    """Our reading of an option on which the document is silent, if these rules differ from it."""
    preset = rules.origin.preset
    ours: OptionValue = getattr(load_preset(preset), option.name)
    is_ours = rules.in_force(option.name) == load_preset(preset).in_force(option.name)
    return "" if is_ours or _is_ruled_out(rules, option.name) else option_text(option, ours)


def departures(rules: Rules) -> list[Departure]:
    """Options, rows and jackpots outside what the preset's document fixes or allows."""
    preset = rules.origin.preset
    if preset not in preset_ids():  # rules that came as data from another version
        return [Departure("preset", preset or "none", "no text in this version to compare", "")]
    return [
        *_options(rules, preset),
        *_limits(rules, preset),
        *_rows(rules, preset),
        *_match_odds(rules, preset),
        *_jackpots(rules, preset),
    ]


def _options(rules: Rules, preset: str) -> Iterator[Departure]:
    implied = implied_by(dict(load_preset(preset).origin.start), rules)
    for option in OPTIONS:
        present = rules.in_force(option.name)
        if present == implied[option.name] or _is_ruled_out(rules, option.name):
            continue
        allowed = allowed_values(preset, option)
        value = option_text(option, present)
        if allowed and value not in allowed:
            yield Departure(option.name, value, _or(allowed), _rule(preset, option.name))


def _is_ruled_out(rules: Rules, name: str) -> bool:
    """Documents that allow double-double allow no doubling for less beside it (R-050)."""
    return name == "double_for_less" and rules.double_double


def _limits(rules: Rules, preset: str) -> Iterator[Departure]:
    """Wagers above the regulator's limits, if the document keeps to them (R-002, R-124)."""
    if standing(preset, "limit_profile") is not Standing.FIXED:
        return
    most = max(profile.maximum_wager or 0 for profile in _regulators_limits())
    for name in ("table_maximum", "mtd_maximum"):
        amount: int = getattr(rules, name)
        if amount > most:
            allowed = f"at most {money_text(most)}, the regulator's limit"
            yield Departure(name, money_text(amount), allowed, "R-002, R-124, O-36")


def _rows(rules: Rules, preset: str) -> Iterator[Departure]:
    # The document's own rows for this number of decks.
    document = replace(load_preset(preset), decks=rules.decks)
    for field, part, has, is_now, rule in row_differences(document, rules):
        was = "nothing" if has == NOTHING else has
        now = "left out" if is_now == NOTHING else is_now
        yield Departure(f"{field} {part}", now, was, rule)


def _match_odds(rules: Rules, preset: str) -> Iterator[Departure]:
    """A document that names no number of decks prints one list of odds (R-023, D-06)."""
    if standing(preset, "decks") is Standing.SILENT and rules.mtd_configuration:
        for field, part, has, is_now, _ in match_differences(load_preset(preset), rules):
            yield Departure(f"{field} {part}", is_now, has, "R-023, D-06")


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
        "table": (jackpot.table, choices.get("tables")),  # None: the document's are missing
        "kind": (str(jackpot.kind), choices.get("kinds", [])),
        "best_only": (value_text(jackpot.best_only), choices.get("best_only", ["off"])),
    }
    for part, (value, allowed) in parts.items():
        if allowed is not None and value not in allowed:
            words = [value_text(choice) for choice in allowed]
            yield Departure(f"{place} {part}", value, _or(words), rule)


def _games(count: int | str) -> str:
    return f"{count} jackpot game{'' if str(count) == '1' else 's'}"


def _rule(preset: str, name: str) -> str:
    option = BY_NAME.get(name)
    return sources_of(preset).get(name, option.rule if option else "")


def _or(words: list[str] | tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)
