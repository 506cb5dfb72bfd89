"""What people learn by: their reviewed rounds, the hands that they practise, and when next.

No money is here. A review is worked out from the books and may be worked out again at any time.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, tuple_, update

from ventiuna.engine.events import CardDealt, Event
from ventiuna.table import events as ev
from ventiuna.table.books.entries import read_events
from ventiuna.table.store.schema import practice, review, round_
from ventiuna.table.writing.loading import events_of

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
# After so many right answers in a row a hand is asked again after so long.
PAUSES = (0, 10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 21 * DAY, 60 * DAY)

RoundKey = tuple[int, int]  # table, round


# --- rounds to review -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShoeRound:
    """A round of a shoe with all that was dealt before it."""

    number: int
    outcome: str
    opening: ev.RoundOpened
    events: tuple[Event, ...]  # the engine's own
    seen_before: tuple[int, ...]


def rounds_of_shoe(connection: Connection, table: int, shoe: int) -> Iterator[ShoeRound]:
    """The closed and void rounds of a shoe in their order."""
    query = (
        select(round_.c.number, round_.c.outcome, round_.c.first_version)
        .where(round_.c.table_id == table, round_.c.shoe == shoe, round_.c.outcome != "open")
        .order_by(round_.c.number)
    )
    rows = connection.execute(query).all()
    if not rows:
        return
    outcomes = {row.number: row.outcome for row in rows}
    dealt: list[int] = []
    opening: ev.RoundOpened | None = None
    events: list[Event] = []
    for entry in read_events(connection, table, rows[0].first_version - 1):
        for numbered in events_of(entry):
            event = numbered.event
            if isinstance(event, ev.RoundOpened):
                if event.number not in outcomes:
                    return
                opening, events = event, []
            elif isinstance(event, ev.RoundClosed) and opening is not None:
                number = opening.number
                story = tuple(events)
                yield ShoeRound(number, outcomes[number], opening, story, tuple(dealt))
                dealt += _cards(story)
                opening = None
            elif opening is not None and not isinstance(event, ev.OwnEvent):
                events.append(event)


def _cards(events: Iterable[Event]) -> Iterator[int]:
    for event in events:
        if isinstance(event, CardDealt) and event.card is not None:
            yield event.card


# --- reviews ----------------------------------------------------------------------------------


def read_reviews(
    connection: Connection, person: int, rounds: Collection[RoundKey]
) -> dict[RoundKey, dict[str, object]]:
    """What is known of these rounds."""
    if not rounds:
        return {}
    key = tuple_(review.c.table_id, review.c.round_number)
    query = select(review).where(review.c.person_id == person, key.in_(list(rounds)))
    return {
        (row.table_id, row.round_number): json.loads(row.data) for row in connection.execute(query)
    }


def keep_review(
    connection: Connection, person: int, key: RoundKey, at: int, data: dict[str, object]
) -> None:
    table, number = key
    where = (
        (review.c.person_id == person)
        & (review.c.table_id == table)
        & (review.c.round_number == number)
    )
    connection.execute(delete(review).where(where))
    connection.execute(
        insert(review).values(
            person_id=person, table_id=table, round_number=number, at=at, data=json.dumps(data)
        )
    )


# --- practice ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Practised:
    """A class of hands that somebody practises, by the hand that stands for it."""

    rules: str
    item: str
    kind: str
    situation: dict[str, object]
    box: int
    due_at: int
    asked: int
    missed: int


def due_hands(
    connection: Connection, person: int, rules: str, kind: str | None, now: int, most: int = 20
) -> list[Practised]:
    """Those that should be asked again, the longest due first."""
    query = (
        select(practice)
        .where(practice.c.person_id == person, practice.c.rules == rules, practice.c.due_at <= now)
        .order_by(practice.c.box, practice.c.due_at)
        .limit(most)
    )
    if kind is not None:
        query = query.where(practice.c.kind == kind)
    return [_practised(row) for row in connection.execute(query)]


def all_practised(connection: Connection, person: int, rules: str) -> list[Practised]:
    query = select(practice).where(practice.c.person_id == person, practice.c.rules == rules)
    return [_practised(row) for row in connection.execute(query.order_by(practice.c.item))]


def practise(
    connection: Connection,
    person: int,
    rules: str,
    hand: tuple[str, str, dict[str, object]],
    right: bool,
    now: int,
) -> Practised:
    """Note an answer: a right one makes the pause longer, a wrong one begins anew."""
    item, kind, situation = hand
    where = (
        (practice.c.person_id == person) & (practice.c.rules == rules) & (practice.c.item == item)
    )
    row = connection.execute(select(practice).where(where)).first()
    known = _practised(row) if row is not None else None
    box = min((known.box if known else 0) + 1, len(PAUSES) - 1) if right else 0
    found = Practised(
        rules=rules,
        item=item,
        kind=kind,
        situation=situation,
        box=box,
        due_at=now + PAUSES[box],
        asked=(known.asked if known else 0) + 1,
        missed=(known.missed if known else 0) + (not right),
    )
    values = {
        "kind": kind,
        "situation": json.dumps(situation),
        "box": found.box,
        "due_at": found.due_at,
        "asked": found.asked,
        "missed": found.missed,
    }
    if known is None:
        keys = {"person_id": person, "rules": rules, "item": item}
        connection.execute(insert(practice).values(**keys, **values))
    else:
        connection.execute(update(practice).where(where).values(**values))
    return found


def _practised(row: Row[*tuple[Any, ...]]) -> Practised:
    got = row._mapping
    return Practised(
        rules=got["rules"],
        item=got["item"],
        kind=got["kind"],
        situation=json.loads(got["situation"]),
        box=got["box"],
        due_at=got["due_at"],
        asked=got["asked"],
        missed=got["missed"],
    )
