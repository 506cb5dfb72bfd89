"""Where the salts of shoes come from: the system's own chance, or a test's.

A shoe keeps its source for ever. A house that was not started for tests refuses every source but
the system's, so nobody can play for chips at a table whose cards somebody chose.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Protocol

from ventiuna.core.cards import CARDS
from ventiuna.errors import VentiunaError
from ventiuna.table.shoes.fairness import SECRET


class Source(StrEnum):
    """As the row of a shoe has it."""

    OS = "os"
    TEST = "test"


class EntropyError(VentiunaError, ValueError):
    """Chance from a place where no table may get it, or a shoe that no test can ask for."""


class Entropy(Protocol):
    @property
    def source(self) -> Source: ...

    def salt(self) -> bytes:
        """The 32 bytes that make the next shoe's seed unlike any other."""

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        """Cards that a test has laid on top of the shoe with this salt; none at any other table.

        They belong to the salt, so that a shoe which is built again has them too.
        """


class OsEntropy:
    """The operating system's generator: what every real table has."""

    @property
    def source(self) -> Source:
        return Source.OS

    def salt(self) -> bytes:
        return os.urandom(SECRET)

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        return ()


class TestEntropy:
    """The same salts for the same seed; and, where a test lays them down, given cards.

    The first salts that are asked for belong to the prescribed shoes, in their order; those that
    follow are plain. A table asks for a shoe's salt when it commits to it, one shoe ahead. A
    second `TestEntropy` with the same shoes knows the salts of the first.

    >>> entropy = TestEntropy(seed=7, shoes=[[0, 51, 26]])
    >>> first, second = entropy.salt(), entropy.salt()
    >>> entropy.on_top(first), entropy.on_top(second)
    ((0, 51, 26), ())
    """

    __test__ = False  # pytest: this is not a test

    def __init__(self, seed: int = 0, shoes: Iterable[Sequence[int]] = ()) -> None:
        self._seed = seed
        self._plain = 0  # salts given out that belong to no prescribed shoe
        self._cards: dict[bytes, tuple[int, ...]] = {}
        self._waiting: deque[bytes] = deque()
        for cards in shoes:
            self.prescribe(cards)

    @property
    def source(self) -> Source:
        return Source.TEST

    def prescribe(self, cards: Sequence[int]) -> None:
        """One more shoe that begins with these cards, behind those prescribed before.

        Burnt cards are not among them. The rest of the shoe is shuffled by the recipe.
        """
        for card in cards:
            if type(card) is not int or not 0 <= card < CARDS:
                raise EntropyError(f"{card!r}: a card is a number from 0 to {CARDS - 1}.")
        salt = self._salt("shoe", len(self._cards), bytes(cards))
        self._cards[salt] = tuple(cards)
        self._waiting.append(salt)

    @property
    def waiting(self) -> int:
        """Prescribed shoes that no table has asked for yet."""
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


def check_entropy(entropy: Entropy, for_tests: bool) -> None:
    """Refuse a test's cards where the house was not started for tests."""
    if entropy.source is not Source.OS and not for_tests:
        raise EntropyError(
            "This house is not started for tests: its shoes take their salts from the operating "
            "system alone."
        )
