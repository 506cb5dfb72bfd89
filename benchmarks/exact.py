"""The exact analyser: whole rule sets, single decisions, first uses, memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

from benchmarks.figures import Figure
from benchmarks.imports import seconds
from ventiuna.analysis.base_game import analyse
from ventiuna.analysis.base_game_hand import hand_values
from ventiuna.analysis.base_game_spread import standard_deviation
from ventiuna.analysis.split_play import SplitPlay
from ventiuna.cards import parse_card, parse_cards
from ventiuna.rules import Rules, RulesError, load_rules, preset_ids
from ventiuna.rules.loading import choices_of

RULES = (
    "wsgc-spanish-21",
    "wsgc-spanish-21(double_double=on)",
    "super-fun-21",
    "blackjack(surrender=late)",
)
HANDS = (("5c 6d", "2h"), ("2c 2d", "7h"), ("7s 7s", "7h"), ("2c 3d 2h 4c", "Kh"))
FIRST_USE = (
    "from ventiuna.rules import load_rules\n"
    "from ventiuna.analysis.base_game import analyse\n"
    "analyse(load_rules('wsgc-spanish-21'))"
)
# Options of a preset that change the base game.
BASE_GAME_OPTIONS = (
    "decks",
    "soft_17",
    "double_double",
    "surrender",
    "blackjack_pays",
    "double_totals",
    "double_after_split",
    "split_hands",
    "split_aces",
    "resplit_aces",
)


def measure(quick: bool) -> Iterator[Figure]:
    times = 3 if quick else 15
    for name in RULES:
        rules = load_rules(name)
        yield Figure(name, fastest(partial(analyse, rules), times), "s", "< 0.1")
    rules = load_rules("wsgc-spanish-21")
    reoptimised = fastest(lambda: analyse(rules, split_play=SplitPlay.REOPTIMISED), times)
    yield Figure("the same, split hands re-optimised", reoptimised, "s")
    for cards, up in HANDS:
        hand, card = parse_cards(cards), parse_card(up)
        yield Figure(
            f"one decision: {cards} against {up}",
            1000 * fastest(partial(hand_values, rules, hand, card), times),
            "ms",
            "< 20",
        )
    yield Figure("first use, kernels on disk", first_use(), "s", "< 1.5")
    yield Figure("memory of a process that analyses", memory(), "MB", "< 300")
    if not quick:
        whole = analyse(rules)
        yield Figure(
            "standard deviation", fastest(lambda: standard_deviation(rules, whole), 1), "s"
        )
        combinations = approved_combinations()
        yield Figure("approved combinations of all presets", float(len(combinations)), "rule sets")
        yield Figure(
            "all of them",
            fastest(lambda: [analyse(rules) for rules in combinations], 1),
            "s",
            "< 60",
        )
        yield Figure("cold compile", cold_compile(), "s", "< 20")


def fastest(job: Callable[[], object], times: int) -> float:
    """By processor time, after a first run; the best counts, the others were disturbed."""
    if times > 1:
        job()
    found = []
    for _ in range(times):
        start = time.thread_time()
        job()
        found.append(time.thread_time() - start)
    return min(found)


def first_use() -> float:
    return min(seconds(_one_line(FIRST_USE)) for _ in range(3))


def _one_line(program: str) -> str:
    return "; ".join(program.splitlines())


def memory() -> float:
    """Largest resident size of a fresh process, in megabytes."""
    program = FIRST_USE + "\nimport resource\n"
    program += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    unit = 1 if sys.platform == "darwin" else 1024
    return int(done.stdout) * unit / 1e6


def cold_compile() -> float:
    """Processor time of a first use without kernels on disk."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {**os.environ, "XDG_CACHE_HOME": folder}
        subprocess.run([sys.executable, "-c", FIRST_USE], env=environment, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def approved_combinations() -> list[Rules]:
    """Every combination of choices that a preset's document leaves to the house."""
    found: list[Rules] = []
    for preset in preset_ids():
        if preset == "blackjack":
            continue  # the yardstick, no rule document
        choices = {
            option: values
            for option, values in choices_of(preset).items()
            if option in BASE_GAME_OPTIONS
        }
        for values in product(*choices.values()):
            named = zip(choices, values, strict=True)
            changes = ",".join(f"{option}={value}" for option, value in named)
            try:
                found.append(load_rules(f"{preset}({changes})"))
            except RulesError:
                continue  # a combination the documents forbid, as double-double with S17
    return found
