"""What happens to a progressive. Its book's events are its whole truth, but for what lies in the
stripes of its tables. Amounts are cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ventiuna.engine.events import Cents
from ventiuna.engine.stakes import Stakes

# The number of the event format of these books: see `ventiuna.engine.events.ENGINE`.
FORMAT = 1

ByTable: TypeAlias = Stakes[int]  # cents by the number of a table


# --- what operators decide --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JackpotCreated:
    name: str
    settings: Mapping[str, object]
    maximum: int | None
    reserve_rate: int  # ten-thousandths of each wager
    advance_limit: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class MaximumSet:
    maximum: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class AdvanceLimitSet:
    limit: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class TableLinked:
    table: int
    game: int
    reason: str


@dataclass(frozen=True, slots=True)
class TableUnlinked:
    table: int
    reason: str


@dataclass(frozen=True, slots=True)
class JackpotSuspended:
    """It takes no wagers."""

    reason: str


@dataclass(frozen=True, slots=True)
class JackpotResumed:
    reason: str


@dataclass(frozen=True, slots=True)
class SeedRecovered:
    """Seed money that the house had advanced, out of the reserve first."""

    from_reserve: Cents
    from_meter: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectedUp:
    """The display was too low: the house adds the rest."""

    amount: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectedDown:
    """The display was too high: the rest stays the players', in the reserve."""

    amount: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class ReceiptsTaken:
    """Non-displayed funds that the house takes out as gross receipts."""

    amount: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class MovedOut:
    """All that it holds goes to another progressive."""

    jackpot: int
    meter: Cents
    reserve: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class MovedIn:
    """What another progressive held; its own book has the postings."""

    jackpot: int
    meter: Cents
    reserve: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class JackpotRemoved:
    reason: str


# --- what follows from play -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StripesFolded:
    """What lay in the stripes of tables is now in the main accounts."""

    meters: ByTable
    reserves: ByTable


@dataclass(frozen=True, slots=True)
class Overflowed:
    """The excess above the maximum goes to the reserve."""

    amount: Cents


@dataclass(frozen=True, slots=True)
class AwardPaid:
    table: int
    round_number: int
    seat: int
    spot: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class SeedWon:
    """Seed money that the house had advanced is gone: now it is its expense."""

    amount: Cents


@dataclass(frozen=True, slots=True)
class Seeded:
    """Seed money: out of the reserve first, the rest advanced by the house."""

    from_reserve: Cents
    advanced: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class FundShort:
    """So much of the seed is missing, since the house advances no more: no wagers are taken."""

    missing: Cents


JackpotEvent = (
    JackpotCreated
    | MaximumSet
    | AdvanceLimitSet
    | TableLinked
    | TableUnlinked
    | JackpotSuspended
    | JackpotResumed
    | SeedRecovered
    | CorrectedUp
    | CorrectedDown
    | ReceiptsTaken
    | MovedOut
    | MovedIn
    | JackpotRemoved
    | StripesFolded
    | Overflowed
    | AwardPaid
    | SeedWon
    | Seeded
    | FundShort
)
