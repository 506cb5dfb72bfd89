"""The house at any past moment: balances, meters and tables, without replaying its commands.

A moment is a time, an entry or a seal. It gives one version of every book, and everything else is a
fold of the books up to these versions. A seal lists the versions exactly. For a time, a book counts
up to its last entry with an earlier or equal time; for an entry, the other books count up to its
time.

Balances come from running totals for every `STEP` versions of a book, so that at most `STEP` of its
entries are added up. A table is folded from the opening of its last round. Before that, only the
few events that outlive a round matter, such as taken seats and cut shoes. Totals and events are
cached, because written entries never change.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    and_,
    bindparam,
    cast,
    func,
    literal,
    literal_column,
    or_,
    select,
    text,
)

from ventiuna.cards import card_text
from ventiuna.engine.codec import Data
from ventiuna.engine.events import CardDealt
from ventiuna.errors import VentiunaError
from ventiuna.money import money_text
from ventiuna.rules import rules_from_data
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import event_from_data
from ventiuna.table.domain.inspection import Inspection
from ventiuna.table.domain.state import (
    ShoeRecord,
    TableState,
    apply_event,
    clocks_of,
    stored_options,
)
from ventiuna.table.fairness import context_of
from ventiuna.table.jackpots.progressive import meter_of
from ventiuna.table.journal import (
    BookKind,
    BookVersions,
    BrokenSeal,
    EntryEvents,
    find_seal,
    read_events,
    read_heads,
    versions_at,
)
from ventiuna.table.ledger import AccountKind, ChartError, JournalHead, PostingCode, kind_of
from ventiuna.table.presentation import ask_data, cards_data, shoe_data, snapshot
from ventiuna.table.read_model import events_of
from ventiuna.table.store import schema
from ventiuna.table.store.schema import account, book, entry, game_table, posting, round_
from ventiuna.table.store.statements import Prepared, find_rows

STEP = 256  # versions of a book between two running totals


class MomentError(VentiunaError):
    """There is no such moment, account, jackpot or table."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A time in milliseconds since 1970, an entry (book and version), or the number of a seal."""

    at: int | None = None
    entry: tuple[int, int] | None = None
    seal: int | None = None


_ENTRY = re.compile(r"([1-9]\d{0,17})/([1-9]\d{0,17})", re.ASCII)
_SEAL = re.compile(r"seal/([1-9]\d{0,17})", re.ASCII)
_MILLISECONDS = re.compile(r"\d{12,18}", re.ASCII)  # shorter ones are dates such as 20261118


def read_moment(written: str, zone: tzinfo = UTC) -> Moment:
    """Parse `2026-11-18T20:30`, milliseconds since 1970, `7/123` (entry 123 of book 7) or `seal/9`.

    A time without an offset is in `zone`.
    """
    if found := _ENTRY.fullmatch(written):
        return Moment(entry=(int(found[1]), int(found[2])))
    if found := _SEAL.fullmatch(written):
        return Moment(seal=int(found[1]))
    if _MILLISECONDS.fullmatch(written):
        return Moment(at=int(written))
    try:
        time = datetime.fromisoformat(written)
        time = time if time.tzinfo else time.replace(tzinfo=zone)
        return Moment(at=max(0, round(time.timestamp() * 1000)))
    except (ValueError, OverflowError):
        raise MomentError(
            f"{written[:40]!r} isn't a valid point in time. Give a time such as 2026-11-18T20:30, "
            "an entry such as 7/123 (entry 123 of book 7), or a seal such as seal/9."
        ) from None


def read_time(written: str, zone: tzinfo = UTC) -> int:
    """Parse a time in milliseconds since 1970; 0 if the text is empty."""
    if not written:
        return 0
    try:
        at = read_moment(written, zone).at
    except MomentError:  # whose sentence offers entries and seals too
        at = None
    if at is None:
        raise MomentError(f"{written[:40]!r} isn't a time such as 2026-11-18T20:30.")
    return at


@dataclass(frozen=True, slots=True)
class BookPositions:
    """How far each book had been written at a moment."""

    at: int
    versions: BookVersions


def find_cut(connection: Connection, moment: Moment) -> BookPositions:
    """Every book's version at this moment; raises `MomentError` if it doesn't exist."""
    if moment.seal is not None:
        sealed = find_seal(connection, moment.seal)
        if sealed is None:
            raise MomentError(f"There is no seal {moment.seal}.")
        try:
            return BookPositions(sealed.at, versions_at(connection, moment.seal))
        except BrokenSeal as error:
            raise MomentError(str(error)) from None
    if moment.entry is None:
        assert moment.at is not None, "a moment has a time, an entry or a seal"
        return BookPositions(moment.at, _versions_until(connection, moment.at))
    number, version = moment.entry
    known = _times(connection, [moment.entry])
    if not known:
        raise MomentError(f"Book {number} has no entry {version}.")
    at = known[moment.entry]
    return BookPositions(at, _versions_until(connection, at) | {number: version})


def _versions_until(connection: Connection, at: int) -> BookVersions:
    """Every book's last version at or before this time; 0 for books opened later.

    All books are searched together by bisection, because times in a book ascend.
    """
    low = dict.fromkeys(heads := read_heads(connection), 0)  # written by then
    high = {number: head.version + 1 for number, head in heads.items()}  # written later
    while middle := {
        number: (low[number] + high[number]) // 2
        for number in low
        if high[number] - low[number] > 1
    }:
        times = _times(connection, middle.items())
        for number, version in middle.items():
            if times[number, version] <= at:
                low[number] = version
            else:
                high[number] = version
    return low


def _times(
    connection: Connection, entries: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], int]:
    columns = ("book_id", "version", "at")
    rows = find_rows(connection, entry, columns, columns[:2], list(entries))
    return {(number, version): at for number, version, at in rows}


@cache
def _net_queries(step: int | None = None) -> tuple[Prepared, Prepared]:
    """Sums of postings from and to each account, for every `step` versions if given."""
    number = literal_column("0") if step is None else (posting.c.version - 1) // literal(step)

    def query(column: Column[int]) -> Prepared:
        total = cast(func.sum(posting.c.amount), BigInteger).label("cents")
        in_book = posting.c.book_id == bindparam("book")
        versions = posting.c.version.between(bindparam("first"), bindparam("last"))
        moved = select(column.label("account"), number.label("step"), total)
        return Prepared(moved.where(in_book, versions).group_by(text("1, 2")))

    return query(posting.c.from_id), query(posting.c.to_id)


class _Totals(NamedTuple):
    """An account's running totals in one book, each with the number of steps it covers."""

    steps: list[int]
    cents: list[int]

    def after(self, steps: int) -> int:
        place = bisect_right(self.steps, steps)
        return self.cents[place - 1] if place else 0


@dataclass(slots=True)
class _BookTotals:
    steps: int = 0  # steps covered so far
    accounts: defaultdict[int, _Totals] = field(
        default_factory=lambda: defaultdict(lambda: _Totals([], []))
    )

    def go_on(self, connection: Connection, number: int, steps: int) -> None:
        """Cover this many steps."""
        if steps <= self.steps:
            return
        first, last = self.steps * STEP + 1, steps * STEP
        moved: dict[int, Counter[int]] = defaultdict(Counter)  # cents by account, by step
        for sign, query in zip((-1, 1), _net_queries(STEP), strict=True):
            for row in query.all(connection, book=number, first=first, last=last):
                moved[row.step][row.account] += sign * row.cents
        for step in sorted(moved):
            for account_id, cents in moved[step].items():
                totals = self.accounts[account_id]
                totals.cents.append(cents + (totals.cents[-1] if totals.cents else 0))
                totals.steps.append(step + 1)
        self.steps = steps


@dataclass(frozen=True, slots=True)
class PastBalance:
    account: str
    at: int
    cents: int


@dataclass(frozen=True, slots=True)
class PastMeter:
    """The amount that a jackpot displayed."""

    jackpot: int
    at: int
    shown: int
    maximum: int | None


@dataclass(frozen=True, slots=True)
class MeterPoint:
    at: int
    shown: int


@dataclass(frozen=True, slots=True)
class MeterAward:
    """A share of the meter that a table paid."""

    at: int
    cents: int
    table: int


@dataclass(frozen=True, slots=True)
class MeterCurve:
    """The amounts that a jackpot displayed over time."""

    jackpot: int
    points: list[MeterPoint]
    awards: list[MeterAward]


@dataclass(frozen=True, slots=True)
class PastTable:
    """A table as anyone could see it, and its money."""

    table: int
    version: int  # of its book
    at: int
    written_at: int  # time of the last entry
    bank: int
    stake: int
    snapshot: Data


class Moments:
    """Answers questions about past moments; reuse it, because it caches its sums."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._totals: defaultdict[int, _BookTotals] = defaultdict(_BookTotals)
        self._lasting: dict[int, list[TableState]] = {}  # after every `STEP` versions, by table

    # --- money ---

    def balance(self, connection: Connection, code: str, moment: Moment) -> PastBalance:
        """The balance of an account; raises `MomentError` if no account has this code."""
        cut = find_cut(connection, moment)
        try:
            kind_of(code)
        except ChartError as error:
            raise MomentError(str(error)) from None
        if not _account_numbers(connection, [code]):
            raise MomentError(f"There is no account {code}.")
        return PastBalance(code, cut.at, self.balances(connection, [code], cut)[code])

    def balances(
        self, connection: Connection, codes: Iterable[str], cut: BookPositions
    ) -> dict[str, int]:
        """The balances of these accounts, 0 for those that don't exist."""
        found = dict.fromkeys(codes, 0)
        codes_in: dict[int, list[tuple[str, int]]] = defaultdict(list)  # by book
        for code, number in _account_numbers(connection, found).items():
            for of_book in _books_of(code) or cut.versions:
                codes_in[of_book].append((code, number))
        for of_book, accounts in codes_in.items():
            version = cut.versions.get(of_book, 0)
            if version:
                net = self._net(connection, of_book, version, [number for _, number in accounts])
                for code, number in accounts:
                    found[code] += net[number]
        return found

    def _net(
        self, connection: Connection, number: int, version: int, accounts: list[int]
    ) -> Counter[int]:
        """The amounts that a book's entries up to this version have added to these accounts."""
        steps = version // STEP
        with self._lock:
            totals = self._totals[number]
            totals.go_on(connection, number, steps)
            net = Counter(
                {
                    one: totals.accounts[one].after(steps)
                    for one in accounts
                    if one in totals.accounts
                }
            )
        if version > steps * STEP:
            for sign, query in zip((-1, 1), _net_queries(), strict=True):
                rows = query.all(connection, book=number, first=steps * STEP + 1, last=version)
                for row in rows:
                    net[row.account] += sign * row.cents
        return net

    def meter(self, connection: Connection, jackpot: int, moment: Moment) -> PastMeter:
        """The amount that a jackpot displayed; 0 before it was created."""
        cut = find_cut(connection, moment)
        codes = _meter_codes(connection, jackpot)
        limits = _maximums(connection, jackpot, cut.versions.get(jackpot, 0))
        maximum = limits[-1][1] if limits else None
        funds = sum(self.balances(connection, codes, cut).values())
        shown = funds if maximum is None else min(maximum, funds)
        return PastMeter(jackpot, cut.at, shown, maximum)

    def curve(
        self, connection: Connection, jackpot: int, since: int, until: int, points: int
    ) -> MeterCurve:
        """The amounts that a jackpot displayed from one time to another, and the awards in between.

        Each point equals the result of `meter` for its time. A time of 0 means the beginning or the
        end.
        """
        codes = _meter_codes(connection, jackpot)
        created = _times(connection, [(jackpot, 1)])[jackpot, 1]
        since = max(since, created)
        until = max(since, until or connection.scalar(select(func.max(entry.c.at))) or 0)
        width = max(1, -(-(until - since) // points))
        start, end = (find_cut(connection, Moment(at=at)) for at in (since, until))
        changes: Counter[int] = Counter()  # of the funds, by point
        awards: list[MeterAward] = []
        accounts = set(_account_numbers(connection, codes).values())
        for number, last in end.versions.items():
            for row in _meter_moves(connection, number, start.versions[number], last, accounts):
                cents = row.amount * ((row.to_id in accounts) - (row.from_id in accounts))
                changes[max(0, -(-(row.at - since) // width))] += cents
                if row.code == PostingCode.AWARD:
                    awards.append(MeterAward(row.at, row.amount, number))
        funds = sum(self.balances(connection, codes, start).values())
        limits = _maximums(connection, jackpot, end.versions[jackpot])
        found = []
        for place in range(-(-(until - since) // width) + 1):
            at = min(until, since + place * width)
            funds += changes[place]
            maximum = next((limit for time, limit in reversed(limits) if time <= at), None)
            found.append(MeterPoint(at, funds if maximum is None else min(maximum, funds)))
        return MeterCurve(jackpot, found, sorted(awards, key=lambda award: award.at))

    # --- tables ---

    def table(self, connection: Connection, table: int, moment: Moment) -> PastTable:
        """A table as anyone could see it, with face-down cards hidden."""
        row = connection.execute(select(game_table).where(game_table.c.id == table)).first()
        if row is None:
            raise MomentError(f"There is no table {table}.")
        cut = find_cut(connection, moment)
        version = cut.versions.get(table, 0)
        if not version:
            raise MomentError(f"Table {table} wasn't open yet.")
        state, dealt = self._state(connection, row, version)
        codes = [f"stack/{table}/{seat}" for seat in range(1, state.rules.seats + 1)]
        codes += [f"{kind}/{table}" for kind in ("stake", "bank", "due")]
        state.balances = self.balances(connection, codes, cut)
        written = _times(connection, [(table, version)])[table, version]
        shown = _table_snapshot(state, dealt)
        return PastTable(table, version, cut.at, written, state.bank, state.stake, shown)

    def _state(self, connection: Connection, row: Any, version: int) -> tuple[TableState, int]:
        """The table's state, without balances, and the number of cards dealt from its shoe."""
        opened = _LAST_OPENING.first(connection, table=row.id, version=version).version
        start = opened or 1
        with self._lock:
            if row.id not in self._lasting:
                self._lasting[row.id] = [_before_opening(connection, row)]
            state = _lasting_state(connection, self._lasting[row.id], start - 1)
        for written in read_events(connection, row.id, start - 1):
            if written.version > version:
                break
            _fold(state, written)
        return state, _cards_dealt(connection, state, version)


def _account_numbers(connection: Connection, codes: Iterable[str]) -> dict[str, int]:
    rows = find_rows(connection, account, ("code", "id"), ("code",), [(code,) for code in codes])
    return {row.code: row.id for row in rows}


_OF_TABLES = (AccountKind.STACK, AccountKind.STAKE, AccountKind.BANK)


def _books_of(code: str) -> list[int]:
    """The only books that move money in this account; empty if any book may."""
    numbers = [int(number) for number in code.split("/")[1:]]
    return numbers[:1] if kind_of(code) in _OF_TABLES else []


def _meter_codes(connection: Connection, jackpot: int) -> list[str]:
    """The accounts of a jackpot's meter: the main one and its stripes."""
    kind = connection.scalar(select(book.c.kind).where(book.c.id == jackpot))
    if kind != BookKind.JACKPOT:
        raise MomentError(f"There is no jackpot {jackpot}.")
    main = meter_of(jackpot)
    stripes = account.c.code.like(f"{main}/%")
    return list(
        connection.scalars(select(account.c.code).where(or_(account.c.code == main, stripes)))
    )


def _maximums(connection: Connection, jackpot: int, version: int) -> list[tuple[int, int | None]]:
    """Every maximum set by this version of a jackpot's book, with its time."""
    query = (
        select(entry.c.at, entry.c.events)
        .where(
            entry.c.book_id == jackpot,
            entry.c.version <= version,
            entry.c.events.like('%"maximum":%'),
        )
        .order_by(entry.c.version)
    )
    return [
        (row.at, data["maximum"])
        for row in connection.execute(query)
        for data in json.loads(row.events)
        if "maximum" in data
    ]


def _meter_moves(
    connection: Connection, number: int, after: int, last: int, accounts: Collection[int]
) -> Sequence[Any]:
    """Postings of a book's entries after one version up to another that move these accounts."""
    query = (
        select(posting, entry.c.at)
        .join(
            entry, and_(entry.c.book_id == posting.c.book_id, entry.c.version == posting.c.version)
        )
        .where(
            posting.c.book_id == number,
            posting.c.version.between(after + 1, last),
            or_(posting.c.from_id.in_(accounts), posting.c.to_id.in_(accounts)),
        )
    )
    return connection.execute(query).all() if last > after else ()


_LAST_OPENING = Prepared(
    select(func.max(round_.c.first_version).label("version")).where(
        round_.c.table_id == bindparam("table"), round_.c.first_version <= bindparam("version")
    )
)
# Events that matter after the end of a round, by the start of their names.
_LASTING = (
    "Deck",
    "CardsBoxed",
    "Table",
    "SeatTaken",
    "SeatAway",
    "SeatBack",
    "SeatLe",
    "SpotsChosen",
    "Shoe",
    "Cut",
    "Jackpot",
    "AwardH",
)
_LASTING_EVENTS = re.compile(f'"event":"(?:{"|".join(_LASTING)})')


def _before_opening(connection: Connection, row: Any) -> TableState:
    house = str(connection.scalar(select(schema.house.c.id)))
    rules, clocks = rules_from_data(json.loads(row.rules_data)), clocks_of(json.loads(row.clocks))
    options = stored_options(json.loads(row.options))
    state = TableState(house, JournalHead(row.id), row.name, rules, clocks, options)
    if row.inspection is not None:  # required, and no step has been recorded yet
        state.inspection = Inspection(rules.pack, rules.decks)
    return state


def _lasting_state(connection: Connection, known: list[TableState], version: int) -> TableState:
    """The parts of the table after a version that outlive a round; extends the known states."""
    steps = version // STEP
    if steps >= len(known):
        state = known[-1].copy()
        followed = _follow(connection, state, (len(known) - 1) * STEP, steps * STEP)
        known += [state.copy() for after in followed if after % STEP == 0]
    state = known[steps].copy()
    for _ in _follow(connection, state, steps * STEP, version):
        pass
    return state


def _follow(connection: Connection, state: TableState, after: int, last: int) -> Iterator[int]:
    """Apply the lasting events after one version up to another; yield each version."""
    for written in read_events(connection, state.number, after) if last > after else ():
        if written.version > last:
            return
        if _LASTING_EVENTS.search(written.events):
            _fold(state, written, only_lasting=True)
        yield written.version


def _fold(state: TableState, written: EntryEvents, *, only_lasting: bool = False) -> None:
    """Apply an entry's events; those of a round that began earlier are left out."""
    stored = written.event_data()
    for number, data in enumerate(stored, start=written.first_event):
        if only_lasting and not str(data["event"]).startswith(_LASTING):
            continue
        event = event_from_data(data, written.engine)
        is_late = not isinstance(event, ev.OwnEvent) or isinstance(event, ev.RoundClosed)
        if is_late and state.round is None:
            continue
        if isinstance(event, ev.ShoeCommitted):
            state.next_shoe = _committed(state, event)
        apply_event(state, event, number, written.at)
    events = written.first_event - 1 + len(stored)
    state.head = JournalHead(state.number, written.version, events)


def _committed(state: TableState, event: ev.ShoeCommitted) -> ShoeRecord:
    """The shoe without its secret salt, which nobody needs here."""
    context = context_of(state.rules, state.house, str(state.number), event.shoe)
    return ShoeRecord(event.shoe, context, b"", bytes.fromhex(event.commitment), "")


def _cards_dealt(connection: Connection, state: TableState, version: int) -> int:
    """The number of cards dealt from the shoe in play."""
    if state.in_play is None:
        return 0
    first = connection.scalar(
        select(func.min(round_.c.first_version)).where(
            round_.c.table_id == state.number, round_.c.shoe == state.in_play.number
        )
    )
    if first is None or first > version:
        return 0
    dealt = 0
    in_shoe = False  # the first entry may also end the previous shoe's last round
    for written in read_events(connection, state.number, first - 1):
        if written.version > version:
            break
        if in_shoe:
            dealt += written.events.count('"event":"CardDealt"')
            continue
        for one in events_of(written):
            if isinstance(one.event, ev.RoundOpened):
                in_shoe = one.event.shoe == state.in_play.number
            dealt += in_shoe and isinstance(one.event, CardDealt)
    return dealt


def _table_snapshot(state: TableState, dealt: int) -> Data:
    """The table as in the snapshot for someone who arrives, but without the log and the options."""
    cards: Mapping[str, object] = {}
    if state.in_play is not None:
        context = state.in_play.context
        left = context.size - context.burn - dealt
        if left >= 0:  # otherwise, the discards have been reshuffled
            to_cut = max(0, left - context.behind_cut)
            cards = cards_data(context.size, left, to_cut, state.round)
    return {
        "type": "snapshot",
        **snapshot(state),
        "shoe": {**shoe_data(state), **cards},
        "ask": ask_data(state, with_options=False),
        "story": [],
        "scene": [],
    }


def moment_data(past: PastBalance | PastMeter | MeterCurve | PastTable) -> Data:
    """An answer as plain data, with the unit in the name of each amount."""
    match past:
        case PastBalance():
            return {"account": past.account, "at": past.at, "balance_cents": past.cents}
        case PastMeter():
            return {
                "jackpot": past.jackpot,
                "at": past.at,
                "shown_cents": past.shown,
                "maximum_cents": past.maximum,
            }
        case MeterCurve():
            return {
                "jackpot": past.jackpot,
                "points": [{"at": one.at, "shown_cents": one.shown} for one in past.points],
                "awards": [
                    {"at": one.at, "cents": one.cents, "table": one.table} for one in past.awards
                ],
            }
        case PastTable():
            return {
                "table": past.table,
                "version": past.version,
                "at": past.at,
                "written_at": past.written_at,
                "bank_cents": past.bank,
                "stake_cents": past.stake,
                "snapshot": past.snapshot,
            }


def table_lines(past: PastTable) -> list[str]:
    """A past table in words, line by line."""
    shown: Any = past.snapshot
    table, shoe_in_play, played = shown["table"], shown["shoe"], shown["round"]
    written = f"entry {past.version} of {time_words(past.written_at)}"
    lines = [
        f"Table {past.table} ({table['name']}) at {time_words(past.at)}, after {written}.",
        f"Status: {table['status']}.",
        f"Bank {money_text(past.bank)}, on the layout {money_text(past.stake)}.",
    ]
    for seat in shown["seats"]:
        spots = ", ".join(map(str, seat["spots"])) or "none"
        lines.append(
            f"Seat {seat['seat']}: {seat['name']}, {seat['status']}, spots {spots}, chips "
            f"{money_text(seat['stack'])}."
        )
    if shoe_in_play["number"] is not None:
        cards = shoe_in_play["words"] or "reshuffled in this round"
        lines.append(f"Shoe {shoe_in_play['number']}: {cards}.")
    if played is not None:
        lines.append(f"Round {played['number']}: {played['stage']}.")
        if played["dealer"]:
            lines.append(f"Dealer: {_cards_words(played['dealer'])}.")
        for spot in played["spots"]:
            hands = "; ".join(_cards_words(hand["cards"]) for hand in spot["hands"]) or "no cards"
            lines.append(f"Spot {spot['number']}: {hands}.")
    return lines


def _cards_words(cards: Iterable[int | None]) -> str:
    return ", ".join("a card face down" if card is None else card_text(card) for card in cards)


def time_words(at: int) -> str:
    """A time such as 2026-11-18 20:30:00 UTC; past the year 9999, its milliseconds."""
    try:
        return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return str(at)
