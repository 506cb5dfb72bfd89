"""Commands that are sent again: each is answered once, and a refusal stays a refusal."""

from __future__ import annotations

from collections import OrderedDict

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import Refused
from ventiuna.table.writing.requests import KEY_REUSED, Outcome, Refusal, Request

REFUSALS_REMEMBERED = 4_096


class Refusals:
    """The last refusals of this process, by sender and key."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[bytes, Refusal]] = OrderedDict()

    def keep(self, request: Request, refusal: Refusal) -> None:
        if refusal.code is RefusalCode.OTHER_CLIENT:  # the right window may send it again
            return
        self._kept[request.actor.name, request.key] = request.content(), refusal
        if len(self._kept) > REFUSALS_REMEMBERED:
            self._kept.popitem(last=False)

    def check(self, request: Request) -> None:
        """Refuse a command that was refused before, for the same reason."""
        content, refusal = self._kept.get((request.actor.name, request.key), (b"", None))
        if refusal is None:
            return
        if content != request.content():
            raise Refused(RefusalCode.KEY_REUSED, (), KEY_REUSED)
        raise Refused(refusal.code, refusal.rules, refusal.reason)


class Copies:
    """Repeats of a command on one connection."""

    def __init__(self, refusals: Refusals) -> None:
        self._refusals = refusals
        self._waiting: dict[str, Request] = {}  # for their answers, by key

    def is_first(self, request: Request) -> bool:
        """False if an earlier copy is being carried out; raises `Refused` if it was refused."""
        self._refusals.check(request)
        known = self._waiting.setdefault(request.key, request)
        return known is request or known.content() != request.content()

    def answered(self, request: Request, outcome: Outcome) -> None:
        self._waiting.pop(request.key, None)
        if isinstance(outcome, Refusal):
            self._refusals.keep(request, outcome)
