"""The signs of a chart: how a cell is written, and what each sign says in words."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from ventiuna.strategy.chart import Cell

UPS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")

HIT, STAND, DOUBLE, SPLIT, SURRENDER = "H", "S", "D", "P", "R"

MIXED, SUITED, SPADES = "*", "'", '"'  # which 6-7-8 can still come


class Table(StrEnum):
    """The tables of a chart. After a double R is a rescue and D a double-double."""

    HARD = "hard"
    SOFT = "soft"
    PAIRS = "pairs"
    DOUBLED_HARD = "doubled hard"
    DOUBLED_SOFT = "doubled soft"

    @property
    def is_doubled(self) -> bool:
        return self in (Table.DOUBLED_HARD, Table.DOUBLED_SOFT)


def cell_text(cell: Cell) -> str:
    """
    >>> cell_text(Cell("S", "", 4, "*", False))
    'S4*'
    """
    cards = str(cell.cards) if cell.cards else ""
    return f"{cell.first}{cell.second}{cards}{cell.mark}{'$' if cell.for_super else ''}"


def row_text(row: Iterable[Cell]) -> str:
    """Ten cells in columns, as chart files have them."""
    return " ".join(f"{cell_text(cell):<4}" for cell in row).rstrip()


_LETTERS = {HIT: "hit", STAND: "stand", DOUBLE: "double", SPLIT: "split", SURRENDER: "surrender"}
_LETTERS_DOUBLED = {STAND: "stand", DOUBLE: "double again", SURRENDER: "rescue"}
_MARKS = {
    MIXED: "hit while a 6-7-8 can still come",
    SUITED: "hit while a 6-7-8 of one suit can still come",
    SPADES: "hit while a 6-7-8 of spades can still come",
}
_SUPER = "hit while the Super Bonus can still come"


def action_words(letter: str, doubled: bool = False, rescue: bool = True) -> str:
    """The play that a letter stands for; without a rescue, R is a surrender once doubled too."""
    if doubled and (rescue or letter != SURRENDER):
        return _LETTERS_DOUBLED.get(letter, _LETTERS[letter])
    return _LETTERS[letter]


def mark_words(mark: str) -> str:
    return _SUPER if mark == "$" else _MARKS[mark]


def cards_words(cell: Cell) -> str:
    """What the digit of a cell says.

    >>> cards_words(Cell("D", "", 4, "", False))
    'with 4 or more cards hit'
    """
    return f"with {cell.cards} or more cards {_LETTERS[cell.second or HIT]}"


def cell_words(cell: Cell, doubled: bool = False, rescue: bool = True) -> str:
    """A whole cell as a sentence's part.

    >>> cell_words(Cell("S", "", 4, "*", False))
    'stand; with 4 or more cards hit; hit while a 6-7-8 can still come'
    """
    parts = [action_words(cell.first, doubled, rescue)]
    if cell.second and not cell.cards:
        parts[0] += f", or {action_words(cell.second, doubled, rescue)} where that is not allowed"
    if cell.cards:
        parts.append(cards_words(cell))
    if cell.mark:
        parts.append(mark_words(cell.mark))
    if cell.for_super:
        parts.append(mark_words("$"))
    return "; ".join(parts)
