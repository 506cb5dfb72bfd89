"""The first use ever compiles on two cores: splits, a third of the work, in a process of their own.

Compiled kernels are left on disk, and this process finds the splits there when it comes to them.
Where no process can be started, or it fails, nothing is lost but time.
"""

from __future__ import annotations

import subprocess
import sys
from threading import Lock

import numpy as np

from ventiuna.kernels.exact.dealer import TOTALS
from ventiuna.kernels.exact.game import value_splits
from ventiuna.kernels.exact.lattice import VALUES
from ventiuna.kernels.exact.records import (
    GAME,
    PLAYS,
    SCRATCH,
    SPLITS,
    STRATEGY,
    SUITED_PLAYS,
    new_record,
)
from ventiuna.kernels.jit import CACHED, is_on_disk

LONGEST_WAIT = 120.0  # seconds
_COMPILE = f"from {__name__} import compile_splits; compile_splits()"
_lock = Lock()
_companion: subprocess.Popen[bytes] | None = None
_begun = False


def begin() -> None:
    """Start the companion, once, if there is something for it to do."""
    global _companion, _begun
    with _lock:
        if _begun:
            return
        _begun = True
        if not CACHED or is_on_disk(value_splits):
            return
        quiet = subprocess.DEVNULL
        try:
            _companion = subprocess.Popen(
                [sys.executable, "-c", _COMPILE], stdin=quiet, stdout=quiet, stderr=quiet
            )
        except OSError:
            return


def wait_for_splits() -> None:
    """Until the companion has compiled them; else they are compiled here."""
    global _companion
    with _lock:
        if _companion is None:
            return
        try:
            _companion.wait(LONGEST_WAIT)
        except subprocess.TimeoutExpired:
            _companion.kill()
        _companion = None


def compile_splits() -> None:
    """No pair at all: the kernel is compiled and does nothing."""
    none = np.zeros(0, dtype=np.int64)
    no_chances = np.zeros((0, VALUES, TOTALS))
    value_splits(
        new_record(GAME),
        none,
        none,
        no_chances,
        no_chances,
        new_record(STRATEGY),
        new_record(PLAYS),
        new_record(SUITED_PLAYS),
        new_record(SPLITS),
        new_record(PLAYS),
        new_record(SCRATCH),
    )
