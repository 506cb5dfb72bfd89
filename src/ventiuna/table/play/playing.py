"""The way of a table from ask to ask: rounds open, cards are dealt, defaults answer, rounds close.

The order of play is the engine's. Here is only who answers, when, and what happens between two
rounds.
"""

from __future__ import annotations

from ventiuna.core import meters
from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.commands import (
    CloseWagers,
    Command,
    DealCard,
    Insure,
    PlaceWagers,
    PlayerCommand,
    ShowMeters,
    Stand,
    TakeBlackjack,
    VoidRound,
    WithdrawWagers,
)
from ventiuna.engine.events import Stage
from ventiuna.engine.shoe import OutOfCards
from ventiuna.engine.stakes import Stakes
from ventiuna.engine.waiting import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    WagersWanted,
)
from ventiuna.rules.model import JackpotKind
from ventiuna.table import events as ev
from ventiuna.table.events import AskKind
from ventiuna.table.play.cutting import go_on_cutting, is_cutting, reveal_shoe
from ventiuna.table.play.folding import remainders_of
from ventiuna.table.play.state import Seat, SeatStatus, TableState, TableStatus
from ventiuna.table.play.turn import Turn

OUT_OF_CARDS = "every card of the shoe is on the table"


def go_on(turn: Turn) -> None:
    """Carry the table on until somebody is asked, or nothing is left to do."""
    while _step(turn):
        pass


def _step(turn: Turn) -> bool:
    """One thing that needs nobody's answer; False when there is none."""
    state = turn.state
    if state.status in (TableStatus.FAULT, TableStatus.CLOSED):
        return False
    return _step_in_round(turn) if state.round is not None else _step_between_rounds(turn)


# --- between rounds ---------------------------------------------------------------------------


def _step_between_rounds(turn: Turn) -> bool:
    state = turn.state
    if state.live is not None and state.live.is_over:
        reveal_shoe(turn)
        return True
    if state.status is TableStatus.CLOSING:
        _close_table(turn)
        return False
    if leaving := [seat for seat in state.seats.values() if seat.status is SeatStatus.LEAVING]:
        leave(turn, leaving[0])
        return True
    if state.live is None and (state.players or is_cutting(state)):
        # Even where everybody has gone: whoever comes next must not find half a cut.
        go_on_cutting(turn)
        return state.live is not None
    if not state.players:
        return False
    _open_round(turn)
    return True


def _open_round(turn: Turn) -> None:
    state = turn.state
    assert state.in_play is not None, "a round without a shoe"
    shown = turn.around.shown
    meters = {
        game: shown[link.jackpot] for game, link in state.links.items() if link.jackpot in shown
    }
    turn.emit(
        ev.RoundOpened(state.rounds + 1, state.in_play.number, Stakes(meters), remainders_of(state))
    )


def leave(turn: Turn, seat: Seat) -> None:
    """The seat's chips go to its wallet, and the seat is free."""
    if chips := turn.state.stack(seat.number):
        turn.emit(ev.ChipsCashedOut(seat.number, chips))
    turn.emit(ev.SeatLeft(seat.number))


def _close_table(turn: Turn) -> None:
    state = turn.state
    for seat in list(state.seats.values()):
        leave(turn, seat)
    if state.in_play is not None:
        reveal_shoe(turn)
    if state.bank:
        turn.emit(ev.BankDropped(state.bank))
    turn.emit(ev.TableClosed())


# --- within a round ---------------------------------------------------------------------------


def _step_in_round(turn: Turn) -> bool:
    wanted = turn.state.waiting
    if isinstance(wanted, CardWanted):
        _deal(turn)
        return True
    if isinstance(wanted, NothingWanted):
        _close_round(turn)
        return True
    if isinstance(wanted, MetersWanted):
        turn.play(ShowMeters(turn.read_meters(wanted.games)))
        return True
    if isinstance(wanted, WagersWanted):
        return _wait_for_wagers(turn)
    return _wait_for_answers(turn, wanted)


def _deal(turn: Turn) -> None:
    assert turn.state.live is not None, "a card is wanted, and there is no shoe"
    try:
        card = turn.state.live.draw()
    except OutOfCards:
        turn.play(VoidRound(OUT_OF_CARDS))
    else:
        turn.play(DealCard(card))


def _close_round(turn: Turn) -> None:
    """A void round ends its shoe: somebody may know what would have come."""
    state = turn.state
    is_void = state.open_round.stage is Stage.VOID
    turn.emit(ev.RoundClosed(state.rounds))
    if is_void:
        reveal_shoe(turn)


def _wait_for_wagers(turn: Turn) -> bool:
    state = turn.state
    if not state.open_round.order:
        if state.status is TableStatus.CLOSING or not state.players:
            # Nobody wagered: the round ends as if it had not been.
            turn.emit(ev.RoundClosed(state.rounds))
            return True
    elif all(seat.number in state.ready for seat in state.players):
        turn.play(CloseWagers())
        _raise_reserves(turn)
        return True
    if state.ask is None or state.ask.kind is not AskKind.WAGERS:
        turn.emit(ev.AskRaised(AskKind.WAGERS))
    return False


def _raise_reserves(turn: Turn) -> None:
    """The hidden part of each jackpot wager, beside the contribution that the meter shows."""
    state = turn.state
    for spot in state.open_round.order:
        for game, stake in spot.jackpots.items():
            link = state.links.get(game)
            if link is not None and link.reserve_rate:
                added = stake * link.reserve_rate
                amount = meters.raised_by(link.reserve_remainder, added)
                remainder = meters.remainder_after(link.reserve_remainder, added)
                turn.emit(ev.ReserveRaised(game, amount, remainder))


Answers = BlackjackAnswersWanted | InsuranceAnswersWanted | DecisionWanted


def _wait_for_answers(turn: Turn, wanted: Answers) -> bool:
    """Those who are not here get their defaults at once; the others are asked."""
    state = turn.state
    absent = [spot for spot in _asked(wanted) if state.is_absent(spot)]
    if absent:
        turn.play(_default(wanted, absent[0]))
        return True
    if not _is_asked_already(state, wanted):
        hand = wanted.hand if isinstance(wanted, DecisionWanted) else 0
        turn.emit(ev.AskRaised(_KINDS[type(wanted)], _asked(wanted), hand))
    return False


def answer_for_all(turn: Turn) -> None:
    """Time ran out: the defaults of everybody who is asked."""
    wanted = turn.state.waiting
    if isinstance(wanted, Answers):
        for spot in _asked(wanted):
            turn.play(_default(wanted, spot))


def _asked(wanted: Answers) -> tuple[int, ...]:
    return (wanted.spot,) if isinstance(wanted, DecisionWanted) else wanted.spots


def _default(wanted: Answers, spot: int) -> Command:
    if isinstance(wanted, DecisionWanted):
        return Stand(spot)
    if isinstance(wanted, InsuranceAnswersWanted):
        return Insure(spot, 0)
    return TakeBlackjack(spot)


_KINDS: dict[type[Answers], AskKind] = {
    BlackjackAnswersWanted: AskKind.BLACKJACK,
    InsuranceAnswersWanted: AskKind.INSURANCE,
    DecisionWanted: AskKind.DECISION,
}


def _is_asked_already(state: TableState, wanted: Answers) -> bool:
    """One ask stands for all spots of a stage; that of a decision goes with its answer."""
    ask = state.ask
    if ask is None or ask.kind is not _KINDS[type(wanted)]:
        return False
    return set(_asked(wanted)) <= set(ask.spots)


# --- what players send ------------------------------------------------------------------------


def play(turn: Turn, seat: Seat, command: PlayerCommand) -> None:
    state = turn.state
    if state.round is None:
        raise Refused(RefusalCode.NO_ROUND, (), "No round is open: wait until the shoe is cut.")
    if state.spots.get(command.spot) != seat.number:
        own = ", ".join(map(str, state.spots_of(seat.number))) or "none"
        raise Refused(
            RefusalCode.NOT_YOUR_SPOT,
            (),
            f"Spot {command.spot} is not yours: your seat plays {own}.",
        )
    if isinstance(command, PlaceWagers):
        _check_person(seat, command)
        _check_jackpots(turn, command)
        command = PlaceWagers(
            command.spot, command.base, seat.person, command.mtd, command.jackpots
        )
    turn.play(command)


def _check_person(seat: Seat, command: PlaceWagers) -> None:
    if command.person not in ("", seat.person):
        raise Refused(
            RefusalCode.BAD_COMMAND, (), "person: leave it out: wagers are those of your seat."
        )


def _check_jackpots(turn: Turn, command: PlaceWagers) -> None:
    for game, cents in command.jackpots.items():
        refusal = jackpot_refusal(turn.state, game, turn.around.suspended) if cents else None
        if refusal is not None:
            raise refusal


def jackpot_refusal(state: TableState, game: int, suspended: frozenset[int]) -> Refused | None:
    """Why a progressive takes no bets here: no meter is linked, or the jackpot is suspended.

    Games that the rules don't have are left to the round, which refuses them.
    """
    jackpots = state.rules.jackpots
    if game not in range(1, len(jackpots) + 1) or jackpots[game - 1].kind is JackpotKind.HOUSE:
        return None
    link = state.links.get(game)
    if link is None:
        return Refused(
            RefusalCode.JACKPOT_NOT_LINKED,
            ("R-084",),
            f"Jackpot {game} has no meter at this table: leave its wager out.",
        )
    if link.jackpot in suspended:
        return Refused(
            RefusalCode.JACKPOT_SUSPENDED,
            ("R-084",),
            f"Jackpot {game} takes no wagers now: leave its wager out.",
        )
    return None


def withdraw_all(turn: Turn, seat: Seat) -> None:
    """Wagers of before the deal, back."""
    state = turn.state
    if state.round is not None and not state.is_dealt:
        for spot in state.spots_of(seat.number):
            if spot in state.round.spots:
                turn.play(WithdrawWagers(spot))
