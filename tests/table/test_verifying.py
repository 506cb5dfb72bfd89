"""A shoe is checked from its public record only: honest ones pass, and each lie is found."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.effort import examples
from tests.support.entropy import TestEntropy
from tests.table.recipe_model import ModelShoe
from tests.table.records import played_record
from ventiuna.cards import card_text
from ventiuna.engine.codec import event_data
from ventiuna.engine.events import CardDealt, HandRemoved, Place, WagersPlaced
from ventiuna.table.fairness import LiveShoe, ShoeContext, mix_of, shoe_commitment
from ventiuna.table.shoe_record import (
    LARGEST_RECORD,
    MAX_RESHUFFLES,
    DealtRound,
    Ending,
    PublicRecord,
    RecordError,
    Verification,
    dealt_round,
    read_record,
    record_data,
    record_from_data,
    verify,
)

GOLDEN = Path(__file__).parent.parent / "golden" / "shoe_record.json"
DEALT = [
    ("wsgc-2021", 3),
    ("wsgc-2021(decks=2,mtd_configuration=3,bonus_cards=4,cut_card=100)", 7),
    ("super-fun-21(cut_card=100)", 6),
    ("super-fun-21(burn_cards=20)", 3),
    ("wsgc-2021(decks=2,cut_card=100,deal_order=down_card_first,spots_settled=from_right)", 7),
]
Data = dict[str, Any]
Spoil = Callable[[Data], object]


@pytest.fixture(scope="module")
def honest() -> Data:
    data: Data = json.loads(GOLDEN.read_text("utf-8"))
    return data


def spoilt(data: Data, spoil: Spoil) -> Verification:
    changed = copy.deepcopy(data)
    spoil(changed)
    return verify(record_from_data(changed))


# --- honest records -----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "spots"), DEALT)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_honest_records_verify(name: str, spots: int, seed: int) -> None:
    record = played_record(name, seed, spots)
    text = json.dumps(record_data(record))
    assert read_record(text) == record
    found = verify(read_record(text))
    assert found.fault == ""
    assert found.holds
    assert [check.steps for check in found.checked] == ["1, 2", "3", "4", "5 to 9", "8, 10"]


@pytest.mark.parametrize(("name", "spots"), DEALT)
def test_the_records_cards_match_the_recipes_model(name: str, spots: int) -> None:
    record = played_record(name, 4, spots)
    model = ModelShoe(record.context, record.seed, record.mix)
    for dealt in record.rounds:
        model.begin_round()
        for event in dealt.events:
            if isinstance(event, CardDealt):
                assert model.draw() == event.card
            model.follow(event)


def test_the_documented_example_verifies_and_lists_its_checks(honest: Data) -> None:
    found = spoilt(honest, lambda data: None)
    assert [check.words for check in found.checked] == [
        "the commitment matches the context and the seed",
        "2 cuts opened as committed, 1 withheld",
        "the mix matches the opened cuts",
        "57 cards from 3 rounds in the right place, reshuffled once",
        "the shoe ended with the round in which the cut card came out",
    ]


def test_a_table_may_close_and_a_shoe_may_stay_unused() -> None:
    record = played_record("wsgc-2021", rounds=2)
    assert record.ended is Ending.CLOSED
    assert verify(record).checked[-1].words == "the house closed the table"
    unused = verify(played_record("wsgc-2021", rounds=0))
    assert unused.holds
    assert unused.checked[-2].words == "0 cards from 0 rounds in the right place"


def test_a_shoe_that_nobody_cut_is_reported(honest: Data) -> None:
    def nobody(data: Data) -> None:
        commitment = bytes.fromhex(data["commitment"])
        data.update(cuts=[], rounds=[], ended="closed", mix=mix_of(commitment, {}).hex())

    words = spoilt(honest, nobody).checked[1].words
    assert words.endswith("0 withheld; only the house influenced the order")


def test_a_record_contains_only_cards() -> None:
    wager = WagersPlaced(1, "somebody", 500)
    card = CardDealt(7, Place.UP)
    assert dealt_round(3, [wager, card]).events == (card,)


# --- lies ---------------------------------------------------------------------------------------


def cards_of(data: Data, number: int) -> list[Data]:
    """The cards of a round according to the record."""
    events = data["rounds"][number]["events"]
    return [event for event in events if event["event"] == "CardDealt"]


def swap_cards(data: Data) -> None:
    one, other = cards_of(data, 1)[3:5]
    one["card"], other["card"] = other["card"], one["card"]


def swap_cards_after_the_reshuffle(data: Data) -> None:
    one, other = cards_of(data, 2)[-2:]
    one["card"], other["card"] = other["card"], one["card"]


def leave_a_card_out(data: Data) -> None:
    data["rounds"][0]["events"].remove(cards_of(data, 0)[4])


def remove_a_hand(data: Data) -> None:
    """Remove a hand, so that its cards would have been reshuffled."""
    events = data["rounds"][2]["events"]
    place = events.index(cards_of(data, 2)[4])
    events.insert(place, event_data(HandRemoved(1, 0)))


def remove_no_such_hand(data: Data) -> None:
    data["rounds"][2]["events"].insert(0, event_data(HandRemoved(9, 0)))


def turn_another_card(data: Data) -> None:
    [turned] = [
        event for event in data["rounds"][0]["events"] if event["event"] == "DownCardExposed"
    ]
    turned["card"] = (turned["card"] + 1) % 52


def stop_early(data: Data) -> None:
    del data["rounds"][2]


def leave_a_round_out(data: Data) -> None:
    del data["rounds"][1]


def go_on_behind_the_cut_card(data: Data) -> None:
    data["rounds"].append({"number": 20, "events": []})


def leave_the_end_out(data: Data) -> None:
    data["rounds"][0]["events"].pop()


def call_a_round_off(data: Data) -> None:
    data["rounds"][0]["events"].append({"event": "RoundVoided", "reason": "a test"})


def call_the_last_round_off(data: Data) -> None:
    data["rounds"][2]["events"].append({"event": "RoundVoided", "reason": "a test"})


def open_another_cut(data: Data) -> None:
    data["cuts"][1]["value"] = "00" * 32


def hide_a_cut(data: Data) -> None:
    data["cuts"][0]["value"] = None


LIES: list[tuple[Spoil, str]] = [
    (
        lambda data: data.update(seed="00" * 32),
        "The commitment doesn't match the context and the seed (step 2).",
    ),
    (
        lambda data: data["context"].update(rules="other"),
        "The commitment doesn't match the context and the seed (step 2).",
    ),
    (
        lambda data: data.update(commitment="11" * 32),
        "The commitment doesn't match the context and the seed (step 2).",
    ),
    (open_another_cut, "Seat 5's cut doesn't match its commitment (step 3)."),
    (hide_a_cut, "The mix doesn't match the opened cuts (step 4)."),
    (
        lambda data: data.update(mix="00" * 32),
        "The mix doesn't match the opened cuts (step 4).",
    ),
    (swap_cards, "Round 18, card 4, card "),
    (swap_cards_after_the_reshuffle, "Round 19, card "),
    (leave_a_card_out, "Round 17, card 5, card 5 of the shoe: the record has "),
    (remove_a_hand, "Round 19, card "),
    (remove_no_such_hand, "The events of the round name a hand that doesn't exist. (step 9)"),
    (
        turn_another_card,
        "Round 17: the down card turned over is not the one that was dealt.",
    ),
    (stop_early, "The record says cut_card, but "),
    (leave_a_round_out, "Round 19, card 1, card "),
    (
        go_on_behind_the_cut_card,
        "Round 20 was dealt after the cut card had come out (step 8).",
    ),
    (leave_the_end_out, "Round 17 was not finished, so its shoe must not be revealed (step 10)."),
    (call_a_round_off, "Round 17 was voided, which must end its shoe (step 10)."),
    (
        call_the_last_round_off,
        "The last round was voided, but the record says cut_card (step 10).",
    ),
    (
        lambda data: data.update(ended="void"),
        "The last round was not voided, but the record says void (step 10).",
    ),
]


@pytest.mark.parametrize(("lie", "sentence"), LIES)
def test_a_lie_is_found_and_identified(honest: Data, lie: Spoil, sentence: str) -> None:
    found = spoilt(honest, lie)
    assert not found.holds
    assert sentence in found.fault


def test_checks_before_the_first_fault_are_listed(honest: Data) -> None:
    assert [check.steps for check in spoilt(honest, swap_cards).checked] == ["1, 2", "3", "4"]


def test_the_wrong_card_is_shown_with_the_right_one(honest: Data) -> None:
    right = cards_of(honest, 0)[0]["card"]
    found = spoilt(honest, lambda data: cards_of(data, 0)[0].update(card=(right + 1) % 52))
    assert found.fault == (
        f"Round 17, card 1, card 1 of the shoe: the record has {card_text((right + 1) % 52)}, "
        f"but the shoe has {card_text(right)} (step 8)."
    )


@examples(40)
@given(st.data())
def test_any_other_card_anywhere_is_found(data: st.DataObject) -> None:
    changed: Data = json.loads(GOLDEN.read_text("utf-8"))
    cards = [card for number in range(3) for card in cards_of(changed, number)]
    card = data.draw(st.sampled_from(cards))
    card["card"] = data.draw(st.integers(0, 51).filter(lambda other: other != card["card"]))
    assert not verify(record_from_data(changed)).holds


def test_a_shoe_with_prescribed_cards_is_detected() -> None:
    """A test's shoe can't pass as random, even if its record says so."""
    context = ShoeContext(
        "h1", "t1", 1, "example", played_record("blackjack").context.pack, 1, 0, 75
    )
    entropy = TestEntropy(shoes=[[0, 1, 2]])
    salt = entropy.salt()
    commitment = shoe_commitment(context, salt)
    shoe = LiveShoe(context, salt, mix_of(commitment, {}), on_top=entropy.on_top(salt))
    shoe.begin_round()
    events = tuple(CardDealt(shoe.draw(), Place.UP) for _ in range(3))
    record = PublicRecord(
        context=context,
        source=entropy.source,
        commitment=commitment,
        cuts=(),
        mix=mix_of(commitment, {}),
        seed=salt,
        rounds=(DealtRound(1, events),),
        ended=Ending.CLOSED,
    )
    assert "card 1 of the shoe" in verify(record).fault


def test_a_forged_record_is_checked_quickly() -> None:
    """A card is dealt and removed over and over, all according to the recipe."""
    context = ShoeContext(
        "h1", "t1", 1, "example", played_record("blackjack").context.pack, 1, 49, 75
    )
    commitment = shoe_commitment(context, bytes(32))
    mix = mix_of(commitment, {})
    shoe = LiveShoe(context, bytes(32), mix)
    shoe.begin_round()
    events: list[CardDealt | HandRemoved] = []
    while shoe.reshuffles <= MAX_RESHUFFLES:
        for event in (CardDealt(shoe.draw(), Place.PLAYER, 1, 0), HandRemoved(1, 0)):
            shoe.follow(event)
            events.append(event)
    record = PublicRecord(
        context=context,
        source=TestEntropy().source,
        commitment=commitment,
        cuts=(),
        mix=mix,
        seed=bytes(32),
        rounds=(DealtRound(1, tuple(events * 10)),),
        ended=Ending.CLOSED,
    )
    assert "reshuffled more than 100 times (step 9)" in verify(record).fault


# --- damaged records ----------------------------------------------------------------------------

DAMAGED: list[tuple[Spoil, str]] = [
    (lambda data: data.pop("seed"), "seed is missing from the record."),
    (lambda data: data.update(sed=1), "'sed' isn't a field of a record."),
    (
        lambda data: data.update(format="x"),
        "format must be ventiuna-shoe-record-1, not 'x'.",
    ),
    (
        lambda data: data.update(recipe=None),
        "recipe must be ventiuna-shoe-1, not None.",
    ),
    (
        lambda data: data.update(engine=99),
        "round 17, event 1: Unknown engine format 99: this version reads formats 1 to 2.",
    ),
    (
        lambda data: data.update(engine=True),
        "engine must be a whole number from 1 to 9223372036854775807, not True.",
    ),
    (lambda data: data.update(source="dice"), "source must be one of os, test, not 'dice'."),
    (
        lambda data: data.update(ended=""),
        "ended must be one of cut_card, void, closed, not ''.",
    ),
    (lambda data: data.update(context=[]), "context must be an object, not a list."),
    (
        lambda data: data["context"].update(house="a\nb"),
        "context.house must be one line of printable text.",
    ),
    (
        lambda data: data["context"].update(decks=10**9),
        "context.decks must be a number from 1 to 100, not 1000000000.",
    ),
    (
        lambda data: data["context"].update(burn=52),
        "context.burn must be a number from 0 to 51, not 52.",
    ),
    (
        lambda data: data["context"].update(pack="tarot"),
        "context.pack must be one of spanish, standard, not 'tarot'.",
    ),
    (
        lambda data: data["context"].update(shoe=1.0),
        "context.shoe must be a whole number from 1 to 9223372036854775807, not 1.0.",
    ),
    (lambda data: data["context"].update(x=1), "context.'x' isn't a field of a record."),
    (
        lambda data: data.update(commitment="00" * 31),
        f"commitment must be 64 hexadecimal digits, not '{'00' * 20}'.",
    ),
    (lambda data: data.update(mix=3), "mix must be a string, not 3."),
    (lambda data: data.update(cuts={}), "cuts must be a list, not a dict."),
    (
        lambda data: data["cuts"][0].update(seat=256),
        "cuts[0].seat must be a whole number from 0 to 255, not 256.",
    ),
    (
        lambda data: data["cuts"][1].update(seat=2),
        "cuts[1].seat is out of order. List the cuts by seat, each seat once.",
    ),
    (
        lambda data: data["cuts"][1].update(value="zz" * 32),
        f"cuts[1].value must be 64 hexadecimal digits, not '{'zz' * 20}'.",
    ),
    (
        lambda data: data["rounds"].reverse(),
        "rounds[1].number is out of order. List the rounds in order.",
    ),
    (
        lambda data: data["rounds"][0].pop("events"),
        "rounds[0].events is missing from the record.",
    ),
    (
        lambda data: cards_of(data, 0)[0].update(card=None),
        "round 17, event 1: the card is hidden, but the record of an ended shoe must show it.",
    ),
    (
        lambda data: cards_of(data, 0)[0].update(card=52),
        "round 17, event 1: CardDealt.card must be a card number from 0 to 51, not 52.",
    ),
    (
        lambda data: cards_of(data, 0)[0].update(hand=-1),
        "round 17, event 1: spots and hands can't be negative.",
    ),
]


@pytest.mark.parametrize(("damage", "sentence"), DAMAGED)
def test_a_damaged_record_gets_a_sentence(honest: Data, damage: Spoil, sentence: str) -> None:
    changed = copy.deepcopy(honest)
    damage(changed)
    with pytest.raises(RecordError) as caught:
        record_from_data(changed)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the record isn't valid JSON"),
        ("[]", "The record must be an object, not a list."),
        ("7", "The record must be an object, not 7."),
        ('{"format": NaN}', "NaN isn't a number"),
        ('{"seed": 1, "seed": 2}', "'seed' appears twice"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 10_000, "a number that is too long"),
        (" " * (LARGEST_RECORD + 1), "The record is longer than 4,000,000 characters."),
    ],
)
def test_text_that_is_not_a_record_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_record(text)
    assert sentence in str(caught.value)


@examples(20)
@given(st.data())
def test_a_record_with_bytes_changed_is_refused_wrong_or_means_the_same(
    data: st.DataObject,
) -> None:
    text = GOLDEN.read_text("utf-8")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    changed = text[:start] + data.draw(st.text(max_size=6)) + text[end:]
    try:
        found = verify(read_record(changed)).fault
    except RecordError as error:
        found = str(error)
    assert found == "" or found.endswith((".", ")"))
