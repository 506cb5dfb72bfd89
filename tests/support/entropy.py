"""Shoes with reproducible salts and prescribed cards."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Sequence

from ventiuna.core.cards import CARDS
from ventiuna.table.fairness import EntropyError, EntropySource


class TestEntropy:
    """Reproducible salts from a seed and, optionally, prescribed cards.

    The first salts belong to the prescribed shoes, in order; later ones have no prescribed cards. A
    table requests a shoe's salt when it commits to it, one shoe ahead. A second `TestEntropy` with
    the same shoes produces the same salts.
    """

    __test__ = False  # tell pytest that this isn't a test

    def __init__(self, seed: int = 0, shoes: Iterable[Sequence[int]] = ()) -> None:
        self._seed = seed
        self._plain = 0  # number of salts without prescribed cards
        self._cards: dict[bytes, tuple[int, ...]] = {}
        self._waiting: deque[bytes] = deque()
        for cards in shoes:
            self.prescribe(cards)

    @property
    def source(self) -> EntropySource:
        return EntropySource.TEST

    def prescribe(self, cards: Sequence[int]) -> None:
        """Prescribe another shoe, which begins with these cards.

        They don't include burn cards. The rest of the shoe is shuffled as usual.
        """
        for card in cards:
            if type(card) is not int or not 0 <= card < CARDS:
                raise EntropyError(f"A card must be a number from 0 to {CARDS - 1}, not {card!r}.")
        salt = self._salt("shoe", len(self._cards), bytes(cards))
        self._cards[salt] = tuple(cards)
        self._waiting.append(salt)

    @property
    def waiting(self) -> int:
        """Number of prescribed shoes that no table has requested yet."""
        return len(self._waiting)

    def salt(self) -> bytes:
        if self._waiting:
            return self._waiting.popleft()
        self._plain += 1
        return self._salt("plain", self._plain, b"")

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        return self._cards.get(salt, ())

    def _salt(self, kind: str, number: int, cards: bytes) -> bytes:
        named = f"ventiuna-test-salt-1\n{kind}\n{self._seed}\n{number}\n".encode()
        return hashlib.sha256(named + cards).digest()
