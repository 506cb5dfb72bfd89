"""Decorators for functions that run as machine code.

Normally a kernel is a function of the prebuilt library (`library`), which also contains everything
it calls, so Numba isn't needed. If no library is built, or with `VENTIUNA_KERNELS=jit`, ordinary
`numba.njit` compiles the same functions. With `VENTIUNA_KERNELS=python` they remain plain Python.
"""

from __future__ import annotations

import inspect
import os
import pkgutil
import warnings
from collections.abc import Callable, Iterator
from functools import partial, update_wrapper
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar, cast

from ventiuna import core
from ventiuna.errors import VentiunaError
from ventiuna.kernels.library import (
    CompiledFunction,
    Kind,
    built_level,
    kind_of,
    library,
    source_hash,
)

F = TypeVar("F", bound=Callable[..., object])

# How kernels run in this process.
LIBRARY = "library"
JIT = "jit"
PYTHON = "python"
BUILD = "build"  # while the library is being built
_MODES = (LIBRARY, JIT, PYTHON, BUILD)


class UnknownMode(VentiunaError, ValueError):
    """VENTIUNA_KERNELS has an unknown value."""


class KernelsWarning(UserWarning):
    """Kernels are being compiled on this machine."""


def _choose_mode() -> str:
    requested = os.environ.get("VENTIUNA_KERNELS", "")
    if requested:
        if requested not in _MODES:
            raise UnknownMode(
                f"VENTIUNA_KERNELS must be library, jit or python, not {requested!r}."
            )
        return requested
    if built_level() is not None or find_spec("numba") is None:
        return LIBRARY
    warnings.warn(
        "Ventiuna has no compiled kernels for this platform; Numba compiles them at first use, "
        "which takes up to a minute.",
        KernelsWarning,
        stacklevel=2,
    )
    return JIT


MODE = _choose_mode()
USES_NUMBA = MODE in (JIT, BUILD)


class Kernel:
    """A function of the compiled library, callable from Python."""

    def __init__(self, function: Callable[..., object]) -> None:
        update_wrapper(self, function)
        self.name = kernel_name(function)
        self._functions: dict[tuple[Kind, ...], CompiledFunction] = {}
        self._lock = Lock()

    def __call__(self, *arguments: object) -> Any:
        kinds = tuple([kind_of(argument) for argument in arguments])
        return (self._functions.get(kinds) or self._load(kinds))(arguments)

    def bound(self, *arguments: object) -> Callable[[], object]:
        """Return a callable with these arguments bound; they are converted only once."""
        return self._load(tuple([kind_of(argument) for argument in arguments])).bound(arguments)

    def _load(self, kinds: tuple[Kind, ...]) -> CompiledFunction:
        with self._lock:
            function = self._functions.get(kinds)
            if function is None:
                function = self._functions[kinds] = library().function(self.name, kinds)
            return function


def kernel_name(function: Callable[..., object]) -> str:
    return f"{function.__module__.removeprefix('ventiuna.kernels.')}.{function.__name__}"


def compiled(function: F) -> F:
    """Compile a function called from Python; it runs without the GIL."""
    if USES_NUMBA:
        return cast(F, _njit(function))
    return cast(F, Kernel(function)) if MODE == LIBRARY else function


def compiled_within(function: F) -> F:
    """Compile a function as part of its compiled callers; called from Python, it runs as Python."""
    return cast(F, _jitable(function)) if USES_NUMBA else function


def bound(kernel: Callable[..., object], *arguments: object) -> Callable[[], object]:
    """Return a reusable call of a kernel with these arguments; array contents may change."""
    if isinstance(kernel, Kernel):
        return kernel.bound(*arguments)
    return partial(kernel, *arguments)


def core_functions() -> Iterator[Callable[..., object]]:
    """Yield every function in `core`; all of them must stay compilable."""
    for found in pkgutil.iter_modules(core.__path__, f"{core.__name__}."):
        module = import_module(found.name)
        for function in vars(module).values():
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                yield function


# --- Compiling with Numba ---

if USES_NUMBA:
    import numba
    from numba.extending import register_jitable

    _OPTIONS: dict[str, Any] = {"nogil": True}
    if MODE == BUILD:  # the library is called through `ctypes`
        _OPTIONS |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

    def _jitable(function: Callable[..., object]) -> Any:
        return register_jitable(**_OPTIONS)(function)

    def _njit(function: Callable[..., object]) -> Any:
        if MODE == BUILD:
            return numba.njit(**_OPTIONS)(function)
        # Numba's disk cache doesn't notice changes in functions from other files, so the folder is
        # named after a hash of all of them.
        settings: Any = numba.config
        before = settings.CACHE_DIR
        settings.CACHE_DIR = str(_cache_folder())
        try:
            return numba.njit(cache=True, **_OPTIONS)(function)
        except RuntimeError:  # the folder isn't writable
            return numba.njit(**_OPTIONS)(function)
        finally:
            settings.CACHE_DIR = before

    def _cache_folder() -> Path:
        caches = os.environ.get("XDG_CACHE_HOME", "")
        home = Path(caches) if Path(caches).is_absolute() else Path("~/.cache").expanduser()
        return home / "ventiuna" / f"jit-{source_hash()}"

    for _function in core_functions():
        _jitable(_function)
