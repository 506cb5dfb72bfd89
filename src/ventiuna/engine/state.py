"""State of a round and how each event changes it. Nothing else changes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ventiuna.core.cards import (
    CARDS,
    EMPTY_HAND,
    Hand,
    add_card,
    best_total,
    doubled_hand,
    is_blackjack,
    split_hand,
)
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import events as ev
from ventiuna.engine.commands import DataError, Refused, check_rules, quoted
from ventiuna.engine.events import Event, Place, Stage, Stakes, Wager
from ventiuna.rules import Rules, compile_rules
from ventiuna.rules.compiled import labels_of
from ventiuna.rules.model import SpotsSettled


class HandStatus(StrEnum):
    WAITING = "waiting"  # not played yet
    STANDING = "standing"  # waiting to be compared with the dealer
    OVER = "over"  # settled


@dataclass(slots=True, eq=False, repr=False)
class PlayerHand:
    """One hand of a spot."""

    wager: int
    cards: list[int] = field(default_factory=list)
    shape: Hand = EMPTY_HAND
    last_portion: int = 0  # added by the last doubling
    status: HandStatus = HandStatus.WAITING
    drawing: bool = False  # waiting for the card of a hit or double
    on_table: bool = True
    result: ev.WagerSettled | None = None  # how its wager was settled

    @property
    def total(self) -> int:
        return best_total(self.shape.hard, self.shape.aces)

    def copy(self) -> PlayerHand:
        twin = PlayerHand.__new__(PlayerHand)
        twin.cards = self.cards[:]
        twin.shape = self.shape
        twin.wager = self.wager
        twin.last_portion = self.last_portion
        twin.status = self.status
        twin.drawing = self.drawing
        twin.on_table = self.on_table
        twin.result = self.result
        return twin


@dataclass(slots=True, eq=False, repr=False)
class Spot:
    """A betting spot: its wagers and hands."""

    number: int
    person: str
    base: int
    mtd: Stakes[str]
    jackpots: Stakes[int]
    open_jackpots: dict[int, int]  # stakes not settled yet
    hands: list[PlayerHand]
    originals: list[int] = field(default_factory=list)  # the original two cards (R-020, O-15)
    insurance: int | None = None  # None if not answered
    blackjack_answer: str | None = None  # take or keep

    @property
    def has_blackjack(self) -> bool:
        return is_blackjack(self.hands[0].shape)

    @property
    def owner(self) -> str | int:
        """Return who plays the spot: the person's id, or the spot number if anonymous."""
        return self.person or self.number

    def wagers_placed(self) -> ev.WagersPlaced:
        """Return the event that placed the spot's wagers."""
        return ev.WagersPlaced(self.number, self.person, self.base, self.mtd, self.jackpots)

    def copy(self) -> Spot:
        twin = Spot.__new__(Spot)
        twin.number = self.number
        twin.person = self.person
        twin.base = self.base
        twin.mtd = self.mtd
        twin.jackpots = self.jackpots
        twin.open_jackpots = dict(self.open_jackpots)
        twin.originals = self.originals[:]
        twin.hands = [hand.copy() for hand in self.hands]
        twin.insurance = self.insurance
        twin.blackjack_answer = self.blackjack_answer
        return twin


@dataclass(slots=True, eq=False, repr=False)
class Meter:
    """A jackpot game's displayed amount, plus fractions of a cent contributed (O-18, O-19)."""

    cents: int
    remainder: int = 0  # ten-thousandths of a cent


class RoundState:
    """The complete state of one round.

    >>> from ventiuna import load_rules
    >>> str(RoundState(load_rules("wsgc-2021")).stage)
    'wagers'
    """

    __slots__ = (
        "authorized",
        "bonus_cards",
        "called",
        "dealer",
        "dealt",
        "down_exposed",
        "early_down",
        "labels",
        "meters",
        "meters_shown",
        "order",
        "rules",
        "spots",
        "stage",
        "supervised",
        "table",
    )

    def __init__(
        self,
        rules: Rules,
        meters: list[tuple[int, int]] | None = None,
        *,
        supervised: bool = False,
    ) -> None:
        check_rules(rules)
        self.rules = rules
        self.table = compile_rules(rules)
        self.labels = labels_of(rules)
        self.stage = Stage.WAGERS
        self.spots: dict[int, Spot] = {}
        self.order: list[Spot] = []  # spots with wagers, from the dealer's left
        self.dealer: list[int] = []  # up card, down card, drawn cards
        self.early_down: int | None = None  # the down card, if dealt before the up card
        self.down_exposed = False
        self.bonus_cards: list[int] = []
        self.dealt = [0] * CARDS
        start = meters or [(jackpot.seed, 0) for jackpot in rules.jackpots]
        if not _are_meters(start, len(rules.jackpots)):
            raise Refused(
                RefusalCode.NOT_METERS,
                ("R-084",),
                "meters must give the cents and the remainder of every jackpot game in the rules "
                f"({len(rules.jackpots)}).",
            )
        self.meters = [Meter(cents, remainder) for cents, remainder in start]
        self.meters_shown = False  # whether the readings for the awards have arrived
        self.supervised = supervised  # whether the round waits for the supervisor
        self.called: tuple[int, ...] = ()  # spots whose third card the supervisor must watch
        self.authorized = False  # whether bonuses and percentage awards may be paid

    @property
    def up(self) -> int:
        return self.dealer[0]

    @property
    def down(self) -> int:
        return self.dealer[1]

    def __repr__(self) -> str:
        return f"<RoundState of {self.rules.name}: {self.stage}, {len(self.spots)} spots>"

    def copy(self) -> RoundState:
        twin = RoundState.__new__(RoundState)
        twin.rules = self.rules
        twin.table = self.table
        twin.labels = self.labels
        twin.stage = self.stage
        twin.spots = {number: spot.copy() for number, spot in self.spots.items()}
        twin.order = [twin.spots[spot.number] for spot in self.order]
        twin.dealer = self.dealer[:]
        twin.early_down = self.early_down
        twin.down_exposed = self.down_exposed
        twin.bonus_cards = self.bonus_cards[:]
        twin.dealt = self.dealt[:]
        twin.meters_shown = self.meters_shown
        twin.supervised = self.supervised
        twin.called = self.called
        twin.authorized = self.authorized
        twin.meters = [Meter(meter.cents, meter.remainder) for meter in self.meters]
        return twin

    @property
    def settling(self) -> list[Spot]:
        """Spots with wagers, in the order in which the house settles them (R-080, R-123)."""
        if self.rules.spots_settled == SpotsSettled.FROM_RIGHT:
            return self.order[::-1]
        return self.order

    def current_hand(self) -> tuple[Spot, int] | None:
        """Return the acting hand: from the dealer's left, hand by hand (R-102, O-30)."""
        for spot in self.order:
            for index, hand in enumerate(spot.hands):
                if hand.status is HandStatus.WAITING:
                    return spot, index
        return None


def _are_meters(meters: object, games: int) -> bool:
    return (
        isinstance(meters, Sequence)
        and len(meters) == games
        and all(isinstance(pair, Sequence) and len(pair) == 2 for pair in meters)
        and all(type(part) is int and part >= 0 for pair in meters for part in pair)
    )


def apply(state: RoundState, event: Event) -> None:
    """Apply the event to the state; raises `DataError` if it can't have happened here."""
    try:
        CHANGES[type(event)](state, event)
    except (KeyError, IndexError, AssertionError, AttributeError) as error:
        raise DataError(
            f"{type(event).__name__} can't happen here. Apply all events in order."
        ) from error


def _wagers_placed(state: RoundState, event: ev.WagersPlaced) -> None:
    state.spots[event.spot] = Spot(
        event.spot,
        event.person,
        event.base,
        event.mtd,
        event.jackpots,
        open_jackpots=dict(event.jackpots),
        hands=[PlayerHand(event.base)],
    )
    state.order = [state.spots[number] for number in sorted(state.spots)]


def _wagers_withdrawn(state: RoundState, event: ev.WagersWithdrawn) -> None:
    del state.spots[event.spot]
    state.order = [state.spots[number] for number in sorted(state.spots)]


def _stage_reached(state: RoundState, event: ev.StageReached) -> None:
    state.stage = event.stage


def _meter_raised(state: RoundState, event: ev.MeterRaised) -> None:
    meter = state.meters[event.game - 1]
    meter.cents += event.amount
    meter.remainder = event.remainder


def _meter_lowered(state: RoundState, event: ev.MeterLowered) -> None:
    state.meters[event.game - 1].cents -= event.amount


def _meters_shown(state: RoundState, event: ev.MetersShown) -> None:
    for game, cents in event.meters.items():
        state.meters[game - 1].cents = cents
    state.meters_shown = True


def _supervisor_called(state: RoundState, event: ev.SupervisorCalled) -> None:
    state.called += (event.spot,)


def _supervisor_answered(state: RoundState, _: ev.SupervisorAnswered) -> None:
    state.called = ()


def _payments_authorized(state: RoundState, _: ev.PaymentsAuthorized) -> None:
    state.authorized = True


def _round_voided(state: RoundState, _: ev.RoundVoided) -> None:
    state.stage = Stage.VOID


def _card_dealt(state: RoundState, event: ev.CardDealt) -> None:
    card = event.card
    assert card is not None, "a hidden card can't be dealt"
    state.dealt[card] += 1
    if event.place is Place.PLAYER:
        spot = state.spots[event.spot]
        hand = spot.hands[event.hand]
        hand.cards.append(card)
        hand.shape = add_card(hand.shape, card)
        hand.drawing = False
        if state.stage is Stage.DEAL:
            spot.originals.append(card)
    elif event.place is Place.BONUS:
        state.bonus_cards.append(card)
    elif event.place is Place.DOWN and not state.dealer:
        state.early_down = card
    else:
        state.dealer.append(card)
        if state.early_down is not None:  # the up card completes the deal
            state.dealer.append(state.early_down)
            state.early_down = None


def _blackjack_answered(state: RoundState, event: ev.BlackjackTaken | ev.BlackjackKept) -> None:
    answer = "take" if type(event) is ev.BlackjackTaken else "keep"
    state.spots[event.spot].blackjack_answer = answer


def _insurance_placed(state: RoundState, event: ev.InsurancePlaced) -> None:
    state.spots[event.spot].insurance = event.amount


def _hand_stood(state: RoundState, event: ev.HandStood) -> None:
    state.spots[event.spot].hands[event.hand].status = HandStatus.STANDING


def _hand_hit(state: RoundState, event: ev.HandHit) -> None:
    state.spots[event.spot].hands[event.hand].drawing = True


def _hand_doubled(state: RoundState, event: ev.HandDoubled) -> None:
    hand = state.spots[event.spot].hands[event.hand]
    hand.wager += event.amount
    hand.last_portion = event.amount
    hand.shape = doubled_hand(hand.shape)
    hand.drawing = True


def _hand_split(state: RoundState, event: ev.HandSplit) -> None:
    spot = state.spots[event.spot]
    first = spot.hands[event.hand]
    second = PlayerHand(event.amount)
    second.cards = [first.cards.pop()]
    for hand in (first, second):
        hand.shape = split_hand(hand.cards[0])
        hand.drawing = True
    spot.hands.insert(event.hand + 1, second)


def _down_card_exposed(state: RoundState, _: ev.DownCardExposed) -> None:
    state.down_exposed = True


def _wager_settled(state: RoundState, event: ev.WagerSettled) -> None:
    if event.wager is Wager.HAND:
        hand = state.spots[event.spot].hands[event.hand]
        hand.status = HandStatus.OVER
        hand.result = event
    elif event.wager.game:
        state.spots[event.spot].open_jackpots[event.wager.game] = 0


def _hand_removed(state: RoundState, event: ev.HandRemoved) -> None:
    hand = state.spots[event.spot].hands[event.hand]
    hand.on_table = False
    for card in hand.cards:  # off the table; they can be dealt again after a reshuffle
        state.dealt[card] -= 1


def _announced(_state: RoundState, _event: Event) -> None:
    """Handle an announcement, which doesn't change the state."""


CHANGES: dict[type[Event], Callable[[RoundState, Any], None]] = {
    ev.WagersPlaced: _wagers_placed,
    ev.WagersWithdrawn: _wagers_withdrawn,
    ev.StageReached: _stage_reached,
    ev.MeterRaised: _meter_raised,
    ev.MeterLowered: _meter_lowered,
    ev.MetersShown: _meters_shown,
    ev.CardDealt: _card_dealt,
    ev.SupervisorCalled: _supervisor_called,
    ev.SupervisorAnswered: _supervisor_answered,
    ev.PaymentsAuthorized: _payments_authorized,
    ev.BonusCardsLocked: _announced,
    ev.BlackjackTaken: _blackjack_answered,
    ev.BlackjackKept: _blackjack_answered,
    ev.InsurancePlaced: _insurance_placed,
    ev.DealerChecked: _announced,
    ev.HandStood: _hand_stood,
    ev.HandHit: _hand_hit,
    ev.HandDoubled: _hand_doubled,
    ev.HandSplit: _hand_split,
    ev.HandSurrendered: _announced,
    ev.HandRescued: _announced,
    ev.AdviceGiven: _announced,
    ev.DownCardExposed: _down_card_exposed,
    ev.WagerSettled: _wager_settled,
    ev.HandRemoved: _hand_removed,
    ev.RoundVoided: _round_voided,
}


def check_round(state: object) -> None:
    """Reject arguments that aren't a RoundState; callers sometimes pass rules instead."""
    if not isinstance(state, RoundState):
        raise DataError(f"state must be a RoundState, not {quoted(state)}.")


# --- Collecting the events of a command ---


class Recorder:
    __slots__ = ("events", "labels", "state")

    def __init__(self, state: RoundState) -> None:
        self.state = state
        self.labels = state.labels
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        CHANGES[type(event)](self.state, event)
        self.events.append(event)
