"""Compare rules with other rules, with equivalent presets, and with their document.

Departures from the document are allowed but always shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import zip_longest
from typing import NamedTuple

from ventiuna.money import money_text
from ventiuna.rules.canonical import fingerprint, implied_by
from ventiuna.rules.data_files import LimitProfile, limit_profiles, match_odds
from ventiuna.rules.loader import (
    choices_of,
    jackpot_choices_of,
    load_preset,
    preset_ids,
    read_option,
    sources_of,
)
from ventiuna.rules.model import (
    OPTIONS,
    OPTIONS_BY_NAME,
    Game,
    Jackpot,
    OptionValue,
    PayRow,
    Rules,
)
from ventiuna.rules.options import (
    Option,
    option_text,
    value_text,
)
from ventiuna.rules.text.phrases import (
    jackpot_facts,
    jackpot_pays,
    jackpot_table,
    join_words,
    pay_row_text,
    super_bonus_text,
)

# --- Differences between two rule sets ---

NOTHING = "-"


class Difference(NamedTuple):
    field: str
    part: str  # row, line or setting inside the field; "" for a plain option
    first: str
    second: str
    rule: str


def differences(first: Rules, second: Rules) -> list[Difference]:
    return [
        *_option_differences(first, second),
        *row_differences(first, second),
        *match_differences(first, second),
        *_jackpot_differences(first, second),
    ]


def _option_differences(first: Rules, second: Rules) -> Iterator[Difference]:
    for option in OPTIONS:
        one, other = first.in_force(option.name), second.in_force(option.name)
        if one != other:
            sources = [rules.sources.get(option.name, "") for rules in (first, second)]
            numbers = dict.fromkeys(word for text in sources for word in text.split(", ") if word)
            yield Difference(
                option.name,
                "",
                option_text(option, one),
                option_text(option, other),
                ", ".join(numbers) or option.rule,
            )


def row_differences(first: Rules, second: Rules) -> list[Difference]:
    """Compare active rows: Bonus 21, instant wins, Super Bonus and its amounts."""
    forms, bands = [], []
    for rules in (first, second):
        form = rules.super_bonus_form()
        forms.append({"hand": super_bonus_text(form)} if form else {})
        bands.append(
            {
                f"base wager from {money_text(band.base_from)}": money_text(band.pay)
                for band in rules.super_bonus_bands
            }
        )
    return [
        *_pay_row_differences("bonus_21", first.bonus_21_rows(), second.bonus_21_rows()),
        *_pay_row_differences("instant_wins", first.instant_wins, second.instant_wins),
        *_entry_differences("super_bonus", forms, "R-067, R-068"),
        *_entry_differences("super_bonus_bands", bands, "R-069"),
    ]


def _pay_row_differences(
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
        # The first matching row pays, so the order is part of the rules.
        yield Difference(field, "order", ", ".join(ones), ", ".join(others), "R-061")


def _entry_differences(
    field: str, pair: Sequence[Mapping[str, str]], rule: str
) -> Iterator[Difference]:
    first, second = pair
    for name in {**first, **second}:
        one, other = first.get(name, NOTHING), second.get(name, NOTHING)
        if one != other:
            yield Difference(field, name, one, other, rule)


def match_differences(first: Rules, second: Rules) -> Iterator[Difference]:
    entries = []
    for rules in (first, second):
        odds = match_odds()[rules.decks] if rules.mtd_configuration else None
        pays = {"unsuited match": odds.unsuited, "suited match": odds.suited} if odds else {}
        entries.append({name: f"{pay} to 1" for name, pay in pays.items()})
    yield from _entry_differences("match_the_dealer", entries, "R-022")


def _jackpot_differences(first: Rules, second: Rules) -> Iterator[Difference]:
    pairs = zip_longest(first.jackpots, second.jackpots)
    for number, games in enumerate(pairs, start=1):
        rule = ", ".join(dict.fromkeys(jackpot_table(game).rule for game in games if game))
        entries = [_jackpot_entries(game, is_alone=None in games) for game in games]
        yield from _entry_differences(f"jackpots game {number}", entries, rule)


def _jackpot_entries(jackpot: Jackpot | None, is_alone: bool) -> dict[str, str]:
    """Return settings and payouts; fewer settings if there is no other jackpot to compare with."""
    if jackpot is None:
        return {}
    facts = jackpot_facts(jackpot)
    if is_alone:
        facts = {name: facts[name] for name in ("table", "pay table", "kind", "wager")}
    return {**facts, **{pay.hand: pay.pays for pay in jackpot_pays(jackpot)}}


# --- Equivalent rules in different documents ---


def equivalent_presets(rules: Rules) -> tuple[str, ...]:
    """Return presets of other documents with the same fingerprint as these rules."""
    ours = fingerprint(rules)
    others = [load_preset(name) for name in preset_ids() if name != rules.name]
    return tuple(
        other.name
        for other in others
        if other.document != rules.document and fingerprint(other) == ours
    )


def equivalence_sentence(rules: Rules) -> str:
    """Name the presets of other documents that have the same fingerprint; "" if there are none."""
    names = equivalent_presets(rules)
    return same_fingerprint_sentence(names, "has") if names else ""


def same_fingerprint_sentence(names: Iterable[str], one: str = "") -> str:
    words = list(names)
    verb = one if one and len(words) == 1 else "have"
    return f"{join_words(words)} {verb} the same fingerprint: same options, different documents."


def document_differences(first: Rules, second: Rules) -> list[Difference]:
    """Return differences between two rule sets that don't affect play."""
    texts = [
        ("preset", first.origin.preset, second.origin.preset),
        ("title", first.title, second.title),
        ("document", first.document, second.document),
        ("revision", str(first.revision), str(second.revision)),
        ("notices", " ".join(first.origin.notices), " ".join(second.origin.notices)),
    ]
    choices = {
        "choice of {}": (first.origin.choices, second.origin.choices),
        "jackpots, choice of {}": (first.origin.jackpot_choices, second.origin.jackpot_choices),
    }
    for words, pair in choices.items():
        one_choices, other_choices = map(dict, pair)
        for name in {**one_choices, **other_choices}:
            one, other = (
                ", ".join(map(value_text, found.get(name, ())))
                for found in (one_choices, other_choices)
            )
            texts.append((words.format(name), one, other))
    return [
        Difference(field, "", one or NOTHING, other or NOTHING, "")
        for field, one, other in texts
        if one != other
    ]


# --- Who decides each option, and departures from the document ---


class DecidedBy(StrEnum):
    """Who decides an option (R-125)."""

    FIXED = "fixed"  # the document
    HOUSE = "house"  # the house: the document leaves the choice to it
    SILENT = "silent"  # neither: the document doesn't mention it, so our reading applies


STANDING_WORDS = {
    DecidedBy.FIXED: "fixed by the document",
    DecidedBy.HOUSE: "left to the house",
    DecidedBy.SILENT: "silent: our reading",
}
_ABOUT_BONUS_CARDS = {"bonus_order"}
_ABOUT_MATCH = {"bonus_cards", "mtd_minimum", "mtd_maximum", "mtd_at_most_base", "mtd_required"}
_ABOUT_DOWN = {"down_requires_up", "down_settled"}
_ABOUT_INSURANCE = {"insurance_pays", "insurance_on_blackjack"}


class Departure(NamedTuple):
    option: str
    value: str
    allowed: str  # "" if this version doesn't know the preset
    rule: str

    def __str__(self) -> str:
        rule = f" ({self.rule})" if self.rule else ""
        if not self.allowed:
            return f"{self.option} = {self.value}: this version has no document to compare with"
        return f"{self.option} = {self.value}: the document says {self.allowed}{rule}"


def authority(preset: str, name: str) -> DecidedBy:
    """Return who decides this option of a preset."""
    choices = choices_of(preset).get(name)
    if choices is not None and len(choices) != 1:
        return DecidedBy.HOUSE
    numbers = sources_of(preset).get(name, "R-")
    return DecidedBy.FIXED if "R-" in numbers else DecidedBy.SILENT


def allowed_values(preset: str, option: Option) -> tuple[str, ...]:
    """Return the values that the document allows; empty if it allows any or is silent."""
    decided_by = authority(preset, option.name)
    if decided_by is DecidedBy.SILENT:
        return ()
    if decided_by is DecidedBy.HOUSE:
        choices = choices_of(preset)[option.name]
        found = [(choice, read_option(option, choice, [])) for choice in choices]
        return tuple(
            value_text(choice) if value is None else option_text(option, value)
            for choice, value in found
        )
    if option.name == "limit_profile":  # the same law with different effective dates (O-36)
        return tuple(profile.id for profile in _regulators_limits())
    return (option_text(option, getattr(load_preset(preset), option.name)),)


def _regulators_limits() -> list[LimitProfile]:
    return [profile for profile in limit_profiles().values() if profile.maximum_wager is not None]


def by_authority(rules: Rules) -> dict[DecidedBy, list[Option]]:
    """Group the options that matter to these rules by who decides them."""
    found: dict[DecidedBy, list[Option]] = {authority: [] for authority in DecidedBy}
    for option in OPTIONS:
        if _is_relevant(rules, option.name):
            found[authority(rules.origin.preset, option.name)].append(option)
    return found


def _is_relevant(rules: Rules, name: str) -> bool:
    if name == "mtd_configuration":
        return rules.game is Game.SPANISH_21
    if name in _ABOUT_MATCH:
        return rules.offers_up_wager
    if name in _ABOUT_BONUS_CARDS:
        return rules.bonus_cards > 0
    if name in _ABOUT_DOWN:
        return rules.offers_down_wager
    return rules.insurance or name not in _ABOUT_INSURANCE


def who_decides(rules: Rules) -> tuple[str, ...]:
    """Explain on the rule card who decides which options."""
    if rules.origin.preset not in preset_ids():
        return ()
    found = by_authority(rules)
    offers_jackpots = len(jackpot_choices_of(rules.origin.preset).get("games", ())) > 1
    house = ", ".join(
        [*map(_label, found[DecidedBy.HOUSE]), *(("jackpots",) if offers_jackpots else ())]
    )
    silent = []
    for option in found[DecidedBy.SILENT]:
        other = other_reading(rules, option)
        numbers = rule_numbers(rules.origin.preset, option.name)
        ours = f"; our reading: {other}" if other else ""
        silent.append(f"{_label(option)} ({numbers}{ours})")
    but = ", apart from the departures" if departures(rules) else ""
    return (
        f"Left to the house by the document: {house}.",
        f"The document is silent, and our reading applies: {', '.join(silent)}.",
        f"Everything else is fixed by the document{but}.",
    )


def _label(option: Option) -> str:
    """
    >>> _label(OPTIONS_BY_NAME["mtd_configuration"]), _label(OPTIONS_BY_NAME["soft_17"])
    ('Match the Dealer configuration', 'soft 17')
    """
    name = option.name.replace("mtd_", "Match the Dealer ").replace("_", " ")
    return name.replace("double double", "double-double")


def other_reading(rules: Rules, option: Option) -> str:
    """Return our reading if the document is silent on the option and these rules differ from it."""
    preset = rules.origin.preset
    ours: OptionValue = getattr(load_preset(preset), option.name)
    is_ours = rules.in_force(option.name) == load_preset(preset).in_force(option.name)
    return "" if is_ours or _is_ruled_out(rules, option.name) else option_text(option, ours)


def departures(rules: Rules) -> list[Departure]:
    """Return options, rows and jackpots that depart from the preset's document."""
    preset = rules.origin.preset
    if preset not in preset_ids():  # rules saved by another version
        return [Departure("preset", preset or "none", "", "")]
    return [
        *_option_departures(rules, preset),
        *_limit_departures(rules, preset),
        *_row_departures(rules, preset),
        *_match_odds_departures(rules, preset),
        *_jackpot_departures(rules, preset),
    ]


def _option_departures(rules: Rules, preset: str) -> Iterator[Departure]:
    implied = implied_by(dict(load_preset(preset).origin.start), rules)
    for option in OPTIONS:
        present = rules.in_force(option.name)
        if present == implied[option.name] or _is_ruled_out(rules, option.name):
            continue
        allowed = allowed_values(preset, option)
        value = option_text(option, present)
        if allowed and value not in allowed:
            yield Departure(
                option.name, value, join_words(allowed, "or"), rule_numbers(preset, option.name)
            )


def _is_ruled_out(rules: Rules, name: str) -> bool:
    """Return whether double-double rules out this option: doubling for less (R-050)."""
    return name == "double_for_less" and rules.double_double


def _limit_departures(rules: Rules, preset: str) -> Iterator[Departure]:
    """Report wagers above the regulator's limits, if they apply to the document (R-002, R-124)."""
    if authority(preset, "limit_profile") is not DecidedBy.FIXED:
        return
    maximum = max(profile.maximum_wager or 0 for profile in _regulators_limits())
    for name in ("table_maximum", "mtd_maximum"):
        amount: int = getattr(rules, name)
        if amount > maximum:
            allowed = f"at most {money_text(maximum)}, the regulator's limit"
            yield Departure(name, money_text(amount), allowed, "R-002, R-124, O-36")


def _row_departures(rules: Rules, preset: str) -> Iterator[Departure]:
    # The document's rows for this number of decks.
    document = replace(load_preset(preset), decks=rules.decks)
    for field, part, has, is_now, rule in row_differences(document, rules):
        was = "nothing" if has == NOTHING else has
        now = "left out" if is_now == NOTHING else is_now
        yield Departure(f"{field} {part}", now, was, rule)


def _match_odds_departures(rules: Rules, preset: str) -> Iterator[Departure]:
    """Report odds that differ from those of a document with a single list (R-023, D-06)."""
    if authority(preset, "decks") is DecidedBy.SILENT and rules.mtd_configuration:
        for field, part, has, is_now, _ in match_differences(load_preset(preset), rules):
            yield Departure(f"{field} {part}", is_now, has, "R-023, D-06")


def _jackpot_departures(rules: Rules, preset: str) -> Iterator[Departure]:
    choices = jackpot_choices_of(preset)
    rule = rule_numbers(preset, "jackpots")
    games = choices.get("games", [0])
    if len(rules.jackpots) not in games:
        allowed = join_words([value_text(count) for count in games], "or")
        counts = [str(len(rules.jackpots)), allowed]
        value, choice = (f"{count} jackpot game{'' if count == '1' else 's'}" for count in counts)
        yield Departure("jackpots", value, choice, rule)
    if games == [0]:
        return
    for number, jackpot in enumerate(rules.jackpots, start=1):
        parts = {
            "table": (jackpot.table, choices.get("tables")),  # None if the document lists no tables
            "kind": (str(jackpot.kind), choices.get("kinds", [])),
            "best_only": (value_text(jackpot.best_only), choices.get("best_only", ["off"])),
        }
        for part, (value, known) in parts.items():
            if known is not None and value not in known:
                words = [value_text(choice) for choice in known]
                place = f"jackpots game {number} {part}"
                yield Departure(place, value, join_words(words, "or"), rule)


def rule_numbers(preset: str, name: str) -> str:
    """Return the rule numbers behind an option of a preset."""
    option = OPTIONS_BY_NAME.get(name)
    return sources_of(preset).get(name, option.rule if option else "")
