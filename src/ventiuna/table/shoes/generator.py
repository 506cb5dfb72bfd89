"""HMAC_DRBG with SHA-256 (NIST SP 800-90A): the generator behind every shuffle that matters.

Whoever knows what it was started from gets the same words, in any language; whoever does not
can't tell them from chance. It is never reseeded, since a shoe is dealt from one commitment.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator

BLOCK = 32  # bytes of SHA-256
REQUEST = 1024  # bytes asked for at a time: part of the recipe, as each request changes the state
WORD = 4  # bytes
WORDS = 2**32  # how many values a word has


class HmacDrbg:
    """The generator itself, without reseeding or additional input."""

    def __init__(self, entropy: bytes, nonce: bytes, personalisation: bytes) -> None:
        self._key = bytes(BLOCK)
        self._value = b"\x01" * BLOCK
        self._update(entropy + nonce + personalisation)

    def generate(self, size: int) -> bytes:
        blocks = []
        for _ in range(-(-size // BLOCK)):
            self._value = self._hmac(self._value)
            blocks.append(self._value)
        self._update(b"")
        return b"".join(blocks)[:size]

    def _hmac(self, message: bytes) -> bytes:
        return hmac.digest(self._key, message, "sha256")

    def _update(self, material: bytes) -> None:
        self._key = self._hmac(self._value + b"\x00" + material)
        self._value = self._hmac(self._value)
        if material:
            self._key = self._hmac(self._value + b"\x01" + material)
            self._value = self._hmac(self._value)


class Words:
    """32-bit words in order; those that one shuffle leaves wait for the next."""

    def __init__(self, generator: HmacDrbg) -> None:
        self._words = _words(generator)

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit` - 1, each as likely as the others."""
        unfair = WORDS - WORDS % limit  # words from here on would favour small numbers
        while (word := next(self._words)) >= unfair:
            pass
        return word % limit

    def shuffle(self, cards: list[int]) -> None:
        """Fisher and Yates, from the last card to the second."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


def _words(generator: HmacDrbg) -> Iterator[int]:
    while True:
        request = generator.generate(REQUEST)
        for start in range(0, REQUEST, WORD):
            yield int.from_bytes(request[start : start + WORD], "big")
