"""`--seal-to`: seals leave the house, and play continues while they can't."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.server.live_house import AtTable, LiveHouse, live_house
from tests.server.running import until
from tests.server.test_faults import logged, readiness, sit
from ventiuna.server import background
from ventiuna.server.settings import settings_from
from ventiuna.table.journal import newest_seal
from ventiuna.table.outside_seals import OutsideSealError, outside_seals


@pytest.fixture(autouse=True)
def _quick_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "COPY_SEALS_EVERY", 0.05)


def _failures(house: LiveHouse) -> float:
    text = house.get("Olga", "/metrics").text
    found = re.search(r"^ventiuna_seal_copy_failures_total (\S+)", text, re.MULTILINE)
    assert found is not None
    return float(found[1])


def test_every_seal_leaves_the_house(tmp_path: Path) -> None:
    copy = tmp_path / "seals.jsonl"
    with live_house(tmp_path, seal_to=str(copy)) as house:
        until(copy.exists)
        until(lambda: readiness(house).get("seals copied") is True)
        with house.store.read() as connection:
            newest = newest_seal(connection)
        assert newest is not None
        assert f'"hash": "{newest.hash.hex()}"' in copy.read_text()
        assert _failures(house) == 0


def test_play_continues_while_seals_cannot_be_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "MAX_SEAL_AGE", 1000)
    away = tmp_path / "away"
    with logged() as lines, live_house(tmp_path, seal_to=str(away / "seals.jsonl")) as house:
        until(lambda: readiness(house).get("seals copied") is False)
        house.add("Ann")
        table = house.open_table("wsgc-spanish-21")
        with AtTable(house, table, "Ann") as ann:
            sit(ann)
        assert _failures(house) > 0
        failed = [line for line in lines() if line["event"] == "seals_not_copied"]
        assert ["seals.jsonl can't be written" in line["reason"] for line in failed] == [True]
        away.mkdir()
        until(lambda: readiness(house).get("seals copied") is True)
        assert "seals_copied_again" in {line["event"] for line in lines()}


def test_the_setting() -> None:
    assert settings_from({"VENTIUNA_SEAL_TO": "seals.jsonl"}).seal_to == "seals.jsonl"
    with pytest.raises(OutsideSealError):
        outside_seals("https://example.org/seals")
