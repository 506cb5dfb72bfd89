"""Every command of the program, found from the program itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from ventiuna.cli.app import new_app


def every_command() -> dict[str, Any]:
    """Each command by its words, such as `count design`, with what it takes."""
    return dict(_below(typer.main.get_command(new_app()), ()))


def _below(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "list_commands"):
        yield " ".join(words), command
        return
    context = typer.Context(command, info_name=" ".join(words))
    for name in command.list_commands(context):
        yield from _below(command.get_command(context, name), (*words, name))
