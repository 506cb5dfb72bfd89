"""Sheets and counts: studies that take some seconds, each with its figures and its page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ventiuna.analysis.given import check_base, given_rules, given_text
from ventiuna.door.counts import given_list
from ventiuna.door.entries import entry
from ventiuna.door.papers import Sheet, amount_words
from ventiuna.rules import Rules, canonical

if TYPE_CHECKING:
    from ventiuna.counting.evaluate import CountReport
    from ventiuna.reports.pages.document import Document
    from ventiuna.reports.par.study import ParStudy
    from ventiuna.strategy.counting import Count


class ParSheet(Sheet):
    """The PAR sheet of a set of rules: its study, plain data, HTML and PDF."""

    def __init__(self, rules: Rules, base: int | None) -> None:
        from ventiuna.reports.par.study import ParQuestion, par_study

        self._question = ParQuestion(canonical(rules), amount_words(base))
        self.study: ParStudy = par_study(self._question)

    @cached_property
    def document(self) -> Document:
        from ventiuna.reports.par.sheet import par_document

        return par_document(self.study, self._question)

    @property
    def ev(self) -> float:
        """Of the base game with best play, per base wager."""
        return self.study.analysis.ev

    def as_data(self) -> dict[str, object]:
        from ventiuna.reports.par.data import par_data

        return par_data(self.study, self._question)


@entry
def par(rules: Rules | str, base: int | None = None) -> ParSheet:
    """The PAR sheet: every figure of the rules, each with what it rests on; `base` in cents.

    >>> import ventiuna as vt
    >>> sheet = vt.par("super-fun-21")
    >>> sheet.as_data()["rules"], sheet.ev < 0, sheet._repr_html_()[:7]
    ('super-fun-21', True, '<iframe')
    """
    return ParSheet(given_rules(rules), base)


@entry
def design_count(
    rules: Rules | str,
    level: int = 1,
    *,
    balanced: bool = True,
    sides: Sequence[str] = (),
    suits: Sequence[str] = (),
    running: bool = False,
    goal: str = "betting",
    base: int | None = None,
) -> CountReport:
    """The best integer tags of a level by exact effects of removal, and how good they are.

    `sides` are ranks or cards counted beside, such as ["7"], `suits` ranks whose suits are told
    apart; `running` counts drift and are not divided by the decks left; `goal` is betting, playing
    or insurance.

    >>> import ventiuna as vt
    >>> vt.design_count("super-fun-21").betting > 0.9
    True
    """
    from ventiuna.counting.design import Wish, design_counts
    from ventiuna.counting.evaluate import evaluate_count
    from ventiuna.counting.workshop import Goal, Workshop
    from ventiuna.strategy.errors import plan_problem

    if goal not in list(Goal):
        raise plan_problem("goal", goal, "no such goal", f"Use {', '.join(Goal)}.")
    beside, apart = (
        tuple(given_text(name, word) for word in given_list(name, words))
        for name, words in (("sides", sides), ("suits", suits))
    )
    wish = Wish(level, balanced, beside, apart, Goal(goal), running)
    check_base(base)
    workshop = Workshop(given_rules(rules), base)
    [count] = design_counts(workshop, wish)
    return evaluate_count(workshop, count)


@entry
def evaluate_count(
    rules: Rules | str,
    count: Count | str = "",
    *,
    tags: str = "",
    start: float | None = None,
    sample: int = 0,
    seed: int = 21,
    base: int | None = None,
) -> CountReport:
    """How good a count is: correlations and playing efficiency, exact; by name, file or value.

    Or its `tags` are written, such as "2=1 3=1 10=-1 7s=2", with the running count of a new shoe
    for each deck as its `start`: without one it starts at minus what the tags of a deck add up to.
    `sample` shoes are drawn and analysed for the playing efficiency besides, by the `seed`.

    >>> import ventiuna as vt
    >>> report = vt.evaluate_count("super-fun-21", tags="5=1 6=1 10=-1", sample=2)
    >>> 0.5 < report.betting < 1, report.sampled.shoes
    (True, 2)
    """
    from ventiuna.counting.evaluate import evaluate_count as evaluate
    from ventiuna.counting.given import given_count
    from ventiuna.counting.workshop import Workshop

    house = given_rules(rules)
    known = given_count(count, tags, start, house)
    check_base(base)
    return evaluate(Workshop(house, base), known, sample, seed)
