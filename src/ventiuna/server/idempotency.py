"""Handles repeated requests: the same sender and key get the same answer.

The books keep every committed command's key forever and have the final say. For a while, `Answers`
remembers items that the books don't record: requests in progress, refusals, and responses to HTTP
requests. A table command counts as the same command over a socket and over HTTP.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import Refused
from ventiuna.server.problems import Problem
from ventiuna.table.journal import key_reused
from ventiuna.table.ledger import LONGEST_KEY
from ventiuna.table.writer import CommandOutcome, CommandRequest, Refusal, refusal_of

ANSWERS_KEPT_FOR = 900.0  # seconds
MAX_ANSWERS_KEPT = 4_096

Name: TypeAlias = tuple[str, str]  # sender and key
Content: TypeAlias = Callable[[], bytes]  # computed only to compare two requests
OutcomeCallback: TypeAlias = Callable[[CommandOutcome], None]


@dataclass(slots=True, eq=False)
class Answer:
    """A running request, or its answer."""

    content: Content
    since: float
    value: Any = None  # None while the request is running, or if there is no answer to repeat
    waiting: dict[object, Callable[[], None]] = field(default_factory=dict)


class Answers:
    """Recent answers by sender and key, used only on the event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._answers: OrderedDict[Name, Answer] = OrderedDict()

    def run(
        self,
        request: CommandRequest,
        waiter: object,
        submit: Callable[[CommandRequest, OutcomeCallback], None],
        sink: OutcomeCallback,
    ) -> None:
        """Submit a command, unless a copy of it is running or was refused.

        Each waiter gets one outcome, no matter how many copies it sends in the meantime.
        """
        name = request.actor.name, request.key
        try:
            known = self.find(name, request.content)
        except Refused as error:
            sink(refusal_of(request, error))
            return
        if known is None:
            started = self.start(name, request.content)
            started.waiting[waiter] = lambda: None

            def answered(outcome: CommandOutcome) -> None:
                self.finish(name, started, outcome if _is_final(outcome) else None)
                sink(outcome)

            submit(request, answered)
        elif known.value is not None:
            sink(known.value)
        else:
            known.waiting.setdefault(waiter, partial(self.run, request, waiter, submit, sink))

    def find(self, name: Name, content: Content) -> Answer | None:
        """The same request, if it was sent before; refuses a key used for another request."""
        known = self._answers.get(name)
        if known is not None and known.content() != content():
            raise key_reused()
        return known

    def start(self, name: Name, content: Content) -> Answer:
        """Record that a request is running."""
        now = self._clock()
        while self._answers:
            oldest = next(iter(self._answers.values()))
            if now - oldest.since < ANSWERS_KEPT_FOR and len(self._answers) < MAX_ANSWERS_KEPT:
                break
            self._answers.popitem(last=False)
        started = self._answers[name] = Answer(content, now)
        return started

    def finish(self, name: Name, started: Answer, value: Any) -> None:
        """Store the answer to a request; without an answer, waiting copies run on their own."""
        started.value = value
        if value is None and self._answers.get(name) is started:
            del self._answers[name]
        waiting, started.waiting = started.waiting, {}
        for go_on in waiting.values():
            go_on()

    def clear(self) -> None:
        """Forget everything, as a restart would."""
        self._answers.clear()


def _is_final(outcome: CommandOutcome) -> bool:
    """Whether to remember an outcome.

    Only refusals are remembered, because the books record committed commands. Two
    kinds of refusals aren't remembered: a command from the wrong window may be resent from the
    right one, and a reused key belongs to the command that used it first.
    """
    resendable = (RefusalCode.OTHER_CLIENT, RefusalCode.KEY_REUSED)
    return isinstance(outcome, Refusal) and outcome.code not in resendable


HEADER = "idempotency-key"
REPLAYED_HEADER = (b"idempotency-replayed", b"true")
MIN_ANONYMOUS_KEY_SIZE = 16  # a key used without a token must be impossible to guess
MAX_ANSWER_BYTES = 65_536

BAD_KEY = Problem(
    422,
    "bad_key",
    f"Idempotency-Key must have 1 to {LONGEST_KEY} printable characters, and at least "
    f"{MIN_ANONYMOUS_KEY_SIZE} without a token.",
)
KEY_REUSED = Problem(
    409, "key_reused", "This Idempotency-Key was already used for another request. Use a new one."
)


class Idempotency:
    """Replays the first answer when a POST repeats its Idempotency-Key header.

    Senders are identified by token, or by address if they have none, because some answers contain
    tokens.
    """

    def __init__(self, app: ASGIApp, answers: Answers) -> None:
        self._app = app
        self._answers = answers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_post = scope["type"] == "http" and scope["method"] == "POST"
        key = Headers(scope=scope).get(HEADER) if is_post else None
        if key is None:
            await self._app(scope, receive, send)
            return
        name = _name(scope, key)
        if name is None:
            await BAD_KEY.send(scope, receive, send)
            return
        first = await receive()  # the whole body, already checked by BodyLimit
        address = f"{scope['path']}\n{scope['query_string'].decode('latin-1')}\n"
        request = hashlib.sha256(address.encode() + first.get("body", b"")).digest()
        try:
            while known := self._answers.find(name, lambda: request):
                await _finished(known)
                if known.value is not None:
                    await _replay_answer(known.value, send)
                    return
        except Refused:
            await KEY_REUSED.send(scope, receive, send)
            return
        await self._answer(name, request, scope, replayed(first, receive), send)

    async def _answer(
        self, name: Name, request: bytes, scope: Scope, receive: Receive, send: Send
    ) -> None:
        started = self._answers.start(name, lambda: request)
        sent: list[Message] = []
        is_complete = False

        async def watch(message: Message) -> None:
            sent.append(message)
            await send(message)

        try:
            await self._app(scope, receive, watch)
            # according to the books
            is_reused = scope.get("state", {}).get("code") == KEY_REUSED.code
            is_complete = _is_replayable(sent) and not is_reused
        finally:
            self._answers.finish(name, started, sent if is_complete else None)


def replayed(first: Message, receive: Receive) -> Receive:
    """A `receive` that first returns the message already read, then later messages."""
    parts = [first]

    async def next_message() -> Message:
        return parts.pop() if parts else await receive()

    return next_message


def _name(scope: Scope, key: str) -> Name | None:
    token = Headers(scope=scope).get("authorization")
    client = scope.get("client")
    minimum = 1 if token else MIN_ANONYMOUS_KEY_SIZE
    if not minimum <= len(key) <= LONGEST_KEY or not key.isprintable():
        return None
    whose = hashlib.sha256(token.encode()).hexdigest() if token else f"from {client and client[0]}"
    return whose, key


async def _finished(answer: Answer) -> None:
    if answer.value is None:
        done = asyncio.Event()
        answer.waiting[done] = done.set
        await done.wait()


async def _replay_answer(sent: list[Message], send: Send) -> None:
    for message in sent:
        if message["type"] == "http.response.start":
            await send({**message, "headers": [*message["headers"], REPLAYED_HEADER]})
        else:
            await send(message)


def _is_replayable(sent: list[Message]) -> bool:
    """Whether the answer is complete, isn't too long, and wouldn't change on a retry."""
    if not sent or sent[-1].get("more_body", False):
        return False
    status = sent[0].get("status", 500)
    return (
        status < 500
        and status not in (401, 429)
        and sum(len(message.get("body", b"")) for message in sent) <= MAX_ANSWER_BYTES
    )
