"""Command handlers: refuse a command with a reason, or carry it out and advance the table.

Players take seats, buy chips, choose spots and leave. Operators and the clock open, close, fault
and resume tables. Each command becomes an entry that records the sender and the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar, get_args

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.commands import PlayerCommand, Supervise, VoidRound, quoted
from ventiuna.engine.decide import decide
from ventiuna.engine.events import Authority
from ventiuna.engine.prompts import PAYMENTS, THIRD_CARD, SupervisorWanted
from ventiuna.money import money_text
from ventiuna.rules import fingerprint
from ventiuna.rules.model import JackpotKind
from ventiuna.rules.text.phrases import join_words
from ventiuna.rules.text.references import UnknownNumber, explain
from ventiuna.table.access import Access, holders, may
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import (
    FLOOR_COMMANDS,
    PersonCommand,
    SeatCommand,
    TableCommand,
    checked_reason,
)
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.flow import (
    CommandRun,
    PastSpot,
    advance,
    answer_for_all,
    commit_cut,
    commit_shoe,
    handle_play,
    is_cutting,
    lose_shoes,
    open_cut,
    require_inspected,
    vacate_seat,
    withdraw_all,
)
from ventiuna.table.domain.inspection import refused_step, require_inspection
from ventiuna.table.domain.state import (
    Ask,
    RoundOutcome,
    Seat,
    SeatStatus,
    TableState,
    TableStatus,
)
from ventiuna.table.ledger import check_amount


def take_seat(run: CommandRun, person: str, name: str, command: do.TakeSeat) -> None:
    state = run.state
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
    run.emit(ev.SeatTaken(command.seat, person, name))
    if command.seat not in state.spots:
        run.emit(ev.SpotsChosen(command.seat, (command.seat,)))


def _seat_numbers(state: TableState) -> range:
    return range(1, state.rules.seats + 1)


def choose_spots(run: CommandRun, seat: Seat, command: do.ChooseSpots) -> None:
    state = run.state
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
    run.emit(ev.SpotsChosen(seat.number, tuple(sorted(set(command.spots)))))


def buy_chips(run: CommandRun, seat: Seat, command: do.BuyChips) -> None:
    """Buy chips, but never during a round, when the amount at stake is fixed."""
    state = run.state
    check_amount(command.amount, "buy")
    if state.is_dealt and state.has_wagers(seat.number):
        raise Refused(
            RefusalCode.IN_ROUND,
            (),
            "You can buy chips only between rounds. Finish this one first.",
        )
    wallet = run.environment.wallets.get(seat.person, 0)
    if command.amount > wallet:
        raise Refused(
            RefusalCode.NOT_COVERED,
            (),
            f"{money_text(command.amount)} is more than the {money_text(wallet)} in your wallet.",
        )
    run.emit(ev.ChipsBought(seat.number, command.amount))


def cash_out(run: CommandRun, seat: Seat, command: do.CashOut) -> None:
    """Cash out, but not with a wager in a round, because the round might have to be voided."""
    state = run.state
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
    run.emit(ev.ChipsCashedOut(seat.number, amount))


def mark_ready(run: CommandRun, seat: Seat) -> None:
    """Mark the seat as done betting or cutting; other prompts need an actual answer."""
    ask = run.state.ask
    if ask is None or ask.kind not in _ASKS_FOR_ALL:
        raise Refused(
            RefusalCode.NOT_TIME_TO_ACT,
            (),
            "The table is waiting for an answer, not for players to be ready.",
        )
    if seat.number not in run.state.ready:
        run.emit(ev.SeatReady(seat.number))


_ASKS_FOR_ALL = (AskKind.WAGERS, AskKind.CUT_COMMIT, AskKind.CUT_OPEN)


def leave_seat(run: CommandRun, seat: Seat) -> None:
    """Leave at once, or as soon as the round with the seat's wagers is over."""
    withdraw_all(run, seat)
    if run.state.has_wagers(seat.number):
        if seat.status is not SeatStatus.LEAVING:
            run.emit(ev.SeatLeaving(seat.number))
    else:
        vacate_seat(run, seat)


def seat_time_up(run: CommandRun, command: do.SeatTimeUp) -> None:
    """Mark an absent seat away, and later cash it out; does nothing if the player is back."""
    seat = run.state.seats.get(command.seat)
    hold = run.environment.holds.get(command.seat)
    if seat is None or hold is None or hold > run.environment.at:
        raise Refused(RefusalCode.STALE, (), "The player is no longer absent.")
    if seat.status is SeatStatus.LEAVING and run.state.has_wagers(seat.number):
        raise Refused(RefusalCode.STALE, (), "The player leaves when the round is over.")
    if seat.status is SeatStatus.HERE:
        run.emit(ev.SeatAway(seat.number))
    else:
        leave_seat(run, seat)


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
_OPERATOR_HANDLERS: dict[type, Callable[[CommandRun, Any], None]] = {}


def handles(
    kind: type[C],
) -> Callable[[Callable[[CommandRun, C], None]], Callable[[CommandRun, C], None]]:
    """Register an operator command's handler, which gets the command with a checked reason."""

    def register(handler: Callable[[CommandRun, C], None]) -> Callable[[CommandRun, C], None]:
        _OPERATOR_HANDLERS[kind] = handler
        return handler

    return register


@handles(do.OpenTable)
def open_table(run: CommandRun, _: do.OpenTable) -> None:
    """Write the first entry of a table's book."""
    state = run.state
    if state.head.version:
        raise Refused(
            RefusalCode.BAD_COMMAND,
            (),
            "The table is already open. Only a new table can be opened.",
        )
    run.emit(ev.TableOpened(state.name, state.rules.name, fingerprint(state.rules)))
    commit_shoe(run)


@handles(do.CloseTable)
def close_table(run: CommandRun, command: do.CloseTable) -> None:
    if run.state.status is TableStatus.CLOSING:
        raise Refused(RefusalCode.TABLE_CLOSED, (), "The table is already closing.")
    if run.state.status is TableStatus.FAULT:
        raise Refused(
            RefusalCode.TABLE_FAULT,
            (),
            "The table has stopped because of an error. Void its round or resume it.",
        )
    run.emit(ev.TableClosing(command.reason.strip()))


@handles(VoidRound)
def void_round(run: CommandRun, command: VoidRound) -> None:
    """Void the round: everyone's wagers are returned, and payouts are taken back."""
    if run.state.round is None:
        raise Refused(RefusalCode.NO_ROUND, (), "There is no round in progress at this table.")
    run.play(command)
    _resume(run, command.reason)


@handles(do.ResumeTable)
def resume_table(run: CommandRun, command: do.ResumeTable) -> None:
    if run.state.status is not TableStatus.FAULT:
        raise Refused(
            RefusalCode.NOTHING_TO_RESUME,
            (),
            "The table hasn't stopped, so there is nothing to resume.",
        )
    _resume(run, command.reason.strip())


def _resume(run: CommandRun, reason: str) -> None:
    """Resume play after a fault, or resume closing if the table was closing."""
    if run.state.status is TableStatus.FAULT:
        run.emit(ev.TableResumed(reason))
        if run.state.closes:
            run.emit(ev.TableClosing(STILL_CLOSING))


def lose_all_shoes(run: CommandRun, command: do.LoseShoes) -> None:
    """End shoes with unknown cards: void the open round, and end its shoe unrevealed."""
    state = run.state
    shoes = [shoe.number for shoe in (state.in_play, state.next_shoe) if shoe is not None]
    if command.shoe != max(shoes, default=0):
        raise Refused(RefusalCode.STALE, (), "The table's shoes have changed since then.")
    if state.round is not None:
        if state.round.order:
            run.play(VoidRound(command.reason))
        run.emit(ev.RoundClosed(state.rounds))
    lose_shoes(run, command.reason)
    _resume(run, command.reason)


@handles(do.DropBank)
def drop_bank(run: CommandRun, command: do.DropBank) -> None:
    """Move the bank's result to the house at the end of the day, unless a round is in progress."""
    state = run.state
    if state.stake or state.is_dealt:
        raise Refused(
            RefusalCode.IN_ROUND,
            (),
            "The bank can be transferred only between rounds. Wait for this one to end.",
        )
    if state.bank:
        run.emit(ev.BankDropped(state.bank))


@handles(do.CorrectRound)
def correct_round(run: CommandRun, command: do.CorrectRound) -> None:
    """Correct a closed round: pay the shortfall, or take back the overpayment."""
    past = _correctable(run, command)
    rule = _checked_rule(command.rule)
    difference = command.paid - past.paid
    if not difference:
        raise Refused(
            RefusalCode.BAD_COMMAND,
            (),
            f"Round {command.round_number} already paid {money_text(past.paid)} to spot "
            f"{command.spot}, so nothing changes. Enter the amount that it should have paid.",
        )
    check_amount(abs(difference), "correct")
    has = run.environment.wallets.get(past.person, 0)
    if has + difference < 0:
        raise Refused(
            RefusalCode.NOT_COVERED,
            (),
            f"This takes {money_text(-difference)} from the player's balance, which has only "
            f"{money_text(has)} and can't go below zero. Chips at a table don't count until the "
            "player cashes them out.",
        )
    run.emit(
        ev.RoundCorrected(
            command.round_number,
            command.spot,
            past.person,
            past.staked,
            past.paid,
            command.paid,
            rule,
            command.reason.strip(),
            past.correction,
        )
    )
    if run.state.status is TableStatus.CLOSED:
        run.emit(ev.BankDropped(run.state.bank))


def _correctable(run: CommandRun, command: do.CorrectRound) -> PastSpot:
    past, number, spot = run.environment.past, command.round_number, command.spot
    if past is None:
        sentence = f"Table {run.state.number} has no round {number}."
        raise Refused(RefusalCode.NO_ROUND, (), sentence)
    if past.outcome is RoundOutcome.OPEN:
        sentence = f"Round {number} isn't over yet. Wait until it is, or void it."
        raise Refused(RefusalCode.IN_ROUND, (), sentence)
    if past.outcome is RoundOutcome.VOID:
        sentence = f"Round {number} was voided and paid nothing, so it can't be corrected."
        raise Refused(RefusalCode.BAD_COMMAND, (), sentence)
    if not past.person:
        sentence = f"Spot {spot} had no wagers in round {number}."
        raise Refused(RefusalCode.NO_SUCH_SPOT, (), sentence)
    if past.correction != (command.earlier or 0):
        where = f"Spot {spot} of round {number}"
        sentence = f"{where} has no correction yet. Leave out the earlier correction."
        if past.correction:
            sentence = (
                f"{where} was already corrected, by event {past.correction}. To correct it again, "
                "name that event as the earlier correction."
            )
        raise Refused(RefusalCode.STALE, (), sentence)
    return past


def _checked_rule(number: str) -> str:
    try:
        return explain(number).number
    except UnknownNumber as error:
        raise Refused(RefusalCode.BAD_COMMAND, (), str(error)) from None


@handles(do.LinkJackpot)
def link_jackpot(run: CommandRun, command: do.LinkJackpot) -> None:
    """Link a jackpot the writer has already checked and locked."""
    _require_game(run, command.game)
    if command.game in run.state.links:
        raise Refused(
            RefusalCode.ALREADY_LINKED,
            (),
            f"Jackpot {command.game} at this table already has a meter.",
        )
    rate = run.environment.reserve_rates[command.jackpot]
    run.emit(ev.JackpotLinked(command.game, command.jackpot, rate))


@handles(do.UnlinkJackpot)
def unlink_jackpot(run: CommandRun, command: do.UnlinkJackpot) -> None:
    """Unlink a jackpot between rounds; past contributions stay in the meter."""
    _require_game(run, command.game)
    link = run.state.links.get(command.game)
    if link is None:
        raise Refused(
            RefusalCode.JACKPOT_NOT_LINKED,
            (),
            f"Jackpot {command.game} at this table has no meter.",
        )
    run.emit(ev.JackpotUnlinked(command.game, link.jackpot))


def _require_game(run: CommandRun, game: int) -> None:
    state = run.state
    jackpots = state.rules.jackpots
    if game not in range(1, len(jackpots) + 1) or jackpots[game - 1].kind is JackpotKind.HOUSE:
        raise Refused(
            RefusalCode.NO_SUCH_JACKPOT,
            ("R-084",),
            f"Jackpot game {game} isn't a progressive under this table's rules.",
        )
    if state.round is not None and any(game in spot.jackpots for spot in state.round.order):
        raise Refused(
            RefusalCode.IN_ROUND,
            (),
            "There are wagers on this jackpot. Wait until the round is over.",
        )


@handles(do.InspectDeck)
def inspect_deck(run: CommandRun, command: do.InspectDeck) -> None:
    run.emit(require_inspection(run.state.inspection).check_deck(command))


@handles(do.ShuffleDecks)
def shuffle_decks(run: CommandRun, command: do.ShuffleDecks) -> None:
    run.emit(require_inspection(run.state.inspection).shuffle(command))


@handles(do.BoxCards)
def box_cards(run: CommandRun, command: do.BoxCards) -> None:
    """Record the end of the day; `advance` then closes the table."""
    state = run.state
    event = require_inspection(state.inspection).box(command)
    if state.status is not TableStatus.CLOSING or state.round is not None:
        raise refused_step(
            "The cards go back into their boxes at the end of the day. Close the table first, and "
            "wait until its round ends."
        )
    run.emit(event)


def raise_alarm(run: CommandRun, command: do.RaiseAlarm) -> None:
    """Record an alarm, unless the same test has one that nobody has acknowledged."""
    if any(alarm.stream == command.stream for alarm in run.state.alarms.values()):
        raise Refused(RefusalCode.STALE, (), "This alarm is already raised.")
    run.emit(ev.AlarmRaised(command.stream, command.finding, command.rounds))


@handles(do.AcknowledgeAlarm)
def acknowledge_alarm(run: CommandRun, command: do.AcknowledgeAlarm) -> None:
    """Acknowledge an alarm, even after the table closed."""
    if command.alarm not in run.state.alarms:
        waiting = join_words(list(map(str, run.state.alarms))) or "none"
        raise Refused(
            RefusalCode.STALE,
            (),
            f"Alarm {quoted(command.alarm)} isn't waiting to be acknowledged. Waiting: {waiting}.",
        )
    run.emit(ev.AlarmAcknowledged(command.alarm))


_TASKS: dict[type[do.AcknowledgeCall | do.AuthorizePayments], tuple[str, str]] = {
    do.AcknowledgeCall: (THIRD_CARD, "a floor person to watch a third card"),
    do.AuthorizePayments: (PAYMENTS, "payments to be authorized"),
}


def answer_for_supervisor(
    run: CommandRun, actor: Actor, command: do.AcknowledgeCall | do.AuthorizePayments
) -> None:
    """Let play continue after a call, or pay the bonuses and awards (R-121)."""
    state = run.state
    task, words = _TASKS[type(command)]
    prompt = state.waiting
    if not isinstance(prompt, SupervisorWanted) or prompt.task != task:
        raise Refused(
            RefusalCode.NOT_TIME_TO_ACT,
            ("R-121",),
            f"Table {state.number} isn't waiting for {words}. The floor page shows what it needs.",
        )
    if state.status is TableStatus.FAULT:
        raise Refused(
            RefusalCode.TABLE_FAULT,
            (),
            "The table has stopped because of an error. An operator must resume it first.",
        )
    seat = state.seat_of(actor.person)
    if seat is not None and state.has_wagers(seat.number):
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            ("R-121",),
            "You play in this round yourself, so someone else must answer the call.",
        )
    is_floor = actor.role is ActorRole.FLOOR
    if not is_floor and state.asks_for is AskKind.SUPERVISOR:
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            ("R-121",),
            "Only a floor person may answer now. An operator may do so once the supervisor clock "
            "has run out.",
        )
    run.play(Supervise(Authority.FLOOR if is_floor else Authority.OPERATOR))


def pay_by_hand(run: CommandRun, actor: Actor, command: do.PayByHand) -> None:
    """Pay a held award into the player's wallet, even if the player or the table is gone."""
    held = run.state.held_awards.get(command.award)
    if held is None:
        waiting = join_words(list(map(str, run.state.held_awards))) or "none"
        raise Refused(
            RefusalCode.STALE,
            ("R-122",),
            f"Award {quoted(command.award)} isn't waiting for a hand-pay. Waiting: {waiting}.",
        )
    if held.person == actor.person:
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            ("R-122",),
            "You won this award yourself, so someone else must pay it.",
        )
    run.emit(
        ev.AwardHandPaid(command.award, held.round_number, held.spot, held.person, held.amount)
    )


def time_up(run: CommandRun, command: do.TimeUp) -> None:
    """Apply a timeout if the prompt is current and its deadline has passed."""
    state = run.state
    ask = state.ask
    over = state.deadline is not None and state.deadline <= run.environment.at
    if ask is None or ask.number != command.ask or not over:
        raise Refused(RefusalCode.STALE, (), "The table has moved on. Nothing timed out.")
    run.emit(ev.TimeRanOut(ask.number))
    if not is_cutting(state):
        answer_for_all(run)


class ActorRole(StrEnum):
    PLAYER = "player"
    FLOOR = "floor"
    OPERATOR = "operator"
    AUDITOR = "auditor"
    OWNER = "owner"
    HOUSE = "house"  # the service itself: its clock and tables


@dataclass(frozen=True, slots=True)
class Actor:
    """The sender of a command; `name` is recorded in the book."""

    name: str  # person/12, clock, table/7
    role: ActorRole
    person: str = ""  # the person's id, if the actor is a person
    called: str = ""  # display name


CLOCK = Actor("clock", ActorRole.HOUSE)
SERVICE = Actor("service", ActorRole.HOUSE)

# Answers name their prompt so that a late one can't apply to the next prompt.
ANSWERS = frozenset((*get_args(PlayerCommand), do.Ready, do.CommitCut, do.OpenCut))


def handle(run: CommandRun, actor: Actor, command: TableCommand, ask: int | None = None) -> None:
    """Carry out the command and everything that follows from it.

    Raises `Refused`, in which case the run must be discarded.
    """
    if run.state.lost and not isinstance(command, do.LoseShoes):
        raise Refused(
            RefusalCode.TABLE_FAULT,
            (),
            "The house key doesn't open this table's shoe. An operator must put the right "
            "key back or replace it.",
        )
    if isinstance(command, do.LoseShoes):
        if actor.role is not ActorRole.HOUSE:  # in older books, the house itself sent this command
            require_access(actor, Access.OPERATE)
        lose_all_shoes(run, command)
    elif isinstance(command, PersonCommand):
        _handle_person(run, actor, command, ask)
    elif isinstance(command, do.HouseCommand):
        if actor.role is not ActorRole.HOUSE:
            raise Refused(RefusalCode.NOT_ALLOWED, (), "Only the house may do this.")
        _handle_house(run, command)
    elif isinstance(command, FLOOR_COMMANDS):
        require_access(actor, Access.SUPERVISE)
        checked_reason(command.reason)
        if isinstance(command, do.PayByHand):
            pay_by_hand(run, actor, command)
        else:
            answer_for_supervisor(run, actor, command)
    else:
        require_access(actor, do.access_to(type(command)))
        _handle_operator(run, actor, command)
    advance(run)


def require_access(actor: Actor, access: Access) -> None:
    """Refuse an actor whose role doesn't have this permission."""
    if not may(actor.role, access):
        raise Refused(RefusalCode.NOT_ALLOWED, (), f"Only the {holders(access)} may do this.")


def _handle_person(run: CommandRun, actor: Actor, command: PersonCommand, ask: int | None) -> None:
    if not actor.person:
        raise Refused(RefusalCode.NOT_ALLOWED, (), "Only people can sit at tables.")
    if not may(actor.role, Access.PLAY):
        raise Refused(RefusalCode.NOT_ALLOWED, (), "An auditor can only read.")
    _require_play(run, command)
    if type(command) in ANSWERS:
        _check_ask(run.state, command, ask)
    if isinstance(command, do.TakeSeat):
        take_seat(run, actor.person, actor.called, command)
        return
    seat = _present_seat(run, actor.person, command)
    if isinstance(command, SeatCommand):
        _handle_seat(run, seat, command)
    else:
        handle_play(run, seat, command)


def _require_play(run: CommandRun, command: PersonCommand) -> None:
    status = run.state.status
    if status is TableStatus.CLOSED:
        raise Refused(RefusalCode.TABLE_CLOSED, (), "The table is closed.")
    if status is TableStatus.FAULT:
        raise Refused(
            RefusalCode.TABLE_FAULT,
            (),
            "Play has stopped because of an error. An operator must check the table first.",
        )


def _check_ask(state: TableState, command: PersonCommand, ask: int | None) -> None:
    """Refuse an answer to an earlier prompt and say why it can't count now."""
    if state.ask is not None and ask == state.ask.number:
        return
    require_inspected(state)
    why = _waiting_message(state.ask)
    rules: tuple[str, ...] = ()
    if state.round is not None and isinstance(command, get_args(PlayerCommand)):
        try:
            decide(state.round, command)
        except Refused as refused:
            why, rules = refused.message, refused.rules
    raise Refused(RefusalCode.STALE, rules, f"This answers an earlier prompt. {why}")


_WAITS_FOR_SUPERVISOR = "Play has stopped until the dealer's call is answered."


def _waiting_message(ask: Ask | None) -> str:
    if ask is None:
        return "The table isn't waiting for an answer now."
    if ask.kind is AskKind.DECISION:
        return f"The table is waiting for spot {ask.spots[0]}'s next decision."
    return {
        AskKind.WAGERS: "The table is taking wagers for the next round now.",
        AskKind.BLACKJACK: "The table is waiting for players with a blackjack now.",
        AskKind.INSURANCE: "The table is offering insurance now.",
        AskKind.SUPERVISOR: _WAITS_FOR_SUPERVISOR,
        AskKind.SUPERVISOR_LATE: _WAITS_FOR_SUPERVISOR,
    }.get(ask.kind, "The next shoe is being cut now.")


def _present_seat(run: CommandRun, person: str, command: PersonCommand) -> Seat:
    """Return the person's seat; acting brings an absent player back."""
    seat = run.state.seat_of(person)
    if seat is None:
        raise Refused(RefusalCode.NOT_SEATED, (), "You have no seat at this table. Take one first.")
    if seat.status is SeatStatus.AWAY and not isinstance(command, do.LeaveSeat):
        run.emit(ev.SeatBack(seat.number))
        return run.state.seats[seat.number]
    if seat.status is SeatStatus.LEAVING and not isinstance(command, do.ComeBack):
        raise Refused(
            RefusalCode.NOT_SEATED, (), "You are leaving. Your hand is being played out for you."
        )
    return seat


def _handle_seat(run: CommandRun, seat: Seat, command: SeatCommand) -> None:
    if isinstance(command, do.ChooseSpots):
        choose_spots(run, seat, command)
    elif isinstance(command, do.BuyChips):
        buy_chips(run, seat, command)
    elif isinstance(command, do.CashOut):
        cash_out(run, seat, command)
    elif isinstance(command, do.LeaveSeat):
        leave_seat(run, seat)
    elif isinstance(command, do.Ready):
        mark_ready(run, seat)
    elif isinstance(command, do.CommitCut):
        commit_cut(run, seat, command)
    elif isinstance(command, do.OpenCut):
        open_cut(run, seat, command)
    elif isinstance(command, do.ComeBack) and seat.status is SeatStatus.LEAVING:
        run.emit(ev.SeatBack(seat.number))


def _handle_house(run: CommandRun, command: do.HouseCommand) -> None:
    if isinstance(command, do.TimeUp):
        time_up(run, command)
    elif isinstance(command, do.SeatTimeUp):
        seat_time_up(run, command)
    elif isinstance(command, do.RestartClocks):
        if run.state.deadline is None:
            raise Refused(RefusalCode.STALE, (), "No clock is running at this table.")
        run.emit(ev.ClocksRestarted(checked_reason(command.reason)))
    elif isinstance(command, do.RaiseAlarm):
        raise_alarm(run, command)
    elif run.state.status in (TableStatus.OPEN, TableStatus.CLOSING):
        run.emit(ev.TableFaulted(command.reason))


def _handle_operator(
    run: CommandRun, actor: Actor, command: do.OperatorCommand | VoidRound
) -> None:
    is_correction = isinstance(command, do.CorrectRound)
    # Rounds can be corrected and alarms acknowledged even after the table closed.
    looks_back = is_correction or isinstance(command, do.AcknowledgeAlarm)
    if run.state.status is TableStatus.CLOSED and not looks_back:
        raise Refused(RefusalCode.TABLE_CLOSED, (), "The table is closed.")
    if not isinstance(command, do.OpenTable):
        checked_reason(command.reason)
    past = run.environment.past
    if is_correction and past is not None and past.person and past.person == actor.person:
        sentence = "You played this spot yourself, so someone else must correct it."
        raise Refused(RefusalCode.NOT_ALLOWED, (), sentence)
    _OPERATOR_HANDLERS[type(command)](run, command)
