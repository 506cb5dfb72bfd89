"""Progressives in the database: rows, correction limits and entries.

Locks follow the order of `journal.Lock`. An award waits for contributions in progress and blocks
new ones, so the round uses the exact meter.

Operators fix a wrong display with a correction (WAC 230-15-695) and may take out undisplayed money
as receipts. Together, without a limit, these could turn players' money into the house's. So
corrections are limited per day, and the amounts that they take off the display stay in the fund
until they are displayed again.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import Refused
from ventiuna.engine.events import Stakes
from ventiuna.money import money_text
from ventiuna.table.domain.events import HOUSE_ACCOUNT, ChipAccounts, TableEvent
from ventiuna.table.jackpots import progressive as do
from ventiuna.table.jackpots.decisions import (
    awards_of,
    command_data,
    decide,
    decide_creation,
    decide_removal,
    event_data,
)
from ventiuna.table.jackpots.progressive import (
    JACKPOT_FORMAT,
    JackpotCommand,
    JackpotCreated,
    JackpotEvent,
    JackpotStatus,
    MeterCommand,
    MeterSnapshot,
    Progressive,
    advance_of,
    apply,
    create,
    displayed_amount,
    is_over_maximum,
    meter_of,
    postings_of,
    reserve_of,
    settings_from_data,
)
from ventiuna.table.journal import (
    BookKind,
    KnownCommand,
    account_numbers,
    append,
    balances,
    find_duplicate,
    lock_accounts,
    lock_books,
    open_book,
    read_heads,
)
from ventiuna.table.ledger import (
    Entry,
    EntryRequest,
    JournalHead,
    PostingCode,
    canonical_json,
    request_hash,
)
from ventiuna.table.store.schema import entry, posting
from ventiuna.table.store.schema import jackpot as jackpot_table
from ventiuna.table.store.schema import link as link_table
from ventiuna.table.store.statements import (
    Prepared,
    Values,
    find_rows,
    insert_rows,
    run,
    update_rows,
)

_JACKPOT_COLUMNS = (
    "id",
    "name",
    "settings",
    "maximum",
    "reserve_rate",
    "advance_limit",
    "state",
    "missing",
)
WRITTEN_COLUMNS = ("name", "settings", "settings_hash", *_JACKPOT_COLUMNS[3:])
_LINK_COLUMNS = ("jackpot_id", "table_id", "game")
_DISPLAYED = """
    SELECT jackpot.id, jackpot.maximum,
        COALESCE((SELECT balance FROM account WHERE code = 'meter/' || jackpot.id), 0)
        + CAST(COALESCE(SUM(stripe.balance), 0) AS BIGINT) AS held
    FROM jackpot
    LEFT JOIN link ON link.jackpot_id = jackpot.id
    LEFT JOIN account AS stripe ON stripe.code = 'meter/' || jackpot.id || '/' || link.table_id
    WHERE jackpot.state <> 'removed'
    GROUP BY jackpot.id, jackpot.maximum
    ORDER BY jackpot.id
"""


def lock_jackpots(
    connection: Connection, numbers: Collection[int], also: Collection[str] = ()
) -> dict[int, MeterSnapshot]:
    """Lock these progressives until the transaction ends, and read them.

    `also` lists other jackpots' accounts that the same transaction will change, such as the stripes
    of a table that feeds two jackpots. All accounts are locked in order.
    """
    lock_accounts(connection, account_numbers(connection, [HOUSE_ACCOUNT]).values())
    heads = lock_books(connection, numbers)
    tables = _tables_of(connection, numbers)
    codes = [code for number in numbers for code in _codes(number, tables[number])]
    known = account_numbers(connection, [*codes, *also])
    locked = lock_accounts(connection, known.values())
    return _readings(
        connection, numbers, heads, tables, {code: locked[known[code]] for code in codes}
    )


def read_jackpots(connection: Connection, numbers: Collection[int]) -> dict[int, MeterSnapshot]:
    """Read these progressives without a lock, from the transaction's snapshot."""
    tables = _tables_of(connection, numbers)
    codes = [code for number in numbers for code in _codes(number, tables[number])]
    heads = read_heads(connection, numbers)
    return _readings(connection, numbers, heads, tables, balances(connection, codes))


def read_displayed_amounts(connection: Connection) -> dict[int, int]:
    """The displayed amount of every progressive in play, in one statement."""
    return {
        number: balance if maximum is None else min(maximum, balance)
        for number, maximum, balance in run(connection, _DISPLAYED).fetchall()
    }


def read_suspended(connection: Connection) -> frozenset[int]:
    """Progressives that take no bets."""
    query = select(jackpot_table.c.id).where(jackpot_table.c.state != "open")
    return frozenset(connection.scalars(query))


def over_maximum(connection: Connection) -> list[int]:
    """Progressives that hold more than they display, so their stripes need folding."""
    return [
        number
        for number, maximum, balance in run(connection, _DISPLAYED).fetchall()
        if maximum is not None and balance > maximum
    ]


_ALL_JACKPOTS = Prepared(select(jackpot_table.c.id).order_by(jackpot_table.c.id))


def all_jackpots(connection: Connection) -> list[int]:
    """The numbers of all progressives, including removed ones."""
    return [row.id for row in _ALL_JACKPOTS.all(connection)]


def _readings(
    connection: Connection,
    numbers: Collection[int],
    heads: Mapping[int, JournalHead],
    tables: Mapping[int, Mapping[int, int]],
    locked: Mapping[str, int],
) -> dict[int, MeterSnapshot]:
    rows = find_rows(connection, jackpot_table, _JACKPOT_COLUMNS, ("id",), _as_rows(numbers))
    readings = {}
    for number, name, settings, maximum, rate, limit, state, lacking in rows:
        linked = tables[number]
        jackpot = Progressive(
            number=number,
            name=name,
            settings=settings_from_data(json.loads(settings)),
            maximum=maximum,
            reserve_rate=rate,
            advance_limit=limit,
            status=JackpotStatus(state),
            tables=Stakes(linked),
            meter=locked.get(meter_of(number), 0),
            reserve=locked.get(reserve_of(number), 0),
            advanced=-locked.get(advance_of(number), 0),
            missing=lacking,
        )
        readings[number] = MeterSnapshot(
            heads[number],
            jackpot,
            meters={table: locked.get(meter_of(number, table), 0) for table in linked},
            reserves={table: locked.get(reserve_of(number, table), 0) for table in linked},
        )
    unknown = sorted(set(numbers) - readings.keys())
    if unknown:
        raise Refused(
            RefusalCode.NO_SUCH_PROGRESSIVE, (), f"There is no progressive jackpot {unknown[0]}."
        )
    return readings


def _tables_of(connection: Connection, numbers: Collection[int]) -> dict[int, dict[int, int]]:
    """The game that feeds each jackpot, by jackpot and table."""
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for jackpot, table, game in find_rows(
        connection, link_table, _LINK_COLUMNS, ("jackpot_id",), _as_rows(numbers)
    ):
        found[jackpot][table] = game
    return found


def _codes(number: int, tables: Iterable[int]) -> list[str]:
    stripes = [of(number, table) for table in tables for of in (meter_of, reserve_of)]
    return [meter_of(number), reserve_of(number), advance_of(number), *stripes]


def _as_rows(numbers: Iterable[int]) -> list[Values]:
    return [(number,) for number in numbers]


def write_jackpot(connection: Connection, jackpot: Progressive, before: Progressive | None) -> None:
    """Write a progressive's row, derived from its events.

    Its money comes only from postings, and each table stores its own links.
    """
    row = jackpot_row(jackpot)
    if before is None:
        insert_rows(connection, jackpot_table, ("id", *WRITTEN_COLUMNS), [row])
    elif row != jackpot_row(before):
        update_rows(connection, jackpot_table, ("id",), WRITTEN_COLUMNS, [row])


def jackpot_row(jackpot: Progressive) -> Values:
    """The values of a progressive's row: its number and the `WRITTEN_COLUMNS`."""
    return (
        jackpot.number,
        jackpot.name,
        canonical_json(jackpot.settings.data()),
        jackpot.settings.hash,
        jackpot.maximum,
        jackpot.reserve_rate,
        jackpot.advance_limit,
        str(jackpot.status),
        jackpot.missing,
    )


DAY = 24 * 3_600_000  # milliseconds
CORRECTION_SHARE = 10  # a day's corrections may move a tenth of the displayed amount
MINIMUM_CORRECTION = 10_000  # cents they may always move, even on a small meter
CITED_RULES = ("R-098",)


def check_limits(
    connection: Connection, reading: MeterSnapshot, command: MeterCommand, now: int
) -> None:
    """Refuse corrections and receipts above the limits; the progressive must be locked."""
    if isinstance(command, do.CorrectUp | do.CorrectDown):
        _check_correction(connection, reading, command.amount, now)
    elif isinstance(command, do.TakeReceipts):
        _check_receipts(connection, reading, command.amount)


def _check_correction(
    connection: Connection, reading: MeterSnapshot, amount: int, now: int
) -> None:
    number = reading.jackpot.number
    maximum = max(MINIMUM_CORRECTION, displayed_amount(reading) // CORRECTION_SHARE)
    moved = sum(_moved_amounts(connection, number, since=now - DAY).values())
    if moved + amount > maximum:
        raise Refused(
            RefusalCode.CORRECTION_LIMIT,
            CITED_RULES,
            f"Corrections can change this meter by at most {money_text(maximum)} per day, and "
            f"{money_text(max(0, maximum - moved))} is left. If the display is off by more, "
            "suspend the jackpot and move its money to a new one.",
        )


def _check_receipts(connection: Connection, reading: MeterSnapshot, amount: int) -> None:
    moved = _moved_amounts(connection, reading.jackpot.number)
    down, up = moved.get(PostingCode.CORRECT_DOWN, 0), moved.get(PostingCode.CORRECT_UP, 0)
    back = moved.get(PostingCode.RESERVE_SEED, 0)
    players = max(0, down - up - back)
    reserves = reading.jackpot.reserve + sum(reading.reserves.values())
    if players and amount > reserves - players:
        raise Refused(
            RefusalCode.CORRECTION_LIMIT,
            CITED_RULES,
            f"{money_text(players)} of the reserve was taken off the display by "
            "corrections and belongs to the players. At most "
            f"{money_text(max(0, reserves - players))} can be taken out.",
        )


def _moved_amounts(connection: Connection, number: int, since: int | None = None) -> dict[str, int]:
    """Cents for each kind of posting; with `since`, only corrections after that time."""
    codes = [PostingCode.CORRECT_UP, PostingCode.CORRECT_DOWN]
    query = select(posting.c.code, func.sum(posting.c.amount)).where(posting.c.book_id == number)
    if since is None:
        codes.append(PostingCode.RESERVE_SEED)
    else:
        of_entry = (entry.c.book_id == posting.c.book_id) & (entry.c.version == posting.c.version)
        query = query.join(entry, of_entry).where(entry.c.at > since)
    query = query.where(posting.c.code.in_([str(code) for code in codes]))
    return {code: int(cents) for code, cents in connection.execute(query.group_by(posting.c.code))}


@dataclass(frozen=True, slots=True)
class Sender:
    """A command's actor, key, and time."""

    actor: str
    key: str
    at: int  # milliseconds since 1970


@dataclass(frozen=True, slots=True)
class JackpotEntry:
    """An entry in a jackpot's book, and the progressive after that entry."""

    entry: Entry
    jackpot: Progressive
    before: Progressive | None


def sent_by_table(table: int, version: int, jackpot: int, at: int) -> Sender:
    """The sender of entries that follow from a table's entry: awards and links."""
    return Sender(f"table/{table}", f"J/{jackpot}/{version}", at)


def sent_by_jackpot(removed: int, version: int, to: int, at: int) -> Sender:
    """The sender of entries that follow from a progressive's removal."""
    return Sender(f"jackpot/{removed}", f"J/{to}/{version}", at)


def find_committed(
    connection: Connection, command: JackpotCommand, sender: Sender, number: int | None = None
) -> KnownCommand | None:
    """Find this command's earlier outcome, if any; perhaps its commit wasn't reported."""
    content = request_hash(command_data(command))
    return find_duplicate(connection, sender.actor, sender.key, content, number)


def create_progressive(
    connection: Connection, command: do.CreateJackpot, sender: Sender
) -> Progressive:
    """Create a progressive with a new book; a duplicate command returns the existing one."""
    known = find_committed(connection, command, sender)
    if known is not None:
        return read_jackpots(connection, [known.book])[known.book].jackpot
    head = open_book(connection, BookKind.JACKPOT)
    events = decide_creation(head.book, command)
    written = _new_entry(head, None, command, events, sender)
    save_entries(connection, [written])
    return written.jackpot


def handle(
    connection: Connection, number: int, command: MeterCommand, sender: Sender
) -> Progressive:
    """Lock the progressive, carry out the command, and return the new state; ignore duplicates."""
    reading = lock_jackpots(connection, [number])[number]
    if find_committed(connection, command, sender, number):
        return reading.jackpot
    written = entry_of(reading, command, decide(reading, command), sender)
    save_entries(connection, [written])
    return written.jackpot


def fold_over_maximum(connection: Connection, number: int, at: int) -> JackpotEntry | None:
    """Fold one of the `over_maximum` jackpots; None if it no longer needs folding."""
    reading = lock_jackpots(connection, [number])[number]
    if not is_over_maximum(reading):
        return None
    command = do.FoldStripes("more than the maximum")
    sender = Sender("clock", f"fold/{number}/{reading.head.version + 1}", at)
    written = entry_of(reading, command, decide(reading, command), sender)
    save_entries(connection, [written])
    return written


def remove_jackpot(
    connection: Connection, number: int, command: do.RemoveJackpot, sender: Sender
) -> list[JackpotEntry]:
    """Remove a progressive; return its entry and the receiver's, or none for a duplicate."""
    numbers = {number} if command.to is None else {number, command.to}
    readings = lock_jackpots(connection, sorted(numbers))
    if find_committed(connection, command, sender, number):
        return []
    to = None if command.to is None else readings[command.to]
    events, received = decide_removal(readings[number], command, to)
    written = [entry_of(readings[number], command, events, sender)]
    if to is not None and received:
        version = written[0].entry.version
        expected = sent_by_jackpot(number, version, to.jackpot.number, sender.at)
        written.append(entry_of(to, do.ReceiveMoney(number, version), received, expected))
    save_entries(connection, written)
    return written


def award_entry(
    reading: MeterSnapshot,
    layout: ChipAccounts,
    game: int,
    events: Sequence[TableEvent],
    table_entry: Entry,
) -> JackpotEntry:
    """The jackpot's entry for awards in a table's entry; must be appended right after it."""
    happened = awards_of(reading, layout, game, events)
    command = do.PayAwards(layout.table, table_entry.version, game)
    number = reading.jackpot.number
    sender = sent_by_table(layout.table, table_entry.version, number, table_entry.at)
    return entry_of(reading, command, happened, sender)


def entry_of(
    reading: MeterSnapshot, command: JackpotCommand, events: Sequence[JackpotEvent], sender: Sender
) -> JackpotEntry:
    """Build the next entry in the progressive's book without writing it."""
    return _new_entry(reading.head, reading.jackpot, command, events, sender)


def save_entries(connection: Connection, written: Sequence[JackpotEntry]) -> None:
    """Append entries and update the rows."""
    append(connection, [each.entry for each in written])
    for each in written:
        write_jackpot(connection, each.jackpot, each.before)


def _new_entry(
    head: JournalHead,
    before: Progressive | None,
    command: JackpotCommand,
    events: Sequence[JackpotEvent],
    sender: Sender,
) -> JackpotEntry:
    data = command_data(command)
    request = EntryRequest(
        actor=sender.actor,
        key=sender.key,
        at=sender.at,
        request=request_hash(data),
        command=data,
        events=[event_data(event) for event in events],
        engine=JACKPOT_FORMAT,
        postings=postings_of(head.book, events, head.events + 1),
    )
    entry, _ = head.next_entry(request)
    return JackpotEntry(entry, fold_events(head.book, before, events), before)


def fold_events(
    number: int, jackpot: Progressive | None, events: Sequence[JackpotEvent]
) -> Progressive:
    """The progressive after these events; without `jackpot`, the first event creates it."""
    for event in events:
        if jackpot is not None:
            jackpot = apply(jackpot, event)
        elif isinstance(event, JackpotCreated):
            jackpot = create(number, event)
    assert jackpot is not None, "a jackpot's book begins with its creation"
    return jackpot
