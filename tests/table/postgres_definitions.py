"""Records PostgreSQL's wording of the schema's definitions, which the audit compares.

Run `python -m tests.table.postgres_definitions` after each schema change.
"""

from __future__ import annotations

import json
from collections import defaultdict
from importlib.resources import files
from pathlib import Path

from sqlalchemy import Connection

from tests.support.postgres import private_postgres
from ventiuna.table.audit import house
from ventiuna.table.store.connection import open_store

FILE = Path(str(files("ventiuna.table.store").joinpath(house.DEFINITIONS)))


def written(connection: Connection) -> str:
    """This database's definitions, in the file's format."""
    kinds: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for (kind, name), value in house.definitions_on_postgres(connection).items():
        kinds[kind][name] = value
    return json.dumps(kinds, indent=1, sort_keys=True) + "\n"


def main() -> None:
    with private_postgres() as server:
        store = open_store(server.new_house())
        with store.read() as connection:
            text = written(connection)
        store.close()
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
