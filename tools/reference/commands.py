"""Every command with its arguments and options, as in `--help`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from tools.reference.markdown import code, joined, table
from ventiuna.cli.app import new_app

ABOUT = """\
Generated from the commands. `ventiuna COMMAND --help` shows the same text in a terminal.
RULES is a preset, the path of a rules file, or either with changes ([house
rules](../../tutorials/house-rules.md)).

Exit code 0: success. 1: a check failed (a difference, an invalid shoe, a failed audit) or an extra
is missing. 2: the input was invalid and nothing was done. 130: interrupted."""
_MARKUP = re.compile(r"\[/?(?:bold|dim|italic|red|green|yellow|cyan)[^\]]*\]")


def page() -> str:
    group = typer.main.get_command(new_app())
    return joined(["# Commands", ABOUT, *_commands(group, "ventiuna")])


def _commands(group: Any, name: str) -> Iterator[str]:
    context = typer.Context(group, info_name=name)
    for sub in group.list_commands(context):
        if not group.get_command(context, sub).hidden:
            _, command, _ = group.resolve_command(context, [sub])
            yield from _command(command, f"{name} {sub}")


def _command(command: Any, name: str) -> Iterator[str]:
    depth = "#" * len(name.split())
    yield f"(command-{'-'.join(name.split()[1:])})=\n{depth} {code(name)}"
    yield _text(command.help or "")
    if hasattr(command, "commands"):
        yield from _commands(command, name)
        return
    context = typer.Context(command, info_name=name)
    yield f"```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```"
    records = [
        record
        for one in command.params
        if not one.hidden and (record := one.get_help_record(context))
    ]
    if records:
        yield table(
            ("", "meaning"), ((code(_way(way)), _text(meaning)) for way, meaning in records)
        )


def _way(text: str) -> str:
    """Return an option's syntax, without the redundant type of a switch."""
    return text.replace(" <bool>", "").replace("  ", " ")


def _text(text: str) -> str:
    """Return help as Markdown, escaping characters that would be markup."""
    plain = _MARKUP.sub("", text)
    parts = re.split(r"(`[^`]*`)", plain)
    return "".join(
        part if part.startswith("`") else re.sub(r"([*_<>\[\]])", r"\\\1", part) for part in parts
    )
