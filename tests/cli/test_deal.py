"""`ventiuna deal`: rounds with a simple player, as text that `settle` reads."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import PROGRAM, good, run
from ventiuna.notation import differences, read_rounds, replay
from ventiuna.rules import preset_ids

SIDES = {"wsgc-2021": ("--side", "up=5,down=5"), "catfish-bend": ("--side", "up=5")}


@pytest.mark.parametrize("preset", preset_ids())
def test_dealt_rounds_can_be_settled_and_agree(preset: str, tmp_path: Path) -> None:
    options = ("--seed", "7", "--rounds", "5", "--spots", "3", "--jackpots")
    text = good("deal", preset, *options, *SIDES.get(preset, ()))
    records = read_rounds(text)
    assert len(records) == 5
    assert all(len(record.spots) == 3 for record in records)
    for record in records:
        assert differences(replay(record)) == []
    file = tmp_path / "rounds.txt"
    file.write_text(text, encoding="utf-8")
    assert "5 agree" in good("settle", str(file), "--brief")


def test_the_seed_determines_the_cards() -> None:
    first = good("deal", "wsgc-2021", "--seed", "1", "--rounds", "3")
    assert good("deal", "wsgc-2021", "--seed", "1", "--rounds", "3") == first
    assert good("deal", "wsgc-2021", "--seed", "2", "--rounds", "3") != first


def test_meters_carry_over_from_round_to_round() -> None:
    rules = "wsgc-2021(jackpots=3c:1:seed=1000)"
    one, two = read_rounds(good("deal", rules, "--rounds", "2", "--jackpots"))
    assert one.meters == ((100000, 0),)
    assert one.meters_after is not None
    assert [cents for cents, _ in two.meters] == list(one.meters_after)


def test_json_holds_the_same_rounds() -> None:
    text = good("deal", "super-fun-21", "--seed", "3", "--rounds", "4")
    data = run("deal", "super-fun-21", "--seed", "3", "--rounds", "4", "--json").data
    assert [entry["notation"] for entry in data["rounds"]] == [
        block + "\n" for block in text.strip().split("\n\n")
    ]
    assert data["rules"] == "super-fun-21"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--base", "x"), "--base: 'x' isn't an amount"),
        (("--base", "-5"), "--base: an amount can't be negative ('-5')"),
        (
            ("--base", "1"),
            "The base wager must be from $5.00 to $300.00, not $1.00. (R-002, R-003)",
        ),
        (("--base", "7.50"), "The base wager must be a multiple of $1.00, not $7.50. (O-18)"),
        (("--side", "up"), "--side up: write a wager with its amount, such as up=5"),
        (("--side", "up=x"), "--side up: 'x' isn't an amount"),
        (("--side", "b1=5"), "This table doesn't offer the Match the Dealer Bonus Card 1 wager"),
    ],
)
def test_a_wrong_option_is_reported(options: tuple[str, ...], words: str) -> None:
    done = run("deal", "wsgc-2021", *options)
    assert done.code == 2
    assert done.out == ""
    assert words in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("option", ["--rounds", "--spots", "--seed"])
def test_numbers_out_of_range_are_refused(option: str) -> None:
    assert run("deal", "wsgc-2021", option, "x").code == 2
    if option != "--seed":
        assert run("deal", "wsgc-2021", option, "0").code == 2


def long_deal() -> subprocess.Popen[bytes]:
    words = ["deal", "wsgc-2021", "--rounds", "1000000"]
    return subprocess.Popen([*PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_closed_pipe_ends_it_silently() -> None:
    with long_deal() as dealing:
        assert dealing.stdout is not None
        assert dealing.stderr is not None
        assert dealing.stdout.readline() == b"round 1\n"
        dealing.stdout.close()
        assert dealing.stderr.read() == b""
        assert dealing.wait() != 0


def test_ctrl_c_ends_it_silently() -> None:
    with long_deal() as dealing:
        assert dealing.stdout is not None
        dealing.stdout.readline()
        dealing.send_signal(signal.SIGINT)
        _, err = dealing.communicate()
        assert (dealing.returncode, err) == (130, b"")
