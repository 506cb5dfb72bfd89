"""The audit: a clean house passes, and any changed row is found and identified."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, insert, text, update

from tests import IS_SOAK
from tests.support.entropy import TestEntropy
from tests.table.conftest import Postgres
from tests.table.floor import create, order
from tests.table.played_house import KEY, PlayedHouse
from tests.table.tampering import rolled_back, take_guards_away
from ventiuna.rules import load_rules
from ventiuna.table.admin import FIRST_OPERATOR, lost_shoe_requests, lost_shoes
from ventiuna.table.audit.house import AuditError, AuditProgress, AuditReport, AuditScope, audit
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.fairness import HouseKey
from ventiuna.table.jackpots.progressive import ResumeJackpot, SuspendJackpot
from ventiuna.table.journal import BrokenSeal, newest_seal, read_events, stored_entries
from ventiuna.table.ledger import canonical_json
from ventiuna.table.store.connection import Store, open_store
from ventiuna.table.store.schema import bot, seal


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def played(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[PlayedHouse]:
    """A house with several shoes, a void round, and an open one."""
    if request.param == "sqlite":
        store = open_store(str(tmp_path_factory.mktemp("audit") / "house.sqlite"))
        yield _played(store)
        store.close()
    else:
        server: Postgres = request.getfixturevalue("postgres")
        database = server.create_house(f"audit_{server.worker}")
        store = open_store(database.owner)
        yield _played(store)
        store.close()
        server.drop(f"audit_{server.worker}")


def _played(store: Store) -> PlayedHouse:
    house = PlayedHouse(store)
    house.open()
    jackpot = create(
        store, load_rules("wsgc-2021(decks=8,jackpots=3d:1:seed=1000)"), maximum=10_000_000
    )
    order(store, jackpot, SuspendJackpot("its sign is broken"))
    order(store, jackpot, ResumeJackpot("its sign shines again"))
    house.play(3)
    house.seal()
    house.void()
    house.play(7)
    house.seal()
    house.open_round()
    house.time_up()
    house.open_round()
    return house


def _audited(connection: Connection, scope: AuditScope | None = None) -> AuditReport:
    return audit(connection, scope or AuditScope(key=KEY))


# --- an intact house --------------------------------------------------------------------------


def test_a_clean_house_passes(played: PlayedHouse) -> None:
    with played.store.read() as connection:
        report = _audited(connection)
    assert report.differences == []
    assert report.holds
    assert report.notes == ()
    assert report.books == 3
    assert report.counts.rounds == played.state.rounds - 1
    assert report.counts.shoes >= 2
    assert report.counts.cards > 50
    assert report.seals == 2
    assert report.newest is not None
    assert report.newest.number == 2


def test_without_the_key_cards_in_play_are_taken_from_the_events(played: PlayedHouse) -> None:
    with played.store.read() as connection:
        report = _audited(connection, AuditScope())
    assert report.holds
    assert [note for note in report.notes if "house key" in note]


def test_with_a_different_key_every_salt_is_reported(played: PlayedHouse) -> None:
    with played.store.read() as connection:
        report = _audited(connection, AuditScope(key=HouseKey(bytes(32))))
    assert {"the salt of shoe 1", "the salt of shoe 2"} <= {one.what for one in report.differences}


def test_auditing_one_book_reports_its_progress(played: PlayedHouse) -> None:
    seen: list[AuditProgress] = []
    with played.store.read() as connection:
        report = _audited(connection, AuditScope(KEY, books=[played.table], watch=seen.append))
        with pytest.raises(AuditError, match="no book 99"):
            _audited(connection, AuditScope(books=[99]))
    assert report.holds
    assert report.books == 1
    assert seen[-1].entries == seen[-1].of == report.counts.entries


def test_entries_before_the_given_seal_are_trusted(played: PlayedHouse) -> None:
    with rolled_back(played.store) as connection:
        assert _audited(connection, AuditScope(KEY, from_seal=1)).holds
        take_guards_away(connection)
        connection.execute(text("UPDATE entry SET command = '{}' WHERE version = 2"))
        whats = {one.what for one in _audited(connection, AuditScope(KEY, from_seal=1)).differences}
        assert "the entry's hash" in whats
        with pytest.raises(BrokenSeal, match="no seal 9"):
            _audited(connection, AuditScope(from_seal=9))


def test_a_closed_table_passes(store: Store) -> None:
    house = PlayedHouse(store, seed=2)
    house.open()
    house.play(2, mtd=())
    house.close()
    with store.read() as connection:
        report = _audited(connection, AuditScope())
    assert report.differences == []


def test_r123_a_table_deals_and_settles_in_the_sequence_of_its_house(store: Store) -> None:
    house = PlayedHouse(store, seed=2)
    sequence = "deal_order=down_card_first,spots_settled=from_right"
    house.open(f"wsgc-2021(decks=2,cut_card=50,{sequence})")
    house.play(3, mtd=("up",))
    with store.read() as connection:
        report = _audited(connection)
        entries = list(read_events(connection, house.table))
    events = [event for entry in entries for event in json.loads(entry.events)]
    assert report.differences == []
    assert report.counts.rounds == 3
    deal = [event for event in events if event["event"] == "CardDealt"][:6]
    assert [event["spot"] or event["place"] for event in deal] == [1, 2, "down", 1, 2, "up"]
    ups = [event["spot"] for event in events if event.get("wager") == "mtd up"]
    assert ups == [2, 1] * 3


def test_a_house_that_lost_its_key_passes(store: Store) -> None:
    """Shoes made with the old key are accepted as recorded, or checked against revealed seeds."""
    house = PlayedHouse(store)
    house.open()
    house.play(8)
    house.open_round()
    other = HouseKey(bytes(reversed(range(32))))
    house.house.shoes = HouseShoeFactory(other, TestEntropy(9))
    house.house.tables.clear()
    with store.read() as connection:
        asked = lost_shoe_requests(
            lost_shoes(connection, house.house.shoes), FIRST_OPERATOR, "it was lost"
        )
    assert house.writer.step(asked).faults == []
    house.play(2)
    for key in (other, None):
        with store.read() as connection:
            report = _audited(connection, AuditScope(key=key))
        assert report.differences == []
        assert "The cards of shoes whose key was lost could not be checked." in report.notes


def test_a_database_without_a_house_is_reported(store: Store) -> None:
    with store.read() as connection, pytest.raises(AuditError, match="no house"):
        audit(connection)


# --- a tampered house -------------------------------------------------------------------------

HASH = "chain: the entry's hash"
HERE = "WHERE book_id = {table} AND version = {wager}"
LINE = f"{HERE} AND line = 1"


def _entry(change: str, where: str = HERE) -> str:
    return f"UPDATE entry SET {change} {where}"


def _line(change: str) -> str:
    return f"UPDATE posting SET {change} {LINE}"


A_CARD = """events = replace(events, '"card":', '"card":1')"""
A_WAGER = """events = replace(events, '"base":1000', '"base":9000')"""
OTHER_STACK = "from_id = (SELECT id FROM account WHERE code = 'stack/{table}/2')"
FIRST_HEAD = "head = (SELECT hash FROM entry WHERE book_id = {table} AND version = 1)"
ADDED_LINE = f"""
    INSERT INTO posting SELECT book_id, version, 99, code, from_id, from_kind, to_id, to_kind,
    amount, round_number, event, spot, reason FROM posting {LINE}
"""
ADDED_ROUND = """
    INSERT INTO round (table_id, number, shoe, first_version, last_version, outcome)
    VALUES ({table}, 500, 1, 1, 2, 'closed')
"""
CASHIER = "WHERE book_id = 1 AND version = 1"
SUSPENDED = "WHERE book_id = (SELECT id FROM book WHERE kind = 'jackpot') AND version = 2"
DEAL = HERE.replace("wager", "deal")
JACKPOT = "WHERE book_id = (SELECT id FROM book WHERE kind = 'jackpot') AND version = 1"
IN_PLAY = "WHERE seed IS NULL AND mix IS NOT NULL"

TAMPERED = {
    "an event's amount": (_entry(A_WAGER), {HASH, "event: event {wager_event}"}),
    "a card": (_entry(A_CARD, DEAL), {HASH, "event: event {deal_event}"}),
    "events that aren't events": (_entry("events = '{{}}'"), {HASH, "event: its events"}),
    "a command": (
        _entry("""command = '{{"command":"Ready"}}'"""),
        {HASH, "event: event {wager_event}"},
    ),
    "a command that isn't one": (_entry("command = 'x'"), {HASH, "command: its command"}),
    "who asked": (_entry("actor = 'person/9'"), {HASH, "command: its command"}),
    "the prompt": (_entry("request = hash"), {"command: its request"}),
    "when": (_entry("at = at + 1"), {HASH}),
    "a hash": (_entry("hash = request"), {HASH}),
    "a deleted entry": (
        f"DELETE FROM posting {HERE}; DELETE FROM entry {HERE}",
        {"chain: the version", "chain: its first event"},
    ),
    "a book's version": (
        "UPDATE book SET version = version + 1 WHERE id = {table}",
        {"chain: the book's version"},
    ),
    "a book's head": (
        f"UPDATE book SET {FIRST_HEAD} WHERE id = {{table}}",
        {"chain: the book's head"},
    ),
    "a posting's amount": (
        _line("amount = 7"),
        {HASH, "posting: posting 1", "balance: stake/{table}"},
    ),
    "a posting's kind": (_line("code = 'gift'"), {HASH, "posting: posting 1"}),
    "a posting's account": (
        _line(OTHER_STACK),
        {HASH, "posting: posting 1", "balance: stack/{table}/1"},
    ),
    "a deleted posting": (f"DELETE FROM posting {LINE}", {HASH, "posting: posting 1"}),
    "an added posting": (ADDED_LINE, {HASH, "posting: posting {wager_lines}"}),
    "a balance": (
        "UPDATE account SET balance = balance + 1 WHERE code = 'wallet/1'",
        {"balance: wallet/1", "balance: the sum of all accounts"},
    ),
    "an account's code": (
        "UPDATE account SET code = 'wallet/77' WHERE code = 'wallet/1'",
        {"posting: posting 1", HASH, "posting: its postings"},
    ),
    "play money": (
        _entry("events = replace(events, '1000000', '2000000')", CASHIER),
        {HASH, "event: event 1"},
    ),
    "a jackpot's state": (
        "UPDATE jackpot SET state = 'suspended'",
        {"row: row of jackpot 3, state", "jackpot: invariant 2 of jackpot 3"},
    ),
    "a jackpot's maximum": (
        "UPDATE jackpot SET maximum = 5",
        {"row: row of jackpot 3, maximum", "jackpot: invariant 2 of jackpot 3"},
    ),
    "a jackpot's event": (
        _entry("events = replace(events, 'JackpotSuspended', 'JackpotResumed')", SUSPENDED),
        {HASH, "event: its events"},
    ),
    "seed money": (
        f"UPDATE posting SET amount = amount + 1 {JACKPOT}",
        {HASH, "posting: its postings", "balance: meter/3"},
    ),
    "a meter": (
        "UPDATE account SET balance = balance + 1 WHERE code = 'meter/3'",
        {"balance: meter/3", "jackpot: invariant 2 of jackpot 3"},
    ),
    "a role": (
        "UPDATE person SET role = 'player' WHERE id = 3",
        {"row: row of person 3, role"},
    ),
    "a role that nobody assigned": (
        "UPDATE person SET role = 'operator' WHERE id = 1",
        {"row: row of person 1, role"},
    ),
    "a seal's heads": ("UPDATE seal SET heads = previous WHERE number = 2", {"seal: seal 2"}),
    "a seal's hash": ("UPDATE seal SET hash = heads WHERE number = 1", {"seal: seal 1"}),
    "a seal's list": ("UPDATE seal SET moved = '[]' WHERE number = 2", {"seal: seal 2"}),
    "a deleted seal": ("DELETE FROM seal WHERE number = 1", {"seal: seal 2"}),
    "a shoe's seed": (
        "UPDATE shoe SET seed = salt WHERE number = 1",
        {"row: row of shoe 1, seed"},
    ),
    "a shoe's salt": (
        "UPDATE shoe SET salt = commitment WHERE number = 1",
        {"shoe: the salt of shoe 1"},
    ),
    "the salt of the shoe in play": (
        f"UPDATE shoe SET salt = commitment {IN_PLAY}",
        {"shoe: the salt of shoe {shoe}"},
    ),
    "a shoe's mix": (
        "UPDATE shoe SET mix = salt WHERE number = 2",
        {"row: row of shoe 2, mix"},
    ),
    "a shoe's commitment": (
        "UPDATE shoe SET commitment = salt WHERE number = 2",
        {"row: row of shoe 2, commitment"},
    ),
    "a shoe's position": (
        f"UPDATE shoe SET dealt = dealt + 1 {IN_PLAY}",
        {"row: row of shoe {shoe}, dealt"},
    ),
    "a shoe's context": (
        "UPDATE shoe SET context = 'x' WHERE number = 1",
        {"row: row of shoe 1, context"},
    ),
    "a cut": (
        "UPDATE cut SET value = commitment WHERE shoe = 1",
        {"row: row of cut 1 1, value"},
    ),
    "a deleted cut": ("DELETE FROM cut WHERE shoe = 1", {"row: row of cut 1 1"}),
    "a seat": ("UPDATE seat SET status = 'away' WHERE number = 1", {"row: row of seat 1, status"}),
    "the owner of a seat": (
        "UPDATE seat SET person_id = 3 WHERE number = 2",
        {"row: row of seat 2, person_id"},
    ),
    "a spot": ("UPDATE spot SET seat = 2 WHERE number = 1", {"row: row of spot 1, seat"}),
    "a round's outcome": (
        "UPDATE round SET outcome = 'void' WHERE number = 1",
        {"row: row of round 1, outcome"},
    ),
    "a round's entries": (
        "UPDATE round SET first_version = 1 WHERE number = 3",
        {"row: row of round 3, first_version"},
    ),
    "a deleted round": ("DELETE FROM round WHERE number = 2", {"row: row of round 2"}),
    "an added round": (ADDED_ROUND, {"row: row of round 500"}),
    "a table's state": (
        "UPDATE game_table SET state = 'fault'",
        {"row: row of game_table, state"},
    ),
    "a table's clock": (
        "UPDATE waiting SET deadline_at = 5",
        {"row: row of waiting, deadline_at"},
    ),
    "a table's rules": (
        "UPDATE game_table SET rules_data = '{{}}'",
        {"row: row of game_table, rules_data"},
    ),
    "a table's name": (
        "UPDATE game_table SET name = 'Other'",
        {"row: row of game_table, name"},
    ),
}


@pytest.mark.parametrize("played", ["sqlite"], indirect=True)
@pytest.mark.parametrize("case", TAMPERED)
def test_a_change_is_found_and_identified(played: PlayedHouse, case: str) -> None:
    _check_change(played, case)


@pytest.mark.parametrize("played", ["postgresql"], indirect=True)
@pytest.mark.parametrize("case", list(TAMPERED)[:: 1 if IS_SOAK else 5])
def test_a_change_is_found_on_postgresql(played: PlayedHouse, case: str) -> None:
    """The audit uses the same code for both databases, so a sample is enough outside a soak."""
    _check_change(played, case)


def _check_change(played: PlayedHouse, case: str) -> None:
    """Make a change that bypasses every guard, and check that the audit reports it."""
    change, told = TAMPERED[case]
    with rolled_back(played.store) as connection:
        take_guards_away(connection)
        places = _places(connection, played)
        for statement in change.format(**places).split(";"):
            assert connection.exec_driver_sql(statement).rowcount > 0
        report = _audited(connection)
        found = {f"{one.kind}: {one.what}" for one in report.differences}
        assert {each.format(**places) for each in told} <= found
        assert report.total < 60, "one change isn't reported a hundred times"


def _places(connection: Connection, played: PlayedHouse) -> dict[str, int]:
    """Positions of the table's first wager and of a deal in its book, and the shoe in play."""
    shoe = played.state.in_play
    assert shoe is not None, "a round is open"
    places = {"table": played.table, "shoe": shoe.number}
    for name, held in (("wager", "WagersPlaced"), ("deal", '"card":')):
        row = connection.execute(
            text(
                "SELECT version, first_event, events FROM entry "
                f"WHERE book_id = {played.table} AND events LIKE '%{held}%' ORDER BY version"
            )
        ).all()[0]
        events = json.loads(row.events)
        first = next(place for place, event in enumerate(events) if held in canonical_json(event))
        places[name] = row.version
        places[f"{name}_event"] = row.first_event + first
    lines = text(
        f"SELECT count(*) FROM posting WHERE book_id = {played.table} "
        f"AND version = {places['wager']}"
    )
    places["wager_lines"] = int(connection.scalar(lines) or 0) + 1
    return places


def test_a_shoe_in_play_is_reported_without_its_cards(played: PlayedHouse) -> None:
    """The reader of a report may be sitting at the table."""
    with rolled_back(played.store) as connection:
        take_guards_away(connection)
        opened = played.state.opened
        assert opened is not None
        where = f"WHERE book_id = {played.table} AND version > {opened.first_version}"
        connection.exec_driver_sql(_entry(A_CARD, where))
        report = _audited(connection)
    cards = [one for one in report.differences if "CardDealt" in one.stored + one.follows]
    assert cards
    assert all(
        '"card":"a card"' in one.stored and '"card":"a card"' in one.follows for one in cards
    )


def test_removed_guards_are_reported(played: PlayedHouse) -> None:
    """Missing guards are reported even though every row is correct."""
    with rolled_back(played.store) as connection:
        take_guards_away(connection)
        report = _audited(connection)
    (only,) = report.differences
    assert (only.kind, only.what) == ("guard", "the safeguards of its database")
    assert "account_stays is missing" in only.stored


def test_an_ineffective_guard_is_reported(played: PlayedHouse) -> None:
    with rolled_back(played.store) as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("DROP TRIGGER round_no_delete")
            connection.exec_driver_sql(
                "CREATE TRIGGER round_no_delete BEFORE DELETE ON round BEGIN SELECT 1; END"
            )
            told = "trigger round_no_delete was changed"
        else:
            connection.exec_driver_sql("ALTER TABLE round DISABLE TRIGGER round_no_change")
            connection.exec_driver_sql(
                "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql "
                "AS 'BEGIN RETURN NULL; END'"
            )
            told = "function refuse_change was changed; trigger round.round_no_change was changed"
        assert [one.stored for one in _audited(connection).differences] == [told]


def test_a_person_turned_into_a_bot_is_reported(played: PlayedHouse) -> None:
    """If this went unnoticed, the house could play with that person's wallet."""
    with rolled_back(played.store) as connection:
        connection.execute(insert(bot).values(person_id=1, table_id=played.table, strategy="chart"))
        found = [(str(one.kind), one.what) for one in _audited(connection).differences]
    assert found == [("row", "row of bot 1")]


def test_a_missing_recorded_seal_is_reported(played: PlayedHouse) -> None:
    """The newest seals can be deleted without leaving a gap."""
    with rolled_back(played.store) as connection:
        noted = newest_seal(connection)
        assert noted is not None
        scope = AuditScope(key=KEY, held_seals=[noted.hash])
        assert _audited(connection, scope).holds
        take_guards_away(connection)
        connection.execute(delete(seal).where(seal.c.number == noted.number))
        found = {f"{one.kind}: {one.what}" for one in _audited(connection, scope).differences}
        assert f"seal: seal {noted.hash.hex()}" in found


def test_a_long_period_without_seals_is_reported(played: PlayedHouse) -> None:
    with rolled_back(played.store) as connection:
        take_guards_away(connection)
        connection.execute(update(seal).values(at=seal.c.at - 20 * 60_000))
        (note,) = _audited(connection).notes
    assert "minutes newer than the newest seal" in note


def test_a_seal_exposes_a_rewritten_chain(played: PlayedHouse) -> None:
    """Changing an entry and rehashing everything after it contradicts the seals others hold."""
    with rolled_back(played.store) as connection:
        take_guards_away(connection)
        previous = bytes(32)
        for stored in list(stored_entries(connection, played.table)):
            entry = stored.entry
            at = entry.at + 1 if entry.version == 9 else entry.at
            connection.execute(
                text("UPDATE entry SET at = :at WHERE book_id = :book AND version = :version"),
                {"at": at, "book": played.table, "version": entry.version},
            )
            changed = replace(entry, at=at)
            previous = changed.hash_with(previous, [line.data() for line in stored.lines])
            connection.execute(
                text("UPDATE entry SET hash = :hash WHERE book_id = :book AND version = :version"),
                {"hash": previous, "book": played.table, "version": entry.version},
            )
        connection.execute(
            text("UPDATE book SET head = :head WHERE id = :book"),
            {"head": previous, "book": played.table},
        )
        kinds = {str(one.kind) for one in _audited(connection).differences}
    assert "seal" in kinds
    assert "chain" not in kinds


def test_a_file_can_be_audited_during_play(tmp_path: Path) -> None:
    """The audit sees a consistent snapshot of the file, without later commits."""
    store = open_store(str(tmp_path / "house.sqlite"))
    house = PlayedHouse(store)
    house.open()
    house.play(1)
    with store.read() as connection:
        before = _audited(connection).counts.entries
        house.play(1)
        report = _audited(connection)
    store.close()
    assert report.holds
    assert report.counts.entries == before
