"""A progressive: the players' money, in the house's custody (R-098). Its state is the fold of its
book's events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import DataError, Refused
from ventiuna.engine.stakes import Stakes
from ventiuna.table.jackpots import events as ev
from ventiuna.table.jackpots.events import JackpotEvent
from ventiuna.table.jackpots.settings import Settings, settings_from_data
from ventiuna.table.ledger.chain import Head

NO_TABLES: Stakes[int] = Stakes({})


class Status(StrEnum):
    OPEN = "open"
    SUSPENDED = "suspended"  # takes no wagers
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Progressive:
    """What its book says. The stripes of its tables come besides: see `Reading`."""

    number: int  # of its book
    name: str
    settings: Settings
    maximum: int | None  # that the display may reach
    reserve_rate: int  # ten-thousandths of each wager
    advance_limit: int | None  # of seed money that the house advances
    status: Status = Status.OPEN
    tables: Stakes[int] = NO_TABLES  # game by linked table
    meter: int = 0  # main account
    reserve: int = 0  # main account
    advanced: int = 0  # seed money that the house has not got back
    missing: int = 0  # seed money that the house did not advance

    @property
    def is_underfunded(self) -> bool:
        """It lacks seed money, or the house has advanced more than it wants to."""
        limit = self.advance_limit
        return self.missing > 0 or (limit is not None and self.advanced > limit)

    @property
    def takes_wagers(self) -> bool:
        return self.status is Status.OPEN

    def check_takes_wagers(self) -> None:
        if not self.takes_wagers:
            raise Refused(
                RefusalCode.JACKPOT_SUSPENDED,
                ("R-098",),
                f"The jackpot {self.name} takes no wagers now: leave its wager out.",
            )


@dataclass(frozen=True, slots=True)
class Reading:
    """A progressive with all its stripes at one moment: nothing moves while its book is locked."""

    head: Head
    jackpot: Progressive
    meters: Mapping[int, int]  # stripes by table
    reserves: Mapping[int, int]


def shown(reading: Reading, pending: int = 0) -> int:
    """What all linked tables show, never above the maximum.

    `pending` are contributions of the very command that is being carried out: they are not
    in the stripes yet, but count for its own awards (O-19).
    """
    held = _held(reading) + pending
    maximum = reading.jackpot.maximum
    return held if maximum is None else min(maximum, held)


def is_over_maximum(reading: Reading) -> bool:
    """Does it hold more than it shows? The rest belongs into the reserve."""
    maximum = reading.jackpot.maximum
    return maximum is not None and _held(reading) > maximum


def _held(reading: Reading) -> int:
    return reading.jackpot.meter + sum(reading.meters.values())


# --- events -----------------------------------------------------------------------------------


def created(number: int, event: ev.JackpotCreated) -> Progressive:
    """The progressive after the first event of its book."""
    return Progressive(
        number=number,
        name=event.name,
        settings=settings_from_data(event.settings),
        maximum=event.maximum,
        reserve_rate=event.reserve_rate,
        advance_limit=event.advance_limit,
    )


def apply(jackpot: Progressive, event: JackpotEvent) -> Progressive:
    """The progressive after the event."""
    change = _CHANGES.get(type(event))
    if change is None:
        raise DataError(f"{type(event).__name__} is not an event of an existing jackpot.")
    return change(jackpot, event)


def _maximum_set(jackpot: Progressive, event: ev.MaximumSet) -> Progressive:
    return replace(jackpot, maximum=event.maximum)


def _advance_limit_set(jackpot: Progressive, event: ev.AdvanceLimitSet) -> Progressive:
    return replace(jackpot, advance_limit=event.limit)


def _table_linked(jackpot: Progressive, event: ev.TableLinked) -> Progressive:
    return replace(jackpot, tables=Stakes({**jackpot.tables, event.table: event.game}))


def _table_unlinked(jackpot: Progressive, event: ev.TableUnlinked) -> Progressive:
    left = {table: game for table, game in jackpot.tables.items() if table != event.table}
    return replace(jackpot, tables=Stakes(left))


def _suspended(jackpot: Progressive, _: ev.JackpotSuspended) -> Progressive:
    return replace(jackpot, status=Status.SUSPENDED)


def _resumed(jackpot: Progressive, _: ev.JackpotResumed) -> Progressive:
    return replace(jackpot, status=Status.OPEN)


def _removed(jackpot: Progressive, _: ev.JackpotRemoved) -> Progressive:
    return replace(jackpot, status=Status.REMOVED)


def _seed_recovered(jackpot: Progressive, event: ev.SeedRecovered) -> Progressive:
    return replace(
        jackpot,
        reserve=jackpot.reserve - event.from_reserve,
        meter=jackpot.meter - event.from_meter,
        advanced=jackpot.advanced - event.from_reserve - event.from_meter,
    )


def _corrected_up(jackpot: Progressive, event: ev.CorrectedUp) -> Progressive:
    return replace(jackpot, meter=jackpot.meter + event.amount)


def _into_reserve(jackpot: Progressive, event: ev.CorrectedDown | ev.Overflowed) -> Progressive:
    return replace(
        jackpot, meter=jackpot.meter - event.amount, reserve=jackpot.reserve + event.amount
    )


def _receipts_taken(jackpot: Progressive, event: ev.ReceiptsTaken) -> Progressive:
    return replace(jackpot, reserve=jackpot.reserve - event.amount)


def _moved_out(jackpot: Progressive, event: ev.MovedOut) -> Progressive:
    return replace(
        jackpot, meter=jackpot.meter - event.meter, reserve=jackpot.reserve - event.reserve
    )


def _moved_in(jackpot: Progressive, event: ev.MovedIn) -> Progressive:
    return replace(
        jackpot, meter=jackpot.meter + event.meter, reserve=jackpot.reserve + event.reserve
    )


def _stripes_folded(jackpot: Progressive, event: ev.StripesFolded) -> Progressive:
    return replace(
        jackpot,
        meter=jackpot.meter + sum(event.meters.values()),
        reserve=jackpot.reserve + sum(event.reserves.values()),
    )


def _award_paid(jackpot: Progressive, event: ev.AwardPaid) -> Progressive:
    """An empty meter lacks nothing of its last seed: the next one is asked for as a whole."""
    left = jackpot.meter - event.amount
    return replace(jackpot, meter=left, missing=jackpot.missing if left else 0)


def _seed_won(jackpot: Progressive, event: ev.SeedWon) -> Progressive:
    return replace(jackpot, advanced=jackpot.advanced - event.amount)


def _seeded(jackpot: Progressive, event: ev.Seeded) -> Progressive:
    added = event.from_reserve + event.advanced
    return replace(
        jackpot,
        reserve=jackpot.reserve - event.from_reserve,
        advanced=jackpot.advanced + event.advanced,
        meter=jackpot.meter + added,
        missing=max(0, jackpot.missing - added),
    )


def _fund_short(jackpot: Progressive, event: ev.FundShort) -> Progressive:
    return replace(jackpot, status=Status.SUSPENDED, missing=jackpot.missing + event.missing)


_CHANGES: dict[type[JackpotEvent], Callable[[Progressive, Any], Progressive]] = {
    ev.MaximumSet: _maximum_set,
    ev.AdvanceLimitSet: _advance_limit_set,
    ev.TableLinked: _table_linked,
    ev.TableUnlinked: _table_unlinked,
    ev.JackpotSuspended: _suspended,
    ev.JackpotResumed: _resumed,
    ev.JackpotRemoved: _removed,
    ev.SeedRecovered: _seed_recovered,
    ev.CorrectedUp: _corrected_up,
    ev.CorrectedDown: _into_reserve,
    ev.Overflowed: _into_reserve,
    ev.ReceiptsTaken: _receipts_taken,
    ev.MovedOut: _moved_out,
    ev.MovedIn: _moved_in,
    ev.StripesFolded: _stripes_folded,
    ev.AwardPaid: _award_paid,
    ev.SeedWon: _seed_won,
    ev.Seeded: _seeded,
    ev.FundShort: _fund_short,
}
