"""A layout as shapes: what SVG and PDF have in common, and where each shape lies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from ventiuna.layout.printing import TOP, point_on
from ventiuna.layout.records import Arc, Block, Layout, Line, LineKind, Shape
from ventiuna.layout.type import BELOW, CAPITALS, text_width, wrapped

SMALL_WORDS = 8.0
CARD_WORDS = 13.0
PLATE_WORDS, PLATE_LEADING = 11.0, 1.25
PLATE_TITLE, PLATE_MARGIN = 28.0, 9.0
OTHER_FONTS = 1.17  # how much wider a viewer without the print's fonts may draw small text


class Ink(StrEnum):
    """What a shape is drawn with; a page has its own colours for them."""

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


class Words(NamedTuple):
    x: float
    y: float  # of the base line
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


class Dots(NamedTuple):
    """A dotted line from a hand to its pay."""

    x0: float
    x1: float
    y: float


class Frame(NamedTuple):
    """A rounded box; dashed where a card goes."""

    x: float
    y: float
    width: float
    height: float
    corner: float
    dashed: bool = False

    @property
    def bounds(self) -> Bounds:
        return Bounds(self.x, self.y, self.x + self.width, self.y + self.height)


class Ring(NamedTuple):
    x: float
    y: float
    radius: float

    @property
    def bounds(self) -> Bounds:
        return Bounds(
            self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius
        )


class Bent(NamedTuple):
    """Words on a curve."""

    arc: Arc
    ink: Ink

    @property
    def letters(self) -> list[Bounds]:
        """About where each of its letters is."""
        arc = self.arc
        curve = (arc.x0, arc.y0, arc.cx, arc.cy, arc.x1, arc.y1)
        whole = text_width(arc.words, arc.size, arc.spacing)
        share = whole / (arc.x1 - arc.x0)
        found = []
        for index in range(len(arc.words)):
            before = text_width(arc.words[:index], arc.size, arc.spacing) / whole
            x, y = point_on(curve, 0.5 - share / 2 + share * before)
            width = text_width(arc.words[index], arc.size, arc.spacing)
            found.append(Bounds(x, y - arc.size, x + width, y + BELOW * arc.size))
        return found


Drawn = Words | Dots | Frame | Ring | Bent


def drawn(printed: Layout) -> Iterator[Drawn]:
    """Every shape of the print, the edge of the felt left out."""
    for arc in printed.arcs:
        yield Bent(arc, Ink.GOLD if arc.strong else Ink.SECOND)
    name = printed.name
    yield Words(
        name.x, name.y, name.words, name.size, Ink.GOLD, Anchor.MIDDLE, bold=True, spacing=0.2
    )
    for block in printed.blocks:
        yield from _block(block)
    yield from _cards(printed)
    yield from _jackpots(printed)
    yield from _spots(printed)


def _block(block: Block) -> Iterator[Drawn]:
    y = block.y + block.title_size * CAPITALS + 2
    yield Words(block.x, y, block.title, block.title_size, Ink.GOLD, bold=True)
    y = block.y + block.height - len(block.lines) * block.line_height
    right = block.x + block.width
    for line in block.lines:
        y += block.line_height
        at = y - block.line_height * 0.3
        ink = Ink.SECOND if line.kind is LineKind.NOTE else Ink.PRINT
        yield Words(block.x, at, line.words, block.size, ink)
        if line.pays:
            begin = block.x + text_width(line.words, block.size) + 6
            end = right - text_width(line.pays, block.size) - 6
            if end - begin > 6:
                yield Dots(begin, end, at - 1)
            yield Words(right, at, line.pays, block.size, Ink.PRINT, Anchor.END, bold=True)


def _cards(printed: Layout) -> Iterator[Drawn]:
    for card in printed.cards:
        yield Frame(card.x, card.y, card.width, card.height, 6.0, dashed=True)
        parts = card.words.split()
        y = card.y + card.height / 2 - (len(parts) - 1) * 9 + CARD_WORDS * CAPITALS / 2
        for part in parts:
            middle = card.x + card.width / 2
            yield Words(middle, y, part, CARD_WORDS, Ink.SECOND, Anchor.MIDDLE)
            y += 18


def _jackpots(printed: Layout) -> Iterator[Drawn]:
    """Each jackpot's wager with every line and prize, from the top of the felt down."""
    for plate in printed.jackpots:
        bottom = plate.y + plate.height
        left, right = plate.x + PLATE_MARGIN, plate.x + plate.width - PLATE_MARGIN
        yield Frame(plate.x, TOP, plate.width, bottom - TOP, 10.0)
        yield Words(left, TOP + 22, plate.title, 14.0, Ink.GOLD, bold=True)
        yield Words(right, TOP + 22, plate.wager, 14.0, Ink.PRINT, Anchor.END, bold=True)
        lines, size = _fitted(plate.pays, right - left, bottom - TOP - PLATE_TITLE - PLATE_MARGIN)
        y = TOP + PLATE_TITLE
        for words, pays in lines:
            y += size * PLATE_LEADING
            yield Words(left, y, words, size, Ink.SECOND)
            if pays:
                yield Words(right, y, pays, size, Ink.PRINT, Anchor.END, bold=True)


def _fitted(
    pays: Sequence[Line], width: float, height: float
) -> tuple[list[tuple[str, str]], float]:
    """Words and pays line by line, as large as fits; the pay is on its hand's last line."""
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


def _spots(printed: Layout) -> Iterator[Drawn]:
    for spot in printed.spots:
        for place in spot.wagers:
            if place.shape is Shape.CIRCLE:
                yield Ring(place.x, place.y, place.radius)
            else:
                side = 2 * place.radius
                yield Frame(place.x - place.radius, place.y - place.radius, side, side, 5.0)
            if place.words:
                size = SMALL_WORDS if len(place.words) > 1 else CARD_WORDS
                y = place.y + size * CAPITALS / 2
                yield Words(place.x, y, place.words, size, Ink.SECOND, Anchor.MIDDLE)
        yield Words(spot.x, spot.y - 3, str(spot.number), CARD_WORDS, Ink.SECOND, Anchor.MIDDLE)
