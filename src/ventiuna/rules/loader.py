"""Load rules from presets, files, canonical strings and data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from ventiuna.rules.canonical import (
    NEW_DEFAULTS,
    RULES_FORMAT,
    Values,
    fingerprint,
    with_diamond_default,
)
from ventiuna.rules.data_files import SUFFIX, read_toml, rules_folder, variants
from ventiuna.rules.model import (
    OPTIONS,
    OPTIONS_BY_NAME,
    ROW_FIELDS,
    ROW_PARTS,
    Choice,
    Jackpot,
    OptionValue,
    Origin,
    PayRow,
    Problem,
    Row,
    Rules,
    RulesError,
    Start,
)
from ventiuna.rules.options import READ_ERRORS, Option, did_you_mean, short_repr
from ventiuna.rules.validation import find_problems

# --- Canonical strings ---

MAX_RULES_LENGTH = 20_000  # a path with every option takes a few thousand characters
_CANONICAL_FIX = "Write it as wsgc-2021(decks=8,soft_17=stand)."
# A file name is either the whole text or is followed by changes. The pattern examines each
# character only once.
_FILE_END = re.compile(rf"{re.escape(SUFFIX)}(?=\s*(?:\(|$))")
# As on a command line: `wsgc-2021 decks=8 soft_17=stand`
_SPACED_CHANGES = re.compile(r"([^()]*[^()\s])((?:\s+[a-z]\w*=[^\s()]+)+)")


def split_text(text: object, problems: list[Problem]) -> tuple[str, dict[str, str]]:
    """Split into name and changes.

    Malformed changes are reported as problems; a missing name raises an error.
    """
    name, changes = _name_and_changes(text)
    found: dict[str, str] = {}
    for part in filter(str.strip, changes.split(",")):
        option, sign, value = (word.strip() for word in part.partition("="))
        if not sign or not option:
            missing = "the option's name is missing" if sign else "the option's value is missing"
            problems.append(Problem("rules", part.strip(), "", missing, _CANONICAL_FIX))
        elif option in found:
            problems.append(Problem(option, value, "", "set twice", "Set it once."))
        else:
            found[option] = value
    return name, found


def with_changes(text: str, changes: Sequence[str]) -> str:
    """Return the rules string with more changes, which are not validated here.

    >>> with_changes("wsgc-2021(decks=8)", ["soft_17=stand"])
    'wsgc-2021(decks=8,soft_17=stand)'
    """
    name, own_changes = _name_and_changes(text)
    return f"{name}({','.join([*filter(None, [own_changes]), *changes])})"


def _name_and_changes(text: object) -> tuple[str, str]:
    if not isinstance(text, str):
        raise _not_rules(text, "this isn't a rule set")
    if len(text) > MAX_RULES_LENGTH:
        raise _not_rules(text, f"a rule set can't be longer than {MAX_RULES_LENGTH:,} characters")
    stripped = text.strip()
    for item in _FILE_END.finditer(stripped):
        rest = stripped[item.end() :].lstrip()
        if not rest or rest.endswith(")"):
            return stripped[: item.end()], rest[1:-1]
    if worded := _SPACED_CHANGES.fullmatch(stripped):
        return worded[1], ",".join(worded[2].split())
    name, sign, rest = stripped.partition("(")
    name = name.rstrip()
    if not name or ")" in name or (sign and not rest.endswith(")")):
        raise _not_rules(text, "this isn't a rule set")
    return name, rest[:-1]


def _not_rules(text: object, message: str) -> RulesError:
    return RulesError([Problem("rules", short_repr(text), "", message, _CANONICAL_FIX)])


# --- Titles, notices, choices and sources in a rules file ---

MAX_TEXT_LENGTH = 200
MAX_REVISION = 1_000_000
MAX_NOTICES = 100
MAX_CHOICES = 100
_JACKPOT_CHOICES = ("games", "tables", "kinds", "best_only")


# The tables [choices], [jackpot_choices] and [sources], each indexed by option.
ChoiceTables = dict[str, dict[str, Any]]
CHOICE_TABLE_NAMES = ("choices", "jackpot_choices", "sources")


def read_text_field(
    data: Mapping[str, object],
    key: str,
    default: str,
    problems: list[Problem],
    longest: int = MAX_TEXT_LENGTH,
) -> str:
    raw = data.get(key, default)
    if isinstance(raw, str) and raw.isprintable() and len(raw) <= longest:
        return raw
    message = f"must be a string of at most {longest} characters on one line"
    fix = "Shorten it." if isinstance(raw, str) else "Write a string in quotes."
    if isinstance(raw, str) and not raw.isprintable():
        message += ", without control characters"
        fix = "Remove them."
    problems.append(Problem(key, short_repr(raw), "", message, fix))
    return default


def read_revision(data: Mapping[str, object], problems: list[Problem]) -> int:
    raw = data.get("revision", 1)
    if type(raw) is int and 1 <= raw <= MAX_REVISION:
        return raw
    message = f"must be a whole number from 1 to {MAX_REVISION:,}"
    fix = "Start with 1 and add 1 for each revision."
    problems.append(Problem("revision", short_repr(raw), "", message, fix))
    return 1


def read_notices(
    data: Mapping[str, object], default: tuple[str, ...], problems: list[Problem]
) -> tuple[str, ...]:
    raw = data.get("notices", list(default))
    if isinstance(raw, list | tuple) and len(raw) <= MAX_NOTICES:
        texts = {f"notices {number}": text for number, text in enumerate(raw, start=1)}
        return tuple(read_text_field(texts, key, "", problems) for key in texts)
    message = f"must be a list of at most {MAX_NOTICES} strings"
    problems.append(Problem("notices", short_repr(raw), "", message, "Write a list of strings."))
    return default


def read_choice_tables(data: Mapping[str, object], problems: list[Problem]) -> ChoiceTables:
    """Read the valid entries of the tables of choices and sources."""
    options = (*OPTIONS_BY_NAME, *ROW_FIELDS)
    known = {"choices": options, "jackpot_choices": _JACKPOT_CHOICES, "sources": options}
    entries = {name: _table_entries(name, data, known[name], problems) for name in known}
    tables: ChoiceTables = {}
    for name, pairs in entries.items():
        read = _read_source if name == "sources" else _read_choices
        values = {key: read(f"{name} {key}", key, raw, problems) for key, raw in pairs}
        tables[name] = {key: value for key, value in values.items() if value is not None}
    return tables


def _table_entries(
    name: str, data: Mapping[str, object], known: tuple[str, ...], problems: list[Problem]
) -> list[tuple[str, object]]:
    raw = data.get(name, {})
    if not isinstance(raw, Mapping):
        fix = f"Write it as a table: [{name}], then lines with option = value."
        problems.append(Problem(name, short_repr(raw), "", "must be a table of options", fix))
        return []
    for key, value in raw.items():
        if key not in known:
            word = short_repr(key)
            fix = did_you_mean(word, known)
            field = f"{name} {word}"
            problems.append(Problem(field, short_repr(value), "", "no such option", fix))
    return [(key, value) for key, value in raw.items() if key in known]


def _read_choices(
    field: str, key: str, raw: object, problems: list[Problem]
) -> tuple[Choice, ...] | None:
    if not isinstance(raw, list | tuple) or len(raw) > MAX_CHOICES:
        fix = f"List up to {MAX_CHOICES} values."
        problems.append(Problem(field, short_repr(raw), "", "must be a list", fix))
        return None
    found: list[Problem] = []
    for value in raw:
        if key in OPTIONS_BY_NAME:
            read_option(OPTIONS_BY_NAME[key], value, found, field)
        elif not isinstance(value, str | int):
            message = "must be a string or a number"
            found.append(Problem(field, short_repr(value), "", message, "Correct it."))
    problems += found
    return None if found else tuple(value for value in raw if isinstance(value, str | int))


def _read_source(field: str, _: str, raw: object, problems: list[Problem]) -> str | None:
    if isinstance(raw, str) and raw.isprintable() and len(raw) <= MAX_TEXT_LENGTH:
        return raw
    message = f"must be printable and at most {MAX_TEXT_LENGTH} characters long"
    fix = "Put the rule numbers in quotes."
    problems.append(Problem(field, short_repr(raw), "", message, fix))
    return None


# --- Presets and rules files ---

MAX_FILE_BYTES = 1_000_000  # rules take a few thousand bytes
MAX_PATH_LENGTH = 4096
MAX_EXTENDS_DEPTH = 20  # maximum length of a chain of files, each extending the next
_METADATA_KEYS = ("id", "title", "document", "revision", "extends", "notices", *CHOICE_TABLE_NAMES)


@dataclass(frozen=True, slots=True)
class RulesLayer:
    """Contents of a preset or file, merged over whatever it extends."""

    preset: str  # the packaged preset at the root, or ""
    title: str
    document: str
    revision: int
    values: Values  # options and rows that could be read
    tables: ChoiceTables
    notices: tuple[str, ...]  # other prohibitions and requirements in the document
    problems: tuple[Problem, ...] = ()


@cache
def preset_ids() -> tuple[str, ...]:
    """Return the names of all presets.

    >>> "wsgc-2021" in preset_ids()
    True
    """
    folder = rules_folder() / "presets"
    names = [path.name for path in folder.iterdir() if path.name.endswith(SUFFIX)]
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names))


def layer_of(name: str) -> RulesLayer:
    """Return the layer of a preset or file."""
    return file_layer(Path(name)) if name.endswith(SUFFIX) else preset_layer(name)


@cache
def preset_layer(name: str) -> RulesLayer:
    if name not in preset_ids():
        fix = (
            did_you_mean(name, [*preset_ids(), *variants()])
            + f" To name a file, end with {SUFFIX}."
        )
        raise RulesError([Problem("rules", name, "", "no such preset", fix)])
    data = read_toml(rules_folder() / "presets" / (name + SUFFIX))
    base = preset_layer(data["extends"]) if "extends" in data else None
    layer = _merge_layers(base, data, [])
    if layer.problems:
        raise RulesError(layer.problems)
    return replace(layer, preset=name)


def file_layer(path: Path, seen: tuple[Path, ...] = ()) -> RulesLayer:
    """Read a user's file.

    Invalid entries are added to the layer's problems; an unreadable file raises an error.
    """
    data = _parse_file(path)
    problems: list[Problem] = []
    base = _extended(data.get("extends"), path, (*seen, _resolved(path)), problems)
    return _merge_layers(base, data, problems)


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # circular symbolic links
        raise _unusable(path, "its symbolic links form a loop", "Name the file itself.") from None


def _parse_file(path: Path) -> dict[str, object]:
    raw = _read_content(path)
    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _unusable(path, "not a UTF-8 text file", "Save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise _unusable(path, f"invalid TOML: {error}", "Correct that line.") from None
    except RecursionError:
        raise _unusable(path, "its lists are nested too deeply", "Write plain values.") from None
    except ValueError:  # Python can't parse numbers with thousands of digits
        raise _unusable(path, "it contains a number that is too long", "Shorten it.") from None


def _read_content(path: Path) -> bytes:
    if path.suffix != SUFFIX:  # otherwise, a canonical string couldn't contain the name
        raise _unusable(path, f"a rules file's name must end in {SUFFIX}", "Rename it.")
    if not str(path).isprintable() or len(str(path)) > MAX_PATH_LENGTH:
        message = f"the path must be printable and at most {MAX_PATH_LENGTH} characters long"
        raise _unusable(path, message, "Rename it.")
    if path.is_fifo():  # reading it could block forever
        raise _unusable(path, "a pipe, not a file", "Name a rules file.")
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise _unusable(path, f"can't be read: {error.strerror}", "Check the path.") from None
    except ValueError:  # a null byte, which no path can contain
        raise _unusable(path, "not a valid file name", "Check the path.") from None
    if len(raw) > MAX_FILE_BYTES:
        raise _unusable(path, f"larger than {MAX_FILE_BYTES:,} bytes", "Name a rules file.")
    return raw


def _unusable(path: Path, message: str, fix: str) -> RulesError:
    return RulesError([Problem("file", str(path), "", message, fix)])


def _extended(
    name: object, path: Path, seen: tuple[Path, ...], problems: list[Problem]
) -> RulesLayer | None:
    """Return the layer that the file extends; its problems are reported with its file name."""
    if not isinstance(name, str):
        value = "not set" if name is None else short_repr(name)
        names = ", ".join([*preset_ids(), *variants()])
        fix = f'Write extends = "…", naming one of {names}, or a file ending in {SUFFIX}.'
        message = "a rules file must extend other rules"
        problems.append(Problem("extends", value, "R-001", message, fix))
        return None
    try:
        if not name.endswith(SUFFIX):
            if name not in variants():
                return preset_layer(name)
            preset, changes = split_text(variants()[name].rules, [])
            return _merge_layers(preset_layer(preset), changes, [])
        parent = path.parent / name
        if _resolved(parent) in seen:
            fix = "Remove one of the extends lines."
            raise _unusable(parent, "the files extend each other", fix)
        if len(seen) >= MAX_EXTENDS_DEPTH:
            message = f"at most {MAX_EXTENDS_DEPTH} files can extend one another"
            raise _unusable(parent, message, "Merge some of them.")
        layer = file_layer(parent, seen)
    except RulesError as error:
        problems += [
            each._replace(field="extends") if each.field in ("rules", "file") else each
            for each in error.problems
        ]
        return None
    except ValueError:  # a name with a null byte
        problems.append(Problem("extends", name, "", "not a valid file name", "Correct it."))
        return None
    problems += [problem._replace(field=f"{name}: {problem.field}") for problem in layer.problems]
    return layer


def _merge_layers(
    base: RulesLayer | None, data: Mapping[str, object], problems: list[Problem]
) -> RulesLayer:
    values = base.values if base else {}
    own = {key: raw for key, raw in data.items() if key not in _METADATA_KEYS}
    read = read_values(own, problems, values)
    read_text_field(data, "id", "", problems)
    return RulesLayer(
        preset=base.preset if base else "",
        title=read_text_field(data, "title", base.title if base else "", problems),
        document=read_text_field(data, "document", base.document if base else "", problems),
        revision=read_revision(data, problems),
        values=values | with_diamond_default(values, read),
        tables={
            name: (base.tables[name] if base else {}) | own_table
            for name, own_table in read_choice_tables(data, problems).items()
        },
        notices=read_notices(data, base.notices if base else (), problems),
        problems=tuple(problems),
    )


_SIDES = ("before", "after")


def read_values(
    data: Mapping[str, object], problems: list[Problem], extended: Values | None = None
) -> Values:
    """Read options and rows. Invalid ones are reported as problems, and the old value stays.

    A rules file may add rows before or after those of the rules it extends.
    """
    values: Values = {}
    for name, raw in data.items():
        found: list[Problem] = []
        value = _read_value(name, raw, found, extended)
        if not found or (name in ROW_FIELDS and value is not None):
            values[name] = value
        problems += found
    return values


def _read_value(name: str, raw: object, found: list[Problem], extended: Values | None) -> object:
    if name in OPTIONS_BY_NAME:
        return read_option(OPTIONS_BY_NAME[name], raw, found)
    if name == "jackpots" and isinstance(raw, str):
        raw = parse_jackpots(raw, found)
    if name in ROW_FIELDS:
        if extended is None or not isinstance(raw, Mapping) or not raw or set(raw) - set(_SIDES):
            return read_rows(name, raw, found)
        first, last = (read_rows(f"{name}.{side}", raw.get(side, ()), found) for side in _SIDES)
        if first is None or last is None:
            return None
        return (*first, *extended.get(name, ()), *last)
    found.append(unknown_option_problem(name, raw))
    return None


def unknown_option_problem(name: str, raw: object) -> Problem:
    fix = did_you_mean(name, [*OPTIONS_BY_NAME, *ROW_FIELDS])
    return Problem(name, short_repr(raw), "", "no such option", fix)


def read_option(
    option: Option, raw: object, problems: list[Problem], field: str = ""
) -> OptionValue | None:
    """Return the typed value, or None with a problem added."""
    try:
        value: OptionValue = option.read(raw)
    except READ_ERRORS as error:
        message = str(error).rstrip(".")
        place = field or option.name
        problems.append(Problem(place, short_repr(raw), option.rule, message, option.fix))
        return None
    return value


def read_rows(field: str, raw: object, problems: list[Problem]) -> tuple[Row, ...] | None:
    """Read the rows; None if one can't be built.

    An invalid part is reported as a problem and dropped from its row, so that the rest can still be
    checked.
    """
    row_type = ROW_FIELDS[field.partition(".")[0]]
    if not isinstance(raw, list | tuple):
        fix = f"Write it as [[{field}]]."
        problems.append(Problem(field, short_repr(raw), "", "must be a list of rows", fix))
        return None
    word = "game" if row_type is Jackpot else "row"
    rows = [
        _read_row(f"{field} {word} {number}", row, row_type, problems)
        for number, row in enumerate(raw, start=1)
    ]
    complete = tuple(row for row in rows if row is not None)
    return complete if len(complete) == len(rows) else None


def _read_row(place: str, row: object, row_type: type[Row], problems: list[Problem]) -> Row | None:
    parts = ROW_PARTS[row_type]
    needed = [part for part in parts.values() if part.needed]
    if isinstance(row, row_type):
        return row
    if not isinstance(row, Mapping):
        fix = f"A row needs {', '.join(part.name for part in needed)}."
        problems.append(Problem(place, short_repr(row), "", "must be a table of named values", fix))
        return None
    values: Values = {}
    for key, raw in row.items():
        if key in parts:
            value = read_option(parts[key], raw, problems, f"{place} {key}")
            if value is not None:
                values[key] = value
        else:
            name = short_repr(key)  # programs may pass any kind of key
            fix = did_you_mean(name, parts)
            problems.append(
                Problem(f"{place} {name}", short_repr(raw), "", "no such field in a row", fix)
            )
    problems += [
        Problem(f"{place} {part.name}", "not set", part.rule, "required", part.fix)
        for part in needed
        if part.name not in row
    ]
    if row_type is PayRow:
        _read_number_of_cards(place, row, values, problems)
        if "cards" not in values:
            return None
    return row_type(**values) if all(part.name in values for part in needed) else None


def _read_number_of_cards(
    place: str, row: Mapping[str, object], values: Values, problems: list[Problem]
) -> None:
    """Derive the number of cards from the ranks; one of the two is required."""
    if "ranks" not in row and "cards" not in row:
        fix = "Add cards or ranks."
        problems.append(Problem(f"{place} cards", "not set", "R-062", "required", fix))
    if not values.get("ranks"):
        return
    count = len(values["ranks"])
    if values.setdefault("cards", (count, count)) != (count, count):
        text = short_repr(row["cards"])
        message = "doesn't match the number of ranks"
        problems.append(Problem(f"{place} cards", text, "R-063", message, "Remove cards."))


def parse_jackpots(text: str, problems: list[Problem]) -> list[dict[str, str]]:
    """Parse `3c:1:wager=5+4d:7`: games joined by +, each with table, pay table, then name=value."""
    rows = []
    for game in text.split("+") if text not in ("", "none") else []:
        row: dict[str, str] = {}
        for place, part in enumerate(game.split(":")):
            key, sign, value = (word.strip() for word in part.partition("="))
            if not sign and place < 2:
                key, value = ("table", "pay_table")[place], key
            elif not sign:
                fix = "Write a game as table:pay table:name=value, such as 3c:1:wager=5."
                problems.append(Problem("jackpots", game, "R-086", f"{part!r} has no value", fix))
                continue
            if key in row:
                message = f"{key} is set twice"
                problems.append(Problem("jackpots", game, "R-086", message, "Set it once."))
            row[key] = value
        rows.append(row)
    return rows


# --- Loading and changing rules ---


def load_rules(text: str) -> Rules:
    """Load rules by preset or variant name, rules file or canonical string.

    >>> load_rules("wsgc-2021(decks=8,soft_17=stand)").decks
    8
    """
    problems: list[Problem] = []
    name, changes = split_text(text, problems)
    if name not in preset_ids() and name in variants():
        name, own = split_canonical(variants()[name].rules)
        changes = own | changes
    base = None
    try:
        is_file = name.endswith(SUFFIX)
        base = (
            _build_rules(file_layer(Path(name)), name, problems) if is_file else load_preset(name)
        )
    except RulesError as error:
        problems += error.problems
    rules = _apply_changes(base, changes, problems) if changes else base
    return valid_rules(rules, problems)


def load_file(path: Path) -> Rules:
    """Load a user's TOML file, which extends a preset or another file next to it."""
    problems: list[Problem] = []
    name = str(path)
    if name != name.strip():  # otherwise reading the canonical string would strip the spaces
        name = f"./{name}"
    return valid_rules(_build_rules(file_layer(path), name, problems), problems)


@cache
def load_preset(name: str) -> Rules:
    problems: list[Problem] = []
    return valid_rules(_build_rules(preset_layer(name), name, problems), problems)


def change_rules(rules: Rules, changes: Mapping[str, object]) -> Rules:
    """Return the same rules with some options changed; values may be strings or typed.

    >>> change_rules(load_rules("wsgc-2021"), {"decks": 8}).decks
    8
    """
    problems: list[Problem] = []
    return valid_rules(_apply_changes(rules, changes, problems), problems)


def split_canonical(text: str) -> tuple[str, dict[str, str]]:
    """Split `name(option=value,…)` into its parts; all syntax problems are reported at once."""
    problems: list[Problem] = []
    parts = split_text(text, problems)
    if problems:
        raise RulesError(problems)
    return parts


def _build_rules(layer: RulesLayer, name: str, problems: list[Problem]) -> Rules | None:
    problems += layer.problems
    if not layer.preset:
        return None  # the file extends nothing
    rules = Rules(
        name=name,
        title=layer.title or name,
        document=layer.document,
        revision=layer.revision,
        **layer.values,
    )
    rules = replace(
        rules, origin=_origin(layer.preset, start_of(rules), layer.tables, layer.notices)
    )
    problems += contradictions(rules, problems)
    return rules


def start_of(rules: Rules) -> Start:
    """Return the values that a canonical string can change."""
    return tuple((name, getattr(rules, name)) for name in START_FIELDS)


def _origin(preset: str, start: Start, tables: ChoiceTables, notices: tuple[str, ...]) -> Origin:
    # Stored rules omit a document's statements about new options, because the preset has them.
    choices, sources = (
        tuple(entry for entry in tables[part].items() if entry[0] not in NEW_DEFAULTS)
        for part in ("choices", "sources")
    )
    return Origin(
        preset=preset,
        start=start,
        choices=choices,
        jackpot_choices=tuple(tables["jackpot_choices"].items()),
        sources=sources,
        notices=notices,
    )


def _apply_changes(
    rules: Rules | None, changes: Mapping[str, object], problems: list[Problem]
) -> Rules | None:
    """Apply the changes; an invalid change is skipped, so that the others are still checked."""
    allowed: dict[str, object] = {}
    for name, raw in changes.items():
        if name in ROW_FIELDS and name != "jackpots":  # canonical strings can't express rows
            fix = f"Set them in a {SUFFIX} file that extends these rules."
            message = "rows can only be changed in a rules file"
            problems.append(Problem(name, short_repr(raw), "", message, fix))
        else:
            allowed[name] = raw
    values = read_values(allowed, problems)
    if rules is None:
        return None
    changed = replace(rules, **with_diamond_default(dict(start_of(rules)), values))
    problems += contradictions(changed, problems)
    return changed


def contradictions(rules: Rules, problems: list[Problem]) -> list[Problem]:
    """Return contradictions, except in options that couldn't be read and so have the old value."""
    unreadable = {problem.field for problem in problems}
    return [problem for problem in find_problems(rules) if problem.field not in unreadable]


def valid_rules(rules: Rules | None, problems: list[Problem]) -> Rules:
    if rules is None or problems:
        raise RulesError(list(dict.fromkeys(problems)))
    return rules


def choices_of(name: str) -> dict[str, list[Choice]]:
    """Return the choices that a preset's document leaves to the house, by option."""
    return {key: list(found) for key, found in layer_of(name).tables["choices"].items()}


def jackpot_choices_of(name: str) -> dict[str, list[Choice]]:
    """Return the jackpot game numbers, tables and kinds in a preset's document."""
    return {key: list(found) for key, found in layer_of(name).tables["jackpot_choices"].items()}


def sources_of(name: str) -> dict[str, str]:
    """Return the rule numbers that determine a preset's values, by option."""
    return layer_of(name).tables["sources"]


START_FIELDS = (*OPTIONS_BY_NAME, "jackpots")  # fields that a canonical string can change


# --- Rules from plain data ---

_DATA_KEYS = (
    "format",
    "name",
    "title",
    "document",
    "revision",
    "fingerprint",
    "options",
    *ROW_FIELDS,
    "origin",
)
_ORIGIN_KEYS = ("preset", "start", *CHOICE_TABLE_NAMES, "notices")
_PRESET_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
_DATA_FIX = "Pass the output of rules_data unchanged."


def rules_from_data(data: object) -> Rules:
    """Read rules written by `rules_data`; all problems are reported at once.

    >>> from ventiuna import load_rules, rules_data
    >>> rules = load_rules("super-fun-21")
    >>> rules_from_data(rules_data(rules)) == rules
    True
    """
    if not isinstance(data, Mapping):
        message = "must be an object, as written by rules_data"
        raise RulesError([Problem("rules", short_repr(data), "", message, _DATA_FIX)])
    problems: list[Problem] = []
    _check_keys("", data, _DATA_KEYS, problems)
    raw_format = data.get("format", RULES_FORMAT)
    if type(raw_format) is not int or raw_format != RULES_FORMAT:
        message = f"this version of Ventiuna reads only format {RULES_FORMAT}"
        fix = "Use the version that wrote it."
        problems.append(Problem("format", short_repr(raw_format), "", message, fix))
    values = _data_values(data, problems)
    name = _data_name(data, problems)
    origin = _data_origin(data["origin"], values, problems) if "origin" in data else Origin()
    title = read_text_field(data, "title", name, problems, longest=MAX_PATH_LENGTH)
    document = read_text_field(data, "document", "", problems)
    revision = read_revision(data, problems)
    if problems:  # fill in missing parts from the preset, so that the rest can still be checked
        if origin.preset not in preset_ids():
            raise RulesError(list(dict.fromkeys(problems)))
        base = load_preset(origin.preset)
        names = (*OPTIONS_BY_NAME, *ROW_FIELDS)
        values = {name: values.get(name, getattr(base, name)) for name in names}
    rules = Rules(
        name=name, title=title, document=document, revision=revision, origin=origin, **values
    )
    problems += contradictions(rules, problems)
    if not problems and data["fingerprint"] != fingerprint(rules):
        message = f"the fingerprint of these options and rows is {fingerprint(rules)}"
        stated = short_repr(data["fingerprint"])
        problems.append(Problem("fingerprint", stated, "", message, _DATA_FIX))
    return valid_rules(rules, problems)


def _check_keys(
    place: str, data: Mapping[object, object], known: tuple[str, ...], problems: list[Problem]
) -> None:
    for key in data:
        if key not in known:
            word = short_repr(key)
            fix = did_you_mean(word, known)
            message = "no such field"
            problems.append(Problem(place + word, short_repr(data[key]), "", message, fix))
    problems += [
        Problem(place + key, "not set", "", "required", _DATA_FIX)
        for key in known
        if key not in data
    ]


def _data_values(data: Mapping[str, object], problems: list[Problem]) -> Values:
    """Read the valid options and rows."""
    options = data.get("options", {})
    if not isinstance(options, Mapping):
        message = "must be an object with options"
        problems.append(Problem("options", short_repr(options), "", message, _DATA_FIX))
        options = {}
    problems += [
        unknown_option_problem(short_repr(key), options[key])
        for key in options
        if key not in OPTIONS_BY_NAME
    ]
    if "options" in data:
        problems += [
            Problem(option.name, "not set", option.rule, "required", _DATA_FIX)
            for option in OPTIONS
            if option.name not in options and option.name not in NEW_DEFAULTS
        ]
    values = {name: options[name] for name in OPTIONS_BY_NAME if name in options}
    rows = {name: data[name] for name in ROW_FIELDS if name in data}
    return NEW_DEFAULTS | read_values(values | rows, problems)


def _data_name(data: Mapping[str, object], problems: list[Problem]) -> str:
    name = read_text_field(data, "name", "", problems, longest=MAX_PATH_LENGTH)
    is_file = name.endswith(SUFFIX) and name == name.strip()
    if "name" in data and name and not is_file and not _PRESET_NAME.fullmatch(name):
        message = f"must be the name of a preset or of a file ending in {SUFFIX}"
        problems.append(Problem("name", name, "", message, _DATA_FIX))
    elif data.get("name") == "":
        problems.append(Problem("name", "empty", "", "required", _DATA_FIX))
    return name


def _data_origin(raw: object, values: Values, problems: list[Problem]) -> Origin:
    if not isinstance(raw, Mapping):
        message = "must be an object"
        problems.append(Problem("origin", short_repr(raw), "", message, _DATA_FIX))
        return Origin()
    _check_keys("origin ", raw, _ORIGIN_KEYS, problems)
    tables = read_choice_tables(raw, problems)
    preset = read_text_field(raw, "preset", "", problems)
    start = _data_start(raw.get("start", {}), values, problems)
    return _origin(preset, start, tables, read_notices(raw, (), problems))


def _data_start(raw: object, values: Values, problems: list[Problem]) -> Start:
    """Return the values before the changes; the data contains only those that were changed."""
    if raw is None:
        return ()
    if not isinstance(raw, Mapping):
        message = "must be an object with options"
        problems.append(Problem("origin start", short_repr(raw), "", message, _DATA_FIX))
        return ()
    named = {short_repr(key): value for key, value in raw.items()}
    found = [unknown_option_problem(key, named[key]) for key in named if key not in START_FIELDS]
    start = read_values({key: named[key] for key in START_FIELDS if key in named}, found)
    problems += [problem._replace(field=f"origin start {problem.field}") for problem in found]
    before: Values = values | start
    return tuple((name, before[name]) for name in START_FIELDS if name in before)
