"""Tags of the highest playing efficiency, proven the best where all sets can be looked at.

Decisions pull tags in different directions, so no order of effects helps as it does for betting.
But what a decision gains depends on the tags by one number alone, the share q of its variance that
the counts explain, and rises with it. Over all q it stays below a straight line through (or above)
what it gains at the best tags known. The lines of all decisions add up to one quadratic form in the
tags: no tags gain more than it says. Nearly all sets of tags can't reach the best known by it, so
they are done with after some multiplications; those that might are worked out. Where there are too
many sets the form's largest eigenvalue still bounds them all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import gcd

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.questions.edge import Each
from ventiuna.counting.depth import Depths
from ventiuna.counting.efficiency import PlayEffects, by_value
from ventiuna.counting.search import Found, Weighed, by_card

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
MOST_SETS = 45_000_000  # that are looked at; level 3 of ten values has 40 million
_CHUNK = 400_000
_ROWS = 500  # sets worked out at once
_STEPS = 256  # of the share of variance
_ROUNDS = 20  # of improving tags one by one
_ALIKE = 1e-12


def searched_text(level: int, balanced: bool) -> str:
    return f"{'balanced' if balanced else 'unbalanced'} tags up to {level}"


@dataclass(frozen=True)
class Proof:
    """What was searched, and what is known about all other tags of the same kind."""

    searched: str  # such as "balanced tags up to 1"
    looked_at: int | None  # sets of tags; None: those that an exchange of tags could better
    bound: float | None  # no tags reach more than this

    def as_data(self) -> dict[str, object]:
        return {
            "searched": self.searched,
            "proven_best": self.proven,
            "sets_looked_at": self.looked_at,
            "bound": self.bound,
        }

    @property
    def proven(self) -> bool:
        return self.looked_at != 0

    def text(self, best: float) -> str:
        if self.looked_at is None:
            return f"Searched: every set of {self.searched}. No other kind was searched."
        if self.proven:
            return (
                f"Searched: all {self.looked_at:,} sets of {self.searched}. No other kind was "
                "searched."
            )
        assert self.bound is not None
        return (
            f"Searched: some sets of {self.searched}. These are the best found, not proven best: "
            f"no tags can reach more than {self.bound:.4f} ({self.bound - best:.4f} above them)."
        )


class PlayingSearch:
    """What tags by class gain in play, beside given side counts."""

    def __init__(self, playing: PlayEffects, weighed: Weighed, depths: Depths) -> None:
        self.playing, self.weighed, self.depths = playing, weighed, depths
        self.mass, self.behind, centred = playing.alternatives
        roots = np.sqrt(playing.shares)
        self._effects = centred * roots  # [decision, value]: lengths are deviations
        classes = weighed.classes
        unit = np.eye(len(classes), dtype=np.int64).tolist()
        by_values = np.array([by_value(playing.rules, by_card(classes, row)) for row in unit])
        given = [np.ones(len(roots)), *(by_value(playing.rules, t) for t in weighed.side_tags)]
        self._given = _orthonormal([vector * roots for vector in given])
        rows = by_values * roots
        self.rows = rows - (rows @ self._given.T) @ self._given  # [class, value]
        known = self._effects @ self._given[1:].T
        self._from_sides = (known**2).sum(axis=1)  # variance that the side counts explain
        self._variance = (self._effects**2).sum(axis=1)

    def gains(self, explained: Floats) -> Floats:
        """Per round, of each decision with so much of its variance explained, in the last axis."""
        return self.playing.gains_of(self.mass, self.behind, np.sqrt(explained), self.depths)

    @cached_property
    def perfect(self) -> float:
        return float(self.gains(self._variance).sum())

    @cached_property
    def _table(self) -> Floats:
        """[decision, step]: gains at even shares of the variance beyond the side counts'."""
        shares = np.arange(_STEPS + 1) / _STEPS
        beyond = self._variance - self._from_sides
        return np.stack([self.gains(self._from_sides + share * beyond) for share in shares], axis=1)

    def _shares(self, tags: Ints) -> Floats:
        """[set, decision]: of the variance beyond the side counts' that is explained."""
        rows = tags @ self.rows
        lengths = (rows * rows).sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            along = (rows @ self._effects.T) ** 2 / lengths
            found = along / (self._variance - self._from_sides)
        shares: Floats = np.clip(np.nan_to_num(found), 0.0, 1.0)
        return shares

    def efficiency(self, tags: Sequence[int]) -> float:
        shares = self._shares(np.array([tags]))[0]
        explained = self._from_sides + shares * (self._variance - self._from_sides)
        return float(self.gains(explained).sum()) / self.perfect

    # --- bounds -------------------------------------------------------------------------------

    def lines(self, tags: Sequence[int]) -> tuple[float, Floats]:
        """A number and a form: no set of tags gains more than number + form of its direction.

        Each decision's gain lies below the line that touches the hull over it at these tags.
        """
        table, steps = self._table, np.arange(_STEPS + 1) / _STEPS
        shares = self._shares(np.array([tags]))[0]
        offsets, slopes = np.zeros(len(table)), np.zeros(len(table))
        for row, (gains, share) in enumerate(zip(table, shares, strict=True)):
            slopes[row] = _hull_slope(steps, gains, float(share))
            # Gains rise, so between two steps they are below the later one.
            offsets[row] = (gains[1:] - slopes[row] * steps[:-1]).max()
        scaled = (
            self._effects / np.sqrt(np.maximum(self._variance - self._from_sides, 1e-300))[:, None]
        )
        form = (scaled * slopes[:, None]).T @ scaled
        return float(offsets.sum()), form

    def bound(self, tags: Sequence[int]) -> float:
        """No tags whatever, whole numbers or not, have a higher efficiency."""
        offset, form = self.lines(tags)
        rest = np.eye(len(form)) - self._given.T @ self._given
        return (offset + float(np.linalg.eigvalsh(rest @ form @ rest).max())) / self.perfect

    # --- search -------------------------------------------------------------------------------

    def best(
        self,
        level: int,
        balanced: bool,
        starts: Sequence[tuple[int, ...]],
        most: int,
        each: Each,
    ) -> tuple[list[Found], Proof]:
        """The best tags of this level, best first."""
        searched = searched_text(level, balanced)
        known = self._climbed(level, balanced, starts)
        if not known:
            return [], Proof(searched, None, None)
        sets = AllSets(self.weighed, level, balanced)
        top = max(known, key=lambda tags: known[tags])
        if sets.number > MOST_SETS:
            return _ordered(known, most), Proof(searched, 0, self.bound(top))
        offset, form = self.lines(top)
        looked_at = 0
        for start in each("sets of tags", range(0, sets.number, _CHUNK)):
            tags = sets.tags(np.arange(start, min(start + _CHUNK, sets.number)))
            looked_at += len(tags)
            least = sorted(known.values())[-most] if len(known) >= most else -math.inf
            rows = tags @ self.rows
            lengths = (rows * rows).sum(axis=1)
            tags, rows, lengths = (part[lengths > 0] for part in (tags, rows, lengths))
            most_possible = offset + ((rows @ form) * rows).sum(axis=1) / lengths
            for some in _in_rows(tags[most_possible >= least * self.perfect - _ALIKE]):
                for one in some[self.at_most(some) >= least * self.perfect - _ALIKE]:
                    found = _primitive(one)
                    if found not in known:
                        known[found] = self.efficiency(found)
        ordered = _ordered(known, most)
        return ordered, Proof(searched, looked_at, ordered[0].correlation)

    def at_most(self, tags: Ints) -> Floats:
        """Gains of these sets by the table, a step too high."""
        steps = np.minimum((self._shares(tags) * _STEPS).astype(np.int64) + 1, _STEPS)
        found: Floats = self._table[np.arange(len(self._table)), steps].sum(axis=1)
        return found

    def _climbed(
        self, level: int, balanced: bool, starts: Sequence[tuple[int, ...]]
    ) -> dict[tuple[int, ...], float]:
        """All tags met on the way up, changing one tag or two while it helps."""
        known: dict[tuple[int, ...], float] = {}

        def worth(tags: tuple[int, ...]) -> float:
            if not self._is_wanted(tags, balanced):
                return -math.inf
            found = _primitive(tags)
            if found not in known:
                known[found] = self.efficiency(found)
            return known[found]

        for start in starts:
            tags = start
            for _ in range(_ROUNDS):
                better = max(_neighbours(tags, level), key=worth, default=tags)
                if worth(better) <= worth(tags):
                    break
                tags = better
        return known

    def _is_wanted(self, tags: tuple[int, ...], balanced: bool) -> bool:
        drift = float(self.weighed.drifts(np.array([tags]))[0])
        length = float(((np.array(tags) @ self.rows) ** 2).sum())
        return (drift == 0) == balanced and length > 1e-12


def _orthonormal(vectors: Sequence[Floats]) -> Floats:
    """Directions that span these, each at right angles to the others."""
    found: list[Floats] = []
    for vector in vectors:
        rest = vector - sum((float(one @ vector) * one for one in found), np.zeros(len(vector)))
        length = math.sqrt(float(rest @ rest))
        if length > 1e-9:
            found.append(rest / length)
    return np.array(found)


def _hull_slope(steps: Floats, gains: Floats, share: float) -> float:
    """Of the upper hull of the gains, at this share."""
    corners = [0]
    for place in range(1, len(steps)):
        while len(corners) > 1 and _is_below(steps, gains, corners[-2], corners[-1], place):
            corners.pop()
        corners.append(place)
    over = int(np.searchsorted(steps[corners], share, side="right"))
    over = min(max(over, 1), len(corners) - 1)
    one, other = corners[over - 1 : over + 1]
    return float((gains[other] - gains[one]) / (steps[other] - steps[one]))


def _is_below(steps: Floats, gains: Floats, one: int, middle: int, other: int) -> bool:
    """Does the middle point lie on or below the line between the others?"""
    rise = (gains[other] - gains[one]) * (steps[middle] - steps[one])
    return bool(rise >= (gains[middle] - gains[one]) * (steps[other] - steps[one]))


class AllSets:
    """All tags of a level by number, of each set and its negative one: they see the same.

    Of balanced tags the last smallest class follows from the others.
    """

    def __init__(self, weighed: Weighed, level: int, balanced: bool) -> None:
        self.level, self.balanced = level, balanced
        self.sizes = np.array([len(kind.cards) for kind in weighed.classes])
        classes = len(self.sizes)
        self.follows = classes - 1 - int(np.argmin(self.sizes[::-1]))
        self.free = [place for place in range(classes) if not balanced or place != self.follows]
        self.number: int = (2 * level + 1) ** len(self.free) // 2

    def tags(self, numbers: Ints) -> Ints:
        """[set, class]: those that balance, or those that do not."""
        tags = np.zeros((len(numbers), len(self.sizes)), dtype=np.int64)
        for place in self.free:
            numbers, digits = np.divmod(numbers, 2 * self.level + 1)
            tags[:, place] = digits - self.level
        drifts = tags @ self.sizes
        kept = drifts != 0
        if self.balanced:
            size = self.sizes[self.follows]
            tags[:, self.follows] = -drifts // size
            kept = (drifts % size == 0) & (np.abs(tags[:, self.follows]) <= self.level)
        found: Ints = tags[kept]
        return found


def _in_rows(tags: Ints) -> Iterator[Ints]:
    for start in range(0, len(tags), _ROWS):
        yield tags[start : start + _ROWS]


def _primitive(tags: Sequence[int] | Ints) -> tuple[int, ...]:
    """Without a common factor, and low cards rather up than down."""
    found = [int(tag) for tag in tags]
    divisor = gcd(*found) or 1
    sign = -1 if found[-1] > 0 else 1
    return tuple(sign * tag // divisor for tag in found)


def _ordered(known: dict[tuple[int, ...], float], most: int) -> list[Found]:
    ordered = sorted(known, key=lambda tags: (-round(known[tags] / _ALIKE), _size(tags), tags))
    return [Found(tags, known[tags]) for tags in ordered[:most]]


def _size(tags: Sequence[int]) -> int:
    return sum(map(abs, tags))


def _neighbours(tags: tuple[int, ...], level: int) -> list[tuple[int, ...]]:
    found = []
    places = range(len(tags))
    for one, step in product(places, (-1, 1)):
        if abs(tags[one] + step) > level:
            continue
        changed = list(tags)
        changed[one] += step
        found.append(tuple(changed))
        for other, further in product(places, (-3, -2, -1, 1, 2, 3)):
            if other != one and abs(tags[other] + further) <= level:
                twice = list(changed)
                twice[other] += further
                found.append(tuple(twice))
    return found
