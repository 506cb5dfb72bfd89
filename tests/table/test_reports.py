"""The daily report: figures derived from the books, in text, JSON, and CSV."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, date, timedelta, timezone
from fractions import Fraction

import pytest

from tests.table.floor import create, order
from tests.table.played_house import START, PlayedHouse
from ventiuna.engine.events import Wager
from ventiuna.rules import Rules, canonical, fingerprint, load_rules
from ventiuna.table.daily_report import (
    CSV_COLUMNS,
    DailyReport,
    DayError,
    Expectation,
    GamblingDay,
    Theory,
    daily_report,
    day_of,
    no_theory,
    read_day,
    report_csv,
    report_data,
    report_lines,
)
from ventiuna.table.jackpots.progressive import CorrectDown
from ventiuna.table.journal import balances
from ventiuna.table.store.connection import Store

DAY = day_of(START)


@pytest.fixture
def house(store: Store) -> PlayedHouse:
    played = PlayedHouse(store)
    played.open()
    played.play(5)
    played.void()
    played.play(3)
    return played


def _reported(
    house: PlayedHouse, day: GamblingDay = DAY, theory: Theory = no_theory
) -> DailyReport:
    with house.store.read() as connection:
        return daily_report(connection, day, theory)


# --- days -------------------------------------------------------------------------------------


def test_a_gambling_day_begins_at_its_hour() -> None:
    day = GamblingDay(date(2026, 11, 16), 6)
    assert day.end - day.start == 24 * 3600 * 1000
    assert day_of(day.start) == day
    assert day_of(day.start - 1).date == date(2026, 11, 15)
    assert day_of(day.end).date == date(2026, 11, 17)
    west = timezone(timedelta(hours=-8))
    assert GamblingDay(day.date, 6, west).start == day.start + 8 * 3600 * 1000
    assert read_day("2026-11-16", 6, UTC) == day


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", ""])
def test_an_invalid_day_is_reported(text: str) -> None:
    with pytest.raises(DayError, match="isn't a date"):
        read_day(text)


def test_an_invalid_hour_is_reported() -> None:
    with pytest.raises(DayError, match="start hour must be 0 to 23, not 24"):
        read_day("2026-11-16", 24)


# --- figures ----------------------------------------------------------------------------------


def test_the_win_equals_the_bank_when_the_table_closes(house: PlayedHouse) -> None:
    house.close()
    report = _reported(house)
    (table,) = report.tables
    assert table.void == 1
    assert table.rounds == house.state.rounds - 1 - _without_wagers(house)
    assert table.drop == 800_000
    assert table.cashed_out == 800_000 - table.win
    assert table.win == table.to_house == report.win
    with house.store.read() as connection:
        assert balances(connection, ["house"]) == {"house": table.win}
    hands = next(line for line in table.wagers if line.wager is Wager.HAND)
    assert hands.placed == 2 * table.rounds
    assert hands.staked >= 3000 * table.rounds
    assert table.hold == Fraction(table.win, 800_000)


def _without_wagers(house: PlayedHouse) -> int:
    """Number of rounds that closed without a deal, such as the closing table's last one."""
    with house.store.read() as connection:
        entries = connection.exec_driver_sql(
            "SELECT events FROM entry ORDER BY book_id, version"
        ).scalars()
        events = [event for text in entries for event in json.loads(text)]
    empty, dealt = 0, False
    for event in events:
        if event["event"] == "RoundOpened":
            dealt = False
        elif event["event"] == "CardDealt":
            dealt = True
        elif event["event"] == "RoundClosed":
            empty += not dealt
    return empty


def test_another_day_has_nothing_to_report(house: PlayedHouse) -> None:
    report = _reported(house, replace(DAY, date=DAY.date + timedelta(days=1)))
    assert report.tables == ()
    assert "0 rounds" in list(report_lines(report))[1]


def test_a_round_belongs_to_the_day_in_which_it_ends(house: PlayedHouse) -> None:
    house.open_round()
    before = _reported(house)
    tomorrow = replace(DAY, date=DAY.date + timedelta(days=1))
    house.clock.time = tomorrow.start
    house.play(1)
    assert _reported(house).tables == before.tables
    (table,) = _reported(house, tomorrow).tables
    assert table.rounds == 1
    assert table.drop == 0
    assert table.hold is None


def _theory(edge: int, deviation: float) -> Theory:
    def known(rules: Rules, wager: Wager) -> Expectation | None:
        return Expectation(Fraction(edge, 100), deviation)

    return known


def test_the_band_around_the_expected_win(house: PlayedHouse) -> None:
    (table,) = _reported(house, theory=_theory(1, 1.5)).tables
    hands = next(line for line in table.wagers if line.wager is Wager.HAND)
    assert hands.expected is not None
    first = 3000 * table.rounds
    squares = (1000**2 + 2000**2) * table.rounds
    assert hands.expected.win == pytest.approx(first / 100)
    width = 1.959964 * 1.5 * squares**0.5
    assert hands.expected.high - hands.expected.win == pytest.approx(width, rel=1e-6)
    assert table.expected is not None
    known = [line.expected.win for line in table.wagers if line.expected]
    assert table.expected.win == pytest.approx(sum(known))


def test_results_outside_the_band_are_marked(house: PlayedHouse) -> None:
    report = _reported(house, theory=_theory(-90, 0.001))
    (table,) = report.tables
    assert table.is_outlier
    assert all(line.is_outlier for line in table.wagers if line.placed)
    assert sum("must be investigated" in line for line in report_lines(report)) >= 2
    assert not _reported(house, theory=_theory(0, 1000)).tables[0].is_outlier
    assert not _reported(house).tables[0].is_outlier


# --- meters -----------------------------------------------------------------------------------


def test_a_meters_movements_are_reported_with_their_reasons(house: PlayedHouse) -> None:
    number = create(house.store, load_rules("wsgc-2021(decks=8,jackpots=3d:1:seed=1000)"))
    order(house.store, number, CorrectDown(700, "the sign showed too much"))
    (meter,) = _reported(house).meters
    assert (meter.meter_before, meter.meter_after) == (0, 100_000 - 700)
    assert (meter.reserve_before, meter.reserve_after) == (0, 700)
    told = {(one.account, one.code, one.reason, one.amount) for one in meter.movements}
    assert ("meter", "correct_down", "the sign showed too much", -700) in told
    assert ("reserve", "correct_down", "the sign showed too much", 700) in told
    assert ("meter", "seed", 100_000) in {(one[0], one[1], one[3]) for one in told}


# --- formats ----------------------------------------------------------------------------------


def test_the_newest_seal_is_printed(house: PlayedHouse) -> None:
    assert list(report_lines(_reported(house)))[-1] == "There is no seal yet."
    house.seal()
    report = _reported(house)
    assert report.seal is not None
    assert list(report_lines(report))[-1] == f"Newest seal 1: {report.seal.hash.hex()}"


def test_json_and_csv_have_the_same_figures(house: PlayedHouse) -> None:
    house.seal()
    report = _reported(house, theory=_theory(1, 1.5))
    data = json.loads(json.dumps(report_data(report)))
    rows = list(csv.DictReader(io.StringIO(report_csv(report))))
    assert tuple(rows[0]) == CSV_COLUMNS
    (table,) = data["tables"]
    assert int(rows[0]["win_cents"]) == table["win_cents"] == report.win
    assert [row["line"] for row in rows[1:]] == [line["wager"] for line in table["wagers"]]
    assert int(rows[1]["expected_cents"]) == table["wagers"][0]["expected_cents"]
    assert data["seal"]["number"] == 1


def test_a_table_is_reported_with_the_options_of_its_rules(house: PlayedHouse) -> None:
    report = _reported(house)
    rules = canonical(house.state.rules)
    assert "(" in rules, "it has options"
    (found,) = json.loads(json.dumps(report_data(report)))["tables"]
    assert (found["preset"], found["rules"]) == ("wsgc-spanish-21", rules)
    assert found["fingerprint"] == fingerprint(house.state.rules)
    assert any(line.endswith(f"rules {rules}") for line in report_lines(report))
    row = next(csv.DictReader(io.StringIO(report_csv(report))))
    assert (row["rules"], row["fingerprint"]) == (rules, found["fingerprint"])


def test_no_formula_reaches_a_spreadsheet(house: PlayedHouse) -> None:
    report = _reported(house)
    evil = replace(report, tables=(replace(report.tables[0], name="=1+1"),))
    (row, *_) = csv.DictReader(io.StringIO(report_csv(evil)))
    assert row["name"] == "'=1+1"
