"""Exact fractions as people read them: decimals, per cent, one in so many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from math import perm
from typing import TypeVar

PER_WAGERS = 100_000  # how jackpot hits are counted
_ROOT_DIGITS = 50

Key = TypeVar("Key")


def decimal_text(value: Fraction | int, digits: int, grouped: bool = False) -> str:
    """Rounded to the nearest, halves away from zero.

    >>> decimal_text(Fraction(-1, 8), 2)
    '-0.13'
    """
    scale = 10**digits
    whole = (abs(Fraction(value)) * scale * 2 + 1) // 2
    units, rest = divmod(whole, scale)
    sign = "-" if value < 0 and whole else ""
    text = f"{units:,}" if grouped else str(units)
    return f"{sign}{text}.{rest:0{digits}d}" if digits else f"{sign}{text}"


def percent_text(value: Fraction, digits: int = 4) -> str:
    """
    >>> percent_text(Fraction(114, 3731))
    '3.0555 %'
    """
    return f"{decimal_text(value * 100, digits)} %"


def one_in_text(probability: Fraction, digits: int = 1) -> str:
    """
    >>> one_in_text(Fraction(1, 290320))
    '290,320.0'
    """
    return decimal_text(1 / probability, digits, grouped=True) if probability else "never"


def square_root(value: Fraction) -> Fraction:
    """The root to fifty digits: more than anything printed needs, and the same everywhere."""
    with localcontext() as context:
        context.prec = _ROOT_DIGITS
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


def cents_text(cents: Fraction, digits: int = 4) -> str:
    """An expected amount, in dollars with more digits than a payment has.

    >>> cents_text(Fraction(-1, 3))
    '-$0.0033'
    """
    text = decimal_text(cents / 100, digits, grouped=True)
    return f"-${text[1:]}" if text.startswith("-") else f"${text}"


def exact_data(value: Fraction | int) -> dict[str, object]:
    """For JSON: the fraction itself and the nearest float."""
    return {"exact": str(Fraction(value)), "value": float(value)}


def orders(cards: int, dealt: int) -> int:
    """Ways to deal so many cards, one after the other, from so many."""
    return perm(cards, dealt)


def mean(distribution: Mapping[int, Fraction]) -> Fraction:
    return sum((value * chance for value, chance in distribution.items()), Fraction())


def variance(distribution: Mapping[int, Fraction]) -> Fraction:
    squares = sum((value * value * chance for value, chance in distribution.items()), Fraction())
    return squares - mean(distribution) ** 2


def total(values: Iterable[Fraction]) -> Fraction:
    """A sum that is a Fraction also when there is nothing to add."""
    return sum(values, Fraction())


def gather(chances: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """Probabilities of the same thing added up; what can't happen is left out."""
    found: dict[Key, Fraction] = {}
    for key, chance in chances:
        if chance:
            found[key] = found.get(key, Fraction()) + chance
    return found
