"""Why a wager was paid, as it is said: events keep the short form in which they are stored."""

from __future__ import annotations

_TIMES = {2: "twice", 3: "three times", 4: "four times"}
_TWO_MATCHES = ("2 suited match", "2 unsuited match")


def odds_words(odds: str) -> str:
    """`4 to 1 and 4 to 1` as `4 to 1 twice`."""
    parts = odds.split(" and ")
    if len(parts) > 1 and len(set(parts)) == 1:
        return f"{parts[0]} {_TIMES.get(len(parts), f'{len(parts)} times')}"
    return odds


def reason_words(reason: str) -> str:
    """`2 unsuited match` as `2 unsuited matches`."""
    return f"{reason}es" if reason in _TWO_MATCHES else reason
