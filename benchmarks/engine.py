"""Rounds per second of processor time (that is, per core) of the interpreted engine."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from benchmarks.figures import Figure
from ventiuna.engine import RoundState, Shoe, execute, finish_round
from ventiuna.engine.commands import PlaceWagers
from ventiuna.rules import Rules, load_rules, preset_ids
from ventiuna.strategy.players import steady_player

BASE = 1000
REPEATS = 5  # the best run counts; the others were slowed by other work


def measure(quick: bool) -> Iterator[Figure]:
    rounds = 500 if quick else 5_000
    for preset in preset_ids():
        rules = load_rules(preset)
        yield Figure(
            f"{preset}, one spot", rounds_a_second(rules, 1, rounds), "rounds/s", ">= 10,000"
        )
    rules = load_rules("wsgc-2021")
    yield Figure("wsgc-2021, seven spots", rounds_a_second(rules, 7, rounds // 5), "rounds/s")


def rounds_a_second(rules: Rules, spots: int, rounds: int) -> float:
    shoe = Shoe(rules, random.Random(1).shuffle)
    return max(_speed(rules, shoe, spots, rounds) for _ in range(REPEATS))


def _speed(rules: Rules, shoe: Shoe, spots: int, rounds: int) -> float:
    wagers = [PlaceWagers(spot, BASE) for spot in range(1, spots + 1)]
    start = time.process_time()
    for _ in range(rounds):
        shoe.begin_round()
        state = RoundState(rules)
        for command in wagers:
            execute(state, command)
        finish_round(state, shoe, steady_player)
    return rounds / (time.process_time() - start)
