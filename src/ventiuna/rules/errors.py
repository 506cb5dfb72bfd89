"""What is wrong with house rules, all of it at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ventiuna.errors import VentiunaError
from ventiuna.texts import one_line

LONGEST_VALUE = 60  # of what a user wrote and a message repeats


class Problem(NamedTuple):
    field: str
    value: str
    rule: str  # R-, D- or O-number, or "" where no document speaks of it
    message: str
    fix: str

    def __str__(self) -> str:
        rule = f" ({self.rule})" if self.rule else ""
        value = self.value
        if len(value) > LONGEST_VALUE:
            value = value[:LONGEST_VALUE] + "…"
        given = f"{self.field} = {value}" if value else self.field
        return one_line(f"{given}: {self.message}{rule}. {self.fix}")


class RulesError(VentiunaError, ValueError):
    """House rules that can't be used.

    >>> from ventiuna import load_rules
    >>> try:
    ...     load_rules("wsgc-2021(decks=0)")
    ... except RulesError as error:
    ...     print(error.problems[0].field)
    decks
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
