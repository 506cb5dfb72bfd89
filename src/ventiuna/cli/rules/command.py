"""`ventiuna rules …`: house rules listed, shown, checked, compared and put into words."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.completion import complete_option
from ventiuna.cli.output import JsonFlag, RulesArgument, console, is_plain, print_json
from ventiuna.cli.rules import ambiguities, layout, lookup_text, posting
from ventiuna.cli.rules import text as rules_text
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.rules import Rules, RulesError, load_file, load_rules, preset_ids
from ventiuna.rules.options import BY_NAME
from ventiuna.rules.words import data as rules_data
from ventiuna.rules.words.explained import explained_data, found_numbers, is_number
from ventiuna.rules.words.guides import GUIDES
from ventiuna.rules.words.options import named_option_data, options_data, unknown_option
from ventiuna.texts import one_line

INVALID = 2

LOOK_UP, CHECK, PRINT = "Look up", "Check", "Print"  # panels of help

commands = App(
    no_args_is_help=True, help="House rules: look them up, check and compare them, print them."
)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="rules")


@commands.callback()
def _group() -> None:
    pass


@commands.command("list", pages=True, rich_help_panel=LOOK_UP)
def list_presets(json: JsonFlag = False) -> None:
    """List the presets: one for each rule document, and standard blackjack."""
    presets = [load_rules(name) for name in preset_ids()]
    if json:
        print_json(rules_data.list_data(presets))
    else:
        rules_text.print_list(console(), presets)


@commands.command(pages=True, rich_help_panel=LOOK_UP)
def show(text: RulesArgument = DEFAULT_RULES, json: JsonFlag = False) -> None:
    """Show every option and the rules behind it, and all payouts, jackpots and limits."""
    rules = load_rules(text)
    if json:
        print_json(rules_data.show_data(rules))
    else:
        rules_text.print_show(console(), rules)


@commands.command(pages=True, rich_help_panel=LOOK_UP)
def options(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="An option, or jackpots or bonus_cards.",
            show_default=False,
            autocompletion=complete_option,
        ),
    ] = "",
    json: JsonFlag = False,
) -> None:
    """List every option with its meaning and values, or show one option in every preset.

    For jackpots or bonus_cards, explain how to write them, with examples that run.
    """
    out = console()
    if json:
        print_json(named_option_data(name) if name else options_data())
    elif not name:
        lookup_text.print_options(out)
    elif name in BY_NAME:
        lookup_text.print_option(out, BY_NAME[name])
    elif name in GUIDES:
        lookup_text.print_guide(out, GUIDES[name])
    else:
        raise unknown_option(name)


@commands.command(pages=True, rich_help_panel=LOOK_UP)
def explain(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NUMBER|WORD", help="R-021, D-03, O-19 …, or words.", show_default=False
        ),
    ] = None,
    search: Annotated[
        str, typer.Option(metavar="WORD", help="Only numbers whose text contains these words.")
    ] = "",
    json: JsonFlag = False,
) -> None:
    """Explain R-, D- and O-numbers: their text, their source, and the options they govern.

    Give any number of numbers. Words find the numbers whose text contains all of them; without
    arguments, all numbers are listed.
    """
    numbers = [word for word in words or [] if is_number(word)]
    wanted = [word for word in words or [] if not is_number(word)]
    found = found_numbers(numbers, " ".join([*wanted, search]).strip())
    if json:
        print_json([explained_data(one) for one in found])
    else:
        lookup_text.print_explained(console(), found, in_full=bool(numbers) or len(found) == 1)


@commands.command(pages=True, rich_help_panel=CHECK)
def check(
    text: RulesArgument,
    json: JsonFlag = False,
) -> None:
    """Check rules; list every problem with its rule and a fix (exit code 2)."""
    try:
        rules = _file_or_rules(text)
    except RulesError as error:
        if json:
            print_json(rules_data.problems_data(text, error.problems))
            raise typer.Exit(INVALID) from None
        count = len(error.problems)
        print(f"{count} problem{'s' if count > 1 else ''} found:", file=sys.stderr)
        raise
    if json:
        print_json(rules_data.check_data(rules))
    else:
        rules_text.print_check(console(), rules)


def _file_or_rules(text: str) -> Rules:
    """A file that is there is read as one whatever its name, so that its name can be corrected."""
    path = Path(text)
    if text not in preset_ids() and _exists(path):
        return load_file(path)
    return load_rules(text)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name no file system takes is no file
        return False


@commands.command(pages=True, rich_help_panel=CHECK)
def diff(
    first: RulesArgument,
    second: RulesArgument,
    json: JsonFlag = False,
) -> None:
    """Compare two rule sets side by side: options, pay rows, odds and jackpots.

    Each change applies to the rules before it: wsgc-2021 decks=8 wsgc-2021 decks=6.
    """
    one, other = load_rules(first), load_rules(second)
    if json:
        print_json(rules_data.diff_data(one, other))
    else:
        rules_text.print_diff(console(), one, other)


@commands.command(tables=False, pages=True, rich_help_panel=PRINT)
def card(text: RulesArgument = DEFAULT_RULES, json: JsonFlag = False) -> None:
    """The rule card for a table: rules, payouts, limits and jackpots in plain English."""
    rules = load_rules(text)
    if json:
        print_json(rules_data.card_data(rules))
        return
    out = console()
    lines = rules_text.card_lines(rules, out.width)
    for line in rules_text.without_drawing(lines) if is_plain() else lines:
        out.print(one_line(line), soft_wrap=True)


@commands.command(tables=False, pages=True, rich_help_panel=PRINT)
def procedure(text: RulesArgument = DEFAULT_RULES, json: JsonFlag = False) -> None:
    """The dealer's procedure, from opening the table to the order of every payment."""
    rules = load_rules(text)
    if json:
        print_json(rules_data.procedure_data(rules))
    else:
        rules_text.print_procedure(console(), rules)


for part in (posting, layout, ambiguities):
    part.register(commands, PRINT)
