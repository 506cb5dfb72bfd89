"""Is a copy whole? Its chains, its heads, its seals and its balances say so."""

from __future__ import annotations

from sqlalchemy import Connection

from ventiuna.table.audit.differences import Differences
from ventiuna.table.audit.ledger import check_ledger
from ventiuna.table.backup.lines import BackupError
from ventiuna.table.books.entries import BrokenBook, read_heads, verify_book
from ventiuna.table.books.seals import BrokenSeal, verify_seals


def prove(connection: Connection) -> None:
    """Raises `BackupError` with the first thing that does not follow."""
    try:
        for number in read_heads(connection):
            verify_book(connection, number)
        verify_seals(connection)
    except (BrokenBook, BrokenSeal) as error:
        raise BackupError(f"The copy does not hold: {error}") from None
    differences = Differences()
    check_ledger(connection, differences)
    if differences.total:
        raise BackupError(f"The copy does not hold: {differences.kept[0]}")
