"""The daily report, for operators and auditors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, tzinfo
from fractions import Fraction
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Query
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from ventiuna.analysis.wager_theory import edge_and_deviation
from ventiuna.engine.stakes import Wager
from ventiuna.rules import Rules
from ventiuna.server.acting import LiveTables, Overseer
from ventiuna.server.problems import Declined
from ventiuna.server.services import Services, services_of
from ventiuna.server.tables import Tables
from ventiuna.table.reports.daily import DailyReport, Expectation, daily_report
from ventiuna.table.reports.days import START_HOUR, GamblingDay, day_of, read_day
from ventiuna.table.reports.writing import report_csv, report_data, report_lines

router = APIRouter(prefix="/reports", tags=["reports"])
HouseServices = Annotated[Services, Depends(services_of)]
Question = tuple[Rules, Wager]


@router.get("/daily")
async def daily(
    live: LiveTables,
    house: HouseServices,
    _: Overseer,
    day: Annotated[
        str, Query(max_length=10, description="Left out: today.", examples=["2026-11-16"])
    ] = "",
    start_hour: Annotated[int, Query(ge=0, le=23)] = START_HOUR,
    zone: Annotated[str, Query(max_length=40, examples=["America/Los_Angeles"])] = "UTC",
    theory: Annotated[
        bool, Query(description="With the win to be expected; takes seconds the first time.")
    ] = True,
    written: Annotated[Literal["json", "text", "csv"], Query(alias="format")] = "json",
) -> Response:
    """Drop, win and hold by table and wager, meters with their reasons, and the band to expect."""
    here = _zone(zone)
    wanted = read_day(day, start_hour, here) if day else day_of(house.now(), start_hour, here)
    found, questions = await run_sync(_first_look, live, wanted)
    if theory and questions:
        known = await expectations(
            questions, lambda one: house.studies.ask(_study, one, patient=True)
        )
        found = await run_sync(_report, live, wanted, known.get)
    if written == "json":
        return JSONResponse(report_data(found))
    if written == "csv":
        return PlainTextResponse(report_csv(found), media_type="text/csv")
    return PlainTextResponse("\n".join(report_lines(found)) + "\n")


def _zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        raise Declined(422, "bad_zone", "zone: there is no such time zone; try UTC.") from None


def _first_look(live: Tables, day: GamblingDay) -> tuple[DailyReport, list[Question]]:
    """The report without theory, and for what it would want one."""
    questions: dict[Question, None] = {}

    def noted(rules: Rules, wager: Wager) -> None:
        questions[rules, wager] = None

    with live.store.read() as connection:
        return daily_report(connection, day, noted), list(questions)


def _report(
    live: Tables, day: GamblingDay, known: Callable[[Question], Expectation | None]
) -> DailyReport:
    def theory(rules: Rules, wager: Wager) -> Expectation | None:
        return known((rules, wager))

    with live.store.read() as connection:
        return daily_report(connection, day, theory)


def _study(question: Question) -> tuple[Fraction, float] | None:
    return edge_and_deviation(*question)


async def expectations(
    questions: Collection[Question], ask: Callable[[Question], Awaitable[object]]
) -> dict[Question, Expectation]:
    """What is known of each; the analysis works beside play, in a process of its own."""
    found = {}
    for question in questions:
        answer = await ask(question)
        if isinstance(answer, tuple):
            found[question] = Expectation(*answer)
    return found
