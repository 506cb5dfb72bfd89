"""A house in PostgreSQL: several processes, and a program role that can't alter the books.

The schema's owner runs migrations and grants privileges. The program connects as another role. That
role may append to history but not change it, and can change balances only through postings.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry

from ventiuna.package import missing_extra
from ventiuna.table.store.schema import check_revision, upgrade
from ventiuna.table.store.statements import StoreError
from ventiuna.texts import one_line

try:
    import psycopg
    from psycopg.abc import Buffer
    from psycopg.adapt import Dumper
except ImportError:
    raise missing_extra("psycopg", "keep the house in a SQLite file") from None

CONNECTIONS = 8
MIGRATION_LOCK = 21_2021  # arbitrary; an advisory lock against parallel migrations

# The program role's privileges by table. It may also read every table.
RIGHTS = {
    "house": ("INSERT", "UPDATE (name, separate_duties)"),
    "person": ("INSERT", "UPDATE"),
    "name_key": ("INSERT",),
    "restriction": ("INSERT", "UPDATE"),
    "token": ("INSERT", "UPDATE", "DELETE"),
    "book": ("INSERT", "UPDATE (version, events, head)"),
    "entry": ("INSERT",),
    # A row lock requires UPDATE on some column; triggers protect the codes.
    "account": ("INSERT (id, code, kind)", "UPDATE (code)"),
    "posting_kind": (),
    "posting": ("INSERT",),
    "seal": ("INSERT",),
    "process": ("INSERT", "UPDATE", "DELETE"),
    "allowance": ("INSERT", "UPDATE", "DELETE"),
    "watching": ("INSERT", "UPDATE", "DELETE"),
    "game_table": ("INSERT", "UPDATE"),
    "waiting": ("INSERT", "UPDATE", "DELETE"),
    "seat": ("INSERT", "UPDATE", "DELETE"),
    "spot": ("INSERT", "UPDATE", "DELETE"),
    "bot": ("INSERT", "DELETE"),
    "shoe": ("INSERT", "UPDATE"),
    "cut": ("INSERT", "UPDATE"),
    "round": ("INSERT", "UPDATE"),
    "jackpot": ("INSERT", "UPDATE"),
    "link": ("INSERT", "UPDATE", "DELETE"),
    "held_award": ("INSERT", "DELETE"),
    "job": ("INSERT", "UPDATE", "DELETE"),
    "audit_run": ("INSERT", "UPDATE", "DELETE"),
    "review": ("INSERT", "UPDATE", "DELETE"),
    "monitor": ("INSERT", "UPDATE", "DELETE"),
    "practice": ("INSERT", "UPDATE", "DELETE"),
    "lesson": ("INSERT", "UPDATE", "DELETE"),
    "training_class": ("INSERT", "DELETE"),
    "trainee": ("INSERT", "DELETE"),
    "alembic_version": (),
}


class PostgresStore:
    """An open database with the newest schema; any other is refused."""

    def __init__(self, address: str, connections: int = CONNECTIONS) -> None:
        self._engine = _engine(address, connections)
        # For connections made elsewhere, in psycopg's format.
        self.address = _url(address).set(drivername="postgresql").render_as_string(False)
        self._readers = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        try:
            with _first_use(self._readers) as connection:
                check_revision(connection)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Yield a connection in a READ COMMITTED transaction, committed at the end."""
        with self._engine.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a read-only connection that sees one snapshot."""
        with self._readers.begin() as connection:
            yield connection

    def close(self) -> None:
        self._engine.dispose()


def migrate(address: str, program_role: str) -> None:
    """Upgrade the schema as the owner, and grant the program's role only what it needs."""
    engine = _engine(address, connections=1)
    try:
        with _first_use(engine) as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
            upgrade(connection)
            grant_rights(connection, program_role)
    finally:
        engine.dispose()


def grant_rights(connection: Connection, role: str) -> None:
    known = text("SELECT 1 FROM pg_roles WHERE rolname = :role")
    if not connection.scalar(known, {"role": role}):
        raise StoreError(f"There is no role {role!r}. Create it first with CREATE ROLE … LOGIN.")
    preparer = connection.dialect.identifier_preparer
    name = preparer.quote_identifier(role)
    schema = preparer.quote_identifier(str(connection.scalar(text("SELECT current_schema()"))))
    connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA {schema} TO {name}")
    for table, rights in RIGHTS.items():
        connection.exec_driver_sql(f"REVOKE ALL ON {schema}.{table} FROM {name}")
        granted = ", ".join(("SELECT", *rights))
        connection.exec_driver_sql(f"GRANT {granted} ON {schema}.{table} TO {name}")


_GRANTS = text("""
SELECT relname AS table, NULL AS column, grantee, privilege_type, is_grantable,
       pg_get_userbyid(grantee) AS role
  FROM pg_class, aclexplode(relacl)
  WHERE relnamespace = current_schema()::regnamespace AND grantee <> relowner
UNION ALL SELECT relname, attname, grantee, privilege_type, is_grantable, pg_get_userbyid(grantee)
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid, aclexplode(attacl)
  WHERE relnamespace = current_schema()::regnamespace AND grantee <> relowner
ORDER BY 1, 2, 4
""")


def foreign_rights(connection: Connection) -> list[str]:
    """Briefly describe any privileges beyond those that the program needs."""
    found: list[str] = []
    for row in connection.execute(_GRANTS):
        is_listed = _is_listed(row.table, row.column, row.privilege_type)
        if not row.grantee or row.is_grantable or not is_listed:
            where = row.table if row.column is None else f"{row.table}.{row.column}"
            role = row.role if row.grantee else "everyone"
            found.append(f"privilege {row.privilege_type} on {where} for {role} doesn't belong")
    return found


def _is_listed(table: str, column: str | None, right: str) -> bool:
    """Whether a privilege is expected: anyone may have SELECT, the rest must be in `RIGHTS`."""
    rights = RIGHTS.get(table, ())
    if (right == "SELECT" and table in RIGHTS) or right in rights:
        return True
    columns = {
        name.strip()
        for listed in rights
        if listed.startswith(f"{right} (")
        for name in listed.rstrip(")").partition("(")[2].split(",")
    }
    return column in columns


def _engine(address: str, connections: int) -> Engine:
    engine = create_engine(
        _url(address),
        isolation_level="READ COMMITTED",
        pool_size=connections,
        max_overflow=0,
    )
    event.listen(engine, "connect", _set_up)
    return engine


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise StoreError(
            "The database must be an address such as postgresql://host/house."
        ) from None
    return url.set(drivername="postgresql+psycopg")


@contextmanager
def _first_use(engine: Engine) -> Iterator[Connection]:
    try:
        with engine.begin() as connection:
            yield connection
    except DBAPIError as error:
        reason = one_line(str(error.orig).partition("\n")[0])
        if isinstance(error.orig, psycopg.OperationalError):
            raise StoreError(f"The database can't be reached: {reason}.") from None
        if isinstance(error.orig, psycopg.errors.InsufficientPrivilege):
            raise StoreError(f"The database doesn't allow this: {reason}.") from None
        raise


class _NoFractions(Dumper):
    """Refuses fractions of a cent, which PostgreSQL would silently round."""

    def dump(self, obj: object) -> Buffer | None:
        raise psycopg.DataError(f"{obj!r} is not a whole number")


def _set_up(connection: psycopg.Connection[object], _record: ConnectionPoolEntry) -> None:
    for kind in (float, Decimal):
        connection.adapters.register_dumper(kind, _NoFractions)
    # An unflushed commit could be lost; stricter server settings are left unchanged.
    connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false) "
        "WHERE current_setting('synchronous_commit') = 'off'"
    )
    connection.commit()
