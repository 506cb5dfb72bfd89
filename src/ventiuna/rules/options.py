"""Options and rows of house rules: types, values, rule numbers, reading and writing.

The list of options drives reading, validation, canonical strings and display, so a new option needs
only a field of `Rules` and a row here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time
from difflib import get_close_matches
from enum import StrEnum
from reprlib import Repr
from typing import Any, Literal, NamedTuple

from ventiuna.cards import RANKS, SUIT_NAMES, CardError, Pack, card_text, cards_text, parse_card
from ventiuna.core.cards import SUITS, card_of
from ventiuna.errors import VentiunaError
from ventiuna.money import MoneyError, Odds, money_text, parse_amount
from ventiuna.rules import model
from ventiuna.rules.model import (
    Jackpot,
    OptionValue,
    PayRow,
    Problem,
    Rules,
    RulesError,
    SuperBonusBand,
    SuperBonusForm,
)

OptionKind = Literal["choice", "flag", "number", "money", "odds", "names", "text"]


@dataclass(frozen=True, slots=True)
class Option:
    name: str
    kind: OptionKind
    rule: str
    text: str
    choices: type[StrEnum] | None = None
    low: int = 0
    high: int = 0
    usual: tuple[str, ...] = ()  # common values of an option that accepts any
    zero: str = ""  # meaning of 0 if it isn't an amount


def _choice_option(name: str, choices: type[StrEnum], rule: str, text: str) -> Option:
    return Option(name, "choice", rule, text, choices=choices)


def _odds_option(name: str, default: tuple[str, ...], rule: str, text: str) -> Option:
    return Option(name, "odds", rule, text, usual=default)


def _number_option(name: str, low: int, high: int, rule: str, text: str) -> Option:
    return Option(name, "number", rule, text, low=low, high=high)


_BLACKJACK_ODDS = ("1 to 1", "6 to 5", "3 to 2", "2 to 1")
_DIAMOND_ODDS = ("1 to 1", "3 to 2", "2 to 1")

OPTIONS: tuple[Option, ...] = (
    _choice_option("game", model.Game, "R-001, R-103", "the game"),
    _choice_option("pack", Pack, "R-007, R-103", "cards in a deck"),
    _number_option("decks", 1, 8, "R-008, R-103", "number of decks"),
    _choice_option("dealt_from", model.DealtFrom, "R-009", "dealt by hand or from a shoe"),
    _number_option(
        "cut_card", 0, 100, "O-03", "percentage dealt before the cut card; 0: default for the decks"
    ),
    _number_option("burn_cards", 0, 20, "O-03", "cards burned after each shuffle"),
    _number_option("seats", 1, 7, "O-02", "spots at the table"),
    _choice_option("soft_17", model.Soft17, "R-077, R-117", "dealer on soft 17"),
    _odds_option("blackjack_pays", _BLACKJACK_ODDS, "R-029, R-114", "a player's blackjack pays"),
    _odds_option("diamond_blackjack_pays", _DIAMOND_ODDS, "R-114", "an all-diamond blackjack pays"),
    _choice_option(
        "blackjack_tie", model.BlackjackTie, "R-029, R-114", "against a dealer blackjack"
    ),
    _choice_option(
        "blackjack_paid", model.BlackjackPaid, "R-030, R-115", "when a blackjack is paid"
    ),
    Option("double_blackjack", "flag", "R-032, R-106", "a blackjack may be doubled"),
    _choice_option("player_21", model.Player21, "R-039, R-119", "a player's 21"),
    _choice_option(
        "double_on_21", model.DoubleOn21, "R-041, O-06, O-33", "which 21 may be doubled"
    ),
    _choice_option(
        "double_cards",
        model.DoubleCards,
        "R-047, R-105",
        "number of cards a hand may be doubled on",
    ),
    _choice_option(
        "double_totals", model.DoubleTotals, "R-047, R-105", "totals that may be doubled"
    ),
    Option("double_after_split", "flag", "R-047, R-105", "split hands may be doubled"),
    Option("double_for_less", "flag", "R-050, R-107", "doubling for less than the wager"),
    Option("double_double", "flag", "R-051", "double-double down"),
    Option("rescue", "flag", "R-057", "rescue of a doubled hand"),
    _choice_option("surrender", model.Surrender, "R-036, R-109", "surrender"),
    _choice_option("split", model.Split, "R-042, R-108", "cards that may be split"),
    _number_option("split_hands", 1, 4, "R-042, R-108", "maximum number of hands after splitting"),
    _choice_option("split_aces", model.SplitAces, "R-043, R-108", "split aces"),
    Option("resplit_aces", "flag", "R-043, R-108", "split aces may be split again"),
    Option("insurance", "flag", "R-034, R-116", "insurance against an ace up"),
    _odds_option("insurance_pays", ("2 to 1",), "R-034, R-116", "insurance pays"),
    Option("insurance_on_blackjack", "flag", "R-031, R-116", "a blackjack may be insured"),
    _choice_option("envy", model.Envy, "R-073, R-074, D-10", "Envy Bonus"),
    Option("envy_amount", "money", "R-073", "amount of an Envy Bonus"),
    _number_option(
        "mtd_configuration", 0, 4, "R-015, R-016, R-017, R-018", "Match the Dealer configuration"
    ),
    _number_option("bonus_cards", 0, 5, "R-017, R-018", "number of Match the Dealer Bonus Cards"),
    Option("mtd_minimum", "money", "R-024", "smallest Match the Dealer wager"),
    Option(
        "mtd_maximum",
        "money",
        "R-024",
        "largest Match the Dealer wager; 0: the table maximum",
        zero="the table maximum",
    ),
    Option(
        "mtd_at_most_base",
        "flag",
        "R-024, D-03",
        "Match the Dealer wagers can't exceed the base wager",
    ),
    Option("down_requires_up", "flag", "R-025, D-02", "a Down Card wager needs an Up Card wager"),
    Option("mtd_required", "names", "R-025", "Match the Dealer wagers the house requires"),
    _choice_option(
        "down_settled", model.DownSettled, "R-081, D-05", "when Down Card wagers are settled"
    ),
    Option("table_minimum", "money", "R-003", "table minimum"),
    Option("table_maximum", "money", "R-002, R-003", "table maximum"),
    Option("chip_unit", "money", "O-18", "wagers must be multiples of"),
    Option(
        "small_chip_unit", "money", "O-18", "insurance and doubles for less must be multiples of"
    ),
    Option("limit_profile", "text", "R-002", "regulator's limit that applies"),
)

OPTIONS_BY_NAME = {option.name: option for option in OPTIONS}


# --- Values of options ---

_FLAGS = {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False}
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
ROW_FIELDS = ("bonus_21", "instant_wins", "super_bonus", "super_bonus_bands", "jackpots")
MTD_NAMES = ("up", "down", "b1", "b2", "b3", "b4", "b5")
MAX_CARDS = 99  # stands for an open end, as in "7+"
_MAX_WORD_LENGTH = 60  # limit for comparison with known names


class _Shortener(Repr):
    """Formats dates and times the way TOML writes them."""

    def repr_date(self, value: date, _: int) -> str:
        return str(value)

    repr_datetime = repr_date

    def repr_time(self, value: time, _: int) -> str:
        return str(value)


_SHORT = _Shortener()
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = 10
_SHORT.maxstring = _SHORT.maxlong = _SHORT.maxother = 100


Values = dict[str, Any]  # typed values by field name, as `Rules` takes them


class Unreadable(VentiunaError, ValueError):
    """An invalid value; the message says what was expected."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    names = list(known)
    close = get_close_matches(word[:_MAX_WORD_LENGTH].lower(), names, n=1)
    return f"Did you mean {close[0]}?" if close else f"Choose from: {', '.join(names)}."


def alternatives(numbers: Iterable[int]) -> str:
    """
    >>> alternatives((4, 6, 8))
    '4, 6 or 8'
    """
    words = [str(number) for number in numbers]
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def short_repr(raw: object) -> str:
    """Format user input for a message, truncating long or deep values."""
    try:
        return raw if isinstance(raw, str) else _SHORT.repr(raw)
    except ValueError:  # Python can't format numbers with thousands of digits
        return "a huge number"


def check_rules(rules: object) -> None:
    """Reject arguments that aren't Rules; callers sometimes pass a name."""
    if not isinstance(rules, Rules):
        fix = "Pass the result of load_rules."
        raise RulesError([Problem("rules", short_repr(rules), "", "not a Rules object", fix)])


def error_sentence(error: Exception) -> str:
    return str(error).rstrip(".")


def read_option(option: Option, raw: object, problems: list[Problem]) -> OptionValue | None:
    """Return the typed value, or None with a problem added."""
    try:
        return OPTION_READERS[option.kind](option, raw)
    except (Unreadable, MoneyError) as error:
        problems.append(
            Problem(
                option.name, short_repr(raw), option.rule, error_sentence(error), option_fix(option)
            )
        )
        return None


def option_fix(option: Option) -> str:
    if option.choices:
        return f"Use {' or '.join(option.choices)}."
    if option.kind == "number":
        return f"Use a whole number from {option.low} to {option.high}."
    return {
        "flag": "Use on or off.",
        "money": "Write dollars, such as 25 or 7.50.",
        "odds": "Write odds, such as 3 to 2.",
        "names": f"Name any of {', '.join(MTD_NAMES)}, joined by +, or none.",
        "text": "Write a name.",
    }[option.kind]


def _read_choice(option: Option, raw: object) -> StrEnum:
    assert option.choices is not None
    if isinstance(raw, bool):  # TOML true/false for a choice that has "off"
        raw = "on" if raw else "off"
    if raw not in list(option.choices):
        raise Unreadable("not one of the choices")
    return option.choices(str(raw))


def _read_flag(_: Option, raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and raw.lower() in _FLAGS:
        return _FLAGS[raw.lower()]
    raise Unreadable("must be on or off")


def _read_number(option: Option, raw: object) -> int:
    if isinstance(raw, str) and _WHOLE_NUMBER.fullmatch(raw):
        raw = int(raw)
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise Unreadable("must be a whole number")
    if not option.low <= raw <= option.high:
        raise Unreadable(f"must be from {option.low} to {option.high}")
    return raw


def _read_odds(_: Option, raw: object) -> Odds:
    odds = Odds.parse(raw)
    if not odds.returns_stake:
        raise Unreadable("the wager is returned with the payout, so the odds must read 'N to M'")
    return odds


def _read_names(_: Option, raw: object) -> tuple[str, ...]:
    words = raw.split("+") if isinstance(raw, str) else raw
    if not isinstance(words, list | tuple):
        raise Unreadable("must be a list of wager names")
    for name in words:
        if name not in ("", "none", *MTD_NAMES):
            raise Unreadable(f"{short_repr(name)!r} isn't a Match the Dealer wager")
        if words.count(name) > 1:
            raise Unreadable(f"{name} is listed twice")
    if "none" in words and len(words) > 1:
        raise Unreadable("none can't be combined with other wagers")
    return tuple(name for name in MTD_NAMES if name in words)


def _read_text(_: Option, raw: object) -> str:
    if not isinstance(raw, str):
        raise Unreadable("must be a name")
    return raw


OPTION_READERS: dict[str, Callable[[Option, object], OptionValue]] = {
    "choice": _read_choice,
    "flag": _read_flag,
    "number": _read_number,
    "money": lambda _, raw: parse_amount(raw),
    "odds": _read_odds,
    "names": _read_names,
    "text": _read_text,
}


def unknown_option_problem(name: str, raw: object) -> Problem:
    fix = did_you_mean(name, [*OPTIONS_BY_NAME, *ROW_FIELDS])
    return Problem(name, short_repr(raw), "", "no such option", fix)


def range_text(span: tuple[int, int]) -> str:
    low, high = span
    if high == MAX_CARDS:
        return f"{low}+"
    return str(low) if low == high else f"{low}-{high}" if low else f"at most {high}"


def contribution_text(hundredths: int) -> str:
    cents, rest = divmod(hundredths, 100)
    return f"{cents}%" if rest == 0 else f"{cents}.{rest:02d}%"


def value_text(value: object) -> str:
    """Format a typed value the way people write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Odds):
        return str(value)
    if isinstance(value, tuple):
        return "+".join(str(part) for part in value) or "none"
    return str(value)


def option_text(option: Option, value: OptionValue) -> str:
    if option.zero and value == 0:
        return option.zero
    if option.kind == "money" and isinstance(value, int):
        return money_text(value)
    return value_text(value)


# --- Default pay of an all-diamond blackjack (R-114) ---

BLACKJACK_PAY, DIAMOND_PAY = "blackjack_pays", "diamond_blackjack_pays"


def with_diamond_default(before: Mapping[str, object], changes: Values) -> Values:
    """Give diamond blackjacks the new blackjack pay unless they have a separate one (R-114)."""
    has_own_pay = before.get(DIAMOND_PAY) != before.get(BLACKJACK_PAY)
    if BLACKJACK_PAY not in changes or DIAMOND_PAY in changes or has_own_pay:
        return changes
    return changes | {DIAMOND_PAY: changes[BLACKJACK_PAY]}


def blackjack_pays_of(rules: Rules) -> Values:
    return {BLACKJACK_PAY: rules.blackjack_pays, DIAMOND_PAY: rules.diamond_blackjack_pays}


def implied_start(rules: Rules) -> Values:
    """Return the original options of the preset or file, as these rules imply them."""
    return implied_by(dict(rules.origin.start), rules)


def implied_by(before: Values, rules: Rules) -> Values:
    """Return the original values, with the diamond blackjack pay that `rules` imply by default."""
    if rules.blackjack_pays == before.get(BLACKJACK_PAY):
        return before
    implied = with_diamond_default(before, {BLACKJACK_PAY: rules.blackjack_pays})
    return before | {name: implied[name] for name in implied if name != BLACKJACK_PAY}


# --- Rows: Bonus 21, instant wins, Super Bonus, jackpots ---

MAX_NAME_LENGTH = 60
_RANGE = re.compile(r"([0-9]{1,2})(\+|-([0-9]{1,2}))?")
_AT_MOST = re.compile(r"at most ([0-9]{1,2})")
_CONTRIBUTION = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,2}))? ?%")


Row = PayRow | SuperBonusForm | SuperBonusBand | Jackpot


class _RowPart(NamedTuple):
    """One named value of a row."""

    read: Callable[[object], object]
    rule: str
    fix: str
    needed: bool = False


class _RowKind(NamedTuple):
    row_type: type[Row]  # the type of a row
    word: str  # its name in messages
    parts: dict[str, _RowPart]
    make: Callable[[Values], Row | None]  # None: a required part is missing

    @property
    def needed(self) -> list[str]:
        return [key for key, part in self.parts.items() if part.needed]


def read_rows(field: str, raw: object, problems: list[Problem]) -> tuple[Row, ...] | None:
    """Read the rows; None if one can't be built.

    An invalid part becomes a problem and is dropped from its row, so that the rest can still be
    checked.
    """
    kind = _ROW_KINDS[field]
    if not isinstance(raw, list | tuple):
        problems.append(
            Problem(
                field, short_repr(raw), "", "must be a list of rows", f"Write it as [[{field}]]."
            )
        )
        return None
    rows = [
        _read_row(f"{field} {kind.word} {number}", row, kind, problems)
        for number, row in enumerate(raw, start=1)
    ]
    complete = tuple(row for row in rows if row is not None)
    return complete if len(complete) == len(rows) else None


def parse_jackpots(text: str, problems: list[Problem]) -> list[dict[str, str]]:
    """Parse `3c:1:wager=5+4d:7`: games joined by +, each with table, pay table, then name=value."""
    rows = []
    for game in text.split("+") if text not in ("", "none") else []:
        row: dict[str, str] = {}
        for place, part in enumerate(game.split(":")):
            key, sign, value = (word.strip() for word in part.partition("="))
            if not sign and place < 2:
                key, value = ("table", "pay_table")[place], key
            elif not sign:
                problems.append(
                    Problem("jackpots", game, "R-086", f"{part!r} has no value", _JACKPOT_FIX)
                )
                continue
            if key in row:
                problems.append(
                    Problem("jackpots", game, "R-086", f"{key} is set twice", "Set it once.")
                )
            row[key] = value
        rows.append(row)
    return rows


_JACKPOT_FIX = "Write a game as table:pay table:name=value, such as 3c:1:wager=5."


def _read_row(place: str, row: object, kind: _RowKind, problems: list[Problem]) -> Row | None:
    if isinstance(row, kind.row_type):
        return row
    if not isinstance(row, Mapping):
        fix = f"A row needs {', '.join(kind.needed)}."
        problems.append(Problem(place, short_repr(row), "", "must be a table of named values", fix))
        return None
    values: Values = {}
    for key, raw in row.items():
        if key in kind.parts:
            _read_part(place, key, kind.parts[key], raw, values, problems)
        else:
            name = short_repr(key)  # in a program's data it may be anything
            fix = did_you_mean(name, kind.parts)
            problems.append(
                Problem(f"{place} {name}", short_repr(raw), "", "no such field in a row", fix)
            )
    for key in kind.needed:
        if key not in row:
            _, rule, fix, _ = kind.parts[key]
            problems.append(Problem(f"{place} {key}", "not set", rule, "required", fix))
    if kind.row_type is PayRow:
        _read_number_of_cards(place, row, values, problems)
    return kind.make(values) if all(key in values for key in kind.needed) else None


def _read_part(
    place: str, key: str, part: _RowPart, raw: object, values: Values, problems: list[Problem]
) -> None:
    try:
        values[key] = part.read(raw)
    except (Unreadable, MoneyError, CardError) as error:
        problems.append(
            Problem(f"{place} {key}", short_repr(raw), part.rule, error_sentence(error), part.fix)
        )


def _read_number_of_cards(
    place: str, row: Mapping[str, object], values: Values, problems: list[Problem]
) -> None:
    """Derive the number of cards from the ranks; one of the two is required."""
    if "ranks" not in row and "cards" not in row:
        fix = "Add cards or ranks."
        problems.append(Problem(f"{place} cards", "not set", "R-062", "required", fix))
    if not values.get("ranks"):
        return
    count = len(values["ranks"])
    if values.setdefault("cards", (count, count)) != (count, count):
        fix = "Remove cards."
        problems.append(
            Problem(
                f"{place} cards",
                short_repr(row["cards"]),
                "R-063",
                "doesn't match the number of ranks",
                fix,
            )
        )


def _build_pay_row(values: Values) -> PayRow | None:
    return PayRow(**values) if "cards" in values else None


def _build_super_bonus_form(values: Values) -> SuperBonusForm:
    return SuperBonusForm(**values, up_cards=_read_up_cards(values["up"]))


# --- Parts ---


def _option_part(
    kind: OptionKind,
    rule: str,
    text: str,
    needed: bool = False,
    choices: type[StrEnum] | None = None,
    low: int = 0,
    high: int = 0,
) -> _RowPart:
    """A part that is read like an option."""
    option = Option(text, kind, rule, text, choices, low, high)
    return _RowPart(lambda raw: OPTION_READERS[kind](option, raw), rule, option_fix(option), needed)


def _read_name(raw: object) -> str:
    if not isinstance(raw, str) or not raw.isprintable() or not 0 < len(raw) <= MAX_NAME_LENGTH:
        raise Unreadable(f"must be a string of 1 to {MAX_NAME_LENGTH} printable characters")
    return raw


def _read_rule(raw: object) -> str:
    return _read_name(raw) if raw != "" else ""


def _read_ranks(raw: object) -> tuple[int, ...]:
    words = raw.upper().split("-") if isinstance(raw, str) else []
    if not 2 <= len(words) <= 10 or any(len(w) != 1 or w not in RANKS for w in words):
        raise Unreadable("not the ranks of a hand")
    return tuple(sorted(RANKS.index(word) + 1 for word in words))


def _read_suits(raw: object) -> str:
    """Read `any`, `one suit`, or the suits that must all occur, in pack order."""
    words = raw.split(" ") if isinstance(raw, str) else []
    if raw in ("any", "one suit"):
        return str(raw)
    if not words or any(word not in SUIT_NAMES for word in words):
        raise Unreadable("not a list of suits")
    _refuse_duplicates(words)
    return " ".join(suit for suit in SUIT_NAMES if suit in words)


def _read_up(raw: object) -> str:
    """Read a rank or a list of cards, and normalize it."""
    if not isinstance(raw, str) or not _read_up_cards(raw):
        raise Unreadable("not an up card")
    return raw.upper() if len(raw) == 1 else cards_text(_read_up_cards(raw))


def _read_up_cards(raw: str) -> tuple[int, ...]:
    """Return all four cards of a rank, or the listed cards."""
    if len(raw) == 1 and raw.upper() in RANKS:
        rank = RANKS.index(raw.upper()) + 1
        return tuple(card_of(rank, suit) for suit in range(SUITS))
    cards = [parse_card(word) for word in raw.split()]
    _refuse_duplicates([card_text(card) for card in cards])
    return tuple(cards)


def _refuse_duplicates(words: list[str]) -> None:
    for word in words:
        if words.count(word) > 1:
            raise Unreadable(f"{word} is listed twice")


def _read_decks(raw: object) -> tuple[int, ...]:
    if not isinstance(raw, list | tuple) or any(type(count) is not int for count in raw):
        raise Unreadable("must be a list of whole numbers")
    if any(not 1 <= count <= 8 for count in raw):
        raise Unreadable("a game has 1 to 8 decks")
    _refuse_duplicates([str(count) for count in raw])
    return tuple(raw)


def _read_range(raw: object) -> tuple[int, int]:
    """Parse `5`, `7+`, `5-6` or `at most 20`."""
    text = raw if isinstance(raw, str) else short_repr(raw)
    if found := _RANGE.fullmatch(text):
        low = int(found[1])
        return low, MAX_CARDS if found[2] == "+" else int(found[3] or low)
    if found := _AT_MOST.fullmatch(text):
        return 0, int(found[1])
    raise Unreadable("must be a number or a range")


def _read_contribution(raw: object) -> int:
    found = _CONTRIBUTION.fullmatch(raw) if isinstance(raw, str) else None
    share = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else -1
    if not 0 <= share <= 10_000:
        raise Unreadable("must be a percentage from 0% to 100%")
    return share


_NAME_PART = _RowPart(
    _read_name, "", f"Write 1 to {MAX_NAME_LENGTH} printable characters.", needed=True
)
_RULE_PART = _RowPart(_read_rule, "", "Write a rule number such as R-062.")
_RANKS_PART = _RowPart(_read_ranks, "R-063", "Write ranks as in 6-7-8, using A 2-9 T J Q K.")
_SUITS_PART = _RowPart(_read_suits, "R-063", "Write any, one suit, or suit names such as spades.")
_DECKS_PART = _RowPart(_read_decks, "R-064", "Write a list such as [4, 5, 6, 8].")
_RANGE_PART = _RowPart(_read_range, "R-062", "Write it as 5, 7+, 5-6 or 'at most 20'.")

_PAY_ROW_PARTS = {
    "name": _NAME_PART,
    "pay": _option_part("odds", "R-061", "the pay", needed=True),
    "rule": _RULE_PART,
    "cards": _RANGE_PART,
    "total": _RANGE_PART,
    "ranks": _RANKS_PART,
    "suits": _SUITS_PART,
    "decks": _DECKS_PART,
    "after_split": _option_part("flag", "R-046", "after a split"),
}


_SUPER_BONUS_PARTS = {
    "hand": _NAME_PART,
    "ranks": _RANKS_PART._replace(needed=True),
    "suits": _SUITS_PART._replace(needed=True),
    "up": _RowPart(
        _read_up, "R-067, R-068", "Write a rank or cards, such as 7 or 7s.", needed=True
    ),
    "decks": _DECKS_PART._replace(needed=True),
    "rule": _RULE_PART,
}
_SUPER_BONUS_BAND_PARTS = {
    "base_from": _option_part("money", "R-069", "the base wager", needed=True),
    "pay": _option_part("money", "R-069", "the Super Bonus", needed=True),
}
_JACKPOT_PARTS = {
    "table": _RowPart(_read_name, "R-086", "Name a jackpot table, such as 3c.", needed=True),
    "pay_table": _option_part("number", "R-086", "a pay table", low=1, high=99),
    "wager": _option_part("money", "R-085", "the fixed wager"),
    "kind": _option_part("choice", "R-083", "the kind of jackpot", choices=model.JackpotKind),
    "alternate": _option_part("number", "R-093, R-094", "a set of alternate lines", high=99),
    "prize": _option_part("money", "R-092, O-21", "the operator's prize"),
    "prize_from": _option_part(
        "choice", "R-092, O-37", "who pays the prize", choices=model.PrizeFrom
    ),
    "seed": _option_part("money", "O-19", "the seed"),
    "contribution": _RowPart(_read_contribution, "O-19", "Write a percentage such as '21%'."),
    "reseed": _option_part("choice", "O-20", "when the meter is reseeded", choices=model.Reseed),
    "winners": _option_part(
        "choice", "O-39", "how several winners are paid", choices=model.Winners
    ),
    "best_only": _option_part("flag", "D-24", "only the better of up and down is paid"),
    "top_alone": _option_part("flag", "O-23", "the highest line pays no others"),
}

_ROW_KINDS = {
    "bonus_21": _RowKind(PayRow, "row", _PAY_ROW_PARTS, _build_pay_row),
    "instant_wins": _RowKind(PayRow, "row", _PAY_ROW_PARTS, _build_pay_row),
    "super_bonus": _RowKind(SuperBonusForm, "row", _SUPER_BONUS_PARTS, _build_super_bonus_form),
    "super_bonus_bands": _RowKind(
        SuperBonusBand, "row", _SUPER_BONUS_BAND_PARTS, lambda values: SuperBonusBand(**values)
    ),
    "jackpots": _RowKind(Jackpot, "game", _JACKPOT_PARTS, lambda values: Jackpot(**values)),
}
