"""The value of each event: the parts add up to the edge, and the simulator's counts agree."""

from __future__ import annotations

import math
import re
from functools import cache

import pytest

from tests import IS_SOAK
from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.base_game.outcomes import RoundEvents, round_events
from ventiuna.analysis.side_bets.insurance import blackjack_frequencies
from ventiuna.rules import load_rules
from ventiuna.simulation.figures import event_lines
from ventiuna.simulation.run import simulate

ROUNDS = 1_000_000
BASE = 500
PRESETS = ["casino-card(double_double=on)", "super-fun-21"]
PRESETS += ["wsgc-2021", "blackjack"] * IS_SOAK


@cache
def with_super_bonus(name: str) -> RoundEvents:
    return round_events(load_rules(name), BASE, super_bonus=True)


@pytest.mark.parametrize("name", PRESETS)
def test_parts_add_up_to_the_value_and_outcomes_to_the_hands(name: str) -> None:
    rules = load_rules(name)
    found = round_events(rules)
    assert found.total == pytest.approx(analyze(rules).ev, abs=1e-14)
    assert sum(event.count for event in found.events) == pytest.approx(found.hands, abs=1e-12)
    assert len({event.name for event in found.events}) == len(found.events)
    assert list(found.doubled) == sorted(found.doubled, reverse=True)
    dealer = next(event for event in found.events if event.name.startswith("dealer blackjack"))
    frequencies = blackjack_frequencies(rules)
    assert dealer.count == pytest.approx(float(frequencies.dealer - frequencies.both), abs=1e-14)
    assert dealer.part == -dealer.count


def test_the_super_bonus_is_an_event_only_for_a_qualifying_wager() -> None:
    rules = load_rules("catfish-bend")
    found = with_super_bonus("catfish-bend")
    assert found.total == pytest.approx(analyze(rules, base=BASE, super_bonus=True).ev, abs=1e-14)
    bonus = next(event for event in found.events if event.name.startswith("Super Bonus"))
    assert bonus.one_in == pytest.approx(668_382, rel=1e-9)
    assert bonus.part == pytest.approx(1000 / 5 / 668_382, rel=1e-9)
    small = round_events(rules, 400, super_bonus=True)
    assert all(not event.name.startswith("Super Bonus") for event in small.events)


def simulated_names(found: RoundEvents) -> dict[str, float]:
    """Event counts under the simulator's names."""
    counts = {re.sub(r" \(.*\)", "", event.name): event.count for event in found.events}
    compared = {"win": 0.0, "push": 0.0, "loss": 0.0}
    for event in found.events:
        outcome = event.name.rpartition(": ")[2]
        if event.group == "dealer" and outcome in compared:
            compared[outcome] += event.count
    counts |= {f"{name} against the dealer's hand": count for name, count in compared.items()}
    for name in ("bust", "surrender"):
        counts[name] = counts.get(name, 0.0) + counts.pop(f"{name}, doubled", 0.0)
    counts["blackjack"] += counts.pop("all-diamond blackjack", 0.0)
    counts["double"] = found.doubled[0]
    counts["double-double"] = sum(found.doubled[1:])
    counts["split"] = found.hands - 1
    return counts


@pytest.mark.parametrize("name", ["catfish-bend"] + ["super-fun-21"] * IS_SOAK)
def test_the_simulator_finds_every_event_equally_often(name: str) -> None:
    rules = load_rules(name)
    exact = simulated_names(with_super_bonus(name))
    result = simulate(rules, "optimal", ROUNDS, base=BASE, shoe="fresh", seed=21, workers=1)
    counted = {line.name: line.count for line in event_lines(result.tally)}
    counted["blackjack"] += counted.pop("diamond blackjack", 0)
    counted["blackjack"] += counted.pop("blackjack against a dealer blackjack, paid")
    for often in ("twice", "three times"):
        counted["21, doubled"] = counted.get("21, doubled", 0) + counted.pop(
            f"21, doubled {often}", 0
        )
    met = [name for name in exact if name in counted]
    assert {"blackjack", "bust", "surrender", "double", "split"} <= set(met)
    for event in met:
        expected = exact[event] * ROUNDS
        # Up to four hands of one split can have the same outcome, so they are correlated.
        sigma = math.sqrt(expected * (4 if event == "split" else 1.3)) + 1
        assert abs(counted[event] - expected) < 4 * sigma, event
