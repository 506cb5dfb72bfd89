"""Section 2: the pack, values, blackjack and the object of the game."""

from collections import Counter

import pytest

from tests.rounds import card, deal, play, problems, seat, wagers
from ventiuna.cards import Pack, card_text, parse_cards
from ventiuna.core.cards import EMPTY_HAND, Hand, add_card, best_total, is_blackjack, is_soft
from ventiuna.engine import Shoe
from ventiuna.engine.commands import DealCard, Hit
from ventiuna.engine.events import DownCardExposed, HandRemoved
from ventiuna.rules import load_rules
from ventiuna.rules.loader import choices_of

SPANISH_PRESETS = ["wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002"]


def unshuffled(rules: str) -> Shoe:
    return Shoe(load_rules(rules), lambda cards: None)


def hand(cards: str) -> Hand:
    shape = EMPTY_HAND
    for each in parse_cards(cards):
        shape = add_card(shape, each)
    return shape


# --- the pack ------------------------------------------------------------------------------------


def test_r007_a_spanish_deck_has_48_cards_and_no_tens() -> None:
    deck = [card_text(each) for each in Pack.SPANISH.cards]
    assert sorted(deck) == sorted(rank + suit for rank in "A23456789JQK" for suit in "cdhs")
    assert set(Pack.STANDARD.cards) - set(Pack.SPANISH.cards) == set(parse_cards("Tc Td Th Ts"))


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
def test_r007_every_spanish_presets_shoe_has_that_pack(preset: str) -> None:
    shoe = unshuffled(preset)
    drawn = Counter(shoe.draw() for _ in range(shoe.cards_left))
    assert drawn == dict.fromkeys(Pack.SPANISH.cards, load_rules(preset).decks)


@pytest.mark.parametrize("ten", ["Tc", "Td", "Th", "Ts"])
def test_r007_a_ten_is_refused_wherever_it_is_dealt(ten: str) -> None:
    live = deal("wsgc-2021", "")
    for place in ("9c", "Kd", "8h", "7s"):  # first card, up card, second card, down card
        assert "R-007" in live.refuses(DealCard(card(ten))).rules
        live.deal(place)
    assert deal("super-fun-21", f"{ten} 9s 8h Kd").state.spots[1].hands[0].total == 18


def test_r007_every_other_card_is_dealt() -> None:
    for each in Pack.SPANISH.cards:
        live = deal("wsgc-2021", card_text(each))
        assert live.state.spots[1].hands[0].cards == [each]


def test_r007_anything_that_isnt_a_card_is_refused() -> None:
    live = deal("wsgc-2021", "")
    for wrong in (-1, 52, True):
        assert live.refuses(DealCard(wrong)).code == "no_card"


@pytest.mark.parametrize("decks", [2, 4, 5, 6, 8])
def test_r008_as_many_copies_of_a_card_as_decks(decks: int) -> None:
    rules = f"wsgc-2021(decks={decks})"
    assert unshuffled(rules).cards_left == 48 * decks
    live = deal(rules, "", *(wagers(spot) for spot in range(1, 8)))
    live.deal("2c " * decks)
    assert "R-008" in live.refuses(DealCard(card("2c"))).rules
    live.deal("2d")


@pytest.mark.parametrize("decks", [1, 3, 7])
@pytest.mark.parametrize("preset", ["wsgc-spanish-21", "wsgc-2021", "wsgc-v002"])
def test_r008_other_deck_counts_are_refused(preset: str, decks: int) -> None:
    assert problems(f"{preset}(decks={decks})")["decks"] == "R-008"


def test_r008_document_002_plays_six_decks_only() -> None:
    assert load_rules("catfish-bend").decks == 6
    assert choices_of("catfish-bend")["decks"] == [6]
    assert choices_of("wsgc-spanish-21")["decks"] == [2, 4, 5, 6, 8]


def test_d01_decks_by_document() -> None:
    allowed = {name: choices_of(name)["decks"] for name in [*SPANISH_PRESETS, "super-fun-21"]}
    assert allowed == {
        "wsgc-spanish-21": [2, 4, 5, 6, 8],
        "casino-card": [6],
        "catfish-bend": [6],
        "wsgc-2021": [2, 4, 5, 6, 8],
        "wsgc-v002": [2, 4, 5, 6, 8],
        "super-fun-21": [1, 2],
    }
    assert [load_rules(name).decks for name in SPANISH_PRESETS] == [6] * 5
    # The casino card's progressive is only for six decks.
    assert problems("casino-card(decks=8)") == {"jackpots game 1 table": "R-086"}


def test_r009_dealt_by_hand_or_from_a_shoe() -> None:
    for preset in ("wsgc-spanish-21", "wsgc-2021", "wsgc-v002"):
        assert choices_of(preset)["dealt_from"] == ["shoe", "hand"]
        assert load_rules(preset).dealt_from == "shoe"
        assert load_rules(f"{preset}(dealt_from=hand)").dealt_from == "hand"
    assert load_rules("catfish-bend").dealt_from == "shoe"
    assert choices_of("catfish-bend")["dealt_from"] == ["shoe"]
    assert problems("wsgc-2021(dealt_from=machine)") == {"dealt_from": "R-009"}


@pytest.mark.parametrize("way", ["hand", "shoe"])
def test_r009_either_way_the_same_cards_give_the_same_round(way: str) -> None:
    round_ = play(f"wsgc-2021(dealt_from={way},decks=2)", "9s Kh", "6c 5d / double Kd")
    assert round_.result() == "hand +20.00"


# --- the shoe (O-03) -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "dealt_before_the_cut"),
    [
        ("wsgc-2021", 216),  # 75% of 288
        ("wsgc-2021(decks=4)", 144),
        ("wsgc-2021(decks=2)", 58),  # 60% of 96: the cut card is after the 58th card
        ("super-fun-21", 32),  # 60% of 52
        ("wsgc-2021(cut_card=50)", 144),
    ],
)
def test_o03_position_of_the_cut_card(rules: str, dealt_before_the_cut: int) -> None:
    shoe = unshuffled(rules)
    for _ in range(dealt_before_the_cut - 1):
        shoe.draw()
    assert not shoe.begin_round()
    shoe.draw()
    assert shoe.cut_card_came
    shoe.draw()  # the current round is finished past the cut card
    assert shoe.begin_round()
    assert shoe.cards_left == load_rules(rules).shoe_size


def test_o03_no_card_is_burned_unless_the_house_says_so() -> None:
    assert unshuffled("wsgc-2021").cards_left == 288
    assert unshuffled("wsgc-2021(burn_cards=1)").cards_left == 287


# --- values and blackjack ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "total", "soft"),
    [
        ("Jc Qd", 20, False),
        ("Kh 9s", 19, False),
        ("2c 3d 4h 5s 6c", 20, False),
        ("7c 8d 9h", 24, False),
        ("Ac 6d", 17, True),
        ("Ac Ad", 12, True),
        ("Ac 9d Ah", 21, True),
        ("Ac 9d Kh", 20, False),
        ("Ac Ad Ah As", 14, True),
        ("Ac Kd Qh", 21, False),
        ("Ac Kd Qh 2c", 23, False),
    ],
)
def test_r011_values_of_cards(cards: str, total: int, soft: bool) -> None:
    shape = hand(cards)
    assert best_total(shape.hard, shape.aces) == total
    assert is_soft(shape.hard, shape.aces) is soft


def test_r011_an_ace_counts_for_the_better_in_players_and_dealers_hands() -> None:
    # The player's A-5 is 16; the 9 makes it 15, and the 4 makes it 19. The dealer's A-8 is already
    # 19.
    round_ = play("wsgc-2021", "As 8h", "Ac 5d / hit 9h / hit 4c / stand")
    assert round_.result() == "hand 0.00"
    # Dealer A-A-9 is 21.
    assert play("wsgc-2021", "As Ah / 9c", "Kc Qd / stand").result() == "hand -10.00"


@pytest.mark.parametrize("face", ["Jc", "Qd", "Kh"])
@pytest.mark.parametrize("turned", [False, True])
def test_r012_an_ace_with_a_face_is_a_blackjack(face: str, turned: bool) -> None:
    cards = f"{face} As" if turned else f"As {face}"
    assert play("wsgc-2021", "9s Kh", cards).payment(1).reason == "blackjack"


@pytest.mark.parametrize("cards", ["Ac 9d", "Ac Ad", "Kc Jd", "9c 2d", "Ac 4d 6h", "Ac 9d Ah"])
def test_r012_nothing_else_is_a_blackjack(cards: str) -> None:
    assert not is_blackjack(hand(cards))


def test_r012_only_the_first_two_cards_of_the_initial_deal() -> None:
    split = play("wsgc-2021", "9s Kh", seat("Ac Ad / split", "Ac Kd / stand", "Ad 8c / stand"))
    assert split.payment(1).odds == "even money"
    assert split.result() == "hand +10.00 and 0.00"


def test_r012_three_dealer_cards_are_never_a_blackjack() -> None:
    # A three-card 21 beats a standing 20, but a blackjack would have ended the round at once.
    round_ = play("wsgc-2021", "As 2h / 8c", "Kc Qd / stand")
    assert round_.payment(1).rule == "R-078"


# --- drawing and exceeding 21 --------------------------------------------------------------------


def test_r013_a_player_draws_as_often_as_wanted() -> None:
    hand_of_ten = "Ac Ad / hit Ah / hit As / hit Ac / hit Ad / hit 2c / hit 2d / hit 2h / hit 2s"
    round_ = play("wsgc-2021", "9s Kh", f"{hand_of_ten} / stand")
    assert round_.state.spots[1].hands[0].total == 14
    assert round_.result() == "hand -10.00"


def test_r013_a_bust_loses_at_once_whatever_the_dealer_does() -> None:
    live = deal("wsgc-2021", "Kc Kd 6s 5c 2d Kh", wagers(1), wagers(2))
    live.do(Hit(1))
    new = live.deal("8s")
    assert live.result(1) == "hand -10.00"
    assert live.payment(1).rule == "R-013"
    assert HandRemoved(1, 0) in new
    assert not live.all(DownCardExposed)
    both_bust = play("wsgc-2021", "6s Kh / 9h", "Kc 5c / hit 8s", "Kd 2d / stand")
    assert both_bust.results() == ["hand -10.00", "hand +10.00"]


def test_r013_the_total_closer_to_21_wins() -> None:
    for total, result in ((17, "-10.00"), (18, "0.00"), (19, "+10.00"), (20, "+10.00")):
        second = {17: "7d", 18: "8d", 19: "9d", 20: "Qd"}[total]
        assert play("wsgc-2021", "9s 9h", f"Kc {second} / stand").result() == f"hand {result}"
