"""Recall: any round step by step, marked as a replay, with nothing that is still hidden."""

from __future__ import annotations

import json

import pytest

from tests.table.played_house import RULES, PlayedHouse
from ventiuna.engine.events import CardDealt, DownCardExposed, Place
from ventiuna.engine.messages import CardStyle, PointOfView
from ventiuna.engine.views import DEALER, EVERYONE
from ventiuna.notation import NotationError, differences, read_rounds, replay
from ventiuna.rules import canonical, load_rules
from ventiuna.rules.text.phrases import headline
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.history import (
    RecalledRound,
    RecallError,
    format_round,
    notation,
    recall,
    rounds_of,
)
from ventiuna.table.presentation import SILENT_EVENTS, TableEventFormatter
from ventiuna.table.store.connection import Store


@pytest.fixture
def house(store: Store) -> PlayedHouse:
    played = PlayedHouse(store)
    played.open()
    played.play(3)
    return played


def _recalled(house: PlayedHouse, number: int = 0, dealer: bool = False) -> RecalledRound:
    with house.store.read() as connection:
        return recall(connection, house.table, number, DEALER if dealer else EVERYONE)


def test_a_closed_round_is_described_step_by_step(house: PlayedHouse) -> None:
    lines = format_round(_recalled(house, 1))
    assert lines[0].startswith(f"Replay of round 1 at table {house.table} (Table =1), shoe 1, ")
    assert "Round 1 is open for wagers." in lines[1]
    assert lines[2].endswith("Ann wagers $10.00, $5.00 on the Up Card, and $6.00 on the Down Card.")
    assert any("=Bob wagers $20.00" in line for line in lines)
    assert any("The dealer" in line for line in lines)
    numbers = [int(line.split()[0]) for line in lines[1:]]
    assert numbers == sorted(numbers)


def test_sentences_address_you(house: PlayedHouse) -> None:
    lines = format_round(_recalled(house, 1), you="1", style=CardStyle.LETTERS)
    assert any("You wager $10.00" in line for line in lines)
    assert any("=Bob wagers" in line for line in lines)


def test_a_closed_round_as_notation_settles_to_the_same_cents(house: PlayedHouse) -> None:
    house.play(20)
    for number in (1, 2, 3, 12):
        (record,) = read_rounds(notation(_recalled(house, number, dealer=True)))
        assert record.id == f"{house.table}-{number}"
        assert differences(replay(record)) == []


def test_as_json_it_is_marked_and_lists_every_event(house: PlayedHouse) -> None:
    found = _recalled(house, 2)
    data = json.loads(json.dumps(found.as_data()))
    assert data["kind"] == "replay"
    assert (data["preset"], data["rules"]) == ("wsgc-spanish-21", canonical(house.state.rules))
    assert f"rules {data['rules']}, fingerprint {data['fingerprint']}" in format_round(found)[0]
    assert data["names"] == {"1": "Ann", "2": "=Bob"}
    assert [step["n"] for step in data["steps"]] == [step.number for step in found.steps]
    assert data["steps"][0]["event"] == "RoundOpened"
    assert data["steps"][-1]["event"] == "RoundClosed"
    assert {step["actor"] for step in data["steps"]} == {"person/1", "person/2"}


def test_only_the_house_sees_the_down_card_of_an_open_round(house: PlayedHouse) -> None:
    house.open_round()
    seen, true = _recalled(house), _recalled(house, dealer=True)
    assert seen.outcome == "open"
    (hidden,) = [step.event for step in seen.steps if _is_down(step.event)]
    (known,) = [step.event for step in true.steps if _is_down(step.event)]
    assert isinstance(hidden, CardDealt)
    assert isinstance(known, CardDealt)
    assert hidden.card is None
    assert known.card is not None
    assert any("face down" in line for line in format_round(seen))
    assert not any("face down" in line for line in format_round(true))
    shown, whole = (json.loads(json.dumps(one.as_data()))["steps"] for one in (seen, true))
    downs = [step for step in whole if step.get("place") == "down"]
    assert [step for step in shown if step.get("place") == "down"] == [
        {**step, "card": None} for step in downs
    ]
    with pytest.raises(NotationError, match="is open"):
        notation(seen)


def _is_down(event: object) -> bool:
    return isinstance(event, CardDealt) and event.place is Place.DOWN


def test_an_unexposed_down_card_is_revealed_when_its_shoe_ends(house: PlayedHouse) -> None:
    """Everyone has lost before the dealer plays, so the card is discarded unseen."""
    house.play(25)
    with house.store.read() as connection:
        every = [recall(connection, house.table, number) for number in range(1, 25)]
    unseen = [
        one
        for one in every
        if not any(isinstance(step.event, DownCardExposed) for step in one.truth)
    ]
    for one in unseen:
        assert one.hides_down_card is not one.shoe_ended


def test_void_rounds_and_other_events_are_described(house: PlayedHouse) -> None:
    house.void()
    number = house.state.rounds if house.state.opened is None else house.state.rounds - 1
    lines = format_round(_recalled(house, number))
    assert any("The round is void (a card was exposed)" in line for line in lines)
    with pytest.raises(NotationError, match="is void"):
        notation(_recalled(house, number))


def test_a_timeout_is_described(house: PlayedHouse) -> None:
    house.open_round()
    house.time_up()
    house.play(1)
    lines = format_round(_recalled(house, 4))
    assert any("Time is up" in line for line in lines)


def test_the_last_rounds_of_a_table(house: PlayedHouse) -> None:
    with house.store.read() as connection:
        assert rounds_of(connection, house.table) == [4, 3, 2, 1]
        assert rounds_of(connection, house.table, maximum=2, before=3) == [2, 1]
        with pytest.raises(RecallError, match="no table 99"):
            recall(connection, 99, 1)
        with pytest.raises(RecallError, match="has no round 77"):
            recall(connection, house.table, 77)


# --- sentences --------------------------------------------------------------------------------

SENTENCES: list[tuple[TableEvent, str | None]] = [
    (
        ev.TableOpened("Five", "wsgc-spanish-21", "ab"),
        f"The table Five opens: {headline(load_rules(RULES))} ({RULES}).",
    ),
    (ev.TableClosing("late"), "The table closes after this round (late)."),
    (ev.TableClosed(), "The table is closed."),
    (ev.TableFaulted("bad"), "Play has stopped because of an error (bad)."),
    (ev.TableResumed("good"), "Play resumes (good)."),
    (ev.BankDropped(500), "The bank's result of $5.00 goes to the house."),
    (ev.BankDropped(-500), "The house covers the bank's shortfall of $5.00."),
    (ev.SeatTaken(1, "7", "Ann"), "Ann takes seat 1."),
    (
        ev.RoundCorrected(8, 1, "7", 1000, 2500, 2000, "R-036", "misread"),
        (
            "Round 8 is corrected: it paid $25.00 to spot 1 and should have paid $20.00 (R-036; "
            "misread). $5.00 is taken from Ann's balance."
        ),
    ),
    (
        ev.AwardHeld(8, 1, "7", 1, 500),
        "Ann's award of $5.00 will be paid by hand, away from the table (R-122).",
    ),
    (ev.AwardHandPaid(9, 8, 1, "7", 500), "Ann's award of $5.00 was paid by hand (R-122)."),
    (ev.SpotsChosen(1, (1, 2)), "Ann plays spots 1 and 2."),
    (ev.SpotsChosen(1, (2,)), "Ann plays spot 2."),
    (ev.SpotsChosen(1, ()), "Ann plays no spots."),
    (ev.ChipsBought(1, 100), "Ann buys chips for $1.00."),
    (ev.ChipsCashedOut(1, 100), "Ann cashes out $1.00."),
    (ev.SeatReady(1), None),
    (ev.SeatAway(1), "Ann is away."),
    (ev.SeatBack(1), "Ann is back."),
    (ev.SeatLeaving(1), "Ann leaves after this round."),
    (ev.ShoeCommitted(2, "cd"), "The house commits to shoe 2: cd."),
    (ev.CutCommitted(1, "ef"), "Ann commits a cut."),
    (ev.CutsListed(), "All cuts are committed and will now be opened."),
    (ev.CutOpened(1, "ef"), "Ann opens the cut."),
    (ev.ShoeCut(2, "01"), "Shoe 2 is cut and in play."),
    (
        ev.ShoeCut(2, "01", (1, 3)),
        "Shoe 2 is cut and in play; Ann and seat 3 did not open their committed cuts.",
    ),
    (ev.ShoeRevealed(2, "23"), "Shoe 2 has ended. Its seed was 23."),
    (
        ev.ShoeLost(2, "the key is gone"),
        "Shoe 2 has ended and can't be checked (the key is gone).",
    ),
    (ev.AskRaised(ev.AskKind.CUT_COMMIT), "Players may cut the next shoe."),
    (ev.AskRaised(ev.AskKind.WAGERS), None),
    (ev.RoundOpened(9, 2), "Round 9 is open for wagers."),
    (ev.TimeRanOut(5), "Time is up. The table continues without an answer."),
    (
        ev.ClocksRestarted("the house was down"),
        "All clocks start over (the house was down).",
    ),
    (ev.ReserveRaised(1, 2, 3), None),
    (ev.AlarmRaised("cards of the dealer", "the evidence is 400", (9,)), None),
    (ev.AlarmAcknowledged(153), None),
    (ev.RoundClosed(9), None),
    (ev.JackpotLinked(1, 4, 0), "Jackpot 1 of this table now feeds meter 4."),
    (ev.JackpotUnlinked(1, 4), "Jackpot 1 of this table no longer has a meter."),
    (ev.SeatLeft(1), "Ann leaves seat 1."),
]


def test_every_table_event_has_a_sentence_or_is_silent(house: PlayedHouse) -> None:
    formatter = TableEventFormatter(house.state.rules)
    for event, sentence in SENTENCES:
        found = formatter.format(event)
        assert (found.text() if found else None) == sentence
    silent = {type(event) for event, sentence in SENTENCES if sentence is None} - {ev.AskRaised}
    assert silent == SILENT_EVENTS
    tested = {type(event) for event, _ in SENTENCES}
    assert all(kind in tested or hasattr(kind, "sentence") for kind in ev.OwnEvent.__args__)


def test_your_own_seat(house: PlayedHouse) -> None:
    formatter = TableEventFormatter(house.state.rules, PointOfView("7"), {2: "8"})
    events: list[TableEvent] = [
        ev.SeatTaken(1, "7", "Ann"),
        ev.SeatAway(1),
        ev.SeatAway(2),
        ev.SeatAway(3),
    ]
    told_to_ann = [formatter.format(event) for event in events]
    assert [sentence.text() for sentence in told_to_ann if sentence] == [
        "You take seat 1.",
        "You are away.",
        "8 is away.",
        "Seat 3 is away.",
    ]
