"""The kernels' source gives the same results with the compiler switched off."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests import IS_SOAK
from tests.simulation.plain_python import CASES, digest_of


def test_kernels_without_the_compiler_count_the_same() -> None:
    cases = list(CASES) if IS_SOAK else ["every wager"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.simulation.plain_python", *cases],
        env={**os.environ, "VENTIUNA_KERNELS": "python"},
        capture_output=True,
        text=True,
        check=True,
    )
    plain = json.loads(done.stdout)
    assert plain == {name: digest_of(CASES[name]) for name in cases}
