"""A house for tests: people with money, tables with given rules and cards, a manual clock.

with MemoryStore() as store:
    room = Room(store)
    table = room.open("wsgc-spanish-21")
    table.sit(1)
    table.deal()
    table.do(1, Hit(1))
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from sqlalchemy import Connection

from tests.support.entropy import TestEntropy
from ventiuna.cards import parse_cards
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.events import Stakes
from ventiuna.rules import Rules, load_rules, rules_data
from ventiuna.table.accounts import IssueMoney
from ventiuna.table.accounts import handle_cashier_command as ask_cashier
from ventiuna.table.admin import create_table, house_id
from ventiuna.table.domain.commands import (
    BuyChips,
    CommitCut,
    OpenCut,
    OpenTable,
    Ready,
    Requirement,
    TableCommand,
    TakeSeat,
    TimeUp,
)
from ventiuna.table.domain.events import AskKind, TableEvent
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.domain.handlers import CLOCK, Actor, ActorRole
from ventiuna.table.domain.state import TableState
from ventiuna.table.fairness import HouseKey, cut_commitment
from ventiuna.table.journal import balances, read_heads
from ventiuna.table.read_model import load_table
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import person
from ventiuna.table.writer import (
    BatchResult,
    CommandOutcome,
    CommandRequest,
    Done,
    HouseContext,
    Refusal,
    TableUpdate,
    Writer,
)

START = 1_790_000_000_000
WALLET = 1_000_000  # everyone's starting balance in cents
CHIPS = 100_000  # chips that everyone buys, in cents
FLOOR = Actor("person/98", ActorRole.FLOOR, "98", "the floor person")
OPERATOR = Actor("person/99", ActorRole.OPERATOR, "99", "the operator")
_keys = count(1)


class StandingClock:
    """A clock that advances only when a test says so."""

    def __init__(self) -> None:
        self.at = START
        self.pauses: list[int] = []

    def now(self) -> int:
        return self.at

    def pause(self, milliseconds: int) -> None:
        self.pauses.append(milliseconds)


class Room:
    """One process of a house with any number of people."""

    def __init__(
        self, store: Store, shoes: Iterable[Sequence[int]] = (), people: int = 4, seed: int = 1
    ) -> None:
        self.store = store
        self.clock = StandingClock()
        self.entropy = TestEntropy(seed, shoes)
        with store.write() as connection:
            self.name = house_id(connection)
            for number in range(1, people + 1):
                self._add(connection, number)
        self.restart()

    def restart(self) -> None:
        """Replace the process with a new one that knows only the database."""
        self.writer = self.another_writer()

    def another_writer(self) -> Writer:
        """The writer of another process of this house."""
        return Writer(self.store, HouseContext(self.name, self.shoes), self.clock)

    @property
    def shoes(self) -> HouseShoeFactory:
        return HouseShoeFactory(HouseKey(bytes(32)), self.entropy)

    def _add(self, connection: Connection, number: int) -> None:
        named = {"id": number, "name": f"player {number}"}
        rest = {"kind": "guest", "role": "player", "failed": 0, "created_at": START}
        connection.execute(person.insert().values(**named, **rest))
        money = IssueMoney(number, WALLET, "a test")
        ask_cashier(connection, OPERATOR, f"issue/{number}", money, START)

    def open(
        self,
        rules: Rules | str = "wsgc-spanish-21",
        clocks: Mapping[str, int] | None = None,
        name: str = "Table",
        inspection: Requirement = Requirement.OFF,
        supervisor: Requirement = Requirement.OFF,
        hand_pay: Requirement = Requirement.OFF,
    ) -> LiveTable:
        played = load_rules(rules) if isinstance(rules, str) else rules
        times = Stakes(clocks or {})
        command = OpenTable(name, rules_data(played), times, "", inspection, supervisor, hand_pay)
        house = HouseContext(self.name, self.shoes)
        key = f"open/{next(_keys)}"
        with self.store.write() as connection:
            number = create_table(connection, house, OPERATOR, key, command, self.clock.now())
        return LiveTable(self, number)

    def balances(self) -> Counter[str]:
        """Balances of all nonempty accounts."""
        with self.store.read() as connection:
            held = balances(connection)
        return Counter({code: cents for code, cents in held.items() if cents})


def player(number: int) -> Actor:
    return Actor(f"person/{number}", ActorRole.PLAYER, str(number), f"player {number}")


def actor(who: int | Actor) -> Actor:
    return player(who) if isinstance(who, int) else who


class LiveTable:
    """One table of the room; people are identified by number."""

    def __init__(self, room: Room, number: int) -> None:
        self.room = room
        self.number = number
        self.updates: list[TableUpdate] = []  # updates from all commands sent here

    # --- state ---

    @property
    def state(self) -> TableState:
        """The process's state, loaded from the database if there is none."""
        return self.room.writer.table(self.number) or self.loaded()

    def loaded(self) -> TableState:
        """The state as another process would load it."""
        room = self.room
        with room.store.read() as connection:
            head = read_heads(connection, [self.number])[self.number]
            state = load_table(connection, room.name, head, room.shoes, {})
        assert state is not None
        return state

    @property
    def ask(self) -> int | None:
        return self.state.ask.number if self.state.ask else None

    def asks_for(self) -> AskKind | None:
        return self.state.ask.kind if self.state.ask else None

    def stack(self, seat: int) -> int:
        return self.room.balances()[f"stack/{self.number}/{seat}"]

    def wallet(self, number: int) -> int:
        return self.room.balances()[f"wallet/{number}"]

    # --- commands ---

    def request(
        self,
        who: int | Actor,
        command: TableCommand,
        *,
        key: str = "",
        ask: int | None = None,
        client: int | None = None,
        sent: int | None = None,
    ) -> CommandRequest:
        """A request with a new key and for the current prompt, unless others are passed."""
        key = key or f"k{next(_keys)}"
        ask = self.ask if ask is None else ask
        return CommandRequest(self.number, actor(who), key, command, ask, client, sent)

    def send(self, who: int | Actor, command: TableCommand, **more: str | int) -> CommandOutcome:
        return self.step(self.request(who, command, **more)).outcomes[0]  # type: ignore[arg-type]

    def step(self, *requests: CommandRequest) -> BatchResult:
        step = self.room.writer.step(requests)
        self.updates += [update for update in step.updates if update.table == self.number]
        return step

    def do(self, who: int | Actor, command: TableCommand, **more: str | int) -> list[TableEvent]:
        """Run a command and return its events."""
        known = len(self.updates)
        outcome = self.send(who, command, **more)
        assert isinstance(outcome, Done), outcome
        return [event for update in self.updates[known:] for event in update.events]

    def refuses(
        self, code: str, who: int | Actor, command: TableCommand, **more: str | int
    ) -> Refusal:
        """Check that a command is refused with this code and changes nothing."""
        before = self.room.balances(), self.loaded().head
        outcome = self.send(who, command, **more)
        assert isinstance(outcome, Refusal), outcome
        assert outcome.code is RefusalCode(code), outcome
        assert (self.room.balances(), self.loaded().head) == before
        return outcome

    # --- typical actions ---

    def sit(self, *people: int, chips: int = CHIPS) -> LiveTable:
        """Seat each person at the seat with their number, with chips."""
        for number in people:
            self.do(number, TakeSeat(number))
            if chips:
                self.do(number, BuyChips(chips))
        return self

    def cut(self) -> LiveTable:
        """Get past the cut without anyone cutting."""
        while self.asks_for() in (AskKind.CUT_COMMIT, AskKind.CUT_OPEN):
            waiting = [seat for seat in self.state.present if seat.number not in self.state.ready]
            self.do(int(waiting[0].person), Ready())
        return self

    def wager(self, who: int, base: int = 1000, spot: int | None = None, **more: int) -> None:
        """Place wagers; Match the Dealer wagers are passed by name."""
        self.do(who, PlaceWagers(spot or who, base, mtd=Stakes(more)))

    def ready(self, *people: int) -> list[TableEvent]:
        return [event for number in people for event in self.do(number, Ready())]

    def deal(self, *people: int, base: int = 1000) -> LiveTable:
        """Place wagers for these people, or everyone seated, and deal."""
        everybody = people or tuple(int(seat.person) for seat in self.state.players)
        self.cut()
        for number in everybody:
            self.wager(number, base, self.state.spots_of(self.seat_of(number))[0])
        self.ready(*(int(seat.person) for seat in self.state.players))
        return self

    def seat_of(self, number: int) -> int:
        seat = self.state.seat_of(str(number))
        assert seat is not None
        return seat.number

    def time_up(self) -> list[TableEvent]:
        """Let the current prompt's clock run out, and have the clock keeper report it."""
        deadline = self.state.deadline
        assert deadline is not None, "no clock runs"
        self.room.clock.at = max(self.room.clock.at, deadline)
        ask = self.ask
        assert ask is not None
        return self.do(CLOCK, TimeUp(ask), key=f"clock/{self.number}/{ask}")

    # --- cuts ---

    def commit_cut(self, who: int, value: bytes | None = None) -> CommitCut:
        """The command that commits a person's cut of the next shoe."""
        shoe = self.state.next_shoe
        assert shoe is not None
        seat = self.seat_of(who)
        return CommitCut(cut_commitment(shoe.commitment, seat, value or cut_of(who)).hex())


def cut_of(who: int) -> bytes:
    """A person's secret, always the same."""
    return hashlib.sha256(f"cut {who}".encode()).digest()


def open_cut(who: int) -> OpenCut:
    return OpenCut(cut_of(who).hex())


def cards(text: str) -> tuple[int, ...]:
    """Parse cards such as `Ks 9d` in the order they are on top of a shoe."""
    return parse_cards(text)
