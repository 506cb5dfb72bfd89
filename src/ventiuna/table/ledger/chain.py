"""Entries of a book and the hashes that chain them: the part that anybody can check.

`hash = SHA-256("ventiuna-entry-1\\n" + previous hash + canonical)`. Canonical is the JSON object
of actor, at, book, command, engine, events, first_event, key, postings and version: UTF-8 as it
is (only what JSON must escape is escaped), keys sorted, no spaces, no floats. Command and events
are stored as the very text that was hashed, so a check never depends on how they are read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import NewType

from ventiuna.errors import VentiunaError
from ventiuna.records import record
from ventiuna.table.ledger.chart import AccountKind, PostingCode, kind_of, way

HASH = 32  # bytes of SHA-256
NOTHING_BEFORE = bytes(HASH)  # the head of a book without entries, the seal before the first
LONGEST_NAME = 64  # characters of a key and of an actor
LARGEST = 2**63 - 1  # what a database keeps

Data = dict[str, object]
Canonical = NewType("Canonical", str)  # canonical JSON, of whatever

_SALT = b"ventiuna-entry-1\n"
_written = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


class EntryError(VentiunaError, ValueError):
    """An entry or a posting that can't be written."""


def canonical_json(value: object) -> Canonical:
    """The one text of plain data; the same data always give the same text.

    >>> canonical_json({"b": [1, None], "a": "é"})
    '{"a":"é","b":[1,null]}'
    """
    _check_plain(value)
    return Canonical(_written(value))


def _check_plain(value: object) -> None:
    if isinstance(value, str):
        if not value.isascii():
            check_utf8(value)
    elif isinstance(value, dict):
        for key, part in value.items():
            if not isinstance(key, str):
                raise EntryError(f"The key {key!r} is not a text: books hold JSON.")
            _check_plain(key)
            _check_plain(part)
    elif isinstance(value, list | tuple):
        for part in value:
            _check_plain(part)
    elif value is not None and not isinstance(value, int):
        kind = type(value).__name__
        raise EntryError(f"A {kind} is not plain data: books hold whole numbers and texts.")


def check_utf8(text: str) -> None:
    """Refuse what JSON could say and UTF-8 can't."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise EntryError("A text with half a character can't be written as UTF-8.") from None


@record(frozen=True, slots=True)
class Posting:
    """An amount that moves from one account to another, both named by their codes."""

    code: PostingCode
    from_account: str
    to_account: str
    amount: int
    round_number: int | None = None
    event: int | None = None  # the number of the event that it follows from
    spot: int | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        kind = way(self.code, self.from_account, self.to_account)
        if self.from_account == self.to_account:
            raise EntryError(f"{self.code}: {self.from_account} can't pay itself.")
        if type(self.amount) is not int or not 0 < self.amount <= LARGEST:
            raise EntryError(f"{self.code}: {self.amount!r} is not whole cents above zero.")
        for number in (self.round_number, self.event, self.spot):
            if number is not None and (type(number) is not int or not 0 <= number <= LARGEST):
                raise _not_a_number(f"A number of {self.code}", number)
        if self.reason is not None:
            _check_text(f"The reason of {self.code}", self.reason)
        elif kind.needs_reason:
            raise EntryError(f"{self.code} needs a written reason.")

    @property
    def from_kind(self) -> AccountKind:
        return kind_of(self.from_account)

    @property
    def to_kind(self) -> AccountKind:
        return kind_of(self.to_account)

    def data(self) -> Data:
        return {
            "amount": self.amount,
            "code": str(self.code),
            "event": self.event,
            "from": self.from_account,
            "reason": self.reason,
            "round": self.round_number,
            "spot": self.spot,
            "to": self.to_account,
        }

    def text(self) -> Canonical:
        """The canonical JSON of its data. Codes are of letters, numbers and strokes alone."""
        return Canonical(
            f'{{"amount":{self.amount},"code":"{self.code}","event":{_or_null(self.event)},'
            f'"from":"{self.from_account}",'
            f'"reason":{"null" if self.reason is None else canonical_json(self.reason)},'
            f'"round":{_or_null(self.round_number)},"spot":{_or_null(self.spot)},'
            f'"to":"{self.to_account}"}}'
        )


def _or_null(number: int | None) -> int | str:
    return "null" if number is None else number


@record(frozen=True, slots=True)
class Request:
    """What one command wants to add to a book: plain data, or the text of it where it is known."""

    actor: str
    key: str  # unique for this actor, for ever
    at: int  # milliseconds since 1970
    request: bytes  # hash of what was asked, to tell a copy from a reused key
    command: Data | Canonical
    events: Sequence[Data | Canonical]
    engine: int
    postings: tuple[Posting, ...] = ()

    def __post_init__(self) -> None:
        for what, text in (("The actor", self.actor), ("The key", self.key)):
            _check_text(what, text)
            if len(text) > LONGEST_NAME:
                raise EntryError(f"{what} has {len(text)} characters; {LONGEST_NAME} are the most.")
        _check_number("The time", self.at)
        _check_number("The engine's number", self.engine)
        if len(self.request) != HASH:
            raise EntryError("The hash of a request has 32 bytes.")


def _check_number(what: str, number: int) -> None:
    """What is hashed must read the same when the database has kept it: not 1.0, not True."""
    if type(number) is not int or not 0 <= number <= LARGEST:
        raise _not_a_number(what, number)


def _not_a_number(what: str, number: object) -> EntryError:
    return EntryError(f"{what}, {number!r}, is not a whole number from 0 on.")


def _check_text(what: str, text: str) -> None:
    if not text or not text.isprintable():
        raise EntryError(f"{what} is not a line of printable text.")


@record(frozen=True, slots=True)
class Entry:
    """One committed command, as it is stored."""

    book: int
    version: int
    first_event: int
    at: int
    actor: str
    key: str
    request: bytes
    command: str  # canonical JSON
    events: str  # canonical JSON, a list
    engine: int
    postings: tuple[Posting, ...]
    hash: bytes

    def canonical(self) -> bytes:
        """What is hashed. Command and events go in as the stored text, letter by letter."""
        return self._canonical_with(_list(line.text() for line in self.postings))

    def _canonical_with(self, postings: str) -> bytes:
        return (
            f'{{"actor":{encode_basestring(self.actor)},"at":{self.at},"book":{self.book},'
            f'"command":{self.command},"engine":{self.engine},"events":{self.events},'
            f'"first_event":{self.first_event},"key":{encode_basestring(self.key)},'
            f'"postings":{postings},"version":{self.version}}}'
        ).encode()

    def hash_after(self, previous: bytes) -> bytes:
        """The hash that belongs to this entry when it follows that one."""
        return hashlib.sha256(_SALT + previous + self.canonical()).digest()

    def hash_with(self, previous: bytes, lines: Sequence[Data]) -> bytes:
        """The same with these postings, which may be such as no posting is."""
        return hashlib.sha256(_SALT + previous + self._canonical_with(_written(lines))).digest()

    def event_data(self) -> list[Data]:
        events: list[Data] = json.loads(self.events)
        return events


@dataclass(frozen=True, slots=True)
class Head:
    """Where a book stands: its newest version, its number of events and its newest hash."""

    book: int
    version: int = 0
    events: int = 0
    hash: bytes = NOTHING_BEFORE

    def next_entry(self, request: Request) -> tuple[Entry, Head]:
        """The entry that this request becomes, and where the book stands after it."""
        entry = Entry(
            book=self.book,
            version=self.version + 1,
            first_event=self.events + 1,
            at=request.at,
            actor=request.actor,
            key=request.key,
            request=request.request,
            command=_text_of(request.command),
            events=_list(map(_text_of, request.events)),
            engine=request.engine,
            postings=request.postings,
            hash=b"",
        )
        object.__setattr__(entry, "hash", entry.hash_after(self.hash))  # nobody has seen it yet
        return entry, Head(self.book, entry.version, self.events + len(request.events), entry.hash)


def _text_of(data: Data | Canonical) -> str:
    return data if isinstance(data, str) else canonical_json(data)


def _list(texts: Iterable[str]) -> str:
    return f"[{','.join(texts)}]"


def request_hash(asked: object) -> bytes:
    """What tells a copy of a command from another command under the same key."""
    return hash_of_request(canonical_json(asked))


def hash_of_request(asked: Canonical) -> bytes:
    """The same of a text that is canonical already."""
    return hashlib.sha256(asked.encode()).digest()
