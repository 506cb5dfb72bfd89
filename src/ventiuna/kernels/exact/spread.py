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
from ventiuna.kernels.exact.dealer import TOTALS
from ventiuna.kernels.exact.lattice import COMPOSITIONS, VALUES, Floats, Ints
from ventiuna.kernels.exact.play import blackjack_value
from ventiuna.kernels.exact.records import DOUBLINGS, GONE, MOST_HANDS, Game
from ventiuna.kernels.exact.splits import kind_of_split
from ventiuna.kernels.jit import compiled, compiled_within

FIXED, ON_DEALER = 0, 1  # what an event comes to: an amount, or that times one plus win or loss
ANY_SECOND, PAIR_SECOND = 0, 1  # all events, and those of a hand whose second card is a pair card
TOGETHER = 3  # sums of products: any and any, pair and any, pair and pair
OUTCOMES = TOTALS + 1  # of the dealer's hand: 17 to 21, bust
KEY_BITS = 6  # for the number of a value's cards in two hands
_MOST_CARDS = 1 << KEY_BITS  # more than two hands hold
_SMALLEST_TABLE = 1 << 14
_LOWEST_TOTAL, _BUST_TOTAL = 17, 22
_SCATTER = 0x1E3779B97F4A7C15  # an odd factor that spreads the keys
_HIGH_BITS = 40  # of the product: only high ones depend on all of the key


@cache
def pair_weights() -> Floats:
    """How often two hands count: by hands at most, those without a pair card, and cards gone."""
    weights = np.zeros((MOST_HANDS + 1, 3, GONE))
    for most in range(2, MOST_HANDS + 1):
        for pattern in product((False, True), repeat=2 * most):
            _add_pattern(weights[most], most, pattern)
    return weights


def _add_pattern(weights: Floats, most: int, pattern: tuple[bool, ...]) -> None:
    """As in `splits`: every way the second cards can fall, each once."""
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
    game: Game,
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
    game: Game,
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


@compiled
def group_pairs(game: Game, places: Ints, slots: Ints, keys: Ints) -> int:
    """Give every two compositions the slot of all their cards; returns how many slots there are.

    A table of keys with open places: many pairs hold the same cards together. `keys` has room for
    all of them and gets the slots' own, one after the other.
    """
    size = _SMALLEST_TABLE
    numbers = np.full(size, -1, dtype=np.int64)
    packed = np.zeros(places.shape[0], dtype=np.int64)
    for number in range(places.shape[0]):
        for value in range(VALUES):
            packed[number] = packed[number] << KEY_BITS | game.counts[places[number], value]
    used = 0
    for first in range(places.shape[0]):
        for second in range(first, places.shape[0]):
            key = packed[first] + packed[second]
            spot = _spot_of(key, numbers, keys)
            if numbers[spot] < 0:
                if 2 * used >= size:
                    size *= 4
                    numbers = np.full(size, -1, dtype=np.int64)
                    for number in range(used):
                        numbers[_spot_of(keys[number], numbers, keys)] = number
                    spot = _spot_of(key, numbers, keys)
                numbers[spot] = used
                keys[used] = key
                used += 1
            slots[first, second] = numbers[spot]
    return used


@compiled_within
def _spot_of(key: int, numbers: Ints, keys: Ints) -> int:
    """Where the table has this key, or an open place for it."""
    size: int = numbers.shape[0]
    spot: int = (key * _SCATTER >> _HIGH_BITS) & (size - 1)
    while numbers[spot] >= 0 and keys[numbers[spot]] != key:
        spot = (spot + 1) & (size - 1)
    return spot


@compiled
def gather_products(
    game: Game, places: Ints, slots: Ints, events: Floats, products: Floats
) -> None:
    """Sum what two hands' events come to together: `products[slot, together, dealer's total]`."""
    results = np.empty((places.shape[0], 2, OUTCOMES))
    for number in range(places.shape[0]):
        place = places[number]
        for second in range(2):
            for outcome in range(OUTCOMES):
                dealer = _LOWEST_TOTAL + outcome if outcome < TOTALS else _BUST_TOTAL
                back = 1.0 + compare(max(game.total[place], _LOWEST_TOTAL - 1), dealer)
                fixed, waits = events[second, FIXED, place], events[second, ON_DEALER, place]
                results[number, second, outcome] = fixed + waits * back
    for first in range(places.shape[0]):
        for second in range(first, places.shape[0]):
            into = products[slots[first, second]]
            one, other = results[first], results[second]
            turns = 1.0 if first == second else 2.0
            for outcome in range(OUTCOMES):
                any_one, pair_one = one[ANY_SECOND, outcome], one[PAIR_SECOND, outcome]
                any_other, pair_other = other[ANY_SECOND, outcome], other[PAIR_SECOND, outcome]
                mixed = pair_one * any_other
                if first != second:
                    mixed += any_one * pair_other
                into[0, outcome] += turns * any_one * any_other
                into[1, outcome] += mixed
                into[2, outcome] += turns * pair_one * pair_other


@compiled
def sum_products(
    unseen: Ints,
    drawn: Ints,
    up: int,
    beside: Ints,
    chances: Floats,
    products: Floats,
    sums: Floats,
) -> None:
    """Fill `sums` with the average products; `beside[slot]`: where the dealer's chances stand."""
    any_any, pair_any, pair_pair = 0.0, 0.0, 0.0
    falling, per_order = np.empty((VALUES, _MOST_CARDS)), np.empty(_MOST_CARDS)
    _fill_factors(unseen, up, falling, per_order)
    for slot in range(drawn.shape[0]):
        weight = _sequence_chance(unseen, drawn[slot], up, falling, per_order)
        if weight == 0.0:
            continue
        found = chances[beside[slot], up]
        bust = 1.0
        for outcome in range(OUTCOMES):
            chance = found[outcome] if outcome < TOTALS else bust
            bust -= chance
            any_any += weight * chance * products[slot, 0, outcome]
            pair_any += weight * chance * products[slot, 1, outcome]
            pair_pair += weight * chance * products[slot, 2, outcome]
    sums[0], sums[1], sums[2] = any_any, pair_any, pair_pair


@compiled_within
def _fill_factors(unseen: Ints, up: int, falling: Floats, per_order: Floats) -> None:
    """Falling factorials of the unseen counts, and one over those of the cards to be drawn."""
    cards = 0
    for value in range(VALUES):
        cards += unseen[value]
        falling[value, 0] = 1.0
        for number in range(falling.shape[1] - 1):
            left = max(unseen[value] - number, 0)
            falling[value, number + 1] = falling[value, number] * left
    if blackjack_value(up) >= 0:
        cards -= 1  # the down card is known to be none that makes a blackjack
    per_order[0] = 1.0
    for number in range(per_order.shape[0] - 1):
        per_order[number + 1] = per_order[number] / (cards - number) if cards > number else 0.0


@compiled_within
def _sequence_chance(
    unseen: Ints, drawn: Ints, up: int, falling: Floats, per_order: Floats
) -> float:
    """Chance that given cards of the stock are these, in a given order."""
    cards, taken = 0, 0
    chance = 1.0
    for value in range(VALUES):
        cards += unseen[value]
        taken += drawn[value]
        chance *= falling[value, drawn[value]]
    special = blackjack_value(up)
    if special >= 0:
        # The down card is none of the special ones, nor any of those drawn.
        others = cards - unseen[special]
        if others < 1:
            return 0.0
        chance *= max(others - (taken - drawn[special]), 0) / others
    in_order: float = chance * per_order[taken]
    return in_order
