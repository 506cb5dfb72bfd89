"""The compiled kernels: one shared library per processor level, loaded with `ctypes`.

The build (`tools/build_kernels.py`) writes `built/LEVEL.so` and `built/LEVEL.json`, which contains
the hashes of the sources and of the library, and the argument types each kernel was compiled for. A
library built from different sources is refused, so that outdated rules are never played. So is a
damaged one, which would crash the process.

Compiled functions take arguments the way Numba's do: records as a pointer, arrays as a header,
tuples part by part.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import platform
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ventiuna.errors import VentiunaError

PACKAGE = Path(__file__).parent.parent
BUILT = Path(__file__).parent / "built"
REBUILD = "Rebuild them with `make setup` in a checkout, or reinstall Ventiuna."

# From the fastest level to the baseline of each architecture.
LEVELS = {"x86_64": ("x86-64-v3", "x86-64"), "aarch64": ("aarch64",)}
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}  # other names for the same architectures
# As spelled in /proc/cpuinfo.
_V3_FLAGS = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}

Kind = tuple[Any, ...]  # type of one argument; hashable and cheap to create
Word = ctypes.c_int64 | ctypes.c_double | ctypes.c_uint8 | ctypes.c_void_p
Pack = Callable[[Any, list[object]], None]  # appends an argument's words


class KernelsUnavailable(VentiunaError, RuntimeError):
    """No compiled kernels fit this machine, or they don't match the sources."""


class KernelError(VentiunaError, ArithmeticError):
    """A compiled function failed, for example by dividing by zero."""


# --- Selecting the library ---


def source_hash(package: Path = PACKAGE) -> str:
    """Hash of everything that is compiled: `core` and `kernels`."""
    digest = hashlib.sha256()
    for folder in ("core", "kernels"):
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def machine_levels() -> tuple[str, ...]:
    """Return the levels this machine can run, best first; empty if none is built for it."""
    if platform.system() != "Linux":
        return ()
    machine = platform.machine().lower()
    levels = LEVELS.get(_MACHINES.get(machine, machine), ())
    return levels if "x86-64-v3" not in levels or _has_v3() else levels[1:]


def _has_v3() -> bool:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            flags = next((line for line in file if line.startswith("flags")), "")
    except OSError:
        return False
    return set(flags.split()) >= _V3_FLAGS


def built_level() -> str | None:
    """Return the best built level that this machine can run."""
    for level in machine_levels():
        if (BUILT / f"{level}.json").is_file():
            return level
    return None


def file_hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def checked_kernels(folder: Path, level: str, sources: str) -> dict[str, Any]:
    """Return the kernel table of a level if its library is intact and built from these sources."""
    try:
        table = json.loads((folder / f"{level}.json").read_text("utf-8"))
        is_current = table["sources"] == sources
        is_whole = not is_current or (
            table["library"] == file_hash((folder / f"{level}.so").read_bytes())
        )
        kernels: dict[str, Any] = table["kernels"]
    except OSError as error:
        raise KernelsUnavailable(
            f"The compiled kernels ({level}) can't be loaded: {error}. {REBUILD}"
        ) from None
    except (ValueError, KeyError, TypeError):
        is_current, is_whole, kernels = True, False, {}
    if not is_current:
        raise KernelsUnavailable(
            f"The compiled kernels ({level}) are older or newer than the sources. {REBUILD}"
        )
    if not is_whole:
        raise KernelsUnavailable(f"The compiled kernels ({level}) are damaged. {REBUILD}")
    return kernels


class Library:
    """A loaded shared library and its table of kernels."""

    def __init__(self, folder: Path, level: str, sources: str) -> None:
        self.level = level
        self.kernels: dict[str, dict[str, dict[str, str]]] = checked_kernels(folder, level, sources)
        try:
            self._functions = ctypes.CDLL(str(folder / f"{level}.so"))
        except OSError as error:
            raise KernelsUnavailable(
                f"The compiled kernels ({level}) can't be loaded: {error}. {REBUILD}"
            ) from None

    def function(self, name: str, kinds: Sequence[Kind]) -> CompiledFunction:
        """Return the kernel `name` compiled for arguments of these types."""
        entry = self.kernels.get(name, {}).get(kinds_text(kinds))
        if entry is None:
            raise KernelsUnavailable(
                f"{name} was not built for ({kinds_text(kinds)}): add it to the signatures."
            )
        try:
            function = self._functions[entry["symbol"]]
        except AttributeError:
            raise KernelsUnavailable(
                f"The compiled kernels ({self.level}) don't match their table. {REBUILD}"
            ) from None
        return CompiledFunction(name, function, kinds, entry["result"])


@cache
def library() -> Library:
    """Return the library for this machine, loaded once per process."""
    level = built_level()
    if level is None:
        raise KernelsUnavailable(
            "This platform has no compiled kernels. Install `ventiuna[jit]` to compile them here."
        )
    return Library(BUILT, level, source_hash())


# --- Arguments ---

_INT: Kind = ("int64",)
_FLOAT: Kind = ("float64",)
_BOOL: Kind = ("bool",)
_NONE: Kind = ("none",)
_SIMPLE: dict[type, Kind] = {
    int: _INT,
    float: _FLOAT,
    bool: _BOOL,
    type(None): _NONE,
    np.int64: _INT,
    np.float64: _FLOAT,
    np.bool_: _BOOL,
}
_WORDS: dict[str, type[Word]] = {
    "int64": ctypes.c_int64,
    "float64": ctypes.c_double,
    "bool": ctypes.c_uint8,
    "none": ctypes.c_void_p,
}


def kind_of(argument: object) -> Kind:
    """Return the parts of an argument's type that affect the machine code."""
    simple = _SIMPLE.get(type(argument))
    if simple is not None:
        return simple
    if isinstance(argument, np.ndarray):
        order = "C" if argument.flags.c_contiguous else "A"
        return ("array", argument.dtype, argument.ndim, order)
    if isinstance(argument, np.void):
        return ("record", argument.dtype)
    if isinstance(argument, tuple):
        return ("tuple", type(argument).__name__, *map(kind_of, argument))
    raise TypeError(f"compiled code can't accept a {type(argument).__name__}")


def kinds_text(kinds: Sequence[Kind]) -> str:
    """Return a stable description of the types, equal in all processes and NumPy versions."""
    return ", ".join(_kind_text(kind) for kind in kinds)


def _kind_text(kind: Kind) -> str:
    if kind[0] == "array":
        _, dtype, dimensions, order = kind
        return f"{_dtype_text(dtype)}[{dimensions}{order}]"
    if kind[0] == "record":
        return _dtype_text(kind[1])
    if kind[0] == "tuple":
        return f"{kind[1]}({kinds_text(kind[2:])})"
    return str(kind[0])


@cache
def _dtype_text(dtype: np.dtype[Any]) -> str:
    if dtype.fields is None:
        return dtype.str[1:]
    layout = repr([(name, *_field_layout(*field)) for name, field in dtype.fields.items()])
    return f"record{dtype.itemsize}-{hashlib.sha256(layout.encode()).hexdigest()[:12]}"


def _field_layout(dtype: np.dtype[Any], offset: int, *_: object) -> tuple[object, ...]:
    return (_dtype_text(dtype.base), dtype.shape, offset)


def words_of(kind: Kind) -> list[type[Word]]:
    """Return the C types of an argument, in order."""
    if kind[0] in _WORDS:
        return [_WORDS[kind[0]]]
    if kind[0] == "record":
        return [ctypes.c_void_p]
    if kind[0] == "array":
        # Fields of an array: owner, parent, number of items, item size, data, shape, strides.
        pointer: type[Word] = ctypes.c_void_p
        size: type[Word] = ctypes.c_int64
        dimensions: int = kind[2]
        return [pointer, pointer, size, size, pointer, *[size] * (2 * dimensions)]
    return [word for part in kind[2:] for word in words_of(part)]


def _packer_of(kind: Kind) -> Pack:
    if kind[0] in _WORDS:
        return _pack_plain
    if kind[0] == "record":
        return _pack_record
    if kind[0] == "array":
        return _pack_array
    return _tuple_packer([_packer_of(part) for part in kind[2:]])


def _pack_plain(argument: object, words: list[object]) -> None:
    words.append(argument)


def _pack_record(record: np.void, words: list[object]) -> None:
    words.append(np.frombuffer(record, dtype=np.uint8).ctypes.data)


def _pack_array(array: npt.NDArray[np.generic], words: list[object]) -> None:
    # No owner is passed: the caller keeps the array alive.
    words += (None, None, array.size, array.itemsize, array.ctypes.data)
    words += array.shape
    words += array.strides


def _tuple_packer(packers: list[Pack]) -> Pack:
    def pack(parts: Sequence[object], words: list[object]) -> None:
        for packer, part in zip(packers, parts, strict=True):
            packer(part, words)

    return pack


# --- Calls ---

_SUCCESS = (0, -2)  # Numba's status for a returned value and for a returned None


class CompiledFunction:
    """A function of the library, called without the GIL."""

    def __init__(self, name: str, function: Any, kinds: Sequence[Kind], result: str) -> None:
        self.name = name
        self._words = [word for kind in kinds for word in words_of(kind)]
        self._packers = [_packer_of(kind) for kind in kinds]
        self._result = _WORDS[result]
        self._is_bool = result == "bool"
        self._function = function
        function.restype = ctypes.c_int32
        function.argtypes = (ctypes.c_void_p, ctypes.c_void_p, *self._words)

    def __call__(self, arguments: Sequence[object]) -> object:
        return self._call(self._packed(arguments))

    def bound(self, arguments: Sequence[object]) -> Callable[[], object]:
        """Return a callable with these arguments bound; they are converted only once."""
        packed = self._packed(arguments)
        words: list[object] = [
            word(value)  # type: ignore[arg-type]
            for word, value in zip(self._words, packed, strict=True)
        ]

        def call(_kept_alive: Sequence[object] = arguments) -> object:
            return self._call(words)

        return call

    def _packed(self, arguments: Sequence[object]) -> list[object]:
        words: list[object] = []
        for pack, argument in zip(self._packers, arguments, strict=True):
            pack(argument, words)
        return words

    def _call(self, words: Sequence[object]) -> object:
        result, problem = self._result(), ctypes.c_void_p()
        status = self._function(ctypes.addressof(result), ctypes.addressof(problem), *words)
        if status not in _SUCCESS:
            raise KernelError(f"The kernel {self.name} failed with status {status}.")
        return bool(result.value) if self._is_bool else result.value
