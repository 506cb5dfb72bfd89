"""Rows of rules files: Bonus 21, instant wins, Super Bonus, jackpots. A bad part is a Problem."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from ventiuna.cards import RANKS, SUIT_NAMES, CardError, card_text, cards_text, parse_card
from ventiuna.core.cards import SUITS, card_of
from ventiuna.money import MoneyError
from ventiuna.rules import model
from ventiuna.rules.errors import Problem
from ventiuna.rules.model import Jackpot, PayRow, SuperBonusBand, SuperBonusForm
from ventiuna.rules.options import Kind, Option
from ventiuna.rules.values import (
    MOST_CARDS,
    READERS,
    Unreadable,
    Values,
    did_you_mean,
    option_fix,
    sentence,
    shown,
)

LONGEST_NAME = 60
_RANGE = re.compile(r"([0-9]{1,2})(\+|-([0-9]{1,2}))?")
_AT_MOST = re.compile(r"at most ([0-9]{1,2})")
_CONTRIBUTION = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,2}))? ?%")


Row = PayRow | SuperBonusForm | SuperBonusBand | Jackpot


class _Part(NamedTuple):
    """One named value of a row."""

    read: Callable[[object], object]
    rule: str
    fix: str
    needed: bool = False


class _RowKind(NamedTuple):
    made: type[Row]  # what a row becomes
    word: str  # what it is called in a message
    parts: dict[str, _Part]
    make: Callable[[Values], Row | None]  # None: something it can't do without is missing

    @property
    def needed(self) -> list[str]:
        return [key for key, part in self.parts.items() if part.needed]


def read_rows(field: str, raw: object, problems: list[Problem]) -> tuple[Row, ...] | None:
    """The rows, or None where one can't be made. A bad part is a problem and left out of its row,
    so that the rest can still be checked."""
    kind = _KINDS[field]
    if not isinstance(raw, list | tuple):
        problems.append(
            Problem(field, shown(raw), "", "this is a list of rows", f"Write it as [[{field}]].")
        )
        return None
    rows = [
        _read_row(f"{field} {kind.word} {number}", row, kind, problems)
        for number, row in enumerate(raw, start=1)
    ]
    whole = tuple(row for row in rows if row is not None)
    return whole if len(whole) == len(rows) else None


def parse_jackpots(text: str, problems: list[Problem]) -> list[dict[str, str]]:
    """`3c:1:wager=5+4d:7`: games joined by +, each table, pay table, then name=value."""
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
                    Problem("jackpots", game, "R-086", f"{key} is given twice", "Give it once.")
                )
            row[key] = value
        rows.append(row)
    return rows


_JACKPOT_FIX = "Write a game as table:pay table:name=value, such as 3c:1:wager=5."


def _read_row(place: str, row: object, kind: _RowKind, problems: list[Problem]) -> Row | None:
    if isinstance(row, kind.made):
        return row
    if not isinstance(row, Mapping):
        fix = f"Write a row with {', '.join(kind.needed)}."
        problems.append(Problem(place, shown(row), "", "this is no row of named values", fix))
        return None
    values: Values = {}
    for key, raw in row.items():
        if key in kind.parts:
            _read_part(place, key, kind.parts[key], raw, values, problems)
        else:
            name = shown(key)  # of data from a program it may be anything
            fix = did_you_mean(name, kind.parts)
            problems.append(
                Problem(f"{place} {name}", shown(raw), "", "no such part of a row", fix)
            )
    for key in kind.needed:
        if key not in row:
            _, rule, fix, _ = kind.parts[key]
            problems.append(Problem(f"{place} {key}", "not set", rule, "it is missing", fix))
    if kind.made is PayRow:
        _number_of_cards(place, row, values, problems)
    return kind.make(values) if all(key in values for key in kind.needed) else None


def _read_part(
    place: str, key: str, part: _Part, raw: object, values: Values, problems: list[Problem]
) -> None:
    try:
        values[key] = part.read(raw)
    except (Unreadable, MoneyError, CardError) as error:
        problems.append(Problem(f"{place} {key}", shown(raw), part.rule, sentence(error), part.fix))


def _number_of_cards(
    place: str, row: Mapping[str, object], values: Values, problems: list[Problem]
) -> None:
    """It follows from the ranks; one of the two must be given."""
    if "ranks" not in row and "cards" not in row:
        fix = "Add cards or ranks."
        problems.append(Problem(f"{place} cards", "not set", "R-062", "it is missing", fix))
    if not values.get("ranks"):
        return
    count = len(values["ranks"])
    if values.setdefault("cards", (count, count)) != (count, count):
        fix = "Leave cards out."
        problems.append(
            Problem(f"{place} cards", shown(row["cards"]), "R-063", "the ranks say another", fix)
        )


def _pay_row(values: Values) -> PayRow | None:
    return PayRow(**values) if "cards" in values else None


def _super_bonus_form(values: Values) -> SuperBonusForm:
    return SuperBonusForm(**values, up_cards=_read_up_cards(values["up"]))


# --- parts ------------------------------------------------------------------------------------


def _option(
    kind: Kind,
    rule: str,
    text: str,
    needed: bool = False,
    choices: type[StrEnum] | None = None,
    low: int = 0,
    high: int = 0,
) -> _Part:
    """A part that is read like an option."""
    option = Option(text, kind, rule, text, choices, low, high)
    return _Part(lambda raw: READERS[kind](option, raw), rule, option_fix(option), needed)


def _read_name(raw: object) -> str:
    if not isinstance(raw, str) or not raw.isprintable() or not 0 < len(raw) <= LONGEST_NAME:
        raise Unreadable(f"this is a text of 1 to {LONGEST_NAME} characters, all printable")
    return raw


def _read_rule(raw: object) -> str:
    return _read_name(raw) if raw != "" else ""


def _read_ranks(raw: object) -> tuple[int, ...]:
    words = raw.upper().split("-") if isinstance(raw, str) else []
    if not 2 <= len(words) <= 10 or any(len(w) != 1 or w not in RANKS for w in words):
        raise Unreadable("these are no ranks of a hand")
    return tuple(sorted(RANKS.index(word) + 1 for word in words))


def _read_suits(raw: object) -> str:
    """`any`, `one suit`, or the suits that must all occur, in the order of the pack."""
    words = raw.split(" ") if isinstance(raw, str) else []
    if raw in ("any", "one suit"):
        return str(raw)
    if not words or any(word not in SUIT_NAMES for word in words):
        raise Unreadable("these are no suits")
    _refuse_twice(words)
    return " ".join(suit for suit in SUIT_NAMES if suit in words)


def _read_up(raw: object) -> str:
    """A rank, or the cards named, each written in one way."""
    if not isinstance(raw, str) or not _read_up_cards(raw):
        raise Unreadable("this is no up card")
    return raw.upper() if len(raw) == 1 else cards_text(_read_up_cards(raw))


def _read_up_cards(raw: str) -> tuple[int, ...]:
    """All four of a rank, or the cards named."""
    if len(raw) == 1 and raw.upper() in RANKS:
        rank = RANKS.index(raw.upper()) + 1
        return tuple(card_of(rank, suit) for suit in range(SUITS))
    cards = [parse_card(word) for word in raw.split()]
    _refuse_twice([card_text(card) for card in cards])
    return tuple(cards)


def _refuse_twice(words: list[str]) -> None:
    for word in words:
        if words.count(word) > 1:
            raise Unreadable(f"{word} is named twice")


def _read_decks(raw: object) -> tuple[int, ...]:
    if not isinstance(raw, list | tuple) or any(type(count) is not int for count in raw):
        raise Unreadable("this is a list of numbers of decks")
    if any(not 1 <= count <= 8 for count in raw):
        raise Unreadable("a shoe has 1 to 8 decks")
    _refuse_twice([str(count) for count in raw])
    return tuple(raw)


def _read_range(raw: object) -> tuple[int, int]:
    """`5`, `7+`, `5-6` or `at most 20`."""
    text = raw if isinstance(raw, str) else shown(raw)
    if found := _RANGE.fullmatch(text):
        low = int(found[1])
        return low, MOST_CARDS if found[2] == "+" else int(found[3] or low)
    if found := _AT_MOST.fullmatch(text):
        return 0, int(found[1])
    raise Unreadable("this is no number and no range")


def _read_contribution(raw: object) -> int:
    found = _CONTRIBUTION.fullmatch(raw) if isinstance(raw, str) else None
    share = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else -1
    if not 0 <= share <= 10_000:
        raise Unreadable("this is no share of the wager")
    return share


_NAME = _Part(_read_name, "", f"Write 1 to {LONGEST_NAME} printable characters.", needed=True)
_RULE = _Part(_read_rule, "", "Write the number of a rule, such as R-062.")
_RANKS = _Part(_read_ranks, "R-063", "Write them as 6-7-8, with A 2-9 T J Q K.")
_SUITS = _Part(_read_suits, "R-063", "Write any, one suit, or suit names such as spades.")
_DECKS = _Part(_read_decks, "R-064", "Write a list such as [4, 5, 6, 8].")
_SPAN = _Part(_read_range, "R-062", "Write it as 5, 7+, 5-6 or 'at most 20'.")

_PAY_ROW = {
    "name": _NAME,
    "pay": _option("odds", "R-061", "the pay", needed=True),
    "rule": _RULE,
    "cards": _SPAN,
    "total": _SPAN,
    "ranks": _RANKS,
    "suits": _SUITS,
    "decks": _DECKS,
    "after_split": _option("flag", "R-046", "after a split"),
}


_SUPER_BONUS = {
    "hand": _NAME,
    "ranks": _RANKS._replace(needed=True),
    "suits": _SUITS._replace(needed=True),
    "up": _Part(_read_up, "R-067, R-068", "Write a rank or cards, such as 7 or 7s.", needed=True),
    "decks": _DECKS._replace(needed=True),
    "rule": _RULE,
}
_SUPER_BONUS_BANDS = {
    "base_from": _option("money", "R-069", "the base wager", needed=True),
    "pay": _option("money", "R-069", "the Super Bonus", needed=True),
}
_JACKPOT = {
    "table": _Part(_read_name, "R-086", "Name a jackpot table, such as 3c.", needed=True),
    "pay_table": _option("number", "R-086", "a pay table", low=1, high=99),
    "wager": _option("money", "R-085", "the fixed wager"),
    "kind": _option("choice", "R-083", "the kind of jackpot", choices=model.JackpotKind),
    "alternate": _option("number", "R-093, R-094", "a set of alternate lines", high=99),
    "prize": _option("money", "R-092, O-21", "the operator's prize"),
    "prize_from": _option("choice", "R-092, O-37", "who pays the prize", choices=model.PrizeFrom),
    "seed": _option("money", "O-19", "the seed"),
    "contribution": _Part(_read_contribution, "O-19", "Write a share such as '21 %'."),
    "reseed": _option("choice", "O-20", "the time of the new seed", choices=model.Reseed),
    "winners": _option("choice", "O-39", "several winners", choices=model.Winners),
    "best_only": _option("flag", "D-24", "the better of up and down only"),
    "top_alone": _option("flag", "O-23", "the highest line alone"),
}

_KINDS = {
    "bonus_21": _RowKind(PayRow, "row", _PAY_ROW, _pay_row),
    "instant_wins": _RowKind(PayRow, "row", _PAY_ROW, _pay_row),
    "super_bonus": _RowKind(SuperBonusForm, "row", _SUPER_BONUS, _super_bonus_form),
    "super_bonus_bands": _RowKind(
        SuperBonusBand, "row", _SUPER_BONUS_BANDS, lambda values: SuperBonusBand(**values)
    ),
    "jackpots": _RowKind(Jackpot, "game", _JACKPOT, lambda values: Jackpot(**values)),
}
