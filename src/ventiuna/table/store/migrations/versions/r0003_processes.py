"""What the processes of a house share: whose clients sit where, and how often one may ask.

The text is what was run: it is never edited once released.
"""

from alembic import op

from ventiuna.table.store.migrations.dialects import run_each

revision = "r0003"
down_revision = "r0002"

TABLES = (
    """
    CREATE TABLE allowance (
        what TEXT NOT NULL,
        address {bytes} NOT NULL,
        full_at {int} NOT NULL,
        CONSTRAINT pk_allowance PRIMARY KEY (what, address),
        CONSTRAINT ck_allowance_address_bytes CHECK (length(address) = 32)
    ) {strict}
    """,
)

_SEAT = """
    CREATE TABLE seat (
        table_id {{int}} NOT NULL,
        number {{int}} NOT NULL,
        person_id {{int}} NOT NULL,
        status TEXT NOT NULL,
        client {{int}} NOT NULL,
        hold_until {{int}},
        {process}CONSTRAINT pk_seat PRIMARY KEY (table_id, number),
        CONSTRAINT uq_seat_table_id_person_id UNIQUE (table_id, person_id),
        CONSTRAINT ck_seat_status CHECK (status IN ('here', 'away', 'leaving')),
        CONSTRAINT fk_seat_table_id FOREIGN KEY(table_id) REFERENCES game_table (id),
        CONSTRAINT fk_seat_person_id FOREIGN KEY(person_id) REFERENCES person (id)
    ) {{strict}}
"""
_SPOT = """
    CREATE TABLE spot (
        table_id {int} NOT NULL,
        number {int} NOT NULL,
        seat {int} NOT NULL,
        CONSTRAINT pk_spot PRIMARY KEY (table_id, number),
        CONSTRAINT fk_spot_table_id_seat FOREIGN KEY(table_id, seat)
            REFERENCES seat (table_id, number)
    ) {strict}
"""


def upgrade() -> None:
    run_each(TABLES)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE seat ADD COLUMN process BIGINT")
    else:
        _make_seats_anew("process {int},")


def downgrade() -> None:
    op.drop_table("allowance")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE seat DROP COLUMN process")
    else:
        _make_seats_anew("")


def _make_seats_anew(process: str) -> None:
    """SQLite can't put a column before the constraints of a table that is there."""
    seats = "table_id, number, person_id, status, client, hold_until"
    run_each(
        (
            f"CREATE TEMPORARY TABLE kept_seat AS SELECT {seats} FROM seat",
            "CREATE TEMPORARY TABLE kept_spot AS SELECT table_id, number, seat FROM spot",
            "DROP TABLE spot",
            "DROP TABLE seat",
            _SEAT.format(process=process),
            _SPOT,
            f"INSERT INTO seat ({seats}) SELECT {seats} FROM kept_seat",
            "INSERT INTO spot (table_id, number, seat) SELECT * FROM kept_spot",
            "DROP TABLE kept_spot",
            "DROP TABLE kept_seat",
        )
    )
