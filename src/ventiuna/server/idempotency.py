"""A request that is sent again with its key is answered again, not done again.

Answers are kept in this process for a quarter of an hour, tokens among them, and never written
down. Commands of a table have keys of their own, which the books keep for ever.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ventiuna.server.problems import Problem

HEADER = "idempotency-key"
REPLAYED = (b"idempotency-replayed", b"true")
LONGEST_KEY = 64
SHORTEST_STRANGERS_KEY = 16  # nobody may guess the key of somebody without a token
KEPT_FOR = 900.0  # seconds
MOST_KEPT = 2_000
LONGEST_ANSWER = 65_536  # bytes

BAD_KEY = Problem(
    422,
    "bad_key",
    f"Idempotency-Key: give 1 to {LONGEST_KEY} printable characters, and without a token at least "
    f"{SHORTEST_STRANGERS_KEY}.",
)
KEY_REUSED = Problem(
    409, "key_reused", "This Idempotency-Key came with another request before: take a new one."
)

Key = tuple[str, str]


@dataclass(slots=True)
class _Kept:
    """A request that came with a key, and its answer when there is one."""

    request: bytes
    since: float
    done: asyncio.Event = field(default_factory=asyncio.Event)
    answer: list[Message] = field(default_factory=list)


class Idempotency:
    """For POST with the header Idempotency-Key."""

    def __init__(self, app: ASGIApp, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._clock = clock
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = Headers(scope=scope).get(HEADER) if _is_post(scope) else None
        if given is None:
            await self._app(scope, receive, send)
            return
        key = _key(scope, given)
        if key is None:
            await BAD_KEY.send(scope, receive, send)
            return
        first = await receive()  # the whole body: its limit has seen to that
        request = _fingerprint(scope, first.get("body", b""))
        self._forget_old()
        kept = self._kept.get(key)
        if kept is not None and kept.request != request:
            await KEY_REUSED.send(scope, receive, send)
        elif kept is not None and await _answered_again(kept, send):
            return
        else:
            await self._answer(key, request, scope, _with_first(first, receive), send)

    async def _answer(
        self, key: Key, request: bytes, scope: Scope, receive: Receive, send: Send
    ) -> None:
        kept = self._kept[key] = _Kept(request, self._clock())
        sent: list[Message] = []

        async def watch(message: Message) -> None:
            sent.append(message)
            await send(message)

        try:
            await self._app(scope, receive, watch)
            if _is_worth_keeping(sent):
                kept.answer = sent
        finally:
            kept.done.set()
            if not kept.answer and self._kept.get(key) is kept:
                del self._kept[key]  # it failed: the next one tries again

    def _forget_old(self) -> None:
        now = self._clock()
        while self._kept:
            oldest = next(iter(self._kept.values()))
            if now - oldest.since < KEPT_FOR and len(self._kept) < MOST_KEPT:
                return
            self._kept.popitem(last=False)


def _is_post(scope: Scope) -> bool:
    return bool(scope["type"] == "http" and scope["method"] == "POST")


def _key(scope: Scope, given: str) -> Key | None:
    token = Headers(scope=scope).get("authorization")
    client = scope.get("client")
    least = 1 if token else SHORTEST_STRANGERS_KEY
    if not least <= len(given) <= LONGEST_KEY or not given.isprintable():
        return None
    whose = hashlib.sha256(token.encode()).hexdigest() if token else f"from {client and client[0]}"
    return whose, given


def _fingerprint(scope: Scope, body: bytes) -> bytes:
    head = f"{scope['path']}\n{scope['query_string'].decode('latin-1')}\n"
    return hashlib.sha256(head.encode() + body).digest()


async def _answered_again(kept: _Kept, send: Send) -> bool:
    """Wait for the first one's answer and give it too; False where there is none to keep."""
    await kept.done.wait()
    for message in kept.answer:
        if message["type"] == "http.response.start":
            await send({**message, "headers": [*message["headers"], REPLAYED]})
        else:
            await send(message)
    return bool(kept.answer)


def _is_worth_keeping(sent: list[Message]) -> bool:
    """Whole, not too long, and not one that another try may change."""
    if not sent or sent[-1].get("more_body", False):
        return False
    status = sent[0].get("status", 500)
    return (
        status < 500
        and status not in (401, 429)
        and sum(len(message.get("body", b"")) for message in sent) <= LONGEST_ANSWER
    )


def _with_first(first: Message, receive: Receive) -> Receive:
    parts = [first]

    async def next_message() -> Message:
        return parts.pop() if parts else await receive()

    return next_message
