"""Points where the documents disagree or are silent: the value of every reading, as a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ventiuna.analysis.results import CENTS_2, PERCENT_6, Form, FormattedNumber
from ventiuna.package import version
from ventiuna.reports.ambiguity_readings import (
    FULL_TABLE_JACKPOT,
    JACKPOT_WAGER,
    LARGE_BASE,
    MATCH_WAGER,
    POINTS,
    SUPER_BONUS,
    Case,
    Point,
    Reading,
)
from ventiuna.reports.document import (
    Block,
    Document,
    Facts,
    Grid,
    Part,
    Text,
    identity_lines,
    imprint,
    points,
)
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.rules.text.comparison import DecidedBy
from ventiuna.rules.text.references import explain
from ventiuna.texts import brief_repr, pluralize

# --- The study ---

ROUNDS = 1000
_TINY = 5e-13  # the analyzer's rounding error


@dataclass(frozen=True, slots=True)
class Valued:
    """A reading and its value."""

    reading: Reading
    value: float | None  # the player's expected gain per unit wagered
    change: float | None  # compared with the implemented reading
    dollars: float | None  # the change in cents per 1,000 rounds
    is_present: bool
    note: str

    def as_data(self) -> dict[str, object]:
        return {
            "reading": self.reading.words,
            "documents": self.reading.documents or None,
            "is_built": self.is_present,
            "ev": self.value,
            "change": self.change,
            "per_1000_rounds_cents": self.dollars,
            "note": self.note or None,
        }


@dataclass(frozen=True, slots=True)
class StudiedPoint:
    point: Point
    readings: tuple[Valued, ...]
    stake: int  # cents; the wager behind the dollar amounts
    decided_by: DecidedBy  # according to the rules' own document; only SILENT is a real ambiguity

    @property
    def spread(self) -> float:
        """Difference between the best and the worst reading."""
        values = [each.value for each in self.readings if each.value is not None]
        return max(values) - min(values) if values else 0.0

    @property
    def differs(self) -> bool:
        """Whether the readings have different values."""
        return self.spread > 1e-12

    @property
    def status(self) -> str:
        """State of the point: "worked out", "worth nothing", "settled" or "not worked out"."""
        if self.point.zero:
            return "worth nothing"
        if self.point.settled:
            return "settled"
        return "not worked out" if self.point.unknown else "worked out"

    def as_data(self) -> dict[str, object]:
        one = explain(self.point.number)
        return {
            "number": self.point.number,
            "subject": one.title,
            "says": one.text or None,
            "built": one.built,
            "decided_by": str(self.decided_by),
            "standing": self.status,
            "of": self.point.of if self.readings else None,
            "stake_cents": self.stake if self.readings else None,
            "argument": self.point.zero or self.point.settled or None,
            "reason": self.point.unknown or None,
            "readings": [each.as_data() for each in self.readings],
        }


@dataclass(frozen=True, slots=True)
class AmbiguityStudy:
    rules: Rules
    base: int
    points: tuple[StudiedPoint, ...]

    __repr__ = brief_repr

    def as_data(self, command: str) -> dict[str, object]:
        return {
            "rules": canonical(self.rules),
            "fingerprint": fingerprint(self.rules),
            "version": version(),
            "base_cents": self.base,
            "rounds": ROUNDS,
            "points": [point.as_data() for point in self.points],
            "command": command,
        }


def study_ambiguities(
    rules: Rules, base: int | None = None, numbers: Iterable[str] = ()
) -> AmbiguityStudy:
    """Evaluate every reading of the points that apply to these rules, or of the given points."""
    base = rules.table_minimum if base is None else base
    selected = {number.upper() for number in numbers}
    case = Case(rules, base)
    points = (
        _studied(point, case)
        for point in POINTS
        if point.only(rules) and (not selected or point.number in selected)
    )
    return AmbiguityStudy(rules, base, tuple(points))


def _studied(point: Point, case: Case) -> StudiedPoint:
    found = [(reading, reading.worth(case)) for reading in point.readings]
    built = next((one.value for _, one in found if one.is_present), None)
    stake = _stake(point, case)
    readings = []
    for reading, one in found:
        change = None
        if one.value is not None and built is not None:
            change = one.value - built
            if abs(change) < _TINY:
                change = 0.0
        dollars = None if change is None else change * stake * ROUNDS
        readings.append(Valued(reading, one.value, change, dollars, one.is_present, one.note))
    return StudiedPoint(point, tuple(readings), stake, point.decided_by(case.rules))


def _stake(point: Point, case: Case) -> int:
    """Return the amount of the wager that the point is about, in cents."""
    if point.of in (JACKPOT_WAGER, FULL_TABLE_JACKPOT):
        return case.rules.jackpots[0].wager
    if point.of == MATCH_WAGER:
        return max(case.rules.mtd_minimum, case.rules.chip_unit)
    return LARGE_BASE if point.of == SUPER_BONUS else case.base


# --- The document ---

# Headings by who decides a point, according to the rules' document.
_GROUPS = {
    DecidedBy.SILENT: "Ambiguities",
    DecidedBy.HOUSE: "Left to the house by the document",
    DecidedBy.FIXED: "Clear in this document, different in others",
}
_ARGUED = {
    "worth nothing": "provably worth nothing",
    "settled": "settled: only one reading is possible",
    "not worked out": "not computed",
}


def ambiguities_document(study: AmbiguityStudy, command: str, in_full: bool = False) -> Document:
    found = study.points
    parts: list[Part] = []
    for decided_by, group in _GROUPS.items():
        parts += _parts(group, [each for each in found if each.decided_by is decided_by])
    for each in found if in_full else ():
        one = explain(each.point.number)
        rows = [("the documents say", one.text)] if one.text else []
        parts.append(Part(_subject(each), (Facts((*rows, ("built", one.built))),)))
    return Document(
        kind="Ambiguities",
        title=study.rules.title,
        lead=(*identity_lines(study.rules), _summary(found)),
        parts=tuple(parts),
        footer=imprint(command),
    )


def _parts(group: str, found: list[StudiedPoint]) -> Iterator[Part]:
    """Build one group: readings that differ, readings that don't, and points without figures."""
    differ = [each for each in found if each.differs]
    alike = [each for each in found if each.readings and not each.differs]
    if differ:
        yield Part(f"{group}: readings that differ", _readings(differ))
    if alike:
        note = Text("Computed exactly: with best play, the results are the same.")
        yield Part(f"{group}: readings with the same result", (*_readings(alike), note))
    for status, words in _ARGUED.items():
        rows = tuple(
            (_subject(each), each.point.zero or each.point.settled or each.point.unknown)
            for each in found
            if each.status == status
        )
        if rows:
            yield Part(f"{group}: {words}", (Facts(rows),))


def _summary(found: Sequence[StudiedPoint]) -> str:
    groups = Counter(each.decided_by for each in found)
    open_points = [each for each in found if each.decided_by is DecidedBy.SILENT]
    differ = sum(each.differs for each in open_points)
    alike = sum(bool(each.readings) and not each.differs for each in open_points)
    statuses = Counter(each.status for each in open_points)
    return (
        f"{pluralize(len(open_points), 'point')} on which the document is silent or contradicts "
        f"itself: {differ} with readings that differ in money, {alike} with the same exact result, "
        f"{statuses['worth nothing']} provably worth nothing, {statuses['settled']} "
        f"settled by the documents' own figures, {statuses['not worked out']} not computed. "
        f"{pluralize(groups[DecidedBy.HOUSE], 'more point')} left to the house, and "
        f"{groups[DecidedBy.FIXED]} clear in this document but different in others."
    )


def _subject(each: StudiedPoint) -> str:
    return f"{each.point.number} {explain(each.point.number).title}"


def _readings(found: list[StudiedPoint]) -> tuple[Block, ...]:
    return (*_grids(found), Text(_NOTE), *_notes(found))


_NOTE = (
    "Points and money show the player's change from the implemented reading; + is better. Exact, "
    "with best play in each case and a fresh shoe."
)


def _grids(found: list[StudiedPoint]) -> Iterator[Grid]:
    """Build one table for each kind of wager."""
    for wager, stake in {each.point.of: each.stake for each in found}.items():
        rows = tuple(
            _row(each, valued)
            for each in found
            if each.point.of == wager
            for valued in each.readings
        )
        yield Grid(
            f"Edge per unit of the {wager}; money for {ROUNDS:,} rounds with {CENTS_2.text(stake)}",
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


def _row(each: StudiedPoint, valued: Valued) -> tuple[str | FormattedNumber, ...]:
    words = valued.reading.words
    documents = f" ({valued.reading.documents})" if valued.reading.documents else ""
    name = f"{words}{documents}{', implemented' if valued.is_present else ''}"
    if valued.value is None:
        return _subject(each), name, "impossible with these rules", "", ""
    change = "" if valued.change is None else points(valued.change)
    money = "" if valued.dollars is None else _money(valued.dollars)
    return _subject(each), name, FormattedNumber(-valued.value, PERCENT_6), change, money


def _money(cents: float) -> FormattedNumber:
    """An amount with its sign; less than half a cent is printed as "below 1¢"."""
    shown = "below 1¢" if 0 < abs(cents) < 0.5 else ""
    return FormattedNumber(cents, Form(2, "cents", plus=True, zero="0"), shown)
