"""The first use ever: splits are compiled by a process of their own."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from ventiuna.analysis.base_game import first_use
from ventiuna.analysis.base_game.analyser import analyse
from ventiuna.kernels.exact.game import value_splits
from ventiuna.kernels.jit import is_on_disk
from ventiuna.rules import load_rules


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_use, "_begun", False)
    monkeypatch.setattr(first_use, "_companion", None)
    monkeypatch.setattr(first_use, "is_on_disk", lambda function: False)


def test_the_companion_compiles_what_the_analyser_calls() -> None:
    analyse(load_rules("super-fun-21"))
    compiled: Any = value_splits
    before = list(compiled.signatures)
    first_use.compile_splits()
    assert compiled.signatures == before


def test_it_is_started_once_and_waited_for(cold: None, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[_Stub] = []

    def start(words: list[str], **settings: Any) -> _Stub:
        started.append(_Stub(words))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    first = analyse(load_rules("super-fun-21"))
    assert [stub.waits for stub in started] == [1]
    assert "compile_splits()" in started[0].words[-1]
    assert analyse(load_rules("super-fun-21")).ev == first.ev
    assert len(started) == 1


class _Stub:
    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.waits = 0

    def wait(self, seconds: float) -> None:
        self.waits += 1


def test_without_it_everything_is_compiled_here(
    cold: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(words: list[str], **settings: Any) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert analyse(load_rules("super-fun-21")).ev == pytest.approx(-0.009372986194)


def test_nothing_is_started_when_the_kernels_are_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    analyse(load_rules("super-fun-21"))
    assert is_on_disk(value_splits)
    monkeypatch.setattr(first_use, "_begun", False)
    first_use.begin()
    assert first_use._companion is None
