"""Awards: shares of a progressive that a round wins, taken off one after the other (R-095).

The round works the amounts out from the meter that it was shown; here they become events of the
jackpot's own book, in the order of the round's events, so that seed money comes at once or after
the round as the rules say (O-20).

**When the house advances no more.** A reset takes the reserve first, then what the house still
advances. Where that is less than the seed, the meter starts again with what there is, and the
jackpot is suspended until an operator seeds it (`FundShort`). But seed money that a later award
of the same round is worked out from has been won: it is given in full, beyond the limit, and the
jackpot is suspended until the limit is raised or seed money recovered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ventiuna.engine.events import MeterRaised, MetersShown, WagerSettled
from ventiuna.errors import VentiunaError
from ventiuna.table.events import TableEvent
from ventiuna.table.jackpots import events as ev
from ventiuna.table.jackpots.contributions import Pending, pending_of
from ventiuna.table.jackpots.events import JackpotEvent
from ventiuna.table.jackpots.happening import Happening
from ventiuna.table.jackpots.progressive import Reading
from ventiuna.table.ledger.postings import Layout

BEYOND_LIMIT = "the house has advanced more than its limit"


class AwardError(VentiunaError):
    """A round that was shown another meter than the jackpot has: nothing of it may be written."""


def awards_of(
    reading: Reading, layout: Layout, game: int, events: Sequence[TableEvent]
) -> tuple[JackpotEvent, ...]:
    """What the awards of a command do to the jackpot of this game.

    `events` are all events of the table's command, contributions in it included: these lie in the
    table's stripe when the jackpot's entry is written, just after the table's.
    """
    happening = Happening(reading.jackpot)
    happening.gather(with_pending(reading, layout.table, pending_of(events, game)))
    _check_shown(happening, game, events)
    steps = list(_steps(events, game))
    last_award = max(
        (place for place, step in enumerate(steps) if isinstance(step, WagerSettled)), default=-1
    )
    for place, step in enumerate(steps):
        if isinstance(step, WagerSettled):
            _pay(happening, layout, step)
        else:
            _reset(happening, step.amount, is_won=place < last_award)
    return tuple(happening.events)


def with_pending(reading: Reading, table: int, pending: Pending) -> Reading:
    """The reading as it is when the table's own entry has been written."""
    return replace(
        reading,
        meters=_added(reading.meters, table, pending.meter),
        reserves=_added(reading.reserves, table, pending.reserve),
    )


def _added(stripes: Mapping[int, int], table: int, amount: int) -> dict[int, int]:
    return {**stripes, table: stripes.get(table, 0) + amount}


def _check_shown(happening: Happening, game: int, events: Iterable[TableEvent]) -> None:
    told = [event.meters.get(game) for event in events if isinstance(event, MetersShown)]
    if told != [happening.jackpot.meter]:
        raise AwardError(
            f"The round was shown {told} cents of jackpot {happening.jackpot.number}, "
            f"which shows {happening.jackpot.meter}."
        )


def _steps(events: Iterable[TableEvent], game: int) -> Iterable[WagerSettled | MeterRaised]:
    """Awards and seed money of this game, in their order."""
    for event in events:
        if isinstance(event, WagerSettled):
            if event.meter == game:
                yield event
        elif isinstance(event, MeterRaised) and event.game == game and event.reason == "seed":
            yield event


def _pay(happening: Happening, layout: Layout, award: WagerSettled) -> None:
    if not award.paid:
        return
    if layout.round_number is None:
        raise AwardError("An award belongs to a round: the layout names none.")
    seat = layout.seats[award.spot]
    happening.emit(ev.AwardPaid(layout.table, layout.round_number, seat, award.spot, award.paid))
    jackpot = happening.jackpot
    if not jackpot.meter and jackpot.advanced:
        happening.emit(ev.SeedWon(jackpot.advanced))


def _reset(happening: Happening, seed: int, *, is_won: bool) -> None:
    """Start the meter again; see the head of this module for what is missing."""
    from_reserve = min(seed, happening.jackpot.reserve)
    wanted = seed - from_reserve
    room = happening.room_for_advance()
    advanced = wanted if room is None or is_won else min(wanted, room)
    if from_reserve or advanced:
        happening.emit(ev.Seeded(from_reserve, advanced, "reset"))
    if advanced < wanted:
        happening.emit(ev.FundShort(wanted - advanced))
    elif happening.jackpot.is_underfunded and happening.jackpot.takes_wagers:
        happening.emit(ev.JackpotSuspended(BEYOND_LIMIT))
