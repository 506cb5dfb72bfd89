"""Commands from players and the house, and the errors that refuse them.

Amounts are in cents; spots are numbered from 1.

Players must not issue the house's commands, because refusing a card may reveal hidden information.

>>> PlaceWagers(spot=1, base=2000, mtd={"up": 500}).base
2000
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ventiuna.core.refusals import REASONS, RefusalCode
from ventiuna.engine.events import (
    NO_JACKPOTS,
    NO_MTD,
    Authority,
    JackpotGame,
    MtdWager,
    Wager,
    frozen_stakes,
)
from ventiuna.errors import VentiunaError
from ventiuna.rules.model import Game, Rules
from ventiuna.texts import one_line


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


# --- Errors ---


MAX_REPR_LENGTH = 40
MAX_REPR_NUMBER = 10**18
FIRST_SUPER_FUN_RULE = 103  # belong to Super Fun 21


class Refused(VentiunaError, ValueError):
    """A wager, card or action violates the rules.

    >>> from ventiuna import Round
    >>> try:
    ...     Round("wsgc-2021").wager(1)
    ... except Refused as refused:
    ...     print(refused.code, refused.rules)
    table_limits ('R-002', 'R-003')
    """

    def __init__(self, code: RefusalCode, rules: tuple[str, ...], message: str) -> None:
        self.code = code
        self.rules = rules
        self.message = message
        super().__init__(f"{message} ({', '.join(rules)})" if rules else message)


class DataError(VentiunaError, ValueError):
    """An argument isn't a valid round, event, command or shuffle."""


def quoted(value: object) -> str:
    """Format an invalid value for a message: short and on one line."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > MAX_REPR_NUMBER:
        return "a number with more than 18 digits"  # Python can't format the largest integers
    if isinstance(value, str | bytes):
        value = value[:MAX_REPR_LENGTH]
    elif not isinstance(value, bool | int | float | None):
        return f"a {type(value).__name__}"
    return one_line(repr(value))


def check_rules(rules: object) -> None:
    if not isinstance(rules, Rules):
        raise Refused(
            RefusalCode.NOT_RULES,
            (),
            f"rules must be the result of load_rules, not {quoted(rules)}.",
        )


def refused_action(reason: int, game: Game) -> Refused:
    """Return the error for a reason code from `core`."""
    code, rules, message = REASONS[reason]
    return Refused(code, cited(rules, game), message)


def cited(rules: tuple[str, ...], game: Game) -> tuple[str, ...]:
    """Return only the rules of this game."""
    if game == Game.BLACKJACK:
        return rules
    own = []
    for rule in rules:
        letter, number = rule.split("-")
        is_super_fun = int(number) >= FIRST_SUPER_FUN_RULE
        if letter != "R" or is_super_fun == (game == Game.SUPER_FUN_21):
            own.append(rule)
    return tuple(own) or rules
