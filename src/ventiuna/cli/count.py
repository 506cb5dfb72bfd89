"""`ventiuna count …`: the command group, and `count simulate`, `compare` and `jackpot`."""

from __future__ import annotations

from fractions import Fraction
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from ventiuna.analysis.results import (
    CENTS_2,
    CENTS_4,
    WHOLE,
    Column,
    Form,
    FormattedNumber,
    cents_text,
)
from ventiuna.cli.common.commands import App
from ventiuna.cli.common.console import JsonFlag, console, note, number_table, print_json
from ventiuna.cli.common.reports import print_command, print_heading, print_section
from ventiuna.cli.common.tables import OutputTable
from ventiuna.cli.count_design import (
    ResumeOption,
    bar_text,
    design,
    evaluate,
    print_title,
    show_effects,
    show_indices,
)
from ventiuna.cli.simulate import INTERRUPTED, FinishedRun, file_option, run_simulation
from ventiuna.counting.queries import (
    CompareQuery,
    CountSimulationQuery,
    JackpotWorthQuery,
    PlayedCount,
)
from ventiuna.files import check_file, make_folder, write_file
from ventiuna.money import money_text
from ventiuna.rules import Rules, canonical

if TYPE_CHECKING:
    from ventiuna.counting.jackpots import JackpotWorth, Waiting
    from ventiuna.counting.study import Comparison, Earnings, RiskStudy
    from ventiuna.simulation.result import Result
    from ventiuna.simulation.run import Run
    from ventiuna.strategy.counting import Count


# --- Checkpoints ---


def restore_tally(run: Run, path: Path) -> None:
    """Continue from a checkpoint of the same run."""
    from ventiuna.simulation.checkpoint import read_checkpoint, resume

    resume(run, *read_checkpoint(path))


def checkpoint_info(rules: Rules, count: Count, seed: int) -> dict[str, Any]:
    """The settings stored in a checkpoint; the command line must repeat all others."""
    return {"rules": canonical(rules), "count": count.name, "seed": seed}


# --- Shared options ---

WorkersOption = Annotated[
    int,
    typer.Option(
        "--workers",
        "--threads",
        help="Number of threads; 0 for one per core.",
        show_default=False,
    ),
]
PlotOption = Annotated[Path | None, file_option(help="Write a plot (SVG) to this file.")]


# --- count simulate ---

RARE = 1e-4  # rarer counts are only in the JSON


def simulate(
    query: CountSimulationQuery,
    workers: WorkersOption = 0,
    save: Annotated[
        Path | None,
        file_option(help="Save a checkpoint to this file."),
    ] = None,
    resume: ResumeOption = None,
    save_count: Annotated[
        Path | None,
        file_option(help="Write the count with these bets to a file."),
    ] = None,
    plot: PlotOption = None,
    json: JsonFlag = False,
) -> None:
    from ventiuna.counting.files import save_count as write_count
    from ventiuna.counting.files import with_bets
    from ventiuna.counting.study import by_count_svg

    rules, known = query.rules, query.known
    for path in filter(None, (save, resume, save_count, plot)):
        check_file(path)
    finished: list[FinishedRun] = []

    def play(run: Run) -> Result:
        if resume is not None:
            restore_tally(run, resume)
        info = checkpoint_info(rules, known, query.seed)
        finished.append(run_simulation(run, info, save or resume, workers))
        return finished[0].result

    found = query.run(play=play, workers=workers)
    if json:
        print_json(query.data(found))
    else:
        _print(console(), query, found)
        print_command(console(), query.as_played(found).words())
    if plot is not None:
        write_file(plot, by_count_svg(found.study))
        note(f"written to {plot}")
    if save_count is not None:
        count = with_bets(known, found.earnings.ramp.scaled(1 / query.lowest_bet))
        write_count(save_count, count, rules.pack)
        note(f"written to {save_count}")
    if (unsaved := finished[0].unsaved) is not None:
        raise unsaved
    if not found.study.result.complete:
        if kept := save or resume:
            note(f"To continue: {query.repeat('--resume', str(kept))}")
        raise typer.Exit(INTERRUPTED)


def _print(out: Console, query: CountSimulationQuery, found: PlayedCount) -> None:
    from ventiuna.counting.tags import Scale

    study, best, earnings, risk = found
    spread, unit = query.spread, query.lowest_bet / 100
    result = study.result
    print_title(out, study.count.title, study.rules)
    state = "" if result.complete else ", stopped early"
    out.print(
        f"{result.rounds:,} rounds{state}, strategy {result.tally.spec.strategy} "
        f"with the count's plays, {study.rules.cut_card_percent}% of the shoe dealt, "
        f"seed {result.tally.spec.seed}"
    )
    out.print(Scale(study.count, study.rules).text())
    if result.tally.spec.misfit:
        out.print(f"warning: {result.tally.spec.misfit}")
    ramp = earnings.ramp.scaled(1 / 100)  # dollars
    maximum = max((abs(at.ev) for at in study.counts if at.frequency >= RARE), default=1.0)
    columns = (
        Column("count", None, lambda row: f"{row[0].count:+d}"),
        Column("rounds", Form(3, "percent"), lambda row: row[0].frequency),
        Column("ev", Form(3, "percent", plus=True), lambda row: row[0].ev),
        Column("±", Form(2, "percent"), lambda row: row[0].ev_error),
        Column("smooth", Form(3, "percent", plus=True), lambda row: row[1].ev),
        Column("sd", Form(4), lambda row: row[0].variance ** 0.5),
        Column("best", Form(2), itemgetter(2)),
        Column("bet", CENTS_2, itemgetter(3)),
        Column("drawn", None,
               lambda row: bar_text(max(-maximum, min(row[1].ev, maximum)), 2 * maximum)),
    )  # fmt: skip
    rows = zip(study.simulated, study.counts, best.bets, earnings.ramp.bets, strict=True)
    table = OutputTable.of(columns, (row for row in rows if row[0].frequency >= RARE))
    table.columns[-1].justify = "left"
    notes = [
        "each row includes counts up to the next whole number; ev and sd are per unit bet",
        "smooth: a cubic fit to ev, used only to choose bets; all results below use ev and sd",
        "rarer counts are included in the results and shown by --json",
        f"best: units with the highest SCORE at a spread of {spread:g}; bet: for this bankroll",
    ]
    print_section(out, "By count", table, notes)
    money = number_table("", "", "", words=1)
    money.add_row(f"SCORE, spread 1 to {spread:g}", f"{best.c_score:.2f}",
                  f"± {best.c_score_error:.2f}")  # fmt: skip
    money.add_row("c-SCORE of these bets", f"{ramp.c_score:.2f}", f"± {ramp.c_score_error:.2f}")
    money.add_row("DI", f"{ramp.desirability:.3f}", "")
    n_zero = f"{ramp.n_zero:,.0f} rounds" if ramp.mean > 0 else "never"
    money.add_row("N0", n_zero, "")
    hour = earnings.rounds_an_hour
    money.add_row(
        "win per 100 rounds", CENTS_2.text(1e4 * ramp.mean), f"± ${100 * ramp.mean_error:,.2f}"
    )
    money.add_row(f"win per hour of {hour:g} rounds", CENTS_2.text(100 * hour * ramp.mean),
                  f"sd ${hour**0.5 * ramp.deviation:,.2f}")  # fmt: skip
    money.add_row("average bet", f"${ramp.average_bet:,.2f}", "")
    money.add_row(f"certainty equivalent per hour, Kelly {earnings.kelly:g}",
                  CENTS_2.text(earnings.certainty_equivalent), "")  # fmt: skip
    fraction = earnings.kelly_fraction
    kelly = f"{fraction:.3f}" if ramp.mean > 0 else "none (these bets lose)"
    money.add_row("Kelly fraction of these bets", kelly, "")
    money.add_row("lifetime risk of ruin", f"{100 * earnings.lifetime_ruin:.3f}%",
                  f"± {100 * earnings.lifetime_ruin_error:.3f}%")  # fmt: skip
    bankroll = f"Bankroll ${earnings.bankroll / 100:,.0f}"
    title = f"{bankroll}, bets from ${unit:,.2f} to ${spread * unit:,.2f}"
    print_section(out, title, money, [*filter(None, [bankroll_note(earnings)])])
    if risk is not None:
        _print_risk(out, risk)


def bankroll_note(earnings: Earnings) -> str:
    """Explain why the bets are too large for the bankroll; "" if they aren't too large."""
    if earnings.certainty_equivalent >= 0:
        return ""
    if earnings.ramp.mean <= 0:
        return "These bets lose. Try a wider --spread, --sit-out-below, or a better count."
    needed = earnings.ramp.kelly_bankroll(earnings.kelly) / 100
    return (
        f"These bets are too risky for this bankroll at Kelly {earnings.kelly:g}, and the lowest "
        f"bet can't be reduced. They need a bankroll of about ${needed:,.0f}."
    )


def _print_risk(out: Console, risk: RiskStudy) -> None:
    table = OutputTable.of(risk.columns, risk.records())
    notes = [
        "independent rounds: exact for the simulated distribution, in half units",
        "simulated: whole trips, so rounds from the same shoe are correlated",
    ]
    title = (
        f"Risk with {risk.bankroll:,.0f} units, {risk.mean:+.5f} ± {risk.mean_error:.5f} per round"
    )
    print_section(out, title, table, notes)


# --- count compare ---


def compare(
    query: CompareQuery,
    workers: WorkersOption = 0,
    save: Annotated[
        Path | None,
        file_option(metavar="FOLDER", help="Save a checkpoint for each count in this folder."),
    ] = None,
    resume: Annotated[
        Path | None,
        file_option(metavar="FOLDER", help="Continue from this folder; repeat the other options."),
    ] = None,
    plot: PlotOption = None,
    json: JsonFlag = False,
) -> None:
    from ventiuna.counting.study import compared_svg

    rules, number, spread = query.rules, query.rounds, query.spread
    if plot is not None:
        check_file(plot)
    keep = save or resume

    def play(item: Comparison, run: Run) -> Result:
        kept = None
        if keep is not None:
            make_folder(keep)
            kept = keep / f"{run.spec.digest}.checkpoint"
            if resume is not None and kept.exists():
                restore_tally(run, kept)
        note(f"{item.count.name}, {item.penetration}% dealt: {number:,} rounds")
        info = checkpoint_info(item.rules, item.count, query.seed)
        played = run_simulation(run, info, kept, workers)
        if played.unsaved is not None:
            raise played.unsaved
        if not played.result.complete:
            if keep is None:
                note("Stopped. Use --save FOLDER to keep the results so far.")
            else:
                note(f"To continue: {query.repeat('--resume', str(keep))}")
            raise typer.Exit(INTERRUPTED)
        return played.result

    found = query.run(play=play)
    if json:
        print_json(query.data(found))
    else:
        out = console()
        print_title(out, "Counts side by side", rules)
        maximum = max(item.ramp.c_score for item in found)
        drawn = Column("drawn", None, lambda item: bar_text(item.ramp.c_score, 2 * maximum))
        table = OutputTable.of((*found.columns, drawn), found)
        table.columns[-1].justify = "left"
        notes = [f"win per 100 rounds and average bet in units; spread 1 to {spread:g}"]
        print_section(out, f"{number:,} rounds each", table, notes)
        print_command(out, query.words())
    if plot is not None:
        write_file(plot, compared_svg(found))
        note(f"written to {plot}")


# --- count jackpot ---


def show_jackpot(query: JackpotWorthQuery, json: JsonFlag = False) -> None:
    worth, hits, per_hour = query.run(), query.hits, query.per_hour
    if json:
        print_json(query.data(worth))
        return
    waits = {
        f"until the meter is emptied{f' {hits:,} times' if hits > 1 else ''}": worth.waiting(),
        "until anything is paid out of the meter": worth.waiting_for_award(),
    }  # computed before printing, because a wait that can't end is an error
    out = console()
    _print_worth(out, worth)
    if worth.meter is not None:
        _print_expected(out, worth, worth.meter, per_hour)
    for name, waiting in waits.items():
        if waiting is not None:
            _print_waiting(out, f"Rounds {name}", waiting, worth, per_hour)
    print_command(out, query.words())


def _print_worth(out: Console, worth: JackpotWorth) -> None:
    jackpot = worth.report.jackpot
    title = f"Jackpot game {worth.report.number}: {worth.report.title}, {jackpot.kind}"
    print_heading(out, f"{title}, wager {money_text(jackpot.wager)}", worth.awards.basis)
    table = number_table("", "breaks even at", "per million of the meter")
    for seat in worth.seats:
        name = f"seat {seat.seat} of {worth.players}"
        table.add_row(name, _meter(seat.break_even), _per_million(seat.share))
    if worth.players > 1:
        share = _per_million(worth.table_share)
        table.add_row("whole table, per round", _meter(worth.table_break_even), share)
    if worth.ours < worth.players:
        share = _per_million(worth.team_share)
        table.add_row(f"team of {worth.ours}, per round", _meter(worth.team_break_even), share)
    table.add_row(
        f"{_who(worth)}, staying until the meter is emptied", _meter(worth.staying_break_even), ""
    )
    notes = [
        f"apart from the meter, a wager costs {cents_text(worth.cost)}",
        f"each round raises the meter by {cents_text(worth.raised)}",
        "staying: your contributions come back with the meter unless someone else wins it first",
    ]
    print_section(out, "Break-even meters", table, notes)


def _print_expected(out: Console, worth: JackpotWorth, meter: int, per_hour: float) -> None:
    values = number_table("", "")
    values.add_row(f"{_who(worth)}, per round", FormattedNumber(worth.round_value(), CENTS_4))
    hour = Fraction(str(per_hour)) * worth.round_value()
    values.add_row(f"per hour of {per_hour:g} rounds", FormattedNumber(hour, CENTS_2))
    staying = worth.staying_value()
    if staying is not None:
        values.add_row("staying until the meter is emptied", FormattedNumber(staying, CENTS_2))
    print_section(out, f"Expected value at a meter of {money_text(meter)}", values)


def _who(worth: JackpotWorth) -> str:
    if worth.players == 1:
        return "one seat"
    return "all seats" if worth.ours == worth.players else f"team of {worth.ours}"


def _meter(cents: Fraction | None) -> str | FormattedNumber:
    return "no meter" if cents is None else FormattedNumber(cents, CENTS_2)


def _per_million(share: Fraction) -> FormattedNumber:
    return FormattedNumber(share * 10**6, Form(4))


def _print_waiting(
    out: Console,
    title: str,
    waiting: Waiting,
    worth: JackpotWorth,
    per_hour: float,
) -> None:
    from ventiuna.counting.jackpots import QUANTILES

    meter = worth.meter
    headings = ["within", "rounds", "hours"]
    table = number_table(*headings, *(["meter by then"] if meter is not None else []))
    for share in QUANTILES:
        rounds = waiting.quantile(share)
        row = [
            FormattedNumber(rounds, WHOLE),
            FormattedNumber(rounds / per_hour, Form(1, grouped=True)),
        ]
        if meter is not None:
            row.append(FormattedNumber(meter + rounds * worth.raised, CENTS_2))
        table.add_row(f"{100 * share:g}%", *row)
    mean = float(waiting.mean)
    notes = [
        f"on average {mean:,.1f} rounds, {mean / per_hour:,.1f} hours",
        f"standard deviation {waiting.deviation:,.1f} rounds",
    ]
    if meter is not None:
        notes.append("meter by then: assuming no award before then")
    print_section(out, title, table, notes)


# --- The group ---

commands = App(
    no_args_is_help=True,
    help="Card counting: effects of removal, best tags, index numbers, bets, risk, jackpots.",
)


commands.command("effects")(show_effects)  # help lists the commands in this order
commands.command("design")(design)
commands.command("evaluate")(evaluate)
commands.command("index")(show_indices)
commands.command("simulate")(simulate)
commands.command("compare")(compare)
commands.command("jackpot")(show_jackpot)


@commands.callback()
def _group() -> None:
    pass
