"""Entries of jackpots' books: from a command to what is committed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from ventiuna.table.books.copies import done_before
from ventiuna.table.books.entries import BookKind, KnownCommand, append, open_book
from ventiuna.table.events import TableEvent
from ventiuna.table.jackpots import commands as do
from ventiuna.table.jackpots.awards import awards_of
from ventiuna.table.jackpots.codec import command_data, event_data
from ventiuna.table.jackpots.commands import JackpotCommand, OperatorCommand
from ventiuna.table.jackpots.deciding import decide, decide_creation, decide_removal
from ventiuna.table.jackpots.events import FORMAT, JackpotCreated, JackpotEvent
from ventiuna.table.jackpots.postings import postings_of_all
from ventiuna.table.jackpots.progressive import (
    Progressive,
    Reading,
    apply,
    created,
    is_over_maximum,
)
from ventiuna.table.jackpots.rows import lock_jackpots, read_jackpots, write_jackpot
from ventiuna.table.ledger.chain import Entry, Head, Request, request_hash
from ventiuna.table.ledger.postings import Layout


@dataclass(frozen=True, slots=True)
class Sender:
    """Who asks, under which key, when."""

    actor: str
    key: str
    at: int  # milliseconds since 1970


@dataclass(frozen=True, slots=True)
class Written:
    """An entry of a jackpot's book and the progressive after it."""

    entry: Entry
    jackpot: Progressive
    before: Progressive | None


def by_table(table: int, version: int, jackpot: int, at: int) -> Sender:
    """What follows from a table's entry: awards, links."""
    return Sender(f"table/{table}", f"J/{jackpot}/{version}", at)


def by_jackpot(removed: int, version: int, to: int, at: int) -> Sender:
    """What follows from the entry that removes a progressive."""
    return Sender(f"jackpot/{removed}", f"J/{to}/{version}", at)


# --- commands that are an entry of their own --------------------------------------------------


def done(
    connection: Connection, command: JackpotCommand, sender: Sender, number: int | None = None
) -> KnownCommand | None:
    """What came of it before, perhaps in a commit of which nobody heard."""
    content = request_hash(command_data(command))
    return done_before(connection, sender.actor, sender.key, content, number)


def create_jackpot(
    connection: Connection, command: do.CreateJackpot, sender: Sender
) -> Progressive:
    """A new progressive with a new book; a copy of the command finds the one that it made."""
    known = done(connection, command, sender)
    if known is not None:
        return read_jackpots(connection, [known.book])[known.book].jackpot
    head = open_book(connection, BookKind.JACKPOT)
    events = decide_creation(head.book, command)
    written = _written(head, None, command, events, sender)
    append(connection, [written.entry])
    write_jackpot(connection, written.jackpot, None)
    return written.jackpot


def carry_out(
    connection: Connection, number: int, command: OperatorCommand, sender: Sender
) -> Progressive:
    """Lock the progressive, decide, write; the progressive after it. A copy changes nothing."""
    reading = lock_jackpots(connection, [number])[number]
    if done(connection, command, sender, number):
        return reading.jackpot
    written = entry_of(reading, command, decide(reading, command), sender)
    save(connection, [written])
    return written.jackpot


def fold_over_maximum(connection: Connection, number: int, at: int) -> Written | None:
    """The clock's part, each minute for those that are `over_maximum`; None: no more so."""
    reading = lock_jackpots(connection, [number])[number]
    if not is_over_maximum(reading):
        return None
    command = do.FoldStripes("more than the maximum")
    sender = Sender("clock", f"fold/{number}/{reading.head.version + 1}", at)
    written = entry_of(reading, command, decide(reading, command), sender)
    save(connection, [written])
    return written


def remove_jackpot(
    connection: Connection, number: int, command: do.RemoveJackpot, sender: Sender
) -> list[Written]:
    """One entry, and one in the book of the progressive that gets the money; none for a copy."""
    numbers = {number} if command.to is None else {number, command.to}
    readings = lock_jackpots(connection, sorted(numbers))
    if done(connection, command, sender, number):
        return []
    to = None if command.to is None else readings[command.to]
    events, received = decide_removal(readings[number], command, to)
    written = [entry_of(readings[number], command, events, sender)]
    if to is not None and received:
        version = written[0].entry.version
        follows = by_jackpot(number, version, to.jackpot.number, sender.at)
        written.append(entry_of(to, do.ReceiveMoney(number, version), received, follows))
    save(connection, written)
    return written


# --- entries that are written beside a table's ------------------------------------------------


def award_entry(
    reading: Reading,
    layout: Layout,
    game: int,
    events: Sequence[TableEvent],
    table_entry: Entry,
) -> Written:
    """The jackpot's entry for the awards of a table's entry; append it just behind that one."""
    happened = awards_of(reading, layout, game, events)
    command = do.PayAwards(layout.table, table_entry.version, game)
    number = reading.jackpot.number
    sender = by_table(layout.table, table_entry.version, number, table_entry.at)
    return entry_of(reading, command, happened, sender)


def entry_of(
    reading: Reading, command: JackpotCommand, events: Sequence[JackpotEvent], sender: Sender
) -> Written:
    """The next entry of the progressive's book; nothing is written yet."""
    return _written(reading.head, reading.jackpot, command, events, sender)


def save(connection: Connection, written: Sequence[Written]) -> None:
    """Append entries and bring the rows up to them."""
    append(connection, [each.entry for each in written])
    for each in written:
        write_jackpot(connection, each.jackpot, each.before)


def _written(
    head: Head,
    before: Progressive | None,
    command: JackpotCommand,
    events: Sequence[JackpotEvent],
    sender: Sender,
) -> Written:
    asked = command_data(command)
    request = Request(
        actor=sender.actor,
        key=sender.key,
        at=sender.at,
        request=request_hash(asked),
        command=asked,
        events=[event_data(event) for event in events],
        engine=FORMAT,
        postings=postings_of_all(head.book, events, head.events + 1),
    )
    entry, _ = head.next_entry(request)
    return Written(entry, folded(head.book, before, events), before)


def folded(number: int, jackpot: Progressive | None, events: Sequence[JackpotEvent]) -> Progressive:
    """The progressive after these events; without one the first of them creates it."""
    for event in events:
        if jackpot is not None:
            jackpot = apply(jackpot, event)
        elif isinstance(event, JackpotCreated):
            jackpot = created(number, event)
    assert jackpot is not None, "a jackpot's book begins with its creation"
    return jackpot
