"""Hands the functions of `core` to Numba, unchanged, and keeps its disk cache honest."""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import config as numba_config
from numba.extending import register_jitable

from ventiuna.core import (
    actions,
    advice,
    blackjacks,
    bonus,
    cards,
    dealer,
    hand,
    jackpot,
    match,
    meters,
    payouts,
    preferences,
    super_bonus,
    table,
)
from ventiuna.core.table import RuleTable

CORE_MODULES = (
    cards, hand, table, bonus, actions, advice, dealer, payouts, match, super_bonus, jackpot,
    meters, blackjacks, preferences,
)  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])


def source_hash() -> str:
    """Names the cache directory: Numba itself does not notice a change in an imported function."""
    package = Path(inspect.getfile(table)).parent.parent
    digest = hashlib.sha256(numba.__version__.encode())
    for folder in ("core", "kernels"):
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "ventiuna" / f"kernels-{source_hash()}"


def _prepare() -> bool:
    """Register `core` and place the cache; False when there is no place to write one."""
    for module in CORE_MODULES:
        for function in vars(module).values():
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                register_jitable(function)
    folder = _cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    settings: Any = numba_config  # made at run time, so its names are unknown to type checkers
    settings.CACHE_DIR = str(folder)
    return os.access(folder, os.W_OK)


CACHED = _prepare()


def compiled(function: F) -> F:
    """Compile for speed: no Python objects, the GIL released, results cached on disk."""
    compile_it: Any = numba.njit(cache=CACHED, nogil=True)
    compiled_function: F = compile_it(function)
    return compiled_function


def is_on_disk(function: Callable[..., Any]) -> bool:
    """Has some process left this function compiled? (Else its first call takes seconds.)"""
    module = function.__module__.rpartition(".")[2]
    return CACHED and any(_cache_folder().rglob(f"{module}.{function.__qualname__}-*.nbi"))


def array_table(rules: RuleTable) -> RuleTable:
    """The same table with arrays in place of tuples, one type for all rules."""
    parts: list[Any] = [
        np.array(part, dtype=np.int64) if isinstance(part, tuple) else part for part in rules
    ]
    return RuleTable(*parts)
