"""Compare `design` with brute force: approved grids of all presets, and random pay tables.

python -m benchmarks.design_soak --tables 20; --quick leaves out the largest grid. Prints a line for
each comparison, and fails if one differs.
"""

from __future__ import annotations

import argparse
import random
import sys
from fractions import Fraction
from itertools import combinations, product
from time import perf_counter

import ventiuna as vt
from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.base_game.design import Design, with_pays
from ventiuna.analysis.base_game.queries import BASE_GAME_OPTIONS
from ventiuna.analysis.targets import Range
from ventiuna.money import Odds
from ventiuna.rules import (
    Rules,
    RulesError,
    change_rules,
    fingerprint,
    load_rules,
    preset_ids,
)
from ventiuna.rules.loader import choices_of

LARGEST = "blackjack"  # 4,608 combinations
ALL = 1_000_000
Edges = dict[str, float]


def grid_edges(preset: str) -> Edges:
    """The edge of every valid combination of the values that the document approves."""
    rules, found = load_rules(preset), {}
    choices = {
        name: values for name, values in choices_of(preset).items() if name in BASE_GAME_OPTIONS
    }
    for values in product(*choices.values()):
        try:
            one = change_rules(rules, dict(zip(choices, values, strict=True)))
        except RulesError:
            continue
        found[fingerprint(one)] = analyze(one).house_edge
    return found


def pay_edges(rules: Rules, rows: list[str], pays: list[Fraction], changes: int) -> Edges:
    """The edge of every pay table that changes at most `changes` of these rows."""
    found = {fingerprint(rules): analyze(rules).house_edge}
    for number in range(1, changes + 1):
        for chosen in combinations(rows, number):
            for values in product(pays, repeat=number):
                odds = [Odds(pay.numerator, pay.denominator) for pay in values]
                changed = with_pays(rules, tuple(zip(chosen, odds, strict=True)))
                found.setdefault(fingerprint(changed), analyze(changed).house_edge)
    return found


def compare(name: str, expected: Edges, wanted: Range, found: Design, seconds: float) -> bool:
    edges = {one.fingerprint: one.house_edge for one in found.solutions}
    right = {mark: edge for mark, edge in expected.items() if 100 * edge in wanted}
    largest = max(
        (abs(edges[mark] - right[mark]) for mark in right.keys() & edges.keys()), default=0
    )
    agrees = edges.keys() == right.keys() and largest < 1e-14
    word = "agrees" if agrees else "DIFFERS"
    rule_sets = f"{len(right):,} of {len(expected):,} rule sets"
    print(f"{word}: {name}: {rule_sets}, {found.analyses:,} analyses, {seconds:.1f} s", flush=True)
    return agrees


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20, help="random pay tables to search")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--quick", action="store_true", help="leave out the largest grid")
    options = parser.parse_args()
    agree = [
        compare_grid(preset) for preset in preset_ids() if preset != LARGEST or not options.quick
    ]
    agree += [compare_pays(f"{options.seed}/{number}") for number in range(options.tables)]
    return 0 if all(agree) else 1


def compare_grid(preset: str) -> bool:
    expected = grid_edges(preset)
    started = perf_counter()
    found = vt.design(preset, approved=True, edge="..", most=ALL)
    return compare(preset, expected, Range(), found, perf_counter() - started)


def compare_pays(seed: str) -> bool:
    draw = random.Random(seed)
    preset = draw.choice(["wsgc-2021", "wsgc-2021(double_double=on)", "super-fun-21"])
    rules = load_rules(preset)
    names = [row.name for row in (*rules.instant_wins, *rules.bonus_21_rows())]
    rows = draw.sample(names, min(3, len(names)))
    top = draw.choice([2, 3, 4])
    pays = [Fraction(halves, 2) for halves in range(2, 2 * top + 1)]
    expected = pay_edges(rules, rows, pays, len(rows))
    center = 100 * draw.choice(sorted(expected.values()))
    wanted = Range(center - draw.uniform(0.0, 0.2), center + draw.uniform(0.0, 0.2))
    started = perf_counter()
    found = vt.design(
        rules, ",".join(rows), edge=wanted, pays=f"1..{top}", changes=len(rows), most=ALL
    )
    name = f"{preset}, {', '.join(rows)}, pays 1 to {top}, edge {wanted}"
    return compare(name, expected, wanted, found, perf_counter() - started)


if __name__ == "__main__":
    sys.exit(main())
