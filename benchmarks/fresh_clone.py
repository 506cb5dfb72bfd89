"""What a new user waits for: clone, `make setup`, `make test`, each timed in a folder of its own.

python -m benchmarks.fresh_clone [--json]; it takes minutes, so it is not part of the others.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figures import Figure, report

PROJECT = Path(__file__).resolve().parent.parent


def timed(command: Sequence[str], folder: Path) -> float:
    start = time.monotonic()
    # What the command says goes to the error stream, so that figures stand alone.
    subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)
    return time.monotonic() - start


def measure_clone() -> list[Figure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "ventiuna"
        steps = {
            "git clone": timed(["git", "clone", "--quiet", str(PROJECT), str(folder)], PROJECT),
            "make setup": timed(["make", "setup"], folder),
            "make test": timed(["make", "test"], folder),
        }
    figures = [Figure(step, seconds, "s") for step, seconds in steps.items()]
    return [*figures, Figure("all together", sum(steps.values()), "s")]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fresh_clone", description=__doc__)
    parser.add_argument("--json", action="store_true", help="figures and machine as JSON")
    options = parser.parse_args(arguments)
    try:
        figures = measure_clone()
    except subprocess.CalledProcessError as error:
        print(f"{' '.join(error.cmd)} failed, so there is no figure.", file=sys.stderr)
        return 1
    print(report(figures, options.json))
    return 0


if __name__ == "__main__":
    sys.exit(main())
