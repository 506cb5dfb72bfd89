"""Convert arguments to library types: rules by name, cards, shoes and numbers as text.

The last section does the reverse: it writes rules and options as command-line arguments, so that a
result can name the command that repeats it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeGuard, cast

from ventiuna.analysis.composition import (
    Composition,
    check_pack,
    fresh_composition,
    without_cards,
)
from ventiuna.cards import RANKS, SUITS, CardError, Pack, card_text, parse_card, parse_cards
from ventiuna.core.cards import CARDS, card_of, rank_of
from ventiuna.money import LARGEST_AMOUNT, money_text
from ventiuna.rules import canonical, load_rules
from ventiuna.rules.loader import split_canonical
from ventiuna.rules.model import Problem, Rules, RulesError
from ventiuna.rules.options import short_repr
from ventiuna.texts import pluralize

MAX_NUMBER = 2**63 - 1  # largest integer that databases can store
Cards = Sequence[str] | str  # as callers write them


def input_error(field: str, value: object, message: str, fix: str, rule: str = "") -> RulesError:
    return RulesError([Problem(field, str(value), rule, message, fix)])


def _require(valid: bool, name: str, value: object, message: str, fix: str) -> None:
    if not valid:
        raise input_error(name, short_repr(value), message, fix)


def coerce_rules(rules: Rules | str) -> Rules:
    """Load rules from a preset name or a file; `Rules` are returned as is."""
    if isinstance(rules, Rules):
        return rules
    message = "must be a Rules object or the name of a preset"
    _require(isinstance(rules, str), "rules", rules, message, "Give a name, or use load_rules.")
    return load_rules(rules)


def coerce_card(card: object) -> int:
    """The code of a card written as text: `7s`. A bare number is rejected."""
    if isinstance(card, str):
        return parse_card(card)
    hint = f" Card code {card} is {card_text(card)!r}." if _is_code(card) else ""
    raise CardError(f"card {short_repr(card)}: write a card as text, such as '7s' or 'Kh'.{hint}")


def coerce_cards(cards: object) -> tuple[int, ...]:
    """The codes of cards written as text: `5c 6d`, or `["5c", "6d"]`."""
    if isinstance(cards, str):
        return parse_cards(cards)
    if not _as_list(cards):
        raise CardError(f"cards {short_repr(cards)}: write cards as text, such as '5c 6d'.")
    return tuple(coerce_card(card) for card in cards)


def card_codes(cards: Sequence[int] | str) -> tuple[int, ...]:
    """Card codes from text or codes. Only internal callers may pass codes."""
    if isinstance(cards, str):
        return parse_cards(cards)
    if not _as_list(cards):
        raise CardError(f"cards {short_repr(cards)}: write cards as text, such as '5c 6d'.")
    for card in cards:
        if not _is_code(card):
            raise CardError(
                f"card {short_repr(card)}: a card code is a number from 0 to {CARDS - 1}."
            )
    return tuple(cards)


def _is_code(card: object) -> TypeGuard[int]:
    return type(card) is int and 0 <= card < CARDS


def coerce_text(name: str, value: object) -> str:
    """Require a string."""
    _require(isinstance(value, str), name, value, "must be a string", "Put it in quotes.")
    return str(value)


def coerce_texts(name: str, values: object) -> tuple[str, ...]:
    """Require a list of strings; a bare string would be read as its letters."""
    valid = _as_list(values) and all(isinstance(value, str) for value in values)
    _require(valid, name, values, "must be a list of strings", 'Example: ["up"].')
    return tuple(cast(Sequence[str], values))


def coerce_path(name: str, value: object) -> Path:
    """Convert a path or a string to a `Path`."""
    if not isinstance(value, str | Path) or not str(value) or "\0" in str(value):
        raise input_error(name, short_repr(value), "must be a file path", "Give one.")
    return Path(value)


def coerce_stakes(stakes: object) -> dict[str, int] | None:
    """Require stakes in cents by wager name; None is allowed."""
    if stakes is None:
        return None
    if not isinstance(stakes, Mapping) or any(
        not isinstance(name, str) or type(stake) is not int or abs(stake) > LARGEST_AMOUNT
        for name, stake in stakes.items()
    ):
        message = "must map wager names to whole cents"
        raise input_error("stakes", short_repr(stakes), message, 'Example: {"up": 500}.')
    return dict(stakes)


def coerce_amounts(name: str, values: object) -> tuple[int, ...]:
    """Require a list of amounts in cents."""
    valid = _as_list(values) and all(type(value) is int for value in values)
    _require(valid, name, values, "must be a list of whole cents", "Example: [500000].")
    return tuple(cast(Sequence[int], values))


def coerce_numbers(name: str, values: object) -> tuple[int, ...]:
    """Require a list of positive integers."""
    _require(_as_list(values), name, values, "must be a list of numbers", "Example: [1].")
    numbers = tuple(cast(Sequence[int], values))
    for number in numbers:
        check_number(name, number, 1)
    return numbers


def check_number(name: str, value: object, minimum: int = 0) -> None:
    """Require an integer of at least `minimum` that databases can store."""
    valid = type(value) is int and minimum <= value <= MAX_NUMBER
    message = f"must be a whole number, {minimum} or more"
    _require(valid, name, value, message, f"Use {minimum}, for example.")


def check_amount(name: str, value: object) -> None:
    """Require an amount in cents, which may be zero; None is allowed."""
    valid = value is None or (type(value) is int and 0 <= value <= LARGEST_AMOUNT)
    _require(valid, name, value, "must be an amount in whole cents", "Give 0 or more.")


def check_base(base: object, needed_for: str = "") -> None:
    """Check a base wager in cents, if one is given or needed."""
    if base is None:
        if needed_for:
            message = f"{needed_for} needs a base wager"
            raise input_error("base", "not given", message, "Give it in cents.", "R-069")
    elif type(base) is not int or base < -LARGEST_AMOUNT:
        message = "a wager must be a whole number of cents above zero"
        fix = "Example: 1000 for $10."
        raise input_error("base", short_repr(base), message, fix, "R-003")
    elif base <= 0:
        message = "a wager must be above zero"
        raise input_error("base", money_text(base), message, "Raise it.", "R-003")
    elif base > LARGEST_AMOUNT:
        message = f"a wager can be at most {money_text(LARGEST_AMOUNT)}"
        raise input_error("base", short_repr(base), message, "Lower it.", "R-003")


def coerce_bases(base: object) -> tuple[int, ...]:
    """One or more base wagers in cents."""
    bases = tuple(base) if _as_list(base) else (base,)
    for item in bases:
        check_base(item, "the Super Bonus")
    return bases


def check_flag(name: str, value: object) -> None:
    """Require a real bool."""
    _require(type(value) is bool, name, value, "must be True or False", "Choose one.")


def check_count(name: str, value: object) -> None:
    """Require a whole number; its bounds depend on the table."""
    valid = type(value) is int and abs(value) <= CARDS
    _require(valid, name, value, "must be a small whole number", "Use 1, for example.")


def _as_list(values: object) -> TypeGuard[Sequence[Any]]:
    """Whether this is a list of values; a string isn't."""
    return isinstance(values, Sequence) and not isinstance(values, str | bytes)


# --- Numbers and shares ---

_NUMBER_PATTERN = re.compile(
    r"[+-]?[0-9.]{1,30}(e[+-]?[0-9]{1,2})?|[0-9]{1,15}/[0-9]{1,15}", re.IGNORECASE
)


def _fraction(text: str) -> Fraction:
    """Parse a number of reasonable size: 1e999999999 would exhaust memory."""
    if not _NUMBER_PATTERN.fullmatch(text):
        raise ValueError(text)
    return Fraction(text)


def read_number(field: str, text: str) -> int:
    """Parse `1e9`, `2_000_000`, `5,000`, `3M` or `1G`."""
    plain = text.replace(",", "").replace("_", "").strip()
    factor = {"k": 10**3, "M": 10**6, "G": 10**9}.get(plain[-1:], 1)
    if factor > 1:
        plain = plain[:-1]
    try:
        number = _fraction(plain) * factor
    except (ValueError, ZeroDivisionError):
        number = Fraction(1, 2)
    if number.denominator != 1 or number < 0:
        raise input_error(
            field, text, "must be a whole number, 0 or more", "Write it as 5000000, 5e6 or 5M."
        )
    return int(number)


def read_share(field: str, text: str) -> Fraction:
    """Parse `0.01%`, `2 %` or `0.02`."""
    plain = text.strip()
    percent = plain.endswith("%")
    try:
        share = _fraction(plain.removesuffix("%").strip()) / (100 if percent else 1)
    except (ValueError, ZeroDivisionError):
        raise input_error(field, text, "not a share", "Write it as 2% or 0.02.") from None
    if not 0 <= share <= 1:
        raise input_error(field, text, "must be from 0% to 100%", "Write it as 2% or 0.02.")
    return share


# --- Shoes as text ---


def parse_shoe(
    rules: Rules, removed: Sequence[int] | str, remaining: str = "", seen: Sequence[int] = ()
) -> Composition:
    """The shoe that the user described: the remaining cards, minus the removed ones.

    `seen` cards are on the table. They are removed from a fresh shoe, but `remaining` never
    includes them.
    """
    check_pack(rules, seen)
    if not remaining:
        return without_cards(without_cards(fresh_composition(rules), card_codes(removed)), seen)
    shoe = _parse_counts(remaining)
    check_pack(rules, (card for card, count in enumerate(shoe) if count))
    _check_decks(rules, shoe, seen)
    return without_cards(shoe, card_codes(removed))


def _check_decks(rules: Rules, shoe: Composition, seen: Sequence[int]) -> None:
    """Reject more copies of a card than the decks have (R-008, R-103)."""
    for card, count in enumerate(shoe):
        on_table = seen.count(card)
        if count + on_table > rules.decks:
            name, named, available = _card_as_named(rules, shoe, card, on_table)
            decks = f"{pluralize(rules.decks, 'deck')} of the {rules.pack} pack"
            times = pluralize(available, "time")
            on_felt = f", {on_table} of them on the table" if on_table else ""
            rule = "R-007, R-008" if rules.pack is Pack.SPANISH else "R-103"
            raise CardError(
                f"shoe {name}:{named}: {name} occurs only {times} in {decks}{on_felt} ({rule}). "
                f"Name at most {available - on_table}."
            )


def _card_as_named(
    rules: Rules, shoe: Composition, card: int, on_table: int
) -> tuple[str, int, int]:
    """The card (or its rank, if all suits have the same count), its count and how many exist."""
    rank = rank_of(card)
    suits = [shoe[card_of(rank, suit)] for suit in range(len(SUITS))]
    if len(set(suits)) == 1 and not on_table:
        return RANKS[rank - 1], sum(suits), rules.decks * len(SUITS)
    return card_text(card), shoe[card], rules.decks


def _parse_counts(text: str) -> Composition:
    """Parse counts such as `7s:3 K:12 2:20`, separated by spaces or commas."""
    counts = [0] * CARDS
    for word in text.replace(",", " ").split():
        name, _, number = word.partition(":")
        if not number.isdecimal() or len(number) > 4:
            raise CardError(
                f"shoe {word[:40]!r}: write a card or rank with its number, such as 7s:3"
            )
        for card, count in _spread_over_suits(name, int(number)):
            counts[card] += count
    return tuple(counts)


def _spread_over_suits(name: str, count: int) -> list[tuple[int, int]]:
    """A card with its count, or a rank with its count divided among the suits."""
    rank = RANKS.find(name.upper().replace("10", "T"))
    if rank < 0 or len(name.replace("10", "T")) != 1:
        return [(parse_card(name), count)]
    if count % len(SUITS):
        raise CardError(
            f"shoe {name}:{count}: {count} cards can't be divided evenly among four suits; "
            f"name the cards, such as {RANKS[rank]}s:{count}"
        )
    return [(card_of(rank + 1, suit), count // len(SUITS)) for suit in range(len(SUITS))]


# --- Command-line arguments ---


def command_text(words: Sequence[str]) -> str:
    """The command line that repeats a result."""
    return shlex.join(["ventiuna", *words])


def rules_to_args(rules: Rules) -> list[str]:
    """Rules as command-line words that need no quoting.

    >>> from ventiuna.rules import load_rules
    >>> rules_to_args(load_rules("wsgc-2021(decks=8,blackjack_pays=6 to 5)"))
    ['wsgc-2021', 'decks=8', 'blackjack_pays=6:5']
    """
    name, changes = split_canonical(canonical(rules))
    return [name, *(f"{option}={value.replace(' to ', ':')}" for option, value in changes.items())]


def options_to_args(**options: str | int | None) -> list[str]:
    """Convert `name=value` to `--name value`, leaving out options without a value."""
    words = []
    for name, value in options.items():
        if value not in (None, ""):
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words
