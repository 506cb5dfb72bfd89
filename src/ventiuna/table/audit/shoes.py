"""Every shoe that has ended, checked from its public record as anybody else would."""

from __future__ import annotations

from collections.abc import Sequence

from ventiuna.engine.events import Event
from ventiuna.table import events as ev
from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.audit.recorded import OnTop
from ventiuna.table.events import TableEvent
from ventiuna.table.play.state import EndedShoe, Outcome, TableState
from ventiuna.table.shoes.entropy import Source
from ventiuna.table.shoes.shoe_record import (
    CutRecord,
    DealtRound,
    Ending,
    PublicRecord,
    dealt_round,
)
from ventiuna.table.shoes.verifying import verify


class ShoeTrail:
    """Follows one table and keeps where the cards of the shoe in play went."""

    def __init__(self, table: int, on_top: OnTop, differences: Differences) -> None:
        self._table = table
        self._on_top = on_top
        self._differences = differences
        self._rounds: list[DealtRound] = []
        self._open: list[Event] = []

    def follow(self, state: TableState, told: Sequence[TableEvent], version: int) -> None:
        """The events of an entry, and the table after them."""
        for event in told:
            if isinstance(event, ev.RoundClosed):
                self._close(event.number)
            elif isinstance(event, ev.ShoeLost):
                self._rounds = []  # nobody can check it any more
            elif isinstance(event, ev.ShoeRevealed):
                self._check(state, event, told, version)
            elif not isinstance(event, ev.OwnEvent):
                self._open.append(event)

    def _close(self, number: int) -> None:
        """A round that nobody wagered in has no cards and is not in the record."""
        dealt = dealt_round(number, self._open)
        if dealt.events:
            self._rounds.append(dealt)
        self._open = []

    def _check(
        self, state: TableState, event: ev.ShoeRevealed, told: Sequence[TableEvent], version: int
    ) -> None:
        rounds, self._rounds = tuple(self._rounds), []
        ended = [one for one in state.ended_shoes if one.shoe.number == event.shoe]
        if not ended or self._on_top(ended[0].shoe.salt):
            return  # cards that a test laid on top are not in the recipe
        found = verify(_record(ended[0], rounds, _ending(state, event, told)))
        if not found.holds:
            what = f"shoe {event.shoe}, checked from its public record"
            place = Place(self._table, version)
            self._differences.add(Kind.SHOE, place, what, "one that does not hold", found.fault)


def _ending(state: TableState, event: ev.ShoeRevealed, told: Sequence[TableEvent]) -> Ending:
    last = state.ended_rounds[-1] if state.ended_rounds else None
    if last is not None and last.shoe == event.shoe and last.outcome is Outcome.VOID:
        return Ending.VOID
    if any(isinstance(one, ev.TableClosed) for one in told):
        return Ending.CLOSED
    return Ending.CUT_CARD


def _record(ended: EndedShoe, rounds: tuple[DealtRound, ...], ending: Ending) -> PublicRecord:
    shoe = ended.shoe
    assert shoe.mix is not None, "a shoe is revealed after it was cut"
    assert ended.seed is not None, "a revealed shoe has its seed"
    return PublicRecord(
        context=shoe.context,
        source=Source(shoe.source),
        commitment=shoe.commitment,
        cuts=tuple(CutRecord(cut.seat, cut.commitment, cut.value) for cut in shoe.cuts),
        mix=shoe.mix,
        seed=ended.seed,
        rounds=rounds,
        ended=ending,
    )
