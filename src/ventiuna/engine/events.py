"""What has happened. The events of a round are its whole truth: state is their fold.

Amounts are cents; spots are numbered from 1, the hands of a spot from 0 in playing order.

>>> from ventiuna import Table
>>> played = Table("wsgc-2021", seed=1).play_round()
>>> type(played.events[0]).__name__
'WagersPlaced'
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from ventiuna.engine.stakes import NO_JACKPOTS, NO_MTD, Stakes, Wager
from ventiuna.records import record

# The number of the event format. A change that old events don't fit counts it up and adds an
# upcaster to `codec`.
ENGINE = 2

Cents: TypeAlias = int
Card: TypeAlias = int  # 0 to 51: in events and views a card is its number, never a text


class Stage(StrEnum):
    """The steps of a round (R-102, R-120)."""

    WAGERS = "wagers"
    DEAL = "deal"
    UP_CARD_WAGERS = "up_card_wagers"  # and Bonus Cards, and fixed jackpot pays
    BLACKJACKS = "blackjacks"
    INSURANCE = "insurance"
    UNINSURED_BLACKJACKS = "uninsured_blackjacks"
    CHECK = "check"
    BLACKJACKS_AFTER_CHECK = "blackjacks_after_check"
    PLAY = "play"
    DEALER = "dealer"
    SETTLEMENT = "settlement"
    DOWN_CARD_WAGERS = "down_card_wagers"  # and jackpot lines that need the down card
    AWARDS = "awards"  # shares of the meters
    SUPER_BONUS = "super_bonus"  # then Envy Bonuses
    CLOSED = "closed"
    VOID = "void"  # called off: as if it had never been played, but for contributions


class Place(StrEnum):
    """Where a card goes."""

    PLAYER = "player"
    UP = "up"
    DOWN = "down"
    BONUS = "bonus"
    DEALER = "dealer"  # drawn by the dealer


class Advice(StrEnum):
    """What Super Fun 21's dealer tells a player (R-118)."""

    SIXTH_CARD_CANNOT_LOSE = "sixth_card_cannot_lose"
    HIT_ELEVEN = "hit_eleven"


@record(frozen=True, slots=True)
class WagersPlaced:
    """All wagers of a spot; they replace those that lay there."""

    spot: int
    person: str  # the id of the person who plays the spot; empty: nobody is named
    base: Cents
    mtd: Stakes[str] = NO_MTD
    jackpots: Stakes[int] = NO_JACKPOTS


@record(frozen=True, slots=True)
class WagersWithdrawn:
    spot: int


@record(frozen=True, slots=True)
class StageReached:
    stage: Stage


@record(frozen=True, slots=True)
class MeterRaised:
    """A contribution or seed money; `remainder` counts ten-thousandths of a cent."""

    game: int
    amount: Cents
    remainder: int
    reason: str  # contribution, seed


@record(frozen=True, slots=True)
class MeterLowered:
    game: int
    amount: Cents
    reason: str  # won


@record(frozen=True, slots=True)
class MetersShown:
    """What the meters of these games show when awards are worked out from them (R-095).

    A meter that other tables feed too may show more than this round's own sum.
    """

    meters: Stakes[int]


@record(frozen=True, slots=True)
class CardDealt:
    card: Card | None  # None: hidden from the viewer
    place: Place
    spot: int = 0
    hand: int = 0


@record(frozen=True, slots=True)
class SupervisorCalled:
    """Two qualifying 7s and the up card: the third card is watched (R-072)."""

    spot: int


@record(frozen=True, slots=True)
class BonusCardsLocked:
    """The Bonus Cards are out of play (R-028)."""


@record(frozen=True, slots=True)
class BlackjackTaken:
    spot: int


@record(frozen=True, slots=True)
class BlackjackKept:
    spot: int


@record(frozen=True, slots=True)
class InsurancePlaced:
    """Insurance, or its refusal with an amount of 0."""

    spot: int
    amount: Cents


@record(frozen=True, slots=True)
class DealerChecked:
    blackjack: bool


@record(frozen=True, slots=True)
class HandStood:
    spot: int
    hand: int


@record(frozen=True, slots=True)
class HandHit:
    spot: int
    hand: int


@record(frozen=True, slots=True)
class HandDoubled:
    """A double or double-double by `amount`."""

    spot: int
    hand: int
    amount: Cents


@record(frozen=True, slots=True)
class HandSplit:
    """The hand's second card becomes a hand of its own behind it, for the same wager."""

    spot: int
    hand: int
    amount: Cents


@record(frozen=True, slots=True)
class HandSurrendered:
    spot: int
    hand: int


@record(frozen=True, slots=True)
class HandRescued:
    spot: int
    hand: int


@record(frozen=True, slots=True)
class AdviceGiven:
    spot: int
    hand: int
    advice: Advice


@record(frozen=True, slots=True)
class DownCardExposed:
    card: Card


@record(frozen=True, slots=True)
class WagerSettled:
    """One wager, or one part of it, is over: `paid` is all that the player gets back."""

    spot: int
    hand: int  # -1: no wager on a hand
    wager: Wager
    stake: Cents
    paid: Cents
    odds: str
    rule: str
    reason: str
    meter: int = 0  # number of the jackpot game whose meter pays, 0: the house

    @property
    def net(self) -> int:
        return self.paid - self.stake


@record(frozen=True, slots=True)
class HandRemoved:
    """The hand's cards are taken away."""

    spot: int
    hand: int


@record(frozen=True, slots=True)
class RoundVoided:
    """Everybody gets back what the round took and gives back what it paid; meters keep their
    contributions."""

    reason: str


Event = (
    WagersPlaced
    | WagersWithdrawn
    | StageReached
    | MeterRaised
    | MeterLowered
    | MetersShown
    | CardDealt
    | SupervisorCalled
    | BonusCardsLocked
    | BlackjackTaken
    | BlackjackKept
    | InsurancePlaced
    | DealerChecked
    | HandStood
    | HandHit
    | HandDoubled
    | HandSplit
    | HandSurrendered
    | HandRescued
    | AdviceGiven
    | DownCardExposed
    | WagerSettled
    | HandRemoved
    | RoundVoided
)
