"""A house's whole schema: the first revision.

Development versions built it in seven steps, r0001 to r0007. This revision keeps the last step's
number so that houses from those versions still open. Once released, it is never edited.
"""

from alembic import op

from ventiuna.table.store.migrations import run_each
from ventiuna.table.store.schema import install_guards

revision = "r0007"
down_revision = None

TABLES = (
    """
    CREATE TABLE house (
        id TEXT NOT NULL,
        "only" {int} NOT NULL,
        name TEXT NOT NULL,
        format {int} NOT NULL,
        CONSTRAINT pk_house PRIMARY KEY (id),
        CONSTRAINT uq_house_only UNIQUE ("only"),
        CONSTRAINT ck_house_only CHECK ("only" = 1)
    ) {strict}
    """,
    """
    CREATE TABLE person (
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
        CONSTRAINT ck_person_role CHECK (role IN ('player', 'operator', 'auditor')),
        CONSTRAINT ck_person_password CHECK ((kind = 'guest') = (password IS NULL))
    ) {strict}
    """,
    """
    CREATE TABLE token (
        digest {bytes} NOT NULL,
        person_id {int} NOT NULL,
        purpose TEXT NOT NULL,
        expires_at {int} NOT NULL,
        revoked_at {int},
        CONSTRAINT pk_token PRIMARY KEY (digest),
        CONSTRAINT ck_token_digest_bytes CHECK (length(digest) = 32),
        CONSTRAINT fk_token_person_id FOREIGN KEY(person_id) REFERENCES person (id)
    ) {strict}
    """,
    """
    CREATE TABLE book (
        id {id},
        kind TEXT NOT NULL,
        version {int} NOT NULL,
        events {int} NOT NULL,
        head {bytes} NOT NULL,
        CONSTRAINT pk_book PRIMARY KEY (id),
        CONSTRAINT ck_book_kind CHECK (kind IN ('table', 'jackpot', 'cashier')),
        CONSTRAINT ck_book_head_bytes CHECK (length(head) = 32)
    ) {strict}
    """,
    """
    CREATE TABLE entry (
        book_id {int} NOT NULL,
        version {int} NOT NULL,
        first_event {int} NOT NULL,
        at {int} NOT NULL,
        actor TEXT NOT NULL,
        key TEXT NOT NULL,
        request {bytes} NOT NULL,
        command TEXT NOT NULL,
        events TEXT NOT NULL,
        engine {int} NOT NULL,
        hash {bytes} NOT NULL,
        CONSTRAINT pk_entry PRIMARY KEY (book_id, version),
        CONSTRAINT uq_entry_actor_key UNIQUE (actor, key),
        CONSTRAINT ck_entry_version CHECK (version > 0),
        CONSTRAINT ck_entry_request_bytes CHECK (length(request) = 32),
        CONSTRAINT ck_entry_hash_bytes CHECK (length(hash) = 32),
        CONSTRAINT fk_entry_book_id FOREIGN KEY(book_id) REFERENCES book (id)
    ) {strict}
    """,
    """
    CREATE TABLE account (
        id {id},
        code TEXT NOT NULL,
        kind TEXT NOT NULL,
        balance {int} DEFAULT 0 NOT NULL,
        CONSTRAINT pk_account PRIMARY KEY (id),
        CONSTRAINT uq_account_code UNIQUE (code),
        CONSTRAINT uq_account_id_kind UNIQUE (id, kind),
        CONSTRAINT ck_account_kind
            CHECK (kind IN ('mint', 'house', 'wallet', 'stack', 'stake', 'bank', 'meter',
            'reserve', 'advance')),
        CONSTRAINT ck_account_code
            CHECK (code = kind OR substr(code, 1, length(kind) + 1) = kind || '/'),
        CONSTRAINT ck_account_not_below_zero
            CHECK (kind NOT IN ('wallet', 'stack', 'stake', 'meter', 'reserve') OR balance >= 0),
        CONSTRAINT ck_account_not_above_zero
            CHECK (kind NOT IN ('mint', 'advance') OR balance <= 0)
    ) {strict}
    """,
    """
    CREATE TABLE posting_kind (
        code TEXT NOT NULL,
        from_kind TEXT NOT NULL,
        to_kind TEXT NOT NULL,
        CONSTRAINT pk_posting_kind PRIMARY KEY (code, from_kind, to_kind)
    ) {strict}
    """,
    """
    CREATE TABLE posting (
        book_id {int} NOT NULL,
        version {int} NOT NULL,
        line {int} NOT NULL,
        code TEXT NOT NULL,
        from_id {int} NOT NULL,
        from_kind TEXT NOT NULL,
        to_id {int} NOT NULL,
        to_kind TEXT NOT NULL,
        amount {int} NOT NULL,
        round_number {int},
        event {int},
        spot {int},
        reason TEXT,
        CONSTRAINT pk_posting PRIMARY KEY (book_id, version, line),
        CONSTRAINT fk_posting_book_id_version FOREIGN KEY(book_id, version)
            REFERENCES entry (book_id, version),
        CONSTRAINT fk_posting_from_id_from_kind FOREIGN KEY(from_id, from_kind)
            REFERENCES account (id, kind),
        CONSTRAINT fk_posting_to_id_to_kind FOREIGN KEY(to_id, to_kind)
            REFERENCES account (id, kind),
        CONSTRAINT fk_posting_code_from_kind_to_kind FOREIGN KEY(code, from_kind, to_kind)
            REFERENCES posting_kind (code, from_kind, to_kind),
        CONSTRAINT ck_posting_amount CHECK (amount > 0),
        CONSTRAINT ck_posting_other_account CHECK (from_id <> to_id),
        CONSTRAINT ck_posting_reason
            CHECK (code NOT IN ('seed_back', 'correct_up', 'correct_down', 'receipts')
            OR reason IS NOT NULL)
    ) {strict}
    """,
    """
    CREATE TABLE seal (
        number {int} NOT NULL,
        at {int} NOT NULL,
        moved TEXT NOT NULL,
        heads {bytes} NOT NULL,
        previous {bytes} NOT NULL,
        hash {bytes} NOT NULL,
        CONSTRAINT pk_seal PRIMARY KEY (number),
        CONSTRAINT ck_seal_heads_bytes CHECK (length(heads) = 32),
        CONSTRAINT ck_seal_previous_bytes CHECK (length(previous) = 32),
        CONSTRAINT ck_seal_hash_bytes CHECK (length(hash) = 32)
    ) {strict}
    """,
    """
    CREATE TABLE process (
        id {id},
        started_at {int} NOT NULL,
        beat_at {int} NOT NULL,
        CONSTRAINT pk_process PRIMARY KEY (id)
    ) {strict}
    """,
    """
    CREATE TABLE allowance (
        what TEXT NOT NULL,
        address {bytes} NOT NULL,
        full_at {int} NOT NULL,
        CONSTRAINT pk_allowance PRIMARY KEY (what, address),
        CONSTRAINT ck_allowance_address_bytes CHECK (length(address) = 32)
    ) {strict}
    """,
    """
    CREATE TABLE game_table (
        id {int} NOT NULL,
        name TEXT NOT NULL,
        rules_name TEXT NOT NULL,
        rules_fingerprint TEXT NOT NULL,
        rules_data TEXT NOT NULL,
        state TEXT NOT NULL,
        clocks TEXT NOT NULL,
        CONSTRAINT pk_game_table PRIMARY KEY (id),
        CONSTRAINT ck_game_table_state
            CHECK (state IN ('open', 'closing', 'closed', 'fault')),
        CONSTRAINT fk_game_table_id FOREIGN KEY(id) REFERENCES book (id)
    ) {strict}
    """,
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
    CREATE TABLE seat (
        table_id {int} NOT NULL,
        number {int} NOT NULL,
        person_id {int} NOT NULL,
        status TEXT NOT NULL,
        client {int} NOT NULL,
        hold_until {int},
        process {int},
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

# code, from, to
POSTING_KINDS = """
issue mint wallet
redeem wallet mint
buy_in wallet stack
cash_out stack wallet
wager stack stake
take_back stake stack
double stack stake
split stack stake
insurance stack stake
returned stake stack
won bank stack
lost stake bank
contribution bank meter
reserve bank reserve
fold meter meter
fold reserve reserve
overflow meter reserve
award meter stack
reserve_seed reserve meter
seed advance meter
seed_won house advance
seed_back reserve advance
seed_back meter advance
correct_up house meter
correct_down meter reserve
receipts reserve house
house_prize bank stack
super_bonus bank stack
envy_bonus bank stack
void_stake stake stack
void_won stack bank
void_lost bank stack
fill house bank
drop bank house
moved meter meter
moved reserve reserve
"""


def upgrade() -> None:
    run_each(TABLES)
    connection = op.get_bind()
    for line in POSTING_KINDS.split("\n")[1:-1]:
        code, from_kind, to_kind = line.split()
        connection.exec_driver_sql(
            f"INSERT INTO posting_kind VALUES ('{code}', '{from_kind}', '{to_kind}')"
        )
    install_guards(connection)
