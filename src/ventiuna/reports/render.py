"""A document as one self-contained HTML page, and as PDF with fpdf2 (the `print` extra)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ventiuna.rendering import FAINT, HEAD, INK, LINE, action_color, new_pdf, printable, render
from ventiuna.reports.document import (
    NUMBER,
    Block,
    Document,
    Facts,
    Grid,
    Items,
    LetterTable,
    Part,
    SheetSize,
    Text,
    documents_text,
    explained_text,
    numbers_of,
)
from ventiuna.rules.text.references import RuleReference, references_by_number
from ventiuna.strategy.chart import UP_CARDS

if TYPE_CHECKING:
    from fpdf import FPDF

# --- HTML, for phones, screens and paper ---

_PRINT = {  # page size, margin and font size for each paper
    SheetSize.SHEET: {"size": "A4", "margin": "14mm", "letters": "10.5pt"},
    SheetSize.POCKET: {"size": "85mm 135mm", "margin": "4mm", "letters": "6.2pt"},
}
_NUMBERS = re.compile(f"({NUMBER.pattern})")
_UNSAFE = re.compile(r"[^a-z0-9]+")


def document_html(document: Document) -> str:
    """Render the whole page."""
    return render(
        "document.html",
        document=document,
        numbers=numbers_of(document) if document.explains else (),
        up_cards=UP_CARDS,
        slug=_slug,
        pieces=_pieces,
        explained_text=explained_text,
        documents_text=documents_text,
        **_PRINT[document.paper],
    )


def _slug(heading: str) -> str:
    return _UNSAFE.sub("-", heading.lower()).strip("-")


def _pieces(text: str) -> list[tuple[str, RuleReference | None]]:
    """Split text at its rule numbers."""
    known = references_by_number()
    return [(words, known.get(words)) for words in _NUMBERS.split(text)]


# --- PDF ---

_FONT, _TABLE_FONT = "times", "helvetica"
_WIDEST_COLUMN = 46  # characters; longer cells wrap, except in facts
_WIDEST_FACT = 110


class _Sizes:
    """Sizes for a paper format, in millimeters and points."""

    def __init__(self, paper: SheetSize) -> None:
        pocket = paper is SheetSize.POCKET
        self.page = (85.0, 135.0) if pocket else (210.0, 297.0)
        self.margin = 4.0 if pocket else 15.0
        self.title = 8.5 if pocket else 17.0
        self.heading = 6.5 if pocket else 12.0
        self.text = 5.2 if pocket else 9.5
        self.table = 5.0 if pocket else 7.8
        self.gap = 0.8 if pocket else 2.0

    @property
    def line(self) -> float:
        return 0.42 * self.text

    @property
    def table_line(self) -> float:
        return 0.43 * self.table


def document_pdf(document: Document) -> bytes:
    """Render the whole file, with searchable text."""
    sizes = _Sizes(document.paper)

    def footer(pdf: FPDF) -> None:
        """Print the page number."""
        pdf.set_y(-sizes.margin + 1)
        pdf.set_font(_FONT, "", sizes.text * 0.85)
        pdf.set_text_color(FAINT)
        pdf.cell(0, sizes.line, printable(f"{document.name}, page {pdf.page_no()}"))

    pdf = new_pdf(document.name, sizes.page, "write the sheet as HTML", footer)
    pdf.set_margin(sizes.margin)
    pdf.set_auto_page_break(True, sizes.margin + 2)
    pdf.add_page()
    _Writer(pdf, sizes).write(document)
    return bytes(pdf.output())


class _Writer:
    def __init__(self, pdf: FPDF, sizes: _Sizes) -> None:
        self._pdf = pdf
        self._sizes = sizes

    def write(self, document: Document) -> None:
        sizes = self._sizes
        self._say(document.kind.upper(), sizes.text * 0.85, color=FAINT, font=_TABLE_FONT)
        self._say(document.title, sizes.title, bold=True)
        for line in document.lead:
            self._say(line, sizes.text, color=FAINT)
        for part in document.parts:
            self._part(part)
        if document.explains and document.explains_on_paper:
            self._explanations(document)
        self._gap(2)
        for line in document.footer:
            self._say(line, sizes.text * 0.9, color=FAINT)

    def _part(self, part: Part) -> None:
        self._heading(part.heading)
        for block in part.blocks:
            self._block(block)
        if part.numbers:
            text = f"Rules: {', '.join(part.numbers)}"
            self._say(text, self._sizes.text * 0.85, color=FAINT)

    def _heading(self, text: str) -> None:
        sizes = self._sizes
        self._gap(2)
        if self._pdf.will_page_break(8 * sizes.line):
            self._pdf.add_page()
        y = self._pdf.get_y()
        self._pdf.set_draw_color(INK)
        self._pdf.set_line_width(0.3)
        self._pdf.line(sizes.margin, y, sizes.page[0] - sizes.margin, y)
        self._gap(0.4)
        self._say(text, sizes.heading, bold=True)

    def _block(self, block: Block) -> None:
        sizes = self._sizes
        if isinstance(block, Text):
            self._say(block.text, sizes.text, bold=block.strong)
        elif isinstance(block, Items):
            for item in block.items:
                self._say(f"- {item}", sizes.text, indent=2.0)
        elif isinstance(block, Facts):
            rows = tuple(tuple(row) for row in block.rows)
            self._table("", (), rows, words=2)
        elif isinstance(block, Grid):
            self._table(block.caption, block.headings, block.rows, block.words, block.sums_up)
        else:
            self._plays(block)
        self._gap(0.5)

    def _gap(self, share: float) -> None:
        self._pdf.set_y(self._pdf.get_y() + share * self._sizes.gap)

    def _say(
        self,
        text: str,
        size: float,
        *,
        bold: bool = False,
        color: str = INK,
        indent: float = 0.0,
        font: str = _FONT,
    ) -> None:
        self._pdf.set_font(font, "B" if bold else "", size)
        self._pdf.set_text_color(color)
        self._pdf.set_x(self._sizes.margin + indent)
        self._pdf.multi_cell(
            0, 0.42 * size, printable(text), align="L", new_x="LMARGIN", new_y="NEXT"
        )

    def _table(
        self,
        caption: str,
        headings: tuple[str, ...],
        rows: tuple[tuple[str, ...], ...],
        words: int,
        sums_up: bool = False,
    ) -> None:
        from fpdf.enums import TableBordersLayout
        from fpdf.fonts import FontFace

        sizes = self._sizes
        if not rows:
            return
        if caption:
            if self._pdf.will_page_break(5 * sizes.table_line):
                self._pdf.add_page()
            self._say(caption, sizes.table * 1.05, bold=True, font=_TABLE_FONT)
        self._pdf.set_font(_TABLE_FONT, "", sizes.table)
        self._pdf.set_text_color(INK)
        self._pdf.set_draw_color("#dde1e7")
        self._pdf.set_line_width(0.15)
        room = sizes.page[0] - 2 * sizes.margin
        widest = _WIDEST_COLUMN if headings else _WIDEST_FACT
        widths = self._widths([headings, *rows] if headings else list(rows), room, widest)
        columns = len(rows[0])
        with self._pdf.table(
            width=sum(widths),
            align="L",
            col_widths=tuple(widths),
            text_align=tuple("LEFT" if place < words else "RIGHT" for place in range(columns)),
            line_height=sizes.table_line,
            padding=(0.35, 1.0, 0.35, 0),
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            first_row_as_headings=bool(headings),
            headings_style=FontFace(emphasis="B"),
        ) as table:
            if headings:
                table.row([printable(heading) for heading in headings])
            for number, row in enumerate(rows, start=1):
                last = sums_up and number == len(rows)
                style: Any = FontFace(emphasis="B") if last else None
                table.row([printable(cell) for cell in row], style=style)

    def _widths(self, rows: list[tuple[str, ...]], room: float, widest: int) -> list[float]:
        """Choose column widths by their longest cells; shrink the widest if they don't fit."""
        self._pdf.set_font(_TABLE_FONT, "B", self._sizes.table)
        longest = [
            max(self._pdf.get_string_width(printable(row[place][:widest])) for row in rows) + 2.4
            for place in range(len(rows[0]))
        ]
        self._pdf.set_font(_TABLE_FONT, "", self._sizes.table)
        while sum(longest) > room + 1e-6:
            largest = max(longest)
            second = max((width for width in longest if width < largest - 1e-6), default=0.0)
            wide = [place for place, width in enumerate(longest) if width >= largest - 1e-6]
            too_much = sum(longest) - room
            step = min(largest - second, too_much / len(wide))
            for place in wide:
                longest[place] -= step
        return longest

    def _plays(self, plays: LetterTable) -> None:
        sizes = self._sizes
        room = sizes.page[0] - 2 * sizes.margin
        label, height = 0.14 * room, sizes.table * 0.5
        width = (room - label) / len(UP_CARDS)
        if self._pdf.will_page_break((len(plays.rows) + 2) * height):
            self._pdf.add_page()
        self._say(plays.caption, sizes.table * 1.05, bold=True, font=_TABLE_FONT)
        self._pdf.set_draw_color(LINE)
        self._pdf.set_text_color(INK)
        self._pdf.set_line_width(0.1)
        self._pdf.set_font(_TABLE_FONT, "B", sizes.table)
        for name, cells in (("hand", tuple(UP_CARDS)), *plays.rows):
            colors = (
                [HEAD] * len(UP_CARDS) if cells == tuple(UP_CARDS) else map(action_color, cells)
            )
            self._pdf.set_fill_color(HEAD)
            self._pdf.cell(label, height, printable(name), border=1, align="C", fill=True)
            for cell, color in zip(cells, colors, strict=True):
                self._pdf.set_fill_color(color)
                self._pdf.cell(width, height, printable(cell), border=1, align="C", fill=True)
            self._pdf.ln(height)

    def _explanations(self, document: Document) -> None:
        numbers = numbers_of(document)
        if not numbers:
            return
        self._heading("The rules behind the numbers")
        size = self._sizes.text * 0.88
        for number in numbers:
            source = documents_text(number)
            sources = f" [{source}]" if source else ""
            self._say(f"{number.number}  {explained_text(number)}{sources}", size)
