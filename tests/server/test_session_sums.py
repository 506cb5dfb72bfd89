"""Luck and skill add up to the result, recomputed independently from the events."""

from __future__ import annotations

import random
from math import sqrt

import pytest

from ventiuna.analysis.base_game.analyzer import hand_values
from ventiuna.analysis.composition import fresh_composition
from ventiuna.analysis.figures import house_edge
from ventiuna.analysis.review import ReviewRound, StakedWager, expected, review, variances
from ventiuna.analysis.side_bets.insurance import insurance_wager
from ventiuna.analysis.side_bets.jackpots import jackpot_report
from ventiuna.analysis.side_bets.match_the_dealer import match_wager
from ventiuna.core.base_game import maximum_insurance
from ventiuna.engine import commands as do
from ventiuna.engine import events as ev
from ventiuna.engine.dealing import ListSource, finish_round
from ventiuna.engine.decide import execute
from ventiuna.engine.events import Event, Place, Stage, Wager
from ventiuna.engine.state import RoundState, apply
from ventiuna.rules import load_rules
from ventiuna.server.routers.coach import LearningSession, ReviewedRound, session_data
from ventiuna.strategy.players import RandomPlayer
from ventiuna.table.listings import PlayedRound as Kept

RULES = load_rules("wsgc-2021(mtd_configuration=4,bonus_cards=1,jackpots=3c:1:seed=1000)")
BASES = (2500, 1000)
ROUNDS = 40
Act = (
    ev.HandStood | ev.HandHit | ev.HandDoubled | ev.HandSplit | ev.HandSurrendered | ev.HandRescued
)
NAMES: dict[type[Act], str] = {
    ev.HandStood: "stand",
    ev.HandHit: "hit",
    ev.HandDoubled: "double",
    ev.HandSplit: "split",
    ev.HandSurrendered: "surrender",
    ev.HandRescued: "rescue",
}


def played(seed: int) -> list[Event]:
    """One person playing two spots with side bets and random legal decisions."""
    state = RoundState(RULES)
    for spot, base in enumerate(BASES, start=1):
        mtd = {"up": 500, "down": 300, "b1": 200}
        execute(state, do.PlaceWagers(spot, base, "1", mtd, {1: RULES.jackpots[0].wager}))
    cards = [card for card in RULES.pack.cards for _ in range(RULES.decks)]
    chance = random.Random(seed)
    chance.shuffle(cards)
    return finish_round(state, ListSource(cards), RandomPlayer(chance))


def session_of(rounds: list[list[Event]]) -> LearningSession:
    meters = ((RULES.jackpots[0].seed, 0),)
    found = []
    for number, events in enumerate(rounds, start=1):
        data = review(ReviewRound(RULES, tuple(events), meters, "1", ()))
        staked = tuple(
            StakedWager(Wager(one["wager"]), one["cents"], one["meter"]) for one in data["wagers"]
        )
        kept = Kept(1, "Corner", number, 1, "closed", number, (1, 2), data["net"])
        mean, spread = sum(expected(RULES, staked)), sum(variances(RULES, staked, 1.2))
        found.append(ReviewedRound(kept, data, RULES, mean, spread))
    return LearningSession(found, 0)


# --- recomputed from the events ---------------------------------------------------------------


def net_of(events: list[Event]) -> int:
    return sum(one.paid - one.stake for one in events if isinstance(one, ev.WagerSettled))


def cost_of(events: list[Event]) -> float:
    """Cents lost through all decisions, using an independent count of the cards."""
    state, unseen, cost = RoundState(RULES), list(fresh_composition(RULES)), 0.0
    ended: set[tuple[int, int]] = set()
    for event in events:
        if isinstance(event, ev.InsurancePlaced):
            cost += insurance_cost(state, unseen, event)
        elif isinstance(event, Act):
            cost += decision_cost(state, unseen, event)
            ended.add((event.spot, event.hand))
        elif isinstance(event, ev.WagerSettled) and is_stood_on(state, event, ended):
            cost += action_cost(state, unseen, event.spot, event.hand, "stand", None)
        if isinstance(event, ev.CardDealt):
            ended.clear()
            assert event.card is not None
            if event.place is not Place.DOWN:
                unseen[event.card] -= 1
        apply(state, event)
    return cost


def insurance_cost(state: RoundState, unseen: list[int], event: ev.InsurancePlaced) -> float:
    shoe = list(unseen)
    shoe[state.up] += 1
    worth = float(insurance_wager(RULES, (), state.up, tuple(shoe)).expected_value)
    most = maximum_insurance(state.spots[event.spot].base)
    return worth * (most - event.amount) if worth > 0 else -worth * event.amount


def is_stood_on(state: RoundState, event: ev.WagerSettled, ended: set[tuple[int, int]]) -> bool:
    """A soft 21 that could have been doubled and is paid without asking."""
    if event.wager is not Wager.HAND or (event.spot, event.hand) in ended:
        return False
    hand = state.spots[event.spot].hands[event.hand]
    return (
        state.stage is Stage.PLAY
        and not hand.shape.doublings
        and hand.total == 21
        and hand.shape.aces > 0
        and hand.shape.hard == 11
    )


def decision_cost(state: RoundState, unseen: list[int], event: Act) -> float:
    wager = state.spots[event.spot].hands[event.hand].wager
    is_less = isinstance(event, ev.HandDoubled) and event.amount < wager
    less = event.amount if is_less and isinstance(event, ev.HandDoubled) else None
    return action_cost(state, unseen, event.spot, event.hand, NAMES[type(event)], less)


def action_cost(
    state: RoundState, unseen: list[int], spot: int, index: int, done: str, less: int | None
) -> float:
    place = state.spots[spot]
    hand = place.hands[index]

    def values(amount: int | None) -> dict[str, float]:
        found = hand_values(
            RULES,
            tuple(hand.cards),
            state.up,
            tuple(unseen),
            doublings=hand.shape.doublings,
            split=len(place.hands) > 1,
            hands=len(place.hands),
            base=place.base,
            super_bonus=True,
            double_amount=amount,
        )
        return {one.action: one.ev for one in found.actions}

    full = values(None)
    if len(full) < 2:
        return 0.0
    worth = values(less)[done] if less else full[done]
    return (max(full.values()) - worth) * place.base


def test_skill_and_luck_add_up_to_the_result_to_the_cent() -> None:
    """R-036, R-042, R-047, R-057, and all side bets, with a random player's decisions."""
    rounds = [played(seed) for seed in range(ROUNDS)]
    events = [event for one in rounds for event in one]
    for kind in (*NAMES, ev.InsurancePlaced, ev.BlackjackTaken):
        assert any(isinstance(event, kind) for event in events), kind
    data = session_data(session_of(rounds))
    net, cost = sum(map(net_of, rounds)), sum(map(cost_of, rounds))
    jackpot = RULES.jackpots[0]
    edge = -ROUNDS * (
        float(house_edge(RULES)) * sum(BASES)
        + float(match_wager(RULES).house_edge) * 1000 * len(BASES)
        + float(jackpot_report(RULES, 1).house_edge_at(jackpot.seed)) * jackpot.wager * len(BASES)
    )
    assert cost > 0
    assert data["net"] == net
    assert data["mistakes"] == pytest.approx(-cost, abs=1e-6)
    assert data["house_edge"] == pytest.approx(edge, abs=1e-6)
    assert data["luck"] == pytest.approx(net - edge + cost, abs=1e-6)
    shown = data["shown"]
    assert shown["house_edge"] + shown["mistakes"] + shown["luck"] == shown["net"] == net
    for name in ("house_edge", "mistakes", "luck"):
        assert abs(shown[name] - data[name]) <= 1
    assert sum(one["cents"] for one in data["kinds"]) == pytest.approx(cost, abs=1e-6)
    assert "surrender" not in {one["kind"] for one in data["kinds"]}  # by the cards, as listed


def test_the_deviation_of_luck_adds_up_by_wager_and_states_its_approximations() -> None:
    data = session_data(session_of([played(1), played(2)]))
    jackpot = RULES.jackpots[0]
    a_round = sum((1.2 * base) ** 2 for base in BASES)
    match = float(match_wager(RULES).standard_deviation)
    a_round += len(BASES) * sum((match * stake) ** 2 for stake in (500, 300, 200))
    a_round += len(BASES) * float(jackpot_report(RULES, 1).variance_at(jackpot.seed))
    assert data["luck_deviation"] == pytest.approx(sqrt(2 * a_round))
    assert "The standard deviation of luck is an approximation" in data["assumes"]
