"""Seals: one hash over the heads of all books, chained, that others hold.

`heads = SHA-256` of the lines `book SP version SP hex(head) LF` by ascending book;
`hash = SHA-256("ventiuna-seal-1\\n" + previous + number as 8 bytes + heads)`. Whoever rewrites
the whole chain of a book must also change the seals that were published meanwhile.

A seal keeps which books moved since the one before, so that it can be checked for ever: folded
from the last full list, these give every book's version at that moment, and the entries its head.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import hexdigits

from sqlalchemy import Connection, select

from ventiuna.errors import VentiunaError
from ventiuna.table.books.entries import read_heads
from ventiuna.table.ledger.chain import NOTHING_BEFORE, canonical_json
from ventiuna.table.store.rows import find_rows, insert_rows
from ventiuna.table.store.schema import entry, seal

FULL_EVERY = 1000  # seals; the first of these lists every book

_SALT = b"ventiuna-seal-1\n"
_COLUMNS = ("number", "at", "moved", "heads", "previous", "hash")

Versions = dict[int, int]  # by book
SEAL_DIGITS = 64


class NoSeal(VentiunaError, ValueError):
    """Something that can't be the hash of a seal."""


class BrokenSeal(VentiunaError):
    """A seal that does not agree with the books or with the seal before it."""


@dataclass(frozen=True, slots=True)
class Seal:
    number: int
    at: int
    moved: str  # canonical JSON: [[book, version], …]
    heads: bytes
    previous: bytes
    hash: bytes

    @property
    def versions(self) -> Versions:
        return dict(json.loads(self.moved))


def seal_hash(text: str) -> bytes:
    """A seal that somebody noted."""
    if len(text) != SEAL_DIGITS or not set(text) <= set(hexdigits):
        raise NoSeal(f"--seal {text[:80]}: a seal has {SEAL_DIGITS} hexadecimal digits.")
    return bytes.fromhex(text)


def hash_of_heads(heads: Mapping[int, tuple[int, bytes]]) -> bytes:
    """Of (version, head) by book."""
    lines = (
        f"{number} {version} {head.hex()}\n" for number, (version, head) in sorted(heads.items())
    )
    return hashlib.sha256("".join(lines).encode()).digest()


def hash_of_seal(number: int, previous: bytes, heads: bytes) -> bytes:
    return hashlib.sha256(_SALT + previous + number.to_bytes(8, "big") + heads).digest()


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
    before = {} if _is_full(number) else _sealed_versions(connection, number)
    moved = [
        [head.book, head.version]
        for head in heads.values()
        if before.get(head.book) != head.version
    ]
    of_heads = hash_of_heads({head.book: (head.version, head.hash) for head in heads.values()})
    made = Seal(
        number,
        at,
        canonical_json(moved),
        of_heads,
        previous,
        hash_of_seal(number, previous, of_heads),
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
    """Every seal in its order, each behind all that is wrong with it."""
    previous = NOTHING_BEFORE
    number = 0
    heads: dict[int, tuple[int, bytes]] = {}
    for made in all_seals(connection):
        number += 1
        if made.number != number or made.previous != previous:
            yield SealFault(made.number, f"Seal {made.number} does not follow seal {number - 1}.")
        if made.hash != hash_of_seal(made.number, made.previous, made.heads):
            yield SealFault(made.number, f"Seal {made.number} is not what was hashed.")
        try:
            heads |= _heads_at(connection, made)
        except BrokenSeal as error:
            yield SealFault(made.number, str(error))
        else:
            if made.heads != hash_of_heads(heads):
                yield SealFault(
                    made.number,
                    f"Seal {made.number} does not agree with the books as they stand now.",
                )
        previous, number = made.hash, made.number
        yield made


def all_seals(connection: Connection) -> Iterator[Seal]:
    """In their order, unchecked."""
    return _seals_from(connection, 1)


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
