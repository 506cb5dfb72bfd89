"""Alembic's folder: the revisions of the schema, run by `ventiuna.table.store.schema`."""
