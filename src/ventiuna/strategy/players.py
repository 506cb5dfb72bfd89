"""Built-in players: a simple steady one, one that follows a strategy, and a random one."""

from __future__ import annotations

import random

from ventiuna.core import actions
from ventiuna.core.actions import first_legal_for
from ventiuna.core.base_game import maximum_insurance_in_chips
from ventiuna.core.cards import is_equal_value_pair, is_soft, value_of
from ventiuna.engine.commands import Command, Double, Insure, KeepBlackjack, TakeBlackjack
from ventiuna.engine.options import ACTION_COMMANDS, legal_actions
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    Waiting,
)
from ventiuna.engine.state import PlayerHand, RoundState
from ventiuna.strategy.protocol import HandSeen, Insurance, Strategy


def steady_player(state: RoundState, prompt: Waiting) -> Command:
    """Play by a few simple rules: never insure, and always take the payment for a blackjack.

    >>> from ventiuna import Table
    >>> Table("wsgc-2021", seed=21).play_round(steady_player).is_over
    True
    """
    if isinstance(prompt, BlackjackAnswersWanted):
        return TakeBlackjack(prompt.spots[0])
    if isinstance(prompt, InsuranceAnswersWanted):
        return Insure(prompt.spots[0], 0)
    assert isinstance(prompt, DecisionWanted)
    spot = state.spots[prompt.spot]
    hand = spot.hands[prompt.hand]
    preferences = _preferences(hand, state.up)
    action = first_legal_for(state.table, preferences, hand.shape, len(spot.hands))
    return ACTION_COMMANDS[action](prompt.spot)


def _preferences(hand: PlayerHand, up: int) -> tuple[int, ...]:
    total = hand.total
    weak_up = 2 <= value_of(up) <= 6
    if hand.shape.doublings:
        poor = total < 17 and not weak_up
        return (actions.RESCUE, actions.SURRENDER) if poor else (actions.STAND,)
    if is_equal_value_pair(hand.shape) and hand.shape.hard in (2, 16):
        return (actions.SPLIT, actions.HIT)
    if total in (10, 11) and value_of(up) < 10 and hand.shape.cards < 4:
        return (actions.DOUBLE, actions.HIT)
    if is_soft(hand.shape.hard, hand.shape.aces):
        return (actions.HIT,) if total < 18 else (actions.STAND,)
    if total < 12 or (total < 17 and not weak_up):
        return (actions.HIT,)
    return (actions.STAND,)


class StrategyPlayer:
    """Follows a strategy: a chart, best play, or your own.

    >>> from ventiuna import Table, rules
    >>> from ventiuna.strategy.protocol import MimicDealer
    >>> from ventiuna.rules import compile_rules
    >>> house = rules("wsgc-spanish-21")
    >>> mimic = StrategyPlayer(MimicDealer(compile_rules(house)))
    >>> Table(house, seed=5).play_round(mimic).is_over
    True
    """

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy

    def __repr__(self) -> str:
        return f"<StrategyPlayer: {self.strategy.name}>"

    def __call__(self, state: RoundState, waiting: Waiting, /) -> Command:
        if isinstance(waiting, BlackjackAnswersWanted):
            spot = waiting.spots[0]
            keeps = self._action(state, spot, 0) == actions.DOUBLE
            return KeepBlackjack(spot) if keeps else TakeBlackjack(spot)
        if isinstance(waiting, InsuranceAnswersWanted):
            return Insure(waiting.spots[0], self._insurance(state, waiting.spots[0]))
        assert isinstance(waiting, DecisionWanted)
        return ACTION_COMMANDS[self._action(state, waiting.spot, waiting.hand)](waiting.spot)

    def _action(self, state: RoundState, spot: int, number: int) -> int:
        hands = state.spots[spot].hands
        hand = hands[number]
        seen = HandSeen(tuple(hand.cards), hand.shape, len(hands))
        preferences = self.strategy.preferences(seen, state.up)
        return first_legal_for(state.table, preferences, hand.shape, len(hands))

    def _insurance(self, state: RoundState, number: int) -> int:
        spot, habit = state.spots[number], self.strategy.insurance
        if habit == Insurance.ALWAYS or (habit == Insurance.BLACKJACK and spot.has_blackjack):
            return maximum_insurance_in_chips(spot.base, state.rules.small_chip_unit)
        return 0


class RandomPlayer:
    """Chooses every legal option with equal probability, for tests and soak runs.

    >>> import random
    >>> from ventiuna import Table
    >>> Table("super-fun-21", seed=5).play_round(RandomPlayer(random.Random(1))).is_over
    True
    """

    def __init__(self, generator: random.Random) -> None:
        self._random = generator

    def __repr__(self) -> str:
        return "<RandomPlayer>"

    def __call__(self, state: RoundState, prompt: Waiting) -> Command:
        if isinstance(prompt, BlackjackAnswersWanted):
            spot = self._random.choice(prompt.spots)
            return KeepBlackjack(spot) if self._random.random() < 0.5 else TakeBlackjack(spot)
        if isinstance(prompt, InsuranceAnswersWanted):
            return self._insurance(state, self._random.choice(prompt.spots))
        assert isinstance(prompt, DecisionWanted)
        action = self._random.choice(legal_actions(state))
        if action == actions.DOUBLE and state.table.double_for_less:
            return Double(prompt.spot, self._double_amount(state, prompt))
        return ACTION_COMMANDS[action](prompt.spot)

    def _insurance(self, state: RoundState, spot: int) -> Command:
        unit = state.rules.small_chip_unit
        maximum = maximum_insurance_in_chips(state.spots[spot].base, unit) // unit
        return Insure(spot, self._random.randint(0, maximum) * unit)

    def _double_amount(self, state: RoundState, prompt: DecisionWanted) -> int:
        unit = state.rules.small_chip_unit
        wager = state.spots[prompt.spot].hands[prompt.hand].wager
        less = self._random.randint(1, max(1, wager // unit)) * unit
        return wager if self._random.random() < 0.5 else min(less, wager)
