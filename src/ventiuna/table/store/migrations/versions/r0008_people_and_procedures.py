"""People and procedures: roles, limits, inspections, the floor, separate duties, corrections.

Also the monitor's alarms and progress, and the lessons and classes of the dealer's school.
"""

from alembic import op
from sqlalchemy import text

from ventiuna.table.access import skeleton
from ventiuna.table.store.migrations import change_table, edit_tables, run_each

revision = "r0008"
down_revision = "r0007"

_PERSON = """
    CREATE TABLE new_person (
        id {id},
        name TEXT NOT NULL,
        kind TEXT NOT NULL,
        role TEXT NOT NULL,
        password TEXT,
        failed {int} NOT NULL,
        locked_until {int},
        created_at {int} NOT NULL,
        CONSTRAINT pk_person PRIMARY KEY (id),
        CONSTRAINT uq_person_name UNIQUE (name),
        CONSTRAINT ck_person_kind CHECK (kind IN ('guest', 'registered')),
        CONSTRAINT ck_person_role
            CHECK (role IN ('player', 'floor', 'operator', 'auditor', 'owner')),
        CONSTRAINT ck_person_password CHECK ((kind = 'guest') = (password IS NULL))
    ) {strict}
"""
_COLUMNS = (
    "ALTER TABLE game_table ADD COLUMN inspection TEXT",
    "ALTER TABLE game_table ADD COLUMN options TEXT DEFAULT '{{}}' NOT NULL",
    "ALTER TABLE game_table ADD COLUMN alarms TEXT",
    "ALTER TABLE house ADD COLUMN separate_duties {int} DEFAULT 0 NOT NULL",
)
_MONITOR_AND_SCHOOL = (
    """
    CREATE TABLE monitor (
        table_id {int} NOT NULL,
        data TEXT NOT NULL,
        CONSTRAINT pk_monitor PRIMARY KEY (table_id),
        CONSTRAINT fk_monitor_table_id FOREIGN KEY(table_id) REFERENCES game_table (id)
    ) {strict}
    """,
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
_TABLES = (
    """
    CREATE TABLE name_key (
        skeleton TEXT NOT NULL,
        person_id {int} NOT NULL,
        CONSTRAINT pk_name_key PRIMARY KEY (skeleton),
        CONSTRAINT fk_name_key_person_id FOREIGN KEY(person_id) REFERENCES person (id)
    ) {strict}
    """,
    """
    CREATE TABLE restriction (
        person_id {int} NOT NULL,
        blocked {int} NOT NULL,
        excluded_until {int} NOT NULL,
        house_deposit {int},
        house_loss {int},
        house_wager {int},
        own_deposit {int},
        own_loss {int},
        own_wager {int},
        later_deposit {int},
        later_loss {int},
        later_wager {int},
        later_at {int} NOT NULL,
        CONSTRAINT pk_restriction PRIMARY KEY (person_id),
        CONSTRAINT ck_restriction_blocked CHECK (blocked IN (0, 1)),
        CONSTRAINT fk_restriction_person_id FOREIGN KEY(person_id) REFERENCES person (id)
    ) {strict}
    """,
    """
    CREATE TABLE held_award (
        table_id {int} NOT NULL,
        number {int} NOT NULL,
        round_number {int} NOT NULL,
        spot {int} NOT NULL,
        person_id {int} NOT NULL,
        game {int} NOT NULL,
        amount {int} NOT NULL,
        CONSTRAINT pk_held_award PRIMARY KEY (table_id, number),
        CONSTRAINT ck_held_award_amount CHECK (amount > 0),
        CONSTRAINT fk_held_award_table_id FOREIGN KEY(table_id) REFERENCES game_table (id),
        CONSTRAINT fk_held_award_person_id FOREIGN KEY(person_id) REFERENCES person (id)
    ) {strict}
    """,
)
_INDEXES = (
    """
    CREATE INDEX ix_posting_into_wallet ON posting (to_id)
    WHERE code = 'issue' OR code = 'cash_out'
    """,
    "CREATE INDEX ix_posting_bought ON posting (from_id) WHERE code = 'buy_in'",
    """
    CREATE INDEX ix_posting_correction ON posting (book_id)
    WHERE code = 'correction_paid' OR code = 'correction_taken'
    """,
)
_KINDS = "'mint', 'house', 'wallet', 'stack', 'stake', 'bank', 'meter', 'reserve', 'advance'"
_NOT_BELOW_ZERO = "'wallet', 'stack', 'stake', 'meter', 'reserve'"
_POSTING_KINDS = (
    ("award", "meter", "due"),
    ("house_prize", "bank", "due"),
    ("hand_pay", "due", "wallet"),
    ("correction_paid", "bank", "wallet"),
    ("correction_taken", "wallet", "bank"),
)


def upgrade() -> None:
    change_table(
        "person",
        "id, name, kind, role, password, failed, locked_until, created_at",
        _PERSON,
        (
            "ALTER TABLE person DROP CONSTRAINT ck_person_role",
            """
            ALTER TABLE person ADD CONSTRAINT ck_person_role
            CHECK (role IN ('player', 'floor', 'operator', 'auditor', 'owner'))
            """,
        ),
    )
    run_each((*_COLUMNS, *_TABLES, *_INDEXES, *_MONITOR_AND_SCHOOL))
    _insert_name_keys()
    if op.get_bind().dialect.name == "sqlite":
        _upgrade_sqlite()
    else:
        _upgrade_postgres()


def _insert_name_keys() -> None:
    connection = op.get_bind()
    first: dict[str, int] = {}
    for number, name in connection.execute(text("SELECT id, name FROM person ORDER BY id")).all():
        first.setdefault(skeleton(name), number)
    added = text("INSERT INTO name_key (skeleton, person_id) VALUES (:skeleton, :person)")
    for key, number in first.items():
        connection.execute(added, {"skeleton": key, "person": number})


def _upgrade_sqlite() -> None:
    edit_tables(
        ("account", "'reserve', 'advance')", "'reserve', 'advance', 'due')"),
        ("account", f"NOT IN ({_NOT_BELOW_ZERO})", f"NOT IN ({_NOT_BELOW_ZERO}, 'due')"),
    )
    connection = op.get_bind()
    connection.exec_driver_sql("DROP TRIGGER posting_kind_no_insert")
    _insert_posting_kinds()
    connection.exec_driver_sql(
        "CREATE TRIGGER posting_kind_no_insert BEFORE INSERT ON posting_kind "
        "BEGIN SELECT RAISE(ABORT, 'only a migration changes posting kinds'); END"
    )


def _upgrade_postgres() -> None:
    checks = {
        "kind": f"kind IN ({_KINDS}, 'due')",
        "not_below_zero": f"kind NOT IN ({_NOT_BELOW_ZERO}, 'due') OR balance >= 0",
    }
    for name, rule in checks.items():
        run_each([f"ALTER TABLE account DROP CONSTRAINT ck_account_{name}"])
        run_each([f"ALTER TABLE account ADD CONSTRAINT ck_account_{name} CHECK ({rule})"])
    run_each(["ALTER TABLE posting_kind DISABLE TRIGGER posting_kind_no_change"])
    _insert_posting_kinds()
    run_each(["ALTER TABLE posting_kind ENABLE TRIGGER posting_kind_no_change"])


def _insert_posting_kinds() -> None:
    for code, from_kind, to_kind in _POSTING_KINDS:
        op.get_bind().exec_driver_sql(
            f"INSERT INTO posting_kind VALUES ('{code}', '{from_kind}', '{to_kind}')"
        )
