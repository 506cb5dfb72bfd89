"""A shoe that is committed before the cut and can be checked by anybody after it.

The house publishes a commitment C to a secret seed S. Players add cuts of their own: first a
commitment each, then, when all are listed, their values. Seed and cuts together give the order
of the cards, so nobody could choose it. When the shoe has ended, S is published, and C, the cuts,
the order and every dealt card follow from the public record alone.

Numbers are big-endian, texts UTF-8, lines end with a line feed.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ventiuna.cards import Pack
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules, fingerprint
from ventiuna.table.shoes.generator import HmacDrbg, Words

SECRET = 32  # bytes of a seed, a salt, a cut and a house key
MOST_DECKS = 100


class ContextError(VentiunaError, ValueError):
    """A shoe that can't be named or dealt so."""


@dataclass(frozen=True, slots=True)
class ShoeContext:
    """Which shoe it is: everything besides seed and cuts that its order depends on."""

    house: str
    table: str
    number: int
    rules: str  # fingerprint
    pack: Pack
    decks: int
    burn: int
    cut_percent: int  # of the shoe that is dealt before the cut card

    def __post_init__(self) -> None:
        for name, text in (("house", self.house), ("table", self.table), ("rules", self.rules)):
            if not text or not text.isprintable():  # two lines would be another shoe's context
                raise ContextError(f"{name}: write it as one line of printable text.")
        _check_number("shoe", self.number, 1, 2**63 - 1)
        _check_number("decks", self.decks, 1, MOST_DECKS)
        _check_number("burn", self.burn, 0, self.size - 1)
        _check_number("cut", self.cut_percent, 0, 100)

    @property
    def size(self) -> int:
        """How many cards the shoe has, burnt ones included."""
        return self.decks * len(self.pack.cards)

    @property
    def behind_cut(self) -> int:
        """How many cards lie behind the cut card."""
        return self.size * (100 - self.cut_percent) // 100

    def lines(self) -> bytes:
        lines = (
            "ventiuna-shoe-1",
            f"house={self.house}",
            f"table={self.table}",
            f"shoe={self.number}",
            f"rules={self.rules}",
            f"pack={self.pack}",
            f"decks={self.decks}",
            f"burn={self.burn}",
            f"cut={self.cut_percent}",
        )
        return "".join(f"{line}\n" for line in lines).encode()


def context_of(rules: Rules, house: str, table: str, number: int) -> ShoeContext:
    """The context of a table's shoe under its rules."""
    return ShoeContext(
        house=house,
        table=table,
        number=number,
        rules=_fingerprint(rules),
        pack=rules.pack,
        decks=rules.decks,
        burn=rules.burn_cards,
        cut_percent=rules.cut_card_percent,
    )


@lru_cache(maxsize=256)
def _fingerprint(rules: Rules) -> str:
    """Tables share their rules, and each has two shoes."""
    return fingerprint(rules)


def read_context(lines: str) -> ShoeContext:
    """The context that `ShoeContext.lines` wrote; raises `ContextError`."""
    values = [line.partition("=")[2] for line in lines.splitlines()]
    try:
        _, house, table, number, rules, pack, decks, burn, cut = values
        context = ShoeContext(
            house=house,
            table=table,
            number=int(number),
            rules=rules,
            pack=Pack(pack),
            decks=int(decks),
            burn=int(burn),
            cut_percent=int(cut),
        )
    except ContextError:
        raise
    except ValueError:
        raise ContextError("This is not the context of a shoe: nine lines are.") from None
    if context.lines() != lines.encode():
        raise ContextError("This is not the context of a shoe as it is written.")
    return context


def _check_number(name: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise ContextError(f"{name}: give a number from {least} to {most}, not {number}.")


def server_seed(house_key: bytes, context: ShoeContext, salt: bytes) -> bytes:
    """S: from the house's key, so that a stolen database, which holds the salt, tells no card."""
    return hmac.digest(house_key, b"ventiuna-seed-1\n" + context.lines() + salt, "sha256")


def shoe_commitment(context: ShoeContext, seed: bytes) -> bytes:
    """C: published before any cut."""
    return hashlib.sha256(b"ventiuna-commit-1\n" + context.lines() + seed).digest()


def cut_commitment(commitment: bytes, seat: int, value: bytes) -> bytes:
    """What a seat sends first; its number is part of it, so that nobody can copy another's cut."""
    return hashlib.sha256(b"ventiuna-cut-1\n" + commitment + bytes([seat]) + value).digest()


def mix_of(commitment: bytes, cuts: Mapping[int, bytes]) -> bytes:
    """M: all opened cuts, by seat."""
    opened = b"".join(bytes([seat]) + cuts[seat] for seat in sorted(cuts))
    return hashlib.sha256(b"ventiuna-mix-1\n" + commitment + opened).digest()


def shoe_words(context: ShoeContext, seed: bytes, mix: bytes) -> Words:
    """All the chance that this shoe will ever need."""
    return Words(HmacDrbg(seed, mix, context.lines()))


def shoe_order(context: ShoeContext, words: Words) -> list[int]:
    """The shoe's cards from the first to be dealt, burnt ones included."""
    cards = sorted(context.pack.cards) * context.decks
    words.shuffle(cards)
    return cards
