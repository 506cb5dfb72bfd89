"""`ventiuna strategy` on the command line."""

from __future__ import annotations

import json
import shlex
import tomllib
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.analysis.charts.studied import DOUBLE_DOUBLE, PUBLISHED, SPANISH, derived, priced
from tests.cli.running import good, run


def test_text_has_the_chart_its_price_and_how_to_repeat_it() -> None:
    out = good("strategy", SPANISH)
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    chart = derived(SPANISH)
    assert lines[0] == chart.title
    joined = " ".join(out.split())
    assert chart.price_sentence in joined
    assert chart.strategy_class in joined
    assert f"fingerprint {chart.fingerprint}" in joined
    assert lines[-1] == f"To repeat: ventiuna strategy {SPANISH}"
    assert "hard 14  3   H     4-5-5" in out


def test_json_has_all_digits_and_the_command() -> None:
    data = run("strategy", "wsgc-spanish-21(decks=6)", "--json").data
    chart = derived(SPANISH)
    assert data["ev"] == chart.ev
    assert data["optimal_ev"] == chart.optimal_ev
    assert data["cost"] == pytest.approx(data["optimal_ev"] - data["ev"], abs=1e-15)
    assert data["fingerprint"] == chart.fingerprint
    assert data["strategy_class"] == chart.strategy_class
    assert data["command"] == f"ventiuna strategy {SPANISH} --json"
    assert data["chart"]["hard"]["11"] == ["D4", "D", "D", "D", "D", "D4", "D4", "D4", "D3", "D3"]
    assert len(data["chart"]["pairs"]) == 10
    assert data["worst"][0]["hands"][0] == asdict(chart.worst[0].hands[0])
    again = run(*shlex.split(data["command"])[1:]).data
    assert again == data


def test_json_is_written_to_the_given_file(tmp_path: Path) -> None:
    place = tmp_path / "chart.pdf"
    done = run("strategy", SPANISH, "--json", "-o", str(place))
    assert (done.code, done.out) == (0, "")
    assert json.loads(place.read_text(encoding="utf-8"))["ev"] == derived(SPANISH).ev


def test_the_file_name_determines_the_format(tmp_path: Path) -> None:
    begins = {
        "chart.pdf": b"%PDF-",
        "chart.svg": b"<?xml",
        "chart.html": b"<!doctype html>",
        "chart.toml": b"# Rules",
        "chart.txt": b"Spanish 21:",
    }
    for name, begin in begins.items():
        place = tmp_path / name
        done = run("strategy", SPANISH, "--output", str(place))
        assert (done.code, done.out) == (0, "")
        assert done.err == f"written to {place}\n"
        assert place.read_bytes().startswith(begin)


def test_an_explicit_format_wins_and_prints_to_standard_output(tmp_path: Path) -> None:
    chart = tomllib.loads(good("strategy", SPANISH, "--format", "toml"))
    assert chart["title"] == derived(SPANISH).chart.title
    assert good("strategy", SPANISH, "--format", "svg").startswith("<?xml")
    place = tmp_path / "page"
    run("strategy", SPANISH, "--format", "html", "-o", str(place), "--paper", "letter")
    assert "--format html --paper letter" in place.read_text(encoding="utf-8")


def test_a_users_own_chart_is_priced(tmp_path: Path) -> None:
    place = tmp_path / "mine.toml"
    run("strategy", SPANISH, "-o", str(place))
    data = run("strategy", SPANISH, "--chart", str(place), "--json").data
    assert data["ev"] == derived(SPANISH).ev
    other = run("strategy", DOUBLE_DOUBLE, "--chart", str(place), "--json").data
    assert other["cost"] > 0.003
    known = run("strategy", SPANISH, "--chart", PUBLISHED, "--json").data
    assert known["ev"] == priced(SPANISH, PUBLISHED).ev


def test_a_wager_and_the_worth_of_a_sign_are_repeated_in_the_command() -> None:
    data = run("strategy", SPANISH, "--base", "25", "--worth", "0.0003", "--json").data
    assert data["base_cents"] == 2500
    assert data["super_bonus"] is True
    assert data["signs"] < derived(SPANISH).signs
    assert data["command"] == f"ventiuna strategy {SPANISH} --base 25 --worth 0.0003 --json"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--format", "pdf"], "a PDF can't be printed to the terminal. Name a file with --output"),
        (["--worth", "little"], "worth = little: not a number of percentage points"),
        (["--worth", "-1"], "worth = -1: not a number of percentage points"),
        (["--worth", "nan"], "worth = nan: not a number of percentage points"),
        (["--base", "0"], "base = $0.00: a wager must be above zero (R-003)"),
        (["--base", "-5"], "an amount can't be negative ('-5')"),
        (["--chart", PUBLISHED, "--worth", "1"], "worth: it applies only to derived charts"),
        (["--chart", "nobody"], "chart = nobody: there is no such chart"),
        (["--chart", "nowhere.toml"], "nowhere.toml: No such file or directory"),
    ],
)
def test_an_error_is_one_line(words: list[str], message: str) -> None:
    done = run("strategy", SPANISH, *words)
    assert done.code == 2
    assert done.out == ""
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_every_problem_of_a_chart_file_is_reported(tmp_path: Path) -> None:
    place = tmp_path / "bad.toml"
    text = good("strategy", SPANISH, "--format", "toml")
    text = text.replace('"12"     = "H', '"12"     = "Q').replace('"77"', '"7-7"')
    text = text.replace('blackjack = "take"', 'blackjack = "keep"')
    place.write_text(text, encoding="utf-8")
    done = run("strategy", SPANISH, "--chart", str(place))
    assert done.code == 2
    assert "hard.12 against 2 = Q: not a cell" in done.err
    assert "blackjack = keep" in done.err


def test_nothing_is_written_to_an_unwritable_path(tmp_path: Path) -> None:
    done = run("strategy", SPANISH, "-o", str(tmp_path / "no" / "chart.svg"))
    assert done.code == 2
    assert "No such file or directory" in done.err


def test_an_invalid_chart_file_is_refused_before_any_work(tmp_path: Path) -> None:
    file = tmp_path / "chart.docx"
    refused = run("strategy", SPANISH, "--output", str(file))
    assert refused.code == 2
    assert "a chart can't be written to this kind of file" in refused.err
    assert not file.exists()
    assert run("strategy", SPANISH, "--output", str(file), "--format", "text").code == 0
    assert file.read_text(encoding="utf-8").startswith(derived(SPANISH).title)


def test_the_chart_page_describes_each_cell() -> None:
    page = run("strategy", "wsgc-2021", "--chart", "spanish-21-h17", "--json").data["page"]
    assert page["ups"] == ["2", "3", "4", "5", "6", "7", "8", "9", "face", "A"]
    hard, soft, pairs = page["sections"][:3]
    fourteen = next(row for row in hard["rows"] if row["label"] == "14")
    cell = fourteen["cells"][2]
    assert cell["text"].startswith(cell["play"])
    assert cell["sentence"].startswith("Hard 14 against a 4: stand; with 4 or more cards, hit")
    assert [row["label"] for row in pairs["rows"]][-2:] == ["face", "A-A"]
    assert soft["rows"][0]["cells"][8]["sentence"].startswith("AA")
    assert "against a face card: hit." in soft["rows"][0]["cells"][8]["sentence"]
    doubled = page["sections"][3]
    sentences = [cell["sentence"] for row in doubled["rows"] for cell in row["cells"]]
    assert any("after one double against" in sentence for sentence in sentences)
    assert any(sentence.endswith("rescue.") for sentence in sentences)
