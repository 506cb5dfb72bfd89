"""Rules, charts and counts that clients name: what is built in, never a file of the server."""

from __future__ import annotations

from ventiuna.rules import Problem, Rules, RulesError, load_rules
from ventiuna.rules.reading.loading import split_canonical

FILE = ".toml"


def house_rules(text: str) -> Rules:
    """A preset, or one with changes."""
    check_rules_name(text)
    return load_rules(text)


def check_rules_name(text: str) -> None:
    name, _ = split_canonical(text)
    _refuse_file("rules", name)


def check_names(**named: str) -> None:
    """Of charts, strategies and counts."""
    for field, name in named.items():
        _refuse_file(field, name)


def _refuse_file(field: str, name: str) -> None:
    if name.strip().lower().endswith(FILE):
        message = "a server reads no files for its clients"
        raise RulesError([Problem(field, name, "", message, "Name what is built in.")])
