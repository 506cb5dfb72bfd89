"""How many look on at each table, through each process of the house.

The text is what was run: it is never edited once released.
"""

from alembic import op

from ventiuna.table.store.migrations.dialects import run_each

revision = "r0006"
down_revision = "r0005"

TABLES = (
    """
    CREATE TABLE watching (
        process {int} NOT NULL,
        table_id {int} NOT NULL,
        people {int} NOT NULL,
        CONSTRAINT pk_watching PRIMARY KEY (process, table_id),
        CONSTRAINT ck_watching_people CHECK (people > 0),
        CONSTRAINT fk_watching_table_id FOREIGN KEY(table_id) REFERENCES game_table (id)
    ) {strict}
    """,
)


def upgrade() -> None:
    run_each(TABLES)


def downgrade() -> None:
    op.drop_table("watching")
