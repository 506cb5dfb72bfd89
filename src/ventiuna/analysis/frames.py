"""Results as data frames: pandas, Polars and Arrow, each where its library is."""

from __future__ import annotations

from typing import Any

from ventiuna.extras import load

Cell = str | int | float | None
Row = dict[str, Cell]


class Framed:
    """A result with a table in it; the results of simulations have several, by name."""

    __slots__ = ()

    def rows(self) -> list[Row]:
        """The table, row by row."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """The table as a data frame of pandas (extra `pandas`)."""
        return load("pandas", "use rows()").DataFrame(self.rows())

    def to_polars(self) -> Any:
        """The table as a data frame of Polars (extra `polars`)."""
        return load("polars", "use rows()").DataFrame(self.rows())

    def to_arrow(self) -> Any:
        """The table in Arrow's form (extra `arrow`)."""
        return load("pyarrow", "use rows()").Table.from_pylist(self.rows())
