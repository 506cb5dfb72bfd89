"""`ventiuna house` alongside a server: reading always works, acting only on PostgreSQL."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import good, run
from tests.table.conftest import Database
from ventiuna.server.serve import open_house
from ventiuna.server.settings import settings_from
from ventiuna.table.audit.house import audit
from ventiuna.table.fairness import HouseKeyError, given_key, key_file
from ventiuna.table.store import known_key
from ventiuna.table.store.connection import open_store

RULES = "wsgc-2021(jackpots=3c:1:seed=1000)"
OLGA = ("--as", "Olga", "--reason", "a test")


def test_a_house_can_be_managed_while_its_server_runs(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VENTIUNA_HOUSE_KEY", "ab" * 32)
    password = tmp_path / "password"
    password.write_text("seven seven seven")
    where = ("--database", database.program, "--json")
    good("house", "create", *where)
    first = ("--reason", "runs it", "--password-file", str(password))
    good("house", "operators", "add", "Olga", *first, *where)
    server = open_store(database.program)
    for words in (["status"], ["persons"], ["tables", "list"], ["jackpots", "list"]):
        good("house", *words, *where)  # reading never conflicts with the server
    done = run("house", "tables", "open", "Den", RULES, *OLGA, *where)
    if database.name == "sqlite":
        assert done.code == 2
        assert "in use by process" in done.err
        assert not done.out
    else:
        opened = json.loads(done.out)
        good("house", "jackpots", "seed", str(opened["jackpot_of_game"]["1"]), "5", *OLGA, *where)
        good("house", "tables", "close", str(opened["table"]), *OLGA, *where)
        with server.read() as connection:
            report = audit(connection)
        assert report.holds, [str(found) for found in report.differences]
    server.close()


@pytest.mark.parametrize("place", ["file", "file and digits", "digits", "beside"])
def test_the_server_and_every_other_command_take_the_key_from_the_same_place(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "named.key"
    named.write_text("cd" * 32)
    named.chmod(0o600)
    monkeypatch.delenv("VENTIUNA_HOUSE_KEY", raising=False)
    monkeypatch.delenv("VENTIUNA_HOUSE_KEY_FILE", raising=False)
    if "file" in place:
        monkeypatch.setenv("VENTIUNA_HOUSE_KEY_FILE", str(named))
    if "digits" in place:
        monkeypatch.setenv("VENTIUNA_HOUSE_KEY", "ab" * 32)
    house = tmp_path / "house.sqlite"
    good("house", "create", "--database", str(house))
    assert key_file(house).exists() == (place == "beside")
    opened = open_house(settings_from(database=str(house)))
    opened.store.close()
    assert opened.key.secret == getattr(known_key(str(house)), "secret", None)
    if place != "beside":
        assert opened.key.secret.hex()[:2] == ("cd" if "file" in place else "ab")


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    named = tmp_path / "named.key"
    with pytest.raises(HouseKeyError, match="No such file"):
        given_key(str(named), "")
    named.write_text("cd" * 32)
    named.chmod(0o644)
    with pytest.raises(HouseKeyError, match="Other users can read the house key"):
        given_key(str(named), "")


def test_a_house_on_postgresql_needs_its_key(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VENTIUNA_HOUSE_KEY", raising=False)
    done = run("house", "create", "--database", database.program)
    if database.name == "sqlite":
        assert done.code == 0
        assert key_file(Path(database.program)).exists()
    else:
        assert done.code == 2
        assert "VENTIUNA_HOUSE_KEY" in done.err
        assert database.program not in done.err
