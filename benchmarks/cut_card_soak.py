"""Cost of the cut card: fresh shoes, and rounds by position in a shoe, compared with exact values.

python -m benchmarks.cut_card_soak --rounds 100000000; Ctrl-C stops. Fresh shoes, and rounds that
are dealt from every shoe, must agree with the exact value; the cut card's cost comes from the other
rounds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.cut_card import rounds_of_shoes, together
from benchmarks.pool import read_options
from ventiuna.rules import load_rules
from ventiuna.simulation import simulate
from ventiuna.simulation.exact_play import exact_value
from ventiuna.simulation.plan import Plan, ShoeUse
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import make_spec
from ventiuna.simulation.statistics import Estimate

RULES = ("super-fun-21", "super-fun-21(decks=2)", "wsgc-2021")
ROUNDS = 100_000_000  # per method; an endless soak would never compare anything
SIGMAS = 4.5  # a correct program exceeds this in one run in 100,000
ORDERED = Fraction(1, 4)  # share of rounds analyzed by position in the shoe
RARE = 0.01  # share of shoes that reach a round; rarer rounds are omitted


@dataclass(frozen=True)
class Line:
    """One way to deal, compared with the exact value."""

    rules: str
    way: str
    found: Estimate
    exact: float
    must_agree: bool

    @property
    def sigmas(self) -> float:
        return (self.found - self.exact) / self.found.standard_error

    @property
    def is_wrong(self) -> bool:
        return self.must_agree and abs(self.sigmas) > SIGMAS

    def as_data(self) -> dict[str, object]:
        return {
            "rules": self.rules,
            "way": self.way,
            "rounds": self.found.trials,
            "ev": self.found.value,
            "standard_error": self.found.standard_error,
            "exact": self.exact,
            "sigmas": self.sigmas,
        }

    def __str__(self) -> str:
        return (
            f"{self.rules:<22} {self.way:<28} {100 * self.found:+.4f}% "
            f"± {100 * self.found.standard_error:.4f}, exact {100 * self.exact:+.4f}%, "
            f"{self.sigmas:+.1f} standard errors apart{': WRONG' if self.is_wrong else ''}"
        )


def lines_of(rules: str, rounds: int, seed: int, workers: int) -> Iterator[Line]:
    plan = Plan(load_rules(rules), seed=seed)
    work = make_spec(plan, find_strategy("optimal", plan.rules, plan.base_wager))
    exact = exact_value(work).ev
    for use in ShoeUse:
        result = simulate(rules, "optimal", rounds, shoe=use, seed=seed, workers=workers)
        way = "dealt to the cut card" if use is ShoeUse.CUT_CARD else "fresh shoes"
        yield Line(rules, way, result.ev, exact, use is ShoeUse.FRESH)
    ordered = rounds_of_shoes(work, int(rounds * ORDERED))
    certain = [each for each in ordered if each.is_certain]
    yield Line(rules, f"rounds 1 to {len(certain)} of a shoe", together(certain), exact, True)
    for each in ordered[len(certain) :]:
        if each.share < RARE:
            continue
        way = f"round {each.number}, in {100 * each.share:.1f}% of shoes"
        yield Line(rules, way, each.ev, exact, False)


def main(arguments: list[str] | None = None) -> int:
    options = read_options("benchmarks.cut_card_soak", __doc__, ROUNDS, arguments)
    rounds = options.rounds or ROUNDS
    lines = []
    try:
        for rules in RULES:
            for line in lines_of(rules, rounds, options.seed, options.workers):
                lines.append(line)
                if not options.json:
                    print(line, flush=True)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
    if options.json:
        print(json.dumps([line.as_data() for line in lines], indent=1))
    return 1 if any(line.is_wrong for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
