"""Random players in a real house, and the bank test: the ledger must sum to zero.

The house has people, money, tables, and two linked progressives. Awards come early and often.
`python -m tests.support.crowd ADDRESS SEED SECONDS TABLES` runs one process of the house and prints
what it did.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from threading import Event

from sqlalchemy import Connection, insert, select

from ventiuna.cards import parse_cards
from ventiuna.engine.commands import PlaceWagers, Refused, VoidRound
from ventiuna.engine.events import Stakes, WagerSettled
from ventiuna.engine.options import options
from ventiuna.engine.wagers import WagerOption
from ventiuna.rules import load_rules, rules_data
from ventiuna.table import accounts
from ventiuna.table.admin import create_table, house_id
from ventiuna.table.audit.house import AuditReport, AuditScope, audit
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.commands import LinkJackpot, OpenTable, TableCommand
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.domain.handlers import CLOCK, Actor, ActorRole
from ventiuna.table.domain.state import Seat, TableState, TableStatus
from ventiuna.table.fairness import SECRET_BYTES, EntropySource, HouseKey
from ventiuna.table.jackpots import progressive as jackpots
from ventiuna.table.jackpots.progressive import CreateJackpot, MeterCommand, settings_of
from ventiuna.table.jackpots.repository import (
    Sender,
    create_progressive,
    fold_over_maximum,
    handle,
    over_maximum,
)
from ventiuna.table.journal import balances, read_entries, read_heads
from ventiuna.table.ledger import ACCOUNT_RULES, Bound, PostingCode, kind_of
from ventiuna.table.read_model import load_table
from ventiuna.table.store.connection import Store, open_store
from ventiuna.table.store.schema import game_table, jackpot, person
from ventiuna.table.writer import (
    BatchResult,
    Clock,
    CommandRequest,
    HouseContext,
    Refusal,
    SystemClock,
    Writer,
)

# --- The house ---

PEOPLE = 6
WALLET = 100_000_000  # everyone's starting balance in cents
RULES = load_rules(
    "wsgc-2021(decks=8,cut_card=10,jackpots=3d:1:seed=1000:contribution=33.33%+4e:1:seed=500)"
)
GAMES = (1, 2)
KEY = HouseKey(bytes(range(SECRET_BYTES)))
OPERATOR = Actor("person/99", ActorRole.OPERATOR, "99", "the operator")
CLOCKS = Stakes({"wagers": 400, "answer": 300, "decision": 300, "cut": 200})

# Cards on top, by the first byte of a shoe's salt: two suited matches on up to three spots (10%),
# or three aces (100%).
ON_TOP = {1: parse_cards("5h 5h 5h 5h 5h 5h 5h"), 2: parse_cards("As As As As As As As")}
SALT_MARKS = (0, 0, 1, 1, 1, 2)


class MarkedEntropy:
    """Marks each salt with the cards on top, so that every process of the house knows them."""

    def __init__(self, chance: random.Random, marks: Sequence[int] = SALT_MARKS) -> None:
        self._chance = chance
        self._marks = marks

    @property
    def source(self) -> EntropySource:
        return EntropySource.TEST

    def salt(self) -> bytes:
        return bytes([self._chance.choice(self._marks)]) + self._chance.randbytes(SECRET_BYTES - 1)

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        return on_top(salt)


def on_top(salt: bytes) -> tuple[int, ...]:
    return ON_TOP.get(salt[0], ())


@dataclass
class HouseProcess:
    """The parts of one house process."""

    store: Store
    house: HouseContext
    writer: Writer
    clock: Clock


def house_process(
    store: Store, chance: random.Random, marks: Sequence[int] = SALT_MARKS
) -> HouseProcess:
    """A newly started process that knows nothing yet."""
    time = SystemClock()
    with store.write() as connection:
        name = house_id(connection)
    house = HouseContext(name, HouseShoeFactory(KEY, MarkedEntropy(chance, marks)))
    return HouseProcess(store, house, Writer(store, house, time), time)


def set_up_crowd_house(server: HouseProcess, tables: int) -> None:
    """Set up a house; call once per house."""
    with server.store.write() as connection:
        for number in range(1, PEOPLE + 1):
            _add_person(connection, number, server.clock.now())
        for game in GAMES:
            settings = settings_of(RULES, game).data()
            command = CreateJackpot(f"game {game}", settings, "to be won", reserve_rate=150)
            sender = Sender(OPERATOR.name, f"create/{game}", server.clock.now())
            create_progressive(connection, command, sender)
    for number in range(1, tables + 1):
        open_linked(server, f"open/{number}")


def _add_person(connection: Connection, number: int, at: int) -> None:
    row = {"id": number, "name": f"player {number}", "kind": "guest", "role": "player"}
    connection.execute(insert(person).values(**row, failed=0, created_at=at))
    money = accounts.IssueMoney(number, WALLET, "play money")
    accounts.handle_cashier_command(connection, OPERATOR, f"issue/{number}", money, at)


def open_linked(server: HouseProcess, key: str) -> int:
    """Open another table that feeds both progressives; reusing a key opens no second table."""
    command = OpenTable("Table", rules_data(RULES), CLOCKS)
    table = server.writer.run(
        lambda connection: create_table(
            connection, server.house, OPERATOR, key, command, server.clock.now()
        )
    )
    with server.store.read() as connection:
        jackpots = jackpots_of(connection)
    for game, number in zip(GAMES, jackpots, strict=True):
        link = LinkJackpot(game, number, "one meter for all")
        server.writer.step([CommandRequest(table, OPERATOR, f"{key}/link/{game}", link)])
    return table


def jackpots_of(connection: Connection) -> list[int]:
    return list(connection.scalars(select(jackpot.c.id).order_by(jackpot.c.id)))


def tables_of(connection: Connection) -> list[int]:
    """Tables that aren't closed."""
    query = select(game_table.c.id).where(game_table.c.state != "closed")
    return list(connection.scalars(query.order_by(game_table.c.id)))


def audit_house(store: Store) -> AuditReport:
    with store.read() as connection:
        return audit(connection, AuditScope(key=KEY, on_top=on_top))


# --- The people ---

BATCH = 6  # maximum number of commands tried per batch
SEATS = 3  # people per table, so that the cards on top are enough for all of them
CHIPS = 300_000
MIN_CHIPS = 50_000

Idea = tuple[Actor, TableCommand]


def player(number: int) -> Actor:
    return Actor(f"person/{number}", ActorRole.PLAYER, str(number), f"player {number}")


class Crowd:
    """Everyone at the tables through one process."""

    def __init__(self, server: HouseProcess, name: str, chance: random.Random) -> None:
        self.server = server
        self._name = name
        self._chance = chance
        self._keys = count(1)

    def tables(self) -> list[int]:
        with self.server.store.read() as connection:
            return tables_of(connection)

    def batch(self, tables: list[int]) -> list[CommandRequest]:
        """A few ideas for a few tables."""
        if not tables:
            return []
        size = self._chance.randint(1, BATCH)
        chosen = self._chance.choices(tables, k=size)
        requests = [request for table in chosen for request in self._for_table(table)]
        if requests and self._chance.random() < 0.1:
            requests.append(self._chance.choice(requests))  # a duplicate
        return requests

    def _for_table(self, table: int) -> list[CommandRequest]:
        state = self._state(table)
        if state is None or state.status is TableStatus.CLOSED:
            return []
        ask = state.ask.number if state.ask else None
        return [
            CommandRequest(table, actor, self.key(), command, ask)
            for actor, command in self._ideas(state)
        ]

    def key(self) -> str:
        return f"{self._name}/{next(self._keys)}"

    def _state(self, table: int) -> TableState | None:
        """The table as this process knows it, or sometimes as stored."""
        known = self.server.writer.table(table)
        if known is not None and self._chance.random() < 0.9:
            return known
        house = self.server.house
        with self.server.store.read() as connection:
            head = read_heads(connection, [table])[table]
            return load_table(connection, house.name, head, house.shoes, house.rules)

    # --- ideas --------------------------------------------------------------------------------

    def _ideas(self, state: TableState) -> list[Idea]:
        if state.status is TableStatus.FAULT:
            return [(OPERATOR, do.ResumeTable("it works again"))]
        if self._chance.random() < 0.02:
            return [self._operators(state)]
        if len(state.seats) < SEATS and self._chance.random() < 0.5:
            return self._sits_down(state)
        if state.ask is None:
            return []
        if self._chance.random() < 0.08:
            return self._moves(state)
        if state.ask.kind in (AskKind.CUT_COMMIT, AskKind.CUT_OPEN):
            return [(_actor(seat), do.Ready()) for seat in state.present]
        if state.ask.kind is AskKind.WAGERS:
            return self._wagers(state)
        return self._answers(state)

    def _operators(self, state: TableState) -> Idea:
        ideas: list[TableCommand] = [
            VoidRound("the lights went out"),
            do.DropBank("the day's end"),
            do.UnlinkJackpot(self._chance.choice(GAMES), "another meter"),
            do.CloseTable("the day is over"),
        ]
        return OPERATOR, self._chance.choices(ideas, weights=(4, 4, 3, 1))[0]

    def _sits_down(self, state: TableState) -> list[Idea]:
        """Sit down and buy chips in the same batch; the same wallets fund all tables."""
        there = {seat.person for seat in state.seats.values()}
        people = [number for number in range(1, PEOPLE + 1) if str(number) not in there]
        free = [seat for seat in range(1, state.rules.seats + 1) if seat not in state.seats]
        who = player(self._chance.choice(people))
        return [(who, do.TakeSeat(self._chance.choice(free))), (who, do.BuyChips(CHIPS))]

    def _moves(self, state: TableState) -> list[Idea]:
        if not state.seats:
            return []
        who = _actor(self._chance.choice(list(state.seats.values())))
        ideas: list[TableCommand] = [
            do.BuyChips(self._chance.randint(1, CHIPS)),
            do.CashOut(),
            do.CashOut(self._chance.randint(1, CHIPS)),
            do.LeaveSeat(),
            do.ComeBack(),
        ]
        return [(who, self._chance.choice(ideas))]

    def _wagers(self, state: TableState) -> list[Idea]:
        ideas: list[Idea] = []
        for seat in state.players:
            who = _actor(seat)
            if state.stack(seat.number) < MIN_CHIPS:
                ideas.append((who, do.BuyChips(CHIPS)))
            games = {game: 100 for game in state.links if self._chance.random() < 0.9}
            ideas += [
                (who, PlaceWagers(spot, 1000, mtd={"up": 500}, jackpots=games))
                for spot in state.spots_of(seat.number)
            ]
            if self._chance.random() < 0.9:
                ideas.append((who, do.Ready()))
        return ideas

    def _answers(self, state: TableState) -> list[Idea]:
        legal = [
            one
            for one in options(state.open_round)
            if not isinstance(one, WagerOption) and getattr(one, "legal", True)
        ]
        if not legal:
            return []
        option = self._chance.choice(legal)
        seat = state.seats[state.spots[option.spot]]
        return [(_actor(seat), option.command())]  # type: ignore[list-item]  # players are asked

    # --- the house ----------------------------------------------------------------------------

    def time_ups(self, tables: list[int]) -> list[CommandRequest]:
        """Time-up requests for tables this process knows, as a clock keeper would send them."""
        now = self.server.clock.now()
        found = []
        for table in tables:
            state = self.server.writer.table(table)
            if state and state.ask and state.deadline is not None and state.deadline <= now:
                number = state.ask.number
                found.append(
                    CommandRequest(table, CLOCK, f"clock/{table}/{number}", do.TimeUp(number))
                )
        return found

    def operate(self, tables: int) -> None:
        """Run a jackpot command, replace closed tables, and restore lost links."""
        with self.server.store.read() as connection:
            numbers = jackpots_of(connection)
            open_tables = tables_of(connection)
            over = over_maximum(connection)
        if len(open_tables) < tables:
            open_linked(self.server, self.key())
        now = self.server.clock.now()
        for number in over:
            self.server.writer.run(partial(fold_over_maximum, number=number, at=now))
        number = self._chance.choice(numbers)
        sender = Sender(OPERATOR.name, self.key(), now)
        command = self._jackpot_command()
        with suppress(Refused):  # refusals are expected here, too
            self.server.writer.run(lambda conn: handle(conn, number, command, sender))
        self._link_again(open_tables, numbers)

    def _jackpot_command(self) -> MeterCommand:
        ideas: list[MeterCommand] = [
            jackpots.SuspendJackpot("a look at it"),
            jackpots.ResumeJackpot("looks good"),
            jackpots.ResumeJackpot("looks good"),
            jackpots.ResumeJackpot("looks good"),
            jackpots.SetMaximum(self._chance.choice([None, 120_000, 300_000]), "a new one"),
            jackpots.CorrectUp(self._chance.randint(1, 500), "the display was wrong"),
            jackpots.CorrectDown(self._chance.randint(1, 500), "the display was wrong"),
            jackpots.TakeReceipts(self._chance.randint(1, 50), "not displayed"),
            jackpots.RecoverSeed(self._chance.randint(1, 500), "enough was played"),
        ]
        return self._chance.choice(ideas)

    def _link_again(self, tables: list[int], numbers: list[int]) -> None:
        for table in tables:
            state = self.server.writer.table(table)
            for game, number in zip(GAMES, numbers, strict=True):
                if state is not None and game not in state.links:
                    link = do.LinkJackpot(game, number, "the old meter")
                    self.server.writer.step([CommandRequest(table, OPERATOR, self.key(), link)])


def _actor(seat: Seat) -> Actor:
    return player(int(seat.person))


# --- The bank test ---

CHECK_LEDGER_EVERY = 0.02  # seconds between ledger checks
OPERATE_EVERY = 15  # batches


@dataclass
class CrowdTally:
    """Totals for one process, or for all of them."""

    commands: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    retries: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    awards: int = 0
    awarded: int = 0  # cents
    slowest: float = 0.0  # seconds for one batch

    def add(self, other: CrowdTally) -> None:
        self.commands += other.commands
        self.outcomes += other.outcomes
        self.retries += other.retries
        self.faults += other.faults
        self.awards += other.awards
        self.awarded += other.awarded
        self.slowest = max(self.slowest, other.slowest)

    def count(self, step: BatchResult, seconds: float) -> None:
        self.commands += len(step.outcomes)
        self.slowest = max(self.slowest, seconds)
        for outcome in step.outcomes:
            self.outcomes[str(outcome.code) if isinstance(outcome, Refusal) else "done"] += 1
        self.faults += [f"{fault.request}: {fault.error!r}" for fault in step.faults]
        for update in step.updates:
            for event in update.events:
                if isinstance(event, WagerSettled) and event.meter:
                    self.awards += 1
                    self.awarded += event.paid


def tally_of(data: Mapping[str, object]) -> CrowdTally:
    tally = CrowdTally(**data)  # type: ignore[arg-type]  # as `main` wrote it
    tally.outcomes, tally.retries = Counter(tally.outcomes), Counter(tally.retries)
    return tally


def play_process(store: Store, seed: int, seconds: float, tables: int) -> CrowdTally:
    """Run one process of the house for the given time."""
    chance = random.Random(seed)
    server = house_process(store, chance)
    crowd = Crowd(server, f"bot{seed}", chance)
    tally = CrowdTally()
    end = time.monotonic() + seconds
    batches = 0
    while time.monotonic() < end:
        if batches % OPERATE_EVERY == OPERATE_EVERY - 1:
            crowd.operate(tables)
        numbers = crowd.tables()
        requests = crowd.batch(numbers) + crowd.time_ups(numbers)
        began = time.perf_counter()
        step = server.writer.step(requests)
        tally.count(step, time.perf_counter() - began)
        batches += 1
    tally.retries = server.writer.retries
    return tally


# --- watching ---------------------------------------------------------------------------------


@dataclass
class LedgerChecks:
    """A reader's observations during the test."""

    number: int = 0
    wrong: list[str] = field(default_factory=list)

    def look(self, store: Store) -> None:
        with store.read() as connection:
            self.judge(balances(connection))

    def judge(self, held: Mapping[str, int]) -> None:
        self.number += 1
        if total := sum(held.values()):
            self.wrong.append(f"all balances are {total}")
        self.wrong += [
            f"{code} holds {cents}" for code, cents in held.items() if not _is_within(code, cents)
        ]


def _is_within(code: str, cents: int) -> bool:
    bound = ACCOUNT_RULES[kind_of(code)].bound
    if bound is Bound.NOT_BELOW_ZERO:
        return cents >= 0
    return bound is Bound.NONE or cents <= 0


def watch_ledger(store: Store, done: Event) -> LedgerChecks:
    looks = LedgerChecks()
    while not done.wait(CHECK_LEDGER_EVERY):
        looks.look(store)
    looks.look(store)
    return looks


# --- the whole test ---------------------------------------------------------------------------


@dataclass
class BankTestResult:
    tally: CrowdTally
    looks: LedgerChecks
    differences: list[str]
    entries: int
    paid: int  # awards in the jackpots' books, in cents

    @property
    def wrong(self) -> list[str]:
        """Everything that went wrong."""
        found = [*self.looks.wrong, *self.tally.faults, *self.differences]
        if self.paid != self.tally.awarded:
            found.append(f"{self.tally.awarded} cents of awards announced, {self.paid} paid")
        return found

    @property
    def deadlocks(self) -> int:
        return self.tally.retries["DeadlockDetected"]


def bank_test(
    address: str, seconds: float, tables: int, players: int, *, in_processes: bool
) -> BankTestResult:
    """Play in `players` processes or threads while watching the ledger."""
    store = open_store(address)
    try:
        set_up_crowd_house(house_process(store, random.Random(0)), tables)
        done = Event()
        with ThreadPoolExecutor(players + 1) as threads:
            looks = threads.submit(watch_ledger, store, done)
            try:
                if in_processes:
                    tallies = _play_in_processes(address, seconds, tables, players)
                else:
                    tallies = _results(
                        threads.submit(play_process, store, seed, seconds, tables)
                        for seed in range(1, players + 1)
                    )
            finally:
                done.set()
        total = CrowdTally()
        for tally in tallies:
            total.add(tally)
        report = audit_house(store)
        differences = [str(difference) for difference in report.differences]
        return BankTestResult(
            total, looks.result(), differences, report.counts.entries, awards_paid(store)
        )
    finally:
        store.close()


def _results(futures: Iterable[Future[CrowdTally]]) -> list[CrowdTally]:
    return [future.result() for future in list(futures)]


def _play_in_processes(address: str, seconds: float, tables: int, players: int) -> list[CrowdTally]:
    program = [sys.executable, "-m", "tests.support.crowd", address]
    running = [
        subprocess.Popen(
            [*program, str(seed), str(seconds), str(tables)], stdout=subprocess.PIPE, text=True
        )
        for seed in range(1, players + 1)
    ]
    tallies = []
    for process in running:
        with process:
            assert process.stdout is not None
            printed = process.stdout.read()
        assert process.returncode == 0, f"a house process exited with {process.returncode}"
        tallies.append(tally_of(json.loads(printed)))
    return tallies


def awards_paid(store: Store) -> int:
    """Total awards in cents, according to the jackpots' books."""
    with store.read() as connection:
        return sum(
            line.amount
            for number in jackpots_of(connection)
            for entry in read_entries(connection, number)
            for line in entry.postings
            if line.code is PostingCode.AWARD
        )


def main(arguments: Sequence[str]) -> None:
    address, seed, seconds, tables = arguments
    store = open_store(address)
    try:
        print(json.dumps(vars(play_process(store, int(seed), float(seconds), int(tables)))))
    finally:
        store.close()


if __name__ == "__main__":
    main(sys.argv[1:])
