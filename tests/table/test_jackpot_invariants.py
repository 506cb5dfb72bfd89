"""The seven invariants hold over books of real rounds, and each change is found and identified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

import pytest

from tests.table.floor import WHY, Deal, FloorTable, create, order, read, remove
from tests.table.ledger import posting
from tests.table.test_jackpots import ALL, TEN_PER_CENT, rules_with
from ventiuna.engine.events import MeterRaised, MetersShown, Stakes, WagerSettled
from ventiuna.table.audit.jackpots import BrokenInvariant, FundCheck, Recorded
from ventiuna.table.domain import commands
from ventiuna.table.domain.events import ReserveRaised, TableEvent
from ventiuna.table.jackpots import decisions as jackpot_codec
from ventiuna.table.jackpots import progressive as do
from ventiuna.table.jackpots.progressive import (
    AwardPaid,
    JackpotEvent,
    MaximumSet,
    MeterSnapshot,
    SeedRecovered,
)
from ventiuna.table.journal import SealOrder, read_entries
from ventiuna.table.ledger import Entry
from ventiuna.table.store.connection import Store

K = TypeVar("K")
RULES = rules_with("3d:1:seed=1000:contribution=33.33%")


@dataclass
class Books:
    """The data that an audit reads about one progressive."""

    number: int
    own: list[Recorded[JackpotEvent]]
    tables: dict[int, list[Recorded[TableEvent]]]
    reading: MeterSnapshot
    seals: list[dict[int, int]] = field(default_factory=list)  # versions by book

    def check(self) -> list[BrokenInvariant]:
        check = FundCheck(self.number, SealOrder(enumerate(self.seals, start=1)))
        for entry in self.own:
            check.add_jackpot_entry(entry)
        for table, entries in self.tables.items():
            for written in entries:
                check.add_table_entry(table, written)
        return check.finish(self.reading)


def read_recorded(entry: Entry, read: Callable[[object, int], K]) -> Recorded[K]:
    """Parse an entry's events with the codec of its book."""
    events = tuple(read(data, entry.engine) for data in entry.event_data())
    return Recorded(entry.version, entry.first_event, entry.at, entry.key, events, entry.postings)


def books_of(store: Store, jackpot: int, tables: list[FloorTable]) -> Books:
    with store.read() as connection:
        return Books(
            jackpot,
            [
                read_recorded(entry, jackpot_codec.event_from_data)
                for entry in read_entries(connection, jackpot)
            ],
            {
                table.number: [
                    read_recorded(entry, commands.event_from_data)
                    for entry in read_entries(connection, table.number)
                ]
                for table in tables
            },
            read(store, jackpot),
        )


@pytest.fixture
def books(store: Store) -> Books:
    """A long history: links, awards, overflow, corrections, a maximum, a suspension."""
    jackpot = create(store, RULES, maximum=101_000, reserve_rate=133)
    tables = [FloorTable(store, RULES) for _ in range(2)]
    for table in tables:
        table.link(jackpot)
        table.contribute(4)
    order(store, jackpot, do.CorrectUp(730, WHY))
    tables[0].play(Deal(TEN_PER_CENT, "5h Kd"))
    tables[1].play(Deal(ALL, "As 7d"), commands=2)
    order(store, jackpot, do.RecoverSeed(5, WHY))
    tables[1].unlink()
    tables[1].link(jackpot)
    tables[1].contribute(1)
    other = create(store, RULES)
    order(store, other, do.CorrectUp(77, WHY))
    remove(store, other, jackpot)
    order(store, jackpot, do.SuspendJackpot(WHY))
    order(store, jackpot, do.ResumeJackpot(WHY))
    tables[0].contribute(1)
    return books_of(store, jackpot, tables)


def test_intact_books_pass(books: Books) -> None:
    assert books.check() == []


# --- each change is found ---------------------------------------------------------------------

Change = Callable[[Books], None]


def change_first(
    entries: list[Recorded[TableEvent]], kind: type[K], change: Callable[[K], TableEvent]
) -> None:
    """Replace the first event of this kind with a tampered one."""
    for place, entry in enumerate(entries):
        for number, event in enumerate(entry.events):
            if isinstance(event, kind):
                events = (*entry.events[:number], change(event), *entry.events[number + 1 :])
                entries[place] = replace(entry, events=events)
                return
    raise AssertionError(f"there is no {kind.__name__}")


def last_table(books: Books) -> list[Recorded[TableEvent]]:
    return books.tables[max(books.tables)]


def a_part_of_a_cent(books: Books) -> None:
    change_first(last_table(books), MeterRaised, lambda event: replace(event, remainder=0))


def a_part_of_the_reserve(books: Books) -> None:
    change_first(last_table(books), ReserveRaised, lambda event: replace(event, amount=7))


def a_posting(books: Books) -> None:
    entry = books.own[0]
    lines = (replace(entry.postings[0], amount=100_001),)
    books.own[0] = replace(entry, postings=lines)


def a_balance(books: Books) -> None:
    jackpot = replace(books.reading.jackpot, meter=books.reading.jackpot.meter + 1)
    books.reading = replace(books.reading, jackpot=jackpot)


def a_stripe(books: Books) -> None:
    table = max(books.tables)
    stripes = {**books.reading.meters, table: books.reading.meters[table] + 1}
    books.reading = replace(books.reading, meters=stripes)


def a_first_entry_that_is_gone(books: Books) -> None:
    del books.own[0]


def awards_by_another_amount(books: Books) -> None:
    entries = last_table(books)
    for place, entry in enumerate(entries):
        events = tuple(
            replace(event, paid=event.paid + 1)
            if isinstance(event, WagerSettled) and event.meter
            else event
            for event in entry.events
        )
        entries[place] = replace(entry, events=events)


def money_out_by_a_table(books: Books) -> None:
    entries = last_table(books)
    number, table = books.number, max(books.tables)
    line = posting("moved", f"meter/{number}/{table} > meter/99", 1, reason=WHY)
    entries[-1] = replace(entries[-1], postings=(*entries[-1].postings, line))


def a_fall_without_reason(books: Books) -> None:
    line = posting("moved", f"meter/{books.number} > meter/99", 1)
    books.own[-1] = replace(books.own[-1], postings=(line,))


def too_much_seed(books: Books) -> None:
    events = (SeedRecovered(0, 100_001, WHY),)
    books.own[-1] = replace(books.own[-1], events=events)


def a_low_maximum(books: Books) -> None:
    books.own[-1] = replace(books.own[-1], events=(MaximumSet(99_000, WHY),))


def another_number_shown(books: Books) -> None:
    change_first(last_table(books), MetersShown, lambda _: MetersShown(Stakes({1: 5})))


def an_award_without_the_jackpot(books: Books) -> None:
    for place, entry in enumerate(books.own):
        if any(isinstance(event, AwardPaid) for event in entry.events):
            books.own[place] = replace(entry, key=f"{entry.key}99")


def a_wager_on_a_suspended_jackpot(books: Books) -> None:
    """Seal after the suspension, after the table's next entry, and after the wager."""
    table = min(books.tables)
    wager, resumed = books.tables[table][-1].version, books.own[-1].version
    books.seals = [
        {books.number: resumed - 1, table: wager - 2},
        {table: wager - 1},
        {table: wager},
    ]


CHANGES: list[tuple[int, Change]] = [
    (1, a_part_of_a_cent),
    (1, a_part_of_the_reserve),
    (2, a_posting),
    (2, a_balance),
    (2, a_stripe),
    (2, a_first_entry_that_is_gone),
    (2, awards_by_another_amount),
    (3, money_out_by_a_table),
    (3, a_fall_without_reason),
    (4, too_much_seed),
    (5, a_low_maximum),
    (6, another_number_shown),
    (6, an_award_without_the_jackpot),
    (7, a_wager_on_a_suspended_jackpot),
]


def test_each_change_breaks_its_invariant(books: Books) -> None:
    for invariant, change in CHANGES:
        changed = Books(
            books.number,
            list(books.own),
            {table: list(entries) for table, entries in books.tables.items()},
            books.reading,
        )
        change(changed)
        broken = changed.check()
        assert invariant in {found.invariant for found in broken}, (change.__name__, broken)
        assert all(found.sentence.endswith(".") for found in broken)


def test_entries_that_no_seal_separates_may_be_simultaneous(books: Books) -> None:
    """With one seal fewer, or in a different place, nothing is proven."""
    table = min(books.tables)
    wager, resumed = books.tables[table][-1].version, books.own[-1].version
    suspended = {books.number: resumed - 1, table: wager - 2}
    proofs: list[tuple[list[dict[int, int]], set[int]]] = [
        ([suspended, {table: wager - 1}, {table: wager}], {7}),
        ([suspended, {table: wager - 1}, {table: wager, books.number: resumed}], set()),
        ([suspended, {table: wager - 1, books.number: resumed}, {table: wager}], set()),
        # The round began before the suspension and ended after it.
        ([suspended, {table: wager}], set()),
        ([{table: wager - 1}, {books.number: resumed - 1, table: wager}], set()),
        ([{table: wager}, {books.number: resumed - 1}], set()),
        ([{table: wager, books.number: resumed}], set()),
        ([], set()),
    ]
    for seals, expected in proofs:
        books.seals = seals
        assert {found.invariant for found in books.check()} == expected, seals


def test_times_prove_nothing(books: Books) -> None:
    """Two processes' clocks may differ by any amount, and a forged time hides nothing."""
    a_wager_on_a_suspended_jackpot(books)
    sealed, table = books.seals, min(books.tables)
    for hours in (-9, 9):
        moved = replace(books)
        moved.tables = dict(books.tables)
        for place in (-1, -2):  # out of order in its own book, then relative to the jackpot's
            entries = list(books.tables[table])
            entries[place] = replace(entries[place], at=entries[place].at + hours * 3_600_000)
            moved.tables[table] = entries
            for seals, expected in ((sealed, {7}), ([], set())):
                moved.seals = seals
                assert {found.invariant for found in moved.check()} == expected
