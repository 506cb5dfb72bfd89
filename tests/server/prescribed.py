"""`ventiuna` as users start it; with a shoe that a test prescribed, where it names one."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from unittest.mock import patch

from ventiuna.cards import parse_cards
from ventiuna.table.shoes.entropy import TestEntropy

CARDS = "TEST_CARDS"  # in the environment
SLOW_COACH = "TEST_SLOW_COACH"
LOST_AFTER = "TEST_LOST_AFTER"  # milliseconds


def entropy_of(cards: str) -> TestEntropy:
    """The same for whoever opens the house and for each process that serves it."""
    return TestEntropy(21, [parse_cards(cards)])


def main() -> None:
    from ventiuna.cli import main as program

    # As in a terminal: tests that a shell runs in the background ignore Ctrl-C, and so would this.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if SLOW_COACH in os.environ:
        from ventiuna.server import coach

        coach._prepare = lambda: time.sleep(10_000)
    if LOST_AFTER in os.environ:
        from ventiuna.table.persons import presence

        presence.LOST_AFTER = int(os.environ[LOST_AFTER])
    if CARDS not in os.environ:
        program()
        return
    from ventiuna.server import house, serving

    os.environ["VENTIUNA_TEST"] = "yes"
    opening = partial(house.open_house, entropy=entropy_of(os.environ[CARDS]))
    with patch.object(serving, "open_house", opening):
        program()
