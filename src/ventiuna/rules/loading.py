"""From a name, a canonical string or a file to checked rules."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from ventiuna.rules.check import find_problems
from ventiuna.rules.data import read_toml, rules_folder
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.model import Rules
from ventiuna.rules.options import BY_NAME, OPTIONS
from ventiuna.rules.reading import (
    did_you_mean,
    read_jackpot,
    read_option,
    read_pay_row,
    read_rows,
    read_super_bonus_band,
    read_super_bonus_form,
    read_unknown,
)

_ROWS: dict[str, Any] = {
    "bonus_21": read_pay_row,
    "instant_wins": read_pay_row,
    "super_bonus": read_super_bonus_form,
    "super_bonus_bands": read_super_bonus_band,
    "jackpots": read_jackpot,
}
_ABOUT = ("id", "title", "document", "revision", "extends", "choices", "sources")
_CANONICAL = re.compile(r"^\s*([^()]+?)\s*(?:\((.*)\))?\s*$", re.DOTALL)


@cache
def preset_ids() -> tuple[str, ...]:
    folder = rules_folder() / "presets"
    names = [path.name for path in folder.iterdir() if path.name.endswith(".toml")]
    return tuple(sorted(name.removesuffix(".toml") for name in names))


def load_rules(text: str) -> Rules:
    """Rules by preset name, rules file or canonical string.

    >>> load_rules("wsgc-2021(decks=8,soft_17=stand)").decks
    8
    """
    name, changes = split_canonical(text)
    base = load_file(Path(name)) if name.endswith(".toml") else load_preset(name)
    return change_rules(base, changes) if changes else base


def split_canonical(text: str) -> tuple[str, dict[str, str]]:
    """`name(option=value,…)` to its parts; all problems of the form at once."""
    found = _CANONICAL.match(text) if isinstance(text, str) else None
    if not found:
        raise RulesError(
            [Problem("rules", str(text), "", "this is no set of rules", _CANONICAL_FIX)]
        )
    changes: dict[str, str] = {}
    problems = []
    for part in filter(str.strip, (found[2] or "").split(",")):
        option, sign, value = part.partition("=")
        if not sign:
            problems.append(Problem("rules", part.strip(), "", "a value is missing", _CANONICAL_FIX))
        elif option.strip() in changes:
            problems.append(
                Problem(option.strip(), value.strip(), "", "it is given twice", "Give it once.")
            )
        changes[option.strip()] = value.strip()
    if problems:
        raise RulesError(problems)
    return found[1], changes


_CANONICAL_FIX = "Write it as wsgc-2021(decks=8,soft_17=stand)."


@cache
def load_preset(name: str) -> Rules:
    return _build(_preset_data(name), name)


def _preset_data(name: str) -> dict[str, Any]:
    if name not in preset_ids():
        raise RulesError(
            [
                Problem(
                    "rules",
                    name,
                    "",
                    "there is no preset of this name",
                    did_you_mean(name, preset_ids()) + " A file's name ends in .toml.",
                )
            ]
        )
    return _extended(read_toml(rules_folder() / "presets" / f"{name}.toml"), ())


def load_file(path: Path) -> Rules:
    """Rules of a user's own TOML file; it extends a preset or another file beside it."""
    return _build(_file_data(path, ()), str(path))


def _file_data(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    if path.resolve() in seen:
        problem = Problem("extends", str(path), "", "files extend each other", "Break the circle.")
        raise RulesError([problem])
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise RulesError(
            [Problem("file", str(path), "", f"it can't be read: {reason}", "Check the path.")]
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise RulesError(
            [Problem("file", str(path), "", f"it is no valid TOML: {error}", "Correct that line.")]
        ) from None
    if "extends" not in data:
        problem = Problem(
            "extends",
            "not set",
            "R-001",
            "a rules file starts from another set of rules",
            f"Add extends = one of {', '.join(preset_ids())}.",
        )
        raise RulesError([problem])
    return _extended(data, (*seen, path.resolve()), path.parent)


def _extended(
    data: dict[str, Any], seen: tuple[Path, ...], folder: Path | None = None
) -> dict[str, Any]:
    """The data laid over what it extends; choices and sources are merged option by option."""
    parent = data.get("extends")
    if parent is None:
        return data
    if isinstance(parent, str) and parent.endswith(".toml") and folder is not None:
        base = _file_data(folder / parent, seen)
    else:
        base = _preset_data(str(parent))
    merged = {**base, **data}
    for part in ("choices", "sources"):
        merged[part] = {**base.get(part, {}), **data.get(part, {})}
    return merged


def _build(data: dict[str, Any], name: str) -> Rules:
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    for key, raw in data.items():
        if key in BY_NAME:
            values[key] = read_option(BY_NAME[key], raw, problems)
        elif key in _ROWS:
            values[key] = read_rows(key, raw, _ROWS[key], problems)
        elif key not in _ABOUT:
            problems.append(read_unknown(key, raw))
    if problems:
        raise RulesError(problems)
    about = {"name": name, "title": str(data.get("title", name))}
    about |= {"document": str(data.get("document", ""))}
    rules = Rules(**about, revision=int(data.get("revision", 1)), **_with_empty_rows(values))
    return _checked(rules)


def _with_empty_rows(values: dict[str, Any]) -> dict[str, Any]:
    return {**dict.fromkeys(_ROWS, ()), **values}


def _checked(rules: Rules) -> Rules:
    if problems := find_problems(rules):
        raise RulesError(problems)
    return rules


def change_rules(rules: Rules, changes: dict[str, Any]) -> Rules:
    """The same rules with some options changed; values as text or typed.

    >>> change_rules(load_rules("wsgc-2021"), {"decks": 8}).decks
    8
    """
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    for name, raw in changes.items():
        if name in BY_NAME:
            values[name] = read_option(BY_NAME[name], raw, problems)
        elif name == "jackpots":
            rows = parse_jackpots(raw, problems) if isinstance(raw, str) else raw
            values[name] = read_rows(name, rows, read_jackpot, problems)
        else:
            problems.append(read_unknown(name, raw))
    if problems:
        raise RulesError(problems)
    return _checked(replace(rules, **values))


def parse_jackpots(text: str, problems: list[Problem]) -> list[dict[str, str]]:
    """`3c:1:wager=5+4d:7`: games joined by +, each table, pay table, then name=value."""
    rows = []
    for game in text.split("+") if text not in ("", "none") else []:
        row: dict[str, str] = {}
        for place, part in enumerate(game.split(":")):
            key, sign, value = part.partition("=")
            if sign:
                row[key] = value
            elif place < 2:
                row[("table", "pay_table")[place]] = part
            else:
                problems.append(
                    Problem("jackpots", game, "R-086", f"{part!r} has no value", _JACKPOT_FIX)
                )
        rows.append(row)
    return rows


_JACKPOT_FIX = "Write a game as table:pay table:name=value, such as 3c:1:wager=5."


def choices_of(name: str) -> dict[str, list[Any]]:
    """What a preset's document lets the house choose, by option."""
    found: dict[str, list[Any]] = _preset_data(name).get("choices", {})
    return found


def sources_of(name: str) -> dict[str, str]:
    """The rule numbers behind a preset's values, by option."""
    data = _file_data(Path(name), ()) if name.endswith(".toml") else _preset_data(name)
    found: dict[str, str] = data.get("sources", {})
    return found


RULE_FIELDS = tuple(field.name for field in fields(Rules) if field.name in BY_NAME)
assert len(RULE_FIELDS) == len(OPTIONS)
