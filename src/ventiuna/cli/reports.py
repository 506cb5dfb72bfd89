"""Shared by the commands that print exact results: headings, number columns, how to repeat them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ventiuna.analysis.questions.again import command_text

if TYPE_CHECKING:
    from ventiuna.analysis.composition import Basis

T = TypeVar("T")

WithoutOption = Annotated[
    str,
    typer.Option(
        "--without",
        metavar="CARDS",
        help="Cards already gone from the shoe, such as '7s 7s Kh'.",
        show_default=False,
    ),
]


ShoeOption = Annotated[
    str,
    typer.Option(
        "--shoe",
        metavar="COUNTS",
        help="What is left of the shoe, such as '7s:3 K:12 2:20': cards, or ranks of which "
        "all suits are left alike. Default: a fresh shoe.",
        show_default=False,
    ),
]


def number_table(*headings: str, words: int = 1, gap: int = 2) -> Table:
    """A table whose first columns are words and whose others are numbers, right-aligned."""
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), show_header=any(headings))
    for place, heading in enumerate(headings):
        if place < words:
            table.add_column(heading, overflow="fold")
        else:
            table.add_column(heading, justify="right", overflow="fold")
    return table


def print_heading(out: Console, title: str, basis: Basis) -> None:
    out.print(title)
    out.print(f"rules {basis.rules}, fingerprint {basis.fingerprint}")
    out.print(f"{basis.shoe_text}; all figures are exact fractions, rounded for print")
    from ventiuna.analysis.questions.side_bets import NO_STRATEGY

    out.print(f"strategy class: {NO_STRATEGY}")


def print_section(out: Console, title: str, table: Table, notes: Iterable[str] = ()) -> None:
    out.print()
    out.print(title)
    out.print()
    out.print(table)
    for note in notes:
        out.print(note)


def print_command(out: Console, words: Sequence[str]) -> None:
    out.print()
    # Not folded at the terminal's width, so that it can be copied in one piece.
    out.print(f"again with: {command_text(words)}", soft_wrap=True)


def with_progress(what: str, items: Sequence[T]) -> Iterator[T]:
    """The items one by one, with a bar on standard error where a person is watching."""
    out = Console(stderr=True)
    if not out.is_terminal:
        yield from items
        return
    with Progress(console=out, transient=True) as progress:
        yield from progress.track(items, description=what)
