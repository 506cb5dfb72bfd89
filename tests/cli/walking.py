"""Every command of the program, discovered from the program itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from ventiuna.cli.app import new_app


def every_command() -> dict[str, Any]:
    """Every command, such as `count design`, with its parameters; groups are left out."""
    return {
        words: command
        for words, command in everything_with_help().items()
        if not hasattr(command, "list_commands")
    }


def everything_with_help() -> dict[str, Any]:
    """The program itself, its groups, and its commands, except hidden ones."""
    return dict(_below(typer.main.get_command(new_app()), ()))


def _below(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    yield " ".join(words), command
    if not hasattr(command, "list_commands"):
        return
    context = typer.Context(command, info_name=" ".join(words))
    for name in command.list_commands(context):
        if not command.get_command(context, name).hidden:
            _, found, _ = command.resolve_command(context, [name])
            yield from _below(found, (*words, name))
