"""`ventiuna hand`, `dealer` and `edge`: exact values of hands, up cards and the base game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from ventiuna.analysis.queries import DealerQuery, EdgeQuery, HandQuery
from ventiuna.cards import card_text, cards_text
from ventiuna.cli.common.commands import App
from ventiuna.cli.common.console import JsonFlag, console, current_output, print_json
from ventiuna.cli.common.reports import number_table, print_command, print_section, with_progress
from ventiuna.cli.common.tables import Figure, exact_percent, number, percent, points
from ventiuna.money import money_text

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.analyzer import HandValues
    from ventiuna.analysis.base_game.queries import EdgeAnalysis


# --- hand ---


def register_hand(app: App) -> None:
    app.command("hand")(show_hand)


def show_hand(question: HandQuery, json: JsonFlag = False) -> None:
    values = question.run()
    if json:
        print_json(question.data(values))
    else:
        _print_hand(question, values)


def _print_hand(question: HandQuery, values: HandValues) -> None:
    from ventiuna.analysis.base_game.analyzer import explain

    out, hand = console(), question.parsed
    out.print(f"{cards_text(hand.cards)} against {card_text(hand.up)}: {hand.rules.title}")
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
    out.print(explain(hand.rules, values, hand.unseen))
    if (insurance := hand.insurance()) is not None:
        out.print(
            f"Insurance, before the dealer checks: {float(insurance.expected_value):+.9f} per "
            f"insurance wager. The chance of a dealer blackjack is "
            f"{float(insurance.win_frequency):.1%}; insurance breaks even at "
            f"{float(insurance.break_even_frequency):.1%}."
        )
    print_command(out, question.words())


# --- dealer ---


def register_dealer(app: App) -> None:
    app.command("dealer")(show_dealer)


def show_dealer(question: DealerQuery, json: JsonFlag = False) -> None:
    from ventiuna.analysis.base_game.queries import OUTCOMES

    found = question.run()
    if json:
        print_json(question.data(found))
        return
    out = console()
    basis = found.basis
    out.print(f"The dealer's final totals: {question.rules.title}")
    out.print(f"rules {basis.rules}, fingerprint {basis.fingerprint}")
    out.print(f"{basis.shoe_text}; all figures are exact fractions, rounded for print")
    table = number_table("up card", "chance", *OUTCOMES, name="up_cards")
    for outcomes in found.up_cards:
        chances = (outcomes.chance, *outcomes.chances)
        table.add_row(outcomes.up, *(exact_percent(chance) for chance in chances))
    notes = ["chances are before the dealer checks for blackjack"]
    print_section(out, "By up card", table, notes)
    print_command(out, question.words())


# --- edge ---


def register_edge(app: App) -> None:
    app.command("edge", pages=True)(show_edge)


def show_edge(question: EdgeQuery, json: JsonFlag = False) -> None:
    found = question.run(with_progress)
    if json:
        print_json(question.data(found))
    else:
        _print_edge(question, found)


# --- Text -------------------------------------------------------------------------------------


def _print_edge(question: EdgeQuery, found: EdgeAnalysis) -> None:
    out = console()
    _print_result(out, question, found)
    if found.vary is not None:
        table = number_table("option", "house edge", "change", gap=3, name="vary")
        for line in found.vary:
            table.add_row(line.name, percent(-line.ev), points(line.change))
        print_section(out, "One option changed at a time", table, [_CHANGE_NOTE])
    if found.grid is not None:
        table = number_table("rules", "house edge", "fingerprint", gap=3, name="grid")
        for line in found.grid:
            table.add_row(line.name, percent(-line.ev), line.fingerprint)
        print_section(out, f"{len(found.grid)} combinations approved by the document", table)
    if found.effects is not None:
        table = number_table("value", "change", gap=3, name="effects")
        for line in found.effects:
            table.add_row(line.name, points(line.change))
        notes = [_CHANGE_NOTE, "effect of removing one card, times the number of decks"]
        print_section(out, "Effect of one card per deck", table, notes)
    if question.hands:
        _print_hands(out, found)
    print_command(out, question.words())


_CHANGE_NOTE = "change in percentage points; + is better for the player"


def _print_result(out: Console, question: EdgeQuery, found: EdgeAnalysis) -> None:
    out.print(f"Base game: {question.rules.title}")
    out.print(f"rules {found.rules}, fingerprint {found.fingerprint}")
    out.print(f"{found.basis.shoe_text}; exact, {found.strategy_class}")
    out.print()
    table = number_table("", "", gap=3, name="result")
    table.add_row("house edge, per base wager", percent(found.house_edge, 9))
    table.add_row("element of risk, per chip risked", percent(found.element_of_risk, 9))
    table.add_row("chips risked per base wager", number(found.wagered, ".9f"))
    if found.sd is not None:
        table.add_row("standard deviation of a round", number(found.sd, ".8f"))
    bonus_ev = found.ev_with_super_bonus
    if found.base is not None and bonus_ev is not None and bonus_ev != found.ev:
        name = f"house edge with the Super Bonus of a {money_text(found.base)} wager"
        table.add_row(name, percent(-bonus_ev, 9))
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
    out.print(f"{current_output().seconds:.3f} seconds")


def _print_hands(out: Console, found: EdgeAnalysis) -> None:
    table = number_table("hand", "up", "chance", "ev", "best", words=2, name="hands")
    for hand in found.hands():
        best = hand.actions[0].action if hand.actions else "by suits"
        table.add_row(hand.hand, hand.up, number(hand.chance, ".8f"), number(hand.ev, "+.9f"), best)
    notes = ["ev includes the dealer's check for blackjack; for 'by suits', use ventiuna hand"]
    print_section(out, "Starting hands", table, notes)
