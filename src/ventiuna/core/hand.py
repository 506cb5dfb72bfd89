"""A player's hand reduced to the few ints that the rules need; card order doesn't matter."""

from typing import NamedTuple

from ventiuna.core.cards import (
    ACE,
    DIAMONDS,
    one_of_rank,
    rank_of,
    suit_bit,
    suit_bit_of,
    value_of,
)


class Hand(NamedTuple):
    cards: int  # number of cards
    hard: int  # total with every ace as 1
    aces: int  # number of aces
    ranks: int  # count of each rank, four bits per rank, aces lowest
    suits: int  # bit mask of the suits present
    doublings: int  # number of times the wager was doubled
    split: int  # 1 if the hand came from a split
    split_ace: int  # 1 if it came from a split pair of aces


EMPTY_HAND = Hand(0, 0, 0, 0, 0, 0, 0, 0)


def add_card(hand: Hand, card: int) -> Hand:
    rank = rank_of(card)
    return Hand(
        hand.cards + 1,
        hand.hard + value_of(card),
        hand.aces + (1 if rank == ACE else 0),
        hand.ranks + one_of_rank(rank),
        hand.suits | suit_bit_of(card),
        hand.doublings,
        hand.split,
        hand.split_ace,
    )


def doubled_hand(hand: Hand) -> Hand:
    """Return the same cards with the wager doubled once more."""
    return Hand(
        hand.cards,
        hand.hard,
        hand.aces,
        hand.ranks,
        hand.suits,
        hand.doublings + 1,
        hand.split,
        hand.split_ace,
    )


def split_hand(card: int) -> Hand:
    """Return an undoubled hand with one card of a split pair (R-044, O-32)."""
    rank = rank_of(card)
    return Hand(
        1,
        value_of(card),
        1 if rank == ACE else 0,
        one_of_rank(rank),
        suit_bit_of(card),
        0,
        1,
        1 if rank == ACE else 0,
    )


def best_total(hard: int, aces: int) -> int:
    """Best total: an ace counts 11 unless that exceeds 21 (R-011)."""
    return hard + 10 if aces > 0 and hard <= 11 else hard


def is_soft(hard: int, aces: int) -> bool:
    return aces > 0 and hard <= 11


def is_bust(hand: Hand) -> bool:
    return hand.hard > 21


def is_blackjack(hand: Hand) -> bool:
    """An ace and a ten-valued card as the first two cards (R-012); after a split just 21 (O-05)."""
    return (
        hand.cards == 2
        and hand.aces == 1
        and hand.hard == 11
        and hand.split == 0
        and hand.doublings == 0
    )


def is_all_diamonds(hand: Hand) -> bool:
    return hand.suits == suit_bit(DIAMONDS)


def is_same_rank_pair(hand: Hand) -> bool:
    # Two cards of one rank leave a single bit set in the four-bit counters.
    return hand.cards == 2 and hand.ranks & (hand.ranks - 1) == 0


def is_equal_value_pair(hand: Hand) -> bool:
    """Two cards of equal value; a jack and a king are equal (R-042)."""
    return is_same_rank_pair(hand) or (hand.cards == 2 and hand.hard == 20)
