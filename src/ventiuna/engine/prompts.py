"""Prompts: a round can wait for wagers, a card, answers, a decision or meter readings."""

from __future__ import annotations

from typing import NamedTuple

from ventiuna.core.base_game import insurance_is_offered, may_insure
from ventiuna.core.meters import comes_from_meter, is_house_jackpot
from ventiuna.engine.events import Place, Stage
from ventiuna.engine.settlement import award_is_due, special_line_won, super_bonus_spots
from ventiuna.engine.state import HandStatus, RoundState, Spot, check_round
from ventiuna.rules.model import DealOrder


class CardWanted(NamedTuple):
    """The next card, and its destination.

    >>> from ventiuna import Round
    >>> game = Round("wsgc-2021")
    >>> game.wager(1000)
    >>> game.deal("9c")
    >>> str(game.waiting.place)
    'up'
    """

    place: Place
    spot: int = 0
    hand: int = 0


class WagersWanted(NamedTuple):
    """Wagers may be placed until betting closes.

    >>> from ventiuna import Round
    >>> Round("wsgc-2021").waiting
    WagersWanted(kind='wagers')
    """

    kind: str = "wagers"


class BlackjackAnswersWanted(NamedTuple):
    """These spots choose: take the payment for the blackjack, or keep it to double.

    >>> from ventiuna import Round
    >>> game = Round("wsgc-2021")
    >>> game.wager(1000)
    >>> game.deal("Ac 6d Kh 9c")
    >>> game.waiting, game.legal
    (BlackjackAnswersWanted(spots=(1,)), ('take', 'keep'))
    """

    spots: tuple[int, ...]


class InsuranceAnswersWanted(NamedTuple):
    """These spots insure or decline.

    >>> from ventiuna import Round
    >>> game = Round("wsgc-2021")
    >>> game.wager(1000)
    >>> game.deal("9c Ad Kh 9c")
    >>> game.waiting
    InsuranceAnswersWanted(spots=(1,))
    """

    spots: tuple[int, ...]


class DecisionWanted(NamedTuple):
    """A decision by the hand whose turn it is.

    >>> from ventiuna import Round
    >>> game = Round("wsgc-2021")
    >>> game.wager(1000)
    >>> game.deal("9c 6d Kh 9c")
    >>> game.waiting
    DecisionWanted(spot=1, hand=0)
    """

    spot: int
    hand: int


class MetersWanted(NamedTuple):
    """Readings of these jackpot games' meters, on which awards are based (R-095).

    >>> MetersWanted((1,)).games
    (1,)
    """

    games: tuple[int, ...]


THIRD_CARD = "third_card"
PAYMENTS = "payments"


class SupervisorWanted(NamedTuple):
    """The supervisor must watch the third card of these spots or authorize their payments.

    >>> SupervisorWanted((2,), "third_card").spots
    (2,)
    """

    spots: tuple[int, ...]
    task: str


class NothingWanted(NamedTuple):
    """The round is closed or void.

    >>> from ventiuna import Table
    >>> Table("super-fun-21", seed=1).play_round().waiting
    NothingWanted(kind='closed')
    """

    kind: str = "closed"


Waiting = (
    CardWanted
    | WagersWanted
    | BlackjackAnswersWanted
    | InsuranceAnswersWanted
    | DecisionWanted
    | MetersWanted
    | SupervisorWanted
    | NothingWanted
)

_WAGERS = WagersWanted()
_NOTHING = NothingWanted()
_UP = CardWanted(Place.UP)
_DOWN = CardWanted(Place.DOWN)
_BONUS = CardWanted(Place.BONUS)
_DRAW = CardWanted(Place.DEALER)
PAYING_STAGES = (Stage.AWARDS, Stage.SUPER_BONUS)  # a supervisor must authorize the payments
BLACKJACK_STAGES = (Stage.BLACKJACKS, Stage.UNINSURED_BLACKJACKS, Stage.BLACKJACKS_AFTER_CHECK)


def waiting_for(state: RoundState) -> Waiting:
    """Return the prompt that the round is waiting on.

    >>> from ventiuna import load_rules
    >>> waiting_for(RoundState(load_rules("wsgc-2021")))
    WagersWanted(kind='wagers')
    """
    if type(state) is not RoundState:  # inline, because a call would cost more than the check
        check_round(state)
    if state.supervised and (wanted := supervisor_wanted(state)) is not None:
        return wanted
    stage = state.stage
    if stage is Stage.PLAY:
        current = state.current_hand()
        assert current is not None, "play without a hand to act"
        spot, index = current
        if spot.hands[index].drawing:
            return CardWanted(Place.PLAYER, spot.number, index)
        return DecisionWanted(spot.number, index)
    if stage is Stage.DEAL or stage is Stage.DEALER:
        card = card_wanted(state)
        assert card is not None, "a deal without a card to come"
        return card
    if stage is Stage.WAGERS:
        return _WAGERS
    if stage is Stage.INSURANCE:
        pending = [spot.number for spot in spots_offered_insurance(state) if spot.insurance is None]
        return InsuranceAnswersWanted(tuple(pending))
    if stage in BLACKJACK_STAGES:
        pending = [spot.number for spot in undecided_blackjacks(state)]
        return BlackjackAnswersWanted(tuple(pending))
    if stage is Stage.AWARDS:
        return MetersWanted(unread_meters(state))
    return _NOTHING


def card_wanted(state: RoundState) -> CardWanted | None:
    """Return the destination of the next card of the deal; None if the deal is complete.

    Each player gets one card in each of two passes. The house chooses when to deal the dealer's
    cards: by default, the up card after the first pass and the down card after the second (R-026,
    R-123, D-20, O-04). The Bonus Cards follow in numerical order (R-027).
    """
    if state.stage is Stage.DEALER:
        return _DRAW
    dealer = len(state.dealer) + (state.early_down is not None)
    if dealer < 2:
        order = state.rules.deal_order
        for cards in (0, 1) if order == DealOrder.DEALER_LAST else (dealer,):
            for spot in state.order:
                if len(spot.originals) == cards:
                    return CardWanted(Place.PLAYER, spot.number)
        is_down = (dealer == 0) == (order == DealOrder.DOWN_CARD_FIRST)
        return _DOWN if is_down else _UP
    return _BONUS if len(state.bonus_cards) < state.rules.bonus_cards else None


def supervisor_wanted(state: RoundState) -> SupervisorWanted | None:
    """Return the supervisor's pending task, if the table requires a supervisor (R-121).

    One authorization covers all Super Bonuses, Envy Bonuses and percentage awards of a round.
    """
    if not state.supervised:
        return None
    if state.stage in PAYING_STAGES:
        if state.authorized:
            return None
        winners = {spot.number for spot in super_bonus_spots(state)}
        winners |= {spot.number for spot in state.order if _wins_award(state, spot)}
        return SupervisorWanted(tuple(sorted(winners)), PAYMENTS)
    is_over = state.stage in (Stage.CLOSED, Stage.VOID)
    return SupervisorWanted(state.called, THIRD_CARD) if state.called and not is_over else None


def _wins_award(state: RoundState, spot: Spot) -> bool:
    return any(
        comes_from_meter(state.table, game - 1, special_line_won(state, spot, game))
        for game in spot.jackpots
    )


def unread_meters(state: RoundState) -> tuple[int, ...]:
    """Return progressives that pay an award this round but whose meters haven't been read yet.

    Other tables may feed a meter, so it can change until the award. House jackpots are posted
    amounts, which aren't read.
    """
    if state.meters_shown:
        return ()
    return tuple(
        game
        for game in range(1, len(state.meters) + 1)
        if not is_house_jackpot(state.table, game - 1) and award_is_due(state, game)
    )


def spots_offered_insurance(state: RoundState) -> list[Spot]:
    """Return spots that may insure, including paid blackjacks if allowed (R-031, R-034)."""
    if not insurance_is_offered(state.table, state.up):
        return []
    return [spot for spot in state.order if may_insure(state.table, state.up, spot.has_blackjack)]


def undecided_blackjacks(state: RoundState) -> list[Spot]:
    """Return blackjacks whose players must still choose to be paid or to keep them."""
    return [
        spot
        for spot in state.order
        if spot.blackjack_answer is None
        and spot.has_blackjack
        and spot.hands[0].status is HandStatus.WAITING
        and not (state.stage is Stage.UNINSURED_BLACKJACKS and spot.insurance)
    ]
