"""The live shoe against the recipe's model: every card, reshuffle, copy, and restart."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.effort import examples
from tests.support.dealt_rounds import deal_round
from tests.table.recipe_model import ModelShoe, NoCards
from ventiuna.cards import Pack
from ventiuna.engine.commands import Command
from ventiuna.engine.dealing import OutOfCards
from ventiuna.engine.events import (
    CardDealt,
    Event,
    HandRemoved,
    HandSplit,
    HandStood,
    Place,
)
from ventiuna.engine.prompts import Waiting
from ventiuna.engine.state import RoundState
from ventiuna.rules import load_rules
from ventiuna.strategy.players import RandomPlayer
from ventiuna.table.fairness import (
    ContextError,
    LiveShoe,
    Position,
    ShoeContext,
    ShoeError,
    context_of,
    shoe_order,
    shoe_randomness,
)
from ventiuna.testing.conformance import random_wagers

SEED = bytes(range(32))
MIX = bytes(range(32, 64))


def context(
    decks: int = 1, burn: int = 0, cut: int = 100, pack: Pack = Pack.SPANISH
) -> ShoeContext:
    return ShoeContext("h1", "t1", 1, "example", pack, decks, burn, cut)


def order_of(where: ShoeContext) -> list[int]:
    return shoe_order(where, shoe_randomness(where, SEED, MIX))


def dealt(shoe: LiveShoe, place: Place = Place.DEALER, spot: int = 0, hand: int = 0) -> CardDealt:
    """Draw a card and deal it to this place."""
    event = CardDealt(shoe.draw(), place, spot, hand)
    shoe.follow(event)
    return event


# --- the plain deal -----------------------------------------------------------------------------


def test_cards_follow_the_recipe_after_the_burn_cards() -> None:
    where = context(decks=2, burn=3)
    shoe = LiveShoe(where, SEED, MIX)
    assert (shoe.dealt, shoe.cards_left) == (0, 93)
    shoe.begin_round()
    cards = [dealt(shoe).card for _ in range(93)]
    assert cards == order_of(where)[3:]
    assert (shoe.dealt, shoe.cards_left, shoe.reshuffles) == (93, 0, 0)


def test_the_cut_card_comes_out_at_its_position() -> None:
    where = context(decks=8, burn=2, cut=75)
    shoe = LiveShoe(where, SEED, MIX, Position(284))
    shoe.begin_round()
    dealt(shoe)
    assert not shoe.cut_card_came
    assert shoe.cards_left == 97
    dealt(shoe)
    assert shoe.cards_left == 96
    assert shoe.cut_card_came


def test_no_round_begins_after_the_cut_card() -> None:
    shoe = LiveShoe(context(cut=50), SEED, MIX)
    shoe.begin_round()
    for _ in range(24):
        dealt(shoe)
    with pytest.raises(
        ShoeError, match=r"^The cut card has come out. Deal the next round from the"
    ):
        shoe.begin_round()


def test_a_copy_advances_independently() -> None:
    shoe = LiveShoe(context(), SEED, MIX)
    shoe.begin_round()
    twin = shoe.copy()
    drawn = [dealt(twin).card for _ in range(10)]
    assert (shoe.dealt, twin.dealt) == (0, 10)
    assert [dealt(shoe).card for _ in range(10)] == drawn
    assert twin.position == shoe.position


def test_a_copys_cards_on_the_table_are_its_own() -> None:
    shoe = LiveShoe(context(), SEED, MIX)
    shoe.begin_round()
    while shoe.cards_left:
        dealt(shoe, Place.PLAYER, 1, 0)
    twin = shoe.copy()
    twin.follow(HandRemoved(1, 0))
    with pytest.raises(OutOfCards):
        shoe.draw()
    assert Counter(dealt(twin).card for _ in range(48)) == Counter(Pack.SPANISH.cards)
    assert (shoe.reshuffles, twin.reshuffles) == (0, 1)


def test_bonus_cards_stay_out_of_play_over_rounds() -> None:
    """O-29: Bonus Cards stay out until the shoe ends, and the shoe's position lists them."""
    shoe = LiveShoe(context(burn=2), SEED, MIX)
    shoe.begin_round()
    dealt(shoe, Place.UP)
    bonus = dealt(shoe, Place.BONUS)
    assert shoe.position == Position(2, (3,))
    again = LiveShoe(context(burn=2), SEED, MIX, shoe.position)
    for each in (shoe, again):
        each.begin_round()
        assert each.position == Position(2, (3,))
        while each.cards_left:
            dealt(each, Place.PLAYER, 1, 0)
        each.follow(HandRemoved(1, 0))
        back = [dealt(each).card for _ in range(45)]
        assert each.reshuffles == 1
        assert bonus.card not in back
        with pytest.raises(OutOfCards):
            each.draw()


def test_cards_laid_on_top_are_dealt_first_and_the_rest_follows_the_recipe() -> None:
    where = context(burn=1)
    wanted = [51, 0, 7]
    shoe = LiveShoe(where, SEED, MIX, on_top=wanted)
    shoe.begin_round()
    cards = [dealt(shoe).card for _ in range(47)]
    assert cards[:3] == wanted
    rest = [card for card in order_of(where) if card not in wanted]
    assert cards[3:] == rest[1:]


# --- against the model --------------------------------------------------------------------------

# The number of burned cards determines how tiny the shoe is.
tiny = st.builds(
    context,
    decks=st.sampled_from([1, 2]),
    burn=st.integers(36, 44),
    pack=st.sampled_from(list(Pack)),
)
steps = st.lists(
    st.tuples(
        st.sampled_from(["player"] * 5 + ["dealer", "bonus", "split", "remove", "remove"]),
        st.integers(0, 5),
    ),
    max_size=150,
)


class _Both:
    """The live shoe and its model, following the same events."""

    def __init__(self, where: ShoeContext, seed: bytes) -> None:
        self.where = where
        self.seed = seed
        self.live = LiveShoe(where, seed, MIX)
        self.model = ModelShoe(where, seed, MIX)
        self.events: list[Event] = []
        self.position = self.live.position

    def begin_round(self) -> None:
        self.live.begin_round()
        self.model.begin_round()
        self.events = []
        self.position = self.live.position

    def draw(self) -> int:
        try:
            expected = self.model.draw()
        except NoCards:
            with pytest.raises(OutOfCards):
                self.live.draw()
            raise OutOfCards from None
        assert self.live.draw() == expected
        self.check()
        return expected

    def follow(self, event: Event) -> None:
        self.live.follow(event)
        self.model.follow(event)
        self.events.append(event)

    def check(self) -> None:
        assert self.live.cards_left == len(self.model.undealt)
        assert self.live.dealt == self.model.dealt
        assert self.live.cut_card_came == self.model.cut_card_came

    def restart(self) -> None:
        """Restart as after a crash: from the position before the round, plus its events."""
        self.live = LiveShoe(self.where, self.seed, MIX, self.position)
        self.live.resume(self.events)
        self.check()


def take_step(both: _Both, what: str, number: int) -> None:
    """Deal, split, or remove a hand if the table allows it; `number` says whose."""
    hands = [
        (spot, index, len(hand))
        for spot, hands in both.model.hands.items()
        for index, hand in enumerate(hands)
    ]
    if what in ("split", "remove"):
        fitting = [(spot, index) for spot, index, cards in hands if what == "remove" or cards == 2]
        if fitting:
            spot, index = fitting[number % len(fitting)]
            both.follow(HandSplit(spot, index, 5) if what == "split" else HandRemoved(spot, index))
        return
    try:
        card = both.draw()
    except OutOfCards:
        return
    if what == "player":
        spot, index, _ = hands[number % len(hands)] if hands and number > 2 else (number, 0, 0)
        both.follow(CardDealt(card, Place.PLAYER, spot, index))
    else:
        both.follow(CardDealt(card, Place(what)))


@examples(80)
@given(tiny, st.binary(min_size=32, max_size=32), steps)
def test_tiny_shoes_are_reshuffled_as_in_the_model(
    where: ShoeContext, seed: bytes, todo: list[tuple[str, int]]
) -> None:
    both = _Both(where, seed)
    both.begin_round()
    for what, number in todo:
        take_step(both, what, number)
        if number == 5:
            both.restart()
    both.restart()


def test_long_rounds_of_tiny_shoes_are_reshuffled_repeatedly_as_in_the_model() -> None:
    generator = random.Random(9)
    reshuffles: Counter[int] = Counter()
    kinds = ["player"] * 6 + ["dealer", "split", "remove", "remove"]
    for _ in range(40):
        both = _Both(
            context(decks=generator.choice([1, 2]), burn=generator.randint(34, 44)),
            generator.randbytes(32),
        )
        both.begin_round()
        for _ in range(150):
            kind = "bonus" if generator.random() < 0.01 else generator.choice(kinds)
            take_step(both, kind, generator.randint(0, 5))
        both.restart()
        reshuffles[both.live.reshuffles] += 1
    assert sum(reshuffles[number] for number in range(3, 99)) > 10


class _Restarting:
    """A random player at a table that is occasionally rebuilt from its events."""

    def __init__(self, both: _Both, generator: random.Random) -> None:
        self._both = both
        self._random = generator
        self._player = RandomPlayer(generator)

    def __call__(self, state: RoundState, wanted: Waiting) -> Command:
        if self._random.random() < 0.1:
            self._both.restart()
        return self._player(state, wanted)


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("super-fun-21(cut_card=100)", 5),
        ("super-fun-21(cut_card=100,burn_cards=20)", 3),
        ("wsgc-2021(decks=2,mtd_configuration=3,bonus_cards=4,cut_card=100)", 7),
    ],
)
def test_rounds_of_the_engine_are_dealt_as_in_the_model(name: str, most: int) -> None:
    rules = load_rules(name)
    generator = random.Random(name)
    seen: Counter[str] = Counter()
    for number in range(1, 26):
        where = context_of(rules, "h1", "t1", number)
        both = _Both(where, generator.randbytes(32))
        while both.live.dealt == 0 or not both.live.cut_card_came:
            spots = range(1, generator.randint(1, most) + 1)
            wagers = [random_wagers(rules, spot, generator) for spot in spots]
            try:
                deal_round(rules, both, wagers, _Restarting(both, generator))
            except OutOfCards:
                seen["out of cards"] += 1
                break
            seen["rounds"] += 1
            seen["splits"] += any(isinstance(event, HandSplit) for event in both.events)
        seen["reshuffles"] += both.live.reshuffles
    assert seen["rounds"] > 30
    assert seen["splits"] > 0
    assert seen["reshuffles"] > 5


# --- invalid states -----------------------------------------------------------------------------


def test_a_wrong_card_is_detected_but_not_revealed() -> None:
    """The message doesn't mention a card, because the round is still open."""
    where = context()
    order = order_of(where)
    events: list[Event] = [CardDealt(card, Place.PLAYER, 1, 0) for card in order[:3]]
    LiveShoe(where, SEED, MIX).resume(events)
    events[1] = CardDealt(order[2], Place.PLAYER, 1, 0)
    with pytest.raises(ShoeError, match=r"^Card 2 of the shoe differs from the card dealt\.$"):
        LiveShoe(where, SEED, MIX).resume(events)


def test_a_round_from_another_position_is_refused() -> None:
    where = context()
    events: list[Event] = [CardDealt(order_of(where)[0], Place.UP)]
    with pytest.raises(ShoeError, match=r"^Card 6 "):
        LiveShoe(where, SEED, MIX, Position(5)).resume(events)


def test_an_undrawn_card_cannot_be_on_the_table() -> None:
    shoe = LiveShoe(context(), SEED, MIX)
    shoe.begin_round()
    with pytest.raises(ShoeError, match="was not drawn"):
        shoe.follow(CardDealt(order_of(context())[0], Place.UP))


def test_a_drawn_card_must_be_on_the_table() -> None:
    shoe = LiveShoe(context(), SEED, MIX)
    shoe.begin_round()
    shoe.draw()
    with pytest.raises(ShoeError, match="missing from the table"):
        shoe.begin_round()
    for _ in range(47):
        shoe.draw()
    with pytest.raises(ShoeError, match="missing from the table"):
        shoe.draw()


def test_a_shoe_cannot_deal_more_cards_than_it_has() -> None:
    where = context()
    events: list[Event] = [CardDealt(card, Place.UP) for card in [*order_of(where), 0]]
    with pytest.raises(ShoeError, match=r"^Card 49 of the shoe can't have been dealt"):
        LiveShoe(where, SEED, MIX).resume(events)


@pytest.mark.parametrize("position", [-1, 48])
def test_a_position_must_be_within_the_shoe(position: int) -> None:
    with pytest.raises(ShoeError, match="can't have been dealt from a shoe of 48"):
        LiveShoe(context(burn=1), SEED, MIX, Position(position))


@pytest.mark.parametrize("wrong", [HandRemoved(3, 0), HandSplit(1, 1, 5), HandRemoved(1, 7)])
def test_a_missing_hand_is_detected_when_it_matters(wrong: Event) -> None:
    shoe = LiveShoe(context(), SEED, MIX)
    shoe.begin_round()
    while shoe.cards_left:
        dealt(shoe, Place.PLAYER, 1, 0)
    shoe.follow(HandStood(1, 0))
    shoe.follow(wrong)
    with pytest.raises(ShoeError, match="a hand that doesn't exist"):
        shoe.draw()


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ([0, 0], "begins with Ac 2 times, but the table's shoe has only 1. Prescribe fewer."),
        ([36], "begins with Tc 1 times, but the table's shoe has only 0. Prescribe fewer."),
        (list(Pack.SPANISH.cards), "begins with 48 cards, but the table's shoe has 48, and 1 of"),
    ],
)
def test_cards_laid_on_top_must_be_in_the_shoe(cards: list[int], sentence: str) -> None:
    with pytest.raises(ShoeError, match=f"^The prescribed shoe {sentence}"):
        LiveShoe(context(burn=1), SEED, MIX, on_top=cards)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("house", "h1\ntable=t2", "house must be one line of printable text."),
        ("table", "", "table must be one line of printable text."),
        ("rules", "a\x00", "rules must be one line of printable text."),
        ("number", 0, "shoe must be a number from 1 to 9223372036854775807, not 0."),
        ("decks", 101, "decks must be a number from 1 to 100, not 101."),
        ("burn", 48, "burn must be a number from 0 to 47, not 48."),
        ("cut_percent", 101, "cut must be a number from 0 to 100, not 101."),
    ],
)
def test_a_context_is_nine_plain_lines(field: str, value: object, sentence: str) -> None:
    changed: dict[str, Any] = {field: value}
    with pytest.raises(ContextError) as caught:
        replace(context(), **changed)
    assert str(caught.value) == sentence
