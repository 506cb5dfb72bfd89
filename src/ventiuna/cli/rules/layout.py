"""`ventiuna rules layout`: the words and lines printed on the felt, to read or to print."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.output import JsonFlag, RulesArgument, console, note, print_json
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.files import write_file
from ventiuna.rules import load_rules


class SheetSize(StrEnum):
    A3 = "a3"
    A4 = "a4"


def register(app: App, panel: str) -> None:
    app.command("layout", tables=False, pages=True, rich_help_panel=panel)(show_layout)


def show_layout(
    rules: RulesArgument = DEFAULT_RULES,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Write an SVG drawing.", dir_okay=False),
    ] = None,
    pdf: Annotated[
        Path | None,
        typer.Option("--pdf", metavar="FILE", help="Write a PDF.", dir_okay=False),
    ] = None,
    paper: Annotated[SheetSize, typer.Option(help="Paper size of the PDF.")] = SheetSize.A3,
    cloth: Annotated[
        bool,
        typer.Option("--cloth", help="Draw it in the colors of the felt, not as ink on white."),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """The printed table layout for these rules (R-004): its words, or a drawing."""
    from ventiuna.layout import layout
    from ventiuna.layout.as_data import layout_data
    from ventiuna.layout.pages import CLOTH, PAPER, Sheet

    printed = layout(load_rules(rules))
    colours = CLOTH if cloth else PAPER
    if svg is not None:
        from ventiuna.layout.svg import layout_svg

        write_file(svg, layout_svg(printed, colours).encode())
        note(f"written to {svg}")
    if pdf is not None:
        from ventiuna.layout.pdf import layout_pdf

        write_file(pdf, layout_pdf(printed, Sheet(paper.value), colours))
        note(f"written to {pdf}")
    if json:
        print_json(layout_data(printed))
    elif svg is None and pdf is None:
        from ventiuna.layout.text import layout_text

        if rules == DEFAULT_RULES:  # the layout itself doesn't name its rules
            note(f"Rules: {rules}.")
        console().print(layout_text(printed), soft_wrap=True, highlight=False, markup=False)
