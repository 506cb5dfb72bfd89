"""What people at the table and the house may ask for. Amounts are cents, spots count from 1.

The house's commands are not for people: to refuse a card may tell what only the house knows.

>>> PlaceWagers(spot=1, base=2000, mtd={"up": 500}).base
2000
"""

from __future__ import annotations

from collections.abc import Mapping

from ventiuna.engine.events import NO_JACKPOTS, NO_MTD, Wager, frozen_stakes
from ventiuna.records import record


@record(frozen=True, slots=True)
class PlaceWagers:
    """All wagers of one spot before the deal; placing them again replaces them.

    `person` is the id of the person who plays the spot. Where it is empty the spot is played
    by somebody who plays no other.
    """

    spot: int
    base: int
    person: str = ""
    mtd: Mapping[str, int] = NO_MTD  # up, down, b1 to b5
    jackpots: Mapping[int, int] = NO_JACKPOTS  # game 1, 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "mtd", frozen_stakes(self.mtd))
        object.__setattr__(self, "jackpots", frozen_stakes(self.jackpots))

    @classmethod
    def of(cls, spot: int, stakes: Mapping[Wager, int], person: str = "") -> PlaceWagers:
        """The command that puts so many cents on each of these wagers."""
        return cls(
            spot,
            stakes.get(Wager.HAND, 0),
            person,
            {wager.part: cents for wager, cents in stakes.items() if wager.part},
            {wager.game: cents for wager, cents in stakes.items() if wager.game},
        )


@record(frozen=True, slots=True)
class WithdrawWagers:
    spot: int


@record(frozen=True, slots=True)
class CloseWagers:
    """No more wagers: the deal begins."""


@record(frozen=True, slots=True)
class DealCard:
    """The card that the round waits for."""

    card: int


@record(frozen=True, slots=True)
class ShowMeters:
    """The reading of the meters that the round waits for, in cents by jackpot game."""

    meters: Mapping[int, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "meters", frozen_stakes(self.meters))


@record(frozen=True, slots=True)
class VoidRound:
    """Call the round off, as long as no award has its turn."""

    reason: str


@record(frozen=True, slots=True)
class TakeBlackjack:
    """Be paid for the blackjack."""

    spot: int


@record(frozen=True, slots=True)
class KeepBlackjack:
    """Keep the blackjack to double it in turn (R-032)."""

    spot: int


@record(frozen=True, slots=True)
class Insure:
    """Insurance of this amount; 0 declines it."""

    spot: int
    amount: int


@record(frozen=True, slots=True)
class Stand:
    spot: int


@record(frozen=True, slots=True)
class Hit:
    spot: int


@record(frozen=True, slots=True)
class Double:
    """Double down; an amount below the wager is a double for less (R-050)."""

    spot: int
    amount: int | None = None


@record(frozen=True, slots=True)
class DoubleDouble:
    spot: int


@record(frozen=True, slots=True)
class Split:
    spot: int


@record(frozen=True, slots=True)
class Surrender:
    spot: int


@record(frozen=True, slots=True)
class Rescue:
    spot: int


Action = Stand | Hit | Double | DoubleDouble | Split | Surrender | Rescue
PlayerCommand = PlaceWagers | WithdrawWagers | TakeBlackjack | KeepBlackjack | Insure | Action
HouseCommand = CloseWagers | DealCard | ShowMeters | VoidRound
Command = PlayerCommand | HouseCommand
