"""The house at past moments equals a plain fold of its books up to then."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC

import pytest
from sqlalchemy import Connection, select

from tests.table.balances import Balances
from tests.table.floor import create, read, sender
from tests.table.played_house import PlayedHouse
from tests.table.random_tables import RandomTable
from tests.table.tables import OPERATOR, LiveTable, Room
from tests.table.test_inspection import REQUIRED, SHUFFLE, inspect_decks
from tests.table.test_live_awards import RULES as METERED
from tests.table.test_live_awards import TWO_WIN, deal, linked
from ventiuna.engine.codec import Data
from ventiuna.engine.commands import Stand
from ventiuna.table import moments
from ventiuna.table.domain.state import TableState
from ventiuna.table.jackpots.progressive import SetMaximum, displayed_amount
from ventiuna.table.jackpots.repository import fold_over_maximum, handle
from ventiuna.table.journal import all_seals, read_entries, read_heads, seal_books
from ventiuna.table.moments import Moment, MomentError, Moments, find_cut, read_moment
from ventiuna.table.presentation import ask_data, snapshot
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import account


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use running totals even in a short book."""
    monkeypatch.setattr(moments, "STEP", 8)


def _folded(connection: Connection, versions: dict[int, int]) -> Balances:
    """Every balance after these versions, adding up one posting after another."""
    entries = [
        one
        for number, version in versions.items()
        for one in read_entries(connection, number)
        if one.version <= version
    ]
    found = Balances()
    for one in sorted(entries, key=lambda one: (one.at, one.book, one.version)):
        for line in one.postings:
            found[line.from_account] -= line.amount
            found[line.to_account] += line.amount
    return found


def _check_balances(connection: Connection, known: Moments, moment: Moment) -> None:
    cut = find_cut(connection, moment)
    codes = list(connection.scalars(select(account.c.code)))
    due = _folded(connection, cut.versions)
    assert known.balances(connection, codes, cut) == {code: due[code] for code in codes}
    one = random.Random(str(moment)).choice(codes)
    assert Moments().balance(connection, one, moment).cents == due[one]


def _moments_of(connection: Connection, chance: random.Random) -> Iterator[Moment]:
    """Times, entries and seals, including the first and the last."""
    heads = read_heads(connection)
    entries = [
        (one.at, one.book, one.version) for n in heads for one in read_entries(connection, n)
    ]
    for at, book, version in chance.sample(entries, min(len(entries), 12)):
        yield Moment(at=at + chance.choice([-1, 0, 1]))
        yield Moment(entry=(book, version))
    yield Moment(at=0)
    yield Moment(at=max(entries)[0])
    yield Moment(at=2**60)
    for sealed in all_seals(connection):
        yield Moment(seal=sealed.number)


def _as_seen(state: TableState) -> Data:
    return {
        "type": "snapshot",
        **snapshot(state),
        "ask": ask_data(state, with_options=False),
        "story": [],
        "scene": [],
    }


def _play(room: Room, rules: str, seed: int, steps: int) -> tuple[LiveTable, dict[int, Data]]:
    """Play at random; return what everyone could see after each entry of the table."""
    table = room.open(rules)
    people = RandomTable(room, table, seed)
    for number in range(steps):
        people.step()
        if number % 20 == 0:
            with room.store.write() as connection:
                seal_books(connection, room.clock.now())
    return table, {update.version: _as_seen(update.state) for update in table.updates}


@pytest.mark.parametrize(
    ("rules", "seed"),
    [("wsgc-2021", 5), ("super-fun-21(decks=1,cut_card=10,burn_cards=20)", 8)],
)
def test_every_past_state_of_a_table(store: Store, rules: str, seed: int) -> None:
    room = Room(store)
    table, seen = _play(room, rules, seed, steps=100)
    known = Moments()
    versions = list(seen)
    random.Random(seed).shuffle(versions)
    reshuffled = 0
    with store.read() as connection:
        for version in versions:
            moment = Moment(entry=(table.number, version))
            found = known.table(connection, table.number, moment)
            shoe, due = found.snapshot["shoe"], seen[version]["shoe"]
            assert isinstance(shoe, dict)
            assert isinstance(due, dict)
            if shoe["left"] is None and due["left"] is not None:
                reshuffled += 1  # a shoe that ran out was reshuffled
                shoe |= {key: due[key] for key in ("left", "size", "to_cut", "discards", "words")}
            assert found.snapshot == seen[version], version
    assert reshuffled <= len(versions) // 2
    assert len(seen) > 50


def test_a_past_table_whose_decks_were_inspected(store: Store) -> None:
    room = Room(store)
    table = room.open("catfish-bend", inspection=REQUIRED)
    inspect_decks(table, 1, 3)
    table.sit(1)
    inspect_decks(table, 4, 6)
    table.do(OPERATOR, SHUFFLE)
    known = Moments()
    with store.read() as connection:
        for update in table.updates:
            moment = Moment(entry=(table.number, update.version))
            found = known.table(connection, table.number, moment)
            assert found.snapshot == _as_seen(update.state)


def test_every_balance_at_any_moment(store: Store) -> None:
    room = Room(store)
    _play(room, "wsgc-2021", 3, steps=40)
    _play(room, "wsgc-spanish-21", 4, steps=40)
    known = Moments()
    with store.read() as connection:
        for moment in _moments_of(connection, random.Random(6)):
            _check_balances(connection, known, moment)


def test_cached_totals_continue_with_new_entries(store: Store) -> None:
    room = Room(store)
    table, _ = _play(room, "wsgc-spanish-21", 4, steps=20)
    people = RandomTable(room, table, 9)
    known = Moments()
    for _ in range(6):
        for _ in range(6):
            people.step()
        with store.read() as connection:
            _check_balances(connection, known, Moment(at=2**60))
            head = read_heads(connection)[table.number]
            found = known.table(connection, table.number, Moment(at=room.clock.at))
            assert (found.version, found.snapshot["n"]) == (head.version, head.events)
            assert found.bank == table.state.bank


def _fed_meter(store: Store) -> tuple[int, dict[int, int]]:
    """A meter fed by two tables, with an award and a new maximum; its display by time."""
    room = Room(store, shoes=[TWO_WIN])
    jackpot = create(store, METERED)
    shown = {}

    def note() -> None:
        shown[room.clock.at] = displayed_amount(read(store, jackpot))
        room.clock.at += 60_000

    with store.read() as connection:
        room.clock.at = max(one.at for one in read_entries(connection, jackpot)) + 1000
    first, second = linked(room, jackpot).sit(1, 2), linked(room, jackpot).sit(3, 4)
    note()
    deal(first, 1, 2)
    note()
    maximum = displayed_amount(read(store, jackpot)) + 20
    with store.write() as connection:
        handle(connection, jackpot, SetMaximum(maximum, "for a test"), sender(room.clock.at))
    note()
    deal(second, 3, 4)
    note()
    with store.write() as connection:
        fold_over_maximum(connection, jackpot, room.clock.at)
    note()
    first.do(1, Stand(1))
    first.do(2, Stand(2))
    note()
    return jackpot, shown


def test_a_meter_at_any_moment_and_its_curve(store: Store) -> None:
    jackpot, shown = _fed_meter(store)
    assert len(set(shown.values())) >= 3
    known = Moments()
    with store.read() as connection:
        for at, cents in shown.items():
            assert known.meter(connection, jackpot, Moment(at=at)).shown == cents, at
        for points in (1, 2, 7, 100):
            found = known.curve(connection, jackpot, 0, 0, points).points
            assert len(found) <= points + 1
            for point in found:
                due = known.meter(connection, jackpot, Moment(at=point.at)).shown
                assert point.shown == due, point
            assert found[-1].shown == displayed_amount(read(store, jackpot))
        first, second = known.curve(connection, jackpot, 0, 0, 2).awards
        assert first.table == second.table
        assert first.cents > second.cents
        before, after = sorted(shown)[:2]
        part = known.curve(connection, jackpot, before, after, 3)
        assert (part.points[0].at, part.points[-1].at) == (before, after)
        assert (part.points[0].shown, part.points[-1].shown) == (shown[before], shown[after])
        assert known.meter(connection, jackpot, Moment(at=0)).shown == 0


def test_a_cut_ends_each_book_at_the_moment(store: Store) -> None:
    house = PlayedHouse(store)
    house.open()
    house.play(2)
    with store.read() as connection:
        times = {n: [one.at for one in read_entries(connection, n)] for n in read_heads(connection)}
        for at in sorted({at + step for book in times.values() for at in book for step in (-1, 0)}):
            cut = find_cut(connection, Moment(at=at))
            assert cut.versions == {n: sum(one <= at for one in book) for n, book in times.items()}


def test_a_past_table_hides_the_down_card_while_its_shoe_is_in_play(store: Store) -> None:
    house = PlayedHouse(store)
    house.open()
    house.play(1)
    house.open_round()
    with store.read() as connection:
        found = Moments().table(connection, house.table, Moment(at=2**60))
        round_ = found.snapshot["round"]
        assert isinstance(round_, dict)
        up, down = round_["dealer"]
        assert (up is None, down) == (False, None)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-18T20:30", Moment(at=1_795_033_800_000)),
        ("2026-11-18 20:30:00.250Z", Moment(at=1_795_033_800_250)),
        ("2026-11-18T21:30+01:00", Moment(at=1_795_033_800_000)),
        ("20261118", Moment(at=1_794_960_000_000)),
        ("1795033800000", Moment(at=1_795_033_800_000)),
        ("7/123", Moment(entry=(7, 123))),
        ("seal/9", Moment(seal=9)),
    ],
)
def test_a_moment_in_words(text: str, moment: Moment) -> None:
    assert read_moment(text, UTC) == moment


@pytest.mark.parametrize(
    "text", ["", "now", "7/0", "7/1/2", "seal/x", "2026-13-01", "9" * 30, "123", "\u0663/\u0661"]
)
def test_an_invalid_moment_is_refused(text: str) -> None:
    with pytest.raises(MomentError, match="isn't a valid point in time"):
        read_moment(text)


def test_things_that_did_not_exist_yet_are_reported(store: Store) -> None:
    house = PlayedHouse(store)
    house.open()
    known = Moments()
    with store.read() as connection:
        for moment, sentence in (
            (Moment(entry=(1, 999)), "Book 1 has no entry 999"),
            (Moment(entry=(99, 1)), "Book 99 has no entry 1"),
            (Moment(seal=5), "There is no seal 5"),
        ):
            with pytest.raises(MomentError, match=sentence):
                known.balance(connection, "house", moment)
        with pytest.raises(MomentError, match="no account wallet/77"):
            known.balance(connection, "wallet/77", Moment(at=0))
        with pytest.raises(MomentError, match="isn't an account"):
            known.balance(connection, "purse", Moment(at=0))
        with pytest.raises(MomentError, match="no jackpot 1"):
            known.meter(connection, 1, Moment(at=0))
        with pytest.raises(MomentError, match="no table 1"):
            known.table(connection, 1, Moment(at=0))
        with pytest.raises(MomentError, match="wasn't open yet"):
            known.table(connection, house.table, Moment(at=0))
        assert known.balance(connection, "wallet/1", Moment(at=0)).cents == 0
