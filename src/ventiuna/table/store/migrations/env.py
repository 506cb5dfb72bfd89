"""Run by Alembic for each upgrade or downgrade, on the connection that `revisions` hands over."""

from alembic import context

from ventiuna.table.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # all of it or nothing, on SQLite too
)
with context.begin_transaction():
    context.run_migrations()
