"""The result of a simulation: its figures as data, tables, files and plots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from ventiuna.analysis.results import Column, html_table
from ventiuna.files import PARQUET_ALTERNATIVE, Cell, arrow_table
from ventiuna.kernels.simulate import layout as at
from ventiuna.package import load_library, version
from ventiuna.simulation.blocks import Point
from ventiuna.simulation.figures import AwardLine, DecisionLine, Figures, MeterLine
from ventiuna.simulation.spec import describe
from ventiuna.simulation.statistics import Estimate
from ventiuna.strategy.errors import plan_problem
from ventiuna.texts import finite, markup_text

# --- Tables ---

Data = dict[str, Any]  # JSON values by name
Columns = dict[str, list[Cell]]
Frame = Any  # from a library that may not be installed
PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
_BANKROLLS = (5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 2000, 5000, 10000)


@dataclass(frozen=True)
class Table:
    """A table of a result, as columns for data frames and files, or as records for JSON."""

    rows: Callable[[Figures], Iterable[object]]
    columns: tuple[Column, ...]
    needed: str = ""  # the result has this table only if this attribute isn't empty

    def data(self, result: Figures) -> Columns:
        rows = list(self.rows(result))
        return {column.name: [column.cell(row) for row in rows] for column in self.columns if rows}

    def records(self, result: Figures) -> list[Data]:
        return [_record(self.columns, row) for row in self.rows(result)]


def _record(columns: Iterable[Column], row: object) -> Data:
    return {column.json or column.name: column.cell(row) for column in columns}


def _column(name: str, path: str = "", json: str = "") -> Column:
    """A column that isn't printed; `path` is the attribute with its value, if named differently."""
    return Column(None, None, attrgetter(path or name), name, json)


class Times(NamedTuple):
    """A value and how often it occurred."""

    value: float
    times: int


class _Award(NamedTuple):
    meter: MeterLine
    award: AwardLine

    @property
    def average(self) -> float | None:
        return self.award.average.value if self.award.hits else None

    @property
    def error(self) -> float | None:
        return self.award.average.standard_error if self.award.hits > 1 else None


class _MeterPoint(NamedTuple):
    game: int
    rounds: int
    cents: int


def _times(counted: Iterable[tuple[float, int]]) -> list[Times]:
    return [Times(*pair) for pair in counted]


def _session_table(name: str, values: str) -> Table:
    return Table(
        lambda result: _times(sorted(getattr(result.tally.sessions, values).items())),
        (_column(name, "value"), _column("sessions", "times")),
        "tally.spec.session",
    )


def _estimate(path: str) -> tuple[Column, ...]:
    return (
        _column("ev", f"{path}.value"),
        _column("standard_error", f"{path}.standard_error"),
        _column("sd", f"{path}.sd"),
    )


_EV = _estimate("ev")
_AWARD = (
    _column("line", "award.name"),
    _column("hits", "award.hits"),
    _column("paid_cents", "award.paid"),
    _column("average_cents", "average"),
    _column("standard_error", "error", "standard_error_cents"),
)
_METER = (
    _column("resets", "meter.resets"),
    _column("highest_cents", "meter.highest"),
    _column("seeded_cents", "meter.seeded"),
    _column("last_cents", "meter.last"),
)
TABLES = {
    "wagers": Table(
        lambda result: result.wagers,
        (
            _column("wager", "name", "name"),
            _column("placed"),
            _column("staked_cents", "staked"),
            _column("net_cents", "net"),
            _column("per"),
            *_EV,
        ),
    ),
    "events": Table(
        lambda result: (*result.events, *result.dealer),
        (
            _column("event", "name", "name"),
            _column("count"),
            _column("frequency", "frequency.value"),
            _column("standard_error", "frequency.standard_error"),
            _column("pay", "pay", "pay_per_wager"),
        ),
    ),
    "starts": Table(
        lambda result: result.starts,
        (_column("hand"), _column("up"), _column("rounds", "ev.trials"), *_EV),
    ),
    "decisions": Table(
        lambda result: result.decisions,
        tuple(_column(field.name) for field in fields(DecisionLine)),
        "has_records",
    ),
    "histogram": Table(
        lambda result: _times(result.histogram),
        (_column("result", "value", "result_wagers"), _column("count", "times")),
    ),
    "convergence": Table(
        lambda result: result.tally.points, tuple(_column(field.name) for field in fields(Point))
    ),
    "sessions": _session_table("result", "results"),
    "session_lows": _session_table("lowest", "lowest"),
    "losing_runs": _session_table("longest", "losing"),
    "meters": Table(
        lambda result: [_Award(meter, award) for meter in result.meters for award in meter.awards],
        (_column("jackpot", "meter.game"), _column("table", "meter.table"), *_AWARD, *_METER),
        "meters",
    ),
    "meter_history": Table(
        lambda result: [
            _MeterPoint(meter.game, *point) for meter in result.meters for point in meter.history
        ],
        (_column("jackpot", "game"), _column("rounds"), _column("meter_cents", "cents")),
        "meters",
    ),
}
_BY_COUNT = Table(
    lambda result: result.by_count,
    (
        _column("at_count", "count"),
        _column("rounds"),
        *_estimate("result"),
    ),
)


# --- Plain data ---


def _with_errors(**estimates: Estimate) -> Data:
    data: Data = {}
    for name, found in estimates.items():
        data |= {name: found.value, f"{name}_standard_error": found.standard_error}
    return data


def session_data(result: Figures) -> Data | None:
    sessions = result.tally.sessions
    if not sessions.sessions:
        return None
    mean = result.session_mean
    deepest = max(-min(sessions.lowest, default=0), 5)
    quantiles = {percent: result.session_quantile(percent / 100) for percent in PERCENTILES}
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
                "result_wagers": found.value,
                "standard_error_wagers": found.standard_error,
            }
            for percent, found in quantiles.items()
        ],
        "ruin": [ruin_data(result, wagers) for wagers in _BANKROLLS if wagers <= deepest],
        **_with_errors(mean_longest_losing_run=result.longest_losing_run),
        "longest_losing_run": sorted(sessions.losing.items()),
    }


def ruin_data(result: Figures, wagers: int) -> Data:
    estimate = result.ruin(wagers)
    return {
        "bankroll_wagers": wagers,
        "probability": estimate.value,
        "standard_error": estimate.standard_error,
    }


def finite_data(data: Data) -> Data:
    """The same data with null for unknown numbers, because JSON has no infinity."""
    return cast(Data, finite(data))


def _meter_data(meter: MeterLine) -> Data:
    return {
        "game": meter.game,
        "table": meter.table,
        "lines": [_record(_AWARD, _Award(meter, award)) for award in meter.awards],
        **_record(_METER, SimpleNamespace(meter=meter)),
        "history": [{"rounds": rounds, "meter_cents": cents} for rounds, cents in meter.history],
    }


def facts_of(result: Figures) -> dict[str, str]:
    """The basis of the figures, for files that contain them."""
    spec = result.tally.spec
    facts = {name: describe(spec)[name] for name in ("rules", "fingerprint", "strategy")}
    return {**facts, "seed": str(spec.seed), "rounds": str(result.rounds), "version": version()}


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
        spec, tally = self.tally.spec, self.tally
        data = {
            **describe(spec),
            "rounds": self.rounds,
            "spots": self.spots,
            "seed": spec.seed,
            "ev": self.ev.value,
            "standard_error": self.ev.standard_error,
            "standard_error_by_blocks": self.block_error,
            "sd": self.ev.sd,
            "sd_standard_error": self.sd_error,
            "house_edge": self.house_edge,
            **_with_errors(
                element_of_risk=self.element_of_risk,
                average_base_wager=self.average_bet,
                average_stake=self.stake,
            ),
            "total_ev": self.total.value,
            "total_standard_error": self.total.standard_error,
            "total_sd": self.total.sd,
            **_with_errors(n0=self.n_zero, total_n0=self.total_n_zero),
            "complete": self.complete,
            "base_wager_cents": spec.bases[0],
            "digest": spec.digest,
            "blocks": tally.blocks,
            "void_rounds": tally.counters[at.VOID],
            "shuffles": tally.counters[at.SHUFFLES],
            "cards_dealt": tally.counters[at.CARDS_DEALT],
            "wagers": TABLES["wagers"].records(self),
            "events": TABLES["events"].records(self),
            "histogram": TABLES["histogram"].records(self),
            "by_count": _BY_COUNT.records(self),
            "covariance": self.covariance,
            "covariance_standard_error": self.covariance_error,
            "meters": [_meter_data(meter) for meter in self.meters],
            "sessions": session_data(self),
            "convergence": TABLES["convergence"].records(self),
            "starts": TABLES["starts"].records(self),
            "decisions": TABLES["decisions"].records(self) if self.has_records else None,
        }
        return finite_data(data)

    @property
    def tables(self) -> tuple[str, ...]:
        """Table names accepted by `table`, `to_pandas`, `to_polars` and `to_arrow`."""
        return tuple(
            name
            for name, table in TABLES.items()
            if not table.needed or attrgetter(table.needed)(self)
        )

    def table(self, name: str) -> Columns:
        """One of `TABLES`, column by column."""
        if name not in TABLES:
            raise plan_problem(
                "table", name, "there is no such table", f"Choose from {', '.join(TABLES)}."
            )
        return TABLES[name].data(self)

    def to_arrow(self, name: str = "wagers") -> Frame:
        """The table in Arrow format (extra `data`)."""
        return arrow_table(self.table(name), {**facts_of(self), "table": name})

    def to_pandas(self, name: str = "wagers") -> Frame:
        """The table as a pandas data frame (extra `data`)."""
        return load_library("pandas", PARQUET_ALTERNATIVE).DataFrame(self.table(name))

    def to_polars(self, name: str = "wagers") -> Frame:
        """The table as a Polars data frame (extra `data`)."""
        return load_library("polars", PARQUET_ALTERNATIVE).DataFrame(self.table(name))

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
