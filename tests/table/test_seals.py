"""Seals: one hash over all books, which others can keep."""

from __future__ import annotations

import hashlib

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError

from tests.table.ledger import AT, book_with, posting, request, write
from tests.table.tampering import rolled_back, take_guards_away
from ventiuna.table import journal
from ventiuna.table.journal import (
    BookKind,
    BrokenSeal,
    Seal,
    newest_seal,
    open_book,
    read_heads,
    seal_books,
    verify_book,
    verify_seals,
)
from ventiuna.table.ledger import JournalHead, canonical_json
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import seal as seal_table


def test_a_seal_recomputed_independently(store: Store) -> None:
    with store.write() as connection:
        assert newest_seal(connection) is None
        first = book_with(connection, posting("issue", "mint > wallet/1", 5))
        empty = open_book(connection, BookKind.TABLE).book
        assert (first, empty) == (1, 2)
        head = read_heads(connection)[first].hash
        sealed = seal_books(connection, AT)
        again = seal_books(connection, AT + 60_000)
    counts = {"account": 2, "book": 2, "entry": 1, "person": 0, "posting": 1}
    lines = f"1 1 {head.hex()}\n2 0 {'00' * 32}\n"
    lines += "".join(f"rows {table} {count}\n" for table, count in counts.items())
    salted, salted_again = (f"{lines}salt {one.salt}\n" for one in (sealed, again))
    heads = hashlib.sha256(salted.encode()).digest()
    number, at = (value.to_bytes(8, "big") for value in (1, AT))
    assert sealed.heads == heads
    expected = hashlib.sha256(b"ventiuna-seal-2\n" + bytes(32) + number + at + heads).digest()
    assert sealed.hash == expected
    assert again.heads == hashlib.sha256(salted_again.encode()).digest()
    assert (again.number, again.previous) == (2, sealed.hash)
    assert (sealed.versions, again.versions) == ({1: 1, 2: 0}, {})
    assert sealed.rows == again.rows == counts
    with store.read() as connection:
        assert newest_seal(connection) == again
        assert verify_seals(connection) == 2


def test_old_seals_can_be_checked_when_the_books_have_moved_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "FULL_EVERY", 3)
    with store.write() as connection:
        books = [book_with(connection) for _ in range(3)]
        listed = []
        for number in range(8):
            write(connection, books[number % 2], request(), request())
            listed.append(len(seal_books(connection, AT + number).versions))
        assert listed == [3, 1, 1, 3, 1, 1, 3, 1]  # every third lists all books
        assert verify_seals(connection) == 8


def test_sealing_twice_at_once_makes_one_seal(store: Store) -> None:
    with store.write() as connection:
        made = seal_books(connection, AT)
    with pytest.raises(IntegrityError), store.write() as connection:
        connection.execute(
            seal_table.insert().values(
                number=1, at=1, moved="[]", heads=made.heads, previous=bytes(32), hash=made.hash
            )
        )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE seal SET hash = heads WHERE number = 1", "Seal 1 doesn't match its hash"),
        ("UPDATE seal SET heads = previous WHERE number = 2", "Seal 2 doesn't match its hash"),
        ("DELETE FROM seal WHERE number = 1", "Seal 2 doesn't follow seal 0"),
        ("UPDATE seal SET at = at + 1 WHERE number = 2", "Seal 2 doesn't match its hash"),
        (
            "UPDATE seal SET moved = replace(moved, '[1,2]', '[1,1]') WHERE number = 2",
            "Seal 2 doesn't match",
        ),
        (
            "UPDATE seal SET moved = replace(moved, 'ing\"\\:1', 'ing\"\\:2')",
            "Seal 1 doesn't match",
        ),
        ("UPDATE seal SET moved = moved || ' ' WHERE number = 2", "Seal 2 lists the wrong books"),
        ("DELETE FROM posting", "Seal 1 counts 1 rows of posting, but the books have 0"),
        ("DELETE FROM account", "Seal 2 now has 0 rows of account, fewer than it counted"),
        ("DELETE FROM book", "Seal 2 lists book 1, which has no row"),
        (
            "UPDATE book SET version = 1",
            "Seal 2 has version 2 of book 1, but its row is older",
        ),
        ("DELETE FROM entry WHERE version = 2", "version 2 of book 1 is missing"),
    ],
)
def test_a_tampered_seal_is_found(owned: Store, change: str, told: str) -> None:
    with owned.write() as connection:
        book = book_with(connection, posting("issue", "mint > wallet/1", 5))
        seal_books(connection, AT)
        write(connection, book, request())
        seal_books(connection, AT)
    with rolled_back(owned) as connection:
        take_guards_away(connection)
        for statement in change.split(";"):
            connection.execute(text(statement))
        with pytest.raises(BrokenSeal, match=told):
            verify_seals(connection)


def _as_an_older_ventiuna(connection: Connection, made: Seal) -> None:
    """Rewrite the seal in the first format, which had neither counts nor a hashed time."""
    heads = {head.book: (head.version, head.hash) for head in read_heads(connection).values()}
    of_heads = journal.hash_of_heads(heads, None)
    number = made.number.to_bytes(8, "big")
    hashed = hashlib.sha256(b"ventiuna-seal-1\n" + made.previous + number + of_heads).digest()
    moved = canonical_json([[book, version] for book, version in made.versions.items()])
    values = {"moved": moved, "heads": of_heads, "hash": hashed}
    connection.execute(
        seal_table.update().where(seal_table.c.number == made.number).values(**values)
    )


def test_seals_of_an_older_ventiuna_stay_valid_and_newer_ones_follow_them(owned: Store) -> None:
    with rolled_back(owned) as connection:
        take_guards_away(connection)
        book = book_with(connection, posting("issue", "mint > wallet/1", 5))
        _as_an_older_ventiuna(connection, seal_books(connection, AT))
        write(connection, book, request(posting("issue", "mint > wallet/1", 7)))
        newer = seal_books(connection, AT)
        assert newer.rows == {"account": 2, "book": 1, "entry": 2, "person": 0, "posting": 2}
        assert verify_seals(connection) == 2
        write(connection, book, request())
        _as_an_older_ventiuna(connection, seal_books(connection, AT))
        with pytest.raises(BrokenSeal, match="Seal 3 has no row counts"):
            verify_seals(connection)


def test_seals_without_a_salt_stay_valid(owned: Store) -> None:
    with rolled_back(owned) as connection:
        take_guards_away(connection)
        book = book_with(connection, posting("issue", "mint > wallet/1", 5))
        made = seal_books(connection, AT)
        heads = {one.book: (one.version, one.hash) for one in read_heads(connection).values()}
        of_heads = journal.hash_of_heads(heads, made.rows)
        moved = canonical_json({"books": [[book, 1]], "rows": made.rows})
        hashed = journal.hash_of_seal(1, AT, made.previous, of_heads)
        values = {"moved": moved, "heads": of_heads, "hash": hashed}
        connection.execute(seal_table.update().values(**values))
        assert seal_books(connection, AT).previous == hashed
        assert verify_seals(connection) == 2


def test_a_completely_rewritten_book_breaks_the_seals(owned: Store) -> None:
    """The book's own chain is intact again, but the seals held by others don't match."""
    with owned.write() as connection:
        book = book_with(connection)
        write(connection, book, request(key="a"))
        seal_books(connection, AT)
    with rolled_back(owned) as connection:
        take_guards_away(connection)
        forged, head = JournalHead(book).next_entry(request(key="b", events=2))
        connection.execute(
            text("UPDATE entry SET key = 'b', events = :events, hash = :hash"),
            {"events": forged.events, "hash": forged.hash},
        )
        connection.execute(
            text("UPDATE book SET events = :events, head = :head"),
            {"events": head.events, "head": head.hash},
        )
        assert verify_book(connection, book) == head
        with pytest.raises(BrokenSeal, match="Seal 1 doesn't match the current books"):
            verify_seals(connection)
