"""Optional libraries and the extra that installs each."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from ventiuna.errors import MissingExtra

EXTRA_OF = {
    "psycopg": "postgres",
    "dask": "cluster",
    "distributed": "cluster",
    "pandas": "data",
    "polars": "data",
    "pyarrow": "data",
    "gymnasium": "envs",
    "pettingzoo": "envs",
    "matplotlib": "plot",
    "fpdf": "print",
    "numba": "jit",
}


def require(library: str) -> None:
    """Raise MissingExtra if the library isn't installed; nothing is imported."""
    try:
        is_installed = find_spec(library) is not None
    except ValueError:  # its import is blocked
        is_installed = False
    if not is_installed:
        raise missing(library)


def load(module: str, instead: str = "") -> ModuleType:
    """Import a module of an optional library; `instead` is what else the user can do."""
    library = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        lacking = (error.name or "").partition(".")[0]
        raise missing(lacking if lacking in EXTRA_OF else library, instead) from None


def missing(library: str, instead: str = "") -> MissingExtra:
    return MissingExtra(library, EXTRA_OF[library], instead)
