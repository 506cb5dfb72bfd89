"""`ventiuna audit`: every book of a house worked out again, and held against every row."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress as Bar

from ventiuna.cli.house_file import DatabaseOption
from ventiuna.cli.output import JsonFlag, console, print_json, sees_bars
from ventiuna.table.house.places import database_address, known_key, open_house
from ventiuna.texts import counted

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ventiuna.table.audit.auditing import Progress, Report, Scope

DIFFERENT = 1


def register(app: typer.Typer) -> None:
    app.command("audit")(audit)


def audit(
    database: DatabaseOption = "",
    book: Annotated[
        list[int] | None,
        typer.Option("--book", help="Audit only this book; may be repeated.", show_default=False),
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
            help="A seal you wrote down, which must be among the house's; may be repeated.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Audit a house: replay every command, compare every event, posting, balance and row.

    The house can stay open. Checking shoes in play needs the house's key, which is next to a SQLite
    house or in VENTIUNA_HOUSE_KEY. Exit code 1 if anything differs.
    """
    from ventiuna.table.audit.auditing import Scope
    from ventiuna.table.books.seals import seal_hash

    address = database_address(database)
    scope = Scope(
        key=known_key(address),
        books=tuple(book or ()),
        from_seal=from_seal,
        held_seals=[seal_hash(text) for text in seal or ()],
    )
    with open_house(address) as house, house.read() as connection:
        report = _watched(connection, scope)
    if as_json:
        print_json(report.data())
    else:
        _print(report)
    if not report.holds:
        raise typer.Exit(DIFFERENT)


def _watched(connection: Connection, scope: Scope) -> Report:
    """With a bar on standard error where a person is watching."""
    from ventiuna.table.audit.auditing import audit as audit_house

    out = Console(stderr=True)
    if not sees_bars(out):
        return audit_house(connection, scope)
    with Bar(console=out, transient=True) as bar:
        task = bar.add_task("auditing", total=None)

        def show(progress: Progress) -> None:
            bar.update(task, completed=progress.entries, total=progress.of)

        return audit_house(connection, replace(scope, watch=show))


def _print(report: Report) -> None:
    out = console()
    counts = report.counts
    out.print(f"House {report.house}")
    for line in (
        (
            counted(report.books, "book"),
            counted(counts.entries, "entry", "entries"),
            counted(counts.events, "event"),
            counted(counts.postings, "posting"),
            counted(report.accounts, "account"),
        ),
        (
            counted(counts.rounds, "round"),
            counted(counts.cards, "card"),
            counted(counts.shoes, "shoe that ended", "shoes that ended"),
            counted(report.seals, "seal"),
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
        out.print("Everything follows from the books.")
    else:
        out.print(f"{counted(report.total, 'difference')}.")
