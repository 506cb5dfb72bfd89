"""Figures as the sheets print them."""

from __future__ import annotations

from ventiuna.money import money_text

PERCENT = 100.0


def percent(share: float, digits: int = 6) -> str:
    """
    >>> percent(0.00776829)
    '0.776829 %'
    """
    return f"{share * PERCENT + 0.0:.{digits}f} %"  # no minus before nothing


def points(change: float, digits: int = 6) -> str:
    """A change of a share, in percentage points, with its sign; nothing is `0`."""
    text = f"{change * PERCENT:+.{digits}f}"
    return "0" if float(text) == 0 else text


def one_in(chance: float) -> str:
    """
    >>> one_in(1 / 668_382), one_in(0.25), one_in(0.0)
    ('668,382', '4.00', 'never')
    """
    if chance <= 0:
        return "never"
    number = 1 / chance
    return f"{number:,.0f}" if number >= 1000 else f"{number:,.2f}"


def dollars(cents: float) -> str:
    """An expected or rounded amount, to the cent."""
    whole = round(cents)
    return f"-{money_text(-whole)}" if whole < 0 else money_text(whole)


def hours(number: float) -> str:
    """A time as people say it."""
    if number < 100:
        return f"{number:,.1f} hours"
    days = number / 24
    return f"{days:,.0f} days" if days < 730 else f"{days / 365.25:,.1f} years"
