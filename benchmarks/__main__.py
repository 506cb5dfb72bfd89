"""python -m benchmarks [module ...] [--quick] [--json]"""

from __future__ import annotations

import argparse
import pkgutil
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module

import benchmarks
from benchmarks.figures import Figure, report

Measure = Callable[[bool], Iterable[Figure]]


def measures() -> dict[str, Measure]:
    """Return every module in this folder that measures something."""
    found = {}
    for info in pkgutil.iter_modules(benchmarks.__path__):
        if info.name != "__main__":
            measure = getattr(import_module(f"benchmarks.{info.name}"), "measure", None)
            if measure is not None:
                found[info.name] = measure
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    known = measures()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("modules", nargs="*", help=f"any of {', '.join(known)}; all by default")
    parser.add_argument("--quick", action="store_true", help="run faster and less precisely")
    parser.add_argument(
        "--json", action="store_true", help="print the figures and the machine as JSON"
    )
    options = parser.parse_args(arguments)
    unknown = [name for name in options.modules if name not in known]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}: choose from {', '.join(known)}")
    figures: list[Figure] = []
    try:
        for name in options.modules or known:
            print(f"measuring {name} …", file=sys.stderr, flush=True)
            figures += known[name](options.quick)
    except KeyboardInterrupt:
        print("stopped; measured so far:", file=sys.stderr)
    print(report(figures, options.json))
    return 0


if __name__ == "__main__":
    sys.exit(main())
