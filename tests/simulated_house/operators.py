"""The house's staff, who open tables, hand out money, and occasionally step in."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tests.simulated_house.checks import Checker
from tests.simulated_house.disk import Disk, Killed
from tests.simulated_house.servers import Server
from tests.simulated_house.world import SECOND as A_SECOND
from tests.simulated_house.world import FaultKind, Faults, World
from ventiuna.engine.commands import Refused, VoidRound
from ventiuna.engine.prompts import THIRD_CARD
from ventiuna.table import accounts
from ventiuna.table.admin import OperatorAction, answer_request, request_approval
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.handlers import Actor, ActorRole
from ventiuna.table.domain.inspection import NextStep
from ventiuna.table.domain.state import TableStatus
from ventiuna.table.duties import Approval, ApproveRequest, RefuseRequest, recent_approvals
from ventiuna.table.floor import held_awards, waiting_tables
from ventiuna.table.jackpots import progressive as jackpots
from ventiuna.table.jackpots.repository import Sender, handle
from ventiuna.table.journal import JournalConflict
from ventiuna.table.read_model import past_spot
from ventiuna.table.writer import CommandOutcome, CommandRequest, Unknown

REASON = "a simulation"
ACT_EVERY = 5 * A_SECOND
ANSWER_TIMEOUT = 4 * A_SECOND
OPERATOR = Actor("person/9001", ActorRole.OPERATOR, "9001", "the operator")
SECOND = Actor("person/9002", ActorRole.OPERATOR, "9002", "the second operator")
FLOOR = Actor("person/9003", ActorRole.FLOOR, "9003", "the floor person")
STAFF = (OPERATOR, SECOND, FLOOR)


class HouseInfo(Protocol):
    """What operators know about the house."""

    world: World
    faults: Faults
    checker: Checker
    disk: Disk
    is_separate: bool  # whether the house has separate duties

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

    request: CommandRequest
    is_answered: bool = False


class Staff:
    """Someone who works in the house, and sends commands until they are answered."""

    def __init__(self, floor: HouseInfo, name: str) -> None:
        self._floor = floor
        self._world = floor.world
        self._name = name
        self._keys = 0

    def key(self) -> str:
        self._keys += 1
        return f"{self._name}-{self._keys}"

    def send(self, table: int, command: do.TableCommand, actor: Actor = OPERATOR) -> PendingOrder:
        order = PendingOrder(CommandRequest(table, actor, self.key(), command))
        self._submit(order)
        return order

    def _submit(self, order: PendingOrder) -> None:
        if order.is_answered:
            return
        self._world.after(ANSWER_TIMEOUT, lambda: self._submit(order))
        server = self._floor.any_server()
        if server is not None:
            server.submit(order.request, lambda outcome: self._answered(order, outcome))

    def _answered(self, order: PendingOrder, outcome: CommandOutcome) -> None:
        self._floor.checker.answered(order.request.actor, order.request, outcome)
        if not isinstance(outcome, Unknown):
            order.is_answered = True

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


class Operator(Staff):
    def __init__(self, floor: HouseInfo) -> None:
        super().__init__(floor, "operator")
        self._world.after(ACT_EVERY, self._look)

    def _look(self) -> None:
        self._world.after(ACT_EVERY, self._look)
        if len(self._floor.open_tables()) < 2 and not self._floor.faults.stopped:
            self._run(self._floor.open_another)
        if self._floor.faults.strikes(FaultKind.OPERATOR):
            chance = self._floor.faults.draw(FaultKind.OPERATOR)
            step_in = chance.choice((self._order_table, self._order_jackpot, self._move_money))
            step_in()
        if self._floor.faults.strikes(FaultKind.CORRECTION):
            self._correct()

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
        self._order(table, chance.choice(commands))

    def _order(self, table: int, command: do.TableCommand) -> None:
        self.send(table, command)
        if self._floor.is_separate and type(command) in do.NEEDS_SECOND:
            self._request(do.Subject.TABLE, table, command)

    def _correct(self) -> None:
        """Correct what a closed round paid to a spot, perhaps for the second time."""
        rounds = self._floor.disk.query(
            "SELECT table_id, number FROM round WHERE outcome = 'closed' ORDER BY 1, 2"
        )
        if not rounds:
            return
        chance = self._floor.faults.draw(FaultKind.CORRECTION)
        table, number = chance.choice(rounds)
        with self._floor.disk.store.read() as connection:
            spots = [(spot, past_spot(connection, table, number, spot)) for spot in range(1, 8)]
        played = [(spot, past) for spot, past in spots if past is not None and past.person]
        if not played:
            return
        spot, past = chance.choice(played)
        paid = max(0, past.paid + chance.choice((-500, -1, 1, 500)))
        earlier = past.correction or None
        self._order(table, do.CorrectRound(number, spot, paid, "R-062", earlier, REASON))

    def _request(self, subject: do.Subject, number: int, command: object) -> None:
        key = self.key()

        def order(server: Server) -> None:
            act = OperatorAction(OPERATOR, key, server.clock)
            server.writer.run(lambda conn: request_approval(conn, act, subject, number, command))

        self._run(order)

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
        if self._floor.is_separate and type(command) in do.NEEDS_SECOND:
            self._request(do.Subject.JACKPOT, number, command)
            return

        def order(connection: Connection, at: int) -> None:
            handle(connection, number, command, Sender(OPERATOR.name, key, at))

        self._run_job(order)

    def _move_money(self) -> None:
        chance = self._floor.faults.draw(FaultKind.OPERATOR)
        person, cents = self._floor.any_person(), chance.choice([1, 50_000, 1_000_000])
        kind = chance.choice((accounts.IssueMoney, accounts.IssueMoney, accounts.RedeemMoney))
        command, key = kind(person, cents, REASON), self.key()
        if self._floor.is_separate and type(command) in do.NEEDS_SECOND:
            self._request(do.Subject.PERSON, person, command)

        def order(connection: Connection, at: int) -> None:
            accounts.handle_cashier_command(connection, OPERATOR, key, command, at)

        self._run_job(order)

    def _run_job(self, job: Callable[[Connection, int], None]) -> None:
        def on(server: Server) -> None:
            at = server.clock.now()
            server.writer.run(lambda connection: job(connection, at))

        self._run(on)


GONE = 15 * 60 * A_SECOND  # longest absence of a floor person
LOOK_EVERY = 3 * A_SECOND


class FloorPerson(Staff):
    """Answers the dealers' calls, pays awards by hand and checks decks, unless nobody is there.

    Operators answer late calls, sometimes. If neither comes, the house continues by itself.
    """

    def __init__(self, floor: HouseInfo) -> None:
        super().__init__(floor, "floor")
        self._back_at = 0
        self._orders: dict[tuple[int, str], PendingOrder] = {}  # by table and task
        self._world.after(LOOK_EVERY, self._look)

    def _look(self) -> None:
        self._world.after(LOOK_EVERY, self._look)
        faults = self._floor.faults
        if faults.strikes(FaultKind.FLOOR_GONE):
            self._back_at = self._world.now + faults.draw(FaultKind.FLOOR_GONE).randint(1, GONE)
        is_here = faults.stopped or self._world.now >= self._back_at
        with self._floor.disk.store.read() as connection:
            waiting, held = waiting_tables(connection), held_awards(connection)
        for call in waiting:
            is_third = call.task == THIRD_CARD
            answer = do.AcknowledgeCall(REASON) if is_third else do.AuthorizePayments(REASON)
            if is_here:
                self._do(call.table, call.task, answer)
            elif call.is_late and faults.draw(FaultKind.FLOOR_GONE).random() < 0.1:
                self._do(call.table, call.task, answer, OPERATOR)
        if is_here:
            for award in held:
                self._do(award.table, f"award {award.award}", do.PayByHand(award.award, REASON))
            self._check_decks()

    def _check_decks(self) -> None:
        tables = self._floor.disk.query(
            "SELECT id FROM game_table WHERE inspection IS NOT NULL AND state <> 'closed'"
        )
        server = self._floor.any_server() if tables else None
        if server is None:
            return
        for (table,) in tables:
            with self._floor.disk.store.read() as connection:
                state = server.loaded(connection, table)
            assert state is not None
            assert state.inspection is not None
            found, people = state.inspection, ("Dora", "Flo")
            match found.next_step(state.status is TableStatus.CLOSING):
                case NextStep.INSPECT:
                    deck, left = len(found.inspected) + 1, len(found.pack.cards)
                    command: do.TableCommand = do.InspectDeck(
                        deck, found.tens, 2, left, "red", *people, REASON
                    )
                case NextStep.SHUFFLE:
                    command = do.ShuffleDecks(*people, REASON)
                case NextStep.BOX if state.round is None:
                    command = do.BoxCards(*people, REASON)
                case _:
                    continue
            self._do(table, "decks", command)

    def _do(self, table: int, task: str, command: do.TableCommand, actor: Actor = FLOOR) -> None:
        """Send a command, unless an earlier one for this task is still in transit."""
        order = self._orders.get((table, task))
        if order is None or order.is_answered:
            self._orders[table, task] = self.send(table, command, actor)


class Approver(Staff):
    """The second operator, who approves most requests and refuses or overlooks the others."""

    def __init__(self, floor: HouseInfo) -> None:
        super().__init__(floor, "approver")
        self._overlooked: set[int] = set()
        self._world.after(ACT_EVERY, self._look)

    def _look(self) -> None:
        self._world.after(ACT_EVERY, self._look)
        with self._floor.disk.store.read() as connection:
            found = recent_approvals(connection, self._world.now)
        faults = self._floor.faults
        for one in found:
            if one.answer or one.number in self._overlooked:
                continue
            command: ApproveRequest | RefuseRequest = ApproveRequest(one.number, REASON)
            if faults.strikes(FaultKind.APPROVER_REFUSES):
                command = RefuseRequest(one.number, REASON)
            self._answer(one, command)
            if faults.draw(FaultKind.APPROVER_REFUSES).random() < 0.2:
                self._overlooked.add(one.number)

    def _answer(self, found: Approval, command: ApproveRequest | RefuseRequest) -> None:
        key = self.key()

        def answer(server: Server) -> None:
            for actor in (OPERATOR, SECOND):  # nobody approves their own request
                act = OperatorAction(actor, key, server.clock)
                with suppress(Refused):
                    server.writer.run(
                        lambda conn: answer_request(conn, server.house, act, command)  # noqa: B023
                    )
            word, _, number = found.subject.partition(" ")
            if word == "table":
                server.writer.forget([int(number)])

        self._run(answer)
