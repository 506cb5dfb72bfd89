"""A certificate that exact analysis, kernel and engine say the same of a set of rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ventiuna.analysis.frames import Framed
from ventiuna.installed import version
from ventiuna.money import money_text
from ventiuna.proof.agreement import LEVEL, Check, compare
from ventiuna.proof.lockstep import Difference, find_differences
from ventiuna.records import brief_repr
from ventiuna.rules import Rules, canonical, fingerprint, load_rules
from ventiuna.simulation.executors import threads
from ventiuna.simulation.plan import Plan, ShoeUse, is_whole
from ventiuna.simulation.result import Result
from ventiuna.simulation.result_data import finite_data
from ventiuna.simulation.run import Progress, begin, check_report
from ventiuna.simulation.strategies import find_strategy
from ventiuna.strategy.errors import plan_problem
from ventiuna.strategy.strategy import HandSeen, Insurance, Strategy

FEWEST_ROUNDS = 100_000  # less would agree with anything
FEWEST_IN_LOCKSTEP = 100
_STEP = 5000  # rounds of lockstep between two reports


class InsuringPlayer:
    """The same player, who insures too: insurance is a wager of its own (R-034)."""

    def __init__(self, player: Strategy) -> None:
        self._player = player
        self.insurance = Insurance.ALWAYS

    @property
    def name(self) -> str:
        return self._player.name

    def preferences(self, hand: HandSeen, up: int) -> tuple[int, ...]:
        return self._player.preferences(hand, up)


@dataclass(frozen=True)
class Certificate(Framed):
    """What was compared, and the verdict."""

    main_table = "checks"

    rules: Rules
    strategy: str
    seed: int
    result: Result
    checks: tuple[Check, ...]
    lockstep_rounds: int
    differences: tuple[Difference, ...]
    command: str = ""

    __repr__ = brief_repr

    @property
    def agrees(self) -> bool:
        return not self.differences and all(check.agrees for check in self.checks)

    @property
    def verdict(self) -> str:
        if self.agrees:
            return "agreement: exact analysis, kernel and engine say the same"
        failed = [check.name for check in self.checks if not check.agrees]
        parts = []
        if failed:
            parts.append(f"{len(failed)} figures differ: {', '.join(failed[:5])}")
        if self.differences:
            parts.append(f"{len(self.differences)} rounds differ between kernel and engine")
        return f"DISAGREEMENT: {'; '.join(parts)}"

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON; what is not known is null."""
        worst = self.worst
        data = {
            "rules": canonical(self.rules),
            "fingerprint": fingerprint(self.rules),
            "version": version(),
            "strategy": self.strategy,
            "seed": self.seed,
            "agrees": self.agrees,
            "verdict": self.verdict,
            "rounds": self.result.rounds,
            "ev": self.result.ev.value,
            "standard_error": self.result.ev.standard_error,
            "sd": self.result.ev.sd,
            "lockstep_rounds": self.lockstep_rounds,
            "differences": [str(difference) for difference in self.differences],
            "level": LEVEL,
            "correction": "Holm",
            "smallest_chance": worst.chance if worst else None,
            "command": self.command,
            "checks": [
                {
                    "group": check.group,
                    "name": check.name,
                    "exact": check.exact,
                    "simulated": check.simulated,
                    "standard_error": check.standard_error,
                    "sigmas": check.sigmas,
                    "chance": check.chance,
                    "agrees": check.agrees,
                }
                for check in self.checks
            ],
        }
        return finite_data(data)

    def fact_lines(self) -> list[tuple[str, str]]:
        """What was done, in words."""
        ev = self.result.ev
        base = self.result.tally.work.bases[0]
        found = f"{100 * ev.value:.4f} % ± {100 * ev.standard_error:.4f} %"
        exact = "the simulated strategy from fresh shoes, split hands included"
        kernel = f"{self.result.rounds:,} rounds from fresh shoes, seed {self.seed}"
        engine = f"{self.lockstep_rounds:,} rounds in lockstep with the kernel"
        tests = f"{len(self.checks)} figures, corrected for their number (Holm)"
        rows = [
            ("rules", canonical(self.rules)),
            ("fingerprint", fingerprint(self.rules)),
            ("program", f"Ventiuna {version()}"),
            ("strategy", self.strategy),
            ("wagers", f"base wager {money_text(base)} and all others that are offered, one spot"),
            ("exact", exact),
            ("kernel", f"{kernel}: expectation {found}"),
            ("engine", f"{engine}, {len(self.differences)} different"),
            ("tests", f"{tests}; a sound program fails one with a chance of {100 * LEVEL:g} %"),
        ]
        worst = self.worst
        if worst is not None:
            apart = f"{worst.sigmas:+.2f} standard errors, chance {worst.chance:.2g}"
            rows.append(("least likely", f"{worst.group}, {worst.name}: {apart}"))
        if self.command:
            rows.append(("to repeat", self.command))
        return rows

    @property
    def worst(self) -> Check | None:
        return min(self.checks, key=lambda check: check.chance, default=None)

    def groups(self) -> dict[str, list[Check]]:
        found: dict[str, list[Check]] = {}
        for check in self.checks:
            found.setdefault(check.group, []).append(check)
        return found


def certify(
    rules: Rules | str,
    rounds: int = 10_000_000,
    lockstep_rounds: int = 20_000,
    strategy: str = "optimal",
    base: int = 0,
    seed: int = 21,
    workers: int = 0,
    report: Callable[[str, float], None] | None = None,
    command: str = "",
) -> Certificate:
    """Analyse, simulate with every wager that is offered, and replay in the engine."""
    for name, asked, fewest in (
        ("rounds", rounds, FEWEST_ROUNDS),
        ("lockstep", lockstep_rounds, FEWEST_IN_LOCKSTEP),
    ):
        if not is_whole(asked) or asked < fewest:
            raise plan_problem(
                name, asked, f"a certificate takes at least {fewest:,} rounds", "Choose more."
            )
    check_report(report)
    loaded = rules if isinstance(rules, Rules) else load_rules(rules)
    plan = _full_plan(loaded, base, seed)
    player = InsuringPlayer(find_strategy(strategy, loaded, plan.base_wager))
    run = begin(replace(plan, strategy=player), rounds)

    def rounds_done(progress: Progress) -> None:
        if report:
            report("kernel", progress.rounds / rounds)

    with threads(workers) as found:
        result = run.go(found, rounds_done)
    if not result.complete:
        raise KeyboardInterrupt
    checks = tuple(compare(result))
    differences: list[Difference] = []
    for start in range(0, lockstep_rounds, _STEP):
        step = min(_STEP, lockstep_rounds - start)
        differences += find_differences(run.work, player, step, number=10**6 + start)
        if report:
            report("engine", (start + step) / lockstep_rounds)
    return Certificate(
        loaded, player.name, seed, result, checks, lockstep_rounds, tuple(differences), command
    )


def _full_plan(rules: Rules, base: int, seed: int) -> Plan:
    """One spot with every wager that the table offers, a fresh shoe every round."""
    smallest = max(rules.mtd_minimum, rules.chip_unit)
    return Plan(
        rules,
        base=base or max(rules.table_minimum, smallest),
        match=dict.fromkeys(rules.mtd_wagers, smallest),
        jackpots=tuple(range(1, len(rules.jackpots) + 1)),
        shoe=ShoeUse.FRESH,
        seed=seed,
    )
