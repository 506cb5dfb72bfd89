"""Convergence, distribution and meters as SVG: a few lines and bars, so no plotting library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from ventiuna.simulation.figures import Figures
from ventiuna.texts import markup_text

WIDTH, HEIGHT = 720, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 18, 40, 44
_INK, _LINE, _BAND, _FAINT = "#1f2933", "#0b6e4f", "#b7ddcd", "#d5dbe1"
_SIGMAS = 1.96
_MOST_BARS = 61


class _Axes:
    """Maps figures to places on the sheet, and draws the frame."""

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


def _sheet(parts: Iterable[str], label: str) -> str:
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{markup_text(label)}" '
        f'font-family="sans-serif" font-size="12" fill="{_INK}">'
    )
    return "\n".join([opening, *parts, "</svg>\n"])


def _steps(low: float, high: float, number: int = 5) -> list[float]:
    return [low + (high - low) * step / (number - 1) for step in range(number)]


def convergence_svg(result: Figures) -> str:
    """The edge as rounds went on, with its interval of 95 per cent."""
    points = result.tally.points
    title = "Expectation of the base game, per base wager"
    if not points:
        return _sheet(_Axes([0], [0], title).frame("no whole block yet", ()), title)
    lows = [point.ev - _SIGMAS * point.standard_error for point in points]
    highs = [point.ev + _SIGMAS * point.standard_error for point in points]
    axes = _Axes([0, *(float(point.rounds) for point in points)], [*lows, *highs], title)
    ticks = [(value, f"{100 * value:.3f} %") for value in _steps(axes.low_y, axes.high_y)]
    band = [f"{axes.x(p.rounds)},{axes.y(high)}" for p, high in zip(points, highs, strict=True)]
    back = [f"{axes.x(p.rounds)},{axes.y(low)}" for p, low in zip(points, lows, strict=True)]
    line = " ".join(f"{axes.x(point.rounds)},{axes.y(point.ev)}" for point in points)
    parts = axes.frame(f"rounds, to {points[-1].rounds:,}", ticks)
    parts.append(f'<polygon points="{" ".join(band + back[::-1])}" fill="{_BAND}"/>')
    parts.append(f'<polyline points="{line}" fill="none" stroke="{_LINE}" stroke-width="2"/>')
    return _sheet(parts, title)


def distribution_svg(result: Figures) -> str:
    """How often each result of the base game comes."""
    title = "Results of the base game, in base wagers"
    total = sum(count for _, count in result.histogram) or 1
    bars = [(value, count / total) for value, count in result.histogram]
    if len(bars) > _MOST_BARS:  # the rarest are too small to see
        bars = sorted(sorted(bars, key=lambda bar: -bar[1])[:_MOST_BARS])
    return _bars(title, "base wagers won or lost", bars)


def sessions_svg(result: Figures) -> str:
    """How sessions ended."""
    sessions = result.tally.sessions
    title = f"Result of a session of {result.tally.work.session:,} rounds, in base wagers"
    total = sessions.sessions or 1
    found = sorted(sessions.results.items())
    width = max(1, -(-(found[-1][0] - found[0][0] + 1) // _MOST_BARS)) if found else 1
    gathered: dict[int, float] = {}
    for value, times in found:
        place = value // width * width
        gathered[place] = gathered.get(place, 0) + times / total
    return _bars(title, "base wagers won or lost", [(float(v), s) for v, s in gathered.items()])


def _bars(title: str, under: str, bars: Sequence[tuple[float, float]]) -> str:
    if not bars:
        return _sheet(_Axes([0], [0], title).frame("nothing yet", ()), title)
    values = [value for value, _ in bars]
    gaps = [right - left for left, right in pairwise(values)]
    gap = min(gaps, default=1.0)
    axes = _Axes(
        [values[0] - gap / 2, values[-1] + gap / 2], [0.0, max(share for _, share in bars)], title
    )
    ticks = [(share, f"{100 * share:.1f} %") for share in _steps(0.0, axes.high_y)]
    parts = axes.frame(under, ticks)
    width = max(1.0, axes.x(values[0] + gap) - axes.x(values[0]) - 1)
    for value, share in bars:
        top, left = axes.y(share), axes.x(value) - width / 2
        height = round(HEIGHT - _BOTTOM - top, 2)
        parts.append(
            f'<rect x="{left:.2f}" y="{top}" width="{width:.2f}" height="{height}" fill="{_LINE}">'
            f"<title>{value:g}: {100 * share:.4f} %</title></rect>"
        )
    for value in (values[0], 0.0, values[-1]):
        if axes.low_x <= value <= axes.high_x:
            parts.append(
                f'<text x="{axes.x(value)}" y="{HEIGHT - _BOTTOM + 16}" '
                f'text-anchor="middle">{value:+g}</text>'
            )
    return _sheet(parts, title)


def meter_svg(result: Figures, game: int) -> str:
    """What the meter of a jackpot game showed, block after block."""
    title = f"Meter of jackpot {game}, in dollars"
    points = [(point[0], point[game] / 100) for point in result.tally.meters.points]
    if not points:
        return _sheet(_Axes([0], [0], title).frame("no whole block yet", ()), title)
    axes = _Axes([0, *(x for x, _ in points)], [0.0, *(y for _, y in points)], title)
    ticks = [(value, f"{value:,.0f}") for value in _steps(axes.low_y, axes.high_y)]
    line = " ".join(f"{axes.x(x)},{axes.y(y)}" for x, y in points)
    parts = axes.frame(f"rounds, to {points[-1][0]:,}", ticks)
    parts.append(f'<polyline points="{line}" fill="none" stroke="{_LINE}" stroke-width="2"/>')
    return _sheet(parts, title)


_PALETTE = ("#0b6e4f", "#b4541a", "#3b5fa4", "#8a3f8f", "#5f6b2d", "#a02c44")


def curves_svg(
    title: str, under: str, curves: Mapping[str, Sequence[tuple[float, float]]], form: str
) -> str:
    """Several curves with their names; `form` writes a figure of the upright axis."""
    points = [point for curve in curves.values() for point in curve]
    if not points:
        return _sheet(_Axes([0], [0], title).frame("nothing yet", ()), title)
    axes = _Axes([x for x, _ in points], [0.0, *(y for _, y in points)], title)
    ticks = [(value, form.format(value)) for value in _steps(axes.low_y, axes.high_y)]
    parts = axes.frame(f"{under}, {axes.low_x:g} to {axes.high_x:g}", ticks)
    for place, (name, curve) in enumerate(curves.items()):
        colour = _PALETTE[place % len(_PALETTE)]
        line = " ".join(f"{axes.x(x)},{axes.y(y)}" for x, y in curve)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{axes.x(x)}" cy="{axes.y(y)}" r="2.5" fill="{colour}"/>'
                  for x, y in curve]  # fmt: skip
        parts.append(
            f'<text x="{_LEFT + 8}" y="{_TOP + 12 + 15 * place}" fill="{colour}">'
            f"{markup_text(name)}</text>"
        )
    return _sheet(parts, title)
