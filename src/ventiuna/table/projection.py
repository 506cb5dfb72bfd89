"""A table's rows in the database: they follow from its state, and are written with its entries.

The rows make a restart quick and queries easy. They are never the truth: whoever folds the
entries from the first gets the same state, and from it the same rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, Table

from ventiuna.table.state import Outcome, ShoeRecord, TableState
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
Change = tuple[TableRows, TableRows]  # before, after
RowChange = tuple[Rows, Rows]  # of one kind


@dataclass(frozen=True, slots=True)
class Kind:
    """Which columns of a database table follow from the state."""

    table: Table
    key: Names
    values: Names
    fixed: tuple[tuple[str, int], ...] = ()  # columns of a new row that are not the state's

    @property
    def name(self) -> str:
        return self.table.name


# In the order in which new rows may refer to older ones.
KINDS = (
    Kind(schema.game_table, ("id",), ("state", "deadline_at", "ask")),
    Kind(schema.seat, ("table_id", "number"), ("person_id", "status"), (("client", 0),)),
    Kind(schema.spot, ("table_id", "number"), ("seat",)),
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
    ),
    Kind(schema.cut, ("table_id", "shoe", "seat"), ("person_id", "commitment", "value")),
    Kind(
        schema.round_,
        ("table_id", "number"),
        ("shoe", "first_version", "last_version", "outcome"),
    ),
    Kind(schema.link, ("table_id", "game"), ("jackpot_id", "remainder", "reserve_remainder")),
)
_HISTORY = ("game_table", "shoe", "cut", "round")  # rows that stay when the state forgets them


def rows_of(state: TableState) -> TableRows:
    """All rows that the state speaks of."""
    return {
        "game_table": {(state.number,): (str(state.status), state.deadline, _ask(state))},
        "seat": {
            (state.number, seat.number): (int(seat.person), str(seat.status))
            for seat in state.seats.values()
        },
        "spot": {(state.number, spot): (seat,) for spot, seat in state.spots.items()},
        "shoe": dict(_shoe_rows(state)),
        "cut": dict(_cut_rows(state)),
        "round": dict(_round_rows(state)),
        "link": {
            (state.number, game): (link.jackpot, link.remainder, link.reserve_remainder)
            for game, link in state.links.items()
        },
    }


def _ask(state: TableState) -> int | None:
    return state.ask.number if state.ask else None


def _shoe_rows(state: TableState) -> Iterator[tuple[Values, Values]]:
    for ended in state.ended_shoes:
        dealt, bonus = ended.position
        begun = (*_fixed(ended.shoe), ended.shoe.mix, dealt, json.dumps(bonus))
        is_lost = int(ended.seed is None)
        yield (
            (state.number, ended.shoe.number),
            (*begun, ended.version, ended.seed, is_lost),
        )
    if state.in_play is not None:
        dealt, bonus = state.position
        shoe = state.in_play
        yield (
            (state.number, shoe.number),
            (*_fixed(shoe), shoe.mix, dealt, json.dumps(bonus), None, None, 0),
        )
    if state.next_shoe is not None:
        shoe = state.next_shoe
        yield (state.number, shoe.number), (*_fixed(shoe), None, 0, "[]", None, None, 0)


def _fixed(shoe: ShoeRecord) -> Values:
    return shoe.context.lines().decode(), shoe.salt, shoe.commitment, shoe.source


def _cut_rows(state: TableState) -> Iterator[tuple[Values, Values]]:
    """Those of a committed shoe while it is cut, then those of the shoe itself."""
    shoes = [ended.shoe for ended in state.ended_shoes]
    if state.in_play is not None:
        shoes.append(state.in_play)
    cuts = [(shoe.number, cut) for shoe in shoes for cut in shoe.cuts]
    if state.next_shoe is not None:
        cuts += [(state.next_shoe.number, cut) for cut in state.cuts.values()]
    for shoe, cut in cuts:
        yield (state.number, shoe, cut.seat), (int(cut.person), cut.commitment, cut.value)


def _round_rows(state: TableState) -> Iterator[tuple[Values, Values]]:
    rounds = [*state.ended_rounds, *([state.opened] if state.opened else [])]
    for one in rounds:
        yield (
            (state.number, one.number),
            (one.shoe, one.first_version, one.last_version, str(one.outcome)),
        )


# --- writing ----------------------------------------------------------------------------------


def write_changes(connection: Connection, changes: Iterable[Change]) -> None:
    """Bring the rows of several tables from what they were to what they are."""
    pairs = list(changes)
    changed = {kind: _changed(kind.name, pairs) for kind in KINDS}
    for kind in reversed(KINDS):
        if changed[kind] and kind.name not in _HISTORY:
            _delete(connection, kind, changed[kind])
    for kind in KINDS:
        if changed[kind]:
            _update(connection, kind, changed[kind])
            _insert(connection, kind, changed[kind])


def _changed(kind: str, changes: Iterable[Change]) -> list[RowChange]:
    return [(before[kind], after[kind]) for before, after in changes if before[kind] != after[kind]]


def _delete(connection: Connection, kind: Kind, changes: list[RowChange]) -> None:
    gone = [key for before, after in changes for key in before.keys() - after.keys()]
    delete_rows(connection, kind.table, kind.key, sorted(gone))


def _update(connection: Connection, kind: Kind, changes: list[RowChange]) -> None:
    changed = [
        (*key, *values)
        for before, after in changes
        for key, values in after.items()
        if key in before and before[key] != values
    ]
    # A shoe ends before the next one comes into play: the database allows one at a time.
    ending = [row for row in changed if kind.name == "shoe" and row[-3] is not None]
    going_on = [row for row in changed if row not in ending]
    for rows in (ending, going_on):
        update_rows(connection, kind.table, kind.key, kind.values, rows)


def _insert(connection: Connection, kind: Kind, changes: list[RowChange]) -> None:
    new = [
        (*key, *values)
        for before, after in changes
        for key, values in after.items()
        if key not in before
    ]
    ended = [row for row in new if kind.name == "round" and row[-1] != Outcome.OPEN]
    if ended:  # a round that nobody wagered in begins and ends at once
        new = [(*row[:-2], None, str(Outcome.OPEN)) if row in ended else row for row in new]
    fixed = tuple(value for _, value in kind.fixed)
    columns = kind.key + kind.values + tuple(name for name, _ in kind.fixed)
    rows = [(*row, *fixed) for row in new]
    # The jackpot's own side of a link may have written its row already.
    insert_rows(connection, kind.table, columns, rows, keep_old=kind.name == "link")
    update_rows(connection, kind.table, kind.key, kind.values, ended)
