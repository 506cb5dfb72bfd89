"""Opens a house's database, in SQLite or PostgreSQL, for writing or only for reading.

A SQLite house belongs to one process: one connection writes, and any number can read. SQLite 3.7.0
to 3.51.2 can damage a file when two connections write or checkpoint at the same instant. Here, only
the write connection does either, and locks keep other processes out. Without locks, two processes
that open the file through different hard links would even write two separate logs. Every commit is
flushed so that a power failure can't lose acknowledged commands.

There are two locks. The system releases them when the process ends, even in a crash. The lock file
next to the database names its holder. The lease is a lock on a byte of the database file, so it
works under any file name. Read-only connections see one snapshot and neither lock nor checkpoint
the file.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Lock
from typing import Protocol

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event
from sqlalchemy.exc import DatabaseError, DBAPIError, OperationalError

from ventiuna.table.store import statements
from ventiuna.table.store.schema import REVISION_TABLE, check_revision, upgrade
from ventiuna.table.store.statements import StoreError, StoreInUse

# Far past the end of any file. SQLite locks bytes from 2**30 to 2**30 + 511.
_LEASE = 2**62

if sys.platform == "win32":
    import msvcrt

    _FAR = 2**30  # lock a byte past the text so that others can read the holder's number

    def _try_lock(file: int) -> None:
        os.lseek(file, _FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)

    def _try_lease(file: int) -> None:
        """Do nothing. Windows locks prevent others from reading, so only the lock file is used."""
else:
    import fcntl

    def _try_lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _try_lease(file: int) -> None:
        """Lock through this open file, because SQLite would release a lock owned by the process.

        Systems without such locks use only the lock file.
        """
        command = getattr(fcntl, "F_OFD_SETLK", None)
        if command is not None:
            wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, _LEASE, 1, 0)
            fcntl.fcntl(file, command, wanted)


class ProcessLocks:
    """A database's locks, held from creation to release.

    The lease's file is opened before SQLite opens its own files, and closed after them: closing any
    file of a database releases all of SQLite's locks on it. A missing database is created so that
    only its owner can read it, because it will contain the down card of every round in play. SQLite
    gives its log the same permissions.
    """

    def __init__(self, database: Path) -> None:
        self._files: list[int] = []
        try:
            lock = self._open(database.with_name(f"{database.name}.lock"))
            holder = os.read(lock, 32).decode(errors="replace").strip()
            self._take(_try_lock, lock, database, holder)
            self._take(_try_lease, self._open(database), database)
            os.truncate(lock, 0)
            os.lseek(lock, 0, os.SEEK_SET)
            os.write(lock, str(os.getpid()).encode())
        except BaseException:
            self.release()
            raise

    def _open(self, path: Path) -> int:
        self._files.append(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        return self._files[-1]

    def _take(
        self, attempt: Callable[[int], None], file: int, database: Path, holder: str = ""
    ) -> None:
        try:
            attempt(file)
        except OSError:
            by = f"process {holder}" if holder.isdigit() else "another process"
            raise StoreInUse(
                f"{database} is in use by {by}. Only one process at a time may open it."
            ) from None

    def release(self) -> None:
        """Release the locks but keep the file, because a new one could be locked separately."""
        for file in self._files:
            os.close(file)
        self._files = []


OLDEST_SQLITE = (3, 38, 0)  # the first version with STRICT tables and built-in JSON
READERS = 8
BUSY = 0.5  # seconds; short, because no other process should be writing
LOG = 4000  # log pages (16 MB) after which a command checkpoints the log itself
LONG_LOG = 2**20  # log bytes after which the log is checkpointed between commands
WRITE = "BEGIN IMMEDIATE"
PATIENCE = 30.0  # seconds that a thread waits for this process's other threads

_COMMON: dict[str, int | str] = {
    "foreign_keys": 1,
    "trusted_schema": 0,
    "mmap_size": 0,
}
_WRITER = {
    **_COMMON,
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "fullfsync": 1,  # macOS: flush all the way to the disk
    "wal_autocheckpoint": LOG,
    "journal_size_limit": LONG_LOG,
    "recursive_triggers": 1,  # otherwise, REPLACE could remove history without firing the triggers
}
_READER = {**_COMMON, "query_only": 1, "wal_autocheckpoint": 0}


class SqliteStore:
    """An open file with the newest schema. Closing it merges the log into the file."""

    def __init__(self, path: Path) -> None:
        _check_version()
        self.path = path.resolve()
        self._locks = _locked(self.path)
        self._writer = _engine(self._open_writer, size=1, begin=WRITE)
        self._readers = reading_engine(self.path)
        self._turn = Lock()  # held by the thread that is writing
        self._idle: Connection | None = None  # reused if its last transaction succeeded
        self.writes = 0  # transactions so far; nothing else changes the file, because it is locked
        try:
            refuse_foreign_file(self.path)
            self._upgrade()
        except (
            OperationalError
        ) as error:  # locked by a program without our lock file, or the disk is full
            self.close()
            raise StoreError(f"{self.path} can't be used: {error.orig}.") from None
        except BaseException:
            self.close()
            raise

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Yield the write connection in a transaction, committed at the end; one at a time."""
        with self._connection() as connection:
            try:
                statements.run(connection, WRITE)
                yield connection
                _commit(connection)
            finally:
                self.writes += 1  # counted even after an error, which may follow a commit

    def _upgrade(self) -> None:
        """Upgrade the schema; its foreign keys are off, so that a revision can rebuild a table."""
        with self._connection() as connection:
            statements.run(connection, "PRAGMA foreign_keys = 0")
        with self.write() as connection:
            upgrade(connection)
        with self._connection() as connection:
            statements.run(connection, "PRAGMA foreign_keys = 1")

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """Yield the write connection, for one thread at a time.

        The connection is reused, because checking it out of the pool and back in takes as long as a
        flush on a fast disk.
        """
        if not self._turn.acquire(timeout=PATIENCE):
            raise StoreInUse(f"{self.path} has been locked for too long by another thread.")
        try:
            connection, self._idle = self._idle or self._writer.connect(), None
            try:
                yield connection
            except BaseException:
                connection.close()  # the pool cleans it up
                raise
            self._idle = connection
        finally:
            self._turn.release()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a read-only connection that sees one snapshot."""
        with self._readers.begin() as connection:
            yield connection

    def shorten_log(self) -> None:
        """Checkpoint the log into the file if the log has grown long."""
        try:
            if self.path.with_name(f"{self.path.name}-wal").stat().st_size <= LONG_LOG:
                return
        except FileNotFoundError:
            return
        with self._connection() as connection:
            statements.run(connection, "PRAGMA wal_checkpoint(PASSIVE)")

    def free_bytes(self) -> int:
        """Free space on the file's disk."""
        return shutil.disk_usage(self.path.parent).free

    def close(self) -> None:
        self._readers.dispose()
        if self._turn.acquire(timeout=PATIENCE):  # otherwise, the writer returns it to the pool
            if self._idle is not None:
                self._idle.close()
                self._idle = None
            self._turn.release()
        self._writer.dispose()  # closed last, because that merges the log into the file
        self._locks.release()

    def _open_writer(self) -> sqlite3.Connection:
        connection = _connect(self.path, "rw", _WRITER)
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            connection.close()
            raise StoreError(f"{self.path} can't use a write-ahead log. Is it on a local disk?")
        return connection


def reading_engine(path: Path) -> Engine:
    """An engine for read-only snapshots; it never locks or checkpoints the file."""
    _check_version()
    return _engine(lambda: _connect(path, "ro", _READER), size=READERS, begin="BEGIN")


def refuse_foreign_file(path: Path) -> None:
    """Refuse a file with another program's tables instead of creating a house among them."""
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
    if tables and REVISION_TABLE not in tables:
        raise StoreError(f"{path} is another program's database. Give the house a file of its own.")


def _check_version() -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreError(
            f"This Python has SQLite {sqlite3.sqlite_version}, but tables need 3.38 or later."
        )


def _locked(path: Path) -> ProcessLocks:
    try:
        return ProcessLocks(path)
    except OSError as error:
        raise StoreError(f"{path} can't be opened: {error.strerror}.") from None


def _engine(open_connection: Callable[[], sqlite3.Connection], size: int, begin: str) -> Engine:
    engine = create_engine(
        "sqlite://", creator=open_connection, poolclass=QueuePool, pool_size=size, max_overflow=0
    )

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if not _driver(connection).in_transaction:  # SQLAlchemy Core statements inside `write`
            statements.run(connection, begin)

    return engine


def _commit(connection: Connection) -> None:
    """Commit with the driver, because a SQLAlchemy transaction costs as much as several statements.

    If Core statements started a SQLAlchemy transaction, end that too.
    """
    statements.run(connection, "COMMIT")
    if connection.in_transaction():
        connection.commit()


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection), "a transaction's connection is open"
    return driver


def _connect(path: Path, mode: str, settings: Mapping[str, int | str]) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(
            f"{path.as_uri()}?mode={mode}",
            uri=True,
            timeout=BUSY,
            isolation_level=None,  # the engine begins transactions, not the driver
            check_same_thread=False,  # the pool gives a connection to one thread at a time
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


class Store(Protocol):
    """An open database with the newest schema."""

    def write(self) -> AbstractContextManager[Connection]:
        """A transaction that may write; committed at the end, rolled back on an error."""

    def read(self) -> AbstractContextManager[Connection]:
        """A read-only snapshot of the database."""

    def close(self) -> None: ...


def open_store(address: str) -> Store:
    """Open `postgresql://…` or a SQLite file, which is created and migrated if necessary."""
    if not is_postgres(address):
        return SqliteStore(Path(address))
    from ventiuna.table.store.postgres import PostgresStore  # an optional dependency

    return PostgresStore(address)


def is_postgres(address: str) -> bool:
    """Whether the address is for PostgreSQL and not a file path; refuses any other kind."""
    scheme, separator, _ = address.partition("://")
    if not separator:
        return False
    if scheme.partition("+")[0] not in ("postgresql", "postgres"):
        raise StoreError(f"{scheme!r} isn't a supported database. Use postgresql://… or a file.")
    return True


@contextmanager
def reporting_failures() -> Iterator[None]:
    """Report a database failure in one sentence."""
    try:
        yield
    except DBAPIError as error:
        reason = str(error.orig).partition("\n")[0]
        raise StoreError(f"The database failed: {reason}.") from None
    except OverflowError:  # SQLite's driver; PostgreSQL reports it as a failure
        raise StoreError("A number is too large: the largest is 2^63 - 1.") from None


class Reader(Protocol):
    def read(self) -> AbstractContextManager[Connection]:
        """A read-only snapshot of the database."""

    def close(self) -> None: ...


class SqliteReader:
    """A file that another process may have open."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise StoreError(f"There is no file {path}.")
        refuse_foreign_file(path.resolve())
        self._engine = reading_engine(path.resolve())
        try:
            with self.read() as connection:
                check_revision(connection)
        except DatabaseError as error:
            self.close()
            raise StoreError(f"{path} can't be read: {error.orig}.") from None
        except BaseException:
            self.close()
            raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self._engine.begin() as connection:
            yield connection

    def close(self) -> None:
        self._engine.dispose()


def open_reader(address: str) -> Reader:
    """Open `postgresql://…` or an existing SQLite file for reading."""
    if not is_postgres(address):
        return SqliteReader(Path(address))
    from ventiuna.table.store.postgres import PostgresStore  # an optional dependency

    return PostgresStore(address)
