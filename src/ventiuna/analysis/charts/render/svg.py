"""A chart as one SVG page."""

from __future__ import annotations

from ventiuna.analysis.charts.render.colours import PAPER
from ventiuna.analysis.charts.render.drawing import POINT, Box, Paper, Shape, boxes_and_words, draw
from ventiuna.analysis.charts.render.layout import Page
from ventiuna.texts import markup_text

_FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"


def chart_svg(page: Page, paper: Paper = Paper.A4) -> str:
    """The whole file; lengths in it are millimetres."""
    drawing = draw(page, paper)
    width, height = drawing.width, drawing.height
    size = f'width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{_FONT}">',
        f"<title>{markup_text(drawing.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        *(_element(shape) for shape in boxes_and_words(drawing)),
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
        f'text-anchor="{shape.anchor}" fill="{shape.colour}"{weight}>{words}</text>'
    )
