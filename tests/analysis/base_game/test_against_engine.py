"""Every order of a small pack, dealt through the engine, averages to the analyzer's value."""

from __future__ import annotations

from math import sqrt

import pytest

from tests import IS_SOAK
from tests.analysis.base_game.comparing import pack
from tests.exhaustive.enumeration import distribution
from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.base_game.outcomes import standard_deviation
from ventiuna.analysis.base_game.solver import Solution, up_row_of
from ventiuna.core import actions
from ventiuna.core.cards import value_of
from ventiuna.core.refusals import LEGAL
from ventiuna.engine.commands import Command, Insure, KeepBlackjack, PlaceWagers, TakeBlackjack
from ventiuna.engine.options import ACTION_COMMANDS
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    Waiting,
)
from ventiuna.engine.state import PlayerHand, RoundState
from ventiuna.kernels.exact.tables import composition_index
from ventiuna.rules import load_rules

BASE = 2000  # cents


class AnalysedPlayer:
    """Plays the analyzed strategy at the engine's table, without any other information."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    def __call__(self, state: RoundState, wanted: Waiting) -> Command:
        if isinstance(wanted, InsuranceAnswersWanted):
            return Insure(wanted.spots[0], 0)
        if isinstance(wanted, BlackjackAnswersWanted):
            spot = wanted.spots[0]
            action = self._action(state, state.spots[spot].hands[0], 1)
            return KeepBlackjack(spot) if action == actions.DOUBLE else TakeBlackjack(spot)
        assert isinstance(wanted, DecisionWanted)
        hands = state.spots[wanted.spot].hands
        action = self._action(state, hands[wanted.hand], len(hands))
        return ACTION_COMMANDS[action](wanted.spot)

    def _action(self, state: RoundState, hand: PlayerHand, hands: int) -> int:
        preference = self._preference(state, hand)
        legal = [
            action
            for action in range(actions.ACTIONS)
            if actions.refusal(state.table, action, hand.shape, hands) == LEGAL
        ]
        if hand.shape.split and actions.SPLIT in legal:
            return actions.SPLIT
        while preference & 7 not in legal:
            assert preference & 7 != 7, "no preferred action is legal"
            preference >>= 3
        return preference & 7

    def _preference(self, state: RoundState, hand: PlayerHand) -> int:
        solution, split = self.solution, hand.shape.split
        place = composition_index(value_of(card) - 1 for card in hand.cards)
        if len(hand.cards) == 2 and solution.game["by_card"][place]:
            row = solution.game["pair_row"][min(hand.cards), max(hand.cards)]
            up_row = up_row_of(solution.game, state.up)
            table = solution.split_suited[0] if split else solution.suited["preferences"]
            return int(table[row, up_row])
        by_up = solution.split_preferences[0] if split else solution.plays["preferences"]
        return int(by_up[value_of(state.up) - 1, hand.shape.doublings, place])


LARGER = [
    ("wsgc-spanish-21(decks=8,double_double=on)", "Ac*2 5c*2 Kc*8 Kd*2"),
    ("wsgc-spanish-21(decks=8,double_on_21=never,double_blackjack=off)", "Ac*2 5c Kc*8 Kd*2"),
    ("wsgc-spanish-21(decks=8,player_21=compares)", "Ac*2 5c Kc*8 Kd*2"),
    ("blackjack(decks=8,split_hands=3,resplit_aces=on)", "Ac*4 6c Kc*8 Kd*2"),
    ("blackjack(decks=8,split_aces=like_others,blackjack_pays=6 to 5)", "Ac*3 6c Kc*8 Kd*2"),
    ("super-fun-21(decks=2,split_hands=3)", "8c*2 8d Kc*2 Qc*2 9c*2 9d"),
]


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("wsgc-spanish-21(decks=8)", "8c*5 3c Kc*8"),
        ("wsgc-spanish-21(decks=8,double_double=on)", "8c*3 3c Kc*8"),
        ("wsgc-spanish-21(decks=8,soft_17=stand,surrender=off)", "6c*2 9c*2 Kc*8"),
        ("wsgc-spanish-21(decks=8,rescue=off,double_cards=two)", "2c*2 9c Kc*8 Kd*2"),
        ("wsgc-spanish-21(decks=8,double_on_21=never,double_blackjack=off)", "Ac*2 9c Kc*8 Kd"),
        ("wsgc-spanish-21(decks=8,player_21=compares)", "6c*2 9c*2 Kc*8"),
        ("wsgc-spanish-21(decks=8,split=off,double_totals=10-11)", "8c*3 3c*2 2c Kc*8"),
        ("blackjack(decks=8)", "8c*5 3c Kc*8"),
        ("blackjack(decks=8,soft_17=stand,surrender=late)", "6c*2 9c*2 Kc*8"),
        ("blackjack(decks=8,split_hands=2,double_after_split=off)", "8c*3 3c*2 Kc*8"),
        ("blackjack(decks=8,split_hands=3,resplit_aces=on)", "Ac*4 6c Kc*8"),
        ("blackjack(decks=8,split_aces=like_others,split_hands=2)", "Ac*3 9c Kc*8"),
        ("super-fun-21(decks=2,split_hands=3)", "8c*2 8d Kc*2 Qc*2 9c*2"),
        ("super-fun-21(decks=2,split=off)", "Ad Ac Kd*2 Kc*2 9c*2 5c"),
    ]
    + LARGER * IS_SOAK,
)
def test_all_orders_of_small_packs(name: str, cards: str) -> None:
    rules, composition = load_rules(name), pack(cards)
    analysis = analyze(rules, composition)
    wagers = [PlaceWagers(1, BASE)]
    results = distribution(rules, composition, wagers, AnalysedPlayer(analysis.solution))
    assert sum(results.values()) == 1
    mean = sum(net * chance for net, chance in results.items())
    assert analysis.ev == pytest.approx(float(mean / BASE), abs=1e-12)
    square = sum(net * net * chance for net, chance in results.items())
    spread = sqrt(square - mean * mean) / BASE
    assert standard_deviation(rules, analysis) == pytest.approx(spread, abs=1e-11)


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("wsgc-spanish-21(decks=8)", "6s 7s 7h 8s*2 Ks*8"),
        ("wsgc-spanish-21(decks=8)", "7s*4 7h Ks*8"),
        ("casino-card", "Kc*6 Qc*6 9c*2"),
    ],
)
def test_suits_ranks_and_super_bonus(name: str, cards: str) -> None:
    rules, composition = load_rules(name), pack(cards)
    analysis = analyze(rules, composition, base=BASE, super_bonus=True)
    wagers = [PlaceWagers(1, BASE)]
    results = distribution(rules, composition, wagers, AnalysedPlayer(analysis.solution))
    mean = sum(net * chance for net, chance in results.items())
    assert analysis.ev == pytest.approx(float(mean / BASE), abs=1e-12)
