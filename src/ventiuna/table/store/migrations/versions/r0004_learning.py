"""What people learn by: their rounds reviewed, and the hands that they practise.

The text is what was run: it is never edited once released.
"""

from alembic import op

from ventiuna.table.store.migrations.dialects import run_each

revision = "r0004"
down_revision = "r0003"

TABLES = (
    """
    CREATE TABLE review (
        person_id {int} NOT NULL,
        table_id {int} NOT NULL,
        round_number {int} NOT NULL,
        at {int} NOT NULL,
        data TEXT NOT NULL,
        CONSTRAINT pk_review PRIMARY KEY (person_id, table_id, round_number),
        CONSTRAINT fk_review_person_id FOREIGN KEY(person_id) REFERENCES person (id)
    ) {strict}
    """,
    """
    CREATE TABLE practice (
        person_id {int} NOT NULL,
        rules TEXT NOT NULL,
        item TEXT NOT NULL,
        kind TEXT NOT NULL,
        situation TEXT NOT NULL,
        box {int} NOT NULL,
        due_at {int} NOT NULL,
        asked {int} NOT NULL,
        missed {int} NOT NULL,
        CONSTRAINT pk_practice PRIMARY KEY (person_id, rules, item),
        CONSTRAINT ck_practice_box CHECK (box BETWEEN 0 AND 9),
        CONSTRAINT ck_practice_counts CHECK (0 <= missed AND missed <= asked),
        CONSTRAINT fk_practice_person_id FOREIGN KEY(person_id) REFERENCES person (id)
    ) {strict}
    """,
)


def upgrade() -> None:
    run_each(TABLES)


def downgrade() -> None:
    op.drop_table("practice")
    op.drop_table("review")
