"""Whole sessions of `ventiuna play` with random input, for every preset."""

from __future__ import annotations

import io
import random
import re

import pytest
from rich.console import Console

from ventiuna.cli.common.console import Prompt
from ventiuna.cli.play_screen import Screen
from ventiuna.cli.play_terminal import TerminalTable
from ventiuna.notation import differences, replay
from ventiuna.rules import load_rules, preset_ids
from ventiuna.table.session import Session

WIDTH = 80
ANSWERS = 120
BANKROLL = 50_000
TABLES = (
    *preset_ids(),
    "wsgc-spanish-21(decks=2)",
    "catfish-bend(table_maximum=40)",
    "wsgc-2021(mtd_configuration=4,bonus_cards=5,jackpots=3c:1:seed=1000+4d:7:wager=2)",
    "wsgc-2021(mtd_configuration=3,bonus_cards=4,down_settled=with_base_game)",
    "super-fun-21(decks=1,cut_card=100)",
)
WAGERS = ("", "10", "25", "10 up 5", "10 up 5 down 5", "5 b1 1 b2 2", "10 j1 j2", "300", "0", "1 2")
ANYWHERE = (
    "?",
    "help",
    "r",
    "h",
    "history",
    "buy 100",
    "-1",
    "é \x00 \x1b[2J",
    "d 5",
    "9" * 50,
    "nonsense",
)
DECISIONS = ("h", "s", "d", "d 2", "dd", "p", "u", "c", "h", "s", "stand", "hit", "")
OTHER_ANSWERS = ("y", "n", "t", "k", "", "2.50", "0")


class AnyAnswer(Prompt):
    """Gives random answers, some of them valid."""

    def __init__(self, out: Console, seed: int) -> None:
        super().__init__(out)
        self._random = random.Random(seed)
        self._left = ANSWERS

    def ask(self, question: str) -> str:
        assert len(question) < WIDTH
        answer = self._choose(question)
        self._out.file.write(f"{question}\n")
        return answer

    def _choose(self, question: str) -> str:
        self._left -= 1
        if not self._left:
            raise EOFError
        if self._random.random() < 0.1:
            return self._random.choice(ANYWHERE)
        if question.startswith("Wager"):
            return self._random.choice(WAGERS)
        return self._random.choice(DECISIONS if question == "> " else OTHER_ANSWERS)


def play(
    rules: str, seed: int, spots: int, encoding: str = "utf-8", width: int = WIDTH
) -> tuple[Session, str]:
    raw = io.BytesIO()
    # Like the command, escape characters that the encoding can't represent.
    file = io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace")
    out = Console(file=file, width=width, highlight=False, markup=False, emoji=False)
    session = Session(load_rules(rules), BANKROLL, spots, random.Random(seed).shuffle)
    TerminalTable(session, Screen(out), AnyAnswer(out, seed)).run()
    file.flush()
    return session, raw.getvalue().decode(encoding)


def net_on_screen(text: str) -> int:
    """Net result of all rounds, according to the screen."""
    total = 0
    for word, dollars, cents in re.findall(r"^  You (win|lose) \$([\d,]+)\.(\d\d) ", text, re.M):
        amount = int(dollars.replace(",", "")) * 100 + int(cents)
        total += amount if word == "win" else -amount
    return total


def longest_line(text: str) -> int:
    """Length of the longest line outside the history, whose lines are never wrapped."""
    whole = ("rules: ", "  net: ")
    return max(len(line) for line in text.splitlines() if not line.startswith(whole))


@pytest.mark.parametrize("spots", [1, 3])
@pytest.mark.parametrize("rules", TABLES)
def test_a_session_ends_normally_and_its_sums_agree(rules: str, spots: int) -> None:
    session, text = play(rules, seed=spots, spots=spots)
    assert session.rounds > 3
    assert session.result == net_on_screen(text)
    assert session.balance == session.bought_in + session.result
    assert longest_line(text) <= WIDTH
    assert not any(line != line.rstrip() for line in text.splitlines() if not line.endswith("> "))
    for record in session.history:
        assert differences(replay(record)) == []


def test_the_same_seed_deals_the_same_session() -> None:
    assert play("wsgc-2021", 5, 2)[1] == play("wsgc-2021", 5, 2)[1]
    assert play("wsgc-2021", 5, 2)[1] != play("wsgc-2021", 6, 2)[1]


@pytest.mark.parametrize("rules", TABLES)
def test_a_terminal_without_suit_symbols_gets_letters(rules: str) -> None:
    _, text = play(rules, seed=4, spots=2, encoding="ascii")
    assert "+----++----+" in text
    assert "\\u" not in text
    assert longest_line(text) <= WIDTH


@pytest.mark.parametrize("width", [1, 20, 40, 132])
def test_any_width_works(width: int) -> None:
    session, text = play("casino-card", seed=7, spots=3, width=width)
    assert session.rounds > 3
    assert "Goodbye." in "".join(text.split())


def test_on_a_narrow_screen_a_payment_keeps_its_rule_next_to_it() -> None:
    _, text = play("casino-card", seed=7, spots=3, width=40)
    payments = [line for line in text.splitlines() if re.search(r"\$[0-9,.]+  R-[0-9]{3}", line)]
    assert len(payments) > 10
    assert longest_line("\n".join(payments)) <= 40
    assert not re.search(r"^R-[0-9]{3}$", text, re.MULTILINE)
