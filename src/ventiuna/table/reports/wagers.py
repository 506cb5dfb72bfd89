"""What each kind of wager brought: from the events of the rounds that ended in a day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from ventiuna.engine import events as round_events
from ventiuna.engine.stakes import JACKPOT_WAGERS, Wager
from ventiuna.table import events as ev
from ventiuna.table.books.entries import read_events
from ventiuna.table.events import TableEvent
from ventiuna.table.reports.days import GamblingDay
from ventiuna.table.store.schema import entry, round_
from ventiuna.table.writing.loading import events_of


@dataclass(slots=True)
class WagerSums:
    """One kind of wager at one table, in cents."""

    placed: int = 0  # how many
    staked: int = 0  # doubles and splits included
    win: int = 0  # the house's; what went into meters is taken off
    first: int = 0  # the stakes before the deal, which the theory is about
    squares: int = 0  # of these


@dataclass(slots=True)
class TableSums:
    """The rounds of one table that ended in a day."""

    rounds: int = 0
    void: int = 0
    by_wager: dict[Wager, WagerSums] = field(default_factory=dict)

    def of(self, wager: Wager) -> WagerSums:
        return self.by_wager.setdefault(wager, WagerSums())


def table_sums(connection: Connection, table: int, day: GamblingDay) -> TableSums:
    sums = TableSums()
    for events in _rounds(connection, table, day):
        if any(isinstance(event, round_events.RoundVoided) for event in events):
            sums.void += 1
        elif any(isinstance(event, round_events.CardDealt) for event in events):
            sums.rounds += 1
            _add_round(sums, events)
    return sums


def _rounds(connection: Connection, table: int, day: GamblingDay) -> Iterator[list[TableEvent]]:
    """The events of each round that ended in the day, from its opening to its closing."""
    bounds = connection.execute(
        select(round_.c.number, round_.c.first_version, round_.c.last_version)
        .join(
            entry,
            (entry.c.book_id == round_.c.table_id) & (entry.c.version == round_.c.last_version),
        )
        .where(round_.c.table_id == table, entry.c.at >= day.start, entry.c.at < day.end)
        .order_by(round_.c.number)
    ).all()
    if not bounds:
        return
    ended = {row.number for row in bounds}
    events: list[TableEvent] = []
    for written in read_events(connection, table, bounds[0].first_version - 1):
        if written.version > bounds[-1].last_version:
            return
        for numbered in events_of(written):
            event = numbered.event
            if isinstance(event, ev.RoundOpened):
                events = []
            events.append(event)
            if isinstance(event, ev.RoundClosed) and event.number in ended:
                yield events


def _add_round(sums: TableSums, events: Sequence[TableEvent]) -> None:
    for placed in _last_wagers(events):
        _add_first(sums.of(Wager.HAND), placed.base)
    for event in events:
        match event:
            case round_events.WagerSettled():
                _settled(sums.of(event.wager), event)
            case round_events.MeterRaised(reason="contribution"):
                sums.of(JACKPOT_WAGERS[event.game]).win -= event.amount
            case ev.ReserveRaised():
                sums.of(JACKPOT_WAGERS[event.game]).win -= event.amount
            case _:
                pass


def _last_wagers(events: Sequence[TableEvent]) -> list[round_events.WagersPlaced]:
    """Those that lay there when cards were dealt."""
    placed: dict[int, round_events.WagersPlaced] = {}
    for event in events:
        if isinstance(event, round_events.WagersPlaced):
            placed[event.spot] = event
        elif isinstance(event, round_events.WagersWithdrawn):
            placed.pop(event.spot, None)
    return list(placed.values())


def _settled(sums: WagerSums, event: round_events.WagerSettled) -> None:
    """A share of a meter is the players' own money: the house keeps the wager."""
    sums.staked += event.stake
    sums.win += event.stake if event.meter else -event.net
    if event.wager is not Wager.HAND:
        _add_first(sums, event.stake)


def _add_first(sums: WagerSums, stake: int) -> None:
    if stake:
        sums.placed += 1
        sums.first += stake
        sums.squares += stake * stake
