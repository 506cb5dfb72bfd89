"""`ventiuna count …` for people and programs."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run
from ventiuna.analysis.query import Query
from ventiuna.cli.count import bankroll_note
from ventiuna.counting.betting import AtCount, Ramp
from ventiuna.counting.queries import CompareQuery, CountSimulationQuery, JackpotWorthQuery
from ventiuna.counting.study import Earnings
from ventiuna.rules import load_rules
from ventiuna.simulation.run import Run
from ventiuna.strategy.counting import load_count
from ventiuna.texts import finite


def printed(*words: str) -> str:
    """Output of a command that must succeed; messages about compiling kernels are allowed."""
    done = run(*words)
    assert done.code == 0, done.err
    return done.out


HI_LO = "2=1 3=1 4=1 5=1 6=1 10=-1 A=-1"


def test_effects_in_text_and_json() -> None:
    text = printed("count", "effects", "super-fun-21")
    assert "Ad" in text
    assert "To repeat: ventiuna count effects super-fun-21" in text
    data = run("count", "effects", "wsgc-2021", "--json").data
    fixed = data["wagers"][1]
    assert fixed["wager"] == "base game, play fixed"
    assert abs(fixed["total_per_wager"]) < 1e-10


def test_a_designed_count_is_saved_and_evaluated(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    done = run("count", "design", "wsgc-2021", "--level", "2", "--save", str(path))
    assert done.code == 0
    assert "A=-2 2=+1 3=+1 4=+2 5=+2 6=+1 8=-1 9=-1 10=-1" in done.out
    assert f"written to {path}" in done.err
    assert load_count(path).tags[4] == 2
    data = run("count", "evaluate", "wsgc-2021", "--count", str(path), "--json").data
    assert data["betting_correlation"] == pytest.approx(0.9800427, abs=1e-6)
    assert data["warnings"] == []


def test_the_scale_of_a_count_is_stated() -> None:
    text = printed("count", "evaluate", "wsgc-2021", "--tags", HI_LO)
    words = " ".join(text.split())
    assert "Counts are true counts: the running count divided by the unseen decks." in words
    assert "A new shoe starts at -24, -4 per deck, and reads -4." in words
    assert "warning" not in words


def test_rounds_bets_and_risk(tmp_path: Path) -> None:
    bets, plot = tmp_path / "bets.toml", tmp_path / "by.svg"
    words = ["count", "simulate", "wsgc-2021", "--count", "level-one", "--rounds", "60000",
             "--strategy", "chart", "--trip", "100"]  # fmt: skip
    done = run(*words, "--save-count", str(bets), "--plot", str(plot))
    assert done.code == 0, done.err
    for part in ("SCORE, spread 1 to 8", "N0", "certainty equivalent", "trip of 100 rounds"):
        assert part in done.out
    assert load_count(bets).bets[0].wagers == 1
    assert plot.read_text(encoding="utf-8").startswith("<svg")
    data = run(*words, "--json").data
    assert sum(line["rounds"] for line in data["by_count"]) == 60_000
    assert {one["risk"] for one in data["risk"]["risks"]} >= {"lifetime", "trip of 100 rounds"}


def test_a_resumed_checkpoint_gives_the_same_digits(tmp_path: Path) -> None:
    path = tmp_path / "run.ck"
    words = ["count", "simulate", "wsgc-2021", "--count", "level-one", "--strategy", "chart",
             "--json"]  # fmt: skip
    first = run(*words, "--rounds", "1000000", "--save", str(path))
    assert first.code == 0, first.err
    went_on = run(*words, "--rounds", "1050000", "--resume", str(path)).data
    at_once = run(*words, "--rounds", "1050000").data
    assert went_on["by_count"] == at_once["by_count"]
    other = run(*words, "--rounds", "1050000", "--seed", "5", "--resume", str(path))
    assert other.code == 2
    assert "differ from this run's" in other.err


def test_a_stopped_simulation_says_how_to_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.ck"
    words = ["count", "simulate", "wsgc-2021", "--count", "level-one", "--strategy", "chart",
             "--rounds", "2000000", "--workers", "1"]  # fmt: skip
    add = Run._add
    stopping: list[bool] = []

    def until_stopped(self: Run, *given: Any) -> Any:
        if stopping:
            raise KeyboardInterrupt
        stopping.append(True)
        return add(self, *given)

    monkeypatch.setattr(Run, "_add", until_stopped)
    done = run(*words, "--save", str(path))
    assert done.code == 130
    told = done.err.strip()
    assert told.startswith("To continue: ventiuna count simulate wsgc-2021 --count level-one ")
    assert told.endswith(f"--resume {path}")
    assert "--rounds 2000000" in told
    monkeypatch.undo()
    stopping.clear()
    again = run(*shlex.split(told.removeprefix("To continue: ventiuna ")), "--json")
    assert again.data["by_count"] == run(*words, "--json").data["by_count"]


def test_a_simulation_stopped_before_its_first_rounds_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "_add", stopped)
    for words in (
        ["simulate", "super-fun-21", "--rounds", "1000"],
        ["count", "simulate", "super-fun-21", "--count", "level-one", "--strategy", "chart"],
    ):
        done = run(*words)
        assert (done.code, done.out) == (130, "")
        assert "Interrupted before the first results." in done.err


def test_too_long_a_wait_is_refused_before_anything_is_printed() -> None:
    done = run("count", "jackpot", "wsgc-2021-jackpot", "--hits", "1000000")
    assert (done.code, done.out) == (2, "")
    assert (
        done.err
        == "error: hits = 1000000: must be 1 to 10,000 hits. Choose a number in that range.\n"
    )


def test_counts_side_by_side(tmp_path: Path) -> None:
    plot = tmp_path / "all.svg"
    done = run("count", "compare", "wsgc-2021", "--count", "level-one", "--tags", "5=1 10=-1",
               "--penetration", "60,80", "--rounds", "20000", "--strategy", "chart", "--json",
               "--plot", str(plot))  # fmt: skip
    assert [(one["count"], one["penetration_percent"]) for one in done.data["compared"]] == [
        ("level-one", 60),
        ("5=1 10=-1", 60),
        ("level-one", 80),
        ("5=1 10=-1", 80),
    ]
    assert "SCORE by penetration" in plot.read_text(encoding="utf-8")


def test_a_comparison_resumes_from_its_folder(tmp_path: Path) -> None:
    """Rounds already played aren't played again, and the digits are the same."""
    folder = tmp_path / "kept"
    words = ["count", "compare", "wsgc-2021", "--tags", "5=1 10=-1", "--rounds", "20000",
             "--strategy", "chart", "--json"]  # fmt: skip
    first = run(*words, "--save", str(folder)).data
    [kept] = folder.iterdir()
    before = kept.stat().st_mtime_ns
    again = run(*words, "--resume", str(folder)).data
    assert again["compared"] == first["compared"]
    assert kept.stat().st_mtime_ns >= before
    kept.write_bytes(b"nothing")
    assert run(*words, "--resume", str(folder)).code == 2


def test_meters_that_are_worth_it() -> None:
    text = printed("count", "jackpot", "wsgc-2021", "--table", "3c", "--wager", "5", "--players",
                "3", "--team", "2", "--meter", "20000")  # fmt: skip
    assert "seat 1 of 3" in text
    assert "$78,092.63" in text
    data = run("count", "jackpot", "wsgc-2021", "--table", "3c", "--hits", "2", "--json").data
    assert data["until_emptied"]["hits"] == 2
    assert data["staying_break_even_cents"]["value"] > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["design", "wsgc-2021", "--level", "9"], "level = 9: the largest tag"),
        (["design", "wsgc-2021", *4 * ["--side-count", "7"]], "counted twice"),
        (["design", "wsgc-2021", "--side-count", "X"], "side-count: tags = X: not a rank"),
        (["simulate", "wsgc-2021", "--tags", "2=0"], "all cards count the same"),
        (["compare", "wsgc-2021", "--tags", "2=0"], "all cards count the same"),
        (["design", "wsgc-2021", "--goal", "luck"], "unknown goal"),
        (["design", "wsgc-2021", "--running"], "Add --unbalanced"),
        (["design", "wsgc-2021", "--suits", "11"], "not a rank"),
        (["evaluate", "wsgc-2021"], "not neither"),
        (["evaluate", "wsgc-2021", "--tags", "2=1", "--count", "level-one"], "not both"),
        (["evaluate", "wsgc-2021", "--tags", "2:1"], "not a tag"),
        (["evaluate", "wsgc-2021", "--tags", "2=1", "--start", "low"], "must be a number"),
        (["evaluate", "wsgc-2021", "--count", "hi-lo", "--start", "-4"], "has its own start"),
        (["evaluate", "wsgc-2021", "--tags", "2=nan"], "at most two decimals"),
        (["evaluate", "wsgc-2021", "--tags", "Z=1"], "not a rank or card"),
        (["evaluate", "wsgc-2021", "--tags", "a=1 A=2"], "the tag of A is given twice"),
        (["simulate", "wsgc-2021", "--tags", "2=1 A=-1", "--per-hour", "inf"], "10000"),
        (["index", "wsgc-2021", "--count", "none"], "no such count"),
        (["simulate", "wsgc-2021", "--count", "level-one", "--rounds", "x"], "rounds"),
        (["compare", "wsgc-2021"], "name at least one count"),
        (["compare", "wsgc-2021", "--count", "level-one", "--penetration", "200"], "1 to 99"),
        (["jackpot", "wsgc-2021"], "no jackpot game"),
        (
            ["jackpot", "wsgc-2021", "--table", "3c", "--team", "2"],
            "a team can't have more seats than the",
        ),
    ],
)
def test_bad_input_gets_one_sentence(words: list[str], message: str) -> None:
    done = run("count", *words)
    assert done.code == 2, done.out
    assert message in done.err
    assert "Traceback" not in done.err


def test_bets_too_large_for_a_bankroll_state_the_bankroll_needed() -> None:
    counts = (AtCount(0, 0.9, -0.01, 1.3), AtCount(3, 0.1, 0.02, 1.3))
    ramp = Ramp(counts, (500.0, 4000.0))
    assert bankroll_note(Earnings(ramp, 1_000_000.0, 0.5)) == ""
    told = bankroll_note(Earnings(ramp, 500_000.0, 0.5))
    assert told.startswith("These bets are too risky for this bankroll at Kelly 0.5")
    assert told.endswith(f"about ${ramp.variance / (0.5 * ramp.mean) / 100:,.0f}.")
    losing = Earnings(Ramp(counts, (500.0, 500.0)), 10_000_000.0, 0.5)
    assert bankroll_note(losing).startswith("These bets lose. Try a wider --spread")


@pytest.mark.parametrize(
    "question",
    [
        CountSimulationQuery(
            rules=load_rules("super-fun-21"),
            count="level-one",
            rounds=20_000,
            strategy="chart",
            trip=100,
        ),
        CompareQuery(
            rules=load_rules("super-fun-21"),
            count=("hi-lo",),
            tags=(HI_LO,),
            rounds=20_000,
            strategy="chart",
        ),
        JackpotWorthQuery(
            rules=load_rules("wsgc-2021-jackpot"), players=3, team=2, meter=90_000_000
        ),
    ],
    ids=lambda question: question.command,
)
def test_a_query_run_in_python_answers_like_its_command(question: Query) -> None:
    data = finite(question.data(question.run()))
    assert json.loads(json.dumps(data)) == run(*question.words(), "--json").data
