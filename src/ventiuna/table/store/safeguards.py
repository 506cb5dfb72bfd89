"""Check that a database still has everything that guards its books, with unchanged definitions.

Whoever can change the schema can remove a guard, or replace it with one of the same name that
guards nothing, change what they like, and leave. The audit finds what was changed in the books;
this finds guards that are missing, were changed or don't belong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from sqlalchemy import Connection, create_engine, text

from ventiuna.table.store.guards import install_ledger_guards, install_table_guards
from ventiuna.table.store.schema import metadata

DEFINITIONS = "postgres_definitions.json"  # `python -m tests.table.postgres_definitions` writes it

Parts = Mapping[tuple[str, str], str]  # definitions by kind and name
_VERSION = "alembic_version"


def missing_safeguards(connection: Connection) -> list[str]:
    """Guards that are missing, were changed or don't belong, each in a few words."""
    if connection.dialect.name == "sqlite":
        return _compared(_on_sqlite(connection), _due_on_sqlite())
    found = {key: _plain(value) for key, value in definitions_on_postgres(connection).items()}
    from ventiuna.table.store.postgres import foreign_rights  # an extra of its own

    return _compared(found, _due_on_postgres()) + foreign_rights(connection)


def _compared(found: Parts, due: Parts) -> list[str]:
    return [
        *(f"{kind} {name} is missing" for kind, name in sorted(due.keys() - found.keys())),
        *(
            f"{kind} {name} was changed"
            for kind, name in sorted(due.keys() & found.keys())
            if due[kind, name] != found[kind, name]
        ),
        *(f"{kind} {name} doesn't belong" for kind, name in sorted(found.keys() - due.keys())),
    ]


def _plain(statement: str) -> str:
    """The statement without spaces and quotation marks, which matter only inside a string."""
    parts = re.split(r"('(?:[^']|'')*')", statement)
    return "".join(
        part if place % 2 else re.sub(r'[\s"]', "", part) for place, part in enumerate(parts)
    )


# --- SQLite: the text of every statement is kept ----------------------------------------------


def _on_sqlite(connection: Connection) -> Parts:
    rows = connection.execute(
        text(
            "SELECT type, name, sql FROM sqlite_master "
            "WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        )
    )
    return {
        (row.type, row.name): _plain(row.sql)
        for row in rows
        if (row.type, row.name) != ("table", _VERSION)
    }


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


# --- PostgreSQL: as its own catalog words them ------------------------------------------------

_FOUND = """
SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'S' THEN 'sequence' ELSE 'relation' END AS kind,
       relname::text AS name,
       concat_ws(' ', relkind, relpersistence, relrowsecurity, relforcerowsecurity,
                 (SELECT count(*) FROM pg_inherits WHERE oid IN (inhrelid, inhparent))) AS value
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind <> 'i'
UNION ALL SELECT 'column', relname || '.' || attname,
       concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
                 pg_get_expr(adbin, adrelid))
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0
    AND NOT attisdropped
UNION ALL SELECT 'trigger', relname || '.' || tgname,
       CASE WHEN tgenabled IN ('O', 'A') THEN '' ELSE 'off ' END
       || pg_get_triggerdef(pg_trigger.oid)
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
UNION ALL SELECT 'constraint', relname || '.' || conname,
       pg_get_constraintdef(pg_constraint.oid)
  FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
  WHERE connamespace = current_schema()::regnamespace AND contype <> 'n'
UNION ALL SELECT 'index', indexname::text, indexdef
  FROM pg_indexes WHERE schemaname = current_schema()
UNION ALL SELECT 'rule', tablename || '.' || rulename, definition
  FROM pg_rules WHERE schemaname = current_schema()
UNION ALL SELECT 'policy', tablename || '.' || policyname, coalesce(qual, '')
  FROM pg_policies WHERE schemaname = current_schema()
UNION ALL SELECT 'function', proname::text, pg_get_functiondef(pg_proc.oid)
  FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prokind <> 'a'
UNION ALL SELECT 'owner of', relname::text, 'another'
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'S')
    AND relowner <> (SELECT relowner FROM pg_class WHERE oid = 'entry'::regclass)
"""


def definitions_on_postgres(connection: Connection) -> dict[tuple[str, str], str]:
    """Everything in the house's schema, whatever that is called."""
    schema = str(connection.scalar(text("SELECT current_schema()")))
    quoted = connection.dialect.identifier_preparer.quote(schema)
    before_names = re.compile(rf'(?<![\w"]){re.escape(quoted)}\.')
    return {
        (row.kind, row.name): before_names.sub("", row.value).replace(f"'{schema}'", "''")
        for row in connection.execute(text(_FOUND))
        if row.name.partition(".")[0] not in (_VERSION, f"{_VERSION}_pkc")
        or row.kind in ("trigger", "rule", "policy")
    }


@cache
def _due_on_postgres() -> Parts:
    """As PostgreSQL words the definitions of a schema that was just migrated."""
    written = files(__package__).joinpath(DEFINITIONS).read_text(encoding="utf-8")
    return {
        (kind, name): _plain(value)
        for kind, parts in json.loads(written).items()
        for name, value in parts.items()
    }
