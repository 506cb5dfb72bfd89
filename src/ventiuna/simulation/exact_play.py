"""Link to the exact analyzer: its best play as a strategy, and the exact value of any strategy."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.base_game.analyzer import (
    BaseGameAnalysis,
    packed_preference,
    preferred_actions,
    read_deals,
)
from ventiuna.analysis.base_game.solver import (
    Solution,
    SolverQuery,
    StrategyTables,
    game_tables,
    solve,
    solve_deals,
)
from ventiuna.analysis.composition import SplitPlay, basis_of, fresh_composition
from ventiuna.core import actions
from ventiuna.core.base_game import super_bonus_pay
from ventiuna.core.cards import value_of
from ventiuna.core.rule_table import RuleTable
from ventiuna.kernels.exact.tables import (
    COMPOSITIONS,
    DEAL_VALUE,
    DOUBLINGS,
    VALUES,
    composition_index,
)
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.rounds import action_of
from ventiuna.rules import Rules, compile_rules
from ventiuna.simulation import tables
from ventiuna.simulation.spec import SimulationSpec, compiled_tables
from ventiuna.simulation.tables import hand_graph
from ventiuna.strategy.protocol import HandSeen, Insurance

GameRecord = Any  # a record for the exact kernels


@lru_cache(maxsize=8)
def best_solution(rules: Rules, base: int, super_bonus: bool = True) -> Solution:
    """Best composition-dependent play from a fresh shoe, with or without the Super Bonus."""
    table = compile_rules(rules)
    with_super = super_bonus and super_bonus_pay(table, base) > 0 and table.super_ranks != 0
    return solve(table, fresh_composition(rules), SplitPlay.AS_UNSPLIT, base, with_super)


class OptimalPlayer:
    """Plays the analyzer's best action for every composition; split hands like unsplit ones.

    If suits matter, the analyzer distinguishes every card. This player distinguishes hands only as
    far as the rules do, and takes the action that is best on average over a node's hands.
    `exact_value` gives the resulting value.
    """

    name = "optimal"
    insurance = Insurance.NEVER

    def __init__(self, rules: Rules, base: int, super_bonus: bool = True) -> None:
        self._table = compile_rules(rules)
        self._graph = hand_graph(self._table)
        self._classes = tables.up_classes(self._table)
        self._solution = best_solution(rules, base, super_bonus)
        self._suited = _suited_preferences(self._table, self._solution)
        self._preferred: dict[int, tuple[int, ...]] = {}

    def preferences(self, hand: HandSeen, up: int) -> tuple[int, ...]:
        doublings = hand.shape.doublings
        if len(hand.cards) == 2 and doublings == 0:
            node = self._graph.node(hand.cards)
            found = self._suited.get((node, self._classes[up]))
            if found is not None:
                return found
        place = composition_index(value_of(card) - 1 for card in hand.cards)
        values = self._solution.plays["preferences"]
        return self._unpacked(int(values[value_of(up) - 1, doublings, place]))

    def _unpacked(self, preference: int) -> tuple[int, ...]:
        found = self._preferred.get(preference)
        if found is None:
            # 0 means that the hand isn't possible with this shoe, so the analyzer skipped it.
            found = preferred_actions(preference) if preference else (actions.STAND,)
            self._preferred[preference] = found
        return found


def _suited_preferences(
    table: RuleTable, solution: Solution
) -> dict[tuple[int, int], tuple[int, ...]]:
    """Actions from best to worst for two cards whose suits matter, by node and up card."""
    return {
        key: tuple(
            sorted(
                (action for action in range(actions.ACTIONS) if np.isfinite(values[action])),
                key=lambda action: -values[action],
            )
        )
        for key, values in suited_values(table, solution).items()
    }


def suited_values(
    table: RuleTable, solution: Solution
) -> dict[tuple[int, int], npt.NDArray[np.float64]]:
    """Mean value of each action for two cards whose suits matter, by node and up card."""
    game = solution.game
    facts = tables.hand_facts(table)
    classes = tables.up_classes(table)
    counts = game["composition"]
    summed: dict[tuple[int, int], npt.NDArray[np.float64]] = {}
    ways: dict[tuple[int, int], int] = {}
    for row in range(int(game["pairs"])):
        first, second = int(game["pair_first"][row]), int(game["pair_second"][row])
        node = facts.graph.node((first, second))
        legal = int(facts.legal[at.AS_DEALT, node])
        allowed = np.array([legal >> action & 1 for action in range(actions.ACTIONS)], dtype=bool)
        pairs = int(counts[first] * (counts[second] - (first == second))) * (1 + (first != second))
        for up_row in range(int(game["ups"])):
            up = int(game["up_card"][up_row])
            remaining = int(game["up_count"][up_row]) - (up == first) - (up == second)
            if remaining > 0:
                values = np.where(allowed, solution.suited["values"][row, up_row], -np.inf)
                key = (node, classes[up])
                summed[key] = summed.get(key, 0) + pairs * remaining * values
                ways[key] = ways.get(key, 0) + pairs * remaining
    return {key: values / ways[key] for key, values in summed.items()}


# --- Exact value of a simulated strategy ---


def strategy_tables(spec: SimulationSpec) -> StrategyTables:
    """The simulated strategy in the analyzer's format."""
    kit = compiled_tables(spec)
    rules = kit.rules
    game = _game(spec, rules)
    shape = (VALUES, DOUBLINGS, COMPOSITIONS)
    unsplit, split = (np.full(shape, packed_preference(()), dtype=np.int64) for _ in range(2))
    classes = tables.up_classes(rules)
    value_classes = {value_of(card) - 1: kind for card, kind in classes.items() if kind <= 10}
    chosen = _ACTIONS[kit.plain_codes]
    only = _ONLY[chosen]
    from_split = _split_preferences(chosen)
    nodes = range(kit.graph.two_cards.start, len(kit.graph))
    places = [
        composition_index(value_of(card) - 1 for card in kit.graph.cards[node]) for node in nodes
    ]
    for value, kind in value_classes.items():
        unsplit[value, 0, places] = only[at.AS_DEALT, nodes, kind]
        split[value, 0, places] = from_split[nodes, kind]
        for doublings in range(1, DOUBLINGS):
            doubled = only[at.DOUBLED_ONCE + doublings - 1, nodes, kind]
            unsplit[value, doublings, places] = split[value, doublings, places] = doubled
    rows, ups = int(game["pairs"]), int(game["ups"])
    suited, suited_split = (np.zeros((rows, ups), dtype=np.int64) for _ in range(2))
    for row in range(rows):
        cards = (int(game["pair_first"][row]), int(game["pair_second"][row]))
        node = kit.graph.node(cards)
        for up in range(ups):
            kind = classes[int(game["up_card"][up])]
            suited[row, up] = only[at.AS_DEALT, node, kind]
            suited_split[row, up] = from_split[node, kind]
    return StrategyTables(unsplit, split, suited, suited_split)


_ACTIONS = np.array([action_of(code) for code in range(256)])  # action by code
_ONLY = np.array([packed_preference((action,)) for action in range(actions.ACTIONS)])


def _split_preferences(chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The preferences of a split hand, by node and up card.

    They contain its action, the action if resplitting isn't allowed, and both for split aces, which
    may have fewer options.
    """
    modes = (at.FROM_SPLIT, at.FROM_SPLIT_LAST, at.FROM_ACES, at.FROM_ACES_LAST)
    found, places = np.unique(
        chosen[modes, :, :].reshape(len(modes), -1), axis=1, return_inverse=True
    )
    packed = [packed_preference(tuple(dict.fromkeys(each))) for each in found.T.tolist()]
    return np.array(packed)[places].reshape(chosen.shape[1:])


def exact_value(spec: SimulationSpec, super_bonus: bool = False) -> BaseGameAnalysis:
    """The value of the simulated strategy when every round has a fresh shoe."""
    query = _solver_query(spec, compiled_tables(spec).rules, strategy_tables(spec), super_bonus)
    return read_deals(
        basis=basis_of(spec.rules, fresh_composition(spec.rules)),
        strategy=spec.strategy,
        split_play=None,
        base=spec.bases[0],
        super_bonus=super_bonus,
        query=query,
        deals=solve_deals(query),
    )


def _game(spec: SimulationSpec, table: RuleTable, super_bonus: bool = False) -> GameRecord:
    """The game record, with or without paying the Super Bonus; cards are distinguished either way.

    A player who tries for the Super Bonus plays suited 7-7 differently from other sevens, even if
    no other row depends on suits.
    """
    game = game_tables(table, fresh_composition(spec.rules), spec.bases[0], super_bonus=True)
    if not super_bonus:
        game["super_pay"][:] = 0.0
    return game


def _solver_query(
    spec: SimulationSpec, table: RuleTable, strategy: StrategyTables, super_bonus: bool = False
) -> SolverQuery:
    return SolverQuery(
        table,
        fresh_composition(spec.rules),
        SplitPlay.AS_UNSPLIT,
        spec.bases[0],
        strategy=strategy,
        game=_game(spec, table, super_bonus),
    )


def exact_row_units(spec: SimulationSpec) -> Iterator[tuple[int, float]]:
    """For each row of the pay list, the base wagers per round on which it pays odds.

    The value of a fixed strategy is linear in each payout, so a row's share is the gain in value if
    the row pays one more wager.
    """
    table = compiled_tables(spec).rules
    strategy = strategy_tables(spec)
    plain = _money(_solver_query(spec, table, strategy))
    for row in range(table.bonus_rows):
        raised = list(table.bonus_num)
        raised[row] += table.bonus_den[row]
        changed = table._replace(bonus_num=tuple(raised))
        yield row, _money(_solver_query(spec, changed, strategy)) - plain


def _money(query: SolverQuery) -> float:
    """The total value of all deals."""
    return float(solve_deals(query).figures.sum(axis=(0, 1))[DEAL_VALUE])
