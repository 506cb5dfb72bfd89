"""What happens at a table around its rounds. With the round's own events, its whole truth.

Seats and spots are numbered from 1, amounts are cents, times milliseconds. Persons are named by
their ids, hashes and secrets by their hexadecimal text.
"""

from __future__ import annotations

from enum import StrEnum

from ventiuna.engine.events import Cents, Event
from ventiuna.engine.stakes import NO_JACKPOTS, Stakes
from ventiuna.records import record


class AskKind(StrEnum):
    """What a table waits for."""

    CUT_COMMIT = "cut_commit"
    CUT_OPEN = "cut_open"
    WAGERS = "wagers"
    BLACKJACK = "blackjack"
    INSURANCE = "insurance"
    DECISION = "decision"


# --- the table --------------------------------------------------------------------------------


@record(frozen=True, slots=True)
class TableOpened:
    name: str
    rules: str
    fingerprint: str


@record(frozen=True, slots=True)
class TableClosing:
    """No new round; the open one is played to its end."""

    reason: str


@record(frozen=True, slots=True)
class TableClosed:
    pass


@record(frozen=True, slots=True)
class TableFaulted:
    """No play until an operator voids the round or resumes the table."""

    reason: str


@record(frozen=True, slots=True)
class TableResumed:
    reason: str


@record(frozen=True, slots=True)
class BankDropped:
    """The bank's result goes to the house; the house makes good what is below zero."""

    amount: int


# --- seats ------------------------------------------------------------------------------------


@record(frozen=True, slots=True)
class SeatTaken:
    seat: int
    person: str
    name: str  # as it was then


@record(frozen=True, slots=True)
class SpotsChosen:
    """All spots that the seat plays from now on."""

    seat: int
    spots: tuple[int, ...]


@record(frozen=True, slots=True)
class ChipsBought:
    seat: int
    amount: Cents


@record(frozen=True, slots=True)
class ChipsCashedOut:
    seat: int
    amount: Cents


@record(frozen=True, slots=True)
class SeatReady:
    """The seat wants nothing more from the present ask: deal, or cut without it."""

    seat: int


@record(frozen=True, slots=True)
class SeatAway:
    """Without a client for too long: its asks get their defaults at once."""

    seat: int


@record(frozen=True, slots=True)
class SeatBack:
    seat: int


@record(frozen=True, slots=True)
class SeatLeaving:
    """Cashed out as soon as no round with a wager of it is open."""

    seat: int


@record(frozen=True, slots=True)
class SeatLeft:
    seat: int


# --- shoes ------------------------------------------------------------------------------------


@record(frozen=True, slots=True)
class ShoeCommitted:
    shoe: int
    commitment: str


@record(frozen=True, slots=True)
class CutCommitted:
    seat: int
    commitment: str


@record(frozen=True, slots=True)
class CutsListed:
    """All commitments are known: now the values are opened."""


@record(frozen=True, slots=True)
class CutOpened:
    seat: int
    value: str


@record(frozen=True, slots=True)
class ShoeCut:
    """The order of the shoe stands; who committed a cut and did not open it is named."""

    shoe: int
    mix: str
    withheld: tuple[int, ...] = ()


@record(frozen=True, slots=True)
class ShoeRevealed:
    shoe: int
    seed: str


@record(frozen=True, slots=True)
class ShoeLost:
    """The shoe ended, and nobody can check it: the key behind its commitment is lost."""

    shoe: int
    reason: str


# --- rounds and clocks ------------------------------------------------------------------------


@record(frozen=True, slots=True)
class RoundOpened:
    """Wagers may be placed. What the meters show then, and this table's parts of a cent."""

    number: int
    shoe: int
    meters: Stakes[int] = NO_JACKPOTS
    remainders: Stakes[int] = NO_JACKPOTS


@record(frozen=True, slots=True)
class AskRaised:
    """The table waits for these spots; its number among the events names the ask."""

    kind: AskKind
    spots: tuple[int, ...] = ()
    hand: int = 0


@record(frozen=True, slots=True)
class TimeRanOut:
    ask: int


@record(frozen=True, slots=True)
class ClocksRestarted:
    """Everybody has a full clock again: time jumped, or the house was out."""

    reason: str


@record(frozen=True, slots=True)
class RoundClosed:
    """Played to its end, or void: the round's own last event says which."""

    number: int


# --- jackpots ---------------------------------------------------------------------------------


@record(frozen=True, slots=True)
class JackpotLinked:
    game: int
    jackpot: int
    reserve_rate: int  # ten-thousandths of a wager that go into the reserve


@record(frozen=True, slots=True)
class JackpotUnlinked:
    game: int
    jackpot: int


@record(frozen=True, slots=True)
class ReserveRaised:
    """The hidden part of a contribution; `remainder` counts ten-thousandths of a cent."""

    game: int
    amount: Cents
    remainder: int


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
)
TableEvent = OwnEvent | Event
