"""The package's version, optional libraries, and callable sub-packages."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ventiuna.errors import MissingExtra

if TYPE_CHECKING:
    from inspect import Signature


# --- Version ---


def version() -> str:
    """
    >>> version()[0].isdigit()
    True
    """
    from importlib import metadata

    try:
        return metadata.version("ventiuna")
    except metadata.PackageNotFoundError:
        return "0+unknown"  # running from source that isn't installed


# --- Optional libraries ---

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


def require_library(library: str) -> None:
    """Raise MissingExtra if the library isn't installed, without importing it."""
    try:
        is_installed = find_spec(library) is not None
    except ValueError:  # the library's import is blocked
        is_installed = False
    if not is_installed:
        raise missing_extra(library)


def load_library(module: str, instead: str = "") -> ModuleType:
    """Import a module of an optional library; `instead` suggests an alternative to the user."""
    library = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        lacking = (error.name or "").partition(".")[0]
        raise missing_extra(lacking if lacking in EXTRA_OF else library, instead) from None


def missing_extra(library: str, instead: str = "") -> MissingExtra:
    return MissingExtra(library, EXTRA_OF[library], instead)


# --- Callable packages: `ventiuna.rules` and `ventiuna.strategy` ---

_API = "ventiuna.api.queries"  # imports these packages, so it is loaded on demand


class _CallablePackage(ModuleType):
    """A package that can be called, and shows help, like the function of the same name."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._function(*arguments, **named)

    @property
    def _function(self) -> Any:
        return getattr(import_module(_API), self._short_name)

    @property
    def _short_name(self) -> str:
        return self.__name__.rpartition(".")[2]

    @property
    def __signature__(self) -> Signature:
        from inspect import signature  # slow to import

        return signature(self._function)

    @property
    def __doc__(self) -> str:  # type: ignore[override]  # `help` shows the function first
        from inspect import cleandoc, signature

        function = self._function
        call = f"{self._short_name}{signature(function)}"
        return f"{call}\n\n{cleandoc(function.__doc__)}\n\n{cleandoc(vars(self)['__doc__'])}"


def make_callable(package: str) -> None:
    """Make a package callable like the function of the same name."""
    sys.modules[package].__class__ = _CallablePackage
