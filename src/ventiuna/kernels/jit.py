"""The kernels: Python functions that run as machine code.

Numba compiles them, together with the unchanged functions of `core`, when a form is first
needed and is not on disk. It is loaded for nothing else, and its settings stay as they are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property, partial, update_wrapper
from threading import Lock
from typing import Any, TypeVar, cast

from ventiuna.kernels import cache
from ventiuna.kernels.arguments import Kind, form_name, kind_of
from ventiuna.kernels.forms import Form
from ventiuna.kernels.machine_code import Run, callable_code

F = TypeVar("F", bound=Callable[..., object])

# Numba's own switch: the functions stay plain Python.
COMPILES = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


class Part:
    """A function that compiled functions call. Called from Python it is Python."""

    def __init__(self, function: Callable[..., object], inline: bool = False) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._inline = inline

    @cached_property
    def _dispatcher(self) -> Any:
        from ventiuna.kernels.compiler import as_part

        return as_part(self.py_func, self._inline)

    # Numba asks what it meets in a function for these two.

    @property
    def _numba_type_(self) -> object:
        return self._dispatcher._numba_type_

    @property
    def targetoptions(self) -> object:
        return self._dispatcher.targetoptions

    def __call__(self, *arguments: object) -> Any:
        return self.py_func(*arguments)


class Kernel(Part):
    """A function that Python calls and that runs as machine code."""

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)
        self.name = f"{function.__module__.removeprefix('ventiuna.kernels.')}.{function.__name__}"
        self.forms: dict[tuple[Kind, ...], Run] = {}
        self._lock = Lock()

    def __call__(self, *arguments: object) -> Any:
        kinds = tuple([kind_of(argument) for argument in arguments])
        run = self.forms.get(kinds)
        if run is None:
            run = self._form(kinds, arguments)
        return run(arguments)

    def bound(self, *arguments: object) -> Callable[[], object]:
        """A call with these arguments for many times: they are looked at once."""
        return self._form(tuple([kind_of(one) for one in arguments]), arguments).bound(arguments)

    def prepare(self, *arguments: object) -> None:
        """Load or compile what a call with such arguments needs."""
        self._form(tuple([kind_of(argument) for argument in arguments]), arguments)

    def is_ready(self, *arguments: object) -> bool:
        """Is it here or on disk? (Else the first call takes seconds.)"""
        kinds = tuple([kind_of(argument) for argument in arguments])
        return kinds in self.forms or cache.is_kept(self._file_name(kinds))

    def _file_name(self, kinds: Sequence[Kind]) -> str:
        return f"{self.name}-{form_name(kinds)}"

    def _form(self, kinds: tuple[Kind, ...], arguments: Sequence[object]) -> Run:
        with self._lock:
            run = self.forms.get(kinds)
            if run is None:
                run = self.forms[kinds] = self._new_form(kinds, arguments)
            return run

    def _new_form(self, kinds: tuple[Kind, ...], arguments: Sequence[object]) -> Run:
        name = self._file_name(kinds)
        code = cache.load(name)
        if code is None:
            from ventiuna.kernels import compiler

            try:
                code = compiler.compile_form(self.py_func, arguments, kinds)
            except compiler.UnknownCalls:
                return compiler.called_through_numba(self.py_func)
            cache.save(name, code)
        return callable_code(self.name, code, kinds)


def compiled(function: F) -> F:
    """A function that Python calls: compiled, kept on disk, run without the interpreter's lock."""
    return cast(F, Kernel(function)) if COMPILES else function


def bound(kernel: Callable[..., object], *arguments: object) -> Callable[[], object]:
    """A kernel's call with these arguments, to be made many times; arrays may change inside."""
    if isinstance(kernel, Kernel):
        return kernel.bound(*arguments)
    return partial(kernel, *arguments)


def compiled_within(function: F) -> F:
    """Compile as a part of whatever calls it."""
    return cast(F, Part(function)) if COMPILES else function


def inlined(function: F) -> F:
    """A line or two, written into whatever calls it before it is compiled."""
    return cast(F, Part(function, inline=True)) if COMPILES else function


def kernel_form(
    part: str,
    kernel: Any,
    arguments: Callable[[], Sequence[object]],
    seconds: float,
    name: str = "",
) -> Form:
    """The form of a kernel that such arguments ask for."""

    def is_ready() -> bool:
        return not COMPILES or bool(kernel.is_ready(*arguments()))

    def prepare() -> None:
        if COMPILES:
            kernel.prepare(*arguments())

    return Form(part, name or kernel.__name__, seconds, is_ready, prepare)
