"""A client that knows no rules can play using only views and options."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from tests import IS_SOAK
from tests.support import client
from tests.support.client_rounds import ClientTally, play_as_client
from tests.support.rule_sets import random_choices, random_rules
from ventiuna.engine.events import Wager
from ventiuna.engine.options import ActionOption, _action
from ventiuna.engine.state import RoundState, Spot
from ventiuna.engine.wagers import WagerOption, wager_options
from ventiuna.rules import load_rules, preset_ids
from ventiuna.testing.invariants import InvariantBroken

ROUNDS = 40
OPTIONS = import_module("ventiuna.engine.options")  # the package exports a function with this name


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
    assert ours == {"ventiuna.engine.codec", "ventiuna.engine.events"}


@pytest.mark.parametrize("preset", preset_ids())
def test_every_preset_can_be_played_from_options_only(preset: str) -> None:
    tally = play_as_client(load_rules(preset), ROUNDS, 7, probes=0.2)
    assert tally.rounds > 0
    assert tally.probes > 100


def test_any_rules_can_be_played_from_options_only() -> None:
    generator = random.Random(11)
    tally = ClientTally()
    for preset in preset_ids():
        for number in range(12 if IS_SOAK else 5):
            rules = random_choices(load_rules(preset), preset, generator)
            tally.add(play_as_client(rules, 6, number))
    for number in range(100 if IS_SOAK else 40):
        tally.add(play_as_client(random_rules(generator), 8, number))
    assert tally.rounds > (1_200 if IS_SOAK else 480)
    assert set(tally.waits) == {"wagers", "blackjack_answers", "insurance_answers", "decision"}


# --- the test detects a wrong offer -----------------------------------------------------------


def one_cent_more(option: WagerOption) -> WagerOption:
    return replace(option, most=option.most + option.unit) if option.legal else option


def below_the_least(option: WagerOption) -> WagerOption:
    return replace(option, least=option.least + option.unit) if option.legal else option


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (one_cent_more, "an offered command was refused"),
        (below_the_least, "not offered"),
        (lambda option: replace(option, needs=()), "an offered command was refused"),
        (lambda option: replace(option, legal=option.wager is Wager.HAND), "not offered"),
    ],
)
def test_wrong_offers_of_wagers_are_noticed(
    change: Callable[[WagerOption], WagerOption], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = load_rules("wsgc-2021(down_requires_up=on, jackpots=3c:1:seed=100)")
    wrong = tuple(change(option) for option in wager_options(rules))
    monkeypatch.setattr(OPTIONS, "wager_options", lambda _: wrong)
    with pytest.raises(InvariantBroken, match=told):
        play_as_client(rules, 200, 3, probes=0.5)


def test_wrong_offers_of_actions_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(state: RoundState, spot: Spot, index: int, action: int) -> ActionOption:
        option = _action(state, spot, index, action)
        return replace(option, legal=True) if option.name == "surrender" else option

    monkeypatch.setattr(OPTIONS, "_action", wrong)
    with pytest.raises(InvariantBroken, match="an offered command was refused"):
        play_as_client(load_rules("wsgc-2021"), 200, 3)


def test_wrong_offers_of_insurance_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for factor in (1, 4):
        monkeypatch.setattr(
            OPTIONS,
            "maximum_insurance_in_chips",
            lambda base, unit, by=factor: base * by // 4 // unit * unit,
        )
        with pytest.raises(InvariantBroken, match=r"not offered|was refused"):
            play_as_client(load_rules("wsgc-2021"), 400, 3, probes=0.5)
