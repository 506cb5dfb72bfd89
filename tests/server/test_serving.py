"""A house served by this process."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, WebSocket
from uvicorn.server import ServerState

from tests.coroutines import run_async
from ventiuna.errors import VentiunaError
from ventiuna.server import serve
from ventiuna.server.serve import DirectWriteProtocol, build_server, listen
from ventiuna.server.settings import settings_from
from ventiuna.server.socket import DIRECT_WRITES


def test_a_house_that_fails_to_open_is_not_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for of_the_whole_process in ("unwind_on_sigterm", "write_logs"):
        monkeypatch.setattr(serve, of_the_whole_process, lambda: None)
    no_house = tmp_path / "house.sqlite"
    no_house.write_text("This is a letter and no database, however one looks at it.")
    told: list[str] = []
    with pytest.raises(VentiunaError):
        serve.serve_house(settings_from(database=str(no_house), port=0), 1, told.append)
    assert told == []


def test_small_responses_are_sent_at_once() -> None:
    """The second part of a response doesn't wait 40 ms for the client's acknowledgment."""
    delays: list[int] = []

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = writer.get_extra_info("socket")
        delays.append(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async def serve() -> None:
        listening = listen(settings_from(port=0))
        async with await asyncio.start_server(answer, sock=listening):
            port = listening.getsockname()[1]
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            await reader.read()
            writer.close()

    run_async(serve())
    assert delays == [1]


HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
)


class Wire(asyncio.Transport):
    """Records what a connection writes."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def taken(self) -> bytes:
        taken, self.written = self.written, b""
        return taken

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


def test_a_direct_write_sends_what_uvicorn_would_send() -> None:
    """The protocol class of uvicorn that we extend isn't documented, so an update may change it."""
    app, opened, over = FastAPI(), asyncio.Queue[WebSocket](), asyncio.Event()

    @app.websocket("/")
    async def live(socket: WebSocket) -> None:
        await socket.accept()
        await opened.put(socket)
        await over.wait()

    async def talk() -> None:
        config = build_server(app, settings_from(port=0)).config
        config.load()
        assert config.ws_protocol_class is DirectWriteProtocol
        wire, protocol = Wire(), DirectWriteProtocol(config, ServerState(), {})
        protocol.connection_made(wire)
        protocol.data_received(HANDSHAKE)
        accepted = await opened.get()
        write: Any = accepted.scope["extensions"][DIRECT_WRITES]["write"]
        assert wire.taken().startswith(b"HTTP/1.1 101")
        for text in ("", "A♠", "x" * 200, "x" * 70_000):
            await accepted.send_text(text)
            sent = wire.taken()
            assert (write(text), wire.taken()) == (True, sent)
        protocol.pause_writing()
        assert not write("The client is behind.")
        protocol.resume_writing()
        assert write("It has caught up.")
        wire.taken()
        await accepted.close()
        assert wire.taken()
        assert (write("It has left."), wire.taken()) == (False, b"")
        over.set()
        await asyncio.gather(*protocol.tasks)
        protocol.connection_lost(None)

    run_async(talk())


def test_nothing_is_written_to_a_lost_connection() -> None:
    async def lose() -> None:
        config = build_server(FastAPI(), settings_from(port=0)).config
        config.load()
        wire, protocol = Wire(), DirectWriteProtocol(config, ServerState(), {})
        protocol.connection_made(wire)
        wire.close()
        assert (protocol.write_text("Nobody is there."), wire.written) == (False, b"")

    run_async(lose())
