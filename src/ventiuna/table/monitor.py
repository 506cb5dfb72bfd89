"""The monitor: is a table paying what it should, in operation? (docs/explanation/monitor.md)

Every closed round is checked in two ways. Its payments and its contributions to meters are settled
again, given its cards and decisions, and must agree to the cent. The cards themselves are bet on as
they come from the shoe: a fair shoe multiplies nobody's stake. A *stream* is one such test: the
payments of one kind of wager at one bet level, the cards that players with one bet level or the
dealer get, or one meter. Its *evidence* is how many times it multiplied its stake. By Ville's
inequality, the evidence of a correct table ever reaches 1 / level with a probability of at most the
level, so a table can be checked after every round, forever.

The level is divided among all streams: by the table, and by the order in which a table's streams
began. After an alarm is acknowledged, its stream begins again with the next share.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from sqlalchemy import Connection, delete, insert, or_, select

from ventiuna.engine.events import JACKPOT_WAGERS, CardDealt, Place
from ventiuna.kernels.luck import (
    ALL_LEFT,
    BETS,
    MAX_WEALTH,
    ODDS,
    Ints,
    bet_on_rounds,
    category_counts,
)
from ventiuna.money import money_text
from ventiuna.rules import Rules, rules_from_data
from ventiuna.table.daily_report import ALARM_KEYS, last_wagers
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import RaiseAlarm
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.domain.handlers import SERVICE
from ventiuna.table.fairness import EntropySource
from ventiuna.table.journal import read_entries, read_events
from ventiuna.table.ledger import PlainData
from ventiuna.table.listings import names_of
from ventiuna.table.read_model import events_of
from ventiuna.table.right_payments import (
    NotByTheRules,
    Outcome,
    right_outcome,
    was_dealt,
    was_voided,
)
from ventiuna.table.store.schema import entry, game_table, round_, shoe
from ventiuna.table.store.schema import monitor as progress
from ventiuna.table.writer import CommandRequest
from ventiuna.texts import pluralize

LEVEL = 0.01  # probability that a correct house ever raises an alarm
BANDS = (1_000, 2_500, 10_000, 50_000)  # cents: where bet levels begin, besides 0
MAX_ROUNDS = 5  # rounds listed as evidence


class StreamKind(StrEnum):
    PAYMENTS = "payments"
    CARDS = "cards"
    METER = "meter"


DEALER = "dealer"
PLAYERS = "players"


def band_of(cents: int) -> int:
    """The bet level of a wager, from 0."""
    return sum(cents >= bound for bound in BANDS)


def band_text(band: int) -> str:
    """A bet level in words.

    >>> band_text(0), band_text(1), band_text(4)
    ('under $10', '$10 to $24.99', '$500 or more')
    """
    if not band:
        return f"under {_dollars(BANDS[0])}"
    if band == len(BANDS):
        return f"{_dollars(BANDS[-1])} or more"
    return f"{_dollars(BANDS[band - 1])} to {money_text(BANDS[band] - 1)}"


def _dollars(cents: int) -> str:
    return f"${cents // 100}"


class StreamKey(NamedTuple):
    """What a stream tests; `about` is a wager, or who gets the cards."""

    test: StreamKind
    about: str
    band: int | None = None  # bet level

    @property
    def level(self) -> str:
        return "" if self.band is None else band_text(self.band)

    def __str__(self) -> str:
        about = f"{self.about}, {self.level}" if self.level else self.about
        return f"{self.test}: {about}"


@dataclass(slots=True)
class Stream:
    """One test, and everything it has found so far."""

    key: StreamKey
    order: int = 0  # place among the table's streams of cards; others need no share
    rounds: int = 0
    wrong: int = 0  # rounds that weren't settled correctly
    difference: int = 0  # cents paid, or added to the meter, beyond the correct amount
    evidence: float = 1.0
    listed: list[tuple[float, int]] = field(default_factory=list)  # weight and number of rounds
    wealth: list[float] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The stream's share of the table's level: 1/2, 1/6, 1/12 and so on."""
        return 1 / (self.order * (self.order + 1)) if self.order else 1.0

    @property
    def contributors(self) -> tuple[int, ...]:
        """The rounds that contributed most."""
        return tuple(number for _, number in sorted(self.listed, key=lambda one: -one[0]))

    def compare(self, number: int, difference: int, is_wrong: bool) -> None:
        """Add a settled round. A correct table never differs, so one difference is proof."""
        self.rounds += 1
        if is_wrong:
            self.wrong += 1
            self.difference += difference
            self.evidence = MAX_WEALTH
            self._list(abs(difference) or 1, number)

    def bet(self, number: int, cards: Sequence[int], chosen: Sequence[bool], left: Ints) -> None:
        """Bet on the chosen cards of a round that begins with these cards left in the shoe."""
        before, clock = self.evidence, np.array([self.rounds])
        wealth = np.array(self.wealth or [0.0] * BETS)
        after = np.ones(1)
        bet_on_rounds(
            np.array(cards, dtype=np.uint8),
            np.array(chosen, dtype=np.uint8),
            np.array([len(cards)]),
            np.zeros(1, dtype=np.uint8),
            left,
            left.copy(),
            ODDS,
            wealth,
            clock,
            np.ones(BETS),
            np.ones(BETS),
            after,
        )
        self.rounds, self.wealth, self.evidence = int(clock[0]), wealth.tolist(), float(after[0])
        self._list(math.log(self.evidence / before), number)

    def _list(self, weight: float, number: int) -> None:
        if weight > 0:
            self.listed = sorted([*self.listed, (weight, number)], reverse=True)[:MAX_ROUNDS]

    def sentence(self) -> str:
        """What the stream found, as the books and the floor say it."""
        if self.key.test is StreamKind.CARDS:
            times = "over a trillion" if self.evidence > 1e12 else f"{self.evidence:,.0f}"
            return (
                f"{self.key}: these cards are {times} times likelier from a biased shoe than from "
                "a fair one."
            )
        way = "too much" if self.difference > 0 else "too little"
        amount = money_text(abs(self.difference))
        found = f"{amount} {way} in all" if self.difference else "not as the rules say"
        return f"{self.key}: {self.wrong:,} of {pluralize(self.rounds, 'round')} wrong, {found}."


class Round(NamedTuple):
    """A closed or voided round with its events."""

    number: int
    opening: ev.RoundOpened
    events: list[TableEvent]


@dataclass(slots=True)
class TableMonitor:
    """All streams of a table; `place` is its place among the house's tables, from 1."""

    table: int
    place: int
    rules: Rules
    number: int = 0  # last round read
    version: int = 0  # of the book, when that round was closed
    noted: int = 0  # number of the last event about an alarm
    raised: dict[int, str] = field(default_factory=dict)  # streams by unacknowledged alarm
    shoe: int = 0
    left: Ints | None = None  # cards left in the shoe; None if they can't be known
    opened: int = 0  # streams of cards begun so far
    streams: dict[StreamKey, Stream] = field(default_factory=dict)

    def stream(self, key: StreamKey) -> Stream:
        found = self.streams.get(key)
        return found if found is not None else self.restart(key)

    def restart(self, key: StreamKey) -> Stream:
        """Begin a stream, again if its alarm was acknowledged."""
        is_luck = key.test is StreamKind.CARDS
        self.opened += is_luck
        self.streams[key] = Stream(key, self.opened if is_luck else 0)
        return self.streams[key]

    def threshold(self, stream: Stream, level: float = LEVEL) -> float:
        """The evidence at which the stream raises an alarm."""
        return self.place * (self.place + 1) / (stream.share * level)

    def is_alarming(self, stream: Stream, level: float = LEVEL) -> bool:
        return stream.evidence >= self.threshold(stream, level)

    @property
    def due(self) -> list[Stream]:
        """The streams whose alarms aren't in the books yet."""
        known = set(self.raised.values())
        return [
            stream
            for key, stream in self.streams.items()
            if self.is_alarming(stream) and str(key) not in known
        ]

    def heed(self, number: int, event: ev.AlarmRaised | ev.AlarmAcknowledged) -> None:
        """Follow an alarm in the books; once it is acknowledged, its stream begins again."""
        if number <= self.noted:
            return
        self.noted = number
        if isinstance(event, ev.AlarmRaised):
            self.raised[number] = event.stream
            return
        stream = self.raised.pop(event.alarm, "")
        for key in [key for key in self.streams if str(key) == stream]:
            self.restart(key)

    @property
    def nearest(self) -> float:
        """How close the strongest stream is to its alarm; 1 is an alarm."""
        shares = [one.evidence / self.threshold(one) for one in self.streams.values()]
        return min(1.0, max(shares, default=0.0))

    def add(self, closed: Round, is_random: bool = True) -> None:
        """Test a round. `is_random` is false if a test chose the cards of its shoe."""
        self.number = closed.number
        if not was_dealt(closed.events):
            return
        bands = {placed.spot: band_of(placed.base) for placed in last_wagers(closed.events)}
        self._add_cards(closed, bands, is_random)
        if not was_voided(closed.events):
            self._add_payments(closed, bands)

    # --- Payments and meters ---

    def _add_payments(self, closed: Round, bands: Mapping[int, int]) -> None:
        actual = Outcome.of(closed.events)
        try:
            right = right_outcome(self.rules, closed.opening, closed.events)
        except NotByTheRules:
            right = None
        due = right.payments if right else actual.payments
        found: dict[StreamKey, tuple[int, bool]] = {}
        for spot, wager in actual.payments.keys() | due.keys():
            key = StreamKey(StreamKind.PAYMENTS, str(wager), bands.get(spot, 0))
            difference = actual.payments[spot, wager] - due[spot, wager]
            total, is_wrong = found.get(key, (0, False))
            found[key] = total + difference, is_wrong or bool(difference) or right is None
        raised = right.raised if right else actual.raised
        for game in sorted({line[0] for line in (*actual.raised, *raised)}):
            ours = [line for line in actual.raised if line[0] == game]
            theirs = [line for line in raised if line[0] == game]
            key = StreamKey(StreamKind.METER, str(JACKPOT_WAGERS[game]))
            more = sum(line[1] for line in ours) - sum(line[1] for line in theirs)
            found[key] = more, ours != theirs
        for key in sorted(found, key=str):
            self.stream(key).compare(closed.number, *found[key])

    # --- Cards ---

    def _add_cards(self, closed: Round, bands: Mapping[int, int], is_random: bool) -> None:
        """Bet on the cards of a shoe that was seen from its beginning until it is reshuffled."""
        if closed.opening.shoe != self.shoe:
            self.shoe = closed.opening.shoe
            deck = np.array(sorted(self.rules.pack.cards) * self.rules.decks, dtype=np.uint8)
            self.left = category_counts(deck) if is_random else None
        if self.left is None:
            return
        dealt = [event for event in closed.events if isinstance(event, CardDealt)]
        in_shoe = int(self.left[ALL_LEFT]) - self.rules.burn_cards
        is_reshuffled = len(dealt) > in_shoe  # the discards are shuffled during the round
        dealt = dealt[:in_shoe]
        cards = [event.card for event in dealt if event.card is not None]
        owners = [
            StreamKey(StreamKind.CARDS, PLAYERS, bands.get(event.spot, 0))
            if event.place is Place.PLAYER
            else StreamKey(StreamKind.CARDS, DEALER)
            for event in dealt
        ]
        for key in sorted(set(owners), key=str):
            chosen = [owner == key for owner in owners]
            self.stream(key).bet(closed.number, cards, chosen, self.left)
        left = self.left - category_counts(np.array(cards, dtype=np.uint8))
        self.left = None if is_reshuffled or left.min() < 0 else left

    # --- Storage ---

    def text(self) -> str:
        """Everything but the rules, as JSON."""
        return json.dumps(
            {
                "number": self.number,
                "version": self.version,
                "noted": self.noted,
                "raised": self.raised,
                "shoe": self.shoe,
                "left": None if self.left is None else self.left.tolist(),
                "opened": self.opened,
                "streams": [asdict(stream) for stream in self.streams.values()],
            }
        )

    def restore(self, text: str) -> None:
        data = json.loads(text)
        for name in ("number", "version", "noted", "shoe", "opened"):
            setattr(self, name, data[name])
        self.raised = {int(number): stream for number, stream in data["raised"].items()}
        self.left = None if data["left"] is None else np.array(data["left"], dtype=np.int64)
        for item in data["streams"]:
            test, about, band = item["key"]
            key = StreamKey(StreamKind(test), about, band)
            listed = [(float(weight), int(number)) for weight, number in item["listed"]]
            self.streams[key] = Stream(**item | {"key": key, "listed": listed})


# --- Reading a house ---


def new_monitors(
    connection: Connection, rules: Rules | None = None, known: Collection[int] = ()
) -> list[TableMonitor]:
    """A monitor for each table not yet known; `rules` replace the tables' own."""
    numbers = connection.scalars(select(game_table.c.id).order_by(game_table.c.id))
    places = {number: place for place, number in enumerate(numbers, start=1)}
    fresh = [number for number in places if number not in known]
    if not fresh:
        return []
    query = select(game_table.c.id, game_table.c.rules_data).where(game_table.c.id.in_(fresh))
    return [
        TableMonitor(row.id, places[row.id], rules or rules_from_data(json.loads(row.rules_data)))
        for row in connection.execute(query.order_by(game_table.c.id))
    ]


def follow(
    connection: Connection,
    monitor: TableMonitor,
    *,
    last: int | None = None,
    any_shoe: bool = False,
    heeds_alarms: bool = True,
) -> Iterator[int]:
    """Add the table's rounds after the last one read, and yield their numbers.

    Cards of shoes that a test may have stacked are left out, unless `any_shoe` is set. If alarms
    are heeded, an acknowledged alarm restarts its stream.
    """
    sources = select(shoe.c.number, shoe.c.source).where(shoe.c.table_id == monitor.table)
    stacked = {row.number for row in connection.execute(sources) if row.source != EntropySource.OS}
    opening: ev.RoundOpened | None = None
    events: list[TableEvent] = []
    # The entry that closed the last round may also have opened the next one.
    for one in read_events(connection, monitor.table, max(0, monitor.version - 1)):
        for number, _, _, event in events_of(one):
            if isinstance(event, ev.AlarmRaised | ev.AlarmAcknowledged):
                if heeds_alarms:
                    monitor.heed(number, event)
            elif isinstance(event, ev.RoundOpened):
                opening, events = (event if event.number > monitor.number else None), []
            elif isinstance(event, ev.RoundClosed) and opening is not None:
                monitor.add(
                    Round(event.number, opening, events), any_shoe or opening.shoe not in stacked
                )
                monitor.version, opening = one.version, None
                yield event.number
                if event.number == last:
                    return
            else:
                events.append(event)


def start_window(
    connection: Connection, monitor: TableMonitor, first_at: int, last_at: int
) -> int | None:
    """Move a new monitor to the start of a time span; return the span's last round, if any.

    It starts with the shoe of the span's first round, because it must know the cards left.
    """
    ended = (
        select(round_.c.number, round_.c.shoe)
        .join(
            entry,
            (entry.c.book_id == round_.c.table_id) & (entry.c.version == round_.c.last_version),
        )
        .where(round_.c.table_id == monitor.table, entry.c.at >= first_at, entry.c.at < last_at)
        .order_by(round_.c.number)
    )
    rows = connection.execute(ended).all()
    if not rows:
        return None
    first = connection.execute(
        select(round_.c.number, round_.c.first_version)
        .where(round_.c.table_id == monitor.table, round_.c.shoe == rows[0].shoe)
        .order_by(round_.c.number)
    ).first()
    assert first is not None, "a shoe with a round has a first one"
    monitor.number, monitor.version = first.number - 1, first.first_version
    last: int = rows[-1].number
    return last


# --- Live ---


def load_progress(connection: Connection, monitors: Iterable[TableMonitor]) -> None:
    """Continue where the house's monitor stopped."""
    rows = connection.execute(select(progress.c.table_id, progress.c.data)).all()
    stored = {row.table_id: row.data for row in rows}
    for monitor in monitors:
        if monitor.table in stored:
            monitor.restore(stored[monitor.table])


def save_progress(connection: Connection, monitor: TableMonitor) -> None:
    connection.execute(delete(progress).where(progress.c.table_id == monitor.table))
    connection.execute(insert(progress).values(table_id=monitor.table, data=monitor.text()))


def alarm_request(monitor: TableMonitor, stream: Stream) -> CommandRequest:
    """The command that records an alarm."""
    name = str(stream.key)
    key = f"{ALARM_KEYS}{monitor.table}/{name}/{monitor.number}"
    return CommandRequest(
        monitor.table, SERVICE, key, RaiseAlarm(name, stream.sentence(), stream.contributors)
    )


# --- Recorded alarms ---


@dataclass(frozen=True, slots=True)
class RecordedAlarm:
    """An alarm in the books; times are in milliseconds since 1970."""

    table: int
    alarm: int
    at: int
    finding: str
    rounds: tuple[int, ...]
    acknowledged_by: str = ""  # a name, or the sender as recorded
    acknowledged_at: int | None = None
    reason: str = ""


# How the commands begin in canonical JSON, which sorts the names.
_ALARM_COMMANDS = ('{"command":"RaiseAlarm"%', '{"alarm":%,"command":"AcknowledgeAlarm"%')


def recorded_alarms(connection: Connection) -> list[RecordedAlarm]:
    """All alarms in the books, with who acknowledged each one, when, and why."""
    rows = connection.execute(
        select(entry.c.book_id, entry.c.version)
        .where(or_(*(entry.c.command.like(start) for start in _ALARM_COMMANDS)))
        .order_by(entry.c.book_id, entry.c.version)
    ).all()
    found: dict[tuple[int, int], RecordedAlarm] = {}
    for table, version in rows:
        one = next(read_entries(connection, table, after=version - 1))
        for number, at, actor, event in events_of(one):
            if isinstance(event, ev.AlarmRaised):
                alarm = RecordedAlarm(table, number, at, event.finding, event.rounds)
                found[table, number] = alarm
            elif isinstance(event, ev.AlarmAcknowledged):
                key = table, event.alarm
                found[key] = replace(
                    found[key],
                    acknowledged_by=names_of(connection, {actor}).get(actor, actor),
                    acknowledged_at=at,
                    reason=str(json.loads(one.command)["reason"]),
                )
    return list(found.values())


# --- Data ---


def stream_data(monitor: TableMonitor, stream: Stream, level: float = LEVEL) -> PlainData:
    """A stream as JSON."""
    return {
        "table": monitor.table,
        "test": str(stream.key.test),
        "about": stream.key.about,
        "level": stream.key.level or None,
        "rounds": stream.rounds,
        "wrong": stream.wrong,
        "difference_cents": stream.difference,
        "evidence": stream.evidence,
        "alarm_at": monitor.threshold(stream, level),
        "alarm": monitor.is_alarming(stream, level),
        "contributors": list(stream.contributors),
    }
