"""People who try anything: after each command, process, rows, entries, and ledger agree."""

from __future__ import annotations

import json

import pytest

from tests.support.memory_store import MemoryStore
from tests.table.folded import check_table
from tests.table.random_tables import RandomTable
from tests.table.tables import LiveTable, Room
from ventiuna.rules.loader import preset_ids
from ventiuna.table.presentation import public_texts, snapshot
from ventiuna.table.store.connection import Store

COMMANDS = 60
CHECKED = 6  # commands between full folds from the first entry


@pytest.mark.parametrize("rules", sorted(preset_ids()))
def test_random_play_under_every_preset(rules: str) -> None:
    _play(Room(MemoryStore()), rules, seed=21)


def test_random_play_on_both_databases(store: Store) -> None:
    _play(Room(store), "wsgc-2021", seed=5, commands=COMMANDS // 2)


@pytest.mark.parametrize(
    "rules",
    [
        "super-fun-21(decks=1,cut_card=10,burn_cards=20)",
        "wsgc-2021(jackpots=3c:1:kind=house:seed=5000)",
        "wsgc-2021(mtd_configuration=4,bonus_cards=5)",
    ],
)
def test_random_play_with_options(rules: str) -> None:
    _play(Room(MemoryStore()), rules, seed=8)


def _play(room: Room, rules: str, seed: int, commands: int = COMMANDS) -> None:
    table = room.open(rules)
    people = RandomTable(room, table, seed)
    for number in range(1, commands + 1):
        known = len(table.updates)
        people.step()
        _check_nothing_leaks(table, known)
        if number % CHECKED == 0:
            check_table(table)
    assert people.seen["RoundOpened"], "nobody played"


def _check_nothing_leaks(table: LiveTable, known: int) -> None:
    """Check that no down card, and no seed or salt of a shoe still in use, leaks."""
    state = table.state
    told = [
        [json.loads(text) for text in public_texts(update.events)]
        for update in table.updates[known:]
    ]
    text = json.dumps([*told, snapshot(state)])
    for shoe in (state.in_play, state.next_shoe):
        if shoe is not None:
            assert shoe.salt.hex() not in text
            assert table.room.shoes.seed(shoe).hex() not in text
    for events in told:
        for event in events:
            if event["event"] == "CardDealt" and event["place"] == "down":
                assert event["card"] is None
