"""A chart drawn on one page: boxes and words in millimetres, for SVG and PDF alike."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from ventiuna.analysis.charts.render.colours import FAINT, HEAD, INK, LINE, action_colour
from ventiuna.analysis.charts.render.layout import (
    LegendItem,
    Page,
    Section,
    in_two_columns,
    lines_of,
)
from ventiuna.analysis.charts.render.notation import UPS


class Paper(StrEnum):
    A4 = "a4"
    LETTER = "letter"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimetres."""
        return (210.0, 297.0) if self is Paper.A4 else (215.9, 279.4)


class Anchor(StrEnum):
    START = "start"
    MIDDLE = "middle"
    END = "end"


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    fill: str
    line: str = LINE


class Words(NamedTuple):
    x: float
    y: float  # of the base line
    text: str
    size: float  # in points
    anchor: Anchor = Anchor.START
    bold: bool = False
    colour: str = INK


Shape = Box | Words


class Drawing(NamedTuple):
    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]


MARGIN = 13.0
COLUMN_GAP = 8.0
SECTION_GAP = 4.5
LABEL_WIDTH = 13.0
TALLEST_ROW = 7.4
UP_CARD = "dealer's up card"
POINT = 25.4 / 72.0  # in millimetres
_CAPITALS = 0.72  # height of capitals, in sizes of the type
_USUAL_WIDTH, _BOLD_WIDTH = 0.47, 0.62  # of a character, in sizes of the type
_LEGEND_COLUMNS = 2
_LEGEND_ROW = 5.0
_SMALL, _USUAL, _TITLE = 6.8, 8.5, 18.0


def draw(page: Page, paper: Paper = Paper.A4) -> Drawing:
    """Lay the page out so that it fits one sheet: rows shrink when there are many."""
    width, height = paper.size
    shapes: list[Shape] = []
    top = _draw_head(shapes, page, width)
    bottom = _draw_foot(shapes, page, width, height)
    left, right = in_two_columns(page.sections)
    room = bottom - top
    row = min(TALLEST_ROW, _row_height(left, room), _row_height(right, room))
    column = (width - 2 * MARGIN - COLUMN_GAP) / 2
    for number, sections in enumerate((left, right)):
        x = MARGIN + number * (column + COLUMN_GAP)
        y = top
        for section in sections:
            y = _draw_section(shapes, section, x, y, column, row) + SECTION_GAP
    return Drawing(width, height, page.title, tuple(shapes))


def _row_height(sections: Sequence[Section], room: float) -> float:
    return (room - SECTION_GAP * len(sections)) / max(1, lines_of(sections))


# --- parts --------------------------------------------------------------------------------------


def _draw_head(shapes: list[Shape], page: Page, width: float) -> float:
    y = MARGIN + _TITLE * POINT * _CAPITALS
    shapes.append(Words(MARGIN, y, page.title, _TITLE, bold=True))
    for line in _wrapped(page.subtitle, width - 2 * MARGIN, _USUAL):
        y += 4.6
        shapes.append(Words(MARGIN, y, line, _USUAL, colour=FAINT))
    return y + 5.0


def _draw_foot(shapes: list[Shape], page: Page, width: float, height: float) -> float:
    """Legend, notes and small print, from the bottom up; returns where they begin."""
    usable = width - 2 * MARGIN
    small = [line for text in page.footer for line in _wrapped(text, usable, _SMALL)]
    notes = _wrapped(" ".join(page.notes), usable, _USUAL)
    legend_rows = -(-len(page.legend) // _LEGEND_COLUMNS)
    y = height - MARGIN
    for line in reversed(small):
        shapes.append(Words(MARGIN, y, line, _SMALL, colour=FAINT))
        y -= 3.2
    y -= 1.6 if small else 0.0
    for line in reversed(notes):
        shapes.append(Words(MARGIN, y, line, _USUAL))
        y -= 3.9
    y -= 2.0 if notes else 0.0
    begin = y - legend_rows * _LEGEND_ROW
    _draw_legend(shapes, page.legend, begin, usable, legend_rows)
    return begin - 2.0


def _draw_legend(
    shapes: list[Shape], legend: Sequence[LegendItem], top: float, usable: float, rows: int
) -> None:
    column = (usable + COLUMN_GAP) / _LEGEND_COLUMNS
    size = min((_fitting(item.words, column - 19.0, _USUAL) for item in legend), default=_USUAL)
    for number, item in enumerate(legend):
        x = MARGIN + (number // rows) * column
        y = top + (number % rows) * _LEGEND_ROW
        shapes.append(Box(x, y, 7.6, 4.2, action_colour(item.sign)))
        middle = y + 2.1 + _USUAL * POINT * _CAPITALS / 2
        shapes.append(Words(x + 3.8, middle, item.sign, _USUAL, Anchor.MIDDLE, bold=True))
        shapes.append(Words(x + 9.6, middle, item.words, size))


def _draw_section(
    shapes: list[Shape], section: Section, x: float, y: float, width: float, row: float
) -> float:
    cell = (width - LABEL_WIDTH) / len(UPS)
    size = min(10.0, row * 0.58 / POINT)
    shapes.append(Words(x, y + row * 0.7, section.title, min(11.0, size * 1.15), bold=True))
    shapes.append(
        Words(x + width, y + row * 0.7, UP_CARD, min(7.0, size), Anchor.END, colour=FAINT)
    )
    y += row
    shapes.append(Box(x, y, LABEL_WIDTH, row, HEAD))
    for number, up in enumerate(UPS):
        _draw_cell(shapes, x + LABEL_WIDTH + number * cell, y, cell, row, up, HEAD, size)
    for line in section.rows:
        y += row
        _draw_cell(shapes, x, y, LABEL_WIDTH, row, line.label, HEAD, size)
        for number, text in enumerate(line.cells):
            place = x + LABEL_WIDTH + number * cell
            _draw_cell(shapes, place, y, cell, row, text, action_colour(text), size)
    return y + row


def _draw_cell(
    shapes: list[Shape],
    x: float,
    y: float,
    width: float,
    height: float,
    text: str,
    fill: str,
    size: float,
) -> None:
    shapes.append(Box(x, y, width, height, fill))
    if not text:
        return
    size = _fitting(text, width - 1.0, size, _BOLD_WIDTH)
    middle = y + height / 2 + size * POINT * _CAPITALS / 2
    shapes.append(Words(x + width / 2, middle, text, size, Anchor.MIDDLE, bold=True))


# --- type ---------------------------------------------------------------------------------------


def _fitting(text: str, width: float, size: float, usual: float = _USUAL_WIDTH) -> float:
    """The size, or the largest smaller one at which the text fits."""
    needed = len(text) * usual * size * POINT
    return size if needed <= width else size * width / needed


def _wrapped(text: str, width: float, size: float) -> list[str]:
    return textwrap.wrap(text, int(width / (_USUAL_WIDTH * size * POINT)))


def boxes_and_words(drawing: Drawing) -> Iterator[Shape]:
    """Boxes first, so that none covers a word."""
    yield from (shape for shape in drawing.shapes if isinstance(shape, Box))
    yield from (shape for shape in drawing.shapes if isinstance(shape, Words))
