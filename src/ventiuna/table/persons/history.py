"""The rounds that a person played: found by the person's own wagers, told by the table's book."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, bindparam, func, literal, select

from ventiuna.engine.chips import Chips
from ventiuna.engine.events import WagersPlaced
from ventiuna.table import events as ev
from ventiuna.table.books.entries import read_events
from ventiuna.table.events import TableEvent
from ventiuna.table.ledger.chain import LARGEST
from ventiuna.table.ledger.chart import PostingCode
from ventiuna.table.store import schema
from ventiuna.table.store.prepared import Prepared
from ventiuna.table.writing.loading import events_of

PAGE = 20
_entry, _posting, _round = schema.entry, schema.posting, schema.round_
_table = schema.game_table
_SAME_ENTRY = and_(_entry.c.book_id == _posting.c.book_id, _entry.c.version == _posting.c.version)
_SAME_ROUND = and_(
    _round.c.table_id == _posting.c.book_id, _round.c.number == _posting.c.round_number
)


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round with wagers of a person."""

    table: int
    table_name: str
    number: int
    shoe: int
    outcome: str  # open, closed, void
    at: int  # of the first wager
    spots: tuple[int, ...]
    net: int | None  # won or lost, in cents; None while the round is open


def rounds_of_person(
    connection: Connection, person: int, before: int | None = None, most: int = PAGE
) -> list[PlayedRound]:
    """The newest first; `before` is the time of the last one that is known."""
    until = LARGEST if before is None else before
    rows = _ROUNDS.all(connection, actor=f"person/{person}", before=until, most=most)
    return [_played(connection, str(person), row) for row in rows]


def played_in(connection: Connection, person: int, table: int, number: int) -> bool:
    """Did this person wager in this round?"""
    query = (
        select(_posting.c.version)
        .join(_entry, _SAME_ENTRY)
        .where(_IS_WAGER, _posting.c.book_id == table, _posting.c.round_number == number)
        .limit(1)
    )
    return connection.scalar(query, {"actor": f"person/{person}"}) is not None


# Entries are looked up by actor, which is indexed.
_IS_WAGER = and_(
    _entry.c.actor == bindparam("actor"), _posting.c.code == literal(str(PostingCode.WAGER))
)
_AT = func.min(_entry.c.at)
_ROUNDS = Prepared(
    select(_round, _table.c.name, _AT.label("at"))
    .select_from(
        _posting.join(_entry, _SAME_ENTRY)
        .join(_round, _SAME_ROUND)
        .join(_table, _table.c.id == _round.c.table_id)
    )
    .where(_IS_WAGER)
    .group_by(*_round.c, _table.c.name)
    .having(bindparam("before") > _AT)
    .order_by(_AT.desc(), _round.c.table_id)
    .limit(bindparam("most"))
)


def _played(connection: Connection, person: str, row: Any) -> PlayedRound:
    chips = Chips()
    spots: set[int] = set()
    for event in _events_of_round(connection, row):
        if isinstance(event, ev.OwnEvent):
            continue
        chips.add(event)
        if isinstance(event, WagersPlaced) and event.person == person:
            spots.add(event.spot)
    net = sum(chips.spots.get(spot, 0) for spot in spots)
    return PlayedRound(
        table=row.table_id,
        table_name=row.name,
        number=row.number,
        shoe=row.shoe,
        outcome=row.outcome,
        at=row.at,
        spots=tuple(sorted(spots)),
        net=None if row.outcome == "open" else net,
    )


def _events_of_round(connection: Connection, row: Any) -> Iterator[TableEvent]:
    begun = False
    for entry in read_events(connection, row.table_id, row.first_version - 1):
        for numbered in events_of(entry):
            event = numbered.event
            begun = begun or (isinstance(event, ev.RoundOpened) and event.number == row.number)
            if begun:
                yield event
            if isinstance(event, ev.RoundClosed) and event.number == row.number:
                return
