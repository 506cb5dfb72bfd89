"""`ventiuna hand`, `dealer` and `edge`: exact values of hands, up cards and the base game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.analysis.coerce import command_text
from ventiuna.cards import card_text, cards_text
from ventiuna.cli.common.commands import App
from ventiuna.cli.common.console import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.common.reports import (
    ShoeOption,
    WithoutOption,
    number_table,
    print_command,
    print_section,
    with_progress,
)
from ventiuna.cli.common.rules_args import DEFAULT_RULES
from ventiuna.cli.common.tables import Figure, exact_percent, number, percent, points
from ventiuna.money import money_text
from ventiuna.rules import Rules

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.analyzer import HandValues
    from ventiuna.analysis.base_game.queries import ComparisonLines, EdgeStudy
    from ventiuna.analysis.composition import Composition
    from ventiuna.analysis.side_bets.insurance import InsuranceWager


# --- hand ---


def register_hand(app: typer.Typer) -> None:
    app.command("hand")(show_hand)


def show_hand(
    rules: RulesArgument = DEFAULT_RULES,
    *,
    cards: Annotated[
        list[str],
        typer.Argument(metavar="CARDS", help="The hand, in the order dealt: 5c 6d or 5c6d."),
    ],
    up: Annotated[str, typer.Argument(metavar="UP", help="The dealer's up card, such as 2h.")],
    doublings: Annotated[
        int, typer.Option(min=0, max=3, help="Number of times the hand was doubled.")
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
    from ventiuna.analysis.base_game.queries import HandQuery, action_rows

    question = HandQuery(
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
    parsed = question.read()
    values = parsed.values()
    insurance = parsed.insurance()
    words = question.words(parsed)
    if json:
        print_json(action_rows(parsed, values, insurance, command_text([*words, "--json"])))
    else:
        _print_hand(parsed.rules, values, parsed.unseen, insurance, words)


def _print_hand(
    rules: Rules,
    values: HandValues,
    unseen: Composition,
    insurance: InsuranceWager | None,
    words: list[str],
) -> None:
    from ventiuna.analysis.base_game.analyzer import explain

    out = console()
    out.print(f"{cards_text(values.cards)} against {card_text(values.up)}: {rules.title}")
    out.print(f"rules {values.rules}, fingerprint {values.fingerprint}")
    out.print(f"{values.unseen} unseen cards; exact, {values.as_data()['strategy_class']}")
    out.print()
    table = number_table("", "expected result", "cost", gap=3)
    for action in values.actions:
        cost = values.best.ev - action.ev
        shown = number(cost, ".9f") if cost else Figure("0 (best play)", 0.0)
        table.add_row(action.action, number(action.ev, "+.9f"), shown)
    out.print(table)
    out.print()
    out.print(explain(rules, values, unseen))
    if insurance is not None:
        out.print(
            f"Insurance, before the dealer checks: {float(insurance.expected_value):+.9f} per "
            f"insurance wager. The chance of a dealer blackjack is "
            f"{float(insurance.win_frequency):.1%}; insurance breaks even at "
            f"{float(insurance.break_even_frequency):.1%}."
        )
    print_command(out, words)


# --- dealer ---


def register_dealer(app: typer.Typer) -> None:
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
    from ventiuna.analysis.base_game.queries import OUTCOMES, DealerQuery

    question = DealerQuery(rules, up, shoe, without)
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
        chances = (outcomes.chance, *outcomes.chances)
        table.add_row(outcomes.up, *(exact_percent(chance) for chance in chances))
    notes = ["chances are before the dealer checks for blackjack"]
    print_section(out, "By up card", table, notes)
    print_command(out, words)


# --- edge ---


def register_edge(app: App) -> None:
    app.command("edge", pages=True)(show_edge)


def show_edge(
    rules: RulesArgument = DEFAULT_RULES,
    base: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            help="Base wager in dollars, to include its Super Bonus and the effect of the table "
            "maximum on a double-double.",
            show_default=False,
        ),
    ] = "",
    reoptimise: Annotated[
        bool,
        typer.Option(
            "--reoptimise", help="Optimize split hands instead of playing them like unsplit ones."
        ),
    ] = False,
    shoe: ShoeOption = "",
    without: WithoutOption = "",
    vary: Annotated[
        bool, typer.Option("--vary", help="Change one option at a time to show what each is worth.")
    ] = False,
    grid: Annotated[
        bool,
        typer.Option("--grid", help="Show all combinations approved by the preset's document."),
    ] = False,
    effects: Annotated[
        bool, typer.Option("--effects", help="Add effects of removal: what each card is worth.")
    ] = False,
    hands: Annotated[
        bool, typer.Option("--hands", help="Add every starting hand against every up card.")
    ] = False,
    sd: Annotated[
        bool,
        typer.Option("--sd", help="Add the standard deviation of a round; takes a few seconds."),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """House edge of the base game with best play, computed exactly, not simulated."""
    from ventiuna.analysis.base_game.queries import EdgeQuery, EdgeStudy

    question = EdgeQuery(
        rules=rules,
        base=base,
        reoptimise=reoptimise,
        shoe=shoe,
        without=without,
        vary=vary,
        grid=grid,
        effects=effects,
        hands=hands,
        sd=sd,
    )
    read = question.read()
    study = EdgeStudy(read, sd)
    lines = study.comparisons(question, with_progress)
    words = question.words(read.rules)
    if json:
        print_json(study.as_data(lines, hands) | {"command": command_text([*words, "--json"])})
    else:
        _print_edge(study, lines, hands, words)


# --- Text -------------------------------------------------------------------------------------


def _print_edge(study: EdgeStudy, lines: ComparisonLines, hands: bool, words: list[str]) -> None:
    out = console()
    _print_result(out, study)
    if "vary" in lines:
        table = number_table("option", "house edge", "change", gap=3, name="vary")
        for line in lines["vary"]:
            table.add_row(line.name, percent(-line.ev), points(line.change))
        print_section(out, "One option changed at a time", table, [_CHANGE_NOTE])
    if "grid" in lines:
        table = number_table("rules", "house edge", "fingerprint", gap=3, name="grid")
        for line in lines["grid"]:
            table.add_row(line.name, percent(-line.ev), line.fingerprint)
        print_section(out, f"{len(lines['grid'])} combinations approved by the document", table)
    if "effects" in lines:
        table = number_table("value", "change", gap=3, name="effects")
        for line in lines["effects"]:
            table.add_row(line.name, points(line.change))
        notes = [_CHANGE_NOTE, "effect of removing one card, times the number of decks"]
        print_section(out, "Effect of one card per deck", table, notes)
    if hands:
        _print_hands(out, study)
    print_command(out, words)


_CHANGE_NOTE = "change in percentage points; + is better for the player"


def _print_result(out: Console, study: EdgeStudy) -> None:
    found = study.found
    out.print(f"Base game: {study.rules.title}")
    out.print(f"rules {found.rules}, fingerprint {found.fingerprint}")
    out.print(f"{found.basis.shoe_text}; exact, {found.strategy_class}")
    out.print()
    table = number_table("", "", gap=3, name="result")
    table.add_row("house edge, per base wager", percent(found.house_edge, 9))
    table.add_row("element of risk, per chip risked", percent(found.element_of_risk, 9))
    table.add_row("chips risked per base wager", number(found.wagered, ".9f"))
    if study.sd is not None:
        table.add_row("standard deviation of a round", number(study.sd, ".8f"))
    if study.base is not None and study.super_bonus_ev not in (None, found.ev):
        name = f"house edge with the Super Bonus of a {money_text(study.base)} wager"
        table.add_row(name, percent(-study.super_bonus_ev, 9))
    out.print(table)
    by_up = number_table("up card", "chance", "expected result", "chips risked", gap=3)
    for result in found.by_up:
        by_up.add_row(
            result.up,
            number(result.chance, ".6f"),
            number(result.ev, "+.9f"),
            number(result.wagered, ".6f"),
        )
    print_section(out, "By up card", by_up)
    out.print(f"{study.seconds:.3f} seconds")


def _print_hands(out: Console, study: EdgeStudy) -> None:
    table = number_table("hand", "up", "chance", "ev", "best", words=2, name="hands")
    for hand in study.found.hands():
        best = hand.actions[0].action if hand.actions else "by suits"
        table.add_row(hand.hand, hand.up, number(hand.chance, ".8f"), number(hand.ev, "+.9f"), best)
    notes = ["ev includes the dealer's check for blackjack; for 'by suits', use ventiuna hand"]
    print_section(out, "Starting hands", table, notes)
