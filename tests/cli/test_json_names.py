"""Every JSON field has one unit, given by its name or by docs/json.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests import IS_SOAK
from tests.cli.json_samples import HOUSE, SAMPLES
from tests.cli.running import run
from tests.cli.walking import every_command
from tests.counting import use_one_shoe_for_each_count
from tests.table.played_house import KEY, PlayedHouse
from ventiuna.cli.app import new_app
from ventiuna.counting import indices
from ventiuna.counting.indices import edges_by_count, index_by_sums
from ventiuna.engine import commands as engine_commands
from ventiuna.engine import events as engine_events
from ventiuna.engine.options import ActionOption, InsuranceOption
from ventiuna.engine.views import HandView, SpotView
from ventiuna.engine.wagers import WagerOption
from ventiuna.table.domain import events as table_events
from ventiuna.table.domain.commands import FORMS
from ventiuna.table.store.connection import SqliteStore

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "json.md"
STORED = ("rules_data", "steps", "view")  # besides events that aren't rows of a table
_NAMES = re.compile(r"^\| (`[^|]+`) \|", re.MULTILINE)
_DOLLARS = re.compile(r'"(\w+)": "[-+]?\$?[0-9][0-9,]*\.[0-9]{2}"')
LINES = """\
{"command": "PlaceWagers", "spot": 1, "base": 1000, "mtd": {"up": 500}, "jackpots": {"1": 100}}
{"command": "CloseWagers"}
{"command": "BuyIn", "amount": 500}
{"command": "Stand", "spot": 1}
{"command": "Fly"}
"""


# --- the page ---------------------------------------------------------------------------------


@cache
def _part(heading: str) -> str:
    page = PAGE.read_text(encoding="utf-8")
    return page.split(f"## {heading}\n")[1].split("\n## ")[0]


@cache
def _names(heading: str) -> set[str]:
    return {
        name for names in _NAMES.findall(_part(heading)) for name in re.findall("`([^`]+)`", names)
    }


def _texts() -> set[str]:
    return set(re.findall(r"`(\w+)`", _part("Texts with dollars")))


# --- JSON output ------------------------------------------------------------------------------


def _is_stored(key: str, value: Any) -> bool:
    """Whether a value has the stored form; a simulation's events are rows of a table instead."""
    return key in STORED or (
        key == "events" and isinstance(value, list) and any("event" in one for one in value)
    )


def _numbers(data: Any, name: str = "", stored: bool = False) -> Iterator[tuple[str, bool]]:
    """Names of all fields that contain a number, at any depth, and whether the form is a stored
    one.

    An exact number counts as one field. Values of a mapping, such as one keyed by spot or table, go
    by the mapping's name if that gives the unit.
    """
    if isinstance(data, dict):
        if set(data) == {"exact", "value"}:
            yield name, stored
            return
        for key, value in data.items():
            inside = stored or _is_stored(key, value)
            named = name.endswith("_cents") or name in _mappings(inside)
            yield from _numbers(value, name if named else key, inside)
    elif isinstance(data, list):
        for value in data:
            yield from _numbers(value, name, stored)
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield name, stored


def _mappings(stored: bool) -> tuple[str, ...]:
    return (
        ("mtd", "jackpots", "meters", "remainders")
        if stored
        else ("tables", "rows", "jackpot_of_game")
    )


def unnamed_numbers(data: Any) -> set[str]:
    """Numeric fields without a documented unit."""
    endings, listed = _names("Endings"), _names("Names without an ending")
    return {
        name
        for name, stored in _numbers(data)
        if name not in (_names("Stored formats") if stored else listed)
        and not (not stored and any(name.endswith(ending) for ending in endings))
    }


def _check(text: str) -> None:
    answers = [json.loads(text)] if text.startswith(("{\n", "[")) else _lines(text)
    for answer in answers:
        assert not unnamed_numbers(answer), f"put the unit in the name, or list them in {PAGE.name}"
    written = set(_DOLLARS.findall(text))
    assert written <= _texts(), "an amount is in cents; text for people is listed on the page"


def _lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


# --- every command ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with three finished rounds and one in progress."""
    path = tmp_path_factory.mktemp("played") / "played.sqlite"
    store = SqliteStore(path)
    house = PlayedHouse(store)
    house.open()
    house.play(3)
    house.seal()
    house.open_round()
    store.close()
    key = path.with_name("played.sqlite.key")
    key.write_text(KEY.secret.hex())
    key.chmod(0o600)
    return path


@pytest.fixture
def filled(played: Path, tmp_path: Path) -> Callable[[tuple[str, ...]], list[str]]:
    """Arguments of a sample with the test's own files filled in."""
    (tmp_path / "wrong.toml").write_text('id = "x"\ndecks = 0\n')
    (tmp_path / "password").write_text("seven seven seven\n")

    def fill(words: tuple[str, ...]) -> list[str]:
        return [word.format(folder=tmp_path, played=played) for word in words]

    return fill


def test_every_command_is_here() -> None:
    declared = (f"house {form.group} {form.word}" for form in FORMS if form.group)
    known = {*SAMPLES, *(name for name, _ in HOUSE), *declared}
    found = every_command()
    assert set(found) == known, "add a line for the new command to json_samples.py"
    for name, command in found.items():
        assert any("--json" in each.opts for each in command.params), name


@pytest.mark.parametrize("command", [name for name in SAMPLES if name not in ("table", "serve")])
def test_every_number_has_one_unit(
    command: str,
    filled: Callable[[tuple[str, ...]], list[str]],
    played: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not IS_SOAK:
        use_one_shoe_for_each_count(monkeypatch)
        monkeypatch.setattr(indices, "index_by_sums", partial(index_by_sums, points=4))
        monkeypatch.setattr(indices, "edges_by_count", partial(edges_by_count, rounds=25_000))
    if command == "restore":
        run("backup", str(tmp_path / "copy.jsonl"), "--database", str(played))
    for words in SAMPLES[command]:
        given = {"play": LINES, "conformance": '{"ask": "hello"}\n'}.get(command)
        line = [*command.split(), *filled(words), "--json"]
        done = CliRunner().invoke(new_app(line), line, input=given, catch_exceptions=False)
        assert done.stdout, done.stderr
        _check(done.stdout)


def test_numbers_of_the_users_own_house(
    filled: Callable[[tuple[str, ...]], list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ventiuna.table.store.postgres.migrate", lambda *_: None)
    for name, words in HOUSE:
        where = () if "--database" in words else ("--database", str(tmp_path / "house.sqlite"))
        done = run(*name.split(), *filled(words), *where, "--json")
        assert done.code == 0, f"{name}: {done.err}"
        _check(done.out)


def test_a_server_prints_its_address(
    filled: Callable[[tuple[str, ...]], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "ventiuna.server.serve.serve_house", lambda _, __, started: started("http://here")
    )
    monkeypatch.setattr(
        "ventiuna.server.serve.serve_local_house",
        lambda _, started: started("http://here", "http://here/#x"),
    )
    for name in ("serve", "table"):
        for words in SAMPLES[name]:
            done = run(name, *filled(words), "--json")
            assert done.data["address"] == "http://here", done.err
            _check(done.out)


def test_stored_forms_are_all_on_the_page() -> None:
    """The page lists even the names that no sample happens to print."""
    kinds = [
        kind
        for module in (engine_events, engine_commands, table_events)
        for kind in vars(module).values()
        if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__
    ]
    kinds.remove(table_events.PendingContributions)  # never stored
    kinds += [ActionOption, InsuranceOption, WagerOption, HandView, SpotView]
    counted = re.compile(r"\b(int|Cents|Card|Stakes)\b")
    names = {part.name for kind in kinds for part in fields(kind) if counted.search(str(part.type))}
    assert {"base", "stake", "amount"} <= names
    assert names - {"action"} <= _names("Stored formats")
