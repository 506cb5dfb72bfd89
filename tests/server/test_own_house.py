"""`ventiuna table`: your own house, from nothing to a table with bots, and its page."""

from __future__ import annotations

import os
import re
import signal
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest
import uvicorn
from sqlalchemy import select

from tests.cli.running import run
from tests.server.conftest import House
from tests.server.houses import Process, process
from tests.server.players import Player
from tests.server.prescribed import NO_ANALYSIS, SLOW_COACH
from tests.server.running import local_client, until
from ventiuna.rules import load_rules
from ventiuna.server import serve
from ventiuna.server.bootstrap import FirstTable, OwnerLink, set_up_house
from ventiuna.server.routers import pages
from ventiuna.server.routers.pages import web_files
from ventiuna.server.serve import GracefulServer, open_house
from ventiuna.server.settings import ServerSettings
from ventiuna.table.accounts import all_bots
from ventiuna.table.jackpots.repository import read_displayed_amounts
from ventiuna.table.store.schema import game_table
from ventiuna.table.writer import SystemClock


def _link(served: Process) -> str:
    assert served.process.stdout is not None
    line = ""
    while "#owner=" not in line:
        line = served.process.stdout.readline()
        assert line, "no link was printed"
    return line.strip().partition("#owner=")[2]


def test_from_nothing_to_a_table_with_bots(tmp_path: Path) -> None:
    words = ["table", "--no-browser", "--port", "0", "--bots", "2"]
    words += ["--database", str(tmp_path / "new" / "house.sqlite")]
    with process(*words, VENTIUNA_BOT_PAUSE="5") as served, ExitStack() as stack:
        address = f"http://127.0.0.1:{served.port}"
        client = stack.enter_context(local_client(address))
        token = _link(served)
        assert client.post("/accounts/owner", json={"token": "x" * 43}).status_code == 401
        session = client.post("/accounts/owner", json={"token": token}).json()
        assert session["person"]["role"] == "owner"
        assert client.post("/accounts/owner", json={"token": token}).status_code == 401
        table = client.get("/tables").json()[0]["id"]
        with Player(served.port, table, session["tokens"]["access"]) as owner:
            assert owner.until_type("you")["wallet"] == 100_000
            owner.do("TakeSeat", seat=7)
            assert owner.until_ask("cut_commit"), "nobody cuts the shoe before its owner"
            until(lambda: client.get("/tables").json()[0]["seats"] == 3)
        until(lambda: bool(client.get("/readyz").json()["ready"]))
        assert served.end(signal.SIGINT) == 130


def test_a_forwarded_ctrl_c_is_the_same_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second Ctrl-C would force an exit, and Python would print a traceback."""
    server = GracefulServer(uvicorn.Config("nothing"))
    server.handle_exit(signal.SIGINT, None)
    server.handle_exit(signal.SIGINT, None)
    assert server.should_exit
    assert not server.force_exit
    monkeypatch.setattr(serve, "SAME_PRESS", 0.0)
    server.handle_exit(signal.SIGINT, None)
    assert server.force_exit


def test_a_house_closes_while_its_coach_starts(tmp_path: Path) -> None:
    """If closing waited for the coach, this test would take hours."""
    file = tmp_path / "house.sqlite"
    words = ["table", "--no-browser", "--port", "0", "--database", str(file)]
    with process(*words, **{SLOW_COACH: "yes", NO_ANALYSIS: "yes"}) as served:
        assert served.end(signal.SIGTERM) == 0
    assert not list(tmp_path.glob("*-wal")), "the file is complete"


def test_a_first_table_with_a_progressive_has_its_meter(tmp_path: Path) -> None:
    opened = open_house(ServerSettings(database=str(tmp_path / "house.sqlite")))
    first = FirstTable(load_rules("wsgc-2021(jackpots=3c:1:seed=1000)"), bots=1)
    with opened.store.write() as connection:
        owner = set_up_house(connection, opened.house, first, 500, SystemClock(), os.urandom)
        assert (
            set_up_house(connection, opened.house, first, 500, SystemClock(), os.urandom) == owner
        )
        assert read_displayed_amounts(connection)
        assert len(all_bots(connection)) == 1
    opened.store.close()


def test_requested_rules_get_a_table_in_an_existing_house(tmp_path: Path) -> None:
    opened = open_house(ServerSettings(database=str(tmp_path / "house.sqlite")))
    rules = load_rules("super-fun-21")
    super_fun = FirstTable(rules, bots=2, is_requested=True)
    usual = FirstTable(load_rules("wsgc-spanish-21"), bots=1)
    starts = [usual, FirstTable(rules), super_fun, super_fun]
    with opened.store.write() as connection:
        for first in starts:
            set_up_house(connection, opened.house, first, 500, SystemClock(), os.urandom)
        names = connection.scalars(select(game_table.c.name).order_by(game_table.c.id)).all()
        assert names == ["First table", "Super Fun 21"]
        assert len(all_bots(connection)) == 3
    opened.store.close()


def test_invalid_rules_leave_no_house_behind(tmp_path: Path) -> None:
    file = tmp_path / "house.sqlite"
    done = run("table", "--no-browser", "--database", str(file), "--rules", "nosuch")
    assert (done.code, done.out) == (2, "")
    assert "nosuch" in done.err
    assert not list(tmp_path.iterdir())


def test_a_link_works_once() -> None:
    link = OwnerLink(1)
    assert not link.use("")
    assert not link.use(link.token + "x")
    assert link.use(link.token)
    assert not link.use(link.token)


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        words = ("--no-browser", "--port", port, "--database", str(tmp_path / "house.sqlite"))
        done = run("table", *words)
    assert done.code != 0
    assert port in done.err


def test_the_page_contacts_no_other_site() -> None:
    """The page also complies with its own security policy: no inline scripts or styles."""
    texts = {
        name: file.read_text("utf-8")
        for name, file in web_files().items()
        if name.endswith((".html", ".js", ".css", ".svg"))
    }
    page = texts["index.html"]
    for name, text in texts.items():
        # XML namespaces and addresses in Svelte's error messages aren't requests.
        others = re.findall(r"https?://(?!www\.w3\.org|svelte\.dev/e/)[^\s\"'`]+", text)
        assert not others, (name, others)
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page)
    for address in re.findall(r'(?:src|href)="/web/([^"]*)"', page):
        assert address in texts


def test_only_the_pages_own_files_are_served(house: House) -> None:
    with house.served.client() as client:
        page = client.get("/")
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["cache-control"] == "no-cache"
        for name in web_files():
            assert client.get(f"/web/{name}").content == web_files()[name].read_bytes()
        for wrong in ("nothing.js", "../app.py", "%2e%2e/app.py", "assets", ""):
            assert client.get(f"/web/{wrong}").status_code == 404, wrong


def test_a_replaced_build_is_served_from_then_on(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = tmp_path / "web"
    web.mkdir()
    for name in ("index.html", "old.js"):
        (web / name).write_text(name)
    monkeypatch.setattr(pages, "files", lambda _: tmp_path)
    pages.web_files.cache_clear()
    pages._content.cache_clear()
    try:
        with house.served.client() as client:
            assert client.get("/").text == "index.html"
            (web / "index.html").write_text("new")
            (web / "old.js").rename(web / "new.js")
            gone = client.get("/web/old.js")
            assert (gone.status_code, gone.json()["code"]) == (404, "not_found")
            assert client.get("/").text == "new"
            assert client.get("/web/new.js").text == "old.js"
            (web / "index.html").unlink()
            pages._content.cache_clear()
            assert client.get("/").json()["code"] == "no_web_table"
    finally:
        pages.web_files.cache_clear()
        pages._content.cache_clear()
