"""Compiling the parts of the exact kernels, so that the first use does not take too long."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.extending import register_jitable

F = TypeVar("F", bound=Callable[..., Any])

# Parts are called by compiled functions alone: no bridge to Python, nothing of their own on disk.
_PART: dict[str, Any] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled_within(function: F) -> F:
    """Compile as a part of whatever calls it."""
    part: Any = numba.njit(**_PART)
    compiled: F = part(function)
    return compiled


def inlined(function: F) -> F:
    """A line or two, written into whatever calls it before it is compiled."""
    register_jitable(inline="always")(function)
    return function
