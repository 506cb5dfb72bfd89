"""How much one operator's corrections may move, and what of the reserve is the house's to take.

A wrong display is mended by a correction (WAC 230-15-695), and money that is not displayed may be
taken out as receipts. One after the other, without a limit, they would turn players' money into
the house's: so corrections of a day are bounded, and what they took off the display stays in the
fund until it is displayed again.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import Refused
from ventiuna.money import money_text
from ventiuna.table.jackpots import commands as do
from ventiuna.table.jackpots.commands import OperatorCommand
from ventiuna.table.jackpots.progressive import Reading, shown
from ventiuna.table.ledger.chart import PostingCode
from ventiuna.table.store.schema import entry, posting

DAY = 24 * 3_600_000  # milliseconds
SHARE = 10  # a day's corrections move a tenth of what is shown
LEAST = 10_000  # cents that they may move of a small meter
RULES = ("R-098",)


def check_limits(
    connection: Connection, reading: Reading, command: OperatorCommand, now: int
) -> None:
    """Refuses a correction or receipts beyond; the progressive is locked."""
    if isinstance(command, do.CorrectUp | do.CorrectDown):
        _check_correction(connection, reading, command.amount, now)
    elif isinstance(command, do.TakeReceipts):
        _check_receipts(connection, reading, command.amount)


def _check_correction(connection: Connection, reading: Reading, amount: int, now: int) -> None:
    number = reading.jackpot.number
    most = max(LEAST, shown(reading) // SHARE)
    moved = sum(_moved(connection, number, since=now - DAY).values())
    if moved + amount > most:
        raise Refused(
            RefusalCode.CORRECTION_LIMIT,
            RULES,
            f"Corrections of one day move {money_text(most)} of this meter at most, and "
            f"{money_text(max(0, most - moved))} of that are left: suspend the jackpot, and move "
            "its money to a new one if the display is wrong by more.",
        )


def _check_receipts(connection: Connection, reading: Reading, amount: int) -> None:
    moved = _moved(connection, reading.jackpot.number)
    down, up = moved.get(PostingCode.CORRECT_DOWN, 0), moved.get(PostingCode.CORRECT_UP, 0)
    back = moved.get(PostingCode.RESERVE_SEED, 0)
    players = max(0, down - up - back)
    held = reading.jackpot.reserve + sum(reading.reserves.values())
    if players and amount > held - players:
        raise Refused(
            RefusalCode.CORRECTION_LIMIT,
            RULES,
            f"{money_text(players)} of the reserve were taken off the display by corrections and "
            f"stay the players': {money_text(max(0, held - players))} can be taken out.",
        )


def _moved(connection: Connection, number: int, since: int | None = None) -> dict[str, int]:
    """Cents by kind of posting; with `since` of corrections alone."""
    codes = [PostingCode.CORRECT_UP, PostingCode.CORRECT_DOWN]
    query = select(posting.c.code, func.sum(posting.c.amount)).where(posting.c.book_id == number)
    if since is None:
        codes.append(PostingCode.RESERVE_SEED)
    else:
        of_entry = (entry.c.book_id == posting.c.book_id) & (entry.c.version == posting.c.version)
        query = query.join(entry, of_entry).where(entry.c.at > since)
    query = query.where(posting.c.code.in_([str(code) for code in codes]))
    return {code: int(cents) for code, cents in connection.execute(query.group_by(posting.c.code))}
