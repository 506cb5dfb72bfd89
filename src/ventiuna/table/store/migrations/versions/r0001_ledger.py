"""People, books, entries, accounts, postings, seals.

The text is what was run: it is never edited once released.
"""

from alembic import op

from ventiuna.table.store.migrations.dialects import run_each
from ventiuna.table.store.schema import install_ledger_guards

revision = "r0001"
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
    install_ledger_guards(connection)


def downgrade() -> None:
    for table in (
        "process",
        "seal",
        "posting",
        "posting_kind",
        "account",
        "entry",
        "book",
        "token",
        "person",
        "house",
    ):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION move_balances(), refuse_change()")
