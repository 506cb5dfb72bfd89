"""Write a release's bill of materials in CycloneDX format (JSON, 1.6).

    python -m tools.release.sbom [FILE]

Python packages are those that `ventiuna[all]` installs, at their pinned versions, with their
dependencies; npm packages are those whose code is in the built web client. Times, machine names and
registry addresses are omitted, so the same sources give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.release.building import CONSTRAINTS, PROJECT

NAME, EXTRA = "ventiuna", "all"
# Packages with code in the built client; all others are used only to build or test it.
IN_CLIENT = ("svelte", "clsx", "esm-env")
# Environments differ; this bill is for CPython on Linux, for which versions are pinned.
_ENVIRONMENT = {"platform_system": "Linux", "sys_platform": "linux", "os_name": "posix"}


def pinned() -> dict[str, str]:
    """Return versions by name, from pip's constraints."""
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if "==" in line)
    return {canonicalize_name(name): version.strip() for name, version in pairs}


def needs(name: str, extras: Iterable[str] = ()) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield a package's dependencies with these extras, from its installed metadata."""
    wanted = tuple(extras) or ("",)
    for line in distribution(name).requires or ():
        requirement = Requirement(line)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({**_ENVIRONMENT, "extra": one}) for one in wanted):
            yield canonicalize_name(requirement.name), frozenset(requirement.extras)


def tree(extra: str = EXTRA) -> dict[str, set[str]]:
    """Return every package installed by `ventiuna` with an extra, with its direct dependencies."""
    found: dict[str, set[str]] = {}
    asked: set[tuple[str, frozenset[str]]] = set()
    waiting = [(NAME, frozenset({extra} if extra else ()))]
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in asked:
            continue
        asked.add((name, extras))
        below = found.setdefault(name, set())
        for other, others_extras in needs(name, extras):
            if other != name:
                below.add(other)
            waiting.append((other, others_extras))
    return found


def bill(version: str = "") -> dict[str, Any]:
    """Return the bill of materials for a release."""
    packages = tree()
    versions = pinned()
    unpinned = packages.keys() - versions.keys() - {NAME}
    if unpinned:
        raise SystemExit(f"constraints.txt doesn't pin {', '.join(sorted(unpinned))}.")
    references = {name: f"pkg:pypi/{name}@{version}" for name, version in versions.items()}
    references[NAME] = f"pkg:pypi/{NAME}@{version}" if version else f"pkg:pypi/{NAME}"
    npm = list(_npm())
    components = [
        _component(name, versions[name], references[name], _license(name))
        for name in sorted(packages)
        if name != NAME
    ]
    below = {name: {references[one] for one in others} for name, others in packages.items()}
    below[NAME] |= {one["bom-ref"] for one in npm}
    dependencies = [
        {"ref": references[name], "dependsOn": sorted(others)}
        for name, others in sorted(below.items())
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{_number(references, packages)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": references[NAME],
                "name": NAME,
                **({"version": version} if version else {}),
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": components + npm,
        "dependencies": dependencies,
    }


def _component(name: str, version: str, reference: str, expression: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": version,
        "purl": reference,
    }
    if expression:
        found["licenses"] = [{"expression": expression}]
    return found


def _license(name: str) -> str:
    """Return the license as an SPDX expression, if the package states one."""
    return str(distribution(name).metadata.json.get("license_expression", ""))


def _npm() -> Iterator[dict[str, Any]]:
    lock = json.loads((PROJECT / "client" / "package-lock.json").read_text(encoding="utf-8"))
    for name in IN_CLIENT:
        entry = lock["packages"][f"node_modules/{name}"]
        reference = f"pkg:npm/{name}@{entry['version']}"
        yield _component(name, entry["version"], reference, entry.get("license", ""))


def _number(references: dict[str, str], packages: Iterable[str]) -> str:
    """Return a serial number derived from the contents, formatted as a UUID."""
    text = "\n".join(sorted(references[name] for name in packages))
    digits = list(hashlib.sha256(text.encode()).hexdigest()[:32])
    digits[12], digits[16] = "8", "a"  # marks a custom UUID, as in RFC 9562
    whole = "".join(digits)
    return "-".join((whole[:8], whole[8:12], whole[12:16], whole[16:20], whole[20:]))


def main(arguments: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    if len(words) > 1:
        print(__doc__, file=sys.stderr)
        return 2
    text = bill_text()
    if words:
        Path(words[0]).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


def bill_text(version: str = "") -> str:
    return json.dumps(bill(version), indent=2) + "\n"


if __name__ == "__main__":
    sys.exit(main())
