"""Results of counting as tables: data frames, and in a notebook as they are."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ventiuna.analysis.frames import Cell, Framed, Row
from ventiuna.analysis.notebook import html_table

__all__ = ["CountTable", "Row"]


class CountTable(Framed, ABC):
    """A result of counting with a table in it."""

    __slots__ = ()

    @property
    @abstractmethod
    def title(self) -> str:
        """What the table is of, in some words."""

    def _repr_html_(self) -> str:
        rows = self.rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        shown = ([_text(row.get(name)) for name in names] for row in rows)
        return html_table(self.title, [name.replace("_", " ") for name in names], shown)


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
