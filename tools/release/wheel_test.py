"""Tests against the built wheel, in clean environments: every Python found, then each extra alone.

python -m tools.release.wheel_test [--dist FOLDER] [--python 3.12 ...] [--no-extras | --only-extras]

Nothing of the sources can be reached: tests are those of the source archive, and `ventiuna` is
what the wheel brought. With --dist what was built there before is taken, else it is built anew.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.release.building import Built, build, built, unpack
from tools.release.environments import Environment, pythons, with_extras
from tools.release.probes import extras, failures

# What a test needs beside the wheel.
TOOLS = ("pytest", "pytest-timeout", "pytest-xdist", "hypothesis", "httpx", "filelock")
# One part of each room: rules, rounds, exact figures, simulation, commands, a server.
CHOSEN = (
    "tests/test_package.py",
    "tests/test_readme.py",
    "tests/test_notation.py",
    "tests/core",
    "tests/golden",
    "tests/rules",
    "tests/cli/test_app.py",
    "tests/cli/test_edge_and_hand.py",
    "tests/cli/test_settle.py",
    "tests/simulation/test_chart.py",
    "tests/simulation/test_counts_of_rounds.py",
    "tests/server/test_accounts.py",
    "tests/server/test_own_house.py",
)
WHERE = (
    "import pathlib, sys, ventiuna; home = pathlib.Path(ventiuna.__file__)\n"
    "assert sys.prefix in str(home), home\n"
    "assert (home.parent / 'server/web/index.html').is_file()\n"
    "print(ventiuna.__version__)"
)


def test_on(version: str, python: str, there: Built, folder: Path) -> list[str]:
    """What fails with one Python; the tests' own report goes to the error stream."""
    environment = Environment(folder / f"python{version}", python)
    environment.install(with_extras(there.wheel, "all"), *TOOLS)
    place = environment.run("python", "-c", WHERE)
    if place.returncode:
        return [f"Python {version}: {place.stderr}"]
    tests = _unpack(there.archive, folder / f"tests{version}")
    environment.run("ventiuna", "warm-up")
    chosen = [one for one in CHOSEN if (tests / one).exists()]
    done = environment.run("python", "-m", "pytest", "-q", "-n", "2", *chosen, folder=tests)
    print(f"Python {version}: {_last_line(done.stdout)}", flush=True)
    if done.returncode:
        return [f"Python {version}:\n{done.stdout[-6000:]}{done.stderr[-2000:]}"]
    shutil.rmtree(environment.folder)
    return []


def test_extras(wheel: Path, folder: Path) -> Iterator[str]:
    for extra in ("", *extras()):
        name = extra or "bare"
        environment = Environment(folder / name)
        environment.install(with_extras(wheel, extra) if extra else str(wheel))
        size = environment.size()
        wrong = failures(environment, extra)
        print(f"extra {name}: {'fails' if wrong else 'works'}, {size:.0f} MB", flush=True)
        print(*wrong, sep="\n", end="", file=sys.stderr, flush=True)
        yield from (told.splitlines()[0] for told in wrong)
        shutil.rmtree(environment.folder)


def _unpack(archive: Path, folder: Path) -> Path:
    """The archive without its sources: tests are those of what was built."""
    unpacked = unpack(archive, folder)
    shutil.rmtree(unpacked / "src")
    return unpacked


def _last_line(text: str) -> str:
    return text.strip().splitlines()[-1] if text.strip() else "nothing was printed"


def _wanted(options: argparse.Namespace, folder: Path) -> Built:
    there = built(options.dist) if options.dist else None
    return there or build(options.dist or folder / "dist")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.release.wheel_test", description=__doc__)
    parser.add_argument("--dist", type=Path, help="where archive and wheel lie, or are built")
    parser.add_argument("--python", nargs="*", help="versions to try; all that are found")
    parser.add_argument("--no-extras", action="store_true", help="leave single extras out")
    parser.add_argument("--only-extras", action="store_true", help="leave the tests out")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        there = _wanted(options, folder)
        wheel = there.wheel
        print(f"{wheel.name}, {wheel.stat().st_size / 1e6:.2f} MB", flush=True)
        for version, python in () if options.only_extras else pythons().items():
            if not options.python or version in options.python:
                wrong += test_on(version, python, there, folder)
        if not options.no_extras:
            wrong += test_extras(wheel, folder)
    for one in wrong:
        print(one, file=sys.stderr)
    print(f"{'failed' if wrong else 'all well'} after {time.monotonic() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
