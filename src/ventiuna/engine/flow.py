"""The order of play in a round (R-102, R-120): each stage does its work or waits for an answer."""

from __future__ import annotations

from collections.abc import Callable

from ventiuna.core.actions import has_a_choice
from ventiuna.core.base_game import (
    AFTER_INSURANCE,
    BEFORE_INSURANCE,
    blackjack_paid_when,
    dealer_checks,
    dealer_draws,
    eleven_is_better_hit,
    has_won_already,
    is_dealer_blackjack,
    may_become_super_bonus,
    next_card_cannot_lose,
    super_bonus_pay,
)
from ventiuna.core.cards import best_total, is_bust, rank_of, value_of
from ventiuna.engine import settlement
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
from ventiuna.engine.prompts import (
    card_wanted,
    spots_offered_insurance,
    supervisor_wanted,
    undecided_blackjacks,
    unread_meters,
)
from ventiuna.engine.state import HandStatus, Recorder, RoundState, Spot
from ventiuna.rules.model import DownSettled


def advance(rec: Recorder) -> None:
    """Advance until the round needs an answer or is closed."""
    while not rec.state.supervised or supervisor_wanted(rec.state) is None:
        following = _STAGES[rec.state.stage](rec)
        if following is None:
            return
        rec.emit(StageReached(following))


def _deal(rec: Recorder) -> Stage | None:
    if card_wanted(rec.state) is not None:
        return None
    if rec.state.bonus_cards or any(spot.mtd or spot.jackpots for spot in rec.state.order):
        return Stage.UP_CARD_WAGERS
    return _begin_base_game(rec)


def _up_card_wagers(rec: Recorder) -> Stage:
    """Settle Up Card wagers, then Bonus Card wagers, then fixed jackpot payouts.

    R-079, R-080, R-096.
    """
    settlement.settle_match(rec, "up", rec.state.up)
    settlement.settle_bonus_card_matches(rec)
    settlement.settle_fixed_jackpot_lines(rec)
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
    """Return whether any blackjack is due to be paid at this point in the round."""
    return any(
        spot.has_blackjack
        and blackjack_paid_when(state.table, state.up, bool(spot.insurance)) == when
        for spot in state.order
    )


def _insurance_or_check(state: RoundState) -> Stage:
    if spots_offered_insurance(state):
        return Stage.INSURANCE
    return Stage.CHECK if dealer_checks(state.up) else Stage.PLAY


def _pay_blackjacks(rec: Recorder, following: Callable[[RoundState], Stage]) -> Stage | None:
    """Pay the blackjacks that are due, once all their players have chosen (R-032)."""
    state = rec.state
    undecided = undecided_blackjacks(state)
    if undecided and state.table.double_blackjack:
        return None
    for spot in undecided:
        rec.emit(BlackjackTaken(spot.number))
    stays_for_insurance = bool(spots_offered_insurance(state)) and state.stage is Stage.BLACKJACKS
    for spot in state.settling:
        if spot.blackjack_answer == "take" and spot.hands[0].status is HandStatus.WAITING:
            settlement.pay_blackjack(rec, spot)
            if not stays_for_insurance:
                settlement.remove_hand(rec, spot, 0)
    return following(state)


def _insurance(rec: Recorder) -> Stage | None:
    """Offer insurance against an ace.

    A paid blackjack without insurance is removed before the check (R-031).
    """
    state = rec.state
    if any(spot.insurance is None for spot in spots_offered_insurance(state)):
        return None
    for spot in state.settling:
        if not spot.insurance and spot.hands[0].status is HandStatus.OVER:
            settlement.remove_hand(rec, spot, 0)
    if _has_blackjack_paid(state, AFTER_INSURANCE):
        return Stage.UNINSURED_BLACKJACKS
    return Stage.CHECK


def _check(rec: Recorder) -> Stage:
    """The dealer checks the down card (R-033)."""
    state = rec.state
    blackjack = is_dealer_blackjack(state.up, state.down)
    rec.emit(DealerChecked(blackjack))
    if blackjack:
        _expose_down_card(rec)
        settlement.settle_insurance(rec, dealer_has_blackjack=True)
        settlement.settle_against_dealer_blackjack(rec)
        return _after_settlement(state)
    settlement.settle_insurance(rec, dealer_has_blackjack=False)
    for spot in state.settling:
        if spot.hands[0].status is HandStatus.OVER:
            settlement.remove_hand(rec, spot, 0)
    return Stage.BLACKJACKS_AFTER_CHECK if undecided_blackjacks(state) else Stage.PLAY


def _play(rec: Recorder) -> Stage | None:
    """Let players act in turn from the dealer's left (R-102 step 9)."""
    state = rec.state
    while (current := state.current_hand()) is not None:
        spot, index = current
        hand = spot.hands[index]
        if hand.drawing:
            return None
        if is_bust(hand.shape):
            settlement.bust_hand(rec, spot, index)
        elif has_won_already(state.table, hand.shape):
            settlement.end_hand(rec, spot, index)
        elif has_a_choice(state.table, hand.shape, len(spot.hands)):
            _advise(rec, spot, index)
            return None
        else:
            settlement.end_hand(rec, spot, index)
    return Stage.DEALER


def _advise(rec: Recorder, spot: Spot, index: int) -> None:
    """Give the dealer's advice on a promising hand (R-118)."""
    if not rec.state.rules.instant_wins:
        return
    shape = spot.hands[index].shape
    if next_card_cannot_lose(rec.state.table, shape):
        rec.emit(AdviceGiven(spot.number, index, Advice.SIXTH_CARD_CANNOT_LOSE))
    elif eleven_is_better_hit(rec.state.table, shape):
        rec.emit(AdviceGiven(spot.number, index, Advice.HIT_ELEVEN))


def _dealer(rec: Recorder) -> Stage | None:
    """Expose the down card; draw only if a hand must still be compared (R-077, O-16)."""
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
    """Return the dealer's hard total and number of aces."""
    hard = sum(value_of(card) for card in state.dealer)
    return hard, sum(1 for card in state.dealer if rank_of(card) == 1)


def _expose_down_card(rec: Recorder) -> None:
    rec.emit(DownCardExposed(rec.state.down))
    if rec.state.rules.down_settled == DownSettled.AT_EXPOSURE:
        settlement.settle_match(rec, "down", rec.state.down)


def _settlement(rec: Recorder) -> Stage:
    settlement.settle_standing_hands(rec, best_total(*dealer_hand(rec.state)))
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
    """Settle Down Card wagers, then jackpot lines that need the down card.

    R-081, R-102 step 12.
    """
    if rec.state.rules.down_settled == DownSettled.WITH_BASE_GAME:
        settlement.settle_match(rec, "down", rec.state.down)
    settlement.settle_jackpot_lines_with_down_card(rec)
    games = range(1, len(rec.state.meters) + 1)
    if any(settlement.award_is_due(rec.state, game) for game in games):
        return Stage.AWARDS
    return _after_awards(rec.state)


def _awards(rec: Recorder) -> Stage | None:
    """Pay awards once the meters have been read: other tables can change them until then."""
    if unread_meters(rec.state):
        return None
    settlement.pay_awards(rec)
    return _after_awards(rec.state)


def _after_awards(state: RoundState) -> Stage:
    return Stage.SUPER_BONUS if settlement.super_bonus_spots(state) else Stage.CLOSED


def _super_bonus(rec: Recorder) -> Stage:
    settlement.pay_super_and_envy_bonuses(rec)
    for spot in rec.state.order:
        for index in range(len(spot.hands)):
            settlement.remove_hand(rec, spot, index)
    return Stage.CLOSED


_STAGES: dict[Stage, Callable[[Recorder], Stage | None]] = {
    Stage.WAGERS: lambda _: None,
    Stage.DEAL: _deal,
    Stage.UP_CARD_WAGERS: _up_card_wagers,
    Stage.BLACKJACKS: lambda rec: _pay_blackjacks(rec, _insurance_or_check),
    Stage.INSURANCE: _insurance,
    Stage.UNINSURED_BLACKJACKS: lambda rec: _pay_blackjacks(rec, lambda _: Stage.CHECK),
    Stage.CHECK: _check,
    Stage.BLACKJACKS_AFTER_CHECK: lambda rec: _pay_blackjacks(rec, lambda _: Stage.PLAY),
    Stage.PLAY: _play,
    Stage.DEALER: _dealer,
    Stage.SETTLEMENT: _settlement,
    Stage.DOWN_CARD_WAGERS: _down_card_wagers,
    Stage.AWARDS: _awards,
    Stage.SUPER_BONUS: _super_bonus,
    Stage.CLOSED: lambda _: None,
    Stage.VOID: lambda _: None,
}
