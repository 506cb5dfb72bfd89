"""A strategy that plays at random, so that every action is tried everywhere."""

from __future__ import annotations

from itertools import permutations
from zlib import crc32

from ventiuna.core.actions import ACTIONS
from ventiuna.core.cards import value_of
from ventiuna.strategy.protocol import HandSeen, Insurance

_ORDERS = tuple(permutations(range(ACTIONS)))


class WildPlayer:
    """Prefers actions in a random but fixed order for each kind of hand and up card."""

    name = "wild"

    def __init__(self, seed: int, insurance: Insurance) -> None:
        self._seed = seed
        self.insurance = insurance

    def preferences(self, hand: HandSeen, up: int) -> tuple[int, ...]:
        values = sorted(value_of(card) for card in hand.cards)
        shape = hand.shape
        split = shape.split if shape.doublings == 0 else 0
        kind = bytes((*values, 99, shape.doublings, split, value_of(up)))
        return _ORDERS[crc32(kind, self._seed) % len(_ORDERS)]
