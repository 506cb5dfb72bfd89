"""Machine code as bytes, and made callable. Needs llvmlite alone: loading Numba takes longer."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

import llvmlite.binding as llvm

from ventiuna.errors import VentiunaError
from ventiuna.kernels.arguments import Kind, Pack, Word, packer_of, words_of

_RESULTS: dict[str, type[Word]] = {
    "int64": ctypes.c_int64,
    "float64": ctypes.c_double,
    "bool": ctypes.c_uint8,
    "none": ctypes.c_void_p,
}


class Run(Protocol):
    """A compiled form that can be called."""

    def __call__(self, arguments: Sequence[object]) -> object:
        """With all arguments in one."""

    def bound(self, arguments: Sequence[object]) -> Callable[[], object]:
        """A call with these arguments, made ready once."""


# What a compiled function says of itself when it comes back.
_DONE = (0, -2)


class KernelError(VentiunaError, ArithmeticError):
    """A compiled function met what it can't calculate with, such as a division by zero."""


@dataclass(frozen=True)
class Code:
    """One compiled form of a function."""

    symbol: str
    result: str  # its type
    machine: bytes  # an object file


class _Engine:
    """Takes object files into this process. They stay until it ends."""

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_triple(llvm.get_process_triple())
        machine = target.create_target_machine(codemodel="jitdefault", jit=True)
        self._next = b""
        self._engine = llvm.create_mcjit_compiler(self._empty("ventiuna"), machine)
        self._engine.set_object_cache(None, lambda module: self._next)

    @staticmethod
    def _empty(name: str) -> llvm.ModuleRef:
        module = llvm.parse_assembly("")
        module.name = name
        module.triple = llvm.get_process_triple()
        return module

    def address(self, code: Code) -> int:
        """Where the function now is."""
        # An empty module, for which LLVM asks the cache: the same way Numba's own cache takes.
        self._next = code.machine
        self._engine.add_module(self._empty(code.symbol))
        self._engine.finalize_object()
        return int(self._engine.get_function_address(code.symbol))


_lock = Lock()
_engine: _Engine | None = None


def callable_code(name: str, code: Code, kinds: Sequence[Kind]) -> Run:
    """A Python function that runs it, without the interpreter's lock."""
    global _engine
    with _lock:
        if _engine is None:
            _engine = _Engine()
        address = _engine.address(code)
    words = [word for kind in kinds for word in words_of(kind)]
    function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *words)(address)
    return _MachineCode(name, function, words, [packer_of(kind) for kind in kinds], code.result)


@dataclass(frozen=True)
class _MachineCode:
    """A function in memory, and how Python's arguments become its words."""

    name: str
    function: Callable[..., int]
    words: list[type[Word]]
    packers: list[Pack]
    result: str

    def __call__(self, arguments: Sequence[object]) -> object:
        return self._call(self._packed(arguments))

    def bound(self, arguments: Sequence[object]) -> Callable[[], object]:
        """Words are made once: whoever calls again and again with the same arrays saves that."""
        packed = self._packed(arguments)
        made = [
            word(value)  # type: ignore[arg-type]
            for word, value in zip(self.words, packed, strict=True)
        ]

        def call(_kept: Sequence[object] = arguments) -> object:
            # Words name no owner: what they point to lives as long as this function.
            return self._call(made)

        return call

    def _packed(self, arguments: Sequence[object]) -> list[object]:
        found: list[object] = []
        for pack, argument in zip(self.packers, arguments, strict=True):
            pack(argument, found)
        return found

    def _call(self, packed: Sequence[object]) -> object:
        result, problem = _RESULTS[self.result](), ctypes.c_void_p()
        status = self.function(ctypes.addressof(result), ctypes.addressof(problem), *packed)
        if status not in _DONE:
            raise KernelError(f"{self.name} met what it can't calculate with")
        return bool(result.value) if self.result == "bool" else result.value
