"""A measured figure, and the machine on which it was measured."""

from __future__ import annotations

import json
import os
import platform
import sys
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Figure:
    name: str
    value: float
    unit: str
    aim: str = ""  # target, such as `>= 10,000`

    @property
    def text(self) -> str:
        if self.value >= 100:
            return f"{self.value:,.0f}"
        return f"{self.value:.3g}"


def machine() -> dict[str, str]:
    return {
        "cpu": _cpu_model(),
        "cores": str(os.cpu_count() or "?"),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {sys.version.split()[0]}",
    }


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def table(figures: list[Figure]) -> str:
    """Format the figures in columns, at most 80 wide."""
    rows = [("figure", "value", "unit", "aim")]
    rows += [(figure.name, figure.text, figure.unit, figure.aim) for figure in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        f"{name:<{widths[0]}}  {value:>{widths[1]}}  {unit:<{widths[2]}}  {aim}".rstrip()
        for name, value, unit, aim in rows
    ]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def report(figures: list[Figure], as_json: bool) -> str:
    """Format machine and figures, for people or programs."""
    if as_json:
        data = {"machine": machine(), "figures": [asdict(figure) for figure in figures]}
        return json.dumps(data, indent=1)
    about = "\n".join(f"{name}: {value}" for name, value in machine().items())
    return f"{about}\n\n{table(figures)}"
