"""Alembic runs this for each upgrade, on the connection that `schema` provides."""

from alembic import context

from ventiuna.table.store.schema import metadata


def run() -> None:
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        transactional_ddl=True,  # all or nothing, on SQLite too
    )
    with context.begin_transaction():
        context.run_migrations()


if hasattr(context, "config"):  # only while Alembic runs this file
    run()
