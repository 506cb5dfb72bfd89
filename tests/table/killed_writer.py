"""A writer meant to be killed: appends to a book forever and prints each committed number."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

from tests.table.ledger import posting, request, write
from ventiuna.table.journal import BookKind, open_book, read_heads
from ventiuna.table.store.connection import SqliteStore


def main(path: Path) -> None:
    store = SqliteStore(path)
    with store.write() as connection:
        heads = read_heads(connection)
        book = min(heads) if heads else open_book(connection, BookKind.CASHIER).book
        version = heads[book].version if heads else 0
    for number in count(version + 1):
        with store.write() as connection:
            lines = [posting("issue", f"mint > wallet/{line}", number) for line in (1, 2, 3)]
            write(connection, book, request(*lines, key=str(number)))
        print(number, flush=True)  # acknowledged


if __name__ == "__main__":
    main(Path(sys.argv[1]))
