"""A simulation's result as text, each estimate with its standard error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console

from ventiuna.analysis.results import Form
from ventiuna.cli.common.console import number_table
from ventiuna.cli.common.exports import ResultOptions
from ventiuna.cli.common.reports import print_command, print_section
from ventiuna.kernels.simulate import layout as at
from ventiuna.money import money_text
from ventiuna.simulation.result import session_data
from ventiuna.simulation.spec import describe
from ventiuna.simulation.statistics import Estimate, n_zero
from ventiuna.texts import one_line

if TYPE_CHECKING:
    from ventiuna.simulation.result import Result


_COSTLY = 10  # decisions shown
UNKNOWN = "unknown"
_RAREST_SHARE = 1e-4  # rarer events are shown as "1 in"


def print_result(
    out: Console,
    result: Result,
    workers: str,
    words: list[str],
    options: ResultOptions,
) -> None:
    _print_heading(out, result, workers)
    _print_base_game(out, result)
    _print_wagers(out, result)
    if result.meters:
        _print_meters(out, result)
    if result.tally.sessions.sessions:
        _print_sessions(out, result, options.fall)
    if options.details:
        _print_events(out, result)
        _print_starts(out, result)
    if options.regret:
        _print_regret(out, result)
    print_command(out, words)


def _print_heading(out: Console, result: Result, workers: str) -> None:
    spec = result.tally.spec
    facts = describe(spec)
    shoe = "a new shoe every round" if spec.shoe == "fresh" else "dealt to the cut card"
    out.print(f"Simulation: {spec.rules.title}")
    out.print(f"rules {facts['rules']}, fingerprint {facts['fingerprint']}")
    out.print(
        f"strategy {spec.strategy}; {shoe}; {spec.spots} spot{'s' if spec.spots > 1 else ''}; "
        f"base wager {money_text(spec.bases[0])}"
    )
    if spec.misfit:
        out.print(one_line(spec.misfit))
    if spec.count is not None:
        out.print(f"bets and plays by the count {spec.count.name}: {spec.count.title}")
    if spec.error_limit:
        out.print(f"errors in {100 * spec.error_limit / 2**53:g}% of decisions")
    rate = result.rounds_per_second / 1e6
    state = "" if result.complete else ", stopped early"
    out.print(
        f"{result.rounds:,} rounds{state}; seed {spec.seed}; "
        f"{rate:.1f} million per second with {workers}"
    )
    void = result.tally.counters[at.VOID]
    if void:
        out.print(f"{void:,} rounds voided because every card in the shoe was on the table")


def _print_base_game(out: Console, result: Result) -> None:
    ev = result.ev
    table = number_table("", "estimate", "standard error", gap=3)
    table.add_row("house edge, per base wager", *_percent(ev, -1))
    if result.tally.whole_blocks > 1:
        name = f"  from the spread of {result.tally.whole_blocks} blocks only"
        table.add_row(name, "", f"{100 * result.block_error:.4f}%")
    if len(result.tally.spec.bases) > 1:
        bet = result.average_bet
        name = "average base wager, in units of the smallest"
        table.add_row(name, f"{bet.value:.5f}", _number(bet.standard_error, 5))
    table.add_row(
        "chips risked, in base wagers",
        f"{result.stake.value:.5f}",
        _number(result.stake.standard_error, 5),
    )
    table.add_row("element of risk, per chip risked", *_percent(result.element_of_risk))
    table.add_row("standard deviation of a round", f"{ev.sd:.5f}", _number(result.sd_error, 5))
    if result.spots > 1 and result.rounds:
        pairs = [result.covariance[i][k] for i in range(result.spots) for k in range(i)]
        error = _number(result.covariance_error or math.inf, 5)
        table.add_row("covariance of two spots", f"{sum(pairs) / len(pairs):.5f}", error)
    n_zero = n_zero_words(result.ev)
    if n_zero:
        table.add_row(f"N0: {n_zero.meaning}, in rounds", n_zero.rounds, n_zero.error)
    print_section(out, "Base game", table)


class NZero(NamedTuple):
    """N0 in words: rounds after which the expectation equals one standard deviation."""

    meaning: str
    rounds: str
    error: str


def n_zero_words(estimate: Estimate) -> NZero | None:
    """Describe N0; None if the expectation isn't significantly different from zero."""
    if abs(estimate.value) <= 2 * estimate.standard_error:
        return None
    found = n_zero(estimate)
    meaning = f"expected {'win' if estimate.value > 0 else 'loss'} equals one deviation"
    return NZero(meaning, f"{found.value:,.0f}", f"{found.standard_error:,.0f}")


def _print_wagers(out: Console, result: Result) -> None:
    if len(result.wagers) < 2:
        return
    table = number_table("wager", "placed", "ev", "standard error", "per", gap=2)
    for line in result.wagers:
        table.add_row(line.name, f"{line.placed:,}", *_percent(line.ev), line.per)
    n_zero = n_zero_words(result.total)
    notes = []
    if n_zero:
        rounds = f"{n_zero.rounds} rounds (standard error {n_zero.error})"
        notes.append(f"for all wagers, the {n_zero.meaning} after N0 = {rounds}")
    print_section(out, "Wagers", table, notes)


def _print_meters(out: Console, result: Result) -> None:
    headings = ("jackpot", "line", "hits", "paid on average", "standard error")
    table = number_table(*headings, words=2, gap=2)
    for meter in result.meters:
        for number, award in enumerate(meter.awards):
            game = f"{meter.game} (table {meter.table})" if number == 0 else ""
            average = money_text(round(award.average.value)) if award.hits else UNKNOWN
            error = money_text(round(award.average.standard_error)) if award.hits > 1 else UNKNOWN
            table.add_row(game, award.name, f"{award.hits:,}", average, error)
    notes = [
        f"jackpot {meter.game}: {meter.resets:,} resets, highest {money_text(meter.highest)}, "
        f"now {money_text(meter.last)}; seeds cost the house {money_text(meter.seeded)}"
        for meter in result.meters
    ]
    print_section(out, "Meters", table, notes)


def _print_sessions(out: Console, result: Result, fall: int) -> None:
    data = session_data(result)
    assert data is not None
    table = number_table("", "estimate", "standard error", gap=3)
    table.add_row(
        "mean result, in base wagers",
        f"{result.session_mean.value:+.3f}",
        _number(result.session_mean.standard_error, 3),
    )
    for share in (5, 50, 95):
        found = result.session_quantile(share / 100)
        error = _number(found.standard_error, 1)
        table.add_row(f"{share}% end at or below", f"{found.value:+.0f}", error)
    falls = [fall] if fall else [line["bankroll_wagers"] for line in data["ruin"]]
    for wagers in falls:
        table.add_row(f"drop by {wagers:,} base wagers", *_percent(result.ruin(wagers), digits=3))
    longest = result.longest_losing_run
    error = _number(longest.standard_error, 2)
    table.add_row("longest losing run", f"{longest.value:.2f}", error)
    title = f"{data['sessions']:,} sessions of {data['length']:,} rounds"
    notes = ["drops don't include meter awards won in that session"] if result.meters else []
    print_section(out, title, table, notes)


def _print_events(out: Console, result: Result) -> None:
    table = number_table("event", "count", "frequency", "standard error", "pay", gap=2)
    for line in (*result.events, *result.dealer):
        pay = "" if line.pay is None else f"{line.pay:+g}"
        frequency, error = _frequency(line.frequency)
        table.add_row(line.name, f"{line.count:,}", frequency, error, pay)
    print_section(
        out, "Events, per spot and round", table, ["pay in base wagers, not counting the stake"]
    )


def _print_starts(out: Console, result: Result) -> None:
    """Print the worst and best starting hands; --csv and --json have all of them."""
    worst = sorted(result.starts, key=lambda line: line.ev.value)
    chosen = [*worst[:5], *worst[-5:]] if len(worst) > 10 else worst
    table = number_table("hand", "up card", "rounds", "ev", "standard error", words=2, gap=2)
    for line in chosen:
        table.add_row(line.hand, line.up, f"{line.ev.trials:,}", *_percent(line.ev, digits=2))
    print_section(out, "Starting hands: the five worst and best", table)


def _print_regret(out: Console, result: Result) -> None:
    from ventiuna.proof.regret import regret_lines, total_regret

    lines = regret_lines(result)
    table = number_table("hand", "up", "done", "better", "cost", "error", words=4, gap=2)
    for line in lines[:_COSTLY]:
        name = line.hand if line.state == "first hand" else f"{line.hand}, {line.state}"
        table.add_row(name, line.up, line.action, line.best, *_percent(line.cost))
    total, error = _percent(total_regret(lines))
    note = f"all {len(lines)} together: {total} ± {error}, from exact values for a fresh shoe"
    print_section(out, "Costly decisions, per round", table, [note])


def _percent(estimate: Estimate, sign: int = 1, digits: int = 4) -> tuple[str, str]:
    value = Form(digits, "percent").text(sign * estimate.value)
    return value, _number(estimate.standard_error, digits, "percent")


def _number(value: float, digits: int, unit: str = "") -> str:
    """Format a number; the error of a single trial is unknown."""
    return Form(digits, unit).text(value) if math.isfinite(value) else UNKNOWN


def _frequency(estimate: Estimate) -> tuple[str, str]:
    if 0 < estimate.value < _RAREST_SHARE:
        one_in = 1 / estimate.value
        return f"1 in {one_in:,.0f}", f"{one_in * estimate.standard_error / estimate.value:,.0f}"
    return _percent(estimate)
