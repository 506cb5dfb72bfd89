"""Install the built wheel into clean environments and use it.

    python -m tools.release.wheel_test                  this checkout's wheel, this Python
    python -m tools.release.wheel_test --all            every Python found, every extra, pure wheel

The sources are out of reach, so `ventiuna` is the installed wheel. The wheel is built from this
checkout or, with --all, from a fresh clone, like a release.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tools.release.building import CONSTRAINTS, PROJECT, build, build_here, clean_environment

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PRESETS = (
    "wsgc-spanish-21",
    "wsgc-2021",
    "wsgc-v002",
    "casino-card",
    "catfish-bend",
    "super-fun-21",
    "blackjack",
)
WHERE = (
    "import pathlib, sys, ventiuna; home = pathlib.Path(ventiuna.__file__)\n"
    "assert sys.prefix in str(home), home\n"
    "assert (home.parent / 'server/web/index.html').is_file()\n"
    "from ventiuna.kernels import jit, library\n"
    "print(jit.MODE, library.built_level())"
)


class Probe(NamedTuple):
    """A program, and part of its output."""

    program: tuple[str, ...]
    printed: str


def _python(text: str, printed: str) -> Probe:
    return Probe(("python", "-c", f"import ventiuna as vt\n{text}"), printed)


def _command(words: str, printed: str) -> Probe:
    return Probe(("ventiuna", *words.split()), printed)


# Features of a plain installation.
PLAIN = (
    Probe(("python", "-m", "ventiuna", "--version"), "ventiuna "),
    _command("edge wsgc-spanish-21", "0.776829039"),
    _command("simulate blackjack --rounds 20000 --seed 21", "20,000"),
    _command("house create --database own.sqlite", ""),
    _command("audit --database own.sqlite", ""),
    _python("print(vt.hand('wsgc-2021', '5c 6d', '2h').best)", "double"),
    _python(
        "from ventiuna.server.routers.pages import web_files\n"
        "print(sorted(one for one in web_files() if '/' not in one))",
        "'index.html', 'licenses.md'",
    ),
)
# Features of each extra; without the extra, the same program's error names it.
EXTRAS: dict[str, Probe] = {
    "postgres": _python("import ventiuna.table.store.postgres; print('both')", "both"),
    "cluster": _python(
        "from ventiuna.simulation.run import dask_workers\n"
        "if __name__ == '__main__':\n"
        "    with dask_workers('local:1') as workers: print(workers.name)",
        "1 Dask workers",
    ),
    "data": _python(
        "hand = vt.hand('wsgc-2021', '5c 6d', '2h')\n"
        "print(len(hand.to_pandas()), len(hand.to_polars()), hand.to_arrow().num_rows)",
        "4 4 4",
    ),
    "envs": _python(
        "import gymnasium, ventiuna.envs\n"
        "seat = gymnasium.make('ventiuna/Spanish21-v0'); seat.reset(seed=21)\n"
        "print(len(seat.step(seat.action_space.sample())))",
        "5",
    ),
    "plot": _python(
        "import matplotlib; matplotlib.use('svg')\nfrom matplotlib import pyplot\n"
        "values = vt.hand('wsgc-2021', '5c 6d', '2h').rows()\n"
        "pyplot.bar([one['action'] for one in values], [one['ev'] for one in values])\n"
        "pyplot.savefig('hand.svg'); print('drawn')",
        "drawn",
    ),
    "print": _python(
        "from ventiuna.reports.layout import layout\n"
        "from ventiuna.reports.layout import layout_pdf\n"
        "print(layout_pdf(layout(vt.rules('wsgc-2021')))[:5])",
        "%PDF-",
    ),
    "jit": _python("import numba; print('numba', numba.__version__)", "numba 0."),
}
# Libraries that our own code doesn't import, so it can't name their extra.
_UNNAMED = ("envs", "plot", "jit")


def extras() -> list[str]:
    """Return the extras for users, as listed in the project."""
    data = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    return [one for one in data["project"]["optional-dependencies"] if one not in ("all", "dev")]


class Environment:
    """A virtual environment that contains only what these tests install."""

    def __init__(self, folder: Path, python: str = sys.executable) -> None:
        self.folder = folder
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        self._run([python, "-m", "venv", str(folder)], Path.cwd())

    def install(self, *wanted: str) -> float:
        """Install packages at their pinned versions; return the seconds it took."""
        start = time.monotonic()
        pip = [str(self.bin / "python"), "-m", "pip", "--disable-pip-version-check"]
        self._run([*pip, "install", "--quiet", "-c", str(CONSTRAINTS), *wanted], self.folder)
        return time.monotonic() - start

    def size(self) -> float:
        """Return the installed size in megabytes, without pip and setuptools."""
        packages = next(self.folder.glob("[Ll]ib/**/site-packages"))
        files = (
            file
            for folder in packages.iterdir()
            if not folder.name.startswith(("pip", "setuptools", "_distutils", "pkg_resources"))
            for file in (folder.rglob("*") if folder.is_dir() else [folder])
        )
        return sum(file.stat().st_size for file in files if file.is_file()) / 1e6

    def run(self, *command: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """Run one of the environment's programs, away from the sources."""
        return subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=self.folder,
            env=clean_environment(),
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )

    def _run(self, command: Sequence[str], folder: Path) -> None:
        subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr, env=clean_environment())


def pythons() -> dict[str, str]:
    """Return an interpreter for each version found on the path or in pyenv."""
    return {version: found for version in VERSIONS if (found := _find_python(version))}


def _find_python(version: str) -> str:
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [
        shutil.which(f"python{version}") or "",
        *sorted(map(str, root.glob(f"{version}.*/bin/python{version}")), reverse=True),
    ]
    return next((one for one in candidates if one and _is_version(one, version)), "")


def _is_version(python: str, version: str) -> bool:
    program = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", program], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == version


# --- Tests ---


def test_wheel(wheel: Path, environment: Environment) -> Iterator[str]:
    """Yield failures with only the wheel installed."""
    seconds = environment.install(str(wheel))
    print(f"installed in {seconds:.0f} s, {environment.size():.0f} MB", flush=True)
    where = environment.run("python", "-c", WHERE)
    if where.returncode or not where.stdout.startswith("library"):
        yield f"no compiled kernels: {where.stdout}{where.stderr}"
    for preset in PRESETS:
        yield from _round(environment, preset)
    for probe in PLAIN:
        yield from _failure(environment, probe)
    print(f"a round of each of {len(PRESETS)} presets dealt and settled", flush=True)


def _round(environment: Environment, preset: str) -> Iterator[str]:
    """Check that `settle` agrees with a dealt round."""
    dealt = environment.run("ventiuna", "deal", preset, "--seed", "21", "--rounds", "1")
    settled = environment.run("ventiuna", "settle", "-", given=dealt.stdout)
    if dealt.returncode or settled.returncode or not re.search(r"^round", dealt.stdout, re.M):
        yield f"{preset}: {dealt.stderr}{settled.stdout}{settled.stderr}"


def test_extras(wheel: Path, folder: Path) -> Iterator[str]:
    """Yield failures with one extra at a time."""
    for extra in extras():
        environment = Environment(folder / extra)
        environment.install(str(wheel))
        if extra not in _UNNAMED:
            refused = environment.run(*EXTRAS[extra].program)
            if f"ventiuna[{extra}]" not in refused.stderr:
                yield f"{extra}, not rejected: {refused.stdout}{refused.stderr}"
        environment.install(f"ventiuna[{extra}] @ {wheel.resolve().as_uri()}")
        wrong = list(_failure(environment, EXTRAS[extra]))
        print(f"{extra}: {'fails' if wrong else 'works'}, {environment.size():.0f} MB", flush=True)
        yield from wrong
        shutil.rmtree(environment.folder)


def test_pure(wheel: Path, folder: Path) -> Iterator[str]:
    """Check that a pure wheel compiles its kernels with the extra `jit`, and says so."""
    environment = Environment(folder / "pure")
    environment.install(f"ventiuna[jit] @ {wheel.resolve().as_uri()}")
    done = environment.run("ventiuna", "edge", "wsgc-spanish-21")
    if "0.776829039" not in done.stdout or "Numba compiles them" not in done.stderr:
        yield f"pure wheel: {done.stdout}{done.stderr}"


def _failure(environment: Environment, probe: Probe) -> Iterator[str]:
    done = environment.run(*probe.program)
    if done.returncode or probe.printed not in done.stdout + done.stderr:
        yield f"{' '.join(probe.program)}\n{done.stdout}{done.stderr}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.release.wheel_test", description=__doc__)
    parser.add_argument("--all", action="store_true", help="test every Python, extra and wheel")
    options = parser.parse_args(arguments)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        release = build(folder / "dist") if options.all else None
        wheel = release.wheel if release else build_here(folder / "dist")
        print(f"{wheel.name}, {wheel.stat().st_size / 1e6:.2f} MB", flush=True)
        found = pythons() if options.all else {"": sys.executable}
        for version, python in found.items():
            print(f"Python {version}" if version else "this Python", end=": ", flush=True)
            wrong += test_wheel(wheel, Environment(folder / f"python{version}", python))
        if release:
            wrong += test_extras(wheel, folder)
            wrong += test_pure(release.pure, folder)
    for problem in wrong:
        print(problem, file=sys.stderr)
    print(f"{len(wrong)} failed" if wrong else "the wheel works")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
