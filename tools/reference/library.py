"""The Python library: what is public, from its docstrings."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path

import ventiuna
from tools.reference.markdown import joined

ABOUT = """\
What `import ventiuna` gives, and the rooms behind it. Every name here is public: it is kept or
deprecated first ([how](../../releasing.md#what-is-kept)). What is not listed may change at any
time. All examples run as tests."""

# The door first, then the rooms in the order in which they build upon each other.
ROOMS = {
    "ventiuna": "The door",
    "ventiuna.api.play": "Rounds and tables",
    "ventiuna.api.reports": "Reports and counts",
    "ventiuna.api.house": "The books of a house",
    "ventiuna.strategy.players": "Players",
    "ventiuna.engine.prompts": "What a round waits for",
    "ventiuna.cards": "Cards",
    "ventiuna.money": "Money and odds",
    "ventiuna.rules": "House rules",
    "ventiuna.engine": "A round",
    "ventiuna.notation": "A round as text",
    "ventiuna.analysis": "Exact analysis",
    "ventiuna.simulation": "Simulation",
    "ventiuna.strategy": "Strategies and counts",
    "ventiuna.envs": "Environments for learning",
    "ventiuna.errors": "Errors",
}


def rooms() -> dict[str, str]:
    """Those that are there."""
    folder = Path(ventiuna.__file__).parent
    found = {}
    for name, title in ROOMS.items():
        part = name.partition(".")[2].replace(".", "/")
        there = not part or (folder / part).is_dir() or (folder / f"{part}.py").is_file()
        if there and public(name):
            found[name] = title
    return found


def public(name: str) -> list[str]:
    """What a room lists as its own; a module without a list has its classes and functions."""
    module = import_module(name)
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return sorted(listed, key=str.lower)
    return sorted(
        key
        for key, value in vars(module).items()
        if not key.startswith("_")
        and getattr(value, "__module__", "") == name
        and getattr(value, "__doc__", None)
    )


def page() -> str:
    return joined(["# Python library", ABOUT, *map(_room, rooms().items())])


def _room(room: tuple[str, str]) -> str:
    name, title = room
    listed = "\n\n".join(_entry(name, one) for one in public(name))
    return f"## {title}: `{name}`\n\n```{{eval-rst}}\n{listed}\n```"


def _entry(room: str, name: str) -> str:
    """The directive that writes one name down."""
    value = getattr(import_module(room), name)
    path = f"{room}.{name}"
    if inspect.ismodule(value):
        first, _, rest = (inspect.getdoc(value) or "").partition("\n\n")
        if callable(value):  # its docstring begins with the signature
            return f"``{room}.{first}``\n   {rest.splitlines()[0]}"
        return f"``{path}``\n   {first.splitlines()[0]}"
    if inspect.isclass(value):
        # A class stands in full where it is at home; the door only names it.
        return f".. autoclass:: {path}\n   {':no-index:' if room == 'ventiuna' else ':members:'}"
    if callable(value):
        return f".. autofunction:: {path}"
    return f".. py:data:: {path}\n   :type: {type(value).__name__}"
