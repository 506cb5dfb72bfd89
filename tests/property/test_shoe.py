"""A shoe with any cards drawn and discarded never loses or gains a card."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.effort import examples
from ventiuna.cards import new_shoe
from ventiuna.engine import OutOfCards, Shoe
from ventiuna.rules import Rules, load_rules

shoes = st.builds(
    "{}(decks={},burn_cards={},cut_card={})".format,
    st.just("super-fun-21"),
    st.sampled_from([1, 2]),
    st.sampled_from([0, 1, 20]),
    st.sampled_from([0, 10, 50, 100]),
).map(load_rules)
# Number of cards to draw, then number of drawn cards to return.
moves = st.lists(st.tuples(st.integers(1, 30), st.integers(0, 30)), min_size=1, max_size=12)


@examples(150)
@given(shoes, moves, st.integers(0, 2**32))
def test_cards_are_conserved(rules: Rules, steps: list[tuple[int, int]], seed: int) -> None:
    shoe = Shoe(rules, random.Random(seed).shuffle)
    assert shoe.cards_left == rules.shoe_size - rules.burn_cards
    whole = Counter(new_shoe(rules.pack, rules.decks))
    inside = shoe.cards_left
    out: list[int] = []
    discards: list[int] = []
    for draws, returns in steps:
        for _ in range(draws):
            if inside == 0 and not discards:
                with pytest.raises(OutOfCards):
                    shoe.draw()
                break
            if inside == 0:
                inside, discards = len(discards), []
            out.append(shoe.draw())
            inside -= 1
            assert shoe.cards_left == inside
            assert Counter(out) + Counter(discards) <= whole
        given_back, out = out[:returns], out[returns:]
        shoe.discard(given_back)
        discards += given_back
        assert shoe.cut_card_came == (
            inside <= rules.shoe_size * (100 - rules.cut_card_percent) // 100
        )
    before = shoe.shuffles
    came = shoe.cut_card_came
    assert shoe.begin_round() == came
    assert shoe.shuffles == before + came


@examples(50)
@given(st.integers(0, 2**32), st.integers(1, 52))
def test_only_discards_are_dealt_again(seed: int, count: int) -> None:
    """If the shoe runs out during a round, cards on the table stay there (O-03)."""
    rules = load_rules("super-fun-21")
    shoe = Shoe(rules, random.Random(seed).shuffle)
    drawn = [shoe.draw() for _ in range(52)]
    assert Counter(drawn) == Counter(new_shoe(rules.pack, 1))
    shoe.discard(drawn[:count])
    again = [shoe.draw() for _ in range(count)]
    assert Counter(again) == Counter(drawn[:count])
    with pytest.raises(OutOfCards):
        shoe.draw()


@examples(50)
@given(st.integers(0, 2**32))
def test_a_shuffle_brings_all_cards_back(seed: int) -> None:
    rules = load_rules("wsgc-2021(decks=2)")
    shoe = Shoe(rules, random.Random(seed).shuffle)
    for _ in range(70):
        shoe.draw()
    assert shoe.begin_round()
    assert Counter(shoe.draw() for _ in range(96)) == Counter(new_shoe(rules.pack, 2))
