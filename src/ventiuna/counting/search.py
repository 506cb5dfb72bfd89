"""The best whole-number tags of a kind, from a search that misses none.

The correlation is a ratio of quadratic forms, so it has local optima, and rounding the effects is
not enough. But of two classes of the same size, that the side counts treat alike too, the one with
the larger effect has the larger tag, or the same: changing their tags over would leave the
denominator as it is and not lower the numerator. So within such classes tags rise with the effects,
and only the rising sequences are looked at: with the Spanish pack 35,035 of level 3, where seven
values for ten classes would be 282 million.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import gcd

import numpy as np
import numpy.typing as npt

from ventiuna.core.cards import CARDS
from ventiuna.counting.removal import Effects
from ventiuna.counting.tags import CardClass, Tags
from ventiuna.strategy.errors import plan_problem

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
HIGHEST_LEVEL = 3
_MOST_CANDIDATES = 40_000_000
_CHUNK = 200_000
_ALIKE = 1e-12  # correlations that differ by less are the same


@dataclass(frozen=True)
class Found:
    """Tags by class, in the order of the classes."""

    tags: tuple[int, ...]
    correlation: float


class Weighed:
    """Effects and side counts by class, each class weighing as many cards as the shoe has of it."""

    def __init__(
        self, effects: Effects, classes: Sequence[CardClass], sides: Sequence[Tags] = ()
    ) -> None:
        self.classes, self.side_tags = classes, tuple(sides)
        self.weights = np.array(
            [sum(effects.shoe[card] for card in kind.cards) for kind in classes], dtype=np.float64
        )
        self.effects = self._centred(np.array([effects.of(kind.cards) for kind in classes]))
        self.sides = [
            self._centred(np.array([float(tags[kind.cards[0]]) for kind in classes]))
            for tags in sides
        ]
        self._orthogonal: list[Floats] = []
        for side in self.sides:
            rest = self._less_sides(side[None, :])[0]
            norm = float((self.weights * rest * rest).sum())
            if norm > 0:
                self._orthogonal.append(rest / norm**0.5)
        # What no class can tell, such as suits within one, is in the whole spread of the effects.
        mean = sum(
            effects.of(kind.cards) * w for kind, w in zip(classes, self.weights, strict=True)
        )
        mean /= self.weights.sum()
        self.spread = sum(
            count * (effect - mean) ** 2
            for count, effect in zip(effects.shoe, effects.by_card, strict=True)
            if effect is not None
        )

    def _centred(self, values: Floats) -> Floats:
        centred: Floats = values - (self.weights * values).sum() / self.weights.sum()
        return centred

    def _less_sides(self, rows: Floats) -> Floats:
        for side in self._orthogonal:
            rows = rows - np.outer(rows @ (self.weights * side), side)
        return rows

    def correlations(self, tags: Ints) -> Floats:
        """Of each row of tags, together with the side counts."""
        rows = tags - (tags @ self.weights)[:, None] / self.weights.sum()
        rows = self._less_sides(rows)
        norms = (rows * rows) @ self.weights
        with np.errstate(divide="ignore", invalid="ignore"):
            along = (rows @ (self.weights * self.effects)) / np.sqrt(norms)
        along = np.where(norms > 1e-9, along, 0.0)
        beside = sum(float((self.weights * self.effects * side).sum()) ** 2
                     for side in self._orthogonal)  # fmt: skip
        if not self._orthogonal:
            found: Floats = along / self.spread**0.5
            return found
        joint: Floats = np.sqrt((np.maximum(along, 0.0) ** 2 + beside) / self.spread)
        return joint

    def drifts(self, tags: Ints) -> Floats:
        """What the tags of a deck add up to."""
        sizes = np.array([float(len(kind.cards)) for kind in self.classes])
        found: Floats = tags @ sizes
        return found


def best_tags(
    weighed: Weighed, level: int, balanced: bool | None = True, most: int = 1
) -> list[Found]:
    """The tags of this level with the highest correlation, best first.

    `balanced` asks for tags that add up to 0 over a deck, False for tags that do not, None for
    either. Of tags that do equally well the smallest are taken.
    """
    if not 1 <= level <= HIGHEST_LEVEL:
        raise plan_problem("level", level, "tags go up to 1, 2 or 3", "Choose one of these.")
    kept: list[Found] = []
    for tags in _candidates(weighed, level):
        drifts = weighed.drifts(tags)
        if balanced is not None:
            tags = tags[(drifts == 0) if balanced else (drifts != 0)]
        if not len(tags):
            continue
        found = weighed.correlations(tags)
        kept += [
            Found(tuple(int(tag) for tag in tags[place]), float(found[place]))
            for place in np.argsort(-found, kind="stable")[: 8 * most]
        ]
        kept = _best(kept, most)
    return kept


def _best(found: list[Found], most: int) -> list[Found]:
    """Without multiples of the same tags, smallest first among equals."""
    ordered = sorted(found, key=lambda f: (-round(f.correlation / _ALIKE), _size(f.tags), f.tags))
    kept: dict[tuple[int, ...], Found] = {}
    for one in ordered:
        divisor = gcd(*one.tags) or 1
        kept.setdefault(tuple(tag // divisor for tag in one.tags), one)
    return [Found(tags, one.correlation) for tags, one in list(kept.items())[:most]]


def _size(tags: Sequence[int]) -> int:
    return sum(abs(tag) for tag in tags)


def _groups(weighed: Weighed) -> list[list[int]]:
    """Classes of the same size that side counts treat alike, by rising effect."""
    groups: dict[tuple[float, ...], list[int]] = {}
    for place in np.argsort(weighed.effects, kind="stable"):
        key = (weighed.weights[place], *(round(float(s[place]), 9) for s in weighed.sides))
        groups.setdefault(key, []).append(int(place))
    return list(groups.values())


def _candidates(weighed: Weighed, level: int) -> Iterator[Ints]:
    """Rising sequences in each group, in every combination, in rows of tags by class."""
    groups = _groups(weighed)
    values = range(-level, level + 1)
    sequences = [
        np.array(list(combinations_with_replacement(values, len(group))), dtype=np.int64)
        for group in groups
    ]
    number = np.prod([float(len(found)) for found in sequences])
    if number > _MOST_CANDIDATES:
        raise plan_problem(
            "suits",
            len(weighed.classes),
            f"{number:,.0f} sets of tags are too many to look at",
            "Tell fewer cards apart or choose a lower level.",
        )
    order = np.argsort([len(found) for found in sequences])
    inner = int(order[-1])  # the longest is laid out as rows, the others are gone through
    others = [place for place in range(len(groups)) if place != inner]
    rows = np.zeros((len(sequences[inner]), len(weighed.classes)), dtype=np.int64)
    rows[:, groups[inner]] = sequences[inner]
    gathered: list[Ints] = []
    held = 0
    for chosen in product(*(sequences[place] for place in others)):
        block = rows.copy()
        for place, sequence in zip(others, chosen, strict=True):
            block[:, groups[place]] = sequence
        gathered.append(block)
        held += len(block)
        if held >= _CHUNK:
            yield np.concatenate(gathered)
            gathered, held = [], 0
    if gathered:
        yield np.concatenate(gathered)


def by_card(classes: Sequence[CardClass], tags: Sequence[int | Fraction]) -> Tags:
    """Tags by class as tags by card; 0 for cards that the pack has not."""
    found = [Fraction(0)] * CARDS
    for kind, tag in zip(classes, tags, strict=True):
        for card in kind.cards:
            found[card] = Fraction(tag)
    return tuple(found)
