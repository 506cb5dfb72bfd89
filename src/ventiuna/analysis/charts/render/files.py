"""Charts as TOML files, which the simulator plays and anybody can edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ventiuna.analysis.charts.render.notation import UPS, row_text
from ventiuna.strategy.chart import Chart, Row, Rows
from ventiuna.strategy.strategy import Insurance
from ventiuna.texts import one_line, toml_text

_DOUBLED = ("doubled", "doubled_twice", "doubled_thrice")
_NAME_WIDTH = 8


def chart_toml(chart: Chart, comments: Iterable[str] = ()) -> str:
    """The whole file; comments come first, a line each."""
    return "".join(f"{line}\n" for line in _lines(chart, comments))


def _lines(chart: Chart, comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        yield f"# {one_line(comment)}".rstrip()
    yield f"title = {toml_text(chart.title)}"
    if chart.source:
        yield f"source = {toml_text(chart.source)}"
    if chart.fingerprint:
        yield f"rules = {toml_text(chart.rules)}"
        yield f"fingerprint = {toml_text(chart.fingerprint)}"
    if chart.insurance is not Insurance.COUNT:
        yield f"insurance = {toml_text(chart.insurance)}"
    yield f"blackjack = {toml_text('double' if chart.doubles_blackjack else 'take')}"
    yield from _section("hard", chart.hard)
    yield from _section("soft", chart.soft)
    yield ""
    yield "[pairs]"
    yield _up_cards()
    for value in sorted(chart.pairs, key=lambda value: (value == 1, value)):
        yield _row("A" if value == 1 else str(value), chart.pairs[value])
    for name, (hard, soft) in zip(_DOUBLED, chart.doubled, strict=False):
        yield from _section(f"{name}.hard", hard)
        yield from _section(f"{name}.soft", soft)


def _section(name: str, rows: Rows) -> Iterator[str]:
    yield ""
    yield f"[{name}]"
    yield _up_cards()
    for first, last, row in merged_rows(rows):
        yield _row(str(first) if first == last else f"{first}-{last}", row)


def merged_rows(rows: Rows, wanted: Iterable[int] | None = None) -> list[tuple[int, int, Row]]:
    """First and last total of neighbours with the same cells, and their row."""
    totals = sorted(rows) if wanted is None else sorted(set(wanted) & set(rows))
    groups: list[tuple[int, int, Row]] = []
    for total in totals:
        if groups and groups[-1][1] == total - 1 and groups[-1][2] == rows[total]:
            groups[-1] = (groups[-1][0], total, rows[total])
        else:
            groups.append((total, total, rows[total]))
    return groups


def _up_cards() -> str:
    return f"#{'':<{_NAME_WIDTH + 3}}" + " ".join(f"{up:<4}" for up in UPS).rstrip()


def _row(name: str, row: Row) -> str:
    quoted = f'"{name}"'
    return f"{quoted:<{_NAME_WIDTH}} = {toml_text(row_text(row))}"
