"""`ventiuna figures`: every published figure beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from ventiuna.cli.commands import App
from ventiuna.cli.output import JsonFlag, console, plain_table, print_json
from ventiuna.cli.reports import number_table, print_command, print_section
from ventiuna.cli.sheets import Figure as Cell

if TYPE_CHECKING:
    from ventiuna.analysis.figures import Figure, FigureList

DIFFERENT = 1
OUR_DIGITS = 4


def register(app: App) -> None:
    app.command("figures", pages=True)(show_figures)


def show_figures(json: JsonFlag = False) -> None:
    """Compare every published figure with ours: equal, within tolerance, or different.

    Exit code 1 if a figure differs that other published figures don't contradict.
    """
    from ventiuna.analysis.figures import published_figures

    found = published_figures()
    if json:
        print_json({**found.as_data(), "command": "ventiuna figures --json"})
    else:
        _print(console(), found)
    if found.unexplained:
        raise typer.Exit(DIFFERENT)


def _print(out: Console, found: FigureList) -> None:
    from ventiuna.analysis.figures import STRATEGY_CLASS

    out.print("Published figures beside ours, rounded to the same digits")
    out.print(f"base game from fresh shoes: {STRATEGY_CLASS}")
    out.print("--json tells rules, fingerprint and source of each figure")
    for section, figures in found.sections().items():
        if all(" pay table " in figure.what for figure in figures):
            _print_pay_tables(out, section, figures)
        else:
            _print_rows(out, section, figures)
    _print_trust(out)
    out.print()
    for figure in found.different:
        why = f": {figure.disputed}" if figure.disputed else ""
        out.print(
            f"differs: {figure.section}: {figure.what}: published {figure.published}, "
            f"ours {figure.ours} ({figure.rules}){why}"
        )
    out.print(found.summary())
    print_command(out, ["figures"])


def _print_trust(out: Console) -> None:
    from ventiuna.analysis.figures import TRUST

    table = plain_table("trust", "what it means")
    for word, meaning in TRUST.items():
        table.add_row(word, meaning)
    print_section(out, "Words of trust", table)


def _print_rows(out: Console, section: str, figures: Sequence[Figure]) -> None:
    from ventiuna.analysis.figures import standing_text

    table = number_table("", "published", "ours", "standing", "trust")
    for figure in figures:
        ours = figure.ours
        table.add_row(figure.what, figure.published, ours, standing_text(figure), figure.trust)
    print_section(out, section, table)


def _print_pay_tables(out: Console, section: str, figures: Sequence[Figure]) -> None:
    """One jackpot table a row, its pay tables side by side: printed, then ours to more digits."""
    by_table: dict[str, list[Figure]] = {}
    for figure in figures:
        by_table.setdefault(figure.what.partition(" pay table ")[0], []).append(figure)
    most = max(len(row) for row in by_table.values())
    numbers = [str(number + 1) for number in range(most)]
    table = number_table("", *numbers, gap=1, name="jackpot_house_advantage")
    table.keys = ("jackpot_table", *(f"pay_table_{number}" for number in numbers))
    for name, row in by_table.items():
        table.add_row(f"{name} printed", *(_with_mark(figure) for figure in row))
        table.add_row("   ours", *(_ours(figure) for figure in row))
    print_section(out, f"{section}, in per cent, by pay table (R-101)", table)


def _with_mark(figure: Figure) -> Cell:
    number = figure.published.removesuffix(" %")
    return Cell(number if figure.equal else f"{number} !", float(number), "percent")


def _ours(figure: Figure) -> Cell:
    from ventiuna.analysis.exact import decimal_text

    percent = figure.value * 100
    return Cell(decimal_text(percent, OUR_DIGITS), float(percent), "percent")
