"""What the hand whose turn it is may do, the chips it takes, and why not."""

from __future__ import annotations

from dataclasses import dataclass

from ventiuna.core import actions
from ventiuna.core.payouts import doubling_wager, least_double, split_wager
from ventiuna.core.refusals import LEGAL, REASONS
from ventiuna.engine.commands import (
    Action,
    Command,
    Double,
    DoubleDouble,
    Hit,
    Insure,
    Rescue,
    Split,
    Stand,
    Surrender,
    TakeBlackjack,
)
from ventiuna.engine.errors import cited
from ventiuna.engine.state import PlayerHand, RoundState, Spot
from ventiuna.engine.waiting import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    waiting_for,
)

ACTION_COMMANDS: dict[int, type[Action]] = {
    actions.STAND: Stand,
    actions.HIT: Hit,
    actions.DOUBLE: Double,
    actions.DOUBLE_DOUBLE: DoubleDouble,
    actions.SPLIT: Split,
    actions.SURRENDER: Surrender,
    actions.RESCUE: Rescue,
}


@dataclass(frozen=True, slots=True)
class Option:
    """One action of the hand in turn."""

    action: int
    name: str
    legal: bool
    chips: int = 0  # cents that it adds to the wager
    least_chips: int = 0  # less is possible down to here (double for less)
    code: str = ""
    rules: tuple[str, ...] = ()
    reason: str = ""

    def command(self, spot: int) -> Action:
        return ACTION_COMMANDS[self.action](spot)


def options(state: RoundState) -> tuple[Option, ...]:
    """All actions of the hand in turn, legal or not; none when no decision is awaited."""
    wanted = waiting_for(state)
    if not isinstance(wanted, DecisionWanted):
        return ()
    spot = state.spots[wanted.spot]
    return tuple(_option(state, spot, wanted.hand, action) for action in range(actions.ACTIONS))


def default_command(state: RoundState) -> Command | None:
    """The answer of somebody who does not answer: no insurance, the blackjack is paid, stand.

    It is always legal. None where no person is asked in particular.
    """
    wanted = waiting_for(state)
    if isinstance(wanted, DecisionWanted):
        return Stand(wanted.spot)
    if isinstance(wanted, InsuranceAnswersWanted):
        return Insure(wanted.spots[0], 0)
    if isinstance(wanted, BlackjackAnswersWanted):
        return TakeBlackjack(wanted.spots[0])
    return None


def legal_actions(state: RoundState) -> tuple[int, ...]:
    """Codes of the legal actions only: the quick way for programs that play."""
    current = state.current_hand()
    if current is None:
        return ()
    spot, index = current
    shape = spot.hands[index].shape
    hands = len(spot.hands)
    return tuple(
        action
        for action in range(actions.ACTIONS)
        if actions.refusal(state.table, action, shape, hands) == LEGAL
    )


def _option(state: RoundState, spot: Spot, index: int, action: int) -> Option:
    hand = spot.hands[index]
    name = actions.ACTION_NAMES[action]
    reason = actions.refusal(state.table, action, hand.shape, len(spot.hands))
    if reason != LEGAL:
        code, rules, sentence = REASONS[reason]
        cites = cited(rules, state.rules.game)
        return Option(action, name, False, code=code, rules=cites, reason=sentence)
    chips = chips_needed(state, spot, hand, action)
    least = chips
    if action == actions.DOUBLE:
        least = least_double(state.table, hand.wager, state.rules.small_chip_unit)
    return Option(action, name, True, chips, least)


def chips_needed(state: RoundState, spot: Spot, hand: PlayerHand, action: int) -> int:
    """What an action adds to the wager: as much again, capped (R-055), the base wager (R-045)."""
    if action in (actions.DOUBLE, actions.DOUBLE_DOUBLE):
        return doubling_wager(state.table, hand.wager, hand.shape.doublings)
    return split_wager(spot.base) if action == actions.SPLIT else 0
