"""The daily report: figures derived from the books, in text, JSON, and CSV."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, date, timedelta, timezone
from fractions import Fraction
from typing import Any

import pytest

from tests.table.floor import create, order
from tests.table.played_house import START, PlayedHouse
from ventiuna.engine.events import Wager
from ventiuna.rules import Rules, canonical, fingerprint, load_rules
from ventiuna.table.daily_report import (
    DailyReport,
    DayError,
    Expectation,
    GamblingDay,
    TableFigures,
    Theory,
    daily_report,
    day_of,
    no_theory,
    read_day,
    report_columns,
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


# --- ranges -----------------------------------------------------------------------------------


def _tables(report: DailyReport) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(json.dumps(report_data(report)))["tables"]
    return found


def test_a_range_is_the_sum_of_its_days(house: PlayedHouse) -> None:
    house.open_round()  # ends on the second day
    days = [replace(DAY, date=DAY.date + timedelta(days=number)) for number in range(4)]
    for day, rounds in ((days[1], 4), (days[3], 2)):  # nothing happens on the third day
        house.clock.time = day.start
        house.play(rounds)
    theory = _theory(1, 1.5)
    single = [_reported(house, day, theory) for day in days]
    whole = _reported(house, replace(DAY, last=days[3].date), theory)
    assert [len(report.tables) for report in single] == [1, 1, 0, 1]
    assert (whole.day.start, whole.day.end) == (days[0].start, days[3].end)
    (table,) = _tables(whole)
    parts = [line for report in single for line in _tables(report)]
    assert table["rounds"] > parts[0]["rounds"]
    for name, column in report_columns(TableFigures).items():
        if column.unit in ("count", "cents") and name not in ("low_cents", "high_cents"):
            total = sum(part[name] for part in parts)
            allowed = len(parts) if name == "expected_cents" else 0  # rounded to cents each day
            assert abs(table[name] - total) <= allowed, name
    for line in table["wagers"]:
        same = [one for part in parts for one in part["wagers"] if one["wager"] == line["wager"]]
        for name in ("placed", "staked_cents", "win_cents"):
            assert line[name] == sum(one[name] for one in same)
    for whole_meter, *by_day in zip(whole.meters, *(one.meters for one in single), strict=True):
        assert whole_meter.meter_before == by_day[0].meter_before
        assert whole_meter.meter_after == by_day[-1].meter_after
        moved = sum(move.amount for move in whole_meter.movements)
        assert moved == sum(move.amount for meter in by_day for move in meter.movements)


def test_a_range_is_shown_in_every_form(house: PlayedHouse) -> None:
    day = read_day("2026-11-16..2026-11-18")
    assert (day.end - day.start, day.name) == (3 * 24 * 3600 * 1000, "2026-11-16..2026-11-18")
    assert read_day("2026-11-16..2026-11-16").name == "2026-11-16"
    report = _reported(house, replace(DAY, last=DAY.date + timedelta(days=1)))
    first, last = report.day.date, report.day.last_date
    assert f"gambling days {first} to {last} from 06:00" in next(report_lines(report))
    assert (report_data(report)["day"], report_data(report)["last_day"]) == (str(first), str(last))
    assert next(csv.DictReader(io.StringIO(report_csv(report))))["day"] == f"{first}..{last}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2026-11-18..2026-11-16", "isn't a range of 1 to 366 days"),
        ("2024-01-01..2026-01-01", "isn't a range of 1 to 366 days"),
        ("2026-11-16..", "isn't a date"),
        ("..2026-11-16", "isn't a date"),
        ("2026-11-16..9999-12-31", "last day of the calendar"),
    ],
)
def test_an_invalid_range_is_reported(text: str, why: str) -> None:
    with pytest.raises(DayError, match=why):
        read_day(text)


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
    (table,) = data["tables"]
    assert int(rows[0]["win_cents"]) == table["win_cents"] == report.win
    assert [row["line"] for row in rows[1:]] == [line["wager"] for line in table["wagers"]]
    assert int(rows[1]["expected_cents"]) == table["wagers"][0]["expected_cents"]
    assert data["hold"] == report.win / report.drop
    assert data["seal"]["number"] == 1


def test_every_column_is_in_the_text_the_csv_and_the_data(house: PlayedHouse) -> None:
    report = _reported(house, theory=_theory(1, 1.5))
    text = "\n".join(report_lines(report))
    data = report_data(report)
    row = next(csv.DictReader(io.StringIO(report_csv(report))))
    assert [column["name"] for column in data["columns"]] == list(report_columns(TableFigures))
    for name, column in report_columns(TableFigures).items():
        assert name in data["tables"][0]
        assert row[column.csv or name] != ""
        if column.unit not in ("text", "flag"):
            assert f" {column.heading} " in text
    assert row["void"] == "1"
    assert int(row["cashed_out_cents"]) == report.tables[0].cashed_out


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
