"""Commands to events: refused with a reason, or carried out as far as the table can go."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import get_args

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.commands import PlayerCommand, VoidRound
from ventiuna.engine.decide import decide
from ventiuna.table import events as ev
from ventiuna.table.events import AskKind
from ventiuna.table.play import commands as do
from ventiuna.table.play import operating, seating
from ventiuna.table.play.commands import (
    ClockCommand,
    PersonCommand,
    SeatCommand,
    TableCommand,
)
from ventiuna.table.play.cutting import commit_cut, open_cut
from ventiuna.table.play.playing import go_on, play
from ventiuna.table.play.state import Ask, Seat, SeatStatus, TableState, TableStatus
from ventiuna.table.play.turn import Turn


class Role(StrEnum):
    PLAYER = "player"
    OPERATOR = "operator"
    AUDITOR = "auditor"
    HOUSE = "house"  # the service itself: its clock, its tables


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks. `name` goes into the book."""

    name: str  # person/12, clock, table/7
    role: Role
    person: str = ""  # the id, of a person
    called: str = ""  # how people call that person


CLOCK = Actor("clock", Role.HOUSE)
SERVICE = Actor("service", Role.HOUSE)

# Answers to what the table waits for; they name its ask, so that none comes true later.
ANSWERS = frozenset((*get_args(PlayerCommand), do.Ready, do.CommitCut, do.OpenCut))


def carry_out(turn: Turn, actor: Actor, command: TableCommand, ask: int | None = None) -> None:
    """Everything that follows from the command; raises `Refused`, and then the turn is void."""
    if turn.state.lost and not isinstance(command, do.LoseShoes):
        raise Refused(
            RefusalCode.TABLE_FAULT,
            (),
            "The house key doesn't open this table's shoe: an operator must put the right key back "
            "or replace it.",
        )
    if isinstance(command, do.LoseShoes):
        if actor.role is not Role.HOUSE:  # in older books, the house did this itself
            _require_role(actor, Role.OPERATOR)
        operating.lose_all_shoes(turn, command)
    elif isinstance(command, PersonCommand):
        _by_person(turn, actor, command, ask)
    elif isinstance(command, ClockCommand | do.FaultTable):
        _require_role(actor, Role.HOUSE)
        _by_house(turn, command)
    else:
        _require_role(actor, Role.OPERATOR)
        _by_operator(turn, command)
    go_on(turn)


def _require_role(actor: Actor, role: Role) -> None:
    if actor.role is not role:
        raise Refused(RefusalCode.NOT_ALLOWED, (), f"This is for the {role} alone.")


# --- people -----------------------------------------------------------------------------------


def _by_person(turn: Turn, actor: Actor, command: PersonCommand, ask: int | None) -> None:
    if not actor.person:
        raise Refused(RefusalCode.NOT_ALLOWED, (), "Only people sit at tables.")
    if actor.role is Role.AUDITOR:
        raise Refused(RefusalCode.NOT_ALLOWED, (), "An auditor reads and changes nothing.")
    _require_play(turn, command)
    if type(command) in ANSWERS:
        _check_ask(turn.state, command, ask)
    if isinstance(command, do.TakeSeat):
        seating.take_seat(turn, actor.person, actor.called, command)
        return
    seat = _present_seat(turn, actor.person, command)
    if isinstance(command, SeatCommand):
        _by_seat(turn, seat, command)
    else:
        play(turn, seat, command)


def _require_play(turn: Turn, command: PersonCommand) -> None:
    status = turn.state.status
    if status is TableStatus.CLOSED:
        raise Refused(RefusalCode.TABLE_CLOSED, (), "The table is closed.")
    if status is TableStatus.FAULT:
        raise Refused(
            RefusalCode.TABLE_FAULT,
            (),
            "Play has stopped for a fault: an operator must look at the table first.",
        )


def _check_ask(state: TableState, command: PersonCommand, ask: int | None) -> None:
    """Refuse an answer to an earlier prompt, and say why it can't count now."""
    if state.ask is not None and ask == state.ask.number:
        return
    why = _waits_for(state.ask)
    rules: tuple[str, ...] = ()
    if state.round is not None and isinstance(command, get_args(PlayerCommand)):
        try:
            decide(state.round, command)
        except Refused as refused:
            why, rules = refused.message, refused.rules
    raise Refused(RefusalCode.STALE, rules, f"This answers an earlier prompt. {why}")


def _waits_for(ask: Ask | None) -> str:
    if ask is None:
        return "The table isn't waiting for an answer now."
    if ask.kind is AskKind.DECISION:
        return f"The table is waiting for spot {ask.spots[0]}'s next decision."
    return {
        AskKind.WAGERS: "The table is taking wagers for the next round now.",
        AskKind.BLACKJACK: "The table is asking players with a blackjack now.",
        AskKind.INSURANCE: "The table is asking about insurance now.",
    }.get(ask.kind, "The next shoe is being cut now.")


def _present_seat(turn: Turn, person: str, command: PersonCommand) -> Seat:
    """The person's seat; whoever acts is back."""
    seat = turn.state.seat_of(person)
    if seat is None:
        raise Refused(RefusalCode.NOT_SEATED, (), "You have no seat at this table: take one first.")
    if seat.status is SeatStatus.AWAY and not isinstance(command, do.LeaveSeat):
        turn.emit(ev.SeatBack(seat.number))
        return turn.state.seats[seat.number]
    if seat.status is SeatStatus.LEAVING and not isinstance(command, do.ComeBack):
        raise Refused(
            RefusalCode.NOT_SEATED, (), "You are leaving: your hand is played to its end for you."
        )
    return seat


def _by_seat(turn: Turn, seat: Seat, command: SeatCommand) -> None:
    if isinstance(command, do.ChooseSpots):
        seating.choose_spots(turn, seat, command)
    elif isinstance(command, do.BuyChips):
        seating.buy_chips(turn, seat, command)
    elif isinstance(command, do.CashOut):
        seating.cash_out(turn, seat, command)
    elif isinstance(command, do.LeaveSeat):
        seating.leave_seat(turn, seat)
    elif isinstance(command, do.Ready):
        seating.be_ready(turn, seat)
    elif isinstance(command, do.CommitCut):
        commit_cut(turn, seat, command)
    elif isinstance(command, do.OpenCut):
        open_cut(turn, seat, command)
    elif isinstance(command, do.ComeBack) and seat.status is SeatStatus.LEAVING:
        turn.emit(ev.SeatBack(seat.number))


# --- the house --------------------------------------------------------------------------------


def _by_house(turn: Turn, command: ClockCommand | do.FaultTable) -> None:
    if isinstance(command, do.TimeUp):
        operating.time_up(turn, command)
    elif isinstance(command, do.SeatTimeUp):
        seating.seat_time_up(turn, command)
    elif isinstance(command, do.RestartClocks):
        operating.restart_clocks(turn, command)
    else:
        operating.fault_table(turn, command)


def _by_operator(turn: Turn, command: do.OperatorCommand) -> None:
    if turn.state.status is TableStatus.CLOSED:
        raise Refused(RefusalCode.TABLE_CLOSED, (), "The table is closed.")
    if isinstance(command, do.OpenTable):
        operating.open_table(turn)
    elif isinstance(command, do.CloseTable):
        operating.close_table(turn, command)
    elif isinstance(command, do.ResumeTable):
        operating.resume_table(turn, command)
    elif isinstance(command, do.DropBank):
        operating.drop_bank(turn, command)
    elif isinstance(command, VoidRound):
        operating.void_round(turn, command)
    elif isinstance(command, do.LinkJackpot):
        operating.link_jackpot(turn, command)
    else:
        operating.unlink_jackpot(turn, command)
