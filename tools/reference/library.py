"""The public Python library, from its docstrings."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path

import ventiuna
from tools.reference.markdown import joined

ABOUT = """\
These are the names in `import ventiuna` and in the packages behind it. Every name here is public:
it stays, or it is deprecated before it is removed
([how](../../releasing.md#what-stays-compatible)). Anything else may change at any time. All
examples run as tests."""

# The public API first, then packages in dependency order.
MODULES = {
    "ventiuna": "Public API",
    "ventiuna.api.play": "Rounds and tables",
    "ventiuna.api.reports": "Reports and counts",
    "ventiuna.api.house": "House books",
    "ventiuna.strategy.players": "Players",
    "ventiuna.engine.prompts": "Prompts of a round",
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


def modules() -> dict[str, str]:
    """Return the listed modules that exist."""
    folder = Path(ventiuna.__file__).parent
    found = {}
    for name, title in MODULES.items():
        part = name.partition(".")[2].replace(".", "/")
        there = not part or (folder / part).is_dir() or (folder / f"{part}.py").is_file()
        if there and public(name):
            found[name] = title
    return found


def public(name: str) -> list[str]:
    """Return the names in `__all__`, or else the documented classes and functions."""
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
    return joined(["# Python library", ABOUT, *map(_section, modules().items())])


def _section(module: tuple[str, str]) -> str:
    name, title = module
    listed = "\n\n".join(_entry(name, one) for one in public(name))
    return f"## {title}: `{name}`\n\n```{{eval-rst}}\n{listed}\n```"


def _entry(module_name: str, name: str) -> str:
    """Return the directive for one name."""
    value = getattr(import_module(module_name), name)
    path = f"{module_name}.{name}"
    if inspect.ismodule(value):
        first, _, rest = (inspect.getdoc(value) or "").partition("\n\n")
        if callable(value):  # its docstring begins with the signature
            return f"``{module_name}.{first}``\n   {rest.splitlines()[0]}"
        return f"``{path}``\n   {first.splitlines()[0]}"
    if inspect.isclass(value):
        # A class is documented in full in its own module; the public API only lists it.
        option = ":no-index:" if module_name == "ventiuna" else ":members:"
        return f".. autoclass:: {path}\n   {option}"
    if callable(value):
        return f".. autofunction:: {path}"
    return f".. py:data:: {path}\n   :type: {type(value).__name__}"
