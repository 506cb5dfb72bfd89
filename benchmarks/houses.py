"""Houses for benchmarks: tables, each with one player who never stops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection

from tests.support.postgres import OWNER, PROGRAM
from tests.table.postgres_server import shared_server
from ventiuna.engine.commands import (
    Hit,
    Insure,
    PlaceWagers,
    PlayerCommand,
    Stand,
    TakeBlackjack,
)
from ventiuna.engine.options import ActionOption, options
from ventiuna.rules import Rules, load_rules, rules_data
from ventiuna.table.accounts import IssueMoney, add_guest
from ventiuna.table.accounts import handle_cashier_command as at_cashier
from ventiuna.table.admin import create_table, house_id
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.commands import TableCommand
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.domain.handlers import SERVICE, Actor, ActorRole
from ventiuna.table.domain.state import TableState
from ventiuna.table.fairness import HouseKey, OsEntropy
from ventiuna.table.jackpots.progressive import CreateJackpot, settings_of
from ventiuna.table.jackpots.repository import Sender, create_progressive
from ventiuna.table.store.connection import Store, open_store
from ventiuna.table.store.postgres import migrate
from ventiuna.table.writer import CommandRequest, Done, HouseContext, SystemClock, Writer

RULES = "wsgc-spanish-21"
LINKED_RULES = "wsgc-2021(decks=8,jackpots=3d:1:seed=1000)"
MONEY = 10**11
STACK = 10**10
OPERATOR = Actor("person/0", ActorRole.OPERATOR, "0", "Operator")
KEY = bytes(32)
STAND_FROM = 17


@contextmanager
def sqlite_address() -> Iterator[str]:
    with TemporaryDirectory(prefix="ventiuna-bench-") as folder:
        yield str(Path(folder) / "house.sqlite")


@contextmanager
def postgres_address() -> Iterator[str]:
    """Yield a new database on a server that ends with this process."""
    import psycopg

    with (
        TemporaryDirectory(prefix="ventiuna-bench-") as folder,
        shared_server(Path(folder)) as socket,
    ):
        root = f"postgresql://postgres@/postgres?host={socket}"
        with psycopg.connect(root, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE bench OWNER {OWNER}".encode())
        migrate(f"postgresql://{OWNER}@/bench?host={socket}", PROGRAM)
        yield f"postgresql://{PROGRAM}@/bench?host={socket}"


@dataclass(slots=True)
class Floor:
    """An open house with tables, and their players' next requests."""

    store: Store
    house: HouseContext
    writer: Writer
    tables: list[int] = field(default_factory=list)
    players: dict[int, dict[int, Actor]] = field(default_factory=dict)  # by table and seat
    rules: Rules = field(default_factory=lambda: load_rules(RULES))
    sent: int = 0
    mark: str = ""  # keeps keys from different processes distinct

    def next_requests(self, table: int) -> list[CommandRequest]:
        """Return requests from everyone prompted; each seat plays the spot with its number."""
        state = self.writer.table(table)
        assert state is not None, "the table isn't open"
        assert state.ask is not None, "the table has no pending prompt"
        return [
            CommandRequest(table, player, self._key(), _answer(state, seat), state.ask.number)
            for seat, player in self.players[table].items()
            if seat not in state.ready and (not state.ask.spots or seat in state.ask.spots)
        ]

    def next_request(self, table: int) -> CommandRequest:
        return self.next_requests(table)[0]

    def _key(self) -> str:
        self.sent += 1
        return f"{self.mark}{self.sent}"

    def play(self, tables: Sequence[int]) -> None:
        """Execute one command at each table."""
        step = self.writer.step([self.next_request(table) for table in tables])
        for outcome in step.outcomes:
            assert isinstance(outcome, Done), outcome


def open_floor(
    address: str | Store, tables: int, rules: str = RULES, mark: str = "", seats: int = 1
) -> Floor:
    """Open a house with this many new tables and players, all with chips."""
    store = open_store(address) if isinstance(address, str) else address
    clock = SystemClock()
    with store.write() as connection:
        name = house_id(connection)
    house = HouseContext(name, HouseShoeFactory(HouseKey(KEY), OsEntropy()))
    floor = Floor(store, house, Writer(store, house, clock), rules=load_rules(rules), mark=mark)
    for number in range(tables):
        _open(floor, number, seats, clock.now())
    return floor


def new_jackpot(floor: Floor, name: str) -> int:
    settings = settings_of(floor.rules, 1).data()
    command = CreateJackpot(name, settings, "a benchmark")

    def create(connection: Connection) -> int:
        sender = Sender(OPERATOR.name, f"{floor.mark}create/{name}", 1)
        return create_progressive(connection, command, sender).number

    return floor.writer.run(create)


def link(floor: Floor, table: int, jackpot: int) -> None:
    command = do.LinkJackpot(1, jackpot, "a benchmark")
    step = floor.writer.step(
        [CommandRequest(table, OPERATOR, f"{floor.mark}link/{table}", command)]
    )
    assert isinstance(step.outcomes[0], Done), step.outcomes


def _open(floor: Floor, number: int, seats: int, now: int) -> None:
    command = do.OpenTable(f"Table {number}", rules_data(floor.rules))

    def make(connection: Connection) -> tuple[int, list[Actor]]:
        players = [_player(connection, floor, f"{number}/{seat}", now) for seat in range(seats)]
        key = f"{floor.mark}open/{number}"
        return create_table(connection, floor.house, OPERATOR, key, command, now), players

    table, players = floor.writer.run(make)
    floor.tables.append(table)
    floor.players[table] = dict(enumerate(players, start=1))
    for seat, player in floor.players[table].items():
        first: tuple[TableCommand, ...] = (do.TakeSeat(seat), do.BuyChips(STACK))
        floor.writer.step(
            [CommandRequest(table, player, floor._key(), command) for command in first]
        )


def _player(connection: Connection, floor: Floor, name: str, now: int) -> Actor:
    person = add_guest(connection, f"{floor.mark}Player {name}", now, bytes)
    issue = IssueMoney(person.id, MONEY, "a benchmark")
    at_cashier(connection, SERVICE, f"{floor.mark}welcome/{name}", issue, now)
    return Actor(f"person/{person.id}", ActorRole.PLAYER, str(person.id), f"Player {name}")


def _answer(state: TableState, seat: int) -> TableCommand:
    """Choose a simple play: hit below 17, no insurance, the minimum wager and every jackpot."""
    assert state.ask is not None, "the table has no pending prompt"
    kind = state.ask.kind
    if kind in (AskKind.CUT_COMMIT, AskKind.CUT_OPEN):
        return do.Ready()
    if kind is AskKind.WAGERS:
        return do.Ready() if seat in state.open_round.spots else _wagers(state, seat)
    if kind is AskKind.INSURANCE:
        return Insure(seat, 0)
    if kind is AskKind.BLACKJACK:
        return TakeBlackjack(seat)
    return _action(state, seat)


def _wagers(state: TableState, seat: int) -> PlayerCommand:
    jackpots = {game: state.rules.jackpots[game - 1].wager for game in state.links}
    return PlaceWagers(seat, state.rules.table_minimum, jackpots=jackpots)


def _action(state: TableState, seat: int) -> PlayerCommand:
    assert state.ask is not None, "the table has no pending prompt"
    hand = state.open_round.spots[seat].hands[state.ask.hand]
    may_hit = any(
        isinstance(option, ActionOption) and option.name == "hit" and option.legal
        for option in options(state.open_round)
    )
    return Hit(seat) if may_hit and hand.total < STAND_FROM else Stand(seat)
