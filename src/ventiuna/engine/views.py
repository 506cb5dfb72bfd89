"""What each viewer may see. The only place that hides a card.

Players' cards are face up in both games (R-026, R-104), so the one secret of a round is the
dealer's down card; the cards still in the shoe are not part of a round at all. Cards are
numbers, as in events; texts, signs and words are for those who show them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum

from ventiuna.core.hand import is_blackjack, is_soft
from ventiuna.engine.events import Card, CardDealt, Cents, Event, Place, Stage
from ventiuna.engine.options import Option, options
from ventiuna.engine.stakes import Stakes
from ventiuna.engine.state import HandStatus, PlayerHand, RoundState, Spot, check_round
from ventiuna.engine.waiting import Waiting, waiting_for
from ventiuna.records import brief_repr, record


class Viewer(Enum):
    """Who looks at a round: a type of its own, so that no person's name or id is ever one."""

    DEALER = "dealer"  # the house's own view
    EVERYONE = "everyone"  # players and onlookers


DEALER = Viewer.DEALER
EVERYONE = Viewer.EVERYONE
NO_NAMES: Mapping[str, str] = {}


@record(frozen=True, slots=True)
class HandView:
    cards: tuple[Card, ...]
    total: int
    soft: bool
    blackjack: bool
    wager: Cents
    doublings: int
    status: HandStatus
    on_table: bool


@record(frozen=True, slots=True)
class SpotView:
    number: int
    person: str  # the id; empty: nobody is named
    name: str  # how people call who plays here
    base: Cents
    mtd: Stakes[str]
    jackpots: Stakes[int]
    insurance: Cents | None  # None: not answered
    hands: tuple[HandView, ...]


@record(frozen=True, slots=True)
class RoundView:
    stage: Stage
    waiting: Waiting
    dealer: tuple[Card | None, ...]  # up card, down card, drawn cards; None: hidden
    bonus_cards: tuple[Card, ...]
    spots: tuple[SpotView, ...]
    meters: tuple[Cents, ...]
    options: tuple[Option, ...]

    __repr__ = brief_repr


def redact(event: Event, viewer: Viewer) -> Event:
    """The event as the viewer may see it."""
    if viewer is not DEALER and isinstance(event, CardDealt) and event.place is Place.DOWN:
        return replace(event, card=None)
    return event


def view(
    state: RoundState, viewer: Viewer = EVERYONE, names: Mapping[str, str] = NO_NAMES
) -> RoundView:
    """The round for this viewer; `names` are those of the persons by their ids.

    >>> from ventiuna import Round
    >>> game = Round("wsgc-2021")
    >>> game.wager(1000)
    >>> game.deal("9c 6d Kh 9c")
    >>> view(game.state).dealer  # the down card is hidden
    (21, None)
    """
    check_round(state)
    return RoundView(
        stage=state.stage,
        waiting=waiting_for(state),
        dealer=dealer_cards(state, viewer),
        bonus_cards=tuple(state.bonus_cards),
        spots=tuple(spot_view(spot, names) for spot in state.order),
        meters=tuple(meter.cents for meter in state.meters),
        options=options(state),
    )


def dealer_cards(state: RoundState, viewer: Viewer) -> tuple[Card | None, ...]:
    """Up card, down card, drawn cards; None: hidden from this viewer."""
    cards: list[Card | None] = [*state.dealer]
    if len(cards) > 1 and not state.down_exposed and viewer is not DEALER:
        cards[1] = None
    return tuple(cards)


def spot_view(spot: Spot, names: Mapping[str, str]) -> SpotView:
    """A spot as everybody sees it."""
    name = names.get(spot.person, spot.person) if spot.person else f"Spot {spot.number}"
    return SpotView(
        number=spot.number,
        person=spot.person,
        name=name,
        base=spot.base,
        mtd=spot.mtd,
        jackpots=spot.jackpots,
        insurance=spot.insurance,
        hands=tuple(_hand_view(hand) for hand in spot.hands),
    )


def _hand_view(hand: PlayerHand) -> HandView:
    return HandView(
        cards=tuple(hand.cards),
        total=hand.total,
        soft=is_soft(hand.shape.hard, hand.shape.aces),
        blackjack=is_blackjack(hand.shape),
        wager=hand.wager,
        doublings=hand.shape.doublings,
        status=hand.status,
        on_table=hand.on_table,
    )
