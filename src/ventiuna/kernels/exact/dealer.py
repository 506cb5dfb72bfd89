"""The dealer's final totals, for many shoes at once.

The dealer is equally likely to draw the same cards in any order that the drawing rules allow. So
each distinct final hand is listed only once, with the number of allowed orders for each up card.
The hands are sorted into a tree, in which hands with the same beginning share products of falling
factorials. A pass walks the tree for a batch of shoes in parallel. The remaining probability is a
bust.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from ventiuna.core.base_game import dealer_draws
from ventiuna.core.cards import best_total
from ventiuna.core.rule_table import RuleTable
from ventiuna.kernels.exact.tables import ACE_VALUE, BUST, TEN_VALUE, VALUES, Floats, Ints, lattice
from ventiuna.kernels.jit import compiled, compiled_within

TOTALS = 5  # 17 to 21; the remaining probability is a bust
LANES = 64  # shoes processed in parallel
SPAN = 3  # numbers in a row of spans: fewest cards gone, most cards gone, first slot
_DEEPEST = 24  # more cards than any dealer hand has
_LOWEST_TOTAL = 17


class DealerTree(NamedTuple):
    """Nodes in walking order; each multiplies its parent's product by one factor."""

    parent_level: Ints
    factor: Ints  # index of the falling factorial
    drawn: Ints  # cards besides the up card if a hand ends at this node, otherwise 0
    first_entry: Ints  # index into the next two arrays; one more entry than nodes
    entry_slot: Ints  # up card and total
    entry_orders: Floats
    most: Ints  # most cards of each value in any hand
    ups: Ints  # 1 for each value that is an up card here


class PairTree(NamedTuple):
    """The tree for shoes that differ only in the number of cards of the pair's value.

    Its nodes omit that value, so one walk serves all these shoes. Sums are grouped by the remaining
    factors, which depend on the hand's pair cards and the number of cards drawn.
    """

    parent_level: Ints
    factor: Ints
    first_entry: Ints  # index into the next two arrays; one more entry than nodes
    entry_sort: Ints
    entry_orders: Floats
    first_sort: Ints  # index into the next array, by up card and total; has one extra entry
    sort_factor: Ints  # index into the next two arrays
    factor_number: Ints  # pair cards in the hand
    factor_drawn: Ints  # cards besides the up card
    most: Ints  # most cards of each value in any hand
    ups: Ints  # 1 for each value that is an up card here


def dealer_tree(rules: RuleTable, up: int | None = None) -> DealerTree:
    """Build the tree for all up cards, or for one."""
    return _dealer_tree(_drawing_hands(rules), up)


def pair_tree(rules: RuleTable, pair: int, up: int | None = None) -> PairTree:
    """Build the tree without the cards of one value; see `PairTree`."""
    return _pair_tree(_drawing_hands(rules), pair, up)


@cache
def dealer_wants_a_card(rules: RuleTable, up: int) -> tuple[bool, ...]:
    """For each composition, return whether this up card can lead to it and the dealer draws."""
    drawing = _drawing_hands(rules)
    return tuple(
        ways > 0 and draws for ways, draws in zip(_orders(drawing, up), drawing, strict=True)
    )


@cache
def _drawing_hands(rules: RuleTable) -> tuple[bool, ...]:
    """For each composition, return whether the dealer draws."""
    places = lattice()
    return tuple(
        bool(dealer_draws(rules, int(hard), int(aces)))
        for hard, aces in zip(places.hard, places.counts[:, ACE_VALUE], strict=True)
    )


@cache
def _orders(drawing: tuple[bool, ...], up: int) -> tuple[int, ...]:
    """For each composition, count the orders in which this up card leads to it."""
    following = _following()
    orders = [0] * len(drawing)
    orders[following[0][up]] = 1
    for place, ways in enumerate(orders):
        if ways == 0 or not drawing[place]:
            continue
        for value, after in enumerate(following[place]):
            is_blackjack = place <= VALUES and {up, value} == {ACE_VALUE, TEN_VALUE}
            if after != BUST and not is_blackjack:
                orders[after] += ways
    return tuple(orders)


@cache
def _following() -> list[list[int]]:
    following: list[list[int]] = lattice().following.tolist()
    return following


class _Finals(NamedTuple):
    """The hands on which the dealer stands."""

    counts: Ints  # [hand, value]
    slots: Ints  # [hand, up]: up card and total
    orders: Floats  # [hand, up]


@cache
def _finals(drawing: tuple[bool, ...], up: int | None) -> _Finals:
    places = lattice()
    orders = np.zeros((len(drawing), VALUES))
    for value in range(VALUES) if up is None else (up,):
        orders[:, value] = _orders(drawing, value)
    found = np.flatnonzero(~np.array(drawing) & (orders > 0).any(axis=1))
    totals = [
        best_total(int(places.hard[place]), int(places.counts[place, ACE_VALUE])) for place in found
    ]
    slots = np.arange(VALUES) * TOTALS + np.array(totals)[:, None] - _LOWEST_TOTAL
    return _Finals(places.counts[found], slots, orders[found])


class _Walk(NamedTuple):
    """Nodes of a tree, and the node at which each hand ends."""

    order: Ints  # indices of the hands, sorted
    parent_level: Ints
    factor: Ints
    ends: Ints  # [position in `order`]: node


def _walk(counts: Ints, values: list[int]) -> _Walk:
    """Sort hands by their counts of these values; hands with the same beginning share nodes.

    High values come first: few hands have many of them, so branches split late. The first node has
    no cards.
    """
    keys = counts[:, values]
    order = np.lexsort(keys.T[::-1])
    keys = keys[order]
    differs = keys[1:] != keys[:-1]
    parts = np.where(differs.any(axis=1), differs.argmax(axis=1), len(values))
    parts = np.concatenate([[0], parts])
    holds = keys > 0
    is_new = holds & (np.arange(len(values)) >= parts[:, None])
    level = np.cumsum(holds, axis=1) - 1
    rows, columns = np.nonzero(is_new)
    factor = np.array(values)[columns] * _DEEPEST + keys[rows, columns]
    return _Walk(
        order=order,
        parent_level=np.concatenate([[0], level[rows, columns]]).astype(np.int64),
        factor=np.concatenate([[values[0] * _DEEPEST], factor]).astype(np.int64),
        ends=np.cumsum(is_new.sum(axis=1)),
    )


@cache
def _dealer_tree(drawing: tuple[bool, ...], up: int | None) -> DealerTree:
    finals = _finals(drawing, up)
    walk = _walk(finals.counts, list(range(VALUES - 1, -1, -1)))
    nodes = len(walk.factor)
    hands, ups = np.nonzero(finals.orders[walk.order])
    drawn = np.zeros(nodes, dtype=np.int64)
    drawn[walk.ends] = finals.counts.sum(axis=1)[walk.order] - 1
    return DealerTree(
        parent_level=walk.parent_level,
        factor=walk.factor,
        drawn=drawn,
        first_entry=np.searchsorted(walk.ends[hands], np.arange(nodes + 1)),
        entry_slot=finals.slots[walk.order][hands, ups],
        entry_orders=finals.orders[walk.order][hands, ups],
        most=finals.counts.max(axis=0),
        ups=_is_up(up),
    )


def _is_up(up: int | None) -> Ints:
    return np.array([int(up is None or value == up) for value in range(VALUES)], dtype=np.int64)


@cache
def _pair_tree(drawing: tuple[bool, ...], pair: int, up: int | None) -> PairTree:
    finals = _finals(drawing, up)
    walk = _walk(finals.counts, [value for value in range(VALUES - 1, -1, -1) if value != pair])
    hands, ups = np.nonzero(finals.orders[walk.order])
    counts = finals.counts[walk.order]
    slots = finals.slots[walk.order][hands, ups]
    sorts = (slots * _DEEPEST + counts[hands, pair]) * _DEEPEST + counts.sum(axis=1)[hands] - 1
    found, numbers = np.unique(sorts, return_inverse=True)
    factors, sort_factor = np.unique(found % _DEEPEST**2, return_inverse=True)
    return PairTree(
        parent_level=walk.parent_level,
        factor=walk.factor,
        first_entry=np.searchsorted(walk.ends[hands], np.arange(len(walk.factor) + 1)),
        entry_sort=numbers.astype(np.int64),
        entry_orders=finals.orders[walk.order][hands, ups],
        first_sort=np.searchsorted(found // _DEEPEST**2, np.arange(VALUES * TOTALS + 1)),
        sort_factor=sort_factor.astype(np.int64),
        factor_number=factors // _DEEPEST,
        factor_drawn=factors % _DEEPEST,
        most=finals.counts.max(axis=0),
        ups=_is_up(up),
    )


@compiled
def totals_beside_pairs(
    tree: PairTree, pair: int, shoes: Ints, spans: Ints, chances: Floats, lanes: int
) -> None:
    """Fill `chances[slot, up, total]` for shoes with increasing numbers of one value gone.

    A row of `spans` has the fewest and the most of these cards gone, and the slot for the fewest;
    the slots for higher numbers follow it.
    """
    falling = np.empty((VALUES * _DEEPEST, lanes))
    products = np.empty((VALUES + 2, lanes))
    per_order = np.empty((_DEEPEST, lanes))
    sums = np.empty((tree.sort_factor.shape[0], lanes))
    factors = np.empty((tree.factor_number.shape[0], lanes))
    totals = np.empty((VALUES * TOTALS, lanes))
    for lane in range(lanes):
        products[0, lane] = 1.0
    for start in range(0, shoes.shape[0], lanes):
        used = min(lanes, shoes.shape[0] - start)
        for value in range(VALUES):
            _fill_falling(tree.most, value, shoes, start, used, lanes, falling)
        for sort in range(sums.shape[0]):
            for lane in range(lanes):
                sums[sort, lane] = 0.0
        for node in range(tree.factor.shape[0]):
            level = tree.parent_level[node]
            before, after = products[level], products[level + 1]
            factor = falling[tree.factor[node]]
            for lane in range(lanes):
                after[lane] = before[lane] * factor[lane]
            for entry in range(tree.first_entry[node], tree.first_entry[node + 1]):
                into = sums[tree.entry_sort[entry]]
                orders = tree.entry_orders[entry]
                for lane in range(lanes):
                    into[lane] += orders * after[lane]
        fewest, most = spans[start, 0], spans[start, 1]
        for row in range(start + 1, start + used):
            fewest, most = min(fewest, spans[row, 0]), max(most, spans[row, 1])
        for row in range(start, start + used):
            shoes[row, pair] -= fewest
        for gone in range(fewest, most + 1):
            _fill_falling(tree.most, pair, shoes, start, used, lanes, falling)
            _fill_per_order(shoes, start, used, lanes, per_order)
            for number in range(factors.shape[0]):
                factor = falling[pair * _DEEPEST + tree.factor_number[number]]
                share = per_order[tree.factor_drawn[number]]
                into = factors[number]
                for lane in range(lanes):
                    into[lane] = factor[lane] * share[lane]
            for slot in range(VALUES * TOTALS):
                total = totals[slot]
                for lane in range(lanes):
                    total[lane] = 0.0
                for sort in range(tree.first_sort[slot], tree.first_sort[slot + 1]):
                    part = sums[sort]
                    factor = factors[tree.sort_factor[sort]]
                    for lane in range(lanes):
                        total[lane] += part[lane] * factor[lane]
            for lane in range(used):
                row = start + lane
                if spans[row, 0] <= gone and gone <= spans[row, 1]:
                    beside = chances[spans[row, 2] + gone - spans[row, 0]]
                    _write_totals(tree.ups, shoes[row], totals, lane, beside)
                shoes[row, pair] -= 1
        for row in range(start, start + used):
            shoes[row, pair] += most + 1


@compiled_within
def _fill_falling(
    most: Ints, value: int, shoes: Ints, start: int, used: int, lanes: int, falling: Floats
) -> None:
    """Compute falling factorials of a value's counts; unused lanes repeat the last shoe."""
    first = falling[value * _DEEPEST]
    for lane in range(lanes):
        first[lane] = 1.0
    for number in range(most[value]):
        before, after = falling[value * _DEEPEST + number], falling[value * _DEEPEST + number + 1]
        for lane in range(lanes):
            count = shoes[start + min(lane, used - 1), value]
            after[lane] = before[lane] * max(count - number, 0)


@compiled
def dealer_totals(tree: DealerTree, shoes: Ints, chances: Floats, lanes: int) -> None:
    """Fill `chances[shoe, up, total]` for shoes given as counts by value, including the up card.

    The number of lanes is an argument so that loops over them compile to vector instructions.
    """
    falling = np.empty((VALUES * _DEEPEST, lanes))
    products = np.empty((VALUES + 2, lanes))
    per_order = np.empty((_DEEPEST, lanes))
    sums = np.empty((VALUES * TOTALS, lanes))
    weight = np.empty(lanes)
    for start in range(0, shoes.shape[0], lanes):
        used = min(lanes, shoes.shape[0] - start)
        for value in range(VALUES):
            _fill_falling(tree.most, value, shoes, start, used, lanes, falling)
        _fill_per_order(shoes, start, used, lanes, per_order)
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
        for lane in range(used):
            _write_totals(tree.ups, shoes[start + lane], sums, lane, chances[start + lane])


@compiled_within
def _fill_per_order(shoes: Ints, start: int, used: int, lanes: int, per_order: Floats) -> None:
    """Compute reciprocal falling factorials for the number of cards besides the up card."""
    for lane in range(lanes):
        shoe = start + min(lane, used - 1)
        cards = -1
        for value in range(VALUES):
            cards += max(shoes[shoe, value], 0)
        product = 1.0
        for drawn in range(_DEEPEST):
            per_order[drawn, lane] = product
            product = product / (cards - drawn) if cards > drawn else 0.0


@compiled_within
def _write_totals(ups: Ints, shoe: Ints, totals: Floats, lane: int, chances: Floats) -> None:
    """Write probabilities given the up card; after a check, a blackjack is impossible."""
    cards = -1
    for value in range(VALUES):
        cards += max(shoe[value], 0)
    for up in range(VALUES):
        if ups[up] == 0:
            continue
        scale = 1.0 / shoe[up] if shoe[up] > 0 else 0.0
        if up == ACE_VALUE or up == TEN_VALUE:
            others = cards - max(shoe[TEN_VALUE if up == ACE_VALUE else ACE_VALUE], 0)
            scale = scale * cards / others if others > 0 else 0.0
        for number in range(TOTALS):
            chances[up, number] = totals[up * TOTALS + number, lane] * scale
