"""A document as one self-contained HTML page, for phones, screens and paper."""

from __future__ import annotations

import re

from ventiuna.rendering import render
from ventiuna.reports.document import (
    NUMBER,
    Document,
    Paper,
    documents_text,
    explained_text,
    numbers_of,
)
from ventiuna.rules.text.references import RuleReference, references_by_number
from ventiuna.strategy.chart import UP_CARDS

_PRINT = {  # page size, margin and font size for each paper
    Paper.SHEET: {"size": "A4", "margin": "14mm", "letters": "10.5pt"},
    Paper.POCKET: {"size": "85mm 135mm", "margin": "4mm", "letters": "6.2pt"},
}
_NUMBERS = re.compile(f"({NUMBER.pattern})")
_UNSAFE = re.compile(r"[^a-z0-9]+")


def document_html(document: Document) -> str:
    """Render the whole page."""
    return render(
        "document.html",
        document=document,
        numbers=numbers_of(document) if document.explains else (),
        up_cards=UP_CARDS,
        slug=_slug,
        pieces=_pieces,
        explained_text=explained_text,
        documents_text=documents_text,
        **_PRINT[document.paper],
    )


def _slug(heading: str) -> str:
    return _UNSAFE.sub("-", heading.lower()).strip("-")


def _pieces(text: str) -> list[tuple[str, RuleReference | None]]:
    """Split a text at its rule numbers."""
    known = references_by_number()
    return [(words, known.get(words)) for words in _NUMBERS.split(text)]
