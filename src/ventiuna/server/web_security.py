"""Passwords, rate limits, and the middleware that every request passes through.

It checks host and origin, limits body size and time, sets security headers, and logs every request.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from threading import BoundedSemaphore
from urllib.parse import urlsplit

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ventiuna.server.idempotency import replayed
from ventiuna.server.problems import INTERNAL_ERROR, Problem, service_busy, too_many_requests
from ventiuna.server.settings import ServerSettings, is_loopback
from ventiuna.server.telemetry import Metrics, log, log_failure, request_facts
from ventiuna.table import accounts
from ventiuna.table.store.connection import Store

MAX_CONCURRENT_HASHES = 2  # each takes 64 MiB and keeps a core busy
MAX_WAITING_HASHES = 8  # a flood of sign-ins must not occupy every thread


class PasswordService:
    """Hashes and verifies passwords; releases the GIL while working."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._turn = BoundedSemaphore(MAX_CONCURRENT_HASHES)
        self._room = BoundedSemaphore(MAX_CONCURRENT_HASHES + MAX_WAITING_HASHES)

    def hashed(self, password: str) -> str:
        with self._slot():
            return self._hasher.hash(password)

    def fits(self, password: str, hashed: str | None) -> bool:
        """Check a password; without a hash, fail just as slowly so that timing reveals no names."""
        with self._slot():
            try:
                self._hasher.verify(hashed or self._nobodys, password)
            except (VerificationError, InvalidHashError):
                return False
            return hashed is not None

    @cached_property
    def _nobodys(self) -> str:
        return self._hasher.hash("nobody has this password")

    @contextmanager
    def _slot(self) -> Iterator[None]:
        if not self._room.acquire(blocking=False):
            raise service_busy("Sign-in is")
        try:
            with self._turn:
                yield
        finally:
            self._room.release()


IPV6_PREFIX = 64  # a household can use any number of addresses within this prefix


class RateLimit:
    """Limits requests per period from each address; the allowance refills gradually."""

    def __init__(
        self, store: Store, what: str, maximum: int, seconds: float, now: Callable[[], int]
    ) -> None:
        self._store = store
        self._what = what
        self._most = maximum
        self._per = round(seconds * 1000)
        self._now = now  # milliseconds since 1970

    def take(self, address: str) -> None:
        """Count one request; raises if there are too many.

        Call this in a thread, because it queries the database.
        """
        with self._store.write() as connection:
            wait = accounts.use_rate_limit(
                connection,
                self._what,
                client_network(address),
                maximum=self._most,
                per=self._per,
                now=self._now(),
            )
        if wait:
            sentence = f"Too many {self._what} from your address. Wait a while."
            raise too_many_requests(sentence, wait / 1000)


def client_network(address: str) -> str:
    """The IPv4 address, or the network of one IPv6 household."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        if mapped is not None:
            return str(mapped)
        return str(ipaddress.ip_network((found, IPV6_PREFIX), strict=False))
    return str(found)


READ_ONLY = ("GET", "HEAD", "OPTIONS")
BODY_WITHIN = 20.0  # seconds
CLOSE_FORBIDDEN = 4003  # WebSocket close code
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


class AllowedOrigins:
    """Checks whether a host and an origin are ours.

    A page on another site can make a browser send requests here, and if the attacker's domain
    points at 127.0.0.1, they would look like our own. So both host and origin must be on a list.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._origins = frozenset(origin.lower() for origin in settings.origins)
        self._hosts = frozenset(urlsplit(origin).netloc for origin in self._origins)

    def knows_host(self, host: str) -> bool:
        return host.lower() in self._hosts or is_loopback(_host_name(host))

    def knows_origin(self, origin: str, host: str) -> bool:
        """Whether the origin is on the list, or is this server itself on the local machine."""
        requested = origin.lower()
        if requested in self._origins:
            return True
        parts = urlsplit(requested)
        return is_loopback(_host_name(host)) and parts.netloc == host.lower()


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class OriginCheck:
    """Rejects unknown hosts, and changes or sockets requested by pages on other sites."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._doors = AllowedOrigins(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        problem = self._problem(scope) if scope["type"] in ("http", "websocket") else None
        if problem is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await problem.send(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": CLOSE_FORBIDDEN})

    def _problem(self, scope: Scope) -> Problem | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._doors.knows_host(host):
            return Problem(421, "unknown_host", "This server doesn't serve that host.")
        is_change = scope["type"] == "websocket" or scope["method"] not in READ_ONLY
        if is_change and origin is not None and not self._doors.knows_origin(origin, host):
            return Problem(
                403, "foreign_origin", "Pages on other sites can't change anything here."
            )
        return None


TOO_SLOW = Problem(
    408,
    "too_slow",
    f"The request took more than {BODY_WITHIN:.0f} seconds to arrive.",
    headers={"Connection": "close"},  # don't wait for the rest of the body either
)


class BodyLimit:
    """Rejects bodies that exceed the size limit or take too long."""

    def __init__(self, app: ASGIApp, maximum: int) -> None:
        self._app = app
        self._most = maximum
        self._problem = Problem(
            413, "too_large", f"The request is larger than {maximum:,} bytes. Send less."
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "0")
        if not declared.isdecimal() or len(declared) > 18 or int(declared) > self._most:
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
            read: Message = {"type": "http.request", "body": body, "more_body": False}
            await self._app(scope, replayed(read, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The whole body, or None if it is too long, whatever its header says."""
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(body)  # the client disconnected
            body += message.get("body", b"")
            if len(body) > self._most:
                return None
            if not message.get("more_body", False):
                return bytes(body)


class SecurityHeaders:
    """Adds security headers to every response."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
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


class RequestLogging:
    """Logs and counts each request; answers unexpected failures without details.

    X-Request-Id on the response matches the id in the request's log lines.
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
            facts = {
                "route": route_pattern(scope),
                "method": scope["method"],
                **request_facts(scope),
            }
            log_failure("request_failed", error, **facts)
            if status:
                raise  # part of the answer was already sent, so uvicorn closes the connection
            await INTERNAL_ERROR.send(scope, receive, watch)
        seconds = self._clock() - started
        route = route_pattern(scope)
        self._metrics.count_request(route, scope["method"], status, seconds)
        facts = {"route": route, "method": scope["method"], "status": status}
        facts |= {"ms": round(1000 * seconds, 1), **request_facts(scope)}
        if "code" in state:
            facts["reason"] = state["code"]
        log("request", logging.INFO, **facts)


def route_pattern(scope: Scope) -> str:
    """The route's pattern, because the URL may contain anything."""
    route = scope.get("route")
    return getattr(route, "path", "") or "none"
