"""Copies of a command that come by one connection: each is answered once."""

from __future__ import annotations

from collections import OrderedDict

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import Refused
from ventiuna.table.writing.requests import Outcome, Refusal, Request

KEYS_REMEMBERED = 256


class Copies:
    """What was refused here stays refused, whatever has changed meanwhile."""

    def __init__(self) -> None:
        self._waiting: dict[str, Request] = {}  # for their answers, by key
        self._refused: OrderedDict[str, None] = OrderedDict()  # keys

    def is_first(self, request: Request) -> bool:
        """False where the answer to an earlier copy is on its way; raises `Refused` after one."""
        if request.key in self._refused:
            raise Refused(
                RefusalCode.KEY_REUSED, (), "key: it was answered here already: choose a new one."
            )
        known = self._waiting.setdefault(request.key, request)
        return known is request or known.content() != request.content()

    def answered(self, request: Request, outcome: Outcome) -> None:
        self._waiting.pop(request.key, None)
        if isinstance(outcome, Refusal) and outcome.code is not RefusalCode.TRY_AGAIN:
            self._refused[request.key] = None
            if len(self._refused) > KEYS_REMEMBERED:
                self._refused.popitem(last=False)
