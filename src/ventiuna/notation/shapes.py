"""Parts of a worked round's JSON: each is what it must be, or an error names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ventiuna.cards import CardError, parse_card
from ventiuna.engine.stakes import Wager
from ventiuna.money import MoneyError, parse_amount
from ventiuna.notation.records import NotationError


def an_object(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise NotationError(f"{what}: this is an object in braces, not {_kind(value)}")
    return value


def a_list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise NotationError(f"{what}: this is a list in brackets, not {_kind(value)}")
    return value


def a_text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise NotationError(f"{what}: this is a text in quotes, not {_kind(value)}")
    return value


def a_flag(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise NotationError(f"{what}: this is true or false, not {_kind(value)}")
    return value


def a_wager(value: Any, what: str) -> Wager:
    text = a_text(value, what)
    try:
        return Wager(text)
    except ValueError:
        names = ", ".join(Wager)
        raise NotationError(f"{what} {text!r}: this is not a wager; write one of {names}") from None


def a_card(value: Any, what: str) -> int:
    try:
        return parse_card(a_text(value, what))
    except CardError as error:
        raise CardError(f"{what}: {error}") from None


def card_list(value: Any, what: str) -> tuple[int, ...]:
    return tuple(a_card(card, what) for card in a_list(value, what))


def an_amount(value: Any, what: str) -> int:
    """Cents of an amount in dollars."""
    try:
        return parse_amount(value)
    except MoneyError as error:
        raise MoneyError(f"{what}: {error}") from None


def a_result(value: Any, what: str) -> int:
    """Cents of a result such as `-7.50` or `+10`."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = repr(value)
    if not isinstance(value, str):
        return an_amount(value, what)  # says what it is not
    stripped = value.strip()
    if stripped.startswith("-"):
        return -an_amount(stripped[1:], what)
    return an_amount(stripped.removeprefix("+"), what)


def required(data: Mapping[str, Any], key: str, where: str = "") -> Any:
    """A part that must be there."""
    if key not in data:
        raise NotationError(f"{where}{key} is missing")
    return data[key]


def _kind(value: Any) -> str:
    names = {str: "a text", bool: "true or false", list: "a list", type(None): "null"}
    if isinstance(value, Mapping):
        return "an object"
    return names.get(type(value), "a number")
