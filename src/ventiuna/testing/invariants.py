"""Invariants of every round, for any rules, cards and players.

Tests, the conformance check and the soak test share these checks.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from ventiuna.core.base_game import dealer_checks, is_dealer_blackjack
from ventiuna.core.cards import CARDS
from ventiuna.core.meters import SHARES
from ventiuna.engine.chips import Chips, ChipsLost
from ventiuna.engine.commands import (
    Insure,
    KeepBlackjack,
    PlaceWagers,
    PlayerCommand,
    Refused,
    TakeBlackjack,
    WithdrawWagers,
)
from ventiuna.engine.decide import decide
from ventiuna.engine.events import (
    CardDealt,
    DownCardExposed,
    Event,
    HandRemoved,
    HandRescued,
    HandSurrendered,
    MeterRaised,
    MetersShown,
    Place,
    Stage,
    StageReached,
    WagerSettled,
)
from ventiuna.engine.options import ACTION_COMMANDS, ActionOption, options
from ventiuna.engine.prompts import DecisionWanted, waiting_for
from ventiuna.engine.state import PlayerHand, RoundState, Spot, apply
from ventiuna.engine.views import EVERYONE, redact, view, view_data
from ventiuna.rules import Rules
from ventiuna.rules.model import JackpotKind

Meters = Sequence[tuple[int, int]]  # cents and remainder of each jackpot game
OTHERS = 12  # check one in this many of the possible down cards
_STAGE_NUMBER = {stage: number for number, stage in enumerate(Stage)}


class InvariantBroken(AssertionError):
    """The engine contradicts itself: always a bug, no matter what the players did."""


def _require(holds: bool, what: str, *details: object) -> None:
    if not holds:
        raise InvariantBroken(": ".join([what, *map(str, details)]))


# --- a state as plain data, and as the fold of its events -------------------------------------


def snapshot(state: RoundState) -> tuple[object, ...]:
    """The complete state of a round, for comparison."""
    return (
        state.stage,
        tuple(_spot_data(spot) for spot in state.order),
        tuple(sorted(state.spots)),
        tuple(state.dealer),
        state.early_down,
        state.down_exposed,
        tuple(state.bonus_cards),
        tuple(state.dealt),
        meters_of(state),
        state.meters_shown,
    )


def _spot_data(spot: Spot) -> tuple[object, ...]:
    return (
        spot.number,
        spot.person,
        spot.base,
        tuple(spot.mtd.items()),
        tuple(spot.jackpots.items()),
        tuple(spot.open_jackpots.items()),
        tuple(spot.originals),
        spot.insurance,
        spot.blackjack_answer,
        tuple(_hand_data(hand) for hand in spot.hands),
    )


def _hand_data(hand: PlayerHand) -> tuple[object, ...]:
    return (
        tuple(hand.cards),
        hand.shape,
        hand.wager,
        hand.last_portion,
        hand.status,
        hand.drawing,
        hand.on_table,
    )


def meters_of(state: RoundState) -> tuple[tuple[int, int], ...]:
    return tuple((meter.cents, meter.remainder) for meter in state.meters)


def fold(rules: Rules, meters: Meters, events: Iterable[Event]) -> RoundState:
    """A new round with these events applied."""
    state = RoundState(rules, list(meters))
    for event in events:
        apply(state, event)
    return state


# --- a closed round ---------------------------------------------------------------------------


def check_round(state: RoundState, meters: Meters, events: Sequence[Event]) -> None:
    """Check all invariants of a closed or void round that started with these meters."""
    check_order(events)
    if state.stage is Stage.VOID:
        check_void(events)
    else:
        _require(state.stage is Stage.CLOSED, "the round isn't closed", state.stage)
        check_chips(state, meters, events)
        check_cards(state, events)
        check_secrets(state, events)
    folded = fold(state.rules, meters, events)
    _require(snapshot(folded) == snapshot(state), "the state isn't the fold of its events")


def check_chips(state: RoundState, meters: Meters, events: Sequence[Event]) -> None:
    """Check that every chip is settled once, and that all gains add up to zero."""
    try:
        chips = Chips().add_all(events)
    except ChipsLost as lost:
        raise InvariantBroken(f"chips are lost: {lost}") from None
    _require(chips.is_settled, "a wager is left open", chips.on_table)
    settled = [event for event in events if type(event) is WagerSettled]
    for spot in state.order:
        net = sum(event.net for event in settled if event.spot == spot.number)
        _require(chips.spots[spot.number] == net, "a spot's results don't add up", spot.number, net)
    meters_gain = sum(now - start for (now, _), (start, _) in _meter_pairs(state, meters))
    meters_gain -= sum(fed_elsewhere(meters, events).values())
    players_gain = sum(chips.spots.values())
    _require(
        players_gain + chips.house + meters_gain == 0,
        "players, house and meters don't add up to zero",
        (players_gain, chips.house, meters_gain),
    )
    _check_meters(state, meters, events)


def check_void(events: Sequence[Event]) -> None:
    """Check that nobody wins or loses, except for the house's contributions to the meters."""
    chips = Chips().add_all(events)
    _require(chips.is_settled, "chips remain on the table of a void round", chips.on_table)
    _require(not any(chips.spots.values()), "someone wins or loses a void round", chips.spots)
    _require(chips.total == 0, "a void round doesn't add up to zero", chips.house)


def _meter_pairs(
    state: RoundState, meters: Meters
) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return list(zip(meters_of(state), meters, strict=True))


def _check_meters(state: RoundState, meters: Meters, events: Sequence[Event]) -> None:
    """Check each meter exactly: start plus contributions and seeds, minus awards."""
    elsewhere = fed_elsewhere(meters, events)
    for game, (now, start) in enumerate(_meter_pairs(state, meters), start=1):
        jackpot = state.rules.jackpots[game - 1]
        wagers = sum(spot.jackpots.get(game, 0) for spot in state.order)
        if jackpot.kind == JackpotKind.HOUSE:
            wagers = 0  # the posted amount belongs to the house and stays (R-097, O-39)
        moved = sum(_moved(event, game) for event in events) + elsewhere.get(game, 0)
        expected = (start[0] + moved) * SHARES + start[1] + wagers * jackpot.contribution
        _require(now[0] >= 0, "a meter is below zero", game, now)
        _require(
            now[0] * SHARES + now[1] == expected,
            "a meter doesn't equal its contributions and seeds minus its awards",
            game,
            now,
        )


def fed_elsewhere(meters: Meters, events: Sequence[Event]) -> dict[int, int]:
    """Cents that others added to each meter before it was read for awards, by game."""
    own = {game: cents for game, (cents, _) in enumerate(meters, start=1)}
    for event in events:
        if type(event) is MeterRaised:
            own[event.game] += event.amount
        elif type(event) is MetersShown:  # comes before any award lowers a meter
            return {game: displayed - own[game] for game, displayed in event.meters.items()}
    return {}


def _moved(event: Event, game: int) -> int:
    """Cents moved by seeds and awards; contributions are computed from the wagers."""
    if type(event) is MeterRaised and event.game == game and event.reason == "seed":
        return event.amount
    if type(event) is WagerSettled and event.meter == game:
        return -event.paid
    return 0


def check_cards(state: RoundState, events: Sequence[Event]) -> None:
    """Check that no card is lost or duplicated, and that no card has more copies than decks."""
    on_table = [0] * CARDS
    dealt: Counter[int | None] = Counter()
    for event in events:
        if type(event) is CardDealt and event.card is not None:
            dealt[event.card] += 1
            on_table[event.card] += 1
            _require(
                on_table[event.card] <= state.rules.decks, "more copies than decks", event.card
            )
            _require(
                event.card in state.rules.pack.cards, "a card that isn't in the pack", event.card
            )
        elif type(event) is HandRemoved:
            for card in state.spots[event.spot].hands[event.hand].cards:
                on_table[card] -= 1
    lying = [card for spot in state.order for hand in spot.hands for card in hand.cards]
    lying += state.dealer + state.bonus_cards
    lying += [] if state.early_down is None else [state.early_down]
    _require(Counter(lying) == dealt, "cards are lost or duplicated", dealt, lying)
    _require(on_table == state.dealt, "the count of cards on the table is wrong")
    remaining = [spot.number for spot in state.order if any(hand.on_table for hand in spot.hands)]
    _require(not remaining, "hands remain on the table after the round", remaining)
    for spot in state.order:
        originals = Counter(spot.originals)
        in_hands = Counter(card for hand in spot.hands for card in hand.cards)
        _require(originals <= in_hands, "original cards aren't in the hands", spot.number)


def check_order(events: Sequence[Event]) -> None:
    """Check that stages follow R-102 and R-120, and that every payment has odds and a rule."""
    reached = 0
    for event in events:
        if type(event) is StageReached:
            number = _STAGE_NUMBER[event.stage]
            _require(number > reached, "a stage is repeated or out of order", event.stage)
            reached = number
        elif type(event) is WagerSettled:
            _require(bool(event.odds and event.rule), "a payment without odds or rule", event)


def check_secrets(state: RoundState, events: Sequence[Event]) -> None:
    """Check that the down card is hidden until it is exposed, and then visible to everyone."""
    exposed = False
    for event in events:
        if type(event) is DownCardExposed:
            _require(not exposed, "the down card is exposed twice")
            _require(event.card == state.down, "a different down card is exposed", event.card)
            exposed = True
        elif type(event) is CardDealt and event.place is Place.DOWN:
            hidden = redact(event, EVERYONE)
            _require(getattr(hidden, "card", None) is None, "the down card isn't hidden")
    _require(exposed, "the down card was never exposed")


# --- a round in play --------------------------------------------------------------------------


def check_step(state: RoundState) -> None:
    """Check that options match what commands do, and that the view hides the down card."""
    check_options(state)
    check_view(state)


def check_options(state: RoundState) -> None:
    """Check that legal options work, and illegal ones are refused with the reason they give."""
    prompt = waiting_for(state)
    offered = options(state)
    _require(len(set(offered)) == len(offered), "an option is listed twice")
    before = snapshot(state)
    actions = [option for option in offered if isinstance(option, ActionOption)]
    _require(
        not isinstance(prompt, DecisionWanted) or sum(option.legal for option in actions) > 1,
        "a decision without a choice",
        prompt,
    )
    for option in actions:
        _check_action(state, option)
    _require(snapshot(state) == before, "trying the options changed the round")


def _check_action(state: RoundState, option: ActionOption) -> None:
    try:
        events = decide(state, option.command())
    except Refused as refused:
        _require(not option.legal, "a legal option is refused", option, refused)
        stated = (option.code, option.rules, option.reason)
        actual = (refused.code, refused.rules, refused.message)
        _require(stated == actual, "an option's reason differs from its refusal's", stated, actual)
        return
    _require(option.legal, "an illegal option is carried out", option)
    chips = getattr(events[0], "amount", 0)
    _require(option.chips == chips, "an option takes a different amount", option, chips)
    gives_up = isinstance(events[0], HandRescued | HandSurrendered)
    back = next((event.paid for event in events if gives_up and isinstance(event, WagerSettled)), 0)
    _require(option.back == back, "an option returns a different amount", option, back)


def check_view(state: RoundState) -> None:
    """Check that the view is plain data and doesn't depend on the hidden down card."""
    seen = view(state, EVERYONE)
    data = view_data(seen)
    _require(json.loads(json.dumps(data)) == data, "the view isn't plain data")
    if len(state.dealer) < 2 or state.down_exposed:
        return
    # A sample is enough; it varies from round to round.
    for card in possible_down_cards(state)[state.down % OTHERS :: OTHERS]:
        other = state.copy()
        other.dealer[1] = card
        _require(view(other, EVERYONE) == seen, "the view depends on the hidden down card", card)
        for command in _player_commands(state):
            refusal, elsewhere = _refusal(state, command), _refusal(other, command)
            _require(
                refusal == elsewhere, "a refusal depends on the hidden down card", refusal, command
            )


def _player_commands(state: RoundState) -> list[PlayerCommand]:
    """One command of each kind for each spot, valid now or not."""
    return [
        command
        for spot in state.spots
        for command in (
            PlaceWagers(spot, 1),
            *(kind(spot) for kind in (WithdrawWagers, TakeBlackjack, KeepBlackjack)),
            Insure(spot, 1),
            *(kind(spot) for kind in ACTION_COMMANDS.values()),
        )
    ]


def _refusal(state: RoundState, command: PlayerCommand) -> str:
    try:
        decide(state, command)
    except Refused as refused:
        return str(refused)
    return ""


def possible_down_cards(state: RoundState) -> list[int]:
    """Down cards that would have led to the same visible events."""
    checked = dealer_checks(state.up) and _STAGE_NUMBER[state.stage] > _STAGE_NUMBER[Stage.CHECK]
    return [
        card
        for card in state.rules.pack.cards
        if not (checked and is_dealer_blackjack(state.up, card))
    ]
