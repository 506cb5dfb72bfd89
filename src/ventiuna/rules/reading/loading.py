"""From a name, a canonical string or a file to checked rules; all problems are told at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from ventiuna.rules.check import find_problems
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.model import Rules
from ventiuna.rules.options import BY_NAME, OPTIONS
from ventiuna.rules.reading.files import (
    BLACKJACK_PAY,
    DIAMOND_PAY,
    SUFFIX,
    Layer,
    file_layer,
    layer_of,
    preset_ids,
    preset_layer,
    read_values,
    with_diamonds,
)
from ventiuna.rules.values import ROW_FIELDS, shown

__all__ = [
    "change_rules",
    "choices_of",
    "jackpot_choices_of",
    "load_file",
    "load_preset",
    "load_rules",
    "notices_of",
    "preset_ids",
    "preset_of",
    "sources_of",
    "split_canonical",
]

_CANONICAL = re.compile(rf"\s*(.+?{re.escape(SUFFIX)}|[^()]+?)\s*(?:\((.*)\))?\s*", re.DOTALL)
_CANONICAL_FIX = "Write it as wsgc-2021(decks=8,soft_17=stand)."


def load_rules(text: str) -> Rules:
    """Rules by preset name, rules file or canonical string.

    >>> load_rules("wsgc-2021(decks=8,soft_17=stand)").decks
    8
    """
    problems: list[Problem] = []
    name, changes = _split(text, problems)
    base = _base(name, problems)
    rules = _changed(base, changes, problems) if changes else base
    return _sound(rules, problems)


def load_file(path: Path) -> Rules:
    """Rules of a user's own TOML file; it extends a preset or another file beside it."""
    problems: list[Problem] = []
    return _sound(_built(file_layer(path), str(path), problems), problems)


@cache
def load_preset(name: str) -> Rules:
    problems: list[Problem] = []
    return _sound(_built(preset_layer(name), name, problems), problems)


def change_rules(rules: Rules, changes: Mapping[str, Any]) -> Rules:
    """The same rules with some options changed; values as text or typed.

    >>> change_rules(load_rules("wsgc-2021"), {"decks": 8}).decks
    8
    """
    problems: list[Problem] = []
    return _sound(_changed(rules, changes, problems), problems)


def split_canonical(text: str) -> tuple[str, dict[str, str]]:
    """`name(option=value,…)` to its parts; all problems of the form at once."""
    problems: list[Problem] = []
    parts = _split(text, problems)
    if problems:
        raise RulesError(problems)
    return parts


def _split(text: object, problems: list[Problem]) -> tuple[str, dict[str, str]]:
    found = _CANONICAL.fullmatch(text) if isinstance(text, str) else None
    if not found:
        problem = Problem("rules", shown(text), "", "this is no set of rules", _CANONICAL_FIX)
        raise RulesError([problem])
    changes: dict[str, str] = {}
    for part in filter(str.strip, (found[2] or "").split(",")):
        option, sign, value = (word.strip() for word in part.partition("="))
        if not sign or not option:
            missing = "a name is missing" if sign else "a value is missing"
            problems.append(Problem("rules", part.strip(), "", missing, _CANONICAL_FIX))
        elif option in changes:
            problems.append(Problem(option, value, "", "it is given twice", "Give it once."))
        else:
            changes[option] = value
    return found[1], changes


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
    rules = Rules(
        name=name,
        title=layer.title or name,
        document=layer.document,
        revision=layer.revision,
        **{**dict.fromkeys(ROW_FIELDS, ()), **layer.values},
    )
    problems += _contradictions(rules, problems)
    return rules


def _changed(
    rules: Rules | None, changes: Mapping[str, Any], problems: list[Problem]
) -> Rules | None:
    """Unreadable changes leave the value as it is, so that the others can still be checked."""
    allowed = {}
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
    changed = replace(rules, **with_diamonds(_pays(rules), values))
    problems += _contradictions(changed, problems)
    return changed


def _pays(rules: Rules) -> dict[str, Any]:
    return {BLACKJACK_PAY: rules.blackjack_pays, DIAMOND_PAY: rules.diamond_blackjack_pays}


def implied_pays(base: Rules, rules: Rules) -> Rules:
    """The base with a blackjack in diamonds as `rules` have it when they say nothing of it."""
    changes = {}
    if rules.blackjack_pays != base.blackjack_pays:
        changes = with_diamonds(_pays(base), {BLACKJACK_PAY: rules.blackjack_pays})
        del changes[BLACKJACK_PAY]
    return replace(base, **changes)


def _contradictions(rules: Rules, problems: list[Problem]) -> list[Problem]:
    """Those of options that could be read; what stands in for the others is not the user's."""
    unreadable = {problem.field for problem in problems}
    return [problem for problem in find_problems(rules) if problem.field not in unreadable]


def _sound(rules: Rules | None, problems: list[Problem]) -> Rules:
    if rules is None or problems:
        raise RulesError(list(dict.fromkeys(problems)))
    return rules


def preset_of(name: str) -> str:
    """The packaged preset, and so the document, that a preset's or a file's rules start from."""
    return layer_of(name).preset


def choices_of(name: str) -> dict[str, list[Any]]:
    """What a preset's document lets the house choose, by option."""
    return layer_of(name).tables["choices"]


def jackpot_choices_of(name: str) -> dict[str, list[Any]]:
    """Numbers of jackpot games, tables and kinds that a preset's document knows."""
    return layer_of(name).tables["jackpot_choices"]


def notices_of(name: str) -> tuple[str, ...]:
    """What a preset's document forbids or asks for besides the options."""
    return layer_of(name).notices


def sources_of(name: str) -> dict[str, str]:
    """The rule numbers behind a preset's values, by option."""
    return layer_of(name).tables["sources"]


IDENTITY = ("name", "title", "document", "revision")
RULE_FIELDS = tuple(field.name for field in fields(Rules) if field.name in BY_NAME)
assert len(RULE_FIELDS) == len(OPTIONS)
