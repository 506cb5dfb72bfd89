"""The kernels' source says the same with the compiler switched off."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.simulation.plain_python import CASES, digest_of


def test_kernels_without_the_compiler_count_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.simulation.plain_python"],
        env={**os.environ, "VENTIUNA_KERNELS": "python"},
        capture_output=True,
        text=True,
        check=True,
    )
    plain = json.loads(done.stdout)
    assert plain == {name: digest_of(plan) for name, plan in CASES.items()}
