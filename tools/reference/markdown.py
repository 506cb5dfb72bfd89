"""Markdown from plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell_text(cell) for cell in cells)} |"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join([row(head), row(["---"] * len(head)), *map(row, rows)])


def cell_text(text: str) -> str:
    """
    >>> cell_text("one | two\\n three")
    'one \\\\| two three'
    """
    return " ".join(text.split()).replace("|", "\\|")


def code(text: object) -> str:
    return f"`{text}`"


def codes(texts: Iterable[object]) -> str:
    return ", ".join(map(code, texts))


def joined(parts: Iterable[str]) -> str:
    """Join parts of a page with an empty line between them."""
    return "\n\n".join(part for part in parts if part) + "\n"


def sentence(text: str) -> str:
    """
    >>> sentence("number of decks")
    'Number of decks.'
    """
    whole = text[:1].upper() + text[1:]
    return whole if whole.endswith((".", "?", "!")) or not whole else f"{whole}."
