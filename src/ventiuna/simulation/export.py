"""A result as tables: CSV by itself, Parquet and data frames where their libraries are."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from ventiuna.extras import load
from ventiuna.files import write_file
from ventiuna.simulation.figures import Figures
from ventiuna.strategy.errors import plan_problem
from ventiuna.texts import csv_cell

Cell = str | int | float | None
Row = dict[str, Cell]
Columns = dict[str, list[Cell]]
Frame = Any  # of a library that may not be there
INSTEAD = "write CSV"
TABLES = (
    "wagers",
    "events",
    "starts",
    "decisions",
    "histogram",
    "convergence",
    "sessions",
    "session_lows",
    "losing_runs",
    "meters",
    "meter_history",
)
_OF_SESSIONS = ("sessions", "session_lows", "losing_runs")
_OF_METERS = ("meters", "meter_history")


def tables_of(result: Figures) -> list[str]:
    """The tables that this result has something to say in."""
    return [
        name
        for name in TABLES
        if (result.tally.work.session or name not in _OF_SESSIONS)
        and (result.meters or name not in _OF_METERS)
        and (result.has_records or name != "decisions")
    ]


def table(result: Figures, name: str) -> Columns:
    """One table of the result, column by column."""
    if name not in TABLES:
        raise plan_problem("table", name, "there is no such table", f"Use {', '.join(TABLES)}.")
    rows: list[Row] = {
        "wagers": _wagers,
        "events": _events,
        "starts": _starts,
        "decisions": _decisions,
        "histogram": _histogram,
        "convergence": _convergence,
        "sessions": _sessions,
        "session_lows": _session_lows,
        "losing_runs": _losing_runs,
        "meters": _meters,
        "meter_history": _meter_history,
    }[name](result)
    names = list(rows[0]) if rows else []
    return {column: [row[column] for row in rows] for column in names}


def _wagers(result: Figures) -> list[Row]:
    return [
        {
            "wager": line.name,
            "placed": line.placed,
            "staked_cents": line.staked,
            "net_cents": line.net,
            "per": line.per,
            "ev": line.ev.value,
            "standard_error": line.ev.standard_error,
            "sd": line.ev.sd,
        }
        for line in result.wagers
    ]


def _events(result: Figures) -> list[Row]:
    return [
        {
            "event": line.name,
            "count": line.count,
            "frequency": line.frequency.value,
            "standard_error": line.frequency.standard_error,
            "pay": line.pay,
        }
        for line in (*result.events, *result.dealer)
    ]


def _starts(result: Figures) -> list[Row]:
    return [
        {
            "hand": line.hand,
            "up": line.up,
            "rounds": line.ev.trials,
            "ev": line.ev.value,
            "standard_error": line.ev.standard_error,
            "sd": line.ev.sd,
        }
        for line in result.starts
    ]


def _decisions(result: Figures) -> list[Row]:
    return [
        {
            "hand": line.hand,
            "cards": line.cards,
            "state": line.state,
            "up": line.up,
            "action": line.action,
            "visits": line.visits,
        }
        for line in result.decisions
    ]


def _histogram(result: Figures) -> list[Row]:
    return [{"result": value, "count": count} for value, count in result.histogram]


def _convergence(result: Figures) -> list[Row]:
    return [
        {"rounds": point.rounds, "ev": point.ev, "standard_error": point.standard_error}
        for point in result.tally.points
    ]


def _sessions(result: Figures) -> list[Row]:
    return [
        {"result": value, "sessions": times}
        for value, times in sorted(result.tally.sessions.results.items())
    ]


def _session_lows(result: Figures) -> list[Row]:
    return [
        {"lowest": value, "sessions": times}
        for value, times in sorted(result.tally.sessions.lowest.items())
    ]


def _losing_runs(result: Figures) -> list[Row]:
    return [
        {"longest": value, "sessions": times}
        for value, times in sorted(result.tally.sessions.losing.items())
    ]


def _meters(result: Figures) -> list[Row]:
    return [
        {
            "jackpot": meter.game,
            "table": meter.table,
            "line": award.name,
            "hits": award.hits,
            "paid_cents": award.paid,
            "average_cents": award.average.value if award.hits else None,
            "standard_error": award.average.standard_error if award.hits > 1 else None,
            "resets": meter.resets,
            "highest_cents": meter.highest,
            "seeded_cents": meter.seeded,
            "last_cents": meter.last,
        }
        for meter in result.meters
        for award in meter.awards
    ]


def _meter_history(result: Figures) -> list[Row]:
    return [
        {"jackpot": meter.game, "rounds": rounds, "meter_cents": cents}
        for meter in result.meters
        for rounds, cents in meter.history
    ]


def write_csv(result: Figures, name: str, path: Path) -> None:
    columns = table(result, name)
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(map(csv_cell, row))
    write_file(path, text.getvalue())


def write_parquet(result: Figures, name: str, path: Path) -> None:
    content = io.BytesIO()
    load("pyarrow.parquet", INSTEAD).write_table(to_arrow(result, name), content)
    write_file(path, content.getvalue())


def to_arrow(result: Figures, name: str) -> Frame:
    return load("pyarrow", INSTEAD).table(table(result, name))


def to_pandas(result: Figures, name: str) -> Frame:
    return load("pandas", INSTEAD).DataFrame(table(result, name))


def to_polars(result: Figures, name: str) -> Frame:
    return load("polars", INSTEAD).DataFrame(table(result, name))
