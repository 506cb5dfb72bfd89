"""`ventiuna sidebets`, `jackpot` and `figures` on the command line."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ventiuna.analysis import figures as analysis_figures
from ventiuna.cli import main

WIDTH = 80


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COLUMNS", str(WIDTH))

    def command(line: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(shlex.split(line))
        output = capsys.readouterr()
        code = left.value.code
        return (code if isinstance(code, int) else 0), output.out, output.err

    return command


def data_of(run: Any, line: str) -> Any:
    code, out, err = run(line)
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.mark.parametrize(
    "line",
    [
        "sidebets wsgc-2021",
        "sidebets 'wsgc-2021(decks=8,mtd_configuration=4,bonus_cards=5)' --players 7 --base 25",
        "sidebets super-fun-21",
        "sidebets blackjack",
        "sidebets casino-card --without 'As As 7h Kd'",
        "jackpot casino-card --meter 5000 --players 7",
        "jackpot wsgc-2021 --table 4d --pay-table 7 --alternate 1 --prize 500 --wager 5",
        "jackpot 'wsgc-2021(decks=2)' --table 4a",
        "figures",
    ],
)
def test_output_fits_80_columns_and_shows_the_command(run: Any, line: str) -> None:
    code, out, err = run(line)
    assert (code, err) == (0, "")
    body, _, again = out.rstrip().rpartition("\nTo repeat: ")
    assert max(map(len, body.splitlines())) <= WIDTH
    assert again.startswith("ventiuna ")
    assert "\x1b" not in out


@pytest.mark.parametrize(
    "line",
    [
        "sidebets wsgc-2021 --stakes up=5,down=2 --players 3 --base 5,25,10 --without '7s 7s'",
        "jackpot wsgc-2021 --table 5c --pay-table 2 --prize 100 --meter 25000 --players 2",
        "jackpot casino-card --game 1 --without 'As Ks'",
    ],
)
def test_the_printed_command_repeats_the_result(run: Any, line: str) -> None:
    _, out, _ = run(line)
    again = out.rstrip().rpartition("\nTo repeat: ")[2]
    words = shlex.split(again)
    assert words[0] == "ventiuna"
    assert run(shlex.join(words[1:]))[1] == out
    data = data_of(run, f"{line} --json")
    assert shlex.split(data["command"]) == [*words, "--json"]


def test_sidebets_as_json(run: Any) -> None:
    data = data_of(run, "sidebets wsgc-2021 --players 2 --base 25 --json")
    assert data["rules"] == "wsgc-2021"
    assert len(data["fingerprint"]) == 16
    match = data["match_the_dealer"]
    assert match["house_edge"] == {"exact": "114/3731", "value": 114 / 3731}
    assert sum(Fraction(o["probability"]["exact"]) for o in match["outcomes"]) == 1
    together = data["match_the_dealer_together"]["distribution"]
    assert sum(Fraction(row["probability"]["exact"]) for row in together) == 1
    (bonus,) = data["super_bonus"]
    assert bonus["event_one_in"] == 668382
    assert [spot["super_bonus_cents"] for spot in bonus["spots"]] == [500_000, 500_000]
    assert data["insurance"][0]["expected_value"]["exact"] == "-71/287"
    assert data["blackjacks"]["player"]["exact"] == "12/287"
    assert data["jackpots"] == []


def test_sidebets_of_rules_without_side_bets(run: Any) -> None:
    data = data_of(run, "sidebets super-fun-21 --json")
    assert data["match_the_dealer"] is None
    assert data["super_bonus"] == []
    assert data["blackjacks"]["player_diamonds"]["exact"] == "2/663"


def test_insurance_rows_need_their_cards_in_the_shoe(run: Any) -> None:
    gone = " ".join(["As Ah Ad Ac 5c"])
    data = data_of(run, f"sidebets super-fun-21 --without '{gone}' --json")
    assert data["insurance"] == []
    data = data_of(run, "sidebets super-fun-21 --without 'As 5c' --json")
    assert [row["up_card"] for row in data["insurance"]] == ["Ah"] * 3


def test_jackpot_as_json(run: Any) -> None:
    line = "jackpot wsgc-2021 --table 3c --pay-table 1 --meter 25000 --players 2 --json"
    data = data_of(run, line)
    assert data["rules"] == "wsgc-2021(jackpots=3c:1)"
    assert data["published_house_advantage"] == "24.19 %"
    assert data["printed_house_advantage"]["value"] == pytest.approx(0.241914, abs=5e-7)
    assert data["lines"][0]["frequency"]["exact"] == "5/984984"
    assert data["break_even_meter_cents"] == 15_618_60
    assert data["at_meter"]["meter_cents"] == 25_000_00
    assert [seat["seat"] for seat in data["awards"]["seats"]] == [1, 2]


def test_house_jackpot_is_worth_its_posted_amount(run: Any) -> None:
    rules = "'wsgc-2021(jackpots=3c:1:kind=house:seed=1000)'"
    assert data_of(run, f"jackpot {rules} --json")["at_meter"]["meter_cents"] == 1_000_00


def test_an_unset_prize_is_reported_as_zero(run: Any) -> None:
    assert "Set it with --prize" in run("jackpot wsgc-2021 --table 5c")[1]
    assert "Set it with --prize" not in run("jackpot wsgc-2021 --table 5c --prize 9")[1]
    assert "Set it with --prize" not in run("jackpot wsgc-2021 --table 3c")[1]


def test_figures_as_json(run: Any) -> None:
    data = data_of(run, "figures --json")
    assert data["unexplained"] == 0
    assert data["count"] == len(data["figures"]) >= 252
    standings = [row["standing"] for row in data["figures"]]
    assert {name: standings.count(name) for name in data["counts"]} == data["counts"]
    assert all(row["disputed"] for row in data["figures"] if row["standing"] == "differs")


@pytest.mark.parametrize("flag", ["", " --json"])
def test_a_figure_that_differs_gives_exit_code_1(
    run: Any, monkeypatch: pytest.MonkeyPatch, flag: str
) -> None:
    found = analysis_figures.published_figures()
    right = found.sections()["Jackpots, printed house advantage"][0]
    wrong = replace(right, ours="99.99 %", equal=False)
    others = tuple(figure for figure in found.figures if figure is not right)
    changed = analysis_figures.FigureList((wrong, *others))
    monkeypatch.setattr(analysis_figures, "published_figures", lambda: changed)
    code, out, err = run(f"figures{flag}")
    assert (code, err) == (1, "")
    if flag:
        assert json.loads(out)["unexplained"] == 1
    else:
        equal = sum(figure.equal for figure in others)
        assert f"{equal} matching every published digit" in " ".join(out.split())
        assert "differs: Jackpots, printed house advantage" in out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sidebets nowhere", "no such preset"),
        ("sidebets wsgc-2021 --stakes b1=5", "They offer: up, down."),
        ("sidebets wsgc-2021 --stakes up", "write each as wager=amount, such as up=5"),
        ("sidebets wsgc-2021 --stakes up=x", "isn't an amount in dollars"),
        ("sidebets blackjack --stakes up=5", "these rules offer no Match the Dealer wager"),
        ("sidebets wsgc-2021 --players 8", "this table seats 1 to 7 players (O-02)"),
        ("sidebets wsgc-2021 --players 3 --base 5,25", "2 base wagers for 3 players (R-069)"),
        ("sidebets wsgc-2021 --without Ts", "card Ts: the shoe has 0 left"),
        ("jackpot wsgc-2021", "Name a table: 3c, 4d, 5c, casino-card."),
        ("jackpot super-fun-21", "these rules have no jackpot game (R-084)"),
        ("jackpot wsgc-2021 --table 3a", "table 3a is for Spanish 21 with 4 decks"),
        ("jackpot wsgc-2021 --table 3c --pay-table 9", "table 3c has pay tables 1 to 8"),
        ("jackpot wsgc-2021 --table 5c --alternate 1", "table 5c has no alternate lines"),
        ("jackpot wsgc-2021 --table 3d --alternate 3", "table 3d has only alternate 1 or 2"),
        ("jackpot wsgc-2021 --pay-table 3", "Name a table."),
        ("jackpot wsgc-2021 --table 3c --game 1", "can't be combined with a table"),
        ("jackpot casino-card --game 2", "these rules have 1 jackpot game"),
        ("jackpot casino-card --meter x", "isn't an amount in dollars"),
        ("jackpot casino-card --players 0", "this table seats 1 to 7 players"),
        ("jackpot wsgc-2021 --table 3c --wager 50", "from $1.00 to $20.00"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(run: Any, line: str, message: str) -> None:
    code, out, err = run(line)
    assert code == 2
    assert out == ""
    assert message in err
    assert err.startswith("error: ")
    assert "Traceback" not in err


def test_the_remaining_shoe_counts(run: Any) -> None:
    """Two kings of spades, an ace and two nines are left: with the ace up, two of four cards are
    faces."""
    data = data_of(run, "sidebets wsgc-2021 --shoe 'Ks:2 As:1 9s:2' --json")
    assert data["cards"] == 5
    assert data["insurance"][0]["win_frequency"]["exact"] == "1/2"
    assert data["strategy_class"] == "none: side bets involve no decisions"
    jackpot = data_of(run, "jackpot wsgc-2021 --table 3c --shoe 'As:3 9s:1' --json")
    line = jackpot["lines"][0]  # up card and hand take three of the four cards
    assert line["frequency"]["exact"] == "1/4"
    assert jackpot["command"].endswith("--shoe 'As:3 9s:1' --json")
