"""A house served by this process."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from tests.coroutines import run_async
from ventiuna.errors import VentiunaError
from ventiuna.server import serve
from ventiuna.server.serve import listen
from ventiuna.server.settings import settings_from


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
    """Otherwise the second part of a response waits 40 ms for the client's acknowledgment."""
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
