"""Text of every R-, D- and O-number cited by refusals, payments and options.

R-numbers are requirements from the rule documents, in our words. D-numbers are points on which the
documents disagree, and O-numbers are points on which they are silent. Each includes our decision.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from ventiuna.errors import VentiunaError
from ventiuna.records import brief_repr
from ventiuna.rules.data_files import read_toml, rules_folder
from ventiuna.rules.loader import preset_ids, sources_of
from ventiuna.rules.model import OPTIONS
from ventiuna.rules.text.phrases import join_words
from ventiuna.texts import one_line

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
    """A number that no requirement or decision has."""


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
    """One number with its full text."""

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
