"""Time to import the bare package in fresh interpreters."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks.figures import Figure
from benchmarks.processes import seconds

PROGRAMS = {
    "import ventiuna": ("import ventiuna", "< 0.15"),
    "import ventiuna.engine": ("import ventiuna.engine", ""),
    "a round and rules": ("from ventiuna import RoundState, load_rules", ""),
    "a preset loaded": ("from ventiuna.rules import load_rules; load_rules('wsgc-2021')", ""),
}


def measure(quick: bool) -> Iterator[Figure]:
    times = 3 if quick else 11
    for name, (program, aim) in PROGRAMS.items():
        yield Figure(name, median(seconds(program) for _ in range(times)), "s", aim)
