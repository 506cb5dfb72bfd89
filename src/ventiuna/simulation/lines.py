"""The lines of a result's tables."""

from __future__ import annotations

from dataclasses import dataclass

from ventiuna.simulation.statistics import Estimate


@dataclass(frozen=True)
class WagerLine:
    """One wager's result: expectation and deviation per unit staked, or per base wager if free."""

    name: str
    placed: int
    staked: int  # cents
    net: int  # cents
    ev: Estimate
    per: str  # "stake" or "base wager"


@dataclass(frozen=True)
class StartLine:
    hand: str
    up: str
    ev: Estimate  # in base wagers


@dataclass(frozen=True)
class AwardLine:
    """A line that a meter pays, in cents."""

    name: str
    hits: int
    paid: int
    average: Estimate


@dataclass(frozen=True)
class MeterLine:
    """A jackpot's meter over the run, in cents."""

    game: int
    table: str
    awards: tuple[AwardLine, ...]
    resets: int
    highest: int
    seeded: int
    last: int
    history: tuple[tuple[int, int], ...]  # rounds, meter
