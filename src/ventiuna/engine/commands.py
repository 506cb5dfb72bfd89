"""Commands from players and the house. Amounts are in cents; spots are numbered from 1.

Players must not give the house's commands, because a refused card may reveal hidden information.

>>> PlaceWagers(spot=1, base=2000, mtd={"up": 500}).base
2000
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ventiuna.engine.events import (
    NO_JACKPOTS,
    NO_MTD,
    Authority,
    JackpotGame,
    MtdWager,
    Wager,
    frozen_stakes,
)


@dataclass(frozen=True, slots=True)
class PlaceWagers:
    """All wagers of one spot before the deal; placing them again replaces them.

    `person` is the id of the spot's player. If it is empty, the player is assumed to play no other
    spot.
    """

    spot: int
    base: int
    person: str = ""
    mtd: Mapping[MtdWager, int] = NO_MTD
    jackpots: Mapping[JackpotGame, int] = NO_JACKPOTS

    def __post_init__(self) -> None:
        object.__setattr__(self, "mtd", frozen_stakes(self.mtd))
        object.__setattr__(self, "jackpots", frozen_stakes(self.jackpots))

    @classmethod
    def of(cls, spot: int, stakes: Mapping[Wager, int], person: str = "") -> PlaceWagers:
        """Return the command that places these amounts, in cents, by wager."""
        return cls(
            spot,
            stakes.get(Wager.HAND, 0),
            person,
            {wager.part: cents for wager, cents in stakes.items() if wager.part},
            {wager.game: cents for wager, cents in stakes.items() if wager.game},
        )


@dataclass(frozen=True, slots=True)
class WithdrawWagers:
    spot: int


@dataclass(frozen=True, slots=True)
class CloseWagers:
    """Close betting and start the deal."""


@dataclass(frozen=True, slots=True)
class DealCard:
    """Deal the card that the round is waiting for."""

    card: int


@dataclass(frozen=True, slots=True)
class ShowMeters:
    """Report the meter readings that the round is waiting for, in cents by jackpot game."""

    meters: Mapping[JackpotGame, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "meters", frozen_stakes(self.meters))


@dataclass(frozen=True, slots=True)
class Supervise:
    """Answer the dealer's call, or authorize the payments that the round is waiting to make."""

    by: Authority = Authority.FLOOR


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Void the round; possible until awards are due."""

    reason: str


@dataclass(frozen=True, slots=True)
class TakeBlackjack:
    """Take the payment for the blackjack."""

    spot: int


@dataclass(frozen=True, slots=True)
class KeepBlackjack:
    """Keep the blackjack and double it when its turn comes (R-032)."""

    spot: int


@dataclass(frozen=True, slots=True)
class Insure:
    """Insure for this amount; 0 declines."""

    spot: int
    amount: int


@dataclass(frozen=True, slots=True)
class Stand:
    spot: int


@dataclass(frozen=True, slots=True)
class Hit:
    spot: int


@dataclass(frozen=True, slots=True)
class Double:
    """Double down; an amount below the wager is a double for less (R-050)."""

    spot: int
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class DoubleDouble:
    spot: int


@dataclass(frozen=True, slots=True)
class Split:
    spot: int


@dataclass(frozen=True, slots=True)
class Surrender:
    spot: int


@dataclass(frozen=True, slots=True)
class Rescue:
    spot: int


Action = Stand | Hit | Double | DoubleDouble | Split | Surrender | Rescue
PlayerCommand = PlaceWagers | WithdrawWagers | TakeBlackjack | KeepBlackjack | Insure | Action
HouseCommand = CloseWagers | DealCard | ShowMeters | Supervise | VoidRound
Command = PlayerCommand | HouseCommand
