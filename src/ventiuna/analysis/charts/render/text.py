"""A chart as plain text of at most 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from ventiuna.analysis.charts.render.layout import Page, Section
from ventiuna.analysis.charts.render.notation import UPS

WIDTH = 80
_LABEL = 8
_CELL = 6
_NEVER = "."  # an empty cell


def chart_text(page: Page) -> str:
    """The whole page; every line ends with a line break."""
    return "".join(f"{line}\n" for line in _lines(page))


def _lines(page: Page) -> Iterator[str]:
    yield page.title
    if page.subtitle:
        yield from textwrap.wrap(page.subtitle, WIDTH)
    for section in page.sections:
        yield ""
        yield from section_lines(section)
    yield ""
    widest = max((len(item.sign) for item in page.legend), default=0)
    for item in page.legend:
        yield f"{item.sign:<{widest}}  {item.words}"
    if page.notes:
        yield ""
        for note in page.notes:
            yield from textwrap.wrap(note, WIDTH)
    if page.footer:
        yield ""
        for line in page.footer:
            yield from textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False)


def section_lines(section: Section) -> Iterator[str]:
    yield section.title
    yield f"{'':<{_LABEL}}" + "".join(f"{up:<{_CELL}}" for up in UPS).rstrip()
    for row in section.rows:
        cells = "".join(f"{cell or _NEVER:<{_CELL}}" for cell in row.cells)
        yield f"{row.label:<{_LABEL}}{cells}".rstrip()
