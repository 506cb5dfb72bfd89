"""Contributions against awards in several threads: conserved, exact, in commit order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.table.floor import Deal, FloorTable, create, read
from tests.table.test_jackpot_invariants import books_of
from tests.table.test_jackpots import TEN_PER_CENT, entries, rules_with
from ventiuna.core.meters import share_of
from ventiuna.engine.events import MetersShown, WagerSettled
from ventiuna.table.jackpots.progressive import displayed_amount
from ventiuna.table.journal import balances
from ventiuna.table.store.connection import Store

RULES = rules_with("3d:1:seed=5000:contribution=33.33%")
FEEDING, WINNING = 4, 2  # tables
ROUNDS, AWARDS = 15, 8  # per table


def test_concurrent_contributions_and_awards(store: Store) -> None:
    jackpot = create(store, RULES, reserve_rate=150)
    tables = [FloorTable(store, RULES, stack=100_000) for _ in range(FEEDING + WINNING)]
    for table in tables:
        table.link(jackpot)

    def feed(table: FloorTable) -> int:
        for _ in range(ROUNDS):
            table.contribute(3)
        return 3 * ROUNDS * 3333 // 100

    def win(table: FloorTable) -> int:
        return sum(won_exactly(table) for _ in range(AWARDS))

    with ThreadPoolExecutor(FEEDING + WINNING) as threads:
        feeding = [threads.submit(feed, table) for table in tables[:FEEDING]]
        winning = [threads.submit(win, table) for table in tables[FEEDING:]]
        fed = [each.result() for each in feeding]
        won = [each.result() for each in winning]
    own = WINNING * (AWARDS * 3333 // 100)  # the winners' own wagers
    reading = read(store, jackpot)
    assert displayed_amount(reading) == 500_000 + sum(fed) + own - sum(won)
    with store.read() as connection:
        assert sum(balances(connection).values()) == 0
    assert len(entries(store, jackpot)) == 1 + len(tables) + WINNING * AWARDS
    assert books_of(store, jackpot, tables).check() == []


def won_exactly(table: FloorTable) -> int:
    """Check that the award is 10% of the amount displayed then, whatever others contribute."""
    events = table.play(Deal(TEN_PER_CENT, "5h Kd"))
    (told,) = [event for event in events if isinstance(event, MetersShown)]
    (award,) = [event for event in events if isinstance(event, WagerSettled) and event.meter]
    assert award.paid == share_of(told.meters[1], 10)
    return award.paid
