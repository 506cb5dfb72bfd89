"""`ventiuna audit`, `recall`, `report`, `backup`, and `restore` with a house in a SQLite file."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

import ventiuna as vt
from tests.cli.running import good, program, run
from tests.table.played_house import KEY, PlayedHouse
from tests.table.tampering import take_guards_away
from ventiuna.table.outside_seals import SealCopier, outside_seals
from ventiuna.table.store import data_folder, database_address
from ventiuna.table.store.connection import SqliteStore, open_store


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with one or two closed rounds and one in progress."""
    path = tmp_path_factory.mktemp("house") / "house.sqlite"
    store = SqliteStore(path)
    house = PlayedHouse(store)
    house.open()
    house.play(3)
    house.seal()
    house.open_round()
    store.close()
    return path


@pytest.fixture
def house(played: Path, tmp_path: Path) -> Path:
    """A copy that a test may change, with its key."""
    path = Path(shutil.copy(played, tmp_path / "house.sqlite"))
    key = path.with_name("house.sqlite.key")
    key.write_text(KEY.secret.hex())
    key.chmod(0o600)
    return path


# --- audit ------------------------------------------------------------------------------------


def test_a_clean_house_is_audited(house: Path) -> None:
    told = good("audit", "--database", str(house))
    assert "Everything agrees with the books." in told
    assert "newest seal 1: " in told
    assert "note:" not in told


def test_a_recorded_seal_is_checked(house: Path) -> None:
    where = ("--database", str(house))
    noted = json.loads(good("audit", "--json", *where))["newest_seal"]["hash"]
    assert "Everything agrees" in good("audit", "--seal", noted, *where)
    missed = run("audit", "--seal", "ab" * 32, *where)
    assert (missed.code, "abab. Found: none" in missed.out) == (1, True)
    wrong = run("audit", "--seal", "first", *where)
    assert (
        wrong.code,
        "A seal hash must have 64 hexadecimal digits, not 'first' (--seal)." in wrong.err,
    ) == (2, True)


def test_a_copy_of_the_seals_is_compared(house: Path, tmp_path: Path) -> None:
    copy = tmp_path / "seals.jsonl"
    where = ("--database", str(house))
    noted = json.loads(good("audit", "--json", *where))
    line = {"at": 0, "hash": "ab" * 32, "house": noted["house"], "number": 1}
    assert run("audit", "--seals", str(copy), *where).code == 1  # there is no such file
    store = SqliteStore(house)
    SealCopier(outside_seals(str(copy))).copy(store)
    store.close()
    assert "The house was compared with 1 seal outside it" in good(
        "audit", "--seals", str(copy), *where
    )
    assert vt.House(house).audit(seal_copy=str(copy)).holds
    copy.write_text(f"{json.dumps(line)}\n")
    changed = run("audit", "--seals", str(copy), *where)
    assert (changed.code, "seal 1 outside the house" in changed.out) == (1, True)
    wrong = run("audit", "--seals", "ftp://host/seals", *where)
    assert (wrong.code, "Seals can be kept in a file" in wrong.err) == (2, True)


def test_a_missing_key_is_reported(house: Path) -> None:
    house.with_name("house.sqlite.key").unlink()
    assert "without the house key" in good("audit", "--database", str(house)).replace("\n", " ")
    secret = KEY.secret.hex()
    done = program("audit", "--database", str(house), VENTIUNA_HOUSE_KEY=secret)
    assert done.code == 0
    assert "note:" not in done.out
    assert not house.with_name("house.sqlite.key").exists()


def test_a_house_can_be_audited_while_open(house: Path) -> None:
    store = open_store(str(house))
    assert "Everything agrees" in good("audit", "--database", str(house))
    store.close()


def test_differences_are_reported_with_exit_code_1(house: Path) -> None:
    store = open_store(str(house))
    with store.write() as connection:
        take_guards_away(connection)
        connection.execute(text("UPDATE account SET balance = 7 WHERE code = 'wallet/1'"))
    store.close()
    done = run("audit", "--database", str(house))
    assert done.code == 1
    assert "balance: The house, wallet/1. Found: 7 cents. Expected: 600000 cents." in done.out
    found = run("audit", "--database", str(house), "--json")
    assert found.code == 1
    assert found.data["holds"] is False
    assert found.data["differences"][0]["what"] == "wallet/1"
    assert found.data["total"] == 3, "a balance, the sum of all balances, and removed guards"


def test_books_and_seals_can_be_chosen(house: Path) -> None:
    data = run("audit", "--database", str(house), "--book", "2", "--from-seal", "1", "--json").data
    assert data["books"] == 1
    assert data["holds"] is True
    assert run("audit", "--database", str(house), "--book", "9").err == (
        "error: There is no book 9.\n"
    )


@pytest.mark.parametrize("command", [("audit",), ("recall", "2"), ("report",), ("backup", "x")])
def test_a_missing_house_is_reported_in_one_line(command: tuple[str, ...], tmp_path: Path) -> None:
    missing = tmp_path / "nowhere.sqlite"
    done = run(*command, "--database", str(missing))
    assert done.code == 2
    assert done.err == (
        f"error: There is no house at {missing}. Name its file with --database, or create one with "
        "`ventiuna table` or `ventiuna house create`.\n"
    )
    assert not missing.exists()


def test_a_file_that_isnt_a_house_is_reported(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    other.write_text("not a database, but long enough to be taken for one" * 20)
    done = run("audit", "--database", str(other))
    assert done.code == 2
    assert done.err == f"error: {other} can't be read: file is not a database.\n"


def test_a_damaged_file_is_reported(house: Path) -> None:
    with closing(sqlite3.connect(house)) as connection:
        root = "SELECT rootpage FROM sqlite_master WHERE name = 'entry'"
        (page,) = connection.execute(root).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(house.read_bytes())
    content[(page - 1) * size : page * size] = bytes(size)
    house.write_bytes(content)
    done = run("audit", "--database", str(house))
    assert done.code == 2
    assert done.err.startswith("error: The database failed: ")


# --- recall -----------------------------------------------------------------------------------


def test_a_round_is_recalled(house: Path) -> None:
    told = good("recall", "2", "1", "--database", str(house))
    assert told.startswith("Replay of round 1 at table 2 (Table =1)")
    assert "Round 1 is open for wagers." in told
    data = run("recall", "2", "1", "--database", str(house), "--json").data
    assert data["kind"] == "replay"
    assert data["outcome"] == "closed"


@pytest.mark.parametrize(
    "words", [("9" * 30, "1"), ("9" * 30, "--at", "2/1"), ("--jackpot", "9" * 30, "--at", "2/1")]
)
def test_a_number_too_large_for_the_database_is_refused(
    house: Path, words: tuple[str, ...]
) -> None:
    outcome = run("recall", *words, "--database", str(house))
    assert outcome.code == 2
    assert "A number is too large" in outcome.err


def test_notation_of_a_recalled_round_settles(house: Path, tmp_path: Path) -> None:
    written = tmp_path / "round.txt"
    words = ("recall", "2", "1", "--as", "notation", "--down-card", "--database", str(house))
    written.write_text(good(*words))
    assert run("settle", str(written)).code == 0


def test_the_last_round_hides_its_down_card(house: Path) -> None:
    assert "face down" in good("recall", "2", "--database", str(house))
    assert "face down" not in good("recall", "2", "--down-card", "--database", str(house))
    done = run("recall", "2", "--as", "notation", "--database", str(house))
    assert done.code == 2
    assert "is open" in done.err


def test_a_missing_round_is_reported(house: Path) -> None:
    assert run("recall", "2", "99", "--database", str(house)).err == (
        "error: Table 2 has no round 99.\n"
    )


def test_a_past_table_balance_and_meter_are_recalled(house: Path) -> None:
    where = ("--database", str(house))
    told = good("recall", "2", "--at", "2/12", *where)
    assert told.startswith("Table 2 (Table =1) at 2026-09-21")
    assert "after entry 12 of 2026-09-21" in told
    assert "Seat 1: Ann, here, spots 1, chips $" in told
    data = run("recall", "2", "--at", "2/12", "--json", *where).data
    assert (data["table"], data["version"], data["snapshot"]["type"]) == (2, 12, "snapshot")
    told = good("recall", "--account", "wallet/1", "--at", "2/1", *where)
    assert told.startswith("wallet/1 at 2026-09-21")
    assert told.endswith(": $10,000.00\n")
    data = run("recall", "--account", "wallet/1", "--at", "seal/1", "--json", *where).data
    assert data["balance_cents"] == 600_000
    assert "a card face down" in good("recall", "2", "--at", "2030-01-01", *where)
    opened = vt.House(house)
    assert opened.balance_at("wallet/1", "seal/1").cents == 600_000
    assert opened.table_at(2, "2/12").version == 12


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("2", "--at", "noon"), "'noon' isn't a valid point in time."),
        (("--at", "2/1"), "Name one moment, and either a table, an account or a jackpot"),
        (("2", "--account", "house", "--at", "2/1"), "Name one moment, and either a"),
        (("--account", "house"), "Name one moment, and either a"),
        (("--account", "purse", "--at", "2/1"), "'purse' isn't an account"),
        (("--jackpot", "7", "--at", "2/1"), "There is no jackpot 7."),
        (("2", "--at", "2/9999"), "Book 2 has no entry 9999."),
        (("2", "--at", "1/1"), "Table 2 wasn't open yet."),
    ],
)
def test_an_impossible_recall_is_refused(
    house: Path, words: tuple[str, ...], sentence: str
) -> None:
    done = run("recall", *words, "--database", str(house))
    assert done.code == 2
    assert sentence in done.err.replace("\n", " ")


# --- report -----------------------------------------------------------------------------------

DAY = ("report", "2026-09-21", "--zone", "UTC", "--no-theory")


def test_a_day_is_reported(house: Path) -> None:
    told = good(*DAY, "--database", str(house))
    assert "gambling day 2026-09-21 from 06:00" in told
    assert "drop $8,000.00" in told
    assert "Newest seal 1: " in told
    data = run(*DAY, "--database", str(house), "--json").data
    rows = list(csv.DictReader(io.StringIO(good(*DAY, "--as", "csv", "--database", str(house)))))
    assert int(rows[0]["win_cents"]) == data["win_cents"]


def test_a_day_with_its_theory(house: Path) -> None:
    words = ("report", "2026-09-21", "--zone", "UTC", "--database", str(house), "--json")
    (table,) = run(*words).data["tables"]
    hands = next(line for line in table["wagers"] if line["wager"] == "hand")
    assert hands["low_cents"] < hands["expected_cents"] < hands["high_cents"]
    up = next(line for line in table["wagers"] if line["wager"] == "mtd up")
    assert up["expected_cents"] is not None


def test_invalid_days_zones_and_hours_are_reported(house: Path) -> None:
    where = ("--database", str(house))
    assert "isn't a date" in run("report", "today", *where).err
    assert "There is no time zone" in run("report", "--zone", "Moon/Sea", *where).err
    assert "must be 0 to 23" in run("report", "--start-hour", "25", *where).err


# --- backup and restore -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["copy.jsonl", "copy.sqlite"])
def test_a_copy_can_be_restored_and_passes_its_audit(
    house: Path, tmp_path: Path, name: str
) -> None:
    copy, restored = tmp_path / name, tmp_path / "restored.sqlite"
    told = good("backup", str(copy), "--database", str(house))
    assert "house.sqlite.key" in told
    assert "Restored." in good("restore", str(copy), "--database", str(restored))
    shutil.copy(house.with_name("house.sqlite.key"), tmp_path / "restored.sqlite.key")
    assert "Everything agrees" in good("audit", "--database", str(restored))
    again = run("restore", str(copy), "--database", str(restored))
    assert again.code == 2
    assert again.err.startswith("error: The database is not empty")


def test_a_copy_as_json(house: Path, tmp_path: Path) -> None:
    done = run("backup", str(tmp_path / "copy.jsonl"), "--database", str(house), "--json")
    last = json.loads((tmp_path / "copy.jsonl").read_text().splitlines()[-1])
    assert done.data["sha256"] == last["sha256"]
    assert done.data["rows"] == last["rows"]


# --- finding the house ------------------------------------------------------------------------


def test_the_data_folder_of_each_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    for system, parts in (
        ("linux", (".local", "share", "ventiuna")),
        ("darwin", ("Library", "Application Support", "Ventiuna")),
        ("win32", ("AppData", "Local", "Ventiuna")),
    ):
        monkeypatch.setattr(sys, "platform", system)
        assert data_folder() == tmp_path.joinpath(*parts)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert database_address("") == str(tmp_path / "data" / "ventiuna" / "house.sqlite")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert data_folder() == tmp_path / ".local" / "share" / "ventiuna"
    assert database_address("other.sqlite") == "other.sqlite"


def test_the_house_in_the_data_folder_is_the_default(house: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "ventiuna"
    folder.mkdir(parents=True)
    shutil.copy(house, folder / "house.sqlite")
    done = program("audit", XDG_DATA_HOME=str(tmp_path / "data"), HOME=os.environ.get("HOME", "/"))
    assert done.code == 0
    assert "Everything agrees" in done.out


# --- the same through the library --------------------------------------------------------------


def test_the_library_reports_the_same_as_the_commands(house: Path) -> None:
    where = ("--database", str(house), "--json")
    opened = vt.House(house)
    assert opened.audit().data() == json.loads(good("audit", *where))
    assert opened.tables() == json.loads(good("house", "tables", "list", *where))
    status = json.loads(good("house", "status", *where))
    assert {"database": str(house), **opened.status()} == status
    [number] = [row["id"] for row in opened.tables()]
    assert isinstance(number, int)
    recalled = opened.recall(number, 1)
    assert recalled.as_data() == json.loads(good("recall", str(number), "1", *where))
    assert recalled.text == good("recall", str(number), "1", "--as", "notation", *where[:2])
    assert recalled.sentences[0].startswith(f"Replay of round 1 at table {number}")
    day = json.loads(good("report", "2026-01-01", "--zone", "UTC", "--no-theory", *where))
    assert opened.report("2026-01-01", zone="UTC").as_data() == day
    people = json.loads(good("house", "persons", *where))
    assert [line.person.name for line in opened.persons()] == [row["name"] for row in people]
    assert str(house) in repr(opened)


def test_the_library_reads_books_rounds_and_shoes(house: Path) -> None:
    opened = vt.House(str(house))
    table = int(str(opened.tables()[0]["id"]))
    assert opened.rounds(table)[0] == opened.recall(table).number
    book = next(line for line in opened.books() if line.kind == "table")
    entries = opened.entries(book.number, most=3)
    assert [entry["version"] for entry in entries] == [1, 2, 3]
    with pytest.raises(vt.VentiunaError, match="is still in use"):
        opened.verify(table, opened.shoes(table)[0].number)
    with pytest.raises(vt.VentiunaError, match="There is no table 99"):
        opened.recall(99)
    with pytest.raises(vt.VentiunaError, match="64 hexadecimal digits"):
        opened.audit(seals=["first"])
    with pytest.raises(vt.VentiunaError, match="There is no time zone"):
        opened.report(zone="Nowhere")


def test_the_library_backs_up_and_restores_a_house(house: Path, tmp_path: Path) -> None:
    copied = vt.House(house).backup(tmp_path / "copy.jsonl")
    other = vt.restore_house(tmp_path / "copy.jsonl", tmp_path / "other.sqlite")
    assert other.status() == vt.House(house).status()
    assert copied.rows["book"] == len(other.books())
    with pytest.raises(vt.VentiunaError, match="already has a house"):
        vt.create_house(house)
    with pytest.raises(vt.VentiunaError, match="There is no house"):
        vt.House(tmp_path / "nowhere.sqlite")
