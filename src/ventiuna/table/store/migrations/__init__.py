"""Alembic's folder: each revision of the schema, run by `ventiuna.table.store.schema`."""
