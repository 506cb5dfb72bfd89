"""The ledger for who oversees it: sums by kind of account, entries that are looked for."""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlalchemy import Connection, func, or_, select

from ventiuna.engine.records import Data
from ventiuna.table.ledger.chart import ACCOUNT_RULES, AccountKind
from ventiuna.table.store.schema import account, book, entry, posting


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """All accounts of one kind."""

    kind: str
    meaning: str
    accounts: int
    cents: int


def ledger(connection: Connection) -> list[LedgerLine]:
    """Every kind, in the order of the chart; together they are 0."""
    rows = connection.execute(
        select(account.c.kind, func.count(), func.sum(account.c.balance)).group_by(account.c.kind)
    )
    held = {kind: (count, int(cents)) for kind, count, cents in rows}
    return [
        LedgerLine(str(kind), ACCOUNT_RULES[kind].meaning, *held.get(str(kind), (0, 0)))
        for kind in AccountKind
    ]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an entry must have; what is left out may be anything."""

    book: int | None = None
    actor: str = ""
    text: str = ""  # anywhere in the command: its name, a reason, a person
    code: str = ""  # of one of its postings


def search(connection: Connection, wanted: Wanted, before: int | None, most: int) -> list[Data]:
    """Entries of all books, the newest first; `before` is the time of the last one that is known.

    Events are left out: a command in play may have dealt a card that nobody may see yet.
    """
    query = (
        select(
            entry.c.book_id,
            book.c.kind,
            entry.c.version,
            entry.c.at,
            entry.c.actor,
            entry.c.command,
        )
        .join(book, book.c.id == entry.c.book_id)
        .order_by(entry.c.at.desc(), entry.c.book_id.desc(), entry.c.version.desc())
        .limit(most)
    )
    if before is not None:
        query = query.where(entry.c.at < before)
    if wanted.book is not None:
        query = query.where(entry.c.book_id == wanted.book)
    if wanted.actor:
        query = query.where(entry.c.actor == wanted.actor)
    if wanted.text:  # commands are told in words: `buy chips` finds `BuyChips`
        parts = {wanted.text, wanted.text.replace(" ", "")}
        query = query.where(
            or_(*(entry.c.command.icontains(part, autoescape=True) for part in sorted(parts)))
        )
    if wanted.code:
        same = (posting.c.book_id == entry.c.book_id) & (posting.c.version == entry.c.version)
        query = query.where(
            select(posting.c.line).where(same, posting.c.code == wanted.code).exists()
        )
    return [
        {
            "book": row.book_id,
            "kind": row.kind,
            "version": row.version,
            "at": row.at,
            "actor": row.actor,
            "command": _command(json.loads(row.command)),
        }
        for row in connection.execute(query)
    ]


def _command(data: Data) -> Data:
    """Without the rules of a table that it opens, which fill a page."""
    return {key: value for key, value in data.items() if key not in ("rules", "settings")}
