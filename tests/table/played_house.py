"""A house after some rounds of play, for tests that examine its books and rows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from sqlalchemy import Connection, insert

from tests.support.entropy import TestEntropy
from ventiuna.engine.commands import PlaceWagers, PlayerCommand, VoidRound
from ventiuna.engine.options import options
from ventiuna.engine.wagers import WagerOption
from ventiuna.rules import load_rules, rules_data
from ventiuna.table import accounts
from ventiuna.table.admin import HOUSE_FORMAT, create_table
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.commands import TableCommand
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.domain.handlers import CLOCK, Actor, ActorRole
from ventiuna.table.domain.state import TableState
from ventiuna.table.fairness import HouseKey, cut_commitment
from ventiuna.table.journal import BookKind, open_book, seal_books
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import house, person
from ventiuna.table.writer import CommandRequest, Done, HouseContext, Writer

START = 1_790_000_000_000
RULES = "wsgc-spanish-21(decks=2,cut_card=50)"
HOUSE = "h1"
KEY = HouseKey(bytes(range(32)))
OPERATOR = Actor("person/3", ActorRole.OPERATOR, "3", "Olga")
PLAYERS = {
    1: Actor("person/1", ActorRole.PLAYER, "1", "Ann"),
    2: Actor("person/2", ActorRole.PLAYER, "2", "=Bob"),
}


@dataclass
class SteppingClock:
    """Advances by one second each time it is read."""

    time: int = START

    def now(self) -> int:
        self.time += 1000
        return self.time

    def pause(self, milliseconds: int) -> None:
        self.time += milliseconds


@dataclass
class PlayedHouse:
    """One table with Ann and Bob, who play at random but reproducibly."""

    store: Store
    seed: int = 1
    table: int = 0
    clock: SteppingClock = field(default_factory=SteppingClock)
    is_new: bool = True

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        if self.is_new:
            with self.store.write() as connection:
                # A fixed ID, so that the same seed gives the same shoes.
                row = insert(house).values(id=HOUSE, only=1, name="Tests", format=HOUSE_FORMAT)
                connection.execute(row)
                open_book(connection, BookKind.CASHIER)
        self.house = HouseContext(HOUSE, HouseShoeFactory(KEY, TestEntropy(self.seed)))
        self.writer = Writer(self.store, self.house, self.clock)
        self._keys = 0

    @classmethod
    def resumed(cls, store: Store, of: PlayedHouse) -> PlayedHouse:
        """The same house after a restore, continued by a new process with nothing in memory."""
        twin = cls(store, of.seed + 1, of.table, of.clock, is_new=False)
        twin._keys = of._keys
        twin._answer(of.state)
        return twin

    # --- the house ---

    def open(self, rules: str = RULES) -> None:
        """Create people with money and a table where they sit."""
        with self.store.write() as connection:
            for name in ("Ann", "=Bob", "Olga"):
                guest = insert(person).values(
                    name=name, kind="guest", role="player", failed=0, created_at=START
                )
                connection.execute(guest)
            for number in PLAYERS:
                issue = accounts.IssueMoney(number, 1_000_000, "play money")
                self._cashier(issue, f"issue {number}", connection)
            self._cashier(accounts.GiveRole(3, "operator", "runs the house"), "role", connection)
        command = do.OpenTable("Table =1", rules_data(load_rules(rules)))
        with self.store.write() as connection:
            at = self.clock.now()
            self.table = create_table(connection, self.house, OPERATOR, "open", command, at)
        for number, player in PLAYERS.items():
            self.send(player, do.TakeSeat(number))
            self.send(player, do.BuyChips(400_000))

    def _cashier(self, command: accounts.CashierCommand, key: str, connection: Connection) -> None:
        accounts.handle_cashier_command(connection, OPERATOR, key, command, self.clock.now())

    def seal(self) -> None:
        with self.store.write() as connection:
            seal_books(connection, self.clock.now())

    # --- play ---

    @property
    def state(self) -> TableState:
        found = self.writer.table(self.table)
        assert found is not None, "nobody has sent a command yet"
        return found

    def send(self, actor: Actor, command: TableCommand, ask: int | None = None) -> None:
        self._keys += 1
        request = CommandRequest(self.table, actor, f"k{self._keys}", command, ask)
        step = self.writer.step([request])
        assert not step.faults, step.faults
        assert all(isinstance(outcome, Done) for outcome in step.outcomes), step.outcomes

    def play(self, rounds: int, mtd: Sequence[str] = ("up", "down")) -> None:
        """Play this many more rounds to their end."""
        last = self.state.rounds + rounds + (self.state.opened is None)
        while self.state.opened is None or self.state.opened.number < last:
            self._go_on(mtd)

    def open_round(self) -> None:
        """Place wagers and deal, until someone must make a decision."""
        while self.state.ask is None or self.state.ask.kind is not AskKind.DECISION:
            self._go_on(())

    def _go_on(self, mtd: Sequence[str]) -> None:
        ask = self.state.ask
        assert ask is not None, "the table is waiting for someone"
        if ask.kind is AskKind.CUT_COMMIT:
            self._commit_cuts()
        elif ask.kind is AskKind.CUT_OPEN:
            self._open_cuts()
        elif ask.kind is AskKind.WAGERS:
            self._wager(mtd)
        else:
            self._answer(self.state)

    def _answer(self, state: TableState) -> None:
        ask = state.ask
        assert ask is not None, "someone is prompted"
        chosen = self.chance.choice(
            [
                option
                for option in options(state.open_round)
                if not isinstance(option, WagerOption) and getattr(option, "legal", True)
            ]
        )
        command = chosen.command()
        assert isinstance(command, PlayerCommand), "the prompt is for players"
        self.send(PLAYERS[state.spots[chosen.spot]], command, ask.number)

    def _wager(self, mtd: Sequence[str]) -> None:
        ask = self.state.ask
        assert ask is not None, "the table is asking for wagers"
        stakes = {part: 500 + 100 * place for place, part in enumerate(mtd)}
        for number, player in PLAYERS.items():
            if number in self.state.seats:
                self.send(player, PlaceWagers(number, 1000 * number, mtd=stakes), ask.number)
        for number, player in PLAYERS.items():
            if number in self.state.seats:
                self.send(player, do.Ready(), ask.number)

    def _commit_cuts(self) -> None:
        """Ann cuts, and Bob leaves it to her."""
        ask, shoe = self.state.ask, self.state.next_shoe
        assert ask is not None, "the table is asking for a cut"
        assert shoe is not None, "a shoe is cut"
        commitment = cut_commitment(shoe.commitment, 1, _cut(shoe.number)).hex()
        self.send(PLAYERS[1], do.CommitCut(commitment), ask.number)
        if self.state.ask == ask:
            self.send(PLAYERS[2], do.Ready(), ask.number)

    def _open_cuts(self) -> None:
        ask, shoe = self.state.ask, self.state.next_shoe
        assert ask is not None, "the table is asking for a cut"
        assert shoe is not None, "a shoe is cut"
        self.send(PLAYERS[1], do.OpenCut(_cut(shoe.number).hex()), ask.number)

    def void(self) -> None:
        self.open_round()
        self.send(OPERATOR, VoidRound("a card was exposed"))

    def time_up(self) -> None:
        """Let the time run out without an answer."""
        ask = self.state.ask
        assert ask is not None, "the table is waiting for someone"
        self.clock.time += 60_000
        self.send(CLOCK, do.TimeUp(ask.number))

    def close(self) -> None:
        """Finish the round and close the table, so that everyone leaves."""
        if self.state.round is not None and self.state.is_dealt:
            self.play(1)
        self.send(OPERATOR, do.CloseTable("the day is over"))


def _cut(shoe: int) -> bytes:
    return sha256(f"cut {shoe}".encode()).digest()
