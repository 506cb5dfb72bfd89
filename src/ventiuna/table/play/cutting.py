"""From one shoe to the next: committed, cut by the players, in play, revealed."""

from __future__ import annotations

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused
from ventiuna.table import events as ev
from ventiuna.table.events import AskKind
from ventiuna.table.play import commands as do
from ventiuna.table.play.state import Cut, Seat, TableState
from ventiuna.table.play.turn import Turn
from ventiuna.table.shoes.fairness import SECRET, context_of, cut_commitment, mix_of

_CUTS = (AskKind.CUT_COMMIT, AskKind.CUT_OPEN)


def commit_shoe(turn: Turn) -> None:
    """Publish the commitment of the next shoe, before anybody cuts it."""
    commit_shoe_of(turn, turn.state.in_play.number + 1 if turn.state.in_play else 1)


def commit_shoe_of(turn: Turn, number: int) -> None:
    state = turn.state
    context = context_of(state.rules, state.house, str(state.number), number)
    state.next_shoe = turn.around.shoes.new_shoe(context)
    turn.emit(ev.ShoeCommitted(state.next_shoe.number, state.next_shoe.commitment.hex()))


def reveal_shoe(turn: Turn) -> None:
    """The shoe in play has ended: everybody may check it now."""
    shoe = turn.state.in_play
    assert shoe is not None, "no shoe is in play"
    turn.emit(ev.ShoeRevealed(shoe.number, turn.around.shoes.seed(shoe).hex()))


def lose_shoes(turn: Turn, reason: str) -> None:
    """Those in play and committed can't be dealt from nor revealed; the next has today's key."""
    state = turn.state
    shoes = [shoe for shoe in (state.in_play, state.next_shoe) if shoe is not None]
    for shoe in shoes:
        turn.emit(ev.ShoeLost(shoe.number, reason))
    commit_shoe_of(turn, shoes[-1].number + 1)


def go_on_cutting(turn: Turn) -> None:
    """One step towards the next shoe, as far as it needs no answer."""
    state = turn.state
    if state.ask is None:
        turn.emit(ev.AskRaised(AskKind.CUT_COMMIT))
    if state.ask is not None and state.ask.kind is AskKind.CUT_COMMIT and _all_committed(state):
        if state.cuts:
            turn.emit(ev.CutsListed())
            turn.emit(ev.AskRaised(AskKind.CUT_OPEN))
        else:
            _cut(turn)
    if state.ask is not None and state.ask.kind is AskKind.CUT_OPEN and _all_opened(state):
        _cut(turn)


def is_cutting(state: TableState) -> bool:
    return state.ask is not None and state.ask.kind in _CUTS


def _all_committed(state: TableState) -> bool:
    """Everybody who is here has cut, need not, or may not."""
    return all(
        seat.number in state.cuts or seat.number in state.ready or seat.person in state.barred
        for seat in state.present
    )


def _all_opened(state: TableState) -> bool:
    return all(
        cut.value is not None or cut.seat in state.ready or not _is_there(state, cut)
        for cut in state.cuts.values()
    )


def _is_there(state: TableState, cut: Cut) -> bool:
    """Who committed the cut has not left."""
    seat = state.seats.get(cut.seat)
    return seat is not None and seat.person == cut.person


def _cut(turn: Turn) -> None:
    """The order stands: the shoe is in play, and the next one is committed at once."""
    state = turn.state
    assert state.next_shoe is not None, "no shoe is committed"
    opened = {cut.seat: cut.value for cut in state.cuts.values() if cut.value is not None}
    withheld = tuple(sorted(state.cuts.keys() - opened.keys()))
    mix = mix_of(state.next_shoe.commitment, opened)
    turn.emit(ev.ShoeCut(state.next_shoe.number, mix.hex(), withheld))
    assert state.in_play is not None, "the shoe that was cut is in play"
    state.live = turn.around.shoes.live(state.in_play)
    commit_shoe(turn)


# --- what people send -------------------------------------------------------------------------


def commit_cut(turn: Turn, seat: Seat, command: do.CommitCut) -> None:
    state = turn.state
    _require(state, AskKind.CUT_COMMIT)
    if seat.person in state.barred:
        raise Refused(
            RefusalCode.CUT_BARRED,
            (),
            "You once committed a cut at this table and did not open it: others cut the shoes now.",
        )
    if seat.number in state.cuts:
        raise Refused(RefusalCode.NO_CUT_NOW, (), "A cut of your seat is committed already.")
    _secret(command.commitment, "commitment")
    turn.emit(ev.CutCommitted(seat.number, command.commitment))


def open_cut(turn: Turn, seat: Seat, command: do.OpenCut) -> None:
    state = turn.state
    _require(state, AskKind.CUT_OPEN)
    cut = state.cuts.get(seat.number)
    if cut is None or cut.person != seat.person or cut.value is not None:
        raise Refused(RefusalCode.NO_CUT_NOW, (), "No committed cut of yours waits to be opened.")
    assert state.next_shoe is not None, "a cut without a shoe"
    value = _secret(command.value, "value")
    if cut_commitment(state.next_shoe.commitment, seat.number, value) != cut.commitment:
        raise Refused(
            RefusalCode.NOT_A_CUT, (), "value: this is not the cut that you committed: send that."
        )
    turn.emit(ev.CutOpened(seat.number, command.value))


def _require(state: TableState, kind: AskKind) -> None:
    if state.ask is None or state.ask.kind is not kind:
        raise Refused(RefusalCode.NO_CUT_NOW, (), "The table does not wait for this cut now.")


def _secret(text: str, name: str) -> bytes:
    digits = 2 * SECRET
    if len(text) != digits or not all(digit in "0123456789abcdef" for digit in text):
        raise Refused(
            RefusalCode.NOT_A_CUT, (), f"{name}: give {digits} hexadecimal digits, 0-9 and a-f."
        )
    return bytes.fromhex(text)
