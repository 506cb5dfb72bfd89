"""Shapes drawn as SVG or PDF, HTML from templates, and the colors they share.

PDF needs fpdf2 (the `print` extra).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from itertools import pairwise
from math import atan2, degrees, hypot
from typing import TYPE_CHECKING, Any, NamedTuple

from ventiuna.package import missing_extra
from ventiuna.texts import one_line

if TYPE_CHECKING:
    from fpdf import FPDF
    from jinja2 import Environment

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
    """The color of a chart cell or a sign, chosen by its first action."""
    return _ACTIONS.get(cell[:1], PAPER) if cell else NEVER


# --- HTML and SVG ---


def render(template: str, **values: object) -> str:
    """Fill in a template of this package. Text is escaped, including control characters."""
    return _templates().get_template(template).render(values)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # only a few commands need Jinja

    found = Environment(
        loader=PackageLoader("ventiuna"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_on_one_line,
    )
    found.globals |= {"ink": INK, "faint": FAINT, "line": LINE, "head": HEAD}
    found.filters |= {
        "action_color": action_color,
        "kind": lambda part: type(part).__name__,
        "n": _number,
    }
    return found


def _on_one_line(value: object) -> object:
    return one_line(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


# --- Shapes ---

Quadratic = tuple[float, float, float, float, float, float]  # start, control point, end


class Anchor(StrEnum):
    START = "start"
    MIDDLE = "middle"
    END = "end"


class Label(NamedTuple):
    x: float
    y: float  # height of the baseline
    text: str
    size: float  # font size, in units of the drawing
    color: str = INK
    anchor: Anchor = Anchor.START
    bold: bool = False
    spacing: float = 0.0  # space between letters, in ems


class CurvedLabel(NamedTuple):
    """Words centered on a curve."""

    curve: Quadratic
    text: str
    size: float
    color: str
    bold: bool
    spacing: float


class Box(NamedTuple):
    """A rectangle, dashed if a card goes there."""

    x: float
    y: float
    width: float
    height: float
    line: str = LINE
    fill: str = "none"
    corner: float = 0.0
    dashed: bool = False


class Circle(NamedTuple):
    x: float
    y: float
    radius: float
    line: str


class Leader(NamedTuple):
    """A dotted line from a hand to its payout."""

    x0: float
    x1: float
    y: float
    line: str


class Edge(NamedTuple):
    """A curve, either drawn as a line or with everything above it filled."""

    curve: Quadratic
    line: str = "none"
    fill: str = "none"


Shape = Label | CurvedLabel | Box | Circle | Leader | Edge


class Drawing(NamedTuple):
    """Shapes in the order in which they are painted."""

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]
    stroke: float  # width of lines
    svg_font: str
    pdf_font: str
    unit: str = ""  # unit of the SVG's width and height
    ground: str = PAPER


_CARD_DASHES, _LEADER_DASHES, _LEADER_STROKE = (4.0, 3.0), (1.0, 2.0), 1.0


def point_on(curve: Quadratic, share: float) -> tuple[float, float]:
    """Return a point on a quadratic curve; `share` is 0 at its start and 1 at its end."""
    x0, y0, cx, cy, x1, y1 = curve
    rest = 1 - share
    return (
        rest * rest * x0 + 2 * rest * share * cx + share * share * x1,
        rest * rest * y0 + 2 * rest * share * cy + share * share * y1,
    )


def drawing_svg(drawing: Drawing) -> str:
    """A complete SVG file."""
    return render(
        "drawing.svg",
        drawing=drawing,
        card_dashes=_CARD_DASHES,
        leader_dashes=_LEADER_DASHES,
        leader_stroke=_LEADER_STROKE,
    )


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


# --- PDF ---

POINT = 25.4 / 72.0  # millimeters
_MADE = datetime(2000, 1, 1, tzinfo=UTC)  # fixed, so that the same input gives the same bytes
_STEPS = 400  # points per curve
_OTHER = str.maketrans(  # characters that the built-in fonts lack
    {
        "\N{MINUS SIGN}": "-",
        "\N{EN DASH}": "-",
        "\N{EM DASH}": "-",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{HORIZONTAL ELLIPSIS}": "...",
        "\N{NARROW NO-BREAK SPACE}": " ",
        "\N{GREATER-THAN OR EQUAL TO}": ">=",
        "\N{LESS-THAN OR EQUAL TO}": "<=",
    }
)


def printable(text: str) -> str:
    """Replace characters missing from the built-in fonts, with a question mark as a last resort."""
    return text.translate(_OTHER).encode("latin-1", "replace").decode("latin-1")


def new_pdf(
    title: str,
    page: tuple[float, float],
    alternative: str,
    footer: Callable[[FPDF], None] = lambda _: None,
) -> FPDF:
    """Begin a PDF file with pages of this size in millimeters."""
    try:
        from fpdf import FPDF
    except ModuleNotFoundError:
        raise missing_extra("fpdf", alternative) from None

    class Sheet(FPDF):
        def footer(self) -> None:
            footer(self)

    pdf = Sheet(unit="mm", format=page)
    pdf.set_creation_date(_MADE)
    pdf.set_auto_page_break(False)
    pdf.set_title(printable(title))
    pdf.set_lang("en")
    pdf.set_creator("Ventiuna")
    return pdf


def drawing_pdf(
    drawing: Drawing, page: tuple[float, float], margin: float, alternative: str
) -> bytes:
    """A complete PDF file with searchable text: the drawing centered on one page."""
    pdf = new_pdf(drawing.title, page, alternative)
    pdf.add_page()
    painter = _Painter(pdf, drawing, page, margin)
    if drawing.ground != PAPER:
        painter.paint(Box(0, 0, drawing.width, drawing.height, "none", drawing.ground))
    for shape in drawing.shapes:
        painter.paint(shape)
    return bytes(pdf.output())


class _Painter:
    """Paints shapes in the drawing's units."""

    def __init__(
        self, pdf: FPDF, drawing: Drawing, page: tuple[float, float], margin: float
    ) -> None:
        self._pdf = pdf
        self._drawing = drawing
        width, height = page
        self._scale = min(
            (width - 2 * margin) / drawing.width, (height - 2 * margin) / drawing.height
        )
        self._left = (width - self._scale * drawing.width) / 2
        self._top = (height - self._scale * drawing.height) / 2

    def paint(self, shape: Shape) -> None:
        scale = self._scale
        match shape:
            case Label():
                self._label(shape)
            case CurvedLabel():
                self._curved_label(shape)
            case Leader():
                self._line(shape.line, _LEADER_STROKE, _LEADER_DASHES)
                self._pdf.line(*self._at(shape.x0, shape.y), *self._at(shape.x1, shape.y))
            case Circle():
                self._line(shape.line)
                self._pdf.circle(*self._at(shape.x, shape.y), shape.radius * scale, style="D")
            case Edge(fill="none"):
                self._line(shape.line)
                self._pdf.polyline(self._points(shape.curve))
            case Edge():
                self._pdf.set_fill_color(shape.fill)
                corners = [self._at(shape.curve[4], 0), self._at(shape.curve[0], 0)]
                self._pdf.polygon([*self._points(shape.curve), *corners], style="F")
            case Box():
                self._box(shape)

    def _box(self, box: Box) -> None:
        style = ""
        if box.line != "none":
            self._line(box.line, dashes=_CARD_DASHES if box.dashed else None)
            style += "D"
        if box.fill != "none":
            self._pdf.set_fill_color(box.fill)
            style += "F"
        self._pdf.rect(
            *self._at(box.x, box.y),
            box.width * self._scale,
            box.height * self._scale,
            style=style,
            round_corners=bool(box.corner),
            corner_radius=box.corner * self._scale,
        )

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return self._left + x * self._scale, self._top + y * self._scale

    def _points(self, curve: Quadratic) -> list[tuple[float, float]]:
        return [self._at(*point_on(curve, step / _STEPS)) for step in range(_STEPS + 1)]

    def _line(
        self, color: str, stroke: float = 0.0, dashes: tuple[float, float] | None = None
    ) -> None:
        self._pdf.set_draw_color(color)
        self._pdf.set_line_width((stroke or self._drawing.stroke) * self._scale)
        dash, gap = dashes or (0.0, 0.0)
        self._pdf.set_dash_pattern(dash=dash * self._scale, gap=gap * self._scale)

    def _label(self, label: Label) -> None:
        text = self._text(label)
        self._pdf.set_char_spacing(label.spacing * label.size * self._scale / POINT)
        width = self._pdf.get_string_width(text)
        share = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[label.anchor]
        x, y = self._at(label.x, label.y)
        self._pdf.text(x - share * width, y, text)
        self._pdf.set_char_spacing(0)

    def _text(self, label: Label | CurvedLabel) -> str:
        size: Any = label.size * self._scale / POINT
        self._pdf.set_font(self._drawing.pdf_font, "B" if label.bold else "", size)
        self._pdf.set_text_color(label.color)
        return printable(label.text)

    def _curved_label(self, label: CurvedLabel) -> None:
        """Draw text letter by letter, each rotated to follow its curve."""
        text = self._text(label)
        points = self._points(label.curve)
        steps = [hypot(two[0] - one[0], two[1] - one[1]) for one, two in pairwise(points)]
        spacing = label.spacing * label.size * self._scale
        widths = [self._pdf.get_string_width(letter) + spacing for letter in text]
        at = (sum(steps) - sum(widths)) / 2
        for letter, width in zip(text, widths, strict=True):
            distance = at + width / 2
            index = 0
            while distance > steps[index] and index < len(steps) - 1:
                distance -= steps[index]
                index += 1
            (x0, y0), (x1, y1) = points[index : index + 2]
            share = distance / steps[index]
            x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
            with self._pdf.rotation(-degrees(atan2(y1 - y0, x1 - x0)), x, y):
                self._pdf.text(x - (width - spacing) / 2, y, letter)
            at += width
