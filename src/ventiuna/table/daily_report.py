"""The daily report of a house: drop, win and hold for each table, meters, and the expected results.

Drop is the value of the chips bought. Win is what the house kept from the rounds that ended during
the gambling day, less contributions to meters. Hold is win divided by drop; for one kind of wager,
win divided by the amount staked. The caller supplies the theory, because this package does no
analysis. The theory applies to stakes before the deal, treats all wagers as independent, and
assumes best play.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from fractions import Fraction

from sqlalchemy import Connection, Subquery, func, select, union_all
from typing_extensions import TypedDict

from ventiuna.engine import events as round_events
from ventiuna.engine.events import JACKPOT_WAGERS, Wager
from ventiuna.errors import VentiunaError
from ventiuna.money import money_text
from ventiuna.rules import Rules, canonical, fingerprint, rules_from_data
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.journal import Seal, newest_seal
from ventiuna.table.ledger import AccountKind, PlainData, PostingCode
from ventiuna.table.read_model import table_events
from ventiuna.table.store.schema import account, entry, game_table, house, jackpot, posting, round_
from ventiuna.texts import csv_cell, one_line, pluralize

START_HOUR = 6
LAST_HOUR = 23


class DayError(VentiunaError, ValueError):
    """The day can't be reported."""


@dataclass(frozen=True, slots=True)
class GamblingDay:
    """The gambling day that begins on this date; a round belongs to the day on which it ends."""

    date: date
    start_hour: int = START_HOUR
    zone: tzinfo = UTC

    def __post_init__(self) -> None:
        if not 0 <= self.start_hour <= LAST_HOUR:
            raise DayError(f"The start hour must be 0 to {LAST_HOUR}, not {self.start_hour}.")
        if self.date == date.max:
            raise DayError(
                f"{self.date} is the last day of the calendar, so a gambling day can't begin on it."
            )

    @property
    def start(self) -> int:
        """The first millisecond of the day, counted from 1970."""
        return _milliseconds(datetime.combine(self.date, time(self.start_hour), self.zone))

    @property
    def end(self) -> int:
        """The first millisecond of the next day."""
        tomorrow = self.date + timedelta(days=1)
        return _milliseconds(datetime.combine(tomorrow, time(self.start_hour), self.zone))

    def __str__(self) -> str:
        return f"{self.date.isoformat()} from {self.start_hour:02d}:00"


def day_of(at: int, start_hour: int = START_HOUR, zone: tzinfo = UTC) -> GamblingDay:
    """The gambling day that contains this time."""
    here = datetime.fromtimestamp(at / 1000, zone)
    first = GamblingDay(here.date(), start_hour, zone)
    if at >= first.start:
        return first
    return GamblingDay(here.date() - timedelta(days=1), start_hour, zone)


def read_day(text: str, start_hour: int = START_HOUR, zone: tzinfo = UTC) -> GamblingDay:
    """Parse a day such as `2026-11-16`."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise DayError(f"{text[:20]!r} isn't a date. Write it like 2026-11-16.") from None
    return GamblingDay(day, start_hour, zone)


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
    win: int = 0  # the house's win, less contributions to meters
    first: int = 0  # stakes before the deal, which the theory applies to
    squares: int = 0  # sum of the squares of those stakes


@dataclass(slots=True)
class TableSums:
    """Totals for a table's rounds that ended during a day."""

    rounds: int = 0
    void: int = 0
    by_wager: dict[Wager, WagerSums] = field(default_factory=dict)

    def of(self, wager: Wager) -> WagerSums:
        return self.by_wager.setdefault(wager, WagerSums())


def table_sums(connection: Connection, table: int, day: GamblingDay) -> TableSums:
    sums = TableSums()
    for events in _rounds_of_day(connection, table, day):
        if any(isinstance(event, round_events.RoundVoided) for event in events):
            sums.void += 1
        elif any(isinstance(event, round_events.CardDealt) for event in events):
            sums.rounds += 1
            _add_round(sums, events)
    return sums


def _rounds_of_day(
    connection: Connection, table: int, day: GamblingDay
) -> Iterator[list[TableEvent]]:
    """The events of each round that ended that day, from its opening to its closing."""
    bounds = connection.execute(
        select(round_.c.number, round_.c.first_version, round_.c.last_version)
        .join(
            entry,
            (entry.c.book_id == round_.c.table_id) & (entry.c.version == round_.c.last_version),
        )
        .where(round_.c.table_id == table, entry.c.at >= day.start, entry.c.at < day.end)
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
            yield events
            if event.number == bounds[-1].number:
                return


def _add_round(sums: TableSums, events: Sequence[TableEvent]) -> None:
    for placed in _last_wagers(events):
        _add_first(sums.of(Wager.HAND), placed.base)
    for event in events:
        match event:
            case round_events.WagerSettled():
                settled = sums.of(event.wager)
                settled.staked += event.stake
                # Progressive awards are players' money, so the house keeps the stake.
                settled.win += event.stake if event.meter else -event.net
                if event.wager is not Wager.HAND:
                    _add_first(settled, event.stake)
            case round_events.MeterRaised(reason="contribution"):
                sums.of(JACKPOT_WAGERS[event.game]).win -= event.amount
            case ev.ReserveRaised():
                sums.of(JACKPOT_WAGERS[event.game]).win -= event.amount
            case _:
                pass


def _last_wagers(events: Sequence[TableEvent]) -> list[round_events.WagersPlaced]:
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
    """One progressive's day in cents, including stripes."""

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
    """Every posting of a meter or a reserve, once for each such account."""
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
        select(moves.c.holder, moves.c.kind, moves.c.code, moves.c.reason, func.sum(moves.c.cents))
        .where(moves.c.at >= day.start, moves.c.at < day.end)
        .group_by(moves.c.holder, moves.c.kind, moves.c.code, moves.c.reason)
    )
    sums: dict[tuple[int, str, str, str], int] = defaultdict(int)
    for holder, kind, code, reason, cents in connection.execute(query):
        sums[_jackpot(holder), kind, code, reason or ""] += int(cents)
    found: dict[int, list[Movement]] = defaultdict(list)
    for (number, kind, code, reason), cents in sorted(sums.items()):
        if cents:  # a fold moves money within the fund, so its total is 0
            found[number].append(Movement(kind, code, reason, cents))
    return found


def _jackpot(code: str) -> int:
    """The jackpot's number: `meter/2/7` belongs to jackpot 2."""
    return int(code.split("/")[1])


Z_95 = 1.959963984540054  # 95% of a normal distribution is within this many standard deviations


@dataclass(frozen=True, slots=True)
class Expectation:
    """The house's win and the standard deviation per unit staked before the deal."""

    edge: Fraction
    deviation: float


Theory = Callable[[Rules, Wager], Expectation | None]


def no_theory(rules: Rules, wager: Wager) -> Expectation | None:
    """Return None: no theory is available."""
    return None


@dataclass(frozen=True, slots=True)
class Expected:
    """Theoretical win in cents, with the 95% band around it."""

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
    expected: Expected | None  # expectation for the wagers with a theory
    wagers: tuple[WagerLine, ...]

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
    def rounds(self) -> int:
        return sum(line.rounds for line in self.tables)


def daily_report(
    connection: Connection, day: GamblingDay, theory: Theory = no_theory
) -> DailyReport:
    """Report all tables with activity that day, from one snapshot of the database."""
    tables = connection.execute(select(game_table).order_by(game_table.c.id)).all()
    moved = _moved(connection, day)
    lines = []
    for row in tables:
        rules = rules_from_data(json.loads(row.rules_data))
        sums = table_sums(connection, row.id, day)
        codes = moved.get(row.id, {})
        if not sums.rounds and not sums.void and not codes:
            continue
        wagers = tuple(
            _wager_line(wager, sums.by_wager[wager], theory(rules, wager))
            for wager in Wager
            if wager in sums.by_wager
        )
        lines.append(
            TableLine(
                table=row.id,
                name=row.name,
                rules=rules,
                rounds=sums.rounds,
                void=sums.void,
                drop=codes.get(PostingCode.BUY_IN, 0),
                cashed_out=codes.get(PostingCode.CASH_OUT, 0),
                win=sum(line.win for line in wagers),
                to_house=codes.get(PostingCode.DROP, 0) - codes.get(PostingCode.FILL, 0),
                expected=_sum_expected(wagers),
                wagers=wagers,
            )
        )
    name = connection.scalar(select(house.c.name))
    return DailyReport(
        str(name or ""),
        day,
        tuple(lines),
        tuple(meter_days(connection, day)),
        newest_seal(connection),
    )


_COUNTED_POSTINGS = (PostingCode.BUY_IN, PostingCode.CASH_OUT, PostingCode.DROP, PostingCode.FILL)


def _moved(connection: Connection, day: GamblingDay) -> dict[int, dict[str, int]]:
    """Cents by kind of posting, for each table with postings that day."""
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


OUTLIER_NOTE = "outside the 95% band; must be investigated in writing"
ASSUMPTIONS = (
    "The expected values assume best play and independent wagers. A table's hands share "
    "the dealer's cards, so its real band is wider."
)


def report_lines(report: DailyReport) -> Iterator[str]:
    yield one_line(f"Daily report of {report.house}, gambling day {report.day}")
    yield (
        f"{pluralize(report.rounds, 'round')}, drop {money_text(report.drop)}, "
        f"win {money_text(report.win)}{_hold(report.win, report.drop)}"
    )
    for table in report.tables:
        yield ""
        yield from _table_lines(table)
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


def _table_lines(table: TableLine) -> Iterator[str]:
    void = f", {table.void} void" if table.void else ""
    yield one_line(f"Table {table.table}, {table.name}, rules {canonical(table.rules)}")
    yield (
        f"  {pluralize(table.rounds, 'round')}{void}; cashed out {money_text(table.cashed_out)}, "
        f"to the house {money_text(table.to_house)}"
    )
    yield (
        f"  drop {money_text(table.drop)}, win {money_text(table.win)}"
        f"{_hold(table.win, table.drop)}{_expected(table.expected)}"
    )
    if table.is_outlier:
        yield f"  ! {OUTLIER_NOTE}"
    for line in table.wagers:
        yield (
            f"  {line.wager}: {line.placed:,} placed, staked {money_text(line.staked)}, win "
            f"{money_text(line.win)}{_hold(line.win, line.staked)}{_expected(line.expected)}"
        )
        if line.is_outlier:
            yield f"  ! {line.wager}: {OUTLIER_NOTE}"


def _meter_lines(meter: MeterDay) -> Iterator[str]:
    yield one_line(
        f"Jackpot {meter.jackpot}, {meter.name}: meter {money_text(meter.meter_before)} to "
        f"{money_text(meter.meter_after)}, reserve {money_text(meter.reserve_before)} to "
        f"{money_text(meter.reserve_after)}"
    )
    for move in meter.movements:
        reason = f" ({move.reason})" if move.reason else ""
        yield one_line(f"  {move.account}: {move.code} {money_text(move.amount)}{reason}")


def _hold(win: int, of: int) -> str:
    return f", hold {percent(Fraction(win, of))}" if of else ""


def _expected(expected: Expected | None) -> str:
    if expected is None:
        return ""
    win, low, high = (money_text(cents) for cents in expected.cents)
    return f"; expected {win}, {low} to {high}"


def percent(share: Fraction) -> str:
    """Format a share as a percentage.

    >>> percent(Fraction(1, 3))
    '33.33%'
    """
    return f"{float(share * 100):.2f}%"


class ExpectedData(TypedDict):
    """Null if there is no theory."""

    expected_cents: int | None
    low_cents: int | None
    high_cents: int | None


class ReportWager(ExpectedData):
    wager: str
    placed: int
    staked_cents: int
    win_cents: int
    hold: float | None
    outlier: bool


class ReportTable(ExpectedData):
    table: int
    name: str
    preset: str
    rules: str
    fingerprint: str
    rounds: int
    void: int
    drop_cents: int
    cashed_out_cents: int
    to_house_cents: int
    win_cents: int
    hold: float | None
    outlier: bool
    wagers: list[ReportWager]


class ReportMovement(TypedDict):
    account: str
    code: str
    reason: str | None
    amount_cents: int


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


ReportData = TypedDict(
    "ReportData",
    {
        "house": str,
        "day": str,
        "from": int,
        "to": int,
        "rounds": int,
        "drop_cents": int,
        "win_cents": int,
        "tables": list[ReportTable],
        "meters": list[ReportMeter],
        "assumed": str,
        "seal": SealHash | None,
    },
)


def report_data(report: DailyReport) -> ReportData:
    """The report as plain data; names of amounts in cents end in `_cents` (docs/json.md)."""
    seal = report.seal
    return {
        "house": report.house,
        "day": report.day.date.isoformat(),
        "from": report.day.start,
        "to": report.day.end,
        "rounds": report.rounds,
        "drop_cents": report.drop,
        "win_cents": report.win,
        "tables": [_table_data(table) for table in report.tables],
        "meters": [_meter_data(meter) for meter in report.meters],
        "assumed": ASSUMPTIONS,
        "seal": None if seal is None else {"number": seal.number, "hash": seal.hash.hex()},
    }


def _table_data(table: TableLine) -> ReportTable:
    return {
        "table": table.table,
        "name": table.name,
        "preset": table.rules.name,
        "rules": canonical(table.rules),
        "fingerprint": fingerprint(table.rules),
        "rounds": table.rounds,
        "void": table.void,
        "drop_cents": table.drop,
        "cashed_out_cents": table.cashed_out,
        "to_house_cents": table.to_house,
        "win_cents": table.win,
        "hold": _share(table.hold),
        **_expected_data(table.expected),
        "outlier": table.is_outlier,
        "wagers": [_wager_data(line) for line in table.wagers],
    }


def _wager_data(line: WagerLine) -> ReportWager:
    return {
        "wager": str(line.wager),
        "placed": line.placed,
        "staked_cents": line.staked,
        "win_cents": line.win,
        "hold": _share(line.hold),
        **_expected_data(line.expected),
        "outlier": line.is_outlier,
    }


def _expected_data(expected: Expected | None) -> ExpectedData:
    mean, low, high = (None,) * 3 if expected is None else expected.cents
    return {"expected_cents": mean, "low_cents": low, "high_cents": high}


def _meter_data(meter: MeterDay) -> ReportMeter:
    return {
        "jackpot": meter.jackpot,
        "name": meter.name,
        "meter_cents": (meter.meter_before, meter.meter_after),
        "reserve_cents": (meter.reserve_before, meter.reserve_after),
        "movements": [_movement_data(move) for move in meter.movements],
    }


def _movement_data(move: Movement) -> ReportMovement:
    return {
        "account": move.account,
        "code": move.code,
        "reason": move.reason,
        "amount_cents": move.amount,
    }


def _share(share: Fraction | None) -> float | None:
    return None if share is None else float(share)


CSV_COLUMNS = (
    "day",
    "what",
    "number",
    "name",
    "rules",
    "fingerprint",
    "line",
    "reason",
    "rounds",
    "placed",
    "drop_cents",
    "staked_cents",
    "win_cents",
    "moved_cents",
    "expected_cents",
    "low_cents",
    "high_cents",
    "outlier",
)


def report_csv(report: DailyReport) -> str:
    """A row for each table, wager and meter movement; text can't be mistaken for a formula."""
    out = io.StringIO()
    writer = csv.DictWriter(
        out, CSV_COLUMNS, restval="", extrasaction="ignore", lineterminator="\n"
    )
    writer.writeheader()
    day = report.day.date.isoformat()
    for row in _rows(report):
        cells = (
            (name, int(cell) if cell is True or cell is False else csv_cell(cell))
            for name, cell in row.items()
        )
        writer.writerow({**dict(cells), "day": day})
    return out.getvalue()


def _rows(report: DailyReport) -> Iterator[PlainData]:
    """The records of the JSON data, with the columns that say what each one is about."""
    for table in report.tables:
        about: PlainData = {"number": table.table, "name": table.name}
        yield {**_table_data(table), **about, "what": "table"}
        for line in table.wagers:
            yield {**_wager_data(line), **about, "what": "wager", "line": str(line.wager)}
    for meter in report.meters:
        about = {"number": meter.jackpot, "name": meter.name}
        for move in meter.movements:
            data = _movement_data(move)
            yield {
                **data,
                **about,
                "what": move.account,
                "line": move.code,
                "moved_cents": data["amount_cents"],
            }
