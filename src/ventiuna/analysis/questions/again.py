"""The command line that gives a result again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence


def command_text(words: Sequence[str]) -> str:
    """The command line that gives the same result again."""
    return shlex.join(["ventiuna", *words])


def option_words(**options: str | int | None) -> list[str]:
    """`name=value` to `--name value`, those without a value left out."""
    words = []
    for name, value in options.items():
        if value not in (None, ""):
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def flag_words(**flags: bool) -> list[str]:
    """`name=True` to `--name`."""
    return [f"--{name}" for name, wanted in flags.items() if wanted]
