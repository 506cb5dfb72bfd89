"""Rules out of plain data: as strict as a rules file, and without one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields

from ventiuna.rules.as_data import FORMAT
from ventiuna.rules.canonical import fingerprint
from ventiuna.rules.data import SUFFIX
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.model import Origin, Rules, Start
from ventiuna.rules.options import OPTIONS
from ventiuna.rules.reading.about import (
    TABLE_NAMES,
    read_notices,
    read_revision,
    read_tables,
    read_text,
)
from ventiuna.rules.reading.files import LONGEST_PATH, preset_ids, read_values
from ventiuna.rules.reading.loading import START_FIELDS, contradictions, load_preset, sound
from ventiuna.rules.values import ROW_FIELDS, Values, did_you_mean, read_unknown, shown

_KEYS = (
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
_ORIGIN_KEYS = ("preset", "start", *TABLE_NAMES, "notices")
_PRESET_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
_FIX = "Give what rules_data wrote, unchanged."


def rules_from_data(data: object) -> Rules:
    """The rules that `rules_data` wrote; all problems of other data are told at once.

    >>> from ventiuna import load_rules, rules_data
    >>> rules = load_rules("super-fun-21")
    >>> rules_from_data(rules_data(rules)) == rules
    True
    """
    if not isinstance(data, Mapping):
        message = "rules as data are an object with named parts"
        raise RulesError([Problem("rules", shown(data), "", message, _FIX)])
    problems: list[Problem] = []
    _check_keys("", data, _KEYS, problems)
    _check_format(data, problems)
    values = _values(data, problems)
    name = _name(data, problems)
    origin = _origin(data["origin"], values, problems) if "origin" in data else Origin()
    title = read_text(data, "title", name, problems, longest=LONGEST_PATH)
    document = read_text(data, "document", "", problems)
    revision = read_revision(data, problems)
    complete = _with_stand_ins(values, origin.preset) if problems else values
    if complete is None:
        return sound(None, problems)
    rules = Rules(
        name=name, title=title, document=document, revision=revision, origin=origin, **complete
    )
    problems += contradictions(rules, problems)
    if not problems:
        _check_fingerprint(rules, data["fingerprint"], problems)
    return sound(rules, problems)


def _check_keys(
    place: str, data: Mapping[object, object], known: tuple[str, ...], problems: list[Problem]
) -> None:
    for key in data:
        if key not in known:
            word = shown(key)
            fix = did_you_mean(word, known)
            message = "there is no such part of rules"
            problems.append(Problem(place + word, shown(data[key]), "", message, fix))
    problems += [
        Problem(place + key, "not set", "", "it is missing", _FIX)
        for key in known
        if key not in data
    ]


def _check_format(data: Mapping[str, object], problems: list[Problem]) -> None:
    raw = data.get("format", FORMAT)
    if type(raw) is not int or raw != FORMAT:
        message = f"this version of Ventiuna reads format {FORMAT}"
        fix = "Read it with the version that wrote it."
        problems.append(Problem("format", shown(raw), "", message, fix))


def _values(data: Mapping[str, object], problems: list[Problem]) -> Values:
    """Options and rows that can be read."""
    options = data.get("options", {})
    if not isinstance(options, Mapping):
        message = "this is an object of options"
        problems.append(Problem("options", shown(options), "", message, _FIX))
        options = {}
    known = [option.name for option in OPTIONS]
    problems += [read_unknown(shown(key), options[key]) for key in options if key not in known]
    if "options" in data:
        problems += [
            Problem(option.name, "not set", option.rule, "it is missing", _FIX)
            for option in OPTIONS
            if option.name not in options
        ]
    given = {name: options[name] for name in known if name in options}
    rows = {name: data[name] for name in ROW_FIELDS if name in data}
    return read_values(given | rows, problems)


def _name(data: Mapping[str, object], problems: list[Problem]) -> str:
    name = read_text(data, "name", "", problems, longest=LONGEST_PATH)
    is_file = name.endswith(SUFFIX) and name == name.strip()
    if "name" in data and name and not is_file and not _PRESET_NAME.fullmatch(name):
        message = f"rules are named by a preset or by a file ending in {SUFFIX}"
        problems.append(Problem("name", name, "", message, _FIX))
    elif data.get("name") == "":
        problems.append(Problem("name", "empty", "", "rules have a name", _FIX))
    return name


def _origin(raw: object, values: Values, problems: list[Problem]) -> Origin:
    if not isinstance(raw, Mapping):
        message = "this is an object with named parts"
        problems.append(Problem("origin", shown(raw), "", message, _FIX))
        return Origin()
    _check_keys("origin ", raw, _ORIGIN_KEYS, problems)
    tables = read_tables(raw, problems)
    return Origin(
        preset=read_text(raw, "preset", "", problems),
        start=_start(raw.get("start", {}), values, problems),
        choices=tuple(tables.choices.items()),
        jackpot_choices=tuple(tables.jackpot_choices.items()),
        sources=tuple(tables.sources.items()),
        notices=read_notices(raw, (), problems),
    )


def _start(raw: object, values: Values, problems: list[Problem]) -> Start:
    """The values before the changes; those that did not change are not repeated."""
    if raw is None:
        return ()
    if not isinstance(raw, Mapping):
        message = "this is an object of options"
        problems.append(Problem("origin start", shown(raw), "", message, _FIX))
        return ()
    given = {shown(key): value for key, value in raw.items()}
    found = [read_unknown(key, given[key]) for key in given if key not in START_FIELDS]
    start = read_values({key: given[key] for key in START_FIELDS if key in given}, found)
    problems += [problem._replace(field=f"origin start {problem.field}") for problem in found]
    before: Values = values | start
    return tuple((name, before[name]) for name in START_FIELDS if name in before)


def _with_stand_ins(values: Values, preset: str) -> Values | None:
    """The preset's values where the data have none, so that the rest can still be checked."""
    if preset not in preset_ids():
        return None
    base = load_preset(preset)
    names = [field.name for field in fields(Rules) if field.name in (*START_FIELDS, *ROW_FIELDS)]
    return {name: values.get(name, getattr(base, name)) for name in names}


def _check_fingerprint(rules: Rules, stated: object, problems: list[Problem]) -> None:
    if stated != fingerprint(rules):
        message = f"these options and rows have fingerprint {fingerprint(rules)}"
        problems.append(Problem("fingerprint", shown(stated), "", message, _FIX))
