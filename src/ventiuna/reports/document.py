"""A document as data (parts with texts, facts, tables and charts), and parts that reports share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from ventiuna.analysis.results import Form, FormattedNumber
from ventiuna.package import version
from ventiuna.rules import Rules
from ventiuna.rules.text.references import RuleReference, references_by_number
from ventiuna.rules.text.rule_card import CardSection, rule_card, section_numbers

NUMBER = re.compile(r"\b[RDO]-[0-9]{2,3}\b")


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str
    strong: bool = False  # a verdict
    warns: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """A list of independent sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """A list of names and values."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table whose first columns are words and whose other columns are numbers."""

    caption: str
    headings: tuple[str, ...]
    cells: tuple[tuple[str | FormattedNumber, ...], ...]
    words: int = 1
    sums_up: bool = False  # the last row is a total
    name: str = ""  # name in files, if several tables have the same heading

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The cells as text."""
        return tuple(tuple(map(str, row)) for row in self.cells)


@dataclass(frozen=True, slots=True)
class LetterTable:
    """A strategy chart table: color-coded letters by up card."""

    caption: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]


Block = Text | Items | Facts | Grid | LetterTable


@dataclass(frozen=True, slots=True)
class Part:
    heading: str
    blocks: tuple[Block, ...]
    numbers: tuple[str, ...] = ()  # numbers of the rules that it is based on


class SheetSize(StrEnum):
    SHEET = "sheet"  # A4
    POCKET = "pocket"  # a card of 85 by 135 millimeters


@dataclass(frozen=True, slots=True)
class Document:
    kind: str  # PAR sheet, Posting sheet …
    title: str
    lead: tuple[str, ...]  # lines under the title
    parts: tuple[Part, ...]
    footer: tuple[str, ...]
    paper: SheetSize = SheetSize.SHEET
    explains: bool = True  # ends with the text of every rule number
    explains_on_paper: bool = True  # False for a sign that hangs on a wall

    @property
    def name(self) -> str:
        return f"{self.kind}: {self.title}"


def numbers_of(document: Document) -> list[RuleReference]:
    """List the rules behind all numbers in the document, in numerical order."""
    known = references_by_number()
    found: set[str] = set()
    for part in document.parts:
        found.update(part.numbers)
        for text in _texts(part.blocks):
            found.update(NUMBER.findall(text))
    return [one for number, one in known.items() if number in found]


def _texts(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Text):
            yield block.text
        elif isinstance(block, Items):
            yield from block.items
        elif isinstance(block, LetterTable):
            continue
        else:
            for row in block.rows:
                yield from row


def explained_text(one: RuleReference) -> str:
    """Return the text that `ventiuna rules explain` shows, as one paragraph."""
    built = f" Implemented: {one.built}." if one.built else ""
    return f"{one.text}{built}".strip()


def documents_text(one: RuleReference) -> str:
    return "; ".join(f"{document.id} ({document.title})" for document in one.documents)


# --- Numbers ---


def points(change: float, digits: int = 6) -> FormattedNumber:
    """A signed change of a share, in percentage points; zero is `0`."""
    return FormattedNumber(100 * change, Form(digits, plus=True, zero="0"))


def one_in(chance: float) -> FormattedNumber:
    """
    >>> print(one_in(1 / 668_382), one_in(0.25), one_in(0.0))
    668,382 4.00 never
    """
    return FormattedNumber(chance, Form(0 if 0 < chance <= 0.001 else 2, one_in=True))


def hours(number: float) -> str:
    """Format a duration in hours, days or years."""
    if number < 100:
        return f"{number:,.1f} hours"
    days = number / 24
    return f"{days:,.0f} days" if days < 730 else f"{days / 365.25:,.1f} years"


# --- The rules as parts of a document ---

_INDEPENDENT = (
    "Ventiuna is an independent implementation for play money. Spanish 21 and Super Fun 21 are "
    "trademarks of their owners."
)


def rule_parts(rules: Rules) -> tuple[Part, ...]:
    """Build one part for each section of the rule card, then one for each group of remarks."""
    card = rule_card(rules)
    remarks = {
        "Also in the document": card.notices,
        "Who decides": card.who_decides,
        "Departures from the document": card.departures,
    }
    return (
        *(
            Part(each.heading, section_blocks(each), tuple(section_numbers(rules, each.heading)))
            for each in card.sections
        ),
        *(Part(heading, (Items(items),)) for heading, items in remarks.items() if items),
    )


def section_blocks(section: CardSection) -> tuple[Block, ...]:
    blocks: list[Block] = [Text(text) for text in section.text]
    if section.pays:
        rows = tuple((pay.hand, pay.pays) for pay in section.pays)
        if section.heading == "Limits":
            blocks.append(Grid("Base wager", ("limit", "amount"), rows, words=2))
        else:
            blocks.append(Grid(f"{section.heading}: pays", ("hand", "pays"), rows, words=2))
    blocks += [Text(note) for note in section.notes]
    return tuple(blocks)


def identity_lines(rules: Rules) -> tuple[str, ...]:
    """Identify the rules and their document, for the lines under the title."""
    card = rule_card(rules)
    return (
        f"Rules {card.rules}, fingerprint {card.fingerprint}.",
        f"Document: {rules.document}.",
    )


def imprint(command: str) -> tuple[str, ...]:
    """Return the footer lines of every document."""
    return f"Ventiuna {version()}. Made with: {command}", _INDEPENDENT
