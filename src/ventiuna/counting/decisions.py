"""Every decision in a round, the value of each action in any shoe, and the chart cells.

A decision is the composition of a hand (and, for two cards whose suits matter, the bonus hand they
can still become) against the value of the up card. Hands as dealt, split hands and doubled hands
are separate. The frequency of a decision assumes best play from a full shoe. A split hand is valued
separately: the cards in the other hands count as unseen.

A cell is a row and column of a chart: a hard or soft total, or a pair, against an up card; for
doubled hands, only the total. Cells are separated by the number of cards if that changes the best
action, and by the bonus that two suited cards can still win. Split hands have separate cells if
they can't do what is best for hands as dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.base_game.solver import (
    TWO_CARD_PLACES,
    Solution,
    SolverQuery,
    StrategyTables,
    best_hands,
    game_tables,
    solve,
    solve_deals,
    strategy_of,
)
from ventiuna.analysis.charts.best_play import (
    LEVELS,
    PLAIN,
    SPADES_678,
    SUITED_678,
    SUPER,
    Optimum,
    best_policy,
    doubled_values,
    draw_chances,
    reach_of,
)
from ventiuna.analysis.composition import Composition, SplitPlay, fresh_composition
from ventiuna.core import actions
from ventiuna.core.base_game import super_bonus_pay
from ventiuna.core.cards import CARDS, best_total, is_soft, rank_of, value_of
from ventiuna.counting.tags import value_name
from ventiuna.kernels.exact.tables import (
    ACE_VALUE,
    DEAL_VALUE,
    KINDS,
    SPLIT_ACE_HAND,
    SPLIT_HAND,
    UNSPLIT,
    VALUES,
    Plays,
    SuitedPlays,
    lattice,
)
from ventiuna.rules import Rules, compile_rules
from ventiuna.strategy.chart import Bonus
from ventiuna.strategy.counting import AFTER_BY_DOUBLINGS, After

# --- Exact values of shoes ---

Ints = npt.NDArray[np.int64]
GameRecord = Any  # a record for the exact kernels


def pays_super_bonus(rules: Rules, base: int | None) -> bool:
    """Whether the value includes the Super Bonus of this base wager."""
    table = compile_rules(rules)
    return base is not None and table.super_ranks != 0 and super_bonus_pay(table, base) > 0


def solver_query(
    rules: Rules, shoe: Composition, base: int | None, strategy: StrategyTables | None = None
) -> SolverQuery:
    with_super = pays_super_bonus(rules, base)
    table = compile_rules(rules)
    return SolverQuery(table, shoe, SplitPlay.AS_UNSPLIT, base, with_super, strategy)


def best_value(rules: Rules, base: int | None, shoe: Composition) -> float:
    """Value per base wager with best play from this shoe."""
    return _value(solver_query(rules, shoe, base))


def best_solution(rules: Rules, base: int | None, shoe: Composition) -> Solution:
    """All records of best play from this shoe."""
    return solve(*solver_query(rules, shoe, base))


class Played(NamedTuple):
    """Best play from a shoe, for hands as dealt and for split hands."""

    game: GameRecord
    by_kind: dict[int, tuple[Plays, SuitedPlays]]
    value: float  # value of the round


def best_play(
    rules: Rules, base: int | None, shoe: Composition, kinds: Iterable[int] = (UNSPLIT,)
) -> Played:
    """The value of each action for every hand of these kinds in this shoe."""
    solution = best_solution(rules, base, shoe)
    found = {UNSPLIT: (solution.plays, solution.suited)}
    for kind in kinds:
        if kind != UNSPLIT:
            found[kind] = best_hands(solution.game, kind)
    return Played(solution.game, found, float(solution.deals.sum(axis=(0, 1))[DEAL_VALUE]))


@lru_cache(maxsize=2)
def fresh_solution(rules: Rules, base: int | None) -> Solution:
    """The solution of a full shoe; cached because many comparisons use it."""
    return best_solution(rules, base, fresh_composition(rules))


def fixed_value(rules: Rules, base: int | None = None) -> Callable[[Composition], float]:
    """A function that values a full shoe's best play in any other shoe."""
    solution = fresh_solution(rules, base)
    return lambda shoe: value_of_play(rules, base, solution, shoe)


def value_of_play(rules: Rules, base: int | None, played: Solution, shoe: Composition) -> float:
    """The exact value of one shoe's best play in another shoe."""
    with_super = pays_super_bonus(rules, base)
    game = game_tables(compile_rules(rules), shoe, base, with_super)
    strategy = moved_to(strategy_of(played), played.game, game)
    return _value(solver_query(rules, shoe, base, strategy))


def moved_to(strategy: StrategyTables, own: GameRecord, other: GameRecord) -> StrategyTables:
    """Convert a strategy to the rows of another shoe, which may lack some cards."""
    rows = [
        int(own["pair_row"][other["pair_first"][row], other["pair_second"][row]])
        for row in range(int(other["pairs"]))
    ]
    by_card = {int(own["up_card"][row]): row for row in range(int(own["ups"]))}
    by_value = {int(own["up_value"][row]): row for row in reversed(range(int(own["ups"])))}
    ups = [
        by_card.get(int(other["up_card"][row]), by_value.get(int(other["up_value"][row]), 0))
        for row in range(int(other["ups"]))
    ]

    def moved(table: Ints) -> Ints:
        found: Ints = table[np.ix_(rows, ups)] if rows else np.zeros((0, len(ups)), dtype=np.int64)
        return found

    return strategy._replace(
        suited=moved(strategy.suited), suited_split=moved(strategy.suited_split)
    )


def _value(query: SolverQuery) -> float:
    return float(solve_deals(query).figures.sum(axis=(0, 1))[DEAL_VALUE])


# --- Decisions ---

Floats = npt.NDArray[np.float64]

_RAREST = 1e-9  # decisions rarer than this per round are left out
HAND_KINDS = (UNSPLIT, SPLIT_HAND, SPLIT_ACE_HAND)
CHOICES = tuple(range(actions.ACTIONS))


@dataclass(frozen=True)
class Decisions:
    """Arrays over all decisions."""

    up: Ints  # value, 0 for an ace
    place: Ints  # index of the composition in the lattice
    level: Ints  # bonus hand that two cards can still become; PLAIN for more cards
    kind: Ints  # dealt or split; doubled hands are all treated alike
    doublings: Ints
    mass: Floats  # frequency per round
    legal: Ints  # one bit per action
    legal_as_dealt: Ints  # legal actions for the same cards when not split
    suits: SuitedHands

    def __len__(self) -> int:
        return len(self.up)

    @cached_property
    def counts(self) -> Ints:
        """The hand's cards, by [decision, value]."""
        found: Ints = lattice().counts[self.place].astype(np.int64)
        return found

    @cached_property
    def seen(self) -> Ints:
        """The hand's cards and the up card, by [decision, value]."""
        found = self.counts.copy()
        found[np.arange(len(self)), self.up] += 1
        return found

    @property
    def kinds(self) -> tuple[int, ...]:
        """Kinds of undoubled hands that occur."""
        return tuple(kind for kind in HAND_KINDS if (self.kind == kind).any())

    def values(self, played: Played) -> Floats:
        """Values in the shoe that was played, by [decision, choice]; NaN if not legal."""
        found = np.full((len(self), len(CHOICES)), np.nan)
        for kind, (plays, suited) in played.by_kind.items():
            mine = (self.kind == kind) & (self.doublings == 0)
            up, place, level = self.up[mine], self.place[mine], self.level[mine]
            values = plays["by_action"][up, :, place]
            by_card = played.game["by_card"][place] == 1
            if by_card.any():
                means = self.suits.means(played.game, suited)
                values[by_card] = means[up[by_card], level[by_card], place[by_card]]
            found[mine] = values
        doubled = self.doublings > 0
        if doubled.any():
            game, (plays, _) = played.game, played.by_kind[UNSPLIT]
            stand = plays["by_action"][:, actions.STAND]
            values = doubled_values(game, stand, plays["values"], draw_chances(game["shoe"]))
            found[doubled] = values[
                self.up[doubled], self.doublings[doubled], :, self.place[doubled]
            ]
        allowed = self.legal[:, None] >> np.array(CHOICES) & 1 == 1
        return np.where(allowed, found, np.nan)


class SuitedHands:
    """Two cards enumerated one by one, grouped by the bonus hand they can still become."""

    def __init__(self, optimum: Optimum) -> None:
        game = optimum.game
        keys: list[tuple[int, int, int]] = []
        cards: list[tuple[int, int, int]] = []
        chances: list[float] = []
        for row in range(int(game["ups"])):
            up_card = int(game["up_card"][row])
            for pair in range(int(game["pairs"])):
                first, second = int(game["pair_first"][pair]), int(game["pair_second"][pair])
                place = int(game["pair_place"][pair])
                chance = optimum.card_chance(row, first, second, place)
                if chance > 0.0:
                    level = optimum.level(first, second, up_card)
                    keys.append((value_of(up_card) - 1, level, place))
                    cards.append((first, second, up_card))
                    chances.append(chance)
        self._keys = tuple(np.array(keys, dtype=np.int64).reshape(-1, 3).T)
        self._cards = np.array(cards, dtype=np.int64).reshape(-1, 3)
        self._chances = np.array(chances)
        shape = (VALUES, LEVELS, TWO_CARD_PLACES)
        self._totals = np.zeros(shape)
        np.add.at(self._totals, self._keys, self._chances)
        ranks = np.array([rank_of(card) for card in range(CARDS)])
        self._unlike = ranks[self._cards[:, 0]] != ranks[self._cards[:, 1]]

    def means(self, game: GameRecord, suited: SuitedPlays) -> Floats:
        """Mean values, by [up, level, composition of two cards, choice]."""
        rows = game["pair_row"][self._cards[:, 0], self._cards[:, 1]]
        ups = _up_rows(game)[self._cards[:, 2]]
        possible = (rows >= 0) & (ups >= 0)
        found = np.zeros((len(rows), len(CHOICES)))
        found[possible] = suited["values"][rows[possible], ups[possible]]
        split = actions.SPLIT
        if game["same_rank"] == 1:
            # Ten-valued cards of different ranks aren't a pair: they use their next-best action.
            legal = game["legal"][UNSPLIT, 0][self._keys[2]]
            others = np.delete(np.array(CHOICES), split)
            allowed = legal[:, None] >> others & 1 == 1
            rest = np.delete(found, split, axis=1)
            best = np.where(allowed, rest, -np.inf).max(axis=1)
            found[:, split] = np.where(self._unlike & np.isfinite(best), best, found[:, split])
        found = np.where(np.isfinite(found), found, 0.0)
        sums = np.zeros((*self._totals.shape, len(CHOICES)))
        np.add.at(sums, self._keys, self._chances[:, None] * found)
        with np.errstate(divide="ignore", invalid="ignore"):
            means: Floats = sums / self._totals[..., None]
        return means


def _up_rows(game: GameRecord) -> Ints:
    """Each card's row among the up cards, or the row of the card that represents it, or -1."""
    found = np.full(CARDS, -1, dtype=np.int64)
    for row in reversed(range(int(game["ups"]))):
        value = int(game["up_value"][row])
        for card in range(CARDS):
            if value_of(card) - 1 == value and found[card] < 0:
                found[card] = row
    for row in range(int(game["ups"])):
        found[int(game["up_card"][row])] = row
    return found


class _Gathered(NamedTuple):
    """Decisions of one type: their positions and frequencies."""

    up: Ints
    level: Ints
    place: Ints
    kind: int
    doublings: int
    mass: Floats


def decisions_of(rules: Rules, base: int | None = None) -> Decisions:
    """All decisions that occur with best play from a full shoe."""
    solution = fresh_solution(rules, base)
    optimum = Optimum(compile_rules(rules), solution, base)
    reach = reach_of(optimum, best_policy(optimum))
    legal = solution.game["legal"].copy()
    legal[UNSPLIT + 1 :] &= ~(1 << actions.SPLIT)  # a pair is always resplit if that is allowed
    several = np.vectorize(int.bit_count, otypes=[np.int64])(legal) > 1
    parts = []
    for kind in range(KINDS):
        two = reach.two[kind] * several[kind, 0, :TWO_CARD_PLACES]
        up, level, place = np.nonzero(two > _RAREST)
        parts.append(_Gathered(up, level, place, kind, 0, two[up, level, place]))
        more = reach.more[kind][:, 0] * several[kind, 0]
        more[:, :TWO_CARD_PLACES] = 0.0
        parts.append(_plain(more, kind, 0))
    for doublings in range(1, optimum.most_doublings + 1):
        mass = reach.more[:, :, doublings].sum(axis=0)
        parts.append(_plain(mass * several[UNSPLIT, doublings], UNSPLIT, doublings))
    kinds = np.concatenate([np.full(len(part.up), part.kind) for part in parts])
    doubled = np.concatenate([np.full(len(part.up), part.doublings) for part in parts])
    places = np.concatenate([part.place for part in parts])
    return Decisions(
        up=np.concatenate([part.up for part in parts]),
        place=places,
        level=np.concatenate([part.level for part in parts]),
        kind=kinds,
        doublings=doubled,
        mass=np.concatenate([part.mass for part in parts]),
        legal=legal[kinds, doubled, places],
        legal_as_dealt=legal[UNSPLIT, doubled, places],
        suits=SuitedHands(optimum),
    )


def _plain(mass: Floats, kind: int, doublings: int) -> _Gathered:
    """Decisions by composition only, from an array [up, composition]."""
    up, place = np.nonzero(mass > _RAREST)
    return _Gathered(up, np.full(len(up), PLAIN), place, kind, doublings, mass[up, place])


# --- Cells of a chart ---

MAX_DISTINCT_CARDS = 6
HARD, SOFT, PAIR = "hard", "soft", "pair"
_SPLITS = (After.SPLIT, After.SPLIT_ACES)
_BONUSES = {
    SUITED_678: Bonus.SUITED_678,
    SPADES_678: Bonus.SPADES_678,
    SUPER: Bonus.SUPER,
}


@dataclass(frozen=True, order=True)
class ChartSlot:
    """A row and column of a chart, for hands with a range of card counts."""

    kind: str
    number: int  # total, or value of the pair's cards
    up: int  # value of the up card
    fewest: int
    most: int  # MAX_DISTINCT_CARDS means any number from `fewest` up
    after: After = After.ANY
    bonus: Bonus = Bonus.NONE  # the bonus that two cards can still win

    @property
    def hand(self) -> str:
        number = value_name(self.number) if self.kind == PAIR else str(self.number)
        return f"{self.kind} {number}"

    @property
    def cards(self) -> str:
        """Card counts such as `2-3` or `4+`; "" for any."""
        if self.kind == PAIR or (self.fewest == 2 and self.most == MAX_DISTINCT_CARDS):
            return ""
        if self.most == MAX_DISTINCT_CARDS:
            return f"{self.fewest}+"
        return str(self.fewest) if self.fewest == self.most else f"{self.fewest}-{self.most}"

    @property
    def situation(self) -> str:
        """Where the hand came from and what it can win; "" for any."""
        bonus = f"can become a {self.bonus}" if self.bonus.is_named else ""
        return ", ".join(filter(None, (self.after.words, bonus)))

    @property
    def text(self) -> str:
        cards = f" ({self.cards} cards)" if self.cards else ""
        situation = f", {self.situation}" if self.situation else ""
        return f"{self.hand}{cards}{situation} against {value_name(self.up)}"


class HandClass(NamedTuple):
    """Hands of one cell and one card count."""

    kind: str
    number: int
    up: int
    after: After
    bonus: Bonus
    cards: int


def classes_of(decisions: Decisions) -> tuple[Ints, list[HandClass]]:
    """Assign each decision to a class."""
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
            cards=0 if after.doublings else min(cards, MAX_DISTINCT_CARDS),
        )
        numbers[row] = known.setdefault(found, len(known))
    return numbers, list(known)


def _after(decisions: Decisions, row: int) -> After:
    """Where the hand came from; `ANY` unless a split or a double changes its options."""
    doublings, kind = int(decisions.doublings[row]), int(decisions.kind[row])
    if doublings:
        return AFTER_BY_DOUBLINGS[doublings]
    split = 1 << actions.SPLIT
    alike = (decisions.legal[row] | split) == (decisions.legal_as_dealt[row] | split)
    if kind == UNSPLIT or alike:
        return After.ANY
    return After.SPLIT_ACES if kind == SPLIT_ACE_HAND else After.SPLIT


class ByClass(NamedTuple):
    """Classes of hands with their frequencies and their values by true count and choice."""

    classes: list[HandClass]
    mass: Floats
    values: Floats  # [class, true count, choice]


def with_splits(found: ByClass) -> ByClass:
    """Merge split hands with hands as dealt, as charts do, if the best plays are legal for both.

    Otherwise, hands as dealt get a separate class.
    """
    best = np.nanargmax(found.values, axis=2)
    numbers = {one: number for number, one in enumerate(found.classes)}
    renamed = list(found.classes)
    for number, dealt in enumerate(found.classes):
        if dealt.after != After.ANY:
            continue
        others = [numbers.get(dealt._replace(after=after)) for after in _SPLITS]
        members = [number, *(other for other in others if other is not None)]
        if _share_best_plays(found, best, members):
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


def cells_of(found: ByClass, zero: int) -> list[tuple[ChartSlot, list[int]]]:
    """Cells with the indices of their classes.

    Adjacent card counts are merged if they have the same best action at a true count of 0, which is
    at index `zero`, and if every play that is best for one of them at some count is legal for all.
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
    return bool(best[one, zero] == best[other, zero]) and _share_best_plays(
        found, best, [one, other]
    )


def _share_best_plays(found: ByClass, best: Ints, members: list[int]) -> bool:
    """Whether every play that is best for one member at some count is legal for all members."""
    plays = np.unique(best[members])
    return not np.isnan(found.values[members][:, :, plays]).any()


def _cell(classes: list[HandClass], run: list[int], is_first: bool, is_last: bool) -> ChartSlot:
    """Build a cell; card counts that hardly ever occur join their neighbors."""
    first, last = classes[run[0]], classes[run[-1]]
    is_split = first.after in _SPLITS
    fewest = 2 if is_first and not is_split else first.cards
    maximum = MAX_DISTINCT_CARDS if is_last and not is_split else last.cards
    return ChartSlot(first.kind, first.number, first.up, fewest, maximum, first.after, first.bonus)
