"""What the readings of the open points are worth under some rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ventiuna.analysis.questions.again import command_text, option_words, rules_words
from ventiuna.installed import version
from ventiuna.money import read_amount
from ventiuna.records import brief_repr
from ventiuna.reports.ambiguities.points import POINTS
from ventiuna.reports.ambiguities.readings import Case, Point, Reading
from ventiuna.rules import Problem, Rules, RulesError, canonical, fingerprint, load_rules
from ventiuna.rules.words.departures import Standing
from ventiuna.rules.words.explained import explain

ROUNDS = 1000
_TINY = 5e-13  # rounding of the analyser


@dataclass(frozen=True, slots=True)
class AmbiguitiesQuestion:
    """As the command line words it."""

    rules: str
    base: str = ""
    numbers: tuple[str, ...] = ()

    def read(self) -> tuple[Rules, int]:
        rules = load_rules(self.rules)
        base = read_amount("base", self.base) if self.base else rules.table_minimum
        if base <= 0:
            problem = Problem("base", self.base, "R-003", "a wager is above zero", "Raise it.")
            raise RulesError([problem])
        for number in self.numbers:
            explain(number)
            if number.upper().startswith("R"):
                fix = "Give D- and O-numbers: those that documents disagree about or leave open."
                raise RulesError([Problem("number", number, "", "nothing is open there", fix)])
        return rules, base

    def words(self, rules: Rules) -> list[str]:
        words = ["rules", "ambiguities", *rules_words(rules), *option_words(base=self.base)]
        for number in self.numbers:
            words += ["--number", number]
        return words


@dataclass(frozen=True, slots=True)
class Valued:
    """A reading with its worth."""

    reading: Reading
    value: float | None  # expected gain of the player per unit of the wager
    change: float | None  # against what is built
    dollars: float | None  # the same in cents per 1,000 rounds
    is_present: bool
    note: str

    def as_data(self) -> dict[str, object]:
        return {
            "reading": self.reading.words,
            "documents": self.reading.documents or None,
            "is_built": self.is_present,
            "ev": self.value,
            "change": self.change,
            "per_1000_rounds_cents": self.dollars,
            "note": self.note or None,
        }


@dataclass(frozen=True, slots=True)
class StudiedPoint:
    point: Point
    readings: tuple[Valued, ...]
    stake: int  # cents of the wager that dollars are told for
    decided_by: Standing  # of the rules' own document; SILENT: a true ambiguity

    @property
    def spread(self) -> float:
        """What lies between the best and the worst reading."""
        values = [each.value for each in self.readings if each.value is not None]
        return max(values) - min(values) if values else 0.0

    @property
    def differs(self) -> bool:
        """Do the readings differ in money?"""
        return self.spread > 1e-12

    @property
    def standing(self) -> str:
        """worked out, worth nothing, settled, or not known."""
        if self.point.zero:
            return "worth nothing"
        if self.point.settled:
            return "settled"
        return "not worked out" if self.point.unknown else "worked out"

    def as_data(self) -> dict[str, object]:
        one = explain(self.point.number)
        return {
            "number": self.point.number,
            "subject": one.title,
            "says": one.text or None,
            "built": one.built,
            "decided_by": str(self.decided_by),
            "standing": self.standing,
            "of": self.point.of if self.readings else None,
            "stake_cents": self.stake if self.readings else None,
            "argument": self.point.zero or self.point.settled or None,
            "reason": self.point.unknown or None,
            "readings": [each.as_data() for each in self.readings],
        }


@dataclass(frozen=True, slots=True)
class AmbiguityStudy:
    rules: Rules
    base: int
    points: tuple[StudiedPoint, ...]

    __repr__ = brief_repr

    def as_data(self, question: AmbiguitiesQuestion) -> dict[str, object]:
        return {
            "rules": canonical(self.rules),
            "fingerprint": fingerprint(self.rules),
            "version": version(),
            "base_cents": self.base,
            "rounds": ROUNDS,
            "points": [point.as_data() for point in self.points],
            "command": command_text([*question.words(self.rules), "--json"]),
        }


def study_ambiguities(
    question: AmbiguitiesQuestion, step: Callable[[str], None] = lambda _: None
) -> AmbiguityStudy:
    """The points that these rules meet, each reading worked out."""
    rules, base = question.read()
    wanted = {number.upper() for number in question.numbers}
    points = []
    for point in POINTS:
        if point.only(rules) and (not wanted or point.number in wanted):
            step(point.number)
            points.append(_studied(point, Case(rules, base)))
    return AmbiguityStudy(rules, base, tuple(points))


def _studied(point: Point, case: Case) -> StudiedPoint:
    found = [(reading, reading.worth(case)) for reading in point.readings]
    built = next((one.value for _, one in found if one.is_present), None)
    stake = _stake(point, case)
    readings = []
    for reading, one in found:
        change = None
        if one.value is not None and built is not None:
            change = one.value - built
            if abs(change) < _TINY:
                change = 0.0
        dollars = None if change is None else change * stake * ROUNDS
        readings.append(Valued(reading, one.value, change, dollars, one.is_present, one.note))
    return StudiedPoint(point, tuple(readings), stake, point.decided_by(case.rules))


def _stake(point: Point, case: Case) -> int:
    """Cents of the wager that the point is about."""
    from ventiuna.reports.ambiguities.changes import LARGE_BASE
    from ventiuna.reports.ambiguities.readings import (
        FULL_TABLE_JACKPOT,
        JACKPOT_WAGER,
        MATCH_WAGER,
        SUPER_BONUS,
    )

    if point.of in (JACKPOT_WAGER, FULL_TABLE_JACKPOT):
        return case.rules.jackpots[0].wager
    if point.of == MATCH_WAGER:
        return max(case.rules.mtd_minimum, case.rules.chip_unit)
    return LARGE_BASE if point.of == SUPER_BONUS else case.base
