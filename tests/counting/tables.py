"""Checks for every counting result as a table."""

from __future__ import annotations

from ventiuna import __version__
from ventiuna.analysis.results import TitledResult


def facts_of_table(result: TitledResult) -> dict[str, str]:
    """Return the Arrow table's facts, after checking that the data frames and the HTML have its
    rows."""
    rows = result.rows()
    assert rows
    assert result.to_polars().to_dicts() == rows
    frame = result.to_pandas()
    assert list(frame.columns) == list(rows[0])
    assert len(frame) == len(rows)
    table = result.to_arrow()
    assert table.to_pylist() == rows
    assert result._repr_html_().count("<tr>") == len(rows) + 1
    facts = {name.decode(): fact.decode() for name, fact in table.schema.metadata.items()}
    assert facts["version"] == __version__
    return facts
