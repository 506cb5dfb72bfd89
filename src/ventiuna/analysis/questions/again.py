"""The command line that gives a result again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ventiuna.rules import Rules, canonical
from ventiuna.rules.reading.loading import split_canonical


def command_text(words: Sequence[str]) -> str:
    """The command line that gives the same result again."""
    return shlex.join(["ventiuna", *words])


def rules_words(rules: Rules) -> list[str]:
    """Rules as the words of a command line that need no quoting.

    >>> from ventiuna.rules import load_rules
    >>> rules_words(load_rules("wsgc-2021(decks=8,blackjack_pays=6 to 5)"))
    ['wsgc-2021', 'decks=8', 'blackjack_pays=6:5']
    """
    name, changes = split_canonical(canonical(rules))
    return [name, *(f"{option}={value.replace(' to ', ':')}" for option, value in changes.items())]


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
