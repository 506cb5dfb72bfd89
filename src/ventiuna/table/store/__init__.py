"""Stores a house: SQLite in one file, or PostgreSQL for several processes and machines.

PostgreSQL needs psycopg (extra `postgres`). These functions find a house's database and key.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ventiuna.errors import VentiunaError

if TYPE_CHECKING:
    from ventiuna.table.fairness import HouseKey
    from ventiuna.table.store.connection import Reader


KEY_VARIABLE = "VENTIUNA_HOUSE_KEY"
KEY_FILE_VARIABLE = "VENTIUNA_HOUSE_KEY_FILE"


class NoDataFolder(VentiunaError):
    """The user's data folder can't be determined."""


def data_folder() -> Path:
    """The folder for this user's permanent program data."""
    try:
        home = Path.home()
    except RuntimeError:
        raise NoDataFolder(
            "There is no home folder. Use --database to specify where the house is."
        ) from None
    if sys.platform == "win32":
        return _from_environment("LOCALAPPDATA", home / "AppData" / "Local") / "Ventiuna"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Ventiuna"
    return _from_environment("XDG_DATA_HOME", home / ".local" / "share") / "ventiuna"


def _from_environment(variable: str, default: Path) -> Path:
    folder = Path(os.environ.get(variable, ""))
    return folder if folder.is_absolute() else default


def database_address(text: str) -> str:
    """The database the user specified, or the default in the data folder."""
    return text or str(data_folder() / "house.sqlite")


@contextmanager
def open_house(address: str) -> Iterator[Reader]:
    """Open the house for reading."""
    from ventiuna.table.store.connection import is_postgres, open_reader, reporting_failures
    from ventiuna.table.store.statements import StoreError

    if not is_postgres(address) and not Path(address).is_file():
        raise StoreError(
            f"There is no house at {address}. Name its file with --database, or create one "
            "with `ventiuna table` or `ventiuna house create`."
        )
    reader = open_reader(address)
    try:
        with reporting_failures():
            yield reader
    finally:
        reader.close()


def known_key(address: str) -> HouseKey | None:
    """The house key, if available, from the environment or from the file next to a SQLite house."""
    from ventiuna.table.fairness import key_beside, key_file
    from ventiuna.table.store.connection import is_postgres

    key = key_of_environment()
    if key is not None or is_postgres(address) or not key_file(Path(address)).exists():
        return key
    return key_beside(Path(address))


def key_of_environment() -> HouseKey | None:
    from ventiuna.table.fairness import given_key

    return given_key(os.environ.get(KEY_FILE_VARIABLE, ""), os.environ.get(KEY_VARIABLE, ""))
