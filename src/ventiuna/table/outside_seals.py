"""Seals outside the house: in a file or another database that the house only adds to.

Seals prove that nobody has rewritten the books, but only if someone else has them: whoever owns the
house's database can delete all its seals and rewrite everything. A file has one line of JSON for
each seal: `{"at":…,"hash":"…","house":"…","number":…}`. A database has the same in the table
`outside_seal`. One file or database can serve several houses.

Seals are chained, so a copy needs only the newest one to cover everything before it. A new copy
begins with that seal and then gets every later one, including those made while the copy couldn't be
reached.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    MetaData,
    NullPool,
    Table,
    Text,
    create_engine,
    insert,
    inspect,
    make_url,
    select,
)
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from ventiuna.errors import VentiunaError
from ventiuna.table.journal import Seal, all_seals, find_seal, newest_seal
from ventiuna.table.ledger import LARGEST_INTEGER
from ventiuna.table.store import schema
from ventiuna.table.store.connection import Store
from ventiuna.texts import one_line

WITHIN = 5  # seconds to connect, and for one statement


class OutsideSealError(VentiunaError):
    """The copy of the seals can't be used, or contradicts the house."""


@dataclass(frozen=True, slots=True)
class OutsideSeal:
    """A seal as others keep it."""

    house: str
    number: int
    at: int
    hash: str

    def matches(self, sealed: Seal | None) -> bool:
        return sealed is not None and (self.at, self.hash) == (sealed.at, sealed.hash.hex())


class OutsideSeals(Protocol):
    """A place outside the house that keeps its seals."""

    def read(self, house: str) -> list[OutsideSeal]:
        """The seals of a house, in the order in which they arrived."""

    def add(self, seals: Sequence[OutsideSeal]) -> None: ...


def outside_seals(address: str) -> OutsideSeals:
    """`postgresql://…` or `sqlite:///FILE` is a database; everything else is a file of lines."""
    if "://" not in address:
        return _SealFile(Path(address))
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        url = None
    if url is not None and url.get_backend_name() == "sqlite" and url.database:
        return _SealDatabase(create_engine(url, poolclass=NullPool))
    if url is not None and url.get_backend_name() in ("postgresql", "postgres"):
        limits = {"connect_timeout": WITHIN, "options": f"-c statement_timeout={WITHIN}s"}
        url = url.set(drivername="postgresql+psycopg")
        return _SealDatabase(create_engine(url, poolclass=NullPool, connect_args=limits))
    raise OutsideSealError(
        "Seals can be kept in a file, at postgresql://… or at sqlite:///FILE, but not at this "
        "address."
    )


class _SealFile:
    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, house: str) -> list[OutsideSeal]:
        try:
            text = self._path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise OutsideSealError(f"{self._path} can't be read: {error.strerror}.") from None
        # A line without an end was interrupted; the seal was written again after it.
        lines = text.split(b"\n")[:-1]
        found = [seal for line in lines if (seal := _read_line(line)) is not None]
        return [seal for seal in found if seal.house == house]

    def add(self, seals: Sequence[OutsideSeal]) -> None:
        lines = "".join(json.dumps(asdict(one), sort_keys=True) + "\n" for one in seals)
        try:
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
            file = os.open(self._path, flags, 0o644)
            try:
                size = os.lseek(file, 0, os.SEEK_END)
                is_torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
                text = ("\n" * is_torn + lines).encode()
                while text:  # a nearly full disk may accept only part of it
                    text = text[os.write(file, text) :]
                os.fsync(file)
            finally:
                os.close(file)
        except OSError as error:
            raise OutsideSealError(f"{self._path} can't be written: {error.strerror}.") from None


def _read_line(line: bytes) -> OutsideSeal | None:
    """The seal in a line, or None if the line isn't one."""
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        data = json.loads(line)
        found = OutsideSeal(str(data["house"]), data["number"], data["at"], str(data["hash"]))
        if type(found.number) is int and type(found.at) is int and found.number <= LARGEST_INTEGER:
            return found
    return None


_metadata = MetaData()
_outside_seal = Table(
    "outside_seal",
    _metadata,
    Column("house", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
)


class _SealDatabase:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def read(self, house: str) -> list[OutsideSeal]:
        query = select(_outside_seal).where(_outside_seal.c.house == house)
        with self._connection() as connection:
            if not inspect(connection).has_table(_outside_seal.name):
                return []
            rows = connection.execute(query.order_by(_outside_seal.c.number))
            return [OutsideSeal(*row) for row in rows]

    def add(self, seals: Sequence[OutsideSeal]) -> None:
        with self._connection() as connection:
            if not inspect(connection).has_table(_outside_seal.name):
                _metadata.create_all(connection)
            if seals:
                connection.execute(insert(_outside_seal), [asdict(one) for one in seals])

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            reason = one_line(str(getattr(error, "orig", error)).partition("\n")[0])
            raise OutsideSealError(f"The database of the seals can't be used: {reason}.") from None


class SealCopier:
    """Adds a house's new seals to their copy."""

    def __init__(self, copy: OutsideSeals) -> None:
        self._copy = copy
        self._last: OutsideSeal | None = None  # the newest in the copy, once it has been read

    def forget(self) -> None:
        """Read the copy again next time, because another process may add to it."""
        self._last = None

    def copy(self, store: Store) -> int:
        """Add the seals that the copy lacks; return how many.

        Raises `OutsideSealError` if the newest seal of the copy isn't among the house's.
        """
        last, self._last = self._last, None  # unless everything succeeds
        with store.read() as connection:
            house = house_of(connection)
        if last is None:
            last = max(self._copy.read(house), key=lambda one: one.number, default=None)
        with store.read() as connection:
            newest = newest_seal(connection)
            if last is not None and not last.matches(find_seal(connection, last.number)):
                raise OutsideSealError(
                    f"Seal {last.number} outside the house isn't among the house's seals, so the "
                    "books may have been rewritten. Run `ventiuna audit --seals`."
                )
            if newest is None:
                return 0
            first = newest.number if last is None else last.number + 1
            new = [
                OutsideSeal(house, one.number, one.at, one.hash.hex())
                for one in all_seals(connection, first)
            ]
        if new:
            self._copy.add(new)
        self._last = new[-1] if new else last
        return len(new)


def house_of(connection: Connection) -> str:
    return str(connection.scalar(select(schema.house.c.id)))


def contradictions(
    connection: Connection, seals: Iterable[OutsideSeal]
) -> Iterator[tuple[OutsideSeal, Seal | None]]:
    """The outside seals that the house doesn't have, each with the house's seal of that number."""
    numbered = {one.number: one for one in all_seals(connection)}
    for one in seals:
        if not one.matches(numbered.get(one.number)):
            yield one, numbered.get(one.number)
