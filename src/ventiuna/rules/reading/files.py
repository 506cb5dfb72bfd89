"""Presets and rules files: read, and laid over what they extend."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from ventiuna.rules.data import read_toml, rules_folder
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.options import BY_NAME
from ventiuna.rules.reading.rows import parse_jackpots, read_rows
from ventiuna.rules.values import ROW_FIELDS, did_you_mean, read_option, read_unknown, shown

SUFFIX = ".toml"
LARGEST_FILE = 1_000_000  # bytes; rules are a few thousand
LONGEST_TEXT = 200
LARGEST_REVISION = 1_000_000
_ABOUT = ("id", "title", "document", "revision", "extends", "notices")
_TABLES = ("choices", "sources", "jackpot_choices")
BLACKJACK_PAY, DIAMOND_PAY = "blackjack_pays", "diamond_blackjack_pays"
_JACKPOT_CHOICES = ("games", "tables", "kinds", "best_only")


@dataclass(frozen=True, slots=True)
class Layer:
    """What a preset or file says, laid over what it extends."""

    preset: str  # the packaged preset at the bottom; "" where there is none to stand on
    title: str
    document: str
    revision: int
    values: dict[str, Any]  # options and rows that could be read
    tables: dict[str, dict[str, Any]]  # choices, sources and jackpot_choices
    notices: tuple[str, ...]  # what the document forbids or asks for besides the options
    problems: tuple[Problem, ...] = ()


@cache
def preset_ids() -> tuple[str, ...]:
    folder = rules_folder() / "presets"
    names = [path.name for path in folder.iterdir() if path.name.endswith(SUFFIX)]
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names))


def layer_of(name: str) -> Layer:
    """The layer of a preset's or a file's name."""
    return file_layer(Path(name)) if name.endswith(SUFFIX) else preset_layer(name)


@cache
def preset_layer(name: str) -> Layer:
    if name not in preset_ids():
        fix = did_you_mean(name, preset_ids()) + f" A file's name ends in {SUFFIX}."
        raise RulesError([Problem("rules", name, "", "there is no preset of this name", fix)])
    data = read_toml(rules_folder() / "presets" / (name + SUFFIX))
    base = preset_layer(data["extends"]) if "extends" in data else None
    layer = _lay_over(base, data, [])
    if layer.problems:
        raise RulesError(layer.problems)
    return replace(layer, preset=name)


def file_layer(path: Path, seen: tuple[Path, ...] = ()) -> Layer:
    """A user's own file. What can't be read is a problem of the layer; no readable file raises."""
    data = _parsed(path)
    problems: list[Problem] = []
    base = _extended(data.get("extends"), path, (*seen, path.resolve()), problems)
    return _lay_over(base, data, problems)


def _parsed(path: Path) -> dict[str, Any]:
    raw = _content(path)
    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _unusable(path, "it is no UTF-8 text", "Save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise _unusable(path, f"it is no valid TOML: {error}", "Correct that line.") from None
    except RecursionError:
        raise _unusable(path, "its lists are nested too deeply", "Write plain values.") from None
    except ValueError:  # Python reads no number of thousands of digits
        raise _unusable(path, "it holds a number that is too long", "Shorten it.") from None


def _content(path: Path) -> bytes:
    if path.suffix != SUFFIX:  # else its name could not stand in a canonical string
        raise _unusable(path, f"a rules file's name ends in {SUFFIX}", "Rename it.")
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise _unusable(path, f"it can't be read: {error.strerror}", "Check the path.") from None
    except ValueError:  # a zero byte, which no path has
        raise _unusable(path, "it can't be read: no file has such a name", "Check it.") from None
    if len(raw) > LARGEST_FILE:
        raise _unusable(path, f"it is larger than {LARGEST_FILE:,} bytes", "Name a rules file.")
    return raw


def _unusable(path: Path, message: str, fix: str) -> RulesError:
    return RulesError([Problem("file", str(path), "", message, fix)])


def _extended(
    name: Any, path: Path, seen: tuple[Path, ...], problems: list[Problem]
) -> Layer | None:
    """What the file extends; its own problems are told with the file's name."""
    known = f"one of {', '.join(preset_ids())}, or a file ending in {SUFFIX}"
    if not isinstance(name, str):
        value = "not set" if name is None else shown(name)
        message = "a rules file starts from another set of rules"
        problems.append(
            Problem("extends", value, "R-001", message, f'Write extends = "…" with {known}.')
        )
        return None
    try:
        if not name.endswith(SUFFIX):
            return preset_layer(name)
        parent = path.parent / name
        if parent.resolve() in seen:
            raise _unusable(parent, "files extend each other", "Break the circle.")
        layer = file_layer(parent, seen)
    except RulesError as error:
        problems += [problem._replace(field=_extends_field(problem)) for problem in error.problems]
        return None
    except ValueError:  # a name with a zero byte
        problems.append(Problem("extends", name, "", "no file has such a name", "Correct it."))
        return None
    problems += [problem._replace(field=f"{name}: {problem.field}") for problem in layer.problems]
    return layer


def _extends_field(problem: Problem) -> str:
    return "extends" if problem.field in ("rules", "file") else problem.field


def _lay_over(base: Layer | None, data: Mapping[str, Any], problems: list[Problem]) -> Layer:
    own = {key: raw for key, raw in data.items() if key not in (*_ABOUT, *_TABLES)}
    read = read_values(own, problems)
    _text(data, "id", "", problems)
    return Layer(
        preset=base.preset if base else "",
        title=_text(data, "title", base.title if base else "", problems),
        document=_text(data, "document", base.document if base else "", problems),
        revision=_revision(data, problems),
        values={**base.values, **with_diamonds(base.values, read)} if base else read,
        tables={
            name: {**(base.tables[name] if base else {}), **_table(name, data, problems)}
            for name in _TABLES
        },
        notices=_notices(data, base.notices if base else (), problems),
        problems=tuple(problems),
    )


def with_diamonds(before: Mapping[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A blackjack in diamonds that had no pay of its own (R-114) takes that of all others."""
    has_own_pay = before.get(DIAMOND_PAY) != before.get(BLACKJACK_PAY)
    if BLACKJACK_PAY not in changes or DIAMOND_PAY in changes or has_own_pay:
        return changes
    return changes | {DIAMOND_PAY: changes[BLACKJACK_PAY]}


def read_values(data: Mapping[str, Any], problems: list[Problem]) -> dict[str, Any]:
    """The options and rows that can be read. The others are problems and keep their old value."""
    values: dict[str, Any] = {}
    for name, raw in data.items():
        found: list[Problem] = []
        value = _read_value(name, raw, found)
        if not found or (name in ROW_FIELDS and value is not None):
            values[name] = value
        problems += found
    return values


def _read_value(name: str, raw: Any, found: list[Problem]) -> Any:
    if name in BY_NAME:
        return read_option(BY_NAME[name], raw, found)
    if name == "jackpots" and isinstance(raw, str):
        raw = parse_jackpots(raw, found)
    if name in ROW_FIELDS:
        return read_rows(name, raw, found)
    found.append(read_unknown(name, raw))
    return None


def _text(data: Mapping[str, Any], key: str, usual: str, problems: list[Problem]) -> str:
    raw = data.get(key, usual)
    if isinstance(raw, str) and raw.isprintable() and len(raw) <= LONGEST_TEXT:
        return raw
    message = f"this is a text of at most {LONGEST_TEXT} characters on one line"
    problems.append(Problem(key, shown(raw), "", message, "Put such a text in quotes."))
    return usual


def _revision(data: Mapping[str, Any], problems: list[Problem]) -> int:
    raw = data.get("revision", 1)
    if type(raw) is int and 1 <= raw <= LARGEST_REVISION:
        return raw
    fix = "Write 1 for the first, 2 for the next."
    problems.append(Problem("revision", shown(raw), "", "this is a whole number from 1 on", fix))
    return 1


def _notices(
    data: Mapping[str, Any], usual: tuple[str, ...], problems: list[Problem]
) -> tuple[str, ...]:
    raw = data.get("notices", list(usual))
    if isinstance(raw, list):
        texts = {f"notices {number}": text for number, text in enumerate(raw, start=1)}
        return tuple(_text(texts, key, "", problems) for key in texts)
    fix = "Write it as a list of texts."
    problems.append(Problem("notices", shown(raw), "", "this is a list of texts", fix))
    return usual


def _table(name: str, data: Mapping[str, Any], problems: list[Problem]) -> dict[str, Any]:
    """The entries of [choices], [sources] or [jackpot_choices] that make sense."""
    raw = data.get(name, {})
    if not isinstance(raw, Mapping):
        fix = f"Write it as a table: [{name}], then lines with option = value."
        problems.append(Problem(name, shown(raw), "", "this is a table of options", fix))
        return {}
    known = _JACKPOT_CHOICES if name == "jackpot_choices" else (*BY_NAME, *ROW_FIELDS)
    kind, word = (str, "rule numbers in quotes") if name == "sources" else (list, "a list")
    entries = {}
    for key, value in raw.items():
        if key not in known:
            fix = did_you_mean(key, known)
            problems.append(
                Problem(f"{name} {key}", shown(value), "", "there is no such option", fix)
            )
        elif not isinstance(value, kind):
            problems.append(
                Problem(f"{name} {key}", shown(value), "", "this can't be", f"Write {word}.")
            )
        else:
            entries[key] = value
    return entries
