"""Checkpoints that let a stopped soak resume: results so far, and a hash of the code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import ventiuna
from ventiuna.files import check_file, write_file

# Packages that affect the comparison. Other code may change between two runs.
ROOMS = (
    *("core", "rules", "engine", "kernels", "simulation", "strategy", "proof", "analysis"),
    *("envs", "testing"),
)
Facts = dict[str, object]


class NotOurs(SystemExit):
    """The soak can't resume from this file; ends the program with a message."""


def code_digest() -> str:
    """Hash the code being compared: rounds played by different code don't count."""
    home = Path(ventiuna.__file__).parent
    digest = hashlib.sha256()
    for room in ROOMS:
        for path in sorted((home / room).rglob("*")):
            if path.suffix in (".py", ".toml"):
                digest.update(f"{path.relative_to(home)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def write_kept(path: Path, about: Mapping[str, object], facts: Mapping[str, object]) -> None:
    write_file(path, json.dumps({"about": dict(about), "done": dict(facts)}) + "\n")


def read_kept(path: Path, about: Mapping[str, object]) -> Facts | None:
    """Return the saved results, or None if there is no file; other soaks and code are refused."""
    try:
        check_file(path)
        if not path.exists():
            return None
        data = json.loads(path.read_text(encoding="utf-8"))
        found, done = data["about"], data["done"]
        others = [
            f"{name} {found[name]}, not {value}"
            for name, value in about.items()
            if found[name] != value
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotOurs(f"{path}: not a soak checkpoint ({error}). Name a different file.") from None
    if others:
        raise NotOurs(
            f"{path}: from a different soak ({'; '.join(others)}). Name a different file."
        )
    return dict(done)
