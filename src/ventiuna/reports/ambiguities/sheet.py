"""The readings of the open points as a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ventiuna.analysis.questions.again import command_text
from ventiuna.reports.ambiguities.study import (
    ROUNDS,
    AmbiguitiesQuestion,
    AmbiguityStudy,
    StudiedPoint,
    Valued,
)
from ventiuna.reports.numbers import dollars, percent, points
from ventiuna.reports.pages.document import Block, Document, Facts, Grid, Part, Text
from ventiuna.reports.statement import identity_lines, imprint
from ventiuna.rules.words.departures import Standing
from ventiuna.rules.words.explained import explain
from ventiuna.texts import counted

# Headings by who decides a point under the document of the rules.
_GROUPS = {
    Standing.SILENT: "Ambiguities",
    Standing.HOUSE: "Left to the house by the document",
    Standing.FIXED: "Plain in this document, different in others",
}
_ARGUED = {
    "worth nothing": "worth nothing, by argument",
    "settled": "settled: only one reading is possible",
    "not worked out": "not worked out",
}


def ambiguities_document(study: AmbiguityStudy, question: AmbiguitiesQuestion) -> Document:
    found = study.points
    parts: list[Part] = []
    for decided_by, group in _GROUPS.items():
        parts += _parts(group, [each for each in found if each.decided_by is decided_by])
    if question.numbers:
        parts += [_in_full(each) for each in found]
    return Document(
        kind="Ambiguities",
        title=study.rules.title,
        lead=(*identity_lines(study.rules), _counted(found)),
        parts=tuple(parts),
        footer=imprint(command_text(question.words(study.rules))),
    )


def _parts(group: str, found: list[StudiedPoint]) -> Iterator[Part]:
    """One group: readings that differ, readings that don't, and points without figures."""
    differ = [each for each in found if each.differs]
    alike = [each for each in found if each.readings and not each.differs]
    if differ:
        yield Part(f"{group}: readings that differ", _readings(differ))
    if alike:
        note = Text("Computed exactly: with best play, the results are the same.")
        yield Part(f"{group}: readings with the same result", (*_readings(alike), note))
    for standing, words in _ARGUED.items():
        rows = tuple(
            (_subject(each), each.point.zero or each.point.settled or each.point.unknown)
            for each in found
            if each.standing == standing
        )
        if rows:
            yield Part(f"{group}: {words}", (Facts(rows),))


def _counted(found: Sequence[StudiedPoint]) -> str:
    groups = Counter(each.decided_by for each in found)
    open_points = [each for each in found if each.decided_by is Standing.SILENT]
    differ = sum(each.differs for each in open_points)
    alike = sum(bool(each.readings) and not each.differs for each in open_points)
    standings = Counter(each.standing for each in open_points)
    return (
        f"{counted(len(open_points), 'point')} on which the document is silent or contradicts "
        f"itself: {differ} with readings that differ in money, {alike} with the same exact result, "
        f"{standings['worth nothing']} worth nothing by argument, {standings['settled']} "
        f"settled by what the documents print, {standings['not worked out']} not worked out. "
        f"{counted(groups[Standing.HOUSE], 'more point')} left to the house, and "
        f"{groups[Standing.FIXED]} plain in this document but different in others."
    )


def _subject(each: StudiedPoint) -> str:
    return f"{each.point.number} {explain(each.point.number).title}"


def _readings(found: list[StudiedPoint]) -> tuple[Block, ...]:
    return (*_grids(found), Text(_NOTE), *_notes(found))


_NOTE = (
    "Points and money are the change for the player against what is built, + is better. Exact, "
    "best play each time, fresh shoe."
)


def _grids(found: list[StudiedPoint]) -> Iterator[Grid]:
    """One for each wager that values are told for."""
    for wager, stake in {each.point.of: each.stake for each in found}.items():
        rows = tuple(
            _row(each, valued)
            for each in found
            if each.point.of == wager
            for valued in each.readings
        )
        yield Grid(
            f"Edge per unit of the {wager}; money for {ROUNDS:,} rounds with {dollars(stake)}",
            ("point", "reading", "edge", "points", "money"),
            rows,
            words=2,
            name=wager,
        )


def _notes(found: list[StudiedPoint]) -> Iterator[Text]:
    for each in found:
        for valued in each.readings:
            if valued.note:
                yield Text(f"{each.point.number}, {valued.reading.words}: {valued.note}.")


def _row(each: StudiedPoint, valued: Valued) -> tuple[str, ...]:
    words = valued.reading.words
    documents = f" ({valued.reading.documents})" if valued.reading.documents else ""
    name = f"{words}{documents}{', as built' if valued.is_present else ''}"
    if valued.value is None:
        return _subject(each), name, "not with these rules", "", ""
    change = "" if valued.change is None else points(valued.change)
    money = "" if valued.dollars is None else _money(valued.dollars)
    return _subject(each), name, percent(-valued.value), change, money


def _money(cents: float) -> str:
    """With its sign; less than half a cent is told as such."""
    if cents == 0:
        return "0"
    if abs(cents) < 0.5:
        return "below 1 ¢"
    return dollars(cents) if cents < 0 else f"+{dollars(cents)}"


def _in_full(each: StudiedPoint) -> Part:
    one = explain(each.point.number)
    rows = [("built", one.built)]
    if one.text:
        rows.insert(0, ("the documents say", one.text))
    return Part(_subject(each), (Facts(tuple(rows)),))
