"""The exact kernels as plain Python, without a compiler, return the same values on a small case."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests import IS_SOAK
from tests.analysis.base_game.comparing import pack
from ventiuna.analysis.base_game.analyzer import hand_values

RULES = "wsgc-spanish-21"
# A pair that may be split takes ten seconds to analyze.
HAND, UP = ("9c 9d" if IS_SOAK else "9c 7d"), "6h"
SHOE = "9c*2 Kc*8 7c*2 8d"
QUESTION = f"""
import json
from tests.analysis.base_game.comparing import pack
from ventiuna.analysis.base_game.analyzer import hand_values
from ventiuna.kernels.jit import MODE
assert MODE == "python"
found = hand_values({RULES!r}, {HAND!r}, {UP!r}, pack({SHOE!r}))
print(json.dumps({{action.action: action.ev for action in found.actions}}))
"""


def test_kernels_run_as_plain_python() -> None:
    done = subprocess.run(
        [sys.executable, "-c", QUESTION],
        env={**os.environ, "VENTIUNA_KERNELS": "python"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    compiled = hand_values(RULES, HAND, UP, pack(SHOE))
    expected = {action.action: action.ev for action in compiled.actions}
    assert json.loads(done.stdout) == pytest.approx(expected, abs=1e-14)
    assert ("split" in expected) == IS_SOAK
