"""The result of a simulation: its figures as data, tables, files and plots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from ventiuna.analysis.results import html_table
from ventiuna.files import (
    PARQUET_ALTERNATIVE,
    Cell,
    arrow_table,
    csv_description,
    csv_text,
    parquet_bytes,
    write_file,
)
from ventiuna.kernels.simulate import layout as at
from ventiuna.package import load_library, version
from ventiuna.simulation.figures import EventLine, Figures, MeterLine, StartLine, WagerLine
from ventiuna.simulation.spec import describe
from ventiuna.strategy.errors import plan_problem
from ventiuna.texts import finite, markup_text

# --- Plain data ---

Data = dict[str, Any]  # JSON values by name
PERCENTILES = (1, 5, 25, 50, 75, 95, 99)


def data_of(result: Figures) -> Data:
    """Plain data for JSON. Every figure has its standard error."""
    spec = result.tally.spec
    data = {
        **describe(spec),
        "rounds": result.rounds,
        "spots": result.spots,
        "seed": spec.seed,
        "ev": result.ev.value,
        "standard_error": result.ev.standard_error,
        "standard_error_by_blocks": result.block_error,
        "sd": result.ev.sd,
        "sd_standard_error": result.sd_error,
        "house_edge": result.house_edge,
        "element_of_risk": result.element_of_risk.value,
        "element_of_risk_standard_error": result.element_of_risk.standard_error,
        "average_base_wager": result.average_bet.value,
        "average_base_wager_standard_error": result.average_bet.standard_error,
        "average_stake": result.stake.value,
        "average_stake_standard_error": result.stake.standard_error,
        "total_ev": result.total.value,
        "total_standard_error": result.total.standard_error,
        "total_sd": result.total.sd,
        "n0": result.n_zero.value,
        "n0_standard_error": result.n_zero.standard_error,
        "total_n0": result.total_n_zero.value,
        "total_n0_standard_error": result.total_n_zero.standard_error,
        "complete": result.complete,
        "base_wager_cents": spec.bases[0],
        "digest": spec.digest,
        "blocks": result.tally.blocks,
        "void_rounds": result.tally.counters[at.VOID],
        "shuffles": result.tally.counters[at.SHUFFLES],
        "cards_dealt": result.tally.counters[at.CARDS_DEALT],
        "wagers": [_wager_data(line) for line in result.wagers],
        "events": [_event_data(line) for line in (*result.events, *result.dealer)],
        "histogram": [
            {"result_wagers": value, "count": count} for value, count in result.histogram
        ],
        "by_count": [line.as_data() for line in result.by_count],
        "covariance": result.covariance,
        "covariance_standard_error": result.covariance_error,
        "meters": [_meter_data(line) for line in result.meters],
        "sessions": session_data(result),
        "convergence": [
            {"rounds": p.rounds, "ev": p.ev, "standard_error": p.standard_error}
            for p in result.tally.points
        ],
        "starts": [_start_data(line) for line in result.starts],
        "decisions": [vars(line) for line in result.decisions] if result.has_records else None,
    }
    return finite_data(data)


def session_data(result: Figures) -> Data | None:
    sessions = result.tally.sessions
    if not sessions.sessions:
        return None
    mean, longest = result.session_mean, result.longest_losing_run
    return {
        "length": result.tally.spec.session,
        "sessions": sessions.sessions,
        "mean_wagers": mean.value,
        "standard_error_wagers": mean.standard_error,
        "sd_wagers": mean.sd,
        "results": sorted(sessions.results.items()),
        "percentiles": [
            {
                "percent": percent,
                "result_wagers": item.value,
                "standard_error_wagers": item.standard_error,
            }
            for percent in PERCENTILES
            for item in (result.session_quantile(percent / 100),)
        ],
        "ruin": [
            {
                "bankroll_wagers": bankroll,
                "probability": estimate.value,
                "standard_error": estimate.standard_error,
            }
            for bankroll in ruin_bankrolls(sessions.lowest)
            for estimate in (result.ruin(bankroll),)
        ],
        "mean_longest_losing_run": longest.value,
        "mean_longest_losing_run_standard_error": longest.standard_error,
        "longest_losing_run": sorted(sessions.losing.items()),
    }


def ruin_bankrolls(lowest: dict[int, int]) -> list[int]:
    """Bankrolls to list: round numbers up to the largest drawdown."""
    deepest = -min(lowest, default=0)
    steps = [5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 2000, 5000, 10000]
    return [step for step in steps if step <= max(deepest, 5)]


def finite_data(data: Data) -> Data:
    """The same data with null for unknown numbers, because JSON has no infinity."""
    return cast(Data, finite(data))


def _wager_data(line: WagerLine) -> Data:
    return {
        "name": line.name,
        "placed": line.placed,
        "staked_cents": line.staked,
        "net_cents": line.net,
        "per": line.per,
        "ev": line.ev.value,
        "standard_error": line.ev.standard_error,
        "sd": line.ev.sd,
    }


def _start_data(line: StartLine) -> Data:
    return {
        "hand": line.hand,
        "up": line.up,
        "rounds": line.ev.trials,
        "ev": line.ev.value,
        "standard_error": line.ev.standard_error,
        "sd": line.ev.sd,
    }


def _event_data(line: EventLine) -> Data:
    return {
        "name": line.name,
        "count": line.count,
        "frequency": line.frequency.value,
        "standard_error": line.frequency.standard_error,
        "pay_per_wager": line.pay,
    }


def _meter_data(line: MeterLine) -> Data:
    return {
        "game": line.game,
        "table": line.table,
        "lines": [
            {
                "line": award.name,
                "hits": award.hits,
                "paid_cents": award.paid,
                "average_cents": award.average.value if award.hits else None,
                "standard_error_cents": award.average.standard_error,
            }
            for award in line.awards
        ],
        "resets": line.resets,
        "highest_cents": line.highest,
        "seeded_cents": line.seeded,
        "last_cents": line.last,
        "history": [{"rounds": rounds, "meter_cents": cents} for rounds, cents in line.history],
    }


# --- Tables and files ---

Row = dict[str, Cell]
Columns = dict[str, list[Cell]]
Frame = Any  # from a library that may not be installed
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
    """The tables that aren't empty for this result."""
    return [
        name
        for name in TABLES
        if (result.tally.spec.session or name not in _OF_SESSIONS)
        and (result.meters or name not in _OF_METERS)
        and (result.has_records or name != "decisions")
    ]


def table_columns(result: Figures, name: str) -> Columns:
    """One table of the result, column by column."""
    if name not in TABLES:
        raise plan_problem(
            "table", name, "there is no such table", f"Choose from {', '.join(TABLES)}."
        )
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
    """The basis of the figures, for files that contain them."""
    spec = result.tally.spec
    facts = describe(spec)
    return {
        "rules": str(facts["rules"]),
        "fingerprint": str(facts["fingerprint"]),
        "strategy": spec.strategy,
        "seed": str(spec.seed),
        "rounds": str(result.rounds),
        "version": version(),
    }


def write_csv(result: Figures, name: str, path: Path) -> None:
    write_file(path, csv_text(table_columns(result, name)))


def write_description(result: Figures, files: Mapping[str, str], path: Path) -> None:
    """Write a description of the CSV files; `files` maps tables to file names."""
    described = {file: table_columns(result, name) for name, file in files.items()}
    write_file(path, csv_description(described, facts_of(result)) + "\n")


def write_parquet(result: Figures, name: str, path: Path) -> None:
    write_file(
        path, parquet_bytes(table_columns(result, name), {**facts_of(result), "table": name})
    )


def to_arrow(result: Figures, name: str) -> Frame:
    return arrow_table(table_columns(result, name), {**facts_of(result), "table": name})


def to_pandas(result: Figures, name: str) -> Frame:
    return load_library("pandas", PARQUET_ALTERNATIVE).DataFrame(table_columns(result, name))


def to_polars(result: Figures, name: str) -> Frame:
    return load_library("polars", PARQUET_ALTERNATIVE).DataFrame(table_columns(result, name))


# --- Plots ---

WIDTH, HEIGHT = 720, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 18, 40, 44
_INK, _LINE, _BAND, _FAINT = "#1f2933", "#0b6e4f", "#b7ddcd", "#d5dbe1"
_SIGMAS = 1.96
_MAX_BARS = 61


class _Axes:
    """Maps figures to positions on the plot, and draws the frame."""

    def __init__(self, xs: Sequence[float], ys: Sequence[float], title: str) -> None:
        self.low_x, self.high_x = min(xs), max(xs)
        self.low_y, self.high_y = min(ys), max(ys)
        if self.high_x == self.low_x:
            self.high_x = self.low_x + 1
        if self.high_y == self.low_y:
            self.high_y = self.low_y + 1e-9
        self.title = title

    def x(self, value: float) -> float:
        share = (value - self.low_x) / (self.high_x - self.low_x)
        return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 2)

    def y(self, value: float) -> float:
        share = (value - self.low_y) / (self.high_y - self.low_y)
        return round(HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM), 2)

    def frame(self, under: str, ticks: Iterable[tuple[float, str]]) -> list[str]:
        bottom = HEIGHT - _BOTTOM
        below = markup_text(under)
        parts = [
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
            f'<text x="{_LEFT}" y="22" font-weight="bold">{markup_text(self.title)}</text>',
            f'<text x="{WIDTH // 2}" y="{HEIGHT - 10}" text-anchor="middle">{below}</text>',
            f'<path d="M{_LEFT} {_TOP}V{bottom}H{WIDTH - _RIGHT}" fill="none" stroke="{_INK}"/>',
        ]
        for value, text in ticks:
            y = self.y(value)
            parts.append(
                f'<path d="M{_LEFT} {y}H{WIDTH - _RIGHT}" stroke="{_FAINT}"/>'
                f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{markup_text(text)}</text>'
            )
        return parts


def _svg_page(parts: Iterable[str], label: str) -> str:
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{markup_text(label)}" '
        f'font-family="sans-serif" font-size="12" fill="{_INK}">'
    )
    return "\n".join([opening, *parts, "</svg>\n"])


def _steps(low: float, high: float, number: int = 5) -> list[float]:
    return [low + (high - low) * step / (number - 1) for step in range(number)]


def convergence_svg(result: Figures) -> str:
    """The edge as rounds were added, with its 95% interval."""
    points = result.tally.points
    title = "Expectation of the base game, per base wager"
    if not points:
        return _svg_page(_Axes([0], [0], title).frame("no finished block yet", ()), title)
    lows = [point.ev - _SIGMAS * point.standard_error for point in points]
    highs = [point.ev + _SIGMAS * point.standard_error for point in points]
    axes = _Axes([0, *(float(point.rounds) for point in points)], [*lows, *highs], title)
    ticks = [(value, f"{100 * value:.3f}%") for value in _steps(axes.low_y, axes.high_y)]
    band = [f"{axes.x(p.rounds)},{axes.y(high)}" for p, high in zip(points, highs, strict=True)]
    back = [f"{axes.x(p.rounds)},{axes.y(low)}" for p, low in zip(points, lows, strict=True)]
    line = " ".join(f"{axes.x(point.rounds)},{axes.y(point.ev)}" for point in points)
    parts = axes.frame(f"rounds, up to {points[-1].rounds:,}", ticks)
    parts.append(f'<polygon points="{" ".join(band + back[::-1])}" fill="{_BAND}"/>')
    parts.append(f'<polyline points="{line}" fill="none" stroke="{_LINE}" stroke-width="2"/>')
    return _svg_page(parts, title)


def distribution_svg(result: Figures) -> str:
    """How often each result of the base game occurs."""
    title = "Results of the base game, in base wagers"
    total = sum(count for _, count in result.histogram) or 1
    bars = [(value, count / total) for value, count in result.histogram]
    if len(bars) > _MAX_BARS:  # the rarest are too small to see
        bars = sorted(sorted(bars, key=lambda bar: -bar[1])[:_MAX_BARS])
    return _bars(title, "base wagers won or lost", bars)


def sessions_svg(result: Figures) -> str:
    """Histogram of session results."""
    sessions = result.tally.sessions
    title = f"Result of a session of {result.tally.spec.session:,} rounds, in base wagers"
    total = sessions.sessions or 1
    found = sorted(sessions.results.items())
    width = max(1, -(-(found[-1][0] - found[0][0] + 1) // _MAX_BARS)) if found else 1
    gathered: dict[int, float] = {}
    for value, times in found:
        place = value // width * width
        gathered[place] = gathered.get(place, 0) + times / total
    return _bars(title, "base wagers won or lost", [(float(v), s) for v, s in gathered.items()])


def _bars(title: str, under: str, bars: Sequence[tuple[float, float]]) -> str:
    if not bars:
        return _svg_page(_Axes([0], [0], title).frame("nothing yet", ()), title)
    values = [value for value, _ in bars]
    gaps = [right - left for left, right in pairwise(values)]
    gap = min(gaps, default=1.0)
    axes = _Axes(
        [values[0] - gap / 2, values[-1] + gap / 2], [0.0, max(share for _, share in bars)], title
    )
    ticks = [(share, f"{100 * share:.1f}%") for share in _steps(0.0, axes.high_y)]
    parts = axes.frame(under, ticks)
    width = max(1.0, axes.x(values[0] + gap) - axes.x(values[0]) - 1)
    for value, share in bars:
        top, left = axes.y(share), axes.x(value) - width / 2
        height = round(HEIGHT - _BOTTOM - top, 2)
        parts.append(
            f'<rect x="{left:.2f}" y="{top}" width="{width:.2f}" height="{height}" fill="{_LINE}">'
            f"<title>{value:g}: {100 * share:.4f}%</title></rect>"
        )
    for value in (values[0], 0.0, values[-1]):
        if axes.low_x <= value <= axes.high_x:
            parts.append(
                f'<text x="{axes.x(value)}" y="{HEIGHT - _BOTTOM + 16}" '
                f'text-anchor="middle">{value:+g}</text>'
            )
    return _svg_page(parts, title)


def meter_svg(result: Figures, game: int) -> str:
    """The meter of a jackpot game, block by block."""
    title = f"Meter of jackpot {game}, in dollars"
    points = [(point[0], point[game] / 100) for point in result.tally.meters.points]
    if not points:
        return _svg_page(_Axes([0], [0], title).frame("no finished block yet", ()), title)
    axes = _Axes([0, *(x for x, _ in points)], [0.0, *(y for _, y in points)], title)
    ticks = [(value, f"{value:,.0f}") for value in _steps(axes.low_y, axes.high_y)]
    line = " ".join(f"{axes.x(x)},{axes.y(y)}" for x, y in points)
    parts = axes.frame(f"rounds, up to {points[-1][0]:,}", ticks)
    parts.append(f'<polyline points="{line}" fill="none" stroke="{_LINE}" stroke-width="2"/>')
    return _svg_page(parts, title)


_PALETTE = ("#0b6e4f", "#b4541a", "#3b5fa4", "#8a3f8f", "#5f6b2d", "#a02c44")


def curves_svg(
    title: str, under: str, curves: Mapping[str, Sequence[tuple[float, float]]], form: str
) -> str:
    """Several curves with their names; `form` formats figures on the vertical axis."""
    points = [point for curve in curves.values() for point in curve]
    if not points:
        return _svg_page(_Axes([0], [0], title).frame("nothing yet", ()), title)
    axes = _Axes([x for x, _ in points], [0.0, *(y for _, y in points)], title)
    ticks = [(value, form.format(value)) for value in _steps(axes.low_y, axes.high_y)]
    parts = axes.frame(f"{under}, {axes.low_x:g} to {axes.high_x:g}", ticks)
    for place, (name, curve) in enumerate(curves.items()):
        color = _PALETTE[place % len(_PALETTE)]
        line = " ".join(f"{axes.x(x)},{axes.y(y)}" for x, y in curve)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{axes.x(x)}" cy="{axes.y(y)}" r="2.5" fill="{color}"/>'
                  for x, y in curve]  # fmt: skip
        parts.append(
            f'<text x="{_LEFT + 8}" y="{_TOP + 12 + 15 * place}" fill="{color}">'
            f"{markup_text(name)}</text>"
        )
    return _svg_page(parts, title)


# --- The result ---


@dataclass(frozen=True, repr=False)
class Result(Figures):
    """The result of a finished or stopped simulation."""

    def as_data(self) -> Data:
        """Plain data for JSON. Every figure has its standard error."""
        return data_of(self)

    @property
    def tables(self) -> tuple[str, ...]:
        """Table names accepted by `table`, `to_pandas`, `to_polars` and `to_arrow`."""
        return tuple(tables_of(self))

    def table(self, name: str) -> Columns:
        """One of `TABLES`, column by column."""
        return table_columns(self, name)

    def to_arrow(self, name: str = "wagers") -> Frame:
        """The table in Arrow format (extra `data`)."""
        return to_arrow(self, name)

    def to_pandas(self, name: str = "wagers") -> Frame:
        """The table as a pandas data frame (extra `data`)."""
        return to_pandas(self, name)

    def to_polars(self, name: str = "wagers") -> Frame:
        """The table as a Polars data frame (extra `data`)."""
        return to_polars(self, name)

    def __repr__(self) -> str:
        facts = describe(self.tally.spec)
        edge = f"{100 * self.house_edge:.4f}% ± {100 * self.ev.standard_error:.4f}%"
        return (
            f"<{type(self).__name__}: {facts['rules']}, strategy {facts['strategy']}, "
            f"{self.rounds:,} rounds, house edge {edge}>"
        )

    def _repr_html_(self) -> str:
        rows = [
            (line.name, f"{line.placed:,}", f"{100 * line.ev.value:+.4f}%",
             f"{100 * line.ev.standard_error:.4f}%", line.per)
            for line in self.wagers
        ]  # fmt: skip
        facts = describe(self.tally.spec)
        caption = (
            f"{facts['rules']} ({facts['fingerprint']}), strategy {facts['strategy']}: "
            f"{self.rounds:,} rounds, seed {self.tally.spec.seed}"
        )
        table = html_table(caption, ("wager", "placed", "ev", "standard error", "per"), rows)
        return table + distribution_svg(self)
