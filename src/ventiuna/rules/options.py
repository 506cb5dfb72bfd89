"""Values of house rules: how each kind is read and written, and the declaration of an option.

Every field of `Rules` and of its rows declares an `Option`. Reading, canonical strings, plain data
and help all use that declaration.
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

from ventiuna.cards import RANKS, SUIT_NAMES, CardError, card_text, cards_text, parse_card
from ventiuna.core.cards import SUITS, card_of
from ventiuna.errors import VentiunaError
from ventiuna.money import MoneyError, Odds, money_text, parse_amount, plain_amount

MTD_NAMES = ("up", "down", "b1", "b2", "b3", "b4", "b5")
MAX_CARDS = 99  # stands for an open end, as in "7+"
MAX_NAME_LENGTH = 60
_MAX_WORD_LENGTH = 60  # longer words aren't compared with known names
_FLAGS = {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False}
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
_RANGE = re.compile(r"([0-9]{1,2})(\+|-([0-9]{1,2}))?")
_AT_MOST = re.compile(r"at most ([0-9]{1,2})")
_CONTRIBUTION = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,2}))? ?%")

Json = str | int | bool | None | list["Json"] | dict[str, "Json"]


class _Shortener(Repr):
    """Formats dates and times the way TOML writes them."""

    def repr_date(self, value: date | time, _: int) -> str:
        return str(value)

    repr_datetime = repr_time = repr_date


_SHORT = _Shortener()
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = 10
_SHORT.maxstring = _SHORT.maxlong = _SHORT.maxother = 100


class Unreadable(VentiunaError, ValueError):
    """An invalid value; the message says what was expected."""


READ_ERRORS = (Unreadable, MoneyError, CardError)


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


# --- The declaration ---

OptionKind = Literal[
    "choice",
    "flag",
    "number",
    "money",
    "odds",
    "names",
    "text",
    # Only in rows
    "name",
    "rule",
    "ranks",
    "suits",
    "up",
    "decks",
    "range",
    "contribution",
]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the rules or of a row, named after the field that declares it."""

    kind: OptionKind
    rule: str
    text: str = ""
    name: str = ""
    choices: type[StrEnum] | None = None
    low: int = 0
    high: int = 0
    usual: tuple[str, ...] = ()  # common values, if any value is accepted
    zero: str = ""  # meaning of 0, unless it is just an amount
    needed: bool = False  # required in every row
    example: str = ""  # how to write the value, if unusual for its kind
    card: str = ""  # heading on the rule card
    varied: int = 0  # position among the options that affect the base game's edge; 0 if it doesn't
    # Whether the option was added after format 1 of plain data: older data may lack it, and its
    # default doesn't change fingerprints.
    is_new: bool = False

    def read(self, raw: object) -> Any:
        """Return the typed value, or raise one of `READ_ERRORS`."""
        return KINDS[self.kind].read(self, raw)

    def plain(self, value: Any) -> str:
        """Format a value for a canonical string."""
        return KINDS[self.kind].plain(value)

    def data(self, value: Any) -> Json:
        """Return a value as plain data."""
        kind = KINDS[self.kind]
        return (kind.data or kind.plain)(value)

    @property
    def fix(self) -> str:
        if self.choices:
            return f"Use {' or '.join(self.choices)}."
        if self.kind == "number":
            return f"Use a whole number from {self.low} to {self.high}."
        return self.example or KINDS[self.kind].fix


class Kind(NamedTuple):
    read: Callable[[Option, object], Any]
    fix: str
    plain: Callable[[Any], str]
    data: Callable[[Any], Json] | None = None  # None for the same as `plain`


# --- Reading ---


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


def _read_name(_: Option, raw: object) -> str:
    if not isinstance(raw, str) or not raw.isprintable() or not 0 < len(raw) <= MAX_NAME_LENGTH:
        raise Unreadable(f"must be a string of 1 to {MAX_NAME_LENGTH} printable characters")
    return raw


def _read_ranks(_: Option, raw: object) -> tuple[int, ...]:
    words = raw.upper().split("-") if isinstance(raw, str) else []
    if not 2 <= len(words) <= 10 or any(len(w) != 1 or w not in RANKS for w in words):
        raise Unreadable("not the ranks of a hand")
    return tuple(sorted(RANKS.index(word) + 1 for word in words))


def _read_suits(_: Option, raw: object) -> str:
    """Read `any`, `one suit`, or the suits that must all occur, in pack order."""
    words = raw.split(" ") if isinstance(raw, str) else []
    if raw in ("any", "one suit"):
        return str(raw)
    if not words or any(word not in SUIT_NAMES for word in words):
        raise Unreadable("not a list of suits")
    _refuse_duplicates(words)
    return " ".join(suit for suit in SUIT_NAMES if suit in words)


def _read_up(_: Option, raw: object) -> str:
    """Read a rank or a list of cards, and normalize it."""
    if not isinstance(raw, str) or not up_cards(raw):
        raise Unreadable("not an up card")
    return raw.upper() if len(raw) == 1 else cards_text(up_cards(raw))


def up_cards(raw: str) -> tuple[int, ...]:
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


def _read_decks(_: Option, raw: object) -> tuple[int, ...]:
    if not isinstance(raw, list | tuple) or any(type(count) is not int for count in raw):
        raise Unreadable("must be a list of whole numbers")
    if any(not 1 <= count <= 8 for count in raw):
        raise Unreadable("a game has 1 to 8 decks")
    _refuse_duplicates([str(count) for count in raw])
    return tuple(raw)


def _read_range(_: Option, raw: object) -> tuple[int, int]:
    """Parse `5`, `7+`, `5-6` or `at most 20`."""
    text = raw if isinstance(raw, str) else short_repr(raw)
    if found := _RANGE.fullmatch(text):
        low = int(found[1])
        return low, MAX_CARDS if found[2] == "+" else int(found[3] or low)
    if found := _AT_MOST.fullmatch(text):
        return 0, int(found[1])
    raise Unreadable("must be a number or a range")


def _read_contribution(_: Option, raw: object) -> int:
    found = _CONTRIBUTION.fullmatch(raw) if isinstance(raw, str) else None
    share = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else -1
    if not 0 <= share <= 10_000:
        raise Unreadable("must be a percentage from 0% to 100%")
    return share


# --- Writing ---


def value_text(value: object) -> str:
    """Format a typed value the way people write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple) and not isinstance(value, Odds):
        return "+".join(str(part) for part in value) or "none"
    return str(value)


def option_text(option: Option, value: Any) -> str:
    """Format a value for display."""
    if option.zero and value == 0:
        return option.zero
    if option.kind == "money" and isinstance(value, int):
        return money_text(value)
    return value_text(value)


def range_text(span: tuple[int, int]) -> str:
    low, high = span
    if high == MAX_CARDS:
        return f"{low}+"
    return str(low) if low == high else f"{low}-{high}" if low else f"at most {high}"


def ranks_text(ranks: Iterable[int]) -> str:
    return "-".join(RANKS[rank - 1] for rank in ranks)


def contribution_text(hundredths: int) -> str:
    cents, rest = divmod(hundredths, 100)
    return f"{cents}%" if rest == 0 else f"{cents}.{rest:02d}%"


def _as_is(value: Json) -> Json:
    return value


KINDS: Mapping[str, Kind] = {
    "choice": Kind(_read_choice, "", str),
    "flag": Kind(_read_flag, "Use on or off.", value_text, _as_is),
    "number": Kind(_read_number, "", str, _as_is),
    "money": Kind(
        lambda _, raw: parse_amount(raw), "Write dollars, such as 25 or 7.50.", plain_amount
    ),
    "odds": Kind(_read_odds, "Write odds, such as 3 to 2.", str),
    "names": Kind(
        _read_names, f"Name any of {', '.join(MTD_NAMES)}, joined by +, or none.", value_text, list
    ),
    "text": Kind(_read_text, "Write a name.", str),
    "name": Kind(_read_name, f"Write 1 to {MAX_NAME_LENGTH} printable characters.", str),
    "rule": Kind(
        lambda option, raw: _read_name(option, raw) if raw != "" else "",
        "Write a rule number such as R-062.",
        str,
    ),
    "ranks": Kind(_read_ranks, "Write ranks as in 6-7-8, using A 2-9 T J Q K.", ranks_text),
    "suits": Kind(_read_suits, "Write any, one suit, or suit names such as spades.", str),
    "up": Kind(_read_up, "Write a rank or cards, such as 7 or 7s.", str),
    "decks": Kind(_read_decks, "Write a list such as [4, 5, 6, 8].", value_text, list),
    "range": Kind(_read_range, "Write it as 5, 7+, 5-6 or 'at most 20'.", range_text),
    "contribution": Kind(
        _read_contribution,
        "Write a percentage such as '21%'.",
        contribution_text,
        lambda share: contribution_text(share).replace("%", " %"),  # as in format 1
    ),
}
