"""Seals: one hash over all books that others hold."""

from __future__ import annotations

import hashlib

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from tests.table.ledger import AT, book_with, posting, request, write
from tests.table.tampering import rolled_back, take_guards_away
from ventiuna.table.books import seals
from ventiuna.table.books.entries import BookKind, open_book, read_heads, verify_book
from ventiuna.table.books.seals import BrokenSeal, newest_seal, seal_books, verify_seals
from ventiuna.table.ledger.chain import Head
from ventiuna.table.store.opening import Store
from ventiuna.table.store.schema import seal as seal_table


def test_a_seal_by_other_means(store: Store) -> None:
    with store.write() as connection:
        assert newest_seal(connection) is None
        first = book_with(connection, posting("issue", "mint > wallet/1", 5))
        empty = open_book(connection, BookKind.TABLE).book
        assert (first, empty) == (1, 2)
        head = read_heads(connection)[first].hash
        sealed = seal_books(connection, AT)
        again = seal_books(connection, AT + 60_000)
    lines = f"1 1 {head.hex()}\n2 0 {'00' * 32}\n"
    heads = hashlib.sha256(lines.encode()).digest()
    number = b"\x00\x00\x00\x00\x00\x00\x00\x01"
    assert sealed.heads == heads
    expected = hashlib.sha256(b"ventiuna-seal-1\n" + bytes(32) + number + heads).digest()
    assert sealed.hash == expected
    assert (again.number, again.previous, again.heads) == (2, sealed.hash, heads)
    assert (sealed.moved, again.moved) == ("[[1,1],[2,0]]", "[]")
    with store.read() as connection:
        assert newest_seal(connection) == again
        assert verify_seals(connection) == 2


def test_old_seals_can_be_checked_when_the_books_have_moved_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seals, "FULL_EVERY", 3)
    with store.write() as connection:
        books = [book_with(connection) for _ in range(3)]
        listed = []
        for number in range(8):
            write(connection, books[number % 2], request(), request())
            listed.append(len(seal_books(connection, AT + number).versions))
        assert listed == [3, 1, 1, 3, 1, 1, 3, 1]  # every third lists all books
        assert verify_seals(connection) == 8


def test_two_who_seal_at_once_make_one_seal(store: Store) -> None:
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
        ("UPDATE seal SET hash = heads WHERE number = 1", "Seal 1 is not what was hashed"),
        ("UPDATE seal SET heads = previous WHERE number = 2", "Seal 2 is not what was hashed"),
        ("DELETE FROM seal WHERE number = 1", "Seal 2 does not follow seal 0"),
        ("UPDATE seal SET moved = '[[1,1]]' WHERE number = 2", "Seal 2 does not agree"),
        ("DELETE FROM posting; DELETE FROM entry WHERE version = 2", "version 2 of book 1 is gone"),
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


def test_a_book_that_was_rewritten_from_end_to_end_breaks_the_seals(owned: Store) -> None:
    """Its own chain is whole again; what others hold is not."""
    with owned.write() as connection:
        book = book_with(connection)
        write(connection, book, request(key="a"))
        seal_books(connection, AT)
    with rolled_back(owned) as connection:
        take_guards_away(connection)
        forged, head = Head(book).next_entry(request(key="b", events=2))
        connection.execute(
            text("UPDATE entry SET key = 'b', events = :events, hash = :hash"),
            {"events": forged.events, "hash": forged.hash},
        )
        connection.execute(
            text("UPDATE book SET events = :events, head = :head"),
            {"events": head.events, "head": head.hash},
        )
        assert verify_book(connection, book) == head
        with pytest.raises(BrokenSeal, match="Seal 1 does not agree with the books"):
            verify_seals(connection)
