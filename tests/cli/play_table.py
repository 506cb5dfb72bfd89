"""A terminal table with cards and answers chosen by the test."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator

from rich.console import Console

from ventiuna.cards import parse_cards
from ventiuna.cli.common.console import Prompt
from ventiuna.cli.play_screen import Screen
from ventiuna.cli.play_terminal import TerminalTable
from ventiuna.rules import load_rules
from ventiuna.table.session import Session

Shuffle = Callable[[list[int]], None]
WIDTH = 80


def stacked(text: str) -> Shuffle:
    """A shuffle that puts these cards on top, in dealing order."""
    wanted = parse_cards(text)

    def shuffle(cards: list[int]) -> None:
        for card in wanted:
            cards.remove(card)
        cards.extend(reversed(wanted))

    return shuffle


class Answers(Prompt):
    """Gives answers from a list and writes questions and answers to the console."""

    def __init__(self, out: Console, answers: Iterable[str]) -> None:
        super().__init__(out)
        self._answers = iter(answers)

    def ask(self, question: str) -> str:
        answer = next(self._answers, None)
        self._out.file.write(f"{question}{answer if answer is not None else ''}\n")
        if answer is None:
            raise EOFError
        return answer


class Table:
    """Plays all answers at once; `text` is everything printed on the screen."""

    def __init__(
        self,
        answers: Iterable[str],
        cards: str = "",
        rules: str = "wsgc-spanish-21",
        spots: int = 1,
        bankroll: int = 1000,
        shuffle: Shuffle | None = None,
    ) -> None:
        self.session = Session(load_rules(rules), bankroll * 100, spots, shuffle or stacked(cards))
        out = Console(file=io.StringIO(), width=WIDTH, highlight=False, markup=False, emoji=False)
        TerminalTable(self.session, Screen(out), Answers(out, answers)).run()
        assert isinstance(out.file, io.StringIO)
        self.text = out.file.getvalue()

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def shows(self, *words: str) -> bool:
        """Whether any line has all these words in this order."""
        return any(_in_order(line, iter(words)) for line in self.lines)


def _in_order(line: str, words: Iterator[str]) -> bool:
    place = 0
    for word in words:
        place = line.find(word, place)
        if place < 0:
            return False
        place += len(word)
    return True
