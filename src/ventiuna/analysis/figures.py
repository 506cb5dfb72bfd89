"""Every published figure beside ours.

Figures come from three places: the pay tables (printed house advantages), the Match the
Dealer odds (printed frequencies and advantages), and `published.toml` (all else). To add one,
write a row there; where its measure is new, add a function to `MEASURES`. A measure that
needs compiled kernels imports them inside its function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from importlib.resources import files

from ventiuna.analysis.base_game import measures as base_game_measures
from ventiuna.analysis.base_game.split_play import SplitPlay
from ventiuna.analysis.exact import decimal_text, one_in_text
from ventiuna.analysis.frames import Framed
from ventiuna.analysis.notebook import html_table
from ventiuna.analysis.side_bets.insurance import insurance_wager
from ventiuna.analysis.side_bets.jackpots import jackpot_report, with_jackpot
from ventiuna.analysis.side_bets.match_the_dealer import match_wager
from ventiuna.analysis.side_bets.super_bonus import all_win
from ventiuna.records import brief_repr
from ventiuna.rules.canonical import canonical, fingerprint
from ventiuna.rules.data import JackpotTable, jackpot_tables, match_odds, read_toml
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.model import Rules
from ventiuna.rules.reading.loading import change_rules, load_rules

PRINTED_RULES = "wsgc-2021"  # the document that prints all jackpot tables

MEASURES: dict[str, Callable[[Rules], Fraction]] = {
    "match.win_frequency": lambda rules: match_wager(rules).win_frequency,
    "match.one_in": lambda rules: 1 / match_wager(rules).win_frequency,
    "match.house_edge": lambda rules: match_wager(rules).house_edge,
    "match.standard_deviation": lambda rules: match_wager(rules).standard_deviation,
    "super_bonus.one_in": lambda rules: 1 / all_win(rules, 1),
    "insurance.expected_value": lambda rules: insurance_wager(rules).expected_value,
    "jackpot.house_advantage": lambda rules: jackpot_report(rules).printed_house_advantage,
    "base_game.expected_value": base_game_measures.expected_value,
    "base_game.house_edge": base_game_measures.house_edge,
    "base_game.standard_deviation": base_game_measures.standard_deviation,
    "base_game.no_surrender_costs": base_game_measures.no_surrender_costs,
    "base_game.double_5_6_against_2": base_game_measures.double_5_6_against_2,
}
for _value in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10"):
    MEASURES[f"base_game.removal_of_{_value}"] = partial(base_game_measures.removal_effect, _value)

_NUMBER = re.compile(r"^(-?[\d,]+)(?:\.(\d+))?( ?%)?$")

EQUAL, WITHIN, DIFFERS = "equal", "within tolerance", "differs"
# What the words of trust mean.
TRUST = {
    "printed": "printed in a rule document",
    "primary": "an analyst's own output, with its method",
    "repeat": "quoted by others in two or three digits; who worked it out and how is not stated",
    "counted": "counted anew by another program for this comparison",
}
_MATCH_SOURCE = "documents 000, 002 and 003"

STRATEGY_CLASS = f"composition-dependent; {SplitPlay.AS_UNSPLIT.text}"  # of the base game


@dataclass(frozen=True, slots=True)
class Figure:
    """A published figure and ours."""

    section: str
    what: str
    rules: str  # canonical
    fingerprint: str
    trust: str  # printed in the documents, primary, repeat or counted: see `TRUST`
    published: str
    ours: str  # with as many digits
    value: Fraction
    equal: bool  # to every digit that is published
    tolerance: str = ""  # where the published figure is approximate
    within: bool = False  # not equal, but no farther apart than that
    source: str = ""
    disputed: str = ""  # why it differs, where published figures contradict each other

    @property
    def standing(self) -> str:
        """equal, within tolerance, or differs."""
        if self.equal:
            return EQUAL
        return WITHIN if self.within else DIFFERS

    def as_data(self) -> dict[str, object]:
        return {
            "section": self.section,
            "what": self.what,
            "rules": self.rules,
            "fingerprint": self.fingerprint,
            "trust": self.trust,
            "published": self.published,
            "ours": self.ours,
            "value": float(self.value),
            "tolerance": self.tolerance or None,
            "standing": self.standing,
            "equal": self.equal,
            "source": self.source,
            "disputed": self.disputed or None,
        }


@dataclass(frozen=True, slots=True)
class FigureList(Framed):
    """All figures; what differs without an explanation makes the command fail."""

    main_table = "figures"

    figures: tuple[Figure, ...]

    __repr__ = brief_repr

    @property
    def different(self) -> tuple[Figure, ...]:
        return tuple(figure for figure in self.figures if figure.standing == DIFFERS)

    @property
    def unexplained(self) -> tuple[Figure, ...]:
        """Those that differ though no published figure contradicts them."""
        return tuple(figure for figure in self.different if not figure.disputed)

    def counts(self) -> dict[str, int]:
        """How many of each standing."""
        standings = [figure.standing for figure in self.figures]
        return {standing: standings.count(standing) for standing in (EQUAL, WITHIN, DIFFERS)}

    def summary(self) -> str:
        """How many of each, in a sentence."""
        counts = self.counts()
        text = (
            f"{len(self.figures)} figures: {counts[EQUAL]} equal to every published digit, "
            f"{counts[WITHIN]} within the stated tolerance, {counts[DIFFERS]} different"
        )
        disputed = len(self.different) - len(self.unexplained)
        if disputed:
            text += f", {disputed} of them disputed: published figures contradict each other"
        return f"{text}."

    def sections(self) -> dict[str, list[Figure]]:
        found: dict[str, list[Figure]] = {}
        for figure in self.figures:
            found.setdefault(figure.section, []).append(figure)
        return found

    def as_data(self) -> dict[str, object]:
        return {
            "strategy_class": STRATEGY_CLASS,
            "figures": [figure.as_data() for figure in self.figures],
            "count": len(self.figures),
            "counts": self.counts(),
            "different": len(self.different),
            "unexplained": len(self.unexplained),
            "trust": TRUST,
        }

    def _repr_html_(self) -> str:
        rows = [
            [
                f"{figure.section}: {figure.what}",
                figure.published,
                figure.ours,
                standing_text(figure),
            ]
            for figure in self.figures
        ]
        return html_table("Published figures", ["figure", "published", "ours", ""], rows)


def standing_text(figure: Figure) -> str:
    if figure.standing == WITHIN:
        return f"within {figure.tolerance}"
    return f"{figure.standing}, disputed" if figure.disputed else figure.standing


@cache
def published_figures() -> FigureList:
    """Everything that is published, worked out anew."""
    published = read_toml(files("ventiuna.analysis") / "published.toml")
    return FigureList(
        (
            *_printed_match_figures(),
            *_printed_jackpot_figures(),
            *_listed_figures(published["figures"]),
            *_line_frequencies(published["line_frequencies"]),
        )
    )


def compared(
    section: str,
    what: str,
    rules: Rules,
    trust: str,
    published: str,
    value: Fraction,
    tolerance: str = "",
    source: str = "",
    disputed: str = "",
) -> Figure:
    """Ours rounded as the published figure is, and whether they agree."""
    ours = written_like(published, value)
    apart = abs(number_of(published) - _unit_of(published) * value)
    return Figure(
        section,
        what,
        canonical(rules),
        fingerprint(rules),
        trust,
        published,
        ours,
        value,
        ours == published,
        tolerance,
        ours != published and bool(tolerance) and apart <= number_of(tolerance),
        source or TRUST[trust],
        disputed,
    )


def written_like(text: str, value: Fraction) -> str:
    """The value with the digits, commas and % sign of a published one.

    >>> written_like("15.4 %", Fraction(575, 3731))
    '15.4 %'
    """
    found = _parsed(text)
    digits = len(found[2] or "")
    number = decimal_text(value * _unit_of(text), digits, grouped="," in text)
    return number + (found[3] or "")


def number_of(text: str) -> Fraction:
    """The number as it is written, a % sign left out."""
    found = _parsed(text)
    return Fraction(found[1].replace(",", "") + "." + (found[2] or "0"))


def _parsed(text: str) -> re.Match[str]:
    found = _NUMBER.match(text)
    if not found:
        fix = "Write it as 24.19 % or 668,382."
        raise RulesError([Problem("published figure", text, "", "not a number", fix)])
    return found


def _unit_of(text: str) -> int:
    return 100 if text.endswith("%") else 1


# --- the three places ---------------------------------------------------------------------------


def _listed_figures(rows: Iterable[dict[str, str]]) -> Iterator[Figure]:
    for row in rows:
        rules = load_rules(row["rules"])
        value = MEASURES[row["measure"]](rules)
        yield compared(
            row["section"],
            row["what"],
            rules,
            row["trust"],
            row["published"],
            value,
            row.get("tolerance", ""),
            row.get("source", ""),
            row.get("disputed", ""),
        )


def _printed_match_figures() -> Iterator[Figure]:
    section = "Match the Dealer, printed"
    for decks, odds in match_odds().items():
        rules = change_rules(load_rules(PRINTED_RULES), {"decks": decks})
        for measure, words, text in (
            ("win_frequency", "wins", odds.published_win_frequency),
            ("one_in", "wins one in", odds.published_one_in),
            ("house_edge", "house advantage", odds.published_house_advantage),
        ):
            what, value = f"{decks} decks, {words}", MEASURES[f"match.{measure}"](rules)
            yield compared(section, what, rules, "printed", text, value, source=_MATCH_SOURCE)


def _printed_jackpot_figures() -> Iterator[Figure]:
    """The house advantages that the pay tables print, by the convention of R-101."""
    section = "Jackpots, printed house advantage"
    for table in jackpot_tables().values():
        for number, pay_table in table.pay_tables.items():
            if not pay_table.published_house_advantage:
                continue  # the casino card prints none
            rules = with_jackpot(_rules_for(table), table.id, number)
            yield compared(
                section,
                f"{table.id} pay table {number}",
                rules,
                "printed",
                pay_table.published_house_advantage,
                MEASURES["jackpot.house_advantage"](rules),
                source=f"document {table.document}",
            )


def _rules_for(table: JackpotTable) -> Rules:
    return change_rules(load_rules(PRINTED_RULES), {"decks": table.decks[0]})


def _line_frequencies(tables: dict[str, dict[str, str]]) -> Iterator[Figure]:
    """How often lines are paid: equal as fractions, shown as one in so many."""
    for name, lines in tables.items():
        table, _, alternate = name.partition("/")
        number = int(alternate or 0)
        rules = with_jackpot(_rules_for(jackpot_tables()[table]), table, alternate=number)
        ours = {line.key: line.frequency for line in jackpot_report(rules).lines}
        for key, text in lines.items():
            words = f"{table}{f' alternate {number}' if number else ''}, {key.replace('_', ' ')}"
            yield Figure(
                "Jackpots, lines paid one in",
                words,
                canonical(rules),
                fingerprint(rules),
                "counted",
                one_in_text(Fraction(text)),
                one_in_text(ours[key]),
                ours[key],
                Fraction(text) == ours[key],
                source=TRUST["counted"],
            )
