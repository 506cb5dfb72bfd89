"""`ventiuna house` beside a running server: looks at any time, acts on PostgreSQL alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import good, run
from tests.table.conftest import Database
from ventiuna.table.audit.auditing import audit
from ventiuna.table.shoes.house_key import key_file
from ventiuna.table.store.opening import open_store

RULES = "wsgc-2021(jackpots=3c:1:seed=1000)"
OLGA = ("--as", "Olga", "--reason", "a test")


def test_a_house_is_run_beside_its_server(
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
        good("house", *words, *where)  # who only looks is in nobody's way
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
