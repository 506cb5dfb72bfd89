"""A house in one SQLite file: one process, one connection that writes, any number that read.

SQLite 3.7.0 to 3.51.2 can damage a file when two connections write or checkpoint at the same
instant. Here only the one write connection does either, and locks keep other processes out; through
a hard link, two of them would even write two logs for one file. Every commit is flushed, or a
power failure could lose acknowledged commands.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event
from sqlalchemy.exc import OperationalError

from ventiuna.table.store import rows
from ventiuna.table.store.errors import StoreError, StoreInUse
from ventiuna.table.store.lock_file import Locks
from ventiuna.table.store.revisions import REVISIONS, upgrade

OLDEST = (3, 38, 0)  # the first SQLite with STRICT tables that always reads JSON
READERS = 8
BUSY = 0.5  # seconds: nobody else writes, so whoever holds the file is not to be waited for
LOG = 4000  # pages, 16 MB, after which a command itself checkpoints the log
LONG_LOG = 2**20  # bytes, after which it is checkpointed between commands
WRITE = "BEGIN IMMEDIATE"
PATIENCE = 30.0  # seconds that a thread waits for others of this process

_COMMON: dict[str, int | str] = {
    "foreign_keys": 1,
    "trusted_schema": 0,
    "mmap_size": 0,
}
_WRITER = {
    **_COMMON,
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "fullfsync": 1,  # macOS: down to the disk itself
    "wal_autocheckpoint": LOG,
    "journal_size_limit": LONG_LOG,
    "recursive_triggers": 1,  # so that REPLACE can't remove history behind a trigger's back
}
_READER = {**_COMMON, "query_only": 1, "wal_autocheckpoint": 0}


class SqliteStore:
    """An open file, brought to the newest schema. Close it: the last to close folds the log."""

    def __init__(self, path: Path) -> None:
        _check_version()
        self.path = path.resolve()
        self._locks = _locked(self.path)
        self._writer = _engine(self._open_writer, size=1, begin=WRITE)
        self._readers = reading_engine(self.path)
        self._turn = Lock()  # of the threads that write
        self._kept: Connection | None = None  # whose last transaction went well
        try:
            refuse_strangers(self.path)
            with self.write() as connection:
                upgrade(connection)
        except (
            OperationalError
        ) as error:  # somebody without our lock file holds it, the disk is full
            self.close()
            raise StoreError(f"{self.path} can't be used: {error.orig}.") from None
        except BaseException:
            self.close()
            raise

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """The write connection in a transaction, committed at the end; one at a time."""
        with self._connection() as connection:
            rows.run(connection, WRITE)
            yield connection
            _commit(connection)

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """The write connection, for one thread at a time.

        It is kept from one transaction to the next, because taking it out of its pool and giving
        it back costs as much as a flush of a quick disk.
        """
        if not self._turn.acquire(timeout=PATIENCE):
            raise StoreInUse(f"{self.path} is being written for too long by another thread.")
        try:
            connection, self._kept = self._kept or self._writer.connect(), None
            try:
                yield connection
            except BaseException:
                connection.close()  # the pool makes good whatever is left of it
                raise
            self._kept = connection
        finally:
            self._turn.release()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one moment and can't write."""
        with self._readers.begin() as connection:
            yield connection

    def shorten_log(self) -> None:
        """Checkpoint the log into the file if it has grown long."""
        try:
            if self.path.with_name(f"{self.path.name}-wal").stat().st_size <= LONG_LOG:
                return
        except FileNotFoundError:
            return
        with self._connection() as connection:
            rows.run(connection, "PRAGMA wal_checkpoint(PASSIVE)")

    def free_bytes(self) -> int:
        """Free space on the file's disk."""
        return shutil.disk_usage(self.path.parent).free

    def close(self) -> None:
        self._readers.dispose()
        if self._turn.acquire(timeout=PATIENCE):  # else whoever writes gives it back to the pool
            if self._kept is not None:
                self._kept.close()
                self._kept = None
            self._turn.release()
        self._writer.dispose()  # last, since the last one writes the log back into the file
        self._locks.release()

    def _open_writer(self) -> sqlite3.Connection:
        connection = _connect(self.path, "rw", _WRITER)
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            connection.close()
            raise StoreError(f"{self.path} can't keep a write-ahead log: is it on a local disk?")
        return connection


class MemoryStore:
    """A house that lives as long as this object: for simulations, in one thread.

    `factory` makes its connection, such as one that fails now and then. With a path it is a new
    file.
    """

    def __init__(
        self, factory: type[sqlite3.Connection] = sqlite3.Connection, path: str = ":memory:"
    ) -> None:
        _check_version()
        self._factory = factory
        self._path = path
        self._engine = _engine(self._open, size=1, begin="BEGIN")
        with self.write() as connection:
            upgrade(connection)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        with self._engine.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self._engine.connect() as connection:  # rolled back
            connection.begin()
            yield connection

    def close(self) -> None:
        self._engine.dispose()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, isolation_level=None, check_same_thread=False, factory=self._factory
        )
        _set_up(connection, _WRITER)
        return connection


def reading_engine(path: Path) -> Engine:
    """Connections that see one moment each; they neither write, lock nor checkpoint the file."""
    _check_version()
    return _engine(lambda: _connect(path, "ro", _READER), size=READERS, begin="BEGIN")


def refuse_strangers(path: Path) -> None:
    """A file with tables of another program is not touched: a house would be made among them."""
    if not path.is_file() or not path.stat().st_size:
        return
    connection = _connect(path, "ro", _READER)
    try:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        tables = {name for (name,) in found}
    except sqlite3.Error as error:
        raise StoreError(f"{path} can't be read: {error}.") from None
    finally:
        connection.close()
    if tables and REVISIONS not in tables:
        raise StoreError(f"{path} is another program's database: give a house a file of its own.")


def _check_version() -> None:
    if sqlite3.sqlite_version_info < OLDEST:
        raise StoreError(
            f"This Python brings SQLite {sqlite3.sqlite_version}; tables need 3.38 or later."
        )


def _locked(path: Path) -> Locks:
    try:
        return Locks(path)
    except OSError as error:
        raise StoreError(f"{path} can't be opened: {error.strerror}.") from None


def _engine(open_connection: Callable[[], sqlite3.Connection], size: int, begin: str) -> Engine:
    engine = create_engine(
        "sqlite://", creator=open_connection, poolclass=QueuePool, pool_size=size, max_overflow=0
    )

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if not _driver(connection).in_transaction:  # statements of Core within `write`
            rows.run(connection, begin)

    return engine


def _commit(connection: Connection) -> None:
    """By the driver itself: a transaction of SQLAlchemy's costs as much as several statements.

    Only statements of Core begin one; it learns here that it is over.
    """
    rows.run(connection, "COMMIT")
    if connection.in_transaction():
        connection.commit()


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection), "the connection of a transaction is open"
    return driver


def _connect(path: Path, mode: str, settings: Mapping[str, int | str]) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(
            f"{path.as_uri()}?mode={mode}",
            uri=True,
            timeout=BUSY,
            isolation_level=None,  # the engine begins transactions, not the driver
            check_same_thread=False,  # the pool hands a connection to one thread at a time
        )
    except sqlite3.Error as error:
        raise StoreError(f"{path} can't be opened: {error}.") from None
    try:
        _set_up(connection, settings)
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"{path} can't be used: {error}.") from None
    return connection


def _set_up(connection: sqlite3.Connection, settings: Mapping[str, int | str]) -> None:
    for name, value in settings.items():
        connection.execute(f"PRAGMA {name} = {value}")
