"""What two hands of a split do together: the average product of their results.

A hand's result is a sum of events: the wager is put up, it is raised, and in the end something
comes back. Each happens with certain cards in the hand, in so many orders, and comes to a fixed
amount or to one that depends on the dealer. So the product of two hands' results is a sum over
pairs of compositions, each with the chance of all these cards and the dealer's odds beside them.
No event is a bust: then nothing comes back.

Where suits count, those of different hands are taken as independent of each other.
"""

from functools import cache
from itertools import product
from math import comb
from typing import Any

import numpy as np

from ventiuna.core.actions import (
    DOUBLE,
    DOUBLE_DOUBLE,
    RESCUE,
    SPLIT,
    STAND,
    SURRENDER,
)
from ventiuna.core.payouts import compare
from ventiuna.core.preferences import first_legal
from ventiuna.kernels.exact.dealer import TOTALS, dealer_totals
from ventiuna.kernels.exact.jit import compiled_within, inlined
from ventiuna.kernels.exact.lattice import COMPOSITIONS, VALUES, Floats, Ints
from ventiuna.kernels.exact.play import blackjack_value
from ventiuna.kernels.exact.records import DOUBLINGS, GONE, MOST_HANDS
from ventiuna.kernels.exact.splits import kind_of_split
from ventiuna.kernels.jit import compiled

FIXED, ON_DEALER = 0, 1  # what an event comes to: an amount, or that times one plus win or loss
ANY_SECOND, PAIR_SECOND = 0, 1  # all events, and those of a hand whose second card is a pair card
TOGETHER = 3  # sums of products: any and any, pair and any, pair and pair
CLASSES = 6  # totals that fare alike against the dealer
_KEY_BITS = 6  # for the number of a value's cards in two hands
_SCATTER = 0x9E3779B97F4A7C1  # an odd factor that spreads the keys


@cache
def pair_weights() -> Floats:
    """How often two hands count: by hands at most, those without a pair card, and cards gone."""
    weights = np.zeros((MOST_HANDS + 1, 3, GONE))
    for most in range(2, MOST_HANDS + 1):
        for pattern in product((False, True), repeat=2 * most):
            _add_pattern(weights[most], most, pattern)
    return weights


def _add_pattern(weights: Floats, most: int, pattern: tuple[bool, ...]) -> None:
    """As in `exact_splits`: every way the second cards can fall, each once."""
    waiting, hands, used, without_pair = 2, 2, 0, 0
    while waiting and hands < most:
        if pattern[used]:
            waiting, hands = waiting + 1, hands + 1
        else:
            waiting, without_pair = waiting - 1, without_pair + 1
        used += 1
    if any(pattern[used:]):
        return
    gone = hands - 2
    for number, couples in (
        (2, comb(without_pair, 2)),
        (1, without_pair * waiting),
        (0, comb(waiting, 2)),
    ):
        others = without_pair - number
        for further in range(others + 1 if couples else 0):
            sign = -1 if further % 2 else 1
            weights[number, gone + further] += sign * couples * comb(others, further)


@compiled
def collect_events(
    game: Any,
    pair: int,
    preferences: Ints,
    second_actions: Floats,
    third_pays: Floats,
    ways: Floats,
    events: Floats,
) -> None:
    """Fill `events[second, kind, composition]` of a hand that begins with a card of the pair.

    `second_actions[value, action]` is how often each action is taken on a second card whose suit
    counts, and `third_pays[value, third]` what a third card then pays on average.
    """
    kind = kind_of_split(pair)
    one = game.following[0, pair]
    for second in range(2):
        for place in range(COMPOSITIONS):
            for doublings in range(DOUBLINGS):
                ways[doublings, place] = 0.0
            events[second, FIXED, place] = 0.0
            events[second, ON_DEALER, place] = 0.0
        start = one if second == ANY_SECOND else game.following[one, pair]
        events[second, FIXED, start] = -game.wager[0]
        for value in range(VALUES):
            if second == ANY_SECOND or value == pair:
                ways[0, game.following[one, value]] = 1.0
        for number in range(game.with_start[pair], game.with_start[pair + 1]):
            place = game.with_value[number]
            for doublings in range(game.doublings_at_most + 1):
                if ways[doublings, place] == 0.0:
                    continue
                if doublings == 0 and game.suited[place] == 1:
                    for value in range(VALUES):
                        if game.following[one, value] == place:
                            for action in range(SURRENDER + 1):
                                share = second_actions[value, action]
                                if share > 0.0:
                                    _add_event(
                                        game,
                                        kind,
                                        place,
                                        doublings,
                                        action,
                                        share * ways[0, place],
                                        third_pays[value],
                                        ways,
                                        events[second],
                                    )
                    continue
                legal = game.legal[kind, doublings, place] & ~(1 << SPLIT)
                chosen = first_legal(preferences[doublings, place], legal)
                _add_event(
                    game,
                    kind,
                    place,
                    doublings,
                    chosen,
                    ways[doublings, place],
                    third_pays[0],
                    ways,
                    events[second],
                )


@compiled_within
def _add_event(
    game: Any,
    kind: int,
    place: int,
    doublings: int,
    action: int,
    orders: float,
    third_pays: Floats,
    ways: Floats,
    events: Floats,
) -> None:
    wager = game.wager[doublings]
    if action == STAND:
        doubled = min(doublings, 1)
        if game.paid[kind, doubled, place] == 1:
            events[FIXED, place] += orders * wager * (1.0 + game.pay[kind, doubled, place])
        else:
            events[ON_DEALER, place] += orders * wager
        return
    if action == SURRENDER:
        events[FIXED, place] += orders * (wager - game.surrender_loss[doublings])
        return
    if action == RESCUE:
        events[FIXED, place] += orders * (wager - game.rescue_loss[doublings])
        return
    after = 0
    if action == DOUBLE or action == DOUBLE_DOUBLE:
        after = doublings + 1
        events[FIXED, place] -= orders * (game.wager[after] - wager)
    for value in range(game.adds[place]):
        following = game.following[place, value]
        if after == 0 and game.hidden[following] == 1:
            events[FIXED, following] += orders * (1.0 + third_pays[value])
        else:
            ways[after, following] += orders


@compiled_within
def _group_pairs(game: Any, pair: int, places: Ints, slots: Ints) -> int:
    """Give every two compositions the slot of all their cards; returns how many slots there are.

    A table of keys with open places: many pairs hold the same cards together.
    """
    size = 1
    while size < 2 * slots.shape[0] * slots.shape[0]:
        size *= 2
    keys = np.full(size, -1, dtype=np.int64)
    numbers = np.empty(size, dtype=np.int64)
    used = 0
    for first in range(places.shape[0]):
        for second in range(first, places.shape[0]):
            key = 0
            for value in range(VALUES):
                cards = game.counts[places[first], value] + game.counts[places[second], value]
                key = key << _KEY_BITS | cards
            spot = (key * _SCATTER >> 20) & (size - 1)
            while keys[spot] >= 0 and keys[spot] != key:
                spot = (spot + 1) & (size - 1)
            if keys[spot] < 0:
                keys[spot] = key
                numbers[spot] = used
                used += 1
            slots[first, second] = numbers[spot]
    return used


@inlined
def _total_class(game: Any, place: int) -> int:
    """Totals that fare alike: all below 17, then 17 to 21."""
    below: int = game.total[place] - 16
    return max(below, 0)


@compiled_within
def _gather_products(
    game: Any,
    places: Ints,
    slots: Ints,
    events: Floats,
    fixed: Floats,
    single: Floats,
    double: Floats,
) -> None:
    """Sum the events' products by slot: fixed, with one total that waits, with two."""
    for first in range(places.shape[0]):
        for second in range(first, places.shape[0]):
            slot = slots[first, second]
            one, other = places[first], places[second]
            class_one, class_other = _total_class(game, one), _total_class(game, other)
            for number in range(TOGETHER):
                for turn in range(1 if first == second else 2):
                    left = PAIR_SECOND if number > 0 and turn == 0 else ANY_SECOND
                    right = PAIR_SECOND if number > 0 and turn == 1 else ANY_SECOND
                    if number == TOGETHER - 1:
                        left, right = PAIR_SECOND, PAIR_SECOND
                    fixed_one, waits_one = events[left, FIXED, one], events[left, ON_DEALER, one]
                    fixed_other = events[right, FIXED, other]
                    waits_other = events[right, ON_DEALER, other]
                    fixed[slot, number] += fixed_one * fixed_other
                    single[slot, number, class_other] += fixed_one * waits_other
                    single[slot, number, class_one] += fixed_other * waits_one
                    double[slot, number, class_one, class_other] += waits_one * waits_other


@compiled
def products_of_split(
    game: Any,
    tree: Any,
    pair: int,
    up: int,
    weights: Floats,
    pair_chances: Floats,
    events: Floats,
    lanes: int,
) -> float:
    """Twice the sum, over every two hands of a split, of the average product of their results."""
    found = np.empty(COMPOSITIONS, dtype=np.int64)
    count = 0
    for place in range(COMPOSITIONS):
        is_met = False
        for second in range(2):
            for kind in range(2):
                if events[second, kind, place] != 0.0:
                    is_met = True
        if is_met:
            found[count] = place
            count += 1
    places = found[:count]
    slots = np.empty((count, count), dtype=np.int64)
    used = _group_pairs(game, pair, places, slots)
    fixed = np.zeros((used, TOGETHER))
    single = np.zeros((used, TOGETHER, CLASSES))
    double = np.zeros((used, TOGETHER, CLASSES, CLASSES))
    _gather_products(game, places, slots, events, fixed, single, double)
    drawn = np.empty((used, VALUES), dtype=np.int64)
    for first in range(count):
        for second in range(first, count):
            for value in range(VALUES):
                cards = game.counts[places[first], value] + game.counts[places[second], value]
                drawn[slots[first, second], value] = cards - (2 if value == pair else 0)
    total = 0.0
    all_pairs = 1.0
    sums = np.empty(TOGETHER)
    most = game.hands_at_most[pair]
    for gone in range(GONE):
        needed = False
        for number in range(3):
            if weights[most, number, gone] != 0.0:
                needed = True
        if needed and all_pairs > 0.0:
            _sum_products(game, tree, pair, up, gone, drawn, fixed, single, double, lanes, sums)
            one_without = sums[0] - sums[1]
            both_without = sums[0] - 2.0 * sums[1] + sums[2]
            total += all_pairs * weights[most, 0, gone] * sums[0]
            total += all_pairs * weights[most, 1, gone] * one_without
            total += all_pairs * weights[most, 2, gone] * both_without
        all_pairs *= pair_chances[gone]
    return 2.0 * total


@compiled_within
def _sum_products(
    game: Any,
    tree: Any,
    pair: int,
    up: int,
    gone: int,
    drawn: Ints,
    fixed: Floats,
    single: Floats,
    double: Floats,
    lanes: int,
    sums: Floats,
) -> None:
    """Fill `sums`: products of two hands of the pair, so many further pair cards gone."""
    unseen = np.empty(VALUES, dtype=np.int64)
    for value in range(VALUES):
        unseen[value] = game.shoe[value]
    unseen[up] -= 1
    unseen[pair] -= gone + 2
    shoes = np.empty(drawn.shape, dtype=np.int64)
    for slot in range(drawn.shape[0]):
        for value in range(VALUES):
            shoes[slot, value] = unseen[value] - drawn[slot, value]
        shoes[slot, up] += 1
    chances = np.zeros((drawn.shape[0], VALUES, TOTALS))
    dealer_totals(tree, shoes, chances, lanes)
    back = np.empty((CLASSES, TOTALS + 1))
    for kind in range(CLASSES):
        for number in range(TOTALS + 1):
            dealer = 17 + number if number < TOTALS else 22
            back[kind, number] = 1.0 + compare(16 + kind, dealer)
    for number in range(TOGETHER):
        sums[number] = 0.0
    for slot in range(drawn.shape[0]):
        weight = _sequence_chance(unseen, drawn[slot], up)
        if weight == 0.0:
            continue
        for number in range(TOGETHER):
            sums[number] += weight * fixed[slot, number]
        bust = 1.0
        for dealer in range(TOTALS + 1):
            chance = chances[slot, up, dealer] if dealer < TOTALS else bust
            bust -= chance
            for one in range(CLASSES):
                share = weight * chance * back[one, dealer]
                if share == 0.0:
                    continue
                for number in range(TOGETHER):
                    value = single[slot, number, one]
                    for other in range(CLASSES):
                        value += double[slot, number, one, other] * back[other, dealer]
                    sums[number] += share * value


@compiled_within
def _sequence_chance(unseen: Ints, drawn: Ints, up: int) -> float:
    """Chance that given cards of the stock are these, in a given order."""
    cards, taken = 0, 0
    chance = 1.0
    for value in range(VALUES):
        cards += unseen[value]
        taken += drawn[value]
        for number in range(drawn[value]):
            chance *= max(unseen[value] - number, 0)
    special = blackjack_value(up)
    if special >= 0:
        # The down card is none of the special ones, nor any of those drawn.
        others = cards - unseen[special]
        if others < 1:
            return 0.0
        chance *= max(others - (taken - drawn[special]), 0) / others
        cards -= 1
    for number in range(taken):
        if cards <= number:
            return 0.0
        chance /= cards - number
    return chance
