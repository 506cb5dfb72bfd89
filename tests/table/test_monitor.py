"""The monitor: correct houses stay silent, and every planted fault raises an alarm."""

from __future__ import annotations

import json
import random
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from benchmarks import monitor_soak
from tests.cli.running import run
from tests.coroutines import run_async
from tests.support.memory_store import MemoryStore
from tests.table.floor import create
from tests.table.folded import check_table
from tests.table.played_house import OPERATOR, PlayedHouse
from tests.table.random_tables import RandomTable
from tests.table.tables import OPERATOR as FOREMAN
from tests.table.tables import LiveTable, Room, cards
from ventiuna.cards import Pack
from ventiuna.core import meters
from ventiuna.core.base_game import row_profit
from ventiuna.engine import settlement
from ventiuna.engine.commands import PlaceWagers, Stand
from ventiuna.engine.events import CardDealt, Place, RoundVoided, WagersPlaced
from ventiuna.kernels.luck import BETS, MAX_WEALTH, ODDS, bet_on_rounds, category_counts
from ventiuna.rules import load_rules
from ventiuna.rules.loader import preset_ids
from ventiuna.server.background import LiveMonitor
from ventiuna.server.live_tables import Tables
from ventiuna.server.routers.floor import table_alerts
from ventiuna.server.telemetry import Metrics
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import make_spec
from ventiuna.table.audit.house import AuditScope, audit
from ventiuna.table.daily_report import ALARM_NOTE, daily_report, day_of, report_data, report_lines
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.handlers import SERVICE
from ventiuna.table.monitor import (
    LEVEL,
    Round,
    Stream,
    StreamKey,
    StreamKind,
    TableMonitor,
    alarm_request,
    follow,
    load_progress,
    new_monitors,
    recorded_alarms,
    save_progress,
    start_window,
)
from ventiuna.table.store.connection import Store
from ventiuna.table.writer import CommandOutcome, CommandRequest

ALARM = do.RaiseAlarm("payments: hand", "payments: hand: wrong.", (1, 2))


def monitored(store: Store, **more: Any) -> TableMonitor:
    """The house's only table, with all its rounds tested."""
    with store.read() as connection:
        [monitor] = new_monitors(connection)
        list(follow(connection, monitor, any_shoe=True, **more))
    return monitor


def alarms(monitor: TableMonitor) -> list[Stream]:
    return [stream for stream in monitor.streams.values() if monitor.is_alarming(stream)]


# --- The bets ---------------------------------------------------------------------------------


def evidence(order: list[int], shoe: list[int], ends: list[int]) -> list[float]:
    """The evidence after each round of a shoe dealt in this order."""
    after = np.ones(len(ends))
    bet_on_rounds(
        np.array(order, dtype=np.uint8),
        np.ones(len(order), dtype=np.uint8),
        np.array(ends),
        np.array([1] + [0] * (len(ends) - 1), dtype=np.uint8),
        full := category_counts(np.array(shoe, dtype=np.uint8)),
        full.copy(),
        ODDS,
        np.zeros(BETS),
        np.zeros(1, dtype=np.int64),
        np.ones(BETS),
        np.ones(BETS),
        after,
    )
    return [float(one) for one in after]


def test_the_evidence_of_a_fair_shoe_averages_exactly_1() -> None:
    shoe = [0, 1, 4, 27, 51]  # two aces, a 2, a 7 and a king
    found = [evidence(list(order), shoe, [2, 3, 5]) for order in permutations(shoe)]
    assert np.mean(found, axis=0) == pytest.approx([1, 1, 1], abs=1e-12)


def test_a_card_that_the_shoe_does_not_have_is_proof() -> None:
    first, second = evidence([0, 4, 0, 8], [0, 4, 8, 12], [2, 4])
    assert first < 2
    assert second >= MAX_WEALTH


def test_a_fault_that_begins_late_is_found_too() -> None:
    """After 2,000 fair rounds, the aces disappear."""
    chance = random.Random(3)
    shoe = sorted(Pack.SPANISH.cards) * 6
    order: list[int] = []
    for number in range(20):
        cards_ = shoe if number < 10 else [card if card > 3 else card + 48 for card in shoe]
        order += chance.sample(cards_, 200)
    ends = list(range(10, len(order) + 1, 10))
    found: list[float] = []
    full = category_counts(np.array(shoe, dtype=np.uint8))
    wealth, clock, left = np.zeros(BETS), np.zeros(1, dtype=np.int64), full.copy()
    after = np.ones(len(ends))
    shuffled = np.array([end % 200 == 10 for end in ends], dtype=np.uint8)
    more = np.ones(BETS), np.ones(BETS), after
    bet_on_rounds(
        np.array(order, dtype=np.uint8),
        np.ones(len(order), dtype=np.uint8),
        *(np.array(ends), shuffled, full, left, ODDS, wealth, clock, *more),
    )
    found = [float(one) for one in after]
    assert max(found[:200]) < 1 / LEVEL
    assert max(found[200:300]) > 1e6


# --- Correct houses ---------------------------------------------------------------------------


@pytest.mark.parametrize("rules", sorted(preset_ids()))
def test_a_correct_table_raises_no_alarm(rules: str) -> None:
    """Random play with every kind of wager, voided rounds, corrections and interruptions."""
    room = Room(MemoryStore())
    people = RandomTable(room, room.open(rules), seed=1)
    for _ in range(120):
        people.step()
    monitor = monitored(room.store)
    assert monitor.number > 2
    assert alarms(monitor) == []
    assert all(stream.wrong == 0 for stream in monitor.streams.values())
    assert {stream.key.test for stream in monitor.streams.values()} >= {
        StreamKind.PAYMENTS,
        StreamKind.CARDS,
    }


def winner(room: Room) -> LiveTable:
    """A table linked to a meter, where spot 1 wins 10% of it."""
    rules = load_rules("wsgc-2021(decks=8,jackpots=3d:1:seed=1000)")
    jackpot = create(room.store, rules)
    table = room.open(rules)
    table.do(FOREMAN, do.LinkJackpot(1, jackpot, "one meter"))
    table.sit(1).cut()
    table.do(1, PlaceWagers(1, 1000, jackpots={1: 100}))
    table.ready(1)
    table.do(1, Stand(1))
    return table


def test_contributions_and_awards_of_a_linked_meter_agree() -> None:
    room = Room(MemoryStore(), shoes=[cards("5h 5h 5h Kd 2c")])
    winner(room)
    monitor = monitored(room.store)
    found = {str(stream.key): stream.wrong for stream in monitor.streams.values()}
    assert found["meter: jackpot 1"] == found["payments: jackpot 1, $10 to $24.99"] == 0


def test_stacked_shoes_are_not_tested(store: Store) -> None:
    house = PlayedHouse(store)
    house.open()
    house.play(1)
    with store.read() as connection:
        [monitor] = new_monitors(connection)
        list(follow(connection, monitor))
    assert {stream.key.test for stream in monitor.streams.values()} == {StreamKind.PAYMENTS}


# --- Planted faults ---------------------------------------------------------------------------


def wrong_house(monkeypatch: pytest.MonkeyPatch, store: Store, rounds: int) -> PlayedHouse:
    """A house that pays $1 too much for every winning 21 of some rounds."""
    house = PlayedHouse(store)
    house.open()
    house.play(3)
    with monkeypatch.context() as patch:
        patch.setattr(settlement, "row_profit", lambda *of: row_profit(*of) + 100)
        house.play(rounds)
    return house


def test_a_wrong_payment_raises_an_alarm_with_its_rounds(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    wrong_house(monkeypatch, store, 25)
    [stream] = alarms(monitored(store))
    assert stream.key == (StreamKind.PAYMENTS, "hand", 1)
    assert stream.difference == 100 * stream.wrong > 0
    assert stream.sentence() == (
        f"payments: hand, $10 to $24.99: {stream.wrong} of {stream.rounds} rounds wrong, "
        f"${stream.wrong}.00 too much in all."
    )
    assert all(number > 3 for number in stream.contributors)


def test_a_mis_set_meter_raises_an_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(MemoryStore(), shoes=[cards("5h 5h 5h Kd 2c")])
    with monkeypatch.context() as patch:
        right = meters.contribution
        patch.setattr(meters, "contribution", lambda *of: right(*of) - 1)  # 0.0001 cents
        winner(room)
    [stream] = alarms(monitored(room.store))
    assert stream.key.test is StreamKind.METER
    assert stream.contributors == (1,)


def test_other_rules_than_the_approved_ones_raise_an_alarm(tmp_path: Any) -> None:
    path = str(tmp_path / "house.sqlite")
    house = PlayedHouse(MemoryStore(path=path))
    house.open("wsgc-2021")
    house.play(20)
    asked = ("monitor", "--database", path, "--json", "--rules")
    assert run(*asked, "wsgc-2021").code == 0
    wrong = run(*asked, "super-fun-21")
    assert wrong.code == 1
    assert any(line["alarm"] and line["wrong"] == 20 for line in wrong.data["streams"])


def dealt(number: int, shoe: int, found: list[int]) -> Round:
    """A round in which spot 1 and the dealer get these cards; it was voided at the end."""
    places = [Place.PLAYER, Place.UP, Place.PLAYER, Place.DOWN]
    places += [Place.DEALER] * (len(found) - 4)
    events: list[ev.TableEvent] = [WagersPlaced(1, "1", 1000)]
    events += [
        CardDealt(card, place, 1 if place is Place.PLAYER else 0)
        for card, place in zip(found, places, strict=True)
    ]
    events.append(RoundVoided("a test"))
    return Round(number, ev.RoundOpened(number, shoe), events)


@pytest.mark.parametrize("is_fair", [True, False])
def test_a_biased_shoe_raises_an_alarm(is_fair: bool) -> None:
    """Half of the aces are kings."""
    chance = random.Random(5)
    monitor = TableMonitor(7, 1, load_rules("wsgc-spanish-21"))
    deck = sorted(Pack.SPANISH.cards) * 6
    shoe = deck if is_fair else [card + 48 if card < 2 else card for card in deck]
    number = 0
    for shuffle in range(1, 31):
        order = chance.sample(shoe, len(shoe))
        for start in range(0, 200, 5):
            number += 1
            monitor.add(dealt(number, shuffle, order[start : start + 5]))
    found = alarms(monitor)
    assert [str(stream.key) for stream in found][:1] == ([] if is_fair else ["cards: dealer"])
    for stream in found:
        assert "likelier from a biased shoe" in stream.sentence()
        assert stream.contributors


def test_the_simulated_proof_in_small() -> None:
    """As in `benchmarks.monitor_soak`, with fewer rounds."""
    rules = load_rules(monitor_soak.RULES)
    plan = monitor_soak.plan_of(rules)
    spec = make_spec(plan, find_strategy("chart", rules, plan.base_wager))
    *_, fair = monitor_soak.fair_houses(spec, 300_000)
    assert (fair.rounds, fair.houses, fair.alarms) == (300_000, 3, 0)
    name, wrong = next(iter(monitor_soak.planted_side_bets(spec)))
    found = monitor_soak.wrong_pay(name, spec, None, wrong, houses=3, most=1000)
    assert found.late is not None
    assert found.band_median is not None
    assert found.late < found.band_median / 10
    name, shoe = list(monitor_soak.biased_shoes(rules))[2]
    assert monitor_soak.biased(name, spec, shoe, houses=2, most=2000).late is not None


# --- Alarms in the books ----------------------------------------------------------------------


def test_an_alarm_is_recorded_and_acknowledged(store: Store) -> None:
    room = Room(store)
    table = room.open()
    [raised] = table.do(SERVICE, ALARM)
    assert raised == ev.AlarmRaised(ALARM.stream, ALARM.finding, ALARM.rounds)
    (number,) = check_table(table).alarms
    [alert] = [one for one in table_alerts(table.state, None, 0) if one.level == "problem"]
    assert alert.text == "Table: payments: hand: wrong."
    table.refuses("stale", SERVICE, ALARM)
    table.refuses("not_allowed", FOREMAN, ALARM)
    table.refuses("stale", FOREMAN, do.AcknowledgeAlarm(number + 1, "nothing"))
    table.refuses("no_reason", FOREMAN, do.AcknowledgeAlarm(number, " "))
    table.do(FOREMAN, do.CloseTable("the day is over"))
    assert table.do(FOREMAN, do.AcknowledgeAlarm(number, "a wrong table sign")) == [
        ev.AlarmAcknowledged(number)
    ]
    assert check_table(table).alarms == {}
    with store.read() as connection:
        assert audit(connection, AuditScope(on_top=room.entropy.on_top)).holds


def test_an_audit_finds_a_removed_alarm(owned: Store) -> None:
    room = Room(owned)
    room.open().do(SERVICE, ALARM)
    with owned.write() as connection:
        connection.exec_driver_sql("UPDATE game_table SET alarms = NULL")
    with owned.read() as connection:
        report = audit(connection, AuditScope(on_top=room.entropy.on_top))
    assert [found.kind for found in report.differences] == ["row"]


def live(house: PlayedHouse, metrics: Metrics) -> LiveMonitor:
    tables = Tables(house.store, house.house, house.clock, metrics)

    async def ask(request: CommandRequest, *, once: bool = False) -> CommandOutcome:
        return house.writer.step([request]).outcomes[0]

    tables.ask = ask  # type: ignore[method-assign]
    return LiveMonitor(tables)


def value(metrics: Metrics, name: str, table: int) -> float | None:
    return metrics.registry.get_sample_value(f"ventiuna_{name}", {"table": str(table)})


def test_a_running_house_raises_each_alarm_once(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    house, metrics = wrong_house(monkeypatch, store, 12), Metrics()
    monitor = live(house, metrics)
    run_async(monitor.look())
    (number,) = house.state.alarms
    run_async(monitor.look())
    run_async(live(house, Metrics()).look())  # another process takes over
    assert house.state.alarms.keys() == {number}
    assert value(metrics, "monitor_alarms", house.table) == 1
    assert value(metrics, "monitor_evidence", house.table) == 1
    with store.read() as connection:
        report = daily_report(connection, day_of(house.clock.now()))
    assert any(ALARM_NOTE in line for line in report_lines(report))
    assert report_data(report)["tables"][0]["alarm"] is True
    house.send(OPERATOR, do.AcknowledgeAlarm(number, "the pay table was wrong"))
    house.play(2)
    run_async(monitor.look())
    assert house.state.alarms == {}
    assert value(metrics, "monitor_alarms", house.table) == 0
    assert value(metrics, "monitor_evidence", house.table) < 1  # type: ignore[operator]


def test_tables_with_the_same_fault_each_raise_an_alarm() -> None:
    rules = load_rules("wsgc-spanish-21")
    keys = set()
    for number in (3, 4):
        monitor = TableMonitor(number, number, rules, number=17)
        stream = monitor.stream(StreamKey(StreamKind.PAYMENTS, "hand", 1))
        stream.compare(17, -250, is_wrong=True)
        request = alarm_request(monitor, stream)
        assert isinstance(request.command, do.RaiseAlarm)
        assert request.command.finding.endswith("1 of 1 round wrong, $2.50 too little in all.")
        keys.add(request.key)
    assert len(keys) == 2


def test_progress_survives_a_restart(store: Store) -> None:
    house = PlayedHouse(store)
    house.open()
    house.play(6)
    first = monitored(store)
    with store.write() as connection:
        save_progress(connection, first)
    house.play(6)
    with store.read() as connection:
        [later] = new_monitors(connection)
        load_progress(connection, [later])
        assert later.text() == first.text()
        assert list(follow(connection, later, any_shoe=True)) == list(
            range(first.number + 1, house.state.rounds)
        )
    assert json.loads(later.text()) == json.loads(monitored(store).text())


def test_a_window_starts_with_a_shoe(store: Store) -> None:
    house = PlayedHouse(store)
    house.open()
    house.play(30)
    with store.read() as connection:
        [whole], [part] = new_monitors(connection), new_monitors(connection)
        list(follow(connection, whole))
        at = house.clock.now()
        assert start_window(connection, part, at, at + 1) is None
        last = start_window(connection, part, at - 150_000, at)
        assert last is not None
        assert 0 < part.number < last
        numbers = list(follow(connection, part, last=last, any_shoe=True))
    assert numbers == list(range(part.number - len(numbers) + 1, last + 1))
    assert all(stream.wrong == 0 for stream in part.streams.values())


# --- The command ------------------------------------------------------------------------------


def test_the_command_lists_the_alarms_in_the_books(tmp_path: Any) -> None:
    path = str(tmp_path / "house.sqlite")
    store = MemoryStore(path=path)
    table = Room(store).open()
    table.do(SERVICE, ALARM)
    with store.read() as connection:
        (open_alarm,) = recorded_alarms(connection)
    assert (open_alarm.rounds, open_alarm.acknowledged_at) == ((1, 2), None)
    table.do(FOREMAN, do.AcknowledgeAlarm(open_alarm.alarm, "a wrong table sign"))
    found = run("monitor", "--database", path, "--plain")
    assert found.code == 0
    for words in (
        "No rounds to test.",
        "payments: hand: wrong.",
        FOREMAN.name,
        "a wrong table sign",
    ):
        assert words in found.out


def test_the_command_reports_alarms_and_rounds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    path = str(tmp_path / "house.sqlite")
    house = wrong_house(monkeypatch, MemoryStore(path=path), 12)
    found = run("monitor", "--database", path, "--stacked")
    assert found.code == 1
    assert f"ALARM, table {house.table}: payments: hand" in found.out
    assert f"ventiuna recall {house.table} " in found.out
    assert run("monitor", "--database", path, "--level", "2").code == 2
    for text in ("noon", "7/123"):  # monitor takes no entries
        refused = run("monitor", "--database", path, "--from", text)
        assert refused.err == f"error: {text!r} isn't a time such as 2026-11-18T20:30.\n"
    backwards = "--from", "2026-11-18T20:30", "--to", "2026-11-17T20:30"
    assert "--from must be before --to." in run("monitor", "--database", path, *backwards).err
    assert "There is no table 9." in run("monitor", "9", "--database", path).err
