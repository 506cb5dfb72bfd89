"""What a table waits for has rows of its own.

Each command changes it. Beside the table's rules, which are long, SQLite wrote all of them again
each time, which was half of what a commit wrote; and without those that wait for nothing the
clock keeper needs no index.

The text is what was run: it is never edited once released.
"""

from alembic import op

from ventiuna.table.store.migrations.dialects import run_each

revision = "r0005"
down_revision = "r0004"

UP = (
    """
    CREATE TABLE waiting (
        table_id {int} NOT NULL,
        deadline_at {int},
        ask {int},
        CONSTRAINT pk_waiting PRIMARY KEY (table_id),
        CONSTRAINT fk_waiting_table_id FOREIGN KEY(table_id) REFERENCES game_table (id)
    ) {strict}
    """,
    """
    INSERT INTO waiting (table_id, deadline_at, ask) SELECT id, deadline_at, ask FROM game_table
    WHERE deadline_at IS NOT NULL OR ask IS NOT NULL
    """,
    "DROP INDEX ix_game_table_deadline_at",
    "ALTER TABLE game_table DROP COLUMN deadline_at",
    "ALTER TABLE game_table DROP COLUMN ask",
)
DOWN = (
    "ALTER TABLE game_table ADD COLUMN deadline_at {int}",
    "ALTER TABLE game_table ADD COLUMN ask {int}",
    """
    UPDATE game_table SET
        deadline_at = (SELECT deadline_at FROM waiting WHERE table_id = game_table.id),
        ask = (SELECT ask FROM waiting WHERE table_id = game_table.id)
    """,
    """
    CREATE INDEX ix_game_table_deadline_at ON game_table (deadline_at)
    WHERE deadline_at IS NOT NULL
    """,
)


def upgrade() -> None:
    run_each(UP)


def downgrade() -> None:
    run_each(DOWN)
    op.drop_table("waiting")
