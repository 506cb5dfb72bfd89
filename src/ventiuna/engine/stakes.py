"""The wagers of the games as a type, and the cents that lie on them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NoReturn, TypeVar

K = TypeVar("K")


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


class Stakes(dict[K, int]):
    """Cents by name or number of a wager: a mapping that never changes and can be hashed.

    A dict underneath, because every round reads it all the time.
    """

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[Stakes[K]], tuple[dict[K, int]]]:
        return Stakes, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("stakes never change: make new ones")

    def __setitem__(self, key: K, cents: int) -> NoReturn:
        self._refuse()

    def __delitem__(self, key: K) -> NoReturn:
        self._refuse()

    def __ior__(self, other: object) -> NoReturn:  # type: ignore[misc]  # unlike __or__
        self._refuse()

    def clear(self) -> NoReturn:
        self._refuse()

    def pop(self, *_: object) -> NoReturn:
        self._refuse()

    def popitem(self) -> NoReturn:
        self._refuse()

    def setdefault(self, *_: object) -> NoReturn:
        self._refuse()

    def update(self, *_: object, **__: object) -> NoReturn:
        self._refuse()


def frozen_stakes(cents: Mapping[K, int]) -> Stakes[K]:
    """A copy that nobody changes; anything else than a mapping stays, for the rules to refuse."""
    if isinstance(cents, Stakes) or not isinstance(cents, Mapping):
        return cents
    return Stakes(cents)


NO_MTD: Stakes[str] = Stakes({})
NO_JACKPOTS: Stakes[int] = Stakes({})
