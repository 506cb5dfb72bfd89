"""The dealer's final totals, for many shoes at once.

The chance that the dealer ends with given cards depends on their order only through how many
orders the rules of drawing allow. So the distinct final hands are listed once, each with its
number of allowed orders by up card, and sorted into a tree: hands that begin alike share their
products of falling factorials. A pass walks the tree for a batch of shoes side by side. Busts
are what is left over.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ventiuna.core.dealer import dealer_draws
from ventiuna.core.hand import best_total
from ventiuna.core.table import RuleTable
from ventiuna.kernels.exact.jit import compiled_within
from ventiuna.kernels.exact.lattice import (
    ACE_VALUE,
    BUST,
    TEN_VALUE,
    VALUES,
    Floats,
    Ints,
    lattice,
)
from ventiuna.kernels.jit import compiled

TOTALS = 5  # 17 to 21; a bust is the rest
LANES = 64  # shoes side by side
_DEEPEST = 24  # more than the cards of any dealer's hand
_LOWEST_TOTAL = 17


class DealerTree(NamedTuple):
    """Nodes in the order of a walk; each multiplies its parent's product by one factor."""

    parent_level: Ints
    factor: Ints  # which falling factorial
    drawn: Ints  # cards beside the up card where a final hand ends, else 0
    first_entry: Ints  # into the two below; one more than nodes
    entry_slot: Ints  # up card and total
    entry_orders: Floats
    most: Ints  # of each value in any hand
    ups: Ints  # 1 for each value that is an up card here


@cache
def dealer_tree(rules: RuleTable, up: int | None = None) -> DealerTree:
    """The tree of all up cards, or of one."""
    ups = list(range(VALUES)) if up is None else [up]
    orders = {value: _orders(rules, value) for value in ups}
    places = lattice()
    finals = [
        (tuple(int(count) for count in places.counts[place]), place)
        for place in range(len(places.cards))
        if any(orders[value][place] for value in ups) and not _draws(rules, place)
    ]
    return _tree(finals, ups, orders)


def _draws(rules: RuleTable, place: int) -> bool:
    places = lattice()
    hard, aces = int(places.hard[place]), int(places.counts[place, ACE_VALUE])
    return dealer_draws(rules, hard, aces)


def _orders(rules: RuleTable, up: int) -> list[int]:
    """By composition: in how many orders the dealer comes to it from this up card."""
    places = lattice()
    orders = [0] * len(places.cards)
    orders[int(places.following[0, up])] = 1
    for place, ways in enumerate(orders):
        if ways == 0 or not _draws(rules, place):
            continue
        for value in range(VALUES):
            after = int(places.following[place, value])
            is_blackjack = places.cards[place] == 1 and {up, value} == {ACE_VALUE, TEN_VALUE}
            if after != BUST and not is_blackjack:
                orders[after] += ways
    return orders


@cache
def dealer_wants_a_card(rules: RuleTable, up: int) -> tuple[bool, ...]:
    """By composition: the dealer may come to it from this up card, and draws."""
    orders = _orders(rules, up)
    return tuple(ways > 0 and _draws(rules, place) for place, ways in enumerate(orders))


def _tree(
    finals: list[tuple[tuple[int, ...], int]], ups: list[int], orders: dict[int, list[int]]
) -> DealerTree:
    places = lattice()
    rows: list[tuple[int, int, int, int]] = []
    entries: list[tuple[int, int]] = []
    most = np.zeros(VALUES, dtype=np.int64)
    path: list[tuple[int, int]] = []
    # High values first: few hands hold many of them, so branches part late.
    for counts, place in sorted((c[::-1], p) for c, p in finals):
        steps = [(VALUES - 1 - at, count) for at, count in enumerate(counts) if count]
        shared = 0
        while shared < min(len(path), len(steps) - 1) and path[shared] == steps[shared]:
            shared += 1
        for level in range(shared, len(steps)):
            value, count = steps[level]
            rows.append((level, value * _DEEPEST + count, 0, len(entries)))
            most[value] = max(most[value], count)
        path = steps
        level, factor, *_ = rows[-1]
        rows[-1] = (level, factor, int(places.cards[place]) - 1, len(entries))
        total = best_total(int(places.hard[place]), int(places.counts[place, ACE_VALUE]))
        entries += [
            (up * TOTALS + total - _LOWEST_TOTAL, orders[up][place])
            for up in ups
            if orders[up][place]
        ]
    table = np.array(rows, dtype=np.int64)
    return DealerTree(
        parent_level=np.ascontiguousarray(table[:, 0]),
        factor=np.ascontiguousarray(table[:, 1]),
        drawn=np.ascontiguousarray(table[:, 2]),
        first_entry=np.append(table[:, 3], len(entries)),
        entry_slot=np.array([slot for slot, _ in entries], dtype=np.int64),
        entry_orders=np.array([float(ways) for _, ways in entries]),
        most=most,
        ups=np.array([int(value in ups) for value in range(VALUES)], dtype=np.int64),
    )


@compiled
def dealer_totals(tree: Any, shoes: Ints, chances: Floats, lanes: int) -> None:
    """Fill `chances[shoe, up, total]` for shoes of counts by value, the up card still inside.

    The number of lanes is an argument so that loops over them are compiled to vectors.
    """
    falling = np.empty((VALUES * _DEEPEST, lanes))
    products = np.empty((VALUES + 2, lanes))
    per_order = np.empty((_DEEPEST, lanes))
    sums = np.empty((VALUES * TOTALS, lanes))
    weight = np.empty(lanes)
    for start in range(0, shoes.shape[0], lanes):
        used = min(lanes, shoes.shape[0] - start)
        _prepare_batch(tree, shoes, start, used, lanes, falling, per_order)
        for slot in range(VALUES * TOTALS):
            for lane in range(lanes):
                sums[slot, lane] = 0.0
        for lane in range(lanes):
            products[0, lane] = 1.0
        for node in range(tree.factor.shape[0]):
            level = tree.parent_level[node]
            before, after = products[level], products[level + 1]
            factor = falling[tree.factor[node]]
            for lane in range(lanes):
                after[lane] = before[lane] * factor[lane]
            if tree.drawn[node] > 0:
                share = per_order[tree.drawn[node]]
                for lane in range(lanes):
                    weight[lane] = after[lane] * share[lane]
                for entry in range(tree.first_entry[node], tree.first_entry[node + 1]):
                    into = sums[tree.entry_slot[entry]]
                    orders = tree.entry_orders[entry]
                    for lane in range(lanes):
                        into[lane] += orders * weight[lane]
        for up in range(VALUES):
            if tree.ups[up] == 1:
                for lane in range(used):
                    scale = _scale(shoes, start + lane, up)
                    for total in range(TOTALS):
                        chances[start + lane, up, total] = sums[up * TOTALS + total, lane] * scale


@compiled_within
def _prepare_batch(
    tree: Any,
    shoes: Ints,
    start: int,
    used: int,
    lanes: int,
    falling: Floats,
    per_order: Floats,
) -> None:
    """Falling factorials of the counts, and one over those of the cards without the up card."""
    for lane in range(lanes):
        shoe = start + min(lane, used - 1)
        cards = -1
        for value in range(VALUES):
            count = max(shoes[shoe, value], 0)
            cards += count
            product = 1.0
            for number in range(tree.most[value] + 1):
                falling[value * _DEEPEST + number, lane] = product
                product *= max(count - number, 0)
        product = 1.0
        for drawn in range(_DEEPEST):
            per_order[drawn, lane] = product
            product = product / (cards - drawn) if cards > drawn else 0.0


@compiled_within
def _scale(shoes: Ints, shoe: int, up: int) -> float:
    """The up card is given; after a check the down card is none that makes a blackjack."""
    count = shoes[shoe, up]
    if count <= 0:
        return 0.0
    if up != ACE_VALUE and up != TEN_VALUE:
        scale: float = 1.0 / count
        return scale
    cards = -1
    for value in range(VALUES):
        cards += shoes[shoe, value]
    others = cards - shoes[shoe, TEN_VALUE if up == ACE_VALUE else ACE_VALUE]
    if others <= 0:
        return 0.0
    checked: float = cards / others / count
    return checked
