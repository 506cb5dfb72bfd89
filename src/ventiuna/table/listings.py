"""Listings from the books: entries, accounts, jackpots, people, tables, shoes, and rounds.

Descriptions are built from data that auditors may read, so they reveal nothing more. A field's
declared type determines how it is formatted.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, cast

from sqlalchemy import Column, Connection, and_, bindparam, func, literal, or_, select
from typing_extensions import TypedDict

from ventiuna.cards import card_words
from ventiuna.engine.chips import Chips
from ventiuna.engine.codec import Data, RecordCodec
from ventiuna.engine.events import (
    Card,
    CardDealt,
    Cents,
    Event,
    JackpotGame,
    MtdWager,
    RoundVoided,
    Stakes,
    Wager,
    WagersPlaced,
)
from ventiuna.engine.messages import capitalize_first, odds_words, wager_title
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules, canonical
from ventiuna.rules.text.phrases import dollars, headline, join_words, mtd_word
from ventiuna.table import accounts, duties
from ventiuna.table.accounts import PERSON_COLUMNS, Person, read_person
from ventiuna.table.domain import commands as table_codec
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import FORMS, Times
from ventiuna.table.fairness import EntropySource, ShoeContext, read_context
from ventiuna.table.jackpots import decisions as jackpot_codec
from ventiuna.table.jackpots.progressive import (
    AwardPaid,
    ByTable,
    Correction,
    MeterSnapshot,
    PayAwards,
    Progressive,
    displayed_amount,
)
from ventiuna.table.jackpots.repository import all_jackpots, read_jackpots
from ventiuna.table.journal import BookKind, balances, newest_seal, read_entries
from ventiuna.table.ledger import (
    ACCOUNT_RULES,
    LARGEST_INTEGER,
    AccountKind,
    Entry,
    Posting,
    PostingCode,
    kind_of,
    posting_kind_of,
)
from ventiuna.table.played_hands import PlayedHand, played_cards
from ventiuna.table.presentation import public_event
from ventiuna.table.read_model import (
    corrections_of,
    events_of,
    events_of_round,
    stored_rules,
    table_events,
)
from ventiuna.table.shoe_record import (
    CutRecord,
    DealtRound,
    Ending,
    PublicRecord,
    RecordError,
    dealt_round,
)
from ventiuna.table.store import schema
from ventiuna.table.store.schema import account, book, entry, game_table, posting, round_
from ventiuna.table.store.statements import Prepared, find_rows


class Description(TypedDict):
    name: str
    details: str


_RECORDS: dict[BookKind, tuple[RecordCodec[Any], RecordCodec[Any]]] = {
    BookKind.TABLE: (table_codec.COMMAND_RECORDS, table_codec.EVENT_RECORDS),
    BookKind.JACKPOT: (jackpot_codec.COMMAND_RECORDS, jackpot_codec.EVENT_RECORDS),
    BookKind.CASHIER: (accounts.CASHIER_COMMANDS, accounts.CASHIER_EVENTS),
}
# Commands declare cents as plain integers; the round refuses invalid amounts.
_AMOUNT_FIELDS = frozenset({"amount", "base", "maximum", "limit", "advance_limit", "paid"})
_HIDDEN_FIELDS = frozenset(
    {"reason", "remainder", "remainders", "rules", "settings", "fingerprint"}
)
_WORD = re.compile(r"[A-Z][a-z]*")


class Names:
    """Names of people, tables and jackpots; without a connection, their numbers.

    `book` and `version` are those of the entry that the names are for.
    """

    _LOOKBACK = 5_000  # entries in which a seat's player is looked for

    def __init__(self, connection: Connection | None = None) -> None:
        self._connection = connection
        self._known: dict[tuple[str, int], str] = {}
        self._buyers: dict[str, tuple[int, int, str]] = {}  # first and last version, and the name
        self.book, self.version = 0, 0

    def of(self, kind: str, number: object) -> str:
        """`Ana`, or `person 3`; `kind` is person, table or jackpot."""
        if self._connection is None or not str(number).isdecimal():
            return f"{kind} {number}"
        key = kind, int(str(number))
        if key not in self._known:
            named = _NAMED[kind]
            name = self._connection.scalar(select(named.c.name).where(named.c.id == key[1]))
            self._known[key] = name or f"{kind} {number}"
        return self._known[key]

    def player(self, stack: str) -> str:
        """Who had these chips at that entry: the last one to buy some; empty if unknown."""
        if self._connection is None or stack.split("/")[1] != str(self.book):
            return ""
        first, last, name = self._buyers.get(stack, (0, -1, ""))
        if not first <= self.version <= last:
            first, name = self._buyer(stack)
            self._buyers[stack] = first, self.version, name
        return name

    def _buyer(self, stack: str) -> tuple[int, str]:
        assert self._connection is not None, "checked above"
        oldest = max(0, self.version - self._LOOKBACK)
        chips, wallet = account.alias(), account.alias()
        found = self._connection.execute(
            select(posting.c.version, wallet.c.code)
            .join(chips, chips.c.id == posting.c.to_id)
            .join(wallet, wallet.c.id == posting.c.from_id)
            .where(posting.c.book_id == self.book, posting.c.code == str(PostingCode.BUY_IN))
            .where(posting.c.version.between(oldest, self.version), chips.c.code == stack)
            .order_by(posting.c.version.desc())
            .limit(1)
        ).first()
        if found is None:
            return self.version, ""
        return found.version, self.of("person", found.code.split("/")[1])


_NAMED = {"person": schema.person, "table": game_table, "jackpot": schema.jackpot}
_NUMBERS = Names()


def describe_command(kind: BookKind, command: Data, names: Names = _NUMBERS) -> Description:
    """Describe a command by its name and its fields; the reason is shown separately."""
    return _describe(_RECORDS[kind][0], command, names)


def describe_event(kind: BookKind, event: Data, names: Names = _NUMBERS) -> Description:
    """Describe an event by its name and its fields, including the reason."""
    description = _describe(_RECORDS[kind][1], event, names)
    if reason := event.get("reason"):
        description["details"] = ", ".join(
            filter(None, (description["details"], _text(str(reason))))
        )
    return description


def describe_account(code: str, names: Names = _NUMBERS) -> str:
    """Describe an account: `stack/7/3` becomes `chips of seat 3 at table 7`, or `Ana's chips`."""
    kind = kind_of(code)
    numbers = code.split("/")[1:]
    if kind is AccountKind.WALLET:
        return f"{names.of('person', numbers[0])}'s wallet"
    if kind is AccountKind.STACK:
        player = names.player(code)
        owner = f"{player}'s chips" if player else f"chips of seat {numbers[1]}"
        return f"{owner} at {names.of('table', numbers[0])}"
    if not numbers:
        return _ACCOUNTS[kind]
    of = "jackpot" if kind in _OF_JACKPOTS else "table"
    words = _ACCOUNTS[kind].format(names.of(of, numbers[0]))
    return f"{words}, from {names.of('table', numbers[1])}" if numbers[1:] else words


_ACCOUNTS: dict[AccountKind, str] = {
    AccountKind.MINT: "play money issued",
    AccountKind.HOUSE: "the house",
    AccountKind.STAKE: "wagers in play at {}",
    AccountKind.BANK: "bank of {}",
    AccountKind.METER: "meter of {}",
    AccountKind.RESERVE: "reserve of {}",
    AccountKind.ADVANCE: "seed advanced to {}",
    AccountKind.DUE: "awards of {} to be paid by hand",
}
_OF_JACKPOTS = (AccountKind.METER, AccountKind.RESERVE, AccountKind.ADVANCE)


def _describe(records: RecordCodec[Any], data: Data, names: Names = _NUMBERS) -> Description:
    name = str(data[records.tag])
    details = [
        words
        for field in records.fields(name)
        if field.name in data and field.name not in _HIDDEN_FIELDS
        if field.name != "hand" or data.get("spot")  # a hand belongs to a spot
        if (words := _field(field.name, field.hint, data[field.name], names))
    ]
    return {
        "name": capitalize_first(" ".join(_WORD.findall(name)).lower()),
        "details": ", ".join(_distinct(details)),
    }


def _distinct(details: list[str]) -> list[str]:
    """Leave out what another detail says: a person's name, or `jackpot 1` of its own name."""
    distinct = dict.fromkeys(details)
    return [one for one in distinct if not any(other.endswith(f" {one}") for other in distinct)]


def _field(field: str, declared: Any, value: object, names: Names) -> str:
    """The field in words, or an empty string if there is nothing to say."""
    if value is None or value in ("", {}, [], ()):
        return ""
    if field in _NAMED:
        return names.of(field, value)
    if declared == ByTable:
        return _stakes(lambda table: names.of("table", table))(value)
    if field == "subject":  # `person 3`
        return names.of(*str(value).partition(" ")[::2])
    if field == "wanted":
        return _wanted_words(value, names).lower()
    if declared == Cents or field in _AMOUNT_FIELDS:
        amount = dollars(cast(int, value))
        return amount if field == "amount" else f"{_spaced(field)} {amount}"
    write = _FIELDS.get(field) or _DECLARED.get(declared)
    return write(value) if write else f"{_spaced(field)} {_spaced(str(value))}"


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _text(text: str) -> str:
    """Turn codes into words; leave people's own text unchanged."""
    return _spaced(text) if re.fullmatch(r"[a-z_0-9]+", text) else text


def _stakes(word: Callable[[str], str]) -> Callable[[Any], str]:
    return lambda stakes: ", ".join(f"{word(key)} {dollars(stakes[key])}" for key in stakes)


def _game(game: str) -> str:
    return f"jackpot {game}"


def _seats(word: str) -> Callable[[Any], str]:
    def write(numbers: Any) -> str:
        return f"{word if len(numbers) == 1 else f'{word}s'} {join_words([*map(str, numbers)])}"

    return write


_FIELDS: dict[str, Callable[[Any], str]] = {
    "hand": lambda hand: "" if hand < 0 else f"hand {hand + 1}",
    "number": lambda number: f"round {number}",
    "round_number": lambda number: f"round {number}",
    "reserve_rate": lambda rate: f"{rate / 100:g}% of each wager to the reserve" if rate else "",
    "spots": _seats("spot"),
    "called": _seats("spot"),
    "stream": lambda _: "",  # the finding names it
    "finding": str,
    "rounds": _seats("round"),
    "supervised": lambda _: "with a supervisor",
    "hand_pay": lambda _: "to be paid by hand",
    "withheld": _seats("cut not opened by seat"),
    "odds": odds_words,
    "role": str,
    "game": _game,
    "rule": str,
    "is_on": lambda is_on: "on" if is_on else "off",
    "earlier": lambda number: f"replaces correction {number}" if number else "",
    "name": str,
    "kind": _spaced,
    "stage": _spaced,
    "advice": _spaced,
    "blackjack": lambda found: "blackjack" if found else "no blackjack",
    "place": lambda place: f"{place} card" if place in ("up", "down") else f"to the {place}",
    "spot": lambda spot: f"spot {spot}" if spot else "",
    "meter": lambda game: f"paid from the meter of jackpot {game}" if game else "",
}
_DECLARED: dict[Any, Callable[[Any], str]] = {
    Card: card_words,
    Card | None: card_words,
    Wager: lambda wager: "" if wager == Wager.HAND else wager_title(Wager(wager)),
    Stakes[MtdWager]: _stakes(mtd_word),
    Stakes[JackpotGame]: _stakes(_game),
    Mapping[MtdWager, int]: _stakes(mtd_word),
    Mapping[JackpotGame, int]: _stakes(_game),
    Times: lambda times: ", ".join(_clocks(times)),
}
_CLOCKS = {"answer": "answers", "cut": "the cut", "decision": "decisions"}


def _clocks(times: Mapping[str, int]) -> Iterator[str]:
    """`15 s for decisions and wagers`: clocks with the same time together."""
    for time in dict.fromkeys(times.values()):
        clocks = [_CLOCKS.get(name, _spaced(name)) for name in times if times[name] == time]
        yield f"{_duration(time)} for {join_words(clocks)}"


def _duration(milliseconds: int) -> str:
    seconds = milliseconds / 1000
    if seconds >= 7200:
        return f"{seconds / 3600:g} h"
    return f"{seconds / 60:g} min" if seconds >= 120 else f"{seconds:g} s"


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """The total of all accounts of one kind."""

    kind: str
    meaning: str
    accounts: int
    cents: int


def ledger_totals(connection: Connection) -> list[LedgerLine]:
    """The totals by kind, in chart order; they add up to 0."""
    rows = connection.execute(
        select(account.c.kind, func.count(), func.sum(account.c.balance)).group_by(account.c.kind)
    )
    totals = {kind: (count, int(cents)) for kind, count, cents in rows}
    return [
        LedgerLine(str(kind), ACCOUNT_RULES[kind].meaning, *totals.get(str(kind), (0, 0)))
        for kind in AccountKind
    ]


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """Search conditions for entries; an omitted condition matches every entry."""

    book: int | None = None
    actor: str = ""  # `person/3`, `table/7`, or a person's name
    text: str = ""  # matches anywhere in the command: its name, a reason, a person
    code: str = ""  # code of one of the entry's postings


class FoundEntry(TypedDict):
    book: int
    kind: str
    version: int
    at: int
    actor: str
    command: Data
    told: Description
    called: str
    cents: int  # total of its postings
    moved: list[MovedMoney]


MovedMoney = TypedDict(
    "MovedMoney",
    {
        "from": str,  # `Ana's wallet`, `in play`, `bank`
        "to": str,
        "cents": int,
    },
)


def find_entries(
    connection: Connection, criteria: EntryFilter, before: int | None, maximum: int
) -> list[FoundEntry]:
    """Entries from all books, newest first; `before` is the time of the last entry already listed.

    Events are left out, because they may include a card that nobody may see yet.
    """
    query = (
        select(
            entry.c.book_id,
            book.c.kind,
            entry.c.version,
            entry.c.at,
            entry.c.actor,
            entry.c.command,
            select(func.coalesce(func.sum(posting.c.amount), 0))
            .where(_OF_ENTRY)
            .scalar_subquery()
            .label("cents"),
        )
        .join(book, book.c.id == entry.c.book_id)
        .order_by(entry.c.at.desc(), entry.c.book_id.desc(), entry.c.version.desc())
        .limit(maximum)
    )
    if before is not None:
        query = query.where(entry.c.at < before)
    if criteria.book is not None:
        query = query.where(entry.c.book_id == criteria.book)
    if criteria.actor:
        named = accounts.find_person(connection, criteria.actor)
        query = query.where(entry.c.actor == (f"{_PERSON}{named.id}" if named else criteria.actor))
    if criteria.text:  # commands are displayed in words: `buy chips` finds `BuyChips`
        parts = {criteria.text, criteria.text.replace(" ", "")}
        query = query.where(
            or_(*(entry.c.command.icontains(part, autoescape=True) for part in sorted(parts)))
        )
    if criteria.code:
        query = query.where(
            select(posting.c.line).where(_OF_ENTRY, posting.c.code == criteria.code).exists()
        )
    rows = connection.execute(query).all()
    actors = names_of(connection, {row.actor for row in rows})
    moved = _moved(connection, [(row.book_id, row.version) for row in rows])
    names = Names(connection)
    found: list[FoundEntry] = []
    for row in rows:
        names.book, names.version = row.book_id, row.version
        # Rules and settings would fill a page.
        command = {
            key: value
            for key, value in json.loads(row.command).items()
            if key not in ("rules", "settings")
        }
        found.append(
            {
                "book": row.book_id,
                "kind": row.kind,
                "version": row.version,
                "at": row.at,
                "actor": row.actor,
                "command": command,
                "told": describe_command(BookKind(row.kind), command, names),
                "called": actors.get(row.actor, row.actor),
                "cents": int(row.cents),
                "moved": [
                    {"from": _short(payer, names), "to": _short(payee, names), "cents": cents}
                    for (payer, payee), cents in moved[row.book_id, row.version].items()
                ],
            }
        )
    return found


def _moved(
    connection: Connection, entries: list[tuple[int, int]]
) -> dict[tuple[int, int], Counter[tuple[str, str]]]:
    """What each entry moved from one account to another."""
    found: dict[tuple[int, int], Counter[tuple[str, str]]] = defaultdict(Counter)
    columns = ("book_id", "version", "from_id", "to_id", "amount")
    rows = find_rows(connection, posting, columns, columns[:2], entries)
    numbers = sorted({row[column] for row in rows for column in (2, 3)})
    codes = dict(find_rows(connection, account, ("id", "code"), ("id",), [(n,) for n in numbers]))
    for number, version, from_id, to_id, amount in rows:
        found[number, version][codes[from_id], codes[to_id]] += amount
    return found


def _short(code: str, names: Names) -> str:
    """An account in a word or two."""
    kind = kind_of(code)
    if kind is AccountKind.STACK:
        player = names.player(code)
        return f"{player}'s chips" if player else f"chips of seat {code.split('/')[2]}"
    return describe_account(code, names) if kind is AccountKind.WALLET else _SHORT[kind]


_SHORT = {
    AccountKind.MINT: "play money",
    AccountKind.HOUSE: "house",
    AccountKind.STAKE: "in play",
    AccountKind.BANK: "bank",
    AccountKind.METER: "meter",
    AccountKind.RESERVE: "reserve",
    AccountKind.ADVANCE: "advance",
    AccountKind.DUE: "to be paid by hand",
}


_OF_ENTRY = (posting.c.book_id == entry.c.book_id) & (posting.c.version == entry.c.version)


def names_of(connection: Connection, actors: set[str]) -> dict[str, str]:
    """The names of actors who are people."""
    numbers = [int(actor.removeprefix(_PERSON)) for actor in actors if actor.startswith(_PERSON)]
    person = schema.person
    rows = connection.execute(select(person.c.id, person.c.name).where(person.c.id.in_(numbers)))
    return {f"{_PERSON}{row.id}": row.name for row in rows}


def house_summary(connection: Connection) -> Data:
    """Counts of people, tables, and jackpots, money totals, and the newest seal."""
    house, person, table = schema.house, schema.person, game_table
    row = connection.execute(select(house.c.id, house.c.name)).one()
    states = _counts(connection, table.c.state)
    roles = _counts(connection, person.c.role)
    seal = newest_seal(connection)
    all_balances = balances(connection)
    return {
        "house": row.id,
        "name": row.name,
        "owners": roles.get("owner", 0),
        "operators": roles.get("operator", 0),
        "floor": roles.get("floor", 0),
        "auditors": roles.get("auditor", 0),
        "players": roles.get("player", 0),
        "open_tables": states.get("open", 0),
        "closing_tables": states.get("closing", 0),
        "tables_in_fault": states.get("fault", 0),
        "jackpots": len(all_jackpots(connection)),
        "issued_cents": -all_balances.get("mint", 0),
        "imbalance_cents": sum(all_balances.values()),
        "newest_seal": seal.hash.hex() if seal else None,
    }


def _counts(connection: Connection, column: Column[str]) -> dict[str, int]:
    rows = connection.execute(select(column, func.count()).group_by(column))
    return {str(value): int(number) for value, number in rows}


def list_tables(connection: Connection) -> list[Data]:
    """All tables with their rules, including closed ones."""
    table = game_table
    known: dict[str, Rules] = {}
    return [
        {
            "id": row.id,
            "name": row.name,
            "headline": headline(stored_rules(row.rules_data, known)),
            "preset": row.rules_name,
            "rules": canonical(stored_rules(row.rules_data, known)),
            "fingerprint": row.rules_fingerprint,
            "status": row.state,
        }
        for row in connection.execute(select(table).order_by(table.c.id))
    ]


class RegisterError(VentiunaError):
    """The requested item doesn't exist."""


_PERSON = "person/"  # prefix for an actor who is a person


@dataclass(frozen=True, slots=True)
class DisplayedJackpot:
    """A progressive and its displayed amount; only the house and its auditors see the rest."""

    jackpot: Progressive
    shown: int
    reserve: int


def list_jackpots(connection: Connection) -> list[DisplayedJackpot]:
    """All progressives, including removed ones."""
    readings = read_jackpots(connection, all_jackpots(connection))
    return [_jackpot_line(reading) for _, reading in sorted(readings.items())]


def find_jackpot(connection: Connection, number: int) -> DisplayedJackpot:
    """Return one progressive; raises `Refused` if it doesn't exist."""
    return _jackpot_line(read_jackpots(connection, [number])[number])


def _jackpot_line(reading: MeterSnapshot) -> DisplayedJackpot:
    reserve = reading.jackpot.reserve + sum(reading.reserves.values())
    return DisplayedJackpot(reading.jackpot, displayed_amount(reading), reserve)


@dataclass(frozen=True, slots=True)
class ApprovalLine:
    """A request for a second person's approval, with its status and answer."""

    request: int
    at: int
    until: int
    requested_by: str
    requested_by_name: str
    subject: str
    title: str  # such as "Issue play money to Ana"
    details: str  # such as "$500"
    consequence: str
    wanted: str
    reason: str
    status: str
    answered_by: str
    answered_by_name: str
    answer_reason: str


def list_approvals(connection: Connection, now: int) -> list[ApprovalLine]:
    """The last day's requests, newest first."""
    found = duties.recent_approvals(connection, now)
    names = names_of(connection, {who for one in found for who in (one.actor, one.answered_by)})
    return [
        ApprovalLine(
            one.number,
            one.at,
            one.until,
            one.actor,
            names.get(one.actor, one.actor),
            one.subject,
            *_wanted_lines(connection, one),
            one.wanted,
            one.reason,
            one.answer or "waiting",
            one.answered_by,
            names.get(one.answered_by, one.answered_by),
            one.answer_reason,
        )
        for one in found
    ]


def _wanted_lines(connection: Connection, found: duties.Approval) -> tuple[str, str, str]:
    """A request's title, details and consequence."""
    command = json.loads(found.wanted)
    kind, _, number = found.subject.partition(" ")
    form = _SECOND_FORMS[command["command"]]
    command.pop("person", None)  # the title names the person
    details = [_describe(_RECORDS[_BOOK_OF[kind]][0], command)["details"]]
    if form.word == "void":
        last = duties.round_begun(connection, int(number), found.at)
        details = [f"round {last}"] if last else []
    if direction := _DIRECTIONS.get(command["command"]):
        details = [f"{direction} by {details[0]}"]
    name = _subject_name(connection, kind, int(number))
    return form.title.format(name=name), ", ".join(details), form.consequence


_DIRECTIONS = {"CorrectUp": "up", "CorrectDown": "down"}
_BOOK_OF = {"table": BookKind.TABLE, "jackpot": BookKind.JACKPOT, "person": BookKind.CASHIER}
_SECOND_FORMS = {form.kind.__name__: form for form in FORMS if form.needs_second}
_SECOND_FORMS |= dict.fromkeys(_DIRECTIONS, _SECOND_FORMS[Correction.__name__])


def _subject_name(connection: Connection, kind: str, number: int) -> str:
    if kind == "person":
        who = f"person/{number}"
        return names_of(connection, {who}).get(who, who)
    named = game_table if kind == "table" else schema.jackpot
    return str(connection.scalar(select(named.c.name).where(named.c.id == number)))


def _wanted_words(wanted: Any, names: Names) -> str:
    try:
        data = json.loads(wanted)
        records = [pair[0] for pair in _RECORDS.values() if data["command"] in pair[0].kinds]
        described = _describe(records[0], data, names)
    except (LookupError, TypeError, ValueError):  # a forged entry may hold anything
        return str(wanted)
    return " ".join(filter(None, (described["name"], described["details"])))


@dataclass(frozen=True, slots=True)
class PersonBalance:
    person: Person
    wallet: int


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A person's chips at a table."""

    table: int
    seat: int
    status: str
    stack: int


def list_people(connection: Connection, after: int = 0, maximum: int = 100) -> list[PersonBalance]:
    """People by number, starting after `after`."""
    person = schema.person
    rows = connection.execute(
        select(*PERSON_COLUMNS).where(person.c.id > after).order_by(person.c.id).limit(maximum)
    ).all()
    wallets = balances(connection, [f"wallet/{row.id}" for row in rows])
    return [PersonBalance(read_person(*row), wallets.get(f"wallet/{row.id}", 0)) for row in rows]


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
        SeatLine(table, seat, status, stacks.get(f"stack/{table}/{seat}", 0))
        for table, seat, status in rows
    ]


ShoeState = Literal["committed", "in_play", "ended", "unused"]  # unused: the table closed first


@dataclass(frozen=True, slots=True)
class ShoeLine:
    """A shoe's public data, before and after it ends."""

    number: int
    state: ShoeState
    commitment: str  # hash of the context and the secret behind its cards
    source: EntropySource


def shoes_of(connection: Connection, table: int) -> list[ShoeLine]:
    shoe, game_table = schema.shoe, schema.game_table
    state = connection.scalar(select(game_table.c.state).where(game_table.c.id == table))
    coming: ShoeState = "unused" if state == "closed" else "committed"
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
            "ended" if row.has_ended else "in_play" if row.is_cut else coming,
            row.commitment.hex(),
            EntropySource(row.source),
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class BookLine:
    number: int
    kind: BookKind
    name: str  # of its table or jackpot
    version: int
    events: int
    head: str | None  # None while a shoe is in play


def list_books(connection: Connection) -> list[BookLine]:
    rows = connection.execute(select(schema.book).order_by(schema.book.c.id))
    withheld = _withheld_hashes(connection)
    names = Names(connection)
    return [
        BookLine(
            row.id,
            BookKind(row.kind),
            "Cashier" if row.kind == BookKind.CASHIER else names.of(row.kind, row.id),
            row.version,
            row.events,
            None if row.id in withheld else row.head.hex(),
        )
        for row in rows
    ]


def _withheld_hashes(connection: Connection) -> dict[int, int]:
    """The first version without a public hash, by table with a shoe in play.

    An entry's hash covers all cards dealt so far, so it would confirm the right one of 52 guesses
    at a down card that is face down or was discarded unseen.
    """
    shoe = schema.shoe
    rows = connection.execute(
        select(round_.c.table_id, func.min(round_.c.first_version))
        .join(shoe, and_(shoe.c.table_id == round_.c.table_id, shoe.c.number == round_.c.shoe))
        .where(shoe.c.closed_version.is_(None))
        .group_by(round_.c.table_id)
    )
    return dict(rows.all())


def kind_of_book(connection: Connection, number: int) -> BookKind | None:
    found = connection.scalar(select(schema.book.c.kind).where(schema.book.c.id == number))
    return None if found is None else BookKind(found)


def entries_of(connection: Connection, number: int, after: int, maximum: int) -> list[EntryData]:
    """Entries after a version, as auditors may read them.

    Auditors can't see an open round's down card either, or any hash that covers the shoe in play.
    """
    kind = kind_of_book(connection, number)
    if kind is None:
        raise RegisterError(f"There is no book {number}.")
    entries = islice(read_entries(connection, number, after), maximum)
    withheld = _withheld_hashes(connection).get(number, LARGEST_INTEGER)
    names = Names(connection)
    names.book = number
    return [_entry_data(entry, kind, entry.version < withheld, names) for entry in entries]


class EntryData(TypedDict):
    version: int
    at: int
    actor: str
    key: str
    command: Data
    told: Description
    first_event: int
    events: list[dict[str, object]]  # each with a description under `told`
    postings: list[PostingData]
    hash: str | None  # None while the shoe is in play


def _entry_data(entry: Entry, kind: BookKind, has_hash: bool, names: Names) -> EntryData:
    command = json.loads(entry.command)
    names.version = entry.version
    return {
        "version": entry.version,
        "at": entry.at,
        "actor": entry.actor,
        "key": entry.key,
        "command": command,
        "told": describe_command(kind, command, names),
        "first_event": entry.first_event,
        "events": [
            {**event, "told": describe_event(kind, event, names)} for event in _events(entry, kind)
        ],
        "postings": [posting_data(line, names) for line in entry.postings],
        "hash": entry.hash.hex() if has_hash else None,
    }


def _events(entry: Entry, kind: BookKind) -> list[Data]:
    if kind is BookKind.TABLE:
        return [public_event(numbered.event) for numbered in events_of(entry)]
    return [dict(data) for data in entry.event_data()]


PostingData = TypedDict(
    "PostingData",
    {
        "code": str,
        "from": str,
        "to": str,
        "from_told": str,
        "to_told": str,
        "meaning": str,
        "cents": int,
        "round": int | None,
        "spot": int | None,
        "reason": str | None,
    },
)


def posting_data(line: Posting, names: Names = _NUMBERS) -> PostingData:
    return {
        "code": str(line.code),
        "from": line.from_account,
        "to": line.to_account,
        "from_told": describe_account(line.from_account, names),
        "to_told": describe_account(line.to_account, names),
        "meaning": posting_kind_of(line.code, line.from_account, line.to_account).meaning,
        "cents": line.amount,
        "round": line.round_number,
        "spot": line.spot,
        "reason": line.reason,
    }


def movements(connection: Connection, jackpot: int, after: int, maximum: int) -> list[Data]:
    """Changes to the fund, entry by entry, each with its actor and reason.

    Contributions are in the tables' books and appear here when their stripe is folded.
    """
    rows = list(islice(read_entries(connection, jackpot, after), maximum))
    actors = names_of(connection, {row.actor for row in rows})
    names = Names(connection)
    commands = [json.loads(row.command) for row in rows]
    awards = [_awards(row, command, names) for row, command in zip(rows, commands, strict=True)]
    return [
        {
            "version": row.version,
            "at": row.at,
            "actor": row.actor,
            "act": command["command"],
            "told": describe_command(BookKind.JACKPOT, command, names),
            "reason": command.get("reason"),
            "postings": [posting_data(line, names) for line in row.postings],
            "called": actors.get(row.actor, row.actor),
            "awards": won,
        }
        for row, command, won in zip(rows, commands, awards, strict=True)
    ]


def _awards(row: Entry, command: Data, names: Names) -> list[Data]:
    """The awards that an entry paid from the meter, and to whom."""
    if command["command"] != PayAwards.__name__:
        return []
    table = int(str(command["table"]))
    names.book, names.version = table, int(str(command["version"]))
    paid = [event for event in row.event_data() if event["event"] == AwardPaid.__name__]
    return [
        {
            "player": names.player(f"stack/{table}/{event['seat']}") or f"seat {event['seat']}",
            "round": event["round_number"],
            "cents": event["amount"],
            "hand_pay": event.get("hand_pay", False),
        }
        for event in paid
    ]


def public_record(connection: Connection, table: int, shoe: int) -> PublicRecord:
    """The public record of an ended shoe; raises `RecordError` for any other."""
    row = connection.execute(
        select(schema.shoe).where(schema.shoe.c.table_id == table, schema.shoe.c.number == shoe)
    ).first()
    if row is None:
        raise RecordError(f"Table {table} has no shoe {shoe}.")
    if row.lost:
        raise RecordError(
            f"Shoe {shoe} of table {table} can't be checked because its key was lost."
        )
    if row.seed is None or row.mix is None:
        raise RecordError(
            f"Shoe {shoe} of table {table} is still in use. Its record will be published when "
            "it ends."
        )
    context = read_context(row.context)
    rounds = tuple(_rounds(connection, table, shoe))
    return PublicRecord(
        context=context,
        source=EntropySource(row.source),
        commitment=row.commitment,
        cuts=_cuts(connection, table, shoe),
        mix=row.mix,
        seed=row.seed,
        rounds=rounds,
        ended=_ending(context, rounds),
    )


def _cuts(connection: Connection, table: int, shoe: int) -> tuple[CutRecord, ...]:
    cut = schema.cut
    rows = connection.execute(
        select(cut.c.seat, cut.c.commitment, cut.c.value)
        .where(cut.c.table_id == table, cut.c.shoe == shoe)
        .order_by(cut.c.seat)
    )
    return tuple(CutRecord(row.seat, row.commitment, row.value) for row in rows)


def _rounds(connection: Connection, table: int, shoe: int) -> Iterator[DealtRound]:
    """The shoe's rounds, except those without wagers, which used no cards."""
    opened = connection.execute(
        select(round_.c.number, round_.c.first_version)
        .where(round_.c.table_id == table, round_.c.shoe == shoe)
        .order_by(round_.c.number)
    ).all()
    if not opened:
        return
    events: list[Event] = []
    for _, _, _, event in table_events(connection, table, opened[0].first_version):
        if isinstance(event, ev.RoundOpened):
            events = []
        elif isinstance(event, ev.RoundClosed):
            dealt = dealt_round(event.number, events)
            if dealt.events:
                yield dealt
            if event.number == opened[-1].number:
                return
        elif not isinstance(event, ev.OwnEvent):
            events.append(event)


def _ending(context: ShoeContext, rounds: tuple[DealtRound, ...]) -> Ending:
    events = [event for dealt in rounds for event in dealt.events]
    if any(isinstance(event, RoundVoided) for event in events):
        return Ending.VOID
    dealt = sum(isinstance(event, CardDealt) for event in events)
    remaining = context.size - context.burn - dealt
    return Ending.CUT_CARD if remaining <= context.behind_cut else Ending.CLOSED


ROUNDS_PER_PAGE = 20
_SAME_ENTRY = and_(
    entry.c.book_id == posting.c.book_id,
    entry.c.version == posting.c.version,
)
_SAME_ROUND = and_(
    round_.c.table_id == posting.c.book_id,
    round_.c.number == posting.c.round_number,
)


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that a person wagered in."""

    table: int
    table_name: str
    number: int
    shoe: int
    outcome: Literal["open", "closed", "void"]
    at: int  # time of the person's first wager
    spots: tuple[int, ...]
    net: int | None  # won or lost, in cents, after corrections; None while the round is open
    corrected: int = 0  # the part of `net` that operators corrected later
    dealer: tuple[Card, ...] = ()  # cards that were shown; empty while the round is open
    hands: tuple[PlayedHand, ...] = ()


def rounds_of_person(
    connection: Connection, person: int, before: int | None = None, maximum: int = ROUNDS_PER_PAGE
) -> list[PlayedRound]:
    """A person's rounds, newest first; `before` is the time of the last one already known."""
    until = LARGEST_INTEGER if before is None else before
    rows = _ROUNDS.all(connection, actor=f"person/{person}", before=until, most=maximum)
    return [_played_round(connection, str(person), row) for row in rows]


def played_in(connection: Connection, person: int, table: int, number: int) -> bool:
    """Whether this person wagered in this round."""
    query = (
        select(posting.c.version)
        .join(entry, _SAME_ENTRY)
        .where(_IS_WAGER, posting.c.book_id == table, posting.c.round_number == number)
        .limit(1)
    )
    return connection.scalar(query, {"actor": f"person/{person}"}) is not None


# Look up entries by actor, which is indexed.
_IS_WAGER = and_(
    entry.c.actor == bindparam("actor"),
    posting.c.code == literal(str(PostingCode.WAGER)),
)
_STARTED_AT = func.min(entry.c.at)
_ROUNDS = Prepared(
    select(round_, game_table.c.name, _STARTED_AT.label("at"))
    .select_from(
        posting.join(entry, _SAME_ENTRY)
        .join(round_, _SAME_ROUND)
        .join(game_table, game_table.c.id == round_.c.table_id)
    )
    .where(_IS_WAGER)
    .group_by(*round_.c, game_table.c.name)
    .having(bindparam("before") > _STARTED_AT)
    .order_by(_STARTED_AT.desc(), round_.c.table_id)
    .limit(bindparam("most"))
)


def _played_round(connection: Connection, person: str, row: Any) -> PlayedRound:
    chips = Chips()
    spots: set[int] = set()
    events: list[Event] = []
    for _, _, _, event in events_of_round(connection, row):
        if isinstance(event, ev.OwnEvent):
            continue
        events.append(event)
        chips.add(event)
        if isinstance(event, WagersPlaced) and event.person == person:
            spots.add(event.spot)
    corrected = sum(
        event.difference
        for _, _, _, event in corrections_of(connection, row.table_id)
        if isinstance(event, ev.RoundCorrected)
        if event.round_number == row.number and event.spot in spots
    )
    net = sum(chips.spots.get(spot, 0) for spot in spots) + corrected
    cards = played_cards(() if row.outcome == "open" else events, spots)
    return PlayedRound(
        table=row.table_id,
        table_name=row.name,
        number=row.number,
        shoe=row.shoe,
        outcome=row.outcome,
        at=row.at,
        spots=tuple(sorted(spots)),
        net=None if row.outcome == "open" else net,
        corrected=corrected,
        dealer=cards.dealer,
        hands=cards.hands,
    )
