"""The colours and sheets that a layout is printed in."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from ventiuna.layout.drawing import Ink
from ventiuna.layout.records import HEIGHT, WIDTH, Layout


class Sheet(StrEnum):
    A4 = "a4"
    A3 = "a3"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimetres, lying."""
        return (297.0, 210.0) if self is Sheet.A4 else (420.0, 297.0)


class Colours(NamedTuple):
    ground: str
    cloth: str
    inks: dict[Ink, str]


PAPER = Colours(
    "#ffffff",
    "#ffffff",
    {Ink.PRINT: "#1c1a17", Ink.SECOND: "#4d4941", Ink.GOLD: "#7a5410", Ink.LINE: "#8a8478"},
)
CLOTH = Colours(
    "#2a1d13",
    "#134a3a",
    {Ink.PRINT: "#efe4c8", Ink.SECOND: "#d8dcc4", Ink.GOLD: "#f0cf86", Ink.LINE: "#9aa98c"},
)


def edge_curve(printed: Layout) -> tuple[float, float, float]:
    """The lower edge as a curve: `y` at both ends, and that of its control point."""
    return printed.edge, 2 * printed.middle - printed.edge, printed.edge


MARGIN = 8.0  # millimetres


def scale_for(sheet: Sheet) -> tuple[float, float, float]:
    """Millimetres for one unit of the frame, and where its upper left corner lies."""
    width, height = sheet.size
    scale = min((width - 2 * MARGIN) / WIDTH, (height - 2 * MARGIN) / HEIGHT)
    return scale, (width - scale * WIDTH) / 2, (height - scale * HEIGHT) / 2
