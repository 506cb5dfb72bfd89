"""Whether a database still has what guards its books: triggers, functions, constraints, indexes.

Whoever can change the schema can take a guard away, change what they like, and leave. The books
tell what was changed; this tells that nothing watches over them any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from sqlalchemy import Connection, create_engine, text

from ventiuna.table.store.guards import (
    install_ledger_guards,
    install_table_guards,
    statements_on_postgres,
)
from ventiuna.table.store.schema import metadata

Parts = Mapping[tuple[str, str], str]  # what each is, by kind and name
_VERSION = "alembic_version"


def missing_safeguards(connection: Connection) -> list[str]:
    """What is gone, was changed or does not belong there; each in a few words."""
    if connection.dialect.name == "sqlite":
        return _compared(_on_sqlite(connection), _due_on_sqlite())
    return _compared(_on_postgres(connection), _due_on_postgres(connection))


def _compared(found: Parts, due: Parts) -> list[str]:
    told = [f"{kind} {name} is gone" for kind, name in sorted(due.keys() - found.keys())]
    told += [
        f"{kind} {name} is another"
        for kind, name in sorted(due.keys() & found.keys())
        if due[kind, name] != found[kind, name]
    ]
    return told + [
        f"{kind} {name} is foreign"
        for kind, name in sorted(found.keys() - due.keys())
        if kind in ("trigger", "function")  # tables and indexes of others do no harm
    ]


def _plain(statement: str) -> str:
    """As it means, not as it looks."""
    return re.sub(r'[\s"]', "", statement)


# --- SQLite: the text of every statement is kept ----------------------------------------------


def _on_sqlite(connection: Connection) -> Parts:
    rows = connection.execute(
        text("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    )
    return {(row.type, row.name): _plain(row.sql) for row in rows if row.name != _VERSION}


@cache
def _due_on_sqlite() -> Parts:
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        metadata.create_all(connection)
        install_ledger_guards(connection)
        install_table_guards(connection)
        due = _on_sqlite(connection)
    engine.dispose()
    return due


# --- PostgreSQL: names, whether they are in force, and what functions do ----------------------

_FOUND = """
SELECT 'trigger' AS kind, tgrelid::regclass::text || '.' || tgname AS name,
       CASE WHEN tgenabled IN ('O', 'A') THEN 'on' ELSE 'off' END AS value
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
UNION ALL SELECT 'constraint', conrelid::regclass::text || '.' || conname,
       CASE WHEN convalidated THEN 'on' ELSE 'off' END
  FROM pg_constraint
  WHERE connamespace = current_schema()::regnamespace AND contype IN ('p', 'u', 'f', 'c')
UNION ALL SELECT 'index', indexname, 'on' FROM pg_indexes WHERE schemaname = current_schema()
UNION ALL SELECT 'function', proname, prosrc
  FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
"""


def _on_postgres(connection: Connection) -> Parts:
    return {(row.kind, row.name): _plain(row.value) for row in connection.execute(text(_FOUND))}


def _due_on_postgres(connection: Connection) -> Parts:
    preparer = connection.dialect.identifier_preparer
    due: dict[tuple[str, str], str] = {}
    for table in metadata.tables.values():
        for constraint in table.constraints:
            due["constraint", f"{table.name}.{preparer.format_constraint(constraint)}"] = "on"
        for index in table.indexes:
            due["index", str(index.name)] = "on"
    return due | dict(_made_by(statements_on_postgres(connection)))


def _made_by(statements: Iterable[str]) -> Iterable[tuple[tuple[str, str], str]]:
    for statement in statements:
        if made := re.search(r"CREATE TRIGGER (\w+) .*? ON (\w+)", statement, re.DOTALL):
            yield ("trigger", f"{made[2]}.{made[1]}"), "on"
        elif made := re.search(r"CREATE FUNCTION (\w+)\(.*?\$\$(.*)\$\$", statement, re.DOTALL):
            yield ("function", made[1]), _plain(made[2].replace("%%", "%"))
