"""Ready-made variants of presets: a name for a canonical string."""

from __future__ import annotations

from functools import cache

from ventiuna.records import record
from ventiuna.rules.data import read_toml, rules_folder


@record(frozen=True, slots=True)
class Variant:
    name: str
    rules: str  # the canonical string that the name stands for
    about: str


@cache
def variants() -> dict[str, Variant]:
    """All of them by their names, in the order of their file."""
    rows = read_toml(rules_folder() / "variants.toml")["variants"]
    return {row["name"]: Variant(**row) for row in rows}
