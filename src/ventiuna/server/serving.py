"""A house served by one process or, on PostgreSQL, by several that share a port."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import socket
import time
from collections.abc import Callable
from multiprocessing.context import SpawnProcess
from threading import Event

from ventiuna.server.app import create_app
from ventiuna.server.house import open_house
from ventiuna.server.listening import listen
from ventiuna.server.logs import log, write_logs
from ventiuna.server.running import (
    leaving_threads_behind,
    prepare_to_serve,
    server_for,
    unwind_on_sigterm,
)
from ventiuna.server.settings import Settings, SettingsError
from ventiuna.server.welcome import welcome_with

LOOK_EVERY = 0.5  # seconds, at the processes
QUICK_DEATH = 5.0  # seconds; one that dies sooner is not started again at once


def serve_house(settings: Settings, workers: int, started: Callable[[str], None]) -> None:
    """Until a signal ends it."""
    if not settings.database:
        raise SettingsError("database: give postgresql://… or the path of a SQLite file.")
    if workers > 1 and "://" not in settings.database:
        raise SettingsError(
            f"workers {workers}: a SQLite file is served by one process. Use PostgreSQL for more."
        )
    listening = listen(settings)
    scheme = "https" if settings.has_tls else "http"
    address = f"{scheme}://{settings.host}:{listening.getsockname()[1]}/"
    try:
        if workers == 1:
            serve_here(settings, listening, lambda: started(address))
        else:
            open_house(settings).store.close()  # what is wrong is told once, before any starts
            started(address)
            _serve_there(settings, workers, listening)
    finally:
        listening.close()


def serve_here(
    settings: Settings, listening: socket.socket, opened_well: Callable[[], None]
) -> None:
    unwind_on_sigterm()
    write_logs()
    opened = open_house(settings)
    opened_well()
    with leaving_threads_behind():
        try:
            welcome = welcome_with(settings.welcome)
            app = create_app(settings, opened.store, opened.house, welcome=welcome)
            server = server_for(app, settings)
            prepare_to_serve(server)
            asyncio.run(server.serve([listening]))
        finally:
            opened.store.close()


# --- several processes ------------------------------------------------------------------------


def _serve_there(settings: Settings, workers: int, listening: socket.socket) -> None:
    """One that dies is started again; the others go on meanwhile."""
    ended = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    context = multiprocessing.get_context("spawn")

    def begin() -> SpawnProcess:
        made = context.Process(target=_serve_in_worker, args=(settings, listening))
        made.start()
        return made

    processes = [(begin(), time.monotonic()) for _ in range(workers)]
    while not ended.wait(LOOK_EVERY):
        for place, (process, since) in enumerate(processes):
            if not process.is_alive() and time.monotonic() - since > QUICK_DEATH:
                log("worker_died", code=process.exitcode)
                processes[place] = begin(), time.monotonic()
    for process, _ in processes:
        process.terminate()  # SIGTERM: it drains
    for process, _ in processes:
        process.join()


def _serve_in_worker(settings: Settings, listening: socket.socket) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends us
    serve_here(settings, listening, lambda: None)  # the first process has told it
