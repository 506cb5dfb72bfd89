"""The report on one or more days: drop, win and hold by table, meters, and expected results.

Drop is the value of the chips bought. Win is the amount that the house kept from rounds that ended
on those gambling days, minus contributions to meters. Hold is win divided by drop; for one kind of
wager, win divided by the amount staked. The caller supplies the expected results, because this
package does no analysis. They apply to the wagers placed before the deal, treat all wagers as
independent, and assume best play.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from fractions import Fraction
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, cast

from sqlalchemy import Connection, Subquery, func, select, union_all
from typing_extensions import TypedDict, get_type_hints

from ventiuna.engine import events as round_events
from ventiuna.engine.events import JACKPOT_WAGERS, Wager
from ventiuna.errors import VentiunaError
from ventiuna.money import money_text
from ventiuna.rules import Rules, canonical, fingerprint, rules_from_data
from ventiuna.rules.text.phrases import headline
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.domain.handlers import SERVICE
from ventiuna.table.journal import Seal, newest_seal
from ventiuna.table.ledger import AccountKind, PlainData, PostingCode
from ventiuna.table.read_model import table_events
from ventiuna.table.store.schema import account, entry, game_table, house, jackpot, posting, round_
from ventiuna.texts import csv_cell, one_line, pluralize

T = TypeVar("T")
Date: TypeAlias = date  # in a class that has a field named date
START_HOUR = 6
LAST_HOUR = 23
MAX_DAYS = 366  # in one report


class DayError(VentiunaError, ValueError):
    """The day can't be reported."""


@dataclass(frozen=True, slots=True)
class GamblingDay:
    """The gambling day that begins on this date, or all days from this date to `last`.

    A round belongs to the day on which it ends.
    """

    date: date
    start_hour: int = START_HOUR
    zone: tzinfo = UTC
    last: Date | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.start_hour <= LAST_HOUR:
            raise DayError(f"The start hour must be 0 to {LAST_HOUR}, not {self.start_hour}.")
        if self.last_date == date.max:
            raise DayError(
                f"{self.last_date} is the last day of the calendar, so a gambling day can't begin "
                "on it."
            )
        if not 0 <= (self.last_date - self.date).days < MAX_DAYS:
            raise DayError(
                f"{self.name} isn't a range of 1 to {MAX_DAYS} days. Write the first day, two "
                "dots and the last day."
            )

    @property
    def last_date(self) -> Date:
        return self.last or self.date

    @property
    def name(self) -> str:
        """2026-11-16, or 2026-11-16..2026-11-18 for a range."""
        return f"{self.date}" if self.last_date == self.date else f"{self.date}..{self.last_date}"

    @property
    def start(self) -> int:
        """The first millisecond of the day, counted from 1970."""
        return _milliseconds(datetime.combine(self.date, time(self.start_hour), self.zone))

    @property
    def end(self) -> int:
        """The first millisecond after the last day."""
        tomorrow = self.last_date + timedelta(days=1)
        return _milliseconds(datetime.combine(tomorrow, time(self.start_hour), self.zone))

    def __str__(self) -> str:
        days = (
            f"day {self.date}"
            if self.last_date == self.date
            else (f"days {self.date} to {self.last_date}")
        )
        return f"gambling {days} from {self.start_hour:02d}:00"


def day_of(at: int, start_hour: int = START_HOUR, zone: tzinfo = UTC) -> GamblingDay:
    """The gambling day that contains this time."""
    here = datetime.fromtimestamp(at / 1000, zone)
    first = GamblingDay(here.date(), start_hour, zone)
    if at >= first.start:
        return first
    return GamblingDay(here.date() - timedelta(days=1), start_hour, zone)


def read_day(text: str, start_hour: int = START_HOUR, zone: tzinfo = UTC) -> GamblingDay:
    """Parse a day such as `2026-11-16`, or a range such as `2026-11-16..2026-11-18`."""
    first, dots, last = text.partition("..")
    return GamblingDay(_read_date(first), start_hour, zone, _read_date(last) if dots else None)


def _read_date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise DayError(f"{text[:20]!r} isn't a date. Write it like 2026-11-16.") from None


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp()) * 1000


def read_zone(name: str) -> tzinfo:
    """Return a time zone by name, or the computer's own if the name is empty."""
    if not name:
        local = datetime.now().astimezone().tzinfo
        assert local is not None, "the local time has a zone"
        return local
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        raise DayError(
            f"There is no time zone {name[:40]!r} (--zone). Name one such as UTC."
        ) from None


@dataclass(slots=True)
class WagerSums:
    """Totals for one kind of wager at one table, in cents."""

    placed: int = 0  # number of wagers
    staked: int = 0  # stakes, including doubles and splits
    win: int = 0  # the house's win, minus contributions to meters
    first: int = 0  # staked before the deal, the basis for the expected result
    squares: int = 0  # sum of the squares of those stakes


@dataclass(slots=True)
class TableSums:
    """Totals for a table's rounds that ended during a day."""

    rounds: int = 0
    void: int = 0
    by_wager: dict[Wager, WagerSums] = field(default_factory=dict)
    last: int = 0  # number of the last round counted

    def of(self, wager: Wager) -> WagerSums:
        return self.by_wager.setdefault(wager, WagerSums())


def table_sums(
    connection: Connection, table: int, day: GamblingDay, known: TableSums | None = None
) -> TableSums:
    """Add up a table's rounds, starting from any sums already `known` for the same day."""
    sums = deepcopy(known) if known else TableSums()
    for number, events in _rounds_of_day(connection, table, day, sums.last):
        sums.last = number
        if any(isinstance(event, round_events.RoundVoided) for event in events):
            sums.void += 1
        elif any(isinstance(event, round_events.CardDealt) for event in events):
            sums.rounds += 1
            _add_round(sums, events)
    return sums


def _rounds_of_day(
    connection: Connection, table: int, day: GamblingDay, after: int
) -> Iterator[tuple[int, list[TableEvent]]]:
    """Each round after number `after` that ended that day, from its opening to its closing."""
    bounds = connection.execute(
        select(round_.c.number, round_.c.first_version, round_.c.last_version)
        .join(
            entry,
            (entry.c.book_id == round_.c.table_id) & (entry.c.version == round_.c.last_version),
        )
        .where(
            round_.c.table_id == table,
            round_.c.number > after,
            entry.c.at >= day.start,
            entry.c.at < day.end,
        )
        .order_by(round_.c.number)
    ).all()
    if not bounds:
        return
    ended = {row.number for row in bounds}
    events: list[TableEvent] = []
    for _, _, _, event in table_events(connection, table, bounds[0].first_version):
        if isinstance(event, ev.RoundOpened):
            events = []
        events.append(event)
        if isinstance(event, ev.RoundClosed) and event.number in ended:
            yield event.number, events
            if event.number == bounds[-1].number:
                return


def _add_round(sums: TableSums, events: Sequence[TableEvent]) -> None:
    for placed in last_wagers(events):
        _add_first(sums.of(Wager.HAND), placed.base)
    for event in events:
        match event:
            case round_events.WagerSettled():
                settled = sums.of(event.wager)
                settled.staked += event.stake
                # Progressive awards are paid with players' money, so the house keeps the stake.
                settled.win += event.stake if event.meter else -event.net
                if event.wager is not Wager.HAND:
                    _add_first(settled, event.stake)
            case round_events.MeterRaised(reason="contribution"):
                sums.of(JACKPOT_WAGERS[event.game]).win -= event.amount
            case ev.ReserveRaised():
                sums.of(JACKPOT_WAGERS[event.game]).win -= event.amount
            case _:
                pass


def last_wagers(events: Sequence[TableEvent]) -> list[round_events.WagersPlaced]:
    """The wagers in place when the cards were dealt."""
    placed: dict[int, round_events.WagersPlaced] = {}
    for event in events:
        if isinstance(event, round_events.WagersPlaced):
            placed[event.spot] = event
        elif isinstance(event, round_events.WagersWithdrawn):
            placed.pop(event.spot, None)
    return list(placed.values())


def _add_first(sums: WagerSums, stake: int) -> None:
    if stake:
        sums.placed += 1
        sums.first += stake
        sums.squares += stake * stake


_FUND = (str(AccountKind.METER), str(AccountKind.RESERVE))


@dataclass(frozen=True, slots=True)
class Movement:
    """The sum of all postings with the same code and reason; negative if money left the account."""

    account: str  # meter or reserve
    code: str
    reason: str
    amount: int


@dataclass(frozen=True, slots=True)
class MeterDay:
    """One progressive's totals for the day in cents, including stripes."""

    jackpot: int
    name: str
    meter_before: int
    meter_after: int
    reserve_before: int
    reserve_after: int
    movements: tuple[Movement, ...]


def meter_days(connection: Connection, day: GamblingDay) -> list[MeterDay]:
    moves = _moves()
    before = _balances_before(connection, moves, day.start)
    after = _balances_before(connection, moves, day.end)
    movements = _movements(connection, moves, day)
    rows = connection.execute(select(jackpot.c.id, jackpot.c.name).order_by(jackpot.c.id))
    return [
        MeterDay(
            row.id,
            row.name,
            before[row.id, "meter"],
            after[row.id, "meter"],
            before[row.id, "reserve"],
            after[row.id, "reserve"],
            tuple(movements[row.id]),
        )
        for row in rows
    ]


def _moves() -> Subquery:
    """Postings to and from meters and reserves, once for each such account."""
    halves = [
        select(
            account.c.code.label("holder"),
            account.c.kind.label("kind"),
            posting.c.code.label("code"),
            posting.c.reason.label("reason"),
            (posting.c.amount * sign).label("cents"),
            entry.c.at.label("at"),
        )
        .join(account, account.c.id == column)
        .join(
            entry,
            (entry.c.book_id == posting.c.book_id) & (entry.c.version == posting.c.version),
        )
        .where(account.c.kind.in_(_FUND))
        for column, sign in ((posting.c.from_id, -1), (posting.c.to_id, 1))
    ]
    return union_all(*halves).subquery()


def _balances_before(
    connection: Connection, moves: Subquery, until: int
) -> dict[tuple[int, str], int]:
    query = (
        select(moves.c.holder, moves.c.kind, func.sum(moves.c.cents))
        .where(moves.c.at < until)
        .group_by(moves.c.holder, moves.c.kind)
    )
    totals: dict[tuple[int, str], int] = defaultdict(int)
    for holder, kind, cents in connection.execute(query):
        totals[_jackpot(holder), kind] += int(cents)
    return totals


def _movements(
    connection: Connection, moves: Subquery, day: GamblingDay
) -> dict[int, list[Movement]]:
    query = (
        select(
            moves.c.holder,
            moves.c.kind,
            moves.c.code,
            moves.c.reason,
            func.sum(moves.c.cents),
            func.min(moves.c.at),
        )
        .where(moves.c.at >= day.start, moves.c.at < day.end)
        .group_by(moves.c.holder, moves.c.kind, moves.c.code, moves.c.reason)
    )
    sums: dict[tuple[int, str, str, str], int] = defaultdict(int)
    began: dict[tuple[int, str, str, str], int] = {}
    for holder, kind, code, reason, cents, at in connection.execute(query):
        key = _jackpot(holder), kind, code, reason or ""
        sums[key] += int(cents)
        began[key] = min(at, began.get(key, at))
    found: dict[int, list[Movement]] = defaultdict(list)
    for key in sorted(sums, key=lambda key: (began[key], key)):  # as the meter went up and down
        number, kind, code, reason = key
        if sums[key]:  # a fold moves money within the fund, so its total is 0
            found[number].append(Movement(kind, code, reason, sums[key]))
    return found


def _jackpot(code: str) -> int:
    """The jackpot's number: `meter/2/7` belongs to jackpot 2."""
    return int(code.split("/")[1])


Z_95 = 1.959963984540054  # 95% of a normal distribution is within this many standard deviations


@dataclass(frozen=True, slots=True)
class Expectation:
    """The house's expected win and its standard deviation, per unit staked before the deal."""

    edge: Fraction
    deviation: float


Theory = Callable[[Rules, Wager], Expectation | None]


def no_theory(rules: Rules, wager: Wager) -> Expectation | None:
    """Return None: no theory is available."""
    return None


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected win in cents, with its 95% band."""

    win: float
    low: float
    high: float
    variance: float

    @property
    def cents(self) -> tuple[int, int, int]:
        return round(self.win), round(self.low), round(self.high)

    def is_outlier(self, win: int) -> bool:
        return not self.low <= win <= self.high


@dataclass(frozen=True, slots=True)
class WagerLine:
    wager: Wager
    placed: int
    staked: int
    win: int
    expected: Expected | None

    @property
    def hold(self) -> Fraction | None:
        return Fraction(self.win, self.staked) if self.staked else None

    @property
    def is_outlier(self) -> bool:
        return self.expected is not None and self.expected.is_outlier(self.win)


@dataclass(frozen=True, slots=True)
class TableLine:
    table: int
    name: str
    rules: Rules
    rounds: int
    void: int
    drop: int
    cashed_out: int
    win: int
    to_house: int  # bank drops less fills
    corrected: int  # the house's win from that day's round corrections, part of `win`
    expected: Expected | None  # expectation for the wagers with a theory
    wagers: tuple[WagerLine, ...]
    alarms: int = 0  # alarms of the monitor that day

    @property
    def hold(self) -> Fraction | None:
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def is_outlier(self) -> bool:
        """Whether the win is outside the band; False unless every wager has a theory."""
        complete = all(line.expected is not None for line in self.wagers if line.placed)
        return complete and self.expected is not None and self.expected.is_outlier(self.win)


@dataclass(frozen=True, slots=True)
class DailyReport:
    house: str
    day: GamblingDay
    tables: tuple[TableLine, ...]
    meters: tuple[MeterDay, ...]
    seal: Seal | None

    @property
    def drop(self) -> int:
        return sum(line.drop for line in self.tables)

    @property
    def win(self) -> int:
        return sum(line.win for line in self.tables)

    @property
    def hold(self) -> Fraction | None:
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def rounds(self) -> int:
        return sum(line.rounds for line in self.tables)


def daily_report(
    connection: Connection, day: GamblingDay, theory: Theory = no_theory
) -> DailyReport:
    """Report all tables with activity that day, from one snapshot of the database."""
    name = connection.scalar(select(house.c.name))
    return DailyReport(
        str(name or ""),
        day,
        tuple(table_lines(connection, day, theory)),
        tuple(meter_days(connection, day)),
        newest_seal(connection),
    )


def table_lines(
    connection: Connection,
    day: GamblingDay,
    theory: Theory,
    known: dict[int, TableSums] | None = None,
    only: Collection[int] | None = None,
) -> list[TableLine]:
    """All tables with activity that day, or only some of them.

    `known` keeps the sums of a day, so that the next call reads only new rounds.
    """
    query = select(game_table).order_by(game_table.c.id)
    if only is not None:
        query = query.where(game_table.c.id.in_(only))
    moved = _posting_totals(connection, day)
    alarms = _alarms(connection, day)
    lines = []
    for row in connection.execute(query).all():
        rules = rules_from_data(json.loads(row.rules_data))
        sums = table_sums(connection, row.id, day, known.get(row.id) if known else None)
        if known is not None:
            known[row.id] = sums
        codes = moved.get(row.id, {})
        if not sums.rounds and not sums.void and not codes and not alarms[row.id]:
            continue
        wagers = tuple(
            _wager_line(wager, sums.by_wager[wager], theory(rules, wager))
            for wager in Wager
            if wager in sums.by_wager
        )
        taken, paid = PostingCode.CORRECTION_TAKEN, PostingCode.CORRECTION_PAID
        corrected = codes.get(taken, 0) - codes.get(paid, 0)
        lines.append(
            TableLine(
                table=row.id,
                name=row.name,
                rules=rules,
                rounds=sums.rounds,
                void=sums.void,
                drop=codes.get(PostingCode.BUY_IN, 0),
                cashed_out=codes.get(PostingCode.CASH_OUT, 0),
                corrected=corrected,
                win=sum(line.win for line in wagers) + corrected,
                to_house=codes.get(PostingCode.DROP, 0) - codes.get(PostingCode.FILL, 0),
                expected=_sum_expected(wagers),
                wagers=wagers,
                alarms=alarms[row.id],
            )
        )
    return lines


_COUNTED_POSTINGS = (
    PostingCode.BUY_IN,
    PostingCode.CASH_OUT,
    PostingCode.DROP,
    PostingCode.FILL,
    PostingCode.CORRECTION_PAID,
    PostingCode.CORRECTION_TAKEN,
)


def _posting_totals(connection: Connection, day: GamblingDay) -> dict[int, dict[str, int]]:
    """Cents for each kind of posting, for each table with postings that day."""
    query = (
        select(posting.c.book_id, posting.c.code, func.sum(posting.c.amount))
        .join(
            entry,
            (entry.c.book_id == posting.c.book_id) & (entry.c.version == posting.c.version),
        )
        .where(
            entry.c.at >= day.start,
            entry.c.at < day.end,
            posting.c.code.in_([str(code) for code in _COUNTED_POSTINGS]),
        )
        .group_by(posting.c.book_id, posting.c.code)
    )
    found: dict[int, dict[str, int]] = {}
    for book, code, cents in connection.execute(query):
        found.setdefault(book, {})[code] = int(cents)
    return found


ALARM_KEYS = "alarm/"  # how the keys of the monitor's commands begin


def _alarms(connection: Connection, day: GamblingDay) -> Counter[int]:
    """Alarms of the monitor that day, by table."""
    query = select(entry.c.book_id).where(
        entry.c.actor == SERVICE.name,
        entry.c.key.like(f"{ALARM_KEYS}%"),
        entry.c.at >= day.start,
        entry.c.at < day.end,
    )
    return Counter(connection.scalars(query))


def _wager_line(wager: Wager, sums: WagerSums, theory: Expectation | None) -> WagerLine:
    expected = None
    if theory is not None and sums.first:
        win = float(theory.edge * sums.first)
        expected = _band(win, theory.deviation**2 * sums.squares)
    return WagerLine(wager, sums.placed, sums.staked, sums.win, expected)


def _band(win: float, variance: float) -> Expected:
    width = Z_95 * math.sqrt(variance)
    return Expected(win, win - width, win + width, variance)


def _sum_expected(wagers: tuple[WagerLine, ...]) -> Expected | None:
    known = [line.expected for line in wagers if line.expected is not None]
    if not known:
        return None
    return _band(sum(item.win for item in known), sum(item.variance for item in known))


ALARM_NOTE = "the monitor raised an alarm (see `ventiuna monitor`)"
OUTLIER_NOTE = "outside the 95% band; must be investigated in writing"
ASSUMPTIONS = (
    "The expected values assume best play and independent wagers. A table's hands share "
    "the dealer's cards, so the true band is wider."
)


def percent(share: Fraction | float) -> str:
    """Format a share as a percentage.

    >>> percent(Fraction(1, 3))
    '33.33%'
    """
    return f"{float(share * 100):.2f}%"


# --- Columns ---

Unit = Literal["text", "count", "cents", "share", "flag"]
_PRINTED: Mapping[Unit, Callable[[Any], str]] = {
    "text": str,
    "count": "{:,}".format,
    "cents": money_text,
    "share": percent,
    "flag": str,
}


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """A column of the report, declared with its data field.

    The text, JSON, CSV and web client tables are all derived from it.
    """

    heading: str
    unit: Unit
    read: Callable[[Any], object]  # gets the value from a line of the report
    csv: str = ""  # name in the CSV, if different

    def printed(self, value: object) -> str:
        return _PRINTED[self.unit](value)


@cache
def report_columns(kind: Any) -> Mapping[str, ReportColumn]:
    """The columns of a line's data, by their names in the JSON."""
    hints: dict[str, Any] = get_type_hints(kind, include_extras=True)
    return {
        name: item
        for name, hint in hints.items()
        for item in getattr(hint, "__metadata__", ())
        if isinstance(item, ReportColumn)
    }


def line_data(kind: type[T], line: object) -> T:
    """A line as plain data."""
    of: Any = kind
    values = {name: column.read(line) for name, column in report_columns(of).items()}
    return cast(
        T,
        {
            name: float(value) if isinstance(value, Fraction) else value
            for name, value in values.items()
        },
    )


def _expected_cents(place: int) -> Callable[[Any], int | None]:
    """Return a reader for the mean or an end of the band (None if nothing is expected)."""
    return lambda line: None if line.expected is None else line.expected.cents[place]


_Win = Annotated[int, ReportColumn("win", "cents", attrgetter("win"))]
_Hold = Annotated[float | None, ReportColumn("hold", "share", attrgetter("hold"))]
_Expected = Annotated[int | None, ReportColumn("expected", "cents", _expected_cents(0))]
_Low = Annotated[int | None, ReportColumn("95% low", "cents", _expected_cents(1))]
_High = Annotated[int | None, ReportColumn("95% high", "cents", _expected_cents(2))]
_Outlier = Annotated[bool, ReportColumn(OUTLIER_NOTE, "flag", attrgetter("is_outlier"))]


class ReportWager(TypedDict):
    wager: Annotated[str, ReportColumn("wager", "text", lambda line: str(line.wager), "line")]
    placed: Annotated[int, ReportColumn("placed", "count", attrgetter("placed"))]
    staked_cents: Annotated[int, ReportColumn("staked", "cents", attrgetter("staked"))]
    win_cents: _Win
    hold: _Hold
    expected_cents: _Expected
    low_cents: _Low
    high_cents: _High
    outlier: _Outlier


class TableFigures(TypedDict):
    """A table's line without its wagers."""

    table: Annotated[int, ReportColumn("table", "text", attrgetter("table"), "number")]
    name: Annotated[str, ReportColumn("name", "text", attrgetter("name"))]
    headline: Annotated[str, ReportColumn("game", "text", lambda line: headline(line.rules))]
    preset: Annotated[str, ReportColumn("preset", "text", attrgetter("rules.name"))]
    rules: Annotated[str, ReportColumn("rules", "text", lambda line: canonical(line.rules))]
    fingerprint: Annotated[
        str, ReportColumn("fingerprint", "text", lambda line: fingerprint(line.rules))
    ]
    rounds: Annotated[int, ReportColumn("rounds", "count", attrgetter("rounds"))]
    void: Annotated[int, ReportColumn("void", "count", attrgetter("void"))]
    drop_cents: Annotated[int, ReportColumn("drop", "cents", attrgetter("drop"))]
    cashed_out_cents: Annotated[int, ReportColumn("cashed out", "cents", attrgetter("cashed_out"))]
    to_house_cents: Annotated[int, ReportColumn("to the house", "cents", attrgetter("to_house"))]
    corrected_cents: Annotated[int, ReportColumn("corrected", "cents", attrgetter("corrected"))]
    win_cents: _Win
    hold: _Hold
    expected_cents: _Expected
    low_cents: _Low
    high_cents: _High
    outlier: _Outlier
    alarm: Annotated[bool, ReportColumn(ALARM_NOTE, "flag", lambda line: line.alarms > 0)]


class ReportTable(TableFigures):
    wagers: list[ReportWager]


class ReportMovement(TypedDict):
    account: Annotated[str, ReportColumn("account", "text", attrgetter("account"), "what")]
    code: Annotated[str, ReportColumn("posting", "text", attrgetter("code"), "line")]
    reason: Annotated[str | None, ReportColumn("reason", "text", attrgetter("reason"))]
    amount_cents: Annotated[
        int, ReportColumn("moved", "cents", attrgetter("amount"), "moved_cents")
    ]


class ReportMeter(TypedDict):
    """Amounts at the start and at the end of the day."""

    jackpot: int
    name: str
    meter_cents: tuple[int, int]
    reserve_cents: tuple[int, int]
    movements: list[ReportMovement]


class SealHash(TypedDict):
    number: int
    hash: str


class ColumnData(TypedDict):
    """A column of the tables' lines."""

    name: str
    heading: str
    unit: Unit


ReportData = TypedDict(
    "ReportData",
    {
        "house": str,
        "day": str,
        "last_day": str,
        "from": int,
        "to": int,
        "rounds": int,
        "drop_cents": int,
        "win_cents": int,
        "hold": float | None,
        "columns": list[ColumnData],
        "tables": list[ReportTable],
        "meters": list[ReportMeter],
        "assumed": str,
        "seal": SealHash | None,
    },
)


# --- Text ---


def report_lines(report: DailyReport) -> Iterator[str]:
    yield one_line(f"Report for {report.house}, {report.day}")
    hold = "" if report.hold is None else f", hold {percent(report.hold)}"
    yield (
        f"{pluralize(report.rounds, 'round')}, drop {money_text(report.drop)}, "
        f"win {money_text(report.win)}{hold}"
    )
    for table in report.tables:
        yield ""
        yield one_line(f"Table {table.table}, {table.name}: {headline(table.rules)}")
        yield one_line(f"  rules {canonical(table.rules)}")
        yield from _figure_lines("", line_data(TableFigures, table), TableFigures)
        for line in table.wagers:
            yield from _figure_lines(f"{line.wager}: ", line_data(ReportWager, line), ReportWager)
    for meter in report.meters:
        yield ""
        yield from _meter_lines(meter)
    yield ""
    if any(table.expected for table in report.tables):
        yield ASSUMPTIONS
    if report.seal is None:
        yield "There is no seal yet."
    else:
        yield f"Newest seal {report.seal.number}: {report.seal.hash.hex()}"


def _figure_lines(about: str, data: Mapping[str, Any], kind: Any) -> Iterator[str]:
    """A line's figures, and a line for each flag."""
    columns = report_columns(kind)
    yield f"  {about}" + ", ".join(
        f"{column.heading} {column.printed(data[name])}"
        for name, column in columns.items()
        if column.unit not in ("text", "flag") and data[name] is not None
    )
    for name, column in columns.items():
        if column.unit == "flag" and data[name]:
            yield f"  ! {about}{column.heading}"


def _meter_lines(meter: MeterDay) -> Iterator[str]:
    yield one_line(
        f"Jackpot {meter.jackpot}, {meter.name}: meter {money_text(meter.meter_before)} to "
        f"{money_text(meter.meter_after)}, reserve {money_text(meter.reserve_before)} to "
        f"{money_text(meter.reserve_after)}"
    )
    for move in meter.movements:
        reason = f" ({move.reason})" if move.reason else ""
        yield one_line(f"  {move.account}: {move.code} {money_text(move.amount)}{reason}")


# --- JSON and CSV ---


def report_data(report: DailyReport) -> ReportData:
    """The report as plain data; names of amounts in cents end in `_cents` (docs/json.md)."""
    seal = report.seal
    return {
        "house": report.house,
        "day": report.day.date.isoformat(),
        "last_day": report.day.last_date.isoformat(),
        "from": report.day.start,
        "to": report.day.end,
        "rounds": report.rounds,
        "drop_cents": report.drop,
        "win_cents": report.win,
        "hold": None if report.hold is None else float(report.hold),
        "columns": [
            {"name": name, "heading": column.heading, "unit": column.unit}
            for name, column in report_columns(TableFigures).items()
        ],
        "tables": [
            {
                **line_data(TableFigures, table),
                "wagers": [line_data(ReportWager, line) for line in table.wagers],
            }
            for table in report.tables
        ],
        "meters": [_meter_data(meter) for meter in report.meters],
        "assumed": ASSUMPTIONS,
        "seal": None if seal is None else {"number": seal.number, "hash": seal.hash.hex()},
    }


def _meter_data(meter: MeterDay) -> ReportMeter:
    return {
        "jackpot": meter.jackpot,
        "name": meter.name,
        "meter_cents": (meter.meter_before, meter.meter_after),
        "reserve_cents": (meter.reserve_before, meter.reserve_after),
        "movements": [line_data(ReportMovement, move) for move in meter.movements],
    }


def report_csv(report: DailyReport) -> str:
    """A row for each table, wager, and meter movement; no text can act as a formula."""
    out = io.StringIO()
    names = dict.fromkeys(_CSV_START)
    for kind in (TableFigures, ReportWager, ReportMovement):
        names |= dict.fromkeys(column.csv or name for name, column in report_columns(kind).items())
    writer = csv.DictWriter(out, list(names), restval="", lineterminator="\n")
    writer.writeheader()
    for row in _csv_rows(report):
        writer.writerow({"day": report.day.name, **row})
    return out.getvalue()


_CSV_START = ("day", "what", "number", "name", "line")


def _csv_rows(report: DailyReport) -> Iterator[PlainData]:
    """Rows by column; the first columns say what each row is about."""
    for table in report.tables:
        yield {"what": "table", **_cells(TableFigures, table)}
        about: PlainData = {"number": table.table, "name": csv_cell(table.name)}
        for line in table.wagers:
            yield {"what": "wager", **about, **_cells(ReportWager, line)}
    for meter in report.meters:
        about = {"number": meter.jackpot, "name": csv_cell(meter.name)}
        for move in meter.movements:
            yield {**about, **_cells(ReportMovement, move)}


def _cells(kind: Any, line: object) -> PlainData:
    columns = report_columns(kind)
    return {
        columns[name].csv or name: int(cell) if cell is True or cell is False else csv_cell(cell)
        for name, cell in line_data(kind, line).items()
    }
