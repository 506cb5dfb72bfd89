"""`--plain`, pagers, narrow windows, and completion."""

import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli.running import PROGRAM, good, run
from ventiuna.cli import main
from ventiuna.cli.app import new_app
from ventiuna.cli.common.rules_args import complete_change, complete_rules
from ventiuna.cli.play_screen import PlainScreen

DRAWN = "╭╮╰╯│─▒="


def _on_terminal(*words: str, columns: int = 80, lines: int = 24, **environment: str) -> str:
    """Screen contents of a terminal of this size after a command that needs no input."""
    main, other = pty.openpty()
    subprocess.run(["stty", "cols", str(columns), "rows", str(lines)], stdin=other, check=True)
    setting = {name: text for name, text in os.environ.items() if name != "COLUMNS"}
    running = subprocess.Popen(
        [*PROGRAM, *words],
        stdin=other,
        stdout=other,
        stderr=other,
        env={**setting, "TERM": "xterm", **environment},
    )
    os.close(other)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    running.wait()
    os.close(main)
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    "words",
    [
        "rules card wsgc-2021-everything",
        "rules list",
        "rules show wsgc-2021",
        "jackpot wsgc-2021-jackpot",
    ],
)
def test_plain_output_has_no_drawings(words: str) -> None:
    lines = good(*words.split(), "--plain").splitlines()
    assert not [line for line in lines if set(line) & set("╭╮╰╯│─▒")]
    assert not [line for line in lines if "===" in line or "...." in line or "---" in line]


def test_plain_questions_are_sentences() -> None:
    screen = PlainScreen()
    asked = screen.question("Insurance? [y] $5.00  [n] no  [?] best play  or an amount> ")
    assert asked == "Insurance? y for $5.00, n for no, ? for best play, or an amount> "
    words = ["play", "--seed", "14666", "--plain"]
    shown = CliRunner().invoke(new_app(words), words, input="10\nr\nx\nq\n").stdout
    assert "then choose one of the letters you're offered.\n" in shown
    assert "d for double $10.00, u for surrender, ? for best play.\n" in shown
    assert "Type one of the letters or help." in shown
    assert "blackjack: 3 to 2" in shown
    assert not [line for line in shown.splitlines() if "===" in line or "---" in line]


@pytest.mark.parametrize("words", [["edge", "-h"], ["rules", "--help"], ["--help"]])
def test_help_is_plain_too(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([*words, "--plain"])
    assert left.value.code == 0
    assert not set(capsys.readouterr().out) & set("╭╮╰╯│─▒")


def test_a_table_is_read_as_sentences() -> None:
    assert "return of the fixed lines: 54.8086%, 22494/41041" in good(
        "jackpot", "wsgc-2021-jackpot", "--plain"
    )


def test_every_deal_is_a_sentence() -> None:
    words = ["play", "wsgc-2021-bonus-cards", "--seed", "3", "--plain"]
    text = CliRunner().invoke(new_app(words), words, input="10\ns\nq\n").stdout
    assert "Dealer: jack of hearts, a card face down.\n" in text
    assert "Your hand: seven of diamonds, five of hearts; total 12.\n" in text
    assert "h for hit, s for stand, d for double $10.00, u for surrender, ?" in text
    assert "Your hand, $10.00: 12 against 20, lost: -$10.00, rule R-078.\n" in text
    assert not set(text) & set(DRAWN)


def test_a_dumb_terminal_is_plain_by_default() -> None:
    shown = _on_terminal("rules", "--help", TERM="dumb")
    assert "│" not in shown
    assert "│" in _on_terminal("rules", "--help")
    assert "preset blackjack" not in shown
    assert "\x1b" not in _on_terminal("rules", "list", TERM="dumb")
    studied = _on_terminal("edge", "super-fun-21", "--effects", TERM="dumb")
    assert studied.startswith("Base game: Super Fun 21")  # no traces of a progress bar


def test_a_dumb_terminal_is_plain_behind_a_pipe_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Output piped through grep in an editor's shell is still read there."""
    monkeypatch.setenv("TERM", "dumb")
    assert not set(good("rules", "--help")) & set(DRAWN)
    assert good("rules", "list") == good("rules", "list", "--plain")
    monkeypatch.setenv("TERM", "xterm")
    assert "│" in good("rules", "--help")


@pytest.mark.parametrize(("columns", "widest"), [("200", 100), ("44", 44), ("wide", 80)])
def test_a_pipe_has_the_requested_width(
    columns: str, widest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines longer than a hundred columns are hard to read."""
    monkeypatch.setenv("COLUMNS", columns)
    lines = good("rules", "show", "wsgc-2021(jackpots=3c)").splitlines()
    assert max(map(len, lines)) == widest


def test_a_chart_is_read_row_by_row() -> None:
    text = good("strategy", "wsgc-2021", "--plain")
    assert text.startswith("Spanish 21: 6 decks, dealer hits soft 17\n")
    assert "\n12. Against 2 to A, hit.\n" in text
    assert "\nInsurance: never.\n" in text


@pytest.mark.parametrize("columns", [44, 120])
def test_no_line_is_wider_than_the_window(columns: int) -> None:
    for words in (
        "rules list",
        "jackpot wsgc-2021-jackpot --spots 2",
        "rules options decks",
        "strategy wsgc-2021",
    ):
        shown = _on_terminal(*words.split(), columns=columns, PAGER="cat", NO_COLOR="1")
        lines = [line for line in shown.splitlines() if "To repeat" not in line]
        assert max(map(len, lines)) <= columns


def test_long_texts_use_a_pager_only_on_a_terminal(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    pager = f"{sys.executable} -c \"import sys; open('{seen}', 'w').write(sys.stdin.read())\""
    assert _on_terminal("rules", "card", "wsgc-2021", PAGER=pager) == ""
    assert "SPANISH 21" in seen.read_text()
    seen.unlink()
    assert "decks" in _on_terminal("rules", "options", "decks", PAGER=pager)
    assert "SPANISH" in _on_terminal("rules", "card", "wsgc-2021", PAGER="no-such-program")
    piped = subprocess.run(
        [*PROGRAM, "rules", "card", "wsgc-2021"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PAGER": pager},
    )
    assert "SPANISH 21" in piped.stdout
    assert not seen.exists()


def test_the_screen_follows_its_window(monkeypatch: pytest.MonkeyPatch) -> None:
    from ventiuna.cli.common.console import SafeConsole

    monkeypatch.delenv("COLUMNS", raising=False)
    for terminal in ("xterm", "dumb"):
        monkeypatch.setenv("TERM", terminal)
        screen = PlainScreen(SafeConsole(force_terminal=True))
        for window, width in ((60, 60), (44, 44), (200, 100)):
            size = os.terminal_size((window, 20))
            monkeypatch.setattr(os, "get_terminal_size", lambda *_, size=size: size)
            assert screen.out.width == width


# --- completion ---------------------------------------------------------------------------------


def test_a_shell_suggests_rules_options_and_values() -> None:
    assert "wsgc-2021-jackpot" in complete_rules("wsgc-2021")
    assert complete_change("soft") == ["soft_17="]
    assert complete_change("soft_17=") == ["soft_17=hit", "soft_17=stand"]
    assert "decks=8" in complete_change("decks=")
    assert complete_change("wibble=") == []


@pytest.mark.parametrize(
    ("line", "proposed"),
    [
        ("ventiuna edge wsgc-20", "wsgc-2021-bonus-cards"),
        ("ventiuna edge wsgc-2021 soft", "soft_17="),
        ("ventiuna rules show wsgc-2021 decks=8 resc", "rescue="),
        ("ventiuna ru", "rules"),
        ("ventiuna edge wsgc-2021 --va", "--vary"),
    ],
)
def test_the_program_answers_its_shell(line: str, proposed: str) -> None:
    words = line.split()
    done = subprocess.run(
        PROGRAM,
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "_VENTIUNA_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        },
    )
    assert proposed in done.stdout.split(), done.stderr


@pytest.fixture(scope="module")
def bash_script() -> str:
    """The script that `--install-completion` installs."""
    # Without this, Typer uses the shell that started the tests instead of the requested one.
    named = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    words = [*PROGRAM, "--show-completion", "bash"]
    return subprocess.run(words, capture_output=True, text=True, check=True, env=named).stdout


IN_BASH = """
{script}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_ventiuna_completion {program}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("line", "proposed"),
    [
        ("ventiuna edge wsgc-2021 soft_17=st", ["stand"]),  # replaces only `st`
        ("ventiuna edge wsgc-2021 soft_17=", ["hit", "stand"]),
        ("ventiuna edge decks=", [*"12345678"]),
        # With the values, the longest common prefix is `soft_17=`, and Bash adds no space.
        ("ventiuna edge wsgc-2021 sof", ["soft_17=", "soft_17=hit", "soft_17=stand"]),
        ("ventiuna rules ex", ["explain"]),
    ],
)
def test_bash_completes_changes_although_it_splits_them_at_the_sign(
    tmp_path: Path, bash_script: str, line: str, proposed: list[str]
) -> None:
    program = " ".join(map(shlex.quote, PROGRAM))
    asked = tmp_path / "ventiuna"
    asked.write_text(f'#!/bin/sh\nexec {program} "$@"\n', encoding="utf-8")
    asked.chmod(0o755)
    text = IN_BASH.format(script=bash_script, program=shlex.quote(str(asked)))
    words = re.findall("=|[^ =]+|(?<= )$", line)  # as Bash splits it
    done = subprocess.run(
        ["bash", "-c", text, "bash", *words], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == proposed, done.stderr


def test_completion_can_be_installed() -> None:
    assert "--install-completion" in run("--help").out


def test_the_help_of_a_suggestion_is_one_line() -> None:
    """Fish would treat a second line as another suggestion."""
    done = subprocess.run(
        PROGRAM,
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "COLUMNS": "40",
            "_VENTIUNA_COMPLETE": "complete_fish",
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
            "_TYPER_COMPLETE_ARGS": "ventiuna edge --",
        },
    )
    lines = done.stdout.splitlines()
    assert any(line.startswith("--vary\t") for line in lines), done.stderr
    assert all(line.startswith("--") for line in lines)
