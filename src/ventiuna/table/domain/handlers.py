"""Command handlers: refuse a command with a reason, or carry it out as far as the table can go.

Players take seats, buy chips, choose spots and leave. Operators and the clock open, close, fault
and resume tables. Each command becomes an entry that records its sender and the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar, get_args

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.commands import PlayerCommand, VoidRound
from ventiuna.engine.decide import decide
from ventiuna.engine.errors import quoted
from ventiuna.money import money_text
from ventiuna.rules import fingerprint
from ventiuna.rules.model import JackpotKind
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import (
    ClockCommand,
    PersonCommand,
    SeatCommand,
    TableCommand,
    checked_reason,
)
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.flow import (
    Turn,
    advance,
    answer_for_all,
    commit_cut,
    commit_shoe,
    handle_play,
    is_cutting,
    lose_shoes,
    open_cut,
    vacate_seat,
    withdraw_all,
)
from ventiuna.table.domain.state import Ask, Seat, SeatStatus, TableState, TableStatus
from ventiuna.table.ledger import check_amount


def take_seat(turn: Turn, person: str, name: str, command: do.TakeSeat) -> None:
    state = turn.state
    if state.status is not TableStatus.OPEN:
        raise Refused(
            RefusalCode.TABLE_CLOSED, (), "The table is closing, so no seat can be taken."
        )
    if state.seat_of(person) is not None:
        raise Refused(RefusalCode.ALREADY_SEATED, (), "You already have a seat at this table.")
    if command.seat not in range(1, state.rules.seats + 1):
        raise Refused(
            RefusalCode.NO_SUCH_SEAT,
            ("O-02",),
            f"There is no seat {quoted(command.seat)}. This table has seats 1 to "
            f"{state.rules.seats}.",
        )
    if command.seat in state.seats:
        free = [number for number in _seat_numbers(state) if number not in state.seats]
        numbers = " or ".join(map(str, free))
        others = f". Choose {numbers}" if free else " and no other seat is free"
        raise Refused(RefusalCode.SEAT_TAKEN, (), f"Seat {command.seat} is taken{others}.")
    turn.emit(ev.SeatTaken(command.seat, person, name))
    if command.seat not in state.spots:
        turn.emit(ev.SpotsChosen(command.seat, (command.seat,)))


def _seat_numbers(state: TableState) -> range:
    return range(1, state.rules.seats + 1)


def choose_spots(turn: Turn, seat: Seat, command: do.ChooseSpots) -> None:
    state = turn.state
    _require_no_wagers(state, seat, "choose spots")
    for spot in command.spots:
        if spot not in _seat_numbers(state):
            raise Refused(
                RefusalCode.NO_SUCH_SPOT,
                ("O-02",),
                f"There is no spot {quoted(spot)}. This table has spots 1 to {state.rules.seats}.",
            )
        if state.spots.get(spot, seat.number) != seat.number:
            raise Refused(RefusalCode.SPOT_TAKEN, (), f"Spot {spot} belongs to another seat.")
    turn.emit(ev.SpotsChosen(seat.number, tuple(sorted(set(command.spots)))))


def buy_chips(turn: Turn, seat: Seat, command: do.BuyChips) -> None:
    """Buy chips, but only before the deal, so that the amount at stake in a round is fixed."""
    state = turn.state
    check_amount(command.amount, "buy")
    if state.is_dealt and state.has_wagers(seat.number):
        raise Refused(
            RefusalCode.IN_ROUND,
            (),
            "You can buy chips only between rounds. Finish this one first.",
        )
    wallet = turn.environment.wallets.get(seat.person, 0)
    if command.amount > wallet:
        raise Refused(
            RefusalCode.NOT_COVERED,
            (),
            f"{money_text(command.amount)} is more than the {money_text(wallet)} in your wallet.",
        )
    turn.emit(ev.ChipsBought(seat.number, command.amount))


def cash_out(turn: Turn, seat: Seat, command: do.CashOut) -> None:
    """Cash out, but not with a wager in a round, so that a round can always be voided."""
    state = turn.state
    _require_no_wagers(state, seat, "cash out")
    stack = state.stack(seat.number)
    amount = stack if command.amount is None else command.amount
    if command.amount is None and not stack:
        raise Refused(RefusalCode.NOTHING_TO_CASH_OUT, (), "You have no chips to cash out.")
    check_amount(amount, "cash out")
    if amount > stack:
        raise Refused(
            RefusalCode.NOT_COVERED,
            (),
            f"{money_text(amount)} is more than the {money_text(stack)} you have in chips.",
        )
    turn.emit(ev.ChipsCashedOut(seat.number, amount))


def mark_ready(turn: Turn, seat: Seat) -> None:
    """Mark the seat as done with wagers or cuts; other prompts need an actual answer."""
    ask = turn.state.ask
    if ask is None or ask.kind not in _ASKS_FOR_ALL:
        raise Refused(
            RefusalCode.NOT_TIME_TO_ACT,
            (),
            "The table is waiting for an answer, not for players to be ready.",
        )
    if seat.number not in turn.state.ready:
        turn.emit(ev.SeatReady(seat.number))


_ASKS_FOR_ALL = (AskKind.WAGERS, AskKind.CUT_COMMIT, AskKind.CUT_OPEN)


def leave_seat(turn: Turn, seat: Seat) -> None:
    """Leave at once, or as soon as the round with the seat's wagers is over."""
    withdraw_all(turn, seat)
    if turn.state.has_wagers(seat.number):
        if seat.status is not SeatStatus.LEAVING:
            turn.emit(ev.SeatLeaving(seat.number))
    else:
        vacate_seat(turn, seat)


def seat_time_up(turn: Turn, command: do.SeatTimeUp) -> None:
    """Mark an absent seat away, and later cash it out; no effect if the player is back."""
    seat = turn.state.seats.get(command.seat)
    hold = turn.environment.holds.get(command.seat)
    if seat is None or hold is None or hold > turn.environment.at:
        raise Refused(RefusalCode.STALE, (), "The player is no longer absent.")
    if seat.status is SeatStatus.LEAVING and turn.state.has_wagers(seat.number):
        raise Refused(RefusalCode.STALE, (), "The player leaves when the round is over.")
    if seat.status is SeatStatus.HERE:
        turn.emit(ev.SeatAway(seat.number))
    else:
        leave_seat(turn, seat)


def _require_no_wagers(state: TableState, seat: Seat, what: str) -> None:
    if state.has_wagers(seat.number):
        raise Refused(
            RefusalCode.IN_ROUND,
            (),
            f"You can't {what} while you have a wager on the table. Withdraw it before the "
            "deal, or finish the round.",
        )


STILL_CLOSING = "it was closing when it met its fault"
C = TypeVar("C")
_OPERATOR_HANDLERS: dict[type, Callable[[Turn, Any], None]] = {}


def handles(
    kind: type[C],
) -> Callable[[Callable[[Turn, C], None]], Callable[[Turn, C], None]]:
    """Register the handler of an operator command; it gets the command with a checked reason."""

    def register(handler: Callable[[Turn, C], None]) -> Callable[[Turn, C], None]:
        _OPERATOR_HANDLERS[kind] = handler
        return handler

    return register


@handles(do.OpenTable)
def open_table(turn: Turn, _: do.OpenTable) -> None:
    """Write the first entry of a table's book."""
    state = turn.state
    if state.head.version:
        raise Refused(
            RefusalCode.BAD_COMMAND,
            (),
            "The table is already open. Only a new table can be opened.",
        )
    turn.emit(ev.TableOpened(state.name, state.rules.name, fingerprint(state.rules)))
    commit_shoe(turn)


@handles(do.CloseTable)
def close_table(turn: Turn, command: do.CloseTable) -> None:
    if turn.state.status is TableStatus.CLOSING:
        raise Refused(RefusalCode.TABLE_CLOSED, (), "The table is already closing.")
    if turn.state.status is TableStatus.FAULT:
        raise Refused(
            RefusalCode.TABLE_FAULT,
            (),
            "The table has stopped because of an error. Void its round or resume it.",
        )
    turn.emit(ev.TableClosing(command.reason.strip()))


@handles(VoidRound)
def void_round(turn: Turn, command: VoidRound) -> None:
    """Void the round: everyone's wagers are returned, and payouts are taken back."""
    if turn.state.round is None:
        raise Refused(RefusalCode.NO_ROUND, (), "There is no round in progress at this table.")
    turn.play(command)
    _resume(turn, command.reason)


@handles(do.ResumeTable)
def resume_table(turn: Turn, command: do.ResumeTable) -> None:
    if turn.state.status is not TableStatus.FAULT:
        raise Refused(
            RefusalCode.NOTHING_TO_RESUME,
            (),
            "The table hasn't stopped, so there is nothing to resume.",
        )
    _resume(turn, command.reason.strip())


def _resume(turn: Turn, reason: str) -> None:
    """Resume play after a fault, or resume closing if the table was closing."""
    if turn.state.status is TableStatus.FAULT:
        turn.emit(ev.TableResumed(reason))
        if turn.state.closes:
            turn.emit(ev.TableClosing(STILL_CLOSING))


def lose_all_shoes(turn: Turn, command: do.LoseShoes) -> None:
    """End shoes whose cards are unknown: the open round is void, and its shoe ends unrevealed."""
    state = turn.state
    shoes = [shoe.number for shoe in (state.in_play, state.next_shoe) if shoe is not None]
    if command.shoe != max(shoes, default=0):
        raise Refused(RefusalCode.STALE, (), "The table's shoes have changed since then.")
    if state.round is not None:
        if state.round.order:
            turn.play(VoidRound(command.reason))
        turn.emit(ev.RoundClosed(state.rounds))
    lose_shoes(turn, command.reason)
    _resume(turn, command.reason)


@handles(do.DropBank)
def drop_bank(turn: Turn, command: do.DropBank) -> None:
    """Move the bank's result to the house at the end of the day, unless a round is in progress."""
    state = turn.state
    if state.stake or state.is_dealt:
        raise Refused(
            RefusalCode.IN_ROUND,
            (),
            "The bank can be transferred only between rounds. Wait for this one to end.",
        )
    if state.bank:
        turn.emit(ev.BankDropped(state.bank))


@handles(do.LinkJackpot)
def link_jackpot(turn: Turn, command: do.LinkJackpot) -> None:
    """Link a jackpot the writer has already checked and locked."""
    _require_game(turn, command.game)
    if command.game in turn.state.links:
        raise Refused(
            RefusalCode.ALREADY_LINKED,
            (),
            f"Jackpot {command.game} of this table already has a meter.",
        )
    rate = turn.environment.reserve_rates[command.jackpot]
    turn.emit(ev.JackpotLinked(command.game, command.jackpot, rate))


@handles(do.UnlinkJackpot)
def unlink_jackpot(turn: Turn, command: do.UnlinkJackpot) -> None:
    """Unlink a jackpot between rounds; past contributions stay in the meter."""
    _require_game(turn, command.game)
    link = turn.state.links.get(command.game)
    if link is None:
        raise Refused(
            RefusalCode.JACKPOT_NOT_LINKED,
            (),
            f"Jackpot {command.game} of this table has no meter.",
        )
    turn.emit(ev.JackpotUnlinked(command.game, link.jackpot))


def _require_game(turn: Turn, game: int) -> None:
    state = turn.state
    jackpots = state.rules.jackpots
    if game not in range(1, len(jackpots) + 1) or jackpots[game - 1].kind is JackpotKind.HOUSE:
        raise Refused(
            RefusalCode.NO_SUCH_JACKPOT,
            ("R-084",),
            f"Jackpot game {game} is not a progressive of this table's rules.",
        )
    if state.round is not None and any(game in spot.jackpots for spot in state.round.order):
        raise Refused(
            RefusalCode.IN_ROUND,
            (),
            "There are wagers on this jackpot. Wait until the round is over.",
        )


def time_up(turn: Turn, command: do.TimeUp) -> None:
    """Apply a timeout, but only to the current prompt and only after its deadline."""
    state = turn.state
    ask = state.ask
    over = state.deadline is not None and state.deadline <= turn.environment.at
    if ask is None or ask.number != command.ask or not over:
        raise Refused(RefusalCode.STALE, (), "The table has moved on. Nothing timed out.")
    turn.emit(ev.TimeRanOut(ask.number))
    if not is_cutting(state):
        answer_for_all(turn)


class ActorRole(StrEnum):
    PLAYER = "player"
    OPERATOR = "operator"
    AUDITOR = "auditor"
    HOUSE = "house"  # the service itself: its clock and tables


@dataclass(frozen=True, slots=True)
class Actor:
    """The sender of a command; `name` is recorded in the book."""

    name: str  # person/12, clock, table/7
    role: ActorRole
    person: str = ""  # id, if it is a person
    called: str = ""  # display name


CLOCK = Actor("clock", ActorRole.HOUSE)
SERVICE = Actor("service", ActorRole.HOUSE)

# Answers to a prompt; they name it, so that a late one can't apply to the next prompt.
ANSWERS = frozenset((*get_args(PlayerCommand), do.Ready, do.CommitCut, do.OpenCut))


def handle(turn: Turn, actor: Actor, command: TableCommand, ask: int | None = None) -> None:
    """Carry out the command and everything that follows from it.

    Raises `Refused`, in which case the turn must be discarded.
    """
    if turn.state.lost and not isinstance(command, do.LoseShoes):
        raise Refused(
            RefusalCode.TABLE_FAULT,
            (),
            "The house key doesn't open this table's shoe. An operator must put the right "
            "key back or replace it.",
        )
    if isinstance(command, do.LoseShoes):
        if actor.role is not ActorRole.HOUSE:  # in older books, the house itself sent this
            _require_role(actor, ActorRole.OPERATOR)
        lose_all_shoes(turn, command)
    elif isinstance(command, PersonCommand):
        _handle_person(turn, actor, command, ask)
    elif isinstance(command, ClockCommand | do.FaultTable):
        _require_role(actor, ActorRole.HOUSE)
        _handle_house(turn, command)
    else:
        _require_role(actor, ActorRole.OPERATOR)
        _handle_operator(turn, command)
    advance(turn)


def _require_role(actor: Actor, role: ActorRole) -> None:
    if actor.role is not role:
        raise Refused(RefusalCode.NOT_ALLOWED, (), f"Only the {role} may do this.")


def _handle_person(turn: Turn, actor: Actor, command: PersonCommand, ask: int | None) -> None:
    if not actor.person:
        raise Refused(RefusalCode.NOT_ALLOWED, (), "Only people can sit at tables.")
    if actor.role is ActorRole.AUDITOR:
        raise Refused(RefusalCode.NOT_ALLOWED, (), "An auditor can only read.")
    _require_play(turn, command)
    if type(command) in ANSWERS:
        _check_ask(turn.state, command, ask)
    if isinstance(command, do.TakeSeat):
        take_seat(turn, actor.person, actor.called, command)
        return
    seat = _present_seat(turn, actor.person, command)
    if isinstance(command, SeatCommand):
        _handle_seat(turn, seat, command)
    else:
        handle_play(turn, seat, command)


def _require_play(turn: Turn, command: PersonCommand) -> None:
    status = turn.state.status
    if status is TableStatus.CLOSED:
        raise Refused(RefusalCode.TABLE_CLOSED, (), "The table is closed.")
    if status is TableStatus.FAULT:
        raise Refused(
            RefusalCode.TABLE_FAULT,
            (),
            "Play has stopped because of an error. An operator must look at the table first.",
        )


def _check_ask(state: TableState, command: PersonCommand, ask: int | None) -> None:
    """Refuse an answer to an earlier prompt, and explain why it can't count now."""
    if state.ask is not None and ask == state.ask.number:
        return
    why = _waiting_message(state.ask)
    rules: tuple[str, ...] = ()
    if state.round is not None and isinstance(command, get_args(PlayerCommand)):
        try:
            decide(state.round, command)
        except Refused as refused:
            why, rules = refused.message, refused.rules
    raise Refused(RefusalCode.STALE, rules, f"This answers an earlier prompt. {why}")


def _waiting_message(ask: Ask | None) -> str:
    if ask is None:
        return "The table isn't waiting for an answer now."
    if ask.kind is AskKind.DECISION:
        return f"The table is waiting for spot {ask.spots[0]}'s next decision."
    return {
        AskKind.WAGERS: "The table is taking wagers for the next round now.",
        AskKind.BLACKJACK: "The table is waiting for players with a blackjack now.",
        AskKind.INSURANCE: "The table is offering insurance now.",
    }.get(ask.kind, "The next shoe is being cut now.")


def _present_seat(turn: Turn, person: str, command: PersonCommand) -> Seat:
    """Return the person's seat; acting brings an absent player back."""
    seat = turn.state.seat_of(person)
    if seat is None:
        raise Refused(RefusalCode.NOT_SEATED, (), "You have no seat at this table. Take one first.")
    if seat.status is SeatStatus.AWAY and not isinstance(command, do.LeaveSeat):
        turn.emit(ev.SeatBack(seat.number))
        return turn.state.seats[seat.number]
    if seat.status is SeatStatus.LEAVING and not isinstance(command, do.ComeBack):
        raise Refused(
            RefusalCode.NOT_SEATED, (), "You are leaving. Your hand is being played out for you."
        )
    return seat


def _handle_seat(turn: Turn, seat: Seat, command: SeatCommand) -> None:
    if isinstance(command, do.ChooseSpots):
        choose_spots(turn, seat, command)
    elif isinstance(command, do.BuyChips):
        buy_chips(turn, seat, command)
    elif isinstance(command, do.CashOut):
        cash_out(turn, seat, command)
    elif isinstance(command, do.LeaveSeat):
        leave_seat(turn, seat)
    elif isinstance(command, do.Ready):
        mark_ready(turn, seat)
    elif isinstance(command, do.CommitCut):
        commit_cut(turn, seat, command)
    elif isinstance(command, do.OpenCut):
        open_cut(turn, seat, command)
    elif isinstance(command, do.ComeBack) and seat.status is SeatStatus.LEAVING:
        turn.emit(ev.SeatBack(seat.number))


def _handle_house(turn: Turn, command: ClockCommand | do.FaultTable) -> None:
    if isinstance(command, do.TimeUp):
        time_up(turn, command)
    elif isinstance(command, do.SeatTimeUp):
        seat_time_up(turn, command)
    elif isinstance(command, do.RestartClocks):
        if turn.state.deadline is None:
            raise Refused(RefusalCode.STALE, (), "No clock is running at this table.")
        turn.emit(ev.ClocksRestarted(checked_reason(command.reason)))
    elif turn.state.status in (TableStatus.OPEN, TableStatus.CLOSING):
        turn.emit(ev.TableFaulted(command.reason))


def _handle_operator(turn: Turn, command: do.OperatorCommand | VoidRound) -> None:
    if turn.state.status is TableStatus.CLOSED:
        raise Refused(RefusalCode.TABLE_CLOSED, (), "The table is closed.")
    if not isinstance(command, do.OpenTable):
        checked_reason(command.reason)
    _OPERATOR_HANDLERS[type(command)](turn, command)
