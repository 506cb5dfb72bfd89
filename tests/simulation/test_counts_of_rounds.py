"""Everything that a block counts, recounted from its rounds one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests import IS_SOAK
from ventiuna.core.rule_table import JACKPOTS
from ventiuna.engine.events import Wager
from ventiuna.kernels.simulate import layout as at
from ventiuna.proof.certificate import InsuringPlayer
from ventiuna.proof.lockstep import TracedRound, trace_rounds
from ventiuna.rules import load_rules
from ventiuna.simulation.blocks import Tally, play_block
from ventiuna.simulation.plan import Plan, ShoeUse
from ventiuna.simulation.result import Result
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import SimulationSpec, compiled_tables, make_spec
from ventiuna.strategy.counting import built_in_counts

ROUNDS = 12_000 if IS_SOAK else 2_000
JACKPOT_RULES = (
    "wsgc-2021(mtd_configuration=4,bonus_cards=2,"
    "jackpots=3c:1:wager=5:seed=1000+4d:2:contribution=33.33%)"
)


def work_of(rules: str, strategy: str = "chart", **settings: Any) -> SimulationSpec:
    plan = Plan(load_rules(rules), **settings)
    return make_spec(plan, find_strategy(strategy, plan.rules, plan.base_wager))


def counted(spec: SimulationSpec, rounds: int = ROUNDS, meters: tuple[int, ...] = ()) -> Result:
    tally = Tally.empty(spec, meters)
    tally.add(play_block(spec, 0, rounds))
    return Result(tally)


def base_by_spot(traced: TracedRound, spots: int) -> list[int]:
    nets = [0] * spots
    for (spot, _, wager), cents in traced.results.items():
        if wager is Wager.HAND:
            nets[spot - 1] += cents
    return nets


def rest_by_spot(traced: TracedRound, spots: int) -> list[int]:
    rest = [0] * spots
    for (spot, _, wager), cents in traced.results.items():
        if wager is not Wager.HAND:
            rest[spot - 1] += cents
    return rest


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        ("wsgc-spanish-21", {}),
        ("super-fun-21", {"spots": 3, "strategy": "habits"}),
        (
            JACKPOT_RULES,
            {"spots": 2, "match": {"up": 500, "b2": 200}, "jackpots": (1, 2), "base": 2500},
        ),
        ("wsgc-spanish-21", {"count": built_in_counts()["level-one"], "spots": 2}),
        ("catfish-bend", {"errors": Fraction(1, 10)}),
    ],
)
def test_sums_match_the_rounds(rules: str, settings: dict[str, Any]) -> None:
    spec = work_of(rules, **settings)
    traced, history = trace_rounds(spec, ROUNDS)
    result = counted(spec)
    spots = spec.spots
    base = [base_by_spot(one, spots) for one in traced]
    rest = [rest_by_spot(one, spots) for one in traced]
    grain = compiled_tables(spec).grain
    unit = float(result.base_wager) * grain

    flat = np.array(base, dtype=np.float64) / unit
    assert result.ev.value == pytest.approx(flat.mean(), abs=1e-12)
    assert result.ev.sd == pytest.approx(flat.std(), abs=1e-12)
    error = flat.sum(axis=1).std(ddof=1) / spots / ROUNDS**0.5
    assert result.ev.standard_error == pytest.approx(error, rel=1e-9)

    whole = (np.array(base) + np.array(rest)) / unit
    assert result.total.value == pytest.approx(whole.mean(), abs=1e-12)
    assert result.total.sd == pytest.approx(whole.std(), abs=1e-9)
    error = whole.sum(axis=1).std(ddof=1) / spots / ROUNDS**0.5
    assert result.total.standard_error == pytest.approx(error, rel=1e-9)

    wanted = Counter(cents for row in base for cents in row)
    found = {
        round(value * int(compiled_tables(spec).tables.wagers[0])) * grain: count
        for value, count in result.histogram
    }
    assert found == dict(wanted)
    if spots > 1:
        assert result.covariance == pytest.approx(np.cov(flat.T, ddof=0))
    assert result.tally.meters.cents == history.cents
    assert result.tally.meters.remainder == history.remainder


def test_sums_by_wager_match_the_rounds() -> None:
    spec = work_of(
        JACKPOT_RULES,
        spots=2,
        match={"up": 500, "down": 300, "b2": 200},
        jackpots=(1, 2),
        base=2500,
    )
    traced, _ = trace_rounds(spec, ROUNDS)
    names = {
        "Match the Dealer Up Card": (Wager.MTD_UP, 500),
        "Match the Dealer Down Card": (Wager.MTD_DOWN, 300),
        "Match the Dealer Bonus Card 2": (Wager.MTD_B2, 200),
        "jackpot 1": (Wager.JACKPOT_1, 500),
        "jackpot 2": (Wager.JACKPOT_2, 100),
    }
    nets: Counter[Wager] = Counter()
    by_round: dict[Wager, list[int]] = {}
    for one in traced:
        sums: Counter[Wager] = Counter()
        for (_, _, wager), cents in one.results.items():
            nets[wager] += cents
            sums[wager] += cents
        for wager, _ in names.values():
            by_round.setdefault(wager, []).append(sums[wager])
    lines = {line.name: line for line in counted(spec).wagers}
    for name, (wager, stake) in names.items():
        assert lines[name].net == nets[wager]
        assert lines[name].staked == 2 * ROUNDS * stake
        spread = np.array(by_round[wager]).std(ddof=1) / (2 * stake) / ROUNDS**0.5
        assert lines[name].ev.standard_error == pytest.approx(spread, rel=1e-9)
    total = sum(nets.values())
    assert lines["all together"].net == total


def test_insurance_and_super_bonus_match_the_rounds() -> None:
    plan = Plan(load_rules("wsgc-spanish-21"), spots=3, base=2500)
    player = InsuringPlayer(find_strategy("chart", plan.rules, plan.base_wager))
    spec = make_spec(plan, player)
    kit = compiled_tables(spec)
    # A shoe of sevens and aces, with many Super Bonuses, Envy Bonuses and insured blackjacks.
    shoe = np.array(([24] * 6 + [25] * 6 + [0] * 4 + [48] * 4) * 8, dtype=np.uint8)
    traced, _ = trace_rounds(spec, 2000, shoe=shoe)
    nets: Counter[str] = Counter()
    for one in traced:
        for (_, _, wager), cents in one.results.items():
            nets[wager] += cents
    assert nets[Wager.SUPER] > 0
    assert nets[Wager.ENVY] > 0
    assert nets[Wager.INSURANCE] != 0
    assert nets[Wager.SUPER] % 500_000 == 0
    assert nets[Wager.ENVY] % 5_000 == 0
    assert kit.tables.super_pay[0] == 500_000


def test_the_base_game_is_the_same_with_and_without_other_wagers() -> None:
    """The base game alone is compiled without the other wagers; the cards stay the same."""
    alone = counted(work_of("wsgc-spanish-21")).tally
    beside = counted(work_of("wsgc-spanish-21", match={"up": 500})).tally
    session = counted(work_of("wsgc-spanish-21", session=1000)).tally
    for other in (beside, session):
        assert (alone.results == other.results).all()
        assert (alone.starts == other.starts).all()
        assert (alone.visits == other.visits).all()
        assert (alone.compared == other.compared).all()
    assert alone.counters[at.EXTRA_STAKE] == beside.counters[at.EXTRA_STAKE]


def test_a_player_without_count_or_errors_changes_nothing() -> None:
    spec = work_of("super-fun-21", spots=2)
    traced, _ = trace_rounds(spec, ROUNDS)  # traces always include a counting player
    wanted = Counter(cents for one in traced for cents in base_by_spot(one, 2))
    result = counted(spec)
    grain = compiled_tables(spec).grain
    base = int(compiled_tables(spec).tables.wagers[0])
    assert {round(v * base) * grain: n for v, n in result.histogram} == dict(wanted)


def test_sessions_match_the_rounds() -> None:
    spec = work_of(JACKPOT_RULES, session=500, jackpots=(1, 2), spots=2)
    traced, _ = trace_rounds(spec, ROUNDS)
    sessions = counted(spec).tally.sessions
    base = spec.bases[0]
    results: Counter[int] = Counter()
    longest: Counter[int] = Counter()
    for start in range(0, ROUNDS, 500):
        for spot in range(2):
            total = run = best = 0
            for one in traced[start : start + 500]:
                paid = base_by_spot(one, 2)[spot] + rest_by_spot(one, 2)[spot]
                award = sum(
                    cents
                    for (place, _, wager), cents in one.results.items()
                    if place == spot + 1 and wager.game and cents > 5000
                )
                total += paid
                # A share of the meter doesn't count as a win that ends a losing streak.
                if paid - award < 0:
                    run += 1
                    best = max(best, run)
                elif paid - award > 0:
                    run = 0
            results[total // base] += 1
            longest[best] += 1
    assert sessions.sessions == 2 * ROUNDS // 500
    assert sessions.results == results
    assert sum(sessions.losing.values()) == sum(longest.values())
    assert abs(
        sum(k * n for k, n in sessions.losing.items()) - sum(k * n for k, n in longest.items())
    ) < 3 * len(longest)


def test_lowest_points_give_the_chance_of_ruin_for_every_bankroll() -> None:
    spec = work_of("wsgc-spanish-21", session=200)
    traced, _ = trace_rounds(spec, ROUNDS)
    result = counted(spec)
    falls = []
    for start in range(0, ROUNDS, 200):
        total = lowest = 0
        for one in traced[start : start + 200]:
            total += base_by_spot(one, 1)[0] + rest_by_spot(one, 1)[0]
            lowest = min(lowest, total)
        falls.append(lowest)
    for bankroll in (5, 10, 20, 40):
        ruined = sum(fall <= -bankroll * spec.bases[0] for fall in falls)
        assert result.ruin(bankroll).value == pytest.approx(ruined / len(falls))


def test_meters_carry_on_from_block_to_block() -> None:
    spec = work_of(JACKPOT_RULES, jackpots=(1, 2), spots=2)
    tally = Tally.empty(spec, (500_000, 200_000))
    for number in range(3):
        tally.add(play_block(spec, number, ROUNDS))
    cents: tuple[int, ...] = (500_000, 200_000)
    remainder = [0, 0]
    for number in range(3):
        _, history = trace_rounds(spec, ROUNDS, number, cents)
        # A trace starts without a remainder; add the previous block's.
        for game in range(JACKPOTS):
            remainder[game] += history.remainder[game]
        cents = tuple(history.cents)
    assert tally.meters.cents == pytest.approx(list(cents), abs=3)
    contributed = 3 * ROUNDS * 2 * (500 * 2100 + 100 * 3333) // 10_000
    paid = sum(sum(lines) for lines in tally.meters.paid)
    assert sum(tally.meters.cents) == pytest.approx(
        700_000 + contributed + sum(tally.meters.seeded) - paid, abs=2
    )


def test_a_block_with_more_hits_than_room_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = work_of(JACKPOT_RULES, jackpots=(1, 2), spots=3)
    plenty = play_block(spec, 0, 20_000)
    monkeypatch.setattr("ventiuna.simulation.blocks.FIRST_HITS", 1)
    few = play_block(spec, 0, 20_000)
    assert plenty.hits is not None
    assert few.hits is not None
    assert len(plenty.hits) > 10
    assert (plenty.hits == few.hits).all()
    assert (plenty.results == few.results).all()


def test_a_round_that_needs_more_cards_than_there_are_is_void() -> None:
    """Seven spots with a pack of small cards: the shoe runs out and the round doesn't count."""
    spec = work_of("super-fun-21", "mimic", spots=7, shoe=ShoeUse.FRESH)
    shoe = np.array([*range(20), 40, 44], dtype=np.uint8)
    traced, _ = trace_rounds(spec, 300, shoe=shoe)
    void = [one for one in traced if one.level < 0]
    assert void
    assert len(void) < 300


def test_cards_and_shuffles_are_counted() -> None:
    spec = work_of("wsgc-spanish-21")
    traced, _ = trace_rounds(spec, ROUNDS)
    tally = counted(spec, ROUNDS).tally
    assert tally.counters[at.CARDS_DEALT] == sum(len(one.cards) for one in traced)
    assert tally.counters[at.SHUFFLES] == sum(one.shuffled for one in traced)
    fresh = counted(work_of("wsgc-spanish-21", shoe=ShoeUse.FRESH), ROUNDS).tally
    assert fresh.counters[at.SHUFFLES] == ROUNDS


def test_the_cut_card_is_where_the_rules_say() -> None:
    """After 75% of six decks (O-03), no round begins with 72 cards or fewer left."""
    traced, _ = trace_rounds(work_of("wsgc-spanish-21"), ROUNDS)
    left = 0
    for one in traced:
        if one.shuffled:
            assert left <= 72
            left = 288
        assert left > 72
        left -= len(one.cards)


def test_events_match_the_rounds() -> None:
    spec = work_of("wsgc-spanish-21")
    result = counted(spec)
    lines = {line.name: line for line in result.events}
    traced, _ = trace_rounds(spec, ROUNDS)
    blackjacks = sum(
        one.results.get((1, 0, Wager.HAND)) == 750 and len(one.cards) == 4 for one in traced
    )
    assert lines["blackjack"].pay == 1.5
    assert lines["blackjack"].count <= blackjacks  # other hands that pay 3 to 2 also win 7.50
    doubles = sum(1 for one in traced for _, action in one.choices if action == 2)
    splits = sum(1 for one in traced for _, action in one.choices if action == 4)
    surrenders = sum(1 for one in traced for _, action in one.choices if action == 5)
    rescues = sum(1 for one in traced for _, action in one.choices if action == 6)
    assert lines["double"].count == doubles
    assert lines["split"].count == splits
    assert lines["surrender"].count == surrenders
    assert lines["rescue"].count == rescues
    decided = sum(line.visits for line in result.decisions)
    assert decided == sum(len(one.choices) for one in traced)
