"""Build a release: a source archive from a fresh clone, wheels, and a bill of materials.

python -m tools.release.building FOLDER   build into FOLDER
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent.parent
CONSTRAINTS = PROJECT / "constraints.txt"
CLIENT = "ventiuna/server/web/index.html"


class Built(NamedTuple):
    archive: Path
    wheel: Path  # with compiled kernels, for this architecture
    pure: Path  # for every other platform


def build(folder: Path) -> Built:
    """Build the source archive from a fresh clone of the last commit, and wheels from the
    archive."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        clone = Path(name) / "ventiuna"
        _run(["git", "clone", "--quiet", str(PROJECT), str(clone)])
        _build("--sdist", clone, folder)
        [archive] = folder.glob("ventiuna-*.tar.gz")
        # Building from the archive requires neither Node nor the npm registry.
        source = unpack(archive, Path(name))
        _build("--wheel", source, folder, VENTIUNA_PURE="1", **without_node())
        _build("--wheel", source, folder, **without_node())
    done = built(folder)
    if done is None:
        raise SystemExit(f"{folder} has no archive or no wheel.")
    for wheel in (done.wheel, done.pure):
        check(wheel)
    return done


def build_here(folder: Path) -> Path:
    """Build a wheel from this checkout with this environment's tools (fast, for tests)."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    _run([*command, str(PROJECT)])
    [wheel] = folder.glob("ventiuna-*.whl")
    check(wheel)
    return wheel


def check(wheel: Path) -> None:
    """Refuse a wheel without the web client or with a tag that its libraries don't support."""
    with zipfile.ZipFile(wheel) as packed:
        if CLIENT not in packed.namelist():
            raise SystemExit(f"{wheel.name} doesn't contain the web client.")
        libraries = [name for name in packed.namelist() if name.endswith(".so")]
    if wheel.name.endswith("-none-any.whl"):
        if libraries:
            raise SystemExit(f"{wheel.name} has compiled kernels, but its tag says any platform.")
        return
    command = [sys.executable, "-m", "auditwheel", "show", str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r'following platform tag:\s*"(\w+)"', done.stdout)
    promised = wheel.stem.rsplit("-", 1)[1]
    if not libraries or not found or _glibc(found[1]) > _glibc(promised):
        raise SystemExit(f"{wheel.name}: auditwheel disagrees.\n{done.stdout}{done.stderr}")


def _glibc(tag: str) -> tuple[int, ...]:
    """Return the C library version required by a tag such as manylinux_2_17_x86_64."""
    found = re.match(r"manylinux_(\d+)_(\d+)_", tag)
    return tuple(map(int, found.groups())) if found else (99,)


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack the archive and return its folder; early releases of Python 3.11 have no filter."""
    with tarfile.open(archive) as packed:
        if hasattr(tarfile, "data_filter"):
            packed.extractall(folder, filter="data")
        else:
            packed.extractall(folder)
    return folder / archive.name.removesuffix(".tar.gz")


def built(folder: Path) -> Built | None:
    """Return the release already in this folder, if it is complete."""
    archives, wheels = list(folder.glob("ventiuna-*.tar.gz")), list(folder.glob("ventiuna-*.whl"))
    pure = [wheel for wheel in wheels if wheel.name.endswith("-none-any.whl")]
    wheels = [wheel for wheel in wheels if wheel not in pure]
    is_whole = len(archives) == len(wheels) == len(pure) == 1
    return Built(archives[0], wheels[0], pure[0]) if is_whole else None


def without_node() -> dict[str, str]:
    """Return an environment without Node, in which npm finds no registry."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    kept = [one for one in folders if one and not any(Path(one).glob("np[mx]"))]
    return {"PATH": os.pathsep.join(kept), "npm_config_registry": "http://127.0.0.1:9/"}


def _build(what: str, source: Path, folder: Path, **environment: str) -> None:
    command = [sys.executable, "-m", "build", what, "--outdir", str(folder), str(source)]
    # The build tools are pinned, too, so the same sources give the same bytes.
    pins = {"PIP_CONSTRAINT": str(CONSTRAINTS), "PIP_BUILD_CONSTRAINT": str(CONSTRAINTS)}
    _run(command, **pins, **environment)


def _run(command: Sequence[str], **environment: str) -> None:
    # Only figures and verdicts go to the output stream.
    subprocess.run(command, check=True, stdout=sys.stderr, env=clean_environment() | environment)


def clean_environment() -> dict[str, str]:
    """Return this process's environment without anything that points to the sources."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.release.building", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    done = build(parser.parse_args(arguments).folder)
    from tools.release.sbom import bill_text

    version = done.wheel.name.split("-")[1]
    bill = done.wheel.with_name(f"ventiuna-{version}.cdx.json")
    bill.write_text(bill_text(version), encoding="utf-8")
    print(done.archive, done.wheel, done.pure, bill, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
