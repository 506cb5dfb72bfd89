"""`ventiuna` as users start it, but with a shoe or settings chosen by the test."""

from __future__ import annotations

import os
import signal
import sys
import time
from functools import partial
from typing import TYPE_CHECKING
from unittest.mock import patch

from tests.support.entropy import TestEntropy
from ventiuna.cards import parse_cards

if TYPE_CHECKING:
    from ventiuna.server.analysis_pool import AnalysisPool

CARDS = "TEST_CARDS"  # an environment variable, like the other TEST_ names
NO_ANALYSIS = "TEST_NO_ANALYSIS"  # skips warming up the coach and the studies, which is slow
SLOW_COACH = "TEST_SLOW_COACH"
LOST_AFTER = "TEST_LOST_AFTER"  # milliseconds
BLOCK = 20_000  # rounds between progress checks when blocks are small
SMALL_BLOCKS = "TEST_SMALL_BLOCKS"
SIMULATION = f"""
from ventiuna.simulation import plan
plan.DEFAULT_BLOCK = {BLOCK}
from ventiuna.server.simulation_worker import main
raise SystemExit(main())
"""


def entropy_of(cards: str) -> TestEntropy:
    """The same entropy for opening the house and for each process that serves it."""
    return TestEntropy(21, [parse_cards(cards)])


async def _open(analysis_pool: AnalysisPool) -> None:
    analysis_pool.open()


def main() -> None:
    from ventiuna.cli import main as program

    # Restore the terminal's behavior: tests run in the background by a shell ignore Ctrl-C, and so
    # would this process.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if NO_ANALYSIS in os.environ:
        from ventiuna.server import analysis_pool
        from ventiuna.server.analysis_pool import AnalysisPool

        analysis_pool._warm_up = lambda: None
        setattr(AnalysisPool, "start", _open)  # noqa: B010
    if SMALL_BLOCKS in os.environ:
        from ventiuna.server import jobs

        jobs.PROGRAM = (sys.executable, "-c", SIMULATION)
    if SLOW_COACH in os.environ:
        from ventiuna.server import analysis_pool

        analysis_pool._warm_up = lambda: time.sleep(10_000)
    if LOST_AFTER in os.environ:
        from ventiuna.table import presence

        presence.LOST_AFTER = int(os.environ[LOST_AFTER])
    if CARDS not in os.environ:
        program()
        return
    from ventiuna.server import serve

    os.environ["VENTIUNA_TEST"] = "yes"
    opening = partial(serve.open_house, entropy=entropy_of(os.environ[CARDS]))
    with patch.object(serve, "open_house", opening):
        program()
