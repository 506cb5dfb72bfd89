"""Chips that refuse impossible payments, shoes that start over, and advice at the right time."""

from __future__ import annotations

import random

import pytest

from tests.rounds import deal
from ventiuna import Shoe, commands, load_rules
from ventiuna.engine import OutOfCards
from ventiuna.engine import events as ev
from ventiuna.engine.chips import Chips, ChipsLost
from ventiuna.engine.events import Advice, AdviceGiven, Event, Stakes, Wager

PLACED = ev.WagersPlaced(1, "ana", 1000, Stakes({"up": 500}), Stakes({1: 100}))


def settled(wager: Wager, stake: int, paid: int, spot: int = 1, hand: int = -1) -> ev.WagerSettled:
    return ev.WagerSettled(spot, hand, wager, stake, paid, "odds", "R-001", "reason")


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (settled(Wager.HAND, 1000, -1, hand=0), "below zero"),
        (settled(Wager.HAND, -1000, 0, hand=0), "below zero"),
        (settled(Wager.MTD_UP, 500, -1), "below zero"),
        (settled(Wager.SUPER, 0, -1), "below zero"),
        (settled(Wager.HAND, 999, 0, hand=0), "the hand has 1000 cents on it, not 999"),
        (settled(Wager.HAND, 1000, 0, hand=1), "no open wager on hand 1"),
        (settled(Wager.HAND, 1000, 0, spot=2, hand=0), "no open wager on hand 0"),
        (settled(Wager.MTD_UP, 499, 0), "the wager is 500 cents, not 499"),
        (settled(Wager.MTD_DOWN, 0, 0), "nobody placed"),
        (settled(Wager.INSURANCE, 0, 0), "nobody placed"),
        (settled(Wager.SUPER, 0, 100, spot=2), "spot 2 isn't playing"),
        (settled(Wager.JACKPOT_1, 100, 100, spot=2), "the wager is 0 cents"),
        (ev.HandDoubled(1, 0, -1), "below zero"),
        (ev.HandSplit(1, 0, -1), "below zero"),
        (ev.HandSplit(1, 1, 1000), "no open wager on hand 1"),
        (ev.HandDoubled(1, 1, 1000), "no open wager on hand 1"),
        (ev.HandSplit(2, 0, 1000), "spot 2 has no open wager on hand 0"),
        (ev.InsurancePlaced(1, -1), "below zero"),
        (ev.InsurancePlaced(2, 5), "spot 2 isn't playing"),
        (ev.MeterRaised(1, -1, 0, "seed"), "below zero"),
        (ev.MeterLowered(1, -1, "won"), "below zero"),
        (ev.WagersPlaced(2, "", -1), "below zero"),
        (ev.WagersPlaced(2, "", 5, Stakes({"up": -1})), "below zero"),
        (ev.WagersWithdrawn(2), "has no wagers to withdraw"),
    ],
)
def test_chips_refuse_impossible_events(event: Event, told: str) -> None:
    with pytest.raises(ChipsLost, match=told):
        Chips().add_all([PLACED, event])


def test_insurance_is_placed_once() -> None:
    with pytest.raises(ChipsLost, match="insures twice"):
        Chips().add_all([PLACED, ev.InsurancePlaced(1, 100), ev.InsurancePlaced(1, 200)])


def test_nothing_is_paid_without_a_chip_moving() -> None:
    """Zero isn't negative: it is the smallest payment accepted."""
    chips = Chips().add_all([PLACED, settled(Wager.HAND, 1000, 0, hand=0)])
    assert (chips.spots, chips.house, chips.total) == ({1: -1600}, 1000, 0)


def test_the_house_pays_what_a_wager_wins() -> None:
    chips = Chips().add_all([PLACED, settled(Wager.HAND, 1000, 2500, hand=0)])
    assert (chips.spots, chips.house, chips.on_table, chips.total) == ({1: 900}, -1500, 600, 0)


def test_a_copy_of_the_chips_has_every_wager() -> None:
    chips = Chips().add_all([PLACED])
    twin = chips.copy()
    assert vars(twin) == vars(chips)
    twin.add(settled(Wager.MTD_UP, 500, 0))
    assert (chips.stake_of(1, Wager.MTD_UP), twin.stake_of(1, Wager.MTD_UP)) == (500, 0)


def test_stakes_on_a_spot_are_separate_and_open() -> None:
    chips = Chips().add_all([PLACED, ev.WagersPlaced(2, "bob", 700, Stakes({"down": 200}))])
    assert chips.stakes_on(1) == [1000, 500, 100]
    assert chips.stakes_on(2) == [700, 200]
    assert chips.stakes_on(3) == []
    chips.add_all([ev.HandSplit(1, 0, 1000), settled(Wager.HAND, 1000, 0, hand=0)])
    chips.add(settled(Wager.MTD_UP, 500, 0))
    assert chips.stakes_on(1) == [1000, 100]


def test_one_cent_on_a_hand_counts() -> None:
    chips = Chips().add_all([ev.WagersPlaced(1, "", 1)])
    assert (chips.stake_of(1, Wager.HAND), chips.stakes_on(1), chips.on_table) == (1, [1], 1)
    chips.add(settled(Wager.HAND, 1, 0, hand=0))
    assert (chips.stake_of(1, Wager.HAND), chips.stakes_on(1), chips.on_table) == (0, [], 0)


def test_chips_of_split_hands_are_in_playing_order() -> None:
    chips = Chips().add_all([PLACED, ev.HandSplit(1, 0, 1000)])
    chips.add_all([ev.HandDoubled(1, 0, 300), ev.HandSplit(1, 0, 1000)])
    assert [chips.on_hand(1, hand) for hand in range(3)] == [1300, 1000, 1000]
    chips.add(ev.HandDoubled(1, 1, 200))
    assert [chips.on_hand(1, hand) for hand in range(3)] == [1300, 1200, 1000]


AWARD = ev.WagerSettled(1, -1, Wager.JACKPOT_1, 100, 900, "10 %", "R-095", "line", meter=1)


def test_a_hand_that_is_settled_takes_no_more_chips() -> None:
    over: list[Event] = [PLACED, settled(Wager.HAND, 1000, 0, hand=0)]
    more: list[Event] = [ev.HandDoubled(1, 0, 1000), ev.HandSplit(1, 0, 1000)]
    for event in more:
        with pytest.raises(ChipsLost, match="no open wager on hand 0"):
            Chips().add_all([*over, event])


def test_a_meter_that_owes_an_award_is_not_settled_until_it_pays() -> None:
    hand_and_match = [settled(Wager.HAND, 1000, 0, hand=0), settled(Wager.MTD_UP, 500, 0)]
    owing = Chips().add_all([PLACED, *hand_and_match, AWARD])
    assert not owing.is_settled
    assert not owing.copy().is_settled
    assert owing.copy().add_all([ev.MeterLowered(1, 900, "won")]).is_settled
    assert not owing.copy().add_all([ev.MeterLowered(1, 899, "won")]).is_settled
    assert not owing.is_settled  # copies are independent
    assert owing.copy().add_all([ev.RoundVoided("no light")]).is_settled


def test_meters_start_empty_and_pay_only_what_they_owe() -> None:
    chips = Chips().add_all([ev.MeterRaised(1, 5, 0, "seed"), ev.MeterLowered(2, 1, "won")])
    assert (chips.meters, chips.house, chips.total) == ({1: 5, 2: -1}, -4, 0)
    assert not chips.is_settled  # meter 2 paid an award that nobody received


# --- the shoe ---------------------------------------------------------------------------------


def test_a_new_shuffle_clears_the_old_discards() -> None:
    rules = load_rules("wsgc-2021(decks=2)")
    shoe = Shoe(rules, random.Random(1).shuffle)
    shoe.discard([shoe.draw() for _ in range(20)])
    shoe.shuffle_all()
    cards = [shoe.draw() for _ in range(shoe.cards_left)]
    assert len(cards) + rules.burn_cards == rules.shoe_size
    with pytest.raises(OutOfCards):
        shoe.draw()  # the shuffled shoe includes the cards discarded earlier


def test_discards_are_dealt_again_when_the_shoe_is_empty() -> None:
    shoe = Shoe(load_rules("wsgc-2021(decks=2)"), random.Random(1).shuffle)
    drawn = [shoe.draw() for _ in range(shoe.cards_left)]
    shoe.discard(drawn[:3])
    assert sorted(shoe.draw() for _ in range(3)) == sorted(drawn[:3])
    with pytest.raises(OutOfCards):
        shoe.draw()


def test_o29_a_shoe_is_shuffled_before_cards_are_dealt() -> None:
    def descending(cards: list[int]) -> None:
        cards.sort(reverse=True)

    rules = load_rules("wsgc-2021(decks=2)")
    rising, falling = Shoe(rules, list.sort), Shoe(rules, descending)
    drawn = [rising.draw() for _ in range(rising.cards_left)]
    assert drawn == sorted(drawn, reverse=True)  # dealt from the end
    assert len(drawn) == rules.shoe_size - rules.burn_cards
    drawn = [falling.draw() for _ in range(falling.cards_left)]
    assert drawn == sorted(drawn)


def test_o29_discards_are_shuffled_before_they_are_dealt_again() -> None:
    shoe = Shoe(load_rules("wsgc-2021(decks=2)"), list.sort)
    drawn = [shoe.draw() for _ in range(shoe.cards_left)]
    shoe.discard([drawn[5], drawn[80], drawn[40]])
    again = [shoe.draw() for _ in range(3)]
    assert again == sorted(again, reverse=True)  # sorted by the shuffle, dealt from the end
    assert shoe.shuffles == 1  # counts only shuffles of all decks


def test_the_cut_card_comes_out_at_its_position() -> None:
    rules = load_rules("wsgc-2021")
    shoe = Shoe(rules, random.Random(1).shuffle)
    behind = rules.shoe_size * (100 - rules.cut_card_percent) // 100
    while shoe.cards_left > behind + 1:
        shoe.draw()
    assert not shoe.begin_round()
    shoe.draw()
    assert shoe.cut_card_came
    assert shoe.begin_round()
    assert shoe.shuffles == 2


# --- advice (R-118) ---------------------------------------------------------------------------


def test_r118_a_doubled_hand_gets_no_advice() -> None:
    """The one card has been dealt, so no advice is useful anymore."""
    live = deal("super-fun-21", "Ac 9c 2d Kh")
    live.do(commands.Hit(1))
    live.deal("Ad")
    live.do(commands.Hit(1))
    live.deal("Ah")
    live.do(commands.Hit(1))
    before = live.deal("2h")
    assert AdviceGiven(1, 0, Advice.SIXTH_CARD_CANNOT_LOSE) in before  # a five-card soft 17
    doubled = deal("super-fun-21", "Ac 9c 2d Kh")
    doubled.do(commands.Hit(1))
    doubled.deal("Ad")
    doubled.do(commands.Hit(1))
    doubled.deal("Ah")
    doubled.do(commands.Double(1))
    assert not [event for event in doubled.deal("2h") if isinstance(event, AdviceGiven)]


def test_r118_advice_on_an_eleven_comes_only_before_doubling() -> None:
    live = deal("super-fun-21", "2c 9c 2d Kh")
    for card in ("2h", "2s"):
        live.do(commands.Hit(1))
        live.deal(card)
    live.do(commands.Hit(1))
    assert AdviceGiven(1, 0, Advice.HIT_ELEVEN) in live.deal("3c")
    doubled = deal("super-fun-21", "2c 9c 2d Kh")
    for card in ("2h", "2s"):
        doubled.do(commands.Hit(1))
        doubled.deal(card)
    doubled.do(commands.Double(1))
    assert not [event for event in doubled.deal("3c") if isinstance(event, AdviceGiven)]
