"""`ventiuna edge`: what the base game costs, exactly, and what each option is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.analysis.questions.again import command_text
from ventiuna.cli.cells import number, percent, points
from ventiuna.cli.commands import App
from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.reports import (
    ShoeOption,
    WithoutOption,
    number_table,
    print_command,
    print_section,
    with_progress,
)
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.money import money_text

if TYPE_CHECKING:
    from ventiuna.analysis.questions.edge import EdgeStudy, Lines


def register(app: App) -> None:
    app.command("edge", pages=True)(show_edge)


def show_edge(
    rules: RulesArgument = DEFAULT_RULES,
    base: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            help="Base wager in dollars: adds the value with its Super Bonus, and lets the "
            "table maximum cap a double-double.",
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
        bool, typer.Option("--grid", help="All combinations approved by the preset's document.")
    ] = False,
    effects: Annotated[
        bool, typer.Option("--effects", help="Effects of removal: what each card is worth.")
    ] = False,
    hands: Annotated[
        bool, typer.Option("--hands", help="Every starting hand against every up card.")
    ] = False,
    sd: Annotated[
        bool, typer.Option("--sd", help="Add the standard deviation of a round; takes seconds.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """House edge of the base game with best play, computed exactly, not simulated."""
    from ventiuna.analysis.questions.edge import EdgeQuestion, EdgeStudy

    question = EdgeQuestion(
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
        _print(study, lines, hands, words)


# --- text -------------------------------------------------------------------------------------


def _print(study: EdgeStudy, lines: Lines, hands: bool, words: list[str]) -> None:
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
        print_section(out, f"{len(lines['grid'])} combinations that the document approves", table)
    if "effects" in lines:
        table = number_table("value", "change", gap=3, name="effects")
        for line in lines["effects"]:
            table.add_row(line.name, points(line.change))
        notes = [_CHANGE_NOTE, "a single card taken out, times the decks"]
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
    notes = ["the dealer's check is in the ev; 'by suits': ask ventiuna hand"]
    print_section(out, "Starting hands", table, notes)
