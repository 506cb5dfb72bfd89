"""What a sheet says, whatever it is printed on: parts with texts, facts, tables and charts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from ventiuna.rules.words.explained import Explained, explained

NUMBER = re.compile(r"\b[RDO]-[0-9]{2,3}\b")


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str
    strong: bool = False  # a verdict
    warns: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences that stand by themselves."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and what they are."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its first columns are words, the others numbers."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    sums_up: bool = False  # the last row does
    name: str = ""  # that of several tables below one heading, in files


@dataclass(frozen=True, slots=True)
class Plays:
    """A table of a strategy chart: letters in their colours, by up card."""

    caption: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]


Block = Text | Items | Facts | Grid | Plays


@dataclass(frozen=True, slots=True)
class Part:
    heading: str
    blocks: tuple[Block, ...]
    numbers: tuple[str, ...] = ()  # of the rules behind it


class Paper(StrEnum):
    SHEET = "sheet"  # A4
    POCKET = "pocket"  # a card of 85 by 135 millimetres


@dataclass(frozen=True, slots=True)
class Document:
    kind: str  # PAR sheet, Posting sheet …
    title: str
    lead: tuple[str, ...]  # under the title
    parts: tuple[Part, ...]
    footer: tuple[str, ...]
    paper: Paper = Paper.SHEET
    explains: bool = True  # ends with the text behind every number
    explains_on_paper: bool = True  # a sign is read on a wall

    @property
    def name(self) -> str:
        return f"{self.kind}: {self.title}"


def numbers_of(document: Document) -> list[Explained]:
    """The text behind every rule number on the sheet, in the order of the numbers."""
    known = explained()
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
        elif isinstance(block, Plays):
            continue
        else:
            for row in block.rows:
                yield from row


def explained_text(one: Explained) -> str:
    """As `ventiuna rules explain` tells it, in one paragraph."""
    built = f" Built: {one.built}." if one.built else ""
    return f"{one.text}{built}".strip()


def documents_text(one: Explained) -> str:
    return "; ".join(f"{document.id} ({document.title})" for document in one.documents)
