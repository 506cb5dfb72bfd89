"""Shared by the commands that print exact results: headings, number columns, how to repeat them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ventiuna.cards import parse_cards
from ventiuna.rules.model import Rules

if TYPE_CHECKING:
    from ventiuna.analysis.composition import Basis, Composition

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


def shoe_of(rules: Rules, gone: str) -> Composition:
    """A fresh shoe without the cards that the user named."""
    from ventiuna.analysis.composition import fresh_composition, without_cards

    return without_cards(fresh_composition(rules), parse_cards(gone))


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


def print_section(out: Console, title: str, table: Table, notes: Iterable[str] = ()) -> None:
    out.print()
    out.print(title)
    out.print()
    out.print(table)
    for note in notes:
        out.print(note)


def command_text(words: Sequence[str]) -> str:
    """The command line that gives the same result again."""
    return shlex.join(["ventiuna", *words])


def print_command(out: Console, words: Sequence[str]) -> None:
    out.print()
    # Not folded at the terminal's width, so that it can be copied in one piece.
    out.print(f"again with: {command_text(words)}", soft_wrap=True)


def announce_compilation() -> None:
    """Say why the very first exact result takes longer."""
    from ventiuna.kernels.jit import is_compiled_on_disk

    if not is_compiled_on_disk():
        print("Compiling the analyser: this happens once and takes a while.", file=sys.stderr)


def with_progress(what: str, items: Sequence[T]) -> Iterator[T]:
    """The items one by one, with a bar on standard error where a person is watching."""
    out = Console(stderr=True)
    if not out.is_terminal:
        yield from items
        return
    with Progress(console=out, transient=True) as progress:
        yield from progress.track(items, description=what)


def option_words(**options: str | int | None) -> list[str]:
    """`name=value` to `--name value`, those without a value left out."""
    words = []
    for name, value in options.items():
        if value not in (None, ""):
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words
