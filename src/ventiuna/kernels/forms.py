"""Compiled forms by name: what a job needs, and how long it takes to compile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

# Parts of the program, as people read them.
ANALYSER = "analyser"
REOPTIMISED = "re-optimised split hands"
DEVIATION = "standard deviation"
SIMULATOR = "simulator"
ENVIRONMENTS = "environments"
PARTS = (ANALYSER, REOPTIMISED, DEVIATION, SIMULATOR, ENVIRONMENTS)


@dataclass(frozen=True)
class Form:
    """One form of one kernel."""

    part: str
    name: str
    seconds: float  # to compile it, about
    is_ready: Callable[[], bool]  # in this process or on disk?
    prepare: Callable[[], None]
