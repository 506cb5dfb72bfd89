"""What the house's registers show: progressives, persons, tables of a person, shoes, books."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import Connection, bindparam, select

from ventiuna.engine.records import Data
from ventiuna.errors import VentiunaError
from ventiuna.table.books.entries import BookKind, balances, read_entries
from ventiuna.table.books.ledger_view import Wanted, search
from ventiuna.table.jackpots.progressive import Progressive, Reading, shown
from ventiuna.table.jackpots.rows import all_jackpots, read_jackpots
from ventiuna.table.ledger.chain import Entry, Posting
from ventiuna.table.ledger.chart import way
from ventiuna.table.persons.people import Person, PersonKind, Role
from ventiuna.table.records.entry_words import account_words, act_told, event_told
from ventiuna.table.store import schema
from ventiuna.table.store.prepared import Prepared
from ventiuna.table.telling.views import public_event
from ventiuna.table.writing.loading import events_of


class RegisterError(VentiunaError):
    """What no register has."""


_PERSON = "person/"  # before the number of an actor who is one

# --- progressives -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownJackpot:
    """A progressive and what it shows; the rest of its fund is for the house and its auditors."""

    jackpot: Progressive
    shown: int
    reserve: int


def jackpots(connection: Connection) -> list[ShownJackpot]:
    """All progressives, removed ones too."""
    readings = read_jackpots(connection, all_jackpots(connection))
    return [_shown(reading) for _, reading in sorted(readings.items())]


def one_jackpot(connection: Connection, number: int) -> ShownJackpot:
    """Raises `Refused` where there is none."""
    return _shown(read_jackpots(connection, [number])[number])


def _shown(reading: Reading) -> ShownJackpot:
    reserve = reading.jackpot.reserve + sum(reading.reserves.values())
    return ShownJackpot(reading.jackpot, shown(reading), reserve)


# --- persons ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PersonLine:
    person: Person
    wallet: int


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Chips of a person at a table."""

    table: int
    seat: int
    status: str
    stack: int


def persons(connection: Connection, after: int = 0, most: int = 100) -> list[PersonLine]:
    """By number, those behind one."""
    person = schema.person
    rows = connection.execute(
        select(person.c.id, person.c.name, person.c.kind, person.c.role)
        .where(person.c.id > after)
        .order_by(person.c.id)
        .limit(most)
    ).all()
    held = balances(connection, [f"wallet/{row.id}" for row in rows])
    return [
        PersonLine(
            Person(row.id, row.name, PersonKind(row.kind), Role(row.role)),
            held.get(f"wallet/{row.id}", 0),
        )
        for row in rows
    ]


def wallet_of(connection: Connection, person: int) -> int:
    code = f"wallet/{person}"
    return balances(connection, [code]).get(code, 0)


_SEATS = Prepared(
    select(schema.seat.c.table_id, schema.seat.c.number, schema.seat.c.status)
    .where(schema.seat.c.person_id == bindparam("person"))
    .order_by(schema.seat.c.table_id)
)


def seats_of(connection: Connection, person: int) -> list[SeatLine]:
    rows = _SEATS.all(connection, person=person)
    stacks = balances(connection, [f"stack/{row.table_id}/{row.number}" for row in rows])
    return [
        SeatLine(
            row.table_id,
            row.number,
            row.status,
            stacks.get(f"stack/{row.table_id}/{row.number}", 0),
        )
        for row in rows
    ]


# --- shoes ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShoeLine:
    """What everybody may know of a shoe before it ends, and that it has."""

    number: int
    state: str  # committed, in_play, ended
    commitment: str
    source: str


def shoes_of(connection: Connection, table: int) -> list[ShoeLine]:
    shoe = schema.shoe
    rows = connection.execute(
        select(
            shoe.c.number,
            shoe.c.commitment,
            shoe.c.source,
            shoe.c.mix.is_not(None).label("is_cut"),
            shoe.c.closed_version.is_not(None).label("has_ended"),
        )
        .where(shoe.c.table_id == table)
        .order_by(shoe.c.number)
    )
    return [
        ShoeLine(
            row.number,
            "ended" if row.has_ended else "in_play" if row.is_cut else "committed",
            row.commitment.hex(),
            row.source,
        )
        for row in rows
    ]


# --- books ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BookLine:
    number: int
    kind: BookKind
    version: int
    events: int
    head: str


def books(connection: Connection) -> list[BookLine]:
    rows = connection.execute(select(schema.book).order_by(schema.book.c.id))
    return [
        BookLine(row.id, BookKind(row.kind), row.version, row.events, row.head.hex())
        for row in rows
    ]


def kind_of_book(connection: Connection, number: int) -> BookKind | None:
    found = connection.scalar(select(schema.book.c.kind).where(schema.book.c.id == number))
    return None if found is None else BookKind(found)


def entries_of(connection: Connection, number: int, after: int, most: int) -> list[Data]:
    """Entries behind a version, as auditors may read them: the down card of a round in play
    stays hidden from them too."""
    kind = kind_of_book(connection, number)
    if kind is None:
        raise RegisterError(f"There is no book {number}.")
    entries = islice(read_entries(connection, number, after), most)
    return [_entry_data(entry, kind) for entry in entries]


def found_entries(
    connection: Connection, wanted: Wanted, before: int | None, most: int
) -> list[Data]:
    """As `search`, with who and what in words."""
    found = search(connection, wanted, before, most)
    for line in found:
        command = line["command"]
        assert isinstance(command, dict), "a command that is no object"
        line["told"] = act_told(BookKind(str(line["kind"])), command)
    return _with_names(connection, found)


def _with_names(connection: Connection, lines: list[Data]) -> list[Data]:
    """Each with how its actor is called: a person by name, the clock as the clock."""
    actors = {str(line["actor"]) for line in lines}
    numbers = [int(actor.removeprefix(_PERSON)) for actor in actors if actor.startswith(_PERSON)]
    person = schema.person
    rows = connection.execute(select(person.c.id, person.c.name).where(person.c.id.in_(numbers)))
    names = {f"{_PERSON}{row.id}": row.name for row in rows}
    return [{**line, "called": names.get(str(line["actor"]), line["actor"])} for line in lines]


def _entry_data(entry: Entry, kind: BookKind) -> Data:
    command = json.loads(entry.command)
    return {
        "version": entry.version,
        "at": entry.at,
        "actor": entry.actor,
        "key": entry.key,
        "command": command,
        "told": act_told(kind, command),
        "first_event": entry.first_event,
        "events": [{**event, "told": event_told(kind, event)} for event in _events(entry, kind)],
        "postings": [posting_data(line) for line in entry.postings],
        "hash": entry.hash.hex(),
    }


def _events(entry: Entry, kind: BookKind) -> list[Data]:
    if kind is BookKind.TABLE:
        return [public_event(numbered.event) for numbered in events_of(entry)]
    return [dict(data) for data in entry.event_data()]


def posting_data(line: Posting) -> Data:
    return {
        "code": str(line.code),
        "from": line.from_account,
        "to": line.to_account,
        "from_told": account_words(line.from_account),
        "to_told": account_words(line.to_account),
        "meaning": way(line.code, line.from_account, line.to_account).meaning,
        "cents": line.amount,
        "round": line.round_number,
        "spot": line.spot,
        "reason": line.reason,
    }


# --- movements of a progressive ---------------------------------------------------------------


def movements(connection: Connection, jackpot: int, after: int, most: int) -> list[Data]:
    """What moved the fund, entry by entry, each with who and why. Contributions stand in the
    tables' books; here they appear when their stripe is folded."""
    return _with_names(connection, list(islice(_movements(connection, jackpot, after), most)))


def _movements(connection: Connection, jackpot: int, after: int) -> Iterator[Data]:
    for entry in read_entries(connection, jackpot, after):
        command = json.loads(entry.command)
        yield {
            "version": entry.version,
            "at": entry.at,
            "actor": entry.actor,
            "act": command["command"],
            "told": act_told(BookKind.JACKPOT, command),
            "reason": command.get("reason"),
            "postings": [posting_data(line) for line in entry.postings],
        }
