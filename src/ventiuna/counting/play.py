"""The exact analyser as counters ask it: a shoe's best value, and that of a way of playing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.base_game.solve import (
    Question,
    Solution,
    StrategyTables,
    best_hands,
    solve,
    solve_deals,
    strategy_of,
)
from ventiuna.analysis.base_game.split_play import SplitPlay
from ventiuna.analysis.base_game.tables import game_tables
from ventiuna.analysis.composition import Composition, fresh_composition
from ventiuna.core.super_bonus import super_bonus_pay
from ventiuna.kernels.exact.records import DEAL_VALUE, UNSPLIT, Plays, SuitedPlays
from ventiuna.rules import Rules, compile_rules

Ints = npt.NDArray[np.int64]
GameRecord = Any  # of the exact kernels


def pays_super_bonus(rules: Rules, base: int | None) -> bool:
    """Is the Super Bonus of such a wager in its value?"""
    table = compile_rules(rules)
    return base is not None and table.super_ranks != 0 and super_bonus_pay(table, base) > 0


def question(
    rules: Rules, shoe: Composition, base: int | None, strategy: StrategyTables | None = None
) -> Question:
    with_super = pays_super_bonus(rules, base)
    table = compile_rules(rules)
    return Question(table, shoe, SplitPlay.AS_UNSPLIT, base, with_super, strategy)


def best_value(rules: Rules, base: int | None, shoe: Composition) -> float:
    """Per base wager, with the best play from this shoe."""
    return _value(question(rules, shoe, base))


def best_solution(rules: Rules, base: int | None, shoe: Composition) -> Solution:
    """All records of the best play from this shoe."""
    return solve(*question(rules, shoe, base))


class Played(NamedTuple):
    """Best play from a shoe, of hands as dealt and of those of splits."""

    game: GameRecord
    by_kind: dict[int, tuple[Plays, SuitedPlays]]
    value: float  # of the round


def best_play(
    rules: Rules, base: int | None, shoe: Composition, kinds: Iterable[int] = (UNSPLIT,)
) -> Played:
    """What every action of every hand of these kinds is worth in this shoe."""
    solution = best_solution(rules, base, shoe)
    found = {UNSPLIT: (solution.plays, solution.suited)}
    for kind in kinds:
        if kind != UNSPLIT:
            found[kind] = best_hands(solution.game, kind)
    return Played(solution.game, found, float(solution.deals.sum(axis=(0, 1))[DEAL_VALUE]))


@lru_cache(maxsize=2)
def _fresh_solution(rules: Rules, base: int | None) -> Solution:
    return best_solution(rules, base, fresh_composition(rules))


def fresh_solution(rules: Rules, base: int | None) -> Solution:
    """Of a whole shoe; kept, since much is compared with it."""
    return _fresh_solution(rules, base)


def fixed_value(rules: Rules, base: int | None = None) -> Callable[[Composition], float]:
    """What the best play of a whole shoe comes to in any other shoe."""
    solution = fresh_solution(rules, base)
    return lambda shoe: value_of_play(rules, base, solution, shoe)


def value_of_play(rules: Rules, base: int | None, played: Solution, shoe: Composition) -> float:
    """What the best play of one shoe comes to in another, exactly."""
    with_super = pays_super_bonus(rules, base)
    game = game_tables(compile_rules(rules), shoe, base, with_super)
    strategy = moved_to(strategy_of(played), played.game, game)
    return _value(question(rules, shoe, base, strategy))


def moved_to(strategy: StrategyTables, own: GameRecord, other: GameRecord) -> StrategyTables:
    """The same play for the rows of another shoe, which may lack some cards."""
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


def _value(asked: Question) -> float:
    return float(solve_deals(asked).figures.sum(axis=(0, 1))[DEAL_VALUE])
