"""An application on the network, by uvicorn."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from fastapi import FastAPI

from ventiuna.server.headers import PromptHeaders
from ventiuna.server.heap import Heap
from ventiuna.server.settings import Settings
from ventiuna.server.workers import are_threads_busy

LONGEST_MESSAGE = 16_384  # bytes that are read at once; the socket of a table says what is too much
PING_EVERY = 20.0  # seconds
KEEP_ALIVE = 20
LONGEST_HEADERS = 16_384  # bytes
TICKS = 10  # of uvicorn, in a second
TURN = 0.0005  # seconds that a thread works on while another waits for its turn
INTERRUPTED = 130  # what a program returns that Ctrl-C ended
DRAIN = 10  # seconds that open requests get when the server ends


class Server(uvicorn.Server):
    """Ends in order: commands under way are answered before any connection is closed."""

    heap: Heap | None = None  # tended where the process does nothing else

    async def on_tick(self, counter: int) -> bool:
        if self.heap is not None and counter % TICKS == 0:
            self.heap.tend()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app = self.config.app
        if isinstance(app, FastAPI) and getattr(app.state, "tables", None) is not None:
            await app.state.tables.drain()
            # Who waits for an exact figure asks again; it would hold everybody up for seconds.
            app.state.services.studies.close()
            app.state.services.coach.close()
        await super().shutdown(sockets)


def server_for(app: FastAPI, settings: Settings) -> Server:
    """Ready to be run, in whatever loop."""
    return Server(
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            http=PromptHeaders,
            ws="websockets-sansio",
            ws_max_size=LONGEST_MESSAGE,
            ws_ping_interval=PING_EVERY,
            ws_per_message_deflate=False,
            access_log=False,  # addresses with their queries; we log routes ourselves
            log_config=None,
            server_header=False,
            proxy_headers=settings.behind_proxy,
            forwarded_allow_ips=list(settings.proxies),
            ssl_certfile=settings.tls_certificate or None,
            ssl_keyfile=settings.tls_key or None,
            h11_max_incomplete_event_size=LONGEST_HEADERS,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=DRAIN,
        )
    )


def unwind_on_sigterm() -> None:
    """SIGTERM ends this program as Ctrl-C does: whoever opened a house closes it.

    When uvicorn has ended in order it sends itself the signal once more, which would kill the
    process before its SQLite file is whole.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _unwind)


def _unwind(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit


@contextmanager
def leaving_threads_behind() -> Iterator[None]:
    """Around all that a process serves: when it is closed, nobody waits for a coach that compiles.

    Python itself would, for a minute where nothing was compiled before.
    """
    try:
        yield
    finally:
        ends = sys.exc_info()[1]
        if isinstance(ends, KeyboardInterrupt | SystemExit | None) and are_threads_busy():
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(INTERRUPTED if isinstance(ends, KeyboardInterrupt) else 0)


def prepare_to_serve(server: Server) -> None:
    """For a process that serves and does nothing else, once its application is made.

    Writer and event loop pass the interpreter's lock to each other quickly: each statement of a
    transaction lets it go and has to get it back.
    """
    server.heap = Heap()
    sys.setswitchinterval(TURN)
