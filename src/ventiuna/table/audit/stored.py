"""Entries and postings as their rows are, good or bad, a page at a time."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from ventiuna.table.ledger.chain import Data, Entry, Posting
from ventiuna.table.ledger.chart import PostingCode
from ventiuna.table.store.prepared import Prepared
from ventiuna.table.store.schema import account, entry, posting

PAGE = 500  # entries


class Line(NamedTuple):
    """A posting; accounts are named by their codes, None where there is no such account."""

    number: int
    code: str
    from_account: str | None
    to_account: str | None
    from_kind: str
    to_kind: str
    amount: int
    round_number: int | None
    event: int | None
    spot: int | None
    reason: str | None

    def data(self) -> Data:
        """As it is hashed."""
        return {
            "amount": self.amount,
            "code": self.code,
            "event": self.event,
            "from": self.from_account,
            "reason": self.reason,
            "round": self.round_number,
            "spot": self.spot,
            "to": self.to_account,
        }

    def __str__(self) -> str:
        reason = f" ({self.reason})" if self.reason is not None else ""
        return (
            f"{self.code} of {self.amount} cents from {self.from_account} to {self.to_account}, "
            f"event {self.event}, round {self.round_number}, spot {self.spot}{reason}"
        )


def line_of(number: int, line: Posting) -> Line:
    """The row that this posting becomes."""
    return Line(
        number,
        str(line.code),
        line.from_account,
        line.to_account,
        str(line.from_kind),
        str(line.to_kind),
        line.amount,
        line.round_number,
        line.event,
        line.spot,
        line.reason,
    )


def posting_of(line: Line) -> Posting | None:
    """The posting of this row; None where it is not one."""
    try:
        return Posting(
            PostingCode(line.code),
            str(line.from_account),
            str(line.to_account),
            line.amount,
            line.round_number,
            line.event,
            line.spot,
            line.reason,
        )
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry without its postings, and the rows of these."""

    entry: Entry
    lines: Sequence[Line]


def stored_entries(connection: Connection, book: int, after: int = 0) -> Iterator[StoredEntry]:
    """From the first on, in their order; nothing of them is believed."""
    while True:
        rows = _ENTRIES.all(connection, book=book, after=after)
        if not rows:
            return
        lines = _lines(connection, book, after, rows[-1].version)
        for row in rows:
            written = Entry(
                book=row.book_id,
                version=row.version,
                first_event=row.first_event,
                at=row.at,
                actor=row.actor,
                key=row.key,
                request=row.request,
                command=row.command,
                events=row.events,
                engine=row.engine,
                postings=(),
                hash=row.hash,
            )
            yield StoredEntry(written, lines[row.version])
        after = rows[-1].version


def stored_events(text: str) -> list[Data] | None:
    """The events of this stored text; None where it is not a list of objects."""
    try:
        events = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        return None
    return events


def _lines(connection: Connection, book: int, after: int, last: int) -> dict[int, list[Line]]:
    found: dict[int, list[Line]] = defaultdict(list)
    for version, *rest in _LINES.all(connection, book=book, first=after + 1, last=last):
        found[version].append(Line(*rest))
    return found


_ENTRIES = Prepared(
    select(entry)
    .where(entry.c.book_id == bindparam("book"), entry.c.version > bindparam("after"))
    .order_by(entry.c.version)
    .limit(PAGE)
)
_PAYER, _PAYEE = account.alias("payer"), account.alias("payee")
_LINES = Prepared(
    select(
        posting.c.version,
        posting.c.line,
        posting.c.code,
        _PAYER.c.code,
        _PAYEE.c.code,
        posting.c.from_kind,
        posting.c.to_kind,
        posting.c.amount,
        posting.c.round_number,
        posting.c.event,
        posting.c.spot,
        posting.c.reason,
    )
    .outerjoin(_PAYER, _PAYER.c.id == posting.c.from_id)
    .outerjoin(_PAYEE, _PAYEE.c.id == posting.c.to_id)
    .where(
        posting.c.book_id == bindparam("book"),
        posting.c.version.between(bindparam("first"), bindparam("last")),
    )
    .order_by(posting.c.version, posting.c.line)
)
