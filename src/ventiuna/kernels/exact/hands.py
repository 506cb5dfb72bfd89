"""Asks `core` about every composition at once: what a hand may do and what pays it."""

import numpy as np

from ventiuna.core.actions import ACTIONS, STAND, refusal
from ventiuna.core.bonus import winning_row
from ventiuna.core.cards import KING, one_of_rank
from ventiuna.core.hand import Hand, best_total, is_blackjack
from ventiuna.core.payouts import blackjack_profit, row_profit
from ventiuna.core.refusals import LEGAL
from ventiuna.core.table import RuleTable
from ventiuna.kernels.exact.lattice import ACE_VALUE, COMPOSITIONS, TEN_VALUE, VALUES, Ints
from ventiuna.kernels.exact.records import KINDS, SPLIT_ACE_HAND, SUIT_MASKS, UNSPLIT, Game
from ventiuna.kernels.jit import compiled, compiled_within

# Suits count for few hands, and those are asked about by suits; all others with these.
SOME_SUITS = 0b0011


@compiled_within
def composition_hand(game: Game, place: int, suits: int, kind: int, doublings: int) -> Hand:
    """The hand of a composition; ten-valued cards as kings."""
    ranks = 0
    for value in range(VALUES):
        rank = KING if value == TEN_VALUE else value + 1
        ranks += game.counts[place, value] * one_of_rank(rank)
    return Hand(
        game.cards[place],
        game.hard[place],
        game.counts[place, ACE_VALUE],
        ranks,
        suits,
        doublings,
        0 if kind == UNSPLIT else 1,
        1 if kind == SPLIT_ACE_HAND else 0,
    )


@compiled_within
def paid_at_once(rules: RuleTable, hand: Hand) -> float:
    """Profit for a wager of one when the hand stands, or NaN: it waits for the dealer."""
    if is_blackjack(hand):
        unit: int = rules.blackjack_den * rules.diamond_den
        return blackjack_profit(rules, hand, unit) / unit
    row = winning_row(rules, hand)
    if row < 0:
        return np.nan
    unit = rules.bonus_den[row]
    return row_profit(rules, row, unit) / unit


@compiled_within
def legal_actions(rules: RuleTable, hand: Hand, hands: int) -> int:
    """A bit for each legal action. A hand that has won already can only be paid, as by standing."""
    bits = 1 << STAND
    for action in range(ACTIONS):
        if refusal(rules, action, hand, hands) == LEGAL:
            bits |= 1 << action
    return bits


@compiled
def ask_about_hands(rules: RuleTable, game: Game) -> None:
    """Fill the tables for all compositions of two or more cards."""
    for place in range(COMPOSITIONS):
        game.total[place] = best_total(game.hard[place], game.counts[place, ACE_VALUE])
        if game.cards[place] < 2:
            continue
        for kind in range(KINDS):
            hands = 1 if kind == UNSPLIT else rules.split_hands
            for doublings in range(rules.doublings_at_most + 1):
                hand = composition_hand(game, place, SOME_SUITS, kind, doublings)
                game.legal[kind, doublings, place] = legal_actions(rules, hand, hands)
                if doublings < 2:
                    pay = paid_at_once(rules, hand)
                    game.paid[kind, doublings, place] = 0 if np.isnan(pay) else 1
                    game.pay[kind, doublings, place] = pay


@compiled
def ask_about_suits(rules: RuleTable, game: Game, places: Ints) -> None:
    """Fill the tables by suits for these undoubled hands; only those then say what is paid."""
    for row in range(places.shape[0]):
        place = places[row]
        game.suit_row[place] = row
        for kind in range(KINDS):
            hands = 1 if kind == UNSPLIT else rules.split_hands
            game.paid[kind, 0, place] = 0
            for mask in range(1, SUIT_MASKS):
                hand = composition_hand(game, place, mask, kind, 0)
                game.suit_pay[kind, row, mask] = paid_at_once(rules, hand)
                game.suit_legal[kind, row, mask] = legal_actions(rules, hand, hands)
