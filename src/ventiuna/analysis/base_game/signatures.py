"""Which exact kernels are compiled, and for which arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

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
from ventiuna.rules import compile_rules, load_rules

# One word for each argument.
_SIGNATURES: tuple[tuple[Callable[..., object], str], ...] = (
    (hands.ask_about_hands, "rules game"),
    (hands.ask_about_suits, "rules game ints"),
    (dealer.dealer_totals, "tree ints2 floats3 int"),
    (game.play_against, "game int ints ints floats3 bool plays scratch"),
    (suits.value_suited_hands, "game int bool plays suited scratch"),
    (splits.plan_splits, "game ints ints strategy splits"),
    (splits.place_shoes, "game ints2 ints int splits ints2 ints2"),
    (dealer.totals_beside_pairs, "pair_tree int ints2 ints2 floats3 int"),
    (deals.value_deals, "game ints bool plays suited splits scratch floats3"),
    (game.value_hand, "game int int int int plays scratch"),
    (suits.stand_by_suits, "game int int int int float"),
    (game.value_splits, "game ints ints floats3 strategy plays suited splits plays scratch"),
    (game.reoptimise_splits, "game ints ints floats3 splits plays strategy scratch"),
    (deals.blackjack_chance, "game int ints int"),
    (play.next_card_chances, "game int ints int floats"),
    (suits.legal_by_suits, "game int int int"),
    (spread.collect_events, "game int ints2 floats2 floats2 floats2 floats3"),
    (spread.group_pairs, "game ints ints2 ints"),
    (spread.gather_products, "game ints ints2 floats3 floats3"),
    (spread.sum_products, "ints ints2 int ints floats3 floats3 floats"),
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


def exact_signatures() -> list[tuple[Callable[..., object], tuple[object, ...]]]:
    """Each kernel with arguments of the types that the analyzer passes it."""
    return [(kernel, _arguments(words)) for kernel, words in _SIGNATURES]


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
