"""Everyone's options at every prompt, with amounts and reasons for refusals.

With these and the view, a client can play a whole round without knowing any rules. Each option is
either legal or has the code, rules and message with which its command would be refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ventiuna.core import actions
from ventiuna.core.base_game import (
    blackjack_profit,
    doubling_wager,
    maximum_insurance_in_chips,
    minimum_double,
    rescue_loss,
    split_wager,
    surrender_loss,
)
from ventiuna.core.refusals import LEGAL, REASONS
from ventiuna.engine.commands import (
    Action,
    CloseWagers,
    Command,
    Double,
    DoubleDouble,
    Hit,
    Insure,
    KeepBlackjack,
    Rescue,
    Split,
    Stand,
    Surrender,
    TakeBlackjack,
    WithdrawWagers,
    cited,
)
from ventiuna.engine.events import Cents
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    WagersWanted,
    waiting_for,
)
from ventiuna.engine.state import PlayerHand, RoundState, Spot
from ventiuna.engine.wagers import WagerOption, no_wagers_refusal, wager_options
from ventiuna.rules.model import Game

ACTION_COMMANDS: dict[int, type[Action]] = {
    actions.STAND: Stand,
    actions.HIT: Hit,
    actions.DOUBLE: Double,
    actions.DOUBLE_DOUBLE: DoubleDouble,
    actions.SPLIT: Split,
    actions.SURRENDER: Surrender,
    actions.RESCUE: Rescue,
}
Answer = TakeBlackjack | KeepBlackjack | WithdrawWagers | CloseWagers
TAKE, KEEP, WITHDRAW, CLOSE = "take", "keep", "withdraw", "close"


@dataclass(frozen=True, slots=True)
class ActionOption:
    """One action of the acting hand.

    >>> from ventiuna import Round
    >>> game = Round("wsgc-2021")
    >>> game.wager(1000)
    >>> game.deal("9c 6d Kh 9c")
    >>> [(option.name, option.legal) for option in game.options][:2]
    [('stand', True), ('hit', True)]
    """

    action: int  # numeric code; only the name is a stable identifier
    name: str
    spot: int
    hand: int
    legal: bool
    chips: Cents = 0  # added to the wager
    least_chips: Cents = 0  # minimum for a double for less
    unit: Cents = 0  # amounts below `chips` must be multiples of it
    back: Cents = 0  # returned immediately, by a rescue or a surrender
    code: str = ""
    rules: tuple[str, ...] = ()
    reason: str = ""

    def command(self, chips: int | None = None) -> Action:
        """Return the action; `chips` cents make it a double for less."""
        if chips is not None and self.action == actions.DOUBLE:
            return Double(self.spot, chips)
        return ACTION_COMMANDS[self.action](self.spot)


@dataclass(frozen=True, slots=True)
class InsuranceOption:
    """Insurance for a spot: any multiple of the unit up to the maximum; 0 declines it.

    >>> from ventiuna import Round
    >>> game = Round("wsgc-2021")
    >>> game.wager(1000)
    >>> game.deal("9c Ad Kh 9c")
    >>> game.options[0].most
    500
    """

    spot: int
    most: Cents
    unit: Cents
    least: Cents = 0

    def command(self, amount: int = 0) -> Insure:
        return Insure(self.spot, amount)


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """A command without an amount: take or keep a blackjack, withdraw or close wagers.

    >>> from ventiuna import Round
    >>> game = Round("wsgc-2021")
    >>> game.wager(1000)
    >>> game.deal("Ac 6d Kh 9c")
    >>> [option.name for option in game.options]
    ['take', 'keep']
    """

    name: str
    spot: int = 0  # 0 for the whole table
    legal: bool = True
    code: str = ""
    rules: tuple[str, ...] = ()
    reason: str = ""
    pays: Cents = 0  # what a blackjack wins if its payment is taken

    def command(self) -> Answer:
        if self.name == CLOSE:
            return CloseWagers()
        return _ANSWERS[self.name](self.spot)


_ANSWERS: dict[str, type[TakeBlackjack | KeepBlackjack | WithdrawWagers]] = {
    TAKE: TakeBlackjack,
    KEEP: KeepBlackjack,
    WITHDRAW: WithdrawWagers,
}
Option = WagerOption | InsuranceOption | AnswerOption | ActionOption


def options(state: RoundState) -> tuple[Option, ...]:
    """Return everything the prompted people can do, legal or not.

    >>> from ventiuna import Round
    >>> game = Round("wsgc-2021")
    >>> game.wager(1000)
    >>> game.deal("9c 6d Kh 9c")
    >>> [option.name for option in options(game.state) if option.legal]
    ['stand', 'hit', 'double', 'surrender']
    """
    prompt = waiting_for(state)
    if isinstance(prompt, DecisionWanted):
        return _action_options(state, prompt)
    if isinstance(prompt, InsuranceAnswersWanted):
        return tuple(_insurance(state, spot) for spot in prompt.spots)
    if isinstance(prompt, BlackjackAnswersWanted):
        return tuple(answer for spot in prompt.spots for answer in _blackjack(state, spot))
    if isinstance(prompt, WagersWanted):
        close = AnswerOption(CLOSE)
        if not state.order:
            why = no_wagers_refusal()
            close = AnswerOption(CLOSE, 0, False, why.code, why.rules, why.message)
        withdraw = (AnswerOption(WITHDRAW, spot.number) for spot in state.order)
        return (*wager_options(state.rules), *withdraw, close)
    return ()


def action_options(state: RoundState) -> tuple[ActionOption, ...]:
    """Return all actions of the acting hand, legal or not; empty if no decision is pending."""
    prompt = waiting_for(state)
    return _action_options(state, prompt) if isinstance(prompt, DecisionWanted) else ()


def _action_options(state: RoundState, prompt: DecisionWanted) -> tuple[ActionOption, ...]:
    spot = state.spots[prompt.spot]
    return tuple(_action(state, spot, prompt.hand, action) for action in range(actions.ACTIONS))


def _blackjack(state: RoundState, spot: int) -> tuple[AnswerOption, AnswerOption]:
    hand = state.spots[spot].hands[0]
    pays = blackjack_profit(state.table, hand.shape, hand.wager)
    return AnswerOption(TAKE, spot, pays=pays), AnswerOption(KEEP, spot)


def _insurance(state: RoundState, spot: int) -> InsuranceOption:
    unit = state.rules.small_chip_unit
    return InsuranceOption(spot, maximum_insurance_in_chips(state.spots[spot].base, unit), unit)


def default_command(state: RoundState) -> Command | None:
    """Return the command for a player who doesn't answer: no insurance, take the blackjack, stand.

    It is always legal. None if no particular person must answer.
    """
    prompt = waiting_for(state)
    if isinstance(prompt, DecisionWanted):
        return Stand(prompt.spot)
    if isinstance(prompt, InsuranceAnswersWanted):
        return Insure(prompt.spots[0], 0)
    if isinstance(prompt, BlackjackAnswersWanted):
        return TakeBlackjack(prompt.spots[0])
    return None


def legal_actions(state: RoundState) -> tuple[int, ...]:
    """Return only the codes of the legal actions: the fast path for programs."""
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


def _action(state: RoundState, spot: Spot, index: int, action: int) -> ActionOption:
    hand = spot.hands[index]
    name = actions.ACTION_NAMES[action]
    number = spot.number
    reason = actions.refusal(state.table, action, hand.shape, len(spot.hands))
    if reason != LEGAL:
        return _refused_action(action, number, index, reason, state.rules.game)
    chips = chips_needed(state, spot, hand, action)
    unit = state.rules.small_chip_unit
    minimum = minimum_double(state.table, chips, unit) if action == actions.DOUBLE else chips
    back = 0
    if action == actions.RESCUE:
        back = hand.wager - rescue_loss(hand.wager, hand.last_portion)
    elif action == actions.SURRENDER:
        back = hand.wager - surrender_loss(hand.wager)
    return _legal_action(action, name, number, index, True, chips, minimum, unit, back)


# Cached, because the same few options come up again and again.
_legal_action = lru_cache(maxsize=2048)(ActionOption)


@lru_cache(maxsize=2048)
def _refused_action(action: int, spot: int, hand: int, reason: int, game: Game) -> ActionOption:
    code, rules, sentence = REASONS[reason]
    name, cites = actions.ACTION_NAMES[action], cited(rules, game)
    return ActionOption(action, name, spot, hand, False, code=code, rules=cites, reason=sentence)


def chips_needed(state: RoundState, spot: Spot, hand: PlayerHand, action: int) -> int:
    """Return the amount that an action adds to the wager.

    The same amount again, capped (R-055), or the base wager for a split (R-045).
    """
    if action in (actions.DOUBLE, actions.DOUBLE_DOUBLE):
        return doubling_wager(state.table, hand.wager, hand.shape.doublings)
    return split_wager(spot.base) if action == actions.SPLIT else 0
