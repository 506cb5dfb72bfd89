"""Counts drawn as SVG: expectation by count, counts and penetrations beside each other."""

from __future__ import annotations

from collections.abc import Iterable

from ventiuna.counting.comparing import Compared
from ventiuna.counting.study import CountStudy
from ventiuna.simulation.plots import curves_svg

_RARE = 1e-4  # rounds at counts met less often tell little


def by_count_svg(study: CountStudy) -> str:
    """Expectation per unit bet, with the interval of 95 per cent as two thin lines."""
    known = [at for at in study.simulated if at.frequency >= _RARE]
    curves = {
        "expectation": [(float(at.count), 100 * at.ev) for at in known],
        "95 % from": [(float(at.count), 100 * (at.ev - 1.96 * at.ev_error)) for at in known],
        "95 % to": [(float(at.count), 100 * (at.ev + 1.96 * at.ev_error)) for at in known],
    }
    return curves_svg(f"Expectation by count, {study.count.name}", "count", curves, "{:+.1f} %")


def compared_svg(compared: Iterable[Compared]) -> str:
    """SCORE by penetration, a line for each count."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for one in compared:
        curves.setdefault(one.count, []).append((float(one.penetration), one.ramp.c_score))
    return curves_svg("SCORE by penetration", "per cent of the shoe dealt", curves, "{:.1f}")
