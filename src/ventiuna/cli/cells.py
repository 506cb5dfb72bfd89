"""Cells of a table: numbers as they are printed, all their digits and their unit for exports."""

from __future__ import annotations

from fractions import Fraction

from ventiuna.cli.sheets import Figure, percent
from ventiuna.money import money_text

__all__ = [
    "exact_cents",
    "exact_number",
    "exact_percent",
    "money",
    "number",
    "one_in",
    "percent",
    "points",
]


def number(value: float, form: str) -> Figure:
    """
    >>> number(1 / 3, ".2f"), number(1 / 3, ".2f").value
    ('0.33', 0.3333333333333333)
    """
    return Figure(format(value, form), value)


def points(change: float | None, digits: int = 6) -> str:
    """A change of a share in percentage points."""
    if change is None:
        return ""
    return Figure(f"{change * 100:+.{digits}f}", change * 100, "points")


def money(cents: int) -> Figure:
    return Figure(money_text(cents), cents, "cents")


def exact_number(value: Fraction | int, digits: int, grouped: bool = False) -> Figure:
    from ventiuna.analysis.exact import decimal_text

    return Figure(decimal_text(value, digits, grouped), float(value))


def exact_percent(share: Fraction, digits: int = 4) -> Figure:
    from ventiuna.analysis.exact import percent_text

    return Figure(percent_text(share, digits), float(share * 100), "percent")


def exact_cents(cents: Fraction, digits: int = 4) -> Figure:
    from ventiuna.analysis.exact import cents_text

    return Figure(cents_text(cents, digits), float(cents), "cents")


def one_in(probability: Fraction, digits: int = 1) -> str:
    """Once in so many; `never` is no number."""
    from ventiuna.analysis.exact import one_in_text

    text = one_in_text(probability, digits)
    return Figure(text, float(1 / probability)) if probability else text
