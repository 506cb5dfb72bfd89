"""Events as everyone sees them: the same live and from the book."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from sqlalchemy import Connection

from tests.support.memory_store import MemoryStore
from tests.table.random_tables import RandomTable
from tests.table.tables import LiveTable, Room
from ventiuna.engine.codec import Data
from ventiuna.engine.events import (
    CardDealt,
    DealerChecked,
    DownCardExposed,
    Place,
    Stage,
    StageReached,
    WagerSettled,
)
from ventiuna.server.hub import EventsText, events_message, merged
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.state import TableState
from ventiuna.table.history import MAX_LINES, TimelineEvent, Timelines
from ventiuna.table.presentation import (
    CHANGES_SHOE,
    EventPresenter,
    PresentedEvent,
    ask_data,
    has_same_seats,
    round_data,
    seats_data,
    shoe_data,
)
from ventiuna.table.store.connection import Store
from ventiuna.table.writer import TableUpdate

ROUNDS = 4  # played to the end
MOST_COMMANDS = 600
RULES = (
    "wsgc-2021(mtd_configuration=4,bonus_cards=5)",
    "super-fun-21",
    "wsgc-2021(jackpots=3c:1:kind=house:seed=5000)",
)


def played(room: Room, rules: str, seed: int, rounds: int = ROUNDS) -> LiveTable:
    table = room.open(rules)
    people = RandomTable(room, table, seed)
    for _ in range(MOST_COMMANDS):
        people.step()
        if people.seen["RoundClosed"] >= rounds:
            return table
    raise AssertionError("nobody plays")


@pytest.fixture(scope="module", params=RULES)
def table(request: pytest.FixtureRequest) -> LiveTable:
    return played(Room(MemoryStore()), request.param, seed=3)


def events_since(connection: Connection, state: TableState, after: int) -> list[TimelineEvent]:
    return Timelines().since(connection, state, after)  # nothing is cached yet


def shown_at_once(update: TableUpdate) -> list[PresentedEvent]:
    return EventPresenter.at(update.before).show_all(update.events)


def check_book(table: LiveTable) -> None:
    """Check that the book repeats the live events, whichever event a client resumes from."""
    live = [shown for update in table.updates for shown in shown_at_once(update)]
    first = table.updates[0].first_event
    for after in range(first, table.state.head.events, 29):
        with table.room.store.read() as connection:
            message = events_since(connection, table.state, after)
        assert [one.number for one in message] == list(
            range(after + 1, table.state.head.events + 1)
        )
        assert [one.shown for one in message] == live[after + 1 - first :]


def test_the_book_gives_the_same_messages_as_live(table: LiveTable) -> None:
    check_book(table)


def test_both_databases_give_the_same_messages(store: Store) -> None:
    check_book(played(Room(store), RULES[0], seed=4, rounds=2))


def test_the_story_is_its_last_lines(table: LiveTable) -> None:
    with table.room.store.read() as connection:
        lines: Any = Timelines().recent(connection, table.state)["story"]
        whole = events_since(connection, table.state, 0)
    assert 0 < len(lines) <= MAX_LINES
    said = [one for one in whole if one.shown.message is not None][-len(lines) :]
    assert [(line["n"], line["text"]) for line in lines] == [
        (one.number, one.shown.message["text"]) for one in said if one.shown.message
    ]


def test_the_scene_begins_with_the_round_dealt_last(table: LiveTable) -> None:
    """Everything on the felt was put there by events of the scene."""
    timelines, opened, begun = Timelines(), "", ""
    for update in table.updates:
        for event in update.events:
            if isinstance(event, ev.RoundOpened):
                opened = f"RoundOpened {event.number}"
            elif isinstance(event, StageReached) and event.stage is Stage.DEAL:
                begun = opened
        with table.room.store.read() as connection:
            scene: Any = timelines.recent(connection, update.state)["scene"]
        if not begun:
            assert scene == []
            continue
        assert f"{scene[0]['event']['event']} {scene[0]['event']['number']}" == begun
        held = [step["event"] for step in scene if step["event"]["event"] == "CardDealt"]
        played = update.state.round
        if played is not None and played.stage is not Stage.WAGERS:
            assert len(held) == sum(played.dealt) + sum(
                len(hand.cards) for spot in played.order for hand in spot.hands if not hand.on_table
            )


def test_latecomers_get_the_same_story() -> None:
    """A cached story is the same, whoever requests it and from whichever event."""
    room = Room(MemoryStore())
    table = room.open(RULES[0])
    people, timelines, chance = RandomTable(room, table, seed=5), Timelines(), random.Random(5)
    early = table.state
    while people.seen["RoundClosed"] < 5:
        people.step()
        if chance.random() < 0.8:
            continue
        after = max(0, table.state.head.events - chance.randrange(200))
        with room.store.read() as connection:
            whole = events_since(connection, table.state, after)
            assert timelines.since(connection, table.state, after) == whole
            older = [one for one in whole if one.number <= early.head.events]
            assert timelines.since(connection, early, after) == older
        early = table.state if chance.random() < 0.3 else early


def test_everyone_gets_third_person_sentences_and_their_own(table: LiveTable) -> None:
    spoken_to = 0
    for update in table.updates:
        names = {seat.person: seat.name for seat in update.state.seats.values()}
        for shown in shown_at_once(update):
            message: Any = shown.message
            if message is None:
                continue
            assert message["text"][-1] in ".?"
            assert "you " not in message["text"].lower()
            for person, own in message.get("you", {}).items():
                spoken_to += 1
                assert names.get(person, "nobody") not in own["text"]
            for words in (message, *message.get("you", {}).values()):
                assert ("spoken" in words) == any(sign in words["text"] for sign in "♣♦♥♠")
    assert spoken_to


def test_the_words_after_each_event_end_with_the_rounds_view(table: LiveTable) -> None:
    """Showing a round event by event ends with the same words as the round's view."""
    compared = 0
    for update in table.updates:
        round_: Any = round_data(update.state)
        if round_ is None or any(isinstance(event, ev.RoundOpened) for event in update.events):
            continue
        hands: dict[tuple[int, int], Data] = {}
        money: dict[int, Data] = {}
        dealer = None
        for shown in shown_at_once(update):
            after: Any = shown.after or {}
            hands |= {(one["spot"], one["hand"]): one for one in after.get("hands", ())}
            if "money" in after:
                money[after["money"]["spot"]] = after["money"]
            dealer = after.get("dealer", dealer)
        spots = {spot["number"]: spot for spot in round_["spots"]}
        for (spot, index), hand in hands.items():
            seen = spots[spot]["hands"][index]
            assert (hand["count"], hand["words"]) == (seen["count"], seen["words"])
            compared += 1
        for spot, one in money.items():
            assert {"spot": spot, **{key: spots[spot][key] for key in one if key != "spot"}} == one
        assert dealer is None or dealer == round_["dealer_words"]
    assert compared


def test_unchanged_seats_and_shoe_are_recognized(table: LiveTable) -> None:
    for update in table.updates:
        kinds = {type(event) for event in update.events}
        if has_same_seats(update.before, update.state):
            before: Any = seats_data(update.before)
            after: Any = seats_data(update.state)
            assert [dict(one, stack=0) for one in before] == [dict(one, stack=0) for one in after]
        if not kinds & CHANGES_SHOE:
            assert shoe_data(update.before) == shoe_data(update.state)


def sent(update: TableUpdate) -> tuple[EventsText, Any, Any]:
    """The message about an update: for the person who must decide, and for everyone else."""
    message = events_message(
        update.state,
        update.first_event,
        update.events,
        shown_at_once(update),
        before=update.before,
    )
    return message, json.loads(message.own or message.text), json.loads(message.text)


def test_changed_spots_and_options_add_up_to_the_whole(table: LiveTable) -> None:
    spots: dict[int, Any] = {}
    options: Any = None
    left_out = 0
    for update in table.updates:
        _, own, _ = sent(update)
        whole: Any = json.loads(json.dumps(round_data(update.state)))
        if update.before.opened != update.state.opened:
            spots.clear()
        for spot in own["round"]["spots"] if own["round"] else ():
            spots[spot["number"]] = spot
        there = [spot["number"] for spot in whole["spots"]] if whole else []
        spots = {number: spots[number] for number in there}
        assert list(spots.values()) == (whole["spots"] if whole else [])
        if own["ask"] and own["ask"]["options"] is None:
            left_out += 1
        elif own["ask"]:
            options = own["ask"]["options"]
        ask: Any = json.loads(json.dumps(ask_data(update.state)))
        assert ask is None or options == ask["options"]
    assert left_out


def test_commands_committed_together_are_one_message(table: LiveTable) -> None:
    updates = table.updates[-40:]
    together = merged([*updates[:20], *updates[25:]])
    assert [one.first_event for one in together] == [
        updates[0].first_event,
        updates[25].first_event,
    ]
    for one, parts in zip(together, (updates[:20], updates[25:]), strict=True):
        assert one.events == tuple(event for part in parts for event in part.events)
        assert (one.before, one.state) == (parts[0].before, parts[-1].state)
        assert shown_at_once(one) == [shown for part in parts for shown in shown_at_once(part)]


def test_only_the_person_who_must_decide_gets_the_actions(table: LiveTable) -> None:
    decisions = 0
    for update in table.updates:
        message, own, others = sent(update)
        ask = update.state.ask
        if ask is not None and ask.kind is ev.AskKind.DECISION and own["ask"]["options"]:
            decisions += 1
            assert message.person == update.state.open_round.spots[ask.spots[0]].person
            assert {option["kind"] for option in own["ask"]["options"]} == {"action"}
            assert others == own | {"ask": own["ask"] | {"options": None}}
        else:
            assert (message.person, others) == ("", own)
    assert decisions


def test_money_of_a_round_adds_up(table: LiveTable) -> None:
    """A spot's gain is its net result minus the chips still in play."""
    for update in table.updates:
        for spot in (round_data(update.state) or {"spots": []})["spots"]:  # type: ignore[attr-defined]
            gain = update.state.chips.spots[spot["number"]]
            assert spot["net"] - spot["in_play"] == gain
            riding = sum(spot["riding"].values())
            hands = sum(hand["wager"] for hand in spot["hands"] if hand["status"] != "over")
            assert spot["in_play"] == riding + hands


def test_no_sentence_reveals_a_hidden_card(table: LiveTable) -> None:
    """A different down card changes nothing shown before the dealer looks at it."""
    compared = 0
    for update in table.updates:
        events = list(update.events)
        for index, event in enumerate(events):
            if isinstance(event, CardDealt) and event.place is Place.DOWN:
                assert event.card is not None
                events[index] = CardDealt((event.card + 17) % 52, Place.DOWN)
                compared += 1
            elif isinstance(event, DealerChecked | DownCardExposed):
                del events[index:]
                break
        others = EventPresenter.at(update.before).show_all(events)
        assert others == shown_at_once(update)[: len(events)]
    assert compared


def test_rule_numbers_are_separate_from_the_text(table: LiveTable) -> None:
    cited = 0
    for update in table.updates:
        for event, shown in zip(update.events, shown_at_once(update), strict=True):
            message: Any = shown.message or {"text": ""}
            for words in (message, *message.get("you", {}).values()):
                assert "R-" not in words["text"] + words.get("spoken", "")
            if isinstance(event, WagerSettled) and event.rule:
                assert message["rules"] == [event.rule]
                cited += 1
    assert cited


def test_payments_are_tagged(table: LiveTable) -> None:
    payments = [
        (event, shown.message["payment"])
        for update in table.updates
        for event, shown in zip(update.events, shown_at_once(update), strict=True)
        if isinstance(event, WagerSettled) and shown.message is not None
    ]
    assert payments
    for event, payment in payments:
        assert isinstance(payment, dict)
        assert payment["net"] == event.net == payment["paid"] - payment["stake"]
        assert payment["rule"] == event.rule
        assert payment["tag"]
        assert payment["title"]
        sign = {1: "+$", -1: "\N{MINUS SIGN}$", 0: "push"}[(event.net > 0) - (event.net < 0)]
        assert payment["amount"].startswith(sign)
