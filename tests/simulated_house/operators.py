"""The house's staff, who open tables, hand out money, and occasionally step in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tests.simulated_house.checks import Checker
from tests.simulated_house.disk import Killed
from tests.simulated_house.servers import Server
from tests.simulated_house.world import SECOND, FaultKind, Faults, World
from ventiuna.engine.commands import Refused, VoidRound
from ventiuna.table import accounts
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.handlers import Actor, ActorRole
from ventiuna.table.jackpots import progressive as jackpots
from ventiuna.table.jackpots.repository import Sender, handle
from ventiuna.table.journal import JournalConflict
from ventiuna.table.writer import CommandOutcome, Request, Unknown

REASON = "a simulation"
ACT_EVERY = 5 * SECOND
ANSWER_TIMEOUT = 4 * SECOND
OPERATOR = Actor("person/1", ActorRole.OPERATOR, "1", "the operator")


class HouseInfo(Protocol):
    """What operators know about the house."""

    world: World
    faults: Faults
    checker: Checker

    def any_server(self) -> Server | None: ...

    def any_table(self) -> int | None: ...

    def open_tables(self) -> list[int]: ...

    def games(self, table: int) -> dict[int, int]:
        """Jackpots that fit a table's games."""

    def any_jackpot(self) -> int | None: ...

    def any_person(self) -> int: ...

    def open_another(self, server: Server) -> None: ...


@dataclass
class PendingOrder:
    """A command in transit, resent until it is answered."""

    request: Request
    is_answered: bool = False


class Operator:
    def __init__(self, floor: HouseInfo) -> None:
        self._floor = floor
        self._world = floor.world
        self._keys = 0
        self._world.after(ACT_EVERY, self._look)

    def _look(self) -> None:
        self._world.after(ACT_EVERY, self._look)
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
            VoidRound(REASON),
            do.DropBank(REASON),
            do.ResumeTable(REASON),
        ]
        commands += [do.LinkJackpot(game, jackpot, REASON) for game, jackpot in games.items()]
        commands += [do.UnlinkJackpot(game, REASON) for game in games]
        if chance.random() < 0.1:
            commands = [do.CloseTable(REASON)]
        self.send(table, chance.choice(commands))

    def send(self, table: int, command: do.TableCommand) -> None:
        self._submit(PendingOrder(Request(table, OPERATOR, self.key(), command)))

    def _submit(self, order: PendingOrder) -> None:
        if order.is_answered:
            return
        self._world.after(ANSWER_TIMEOUT, lambda: self._submit(order))
        server = self._floor.any_server()
        if server is not None:
            server.submit(order.request, lambda outcome: self._answered(order, outcome))

    def _answered(self, order: PendingOrder, outcome: CommandOutcome) -> None:
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
        commands: list[jackpots.MeterCommand] = [
            jackpots.SuspendJackpot(REASON),
            jackpots.ResumeJackpot(REASON),
            jackpots.ResumeJackpot(REASON),
            jackpots.CorrectUp(cents, REASON),
            jackpots.CorrectDown(cents, REASON),
            jackpots.SeedJackpot(cents, REASON),
            jackpots.RecoverSeed(cents, REASON),
            jackpots.TakeReceipts(cents, REASON),
            jackpots.SetMaximum(chance.choice([None, 100_000, 5_000_000]), REASON),
            jackpots.SetAdvanceLimit(chance.choice([None, 0, 10_000_000]), REASON),
            jackpots.FoldStripes(REASON),
        ]
        command = chance.choice(commands)
        key = self.key()

        def order(connection: Connection, at: int) -> None:
            handle(connection, number, command, Sender(OPERATOR.name, key, at))

        self._run_job(order)

    def _move_money(self) -> None:
        chance = self._floor.faults.draw(FaultKind.OPERATOR)
        person, cents = self._floor.any_person(), chance.choice([1, 50_000, 1_000_000])
        kind = chance.choice((accounts.IssueMoney, accounts.IssueMoney, accounts.RedeemMoney))
        command, key = kind(person, cents, REASON), self.key()

        def order(connection: Connection, at: int) -> None:
            accounts.handle_cashier_command(connection, OPERATOR, key, command, at)

        self._run_job(order)

    def _run_job(self, job: Callable[[Connection, int], None]) -> None:
        def on(server: Server) -> None:
            at = server.clock.now()
            server.writer.run(lambda connection: job(connection, at))

        self._run(on)

    def _run(self, work: Callable[[Server], None]) -> None:
        """Run a command and ignore its result, which the books record."""
        server = self._floor.any_server()
        if server is None:
            return
        try:
            work(server)
        except Killed:
            server.die()
        except (Refused, DBAPIError, JournalConflict):
            pass
        self._floor.checker.committed()
