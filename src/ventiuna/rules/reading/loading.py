"""From a name, a canonical string or a file to checked rules; all problems are told at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from pathlib import Path

from ventiuna.rules.check import find_problems
from ventiuna.rules.data import SUFFIX
from ventiuna.rules.diamonds import pays_of, with_diamonds
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.model import Choice, Origin, Rules
from ventiuna.rules.options import BY_NAME, OPTIONS
from ventiuna.rules.reading.canonical_text import split_text
from ventiuna.rules.reading.files import (
    Layer,
    file_layer,
    layer_of,
    preset_ids,
    preset_layer,
    read_values,
)
from ventiuna.rules.values import ROW_FIELDS, Values, shown
from ventiuna.rules.variants import variants

__all__ = [
    "change_rules",
    "choices_of",
    "jackpot_choices_of",
    "load_file",
    "load_preset",
    "load_rules",
    "preset_ids",
    "sources_of",
    "split_canonical",
]


def load_rules(text: str) -> Rules:
    """Rules by name of a preset or variant, rules file or canonical string.

    >>> load_rules("wsgc-2021(decks=8,soft_17=stand)").decks
    8
    """
    problems: list[Problem] = []
    name, changes = _without_variant(*split_text(text, problems))
    base = _base(name, problems)
    rules = _changed(base, changes, problems) if changes else base
    return sound(rules, problems)


def _without_variant(name: str, changes: dict[str, str]) -> tuple[str, dict[str, str]]:
    """A ready-made variant's name is its preset with its changes; more may be changed besides."""
    variant = variants().get(name)
    if variant is None:
        return name, changes
    base, own = split_canonical(variant.rules)
    return base, {**own, **changes}


def load_file(path: Path) -> Rules:
    """Rules of a user's own TOML file; it extends a preset or another file beside it."""
    problems: list[Problem] = []
    name = str(path)
    if name != name.strip():  # a canonical string may have spaces around it
        name = f"./{name}"
    return sound(_built(file_layer(path), name, problems), problems)


@cache
def load_preset(name: str) -> Rules:
    problems: list[Problem] = []
    return sound(_built(preset_layer(name), name, problems), problems)


def change_rules(rules: Rules, changes: Mapping[str, object]) -> Rules:
    """The same rules with some options changed; values as text or typed.

    >>> change_rules(load_rules("wsgc-2021"), {"decks": 8}).decks
    8
    """
    problems: list[Problem] = []
    return sound(_changed(rules, changes, problems), problems)


def split_canonical(text: str) -> tuple[str, dict[str, str]]:
    """`name(option=value,…)` to its parts; all problems of the form at once."""
    problems: list[Problem] = []
    parts = split_text(text, problems)
    if problems:
        raise RulesError(problems)
    return parts


def _base(name: str, problems: list[Problem]) -> Rules | None:
    """The rules before changes; None, besides problems, where there is nothing to change."""
    try:
        if not name.endswith(SUFFIX):
            return load_preset(name)
        return _built(file_layer(Path(name)), name, problems)
    except RulesError as error:
        problems += error.problems
        return None


def _built(layer: Layer, name: str, problems: list[Problem]) -> Rules | None:
    problems += layer.problems
    if not layer.preset:
        return None  # a file that extends nothing
    values: Values = {**dict.fromkeys(ROW_FIELDS, ()), **layer.values}
    rules = Rules(
        name=name,
        title=layer.title or name,
        document=layer.document,
        revision=layer.revision,
        origin=_origin(layer, values),
        **values,
    )
    problems += contradictions(rules, problems)
    return rules


def _origin(layer: Layer, values: Values) -> Origin:
    return Origin(
        preset=layer.preset,
        start=tuple((name, values[name]) for name in START_FIELDS),
        choices=tuple(layer.tables.choices.items()),
        jackpot_choices=tuple(layer.tables.jackpot_choices.items()),
        sources=tuple(layer.tables.sources.items()),
        notices=layer.notices,
    )


def _changed(
    rules: Rules | None, changes: Mapping[str, object], problems: list[Problem]
) -> Rules | None:
    """Unreadable changes leave the value as it is, so that the others can still be checked."""
    allowed: dict[str, object] = {}
    for name, raw in changes.items():
        if name in ROW_FIELDS and name != "jackpots":  # a canonical string has no words for rows
            fix = f"Write it in a {SUFFIX} file that extends these rules."
            message = "rows are changed in a rules file only"
            problems.append(Problem(name, shown(raw), "", message, fix))
        else:
            allowed[name] = raw
    values = read_values(allowed, problems)
    if rules is None:
        return None
    changed = replace(rules, **with_diamonds(pays_of(rules), values))
    problems += contradictions(changed, problems)
    return changed


def contradictions(rules: Rules, problems: list[Problem]) -> list[Problem]:
    """Those of options that could be read; what stands in for the others is not the user's."""
    unreadable = {problem.field for problem in problems}
    return [problem for problem in find_problems(rules) if problem.field not in unreadable]


def sound(rules: Rules | None, problems: list[Problem]) -> Rules:
    if rules is None or problems:
        raise RulesError(list(dict.fromkeys(problems)))
    return rules


def choices_of(name: str) -> dict[str, list[Choice]]:
    """What a preset's document lets the house choose, by option."""
    return {option: list(found) for option, found in layer_of(name).tables.choices.items()}


def jackpot_choices_of(name: str) -> dict[str, list[Choice]]:
    """Numbers of jackpot games, tables and kinds that a preset's document knows."""
    return {part: list(found) for part, found in layer_of(name).tables.jackpot_choices.items()}


def sources_of(name: str) -> dict[str, str]:
    """The rule numbers behind a preset's values, by option."""
    return layer_of(name).tables.sources


RULE_FIELDS = tuple(field.name for field in fields(Rules) if field.name in BY_NAME)
START_FIELDS = (*RULE_FIELDS, "jackpots")  # what a canonical string can change
assert len(RULE_FIELDS) == len(OPTIONS)
