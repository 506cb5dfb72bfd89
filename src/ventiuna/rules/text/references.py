"""Text of every R-, D- and O-number that messages cite, and help on every option.

R-numbers are requirements from the rule documents, in our words. D-numbers are points on which the
documents disagree, and O-numbers are points on which they are silent. Each includes our decision.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from ventiuna.errors import VentiunaError
from ventiuna.rules.data_files import limit_profiles, read_toml, rules_folder
from ventiuna.rules.loader import load_preset, preset_ids, sources_of
from ventiuna.rules.model import OPTIONS, OPTIONS_BY_NAME, ROW_FIELDS, Problem, RulesError
from ventiuna.rules.options import (
    MTD_NAMES,
    Option,
    did_you_mean,
)
from ventiuna.rules.text.phrases import join_words, mtd_word
from ventiuna.texts import brief_repr, one_line

DOCUMENTS = {
    "000": "Spanish 21, rules and procedures (Washington State Gambling Commission)",
    "001": "A casino's rule card for Spanish 21 with the Match the Dealer Progressive",
    "002": "Catfish Bend Casino, rules of the games: Spanish 21",
    "003": "Spanish 21 with Match the Dealer and jackpots (Washington State Gambling Commission)",
    "004": "Super Fun 21, rules and procedures",
}
SECTIONS = {"D": "Where the documents disagree", "O": "What the documents leave open"}
_NUMBER = re.compile(r"[RDO]-[0-9]{2,3}")
_NUMBER_LIKE = re.compile(r"[A-Za-z]-?[0-9]+")
_NUMBER_OR_RANGE = re.compile(r"([RDO])-([0-9]{2,3})(?: to \1-([0-9]{2,3}))?")
_IN_TEXT = re.compile(r"\b00[0-4]\b")


class UnknownNumber(VentiunaError, ValueError):
    """No requirement or decision has this number."""


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Clause:
    """The source passage for a rule number."""

    document: str
    clause: str  # number or heading of the clause
    quote: str  # a few words of the clause


@dataclass(frozen=True, slots=True)
class DecidingFunction:
    """One part of a rule, and the function that implements it."""

    what: str
    function: str  # path below `ventiuna.`


@dataclass(frozen=True, slots=True)
class RuleReference:
    """A rule number with its full text."""

    number: str
    section: str
    title: str
    text: str
    built: str  # our decision if documents disagree or are silent
    documents: tuple[Document, ...]
    clauses: tuple[Clause, ...]
    mentions: tuple[str, ...]  # other numbers mentioned in the text
    decided: tuple[DecidingFunction, ...]
    no_money: str  # why the number doesn't affect money; empty if it does
    options: tuple[str, ...]  # rule options that let the house choose

    __repr__ = brief_repr


@cache
def references_by_number() -> dict[str, RuleReference]:
    """Return all references by number, requirements first."""
    data = read_toml(rules_folder() / "text" / "requirements.toml")
    found = [
        _build_reference(row["id"], row["section"].partition(". ")[2], "", row["text"], "", row)
        for row in data["requirements"]
    ]
    found += [
        _build_reference(
            row["id"],
            SECTIONS[row["id"][0]],
            row["subject"],
            row.get("says", ""),
            row["default"],
            row,
        )
        for row in data["decisions"]
    ]
    return {item.number: item for item in found}


def explain(number: str) -> RuleReference:
    """Return the text of a number such as `R-036`; raises `UnknownNumber`."""
    kind, digits = number.strip()[:1].upper(), number.strip()[1:].removeprefix("-")
    # `r21` and `r-21` are R-021.
    found = references_by_number().get(f"{kind}-{digits.zfill(3 if kind == 'R' else 2)}")
    if found is None:
        by_kind = [[one for one in references_by_number() if one[0] == kind] for kind in "RDO"]
        known = join_words([f"{numbers[0]} to {numbers[-1]}" for numbers in by_kind], "or")
        raise UnknownNumber(f"There is no rule {one_line(number)}. Choose from {known}.")
    return found


def is_number(word: str) -> bool:
    """Return whether this looks like a number rather than a search word."""
    return _NUMBER_LIKE.fullmatch(word.strip()) is not None


def find_references(numbers: Iterable[str], words: str = "") -> list[RuleReference]:
    """Return the given references, or all, filtered by the words in their text."""
    named = [explain(number) for number in numbers] or list(references_by_number().values())
    found = []
    for one in named:
        text = f"{one.number} {one.section} {one.title} {one.text} {one.built}".lower()
        if all(word in text for word in words.lower().split()):
            found.append(one)
    if not found:
        raise UnknownNumber(f"No rule mentions {words!r}. Try another word.")
    return found


@cache
def _one_place() -> dict[str, dict[str, Any]]:
    return read_toml(rules_folder() / "text" / "one_place.toml")


@cache
def _clauses() -> dict[str, tuple[Clause, ...]]:
    """Return passages by number, in document order."""
    data = read_toml(rules_folder() / "text" / "clauses.toml")["clauses"]
    return {
        number: tuple(
            Clause(document, clause, quote)
            for document in DOCUMENTS
            for documents, clause, quote in rows
            if document in documents.split()
        )
        for number, rows in data.items()
    }


@cache
def _options() -> dict[str, tuple[str, ...]]:
    """Return option names by the rule numbers that any preset gives for them."""
    found: dict[str, dict[str, None]] = {}
    pairs = [(option.name, option.rule) for option in OPTIONS]
    pairs += [pair for preset in preset_ids() for pair in sources_of(preset).items()]
    for option, numbers in pairs:
        for number in numbers_in(numbers):
            found.setdefault(number, {})[option] = None
    return {number: tuple(options) for number, options in found.items()}


def numbers_in(text: str) -> list[str]:
    """
    >>> numbers_in("R-061 to R-063, D-07")
    ['R-061', 'R-062', 'R-063', 'D-07']
    """
    return [
        f"{kind}-{number:0{len(first)}}"
        for kind, first, last in _NUMBER_OR_RANGE.findall(text)
        for number in range(int(first), int(last or first) + 1)
    ]


def _build_reference(
    number: str, section: str, title: str, text: str, built: str, row: dict[str, list[str]]
) -> RuleReference:
    clauses = _clauses().get(number, ())
    named = row.get("documents") or sorted(
        {*_IN_TEXT.findall(text), *(clause.document for clause in clauses)}
    )
    mentions = dict.fromkeys(_NUMBER.findall(f"{text} {built}"))
    return RuleReference(
        number=number,
        section=section,
        title=title or section,
        text=text,
        built=built,
        documents=tuple(Document(name, DOCUMENTS[name]) for name in named),
        clauses=clauses,
        mentions=tuple(mention for mention in mentions if mention != number),
        decided=tuple(DecidingFunction(*row) for row in _one_place()["decides"].get(number, ())),
        no_money=_one_place()["decides_no_money"].get(number, ""),
        options=_options().get(number, ()),
    )


# --- Guides with examples ---


@dataclass(frozen=True, slots=True)
class GuideExample:
    command: str  # command without the program name
    about: str


@dataclass(frozen=True, slots=True)
class OptionGuide:
    """Help text for one option, or for several that belong together."""

    options: tuple[str, ...]
    rules: str  # rule numbers
    text: str
    parts: tuple[tuple[str, str], ...]  # syntax, and its meaning
    examples: tuple[GuideExample, ...]


JACKPOT_GUIDE = OptionGuide(
    options=("jackpots",),
    rules="R-082 to R-098, O-19 to O-26",
    text="One or two jackpot games on the layout. Write a game as TABLE:PAY_TABLE, followed by "
    "name=value for each setting that differs from its default, separated by colons. Separate "
    "two games with a plus sign; none removes them. "
    "The table depends on the number of decks: 4a for two; 3a, 4b, 5a for four; 3b, 4c, 5b for "
    "five; 3c, 4d, 5c for six; 3d, 4e, 5d for eight (R-086). Each has pay tables 1 to 8.",
    parts=(
        ("wager=5", "the fixed wager, $1 to $20; $1 by default"),
        ("seed=5000", "the meter's amount at the start and after a 100% award"),
        ("contribution=21%", "the share of each wager that goes to the meter"),
        ("kind=house", "a posted amount (seed) of house money instead of a progressive meter"),
        ("prize=100", "the operator's prize per $1 of wager, if the table has such a line"),
        ("prize_from=jackpot", "prizes are paid from the meter instead of by the house"),
        ("alternate=1", "one of the table's sets of alternate lines"),
        ("reseed=after_round", "the meter is reseeded only after the round"),
        ("winners=in_sequence", "several winners of a house jackpot are paid in sequence"),
        ("best_only=on", "only the better hand is paid, with the up card or the down card"),
        ("top_alone=on", "a hand that wins the whole meter isn't paid for any other line"),
    ),
    examples=(
        GuideExample("jackpot wsgc-2021 jackpots=3c:1", "one progressive with default settings"),
        GuideExample(
            "jackpot wsgc-2021 decks=8 jackpots=3d:2:wager=5:seed=10000",
            "eight decks, pay table 2, a $5 wager, and a meter that starts at $10,000",
        ),
        GuideExample(
            "rules card wsgc-2021 jackpots=3c:1:seed=5000+4d:1:wager=5:seed=10000",
            "the rule card for two games",
        ),
        GuideExample(
            "rules check wsgc-2021 jackpots=5c:1:kind=house:seed=1000:prize=100",
            "a house jackpot with its posted amount and prize",
        ),
        GuideExample(
            "deal wsgc-2021-two-jackpots --jackpots", "two jackpots as a ready-made variant"
        ),
    ),
)
BONUS_CARD_GUIDE = OptionGuide(
    options=("bonus_cards", "mtd_configuration"),
    rules="R-015 to R-019, O-29",
    text="Match the Dealer has four configurations. 1: Up Card. 2: Up Card and Down Card. 3: Up "
    "Card and 1 to 4 Bonus Cards. 4: Up Card, Down Card and 1 to 5 Bonus Cards. 0 means that it "
    "isn't offered. Bonus Cards are dealt next to the dealer's hand and are then out of play. "
    "Commands call the wagers up, down, b1, b2, b3, b4 and b5.",
    parts=(
        ("mtd_configuration=3", "Up Card and Bonus Cards"),
        ("bonus_cards=3", "three Bonus Cards: wagers b1, b2 and b3"),
        ("mtd_required=up+b1", "wagers that the house requires"),
    ),
    examples=(
        GuideExample(
            "rules card wsgc-2021 mtd_configuration=3 bonus_cards=3",
            "the rule card for the Up Card and three Bonus Cards",
        ),
        GuideExample(
            "sidebets wsgc-2021 mtd_configuration=4 bonus_cards=5 --side up=5,b1=1,b5=1",
            "the combined result of three of the seven wagers",
        ),
        GuideExample(
            "deal wsgc-2021-bonus-cards --side up=5,b1=2,b2=2,b3=2",
            "Bonus Cards as a ready-made variant",
        ),
    ),
)
GUIDES = {name: guide for guide in (JACKPOT_GUIDE, BONUS_CARD_GUIDE) for name in guide.options}


def guide_data(guide: OptionGuide) -> dict[str, object]:
    return {
        "options": list(guide.options),
        "rules": guide.rules,
        "text": guide.text,
        "parts": [{"write": part, "meaning": meaning} for part, meaning in guide.parts],
        "examples": [
            {"command": f"ventiuna {example.command}", "about": example.about}
            for example in guide.examples
        ],
    }


# --- Options ---

# The first option of each part of the list.
OPTION_PARTS = {
    "game": "Cards",
    "soft_17": "Dealer",
    "blackjack_pays": "Blackjack and 21",
    "double_on_21": "Doubling, splitting, insurance and other choices",
    "envy": "Envy Bonus",
    "mtd_configuration": "Match the Dealer",
    "deal_order": "Sequence of the deal and settlements",
    "table_minimum": "Limits",
}
BASE_PRESET = "blackjack"  # the preset that all others extend


def options_by_part() -> Iterator[tuple[str, list[Option]]]:
    """Yield the options in order, grouped by part of the list."""
    names = list(OPTIONS_BY_NAME)
    starts = [names.index(name) for name in OPTION_PARTS]
    for part, start, end in zip(
        OPTION_PARTS.values(), starts, [*starts[1:], len(names)], strict=True
    ):
        yield part, list(OPTIONS[start:end])


def unknown_option(name: str) -> RulesError:
    """Return the error for an unknown option name."""
    if name in ROW_FIELDS:
        fix = f"Write it in a rules file, as [[{name}]] rows."
        return RulesError([Problem("option", name, "", "this is a list of rows", fix)])
    fix = did_you_mean(name, list(dict.fromkeys([*OPTIONS_BY_NAME, *GUIDES])))
    return RulesError([Problem("option", name, "", "no such option", fix)])


def values_of(option: Option) -> tuple[str, ...]:
    """Return all values, or the common ones if any value is accepted."""
    if option.kind == "flag":
        return ("on", "off")
    if option.choices is not None:
        return tuple(option.choices)
    if option.kind == "number":
        return tuple(str(number) for number in range(option.low, option.high + 1))
    if option.name == "limit_profile":
        return tuple(limit_profiles())
    return MTD_NAMES if option.kind == "names" else option.usual


_VALUE_WORDS = {
    ("game", "spanish-21"): "Spanish 21",
    ("game", "super-fun-21"): "Super Fun 21",
    ("game", "blackjack"): "Blackjack",
    ("pack", "spanish"): "Spanish, 48 cards",
    ("pack", "standard"): "standard, 52 cards",
    ("blackjack_paid", "after_check"): "after the dealer's check",
    ("player_21", "wins"): "always wins",
    ("player_21", "compares"): "compared with the dealer's",
    ("double_on_21", "never"): "none",
    ("double_on_21", "soft"): "soft 21",
    ("double_on_21", "any"): "any 21",
    ("double_totals", "9-11"): "9 to 11",
    ("double_totals", "10-11"): "10 to 11",
    ("split_aces", "like_others"): "like other hands",
    ("split_aces", "one_card"): "one card each",
    ("envy", "per_other_winner"): "for each other winner",
    ("envy", "losers_only"): "for each winner, if you don't win",
    ("envy", "losers_once"): "once, if you don't win",
    ("down_settled", "with_base_game"): "with the base game",
    ("down_settled", "at_exposure"): "when it's turned over",
    ("deal_order", "dealer_last"): "dealer's cards last",
    ("mtd_configuration", "0"): "not offered",
    ("mtd_configuration", "1"): "Up Card",
    ("mtd_configuration", "2"): "Up Card and Down Card",
    ("mtd_configuration", "3"): "Up Card and Bonus Cards",
    ("mtd_configuration", "4"): "Up Card, Down Card and Bonus Cards",
}


def value_words(option: Option, value: str) -> str:
    """
    >>> value_words(OPTIONS_BY_NAME["blackjack_paid"], "unless_insured")
    'unless insured'
    >>> value_words(OPTIONS_BY_NAME["mtd_configuration"], "2")
    'Up Card and Down Card'
    >>> value_words(OPTIONS_BY_NAME["limit_profile"], "wac-2023")
    'Washington, 2023: $400'
    """
    if option.kind == "names" and value in MTD_NAMES:
        return mtd_word(value)
    if option.name == "limit_profile" and value in limit_profiles():
        return limit_profiles()[value].title
    if option.kind == "flag":
        return "yes" if value == "on" else "no"
    return _VALUE_WORDS.get((option.name, value)) or value.replace("_", " ")


_CHANGE_WORDS = {
    ("decks", "1"): "1 deck",
    ("soft_17", "hit"): "Dealer hits soft 17",
    ("soft_17", "stand"): "Dealer stands on soft 17",
    ("blackjack_tie", "wins"): "A blackjack always wins",
    ("blackjack_tie", "pushes"): "A blackjack pushes against the dealer's",
    ("double_blackjack", "off"): "A blackjack can't be doubled",
    ("player_21", "wins"): "A player's 21 always wins",
    ("player_21", "compares"): "A player's 21 can push or lose",
    ("double_on_21", "never"): "No doubling on 21",
    ("double_on_21", "soft"): "Doubling on soft 21",
    ("double_on_21", "any"): "Doubling on any 21",
    ("double_cards", "two"): "Double on two cards only",
    ("double_cards", "two_or_more"): "Double on two or more cards",
    ("double_totals", "any"): "Double on any total",
    ("double_totals", "9-11"): "Double on 9, 10 or 11 only",
    ("double_totals", "10-11"): "Double on 10 or 11 only",
    ("double_after_split", "off"): "No doubling after a split",
    ("double_double", "off"): "No double-double down",
    ("rescue", "off"): "No rescue",
    ("surrender", "off"): "No surrender",
    ("surrender", "late"): "Late surrender",
    ("surrender", "any_time"): "Surrender at any time",
    ("split", "off"): "No splitting",
    ("split", "same_rank"): "Split the same rank only",
    ("split", "equal_value"): "Split cards of equal value",
    ("split_hands", "1"): "No splitting",
    ("split_aces", "one_card"): "Split aces get one card each",
    ("split_aces", "like_others"): "Split aces are played like other hands",
    ("resplit_aces", "off"): "Split aces can't be split again",
    ("insurance", "off"): "No insurance",
}


def change_words(option: Option, value: str) -> str:
    """Describe an option set to a value.

    >>> change_words(OPTIONS_BY_NAME["soft_17"], "stand")
    'Dealer stands on soft 17'
    >>> change_words(OPTIONS_BY_NAME["split_hands"], "3")
    'Split to 3 hands'
    >>> change_words(OPTIONS_BY_NAME["blackjack_pays"], "6 to 5")
    "A player's blackjack pays 6 to 5"
    >>> change_words(OPTIONS_BY_NAME["mtd_configuration"], "1")
    'Match the Dealer configuration: Up Card'
    """
    if words := _CHANGE_WORDS.get((option.name, value)):
        return words
    if option.name == "decks":
        return f"{value} decks"
    if option.name == "split_hands":
        return f"Split to {value} hands"
    meaning = f"{option.text[0].upper()}{option.text[1:]}"
    if option.kind == "odds":
        return f"{meaning} {value}"
    return meaning if value == "on" else f"{meaning}: {value_words(option, value)}"


def preset_value_text(preset: str, option: Option) -> str:
    return option.plain(getattr(load_preset(preset), option.name))
