"""`ventiuna backup` and `ventiuna restore`: a house as a file, and a file as a house."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.house_file import DatabaseOption
from ventiuna.cli.output import JsonFlag, console, print_json
from ventiuna.table.house.places import KEY_VARIABLE, database_address, open_house
from ventiuna.texts import counted

if TYPE_CHECKING:
    from ventiuna.table.backup.lines import Copied

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="File for the copy.")]


def register(app: App) -> None:
    app.command("backup", tables=False)(backup)


def backup(file: FileArgument, database: DatabaseOption = "", as_json: JsonFlag = False) -> None:
    """Copy a house to a new file, even while it is open, and check the copy.

    A file that ends in .jsonl holds lines of JSON, which restore into any database. With SQLite,
    other names make a SQLite file. The house's key is never in a copy.
    """
    from ventiuna.table.backup.making import back_up
    from ventiuna.table.shoes.house_key import key_file
    from ventiuna.table.store.opening import is_postgres

    address = database_address(database)
    with open_house(address) as house:
        copied = back_up(house, file)
    key = f"the secret {KEY_VARIABLE}" if is_postgres(address) else str(key_file(Path(address)))
    tell_copy(copied, f"Copied to {file}. Keep the key ({key}) at another place.", as_json)


def tell_copy(copied: Copied, sentence: str, as_json: bool) -> None:
    if as_json:
        print_json({"house": copied.house, "rows": copied.rows, "sha256": copied.digest or None})
        return
    out = console()
    books, entries = copied.rows["book"], copied.rows["entry"]
    parts = (
        counted(copied.total, "row"),
        counted(books, "book"),
        counted(entries, "entry", "entries"),
    )
    out.print(f"House {copied.house}: {', '.join(parts)}")
    if copied.digest:
        out.print(f"sha256 {copied.digest}")
    out.print(sentence, soft_wrap=True)
