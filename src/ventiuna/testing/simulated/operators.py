"""The house's own people: they open tables, hand out money, and now and then step in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from ventiuna.engine.commands import VoidRound
from ventiuna.engine.errors import Refused
from ventiuna.table.books.entries import BookMoved
from ventiuna.table.jackpots import commands as jackpots
from ventiuna.table.jackpots.writing import Sender, carry_out
from ventiuna.table.persons import cashier
from ventiuna.table.play import commands as do
from ventiuna.table.play.carrying_out import Actor, Role
from ventiuna.table.writing.requests import Outcome, Request, Unknown
from ventiuna.testing.simulated.checks import Checker
from ventiuna.testing.simulated.faults import FaultKind, Faults
from ventiuna.testing.simulated.servers import Server
from ventiuna.testing.simulated.storing import Killed
from ventiuna.testing.simulated.world import SECOND, World

WHY = "a simulation"
EVERY = 5 * SECOND
ANSWER_WITHIN = 4 * SECOND
OPERATOR = Actor("person/1", Role.OPERATOR, "1", "the operator")


class Floor(Protocol):
    """What operators know of the house."""

    world: World
    faults: Faults
    checker: Checker

    def any_server(self) -> Server | None: ...

    def any_table(self) -> int | None: ...

    def open_tables(self) -> list[int]: ...

    def games(self, table: int) -> dict[int, int]:
        """Jackpots that fit the games of a table."""

    def any_jackpot(self) -> int | None: ...

    def any_person(self) -> int: ...

    def open_another(self, server: Server) -> None: ...


@dataclass
class Order:
    """A command on its way, sent again until it is answered."""

    request: Request
    is_answered: bool = False


class Operator:
    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._world = floor.world
        self._keys = 0
        self._world.after(EVERY, self._look)

    def _look(self) -> None:
        self._world.after(EVERY, self._look)
        if len(self._floor.open_tables()) < 2 and not self._floor.faults.stopped:
            self._run(self._floor.open_another)
        if self._floor.faults.strikes(FaultKind.OPERATOR):
            chance = self._floor.faults.draw(FaultKind.OPERATOR)
            step_in = chance.choice((self._order_table, self._order_jackpot, self._move_money))
            step_in()

    def key(self) -> str:
        self._keys += 1
        return f"operator-{self._keys}"

    # --- tables ---

    def _order_table(self) -> None:
        table = self._floor.any_table()
        if table is None:
            return
        chance = self._floor.faults.draw(FaultKind.OPERATOR)
        games = self._floor.games(table)
        commands: list[do.TableCommand] = [
            VoidRound(WHY),
            do.DropBank(WHY),
            do.ResumeTable(WHY),
        ]
        commands += [do.LinkJackpot(game, jackpot, WHY) for game, jackpot in games.items()]
        commands += [do.UnlinkJackpot(game, WHY) for game in games]
        if chance.random() < 0.1:
            commands = [do.CloseTable(WHY)]
        self.send(table, chance.choice(commands))

    def send(self, table: int, command: do.TableCommand) -> None:
        self._submit(Order(Request(table, OPERATOR, self.key(), command)))

    def _submit(self, order: Order) -> None:
        if order.is_answered:
            return
        self._world.after(ANSWER_WITHIN, lambda: self._submit(order))
        server = self._floor.any_server()
        if server is not None:
            server.submit(order.request, lambda outcome: self._answered(order, outcome))

    def _answered(self, order: Order, outcome: Outcome) -> None:
        self._floor.checker.answered(OPERATOR, order.request, outcome)
        if not isinstance(outcome, Unknown):
            order.is_answered = True

    # --- jackpots and money ---

    def _order_jackpot(self) -> None:
        number = self._floor.any_jackpot()
        if number is None:
            return
        chance = self._floor.faults.draw(FaultKind.OPERATOR)
        cents = chance.choice([1, 500, 20_000])
        commands: list[jackpots.OperatorCommand] = [
            jackpots.SuspendJackpot(WHY),
            jackpots.ResumeJackpot(WHY),
            jackpots.ResumeJackpot(WHY),
            jackpots.CorrectUp(cents, WHY),
            jackpots.CorrectDown(cents, WHY),
            jackpots.SeedJackpot(cents, WHY),
            jackpots.RecoverSeed(cents, WHY),
            jackpots.TakeReceipts(cents, WHY),
            jackpots.SetMaximum(chance.choice([None, 100_000, 5_000_000]), WHY),
            jackpots.SetAdvanceLimit(chance.choice([None, 0, 10_000_000]), WHY),
            jackpots.FoldStripes(WHY),
        ]
        command = chance.choice(commands)
        key = self.key()

        def order(connection: Connection, at: int) -> None:
            carry_out(connection, number, command, Sender(OPERATOR.name, key, at))

        self._run_job(order)

    def _move_money(self) -> None:
        chance = self._floor.faults.draw(FaultKind.OPERATOR)
        person, cents = self._floor.any_person(), chance.choice([1, 50_000, 1_000_000])
        kind = chance.choice((cashier.IssueMoney, cashier.IssueMoney, cashier.RedeemMoney))
        command, key = kind(person, cents, WHY), self.key()

        def order(connection: Connection, at: int) -> None:
            cashier.carry_out(connection, OPERATOR, key, command, at)

        self._run_job(order)

    def _run_job(self, job: Callable[[Connection, int], None]) -> None:
        def on(server: Server) -> None:
            at = server.clock.now()
            server.writer.run(lambda connection: job(connection, at))

        self._run(on)

    def _run(self, work: Callable[[Server], None]) -> None:
        """Whatever comes of it: the books say it."""
        server = self._floor.any_server()
        if server is None:
            return
        try:
            work(server)
        except Killed:
            server.die()
        except (Refused, DBAPIError, BookMoved):
            pass
        self._floor.checker.committed()
