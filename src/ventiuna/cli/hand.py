"""`ventiuna hand`: the exact value of every choice of one hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ventiuna.analysis.questions.again import command_text
from ventiuna.cards import card_text, cards_text
from ventiuna.cli.cells import number
from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.reports import ShoeOption, WithoutOption, number_table, print_command
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.cli.sheets import Figure
from ventiuna.rules import Rules

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.hand import HandValues
    from ventiuna.analysis.composition import Composition
    from ventiuna.analysis.side_bets.insurance import InsuranceWager


def register(app: typer.Typer) -> None:
    app.command("hand")(show_hand)


def show_hand(
    rules: RulesArgument = DEFAULT_RULES,
    *,
    cards: Annotated[
        list[str],
        typer.Argument(metavar="CARDS", help="The hand, in the order dealt: 5c 6d or 5c6d."),
    ],
    up: Annotated[str, typer.Argument(metavar="UP", help="The dealer's up card: 2h.")],
    doublings: Annotated[
        int, typer.Option(min=0, max=3, help="How many times the hand was doubled.")
    ] = 0,
    hands: Annotated[
        int, typer.Option(min=1, max=4, help="Hands on the spot; more than one means a split.")
    ] = 1,
    base: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            help="Base wager in dollars, to include its Super Bonus and the table maximum.",
            show_default=False,
        ),
    ] = "",
    double: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            help="Amount of a double for less; needs --base.",
            show_default=False,
        ),
    ] = "",
    shoe: ShoeOption = "",
    without: WithoutOption = "",
    json: JsonFlag = False,
) -> None:
    """Exact value of each choice, best first, and why.

    Values are in base wagers, after the dealer checks for blackjack. --shoe lists the unseen cards,
    including the down card; --without lists cards seen elsewhere, such as other players' hands.
    """
    from ventiuna.analysis.questions.hand import HandQuestion, rows_of

    question = HandQuestion(
        rules=rules,
        cards=" ".join(cards),
        up=up,
        doublings=doublings,
        hands=hands,
        base=base,
        double=double,
        shoe=shoe,
        without=without,
    )
    asked = question.read()
    values = asked.values()
    insurance = asked.insurance()
    words = question.words(asked)
    if json:
        print_json(rows_of(asked, values, insurance, command_text([*words, "--json"])))
    else:
        _print(asked.rules, values, asked.unseen, insurance, words)


def _print(
    rules: Rules,
    values: HandValues,
    unseen: Composition,
    insurance: InsuranceWager | None,
    words: list[str],
) -> None:
    from ventiuna.analysis.base_game.why import why

    out = console()
    out.print(f"{cards_text(values.cards)} against {card_text(values.up)}: {rules.title}")
    out.print(f"rules {values.rules}, fingerprint {values.fingerprint}")
    out.print(f"{values.unseen} unseen cards; exact, {values.as_data()['strategy_class']}")
    out.print()
    table = number_table("", "expected result", "cost", gap=3)
    for action in values.actions:
        cost = values.best.ev - action.ev
        told = number(cost, ".9f") if cost else Figure("0 (best play)", 0.0)
        table.add_row(action.action, number(action.ev, "+.9f"), told)
    out.print(table)
    out.print()
    out.print(why(rules, values, unseen))
    if insurance is not None:
        out.print(
            f"Insurance, before the check: {float(insurance.expected_value):+.9f} of its wager. "
            f"The dealer has a blackjack with {float(insurance.win_frequency):.1%}; "
            f"{float(insurance.break_even_frequency):.1%} would be fair."
        )
    print_command(out, words)
