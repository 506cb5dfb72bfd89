"""What each event of a progressive moves: mapped once, here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ventiuna.table.jackpots import events as ev
from ventiuna.table.jackpots.events import JackpotEvent
from ventiuna.table.ledger.chain import Posting
from ventiuna.table.ledger.chart import PostingCode
from ventiuna.table.ledger.postings import HOUSE

Move = tuple[PostingCode, str, str, int]


def meter_of(jackpot: int, table: int | None = None) -> str:
    return f"meter/{jackpot}" if table is None else f"meter/{jackpot}/{table}"


def reserve_of(jackpot: int, table: int | None = None) -> str:
    return f"reserve/{jackpot}" if table is None else f"reserve/{jackpot}/{table}"


def advance_of(jackpot: int) -> str:
    return f"advance/{jackpot}"


def postings_of_all(
    jackpot: int, events: Sequence[JackpotEvent], first: int
) -> tuple[Posting, ...]:
    """What the events move, in their order; `first` is the first one's number in the book."""
    return tuple(
        line
        for number, event in enumerate(events, start=first)
        for line in postings_of(jackpot, event, number)
    )


def postings_of(jackpot: int, event: JackpotEvent, number: int) -> tuple[Posting, ...]:
    moved = _MOVED.get(type(event))
    if moved is None:
        return ()
    reason: str | None = getattr(event, "reason", None)
    round_number: int | None = getattr(event, "round_number", None)
    spot: int | None = getattr(event, "spot", None)
    return tuple(
        Posting(code, payer, payee, amount, round_number, number, spot, reason)
        for code, payer, payee, amount in moved(jackpot, event)
        if amount
    )


def _stripes_folded(jackpot: int, event: ev.StripesFolded) -> list[Move]:
    meter, reserve = meter_of(jackpot), reserve_of(jackpot)
    meters = [
        (PostingCode.FOLD, meter_of(jackpot, table), meter, amount)
        for table, amount in sorted(event.meters.items())
    ]
    reserves = [
        (PostingCode.FOLD, reserve_of(jackpot, table), reserve, amount)
        for table, amount in sorted(event.reserves.items())
    ]
    return meters + reserves


def _overflowed(jackpot: int, event: ev.Overflowed) -> list[Move]:
    return [(PostingCode.OVERFLOW, meter_of(jackpot), reserve_of(jackpot), event.amount)]


def _award_paid(jackpot: int, event: ev.AwardPaid) -> list[Move]:
    stack = f"stack/{event.table}/{event.seat}"
    return [(PostingCode.AWARD, meter_of(jackpot), stack, event.amount)]


def _seed_won(jackpot: int, event: ev.SeedWon) -> list[Move]:
    return [(PostingCode.SEED_WON, HOUSE, advance_of(jackpot), event.amount)]


def _seeded(jackpot: int, event: ev.Seeded) -> list[Move]:
    meter = meter_of(jackpot)
    return [
        (PostingCode.RESERVE_SEED, reserve_of(jackpot), meter, event.from_reserve),
        (PostingCode.SEED, advance_of(jackpot), meter, event.advanced),
    ]


def _seed_recovered(jackpot: int, event: ev.SeedRecovered) -> list[Move]:
    advance = advance_of(jackpot)
    return [
        (PostingCode.SEED_BACK, reserve_of(jackpot), advance, event.from_reserve),
        (PostingCode.SEED_BACK, meter_of(jackpot), advance, event.from_meter),
    ]


def _corrected_up(jackpot: int, event: ev.CorrectedUp) -> list[Move]:
    return [(PostingCode.CORRECT_UP, HOUSE, meter_of(jackpot), event.amount)]


def _corrected_down(jackpot: int, event: ev.CorrectedDown) -> list[Move]:
    return [(PostingCode.CORRECT_DOWN, meter_of(jackpot), reserve_of(jackpot), event.amount)]


def _receipts_taken(jackpot: int, event: ev.ReceiptsTaken) -> list[Move]:
    return [(PostingCode.RECEIPTS, reserve_of(jackpot), HOUSE, event.amount)]


def _moved_out(jackpot: int, event: ev.MovedOut) -> list[Move]:
    to = event.jackpot
    return [
        (PostingCode.MOVED, meter_of(jackpot), meter_of(to), event.meter),
        (PostingCode.MOVED, reserve_of(jackpot), reserve_of(to), event.reserve),
    ]


_MOVED: dict[type[JackpotEvent], Callable[[int, Any], list[Move]]] = {
    ev.StripesFolded: _stripes_folded,
    ev.Overflowed: _overflowed,
    ev.AwardPaid: _award_paid,
    ev.SeedWon: _seed_won,
    ev.Seeded: _seeded,
    ev.SeedRecovered: _seed_recovered,
    ev.CorrectedUp: _corrected_up,
    ev.CorrectedDown: _corrected_down,
    ev.ReceiptsTaken: _receipts_taken,
    ev.MovedOut: _moved_out,
}
