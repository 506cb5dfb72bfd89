"""The result of a simulation: its figures as data, tables, files and plots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import Annotated, Any, NamedTuple, cast

from typing_extensions import TypedDict

from ventiuna.analysis.results import data_of, html_table
from ventiuna.files import PARQUET_ALTERNATIVE, Cell, arrow_table
from ventiuna.kernels.simulate import layout as at
from ventiuna.package import load_library, version
from ventiuna.simulation.figures import AwardLine, DecisionLine, Figures, MeterLine
from ventiuna.simulation.spec import Assumptions, describe
from ventiuna.strategy.protocol import plan_problem
from ventiuna.texts import finite, markup_text

# --- Tables ---

Data = dict[str, Any]  # JSON values by name
Columns = dict[str, list[Cell]]
Number = float | None  # None in JSON if it is infinite or unknown
Frame = Any  # a type from a library that may not be installed
PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
_BANKROLLS = (5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 2000, 5000, 10000)


@dataclass(frozen=True)
class Table:
    """A table of a result, as columns for data frames and files, or as records for JSON."""

    rows: Callable[[Figures], Iterable[object]]
    kind: type  # type of its records
    names: Mapping[str, str] = field(default_factory=dict)  # JSON names of columns
    needed: str = ""  # the result includes this table only if this attribute isn't empty

    def data(self, result: Figures) -> Columns:
        records = self.records(result)
        names = records[0] if records else ()
        return {self.names.get(name, name): [record[name] for record in records] for name in names}

    def records(self, result: Figures) -> list[Any]:
        return [data_of(self.kind, row) for row in self.rows(result)]


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


def _times(counted: Iterable[tuple[float, int]]) -> list[Times]:
    return [Times(*pair) for pair in counted]


def _session_table(name: str, values: str) -> Table:
    return Table(
        lambda result: _times(sorted(getattr(result.tally.sessions, values).items())),
        Times,
        {"value": name, "times": "sessions"},
        "tally.spec.session",
    )


class SimulatedWager(TypedDict):
    name: str
    placed: int
    staked_cents: Annotated[int, attrgetter("staked")]
    net_cents: Annotated[int, attrgetter("net")]
    per: str
    ev: Annotated[float, attrgetter("ev.value")]
    standard_error: Annotated[Number, attrgetter("ev.standard_error")]
    sd: Annotated[float, attrgetter("ev.sd")]


class SimulatedEvent(TypedDict):
    name: str
    count: int
    frequency: Annotated[float, attrgetter("frequency.value")]
    standard_error: Annotated[Number, attrgetter("frequency.standard_error")]
    pay_per_wager: Annotated[float | None, attrgetter("pay")]


class SimulatedStart(TypedDict):
    hand: str
    up: str
    rounds: Annotated[int, attrgetter("ev.trials")]
    ev: Annotated[float, attrgetter("ev.value")]
    standard_error: Annotated[Number, attrgetter("ev.standard_error")]
    sd: Annotated[float, attrgetter("ev.sd")]


class HistogramBar(TypedDict):
    result_wagers: Annotated[float, attrgetter("value")]
    count: Annotated[int, attrgetter("times")]


class EdgePoint(TypedDict):
    """The edge so far, for the convergence plot."""

    rounds: int
    ev: float
    standard_error: Number


class ResultAtCount(TypedDict):
    at_count: Annotated[int, attrgetter("count")]
    rounds: int
    ev: Annotated[float, attrgetter("result.value")]
    standard_error: Annotated[Number, attrgetter("result.standard_error")]
    sd: Annotated[float, attrgetter("result.sd")]


class MeterPoint(TypedDict):
    rounds: Annotated[int, itemgetter(-2)]
    meter_cents: Annotated[int, itemgetter(-1)]


class SimulatedAward(TypedDict):
    line: Annotated[str, attrgetter("award.name")]
    hits: Annotated[int, attrgetter("award.hits")]
    paid_cents: Annotated[int, attrgetter("award.paid")]
    average_cents: Annotated[float | None, attrgetter("average")]
    standard_error_cents: Annotated[float | None, attrgetter("error")]


class SimulatedMeter(TypedDict):
    game: int
    table: str
    lines: Annotated[
        list[SimulatedAward], lambda meter: [_Award(meter, award) for award in meter.awards]
    ]
    resets: int
    highest_cents: Annotated[int, attrgetter("highest")]
    seeded_cents: Annotated[int, attrgetter("seeded")]
    last_cents: Annotated[int, attrgetter("last")]
    history: list[MeterPoint]


class _NamedMeter(TypedDict):
    jackpot: Annotated[int, attrgetter("meter.game")]
    table: Annotated[str, attrgetter("meter.table")]


class _MeterTotals(TypedDict):
    resets: Annotated[int, attrgetter("meter.resets")]
    highest_cents: Annotated[int, attrgetter("meter.highest")]
    seeded_cents: Annotated[int, attrgetter("meter.seeded")]
    last_cents: Annotated[int, attrgetter("meter.last")]


class _AwardRow(_NamedMeter, SimulatedAward, _MeterTotals):
    pass


class _JackpotNumber(TypedDict):
    jackpot: Annotated[int, itemgetter(0)]


class _MeterPointRow(_JackpotNumber, MeterPoint):
    pass


TABLES = {
    "wagers": Table(lambda result: result.wagers, SimulatedWager, {"name": "wager"}),
    "events": Table(
        lambda result: (*result.events, *result.dealer),
        SimulatedEvent,
        {"name": "event", "pay_per_wager": "pay"},
    ),
    "starts": Table(lambda result: result.starts, SimulatedStart),
    "decisions": Table(lambda result: result.decisions, DecisionLine, needed="has_records"),
    "histogram": Table(
        lambda result: _times(result.histogram), HistogramBar, {"result_wagers": "result"}
    ),
    "convergence": Table(lambda result: result.tally.points, EdgePoint),
    "sessions": _session_table("result", "results"),
    "session_lows": _session_table("lowest", "lowest"),
    "losing_runs": _session_table("longest", "losing"),
    "meters": Table(
        lambda result: [_Award(meter, award) for meter in result.meters for award in meter.awards],
        _AwardRow,
        {"standard_error_cents": "standard_error"},
        "meters",
    ),
    "meter_history": Table(
        lambda result: [(meter.game, *point) for meter in result.meters for point in meter.history],
        _MeterPointRow,
        needed="meters",
    ),
}


# --- Plain data ---


class Percentile(TypedDict):
    percent: int
    result_wagers: float
    standard_error_wagers: Number


class RuinData(TypedDict):
    bankroll_wagers: int
    probability: float
    standard_error: Number


class SessionsData(TypedDict):
    length: int
    sessions: int
    mean_wagers: float
    standard_error_wagers: Number
    sd_wagers: float
    results: list[tuple[int, int]]
    percentiles: list[Percentile]
    ruin: list[RuinData]
    mean_longest_losing_run: float
    mean_longest_losing_run_standard_error: Number
    longest_losing_run: list[tuple[int, int]]


def session_data(result: Figures) -> SessionsData | None:
    sessions = result.tally.sessions
    if not sessions.sessions:
        return None
    mean, longest = result.session_mean, result.longest_losing_run
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
        "mean_longest_losing_run": longest.value,
        "mean_longest_losing_run_standard_error": longest.standard_error,
        "longest_losing_run": sorted(sessions.losing.items()),
    }


def ruin_data(result: Figures, wagers: int) -> RuinData:
    estimate = result.ruin(wagers)
    return {
        "bankroll_wagers": wagers,
        "probability": estimate.value,
        "standard_error": estimate.standard_error,
    }


class PlottedData(TypedDict):
    """The figures that can be plotted while a simulation is running."""

    house_edge: float
    sd: Annotated[float, attrgetter("ev.sd")]
    histogram: Annotated[list[HistogramBar], TABLES["histogram"].rows]
    sessions: Annotated[SessionsData | None, session_data]
    convergence: Annotated[list[EdgePoint], attrgetter("tally.points")]


class ProgressData(TypedDict):
    rounds: int
    target: int
    seconds: float
    rate: float
    ev: Annotated[float, attrgetter("result.ev.value")]
    standard_error: Annotated[Number, attrgetter("result.ev.standard_error")]


class PlottedProgress(ProgressData):
    so_far: Annotated[PlottedData, attrgetter("result")]


class FiguresData(TypedDict):
    """Every figure with its standard error."""

    rounds: int
    spots: int
    seed: Annotated[int, attrgetter("tally.spec.seed")]
    ev: Annotated[float, attrgetter("ev.value")]
    standard_error: Annotated[Number, attrgetter("ev.standard_error")]
    standard_error_by_blocks: Annotated[Number, attrgetter("block_error")]
    sd: Annotated[float, attrgetter("ev.sd")]
    sd_standard_error: Annotated[Number, attrgetter("sd_error")]
    house_edge: float
    element_of_risk: Annotated[float, attrgetter("element_of_risk.value")]
    element_of_risk_standard_error: Annotated[Number, attrgetter("element_of_risk.standard_error")]
    average_base_wager: Annotated[float, attrgetter("average_bet.value")]
    average_base_wager_standard_error: Annotated[Number, attrgetter("average_bet.standard_error")]
    average_stake: Annotated[float, attrgetter("stake.value")]
    average_stake_standard_error: Annotated[Number, attrgetter("stake.standard_error")]
    total_ev: Annotated[float, attrgetter("total.value")]
    total_standard_error: Annotated[Number, attrgetter("total.standard_error")]
    total_sd: Annotated[float, attrgetter("total.sd")]
    n0: Annotated[Number, attrgetter("n_zero.value")]
    n0_standard_error: Annotated[Number, attrgetter("n_zero.standard_error")]
    total_n0: Annotated[Number, attrgetter("total_n_zero.value")]
    total_n0_standard_error: Annotated[Number, attrgetter("total_n_zero.standard_error")]
    complete: bool
    base_wager_cents: Annotated[int, lambda result: result.tally.spec.bases[0]]
    digest: Annotated[str, attrgetter("tally.spec.digest")]
    blocks: Annotated[int, attrgetter("tally.blocks")]
    void_rounds: Annotated[int, lambda result: result.tally.counters[at.VOID]]
    shuffles: Annotated[int, lambda result: result.tally.counters[at.SHUFFLES]]
    cards_dealt: Annotated[int, lambda result: result.tally.counters[at.CARDS_DEALT]]
    wagers: list[SimulatedWager]
    events: Annotated[list[SimulatedEvent], TABLES["events"].rows]
    histogram: Annotated[list[HistogramBar], TABLES["histogram"].rows]
    by_count: list[ResultAtCount]
    covariance: list[list[float]]
    covariance_standard_error: Annotated[Number, attrgetter("covariance_error")]
    meters: list[SimulatedMeter]
    sessions: Annotated[SessionsData | None, session_data]
    convergence: Annotated[list[EdgePoint], attrgetter("tally.points")]


class _Details(TypedDict):
    starts: list[SimulatedStart]
    decisions: Annotated[
        list[DecisionLine] | None, lambda result: result.decisions if result.has_records else None
    ]


class SimulationData(Assumptions, FiguresData):
    """A finished simulation on the server."""

    workers: str
    command: str


def finite_data(data: Data) -> Data:
    """The same data with null for unknown numbers, because JSON has no infinity."""
    return cast(Data, finite(data))


def facts_of(result: Figures) -> dict[str, str]:
    """The basis of the figures, for files that contain them."""
    spec = result.tally.spec
    facts = describe(spec)
    return {
        "rules": facts["rules"],
        "fingerprint": facts["fingerprint"],
        "strategy": facts["strategy"],
        "seed": str(spec.seed),
        "rounds": str(result.rounds),
        "version": version(),
    }


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
        figures, details = data_of(FiguresData, self), data_of(_Details, self)
        return finite_data({**describe(self.tally.spec), **figures, **details})

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
