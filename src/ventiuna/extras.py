"""Libraries that the bare package lives without, and the extra that brings each."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from ventiuna.errors import MissingExtra

EXTRA_OF = {
    "typer": "cli",
    "rich": "cli",
    "numpy": "math",
    "numba": "math",
    "llvmlite": "math",
    "fpdf": "print",
    "dask": "cluster",
    "distributed": "cluster",
    "pyarrow": "arrow",
    "pandas": "pandas",
    "polars": "polars",
    "sqlalchemy": "table",
    "alembic": "table",
    "psycopg": "postgres",
    "argon2": "server",
    "fastapi": "server",
    "prometheus_client": "server",
    "pydantic": "server",
    "uvicorn": "server",
    "websockets": "server",
    "gymnasium": "envs",
    "pettingzoo": "envs",
}


def require(*libraries: str) -> None:
    """Refuse with one sentence where a library is missing; none of them is loaded."""
    for library in libraries:
        if not _is_installed(library):
            raise missing(library)


def load(module: str, instead: str = "") -> ModuleType:
    """The module of such a library; `instead` is what else the user may do."""
    library = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise missing(_brought_by_extra(error) or library, instead) from None


def missing(library: str, instead: str = "") -> MissingExtra:
    return MissingExtra(library, EXTRA_OF[library], instead)


def extra_missing(error: ImportError) -> MissingExtra | None:
    """The error as a missing extra, if that is what it tells."""
    if isinstance(error, MissingExtra):
        return error
    library = _brought_by_extra(error)
    return missing(library) if library else None


def _brought_by_extra(error: ImportError) -> str:
    library = (error.name or "").partition(".")[0]
    return library if library in EXTRA_OF else ""


def _is_installed(library: str) -> bool:
    try:
        return find_spec(library) is not None
    except (ImportError, ValueError):  # something half loaded, or kept from loading
        return False
