"""A result as tables: CSV by itself, Parquet and data frames where their libraries are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ventiuna.extras import load
from ventiuna.files import write_file
from ventiuna.installed import version
from ventiuna.simulation.figures import Figures
from ventiuna.simulation.work import describe
from ventiuna.strategy.errors import plan_problem
from ventiuna.tabular import (
    INSTEAD,
    Cell,
    arrow_table,
    csv_description,
    csv_text,
    parquet_bytes,
)

Row = dict[str, Cell]
Columns = dict[str, list[Cell]]
Frame = Any  # of a library that may not be there
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


def facts_of(result: Figures) -> dict[str, str]:
    """What the figures rest on, for files that hold them."""
    work = result.tally.work
    told = describe(work)
    return {
        "rules": str(told["rules"]),
        "fingerprint": str(told["fingerprint"]),
        "strategy": work.strategy,
        "seed": str(work.seed),
        "rounds": str(result.rounds),
        "version": version(),
    }


def write_csv(result: Figures, name: str, path: Path) -> None:
    write_file(path, csv_text(table(result, name)))


def write_description(result: Figures, files: Mapping[str, str], path: Path) -> None:
    """What CSV files hold; `files` are their names by those of the tables."""
    described = {file: table(result, name) for name, file in files.items()}
    write_file(path, csv_description(described, facts_of(result)) + "\n")


def write_parquet(result: Figures, name: str, path: Path) -> None:
    write_file(path, parquet_bytes(table(result, name), {**facts_of(result), "table": name}))


def to_arrow(result: Figures, name: str) -> Frame:
    return arrow_table(table(result, name), {**facts_of(result), "table": name})


def to_pandas(result: Figures, name: str) -> Frame:
    return load("pandas", INSTEAD).DataFrame(table(result, name))


def to_polars(result: Figures, name: str) -> Frame:
    return load("polars", INSTEAD).DataFrame(table(result, name))
