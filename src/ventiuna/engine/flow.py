"""The order of a round (R-102, R-120): each stage does its work or waits for somebody."""

from __future__ import annotations

from collections.abc import Callable

from ventiuna.core.actions import has_a_choice
from ventiuna.core.advice import eleven_is_better_hit, next_card_cannot_lose
from ventiuna.core.blackjacks import AFTER_INSURANCE, BEFORE_INSURANCE, blackjack_paid_when
from ventiuna.core.bonus import has_won_already
from ventiuna.core.cards import rank_of, value_of
from ventiuna.core.dealer import dealer_checks, dealer_draws, is_dealer_blackjack
from ventiuna.core.hand import best_total, is_bust
from ventiuna.core.super_bonus import may_become_super_bonus, super_bonus_pay
from ventiuna.engine import settle, side_wagers
from ventiuna.engine.events import (
    Advice,
    AdviceGiven,
    BlackjackTaken,
    BonusCardsLocked,
    DealerChecked,
    DownCardExposed,
    Stage,
    StageReached,
    SupervisorCalled,
)
from ventiuna.engine.recorder import Recorder
from ventiuna.engine.state import HandStatus, RoundState, Spot
from ventiuna.engine.waiting import (
    asked_for_insurance,
    card_wanted,
    undecided_blackjacks,
    unread_meters,
)
from ventiuna.rules.model import DownSettled


def advance(rec: Recorder) -> None:
    """Go on until the round waits for somebody or is closed."""
    while True:
        following = _STAGES[rec.state.stage](rec)
        if following is None:
            return
        rec.emit(StageReached(following))


def _wait(_: Recorder) -> Stage | None:
    return None


def _deal(rec: Recorder) -> Stage | None:
    if card_wanted(rec.state) is not None:
        return None
    if rec.state.bonus_cards or any(spot.mtd or spot.jackpots for spot in rec.state.order):
        return Stage.UP_CARD_WAGERS
    return _begin_base_game(rec)


def _up_card_wagers(rec: Recorder) -> Stage:
    """Up Card, then Bonus Card wagers, then fixed jackpot pays (R-079, R-080, R-096)."""
    side_wagers.settle_match(rec, "up", rec.state.up)
    side_wagers.settle_bonus_card_matches(rec)
    side_wagers.settle_fixed_jackpot_lines(rec)
    if rec.state.bonus_cards:
        rec.emit(BonusCardsLocked())
    return _begin_base_game(rec)


def _begin_base_game(rec: Recorder) -> Stage:
    state = rec.state
    for spot in state.order:
        wins_something = super_bonus_pay(state.table, spot.base) > 0  # O-13
        if wins_something and may_become_super_bonus(state.table, spot.hands[0].shape, state.up):
            rec.emit(SupervisorCalled(spot.number))
    if _has_blackjack_paid(state, BEFORE_INSURANCE):
        return Stage.BLACKJACKS
    return _insurance_or_check(state)


def _has_blackjack_paid(state: RoundState, when: int) -> bool:
    """Is there a blackjack whose pay is due at this point of the round?"""
    return any(
        spot.has_blackjack
        and blackjack_paid_when(state.table, state.up, bool(spot.insurance)) == when
        for spot in state.order
    )


def _insurance_or_check(state: RoundState) -> Stage:
    if asked_for_insurance(state):
        return Stage.INSURANCE
    return Stage.CHECK if dealer_checks(state.up) else Stage.PLAY


def _pay_blackjacks(rec: Recorder, following: Callable[[RoundState], Stage]) -> Stage | None:
    """Pay the blackjacks whose turn it is, once all their players have chosen (R-032)."""
    state = rec.state
    asked = undecided_blackjacks(state)
    if asked and state.table.double_blackjack:
        return None
    for spot in asked:
        rec.emit(BlackjackTaken(spot.number))
    stays_for_insurance = bool(asked_for_insurance(state)) and state.stage is Stage.BLACKJACKS
    for spot in state.order:
        if spot.blackjack_answer == "take" and spot.hands[0].status is HandStatus.WAITING:
            settle.pay_blackjack(rec, spot)
            if not stays_for_insurance:
                settle.remove_hand(rec, spot, 0)
    return following(state)


def _blackjacks(rec: Recorder) -> Stage | None:
    return _pay_blackjacks(rec, _insurance_or_check)


def _insurance(rec: Recorder) -> Stage | None:
    """Ace up: insurance; a paid blackjack without it is taken away before the check (R-031)."""
    state = rec.state
    if any(spot.insurance is None for spot in asked_for_insurance(state)):
        return None
    for spot in state.order:
        if not spot.insurance and spot.hands[0].status is HandStatus.OVER:
            settle.remove_hand(rec, spot, 0)
    if _has_blackjack_paid(state, AFTER_INSURANCE):
        return Stage.UNINSURED_BLACKJACKS
    return Stage.CHECK


def _uninsured_blackjacks(rec: Recorder) -> Stage | None:
    return _pay_blackjacks(rec, lambda _: Stage.CHECK)


def _check(rec: Recorder) -> Stage:
    """The dealer looks at the down card (R-033)."""
    state = rec.state
    blackjack = is_dealer_blackjack(state.up, state.down)
    rec.emit(DealerChecked(blackjack))
    if blackjack:
        _expose_down_card(rec)
        settle.settle_insurance(rec, dealer_has_blackjack=True)
        settle.settle_against_dealer_blackjack(rec)
        return _after_settlement(state)
    settle.settle_insurance(rec, dealer_has_blackjack=False)
    for spot in state.order:
        if spot.hands[0].status is HandStatus.OVER:
            settle.remove_hand(rec, spot, 0)
    return Stage.BLACKJACKS_AFTER_CHECK if undecided_blackjacks(state) else Stage.PLAY


def _blackjacks_after_check(rec: Recorder) -> Stage | None:
    return _pay_blackjacks(rec, lambda _: Stage.PLAY)


def _play(rec: Recorder) -> Stage | None:
    """Players act in turn from the dealer's left (R-102 step 9)."""
    state = rec.state
    while (current := state.current_hand()) is not None:
        spot, index = current
        hand = spot.hands[index]
        if hand.drawing:
            return None
        if is_bust(hand.shape):
            settle.bust_hand(rec, spot, index)
        elif has_won_already(state.table, hand.shape):
            settle.end_hand(rec, spot, index)
        elif has_a_choice(state.table, hand.shape, len(spot.hands)):
            _advise(rec, spot, index)
            return None
        else:
            settle.end_hand(rec, spot, index)
    return Stage.DEALER


def _advise(rec: Recorder, spot: Spot, index: int) -> None:
    """What the dealer tells the player of a promising hand (R-118)."""
    if not rec.state.rules.instant_wins:
        return
    shape = spot.hands[index].shape
    if next_card_cannot_lose(rec.state.table, shape):
        rec.emit(AdviceGiven(spot.number, index, Advice.SIXTH_CARD_CANNOT_LOSE))
    elif eleven_is_better_hit(rec.state.table, shape):
        rec.emit(AdviceGiven(spot.number, index, Advice.HIT_ELEVEN))


def _dealer(rec: Recorder) -> Stage | None:
    """Expose the down card; draw only when a hand is still to be compared (R-077, O-16)."""
    state = rec.state
    if not state.down_exposed:
        _expose_down_card(rec)
    standing = any(
        hand.status is HandStatus.STANDING for spot in state.order for hand in spot.hands
    )
    if not standing:
        return _after_settlement(state)
    hard, aces = dealer_hand(state)
    return None if dealer_draws(state.table, hard, aces) else Stage.SETTLEMENT


def dealer_hand(state: RoundState) -> tuple[int, int]:
    """The dealer's hard total and aces."""
    hard = sum(value_of(card) for card in state.dealer)
    return hard, sum(1 for card in state.dealer if rank_of(card) == 1)


def _expose_down_card(rec: Recorder) -> None:
    rec.emit(DownCardExposed(rec.state.down))
    if rec.state.rules.down_settled == DownSettled.AT_EXPOSURE:
        side_wagers.settle_match(rec, "down", rec.state.down)


def _settlement(rec: Recorder) -> Stage:
    settle.settle_standing_hands(rec, best_total(*dealer_hand(rec.state)))
    return _after_settlement(rec.state)


def _after_settlement(state: RoundState) -> Stage:
    at_settlement = state.rules.down_settled == DownSettled.WITH_BASE_GAME
    if any(
        any(spot.open_jackpots.values()) or (at_settlement and spot.mtd.get("down"))
        for spot in state.order
    ):
        return Stage.DOWN_CARD_WAGERS
    return _after_awards(state)


def _down_card_wagers(rec: Recorder) -> Stage:
    """Down Card wagers, then jackpot lines that need the down card (R-081, R-102 step 12)."""
    if rec.state.rules.down_settled == DownSettled.WITH_BASE_GAME:
        side_wagers.settle_match(rec, "down", rec.state.down)
    side_wagers.settle_jackpot_lines_with_down_card(rec)
    if side_wagers.awards_are_due(rec.state):
        return Stage.AWARDS
    return _after_awards(rec.state)


def _awards(rec: Recorder) -> Stage | None:
    """Meters that others feed too are read first: they move until now."""
    if unread_meters(rec.state):
        return None
    side_wagers.pay_awards(rec)
    return _after_awards(rec.state)


def _after_awards(state: RoundState) -> Stage:
    return Stage.SUPER_BONUS if side_wagers.super_bonus_spots(state) else Stage.CLOSED


def _super_bonus(rec: Recorder) -> Stage:
    side_wagers.pay_super_and_envy_bonuses(rec)
    for spot in rec.state.order:
        for index in range(len(spot.hands)):
            settle.remove_hand(rec, spot, index)
    return Stage.CLOSED


_STAGES: dict[Stage, Callable[[Recorder], Stage | None]] = {
    Stage.WAGERS: _wait,
    Stage.DEAL: _deal,
    Stage.UP_CARD_WAGERS: _up_card_wagers,
    Stage.BLACKJACKS: _blackjacks,
    Stage.INSURANCE: _insurance,
    Stage.UNINSURED_BLACKJACKS: _uninsured_blackjacks,
    Stage.CHECK: _check,
    Stage.BLACKJACKS_AFTER_CHECK: _blackjacks_after_check,
    Stage.PLAY: _play,
    Stage.DEALER: _dealer,
    Stage.SETTLEMENT: _settlement,
    Stage.DOWN_CARD_WAGERS: _down_card_wagers,
    Stage.AWARDS: _awards,
    Stage.SUPER_BONUS: _super_bonus,
    Stage.CLOSED: _wait,
    Stage.VOID: _wait,
}
