"""Simulated houses: forty seeds with all their faults, and those that once found something."""

from __future__ import annotations

import pytest

from ventiuna.testing.simulated.failing import run

SEEDS = range(1, 41)
COMMANDS = 60  # of each; the soak plays longer


@pytest.mark.parametrize("seed", SEEDS)
def test_a_house_loses_nothing_whatever_dies(seed: int) -> None:
    ran = run(seed, commands=COMMANDS)
    assert ran.commands >= COMMANDS


def test_the_same_seed_is_the_same_house() -> None:
    assert run(3, commands=COMMANDS) == run(3, commands=COMMANDS)
