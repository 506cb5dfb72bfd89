"""The public record of a shoe, put together from the books of a house."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, select

from ventiuna.engine.events import CardDealt, Event, RoundVoided
from ventiuna.table import events as ev
from ventiuna.table.books.entries import read_events
from ventiuna.table.events import TableEvent
from ventiuna.table.shoes.entropy import Source
from ventiuna.table.shoes.fairness import ShoeContext, read_context
from ventiuna.table.shoes.shoe_record import (
    CutRecord,
    DealtRound,
    Ending,
    PublicRecord,
    RecordError,
    dealt_round,
)
from ventiuna.table.store import schema
from ventiuna.table.writing.loading import events_of


def public_record(connection: Connection, table: int, shoe: int) -> PublicRecord:
    """What everybody may know of an ended shoe; raises `RecordError` for any other."""
    row = connection.execute(
        select(schema.shoe).where(schema.shoe.c.table_id == table, schema.shoe.c.number == shoe)
    ).first()
    if row is None:
        raise RecordError(f"Table {table} has no shoe {shoe}.")
    if row.lost:
        raise RecordError(
            f"Shoe {shoe} of table {table} can't be checked: the house lost the key behind it."
        )
    if row.seed is None or row.mix is None:
        raise RecordError(f"Shoe {shoe} of table {table} has not ended: its record comes then.")
    context = read_context(row.context)
    rounds = tuple(_rounds(connection, table, shoe))
    return PublicRecord(
        context=context,
        source=Source(row.source),
        commitment=row.commitment,
        cuts=_cuts(connection, table, shoe),
        mix=row.mix,
        seed=row.seed,
        rounds=rounds,
        ended=_ending(context, rounds),
    )


def _cuts(connection: Connection, table: int, shoe: int) -> tuple[CutRecord, ...]:
    cut = schema.cut
    rows = connection.execute(
        select(cut.c.seat, cut.c.commitment, cut.c.value)
        .where(cut.c.table_id == table, cut.c.shoe == shoe)
        .order_by(cut.c.seat)
    )
    return tuple(CutRecord(row.seat, row.commitment, row.value) for row in rows)


def _rounds(connection: Connection, table: int, shoe: int) -> Iterator[DealtRound]:
    """The rounds of the shoe; one that nobody wagered in left no trace on its cards."""
    round_ = schema.round_
    opened = connection.execute(
        select(round_.c.number, round_.c.first_version)
        .where(round_.c.table_id == table, round_.c.shoe == shoe)
        .order_by(round_.c.number)
    ).all()
    if not opened:
        return
    events: list[Event] = []
    for event in _events_from(connection, table, opened[0].first_version):
        if isinstance(event, ev.RoundOpened):
            events = []
        elif isinstance(event, ev.RoundClosed):
            dealt = dealt_round(event.number, events)
            if dealt.events:
                yield dealt
            if event.number == opened[-1].number:
                return
        elif not isinstance(event, ev.OwnEvent):
            events.append(event)


def _events_from(connection: Connection, table: int, version: int) -> Iterator[TableEvent]:
    for entry in read_events(connection, table, version - 1):
        for numbered in events_of(entry):
            yield numbered.event


def _ending(context: ShoeContext, rounds: tuple[DealtRound, ...]) -> Ending:
    events = [event for dealt in rounds for event in dealt.events]
    if any(isinstance(event, RoundVoided) for event in events):
        return Ending.VOID
    dealt = sum(isinstance(event, CardDealt) for event in events)
    left = context.size - context.burn - dealt
    return Ending.CUT_CARD if left <= context.behind_cut else Ending.CLOSED
