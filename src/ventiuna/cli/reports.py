"""Shared by the commands that print exact results: headings, number columns, how to repeat them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ventiuna.cards import RANKS, SUITS, CardError, parse_card, parse_cards
from ventiuna.core.cards import CARDS, card_of
from ventiuna.money import MoneyError, parse_amount
from ventiuna.rules.model import Rules

if TYPE_CHECKING:
    from ventiuna.analysis.composition import Basis, Composition

T = TypeVar("T")

NO_STRATEGY = "none, side wagers hold no decision"

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


def shoe_of(rules: Rules, gone: str, left: str = "") -> Composition:
    """The shoe that the user described: what is left of it, less the cards that are gone."""
    from ventiuna.analysis.composition import fresh_composition, without_cards

    shoe = _read_shoe(left) if left else fresh_composition(rules)
    return without_cards(shoe, parse_cards(gone))


def _read_shoe(text: str) -> Composition:
    """`7s:3 K:12 2:20`, separated by spaces or commas."""
    counts = [0] * CARDS
    for word in text.replace(",", " ").split():
        name, _, number = word.partition(":")
        if not number.isdecimal() or len(number) > 4:
            raise CardError(f"shoe {word[:40]!r}: write a card or rank and how many, such as 7s:3")
        for card, count in _shared_out(name, int(number)):
            counts[card] += count
    return tuple(counts)


def _shared_out(name: str, count: int) -> list[tuple[int, int]]:
    """A card with its count, or a rank with its count shared out over the suits."""
    rank = RANKS.find(name.upper().replace("10", "T"))
    if rank < 0 or len(name.replace("10", "T")) != 1:
        return [(parse_card(name), count)]
    if count % len(SUITS):
        raise CardError(
            f"shoe {name}:{count}: {count} cards can't be shared out evenly over four suits; "
            f"name the cards, such as {RANKS[rank]}s:{count}"
        )
    return [(card_of(rank + 1, suit), count // len(SUITS)) for suit in range(len(SUITS))]


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
    out.print(f"strategy class: {NO_STRATEGY}")


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


def with_progress(what: str, items: Sequence[T]) -> Iterator[T]:
    """The items one by one, with a bar on standard error where a person is watching."""
    out = Console(stderr=True)
    if not out.is_terminal:
        yield from items
        return
    with Progress(console=out, transient=True) as progress:
        yield from progress.track(items, description=what)


def read_amount(option: str, text: str) -> int:
    """Cents of an option's amount; a bad one is told with the option's name."""
    try:
        return parse_amount(text)
    except MoneyError as error:
        raise MoneyError(f"{option}: {error}") from None


def option_words(**options: str | int | None) -> list[str]:
    """`name=value` to `--name value`, those without a value left out."""
    words = []
    for name, value in options.items():
        if value not in (None, ""):
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words
