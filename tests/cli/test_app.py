"""The program around the commands: help, version, errors, pipes, interrupts."""

import subprocess
import sys
from typing import Any

import pytest

from tests.cli.running import good, program, run
from ventiuna import __version__
from ventiuna.cards import CardError
from ventiuna.cli import rules_text
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import Refused
from ventiuna.money import MoneyError


def test_version_needs_neither_typer_nor_rules() -> None:
    script = (
        "import sys\n"
        "from ventiuna.cli import main\n"
        "try: main(['--version'])\n"
        "finally: print({'typer', 'rich', 'ventiuna.rules'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"ventiuna {__version__}\nset()\n"


def test_version_is_an_option_of_the_app_too() -> None:
    assert good("--version") == f"ventiuna {__version__}\n"


def test_without_arguments_there_is_help() -> None:
    done = run()
    assert "Usage" in done.out + done.err
    assert "rules" in done.out + done.err


def test_unknown_commands_get_a_suggestion() -> None:
    done = run("rules", "shwo")
    assert done.code == 2
    assert "show" in done.err


def test_every_problem_of_rules_is_a_line_on_stderr() -> None:
    done = program("rules", "show", "wsgc-2021(decks=7,soft_17=stand,double_double=on)")
    assert done.code == 2
    assert done.out == ""
    lines = done.err.splitlines()
    assert len(lines) == 3  # decks, Match the Dealer odds for these decks, double-double
    assert all(line.startswith("error: ") for line in lines)
    assert "R-008" in done.err
    assert "R-022" in done.err
    assert "R-051" in done.err


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (CardError("card '1x': no card"), "card '1x': no card"),
        (MoneyError("'x' isn't an amount"), "'x' isn't an amount"),
        (Refused(RefusalCode.NO_WAGERS, ("R-014",), "The base wager comes first."), "(R-014)"),
        (FileNotFoundError(2, "No such file or directory", "a.txt"), "a.txt: No such file"),
        (PermissionError(13, "Permission denied", "b\nc"), "b\\nc: Permission denied"),
    ],
)
def test_errors_users_can_fix_give_a_message_and_exit_code_2(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(rules_text, "print_list", fail)
    done = run("rules", "list")
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert words in done.err
    assert done.err.count("\n") == 1


def test_a_bug_in_the_program_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(rules_text, "print_list", fail)
    with pytest.raises(KeyError):
        run("rules", "list")


def test_an_interrupt_leaves_quietly_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(rules_text, "print_list", interrupt)
    done = run("rules", "list")
    assert (done.code, done.out, done.err) == (130, "", "")


@pytest.mark.parametrize("command", ["show", "card", "procedure"])
def test_a_closed_pipe_is_not_an_error(command: str) -> None:
    words = [sys.executable, "-c", "from ventiuna.cli import main; main()"]
    with subprocess.Popen(
        [*words, "rules", command, "wsgc-2021"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() != 0


def test_piped_output_has_no_escape_codes_and_fits_80_columns() -> None:
    done = program("rules", "show", "wsgc-2021(jackpots=3c)", COLUMNS="")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_an_encoding_that_lacks_a_character_doesnt_stop_the_program() -> None:
    done = program("rules", "show", "wsgc-2021(décks=8)", PYTHONIOENCODING="ascii")
    assert done.code == 2
    assert "Did you mean decks?" in done.err
    assert "Traceback" not in done.err
