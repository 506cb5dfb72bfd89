"""What a release has: source archive out of a fresh clone, the wheel from it, a bill of materials.

python -m tools.release.building FOLDER   build into FOLDER
"""

from __future__ import annotations

import argparse
import os
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
    wheel: Path


def build(folder: Path) -> Built:
    """Of what is committed; a wheel that lacks the web client is refused."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        clone = Path(name) / "ventiuna"
        _run(["git", "clone", "--quiet", str(PROJECT), str(clone)])
        _build("--sdist", clone, folder)
        [archive] = folder.glob("ventiuna-*.tar.gz")
        # Whoever builds the archive has neither Node nor a registry of npm's.
        _build("--wheel", unpack(archive, Path(name)), folder, **without_node())
    [wheel] = folder.glob("ventiuna-*.whl")
    with zipfile.ZipFile(wheel) as packed_wheel:
        if CLIENT not in packed_wheel.namelist():
            raise SystemExit(f"{wheel.name} lacks the web client.")
    return Built(archive, wheel)


def unpack(archive: Path, folder: Path) -> Path:
    """Where its files are then; the first releases of Python 3.11 know no filter."""
    with tarfile.open(archive) as packed:
        if hasattr(tarfile, "data_filter"):
            packed.extractall(folder, filter="data")
        else:
            packed.extractall(folder)
    return folder / archive.name.removesuffix(".tar.gz")


def built(folder: Path) -> Built | None:
    """What was built there before."""
    archives, wheels = list(folder.glob("ventiuna-*.tar.gz")), list(folder.glob("ventiuna-*.whl"))
    return Built(archives[0], wheels[0]) if len(archives) == len(wheels) == 1 else None


def without_node() -> dict[str, str]:
    """An environment in which no Node is found, and npm finds no registry."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    kept = [one for one in folders if one and not any(Path(one).glob("np[mx]"))]
    return {"PATH": os.pathsep.join(kept), "npm_config_registry": "http://127.0.0.1:9/"}


def _build(what: str, source: Path, folder: Path, **environment: str) -> None:
    command = [sys.executable, "-m", "build", what, "--outdir", str(folder), str(source)]
    # The tools it is built with are pinned too: the same sources give the same bytes.
    _run(command, PIP_CONSTRAINT=str(CONSTRAINTS), **environment)


def _run(command: Sequence[str], **environment: str) -> None:
    # Figures and verdicts stand alone on the output stream.
    subprocess.run(command, check=True, stdout=sys.stderr, env=clean_environment() | environment)


def clean_environment() -> dict[str, str]:
    """This process's, but for what would lead to the sources."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.release.building", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    done = build(parser.parse_args(arguments).folder)
    # Imported here: it knows this module.
    from tools.release.sbom import bill_text

    version = done.wheel.name.split("-")[1]
    bill = done.wheel.with_name(f"ventiuna-{version}.cdx.json")
    bill.write_text(bill_text(version), encoding="utf-8")
    print(done.archive, done.wheel, bill, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
