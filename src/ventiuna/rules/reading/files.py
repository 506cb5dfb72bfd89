"""Presets and rules files: read, and laid over what they extend."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from ventiuna.records import record
from ventiuna.rules.data import SUFFIX, read_toml, rules_folder
from ventiuna.rules.diamonds import with_diamonds
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.options import BY_NAME
from ventiuna.rules.reading.about import (
    TABLE_NAMES,
    Tables,
    read_notices,
    read_revision,
    read_tables,
    read_text,
)
from ventiuna.rules.reading.canonical_text import split_text
from ventiuna.rules.reading.rows import parse_jackpots, read_rows
from ventiuna.rules.values import (
    ROW_FIELDS,
    Values,
    did_you_mean,
    read_option,
    read_unknown,
    shown,
)
from ventiuna.rules.variants import variants

LARGEST_FILE = 1_000_000  # bytes; rules are a few thousand
LONGEST_PATH = 4096
LONGEST_CHAIN = 20  # of files that extend each other
_ABOUT = ("id", "title", "document", "revision", "extends", "notices", *TABLE_NAMES)


@record(frozen=True, slots=True)
class Layer:
    """What a preset or file says, laid over what it extends."""

    preset: str  # the packaged preset at the bottom; "" where there is none to stand on
    title: str
    document: str
    revision: int
    values: Values  # options and rows that could be read
    tables: Tables
    notices: tuple[str, ...]  # what the document forbids or asks for besides the options
    problems: tuple[Problem, ...] = ()


@cache
def preset_ids() -> tuple[str, ...]:
    """The names of all presets.

    >>> "wsgc-2021" in preset_ids()
    True
    """
    folder = rules_folder() / "presets"
    names = [path.name for path in folder.iterdir() if path.name.endswith(SUFFIX)]
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names))


def layer_of(name: str) -> Layer:
    """The layer of a preset's or a file's name."""
    return file_layer(Path(name)) if name.endswith(SUFFIX) else preset_layer(name)


@cache
def preset_layer(name: str) -> Layer:
    if name not in preset_ids():
        fix = did_you_mean(name, [*preset_ids(), *variants()]) + f" A file's name ends in {SUFFIX}."
        raise RulesError([Problem("rules", name, "", "there is no preset of this name", fix)])
    data = read_toml(rules_folder() / "presets" / (name + SUFFIX))
    base = preset_layer(data["extends"]) if "extends" in data else None
    layer = _lay_over(base, data, [])
    if layer.problems:
        raise RulesError(layer.problems)
    return replace(layer, preset=name)


def _variant_layer(name: str) -> Layer:
    """A ready-made variant: its preset with its changes."""
    preset, changes = split_text(variants()[name].rules, [])
    return _lay_over(preset_layer(preset), changes, [])


def file_layer(path: Path, seen: tuple[Path, ...] = ()) -> Layer:
    """A user's own file. What can't be read is a problem of the layer; no readable file raises."""
    data = _parsed(path)
    problems: list[Problem] = []
    base = _extended(data.get("extends"), path, (*seen, _resolved(path)), problems)
    return _lay_over(base, data, problems)


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # symbolic links in a circle
        raise _unusable(path, "its links lead in a circle", "Name the file itself.") from None


def _parsed(path: Path) -> dict[str, object]:
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
    if not str(path).isprintable() or len(str(path)) > LONGEST_PATH:
        message = f"a rules file's path has at most {LONGEST_PATH} characters, all printable"
        raise _unusable(path, message, "Rename it.")
    if path.is_fifo():  # it could keep us waiting for ever
        raise _unusable(path, "it is a pipe, not a file", "Name a rules file.")
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
    name: object, path: Path, seen: tuple[Path, ...], problems: list[Problem]
) -> Layer | None:
    """What the file extends; its own problems are told with the file's name."""
    names = ", ".join([*preset_ids(), *variants()])
    known = f"one of {names}, or a file ending in {SUFFIX}"
    if not isinstance(name, str):
        value = "not set" if name is None else shown(name)
        message = "a rules file starts from another set of rules"
        problems.append(
            Problem("extends", value, "R-001", message, f'Write extends = "…" with {known}.')
        )
        return None
    try:
        if not name.endswith(SUFFIX):
            return _variant_layer(name) if name in variants() else preset_layer(name)
        parent = path.parent / name
        if _resolved(parent) in seen:
            raise _unusable(parent, "files extend each other", "Break the circle.")
        if len(seen) >= LONGEST_CHAIN:
            message = f"at most {LONGEST_CHAIN} files extend one another"
            raise _unusable(parent, message, "Put some of them into one file.")
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


def _lay_over(base: Layer | None, data: Mapping[str, object], problems: list[Problem]) -> Layer:
    read = read_values({k: raw for k, raw in data.items() if k not in _ABOUT}, problems)
    read_text(data, "id", "", problems)
    return Layer(
        preset=base.preset if base else "",
        title=read_text(data, "title", base.title if base else "", problems),
        document=read_text(data, "document", base.document if base else "", problems),
        revision=read_revision(data, problems),
        values={**base.values, **with_diamonds(base.values, read)} if base else read,
        tables=read_tables(data, problems).over(base.tables if base else None),
        notices=read_notices(data, base.notices if base else (), problems),
        problems=tuple(problems),
    )


def read_values(data: Mapping[str, object], problems: list[Problem]) -> Values:
    """The options and rows that can be read. The others are problems and keep their old value."""
    values: Values = {}
    for name, raw in data.items():
        found: list[Problem] = []
        value = _read_value(name, raw, found)
        if not found or (name in ROW_FIELDS and value is not None):
            values[name] = value
        problems += found
    return values


def _read_value(name: str, raw: object, found: list[Problem]) -> object:
    if name in BY_NAME:
        return read_option(BY_NAME[name], raw, found)
    if name == "jackpots" and isinstance(raw, str):
        raw = parse_jackpots(raw, found)
    if name in ROW_FIELDS:
        return read_rows(name, raw, found)
    found.append(read_unknown(name, raw))
    return None
