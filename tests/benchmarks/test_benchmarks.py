"""The benchmark programs run, count and stop correctly; no speed is asserted."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import __main__ as figures_program
from benchmarks import comparing, imports, lockstep_soak, pool, seats_soak, soak
from benchmarks.figures import Figure, table
from tests import IS_SOAK
from ventiuna.proof.lockstep import Divergence
from ventiuna.rules import Rules, load_rules
from ventiuna.simulation.spec import SimulationSpec
from ventiuna.strategy.protocol import Strategy
from ventiuna.testing.conformance import Tally
from ventiuna.testing.invariants import InvariantBroken


def test_a_few_thousand_random_rounds_break_no_invariant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rounds = 3000 if IS_SOAK else 1000
    assert soak.main(["--rounds", str(rounds), "--workers", "1", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["broken"] == []
    assert result["rounds"] + result["abandoned"] == rounds
    assert result["tables"] == rounds // soak.A_TABLE
    assert result["seen"]["stage closed"] == result["rounds"]
    assert {"HandSplit", "HandRescued", "MeterLowered"} <= set(result["seen"])


def test_the_number_of_workers_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(soak, "BLOCK", 50)
    results = []
    for workers in ("1", "2"):
        soak.main(["--rounds", "130", "--workers", workers, "--seed", "5", "--json"])
        result = json.loads(capsys.readouterr().out)
        results.append((result["rounds"], result["spots"], result["seen"]))
    assert results[0] == results[1]


def test_a_broken_invariant_is_reported_with_its_rules(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(rules: Rules, rounds: int, seed: int, steps: float) -> Tally:
        raise InvariantBroken(f"round {rounds} of seed {seed}: chips are lost")

    monkeypatch.setattr(soak, "check_rules", broken)
    monkeypatch.setattr(soak, "random_rules", lambda _: load_rules("catfish-bend(decks=8)"))
    assert soak.main(["--rounds", "1000", "--workers", "1"]) == 1
    told = capsys.readouterr().out
    assert "block 0, catfish-bend(decks=8): round 25 of seed" in told
    assert "chips are lost" in told
    assert "No invariant" not in told


def test_a_stopped_soak_reports_its_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped_after_one(seed: int, rounds: int, workers: int) -> Iterator[soak.Played]:
        yield soak.play_block(seed, 0, 50)
        raise KeyboardInterrupt

    monkeypatch.setattr(soak, "soak", stopped_after_one)
    assert soak.main(["--rounds", "0"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Stopped. Done so far:\n50 rounds with ")
    assert "No invariant was broken." in told


def test_tables_of_all_kinds_are_played_in_lockstep(capsys: pytest.CaptureFixture[str]) -> None:
    rounds = 30_500 if IS_SOAK else 500
    assert lockstep_soak.main(["--rounds", str(rounds), "--workers", "1", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["differences"] == []
    assert result["rounds"] == sum(result["presets"].values()) == rounds
    assert result["spots"] >= result["rounds"]


def test_a_difference_is_reported_with_its_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def differ(
        work: SimulationSpec, player: Strategy, rounds: int, number: int
    ) -> list[Divergence]:
        return [Divergence(rounds, f"piece {number}", "the round in notation")]

    monkeypatch.setattr(lockstep_soak, "find_differences", differ)
    assert lockstep_soak.main(["--rounds", "2500", "--workers", "1"]) == 1
    told = capsys.readouterr().out
    assert "round 2000: piece 0\nthe round in notation" in told
    assert "round 500: piece 1" in told
    assert "agree on every" not in told


def few_blocks(monkeypatch: pytest.MonkeyPatch, stop_at: int | None = None) -> list[int]:
    """Swap in a quick comparison that records block numbers and optionally raises Ctrl-C."""
    played: list[int] = []

    def compare_block(seed: int, block: int, rounds: int) -> seats_soak.SeatsCompared:
        if block == stop_at:
            raise KeyboardInterrupt
        played.append(block)
        return seats_soak.SeatsCompared(rounds, steps=2 * rounds, tables=1)

    monkeypatch.setattr(seats_soak, "compare_block", compare_block)
    return played


def test_a_stopped_comparison_resumes_from_its_checkpoint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    program = ["--rounds", "18000", "--workers", "1", "--checkpoint", str(tmp_path / "kept")]
    assert few_blocks(monkeypatch, stop_at=2) == []
    assert seats_soak.main(program) == 0
    told = capsys.readouterr()
    assert told.out.startswith("Stopped. Done so far:\n8,000 rounds, 16,000 steps at 2 tables")
    assert "4,000 of 18,000 rounds" in told.err
    rest = few_blocks(monkeypatch)
    assert seats_soak.main([*program, "--json"]) == 0
    assert rest == [2, 3, 4]
    result = json.loads(capsys.readouterr().out)
    assert (result["rounds"], result["steps"], result["stopped"]) == (18_000, 36_000, False)
    again = few_blocks(monkeypatch)
    assert seats_soak.main(program) == 0
    assert again == []


def test_a_checkpoint_of_something_else_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    few_blocks(monkeypatch)
    path = tmp_path / "kept"
    program = ["--rounds", "4000", "--workers", "1", "--checkpoint", str(path)]
    assert seats_soak.main(program) == 0
    with pytest.raises(SystemExit, match=r"from a different soak \(seed 21, not 5\)"):
        seats_soak.main([*program, "--seed", "5"])
    with monkeypatch.context() as changed:
        changed.setattr(comparing, "code_digest", lambda: "other")
        with pytest.raises(SystemExit, match=r"from a different soak \(code .*, not other\)"):
            seats_soak.main(program)
    path.write_text("[]")
    with pytest.raises(SystemExit, match="not a soak checkpoint"):
        seats_soak.main(program)
    with pytest.raises(SystemExit, match=r"not a soak checkpoint .*Name a different file"):
        seats_soak.main([*program[:-1], str(tmp_path / "nowhere" / "kept")])


def test_soaks_started_in_the_background_respond_to_ctrl_c() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pool.heed_interrupts()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_few_rounds_of_compiled_seats_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert seats_soak.main(["--rounds", "200", "--workers", "1", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["differences"] == []
    assert result["rounds"] > 100
    assert result["tables"] == 1


def test_rounds_are_cut_into_blocks() -> None:
    assert list(pool.blocks(1200, 500)) == [(0, 500), (1, 500), (2, 200)]
    endless = pool.blocks(0, 500)
    assert [next(endless) for _ in range(3)] == [(0, 500), (1, 500), (2, 500)]


def test_figures_state_the_machine(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(imports, "PROGRAMS", {"import ventiuna": ("import ventiuna", "")})
    assert figures_program.main(["imports", "--quick", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert set(result["machine"]) == {"cpu", "cores", "system", "python"}
    assert result["figures"][0]["name"] == "import ventiuna"
    assert result["figures"][0]["value"] > 0
    assert {"engine", "imports"} <= set(figures_program.measures())


def test_an_unknown_benchmark_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        figures_program.main(["engin"])
    assert "no benchmark 'engin': choose from" in capsys.readouterr().err


def test_the_table_fits_a_terminal() -> None:
    text = table([Figure("wsgc-spanish-21, one spot", 12345.6, "rounds/s", ">= 10,000")])
    assert "12,346" in text
    assert max(map(len, text.splitlines())) <= 80
