"""`ventiuna count effects`: what each card is worth to every wager when it is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ventiuna.analysis.questions.again import command_text, option_words, rules_words
from ventiuna.cli.count.options import BaseOption, read_cents
from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.reports import number_table, print_command, print_section, with_progress
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.rules import canonical, fingerprint, load_rules

if TYPE_CHECKING:
    from ventiuna.counting.removal import RemovalStudy

POINTS = 100  # per cent


def register(app: typer.Typer) -> None:
    app.command("effects")(show_effects)


def show_effects(
    rules: RulesArgument = DEFAULT_RULES,
    base: BaseOption = "",
    meter: Annotated[
        str,
        typer.Option(
            metavar="AMOUNTS",
            help="Meters of the jackpot games in dollars, such as 5000,900. "
            "Default: where each breaks even.",
            show_default=False,
        ),
    ] = "",
    json: JsonFlag = False,
) -> None:
    """Exact effects of removal for every wager: one card removed, everything recomputed."""
    from ventiuna.counting.removal import effects_of_removal
    from ventiuna.money import read_amount

    loaded = load_rules(rules)
    meters = tuple(read_amount("meter", word) for word in meter.split(",") if word)
    study = effects_of_removal(loaded, read_cents("base", base), meters, with_progress)
    words = ["count", "effects", *rules_words(loaded), *option_words(base=base, meter=meter)]
    if json:
        print_json(study.as_data() | {"command": command_text([*words, "--json"])})
        return
    _print(study)
    print_command(console(), words)


def _print(study: RemovalStudy) -> None:
    out = console()
    rules = study.rules
    out.print(f"Effects of removal: {rules.title}")
    out.print(f"rules {canonical(rules)}, fingerprint {fingerprint(rules)}")
    out.print(f"fresh shoe of {rules.shoe_size} cards less one; exact")
    table = number_table("card", *(effects.wager for effects in study.wagers))
    for kind in study.classes:
        row = [f"{rules.decks * POINTS * effects.of(kind.cards):+.4f}" for effects in study.wagers]
        table.add_row(kind.name, *row)
    table.add_row("all", *(_sum_text(effects.total) for effects in study.wagers))
    notes = [
        "percentage points of the wager for one card per deck (one card, times the decks)",
        "all: effects of every card of the shoe together, 0 where play does not look at the card",
    ]
    if any(effects.wager == "Match the Dealer" for effects in study.wagers):
        notes.append("Match the Dealer takes all ranks and suits alike: one card changes nothing")
    print_section(out, "By card", table, notes)


def _sum_text(total: float) -> str:
    return f"{POINTS * total:+.4f}" if abs(total) > 1e-9 else "0"
