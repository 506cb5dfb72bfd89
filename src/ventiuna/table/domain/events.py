"""A live table's events, and the money each one moves.

Together with the round's events, they are the complete history of a table. Seats and spots are
numbered from 1, amounts are in cents and times in milliseconds. People are identified by their ids;
hashes and secrets are hexadecimal strings. `sentence` describes an event to everyone;
`presentation` describes events whose sentences need more than their own fields.

This is the only place where events map to postings. `MeterLowered` and seed money have no posting
in the table's entry. They concern only the jackpot, so they are posted in the jackpot's book along
with the award itself. When betting closes, contributions to a progressive go to the table's
stripes. A round event records the meter's part, and a table event records the reserve's part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

from ventiuna.engine import events as ev
from ventiuna.engine.chips import Chips
from ventiuna.engine.events import (
    LEFT_OUT_AT_DEFAULT,
    NO_JACKPOTS,
    Cents,
    Event,
    JackpotGame,
    MeterRaised,
    Stakes,
    WagerKind,
)
from ventiuna.table.ledger import Posting, PostingCode


class AskKind(StrEnum):
    """Kinds of prompts."""

    CUT_COMMIT = "cut_commit"
    CUT_OPEN = "cut_open"
    WAGERS = "wagers"
    BLACKJACK = "blackjack"
    INSURANCE = "insurance"
    DECISION = "decision"
    SUPERVISOR = "supervisor"  # only the floor may answer
    SUPERVISOR_LATE = "supervisor_late"  # an operator may answer too


FOR_SUPERVISOR = (AskKind.SUPERVISOR, AskKind.SUPERVISOR_LATE)


@dataclass(frozen=True, slots=True)
class TableOpened:
    name: str
    rules: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class TableClosing:
    """No new round starts; the open one is played to the end."""

    sentence: ClassVar = "The table closes after this round ({event.reason})."
    is_strong: ClassVar = True

    reason: str


@dataclass(frozen=True, slots=True)
class TableClosed:
    sentence: ClassVar = "The table is closed."
    is_strong: ClassVar = True


@dataclass(frozen=True, slots=True)
class TableFaulted:
    """Play stops until an operator voids the round or resumes the table."""

    sentence: ClassVar = "Play has stopped because of an error ({event.reason})."
    is_strong: ClassVar = True

    reason: str


@dataclass(frozen=True, slots=True)
class TableResumed:
    sentence: ClassVar = "Play resumes ({event.reason})."
    is_strong: ClassVar = True

    reason: str


@dataclass(frozen=True, slots=True)
class BankDropped:
    """The bank's result goes to the house, which covers any loss."""

    amount: int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    seat: int
    person: str
    name: str  # the person's name at that time


@dataclass(frozen=True, slots=True)
class SpotsChosen:
    """All spots the seat plays from now on."""

    seat: int
    spots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChipsBought:
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class ChipsCashedOut:
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class SeatReady:
    """The seat is done with the current prompt; the deal or cut doesn't wait for this seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatAway:
    """The seat had no client for too long; its prompts get their defaults at once."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatBack:
    seat: int


@dataclass(frozen=True, slots=True)
class SeatLeaving:
    """The seat is cashed out as soon as it has no wager in an open round."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    seat: int


@dataclass(frozen=True, slots=True)
class ShoeCommitted:
    sentence: ClassVar = "The house commits to shoe {event.shoe}: {event.commitment}."

    shoe: int
    commitment: str


@dataclass(frozen=True, slots=True)
class CutCommitted:
    seat: int
    commitment: str


@dataclass(frozen=True, slots=True)
class CutsListed:
    """All cuts are committed and can now be opened."""

    sentence: ClassVar = "All cuts are committed and will now be opened."


@dataclass(frozen=True, slots=True)
class CutOpened:
    seat: int
    value: str


@dataclass(frozen=True, slots=True)
class ShoeCut:
    """The order of the shoe is final; `withheld` lists the seats that didn't open their cuts."""

    shoe: int
    mix: str
    withheld: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ShoeRevealed:
    sentence: ClassVar = "Shoe {event.shoe} has ended. Its seed was {event.seed}."

    shoe: int
    seed: str


@dataclass(frozen=True, slots=True)
class ShoeLost:
    """The shoe ended, and nobody can verify it because the key behind its commitment is lost."""

    sentence: ClassVar = "Shoe {event.shoe} has ended and can't be checked ({event.reason})."

    shoe: int
    reason: str


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """Betting is open; records the meter readings and this table's fractions of a cent."""

    sentence: ClassVar = "Round {event.number} is open for wagers."

    number: int
    shoe: int
    meters: Stakes[JackpotGame] = NO_JACKPOTS
    remainders: Stakes[JackpotGame] = NO_JACKPOTS
    supervised: bool = field(default=False, metadata=LEFT_OUT_AT_DEFAULT)


@dataclass(frozen=True, slots=True)
class AskRaised:
    """The table is waiting for these spots; the event's number identifies the prompt."""

    kind: AskKind
    spots: tuple[int, ...] = ()
    hand: int = 0
    # What a supervisor must do, and for which spots; nobody at the table can answer.
    task: str = field(default="", metadata=LEFT_OUT_AT_DEFAULT)
    called: tuple[int, ...] = field(default=(), metadata=LEFT_OUT_AT_DEFAULT)


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    sentence: ClassVar = "Time is up. The table continues without an answer."
    is_strong: ClassVar = True

    ask: int


@dataclass(frozen=True, slots=True)
class ClocksRestarted:
    """Everyone has a full clock again, because time jumped or the house was down."""

    sentence: ClassVar = "All clocks start over ({event.reason})."

    reason: str


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """The round was finished or voided; its last event says which."""

    number: int


@dataclass(frozen=True, slots=True)
class JackpotLinked:
    sentence: ClassVar = "Jackpot {event.game} of this table now feeds meter {event.jackpot}."

    game: int
    jackpot: int
    reserve_rate: int  # ten-thousandths of a wager that go to the reserve


@dataclass(frozen=True, slots=True)
class JackpotUnlinked:
    sentence: ClassVar = "Jackpot {event.game} of this table no longer has a meter."

    game: int
    jackpot: int


@dataclass(frozen=True, slots=True)
class ReserveRaised:
    """The hidden part of a contribution; `remainder` is in ten-thousandths of a cent."""

    game: int
    amount: Cents
    remainder: int


@dataclass(frozen=True, slots=True)
class DeckInspected:
    """Two people counted a deck and took out its tens and jokers."""

    sentence: ClassVar = (
        "Deck {event.deck} is inspected: {event.tens} tens and {event.jokers} jokers taken out, "
        "{event.cards_left} cards left, back {event.back} (dealer {event.dealer}, supervisor "
        "{event.supervisor})."
    )

    deck: int
    tens: int
    jokers: int
    cards_left: int
    back: str
    dealer: str
    supervisor: str


@dataclass(frozen=True, slots=True)
class DecksShuffled:
    """The inspection is complete, and the table may deal."""

    sentence: ClassVar = (
        "The inspected decks are shuffled (dealer {event.dealer}, supervisor {event.supervisor})."
    )

    dealer: str
    supervisor: str


@dataclass(frozen=True, slots=True)
class CardsBoxed:
    """The cards taken out at the inspection are back in their boxes."""

    sentence: ClassVar = (
        "The cards taken out are back in their boxes (dealer {event.dealer}, supervisor "
        "{event.supervisor})."
    )

    dealer: str
    supervisor: str


@dataclass(frozen=True, slots=True)
class AwardHeld:
    """A percentage award must be paid by hand, away from the table (R-122).

    The event's number in the book identifies the award.
    """

    round_number: int
    spot: int
    person: str
    game: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class AwardHandPaid:
    """A held award was paid into the wallet by hand, by the entry's sender at the entry's time."""

    award: int
    round_number: int
    spot: int
    person: str
    amount: Cents


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """A closed round paid a spot the wrong amount; the difference moved to or from the wallet.

    The amounts include returned stakes, and exclude jackpots. The event's number in the book
    identifies the correction.
    """

    round_number: int
    spot: int
    person: str
    staked: Cents
    paid_before: Cents  # by the round, or by its earlier correction
    paid: Cents  # the corrected amount
    rule: str
    reason: str
    # The number of the correction that this one replaces; 0 if there is none.
    earlier: int = field(default=0, metadata=LEFT_OUT_AT_DEFAULT)

    @property
    def difference(self) -> int:
        return self.paid - self.paid_before


@dataclass(frozen=True, slots=True)
class AlarmRaised:
    """The monitor found wrong payments, a wrong meter or a biased shoe.

    The event's number in the book identifies the alarm. Nothing at the table announces it.
    """

    stream: str  # what was tested
    finding: str  # a sentence
    rounds: tuple[int, ...]  # the rounds that contributed most


@dataclass(frozen=True, slots=True)
class AlarmAcknowledged:
    """Someone has looked into an alarm: the sender of the entry, for the reason that it gives."""

    alarm: int


OwnEvent = (
    TableOpened
    | TableClosing
    | TableClosed
    | TableFaulted
    | TableResumed
    | BankDropped
    | SeatTaken
    | SpotsChosen
    | ChipsBought
    | ChipsCashedOut
    | SeatReady
    | SeatAway
    | SeatBack
    | SeatLeaving
    | SeatLeft
    | ShoeCommitted
    | CutCommitted
    | CutsListed
    | CutOpened
    | ShoeCut
    | ShoeRevealed
    | ShoeLost
    | RoundOpened
    | AskRaised
    | TimeRanOut
    | ClocksRestarted
    | RoundClosed
    | JackpotLinked
    | JackpotUnlinked
    | ReserveRaised
    | DeckInspected
    | DecksShuffled
    | CardsBoxed
    | AwardHeld
    | AwardHandPaid
    | RoundCorrected
    | AlarmRaised
    | AlarmAcknowledged
)
TableEvent = OwnEvent | Event


HOUSE_ACCOUNT = "house"
# An award cites the rule for its kind of jackpot, progressive or house. Fixed pays and operator
# prizes cite other rules.
PAID_BY_JACKPOT = frozenset({"R-095", "O-39"})


class ChipAccounts(NamedTuple):
    """The owner of the chips at each seat and spot; only the table knows this."""

    table: int
    seats: Mapping[int, int]  # seat by spot
    persons: Mapping[int, int]  # person by seat
    jackpots: Mapping[int, int]  # progressive's number by jackpot game; none for house jackpots
    round_number: int | None = None
    hand_pay: bool = False  # whether percentage awards wait for a hand-pay

    @property
    def stake(self) -> str:
        return f"stake/{self.table}"

    @property
    def bank(self) -> str:
        return f"bank/{self.table}"

    def stack_of(self, spot: int) -> str:
        return self.stack(self.seats[spot])

    def stack(self, seat: int) -> str:
        return f"stack/{self.table}/{seat}"

    @property
    def due(self) -> str:
        return f"due/{self.table}"

    def award_of(self, spot: int) -> str:
        """The account that gets the percentage awards of this spot."""
        return self.due if self.hand_pay else self.stack_of(spot)

    def wallet(self, seat: int) -> str:
        return f"wallet/{self.persons[seat]}"

    def meter(self, game: int) -> str:
        return f"meter/{self.jackpots[game]}/{self.table}"

    def reserve(self, game: int) -> str:
        return f"reserve/{self.jackpots[game]}/{self.table}"


Move = tuple[PostingCode, str, str, int]  # code, payer, payee, cents


def postings_of(
    event: TableEvent, number: int, before: Chips, layout: ChipAccounts
) -> tuple[Posting, ...]:
    """Return the postings for an event.

    `number` is the event's number in the book, and `before` is the open round's chips before the
    event. Events outside rounds don't need `before`.
    """
    moves = _POSTINGS_BY_EVENT.get(type(event))
    if moves is None:
        return ()
    round_number = None
    if type(event) not in _BETWEEN_ROUNDS:
        round_number = getattr(event, "round_number", layout.round_number)
    spot = getattr(event, "spot", None)
    return tuple(
        Posting(code, payer, payee, amount, round_number, number, spot)
        for code, payer, payee, amount in moves(event, layout, before)
        if amount
    )


def _wagers_placed(event: ev.WagersPlaced, layout: ChipAccounts, before: Chips) -> Iterator[Move]:
    """Move each wager, and each wager it replaces, separately.

    They are sorted by name, because canonical JSON preserves no other order and stored events must
    produce the same postings.
    """
    yield from _wagers_withdrawn(event, layout, before)
    mtd = [amount for _, amount in sorted(event.mtd.items())]
    jackpots = [amount for _, amount in sorted(event.jackpots.items())]
    for amount in (event.base, *mtd, *jackpots):
        yield PostingCode.WAGER, layout.stack_of(event.spot), layout.stake, amount


def _wagers_withdrawn(
    event: ev.WagersPlaced | ev.WagersWithdrawn, layout: ChipAccounts, before: Chips
) -> Iterator[Move]:
    for amount in before.stakes_on(event.spot):
        yield PostingCode.TAKE_BACK, layout.stake, layout.stack_of(event.spot), amount


def _added_to_stake(code: PostingCode) -> Moves:
    def added(
        event: ev.HandDoubled | ev.HandSplit | ev.InsurancePlaced, layout: ChipAccounts, _: Chips
    ) -> Iterator[Move]:
        yield code, layout.stack_of(event.spot), layout.stake, event.amount

    return added


def _wager_settled(event: ev.WagerSettled, layout: ChipAccounts, _: Chips) -> Iterator[Move]:
    stack, stake, bank = layout.stack_of(event.spot), layout.stake, layout.bank
    if event.wager.game and event.rule in PAID_BY_JACKPOT:
        # The house takes the stake and pays the award in full; a progressive posts its own awards.
        yield PostingCode.LOST, stake, bank, event.stake
        if not event.meter:
            yield PostingCode.HOUSE_PRIZE, bank, layout.award_of(event.spot), event.paid
        return
    yield PostingCode.RETURNED, stake, stack, min(event.paid, event.stake)
    if event.paid > event.stake:
        yield _BONUS_CODES.get(event.wager.kind, PostingCode.WON), bank, stack, event.net
    else:
        yield PostingCode.LOST, stake, bank, -event.net


_BONUS_CODES = {
    WagerKind.SUPER: PostingCode.SUPER_BONUS,
    WagerKind.ENVY: PostingCode.ENVY_BONUS,
}


def _round_voided(_: ev.RoundVoided, layout: ChipAccounts, before: Chips) -> Iterator[Move]:
    """First return each seat's chips on the layout so that the seat can pay back its winnings."""
    found: dict[int, tuple[int, int]] = {}  # chips on the layout and net result for each seat
    for spot, gain in before.spots.items():
        on_layout = sum(before.stakes_on(spot))
        if gain or on_layout:  # a player who withdrew all wagers may have left
            seat = layout.seats[spot]
            staked, won = found.get(seat, (0, 0))
            found[seat] = staked + on_layout, won + gain + on_layout
    for seat, (on_layout, won) in sorted(found.items()):
        stack = layout.stack(seat)
        yield PostingCode.VOID_STAKE, layout.stake, stack, on_layout
        if won > 0:
            yield PostingCode.VOID_WON, stack, layout.bank, won
        else:
            yield PostingCode.VOID_LOST, layout.bank, stack, -won


def _meter_raised(event: ev.MeterRaised, layout: ChipAccounts, _: Chips) -> Iterator[Move]:
    if event.reason == "contribution":
        yield PostingCode.CONTRIBUTION, layout.bank, layout.meter(event.game), event.amount


def _reserve_raised(event: ReserveRaised, layout: ChipAccounts, _: Chips) -> Iterator[Move]:
    yield PostingCode.RESERVE, layout.bank, layout.reserve(event.game), event.amount


def _chips_bought(event: ChipsBought, layout: ChipAccounts, _: Chips) -> Iterator[Move]:
    yield PostingCode.BUY_IN, layout.wallet(event.seat), layout.stack(event.seat), event.amount


def _chips_cashed_out(event: ChipsCashedOut, layout: ChipAccounts, _: Chips) -> Iterator[Move]:
    yield PostingCode.CASH_OUT, layout.stack(event.seat), layout.wallet(event.seat), event.amount


def _award_hand_paid(event: AwardHandPaid, layout: ChipAccounts, _: Chips) -> Iterator[Move]:
    yield PostingCode.HAND_PAY, layout.due, f"wallet/{event.person}", event.amount


def _round_corrected(event: RoundCorrected, layout: ChipAccounts, _: Chips) -> Iterator[Move]:
    wallet = f"wallet/{event.person}"
    if event.difference > 0:
        yield PostingCode.CORRECTION_PAID, layout.bank, wallet, event.difference
    else:
        yield PostingCode.CORRECTION_TAKEN, wallet, layout.bank, -event.difference


def _bank_dropped(event: BankDropped, layout: ChipAccounts, _: Chips) -> Iterator[Move]:
    if event.amount > 0:
        yield PostingCode.DROP, layout.bank, HOUSE_ACCOUNT, event.amount
    else:
        yield PostingCode.FILL, HOUSE_ACCOUNT, layout.bank, -event.amount


Moves = Callable[[Any, ChipAccounts, Chips], Iterator[Move]]
_POSTINGS_BY_EVENT: dict[type[TableEvent], Moves] = {
    ev.WagersPlaced: _wagers_placed,
    ev.WagersWithdrawn: _wagers_withdrawn,
    ev.InsurancePlaced: _added_to_stake(PostingCode.INSURANCE),
    ev.HandDoubled: _added_to_stake(PostingCode.DOUBLE),
    ev.HandSplit: _added_to_stake(PostingCode.SPLIT),
    ev.WagerSettled: _wager_settled,
    ev.MeterRaised: _meter_raised,
    ev.RoundVoided: _round_voided,
    ReserveRaised: _reserve_raised,
    ChipsBought: _chips_bought,
    ChipsCashedOut: _chips_cashed_out,
    BankDropped: _bank_dropped,
    AwardHandPaid: _award_hand_paid,
    RoundCorrected: _round_corrected,
}
_BETWEEN_ROUNDS = (ChipsBought, ChipsCashedOut, BankDropped)
MOVES_MONEY = frozenset(_POSTINGS_BY_EVENT)  # the events that have postings


@dataclass(frozen=True, slots=True)
class PendingContributions:
    """The current command's contributions, not in the stripes yet."""

    meter: int = 0
    reserve: int = 0


def pending_contributions(events: Iterable[TableEvent], game: int) -> PendingContributions:
    """Sum the amounts that one command's events add to the game's stripes."""
    meter = reserve = 0
    for event in events:
        if isinstance(event, MeterRaised):
            if event.game == game and event.reason == "contribution":
                meter += event.amount
        elif isinstance(event, ReserveRaised) and event.game == game:
            reserve += event.amount
    return PendingContributions(meter, reserve)
