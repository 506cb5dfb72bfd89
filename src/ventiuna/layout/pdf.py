"""A layout as one PDF page. Needs fpdf2, which the extra `print` brings."""

from __future__ import annotations

from itertools import pairwise
from math import atan2, degrees, hypot
from typing import TYPE_CHECKING

from ventiuna.extras import missing
from ventiuna.layout.drawing import Anchor, Bent, Dots, Frame, Ink, Ring, Words, drawn
from ventiuna.layout.pages import PAPER, Colours, Sheet, edge_curve, scale_for
from ventiuna.layout.printing import point_on
from ventiuna.layout.records import Layout
from ventiuna.layout.type import APOSTROPHE

if TYPE_CHECKING:
    from fpdf import FPDF

FONT = "times"
POINT = 25.4 / 72.0  # in millimetres
STEPS = 400  # of a curve that words go along
_OTHER = {APOSTROPHE: "'"}


def layout_pdf(printed: Layout, sheet: Sheet = Sheet.A3, colours: Colours = PAPER) -> bytes:
    """The whole file, with words that can be searched."""
    try:
        from fpdf import FPDF
    except ModuleNotFoundError:
        raise missing("fpdf", "write the layout as SVG") from None
    width, height = sheet.size
    pdf = FPDF(unit="mm", format=(width, height))
    pdf.set_auto_page_break(False)
    pdf.set_title(f"{printed.name.words}: printed layout of {printed.rules}")
    pdf.set_creator("Ventiuna")
    pdf.add_page()
    _Page(pdf, sheet, colours).draw(printed)
    return bytes(pdf.output())


class _Page:
    """Draws in the units of the frame."""

    def __init__(self, pdf: FPDF, sheet: Sheet, colours: Colours) -> None:
        self._pdf = pdf
        self._colours = colours
        self._scale, self._left, self._top = scale_for(sheet)

    def draw(self, printed: Layout) -> None:
        self._ground(printed)
        for shape in drawn(printed):
            if isinstance(shape, Words):
                self._words(shape)
            elif isinstance(shape, Bent):
                self._bent(shape)
            elif isinstance(shape, Dots):
                self._line(dashed=True)
                self._pdf.line(*self._at(shape.x0, shape.y), *self._at(shape.x1, shape.y))
            elif isinstance(shape, Ring):
                self._line()
                radius = shape.radius * self._scale
                self._pdf.circle(*self._at(shape.x, shape.y), radius, style="D")
            else:
                self._frame(shape)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return self._left + x * self._scale, self._top + y * self._scale

    def _line(self, *, dashed: bool = False, ink: Ink = Ink.LINE) -> None:
        self._pdf.set_draw_color(self._colours.inks[ink])
        self._pdf.set_line_width(1.2 * self._scale)
        if dashed:
            self._pdf.set_dash_pattern(dash=2.5 * self._scale, gap=2.5 * self._scale)
        else:
            self._pdf.set_dash_pattern()

    def _ground(self, printed: Layout) -> None:
        ends, control, _ = edge_curve(printed)
        curve = (0.0, ends, printed.width / 2, control, printed.width, ends)
        edge = [self._at(*point_on(curve, step / STEPS)) for step in range(STEPS + 1)]
        if self._colours.ground != self._colours.cloth:
            self._pdf.set_fill_color(self._colours.ground)
            self._pdf.rect(
                *self._at(0, 0), printed.width * self._scale, printed.height * self._scale, "F"
            )
            self._pdf.set_fill_color(self._colours.cloth)
            self._pdf.polygon([*edge, self._at(printed.width, 0), self._at(0, 0)], style="F")
        self._line(ink=Ink.GOLD)
        self._pdf.polyline(edge)

    def _frame(self, frame: Frame) -> None:
        self._line(dashed=frame.dashed)
        self._pdf.rect(
            *self._at(frame.x, frame.y),
            frame.width * self._scale,
            frame.height * self._scale,
            style="D",
            round_corners=True,
            corner_radius=frame.corner * self._scale,
        )

    def _font(self, size: float, ink: Ink, *, bold: bool) -> None:
        self._pdf.set_font(FONT, "B" if bold else "", size * self._scale / POINT)
        self._pdf.set_text_color(self._colours.inks[ink])

    def _words(self, words: Words) -> None:
        self._font(words.size, words.ink, bold=words.bold)
        self._pdf.set_char_spacing(words.spacing * words.size * self._scale / POINT)
        text = _printable(words.text)
        width = self._pdf.get_string_width(text)
        share = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[words.anchor]
        x, y = self._at(words.x, words.y)
        self._pdf.text(x - share * width, y, text)
        self._pdf.set_char_spacing(0)

    def _bent(self, bent: Bent) -> None:
        """Letter by letter, each turned as its curve is there."""
        arc = bent.arc
        self._font(arc.size, bent.ink, bold=arc.strong)
        curve = (arc.x0, arc.y0, arc.cx, arc.cy, arc.x1, arc.y1)
        points = [self._at(*point_on(curve, step / STEPS)) for step in range(STEPS + 1)]
        text = _printable(arc.words)
        spacing = arc.spacing * arc.size * self._scale
        widths = [self._pdf.get_string_width(letter) + spacing for letter in text]
        way = _Way(points)
        at = (way.length - sum(widths)) / 2
        for letter, width in zip(text, widths, strict=True):
            x, y, angle = way.at(at + width / 2)
            with self._pdf.rotation(-angle, x, y):
                self._pdf.text(x - (width - spacing) / 2, y, letter)
            at += width


class _Way:
    """A line through points: where one is after so much of it."""

    def __init__(self, points: list[tuple[float, float]]) -> None:
        self._points = points
        pairs = pairwise(points)
        self._steps = [hypot(two[0] - one[0], two[1] - one[1]) for one, two in pairs]
        self.length = sum(self._steps)

    def at(self, distance: float) -> tuple[float, float, float]:
        """The point, and the angle of the line there in degrees."""
        for index, step in enumerate(self._steps):
            if distance <= step or index == len(self._steps) - 1:
                (x0, y0), (x1, y1) = self._points[index], self._points[index + 1]
                share = distance / step
                angle = degrees(atan2(y1 - y0, x1 - x0))
                return x0 + share * (x1 - x0), y0 + share * (y1 - y0), angle
            distance -= step
        raise AssertionError("a way without a step")


def _printable(text: str) -> str:
    """What the built-in fonts have; other characters become question marks."""
    for letter, instead in _OTHER.items():
        text = text.replace(letter, instead)
    return text.encode("latin-1", "replace").decode("latin-1")
