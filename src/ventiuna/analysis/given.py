"""What callers give in the form that is handy: rules by name, cards as text."""

from __future__ import annotations

from collections.abc import Sequence

from ventiuna.cards import CardError, parse_card, parse_cards
from ventiuna.core.cards import CARDS
from ventiuna.money import LARGEST_AMOUNT, money_text
from ventiuna.rules import Problem, Rules, RulesError, load_rules
from ventiuna.rules.values import shown


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


def given_card(card: int | str) -> int:
    """A card, or its text: `7s`."""
    if isinstance(card, str):
        return parse_card(card)
    if type(card) is not int or not 0 <= card < CARDS:
        raise CardError(
            f"card {shown(card)}: a card is 0 to {CARDS - 1} or a text such as 7s or Kh"
        )
    return card


def given_cards(cards: Sequence[int] | str) -> tuple[int, ...]:
    """Cards, or their text: `5c 6d`."""
    if isinstance(cards, str):
        return parse_cards(cards)
    if not isinstance(cards, Sequence):
        raise CardError(f"cards {shown(cards)}: write a hand as 5c 6d, or give a list of cards")
    return tuple(given_card(card) for card in cards)


def given_text(name: str, value: object) -> str:
    """A text, and nothing else."""
    if not isinstance(value, str):
        raise _problem(name, shown(value), "", "it is a text", "Give one.")
    return value


def given_amounts(name: str, values: object) -> tuple[int, ...]:
    """Amounts in cents, several of them."""
    if not isinstance(values, Sequence) or any(type(value) is not int for value in values):
        raise _problem(name, shown(values), "", "it is a list of whole cents", "Give [500000].")
    return tuple(values)


def check_amount(name: str, value: object) -> None:
    """An amount in cents, if one is given; zero is one."""
    if value is not None and (type(value) is not int or not 0 <= value <= LARGEST_AMOUNT):
        raise _problem(
            name, shown(value), "", "it is an amount in whole cents", "Give one of 0 or more."
        )


def check_base(base: int | None, needed_for: str = "") -> None:
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
    if type(base) is not int or base <= 0:
        raise _problem(
            "base",
            shown(base),
            "R-003",
            "a wager is whole cents above zero",
            "Give such an amount.",
        )


def check_switch(name: str, value: object) -> None:
    """Yes or no, and nothing that only looks like it."""
    if type(value) is not bool:
        raise _problem(name, shown(value), "", "it is yes or no", "Give True or False.")


def check_count(name: str, value: object) -> None:
    """How often, as a whole number; its bounds depend on the table."""
    if type(value) is not int or abs(value) > CARDS:
        raise _problem(name, shown(value), "", "it is a small whole number", "Give such a number.")


def _problem(name: str, value: str, rule: str, message: str, fix: str) -> RulesError:
    return RulesError([Problem(name, value, rule, message, fix)])
