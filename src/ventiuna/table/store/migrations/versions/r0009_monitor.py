"""The monitor's alarms, and its state for each table."""

from ventiuna.table.store.migrations import run_each

revision = "r0009"
down_revision = "r0008"


def upgrade() -> None:
    run_each(
        (
            "ALTER TABLE game_table ADD COLUMN alarms TEXT",
            """
            CREATE TABLE monitor (
                table_id {int} NOT NULL,
                data TEXT NOT NULL,
                CONSTRAINT pk_monitor PRIMARY KEY (table_id),
                CONSTRAINT fk_monitor_table_id FOREIGN KEY(table_id) REFERENCES game_table (id)
            ) {strict}
            """,
        )
    )
