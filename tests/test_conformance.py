"""Every preset with every option its document offers: random rounds must satisfy all invariants."""

from __future__ import annotations

import random
from functools import cache

import pytest

from tests import IS_SOAK
from tests.support.rule_sets import MAIN_OPTIONS, every_choice, random_choices, random_rules
from ventiuna.engine.codec import EVENTS
from ventiuna.engine.events import Stage
from ventiuna.rules import Rules, canonical, load_rules, preset_ids
from ventiuna.rules.loader import choices_of
from ventiuna.testing.conformance import Tally, check_rules

ROUNDS = 20 if IS_SOAK else 10
# Each choice of decks, soft 17, and double-double is played with the preset's own values for the
# other options, and with this many random ones.
MORE = 3 if IS_SOAK else 1


@cache
def choices(preset: str) -> tuple[Rules, ...]:
    return tuple(every_choice(preset))


def test_all_choices_are_covered() -> None:
    """Presets x deck counts x soft 17 x double-double, excluding double-double with S17 (R-051)."""
    numbers = {preset: len(choices(preset)) for preset in preset_ids()}
    assert numbers == {
        "blackjack": 16,  # eight deck counts, two soft 17 rules
        "casino-card": 2,
        "catfish-bend": 1,
        "super-fun-21": 2,
        "wsgc-2021": 15,  # five deck counts, three combinations of soft 17 and double-double
        "wsgc-spanish-21": 15,
        "wsgc-v002": 15,
    }


@pytest.mark.parametrize("preset", preset_ids())
def test_every_choice_of_a_document_conforms(preset: str) -> None:
    generator = random.Random(preset)
    for number, rules in enumerate(choices(preset)):
        assert check_rules(rules, ROUNDS, number).rounds == ROUNDS
        for more in range(MORE):
            varied = random_choices(rules, preset, generator)
            played = check_rules(varied, ROUNDS, 1000 * number + more)
            assert played.rounds + played.abandoned == ROUNDS, canonical(varied)


@pytest.mark.parametrize("preset", preset_ids())
def test_single_choices_of_a_document_conform(preset: str) -> None:
    """Plays each value of each other option on its own, such as how Down Card wagers are
    settled."""
    for name in choices_of(preset):
        if name not in MAIN_OPTIONS:
            for rules in every_choice(preset, (name,)):
                assert check_rules(rules, 5, 1).rounds == 5


def test_any_valid_rules_conform_and_everything_occurs() -> None:
    """Plays rules far from any document; together these rounds cover everything a round can do."""
    generator = random.Random(22)
    tally = Tally()
    for number in range(200 if IS_SOAK else 60):
        tally.add(check_rules(random_rules(generator), ROUNDS, number))
    for preset in ("wsgc-2021", "casino-card", "super-fun-21"):
        for rules in choices(preset)[:3]:
            varied = random_choices(rules, preset, generator)
            tally.add(check_rules(varied, 300 if IS_SOAK else 150, 5))
    # A blackjack against an ace up without insurance occurs once in a thousand rounds.
    tally.add(check_rules(load_rules("super-fun-21"), 6000 if IS_SOAK else 1500, 21))
    # An Envy Bonus occurs once in ten thousand rounds; with this seed it occurs early.
    tally.add(check_rules(load_rules("wsgc-2021"), 20, 495, step_checks=0.0))
    seen = {name.split()[0].rstrip(":") for name in tally.seen}
    not_alone = {"StageReached", "WagerSettled", "WagersWithdrawn", "RoundVoided"}
    not_alone |= {"SupervisorAnswered", "PaymentsAuthorized"}  # only if a supervisor is required
    wanted = set(EVENTS.kinds) - not_alone
    assert wanted <= seen, wanted - seen
    stages = {f"stage {stage}" for stage in Stage} - {"stage wagers", "stage void"}
    assert stages <= set(tally.seen), stages - set(tally.seen)
    wagers = {"hand", "insurance", "mtd", "jackpot", "super", "envy"}
    assert wagers <= seen, wagers - seen
    odds = {
        "hand: half lost",
        "hand: last portion back",
        "hand: push",
        "jackpot: 10 % of the meter",
    }
    assert odds <= set(tally.seen), odds - set(tally.seen)
