"""The shuffle soak passes fair shuffles and fails both a loaded shoe and a weak shuffle."""

from __future__ import annotations

import json

import pytest

from benchmarks import shuffle_soak
from tests.support.shuffle_statistics import examine
from ventiuna.rules import load_rules
from ventiuna.table.fairness import LiveShoe, ShoeContext


def test_a_fair_shuffle_passes_all_tests(capsys: pytest.CaptureFixture[str]) -> None:
    assert shuffle_soak.main(["--rounds", "2000", "--workers", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["suspicious"] == []
    assert found["rounds"] == 2000
    assert found["shuffles"] == {"one deck": 500, "eight decks": 50}
    assert len(found["chances"]) == 2 * 15 + 5 + 2 * 7
    assert found["biased shuffle found by"] != []


def test_a_loaded_shoe_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Give the dealer a blackjack every twentieth round."""

    def loaded(context: ShoeContext, seed: bytes, mix: bytes) -> LiveShoe:
        return LiveShoe(context, seed, mix, on_top=[4, 51, 8, 0])

    monkeypatch.setattr(shuffle_soak, "LiveShoe", loaded)
    assert shuffle_soak.main(["--rounds", "1000", "--workers", "1"]) == 1
    told = capsys.readouterr().out
    assert "Suspicious: " in told
    assert "events, dealer" in told


def test_a_weak_shuffle_is_found() -> None:
    assert "position by card" in examine(shuffle_soak.biased_orders(1, 4000)).suspicious


def test_every_figure_has_its_exact_mean() -> None:
    means = shuffle_soak.expected(load_rules(shuffle_soak.RULES))
    assert sum(mean for name, mean in means.items() if name.startswith("up: ")) == pytest.approx(1)
    assert means["ace_up"] == pytest.approx(1 / 12)
    assert means["paid: mtd up"] < 0
