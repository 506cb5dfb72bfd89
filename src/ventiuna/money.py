"""Money in whole cents and odds as exact fractions. Nothing is rounded silently."""

from __future__ import annotations

import re
from typing import NamedTuple

from ventiuna.errors import VentiunaError

_AMOUNT = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,2}))?")
_ODDS = re.compile(r"([0-9]{1,7})\s*(to|for|:)\s*([0-9]{1,7})")
LARGEST_AMOUNT = 10**13  # cents; keeps every product within 64 bits
LARGEST_RESULT = 10**20  # cents; the most that the largest wager can win at the highest odds
_LONGEST_TEXT = 30  # no valid amount is longer


class MoneyError(VentiunaError, ValueError):
    """Invalid amount or odds, or a result that isn't a whole number of cents."""


def parse_amount(value: object, largest: int = LARGEST_AMOUNT) -> int:
    """Convert an amount in dollars to cents: `10`, `"7.50"`, `"$1,000.00"`.

    >>> parse_amount("7.50")
    750
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        kind = type(value).__name__
        raise MoneyError(f"an amount must be in dollars, such as 10 or 7.50, not a {kind}")
    if isinstance(value, int) and abs(value) > largest:
        raise _too_large(largest)  # checked before str(), which fails for huge integers
    # repr gives the shortest form of a float: 7.1 is accepted, 0.1 + 0.2 is rejected, not rounded.
    text = repr(value) if isinstance(value, float) else str(value).strip()
    if text.startswith("-"):
        raise MoneyError(f"an amount can't be negative ({text[:_LONGEST_TEXT]!r})")
    found = _AMOUNT.fullmatch(text)
    if not found:
        raise MoneyError(
            f"{text[:_LONGEST_TEXT]!r} isn't an amount in dollars with at most two decimals, "
            "such as 10 or 7.50"
        )
    if len(text) > _LONGEST_TEXT:
        raise _too_large(largest)
    cents = int(found[1].replace(",", "")) * 100 + int((found[2] or "").ljust(2, "0"))
    if cents > largest:
        raise _too_large(largest)
    return cents


def read_amount(option: str, text: str) -> int:
    """Parse an option's amount into cents; an error names the option."""
    try:
        return parse_amount(text)
    except MoneyError as error:
        raise MoneyError(f"{option}: {error}") from None


def _too_large(largest: int) -> MoneyError:
    return MoneyError(f"an amount can't be more than {money_text(largest)}")


def money_text(cents: int) -> str:
    """
    >>> money_text(-123456)
    '-$1,234.56'
    """
    try:
        sign = "-" if cents < 0 else ""
        return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"
    except (TypeError, ValueError):  # not a number, not whole, or too long to format
        raise MoneyError("cents must be a whole number, such as 750 for $7.50") from None


def plain_amount(cents: int) -> str:
    """Format an amount without a dollar sign or commas, as in rounds and rule files: `7.50`.

    >>> plain_amount(750), plain_amount(1000)
    ('7.50', '10')
    """
    sign = "-" if cents < 0 else ""
    dollars, rest = divmod(abs(cents), 100)
    return f"{sign}{dollars}" if rest == 0 else f"{sign}{dollars}.{rest:02d}"


def net_text(cents: int) -> str:
    """Format a result with its sign: `+15.00`, `-10.00`, `0.00`."""
    sign = "+" if cents > 0 else "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


class Odds(NamedTuple):
    """Payout odds: `N to M` also returns the stake, `N for M` doesn't."""

    num: int
    den: int
    returns_stake: bool = True

    @classmethod
    def parse(cls, value: object) -> Odds:
        if isinstance(value, Odds):
            return value
        found = _ODDS.fullmatch(value.strip()) if isinstance(value, str) else None
        if not found or int(found[3]) == 0 or max(int(found[1]), int(found[3])) > 1_000_000:
            text = value[:_LONGEST_TEXT] if isinstance(value, str) else type(value).__name__
            raise MoneyError(f"odds must be written as '3 to 2' or '13 for 2', not {text!r}")
        return cls(int(found[1]), int(found[3]), found[2] != "for")

    def __str__(self) -> str:
        return f"{self.num} {'to' if self.returns_stake else 'for'} {self.den}"

    @property
    def words(self) -> str:
        return "even money" if self == EVEN_MONEY else str(self)

    def is_exact_for(self, cents: int) -> bool:
        return cents * self.num % self.den == 0


EVEN_MONEY = Odds(1, 1)
