"""Numbers and shares as people write them, and the error for one that can't be read."""

from __future__ import annotations

import re
from fractions import Fraction

from ventiuna.rules.errors import Problem, RulesError

_NUMBER = re.compile(r"[+-]?[0-9.]{1,30}(e[+-]?[0-9]{1,2})?|[0-9]{1,15}/[0-9]{1,15}", re.IGNORECASE)


def problem(field: str, value: object, message: str, fix: str, rule: str = "") -> RulesError:
    return RulesError([Problem(field, str(value), rule, message, fix)])


def _fraction(text: str) -> Fraction:
    """A number that can be written out: 1e999999999 would fill the memory."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return Fraction(text)


def read_number(field: str, text: str) -> int:
    """`1e9`, `2_000_000`, `5,000`, `3M`, `1G`."""
    plain = text.replace(",", "").replace("_", "").strip()
    factor = {"k": 10**3, "M": 10**6, "G": 10**9}.get(plain[-1:], 1)
    if factor > 1:
        plain = plain[:-1]
    try:
        number = _fraction(plain) * factor
    except (ValueError, ZeroDivisionError):
        number = Fraction(1, 2)
    if number.denominator != 1 or number < 0:
        raise problem(field, text, "not a whole number", "Write it as 5000000, 5e6 or 5M.")
    return int(number)


def read_share(field: str, text: str) -> Fraction:
    """`0.01%`, `2 %` or `0.02`."""
    plain = text.strip()
    percent = plain.endswith("%")
    try:
        share = _fraction(plain.removesuffix("%").strip()) / (100 if percent else 1)
    except (ValueError, ZeroDivisionError):
        raise problem(field, text, "not a share", "Write it as 2% or 0.02.") from None
    if not 0 <= share <= 1:
        raise problem(field, text, "not between 0 and 100 %", "Write it as 2% or 0.02.")
    return share
