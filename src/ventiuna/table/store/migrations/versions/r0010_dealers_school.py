"""The dealer's school: lessons, classes and their trainees."""

from ventiuna.table.store.migrations import run_each

revision = "r0010"
down_revision = "r0009"

_TABLES = (
    """
    CREATE TABLE lesson (
        id {id},
        person_id {int} NOT NULL,
        kind TEXT NOT NULL,
        level TEXT NOT NULL,
        rules TEXT NOT NULL,
        seed {int} NOT NULL,
        supervised {int} NOT NULL,
        begun_at {int} NOT NULL,
        changed_at {int} NOT NULL,
        state TEXT NOT NULL,
        moves TEXT NOT NULL,
        result TEXT,
        rounds {int} NOT NULL,
        steps {int} NOT NULL,
        correct {int} NOT NULL,
        milliseconds {int} NOT NULL,
        score {int},
        passed {int},
        CONSTRAINT pk_lesson PRIMARY KEY (id),
        CONSTRAINT ck_lesson_kind
            CHECK (kind IN ('guided', 'practice', 'exam', 'catch', 'payouts')),
        CONSTRAINT ck_lesson_state CHECK (state IN ('open', 'done')),
        CONSTRAINT ck_lesson_result CHECK ((state = 'done') = (result IS NOT NULL)),
        CONSTRAINT ck_lesson_counts CHECK (0 <= correct AND correct <= steps),
        CONSTRAINT ck_lesson_score CHECK (score BETWEEN 0 AND 100),
        CONSTRAINT ck_lesson_passed CHECK (passed IN (0, 1)),
        CONSTRAINT fk_lesson_person_id FOREIGN KEY(person_id) REFERENCES person (id)
    ) {strict}
    """,
    "CREATE INDEX ix_lesson_person ON lesson (person_id)",
    """
    CREATE TABLE training_class (
        id {id},
        code TEXT NOT NULL,
        name TEXT NOT NULL,
        trainer_id {int} NOT NULL,
        created_at {int} NOT NULL,
        CONSTRAINT pk_training_class PRIMARY KEY (id),
        CONSTRAINT uq_training_class_code UNIQUE (code),
        CONSTRAINT fk_training_class_trainer_id FOREIGN KEY(trainer_id) REFERENCES person (id)
    ) {strict}
    """,
    """
    CREATE TABLE trainee (
        class_id {int} NOT NULL,
        person_id {int} NOT NULL,
        joined_at {int} NOT NULL,
        CONSTRAINT pk_trainee PRIMARY KEY (class_id, person_id),
        CONSTRAINT fk_trainee_class_id FOREIGN KEY(class_id) REFERENCES training_class (id),
        CONSTRAINT fk_trainee_person_id FOREIGN KEY(person_id) REFERENCES person (id)
    ) {strict}
    """,
)


def upgrade() -> None:
    run_each(_TABLES)
