"""Shared by the commands that print exact results: headings, number columns, how to repeat them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console

from ventiuna.analysis.questions.again import command_text
from ventiuna.cli.output import number_table, output, sees_bars
from ventiuna.cli.sheets import Sheet, key_of

if TYPE_CHECKING:
    from ventiuna.analysis.composition import Basis

__all__ = [
    "ShoeOption",
    "WithoutOption",
    "number_table",
    "print_command",
    "print_heading",
    "print_section",
    "with_progress",
]

T = TypeVar("T")

WithoutOption = Annotated[
    str,
    typer.Option(
        "--without",
        metavar="CARDS",
        help="Cards already dealt from the shoe, such as '7s 7s Kh'.",
        show_default=False,
    ),
]


ShoeOption = Annotated[
    str,
    typer.Option(
        "--shoe",
        metavar="COUNTS",
        help="Cards left in the shoe, such as '7s:3 K:12 2:20'. A rank without a suit counts "
        "all four suits evenly. Default: a fresh shoe.",
        show_default=False,
    ),
]


def print_heading(out: Console, title: str, basis: Basis) -> None:
    out.print(title)
    out.print(f"rules {basis.rules}, fingerprint {basis.fingerprint}")
    out.print(f"{basis.shoe_text}; all figures are exact fractions, rounded for print")
    from ventiuna.analysis.questions.side_bets import NO_STRATEGY

    out.print(f"strategy class: {NO_STRATEGY}")


def print_section(out: Console, title: str, table: Sheet, notes: Iterable[str] = ()) -> None:
    table.name = table.name or key_of(title)
    out.print()
    out.print(title)
    out.print()
    out.print(table)
    for note in notes:
        out.print(note)


def print_command(out: Console, words: Sequence[str]) -> None:
    command = command_text(words)
    output().facts["command"] = command
    out.print()
    # Not folded at the terminal's width, so that it can be copied in one piece.
    out.print(f"To repeat: {command}", soft_wrap=True)


def with_progress(what: str, items: Sequence[T]) -> Iterator[T]:
    """The items one by one, with a bar on standard error where a person is watching."""
    out = Console(stderr=True)
    if not sees_bars(out):
        yield from items
        return
    from rich.progress import Progress

    with Progress(console=out, transient=True) as progress:
        yield from progress.track(items, description=what)
