"""The compiled forms of the exact kernels: empty tables of the types that the analyser hands them.

In the order in which an analysis needs them, so that what is compiled together stands together.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from ventiuna.kernels.exact import dealer, deals, game, hands, play, splits, spread, suits
from ventiuna.kernels.exact.dealer import DealerTree, PairTree
from ventiuna.kernels.exact.records import (
    Game,
    Plays,
    Scratch,
    Splits,
    SplitStrategy,
    SuitedPlays,
    new_record,
    rules_record,
)
from ventiuna.kernels.forms import ANALYSER, DEVIATION, REOPTIMISED, Form
from ventiuna.kernels.jit import kernel_form
from ventiuna.rules import compile_rules, load_rules

# One word for each argument.
_NEEDED = (
    (ANALYSER, hands.ask_about_hands, "rules game", 2.9),
    (ANALYSER, hands.ask_about_suits, "rules game ints", 0.5),
    (ANALYSER, dealer.dealer_totals, "tree ints2 floats3 int", 1.2),
    (ANALYSER, game.play_against, "game int ints ints floats3 bool plays scratch", 2.5),
    (ANALYSER, suits.value_suited_hands, "game int bool plays suited scratch", 1.9),
    (ANALYSER, splits.plan_splits, "game ints ints strategy splits", 0.7),
    (ANALYSER, splits.place_shoes, "game ints2 ints int splits ints2 ints2", 0.5),
    (ANALYSER, dealer.totals_beside_pairs, "pair_tree int ints2 ints2 floats3 int", 1.5),
    (ANALYSER, deals.value_deals, "game ints bool plays suited splits scratch floats3", 1.7),
    (ANALYSER, game.value_hand, "game int int int int plays scratch", 0.5),
    (ANALYSER, suits.stand_by_suits, "game int int int int float", 0.1),
    (
        ANALYSER,
        game.value_splits,
        "game ints ints floats3 strategy plays suited splits plays scratch",
        6.5,
    ),
    (
        REOPTIMISED,
        game.reoptimise_splits,
        "game ints ints floats3 splits plays strategy scratch",
        3.3,
    ),
    (DEVIATION, deals.blackjack_chance, "game int ints int", 0.2),
    (DEVIATION, play.next_card_chances, "game int ints int floats", 0.3),
    (DEVIATION, suits.legal_by_suits, "game int int int", 0.1),
    (DEVIATION, spread.collect_events, "game int ints2 floats2 floats2 floats2 floats3", 0.8),
    (DEVIATION, spread.group_pairs, "game ints ints2 ints", 0.5),
    (DEVIATION, spread.gather_products, "game ints ints2 floats3 floats3", 0.7),
    (DEVIATION, spread.sum_products, "ints ints2 int ints floats3 floats3 floats", 0.5),
)

_RECORDS = {
    "game": Game,
    "plays": Plays,
    "suited": SuitedPlays,
    "splits": Splits,
    "strategy": SplitStrategy,
    "scratch": Scratch,
}
_TREES: dict[str, type[DealerTree] | type[PairTree]] = {"tree": DealerTree, "pair_tree": PairTree}


def exact_forms() -> list[Form]:
    return [
        kernel_form(part, kernel, partial(_arguments, words), seconds)
        for part, kernel, words, seconds in _NEEDED
    ]


def _arguments(words: str) -> tuple[object, ...]:
    return tuple(_argument(word) for word in words.split())


@cache
def _argument(word: str) -> object:
    if word in _RECORDS:
        return new_record(_RECORDS[word])
    if word == "rules":
        return rules_record(compile_rules(load_rules("wsgc-spanish-21")))
    if word in _TREES:
        tree = _TREES[word]
        return tree._make(
            _argument("floats" if name == "entry_orders" else "ints") for name in tree._fields
        )
    if word in ("int", "float", "bool"):
        return {"int": 0, "float": 0.0, "bool": False}[word]
    kind, dimensions = word.rstrip("23"), int(word[-1]) if word[-1].isdigit() else 1
    return np.zeros((0,) * dimensions, dtype=np.int64 if kind == "ints" else np.float64)
