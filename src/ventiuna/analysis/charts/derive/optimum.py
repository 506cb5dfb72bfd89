"""The best play as a chart needs it: what each action of each hand gives away against it."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ventiuna.analysis.base_game.solve import FIRST_PLACE, TWO_CARD_PLACES, Solution
from ventiuna.analysis.charts.derive.groups import (
    LEVELS,
    MIXED_678,
    PLAIN,
    SPADES_678,
    SUITED_678,
    SUPER,
    Grouping,
    grouping,
)
from ventiuna.core import actions
from ventiuna.core.cards import SPADES, card_of_value, rank_of, suit_of, value_of
from ventiuna.core.hand import EMPTY_HAND, Hand, add_card
from ventiuna.core.super_bonus import may_become_super_bonus, super_bonus_pay
from ventiuna.core.table import RuleTable
from ventiuna.kernels.exact.lattice import ACE_VALUE, TEN_VALUE, VALUES, Floats, Ints, lattice
from ventiuna.kernels.exact.records import DOUBLINGS, KINDS, UNSPLIT
from ventiuna.strategy.bonuses import is_part_of_678, is_part_of_suited_678, suits_of_678

# Compositions of two cards come first, so tables of them need no more rows.
PLACES_OF_TWO = range(FIRST_PLACE, TWO_CARD_PLACES)


class TwoCards(NamedTuple):
    """Hands as dealt, after the dealer's check, by what they may still become."""

    chances: Floats  # [up, level, composition of two cards]
    values: Floats  # [up, level, composition of two cards, action]: mean
    best: Floats  # [up, level, composition of two cards]: mean of the best actions


class Hands:
    """All hands under given rules, grouped as a chart sees them."""

    def __init__(self, table: RuleTable, game: Any, base: int | None) -> None:
        self.table = table
        self.game = game
        self.most_doublings = int(game["doublings_at_most"])
        self._may_win_super = base is not None and super_bonus_pay(table, base) > 0
        self._pays_678 = bool(suits_of_678(table))

    @cached_property
    def groupings(self) -> dict[tuple[int, int], Grouping]:
        """By kind of hand and doublings."""
        return {
            (kind, doublings): grouping(self.game["legal"][kind, doublings], doublings > 0)
            for kind in range(KINDS)
            for doublings in range(self.most_doublings + 1)
        }

    def level(self, first: int, second: int, up_card: int) -> int:
        """What two cards against this up card may still become."""
        hand = add_card(add_card(EMPTY_HAND, first), second)
        if self._may_win_super and may_become_super_bonus(self.table, hand, up_card):
            return SUPER
        if is_part_of_suited_678(self.table, hand):
            return SPADES_678 if suit_of(first) == SPADES else SUITED_678
        return self._level_of_any_suits(hand)

    def level_without_suits(self, place: int) -> int:
        """For hands that are not told apart by suits."""
        first, second = (card_of_value(value + 1) for value in _two_values(place))
        return self._level_of_any_suits(add_card(add_card(EMPTY_HAND, first), second))

    def _level_of_any_suits(self, hand: Hand) -> int:
        return MIXED_678 if self._pays_678 and is_part_of_678(hand) else PLAIN


def _known_values(solution: Solution) -> Floats:
    """[up, action, composition] of undoubled hands, NaN for actions that are not legal.

    The kernels leave those unset. Some are legal once the hand is split: a split A-10 may be
    doubled where a blackjack may not. A stand is always known.
    """
    legal = solution.game["legal"][UNSPLIT, 0]
    allowed = legal >> np.arange(actions.ACTIONS)[:, None] & 1 == 1
    allowed[actions.STAND] = True
    return np.where(allowed, solution.plays["by_action"], np.nan)


class Optimum(Hands):
    """The same with what each is worth under the best play."""

    def __init__(self, table: RuleTable, solution: Solution, base: int | None) -> None:
        super().__init__(table, solution.game, base)
        self.values: Floats = solution.plays["values"]
        self.by_action = _known_values(solution)
        self.preferences: Ints = solution.plays["preferences"]
        self._suited = solution.suited

    @cached_property
    def draw_chances(self) -> Floats:
        """[up, composition, value]: of an unsplit hand's next card."""
        return draw_chances(self.game["shoe"])

    @cached_property
    def doubled_values(self) -> Floats:
        """[up, doublings, action, composition] of doubled hands."""
        return doubled_values(
            self.game, self.by_action[:, actions.STAND], self.values, self.draw_chances
        )

    # --- two cards ------------------------------------------------------------------------------

    @cached_property
    def two_cards(self) -> TwoCards:
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
        return TwoCards(chances, values, best)

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
        told = game["by_card"][:TWO_CARD_PLACES] == 1
        shares = chances[:, :, told]
        known = shares > 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            best[:, :, told] = np.where(known, best[:, :, told] / shares, 0.0)
            values[:, :, told] = np.where(
                known[..., None], values[:, :, told] / shares[..., None], 0.0
            )

    def _card_values(self, pair: int, row: int, place: int) -> Floats:
        """By action, NaN for those that are not legal; a pair of ten-valued cards that may not
        be split does its next best."""
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
        """Chance of this deal against up cards of this row, and no dealer blackjack."""
        game = self.game
        up_card = int(game["up_card"][row])
        left = game["composition"].copy()
        left[up_card] -= 1
        ways = left[first] * (left[second] - 1 if first == second else 2 * left[second])
        if ways <= 0:
            return 0.0
        cards = float(game["shoe"].sum())
        deal = game["up_count"][row] * ways / (cards * (cards - 1.0) * (cards - 2.0))
        return float(deal * (1.0 - self._check_chance(value_of(up_card) - 1, place)))

    def _check_chance(self, up: int, place: int) -> float:
        """Chance that the dealer's check finds a blackjack."""
        special = TEN_VALUE if up == ACE_VALUE else ACE_VALUE if up == TEN_VALUE else -1
        if special < 0:
            return 0.0
        left = self.game["shoe"] - lattice().counts[place]
        left[up] -= 1
        return float(left[special] / left.sum())


def doubled_values(game: Any, stand: Floats, values: Floats, chances: Floats) -> Floats:
    """[up, doublings, action, composition] of doubled hands.

    `stand` [up, composition] is what an undoubled hand gets that stands, `values` [up, doublings,
    composition] are those of the actions taken, `chances` those of the next card.
    """
    most = int(game["doublings_at_most"])
    found = np.full((VALUES, DOUBLINGS, actions.ACTIONS, len(lattice().cards)), np.nan)
    waiting = np.where(game["paid"][UNSPLIT, 0] == 0, stand, np.nan)
    paid = game["paid"][UNSPLIT, 1] == 1
    result = np.where(paid, game["pay"][UNSPLIT, 1], waiting)
    for doublings in range(1, most + 1):
        found[:, doublings, actions.STAND] = game["wager"][doublings] * result
        found[:, doublings, actions.SURRENDER] = -game["surrender_loss"][doublings]
        found[:, doublings, actions.RESCUE] = -game["rescue_loss"][doublings]
        if doublings < most:
            lost = -game["wager"][doublings + 1]
            drawn = _drawn(values[:, doublings + 1], lost, chances)
            found[:, doublings, actions.DOUBLE_DOUBLE] = drawn
    return found


def _drawn(after: Floats, lost: float, chances: Floats) -> Floats:
    """[up, composition]: mean value behind one more card."""
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
    """[up, composition, value]: of an unsplit hand's next card.

    After a check the down card is none that makes a blackjack, so those come more often.
    """
    places = lattice()
    found = np.zeros((VALUES, len(places.cards), VALUES))
    for up in range(VALUES):
        left = np.maximum(shoe - places.counts - np.eye(VALUES, dtype=np.int64)[up], 0)
        cards = left.sum(axis=1, keepdims=True).astype(np.float64)
        special = TEN_VALUE if up == ACE_VALUE else ACE_VALUE if up == TEN_VALUE else -1
        with np.errstate(divide="ignore", invalid="ignore"):
            if special < 0:
                chances = left / cards
            else:
                against = left[:, special : special + 1]
                others = cards - against
                chances = left * (others - 1.0) / (others * (cards - 1.0))
                chances[:, special] = left[:, special] / (cards[:, 0] - 1.0)
        found[up] = np.nan_to_num(chances, nan=0.0, posinf=0.0, neginf=0.0)
    return found
