"""One house, one process, one SQLite file, for whoever starts it on this machine."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ventiuna.server.app import create_app
from ventiuna.server.first_use import FirstTable, OwnerLink, prepare
from ventiuna.server.house import OpenHouse, open_house
from ventiuna.server.listening import listen
from ventiuna.server.logs import write_logs
from ventiuna.server.running import (
    Server,
    leaving_threads_behind,
    prepare_to_serve,
    server_for,
    unwind_on_sigterm,
)
from ventiuna.server.settings import Settings, settings_from
from ventiuna.server.welcome import welcome_with
from ventiuna.table.ports import SystemClock

LOG_LEVEL = 30  # warnings: the terminal belongs to who plays

Started = Callable[[str, str], None]  # the address, and the link of the owner


@dataclass(frozen=True, slots=True)
class OwnHouse:
    file: Path
    port: int
    first: FirstTable


def serve_own_house(own: OwnHouse, started: Started) -> None:
    """Until somebody ends it; commands under way are answered first."""
    settings = settings_from(database=str(own.file), port=own.port, host="127.0.0.1")
    own.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    unwind_on_sigterm()
    listening = listen(settings)
    write_logs(level=LOG_LEVEL)
    opened = open_house(settings)
    with leaving_threads_behind():
        try:
            _serve(own, settings, opened, listening, started)
        finally:
            opened.store.close()
            listening.close()


def _serve(
    own: OwnHouse,
    settings: Settings,
    opened: OpenHouse,
    listening: socket.socket,
    started: Started,
) -> None:
    clock = SystemClock()
    with opened.store.write() as connection:
        owner = prepare(connection, opened.house, own.first, settings.welcome, clock, os.urandom)
    link = OwnerLink(owner.id)
    app = create_app(
        settings, opened.store, opened.house, welcome=welcome_with(settings.welcome), owner=link
    )
    server = server_for(app, settings)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    prepare_to_serve(server)
    asyncio.run(_run(server, listening, lambda: started(address, f"{address}#owner={link.token}")))


async def _run(server: Server, listening: socket.socket, started: Callable[[], None]) -> None:
    serving = asyncio.create_task(server.serve([listening]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.05)
    if server.started:
        started()
    await serving
