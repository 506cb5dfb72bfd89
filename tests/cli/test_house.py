"""`ventiuna house …`: create and run a house from a terminal, with every action recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import good, run
from tests.table.tables import CHIPS
from ventiuna.server import serve as serving
from ventiuna.table.audit.house import AuditScope, audit
from ventiuna.table.domain.commands import BuyChips, TableCommand, TakeSeat
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.domain.handlers import Actor, ActorRole
from ventiuna.table.fairness import OsEntropy
from ventiuna.table.listings import entries_of
from ventiuna.table.store import known_key
from ventiuna.table.store.connection import open_store
from ventiuna.table.writer import CommandRequest, Done, HouseContext, SystemClock, Writer

RULES = "wsgc-2021(jackpots=3c:1:seed=1000)"
OLGA = ("--as", "Olga", "--reason", "a test")


class Terminal:
    """A person at a terminal with one house."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "rooms" / "house.sqlite"
        self.password = folder / "password"
        self.password.write_text("seven seven seven\n")

    def words(self, *words: str) -> tuple[str, ...]:
        return ("house", *words, "--database", str(self.file))

    def do(self, *words: str) -> Any:
        return json.loads(good(*self.words(*words), "--json"))

    def refused(self, *words: str) -> str:
        done = run(*self.words(*words))
        assert done.code == 2, done.out
        assert done.out == ""
        assert len(done.err.strip().splitlines()) == 1, done.err
        return done.err

    def entries(self, book: int) -> list[Any]:
        store = open_store(str(self.file))
        with store.read() as connection:
            found = entries_of(connection, book, 0, 100)
        store.close()
        return found


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    made = Terminal(tmp_path)
    made.do("create", "--name", "Home")
    made.do(
        "operators", "add", "Olga", "--reason", "runs it", "--password-file", str(made.password)
    )
    return made


def test_a_house_is_created_once(terminal: Terminal) -> None:
    assert terminal.file.with_name("house.sqlite.key").stat().st_mode & 0o077 == 0
    assert "already has a house" in terminal.refused("create")
    found = terminal.do("status")
    assert (found["name"], found["operators"], found["imbalance_cents"]) == ("Home", 1, 0)
    assert "Home" in good(*terminal.words("status"))


def test_without_a_house_nothing_is_created(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    assert "There is no house" in terminal.refused("status")
    assert not terminal.file.exists()


def test_operators_come_and_go(terminal: Terminal) -> None:
    new = ("--password-file", str(terminal.password))
    assert "which one you are" in terminal.refused(
        "operators", "add", "Ann", "--reason", "helps", *new
    )
    terminal.do("operators", "add", "Ann", *OLGA, *new)
    terminal.do("operators", "add", "Audrey", "--auditor", *OLGA, *new)
    roles = {one["name"]: one["role"] for one in terminal.do("persons")}
    assert roles == {"Olga": "operator", "Ann": "operator", "Audrey": "auditor"}
    assert "isn't an operator" in terminal.refused(
        "operators", "remove", "Ann", "--as", "Audrey", "--reason", "no"
    )
    terminal.do("operators", "remove", "Ann", *OLGA)
    assert "last operator" in terminal.refused("operators", "remove", "Olga", *OLGA)
    acts = [(entry["actor"], entry["command"]["role"]) for entry in terminal.entries(1)]
    assert acts == [
        ("house", "operator"),
        ("person/1", "operator"),
        ("person/1", "auditor"),
        ("person/1", "player"),
    ]


def test_a_short_password_is_refused_and_nobody_added(terminal: Terminal) -> None:
    terminal.password.write_text("short")
    words = ("operators", "add", "Ann", *OLGA, "--password-file", str(terminal.password))
    assert "password" in terminal.refused(*words)
    assert [one["name"] for one in terminal.do("persons")] == ["Olga"]


def test_money_is_issued_and_redeemed(terminal: Terminal) -> None:
    assert terminal.do("money", "issue", "Olga", "500", *OLGA)["wallet_cents"] == 50_000
    assert terminal.do("money", "redeem", "Olga", "20.50", *OLGA)["wallet_cents"] == 47_950
    assert "more than" in terminal.refused("money", "redeem", "Olga", "500", *OLGA)
    assert "more than zero" in terminal.refused("money", "issue", "Olga", "0", *OLGA)
    assert "Nobody in this house" in terminal.refused("money", "issue", "Nobody", "5", *OLGA)
    assert "reason" in terminal.refused(
        "money", "issue", "Olga", "5", "--as", "Olga", "--reason", " "
    )


def test_tables_are_opened_and_closed(terminal: Terminal) -> None:
    opened = terminal.do("tables", "open", "Den", RULES, "--clock", "decision=30000", *OLGA)
    number = str(opened["table"])
    listed = terminal.do("tables", "list")
    assert [(one["name"], one["status"]) for one in listed] == [("Den", "open")]
    assert [one["rules"] for one in listed] == [RULES]
    assert "no round" in terminal.refused("tables", "void", number, *OLGA).lower()
    assert "nothing to resume" in terminal.refused("tables", "resume", number, *OLGA)
    terminal.do("tables", "drop", number, *OLGA)
    terminal.do("tables", "close", number, *OLGA)
    assert "closed" in terminal.refused("tables", "close", number, *OLGA)
    assert "no such table" in terminal.refused("tables", "close", "77", *OLGA).lower()
    entries = terminal.entries(opened["table"])
    assert [entry["command"]["command"] for entry in entries] == [
        "OpenTable",
        "LinkJackpot",
        "DropBank",
        "CloseTable",
    ]
    assert {entry["command"]["reason"] for entry in entries} == {"a test"}


@pytest.mark.parametrize(
    "wrong",
    [("--clock", "decision"), ("--clock", "nap=5000"), ("--jackpot", "3=1"), ("--jackpot", "1=99")],
)
def test_a_table_is_not_opened_with_invalid_arguments(
    terminal: Terminal, wrong: tuple[str, str]
) -> None:
    terminal.refused("tables", "open", "Den", RULES, *OLGA, *wrong)
    assert terminal.do("tables", "list") == []
    assert terminal.do("jackpots", "list") == []


def test_the_life_of_a_progressive(terminal: Terminal) -> None:
    made = terminal.do("jackpots", "create", "Big", RULES, "--maximum", "5000", *OLGA)
    number = str(made["id"])
    assert (made["shown_cents"], made["advanced_cents"], made["maximum_cents"]) == (
        100_000,
        100_000,
        500_000,
    )

    def act(what: str, *words: str) -> Any:
        return terminal.do("jackpots", what, number, *words, *OLGA)

    assert act("suspend")["status"] == "suspended"
    assert act("resume")["status"] == "open"
    assert act("seed", "10")["shown_cents"] == 101_000
    assert act("recover", "10")["shown_cents"] == 100_000
    assert act("correct", "up", "5")["shown_cents"] == 100_500
    assert act("correct", "down", "5")["reserve_cents"] == 500
    assert act("receipts", "5")["reserve_cents"] == 0
    assert act("maximum", "none")["maximum_cents"] is None
    assert act("advance-limit", "2000")["advance_limit_cents"] == 200_000
    table = str(
        terminal.do("tables", "open", "Den", RULES, "--jackpot", f"1={number}", *OLGA)["table"]
    )
    assert "still" in terminal.refused("jackpots", "remove", number, *OLGA).lower()
    terminal.do("jackpots", "unlink", table, "1", *OLGA)
    assert act("link", table, "1")["tables"] == {table: 1}
    terminal.do("jackpots", "unlink", table, "1", *OLGA)
    assert act("remove")["status"] == "removed"
    assert "Big" in good(*terminal.words("jackpots", "list"))


def test_only_one_process_at_a_time_opens_a_sqlite_house(terminal: Terminal) -> None:
    """The audit also finds every action in its place."""
    table = terminal.do("tables", "open", "Den", RULES, *OLGA)["table"]
    terminal.do("money", "issue", "Olga", "5000", *OLGA)
    store = open_store(str(terminal.file))
    key = known_key(str(terminal.file))
    assert key is not None
    with store.read() as connection:
        name = str(connection.exec_driver_sql("SELECT id FROM house").scalar())
    writer = Writer(store, HouseContext(name, HouseShoeFactory(key, OsEntropy())), SystemClock())
    olga = Actor("person/1", ActorRole.OPERATOR, "1", "Olga")
    commands: list[TableCommand] = [TakeSeat(1), BuyChips(CHIPS)]
    for number, command in enumerate(commands):
        outcome = writer.step([CommandRequest(table, olga, f"k{number}", command)]).outcomes[0]
        assert isinstance(outcome, Done), outcome
    assert "in use" in terminal.refused("tables", "void", str(table), *OLGA), "a server runs"
    store.close()
    terminal.do("tables", "close", str(table), *OLGA)
    store = open_store(str(terminal.file))
    with store.read() as connection:
        report = audit(connection, AuditScope(key=key))
    store.close()
    assert report.holds, [str(found) for found in report.differences]


def test_a_lost_key_is_reported(terminal: Terminal) -> None:
    terminal.file.with_name("house.sqlite.key").unlink()
    assert "house key is missing" in terminal.refused("tables", "drop", "1", *OLGA)
    assert terminal.do("status")["open_tables"] == 0, "people who only look need none"


def test_no_table_is_opened_with_a_key_that_does_not_open_the_shoes(terminal: Terminal) -> None:
    terminal.do("tables", "open", "Den", RULES, *OLGA)
    key = terminal.file.with_name("house.sqlite.key")
    right = key.read_text()
    key.write_text("a" * 64)
    refusal = terminal.refused("tables", "open", "Annex", RULES, *OLGA)
    assert "The house key doesn't open this house's shoes. Put the right key back." in refusal
    key.write_text(right)
    assert terminal.do("status")["open_tables"] == 1
    terminal.do("tables", "open", "Annex", RULES, *OLGA)


def test_a_lost_key_is_replaced_by_an_operator_and_the_books_say_why(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for of_the_whole_process in ("unwind_on_sigterm", "write_logs"):
        monkeypatch.setattr(serving, of_the_whole_process, lambda: None)
    table = str(terminal.do("tables", "open", "Den", RULES, *OLGA)["table"])
    key = terminal.file.with_name("house.sqlite.key")
    old = key.read_text()
    key.unlink()
    serve = run("serve", "--database", str(terminal.file), "--port", "0")
    assert serve.code == 2
    assert len(serve.err.strip().splitlines()) == 1
    assert "house key is missing" in serve.err
    assert not key.exists(), "no key is created unless requested"
    assert "--void-open-rounds" in terminal.refused("rotate-key", *OLGA)
    rotate = ("rotate-key", "--void-open-rounds", "--reason", "the disk died")
    assert "--as" in terminal.refused(*rotate)
    assert not key.exists()
    assert terminal.do(*rotate, "--as", "Olga")["tables"] == [int(table)]
    assert key.read_text() != old
    assert key.stat().st_mode & 0o077 == 0
    newest = terminal.entries(int(table))[-1]
    assert newest["actor"] == "person/1"
    assert newest["command"] == {
        "command": "LoseShoes",
        "shoe": 1,
        "reason": "the disk died",
    }
    assert good("audit", "--database", str(terminal.file))
    key.write_text(old)
    refused = run("serve", "--database", str(terminal.file), "--port", "0")
    assert refused.code == 2
    assert len(refused.err.strip().splitlines()) == 1
    assert "doesn't open this house's shoes" in refused.err


def test_the_current_key_is_not_a_new_one(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = terminal.do("tables", "open", "Den", RULES, *OLGA)["table"]
    key = terminal.file.with_name("house.sqlite.key")
    rotate = ("rotate-key", "--void-open-rounds", *OLGA)
    monkeypatch.setenv("VENTIUNA_HOUSE_KEY_FILE", str(key))
    refused = terminal.refused(*rotate)
    assert "VENTIUNA_HOUSE_KEY_FILE holds the key that the house already has" in refused
    monkeypatch.delenv("VENTIUNA_HOUSE_KEY_FILE")
    monkeypatch.setenv("VENTIUNA_HOUSE_KEY", key.read_text())
    assert "VENTIUNA_HOUSE_KEY holds the key" in terminal.refused(*rotate)
    new = tmp_path / "new.key"
    new.touch(0o600)
    new.write_text("5" * 64)
    monkeypatch.setenv("VENTIUNA_HOUSE_KEY_FILE", str(new))
    assert terminal.do(*rotate)["tables"] == [table]
    assert terminal.entries(table)[-1]["command"]["command"] == "LoseShoes"


def test_r010_the_decks_of_a_table_are_inspected_from_the_terminal(
    terminal: Terminal, tmp_path: Path
) -> None:
    two = ("--dealer", "Dee", "--supervisor", "Sam", *OLGA)
    opened = terminal.do("tables", "open", "Den", "catfish-bend", "--inspection", "required", *OLGA)
    table = str(opened["table"])
    counts = ("--tens", "4", "--jokers", "2", "--cards-left", "48", "--back", "red")
    assert "Deck 1 of 6 is next" in terminal.refused("tables", "inspect", table, "2", *counts, *two)
    assert good(*terminal.words("tables", "inspect", table, "1", *counts, *two)) == (
        f"Deck 1 at table {table} has been inspected.\n"
    )
    found = terminal.do("tables", "inspection", table)
    assert (found["inspected"], found["decks"], found["next_step"]) == (1, 6, "inspect")
    assert found["steps"][0]["supervisor"] == "Sam"
    for deck in "23456":
        terminal.do("tables", "inspect", table, deck, *counts, *two)
    terminal.do("tables", "shuffle", table, *two)
    page = tmp_path / "form.html"
    assert run(*terminal.words("tables", "inspection", table, "--html", str(page))).code == 0
    assert "Sam" in page.read_text()
    assert "Deck inspection" in good(*terminal.words("tables", "inspection", table))
    terminal.do("tables", "close", table, *OLGA)
    assert terminal.do("tables", "inspection", table)["next_step"] == "box"
    terminal.do("tables", "box", table, *two)
    assert terminal.do("tables", "list")[-1]["status"] == "closed"
    other = str(terminal.do("tables", "open", "Other", "catfish-bend", *OLGA)["table"])
    assert "without an inspection" in terminal.refused("tables", "inspection", other)
