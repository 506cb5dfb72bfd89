"""`ventiuna count …`: what cards are worth, counts designed, tried and played."""

from __future__ import annotations

from importlib import import_module

import typer

from ventiuna.cli.commands import App

commands = App(
    no_args_is_help=True,
    help="Card counting: effects of removal, best tags, index numbers, bets, risk, jackpots.",
)

# Each adds its command; help lists them in this order.
_PARTS = ("effects", "design", "evaluate", "index", "simulate", "compare", "jackpot")


def register(app: typer.Typer) -> None:
    for part in _PARTS:
        import_module(f"ventiuna.cli.count.{part}").register(commands)
    app.add_typer(commands, name="count")


@commands.callback()
def _group() -> None:
    pass
