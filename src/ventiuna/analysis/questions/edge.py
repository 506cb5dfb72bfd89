"""What the base game costs, exactly, and what each option is worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Protocol, TypeVar

from ventiuna.analysis.composition import Composition
from ventiuna.analysis.questions.again import command_text, flag_words, option_words, rules_words
from ventiuna.analysis.questions.shoes import shoe_of
from ventiuna.money import read_amount
from ventiuna.rules import Problem, Rules, RulesError, fingerprint, load_rules

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.result import BaseGameAnalysis
    from ventiuna.analysis.base_game.split_play import SplitPlay

T = TypeVar("T")


class Each(Protocol):
    """Goes through items one by one; it may show how far it is."""

    def __call__(self, what: str, items: Sequence[T], /) -> Iterable[T]: ...


def in_silence(_what: str, items: Sequence[T], /) -> Iterable[T]:
    return items


@dataclass(frozen=True, slots=True)
class EdgeQuestion:
    """As the command line words it."""

    rules: str
    base: str = ""
    reoptimise: bool = False
    shoe: str = ""
    without: str = ""
    vary: bool = False
    grid: bool = False
    effects: bool = False
    hands: bool = False
    sd: bool = False

    def read(self) -> ReadEdgeQuestion:
        """Understood and checked; raises what is wrong with it."""
        rules = load_rules(self.rules)
        left = shoe_of(rules, self.without, self.shoe)
        self.refuse_comparisons()
        base = read_amount("base", self.base) if self.base else None
        return ReadEdgeQuestion(rules, left, base, self.reoptimise)

    def refuse_comparisons(self) -> None:
        """Those of a shoe that is not fresh."""
        problems = [
            Problem(name, "on", "", "it compares fresh shoes", "Leave out --shoe and --without.")
            for name in ("vary", "grid", "effects")
            if getattr(self, name) and (self.shoe or self.without)
        ]
        if problems:
            raise RulesError(problems)

    def words(self, rules: Rules) -> list[str]:
        """The command that asks the same."""
        return [
            "edge",
            *rules_words(rules),
            *option_words(base=self.base, shoe=self.shoe, without=self.without),
            *flag_words(
                reoptimise=self.reoptimise,
                vary=self.vary,
                grid=self.grid,
                effects=self.effects,
                hands=self.hands,
                sd=self.sd,
            ),
        ]


@dataclass(frozen=True, slots=True)
class ReadEdgeQuestion:
    rules: Rules
    shoe: Composition
    base: int | None
    reoptimise: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One set of rules or one shoe beside others."""

    name: str
    ev: float
    change: float | None  # against the first
    fingerprint: str

    def as_data(self) -> dict[str, object]:
        return {
            "name": self.name,
            "ev": self.ev,
            "house_edge": -self.ev,
            "change": self.change,
            "fingerprint": self.fingerprint,
        }


Lines = dict[str, list[Line]]


def edge_data(question: EdgeQuestion) -> dict[str, object]:
    """The whole answer as plain data."""
    read = question.read()
    study = EdgeStudy(read, question.sd)
    data = study.as_data(study.comparisons(question), question.hands)
    return data | {"command": command_text([*question.words(read.rules), "--json"])}


class EdgeStudy:
    """The analysis that was asked for, and the ones to compare it with."""

    def __init__(self, read: ReadEdgeQuestion, sd: bool) -> None:
        from ventiuna.analysis.base_game.analyser import analyse
        from ventiuna.analysis.base_game.split_play import SplitPlay

        self._analyse = analyse
        self._started = perf_counter()
        self.rules = read.rules
        self.base = read.base
        self.split_play: SplitPlay = (
            SplitPlay.REOPTIMISED if read.reoptimise else SplitPlay.AS_UNSPLIT
        )
        self.found = self.analysis(read.rules, read.shoe)
        self.super_bonus_ev: float | None = None
        if read.base is not None:
            with_bonus = analyse(read.rules, read.shoe, self.split_play, read.base, True)
            self.super_bonus_ev = with_bonus.ev
        self.sd = self._standard_deviation() if sd else None

    def _standard_deviation(self) -> float:
        from ventiuna.analysis.base_game.spread import standard_deviation

        return standard_deviation(self.rules, self.found)

    @property
    def seconds(self) -> float:
        """Since it began, all that was asked for in it."""
        return perf_counter() - self._started

    def analysis(self, rules: Rules, shoe: Composition | None) -> BaseGameAnalysis:
        return self._analyse(rules, shoe, self.split_play, self.base)

    def comparisons(self, question: EdgeQuestion, each: Each = in_silence) -> Lines:
        lines: Lines = {}
        if question.vary:
            lines["vary"] = self.variations(each)
        if question.grid:
            lines["grid"] = self.grid(each)
        if question.effects:
            lines["effects"] = self.effects(each)
        return lines

    def variations(self, each: Each) -> list[Line]:
        from ventiuna.analysis.base_game.variations import variations

        start = self.analysis(self.rules, None)
        lines = [Line("as they are", start.ev, None, start.fingerprint)]
        for variation in each("options", variations(self.rules)):
            ev = self.analysis(variation.rules, None).ev
            lines.append(Line(variation.name, ev, ev - start.ev, fingerprint(variation.rules)))
        return lines

    def grid(self, each: Each) -> list[Line]:
        from ventiuna.analysis.base_game.variations import approved_grid

        lines = []
        for rules in each("combinations", approved_grid(self.rules.name, self.rules)):
            found = self.analysis(rules, None)
            lines.append(Line(found.rules, found.ev, None, found.fingerprint))
        return lines

    def effects(self, each: Each) -> list[Line]:
        """The mean over suits of taking one card out, times the decks: one card per deck."""
        from ventiuna.analysis.base_game.variations import shoes_without_one_card

        start = self.analysis(self.rules, None)
        changes: dict[str, list[float]] = {}
        for gone in each("cards", shoes_without_one_card(self.rules)):
            ev = self.analysis(self.rules, gone.composition).ev
            changes.setdefault(gone.value, []).append(ev - start.ev)
        lines = []
        for value, found in changes.items():
            change = self.rules.decks * sum(found) / len(found)
            lines.append(Line(value, start.ev + change, change, start.fingerprint))
        return lines

    def as_data(self, lines: Lines, hands: bool) -> dict[str, object]:
        data: dict[str, object] = self.found.as_data()
        if self.sd is not None:
            data["sd"] = self.sd
        if self.super_bonus_ev is not None:
            data["ev_with_super_bonus"] = self.super_bonus_ev
        for name, found in lines.items():
            data[name] = [line.as_data() for line in found]
        if hands:
            data["hands"] = [hand.as_data() for hand in self.found.hands()]
        return data
