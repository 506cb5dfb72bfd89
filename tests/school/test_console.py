"""The console matches the engine for every worked round, keyed as at a real table."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.golden.test_worked_rounds import ROUNDS
from tests.property.effort import examples
from tests.school.keyed import key_in
from ventiuna.cards import parse_card
from ventiuna.notation import read_rounds, replay, round_from_data
from ventiuna.rules import load_rules
from ventiuna.school.console import ConsoleRound, DealerReport, console_data, split_entries
from ventiuna.school.training import LEVELS, Level, training_round

RULES = load_rules("wsgc-2021")
# Wagers on two spots, and a king up.
DEALT = ["1 Ana: 25 up 5", "2 10", "close", "8c", "Kd", "Kh", "8d", "9h"]


def keyed(*entries: str, rules: str = "wsgc-2021", gone: tuple[int, ...] = ()) -> ConsoleRound:
    return ConsoleRound(load_rules(rules), entries, removed=gone)


def problem(*entries: str, **more: Any) -> str:
    """The problem with the last entry; all earlier entries are unchanged."""
    console = keyed(*entries, **more)
    assert console.problem is not None
    assert console.problem.entry == len(entries) - 1
    assert console.entries == entries[:-1]
    assert keyed(*entries[:-1], **more).events == console.events
    return console.problem.sentence


@pytest.mark.parametrize("data", ROUNDS, ids=lambda data: data["id"])
def test_a_worked_round_keyed_in_matches_the_engine(data: dict[str, Any]) -> None:
    record = round_from_data(data)
    played = replay(record)
    console = key_in(record.rules, played.events, record.meters)
    assert list(console.events) == played.events
    shown = console_data(console)
    [kept] = read_rounds(str(shown["notation"]))
    assert replay(kept).events == played.events
    paid = [step for step in console.steps if step.wager is not None]
    assert [step.back for step in paid] == [event.paid for event in played.payments]


@examples(8)
@given(st.sampled_from(LEVELS), st.integers(0, 10**6), st.integers(1, 30), st.booleans())
def test_training_rounds_keyed_in_have_the_same_steps(
    level: Level, seed: int, number: int, supervised: bool
) -> None:
    training = training_round(level, load_rules(level.rules), seed, number, supervised)
    console = key_in(training.rules, training.events, training.meters, supervised)
    told = {step.kind for step in console.steps}
    assert {step.kind for step in training.steps} <= told
    assert console.steps[-len(training.steps) :][1:] == training.steps[1:]


def test_the_down_card_is_requested_only_when_it_is_turned_over() -> None:
    console = keyed(*DEALT)
    assert console.boundary is DealerReport.LOOK
    assert console_data(console)["felt"]["dealer"][1] is None
    console = keyed(*DEALT, "no", "s", "s")
    assert console.boundary is DealerReport.DOWN
    assert len(console.cards) == 5
    console = keyed(*DEALT, "no", "s", "s", "7d")
    assert console.is_over
    assert len(console.cards) == 6


def test_the_check_and_the_down_card_must_agree() -> None:
    assert "which found none" in problem(*DEALT, "no", "s", "s", "As")
    assert "which found a blackjack" in problem(*DEALT, "bj", "7d")
    assert keyed(*DEALT, "bj", "As").is_over


def test_the_output_after_each_entry() -> None:
    dealt = console_data(keyed(*DEALT))
    told = [step["text"] for step in dealt["steps"] if step["new"] and step["told"]]
    assert told == [
        "Deal your down card, face down.",
        "Take the $5 from the Up Card wager on spot 1.",
    ]
    assert dealt["prompt"]["sentence"] == "Look at the down card."
    turn = console_data(keyed(*DEALT, "no"))
    assert turn["prompt"]["sentence"] == (
        "Spot 1 has 16 against a king. What does the player want?"
    )
    keys = {key["key"] for key in turn["prompt"]["keys"]}
    assert {"h", "s", "d", "p", "u"} <= keys
    assert "c" not in keys  # no hand has been doubled yet
    over = console_data(keyed(*DEALT, "no", "u", "s", "7d"))
    assert over["totals"] == [{"spot": 1, "net": -1750}, {"spot": 2, "net": 1000}]


def test_the_console_asks_for_no_step_that_an_entry_has_done() -> None:
    """Closing the wagers and entering the down card are the call and the exposure themselves."""
    over = console_data(keyed(*DEALT, "no", "s", "s", "7d"))
    told = [step["text"] for step in over["steps"] if step["new"] and step["told"]]
    assert told == ["Take the $25 from spot 1.", "Pay $10 on spot 2.", "Collect the cards."]
    assert not any(step["told"] for step in console_data(keyed(*DEALT[:3]))["steps"])


def test_the_felt_shows_the_result_of_a_spot_when_the_round_is_over() -> None:
    over = console_data(keyed(*DEALT, "no", "s", "s", "7d"))
    shown = {spot["number"]: [one["net"] for one in spot["paid"]] for spot in over["felt"]["spots"]}
    assert shown == {one["spot"]: [one["net"]] for one in over["totals"]}


@pytest.mark.parametrize(
    ("rules", "entries", "words"),
    [
        ("wsgc-2021", ["1 Ana: 25 up 5", "2 0"], ["Spot 1, Ana: $25, Up Card $5"]),
        ("wsgc-2021", [*DEALT, "no", "d 10"], ["No blackjack", "Spot 1: double for $10"]),
        ("wsgc-2021", [*DEALT, "no", "p", "3c"], ["Spot 1: split", "Spot 1, hand 1: 3♣"]),
        ("wsgc-2021", ["1 25", "close", "8c", "Ac", "9h", "ins 1 5"], ["Spot 1: insurance $5"]),
        ("wsgc-2021", ["1 25", "close", "8c", "Ac", "9h", "no"], ["Spot 1: 9♥", "No insurance"]),
    ],
)
def test_every_entry_is_shown_in_words(rules: str, entries: list[str], words: list[str]) -> None:
    shown = console_data(keyed(*entries, rules=rules))
    assert len(shown["entry_words"]) == len(shown["entries"])
    assert shown["entry_words"][-len(words) :] == words


def test_undo_removes_an_entry_and_a_correction_replaces_one() -> None:
    whole = [*DEALT, "no", "h", "5c", "s", "7d"]
    assert keyed(*whole[:-1]).boundary is DealerReport.DOWN
    corrected = [*whole]
    corrected[4] = "2d"  # the first card of spot 2 wasn't a king
    console = keyed(*corrected)
    assert console.is_over
    assert console.state.spots[2].hands[0].total == 11
    assert console_data(console)["totals"] == [{"spot": 1, "net": 2000}, {"spot": 2, "net": -1000}]


def test_an_invalid_correction_points_to_the_first_invalid_entry() -> None:
    entries = [*DEALT, "no", "p", "3c", "s", "2d", "s", "s", "7d"]
    assert keyed(*entries).is_over
    entries[3] = "9c"  # 9-8 can't be split
    console = keyed(*entries)
    assert console.problem is not None
    assert console.problem.entry == entries.index("p")
    assert console.problem.rules == ("R-042",)


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        (("1 25", "close", "Tc"), "Tc isn't in the pack: Spanish decks have no tens"),
        (("1 25", "close", "9x"), "'9x' isn't a card. Enter the next card as rank"),
        (("close",), "Nobody has placed a base wager"),
        (("1 2",), "The base wager must be from $5.00 to $300.00, not $2.00"),
        (("1 25 jackpot",), "no jackpot"),
        (("hello",), "Enter a spot and its wagers"),
        ((*DEALT, "maybe"), "Enter bj if the down card makes a blackjack"),
        ((*DEALT, "no", "z"), "For spot 1, enter h, s, d"),
        ((*DEALT, "no", "c"), "Only a doubled hand can be rescued"),
        ((*DEALT, "no", "s", "s", "Td"), "Td isn't in the pack"),
        ((*DEALT, "no", "s", "s", "7d", "7d"), "The round is over"),
        (("1 25", "close", "Ac", "As", "Kd", "keep"), "Enter paid when all blackjacks"),
        (("1 25", "close", "Ac", "As", "Kd", "paid", "ins 1 20"), "at most half of the wager"),
        (("1 25", "close", "Ac", "As", "Kd", "paid", "what"), "Enter ins, the spot and the amount"),
    ],
)
def test_an_invalid_entry_gets_one_sentence(entries: tuple[str, ...], sentence: str) -> None:
    told = problem(*entries)
    assert sentence in told
    assert "\n" not in told


def test_no_card_is_dealt_more_often_than_the_shoe_allows() -> None:
    gone = (parse_card("8c"),) * 6
    told = problem("1 25", "close", "8c", gone=gone)
    assert told.startswith("Every 8c has already been dealt since the shuffle (the shoe holds 6)")
    one_deck = ("1 25", "2 25", "close", "8c", "9c")
    assert "the shoe holds 1" in problem(*one_deck, "8c", rules="super-fun-21")
    down = (*one_deck, "7d", "Kd", "Qd", "s", "s")
    assert "the shoe holds 1" in problem(*down, "9c", rules="super-fun-21")
    assert keyed(*down, "9d", rules="super-fun-21").problem is None


def test_a_line_may_contain_several_cards() -> None:
    assert split_entries(" 8c  Kd 9h ") == ["8c", "Kd", "9h"]
    assert split_entries("2 25  up 5") == ["2 25 up 5"]
    assert split_entries(" ") == []


# --- order of the entries ---------------------------------------------------------------------


def test_the_up_card_may_be_entered_early_if_the_house_chooses() -> None:
    """R-026: document 003 leaves the order of the deal to the house."""
    usual = keyed(*DEALT, "no", "s", "s", "7d")
    first = keyed(*DEALT[:3], "up Kh", "8c", "Kd", "8d", "9h", "no", "s", "s", "7d")
    assert first.events == usual.events
    between = keyed(*DEALT[:4], "up Kh", "Kd", "8d", "9h", "no", "s", "s", "7d")
    assert between.events == usual.events
    shown = console_data(keyed(*DEALT[:3], "up Kh"))
    assert shown["felt"]["dealer"] == [parse_card("Kh")]
    assert shown["prompt"]["sentence"] == "Deal a card to spot 1."
    assert keyed(*DEALT[:5], "up Kh").events == keyed(*DEALT[:6]).events
    assert "already been dealt" in problem(*DEALT[:3], "up Kh", "up Kd")
    assert "already been dealt" in problem(*DEALT[:6], "up Kd")
    assert "is dealt after the first card" in problem(
        "1 25", "2 10", "close", "up Kh", rules="casino-card"
    )
    one_deck = ("1 25", "2 25", "close", "8c", "9c", "8c")
    assert "the shoe holds 1" in problem(*one_deck, rules="super-fun-21")


@pytest.mark.parametrize("order", ["down_card_first", "dealer_last"])
@pytest.mark.parametrize(
    ("up", "rest"),
    [
        ("Kh", ("no", "s", "s", "7d")),
        ("Kh", ("bj", "Ac")),
        ("6h", ("s", "s", "Kd", "2c")),
    ],
)
def test_r123_the_console_follows_the_houses_deal(
    order: str, up: str, rest: tuple[str, ...]
) -> None:
    """The down card is entered only once it is exposed, even if it is dealt first."""
    rules = f"wsgc-2021(deal_order={order})"
    console = keyed("1 25", "2 10", "close", "8c", "Kd", "8d", "9h", up, *rest, rules=rules)
    assert console.problem is None
    assert console.is_over
    assert console.state.up == parse_card(up)
    assert "after the second card of every spot" in problem(
        "1 25", "2 10", "close", "up Kh", rules=rules
    )


@pytest.mark.parametrize(
    ("entries", "rule"),
    [
        (("1 25", "2 10", "8c"), "R-102"),  # a card before the wagers are closed
        ((*DEALT[:4], "no"), "R-026"),  # the check before the end of the deal
        ((*DEALT, "h"), "R-033"),  # an action before the check
        ((*DEALT, "u"), "R-037"),  # the same for a surrender
        ((*DEALT, "no", "7d"), "R-077"),  # the down card before the players act
        ((*DEALT, "no", "2 s"), "R-102"),  # the second spot before the first
        ((*DEALT, "no", "s", "s", "s"), "R-077"),  # one action too many
        # Insurance before the blackjack is settled.
        (("1 25", "close", "Ac", "As", "Kd", "ins 1 5"), "R-032"),
        (("1 25", "close", "9c", "As", "Kd", "bj"), "R-031"),  # the check before insurance
    ],
)
def test_an_early_entry_is_refused_with_its_rule(entries: tuple[str, ...], rule: str) -> None:
    console = keyed(*entries)
    assert console.problem is not None
    assert console.problem.entry == len(entries) - 1
    assert rule in console.problem.rules


def test_an_entry_may_include_the_acting_spot() -> None:
    assert keyed(*DEALT, "no", "1 s", "2 s").events == keyed(*DEALT, "no", "s", "s").events


def test_steps_in_any_order_are_marked_with_their_rule() -> None:
    """R-078, R-080, R-081: the console lists one order and says when another is fine."""
    rules = "wsgc-2021(mtd_configuration=4,bonus_cards=2)"
    entries = ["1 25 up 5 b1 5 b2 5 down 5", "2 10 b1 5 down 5", "close"]
    entries += ["8c", "Kd", "9h", "8d", "9s", "2c", "3c", "s", "s", "7d", "5d"]
    steps = console_data(keyed(*entries, rules=rules))["steps"]
    told = [(step["text"], step["any_order"]) for step in steps if step["told"]]
    open_to = dict(told)
    assert open_to["Take the $5 from the Up Card wager on spot 1."] == []
    assert open_to["Take the $5 from the Bonus Card 1 wager on spot 1."] == []  # up first
    assert open_to["Take the $5 from the Bonus Card 2 wager on spot 1."] == ["R-080"]
    assert open_to["Take the $5 from the Bonus Card 1 wager on spot 2."] == ["R-080"]
    assert open_to["Lock up the Bonus Cards."] == []
    assert open_to["Take the $5 from the Down Card wager on spot 2."] == ["R-081", "D-05"]


def test_every_entry_can_be_clicked() -> None:
    """The page's cards, side bets and answers come from the data, so none is typed in vain."""
    shown = console_data(keyed("1 25", "2 10", "close", "8c"))
    assert (shown["prompt"]["wants"], shown["seats"]) == ("card", 7)
    assert [bet["word"] for bet in shown["side_bets"]][:1] == ["up"]
    decks = shown["left"][0]
    assert shown["left"][parse_card("8c")] == decks - 1
    assert not any(shown["left"][parse_card(f"T{suit}")] for suit in "cdhs")
    ace_up = ("1 25", "2 15", "close", "8c", "Kd", "Ac", "9h", "9d")
    insured = console_data(keyed(*ace_up))
    assert insured["prompt"]["wants"] == "answer"
    keys = [one["key"] for one in insured["prompt"]["keys"] if one["whole"]]
    assert keys == ["ins 1 12.50", "ins 2 7.50", "no"]
    for key in keys:
        assert keyed(*ace_up, key).problem is None


# --- a table that requires a supervisor -------------------------------------------------------

# Two suited 7s against a 7.
SEVENS = ["1 Ana: 25", "2 10", "close", "7h", "Kd", "7s", "7h", "9h"]


def supervised(*entries: str) -> ConsoleRound:
    return ConsoleRound(load_rules("catfish-bend"), entries, supervised=True)


def test_the_console_waits_for_the_supervisor() -> None:
    """R-072, R-121: before the third card, and before the Super Bonus is paid."""
    dealt = console_data(supervised(*SEVENS))
    assert dealt["prompt"] == {
        "sentence": "Wait until the supervisor is there to watch the third card (spot 1).",
        "wants": "answer",
        "early_up": False,
        "point": None,
        "keys": [{"key": "here", "means": "the supervisor is there to watch", "whole": True}],
    }
    assert "Stop play and call the supervisor" in dealt["steps"][-1]["text"]
    played = [*SEVENS, "here", "h", "7h", "s", "8d", "2c"]
    waits = console_data(supervised(*played))
    assert waits["prompt"]["sentence"] == (
        "Wait until the supervisor authorizes the payments (spot 1)."
    )
    assert not waits["over"]
    assert not any("Super Bonus on" in step["text"] for step in waits["steps"])
    over = console_data(supervised(*played, "authorized"))
    assert over["over"]
    told = [step["text"] for step in over["steps"] if step["new"] and step["told"]]
    assert told == [
        "Pay $5,000 for the Super Bonus on spot 1.",
        "Pay $50 for the Envy Bonus on spot 2, as the supervisor instructs.",
        "Collect the cards.",
    ]
    [kept] = read_rounds(str(over["notation"]))
    usual = [entry for entry in played if entry != "here"]
    assert replay(kept).events == list(keyed(*usual, rules="catfish-bend").events)


@pytest.mark.parametrize(
    ("entries", "sentence", "rules"),
    [
        ((*SEVENS, "h"), "Play stops until the supervisor", ("R-072", "R-121")),
        ((*SEVENS, "7h"), "Play stops until the supervisor", ("R-072", "R-121")),
        ((*SEVENS, "ready"), "Enter here when the supervisor is there to watch.", ()),
        (
            (*SEVENS, "here", "h", "7h", "s", "8d", "2c", "ok"),
            "paid after the supervisor authorizes them",
            ("R-121",),
        ),
    ],
)
def test_an_entry_before_the_supervisor_is_refused(
    entries: tuple[str, ...], sentence: str, rules: tuple[str, ...]
) -> None:
    refused = supervised(*entries).problem
    assert refused is not None
    assert sentence in refused.sentence
    assert refused.rules == rules
