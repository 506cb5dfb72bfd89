"""Parts of a worked round's JSON: each is what it must be, or an error names it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from ventiuna.cards import CardError, parse_card
from ventiuna.engine.stakes import JACKPOT_WAGERS, MTD_WAGERS, Wager
from ventiuna.money import LARGEST_AMOUNT, LARGEST_RESULT, MoneyError, parse_amount
from ventiuna.notation.records import NotationError, SpotRecord
from ventiuna.rules.words.facts import mtd_word

TOTAL = "total"


def an_object(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise NotationError(f"{what}: this is an object in braces, not {_kind(value)}")
    return value


def a_list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise NotationError(f"{what}: this is a list in brackets, not {_kind(value)}")
    return value


def a_text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise NotationError(f"{what}: this is a text in quotes, not {_kind(value)}")
    return value


def a_flag(value: object, what: str) -> bool:
    if not isinstance(value, bool):
        raise NotationError(f"{what}: this is true or false, not {_kind(value)}")
    return value


def a_wager(value: object, what: str) -> Wager:
    text = a_text(value, what)
    found = named_wager(text)
    if found is None:
        names = ", ".join(Wager)
        raise NotationError(f"{what} {text!r}: this is not a wager; write one of {names}")
    return found


def named_wager(text: str) -> Wager | None:
    """The wager with this name, as written in rounds or as people say it: `Super Bonus`."""
    return _WAGER_NAMES.get(" ".join(text.lower().replace("-", " ").split()))


_WAGER_NAMES: dict[str, Wager] = {
    **{str(wager): wager for wager in Wager},
    "base": Wager.HAND,
    "super bonus": Wager.SUPER,
    "envy bonus": Wager.ENVY,
    **MTD_WAGERS,
    **{mtd_word(name).lower(): wager for name, wager in MTD_WAGERS.items()},
    **{f"j{game}": wager for game, wager in JACKPOT_WAGERS.items()},
}


def a_card(value: object, what: str) -> int:
    try:
        return parse_card(a_text(value, what))
    except CardError as error:
        raise CardError(f"{what}: {error}") from None


def card_list(value: object, what: str) -> tuple[int, ...]:
    return tuple(a_card(card, what) for card in a_list(value, what))


def an_amount(value: object, what: str) -> int:
    """Cents of an amount in dollars."""
    return _amount(value, what, LARGEST_AMOUNT)


def _amount(value: object, what: str, largest: int) -> int:
    try:
        return parse_amount(value, largest)
    except MoneyError as error:
        raise MoneyError(f"{what}: {error}") from None


def a_result(value: object, what: str) -> int:
    """Cents of a result such as `-7.50` or `+10`. It may pass what is read as a wager."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
        return -_amount(-value, what, LARGEST_RESULT)
    if not isinstance(value, str):
        return _amount(value, what, LARGEST_RESULT)
    stripped = value.strip()
    if stripped.startswith("-"):
        return -_amount(stripped[1:], what, LARGEST_RESULT)
    return _amount(stripped.removeprefix("+"), what, LARGEST_RESULT)


def a_total(value: object, what: str) -> int:
    """Cents of a meter, which may pass what is read as a wager."""
    return _amount(value, what, LARGEST_RESULT)


def a_stake(value: object, what: str) -> int:
    """Cents of a wager that is placed."""
    cents = an_amount(value, what)
    if cents == 0:
        raise NotationError(f"{what}: a wager is above zero; leave out what is not placed")
    return cents


def a_name(value: object, what: str) -> str:
    """A text or a number by which something is called."""
    if isinstance(value, str):
        return value
    if type(value) is int and abs(value) < LARGEST_AMOUNT:
        return str(value)
    raise NotationError(f"{what}: this is a text in quotes or a number, not {_kind(value)}")


def a_stated_wager(value: object, what: str) -> str:
    """A wager whose result is stated, or their total."""
    return TOTAL if value == TOTAL else a_wager(value, what)


def refuse_shared_names(spots: Sequence[SpotRecord]) -> None:
    """An unnamed spot 2 is called P2, so nobody else may be."""
    called = {spot.person: spot.number for spot in spots if spot.person}
    for spot in spots:
        if not spot.person and spot.name in called:
            raise NotationError(
                f"spot {spot.number}: it has no name and so is called {spot.name}, as the person "
                f"of spot {called[spot.name]} is; name it"
            )


def parse_json(text: str, what: str) -> object:
    """The content of a JSON text; numbers that are none, or a key given twice, are refused."""
    try:
        return json.loads(text, parse_constant=_no_number, object_pairs_hook=_each_once)
    except NotationError as error:
        raise NotationError(f"{what} is no valid JSON: {error}") from None
    except RecursionError:
        raise NotationError(f"{what} is no valid JSON: its lists are nested too deeply") from None
    except json.JSONDecodeError as error:
        raise NotationError(f"{what} is no valid JSON: {error}") from None
    except ValueError:  # Python reads no number of thousands of digits
        raise NotationError(
            f"{what} is no valid JSON: it holds a number that is too long"
        ) from None


def _no_number(word: str) -> object:
    raise NotationError(f"{word} is not a number")


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotationError(f"{twice[:60]!r} is here twice; write it once")
    return found


def required(data: Mapping[str, object], key: str, where: str = "") -> object:
    """A part that must be there."""
    if key not in data:
        raise NotationError(f"{where}{key} is missing")
    return data[key]


def _kind(value: object) -> str:
    names = {str: "a text", bool: "true or false", list: "a list", type(None): "null"}
    if isinstance(value, Mapping):
        return "an object"
    return names.get(type(value), "a number")
