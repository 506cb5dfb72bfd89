"""Turn commands into events: refuse with a reason, or advance the round as far as possible."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ventiuna.cards import card_text
from ventiuna.core import actions
from ventiuna.core.base_game import has_won_already, is_dealer_blackjack, maximum_insurance
from ventiuna.core.cards import CARDS, is_blackjack
from ventiuna.core.refusals import LEGAL, RefusalCode
from ventiuna.engine import commands as do
from ventiuna.engine import events as ev
from ventiuna.engine import settlement
from ventiuna.engine.commands import Command, Refused, cited, quoted, refused_action
from ventiuna.engine.events import Event, Stage, Stakes
from ventiuna.engine.flow import advance
from ventiuna.engine.options import ACTION_COMMANDS, chips_needed
from ventiuna.engine.prompts import (
    PAYMENTS,
    BlackjackAnswersWanted,
    CardWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    SupervisorWanted,
    supervisor_wanted,
    waiting_for,
)
from ventiuna.engine.state import (
    HandStatus,
    PlayerHand,
    Recorder,
    RoundState,
    Spot,
    apply,
    check_round,
)
from ventiuna.engine.wagers import (
    check_cents,
    check_unit,
    checked_wagers,
    is_whole_number,
    no_wagers_refusal,
)
from ventiuna.money import money_text

ENDING_STAGES = (Stage.AWARDS, Stage.SUPER_BONUS, Stage.CLOSED, Stage.VOID)


def execute(state: RoundState, command: Command) -> list[Event]:
    """Execute the command on this state and return the resulting events.

    A refused command raises `Refused` and changes nothing.

    >>> from ventiuna import RoundState, commands, load_rules
    >>> state = RoundState(load_rules("wsgc-2021"))
    >>> [type(event).__name__ for event in execute(state, commands.PlaceWagers(1, 500))]
    ['WagersPlaced']
    """
    if type(state) is not RoundState:  # inline, because a call would cost more than the check
        check_round(state)
    handler = _HANDLERS.get(type(command))
    if handler is None:
        raise Refused(RefusalCode.UNKNOWN_COMMAND, (), f"{quoted(command)} isn't a round command.")
    rec = Recorder(state)
    handler(rec, command)
    return rec.events


def decide(state: RoundState, command: Command) -> list[Event]:
    """Return the events that a command would cause, without changing the state."""
    return execute(state.copy(), command)


def evolve(state: RoundState, event: Event) -> RoundState:
    """Return a copy of the state after the event."""
    following = state.copy()
    apply(following, event)
    return following


# --- Before and during the deal ---


def _place_wagers(rec: Recorder, command: do.PlaceWagers) -> None:
    _require_wagers_open(rec.state)
    rec.emit(checked_wagers(rec.state.rules, command))


def _withdraw_wagers(rec: Recorder, command: do.WithdrawWagers) -> None:
    _require_wagers_open(rec.state)
    _spot(rec.state, command.spot)
    rec.emit(ev.WagersWithdrawn(command.spot))


def _require_wagers_open(state: RoundState) -> None:
    if state.stage is not Stage.WAGERS:
        raise _refused(
            state,
            RefusalCode.WAGERS_CLOSED,
            ("R-102", "R-120"),
            "No more bets: wait for the next round.",
        )


def _close_wagers(rec: Recorder, _: do.CloseWagers) -> None:
    _require_wagers_open(rec.state)
    if not rec.state.order:
        raise no_wagers_refusal()
    if rec.state.rules.jackpots:
        settlement.raise_meters(rec)
    rec.emit(ev.StageReached(Stage.DEAL))


def _deal_card(rec: Recorder, command: do.DealCard) -> None:
    state = rec.state
    prompt = waiting_for(state)
    if type(prompt) is not CardWanted:
        raise _refused(
            state,
            RefusalCode.NO_CARD_WANTED,
            ("R-102", "R-120"),
            "The round isn't waiting for a card.",
        )
    check_card(state, command.card)
    place, spot, hand = prompt
    rec.emit(ev.CardDealt(command.card, place, spot, hand))
    advance(rec)


def check_card(state: RoundState, card: object) -> None:
    """Refuse anything that can't be the next card from this round's shoe."""
    if not is_whole_number(card) or not 0 <= card < CARDS:
        raise Refused(
            RefusalCode.NO_CARD,
            ("R-007",),
            f"A card must be a number from 0 to 51, not {quoted(card)}.",
        )
    if card not in state.rules.pack.cards:
        raise Refused(
            RefusalCode.NOT_IN_PACK,
            ("R-007",),
            f"{card_text(card)} isn't in the pack: Spanish decks have no tens.",
        )
    if state.dealt[card] >= state.rules.decks:
        why = f"Every {card_text(card)} in the shoe ({state.rules.decks}) is already on the table"
        down = state.down if len(state.dealer) > 1 else state.early_down
        if not state.down_exposed and down == card:
            why = f"{card_text(card)} can't be dealt now"  # doesn't reveal the down card
        raise _refused(
            state,
            RefusalCode.TOO_MANY_COPIES,
            ("R-007", "R-008", "R-103"),
            f"{why}: deal another card.",
        )


# --- Meters and voiding ---


def _show_meters(rec: Recorder, command: do.ShowMeters) -> None:
    prompt = waiting_for(rec.state)
    if not isinstance(prompt, MetersWanted):
        raise _refused(
            rec.state,
            RefusalCode.NO_METERS_WANTED,
            ("R-095", "R-102"),
            "The round isn't waiting for a meter reading.",
        )
    rec.emit(ev.MetersShown(_checked_reading(command.meters, prompt.games)))
    advance(rec)


def _checked_reading(meters: object, games: tuple[int, ...]) -> Stakes[int]:
    # True equals 1 but isn't the name of a game.
    if not isinstance(meters, Mapping) or sorted(filter(is_whole_number, meters)) != [*games]:
        expected = " and ".join(map(str, games))
        raise Refused(
            RefusalCode.NOT_METERS,
            ("R-095",),
            f"meters must give the amount of jackpot {expected}, in cents.",
        )
    for game in games:
        check_cents(f"the meter of jackpot {game}", meters[game])
    return Stakes({game: meters[game] for game in games})


def _supervise(rec: Recorder, command: do.Supervise) -> None:
    """Answer the call (R-072), or authorize the payments (R-121)."""
    prompt = waiting_for(rec.state)
    if not isinstance(prompt, SupervisorWanted):
        raise _refused(
            rec.state,
            RefusalCode.NOT_TIME_TO_ACT,
            ("R-072", "R-121"),
            "The round isn't waiting for a supervisor.",
        )
    answer = ev.PaymentsAuthorized if prompt.task == PAYMENTS else ev.SupervisorAnswered
    rec.emit(answer(command.by))
    advance(rec)


def _void_round(rec: Recorder, command: do.VoidRound) -> None:
    state = rec.state
    if state.stage in ENDING_STAGES:
        raise _refused(
            state,
            RefusalCode.TOO_LATE_TO_VOID,
            ("R-095", "R-102", "R-120"),
            "A round can't be voided once jackpot awards are due or it has ended.",
        )
    reason: object = command.reason
    if not isinstance(reason, str) or not reason.strip():
        sentence = "reason must say why the round is voided, as a string."
        raise Refused(RefusalCode.NO_REASON, ("R-102",), sentence)
    rec.emit(ev.RoundVoided(reason))


# --- Blackjacks and insurance ---


def _answer_blackjack(rec: Recorder, command: do.TakeBlackjack | do.KeepBlackjack) -> None:
    _require_blackjack_answer(rec.state, command.spot)
    takes = isinstance(command, do.TakeBlackjack)
    rec.emit(ev.BlackjackTaken(command.spot) if takes else ev.BlackjackKept(command.spot))
    advance(rec)


def _require_blackjack_answer(state: RoundState, number: int) -> None:
    spot = _spot(state, number)
    prompt = waiting_for(state)
    if isinstance(prompt, BlackjackAnswersWanted) and number in prompt.spots:
        return
    if spot.has_blackjack and not state.table.double_blackjack:
        reason = actions.refusal(state.table, actions.DOUBLE, spot.hands[0].shape, 1)
        raise refused_action(reason, state.rules.game)
    raise _refused(
        state,
        RefusalCode.NO_BLACKJACK_TO_ANSWER,
        ("R-029", "R-032", "R-106", "R-114"),
        f"Spot {number} has no blackjack to take or keep now.",
    )


def _insure(rec: Recorder, command: do.Insure) -> None:
    state = rec.state
    spot = _spot(state, command.spot)
    prompt = waiting_for(state)
    if not isinstance(prompt, InsuranceAnswersWanted) or command.spot not in prompt.spots:
        raise _refused(
            state,
            RefusalCode.NO_INSURANCE_NOW,
            ("R-034", "R-116"),
            "Insurance is offered once to each spot, when the up card is an ace.",
        )
    check_cents("insurance", command.amount)
    maximum = maximum_insurance(spot.base)
    if command.amount > maximum:
        raise _refused(
            state,
            RefusalCode.INSURANCE_ABOVE_HALF,
            ("R-034", "R-116"),
            f"Insurance can be at most half of the wager, {money_text(maximum)}, not "
            f"{money_text(command.amount)}.",
        )
    check_unit("Insurance", command.amount, state.rules.small_chip_unit)
    rec.emit(ev.InsurancePlaced(command.spot, command.amount))
    advance(rec)


# --- Decisions on a hand ---


def _act(rec: Recorder, command: do.Action) -> None:
    action = _ACTION_CODES[type(command)]
    spot, index = _acting_hand(rec.state, command.spot, action)
    number, hand = spot.number, spot.hands[index]
    if action == actions.HIT:
        rec.emit(ev.HandHit(number, index))
    elif isinstance(command, do.Double):
        rec.emit(ev.HandDoubled(number, index, _double_amount(rec.state, hand, command.amount)))
    elif action == actions.DOUBLE_DOUBLE:
        rec.emit(ev.HandDoubled(number, index, chips_needed(rec.state, spot, hand, action)))
    elif action == actions.SPLIT:
        rec.emit(ev.HandSplit(number, index, chips_needed(rec.state, spot, hand, action)))
    else:
        if action == actions.STAND:
            settlement.end_hand(rec, spot, index)
        elif action == actions.SURRENDER:
            rec.emit(ev.HandSurrendered(number, index))
            settlement.surrender_hand(rec, spot, index)
        else:
            rec.emit(ev.HandRescued(number, index))
            settlement.rescue_hand(rec, spot, index)
        advance(rec)


def _double_amount(state: RoundState, hand: PlayerHand, amount: int | None) -> int:
    """Amount of a double: the wager again, or less if allowed.

    R-047, R-050, R-054, R-107, O-40.
    """
    if amount is None or amount == hand.wager:
        return hand.wager
    check_cents("the added wager", amount)
    if amount > hand.wager or amount == 0:
        raise _refused(
            state,
            RefusalCode.DOUBLE_AMOUNT,
            ("R-047", "R-050", "R-105"),
            f"Add up to {money_text(hand.wager)} to double, not {money_text(amount)}.",
        )
    if not state.table.double_for_less:
        raise _refused(
            state,
            RefusalCode.NO_DOUBLE_FOR_LESS,
            ("R-050", "R-054", "R-105", "R-107"),
            f"This table doesn't offer doubling for less: add {money_text(hand.wager)}.",
        )
    check_unit("A double for less", amount, state.rules.small_chip_unit)
    return amount


def _acting_hand(state: RoundState, number: int, action: int) -> tuple[Spot, int]:
    """Return the hand that may take this action now; raises `Refused` if there is none."""
    spot = _spot(state, number)
    if supervisor_wanted(state) is not None:
        raise _refused(
            state,
            RefusalCode.NOT_TIME_TO_ACT,
            ("R-072", "R-121"),
            "Play has stopped. Wait until the supervisor has answered the dealer's call.",
        )
    current = state.current_hand() if state.stage is Stage.PLAY else None
    if current is None or current[0] is not spot:
        raise _not_acting(state, spot, action)
    index = current[1]
    hand = spot.hands[index]
    if hand.drawing:
        raise _refused(
            state, RefusalCode.CARD_FIRST, ("R-102", "R-120"), "The hand must get its card first."
        )
    reason = actions.refusal(state.table, action, hand.shape, len(spot.hands))
    if reason != LEGAL:
        raise refused_action(reason, state.rules.game)
    return spot, index


def _not_acting(state: RoundState, spot: Spot, action: int) -> Refused:
    """Explain why this spot can't act: it's too early, it isn't its turn, or its turn is over."""
    if any(hand.status is HandStatus.WAITING for hand in spot.hands):
        if state.stage is Stage.PLAY:
            return _refused(
                state, RefusalCode.NOT_YOUR_TURN, ("R-102", "R-120"), "It's another hand's turn."
            )
        return _refused(
            state,
            RefusalCode.NOT_TIME_TO_ACT,
            ("R-037", "R-102", "R-109", "R-120"),
            "Players act only after the deal, the blackjacks and the dealer's check.",
        )
    return why_hand_is_over(state, spot.hands[-1], action)


def why_hand_is_over(state: RoundState, hand: PlayerHand, action: int) -> Refused:
    """Return the refusal for an action on a finished hand, depending on how it ended."""
    if state.down_exposed and is_dealer_blackjack(state.up, state.down):
        return _refused(
            state,
            RefusalCode.DEALER_BLACKJACK,
            ("R-035", "R-109", "R-120", "O-09"),
            "The dealer has blackjack: nothing can be doubled, split or surrendered.",
        )
    reason = actions.refusal(state.table, action, hand.shape, 1)
    if reason != LEGAL and (hand.total >= 21 or has_won_already(state.table, hand.shape)):
        return refused_action(reason, state.rules.game)
    if is_blackjack(hand.shape):
        return _refused(
            state,
            RefusalCode.BLACKJACK_PAID,
            ("R-029", "R-030", "R-114", "R-115"),
            "The blackjack has been paid, so the hand is over.",
        )
    if hand.total == 21:
        return _refused(
            state,
            RefusalCode.HAND_IS_21,
            ("R-039", "R-119", "O-33"),
            "The hand has 21, so it is over.",
        )
    return _refused(state, RefusalCode.HAND_OVER, ("R-102", "R-120"), "The hand is over.")


def _refused(state: RoundState, code: RefusalCode, rules: tuple[str, ...], message: str) -> Refused:
    """Return a refusal that cites only the rules of the game being played."""
    return Refused(code, cited(rules, state.rules.game), message)


def _spot(state: RoundState, number: object) -> Spot:
    # True and 1.0 would also match spot 1, and a list isn't hashable.
    if not is_whole_number(number) or number not in state.spots:
        raise Refused(
            RefusalCode.SPOT_NOT_BETTING,
            ("R-014",),
            f"Spot {quoted(number)} has no base wager.",
        )
    return state.spots[number]


_ACTION_CODES = {command: action for action, command in ACTION_COMMANDS.items()}
_HANDLERS: dict[type[Command], Callable[[Recorder, Any], None]] = {
    do.PlaceWagers: _place_wagers,
    do.WithdrawWagers: _withdraw_wagers,
    do.CloseWagers: _close_wagers,
    do.DealCard: _deal_card,
    do.ShowMeters: _show_meters,
    do.Supervise: _supervise,
    do.VoidRound: _void_round,
    do.TakeBlackjack: _answer_blackjack,
    do.KeepBlackjack: _answer_blackjack,
    do.Insure: _insure,
    **dict.fromkeys(_ACTION_CODES, _act),
}
