"""A printed layout as records. The frame is 1080 wide and 720 high, whatever it is shown on.

The viewer sits opposite to the dealer: spot 1, on the dealer's left, is on the right.
"""

from __future__ import annotations

from enum import StrEnum

from ventiuna.records import brief_repr, record

WIDTH, HEIGHT = 1080.0, 720.0


class Shape(StrEnum):
    CIRCLE = "circle"
    SQUARE = "square"  # jackpots have a sensor, not a circle


class LineKind(StrEnum):
    PAY = "pay"  # a hand and what it pays
    PART = "part"  # the beginning of a hand whose pay follows
    NOTE = "note"  # words alone


@record(frozen=True, slots=True)
class Line:
    """One line of a block; a long hand goes over several, with the pay on the last."""

    kind: LineKind
    words: str
    pays: str = ""


@record(frozen=True, slots=True)
class Block:
    """Pays in a column: where it begins, and how large it is printed."""

    title: str
    x: float
    y: float  # of its upper edge
    width: float
    height: float
    size: float  # of the lines
    title_size: float
    line_height: float
    lines: tuple[Line, ...]


@record(frozen=True, slots=True)
class Arc:
    """Words on a curve from `x0, y0` to `x1, y1`, drawn to `cx, cy`; its middle is theirs."""

    words: str
    size: float
    spacing: float  # between letters, in sizes of the type
    strong: bool
    x0: float
    y0: float
    cx: float
    cy: float
    x1: float
    y1: float


@record(frozen=True, slots=True)
class CardPlace:
    """Where a card of the dealer goes: `up`, `down`, `b1` to `b5`."""

    name: str
    words: str
    x: float
    y: float
    width: float
    height: float


@record(frozen=True, slots=True)
class WagerPlace:
    """Where a wager of a spot goes: `base`, `up`, `down`, `b1` to `b5`, `j1`, `j2`."""

    name: str
    words: str
    shape: Shape
    x: float
    y: float  # of the middle
    radius: float


@record(frozen=True, slots=True)
class SpotPlace:
    """A betting spot; `x, y` is the middle of its lower edge."""

    number: int
    x: float
    y: float
    wagers: tuple[WagerPlace, ...]


@record(frozen=True, slots=True)
class JackpotPlace:
    """Where a jackpot's meter stands, with its wager and every line that it pays."""

    game: int
    title: str
    wager: str
    kind: str
    x: float
    y: float
    width: float
    height: float
    pays: tuple[Line, ...]


@record(frozen=True, slots=True)
class Name:
    """The name of the game, in the middle."""

    words: str
    x: float
    y: float
    size: float


@record(frozen=True, slots=True)
class Layout:
    """Everything that is printed."""

    rules: str
    fingerprint: str
    width: float
    height: float
    edge: float  # how far down the felt reaches at its ends, and in the middle
    middle: float
    name: Name
    arcs: tuple[Arc, ...]
    blocks: tuple[Block, ...]
    cards: tuple[CardPlace, ...]
    spots: tuple[SpotPlace, ...]
    jackpots: tuple[JackpotPlace, ...]

    __repr__ = brief_repr
