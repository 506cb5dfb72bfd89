"""Best play in the form charts need: groups of hands, their frequencies, and the cost of each play.

A strategy's loss relative to best play is a sum over the hands it encounters. Each adds its
frequency times the cost of the strategy's action, assuming best play afterward. So the values of
best play are enough to price every cell of a chart.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.base_game.analyzer import packed_preference
from ventiuna.analysis.base_game.solver import (
    FIRST_PLACE,
    TWO_CARD_PLACES,
    Solution,
    StrategyTables,
)
from ventiuna.analysis.charts.page import ChartTable
from ventiuna.core import actions
from ventiuna.core.actions import first_legal, first_legal_of
from ventiuna.core.base_game import may_become_super_bonus, super_bonus_pay
from ventiuna.core.cards import (
    EMPTY_HAND,
    SPADES,
    Hand,
    add_card,
    best_total,
    card_of_value,
    is_soft,
    rank_of,
    suit_of,
    value_of,
)
from ventiuna.core.rule_table import RuleTable
from ventiuna.kernels.exact.tables import (
    ACE_VALUE,
    COMPOSITIONS,
    DOUBLINGS,
    KINDS,
    SPLIT_ACE_HAND,
    SPLIT_HAND,
    TEN_VALUE,
    UNSPLIT,
    VALUES,
    Floats,
    Ints,
    lattice,
)
from ventiuna.strategy.chart import (
    Cell,
    Chart,
    ChartHand,
    blackjack_preferences,
    doubled_preferences,
    is_part_of_678,
    is_part_of_suited_678,
    suits_of_678,
    undoubled_preferences,
)
from ventiuna.strategy.chart import column_of as chart_column

# --- Hands that a chart treats alike ---

# Bonus hands that two cards can still become: none, a 6-7-8 of mixed suits, of one suit, of spades,
# or the Super Bonus. A chart's marks refer to these.
PLAIN, MIXED_678, SUITED_678, SPADES_678, SUPER = range(5)
LEVELS = 5
_LEVEL_OF_MARK = {"*": MIXED_678, "'": SUITED_678, '"': SPADES_678}

LETTER_OF = {
    actions.HIT: "H",
    actions.STAND: "S",
    actions.DOUBLE: "D",
    actions.DOUBLE_DOUBLE: "D",
    actions.SPLIT: "P",
    actions.SURRENDER: "R",
    actions.RESCUE: "R",
}


class Group(NamedTuple):
    """All compositions that the chart and the rules treat alike."""

    soft: bool
    total: int
    cards: int  # 0 for doubled hands, where charts ignore the number of cards
    pair: int  # value of the cards (ace = 1); 0 if not a pair
    legal: int  # one bit per action

    def allows(self, action: int) -> bool:
        return self.legal >> action & 1 == 1


class Grouping(NamedTuple):
    groups: tuple[Group, ...]
    number: Ints  # [composition]: its group, or -1 for fewer than two cards


def grouping(legal: Ints, doubled: bool) -> Grouping:
    """Group all compositions; `legal` holds their actions as bits."""
    shapes = _shapes()
    numbers: dict[Group, int] = {}
    of_place = np.full(len(shapes), -1, dtype=np.int64)
    for place, shape in enumerate(shapes):
        if shape is None:
            continue
        soft, total, cards, pair = shape
        bits = int(legal[place])
        group = Group(soft, total, 0, 0, bits) if doubled else Group(soft, total, cards, pair, bits)
        of_place[place] = numbers.setdefault(group, len(numbers))
    return Grouping(tuple(numbers), of_place)


@lru_cache(maxsize=1)
def _shapes() -> tuple[tuple[bool, int, int, int] | None, ...]:
    """Soft flag, total, card count and pair value of every composition of two or more cards."""
    found = lattice()
    shapes: list[tuple[bool, int, int, int] | None] = []
    for place in range(len(found.cards)):
        hard, aces = int(found.hard[place]), int(found.counts[place, ACE_VALUE])
        cards = int(found.cards[place])
        if cards < 2:
            shapes.append(None)
            continue
        pair = 0
        for value in range(VALUES):
            if cards == 2 and found.counts[place, value] == 2:
                pair = value + 1
        shapes.append((is_soft(hard, aces), best_total(hard, aces), cards, pair))
    return tuple(shapes)


# --- What a chart does ---


def mark_is_met(cell: Cell, level: int) -> bool:
    """Whether two cards of this level can still win a bonus that the cell's marks refer to."""
    if cell.for_super and level == SUPER:
        return True
    return bool(cell.mark) and _LEVEL_OF_MARK[cell.mark] <= level < SUPER


def chart_preferences(
    chart: Chart, group: Group, column: int, level: int, blackjack: bool
) -> tuple[int, ...]:
    """The chart's preferred actions for an undoubled hand, best first.

    `blackjack` is true if an ace and a ten make a blackjack here, false for a split hand.
    """
    if blackjack and group.soft and group.total == 21 and group.cards == 2:
        return blackjack_preferences(chart)
    hand = ChartHand(group.soft, group.total, group.cards, group.pair)
    return undoubled_preferences(chart, hand, column, lambda cell: mark_is_met(cell, level))


def chart_doubled_preferences(
    chart: Chart, group: Group, column: int, doublings: int
) -> tuple[int, ...]:
    return doubled_preferences(chart, doublings, group.soft, group.total, column)


def column_of(up: int) -> int:
    """The chart column of an up card value, from 0 for an ace to 9 for a ten."""
    return chart_column(up + 1)


# --- Values of best play ---

# Two-card compositions come first, so their tables need only this many rows.
PLACES_OF_TWO = range(FIRST_PLACE, TWO_CARD_PLACES)


class TwoCardHands(NamedTuple):
    """Hands as dealt, after the dealer's check, by the bonus hands they can still become."""

    chances: Floats  # [up, level, composition of two cards]
    values: Floats  # [up, level, composition of two cards, action]: mean
    best: Floats  # [up, level, composition of two cards]: mean of the best actions


class Hands:
    """All hands under given rules, grouped as in a chart."""

    def __init__(self, table: RuleTable, game: Any, base: int | None) -> None:
        self.table = table
        self.game = game
        self.most_doublings = int(game["doublings_at_most"])
        self._may_win_super = base is not None and super_bonus_pay(table, base) > 0
        self._pays_678 = bool(suits_of_678(table))

    @cached_property
    def groupings(self) -> dict[tuple[int, int], Grouping]:
        """Groupings by kind of hand and doublings."""
        return {
            (kind, doublings): grouping(self.game["legal"][kind, doublings], doublings > 0)
            for kind in range(KINDS)
            for doublings in range(self.most_doublings + 1)
        }

    def level(self, first: int, second: int, up_card: int) -> int:
        """The bonus hands that two cards against this up card can still become."""
        hand = add_card(add_card(EMPTY_HAND, first), second)
        if self._may_win_super and may_become_super_bonus(self.table, hand, up_card):
            return SUPER
        if is_part_of_suited_678(self.table, hand):
            return SPADES_678 if suit_of(first) == SPADES else SUITED_678
        return self._level_of_any_suits(hand)

    def level_without_suits(self, place: int) -> int:
        """The level of hands whose suits aren't distinguished."""
        first, second = (card_of_value(value + 1) for value in _two_values(place))
        return self._level_of_any_suits(add_card(add_card(EMPTY_HAND, first), second))

    def _level_of_any_suits(self, hand: Hand) -> int:
        return MIXED_678 if self._pays_678 and is_part_of_678(hand) else PLAIN


def _known_values(solution: Solution) -> Floats:
    """Values of undoubled hands, by [up, action, composition]; NaN for illegal actions.

    The kernels leave illegal actions unset. Some become legal once the hand is split: a split A-10
    may be doubled even if a blackjack may not. The value of standing is always known.
    """
    legal = solution.game["legal"][UNSPLIT, 0]
    allowed = legal >> np.arange(actions.ACTIONS)[:, None] & 1 == 1
    allowed[actions.STAND] = True
    return np.where(allowed, solution.plays["by_action"], np.nan)


class Optimum(Hands):
    """Hands with their values under best play."""

    def __init__(self, table: RuleTable, solution: Solution, base: int | None) -> None:
        super().__init__(table, solution.game, base)
        self.values: Floats = solution.plays["values"]
        self.by_action = _known_values(solution)
        self.preferences: Ints = solution.plays["preferences"]
        self._suited = solution.suited

    @cached_property
    def draw_chances(self) -> Floats:
        """Probabilities of an unsplit hand's next card, by [up, composition, value]."""
        return draw_chances(self.game["shoe"])

    @cached_property
    def doubled_values(self) -> Floats:
        """Values of doubled hands, by [up, doublings, action, composition]."""
        return doubled_values(
            self.game, self.by_action[:, actions.STAND], self.values, self.draw_chances
        )

    # --- Two cards ---

    @cached_property
    def two_cards(self) -> TwoCardHands:
        chances = np.zeros((VALUES, LEVELS, TWO_CARD_PLACES))
        values = np.zeros((VALUES, LEVELS, TWO_CARD_PLACES, actions.ACTIONS))
        best = np.zeros((VALUES, LEVELS, TWO_CARD_PLACES))
        for place in PLACES_OF_TWO:
            if self.game["by_card"][place] == 0:
                level = self.level_without_suits(place)
                for up in range(VALUES):
                    chance = self._deal_chance(up, place)
                    chances[up, level, place] = chance
                    if chance > 0.0:
                        row = self.by_action[up, :, place]
                        values[up, level, place] = row
                        best[up, level, place] = self._best(row, place)
        self._add_by_cards(chances, values, best)
        return TwoCardHands(chances, values, best)

    def _add_by_cards(self, chances: Floats, values: Floats, best: Floats) -> None:
        game = self.game
        for row in range(int(game["ups"])):
            up_card = int(game["up_card"][row])
            up = value_of(up_card) - 1
            for pair in range(int(game["pairs"])):
                place = int(game["pair_place"][pair])
                first, second = int(game["pair_first"][pair]), int(game["pair_second"][pair])
                chance = self.card_chance(row, first, second, place)
                if chance <= 0.0:
                    continue
                level = self.level(first, second, up_card)
                found = self._card_values(pair, row, place)
                chances[up, level, place] += chance
                values[up, level, place] += chance * found
                best[up, level, place] += chance * self._best(found, place)
        by_card = game["by_card"][:TWO_CARD_PLACES] == 1
        shares = chances[:, :, by_card]
        known = shares > 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            best[:, :, by_card] = np.where(known, best[:, :, by_card] / shares, 0.0)
            values[:, :, by_card] = np.where(
                known[..., None], values[:, :, by_card] / shares[..., None], 0.0
            )

    def _card_values(self, pair: int, row: int, place: int) -> Floats:
        """Values by action, NaN for illegal ones.

        Ten-valued cards that can't be split as a pair use their next-best action.
        """
        legal = int(self.game["legal"][UNSPLIT, 0, place])
        allowed = legal >> np.arange(actions.ACTIONS) & 1 == 1
        found: Floats = np.where(allowed, self._suited["values"][pair, row], np.nan)
        ranks = {rank_of(int(self.game[name][pair])) for name in ("pair_first", "pair_second")}
        if self.game["same_rank"] == 1 and len(ranks) == 2 and allowed[actions.SPLIT]:
            allowed[actions.SPLIT] = False
            found[actions.SPLIT] = found[allowed].max()
        return found

    def _best(self, values: Floats, place: int) -> float:
        legal = int(self.game["legal"][UNSPLIT, 0, place])
        return max(float(values[a]) for a in range(actions.ACTIONS) if legal >> a & 1)

    def _deal_chance(self, up: int, place: int) -> float:
        shoe = self.game["shoe"].copy()
        cards = float(shoe.sum())
        ups = shoe[up]
        shoe[up] -= 1
        low, high = _two_values(place)
        ways = shoe[low] * (shoe[high] - 1 if low == high else 2 * shoe[high])
        if ups <= 0 or ways <= 0:
            return 0.0
        deal = ups * ways / (cards * (cards - 1.0) * (cards - 2.0))
        return float(deal * (1.0 - self._check_chance(up, place)))

    def card_chance(self, row: int, first: int, second: int, place: int) -> float:
        """Probability of this deal against up cards of this row, without a dealer blackjack."""
        game = self.game
        up_card = int(game["up_card"][row])
        remaining = game["composition"].copy()
        remaining[up_card] -= 1
        ways = remaining[first] * (
            remaining[second] - 1 if first == second else 2 * remaining[second]
        )
        if ways <= 0:
            return 0.0
        cards = float(game["shoe"].sum())
        deal = game["up_count"][row] * ways / (cards * (cards - 1.0) * (cards - 2.0))
        return float(deal * (1.0 - self._check_chance(value_of(up_card) - 1, place)))

    def _check_chance(self, up: int, place: int) -> float:
        """Probability that the dealer's check finds a blackjack."""
        special = TEN_VALUE if up == ACE_VALUE else ACE_VALUE if up == TEN_VALUE else -1
        if special < 0:
            return 0.0
        remaining = self.game["shoe"] - lattice().counts[place]
        remaining[up] -= 1
        return float(remaining[special] / remaining.sum())


def doubled_values(game: Any, stand: Floats, values: Floats, chances: Floats) -> Floats:
    """Values of doubled hands, by [up, doublings, action, composition].

    `stand` [up, composition] is the value of standing undoubled, `values` [up, doublings,
    composition] the values of the actions taken, and `chances` the probabilities of the next card.
    """
    maximum = int(game["doublings_at_most"])
    found = np.full((VALUES, DOUBLINGS, actions.ACTIONS, len(lattice().cards)), np.nan)
    waiting = np.where(game["paid"][UNSPLIT, 0] == 0, stand, np.nan)
    paid = game["paid"][UNSPLIT, 1] == 1
    result = np.where(paid, game["pay"][UNSPLIT, 1], waiting)
    for doublings in range(1, maximum + 1):
        found[:, doublings, actions.STAND] = game["wager"][doublings] * result
        found[:, doublings, actions.SURRENDER] = -game["surrender_loss"][doublings]
        found[:, doublings, actions.RESCUE] = -game["rescue_loss"][doublings]
        if doublings < maximum:
            lost = -game["wager"][doublings + 1]
            drawn = _value_after_draw(values[:, doublings + 1], lost, chances)
            found[:, doublings, actions.DOUBLE_DOUBLE] = drawn
    return found


def _value_after_draw(after: Floats, lost: float, chances: Floats) -> Floats:
    """Mean value after one more card, by [up, composition]."""
    following = lattice().following
    total = np.zeros((VALUES, len(following)))
    for value in range(VALUES):
        place = following[:, value]
        chance = chances[:, :, value]
        result = np.where(place >= 0, after[:, place], lost)
        total += np.where(chance > 0.0, chance * result, 0.0)
    return total


def _two_values(place: int) -> tuple[int, int]:
    values = [v for v in range(VALUES) for _ in range(int(lattice().counts[place, v]))]
    return values[0], values[1]


def draw_chances(shoe: Ints) -> Floats:
    """Probabilities of an unsplit hand's next card, by [up, composition, value].

    After a check, the down card can't be one that makes a blackjack, so those cards are more likely
    to be drawn.
    """
    places = lattice()
    found = np.zeros((VALUES, len(places.cards), VALUES))
    for up in range(VALUES):
        remaining = np.maximum(shoe - places.counts - np.eye(VALUES, dtype=np.int64)[up], 0)
        cards = remaining.sum(axis=1, keepdims=True).astype(np.float64)
        special = TEN_VALUE if up == ACE_VALUE else ACE_VALUE if up == TEN_VALUE else -1
        with np.errstate(divide="ignore", invalid="ignore"):
            if special < 0:
                chances = remaining / cards
            else:
                against = remaining[:, special : special + 1]
                others = cards - against
                chances = remaining * (others - 1.0) / (others * (cards - 1.0))
                chances[:, special] = remaining[:, special] / (cards[:, 0] - 1.0)
        found[up] = np.nan_to_num(chances, nan=0.0, posinf=0.0, neginf=0.0)
    return found


# --- Frequencies of hands ---


class Policy(NamedTuple):
    """The action for every hand; for two cards, also by the bonus hand they can still become."""

    two: Ints  # [kind, up, level, composition of two cards]
    more: Ints  # [kind, up, doublings, composition]


class Reach(NamedTuple):
    """How often each hand occurs per round, with the same indices as in `Policy`."""

    two: Floats
    more: Floats


def chart_policy(optimum: Optimum, chart: Chart) -> Policy:
    """The chart's actions, computed once per group of hands."""
    two, more = _empty_policy()
    for (kind, doublings), (groups, number) in optimum.groupings.items():
        known = number >= 0
        for up in range(VALUES):
            column = column_of(up)
            if doublings:
                preferences = [
                    chart_doubled_preferences(chart, g, column, doublings) for g in groups
                ]
            else:
                preferences = [
                    chart_preferences(chart, group, column, PLAIN, kind == UNSPLIT)
                    for group in groups
                ]
                _fill_two_cards(two, chart, groups, number, kind, up)
            taken = [first_legal_of(w, g.legal) for w, g in zip(preferences, groups, strict=True)]
            more[kind, up, doublings, known] = np.array(taken)[number[known]]
    return Policy(two, more)


def _empty_policy() -> Policy:
    return Policy(
        np.zeros((KINDS, VALUES, LEVELS, TWO_CARD_PLACES), dtype=np.int64),
        np.zeros((KINDS, VALUES, DOUBLINGS, COMPOSITIONS), dtype=np.int64),
    )


def _fill_two_cards(
    two: Ints, chart: Chart, groups: tuple[Group, ...], number: Ints, kind: int, up: int
) -> None:
    column = column_of(up)
    for place in PLACES_OF_TWO:
        group = groups[number[place]]
        for level in range(LEVELS):
            preferences = chart_preferences(chart, group, column, level, kind == UNSPLIT)
            two[kind, up, level, place] = first_legal_of(preferences, group.legal)


def best_policy(optimum: Optimum) -> Policy:
    """Best play; split hands are played like the same cards unsplit."""
    two, more = _empty_policy()
    for kind in range(KINDS):
        for doublings in range(optimum.most_doublings + 1):
            legal = optimum.game["legal"][kind, doublings]
            more[kind, :, doublings] = _first_legal(optimum.preferences[:, doublings], legal)
        legal = optimum.game["legal"][kind, 0, :TWO_CARD_PLACES, None]
        allowed = legal >> np.arange(actions.ACTIONS) & 1 == 1
        values = optimum.two_cards.values
        two[kind] = np.where(allowed & ~np.isnan(values), values, -np.inf).argmax(axis=-1)
    return Policy(two, more)


def _first_legal(preferences: Ints, legal: Ints) -> Ints:
    """The most preferred legal action of every hand; each distinct case is computed once."""
    codes = preferences << actions.ACTIONS | legal
    questions, inverse = np.unique(codes, return_inverse=True)
    everything = (1 << actions.ACTIONS) - 1
    taken = [
        first_legal(int(code) >> actions.ACTIONS, int(code) & everything) for code in questions
    ]
    found: Ints = np.array(taken, dtype=np.int64)[inverse.reshape(codes.shape)]
    return found


def reach_of(optimum: Optimum, policy: Policy) -> Reach:
    """Follow all hands through the policy, card by card.

    For split hands, the cards of the other hands count as still in the shoe. This affects only
    their weight in a cell, never a printed value.
    """
    two = np.zeros((KINDS, VALUES, LEVELS, TWO_CARD_PLACES))
    more = np.zeros((KINDS, VALUES, DOUBLINGS, COMPOSITIONS))
    two[UNSPLIT] = optimum.two_cards.chances
    for up in range(VALUES):
        for pair in range(VALUES):
            _add_split_hands(optimum, policy, up, pair, two)
    for kind in range(KINDS):
        _follow(optimum.draw_chances, policy, kind, two[kind], more[kind])
    return Reach(two, more)


def _add_split_hands(optimum: Optimum, policy: Policy, up: int, pair: int, two: Floats) -> None:
    following = lattice().following
    one = following[0, pair]
    place = following[one, pair]
    splits = policy.two[UNSPLIT, up, :, place] == actions.SPLIT
    mass = float(optimum.two_cards.chances[up, splits, place].sum())
    if mass <= 0.0:
        return
    kind = SPLIT_ACE_HAND if pair == ACE_VALUE else SPLIT_HAND
    chances = tuple(float(chance) for chance in optimum.draw_chances[up, place])
    seconds = _second_cards(chances, pair, 2, 2, int(optimum.game["hands_at_most"][pair]))
    for value, count in enumerate(seconds):
        after = following[one, value]
        shares = optimum.two_cards.chances[up, :, after].copy()
        shares[PLAIN] += shares[SUPER]  # a split forfeits the Super Bonus
        shares[SUPER] = 0.0
        total = shares.sum()
        if total > 0.0:
            two[kind, up, :, after] += mass * count * shares / total


@lru_cache(maxsize=4096)
def _second_cards(
    chances: tuple[float, ...], pair: int, waiting: int, hands: int, maximum: int
) -> tuple[float, ...]:
    """Expected number of finished hands by second card; pairs are resplit whenever allowed."""
    counts = [0.0] * VALUES
    if waiting == 0:
        return tuple(counts)
    settled = _second_cards(chances, pair, waiting - 1, hands, maximum)
    for value, chance in enumerate(chances):
        if value == pair and hands < maximum:
            further = _second_cards(chances, pair, waiting + 1, hands + 1, maximum)
        else:
            counts[value] += chance
            further = settled
        for second in range(VALUES):
            counts[second] += chance * further[second]
    return tuple(counts)


def _follow(chances: Floats, policy: Policy, kind: int, two: Floats, more: Floats) -> None:
    """Fill `more` [up, doublings, composition], starting from two cards, fewest cards first."""
    places = lattice()
    for cards in range(2, int(places.cards.max())):
        these = np.flatnonzero(places.cards == cards)
        for doublings in range(DOUBLINGS):
            if cards == 2 and doublings == 0:
                taken = policy.two[kind][:, :, these]
                mass = two[:, :, these]
                hits = (mass * (taken == actions.HIT)).sum(axis=1)
                doubles = (mass * (taken == actions.DOUBLE)).sum(axis=1)
            else:
                taken = policy.more[kind][:, doublings, these]
                mass = more[:, doublings, these]
                hits = mass * (taken == actions.HIT)
                doubles = mass * ((taken == actions.DOUBLE) | (taken == actions.DOUBLE_DOUBLE))
            _draw(chances, these, hits, more[:, 0])
            if doublings + 1 < DOUBLINGS:
                _draw(chances, these, doubles, more[:, doublings + 1])


def _draw(chances: Floats, these: Ints, mass: Floats, after: Floats) -> None:
    if not mass.any():
        return
    following = lattice().following[these]
    for value in range(VALUES):
        leads = following[:, value] >= 0
        into = following[leads, value]
        # Compositions that differ by one card of this value are distinct, so plain addition works.
        after[:, into] += mass[:, leads] * chances[:, these[leads], value]


# --- Costs of plays ---

# Hands that the strategy never reaches get a tiny weight, so they matter only if there are no
# others.
_UNMET = 1e-13
_LONGEST = 9  # higher card counts are treated as this one; no cell distinguishes them


class CellKey(NamedTuple):
    table: ChartTable
    doublings: int
    row: int  # total, or value of the pair
    column: int


class CellHands(NamedTuple):
    """Hands of one cell that its signs or the rules can distinguish."""

    cards: int
    level: int
    legal: int


Prices = dict[CellKey, dict[CellHands, Floats]]  # [action]: cost


class Losses:
    """The cost of each action of each hand, in base wagers per round.

    With `unmet`, hands that never occur also get a small weight, by the natural probability of
    their cards.
    """

    def __init__(self, optimum: Optimum, reach: Reach, unmet: bool = False) -> None:
        self.optimum = optimum
        self.reach = reach
        natural = _natural_chances(tuple(int(n) for n in optimum.game["shoe"]))
        self._natural = natural * (_UNMET if unmet else 0.0)

    def prices(self) -> Prices:
        """Costs by cell and situation."""
        found: Prices = {}
        for (kind, doublings), (groups, number) in self.optimum.groupings.items():
            if doublings:
                self._add_doubled(found, kind, doublings, groups, number)
            else:
                self._add_two_cards(found, kind, groups, number)
                self._add_more_cards(found, kind, groups, number)
        return found

    def two_cards(self, kind: int) -> Floats:
        """Losses of two-card hands, by [up, level, composition of two cards, action]."""
        values = self.optimum.two_cards.values
        legal = self.optimum.game["legal"][kind, 0, :TWO_CARD_PLACES]
        given_away = _losses_by_action(values, legal)
        if kind == UNSPLIT:
            # Hands on the same level may have different best plays, depending on their suits.
            best = self.optimum.two_cards.best[..., None]
            given_away = np.where(_allowed(legal), best - values, 0.0)
        losses: Floats = given_away * self.reach.two[kind][..., None]
        return losses

    def more_cards(self, kind: int) -> Floats:
        """Losses of undoubled hands of three or more cards, by [up, composition, action]."""
        values = np.moveaxis(self.optimum.by_action, 1, -1)
        given_away = _losses_by_action(values, self.optimum.game["legal"][kind, 0])
        mass = self.reach.more[kind][:, 0] + (self._natural if kind == UNSPLIT else 0.0)
        longer = lattice().cards > 2
        losses: Floats = given_away * (mass * longer)[..., None]
        return losses

    def doubled(self, kind: int, doublings: int) -> Floats:
        """Losses of doubled hands, by [up, composition, action]."""
        values = np.moveaxis(self.optimum.doubled_values[:, doublings], 1, -1)
        given_away = _losses_by_action(values, self.optimum.game["legal"][kind, doublings])
        mass = self.reach.more[kind][:, doublings] + (self._natural if kind == UNSPLIT else 0.0)
        losses: Floats = given_away * mass[..., None]
        return losses

    def _add_two_cards(
        self, found: Prices, kind: int, groups: tuple[Group, ...], number: Ints
    ) -> None:
        losses = self.two_cards(kind)
        mass = self.reach.two[kind]
        for place in PLACES_OF_TWO:
            group = groups[number[place]]
            if kind == UNSPLIT and group.soft and group.total == 21:
                continue  # blackjacks aren't in the cells
            for up in range(VALUES):
                for level in range(LEVELS):
                    if mass[up, level, place] > 0.0:
                        key = cell_key(group, kind, up)
                        _add(found, key, group, level, losses[up, level, place])
                if kind == UNSPLIT and group.pair:
                    self._add_unsplit_pair(found, group, up, place)

    def _add_unsplit_pair(self, found: Prices, group: Group, up: int, place: int) -> None:
        """Let a pair that can't be split decide the row of its total if no other hand does."""
        by_total = group._replace(pair=0, legal=group.legal & ~(1 << actions.SPLIT))
        values = self.optimum.two_cards.values[up, PLAIN, place]
        losses = _losses_by_action(values[None], np.array([by_total.legal]))[0]
        key = cell_key(by_total, UNSPLIT, up)
        _add(found, key, by_total, PLAIN, losses * self._natural[place])

    def _add_more_cards(
        self, found: Prices, kind: int, groups: tuple[Group, ...], number: Ints
    ) -> None:
        sums = _by_group(self.more_cards(kind), number, len(groups))
        for place, group in enumerate(groups):
            if group.cards > 2:
                for up in range(VALUES):
                    _add(found, cell_key(group, kind, up), group, PLAIN, sums[up, place])

    def _add_doubled(
        self,
        found: Prices,
        kind: int,
        doublings: int,
        groups: tuple[Group, ...],
        number: Ints,
    ) -> None:
        sums = _by_group(self.doubled(kind, doublings), number, len(groups))
        for place, group in enumerate(groups):
            for up in range(VALUES):
                _add(found, cell_key(group, kind, up, doublings), group, PLAIN, sums[up, place])


def cell_key(group: Group, kind: int, up: int, doublings: int = 0) -> CellKey:
    """The cell for a group; a split pair that can't be resplit is played by its total."""
    column = column_of(up)
    if doublings:
        table = ChartTable.DOUBLED_SOFT if group.soft else ChartTable.DOUBLED_HARD
    elif group.pair and kind == UNSPLIT:
        return CellKey(ChartTable.PAIRS, 0, group.pair, column)
    else:
        table = ChartTable.SOFT if group.soft else ChartTable.HARD
    return CellKey(table, doublings, group.total, column)


def _add(found: Prices, key: CellKey, group: Group, level: int, losses: Floats) -> None:
    situation = CellHands(min(group.cards, _LONGEST), level, group.legal)
    prices = found.setdefault(key, {})
    known = prices.get(situation)
    prices[situation] = losses.copy() if known is None else known + losses


def _allowed(legal: Ints) -> npt.NDArray[np.bool_]:
    """Whether each action is legal, by [composition, action]."""
    allowed: npt.NDArray[np.bool_] = legal[:, None] >> np.arange(actions.ACTIONS) & 1 == 1
    return allowed


def _losses_by_action(values: Floats, legal: Ints) -> Floats:
    """Best legal value minus each action's value; 0 for illegal actions."""
    allowed = _allowed(legal)
    known = np.where(allowed & ~np.isnan(values), values, -np.inf)
    best = known.max(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(known), best - known, 0.0)


def _by_group(losses: Floats, number: Ints, groups: int) -> Floats:
    """Sum losses, by [up, composition, action], over the compositions of each group."""
    sums = np.zeros((VALUES, groups, actions.ACTIONS))
    known = number >= 0
    for up in range(VALUES):
        np.add.at(sums[up], number[known], losses[up, known])
    return sums


@lru_cache(maxsize=8)
def _natural_chances(shoe: tuple[int, ...]) -> Floats:
    """Probability of drawing each composition, given its number of cards."""
    places = lattice()
    longest = int(places.cards.max())
    ways = np.ones((VALUES, longest + 1))  # ways to draw 0, 1, 2 … cards of a value
    for value in range(VALUES):
        for drawn in range(1, longest + 1):
            ways[value, drawn] = ways[value, drawn - 1] * max(shoe[value] - drawn + 1, 0) / drawn
    chances = np.ones(len(places.cards))
    for value in range(VALUES):
        chances *= ways[value, places.counts[:, value]]
    every = np.ones(longest + 1)
    for drawn in range(1, longest + 1):
        every[drawn] = every[drawn - 1] * max(sum(shoe) - drawn + 1, 1) / drawn
    return chances / every[places.cards]


# --- Charts in the solver's format ---


def chart_tables(hands: Hands, chart: Chart) -> StrategyTables:
    """Preferences by composition, and by cards if suits matter."""
    unsplit, by_level = _preferences(hands, chart, UNSPLIT)
    split, split_by_level = _preferences(hands, chart, SPLIT_HAND)
    game = hands.game
    rows, ups = int(game["pairs"]), int(game["ups"])
    suited = np.zeros((rows, ups), dtype=np.int64)
    suited_split = np.zeros((rows, ups), dtype=np.int64)
    for pair in range(rows):
        place = int(game["pair_place"][pair])
        first, second = int(game["pair_first"][pair]), int(game["pair_second"][pair])
        for row in range(ups):
            up = int(game["up_value"][row])
            level = hands.level(first, second, int(game["up_card"][row]))
            suited[pair, row] = by_level[up, level, place]
            after_split = PLAIN if level == SUPER else level
            suited_split[pair, row] = split_by_level[up, after_split, place]
    return StrategyTables(unsplit, split, suited, suited_split)


def _preferences(hands: Hands, chart: Chart, kind: int) -> tuple[Ints, Ints]:
    """Preferences by [up, doublings, composition] and by [up, level, composition of two cards]."""
    found = np.zeros((VALUES, DOUBLINGS, COMPOSITIONS), dtype=np.int64)
    by_level = np.zeros((VALUES, LEVELS, TWO_CARD_PLACES), dtype=np.int64)
    for doublings in range(hands.most_doublings + 1):
        groups, number = hands.groupings[kind, doublings]
        known = number >= 0
        for up in range(VALUES):
            column = column_of(up)
            if doublings:
                preferences = [
                    chart_doubled_preferences(chart, g, column, doublings) for g in groups
                ]
                packed = np.array([packed_preference(actions) for actions in preferences])
                found[up, doublings, known] = packed[number[known]]
                continue
            preferences = [
                chart_preferences(chart, group, column, PLAIN, kind == UNSPLIT) for group in groups
            ]
            packed = np.array([packed_preference(actions) for actions in preferences])
            found[up, 0, known] = packed[number[known]]
            for place in PLACES_OF_TWO:
                group = groups[number[place]]
                for level in range(LEVELS):
                    actions = chart_preferences(chart, group, column, level, kind == UNSPLIT)
                    by_level[up, level, place] = packed_preference(actions)
    for place in PLACES_OF_TWO:
        level = hands.level_without_suits(place)
        found[:, 0, place] = by_level[:, level, place]
    return found, by_level
