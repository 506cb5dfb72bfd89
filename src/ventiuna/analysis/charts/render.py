"""Render a chart page as text, HTML, SVG or PDF. PDF needs fpdf2 (the extra `print`)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ventiuna.analysis.charts.page import (
    LegendItem,
    Page,
    Section,
    in_two_columns,
    lines_of,
)
from ventiuna.package import missing_extra
from ventiuna.strategy.chart import UP_CARDS
from ventiuna.texts import markup_text

if TYPE_CHECKING:
    from fpdf import FPDF


# --- Colors ---

INK = "#1d2430"
FAINT = "#66707f"
LINE = "#9aa3b0"
HEAD = "#e9ecf1"
PAPER = "#ffffff"
NEVER = "#f4f5f8"  # a cell that can't occur

_ACTIONS = {
    "H": "#ffffff",
    "S": "#f7e08a",
    "D": "#a6cdee",
    "P": "#b3dfb4",
    "R": "#f1ab9f",
}


def action_color(cell: str) -> str:
    """The color of a cell or a sign, by its first play."""
    return _ACTIONS.get(cell[:1], PAPER) if cell else NEVER


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

# Styles only the chart, so that any page can embed it.
_STYLE = f"""
.ventiuna-chart {{ color: {INK}; font: 14px/1.35 Helvetica, Arial, "Liberation Sans", sans-serif;
  max-width: 62em; }}
.ventiuna-chart h1 {{ font-size: 1.6em; margin: 0; }}
.ventiuna-chart p {{ margin: .3em 0; }}
.ventiuna-chart .rules, .ventiuna-chart footer {{ color: {FAINT}; }}
.ventiuna-chart footer {{ font-size: .8em; overflow-wrap: anywhere; }}
.ventiuna-chart .tables, .ventiuna-chart dl {{ display: flex; flex-wrap: wrap; gap: 0 2em;
  margin: .8em 0 .4em; }}
.ventiuna-chart .tables > *, .ventiuna-chart dl > * {{ flex: 1 1 24em; min-width: 0; }}
.ventiuna-chart table {{ border-collapse: collapse; width: 100%; table-layout: fixed;
  margin: 0 0 .9em; break-inside: avoid; }}
.ventiuna-chart caption {{ text-align: left; font-weight: bold; padding: .2em 0; }}
.ventiuna-chart caption span {{ float: right; font-weight: normal; font-size: .8em;
  color: {FAINT}; }}
.ventiuna-chart th, .ventiuna-chart td {{ border: 1px solid {LINE}; text-align: center;
  padding: .16em 0; font-weight: bold; }}
.ventiuna-chart th {{ background: {HEAD}; }}
.ventiuna-chart tr > :first-child {{ width: 4.4em; }}
.ventiuna-chart dl div div {{ display: flex; gap: .6em; margin: .15em 0; }}
.ventiuna-chart dt {{ border: 1px solid {LINE}; flex: 0 0 2.4em; text-align: center;
  font-weight: bold; align-self: flex-start; }}
.ventiuna-chart dd {{ margin: 0; }}
"""
_PAGE_STYLE = """
body { margin: 1.5em auto; padding: 0 1em; max-width: 62rem; }
@page { margin: 10mm; }
@media print {
  body { margin: 0; padding: 0; max-width: none; }
  .ventiuna-chart { font-size: SIZEpx; max-width: none; -webkit-print-color-adjust: exact;
    print-color-adjust: exact; }
  .ventiuna-chart .tables, .ventiuna-chart dl { flex-wrap: nowrap; }
  .ventiuna-chart .tables > *, .ventiuna-chart dl > * { flex: 1 1 0; }
}
"""
# For print: pixels in the height of a letter-size sheet within its margins, and heights in units of
# the font size.
_SHEET = 960.0
_HTML_ROW, _HTML_TABLE, _HTML_LEGEND_ROW, _HTML_REST = 1.78, 1.4, 1.75, 14.0
_LARGEST = 13.0


def chart_html(page: Page) -> str:
    """A complete HTML file."""
    page_style = _PAGE_STYLE.replace("SIZE", f"{_print_size(page):.1f}")
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{markup_text(page.title)}</title>",
        f"<style>{page_style}</style>",
        chart_fragment(page),
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def chart_fragment(page: Page) -> str:
    """The chart as part of a page, such as a notebook; its styles don't affect the rest."""
    return "\n".join(_html_parts(page))


def _html_parts(page: Page) -> Iterator[str]:
    yield '<div class="ventiuna-chart">'
    yield f"<style>{_STYLE}</style>"
    yield f"<h1>{markup_text(page.title)}</h1>"
    if page.subtitle:
        yield f'<p class="rules">{markup_text(page.subtitle)}</p>'
    yield '<div class="tables">'
    for column in in_two_columns(page.sections):
        yield "<div>"
        for section in column:
            yield _html_table(section)
        yield "</div>"
    yield "</div>"
    yield "<dl>"
    half = -(-len(page.legend) // 2)
    for items in (page.legend[:half], page.legend[half:]):
        yield f"<div>{''.join(_legend_item(item) for item in items)}</div>"
    yield "</dl>"
    yield f"<p>{markup_text(' '.join(page.notes))}</p>"
    yield "<footer>"
    for line in page.footer:
        yield f"<p>{markup_text(line)}</p>"
    yield "</footer>"
    yield "</div>"


def _print_size(page: Page) -> float:
    """The largest font size that fits the page on one sheet."""
    columns = in_two_columns(page.sections)
    tables = max(lines_of(column) * _HTML_ROW + len(column) * _HTML_TABLE for column in columns)
    height = tables + _HTML_LEGEND_ROW * -(-len(page.legend) // 2) + _HTML_REST
    return min(_LARGEST, _SHEET / height)


def _html_table(section: Section) -> str:
    caption = f"<span>dealer's up card</span>{markup_text(section.title)}"
    head = "".join(f'<th scope="col">{up}</th>' for up in UP_CARDS)
    rows = [f"<table><caption>{caption}</caption>", f"<tr><th></th>{head}</tr>"]
    for row in section.rows:
        cells = "".join(
            f'<td style="background:{action_color(cell)}">{markup_text(cell)}</td>'
            for cell in row.cells
        )
        rows.append(f'<tr><th scope="row">{markup_text(row.label)}</th>{cells}</tr>')
    return "\n".join([*rows, "</table>"])


def _legend_item(item: LegendItem) -> str:
    color = action_color(item.sign)
    return (
        f'<div><dt style="background:{color}">{markup_text(item.sign)}</dt>'
        f"<dd>{markup_text(item.words)}</dd></div>"
    )


# --- Drawing on one sheet ---


class Paper(StrEnum):
    A4 = "a4"
    LETTER = "letter"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimeters."""
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


class TextLabel(NamedTuple):
    x: float
    y: float  # of the baseline
    text: str
    size: float  # in points
    anchor: Anchor = Anchor.START
    bold: bool = False
    color: str = INK


Shape = Box | TextLabel


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
POINT = 25.4 / 72.0  # in millimeters
_CAPITALS = 0.72  # cap height, in font sizes
_USUAL_WIDTH, _BOLD_WIDTH = 0.47, 0.62  # of a character, in font sizes
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
    return Drawing(width, height, page.title, tuple(shapes))


def _row_height(sections: Sequence[Section], room: float) -> float:
    return (room - SECTION_GAP * len(sections)) / max(1, lines_of(sections))


# --- Parts ---


def _draw_head(shapes: list[Shape], page: Page, width: float) -> float:
    y = MARGIN + _TITLE * POINT * _CAPITALS
    shapes.append(TextLabel(MARGIN, y, page.title, _TITLE, bold=True))
    for line in _wrapped(page.subtitle, width - 2 * MARGIN, _USUAL):
        y += 4.6
        shapes.append(TextLabel(MARGIN, y, line, _USUAL, color=FAINT))
    return y + 5.0


def _draw_foot(shapes: list[Shape], page: Page, width: float, height: float) -> float:
    """Draw legend, notes and small print from the bottom up; return where they begin."""
    usable = width - 2 * MARGIN
    small = [line for text in page.footer for line in _wrapped(text, usable, _SMALL)]
    notes = _wrapped(" ".join(page.notes), usable, _USUAL)
    legend_rows = -(-len(page.legend) // _LEGEND_COLUMNS)
    y = height - MARGIN
    for line in reversed(small):
        shapes.append(TextLabel(MARGIN, y, line, _SMALL, color=FAINT))
        y -= 3.2
    y -= 1.6 if small else 0.0
    for line in reversed(notes):
        shapes.append(TextLabel(MARGIN, y, line, _USUAL))
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
        shapes.append(Box(x, y, 7.6, 4.2, action_color(item.sign)))
        middle = y + 2.1 + _USUAL * POINT * _CAPITALS / 2
        shapes.append(TextLabel(x + 3.8, middle, item.sign, _USUAL, Anchor.MIDDLE, bold=True))
        shapes.append(TextLabel(x + 9.6, middle, item.words, size))


def _draw_section(
    shapes: list[Shape], section: Section, x: float, y: float, width: float, row: float
) -> float:
    cell = (width - LABEL_WIDTH) / len(UP_CARDS)
    size = min(10.0, row * 0.58 / POINT)
    shapes.append(TextLabel(x, y + row * 0.7, section.title, min(11.0, size * 1.15), bold=True))
    shapes.append(
        TextLabel(x + width, y + row * 0.7, UP_CARD, min(7.0, size), Anchor.END, color=FAINT)
    )
    y += row
    shapes.append(Box(x, y, LABEL_WIDTH, row, HEAD))
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
    shapes.append(Box(x, y, width, height, fill))
    if not text:
        return
    size = _fitting(text, width - 1.0, size, _BOLD_WIDTH)
    middle = y + height / 2 + size * POINT * _CAPITALS / 2
    shapes.append(TextLabel(x + width / 2, middle, text, size, Anchor.MIDDLE, bold=True))


# --- Text ---


def _fitting(text: str, width: float, size: float, default: float = _USUAL_WIDTH) -> float:
    """The largest font size up to `size` at which the text fits."""
    needed = len(text) * default * size * POINT
    return size if needed <= width else size * width / needed


def _wrapped(text: str, width: float, size: float) -> list[str]:
    return textwrap.wrap(text, int(width / (_USUAL_WIDTH * size * POINT)))


def in_paint_order(drawing: Drawing) -> Iterator[Shape]:
    """The shapes with boxes first, so that none covers text."""
    yield from (shape for shape in drawing.shapes if isinstance(shape, Box))
    yield from (shape for shape in drawing.shapes if isinstance(shape, TextLabel))


# --- SVG ---

_SVG_FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"


def chart_svg(page: Page, paper: Paper = Paper.A4) -> str:
    """A complete SVG file; lengths are in millimeters."""
    drawing = draw(page, paper)
    width, height = drawing.width, drawing.height
    size = f'width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{_SVG_FONT}">',
        f"<title>{markup_text(drawing.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        *(_element(shape) for shape in in_paint_order(drawing)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _element(shape: Shape) -> str:
    if isinstance(shape, Box):
        return (
            f'<rect x="{shape.x:.2f}" y="{shape.y:.2f}" width="{shape.width:.2f}" '
            f'height="{shape.height:.2f}" fill="{shape.fill}" stroke="{shape.line}" '
            'stroke-width="0.15"/>'
        )
    weight = ' font-weight="bold"' if shape.bold else ""
    words = markup_text(shape.text)
    return (
        f'<text x="{shape.x:.2f}" y="{shape.y:.2f}" font-size="{shape.size * POINT:.3f}" '
        f'text-anchor="{shape.anchor}" fill="{shape.color}"{weight}>{words}</text>'
    )


# --- PDF ---

_PDF_FONT = "helvetica"
_LINE_WIDTH = 0.15


def chart_pdf(page: Page, paper: Paper = Paper.A4) -> bytes:
    """A complete PDF file with searchable text."""
    try:
        from fpdf import FPDF
    except ModuleNotFoundError:
        raise missing_extra("fpdf", "write the chart as SVG") from None
    drawing = draw(page, paper)
    pdf = FPDF(unit="mm", format=(drawing.width, drawing.height))
    pdf.set_auto_page_break(False)
    pdf.set_title(drawing.title)
    pdf.set_creator("Ventiuna")
    pdf.add_page()
    pdf.set_line_width(_LINE_WIDTH)
    for shape in in_paint_order(drawing):
        if isinstance(shape, Box):
            _add_box(pdf, shape)
        else:
            _add_label(pdf, shape)
    return bytes(pdf.output())


def _add_box(pdf: FPDF, box: Box) -> None:
    pdf.set_fill_color(box.fill)
    pdf.set_draw_color(box.line)
    pdf.rect(box.x, box.y, box.width, box.height, style="DF")


def _add_label(pdf: FPDF, words: TextLabel) -> None:
    pdf.set_font(_PDF_FONT, "B" if words.bold else "", words.size)
    pdf.set_text_color(words.color)
    text = _printable(words.text)
    width = pdf.get_string_width(text)
    share = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[words.anchor]
    pdf.text(words.x - share * width, words.y, text)


def _printable(text: str) -> str:
    """Replace characters that the built-in fonts lack with question marks."""
    return text.encode("latin-1", "replace").decode("latin-1")
