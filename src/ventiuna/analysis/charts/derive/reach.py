"""How often each hand is met when hands are played in a given way."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ventiuna.analysis.base_game.solve import TWO_CARD_PLACES
from ventiuna.analysis.charts.derive.groups import (
    LEVELS,
    PLAIN,
    SUPER,
    Group,
    chart_doubled_preferences,
    chart_preferences,
    column_of,
)
from ventiuna.analysis.charts.derive.optimum import PLACES_OF_TWO, Optimum
from ventiuna.core import actions
from ventiuna.core.preferences import first_legal, first_legal_of
from ventiuna.kernels.exact.lattice import ACE_VALUE, COMPOSITIONS, VALUES, Floats, Ints, lattice
from ventiuna.kernels.exact.records import (
    DOUBLINGS,
    KINDS,
    SPLIT_ACE_HAND,
    SPLIT_HAND,
    UNSPLIT,
)
from ventiuna.strategy.chart import Chart


class Policy(NamedTuple):
    """What is done with every hand; two cards by what they may still become."""

    two: Ints  # [kind, up, level, composition of two cards]
    more: Ints  # [kind, up, doublings, composition]


class Reach(NamedTuple):
    """How often a hand is met in a round, the same indices."""

    two: Floats
    more: Floats


def chart_policy(optimum: Optimum, chart: Chart) -> Policy:
    """What the chart does, worked out once for each group of hands."""
    two, more = _empty_policy()
    for (kind, doublings), (groups, number) in optimum.groupings.items():
        known = number >= 0
        for up in range(VALUES):
            column = column_of(up)
            if doublings:
                wanted = [chart_doubled_preferences(chart, g, column, doublings) for g in groups]
            else:
                wanted = [
                    chart_preferences(chart, group, column, PLAIN, kind == UNSPLIT)
                    for group in groups
                ]
                _fill_two_cards(two, chart, groups, number, kind, up)
            taken = [first_legal_of(w, g.legal) for w, g in zip(wanted, groups, strict=True)]
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
            wanted = chart_preferences(chart, group, column, level, kind == UNSPLIT)
            two[kind, up, level, place] = first_legal_of(wanted, group.legal)


def best_policy(optimum: Optimum) -> Policy:
    """The best play; split hands are played as the same cards unsplit."""
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
    """The most preferred legal action of every hand; few different questions, each asked once."""
    codes = preferences << actions.ACTIONS | legal
    questions, asked = np.unique(codes, return_inverse=True)
    everything = (1 << actions.ACTIONS) - 1
    taken = [
        first_legal(int(code) >> actions.ACTIONS, int(code) & everything) for code in questions
    ]
    found: Ints = np.array(taken, dtype=np.int64)[asked.reshape(codes.shape)]
    return found


def reach_of(optimum: Optimum, policy: Policy) -> Reach:
    """Follow all hands through the policy, card by card.

    For split hands the cards of the other hands are taken as still in the shoe: this decides
    only how much weight a cell of the chart gives them, never a printed value.
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
        shares[PLAIN] += shares[SUPER]  # a split gives the Super Bonus up
        shares[SUPER] = 0.0
        total = shares.sum()
        if total > 0.0:
            two[kind, up, :, after] += mass * count * shares / total


@lru_cache(maxsize=4096)
def _second_cards(
    chances: tuple[float, ...], pair: int, waiting: int, hands: int, most: int
) -> tuple[float, ...]:
    """Expected number of finished hands by their second card, pairs split while they may be."""
    counts = [0.0] * VALUES
    if waiting == 0:
        return tuple(counts)
    done = _second_cards(chances, pair, waiting - 1, hands, most)
    for value, chance in enumerate(chances):
        if value == pair and hands < most:
            further = _second_cards(chances, pair, waiting + 1, hands + 1, most)
        else:
            counts[value] += chance
            further = done
        for second in range(VALUES):
            counts[second] += chance * further[second]
    return tuple(counts)


def _follow(chances: Floats, policy: Policy, kind: int, two: Floats, more: Floats) -> None:
    """Fill `more` [up, doublings, composition] from two cards on, fewest cards first."""
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
        # Compositions that follow by one value are all different, so plain addition will do.
        after[:, into] += mass[:, leads] * chances[:, these[leads], value]
