"""`ventiuna hand`, `dealer`, `edge` and `design`: exact values of the base game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.analysis.coerce import input_error
from ventiuna.analysis.queries import DealerQuery, DesignQuery, EdgeQuery, HandQuery
from ventiuna.analysis.results import FIXED_8, FIXED_9, PERCENT_9, FormattedNumber
from ventiuna.cards import card_text, cards_text
from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import JsonFlag, console, current_output, note, print_json
from ventiuna.cli.common.reports import (
    check_output_files,
    number_table,
    print_command,
    print_section,
    with_progress,
)
from ventiuna.cli.common.tables import OutputTable
from ventiuna.files import write_file
from ventiuna.money import money_text
from ventiuna.texts import pluralize

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.analyzer import HandValues
    from ventiuna.analysis.base_game.design import Design
    from ventiuna.analysis.base_game.queries import EdgeAnalysis


# --- hand ---


@command("hand")
def show_hand(query: HandQuery, json: JsonFlag = False) -> None:
    values = query.run()
    if json:
        print_json(query.data(values))
    else:
        _print_hand(query, values)


def _print_hand(query: HandQuery, values: HandValues) -> None:
    from ventiuna.analysis.base_game.analyzer import explain_hand

    out, hand = console(), query.parsed
    out.print(f"{cards_text(hand.cards)} against {card_text(hand.up)}: {hand.rules.title}")
    out.print(f"rules {values.rules}, fingerprint {values.fingerprint}")
    out.print(f"{values.unseen} unseen cards; exact, {values.as_data()['strategy_class']}")
    out.print()
    table = OutputTable.of(values.columns, values.records(), gap=3)
    out.print(table)
    out.print()
    out.print(explain_hand(hand.rules, values, hand.unseen))
    if (insurance := hand.insurance()) is not None:
        out.print(
            f"Insurance, before the dealer checks: {float(insurance.expected_value):+.9f} per "
            f"insurance wager. The chance of a dealer blackjack is "
            f"{float(insurance.win_frequency):.1%}; insurance breaks even at "
            f"{float(insurance.break_even_frequency):.1%}."
        )
    print_command(out, query.words())


# --- dealer ---


@command("dealer")
def show_dealer(query: DealerQuery, json: JsonFlag = False) -> None:
    found = query.run()
    if json:
        print_json(query.data(found))
        return
    out = console()
    basis = found.basis
    out.print(f"The dealer's final totals: {query.rules.title}")
    out.print(f"rules {basis.rules}, fingerprint {basis.fingerprint}")
    out.print(f"{basis.shoe_text}; all figures are exact fractions, rounded for display")
    table = OutputTable.of(found.columns, found.records(), name="up_cards")
    notes = ["chances are before the dealer checks for blackjack"]
    print_section(out, "By up card", table, notes)
    print_command(out, query.words())


# --- edge ---


@command("edge", pages=True)
def show_edge(query: EdgeQuery, json: JsonFlag = False) -> None:
    found = query.run(with_progress)
    if json:
        print_json(query.data(found))
    else:
        _print_edge(query, found)


# --- Text -------------------------------------------------------------------------------------


def _print_edge(query: EdgeQuery, found: EdgeAnalysis) -> None:
    from ventiuna.analysis.base_game.queries import EFFECT_COLUMNS, GRID_COLUMNS, VARY_COLUMNS

    out = console()
    _print_result(out, query, found)
    if found.vary is not None:
        table = OutputTable.of(VARY_COLUMNS, found.vary, gap=3, name="vary")
        print_section(out, "One option changed at a time", table, [_CHANGE_NOTE])
    if found.grid is not None:
        table = OutputTable.of(GRID_COLUMNS, found.grid, gap=3, name="grid")
        print_section(out, f"{len(found.grid)} combinations approved by the document", table)
    if found.effects is not None:
        table = OutputTable.of(EFFECT_COLUMNS, found.effects, gap=3, name="effects")
        notes = [_CHANGE_NOTE, "effect of removing one card, times the number of decks"]
        print_section(out, "Effect of one card per deck", table, notes)
    if query.hands:
        _print_hands(out, found)
    print_command(out, query.words())


_CHANGE_NOTE = "change in percentage points; + is better for the player"


def _print_result(out: Console, query: EdgeQuery, found: EdgeAnalysis) -> None:
    from ventiuna.analysis.base_game.analyzer import UP_CARD_COLUMNS

    out.print(f"Base game: {query.rules.title}")
    out.print(f"rules {found.rules}, fingerprint {found.fingerprint}")
    out.print(f"{found.basis.shoe_text}; exact, {found.strategy_class}")
    out.print()
    table = number_table("", "", gap=3, name="result")
    table.add_row("house edge, per base wager", FormattedNumber(found.house_edge, PERCENT_9))
    table.add_row(
        "element of risk, per chip risked", FormattedNumber(found.element_of_risk, PERCENT_9)
    )
    table.add_row("chips risked per base wager", FormattedNumber(found.wagered, FIXED_9))
    if found.sd is not None:
        table.add_row("standard deviation of a round", FormattedNumber(found.sd, FIXED_8))
    bonus_ev = found.ev_with_super_bonus
    if found.base is not None and bonus_ev is not None and bonus_ev != found.ev:
        name = f"house edge with the Super Bonus for a {money_text(found.base)} wager"
        table.add_row(name, FormattedNumber(-bonus_ev, PERCENT_9))
    out.print(table)
    by_up = OutputTable.of(UP_CARD_COLUMNS, found.by_up, gap=3)
    print_section(out, "By up card", by_up)
    out.print(f"{current_output().seconds:.3f} seconds")


def _print_hands(out: Console, found: EdgeAnalysis) -> None:
    table = OutputTable.of(found.columns, found.hands(), words=2, name="hands")
    notes = [
        "ev includes the dealer's check for blackjack; if a play is 'by suits', use ventiuna hand"
    ]
    print_section(out, "Starting hands", table, notes)


# --- design ---


@command("design", pages=True)
def show_design(
    query: DesignQuery,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE.toml",
            help="Write the first solution as a rules file.",
            dir_okay=False,
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    if output is not None and output.suffix != ".toml":
        raise input_error("output", output, "a rules file must end with .toml", "Rename it.")
    check_output_files(output)
    found = query.run(with_progress)
    if output is not None:
        _write_solution(found, output)
    if json:
        print_json(query.data(found))
    else:
        _print_design(query, found)


def _write_solution(found: Design, output: Path) -> None:
    from ventiuna.analysis.base_game.design import rules_file

    if found.solutions:
        write_file(output, rules_file(found.solutions[0].house_rules).encode())
        note(f"written to {output}")
    else:
        note("no solution, so no file was written")


def _print_design(query: DesignQuery, found: Design) -> None:
    out = console()
    out.print(f"Designs near {query.rules.title}")
    out.print(f"rules {found.rules}, fingerprint {found.fingerprint}")
    analyses = pluralize(found.analyses, "exact analysis", "exact analyses")
    out.print(f"{pluralize(found.games, 'combination')} of options, {analyses}")
    if found.solutions:
        rows = found.rows()
        shown = tuple(
            column
            for column in found.columns
            if any(row.get(column.name) not in (None, "", {}) for row in rows)
            and (column.name != "front" or query.front)
        )
        table = OutputTable.of(shown, found.solutions, words=2, name="solutions")
        print_section(out, f"{pluralize(len(found.solutions), 'solution')}", table, _notes(found))
    else:
        out.print()
        out.print("No rule set meets your targets. Widen a range, or vary more options.")
    print_command(out, query.words())


def _notes(found: Design) -> list[str]:
    notes = ["departures: what the document doesn't allow (ventiuna rules check lists them)"]
    if not found.is_complete:
        notes.append("there may be more solutions; these are the nearest to the document (--most)")
    if found.without_sd:
        rule_sets = pluralize(found.without_sd, "rule set")
        notes.append(f"left out: {rule_sets} whose standard deviation can't be computed exactly")
    return notes
