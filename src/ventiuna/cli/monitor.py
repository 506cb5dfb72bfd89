"""`ventiuna monitor`: test from a house's books whether its tables pay what they should."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import (
    DatabaseOption,
    JsonFlag,
    RulesOption,
    console,
    number_table,
    plain_table,
    print_json,
    progress_bar,
)
from ventiuna.cli.common.reports import print_section
from ventiuna.errors import VentiunaError
from ventiuna.money import money_text
from ventiuna.rules import load_rules
from ventiuna.table.floor import utc_text
from ventiuna.table.store import database_address, open_house
from ventiuna.texts import one_line

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ventiuna.table.monitor import RecordedAlarm, Stream, TableMonitor

ALARMED = 1
FOREVER = 2**63 - 1


class MonitorError(VentiunaError, ValueError):
    """The monitor was asked for something that doesn't exist."""


@command("monitor")
def monitor(
    table: Annotated[
        list[int] | None,
        typer.Argument(metavar="TABLE", help="Only these tables.", show_default=False),
    ] = None,
    database: DatabaseOption = "",
    first: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="TIME",
            help="Test only rounds from this time on, such as 2026-11-18T20:30 (UTC).",
            show_default=False,
        ),
    ] = "",
    to: Annotated[
        str,
        typer.Option(
            "--to", metavar="TIME", help="Test only rounds before this time.", show_default=False
        ),
    ] = "",
    rules: RulesOption = "",
    level: Annotated[
        float,
        typer.Option("--level", help="Probability that a correct house ever raises an alarm."),
    ] = 0.01,
    stacked: Annotated[
        bool, typer.Option("--stacked", help="Also test the cards of shoes that a test stacked.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Test a house's rounds: are all payments and meters correct, and all shoes fair?

    Settles each round again, and bets on its cards: only a biased shoe makes such bets grow. The
    house can stay open. A running server does the same continuously and records alarms in the
    books. With --rules, the tables must follow these approved rules instead of their own. Exit code
    1 if there is an alarm.
    """
    from ventiuna.table.monitor import new_monitors, recorded_alarms, stream_data

    if not 0 < level < 1:
        raise MonitorError(f"--level must be between 0 and 1, such as 0.01, not {level:g}.")
    approved = load_rules(rules) if rules else None
    with open_house(database_address(database)) as house, house.read() as connection:
        monitors = new_monitors(connection, approved)
        known = {one.table for one in monitors}
        for number in table or ():
            if number not in known:
                raise MonitorError(f"There is no table {number}.")
        monitors = [one for one in monitors if not table or one.table in table]
        heeds = not (first or to or rules)
        _follow(connection, monitors, first, to, heeds_alarms=heeds, any_shoe=stacked)
        tables = {one.table for one in monitors}
        recorded = [alarm for alarm in recorded_alarms(connection) if alarm.table in tables]
    found = [
        (one, stream)
        for one in monitors
        for stream in sorted(one.streams.values(), key=lambda stream: str(stream.key))
    ]
    alarms = [(one, stream) for one, stream in found if one.is_alarming(stream, level)]
    if as_json:
        print_json(
            {
                "streams": [stream_data(one, stream, level) for one, stream in found],
                "recorded": [asdict(alarm) for alarm in recorded],
            }
        )
    else:
        _print(found, alarms, level)
        _print_recorded(recorded)
    if alarms:
        raise typer.Exit(ALARMED)


def _follow(
    connection: Connection,
    monitors: list[TableMonitor],
    first: str,
    to: str,
    *,
    heeds_alarms: bool,
    any_shoe: bool,
) -> None:
    from ventiuna.table.moments import read_time
    from ventiuna.table.monitor import follow, start_window

    span = read_time(first, UTC), read_time(to, UTC) or FOREVER
    if first and span[0] >= span[1]:
        raise MonitorError("--from must be before --to.")
    with progress_bar() as bar:
        for one in monitors:
            last = None
            if first or to:
                last = start_window(connection, one, *span)
                if last is None:
                    continue
            task = bar.add_task(f"table {one.table}", total=None) if bar else None
            for _ in follow(
                connection, one, last=last, any_shoe=any_shoe, heeds_alarms=heeds_alarms
            ):
                if bar is not None and task is not None:
                    bar.advance(task)


def _print(
    found: list[tuple[TableMonitor, Stream]],
    alarms: list[tuple[TableMonitor, Stream]],
    level: float,
) -> None:
    from ventiuna.table.monitor import StreamKind

    out = console()
    for number, streams in groupby(found, key=lambda pair: pair[0].table):
        lines = number_table(
            "test", "rounds", "wrong", "difference", "evidence", "alarm at", name="streams"
        )
        for one, stream in streams:
            is_luck = stream.key.test is StreamKind.CARDS
            lines.add_row(
                str(stream.key),
                f"{stream.rounds:,}",
                "-" if is_luck else f"{stream.wrong:,}",
                "-" if is_luck else money_text(stream.difference),
                f"{stream.evidence:.2g}" if is_luck else "-",
                f"{one.threshold(stream, level):,.0f}" if is_luck else "-",
            )
        print_section(out, f"Table {number}", lines)
    for one, stream in alarms:
        out.print(one_line(f"ALARM, table {one.table}: {stream.sentence()}"), soft_wrap=True)
        rounds = " or ".join(
            f"`ventiuna recall {one.table} {number}`" for number in stream.contributors
        )
        out.print(f"See {rounds}.", soft_wrap=True)
    if not found:
        out.print("No rounds to test.")
    elif not alarms:
        out.print("No alarm.")


def _print_recorded(recorded: list[RecordedAlarm]) -> None:
    """The alarms in the books, with who acknowledged them and why."""
    if not recorded:
        return
    lines = plain_table("table", "alarm", "at (UTC)", "finding", "acknowledged", "reason")
    for alarm in recorded:
        acknowledged = "-"
        if alarm.acknowledged_at is not None:
            acknowledged = f"{alarm.acknowledged_by}, {utc_text(alarm.acknowledged_at)}"
        numbers = str(alarm.table), str(alarm.alarm), utc_text(alarm.at)
        lines.add_row(*numbers, alarm.finding, acknowledged, alarm.reason or "-")
    print_section(console(), "Alarms in the books", lines)
