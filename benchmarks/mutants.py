"""Change one small thing at a time, and check whether the fast tests notice the wrong rule.

    python -m benchmarks.mutants --seed 21 --sample 150

A mutant is the source with one operator, number, rule number or statement changed. It is killed if
a test fails. A first run records which tests reach which function, so each mutant is run only
against tests that can notice it. Survivors are printed with their location. Each is either a gap in
the tests or a change without effect, which belongs in `equivalent_mutants.toml` with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from benchmarks.mutations import Mutant, mutants_of

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path("src") / "ventiuna"
EQUIVALENT = Path(__file__).parent / "equivalent_mutants.toml"
FAST_TESTS = (
    "tests/core",
    "tests/engine",
    "tests/rules",
    "tests/golden",
    "tests/test_invariants.py",
    "tests/test_library_misuse.py",
    "tests/test_rules_files.py",
    "tests/test_rules_rows.py",
    "tests/test_rules_travel.py",
    "tests/test_notation.py",
    "tests/test_conformance.py",
    "tests/property",
)
# A mutant that never ends is killed, too, after this many seconds plus twice the time its tests
# took in the first run, so a busy machine or compilation doesn't count as a failing test.
PATIENCE = 300.0


@dataclass(frozen=True)
class Reached:
    """Results of the tests on the unchanged source."""

    reached: dict[str, list[str]]  # tests by the `file:first line` they call, fastest first
    seconds: dict[str, float]  # per test

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that call the function, or all if none does (it may run on import)."""
        return self.reached.get(mutant.function) or _fast_tests()

    def longest_run_of(self, mutant: Mutant) -> float:
        tests = self.reached.get(mutant.function) or self.seconds
        return PATIENCE + 2 * sum(self.seconds.get(test, 0.0) for test in tests)


@dataclass(frozen=True)
class Verdict:
    mutant: Mutant
    killed: bool
    by: str


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    known = known_equivalents()
    mutants = [mutant for room in options.rooms.split(",") for mutant in mutants_in(room)]
    told = [mutant for mutant in mutants if mutant.key not in known]
    chosen = random.Random(options.seed).sample(told, min(options.sample, len(told)))
    left_out = len(mutants) - len(told)
    print(f"{len(mutants)} mutants, {left_out} known to be equivalent; trying {len(chosen)}")
    with tempfile.TemporaryDirectory() as folder:
        reached = _learn(Path(folder))
        verdicts = list(_try_all(chosen, reached, options.workers, Path(folder)))
    _report(verdicts, options.seed, options.json)
    return 0 if all(verdict.killed for verdict in verdicts) else 1


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--sample", type=int, default=150, help="number of mutants to try")
    parser.add_argument("--rooms", default="core,engine")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(arguments)


def mutants_in(room: str) -> Iterator[Mutant]:
    for path in sorted((ROOT / SOURCE / room).rglob("*.py")):
        yield from mutants_of(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))


def known_equivalents() -> frozenset[str]:
    if not EQUIVALENT.exists():
        return frozenset()
    rows = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("mutant", [])
    return frozenset(row["key"] for row in rows)


# --- Which tests reach which function ---


def _learn(folder: Path) -> Reached:
    print("finding out which tests reach which function ...", flush=True)
    target = folder / "reached.json"
    run = subprocess.run(
        _pytest(["-p", "benchmarks.reached_functions", *_fast_tests()]),
        cwd=ROOT,
        env=environment(ROOT) | {"VENTIUNA_REACHED": str(target)},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode != 0:
        raise SystemExit(f"the tests fail without any mutation:\n{run.stdout[-3000:]}")
    return Reached(**json.loads(target.read_text(encoding="utf-8")))


def _fast_tests() -> list[str]:
    return [name for name in FAST_TESTS if (ROOT / name).exists()]


def _pytest(arguments: list[str]) -> list[str]:
    return [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments]


def environment(root: Path) -> dict[str, str]:
    paths = f"{root / 'src'}{os.pathsep}{root}"
    return {**os.environ, "PYTHONPATH": paths, "HYPOTHESIS_PROFILE": "gate"}


# --- Running ---


def _try_all(
    mutants: list[Mutant], reached: Reached, workers: int, folder: Path
) -> Iterator[Verdict]:
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(workers):
        copies.put(copy_of_the_project(folder / str(number)))

    def attempt(mutant: Mutant) -> Verdict:
        copy = copies.get()
        try:
            return _try(mutant, reached, copy)
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(workers) as pool:
        for number, verdict in enumerate(pool.map(attempt, mutants), start=1):
            word = f"killed by {verdict.by}" if verdict.killed else "SURVIVES"
            print(f"{number:4} {verdict.mutant.place}: {verdict.mutant.change}: {word}", flush=True)
            yield verdict


def copy_of_the_project(target: Path) -> Path:
    for part in ("src", "tests", "benchmarks", "docs"):
        shutil.copytree(ROOT / part, target / part)
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, target / name)
    return target


def _try(mutant: Mutant, reached: Reached, copy: Path) -> Verdict:
    tests = reached.tests_of(mutant)
    source = copy / mutant.path
    original = source.read_text(encoding="utf-8")
    source.write_text(mutant.applied_to(original), encoding="utf-8")
    try:
        run = subprocess.run(
            _pytest(["--no-header", "--tb=no", *tests]),
            cwd=copy,
            # Python matches bytecode files by size and time in whole seconds, which two mutants may
            # share. The built kernels refuse changed sources, which would kill any mutated rule.
            env=environment(copy) | {"PYTHONDONTWRITEBYTECODE": "1", "VENTIUNA_KERNELS": "jit"},
            capture_output=True,
            text=True,
            check=False,
            timeout=reached.longest_run_of(mutant),
        )
    except subprocess.TimeoutExpired:
        return Verdict(mutant, killed=True, by="a timeout")
    finally:
        source.write_text(original, encoding="utf-8")
    return Verdict(mutant, killed=run.returncode != 0, by=_first_failure(run.stdout))


def _first_failure(output: str) -> str:
    for line in output.splitlines():
        if line.startswith(("FAILED", "ERROR")):
            return line.split(" - ")[0].split(" ", 1)[1]
    return "an error before the first test"


def _report(verdicts: Iterable[Verdict], seed: int, as_json: bool) -> None:
    rows = list(verdicts)
    survivors = [verdict.mutant for verdict in rows if not verdict.killed]
    killed = len(rows) - len(survivors)
    if as_json:
        left = [{"key": mutant.key, "place": mutant.place} for mutant in survivors]
        print(json.dumps({"seed": seed, "tried": len(rows), "killed": killed, "survivors": left}))
        return
    for mutant in survivors:
        print(f"survives: {mutant.place}: {mutant.change}\n    key = {json.dumps(mutant.key)}")
    print(f"seed {seed}: {killed} of {len(rows)} killed, {100 * killed / max(1, len(rows)):.1f}%")


if __name__ == "__main__":
    raise SystemExit(main())
