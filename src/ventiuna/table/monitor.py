"""The monitor: is a table paying what it should, in operation? (docs/explanation/monitor.md)

Every closed round is taken apart. Given its cards and decisions, its payments and its contributions
to meters are settled again, and must agree to the cent. The cards themselves are bet on as they
come from the shoe: a fair shoe multiplies nobody's stake. A *stream* is one such test: the payments
of one kind of wager at one bet level, the cards that players with one bet level or the dealer get,
or one meter. Its *evidence* is how many times it multiplied its stake. By Ville's inequality, the
evidence of a correct table ever reaches 1 / level with at most that probability, so a table can be
checked after every round, forever.

The level is divided among all streams: by the table, and by the order in which a table's streams
began. After an alarm is acknowledged, its stream begins again with the next share.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from sqlalchemy import Connection, Row, func, select

from ventiuna.engine.events import JACKPOT_WAGERS, CardDealt, Place, Wager
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
from ventiuna.table.daily_report import last_wagers
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.fairness import EntropySource
from ventiuna.table.ledger import PlainData
from ventiuna.table.read_model import table_events
from ventiuna.table.right_payments import (
    NotByTheRules,
    Outcome,
    right_outcome,
    was_dealt,
    was_voided,
)
from ventiuna.table.store.schema import game_table, round_, shoe
from ventiuna.texts import pluralize

LEVEL = 0.01  # probability that a correct house ever raises an alarm
BANDS = (1_000, 2_500, 10_000, 50_000)  # cents: where bet levels begin, besides 0
MAX_ROUNDS = 5  # rounds listed as evidence


class Test(StrEnum):
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

    test: Test
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
    raised: bool = False  # whether the books have its alarm

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
            self._list(abs(difference), number)

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
        if self.key.test is Test.CARDS:
            return (
                f"{self.key}: these cards are {self.evidence:.2g} times likelier from a biased "
                "shoe than from a fair one."
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
    shoe: int = 0
    left: Ints | None = None  # cards left in the shoe; None if they can't be known
    opened: int = 0  # streams of cards begun so far
    streams: dict[StreamKey, Stream] = field(default_factory=dict)

    def stream(self, key: StreamKey) -> Stream:
        found = self.streams.get(key)
        return found if found is not None else self.restart(key)

    def restart(self, key: StreamKey) -> Stream:
        """Begin a stream, again if its alarm was acknowledged."""
        is_luck = key.test is Test.CARDS
        self.opened += is_luck
        self.streams[key] = Stream(key, self.opened if is_luck else 0)
        return self.streams[key]

    def threshold(self, stream: Stream, level: float = LEVEL) -> float:
        """The evidence at which the stream raises an alarm."""
        return self.place * (self.place + 1) / (stream.share * level)

    def is_alarming(self, stream: Stream, level: float = LEVEL) -> bool:
        return stream.evidence >= self.threshold(stream, level)

    def alarms(self, level: float = LEVEL) -> list[Stream]:
        return [stream for stream in self.streams.values() if self.is_alarming(stream, level)]

    @property
    def nearest(self) -> float:
        """How near the strongest stream is to its alarm: 1 is an alarm."""
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
            key = StreamKey(Test.PAYMENTS, str(wager), bands.get(spot, 0))
            difference = actual.payments[spot, wager] - due[spot, wager]
            total, is_wrong = found.get(key, (0, False))
            found[key] = total + difference, is_wrong or bool(difference) or right is None
        raised = right.raised if right else actual.raised
        for game in sorted({line[0] for line in (*actual.raised, *raised)}):
            ours = [line for line in actual.raised if line[0] == game]
            theirs = [line for line in raised if line[0] == game]
            key = StreamKey(Test.METER, str(JACKPOT_WAGERS[game]))
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
            StreamKey(Test.CARDS, PLAYERS, bands.get(event.spot, 0))
            if event.place is Place.PLAYER
            else StreamKey(Test.CARDS, DEALER)
            for event in dealt
        ]
        for key in sorted(set(owners), key=str):
            chosen = [owner == key for owner in owners]
            self.stream(key).bet(closed.number, cards, chosen, self.left)
        self.left = (
            None if is_reshuffled else self.left - category_counts(np.array(cards, dtype=np.uint8))
        )

    # --- Storage ---

    def text(self) -> str:
        """Everything but the rules, as JSON."""
        return json.dumps(
            {
                "number": self.number,
                "shoe": self.shoe,
                "left": None if self.left is None else self.left.tolist(),
                "opened": self.opened,
                "streams": [asdict(stream) for stream in self.streams.values()],
            }
        )

    def restore(self, text: str) -> None:
        data = json.loads(text)
        self.number, self.shoe, self.opened = data["number"], data["shoe"], data["opened"]
        self.left = None if data["left"] is None else np.array(data["left"], dtype=np.int64)
        for item in data["streams"]:
            test, about, band = item["key"]
            key = StreamKey(Test(test), about, band)
            listed = [(float(weight), int(number)) for weight, number in item["listed"]]
            self.streams[key] = Stream(**item | {"key": key, "listed": listed})


# --- Reading a house ---


def new_monitors(
    connection: Connection, only: Collection[int] = (), rules: Rules | None = None
) -> list[TableMonitor]:
    """A monitor for each table of the house, or only for these; `rules` replace the tables' own."""
    rows = connection.execute(
        select(game_table.c.id, game_table.c.rules_data).order_by(game_table.c.id)
    ).all()
    return [
        TableMonitor(row.id, place, rules or rules_from_data(json.loads(row.rules_data)))
        for place, row in enumerate(rows, start=1)
        if not only or row.id in only
    ]


def follow(
    connection: Connection, monitor: TableMonitor, last: int | None = None, any_shoe: bool = False
) -> Iterator[int]:
    """Add the table's rounds after the last one read, and yield their numbers.

    Cards of shoes that a test may have stacked are left out, unless `any_shoe` is set.
    """
    random = EntropySource.OS
    sources = select(shoe.c.number, shoe.c.source).where(shoe.c.table_id == monitor.table)
    stacked = {row.number for row in connection.execute(sources) if row.source != random}
    for closed in closed_rounds(connection, monitor.table, monitor.number, last):
        monitor.add(closed, any_shoe or closed.opening.shoe not in stacked)
        yield closed.number


def closed_rounds(
    connection: Connection, table: int, after: int, last: int | None = None
) -> Iterator[Round]:
    """A table's closed and voided rounds after this one, in order."""
    rows = _bounds(connection, table, after, last)
    if not rows:
        return
    numbers = {row.number for row in rows}
    opening: ev.RoundOpened | None = None
    events: list[TableEvent] = []
    for _, _, _, event in table_events(connection, table, rows[0].first_version):
        if isinstance(event, ev.RoundOpened):
            opening, events = event, []
        events.append(event)
        if isinstance(event, ev.RoundClosed) and opening is not None and event.number in numbers:
            yield Round(event.number, opening, events)
            if event.number == rows[-1].number:
                return


def _bounds(connection: Connection, table: int, after: int, last: int | None) -> Sequence[Row[Any, Any]]:
    query = select(round_.c.number, round_.c.first_version).where(
        round_.c.table_id == table, round_.c.number > after, round_.c.outcome != "open"
    )
    if last is not None:
        query = query.where(round_.c.number <= last)
    return connection.execute(query.order_by(round_.c.number)).all()


def window(connection: Connection, table: int, first_at: int, last_at: int) -> tuple[int, int]:
    """The numbers of the last round before a time span and of its last round.

    The span begins with a shoe, because the cards left in it must be known.
    """
    from ventiuna.table.store.schema import entry

    ended = (
        select(round_.c.number, round_.c.shoe)
        .join(
            entry,
            (entry.c.book_id == round_.c.table_id) & (entry.c.version == round_.c.last_version),
        )
        .where(round_.c.table_id == table, entry.c.at >= first_at, entry.c.at < last_at)
        .order_by(round_.c.number)
    )
    rows = connection.execute(ended).all()
    if not rows:
        return 0, 0
    first = connection.scalar(
        select(func.min(round_.c.number)).where(
            round_.c.table_id == table, round_.c.shoe == rows[0].shoe
        )
    )
    return int(first or 1) - 1, rows[-1].number


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


def wager_of(key: StreamKey) -> Wager | None:
    """The wager that a stream of payments is about."""
    return Wager(key.about) if key.test is Test.PAYMENTS else None
