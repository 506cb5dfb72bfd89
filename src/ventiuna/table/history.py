"""Past rounds from the books: recall, replays, timelines, reviews, and practice.

A recalled round is marked as a replay. While a shoe is in play, only the house sees a down card
that was never turned over. A round starts with its opening and includes everything that happened at
the table until it closed. A shared replay shows what anyone at the table could see, but no names:
players are numbered by their first spot, and other people are left out.

A timeline starts when a round opens, because later sentences refer to that round's cards. This
keeps the sentences identical to those first sent. Reviews can be recomputed from the books at any
time.
"""

from __future__ import annotations

import itertools
import json
from bisect import bisect_right
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from operator import itemgetter
from threading import Lock
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, tuple_, update
from typing_extensions import TypedDict

from ventiuna.engine.codec import Data
from ventiuna.engine.events import (
    AdviceGiven,
    CardDealt,
    DownCardExposed,
    Event,
    HandRemoved,
    Stage,
    StageReached,
    WagersPlaced,
)
from ventiuna.engine.messages import CardStyle, PointOfView
from ventiuna.engine.state import RoundState, apply
from ventiuna.engine.views import DEALER, EVERYONE, Viewer, redact
from ventiuna.errors import VentiunaError
from ventiuna.notation import NotationError, record_of, write_round
from ventiuna.rules import Rules, canonical, fingerprint, rules_from_data
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import event_data
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.domain.state import TableState, meters_at
from ventiuna.table.fairness import context_of
from ventiuna.table.journal import read_events
from ventiuna.table.presentation import (
    EventPresenter,
    PresentedEvent,
    TableEventFormatter,
    cards_data,
    public_event,
    table_data,
)
from ventiuna.table.read_model import (
    NumberedEvent,
    corrections_of,
    events_of,
    events_of_round,
    table_events,
    version_of_event,
)
from ventiuna.table.store import schema
from ventiuna.table.store.schema import practice, review, round_
from ventiuna.table.store.statements import Prepared
from ventiuna.texts import brief_repr

Outcome = Literal["open", "closed", "void"]


class RecallError(VentiunaError):
    """The round isn't in the books."""


@dataclass(frozen=True, slots=True)
class RecalledRound:
    """A round from the books, as a given viewer sees it."""

    table: int
    table_name: str
    rules: Rules
    number: int
    shoe: int
    outcome: Outcome
    opening: ev.RoundOpened
    truth: tuple[NumberedEvent, ...]  # includes the down card; only the house sees this
    names: Mapping[str, str]  # by person id
    seats: Mapping[int, str]  # person by seat when the round opened
    viewer: Viewer
    shoe_ended: bool
    dealt_before: int  # number of cards dealt in the shoe's earlier rounds
    corrections: tuple[NumberedEvent, ...] = ()  # made after the round closed

    __repr__ = brief_repr

    @property
    def hides_down_card(self) -> bool:
        """Whether the down card stays hidden: until it is turned over or the shoe has ended."""
        if self.viewer is DEALER:
            return False
        exposed = any(isinstance(step.event, DownCardExposed) for step in self.truth)
        return not exposed and not self.shoe_ended

    @property
    def steps(self) -> tuple[NumberedEvent, ...]:
        """The steps as the viewer may see them."""
        if not self.hides_down_card:
            return self.truth
        return tuple(
            step
            if isinstance(step.event, ev.OwnEvent)
            else step._replace(event=redact(step.event, EVERYONE))
            for step in self.truth
        )

    @property
    def sentences(self) -> list[str]:
        """A title, then one line for each step that has a sentence."""
        return format_round(self)

    @property
    def text(self) -> str:
        """The round in the notation that `settle` reads. The round must be closed."""
        return notation(self)

    def as_data(self) -> RecalledData:
        """The round as plain data, labeled as a replay."""
        return {
            "kind": "replay",
            "table": self.table,
            "table_name": self.table_name,
            "preset": self.rules.name,
            "rules": canonical(self.rules),
            "fingerprint": fingerprint(self.rules),
            "round": self.number,
            "shoe": self.shoe,
            "outcome": self.outcome,
            "names": dict(self.names),
            "steps": [
                {"n": step.number, "at": step.at, "actor": step.actor, **event_data(step.event)}
                for step in (*self.steps, *self.corrections)
            ],
        }


def recall(
    connection: Connection, table: int, number: int, viewer: Viewer = EVERYONE
) -> RecalledRound:
    """Return the round with this number, or the last one opened if the number is 0."""
    row = table_row(connection, table)
    number = number or next(iter(rounds_of(connection, table, maximum=1)), 0)
    found = connection.execute(
        select(round_).where(round_.c.table_id == table, round_.c.number == number)
    ).first()
    if found is None:
        raise RecallError(f"Table {table} has no round {number}.")
    steps = tuple(events_of_round(connection, found))
    opening = next((step.event for step in steps if isinstance(step.event, ev.RoundOpened)), None)
    if opening is None:
        raise RecallError(
            f"The opening of round {found.number} of table {table} is missing from its entry."
        )
    names, seats = people_at(connection, table, found.first_version)
    shoe = schema.shoe
    seed = select(shoe.c.seed).where(shoe.c.table_id == table, shoe.c.number == found.shoe)
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
        shoe_ended=connection.scalar(seed) is not None,
        dealt_before=_dealt_before(connection, table, found),
        corrections=tuple(
            numbered
            for numbered in corrections_of(connection, table)
            if getattr(numbered.event, "round_number", 0) == found.number
        ),
    )


def table_row(connection: Connection, table: int) -> Row[*tuple[Any, ...]]:
    """Return the row of this table, open or closed."""
    game_table = schema.game_table
    row = connection.execute(select(game_table).where(game_table.c.id == table)).first()
    if row is None:
        raise RecallError(f"There is no table {table}.")
    return row


def rounds_of(connection: Connection, table: int, maximum: int = 10, before: int = 0) -> list[int]:
    """The numbers of a table's last rounds, newest first."""
    query = select(round_.c.number).where(round_.c.table_id == table)
    if before:
        query = query.where(round_.c.number < before)
    return list(connection.scalars(query.order_by(round_.c.number.desc()).limit(maximum)))


class RoundLine(TypedDict):
    """A round as a list shows it."""

    number: int
    outcome: Outcome
    at: int  # time of its last entry, or of its first one while it is open


def round_lines(connection: Connection, table: int, maximum: int, before: int) -> list[RoundLine]:
    """A table's last rounds, newest first."""
    numbers = rounds_of(connection, table, maximum, before)
    entry = schema.entry
    version = func.coalesce(round_.c.last_version, round_.c.first_version)
    query = (
        select(round_.c.number, round_.c.outcome, entry.c.at)
        .join(entry, (entry.c.book_id == round_.c.table_id) & (entry.c.version == version))
        .where(round_.c.table_id == table, round_.c.number.in_(numbers))
        .order_by(round_.c.number.desc())
    )
    return [
        {"number": row.number, "outcome": row.outcome, "at": row.at}
        for row in connection.execute(query)
    ]


def _dealt_before(connection: Connection, table: int, found: Row[*tuple[object, ...]]) -> int:
    first = connection.scalar(
        select(func.min(round_.c.first_version)).where(
            round_.c.table_id == table, round_.c.shoe == found.shoe
        )
    )
    dealt = 0
    for _, _, _, event in table_events(connection, table, first or 1):
        if isinstance(event, ev.RoundOpened) and event.number == found.number:
            return dealt
        dealt += isinstance(event, CardDealt)
    return dealt


def people_at(
    connection: Connection, table: int, version: int
) -> tuple[dict[str, str], dict[int, str]]:
    """The names of people, and the person in each seat, before this entry."""
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


def format_round(
    round_: RecalledRound, you: str = "", style: CardStyle = CardStyle.SIGNS
) -> list[str]:
    """A line for each step that has a sentence; `you` is the person addressed."""
    viewer = EVERYONE if round_.hides_down_card else DEALER
    formatter = TableEventFormatter(
        round_.rules, PointOfView(you, round_.names, viewer), round_.seats
    )
    title = (
        f"Replay of round {round_.number} at table {round_.table} ({round_.table_name}), "
        f"shoe {round_.shoe}, {round_.outcome}; rules {canonical(round_.rules)}, fingerprint "
        f"{fingerprint(round_.rules)}."
    )
    lines = [title]
    for step in (
        *round_.truth,
        *round_.corrections,
    ):  # the formatter hides anything this viewer may not see
        sentence = formatter.format(step.event)
        if sentence is not None:
            at = datetime.fromtimestamp(step.at / 1000, UTC)
            lines.append(f"{step.number} {at:%Y-%m-%d %H:%M:%S} {sentence.text(style)}")
    return lines


def notation(round_: RecalledRound, complete: bool = True) -> str:
    """The round in the notation that `ventiuna settle` reads.

    The round must be closed. Rules that match a built-in preset are written by name unless
    `complete` is set.
    """
    if round_.outcome != "closed":
        raise NotationError(
            f"round {round_.number} is {round_.outcome}; only a closed round can be written as "
            "notation"
        )
    events: list[Event] = [
        step.event for step in round_.steps if not isinstance(step.event, ev.OwnEvent)
    ]
    if not any(isinstance(event, CardDealt) for event in events):
        raise NotationError(f"round {round_.number} has no wagers, so there is nothing to write")
    meters = meters_at(round_.rules, round_.opening)
    name = f"{round_.table}-{round_.number}"
    return write_round(record_of(round_.rules, events, meters, name), complete)


class RecalledData(TypedDict):
    kind: Literal["replay"]
    table: int
    table_name: str
    preset: str
    rules: str
    fingerprint: str
    round: int
    shoe: int
    outcome: Outcome
    names: dict[str, str]
    steps: list[dict[str, object]]  # events, each with `n`, `at` and `actor`


_SHARED_EVENTS = (ev.RoundOpened, ev.RoundClosed, ev.RoundCorrected)


def replay_data(round_: RecalledRound) -> Data:
    """The replay with names, for people allowed to see them."""
    return _replay(round_, (*round_.truth, *round_.corrections))


def shared_data(round_: RecalledRound) -> Data:
    """The replay without names, for anyone who has the link."""
    players = {person: f"player {n}" for n, person in enumerate(_players(round_), start=1)}
    steps = [
        step._replace(event=_unnamed(step.event, players), actor="")
        for step in (*round_.truth, *round_.corrections)
        if not isinstance(step.event, ev.OwnEvent) or isinstance(step.event, _SHARED_EVENTS)
    ]
    names = {alias: alias.capitalize() for alias in players.values()}
    seats = {
        number: players[person] for number, person in round_.seats.items() if person in players
    }
    return _replay(replace(round_, names=names, seats=seats), steps)


def _unnamed(event: ev.TableEvent, players: dict[str, str]) -> ev.TableEvent:
    if isinstance(event, WagersPlaced):
        return replace(event, person=players.get(event.person, ""))
    if isinstance(event, ev.RoundCorrected):  # the reason may name someone
        return replace(event, person=players.get(event.person, ""), reason="")
    return event


def _players(round_: RecalledRound) -> list[str]:
    """People who wagered, in order of their first spots."""
    spots: dict[int, str] = {}
    for step in round_.truth:
        if isinstance(step.event, WagersPlaced) and step.event.person:
            spots[step.event.spot] = step.event.person
    return list(dict.fromkeys(person for _, person in sorted(spots.items())))


def _replay(round_: RecalledRound, steps: Sequence[NumberedEvent]) -> Data:
    presenter = EventPresenter(round_.rules, round_.names, round_.seats)
    presented = presenter.show_all(step.event for step in steps)
    positions = itertools.count()
    return {
        "table": round_.table,
        "round": round_.number,
        "shoe": round_.shoe,
        "outcome": round_.outcome,
        "at": steps[0].at if steps else 0,
        "shoe_ended": round_.shoe_ended,
        "snapshot": _beginning(round_, steps),
        "steps": [
            {
                "n": step.number,
                "at": step.at,
                "event": public_event(step.event),
                "position": None if isinstance(step.event, ev.OwnEvent) else next(positions),
                "told": one.message,
                "after": one.after,
                "shoe": shoe,
            }
            for step, one, shoe in zip(steps, presented, _shoes(round_, steps), strict=True)
        ],
    }


def _shoes(round_: RecalledRound, steps: Sequence[NumberedEvent]) -> Iterator[Data | None]:
    """The shoe and the discard tray after each event; None for events that moved no card."""
    state: RoundState | None = None
    dealt = round_.dealt_before
    for step in steps:
        event = step.event
        if isinstance(event, ev.RoundOpened):
            state = RoundState(round_.rules, meters_at(round_.rules, event))
        elif isinstance(event, ev.RoundClosed):
            state = None
        elif state is not None and not isinstance(event, ev.OwnEvent):
            apply(state, event)
            dealt += isinstance(event, CardDealt)
        is_moved = isinstance(event, CardDealt | HandRemoved | ev.RoundClosed)
        yield _shoe_data(round_, dealt, state) if is_moved else None


def _shoe_data(round_: RecalledRound, dealt: int, state: RoundState | None) -> Data:
    # Any house name will do, because only card counts are used.
    context = context_of(round_.rules, "house", str(round_.table), round_.shoe)
    remaining = max(0, context.size - dealt)  # 0 if the shoe was reshuffled during the round
    to_cut = max(0, remaining - context.behind_cut)
    return {
        "number": round_.shoe,
        "commitment": None,
        **cards_data(context.size, remaining, to_cut, state),
        "next": None,
        "next_commitment": None,
        "cuts": {},
    }


def _beginning(round_: RecalledRound, steps: Sequence[NumberedEvent]) -> Data:
    """The table before the round's first event."""
    return {
        "type": "snapshot",
        "n": steps[0].number - 1 if steps else 0,
        "table": {
            **table_data(round_.table, round_.table_name, round_.rules, "open"),
            "waits": None,
            "jackpots": {},
        },
        "seats": _seats(round_, steps),
        "shoe": _shoe_data(round_, round_.dealt_before, None),
        "round": None,
        "ask": None,
        "story": [],
        "scene": [],
    }


def _seats(round_: RecalledRound, steps: Sequence[NumberedEvent]) -> list[Data]:
    """People who wager in the round, and the spots they bet on."""
    spots: dict[str, set[int]] = {}
    for step in steps:
        if isinstance(step.event, WagersPlaced):
            spots.setdefault(step.event.person, set()).add(step.event.spot)
    numbers = {person: number for number, person in round_.seats.items()}
    return [
        {
            "seat": numbers.get(person, min(played)),
            "person": person,
            "name": round_.names.get(person, ""),
            "status": "here",
            "spots": sorted(played),
            "stack": 0,
            "ready": False,
        }
        for person, played in spots.items()
    ]


MAX_TABLES = 64  # tables whose timelines are cached
MAX_EVENTS = 160  # events kept per table when the cache is trimmed
MAX_LINES = 40  # number of lines sent to someone who joins the table
# numbers of events to search; the first is almost always enough
_SEARCH_SPANS = (80, 160, 320, 640)


class TimelineEvent(NamedTuple):
    number: int
    event: TableEvent
    shown: PresentedEvent


class Timelines:
    """A process's cache of recent table events.

    Each event is formatted once; a later request continues where the last one ended.
    """

    def __init__(self) -> None:
        self._cached: OrderedDict[int, _CachedTimeline] = OrderedDict()  # most recently used last
        self._locks: defaultdict[int, Lock] = defaultdict(Lock)

    def since(self, connection: Connection, state: TableState, after: int) -> list[TimelineEvent]:
        """Everything after event `after`, up to the given state of the table."""
        with self._locks[state.number]:
            cached = self._cached.pop(state.number, None)
            if cached is None or after < cached.after:
                cached = _CachedTimeline(connection, state, after)
            else:
                cached.go_on(connection, state)
            found = cached.between(after, state.head.events)
            cached.trim()
            self._cached[state.number] = cached
        while len(self._cached) > MAX_TABLES:
            with suppress(KeyError):  # someone is using the oldest one right now
                self._cached.popitem(last=False)
        return found

    def recent(self, connection: Connection, state: TableState) -> Data:
        """The story and the scene in the snapshot for someone who joins a table."""
        newest: list[TimelineEvent] = []
        lines: list[Data] = []
        scene: list[Data] = []
        for searched in _SEARCH_SPANS:
            after = max(0, state.head.events - searched)
            newest = self.since(connection, state, after)
            lines = message_lines(newest)[-MAX_LINES:]
            scene = scene_events(newest)
            if (scene and len(lines) == MAX_LINES) or not after:
                break
        return {"story": lines, "scene": scene}


class _CachedTimeline:
    """A range of a table's formatted events, with the presenter that continues it."""

    def __init__(self, connection: Connection, state: TableState, after: int) -> None:
        before = _version_before(connection, state.number, after)
        stored = list(_stored_events(connection, state, before))
        self.after = after  # number of the last event before the range
        self.message: list[TimelineEvent] = []
        self._presenter = _presenter_before(connection, state, before, stored)
        self._is_open = False  # whether a round's opening has been seen
        self._add_lines(stored, state)

    def go_on(self, connection: Connection, state: TableState) -> None:
        """Add newer events; do nothing if the state is older than the cache."""
        if state.head.version > self._version:
            self._add_lines(list(_stored_events(connection, state, self._version)), state)

    def between(self, after: int, last: int) -> list[TimelineEvent]:
        first = bisect_right(self.message, after, key=itemgetter(0))
        return self.message[first : bisect_right(self.message, last, key=itemgetter(0))]

    def trim(self) -> None:
        if len(self.message) > 2 * MAX_EVENTS:
            self.after = self.message[-MAX_EVENTS].number - 1
            del self.message[:-MAX_EVENTS]

    def _add_lines(self, stored: Iterable[NumberedEvent], state: TableState) -> None:
        for numbered in stored:
            event = numbered.event
            self._is_open = self._is_open or isinstance(event, ev.RoundOpened)
            if not self._is_open and not isinstance(event, ev.OwnEvent):
                continue  # this round began before the range
            if numbered.number > self.after:
                presented = self._presenter.show(event)
                self.message.append(TimelineEvent(numbered.number, event, presented))
            else:
                self._presenter.follow(event)
        self._version = state.head.version


def message_lines(lines: list[TimelineEvent]) -> list[Data]:
    return [
        {"n": line.number, "event": type(line.event).__name__, **line.shown.message}
        for line in lines
        if line.shown.message is not None
    ]


def scene_events(lines: list[TimelineEvent]) -> list[Data]:
    """The events that produced the current state of the felt.

    They begin when the last dealt round opened; its cards stay visible during betting for the next
    one. Empty if that opening isn't among these events. Only the sentences for payments and advice
    are included, because those stay visible next to their hands.
    """
    opened = first = None
    for index, one in enumerate(lines):
        if isinstance(one.event, ev.RoundOpened):
            opened = index
        elif isinstance(one.event, StageReached) and one.event.stage is Stage.DEAL:
            first = opened
    if first is None:
        return []
    always = ev.RoundOpened | ev.RoundClosed | ev.TimeRanOut
    return [
        _scene_step(one)
        for one in lines[first:]
        if isinstance(one.event, always) or not isinstance(one.event, ev.OwnEvent)
    ]


def _scene_step(one: TimelineEvent) -> Data:
    message = one.shown.message
    is_kept = message is not None and ("payment" in message or isinstance(one.event, AdviceGiven))
    return {
        "event": public_event(one.event),
        "told": message if is_kept else None,
        "after": one.shown.after,
    }


def _stored_events(
    connection: Connection, state: TableState, before: int
) -> Iterator[NumberedEvent]:
    for entry in read_events(connection, state.number, before):
        if entry.version > state.head.version:
            return
        yield from events_of(entry)


def _presenter_before(
    connection: Connection, state: TableState, before: int, stored: list[NumberedEvent]
) -> EventPresenter:
    """A presenter as of that time; reads past seats only if someone has left since."""
    if any(isinstance(numbered.event, ev.SeatLeft) for numbered in stored):
        names, seats = people_at(connection, state.number, before + 1)
    else:
        names = {seat.person: seat.name for seat in state.seats.values()}
        seats = {seat.number: seat.person for seat in state.seats.values()}
    return EventPresenter(state.rules, names, seats)


def _version_before(connection: Connection, table: int, after: int) -> int:
    """The version before the first entry to read.

    Reading starts at an earlier entry's opening, because the entry that opens a round may also end
    the previous one.
    """
    first = version_of_event(connection, table, after + 1) or 1
    opened = _OPENING.first(connection, table=table, before=first).version
    return (opened or first) - 1


_OPENING = Prepared(
    select(func.max(round_.c.first_version).label("version")).where(
        round_.c.table_id == bindparam("table"), round_.c.first_version < bindparam("before")
    )
)


MINUTE = 60_000
DAY = 24 * 60 * MINUTE
# Time until a hand is practiced again, by the number of correct answers in a row.
PRACTICE_INTERVALS = (0, 10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 21 * DAY, 60 * DAY)

RoundKey = tuple[int, int]  # table, round


@dataclass(frozen=True, slots=True)
class ShoeRound:
    """A round, with all cards dealt from its shoe before it."""

    number: int
    outcome: str
    opening: ev.RoundOpened
    events: tuple[Event, ...]  # engine events only
    seen_before: tuple[int, ...]


def rounds_of_shoe(connection: Connection, table: int, shoe: int) -> Iterator[ShoeRound]:
    """A shoe's closed and void rounds, in order."""
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
    for _, _, _, event in table_events(connection, table, rows[0].first_version):
        if isinstance(event, ev.RoundOpened):
            if event.number not in outcomes:
                return
            opening, events = event, []
        elif isinstance(event, ev.RoundClosed) and opening is not None:
            number = opening.number
            story = tuple(events)
            yield ShoeRound(number, outcomes[number], opening, story, tuple(dealt))
            dealt += [
                dealt_event.card
                for dealt_event in story
                if isinstance(dealt_event, CardDealt) and dealt_event.card is not None
            ]
            opening = None
        elif opening is not None and not isinstance(event, ev.OwnEvent):
            events.append(event)


def read_reviews(
    connection: Connection, person: int, rounds: Collection[RoundKey]
) -> dict[RoundKey, dict[str, object]]:
    """Stored reviews of these rounds."""
    if not rounds:
        return {}
    key = tuple_(review.c.table_id, review.c.round_number)
    query = select(review).where(review.c.person_id == person, key.in_(list(rounds)))
    return {
        (row.table_id, row.round_number): json.loads(row.data) for row in connection.execute(query)
    }


def save_review(
    connection: Connection, person: int, key: RoundKey, at: int, data: Mapping[str, object]
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
            person_id=person,
            table_id=table,
            round_number=number,
            at=at,
            data=json.dumps(data, default=asdict),
        )
    )


@dataclass(frozen=True, slots=True)
class PracticedHand:
    """A class of hands in practice, with one representative hand."""

    rules: str
    item: str
    kind: str
    situation: dict[str, object]
    box: int
    due_at: int
    asked: int
    missed: int


def due_hands(
    connection: Connection, person: int, rules: str, kind: str | None, now: int, maximum: int = 20
) -> list[PracticedHand]:
    """Hands that are due for practice: least known first, then most overdue."""
    query = (
        select(practice)
        .where(practice.c.person_id == person, practice.c.rules == rules, practice.c.due_at <= now)
        .order_by(practice.c.box, practice.c.due_at)
        .limit(maximum)
    )
    if kind is not None:
        query = query.where(practice.c.kind == kind)
    return [_read_practiced(row) for row in connection.execute(query)]


def practiced_hands(connection: Connection, person: int, rules: str) -> list[PracticedHand]:
    query = select(practice).where(practice.c.person_id == person, practice.c.rules == rules)
    return [_read_practiced(row) for row in connection.execute(query.order_by(practice.c.item))]


def record_practice(
    connection: Connection,
    person: int,
    rules: str,
    hand: tuple[str, str, dict[str, object]],
    right: bool,
    now: int,
) -> PracticedHand:
    """Record an answer; a correct answer lengthens the interval, and a wrong one resets it."""
    item, kind, situation = hand
    where = (
        (practice.c.person_id == person) & (practice.c.rules == rules) & (practice.c.item == item)
    )
    row = connection.execute(select(practice).where(where)).first()
    known = _read_practiced(row) if row is not None else None
    box = min((known.box if known else 0) + 1, len(PRACTICE_INTERVALS) - 1) if right else 0
    found = PracticedHand(
        rules=rules,
        item=item,
        kind=kind,
        situation=situation,
        box=box,
        due_at=now + PRACTICE_INTERVALS[box],
        asked=(known.asked if known else 0) + 1,
        missed=(known.missed if known else 0) + (not right),
    )
    values = asdict(found) | {"person_id": person, "situation": json.dumps(situation)}
    if known is None:
        connection.execute(insert(practice).values(**values))
    else:
        connection.execute(update(practice).where(where).values(**values))
    return found


def _read_practiced(row: Row[*tuple[Any, ...]]) -> PracticedHand:
    values = {part.name: row._mapping[part.name] for part in fields(PracticedHand)}
    return PracticedHand(**values | {"situation": json.loads(row.situation)})
