"""Split hands, exactly.

Let the play of a split hand be a function of its own cards and the up card. Then the value of a
split is the sum over its hands, and for one hand a card that lies in another is no different
from one still in the shoe, with one exception: whether the other's second card was a pair card
and was split again. "No pair card" is one less "a pair card", so inclusion and exclusion leave
only hands played against shoes with a number of further pair cards gone. Three figures of each
such shoe are needed: the chance of a pair card, the value of a hand with any second card, and
of one whose second card is a pair card it may not split.
"""

from functools import cache
from itertools import product
from math import comb
from typing import Any

import numpy as np

from ventiuna.core.actions import DOUBLE, DOUBLE_DOUBLE, HIT, SPLIT, STAND
from ventiuna.core.preferences import first_legal
from ventiuna.kernels.exact.jit import compiled_within, inlined
from ventiuna.kernels.exact.lattice import ACE_VALUE, BUST, COMPOSITIONS, VALUES, Floats, Ints
from ventiuna.kernels.exact.play import (
    DRAWABLE,
    compared_value,
    decided_chance,
    next_card_chances,
    play_hands,
)
from ventiuna.kernels.exact.records import (
    ANY_CARD,
    DEALT,
    GONE,
    LATER,
    MONEY,
    MOST_HANDS,
    NO_PAIR,
    SPLIT_ACE_HAND,
    SPLIT_HAND,
    SQUARE,
    VALUE,
)
from ventiuna.kernels.jit import compiled


@cache
def split_weights() -> Floats:
    """How often each sort of hand counts: by hands at most, dealt or later, second card, gone."""
    weights = np.zeros((MOST_HANDS + 1, 2, 2, GONE))
    for hands in range(2, MOST_HANDS + 1):
        _add_weights(weights[hands], hands)
    return weights


def _add_weights(weights: Floats, most: int) -> None:
    """Every way the second cards can fall, hand after hand, told by pair card or not."""
    for pattern in product((False, True), repeat=2 * most):
        waiting = [DEALT, DEALT]
        hands, used = 2, 0
        without_pair: list[int] = []
        while waiting and hands < most:
            if pattern[used]:
                waiting.insert(1, LATER)  # the new hand comes after the one it was split from
                hands += 1
            else:
                without_pair.append(waiting.pop(0))
            used += 1
        if not any(pattern[used:]):  # each way once: patterns differ in what was not used
            _add_pattern(weights, hands - 2, without_pair, waiting)


def _add_pattern(weights: Floats, gone: int, without_pair: list[int], free: list[int]) -> None:
    """`gone` cards are pair cards; `without_pair` hands got none, `free` hands get any card."""
    for hands, second, others in (
        (without_pair, NO_PAIR, len(without_pair) - 1),
        (free, ANY_CARD, len(without_pair)),
    ):
        for source in hands:
            for further in range(others + 1):
                sign = -1 if further % 2 else 1
                weights[source, second, gone + further] += sign * comb(others, further)


@compiled_within
def kind_of_split(pair: int) -> int:
    return SPLIT_ACE_HAND if pair == ACE_VALUE else SPLIT_HAND


@inlined
def shoes_with_cards_gone(game: Any, pair: int) -> int:
    """How many numbers of further pair cards gone, from none, can come in question."""
    count: int = max(min(2 * game.hands_at_most[pair] - 3, game.shoe[pair] - 1), 0)
    return count


@inlined
def is_splittable(game: Any, pair: int, up: int) -> bool:
    """Can this pair be dealt against this up card?"""
    pair_cards: int = game.shoe[pair] - (1 if pair == up else 0)
    return game.shoe[up] > 0 and pair_cards > 1


@compiled
def plan_splits(game: Any, ups: Ints, pairs: Ints, strategy: Any, splits: Any) -> None:
    """Find what split hands meet, for all pairs and up cards."""
    for pair in pairs:
        table = pair if strategy.by_pair == 1 else 0
        for place in range(COMPOSITIONS):
            splits.waits[pair, place] = 0
        for up in ups:
            _find_met_hands(game, pair, up, strategy.preferences[table, up], splits)


@compiled_within
def _find_met_hands(game: Any, pair: int, up: int, preferences: Ints, splits: Any) -> None:
    """Which compositions split hands come to."""
    kind = kind_of_split(pair)
    for place in range(COMPOSITIONS):
        splits.met[pair, up, place] = 0
    for value in range(VALUES):
        splits.met[pair, up, game.following[game.following[0, pair], value]] = 1
    for number in range(game.with_start[pair], game.with_start[pair + 1]):
        place = game.with_value[number]
        met = splits.met[pair, up, place]
        by_suits = game.suited[place] == 1 or game.hidden[place] == 1
        for doublings in range(game.doublings_at_most + 1):
            if met >> doublings & 1 == 0:
                continue
            legal = game.legal[kind, doublings, place] & ~(1 << SPLIT)
            if doublings > 0 or not by_suits:
                legal = 1 << first_legal(preferences[doublings, place], legal)
            if legal >> STAND & 1 == 1 and game.paid[kind, min(doublings, 1), place] == 0:
                splits.waits[pair, place] = 1
            after = 1 if legal >> HIT & 1 == 1 else 0
            if legal & (1 << DOUBLE | 1 << DOUBLE_DOUBLE) != 0:
                after |= 1 << (doublings + 1)
            if after != 0:
                for value in range(game.adds[place]):
                    splits.met[pair, up, game.following[place, value]] |= after


@compiled
def place_shoes(
    game: Any, pairs: Ints, gone_at_most: int, splits: Any, shoes: Ints, scratch: Any
) -> int:
    """Give every hand that waits a slot of the dealer's chances; returns how many are new.

    A hand with further pair cards gone meets the same shoe as a larger composition. Slots up to
    the number of compositions are theirs; the rest are shoes that only split hands meet.
    """
    used = 0
    for pair in pairs:
        for place in range(COMPOSITIONS):
            for over in range(GONE + 1):
                scratch.slots[place, over] = -1
        for gone in range(GONE):
            for place in range(COMPOSITIONS):
                splits.slots[pair, gone, place] = -1
        for number in range(game.with_start[pair], game.with_start[pair + 1]):
            place = game.with_value[number]
            if splits.waits[pair, place] == 0:
                continue
            for gone in range(min(gone_at_most, shoes_with_cards_gone(game, pair))):
                larger, over = place, gone + 1
                while over > 0 and game.following[larger, pair] != BUST:
                    larger = game.following[larger, pair]
                    over -= 1
                if over == 0:
                    splits.slots[pair, gone, place] = larger
                    continue
                if scratch.slots[larger, over] < 0:
                    for value in range(VALUES):
                        shoes[used, value] = game.shoe[value] - game.counts[larger, value]
                    shoes[used, pair] -= over
                    scratch.slots[larger, over] = COMPOSITIONS + used
                    used += 1
                splits.slots[pair, gone, place] = scratch.slots[larger, over]
    return used


@compiled_within
def play_split_hands(
    game: Any,
    pair: int,
    up: int,
    gone_at_most: int,
    strategy: Any,
    base: Floats,
    further: Floats,
    splits: Any,
    played: Any,
    scratch: Any,
) -> int:
    """Play one hand of the pair against each shoe; returns for how many there are cards.

    Rows of `played` are numbers of further pair cards gone.
    """
    optimise = strategy.optimise == 1
    preferences = strategy.preferences[pair if strategy.by_pair == 1 else 0, up]
    count = 0
    for number in range(game.with_start[pair], game.with_start[pair + 1]):
        place = game.with_value[number]
        if optimise or splits.met[pair, up, place] != 0:
            scratch.places[count] = place
            count += 1
    places = scratch.places[:count]
    shoe = scratch.shoe[0]
    for value in range(VALUES):
        shoe[value] = game.shoe[value]
    shoe[up] -= 1
    one = game.following[0, pair]
    for gone in range(gone_at_most):
        shoe[pair] -= 1
        if next_card_chances(game, one, shoe, up, scratch.second_chances[gone]) != DRAWABLE:
            return gone
        _fill_compared(game, places, pair, gone, up, base, further, splits, scratch)
        play_hands(
            game,
            kind_of_split(pair),
            shoe,
            up,
            places,
            scratch.compared,
            optimise,
            preferences,
            played,
            gone,
        )
        for value in range(VALUES):
            scratch.gone_shoes[gone, value] = shoe[value]
    return gone_at_most


@compiled_within
def _fill_compared(
    game: Any,
    places: Ints,
    pair: int,
    gone: int,
    up: int,
    base: Floats,
    further: Floats,
    splits: Any,
    scratch: Any,
) -> None:
    """Value of waiting for the dealer, of those that do."""
    for number in range(places.shape[0]):
        place = places[number]
        slot = splits.slots[pair, gone, place]
        total = game.total[place]
        if slot < 0:
            scratch.compared[0, place] = 0.0
            scratch.compared[1, place] = 0.0
        elif slot < COMPOSITIONS:
            scratch.compared[0, place] = compared_value(total, base, up, slot)
            scratch.compared[1, place] = decided_chance(total, base, up, slot)
        else:
            rest = slot - COMPOSITIONS
            scratch.compared[0, place] = compared_value(total, further, up, rest)
            scratch.compared[1, place] = decided_chance(total, further, up, rest)


@compiled_within
def total_of_split(game: Any, pair: int, available: int, figure: int, scratch: Any) -> float:
    """Sum over hands of their value, of the money wagered on them, or of their squares."""
    most = game.hands_at_most[pair]
    total = 0.0
    all_pairs = 1.0  # chance that so many given cards are pair cards
    for gone in range(GONE):
        if all_pairs == 0.0 or gone >= available:
            break
        for source in range(2):
            no_pair = game.weights[most, source, NO_PAIR, gone]
            any_second = game.weights[most, source, ANY_CARD, gone]
            if no_pair == 0.0 and any_second == 0.0:
                continue
            value = scratch.any_card[figure, source, gone]
            total += all_pairs * any_second * value
            value -= scratch.pair_chances[gone] * scratch.pair_card[figure, source, gone]
            total += all_pairs * no_pair * value
        all_pairs *= scratch.pair_chances[gone]
    return total


@compiled_within
def split_by_composition(game: Any, pair: int, available: int, played: Any, scratch: Any) -> None:
    """Fill the hands' values of a split in which no suit counts."""
    one = game.following[0, pair]
    for gone in range(available):
        value = 0.0
        money = 0.0
        square = 0.0
        for second in range(VALUES):
            place = game.following[one, second]
            chance = scratch.second_chances[gone, second]
            if chance > 0.0:
                value += chance * played.values[gone, 0, place]
                money += chance * played.wagered[gone, 0, place]
                square += chance * played.squares[gone, 0, place]
        place = game.following[one, pair]
        scratch.pair_chances[gone] = scratch.second_chances[gone, pair]
        for source in range(2):
            scratch.any_card[VALUE, source, gone] = value
            scratch.any_card[MONEY, source, gone] = money
            scratch.any_card[SQUARE, source, gone] = square
            scratch.pair_card[VALUE, source, gone] = played.values[gone, 0, place]
            scratch.pair_card[MONEY, source, gone] = played.wagered[gone, 0, place]
            scratch.pair_card[SQUARE, source, gone] = played.squares[gone, 0, place]
