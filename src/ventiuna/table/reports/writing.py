"""The daily report as text for people, as data for JSON, as CSV for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from fractions import Fraction

from ventiuna.money import money_text
from ventiuna.rules import canonical, fingerprint
from ventiuna.table.ledger.chain import Data
from ventiuna.table.reports.daily import DailyReport, Expected, TableLine, WagerLine
from ventiuna.table.reports.meters import MeterDay
from ventiuna.texts import counted, csv_cell, one_line

OUTLIER = "outside of the 95 % band: to be investigated in writing"
ASSUMED = (
    "Theory: best play, every wager independent of the others; a table's hands share the "
    "dealer's cards, so its real band is wider."
)


# --- text -------------------------------------------------------------------------------------


def report_lines(report: DailyReport) -> Iterator[str]:
    yield one_line(f"Daily report of {report.house}, gambling day {report.day}")
    yield (
        f"{counted(report.rounds, 'round')}, drop {money_text(report.drop)}, "
        f"win {money_text(report.win)}{_hold(report.win, report.drop)}"
    )
    for table in report.tables:
        yield ""
        yield from _table_lines(table)
    for meter in report.meters:
        yield ""
        yield from _meter_lines(meter)
    yield ""
    if any(table.expected for table in report.tables):
        yield ASSUMED
    if report.seal is None:
        yield "No seal has been made yet."
    else:
        yield f"Newest seal {report.seal.number}: {report.seal.hash.hex()}"


def _table_lines(table: TableLine) -> Iterator[str]:
    void = f", {table.void} void" if table.void else ""
    yield one_line(f"Table {table.table}, {table.name}, rules {canonical(table.rules)}")
    yield (
        f"  {counted(table.rounds, 'round')}{void}; cashed out {money_text(table.cashed_out)}, "
        f"to the house {money_text(table.to_house)}"
    )
    yield (
        f"  drop {money_text(table.drop)}, win {money_text(table.win)}"
        f"{_hold(table.win, table.drop)}{_expected(table.expected)}"
    )
    if table.is_outlier:
        yield f"  ! {OUTLIER}"
    for line in table.wagers:
        yield (
            f"  {line.wager}: {line.placed:,} placed, staked {money_text(line.staked)}, win "
            f"{money_text(line.win)}{_hold(line.win, line.staked)}{_expected(line.expected)}"
        )
        if line.is_outlier:
            yield f"  ! {line.wager}: {OUTLIER}"


def _meter_lines(meter: MeterDay) -> Iterator[str]:
    yield one_line(
        f"Jackpot {meter.jackpot}, {meter.name}: meter {money_text(meter.meter_before)} to "
        f"{money_text(meter.meter_after)}, reserve {money_text(meter.reserve_before)} to "
        f"{money_text(meter.reserve_after)}"
    )
    for move in meter.movements:
        reason = f" ({move.reason})" if move.reason else ""
        yield one_line(f"  {move.account}: {move.code} {money_text(move.amount)}{reason}")


def _hold(win: int, of: int) -> str:
    return f", hold {percent(Fraction(win, of))}" if of else ""


def _expected(expected: Expected | None) -> str:
    if expected is None:
        return ""
    win, low, high = (money_text(round(cents)) for cents in _figures(expected))
    return f"; expected {win}, {low} to {high}"


def _figures(expected: Expected) -> tuple[float, float, float]:
    return expected.win, expected.low, expected.high


def percent(share: Fraction) -> str:
    """
    >>> percent(Fraction(1, 3))
    '33.33 %'
    """
    return f"{float(share * 100):.2f} %"


# --- data -------------------------------------------------------------------------------------


def report_data(report: DailyReport) -> Data:
    """As plain data: the name of an amount says that it is in cents (docs/json.md)."""
    seal = report.seal
    return {
        "house": report.house,
        "day": report.day.date.isoformat(),
        "from": report.day.start,
        "to": report.day.end,
        "rounds": report.rounds,
        "drop_cents": report.drop,
        "win_cents": report.win,
        "tables": [_table_data(table) for table in report.tables],
        "meters": [_meter_data(meter) for meter in report.meters],
        "assumed": ASSUMED,
        "seal": None if seal is None else {"number": seal.number, "hash": seal.hash.hex()},
    }


def _table_data(table: TableLine) -> Data:
    return {
        "table": table.table,
        "name": table.name,
        "preset": table.rules.name,
        "rules": canonical(table.rules),
        "fingerprint": fingerprint(table.rules),
        "rounds": table.rounds,
        "void": table.void,
        "drop_cents": table.drop,
        "cashed_out_cents": table.cashed_out,
        "to_house_cents": table.to_house,
        "win_cents": table.win,
        "hold": _share(table.hold),
        **_expected_data(table.expected),
        "outlier": table.is_outlier,
        "wagers": [_wager_data(line) for line in table.wagers],
    }


def _wager_data(line: WagerLine) -> Data:
    return {
        "wager": str(line.wager),
        "placed": line.placed,
        "staked_cents": line.staked,
        "win_cents": line.win,
        "hold": _share(line.hold),
        **_expected_data(line.expected),
        "outlier": line.is_outlier,
    }


def _expected_data(expected: Expected | None) -> Data:
    names = ("expected_cents", "low_cents", "high_cents")
    if expected is None:
        return dict.fromkeys(names)
    return {name: round(cents) for name, cents in zip(names, _figures(expected), strict=True)}


def _meter_data(meter: MeterDay) -> Data:
    return {
        "jackpot": meter.jackpot,
        "name": meter.name,
        "meter_cents": [meter.meter_before, meter.meter_after],
        "reserve_cents": [meter.reserve_before, meter.reserve_after],
        "movements": [
            {
                "account": move.account,
                "code": move.code,
                "reason": move.reason,
                "amount_cents": move.amount,
            }
            for move in meter.movements
        ],
    }


def _share(share: Fraction | None) -> float | None:
    return None if share is None else float(share)


# --- CSV --------------------------------------------------------------------------------------

COLUMNS = (
    "day",
    "what",
    "number",
    "name",
    "rules",
    "fingerprint",
    "line",
    "reason",
    "rounds",
    "placed",
    "drop_cents",
    "staked_cents",
    "win_cents",
    "moved_cents",
    "expected_cents",
    "low_cents",
    "high_cents",
    "outlier",
)


def report_csv(report: DailyReport) -> str:
    """One row for each table, wager and movement of a meter; no text is taken for a formula."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for row in _rows(report):
        writer.writerow({name: csv_cell(value) for name, value in row.items()})
    return out.getvalue()


def _rows(report: DailyReport) -> Iterator[Data]:
    day = report.day.date.isoformat()
    for table in report.tables:
        of_table: Data = {"day": day, "what": "table", "number": table.table, "name": table.name}
        yield {
            **of_table,
            "rules": canonical(table.rules),
            "fingerprint": fingerprint(table.rules),
            "rounds": table.rounds,
            "drop_cents": table.drop,
            "win_cents": table.win,
            **_expected_cells(table.expected),
            "outlier": int(table.is_outlier),
        }
        for line in table.wagers:
            yield {
                **of_table,
                "what": "wager",
                "line": str(line.wager),
                "placed": line.placed,
                "staked_cents": line.staked,
                "win_cents": line.win,
                **_expected_cells(line.expected),
                "outlier": int(line.is_outlier),
            }
    yield from _meter_rows(day, report.meters)


def _meter_rows(day: str, meters: Iterable[MeterDay]) -> Iterator[Data]:
    for meter in meters:
        for move in meter.movements:
            yield {
                "day": day,
                "what": move.account,
                "number": meter.jackpot,
                "name": meter.name,
                "line": move.code,
                "reason": move.reason,
                "moved_cents": move.amount,
            }


def _expected_cells(expected: Expected | None) -> Data:
    if expected is None:
        return {}
    win, low, high = (round(cents) for cents in _figures(expected))
    return {"expected_cents": win, "low_cents": low, "high_cents": high}
