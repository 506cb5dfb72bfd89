"""`ventiuna report`: a gambling day of a house."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.house_file import DatabaseOption
from ventiuna.cli.output import JsonFlag, console, print_json
from ventiuna.table.house.places import database_address, open_house

if TYPE_CHECKING:
    from ventiuna.engine.stakes import Wager
    from ventiuna.rules import Rules
    from ventiuna.table.reports.daily import Expectation


class Form(StrEnum):
    TEXT = "text"
    CSV = "csv"


def register(app: App) -> None:
    app.command("report", tables=False, pages=True)(report)


def report(
    day: Annotated[
        str,
        typer.Argument(
            metavar="DAY", help="A day such as 2026-11-16; default: today.", show_default=False
        ),
    ] = "",
    database: DatabaseOption = "",
    start_hour: Annotated[
        int, typer.Option("--start-hour", help="Hour at which a gambling day begins, 0 to 23.")
    ] = 6,
    zone: Annotated[
        str,
        typer.Option(
            "--zone",
            help="Time zone, such as America/Los_Angeles; default: this computer's.",
            show_default=False,
        ),
    ] = "",
    theory: Annotated[
        bool,
        typer.Option(help="Add the expected win from exact analysis; takes seconds."),
    ] = True,
    form: Annotated[Form, typer.Option("--as", help="Text, or CSV for a spreadsheet.")] = Form.TEXT,
    as_json: JsonFlag = False,
) -> None:
    """Daily report: drop, win and hold by table and wager, meters, and expected results.

    Results outside their 95% range are marked.
    """
    from ventiuna.table.reports.daily import daily_report, no_theory
    from ventiuna.table.reports.days import day_of, read_day, read_zone
    from ventiuna.table.reports.writing import report_csv, report_data, report_lines

    here = read_zone(zone)
    now = time.time_ns() // 1_000_000
    wanted = read_day(day, start_hour, here) if day else day_of(now, start_hour, here)
    with open_house(database_address(database)) as house, house.read() as connection:
        found = daily_report(connection, wanted, _theory if theory else no_theory)
    if as_json:
        print_json(report_data(found))
    elif form is Form.CSV:
        print(report_csv(found), end="")
    else:
        out = console()
        for line in report_lines(found):
            out.print(line, soft_wrap=True)


def _theory(rules: Rules, wager: Wager) -> Expectation | None:
    from ventiuna.door.house import expected_win

    return expected_win(rules, wager)
