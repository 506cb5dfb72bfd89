"""Events of a round. They determine its state completely: the state is a fold over them.

Amounts are in cents. Spots are numbered from 1, and the hands of a spot from 0 in playing order.
The types of wagers and stakes are defined here, too.

>>> from ventiuna import Table
>>> played = Table("wsgc-2021", seed=1).play_round()
>>> type(played.events[0]).__name__
'WagersPlaced'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple, NoReturn, TypeAlias, TypeVar

from ventiuna.core.cards import CARDS

# --- Field types ---
#
# The declared types of fields determine their JSON, its schema and the client's types. A type
# that accepts only some values says which in its annotation: a range of numbers or a tuple of
# names.

MAX_INT64 = 2**63 - 1  # the largest database integer


class Whole(NamedTuple):
    """A range of whole numbers, and its description in messages."""

    minimum: int
    maximum: int
    words: str


INT64 = Whole(-MAX_INT64, MAX_INT64, "a whole number of at most 64 bits")
CENTS = Whole(0, MAX_INT64, "a whole number of cents, at least 0")
# Metadata of a field that records omit if it has its default value, because older records lack it.
LEFT_OUT_AT_DEFAULT = {"left_out_at_default": True}
Cents: TypeAlias = Annotated[int, CENTS]
Card: TypeAlias = Annotated[int, Whole(0, CARDS - 1, "a card number from 0 to 51")]


# --- Wagers and stakes ---

K = TypeVar("K")


class WagerKind(StrEnum):
    HAND = "hand"  # the base wager plus doubles and splits
    INSURANCE = "insurance"
    MTD = "mtd"  # Match the Dealer
    JACKPOT = "jackpot"
    SUPER = "super"  # Super and Envy Bonuses have no wager of their own
    ENVY = "envy"


class Wager(StrEnum):
    """A wager or bonus that can be paid. The value is its name in hand histories: `mtd up`."""

    kind: WagerKind
    part: str  # for Match the Dealer: up, down, b1 to b5, as in the rules
    game: int  # for a jackpot: 1 or 2, otherwise 0

    HAND = "hand", WagerKind.HAND
    INSURANCE = "insurance", WagerKind.INSURANCE
    MTD_UP = "mtd up", WagerKind.MTD, "up"
    MTD_DOWN = "mtd down", WagerKind.MTD, "down"
    MTD_B1 = "mtd b1", WagerKind.MTD, "b1"
    MTD_B2 = "mtd b2", WagerKind.MTD, "b2"
    MTD_B3 = "mtd b3", WagerKind.MTD, "b3"
    MTD_B4 = "mtd b4", WagerKind.MTD, "b4"
    MTD_B5 = "mtd b5", WagerKind.MTD, "b5"
    JACKPOT_1 = "jackpot 1", WagerKind.JACKPOT, "", 1
    JACKPOT_2 = "jackpot 2", WagerKind.JACKPOT, "", 2
    SUPER = "super", WagerKind.SUPER
    ENVY = "envy", WagerKind.ENVY

    def __new__(
        cls, text: str, kind: WagerKind = WagerKind.HAND, part: str = "", game: int = 0
    ) -> Wager:
        wager = str.__new__(cls, text)
        wager._value_ = text
        wager.kind = kind
        wager.part = part
        wager.game = game
        return wager

    @property
    def is_free(self) -> bool:
        """Return whether it pays without a wager of its own (R-069, R-073)."""
        return self.kind is WagerKind.SUPER or self.kind is WagerKind.ENVY


MTD_WAGERS = {wager.part: wager for wager in Wager if wager.kind is WagerKind.MTD}
JACKPOT_WAGERS = {wager.game: wager for wager in Wager if wager.kind is WagerKind.JACKPOT}
MtdWager: TypeAlias = Annotated[str, tuple(MTD_WAGERS)]
JackpotGame: TypeAlias = Annotated[int, tuple(JACKPOT_WAGERS)]


class Stakes(dict[K, int]):
    """Cents by wager name or number: an immutable, hashable mapping.

    A dict subclass for speed, because every round reads it constantly.
    """

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[Stakes[K]], tuple[dict[K, int]]]:
        return Stakes, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("stakes can't be changed; make new ones")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


def frozen_stakes(cents: Mapping[K, int]) -> Stakes[K]:
    """Return an immutable copy; a non-mapping is returned unchanged for the rules to refuse."""
    if isinstance(cents, Stakes) or not isinstance(cents, Mapping):
        return cents
    return Stakes(cents)


NO_MTD: Stakes[str] = Stakes({})
NO_JACKPOTS: Stakes[int] = Stakes({})


# --- Events ---

# Event format number. An incompatible change increments it and adds an upcaster to `codec`.
ENGINE = 2


class Stage(StrEnum):
    """The steps of a round (R-102, R-120)."""

    WAGERS = "wagers"
    DEAL = "deal"
    UP_CARD_WAGERS = "up_card_wagers"  # also Bonus Cards and fixed jackpot payouts
    BLACKJACKS = "blackjacks"
    INSURANCE = "insurance"
    UNINSURED_BLACKJACKS = "uninsured_blackjacks"
    CHECK = "check"
    BLACKJACKS_AFTER_CHECK = "blackjacks_after_check"
    PLAY = "play"
    DEALER = "dealer"
    SETTLEMENT = "settlement"
    DOWN_CARD_WAGERS = "down_card_wagers"  # also jackpot lines that need the down card
    AWARDS = "awards"  # shares of the meters
    SUPER_BONUS = "super_bonus"  # then Envy Bonuses
    CLOSED = "closed"
    VOID = "void"  # canceled as if never played, except for contributions


class Place(StrEnum):
    """Destination of a card."""

    PLAYER = "player"
    UP = "up"
    DOWN = "down"
    BONUS = "bonus"
    DEALER = "dealer"  # drawn by the dealer


class Authority(StrEnum):
    """Who answered when the round waited for the supervisor (R-121)."""

    FLOOR = "floor"  # the supervisor
    OPERATOR = "operator"  # an operator, because no supervisor came in time
    HOUSE = "house"  # nobody: the house continued without an answer


class Advice(StrEnum):
    """The dealer's advice to a player in Super Fun 21 (R-118)."""

    SIXTH_CARD_CANNOT_LOSE = "sixth_card_cannot_lose"
    HIT_ELEVEN = "hit_eleven"


@dataclass(frozen=True, slots=True)
class WagersPlaced:
    """All wagers of a spot, replacing any previous ones."""

    spot: int
    person: str  # id of the spot's player; empty if anonymous
    base: Cents
    mtd: Stakes[MtdWager] = NO_MTD
    jackpots: Stakes[JackpotGame] = NO_JACKPOTS


@dataclass(frozen=True, slots=True)
class WagersWithdrawn:
    spot: int


@dataclass(frozen=True, slots=True)
class StageReached:
    stage: Stage


@dataclass(frozen=True, slots=True)
class MeterRaised:
    """A contribution or seed money; `remainder` is in ten-thousandths of a cent."""

    game: int
    amount: Cents
    remainder: int
    reason: str  # contribution, seed


@dataclass(frozen=True, slots=True)
class MeterLowered:
    game: int
    amount: Cents
    reason: str  # won


@dataclass(frozen=True, slots=True)
class MetersShown:
    """Meter readings of these games, on which awards are based (R-095).

    A meter that other tables also feed may show more than this round's own sum.
    """

    meters: Stakes[JackpotGame]


@dataclass(frozen=True, slots=True)
class CardDealt:
    card: Card | None  # None if hidden from the viewer
    place: Place
    spot: int = 0
    hand: int = 0


@dataclass(frozen=True, slots=True)
class SupervisorCalled:
    """Two qualifying 7s and the up card: the supervisor watches the third card (R-072)."""

    spot: int


@dataclass(frozen=True, slots=True)
class SupervisorAnswered:
    """Play continues; the third card is watched unless the house answered the call (R-121)."""

    by: Authority


@dataclass(frozen=True, slots=True)
class PaymentsAuthorized:
    """The Super Bonus, Envy Bonuses and percentage awards of the round may be paid (R-121)."""

    by: Authority


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
    """Insurance; an amount of 0 declines it."""

    spot: int
    amount: Cents


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
    amount: Cents


@dataclass(frozen=True, slots=True)
class HandSplit:
    """The hand's second card becomes a separate hand after it, with the same wager."""

    spot: int
    hand: int
    amount: Cents


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
    card: Card


@dataclass(frozen=True, slots=True)
class WagerSettled:
    """A wager, or one part of it, is settled: `paid` is everything the player gets back."""

    spot: int
    hand: int  # -1 if the wager isn't on a hand
    wager: Wager
    stake: Cents
    paid: Cents
    odds: str
    rule: str
    reason: str
    meter: int = 0  # number of the jackpot game whose meter pays; 0 if the house pays

    @property
    def net(self) -> int:
        return self.paid - self.stake


@dataclass(frozen=True, slots=True)
class HandRemoved:
    """The hand's cards are removed."""

    spot: int
    hand: int


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """All wagers are refunded and all payments returned; meters retain their contributions."""

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
    | SupervisorAnswered
    | PaymentsAuthorized
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
