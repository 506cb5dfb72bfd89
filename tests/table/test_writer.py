"""The writer: duplicate commands, batches, bugs, other processes, a failing database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from tests.table.conftest import Postgres
from tests.table.folded import check_table
from tests.table.tables import CHIPS, OPERATOR, WALLET, LiveTable, Room, cards, player
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import Hit, PlaceWagers, Stand
from ventiuna.table import presence
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.flow import CommandRun
from ventiuna.table.domain.state import TableState, TableStatus
from ventiuna.table.journal import JournalConflict, known_commands
from ventiuna.table.store.connection import Store, open_store
from ventiuna.table.writer import (
    ATTEMPTS,
    UNKNOWN,
    BatchResult,
    CommandOutcome,
    CommandRequest,
    Refusal,
    Unknown,
)

TWO_HANDS = cards("Kh Kd Qh 9c 8d 7h")


@pytest.fixture
def room(store: Store) -> Room:
    return Room(store, shoes=[TWO_HANDS])


@pytest.fixture
def table(room: Room) -> LiveTable:
    return room.open()


def codes(step: BatchResult) -> list[str]:
    return [_code(outcome) for outcome in step.outcomes]


def _code(outcome: CommandOutcome) -> str:
    return str(outcome.code) if isinstance(outcome, Refusal) else type(outcome).__name__.lower()


# --- duplicates -------------------------------------------------------------------------------


def test_a_duplicate_gets_the_first_answer(table: LiveTable) -> None:
    table.sit(1, chips=0)
    request = table.request(1, do.BuyChips(500), sent=table.room.clock.now())
    first = table.step(request).outcomes
    assert first == table.step(request).outcomes
    table.room.restart()
    table.room.clock.at += 3_600_000  # too old for a new command
    again = table.step(request)
    assert again.outcomes == first
    assert again.updates == []
    assert table.stack(1) == 500
    check_table(table)


def test_two_concurrent_duplicates(table: LiveTable) -> None:
    table.sit(1, chips=0)
    request = table.request(1, do.BuyChips(500))
    step = table.step(request, request)
    assert step.outcomes[0] == step.outcomes[1]
    assert len(step.updates) == 1
    assert table.stack(1) == 500


def test_a_key_identifies_one_command(table: LiveTable) -> None:
    table.sit(1)
    table.do(1, do.CashOut(100), key="mine")
    other = table.refuses("key_reused", 1, do.CashOut(200), key="mine")
    assert other.reason == (
        "This key was already used for another command. Choose a new key for each command."
    )
    table.refuses("key_reused", 1, do.CashOut(100), key="mine", ask=77)
    table.do(OPERATOR, do.DropBank("another actor has his own keys"), key="mine")


def test_a_refused_command_can_succeed_only_at_a_new_prompt(table: LiveTable) -> None:
    table.sit(1, 2).cut()
    ask = table.ask or 0
    table.refuses("spot_not_betting", 2, Stand(2), key="stand")
    table.wager(1)
    table.wager(2)
    table.ready(1, 2)
    table.do(1, Stand(1))
    table.refuses("stale", 2, Stand(2), key="stand", ask=ask)
    table.do(2, Stand(2), key="stand")


@pytest.mark.parametrize("key", ["", "x" * 65, "two\nlines", "nul\0", "half \ud800"])
def test_a_bad_key_is_refused_before_the_database_sees_it(table: LiveTable, key: str) -> None:
    request = CommandRequest(table.number, player(1), key, do.TakeSeat(1))
    fine = table.request(2, do.TakeSeat(2))
    step = table.step(request, fine)
    assert codes(step) == ["bad_command", "done"]
    assert step.faults == []
    refusal = step.outcomes[0]
    assert isinstance(refusal, Refusal)
    assert refusal.reason == (
        "A key must have 1 to 64 printable characters and be new for each command."
    )


def test_commands_without_a_prompt_expire(table: LiveTable) -> None:
    now = table.room.clock.now()
    assert table.refuses("too_old", 1, do.TakeSeat(1), sent=now - 30_001).reason == (
        "The command took too long to arrive. Send it again."
    )
    table.refuses("too_old", 1, do.TakeSeat(1), sent=now + 30_001)
    table.do(1, do.TakeSeat(1), sent=now - 30_000)
    table.do(1, do.Ready(), sent=now - 90_000)  # accepted, because it states its prompt


def test_one_client_plays_a_seat(table: LiveTable) -> None:
    table.sit(1)
    with table.room.store.write() as connection:
        first = presence.connect(connection, table.number, 1, process=1)
        second = presence.connect(connection, table.number, 1, process=1)
    assert table.refuses("other_client", 1, do.CashOut(100), client=first).reason == (
        "Your seat is now being played from another window."
    )
    table.refuses("other_client", 1, do.CashOut(100), client=second + 1)
    table.do(1, do.CashOut(100), client=second)


@pytest.mark.parametrize("number", [0, -1, 999, 10**30])
def test_missing_tables(table: LiveTable, number: int) -> None:
    request = CommandRequest(number, player(1), f"k/{number}", do.TakeSeat(1))
    step = table.step(request)
    assert (codes(step), step.faults) == (["no_such_table"], [])


def test_the_book_of_the_cashier_is_not_a_table(table: LiveTable) -> None:
    step = table.step(CommandRequest(1, player(1), "k", do.TakeSeat(1)))
    assert (codes(step), step.faults) == (["no_such_table"], [])


@pytest.mark.parametrize(
    "command",
    [
        PlaceWagers(1, 1000, "\ud800"),
        PlaceWagers(1, 1000, jackpots={0: 100}),
        PlaceWagers(1, 1000, jackpots={-5: 100}),
        PlaceWagers(1, 10**30),
        PlaceWagers(1, 1000, mtd={"\ud800": 100}),
        PlaceWagers(10**30, 1000),
        do.ChooseSpots((10**30, -1)),
        do.TakeSeat(-(10**30)),
        do.BuyChips(10**30),
        do.CashOut(-(10**30)),
        do.OpenCut("\0"),
    ],
)
def test_no_command_of_a_player_stops_a_table(table: LiveTable, command: do.PersonCommand) -> None:
    table.sit(1).cut()
    step = table.step(table.request(1, command))
    assert isinstance(step.outcomes[0], Refusal)
    assert step.outcomes[0].code is not RefusalCode.SERVER_FAULT
    assert step.faults == []
    assert table.loaded().status is TableStatus.OPEN


# --- batches ----------------------------------------------------------------------------------


def test_commands_of_many_tables_share_a_commit(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [room.open(name=f"table {number}") for number in range(3)]
    commits = _count_writes(room, monkeypatch)
    requests = [table.request(1, do.TakeSeat(1)) for table in tables]
    requests += [table.request(2, do.TakeSeat(1)) for table in tables]
    step = room.writer.step(requests)
    assert codes(step) == ["done"] * 3 + ["seat_taken"] * 3
    assert commits == ["write"]
    for table in tables:
        check_table(table)


def _count_writes(room: Room, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    writes: list[str] = []
    plain = room.store.write

    @contextmanager
    def counted() -> Iterator[Connection]:
        writes.append("write")
        with plain() as connection:
            yield connection

    monkeypatch.setattr(room.store, "write", counted)
    return writes


def test_several_commands_of_one_person_at_one_table(table: LiveTable) -> None:
    """Someone who sits down and buys chips in the same batch can use their wallet at once."""
    step = table.step(
        table.request(1, do.TakeSeat(1)),
        table.request(1, do.BuyChips(WALLET - 100)),
        table.request(1, do.BuyChips(200)),
        table.request(1, do.CashOut(150)),
        table.request(1, do.BuyChips(200)),
    )
    assert codes(step) == ["done", "done", "not_covered", "done", "done"]
    assert table.wallet(1) == 50
    check_table(table)


def test_one_wallet_at_two_tables(room: Room) -> None:
    """Both purchases are in one batch, but the money exists only once."""
    tables = [room.open().sit(1, chips=0) for _ in range(2)]
    step = room.writer.step([table.request(1, do.BuyChips(WALLET)) for table in tables])
    assert codes(step) == ["done", "not_covered"]
    assert sum(room.balances().values()) == 0


def test_a_round_that_ends_in_the_middle_of_a_batch(table: LiveTable) -> None:
    table.sit(1, 2).deal()
    ask = table.ask or 0
    step = table.step(
        table.request(1, Stand(1)),
        table.request(2, Stand(2), ask=ask + 2),
        table.request(1, do.LeaveSeat()),
        table.request(3, do.TakeSeat(1)),
        table.request(3, do.BuyChips(CHIPS)),
    )
    assert codes(step) == ["done"] * 5
    assert [update.version for update in step.updates] == sorted(
        update.version for update in step.updates
    )
    assert table.state.seats[1].person == "3"
    check_table(table)


def test_an_empty_round_that_ends_in_the_middle_of_a_batch(table: LiveTable) -> None:
    """The round's row must be closed before the next round's chips are down."""
    table.sit(1).cut()
    sit = table.step(
        table.request(1, do.LeaveSeat()),
        table.request(2, do.TakeSeat(1)),
        table.request(2, do.BuyChips(CHIPS)),
    )
    assert codes(sit) == ["done"] * 3
    table.do(2, PlaceWagers(1, 1000))
    check_table(table)


def test_more_commands_than_fit_in_a_transaction(table: LiveTable) -> None:
    table.sit(1)
    step = table.step(*(table.request(1, do.CashOut(1)) for _ in range(150)))
    assert codes(step) == ["done"] * 150
    assert table.stack(1) == CHIPS - 150


# --- bugs -------------------------------------------------------------------------------------


def _break(monkeypatch: pytest.MonkeyPatch, table: LiveTable, error: Exception) -> None:
    """Make every hit at this table fail with a bug."""
    plain = CommandRun.play

    def play(run: CommandRun, command: object) -> None:
        if isinstance(command, Hit) and run.state.number == table.number:
            raise error
        plain(run, command)  # type: ignore[arg-type]

    monkeypatch.setattr(CommandRun, "play", play)


@pytest.mark.parametrize("error", [AssertionError("no"), KeyError("no"), RuntimeError("no")])
def test_a_bug_stops_only_its_own_table(
    room: Room, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    broken, sound = room.open().sit(1, 2).deal(), room.open().sit(3)
    _break(monkeypatch, broken, error)
    step = room.writer.step(
        [
            sound.request(3, do.CashOut(100)),
            broken.request(1, Hit(1)),
            broken.request(2, do.ComeBack()),
            sound.request(3, do.CashOut(100)),
        ]
    )
    assert codes(step) == ["done", "server_fault", "table_fault", "done"]
    assert [fault.error for fault in step.faults] == [error]
    refusal = step.outcomes[1]
    assert isinstance(refusal, Refusal)
    assert refusal.reason == (
        "The table stopped because of an internal error. Your command was not applied."
    )
    assert [type(event) for update in step.updates for event in update.events].count(
        ev.TableFaulted
    ) == 1
    assert check_table(broken).status is TableStatus.FAULT
    assert check_table(sound).status is TableStatus.OPEN
    assert broken.stack(1) == CHIPS - 1000


def test_a_failing_statement_affects_no_other_command(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database refuses what the code let pass, and only that command fails."""
    broken, sound = room.open().sit(1, chips=500).cut(), room.open().sit(3)
    monkeypatch.setattr(CommandRun, "_check_covered", lambda run, posting: None)
    step = room.writer.step(
        [
            sound.request(3, do.CashOut(100)),
            broken.request(1, PlaceWagers(1, 1000)),
            sound.request(3, do.CashOut(100)),
        ]
    )
    assert codes(step) == ["done", "server_fault", "done"]
    assert sound.stack(3) == CHIPS - 200
    assert broken.stack(1) == 500
    assert broken.state.status is TableStatus.FAULT
    assert sum(room.balances().values()) == 0
    for table in (broken, sound):
        check_table(table)


def test_a_key_used_by_another_process_at_the_same_moment(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key is unknown when looked up but exists when written, so the command runs again."""
    first, second = room.open().sit(1), room.open().sit(1)
    first.do(1, do.CashOut(100), key="twice")
    _fail_once(monkeypatch, "known_commands", lambda *_: {})
    step = room.writer.step([second.request(1, do.CashOut(100), key="twice")])
    assert codes(step) == ["key_reused"]
    assert step.faults == []
    assert check_table(second).status is TableStatus.OPEN


def _fail_once(
    monkeypatch: pytest.MonkeyPatch, name: str, instead: Callable[..., object], times: int = 1
) -> list[str]:
    """Replace a function of the writer for its first `times` calls."""
    from ventiuna.table import writer

    plain = getattr(writer, name)
    left = ["again"] * times

    def changed(*args: object, **more: object) -> object:
        if left:
            left.pop()
            return instead(*args, **more)
        return plain(*args, **more)

    monkeypatch.setattr(writer, name, changed)
    return left


# --- other processes, failing databases -------------------------------------------------------


def test_two_processes_at_one_table(table: LiveTable) -> None:
    """Each process finds what the other has written, whatever it had cached."""
    table.sit(1, 2).cut()
    room = table.room
    writers = [room.writer, room.another_writer()]
    for number in range(6):
        room.writer = writers[number % 2]
        table.do(1, do.CashOut(10))
        table.wager(2, 1000 + 100 * number)
        check_table(table)
    assert table.stack(1) == CHIPS - 60


def _raise(error: Exception) -> Callable[..., object]:
    def raising(*_: object, **__: object) -> object:
        raise error

    return raising


AWAY = OperationalError("SELECT", {}, Exception("the server is away"))


@pytest.mark.parametrize("error", [JournalConflict("moved"), AWAY])
def test_transient_errors_are_retried(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    table.sit(1)
    _fail_once(monkeypatch, "append", _raise(error), times=2)
    table.do(1, do.CashOut(100))
    assert table.stack(1) == CHIPS - 100
    assert sum(table.room.writer.retries.values()) == 2
    assert len(table.room.clock.pauses) == 2
    check_table(table)


def test_a_database_that_stays_unavailable(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.sit(1)
    left = _fail_once(monkeypatch, "append", _raise(AWAY), times=ATTEMPTS)
    outcome = table.send(1, do.CashOut(100), key="later")
    assert isinstance(outcome, Unknown)
    assert outcome.reason == f"The house's database is unavailable. {UNKNOWN}"
    assert left == []
    table.do(1, do.CashOut(100), key="later")
    assert table.stack(1) == CHIPS - 100


def test_a_commit_whose_outcome_is_unknown(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Committed without confirmation, the command is found by its key and took effect once."""
    table.sit(1)
    plain = table.room.store.write
    lost = ["once"]

    @contextmanager
    def losing() -> Iterator[Connection]:
        with plain() as connection:
            yield connection
        if lost:
            lost.pop()
            raise AWAY

    monkeypatch.setattr(table.room.store, "write", losing)
    table.do(1, do.CashOut(100))
    assert table.stack(1) == CHIPS - 100
    check_table(table)


def test_a_backend_that_is_killed_in_the_middle(
    postgres: Postgres, postgres_house: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection and its transaction are gone, so another connection starts over."""
    postgres.empty(postgres_house)
    store = open_store(postgres.database(postgres_house).program)
    table = Room(store).open().sit(1)

    def killed(connection: Connection, pairs: list[tuple[str, str]]) -> object:
        number = connection.scalar(text("SELECT pg_backend_pid()"))
        postgres.run(f"SELECT pg_terminate_backend({number})")
        return known_commands(connection, pairs)

    _fail_once(monkeypatch, "known_commands", killed)
    table.do(1, do.CashOut(100))
    assert table.stack(1) == CHIPS - 100
    assert sum(table.room.writer.retries.values()) == 1
    check_table(table)
    store.close()


def test_a_dropped_cache_changes_nothing(table: LiveTable) -> None:
    table.sit(1, 2).deal()
    known = table.state
    table.room.writer.forget([table.number])
    loaded: TableState = table.loaded()
    assert (loaded.ask, loaded.deadline) == (known.ask, known.deadline)
    table.do(1, Stand(1))
    table.room.writer.forget([table.number])
    table.do(2, Stand(2))
    check_table(table)
