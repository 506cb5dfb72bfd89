"""What moved in the meters and reserves of progressives, each movement with its reason."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import Connection, Subquery, func, select, union_all

from ventiuna.table.ledger.chart import AccountKind
from ventiuna.table.reports.days import GamblingDay
from ventiuna.table.store.schema import account, entry, jackpot, posting

_FUND = (str(AccountKind.METER), str(AccountKind.RESERVE))


@dataclass(frozen=True, slots=True)
class Movement:
    """All postings of one kind and reason together; below zero where it left the account."""

    account: str  # meter or reserve
    code: str
    reason: str
    amount: int


@dataclass(frozen=True, slots=True)
class MeterDay:
    """One progressive, stripes included, in cents."""

    jackpot: int
    name: str
    meter_before: int
    meter_after: int
    reserve_before: int
    reserve_after: int
    movements: tuple[Movement, ...]


def meter_days(connection: Connection, day: GamblingDay) -> list[MeterDay]:
    moves = _moves()
    before = _held(connection, moves, day.start)
    after = _held(connection, moves, day.end)
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
    """Every posting of a meter or reserve, once for each of its two accounts that is one."""
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


def _held(connection: Connection, moves: Subquery, until: int) -> dict[tuple[int, str], int]:
    query = (
        select(moves.c.holder, moves.c.kind, func.sum(moves.c.cents))
        .where(moves.c.at < until)
        .group_by(moves.c.holder, moves.c.kind)
    )
    held: dict[tuple[int, str], int] = defaultdict(int)
    for holder, kind, cents in connection.execute(query):
        held[_jackpot(holder), kind] += int(cents)
    return held


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
        if cents:  # a fold moves from stripe to main account and changes nothing shown
            found[number].append(Movement(kind, code, reason, cents))
    return found


def _jackpot(code: str) -> int:
    """`meter/2/7` is of jackpot 2."""
    return int(code.split("/")[1])
