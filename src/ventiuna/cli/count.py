"""`ventiuna count …`: the command group, and `count simulate`, `compare` and `jackpot`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.console import Console

from ventiuna.analysis.coerce import (
    command_text,
    input_error,
    options_to_args,
    read_number,
    rules_to_args,
)
from ventiuna.cli.common.commands import App
from ventiuna.cli.common.console import JsonFlag, RulesArgument, console, note, print_json
from ventiuna.cli.common.reports import (
    GameOption,
    PayTableOption,
    TableOption,
    WagerOption,
    number_table,
    print_command,
    print_heading,
    print_section,
)
from ventiuna.cli.common.rules_args import DEFAULT_RULES, JACKPOT_RULES
from ventiuna.cli.count_design import (
    CountOption,
    PlotOption,
    ResumeOption,
    SpreadOption,
    StartOption,
    StrategyOption,
    TagsOption,
    WorkersOption,
    bar_text,
    read_base,
    register_design,
    register_effects,
    register_evaluate,
    register_index,
)
from ventiuna.cli.simulate import RunPlaces, run_simulation
from ventiuna.files import check_file, make_folder, write_file
from ventiuna.money import money_text
from ventiuna.rules import canonical, fingerprint, load_rules

if TYPE_CHECKING:
    from ventiuna.counting.betting import Ramp
    from ventiuna.counting.jackpots import JackpotWorth, Waiting
    from ventiuna.counting.study import CountStudy, Earnings, RiskStudy
    from ventiuna.simulation.run import Run


# --- Checkpoints ---

INTERRUPTED = 130


@dataclass(frozen=True)
class CheckpointInfo:
    """The settings stored in a checkpoint; the command line must repeat the others."""

    rules: str
    count: str
    seed: int

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


def restore_tally(run: Run, path: Path) -> None:
    """Restore the tally from a checkpoint, which must be from the same run."""
    from ventiuna.simulation.checkpoint import read_checkpoint, restore

    run.tally = restore(run.spec, *read_checkpoint(path))
    if run.tally.blocks > run.blocks:
        raise input_error(
            "rounds", run.rounds, f"the checkpoint already has {run.tally.dealt:,}", "Request more."
        )


# --- count simulate ---

DEFAULT_ROUNDS = "2e7"
RARE = 1e-4  # rarer counts are only in the JSON


def register_simulate(app: typer.Typer) -> None:
    app.command("simulate")(simulate)


def simulate(
    rules: RulesArgument = DEFAULT_RULES,
    count: CountOption = "",
    tags: TagsOption = "",
    start: StartOption = "",
    rounds: Annotated[str, typer.Option(help="Rounds to play at flat bets.")] = DEFAULT_ROUNDS,
    spread: SpreadOption = 8.0,
    bankroll: Annotated[
        str, typer.Option(metavar="AMOUNT", help="Bankroll in dollars.")
    ] = "10000",
    unit: Annotated[
        str,
        typer.Option(metavar="AMOUNT", help="Lowest bet. Default: the table minimum.",
                     show_default=False),
    ] = "",
    kelly: Annotated[
        float, typer.Option(help="Fraction of the Kelly bet.", min=0.01, max=2.0)
    ] = 0.5,
    per_hour: Annotated[
        float, typer.Option(help="Rounds dealt per hour.", min=1.0, max=10_000.0)
    ] = 100.0,
    sit_out_below: Annotated[
        int | None,
        typer.Option(help="Bet nothing below this count.", show_default=False),
    ] = None,
    trip: Annotated[
        str,
        typer.Option(metavar="ROUNDS", help="Also play the bets in trips of this many rounds.",
                     show_default=False),
    ] = "",
    goal: Annotated[
        str, typer.Option(metavar="AMOUNT", help="Amount to win on a trip. Default: the bankroll.",
                          show_default=False)
    ] = "",
    spots: Annotated[int, typer.Option(help="Number of spots, all bet alike.", min=1, max=7)] = 1,
    strategy: StrategyOption = "optimal",
    seed: Annotated[int, typer.Option(help="Seed for the shuffles.")] = 21,
    workers: WorkersOption = 0,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save a checkpoint of the rounds.", show_default=False),
    ] = None,
    resume: ResumeOption = None,
    save_count: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the count with these bets to a file.",
                     show_default=False),
    ] = None,
    plot: PlotOption = None,
    json: JsonFlag = False,
) -> None:  # fmt: skip
    """Frequency, mean and deviation at each count; the best bets, their earnings and risk."""
    from ventiuna.counting.files import coerce_count, flat, with_bets
    from ventiuna.counting.files import save_count as write_count
    from ventiuna.counting.study import CountStudy, PlayConditions, by_count_svg, counting_run

    loaded = load_rules(rules)
    known = coerce_count(count, tags, start, loaded)
    number = read_number("rounds", rounds)
    length = read_number("trip", trip) if trip else 0
    cents = read_base("unit", unit) or loaded.table_minimum
    money = read_base("bankroll", bankroll) or 0
    target = read_base("goal", goal) or money
    for path in filter(None, (save, resume, save_count, plot)):
        check_file(path)
    sitting = PlayConditions(strategy, spots, 0, seed)
    run = counting_run(loaded, flat(known), number, sitting)
    if resume is not None:
        restore_tally(run, resume)
    played = run_simulation(run, RunPlaces(workers, "", save or resume),
                  CheckpointInfo(canonical(loaded), known.name, seed))  # fmt: skip
    study = CountStudy(loaded, known, played.result, sitting)
    lowest = cents / 100
    best = study.spread_ramp(spread, sit_out_below)
    earnings = study.earnings(money, unit=cents, spread=spread, kelly=kelly, per_hour=per_hour,
                              sit_out_below=sit_out_below)  # fmt: skip
    risk = None
    if length:
        risk = study.risk(length, money, goal=target, unit=cents, spread=spread, kelly=kelly,
                          sit_out_below=sit_out_below, rounds=number, workers=workers)  # fmt: skip
    words = [
        "count",
        "simulate",
        *rules_to_args(loaded),
        *options_to_args(count=count, tags=tags, start=start),
    ]
    words += ["--rounds", str(played.result.tally.dealt), "--spread", f"{spread:g}"]
    words += options_to_args(bankroll=bankroll, unit=unit, trip=trip, goal=goal)
    words += ["--kelly", f"{kelly:g}", "--per-hour", f"{per_hour:g}"]
    words += [] if sit_out_below is None else ["--sit-out-below", str(sit_out_below)]
    words += ["--spots", str(spots)] if spots > 1 else []
    words += ["--strategy", strategy] if strategy != "optimal" else []
    words += ["--seed", str(seed)]
    if json:
        print_json(
            study_data(study)
            | {
                "spread_wagers": spread,
                "score": best.c_score,
                "score_standard_error": best.c_score_error,
                "bets_of_the_spread_wagers": list(best.bets),
                "money": earnings.as_data(),
                "risk": None if risk is None else {**risk.more_facts(), "risks": risk.rows()},
                "command": command_text([*words, "--json"]),
            }
        )
    else:
        _print(console(), study, best, earnings, risk, spread, lowest)
        print_command(console(), words)
    if plot is not None:
        write_file(plot, by_count_svg(study))
        note(f"written to {plot}")
    if save_count is not None:
        write_count(save_count, with_bets(known, earnings.ramp.scaled(1 / cents)), loaded.pack)
        note(f"written to {save_count}")
    if played.unsaved is not None:
        raise played.unsaved
    if not played.result.complete:
        if kept := save or resume:
            words[words.index("--rounds") + 1] = str(number)
            note(f"To continue: {command_text([*words, '--resume', str(kept)])}")
        raise typer.Exit(INTERRUPTED)


def study_data(study: CountStudy) -> dict[str, object]:
    from ventiuna.counting.betting import super_bonus_of
    from ventiuna.counting.tags import Scale

    result = study.result
    base = result.tally.spec.bases[0]
    bonus = super_bonus_of(study.rules, base)
    return {
        "rules": canonical(study.rules),
        "fingerprint": fingerprint(study.rules),
        "count": study.count.name,
        "rounds": result.rounds,
        "seed": result.tally.spec.seed,
        "strategy": result.tally.spec.strategy,
        "penetration_percent": study.rules.cut_card_percent,
        "misfit": result.tally.spec.misfit,
        "scale": Scale(study.count, study.rules).text(),
        "base_cents": base,
        "super_bonus_frequency": bonus.chance if bonus else 0.0,
        "by_count": study.rows(),
    }


def dollars(amount: float) -> str:
    """
    >>> dollars(-1234.5)
    '-$1,234.50'
    """
    return f"{'-' if amount < 0 else ''}${abs(amount):,.2f}"


# --- text -------------------------------------------------------------------------------------


def _print(
    out: Console,
    study: CountStudy,
    best: Ramp,
    earnings: Earnings,
    risk: RiskStudy | None,
    spread: float,
    unit: float,
) -> None:
    from ventiuna.counting.tags import Scale

    result = study.result
    out.print(f"{study.count.title}: {study.rules.title}")
    out.print(f"rules {canonical(study.rules)}, fingerprint {fingerprint(study.rules)}")
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
    table = number_table("count", "rounds", "ev", "±", "smooth", "sd", "best", "bet", "drawn")
    table.columns[-1].justify = "left"
    rows = zip(study.simulated, study.counts, best.bets, ramp.bets, strict=True)
    for at, smooth, units, bet in rows:
        if at.frequency >= RARE:
            table.add_row(
                f"{at.count:+d}",
                f"{100 * at.frequency:.3f}%",
                f"{100 * at.ev:+.3f}%",
                f"{100 * at.ev_error:.2f}%",
                f"{100 * smooth.ev:+.3f}%",
                f"{at.variance**0.5:.4f}",
                f"{units:.2f}",
                f"${bet:,.2f}",
                bar_text(max(-maximum, min(smooth.ev, maximum)), 2 * maximum),
            )
    notes = [
        "count: from this count up to the next whole one; ev and sd are per unit bet",
        "smooth: a cubic fit to ev, used only to choose bets; all results below use ev and sd",
        "rarer counts are included in the results and shown by --json",
        f"best: units for the highest SCORE with a spread of {spread:g}; bet: for this bankroll",
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
        "win per 100 rounds", dollars(100 * ramp.mean), f"± ${100 * ramp.mean_error:,.2f}"
    )
    money.add_row(f"win per hour of {hour:g} rounds", dollars(hour * ramp.mean),
                  f"sd ${hour**0.5 * ramp.deviation:,.2f}")  # fmt: skip
    money.add_row("average bet", f"${ramp.average_bet:,.2f}", "")
    money.add_row(f"certainty equivalent per hour, Kelly {earnings.kelly:g}",
                  dollars(earnings.certainty_equivalent / 100), "")  # fmt: skip
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
    """Explain why the bets are too large for the bankroll; "" if they aren't."""
    if earnings.certainty_equivalent >= 0:
        return ""
    if earnings.ramp.mean <= 0:
        return "These bets lose. Try a wider --spread, --sit-out-below, or a better count."
    needed = earnings.ramp.kelly_bankroll(earnings.kelly) / 100
    return (
        f"These bets are too risky for this bankroll at Kelly {earnings.kelly:g}, because none is "
        f"below the lowest bet. They need about ${needed:,.0f}."
    )


def _print_risk(out: Console, risk: RiskStudy) -> None:
    table = number_table("risk of ruin", "Brownian", "independent rounds", "simulated", "±")
    for item in risk.risks:
        rows = [
            "" if value is None else f"{100 * value:.4f}%"
            for value in (item.brownian, item.independent, item.simulated, item.simulated_error)
        ]
        table.add_row(item.name, *rows)
    notes = [
        "independent rounds: exact for the simulated distribution, in half units",
        "simulated: whole trips, so rounds from the same shoe are correlated",
    ]
    title = (
        f"Risk with {risk.bankroll:,.0f} units, {risk.mean:+.5f} ± {risk.mean_error:.5f} per round"
    )
    print_section(out, title, table, notes)


# --- count compare ---


def register_compare(app: typer.Typer) -> None:
    app.command("compare")(compare)


def compare(
    rules: RulesArgument = DEFAULT_RULES,
    count: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A built-in count or a file. Can be repeated.",
                     show_default=False),
    ] = None,
    tags: Annotated[
        list[str] | None,
        typer.Option(metavar="TAGS", help="Tags, such as '2=1 10=-1'. Can be repeated.",
                     show_default=False),
    ] = None,
    penetration: Annotated[
        str, typer.Option(metavar="PERCENTS", help="Percent of the shoe dealt, such as 65,75,85.")
    ] = "",
    spread: SpreadOption = 8.0,
    rounds: Annotated[str, typer.Option(help="Rounds per count.")] = "5e6",
    strategy: StrategyOption = "optimal",
    seed: Annotated[int, typer.Option(help="Seed for the shuffles.")] = 21,
    workers: WorkersOption = 0,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Save a checkpoint of every count in this folder.",
                     show_default=False),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Continue from this folder; repeat the other options.",
                     show_default=False),
    ] = None,
    plot: PlotOption = None,
    json: JsonFlag = False,
) -> None:  # fmt: skip
    """Compare counts by SCORE, DI and N0, each with the best bets within the spread."""
    from ventiuna.counting.files import named_count, tags_count
    from ventiuna.counting.study import PlayConditions, compared_svg, comparisons

    loaded = load_rules(rules)
    counts = [named_count(name, loaded) for name in count or ()]
    counts += [tags_count(text, text, None, loaded) for text in tags or ()]
    if not counts:
        raise input_error(
            "count", "", "name at least one count", "Use --count NAME or --tags TAGS."
        )
    percents = _percents(penetration) or [loaded.cut_card_percent]
    if plot is not None:
        check_file(plot)
    number = read_number("rounds", rounds)
    sitting = PlayConditions(strategy, 1, 0, seed)
    words = ["count", "compare", *rules_to_args(loaded)]
    for name in count or ():
        words += ["--count", name]
    for text in tags or ():
        words += ["--tags", text]
    words += ["--penetration", ",".join(map(str, percents)), "--spread", f"{spread:g}"]
    words += ["--rounds", rounds, "--seed", str(seed)]
    words += ["--strategy", strategy] if strategy != "optimal" else []
    keep = save or resume
    if keep is not None:
        make_folder(keep)
    found = []
    for item in comparisons(loaded, counts, percents):
        run = item.run(number, sitting)
        kept = None if keep is None else keep / f"{run.spec.digest}.checkpoint"
        if resume is not None and kept is not None and kept.exists():
            restore_tally(run, kept)
        note(f"{item.count.name}, {item.penetration}% dealt: {number:,} rounds")
        played = run_simulation(
            run,
            RunPlaces(workers, "", kept),
            CheckpointInfo(canonical(item.rules), item.count.name, seed),
        )
        if played.unsaved is not None:
            raise played.unsaved
        if not played.result.complete:
            _stop(words, keep)
        found.append(item.compared(played.result, spread))
    if json:
        print_json(
            {
                "rules": canonical(loaded),
                "fingerprint": fingerprint(loaded),
                "spread_wagers": spread,
                "seed": seed,
                "compared": [item.as_data() for item in found],
                "command": command_text([*words, "--json"]),
            }
        )
    else:
        out = console()
        out.print(f"Counts side by side: {loaded.title}")
        out.print(f"rules {canonical(loaded)}, fingerprint {fingerprint(loaded)}")
        table = number_table("count", "dealt", "SCORE", "±", "DI", "N0", "win/100", "bet", "drawn")
        table.columns[-1].justify = "left"
        maximum = max(item.ramp.c_score for item in found)
        for row in found:
            ramp = row.ramp
            table.add_row(
                row.count,
                f"{row.penetration}%",
                f"{ramp.c_score:.2f}",
                f"{ramp.c_score_error:.2f}",
                f"{ramp.desirability:.2f}",
                f"{ramp.n_zero:,.0f}" if ramp.mean > 0 else "never",
                f"{100 * ramp.mean:+.3f}",
                f"{ramp.average_bet:.2f}",
                bar_text(ramp.c_score, 2 * maximum),
            )
        notes = [f"win per 100 rounds and average bet in units; spread 1 to {spread:g}"]
        print_section(out, f"{number:,} rounds each", table, notes)
        print_command(out, words)
    if plot is not None:
        write_file(plot, compared_svg(found))
        note(f"written to {plot}")


def _stop(words: list[str], keep: Path | None) -> NoReturn:
    """Exit after an interrupt, and say how to continue from a checkpoint."""
    if keep is None:
        note("Stopped. Use --save FOLDER to keep the results so far.")
    else:
        note(f"To continue: {command_text([*words, '--resume', str(keep)])}")
    raise typer.Exit(INTERRUPTED)


def _percents(text: str) -> list[int]:
    words = [word.strip().removesuffix("%") for word in text.split(",") if word.strip()]
    for word in words:
        if not word.isdecimal() or not 1 <= int(word[:4]) <= 99:
            raise input_error("penetration", word, "must be from 1 to 99 percent",
                          "Write it as 65,75,85.")  # fmt: skip
    return [int(word) for word in words]


# --- count jackpot ---


def register_jackpot(app: typer.Typer) -> None:
    app.command("jackpot")(show_jackpot)


def show_jackpot(
    rules: RulesArgument = JACKPOT_RULES,
    game: GameOption = None,
    table: TableOption = None,
    pay_table: PayTableOption = None,
    wager: WagerOption = None,
    players: Annotated[
        int,
        typer.Option(
            "--spots", "--players", help="Number of spots that bet on the jackpot.", min=1
        ),
    ] = 1,
    team: Annotated[
        int, typer.Option(help="Seats your team holds, from the dealer's left; 0 for all.", min=0)
    ] = 0,
    meter: Annotated[
        str,
        typer.Option(metavar="AMOUNT", help="Current meter, in dollars.", show_default=False),
    ] = "",
    hits: Annotated[int, typer.Option(help="Number of jackpot wins to wait for.", min=1)] = 1,
    per_hour: Annotated[
        float, typer.Option(help="Rounds dealt per hour.", min=1.0, max=10_000.0)
    ] = 60.0,
    json: JsonFlag = False,
) -> None:
    """The meter worth playing for a seat, a table or a team, and the rounds until it is won."""
    from ventiuna.analysis.side_bets.queries import JackpotQuery
    from ventiuna.counting.jackpots import jackpot_worth

    question = JackpotQuery.parse(
        rules=rules, game=game, table=table, pay_table=pay_table, wager=wager
    )
    loaded = question.house
    worth = jackpot_worth(loaded, game or 1, players, team, read_base("meter", meter), hits)
    words = ["count", "jackpot", *rules_to_args(loaded), *options_to_args(game=game, meter=meter)]
    words += ["--spots", str(players), *(["--team", str(team)] if team else [])]
    words += ["--hits", str(hits)] if hits > 1 else []
    words += ["--per-hour", f"{per_hour:g}"]
    if json:
        data = worth.as_data() | {"rounds_per_hour": per_hour}
        print_json(data | {"command": command_text([*words, "--json"])})
        return
    waits = {
        f"until the meter is emptied{f' {hits:,} times' if hits > 1 else ''}": worth.waiting(),
        "until anything is paid out of the meter": worth.waiting_for_award(),
    }  # computed before printing, because an impossible wait is an error
    out = console()
    _print_worth(out, worth)
    if worth.meter is not None:
        _print_expected(out, worth, worth.meter, per_hour)
    for name, waiting in waits.items():
        if waiting is not None:
            _print_waiting(out, f"Rounds {name}", waiting, worth, per_hour)
    print_command(out, words)


def _print_worth(out: Console, worth: JackpotWorth) -> None:
    from ventiuna.analysis.results import cents_text, decimal_text

    jackpot = worth.report.jackpot
    title = f"Jackpot game {worth.report.number}: {worth.report.title}, {jackpot.kind}"
    print_heading(out, f"{title}, wager {money_text(jackpot.wager)}", worth.awards.basis)
    table = number_table("", "breaks even at", "per million of the meter")
    for seat in worth.seats:
        name = f"seat {seat.seat} of {worth.players}"
        table.add_row(name, _meter(seat.break_even), decimal_text(seat.share * 10**6, 4))
    if worth.players > 1:
        table.add_row(
            "whole table, per round", _meter(worth.table_break_even),
            decimal_text(worth.table_share * 10**6, 4),
        )  # fmt: skip
    if worth.ours < worth.players:
        table.add_row(
            f"team of {worth.ours}, per round", _meter(worth.team_break_even),
            decimal_text(worth.team_share * 10**6, 4),
        )  # fmt: skip
    table.add_row(
        f"{_who(worth)}, staying until it is emptied", _meter(worth.staying_break_even), ""
    )
    notes = [
        f"apart from the meter, a wager costs {cents_text(worth.cost)}",
        f"each round raises the meter by {cents_text(worth.raised)}",
        "staying: your contributions come back with the meter unless someone else wins it first",
    ]
    print_section(out, "Break-even meters", table, notes)


def _print_expected(out: Console, worth: JackpotWorth, meter: int, per_hour: float) -> None:
    from ventiuna.analysis.results import cents_text

    values = number_table("", "")
    values.add_row(f"{_who(worth)}, per round", cents_text(worth.round_value()))
    hour = Fraction(str(per_hour)) * worth.round_value()
    values.add_row(f"per hour of {per_hour:g} rounds", cents_text(hour, 2))
    staying = worth.staying_value()
    if staying is not None:
        values.add_row("staying until it is emptied", cents_text(staying, 2))
    print_section(out, f"Expected value at a meter of {money_text(meter)}", values)


def _who(worth: JackpotWorth) -> str:
    if worth.players == 1:
        return "one seat"
    return "all seats" if worth.ours == worth.players else f"team of {worth.ours}"


def _meter(cents: Fraction | None) -> str:
    from ventiuna.analysis.results import cents_text

    return "no meter" if cents is None else cents_text(cents, 2)


def _print_waiting(
    out: Console,
    title: str,
    waiting: Waiting,
    worth: JackpotWorth,
    per_hour: float,
) -> None:
    from ventiuna.analysis.results import cents_text
    from ventiuna.counting.jackpots import QUANTILES

    meter = worth.meter
    headings = ["within", "rounds", "hours"]
    table = number_table(*headings, *(["meter by then"] if meter is not None else []))
    for share in QUANTILES:
        rounds = waiting.quantile(share)
        row = [f"{100 * share:g}%", f"{rounds:,}", f"{rounds / per_hour:,.1f}"]
        if meter is not None:
            row.append(cents_text(meter + rounds * worth.raised, 2))
        table.add_row(*row)
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


def register_count(app: typer.Typer) -> None:
    for register in (  # help lists them in this order
        register_effects,
        register_design,
        register_evaluate,
        register_index,
        register_simulate,
        register_compare,
        register_jackpot,
    ):
        register(commands)
    app.add_typer(commands, name="count")


@commands.callback()
def _group() -> None:
    pass
