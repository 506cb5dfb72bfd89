"""Charts as data: rows of cells by hand, columns by up card, in players' notation.

A cell is one or two letters with marks:

    H hit    S stand    D double    P split    R surrender, or rescue after doubling
    RH       the second letter if the first isn't allowed (default: H; after doubling, S)
    D4       with 4 or more cards, the second letter (default: H)
    S4*      hit while a 6-7-8 is possible, ' while a suited one is, " while one of spades is
    P$       hit while the Super Bonus is possible

Pairs that can't be split use the row of their total. In `[doubled]` and `[doubled_twice]`, D is a
double-double.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from ventiuna.core import actions
from ventiuna.core.base_game import may_become_super_bonus, super_bonus_pay
from ventiuna.core.cards import (
    ANY_SUITS,
    CARDS,
    EMPTY_HAND,
    SPADES,
    SUITS,
    Hand,
    add_card,
    best_total,
    is_blackjack,
    is_equal_value_pair,
    is_soft,
    one_of_rank,
    packed_ranks,
    split_hand,
    suit_bit,
    value_of,
)
from ventiuna.core.rule_table import RuleTable
from ventiuna.files import read_text_file
from ventiuna.rules import Rules, fingerprint
from ventiuna.rules.model import Problem
from ventiuna.strategy.protocol import HandSeen, Insurance, PlanError

# --- Files of charts and counts ---

TomlContent = Mapping[str, object]  # parsed from a TOML file
_SUFFIX = ".toml"


class FileReader:
    """Reads a file's content and collects all problems in it."""

    def __init__(self, name: str, data: TomlContent) -> None:
        self.name = name
        self.data = data
        self.problems: list[Problem] = []

    def wrong(self, place: str, value: object, message: str, fix: str) -> None:
        self.problems.append(Problem(f"{self.name}: {place}", user_text(value), "", message, fix))

    def text(self, key: str, default: str = "") -> str:
        """A one-line string that is safe to display."""
        value = self.data.get(key, default)
        if isinstance(value, str) and value.replace("\t", " ").isprintable():
            return value
        self.wrong(key, value, "must be a string on one line", 'Put it in quotes, as in "Mine".')
        return default

    def check_keys(self, what: str, known: Iterable[str]) -> None:
        names = sorted(known)
        for key in self.data:
            if key not in names:
                self.wrong(
                    key, "", f"no such field in a {what}", f"Choose from: {', '.join(names)}."
                )


def user_text(value: object) -> str:
    """The user's value as text, or its type if it is too long to show."""
    try:
        return str(value)
    except (ValueError, RecursionError):  # thousands of digits, hundreds of brackets
        return f"a {type(value).__name__} that is too long to show"


def read_file(path: Path) -> TomlContent:
    """Parse a user's file."""
    try:
        return tomllib.loads(read_text_file(path))
    except (tomllib.TOMLDecodeError, UnicodeError, OverflowError) as error:
        raise _not_toml(path, str(error)) from None
    except ValueError:  # Python's own message is meant for programmers
        raise _not_toml(path, "it contains a number that is too long") from None
    except RecursionError:
        raise _not_toml(path, "its lists are nested too deeply") from None


def _not_toml(path: Path, reason: str) -> PlanError:
    return PlanError([Problem(str(path), "", "", f"invalid TOML: {reason}", "Correct it.")])


def built_in_files(folder: str) -> dict[str, TomlContent]:
    """The parsed files in a folder of this package, by name."""
    found = [path for path in (files(__package__) / folder).iterdir() if path.is_file()]
    return {
        path.name.removesuffix(_SUFFIX): tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(found, key=lambda path: path.name)
        if path.name.endswith(_SUFFIX)
    }


# --- Hands that can still win a suit-dependent bonus ---

_RANKS_678 = (6, 7, 8)
_PACKED_678 = packed_ranks(_RANKS_678)
_ONE_MISSING = tuple(_PACKED_678 - one_of_rank(rank) for rank in _RANKS_678)
_ONE_SUIT = tuple(suit_bit(suit) for suit in range(SUITS))


class Bonus(StrEnum):
    """The bonus that the hands of an index play can still win."""

    ANY = ""  # whether or not the hand can win a bonus
    NONE = "none"
    SUITED_678 = "6-7-8 of one suit"  # clubs, diamonds or hearts
    SPADES_678 = "6-7-8 of spades"
    SUPER = "Super Bonus"

    @property
    def is_named(self) -> bool:
        """Whether this is a specific bonus that two cards can still win."""
        return self not in (Bonus.ANY, Bonus.NONE)


@lru_cache(maxsize=32)
def suits_of_678(rules: RuleTable) -> frozenset[int]:
    """The suit requirements of pay rows for a 6-7-8."""
    return frozenset(
        rules.bonus_suits[row]
        for row in range(rules.bonus_rows)
        if rules.bonus_ranks[row] == _PACKED_678
    )


def is_part_of_678(hand: Hand) -> bool:
    """Whether one more card would make these two a 6-7-8."""
    return hand.cards == 2 and hand.ranks in _ONE_MISSING


def is_part_of_suited_678(rules: RuleTable, hand: Hand) -> bool:
    """Whether one more card would make these two a suited 6-7-8, if a row requires that.

    Without such a row, the hand graph doesn't distinguish suits.
    """
    return (
        is_part_of_678(hand)
        and hand.suits in _ONE_SUIT
        and any(
            fitting != ANY_SUITS and fitting >> hand.suits & 1 for fitting in suits_of_678(rules)
        )
    )


def bonus_of(rules: RuleTable, hand: Hand, up: int) -> Bonus:
    """The suit-dependent bonus the hand can still win; a mixed 6-7-8 isn't one."""
    if may_become_super_bonus(rules, hand, up):
        return Bonus.SUPER
    if is_part_of_suited_678(rules, hand):
        return Bonus.SPADES_678 if hand.suits == suit_bit(SPADES) else Bonus.SUITED_678
    return Bonus.NONE


@lru_cache(maxsize=32)
def hands_with_bonus(rules: RuleTable) -> tuple[tuple[Hand, int], ...]:
    """All two-card hands, dealt or split, that can win a bonus, with their up cards."""
    cards = range(CARDS)
    starts = [start for card in cards for start in (add_card(EMPTY_HAND, card), split_hand(card))]
    hands = dict.fromkeys(add_card(start, card) for start in starts for card in cards)
    return tuple(
        (hand, up) for hand in hands for up in cards if bonus_of(rules, hand, up) != Bonus.NONE
    )


UP_CARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
_CELL = re.compile(r"([HSDPR])([HSDP]?)([2-9]?)([*'\"]?)(\$?)")
_ROW = re.compile(r"([0-9]{1,2})(?:-([0-9]{1,2}))?")
_LETTERS = {
    "H": actions.HIT,
    "S": actions.STAND,
    "D": actions.DOUBLE,
    "P": actions.SPLIT,
    "R": actions.SURRENDER,
}
DOUBLED_LETTERS = {
    "S": (actions.STAND,),
    "D": (actions.DOUBLE_DOUBLE,),
    "R": (actions.RESCUE, actions.SURRENDER),
}
DOUBLED_SECTIONS = ("doubled", "doubled_twice", "doubled_thrice")


class Cell(NamedTuple):
    first: str
    second: str
    cards: int  # 0 for any number
    mark: str
    for_super: bool


def read_cell(text: str) -> Cell | None:
    """Parse a cell in chart notation; None if it isn't one.

    >>> read_cell("S4*")
    Cell(first='S', second='', cards=4, mark='*', for_super=False)
    """
    found = _CELL.fullmatch(text)
    if found is None:
        return None
    return Cell(found[1], found[2], int(found[3] or 0), found[4], bool(found[5]))


Row = tuple[Cell, ...]
Rows = Mapping[int, Row]


@dataclass(frozen=True)
class Chart:
    """A chart as its file describes it."""

    name: str
    title: str
    hard: Rows
    soft: Rows
    pairs: Rows  # by value (ace = 1)
    doubled: tuple[tuple[Rows, Rows], ...]  # hard and soft rows after one, two, three doublings
    insurance: Insurance = Insurance.NEVER
    doubles_blackjack: bool = False
    source: str = ""
    rules: str = ""  # canonical string and fingerprint of the rules it was made for
    fingerprint: str = ""
    notes: tuple[str, ...] = field(default=())

    def __repr__(self) -> str:
        return f"<Chart {self.name}>"

    def misfit(self, rules: Rules) -> str:
        """A warning if the chart was made for different rules, otherwise ""."""
        ours = fingerprint(rules)
        if self.fingerprint in ("", ours):
            return ""
        return (
            f"The chart {self.name} was made for {self.rules or 'rules'} with fingerprint "
            f"{self.fingerprint}, but these rules have {ours}. Derive a chart for them with "
            "'ventiuna strategy'."
        )


class _ChartReader(FileReader):
    def chart(self) -> Chart:
        known = {"title", "source", "rules", "fingerprint", "insurance", "blackjack"}
        known |= {"hard", "soft", "pairs"}
        self.check_keys("chart", known | set(DOUBLED_SECTIONS))
        doubled = []
        for section in DOUBLED_SECTIONS:
            part = self.data.get(section)
            if isinstance(part, Mapping):
                hard = self.rows(f"{section}.hard", part.get("hard"), 4, 21)
                soft = self.rows(f"{section}.soft", part.get("soft"), 12, 21)
                doubled.append((hard, soft))
        chart = Chart(
            name=self.name,
            title=self.text("title", self.name),
            source=self.text("source"),
            rules=self.label("rules", "the canonical string of the rules it was made for"),
            fingerprint=self.label("fingerprint", "the fingerprint of these rules"),
            hard=self.rows("hard", self.data.get("hard"), 4, 21),
            soft=self.rows("soft", self.data.get("soft"), 12, 21),
            pairs=self.rows("pairs", self.data.get("pairs", {}), 1, 10, complete=False),
            doubled=tuple(doubled),
            insurance=self.insurance(),
            doubles_blackjack=self.blackjack(),
        )
        if self.problems:
            raise PlanError(self.problems)
        return chart

    def label(self, key: str, meaning: str) -> str:
        value = self.data.get(key, "")
        if isinstance(value, str) and value.isprintable():
            return value
        self.wrong(key, value, f"must be {meaning}", "Remove the line or put it in quotes.")
        return ""

    def insurance(self) -> Insurance:
        value = self.data.get("insurance", "never")
        if value not in ("never", "always", "blackjack"):
            self.wrong(
                "insurance", value, "not one of the choices", "Use never, always or blackjack."
            )
            return Insurance.NEVER
        return Insurance(value)

    def blackjack(self) -> bool:
        value = self.data.get("blackjack", "take")
        if value not in ("take", "double"):
            self.wrong("blackjack", value, "not one of the choices", "Use take or double.")
        return bool(value == "double")

    def rows(self, place: str, part: object, low: int, high: int, complete: bool = True) -> Rows:
        if not isinstance(part, Mapping):
            self.wrong(place, "", "required", f"Add rows {low} to {high}.")
            return {}
        rows: dict[int, Row] = {}
        for key, text in part.items():
            row = self.row(f"{place}.{key}", text)
            for total in self.totals(place, key, low, high):
                if total in rows:
                    self.wrong(f"{place}.{key}", "", f"{total} already has a row", "Keep one.")
                rows[total] = row
        missing = [str(total) for total in range(low, high + 1) if total not in rows]
        if missing and complete:
            self.wrong(place, "", f"no row for {', '.join(missing)}", "Add the rows.")
        return rows

    def totals(self, place: str, key: str, low: int, high: int) -> Iterator[int]:
        found = _ROW.fullmatch("1" if key == "A" and low == 1 else key)
        first = int(found[1]) if found else 0
        last = int(found[2] or found[1]) if found else 0
        if not found or not low <= first <= last <= high:
            example = "A, 2 or 10" if low == 1 else f"{low} or {low}-{high}"
            self.wrong(place, key, "not the name of a row", f"Write it as {example}.")
            return
        yield from range(first, last + 1)

    def row(self, place: str, text: object) -> Row:
        words = text.split() if isinstance(text, str) else []
        if len(words) != len(UP_CARDS):
            self.wrong(
                place,
                text,
                "a row must have ten cells, for up cards 2 to 10 and A",
                "Count the cells.",
            )
        cells = []
        for word, up in zip(words, UP_CARDS, strict=False):
            cell = read_cell(word)
            if not cell or (place.startswith("doubled") and cell.first not in DOUBLED_LETTERS):
                letters = "S, D and R" if place.startswith("doubled") else "H, S, D, P and R"
                self.wrong(
                    f"{place} against {up}",
                    word,
                    "not a cell",
                    f"Use the letters {letters}, as in D4, S4*, RH.",
                )
                continue
            cells.append(cell)
        return tuple(cells)


def read_chart(name: str, data: TomlContent) -> Chart:
    """Read a chart from the content of its file; all problems are reported together."""
    return _ChartReader(name, data).chart()


def load_chart(path: str | Path) -> Chart:
    """Load a user's chart file."""
    place = Path(path)
    return read_chart(place.name, read_file(place))


@cache
def built_in_charts() -> dict[str, Chart]:
    return {name: read_chart(name, data) for name, data in built_in_files("charts").items()}


# --- A chart's preferences ---


class ChartHand(NamedTuple):
    """The properties of an undoubled hand that matter to a chart."""

    soft: bool
    total: int
    cards: int
    pair: int  # value of the cards (ace = 1); 0 if not a pair


def column_of(value: int) -> int:
    """The chart column for an up card's value (ace = 1).

    >>> column_of(1), column_of(2), column_of(10)
    (9, 0, 8)
    """
    return (value - 2) % len(UP_CARDS)


def cell_preferences(cell: Cell, cards: int, mark_is_met: bool) -> tuple[int, ...]:
    """A cell's preferred actions for an undoubled hand, best first.

    `mark_is_met` means that a bonus to which the cell's marks refer is still possible.
    """
    if mark_is_met:
        return (actions.HIT, actions.STAND)
    second = _LETTERS[cell.second] if cell.second else actions.HIT
    if cell.cards and cards >= cell.cards:
        return (second, actions.STAND)
    return (_LETTERS[cell.first], second, actions.STAND)


def doubled_cell_preferences(cell: Cell) -> tuple[int, ...]:
    second = DOUBLED_LETTERS.get(cell.second, ())
    return (*DOUBLED_LETTERS[cell.first], *second, actions.STAND)


def undoubled_preferences(
    chart: Chart, hand: ChartHand, column: int, mark_is_met: Callable[[Cell], bool]
) -> tuple[int, ...]:
    """The chart's preferred actions; a pair that can't be split uses its total's row."""
    before: tuple[int, ...] = ()
    if hand.pair in chart.pairs:
        cell = chart.pairs[hand.pair][column]
        found = cell_preferences(cell, hand.cards, mark_is_met(cell))
        if found[0] != actions.SPLIT:
            return found
        before = found[:1]
    cell = (chart.soft if hand.soft else chart.hard)[hand.total][column]
    return before + cell_preferences(cell, hand.cards, mark_is_met(cell))


def doubled_preferences(
    chart: Chart, doublings: int, soft: bool, total: int, column: int
) -> tuple[int, ...]:
    if not chart.doubled:
        return (actions.STAND,)
    hard_rows, soft_rows = chart.doubled[min(doublings, len(chart.doubled)) - 1]
    return doubled_cell_preferences((soft_rows if soft else hard_rows)[total][column])


def blackjack_preferences(chart: Chart) -> tuple[int, ...]:
    return (actions.DOUBLE,) if chart.doubles_blackjack else (actions.STAND,)


class ChartPlayer:
    """Plays a chart under given rules and with a given base wager."""

    def __init__(self, chart: Chart, rules: RuleTable, base: int) -> None:
        self.chart = chart
        self._rules = rules
        self._may_win_super = super_bonus_pay(rules, base) > 0

    @property
    def name(self) -> str:
        return self.chart.name

    @property
    def insurance(self) -> Insurance:
        return self.chart.insurance

    def preferences(self, hand: HandSeen, up: int) -> tuple[int, ...]:
        shape = hand.shape
        column = column_of(value_of(up))
        total = best_total(shape.hard, shape.aces)
        soft = is_soft(shape.hard, shape.aces)
        if shape.doublings:
            return doubled_preferences(self.chart, shape.doublings, soft, total, column)
        if is_blackjack(shape):
            return blackjack_preferences(self.chart)
        pair = value_of(hand.cards[0]) if is_equal_value_pair(shape) else 0
        return undoubled_preferences(
            self.chart,
            ChartHand(soft, total, shape.cards, pair),
            column,
            lambda cell: self._mark_is_met(cell, hand, up),
        )

    def _mark_is_met(self, cell: Cell, hand: HandSeen, up: int) -> bool:
        if cell.for_super and self._super_bonus_can_come(hand, up):
            return True
        return bool(cell.mark) and self._bonus_can_come(hand.shape, cell.mark)

    def _bonus_can_come(self, hand: Hand, mark: str) -> bool:
        """Whether one more card can make the 6-7-8 that the mark refers to."""
        if mark == "*":
            return is_part_of_678(hand) and bool(suits_of_678(self._rules))
        if mark == '"' and hand.suits != suit_bit(SPADES):
            return False
        return is_part_of_suited_678(self._rules, hand)

    def _super_bonus_can_come(self, hand: HandSeen, up: int) -> bool:
        return (
            self._may_win_super
            and hand.shape.split == 0
            and may_become_super_bonus(self._rules, hand.shape, up)
        )
