"""A round from the books, step by step: as sentences, as notation, as data for JSON.

It is a replay, and says so. Nobody but the house sees a down card that was not turned over, as
long as its shoe is in play. A round begins with its opening; what else happened at the table
meanwhile is told as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select

from ventiuna.engine.events import CardDealt, DownCardExposed, Event
from ventiuna.engine.sentences import CardStyle, PointOfView
from ventiuna.engine.views import DEALER, EVERYONE, Viewer, redact
from ventiuna.errors import VentiunaError
from ventiuna.notation import NotationError, record_of, write_round
from ventiuna.records import brief_repr
from ventiuna.rules import Rules, canonical, fingerprint, rules_from_data
from ventiuna.table import events as ev
from ventiuna.table.books.entries import read_events
from ventiuna.table.events import TableEvent
from ventiuna.table.ledger.chain import Data
from ventiuna.table.play.codec import event_data
from ventiuna.table.play.folding import meters_at
from ventiuna.table.store import schema
from ventiuna.table.telling.sentences import TableTeller
from ventiuna.table.writing.loading import events_of

MARK = "replay"


class RecallError(VentiunaError):
    """A round that is not in the books."""


@dataclass(frozen=True, slots=True)
class Step:
    """One event with its number, its time and who caused it."""

    number: int
    at: int
    actor: str
    event: TableEvent


@dataclass(frozen=True, slots=True)
class RecalledRound:
    """A round as the books have it, and who looks at it."""

    table: int
    table_name: str
    rules: Rules
    number: int
    shoe: int
    outcome: str  # open, closed, void
    opening: ev.RoundOpened
    truth: tuple[Step, ...]  # with the down card: for the house alone
    names: Mapping[str, str]  # of persons, by their ids
    seats: Mapping[int, str]  # persons by seat, when the round was opened
    viewer: Viewer
    shoe_ended: bool
    dealt_before: int  # cards of the shoe's earlier rounds

    __repr__ = brief_repr

    @property
    def hides_down_card(self) -> bool:
        """It is told when it is turned over, or with the whole shoe."""
        if self.viewer is DEALER:
            return False
        exposed = any(isinstance(step.event, DownCardExposed) for step in self.truth)
        return not exposed and not self.shoe_ended

    @property
    def steps(self) -> tuple[Step, ...]:
        """As the viewer may see them."""
        if not self.hides_down_card:
            return self.truth
        return tuple(replace(step, event=_hidden(step.event)) for step in self.truth)

    @property
    def sentences(self) -> list[str]:
        """One for each step that has something to say, behind a title."""
        return told(self)

    @property
    def text(self) -> str:
        """As `settle` reads it; only a closed round can be written down."""
        return notation(self)

    def as_data(self) -> Data:
        """As plain data, marked as a replay."""
        return recalled_data(self)


def _hidden(event: TableEvent) -> TableEvent:
    return event if isinstance(event, ev.OwnEvent) else redact(event, EVERYONE)


# --- from the books ---------------------------------------------------------------------------


def recall(
    connection: Connection, table: int, number: int, viewer: Viewer = EVERYONE
) -> RecalledRound:
    """The round of this number; the last one that was opened where it is 0."""
    row = table_row(connection, table)
    found = _round(connection, table, number)
    steps = tuple(_steps(connection, table, found))
    opening = next((step.event for step in steps if isinstance(step.event, ev.RoundOpened)), None)
    if opening is None:
        raise RecallError(f"Round {found.number} of table {table} does not begin in its entry.")
    names, seats = people_at(connection, table, found.first_version)
    return RecalledRound(
        table=table,
        table_name=row.name,
        rules=rules_from_data(json.loads(row.rules_data)),
        number=found.number,
        shoe=found.shoe,
        outcome=found.outcome,
        opening=opening,
        truth=steps,
        names=names,
        seats=seats,
        viewer=viewer,
        shoe_ended=_has_ended(connection, table, found.shoe),
        dealt_before=_dealt_before(connection, table, found),
    )


def table_row(connection: Connection, table: int) -> Row[*tuple[Any, ...]]:
    """Of this table; closed ones have theirs, too."""
    game_table = schema.game_table
    row = connection.execute(select(game_table).where(game_table.c.id == table)).first()
    if row is None:
        raise RecallError(f"There is no table {table}.")
    return row


def rounds_of(connection: Connection, table: int, most: int = 10, before: int = 0) -> list[int]:
    """The numbers of a table's last rounds, the newest first."""
    round_ = schema.round_
    query = select(round_.c.number).where(round_.c.table_id == table)
    if before:
        query = query.where(round_.c.number < before)
    return list(connection.scalars(query.order_by(round_.c.number.desc()).limit(most)))


def _round(connection: Connection, table: int, number: int) -> Row[*tuple[object, ...]]:
    number = number or next(iter(rounds_of(connection, table, most=1)), 0)
    round_ = schema.round_
    row = connection.execute(
        select(round_).where(round_.c.table_id == table, round_.c.number == number)
    ).first()
    if row is None:
        raise RecallError(f"Table {table} has no round {number}.")
    return row


def _dealt_before(connection: Connection, table: int, found: Row[*tuple[object, ...]]) -> int:
    round_ = schema.round_
    first = connection.scalar(
        select(func.min(round_.c.first_version)).where(
            round_.c.table_id == table, round_.c.shoe == found.shoe
        )
    )
    dealt = 0
    for entry in read_events(connection, table, (first or 1) - 1):
        for numbered in events_of(entry):
            event = numbered.event
            if isinstance(event, ev.RoundOpened) and event.number == found.number:
                return dealt
            dealt += isinstance(event, CardDealt)
    return dealt


def _steps(connection: Connection, table: int, found: Row[*tuple[object, ...]]) -> Iterator[Step]:
    """From the opening to the closing, both included."""
    begun = False
    for entry in read_events(connection, table, found.first_version - 1):
        for numbered in events_of(entry):
            event = numbered.event
            begun = begun or (isinstance(event, ev.RoundOpened) and event.number == found.number)
            if begun:
                yield Step(numbered.number, entry.at, entry.actor, event)
            if isinstance(event, ev.RoundClosed) and event.number == found.number:
                return


def people_at(
    connection: Connection, table: int, version: int
) -> tuple[dict[str, str], dict[int, str]]:
    """Names by person and persons by seat before this entry, as seats were taken and left."""
    entry = schema.entry
    names: dict[str, str] = {}
    seats: dict[int, str] = {}
    query = (
        select(entry.c.events)
        .where(
            entry.c.book_id == table,
            entry.c.version < version,
            entry.c.events.like("%SeatTaken%") | entry.c.events.like("%SeatLeft%"),
        )
        .order_by(entry.c.version)
    )
    for (text,) in connection.execute(query):
        for data in json.loads(text):
            if data["event"] == ev.SeatTaken.__name__:
                names[data["person"]] = data["name"]
                seats[data["seat"]] = data["person"]
            elif data["event"] == ev.SeatLeft.__name__:
                seats.pop(data["seat"], None)
    return names, seats


def _has_ended(connection: Connection, table: int, number: int) -> bool:
    shoe = schema.shoe
    query = select(shoe.c.seed).where(shoe.c.table_id == table, shoe.c.number == number)
    return connection.scalar(query) is not None


# --- told -------------------------------------------------------------------------------------


def told(round_: RecalledRound, you: str = "", style: CardStyle = CardStyle.SIGNS) -> list[str]:
    """One line for each step that has something to say; `you` is the person spoken to."""
    viewer = EVERYONE if round_.hides_down_card else DEALER
    teller = TableTeller(round_.rules, PointOfView(you, round_.names, viewer), round_.seats)
    lines = [_title(round_)]
    for step in round_.truth:  # the teller itself hides what the viewer may not see
        sentence = teller.tell(step.event)
        if sentence is not None:
            lines.append(f"{step.number} {_clock(step.at)} {sentence.text(style)}")
    return lines


def _title(round_: RecalledRound) -> str:
    return (
        f"Replay of round {round_.number} at table {round_.table} ({round_.table_name}), "
        f"shoe {round_.shoe}, {round_.outcome}; rules {canonical(round_.rules)}, fingerprint "
        f"{fingerprint(round_.rules)}."
    )


def _clock(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def notation(round_: RecalledRound, complete: bool = True) -> str:
    """The round as text that `ventiuna settle` reads; only a closed one can be written down.

    Rules that match a packaged preset are given by name, unless `complete`.
    """
    if round_.outcome != "closed":
        raise NotationError(f"round {round_.number} is {round_.outcome}: only a closed one is told")
    events: list[Event] = [
        step.event for step in round_.steps if not isinstance(step.event, ev.OwnEvent)
    ]
    if not any(isinstance(event, CardDealt) for event in events):
        raise NotationError(f"round {round_.number}: nobody wagered, so there is nothing to write")
    meters = meters_at(round_.rules, round_.opening)
    name = f"{round_.table}-{round_.number}"
    return write_round(record_of(round_.rules, events, meters, name), complete)


def recalled_data(round_: RecalledRound) -> Data:
    """The round as plain data for JSON, marked as a replay."""
    return {
        "kind": MARK,
        "table": round_.table,
        "table_name": round_.table_name,
        "preset": round_.rules.name,
        "rules": canonical(round_.rules),
        "fingerprint": fingerprint(round_.rules),
        "round": round_.number,
        "shoe": round_.shoe,
        "outcome": round_.outcome,
        "names": dict(round_.names),
        "steps": [
            {
                "n": step.number,
                "at": step.at,
                "actor": step.actor,
                **event_data(step.event),
            }
            for step in round_.steps
        ],
    }
