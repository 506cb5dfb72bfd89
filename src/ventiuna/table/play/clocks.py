"""How long a table waits, and what for. Times are milliseconds."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import Refused, shown
from ventiuna.engine.stakes import Stakes
from ventiuna.table.events import AskKind
from ventiuna.table.play.commands import NO_TIMES, Times

SHORTEST = 100
LONGEST = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class Clocks:
    wagers: int = 15_000  # from the first wager on
    answer: int = 10_000  # insurance, a blackjack
    decision: int = 20_000
    cut: int = 5_000  # each of the two steps
    away: int = 60_000  # a seat without a client
    leave: int = 600_000  # an absent seat is cashed out

    def of(self, kind: AskKind) -> int:
        return int(getattr(self, _CLOCKS[kind]))

    def times(self) -> Times:
        """Those that are not as usual."""
        given = {part.name: int(getattr(self, part.name)) for part in fields(self)}
        usual = {part.name: part.default for part in fields(self)}
        return Stakes({name: time for name, time in given.items() if time != usual[name]})


_CLOCKS = {
    AskKind.CUT_COMMIT: "cut",
    AskKind.CUT_OPEN: "cut",
    AskKind.WAGERS: "wagers",
    AskKind.BLACKJACK: "answer",
    AskKind.INSURANCE: "answer",
    AskKind.DECISION: "decision",
}
_NAMES = tuple(part.name for part in fields(Clocks))


def clocks_of(times: Times = NO_TIMES) -> Clocks:
    """The usual clocks with these times instead; refuses what is not a clock or not a time."""
    for name, time in times.items():
        if name not in _NAMES:
            raise Refused(
                RefusalCode.NOT_A_CLOCK,
                (),
                f"clocks: {shown(name)} is not one of {', '.join(_NAMES)}.",
            )
        if not SHORTEST <= time <= LONGEST:
            raise Refused(
                RefusalCode.NOT_A_CLOCK,
                (),
                f"clocks: {name} is {shown(time)}; give {SHORTEST} to {LONGEST} milliseconds.",
            )
    return Clocks(**times)
