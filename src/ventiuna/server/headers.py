"""HTTP connections that say what they want in good time.

uvicorn waits for ever for a request that has begun and whose headers never end: a few thousand of
them, a byte now and then, would use up all connections. Bodies have a limit of their own.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ventiuna.server.problems import MEDIA_TYPE, Problem
from ventiuna.texts import json_text

HEADERS_WITHIN = 10.0  # seconds from the first byte, of a new connection from its start


class PromptHeaders(H11Protocol):
    """Closes a connection whose next request is not told in time."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._start_timer()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE or not self.conn.trailing_data[0]:
            self._stop_timer()  # all of them are here; or nothing has begun

    def _start_timer(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(HEADERS_WITHIN, self._give_up)

    def _stop_timer(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        self._late = None
        if self.transport.is_closing():
            return
        if self.conn.trailing_data[0]:  # browsers open connections that they may not need
            self.transport.write(_answer())
        self.transport.close()


def _answer() -> bytes:
    sentence = f"The headers took more than {HEADERS_WITHIN:.0f} s to come."
    body = json_text(Problem(408, "too_slow", sentence).as_data(), None).encode()
    head = (
        f"HTTP/1.1 408 {HTTPStatus.REQUEST_TIMEOUT.phrase}\r\n"
        f"content-type: {MEDIA_TYPE}\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
