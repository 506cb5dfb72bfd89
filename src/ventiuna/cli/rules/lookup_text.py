"""What can be looked up about rules, as text: numbers, options, how to write jackpots."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from ventiuna.cli.output import plain_table
from ventiuna.cli.rules.text import heading, option_value, standing_words, wrapped
from ventiuna.cli.sheets import key_of
from ventiuna.rules.options import Option
from ventiuna.rules.reading.loading import load_preset, preset_ids
from ventiuna.rules.values import option_fix
from ventiuna.rules.words.explained import Explained
from ventiuna.rules.words.facts import listed
from ventiuna.rules.words.guides import GUIDES, Guide
from ventiuna.rules.words.options import parts, values_of

# --- explain ----------------------------------------------------------------------------------


def print_explained(out: Console, found: list[Explained], in_full: bool) -> None:
    """Each number in full, or all of them in a list."""
    if not in_full:
        table = plain_table("", "", name="numbers")
        for one in found:
            table.add_row(one.number, one.text or f"{one.title}: {one.built}")
        out.print(table)
        return
    for one in found:
        heading(out, f"{one.number} {one.title}")
        for text in (one.text, f"Our reading: {one.built}" if one.built else ""):
            for line in wrapped(text, out.width):
                out.print(Text(line))
        for text in _below(one):
            indent = "    " if text.startswith(" ") else "  "
            for line in wrapped(text.strip(), out.width, indent, f"{indent}  "):
                out.print(Text(line))


def _below(one: Explained) -> list[str]:
    """The documents with clause and quotation, the options, and what else to read."""
    lines = []
    for document in one.documents:
        lines.append(f"document {document.id}: {document.title}")
        lines += [
            f'  {row.clause}: "{row.quote}"' for row in one.clauses if row.document == document.id
        ]
    if one.options:
        lines.append(f"chosen with {', '.join(one.options)} (ventiuna rules options NAME)")
    if one.mentions:
        lines.append(f"see {', '.join(one.mentions)}")
    return lines


# --- options ----------------------------------------------------------------------------------


def print_options(out: Console) -> None:
    """All options with their meaning and values."""
    for part, options in parts():
        heading(out, part)
        table = plain_table("", "", "", name=key_of(part))
        for option in options:
            table.add_row(option.name, option.text, _choice_words(option))
        out.print(table)
    heading(out, "Jackpots")
    table = plain_table("", "", "", name="jackpots")
    table.add_row("jackpots", "one or two jackpot games", "none, or TABLE:PAY TABLE and more")
    out.print(table)
    out.print()
    for line in wrapped(
        "ventiuna rules options NAME shows what each preset has; with jackpots or bonus_cards "
        "how they are written, with examples.",
        out.width,
    ):
        out.print(Text(line))


def _choice_words(option: Option) -> str:
    if option.kind == "number":
        return f"{option.low} to {option.high}"
    return listed(values_of(option), "or") or option.kind


def print_option(out: Console, option: Option) -> None:
    """One option: meaning, values, rules behind it, and what each preset has."""
    out.print(Text(option.name, style="bold"))
    for line in wrapped(f"{option.text} ({option.rule}). {option_fix(option)}", out.width):
        out.print(Text(line))
    heading(out, "Presets")
    table = plain_table("preset", "value", "who decides", name="presets")
    for preset in preset_ids():
        rules = load_preset(preset)
        table.add_row(preset, option_value(rules, option), standing_words(rules, option, False))
    out.print(table)
    if option.name in GUIDES:
        out.print()
        print_guide(out, GUIDES[option.name])


def print_guide(out: Console, guide: Guide) -> None:
    """How something is written, with examples to copy."""
    out.print(Text(f"{' and '.join(guide.options)} ({guide.rules})", style="bold"))
    for line in wrapped(guide.text, out.width):
        out.print(Text(line))
    heading(out, "What may be written")
    table = plain_table("", "", name="parts")
    for part, meaning in guide.parts:
        table.add_row(part, meaning)
    out.print(table)
    heading(out, "Examples")
    for example in guide.examples:
        for line in wrapped(f"{example.about}:", out.width):
            out.print(Text(line))
        out.print(f"  ventiuna {example.command}", soft_wrap=True)
