"""Numba as a compiler and nothing else: a function and the types of its arguments to code.

The functions of `core` are handed to Numba unchanged. Parts are optimised once, inside the
kernel that calls them, and nothing of ours enters Numba's own engine or settings. Only this
module imports Numba, and it is imported only when something must be compiled.
"""

from __future__ import annotations

import ctypes
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import AnnotateTypes
from numba.extending import register_jitable

from ventiuna import core
from ventiuna.errors import VentiunaError
from ventiuna.kernels.arguments import Kind, words_of
from ventiuna.kernels.machine_code import Code, Run
from ventiuna.kernels.memory import memory_module

_POINTER_WORD = "ptr"
_WORD_NAMES = {
    ctypes.c_void_p: _POINTER_WORD,
    ctypes.c_int64: "i64",
    ctypes.c_double: "double",
    ctypes.c_uint8: "i8",
}
_SYSTEM = ("malloc", "free", "mem", "llvm.", "exp", "log", "pow", "floor", "ceil", "sqrt", "fmod")


class UnknownCalls(VentiunaError, RuntimeError):
    """This version of Numba calls its functions in a way that we don't know."""


# --- what becomes of a compiled function ------------------------------------------------------


class _PartLibrary(JITCodeLibrary):
    """Of a function that others call: optimised with them, never run by itself."""

    @property
    def codegen(self) -> type[_NoEnvironment]:
        return _NoEnvironment

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0


class _KernelLibrary(_PartLibrary):
    """Of a function that Python calls: kept as an object file."""

    machine = b""

    def _optimize_final_module(self) -> None:
        self._final_module.link_in(llvm.parse_assembly(str(memory_module())))
        JITCodeLibrary._optimize_final_module(self)

    def _finalize_final_module(self) -> None:
        super()._finalize_final_module()
        self.machine = self._codegen._tm.emit_object(self._final_module)


class _NoEnvironment:
    """Numba's functions know the Python module they come from; ours need none."""

    @staticmethod
    def set_env(name: str, environment: object) -> None:
        pass


class _ChooseLibrary(LoweringPass):
    library: type[_PartLibrary]

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class _AsPart(_ChooseLibrary):
    _name = "ventiuna_part"
    library = _PartLibrary


@register_pass(mutates_CFG=False, analysis_only=True)
class _AsKernel(_ChooseLibrary):
    _name = "ventiuna_kernel"
    library = _KernelLibrary


class _PartCompiler(CompilerBase):
    choice: type[_ChooseLibrary] = _AsPart

    def define_pipelines(self) -> list[object]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(self.choice, AnnotateTypes)
        manager.finalize()
        return [manager]


class _KernelCompiler(_PartCompiler):
    choice = _AsKernel


# Without bridges from Python: those of ours are in `machine_code`.
_OPTIONS: dict[str, Any] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_PART_OPTIONS: dict[str, Any] = {**_OPTIONS, "pipeline_class": _PartCompiler}


def core_functions() -> Iterator[Callable[..., object]]:
    """Every function of `core`: all of it must stay compilable."""
    for found in pkgutil.iter_modules(core.__path__, f"{core.__name__}."):
        module = import_module(found.name)
        for function in vars(module).values():
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                yield function


for _function in core_functions():
    register_jitable(**_PART_OPTIONS)(_function)


def as_part(function: Callable[..., object], inline: bool = False) -> Any:
    """What Numba takes it for where another function calls it."""
    if inline:
        return numba.njit(inline="always", **_PART_OPTIONS)(function)
    return numba.njit(**_PART_OPTIONS)(function)


def called_through_numba(function: Callable[..., object]) -> Run:
    """Where we don't know how to call it, Numba does; nothing is kept on disk then."""
    return _ThroughNumba(numba.njit(nogil=True)(function))


@dataclass(frozen=True)
class _ThroughNumba:
    dispatcher: Callable[..., object]

    def __call__(self, arguments: Sequence[object]) -> object:
        return self.dispatcher(*arguments)

    def bound(self, arguments: Sequence[object]) -> Callable[[], object]:
        return partial(self.dispatcher, *arguments)


# --- compiling --------------------------------------------------------------------------------


def compile_form(
    function: Callable[..., object], arguments: Sequence[object], kinds: Sequence[Kind]
) -> Code:
    """Machine code for arguments of these types."""
    dispatcher = numba.njit(pipeline_class=_KernelCompiler, **_OPTIONS)(function)
    signature = tuple(_type_of(argument) for argument in arguments)
    dispatcher.compile(signature)
    result = dispatcher.overloads[signature]
    symbol = result.fndesc.llvm_func_name
    _check_words(result.library.get_function(symbol), kinds)
    _check_names(result.library)
    return Code(
        symbol=symbol,
        result="none" if result.signature.return_type == types.none else _result_name(result),
        machine=result.library.machine,
    )


def _result_name(result: Any) -> str:
    return str(result.signature.return_type)


def _type_of(argument: Any) -> Any:
    """Numba's type for it; whether an array may be written to makes no other code."""
    found = numba.typeof(argument)
    if isinstance(found, types.Array):
        return found.copy(readonly=False)
    if isinstance(found, types.BaseNamedTuple):
        parts = [_type_of(part) for part in argument]
        return types.NamedTuple(parts, type(argument))
    return found


def _check_words(function: Any, kinds: Sequence[Kind]) -> None:
    """Does the function take what we would hand it?"""
    ours = [_POINTER_WORD, _POINTER_WORD]
    ours += [_WORD_NAMES[word] for kind in kinds for word in words_of(kind)]
    theirs = [str(argument.type) for argument in function.arguments]
    theirs = [_POINTER_WORD if word.endswith("*") else word for word in theirs]
    if ours != theirs:
        raise UnknownCalls(f"Numba {numba.__version__}: {function.name} takes {theirs}")


def _check_names(library: Any) -> None:
    """Is everything it calls in the code itself or in every process?"""
    text = str(library._final_module)
    for function in library._final_module.functions:
        is_foreign = function.is_declaration and not function.name.startswith(_SYSTEM)
        if is_foreign and text.count(f"@{function.name}(") > 1:  # once where it is declared
            raise UnknownCalls(f"Numba {numba.__version__}: it calls {function.name}")
