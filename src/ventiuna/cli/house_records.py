"""`ventiuna audit`, `recall`, `report`, `backup`, and `restore`: a house's records."""

from __future__ import annotations

import time
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import (
    DatabaseOption,
    JsonFlag,
    console,
    print_json,
    progress_bar,
)
from ventiuna.table.store import KEY_VARIABLE, database_address, known_key, open_house
from ventiuna.texts import one_line, pluralize

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ventiuna.engine.events import Wager
    from ventiuna.rules import Rules
    from ventiuna.table.audit.house import AuditProgress, AuditReport, AuditScope
    from ventiuna.table.backup import Copied
    from ventiuna.table.daily_report import Expectation


# --- audit ---

DIFFERENT = 1


@command("audit")
def audit(
    database: DatabaseOption = "",
    book: Annotated[
        list[int] | None,
        typer.Option("--book", help="Audit only this book. Can be repeated.", show_default=False),
    ] = None,
    from_seal: Annotated[
        int | None,
        typer.Option(
            "--from-seal",
            metavar="NUMBER",
            help="Trust entries up to this seal: read them without replaying them.",
            show_default=False,
        ),
    ] = None,
    seal: Annotated[
        list[str] | None,
        typer.Option(
            "--seal",
            metavar="HASH",
            help="A seal you wrote down, which the house must still have. Can be repeated.",
            show_default=False,
        ),
    ] = None,
    seals: Annotated[
        str,
        typer.Option(
            "--seals",
            metavar="FILE|URL",
            help="The copy that `--seal-to` keeps; the house must still have all its seals.",
            show_default=False,
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Audit a house: replay every command, compare every event, posting, balance and row.

    The house can stay open. Checking shoes in play needs the house's key, which is next to a SQLite
    house or in VENTIUNA_HOUSE_KEY. Exit code 1 if anything differs.
    """
    from ventiuna.table.audit.house import AuditScope
    from ventiuna.table.journal import seal_hash
    from ventiuna.table.outside_seals import house_of, outside_seals

    address = database_address(database)
    scope = AuditScope(
        key=known_key(address),
        books=tuple(book or ()),
        from_seal=from_seal,
        held_seals=[seal_hash(text) for text in seal or ()],
    )
    with open_house(address) as house, house.read() as connection:
        if seals:
            scope = replace(scope, outside=outside_seals(seals).read(house_of(connection)))
        report = _audit_with_progress(connection, scope)
    if as_json:
        print_json(report.data())
    else:
        _print_audit(report)
    if not report.holds:
        raise typer.Exit(DIFFERENT)


def _audit_with_progress(connection: Connection, scope: AuditScope) -> AuditReport:
    """Audit with a progress bar on standard error if someone is watching."""
    from ventiuna.table.audit.house import audit as audit_house

    with progress_bar() as bar:
        if bar is None:
            return audit_house(connection, scope)
        task = bar.add_task("auditing", total=None)

        def show(progress: AuditProgress) -> None:
            bar.update(task, completed=progress.entries, total=progress.of)

        return audit_house(connection, replace(scope, watch=show))


def _print_audit(report: AuditReport) -> None:
    out = console()
    counts = report.counts
    out.print(f"House {report.house}")
    for line in (
        (
            pluralize(report.books, "book"),
            pluralize(counts.entries, "entry", "entries"),
            pluralize(counts.events, "event"),
            pluralize(counts.postings, "posting"),
            pluralize(report.accounts, "account"),
        ),
        (
            pluralize(counts.rounds, "round"),
            pluralize(counts.cards, "card"),
            pluralize(counts.shoes, "finished shoe", "finished shoes"),
            pluralize(report.seals, "seal"),
        ),
    ):
        out.print(", ".join(line))
    if report.newest is not None:
        out.print(f"newest seal {report.newest.number}: {report.newest.hash.hex()}")
    for note in report.notes:
        out.print(f"note: {note}")
    out.print()
    for difference in report.differences:
        out.print(f"{difference.kind}: {difference}", soft_wrap=True)
    if report.total > len(report.differences):
        out.print(f"and {report.total - len(report.differences):,} more")
    if report.holds:
        out.print("Everything agrees with the books.")
    else:
        out.print(f"{pluralize(report.total, 'difference')}.")


# --- recall ---


class RecallFormat(StrEnum):
    TEXT = "text"
    NOTATION = "notation"


@command("recall", tables=False, pages=True)
def recall(
    table: Annotated[
        int, typer.Argument(metavar="TABLE", help="The table's number.", show_default=False)
    ] = 0,
    number: Annotated[
        int, typer.Argument(metavar="ROUND", help="The round's number; 0 for the latest.")
    ] = 0,
    database: DatabaseOption = "",
    at: Annotated[
        str,
        typer.Option(
            "--at",
            metavar="MOMENT",
            help="The whole table, an account or a jackpot at a moment: a time such as "
            "2026-11-18T20:30 (UTC), an entry such as 7/123, or a seal such as seal/9.",
            show_default=False,
        ),
    ] = "",
    account: Annotated[
        str,
        typer.Option(
            "--account",
            metavar="ACCOUNT",
            help="With --at: an account, such as wallet/3, bank/7 or house.",
            show_default=False,
        ),
    ] = "",
    jackpot: Annotated[
        int,
        typer.Option(
            "--jackpot", metavar="NUMBER", help="With --at: a jackpot.", show_default=False
        ),
    ] = 0,
    form: Annotated[
        RecallFormat, typer.Option("--as", help="Sentences, or notation that `settle` can read.")
    ] = RecallFormat.TEXT,
    down_card: Annotated[
        bool,
        typer.Option("--down-card", help="Show a down card that is still secret."),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Recall a round step by step, or show the house at a past moment.

    A round is marked as a replay. With --at, a table is shown as anyone could have seen it.
    """
    if at or account or jackpot:
        _recall_moment(database, at, table, account, jackpot, as_json)
        return
    from ventiuna.engine.views import DEALER, EVERYONE
    from ventiuna.table.history import format_round, notation
    from ventiuna.table.history import recall as recall_round

    with open_house(database_address(database)) as house, house.read() as connection:
        found = recall_round(connection, table, number, DEALER if down_card else EVERYONE)
    if as_json:
        print_json(found.as_data())
    elif form is RecallFormat.NOTATION:
        print("\n".join(map(one_line, notation(found).split("\n"))), end="")
    else:
        out = console()
        for line in format_round(found):
            out.print(line)


def _recall_moment(
    database: str, at: str, table: int, account: str, jackpot: int, as_json: bool
) -> None:
    from ventiuna.money import money_text
    from ventiuna.table.moments import (
        MomentError,
        Moments,
        moment_data,
        read_moment,
        table_lines,
        time_words,
    )

    if not at or sum(map(bool, (table, account, jackpot))) != 1:
        raise MomentError(
            "Name one moment, and either a table, an account or a jackpot, such as "
            "`ventiuna recall 7 --at 2026-11-18T20:30` or "
            "`ventiuna recall --account wallet/3 --at 7/123`."
        )
    moment, moments = read_moment(at), Moments()
    with open_house(database_address(database)) as house, house.read() as connection:
        if table:
            past_table = moments.table(connection, table, moment)
            data, lines = moment_data(past_table), table_lines(past_table)
        elif account:
            past = moments.balance(connection, account, moment)
            data = moment_data(past)
            lines = [f"{account} at {time_words(past.at)}: {money_text(past.cents)}"]
        else:
            meter = moments.meter(connection, jackpot, moment)
            data = moment_data(meter)
            lines = [f"Jackpot {jackpot} at {time_words(meter.at)}: {money_text(meter.shown)}"]
    if as_json:
        print_json(data)
        return
    out = console()
    for line in lines:
        out.print(line, soft_wrap=True, highlight=False, markup=False)


# --- report ---


class ReportFormat(StrEnum):
    TEXT = "text"
    CSV = "csv"


@command("report", tables=False, pages=True)
def report(
    day: Annotated[
        str,
        typer.Argument(
            metavar="DAY",
            help="A day, such as 2026-11-16, or a range, such as 2026-11-16..2026-11-18. "
            "Default: today.",
            show_default=False,
        ),
    ] = "",
    database: DatabaseOption = "",
    start_hour: Annotated[
        int, typer.Option("--start-hour", help="Hour when the gambling day begins, 0 to 23.")
    ] = 6,
    zone: Annotated[
        str,
        typer.Option(
            "--zone",
            help="Time zone, such as America/Los_Angeles. Default: this computer's.",
            show_default=False,
        ),
    ] = "",
    theory: Annotated[
        bool,
        typer.Option(help="Add the expected win from exact analysis; takes a few seconds."),
    ] = True,
    form: Annotated[
        ReportFormat, typer.Option("--as", help="Text, or CSV for a spreadsheet.")
    ] = ReportFormat.TEXT,
    as_json: JsonFlag = False,
) -> None:
    """Report on a day or a range: drop, win and hold by table and wager, meters, expected results.

    Results outside their 95% range are marked.
    """
    from ventiuna.table.daily_report import (
        daily_report,
        day_of,
        no_theory,
        read_day,
        read_zone,
        report_csv,
        report_data,
        report_lines,
    )

    here = read_zone(zone)
    now = time.time_ns() // 1_000_000
    business_day = read_day(day, start_hour, here) if day else day_of(now, start_hour, here)
    with open_house(database_address(database)) as house, house.read() as connection:
        found = daily_report(connection, business_day, _expected_win if theory else no_theory)
    if as_json:
        print_json(report_data(found))
    elif form is ReportFormat.CSV:
        print(report_csv(found), end="")
    else:
        out = console()
        for line in report_lines(found):
            out.print(line, soft_wrap=True)


def _expected_win(rules: Rules, wager: Wager) -> Expectation | None:
    from ventiuna.api.house import expected_win

    return expected_win(rules, wager)


# --- backup ---

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="File for the copy.")]


@command("backup", tables=False)
def backup(file: FileArgument, database: DatabaseOption = "", as_json: JsonFlag = False) -> None:
    """Copy a house to a new file, even while it is open, and check the copy.

    A file that ends in .jsonl holds lines of JSON, which can be restored into either kind of
    database. With SQLite, any other name creates a SQLite file. The house's key is never in a copy.
    """
    from ventiuna.table.backup import back_up
    from ventiuna.table.fairness import key_file
    from ventiuna.table.store.connection import is_postgres

    address = database_address(database)
    with open_house(address) as house:
        copied = back_up(house, file)
    key = f"the secret {KEY_VARIABLE}" if is_postgres(address) else str(key_file(Path(address)))
    print_copy(copied, f"Copied to {file}. Keep the key ({key}) in a separate place.", as_json)


def print_copy(copied: Copied, sentence: str, as_json: bool) -> None:
    if as_json:
        print_json({"house": copied.house, "rows": copied.rows, "sha256": copied.digest or None})
        return
    out = console()
    books, entries = copied.rows["book"], copied.rows["entry"]
    parts = (
        pluralize(copied.total, "row"),
        pluralize(books, "book"),
        pluralize(entries, "entry", "entries"),
    )
    out.print(f"House {copied.house}: {', '.join(parts)}")
    if copied.digest:
        out.print(f"sha256 {copied.digest}")
    out.print(sentence, soft_wrap=True)


# --- restore ---


@command("restore", tables=False)
def restore(
    file: FileArgument,
    database: Annotated[
        str,
        typer.Option(
            "--database",
            metavar="DATABASE",
            help="A new SQLite file, or postgresql://… as the owner of an empty schema.",
            show_default=False,
        ),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Restore a copy into an empty database and audit it.

    Nothing is restored unless the audit finds no difference. Copy the house's key yourself.
    """
    from ventiuna.table.backup import restore_into

    copied = restore_into(file, database)
    print_copy(copied, "Restored. Unfinished rounds need the house's key to continue.", as_json)
