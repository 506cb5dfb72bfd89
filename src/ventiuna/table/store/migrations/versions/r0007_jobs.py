"""Simulations and audits that the house's servers run, so that each of them can tell of all.

The text is what was run: it is never edited once released.
"""

from alembic import op

from ventiuna.table.store.migrations.dialects import run_each

revision = "r0007"
down_revision = "r0006"

TABLES = (
    """
    CREATE TABLE job (
        id TEXT NOT NULL,
        person_id {int} NOT NULL,
        process {int} NOT NULL,
        run {int} NOT NULL,
        state TEXT NOT NULL,
        stopping {int} NOT NULL,
        facts TEXT NOT NULL,
        result TEXT,
        checkpoint {bytes},
        changed_at {int} NOT NULL,
        CONSTRAINT pk_job PRIMARY KEY (id),
        CONSTRAINT ck_job_state CHECK (
            state IN ('running', 'interrupted', 'stopped', 'done', 'cancelled', 'failed')),
        CONSTRAINT ck_job_stopping CHECK (stopping IN (0, 1)),
        CONSTRAINT fk_job_person_id FOREIGN KEY(person_id) REFERENCES person (id)
    ) {strict}
    """,
    """
    CREATE TABLE audit_run (
        id {id},
        process {int} NOT NULL,
        state TEXT NOT NULL,
        entries {int} NOT NULL,
        entries_in_all {int} NOT NULL,
        result TEXT,
        CONSTRAINT pk_audit_run PRIMARY KEY (id),
        CONSTRAINT ck_audit_run_state CHECK (
            state IN ('running', 'interrupted', 'done', 'cancelled', 'failed'))
    ) {strict}
    """,
)


def upgrade() -> None:
    run_each(TABLES)


def downgrade() -> None:
    op.drop_table("audit_run")
    op.drop_table("job")
