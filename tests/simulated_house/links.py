"""A connection between a person and a server, with everything that can happen to messages."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from sqlalchemy.exc import DBAPIError

from tests.simulated_house.servers import Server
from tests.simulated_house.world import SECOND, Action, FaultKind
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import Refused
from ventiuna.server.hub import Client, Close
from ventiuna.server.live_tables import actor_for
from ventiuna.server.schemas import BadMessage, Hello, read_message
from ventiuna.server.socket import request_of
from ventiuna.table.accounts import digest_of, valid_tokens
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.handlers import Actor
from ventiuna.table.domain.state import SeatStatus, TableState
from ventiuna.table.journal import balances
from ventiuna.table.writer import CommandOutcome, CommandRequest, Done, Refusal

Receive = Callable[[str], None]
Answered = Callable[[Actor, CommandRequest, CommandOutcome], None]


class Link:
    """A connection that preserves order in both directions, unless a fault says otherwise."""

    def __init__(self, server: Server, receive: Receive, hung_up: Action) -> None:
        self.server = server
        self.is_open = True
        self._world = server.world
        self._faults = server.faults
        self._receive = receive
        self._hung_up = hung_up
        self._busy_until = [0, 0]  # to the server, to the person

    def send(self, text: str, sink: Receive) -> None:
        """Send a text from the person to the server."""
        self._carry(0, lambda: sink(text))

    def deliver(self, text: str) -> None:
        """Deliver a text from the server to the person."""
        self._carry(1, lambda: self._receive(text))

    def close(self) -> None:
        """Close the link from either end; messages in transit are lost."""
        if self.is_open:
            self.is_open = False
            self._world.after(self._world.between(1, 30), self._hung_up)

    def _carry(self, way: int, arrive: Action) -> None:
        world, faults = self._world, self._faults
        if faults.strikes(FaultKind.DROP):
            return
        if faults.strikes(FaultKind.HANG_UP):
            self.close()
            return
        for _ in range(1 + faults.strikes(FaultKind.DUPLICATE)):
            delay = world.between(1, 30)
            if faults.strikes(FaultKind.DELAY):
                delay += faults.draw(FaultKind.DELAY).randint(SECOND, 50 * SECOND)
            if faults.strikes(FaultKind.REORDER):
                delay += faults.draw(FaultKind.REORDER).randint(10, 300)
                at = world.now + delay
            else:
                at = max(world.now + delay, self._busy_until[way])
                self._busy_until[way] = at
            world.after(at - world.now, lambda: self._arrived(arrive))

    def _arrived(self, arrive: Action) -> None:
        if self.is_open:
            arrive()


class Socket:
    """The server's end, like `ventiuna.server.socket`."""

    def __init__(self, server: Server, table: int, link: Link, answered: Answered) -> None:
        self._server = server
        self._table = table
        self._link = link
        self._tell_answer = answered
        self._client: Client | None = None
        self._is_flushing = False
        self._slow_until = 0
        server.when_it_dies(self._died)

    @property
    def actor(self) -> Actor | None:
        return self._client.actor if self._client else None

    def receive(self, text: str) -> None:
        self._server.later(0, lambda: self._handle(text))

    def _handle(self, text: str) -> None:
        if not self._link.is_open:
            return
        if self._client is None:
            self._hello(text)
        else:
            self._command(self._client, text)

    # --- hello ---

    def _hello(self, text: str) -> None:
        try:
            hello = read_message(text)
        except BadMessage:  # a forged message overtook the hello
            hello = None
        if not isinstance(hello, Hello):
            self._hang_up()
            return
        server = self._server
        try:
            with server.store.read() as connection:
                digest = digest_of(hello.token or "")
                status = valid_tokens(connection, [digest], server.clock.now()).get(digest)
            person = status.person if status else None
            if hello.token is not None and person is None:
                self._hang_up()
                return
            client = Client(self._table, actor_for(person) if person else None, self._wake)
            self._client = client
            state = server.join(client, hello.from_)
            if state is None:
                self._hang_up()
                return
            self._take_place(client, state)
            self._tell_own(client, state)
        except DBAPIError:
            self._hang_up()

    def _take_place(self, client: Client, state: TableState) -> None:
        server = self._server
        seat = state.seat_of(client.actor.person) if client.actor else None
        if seat is None or client.actor is None:
            return
        client.seat = seat.number
        client.number = server.connect(self._table, seat.number)
        server.hub.replace(client)
        if seat.status is SeatStatus.AWAY:
            key = f"back/{self._table}/{client.number}"
            server.submit(CommandRequest(self._table, client.actor, key, do.ComeBack()))

    def _tell_own(self, client: Client, known: TableState | None = None) -> None:
        if client.actor is None:
            return
        server = self._server
        code = f"wallet/{client.actor.person}"
        with server.store.read() as connection:
            wallet = balances(connection, [code]).get(code, 0)
        state = known or server.state(self._table)
        seat = state.seat_of(client.actor.person) if state else None
        client.seat = seat.number if seat else client.seat
        stack = state.stack(seat.number) if state and seat else 0
        server.hub.send(
            client,
            {
                "type": "you",
                "person": client.actor.person,
                "seat": seat.number if seat else None,
                "client": client.number,
                "token_until": client.token_until,
                "stack": stack,
                "wallet": wallet,
            },
        )

    # --- commands ---

    def _command(self, client: Client, text: str) -> None:
        key = ""
        try:
            message = read_message(text)
            if isinstance(message, Hello):
                raise BadMessage("Simulated clients don't renew their tokens.")
            key = message.key
            request = request_of(message, client, self._table)
        except (BadMessage, Refused) as error:
            code = error.code if isinstance(error, Refused) else RefusalCode.BAD_COMMAND
            self._server.hub.answer(client, Refusal(self._table, key, code, str(error)))
            return
        self._server.answers.run(
            request,
            client,
            self._server.submit,
            lambda outcome: self._answer(client, request, outcome),
        )

    def _answer(self, client: Client, request: CommandRequest, outcome: CommandOutcome) -> None:
        self._tell_answer(request.actor, request, outcome)
        self._server.hub.answer(client, outcome)
        if isinstance(outcome, Done):
            self._follow_seat(client, request)

    def _follow_seat(self, client: Client, request: CommandRequest) -> None:
        command = request.command
        if isinstance(command, do.TakeSeat):
            client.seat = command.seat
            seat = command.seat
            self._server.later(self._server.world.between(0, 5), lambda: self._sit(client, seat))
        elif isinstance(command, do.BuyChips | do.CashOut | do.LeaveSeat):
            self._server.later(0, lambda: self._tell_own(client))

    def _sit(self, client: Client, seat: int) -> None:
        client.number = self._server.connect(self._table, seat)
        self._server.hub.replace(client)
        self._tell_own(client)

    # --- sending ---

    def _wake(self) -> None:
        if not self._is_flushing:
            self._is_flushing = True
            self._server.later(1, self._flush)

    def _flush(self) -> None:
        client = self._client
        if client is None:
            return
        faults, now = self._server.faults, self._server.world.now
        if now < self._slow_until and client.closed is None:
            self._server.later(SECOND, self._flush)
            return
        if faults.strikes(FaultKind.SLOW_CLIENT):
            self._slow_until = now + faults.draw(FaultKind.SLOW_CLIENT).randint(1, 120) * SECOND
        self._is_flushing = False
        for text in client.take():
            self._link.deliver(text)
        if client.closed is not None:
            self._hang_up()

    # --- closing ---

    def end(self) -> None:
        """The person's end was closed."""
        self._server.later(0, self._hang_up)

    def _hang_up(self) -> None:
        self._link.close()
        self._server.forget(self._died)
        client, self._client = self._client, None
        if client is not None:
            client.close(client.closed or Close.RESTART)
            self._server.hub.leave(client)
            with contextlib.suppress(DBAPIError):
                self._server.disconnect(client)

    def _died(self) -> None:
        self._link.close()
