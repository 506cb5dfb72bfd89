"""What a design may ask for: a range for each figure, and which of two designs is better."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from math import inf, isfinite
from typing import NamedTuple, TypeVar

from ventiuna.analysis.coerce import coerce_text, input_error
from ventiuna.analysis.query import QueryOption
from ventiuna.analysis.results import PERCENT_6, Form

T = TypeVar("T")


class Range(NamedTuple):
    """The values from `low` to `high`, both included."""

    low: float = -inf
    high: float = inf

    def __contains__(self, value: object) -> bool:
        return isinstance(value, float) and self.low <= value <= self.high

    def __str__(self) -> str:
        ends = (f"{end:g}" if isfinite(end) else "" for end in self)
        return "..".join(ends)


PAYS = Range(1.0, 3.0)  # pays to try in a row, to 1


def parse_range(name: str, text: str) -> Range | None:
    """Read `0.6..0.9`, `..1.2`, `0.6..` or `..`, which is any value; None for no text.

    >>> parse_range("edge", "0.6..")
    Range(low=0.6, high=inf)
    """
    if not text:
        return None
    low, dots, high = text.partition("..")
    try:
        ends = [float(end) for end in (low, high) if end.strip()]
    except ValueError:
        ends = [inf]
    if not dots or not all(map(isfinite, ends)):
        raise input_error(name, text, "not a range", "Write it as 0.6..0.9, ..1.2 or 0.6..")
    if ends != sorted(ends):
        raise input_error(name, text, "a range starts with its lower end", f"Write {high}..{low}.")
    return Range(float(low) if low.strip() else -inf, float(high) if high.strip() else inf)


def _check_range(name: str, value: object) -> object:
    if value is None or isinstance(value, Range):
        return value
    return parse_range(name, coerce_text(name, value))


class Figure(NamedTuple):
    """A figure of a design that a wish can limit, in order of the time it takes."""

    name: str
    field: str  # of a solution
    heading: str
    form: Form  # of the field's value
    scale: float = 1.0  # from the field's value to the unit of a range
    work: int = 0  # processor time, compared with one analysis


FIGURES = (
    Figure("edge", "house_edge", "house edge", PERCENT_6, 100.0),
    Figure("win", "win_per_hour_cents", "win per hour", Form(2, "cents"), 0.01),
    Figure("hands", "hands_per_hour", "hands per hour", Form(2), work=15),
    Figure("hits", "hits_per_round", "hands won per round", Form(6), 100.0, 15),
    Figure("bonus_hits", "bonus_hits_per_round", "bonuses per round", Form(6), 100.0, 15),
    Figure("sd", "sd", "standard deviation", Form(6), work=80),
)
FIGURES_BY_NAME = {figure.name: figure for figure in FIGURES}
CHANGES = "changes"  # the number of changes can also be compared

# A range option; each takes the help text.
RangeOption = partial(
    QueryOption, parse=parse_range, check=_check_range, metavar="RANGE", longest=40, default=""
)


class Aim(NamedTuple):
    """A figure that should be low or high."""

    is_high: bool
    figure: str


_AIM = re.compile(r"(low|high) ([a-z_-]+)")


def parse_front(name: str, text: str) -> tuple[Aim, ...]:
    """Read `low edge, high hits`.

    >>> [aim.figure for aim in parse_front("front", "low edge, low sd")]
    ['edge', 'sd']
    """
    known = (*FIGURES_BY_NAME, CHANGES)
    aims = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        found = _AIM.fullmatch(part)
        figure = found[2].replace("-", "_") if found else ""
        if found is None or figure not in known:
            fix = f"Write low or high and one of {', '.join(known)}: 'low edge, high hits'."
            raise input_error(name, part, "not a figure to compare", fix)
        aims.append(Aim(found[1] == "high", figure))
    return tuple(aims)


def front_text(aims: Sequence[Aim]) -> str:
    return ", ".join(f"{'high' if aim.is_high else 'low'} {aim.figure}" for aim in aims)


def pareto_front(items: Sequence[T], costs: Callable[[T], Sequence[float]]) -> list[T]:
    """Items that no other item beats: none is at least as good in every cost and better in one.

    >>> pareto_front([(1, 3), (2, 2), (3, 3), (2, 2)], lambda item: item)
    [(1, 3), (2, 2), (2, 2)]
    """
    priced = [tuple(costs(item)) for item in items]
    best: list[tuple[float, ...]] = []
    for cost in sorted(set(priced)):  # a better one never sorts after a worse one
        if not any(all(a <= b for a, b in zip(one, cost, strict=True)) for one in best):
            best.append(cost)
    kept = set(best)
    return [item for item, cost in zip(items, priced, strict=True) if cost in kept]
