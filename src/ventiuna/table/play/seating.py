"""Sitting down, chips, spots, and getting up again."""

from __future__ import annotations

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.errors import shown
from ventiuna.money import money_text
from ventiuna.table import events as ev
from ventiuna.table.events import AskKind
from ventiuna.table.ledger.amounts import check_amount
from ventiuna.table.play import commands as do
from ventiuna.table.play.playing import leave, withdraw_all
from ventiuna.table.play.state import Seat, SeatStatus, TableState, TableStatus
from ventiuna.table.play.turn import Turn


def take_seat(turn: Turn, person: str, name: str, command: do.TakeSeat) -> None:
    state = turn.state
    if state.status is not TableStatus.OPEN:
        raise Refused(RefusalCode.TABLE_CLOSED, (), "The table closes: no seat can be taken.")
    if state.seat_of(person) is not None:
        raise Refused(RefusalCode.ALREADY_SEATED, (), "You have a seat at this table already.")
    if command.seat not in range(1, state.rules.seats + 1):
        raise Refused(
            RefusalCode.NO_SUCH_SEAT,
            ("O-02",),
            f"Seat {shown(command.seat)}: this table has seats 1 to {state.rules.seats}.",
        )
    if command.seat in state.seats:
        free = [number for number in _numbers(state) if number not in state.seats]
        others = f": take {_listed(free)}" if free else ", and no other is free"
        raise Refused(RefusalCode.SEAT_TAKEN, (), f"Seat {command.seat} is taken{others}.")
    turn.emit(ev.SeatTaken(command.seat, person, name))
    if command.seat not in state.spots:
        turn.emit(ev.SpotsChosen(command.seat, (command.seat,)))


def _numbers(state: TableState) -> range:
    return range(1, state.rules.seats + 1)


def _listed(numbers: list[int]) -> str:
    return " or ".join(map(str, numbers))


def choose_spots(turn: Turn, seat: Seat, command: do.ChooseSpots) -> None:
    state = turn.state
    _require_no_wagers(state, seat, "choose spots")
    for spot in command.spots:
        if spot not in _numbers(state):
            raise Refused(
                RefusalCode.NO_SUCH_SPOT,
                ("O-02",),
                f"Spot {shown(spot)}: this table has spots 1 to {state.rules.seats}.",
            )
        if state.spots.get(spot, seat.number) != seat.number:
            raise Refused(RefusalCode.SPOT_TAKEN, (), f"Spot {spot} is played by another seat.")
    turn.emit(ev.SpotsChosen(seat.number, tuple(sorted(set(command.spots)))))


def buy_chips(turn: Turn, seat: Seat, command: do.BuyChips) -> None:
    """Chips are bought before the deal: what is at stake in a round is known then."""
    state = turn.state
    check_amount(command.amount, "buy")
    if state.is_dealt and state.has_wagers(seat.number):
        raise Refused(
            RefusalCode.IN_ROUND, (), "Chips are bought between rounds: finish this one first."
        )
    wallet = turn.around.wallets.get(seat.person, 0)
    if command.amount > wallet:
        raise Refused(
            RefusalCode.NOT_COVERED,
            (),
            f"{money_text(command.amount)} is more than the {money_text(wallet)} in your wallet.",
        )
    turn.emit(ev.ChipsBought(seat.number, command.amount))


def cash_out(turn: Turn, seat: Seat, command: do.CashOut) -> None:
    """Never out of a round with a wager of this seat, so that a void can always be undone."""
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
            f"{money_text(amount)} is more than the {money_text(stack)} that you have in chips.",
        )
    turn.emit(ev.ChipsCashedOut(seat.number, amount))


def be_ready(turn: Turn, seat: Seat) -> None:
    """For wagers and cuts, where the table waits for everybody; answers are given by themselves."""
    ask = turn.state.ask
    if ask is None or ask.kind not in _FOR_ALL:
        raise Refused(
            RefusalCode.NOT_TIME_TO_ACT, (), "The table waits for an answer, not for the ready."
        )
    if seat.number not in turn.state.ready:
        turn.emit(ev.SeatReady(seat.number))


_FOR_ALL = (AskKind.WAGERS, AskKind.CUT_COMMIT, AskKind.CUT_OPEN)


def leave_seat(turn: Turn, seat: Seat) -> None:
    """At once, or as soon as the round with a wager of the seat is over."""
    withdraw_all(turn, seat)
    if turn.state.has_wagers(seat.number):
        if seat.status is not SeatStatus.LEAVING:
            turn.emit(ev.SeatLeaving(seat.number))
    else:
        leave(turn, seat)


def seat_time_up(turn: Turn, command: do.SeatTimeUp) -> None:
    """First away, then gone; whoever came back in the meantime is left alone."""
    seat = turn.state.seats.get(command.seat)
    hold = turn.around.holds.get(command.seat)
    if seat is None or hold is None or hold > turn.around.at:
        raise Refused(RefusalCode.STALE, (), "The seat is not absent any more.")
    if seat.status is SeatStatus.LEAVING and turn.state.has_wagers(seat.number):
        raise Refused(RefusalCode.STALE, (), "The seat leaves when its round is over.")
    if seat.status is SeatStatus.HERE:
        turn.emit(ev.SeatAway(seat.number))
    else:
        leave_seat(turn, seat)


def _require_no_wagers(state: TableState, seat: Seat, what: str) -> None:
    if state.has_wagers(seat.number):
        raise Refused(
            RefusalCode.IN_ROUND,
            (),
            f"You can {what} when no wager of yours is on the table: withdraw it before the deal, "
            "or finish the round.",
        )
