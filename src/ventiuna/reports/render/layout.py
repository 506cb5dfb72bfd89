"""A printed layout as a drawing: SVG, and PDF with fpdf2 (the `print` extra)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from ventiuna.rendering import (
    Anchor,
    Box,
    Circle,
    CurvedLabel,
    Drawing,
    Edge,
    Label,
    Leader,
    Shape,
    drawing_pdf,
    drawing_svg,
)
from ventiuna.reports.layout import (
    CAPITALS,
    TOP,
    Block,
    Layout,
    LineKind,
    PrintedLine,
    WagerShape,
    text_width,
    wrapped,
)

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
    print: str
    second: str
    gold: str
    line: str


PAPER_COLORS = Palette("#ffffff", "#ffffff", "#1c1a17", "#4d4941", "#7a5410", "#8a8478")
FELT_COLORS = Palette("#2a1d13", "#134a3a", "#efe4c8", "#d8dcc4", "#f0cf86", "#9aa98c")
MARGIN = 8.0  # millimeters


def layout_svg(printed: Layout, colors: Palette = PAPER_COLORS) -> str:
    return drawing_svg(draw(printed, colors))


def layout_pdf(
    printed: Layout, sheet: PageSize = PageSize.A3, colors: Palette = PAPER_COLORS
) -> bytes:
    drawing = draw(printed, colors)
    return drawing_pdf(drawing, sheet.size, MARGIN, "write the layout as SVG")


# --- Shapes and their positions ---

SMALL_WORDS = 8.0
CARD_WORDS = 13.0
PLATE_WORDS, PLATE_LEADING = 11.0, 1.25
PLATE_TITLE, PLATE_MARGIN = 28.0, 9.0
OTHER_FONTS = 1.17  # how much wider small text may be with a viewer's own fonts


def draw(printed: Layout, colors: Palette = PAPER_COLORS) -> Drawing:
    return Drawing(
        printed.width,
        printed.height,
        f"{printed.name.words}: printed layout of {printed.rules}",
        tuple(_shapes(printed, colors)),
        stroke=1.5,
        svg_font=(
            "'Iowan Old Style', 'Palatino Linotype', Palatino, P052, 'TeX Gyre Pagella', Georgia, "
            "serif"
        ),
        pdf_font="times",
        ground=colors.ground,
    )


def _shapes(printed: Layout, colors: Palette) -> Iterator[Shape]:
    middle, control = printed.width / 2, 2 * printed.middle - printed.edge
    edge = (0.0, printed.edge, middle, control, printed.width, printed.edge)
    yield Edge(edge, fill=colors.cloth)
    yield Edge(edge, line=colors.gold)
    for arc in printed.arcs:
        curve = (arc.x0, arc.y0, arc.cx, arc.cy, arc.x1, arc.y1)
        color = colors.gold if arc.strong else colors.second
        yield CurvedLabel(curve, arc.words, arc.size, color, arc.strong, arc.spacing)
    name = printed.name
    yield Label(name.x, name.y, name.words, name.size, colors.gold, Anchor.MIDDLE, True, 0.2)
    for block in printed.blocks:
        yield from _block(block, colors)
    yield from _cards(printed, colors)
    yield from _jackpots(printed, colors)
    yield from _spots(printed, colors)


def _block(block: Block, colors: Palette) -> Iterator[Shape]:
    y = block.y + block.title_size * CAPITALS + 2
    yield Label(block.x, y, block.title, block.title_size, colors.gold, bold=True)
    y = block.y + block.height - len(block.lines) * block.line_height
    right = block.x + block.width
    for line in block.lines:
        y += block.line_height
        at = y - block.line_height * 0.3
        ink = colors.second if line.kind is LineKind.NOTE else colors.print
        yield Label(block.x, at, line.words, block.size, ink)
        if line.pays:
            begin = block.x + text_width(line.words, block.size) + 6
            end = right - text_width(line.pays, block.size) - 6
            if end - begin > 6:
                yield Leader(begin, end, at - 1, colors.line)
            yield Label(right, at, line.pays, block.size, colors.print, Anchor.END, bold=True)


def _cards(printed: Layout, colors: Palette) -> Iterator[Shape]:
    for card in printed.cards:
        yield Box(card.x, card.y, card.width, card.height, colors.line, corner=6.0, dashed=True)
        parts = card.words.split()
        y = card.y + card.height / 2 - (len(parts) - 1) * 9 + CARD_WORDS * CAPITALS / 2
        for part in parts:
            middle = card.x + card.width / 2
            yield Label(middle, y, part, CARD_WORDS, colors.second, Anchor.MIDDLE)
            y += 18


def _jackpots(printed: Layout, colors: Palette) -> Iterator[Shape]:
    """Draw each jackpot's wager with every line and prize, from the top of the felt down."""
    for plate in printed.jackpots:
        bottom = plate.y + plate.height
        left, right = plate.x + PLATE_MARGIN, plate.x + plate.width - PLATE_MARGIN
        yield Box(plate.x, TOP, plate.width, bottom - TOP, colors.line, corner=10.0)
        yield Label(left, TOP + 22, plate.title, 14.0, colors.gold, bold=True)
        yield Label(right, TOP + 22, plate.wager, 14.0, colors.print, Anchor.END, bold=True)
        lines, size = _fitted(plate.pays, right - left, bottom - TOP - PLATE_TITLE - PLATE_MARGIN)
        y = TOP + PLATE_TITLE
        for words, pays in lines:
            y += size * PLATE_LEADING
            yield Label(left, y, words, size, colors.second)
            if pays:
                yield Label(right, y, pays, size, colors.print, Anchor.END, bold=True)


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


def _spots(printed: Layout, colors: Palette) -> Iterator[Shape]:
    for spot in printed.spots:
        for place in spot.wagers:
            if place.shape is WagerShape.CIRCLE:
                yield Circle(place.x, place.y, place.radius, colors.line)
            else:
                side = 2 * place.radius
                yield Box(
                    place.x - place.radius,
                    place.y - place.radius,
                    side,
                    side,
                    colors.line,
                    corner=5.0,
                )
            if place.words:
                size = SMALL_WORDS if len(place.words) > 1 else CARD_WORDS
                y = place.y + size * CAPITALS / 2
                yield Label(place.x, y, place.words, size, colors.second, Anchor.MIDDLE)
        yield Label(spot.x, spot.y - 3, str(spot.number), CARD_WORDS, colors.second, Anchor.MIDDLE)
