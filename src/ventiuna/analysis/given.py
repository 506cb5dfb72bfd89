"""What callers give in the form that is handy: rules by name, cards as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

from ventiuna.cards import CardError, card_text, parse_card, parse_cards
from ventiuna.core.cards import CARDS
from ventiuna.money import LARGEST_AMOUNT, money_text
from ventiuna.rules import Problem, Rules, RulesError, load_rules
from ventiuna.rules.values import shown

LARGEST_NUMBER = 2**63 - 1  # that databases keep
Cards = Sequence[str] | str  # as callers write them


def given_rules(rules: Rules | str) -> Rules:
    """Rules, or the name or file of some."""
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        return load_rules(rules)
    raise _problem(
        "rules",
        shown(rules),
        "",
        "they are rules, or the name of some",
        "Give a name or load_rules.",
    )


def given_card(card: object) -> int:
    """The code of a card written as text: `7s`. A bare number is refused."""
    if isinstance(card, str):
        return parse_card(card)
    hint = f" Card code {card} is {card_text(card)!r}." if _is_code(card) else ""
    raise CardError(f"card {shown(card)}: write a card as text, such as '7s' or 'Kh'.{hint}")


def given_cards(cards: object) -> tuple[int, ...]:
    """The codes of cards written as text: `5c 6d`, or `["5c", "6d"]`."""
    if isinstance(cards, str):
        return parse_cards(cards)
    if not _several(cards):
        raise CardError(f"cards {shown(cards)}: write cards as text, such as '5c 6d'.")
    return tuple(given_card(card) for card in cards)


def card_codes(cards: Sequence[int] | str) -> tuple[int, ...]:
    """Cards as codes or as text, for callers inside the library, which know codes."""
    if isinstance(cards, str):
        return parse_cards(cards)
    if not _several(cards):
        raise CardError(f"cards {shown(cards)}: write cards as text, such as '5c 6d'.")
    for card in cards:
        if not _is_code(card):
            raise CardError(f"card {shown(card)}: card codes are 0 to {CARDS - 1}.")
    return tuple(cards)


def _is_code(card: object) -> TypeGuard[int]:
    return type(card) is int and 0 <= card < CARDS


def given_text(name: str, value: object) -> str:
    """A text, and nothing else."""
    if not isinstance(value, str):
        raise _problem(name, shown(value), "", "it is a text", "Give one.")
    return value


def given_texts(name: str, values: object) -> tuple[str, ...]:
    """Several texts; one alone would be taken for its letters."""
    if not _several(values) or any(not isinstance(value, str) for value in values):
        raise _problem(name, shown(values), "", "it is a list of texts", "Give one.")
    return tuple(values)


def given_path(name: str, value: object) -> Path:
    """A file's place, or its text."""
    if not isinstance(value, str | Path) or not str(value) or "\0" in str(value):
        raise _problem(name, shown(value), "", "it is the name of a file", "Give one.")
    return Path(value)


def given_stakes(stakes: object) -> dict[str, int] | None:
    """Wagers by their names, if any are given."""
    if stakes is None:
        return None
    if not isinstance(stakes, Mapping) or any(
        not isinstance(name, str) or type(stake) is not int or abs(stake) > LARGEST_AMOUNT
        for name, stake in stakes.items()
    ):
        message = "they are wagers by name, in whole cents"
        raise _problem("stakes", shown(stakes), "", message, 'Give {"up": 500}.')
    return dict(stakes)


def given_amounts(name: str, values: object) -> tuple[int, ...]:
    """Amounts in cents, several of them."""
    if not _several(values) or any(type(value) is not int for value in values):
        raise _problem(name, shown(values), "", "it is a list of whole cents", "Give [500000].")
    return tuple(values)


def given_numbers(name: str, values: object) -> tuple[int, ...]:
    """Numbers of things that are counted from 1 on."""
    if not _several(values):
        raise _problem(name, shown(values), "", "it is a list of numbers", "Give [1].")
    for value in values:
        check_number(name, value, 1)
    return tuple(values)


def check_number(name: str, value: object, least: int = 0) -> None:
    """A number of something, or how many, as databases know them."""
    if type(value) is not int or not least <= value <= LARGEST_NUMBER:
        message = f"it is a whole number from {least} on"
        raise _problem(name, shown(value), "", message, "Give such a number.")


def check_amount(name: str, value: object) -> None:
    """An amount in cents, if one is given; zero is one."""
    if value is not None and (type(value) is not int or not 0 <= value <= LARGEST_AMOUNT):
        raise _problem(
            name, shown(value), "", "it is an amount in whole cents", "Give one of 0 or more."
        )


def check_base(base: object, needed_for: str = "") -> None:
    """A base wager in cents, if one is given or needed."""
    if base is None:
        if needed_for:
            raise _problem(
                "base",
                "not given",
                "R-069",
                f"{needed_for} is for a base wager",
                "Give it in cents.",
            )
        return
    if type(base) is int and -LARGEST_AMOUNT <= base <= 0:
        raise _problem("base", money_text(base), "R-003", "a wager is above zero", "Raise it.")
    if type(base) is int and base > LARGEST_AMOUNT:
        message = f"a wager is at most {money_text(LARGEST_AMOUNT)}"
        raise _problem("base", shown(base), "R-003", message, "Lower it.")
    if type(base) is not int or base <= 0:
        raise _problem(
            "base",
            shown(base),
            "R-003",
            "a wager is whole cents above zero",
            "Give such an amount.",
        )


def given_bases(base: object) -> tuple[int, ...]:
    """A base wager in cents, or several of them."""
    bases = tuple(base) if _several(base) else (base,)
    for one in bases:
        check_base(one, "the Super Bonus")
    return bases


def check_switch(name: str, value: object) -> None:
    """Yes or no, and nothing that only looks like it."""
    if type(value) is not bool:
        raise _problem(name, shown(value), "", "it is yes or no", "Give True or False.")


def check_count(name: str, value: object) -> None:
    """How often, as a whole number; its bounds depend on the table."""
    if type(value) is not int or abs(value) > CARDS:
        raise _problem(name, shown(value), "", "it is a small whole number", "Give such a number.")


def _several(values: object) -> TypeGuard[Sequence[Any]]:
    """A list of values; a text is one."""
    return isinstance(values, Sequence) and not isinstance(values, str | bytes)


def _problem(name: str, value: str, rule: str, message: str, fix: str) -> RulesError:
    return RulesError([Problem(name, value, rule, message, fix)])
