"""`ventiuna rules …`: list, show, check, compare and explain house rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from ventiuna.cli import documents, rules_text
from ventiuna.cli.common.commands import App
from ventiuna.cli.common.console import (
    JsonFlag,
    RulesArgument,
    console,
    is_plain,
    plain_table,
    print_json,
)
from ventiuna.cli.common.rules_args import DEFAULT_RULES, complete_option
from ventiuna.cli.common.tables import slug
from ventiuna.cli.rules_text import authority_text, heading, option_value, print_wrapped
from ventiuna.reports import rules_data
from ventiuna.rules import Rules, RulesError, load_file, load_rules, preset_ids
from ventiuna.rules.loader import load_preset
from ventiuna.rules.model import OPTIONS_BY_NAME
from ventiuna.rules.options import Option
from ventiuna.rules.text.phrases import join_words
from ventiuna.rules.text.references import (
    GUIDES,
    OptionGuide,
    RuleReference,
    find_references,
    is_number,
    options_by_part,
    unknown_option,
    values_of,
)
from ventiuna.texts import one_line

# --- explain ----------------------------------------------------------------------------------


def print_explained(out: Console, found: list[RuleReference], in_full: bool) -> None:
    """Print each number in full, or all of them as a list."""
    if not in_full:
        table = plain_table("", "", name="numbers")
        for item in found:
            table.add_row(item.number, item.text or f"{item.title}: {item.built}")
        out.print(table)
        return
    for item in found:
        heading(out, f"{item.number} {item.title}")
        for text in (item.text, f"Our reading: {item.built}" if item.built else ""):
            print_wrapped(out, text)
        for text in _below(item):
            indent = "    " if text.startswith(" ") else "  "
            print_wrapped(out, text.strip(), indent, f"{indent}  ")


def _below(one: RuleReference) -> list[str]:
    """List the documents with clauses and quotations, the options, and related numbers."""
    lines = []
    for document in one.documents:
        lines.append(f"document {document.id}: {document.title}")
        lines += [
            f'  {row.clause}: "{row.quote}"' for row in one.clauses if row.document == document.id
        ]
    if one.options:
        lines.append(f"set by {', '.join(one.options)} (see ventiuna rules options NAME)")
    if one.mentions:
        lines.append(f"see {', '.join(one.mentions)}")
    return lines


# --- options ----------------------------------------------------------------------------------


def print_options(out: Console) -> None:
    """Print all options with their meaning and values."""
    for part, options in options_by_part():
        heading(out, part)
        table = plain_table("", "", "", name=slug(part))
        for option in options:
            table.add_row(option.name, option.text, _choice_words(option))
        out.print(table)
    heading(out, "Jackpots")
    table = plain_table("", "", "", name="jackpots")
    table.add_row("jackpots", "one or two jackpot games", "none, or TABLE:PAY TABLE and settings")
    out.print(table)
    out.print()
    print_wrapped(
        out,
        "ventiuna rules options NAME shows an option in every preset. For jackpots and "
        "bonus_cards, it explains how to write them, with examples.",
    )


def _choice_words(option: Option) -> str:
    if option.kind == "number":
        return f"{option.low} to {option.high}"
    return join_words(values_of(option), "or") or option.kind


def print_option(out: Console, option: Option) -> None:
    """Print one option: meaning, values, rules behind it, and its value in each preset."""
    out.print(Text(option.name, style="bold"))
    print_wrapped(out, f"{option.text} ({option.rule}). {option.fix}")
    heading(out, "Presets")
    table = plain_table("preset", "value", "who decides", name="presets")
    for preset in preset_ids():
        rules = load_preset(preset)
        table.add_row(preset, option_value(rules, option), authority_text(rules, option, False))
    out.print(table)
    if option.name in GUIDES:
        out.print()
        print_guide(out, GUIDES[option.name])


def print_guide(out: Console, guide: OptionGuide) -> None:
    """Print how to write an option, with examples to copy."""
    out.print(Text(f"{' and '.join(guide.options)} ({guide.rules})", style="bold"))
    print_wrapped(out, guide.text)
    heading(out, "Syntax")
    table = plain_table("", "", name="parts")
    for part, meaning in guide.parts:
        table.add_row(part, meaning)
    out.print(table)
    heading(out, "Examples")
    for example in guide.examples:
        print_wrapped(out, f"{example.about}:")
        out.print(f"  ventiuna {example.command}", soft_wrap=True)


INVALID = 2

LOOK_UP, CHECK, PRINT = "Look up", "Check", "Print"  # help panels

commands = App(no_args_is_help=True, help="Look up, check, compare and print house rules.")


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
        print_json(rules_data.named_option_data(name) if name else rules_data.options_data())
    elif not name:
        print_options(out)
    elif name in OPTIONS_BY_NAME:
        print_option(out, OPTIONS_BY_NAME[name])
    elif name in GUIDES:
        print_guide(out, GUIDES[name])
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
        str, typer.Option(metavar="WORD", help="List only numbers whose text contains these words.")
    ] = "",
    json: JsonFlag = False,
) -> None:
    """Explain R-, D- and O-numbers: their text, their source, and the options they govern.

    Give one or more numbers, or words to find the numbers whose text contains all of them. Without
    arguments, all numbers are listed.
    """
    numbers = [word for word in words or [] if is_number(word)]
    search_words = [word for word in words or [] if not is_number(word)]
    found = find_references(numbers, " ".join([*search_words, search]).strip())
    if json:
        print_json(found)
    else:
        print_explained(console(), found, in_full=bool(numbers) or len(found) == 1)


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
    """Load any existing file as rules, even if its name is wrong, so that the error can say so."""
    path = Path(text)
    if text not in preset_ids() and _exists(path):
        return load_file(path)
    return load_rules(text)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # not a valid file name
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


commands.command("posting", rich_help_panel=PRINT)(documents.show_posting)
commands.command("rack", rich_help_panel=PRINT)(documents.show_rack)
commands.command("inspection", rich_help_panel=PRINT)(documents.show_inspection)
commands.command("layout", tables=False, pages=True, rich_help_panel=PRINT)(documents.show_layout)
commands.command("ambiguities", rich_help_panel=PRINT)(documents.show_ambiguities)
