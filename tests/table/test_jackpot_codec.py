"""JSON round trips of progressives' events and commands."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from ventiuna.engine.commands import DataError
from ventiuna.engine.events import Stakes
from ventiuna.rules import load_rules
from ventiuna.table.jackpots import progressive as do
from ventiuna.table.jackpots import progressive as ev
from ventiuna.table.jackpots.decisions import (
    COMMAND_RECORDS,
    EVENT_RECORDS,
    command_data,
    command_from_data,
    event_data,
    event_from_data,
)
from ventiuna.table.jackpots.progressive import (
    JackpotCommand,
    JackpotEvent,
    apply,
    create,
    postings_of,
    settings_of,
)
from ventiuna.table.ledger import canonical_json

SETTINGS = settings_of(load_rules("wsgc-2021(decks=8,jackpots=3d:1:seed=1000)"), 1).data()
CREATED = ev.JackpotCreated("One", SETTINGS, None, 200, 5, "why")
SAMPLES: tuple[JackpotEvent, ...] = (
    CREATED,
    ev.MaximumSet(None, "why"),
    ev.AdvanceLimitSet(7, "why"),
    ev.TableLinked(7, 1, "why"),
    ev.TableUnlinked(7, "why"),
    ev.JackpotSuspended("why"),
    ev.JackpotResumed("why"),
    ev.SeedRecovered(1, 2, "why"),
    ev.CorrectedUp(3, "why"),
    ev.CorrectedDown(3, "why"),
    ev.ReceiptsTaken(3, "why"),
    ev.MovedOut(9, 1, 2, "why"),
    ev.MovedIn(9, 1, 2, "why"),
    ev.JackpotRemoved("why"),
    ev.StripesFolded(Stakes({7: 21, 12: 3}), Stakes({7: 2})),
    ev.Overflowed(4),
    ev.AwardPaid(7, 3, 2, 2, 500),
    ev.SeedWon(4),
    ev.Seeded(4, 5, "reset"),
    ev.FundShort(4),
)
ASKED: tuple[JackpotCommand, ...] = (
    do.CreateJackpot("One", SETTINGS, "why", maximum=9),
    do.SetMaximum(5, "why"),
    do.SetAdvanceLimit(None, "why"),
    do.LinkTable(7, 1, "ab", "why"),
    do.UnlinkTable(7, "why"),
    do.SuspendJackpot("why"),
    do.ResumeJackpot("why"),
    do.SeedJackpot(1, "why"),
    do.RecoverSeed(1, "why"),
    do.CorrectUp(1, "why"),
    do.CorrectDown(1, "why"),
    do.TakeReceipts(1, "why"),
    do.RemoveJackpot(None, "why"),
    do.FoldStripes("why"),
    do.ReceiveMoney(7, 8),
    do.PayAwards(7, 8, 1),
)


def test_every_event_and_command_survives_a_round_trip() -> None:
    assert {type(event).__name__ for event in SAMPLES} == set(EVENT_RECORDS.kinds)
    assert {type(command).__name__ for command in ASKED} == set(COMMAND_RECORDS.kinds)
    for event in SAMPLES:
        assert event_from_data(json.loads(canonical_json(event_data(event)))) == event
    for command in ASKED:
        assert command_from_data(json.loads(canonical_json(command_data(command)))) == command


def test_every_event_is_applied_and_those_with_amounts_are_posted() -> None:
    jackpot = create(1, CREATED)
    for event in SAMPLES[1:]:
        apply(jackpot, event)
    with pytest.raises(DataError, match="JackpotCreated"):
        apply(jackpot, CREATED)
    posted = {type(event) for event in SAMPLES if postings_of(1, [event], 1)}
    with_cents = {
        type(event)
        for event in SAMPLES
        if any(str(part.type) in ("Cents", "ByTable") for part in fields(event))
    }
    # Posted elsewhere and never posted, respectively.
    assert with_cents - posted == {ev.MovedIn, ev.FundShort}
    assert posted <= with_cents


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (["not an object"], "must be an object"),
        ({"event": "JackpotSuspended", "reason": 5}, "must be a string"),
        ({"event": "Overflowed", "amount": -1}, "must be a whole number of cents"),
        ({"event": "StripesFolded", "meters": {"x": 1}, "reserves": {}}, "isn't a table number"),
        ({"event": "StripesFolded", "meters": [], "reserves": {}}, "must be an object"),
        ({"event": "Nothing"}, "Choose from"),
    ],
)
def test_an_invalid_event_is_reported_in_one_sentence(data: object, told: str) -> None:
    with pytest.raises(DataError, match=told):
        event_from_data(data)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(DataError, match="format 2"):
        event_from_data(event_data(CREATED), 2)
    with pytest.raises(DataError, match="format 0"):
        command_from_data(command_data(ASKED[1]), 0)
