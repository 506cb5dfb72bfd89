"""The inspection of a table's decks (R-010): before the first deal, and at the end of the day."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from tests.table.folded import check_table
from tests.table.tables import OPERATOR, LiveTable, Room
from ventiuna.engine.commands import PlaceWagers
from ventiuna.rules import load_rules, rules_data
from ventiuna.table.audit.house import AuditScope, audit
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import Requirement, command_data, command_text
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.state import TableStatus
from ventiuna.table.fairness import HouseKey
from ventiuna.table.ledger import canonical_json
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import game_table

KEY = HouseKey(bytes(32))
REQUIRED = Requirement.REQUIRED
PEOPLE = ("Dee", "Sam")
DECK = do.InspectDeck(1, 4, 2, 48, "red diamonds", *PEOPLE, "opening")
SHUFFLE = do.ShuffleDecks(*PEOPLE, "opening")
BOX = do.BoxCards("Dan", "Sue", "end of the day")


@pytest.fixture
def room(store: Store) -> Room:
    return Room(store)


@pytest.fixture
def table(room: Room) -> LiveTable:
    return room.open("catfish-bend", inspection=REQUIRED)


def inspect_decks(table: LiveTable, first: int = 1, last: int = 6) -> None:
    for deck in range(first, last + 1):
        table.do(OPERATOR, replace(DECK, deck=deck))


def test_r010_the_table_deals_only_after_every_deck_and_the_shuffle(table: LiveTable) -> None:
    """Steps survive a restart; players may sit down in the meantime."""
    table.sit(1)
    assert table.state.ask is None
    refused = table.refuses("not_inspected", 1, PlaceWagers(1, 1000))
    assert refused.reason == (
        "The table can't deal until its decks are inspected: 0 of 6 are done (R-010)."
    )
    assert refused.rules == ("R-010",)
    inspect_decks(table, last=3)
    table.room.restart()
    inspect_decks(table, first=4)
    assert table.refuses("not_inspected", 1, do.Ready()).reason == (
        "The table can't deal until the inspected decks are shuffled (R-010)."
    )
    events = table.do(OPERATOR, SHUFFLE)
    assert events[0] == ev.DecksShuffled(*PEOPLE)
    assert table.asks_for() is AskKind.CUT_COMMIT
    table.cut()
    table.wager(1, 1000)
    found = check_table(table).inspection
    assert found is not None
    assert found.inspected[5] == ev.DeckInspected(6, 4, 2, 48, "red diamonds", *PEOPLE)


def test_r010_counts_backs_turns_and_people_are_checked(table: LiveTable) -> None:
    def reason(command: do.OperatorCommand) -> str:
        return table.refuses("not_inspected", OPERATOR, command).reason

    assert reason(replace(DECK, deck=2)) == (
        "Decks are inspected in order. Deck 1 of 6 is next, not 2."
    )
    assert reason(replace(DECK, tens=3)) == (
        "Each deck has 4 tens to take out, not 3. Count it again or replace it."
    )
    assert reason(replace(DECK, cards_left=47)) == (
        "Each deck must have 48 cards without its tens and jokers, not 47. Count it again or "
        "replace it."
    )
    assert reason(replace(DECK, supervisor=" dee ")) == (
        "Two people must check the cards, but the dealer and the supervisor are both 'Dee'. Name "
        "another supervisor."
    )
    for alike in ("D\u0435e", "\uff24ee", "Dee\u3000"):  # a Cyrillic letter, wide letters, a space
        assert "are both 'Dee'" in reason(replace(DECK, supervisor=alike))
    for jokers in (-1, 9, 10**30):
        assert reason(replace(DECK, jokers=jokers)).startswith("Each deck has 0 to 8 jokers")
    assert reason(replace(DECK, back="")) == "The back must have 1 to 60 printable characters."
    assert reason(SHUFFLE) == (
        "The decks can be shuffled only after the inspection, and only 0 of 6 are done. Inspect "
        "deck 1 next."
    )
    assert reason(BOX) == "No deck has been inspected, so no cards were taken out."
    table.do(OPERATOR, DECK)
    assert reason(replace(DECK, deck=2, back="blue")) == (
        "All decks must have the same back. Deck 1 is 'red diamonds', and this one is 'blue'. "
        "Replace it."
    )
    inspect_decks(table, first=2)
    assert reason(replace(DECK, deck=7)) == "All 6 decks are inspected. Shuffle them next."
    table.do(OPERATOR, SHUFFLE)
    assert reason(SHUFFLE) == "The decks are already shuffled, so the table may deal."
    assert reason(BOX).startswith("The cards go back into their boxes at the end of the day.")
    table.refuses("no_reason", OPERATOR, replace(DECK, reason=""))
    check_table(table)


def test_r010_a_closing_table_waits_until_its_cards_are_boxed(table: LiveTable) -> None:
    inspect_decks(table)
    table.do(OPERATOR, SHUFFLE)
    table.sit(1).cut()
    events = table.do(OPERATOR, do.CloseTable("the day is over"))
    assert ev.TableClosed() not in events
    assert (table.state.status, table.state.seats) == (TableStatus.CLOSING, {})
    table.room.restart()
    assert table.do(OPERATOR, BOX) == [ev.CardsBoxed("Dan", "Sue"), ev.TableClosed()]
    assert check_table(table).status is TableStatus.CLOSED


def test_the_shoe_of_a_table_with_unboxed_cards_can_be_verified(table: LiveTable) -> None:
    """It ended because the table is closing, not because the cut card came out."""
    inspect_decks(table)
    table.do(OPERATOR, SHUFFLE)
    table.sit(1).deal()
    table.do(OPERATOR, do.CloseTable("the day is over"))
    while table.state.round is not None:
        table.time_up()
    for steps in ([], [BOX]):
        for step in steps:
            table.do(OPERATOR, step)
        with table.room.store.read() as connection:
            assert audit(connection, AuditScope(key=KEY)).differences == []


def test_r010_a_table_that_was_never_inspected_closes_at_once(table: LiveTable) -> None:
    assert ev.TableClosed() in table.do(OPERATOR, do.CloseTable("not needed"))
    check_table(table)


def test_r010_a_half_inspected_table_also_returns_its_cards(table: LiveTable) -> None:
    inspect_decks(table, last=2)
    assert ev.TableClosed() not in table.do(OPERATOR, do.CloseTable("not needed"))
    assert ev.TableClosed() in table.do(OPERATOR, BOX)
    check_table(table)


def test_r103_super_fun_21_keeps_its_tens(room: Room) -> None:
    table = room.open("super-fun-21", inspection=REQUIRED)
    assert table.refuses("not_inspected", OPERATOR, DECK).reason == (
        "These decks keep their tens, but 4 were taken out. Put them back and count the deck again."
    )
    table.do(OPERATOR, replace(DECK, tens=0, cards_left=52))
    table.do(OPERATOR, SHUFFLE)
    table.sit(1)
    assert table.asks_for() is AskKind.CUT_COMMIT
    check_table(table)


def test_without_the_option_nothing_changes(room: Room) -> None:
    """Stored commands keep their bytes, and the steps are refused."""
    opening = do.OpenTable("Table", rules_data(load_rules("catfish-bend")))
    assert "inspection" not in command_data(opening)
    assert command_text(opening) == canonical_json(command_data(opening))
    required = replace(opening, inspection=REQUIRED)
    assert command_text(required) == canonical_json(command_data(required))
    assert do.command_from_data(command_data(required)) == required
    table = room.open("catfish-bend")
    assert table.refuses("not_inspected", OPERATOR, DECK).reason == (
        "This table was opened without an inspection of its decks, so there is nothing to record."
    )
    table.sit(1).cut()
    assert check_table(table).inspection is None


def test_the_audit_compares_the_recorded_steps(table: LiveTable, store: Store) -> None:
    inspect_decks(table, last=2)
    row = game_table.c.id == table.number
    with store.write() as connection:
        assert audit(connection, AuditScope(key=KEY)).differences == []
        steps = json.loads(connection.scalar(select(game_table.c.inspection).where(row)) or "")
        steps[1]["supervisor"] = "Nobody"
        changed = update(game_table).where(row).values(inspection=canonical_json(steps))
        connection.execute(changed)
        found = audit(connection, AuditScope(key=KEY)).differences
    assert [one.what for one in found] == ["row of game_table, inspection"]
