"""Random players' rounds as a client receives them, for the web client's tests.

`python -m tests.table.recorded_rounds` writes one JSON list per table. Each entry has the message
that a client at the table gets, and the snapshot for someone who joins at that moment.
"""

from __future__ import annotations

import json
from unittest.mock import patch

from tests.support.memory_store import MemoryStore
from tests.table.random_tables import RandomTable
from tests.table.tables import Room
from ventiuna.cards import parse_cards
from ventiuna.server.hub import events_message, snapshot_message
from ventiuna.table import admin
from ventiuna.table.history import Timelines
from ventiuna.table.presentation import EventPresenter

ROUNDS = 3
SEVENS = "7h 7h 7h 7h 7h 7h 8c 8d 8c 8d 8s 8h 8s 8h 2c 2d 2s 2h 2c 2d"  # on top of the first shoe
EIGHTS = "8h 8d 8c 8s 7h 7d 7c 7s 2h 2d 2c 2s 3h 3d 3c 3s"
TABLES = (
    ("wsgc-2021(double_double=on,mtd_configuration=4,bonus_cards=5)", SEVENS, 3),
    ("wsgc-2021(double_double=on,mtd_configuration=4,bonus_cards=5)", EIGHTS, 7),
    ("wsgc-2021(jackpots=3c:1:kind=house:seed=5000)", SEVENS, 8),
    ("super-fun-21", EIGHTS, 5),
)


def recorded(rules: str, cards: str, seed: int) -> list[dict[str, object]]:
    with patch.object(admin, "new_id", lambda: "01" * 16):  # fixed, because shuffles depend on it
        room = Room(MemoryStore(), [parse_cards(cards)])
    table, timelines = room.open(rules), Timelines()
    people = RandomTable(room, table, seed)
    found: list[dict[str, object]] = []
    told = 0
    while people.seen["RoundClosed"] < ROUNDS:
        people.step()
        for update in table.updates[told:]:
            shown = EventPresenter.at(update.before).show_all(update.events)
            message = events_message(
                update.state, update.first_event, update.events, shown, before=update.before
            )
            with room.store.read() as connection:
                snapshot = snapshot_message(
                    update.state, timelines.recent(connection, update.state)
                )
            events = json.loads(message.own or message.text)
            found.append({"events": events, "snapshot": json.loads(snapshot)})
        told = len(table.updates)
    return found


if __name__ == "__main__":
    for rules, cards, seed in TABLES:
        print(json.dumps(recorded(rules, cards, seed), ensure_ascii=False, separators=(",", ":")))
