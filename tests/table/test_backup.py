"""Backups: from and to both databases, complete or not at all, and never with the key."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from tests.table.conftest import Database, Postgres
from tests.table.played_house import HOUSE, KEY, PlayedHouse
from ventiuna.table.audit.house import AuditScope, audit
from ventiuna.table.backup import (
    OMITTED_TABLES,
    TABLES,
    TRANSIENT_TABLES,
    BackupError,
    back_up,
    check_lines,
    restore,
)
from ventiuna.table.store.connection import Store, open_reader, open_store
from ventiuna.table.store.schema import metadata


@pytest.fixture
def house(database: Database) -> Iterator[PlayedHouse]:
    store = open_store(database.program)
    played = PlayedHouse(store)
    played.open()
    played.play(4)
    played.seal()
    played.open_round()
    yield played
    store.close()


def _empty(request: pytest.FixtureRequest, path: Path) -> Iterator[Store]:
    """An empty house to restore into, as its owner opens it."""
    if request.param == "sqlite":
        store = open_store(str(path))
        yield store
        store.close()
        return
    server: Postgres = request.getfixturevalue("postgres")
    name = f"{path.stem}_{server.worker}"
    owned = server.create_house(name)
    store = open_store(owned.owner)
    yield store
    store.close()
    server.drop(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    yield from _empty(request, tmp_path / "restored.sqlite")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def still_empty(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """One empty house for all backups that are refused."""
    yield from _empty(request, tmp_path_factory.mktemp("refused") / "refused.sqlite")


def _rows(store: Store) -> dict[str, list[tuple[object, ...]]]:
    with store.read() as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in TABLES
        }


def test_every_table_is_copied_or_left_out_on_purpose() -> None:
    assert {table.name for table in TABLES} | set(OMITTED_TABLES) == metadata.tables.keys()


def test_lines_from_either_database_restore_into_the_other(
    house: PlayedHouse, empty: Store, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.jsonl"
    copied = back_up(house.store, copy)
    assert restore(copy, empty) == copied
    assert _rows(empty) == _rows(house.store)
    with empty.read() as connection:
        assert audit(connection, AuditScope(key=KEY)).differences == []
    # Play continues where it left off, adding new rows after the old ones.
    again = PlayedHouse.resumed(empty, house)
    again.play(2)
    again.close()
    with empty.read() as connection:
        assert audit(connection, AuditScope(key=KEY)).differences == []


def test_a_single_file_backup_of_an_open_house(empty: Store, tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite"
    store = open_store(str(path))
    played = PlayedHouse(store)
    played.open()
    played.play(2)
    reader = open_reader(str(path))  # as another process would
    copied = back_up(reader, tmp_path / "copy.sqlite")
    reader.close()
    before = _rows(store)
    played.play(1)
    assert copied.house == HOUSE
    assert copied.rows == {name: len(rows) for name, rows in before.items()}
    assert sorted(found.name for found in tmp_path.glob("*copy*")) == ["copy.sqlite"]
    restore(tmp_path / "copy.sqlite", empty)
    assert _rows(empty) == before
    store.close()


def test_the_guards_are_in_place_after_a_restore(
    house: PlayedHouse, empty: Store, tmp_path: Path
) -> None:
    back_up(house.store, tmp_path / "copy.jsonl")
    restore(tmp_path / "copy.jsonl", empty)
    for change in ("UPDATE entry SET at = 1", "DELETE FROM posting", "DELETE FROM seal"):
        with pytest.raises(IntegrityError, match="append only"), empty.write() as connection:
            connection.execute(text(change))


def test_the_key_and_tokens_are_not_in_a_copy(house: PlayedHouse, tmp_path: Path) -> None:
    digest = "aa" * 32
    with house.store.write() as connection:
        connection.execute(
            text("INSERT INTO token VALUES (:digest, 1, 'access', 1, NULL)"),
            {"digest": bytes.fromhex(digest)},
        )
    back_up(house.store, tmp_path / "copy.jsonl")
    content = (tmp_path / "copy.jsonl").read_text()
    assert digest not in content
    assert KEY.secret.hex() not in content
    assert (tmp_path / "copy.jsonl").stat().st_mode & 0o077 == 0


def test_a_single_file_backup_has_no_tokens_either(tmp_path: Path) -> None:
    """Not even unused pages contain any tokens."""
    store = open_store(str(tmp_path / "house.sqlite"))
    played = PlayedHouse(store)
    played.open()
    digest = bytes(range(100, 132))
    with store.write() as connection:
        connection.execute(
            text("INSERT INTO token VALUES (:digest, 1, 'access', 1, NULL)"), {"digest": digest}
        )
        connection.execute(text("INSERT INTO process VALUES (1, 1, 1)"))
    back_up(store, tmp_path / "copy.sqlite")
    store.close()
    assert digest in (tmp_path / "house.sqlite").read_bytes()
    assert digest not in (tmp_path / "copy.sqlite").read_bytes()
    with closing(sqlite3.connect(tmp_path / "copy.sqlite")) as copy:
        assert {
            table: copy.execute(f"SELECT count(*) FROM {table}").fetchone()
            for table in TRANSIENT_TABLES
        } == dict.fromkeys(TRANSIENT_TABLES, (0,))


def test_a_copy_never_replaces_a_file(house: PlayedHouse, tmp_path: Path) -> None:
    (tmp_path / "copy.jsonl").write_text("precious")
    with pytest.raises(BackupError, match="already exists"):
        back_up(house.store, tmp_path / "copy.jsonl")
    assert (tmp_path / "copy.jsonl").read_text() == "precious"
    assert [found.name for found in tmp_path.glob("*copy*")] == ["copy.jsonl"]


def test_nothing_is_restored_into_a_nonempty_house(house: PlayedHouse, tmp_path: Path) -> None:
    back_up(house.store, tmp_path / "copy.jsonl")
    before = _rows(house.store)
    with pytest.raises(BackupError, match="The database is not empty: its table house has rows"):
        restore(tmp_path / "copy.jsonl", house.store)
    assert _rows(house.store) == before


def test_a_database_without_a_house_has_nothing_to_copy(store: Store, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="no house"):
        back_up(store, tmp_path / "copy.jsonl")
    assert list(tmp_path.glob("*copy*")) == []


def test_the_programs_role_cannot_restore(
    postgres: Postgres, postgres_house: str, tmp_path: Path
) -> None:
    store = open_store(str(tmp_path / "house.sqlite"))
    PlayedHouse(store)
    back_up(store, tmp_path / "copy.jsonl")
    store.close()
    postgres.empty(postgres_house)
    program = open_store(postgres.database(postgres_house).program)
    with pytest.raises(BackupError, match="as the schema's owner"):
        restore(tmp_path / "copy.jsonl", program)
    program.close()


# --- tampered backups -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("copied")
    store = open_store(str(folder / "house.sqlite"))
    played = PlayedHouse(store)
    played.open()
    back_up(store, folder / "whole.jsonl")
    store.close()
    return (folder / "whole.jsonl").read_text().splitlines()


def _checked(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "changed.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    with path.open("rb") as file:
        check_lines(file)


def test_a_changed_or_truncated_backup_is_reported(lines: list[str], tmp_path: Path) -> None:
    _checked(tmp_path, lines)
    changed = [line.replace("Ann", "Eve") for line in lines]
    for other in (changed, lines[:-1], lines[:-2] + lines[-1:], lines[:5]):
        with pytest.raises(BackupError, match="incomplete or has been changed"):
            _checked(tmp_path, other)


@pytest.mark.parametrize(
    ("first", "told"),
    [
        ("hello", "Line 1 is not JSON"),
        ("[]", "doesn't begin with ventiuna-backup-1"),
        ('{"format":"ventiuna-backup-1","revision":"9999"}', "The backup has schema 9999"),
    ],
)
def test_a_file_that_isnt_a_backup_is_reported(
    lines: list[str], tmp_path: Path, first: str, told: str
) -> None:
    with pytest.raises(BackupError, match=told):
        _checked(tmp_path, [first, *lines[1:]])


@pytest.mark.parametrize(
    ("was", "forged", "told"),
    [
        ('\\"amount\\":400000', '\\"amount\\":900000', "the entry's hash"),
        ('"wallet/1","wallet",600000', '"wallet/1","wallet",600001', "wallet/1. Found: 600001"),
        ('"wallet/1","wallet",600000', '"wallet/2","wallet",600000', "The database refuses"),
        ('"Ann","guest","player"', '"Ann","guest","operator"', "row of person 1, role"),
        ('"Olga","guest","operator"', '"Olga","guest","player"', "row of person 3, role"),
        ('"Ann","guest"', '"Eve","guest"', "row of person 1, name"),
        ('"=Bob","guest","player"', '"=Bob","guest","king"', "The database refuses"),
        ('"Ann","guest","player",null,0', '"Ann","guest","player",null,1.5', "can't hold 1.5"),
        ('"Ann","guest","player",null,0', f'"Ann","guest","player",null,{2**70}', "can't hold"),
        ('"Ann","guest"', '"A\\ud800","guest"', "can't hold"),
        ('"Ann","guest"', '"A\\u0000","guest"', "can't hold"),
        ('[1,"cashier",', '[1,"table",', "row of book 1, kind"),
        ('[2,"table",', '[2,"jackpot",', "row of book 2, kind"),
        ('"test",null,0,', '"os",null,7,', "row of shoe 1, dealt"),
        (
            '{"table":"bot",',
            '{"table":"token",',
            "names a table that this version of Ventiuna doesn't have",
        ),
    ],
)
def test_a_forged_backup_is_refused(
    lines: list[str], still_empty: Store, tmp_path: Path, was: str, forged: str, told: str
) -> None:
    """The forger fixed the hash, but the audit fails and nothing is restored."""
    content = "".join(f"{line.replace(was, forged)}\n" for line in lines[:-1])
    assert forged in content
    last = json.loads(lines[-1])
    last["sha256"] = hashlib.sha256(content.encode()).hexdigest()
    if '"token"' in forged:
        last["rows"]["token"] = last["rows"].pop("bot")
    path = tmp_path / "forged.jsonl"
    path.write_text(content + json.dumps(last) + "\n")
    with pytest.raises(BackupError, match=told):
        restore(path, still_empty)
    assert all(rows == [] for rows in _rows(still_empty).values())
