"""Card numbering, and cards packed into one int."""

import pytest

from ventiuna.cards import card_text
from ventiuna.core import cards


def test_all_cards_are_numbered_once_by_rank_and_suit() -> None:
    numbers = [
        cards.card_of(rank, suit)
        for rank in range(1, cards.RANKS + 1)
        for suit in range(cards.SUITS)
    ]
    assert numbers == list(range(52))
    assert [cards.rank_of(card) for card in numbers[:5]] == [1, 1, 1, 1, 2]
    assert [cards.suit_of(card) for card in numbers[:5]] == [0, 1, 2, 3, 0]
    assert (cards.CARDS, cards.RANKS, cards.SUITS) == (52, 13, 4)


def test_a_card_is_its_rank_and_suit() -> None:
    for card in range(cards.CARDS):
        assert cards.card_of(cards.rank_of(card), cards.suit_of(card)) == card
        assert cards.suit_bit_of(card) == cards.suit_bit(cards.suit_of(card))


def test_named_cards_and_ranks() -> None:
    assert card_text(cards.SPADE_ACE) == "As"
    assert card_text(cards.SPADE_KING) == "Ks"
    names = (cards.ACE, cards.SEVEN, cards.TEN, cards.JACK, cards.QUEEN, cards.KING)
    assert "".join(card_text(cards.card_of(rank, cards.HEARTS)) for rank in names) == "Ah7hThJhQhKh"
    suits = (cards.CLUBS, cards.DIAMONDS, cards.HEARTS, cards.SPADES)
    assert [card_text(cards.card_of(2, suit)) for suit in suits] == ["2c", "2d", "2h", "2s"]


def test_r011_faces_and_tens_count_ten() -> None:
    values = [cards.value_of(cards.card_of(rank, cards.SPADES)) for rank in range(1, 14)]
    assert values == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_a_card_of_a_value_is_in_every_pack() -> None:
    for value in range(1, 11):
        card = cards.card_of_value(value)
        assert cards.value_of(card) == value
        assert cards.rank_of(card) != cards.TEN


def test_ranks_are_packed_four_bits_each() -> None:
    assert [cards.one_of_rank(rank) for rank in (1, 2, 13)] == [1, 1 << 4, 1 << 48]
    assert cards.packed_ranks((7, 7, 7)) == 3 << 24
    assert cards.packed_ranks(()) == 0


@pytest.mark.parametrize("ranks", [[], [1], [1, 1, 13], [6, 7, 8], [2] * 15, [*range(1, 14)]])
def test_packed_ranks_can_be_unpacked(ranks: list[int]) -> None:
    packed = cards.packed_ranks(ranks)
    assert cards.unpacked_ranks(packed) == ranks
    assert [cards.count_of_rank(packed, rank) for rank in range(1, 14)] == [
        ranks.count(rank) for rank in range(1, 14)
    ]


def test_ranks_below_a_rank() -> None:
    packed = cards.packed_ranks((1, 9, 9, 10, 13))
    assert cards.unpacked_ranks(cards.ranks_below(packed, cards.TEN)) == [1, 9, 9]
    assert cards.ranks_below(packed, 1) == 0


def test_sets_of_suits() -> None:
    assert [cards.suit_bit(suit) for suit in range(4)] == [1, 2, 4, 8]
    assert cards.ANY_SUITS == 0xFFFF
