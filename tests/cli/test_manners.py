"""The program under bad conditions: full disks, narrow screens, strange input, endless input."""

import csv
import json
import os
import subprocess
import sys
import tomllib
import warnings
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from rich.padding import Padding
from rich.text import Text

import ventiuna
from tests.cli.running import PROGRAM, Outcome, good, run
from ventiuna.analysis.charts.page import chart_toml, page_of
from ventiuna.analysis.charts.render import chart_html, chart_svg, chart_text
from ventiuna.cli import main
from ventiuna.cli.common.console import console, plain_table
from ventiuna.cli.common.stdio import print_warnings
from ventiuna.strategy.chart import built_in_charts
from ventiuna.texts import csv_cell, json_text, markup_text, one_line, toml_text

RULES = "wsgc-spanish-21"
HOSTILE = "Table \x1b[31m\x07\x9b2J\u202e\x7f <&> \"q\" 'r' é"


def with_input(text: str | bytes, *words: str, **environment: str) -> Outcome:
    done = subprocess.run(
        [*PROGRAM, *words],
        input=text if isinstance(text, bytes) else text.encode(),
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
        timeout=120,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def is_safe(text: str) -> bool:
    return all(char.isprintable() or char == "\n" for char in text)


# --- full, closed, or interrupted standard output ---------------------------------------------


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words", ["--version", "--help", "rules list", "rules list --json", f"deal {RULES}", "play"]
)
def test_a_full_disk_is_one_sentence(words: str, unbuffered: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, *words.split()],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert done.returncode == 2
    assert done.stderr == b"error: standard output: No space left on device\n"


def test_a_full_disk_on_both_streams_gives_an_exit_code() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "rules", "list"], stdout=full, stderr=full, check=False, timeout=120
        )
    assert done.returncode == 2


INTERRUPTING = """
import sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
from ventiuna.cli import main
main({words!r})
"""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("typer", ["rules", "list"]),
        ("typer.rich_utils", ["--help"]),
        ("ventiuna.cli.play", ["play"]),
        ("ventiuna.rules.validation", ["rules", "list"]),
        ("ventiuna.kernels.jit", ["edge", RULES]),
        ("ventiuna.kernels.jit", ["simulate", RULES, "--rounds", "1000"]),
        ("ventiuna.kernels.exact.game", ["strategy", RULES]),
    ],
)
def test_an_interrupt_while_something_loads_has_no_traceback(name: str, words: list[str]) -> None:
    script = INTERRUPTING.format(name=name, words=words)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert done.stdout == ""
    assert done.stderr.count("\n") <= 1
    assert "Traceback" not in done.stderr


def test_almost_nothing_is_loaded_before_interrupts_are_handled() -> None:
    script = (
        "import sys; before = set(sys.modules); from ventiuna.cli import main; "
        "print(*sorted(set(sys.modules) - before))"
    )
    home = Path(ventiuna.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-S", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(home)},
    )
    assert done.stdout.split() == ["__future__", "ventiuna", "ventiuna.cli"]


# --- narrow screens ---------------------------------------------------------------------------


@pytest.mark.parametrize("columns", ["1", "3", "12"])
@pytest.mark.parametrize(
    "words",
    [
        "rules show wsgc-2021(jackpots=3c:1)",
        "rules procedure wsgc-2021(jackpots=3c:1)",
        "rules diff wsgc-2021 super-fun-21",
        "rules card casino-card",
        f"sidebets {RULES}",
    ],
)
def test_a_narrow_screen_works_to_the_end(
    words: str, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", columns)
    assert 0 < len(good(*words.split())) < 100_000


# --- text from outside ------------------------------------------------------------------------


@pytest.fixture
def hostile_file(tmp_path: Path) -> str:
    file = tmp_path / "e\x1b[31m\x9b2J.toml"
    file.write_text(f'extends = "{RULES}"\ntitle = "Café"\n', encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    "words",
    [
        "rules show",
        "rules check",
        "rules card",
        "rules procedure",
        "rules show --json",
        "deal",
        "deal --json",
        "sidebets",
        "sidebets --json",
        "jackpot --table 3c",
    ],
)
def test_no_file_name_reaches_the_terminal_unescaped(words: str, hostile_file: str) -> None:
    command, *options = words.split()
    if command == "rules":
        command, *options = f"{command} {options[0]}", *options[1:]
    done = run(*command.split(), hostile_file, *options)
    assert done.out + done.err
    assert is_safe(done.out + done.err)


def test_the_console_escapes_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    out = console()
    table = plain_table("", HOSTILE)
    table.add_row(HOSTILE, "1")
    for printed in (HOSTILE, Text(HOSTILE), table, Padding(HOSTILE, (0, 0, 0, 2))):
        out.print(printed)
        shown = capsys.readouterr().out
        assert is_safe(shown)
        assert r"\x1b[31m" in shown


@pytest.mark.parametrize("words", ["play", "play --json"])
def test_names_at_the_table_are_escaped(words: str, hostile_file: str) -> None:
    done = with_input("?\nr\n", *words.split(), hostile_file)
    assert is_safe(done.out + done.err)


@pytest.mark.parametrize(
    "words",
    [
        ["\x1b[31m"],
        ["rules", "\x1b[31m"],
        ["rules", "show", "--\x1b[31m"],
        ["deal", "x", "\x1b[1m"],
    ],
)
def test_invalid_input_is_escaped(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    assert "\x1b" not in "".join(capsys.readouterr())


def test_terminals_use_one_escape_function() -> None:
    assert one_line("plain é ♠") == "plain é ♠"
    assert one_line("a\x1b[31m\r\n\x9b\u202e") == r"a\x1b[31m\r\n\x9b\u202e"
    assert one_line("caf\udcc3\udca9") == "café"  # a name in bytes, as a C locale reads it
    assert one_line("\udcff") == r"\udcff"


def test_json_stays_valid_whatever_it_contains() -> None:
    data = {"a": [float("inf"), -float("inf"), float("nan"), 1.5, (2,)], "t": HOSTILE, 3: None}
    text = json_text(data)
    assert is_safe(text)

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    read = json.loads(text, parse_constant=refuse)
    assert read == {"a": [None, None, None, 1.5, [2]], "t": HOSTILE, "3": None}


def test_toml_and_markup_can_contain_any_text() -> None:
    for text in (HOSTILE, "\U000e0001", "a\nb", '"""', "\\", "\ud800"):
        read = tomllib.loads(f"t = {toml_text(text)}")["t"]
        assert read == text.replace("\ud800", "\ufffd")
        element = ElementTree.fromstring(f'<a b="{markup_text(text)}">{markup_text(text)}</a>')
        assert element.text == element.get("b") == one_line(text)


def test_a_chart_with_a_hostile_title_is_valid_in_every_format() -> None:
    chart = built_in_charts()["spanish-21-h17"]
    named = type(chart)(**{**chart.__dict__, "title": HOSTILE, "source": HOSTILE})
    page = page_of(named, subtitle=HOSTILE, notes=[HOSTILE], footer=[HOSTILE])
    ElementTree.fromstring(chart_svg(page))
    assert is_safe(chart_svg(page))
    assert is_safe(chart_html(page))
    assert is_safe(chart_text(page))
    text = chart_toml(named, [f"made of {HOSTILE}\ntitle = 'another'"])
    assert is_safe(text)
    assert tomllib.loads(text)["title"] == HOSTILE


def test_a_spreadsheet_gets_no_formula(tmp_path: Path) -> None:
    for text in ("=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "-", "=", "-1+1|cmd"):
        assert csv_cell(text) == f"'{text}"
    for value in ("-5", "+15.00", "-0.25 %", "-1e-9", -5, -0.5, None, "wsgc-2021", "5 - 3", ""):
        assert csv_cell(value) == value


def test_the_csv_of_a_simulation_has_no_formulas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ventiuna.cli.common.exports import ResultOptions, write_outputs
    from ventiuna.simulation import simulate

    columns = {"name": ["=cmd", "+1.5", "ok"], "ev": [-0.5, 1.0, 2]}
    result = simulate(RULES, rounds=10)
    monkeypatch.setattr(type(result), "table", lambda result, name: columns)
    assert write_outputs(result, ResultOptions(csv=tmp_path)) == []
    with (tmp_path / "wagers.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows == [["name", "ev"], ["'=cmd", "-0.5"], ["+1.5", "1.0"], ["ok", "2"]]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_an_accent_is_readable_in_every_encoding(encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(f'extends = "{RULES}"\ntitle = "Café ±♠"\n', encoding="utf-8")
    done = subprocess.run(
        [*PROGRAM, "rules", "check", str(file)],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    title = done.stdout.decode(encoding).splitlines()[1]
    assert title == {"ascii": "Cafe +/-s", "latin-1": "Café ±s", "utf-8": "Café ±♠"}[encoding]
    as_json = subprocess.run(
        [*PROGRAM, "rules", "show", str(file), "--json"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert json.loads(as_json.stdout.decode("utf-8"))["title"] == "Café ±♠"


# --- warnings ----------------------------------------------------------------------------------


def test_a_warning_is_one_sentence_printed_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk prevents twenty kernels from being cached, all for the same reason."""
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    print_warnings()
    for sentence in ("The disk is full.", "The disk is full.", "The moon is full."):
        warnings.showwarning(sentence, UserWarning, "cache.py", 1)
    assert capsys.readouterr().err == "warning: The disk is full.\nwarning: The moon is full.\n"


# --- input that is too long, too deep, or endless ---------------------------------------------


@pytest.mark.parametrize("words", ["settle /dev/zero", "settle -"])
def test_an_endless_file_is_refused(words: str) -> None:
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [*PROGRAM, *words.split()],
            stdin=endless,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert done.returncode == 2
    assert "is larger than 100,000,000 bytes" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", ["play", "play --json"])
def test_an_endless_line_ends_the_session(words: str) -> None:
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [*PROGRAM, *words.split()],
            stdin=endless,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert "oodbye" in done.stdout


NINES = "9" * 5000
LINES = [
    f'{{"command": "PlaceWagers", "spot": 1, "base": {NINES}}}',
    f'{{"command": "PlaceWagers", "spot": {NINES[:4000]}, "base": 1000}}',
    f'{{"command": "PlaceWagers", "spot": 1, "base": 1000, "mtd": {{"up": {NINES[:4000]}}}}}',
    f'{{"command": "Insure", "spot": {NINES[:4000]}, "amount": 1e400}}',
    '{"command": "PlaceWagers", "spot": NaN, "base": Infinity}',
    '{"command": "BuyIn", "amount": -Infinity}',
    '{"a":' * 5000 + "1" + "}" * 5000,
    *(f'{{"command": "Stand", "spot": {"[" * depth}{"]" * depth}}}' for depth in range(3, 990, 60)),
    *(f'{{"command": "Stand", "spot": {"[" * depth}{"]" * depth}}}' for depth in range(930, 990)),
    "[" * 90_000,
]


def test_numbers_of_thousands_of_digits_and_deep_lists_are_refused_line_by_line() -> None:
    done = with_input("".join(f"{line}\n" for line in LINES), "play", "--json")
    assert (done.code, done.err) == (0, "")
    first, *answers, last = map(json.loads, done.out.splitlines())
    assert first["ok"]
    assert "goodbye" in last
    assert len(answers) == len(LINES)
    assert not any(answer["ok"] for answer in answers)
    assert all(len(answer["error"]["message"]) < 500 for answer in answers)


@pytest.mark.parametrize("text", [f"[{NINES}]", '{"a":' * 90_000, '[{"id": ' + NINES + "}]"])
def test_settle_refuses_such_json_in_one_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "rounds.json"
    file.write_text(text, encoding="utf-8")
    done = run("settle", str(file))
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "number that is too long" in done.err or "nested too deeply" in done.err


# --- figures of unusual shoes and tables ------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "shoe"),
    [
        *((RULES, shoe) for shoe in ("K:4", "Ks:4", "A:4", "7:8", "As:1 K:4", "2:24")),
        *(("wsgc-2021(jackpots=3c:1)", shoe) for shoe in ("Ks:4", "7:8", "As:1 K:4")),
        *(("super-fun-21(decks=2)", shoe) for shoe in ("K:4", "Ks:2 Kh:2", "7:8", "As:1 K:4")),
    ],
)
def test_side_bets_of_a_shoe_with_one_rank(rules: str, shoe: str) -> None:
    done = run("sidebets", rules, "--shoe", shoe)
    assert (done.code, done.err) == (0, "")
    data = run("sidebets", rules, "--shoe", shoe, "--json").data
    together = data["match_the_dealer_together"]
    if together and not together["standard_deviation_cents"]:
        assert together["correlation_of_two"] is None


@pytest.mark.parametrize("players", ["100000000000", "0", "-1", "8"])
@pytest.mark.parametrize("words", [f"sidebets {RULES}", "jackpot wsgc-2021 --table 3c"])
def test_more_players_than_seats_are_refused_at_once(words: str, players: str) -> None:
    done = run(*words.split(), "--players", players)
    assert done.code == 2
    assert "this table seats 1 to 7 players" in done.err


# --- settle -----------------------------------------------------------------------------------

TWO_SPOTS = """round 1
rules: wsgc-2021
dealer: 9s Kh
spot 1 Ann: base 10
  9c 9d / stand
spot 2 Bob: base 25
  Kc Qd / stand
spot 3 Ann: base 50
  Jc Jd / stand
"""


def test_totals_cover_all_spots_of_a_person() -> None:
    done = with_input(TWO_SPOTS, "settle", "-", "--json")
    [played] = json.loads(done.out)["rounds"]
    assert played["totals_cents"] == {"Ann": 40_00, "Bob": 25_00}
    assert [spot["net_cents"] for spot in played["spots"]] == [-10_00, 25_00, 50_00]
    text = with_input(TWO_SPOTS, "settle", "-")
    assert "total   Ann +$40.00, Bob +$25.00" in text.out
