"""Every R-, D- and O-number with its text: what refusals, payments and options refer to.

R-numbers are requirements of the rule documents, in our words; D-numbers points on which they
disagree and O-numbers points on which they are silent, each with what is built.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from ventiuna.errors import VentiunaError
from ventiuna.records import record
from ventiuna.rules.data import read_toml, rules_folder

DOCUMENTS = {
    "000": "Spanish 21, rules and procedures (Washington State Gambling Commission)",
    "001": "A casino's card of Spanish 21 with the Match the Dealer Progressive",
    "002": "Catfish Bend Casino, rules of the games: Spanish 21",
    "003": "Spanish 21 with Match the Dealer and jackpots (Washington State Gambling Commission)",
    "004": "Super Fun 21, rules and procedures",
}
SECTIONS = {"D": "Where the documents disagree", "O": "What the documents leave open"}
_NUMBER = re.compile(r"[RDO]-[0-9]{2,3}")
_IN_TEXT = re.compile(r"\b00[0-4]\b")


class UnknownNumber(VentiunaError, ValueError):
    """A number that no requirement and no decision has."""


@record(frozen=True, slots=True)
class Document:
    id: str
    title: str


@record(frozen=True, slots=True)
class Explained:
    """One number in full."""

    number: str
    section: str
    title: str
    text: str
    built: str  # what we do where documents disagree or are silent
    documents: tuple[Document, ...]
    mentions: tuple[str, ...]  # other numbers that the text refers to


@cache
def explained() -> dict[str, Explained]:
    """All of them by their numbers, requirements first."""
    data = read_toml(rules_folder() / "words" / "requirements.toml")
    found = [
        _explained(row["id"], row["section"].partition(". ")[2], "", row["text"], "", row)
        for row in data["requirements"]
    ]
    found += [
        _explained(
            row["id"],
            SECTIONS[row["id"][0]],
            row["subject"],
            row.get("says", ""),
            row["default"],
            row,
        )
        for row in data["decisions"]
    ]
    return {one.number: one for one in found}


def explain(number: str) -> Explained:
    """The text behind a number, such as `R-036`; raises `UnknownNumber`."""
    found = explained().get(number.strip().upper())
    if found is None:
        raise UnknownNumber(
            "number: give one of R-001 to R-120, D-01 to D-32 or O-01 to O-40, such as R-036."
        )
    return found


def found_numbers(numbers: Iterable[str], words: str = "") -> list[Explained]:
    """Those that are named, or all; of them, those whose text has these words."""
    named = [explain(number) for number in numbers] or list(explained().values())
    wanted = words.lower().split()
    found = [one for one in named if all(word in _whole_text(one) for word in wanted)]
    if not found:
        raise UnknownNumber(f"search {words!r}: no number's text has that, try another word.")
    return found


def _whole_text(one: Explained) -> str:
    return f"{one.number} {one.section} {one.title} {one.text} {one.built}".lower()


def explained_data(one: Explained) -> dict[str, object]:
    """As plain data for JSON."""
    return {
        "number": one.number,
        "section": one.section,
        "title": one.title,
        "text": one.text,
        "built": one.built,
        "documents": [{"id": document.id, "title": document.title} for document in one.documents],
        "mentions": list(one.mentions),
    }


def _explained(
    number: str, section: str, title: str, text: str, built: str, row: dict[str, list[str]]
) -> Explained:
    named = row.get("documents") or sorted(set(_IN_TEXT.findall(text)))
    mentions = dict.fromkeys(_NUMBER.findall(f"{text} {built}"))
    return Explained(
        number=number,
        section=section,
        title=title or section,
        text=text,
        built=built,
        documents=tuple(Document(name, DOCUMENTS[name]) for name in named),
        mentions=tuple(one for one in mentions if one != number),
    )
