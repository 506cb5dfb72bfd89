"""A simulation's result: its figures, and the forms in which others take them."""

from __future__ import annotations

from dataclasses import dataclass

from ventiuna.analysis.notebook import html_table
from ventiuna.simulation import export
from ventiuna.simulation.figures import Figures
from ventiuna.simulation.plots import distribution_svg
from ventiuna.simulation.result_data import Data, data_of
from ventiuna.simulation.work import describe


@dataclass(frozen=True, repr=False)
class Result(Figures):
    """What a finished or stopped simulation says."""

    def as_data(self) -> Data:
        """Plain data for JSON. No figure without its standard error."""
        return data_of(self)

    @property
    def tables(self) -> tuple[str, ...]:
        """The names that `table`, `to_pandas`, `to_polars` and `to_arrow` take."""
        return tuple(export.tables_of(self))

    def table(self, name: str) -> export.Columns:
        """One of `export.TABLES`, column by column."""
        return export.table(self, name)

    def to_arrow(self, name: str = "wagers") -> export.Frame:
        """The table in Arrow's format (extra `data`)."""
        return export.to_arrow(self, name)

    def to_pandas(self, name: str = "wagers") -> export.Frame:
        """The table as a pandas data frame (extra `data`)."""
        return export.to_pandas(self, name)

    def to_polars(self, name: str = "wagers") -> export.Frame:
        """The table as a Polars data frame (extra `data`)."""
        return export.to_polars(self, name)

    def __repr__(self) -> str:
        facts = describe(self.tally.work)
        edge = f"{100 * self.house_edge:.4f} % ± {100 * self.ev.standard_error:.4f} %"
        return (
            f"<{type(self).__name__}: {facts['rules']}, strategy {facts['strategy']}, "
            f"{self.rounds:,} rounds, house edge {edge}>"
        )

    def _repr_html_(self) -> str:
        rows = [
            (line.name, f"{line.placed:,}", f"{100 * line.ev.value:+.4f} %",
             f"{100 * line.ev.standard_error:.4f} %", line.per)
            for line in self.wagers
        ]  # fmt: skip
        facts = describe(self.tally.work)
        caption = (
            f"{facts['rules']} ({facts['fingerprint']}), strategy {facts['strategy']}: "
            f"{self.rounds:,} rounds, seed {self.tally.work.seed}"
        )
        table = html_table(caption, ("wager", "placed", "ev", "standard error", "per"), rows)
        return table + distribution_svg(self)
