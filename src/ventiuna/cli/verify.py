"""`ventiuna verify`: one shoe of a live table, checked from its public record alone."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.cli.output import JsonFlag, console, plain_table, print_json
from ventiuna.cli.streams import read_document
from ventiuna.table.shoes.entropy import Source
from ventiuna.table.shoes.shoe_record import LARGEST_RECORD, PublicRecord, RecordError, read_record
from ventiuna.table.shoes.verifying import Verification
from ventiuna.table.shoes.verifying import verify as verify_record

WRONG = 1


def register(app: typer.Typer) -> None:
    app.command("verify")(verify)


def verify(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The shoe's record in JSON; - for standard input."),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Check a shoe against its public record: commitment, cuts, order, every card dealt.

    Exit code 1 if the record is wrong.
    """
    record = _read(file)
    found = verify_record(record)
    if as_json:
        print_json(_data(record, found))
    else:
        _print(record, found)
    if not found.holds:
        raise typer.Exit(WRONG)


def _read(file: str) -> PublicRecord:
    raw = read_document(file, LARGEST_RECORD)
    try:
        if len(raw) > LARGEST_RECORD:
            raise RecordError(f"The record is longer than {LARGEST_RECORD:,} bytes.")
        return read_record(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise RecordError(f"{file}: it is not UTF-8 text.") from None
    except RecordError as error:
        raise RecordError(f"{file}: {error}") from None


def _print(record: PublicRecord, found: Verification) -> None:
    out = console()
    context = record.context
    decks = f"{context.decks} deck{'s' if context.decks > 1 else ''}"
    out.print(
        f"Shoe {context.number} of table {context.table} in house {context.house}: {decks} of the "
        f"{context.pack} pack, rules {context.rules}"
    )
    if record.source is not Source.OS:
        out.print("It was dealt for a test: its cards were not left to chance.")
    out.print()
    table = plain_table("step", "checked")
    for check in found.checked:
        table.add_row(check.steps, check.words)
    out.print(table)
    out.print()
    out.print(
        "The record holds. Compare its cards with those you saw."
        if found.holds
        else f"Wrong: {found.fault}"
    )


def _data(record: PublicRecord, found: Verification) -> dict[str, object]:
    context = record.context
    return {
        "holds": found.holds,
        "fault": found.fault or None,
        "checked": [{"steps": check.steps, "words": check.words} for check in found.checked],
        "house": context.house,
        "table": context.table,
        "shoe": context.number,
        "rules": context.rules,
        "source": record.source,
        "commitment": record.commitment.hex(),
    }
