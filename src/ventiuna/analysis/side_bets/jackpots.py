"""Jackpot wagers in exact fractions: lines, returns, the meter that breaks even."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from ventiuna.analysis.composition import Basis, Composition, basis_of, usable_composition
from ventiuna.analysis.exact import (
    PER_WAGERS,
    decimal_text,
    exact_data,
    one_in_text,
    orders,
    percent_text,
    square_root,
    total,
)
from ventiuna.analysis.frames import Framed, Row
from ventiuna.analysis.notebook import html_notes, html_table
from ventiuna.analysis.side_bets.deals import deals
from ventiuna.core.jackpot import (
    NO_LINE,
    fixed_line,
    fixed_pay,
    paid_fixed_lines,
    special_line,
)
from ventiuna.core.meters import (
    SHARES,
    comes_from_meter,
    contribution,
    empties_meter,
    prize_pay,
    share_of,
    special_pay,
)
from ventiuna.core.table import RuleTable
from ventiuna.money import money_text, plain_amount
from ventiuna.records import brief_repr
from ventiuna.rules.compiled import compile_rules
from ventiuna.rules.data import FIXED_LINE_KEYS, FIXED_LINE_NAMES, JackpotTable, jackpot_tables
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.model import Jackpot, JackpotKind, Rules
from ventiuna.rules.reading.loading import change_rules, load_rules
from ventiuna.rules.values import shown

# The share of a wager that stands for all percentage and prize lines in the printed
# house advantages.
PRINTED_SHARE = Fraction(21, 100)
ROUND_CARDS = 4

_FIXED_KEYS = {line: key for key, line in FIXED_LINE_KEYS.items()}


@dataclass(frozen=True, slots=True)
class JackpotLine:
    """A line of the pay table."""

    key: str
    hand: str
    pay: str
    percent: int  # of the meter; 0: fixed pay or prize
    # How often it is paid per wager. A fixed line of Tables 4 may be paid twice on one
    # hand, by the up card and by the down card, and counts twice then.
    frequency: Fraction
    pays: int  # cents for the game's wager; 0: a share of the meter

    @property
    def per_100_000(self) -> Fraction:
        return self.frequency * PER_WAGERS

    @property
    def expected_pay(self) -> Fraction:
        """Cents per wager, the meter's shares left out."""
        return self.frequency * self.pays

    @property
    def expected_share(self) -> Fraction:
        """Of the meter, per wager."""
        return self.frequency * self.percent / 100

    def expected_award(self, meter: int) -> Fraction:
        """Cents per wager out of a meter of so many cents, rounded as awards are (O-18)."""
        return self.frequency * share_of(meter, self.percent)

    def as_data(self) -> dict[str, object]:
        return {
            "key": self.key,
            "hand": self.hand,
            "pay": self.pay,
            "frequency": exact_data(self.frequency),
            "one_in": float(1 / self.frequency) if self.frequency else None,
            "per_100000_wagers": float(self.per_100_000),
            "expected_pay_cents": exact_data(self.expected_pay),
            "expected_share_of_meter": exact_data(self.expected_share),
        }


class JackpotOutcome(NamedTuple):
    """A special line, or none, and what the fixed lines pay besides."""

    special: int
    fixed: int  # cents
    probability: Fraction


@dataclass(frozen=True, slots=True)
class JackpotReport(Framed):
    """One jackpot game; amounts in cents, returns per wager."""

    main_table = "lines"

    basis: Basis
    number: int  # of the game on its layout
    jackpot: Jackpot
    published_house_advantage: str  # as printed; empty where nothing is
    lines: tuple[JackpotLine, ...]  # special lines first, highest first
    outcomes: tuple[JackpotOutcome, ...]
    table: RuleTable

    # --- what one wager returns -----------------------------------------------------------------

    __repr__ = brief_repr

    @property
    def fixed_return(self) -> Fraction:
        """Of the fixed lines, per wager."""
        pays = total(outcome.probability * outcome.fixed for outcome in self.outcomes)
        return pays / self.jackpot.wager

    @property
    def prize_return(self) -> Fraction:
        """Of the operator's prizes in full, per wager."""
        return total(line.expected_pay for line in self.special_lines) / self.jackpot.wager

    @property
    def meter_share(self) -> Fraction:
        """The share of the meter that one wager wins on average."""
        return total(line.expected_share for line in self.special_lines)

    @property
    def printed_house_advantage(self) -> Fraction:
        """By the convention of the printed figures (R-101)."""
        return 1 - self.fixed_return - PRINTED_SHARE

    @property
    def special_lines(self) -> tuple[JackpotLine, ...]:
        return tuple(line for line in self.lines if line.key not in FIXED_LINE_KEYS)

    @property
    def hit_frequency(self) -> Fraction:
        """Chance that a wager is paid anything; an award counts however small the meter."""
        return total(o.probability for o in self.outcomes if o.fixed or o.special != NO_LINE)

    def special_pay(self, special: int, meter: int) -> int:
        """Cents that a special line pays out of such a meter, to the first winner of a round."""
        return special_pay(self.table, 0, special, meter)

    def expected_pay_at(self, meter: int) -> Fraction:
        """Cents per wager, to the first winner of a round, awards rounded down (O-18).

        The meter is that of the award: this round's contributions are in it (O-19).
        """
        return total(
            outcome.probability * (outcome.fixed + self.special_pay(outcome.special, meter))
            for outcome in self.outcomes
        )

    def return_at(self, meter: int) -> Fraction:
        return self.expected_pay_at(meter) / self.jackpot.wager

    def house_edge_at(self, meter: int) -> Fraction:
        """Expected loss of the player per wager."""
        return 1 - self.return_at(meter)

    def variance_at(self, meter: int) -> Fraction:
        """Of the pay, in square cents."""
        squares = total(
            outcome.probability * (outcome.fixed + self.special_pay(outcome.special, meter)) ** 2
            for outcome in self.outcomes
        )
        return squares - self.expected_pay_at(meter) ** 2

    def standard_deviation_at(self, meter: int) -> Fraction:
        """In wagers."""
        return square_root(self.variance_at(meter)) / self.jackpot.wager

    # --- the meter that breaks even ---------------------------------------------------------------

    @property
    def break_even_meter(self) -> Fraction | None:
        """Cents at which a wager loses nothing, awards not rounded; None: no meter does."""
        if not self.meter_share:
            return None
        missing = (1 - self.fixed_return - self.prize_return) * self.jackpot.wager
        return max(missing / self.meter_share, Fraction())

    @property
    def break_even_cents(self) -> int | None:
        """The smallest meter, in whole cents, at which a wager loses nothing."""
        start = self.break_even_meter
        if start is None:
            return None
        low, high = -1, ceil(start)  # a wager loses at low, which no meter shows, not at high
        while self.expected_pay_at(high) < self.jackpot.wager:
            low, high = high, 2 * high + 1
        while high - low > 1:
            middle = (low + high) // 2
            if self.expected_pay_at(middle) < self.jackpot.wager:
                low = middle
            else:
                high = middle
        return high

    # --- the operator's view ----------------------------------------------------------------------

    @property
    def contribution(self) -> Fraction:
        """Share of each wager that goes into a progressive's meter (O-19)."""
        wager = self.jackpot.wager
        return Fraction(contribution(self.table, 0, wager), wager * SHARES)

    @property
    def house_hold(self) -> Fraction:
        """What the house keeps of a wager on average, meter, seeds and prizes paid.

        A progressive's awards are the players' money: the house pays the contribution in, and
        the seed after a 100 % award. A house jackpot's awards are its own, at the posted amount.
        """
        if self.jackpot.kind == JackpotKind.HOUSE:
            return self.house_edge_at(self.jackpot.seed)
        by_number = list(enumerate(self.special_lines, start=1))
        prizes = total(
            line.expected_pay
            for number, line in by_number
            if not comes_from_meter(self.table, 0, number)
        )
        emptied = total(
            line.frequency for number, line in by_number if empties_meter(self.table, 0, number)
        )
        paid = (prizes + emptied * self.jackpot.seed) / self.jackpot.wager
        return 1 - self.fixed_return - self.contribution - paid

    def rows(self) -> list[Row]:
        """Line by line, the best first."""
        return [
            {
                "line": line.hand,
                "pay": line.pay,
                "frequency": float(line.frequency),
                "one_in": float(1 / line.frequency) if line.frequency else None,
                "per_100000_wagers": float(line.per_100_000),
            }
            for line in self.lines
        ]

    def ev_at(self, meter: int) -> float:
        """Expected result per chip of the wager at this meter, in cents."""
        return -float(self.house_edge_at(meter))

    # --- display ----------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        alternate = f", alternate lines {self.jackpot.alternate}" if self.jackpot.alternate else ""
        return f"table {self.jackpot.table}, pay table {self.jackpot.pay_table}{alternate}"

    def as_data(self, meter: int | None = None) -> dict[str, object]:
        jackpot, even = self.jackpot, self.break_even_cents
        data: dict[str, object] = {
            **self.basis.as_data(),
            "game": self.number,
            "table": jackpot.table,
            "pay_table": jackpot.pay_table,
            "alternate": jackpot.alternate,
            "kind": str(jackpot.kind),
            "wager_cents": jackpot.wager,
            "prize_for_1_dollar_cents": jackpot.prize,
            "lines": [line.as_data() for line in self.lines],
            "hit_frequency": exact_data(self.hit_frequency),
            "fixed_return": exact_data(self.fixed_return),
            "prize_return": exact_data(self.prize_return),
            "expected_share_of_meter": exact_data(self.meter_share),
            "printed_house_advantage": exact_data(self.printed_house_advantage),
            "published_house_advantage": self.published_house_advantage or None,
            "break_even_meter_cents": even,
            "contribution": exact_data(self.contribution),
            "house_hold": exact_data(self.house_hold),
        }
        if meter is not None:
            data["at_meter"] = {
                "meter_cents": meter,
                "return": exact_data(self.return_at(meter)),
                "house_edge": exact_data(self.house_edge_at(meter)),
                "standard_deviation": float(self.standard_deviation_at(meter)),
            }
        return data

    def _repr_html_(self) -> str:
        rows = [
            [
                line.hand,
                line.pay,
                one_in_text(line.frequency),
                decimal_text(line.per_100_000, 4, grouped=True),
            ]
            for line in self.lines
        ]
        caption = f"Jackpot {self.title}, {self.basis.rules} ({self.basis.shoe_text})"
        even = self.break_even_cents
        notes = [
            f"Fixed lines return {percent_text(self.fixed_return)} of the wager.",
            f"House advantage as printed (R-101): {percent_text(self.printed_house_advantage)}.",
            f"Breaks even at a meter of {money_text(even) if even is not None else 'no amount'}.",
        ]
        headings = ["hand", "pay", "one in", "per 100,000 wagers"]
        return html_table(caption, headings, rows) + html_notes(notes)


def jackpot_report(
    rules: Rules, game: int = 1, composition: Composition | None = None
) -> JackpotReport:
    """The jackpot game of this number on the rules' layout.

    >>> from ventiuna.rules import load_rules
    >>> report = jackpot_report(load_rules("wsgc-2021(jackpots=3c:1)"))
    >>> percent_text(report.printed_house_advantage, 2)
    '24.19 %'
    """
    jackpot = game_of(rules, game)
    known = usable_composition(rules, composition, ROUND_CARDS)
    table = compile_rules(replace(rules, jackpots=(jackpot,)))
    source = jackpot_tables()[jackpot.table]
    ways, paid_lines = _ways_of_outcomes(table, known)
    everything = orders(sum(known), ROUND_CARDS)
    lines = {line: Fraction(count, everything) for line, count in paid_lines.items()}
    outcomes = tuple(
        JackpotOutcome(special, fixed, Fraction(count, everything))
        for (special, fixed), count in sorted(ways.items())
    )
    return JackpotReport(
        basis_of(rules, known),
        game,
        jackpot,
        source.pay_tables[jackpot.pay_table].published_house_advantage,
        (*_special_lines(source, jackpot, table, outcomes), *_fixed_lines(source, jackpot, lines)),
        outcomes,
        table,
    )


def game_of(rules: Rules, game: int) -> Jackpot:
    if type(game) is int and 1 <= game <= len(rules.jackpots):
        return rules.jackpots[game - 1]
    offered = len(rules.jackpots)
    problem = Problem(
        "game",
        shown(game),
        "R-084",
        f"these rules have {offered or 'no'} jackpot game{'s' if offered != 1 else ''}",
        "Name one of its games, or a table such as 3c.",
    )
    raise RulesError([problem])


def with_jackpot(
    rules: Rules,
    table: str,
    pay_table: int = 1,
    alternate: int = 0,
    wager: int = 100,
    prize: int | None = None,
) -> Rules:
    """The same rules with this one jackpot game; a prize that is not set counts $0 (O-21)."""
    row: dict[str, object] = {"table": table, "pay_table": pay_table}
    if alternate:
        row["alternate"] = alternate
    if wager != Jackpot(table).wager:
        row["wager"] = plain_amount(wager)
    if prize is not None or has_prize_line(table, alternate):
        row["prize"] = plain_amount(prize or 0)
    return change_rules(rules, {"jackpots": [row]})


def has_prize_line(table: str, alternate: int) -> bool:
    """Does a line pay the operator's prize? (R-092)"""
    source = jackpot_tables().get(table)
    if source is None or (alternate and alternate not in source.alternates):
        return False
    return any(line.percent == 0 for line in source.special_lines(alternate))


def _special_lines(
    source: JackpotTable, jackpot: Jackpot, table: RuleTable, outcomes: Iterable[JackpotOutcome]
) -> list[JackpotLine]:
    return [
        JackpotLine(
            line.key,
            line.hand,
            line.pay,
            line.percent,
            total(outcome.probability for outcome in outcomes if outcome.special == number),
            prize_pay(table, 0, number),
        )
        for number, line in enumerate(source.special_lines(jackpot.alternate), start=1)
    ]


def _fixed_lines(
    source: JackpotTable, jackpot: Jackpot, frequencies: dict[int, Fraction]
) -> list[JackpotLine]:
    pays = source.pay_tables[jackpot.pay_table].fixed
    return [
        JackpotLine(
            _FIXED_KEYS[line],
            FIXED_LINE_NAMES[line],
            str(pays[line]),
            0,
            frequencies.get(line, Fraction()),
            jackpot.wager * pays[line].num // pays[line].den,
        )
        for line in _FIXED_KEYS
    ]


# --- which lines the cards make -----------------------------------------------------------------


class _Made(NamedTuple):
    """Cards that make the same special line and the same fixed lines; one deal of them."""

    special: int
    first: int
    second: int
    up: int
    down: int


@lru_cache(maxsize=64)
def _made(family: int, alternate: int, composition: Composition) -> tuple[tuple[_Made, int], ...]:
    """All deals, by the lines they make, with their ways. The same for every pay table."""
    table = _reading_table(family, alternate)
    found: dict[tuple[int, int, int], tuple[_Made, int]] = {}
    for ways, first, second, up, down in deals(composition):
        special = special_line(table, 0, first, second, up, down)
        key = (special, fixed_line(first, second, up), fixed_line(first, second, down))
        made, so_far = found.get(key, (_Made(special, first, second, up, down), 0))
        found[key] = (made, so_far + ways)
    return tuple(found.values())


@lru_cache(maxsize=16)
def _reading_table(family: int, alternate: int) -> RuleTable:
    """A table that reads cards in this way; pays play no part in it."""
    for source in jackpot_tables().values():
        if source.family == family and (not alternate or alternate in source.alternates):
            break
    else:
        problem = f"no jackpot table of family {family} has these alternate lines"
        raise RulesError([Problem("alternate", str(alternate), "", problem, "Use 0 for none.")])
    rules = change_rules(load_rules("wsgc-2021"), {"decks": source.decks[0]})
    return compile_rules(with_jackpot(rules, source.id, alternate=alternate))


def _ways_of_outcomes(
    table: RuleTable, composition: Composition
) -> tuple[dict[tuple[int, int], int], dict[int, int]]:
    """Ways by special line and fixed pay, and how often each fixed line is paid."""
    ways: dict[tuple[int, int], int] = {}
    lines: dict[int, int] = {}
    made_lines = _made(table.jackpot_family[0], table.jackpot_alternate[0], composition)
    for made, count in made_lines:
        pay = fixed_pay(table, 0, *made)
        key = (made.special, pay)
        ways[key] = ways.get(key, 0) + count
        for line in paid_fixed_lines(table, 0, *made):
            if line != NO_LINE:
                lines[line] = lines.get(line, 0) + count
    return ways, lines
