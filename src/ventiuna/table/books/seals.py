"""Seals: chained hashes over the heads of all books and the row counts, which others keep.

`heads = SHA-256` of the lines `book SP version SP hex(head) LF` by ascending book, followed by
`rows SP table SP count LF` by ascending name;
`hash = SHA-256("ventiuna-seal-2\\n" + previous + number as 8 bytes + at as 8 bytes + heads)`.
Whoever rewrites the whole chain of a book must also change the seals that were published meanwhile.

A seal stores which books moved since the one before, so it can always be checked: added up from
the last full list, these give every book's version at that moment, and the entries its head.

Seals of the first format (`ventiuna-seal-1`) cover neither their time nor any counts. They stay
valid, but none may follow a seal of the second.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import hexdigits

from sqlalchemy import Connection, bindparam, func, select

from ventiuna.errors import VentiunaError
from ventiuna.table.books.entries import read_heads
from ventiuna.table.ledger.chain import NOTHING_BEFORE, canonical_json
from ventiuna.table.store.prepared import Prepared
from ventiuna.table.store.rows import find_rows, insert_rows
from ventiuna.table.store.schema import account, entry, person, posting, seal

FULL_EVERY = 1000  # seals; the first of these lists every book

_SALT = b"ventiuna-seal-2\n"
_OLD_SALT = b"ventiuna-seal-1\n"
_COLUMNS = ("number", "at", "moved", "heads", "previous", "hash")

# Rows that are never deleted and that no book lists.
_COUNTED = (account, person)
_POSTINGS = Prepared(
    select(func.count()).where(
        posting.c.book_id == bindparam("book"),
        posting.c.version.between(bindparam("first"), bindparam("last")),
    )
)

Versions = dict[int, int]  # by book
Counts = dict[str, int]  # rows by table
SEAL_DIGITS = 64


class NoSeal(VentiunaError, ValueError):
    """Something that can't be the hash of a seal."""


class BrokenSeal(VentiunaError):
    """A seal that does not agree with the books or with the seal before it."""


@dataclass(frozen=True, slots=True)
class Seal:
    number: int
    at: int
    moved: str  # canonical JSON: {"books": [[book, version], …], "rows": {table: count}}
    heads: bytes
    previous: bytes
    hash: bytes

    @property
    def versions(self) -> Versions:
        data = json.loads(self.moved)
        return dict(data if isinstance(data, list) else data["books"])

    @property
    def rows(self) -> Counts | None:
        """None for a seal of the first format, whose `moved` is the list of books."""
        data = json.loads(self.moved)
        return None if isinstance(data, list) else dict(data["rows"])

    def due_hash(self) -> bytes:
        if self.rows is None:
            return _hashed(_OLD_SALT, self.previous, _bytes(self.number), self.heads)
        return hash_of_seal(self.number, self.at, self.previous, self.heads)


def seal_hash(text: str) -> bytes:
    """A seal that somebody noted."""
    if len(text) != SEAL_DIGITS or not set(text) <= set(hexdigits):
        raise NoSeal(f"--seal {text[:80]}: a seal has {SEAL_DIGITS} hexadecimal digits.")
    return bytes.fromhex(text)


def hash_of_heads(heads: Mapping[int, tuple[int, bytes]], rows: Counts | None) -> bytes:
    """Hash of (version, head) by book and of the row counts."""
    lines = [
        f"{number} {version} {head.hex()}\n" for number, (version, head) in sorted(heads.items())
    ]
    lines += [f"rows {table} {count}\n" for table, count in sorted((rows or {}).items())]
    return _hashed("".join(lines).encode())


def hash_of_seal(number: int, at: int, previous: bytes, heads: bytes) -> bytes:
    return _hashed(_SALT, previous, _bytes(number), _bytes(at), heads)


def _hashed(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def _bytes(number: int) -> bytes:
    return number.to_bytes(8, "big", signed=True)


def newest_seal(connection: Connection) -> Seal | None:
    row = connection.execute(select(seal).order_by(seal.c.number.desc()).limit(1)).first()
    return Seal(*row) if row else None


def find_seal(connection: Connection, number: int) -> Seal | None:
    row = connection.execute(select(seal).where(seal.c.number == number)).first()
    return Seal(*row) if row else None


def seal_books(connection: Connection, at: int) -> Seal:
    """Seal all books as they stand in this moment.

    Two who seal at once want the same number, and the database refuses the second.
    """
    last = newest_seal(connection)
    number = last.number + 1 if last else 1
    previous = last.hash if last else NOTHING_BEFORE
    heads = read_heads(connection)  # one statement: one moment
    versions = {head.book: head.version for head in heads.values()}
    before = _sealed_versions(connection, number)
    rows = _rows_now(connection, last, before, versions)
    of_heads = hash_of_heads(
        {head.book: (head.version, head.hash) for head in heads.values()}, rows
    )
    made = Seal(
        number,
        at,
        _moved(number, before, versions, rows),
        of_heads,
        previous,
        hash_of_seal(number, at, previous, of_heads),
    )
    row = (made.number, made.at, made.moved, made.heads, made.previous, made.hash)
    insert_rows(connection, seal, _COLUMNS, [row])
    return made


@dataclass(frozen=True, slots=True)
class SealFault:
    """What is wrong with the seal of this number, in one sentence."""

    number: int
    sentence: str


def verify_seals(connection: Connection) -> int:
    """Check every seal against the one before and against the books' entries; says how many.

    That the entries are what was hashed is for `verify_book` to say.
    """
    number = 0
    for checked in check_seals(connection):
        if isinstance(checked, SealFault):
            raise BrokenSeal(checked.sentence)
        number = checked.number
    return number


def check_seals(connection: Connection) -> Iterator[Seal | SealFault]:
    """Every seal in order, each preceded by its faults."""
    previous = NOTHING_BEFORE
    number = 0
    heads: dict[int, tuple[int, bytes]] = {}
    rows = _CountCheck(connection)
    for made in all_seals(connection):
        number += 1
        if made.number != number or made.previous != previous:
            yield SealFault(made.number, f"Seal {made.number} does not follow seal {number - 1}.")
        if made.hash != made.due_hash():
            yield SealFault(made.number, f"Seal {made.number} is not what was hashed.")
        before = _versions(heads)
        try:
            heads |= _heads_at(connection, made)
        except BrokenSeal as error:
            yield SealFault(made.number, str(error))
        else:
            if made.heads != hash_of_heads(heads, made.rows):
                yield SealFault(
                    made.number,
                    f"Seal {made.number} does not agree with the books as they stand now.",
                )
            versions = _versions(heads)
            if made.moved != _moved(made.number, before, versions, made.rows):
                yield SealFault(made.number, f"Seal {made.number} lists the wrong books.")
            for sentence in rows.faults(made, versions):
                yield SealFault(made.number, f"Seal {made.number} {sentence}.")
        previous, number = made.hash, made.number
        yield made
    for sentence in rows.faults_now(_versions(heads)):
        yield SealFault(number, f"Seal {number} {sentence}.")


def _versions(heads: Mapping[int, tuple[int, bytes]]) -> Versions:
    return {number: version for number, (version, _) in heads.items()}


def _moved(number: int, before: Versions, versions: Versions, rows: Counts | None) -> str:
    """The books that moved since the last seal, all of them in a full one, and the counts."""
    books = [
        [book, version]
        for book, version in sorted(versions.items())
        if _is_full(number) or before.get(book) != version
    ]
    return canonical_json(books if rows is None else {"books": books, "rows": rows})


# --- counts of rows ---------------------------------------------------------------------------


def _rows_now(
    connection: Connection, last: Seal | None, before: Versions, versions: Versions
) -> Counts:
    """Count postings only since the last seal: a house may have millions of them."""
    known = (last.rows if last else None) or {}
    if not known:
        before = {}
    return {
        "book": len(versions),
        "entry": sum(versions.values()),
        "posting": known.get("posting", 0) + _postings_between(connection, before, versions),
        **_counted(connection),
    }


def _counted(connection: Connection) -> Counts:
    return {
        table.name: connection.scalar(select(func.count()).select_from(table)) or 0
        for table in _COUNTED
    }


def _postings_between(connection: Connection, before: Versions, versions: Versions) -> int:
    """Postings of entries after the first versions, up to the second ones."""
    return sum(
        _POSTINGS.first(connection, book=number, first=before.get(number, 0) + 1, last=version)[0]
        for number, version in versions.items()
        if version > before.get(number, 0)
    )


class _CountCheck:
    """Compares the counts of every seal with the books and with the seal before it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._last: Counts | None = None
        self._counted: Versions = {}  # up to which postings were counted
        self._postings = 0

    def faults(self, made: Seal, versions: Versions) -> Iterator[str]:
        rows = made.rows
        if rows is None:
            if self._last is not None:
                yield "has no row counts, unlike the seal before it"
            return
        self._postings += _postings_between(self._connection, self._counted, versions)
        self._counted = versions
        due = {
            "book": len(versions),
            "entry": sum(versions.values()),
            "posting": self._postings,
        }
        for table, count in due.items():
            if rows.get(table) != count:
                yield f"counts {rows.get(table)} rows of {table}, but the books have {count}"
        yield from _fewer(rows, self._last or {}, "the seal before it")
        self._last = rows

    def faults_now(self, versions: Versions) -> Iterator[str]:
        """Faults of the newest seal: nothing that it lists can have disappeared since."""
        stands = read_heads(self._connection)
        for number, version in versions.items():
            if number not in stands:
                yield f"lists book {number}, which has no row"
            elif stands[number].version < version:
                yield f"has version {version} of book {number}, but its row is older"
        if self._last is not None:
            yield from _fewer(_counted(self._connection), self._last, "it counted", "now has")


def _fewer(rows: Counts, before: Counts, what: str, has: str = "counts") -> Iterator[str]:
    for table in (counted.name for counted in _COUNTED):
        if rows.get(table, 0) < before.get(table, 0):
            yield f"{has} {rows.get(table, 0)} rows of {table}, fewer than {what}"


def all_seals(connection: Connection) -> Iterator[Seal]:
    """In their order, unchecked."""
    for row in connection.execute(select(seal).order_by(seal.c.number)):
        yield Seal(*row)


def versions_at(connection: Connection, number: int) -> Versions:
    """Every book's version in the seal of this number; raises `BrokenSeal` where there is none."""
    known = connection.scalar(select(seal.c.number).where(seal.c.number == number))
    if known is None:
        raise BrokenSeal(f"There is no seal {number}.")
    return _sealed_versions(connection, number + 1)


def _is_full(number: int) -> bool:
    return number % FULL_EVERY == 1


def _sealed_versions(connection: Connection, number: int) -> Versions:
    """Every book's version in the seal before this one."""
    full = (number - 2) // FULL_EVERY * FULL_EVERY + 1
    versions: Versions = {}
    for made in _seals_from(connection, full):
        if made.number < number:
            versions |= made.versions
    return versions


def _seals_from(connection: Connection, first: int) -> Iterator[Seal]:
    query = select(seal).where(seal.c.number >= first).order_by(seal.c.number)
    for row in connection.execute(query):
        yield Seal(*row)


def _heads_at(connection: Connection, made: Seal) -> dict[int, tuple[int, bytes]]:
    """(version, head) of the books that a seal lists, from their entries."""
    versions = made.versions
    heads = {number: (0, NOTHING_BEFORE) for number, version in versions.items() if version == 0}
    written = [pair for pair in versions.items() if pair[0] not in heads]
    columns = ("book_id", "version", "hash")
    for number, version, head in find_rows(connection, entry, columns, columns[:2], written):
        heads[number] = version, head
    for number, version in versions.items():
        if number not in heads:
            raise BrokenSeal(f"Seal {made.number}: version {version} of book {number} is gone.")
    return heads
