"""Raw values of TOML or of a canonical string to typed values; what fails becomes a Problem."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, time
from difflib import get_close_matches
from enum import StrEnum
from reprlib import Repr
from typing import Any

from ventiuna.errors import VentiunaError
from ventiuna.money import MoneyError, Odds, money_text, parse_amount
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.model import OptionValue, Rules
from ventiuna.rules.options import BY_NAME, Option

_FLAGS = {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False}
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
ROW_FIELDS = ("bonus_21", "instant_wins", "super_bonus", "super_bonus_bands", "jackpots")
MTD_NAMES = ("up", "down", "b1", "b2", "b3", "b4", "b5")
MOST_CARDS = 99  # an open end in "7+"
_LONGEST_WORD = 60  # that is compared with known names


class _Shortener(Repr):
    """Dates and times, which TOML has, as they are written there."""

    def repr_date(self, value: date, _: int) -> str:
        return str(value)

    repr_datetime = repr_date

    def repr_time(self, value: time, _: int) -> str:
        return str(value)


_SHORT = _Shortener()
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = 10
_SHORT.maxstring = _SHORT.maxlong = _SHORT.maxother = 100


Values = dict[str, Any]  # typed values by the name of their field, as `Rules` takes them


class Unreadable(VentiunaError, ValueError):
    """Carries what was expected."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    names = list(known)
    close = get_close_matches(word[:_LONGEST_WORD].lower(), names, n=1)
    return f"Did you mean {close[0]}?" if close else f"Known are: {', '.join(names)}."


def alternatives(numbers: Iterable[int]) -> str:
    """
    >>> alternatives((4, 6, 8))
    '4, 6 or 8'
    """
    words = [str(number) for number in numbers]
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def shown(raw: object) -> str:
    """What the user wrote, as a message repeats it: the beginning of what is long or deep."""
    try:
        return raw if isinstance(raw, str) else _SHORT.repr(raw)
    except ValueError:  # Python writes no number of thousands of digits
        return "a huge number"


def check_rules(rules: object) -> None:
    """Programs may hand over anything, a name above all."""
    if not isinstance(rules, Rules):
        fix = "Give what load_rules returns."
        raise RulesError([Problem("rules", shown(rules), "", "this is not a set of rules", fix)])


def sentence(error: Exception) -> str:
    return str(error).rstrip(".")


def read_option(option: Option, raw: object, problems: list[Problem]) -> OptionValue | None:
    """The typed value, or None besides a problem."""
    try:
        return READERS[option.kind](option, raw)
    except (Unreadable, MoneyError) as error:
        problems.append(
            Problem(option.name, shown(raw), option.rule, sentence(error), option_fix(option))
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
        "text": "Use one of the known names.",
    }[option.kind]


def _read_choice(option: Option, raw: object) -> StrEnum:
    assert option.choices is not None
    if isinstance(raw, bool):  # TOML true/false for a choice that has "off"
        raw = "on" if raw else "off"
    if raw not in list(option.choices):
        raise Unreadable(f"{option.text} can't be that")
    return option.choices(str(raw))


def _read_flag(_: Option, raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and raw.lower() in _FLAGS:
        return _FLAGS[raw.lower()]
    raise Unreadable("this is on or off")


def _read_number(option: Option, raw: object) -> int:
    if isinstance(raw, str) and _WHOLE_NUMBER.fullmatch(raw):
        raw = int(raw)
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise Unreadable(f"{option.text} is a whole number")
    if not option.low <= raw <= option.high:
        raise Unreadable(f"{option.text} is from {option.low} to {option.high}")
    return raw


def _read_odds(_: Option, raw: object) -> Odds:
    odds = Odds.parse(raw)
    if not odds.returns_stake:
        raise Unreadable("this wager comes back besides the pay, so its odds are 'N to M'")
    return odds


def _read_names(_: Option, raw: object) -> tuple[str, ...]:
    words = raw.split("+") if isinstance(raw, str) else raw
    if not isinstance(words, list | tuple):
        raise Unreadable("this is a list of wager names")
    for name in words:
        if name not in ("", "none", *MTD_NAMES):
            raise Unreadable(f"{shown(name)!r} is no Match the Dealer wager")
        if words.count(name) > 1:
            raise Unreadable(f"{name} is named twice")
    if "none" in words and len(words) > 1:
        raise Unreadable("none stands alone")
    return tuple(name for name in MTD_NAMES if name in words)


def _read_text(_: Option, raw: object) -> str:
    if not isinstance(raw, str):
        raise Unreadable("this is a name")
    return raw


READERS: dict[str, Callable[[Option, object], OptionValue]] = {
    "choice": _read_choice,
    "flag": _read_flag,
    "number": _read_number,
    "money": lambda _, raw: parse_amount(raw),
    "odds": _read_odds,
    "names": _read_names,
    "text": _read_text,
}


def read_unknown(name: str, raw: object) -> Problem:
    fix = did_you_mean(name, [*BY_NAME, *ROW_FIELDS])
    return Problem(name, shown(raw), "", "there is no such option", fix)


def range_text(span: tuple[int, int]) -> str:
    low, high = span
    if high == MOST_CARDS:
        return f"{low}+"
    return str(low) if low == high else f"{low}-{high}" if low else f"at most {high}"


def contribution_text(hundredths: int) -> str:
    whole, rest = divmod(hundredths, 100)
    return f"{whole} %" if rest == 0 else f"{whole}.{rest:02d} %"


def value_text(value: object) -> str:
    """A typed value as people write it."""
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
