"""Book entries in words: dollars, wager names, cards, accounts."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest

from ventiuna.engine.codec import RecordCodec
from ventiuna.engine.commands import Double, Insure, PlaceWagers
from ventiuna.engine.events import (
    MTD_WAGERS,
    CardDealt,
    InsurancePlaced,
    Place,
    Stakes,
    WagerSettled,
    WagersPlaced,
)
from ventiuna.table import accounts
from ventiuna.table.domain import commands as table_codec
from ventiuna.table.domain.commands import BuyChips, OpenTable, Ready, TableCommand
from ventiuna.table.domain.events import (
    AskKind,
    AskRaised,
    BankDropped,
    RoundClosed,
    SpotsChosen,
    TableEvent,
)
from ventiuna.table.jackpots import decisions as jackpot_codec
from ventiuna.table.jackpots.progressive import (
    CreateJackpot,
    JackpotCommand,
    MovedOut,
    SeedJackpot,
    SetMaximum,
    StripesFolded,
)
from ventiuna.table.journal import BookKind
from ventiuna.table.ledger import ACCOUNT_RULES, account_code
from ventiuna.table.listings import describe_account, describe_command, describe_event

_BOOKS: dict[BookKind, tuple[RecordCodec[Any], RecordCodec[Any]]] = {
    BookKind.TABLE: (table_codec.COMMAND_RECORDS, table_codec.EVENT_RECORDS),
    BookKind.JACKPOT: (jackpot_codec.COMMAND_RECORDS, jackpot_codec.EVENT_RECORDS),
    BookKind.CASHIER: (accounts.CASHIER_COMMANDS, accounts.CASHIER_EVENTS),
}
# A sample value for each type that a record declares.
_VALUES: dict[str, object] = {
    "int": 12_300,
    "int | None": 12_300,
    "str": "some words",
    "bool": True,
    "Cents": 12_300,
    "Card": 27,
    "Card | None": 27,
    "tuple[int, ...]": [1, 2],
    "Mapping[str, object]": {"decks": 6},
    "Mapping[MtdWager, int]": {"b3": 12_300},
    "Stakes[MtdWager]": {"b3": 12_300},
    "Mapping[JackpotGame, int]": {"1": 12_300},
    "Stakes[JackpotGame]": {"1": 12_300},
    "ByTable": {"7": 12_300},
    "Times": {"decision": 12_300},
    "Stage": "play",
    "Place": "player",
    "Advice": "hit_eleven",
    "Authority": "floor",
    "Requirement": "required",
    "Wager": str(MTD_WAGERS["up"]),
    "AskKind": "cut_commit",
}


@pytest.mark.parametrize("kind", _BOOKS)
def test_every_action_and_event_has_a_description(kind: BookKind) -> None:
    for records, tell in zip(_BOOKS[kind], (describe_command, describe_event), strict=True):
        for name, record in records.kinds.items():
            data = {part.name: _VALUES[str(part.type)] for part in fields(record)}
            told = tell(kind, {records.tag: name, **data})
            assert re.fullmatch(r"[A-Z][a-z]*( [a-z]+)*", told["name"]), told
            assert not re.search(r"[{}\[\]_]|\bb3\b", told["details"]), told


def _act(command: TableCommand) -> str:
    told = describe_command(BookKind.TABLE, table_codec.command_data(command))
    return f"{told['name']}: {told['details']}"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (BuyChips(100_000), "Buy chips: $1,000"),
        (
            PlaceWagers(4, 2500, "", {"up": 500, "b3": 250}, {2: 100}),
            "Place wagers: spot 4, base $25, Up Card $5, Bonus Card 3 $2.50, jackpot 2 $1",
        ),
        (Double(3), "Double: spot 3"),
        (Double(3, 1050), "Double: spot 3, $10.50"),
        (Insure(3, 0), "Insure: spot 3, $0"),
        (Ready(), "Ready: "),
        (
            OpenTable("Table 1", {"decks": 6}, Stakes({"decision": 1500}), "an evening"),
            "Open table: Table 1, 1.5 s for decisions",
        ),
    ],
)
def test_a_table_action_in_words(command: TableCommand, words: str) -> None:
    assert _act(command) == words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (WagersPlaced(1, "", 2500, Stakes({"down": 500})), "spot 1, base $25, Down Card $5"),
        (InsurancePlaced(1, 1250), "spot 1, $12.50"),
        (CardDealt(27, Place.PLAYER, 2, 1), "seven of spades, to the player, spot 2, hand 2"),
        (CardDealt(None, Place.DOWN), "down card"),
        (
            WagerSettled(2, -1, MTD_WAGERS["b2"], 500, 4500, "4 to 1 and 4 to 1", "", "2 match"),
            "spot 2, Bonus Card 2, stake $5, paid $45, 4 to 1 twice, 2 match",
        ),
        (AskRaised(AskKind.CUT_COMMIT, (1, 4)), "cut commit, spots 1 and 4"),
        (SpotsChosen(3, (3,)), "seat 3, spot 3"),
        (BankDropped(-2500), "-$25"),
        (RoundClosed(8), "round 8"),
    ],
)
def test_a_table_event_in_words(event: TableEvent, words: str) -> None:
    assert describe_event(BookKind.TABLE, table_codec.event_data(event))["details"] == words


def test_jackpot_actions_and_events_in_words() -> None:
    acts: list[tuple[JackpotCommand, str]] = [
        (
            CreateJackpot("Evening", {"seed": 1}, "why", 1_000_000, 250, None),
            "Evening, maximum $10,000, 2.5% of each wager to the reserve",
        ),
        (SeedJackpot(5025, "a festive evening"), "$50.25"),
        (SetMaximum(None, "why"), ""),
    ]
    for act, words in acts:
        assert (
            describe_command(BookKind.JACKPOT, jackpot_codec.command_data(act))["details"] == words
        )
    moved = jackpot_codec.event_data(MovedOut(12, 100_000, 50, "a new room"))
    assert describe_event(BookKind.JACKPOT, moved) == {
        "name": "Moved out",
        "details": "jackpot 12, meter $1,000, reserve $0.50, a new room",
    }
    folded = jackpot_codec.event_data(StripesFolded(Stakes({7: 150}), Stakes({})))
    assert describe_event(BookKind.JACKPOT, folded)["details"] == "table 7 $1.50"


def test_every_account_has_a_description() -> None:
    for rule in ACCOUNT_RULES.values():
        for count in rule.numbers:
            words = describe_account(account_code(rule.kind, *(7, 3)[:count]))
            assert "/" not in words
            assert words.count("7") == (count > 0)
    assert describe_account("stack/7/3") == "chips of seat 3 at table 7"
