"""The cards of a round at a glance."""

from __future__ import annotations

from ventiuna.cards import parse_card
from ventiuna.engine.events import (
    CardDealt,
    DownCardExposed,
    Event,
    HandDoubled,
    HandSplit,
    Place,
    Wager,
    WagerSettled,
)
from ventiuna.table.played_hands import played_cards


def card(text: str) -> int:
    return parse_card(text)


def cards(text: str) -> tuple[int, ...]:
    return tuple(card(part) for part in text.split())


def test_split_hands_keep_their_cards_and_results() -> None:
    deal: list[Event] = [
        CardDealt(card("8h"), Place.PLAYER, 4),
        CardDealt(card("9d"), Place.PLAYER, 2),
        CardDealt(card("4d"), Place.UP),
        CardDealt(card("8s"), Place.PLAYER, 4),
        CardDealt(card("Kc"), Place.DOWN),
        HandSplit(4, 0, 500),
        CardDealt(card("3c"), Place.PLAYER, 4, 0),
        HandDoubled(4, 0, 500),
        CardDealt(card("Qc"), Place.PLAYER, 4, 0),
        CardDealt(card("6d"), Place.PLAYER, 4, 1),
        CardDealt(card("7d"), Place.PLAYER, 4, 1),
        WagerSettled(4, 1, Wager.HAND, 500, 1250, "3 to 2", "R-064", "6-7-8 of mixed suits"),
        WagerSettled(4, -1, Wager("mtd up"), 500, 0, "", "R-019", "no match"),
    ]
    found = played_cards(deal, [4])
    assert found.dealer == cards("4d")  # the down card isn't exposed yet
    end: list[Event] = [
        DownCardExposed(card("Kc")),
        CardDealt(card("5s"), Place.DEALER),
        WagerSettled(4, 0, Wager.HAND, 1000, 2000, "even money", "R-039", "21 against 19"),
    ]
    found = played_cards([*deal, *end], [4])
    assert found.dealer == cards("4d Kc 5s")
    first, second = found.hands
    assert (first.cards, first.doubled, first.net) == (cards("8h 3c Qc"), True, 1000)
    assert first.result == "21 against 19"
    assert (second.cards, second.doubled, second.net) == (cards("8s 6d 7d"), False, 750)
    assert second.result == "6-7-8 of mixed suits, 3 to 2"
