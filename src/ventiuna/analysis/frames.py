"""Results as data frames: pandas, Polars and Arrow, each where its library is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from ventiuna.extras import load
from ventiuna.installed import version
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.tabular import arrow_table

Cell = str | int | float | None
Row = dict[str, Cell]


class Framed(ABC):
    """A result with a table in it; the results of simulations have several, by name."""

    __slots__ = ()

    @abstractmethod
    def rows(self) -> list[Row]:
        """The table, row by row."""

    def facts(self) -> dict[str, str]:
        """What the table rests on: rules and their fingerprint, where it has them, and version."""
        basis = getattr(self, "basis", self)
        rules = getattr(basis, "rules", None)
        if isinstance(rules, Rules):
            told: dict[str, object] = {"rules": canonical(rules), "fingerprint": fingerprint(rules)}
        else:
            told = {"rules": rules, "fingerprint": getattr(basis, "fingerprint", None)}
        told |= self.more_facts()
        found = {name: str(fact) for name, fact in told.items() if fact is not None}
        return {**found, "version": version()}

    def more_facts(self) -> Mapping[str, object]:
        """What it rests on besides: seed, count, meter; None is left out."""
        return {}

    def to_pandas(self) -> Any:
        """The table as a data frame of pandas (extra `data`)."""
        return load("pandas", "use rows()").DataFrame(self.rows())

    def to_polars(self) -> Any:
        """The table as a data frame of Polars (extra `data`)."""
        return load("polars", "use rows()").DataFrame(self.rows())

    def to_arrow(self) -> Any:
        """The table in Arrow's form (extra `data`), with its facts and units as metadata."""
        rows = self.rows()
        names = dict.fromkeys(name for row in rows for name in row)
        return arrow_table({name: [row.get(name) for row in rows] for name in names}, self.facts())
