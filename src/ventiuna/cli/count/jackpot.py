"""`ventiuna count jackpot`: when a meter is worth it, and how long until it is hit."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.analysis.questions.again import command_text, option_words, rules_words
from ventiuna.cli.count.options import read_cents
from ventiuna.cli.jackpot_options import GameOption, PayTableOption, TableOption, WagerOption
from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.reports import number_table, print_command, print_heading, print_section
from ventiuna.cli.rules_words import JACKPOT_RULES
from ventiuna.money import money_text

if TYPE_CHECKING:
    from ventiuna.counting.jackpots import JackpotWorth
    from ventiuna.counting.waiting import Waiting


def register(app: typer.Typer) -> None:
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
        int, typer.Option(help="Seats of one team, from the dealer's left; 0 for all.", min=0)
    ] = 0,
    meter: Annotated[
        str,
        typer.Option(metavar="AMOUNT", help="Amount of the meter, in dollars.", show_default=False),
    ] = "",
    hits: Annotated[int, typer.Option(help="Number of times the jackpot is won.", min=1)] = 1,
    per_hour: Annotated[
        float, typer.Option(help="Rounds dealt per hour.", min=1.0, max=10_000.0)
    ] = 60.0,
    json: JsonFlag = False,
) -> None:
    """The meter worth playing for a seat, a table or a team, and the rounds until it is won."""
    from ventiuna.analysis.questions.jackpot import JackpotAnswer, JackpotQuestion
    from ventiuna.counting.jackpots import jackpot_worth

    question = JackpotQuestion(
        rules=rules, game=game, table=table, pay_table=pay_table, wager=wager
    )
    loaded = JackpotAnswer(question).rules
    worth = jackpot_worth(loaded, game or 1, players, team, read_cents("meter", meter), hits)
    words = ["count", "jackpot", *rules_words(loaded), *option_words(game=game, meter=meter)]
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
    }  # what can't be waited for is refused before anything is printed
    out = console()
    _print_worth(out, worth)
    if worth.meter is not None:
        _print_expected(out, worth, worth.meter, per_hour)
    for name, waiting in waits.items():
        if waiting is not None:
            _print_waiting(out, f"Rounds {name}", waiting, worth, per_hour)
    print_command(out, words)


def _print_worth(out: Console, worth: JackpotWorth) -> None:
    from ventiuna.analysis.exact import cents_text, decimal_text

    jackpot = worth.report.jackpot
    title = f"Jackpot game {worth.report.number}: {worth.report.title}, {jackpot.kind}"
    print_heading(out, f"{title}, wager {money_text(jackpot.wager)}", worth.awards.basis)
    table = number_table("", "breaks even at", "per million of the meter")
    for seat in worth.seats:
        name = f"seat {seat.seat} of {worth.players}"
        table.add_row(name, _meter(seat.break_even), decimal_text(seat.share * 10**6, 4))
    if worth.players > 1:
        table.add_row(
            "the whole table, a round", _meter(worth.table_break_even),
            decimal_text(worth.table_share * 10**6, 4),
        )  # fmt: skip
    if worth.ours < worth.players:
        table.add_row(
            f"a team of {worth.ours}, a round", _meter(worth.team_break_even),
            decimal_text(worth.team_share * 10**6, 4),
        )  # fmt: skip
    table.add_row(
        f"{_who(worth)}, staying until it is emptied", _meter(worth.staying_break_even), ""
    )
    notes = [
        f"besides the meter a wager costs {cents_text(worth.cost)}",
        f"a round raises the meter by {cents_text(worth.raised)}",
        "staying: own contributions come back with the meter, if nobody else wins it first",
    ]
    print_section(out, "Meters that are worth it", table, notes)


def _print_expected(out: Console, worth: JackpotWorth, meter: int, per_hour: float) -> None:
    from ventiuna.analysis.exact import cents_text

    values = number_table("", "")
    values.add_row(f"{_who(worth)}, a round", cents_text(worth.round_value()))
    hour = Fraction(str(per_hour)) * worth.round_value()
    values.add_row(f"an hour of {per_hour:g} rounds", cents_text(hour, 2))
    staying = worth.staying_value()
    if staying is not None:
        values.add_row("staying until it is emptied", cents_text(staying, 2))
    print_section(out, f"Expected at a meter of {money_text(meter)}", values)


def _who(worth: JackpotWorth) -> str:
    if worth.players == 1:
        return "one seat alone"
    return "all seats" if worth.ours == worth.players else f"a team of {worth.ours}"


def _meter(cents: Fraction | None) -> str:
    from ventiuna.analysis.exact import cents_text

    return "no meter" if cents is None else cents_text(cents, 2)


def _print_waiting(
    out: Console,
    title: str,
    waiting: Waiting,
    worth: JackpotWorth,
    per_hour: float,
) -> None:
    from ventiuna.analysis.exact import cents_text
    from ventiuna.counting.waiting import QUANTILES

    meter = worth.meter
    headings = ["within", "rounds", "hours"]
    table = number_table(*headings, *(["meter by then"] if meter is not None else []))
    for share in QUANTILES:
        rounds = waiting.quantile(share)
        row = [f"{100 * share:g} %", f"{rounds:,}", f"{rounds / per_hour:,.1f}"]
        if meter is not None:
            row.append(cents_text(meter + rounds * worth.raised, 2))
        table.add_row(*row)
    mean = float(waiting.mean)
    notes = [
        f"on average {mean:,.1f} rounds, {mean / per_hour:,.1f} hours",
        f"standard deviation {waiting.deviation:,.1f} rounds",
    ]
    if meter is not None:
        notes.append("meter by then: with no award before")
    print_section(out, title, table, notes)
