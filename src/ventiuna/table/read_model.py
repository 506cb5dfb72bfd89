"""A table's database rows, written with its entries and loaded after a restart.

The rows make restarts fast and queries easy. They are never authoritative: replaying all entries
gives the same state and therefore the same rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Table, bindparam, select

from ventiuna.engine.events import (
    ENGINE,
    CardDealt,
    Stakes,
    WagerSettled,
    WagersPlaced,
    WagersWithdrawn,
)
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules, rules_from_data
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import event_data, event_from_data
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.domain.flow import PastSpot, ShoeFactory
from ventiuna.table.domain.inspection import Inspection, stored_inspection
from ventiuna.table.domain.state import (
    Ask,
    Clocks,
    Cut,
    EndedShoe,
    Link,
    RoundOutcome,
    RoundSpan,
    Seat,
    SeatStatus,
    ShoeRecord,
    TableState,
    TableStatus,
    apply_event,
    clocks_of,
    start_meter,
    stored_options,
)
from ventiuna.table.fairness import Position, context_of
from ventiuna.table.journal import EntryEvents, balances, read_events
from ventiuna.table.ledger import Entry, JournalHead, canonical_json
from ventiuna.table.store import schema
from ventiuna.table.store.statements import (
    Names,
    Prepared,
    Values,
    delete_rows,
    insert_rows,
    update_rows,
)

Rows = dict[Values, Values]  # values by key
TableRows = dict[str, Rows]  # rows by kind
RowChange = tuple[Values, Values, Values]  # key, values before, values after
Parts = tuple[Any, ...]  # parts of a state, never modified in place
Projected = list[tuple[Parts, Rows]]  # the rows of each kind and the parts they depend on
ProjectionChange = tuple[Projected, Projected]  # rows before and after
FoundRows = Iterator[tuple[Values, Values]]


@dataclass(frozen=True, slots=True)
class RowKind:
    """A database table with rows derived from the state, and the parts that they come from."""

    table: Table
    key: Names
    values: Names
    parts: Callable[[TableState], Parts]  # begins with the table's number
    rows: Callable[..., FoundRows]  # derived from these parts
    fixed: tuple[tuple[str, int], ...] = ()  # columns of a new row that aren't in the state
    is_history: bool = False  # rows are kept when the state drops them

    @property
    def name(self) -> str:
        return self.table.name


def rows_of(state: TableState) -> TableRows:
    """All rows for this state."""
    projected = project(state)
    return {kind.name: rows for kind, (_, rows) in zip(ROW_KINDS, projected, strict=True)}


def project(state: TableState) -> Projected:
    return [(parts := kind.parts(state), dict(kind.rows(*parts))) for kind in ROW_KINDS]


def project_after(last: Projected, state: TableState) -> Projected:
    """A later state's rows; rows for unchanged parts are the same objects."""
    return [
        known if known[0] == (parts := kind.parts(state)) else (parts, dict(kind.rows(*parts)))
        for kind, known in zip(ROW_KINDS, last, strict=True)
    ]


def _table_row(
    table: int,
    status: TableStatus,
    inspection: Inspection | None,
    alarms: Mapping[int, ev.AlarmRaised],
) -> FoundRows:
    yield (table,), (str(status), inspection.text() if inspection else None, _alarms_text(alarms))


def _alarms_text(alarms: Mapping[int, ev.AlarmRaised]) -> str | None:
    data = {str(number): event_data(alarm) for number, alarm in alarms.items()}
    return canonical_json(data) if data else None


def stored_alarms(text: str | None) -> dict[int, ev.AlarmRaised]:
    """The alarms in a table's row that nobody has acknowledged, by number."""
    found: dict[int, ev.AlarmRaised] = {}
    for number, data in json.loads(text or "{}").items():
        event = event_from_data(data, ENGINE)
        assert isinstance(event, ev.AlarmRaised), "the column holds only alarms"
        found[int(number)] = event
    return dict(sorted(found.items()))


def _waiting_row(table: int, deadline: int | None, ask: Ask | None) -> FoundRows:
    if deadline is not None or ask is not None:
        yield (table,), (deadline, ask.number if ask else None)


def _seat_rows(table: int, seats: Mapping[int, Seat]) -> FoundRows:
    for seat in seats.values():
        yield (table, seat.number), (int(seat.person), str(seat.status))


def _spot_rows(table: int, spots: Mapping[int, int]) -> FoundRows:
    for spot, seat in spots.items():
        yield (table, spot), (seat,)


def _shoe_rows(
    table: int,
    ended_shoes: tuple[EndedShoe, ...],
    in_play: ShoeRecord | None,
    position: Position,
    next_shoe: ShoeRecord | None,
) -> FoundRows:
    for ended in ended_shoes:
        dealt, bonus = ended.position
        begun = (*_fixed_values(ended.shoe), ended.shoe.mix, dealt, json.dumps(bonus))
        is_lost = int(ended.seed is None)
        yield (table, ended.shoe.number), (*begun, ended.version, ended.seed, is_lost)
    if in_play is not None:
        dealt, bonus = position
        begun = (*_fixed_values(in_play), in_play.mix, dealt, json.dumps(bonus) if bonus else "[]")
        yield (table, in_play.number), (*begun, None, None, 0)
    if next_shoe is not None:
        yield (table, next_shoe.number), (*_fixed_values(next_shoe), None, 0, "[]", None, None, 0)


def _fixed_values(shoe: ShoeRecord) -> Values:
    return shoe.context.lines().decode(), shoe.salt, shoe.commitment, shoe.source


def _cut_rows(
    table: int,
    ended_shoes: tuple[EndedShoe, ...],
    in_play: ShoeRecord | None,
    next_shoe: ShoeRecord | None,
    cuts: Mapping[int, Cut],
) -> FoundRows:
    """The cuts of ended shoes, the shoe in play and the next shoe."""
    shoes = [ended.shoe for ended in ended_shoes]
    if in_play is not None:
        shoes.append(in_play)
    of_shoes = [(shoe.number, cut) for shoe in shoes for cut in shoe.cuts]
    if next_shoe is not None:
        of_shoes += [(next_shoe.number, cut) for cut in cuts.values()]
    for shoe, cut in of_shoes:
        yield (table, shoe, cut.seat), (int(cut.person), cut.commitment, cut.value)


def _round_rows(
    table: int, ended_rounds: tuple[RoundSpan, ...], opened: RoundSpan | None
) -> FoundRows:
    for item in (*ended_rounds, *([opened] if opened else [])):
        values = (item.shoe, item.first_version, item.last_version, str(item.outcome))
        yield (table, item.number), values


def _link_rows(table: int, links: Mapping[int, Link]) -> FoundRows:
    for game, link in links.items():
        yield (table, game), (link.jackpot, link.remainder, link.reserve_remainder)


def _held_award_rows(table: int, held: Mapping[int, ev.AwardHeld]) -> FoundRows:
    for number, award in held.items():
        values = award.round_number, award.spot, int(award.person), award.game, award.amount
        yield (table, number), values


# In this order, rows refer only to earlier kinds.
ROW_KINDS = (
    RowKind(
        schema.game_table,
        ("id",),
        ("state", "inspection", "alarms"),
        attrgetter("number", "status", "inspection", "alarms"),
        _table_row,
        is_history=True,
    ),
    RowKind(
        schema.waiting,
        ("table_id",),
        ("deadline_at", "ask"),
        attrgetter("number", "deadline", "ask"),
        _waiting_row,
    ),
    RowKind(
        schema.seat,
        ("table_id", "number"),
        ("person_id", "status"),
        attrgetter("number", "seats"),
        _seat_rows,
        (("client", 0),),
    ),
    RowKind(
        schema.spot,
        ("table_id", "number"),
        ("seat",),
        attrgetter("number", "spots"),
        _spot_rows,
    ),
    RowKind(
        schema.shoe,
        ("table_id", "number"),
        (
            "context",
            "salt",
            "commitment",
            "source",
            "mix",
            "dealt",
            "bonus",
            "closed_version",
            "seed",
            "lost",
        ),
        attrgetter("number", "ended_shoes", "in_play", "position", "next_shoe"),
        _shoe_rows,
        is_history=True,
    ),
    RowKind(
        schema.cut,
        ("table_id", "shoe", "seat"),
        ("person_id", "commitment", "value"),
        attrgetter("number", "ended_shoes", "in_play", "next_shoe", "cuts"),
        _cut_rows,
        is_history=True,
    ),
    RowKind(
        schema.round_,
        ("table_id", "number"),
        ("shoe", "first_version", "last_version", "outcome"),
        attrgetter("number", "ended_rounds", "opened"),
        _round_rows,
        is_history=True,
    ),
    RowKind(
        schema.link,
        ("table_id", "game"),
        ("jackpot_id", "remainder", "reserve_remainder"),
        attrgetter("number", "links"),
        _link_rows,
    ),
    RowKind(
        schema.held_award,
        ("table_id", "number"),
        ("round_number", "spot", "person_id", "game", "amount"),
        attrgetter("number", "held_awards"),
        _held_award_rows,
    ),
)


def write_changes(connection: Connection, changes: Iterable[ProjectionChange]) -> None:
    """Update the rows of several tables to match their new states."""
    pairs = list(changes)
    differences = [
        _RowChanges(connection, kind, pairs, place)
        for place, kind in enumerate(ROW_KINDS)
        if [True for before, after in pairs if before[place] is not after[place]]
    ]
    for difference in reversed(differences):
        difference.delete()
    for difference in differences:
        difference.update()
        difference.insert()


class _RowChanges:
    """The changes to rows of one kind, and how to write them."""

    __slots__ = ("_changed", "_connection", "_deleted", "_kind", "_new")

    def __init__(
        self, connection: Connection, kind: RowKind, changes: list[ProjectionChange], place: int
    ) -> None:
        self._connection = connection
        self._kind = kind
        self._deleted: list[Values] = []  # keys
        self._changed: list[RowChange] = []
        self._new: list[Values] = []
        for before, after in changes:
            if before[place] is not after[place]:
                self._compare(before[place][1], after[place][1])

    def _compare(self, before: Rows, after: Rows) -> None:
        for key, values in after.items():
            known = before.get(key)
            if known is None:
                self._new.append((*key, *values))
            elif known != values:
                self._changed.append((key, known, values))
        if not self._kind.is_history:
            self._deleted += [key for key in before if key not in after]

    def delete(self) -> None:
        if self._deleted:
            kind = self._kind
            delete_rows(self._connection, kind.table, kind.key, sorted(self._deleted))

    def update(self) -> None:
        if self._kind.table is schema.shoe:
            # End a shoe before the next one comes into play: the database allows one at a time.
            self._changed.sort(key=_is_in_use)
            for _, of_kind in groupby(self._changed, key=_is_in_use):
                self._set(list(of_kind))
        elif self._changed:
            self._set(self._changed)

    def _set(self, changed: list[RowChange]) -> None:
        """Update only columns that change in some row, because other columns may have indexes."""
        kind = self._kind
        places = sorted(
            {
                place
                for _, before, after in changed
                for place, value in enumerate(after)
                if before[place] != value
            }
        )
        columns = tuple([kind.values[place] for place in places])
        rows = [(*key, *[after[place] for place in places]) for key, _, after in changed]
        update_rows(self._connection, kind.table, kind.key, columns, rows)

    def insert(self) -> None:
        if not self._new:
            return
        kind = self._kind
        if kind.table is schema.round_:
            self._insert_rounds()
            return
        columns = kind.key + kind.values + tuple(name for name, _ in kind.fixed)
        fixed = tuple(value for _, value in kind.fixed)
        rows = [(*row, *fixed) for row in self._new]
        # The jackpot may have already written the link's row.
        keep_old = kind.table is schema.link
        insert_rows(self._connection, kind.table, columns, rows, keep_old=keep_old)

    def _insert_rounds(self) -> None:
        """Insert rounds as open, and end those without wagers at once."""
        kind = self._kind
        begun = [(*row[:-2], None, str(RoundOutcome.OPEN)) for row in self._new]
        ended = [row for row in self._new if row[-1] != RoundOutcome.OPEN]
        insert_rows(self._connection, kind.table, kind.key + kind.values, begun)
        update_rows(self._connection, kind.table, kind.key, kind.values, ended)


def _is_in_use(changed: RowChange) -> bool:
    """Whether the shoe hasn't ended."""
    return changed[2][_ENDED] is None


_ENDED = next(kind for kind in ROW_KINDS if kind.table is schema.shoe).values.index(
    "closed_version"
)


_TABLE = Prepared(
    select(schema.game_table, schema.waiting.c.deadline_at, schema.waiting.c.ask)
    .outerjoin(schema.waiting, schema.waiting.c.table_id == schema.game_table.c.id)
    .where(schema.game_table.c.id == bindparam("table"))
)
_SEATS = Prepared(
    select(
        schema.seat.c.number, schema.seat.c.person_id, schema.seat.c.status, schema.person.c.name
    )
    .join(schema.person, schema.person.c.id == schema.seat.c.person_id)
    .where(schema.seat.c.table_id == bindparam("table"))
    .order_by(schema.seat.c.number)
)
_SPOTS = Prepared(
    select(schema.spot.c.number, schema.spot.c.seat)
    .where(schema.spot.c.table_id == bindparam("table"))
    .order_by(schema.spot.c.number)
)
_LINKS = Prepared(
    select(schema.link, schema.jackpot.c.reserve_rate)
    .join(schema.jackpot, schema.jackpot.c.id == schema.link.c.jackpot_id)
    .where(schema.link.c.table_id == bindparam("table"))
    .order_by(schema.link.c.game)
)
_HELD_AWARDS = Prepared(
    select(schema.held_award)
    .where(schema.held_award.c.table_id == bindparam("table"))
    .order_by(schema.held_award.c.number)
)
_SHOES = Prepared(
    select(schema.shoe)
    .where(schema.shoe.c.table_id == bindparam("table"), schema.shoe.c.closed_version.is_(None))
    .order_by(schema.shoe.c.number)
)
_CUTS = Prepared(
    select(schema.cut)
    .where(schema.cut.c.table_id == bindparam("table"), schema.cut.c.shoe == bindparam("shoe"))
    .order_by(schema.cut.c.seat)
)
_WITHHELD = Prepared(
    select(schema.cut.c.person_id)
    .join(
        schema.shoe,
        (schema.shoe.c.table_id == schema.cut.c.table_id)
        & (schema.shoe.c.number == schema.cut.c.shoe),
    )
    .where(
        schema.cut.c.table_id == bindparam("table"),
        schema.cut.c.value.is_(None),
        schema.shoe.c.mix.is_not(None),
    )
)
_LAST_ROUND = Prepared(
    select(schema.round_)
    .where(schema.round_.c.table_id == bindparam("table"))
    .order_by(schema.round_.c.number.desc())
    .limit(1)
)
_VERSION_OF_EVENT = Prepared(
    select(schema.entry.c.version)
    .where(
        schema.entry.c.book_id == bindparam("book"),
        schema.entry.c.first_event <= bindparam("event"),
    )
    .order_by(schema.entry.c.version.desc())
    .limit(1)
)


_CLOSING = (
    select(schema.entry.c.version)
    .where(
        schema.entry.c.book_id == bindparam("book"),
        schema.entry.c.command.like('{"command":"CloseTable"%'),
    )
    .limit(1)
)


class InconsistentTable(VentiunaError):
    """The rows and the entries don't form a valid table."""


class NumberedEvent(NamedTuple):
    """A stored event with its number, and the time and actor of its entry."""

    number: int
    at: int
    actor: str
    event: TableEvent


def events_of(entry: Entry | EntryEvents) -> list[NumberedEvent]:
    """An entry's events, parsed in their original format."""
    return [
        NumberedEvent(number, entry.at, entry.actor, event_from_data(data, entry.engine))
        for number, data in enumerate(entry.event_data(), start=entry.first_event)
    ]


def table_events(connection: Connection, table: int, version: int) -> Iterator[NumberedEvent]:
    """A table's events, starting with this version of its book."""
    for entry in read_events(connection, table, version - 1):
        yield from events_of(entry)


def events_of_round(connection: Connection, row: Row[Any]) -> Iterator[NumberedEvent]:
    """The events of the round in this row, from its opening through its closing."""
    begun = False
    for numbered in table_events(connection, row.table_id, row.first_version):
        event = numbered.event
        begun = begun or (isinstance(event, ev.RoundOpened) and event.number == row.number)
        if begun:
            yield numbered
        if isinstance(event, ev.RoundClosed) and event.number == row.number:
            return


def corrections_of(
    connection: Connection, table: int, before: int | None = None
) -> list[NumberedEvent]:
    """A table's corrections of rounds, in order; only those before this version, if given."""
    columns = schema.posting.c
    query = select(columns.version).where(columns.book_id == table, schema.IS_CORRECTION)
    if before is not None:
        query = query.where(columns.version < before)
    return [
        numbered
        for version in connection.scalars(query.order_by(columns.version)).all()
        for numbered in events_of(next(read_events(connection, table, version - 1)))
        if isinstance(numbered.event, ev.RoundCorrected)
    ]


def past_spot(
    connection: Connection, table: int, number: int, spot: int, before: int | None = None
) -> PastSpot | None:
    """A round's payment to a spot, as of this version of the book; None if there is none."""
    columns = schema.round_.c
    row = connection.execute(
        select(schema.round_).where(columns.table_id == table, columns.number == number)
    ).first()
    if row is None or (before is not None and row.first_version >= before):
        return None
    ended = row.last_version is not None and (before is None or row.last_version < before)
    if not ended:
        return PastSpot(RoundOutcome.OPEN)
    person, staked, paid = "", 0, 0
    for numbered in events_of_round(connection, row):
        event = numbered.event
        if isinstance(event, WagersPlaced) and event.spot == spot:
            person = event.person
        elif isinstance(event, WagersWithdrawn) and event.spot == spot:
            person = ""
        elif isinstance(event, WagerSettled) and event.spot == spot and not event.wager.game:
            staked += event.stake
            paid += event.paid
    correction = 0
    for numbered in corrections_of(connection, table, before):
        event = numbered.event
        assert isinstance(event, ev.RoundCorrected)
        if (event.round_number, event.spot) == (number, spot):
            correction, paid = numbered.number, event.paid
    return PastSpot(RoundOutcome(row.outcome), person, staked, paid, correction)


def load_table(
    connection: Connection,
    house: str,
    head: JournalHead,
    shoes: ShoeFactory,
    rules: dict[str, Rules],
) -> TableState | None:
    """Load the table at this head of its book; None if the book doesn't belong to a table.

    `rules` caches parsed rules by their data so that tables with the same rules share them.
    """
    row = _TABLE.first(connection, table=head.book)
    if row is None:
        return None
    clocks: Clocks = clocks_of(Stakes(json.loads(row.clocks)))
    options = stored_options(json.loads(row.options))
    state = TableState(house, head, row.name, stored_rules(row.rules_data, rules), clocks, options)
    state.status = TableStatus(row.state)
    state.inspection = stored_inspection(state.rules, row.inspection)
    state.alarms = stored_alarms(row.alarms)
    state.closes = _was_closing(connection, state)
    state.seats = {
        row.number: Seat(row.number, str(row.person_id), row.name, SeatStatus(row.status))
        for row in _SEATS.all(connection, table=state.number)
    }
    state.spots = {row.number: row.seat for row in _SPOTS.all(connection, table=state.number)}
    if state.rules.jackpots:
        state.links = {
            row.game: Link(row.jackpot_id, row.reserve_rate, row.remainder, row.reserve_remainder)
            for row in _LINKS.all(connection, table=state.number)
        }
    # Include the stacks of empty seats to detect leftover chips.
    codes = [f"stack/{state.number}/{seat}" for seat in range(1, state.rules.seats + 1)]
    codes += [f"{kind}/{state.number}" for kind in ("stake", "bank")]
    if state.options.hand_pay:
        codes.append(f"due/{state.number}")
        state.held_awards = {
            row.number: ev.AwardHeld(
                row.round_number, row.spot, str(row.person_id), row.game, row.amount
            )
            for row in _HELD_AWARDS.all(connection, table=state.number)
        }
    state.balances = balances(connection, codes)
    _load_shoes(connection, state)
    live_shoes = [shoe for shoe in (state.in_play, state.next_shoe) if shoe is not None]
    state.lost = not all(map(shoes.fits, live_shoes))
    _load_round(connection, state, row.ask, shoes)
    state.deadline = row.deadline_at
    return state


def _was_closing(connection: Connection, state: TableState) -> bool:
    """Whether the table is closing; after a fault, only its book shows this."""
    if state.status is not TableStatus.FAULT:
        return state.status is not TableStatus.OPEN
    return connection.scalar(_CLOSING, {"book": state.number}) is not None


def stored_rules(data: str, known: dict[str, Rules]) -> Rules:
    """Parse the rules in a table's row, or reuse them if already parsed."""
    if data not in known:
        known[data] = rules_from_data(json.loads(data))
    return known[data]


def _load_shoes(connection: Connection, state: TableState) -> None:
    for row in _SHOES.all(connection, table=state.number):
        cuts = _cuts(connection, state.number, row.number)
        context = context_of(state.rules, state.house, str(state.number), row.number)
        if context.lines().decode() != row.context:
            raise InconsistentTable(
                f"Shoe {row.number} of table {state.number} belongs to a different context."
            )
        record = ShoeRecord(
            row.number,
            context,
            row.salt,
            row.commitment,
            row.source,
            row.mix,
            tuple(cuts.values()) if row.mix is not None else (),
        )
        if row.mix is not None:
            state.in_play = record
            state.position = Position(row.dealt, tuple(json.loads(row.bonus)))
        else:
            state.next_shoe = record
            state.cuts = cuts
    # People who committed a cut but didn't open it in time.
    withheld = _WITHHELD.all(connection, table=state.number)
    state.barred = frozenset(str(row.person_id) for row in withheld)


def _cuts(connection: Connection, table: int, shoe: int) -> dict[int, Cut]:
    rows = _CUTS.all(connection, table=table, shoe=shoe)
    return {row.seat: Cut(row.seat, str(row.person_id), row.commitment, row.value) for row in rows}


def _load_round(
    connection: Connection, state: TableState, ask: int | None, shoes: ShoeFactory
) -> None:
    row = _LAST_ROUND.first(connection, table=state.number)
    state.rounds = row.number if row else 0
    if row is not None and row.outcome != "open":
        row = None
    if state.in_play is not None and not state.lost:
        state.live = shoes.live(state.in_play, state.position)
    first = row.first_version if row else version_of_event(connection, state.number, ask)
    if first is None:
        return
    events = list(table_events(connection, state.number, first))
    if row is not None:
        _fold_round(state, events, RoundSpan(row.number, row.shoe, row.first_version))
    _load_ask(state, events, ask)


def version_of_event(connection: Connection, book: int, event: int | None) -> int | None:
    """The version of the entry that contains this event."""
    if event is None:
        return None
    row = _VERSION_OF_EVENT.first(connection, book=book, event=event)
    return int(row.version) if row else None


def _fold_round(state: TableState, events: Iterable[NumberedEvent], opened: RoundSpan) -> None:
    """Apply only the round's events, because everything else is already in the rows."""
    links = dict(state.links)
    for numbered in events:
        event = numbered.event
        if isinstance(event, ev.RoundOpened) and event.number == opened.number:
            apply_event(state, event, numbered.number, numbered.at)
            state.opened = opened
        elif isinstance(event, ev.JackpotLinked):
            start_meter(state, event.game)
        elif state.round is not None and not isinstance(event, ev.OwnEvent):
            if state.live is not None and isinstance(event, CardDealt):
                state.live.draw()
            apply_event(state, event, numbered.number, numbered.at)
    state.links = links


def _load_ask(state: TableState, events: Iterable[NumberedEvent], ask: int | None) -> None:
    """Restore the current prompt, and the seats that are done with it."""
    state.ask = None
    state.ready = frozenset()
    for numbered in events:
        event = numbered.event
        if isinstance(event, ev.AskRaised) and numbered.number == ask:
            state.ask = Ask(numbered.number, event.kind, event.spots, event.hand)
        elif state.ask is not None and isinstance(event, ev.SeatReady | ev.SeatLeft):
            changed = {event.seat}
            is_ready = isinstance(event, ev.SeatReady)
            state.ready = state.ready | changed if is_ready else state.ready - changed
        elif state.ask is not None and isinstance(event, WagersPlaced):
            seat = state.seat_of(event.person)  # someone else may have the spot now
            state.ready -= {seat.number if seat else 0}
