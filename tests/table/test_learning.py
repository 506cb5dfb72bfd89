"""Hands that are repeated at increasing intervals, on both databases."""

from __future__ import annotations

import os

from ventiuna.table.accounts import add_guest
from ventiuna.table.history import (
    DAY,
    MINUTE,
    due_hands,
    read_reviews,
    record_practice,
    save_review,
)
from ventiuna.table.store.connection import Store

HAND = ("14 v 4", "hard", {"cards": [28, 23], "up": 13, "doublings": 0, "insurance": False})


def test_right_answers_lengthen_the_interval_and_a_wrong_one_resets_it(store: Store) -> None:
    with store.write() as connection:
        who = add_guest(connection, "Ana", 0, os.urandom).id
        assert record_practice(connection, who, "r", HAND, False, 0).due_at == 0
        assert [one.item for one in due_hands(connection, who, "r", None, 0)] == ["14 v 4"]
        assert due_hands(connection, who, "other rules", None, 0) == []
        assert due_hands(connection, who, "r", "soft", 0) == []
        assert record_practice(connection, who, "r", HAND, True, 0).due_at == 10 * MINUTE
        assert due_hands(connection, who, "r", "hard", 10 * MINUTE - 1) == []
        assert len(due_hands(connection, who, "r", "hard", 10 * MINUTE)) == 1
        assert record_practice(connection, who, "r", HAND, True, 0).due_at == DAY
        often = [record_practice(connection, who, "r", HAND, True, 0) for _ in range(12)]
        assert often[-1].due_at == 60 * DAY
        known = record_practice(connection, who, "r", HAND, False, 5)
        assert (known.box, known.due_at, known.asked, known.missed) == (0, 5, 16, 2)


def test_a_review_is_stored_once(store: Store) -> None:
    with store.write() as connection:
        who = add_guest(connection, "Ana", 0, os.urandom).id
        save_review(connection, who, (3, 8), 5, {"net": 1})
        save_review(connection, who, (3, 8), 6, {"net": 2})
        assert read_reviews(connection, who, [(3, 8), (3, 9)]) == {(3, 8): {"net": 2}}
        assert read_reviews(connection, who, []) == {}
