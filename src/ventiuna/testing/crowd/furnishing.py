"""A house with people, money, tables and two linked progressives; awards come soon and often."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select

from ventiuna.cards import parse_cards
from ventiuna.engine.stakes import Stakes
from ventiuna.rules import load_rules, rules_data
from ventiuna.table.audit.auditing import Report, Scope, audit
from ventiuna.table.house.houses import house_id, open_table
from ventiuna.table.jackpots.commands import CreateJackpot
from ventiuna.table.jackpots.settings import settings_of
from ventiuna.table.jackpots.writing import Sender, create_jackpot
from ventiuna.table.persons import cashier
from ventiuna.table.play.carrying_out import Actor, Role
from ventiuna.table.play.commands import LinkJackpot, OpenTable
from ventiuna.table.play.shoes import HouseShoes
from ventiuna.table.ports import Clock, SystemClock
from ventiuna.table.shoes.entropy import Source
from ventiuna.table.shoes.fairness import SECRET
from ventiuna.table.shoes.house_key import HouseKey
from ventiuna.table.store.opening import Store
from ventiuna.table.store.schema import game_table, jackpot, person
from ventiuna.table.writing.requests import Request
from ventiuna.table.writing.transaction import House
from ventiuna.table.writing.writer import Writer

PEOPLE = 6
WALLET = 100_000_000  # cents that everybody begins with
RULES = load_rules(
    "wsgc-2021(decks=8,cut_card=10,jackpots=3d:1:seed=1000:contribution=33.33%+4e:1:seed=500)"
)
GAMES = (1, 2)
KEY = HouseKey(bytes(range(SECRET)))
OPERATOR = Actor("person/99", Role.OPERATOR, "99", "the operator")
CLOCKS = Stakes({"wagers": 400, "answer": 300, "decision": 300, "cut": 200})

# By the first byte of a shoe's salt: two suited matches on up to three spots (10 %), three aces
# (100 %).
ON_TOP = {1: parse_cards("5h 5h 5h 5h 5h 5h 5h"), 2: parse_cards("As As As As As As As")}
MARKS = (0, 0, 1, 1, 1, 2)


class MarkedEntropy:
    """Salts say which cards lie on top, so that every process of the house knows them."""

    def __init__(self, chance: random.Random, marks: Sequence[int] = MARKS) -> None:
        self._chance = chance
        self._marks = marks

    @property
    def source(self) -> Source:
        return Source.TEST

    def salt(self) -> bytes:
        return bytes([self._chance.choice(self._marks)]) + self._chance.randbytes(SECRET - 1)

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        return on_top(salt)


def on_top(salt: bytes) -> tuple[int, ...]:
    return ON_TOP.get(salt[0], ())


@dataclass
class Server:
    """What one process of the house has."""

    store: Store
    house: House
    writer: Writer
    clock: Clock


def server_on(store: Store, chance: random.Random, marks: Sequence[int] = MARKS) -> Server:
    """A process that has just started and knows nothing."""
    time = SystemClock()
    with store.write() as connection:
        name = house_id(connection)
    house = House(name, HouseShoes(KEY, MarkedEntropy(chance, marks)))
    return Server(store, house, Writer(store, house, time), time)


def furnish(server: Server, tables: int) -> None:
    """Once for each house."""
    with server.store.write() as connection:
        for number in range(1, PEOPLE + 1):
            _add_person(connection, number, server.clock.now())
        for game in GAMES:
            settings = settings_of(RULES, game).data()
            command = CreateJackpot(f"game {game}", settings, "to be won", reserve_rate=150)
            sender = Sender(OPERATOR.name, f"create/{game}", server.clock.now())
            create_jackpot(connection, command, sender)
    for number in range(1, tables + 1):
        open_linked(server, f"open/{number}")


def _add_person(connection: Connection, number: int, at: int) -> None:
    row = {"id": number, "name": f"player {number}", "kind": "guest", "role": "player"}
    connection.execute(insert(person).values(**row, failed=0, created_at=at))
    money = cashier.IssueMoney(number, WALLET, "play money")
    cashier.carry_out(connection, OPERATOR, f"issue/{number}", money, at)


def open_linked(server: Server, key: str) -> int:
    """One more table, which feeds both progressives; the same key opens no second one."""
    command = OpenTable("Table", rules_data(RULES), CLOCKS)
    table = server.writer.run(
        lambda connection: open_table(
            connection, server.house, OPERATOR, key, command, server.clock.now()
        )
    )
    with server.store.read() as connection:
        jackpots = jackpots_of(connection)
    for game, number in zip(GAMES, jackpots, strict=True):
        link = LinkJackpot(game, number, "one meter for all")
        server.writer.step([Request(table, OPERATOR, f"{key}/link/{game}", link)])
    return table


def jackpots_of(connection: Connection) -> list[int]:
    return list(connection.scalars(select(jackpot.c.id).order_by(jackpot.c.id)))


def tables_of(connection: Connection) -> list[int]:
    """Those that are not closed."""
    query = select(game_table.c.id).where(game_table.c.state != "closed")
    return list(connection.scalars(query.order_by(game_table.c.id)))


def audited(store: Store) -> Report:
    with store.read() as connection:
        return audit(connection, Scope(key=KEY, on_top=on_top))
