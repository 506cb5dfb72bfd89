"""Tables that can be printed, read aloud, stacked on a narrow screen, or exported.

A table either has declared columns (`OutputTable.of`) or is filled cell by cell. A cell is a string
or a `FormattedNumber`, which has its exact value and its format.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from time import perf_counter
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from ventiuna.analysis.results import Column as ResultColumn
from ventiuna.analysis.results import FormattedNumber, printed
from ventiuna.files import Cell
from ventiuna.texts import one_line

WIDEST_WORD = 24  # longer words, such as rule strings, can be broken
_NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")
_POSSESSIVE = re.compile(r"'s\b")
_MONEY = re.compile(r"\$([0-9,]+)(?:\.00)?")
_NOTHING = ("", "-")
_UNNAMED = ("name", "value", "note")  # columns without a heading


def slug(words: str) -> str:
    """
    >>> slug("share of meter, per million")
    'share_of_meter_per_million'
    >>> slug("$1,000.00 in the meter return")
    '1000_in_the_meter_return'
    >>> slug("dealer's blackjack")
    'dealer_blackjack'
    """
    plain = _MONEY.sub(lambda found: found[1].replace(",", ""), words.lower())
    plain = _POSSESSIVE.sub("", plain)
    return _NOT_IN_SLUG.sub("_", plain).strip("_")


@dataclass
class CommandOutput:
    """A command's output settings, and the tables it has printed."""

    command: str = ""  # also used as the name for unnamed tables
    plain: bool = False
    csv: str = ""
    parquet: str = ""
    buffer: StringIO | None = None  # collects text that may go to a pager
    facts: dict[str, str] = field(default_factory=dict)
    sheets: list[OutputTable] = field(default_factory=list)
    started: float = field(default_factory=perf_counter)

    @property
    def seconds(self) -> float:
        """Seconds since the command began."""
        return perf_counter() - self.started


class OutputTable(Table):
    """A borderless table. Number columns are right-aligned, text columns left-aligned."""

    def __init__(self, *headings: str, name: str = "", words: int | None = None, gap: int = 2):
        super().__init__(
            box=None, pad_edge=False, padding=(0, gap, 0, 0), show_header=any(headings)
        )
        self.name = name
        self.read_aloud = False  # whether to print each row as a sentence
        self.headings = headings
        self.lines: list[tuple[str | FormattedNumber, ...]] = []
        self.keys: tuple[str, ...] = ()  # column names for exports, if headings aren't clear enough
        last_word = len(headings) if words is None else words
        for place, heading in enumerate(headings):
            is_number = place >= last_word
            self.add_column(
                heading,
                overflow="fold",
                justify="right" if is_number else "left",
                no_wrap=is_number,
            )

    @classmethod
    def of(
        cls,
        columns: Iterable[ResultColumn],
        records: Iterable[object],
        name: str = "",
        words: int = 1,
        gap: int = 2,
    ) -> OutputTable:
        """Create a table from declared columns; the first `words` columns are text."""
        shown = printed(tuple(columns))
        table = cls(*(str(column.heading) for column in shown), name=name, words=words, gap=gap)
        for record in records:
            table.add_row(*(_record_cell(column, record) for column in shown))
        return table

    def add_row(self, *cells: Any, **settings: Any) -> None:
        """Add a row of strings and `FormattedNumber`s."""
        self.lines.append(cells)
        super().add_row(*map(str, cells), **settings)

    def cells(self) -> Iterator[list[str]]:
        """Yield the rows as strings."""
        yield from (list(map(str, line)) for line in self.lines)

    # --- Display ---

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.read_aloud:
            for row in self.cells():
                yield Text(self._sentence(row))
        elif len(self.columns) > 1 and self._least_width() > options.max_width:
            yield from self._stacked()
        else:
            self._fit(options.max_width)
            yield from super().__rich_console__(console, options)

    def _sentence(self, row: list[str]) -> str:
        """Format a row: `up card 2: chance 0.08, meter $10.00`; without headings, `edge: 0.4%`."""
        parts = [f"{heading} {cell}".strip() for heading, cell in self._labeled_cells(row[1:])]
        start = f"{self.headings[0]} {_one_line_cell(row[0])}".strip() or "also"
        return one_line(": ".join(filter(None, [start, ", ".join(parts)])))

    def _labeled_cells(self, others: list[str]) -> Iterator[tuple[str, str]]:
        for heading, cell in zip(self.headings[1:], others, strict=True):
            if cell.strip():
                yield heading, _one_line_cell(cell)

    def _stacked(self) -> RenderResult:
        """Stack the rows for a narrow window, each cell after its heading."""
        for row in self.cells():
            start = (
                f"{self.headings[0]}: {_one_line_cell(row[0])}"
                if self.headings[0]
                else _one_line_cell(row[0])
            )
            yield Text(one_line(start))
            for heading, cell in self._labeled_cells(row[1:]):
                words = f"{heading}: {cell}" if heading else cell
                yield Padding(Text(one_line(words), overflow="fold"), (0, 0, 0, 2), expand=False)

    def _least_width(self) -> int:
        """Return the minimum width that doesn't break numbers or words."""
        minimum = [max(_longest_word(column.header), _min_width(column)) for column in self.columns]
        return sum(minimum) + self.padding[1] * (len(minimum) - 1)

    def _fit(self, width: int) -> None:
        """Fit the width: wrap text and headings between words, and never split numbers."""
        natural = [max(len(str(item.header)), _max_width(item.cells)) for item in self.columns]
        room = width - self.padding[1] * (len(natural) - 1)
        if sum(natural) <= room:
            return
        minimum = [max(_longest_word(item.header), _min_width(item), 1) for item in self.columns]
        spare = room - sum(minimum)
        wishes = [
            0 if column.justify == "right" else max(maximum - few, 0)
            for column, maximum, few in zip(self.columns, natural, minimum, strict=True)
        ]
        for place, (heading, column) in enumerate(zip(self.headings, self.columns, strict=True)):
            if column.justify == "right":
                column.header = "\n".join(textwrap.wrap(heading, minimum[place]))
            else:
                more = spare * wishes[place] // max(sum(wishes), 1)
                column.width = min(natural[place], minimum[place] + more)

    # --- Export ---

    def columns_of_data(self) -> dict[str, list[Cell]]:
        """Return typed columns, with units in their names; text among numbers becomes None."""
        columns: dict[str, list[Cell]] = {}
        for place in range(len(self.columns)):
            cells = [line[place] for line in self.lines]
            name = self._column_name(place)
            if any(isinstance(cell, FormattedNumber) for cell in cells):
                _add_numbers(columns, name, cells)
            else:
                texts = (_one_line_cell(str(cell)) for cell in cells)
                columns[unique_name(columns, name)] = [
                    None if text in _NOTHING else text for text in texts
                ]
        return columns

    def _column_name(self, place: int) -> str:
        """Name a column after its heading or, if it has none, after the column before it."""
        if self.keys:
            return self.keys[place]
        before = self.headings[place - 1] if place else ""
        default = _UNNAMED[min(place, len(_UNNAMED) - 1)]
        return slug(self.headings[place]) or slug(before) or default


def _record_cell(column: ResultColumn, record: object) -> str | FormattedNumber:
    value = column.value(record)
    if column.form is None:
        return value if isinstance(value, FormattedNumber) else str(value)
    return "" if value is None else FormattedNumber(value, column.form)


def _add_numbers(
    columns: dict[str, list[Cell]], name: str, cells: Sequence[str | FormattedNumber]
) -> None:
    numbers = [cell if isinstance(cell, FormattedNumber) else None for cell in cells]
    units = [None if number is None else number.form.unit for number in numbers]
    values = _same_type(
        [None if number is None else number.form.number(number.value) for number in numbers]
    )
    known = {unit for unit in units if unit is not None}
    if len(known) == 1:
        (unit,) = known
        column = f"{name}_{unit}" if unit and not name.endswith(unit) else name
        columns[unique_name(columns, column)] = values
        return
    columns[unique_name(columns, name)] = values
    columns[unique_name(columns, f"{name}_unit")] = list(units)


def _same_type(values: list[Cell]) -> list[Cell]:
    """Convert integers to floats if the column contains any float."""
    if any(isinstance(value, float) for value in values):
        return [float(value) if isinstance(value, int) else value for value in values]
    return values


def unique_name(taken: Iterable[str], name: str) -> str:
    """Return the name, with a number appended if it is taken."""
    candidate, number = name, 1
    while candidate in set(taken):
        number += 1
        candidate = f"{name}_{number}"
    return candidate


def _one_line_cell(cell: str) -> str:
    """Join the lines of a cell."""
    return "; ".join(filter(None, map(str.strip, cell.split("\n"))))


def _longest_word(text: Any) -> int:
    return max(map(len, str(text).split()), default=0)


def _max_width(cells: Iterable[Any]) -> int:
    lines = (line for cell in cells for line in str(cell).split("\n"))
    return max(map(len, lines), default=0)


def _min_width(column: Column) -> int:
    if column.no_wrap:
        return _max_width(column.cells)
    return min(max(map(_longest_word, column.cells), default=0), WIDEST_WORD)
