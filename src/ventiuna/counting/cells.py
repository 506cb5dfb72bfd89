"""Cells of a chart, as index numbers have them.

A cell is a row and column of a chart: a hard or soft total, or a pair, against an up card; once
doubled, the total alone. It is told apart by the number of cards where that changes the best
action, and by the bonus that two suited cards may still win. Hands of splits are cells of their own
where they may not do what is best for hands as dealt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.charts.derive.groups import SPADES_678, SUITED_678, SUPER
from ventiuna.core import actions
from ventiuna.core.hand import best_total, is_soft
from ventiuna.counting.decisions import Decisions
from ventiuna.counting.tags import value_name
from ventiuna.kernels.exact.lattice import ACE_VALUE, lattice
from ventiuna.kernels.exact.records import SPLIT_ACE_HAND, UNSPLIT
from ventiuna.strategy.bonuses import Bonus
from ventiuna.strategy.plays import DOUBLED, After

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
MOST_CARDS_TOLD_APART = 6
HARD, SOFT, PAIR = "hard", "soft", "pair"
_SPLITS = (After.SPLIT, After.SPLIT_ACES)
_BONUSES = {
    SUITED_678: Bonus.SUITED_678,
    SPADES_678: Bonus.SPADES_678,
    SUPER: Bonus.SUPER,
}


@dataclass(frozen=True, order=True)
class Cell:
    """A row and column of a chart, for hands with so many cards."""

    kind: str
    number: int  # total, or value of the pair's cards
    up: int  # value
    fewest: int
    most: int  # MOST_CARDS_TOLD_APART: any number from `fewest` on
    after: After = After.ANY
    bonus: Bonus = Bonus.NONE  # that two cards may still win

    @property
    def hand(self) -> str:
        number = value_name(self.number) if self.kind == PAIR else str(self.number)
        return f"{self.kind} {number}"

    @property
    def cards(self) -> str:
        """Numbers of cards as `2-3` or `4+`; "" for any."""
        if self.kind == PAIR or (self.fewest == 2 and self.most == MOST_CARDS_TOLD_APART):
            return ""
        if self.most == MOST_CARDS_TOLD_APART:
            return f"{self.fewest}+"
        return str(self.fewest) if self.fewest == self.most else f"{self.fewest}-{self.most}"

    @property
    def situation(self) -> str:
        """How the hand came to be and what it may win; "" for any."""
        bonus = f"may be a {self.bonus}" if self.bonus.is_named else ""
        return ", ".join(filter(None, (self.after.words, bonus)))

    @property
    def text(self) -> str:
        cards = f" ({self.cards} cards)" if self.cards else ""
        situation = f", {self.situation}" if self.situation else ""
        return f"{self.hand}{cards}{situation} against {value_name(self.up)}"


class HandClass(NamedTuple):
    """Hands of one cell and one number of cards."""

    kind: str
    number: int
    up: int
    after: After
    bonus: Bonus
    cards: int


def classes_of(decisions: Decisions) -> tuple[Ints, list[HandClass]]:
    """Which class each decision belongs to."""
    known: dict[HandClass, int] = {}
    numbers = np.zeros(len(decisions), dtype=np.int64)
    places = lattice()
    for row in range(len(decisions)):
        place, counts = int(decisions.place[row]), decisions.counts[row]
        hard, aces = int(places.hard[place]), int(counts[ACE_VALUE])
        cards = int(places.cards[place])
        kind = SOFT if is_soft(hard, aces) else HARD
        number = best_total(hard, aces)
        if cards == 2 and counts.max() == 2 and decisions.legal[row] >> actions.SPLIT & 1:
            kind, number = PAIR, int(counts.argmax()) + 1
        after = _after(decisions, row)
        found = HandClass(
            kind=kind,
            number=number,
            up=int(decisions.up[row]) + 1,
            after=after,
            bonus=_BONUSES.get(int(decisions.level[row]), Bonus.NONE),
            cards=0 if after.doublings else min(cards, MOST_CARDS_TOLD_APART),
        )
        numbers[row] = known.setdefault(found, len(known))
    return numbers, list(known)


def _after(decisions: Decisions, row: int) -> After:
    """Hands of splits that may do what hands as dealt may are of the same class."""
    doublings, kind = int(decisions.doublings[row]), int(decisions.kind[row])
    if doublings:
        return DOUBLED[doublings]
    split = 1 << actions.SPLIT
    alike = (decisions.legal[row] | split) == (decisions.legal_as_dealt[row] | split)
    if kind == UNSPLIT or alike:
        return After.ANY
    return After.SPLIT_ACES if kind == SPLIT_ACE_HAND else After.SPLIT


class ByClass(NamedTuple):
    """Classes of hands, how often each is met, and its values by true count and choice."""

    classes: list[HandClass]
    mass: Floats
    values: Floats  # [class, true count, choice]


def with_splits(found: ByClass) -> ByClass:
    """Hands of splits put to those as dealt, as in a chart, where what they may not do is never
    the best anyway; else hands as dealt are told apart from them."""
    best = np.nanargmax(found.values, axis=2)
    numbers = {one: number for number, one in enumerate(found.classes)}
    renamed = list(found.classes)
    for number, dealt in enumerate(found.classes):
        if dealt.after != After.ANY:
            continue
        others = [numbers.get(dealt._replace(after=after)) for after in _SPLITS]
        members = [number, *(other for other in others if other is not None)]
        if _may_alike(found, best, members):
            for member in members:
                renamed[member] = dealt
        else:
            renamed[number] = dealt._replace(after=After.DEAL)
    classes = list(dict.fromkeys(renamed))
    places = {one: place for place, one in enumerate(classes)}
    into = np.array([places[one] for one in renamed])
    mass = np.bincount(into, found.mass, len(classes)).astype(np.float64)
    sums = np.zeros((len(classes), *found.values.shape[1:]))
    np.add.at(sums, into, found.mass[:, None, None] * found.values)
    return ByClass(classes, mass, sums / mass[:, None, None])


def cells_of(found: ByClass, zero: int) -> list[tuple[Cell, list[int]]]:
    """Cells with the numbers of their classes.

    Numbers of cards side by side go together that have the same best action at a true count of 0,
    which is at place `zero`, and may do what is best for one of them at others.
    """
    rows: dict[tuple[object, ...], list[int]] = {}
    for number, one in enumerate(found.classes):
        after = After.ANY if one.after == After.DEAL else one.after
        rows.setdefault((*one[:3], one.bonus, after), []).append(number)
    best = np.nanargmax(found.values, axis=2)
    cells = []
    for members in rows.values():
        members.sort(key=lambda number: found.classes[number].cards)
        runs: list[list[int]] = []
        for number in members:
            if runs and _go_together(found, best, zero, runs[-1][-1], number):
                runs[-1].append(number)
            else:
                runs.append([number])
        cells += [(_cell(found.classes, run, run is runs[0], run is runs[-1]), run) for run in runs]
    return cells


def _go_together(found: ByClass, best: Ints, zero: int, one: int, other: int) -> bool:
    if found.classes[one].after != found.classes[other].after:
        return False
    return bool(best[one, zero] == best[other, zero]) and _may_alike(found, best, [one, other])


def _may_alike(found: ByClass, best: Ints, members: list[int]) -> bool:
    """May all of these do what is best for any of them at some count?"""
    wanted = np.unique(best[members])
    return not np.isnan(found.values[members][:, :, wanted]).any()


def _cell(classes: list[HandClass], run: list[int], is_first: bool, is_last: bool) -> Cell:
    """Numbers of cards that are hardly ever met go with those beside them."""
    first, last = classes[run[0]], classes[run[-1]]
    is_split = first.after in _SPLITS
    fewest = 2 if is_first and not is_split else first.cards
    most = MOST_CARDS_TOLD_APART if is_last and not is_split else last.cards
    return Cell(first.kind, first.number, first.up, fewest, most, first.after, first.bonus)
