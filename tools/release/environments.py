"""Clean environments with a wheel in them, for every Python that is found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.release.building import CONSTRAINTS, clean_environment

VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def pythons() -> dict[str, str]:
    """An interpreter for each version that is there: on the path, else among pyenv's."""
    return {version: found for version in VERSIONS if (found := _python(version))}


def _python(version: str) -> str:
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


class Environment:
    """A virtual environment of its own."""

    def __init__(self, folder: Path, python: str = sys.executable) -> None:
        self.folder = folder
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        self._run([python, "-m", "venv", str(folder)], Path.cwd())

    def install(self, *wanted: str) -> None:
        """Packages at their pinned versions."""
        pip = [str(self.bin / "python"), "-m", "pip", "--disable-pip-version-check"]
        self._run([*pip, "install", "--quiet", "-c", str(CONSTRAINTS), *wanted], self.folder)

    def size(self) -> float:
        """Megabytes of what was installed, without what came with the environment itself."""
        packages = next(self.folder.glob("[Ll]ib/**/site-packages"))
        files = (
            one
            for folder in packages.iterdir()
            if folder.is_dir() and not folder.name.startswith(("pip", "setuptools"))
            for one in folder.rglob("*")
        )
        return sum(one.stat().st_size for one in files if one.is_file()) / 1e6

    def run(self, *command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        """A program of the environment, away from the sources; both streams are kept."""
        return subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=folder or self.folder,
            env=self._variables(),
            capture_output=True,
            text=True,
            check=False,
        )

    def _run(self, command: Sequence[str], folder: Path) -> None:
        subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr, env=self._variables())

    def _variables(self) -> dict[str, str]:
        # Kernels are compiled here, once, as a newcomer's machine compiles them.
        return clean_environment() | {"XDG_CACHE_HOME": str(self.folder.parent / "cache")}


def with_extras(wheel: Path, *extras: str) -> str:
    """What pip is told to install."""
    return f"ventiuna[{','.join(extras)}] @ {wheel.resolve().as_uri()}"
