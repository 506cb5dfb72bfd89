"""The exact analyzer: whole rule sets, single decisions, first use, memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.figures import Figure
from benchmarks.processes import megabytes, seconds
from ventiuna.analysis.base_game.analyzer import analyze, hand_values
from ventiuna.analysis.base_game.outcomes import standard_deviation
from ventiuna.analysis.base_game.queries import approved_grid
from ventiuna.analysis.composition import SplitPlay
from ventiuna.analysis.queries import DesignQuery
from ventiuna.cards import parse_card, parse_cards
from ventiuna.rules import Rules, load_rules, preset_ids

RULES = (
    "wsgc-spanish-21",
    "wsgc-spanish-21(double_double=on)",
    "super-fun-21",
    "blackjack(surrender=late)",
)
HANDS = (("5c 6d", "2h"), ("2c 2d", "7h"), ("7s 7s", "7h"), ("2c 3d 2h 4c", "Kh"))
FIRST_USE = (
    "from ventiuna.rules import load_rules; "
    "from ventiuna.analysis.base_game.analyzer import analyze; "
    "analyze(load_rules('wsgc-spanish-21'))"
)


def measure(quick: bool) -> Iterator[Figure]:
    times = 3 if quick else 15
    for name in RULES:
        rules = load_rules(name)
        yield Figure(name, fastest(partial(analyze, rules), times), "s", "< 0.1")
    rules = load_rules("wsgc-spanish-21")
    reoptimised = fastest(lambda: analyze(rules, split_play=SplitPlay.REOPTIMISED), times)
    yield Figure("the same, split hands re-optimized", reoptimised, "s")
    for cards, up in HANDS:
        hand, card = parse_cards(cards), parse_card(up)
        yield Figure(
            f"one decision: {cards} against {up}",
            1000 * fastest(partial(hand_values, rules, hand, card), times),
            "ms",
            "< 20",
        )
    yield Figure(
        "first use, as a new process", min(seconds(FIRST_USE) for _ in range(3)), "s", "< 1.5"
    )
    yield Figure("memory of an analyzing process", megabytes(FIRST_USE), "MB", "< 300")
    started = time.process_time()
    DesignQuery.parse(rules="wsgc-2021", approved=True, edge="..").run()
    seconds_taken = time.process_time() - started
    yield Figure("design: all approved games of wsgc-2021", seconds_taken, "s", "< 5")
    if not quick:
        whole = analyze(rules)
        yield Figure(
            "standard deviation", fastest(lambda: standard_deviation(rules, whole), 1), "s"
        )
        combinations = approved_combinations()
        yield Figure("approved combinations of all presets", float(len(combinations)), "rule sets")
        yield Figure(
            "all of them",
            fastest(lambda: [analyze(rules) for rules in combinations], 1),
            "s",
            "< 60",
        )


def fastest(job: Callable[[], object], times: int) -> float:
    """Return the best processor time after a first run; slower runs were affected by other work."""
    if times > 1:
        job()
    found = []
    for _ in range(times):
        start = time.thread_time()
        job()
        found.append(time.thread_time() - start)
    return min(found)


def approved_combinations() -> list[Rules]:
    """Return every combination of choices that the rule documents leave to the house."""
    presets = [preset for preset in preset_ids() if preset != "blackjack"]  # not an approved game
    return [rules for preset in presets for rules in approved_grid(preset, load_rules(preset))]
