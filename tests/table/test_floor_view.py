"""The live floor: tables, players, stages, results and alerts, read from the house."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.table.floor import create, order
from tests.table.played_house import OPERATOR, PLAYERS, PlayedHouse
from ventiuna.engine.events import Wager
from ventiuna.rules import load_rules
from ventiuna.server.analysis_pool import AnalysisPool
from ventiuna.server.background import LOW_DISK
from ventiuna.server.live_tables import Tables
from ventiuna.server.routers.floor import (
    Floor,
    FloorData,
    HouseHealth,
    alarm_text,
    house_alerts,
    jackpot_alerts,
)
from ventiuna.server.telemetry import Metrics
from ventiuna.table.daily_report import (
    Expectation,
    TableFigures,
    daily_report,
    day_of,
    line_data,
    no_theory,
)
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.handlers import SERVICE
from ventiuna.table.jackpots.progressive import SetAdvanceLimit, SuspendJackpot
from ventiuna.table.listings import find_jackpot
from ventiuna.table.store.connection import Store


@pytest.fixture
def house(store: Store) -> PlayedHouse:
    played = PlayedHouse(store)
    played.open()
    return played


def watched(house: PlayedHouse) -> Floor:
    live = Tables(house.store, house.house, house.clock, Metrics())
    return Floor(live, HouseHealth, AnalysisPool())


def seen(house: PlayedHouse, floor: Floor) -> FloorData:
    floor.refresh_results()
    with house.store.read() as connection:
        return floor.read(connection)


def test_a_table_shows_its_stage_and_who_it_waits_for(house: PlayedHouse) -> None:
    floor = watched(house)
    (table,) = seen(house, floor).tables
    assert (table.name, table.status, table.private) == ("Table =1", "open", False)
    assert table.headline == "Spanish 21 · 2 decks · $5 to $300"
    assert (table.stage, table.waiting_for) == ("players cut the next shoe", ["Ann", "=Bob"])
    assert [(one.name, one.spots, one.stack) for one in table.players] == [
        ("Ann", [1], 400_000),
        ("=Bob", [2], 400_000),
    ]
    while house.state.ask is None or house.state.ask.kind is not AskKind.WAGERS:
        house._go_on(())
    ask = house.state.ask
    house.send(PLAYERS[2], do.Ready(), ask.number)
    (table,) = seen(house, floor).tables
    assert (table.stage, table.waiting_for) == ("players place wagers", ["Ann"])
    house.open_round()
    (table,) = seen(house, floor).tables
    assert house.state.ask is not None
    (spot,) = house.state.ask.spots
    assert (table.stage, len(table.waiting_for)) == (f"spot {spot} decides", 1)
    assert table.since > 0
    assert table.round == 1


def test_results_grow_round_by_round_and_equal_the_report(house: PlayedHouse) -> None:
    floor = watched(house)
    for _ in range(3):
        house.play(2)
        data = seen(house, floor)
        with house.store.read() as connection:
            report = daily_report(connection, day_of(house.clock.time), no_theory)
        (table,) = data.tables
        assert table.today == line_data(TableFigures, report.tables[0])
        assert (data.win_cents, data.drop_cents) == (report.win, report.drop)
    house.clock.time = day_of(house.clock.time).end
    house.play(1)
    (table,) = seen(house, floor).tables
    assert table.today is not None
    assert (table.today["rounds"], table.today["drop_cents"]) == (1, 0)


def test_a_result_outside_its_band_is_an_alert(house: PlayedHouse) -> None:
    floor = watched(house)
    house.play(3)
    rules = house.state.rules
    floor.theory |= {(rules, wager): Expectation(Fraction(-9, 10), 0.001) for wager in Wager}
    data = seen(house, floor)
    (table,) = data.tables
    assert table.today is not None
    assert table.today["outlier"]
    assert [(alert.about, alert.number) for alert in data.alerts] == [("table", table.id)]
    assert "today, outside" in data.alerts[0].text


def test_a_stopped_table_and_an_overdue_clock_are_alerts(house: PlayedHouse) -> None:
    floor = watched(house)
    house.open_round()
    assert seen(house, floor).alerts == []
    house.clock.pause(60_000)
    (alert,) = seen(house, floor).alerts
    assert (alert.level, alert.about, alert.number) == ("warning", "table", house.table)
    assert "the clock ran out" in alert.text
    house.send(SERVICE, do.FaultTable("a defect"))
    data = seen(house, floor)
    (alert,) = data.alerts
    assert (alert.level, alert.text) == (
        "problem",
        "Table =1 stopped because of an internal error.",
    )
    assert (data.tables[0].stage, data.tables[0].waiting_for) == ("stopped by an error", [])


def test_a_closed_table_leaves_the_floor(house: PlayedHouse) -> None:
    floor = watched(house)
    house.play(1)
    house.close()
    assert seen(house, floor).tables == []


def test_a_closed_table_stays_until_its_alarm_is_acknowledged(house: PlayedHouse) -> None:
    floor = watched(house)
    house.close()
    house.send(SERVICE, do.RaiseAlarm("meter: jackpot 1", "meter: jackpot 1: wrong.", (1,)))
    data = seen(house, floor)
    [table] = data.tables
    [alarm] = table.alarms
    assert (table.status, alarm.finding, alarm.rounds) == (
        "closed",
        "meter: jackpot 1: wrong.",
        [1],
    )
    assert [alert.text for alert in data.alerts] == ["Table =1: meter: jackpot 1: wrong."]
    house.send(OPERATOR, do.AcknowledgeAlarm(alarm.number, "the sign was wrong"))
    assert seen(house, floor).tables == []


@pytest.mark.parametrize(
    ("finding", "sentence"),
    [
        (
            "payments: mtd up, $10 to $24.99: 1 of 1 round wrong, $2.50 too little in all.",
            "Paid $2.50 too little on Up Card with base wagers $10 to $24.99, in 1 of 1 round.",
        ),
        (
            "meter: jackpot 1: 2 of 9 rounds wrong, $5.00 too much in all.",
            "Added $5 too much to the meter of Jackpot 1, in 2 of 9 rounds.",
        ),
        (
            "payments: hand, under $10: 1 of 2 rounds wrong, not as the rules say.",
            "Settled base wagers under $10 against the rules, in 1 of 2 rounds.",
        ),
        ("payments: a feeling: wrong.", "payments: a feeling: wrong."),
    ],
)
def test_an_alarm_is_a_sentence(finding: str, sentence: str) -> None:
    assert alarm_text(finding) == sentence


def test_jackpots_that_need_attention_are_alerts(house: PlayedHouse) -> None:
    number = create(house.store, load_rules("wsgc-2021(decks=8,jackpots=3d:1:seed=1000)"))
    floor = watched(house)
    data = seen(house, floor)
    assert [(one.id, one.shown, one.status) for one in data.jackpots] == [(number, 100_000, "open")]
    assert data.alerts == []
    order(house.store, number, SuspendJackpot("the sign is broken"))
    (alert,) = seen(house, floor).alerts
    assert (alert.level, alert.about, alert.number) == ("warning", "jackpot", number)
    assert alert.text.endswith("is suspended at 0 tables.")
    order(house.store, number, SetAdvanceLimit(50_000, "less risk"))
    first, second = seen(house, floor).alerts
    assert (first.level, second.level) == ("problem", "warning")
    assert "advanced $1,000, more than the limit" in first.text
    with house.store.read() as connection:
        found = find_jackpot(connection, number)
    short = replace(found, jackpot=replace(found.jackpot, missing=2_500))
    assert "$25 of the seed is missing" in next(jackpot_alerts(short)).text
    low = replace(found, jackpot=replace(found.jackpot, advance_limit=None), shown=99_999)
    assert "less than its seed of $1,000" in next(jackpot_alerts(low)).text


@pytest.mark.parametrize(
    ("health", "words"),
    [
        (HouseHealth(writes=False), "the writer has stopped"),
        (HouseHealth(beat_at=80_000), "hasn't accepted anything"),
        (HouseHealth(imbalance=-5), "out of balance by \N{MINUS SIGN}$0.05"),
        (HouseHealth(sealed_at=-200_000), "last sealed 5 minutes ago"),
        (HouseHealth(disk_free=LOW_DISK - 2**20), "only 255 MB left"),
    ],
)
def test_a_fault_of_the_house_is_an_alert(health: HouseHealth, words: str) -> None:
    (alert,) = house_alerts(health, 100_000)
    assert (alert.about, alert.number) == ("house", None)
    assert words in alert.text
    assert list(house_alerts(HouseHealth(), 100_000)) == []
