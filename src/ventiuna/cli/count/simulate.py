"""`ventiuna count simulate`: rounds by the count, bets for them, what they earn and risk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.analysis.questions.again import command_text, option_words, rules_words
from ventiuna.analysis.questions.numbers import read_number
from ventiuna.cli.count.options import (
    CountOption,
    PlotOption,
    ResumeOption,
    SpreadOption,
    StartOption,
    StrategyOption,
    TagsOption,
    WorkersOption,
    read_cents,
)
from ventiuna.cli.count.playing import INTERRUPTED, Kept, go_on
from ventiuna.cli.count.text import bar_text
from ventiuna.cli.output import JsonFlag, RulesArgument, console, note, print_json
from ventiuna.cli.reports import number_table, print_command, print_section
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.cli.simulate.playing import Places, play
from ventiuna.files import check_file, write_file
from ventiuna.rules import canonical, fingerprint, load_rules

if TYPE_CHECKING:
    from ventiuna.counting.ramp import Ramp
    from ventiuna.counting.study import CountStudy, Earnings, RiskStudy

USUAL_ROUNDS = "2e7"
RARE = 1e-4  # rounds at counts met less often are in the JSON alone


def register(app: typer.Typer) -> None:
    app.command("simulate")(simulate)


def simulate(
    rules: RulesArgument = DEFAULT_RULES,
    count: CountOption = "",
    tags: TagsOption = "",
    start: StartOption = "",
    rounds: Annotated[str, typer.Option(help="Rounds to play at flat bets.")] = USUAL_ROUNDS,
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
        str, typer.Option(metavar="AMOUNT", help="A trip's goal. Default: to double the bankroll.",
                          show_default=False)
    ] = "",
    spots: Annotated[int, typer.Option(help="Number of spots, played alike.", min=1, max=7)] = 1,
    strategy: StrategyOption = "optimal",
    seed: Annotated[int, typer.Option(help="Seed of the shuffles.")] = 21,
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
    """Frequency, expectation and spread at each count; the best bets, their earnings and risk."""
    from ventiuna.counting.files import flat, with_bets
    from ventiuna.counting.files import save_count as write_count
    from ventiuna.counting.given import given_count
    from ventiuna.counting.plots import by_count_svg
    from ventiuna.counting.study import CountStudy, Sitting, counting_run

    loaded = load_rules(rules)
    known = given_count(count, tags, start, loaded)
    number = read_number("rounds", rounds)
    length = read_number("trip", trip) if trip else 0
    cents = read_cents("unit", unit) or loaded.table_minimum
    money = read_cents("bankroll", bankroll) or 0
    wanted = read_cents("goal", goal) or money
    for path in filter(None, (save, resume, save_count, plot)):
        check_file(path)
    sitting = Sitting(strategy, spots, 0, seed)
    run = counting_run(loaded, flat(known), number, sitting)
    if resume is not None:
        go_on(run, resume)
    played = play(run, Places(workers, "", save or resume),
                  Kept(canonical(loaded), known.name, seed))  # fmt: skip
    study = CountStudy(loaded, known, played.result, sitting)
    lowest = cents / 100
    best = study.spread_ramp(spread, sit_out_below)
    earnings = study.earnings(money, unit=cents, spread=spread, kelly=kelly, per_hour=per_hour,
                              sit_out_below=sit_out_below)  # fmt: skip
    risk = None
    if length:
        risk = study.risk(length, money, goal=wanted, unit=cents, spread=spread, kelly=kelly,
                          sit_out_below=sit_out_below, rounds=number, workers=workers)  # fmt: skip
    words = [
        "count",
        "simulate",
        *rules_words(loaded),
        *option_words(count=count, tags=tags, start=start),
    ]
    words += ["--rounds", str(played.result.tally.dealt), "--spread", f"{spread:g}"]
    words += option_words(bankroll=bankroll, unit=unit, trip=trip, goal=goal)
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
        note(f"written: {plot}")
    if save_count is not None:
        write_count(save_count, with_bets(known, earnings.ramp.scaled(1 / cents)), loaded.pack)
        note(f"written: {save_count}")
    if played.unsaved is not None:
        raise played.unsaved
    if not played.result.complete:
        if kept := save or resume:
            words[words.index("--rounds") + 1] = str(number)
            note(f"continue with: {command_text([*words, '--resume', str(kept)])}")
        raise typer.Exit(INTERRUPTED)


def study_data(study: CountStudy) -> dict[str, object]:
    from ventiuna.counting.ramp import super_bonus_of
    from ventiuna.counting.scales import Scale

    result = study.result
    base = result.tally.work.bases[0]
    bonus = super_bonus_of(study.rules, base)
    return {
        "rules": canonical(study.rules),
        "fingerprint": fingerprint(study.rules),
        "count": study.count.name,
        "rounds": result.rounds,
        "seed": result.tally.work.seed,
        "strategy": result.tally.work.strategy,
        "penetration_percent": study.rules.cut_card_percent,
        "misfit": result.tally.work.misfit,
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
    from ventiuna.counting.scales import Scale

    result = study.result
    out.print(f"{study.count.title}: {study.rules.title}")
    out.print(f"rules {canonical(study.rules)}, fingerprint {fingerprint(study.rules)}")
    state = "" if result.complete else ", stopped before its end"
    out.print(
        f"{result.rounds:,} rounds{state}, strategy {result.tally.work.strategy} "
        f"with the count's plays, {study.rules.cut_card_percent} % of the shoe dealt, "
        f"seed {result.tally.work.seed}"
    )
    out.print(Scale(study.count, study.rules).text())
    if result.tally.work.misfit:
        out.print(f"warning: {result.tally.work.misfit}")
    ramp = earnings.ramp.scaled(1 / 100)  # dollars
    most = max((abs(at.ev) for at in study.counts if at.frequency >= RARE), default=1.0)
    table = number_table("count", "rounds", "ev", "±", "smooth", "sd", "best", "bet", "drawn")
    table.columns[-1].justify = "left"
    rows = zip(study.simulated, study.counts, best.bets, ramp.bets, strict=True)
    for at, smooth, units, bet in rows:
        if at.frequency >= RARE:
            table.add_row(
                f"{at.count:+d}",
                f"{100 * at.frequency:.3f} %",
                f"{100 * at.ev:+.3f} %",
                f"{100 * at.ev_error:.2f} %",
                f"{100 * smooth.ev:+.3f} %",
                f"{at.variance**0.5:.4f}",
                f"{units:.2f}",
                f"${bet:,.2f}",
                bar_text(max(-most, min(smooth.ev, most)), 2 * most),
            )
    notes = [
        "count: rounds bet on from it to the next whole one; ev and sd per unit bet",
        "smooth: a cubic fitted to ev, used only to choose bets; all results below use ev and sd",
        "rarer counts are in the results and in --json",
        f"best: units of the highest SCORE with a spread of {spread:g}; bet: for the bankroll",
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
    shown = f"{fraction:.3f}" if ramp.mean > 0 else "none: these bets lose"
    money.add_row("Kelly fraction of these bets", shown, "")
    money.add_row("lifetime risk of ruin", f"{100 * earnings.lifetime_ruin:.3f} %",
                  f"± {100 * earnings.lifetime_ruin_error:.3f} %")  # fmt: skip
    bankroll = f"Bankroll ${earnings.bankroll / 100:,.0f}"
    title = f"{bankroll}, bets from ${unit:,.2f} to ${spread * unit:,.2f}"
    print_section(out, title, money, [*filter(None, [bankroll_note(earnings)])])
    if risk is not None:
        _print_risk(out, risk)


def bankroll_note(earnings: Earnings) -> str:
    """A sentence where the bets ask for a larger bankroll than there is; "" where they do not."""
    if earnings.certainty_equivalent >= 0:
        return ""
    if earnings.ramp.mean <= 0:
        return "these bets lose: try a wider --spread, --sit-out-below a count, or a better count"
    needed = earnings.ramp.kelly_bankroll(earnings.kelly) / 100
    return (
        f"too much risk for this bankroll at Kelly {earnings.kelly:g}, since no bet is below the "
        f"lowest one: these bets are for about ${needed:,.0f}"
    )


def _print_risk(out: Console, risk: RiskStudy) -> None:
    table = number_table("risk of ruin", "Brownian", "independent rounds", "simulated", "±")
    for one in risk.risks:
        shown = [
            "" if value is None else f"{100 * value:.4f} %"
            for value in (one.brownian, one.independent, one.simulated, one.simulated_error)
        ]
        table.add_row(one.name, *shown)
    notes = [
        "independent rounds: exact for the simulated results, in half units",
        "simulated: trips played, with all that rounds of one shoe have in common",
    ]
    title = (
        f"Risk with {risk.bankroll:,.0f} units, {risk.mean:+.5f} ± {risk.mean_error:.5f} a round"
    )
    print_section(out, title, table, notes)
