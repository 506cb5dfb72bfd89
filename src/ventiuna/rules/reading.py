"""Raw values of TOML or of a canonical string to typed values; what fails becomes a Problem."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, TypeVar

from ventiuna.cards import RANKS, SUIT_NAMES, CardError, parse_card
from ventiuna.money import MoneyError, Odds, money_text, parse_amount
from ventiuna.rules.errors import Problem
from ventiuna.rules.model import (
    Jackpot,
    JackpotKind,
    PayRow,
    PrizeFrom,
    Reseed,
    SuperBonusBand,
    SuperBonusForm,
    Winners,
)
from ventiuna.rules.options import BY_NAME, Option

_FLAGS = {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False}
MTD_NAMES = ("up", "down", "b1", "b2", "b3", "b4", "b5")
MOST_CARDS = 99  # an open end in "7+"

T = TypeVar("T")


class _Unreadable(ValueError):
    """Carries what was expected."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    close = get_close_matches(word, list(known), n=1)
    return f"Did you mean {close[0]}?" if close else f"Known are: {', '.join(known)}."


def read_option(option: Option, raw: Any, problems: list[Problem]) -> Any:
    try:
        return _READERS[option.kind](option, raw)
    except (_Unreadable, MoneyError) as error:
        problems.append(
            Problem(option.name, _shown(raw), option.rule, _sentence(error), _fix(option))
        )
        return None


def _shown(raw: Any) -> str:
    return raw if isinstance(raw, str) else repr(raw)


def _sentence(error: Exception) -> str:
    return str(error).rstrip(".")


def _fix(option: Option) -> str:
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


def _read_choice(option: Option, raw: Any) -> StrEnum:
    assert option.choices is not None
    if isinstance(raw, bool):  # TOML true/false for a choice that has "off"
        raw = "on" if raw else "off"
    if raw not in list(option.choices):
        raise _Unreadable(f"{option.text} can't be that")
    return option.choices(raw)


def _read_flag(_: Option, raw: Any) -> bool:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and raw.lower() in _FLAGS:
        return _FLAGS[raw.lower()]
    raise _Unreadable("this is on or off")


def _read_number(option: Option, raw: Any) -> int:
    if isinstance(raw, str) and re.fullmatch(r"-?\d{1,9}", raw):
        raw = int(raw)
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise _Unreadable(f"{option.text} is a whole number")
    if not option.low <= raw <= option.high:
        raise _Unreadable(f"{option.text} is from {option.low} to {option.high}")
    return raw


def _read_names(_: Option, raw: Any) -> tuple[str, ...]:
    words = raw.split("+") if isinstance(raw, str) else raw
    if not isinstance(words, list | tuple):
        raise _Unreadable("this is a list of wager names")
    names = tuple(word for word in words if word not in ("", "none"))
    for name in names:
        if name not in MTD_NAMES:
            raise _Unreadable(f"{name!r} is no Match the Dealer wager")
    return names


def _read_text(_: Option, raw: Any) -> str:
    if not isinstance(raw, str):
        raise _Unreadable("this is a name")
    return raw


_READERS: dict[str, Callable[[Option, Any], Any]] = {
    "choice": _read_choice,
    "flag": _read_flag,
    "number": _read_number,
    "money": lambda _, raw: parse_amount(raw),
    "odds": lambda _, raw: Odds.parse(raw),
    "names": _read_names,
    "text": _read_text,
}


def read_unknown(name: str, raw: Any) -> Problem:
    known = [*BY_NAME, "bonus_21", "instant_wins", "super_bonus", "super_bonus_bands", "jackpots"]
    return Problem(name, _shown(raw), "", "there is no such option", did_you_mean(name, known))


# --- rows -------------------------------------------------------------------------------------


def read_rows(
    field: str, raw: Any, read: Callable[[Mapping[str, Any]], T], problems: list[Problem]
) -> tuple[T, ...]:
    """A list of tables; each row that can't be read is a problem of its own."""
    if not isinstance(raw, list):
        problems.append(Problem(field, _shown(raw), "", "this is a list of rows", _ROWS_FIX))
        return ()
    rows: list[T] = []
    for number, row in enumerate(raw, start=1):
        place = f"{field} row {number}"
        try:
            if not isinstance(row, Mapping):
                raise _Unreadable("this is not a row of named values")
            rows.append(read(row))
        except KeyError as error:
            problems.append(
                Problem(place, "", "", f"{error.args[0]} is missing", "Add it to the row.")
            )
        except (_Unreadable, MoneyError, CardError) as error:
            problems.append(Problem(place, "", "", _sentence(error), "Correct the row."))
    return tuple(rows)


_ROWS_FIX = "Write it as rows in double brackets."


def _only(row: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in row:
        if key not in known:
            raise _Unreadable(f"{key} is no part of such a row. {did_you_mean(key, known)}")


def read_pay_row(row: Mapping[str, Any]) -> PayRow:
    _only(row, ("name", "pay", "rule", "cards", "total", "ranks", "suits", "decks", "after_split"))
    ranks = _read_ranks(row["ranks"]) if "ranks" in row else ()
    return PayRow(
        name=str(row["name"]),
        pay=_read_to_odds(row["pay"]),
        rule=str(row.get("rule", "")),
        cards=(len(ranks), len(ranks)) if ranks else _read_range(row["cards"], "cards"),
        total=_read_range(row.get("total", "21"), "total"),
        ranks=ranks,
        suits=_read_suits(row.get("suits", "any")),
        decks=_read_decks(row.get("decks", [])),
        after_split=_read_flag(_ROW_FLAG, row.get("after_split", True)),
    )


_ROW_FLAG = Option("after_split", "flag", "", "")


def read_super_bonus_form(row: Mapping[str, Any]) -> SuperBonusForm:
    _only(row, ("rule", "ranks", "suits", "up", "decks", "hand"))
    up = str(row["up"])
    return SuperBonusForm(
        rule=str(row.get("rule", "")),
        ranks=_read_ranks(row["ranks"]),
        suits=_read_suits(row["suits"]),
        up_cards=_read_up_cards(up),
        decks=_read_decks(row["decks"]),
        hand=str(row["hand"]),
        up=up,
    )


def read_super_bonus_band(row: Mapping[str, Any]) -> SuperBonusBand:
    _only(row, ("base_from", "pay"))
    return SuperBonusBand(parse_amount(row["base_from"]), parse_amount(row["pay"]))


def _read_to_odds(raw: Any) -> Odds:
    odds = Odds.parse(raw)
    if not odds.returns_stake:
        raise _Unreadable(f"{raw!r}: a hand pays 'N to M', the wager comes back besides")
    return odds


def _read_ranks(raw: Any) -> tuple[int, ...]:
    words = str(raw).upper().split("-")
    if not 1 <= len(words) <= 10 or any(len(w) != 1 or w not in RANKS for w in words):
        raise _Unreadable(f"ranks {raw!r}: write them as 6-7-8, with A 2-9 T J Q K")
    return tuple(sorted(RANKS.index(word) + 1 for word in words))


def _read_suits(raw: Any) -> str:
    text = str(raw)
    words = text.split(" ")
    if text in ("any", "one suit") or (words and all(word in SUIT_NAMES for word in words)):
        return text
    raise _Unreadable(f"suits {raw!r}: write any, one suit, or suit names such as spades")


def _read_up_cards(text: str) -> tuple[int, ...]:
    if len(text) == 1 and text.upper() in RANKS:
        rank = RANKS.index(text.upper())
        return tuple(range(4 * rank, 4 * rank + 4))
    return tuple(parse_card(word) for word in text.split())


def _read_decks(raw: Any) -> tuple[int, ...]:
    if not isinstance(raw, list) or any(type(count) is not int for count in raw):
        raise _Unreadable(f"decks {raw!r}: write a list such as [4, 5, 6, 8]")
    return tuple(raw)


def _read_range(raw: Any, what: str) -> tuple[int, int]:
    """`5`, `7+`, `5-6` or `at most 20`."""
    text = str(raw)
    if found := re.fullmatch(r"(\d{1,2})(\+|-(\d{1,2}))?", text):
        low = int(found[1])
        high = MOST_CARDS if found[2] == "+" else int(found[3] or low)
        return low, high
    if found := re.fullmatch(r"at most (\d{1,2})", text):
        return 0, int(found[1])
    raise _Unreadable(f"{what} {raw!r}: write it as 5, 7+, 5-6 or at most 20")


def range_text(span: tuple[int, int]) -> str:
    low, high = span
    if high == MOST_CARDS:
        return f"{low}+"
    return str(low) if low == high else f"{low}-{high}" if low else f"at most {high}"


# --- jackpots ---------------------------------------------------------------------------------

_CHOICES: dict[str, type[StrEnum]] = {
    "kind": JackpotKind,
    "prize_from": PrizeFrom,
    "reseed": Reseed,
    "winners": Winners,
}
_JACKPOT_KEYS = (
    "table",
    "pay_table",
    "wager",
    "alternate",
    "prize",
    "seed",
    "contribution",
    "best_only",
    "top_alone",
    *_CHOICES,
)
_CONTRIBUTION = re.compile(r"^(\d{1,3})(?:\.(\d{1,2}))? ?%$")


def read_jackpot(row: Mapping[str, Any]) -> Jackpot:
    _only(row, _JACKPOT_KEYS)
    values: dict[str, Any] = {"table": str(row["table"])}
    for key in ("pay_table", "alternate"):
        if key in row:
            values[key] = _read_number(Option(key, "number", "", key, high=99), row[key])
    for key in ("wager", "prize", "seed"):
        if key in row:
            values[key] = parse_amount(row[key])
    for key in ("best_only", "top_alone"):
        if key in row:
            values[key] = _read_flag(_ROW_FLAG, row[key])
    for key, choices in _CHOICES.items():
        if key in row:
            values[key] = _read_choice(Option(key, "choice", "", key, choices), row[key])
    if "contribution" in row:
        values["contribution"] = _read_contribution(row["contribution"])
    return Jackpot(**values)


def _read_contribution(raw: Any) -> int:
    found = _CONTRIBUTION.match(str(raw))
    share = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else -1
    if not 0 <= share <= 10_000:
        raise _Unreadable(f"contribution {raw!r}: write a share of the wager such as '21 %'")
    return share


def contribution_text(hundredths: int) -> str:
    whole, rest = divmod(hundredths, 100)
    return f"{whole} %" if rest == 0 else f"{whole}.{rest:02d} %"


def value_text(value: Any) -> str:
    """A typed value as people write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Odds):
        return str(value)
    if isinstance(value, tuple):
        return "+".join(str(part) for part in value) or "none"
    return str(value)


def option_text(option: Option, value: Any) -> str:
    return money_text(value) if option.kind == "money" else value_text(value)
