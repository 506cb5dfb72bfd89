"""A house served by this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from ventiuna.errors import VentiunaError
from ventiuna.server import serving
from ventiuna.server.settings import settings_from


def test_a_house_that_does_not_open_is_not_told_to_be_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for of_the_whole_process in ("unwind_on_sigterm", "write_logs"):
        monkeypatch.setattr(serving, of_the_whole_process, lambda: None)
    no_house = tmp_path / "house.sqlite"
    no_house.write_text("This is a letter and no database, however one looks at it.")
    told: list[str] = []
    with pytest.raises(VentiunaError):
        serving.serve_house(settings_from(database=str(no_house), port=0), 1, told.append)
    assert told == []
