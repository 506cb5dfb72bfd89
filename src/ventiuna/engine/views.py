"""What each viewer may see. The only place that hides a card.

Players' cards are face up in both games (R-026, R-104), so the one secret of a round is the
dealer's down card; the cards still in the shoe are not part of a round at all.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from enum import Enum
from typing import Any

from ventiuna.cards import card_text
from ventiuna.engine.events import CardDealt, Event, Place
from ventiuna.engine.options import options
from ventiuna.engine.state import PlayerHand, RoundState, Spot
from ventiuna.engine.waiting import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    WagersWanted,
    Waiting,
    waiting_for,
)


class Viewer(Enum):
    """Who looks at a round: a type of its own, so that no person's name or id is ever one."""

    DEALER = "dealer"  # the house's own view
    EVERYONE = "everyone"  # players and onlookers


DEALER = Viewer.DEALER
EVERYONE = Viewer.EVERYONE
HIDDEN = "??"
_KINDS: dict[type[Waiting], str] = {
    WagersWanted: "wagers",
    CardWanted: "card",
    BlackjackAnswersWanted: "blackjack_answers",
    InsuranceAnswersWanted: "insurance_answers",
    DecisionWanted: "decision",
    MetersWanted: "meters",
    NothingWanted: "closed",
}


def redact(event: Event, viewer: Viewer) -> Event:
    """The event as the viewer may see it."""
    if viewer is not DEALER and isinstance(event, CardDealt) and event.place is Place.DOWN:
        return replace(event, card=None)
    return event


def view(state: RoundState, viewer: Viewer = EVERYONE) -> dict[str, Any]:
    """The round as plain data for this viewer."""
    wanted = waiting_for(state)
    return {
        "stage": str(state.stage),
        "waiting_for": {**_plain(wanted._asdict()), "kind": _KINDS[type(wanted)]},
        "dealer": _dealer_cards(state, viewer),
        "bonus_cards": [card_text(card) for card in state.bonus_cards],
        "spots": [_spot_view(spot) for spot in state.order],
        "meters": [meter.cents for meter in state.meters],
        "options": [_plain(asdict(option)) for option in options(state)],
    }


def _dealer_cards(state: RoundState, viewer: Viewer) -> list[str]:
    cards = [card_text(card) for card in state.dealer]
    if len(cards) > 1 and not state.down_exposed and viewer is not DEALER:
        cards[1] = HIDDEN
    return cards


def _spot_view(spot: Spot) -> dict[str, Any]:
    return {
        "number": spot.number,
        "person": spot.person,
        "base": spot.base,
        "mtd": dict(spot.mtd),
        "jackpots": dict(spot.jackpots),
        "insurance": spot.insurance,
        "hands": [_hand_view(hand) for hand in spot.hands],
    }


def _hand_view(hand: PlayerHand) -> dict[str, Any]:
    return {
        "cards": [card_text(card) for card in hand.cards],
        "total": hand.total,
        "wager": hand.wager,
        "doublings": hand.shape.doublings,
        "status": str(hand.status),
        "on_table": hand.on_table,
    }


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in data.items()}
