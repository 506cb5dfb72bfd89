"""What a table's wagers put into progressives when wagers close: the meter's part is the round's
own event, the reserve's is the table's. Both wait in the table's stripes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ventiuna.engine.events import MeterRaised
from ventiuna.table.events import ReserveRaised, TableEvent


@dataclass(frozen=True, slots=True)
class Pending:
    """Contributions of the command that is being carried out: not in the stripes yet."""

    meter: int = 0
    reserve: int = 0


def pending_of(events: Iterable[TableEvent], game: int) -> Pending:
    """What the events of one command put into the game's stripes."""
    meter = reserve = 0
    for event in events:
        if isinstance(event, MeterRaised):
            if event.game == game and event.reason == "contribution":
                meter += event.amount
        elif isinstance(event, ReserveRaised) and event.game == game:
            reserve += event.amount
    return Pending(meter, reserve)
