"""A progressive while events are added to it, and what several commands have in common."""

from __future__ import annotations

from ventiuna.engine.stakes import Stakes
from ventiuna.table.jackpots import events as ev
from ventiuna.table.jackpots.events import JackpotEvent
from ventiuna.table.jackpots.progressive import Progressive, Reading, apply


class Happening:
    """Each event is applied as soon as it is added."""

    def __init__(self, jackpot: Progressive) -> None:
        self.jackpot = jackpot
        self.events: list[JackpotEvent] = []

    def emit(self, event: JackpotEvent) -> None:
        self.jackpot = apply(self.jackpot, event)
        self.events.append(event)

    def gather(self, reading: Reading) -> None:
        """Fold the stripes; what is above the maximum goes to the reserve."""
        meters = {table: cents for table, cents in reading.meters.items() if cents}
        reserves = {table: cents for table, cents in reading.reserves.items() if cents}
        if meters or reserves:
            self.emit(ev.StripesFolded(Stakes(meters), Stakes(reserves)))
        self.overflow()

    def overflow(self) -> None:
        maximum = self.jackpot.maximum
        if maximum is not None and self.jackpot.meter > maximum:
            self.emit(ev.Overflowed(self.jackpot.meter - maximum))

    def room_for_advance(self) -> int | None:
        """How much more the house would advance; None: any amount."""
        limit = self.jackpot.advance_limit
        return None if limit is None else max(0, limit - self.jackpot.advanced)

    def recover(self, amount: int, reason: str) -> None:
        """Seed money back to the house, out of the reserve first: the display falls last."""
        from_reserve = min(amount, self.jackpot.reserve)
        if amount:
            self.emit(ev.SeedRecovered(from_reserve, amount - from_reserve, reason))
