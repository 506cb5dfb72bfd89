"""Charts and counts as files: a user's own, and those that come with the package."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from ventiuna.files import read_text_file
from ventiuna.rules.errors import Problem
from ventiuna.strategy.errors import PlanError

Content = Mapping[str, object]  # of a TOML file
_SUFFIX = ".toml"


class Reader:
    """Reads the content of a file and collects everything that is wrong with it."""

    def __init__(self, name: str, data: Content) -> None:
        self.name = name
        self.data = data
        self.problems: list[Problem] = []

    def wrong(self, place: str, value: object, message: str, fix: str) -> None:
        self.problems.append(Problem(f"{self.name}: {place}", shown(value), "", message, fix))

    def text(self, key: str, usual: str = "") -> str:
        """A text of one line, safe to show."""
        value = self.data.get(key, usual)
        if isinstance(value, str) and value.replace("\t", " ").isprintable():
            return value
        self.wrong(key, value, "not a text of one line", 'Put it in quotes, as in "Mine".')
        return usual

    def check_keys(self, what: str, known: Iterable[str]) -> None:
        names = sorted(known)
        for key in self.data:
            if key not in names:
                self.wrong(key, "", f"a {what} has no such part", f"Use {', '.join(names)}.")


def shown(value: object) -> str:
    """What the user wrote, as far as it can be repeated."""
    try:
        return str(value)
    except (ValueError, RecursionError):  # thousands of digits, hundreds of brackets
        return f"a {type(value).__name__} that is too long to show"


def read_file(path: Path) -> Content:
    """The content of a user's file."""
    try:
        return tomllib.loads(read_text_file(path))
    except (tomllib.TOMLDecodeError, UnicodeError, OverflowError) as error:
        raise _not_toml(path, str(error)) from None
    except ValueError:  # Python's own sentence tells programmers how to read such a number
        raise _not_toml(path, "it holds a number that is too long") from None
    except RecursionError:
        raise _not_toml(path, "too many brackets within brackets") from None


def _not_toml(path: Path, reason: str) -> PlanError:
    return PlanError([Problem(str(path), "", "", f"not a TOML file: {reason}", "Correct it.")])


def built_in_files(folder: str) -> dict[str, Content]:
    """The contents of a folder of this package by their names."""
    found = [path for path in (files(__package__) / folder).iterdir() if path.is_file()]
    return {
        path.name.removesuffix(_SUFFIX): tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(found, key=lambda path: path.name)
        if path.name.endswith(_SUFFIX)
    }
