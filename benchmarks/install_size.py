"""Size of an installation: the wheel, and what each extra adds.

python -m benchmarks.install_size [--dist FOLDER] [--json]

Packages are those listed in the metadata, at their pinned versions. Sizes are those of their files
in this environment, without bytecode. FOLDER contains the wheel that `make dist` built.
"""

from __future__ import annotations

import argparse
import sys
import zipfile
from collections.abc import Iterator, Sequence
from importlib.metadata import distribution
from pathlib import Path

from benchmarks.figures import Figure, report
from tools.release.building import Built, built
from tools.release.sbom import NAME, tree
from tools.release.wheel_test import extras

_MEGA = 1e6


def package_bytes(name: str) -> int:
    """Return the size of an installed package's files, without bytecode."""
    return sum(
        place.stat().st_size
        for one in distribution(name).files or ()
        if one.suffix != ".pyc" and (place := Path(str(one.locate()))).is_file()
    )


def of_wheel(there: Built) -> Iterator[Figure]:
    yield Figure("source archive", there.archive.stat().st_size / _MEGA, "MB")
    yield Figure("wheel", there.wheel.stat().st_size / _MEGA, "MB")
    with zipfile.ZipFile(there.wheel) as packed:
        files = packed.infolist()
    yield Figure("wheel, unpacked", sum(one.file_size for one in files) / _MEGA, "MB")
    client = sum(one.compress_size for one in files if "/server/web/" in one.filename)
    yield Figure("web client in the wheel", client / _MEGA, "MB")


def of_extras() -> Iterator[Figure]:
    for extra in ("", *extras()):
        packages = tree(extra).keys() - {NAME}
        size = sum(map(package_bytes, packages))
        yield Figure(f"{extra or 'without extras'}: {len(packages)} packages", size / _MEGA, "MB")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.install_size", description=__doc__)
    parser.add_argument("--dist", type=Path, default=Path("dist"), help="folder with the wheel")
    parser.add_argument(
        "--json", action="store_true", help="print the figures and the machine as JSON"
    )
    options = parser.parse_args(arguments)
    there = built(options.dist)
    if there is None:
        print("No wheel found: run 'make dist', or name a folder with --dist.", file=sys.stderr)
    figures = [*(of_wheel(there) if there else ()), *of_extras()]
    print(report(figures, options.json))
    return 0


if __name__ == "__main__":
    sys.exit(main())
