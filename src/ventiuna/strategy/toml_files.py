"""Charts and counts as files: a user's own, and those that come with the package."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from ventiuna.rules.errors import Problem
from ventiuna.strategy.errors import PlanError

_SUFFIX = ".toml"


class Reader:
    """Reads the content of a file and collects everything that is wrong with it."""

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        self.name = name
        self.data = data
        self.problems: list[Problem] = []

    def wrong(self, place: str, value: object, message: str, fix: str) -> None:
        self.problems.append(Problem(f"{self.name}: {place}", str(value), "", message, fix))


def read_file(path: Path) -> dict[str, Any]:
    """The content of a user's file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problem = Problem(str(path), "", "", f"not a TOML file: {error}", "Correct it.")
        raise PlanError([problem]) from None


def built_in_files(folder: str) -> dict[str, dict[str, Any]]:
    """The contents of a folder of this package by their names."""
    found = [path for path in (files(__package__) / folder).iterdir() if path.is_file()]
    return {
        path.name.removesuffix(_SUFFIX): tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(found, key=lambda path: path.name)
        if path.name.endswith(_SUFFIX)
    }
