"""Awards in the normal command path: winning, leaving, other players, suspensions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import Connection, select
from sqlalchemy.engine.interfaces import DBAPICursor

from tests.table.conftest import Database, Postgres
from tests.table.floor import create, order, read
from tests.table.folded import check_table
from tests.table.tables import CHIPS, OPERATOR, WALLET, LiveTable, Room, cards, player
from ventiuna.core.meters import share_of
from ventiuna.engine.commands import PlaceWagers, Stand
from ventiuna.engine.events import WagerSettled
from ventiuna.rules import load_rules
from ventiuna.table.audit.house import AuditScope, audit
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.domain.state import TableStatus
from ventiuna.table.jackpots.progressive import (
    ResumeJackpot,
    SetMaximum,
    SuspendJackpot,
    displayed_amount,
)
from ventiuna.table.journal import BookKind, Lock, read_entries
from ventiuna.table.store import statements
from ventiuna.table.store.connection import Store, open_store
from ventiuna.table.store.schema import account, book
from ventiuna.table.writer import Done, HouseContext, Transaction, Writer

RULES = load_rules("wsgc-2021(decks=8,jackpots=3d:1:seed=1000)")
SEED = 100_000
EACH = 21  # cents of each dollar bet on the jackpot

# Against 5h: two suited matches for every spot. The dealer draws to 17.
ONE_WINS = cards("5h 5h 5h Kd 2c")
TWO_WIN = cards("5h 5h 5h 5h 5h Kd 2c")
# A dealer blackjack ends the round right after the deal.
AT_ONCE = cards("Kh Kh Kh Ad")


@pytest.fixture
def room(store: Store) -> Room:
    return Room(store, shoes=[TWO_WIN])


def linked(room: Room, jackpot: int) -> LiveTable:
    table = room.open(RULES)
    table.do(OPERATOR, do.LinkJackpot(1, jackpot, "one meter"))
    return table


def wager(table: LiveTable, *people: int) -> LiveTable:
    """Each person wagers $10 plus $1 on the jackpot; nobody is ready yet."""
    table.cut()
    for who in people:
        table.do(who, PlaceWagers(who, 1000, jackpots={1: 100}))
    return table


def deal(table: LiveTable, *people: int) -> list[TableEvent]:
    return wager(table, *people).ready(*people)


def awards(events: list[TableEvent]) -> list[int]:
    return [event.paid for event in events if isinstance(event, WagerSettled) and event.meter]


def audited(room: Room) -> list[str]:
    with room.store.read() as connection:
        report = audit(connection, AuditScope(on_top=room.entropy.on_top))
    return [str(difference) for difference in report.differences]


# --- winners ----------------------------------------------------------------------------------


def test_two_winners_at_one_table_are_paid_in_seat_order(room: Room) -> None:
    """R-095: the second share is taken from what the first one leaves."""
    jackpot = create(room.store, RULES)
    table = linked(room, jackpot).sit(1, 2)
    deal(table, 1, 2)
    table.do(1, Stand(1))
    first = share_of(SEED + 2 * EACH, 10)
    second = share_of(SEED + 2 * EACH - first, 10)
    assert awards(table.do(2, Stand(2))) == [first, second]
    assert displayed_amount(read(room.store, jackpot)) == SEED + 2 * EACH - first - second
    check_table(table)
    assert audited(room) == []


def test_a_winner_who_leaves_in_the_same_command_keeps_the_award(room: Room) -> None:
    jackpot = create(room.store, RULES)
    table = linked(room, jackpot).sit(1, 2)
    deal(table, 1, 2)
    table.do(1, do.LeaveSeat())  # seat 1's hand stands
    events = table.do(2, Stand(2))
    first, second = awards(events)
    assert table.wallet(1) == WALLET - 1100 + paid_to(events, 1)
    assert paid_to(events, 1) >= first
    assert (table.stack(1), 1 in table.state.seats) == (0, False)
    assert second == share_of(SEED + 2 * EACH - first, 10)
    check_table(table)
    assert audited(room) == []


def paid_to(events: list[TableEvent], spot: int) -> int:
    return sum(
        event.paid for event in events if isinstance(event, WagerSettled) and event.spot == spot
    )


def test_winners_leave_a_table_that_closes_with_the_round(room: Room) -> None:
    """Awards, cash-outs, the shoe, and the bank's drop in one command."""
    jackpot = create(room.store, RULES)
    table = linked(room, jackpot).sit(1, 2)
    deal(table, 1, 2)
    table.do(OPERATOR, do.CloseTable("the day is over"))
    table.do(1, Stand(1))
    events = table.do(2, Stand(2))
    assert table.loaded().status is TableStatus.CLOSED
    held = room.balances()
    assert {code: cents for code, cents in held.items() if "stack" in code and cents} == {}
    lost = 2 * WALLET - table.wallet(1) - table.wallet(2)
    assert held["house"] - sum(awards(events)) == lost - 2 * EACH
    assert audited(room) == []


def test_the_contribution_of_the_same_command_counts(store: Store) -> None:
    """O-19: wagers close, the dealer has a blackjack, and the award is paid, all at once."""
    room = Room(store, shoes=[AT_ONCE])
    jackpot = create(store, RULES)
    table = linked(room, jackpot).sit(1).cut()
    step = table.step(
        table.request(1, PlaceWagers(1, 1000, jackpots={1: 100})),
        table.request(1, do.Ready()),
    )
    assert all(isinstance(outcome, Done) for outcome in step.outcomes)
    events = [event for update in step.updates for event in update.events]
    assert awards(events) == [share_of(SEED + EACH, 10)]
    assert audited(room) == []


def test_two_tables_that_win_at_once_are_paid_in_commit_order(
    database: Database, store: Store
) -> None:
    """Two processes: each has its own connections and knows nothing of the other."""
    room = Room(store, shoes=[ONE_WINS, ONE_WINS])
    jackpot = create(store, RULES)
    tables = [linked(room, jackpot) for _ in range(2)]
    for who, table in enumerate(tables, start=1):
        table.do(who, do.TakeSeat(1))
        table.do(who, do.BuyChips(CHIPS))
        table.cut()
        table.do(who, PlaceWagers(1, 1000, jackpots={1: 100}))
        table.do(who, do.Ready())
    requests = [table.request(who, Stand(1)) for who, table in enumerate(tables, start=1)]
    meet = Barrier(2, timeout=60)
    stores = [store if database.name == "sqlite" else open_store(database.program) for _ in "12"]
    writers = [Writer(each, HouseContext(room.name, room.shoes), room.clock) for each in stores]

    def win(place: int) -> list[TableEvent]:
        meet.wait()
        step = writers[place].step([requests[place]])
        assert isinstance(step.outcomes[0], Done)
        return [event for update in step.updates for event in update.events]

    with ThreadPoolExecutor(2) as threads:
        paid = [awards(events)[0] for events in threads.map(win, range(2))]
    for each in stores:
        each.close()
    first = share_of(SEED + 2 * EACH, 10)
    assert sorted(paid, reverse=True) == [first, share_of(SEED + 2 * EACH - first, 10)]
    reopened = open_store(database.program)
    with reopened.read() as connection:
        awarded = [
            line.amount
            for entry in read_entries(connection, jackpot)
            for line in entry.postings
            if line.code == "award"
        ]
    reopened.close()
    assert awarded == sorted(paid, reverse=True)  # the book is in commit order


# --- suspended, linked, folded ----------------------------------------------------------------


def test_a_suspended_jackpot_accepts_no_wagers_and_pays_earlier_ones(room: Room) -> None:
    """R-084: earlier wagers stand."""
    jackpot = create(room.store, RULES)
    table = linked(room, jackpot).sit(1, 2)
    wager(table, 1)
    order(room.store, jackpot, SuspendJackpot("a look at it"))
    refused = table.refuses("jackpot_suspended", 2, PlaceWagers(2, 1000, jackpots={1: 100}))
    assert refused.reason == "Jackpot 1 takes no wagers now. Leave its wager out."
    table.wager(2)
    table.ready(1, 2)
    table.do(1, Stand(1))
    assert awards(table.do(2, Stand(2))) == [share_of(SEED + EACH, 10)]
    table.refuses("jackpot_suspended", 1, PlaceWagers(1, 1000, jackpots={1: 100}))
    order(room.store, jackpot, ResumeJackpot("looks good"))
    table.do(1, PlaceWagers(1, 1000, jackpots={1: 100}))
    assert audited(room) == []


def test_tables_are_linked_and_unlinked_while_a_round_is_open_elsewhere(room: Room) -> None:
    """An unlinked table's contributions stay in the meter, and the open round wins a share."""
    jackpot = create(room.store, RULES)
    table, other = linked(room, jackpot).sit(1, 2), linked(room, jackpot).sit(3)
    deal(table, 1, 2)
    wager(other, 3)
    other.refuses("in_round", OPERATOR, do.UnlinkJackpot(1, "another meter"))
    other.ready(3)
    while other.state.is_dealt:
        other.time_up()
    other.do(OPERATOR, do.UnlinkJackpot(1, "another meter"))
    third = linked(room, jackpot)
    table.refuses("in_round", OPERATOR, do.UnlinkJackpot(1, "another meter"))
    table.do(1, Stand(1))
    assert awards(table.do(2, Stand(2)))[0] == share_of(SEED + 3 * EACH, 10)
    other.refuses("jackpot_not_linked", 3, PlaceWagers(3, 1000, jackpots={1: 100}))
    third.do(OPERATOR, do.UnlinkJackpot(1, "not needed"))
    assert audited(room) == []


def test_fractions_of_a_cent_stay_with_their_link(store: Store) -> None:
    """O-18: a meter linked while a round waits for wagers starts without a remainder."""
    rules = load_rules("wsgc-2021(decks=8,jackpots=3d:1:seed=1000:contribution=33.33%)")
    room = Room(store)
    first, second = create(store, rules), create(store, rules)
    table = room.open(rules)
    table.do(OPERATOR, do.LinkJackpot(1, first, "one meter"))
    table.sit(1)
    for _ in range(2):
        deal(table, 1)
        while table.state.is_dealt:
            table.time_up()
    assert table.loaded().links[1].remainder == 6_600
    table.do(OPERATOR, do.UnlinkJackpot(1, "another meter"))
    table.do(OPERATOR, do.LinkJackpot(1, second, "another meter"))
    room.restart()
    wager(table, 1).ready(1)
    assert table.loaded().links[1].remainder == 3_300
    assert audited(room) == []


def test_an_award_is_computed_from_the_maximum_and_the_excess_is_reserved(
    room: Room,
) -> None:
    jackpot = create(room.store, RULES)
    table = linked(room, jackpot).sit(1, 2)
    order(room.store, jackpot, SetMaximum(SEED + 10, "as the card says"))
    deal(table, 1, 2)
    table.do(1, Stand(1))
    assert awards(table.do(2, Stand(2)))[0] == share_of(SEED + 10, 10)
    assert read(room.store, jackpot).jackpot.reserve == 2 * EACH - 10
    assert audited(room) == []


# --- locks ------------------------------------------------------------------------------------


class Locks:
    """The locks taken by each statement: (kind of rows, their numbers)."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, list[int]]] = []

    def note(self, statement: str, values: Sequence[str]) -> None:
        if statement.endswith("FOR NO KEY UPDATE"):
            numbers = [int(number) for number in values[0].strip("{}").split(",")]
            self.taken.append((statement.partition(" FROM ")[2].split()[0], numbers))

    def in_order(self, connection: Connection) -> list[Lock]:
        """Each statement's place in the locking order."""
        kinds = {row.id: row.kind for row in connection.execute(select(book))}
        codes = {row.id: row.code for row in connection.execute(select(account))}
        found: list[Lock] = []
        for name, numbers in self.taken:
            if name == "book":
                places = {
                    Lock.JACKPOTS if kinds[number] == BookKind.JACKPOT else Lock.BOOKS
                    for number in numbers
                }
            else:
                places = {
                    Lock.MONEY if codes[number].startswith(("wallet", "house")) else Lock.METERS
                    for number in numbers
                }
            assert len(places) == 1, (name, numbers)
            found += places
        return found


@pytest.fixture
def locks(monkeypatch: pytest.MonkeyPatch) -> Locks:
    noted = Locks()
    run = statements.run

    def noting(connection: Connection, statement: str, values: Any, **more: bool) -> DBAPICursor:
        noted.note(statement, values)
        return run(connection, statement, values, **more)

    monkeypatch.setattr(statements, "run", noting)
    return noted


@pytest.fixture
def postgres_store(postgres: Postgres, postgres_house: str) -> Iterator[Store]:
    """A PostgreSQL store, because only PostgreSQL has row locks."""
    postgres.empty(postgres_house)
    opened = open_store(postgres.database(postgres_house).program)
    yield opened
    opened.close()


def test_locks_are_taken_in_one_order(postgres_store: Store, locks: Locks) -> None:
    """An award with a winner who leaves a closing table takes all of them."""
    room = Room(postgres_store, shoes=[TWO_WIN])
    jackpot = create(postgres_store, RULES)
    table = linked(room, jackpot).sit(1, 2)
    deal(table, 1, 2)
    table.do(1, do.LeaveSeat())
    table.do(OPERATOR, do.CloseTable("the day is over"))
    last = table.request(2, Stand(2))
    room.restart()
    locks.taken.clear()
    assert isinstance(table.step(last).outcomes[0], Done)
    with postgres_store.read() as connection:
        order_of_all = locks.in_order(connection)
    start = len(order_of_all) - order_of_all[::-1].index(Lock.BOOKS) - 1
    # Skip the first attempt, which only discovers that it needs meters.
    order_of_award = order_of_all[start:]
    assert order_of_award == sorted(order_of_award)
    assert set(order_of_award) == set(Lock)


def test_a_batch_takes_its_stripes_before_the_first_posting(
    postgres_store: Store, locks: Locks, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(postgres_store)
    jackpot = create(postgres_store, RULES)
    tables = [linked(room, jackpot).sit(1, 2) for _ in range(3)]
    requests = []
    for table in tables:
        wager(table, 1, 2)
        table.ready(1)
        requests.append(table.request(2, do.Ready()))
    requests.append(tables[0].request(player(3), do.TakeSeat(3)))
    locks.taken.clear()
    begun: list[int] = []  # transactions begun; with some cards, the last command needs its own
    run = Transaction.run

    def noting(self: Transaction, *given: Any, **more: Any) -> Any:
        begun.append(len(locks.taken))
        return run(self, *given, **more)

    monkeypatch.setattr(Transaction, "run", noting)
    step = room.writer.step(requests)
    assert all(isinstance(outcome, Done) for outcome in step.outcomes), step.outcomes
    with postgres_store.read() as connection:
        taken = locks.in_order(connection)
    for first, last in pairwise([*begun, len(taken)]):
        assert taken[first:last] == sorted(taken[first:last])
    assert {Lock.BOOKS, Lock.MONEY, Lock.METERS} <= set(taken)
