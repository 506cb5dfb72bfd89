"""A table's WebSocket: hello, then events, answers, and personal messages.

docs/socket.md describes every message. A client first sends `hello`, with a token to play or
without one to watch. Before the token expires, the client sends `hello` again with a new token,
because a socket never outlives its token.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import Refused
from ventiuna.server.hub import Client, Close
from ventiuna.server.live_tables import Tables, actor_for, check_table_owner
from ventiuna.server.schemas import PROTOCOL, BadMessage, CommandMessage, Hello, read_message
from ventiuna.server.telemetry import log_database_error, log_failure
from ventiuna.server.web_security import client_network
from ventiuna.table.accounts import TokenStatus, digest_of, valid_tokens
from ventiuna.table.admin import owner_of_table
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.commands import TableCommand
from ventiuna.table.domain.state import SeatStatus
from ventiuna.table.store.statements import DATABASE_ERRORS, DatabaseError, unavailable_reason
from ventiuna.table.writer import CommandOutcome, CommandRequest, Done, Refusal, check_key

HELLO_TIMEOUT = 5.0  # seconds
GOODBYE_TIMEOUT = 2.0
MAX_MESSAGE_LENGTH = 4096  # bytes
MAX_MESSAGES_PER_SECOND = 20
MAX_REASON_LENGTH = 123  # bytes in a close frame
DIRECT_WRITES = "ventiuna.direct_writes"  # a feature of our own server's connections
# The client disconnected, or we sent after closing.
DISCONNECTED = (WebSocketDisconnect, RuntimeError)

router = APIRouter()


class MessageRateLimit:
    """Limits the number of messages per second."""

    def __init__(self) -> None:
        self._left = float(MAX_MESSAGES_PER_SECOND)
        self._since = time.monotonic()

    def allows_one(self) -> bool:
        now = time.monotonic()
        self._left = min(
            MAX_MESSAGES_PER_SECOND, self._left + (now - self._since) * MAX_MESSAGES_PER_SECOND
        )
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def request_of(message: CommandMessage, client: Client, table: int) -> CommandRequest:
    """The request of a command message; raises `Refused` if this client can't send it."""
    check_key(message.key)
    if client.actor is None:
        raise _not_allowed("Spectators can't play. Sign in first.")
    command, window = message.table_command(), _window_number(client)
    return CommandRequest(
        table, client.actor, message.key, command, message.ask, window, message.sent
    )


def _window_number(client: Client) -> int | None:
    """This connection's number among its seat's connections.

    A connection without a seat has 0, so it can't act for a seat that the same person took in
    another window. None while the number is being assigned.
    """
    if client.number is not None:
        return client.number
    return 0 if client.seat is None and not client.asks_for_seat else None


def _not_allowed(sentence: str) -> Refused:
    return Refused(RefusalCode.NOT_ALLOWED, (), sentence)


class Connection:
    def __init__(self, socket: WebSocket, tables: Tables, table: int) -> None:
        self._socket = socket
        self._tables = tables
        self._table = table
        self._wake = asyncio.Event()
        self._placed = asyncio.Event()  # set once the connection that plays the seat is known
        self._client: Client | None = None
        self._owner_of_table: int | None = None
        self._speed = MessageRateLimit()

    async def run(self) -> None:
        try:
            await self._run()
        except DATABASE_ERRORS as error:
            self._log_away(error)
            with contextlib.suppress(*DISCONNECTED):
                await self._socket.close(Close.AWAY, unavailable_reason(error))

    def _log_away(self, error: DatabaseError) -> None:
        actor = self._client.actor if self._client else None
        log_database_error(error, table=self._table, person=actor.person if actor else None)

    async def _run(self) -> None:
        hello = await self._hello()
        if hello is None:
            return
        status = await self._token_status(hello.token)
        if hello.token is not None and status is None:
            await self._socket.close(Close.NOT_ALLOWED, "Your session has expired. Sign in again.")
            return
        actor = actor_for(status.person) if status else None
        write = self._socket.scope.get("extensions", {}).get(DIRECT_WRITES, {}).get("write")
        client = Client(self._table, actor, self._wake.set, write)
        if hello.token is not None and status is not None:
            client.token, client.token_until = digest_of(hello.token), status.until
        self._client = client
        how = await self._tables.join(client, hello.from_)
        if how is None:
            await self._socket.close(Close.NOT_ALLOWED, "There is no such table.")
            return
        if hello.from_ is not None:
            self._tables.metrics.resumes.labels(how).inc()
        await self._serve(client)

    async def _serve(self, client: Client) -> None:
        """Serve a client that has joined, and remove it when the connection ends."""
        role = str(client.actor.role) if client.actor else "onlooker"
        sockets = self._tables.metrics.sockets.labels(role)
        sockets.inc()
        sender = asyncio.create_task(self._send(client))
        receiver = asyncio.create_task(self._receive(client))
        try:
            owner = await self._tables.read(lambda conn: owner_of_table(conn, self._table))
            self._owner_of_table = owner
            await self._take_place(client)
            self._placed.set()
            await self._tables.send_private_data(client)
            await self._tables.send_meters(client)
            self._tables.hub.send_attendance(client)
            await asyncio.wait((sender, receiver), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._tables.hub.leave(client)
            sockets.dec()
            if client.closed is Close.TOO_SLOW:
                self._tables.metrics.slow_clients.inc()
            await self._end(client, sender, receiver)
            client.gone = True
            if client.seat is not None and client.number is not None:
                await self._tables.disconnect(self._table, client.seat, client.number)

    async def _end(
        self, client: Client, sender: asyncio.Task[None], receiver: asyncio.Task[None]
    ) -> None:
        """Let a dismissed client receive its last message, if possible, and end both tasks."""
        if client.closed is not None:
            await asyncio.wait((sender,), timeout=GOODBYE_TIMEOUT)
        for task in (sender, receiver):
            task.cancel()
        for ended in await asyncio.gather(sender, receiver, return_exceptions=True):
            if isinstance(ended, Exception) and not isinstance(ended, DISCONNECTED):
                log_failure("socket_failed", ended, table=self._table)

    async def _hello(self) -> Hello | None:
        try:
            text = await asyncio.wait_for(self._text(), HELLO_TIMEOUT)
            if text is None:
                raise BadMessage("A message can't be longer than 4 kB.")
            message = read_message(text)
            if isinstance(message, Hello):
                return message
            reason = "Send hello first."
        except TimeoutError:
            reason = "Send hello first."
        except BadMessage as error:
            reason = str(error).encode()[:MAX_REASON_LENGTH].decode(errors="ignore")
        await self._socket.close(Close.NO_HELLO, reason)
        return None

    async def _text(self) -> str | None:
        """The next message, or None if it is too long."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        text = message.get("text")
        if text is None:
            raise BadMessage("Send messages as JSON text, not as bytes.")
        return text if len(text.encode()) <= MAX_MESSAGE_LENGTH else None

    async def _token_status(self, token: str | None) -> TokenStatus | None:
        if token is None:
            return None
        digest, now = digest_of(token), self._tables.clock.now()
        valid = await self._tables.read(lambda conn: valid_tokens(conn, [digest], now))
        return valid.get(digest)

    async def _renew_token(self, client: Client, hello: Hello) -> None:
        """Extend the socket's life with a new token from the same person."""
        status = await self._token_status(hello.token)
        if status is None:
            self._refuse(
                client,
                "",
                _not_allowed("hello: the token is invalid or has expired. Get a new one."),
            )
        elif client.actor is None or client.actor.person != str(status.person.id):
            self._refuse(
                client,
                "",
                _not_allowed(
                    "hello: the token belongs to someone else. Open another socket for it."
                ),
            )
        else:
            assert hello.token is not None, "a person with a valid token"
            client.token, client.token_until = digest_of(hello.token), status.until
            client.actor = actor_for(status.person)
            await self._tables.send_private_data(client)

    async def _take_place(self, client: Client) -> None:
        """Play the person's seat, if there is one, from this connection."""
        state = await self._tables.state(self._table) if client.actor else None
        if client.actor is None or state is None:
            return
        seat = state.seat_of(client.actor.person)
        if seat is None:
            return
        client.seat = seat.number
        client.number = await self._tables.connect(self._table, seat.number)
        self._tables.hub.replace(client)
        if seat.status is SeatStatus.AWAY:
            key = f"back/{self._table}/{client.number}"
            self._tables.submit(CommandRequest(self._table, client.actor, key, do.ComeBack()))

    async def _send(self, client: Client) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            for text in client.take():
                await self._socket.send_text(text)
            if client.closed is not None:
                await self._socket.close(client.closed)
                return

    async def _receive(self, client: Client) -> None:
        # otherwise, a seat taken in the meantime would get two connection numbers
        await self._placed.wait()
        while client.closed is None:
            try:
                text = await self._text()
            except BadMessage as error:
                self._refuse(client, "", error)
                text = ""
            if text is None or not self._speed.allows_one():
                client.close(Close.TOO_MUCH)
            elif text:
                self._handle(client, text)
        await asyncio.Event().wait()  # wait here while the sending task sends the goodbye

    def _handle(self, client: Client, text: str) -> None:
        key = ""
        try:
            message = read_message(text)
            if isinstance(message, Hello):
                self._tables.spawn(self._renew_token(client, message))
                return
            key = message.key
            request = request_of(message, client, self._table)
            if isinstance(request.command, do.TakeSeat):
                check_table_owner(self._owner_of_table, request.actor.person)
        except BadMessage as error:
            self._refuse(client, error.key, error)
            return
        except Refused as error:
            self._refuse(client, key, error)
            return
        if isinstance(request.command, do.TakeSeat):
            client.asks_for_seat = True
        self._tables.answers.run(
            request,
            client,
            self._tables.submit,
            lambda outcome: self._answer(client, request, outcome),
        )

    def _refuse(self, client: Client, key: str, error: BadMessage | Refused) -> None:
        code = error.code if isinstance(error, Refused) else RefusalCode.BAD_COMMAND
        reason = error.message if isinstance(error, Refused) else str(error)
        rules = error.rules if isinstance(error, Refused) else ()
        self._tables.hub.answer(client, Refusal(self._table, key, code, reason, rules))

    def _answer(self, client: Client, request: CommandRequest, outcome: CommandOutcome) -> None:
        if isinstance(request.command, do.TakeSeat) and isinstance(outcome, Refusal):
            client.asks_for_seat = False
        self._tables.hub.answer(client, outcome)
        if isinstance(outcome, Done):
            self._follow_seat(client, request.command)

    def _follow_seat(self, client: Client, command: TableCommand) -> None:
        if isinstance(command, do.TakeSeat):
            client.seat = command.seat
            self._tables.spawn(self._sit(client, command.seat))
        elif isinstance(command, do.BuyChips | do.CashOut | do.LeaveSeat):
            self._tables.spawn(self._tables.send_private_data(client))

    async def _sit(self, client: Client, seat: int) -> None:
        try:
            client.number = await self._tables.connect(self._table, seat)
        except DATABASE_ERRORS as error:  # the seat has no connected client
            self._log_away(error)
            client.close(Close.AWAY)
            return
        # the client left before getting its number, so nothing else starts the seat's hold
        if client.gone:
            await self._tables.disconnect(self._table, seat, client.number)
            return
        self._tables.hub.replace(client)
        await self._tables.send_private_data(client)


@router.websocket("/tables/{table}/live")
async def live(socket: WebSocket, table: int) -> None:
    """Everything that happens at a table, and a signed-in player's seat."""
    tables: Tables = socket.app.state.tables
    if PROTOCOL not in socket.scope.get("subprotocols", []):
        await socket.accept()
        await socket.close(Close.VERSION, f"This server supports only {PROTOCOL}.")
        return
    await socket.accept(subprotocol=PROTOCOL)
    address = client_network(socket.client.host if socket.client else "")
    open_sockets: Counter[str] = socket.app.state.open_sockets
    if open_sockets[address] >= socket.app.state.services.settings.sockets_per_address:
        await socket.close(Close.TOO_MUCH, "Too many connections from your address. Close some.")
        return
    open_sockets[address] += 1
    try:
        await _connected(socket, tables, table)
    finally:
        open_sockets[address] -= 1
        if not open_sockets[address]:
            del open_sockets[address]


async def _connected(socket: WebSocket, tables: Tables, table: int) -> None:
    with contextlib.suppress(WebSocketDisconnect):
        await Connection(socket, tables, table).run()
