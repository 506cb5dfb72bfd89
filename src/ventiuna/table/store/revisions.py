"""Which schema a database has, and the way from one to another (Alembic, without an ini file)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from ventiuna.table.store.errors import WrongRevision

REVISIONS = "alembic_version"  # the table in which Alembic keeps it
_FOLDER = Path(__file__).parent / "migrations"


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring the schema up; refuses one that this program does not know."""
    revision_of(connection)
    command.upgrade(_config(connection), revision)


def downgrade(connection: Connection, revision: str) -> None:
    """Take the schema down; what only a later revision holds is lost."""
    revision_of(connection)
    command.downgrade(_config(connection), revision)


def newest_revision() -> str:
    return str(_script().get_current_head())


def revision_of(connection: Connection) -> str | None:
    """The revision of this database, None when it is empty."""
    found = MigrationContext.configure(connection).get_current_revision()
    if found is not None and found not in known_revisions():
        raise WrongRevision(
            f"The database has schema {found}, which this Ventiuna does not know "
            f"(its newest is {newest_revision()}): start the version that made it."
        )
    return found


def known_revisions() -> list[str]:
    """From the oldest to the newest."""
    return [script.revision for script in _script().walk_revisions()][::-1]


def check_revision(connection: Connection) -> None:
    """Refuse every schema but the newest."""
    found = revision_of(connection)
    newest = newest_revision()
    if found is None:
        raise WrongRevision("The database is empty: ventiuna house migrate sets it up.")
    if found != newest:
        is_file = connection.dialect.name == "sqlite"
        by_file = "ventiuna table or serve brings it up when it opens the file"
        way = by_file if is_file else "ventiuna house migrate brings it up"
        raise WrongRevision(
            f"The database has schema {found} and this Ventiuna needs {newest}: {way}."
        )


@cache  # the revisions are read from their files
def _script() -> ScriptDirectory:
    return ScriptDirectory(_FOLDER)


def _config(connection: Connection) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
