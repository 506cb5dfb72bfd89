"""Render a chart page as text, HTML, SVG or PDF. PDF needs fpdf2 (the extra `print`)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from enum import StrEnum

from ventiuna.analysis.charts.page import (
    LegendItem,
    Page,
    Section,
    in_two_columns,
    lines_of,
)
from ventiuna.rendering import (
    FAINT,
    HEAD,
    INK,
    POINT,
    Anchor,
    Box,
    Drawing,
    Label,
    Shape,
    action_color,
    drawing_pdf,
    drawing_svg,
    render,
)
from ventiuna.strategy.chart import UP_CARDS

# --- Plain text ---

WIDTH = 80
_LABEL_COLUMNS = 8
_CELL_COLUMNS = 6
_NEVER = "."  # an empty cell


def chart_text(page: Page) -> str:
    """The whole page; every line ends with a newline."""
    return "".join(f"{line}\n" for line in _text_lines(page))


def _text_lines(page: Page) -> Iterator[str]:
    yield page.title
    if page.subtitle:
        yield from textwrap.wrap(page.subtitle, WIDTH)
    for section in page.sections:
        yield ""
        yield from section_lines(section)
    yield ""
    widest = max((len(item.sign) for item in page.legend), default=0)
    for item in page.legend:
        yield f"{item.sign:<{widest}}  {item.words}"
    if page.notes:
        yield ""
        for note in page.notes:
            yield from textwrap.wrap(note, WIDTH)
    if page.footer:
        yield ""
        for line in page.footer:
            yield from textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False)


def section_lines(section: Section) -> Iterator[str]:
    yield section.title
    yield f"{'':<{_LABEL_COLUMNS}}" + "".join(f"{up:<{_CELL_COLUMNS}}" for up in UP_CARDS).rstrip()
    for row in section.rows:
        cells = "".join(f"{cell or _NEVER:<{_CELL_COLUMNS}}" for cell in row.cells)
        yield f"{row.label:<{_LABEL_COLUMNS}}{cells}".rstrip()


# --- HTML ---

# For printing: the printable height of a letter-size sheet in pixels, then the heights of parts of
# the page in font sizes.
_SHEET = 960.0
_HTML_ROW, _HTML_TABLE, _HTML_LEGEND_ROW, _HTML_REST = 1.78, 1.4, 1.75, 14.0
_LARGEST = 13.0


def chart_html(page: Page) -> str:
    """A complete HTML file, with the largest font size that fits the page on one sheet."""
    columns = in_two_columns(page.sections)
    tables = max(lines_of(column) * _HTML_ROW + len(column) * _HTML_TABLE for column in columns)
    height = tables + _HTML_LEGEND_ROW * -(-len(page.legend) // 2) + _HTML_REST
    size = f"{min(_LARGEST, _SHEET / height):.1f}"
    return render("chart_page.html", **_values(page), size=size)


def chart_fragment(page: Page) -> str:
    """The chart as part of a page, such as a notebook; its styles don't affect the rest."""
    return render("chart.html", **_values(page))


def _values(page: Page) -> dict[str, object]:
    half = -(-len(page.legend) // 2)
    return {
        "page": page,
        "columns": in_two_columns(page.sections),
        "legends": (page.legend[:half], page.legend[half:]),
        "up_cards": UP_CARDS,
    }


# --- Drawing on one sheet ---


class Paper(StrEnum):
    A4 = "a4"
    LETTER = "letter"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimeters."""
        return (210.0, 297.0) if self is Paper.A4 else (215.9, 279.4)


MARGIN = 13.0
COLUMN_GAP = 8.0
SECTION_GAP = 4.5
LABEL_WIDTH = 13.0
TALLEST_ROW = 7.4
UP_CARD = "dealer's up card"
_CAPITALS = 0.72  # cap height divided by font size
_USUAL_WIDTH, _BOLD_WIDTH = 0.47, 0.62  # character width divided by font size
_LEGEND_COLUMNS = 2
_LEGEND_ROW = 5.0
_SMALL, _USUAL, _TITLE = 6.8, 8.5, 18.0


def draw(page: Page, paper: Paper = Paper.A4) -> Drawing:
    """Lay out the page on one sheet; rows shrink if there are many."""
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
    shapes.sort(key=lambda shape: isinstance(shape, Label))  # so that no box covers text
    return Drawing(
        width,
        height,
        page.title,
        tuple(shapes),
        stroke=0.15,
        svg_font="Helvetica, Arial, 'Liberation Sans', sans-serif",
        pdf_font="helvetica",
        unit="mm",
    )


def _row_height(sections: Sequence[Section], room: float) -> float:
    return (room - SECTION_GAP * len(sections)) / max(1, lines_of(sections))


# --- Parts ---


def _draw_head(shapes: list[Shape], page: Page, width: float) -> float:
    y = MARGIN + _TITLE * POINT * _CAPITALS
    shapes.append(_label(MARGIN, y, page.title, _TITLE, bold=True))
    for line in _wrapped(page.subtitle, width - 2 * MARGIN, _USUAL):
        y += 4.6
        shapes.append(_label(MARGIN, y, line, _USUAL, color=FAINT))
    return y + 5.0


def _draw_foot(shapes: list[Shape], page: Page, width: float, height: float) -> float:
    """Draw legend, notes and small print from the bottom up; return where they begin."""
    usable = width - 2 * MARGIN
    small = [line for text in page.footer for line in _wrapped(text, usable, _SMALL)]
    notes = _wrapped(" ".join(page.notes), usable, _USUAL)
    legend_rows = -(-len(page.legend) // _LEGEND_COLUMNS)
    y = height - MARGIN
    for line in reversed(small):
        shapes.append(_label(MARGIN, y, line, _SMALL, color=FAINT))
        y -= 3.2
    y -= 1.6 if small else 0.0
    for line in reversed(notes):
        shapes.append(_label(MARGIN, y, line, _USUAL))
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
        shapes.append(Box(x, y, 7.6, 4.2, fill=action_color(item.sign)))
        middle = y + 2.1 + _USUAL * POINT * _CAPITALS / 2
        shapes.append(_label(x + 3.8, middle, item.sign, _USUAL, anchor=Anchor.MIDDLE, bold=True))
        shapes.append(_label(x + 9.6, middle, item.words, size))


def _draw_section(
    shapes: list[Shape], section: Section, x: float, y: float, width: float, row: float
) -> float:
    cell = (width - LABEL_WIDTH) / len(UP_CARDS)
    size = min(10.0, row * 0.58 / POINT)
    shapes.append(_label(x, y + row * 0.7, section.title, min(11.0, size * 1.15), bold=True))
    shapes.append(_label(x + width, y + row * 0.7, UP_CARD, min(7.0, size), FAINT, Anchor.END))
    y += row
    shapes.append(Box(x, y, LABEL_WIDTH, row, fill=HEAD))
    for number, up in enumerate(UP_CARDS):
        _draw_cell(shapes, x + LABEL_WIDTH + number * cell, y, cell, row, up, HEAD, size)
    for line in section.rows:
        y += row
        _draw_cell(shapes, x, y, LABEL_WIDTH, row, line.label, HEAD, size)
        for number, text in enumerate(line.cells):
            place = x + LABEL_WIDTH + number * cell
            _draw_cell(shapes, place, y, cell, row, text, action_color(text), size)
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
    shapes.append(Box(x, y, width, height, fill=fill))
    if not text:
        return
    size = _fitting(text, width - 1.0, size, _BOLD_WIDTH)
    middle = y + height / 2 + size * POINT * _CAPITALS / 2
    shapes.append(_label(x + width / 2, middle, text, size, anchor=Anchor.MIDDLE, bold=True))


# --- Text ---


def _label(
    x: float,
    y: float,
    text: str,
    points: float,
    color: str = INK,
    anchor: Anchor = Anchor.START,
    *,
    bold: bool = False,
) -> Label:
    return Label(x, y, text, points * POINT, color, anchor, bold)


def _fitting(text: str, width: float, size: float, default: float = _USUAL_WIDTH) -> float:
    """The largest font size up to `size` at which the text fits."""
    needed = len(text) * default * size * POINT
    return size if needed <= width else size * width / needed


def _wrapped(text: str, width: float, size: float) -> list[str]:
    return textwrap.wrap(text, int(width / (_USUAL_WIDTH * size * POINT)))


# --- SVG and PDF ---


def chart_svg(page: Page, paper: Paper = Paper.A4) -> str:
    """A complete SVG file; lengths are in millimeters."""
    return drawing_svg(draw(page, paper))


def chart_pdf(page: Page, paper: Paper = Paper.A4) -> bytes:
    """A complete PDF file with searchable text."""
    return drawing_pdf(draw(page, paper), paper.size, 0.0, "write the chart as SVG")
