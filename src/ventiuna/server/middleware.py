"""What every request and answer passes: host, origin, size, headers, log, last resort."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ventiuna.server.logs import facts_of, log, log_failure
from ventiuna.server.metrics import Metrics
from ventiuna.server.problems import FAULT, Problem
from ventiuna.server.settings import Settings, is_loopback

READ_ONLY = ("GET", "HEAD", "OPTIONS")
BODY_WITHIN = 20.0  # seconds
NOT_ALLOWED = 4003  # close code of a socket
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "media-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
TRANSPORT_SECURITY = "max-age=31536000"


class Doors:
    """Whether a host and an origin are ours.

    A page of another site may make a browser send requests here, and a name that an attacker
    points at 127.0.0.1 would make them look like our own: so both are compared with a list.
    """

    def __init__(self, settings: Settings) -> None:
        self._origins = frozenset(origin.lower() for origin in settings.origins)
        self._hosts = frozenset(urlsplit(origin).netloc for origin in self._origins)

    def knows_host(self, host: str) -> bool:
        return host.lower() in self._hosts or is_loopback(_name_of(host))

    def knows_origin(self, origin: str, host: str) -> bool:
        """None that we don't know; on this machine only a page of this very server."""
        asked = origin.lower()
        if asked in self._origins:
            return True
        parts = urlsplit(asked)
        return is_loopback(_name_of(host)) and parts.netloc == host.lower()


def _name_of(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class DoorCheck:
    """Refuses unknown hosts, and changes or sockets that another site's page asks for."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._doors = Doors(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        problem = self._problem(scope) if scope["type"] in ("http", "websocket") else None
        if problem is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await problem.send(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": NOT_ALLOWED})

    def _problem(self, scope: Scope) -> Problem | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._doors.knows_host(host):
            return Problem(421, "unknown_host", "This server does not answer for that host.")
        is_change = scope["type"] == "websocket" or scope["method"] not in READ_ONLY
        if is_change and origin is not None and not self._doors.knows_origin(origin, host):
            return Problem(403, "foreign_origin", "Pages of other sites may change nothing here.")
        return None


TOO_SLOW = Problem(
    408,
    "too_slow",
    f"The request took more than {BODY_WITHIN:.0f} s to come.",
    headers={"Connection": "close"},  # the rest of it is not waited for either
)


class BodyLimit:
    """Refuses bodies that are longer than anything we ask for, or that never end."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most
        self._problem = Problem(
            413, "too_large", f"The request is longer than {most:,} bytes: send less."
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = Headers(scope=scope).get("content-length", "0")
        if not told.isdecimal() or len(told) > 18 or int(told) > self._most:
            await self._problem.send(scope, receive, send)
            return
        try:
            async with asyncio.timeout(BODY_WITHIN):
                body = await self._read(receive)
        except TimeoutError:
            await TOO_SLOW.send(scope, receive, send)
            return
        if body is None:
            await self._problem.send(scope, receive, send)
        else:
            await self._app(scope, _again(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The whole body; None where it is too long, whatever its header said."""
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(body)  # the client is gone
            body += message.get("body", b"")
            if len(body) > self._most:
                return None
            if not message.get("more_body", False):
                return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """Hands out a body that was read already, then what comes behind it."""
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return parts.pop() if parts else await receive()

    return next_message


class SafeHeaders:
    """Headers that browsers keep to, on every answer."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._headers = dict(SECURITY_HEADERS)
        if settings.is_secure:
            self._headers["Strict-Transport-Security"] = TRANSPORT_SECURITY

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, send_safely)


class LastResort:
    """Logs and counts each request; answers unexpected failures without details.

    Each response has its request's id in X-Request-Id, as do its log lines.
    """

    def __init__(
        self, app: ASGIApp, metrics: Metrics, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = self._clock()
        status = 0
        state = scope.setdefault("state", {})
        number = state["request"] = secrets.token_hex(8)

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = number
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except Exception as error:
            facts = {"route": route_of(scope), "method": scope["method"], **facts_of(scope)}
            log_failure("request_failed", error, **facts)
            if status:
                raise  # half an answer is out: uvicorn ends the connection
            await FAULT.send(scope, receive, watch)
        seconds = self._clock() - started
        route = route_of(scope)
        self._metrics.count_request(route, scope["method"], status, seconds)
        facts = {"route": route, "method": scope["method"], "status": status}
        facts |= {"ms": round(1000 * seconds, 1), **facts_of(scope)}
        if "code" in state:
            facts["reason"] = state["code"]
        log("request", logging.INFO, **facts)


def route_of(scope: Scope) -> str:
    """The route's pattern: an address itself may hold anything."""
    route = scope.get("route")
    return getattr(route, "path", "") or "none"
