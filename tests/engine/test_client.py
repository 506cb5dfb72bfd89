"""A client that knows no rule plays from views and options alone."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from ventiuna.rules import load_rules, preset_ids
from ventiuna.testing import client
from ventiuna.testing.client_rounds import ClientTally, play_as_client
from ventiuna.testing.variations import random_choices, random_rules

ROUNDS = 40


def imported_by(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def test_the_client_imports_neither_rules_nor_core() -> None:
    assert client.__file__ is not None
    ours = {name for name in imported_by(Path(client.__file__)) if name.startswith("ventiuna")}
    assert ours == {"ventiuna.engine.codec", "ventiuna.engine.stakes"}


@pytest.mark.parametrize("preset", preset_ids())
def test_every_preset_is_played_from_options_alone(preset: str) -> None:
    tally = play_as_client(load_rules(preset), ROUNDS, 7, probes=0.2)
    assert tally.rounds > 0
    assert tally.probes > 100


def test_all_options_and_any_rules_are_played_from_options_alone() -> None:
    generator = random.Random(11)
    tally = ClientTally()
    for preset in preset_ids():
        for number in range(12):
            rules = random_choices(load_rules(preset), preset, generator)
            tally.add(play_as_client(rules, 6, number))
    for number in range(100):
        tally.add(play_as_client(random_rules(generator), 8, number))
    assert tally.rounds > 1_200
    assert set(tally.waits) == {"wagers", "blackjack_answers", "insurance_answers", "decision"}
