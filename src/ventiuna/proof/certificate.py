"""Certify that exact analysis, kernel and engine agree on a rule set."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ventiuna.analysis.results import TabularResult
from ventiuna.analysis.side_bets.insurance import blackjack_frequencies, insurance_wager
from ventiuna.analysis.side_bets.jackpots import jackpot_report
from ventiuna.analysis.side_bets.match_the_dealer import match_wager
from ventiuna.analysis.side_bets.super_bonus import super_bonus_report
from ventiuna.core import actions
from ventiuna.core.base_game import may_become_super_bonus
from ventiuna.core.cards import is_blackjack
from ventiuna.core.meters import prize_pay
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.rounds import action_of
from ventiuna.money import money_text
from ventiuna.package import version
from ventiuna.proof.lockstep import Divergence, find_differences
from ventiuna.rules import Rules, canonical, fingerprint, load_rules
from ventiuna.rules.compiled import winning_rows
from ventiuna.simulation import tables
from ventiuna.simulation.blocks import Tally
from ventiuna.simulation.exact_play import exact_row_units, exact_value
from ventiuna.simulation.figures import codes_by_mode, insurance_sums
from ventiuna.simulation.plan import Plan, ShoeUse, is_whole_number
from ventiuna.simulation.result import Result, finite_data
from ventiuna.simulation.run import Progress, begin_run, check_report, threads
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import MATCH_NAMES, SimulationSpec, compiled_tables
from ventiuna.simulation.statistics import (
    Estimate,
    holm_rejections,
    mean_of,
    normal_tail,
    poisson_tail,
)
from ventiuna.strategy.protocol import HandSeen, Insurance, Strategy, plan_problem
from ventiuna.texts import brief_repr

# --- Comparing simulated and exact figures ---

LEVEL = 0.01  # probability that a correct program fails any of its tests
MIN_ROUNDS_OF_A_START = 1000  # minimum rounds to test a starting hand by itself
RARE = 200  # events; smaller counts use the Poisson distribution
LARGEST_RESULT = 16.0  # base wagers; four hands, each doubled twice


@dataclass(frozen=True)
class Check:
    """One figure, exact and simulated."""

    group: str
    name: str
    exact: float
    simulated: float
    standard_error: float
    chance: float  # probability of a difference at least this large
    agrees: bool = True

    @property
    def sigmas(self) -> float:
        if self.standard_error == 0:
            return 0.0 if self.exact == self.simulated else math.inf
        return (self.simulated - self.exact) / self.standard_error


def _mean(
    group: str, name: str, exact: float, found: Estimate, largest: float = LARGEST_RESULT
) -> Check:
    """Compare a mean with its expectation.

    If all trials had the same result, rarer results may simply not have occurred, so the error is
    set to about one result of size `largest`.
    """
    if math.isclose(exact, found.value, abs_tol=1e-9):
        return Check(group, name, exact, found.value, found.standard_error, 1.0)
    error = found.standard_error or largest / max(found.trials, 1)
    return Check(group, name, exact, found.value, error, normal_tail((found.value - exact) / error))


def _frequency(group: str, name: str, exact: float, count: int, trials: int) -> Check:
    """Compare a count with its expectation; the error is based on the exact frequency."""
    error = math.sqrt(max(exact * (1 - exact), 0.0) / trials)
    expected = exact * trials
    if expected < RARE or error == 0:
        chance = poisson_tail(count, expected) if exact < 1 else float(count == trials)
    else:
        chance = normal_tail((count / trials - exact) / error)
    return Check(group, name, exact, count / trials, error, chance)


def clustered_check(group: str, name: str, exact: float, paid: RowPaid, trials: int) -> Check:
    """Compare wagers paid; with split hands, a round may have several.

    The simulator doesn't count how often hands of one split were paid together. The error is an
    upper bound, which assumes that they always were.
    """
    squares = paid.alone_squared + paid.most_hands * paid.together_squared
    found = mean_of(paid.units, squares, trials, paid.unit)
    expected = exact * trials
    if expected >= RARE:
        return _mean(group, name, exact, found)
    hands = paid.most_hands if paid.together_squared else 1
    chance = poisson_tail(round(found.value * trials / hands), expected / hands)
    error = math.sqrt(hands * max(exact, 0.0) / trials)
    return Check(group, name, exact, found.value, error, chance)


def compare_figures(result: Result) -> list[Check]:
    """Compare all figures that are known exactly, for one spot and a fresh shoe every round."""
    tally = result.tally
    checks = [
        *_base_game(result),
        *_rows(tally),
        *_blackjacks(tally),
        *_matches(tally),
        *_jackpots(tally),
        *_insurance(result),
        *_super_bonus(tally),
    ]
    failed = holm_rejections([check.chance for check in checks], LEVEL)
    pairs = zip(checks, failed, strict=True)
    return [replace(check, agrees=not rejected) for check, rejected in pairs]


def _base_game(result: Result) -> Iterator[Check]:
    analysis = exact_value(result.tally.spec)
    ev, stake = result.ev, result.stake
    yield _mean("base game", "expectation", analysis.ev, ev)
    yield _mean("base game", "chips risked", analysis.wagered, stake)
    by_up: dict[str, list[int]] = {}
    kit = compiled_tables(result.tally.spec)
    cells = result.tally.starts.reshape(-1, at.UPS, at.CELL)
    for kind in tables.up_samples(kit.rules):
        sums = by_up.setdefault(kit.up_value(kind), [0, 0, 0])
        for place, part in enumerate(cells[:, kind].sum(axis=0).tolist()):
            sums[place] += part
    for up in analysis.by_up:
        rounds, total, squared = by_up[up.up]
        found = mean_of(total, squared, rounds, result.base_wager)
        name = f"expectation against {up.up}"
        yield _mean("up card", name, up.ev, found)
        yield _frequency("up card", f"{up.up} as up card", up.chance, rounds, result.rounds)
    exact = {(hand.hand, hand.up): hand for hand in analysis.hands()}
    for line in result.starts:
        hand = exact.get((line.hand, line.up))
        if hand is not None and line.ev.trials >= MIN_ROUNDS_OF_A_START:
            name = f"{line.hand} against {line.up}"
            yield _mean("hand", name, hand.ev, line.ev)


@dataclass(frozen=True)
class RowPaid:
    """The amounts on which a pay row paid its odds, in grains."""

    units: int
    alone_squared: int  # sum of squares for hands as dealt: one per round
    together_squared: int  # sum of squares for hands that may be split: several per round
    most_hands: int
    unit: int  # the base wager


def _rows(tally: Tally) -> Iterator[Check]:
    """Check, for each bonus, the total of the wagers on which it pays its odds."""
    spec = tally.spec
    names = [row.name for row, _, _ in winning_rows(spec.rules)]
    trials = tally.rounds * spec.spots
    for row, exact in exact_row_units(spec):
        name = f"{names[row]}, wagers paid"
        paid = _row_paid(tally, row)
        if exact < 1e-12 and not paid.units:
            continue
        if not paid.together_squared and exact < 0.5:
            count = paid.units // paid.unit
            yield _frequency("bonus", name, max(exact, 0.0), count, trials)
        else:
            yield clustered_check("bonus", name, exact, paid, trials)


def _row_paid(tally: Tally, row: int) -> RowPaid:
    kit = compiled_tables(tally.spec)
    codes = codes_by_mode(tally)
    wagers = kit.tables.wagers[: at.WAGERS].tolist()
    units = alone = together = 0
    for mode in range(at.MODES):
        wager = wagers[max(0, mode - at.DOUBLED_ONCE + 1)]
        entries = (at.TERMINAL + row, at.TERMINAL + at.SUPER + row)
        count = sum(int(codes[mode, entry]) for entry in entries)
        units += count * wager
        if mode == at.AS_DEALT:
            alone += count * wager**2
        else:
            together += count * wager**2
    return RowPaid(units, alone, together, kit.rules.split_hands, wagers[0])


def _blackjacks(tally: Tally) -> Iterator[Check]:
    exact = blackjack_frequencies(tally.spec.rules)
    counters = tally.counters
    both = counters[at.BLACKJACKS_PAID] + counters[at.BLACKJACKS_PUSHED]
    kit = compiled_tables(tally.spec)
    cells = tally.starts.reshape(-1, at.UPS, at.CELL)
    nodes = [node for node in kit.graph.two_cards if is_blackjack(kit.graph.shapes[node])]
    own = sum(int(cells[node, :, 0].sum()) for node in nodes)
    for name, share, count in (
        ("player", exact.player, own),
        ("dealer", exact.dealer, counters[at.DEALER_BLACKJACKS]),
        ("both", exact.both, both),
    ):
        yield _frequency("blackjack", name, float(share), count, tally.rounds)


def _matches(tally: Tally) -> Iterator[Check]:
    spec = tally.spec
    if not any(spec.match):
        return
    exact = match_wager(spec.rules)
    counts = tally.match_counts.reshape(at.MATCHES, at.MATCH_CODES)
    for number, name in enumerate(MATCH_NAMES):
        if not spec.match[number]:
            continue
        for outcome in exact.outcomes:
            code = outcome.suited * at.SUITED_MATCH + outcome.unsuited * at.UNSUITED_MATCH
            title = f"{name}: {outcome.name}"
            count = int(counts[number, code])
            share = float(outcome.probability)
            yield _frequency("Match the Dealer", title, share, count, tally.rounds)


def _jackpots(tally: Tally) -> Iterator[Check]:
    spec = tally.spec
    kit = compiled_tables(spec)
    for game, stake in enumerate(spec.jackpots):
        if not stake:
            continue
        report = jackpot_report(spec.rules, game + 1)
        counts = tally.jackpot_counts.reshape(kit.jackpot_pay.shape)[game]
        found: dict[tuple[int, int], int] = {}
        for line, with_up, with_down in zip(*counts.nonzero(), strict=True):
            fixed = int(kit.jackpot_pay[game, line, with_up, with_down]) + stake
            if line and not kit.from_meter[game, line]:
                fixed -= prize_pay(kit.rules, game, int(line))
            key = (int(line), fixed)
            found[key] = found.get(key, 0) + int(counts[line, with_up, with_down])
        shares: dict[tuple[int, int], float] = {}
        for outcome in report.outcomes:
            key = (outcome.special, outcome.fixed)
            shares[key] = shares.get(key, 0.0) + float(outcome.probability)
        for key in sorted({*shares, *found}):
            special, fixed = key
            name = f"jackpot {game + 1}: special line {special}, fixed pay ${fixed / 100:.2f}"
            yield _frequency("jackpot", name, shares.get(key, 0.0), found.get(key, 0), tally.rounds)


def _insurance(result: Result) -> Iterator[Check]:
    for line in result.wagers:
        if line.name == "insurance":
            exact = insurance_wager(result.tally.spec.rules)
            _, won = insurance_sums(result.tally)
            share = float(exact.win_frequency)
            yield _frequency("insurance", "wins", share, won.count, line.placed)


def _super_bonus(tally: Tally) -> Iterator[Check]:
    spec = tally.spec
    if not compiled_tables(spec).rules.super_ranks or not always_tries_super_bonus(spec):
        return
    report = super_bonus_report(spec.rules, [spec.bases[0]])
    codes = codes_by_mode(tally)
    count = int(codes[at.AS_DEALT, at.TERMINAL + at.SUPER :].sum())
    yield _frequency("Super Bonus", "event", float(report.event), count, tally.rounds)


def always_tries_super_bonus(spec: SimulationSpec) -> bool:
    """Whether the strategy hits every two cards that can become a Super Bonus."""
    kit = compiled_tables(spec)
    return all(
        int(action_of(int(kit.plain_codes[at.AS_DEALT, node, kind]))) == actions.HIT
        for node in kit.graph.two_cards
        for kind, up in tables.up_samples(kit.rules).items()
        if may_become_super_bonus(kit.rules, kit.graph.shapes[node], up)
    )


# --- Certificate ---

MIN_ROUNDS = 100_000  # with fewer rounds, almost any value would agree
MIN_LOCKSTEP_ROUNDS = 100
_STEP = 5000  # lockstep rounds between two reports


class InsuringPlayer:
    """The same player, but always insuring; insurance is a separate wager (R-034)."""

    def __init__(self, player: Strategy) -> None:
        self._player = player
        self.insurance = Insurance.ALWAYS

    @property
    def name(self) -> str:
        return self._player.name

    def preferences(self, hand: HandSeen, up: int) -> tuple[int, ...]:
        return self._player.preferences(hand, up)


@dataclass(frozen=True)
class Certificate(TabularResult):
    """The comparisons and the verdict."""

    main_table = "checks"

    rules: Rules
    strategy: str
    seed: int
    result: Result
    checks: tuple[Check, ...]
    lockstep_rounds: int
    differences: tuple[Divergence, ...]
    command: str = ""

    __repr__ = brief_repr

    @property
    def agrees(self) -> bool:
        return not self.differences and all(check.agrees for check in self.checks)

    @property
    def verdict(self) -> str:
        if self.agrees:
            return "agreement: exact analysis, kernel and engine give the same results"
        failed = [check.name for check in self.checks if not check.agrees]
        parts = []
        if failed:
            parts.append(f"{len(failed)} figures differ: {', '.join(failed[:5])}")
        if self.differences:
            parts.append(f"{len(self.differences)} rounds differ between kernel and engine")
        return f"DISAGREEMENT: {'; '.join(parts)}"

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON; unknown values are null."""
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
        """The checks that were made, in words."""
        ev = self.result.ev
        base = self.result.tally.spec.bases[0]
        found = f"{100 * ev.value:.4f}% ± {100 * ev.standard_error:.4f}%"
        exact = "the simulated strategy from fresh shoes, split hands included"
        kernel = f"{self.result.rounds:,} rounds from fresh shoes, seed {self.seed}"
        engine = f"{self.lockstep_rounds:,} rounds in lockstep with the kernel"
        tests = f"{len(self.checks)} figures, corrected for their number (Holm)"
        rows = [
            ("rules", canonical(self.rules)),
            ("fingerprint", fingerprint(self.rules)),
            ("program", f"Ventiuna {version()}"),
            ("strategy", self.strategy),
            ("wagers", f"base wager {money_text(base)} and all side bets offered, one spot"),
            ("exact", exact),
            ("kernel", f"{kernel}: expectation {found}"),
            ("engine", f"{engine}, {len(self.differences)} different"),
            ("tests", f"{tests}; a correct program has a {100 * LEVEL:g}% chance of failing one"),
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
    """Analyze, simulate with every wager offered, and replay in the engine."""
    for name, requested, fewest in (
        ("rounds", rounds, MIN_ROUNDS),
        ("lockstep", lockstep_rounds, MIN_LOCKSTEP_ROUNDS),
    ):
        if not is_whole_number(requested) or requested < fewest:
            raise plan_problem(
                name, requested, f"a certificate needs at least {fewest:,} rounds", "Raise it."
            )
    check_report(report)
    loaded = rules if isinstance(rules, Rules) else load_rules(rules)
    plan = _full_plan(loaded, base, seed)
    player = InsuringPlayer(find_strategy(strategy, loaded, plan.base_wager))
    run = begin_run(replace(plan, strategy=player), rounds)

    def rounds_done(progress: Progress) -> None:
        if report:
            report("kernel", progress.rounds / rounds)

    with threads(workers) as found:
        result = run.go(found, rounds_done)
    if not result.complete:
        raise KeyboardInterrupt
    checks = tuple(compare_figures(result))
    differences: list[Divergence] = []
    for start in range(0, lockstep_rounds, _STEP):
        step = min(_STEP, lockstep_rounds - start)
        differences += find_differences(run.spec, player, step, number=10**6 + start)
        if report:
            report("engine", (start + step) / lockstep_rounds)
    return Certificate(
        loaded, player.name, seed, result, checks, lockstep_rounds, tuple(differences), command
    )


def _full_plan(rules: Rules, base: int, seed: int) -> Plan:
    """One spot with every wager that the table offers, and a fresh shoe every round."""
    smallest = max(rules.mtd_minimum, rules.chip_unit)
    return Plan(
        rules,
        base=base or max(rules.table_minimum, smallest),
        match=dict.fromkeys(rules.mtd_wagers, smallest),
        jackpots=tuple(range(1, len(rules.jackpots) + 1)),
        shoe=ShoeUse.FRESH,
        seed=seed,
    )
