"""The daily report: what was wagered and won, table by table, beside what was to be expected.

Drop is what was bought in chips, win what the rounds that ended in the day left to the house,
contributions to meters taken off; hold is win by drop, of a wager win by what was staked. The
theory is given by whoever asks, because a table does not analyse; it speaks of stakes before
the deal, takes all wagers as independent of each other and the players as playing their best.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import Connection, func, select

from ventiuna.engine.stakes import Wager
from ventiuna.rules import Rules, rules_from_data
from ventiuna.table.books.seals import Seal, newest_seal
from ventiuna.table.ledger.chart import PostingCode
from ventiuna.table.reports.days import GamblingDay
from ventiuna.table.reports.meters import MeterDay, meter_days
from ventiuna.table.reports.wagers import WagerSums, table_sums
from ventiuna.table.store.schema import entry, game_table, house, posting

Z_95 = 1.959963984540054  # a normal variable lies within so many deviations 95 times of 100


@dataclass(frozen=True, slots=True)
class Expectation:
    """Of one unit staked before the deal: what the house wins, and the standard deviation."""

    edge: Fraction
    deviation: float


Theory = Callable[[Rules, Wager], Expectation | None]


def no_theory(rules: Rules, wager: Wager) -> Expectation | None:
    """Nobody has worked it out."""
    return None


@dataclass(frozen=True, slots=True)
class Expected:
    """Theoretical win in cents, and the 95 % band around it."""

    win: float
    low: float
    high: float
    variance: float

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
    to_house: int  # drops of the bank less its fills
    expected: Expected | None  # of the wagers with a theory
    wagers: tuple[WagerLine, ...]

    @property
    def hold(self) -> Fraction | None:
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def is_outlier(self) -> bool:
        """Only where every wager has a theory can the whole be held against it."""
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
    """All tables at which something happened in the day, from one moment of the database."""
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
                expected=_together(wagers),
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


_COUNTED = (PostingCode.BUY_IN, PostingCode.CASH_OUT, PostingCode.DROP, PostingCode.FILL)


def _moved(connection: Connection, day: GamblingDay) -> dict[int, dict[str, int]]:
    """Cents by kind of posting, of each table that moved any in the day."""
    query = (
        select(posting.c.book_id, posting.c.code, func.sum(posting.c.amount))
        .join(
            entry,
            (entry.c.book_id == posting.c.book_id) & (entry.c.version == posting.c.version),
        )
        .where(
            entry.c.at >= day.start,
            entry.c.at < day.end,
            posting.c.code.in_([str(code) for code in _COUNTED]),
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


def _together(wagers: tuple[WagerLine, ...]) -> Expected | None:
    known = [line.expected for line in wagers if line.expected is not None]
    if not known:
        return None
    return _band(sum(one.win for one in known), sum(one.variance for one in known))
