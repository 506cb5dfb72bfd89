"""Balances and bounds, folded from the postings of all books."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import Connection, func, literal_column, select

from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.ledger.chart import ACCOUNT_RULES, Bound, ChartError, kind_of
from ventiuna.table.store.schema import account, posting

_PLACE = Place()


def check_ledger(connection: Connection, differences: Differences) -> int:
    """Every account against its postings; says how many accounts there are."""
    due = _posted(connection)
    total = 0
    number = 0
    for row in connection.execute(select(account).order_by(account.c.id)):
        number += 1
        total += row.balance
        follows = due.pop(row.id, 0)
        if row.balance != follows:
            differences.add(
                Kind.BALANCE, _PLACE, row.code, f"{row.balance} cents", f"{follows} cents"
            )
        _check_kind(row.code, row.kind, row.balance, differences)
    for gone in sorted(due):
        differences.add(Kind.BALANCE, _PLACE, f"account {gone}", "no row", f"{due[gone]} cents")
    if total:
        differences.add(Kind.BALANCE, _PLACE, "all accounts together", f"{total} cents", "0 cents")
    return number


def _posted(connection: Connection) -> Counter[int]:
    """Cents by the number of an account.

    The database adds, upper and lower halves apart: forged amounts may exceed 64 bits together.
    """
    moved: Counter[int] = Counter()
    high = func.sum(posting.c.amount.op(">>")(literal_column("32")))
    low = func.sum(posting.c.amount.op("&")(literal_column(str(2**32 - 1))))
    for column, sign in ((posting.c.from_id, -1), (posting.c.to_id, 1)):
        for number, upper, lower in connection.execute(select(column, high, low).group_by(column)):
            moved[number] += sign * ((int(upper) << 32) + int(lower))
    return moved


def _check_kind(code: str, kind: str, balance: int, differences: Differences) -> None:
    try:
        due = kind_of(code)
    except ChartError as error:
        differences.add(Kind.BALANCE, _PLACE, code, "an account", error)
        return
    if kind != due:
        differences.add(Kind.BALANCE, _PLACE, f"{code}, kind", kind, due)
    bound = ACCOUNT_RULES[due].bound
    is_below = bound is Bound.NOT_BELOW_ZERO and balance < 0
    is_above = bound is Bound.NOT_ABOVE_ZERO and balance > 0
    if is_below or is_above:
        differences.add(Kind.BALANCE, _PLACE, code, f"{balance} cents", bound)
