"""`ventiuna house`: its commands are loaded when one is wanted, since they need a database."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from ventiuna.cli.commands import App


class _House(TyperGroup):
    def list_commands(self, ctx: Any) -> list[str]:
        self._load()
        return super().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        self._load()
        return super().get_command(ctx, cmd_name)

    def _load(self) -> None:
        if not self.commands:
            from ventiuna.cli.house.desk import commands as wanted  # an extra of its own

            self.commands.update(typer.main.get_group(wanted).commands)


commands = App(
    cls=_House,
    no_args_is_help=True,
    help="Run a house of live tables: operators, tables, jackpots, play money. Every act stands "
    "in the books, with who and why.",
)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="house")


@commands.callback()
def _group() -> None:
    pass
