"""What operators and the clock do to a table. Each is an entry with who and why."""

from __future__ import annotations

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.commands import VoidRound
from ventiuna.rules import fingerprint
from ventiuna.rules.model import JackpotKind
from ventiuna.table import events as ev
from ventiuna.table.play import commands as do
from ventiuna.table.play.cutting import commit_shoe, is_cutting, lose_shoes
from ventiuna.table.play.playing import answer_for_all
from ventiuna.table.play.reasons import checked_reason
from ventiuna.table.play.state import TableStatus
from ventiuna.table.play.turn import Turn

STILL_CLOSING = "it was closing when it met its fault"


def open_table(turn: Turn) -> None:
    """The first entry of a table's book."""
    state = turn.state
    if state.head.version:
        raise Refused(RefusalCode.BAD_COMMAND, (), "The table is open: give a new one its own.")
    turn.emit(ev.TableOpened(state.name, state.rules.name, fingerprint(state.rules)))
    commit_shoe(turn)


def close_table(turn: Turn, command: do.CloseTable) -> None:
    reason = checked_reason(command.reason)
    if turn.state.status is TableStatus.CLOSING:
        raise Refused(RefusalCode.TABLE_CLOSED, (), "The table is closing already.")
    _require_sound(turn)
    turn.emit(ev.TableClosing(reason))


def void_round(turn: Turn, command: VoidRound) -> None:
    """Everybody gets back what the round took and gives back what it paid."""
    checked_reason(command.reason)
    if turn.state.round is None:
        raise Refused(RefusalCode.NO_ROUND, (), "No round is open at this table.")
    turn.play(command)
    _resume(turn, command.reason)


def resume_table(turn: Turn, command: do.ResumeTable) -> None:
    reason = checked_reason(command.reason)
    if turn.state.status is not TableStatus.FAULT:
        raise Refused(RefusalCode.NOTHING_TO_RESUME, (), "The table is not in a fault.")
    _resume(turn, reason)


def _resume(turn: Turn, reason: str) -> None:
    """Play goes on after a fault; a table that was closing goes on with that."""
    if turn.state.status is TableStatus.FAULT:
        turn.emit(ev.TableResumed(reason))
        if turn.state.closes:
            turn.emit(ev.TableClosing(STILL_CLOSING))


def fault_table(turn: Turn, command: do.FaultTable) -> None:
    if turn.state.status in (TableStatus.OPEN, TableStatus.CLOSING):
        turn.emit(ev.TableFaulted(command.reason))


def lose_all_shoes(turn: Turn, command: do.LoseShoes) -> None:
    """Nobody knows the cards any more: the open round is void, and its shoe ends unrevealed."""
    state = turn.state
    shoes = [shoe.number for shoe in (state.in_play, state.next_shoe) if shoe is not None]
    if command.shoe != max(shoes, default=0):
        raise Refused(RefusalCode.STALE, (), "The table has other shoes by now.")
    if state.round is not None:
        if state.round.order:
            turn.play(VoidRound(command.reason))
        turn.emit(ev.RoundClosed(state.rounds))
    lose_shoes(turn, command.reason)
    _resume(turn, command.reason)


def drop_bank(turn: Turn, command: do.DropBank) -> None:
    """The day's end: the bank's result goes to the house, as far as no round is open."""
    checked_reason(command.reason)
    state = turn.state
    if state.stake or state.is_dealt:
        raise Refused(RefusalCode.IN_ROUND, (), "The bank is dropped between rounds: wait for it.")
    if state.bank:
        turn.emit(ev.BankDropped(state.bank))


def link_jackpot(turn: Turn, command: do.LinkJackpot) -> None:
    """The writer has looked at the jackpot itself and holds it."""
    checked_reason(command.reason)
    _require_game(turn, command.game)
    if command.game in turn.state.links:
        raise Refused(
            RefusalCode.ALREADY_LINKED, (), f"Jackpot {command.game} of this table has a meter."
        )
    rate = turn.around.reserve_rates[command.jackpot]
    turn.emit(ev.JackpotLinked(command.game, command.jackpot, rate))


def unlink_jackpot(turn: Turn, command: do.UnlinkJackpot) -> None:
    """Between rounds: what was contributed stays in the meter."""
    checked_reason(command.reason)
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
            f"game: {game} is not a progressive of this table's rules.",
        )
    if state.round is not None and any(game in spot.jackpots for spot in state.round.order):
        raise Refused(
            RefusalCode.IN_ROUND, (), "Wagers of this jackpot are on the table: wait for the end."
        )


def time_up(turn: Turn, command: do.TimeUp) -> None:
    """Only the ask that still stands, and only when its time is over."""
    state = turn.state
    ask = state.ask
    over = state.deadline is not None and state.deadline <= turn.around.at
    if ask is None or ask.number != command.ask or not over:
        raise Refused(RefusalCode.STALE, (), "The table has moved on: nothing ran out.")
    turn.emit(ev.TimeRanOut(ask.number))
    if not is_cutting(state):
        answer_for_all(turn)


def restart_clocks(turn: Turn, command: do.RestartClocks) -> None:
    if turn.state.deadline is None:
        raise Refused(RefusalCode.STALE, (), "No clock runs at this table.")
    turn.emit(ev.ClocksRestarted(checked_reason(command.reason)))


def _require_sound(turn: Turn) -> None:
    if turn.state.status is TableStatus.FAULT:
        raise Refused(
            RefusalCode.TABLE_FAULT, (), "The table is in a fault: void its round or resume it."
        )
