"""The cards of a finished round at a glance: each hand with its result, and the dealer's cards."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from ventiuna.engine.events import (
    Card,
    CardDealt,
    DownCardExposed,
    Event,
    HandDoubled,
    HandSplit,
    Place,
    Wager,
    WagerSettled,
)
from ventiuna.engine.messages import capitalize_first, odds_words

EVEN_MONEY = "even money"


@dataclass(frozen=True, slots=True)
class PlayedHand:
    spot: int
    cards: tuple[Card, ...]
    doubled: bool
    stake: int  # cents
    net: int  # cents
    result: str  # `20 against 19`, `6-7-8 of spades, 3 to 1`


@dataclass(frozen=True, slots=True)
class PlayedCards:
    """The dealer's cards that were shown, and the hands of some spots."""

    dealer: tuple[Card, ...]
    hands: tuple[PlayedHand, ...]


@dataclass(slots=True)
class _Hand:
    cards: list[Card] = field(default_factory=list)
    doubled: bool = False
    settled: WagerSettled | None = None


def played_cards(events: Iterable[Event], spots: Collection[int]) -> PlayedCards:
    """Collect the cards of these spots and of the dealer from a round's events.

    The down card counts only if it was exposed.
    """
    dealer: list[Card] = []
    hands: dict[int, list[_Hand]] = {spot: [_Hand()] for spot in sorted(spots)}
    for event in events:
        if isinstance(event, CardDealt) and event.card is not None:
            if event.place is Place.PLAYER and event.spot in hands:
                hands[event.spot][event.hand].cards.append(event.card)
            elif event.place is Place.UP:
                dealer.insert(0, event.card)
            elif event.place is Place.DEALER:
                dealer.append(event.card)
        elif isinstance(event, DownCardExposed):
            dealer.insert(1, event.card)
        elif isinstance(event, HandDoubled) and event.spot in hands:
            hands[event.spot][event.hand].doubled = True
        elif isinstance(event, HandSplit) and event.spot in hands:
            second = hands[event.spot][event.hand].cards.pop()
            hands[event.spot].insert(event.hand + 1, _Hand([second]))
        elif isinstance(event, WagerSettled) and event.spot in hands and event.wager is Wager.HAND:
            hands[event.spot][event.hand].settled = event
    found = [_played_hand(spot, hand) for spot, its in hands.items() for hand in its if hand.cards]
    return PlayedCards(tuple(dealer), tuple(found))


def _played_hand(spot: int, hand: _Hand) -> PlayedHand:
    settled, cards = hand.settled, tuple(hand.cards)
    if settled is None:
        return PlayedHand(spot, cards, hand.doubled, 0, 0, "")
    pays = settled.net > 0 and settled.odds and settled.odds != EVEN_MONEY
    words = f"{settled.reason}, {odds_words(settled.odds)}" if pays else settled.reason
    return PlayedHand(
        spot, cards, hand.doubled, settled.stake, settled.net, capitalize_first(words)
    )
