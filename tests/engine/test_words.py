"""Words shown next to a hand and next to the dealer's cards."""

from __future__ import annotations

import pytest

from ventiuna.cards import parse_card
from ventiuna.engine.messages import count_words, dealer_words, hand_words, rank_with_article
from ventiuna.engine.state import RoundState, apply
from ventiuna.notation import read_rounds, replay

ROUND = """round 1
rules: {rules}
dealer: {dealer}
spot 1 ann: base 10
  {hand}
"""


def words_through(hand: str, rules: str = "wsgc-2021") -> list[str]:
    """All words shown for the first hand, in order; the dealer draws if a hand stands."""
    dealer = "6s Kh / 5d" if hand.endswith(("stand", "9h")) else "6s Kh"
    [record] = read_rounds(ROUND.format(rules=rules, dealer=dealer, hand=hand))
    state = RoundState(record.rules)
    found = [""]
    for event in replay(record).events:
        apply(state, event)
        for spot in state.order:
            words = hand_words(state, spot, spot.hands[0])
            if words != found[-1]:
                found.append(words)
    return found[1:]


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("8c Kd / stand", ["8", "18", "18 stands", "18 loses"]),
        ("9c Kd / stand", ["9", "19", "19 stands", "19 loses"]),
        ("Kc Jd / stand", ["10", "20", "20 stands", "20 loses"]),
        ("Kc 4d / hit Qh", ["10", "14", "24 busts"]),
        ("Ac 6d / stand", ["soft 11", "soft 17", "soft 17 stands", "soft 17 loses"]),
        ("Kc 6d / surrender", ["10", "16", "16 surrendered"]),
        ("6c 5d / double 9h", ["6", "11", "11 doubled", "20 doubled", "20 doubled, stands"]),
        ("6c 5d / double 2h / rescue", ["6", "11", "11 doubled", "13 doubled", "13 rescued"]),
        ("6c 7d / hit 8h", ["6", "13", "21", "6-7-8 of mixed suits, 3 to 2"]),
        ("Kc 4d / hit 7h", ["10", "14", "21", "21 wins"]),
    ],
)
def test_a_hands_label_shows_its_total_and_status(hand: str, words: list[str]) -> None:
    assert words_through(hand)[: len(words)] == words


def test_a_blackjacks_label_shows_its_payout() -> None:
    assert words_through("Ac Kd")[-1] == "Blackjack 3 to 2"
    diamonds = words_through("Ad Kd", rules="super-fun-21")
    assert diamonds[-1] == "Blackjack 2 to 1"


def test_the_dealers_label_shows_only_visible_cards() -> None:
    [record] = read_rounds(
        ROUND.format(rules="wsgc-2021", dealer="Ks 6h / 9d", hand="8c Kd / stand")
    )
    state = RoundState(record.rules)
    said = []
    for event in replay(record).events:
        apply(state, event)
        words = dealer_words(state)
        if words and words not in said:
            said.append(words)
    assert [words.text for words in said] == [
        "Dealer shows a king",
        "Dealer has 16",
        "Dealer busts with 25",
    ]
    assert said[0].spoken == "Dealer shows a king"


def test_ranks_have_their_articles() -> None:
    assert rank_with_article(parse_card("8s")) == ("an 8", "an eight")
    assert rank_with_article(parse_card("Ad")) == ("an ace", "an ace")
    assert rank_with_article(parse_card("4d")) == ("a 4", "a four")
    assert rank_with_article(parse_card("Th")) == ("a 10", "a ten")


def test_an_empty_hand_has_no_label() -> None:
    [record] = read_rounds(
        ROUND.format(rules="wsgc-2021", dealer="6s Kh / 5d", hand="8c Kd / stand")
    )
    state = RoundState(record.rules)
    apply(state, replay(record).events[0])
    [spot] = state.order
    assert count_words(spot.hands[0]) == hand_words(state, spot, spot.hands[0]) == ""
    assert dealer_words(state) is None
