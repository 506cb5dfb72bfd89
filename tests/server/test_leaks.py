"""Nothing leaves a house too early, and planted leaks show that these tests would notice."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.server.leaks import (
    BOBS_WALLET,
    Heard,
    close,
    finish,
    first_difference,
    found_secrets,
    half_cut,
    listened,
    rest_of,
)
from tests.server.running import Served
from ventiuna.server import hub, socket
from ventiuna.server.schemas import read_message
from ventiuna.server.telemetry import log
from ventiuna.table import presentation
from ventiuna.table.accounts import digest_of
from ventiuna.table.domain.state import Seat, TableState
from ventiuna.table.fairness import LiveShoe, read_context
from ventiuna.table.store.schema import shoe
from ventiuna.table.writer import CommandOutcome


def test_no_output_depends_on_the_down_card_or_contains_a_secret(tmp_path: Path) -> None:
    """Sockets, HTTP, refusals, log, and metrics are the same whatever the down card is."""
    one, two = _folders(tmp_path)
    with listened(one, "9d") as heard:
        with listened(two, "2s") as other:
            assert first_difference(heard, other) == ""
        ways = {one.way.partition(" ")[0] for one in heard.texts}
        assert ways == {"socket", "get", "post", "delete", "log"}
        assert len(heard.texts) > 200
        assert found_secrets(heard) == []
        finish(heard)
        assert found_secrets(heard) == []
        seed_of_first = _seed(heard)
        assert not any(seed_of_first in one.text for one in heard.texts)
        close(heard)
        assert found_secrets(heard) == [], "salts and keys stay secret forever"
        assert any(seed_of_first in one.text for one in heard.texts), "the shoe has ended"


def _folders(path: Path) -> list[Path]:
    folders = [path / "one", path / "two"]
    for folder in folders:
        folder.mkdir()
    return folders


def _seed(heard: Heard) -> str:
    with heard.house.store.read() as connection:
        row = connection.execute(select(shoe).where(shoe.c.number == 1)).one()
    return heard.house.key.seed(read_context(row.context), row.salt).hex()


def test_a_cut_stays_secret_until_it_is_opened(tmp_path: Path) -> None:
    with half_cut(tmp_path) as cutting:
        assert len(cutting.texts) > 100
        assert found_secrets(cutting) == []


# --- planted leaks ----------------------------------------------------------------------------


def test_a_down_card_in_an_event_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = _folders(tmp_path)
    monkeypatch.setattr(presentation, "redact", lambda event, viewer: event)
    with listened(one, "9d", asking=()) as first, listened(two, "2s", asking=()) as second:
        assert "CardDealt" in first_difference(first, second)


def test_planted_leaks_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = [plant(tmp_path, monkeypatch) for plant in PLANTS]
    # Otherwise the response models would reject the leaks.
    monkeypatch.setattr(Served, "_check", lambda *_: None)
    with listened(tmp_path, "9d", asking=("", "Ann")) as leaky:
        leaks = found_secrets(leaky)
    for wanted in planted:
        assert any(found.startswith(wanted) for found in leaks), wanted
    by_http = f"cards still in the shoe by get /tables/{leaky.table} to anyone"
    assert by_http in leaks, "every channel is recorded"


def test_a_cut_in_the_log_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_message

    def leaky(text: str) -> object:
        log("message", text=text)
        return read(text)

    monkeypatch.setattr(socket, "read_message", leaky)
    with half_cut(tmp_path, asking=()) as cutting:
        assert "a cut of Ann by log to anyone" in found_secrets(cutting)


def plant_in_shoe(monkeypatch: pytest.MonkeyPatch, told: Callable[[LiveShoe], object]) -> None:
    """Add part of a live shoe to its public view."""
    shoe = presentation.shoe_data

    def leaky(state: TableState) -> dict[str, object]:
        known = shoe(state)
        return {**known, f"debug {len(known)}": state.live and told(state.live)}

    monkeypatch.setattr(presentation, "shoe_data", leaky)


def plant_cards(_: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    plant_in_shoe(monkeypatch, lambda live: rest_of(live)[3:9])
    return "cards still in the shoe"


def plant_seed(_: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    plant_in_shoe(monkeypatch, lambda live: base64.b64encode(live._seed).decode())
    return "S of shoe 1"


def plant_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Leak the key in responses to commands."""
    answer = hub.outcome_message

    def leaky(outcome: CommandOutcome) -> dict[str, object]:
        return {**answer(outcome), "debug": (folder / "house.sqlite.key").read_text()}

    monkeypatch.setattr(hub, "outcome_message", leaky)
    return "the house key"


def plant_wallet(_: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Leak the wallet to everyone at every seat."""
    seat = presentation._seat

    def leaky(state: TableState, one: Seat) -> dict[str, object]:
        return {**seat(state, one), "wallet": BOBS_WALLET}

    monkeypatch.setattr(presentation, "_seat", leaky)
    return "Bob's wallet"


def plant_token(_: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Leak the token in the log."""

    def leaky(token: str) -> bytes:
        log("hello", token=token)
        return digest_of(token)

    monkeypatch.setattr("ventiuna.server.socket.digest_of", leaky)
    return "a token of Ann"


PLANTS = (plant_cards, plant_seed, plant_key, plant_wallet, plant_token)
