"""Valid rules have one canonical name; invalid rules raise one kind of error."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.effort import examples
from tests.property.strategies import (
    any_wagers,
    attempt,
    fitting_wagers,
    rule_sets,
    unsound_changes,
)
from ventiuna.engine import Refused, RoundState, execute
from ventiuna.engine.events import WagersPlaced
from ventiuna.rules import (
    Rules,
    RulesError,
    canonical,
    change_rules,
    compile_rules,
    fingerprint,
    load_rules,
    preset_ids,
)
from ventiuna.rules.validation import find_problems
from ventiuna.testing.conformance import random_wagers


@examples(100)
@given(rule_sets())
def test_a_canonical_string_reproduces_the_rules(rules: Rules) -> None:
    again = load_rules(canonical(rules))
    assert again == rules
    assert hash(again) == hash(rules)
    assert canonical(again) == canonical(rules)
    assert fingerprint(again) == fingerprint(rules)
    assert compile_rules(again) == compile_rules(rules)


@examples(100)
@given(rule_sets(), rule_sets())
def test_rules_that_play_alike_share_a_fingerprint(one: Rules, other: Rules) -> None:
    if fingerprint(one) == fingerprint(other):
        assert compile_rules(one) == compile_rules(other)
        assert one.jackpots == other.jackpots
    else:
        assert one != other


@examples(400)
@given(st.sampled_from(preset_ids()), unsound_changes())
def test_invalid_rules_are_refused_with_every_problem(preset: str, changes: dict[str, Any]) -> None:
    rules = attempt(lambda: change_rules(load_rules(preset), changes), RulesError)
    if isinstance(rules, Rules):
        assert find_problems(rules) == []
        assert load_rules(canonical(rules)) == rules
        return
    assert rules.problems
    assert len(set(rules.problems)) == len(rules.problems)
    for problem in rules.problems:
        assert problem.field
        assert problem.message
        assert problem.fix.endswith((".", "?"))
        assert "\n" not in str(problem)


@examples(400)
@given(
    st.one_of(
        st.text(max_size=30),
        st.builds(
            "{}({})".format, st.sampled_from(preset_ids()), st.text("=,decks8()+:%", max_size=12)
        ),
    )
)
def test_any_text_is_a_rule_set_or_is_refused(text: str) -> None:
    rules = attempt(lambda: load_rules(text), RulesError)
    if isinstance(rules, Rules):
        assert load_rules(canonical(rules)) == rules
    else:
        assert rules.problems


@examples(100)
@given(st.data(), rule_sets(), st.integers(1, 7))
def test_valid_wagers_are_accepted(data: st.DataObject, rules: Rules, spot: int) -> None:
    spot = min(spot, rules.seats)
    wagers = data.draw(fitting_wagers(rules, spot))
    random_source = data.draw(st.randoms(use_true_random=False))
    for command in (wagers, random_wagers(rules, spot, random_source)):
        state = RoundState(rules)
        (placed,) = execute(state, command)
        assert isinstance(placed, WagersPlaced)
        assert placed.base == command.base == state.spots[spot].base


@pytest.mark.parametrize(
    "rules",
    [
        "casino-card(mtd_minimum=400)",
        "wsgc-2021(table_minimum=1,table_maximum=3,mtd_minimum=5)",
        "catfish-bend(mtd_at_most_base=on,mtd_minimum=50,mtd_maximum=400,table_maximum=25)",
    ],
)
def test_a_minimum_that_no_wager_can_reach_is_refused(rules: str) -> None:
    """R-024: such a table would offer a wager that nobody can place."""
    with pytest.raises(
        RulesError, match=r"mtd_minimum = .* above the largest Match the Dealer wager"
    ):
        load_rules(rules)


@examples(300)
@given(st.data(), rule_sets())
def test_wagers_against_the_rules_are_refused(data: st.DataObject, rules: Rules) -> None:
    command = data.draw(any_wagers(rules.seats))
    state = RoundState(rules)
    done = attempt(lambda: execute(state, command), Refused)
    if isinstance(done, Refused):
        assert done.rules
        assert not state.order
        return
    (spot,) = state.order
    assert 1 <= spot.number <= rules.seats
    assert rules.table_minimum <= spot.base <= rules.table_maximum
    assert set(spot.mtd) <= set(rules.mtd_wagers)
    assert set(rules.mtd_required) <= set(spot.mtd)
    assert all(amount % rules.chip_unit == 0 for amount in (spot.base, *spot.mtd.values()))
    assert all(amount == rules.jackpots[game - 1].wager for game, amount in spot.jackpots.items())
    if rules.down_requires_up:
        assert "up" in spot.mtd or "down" not in spot.mtd
    if rules.mtd_at_most_base:
        assert all(amount <= spot.base for amount in spot.mtd.values())
