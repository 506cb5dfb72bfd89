"""The database itself refuses invalid states: raw statements, bypassing the program's checks.

Each case runs on both databases as the schema's owner, so that triggers and constraints are tested
rather than a role's permissions (those are in `test_store`).
"""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from tests.table.ledger import AT, posting, request, write
from ventiuna.table.journal import BookKind, account_numbers, balances, open_book
from ventiuna.table.ledger import Posting
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import book, metadata
from ventiuna.table.store.schema import posting as posting_table
from ventiuna.table.store.statements import insert_rows, update_rows

TABLE = 1  # number of the table's book, the first one opened
START = (
    posting("issue", "mint > wallet/1", 1_000),
    posting("buy_in", "wallet/1 > stack/1/3", 600),
    posting("wager", "stack/1/3 > stake/1", 200),
    posting("seed", "advance/2 > meter/2", 5_000),
    posting("contribution", "bank/1 > meter/2/1", 21),
    posting("reserve", "bank/1 > reserve/2/1", 2),
)


@pytest.fixture
def house(owned: Store) -> Store:
    """A house with a $2 stake on a table's layout and an open round."""
    with owned.write() as connection:
        assert open_book(connection, BookKind.TABLE).book == TABLE
        write(connection, TABLE, *(request(each) for each in START))
        _insert(
            connection,
            "game_table",
            id=TABLE,
            name="One",
            rules_name="wsgc-2021",
            rules_fingerprint="f",
            rules_data="{}",
            state="open",
            clocks="{}",
        )
        _insert(connection, "shoe", **_shoe(1))
        _insert(connection, "round", **_round(1))
    return owned


def _insert(connection: Connection, table: str, **values: object) -> None:
    connection.execute(metadata.tables[table].insert().values(**values))


def _shoe(number: int, **more: object) -> dict[str, object]:
    secret = bytes(32)
    values: dict[str, object] = {
        "table_id": TABLE,
        "number": number,
        "context": "c",
        "salt": secret,
        "commitment": secret,
        "source": "test",
        "mix": secret,
        "dealt": 0,
        "bonus": "[]",
    }
    return values | more


def _round(number: int, **more: object) -> dict[str, object]:
    values: dict[str, object] = {
        "table_id": TABLE,
        "number": number,
        "shoe": 1,
        "first_version": 1,
        "outcome": "open",
    }
    return values | more


def _refused(house: Store, statement: str, error: type[DBAPIError] = IntegrityError) -> str:
    """Check that the statement is refused and changes nothing; return the database's message."""
    before = _everything(house)
    with pytest.raises(error) as caught, house.write() as connection:
        connection.execute(text(statement))
    assert _everything(house) == before
    return str(caught.value.orig)


def _everything(house: Store) -> dict[str, list[tuple[object, ...]]]:
    with house.read() as connection:
        return {
            name: sorted(map(tuple, connection.execute(table.select())), key=repr)
            for name, table in metadata.tables.items()
        }


# --- amounts and balances ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        posting("redeem", "wallet/1 > mint", 401),  # overdraws a wallet
        posting("wager", "stack/1/3 > stake/1", 401),  # overdraws a stack
        posting("lost", "stake/1 > bank/1", 201),  # overdraws the layout
        posting("award", "meter/2 > stack/1/3", 5_001),  # overdraws a meter
        posting("fold", "reserve/2/1 > reserve/2", 3),  # overdraws a reserve
        posting("redeem", "wallet/2 > mint", 1),  # overdraws an empty wallet
        posting("seed_back", "meter/2 > advance/2", 5_001, reason="too much"),
        posting("seed_won", "house > advance/2", 5_001),
        posting("issue", "mint > wallet/1", 2**63 - 1),  # overflows a balance
    ],
    ids=lambda line: f"{line.code}-{line.from_account}",
)
def test_no_balance_exceeds_its_bounds(house: Store, line: Posting) -> None:
    with house.write() as connection:
        account_numbers(connection, [line.from_account, line.to_account])
    before = _everything(house)
    with pytest.raises(DBAPIError), house.write() as connection:
        write(connection, TABLE, request(line))
    assert _everything(house) == before


def test_the_house_and_a_bank_may_owe(house: Store) -> None:
    with house.write() as connection:
        write(connection, TABLE, request(posting("won", "bank/1 > stack/1/3", 9_000)))
        write(connection, TABLE, request(posting("fill", "house > bank/1", 9_023)))
        held = balances(connection)
    assert (held["house"], held["bank/1"], sum(held.values())) == (-9_023, 0, 0)


def _line(**more: object) -> dict[str, object]:
    """A raw posting row; by default, `wallet/1` redeems one cent."""
    values: dict[str, object] = {
        "book_id": TABLE,
        "version": 1,
        "line": 2,
        "code": "redeem",
        "from_id": "wallet/1",
        "from_kind": "wallet",
        "to_id": "mint",
        "to_kind": "mint",
        "amount": 1,
    }
    return values | more


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(_line(amount=0), id="zero"),
        pytest.param(_line(amount=-5), id="negative"),
        pytest.param(_line(amount=1.5), id="a broken cent"),
        pytest.param(_line(amount=None), id="nothing"),
        pytest.param(_line(amount="five"), id="words"),
        pytest.param(
            _line(
                code="fold", from_id="meter/2", from_kind="meter", to_id="meter/2", to_kind="meter"
            ),
            id="to oneself",
        ),
        pytest.param(_line(code="gift"), id="an unlisted kind"),
        pytest.param(
            _line(
                code="receipts",
                from_id="meter/2",
                from_kind="meter",
                to_id="house",
                to_kind="house",
            ),
            id="the meter pays the house",
        ),
        pytest.param(
            _line(
                code="receipts",
                from_id="meter/2",
                from_kind="reserve",
                to_id="house",
                to_kind="house",
                reason="it says so",
            ),
            id="a meter that claims to be a reserve",
        ),
        pytest.param(_line(to_kind="house"), id="a mint that claims to be the house"),
        pytest.param(
            _line(
                code="correct_down",
                from_id="meter/2",
                from_kind="meter",
                to_id="reserve/2/1",
                to_kind="reserve",
            ),
            id="a correction without a reason",
        ),
        pytest.param(_line(line=1), id="the same line twice"),
        pytest.param(_line(version=99), id="of an entry that does not exist"),
        pytest.param(_line(from_id=99_999), id="of an account that does not exist"),
    ],
)
def test_a_bad_posting_is_refused(house: Store, line: dict[str, object]) -> None:
    with house.write() as connection:
        account_numbers(connection, ["house"])
    before = _everything(house)
    with house.read() as connection:
        codes = [code for code in (line["from_id"], line["to_id"]) if isinstance(code, str)]
        numbers = {
            code: connection.scalar(text("SELECT id FROM account WHERE code = :c"), {"c": code})
            for code in codes
        }
    for side in ("from_id", "to_id"):
        line = line | {side: numbers.get(str(line[side]), line[side])}
    with pytest.raises(DBAPIError), house.write() as connection:
        connection.execute(posting_table.insert().values(**line))
    assert _everything(house) == before


def test_the_same_posting_is_accepted_if_valid(house: Store) -> None:
    with house.write() as connection:
        numbers = account_numbers(connection, ["wallet/1", "mint"])
        line = _line(from_id=numbers["wallet/1"], to_id=numbers["mint"])
        connection.execute(posting_table.insert().values(**line))
        assert balances(connection, ["wallet/1", "mint"]) == {"wallet/1": 399, "mint": -999}


def test_a_fraction_of_a_cent_is_refused_among_many_rows(house: Store) -> None:
    """Uses the hot path's bulk insert; left to itself, PostgreSQL would silently round."""
    with house.write() as connection:
        numbers = account_numbers(connection, ["wallet/1", "mint"])
    before = _everything(house)
    line = _line(from_id=numbers["wallet/1"], to_id=numbers["mint"])
    good, bad = tuple(line.values()), tuple((line | {"line": 3, "amount": 1.5}).values())
    with pytest.raises(DBAPIError), house.write() as connection:
        insert_rows(connection, posting_table, tuple(line), [good, bad])  # type: ignore[list-item]
    assert _everything(house) == before


# --- accounts and kinds -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("INSERT INTO account (code, kind, balance) VALUES ('wallet/5', 'wallet', 100)", "empty"),
        ("INSERT INTO account (code, kind) VALUES ('purse/5', 'purse')", ""),
        ("INSERT INTO account (code, kind) VALUES ('wallet/5', 'stack')", ""),
        ("INSERT INTO account (code, kind) VALUES ('wallet/1', 'wallet')", ""),
        ("UPDATE account SET kind = 'bank' WHERE code = 'wallet/1'", "keeps its code and kind"),
        ("UPDATE account SET code = 'wallet/9' WHERE code = 'wallet/1'", "keeps its code and kind"),
        ("UPDATE account SET balance = -1 WHERE code = 'wallet/1'", ""),
        ("DELETE FROM account", "append only"),
        ("INSERT INTO posting_kind VALUES ('gift', 'house', 'wallet')", "only a migration"),
        ("UPDATE posting_kind SET to_kind = 'house' WHERE code = 'award'", "only a migration"),
        ("DELETE FROM posting_kind", "only a migration"),
    ],
)
def test_accounts_and_kinds_never_change(house: Store, statement: str, told: str) -> None:
    assert told in _refused(house, statement)


# --- history ----------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["entry", "posting", "seal"])
@pytest.mark.parametrize("change", ["UPDATE {} SET {} = {}", "DELETE FROM {}"])
def test_history_is_append_only(house: Store, table: str, change: str) -> None:
    with house.write() as connection:
        _insert(
            connection,
            "seal",
            number=1,
            at=AT,
            moved="[]",
            heads=bytes(32),
            previous=bytes(32),
            hash=bytes(32),
        )
    column = {"entry": "at", "posting": "amount", "seal": "at"}[table]
    assert "append only" in _refused(house, change.format(table, column, column))


def test_history_cannot_be_replaced_or_emptied(house: Store) -> None:
    """Each database has its own way to get rid of rows."""
    with house.read() as connection:
        on_sqlite = connection.dialect.name == "sqlite"
    for table in ("entry", "posting", "seal"):
        if on_sqlite and table != "seal":
            _refused(house, f"REPLACE INTO {table} SELECT * FROM {table}")
        if not on_sqlite:
            assert "append only" in _refused(house, f"TRUNCATE {table} CASCADE")


def test_a_version_is_written_once(house: Store) -> None:
    """The primary key enforces this, in addition to the head's version check."""
    columns = "book_id, version, first_event, at, actor, request, command, events, engine, hash"
    _refused(
        house,
        f"INSERT INTO entry (key, {columns})"
        f" SELECT 'other', {columns} FROM entry WHERE version = 2",
    )


def test_a_key_is_used_once(house: Store) -> None:
    columns = "book_id, first_event, at, actor, key, request, command, events, engine, hash"
    _refused(
        house,
        f"INSERT INTO entry (version, {columns}) SELECT 99, {columns} FROM entry WHERE version = 2",
    )


def test_a_head_moves_only_from_the_version_that_was_read(house: Store) -> None:
    last = len(START)
    with house.write() as connection:
        for before, hit in ((last - 1, 0), (last + 1, 0), (last, 1), (last, 0)):
            row = (TABLE, before, before + 1, before + 1, bytes(32))
            moved = update_rows(
                connection, book, ("id", "version"), ("version", "events", "head"), [row]
            )
            assert moved == hit


@pytest.mark.parametrize(
    "change",
    [
        "version = version - 1",
        "version = version",
        "head = head",
        "events = 0, version = 99",
        "kind = 'cashier', version = 99",
        "id = 9, version = 99",
    ],
)
def test_a_head_never_goes_back(house: Store, change: str) -> None:
    assert "a book goes on" in _refused(house, f"UPDATE book SET {change}")
    assert "append only" in _refused(house, "DELETE FROM book")


# --- rounds, shoes, and the rest --------------------------------------------------------------


def test_a_round_ends_only_when_no_chip_is_on_the_layout(house: Store) -> None:
    for outcome in ("closed", "void"):
        statement = f"UPDATE round SET outcome = '{outcome}', last_version = 5"
        assert "chips are still on the layout" in _refused(house, statement)
    with house.write() as connection:
        write(connection, TABLE, request(posting("lost", "stake/1 > bank/1", 200)))
        connection.execute(text("UPDATE round SET outcome = 'closed', last_version = 7"))
    assert "stays as it is" in _refused(house, "UPDATE round SET outcome = 'void'")
    assert "append only" in _refused(house, "DELETE FROM round")


def test_a_second_open_round_is_refused(house: Store) -> None:
    before = _everything(house)
    with pytest.raises(IntegrityError), house.write() as connection:
        _insert(connection, "round", **_round(2))
    with pytest.raises(IntegrityError, match="begins open"), house.write() as connection:
        _insert(connection, "round", **_round(2, outcome="closed", last_version=9))
    assert _everything(house) == before


def test_a_second_shoe_in_play_is_refused(house: Store) -> None:
    with house.write() as connection:
        # Committed but not cut yet, which is allowed.
        _insert(connection, "shoe", **_shoe(2, mix=None))
    with pytest.raises(IntegrityError), house.write() as connection:
        connection.execute(text("UPDATE shoe SET mix = salt WHERE number = 2"))
    with house.write() as connection:
        connection.execute(text("UPDATE shoe SET seed = salt, closed_version = 9 WHERE number = 1"))
        connection.execute(text("UPDATE shoe SET mix = salt WHERE number = 2"))


_NEW_PERSON = (
    "INSERT INTO person (name, kind, role, failed, created_at) VALUES ('p', '{}', '{}', 0, 1)"
)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE shoe SET seed = salt",  # revealed but not closed
        "UPDATE shoe SET closed_version = 5",
        "UPDATE shoe SET source = 'dice'",
        "UPDATE game_table SET state = 'shut'",
        "UPDATE round SET last_version = 5",  # ended but open
        "UPDATE book SET kind = 'diary', version = 99",
        "INSERT INTO house VALUES ('h', 2, 'two', 1, 0)",
        _NEW_PERSON.format("registered", "player"),  # without a password
        _NEW_PERSON.format("guest", "king"),
    ],
)
def test_rows_must_be_valid(house: Store, statement: str) -> None:
    _refused(house, statement)


def test_there_is_one_house(house: Store) -> None:
    with house.write() as connection:
        _insert(connection, "house", id="a", only=1, name="A", format=1)
    _refused(house, "INSERT INTO house VALUES ('b', 1, 'B', 1, 0)")


def test_links_keep_remainders_below_a_cent(house: Store) -> None:
    with house.write() as connection:
        jackpot = open_book(connection, BookKind.JACKPOT).book
        _insert(
            connection,
            "jackpot",
            id=jackpot,
            name="J",
            settings="{}",
            settings_hash=bytes(32),
            reserve_rate=200,
            state="open",
            missing=0,
        )
        _insert(
            connection,
            "link",
            jackpot_id=jackpot,
            table_id=TABLE,
            game=1,
            remainder=9_999,
            reserve_remainder=0,
        )
    for change in ("remainder = 10000", "reserve_remainder = -1", "game = 3"):
        _refused(house, f"UPDATE link SET {change}")
    _refused(house, "UPDATE jackpot SET maximum = -1")
    _refused(house, "UPDATE jackpot SET missing = -1")
