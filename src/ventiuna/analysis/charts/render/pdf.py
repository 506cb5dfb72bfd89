"""A chart as one PDF page. Needs fpdf2, which the extra `print` brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ventiuna.analysis.charts.render.drawing import (
    Anchor,
    Box,
    Paper,
    Words,
    boxes_and_words,
    draw,
)
from ventiuna.analysis.charts.render.layout import Page
from ventiuna.extras import missing

if TYPE_CHECKING:
    from fpdf import FPDF

_FONT = "helvetica"
_LINE_WIDTH = 0.15


def chart_pdf(page: Page, paper: Paper = Paper.A4) -> bytes:
    """The whole file, with words that can be searched."""
    try:
        from fpdf import FPDF
    except ModuleNotFoundError:
        raise missing("fpdf", "write the chart as SVG") from None
    drawing = draw(page, paper)
    pdf = FPDF(unit="mm", format=(drawing.width, drawing.height))
    pdf.set_auto_page_break(False)
    pdf.set_title(drawing.title)
    pdf.set_creator("Ventiuna")
    pdf.add_page()
    pdf.set_line_width(_LINE_WIDTH)
    for shape in boxes_and_words(drawing):
        if isinstance(shape, Box):
            _add_box(pdf, shape)
        else:
            _add_words(pdf, shape)
    return bytes(pdf.output())


def _add_box(pdf: FPDF, box: Box) -> None:
    pdf.set_fill_color(box.fill)
    pdf.set_draw_color(box.line)
    pdf.rect(box.x, box.y, box.width, box.height, style="DF")


def _add_words(pdf: FPDF, words: Words) -> None:
    pdf.set_font(_FONT, "B" if words.bold else "", words.size)
    pdf.set_text_color(words.colour)
    text = _printable(words.text)
    width = pdf.get_string_width(text)
    share = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[words.anchor]
    pdf.text(words.x - share * width, words.y, text)


def _printable(text: str) -> str:
    """What the built-in fonts have; other characters become question marks."""
    return text.encode("latin-1", "replace").decode("latin-1")
