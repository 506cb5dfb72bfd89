"""A table read three ways: from process memory, from rows, and from its first entry."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import Connection, select

from tests.table.tables import LiveTable
from ventiuna.engine.events import CardDealt, WagerSettled
from ventiuna.rules import rules_from_data
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import OpenTable, command_from_data
from ventiuna.table.domain.events import TableEvent, postings_of
from ventiuna.table.domain.flow import ShoeFactory, post_award
from ventiuna.table.domain.inspection import inspection_of
from ventiuna.table.domain.state import (
    ShoeRecord,
    TableState,
    apply_event,
    apply_posting,
    clocks_of,
    options_of,
)
from ventiuna.table.fairness import context_of
from ventiuna.table.journal import balances, read_entries, verify_book
from ventiuna.table.ledger import JournalHead, Posting
from ventiuna.table.read_model import ROW_KINDS, TableRows, events_of, rows_of
from ventiuna.table.store import schema
from ventiuna.testing.invariants import snapshot


def check_table(table: LiveTable) -> TableState:
    """Check that all three agree with each other, the rows, and the ledger; return the state."""
    room = table.room
    known = room.writer.table(table.number)
    loaded = table.loaded()
    with room.store.read() as connection:
        folded = fold_book(connection, room.name, table.number, room.shoes)
        rows = read_rows(connection, table.number)
        held = balances(connection)
    if known is not None:
        assert _differences(facts(known), facts(loaded)) == {}
        assert rows_of(known) == rows_of(loaded)
    assert _differences(facts(folded), facts(loaded)) == {}
    assert rows_of(folded) == rows
    assert sum(held.values()) == 0
    assert loaded.stake == loaded.chips.on_table
    return loaded


def _differences(
    these: dict[str, object], those: dict[str, object]
) -> dict[str, tuple[object, object]]:
    return {name: (these[name], those[name]) for name in these if these[name] != those[name]}


def facts(state: TableState) -> dict[str, object]:
    """The table's entire state, for comparison."""
    compared = (
        "head name clocks options status closes inspection seats spots links next_shoe in_play "
        "position cuts barred rounds opened ask deadline ready held_awards alarms"
    )
    found: dict[str, object] = {name: getattr(state, name) for name in compared.split()}
    found["rules"] = state.rules.name
    found["balances"] = {code: cents for code, cents in state.balances.items() if cents}
    found["round"] = snapshot(state.round) if state.round else None
    found["chips"] = vars(state.chips)
    live = state.live
    found["live"] = live and (live.dealt, live.cards_left, live.position, live.reshuffles)
    return found


def fold_book(connection: Connection, house: str, number: int, shoes: ShoeFactory) -> TableState:
    """Fold the table from its first entry; only its shoes' salts come from rows."""
    verify_book(connection, number)
    salts = _salts(connection, number)
    state: TableState | None = None
    for entry in read_entries(connection, number):
        if state is None:
            command = command_from_data(json.loads(entry.command), entry.engine)
            assert isinstance(command, OpenTable)
            rules, clocks = rules_from_data(command.rules), clocks_of(command.clocks)
            head, options = JournalHead(number), options_of(command)
            state = TableState(house, head, command.name, rules, clocks, options)
            state.inspection = inspection_of(rules, command)
        moved: list[Posting] = []
        for told in events_of(entry):
            event = told.event
            _prepare(state, event, salts, shoes)
            lines = postings_of(event, told.number, state.chips, state.layout)
            moved += lines
            for line in lines:
                apply_posting(state, line)
            if isinstance(event, WagerSettled) and event.meter:
                post_award(state, state.layout, event)
            apply_event(state, event, told.number, told.at)
            if isinstance(event, ev.ShoeCut):
                assert state.in_play is not None
                state.live = shoes.live(state.in_play)
        assert tuple(moved) == entry.postings, "postings that differ from those of the events"
        events = entry.first_event - 1 + len(entry.event_data())
        state.head = JournalHead(number, entry.version, events, entry.hash)
    assert state is not None
    return state


def _prepare(
    state: TableState, event: TableEvent, salts: Mapping[int, tuple[bytes, str]], shoes: ShoeFactory
) -> None:
    """Supply what an event doesn't contain: a shoe's salt, and the card leaving the shoe."""
    if isinstance(event, ev.ShoeCommitted):
        context = context_of(state.rules, state.house, str(state.number), event.shoe)
        salt, source = salts[event.shoe]
        commitment = bytes.fromhex(event.commitment)
        state.next_shoe = ShoeRecord(event.shoe, context, salt, commitment, source)
    elif isinstance(event, CardDealt):
        assert state.live is not None
        assert state.live.draw() == event.card
    elif isinstance(event, ev.ShoeRevealed):
        assert state.in_play is not None
        assert shoes.seed(state.in_play).hex() == event.seed


def _salts(connection: Connection, table: int) -> dict[int, tuple[bytes, str]]:
    shoe = schema.shoe
    query = select(shoe.c.number, shoe.c.salt, shoe.c.source).where(shoe.c.table_id == table)
    return {row.number: (row.salt, row.source) for row in connection.execute(query)}


def read_rows(connection: Connection, number: int) -> TableRows:
    """The table's rows as stored in the database."""
    found: TableRows = {}
    for kind in ROW_KINDS:
        columns = [kind.table.c[name] for name in kind.key + kind.values]
        query = select(*columns).where(columns[0] == number)
        keys = len(kind.key)
        found[kind.name] = {
            tuple(row[:keys]): tuple(row[keys:]) for row in connection.execute(query)
        }
    return found
