"""Each event as a sentence: its audience, its wording, and no hidden cards."""

import random

import pytest

from tests.rounds import Live, deal, wagers
from ventiuna import commands as do
from ventiuna.cards import parse_cards
from ventiuna.engine import DEALER, ListSource, RoundState, Shoe, execute, finish_round
from ventiuna.engine import events as ev
from ventiuna.engine.commands import Command, PlaceWagers, WithdrawWagers
from ventiuna.engine.events import Event, Wager
from ventiuna.engine.messages import (
    FORMATTERS,
    SILENT_EVENTS,
    SPECTATOR,
    CardStyle,
    EventFormatter,
    Payment,
    PointOfView,
    format_cards,
)
from ventiuna.notation import read_rounds, replay
from ventiuna.rules import Rules, load_rules, preset_ids
from ventiuna.strategy.players import RandomPlayer, steady_player

Meters = list[tuple[int, int]] | None
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


def format_events(
    start: RoundState,
    events: list[Event],
    point_of_view: PointOfView = SPECTATOR,
    style: CardStyle = CardStyle.SIGNS,
) -> list[str]:
    formatter = EventFormatter(start, point_of_view)
    sentences = [formatter.format(event) for event in events]
    return [sentence.text(style) for sentence in sentences if sentence is not None]


def told(text: str, point_of_view: PointOfView, style: CardStyle = CardStyle.SIGNS) -> list[str]:
    [record] = read_rounds(text)
    played = replay(record)
    return format_events(RoundState(record.rules), played.events, point_of_view, style)


def test_every_event_has_a_sentence_or_is_silent_on_purpose() -> None:
    kinds = set(ev.Event.__args__)
    assert kinds == set(FORMATTERS) | SILENT_EVENTS
    assert not set(FORMATTERS) & SILENT_EVENTS


def test_the_addressee_is_you_and_others_have_names() -> None:
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


def test_a_spectator_sees_everyone_by_name() -> None:
    lines = told(SPLIT, PointOfView())
    assert "ann, hand 1 of 2, doubles for $10.00 and gets 9♠ for 20." in lines
    assert not any(line.lower().startswith("you ") or " you " in line for line in lines)


def test_several_spots_of_one_person_are_distinguished() -> None:
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
    assert format_cards(parse_cards("Tc As"), CardStyle.SIGNS) == "10♣ A♠"
    assert format_cards(parse_cards("Tc As"), CardStyle.WORDS) == "ten of clubs and ace of spades"


def test_a_dealer_sums_up_many_side_bets() -> None:
    rules = load_rules("wsgc-2021(mtd_configuration=4,bonus_cards=5)")
    for mtd, talk in (
        ({"up": 500, "b1": 100, "b2": 100}, "You wager $10.00 plus $7.00 on 3 side bets."),
        ({"up": 500, "b1": 100}, None),
    ):
        events = execute(RoundState(rules), PlaceWagers(1, 1000, "ann", mtd))
        sentence = EventFormatter(RoundState(rules), PointOfView("ann")).format(events[0])
        assert sentence is not None
        assert sentence.talk == talk


def test_withdrawn_wagers_and_a_void_round() -> None:
    rules = load_rules("wsgc-2021(jackpots=3c:1)")
    state = RoundState(rules)
    events: list[Event] = []
    commands: list[Command] = [
        PlaceWagers(1, 1000, "ann", {"up": 500}, {1: 100}),
        WithdrawWagers(1),
    ]
    for command in commands:
        events += execute(state, command)
    lines = format_events(RoundState(rules), events, PointOfView("ann"))
    assert lines == [
        "You wager $10.00, $5.00 on the Up Card, and $1.00 on Jackpot 1.",
        "You take back the wagers.",
    ]
    formatter = EventFormatter(RoundState(rules))
    sentence = formatter.format(ev.RoundVoided("misdeal"))
    assert sentence is not None
    assert sentence.text() == "The round is void (misdeal). All wagers are returned."
    assert sentence.strong


def test_the_dealers_view_may_show_the_down_card() -> None:
    lines = told(SPLIT, PointOfView(viewer=DEALER))
    assert "The dealer's down card is K♥." in lines


def test_a_payment_is_a_sentence_and_figures_for_columns() -> None:
    [record] = read_rounds(SPLIT)
    formatter = EventFormatter(RoundState(record.rules), PointOfView("bob"))
    payments = [
        sentence
        for sentence in map(formatter.format, replay(record).events)
        if isinstance(sentence, Payment)
    ]
    assert [payment.net for payment in payments].count(750) == 1
    [own] = [payment for payment in payments if payment.net == 750]
    assert (own.what, own.rule) == ("Your hand, $5.00: blackjack, 3 to 2", "R-029")
    assert own.text() == "Your hand, $5.00: blackjack, 3 to 2; you win $7.50 (R-029)."


@pytest.mark.parametrize("preset", preset_ids())
def test_whole_rounds_are_described_without_the_down_card(preset: str) -> None:
    """R-026, R-104: until it is exposed, no style or point of view reveals the down card."""
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
    formatter = EventFormatter(RoundState(rules), point_of_view)
    for event in events:
        sentence = formatter.format(event)
        if type(event) in SILENT_EVENTS:
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


def test_cards_from_a_list_are_described_in_order() -> None:
    state = RoundState(load_rules("wsgc-spanish-21"))
    start = state.copy()
    execute(state, PlaceWagers(1, 1000, "ann"))
    events = finish_round(state, ListSource(parse_cards("9c 9s Kd 9h 8c 8d 8h")), steady_player)
    lines = format_events(start, events, PointOfView("ann"))
    assert lines[:5] == [
        "You wager $10.00.",
        "You get 9♣.",
        "The dealer's up card is 9♠.",
        "You get K♦ for 19.",
        "The dealer's down card is dealt face down.",
    ]


# --- whole rounds, word for word --------------------------------------------------------------


def lines_of(live: Live, point_of_view: PointOfView, meters: Meters = None) -> list[str]:
    return format_events(RoundState(live.state.rules, meters), live.events, point_of_view)


def test_side_wagers_insurance_and_an_award_are_described() -> None:
    live = deal(
        "wsgc-2021(jackpots=3c:1:seed=100)",
        "As 9c As As 8d Kh",
        wagers(1, person="ann", mtd={"up": 5}, jackpots={1: 1}),
        wagers(2, base=20, person="bob"),
        meters=["5000"],
    )
    live.do(do.Insure(1, 500), do.Insure(2, 0))
    meters = [(500_000, 0)]
    assert lines_of(live, PointOfView("ann"), meters) == [
        "You wager $10.00, $5.00 on the Up Card, and $1.00 on Jackpot 1.",
        "bob wagers $20.00.",
        "You get A♠.",
        "bob gets 9♣.",
        "The dealer's up card is A♠.",
        "You get A♠ for soft 12.",
        "bob gets 8♦ for 17.",
        "The dealer's down card is dealt face down.",
        "Up Card, $5.00: 2 suited matches, 9 to 1 twice; you win $90.00 (R-021).",
        "You take insurance for $5.00.",
        "The dealer checks the down card: blackjack.",
        "The dealer turns over K♥ for blackjack.",
        "Insurance, $5.00: dealer blackjack, 2 to 1; you win $10.00 (R-034).",
        "Your hand, $10.00: dealer blackjack; you lose $10.00 (R-035).",
        "bob, $20.00: dealer blackjack; loses $20.00 (R-035).",
        "Jackpot 1 shows $5,000.21.",
        (
            "Jackpot 1, $1.00: two suited matches, aces of spades, 100% of the meter; "
            "you win $4,999.21 (R-095)."
        ),
        "Jackpot 1 starts again at $100.00.",
    ]
    theirs = lines_of(live, PointOfView("bob"), meters)
    assert "ann takes insurance for $5.00." in theirs
    assert "ann, Insurance, $5.00: dealer blackjack, 2 to 1; wins $10.00 (R-034)." in theirs


@pytest.mark.parametrize(("game", "starts"), [(1, "$100.00"), (2, "$250.00")])
def test_a_meter_that_starts_again_shows_its_own_amount(game: int, starts: str) -> None:
    rules = load_rules("wsgc-2021(jackpots=3c:1:seed=100+4d:1:seed=250)")
    before = [(100_00, 0), (250_00, 0)]
    before[game - 1] = (0, 0)
    seed = rules.jackpots[game - 1].seed
    sentence = EventFormatter(RoundState(rules, before)).format(
        ev.MeterRaised(game, seed, 0, "seed")
    )
    assert sentence is not None
    assert sentence.text() == f"Jackpot {game} starts again at {starts}."


def test_a_super_bonus_and_the_supervisor_are_announced() -> None:
    live = deal(
        "wsgc-2021",
        "7h 9c 7c 7h 8d Kh",
        wagers(1, person="ann"),
        wagers(2, base=20, person="bob"),
    )
    live.do(do.Hit(1))
    live.deal("7h")
    live.do(do.Stand(2))
    called = (
        "The dealer calls the floor person to watch the third card, "
        "which could make a Super Bonus (R-072)."
    )
    assert lines_of(live, PointOfView("ann"))[8:] == [
        called,
        "You hit and get 7♥ for 21.",
        "Your hand, $10.00: 7-7-7 of one suit, 2 to 1; you win $20.00 (R-064).",
        "bob stands on 17.",
        "The dealer turns over K♥ for 17.",
        "bob, $20.00: 17 against 17; breaks even (R-078).",
        "Super Bonus: three 7s of one suit; you win $1,000.00 (R-069).",
        "bob, Envy Bonus: another player's Super Bonus; wins $50.00 (R-073).",
    ]
    formatter = EventFormatter(RoundState(live.state.rules))
    told = [sentence for sentence in map(formatter.format, live.events) if sentence is not None]
    assert [sentence.text() for sentence in told if sentence.strong] == [
        called.replace("the third card", "ann's third card")
    ]


def test_actions_are_described_for_two_spots_and_for_others() -> None:
    live = deal(
        "wsgc-spanish-21(double_double=on)",
        "5c Kd 8c 9c 5d 6d 8d Kh",
        wagers(1, person="ann"),
        wagers(2, base=20, person="bob"),
        wagers(3, person="ann"),
    )
    live.do(do.Double(1))
    live.deal("2c")
    live.do(do.DoubleDouble(1))
    live.deal("3c")
    live.do(do.Rescue(1), do.Surrender(2), do.Split(3))
    live.deal("Kc")
    live.do(do.Stand(3))
    live.deal("2h")
    assert lines_of(live, PointOfView("ann"))[11:] == [
        "Spot 1: you double for $10.00 and get 2♣ for 12.",
        "Spot 1: you double-double for $20.00 and get 3♣ for 15.",
        "Spot 1: you rescue the doubled wager.",
        "Spot 1, $40.00: rescued; you lose $20.00 (R-057).",
        "bob surrenders.",
        "bob, $20.00: surrendered; loses $10.00 (R-036).",
        "Spot 3: you split 8♣ 8♦ for $10.00.",
        "Spot 3, hand 1 of 2: you get K♣ for 18.",
        "Spot 3, hand 1 of 2: you stand on 18.",
        "Spot 3, hand 2 of 2: you get 2♥ for 10.",
    ]
    assert lines_of(live, PointOfView("bob"))[11:] == [
        "ann on spot 1 doubles for $10.00 and gets 2♣ for 12.",
        "ann on spot 1 double-doubles for $20.00 and gets 3♣ for 15.",
        "ann on spot 1 rescues the doubled wager.",
        "ann on spot 1, $40.00: rescued; loses $20.00 (R-057).",
        "You surrender.",
        "Your hand, $20.00: surrendered; you lose $10.00 (R-036).",
        "ann on spot 3 splits 8♣ 8♦ for $10.00.",
        "ann on spot 3, hand 1 of 2, gets K♣ for 18.",
        "ann on spot 3, hand 1 of 2, stands on 18.",
        "ann on spot 3, hand 2 of 2, gets 2♥ for 10.",
    ]


def test_a_resplit_pair_is_described_by_its_own_cards() -> None:
    live = deal("wsgc-2021", "8c 9c 8d Kh", wagers(1, person="ann"))
    live.do(do.Split(1))
    live.deal("8h")
    live.do(do.Split(1))
    assert lines_of(live, PointOfView("ann"))[5:] == [
        "You split 8♣ 8♦ for $10.00.",
        "Hand 1 of 2: you get 8♥ for 16.",
        "You split 8♣ 8♥ for $10.00.",
    ]


def test_kept_and_paid_blackjacks_are_described() -> None:
    live = deal(
        "wsgc-2021(double_blackjack=on)",
        "Ac Ad 9c Kd Kc Kh",
        wagers(1, person="ann"),
        wagers(2, person="bob"),
    )
    live.do(do.KeepBlackjack(1), do.TakeBlackjack(2), do.Double(1))
    live.deal("Ah")
    assert lines_of(live, PointOfView("ann"))[5:] == [
        "You get K♦ for blackjack.",
        "bob gets K♣ for blackjack.",
        "The dealer's down card is dealt face down.",
        "You keep the blackjack to double it.",
        "bob takes the blackjack payout.",
        "bob, $10.00: blackjack, 3 to 2; wins $15.00 (R-029).",
        "You double for $10.00 and get A♥ for 12.",
    ]


def test_bonus_cards_are_described_by_number() -> None:
    live = deal(
        "wsgc-2021(mtd_configuration=3,bonus_cards=2)",
        "5c 9c Kd 8h 9d 5h",
        wagers(1, person="ann", mtd={"b1": 5, "b2": 5}),
    )
    assert lines_of(live, PointOfView("ann"))[5:] == [
        "Bonus Card 1 is 9♦.",
        "Bonus Card 2 is 5♥.",
        "Bonus Card 1, $5.00: no match; you lose $5.00 (R-021).",
        "Bonus Card 2, $5.00: 1 unsuited match, 4 to 1; you win $20.00 (R-021).",
        "The Bonus Cards are locked up (R-028).",
    ]


@pytest.mark.parametrize(
    ("you", "second_spot", "to"),
    [("ann", "bob", ""), ("ann", "ann", " to spot 1"), ("bob", "bob", " to ann")],
)
def test_r118_advice_says_which_hand_it_is_for(you: str, second_spot: str, to: str) -> None:
    live = deal(
        "super-fun-21",
        "2c 5h 9c 2d 3d Kh",
        wagers(1, person="ann"),
        wagers(2, person=second_spot),
    )
    for card in ("3s", "4s"):
        live.do(do.Hit(1))
        live.deal(card)
    formatter = EventFormatter(RoundState(live.state.rules), PointOfView(you))
    told = [sentence for sentence in map(formatter.format, live.events) if sentence is not None]
    advice = f"The dealer{to}: with this 11, hitting is better than doubling (R-118)."
    assert told[-1].text() == advice
    assert told[-1].strong


def test_a_payment_of_one_cent_is_won_or_lost() -> None:
    state = RoundState(load_rules("wsgc-spanish-21"))
    execute(state, PlaceWagers(1, 1000, "ann"))
    for paid, outcome in (
        (1001, "you win $0.01"),
        (999, "you lose $0.01"),
        (1000, "you break even"),
    ):
        event = ev.WagerSettled(1, 0, Wager.HAND, 1000, paid, "odds", "R-078", "reason")
        sentence = EventFormatter(state, PointOfView("ann")).format(event)
        assert isinstance(sentence, Payment)
        assert outcome in sentence.text()
        because = "reason, odds" if paid > 1000 else "reason"
        assert f": {because}; " in sentence.text()
        assert sentence.what == "Your hand, $10.00: reason, odds"
