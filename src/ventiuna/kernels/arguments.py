"""How arguments reach compiled code: which form of a kernel they ask for, and as which words.

Compiled functions take what Numba's do: records as a pointer, arrays as their header, tuples
part by part. A form is named by the types alone, in words that are the same in every process.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

Kind = tuple[Any, ...]  # of one argument; hashable and quick to make
Word = ctypes.c_int64 | ctypes.c_double | ctypes.c_uint8 | ctypes.c_void_p
Pack = Callable[[Any, list[object]], None]  # appends an argument's words

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
    """What decides the machine code that is needed for it."""
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
    raise TypeError(f"{type(argument).__name__} can't be handed to compiled code")


def form_name(kinds: Sequence[Kind]) -> str:
    """The same for the same types, in every process."""
    return sha256(_kinds_text(kinds).encode()).hexdigest()[:16]


def _kinds_text(kinds: Sequence[Kind]) -> str:
    return "(" + ",".join(_part_text(kind) for kind in kinds) + ")"


def _part_text(part: object) -> str:
    if isinstance(part, tuple):
        return _kinds_text(part)
    return repr(part) if isinstance(part, np.dtype) else str(part)


# --- words ------------------------------------------------------------------------------------


def words_of(kind: Kind) -> list[type[Word]]:
    """The C types of an argument, in their order."""
    if kind[0] in _WORDS:
        return [_WORDS[kind[0]]]
    if kind[0] == "record":
        return [ctypes.c_void_p]
    if kind[0] == "array":
        # Owner, parent, items, bytes of an item, data, shape, strides.
        pointer: type[Word] = ctypes.c_void_p
        size: type[Word] = ctypes.c_int64
        dimensions: int = kind[2]
        return [pointer, pointer, size, size, pointer, *[size] * (2 * dimensions)]
    return [word for part in kind[2:] for word in words_of(part)]


def packer_of(kind: Kind) -> Pack:
    if kind[0] in _WORDS:
        return _pack_plain
    if kind[0] == "record":
        return _pack_record
    if kind[0] == "array":
        return _pack_array
    return _tuple_packer([packer_of(part) for part in kind[2:]])


def _pack_plain(argument: object, words: list[object]) -> None:
    words.append(argument)


def _pack_record(record: np.void, words: list[object]) -> None:
    words.append(np.frombuffer(record, dtype=np.uint8).ctypes.data)


def _pack_array(array: npt.NDArray[np.generic], words: list[object]) -> None:
    # No owner is named: the caller keeps the array alive.
    words += (None, None, array.size, array.itemsize, array.ctypes.data)
    words += array.shape
    words += array.strides


def _tuple_packer(packers: list[Pack]) -> Pack:
    def pack(parts: Sequence[object], words: list[object]) -> None:
        for packer, part in zip(packers, parts, strict=True):
            packer(part, words)

    return pack
