"""`ventiuna dealer`: exact chances of the dealer's final totals by up card."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.analysis.questions.again import command_text
from ventiuna.cli.cells import exact_percent
from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.reports import (
    ShoeOption,
    WithoutOption,
    number_table,
    print_command,
    print_section,
)
from ventiuna.cli.rules_words import DEFAULT_RULES


def register(app: typer.Typer) -> None:
    app.command("dealer")(show_dealer)


def show_dealer(
    rules: RulesArgument = DEFAULT_RULES,
    up: Annotated[
        str,
        typer.Option(
            metavar="CARD",
            help="Only this up card, such as 6, K or 6h.",
            show_default="all up cards",
        ),
    ] = "",
    shoe: ShoeOption = "",
    without: WithoutOption = "",
    json: JsonFlag = False,
) -> None:
    """Exact chances of the dealer's final totals for each up card.

    A 21 has three or more cards. With --up, --shoe lists the unseen cards, including the down card.
    """
    from ventiuna.analysis.questions.dealer import OUTCOMES, DealerQuestion

    question = DealerQuestion(rules, up, shoe, without)
    loaded, found = question.read()
    words = question.words(loaded)
    if json:
        print_json({**found.as_data(), "command": command_text([*words, "--json"])})
        return
    out = console()
    basis = found.basis
    out.print(f"The dealer's final totals: {loaded.title}")
    out.print(f"rules {basis.rules}, fingerprint {basis.fingerprint}")
    out.print(f"{basis.shoe_text}; all figures are exact fractions, rounded for print")
    table = number_table("up card", "chance", *OUTCOMES, name="up_cards")
    for outcomes in found.up_cards:
        shown = (outcomes.chance, *outcomes.chances)
        table.add_row(outcomes.up, *(exact_percent(chance) for chance in shown))
    notes = ["chances are before the dealer checks for blackjack"]
    print_section(out, "By up card", table, notes)
    print_command(out, words)
