"""Prints reports and documents: headings, sections, and the command that repeats them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console

from ventiuna.analysis.coerce import command_text
from ventiuna.cli.common.console import (
    console,
    current_output,
    note,
    plain_table,
    print_json,
    progress_bar,
)
from ventiuna.cli.common.console import number_table as number_table
from ventiuna.cli.common.tables import OutputTable, slug
from ventiuna.files import check_file, write_file

if TYPE_CHECKING:
    from ventiuna.analysis.composition import Basis
    from ventiuna.reports.document import Block, Document

T = TypeVar("T")


def print_heading(out: Console, title: str, basis: Basis) -> None:
    out.print(title)
    out.print(f"rules {basis.rules}, fingerprint {basis.fingerprint}")
    out.print(f"{basis.shoe_text}; all figures are exact fractions, rounded for display")
    from ventiuna.analysis.side_bets.queries import NO_STRATEGY

    out.print(f"strategy class: {NO_STRATEGY}")


def print_section(out: Console, title: str, table: OutputTable, notes: Iterable[str] = ()) -> None:
    table.name = table.name or slug(title)
    out.print()
    out.print(title)
    out.print()
    out.print(table)
    for line in notes:
        out.print(line)


def print_command(out: Console, words: Sequence[str]) -> None:
    command = command_text(words)
    current_output().facts["command"] = command
    out.print()
    # Don't wrap, so that the command can be copied in one piece.
    out.print(f"To repeat: {command}", soft_wrap=True)


def with_progress(what: str, items: Sequence[T]) -> Iterator[T]:
    """Iterate over the items, with a progress bar on standard error if someone is watching."""
    with progress_bar() as bar:
        yield from bar.track(items, description=what) if bar else items


# --- Documents ---

HtmlOption = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write an HTML page.", dir_okay=False),
]
PdfOption = Annotated[
    Path | None,
    typer.Option("--pdf", metavar="FILE", help="Write a PDF.", dir_okay=False),
]


def check_output_files(*paths: Path | None) -> None:
    """Before a long analysis, check that the files can be written."""
    for path in paths:
        if path is not None:
            check_file(path)


def write_document(document: Document, html: Path | None, pdf: Path | None) -> None:
    if html is not None:
        from ventiuna.reports.render import document_html

        write_file(html, document_html(document))
        note(f"written to {html}")
    if pdf is not None:
        from ventiuna.reports.render import document_pdf

        write_file(pdf, document_pdf(document))
        note(f"written to {pdf}")


@dataclass(frozen=True, slots=True)
class DocumentOutput:
    """Output options of a document; checks its files before the analysis."""

    html: Path | None
    pdf: Path | None
    json: bool

    def __post_init__(self) -> None:
        check_output_files(self.html, self.pdf)

    def print(self, document: Document, data: Callable[[], object], words: list[str]) -> None:
        """Print JSON, or text if no file was requested, and write the files."""
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
    """Print the parts with these headings, or all of them."""
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
    from ventiuna.reports.document import Facts, Grid, Items, LetterTable, Text

    if isinstance(block, Text):
        out.print()
        out.print(block.text)
    elif isinstance(block, Items):
        for item in block.items:
            out.print(f"- {item}")
    elif isinstance(block, Facts):
        out.print()
        table = plain_table("", "", name=slug(heading))
        for name, text in block.rows:
            table.add_row(name, text)
        out.print(table)
    elif isinstance(block, Grid):
        name = slug(f"{heading} {block.name}")
        grid = number_table(*block.headings, words=block.words, name=name)
        for row in block.cells:
            grid.add_row(*row)
        print_section(out, block.caption, grid)
    elif isinstance(block, LetterTable):
        from ventiuna.strategy.chart import UP_CARDS

        chart = plain_table("hand", *UP_CARDS, name=slug(block.caption))
        for label, cells in block.rows:
            chart.add_row(label, *cells)
        print_section(out, block.caption, chart)
