"""Settling the wagers of the base game: who is paid what, by which odds and which rule."""

from __future__ import annotations

from ventiuna.core.blackjacks import result_against_blackjack, wins_two_blackjacks
from ventiuna.core.bonus import winning_row
from ventiuna.core.hand import is_all_diamonds, is_blackjack
from ventiuna.core.payouts import (
    PUSHES,
    WINS,
    blackjack_profit,
    compare,
    insurance_profit,
    rescue_loss,
    row_profit,
    surrender_loss,
)
from ventiuna.core.super_bonus import is_super_bonus, super_bonus_pay
from ventiuna.engine.events import HandRemoved, HandStood, WagerSettled
from ventiuna.engine.labels import DOUBLED_21_RULE, DOUBLED_SURRENDER_RULE, RESCUE_RULE
from ventiuna.engine.recorder import Recorder
from ventiuna.engine.stakes import Wager
from ventiuna.engine.state import HandStatus, PlayerHand, RoundState, Spot


def settle_hand(
    rec: Recorder, spot: Spot, index: int, profit: int, odds: str, rule: str, reason: str
) -> None:
    stake = spot.hands[index].wager
    paid = stake + profit
    rec.emit(WagerSettled(spot.number, index, Wager.HAND, stake, paid, odds, rule, reason))


def remove_hand(rec: Recorder, spot: Spot, index: int) -> None:
    if spot.hands[index].on_table:
        rec.emit(HandRemoved(spot.number, index))


def lose_hand(rec: Recorder, spot: Spot, index: int, rule: str, reason: str) -> None:
    settle_hand(rec, spot, index, -spot.hands[index].wager, "lost", rule, reason)


def pay_blackjack(rec: Recorder, spot: Spot) -> None:
    """The blackjack's own pay (R-029, R-114)."""
    hand = spot.hands[0]
    labels = rec.labels
    odds = labels.diamond if is_all_diamonds(hand.shape) else labels.blackjack
    profit = blackjack_profit(rec.state.table, hand.shape, hand.wager)
    settle_hand(rec, spot, 0, profit, odds, labels.blackjack_rule, "blackjack")


def end_hand(rec: Recorder, spot: Spot, index: int) -> None:
    """The hand takes no more cards: paid at once where it has won, else it stands."""
    hand = spot.hands[index]
    if is_blackjack(hand.shape):
        pay_blackjack(rec, spot)
        remove_hand(rec, spot, index)
        return
    row = winning_row(rec.state.table, hand.shape)
    if row < 0:
        rec.emit(HandStood(spot.number, index))
        return
    label = rec.labels.rows[row]
    profit = row_profit(rec.state.table, row, hand.wager)
    rule = DOUBLED_21_RULE if hand.shape.doublings else label.rule
    settle_hand(rec, spot, index, profit, label.odds, rule, label.name)
    if not wins_super_bonus(rec.state, spot, hand):
        remove_hand(rec, spot, index)  # a Super Bonus hand stays on the table


def wins_super_bonus(state: RoundState, spot: Spot, hand: PlayerHand) -> bool:
    """Cards, up card and bet size (R-067 to R-070); a small bet wins none (O-13)."""
    return (
        is_super_bonus(state.table, hand.shape, state.up)
        and super_bonus_pay(state.table, spot.base) > 0
    )


def bust_hand(rec: Recorder, spot: Spot, index: int) -> None:
    """Passing 21 loses at once, whatever the dealer does (R-013); no rescue (R-059)."""
    lose_hand(rec, spot, index, rec.labels.bust_rule, f"bust with {spot.hands[index].total}")
    remove_hand(rec, spot, index)


def surrender_hand(rec: Recorder, spot: Spot, index: int) -> None:
    hand = spot.hands[index]
    rule = DOUBLED_SURRENDER_RULE if hand.shape.doublings else rec.labels.surrender_rule
    settle_hand(rec, spot, index, -surrender_loss(hand.wager), "half lost", rule, "surrendered")
    remove_hand(rec, spot, index)


def rescue_hand(rec: Recorder, spot: Spot, index: int) -> None:
    hand = spot.hands[index]
    loss = rescue_loss(hand.wager, hand.last_portion)
    settle_hand(rec, spot, index, -loss, "last portion back", RESCUE_RULE, "rescued")
    remove_hand(rec, spot, index)


def settle_insurance(rec: Recorder, dealer_has_blackjack: bool) -> None:
    """Pays 2 to 1 against a dealer blackjack, is taken otherwise (R-034, R-116)."""
    labels = rec.labels
    for spot in rec.state.order:
        if not spot.insurance:
            continue
        stake = spot.insurance
        paid = stake + insurance_profit(rec.state.table, stake) if dealer_has_blackjack else 0
        rec.emit(
            WagerSettled(
                spot.number,
                -1,
                Wager.INSURANCE,
                stake,
                paid,
                labels.insurance_odds if dealer_has_blackjack else "lost",
                labels.insurance_rule,
                "dealer blackjack" if dealer_has_blackjack else "no dealer blackjack",
            )
        )


def settle_against_dealer_blackjack(rec: Recorder) -> None:
    """Every hand not paid already loses its wager, but a blackjack is one (R-035, O-09)."""
    for spot in rec.state.order:
        if spot.hands[0].status is not HandStatus.OVER:
            _settle_against_dealer_blackjack(rec, spot)
        remove_hand(rec, spot, 0)


def _settle_against_dealer_blackjack(rec: Recorder, spot: Spot) -> None:
    hand = spot.hands[0]
    wins = wins_two_blackjacks(rec.state.table, paid_before_check=False)
    if spot.has_blackjack and wins:
        pay_blackjack(rec, spot)
        return
    profit = result_against_blackjack(spot.has_blackjack, wins, 0, hand.wager)
    if spot.has_blackjack:
        rule, reason = rec.labels.blackjack_rule, "blackjack on both sides"
        settle_hand(rec, spot, 0, profit, "push", rule, reason)
    else:
        rule = rec.labels.dealer_blackjack_rule
        settle_hand(rec, spot, 0, profit, "lost", rule, "dealer blackjack")


def settle_standing_hands(rec: Recorder, dealer_total: int) -> None:
    """Hands still on the table are compared with the dealer's (R-078)."""
    for spot in rec.state.order:
        for index, hand in enumerate(spot.hands):
            if hand.status is HandStatus.STANDING:
                _settle_standing_hand(rec, spot, index, hand, dealer_total)
                remove_hand(rec, spot, index)


def _settle_standing_hand(
    rec: Recorder, spot: Spot, index: int, hand: PlayerHand, dealer_total: int
) -> None:
    rule = rec.labels.compare_rule
    outcome = compare(hand.total, dealer_total)
    against = "dealer bust" if dealer_total > 21 else f"{hand.total} against {dealer_total}"
    if outcome == WINS:
        settle_hand(rec, spot, index, hand.wager, "even money", rule, against)
    elif outcome == PUSHES:
        settle_hand(rec, spot, index, 0, "push", rule, against)
    else:
        lose_hand(rec, spot, index, rule, against)
