"""Tables with their seats, shoes and rounds; jackpots and their links.

The text is what was run: it is never edited once released.
"""

from alembic import op

from ventiuna.table.store.migrations.dialects import run_each
from ventiuna.table.store.schema import install_table_guards

revision = "r0002"
down_revision = "r0001"

TABLES = (
    """
    CREATE TABLE game_table (
        id {int} NOT NULL,
        name TEXT NOT NULL,
        rules_name TEXT NOT NULL,
        rules_fingerprint TEXT NOT NULL,
        rules_data TEXT NOT NULL,
        state TEXT NOT NULL,
        clocks TEXT NOT NULL,
        deadline_at {int},
        ask {int},
        CONSTRAINT pk_game_table PRIMARY KEY (id),
        CONSTRAINT ck_game_table_state
            CHECK (state IN ('open', 'closing', 'closed', 'fault')),
        CONSTRAINT fk_game_table_id FOREIGN KEY(id) REFERENCES book (id)
    ) {strict}
    """,
    """
    CREATE INDEX ix_game_table_deadline_at ON game_table (deadline_at)
    WHERE deadline_at IS NOT NULL
    """,
    """
    CREATE TABLE seat (
        table_id {int} NOT NULL,
        number {int} NOT NULL,
        person_id {int} NOT NULL,
        status TEXT NOT NULL,
        client {int} NOT NULL,
        hold_until {int},
        CONSTRAINT pk_seat PRIMARY KEY (table_id, number),
        CONSTRAINT uq_seat_table_id_person_id UNIQUE (table_id, person_id),
        CONSTRAINT ck_seat_status CHECK (status IN ('here', 'away', 'leaving')),
        CONSTRAINT fk_seat_table_id FOREIGN KEY(table_id) REFERENCES game_table (id),
        CONSTRAINT fk_seat_person_id FOREIGN KEY(person_id) REFERENCES person (id)
    ) {strict}
    """,
    """
    CREATE TABLE spot (
        table_id {int} NOT NULL,
        number {int} NOT NULL,
        seat {int} NOT NULL,
        CONSTRAINT pk_spot PRIMARY KEY (table_id, number),
        CONSTRAINT fk_spot_table_id_seat FOREIGN KEY(table_id, seat)
            REFERENCES seat (table_id, number)
    ) {strict}
    """,
    """
    CREATE TABLE bot (
        person_id {int} NOT NULL,
        table_id {int} NOT NULL,
        strategy TEXT NOT NULL,
        CONSTRAINT pk_bot PRIMARY KEY (person_id),
        CONSTRAINT fk_bot_person_id FOREIGN KEY(person_id) REFERENCES person (id),
        CONSTRAINT fk_bot_table_id FOREIGN KEY(table_id) REFERENCES game_table (id)
    ) {strict}
    """,
    """
    CREATE TABLE shoe (
        table_id {int} NOT NULL,
        number {int} NOT NULL,
        context TEXT NOT NULL,
        salt {bytes} NOT NULL,
        commitment {bytes} NOT NULL,
        source TEXT NOT NULL,
        mix {bytes},
        dealt {int} NOT NULL,
        bonus TEXT NOT NULL,
        closed_version {int},
        seed {bytes},
        lost {int} DEFAULT 0 NOT NULL,
        CONSTRAINT pk_shoe PRIMARY KEY (table_id, number),
        CONSTRAINT ck_shoe_source CHECK (source IN ('os', 'test')),
        CONSTRAINT ck_shoe_lost CHECK (lost IN (0, 1) AND (lost = 0 OR seed IS NULL)),
        CONSTRAINT ck_shoe_ended
            CHECK ((closed_version IS NULL) = (seed IS NULL AND lost = 0)),
        CONSTRAINT ck_shoe_salt_bytes CHECK (length(salt) = 32),
        CONSTRAINT ck_shoe_commitment_bytes CHECK (length(commitment) = 32),
        CONSTRAINT ck_shoe_mix_bytes CHECK (length(mix) = 32),
        CONSTRAINT ck_shoe_seed_bytes CHECK (length(seed) = 32),
        CONSTRAINT fk_shoe_table_id FOREIGN KEY(table_id) REFERENCES game_table (id)
    ) {strict}
    """,
    """
    CREATE UNIQUE INDEX uq_shoe_in_play ON shoe (table_id)
    WHERE mix IS NOT NULL AND closed_version IS NULL
    """,
    """
    CREATE TABLE cut (
        table_id {int} NOT NULL,
        shoe {int} NOT NULL,
        seat {int} NOT NULL,
        person_id {int} NOT NULL,
        commitment {bytes} NOT NULL,
        value {bytes},
        CONSTRAINT pk_cut PRIMARY KEY (table_id, shoe, seat),
        CONSTRAINT fk_cut_table_id_shoe FOREIGN KEY(table_id, shoe)
            REFERENCES shoe (table_id, number),
        CONSTRAINT ck_cut_commitment_bytes CHECK (length(commitment) = 32),
        CONSTRAINT ck_cut_value_bytes CHECK (length(value) = 32),
        CONSTRAINT fk_cut_person_id FOREIGN KEY(person_id) REFERENCES person (id)
    ) {strict}
    """,
    """
    CREATE TABLE round (
        table_id {int} NOT NULL,
        number {int} NOT NULL,
        shoe {int} NOT NULL,
        first_version {int} NOT NULL,
        last_version {int},
        outcome TEXT NOT NULL,
        CONSTRAINT pk_round PRIMARY KEY (table_id, number),
        CONSTRAINT fk_round_table_id_shoe FOREIGN KEY(table_id, shoe)
            REFERENCES shoe (table_id, number),
        CONSTRAINT ck_round_outcome CHECK (outcome IN ('open', 'closed', 'void')),
        CONSTRAINT ck_round_last_version
            CHECK ((outcome = 'open') = (last_version IS NULL)),
        CONSTRAINT fk_round_table_id FOREIGN KEY(table_id) REFERENCES game_table (id)
    ) {strict}
    """,
    "CREATE UNIQUE INDEX uq_round_open ON round (table_id) WHERE outcome = 'open'",
    """
    CREATE TABLE jackpot (
        id {int} NOT NULL,
        name TEXT NOT NULL,
        settings TEXT NOT NULL,
        settings_hash {bytes} NOT NULL,
        maximum {int},
        reserve_rate {int} NOT NULL,
        advance_limit {int},
        state TEXT NOT NULL,
        missing {int} NOT NULL,
        CONSTRAINT pk_jackpot PRIMARY KEY (id),
        CONSTRAINT ck_jackpot_state CHECK (state IN ('open', 'suspended', 'removed')),
        CONSTRAINT ck_jackpot_maximum CHECK (maximum IS NULL OR maximum >= 0),
        CONSTRAINT ck_jackpot_missing CHECK (missing >= 0),
        CONSTRAINT ck_jackpot_settings_hash_bytes CHECK (length(settings_hash) = 32),
        CONSTRAINT fk_jackpot_id FOREIGN KEY(id) REFERENCES book (id)
    ) {strict}
    """,
    """
    CREATE TABLE link (
        jackpot_id {int} NOT NULL,
        table_id {int} NOT NULL,
        game {int} NOT NULL,
        remainder {int} NOT NULL,
        reserve_remainder {int} NOT NULL,
        CONSTRAINT pk_link PRIMARY KEY (table_id, game),
        CONSTRAINT uq_link_jackpot_id_table_id UNIQUE (jackpot_id, table_id),
        CONSTRAINT ck_link_game CHECK (game IN (1, 2)),
        CONSTRAINT ck_link_remainder CHECK (remainder BETWEEN 0 AND 9999),
        CONSTRAINT ck_link_reserve_remainder CHECK (reserve_remainder BETWEEN 0 AND 9999),
        CONSTRAINT fk_link_jackpot_id FOREIGN KEY(jackpot_id) REFERENCES jackpot (id),
        CONSTRAINT fk_link_table_id FOREIGN KEY(table_id) REFERENCES game_table (id)
    ) {strict}
    """,
)


def upgrade() -> None:
    run_each(TABLES)
    install_table_guards(op.get_bind())


def downgrade() -> None:
    for table in ("link", "jackpot", "round", "cut", "shoe", "bot", "spot", "seat", "game_table"):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION check_round_end()")
