"""A house: its one row, its cashier's book, its tables."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, insert, select, text

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.events import ENGINE
from ventiuna.errors import VentiunaError
from ventiuna.rules import fingerprint, rules_data, rules_from_data
from ventiuna.table.books.copies import done_before
from ventiuna.table.books.entries import BookKind, append, open_book
from ventiuna.table.ledger.chain import Request as EntryRequest
from ventiuna.table.ledger.chain import canonical_json, request_hash
from ventiuna.table.play.carrying_out import Actor, carry_out
from ventiuna.table.play.clocks import clocks_of
from ventiuna.table.play.codec import command_data, event_data
from ventiuna.table.play.commands import OpenTable
from ventiuna.table.play.state import TableState
from ventiuna.table.play.turn import Surroundings, Turn
from ventiuna.table.store import schema
from ventiuna.table.writing.projection import project, write_changes
from ventiuna.table.writing.transaction import House

FORMAT = 1
LONGEST_TABLE_NAME = 60


def house_id(connection: Connection, name: str = "Ventiuna") -> str:
    """The id of the house in this database; one without any becomes a new house."""
    if (found := _known_id(connection)) is not None:
        return found
    made = new_id()
    connection.execute(_NEW_HOUSE, {"id": made, "name": name, "format": FORMAT})
    known = _known_id(connection)
    assert known is not None, "a house was made, by this process or by another"
    if known == made:
        open_book(connection, BookKind.CASHIER)
    return known


def new_id() -> str:
    """One that no other house has: it goes into every shoe, so no two houses share an order."""
    return secrets.token_hex(8)


_NEW_HOUSE = text(
    'INSERT INTO house (id, "only", name, format) VALUES (:id, 1, :name, :format) '
    "ON CONFLICT DO NOTHING"
)


def _known_id(connection: Connection) -> str | None:
    return connection.scalar(select(schema.house.c.id))


def open_table(
    connection: Connection, house: House, actor: Actor, key: str, command: OpenTable, at: int
) -> int:
    """Make a table; its number is that of its book. A copy of the command opens no second one."""
    content = request_hash(command_data(command))
    known = done_before(connection, actor.name, key, content)
    if known is not None:
        return known.book
    state = _new_table(connection, house, command)
    empty = project(state)
    turn = Turn(state, Surroundings(at, house.shoes))
    carry_out(turn, actor, command)
    entry, state.head = state.head.next_entry(
        EntryRequest(
            actor=actor.name,
            key=key,
            at=at,
            request=content,
            command=command_data(command),
            events=[event_data(event) for event in turn.events],
            engine=ENGINE,
            postings=tuple(turn.postings),
        )
    )
    append(connection, [entry])
    write_changes(connection, [(empty, project(state))])
    return state.number


def _new_table(connection: Connection, house: House, command: OpenTable) -> TableState:
    name = command.name.strip()
    if not 0 < len(name) <= LONGEST_TABLE_NAME or not name.isprintable():
        raise Refused(
            RefusalCode.NOT_A_NAME,
            (),
            f"name: give the table one of at most {LONGEST_TABLE_NAME} printable characters.",
        )
    try:
        rules = rules_from_data(command.rules)
    except VentiunaError as error:
        raise Refused(RefusalCode.NOT_RULES, (), f"rules: {error}") from None
    clocks = clocks_of(command.clocks)
    head = open_book(connection, BookKind.TABLE)
    state = TableState(house.name, head, name, rules, clocks)
    connection.execute(
        insert(schema.game_table).values(
            id=head.book,
            name=name,
            rules_name=rules.name,
            rules_fingerprint=fingerprint(rules),
            rules_data=canonical_json(rules_data(rules)),
            state=str(state.status),
            clocks=canonical_json(dict(clocks.times())),
        )
    )
    return state
