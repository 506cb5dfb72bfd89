"""`ventiuna jackpot`: one jackpot game, line by line, and what its meter is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.console import Console

from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.reports import (
    NO_STRATEGY,
    ShoeOption,
    WithoutOption,
    command_text,
    number_table,
    option_words,
    print_command,
    print_heading,
    print_section,
    read_amount,
    shoe_of,
)
from ventiuna.money import money_text
from ventiuna.rules import Rules, RulesError, canonical, load_rules
from ventiuna.rules.data import jackpot_tables
from ventiuna.rules.errors import Problem
from ventiuna.rules.model import Game, JackpotKind

if TYPE_CHECKING:
    from ventiuna.analysis.side_bets.jackpot_awards import RoundAwards
    from ventiuna.analysis.side_bets.jackpots import JackpotReport

STEP = 100_000  # cents of meter whose worth is printed


def register(app: typer.Typer) -> None:
    app.command("jackpot")(show_jackpot)


def show_jackpot(
    rules: RulesArgument,
    game: Annotated[
        int | None, typer.Option(help="A jackpot game of the rules, 1 or 2.", show_default="1")
    ] = None,
    table: Annotated[
        str | None, typer.Option(help="Another jackpot table, such as 3c.", show_default=False)
    ] = None,
    pay_table: Annotated[
        int | None, typer.Option(help="Its pay table, 1 to 8.", show_default="1")
    ] = None,
    alternate: Annotated[
        int | None, typer.Option(help="Its set of alternate lines; 0: none.", show_default="0")
    ] = None,
    wager: Annotated[
        str | None, typer.Option(help="Its wager, $1 to $20.", show_default="1")
    ] = None,
    prize: Annotated[
        str | None,
        typer.Option(help="The operator's prize for $1 of wager.", show_default=False),
    ] = None,
    meter: Annotated[
        str | None,
        typer.Option(help="The meter when awards are made, in dollars.", show_default=False),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(help="Awards seat by seat with so many players.", show_default=False),
    ] = None,
    shoe: ShoeOption = "",
    without: WithoutOption = "",
    json: JsonFlag = False,
) -> None:
    """A jackpot game: lines, returns, break-even meter, awards seat by seat."""
    from ventiuna.analysis.side_bets.jackpot_awards import round_awards
    from ventiuna.analysis.side_bets.jackpots import jackpot_report

    options = _TableOptions(table, pay_table, alternate, wager, prize)
    analysed = _analysed_rules(load_rules(rules), game, options)
    cards = shoe_of(analysed, without, shoe)
    number = game or 1
    report = jackpot_report(analysed, number, cards)
    cents = read_amount("meter", meter) if meter is not None else _posted_amount(report)
    awards = round_awards(analysed, players, cents, number, cards) if players is not None else None
    words = ["jackpot", canonical(analysed)]
    words += option_words(game=game, meter=meter, players=players, shoe=shoe, without=without)
    if json:
        data = report.as_data(cents)
        data["strategy_class"] = NO_STRATEGY
        data["awards"] = awards.as_data() if awards else None
        print_json({**data, "command": command_text([*words, "--json"])})
        return
    out = console()
    _print_report(out, report, cents, unset_prize=bool(table) and prize is None)
    if awards:
        _print_awards(out, awards)
    print_command(out, words)


class _TableOptions(NamedTuple):
    """A jackpot game as the command line describes it."""

    table: str | None
    pay_table: int | None
    alternate: int | None
    wager: str | None
    prize: str | None


def _analysed_rules(rules: Rules, game: int | None, options: _TableOptions) -> Rules:
    """The rules themselves, or with the one jackpot game that the options describe."""
    from ventiuna.analysis.side_bets.jackpots import with_jackpot

    if options.table is None:
        _refuse_options_without_table(options)
        if not rules.jackpots:
            raise RulesError([_no_jackpot(rules)])
        return rules
    if game is not None:
        raise RulesError(
            [Problem("game", str(game), "R-086", "a table is named as well", "Give one of them.")]
        )
    return with_jackpot(
        rules,
        options.table,
        1 if options.pay_table is None else options.pay_table,
        options.alternate or 0,
        100 if options.wager is None else read_amount("wager", options.wager),
        None if options.prize is None else read_amount("prize", options.prize),
    )


def _refuse_options_without_table(options: _TableOptions) -> None:
    problems = [
        Problem(name, str(value), "R-086", "it goes with a table, none is named", "Add --table.")
        for name, value in options._asdict().items()
        if value is not None
    ]
    if problems:
        raise RulesError(problems)


def _no_jackpot(rules: Rules) -> Problem:
    fitting = [table.id for table in jackpot_tables().values() if rules.decks in table.decks]
    spanish = rules.game == Game.SPANISH_21
    fix = f"Name a table with --table: {', '.join(fitting)}." if spanish else "Use other rules."
    return Problem("jackpots", "none", "R-084", "these rules have no jackpot game", fix)


def _posted_amount(report: JackpotReport) -> int | None:
    """A house jackpot shows its posted amount; a progressive's meter is anything (R-097)."""
    return report.jackpot.seed if report.jackpot.kind == JackpotKind.HOUSE else None


def _print_report(
    out: Console, report: JackpotReport, meter: int | None, unset_prize: bool
) -> None:
    from ventiuna.analysis.exact import decimal_text, one_in_text, percent_text

    jackpot = report.jackpot
    title = f"Jackpot game {report.number}: {report.title}, {jackpot.kind}"
    print_heading(out, f"{title}, wager {money_text(jackpot.wager)}", report.basis)
    table = number_table("line", "pay", "frequency", "one in", "per 100,000", words=2)
    for line in report.lines:
        table.add_row(
            line.hand,
            line.pay,
            str(line.frequency),
            one_in_text(line.frequency),
            decimal_text(line.per_100_000, 4, grouped=True),
        )
    notes = []
    if jackpot.table.startswith("4") or jackpot.table == "casino-card":
        notes.append("A fixed line may be paid by the up card and by the down card; both count.")
    if unset_prize and any(not line.percent for line in report.special_lines):
        notes.append("The operator's prize is not set and counts $0.00: give it with --prize.")
    print_section(out, "Lines, per wager", table, notes)

    returns = number_table("", "", "")
    returns.add_row("a wager is paid anything", percent_text(report.hit_frequency), "")
    exact = str(report.fixed_return)
    returns.add_row("return of the fixed lines", percent_text(report.fixed_return), exact)
    returns.add_row("return of the operator's prizes", percent_text(report.prize_return), "")
    printed = report.published_house_advantage
    returns.add_row(
        "house advantage as printed (R-101)",
        percent_text(report.printed_house_advantage),
        f"published: {printed}" if printed else "none published",
    )
    returns.add_row("what the house keeps of a wager", percent_text(report.house_hold), "")
    print_section(out, "Returns, of the wager", returns)
    _print_meter(out, report, meter)


def _print_meter(out: Console, report: JackpotReport, meter: int | None) -> None:
    from ventiuna.analysis.exact import decimal_text, percent_text

    wager = report.jackpot.wager
    worth = number_table("line", f"{money_text(STEP)} in the meter return")
    for line in report.special_lines:
        if line.percent:
            worth.add_row(line.hand, percent_text(line.expected_share * STEP / wager))
    worth.add_row("together", percent_text(report.meter_share * STEP / wager))
    print_section(out, "The meter", worth)

    table = number_table("", "")
    even = report.break_even_cents
    table.add_row("meter that breaks even", "none" if even is None else money_text(even))
    if meter is not None:
        words = f"at a meter of {money_text(meter)}"
        table.add_row(f"all returns {words}", percent_text(report.return_at(meter)))
        table.add_row(f"house edge {words}", percent_text(report.house_edge_at(meter)))
        deviation = decimal_text(report.standard_deviation_at(meter), 4, grouped=True)
        table.add_row("standard deviation, in wagers", deviation)
    out.print()
    out.print(table)
    out.print("The meter is that of the award, this round's contributions included (O-19).")


def _print_awards(out: Console, awards: RoundAwards) -> None:
    from ventiuna.analysis.exact import cents_text, decimal_text, one_in_text

    headings = ["seat", "award one in", "share of meter, per million"]
    table = number_table(*headings, *(["expected award"] if awards.meter is not None else []))
    for seat in awards.seats:
        row = [
            str(seat.seat),
            one_in_text(seat.frequency),
            decimal_text(seat.share * 1_000_000, 9),
        ]
        if seat.expected_award is not None:
            row.append(cents_text(seat.expected_award, 8))
        table.add_row(*row)
    meter = "" if awards.meter is None else f", meter {money_text(awards.meter)}"
    notes = [
        f"Two or more awards in one round: 1 in {one_in_text(awards.several)}.",
        "All players have made the wager; awards from the dealer's left (R-095).",
    ]
    print_section(out, f"Awards in one round, {awards.players} players{meter}", table, notes)
