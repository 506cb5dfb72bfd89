"""A progressive jackpot: its settings, commands, events and state.

A progressive is the players' money in the house's custody (R-098). Its state follows from the
events of its book, except for the contributions in its tables' stripes. Its settings are the part
of the rules that all linked tables share. Operators, the clock and tables send commands; each has a
written reason, except an award, whose reason is the round. Amounts are in cents. House jackpots
(R-097) are the house's own money: they have no meter, no account and no link.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.codec import Data, RecordCodec
from ventiuna.engine.errors import DataError, Refused, quoted
from ventiuna.engine.events import Cents, Stakes
from ventiuna.engine.wagers import no_such_jackpot
from ventiuna.rules.model import JackpotKind, Rules
from ventiuna.table.ledger import JournalHead, request_hash

# --- Settings ---


@dataclass(frozen=True, slots=True)
class ProgressiveSettings:
    """Pay table, wager, rates, seed and reset.

    Each jackpot pay table is for one number of decks (R-086), so equal settings mean equal hands
    with equal chances (WAC 230-15-685).
    """

    table: str
    pay_table: int
    wager: int
    alternate: int
    prize: int | None
    prize_from: str
    seed: int
    contribution: int  # ten-thousandths of the wager
    reseed: str
    best_only: bool
    top_alone: bool

    def data(self) -> Data:
        data = _SETTINGS_RECORDS.data(self)
        del data[_SETTINGS_TAG]
        return data

    @property
    def hash(self) -> bytes:
        """32 bytes, the same for equal settings."""
        return request_hash(self.data())


_SETTINGS_TAG = "record"
_SETTINGS_RECORDS: RecordCodec[ProgressiveSettings] = RecordCodec(
    _SETTINGS_TAG, (ProgressiveSettings,)
)


def settings_of(rules: Rules, game: int) -> ProgressiveSettings:
    """The settings of a jackpot game, numbered from 1; refuses house jackpots, which have none."""
    if not 1 <= game <= len(rules.jackpots):
        raise no_such_jackpot(rules, game)
    jackpot = rules.jackpots[game - 1]
    if jackpot.kind is not JackpotKind.PROGRESSIVE:
        raise Refused(
            RefusalCode.NOT_PROGRESSIVE,
            ("R-097", "R-098"),
            f"Jackpot {game} of these rules is a house jackpot, so it has no meter to link.",
        )
    return ProgressiveSettings(
        table=jackpot.table,
        pay_table=jackpot.pay_table,
        wager=jackpot.wager,
        alternate=jackpot.alternate,
        prize=jackpot.prize,
        prize_from=str(jackpot.prize_from),
        seed=jackpot.seed,
        contribution=jackpot.contribution,
        reseed=str(jackpot.reseed),
        best_only=jackpot.best_only,
        top_alone=jackpot.top_alone,
    )


def settings_from_data(data: object) -> ProgressiveSettings:
    """Parse settings that `ProgressiveSettings.data` wrote; raises `DataError`."""
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        raise DataError(f"settings must be an object, not {quoted(data)}.")
    return _SETTINGS_RECORDS.read({**data, _SETTINGS_TAG: ProgressiveSettings.__name__})


# --- Commands ---

# --- operators --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CreateJackpot:
    """Create a progressive with these settings, and with its seed in the meter."""

    name: str
    settings: Mapping[str, object]  # in the format of `ProgressiveSettings.data`
    reason: str
    maximum: int | None = None
    reserve_rate: int = 0  # ten-thousandths of each wager
    advance_limit: int | None = None


@dataclass(frozen=True, slots=True)
class SetMaximum:
    """Set the maximum, at or above the displayed amount; None removes it."""

    maximum: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class SetAdvanceLimit:
    limit: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class LinkTable:
    """Link a table: its jackpot game with this number feeds the meter from now on."""

    table: int
    game: int
    settings: str  # hash of the game's settings, in hexadecimal
    reason: str


@dataclass(frozen=True, slots=True)
class UnlinkTable:
    table: int
    reason: str


@dataclass(frozen=True, slots=True)
class SuspendJackpot:
    reason: str


@dataclass(frozen=True, slots=True)
class ResumeJackpot:
    reason: str


@dataclass(frozen=True, slots=True)
class SeedJackpot:
    """Add seed money, for example if a reset fell short."""

    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class RecoverSeed:
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectUp:
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectDown:
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class TakeReceipts:
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class RemoveJackpot:
    """Remove a progressive and move its money to another; without one, it is only suspended."""

    to: int | None
    reason: str


# --- the clock and other books ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FoldStripes:
    """Fold the stripes; sent every minute while the sum is above the maximum."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReceiveMoney:
    """Receive the money of a removed progressive, moved by its entry with this version."""

    jackpot: int
    version: int


@dataclass(frozen=True, slots=True)
class PayAwards:
    """Pay the awards of a table's round, listed in the table's entry with this version."""

    table: int
    version: int
    game: int


MeterCommand = (
    SetMaximum
    | SetAdvanceLimit
    | LinkTable
    | UnlinkTable
    | SuspendJackpot
    | ResumeJackpot
    | SeedJackpot
    | RecoverSeed
    | CorrectUp
    | CorrectDown
    | TakeReceipts
    | FoldStripes
)
JackpotCommand = MeterCommand | CreateJackpot | RemoveJackpot | ReceiveMoney | PayAwards


# --- Events ---

# Format version of the events in these books: see `ventiuna.engine.events.ENGINE`.
JACKPOT_FORMAT = 1

ByTable: TypeAlias = Stakes[int]  # cents by table number


# --- operator decisions -----------------------------------------------------------------------


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
    """The jackpot takes no wagers."""

    reason: str


@dataclass(frozen=True, slots=True)
class JackpotResumed:
    reason: str


@dataclass(frozen=True, slots=True)
class SeedRecovered:
    """The house gets advanced seed money back, from the reserve first."""

    from_reserve: Cents
    from_meter: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectedUp:
    """The display was too low; the house adds the difference."""

    amount: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectedDown:
    """The display was too high; the difference goes to the reserve, as the players' money."""

    amount: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class ReceiptsTaken:
    """The house takes out undisplayed funds as gross receipts."""

    amount: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class MovedOut:
    """All of the jackpot's money goes to another progressive."""

    jackpot: int
    meter: Cents
    reserve: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class MovedIn:
    """The money of another progressive arrives; the postings are in that one's book."""

    jackpot: int
    meter: Cents
    reserve: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class JackpotRemoved:
    reason: str


# --- results of play --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StripesFolded:
    """The tables' stripes are moved to the main accounts."""

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
    """Seed money the house advanced was won, and is now the house's expense."""

    amount: Cents


@dataclass(frozen=True, slots=True)
class Seeded:
    """Seed money is added: from the reserve first, the rest advanced by the house."""

    from_reserve: Cents
    advanced: Cents
    reason: str


@dataclass(frozen=True, slots=True)
class FundShort:
    """The seed is short by `missing`, which the house won't advance; betting is suspended."""

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


# --- State ---

NO_TABLES: Stakes[int] = Stakes({})


class JackpotStatus(StrEnum):
    OPEN = "open"
    SUSPENDED = "suspended"  # takes no wagers
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Progressive:
    """The state according to the jackpot's book. For the stripes of its tables, see `Reading`."""

    number: int  # same as its book
    name: str
    settings: ProgressiveSettings
    maximum: int | None  # maximum display
    reserve_rate: int  # ten-thousandths of each wager
    advance_limit: int | None  # maximum seed money the house advances
    status: JackpotStatus = JackpotStatus.OPEN
    tables: Stakes[int] = NO_TABLES  # game by linked table
    meter: int = 0  # main account
    reserve: int = 0  # main account
    advanced: int = 0  # seed money the house hasn't gotten back
    missing: int = 0  # seed money the house didn't advance

    @property
    def is_underfunded(self) -> bool:
        """Whether seed money is missing, or the house has advanced more than its limit."""
        limit = self.advance_limit
        return self.missing > 0 or (limit is not None and self.advanced > limit)

    @property
    def takes_wagers(self) -> bool:
        return self.status is JackpotStatus.OPEN

    def check_takes_wagers(self) -> None:
        if not self.takes_wagers:
            raise Refused(
                RefusalCode.JACKPOT_SUSPENDED,
                ("R-098",),
                f"The jackpot {self.name} takes no wagers now. Leave its wager out.",
            )


@dataclass(frozen=True, slots=True)
class Reading:
    """A snapshot of a progressive with all its stripes; nothing moves while its book is locked."""

    head: JournalHead
    jackpot: Progressive
    meters: Mapping[int, int]  # stripes by table
    reserves: Mapping[int, int]


def displayed_amount(reading: Reading, pending: int = 0) -> int:
    """The amount all linked tables display, never above the maximum.

    `pending` is the contributions of the command in progress: they aren't in the stripes yet, but
    count for its own awards (O-19).
    """
    funds = _fund(reading) + pending
    maximum = reading.jackpot.maximum
    return funds if maximum is None else min(maximum, funds)


def is_over_maximum(reading: Reading) -> bool:
    """Whether it holds more than it displays; the excess belongs in the reserve."""
    maximum = reading.jackpot.maximum
    return maximum is not None and _fund(reading) > maximum


def _fund(reading: Reading) -> int:
    return reading.jackpot.meter + sum(reading.meters.values())


# --- events -----------------------------------------------------------------------------------


def create(number: int, event: JackpotCreated) -> Progressive:
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
    change = _STATE_CHANGES.get(type(event))
    if change is None:
        raise DataError(f"{type(event).__name__} can't happen to an existing jackpot.")
    return change(jackpot, event)


def _maximum_set(jackpot: Progressive, event: MaximumSet) -> Progressive:
    return replace(jackpot, maximum=event.maximum)


def _advance_limit_set(jackpot: Progressive, event: AdvanceLimitSet) -> Progressive:
    return replace(jackpot, advance_limit=event.limit)


def _table_linked(jackpot: Progressive, event: TableLinked) -> Progressive:
    return replace(jackpot, tables=Stakes({**jackpot.tables, event.table: event.game}))


def _table_unlinked(jackpot: Progressive, event: TableUnlinked) -> Progressive:
    remaining = {table: game for table, game in jackpot.tables.items() if table != event.table}
    return replace(jackpot, tables=Stakes(remaining))


def _suspended(jackpot: Progressive, _: JackpotSuspended) -> Progressive:
    return replace(jackpot, status=JackpotStatus.SUSPENDED)


def _resumed(jackpot: Progressive, _: JackpotResumed) -> Progressive:
    return replace(jackpot, status=JackpotStatus.OPEN)


def _removed(jackpot: Progressive, _: JackpotRemoved) -> Progressive:
    return replace(jackpot, status=JackpotStatus.REMOVED)


def _seed_recovered(jackpot: Progressive, event: SeedRecovered) -> Progressive:
    return replace(
        jackpot,
        reserve=jackpot.reserve - event.from_reserve,
        meter=jackpot.meter - event.from_meter,
        advanced=jackpot.advanced - event.from_reserve - event.from_meter,
    )


def _corrected_up(jackpot: Progressive, event: CorrectedUp) -> Progressive:
    return replace(jackpot, meter=jackpot.meter + event.amount)


def _into_reserve(jackpot: Progressive, event: CorrectedDown | Overflowed) -> Progressive:
    return replace(
        jackpot, meter=jackpot.meter - event.amount, reserve=jackpot.reserve + event.amount
    )


def _receipts_taken(jackpot: Progressive, event: ReceiptsTaken) -> Progressive:
    return replace(jackpot, reserve=jackpot.reserve - event.amount)


def _moved_out(jackpot: Progressive, event: MovedOut) -> Progressive:
    return replace(
        jackpot, meter=jackpot.meter - event.meter, reserve=jackpot.reserve - event.reserve
    )


def _moved_in(jackpot: Progressive, event: MovedIn) -> Progressive:
    return replace(
        jackpot, meter=jackpot.meter + event.meter, reserve=jackpot.reserve + event.reserve
    )


def _stripes_folded(jackpot: Progressive, event: StripesFolded) -> Progressive:
    return replace(
        jackpot,
        meter=jackpot.meter + sum(event.meters.values()),
        reserve=jackpot.reserve + sum(event.reserves.values()),
    )


def _award_paid(jackpot: Progressive, event: AwardPaid) -> Progressive:
    """Pay an award; an empty meter has nothing missing, because its next seed is a full one."""
    remaining = jackpot.meter - event.amount
    return replace(jackpot, meter=remaining, missing=jackpot.missing if remaining else 0)


def _seed_won(jackpot: Progressive, event: SeedWon) -> Progressive:
    return replace(jackpot, advanced=jackpot.advanced - event.amount)


def _seeded(jackpot: Progressive, event: Seeded) -> Progressive:
    added = event.from_reserve + event.advanced
    return replace(
        jackpot,
        reserve=jackpot.reserve - event.from_reserve,
        advanced=jackpot.advanced + event.advanced,
        meter=jackpot.meter + added,
        missing=max(0, jackpot.missing - added),
    )


def _fund_short(jackpot: Progressive, event: FundShort) -> Progressive:
    return replace(jackpot, status=JackpotStatus.SUSPENDED, missing=jackpot.missing + event.missing)


_STATE_CHANGES: dict[type[JackpotEvent], Callable[[Progressive, Any], Progressive]] = {
    MaximumSet: _maximum_set,
    AdvanceLimitSet: _advance_limit_set,
    TableLinked: _table_linked,
    TableUnlinked: _table_unlinked,
    JackpotSuspended: _suspended,
    JackpotResumed: _resumed,
    JackpotRemoved: _removed,
    SeedRecovered: _seed_recovered,
    CorrectedUp: _corrected_up,
    CorrectedDown: _into_reserve,
    Overflowed: _into_reserve,
    ReceiptsTaken: _receipts_taken,
    MovedOut: _moved_out,
    MovedIn: _moved_in,
    StripesFolded: _stripes_folded,
    AwardPaid: _award_paid,
    SeedWon: _seed_won,
    Seeded: _seeded,
    FundShort: _fund_short,
}
