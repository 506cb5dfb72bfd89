"""`ventiuna simulate` and `ventiuna certify`: figures, files, stopping, and bad input."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import time
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import PROGRAM, Outcome, run
from ventiuna.cli.simulate import NOT_REPEATED, simulate
from ventiuna.rules import fingerprint, load_rules
from ventiuna.simulation.queries import SimulationSettings


def data(*words: str) -> Any:
    done = run("simulate", *words, "--json")
    assert done.code == 0, done.err
    return done.data


def without_time(found: dict[str, Any]) -> dict[str, Any]:
    timed = ("workers", "command")
    return {name: value for name, value in found.items() if name not in timed}


def test_json_has_what_scripts_need() -> None:
    found = data("wsgc-spanish-21", "--rounds", "20000")
    for name in ("rounds", "ev", "standard_error", "sd"):
        assert isinstance(found[name], int | float), name
    assert found["rounds"] == 20_000
    assert found["strategy"] == "spanish-21-h17"
    assert found["command"] == "ventiuna simulate wsgc-spanish-21 --rounds 20000 --json"


def test_the_same_seed_gives_the_same_digits() -> None:
    words = ("super-fun-21", "--rounds", "30k", "--seed", "5", "--spots", "2")
    one, again = data(*words, "--threads", "1"), data(*words, "--threads", "3")
    assert without_time(one) == without_time(again)
    assert data("super-fun-21", "--rounds", "30k", "--seed", "6", "--spots", "2")["ev"] != one["ev"]


def test_text_is_readable_at_80_columns_and_every_estimate_has_its_error() -> None:
    rules = "wsgc-2021(jackpots=3c:1:wager=5:seed=1000)"
    done = run(
        "simulate", rules, "--rounds", "20000", "--side", "all", "--session", "100", "--details",
        "--fall", "20", "--spots", "2",
    )  # fmt: skip
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert max(map(len, [line for line in lines if "To repeat" not in line])) <= 80
    for part in (
        "house edge",
        "standard error",
        "Match the Dealer Up Card",
        "jackpot 1 ",
        "Meters",
        "covariance of two spots",
        "for all wagers, the expected loss equals one deviation after N0 =",
    ):
        assert part in done.out
    assert "400 sessions of 100 rounds" in done.out
    assert "drop by 20 base wagers" in done.out


def test_the_printed_command_repeats_the_result() -> None:
    first = data("catfish-bend", "--rounds", "12000", "--errors", "5%", "--base", "10")
    words = first["command"].removeprefix("ventiuna simulate ").removesuffix(" --json").split()
    assert without_time(data(*words)) == without_time(first)


def test_best_play_counts_and_files(tmp_path: Path) -> None:
    count = tmp_path / "count.toml"
    count.write_text('[tags]\n"5" = 1\n"10" = -1\n[[bets]]\nat = 1\nwagers = 3\n', encoding="utf-8")
    found = data("blackjack", "--strategy", "optimal", "--count", str(count), "--rounds", "5000")
    assert found["strategy"] == "optimal"
    found = data(
        "wsgc-spanish-21", "--rounds", "5000", "--session", "50",
        "--strategy", "habits", "--regret",
        "--csv", str(tmp_path / "csv"), "--parquet", str(tmp_path / "parquet"),
        "--plot", str(tmp_path / "plot"),
    )  # fmt: skip
    assert found["regret"][0]["cost"] > 0
    assert found["regret"][0]["standard_error"] > 0
    assert (tmp_path / "csv" / "starts.csv").read_text().startswith("hand,up,rounds,ev")
    assert (tmp_path / "parquet" / "events.parquet").stat().st_size > 100
    assert (tmp_path / "plot" / "convergence.svg").read_text().startswith("<svg")
    assert (tmp_path / "plot" / "sessions.svg").exists()


def test_one_round_has_no_error_and_says_so(tmp_path: Path) -> None:
    words = ("wsgc-2021", "--rounds", "1", "--session", "1", "--spots", "2", "--side", "all")
    assert data(*words)["standard_error"] is None
    done = run("simulate", *words, "--details", "--csv", str(tmp_path))
    assert done.code == 0
    assert "unknown" in done.out
    assert "inf" not in done.out


def test_until_stops_at_its_target() -> None:
    found = data("wsgc-spanish-21", "--rounds", "1G", "--until", "0.1%")
    assert found["standard_error"] <= 0.001
    assert found["rounds"] == 2_000_000


def test_a_saved_run_continues_to_the_same_digits(tmp_path: Path) -> None:
    path = str(tmp_path / "run.ckpt")
    short = ("super-fun-21", "--rounds", "2e6", "--seed", "9")
    assert data(*short, "--save", path)["rounds"] == 2_000_000
    longer = data("--resume", path, "--rounds", "3e6")
    assert without_time(longer) == without_time(
        data("super-fun-21", "--rounds", "3e6", "--seed", "9")
    )
    other = run("simulate", "blackjack", "--resume", path)
    assert other.code == 2
    assert "the checkpoint was created with super-fun-21" in other.err


@pytest.mark.parametrize("edited", ['extends = "blackjack"', "no TOML at all", None])
def test_a_run_continues_under_its_own_rules(tmp_path: Path, edited: str | None) -> None:
    """The rules file may have been edited, damaged, or deleted since; the user gets a note."""
    rules, path = tmp_path / "house.toml", str(tmp_path / "run.ckpt")
    rules.write_text('extends = "super-fun-21"\ndecks = 2\n')
    whole = data(str(rules), "--rounds", "1200000")
    assert data(str(rules), "--rounds", "1e6", "--save", path)["rounds"] == 1_000_000
    if edited is None:
        rules.unlink()
    else:
        rules.write_text(edited)
    done = run("simulate", "--resume", path, "--rounds", "1200000", "--json")
    assert done.code == 0, done.err
    assert without_time(done.data) == without_time(whole)
    assert "has changed since the checkpoint was written" in done.err
    assert whole["fingerprint"] in done.err


def test_until_without_rounds_plays_as_many_as_needed() -> None:
    found = data("wsgc-spanish-21", "--until", "0.08%")
    assert found["standard_error"] <= 0.0008
    assert found["rounds"] > 2_000_000
    assert f"--rounds {found['rounds']} " in found["command"]


def test_a_run_to_a_target_error_resumes_to_that_error(tmp_path: Path) -> None:
    path = str(tmp_path / "run.ckpt")
    words = ("super-fun-21", "--until", "0.05%", "--save", path)
    first = interrupted(*words, "--json")
    assert first.code == 130, first.err
    assert first.data["standard_error"] > 0.0005
    again = data("--resume", path)
    assert again["standard_error"] <= 0.0005
    whole = data(*words[:3])
    assert without_time(again) == without_time(whole)


def test_a_checkpoint_continues_with_its_original_options(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    assert data("super-fun-21", "--rounds", "2e6", "--seed", "9", "--save", str(path))
    kept = path.read_bytes()
    for words, message in (
        (("--resume", str(path), "--seed", "10"), "seed = 10: the checkpoint was created with 9"),
        (("--resume", str(path), "--strategy", "mimic"), "the checkpoint was created with chart"),
        (
            ("--resume", str(path), "--side", "all"),
            "side = all: the checkpoint was created with none",
        ),
        (("--resume", str(path), "--rounds", "1e6"), "the checkpoint already has 2,000,000"),
        (("super-fun-21", "--save", str(path)), "a checkpoint doesn't overwrite it"),
        (("super-fun-21", "--save", str(tmp_path)), "a checkpoint doesn't overwrite it"),
    ):
        done = run("simulate", *words)
        assert done.code == 2
        assert message in done.err
        assert path.read_bytes() == kept
    same = ("--resume", str(path), "--save", str(path), "--seed", "9")
    assert data(*same)["rounds"] == 2_000_000


def interrupted(*words: str) -> Outcome:
    """Run the program and press Ctrl-C after its first checkpoint."""
    started = subprocess.Popen(
        [*PROGRAM, "simulate", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    path = Path(words[words.index("--save") + 1])
    while not path.exists() and started.poll() is None:
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=120)
    return Outcome(started.returncode, out, err)


def test_ctrl_c_prints_the_results_so_far_and_how_to_continue(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    done = interrupted("super-fun-21", "--rounds", "1e12", "--save", str(path), "--json")
    assert done.code == 130
    assert "Traceback" not in done.err
    found = done.data
    assert not found["complete"]
    assert 0 < found["rounds"] < 10**12
    assert f"To continue: ventiuna simulate --resume {path}" in done.err
    blocks = found["rounds"]
    again = data("--resume", str(path), "--rounds", str(blocks))
    assert again["ev"] == found["ev"]
    assert again["rounds"] == blocks


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("wsgc-spanish-21", "--rounds", "many"),
            "rounds = many: must be a whole number, 0 or more",
        ),
        (("wsgc-spanish-21", "--rounds", "0.5"), "must be a whole number, 0 or more"),
        (("wsgc-spanish-21", "--rounds", "-5"), "must be a whole number, 0 or more"),
        (("wsgc-spanish-21", "--rounds", "1e999999999"), "must be a whole number, 0 or more"),
        (("wsgc-spanish-21", "--errors", "1e-999999999"), "errors = 1e-999999999: not a share"),
        (("wsgc-spanish-21", "--until", "0"), "until = 0: a standard error must be above zero"),
        (("wsgc-spanish-21", "--spots", "0"), "this table has 7 spots"),
        (("wsgc-spanish-21", "--side", "up=five"), "side up: 'five' isn't an amount"),
        (("wsgc-spanish-21", "--base", "ten"), "base: 'ten' isn't an amount"),
        (
            ("casino-card", "--side", "all", "--meter", "-5"),
            "meter: an amount can't be negative ('-5')",
        ),
        (("casino-card", "--meter", "5000"), "meter = 5000: no jackpot wager is placed (R-085)"),
        (("wsgc-spanish-21", "--session", "2000000"), "are too few for one session"),
        (("wsgc-spanish-21", "--fall", "50"), "this needs a session length. Add --session 500"),
        (("wsgc-spanish-21", "--dask", "nowhere"), "dask = nowhere: not an address"),
        (("wsgc-spanish-21", "--dask", "local:0"), "must be a number of workers"),
        (("wsgc-spanish-21", "--until", "fast"), "until = fast: not a share"),
        (("wsgc-spanish-21", "--errors", "200%"), "must be from 0% to 100%"),
        (("wsgc-spanish-21", "--side", "left=5"), "this wager isn't offered"),
        (("wsgc-spanish-21", "--side", "up=1000"), "must be from $1.00 to $300.00"),
        (("wsgc-spanish-21", "--base", "1"), "The base wager must be from $5.00 to $300.00"),
        (("wsgc-spanish-21", "--shoe", "old"), "Use cut-card or fresh"),
        (("wsgc-spanish-21", "--strategy", "best"), "there is no such strategy"),
        (("wsgc-spanish-21", "--strategy", "no.toml"), "no.toml"),
        (("wsgc-spanish-21", "--count", "ten"), "there is no such count"),
        (("wsgc-spanish-21", "--threads", "-1"), "must be a number of threads"),
        (("wsgc-spanish-21", "--spots", "9"), "this table has 7 spots"),
        (("wsgc-spanish-21", "--save", "nowhere/run.ckpt"), "its folder doesn't exist"),
        (("wsgc-spanish-21", "--dask", "local:x"), "must be a number of workers"),
        (("--resume", "nothing.ckpt"), "nothing.ckpt"),
        (("no-such-rules",), "no-such-rules"),
    ],
)
def test_bad_input_gets_one_clear_message(words: tuple[str, ...], message: str) -> None:
    done = run("simulate", *words)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


def test_a_fixed_jackpot_wager_is_not_changed() -> None:
    rules = "wsgc-2021(jackpots=3c:1:wager=5)"
    done = run("simulate", rules, "--side", "jackpot-1=2")
    assert done.code == 2
    assert "the wager is fixed at $5.00 (R-085)" in done.err


EVERY_OPTION = {
    "strategy": "habits",
    "spots": "2",
    "base": "10",
    "side": "all",
    "shoe": "fresh",
    "errors": "1%",
    "count": "level-one",
    "session": "100",
    "fall": "20",
    "meter": "5000",
    "seed": "9",
    "rounds": "2000",
}
EVERY_FLAG = ("details", "regret")
EVERY_FOLDER = ("csv", "parquet", "plot")


def test_the_command_printed_repeats_every_option(tmp_path: Path) -> None:
    parameters = {*signature(simulate).parameters, *SimulationSettings.options()} - {"settings"}
    repeated = {*EVERY_OPTION, *EVERY_FLAG, *EVERY_FOLDER, "json", "rules"}
    assert parameters == repeated | set(NOT_REPEATED)
    assert not repeated & set(NOT_REPEATED)
    rules = "wsgc-2021(jackpots=3c:1:wager=5:seed=1000)"
    words = [
        rules,
        *(word for name, value in EVERY_OPTION.items() for word in (f"--{name}", value)),
    ]
    words += [f"--{name}" for name in EVERY_FLAG]
    for name in EVERY_FOLDER:
        words += [f"--{name}", str(tmp_path / name)]
    first = data(*words)
    command = shlex.split(first["command"])
    for name, value in EVERY_OPTION.items():
        assert command[command.index(f"--{name}") + 1] == value
    for name in (*EVERY_FLAG, *EVERY_FOLDER):
        assert f"--{name}" in command
    assert command[-1] == "--json"
    assert without_time(data(*command[2:-1])) == without_time(first)


def test_n0_of_the_base_game_ignores_other_wagers() -> None:
    found = data("wsgc-spanish-21", "--rounds", "1e6", "--side", "all", "--strategy", "mimic")
    assert found["n0"] == pytest.approx((found["sd"] / found["ev"]) ** 2)
    assert found["total_n0"] == pytest.approx((found["total_sd"] / found["total_ev"]) ** 2)
    words = ("simulate", "wsgc-spanish-21", "--rounds", "1e6", "--side", "all")
    text = run(*words, "--strategy", "mimic").out
    base_game, wagers = text.split("Wagers\n")
    assert f"{found['n0']:,.0f}" in base_game
    assert f"{found['total_n0']:,.0f}" in wagers


def test_json_never_contains_infinity() -> None:
    def never(word: str) -> None:
        raise AssertionError(word)

    words = ("--rounds", "1", "--session", "1", "--fall", "5", "--regret", "--details")
    done = run("simulate", "wsgc-spanish-21", *words, "--side", "all", "--json")
    assert done.code == 0, done.err
    json.loads(done.out, parse_constant=never)


def test_a_result_is_printed_though_its_files_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "wagers.csv").mkdir()
    (tmp_path / "distribution.svg").mkdir()
    words = ("super-fun-21", "--rounds", "1000", "--csv", str(tmp_path), "--plot", str(tmp_path))
    done = run("simulate", *words)
    assert done.code == 2
    assert "house edge" in done.out
    for name in ("wagers.csv", "distribution.svg"):
        assert f"error: file not written: {tmp_path / name}: Is a directory" in done.err
    assert (tmp_path / "events.csv").read_text(encoding="utf-8")
    assert (tmp_path / "convergence.svg").read_text(encoding="utf-8")


def test_a_result_is_printed_though_its_checkpoint_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", str(path))

    path = tmp_path / "run.ckpt"
    monkeypatch.setattr("ventiuna.simulation.checkpoint.write_file", full)
    done = run("simulate", "super-fun-21", "--rounds", "2000000", "--save", str(path), "--json")
    assert done.code == 2
    assert done.data["rounds"] == 2_000_000
    assert "Checkpoint not written; the run continues: " in done.err
    assert f"error: file not written: {path}: No space left on device" in done.err


def test_an_unwritable_file_is_refused_before_the_first_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("ventiuna.files._new_beside", read_only)
    for command, option in (
        ("simulate", "--save"),
        ("simulate", "--csv"),
        ("simulate", "--plot"),
        ("certify", "--folder"),
    ):
        path = tmp_path / option
        done = run(command, "blackjack", option, str(path))
        assert done.code == 2
        assert f"{path}: Permission denied" in done.err
        assert done.out == ""


# --- certify ----------------------------------------------------------------------------------


def test_starting_hands_and_decisions_are_printed_on_request() -> None:
    words = ("super-fun-21", "--rounds", "2000")
    assert not {"starts", "decisions"} & set(data(*words))
    found = data(*words, "--details")
    assert sum(line["rounds"] for line in found["starts"]) == 2000
    assert sum(line["visits"] for line in found["decisions"]) >= 1800


def test_a_folder_that_is_a_file_is_refused_before_the_first_card(tmp_path: Path) -> None:
    path = tmp_path / "taken"
    path.write_text("mine", encoding="utf-8")
    for words, fix in (
        (("simulate", "blackjack", "--csv"), "Name a folder, or a file that ends in .csv."),
        (("certify", "blackjack", "--folder"), "Name a folder."),
    ):
        done = run(*words, str(path))
        assert done.code == 2
        assert f"a file with this name already exists. {fix}" in " ".join(done.err.split())
    assert path.read_text(encoding="utf-8") == "mine"


def test_certify_writes_a_page_and_data(tmp_path: Path) -> None:
    words = ("certify", "super-fun-21", "--rounds", "300k", "--lockstep", "300")
    done = run(*words, "--folder", str(tmp_path))
    assert done.code == 0, done.err
    assert "agreement: exact analysis, kernel and engine give the same results" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    [page] = tmp_path.glob("certificate-super-fun-21-*-optimal.html")
    [found] = tmp_path.glob("*.json")
    facts = json.loads(found.read_text(encoding="utf-8"))
    assert facts["agrees"] is True
    assert facts["lockstep_rounds"] == 300
    assert facts["fingerprint"] in page.read_text(encoding="utf-8")


def test_an_unwritable_page_doesnt_prevent_other_files(tmp_path: Path) -> None:
    stem = f"certificate-super-fun-21-{fingerprint(load_rules('super-fun-21'))}-mimic"
    page = tmp_path / f"{stem}.html"
    page.mkdir()
    words = ("--rounds", "100k", "--lockstep", "100", "--strategy", "mimic")
    done = run("certify", "super-fun-21", *words, "--folder", str(tmp_path))
    assert done.code == 2
    assert "agreement: exact analysis, kernel and engine give the same results" in done.out
    assert "written:" not in done.out
    assert done.err == f"error: file not written: {page}: Is a directory\n"
    assert json.loads((tmp_path / f"{stem}.json").read_text(encoding="utf-8"))["agrees"] is True


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--rounds", "1000"), "rounds = 1000: a certificate needs at least 100,000 rounds"),
        (("--lockstep", "0"), "lockstep = 0: a certificate needs at least 100 rounds"),
        (("--threads", "-1"), "workers = -1: the number of threads can't be negative"),
        (("--base", "ten"), "base: 'ten' isn't an amount"),
        (("--strategy", "best"), "there is no such strategy"),
    ],
)
def test_a_certificate_for_no_rounds_is_refused(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    done = run("certify", "super-fun-21", *words, "--folder", str(tmp_path))
    assert done.code == 2
    assert message in done.err
    assert list(tmp_path.iterdir()) == []


def test_certify_fails_if_the_three_disagree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong analyzer is detected, and the exit code reflects it."""
    from ventiuna.analysis.side_bets.insurance import blackjack_frequencies
    from ventiuna.proof import certificate

    def wrong(rules: Any) -> Any:
        found = blackjack_frequencies(rules)
        return type(found)(**{**_parts(found), "dealer": found.dealer * 2})

    monkeypatch.setattr(certificate, "blackjack_frequencies", wrong)
    words = ("certify", "super-fun-21", "--rounds", "100k", "--lockstep", "100")
    done = run(*words, "--folder", str(tmp_path), "--json")
    assert done.code == 1
    assert done.data["agrees"] is False
    assert done.data["verdict"].startswith("DISAGREEMENT: 1 figures differ: dealer")


def _parts(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__slots__}
