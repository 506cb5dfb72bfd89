"""`ventiuna jackpot`: one jackpot game, line by line, and what its meter is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.analysis.questions.again import command_text
from ventiuna.cli.cells import exact_cents, exact_number, exact_percent, money, one_in
from ventiuna.cli.commands import App
from ventiuna.cli.jackpot_options import GameOption, PayTableOption, TableOption, WagerOption
from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.reports import (
    ShoeOption,
    WithoutOption,
    number_table,
    print_command,
    print_heading,
    print_section,
)
from ventiuna.cli.rules_words import JACKPOT_RULES
from ventiuna.rules.model import Jackpot, JackpotKind, Winners

if TYPE_CHECKING:
    from ventiuna.analysis.side_bets.jackpot_awards import RoundAwards
    from ventiuna.analysis.side_bets.jackpots import JackpotReport

STEP = 100_000  # cents of meter whose worth is printed


def register(app: App) -> None:
    app.command("jackpot", pages=True)(show_jackpot)


def show_jackpot(
    rules: RulesArgument = JACKPOT_RULES,
    game: GameOption = None,
    table: TableOption = None,
    pay_table: PayTableOption = None,
    alternate: Annotated[
        int | None, typer.Option(help="Its set of alternate lines; 0 for none.", show_default="0")
    ] = None,
    wager: WagerOption = None,
    prize: Annotated[
        str | None,
        typer.Option(help="The operator's prize per $1 wagered.", show_default=False),
    ] = None,
    meter: Annotated[
        str | None,
        typer.Option(
            help="Amount of the meter when awards are paid, in dollars.", show_default=False
        ),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            "--spots", "--players", help="Number of spots to show awards for.", show_default=False
        ),
    ] = None,
    shoe: ShoeOption = "",
    without: WithoutOption = "",
    json: JsonFlag = False,
) -> None:
    """A jackpot game: pay lines, returns, break-even meter, and awards seat by seat."""
    from ventiuna.analysis.questions.jackpot import JackpotAnswer, JackpotQuestion

    question = JackpotQuestion(
        rules=rules,
        game=game,
        table=table,
        pay_table=pay_table,
        alternate=alternate,
        wager=wager,
        prize=prize,
        meter=meter,
        players=players,
        shoe=shoe,
        without=without,
    )
    answer = JackpotAnswer(question)
    words = question.words(answer.rules)
    if json:
        print_json({**answer.as_data(), "command": command_text([*words, "--json"])})
        return
    out = console()
    unset_prize = bool(table) and prize is None
    _print_report(out, answer.report, answer.meter, unset_prize=unset_prize)
    if answer.awards:
        _print_awards(out, answer.awards)
    print_command(out, words)


def _print_report(
    out: Console, report: JackpotReport, meter: int | None, unset_prize: bool
) -> None:
    jackpot = report.jackpot
    title = f"Jackpot game {report.number}: {report.title}, {jackpot.kind}"
    print_heading(out, f"{title}, wager {money(jackpot.wager)}", report.basis)
    table = number_table("line", "pay", "frequency", "one in", "per 100,000", words=2)
    for line in report.lines:
        table.add_row(
            line.hand,
            line.pay,
            str(line.frequency),
            one_in(line.frequency),
            exact_number(line.per_100_000, 4, grouped=True),
        )
    notes = []
    if jackpot.table.startswith("4") or jackpot.table == "casino-card":
        notes.append("A fixed line may be paid by the up card and by the down card; both count.")
    if unset_prize and any(not line.percent for line in report.special_lines):
        notes.append("The operator's prize is not set and counts $0.00: give it with --prize.")
    print_section(out, "Lines, per wager", table, notes)

    returns = number_table("", "", "")
    returns.add_row("a wager is paid anything", exact_percent(report.hit_frequency), "")
    exact = str(report.fixed_return)
    returns.add_row("return of the fixed lines", exact_percent(report.fixed_return), exact)
    returns.add_row("return of the operator's prizes", exact_percent(report.prize_return), "")
    printed = report.published_house_advantage
    returns.add_row(
        "house advantage as printed (R-101)",
        exact_percent(report.printed_house_advantage),
        f"published: {printed}" if printed else "none published",
    )
    returns.add_row("what the house keeps of a wager", exact_percent(report.house_hold), "")
    print_section(out, "Returns, of the wager", returns)
    _print_meter(out, report, meter)


def _print_meter(out: Console, report: JackpotReport, meter: int | None) -> None:
    wager = report.jackpot.wager
    worth = number_table("line", f"{money(STEP)} in the meter return", name="meter_return")
    for line in report.special_lines:
        if line.percent:
            worth.add_row(line.hand, exact_percent(line.expected_share * STEP / wager))
    worth.add_row("together", exact_percent(report.meter_share * STEP / wager))
    print_section(out, "The meter", worth)

    table = number_table("", "", name="meter")
    even = report.break_even_cents
    table.add_row("meter that breaks even", "none" if even is None else money(even))
    if meter is not None:
        words = f"at a meter of {money(meter)}"
        table.add_row(f"all returns {words}", exact_percent(report.return_at(meter)))
        table.add_row(f"house edge {words}", exact_percent(report.house_edge_at(meter)))
        deviation = exact_number(report.standard_deviation_at(meter), 4, grouped=True)
        table.add_row("standard deviation, in wagers", deviation)
    out.print()
    out.print(table)
    out.print("The meter is that of the award, this round's contributions included (O-19).")


def _several_words(jackpot: Jackpot) -> str:
    if jackpot.kind is JackpotKind.PROGRESSIVE:
        return "awards from the dealer's left (R-095)."
    if jackpot.winners is Winners.EACH_IN_FULL:
        return "each winner gets the full share (O-39)."
    return "awards from the dealer's left, each from what is left (O-39)."


def _print_awards(out: Console, awards: RoundAwards) -> None:
    headings = ["seat", "award one in", "share of meter, per million"]
    more = [] if awards.meter is None else ["expected award"]
    table = number_table(*headings, *more, name="awards")
    for seat in awards.seats:
        row = [
            str(seat.seat),
            one_in(seat.frequency),
            exact_number(seat.share * 1_000_000, 9),
        ]
        if seat.expected_award is not None:
            row.append(exact_cents(seat.expected_award, 8))
        table.add_row(*row)
    meter = "" if awards.meter is None else f", meter {money(awards.meter)}"
    notes = [
        f"Two or more awards in one round: 1 in {one_in(awards.several)}.",
        f"All players have made the wager; {_several_words(awards.jackpot)}",
    ]
    print_section(out, f"Awards in one round, {awards.players} players{meter}", table, notes)
