"""Each viewer's view of a round, as records and plain data. Only this module hides cards.

Players' cards are face up in both games (R-026, R-104), so the only secret in a round is the
dealer's down card; cards still in the shoe are not part of a round. Cards are numbers, as in
events. In plain JSON data, names are the stable identifiers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum

from ventiuna.core.cards import is_blackjack, is_soft
from ventiuna.engine.events import (
    Card,
    CardDealt,
    Cents,
    Event,
    JackpotGame,
    MtdWager,
    Place,
    Stage,
    Stakes,
)
from ventiuna.engine.options import ActionOption, AnswerOption, InsuranceOption, Option, options
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    SupervisorWanted,
    WagersWanted,
    Waiting,
    waiting_for,
)
from ventiuna.engine.state import HandStatus, PlayerHand, RoundState, Spot, check_round
from ventiuna.engine.wagers import WagerOption
from ventiuna.texts import brief_repr


class Viewer(Enum):
    """Who is viewing a round. A separate type, so that it can't be confused with a person's id."""

    DEALER = "dealer"  # the house's view
    EVERYONE = "everyone"  # players and spectators


DEALER = Viewer.DEALER
EVERYONE = Viewer.EVERYONE
NO_NAMES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class HandView:
    cards: tuple[Card, ...]
    total: int
    soft: bool
    blackjack: bool
    wager: Cents
    doublings: int
    status: HandStatus
    on_table: bool


@dataclass(frozen=True, slots=True)
class SpotView:
    number: int
    person: str  # id; empty if anonymous
    name: str  # display name of the spot's player
    base: Cents
    mtd: Stakes[MtdWager]
    jackpots: Stakes[JackpotGame]
    insurance: Cents | None  # None if not answered
    hands: tuple[HandView, ...]


@dataclass(frozen=True, slots=True)
class RoundView:
    stage: Stage
    waiting: Waiting
    dealer: tuple[Card | None, ...]  # up card, down card, drawn cards; None if hidden
    bonus_cards: tuple[Card, ...]
    spots: tuple[SpotView, ...]
    meters: tuple[Cents, ...]
    options: tuple[Option, ...]

    __repr__ = brief_repr


def redact(event: Event, viewer: Viewer) -> Event:
    """Return the event with anything hidden from the viewer removed."""
    if viewer is not DEALER and isinstance(event, CardDealt) and event.place is Place.DOWN:
        return replace(event, card=None)
    return event


def view(
    state: RoundState, viewer: Viewer = EVERYONE, names: Mapping[str, str] = NO_NAMES
) -> RoundView:
    """Return the round as this viewer sees it; `names` maps person ids to names.

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
    """The up card, down card and drawn cards; None for a card hidden from this viewer."""
    cards: list[Card | None] = [*state.dealer]
    if len(cards) > 1 and not state.down_exposed and viewer is not DEALER:
        cards[1] = None
    return tuple(cards)


def spot_view(spot: Spot, names: Mapping[str, str]) -> SpotView:
    """Return a spot as everyone sees it."""
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


# --- Plain data ---

Data = dict[str, object]
PROMPT_KINDS: dict[type[Waiting], str] = {
    WagersWanted: "wagers",
    CardWanted: "card",
    BlackjackAnswersWanted: "blackjack_answers",
    InsuranceAnswersWanted: "insurance_answers",
    DecisionWanted: "decision",
    MetersWanted: "meters",
    SupervisorWanted: "supervisor",
    NothingWanted: "closed",
}
OPTION_KINDS: dict[type[Option], str] = {
    WagerOption: "wager",
    InsuranceOption: "insurance",
    AnswerOption: "answer",
    ActionOption: "action",
}


# Options omit the numeric action code: the name identifies it.
_NAMES: dict[type[object], tuple[str, ...]] = {
    kind: tuple(part.name for part in fields(kind) if part.name != "action")
    for kind in (*OPTION_KINDS, SpotView, HandView)
}


def view_data(seen: RoundView) -> Data:
    """Return the view as plain data."""
    return {
        "stage": str(seen.stage),
        "waiting_for": waiting_data(seen.waiting),
        "dealer": list(seen.dealer),
        "bonus_cards": list(seen.bonus_cards),
        "spots": [record_data(spot) for spot in seen.spots],
        "meters": list(seen.meters),
        "options": [option_data(option) for option in seen.options],
    }


def waiting_data(prompt: Waiting) -> Data:
    data: Data = {name: _plain_value(part) for name, part in prompt._asdict().items()}
    data["kind"] = PROMPT_KINDS[type(prompt)]
    return data


def option_data(option: Option) -> Data:
    data: Data = {"kind": OPTION_KINDS[type(option)]} | record_data(option)
    if isinstance(option, WagerOption):
        data["fixed"] = option.fixed
    return data


def record_data(value: Option | SpotView | HandView, leave_out: str = "") -> Data:
    """Return an option, a spot or a hand as plain data, field by field."""
    return {
        name: part if type(part := getattr(value, name)) in _PLAIN_TYPES else _plain_value(part)
        for name in _NAMES[type(value)]
        if name != leave_out
    }


def spot_data(spot: SpotView) -> Data:
    """Return a spot without its hands as plain data."""
    return record_data(spot, leave_out="hands")


_PLAIN_TYPES = frozenset({int, bool, str, type(None)})


def _plain_value(value: object) -> object:
    if type(value) in _PLAIN_TYPES:
        return value
    if isinstance(value, tuple):
        return [_plain_value(part) for part in value]
    if isinstance(value, Stakes):
        return {str(key): cents for key, cents in value.items()}
    if isinstance(value, HandView):
        return record_data(value)
    return str(value)  # the name of an enum member
