"""What a program waits for when it imports the bare package, in fresh interpreters."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from statistics import median

from benchmarks.figures import Figure

PROGRAMS = {
    "import ventiuna": ("import ventiuna", "< 0.15"),
    "import ventiuna.engine": ("import ventiuna.engine", ""),
    "a preset loaded": ("from ventiuna.rules import load_rules; load_rules('wsgc-2021')", ""),
}


def measure(quick: bool) -> Iterator[Figure]:
    times = 3 if quick else 11
    for name, (program, aim) in PROGRAMS.items():
        yield Figure(name, median(seconds(program) for _ in range(times)), "s", aim)


def seconds(program: str) -> float:
    """Inside the interpreter, so its own start is not counted."""
    timed = (
        f"import time; start = time.perf_counter(); {program}; print(time.perf_counter() - start)"
    )
    done = subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True)
    return float(done.stdout)
