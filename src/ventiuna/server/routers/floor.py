"""The live floor: every open table with its players and today's result, jackpots and alerts.

Several people may watch at once, so all requests within a second get the same answer. Results take
longer to read, so they are refreshed less often, and only new rounds are read.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Annotated, Literal

from pydantic import BaseModel, Field
from sqlalchemy import Connection, or_, select

from ventiuna.engine.events import Wager
from ventiuna.engine.messages import capitalize_first, wager_title
from ventiuna.engine.prompts import THIRD_CARD
from ventiuna.errors import VentiunaError
from ventiuna.money import money_text
from ventiuna.rules import Rules, canonical
from ventiuna.rules.text.phrases import headline
from ventiuna.server.analysis_pool import AnalysisPool
from ventiuna.server.background import LOW_DISK, MAX_HEARTBEAT_AGE, MAX_SEAL_AGE, PeriodicTasks
from ventiuna.server.deps import from_state, permitted_router
from ventiuna.server.live_tables import Tables
from ventiuna.server.routers.records import TheoryQuery, answer_theory, expectations
from ventiuna.table.admin import own_tables
from ventiuna.table.daily_report import (
    Expectation,
    GamblingDay,
    TableFigures,
    TableLine,
    TableSums,
    day_of,
    line_data,
    table_lines,
)
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.state import TableState, TableStatus
from ventiuna.table.floor import held_awards
from ventiuna.table.jackpots.progressive import JackpotStatus
from ventiuna.table.journal import read_heads
from ventiuna.table.listings import DisplayedJackpot, list_jackpots
from ventiuna.table.read_model import load_table
from ventiuna.table.store.schema import book, entry, game_table
from ventiuna.texts import pluralize

router = permitted_router("operators")

Level = Literal["problem", "warning"]


class FloorPlayer(BaseModel):
    seat: int
    name: str
    status: Literal["here", "away", "leaving"]
    spots: list[int]
    stack: int = Field(description="Chips that aren't bet, in cents.")


class FloorAward(BaseModel):
    """A percentage award that must be paid by hand (R-122)."""

    table: int
    table_name: str
    award: int
    player: str
    amount: int = Field(description="Cents.")


class FloorAlarm(BaseModel):
    """An alarm of the monitor that nobody has acknowledged."""

    number: int
    finding: str
    rounds: list[int] = Field(description="The rounds that contributed most.")


class FloorTable(BaseModel):
    id: int
    name: str
    headline: str = Field(examples=["Spanish 21 · 6 decks · $5 to $300 · double-double"])
    rules: str = Field(description="The preset and its changes.")
    status: Literal["open", "closing", "closed", "fault"]
    private: bool = Field(description="Whether it is a person's private table.")
    round: int = Field(description="Number of the latest round.")
    stage: str = Field(examples=["spot 3 decides"])
    waiting_for: list[str] = Field(description="Names of the players who may act now.")
    since: int = Field(description="Time of the last action, in milliseconds since 1970.")
    until: int | None = Field(description="When the clock runs out; null if none is running.")
    call: Literal["acknowledge", "authorize"] | None = Field(
        description="The command that answers the dealer's call; null if there is none."
    )
    alarms: list[FloorAlarm]
    players: list[FloorPlayer]
    today: TableFigures | None = Field(
        description="The day's result; null if there was no activity."
    )


class FloorJackpot(BaseModel):
    id: int
    name: str
    status: Literal["open", "suspended", "removed"]
    shown: int
    reserve: int


class FloorAlert(BaseModel):
    level: Level
    about: Literal["table", "jackpot", "house"]
    number: int | None = Field(description="Number of the table or jackpot.")
    text: str


class FloorData(BaseModel):
    at: int = Field(description="Time of this answer, in milliseconds since 1970.")
    day: str = Field(description="The gambling day of the results.")
    drop_cents: int
    win_cents: int
    alerts: list[FloorAlert] = Field(description="Problems first.")
    awards: list[FloorAward] = Field(
        description="Awards to pay by hand, including at closed tables."
    )
    tables: list[FloorTable]
    jackpots: list[FloorJackpot]


# --- Stages ---

_STAGES = {
    AskKind.CUT_COMMIT: "players cut the next shoe",
    AskKind.CUT_OPEN: "players cut the next shoe",
    AskKind.WAGERS: "players place wagers",
    AskKind.BLACKJACK: "blackjacks: be paid or keep",
    AskKind.INSURANCE: "insurance",
}


def stage_of(state: TableState) -> str:
    """What the table is doing, in plain words."""
    if state.status is TableStatus.FAULT:
        return "stopped by an error"
    if state.status is TableStatus.CLOSED:
        return "closed"
    if state.call is not None:
        return "dealer called the floor"
    if state.ask is not None:
        spots = ", ".join(map(str, state.ask.spots))
        return _STAGES.get(state.ask.kind, f"spot {spots} decides")
    if state.round is None:
        return "waiting for players" if not state.players else "between rounds"
    return str(state.round.stage).replace("_", " ")


def waited_for(state: TableState) -> list[str]:
    """The names of the players who may act now."""
    if state.ask is None or state.status is TableStatus.FAULT or state.call is not None:
        return []
    asked = {state.spots.get(spot) for spot in state.ask.spots}
    return [
        seat.name
        for seat in (state.players if not asked else state.present)
        if (seat.number in asked if asked else seat.number not in state.ready)
    ]


# --- Alerts ---

CLOCK_GRACE = 5_000  # milliseconds that a prompt may stay open after its clock


@dataclass(frozen=True, slots=True)
class HouseHealth:
    """Findings of this process's periodic tasks; see `PeriodicTasks`."""

    writes: bool = True
    sealed_at: int | None = None
    beat_at: int | None = None
    imbalance: int = 0
    disk_free: float = LOW_DISK

    @classmethod
    def of(cls, live: Tables, tasks: PeriodicTasks) -> HouseHealth:
        return cls(
            live.is_writing, tasks.sealed_at, tasks.beat_at, tasks.imbalance or 0, tasks.disk_free
        )


def house_alerts(health: HouseHealth, now: int) -> Iterator[FloorAlert]:
    def alert(level: Level, text: str) -> FloorAlert:
        return FloorAlert(level=level, about="house", number=None, text=text)

    if not health.writes:
        yield alert("problem", "No table can act: the writer has stopped. Restart the server.")
    elif health.beat_at is not None and now - health.beat_at > MAX_HEARTBEAT_AGE:
        yield alert("problem", "The database hasn't accepted anything for over 10 seconds.")
    if health.imbalance:
        money = _dollars(health.imbalance)
        yield alert("problem", f"The ledger is out of balance by {money}.")
    if health.sealed_at is not None and now - health.sealed_at > MAX_SEAL_AGE:
        minutes = (now - health.sealed_at) // 60_000
        yield alert("warning", f"The books were last sealed {minutes} minutes ago.")
    if health.disk_free < LOW_DISK:
        megabytes = int(health.disk_free) >> 20
        yield alert("warning", f"The disk has only {megabytes} MB left. Free some space.")


_SETTLED = re.compile(
    rf"(payments|meter): ({'|'.join(Wager)})(?:, (.+))?: ([\d,]+ of [\d,]+ rounds?) wrong,"
    r" (?:(\$[\d,.]+) too (much|little) in all|not as the rules say)\."
)


def alarm_text(finding: str, table: str = "") -> str:
    """A finding of the monitor as a sentence.

    >>> alarm_text("payments: hand, under $10: 1 of 2 rounds wrong, $5.00 too much in all.", "Den")
    'Den paid $5 too much on base wagers under $10, in 1 of 2 rounds.'
    """
    found = _SETTLED.fullmatch(finding)
    if found is None:
        return f"{table}: {finding}" if table else finding
    test, wager, level, rounds, money, way = found.groups()
    base = [f"base wagers {level}"] if level else []
    side = [] if wager == Wager.HAND else [wager_title(Wager(wager))]
    wagers = " with ".join(side + base)
    on = f" on {wagers}" if wagers else ""
    money = (money or "").removesuffix(".00")
    if not money:
        sentence = f"settled {wagers or 'wagers'} against the rules, in {rounds}."
    elif test == "payments":
        sentence = f"paid {money} too {way}{on}, in {rounds}."
    else:
        sentence = f"added {money} too {way} to the meter of {wagers}, in {rounds}."
    return f"{table} {sentence}" if table else capitalize_first(sentence)


def _dollars(cents: int) -> str:
    return money_text(cents).removesuffix(".00").replace("-", "\N{MINUS SIGN}")


def table_alerts(state: TableState, today: TableFigures | None, now: int) -> Iterator[FloorAlert]:
    def alert(level: Level, text: str) -> FloorAlert:
        return FloorAlert(level=level, about="table", number=state.number, text=text)

    if state.status is TableStatus.FAULT:
        yield alert("problem", f"{state.name} stopped because of an internal error.")
    elif state.deadline is not None and now - state.deadline > CLOCK_GRACE:
        seconds = (now - state.deadline) // 1000
        yield alert("warning", f"{state.name}: the clock ran out {seconds} seconds ago.")
    if state.call is not None and state.ask is not None:
        task = (
            "someone must watch the third card"
            if state.call.task == THIRD_CARD
            else "someone must authorize the payments"
        )
        also = " An operator may do this, too." if state.ask.kind is AskKind.SUPERVISOR_LATE else ""
        yield alert("problem", f"{state.name} has stopped: {task}.{also}")
    if state.status is not TableStatus.FAULT and state.lost:
        yield alert("problem", f"{state.name}: the house key doesn't open its shoes.")
    for alarm in state.alarms.values():
        yield alert("problem", alarm_text(alarm.finding, state.name))
    if today is not None and today["outlier"]:
        win, low, high = (
            _dollars(today[name] or 0) for name in ("win_cents", "low_cents", "high_cents")
        )
        yield alert(
            "warning",
            f"{state.name} won {win} today, outside the expected range of {low} to {high}.",
        )


def jackpot_alerts(found: DisplayedJackpot) -> Iterator[FloorAlert]:
    jackpot = found.jackpot

    def alert(level: Level, text: str) -> FloorAlert:
        return FloorAlert(level=level, about="jackpot", number=jackpot.number, text=text)

    if jackpot.missing:
        missing = _dollars(jackpot.missing)
        yield alert("problem", f"{jackpot.name}: {missing} of the seed is missing.")
    elif jackpot.is_underfunded:
        advanced = _dollars(jackpot.advanced)
        yield alert(
            "problem", f"{jackpot.name}: the house has advanced {advanced}, more than the limit."
        )
    elif found.shown < jackpot.settings.seed:
        seed = _dollars(jackpot.settings.seed)
        yield alert("warning", f"{jackpot.name} shows less than its seed of {seed}.")
    if jackpot.status is JackpotStatus.SUSPENDED:
        tables = pluralize(len(jackpot.tables), "table")
        yield alert("warning", f"{jackpot.name} is suspended at {tables}.")


# --- The floor ---

FRESH = 1.0  # seconds that an answer is shared
RESULTS_EVERY = 5.0  # seconds
RESULTS_SHARE = 10  # reading results may take a tenth of the time


class Floor:
    """The floor page's data, shared by everyone who watches it."""

    def __init__(self, live: Tables, health: Callable[[], HouseHealth], pool: AnalysisPool) -> None:
        self._live, self._health, self._pool = live, health, pool
        self._lock = asyncio.Lock()
        self._answer: FloorData | None = None
        self._answered = 0.0
        self._states: dict[int, TableState] = {}
        # Results, and the data needed to refresh them
        self._day: GamblingDay | None = None
        self._sums: dict[int, TableSums] = {}
        self._lines: dict[int, TableLine] = {}
        self._next_results = 0.0
        self.theory: dict[TheoryQuery, Expectation] = {}
        self._missing: set[TheoryQuery] = set()
        self._asked: set[TheoryQuery] = set()  # including those that have no answer

    async def data(self) -> FloorData:
        async with self._lock:
            if self._answer is None or monotonic() - self._answered > FRESH:
                self._answer = await self._live.read(self.read)
                self._answered = monotonic()
                if self._missing:
                    self._live.spawn(self._find_theory(frozenset(self._missing)))
                    self._asked |= self._missing
                    self._missing.clear()
            return self._answer

    def refresh_results(self) -> None:
        """Read the results again with the next answer."""
        self._next_results = 0.0

    async def _find_theory(self, wanted: frozenset[TheoryQuery]) -> None:
        """Compute expectations in other processes while the floor shows results without them."""
        try:
            found = await expectations(
                wanted, lambda one: self._pool.ask(answer_theory, one, patient=True)
            )
        except VentiunaError:  # too busy
            self._asked -= wanted
            return
        self.theory |= found
        self.refresh_results()

    def read(self, connection: Connection) -> FloorData:
        now = self._live.clock.now()
        day = day_of(now)
        rows = connection.execute(_SHOWN_TABLES).all()
        self._read_results(connection, [row.id for row in rows], day)
        private = {line.table for line in own_tables(connection)}
        self._states = self._load(connection, [row.id for row in rows])
        since = {row.id: row.at for row in rows}
        tables = [
            self._table(state, since[number], number in private)
            for number, state in self._states.items()
        ]
        jackpots = [
            found
            for found in list_jackpots(connection)
            if found.jackpot.status is not JackpotStatus.REMOVED
        ]
        alerts = [*house_alerts(self._health(), now)]
        for table in tables:
            alerts += table_alerts(self._states[table.id], table.today, now)
        for found in jackpots:
            alerts += jackpot_alerts(found)
        return FloorData(
            at=now,
            day=day.name,
            drop_cents=sum(line.drop for line in self._lines.values()),
            win_cents=sum(line.win for line in self._lines.values()),
            alerts=sorted(alerts, key=lambda alert: alert.level != "problem"),
            awards=[
                FloorAward(
                    table=line.table,
                    table_name=line.table_name,
                    award=line.award,
                    player=line.player,
                    amount=line.amount,
                )
                for line in held_awards(connection)
            ],
            tables=tables,
            jackpots=[_jackpot(found) for found in jackpots],
        )

    def _load(self, connection: Connection, numbers: list[int]) -> dict[int, TableState]:
        """The committed states; only tables that changed are read."""
        found: dict[int, TableState] = {}
        for number, head in read_heads(connection, numbers).items():
            known = (self._live.writer.table(number), self._states.get(number))
            state = next((one for one in known if one is not None and one.head == head), None)
            if state is None:
                house = self._live.house
                state = load_table(connection, house.name, head, house.shoes, house.rules)
            if state is not None:
                found[number] = state
        return found

    def _read_results(self, connection: Connection, numbers: list[int], day: GamblingDay) -> None:
        """Read the day's results again, unless that was done a moment ago."""
        began = monotonic()
        if day != self._day:
            self._day, self._sums, self._next_results = day, {}, 0.0
        if began < self._next_results:
            return
        lines = table_lines(connection, day, self._expected, self._sums, numbers)
        self._lines = {line.table: line for line in lines}
        took = monotonic() - began
        self._next_results = monotonic() + max(RESULTS_EVERY, took * RESULTS_SHARE)

    def _expected(self, rules: Rules, wager: Wager) -> Expectation | None:
        query = (rules, wager)
        if query not in self._asked:
            self._missing.add(query)
        return self.theory.get(query)

    def _table(self, state: TableState, since: int, is_private: bool) -> FloorTable:
        line = self._lines.get(state.number)
        return FloorTable(
            id=state.number,
            name=state.name,
            headline=headline(state.rules),
            rules=canonical(state.rules),
            status=state.status.value,
            private=is_private,
            round=state.rounds,
            stage=stage_of(state),
            waiting_for=waited_for(state),
            since=since,
            until=state.deadline,
            call=_call(state),
            alarms=[
                FloorAlarm(
                    number=number, finding=alarm_text(alarm.finding), rounds=list(alarm.rounds)
                )
                for number, alarm in state.alarms.items()
            ],
            players=[
                FloorPlayer(
                    seat=number,
                    name=seat.name,
                    status=seat.status.value,
                    spots=sorted(state.spots_of(number)),
                    stack=state.stack(number),
                )
                for number, seat in sorted(state.seats.items())
            ],
            today=line_data(TableFigures, line) if line else None,
        )


def _call(state: TableState) -> Literal["acknowledge", "authorize"] | None:
    if state.call is None:
        return None
    return "acknowledge" if state.call.task == THIRD_CARD else "authorize"


_SHOWN_TABLES = (
    select(game_table.c.id, entry.c.at)
    .join(book, book.c.id == game_table.c.id)
    .join(entry, (entry.c.book_id == book.c.id) & (entry.c.version == book.c.version))
    .where(or_(game_table.c.state != "closed", game_table.c.alarms.is_not(None)))
    .order_by(game_table.c.id)
)


def _jackpot(found: DisplayedJackpot) -> FloorJackpot:
    return FloorJackpot(
        id=found.jackpot.number,
        name=found.jackpot.name,
        status=found.jackpot.status.value,
        shown=found.shown,
        reserve=found.reserve,
    )


@router.get("/floor")
async def floor(view: Annotated[Floor, from_state("floor", Floor)]) -> FloorData:
    """Every open table as it is now, with players, stage and today's result; jackpots; alerts."""
    return await view.data()
