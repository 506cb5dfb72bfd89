"""Programs measured in fresh interpreters."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def seconds(program: str) -> float:
    """Return the time that one line takes inside the interpreter, excluding its startup."""
    return float(
        _output(
            "import time; start = time.perf_counter(); "
            f"{program}; print(time.perf_counter() - start)"
        )
    )


def megabytes(program: str) -> float:
    """Return the maximum resident memory of a process that runs the line.

    Linux reports it in /proc; elsewhere it comes from `getrusage`, which includes the parent's
    size.
    """
    if Path("/proc/self/status").is_file():
        status = _output(f"{program}; print(open('/proc/self/status').read())")
        [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
        return int(line.split()[1]) * 1024 / 1e6
    size = _output(
        f"import resource; {program}; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    unit = 1 if sys.platform == "darwin" else 1024
    return int(size) * unit / 1e6


def _output(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout
