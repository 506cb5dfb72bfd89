"""A chart's page as plain data: what is shown in each cell, and the sentence that says it."""

from __future__ import annotations

from ventiuna.analysis.charts.render.layout import NEVER, Page, Section
from ventiuna.analysis.charts.render.notation import UPS, cell_words
from ventiuna.strategy.chart import read_cell

Data = dict[str, object]
TENS = "10"
FACES = "face"  # what a pack without tens has in their place


def page_data(page: Page, rescue: bool, tens_in_pack: bool) -> Data:
    """Sections with heads of columns and rows, legend and notes."""
    ups = [FACES if up == TENS and not tens_in_pack else up for up in UPS]
    return {
        "title": page.title,
        "subtitle": page.subtitle,
        "ups": ups,
        "sections": [_section_data(section, ups, rescue) for section in page.sections],
        "legend": [item._asdict() for item in page.legend],
        "notes": list(page.notes),
        "footer": list(page.footer),
    }


def _section_data(section: Section, ups: list[str], rescue: bool) -> Data:
    kind, after = _kind_and_doubles(section.title)
    rows = []
    for row in section.rows:
        label = _pair(row.label, ups) if kind == "Pairs" else row.label
        hand = f"{kind} {label}{after}" if kind == "Hard" else f"{label}{after}"
        cells = [
            _cell_data(cell, f"{hand} against {up}", bool(after), rescue)
            for cell, up in zip(row.cells, ups, strict=True)
        ]
        rows.append({"label": label, "first": row.first, "last": row.last, "cells": cells})
    return {"name": section.name, "title": section.title, "rows": rows}


def _kind_and_doubles(title: str) -> tuple[str, str]:
    """`Hard hands`, `Pairs` or `After two doubles, soft`."""
    if not title.startswith("After"):
        return title.split()[0], ""
    doubles, _, kind = title.partition(", ")
    return kind.capitalize(), f" {doubles[0].lower()}{doubles[1:]}"


def _pair(label: str, ups: list[str]) -> str:
    """`88` to `8-8`; tens by what the pack has in their place."""
    if label[0] == "T":
        return FACES if FACES in ups else f"{TENS}-{TENS}"
    return f"{label[0]}-{label[1]}"


def _cell_data(text: str, hand: str, doubled: bool, rescue: bool) -> Data:
    if text == NEVER:
        return {"text": "", "play": "", "sentence": f"{hand}: can't come up."}
    cell = read_cell(text)
    assert cell is not None, "a page has cells"
    words = cell_words(cell, doubled, rescue)
    return {"text": text, "play": cell.first, "sentence": f"{hand}: {words}."}
