"""What has happened. The events of a round are its whole truth: state is their fold.

Amounts are cents; spots are numbered from 1, the hands of a spot from 0 in playing order.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any


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


@dataclass(frozen=True, slots=True)
class WagersPlaced:
    spot: int
    person: str
    base: int
    mtd: dict[str, int]
    jackpots: dict[int, int]


@dataclass(frozen=True, slots=True)
class WagersWithdrawn:
    spot: int


@dataclass(frozen=True, slots=True)
class StageReached:
    stage: Stage


@dataclass(frozen=True, slots=True)
class MeterRaised:
    """A contribution or seed money; `remainder` counts ten-thousandths of a cent."""

    game: int
    amount: int
    remainder: int
    reason: str  # contribution, seed


@dataclass(frozen=True, slots=True)
class MeterLowered:
    game: int
    amount: int
    reason: str  # won


@dataclass(frozen=True, slots=True)
class CardDealt:
    card: int | None  # None: hidden from the viewer
    place: Place
    spot: int = 0
    hand: int = 0


@dataclass(frozen=True, slots=True)
class SupervisorCalled:
    """Two qualifying 7s and the up card: the third card is watched (R-072)."""

    spot: int


@dataclass(frozen=True, slots=True)
class BonusCardsLocked:
    """The Bonus Cards are out of play (R-028)."""


@dataclass(frozen=True, slots=True)
class BlackjackTaken:
    spot: int


@dataclass(frozen=True, slots=True)
class BlackjackKept:
    spot: int


@dataclass(frozen=True, slots=True)
class InsurancePlaced:
    """Insurance, or its refusal with an amount of 0."""

    spot: int
    amount: int


@dataclass(frozen=True, slots=True)
class DealerChecked:
    blackjack: bool


@dataclass(frozen=True, slots=True)
class HandStood:
    spot: int
    hand: int


@dataclass(frozen=True, slots=True)
class HandHit:
    spot: int
    hand: int


@dataclass(frozen=True, slots=True)
class HandDoubled:
    """A double or double-double by `amount`."""

    spot: int
    hand: int
    amount: int


@dataclass(frozen=True, slots=True)
class HandSplit:
    """The hand's second card becomes a hand of its own behind it, for the same wager."""

    spot: int
    hand: int
    amount: int


@dataclass(frozen=True, slots=True)
class HandSurrendered:
    spot: int
    hand: int


@dataclass(frozen=True, slots=True)
class HandRescued:
    spot: int
    hand: int


@dataclass(frozen=True, slots=True)
class AdviceGiven:
    spot: int
    hand: int
    advice: Advice


@dataclass(frozen=True, slots=True)
class DownCardExposed:
    card: int


@dataclass(frozen=True, slots=True)
class WagerSettled:
    """One wager, or one part of it, is over: `paid` is all that the player gets back."""

    spot: int
    hand: int  # -1: no wager on a hand
    wager: str  # hand, insurance, mtd up, …, jackpot 1, super, envy
    stake: int
    paid: int
    odds: str
    rule: str
    reason: str
    meter: int = 0  # number of the jackpot game whose meter pays, 0: the house

    @property
    def net(self) -> int:
        return self.paid - self.stake


@dataclass(frozen=True, slots=True)
class HandRemoved:
    """The hand's cards are taken away."""

    spot: int
    hand: int


Event = (
    WagersPlaced
    | WagersWithdrawn
    | StageReached
    | MeterRaised
    | MeterLowered
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
)

EVENT_TYPES: dict[str, type[Any]] = {kind.__name__: kind for kind in Event.__args__}
_ENUMS: dict[str, type[StrEnum]] = {"stage": Stage, "place": Place, "advice": Advice}


def event_data(event: Event) -> dict[str, Any]:
    """The event as plain data for JSON."""
    data: dict[str, Any] = {"event": type(event).__name__}
    for part in fields(event):
        value = getattr(event, part.name)
        data[part.name] = str(value) if isinstance(value, StrEnum) else value
    return data


def event_from_data(data: dict[str, Any]) -> Event:
    """The event that `event_data` wrote, also after a trip through JSON."""
    values = dict(data)
    kind = EVENT_TYPES[values.pop("event")]
    for name, enum in _ENUMS.items():
        if name in values:
            values[name] = enum(values[name])
    if "jackpots" in values:  # JSON turns the games' numbers into text
        values["jackpots"] = {int(game): amount for game, amount in values["jackpots"].items()}
    event: Event = kind(**values)
    return event
