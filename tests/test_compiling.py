"""Everything compiled ahead: what is covered, progress, a helper, threads."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.cli.running import run
from ventiuna import compiling
from ventiuna.analysis.base_game.analyser import analyse
from ventiuna.analysis.base_game.forms import exact_forms
from ventiuna.analysis.base_game.hand import hand_values
from ventiuna.analysis.base_game.split_play import SplitPlay
from ventiuna.analysis.base_game.spread import standard_deviation
from ventiuna.cards import parse_card, parse_cards
from ventiuna.compiling import Progress, all_forms, compile_forms, warm_up, without_collection
from ventiuna.envs import VectorTable21
from ventiuna.envs.lockstep import compare_with_engine
from ventiuna.kernels import cache, compiler
from ventiuna.kernels.forms import ANALYSER, PARTS, Form
from ventiuna.kernels.jit import Kernel
from ventiuna.proof.lockstep import trace_rounds
from ventiuna.rules import load_rules
from ventiuna.simulation import simulate
from ventiuna.simulation.forms import sample_works

METERS = "wsgc-2021(jackpots=3c:1:wager=5:seed=1000+4d:2)"


def _use_everything() -> None:
    rules = load_rules("wsgc-spanish-21")
    found = analyse(rules)
    analyse(rules, split_play=SplitPlay.REOPTIMISED)
    for cards in ("8c 8d", "2c 3d 4h", "7s 7s"):
        hand_values(rules, parse_cards(cards), parse_card("7h"))
    standard_deviation(rules, found)
    for spots in (1, 3):
        simulate(rules, rounds=100, spots=spots)
        simulate(rules, rounds=100, spots=spots, match={"up": 100})
        simulate(rules, rounds=100, spots=spots, session=10)
        simulate(METERS, rounds=100, spots=spots, jackpots=(1, 2), errors=0.01, session=10)
    simulate(rules, "optimal", rounds=100, count="level-one")
    trace_rounds(dict(sample_works())["base game"], 10)
    for wagers in (None, (1, 2)):
        compare_with_engine(VectorTable21(2, wagers=wagers), 5, seed=1)
        VectorTable21(3, "super-fun-21", wagers=wagers).reset(seed=1)


def test_warm_up_covers_all_that_is_ever_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    warm_up()
    compiled: list[str] = []
    usual = Kernel._new_form

    def note(self: Kernel, kinds: Any, arguments: Any) -> Any:
        if not self.is_ready(*arguments):
            compiled.append(self.name)
        return usual(self, kinds, arguments)

    monkeypatch.setattr(Kernel, "_new_form", note)
    _use_everything()
    assert compiled == []


def test_a_second_warm_up_has_nothing_to_do() -> None:
    warm_up()
    again = warm_up(processes=2, report=_refuse)
    assert again.compiled == 0
    assert again.ready == len(all_forms())
    assert {form.part for form in all_forms()} == set(PARTS)


def _refuse(progress: Progress) -> None:
    raise AssertionError(progress)


def test_bad_arguments_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="parts: 'engine' is not one of analyser"):
        warm_up(("engine",))
    with pytest.raises(ValueError, match="processes: 3 is not 1 or 2"):
        warm_up(processes=3)


class _Stub:
    """Forms that note who prepared them."""

    def __init__(self, count: int, part: str = ANALYSER) -> None:
        self.prepared: list[str] = []
        self.forms = [
            Form(part, f"form {n}", 1.0 + n, self._ready(n), self._prepare(n)) for n in range(count)
        ]

    def _ready(self, number: int) -> Callable[[], bool]:
        return lambda: f"form {number}" in self.prepared

    def _prepare(self, number: int) -> Callable[[], None]:
        return lambda: self.prepared.append(f"form {number}")


def test_progress_is_told_after_each() -> None:
    stub = _Stub(3)
    told: list[Progress] = []
    compile_forms(stub.forms, 1, told.append)
    assert [(step.done, step.of, step.name) for step in told] == [
        (1, 3, "form 0"),
        (2, 3, "form 1"),
        (3, 3, "form 2"),
    ]
    assert [step.share for step in told] == [1 / 6, 3 / 6, 1.0]


@pytest.mark.parametrize("failure", ["cannot start", "dies at once"])
def test_without_the_helper_everything_is_compiled_here(
    monkeypatch: pytest.MonkeyPatch, failure: str
) -> None:
    usual = subprocess.Popen

    def start(words: list[str], **settings: Any) -> Any:
        if failure == "cannot start":
            raise OSError("no more processes")
        return usual([sys.executable, "-c", "raise SystemExit(3)"], **settings)

    monkeypatch.setattr(subprocess, "Popen", start)
    stub = _Stub(6)
    told: list[Progress] = []
    compile_forms(stub.forms, 2, told.append)
    assert sorted(stub.prepared) == [form.name for form in stub.forms]
    assert told[-1].done == 6


def test_the_helper_prepares_what_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """It finds every form by its name."""
    warm_up()
    done = subprocess.run(
        [sys.executable, "-c", "from ventiuna.compiling import help_along; help_along()"],
        input="".join(f"{form.name}\n" for form in exact_forms()[-3:]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["done"] * 3
    names = [form.name for form in all_forms()]
    assert len(set(names)) == len(names)


def test_two_threads_that_need_the_same_kernel_compile_it_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled: list[str] = []
    usual = compiler.compile_form

    def note(function: Any, *rest: Any) -> Any:
        compiled.append(function.__name__)
        return usual(function, *rest)

    monkeypatch.setattr(compiler, "compile_form", note)
    monkeypatch.setattr(cache, "load", lambda name: None)
    monkeypatch.setattr(cache, "save", lambda name, code: None)

    def half_sum(number: int, other: int) -> float:
        return (number + other) / 2

    kernel, start = Kernel(half_sum), threading.Barrier(4, timeout=60)

    def call(number: int) -> float:
        start.wait()
        result: float = kernel(number, 2)
        return result

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(call, range(4))) == [1.0, 1.5, 2.0, 2.5]
    assert compiled == ["half_sum"]


def test_the_command_says_what_it_did() -> None:
    warm_up()
    done = run("warm-up")
    assert done.out == f"all {len(all_forms())} kernels are compiled already\n"
    data = run("warm-up", "--json").data
    assert (data["compiled"], data["ready"]) == (0, len(all_forms()))


def test_commands_say_what_they_compile_and_how_long_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiling, "missing", lambda forms: _Stub(3, next(iter(forms)).part).forms)
    monkeypatch.setattr(compiling, "compile_forms", lambda *arguments: None)
    expected = "Compiling the {}: this happens once and takes about 3 seconds.\n"
    assert run("edge", "super-fun-21").err == expected.format("analyser")
    optimal = run("simulate", "super-fun-21", "--strategy", "optimal", "--rounds", "100")
    assert optimal.err.startswith(expected.format("analyser"))
    assert optimal.err.endswith(expected.format("simulator"))


def test_garbage_is_collected_again_after_a_compilation_that_was_stopped() -> None:
    was_on = []

    def stopped() -> None:
        with without_collection():
            was_on.append(gc.isenabled())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert was_on == [False]
    assert gc.isenabled()
