"""A table's rows in the database: they follow from its state, and are written with its entries.

The rows make a restart quick and queries easy. They are never the truth: whoever folds the
entries from the first gets the same state, and from it the same rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, Table

from ventiuna.table.play.state import (
    Ask,
    Cut,
    EndedShoe,
    Link,
    Outcome,
    RoundRecord,
    Seat,
    ShoeRecord,
    TableState,
    TableStatus,
)
from ventiuna.table.shoes.shoe import Position
from ventiuna.table.store import schema
from ventiuna.table.store.rows import (
    Names,
    Values,
    delete_rows,
    insert_rows,
    update_rows,
)

Rows = dict[Values, Values]  # values by key
TableRows = dict[str, Rows]  # by the kind of row
RowChange = tuple[Values, Values, Values]  # key, values before, after
Parts = tuple[Any, ...]  # of a state, never changed in place
Projected = list[tuple[Parts, Rows]]  # the rows of each kind, and what they follow from
Change = tuple[Projected, Projected]  # before, after
Found = Iterator[tuple[Values, Values]]


@dataclass(frozen=True, slots=True)
class Kind:
    """Which columns of a database table follow from the state, and from what of it."""

    table: Table
    key: Names
    values: Names
    parts: Callable[[TableState], Parts]  # the table's number first
    rows: Callable[..., Found]  # of these parts
    fixed: tuple[tuple[str, int], ...] = ()  # columns of a new row that are not the state's
    is_history: bool = False  # rows stay when the state forgets them

    @property
    def name(self) -> str:
        return self.table.name


def rows_of(state: TableState) -> TableRows:
    """All rows that the state speaks of."""
    projected = project(state)
    return {kind.name: rows for kind, (_, rows) in zip(KINDS, projected, strict=True)}


def project(state: TableState) -> Projected:
    return [(parts := kind.parts(state), dict(kind.rows(*parts))) for kind in KINDS]


def project_after(last: Projected, state: TableState) -> Projected:
    """The rows of a later state: those of parts that are as they were are the very same."""
    return [
        known if known[0] == (parts := kind.parts(state)) else (parts, dict(kind.rows(*parts)))
        for kind, known in zip(KINDS, last, strict=True)
    ]


# --- rows of each kind ------------------------------------------------------------------------


def _table_row(table: int, status: TableStatus) -> Found:
    yield (table,), (str(status),)


def _waiting_row(table: int, deadline: int | None, ask: Ask | None) -> Found:
    if deadline is not None or ask is not None:
        yield (table,), (deadline, ask.number if ask else None)


def _seat_rows(table: int, seats: Mapping[int, Seat]) -> Found:
    for seat in seats.values():
        yield (table, seat.number), (int(seat.person), str(seat.status))


def _spot_rows(table: int, spots: Mapping[int, int]) -> Found:
    for spot, seat in spots.items():
        yield (table, spot), (seat,)


def _shoe_rows(
    table: int,
    ended_shoes: tuple[EndedShoe, ...],
    in_play: ShoeRecord | None,
    position: Position,
    next_shoe: ShoeRecord | None,
) -> Found:
    for ended in ended_shoes:
        dealt, bonus = ended.position
        begun = (*_fixed(ended.shoe), ended.shoe.mix, dealt, json.dumps(bonus))
        is_lost = int(ended.seed is None)
        yield (table, ended.shoe.number), (*begun, ended.version, ended.seed, is_lost)
    if in_play is not None:
        dealt, bonus = position
        begun = (*_fixed(in_play), in_play.mix, dealt, json.dumps(bonus) if bonus else "[]")
        yield (table, in_play.number), (*begun, None, None, 0)
    if next_shoe is not None:
        yield (table, next_shoe.number), (*_fixed(next_shoe), None, 0, "[]", None, None, 0)


def _fixed(shoe: ShoeRecord) -> Values:
    return shoe.context.lines().decode(), shoe.salt, shoe.commitment, shoe.source


def _cut_rows(
    table: int,
    ended_shoes: tuple[EndedShoe, ...],
    in_play: ShoeRecord | None,
    next_shoe: ShoeRecord | None,
    cuts: Mapping[int, Cut],
) -> Found:
    """Those of a committed shoe while it is cut, then those of the shoe itself."""
    shoes = [ended.shoe for ended in ended_shoes]
    if in_play is not None:
        shoes.append(in_play)
    of_shoes = [(shoe.number, cut) for shoe in shoes for cut in shoe.cuts]
    if next_shoe is not None:
        of_shoes += [(next_shoe.number, cut) for cut in cuts.values()]
    for shoe, cut in of_shoes:
        yield (table, shoe, cut.seat), (int(cut.person), cut.commitment, cut.value)


def _round_rows(
    table: int, ended_rounds: tuple[RoundRecord, ...], opened: RoundRecord | None
) -> Found:
    for one in (*ended_rounds, *([opened] if opened else [])):
        values = (one.shoe, one.first_version, one.last_version, str(one.outcome))
        yield (table, one.number), values


def _link_rows(table: int, links: Mapping[int, Link]) -> Found:
    for game, link in links.items():
        yield (table, game), (link.jackpot, link.remainder, link.reserve_remainder)


# In the order in which new rows may refer to older ones.
KINDS = (
    Kind(
        schema.game_table,
        ("id",),
        ("state",),
        attrgetter("number", "status"),
        _table_row,
        is_history=True,
    ),
    Kind(
        schema.waiting,
        ("table_id",),
        ("deadline_at", "ask"),
        attrgetter("number", "deadline", "ask"),
        _waiting_row,
    ),
    Kind(
        schema.seat,
        ("table_id", "number"),
        ("person_id", "status"),
        attrgetter("number", "seats"),
        _seat_rows,
        (("client", 0),),
    ),
    Kind(
        schema.spot,
        ("table_id", "number"),
        ("seat",),
        attrgetter("number", "spots"),
        _spot_rows,
    ),
    Kind(
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
    Kind(
        schema.cut,
        ("table_id", "shoe", "seat"),
        ("person_id", "commitment", "value"),
        attrgetter("number", "ended_shoes", "in_play", "next_shoe", "cuts"),
        _cut_rows,
        is_history=True,
    ),
    Kind(
        schema.round_,
        ("table_id", "number"),
        ("shoe", "first_version", "last_version", "outcome"),
        attrgetter("number", "ended_rounds", "opened"),
        _round_rows,
        is_history=True,
    ),
    Kind(
        schema.link,
        ("table_id", "game"),
        ("jackpot_id", "remainder", "reserve_remainder"),
        attrgetter("number", "links"),
        _link_rows,
    ),
)

# --- writing ----------------------------------------------------------------------------------


def write_changes(connection: Connection, changes: Iterable[Change]) -> None:
    """Bring the rows of several tables from what they were to what they are."""
    pairs = list(changes)
    differences = [
        _Difference(connection, KINDS[place], pairs, place) for place in _changed_places(pairs)
    ]
    for difference in reversed(differences):
        difference.delete()
    for difference in differences:
        difference.update()
        difference.insert()


def _changed_places(changes: list[Change]) -> list[int]:
    """Of the kinds whose rows may have changed."""
    return [
        place
        for place in range(len(KINDS))
        if [True for before, after in changes if before[place] is not after[place]]
    ]


class _Difference:
    """What has changed in the rows of one kind, and how it is written."""

    __slots__ = ("_changed", "_connection", "_gone", "_kind", "_new")

    def __init__(
        self, connection: Connection, kind: Kind, changes: list[Change], place: int
    ) -> None:
        self._connection = connection
        self._kind = kind
        self._gone: list[Values] = []  # their keys
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
            self._gone += [key for key in before if key not in after]

    def delete(self) -> None:
        if self._gone:
            kind = self._kind
            delete_rows(self._connection, kind.table, kind.key, sorted(self._gone))

    def update(self) -> None:
        if self._kind.table is schema.shoe:
            # A shoe ends before the next one comes into play: the database allows one at a time.
            self._changed.sort(key=_is_in_use)
            for _, of_kind in groupby(self._changed, key=_is_in_use):
                self._set(list(of_kind))
        elif self._changed:
            self._set(self._changed)

    def _set(self, changed: list[RowChange]) -> None:
        """Only columns that change in one of the rows: others may have indexes to be kept up."""
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
        # The jackpot's own side of a link may have written its row already.
        keep_old = kind.table is schema.link
        insert_rows(self._connection, kind.table, columns, rows, keep_old=keep_old)

    def _insert_rounds(self) -> None:
        """Each begins open; one that nobody wagered in ends at once."""
        kind = self._kind
        begun = [(*row[:-2], None, str(Outcome.OPEN)) for row in self._new]
        ended = [row for row in self._new if row[-1] != Outcome.OPEN]
        insert_rows(self._connection, kind.table, kind.key + kind.values, begun)
        update_rows(self._connection, kind.table, kind.key, kind.values, ended)


def _is_in_use(changed: RowChange) -> bool:
    """A shoe that has not ended."""
    return changed[2][_ENDED] is None


_ENDED = next(kind for kind in KINDS if kind.table is schema.shoe).values.index("closed_version")
