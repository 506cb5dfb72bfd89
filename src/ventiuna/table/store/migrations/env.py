"""Run by Alembic for each upgrade or downgrade, on the connection that `revisions` hands over."""

from alembic import context

from ventiuna.table.store.schema import metadata


def run() -> None:
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        transactional_ddl=True,  # all of it or nothing, on SQLite too
    )
    with context.begin_transaction():
        context.run_migrations()


if hasattr(context, "config"):  # as it is while Alembic runs this file
    run()
