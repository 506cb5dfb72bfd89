"""The wagers of the games as a type, and the cents that lie on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TypeVar, overload

K = TypeVar("K")
T = TypeVar("T")


class WagerKind(StrEnum):
    HAND = "hand"  # the base wager and what doubling and splitting add to it
    INSURANCE = "insurance"
    MTD = "mtd"  # Match the Dealer
    JACKPOT = "jackpot"
    SUPER = "super"  # the two Bonuses are won without a wager of their own
    ENVY = "envy"


class Wager(StrEnum):
    """What a payment is for. The value is its name as rounds are written: `mtd up`."""

    kind: WagerKind
    part: str  # of Match the Dealer: up, down, b1 to b5, as the rules call it
    game: int  # of a jackpot: 1 or 2, else 0

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
        """Won without a wager of its own (R-069, R-073)."""
        return self.kind is WagerKind.SUPER or self.kind is WagerKind.ENVY


MTD_WAGERS = {wager.part: wager for wager in Wager if wager.kind is WagerKind.MTD}
JACKPOT_WAGERS = {wager.game: wager for wager in Wager if wager.kind is WagerKind.JACKPOT}


class Stakes(Mapping[K, int]):
    """Cents by name or number of a wager: a mapping that never changes and can be hashed."""

    __slots__ = ("_cents",)

    def __init__(self, cents: Mapping[K, int]) -> None:
        self._cents = dict(cents)

    def __getitem__(self, key: K) -> int:
        return self._cents[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._cents)

    def __len__(self) -> int:
        return len(self._cents)

    @overload
    def get(self, key: K, /) -> int | None: ...
    @overload
    def get(self, key: K, /, default: int | T) -> int | T: ...
    def get(self, key: K, /, default: int | T | None = None) -> int | T | None:
        return self._cents.get(key, default)

    def __hash__(self) -> int:
        return hash(frozenset(self._cents.items()))

    def __repr__(self) -> str:
        return repr(self._cents)


def frozen_stakes(cents: Mapping[K, int]) -> Stakes[K]:
    """A copy that nobody changes; anything else than a mapping stays, for the rules to refuse."""
    if isinstance(cents, Stakes) or not isinstance(cents, Mapping):
        return cents
    return Stakes(cents)


NO_MTD: Stakes[str] = Stakes({})
NO_JACKPOTS: Stakes[int] = Stakes({})
