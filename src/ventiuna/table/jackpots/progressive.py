"""A progressive jackpot: its settings, commands, events and state.

A progressive is the players' money in the house's custody (R-098). Its state follows from the
events of its book, except for the contributions in its tables' stripes. Its settings are the part
of the rules that all linked tables share. Operators, the clock and tables send commands; each has a
written reason, except an award, which has its round as the reason. Amounts are in cents. House
jackpots (R-097) are the house's own money: they have no meter, no account and no link.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.codec import Data, RecordCodec, plain_value
from ventiuna.engine.commands import DataError, Refused, quoted
from ventiuna.engine.events import LEFT_OUT_AT_DEFAULT, Cents, Stakes
from ventiuna.engine.wagers import no_such_jackpot
from ventiuna.rules.model import JackpotKind, Rules
from ventiuna.table.domain.commands import (
    NEEDS_SECOND,
    Subject,
    form_field,
    money_field,
    operator_form,
)
from ventiuna.table.domain.events import HOUSE_ACCOUNT
from ventiuna.table.ledger import JournalHead, Posting, PostingCode, request_hash


@dataclass(frozen=True, slots=True)
class ProgressiveSettings:
    """Pay table, wager, rates, seed and reset.

    Each jackpot pay table is for one number of decks (R-086). With equal settings, tables therefore
    have the same winning hands with the same chances (WAC 230-15-685).
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
    """The settings of jackpot game `game`; refuses house jackpots, which have none."""
    if not 1 <= game <= len(rules.jackpots):
        raise no_such_jackpot(rules, game)
    jackpot = rules.jackpots[game - 1]
    if jackpot.kind is not JackpotKind.PROGRESSIVE:
        raise Refused(
            RefusalCode.NOT_PROGRESSIVE,
            ("R-097", "R-098"),
            f"Jackpot {game} of these rules is a house jackpot, so it has no meter to link.",
        )
    values: dict[str, Any] = {
        part.name: plain_value(getattr(jackpot, part.name)) for part in fields(ProgressiveSettings)
    }
    return ProgressiveSettings(**values)


def settings_from_data(data: object) -> ProgressiveSettings:
    """Parse settings written by `ProgressiveSettings.data`; raises `DataError`."""
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        raise DataError(f"settings must be an object, not {quoted(data)}.")
    return _SETTINGS_RECORDS.read({**data, _SETTINGS_TAG: ProgressiveSettings.__name__})


@dataclass(frozen=True, slots=True)
class JackpotCommand:
    """A command to a progressive."""

    kinds: ClassVar[dict[str, type[JackpotCommand]]] = {}

    def __init_subclass__(cls) -> None:
        JackpotCommand.kinds[cls.__name__] = cls  # again, because `slots=True` creates a new class


@dataclass(frozen=True, slots=True)
class MeterCommand(JackpotCommand):
    """A command that affects only one existing progressive."""

    if TYPE_CHECKING:

        @property
        def reason(self) -> str: ...


@dataclass(frozen=True, slots=True)
class CreateJackpot(JackpotCommand):
    """Create a progressive with these settings and with its seed in the meter."""

    name: str
    settings: Mapping[str, object]  # in the format of `ProgressiveSettings.data`
    reason: str
    maximum: int | None = None
    reserve_rate: int = 0  # ten-thousandths of each wager
    advance_limit: int | None = None


@operator_form(
    Subject.JACKPOT,
    "suspend",
    label="Suspend jackpot",
    title="Suspend {name}",
    consequence="No linked table takes new wagers on it until you resume it. The meter stays as "
    "it is, and wagers already placed count.",
    statuses=("open",),
    is_sealed=True,
)
@dataclass(frozen=True, slots=True)
class SuspendJackpot(MeterCommand):
    """Stop taking wagers."""

    reason: str


@operator_form(
    Subject.JACKPOT,
    "resume",
    label="Resume jackpot",
    title="Resume {name}",
    consequence="All linked tables take wagers on it again.",
    statuses=("suspended",),
)
@dataclass(frozen=True, slots=True)
class ResumeJackpot(MeterCommand):
    """Take wagers again."""

    reason: str


@operator_form(
    Subject.JACKPOT,
    "seed",
    label="Add seed",
    title="Add seed to {name}",
    consequence="The money comes from the reserve first; the house advances the rest and can "
    "recover it later.",
)
@dataclass(frozen=True, slots=True)
class SeedJackpot(MeterCommand):
    """Add seed money to the meter, which goes up at once."""

    amount: int = field(metadata=money_field())
    reason: str


@operator_form(
    Subject.JACKPOT,
    "recover",
    label="Recover seed",
    title="Recover seed from {name}",
    consequence="The money goes back to the house, from the reserve first. If the reserve is "
    "too small, the meter goes down.",
)
@dataclass(frozen=True, slots=True)
class RecoverSeed(MeterCommand):
    """Return seed money to the house, up to the amount it advanced."""

    amount: int = field(metadata=money_field())
    reason: str


@operator_form(
    Subject.JACKPOT,
    "maximum",
    label="Set maximum",
    title="Set the maximum of {name}",
    consequence="The meter stops there, and further contributions go to the reserve. Without a "
    "maximum, it keeps rising.",
)
@dataclass(frozen=True, slots=True)
class SetMaximum(MeterCommand):
    """Set the highest amount that the meter can show, at or above its current amount."""

    maximum: int | None = field(
        metadata=money_field(
            "Maximum in dollars",
            10_000_000,
            minimum=0,
            is_optional=True,
            help="Null for no maximum.",
        )
    )
    reason: str


@operator_form(
    Subject.JACKPOT,
    "advance-limit",
    label="Set advance limit",
    title="Set the advance limit of {name}",
    consequence="If a reset needs more seed money than this, the jackpot is suspended until you "
    "raise the limit or recover seed.",
)
@dataclass(frozen=True, slots=True)
class SetAdvanceLimit(MeterCommand):
    """Limit the seed money that the house advances."""

    limit: int | None = field(
        metadata=money_field(
            "Limit in dollars", 500_000, minimum=0, is_optional=True, help="Null for no limit."
        )
    )
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectUp(MeterCommand):
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectDown(MeterCommand):
    amount: int
    reason: str


@operator_form(
    Subject.JACKPOT,
    "correct",
    label="Correct meter",
    title="Correct the meter of {name}",
    consequence="Players see the corrected amount at once. The house pays for an increase; a "
    "decrease goes to the reserve.",
    needs_second=True,
)
@dataclass(frozen=True, slots=True)
class Correction:
    """Correct a wrong meter display."""

    direction: str = field(metadata=form_field("Direction", choices=("up", "down")))
    amount: int = field(metadata=money_field())
    reason: str

    @property
    def command(self) -> CorrectUp | CorrectDown:
        return (CorrectUp if self.direction == "up" else CorrectDown)(self.amount, self.reason)


NEEDS_SECOND.update((CorrectUp, CorrectDown))


@operator_form(
    Subject.JACKPOT,
    "receipts",
    label="Take receipts",
    title="Take receipts from {name}",
    consequence="The money moves from the reserve to the house. The meter doesn't change.",
)
@dataclass(frozen=True, slots=True)
class TakeReceipts(MeterCommand):
    """Withdraw funds that aren't displayed, as gross receipts."""

    amount: int = field(metadata=money_field())
    reason: str


@operator_form(
    Subject.JACKPOT,
    "remove",
    label="Remove from play",
    title="Remove {name} from play",
    consequence="The house gets back the seed it advanced, and the rest goes to the jackpot you "
    "name. If you don't name one, a jackpot that still holds players' money is only suspended. "
    "Unlink its tables first.",
    is_final=True,
)
@dataclass(frozen=True, slots=True)
class RemoveJackpot(JackpotCommand):
    """Remove a progressive and move its money to another one; if none is named, only suspend it."""

    to: int | None = field(
        metadata=form_field(
            "Number of the jackpot that gets the money",
            help="The progressive that receives the players' money.",
            is_optional=True,
            may_omit=True,
            example=14,
        )
    )
    reason: str


@dataclass(frozen=True, slots=True)
class LinkTable(MeterCommand):
    """Link a table: from now on, its jackpot game with this number feeds the meter."""

    table: int
    game: int
    settings: str  # hash of the game's settings, in hexadecimal
    reason: str


@dataclass(frozen=True, slots=True)
class UnlinkTable(MeterCommand):
    table: int
    reason: str


@dataclass(frozen=True, slots=True)
class FoldStripes(MeterCommand):
    """Fold the stripes; sent every minute while the total is above the maximum."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReceiveMoney(JackpotCommand):
    """Receive a removed progressive's money, which its entry with this version moved."""

    jackpot: int
    version: int


@dataclass(frozen=True, slots=True)
class PayAwards(JackpotCommand):
    """Pay the round's awards listed in the table's entry with this version."""

    table: int
    version: int
    game: int


# Format version of the events in these books; see `ventiuna.engine.events.ENGINE`.
JACKPOT_FORMAT = 1

ByTable: TypeAlias = Stakes[int]  # cents by table number
Move: TypeAlias = tuple[PostingCode, str, str, int]  # code, from account, to account, amount


def meter_of(jackpot: int, table: int | None = None) -> str:
    return f"meter/{jackpot}" if table is None else f"meter/{jackpot}/{table}"


def reserve_of(jackpot: int, table: int | None = None) -> str:
    return f"reserve/{jackpot}" if table is None else f"reserve/{jackpot}/{table}"


def advance_of(jackpot: int) -> str:
    return f"advance/{jackpot}"


@dataclass(frozen=True, slots=True)
class JackpotEvent:
    """An event in a progressive's book; `moves` gives the money it moves."""

    kinds: ClassVar[dict[str, type[JackpotEvent]]] = {}

    def __init_subclass__(cls) -> None:
        JackpotEvent.kinds[cls.__name__] = cls

    def moves(self, number: int) -> list[Move]:
        """Transfers between the accounts of jackpot `number` and other accounts."""
        return []

    def change(self, jackpot: Progressive) -> Progressive:
        """The progressive after this event, not counting the money it moves."""
        return jackpot


@dataclass(frozen=True, slots=True)
class JackpotCreated(JackpotEvent):
    name: str
    settings: Mapping[str, object]
    maximum: int | None
    reserve_rate: int  # ten-thousandths of each wager
    advance_limit: int | None
    reason: str

    def change(self, jackpot: Progressive) -> Progressive:
        raise DataError("JackpotCreated can't happen to an existing jackpot.")


@dataclass(frozen=True, slots=True)
class MaximumSet(JackpotEvent):
    maximum: int | None
    reason: str

    def change(self, jackpot: Progressive) -> Progressive:
        return replace(jackpot, maximum=self.maximum)


@dataclass(frozen=True, slots=True)
class AdvanceLimitSet(JackpotEvent):
    limit: int | None
    reason: str

    def change(self, jackpot: Progressive) -> Progressive:
        return replace(jackpot, advance_limit=self.limit)


@dataclass(frozen=True, slots=True)
class TableLinked(JackpotEvent):
    table: int
    game: int
    reason: str

    def change(self, jackpot: Progressive) -> Progressive:
        return replace(jackpot, tables=Stakes({**jackpot.tables, self.table: self.game}))


@dataclass(frozen=True, slots=True)
class TableUnlinked(JackpotEvent):
    table: int
    reason: str

    def change(self, jackpot: Progressive) -> Progressive:
        remaining = {table: game for table, game in jackpot.tables.items() if table != self.table}
        return replace(jackpot, tables=Stakes(remaining))


@dataclass(frozen=True, slots=True)
class JackpotSuspended(JackpotEvent):
    """The jackpot takes no wagers."""

    reason: str

    def change(self, jackpot: Progressive) -> Progressive:
        return replace(jackpot, status=JackpotStatus.SUSPENDED)


@dataclass(frozen=True, slots=True)
class JackpotResumed(JackpotEvent):
    reason: str

    def change(self, jackpot: Progressive) -> Progressive:
        return replace(jackpot, status=JackpotStatus.OPEN)


@dataclass(frozen=True, slots=True)
class SeedRecovered(JackpotEvent):
    """The house gets advanced seed money back, from the reserve first."""

    from_reserve: Cents
    from_meter: Cents
    reason: str

    def moves(self, number: int) -> list[Move]:
        advance = advance_of(number)
        return [
            (PostingCode.SEED_BACK, reserve_of(number), advance, self.from_reserve),
            (PostingCode.SEED_BACK, meter_of(number), advance, self.from_meter),
        ]


@dataclass(frozen=True, slots=True)
class CorrectedUp(JackpotEvent):
    """The display was too low; the house adds the difference."""

    amount: Cents
    reason: str

    def moves(self, number: int) -> list[Move]:
        return [(PostingCode.CORRECT_UP, HOUSE_ACCOUNT, meter_of(number), self.amount)]


@dataclass(frozen=True, slots=True)
class CorrectedDown(JackpotEvent):
    """The display was too high; the difference, still the players' money, goes to the reserve."""

    amount: Cents
    reason: str

    def moves(self, number: int) -> list[Move]:
        return [(PostingCode.CORRECT_DOWN, meter_of(number), reserve_of(number), self.amount)]


@dataclass(frozen=True, slots=True)
class ReceiptsTaken(JackpotEvent):
    """The house takes out undisplayed funds as gross receipts."""

    amount: Cents
    reason: str

    def moves(self, number: int) -> list[Move]:
        return [(PostingCode.RECEIPTS, reserve_of(number), HOUSE_ACCOUNT, self.amount)]


@dataclass(frozen=True, slots=True)
class MovedOut(JackpotEvent):
    """All of the jackpot's money goes to another progressive."""

    jackpot: int
    meter: Cents
    reserve: Cents
    reason: str

    def moves(self, number: int) -> list[Move]:
        return [
            (PostingCode.MOVED, meter_of(number), meter_of(self.jackpot), self.meter),
            (PostingCode.MOVED, reserve_of(number), reserve_of(self.jackpot), self.reserve),
        ]


@dataclass(frozen=True, slots=True)
class MovedIn(JackpotEvent):
    """Another progressive's money arrives; the postings are in that progressive's book."""

    jackpot: int
    meter: Cents
    reserve: Cents
    reason: str

    def change(self, jackpot: Progressive) -> Progressive:
        return replace(
            jackpot, meter=jackpot.meter + self.meter, reserve=jackpot.reserve + self.reserve
        )


@dataclass(frozen=True, slots=True)
class JackpotRemoved(JackpotEvent):
    reason: str

    def change(self, jackpot: Progressive) -> Progressive:
        return replace(jackpot, status=JackpotStatus.REMOVED)


@dataclass(frozen=True, slots=True)
class StripesFolded(JackpotEvent):
    """The tables' stripes are moved to the main accounts."""

    meters: ByTable
    reserves: ByTable

    def moves(self, number: int) -> list[Move]:
        return [
            (PostingCode.FOLD, account(number, table), account(number), amount)
            for account, stripes in ((meter_of, self.meters), (reserve_of, self.reserves))
            for table, amount in sorted(stripes.items())
        ]


@dataclass(frozen=True, slots=True)
class Overflowed(JackpotEvent):
    """The excess above the maximum goes to the reserve."""

    amount: Cents

    def moves(self, number: int) -> list[Move]:
        return [(PostingCode.OVERFLOW, meter_of(number), reserve_of(number), self.amount)]


@dataclass(frozen=True, slots=True)
class AwardPaid(JackpotEvent):
    table: int
    round_number: int
    seat: int
    spot: int
    amount: Cents
    hand_pay: bool = field(default=False, metadata=LEFT_OUT_AT_DEFAULT)

    def moves(self, number: int) -> list[Move]:
        to = f"due/{self.table}" if self.hand_pay else f"stack/{self.table}/{self.seat}"
        return [(PostingCode.AWARD, meter_of(number), to, self.amount)]

    def change(self, jackpot: Progressive) -> Progressive:
        """Clear `missing` if the meter is empty, because the next seed will be a full seed."""
        return jackpot if jackpot.meter else replace(jackpot, missing=0)


@dataclass(frozen=True, slots=True)
class SeedWon(JackpotEvent):
    """Seed money that the house advanced was won and is now the house's expense."""

    amount: Cents

    def moves(self, number: int) -> list[Move]:
        return [(PostingCode.SEED_WON, HOUSE_ACCOUNT, advance_of(number), self.amount)]


@dataclass(frozen=True, slots=True)
class Seeded(JackpotEvent):
    """Seed money is added, first from the reserve; the house advances the rest."""

    from_reserve: Cents
    advanced: Cents
    reason: str

    def moves(self, number: int) -> list[Move]:
        meter = meter_of(number)
        return [
            (PostingCode.RESERVE_SEED, reserve_of(number), meter, self.from_reserve),
            (PostingCode.SEED, advance_of(number), meter, self.advanced),
        ]

    def change(self, jackpot: Progressive) -> Progressive:
        return replace(jackpot, missing=max(0, jackpot.missing - self.from_reserve - self.advanced))


@dataclass(frozen=True, slots=True)
class FundShort(JackpotEvent):
    """The house won't advance `missing` cents of the seed, so betting is suspended."""

    missing: Cents

    def change(self, jackpot: Progressive) -> Progressive:
        return replace(
            jackpot, status=JackpotStatus.SUSPENDED, missing=jackpot.missing + self.missing
        )


NO_TABLES: Stakes[int] = Stakes({})


class JackpotStatus(StrEnum):
    OPEN = "open"
    SUSPENDED = "suspended"  # takes no wagers
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Progressive:
    """The state according to the jackpot's book. For its tables' stripes, see `MeterSnapshot`."""

    number: int  # same number as its book
    name: str
    settings: ProgressiveSettings
    maximum: int | None  # maximum display
    reserve_rate: int  # ten-thousandths of each wager
    advance_limit: int | None  # maximum seed money that the house advances
    status: JackpotStatus = JackpotStatus.OPEN
    tables: Stakes[int] = NO_TABLES  # game number by linked table
    meter: int = 0  # balance of the main meter account
    reserve: int = 0  # balance of the main reserve account
    advanced: int = 0  # seed money that the house hasn't gotten back
    missing: int = 0  # seed money that the house didn't advance

    @property
    def is_underfunded(self) -> bool:
        """Whether seed money is missing, or the house has advanced more than its limit."""
        limit = self.advance_limit
        return self.missing > 0 or (limit is not None and self.advanced > limit)

    @property
    def takes_wagers(self) -> bool:
        return self.status is JackpotStatus.OPEN


@dataclass(frozen=True, slots=True)
class MeterSnapshot:
    """A snapshot of a progressive with all its stripes; no money moves while its book is locked."""

    head: JournalHead
    jackpot: Progressive
    meters: Mapping[int, int]  # stripes by table
    reserves: Mapping[int, int]


def displayed_amount(reading: MeterSnapshot, pending: int = 0) -> int:
    """The amount that all linked tables display, never above the maximum.

    `pending` is the total contributions of the current command. They aren't in the stripes yet, but
    count for the command's own awards (O-19).
    """
    funds = _fund(reading) + pending
    maximum = reading.jackpot.maximum
    return funds if maximum is None else min(maximum, funds)


def is_over_maximum(reading: MeterSnapshot) -> bool:
    """Whether the meter holds more than it displays; the excess belongs in the reserve."""
    maximum = reading.jackpot.maximum
    return maximum is not None and _fund(reading) > maximum


def _fund(reading: MeterSnapshot) -> int:
    return reading.jackpot.meter + sum(reading.meters.values())


def create(number: int, event: JackpotCreated) -> Progressive:
    """The progressive after the first event in its book."""
    return Progressive(
        number=number,
        name=event.name,
        settings=settings_from_data(event.settings),
        maximum=event.maximum,
        reserve_rate=event.reserve_rate,
        advance_limit=event.advance_limit,
    )


def apply(jackpot: Progressive, event: JackpotEvent) -> Progressive:
    """The progressive after this event."""
    moved: Counter[str] = Counter()
    for _, payer, payee, amount in event.moves(jackpot.number):
        moved[payer] -= amount
        moved[payee] += amount
    if moved:
        jackpot = replace(
            jackpot,
            meter=jackpot.meter + moved[meter_of(jackpot.number)],
            reserve=jackpot.reserve + moved[reserve_of(jackpot.number)],
            advanced=jackpot.advanced - moved[advance_of(jackpot.number)],
        )
    return event.change(jackpot)


def postings_of(jackpot: int, events: Iterable[JackpotEvent], first: int) -> tuple[Posting, ...]:
    """The postings of the events, in order; `first` is the first event's number in the book."""
    return tuple(
        Posting(
            code,
            payer,
            payee,
            amount,
            getattr(event, "round_number", None),
            number,
            getattr(event, "spot", None),
            getattr(event, "reason", None),
        )
        for number, event in enumerate(events, start=first)
        for code, payer, payee, amount in event.moves(jackpot)
        if amount
    )
