"""Commands and groups that print their help in panels or, in plain mode, under headings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand, TyperGroup

Row = tuple[str, str]


_VALUES = {bool: "", str: "TEXT", int: "NUMBER", float: "NUMBER"}


def _name_value_types(parameters: list[Any]) -> list[Any]:
    """Name option values in plain words, not as Typer's `<int>` or `<bool>`."""
    for each in parameters:
        if each.param_type_name == "option" and each.metavar is None:
            each.metavar = _VALUES.get(each.type_descriptor.annotation)
    return parameters


class HelpfulCommand(TyperCommand):
    def get_params(self, ctx: Any) -> Any:
        return _name_value_types(super().get_params(ctx))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write_parameters(self, ctx, formatter)


class HelpfulGroup(TyperGroup):
    def get_params(self, ctx: Any) -> Any:
        return _name_value_types(super().get_params(ctx))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        self.format_commands(ctx, formatter)  # commands first, because people look there first
        _write_parameters(self, ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        found: list[tuple[str, Any]] = [
            (name, self.get_command(ctx, name)) for name in self.list_commands(ctx)
        ]
        _write_panels(
            formatter,
            (
                (command.rich_help_panel or "Commands", (name, _summary(command)))
                for name, command in found
                if not command.hidden
            ),
        )


def _summary(command: Any) -> str:
    """Return the whole first paragraph of the help text."""
    text: str = command.short_help or command.help or ""
    return " ".join(text.split("\n\n")[0].split())


def _write_parameters(command: Any, ctx: Any, formatter: Any) -> None:
    panels = []
    for each in command.get_params(ctx):
        record = each.get_help_record(ctx)
        if record is not None:
            name, text = record
            is_argument = each.param_type_name == "argument"
            panel = each.rich_help_panel or ("Arguments" if is_argument else "Options")
            label = each.display_name_raw if is_argument else name.strip()
            panels.append((panel, (label, " ".join(text.split()))))
    _write_panels(formatter, panels)


def _write_panels(formatter: Any, rows: Iterable[tuple[str, Row]]) -> None:
    panels: dict[str, list[Row]] = {}
    for panel, row in rows:
        panels.setdefault(panel, []).append(row)
    for panel, listed in panels.items():
        with formatter.section(panel):
            formatter.write_dl(listed)
