"""Shared by the commands that make sheets: written as HTML and PDF, told in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.cli.output import console, note, number_table, plain_table, print_json
from ventiuna.cli.reports import print_command, print_section
from ventiuna.cli.sheets import key_of
from ventiuna.files import check_file, write_file

if TYPE_CHECKING:
    from ventiuna.reports.pages.document import Block, Document

HtmlOption = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write an HTML page.", dir_okay=False),
]
PdfOption = Annotated[
    Path | None,
    typer.Option("--pdf", metavar="FILE", help="Write a PDF.", dir_okay=False),
]


def check_files(*paths: Path | None) -> None:
    """Found out before a long analysis, not after it."""
    for path in paths:
        if path is not None:
            check_file(path)


def write_document(document: Document, html: Path | None, pdf: Path | None) -> None:
    if html is not None:
        from ventiuna.reports.pages.html import document_html

        write_file(html, document_html(document))
        note(f"written to {html}")
    if pdf is not None:
        from ventiuna.reports.pages.pdf import document_pdf

        write_file(pdf, document_pdf(document))
        note(f"written to {pdf}")


@dataclass(frozen=True, slots=True)
class Telling:
    """How a sheet was asked for; files that can't be written are found out before an analysis."""

    html: Path | None
    pdf: Path | None
    json: bool

    def __post_init__(self) -> None:
        check_files(self.html, self.pdf)

    def tell(self, document: Document, data: Callable[[], object], words: list[str]) -> None:
        """As JSON, or as text where no file is wanted; and into the files."""
        if self.json:
            print_json(data())
        elif self.html is None and self.pdf is None:
            out = console()
            print_document(out, document)
            print_command(out, words)
        write_document(document, self.html, self.pdf)


def print_document(
    out: Console, document: Document, headings: Collection[str] | None = None
) -> None:
    """The parts with these headings, or all of them."""
    out.print(document.name)
    for line in document.lead:
        out.print(line)
    for part in document.parts:
        if headings is not None and part.heading not in headings:
            continue
        out.print()
        out.print(part.heading.upper())
        for block in part.blocks:
            _print_block(out, block, part.heading)
        if part.numbers:
            out.print(f"rules: {', '.join(part.numbers)}")


def _print_block(out: Console, block: Block, heading: str) -> None:
    from ventiuna.reports.pages.document import Facts, Grid, Items, Plays, Text

    if isinstance(block, Text):
        out.print()
        out.print(block.text)
    elif isinstance(block, Items):
        for item in block.items:
            out.print(f"- {item}")
    elif isinstance(block, Facts):
        out.print()
        table = plain_table("", "", name=key_of(heading))
        for name, text in block.rows:
            table.add_row(name, text)
        out.print(table)
    elif isinstance(block, Grid):
        name = key_of(f"{heading} {block.name}")
        grid = number_table(*block.headings, words=block.words, name=name)
        for row in block.rows:
            grid.add_row(*row)
        print_section(out, block.caption, grid)
    elif isinstance(block, Plays):
        from ventiuna.analysis.charts.render.notation import UPS

        chart = plain_table("hand", *UPS, name=key_of(block.caption))
        for label, cells in block.rows:
            chart.add_row(label, *cells)
        print_section(out, block.caption, chart)
