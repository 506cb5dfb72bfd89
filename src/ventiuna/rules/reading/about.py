"""What stands in a rules file beside the options: titles, notices, choices, sources."""

from __future__ import annotations

from collections.abc import Mapping

from ventiuna.records import record
from ventiuna.rules.errors import Problem
from ventiuna.rules.model import Choice
from ventiuna.rules.options import BY_NAME
from ventiuna.rules.values import ROW_FIELDS, did_you_mean, read_option, shown

LONGEST_TEXT = 200
LARGEST_REVISION = 1_000_000
MOST_NOTICES = 100
MOST_CHOICES = 100
_JACKPOT_CHOICES = ("games", "tables", "kinds", "best_only")


@record(frozen=True, slots=True)
class Tables:
    """[choices], [jackpot_choices] and [sources], by option."""

    choices: dict[str, tuple[Choice, ...]]
    jackpot_choices: dict[str, tuple[Choice, ...]]
    sources: dict[str, str]

    def over(self, base: Tables | None) -> Tables:
        """These, and those of the base where these say nothing."""
        if base is None:
            return self
        return Tables(
            base.choices | self.choices,
            base.jackpot_choices | self.jackpot_choices,
            base.sources | self.sources,
        )


TABLE_NAMES = ("choices", "jackpot_choices", "sources")


def read_text(
    data: Mapping[str, object],
    key: str,
    usual: str,
    problems: list[Problem],
    longest: int = LONGEST_TEXT,
) -> str:
    raw = data.get(key, usual)
    if isinstance(raw, str) and raw.isprintable() and len(raw) <= longest:
        return raw
    message = f"this is a text of at most {longest} characters on one line"
    fix = "Shorten it." if isinstance(raw, str) else "Put such a text in quotes."
    if isinstance(raw, str) and not raw.isprintable():
        message += ", without control characters"
        fix = "Leave them out."
    problems.append(Problem(key, shown(raw), "", message, fix))
    return usual


def read_revision(data: Mapping[str, object], problems: list[Problem]) -> int:
    raw = data.get("revision", 1)
    if type(raw) is int and 1 <= raw <= LARGEST_REVISION:
        return raw
    message = f"this is a whole number from 1 to {LARGEST_REVISION:,}"
    fix = "Write 1 for the first, 2 for the next."
    problems.append(Problem("revision", shown(raw), "", message, fix))
    return 1


def read_notices(
    data: Mapping[str, object], usual: tuple[str, ...], problems: list[Problem]
) -> tuple[str, ...]:
    raw = data.get("notices", list(usual))
    if isinstance(raw, list | tuple) and len(raw) <= MOST_NOTICES:
        texts = {f"notices {number}": text for number, text in enumerate(raw, start=1)}
        return tuple(read_text(texts, key, "", problems) for key in texts)
    message = f"this is a list of at most {MOST_NOTICES} texts"
    problems.append(Problem("notices", shown(raw), "", message, "Write it as a list of texts."))
    return usual


def read_tables(data: Mapping[str, object], problems: list[Problem]) -> Tables:
    """The entries that make sense."""
    own = (*BY_NAME, *ROW_FIELDS)
    choices = _entries("choices", data, own, problems)
    jackpots = _entries("jackpot_choices", data, _JACKPOT_CHOICES, problems)
    sources = _entries("sources", data, own, problems)
    return Tables(
        choices=_choices("choices", choices, problems),
        jackpot_choices=_choices("jackpot_choices", jackpots, problems),
        sources={
            key: text
            for key, raw in sources.items()
            if (text := _source(f"sources {key}", raw, problems)) is not None
        },
    )


def _entries(
    name: str, data: Mapping[str, object], known: tuple[str, ...], problems: list[Problem]
) -> dict[str, object]:
    raw = data.get(name, {})
    if not isinstance(raw, Mapping):
        fix = f"Write it as a table: [{name}], then lines with option = value."
        problems.append(Problem(name, shown(raw), "", "this is a table of options", fix))
        return {}
    entries: dict[str, object] = {}
    for key, value in raw.items():
        if key in known:
            entries[key] = value
        else:
            fix = did_you_mean(shown(key), known)
            field = f"{name} {shown(key)}"
            problems.append(Problem(field, shown(value), "", "there is no such option", fix))
    return entries


def _choices(
    name: str, entries: Mapping[str, object], problems: list[Problem]
) -> dict[str, tuple[Choice, ...]]:
    found: dict[str, tuple[Choice, ...]] = {}
    for key, raw in entries.items():
        field = f"{name} {key}"
        if not isinstance(raw, list | tuple) or len(raw) > MOST_CHOICES:
            problems.append(Problem(field, shown(raw), "", "this can't be", "Write a list."))
            continue
        own: list[Problem] = []
        values = [value for value in raw if _is_choice(field, key, value, own)]
        if not own:
            found[key] = tuple(values)
        problems += own
    return found


def _is_choice(field: str, key: str, value: object, problems: list[Problem]) -> bool:
    if key in BY_NAME:
        own: list[Problem] = []
        read_option(BY_NAME[key], value, own)
        problems += [problem._replace(field=field) for problem in own]
        return not own and isinstance(value, str | int)
    if isinstance(value, str | int):
        return True
    problems.append(Problem(field, shown(value), "", "this can't be", "Write texts or numbers."))
    return False


def _source(field: str, raw: object, problems: list[Problem]) -> str | None:
    if isinstance(raw, str) and raw.isprintable() and len(raw) <= LONGEST_TEXT:
        return raw
    fix = "Write rule numbers in quotes."
    problems.append(Problem(field, shown(raw), "", "this can't be", fix))
    return None
