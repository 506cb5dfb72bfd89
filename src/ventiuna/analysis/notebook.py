"""Results as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ventiuna.texts import markup_text

_NUMBER = ' style="text-align:right"'


def html_table(caption: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A plain table: the first column names the row, the others are numbers."""
    head = "".join(f"<th>{markup_text(heading)}</th>" for heading in headings)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    return (
        f'<table><caption style="text-align:left">{markup_text(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cells(row: Sequence[str]) -> str:
    first = f"<th>{markup_text(row[0])}</th>"
    return first + "".join(f"<td{_NUMBER}>{markup_text(cell)}</td>" for cell in row[1:])


def html_notes(notes: Iterable[str]) -> str:
    items = "".join(f"<li>{markup_text(note)}</li>" for note in notes)
    return f"<ul>{items}</ul>" if items else ""
