"""A layout as SVG: its lengths are those of the frame."""

from __future__ import annotations

from ventiuna.layout.drawing import Bent, Dots, Drawn, Frame, Ink, Ring, Words, drawn
from ventiuna.layout.pages import PAPER, Colours, edge_curve
from ventiuna.layout.records import Layout
from ventiuna.texts import markup_text

FONT = "'Iowan Old Style', 'Palatino Linotype', Palatino, P052, 'TeX Gyre Pagella', Georgia, serif"


def layout_svg(printed: Layout, colours: Colours = PAPER) -> str:
    """The whole file."""
    width, height = printed.width, printed.height
    left, control, _ = edge_curve(printed)
    edge = f"M0 {left:g}Q{width / 2:g} {control:g} {width:g} {left:g}"
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    title = markup_text(f"{printed.name.words}: printed layout of {printed.rules}")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">',
        f"<title>{title}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="{colours.ground}"/>',
        f'<path d="{edge}V0H0Z" fill="{colours.cloth}"/>',
        f'<path d="{edge}" fill="none" stroke="{colours.inks[Ink.GOLD]}" stroke-width="1.5"/>',
        *(_element(shape, number, colours) for number, shape in enumerate(drawn(printed))),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _element(shape: Drawn, number: int, colours: Colours) -> str:
    line = colours.inks[Ink.LINE]
    if isinstance(shape, Words):
        return _words(shape, colours)
    if isinstance(shape, Bent):
        return _bent(shape, number, colours)
    if isinstance(shape, Dots):
        return (
            f'<path d="M{shape.x0:.1f} {shape.y:.1f}H{shape.x1:.1f}" stroke="{line}" '
            'stroke-width="1" stroke-dasharray="1 2"/>'
        )
    if isinstance(shape, Ring):
        return (
            f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}" fill="none" '
            f'stroke="{line}" stroke-width="1.5"/>'
        )
    assert isinstance(shape, Frame)
    dashes = ' stroke-dasharray="4 3"' if shape.dashed else ""
    return (
        f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" '
        f'height="{shape.height:g}" rx="{shape.corner:g}" fill="none" stroke="{line}" '
        f'stroke-width="1.5"{dashes}/>'
    )


def _words(words: Words, colours: Colours) -> str:
    weight = ' font-weight="600"' if words.bold else ""
    spacing = f' letter-spacing="{words.spacing}em"' if words.spacing else ""
    return (
        f'<text x="{words.x:.2f}" y="{words.y:.2f}" font-size="{words.size:g}" '
        f'text-anchor="{words.anchor}" fill="{colours.inks[words.ink]}"{weight}{spacing}>'
        f"{markup_text(words.text)}</text>"
    )


def _bent(bent: Bent, number: int, colours: Colours) -> str:
    arc = bent.arc
    weight = ' font-weight="600"' if arc.strong else ""
    path = f"M{arc.x0:g} {arc.y0:g}Q{arc.cx:g} {arc.cy:g} {arc.x1:g} {arc.y1:g}"
    return (
        f'<path id="arc-{number}" d="{path}" fill="none"/>'
        f'<text font-size="{arc.size:g}" letter-spacing="{arc.spacing}em" text-anchor="middle" '
        f'fill="{colours.inks[bent.ink]}"{weight}>'
        f'<textPath href="#arc-{number}" startOffset="50%">{markup_text(arc.words)}</textPath>'
        "</text>"
    )
