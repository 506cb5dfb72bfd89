"""A printed layout as SVG, and as PDF with fpdf2 (the `print` extra)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from math import atan2, degrees, hypot
from typing import TYPE_CHECKING, NamedTuple

from ventiuna.package import missing_extra
from ventiuna.reports.layout import (
    APOSTROPHE,
    BELOW,
    CAPITALS,
    HEIGHT,
    TOP,
    WIDTH,
    Arc,
    Block,
    Layout,
    LineKind,
    PrintedLine,
    Shape,
    point_on,
    text_width,
    wrapped,
)
from ventiuna.texts import markup_text

if TYPE_CHECKING:
    from fpdf import FPDF


# --- Shapes and their positions ---

SMALL_WORDS = 8.0
CARD_WORDS = 13.0
PLATE_WORDS, PLATE_LEADING = 11.0, 1.25
PLATE_TITLE, PLATE_MARGIN = 28.0, 9.0
OTHER_FONTS = 1.17  # how much wider small text may be with a viewer's own fonts


class Ink(StrEnum):
    """The role of a shape's color; each palette defines its own colors."""

    PRINT = "print"
    SECOND = "second"
    GOLD = "gold"
    LINE = "line"


class Anchor(StrEnum):
    START = "start"
    MIDDLE = "middle"
    END = "end"


class Bounds(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Bounds) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


class TextRun(NamedTuple):
    x: float
    y: float  # baseline
    text: str
    size: float
    ink: Ink = Ink.PRINT
    anchor: Anchor = Anchor.START
    bold: bool = False
    spacing: float = 0.0

    @property
    def bounds(self) -> Bounds:
        width = text_width(self.text, self.size, self.spacing)
        left = self.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * width
        top = self.y - CAPITALS * self.size
        return Bounds(left, top, left + width, self.y + BELOW * self.size)


class DottedLine(NamedTuple):
    """A dotted line from a hand to its payout."""

    x0: float
    x1: float
    y: float


class Box(NamedTuple):
    """A rounded box, dashed if a card goes there."""

    x: float
    y: float
    width: float
    height: float
    corner: float
    dashed: bool = False

    @property
    def bounds(self) -> Bounds:
        return Bounds(self.x, self.y, self.x + self.width, self.y + self.height)


class Circle(NamedTuple):
    x: float
    y: float
    radius: float

    @property
    def bounds(self) -> Bounds:
        return Bounds(
            self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius
        )


class CurvedText(NamedTuple):
    """Words along a curve."""

    arc: Arc
    ink: Ink

    @property
    def letters(self) -> list[Bounds]:
        """Approximate bounds of each letter."""
        arc = self.arc
        curve = (arc.x0, arc.y0, arc.cx, arc.cy, arc.x1, arc.y1)
        total = text_width(arc.words, arc.size, arc.spacing)
        share = total / (arc.x1 - arc.x0)
        found = []
        for index in range(len(arc.words)):
            before = text_width(arc.words[:index], arc.size, arc.spacing) / total
            x, y = point_on(curve, 0.5 - share / 2 + share * before)
            width = text_width(arc.words[index], arc.size, arc.spacing)
            found.append(Bounds(x, y - arc.size, x + width, y + BELOW * arc.size))
        return found


DrawnShape = TextRun | DottedLine | Box | Circle | CurvedText


def draw(printed: Layout) -> Iterator[DrawnShape]:
    """Yield every printed shape, without the felt's edge."""
    for arc in printed.arcs:
        yield CurvedText(arc, Ink.GOLD if arc.strong else Ink.SECOND)
    name = printed.name
    yield TextRun(
        name.x, name.y, name.words, name.size, Ink.GOLD, Anchor.MIDDLE, bold=True, spacing=0.2
    )
    for block in printed.blocks:
        yield from _block(block)
    yield from _cards(printed)
    yield from _jackpots(printed)
    yield from _spots(printed)


def _block(block: Block) -> Iterator[DrawnShape]:
    y = block.y + block.title_size * CAPITALS + 2
    yield TextRun(block.x, y, block.title, block.title_size, Ink.GOLD, bold=True)
    y = block.y + block.height - len(block.lines) * block.line_height
    right = block.x + block.width
    for line in block.lines:
        y += block.line_height
        at = y - block.line_height * 0.3
        ink = Ink.SECOND if line.kind is LineKind.NOTE else Ink.PRINT
        yield TextRun(block.x, at, line.words, block.size, ink)
        if line.pays:
            begin = block.x + text_width(line.words, block.size) + 6
            end = right - text_width(line.pays, block.size) - 6
            if end - begin > 6:
                yield DottedLine(begin, end, at - 1)
            yield TextRun(right, at, line.pays, block.size, Ink.PRINT, Anchor.END, bold=True)


def _cards(printed: Layout) -> Iterator[DrawnShape]:
    for card in printed.cards:
        yield Box(card.x, card.y, card.width, card.height, 6.0, dashed=True)
        parts = card.words.split()
        y = card.y + card.height / 2 - (len(parts) - 1) * 9 + CARD_WORDS * CAPITALS / 2
        for part in parts:
            middle = card.x + card.width / 2
            yield TextRun(middle, y, part, CARD_WORDS, Ink.SECOND, Anchor.MIDDLE)
            y += 18


def _jackpots(printed: Layout) -> Iterator[DrawnShape]:
    """Draw each jackpot's wager with every line and prize, from the top of the felt down."""
    for plate in printed.jackpots:
        bottom = plate.y + plate.height
        left, right = plate.x + PLATE_MARGIN, plate.x + plate.width - PLATE_MARGIN
        yield Box(plate.x, TOP, plate.width, bottom - TOP, 10.0)
        yield TextRun(left, TOP + 22, plate.title, 14.0, Ink.GOLD, bold=True)
        yield TextRun(right, TOP + 22, plate.wager, 14.0, Ink.PRINT, Anchor.END, bold=True)
        lines, size = _fitted(plate.pays, right - left, bottom - TOP - PLATE_TITLE - PLATE_MARGIN)
        y = TOP + PLATE_TITLE
        for words, pays in lines:
            y += size * PLATE_LEADING
            yield TextRun(left, y, words, size, Ink.SECOND)
            if pays:
                yield TextRun(right, y, pays, size, Ink.PRINT, Anchor.END, bold=True)


def _fitted(
    pays: Sequence[PrintedLine], width: float, height: float
) -> tuple[list[tuple[str, str]], float]:
    """Lay out words and payouts as large as fits; a payout is on its hand's last line."""
    size = PLATE_WORDS
    while True:
        lines: list[tuple[str, str]] = []
        for line in pays:
            *above, last = wrapped(line.words, size, width / OTHER_FONTS)
            lines += [(part, "") for part in above]
            if text_width(f"{last}  {line.pays}", size) <= width / OTHER_FONTS:
                lines.append((last, line.pays))
            else:
                lines += [(last, ""), ("", line.pays)]
        if len(lines) * size * PLATE_LEADING <= height:
            return lines, size
        size *= 0.97


def _spots(printed: Layout) -> Iterator[DrawnShape]:
    for spot in printed.spots:
        for place in spot.wagers:
            if place.shape is Shape.CIRCLE:
                yield Circle(place.x, place.y, place.radius)
            else:
                side = 2 * place.radius
                yield Box(place.x - place.radius, place.y - place.radius, side, side, 5.0)
            if place.words:
                size = SMALL_WORDS if len(place.words) > 1 else CARD_WORDS
                y = place.y + size * CAPITALS / 2
                yield TextRun(place.x, y, place.words, size, Ink.SECOND, Anchor.MIDDLE)
        yield TextRun(spot.x, spot.y - 3, str(spot.number), CARD_WORDS, Ink.SECOND, Anchor.MIDDLE)


# --- Colors and page sizes ---


class PageSize(StrEnum):
    A4 = "a4"
    A3 = "a3"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimeters, in landscape."""
        return (297.0, 210.0) if self is PageSize.A4 else (420.0, 297.0)


class Palette(NamedTuple):
    ground: str
    cloth: str
    inks: dict[Ink, str]


PAPER_COLORS = Palette(
    "#ffffff",
    "#ffffff",
    {Ink.PRINT: "#1c1a17", Ink.SECOND: "#4d4941", Ink.GOLD: "#7a5410", Ink.LINE: "#8a8478"},
)
FELT_COLORS = Palette(
    "#2a1d13",
    "#134a3a",
    {Ink.PRINT: "#efe4c8", Ink.SECOND: "#d8dcc4", Ink.GOLD: "#f0cf86", Ink.LINE: "#9aa98c"},
)


def edge_curve(printed: Layout) -> tuple[float, float, float]:
    """Return the lower edge as a quadratic curve: y at its start, control point and end."""
    return printed.edge, 2 * printed.middle - printed.edge, printed.edge


MARGIN = 8.0  # millimeters


def scale_for(sheet: PageSize) -> tuple[float, float, float]:
    """Return millimeters per unit of the frame, and the position of its upper left corner."""
    width, height = sheet.size
    scale = min((width - 2 * MARGIN) / WIDTH, (height - 2 * MARGIN) / HEIGHT)
    return scale, (width - scale * WIDTH) / 2, (height - scale * HEIGHT) / 2


# --- SVG ---

SVG_FONT = (
    "'Iowan Old Style', 'Palatino Linotype', Palatino, P052, 'TeX Gyre Pagella', Georgia, serif"
)


def layout_svg(printed: Layout, colors: Palette = PAPER_COLORS) -> str:
    """Render the whole file."""
    width, height = printed.width, printed.height
    left, control, _ = edge_curve(printed)
    edge = f"M0 {left:g}Q{width / 2:g} {control:g} {width:g} {left:g}"
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    title = markup_text(f"{printed.name.words}: printed layout of {printed.rules}")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{SVG_FONT}">',
        f"<title>{title}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="{colors.ground}"/>',
        f'<path d="{edge}V0H0Z" fill="{colors.cloth}"/>',
        f'<path d="{edge}" fill="none" stroke="{colors.inks[Ink.GOLD]}" stroke-width="1.5"/>',
        *(_element(shape, number, colors) for number, shape in enumerate(draw(printed))),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _element(shape: DrawnShape, number: int, colors: Palette) -> str:
    line = colors.inks[Ink.LINE]
    if isinstance(shape, TextRun):
        return _words(shape, colors)
    if isinstance(shape, CurvedText):
        return _bent(shape, number, colors)
    if isinstance(shape, DottedLine):
        return (
            f'<path d="M{shape.x0:.1f} {shape.y:.1f}H{shape.x1:.1f}" stroke="{line}" '
            'stroke-width="1" stroke-dasharray="1 2"/>'
        )
    if isinstance(shape, Circle):
        return (
            f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}" fill="none" '
            f'stroke="{line}" stroke-width="1.5"/>'
        )
    assert isinstance(shape, Box)
    dashes = ' stroke-dasharray="4 3"' if shape.dashed else ""
    return (
        f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" '
        f'height="{shape.height:g}" rx="{shape.corner:g}" fill="none" stroke="{line}" '
        f'stroke-width="1.5"{dashes}/>'
    )


def _words(words: TextRun, colors: Palette) -> str:
    weight = ' font-weight="600"' if words.bold else ""
    spacing = f' letter-spacing="{words.spacing}em"' if words.spacing else ""
    return (
        f'<text x="{words.x:.2f}" y="{words.y:.2f}" font-size="{words.size:g}" '
        f'text-anchor="{words.anchor}" fill="{colors.inks[words.ink]}"{weight}{spacing}>'
        f"{markup_text(words.text)}</text>"
    )


def _bent(bent: CurvedText, number: int, colors: Palette) -> str:
    arc = bent.arc
    weight = ' font-weight="600"' if arc.strong else ""
    path = f"M{arc.x0:g} {arc.y0:g}Q{arc.cx:g} {arc.cy:g} {arc.x1:g} {arc.y1:g}"
    return (
        f'<path id="arc-{number}" d="{path}" fill="none"/>'
        f'<text font-size="{arc.size:g}" letter-spacing="{arc.spacing}em" text-anchor="middle" '
        f'fill="{colors.inks[bent.ink]}"{weight}>'
        f'<textPath href="#arc-{number}" startOffset="50%">{markup_text(arc.words)}</textPath>'
        "</text>"
    )


# --- PDF ---

PDF_FONT = "times"
POINT = 25.4 / 72.0  # in millimeters
STEPS = 400  # points per curve for curved text
_OTHER = {APOSTROPHE: "'"}


def layout_pdf(
    printed: Layout, sheet: PageSize = PageSize.A3, colors: Palette = PAPER_COLORS
) -> bytes:
    """Render the whole file, with searchable text."""
    try:
        from fpdf import FPDF
    except ModuleNotFoundError:
        raise missing_extra("fpdf", "write the layout as SVG") from None
    width, height = sheet.size
    pdf = FPDF(unit="mm", format=(width, height))
    pdf.set_auto_page_break(False)
    pdf.set_title(f"{printed.name.words}: printed layout of {printed.rules}")
    pdf.set_creator("Ventiuna")
    pdf.add_page()
    _Page(pdf, sheet, colors).draw(printed)
    return bytes(pdf.output())


class _Page:
    """Draws in the units of the frame."""

    def __init__(self, pdf: FPDF, sheet: PageSize, colors: Palette) -> None:
        self._pdf = pdf
        self._colours = colors
        self._scale, self._left, self._top = scale_for(sheet)

    def draw(self, printed: Layout) -> None:
        self._ground(printed)
        for shape in draw(printed):
            if isinstance(shape, TextRun):
                self._words(shape)
            elif isinstance(shape, CurvedText):
                self._bent(shape)
            elif isinstance(shape, DottedLine):
                self._line(dashed=True)
                self._pdf.line(*self._at(shape.x0, shape.y), *self._at(shape.x1, shape.y))
            elif isinstance(shape, Circle):
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

    def _frame(self, frame: Box) -> None:
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
        self._pdf.set_font(PDF_FONT, "B" if bold else "", size * self._scale / POINT)
        self._pdf.set_text_color(self._colours.inks[ink])

    def _words(self, words: TextRun) -> None:
        self._font(words.size, words.ink, bold=words.bold)
        self._pdf.set_char_spacing(words.spacing * words.size * self._scale / POINT)
        text = _printable(words.text)
        width = self._pdf.get_string_width(text)
        share = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[words.anchor]
        x, y = self._at(words.x, words.y)
        self._pdf.text(x - share * width, y, text)
        self._pdf.set_char_spacing(0)

    def _bent(self, bent: CurvedText) -> None:
        """Draw text letter by letter, each rotated to follow its curve."""
        arc = bent.arc
        self._font(arc.size, bent.ink, bold=arc.strong)
        curve = (arc.x0, arc.y0, arc.cx, arc.cy, arc.x1, arc.y1)
        points = [self._at(*point_on(curve, step / STEPS)) for step in range(STEPS + 1)]
        text = _printable(arc.words)
        spacing = arc.spacing * arc.size * self._scale
        widths = [self._pdf.get_string_width(letter) + spacing for letter in text]
        way = _CurvePath(points)
        at = (way.length - sum(widths)) / 2
        for letter, width in zip(text, widths, strict=True):
            x, y, angle = way.at(at + width / 2)
            with self._pdf.rotation(-angle, x, y):
                self._pdf.text(x - (width - spacing) / 2, y, letter)
            at += width


class _CurvePath:
    """A polyline that finds the point at a given distance along it."""

    def __init__(self, points: list[tuple[float, float]]) -> None:
        self._points = points
        pairs = pairwise(points)
        self._steps = [hypot(two[0] - one[0], two[1] - one[1]) for one, two in pairs]
        self.length = sum(self._steps)

    def at(self, distance: float) -> tuple[float, float, float]:
        """Return the point at this distance, and the line's angle there in degrees."""
        for index, step in enumerate(self._steps):
            if distance <= step or index == len(self._steps) - 1:
                (x0, y0), (x1, y1) = self._points[index], self._points[index + 1]
                share = distance / step
                angle = degrees(atan2(y1 - y0, x1 - x0))
                return x0 + share * (x1 - x0), y0 + share * (y1 - y0), angle
            distance -= step
        raise AssertionError("an empty path")


def _printable(text: str) -> str:
    """Replace characters that the built-in fonts lack, with question marks if need be."""
    for letter, instead in _OTHER.items():
        text = text.replace(letter, instead)
    return text.encode("latin-1", "replace").decode("latin-1")
