"""Design a count for given rules: the best whole-number tags, side counts and their weights.

Tags for betting come from an exhaustive search. The correlation is a ratio of quadratic forms, so
it has local optima, and rounding the effects is not enough. But if two classes have equal size and
the side counts treat them alike, the one with the larger effect needs a tag at least as large.
Otherwise, swapping their tags would leave the denominator unchanged and not lower the numerator. So
within such classes, tags rise with the effects, and only rising sequences are searched: 35,035 at
level 3 with the Spanish pack, compared with 282 million combinations of seven tags for ten classes.

Tags for playing are proven best if all sets can be checked. Decisions pull tags in different
directions, so ordering the effects doesn't help. But a decision's gain depends on the tags only
through the share q of its variance that the counts explain, and rises with q. Over all q it stays
below a straight line through (or above) its gain at the best tags known. The lines of all decisions
add up to one quadratic form in the tags, an upper bound on the gain of any tags. This bound rules
out nearly all sets of tags after a few multiplications; the others are computed. If there are too
many sets, the form's largest eigenvalue still bounds them all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import gcd

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.coerce import check_flag
from ventiuna.analysis.query import ProgressIterator
from ventiuna.core.cards import CARDS
from ventiuna.counting.efficiency import EffectsCalculator, Goal, PlayEffects, by_value
from ventiuna.counting.files import FLAT, designed_for
from ventiuna.counting.removal import Effects, best_fit
from ventiuna.counting.tags import (
    CardClass,
    Depths,
    Tags,
    classes_by_suit,
    read_tags,
    tags_of,
    tags_text,
    value_classes,
)
from ventiuna.rules import Rules
from ventiuna.strategy.counting import MAX_SIDE_COUNTS, RANKS, Count, SideCount, Weights
from ventiuna.strategy.protocol import plan_problem

# --- Best tags for betting ---

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
MAX_LEVEL = 3
_MAX_CANDIDATES = 40_000_000
_CANDIDATE_CHUNK = 200_000
_ALIKE = 1e-12  # correlations closer than this count as equal


@dataclass(frozen=True)
class TagCandidate:
    """Tags by class, in the order of the classes."""

    tags: tuple[int, ...]
    correlation: float


class WeightedEffects:
    """Effects and side counts by class, weighted by the class's cards in the shoe."""

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
        # The total variance of the effects includes differences within a class, such as suits.
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
        """Correlation of each row of tags, combined with the side counts."""
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
        """The sum of each row's tags over a deck."""
        sizes = np.array([float(len(kind.cards)) for kind in self.classes])
        found: Floats = tags @ sizes
        return found


def best_tags(
    weighed: WeightedEffects, level: int, balanced: bool | None = True, maximum: int = 1
) -> list[TagCandidate]:
    """The tags of this level with the highest correlation, best first.

    `balanced` is True for tags that add up to 0 over a deck, False for tags that don't, None for
    either. Among equally good tags, the smallest are chosen.
    """
    if not 1 <= level <= MAX_LEVEL:
        raise plan_problem("level", level, "the largest tag must be 1, 2 or 3", "Choose one.")
    candidates: list[TagCandidate] = []
    for tags in _candidates(weighed, level):
        drifts = weighed.drifts(tags)
        if balanced is not None:
            tags = tags[(drifts == 0) if balanced else (drifts != 0)]
        if not len(tags):
            continue
        found = weighed.correlations(tags)
        candidates += [
            TagCandidate(tuple(int(tag) for tag in tags[place]), float(found[place]))
            for place in np.argsort(-found, kind="stable")[: 8 * maximum]
        ]
        candidates = _best(candidates, maximum)
    return candidates


def _best(found: list[TagCandidate], maximum: int) -> list[TagCandidate]:
    """The best candidates without multiples of the same tags; ties go to the smallest tags."""
    ordered = sorted(found, key=lambda f: (-round(f.correlation / _ALIKE), _size(f.tags), f.tags))
    best: dict[tuple[int, ...], TagCandidate] = {}
    for one in ordered:
        divisor = gcd(*one.tags) or 1
        best.setdefault(tuple(tag // divisor for tag in one.tags), one)
    return [TagCandidate(tags, one.correlation) for tags, one in list(best.items())[:maximum]]


def _size(tags: Sequence[int]) -> int:
    return sum(abs(tag) for tag in tags)


def _groups(weighed: WeightedEffects) -> list[list[int]]:
    """Groups of equal-sized classes that side counts treat alike, each sorted by effect."""
    groups: dict[tuple[float, ...], list[int]] = {}
    for place in np.argsort(weighed.effects, kind="stable"):
        key = (weighed.weights[place], *(round(float(s[place]), 9) for s in weighed.sides))
        groups.setdefault(key, []).append(int(place))
    return list(groups.values())


def _candidates(weighed: WeightedEffects, level: int) -> Iterator[Ints]:
    """Rising sequences in each group, in every combination, as rows of tags by class."""
    groups = _groups(weighed)
    values = range(-level, level + 1)
    sequences = [
        np.array(list(combinations_with_replacement(values, len(group))), dtype=np.int64)
        for group in groups
    ]
    number = np.prod([float(len(item)) for item in sequences])
    if number > _MAX_CANDIDATES:
        raise plan_problem(
            "suits",
            len(weighed.classes),
            f"{number:,.0f} sets of tags are too many to check",
            "Distinguish fewer cards or choose a lower level.",
        )
    order = np.argsort([len(item) for item in sequences])
    inner = int(order[-1])  # the longest list becomes the rows; a loop covers the others
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
        if held >= _CANDIDATE_CHUNK:
            yield np.concatenate(gathered)
            gathered, held = [], 0
    if gathered:
        yield np.concatenate(gathered)


def by_card(classes: Sequence[CardClass], tags: Sequence[int | Fraction]) -> Tags:
    """Convert tags by class to tags by card; 0 for cards that aren't in the pack."""
    found = [Fraction(0)] * CARDS
    for kind, tag in zip(classes, tags, strict=True):
        for card in kind.cards:
            found[card] = Fraction(tag)
    return tuple(found)


# --- Best tags for playing ---

MAX_SETS = 45_000_000  # most sets to check; level 3 with ten values has 40 million
_SET_CHUNK = 400_000
_ROWS = 500  # sets computed at once
_STEPS = 256  # steps from 0 to 1 in the share of variance
_ROUNDS = 20  # maximum passes when improving tags one by one


def searched_text(level: int, balanced: bool) -> str:
    return f"{'balanced' if balanced else 'unbalanced'} tags up to {level}"


@dataclass(frozen=True)
class Proof:
    """The search's scope, and what is known about all other tags of the same kind."""

    searched: str  # description, such as "balanced tags up to 1"
    looked_at: int | None  # sets of tags; None if tags were only improved step by step
    bound: float | None  # upper limit for any tags

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
            return f"Searched: every possible set of {self.searched}, but no other tags."
        if self.proven:
            return f"Searched: all {self.looked_at:,} sets of {self.searched}, but no other tags."
        assert self.bound is not None
        return (
            f"Searched: some sets of {self.searched}. These are the best found, but not proven "
            f"best: no tags can exceed {self.bound:.4f} ({self.bound - best:.4f} more)."
        )


class PlayingSearch:
    """The playing gain of tags by class, in addition to given side counts."""

    def __init__(self, playing: PlayEffects, weighed: WeightedEffects, depths: Depths) -> None:
        self.playing, self.weighed, self.depths = playing, weighed, depths
        self.mass, self.behind, centred = playing.alternatives
        roots = np.sqrt(playing.shares)
        self._effects = centred * roots  # [decision, value]: lengths are standard deviations
        classes = weighed.classes
        unit = np.eye(len(classes), dtype=np.int64).tolist()
        by_values = np.array([by_value(playing.rules, by_card(classes, row)) for row in unit])
        given = [np.ones(len(roots)), *(by_value(playing.rules, t) for t in weighed.side_tags)]
        self._given = _orthonormal([vector * roots for vector in given])
        rows = by_values * roots
        self.rows = rows - (rows @ self._given.T) @ self._given  # [class, value]
        known = self._effects @ self._given[1:].T
        self._from_sides = (known**2).sum(axis=1)  # variance explained by the side counts
        self._variance = (self._effects**2).sum(axis=1)

    def gains(self, explained: Floats) -> Floats:
        """Gain per round of each decision, given its explained variance on the last axis."""
        return self.playing.gains_of(self.mass, self.behind, np.sqrt(explained), self.depths)

    @cached_property
    def perfect(self) -> float:
        return float(self.gains(self._variance).sum())

    @cached_property
    def _table(self) -> Floats:
        """Gains at evenly spaced shares of the remaining variance, by [decision, step]."""
        shares = np.arange(_STEPS + 1) / _STEPS
        beyond = self._variance - self._from_sides
        return np.stack([self.gains(self._from_sides + share * beyond) for share in shares], axis=1)

    def _shares(self, tags: Ints) -> Floats:
        """Explained share of the variance that side counts leave over, by [set, decision]."""
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

    # --- Bounds ---

    def lines(self, tags: Sequence[int]) -> tuple[float, Floats]:
        """A constant and a form whose sum is an upper bound on the gain of any tags.

        Each decision's gain stays below the tangent, at these tags, to the hull above it.
        """
        table, steps = self._table, np.arange(_STEPS + 1) / _STEPS
        shares = self._shares(np.array([tags]))[0]
        offsets, slopes = np.zeros(len(table)), np.zeros(len(table))
        for row, (gains, share) in enumerate(zip(table, shares, strict=True)):
            slopes[row] = _hull_slope(steps, gains, float(share))
            # Gains increase, so between two steps they are below the gain at the later step.
            offsets[row] = (gains[1:] - slopes[row] * steps[:-1]).max()
        scaled = (
            self._effects / np.sqrt(np.maximum(self._variance - self._from_sides, 1e-300))[:, None]
        )
        form = (scaled * slopes[:, None]).T @ scaled
        return float(offsets.sum()), form

    def bound(self, tags: Sequence[int]) -> float:
        """An upper bound on the efficiency of any tags, whole numbers or not."""
        offset, form = self.lines(tags)
        rest = np.eye(len(form)) - self._given.T @ self._given
        return (offset + float(np.linalg.eigvalsh(rest @ form @ rest).max())) / self.perfect

    # --- Search ---

    def best(
        self,
        level: int,
        balanced: bool,
        starts: Sequence[tuple[int, ...]],
        maximum: int,
        each: ProgressIterator,
    ) -> tuple[list[TagCandidate], Proof]:
        """The best tags of this level, best first."""
        searched = searched_text(level, balanced)
        known = self._climbed(level, balanced, starts)
        if not known:
            return [], Proof(searched, None, None)
        sets = AllSets(self.weighed, level, balanced)
        top = max(known, key=lambda tags: known[tags])
        if sets.number > MAX_SETS:
            return _ordered(known, maximum), Proof(searched, 0, self.bound(top))
        offset, form = self.lines(top)
        looked_at = 0
        for start in each("sets of tags", range(0, sets.number, _SET_CHUNK)):
            tags = sets.tags(np.arange(start, min(start + _SET_CHUNK, sets.number)))
            looked_at += len(tags)
            minimum = sorted(known.values())[-maximum] if len(known) >= maximum else -math.inf
            rows = tags @ self.rows
            lengths = (rows * rows).sum(axis=1)
            tags, rows, lengths = (part[lengths > 0] for part in (tags, rows, lengths))
            most_possible = offset + ((rows @ form) * rows).sum(axis=1) / lengths
            possible = tags[most_possible >= minimum * self.perfect - _ALIKE]
            for some in (possible[row : row + _ROWS] for row in range(0, len(possible), _ROWS)):
                for item in some[self.at_most(some) >= minimum * self.perfect - _ALIKE]:
                    found = _primitive(item)
                    if found not in known:
                        known[found] = self.efficiency(found)
        ordered = _ordered(known, maximum)
        return ordered, Proof(searched, looked_at, ordered[0].correlation)

    def at_most(self, tags: Ints) -> Floats:
        """Upper bounds on the gains of these sets, from the table, rounded up by one step."""
        steps = np.minimum((self._shares(tags) * _STEPS).astype(np.int64) + 1, _STEPS)
        found: Floats = self._table[np.arange(len(self._table)), steps].sum(axis=1)
        return found

    def _climbed(
        self, level: int, balanced: bool, starts: Sequence[tuple[int, ...]]
    ) -> dict[tuple[int, ...], float]:
        """All tag sets visited by hill climbing, which changes one or two tags at a time."""
        known: dict[tuple[int, ...], float] = {}

        def worth(tags: tuple[int, ...]) -> float:
            if not self._is_candidate(tags, balanced):
                return -math.inf
            found = _primitive(tags)
            if found not in known:
                known[found] = self.efficiency(found)
            return known[found]

        for start in starts:
            tags = start
            for _ in range(_ROUNDS):
                better = max(_neighbors(tags, level), key=worth, default=tags)
                if worth(better) <= worth(tags):
                    break
                tags = better
        return known

    def _is_candidate(self, tags: tuple[int, ...], balanced: bool) -> bool:
        drift = float(self.weighed.drifts(np.array([tags]))[0])
        length = float(((np.array(tags) @ self.rows) ** 2).sum())
        return (drift == 0) == balanced and length > 1e-12


def _orthonormal(vectors: Sequence[Floats]) -> Floats:
    """An orthonormal basis of the span of these vectors."""
    found: list[Floats] = []
    for vector in vectors:
        rest = vector - sum((float(item @ vector) * item for item in found), np.zeros(len(vector)))
        length = math.sqrt(float(rest @ rest))
        if length > 1e-9:
            found.append(rest / length)
    return np.array(found)


def _hull_slope(steps: Floats, gains: Floats, share: float) -> float:
    """Slope of the upper hull of the gains at this share."""
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
    """Whether the middle point is on or below the line between the others."""
    rise = (gains[other] - gains[one]) * (steps[middle] - steps[one])
    return bool(rise >= (gains[middle] - gains[one]) * (steps[other] - steps[one]))


class AllSets:
    """All tags of a level by index; a set and its negative are equivalent and count once.

    For balanced tags, the tag of the last of the smallest classes follows from the others.
    """

    def __init__(self, weighed: WeightedEffects, level: int, balanced: bool) -> None:
        self.level, self.balanced = level, balanced
        self.sizes = np.array([len(kind.cards) for kind in weighed.classes])
        classes = len(self.sizes)
        self.follows = classes - 1 - int(np.argmin(self.sizes[::-1]))
        self.free = [place for place in range(classes) if not balanced or place != self.follows]
        self.number: int = (2 * level + 1) ** len(self.free) // 2

    def tags(self, numbers: Ints) -> Ints:
        """The sets with these indices that balance (or don't), by [set, class]."""
        tags = np.zeros((len(numbers), len(self.sizes)), dtype=np.int64)
        for place in self.free:
            numbers, digits = np.divmod(numbers, 2 * self.level + 1)
            tags[:, place] = digits - self.level
        drifts = tags @ self.sizes
        usable = drifts != 0
        if self.balanced:
            size = self.sizes[self.follows]
            tags[:, self.follows] = -drifts // size
            usable = (drifts % size == 0) & (np.abs(tags[:, self.follows]) <= self.level)
        found: Ints = tags[usable]
        return found


def _primitive(tags: Sequence[int] | Ints) -> tuple[int, ...]:
    """The tags without a common factor, with the sign that makes low cards positive."""
    found = [int(tag) for tag in tags]
    divisor = gcd(*found) or 1
    sign = -1 if found[-1] > 0 else 1
    return tuple(sign * tag // divisor for tag in found)


def _ordered(known: dict[tuple[int, ...], float], maximum: int) -> list[TagCandidate]:
    ordered = sorted(known, key=lambda tags: (-round(known[tags] / _ALIKE), _size(tags), tags))
    return [TagCandidate(tags, known[tags]) for tags in ordered[:maximum]]


def _neighbors(tags: tuple[int, ...], level: int) -> list[tuple[int, ...]]:
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


# --- Design ---

_WEIGHT_STEPS = 4  # side counts are weighted in quarters of a main tag
_HEAVIEST = 50  # with a heavier side count, the main count hardly matters


@dataclass(frozen=True)
class CountSpec:
    """Requirements for a new count."""

    level: int = 1
    balanced: bool = True
    sides: tuple[str, ...] = ()  # ranks or cards with side counts: "7", or "7s 7h"
    suits: tuple[str, ...] = ()  # ranks whose suits the main count distinguishes
    goal: Goal = Goal.BETTING
    running: bool = False  # an unbalanced count that isn't divided by the decks left

    def __post_init__(self) -> None:
        """Before any computation, reject requirements that can't be met under any rules."""
        if type(self.level) is not int or not 1 <= self.level <= MAX_LEVEL:
            raise plan_problem(
                "level", self.level, "the largest tag must be 1, 2 or 3", "Choose one."
            )
        check_flag("balanced", self.balanced)
        check_flag("running", self.running)
        if self.running and self.balanced:
            raise plan_problem(
                "running", "on", "a running count needs unbalanced tags",
                "Add --unbalanced.",
            )  # fmt: skip
        if len(set(self.sides)) < len(self.sides):
            raise plan_problem(
                "side-count", ", ".join(self.sides), "the same cards are counted twice",
                "Give each card once.",
            )  # fmt: skip
        if len(self.sides) > MAX_SIDE_COUNTS:
            raise plan_problem(
                "side-count", len(self.sides), f"a count has at most {MAX_SIDE_COUNTS} side counts",
                "Remove some.",
            )  # fmt: skip


@dataclass(frozen=True)
class Design:
    """The counts found, best first, and what is proven about better ones."""

    counts: tuple[Count, ...]
    best: float  # correlation or playing efficiency of the first count
    proof: Proof

    def text(self) -> str:
        return self.proof.text(self.best)


def design_counts(
    workshop: EffectsCalculator, wish: CountSpec, maximum: int = 1
) -> tuple[Count, ...]:
    """The best tags for these requirements, best first."""
    return design(workshop, wish, maximum).counts


def design(workshop: EffectsCalculator, wish: CountSpec, maximum: int = 1) -> Design:
    """The best tags for these requirements, with what is proven about them."""
    rules = workshop.rules
    sides = [_side_tags(name) for name in wish.sides]
    classes = _classes(rules, wish)
    weighed = WeightedEffects(workshop.effects_for(wish.goal), classes, sides)
    if wish.goal == Goal.PLAYING:
        starts = _starts(workshop, weighed, wish)
        search = PlayingSearch(
            workshop.playing, weighed, Depths(rules, by_card(classes, starts[0]))
        )
        found, proof = search.best(wish.level, wish.balanced, starts, maximum, workshop.each)
    else:
        found = best_tags(weighed, wish.level, wish.balanced, maximum)
        searched = searched_text(wish.level, wish.balanced)
        proof = Proof(searched, None, found[0].correlation if found else None)
    if not found:
        raise plan_problem(
            "level", wish.level, f"there are no {proof.searched}", "Choose a different level."
        )
    counts = (
        _count(workshop, classes, one, sides, wish, place) for place, one in enumerate(found, 1)
    )
    return Design(tuple(counts), found[0].correlation, proof)


def _starts(
    workshop: EffectsCalculator, weighed: WeightedEffects, wish: CountSpec
) -> list[tuple[int, ...]]:
    """Initial tags for a playing count: the best for betting and for insurance."""
    found = best_tags(weighed, wish.level, wish.balanced, 3)
    if workshop.insurance is not None:
        other = WeightedEffects(workshop.insurance, weighed.classes, weighed.side_tags)
        found += best_tags(other, wish.level, wish.balanced, 2)
    return [item.tags for item in found]


def _classes(rules: Rules, wish: CountSpec) -> tuple[CardClass, ...]:
    """The main count's classes; cards that a side count distinguishes are separate."""
    apart = [*wish.suits, *(name for name in wish.sides if name not in RANKS)]
    names = {word[0].upper() if word[-1:] in "cdhs" else word for part in apart
             for word in part.replace(",", " ").split()}  # fmt: skip
    return classes_by_suit(rules.pack, sorted(names)) if names else value_classes(rules.pack)


def _side_tags(name: str) -> Tags:
    """Tags of a side count: 1 for each of these cards."""
    words = name.replace(",", " ").split()
    return tags_of(read_tags(" ".join(f"{word}=1" for word in words), "side-count"))


def _count(
    workshop: EffectsCalculator,
    classes: Sequence[CardClass],
    found: TagCandidate,
    sides: Sequence[Tags],
    wish: CountSpec,
    place: int,
) -> Count:
    rules = workshop.rules
    main = by_card(classes, found.tags)
    weights = _weights(workshop.effects_for(wish.goal), [main, *sides])
    insurance: Weights = ()
    if sides and workshop.insurance is not None:
        insurance = _weights(workshop.insurance, [main, *sides])
    plain, unlike = _by_value(rules, main)
    names = tags_text([(k.name, Fraction(t)) for k, t in zip(classes, found.tags, strict=True)])
    count = Count(
        name=f"level-{wish.level}" if place == 1 else f"level-{wish.level}-{place}",
        title=f"Level {wish.level} for {rules.title}: {names}",
        is_true=not wish.running,
        start=-_drift(rules, main),
        tags=plain,
        bets=FLAT,
        plays=(),
        insurance_at=None,
        card_tags=unlike,
        sides=tuple(
            SideCount(name, weight, *_by_value(rules, tags), start=-_drift(rules, tags))
            for name, weight, tags in zip(wish.sides, weights[1:], sides, strict=True)
        ),
        insurance_weights=() if insurance == weights else insurance,
    )
    return designed_for(count, rules)


def _drift(rules: Rules, tags: Tags) -> Fraction:
    """The sum of the tags over a deck."""
    return sum((tags[card] for card in rules.pack.cards), Fraction(0))


def _weights(effects: Effects, parts: Sequence[Tags]) -> Weights:
    """Weights of the counts in the sum that best fits the effects, in quarters.

    The main count weighs 1, or 0 if it has no role; then the heaviest side count weighs 1.
    """
    fit = best_fit(effects, parts)
    if fit is None:
        return (Fraction(1), *(Fraction(0) for _ in parts[1:]))
    heaviest = max(fit.slopes, key=abs)
    unit = fit.slopes[0] if fit.slopes[0] > abs(heaviest) / _HEAVIEST else abs(heaviest)
    return tuple(
        Fraction(round(slope / unit * _WEIGHT_STEPS), _WEIGHT_STEPS) for slope in fit.slopes
    )


def _by_value(
    rules: Rules, tags: Tags
) -> tuple[tuple[Fraction, ...], tuple[tuple[int, Fraction], ...]]:
    """Tags by value, plus the cards whose tag differs from most cards of their value."""
    plain: list[Fraction] = []
    unlike: list[tuple[int, Fraction]] = []
    for kind in value_classes(rules.pack):
        found = [tags[card] for card in kind.cards]
        default = max(sorted(set(found)), key=found.count)
        plain.append(default)
        unlike += [(card, tags[card]) for card in kind.cards if tags[card] != default]
    return tuple(plain), tuple(unlike)
