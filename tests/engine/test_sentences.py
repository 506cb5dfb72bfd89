"""Each event as a sentence: whose, in which words, and never what is hidden."""

import random

import pytest

from ventiuna.cards import parse_cards
from ventiuna.engine import DEALER, ListSource, RoundState, Shoe, execute, finish_round
from ventiuna.engine import events as ev
from ventiuna.engine.commands import Command, PlaceWagers, WithdrawWagers
from ventiuna.engine.events import Event
from ventiuna.engine.sentences import (
    SILENT,
    CardStyle,
    Payment,
    PointOfView,
    Teller,
    tell_all,
)
from ventiuna.engine.sentences.parts import cards_told
from ventiuna.engine.sentences.teller import TOLD
from ventiuna.notation import read_rounds, replay
from ventiuna.rules import Rules, load_rules, preset_ids
from ventiuna.strategy.players import RandomPlayer, steady_player

SPLIT = """round 1
rules: wsgc-spanish-21
dealer: 6s Kh / 5d
spot 1 ann: base 10
  8c 8d / split
  8c 3h / double 9s
  8d Kc / stand
spot 2: base 25
  Kd 2c / hit 9h
spot 3 bob: base 5
  Ac Kd
"""


def told(text: str, point_of_view: PointOfView, style: CardStyle = CardStyle.SIGNS) -> list[str]:
    [record] = read_rounds(text)
    played = replay(record)
    return tell_all(RoundState(record.rules), played.events, point_of_view, style)


def test_every_event_has_a_sentence_or_is_silent_on_purpose() -> None:
    kinds = set(ev.Event.__args__)
    assert kinds == TOLD | SILENT
    assert not TOLD & SILENT


def test_the_person_spoken_to_is_you_and_the_others_have_names() -> None:
    lines = told(SPLIT, PointOfView("ann", {"ann": "Ann", "bob": "Robert"}))
    for line in (
        "You wager $10.00.",
        "Spot 2 wagers $25.00.",
        "Robert wagers $5.00.",
        "You get 8♣.",
        "The dealer's up card is 6♠.",
        "The dealer's down card is dealt face down.",
        "You split 8♣ 8♦ for $10.00.",
        "Hand 1 of 2: you double for $10.00 and get 9♠ for 20.",
        "Hand 2 of 2: you stand on 18.",
        "Spot 2 hits and gets 9♥ for 21.",
        "The dealer turns over K♥ for 16.",
        "The dealer draws 5♦ for 21.",
    ):
        assert line in lines, lines
    assert "Robert, $5.00: blackjack, 3 to 2; wins $7.50 (R-029)." in lines
    assert "Hand 2 of 2, $10.00: 18 against 21; you lose $10.00 (R-078)." in lines


def test_an_onlooker_hears_of_everybody_by_name() -> None:
    lines = told(SPLIT, PointOfView())
    assert "ann, hand 1 of 2, doubles for $10.00 and gets 9♠ for 20." in lines
    assert not any(line.lower().startswith("you ") or " you " in line for line in lines)


def test_several_spots_of_one_person_are_told_apart() -> None:
    text = SPLIT.replace("spot 2:", "spot 2 ann:")
    mine = told(text, PointOfView("ann"))
    assert "Spot 2: you hit and get 9♥ for 21." in mine
    assert "Spot 1, hand 2 of 2: you stand on 18." in mine
    theirs = told(text, PointOfView("bob", {"ann": "Ann"}))
    assert "Ann on spot 2 hits and gets 9♥ for 21." in theirs


def test_cards_in_words_for_a_screen_reader_and_in_letters_for_plain_terminals() -> None:
    words = told(SPLIT, PointOfView("ann"), CardStyle.WORDS)
    assert "You split eight of clubs and eight of diamonds for $10.00." in words
    assert "The dealer turns over king of hearts for 16." in words
    assert "You split 8c 8d for $10.00." in told(SPLIT, PointOfView("ann"), CardStyle.LETTERS)
    assert cards_told(parse_cards("Tc As"), CardStyle.SIGNS) == "10♣ A♠"
    assert cards_told(parse_cards("Tc As"), CardStyle.WORDS) == "ten of clubs and ace of spades"


def test_wagers_that_are_taken_back_and_a_round_that_is_void() -> None:
    rules = load_rules("wsgc-2021(jackpots=3c:1)")
    state = RoundState(rules)
    events: list[Event] = []
    commands: list[Command] = [
        PlaceWagers(1, 1000, "ann", {"up": 500}, {1: 100}),
        WithdrawWagers(1),
    ]
    for command in commands:
        events += execute(state, command)
    lines = tell_all(RoundState(rules), events, PointOfView("ann"))
    assert lines == [
        "You wager $10.00, Up Card $5.00 and jackpot 1 $1.00.",
        "You take the wagers back.",
    ]
    teller = Teller(RoundState(rules))
    sentence = teller.tell(ev.RoundVoided("misdeal"))
    assert sentence is not None
    assert sentence.text() == "The round is void (misdeal): all wagers come back."
    assert sentence.strong


def test_the_dealer_may_be_told_of_the_down_card() -> None:
    lines = told(SPLIT, PointOfView(viewer=DEALER))
    assert "The dealer's down card is K♥." in lines


def test_a_payment_is_a_sentence_and_figures_for_columns() -> None:
    [record] = read_rounds(SPLIT)
    teller = Teller(RoundState(record.rules), PointOfView("bob"))
    payments = [
        sentence
        for sentence in map(teller.tell, replay(record).events)
        if isinstance(sentence, Payment)
    ]
    assert [payment.net for payment in payments].count(750) == 1
    [own] = [payment for payment in payments if payment.net == 750]
    assert (own.what, own.rule) == ("Your hand, $5.00: blackjack, 3 to 2", "R-029")
    assert own.text() == "Your hand, $5.00: blackjack, 3 to 2; you win $7.50 (R-029)."


@pytest.mark.parametrize("preset", preset_ids())
def test_whole_rounds_are_told_and_the_down_card_is_not(preset: str) -> None:
    """R-026, R-104: until it is exposed, no style and no point of view gives the down card away."""
    rules = load_rules(preset)
    generator = random.Random(f"sentences {preset}")
    views = [PointOfView(), PointOfView("Ann"), PointOfView("Bob", {"Ann": "Anna"})]
    shoe = Shoe(rules, generator.shuffle)
    jackpots = {number: jackpot.wager for number, jackpot in enumerate(rules.jackpots, start=1)}
    for number in range(40):
        shoe.begin_round()
        state = RoundState(rules)
        player = RandomPlayer(generator) if number % 2 else steady_player
        for spot, person in ((1, "Ann"), (2, ""), (3, "Bob"), (4, "Ann")):
            base = max(rules.table_minimum, 1000)
            execute(state, PlaceWagers(spot, base, person, {}, jackpots))
        events = finish_round(state, shoe, player)
        for point_of_view in views:
            _check_round(rules, events, point_of_view)


def _check_round(rules: Rules, events: list[Event], point_of_view: PointOfView) -> None:
    teller = Teller(RoundState(rules), point_of_view)
    for event in events:
        sentence = teller.tell(event)
        if type(event) in SILENT:
            assert sentence is None
        if sentence is None:
            continue
        for style in CardStyle:
            text = sentence.text(style)
            assert text[0].isupper(), text
            assert text.endswith("."), text
            assert "  " not in text
            assert "None" not in text
        if isinstance(event, ev.CardDealt) and event.place is ev.Place.DOWN:
            assert sentence.text() == "The dealer's down card is dealt face down."


def test_cards_from_a_list_are_told_in_their_order() -> None:
    state = RoundState(load_rules("wsgc-spanish-21"))
    start = state.copy()
    execute(state, PlaceWagers(1, 1000, "ann"))
    events = finish_round(state, ListSource(parse_cards("9c 9s Kd 9h 8c 8d 8h")), steady_player)
    lines = tell_all(start, events, PointOfView("ann"))
    assert lines[:5] == [
        "You wager $10.00.",
        "You get 9♣.",
        "The dealer's up card is 9♠.",
        "You get K♦ for 19.",
        "The dealer's down card is dealt face down.",
    ]
