"""`ventiuna rules …`: house rules listed, shown, checked, compared and put into words."""

from __future__ import annotations

import typer

from ventiuna.cli.output import JsonFlag, console, plain_table, print_json
from ventiuna.rules import fingerprint, load_rules, preset_ids

commands = typer.Typer(no_args_is_help=True, help="House rules: list, show, check, compare.")


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="rules")


@commands.callback()
def _group() -> None:
    pass


@commands.command("list")
def list_presets(json: JsonFlag = False) -> None:
    """The presets: one for each rule document, and plain blackjack."""
    presets = [load_rules(name) for name in preset_ids()]
    if json:
        print_json(
            [
                {
                    "name": rules.name,
                    "title": rules.title,
                    "document": rules.document,
                    "revision": rules.revision,
                    "game": rules.game,
                    "decks": rules.decks,
                    "fingerprint": fingerprint(rules),
                }
                for rules in presets
            ]
        )
        return
    table = plain_table("preset", "title and document", "decks", "fingerprint")
    for rules in presets:
        table.add_row(
            rules.name, f"{rules.title}\n{rules.document}", str(rules.decks), fingerprint(rules)
        )
    console().print(table)
