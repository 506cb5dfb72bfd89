"""Fixtures that run every storage test on real SQLite and real PostgreSQL databases."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from tests.support.postgres import OWNER, PROGRAM
from tests.table.postgres_server import shared_server
from ventiuna.table.store.connection import SqliteStore, Store, open_store
from ventiuna.table.store.postgres import migrate
from ventiuna.table.store.schema import metadata


@dataclass(frozen=True)
class Database:
    """A fresh house that can be opened as the program or as the schema's owner."""

    name: str
    program: str
    owner: str


@dataclass(frozen=True)
class Postgres:
    """This run's PostgreSQL server, with one worker's databases."""

    socket: str
    worker: str

    def address(self, database: str, role: str = "postgres") -> str:
        return f"postgresql://{role}@/{database}?host={self.socket}"

    def run(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            connection.execute(statement.encode())

    def database(self, name: str) -> Database:
        return Database("postgresql", self.address(name, PROGRAM), self.address(name, OWNER))

    def create(self, name: str) -> Database:
        self.run(f"CREATE DATABASE {name} OWNER {OWNER}")
        return self.database(name)

    def create_house(self, name: str) -> Database:
        """Create a migrated house by copying this worker's first one."""
        template = f"migrated_{self.worker}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            found = connection.execute(
                "SELECT 1 FROM pg_database WHERE datname = %s", (template,)
            ).fetchone()
        if found is None:
            migrate(self.create(template).owner, PROGRAM)
        self.run(f"CREATE DATABASE {name} OWNER {OWNER} TEMPLATE {template}")
        return self.database(name)

    def empty(self, name: str) -> None:
        """Delete every row except the schema's own, bypassing the guards.

        Uses DELETE instead of TRUNCATE, which recreates every file of every table.
        """
        tables = metadata.tables.keys() - {"posting_kind"}
        with psycopg.connect(self.address(name), autocommit=True) as connection:
            sequences = connection.execute("SELECT sequencename FROM pg_sequences").fetchall()
            statements = [
                # Fail rather than wait forever if another test holds a lock.
                "SET lock_timeout = '60s'",
                "SET session_replication_role = replica",
                *(f"DELETE FROM {table}" for table in sorted(tables)),
                *(f"ALTER SEQUENCE {sequence} RESTART" for (sequence,) in sequences),
            ]
            connection.execute("; ".join(statements).encode())

    def drop(self, name: str) -> None:
        self.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Postgres]:
    own = tmp_path_factory.getbasetemp()
    # Under xdist, the parent folder belongs to the whole run; otherwise, all runs share it.
    with shared_server(own if worker_id == "master" else own.parent) as socket:
        yield Postgres(socket, worker_id)


@pytest.fixture(scope="session")
def postgres_house(postgres: Postgres) -> str:
    """The name of a migrated database that is empty at the start of each of this worker's tests."""
    name = f"house_{postgres.worker}"
    postgres.create_house(name)
    return name


@pytest.fixture(scope="session")
def sqlite_house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file to copy."""
    path = tmp_path_factory.mktemp("template") / "house.sqlite"
    SqliteStore(path).close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A fresh house on each of the two databases."""
    if request.param == "sqlite":
        path = str(shutil.copy(request.getfixturevalue("sqlite_house"), tmp_path / "house.sqlite"))
        yield Database("sqlite", path, path)
    else:
        server: Postgres = request.getfixturevalue("postgres")
        name: str = request.getfixturevalue("postgres_house")
        server.empty(name)
        yield server.database(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def own_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database for this test only, without a schema, which the test may change; slower."""
    if request.param == "sqlite":
        path = str(tmp_path / "house.sqlite")
        yield Database("sqlite", path, path)
    else:
        server: Postgres = request.getfixturevalue("postgres")
        name = f"own_{server.worker}"
        yield server.create(name)
        server.drop(name)


@pytest.fixture
def store(database: Database) -> Iterator[Store]:
    """The house as the program opens it."""
    opened = open_store(database.program)
    yield opened
    opened.close()


@pytest.fixture
def owned(database: Database) -> Iterator[Store]:
    """The house as the schema's owner opens it; SQLite has only one role."""
    opened = open_store(database.owner)
    yield opened
    opened.close()
