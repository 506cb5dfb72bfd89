"""Shorthand for tests that write to books."""

from __future__ import annotations

from itertools import count

from sqlalchemy import Connection

from ventiuna.table.journal import BookKind, append, lock_books, open_book
from ventiuna.table.ledger import Entry, EntryRequest, PlainData, Posting, PostingCode, request_hash

AT = 1_790_000_000_000
_keys = count(1)


def posting(code: str, way: str, amount: int, **more: int | str) -> Posting:
    """Create a posting; `way` looks like `wallet/1 > stack/7/3`."""
    from_account, _, to_account = way.partition(" > ")
    reason = str(more.pop("reason")) if "reason" in more else None
    numbers = {name: int(value) for name, value in more.items()}
    return Posting(PostingCode(code), from_account, to_account, amount, reason=reason, **numbers)


def request(*postings: Posting, key: str = "", events: int = 1, actor: str = "1") -> EntryRequest:
    command: PlainData = {"command": "Test", "note": "é ✓"}
    return EntryRequest(
        actor=actor,
        key=key or f"k{next(_keys)}",
        at=AT,
        request=request_hash(command),
        command=command,
        events=[{"event": "Tested", "number": number} for number in range(events)],
        engine=1,
        postings=postings,
    )


def write(connection: Connection, book: int, *requests: EntryRequest) -> list[Entry]:
    """Append the requests to a book in one call."""
    head = lock_books(connection, [book])[book]
    entries = []
    for each in requests:
        entry, head = head.next_entry(each)
        entries.append(entry)
    append(connection, entries)
    return entries


def book_with(connection: Connection, *postings: Posting) -> int:
    """Open a cashier's book with one entry per posting."""
    book = open_book(connection, BookKind.CASHIER).book
    write(connection, book, *(request(each) for each in postings))
    return book
