"""What a shell proposes for rules: presets, files, options and their values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ventiuna.rules import preset_ids
from ventiuna.rules.data import SUFFIX
from ventiuna.rules.options import OPTIONS, Option
from ventiuna.rules.variants import variants

_MOST_VALUES = 20  # of a number that are worth listing


def complete_rules(incomplete: str) -> list[str]:
    """Presets, and rules files of the folder that is being typed."""
    names = [*preset_ids(), *variants()]
    presets = [name for name in names if name.startswith(incomplete)]
    folder = Path(incomplete).parent if "/" in incomplete else Path()
    try:
        files = [str(path) for path in folder.glob(f"*{SUFFIX}")]
    except OSError:
        files = []
    return [*presets, *sorted(name for name in files if name.startswith(incomplete))]


def complete_option(incomplete: str) -> list[str]:
    """Names of options."""
    names = [*(option.name for option in OPTIONS), "jackpots"]
    return [name for name in names if name.startswith(incomplete)]


def complete_change(incomplete: str) -> list[str]:
    """`de` to `decks=`, `decks=` to every number of decks."""
    name, sign, value = incomplete.partition("=")
    if not sign:
        return [f"{option}=" for option in complete_option(name)]
    for option in OPTIONS:
        if option.name == name:
            return [f"{name}={each}" for each in _values(option) if each.startswith(value)]
    return []


def _values(option: Option) -> Iterator[str]:
    if option.choices:
        yield from option.choices
    elif option.kind == "flag":
        yield from ("on", "off")
    elif option.kind == "number" and option.high - option.low <= _MOST_VALUES:
        yield from map(str, range(option.low, option.high + 1))
    elif option.kind == "odds":
        yield from (text.replace(" to ", ":") for text in option.usual)
