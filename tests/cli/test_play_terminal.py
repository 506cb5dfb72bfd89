"""`ventiuna play` as a process: pipes, a real terminal, signals, encodings, and bad options."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli.running import PROGRAM
from ventiuna.cli.app import new_app

PLAY = [*PROGRAM, "play"]
ESCAPE = "\x1b"
PATIENCE = 120  # seconds before a process counts as hung; tests normally never wait this long


def environment(**changes: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "PYTHONIOENCODING")
    }
    return kept | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | changes


def through_pipe(
    text: bytes, *arguments: str, **changes: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*PLAY, *arguments],
        input=text,
        capture_output=True,
        env=environment(**changes),
        timeout=PATIENCE,
        check=False,
    )


def wait_until_asleep(process: subprocess.Popen[bytes]) -> None:
    """Wait until the process is blocked on something external, such as a key press."""
    stat = Path(f"/proc/{process.pid}/stat")
    until = time.monotonic() + PATIENCE
    while stat.read_text().rpartition(")")[2].split()[0] != "S":
        assert time.monotonic() < until, "the program never waits"
        time.sleep(0.01)


class Terminal:
    """The user's side of a pseudo-terminal."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self._master = master
        self.process = process
        self.text = ""
        self._seen = 0

    def wait_for(self, words: str) -> None:
        """Wait until these words appear after the ones found last."""
        while (found := self.text.find(words, self._seen)) < 0:
            ready, _, _ = select.select([self._master], [], [], PATIENCE)
            assert ready, f"{words!r} didn't appear after: {self.text[-500:]}"
            self.text += os.read(self._master, 65_536).decode(errors="replace")
        self._seen = found + len(words)

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def interrupt(self) -> None:
        """Press Ctrl-C once the program is waiting at its prompt.

        If a signal arrives after Python's last signal check but before it waits for a key, it is
        noticed only after the next key press.
        """
        wait_until_asleep(self.process)
        os.killpg(self.process.pid, signal.SIGINT)

    def read_to_end(self) -> str:
        while True:
            ready, _, _ = select.select([self._master], [], [], PATIENCE)
            assert ready, f"the table doesn't close after: {self.text[-500:]}"
            try:
                data = os.read(self._master, 65_536)
            except OSError:  # Linux raises this when the other side is closed
                break
            if not data:
                break
            self.text += data.decode(errors="replace")
        return self.text


@contextmanager
def terminal(*arguments: str, **changes: str) -> Iterator[Terminal]:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*PLAY, *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment(COLUMNS="80", **changes),
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)


TRANSCRIPT = """\
Welcome to Spanish 21 (WSGC). You have one spot and $1,000.00 in play money.
Type your bet in dollars, then choose one of the [letters] you're offered.
At a decision, ? shows the best play. Type help for all commands, q to quit.

  10             bet on your hand, $5.00 to $300.00
  10 up 5        add a Match the Dealer bet, $1.00 or more: up or down
  Enter          repeat your last bets

  The dealer shuffles 6 decks, 288 cards.

── Round 1 ── balance $1,000.00 ── 288 cards left ──────────────────────────────
Wager (Enter: 10)> 10 up 5 down 5
  Dealer                    Your hand: 13
  ╭────╮╭────╮              ╭────╮╭────╮
  │ 7♣ ││▒▒▒▒│              │ 6♠ ││ 7♠ │
  ╰────╯╰────╯              ╰────╯╰────╯
  Up Card, $5.00: 1 unsuited match, 4 to 1                  +$20.00  R-021
[h] hit  [s] stand  [d] double $10.00  [u] surrender  [?] best play
> p
Only two cards of equal value can be split. (R-042)
[h] hit  [s] stand  [d] double $10.00  [u] surrender  [?] best play
> h
  You hit and get 8♠ for 21.
  Your hand, $10.00: 6-7-8 of spades, 3 to 1                +$30.00  R-063
  The dealer turns over 3♥ for 10.
  Down Card, $5.00: no match, lost                           -$5.00  R-021
  You win $45.00 on bets of $20.00.

── Round 2 ── balance $1,045.00 ── session +$45.00 ── 283 cards left ───────────
Wager (Enter: 10 up 5 down 5)> q

You made 1 decision without a costly mistake.
Goodbye. 1 round, +$45.00: you leave with $1,045.00.
"""


# --- pipes ------------------------------------------------------------------------------------


def test_a_pipe_gets_a_readable_transcript() -> None:
    done = through_pipe(b"10 up 5\ns\nq\n", "--seed", "3")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert done.stderr == b""
    assert "Wager (Enter: 10)> 10 up 5\n" in text
    assert "\n> s\n  You stand on 12.\n" in text
    assert ESCAPE not in text
    assert text.endswith("Goodbye. 1 round, -$15.00: you leave with $985.00.\n")


def test_a_whole_session_as_it_looks() -> None:
    done = through_pipe(b"10 up 5 down 5\np\nh\nq\n", "--seed", "14666")
    assert done.stdout.decode() == TRANSCRIPT


@pytest.mark.parametrize("text", [b"", b"10 up 5\n", b"10 up 5", b"10\nh\n\xff\xfe\x00\n\x1b[A\n"])
def test_the_end_of_input_ends_the_session(text: bytes) -> None:
    done = through_pipe(text, "--seed", "3")
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.endswith(b"Goodbye. 0 rounds, $0.00: you leave with $1,000.00.\n")


def test_invalid_bytes_get_an_answer_too() -> None:
    done = through_pipe(b"\xff\xfe\n" + b'{"command": "Quit"}\n', "--json")
    assert done.returncode == 0
    assert b"the line isn't valid JSON" in done.stdout
    assert done.stderr == b""


def test_an_encoding_without_suit_symbols_gets_letters() -> None:
    done = through_pipe(
        "10 up 5\né\ns\nq\n".encode(), "--seed", "3", PYTHONUTF8="0", PYTHONIOENCODING="ascii"
    )
    text = done.stdout.decode("ascii")
    assert done.returncode == 0
    assert done.stderr == b""
    assert "| Jh ||####|              | 7d || 5h |" in text
    assert "isn't one of the choices" in text
    assert text.endswith("Goodbye. 1 round, -$15.00: you leave with $985.00.\n")


def test_closed_standard_input_ends_the_session() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *PLAY],
        capture_output=True,
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0
    assert b"Goodbye." in done.stdout
    assert done.stderr == b""


# --- terminals --------------------------------------------------------------------------------


def test_a_terminal_has_colors_and_ctrl_d_quits() -> None:
    with terminal("--seed", "3") as person:
        person.wait_for("Wager")
        person.type("10 up 5\n")
        person.wait_for("surrender")
        person.type("s\n")
        person.wait_for("up 5)> ")  # the terminal would swallow an earlier key
        person.type("\x04")
        text = person.read_to_end()
        assert person.process.wait(PATIENCE) == 0
    assert f"{ESCAPE}[1;31m" in text  # red cards
    assert "Goodbye. 1 round, -$15.00: you leave with $985.00." in text


def test_no_color_means_no_escape_codes_and_eighty_columns_are_enough() -> None:
    with terminal("--seed", "3", "--spots", "3", NO_COLOR="1") as person:
        for keys in ("?", "r", "10 up 5 down 5", "?", "help", "history", "10", "s", "q"):
            person.wait_for("> ")  # text typed ahead could be echoed in the wrong place
            person.type(f"{keys}\n")
        text = person.read_to_end()
        assert person.process.wait(PATIENCE) == 0
    assert ESCAPE not in text
    assert max(len(line) for line in text.split("\r\n")) <= 80
    assert "Goodbye." in text


def test_a_dumb_terminal_gets_no_escape_codes() -> None:
    with terminal("--seed", "3", TERM="dumb") as person:
        person.wait_for("Wager")
        person.type("10\n")
        person.wait_for("surrender")
        person.type("q\n")
        assert ESCAPE not in person.read_to_end()


def test_ctrl_c_during_a_round_returns_all_bets() -> None:
    with terminal("--seed", "3") as person:
        person.wait_for("Wager")
        person.type("100\n")
        person.wait_for("best play\r\n> ")
        person.interrupt()
        text = person.read_to_end()
        assert person.process.wait(PATIENCE) == 0
    assert "The unfinished round is canceled and its bets are returned." in text
    assert text.endswith("Goodbye. 0 rounds, $0.00: you leave with $1,000.00.\r\n")
    assert "Traceback" not in text


def test_ctrl_c_ends_a_program_s_session_with_its_result() -> None:
    process = subprocess.Popen(
        [*PLAY, "--json", "--seed", "3"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert b'"ok": true' in process.stdout.readline()
    wait_until_asleep(process)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert b'"goodbye"' in out
    assert errors == b""


# --- options ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bankroll", "-5"], "--bankroll: an amount can't be negative ('-5')"),
        (["--bankroll", "much"], "--bankroll: 'much' isn't an amount in dollars"),
        (["--bankroll", "9" * 40], "--bankroll: an amount can't be more than"),
        (["--spots", "4"], "--spots"),
        (["--spots", "0"], "--spots"),
        (["--seed", "x"], "--seed"),
        (["wsgc-spanish"], "wsgc-spanish"),
        (
            ["wsgc-spanish-21(seats=2)", "--spots", "3"],
            "This table has 2 spots, not 3 (--spots). (O-02)",
        ),
    ],
)
def test_bad_options_are_reported_in_one_sentence(arguments: list[str], words: str) -> None:
    done = CliRunner().invoke(new_app(["play"]), ["play", *arguments], input="")
    assert done.exit_code == 2
    assert words in re.sub(r"[\s│]+", " ", done.output)
    assert "Goodbye" not in done.output


def test_without_a_seed_sessions_differ() -> None:
    texts = {
        CliRunner().invoke(new_app(["play"]), ["play"], input="10\ns\n" * 5).output
        for _ in range(3)
    }
    assert len(texts) == 3


def test_help_explains_what_programs_send() -> None:
    text = CliRunner().invoke(new_app(["play"]), ["play", "--help"]).output
    for words in ("PlaceWagers", "CloseWagers", "DoubleDouble", '"view"', "--bankroll", "--seed"):
        assert words in text
