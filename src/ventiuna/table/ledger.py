"""Accounts, postings, and hash-chained entries: the part of the books that anyone can verify.

The chart lists the accounts that may hold money, their limits, and every way money may move. A
posting moves an amount from one account to another, so all balances always add up to 0. The
database enforces the same limits and the same list, so no row can pay the house out of a displayed
meter, and a meter falls only for a listed reason.

An entry's hash is `SHA-256("ventiuna-entry-1\\n" + previous hash + canonical)`. The canonical text
is a JSON object of actor, at, book, command, engine, events, first_event, key, postings, and
version: UTF-8 with only the escapes that JSON requires, sorted keys, no spaces, and no floats. The
command and the events are stored exactly as hashed, so verification doesn't depend on how they are
parsed. For speed, each type of record has its own encoder, built once.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache, lru_cache
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any, NewType

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.codec import left_out, plain_value
from ventiuna.engine.commands import Refused, quoted
from ventiuna.engine.events import Stakes
from ventiuna.errors import VentiunaError
from ventiuna.money import LARGEST_AMOUNT, money_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class ChartError(VentiunaError, ValueError):
    """This account or posting isn't in the chart."""


class Bound(StrEnum):
    """Limit on a balance."""

    NONE = "none"
    NOT_BELOW_ZERO = "not below zero"
    NOT_ABOVE_ZERO = "not above zero"


class AccountKind(StrEnum):
    MINT = "mint"
    HOUSE = "house"
    WALLET = "wallet"
    STACK = "stack"
    STAKE = "stake"
    BANK = "bank"
    METER = "meter"
    RESERVE = "reserve"
    ADVANCE = "advance"
    DUE = "due"


@dataclass(frozen=True, slots=True)
class AccountRule:
    kind: AccountKind
    bound: Bound
    numbers: tuple[int, ...]  # how many numbers can follow the kind in an account code
    meaning: str


ACCOUNT_RULES: dict[str, AccountRule] = {
    kind: AccountRule(kind, bound, numbers, meaning)
    for kind, bound, numbers, meaning in (
        (AccountKind.MINT, Bound.NOT_ABOVE_ZERO, (0,), "minus all play money ever issued"),
        (AccountKind.HOUSE, Bound.NONE, (0,), "the house's result"),
        (AccountKind.WALLET, Bound.NOT_BELOW_ZERO, (1,), "a person's money away from the tables"),
        (AccountKind.STACK, Bound.NOT_BELOW_ZERO, (2,), "a seat's chips at a table"),
        (AccountKind.STAKE, Bound.NOT_BELOW_ZERO, (1,), "chips on the layout, 0 between rounds"),
        (
            AccountKind.BANK,
            Bound.NONE,
            (1,),
            "the table's bank since its last drop, backed by the house",
        ),
        (
            AccountKind.METER,
            Bound.NOT_BELOW_ZERO,
            (1, 2),
            "displayed amount of a jackpot: a main account, and one stripe for each linked table",
        ),
        (
            AccountKind.RESERVE,
            Bound.NOT_BELOW_ZERO,
            (1, 2),
            "hidden part of a jackpot (reserve rate and overflow): a main account and stripes",
        ),
        (
            AccountKind.ADVANCE,
            Bound.NOT_ABOVE_ZERO,
            (1,),
            "minus the seed money advanced by the house and not recovered",
        ),
        (
            AccountKind.DUE,
            Bound.NOT_BELOW_ZERO,
            (1,),
            "percentage awards won at a table and not yet paid by hand",
        ),
    )
}


class PostingCode(StrEnum):
    ISSUE = "issue"
    REDEEM = "redeem"
    BUY_IN = "buy_in"
    CASH_OUT = "cash_out"
    WAGER = "wager"
    TAKE_BACK = "take_back"
    DOUBLE = "double"
    SPLIT = "split"
    INSURANCE = "insurance"
    RETURNED = "returned"
    WON = "won"
    LOST = "lost"
    CONTRIBUTION = "contribution"
    RESERVE = "reserve"
    FOLD = "fold"
    OVERFLOW = "overflow"
    AWARD = "award"
    RESERVE_SEED = "reserve_seed"
    SEED = "seed"
    SEED_WON = "seed_won"
    SEED_BACK = "seed_back"
    CORRECT_UP = "correct_up"
    CORRECT_DOWN = "correct_down"
    RECEIPTS = "receipts"
    HOUSE_PRIZE = "house_prize"
    SUPER_BONUS = "super_bonus"
    ENVY_BONUS = "envy_bonus"
    VOID_STAKE = "void_stake"
    VOID_WON = "void_won"
    VOID_LOST = "void_lost"
    FILL = "fill"
    DROP = "drop"
    MOVED = "moved"
    HAND_PAY = "hand_pay"
    CORRECTION_PAID = "correction_paid"
    CORRECTION_TAKEN = "correction_taken"


@dataclass(frozen=True, slots=True)
class PostingKind:
    code: PostingCode
    from_kind: AccountKind
    to_kind: AccountKind
    meaning: str
    needs_reason: bool = False  # an operator must give one


_NEED_REASON = {
    PostingCode.SEED_BACK,
    PostingCode.CORRECT_UP,
    PostingCode.CORRECT_DOWN,
    PostingCode.RECEIPTS,
}
_WAYS = (
    ("issue", "mint", "wallet", "play money issued to a person"),
    ("redeem", "wallet", "mint", "play money taken back"),
    ("buy_in", "wallet", "stack", "chips bought at a table"),
    ("cash_out", "stack", "wallet", "chips cashed out, never during a round"),
    ("wager", "stack", "stake", "a wager placed"),
    ("take_back", "stake", "stack", "a wager replaced or withdrawn"),
    ("double", "stack", "stake", "a hand doubled, or doubled again"),
    ("split", "stack", "stake", "the wager of a split hand"),
    ("insurance", "stack", "stake", "an insurance wager"),
    ("returned", "stake", "stack", "the returned part of a settled stake"),
    ("won", "bank", "stack", "winnings above the stake"),
    ("lost", "stake", "bank", "the lost part of a stake"),
    ("contribution", "bank", "meter", "the part of a jackpot wager that goes to the meter"),
    ("reserve", "bank", "reserve", "the part of a jackpot wager that goes to the reserve"),
    ("fold", "meter", "meter", "a table's stripe added to the main meter"),
    ("fold", "reserve", "reserve", "a table's stripe added to the main reserve"),
    ("overflow", "meter", "reserve", "the excess above the maximum"),
    ("award", "meter", "stack", "a share of the meter won"),
    ("reserve_seed", "reserve", "meter", "a new meter's seed, taken from the reserve first"),
    ("seed", "advance", "meter", "a new meter's seed, the rest advanced by the house"),
    ("seed_won", "house", "advance", "advanced seed that was won and is now an expense"),
    ("seed_back", "reserve", "advance", "advanced seed recovered"),
    ("seed_back", "meter", "advance", "advanced seed recovered"),
    ("correct_up", "house", "meter", "a display that was too low"),
    ("correct_down", "meter", "reserve", "a display that was too high"),
    ("receipts", "reserve", "house", "non-displayed funds taken out"),
    ("house_prize", "bank", "stack", "the prize of a house jackpot (O-39)"),
    ("super_bonus", "bank", "stack", "a Super Bonus"),
    ("envy_bonus", "bank", "stack", "an Envy Bonus"),
    ("void_stake", "stake", "stack", "chips on the layout returned by a void round"),
    ("void_won", "stack", "bank", "payouts taken back by a void round"),
    ("void_lost", "bank", "stack", "losses returned by a void round"),
    ("fill", "house", "bank", "the bank filled, or its shortfall covered at the drop"),
    ("drop", "bank", "house", "the bank's result, moved to the house"),
    ("moved", "meter", "meter", "a removed jackpot's meter, moved to another progressive"),
    ("moved", "reserve", "reserve", "a removed jackpot's reserve, moved to another progressive"),
    ("award", "meter", "due", "a share of the meter won, to be paid by hand (R-122)"),
    ("house_prize", "bank", "due", "the prize of a house jackpot, to be paid by hand (R-122)"),
    ("hand_pay", "due", "wallet", "an award paid by hand, away from the table (R-122)"),
    ("correction_paid", "bank", "wallet", "the amount that a closed round paid too little"),
    ("correction_taken", "wallet", "bank", "the amount that a closed round paid too much"),
)
POSTING_KINDS = tuple(
    PostingKind(
        PostingCode(code), AccountKind(payer), AccountKind(payee), meaning, code in _NEED_REASON
    )
    for code, payer, payee, meaning in _WAYS
)
_KIND_BY_CODE: dict[tuple[str, str, str], PostingKind] = {
    (kind.code, kind.from_kind, kind.to_kind): kind for kind in POSTING_KINDS
}

_ACCOUNT_CODE = re.compile(r"([a-z]+)((?:/[1-9][0-9]{0,18})*)")


@lru_cache(maxsize=4096)  # called for every seat in every view
def account_code(kind: AccountKind, *numbers: int) -> str:
    """The code of an account: `stack/7/3` is seat 3 of table 7."""
    code = "/".join([kind, *map(str, numbers)])
    kind_of(code)
    return code


@lru_cache(maxsize=4096)  # called twice for each posting
def kind_of(code: str) -> AccountKind:
    """The kind at the beginning of an account code; refuses invalid codes."""
    found = _ACCOUNT_CODE.fullmatch(code)
    rule = ACCOUNT_RULES.get(found[1]) if found else None
    if found and rule and found[2].count("/") in rule.numbers:
        return rule.kind
    raise ChartError(f"{code[:60]!r} isn't an account such as 'house', 'wallet/12' or 'stack/7/3'.")


@lru_cache(maxsize=16384)  # a table uses the same twenty or so combinations in every round
def posting_kind_of(code: str, from_account: str, to_account: str) -> PostingKind:
    """The kind of a posting between these two accounts, from the chart; refuses any other."""
    return posting_kind(code, kind_of(from_account), kind_of(to_account))


def posting_kind(code: str, from_kind: AccountKind, to_kind: AccountKind) -> PostingKind:
    """The kind from the chart; refuses every other way of moving money."""
    kind = _KIND_BY_CODE.get((code, from_kind, to_kind))
    if kind is None:
        raise ChartError(f"There is no posting {code[:60]!r} from {from_kind} to {to_kind}.")
    return kind


def check_amount(amount: int, what: str) -> None:
    """Refuse an amount that isn't positive or is too large; `what` is the action that needs it."""
    if amount <= 0:
        sentence = f"The amount must be a positive whole number of cents, not {quoted(amount)}."
        raise Refused(RefusalCode.NOT_CENTS, (), sentence)
    if amount > LARGEST_AMOUNT:
        sentence = f"You can {what} at most {money_text(LARGEST_AMOUNT)} at a time."
        raise Refused(RefusalCode.NOT_CENTS, (), sentence)


HASH_BYTES = 32  # SHA-256 output size
GENESIS_HASH = bytes(HASH_BYTES)  # hash before a book's first entry and before the first seal
LONGEST_KEY = 64  # characters in a key or an actor
LARGEST_INTEGER = 2**63 - 1  # the database's limit

PlainData = dict[str, object]
Canonical = NewType("Canonical", str)  # canonical JSON text

_ENTRY_PREFIX = b"ventiuna-entry-1\n"
_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


class EntryError(VentiunaError, ValueError):
    """The entry or posting can't be written."""


def canonical_json(value: object) -> Canonical:
    """Encode plain data as canonical JSON; the same data always gives the same string.

    >>> canonical_json({"b": [1, None], "a": "é"})
    '{"a":"é","b":[1,null]}'
    """
    _check_plain(value)
    return Canonical(_encode(value))


def _check_plain(value: object) -> None:
    if isinstance(value, str):
        if not value.isascii():
            check_utf8(value)
    elif isinstance(value, dict):
        for key, part in value.items():
            if not isinstance(key, str):
                raise EntryError(f"The key {key!r} must be a string, because books hold JSON.")
            _check_plain(key)
            _check_plain(part)
    elif isinstance(value, list | tuple):
        for part in value:
            _check_plain(part)
    elif value is not None and not isinstance(value, int):
        kind = type(value).__name__
        raise EntryError(f"Books hold only whole numbers and strings, not a {kind}.")


def check_utf8(text: str) -> None:
    """Refuse strings that JSON can represent but UTF-8 can't."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise EntryError("A string with an unpaired surrogate can't be written as UTF-8.") from None


@dataclass(frozen=True, slots=True)
class Posting:
    """An amount that moves between two accounts, identified by their codes."""

    code: PostingCode
    from_account: str
    to_account: str
    amount: int
    round_number: int | None = None
    event: int | None = None  # the number of the event that caused the posting
    spot: int | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        kind = posting_kind_of(self.code, self.from_account, self.to_account)
        if self.from_account == self.to_account:
            raise EntryError(f"{self.code}: {self.from_account} can't pay itself.")
        if type(self.amount) is not int or not 0 < self.amount <= LARGEST_INTEGER:
            raise EntryError(
                f"{self.code}: the amount must be a positive whole number of cents, not "
                f"{self.amount!r}."
            )
        for number in (self.round_number, self.event, self.spot):
            if number is not None and (
                type(number) is not int or not 0 <= number <= LARGEST_INTEGER
            ):
                raise _not_a_number(f"A number in {self.code}", number)
        if self.reason is not None:
            _check_text(f"The reason for {self.code}", self.reason)
        elif kind.needs_reason:
            raise EntryError(f"{self.code} needs a written reason.")

    @property
    def from_kind(self) -> AccountKind:
        return kind_of(self.from_account)

    @property
    def to_kind(self) -> AccountKind:
        return kind_of(self.to_account)

    def text(self) -> Canonical:
        """The canonical JSON of its data; codes contain nothing that needs escaping."""
        return Canonical(
            f'{{"amount":{self.amount},"code":"{self.code}","event":{_number_or_null(self.event)},'
            f'"from":"{self.from_account}",'
            f'"reason":{"null" if self.reason is None else canonical_json(self.reason)},'
            f'"round":{_number_or_null(self.round_number)},"spot":{_number_or_null(self.spot)},'
            f'"to":"{self.to_account}"}}'
        )


def _number_or_null(number: int | None) -> int | str:
    return "null" if number is None else number


@dataclass(frozen=True, slots=True)
class EntryRequest:
    """A new entry for a book, with its command and events as plain data or canonical JSON."""

    actor: str
    key: str  # the actor can never reuse this key
    at: int  # milliseconds since 1970
    request: bytes  # hash of the request, to distinguish a retry from a reused key
    command: PlainData | Canonical
    events: Sequence[PlainData | Canonical]
    engine: int
    postings: tuple[Posting, ...] = ()

    def __post_init__(self) -> None:
        for what, text in (("The actor", self.actor), ("The key", self.key)):
            _check_text(what, text)
            if len(text) > LONGEST_KEY:
                raise EntryError(
                    f"{what} must have at most {LONGEST_KEY} characters, not {len(text)}."
                )
        _check_number("The time", self.at)
        _check_number("The engine number", self.engine)
        if len(self.request) != HASH_BYTES:
            raise EntryError("The hash of a request must have 32 bytes.")


def _check_number(what: str, number: int) -> None:
    """Check that a number stays the same when stored, unlike 1.0 or True."""
    if type(number) is not int or not 0 <= number <= LARGEST_INTEGER:
        raise _not_a_number(what, number)


def _not_a_number(what: str, number: object) -> EntryError:
    return EntryError(f"{what} must be a whole number, 0 or more, not {number!r}.")


def _check_text(what: str, text: str) -> None:
    if not text or not text.isprintable():
        raise EntryError(f"{what} must be one line of printable text.")


@dataclass(frozen=True, slots=True)
class Entry:
    """A committed command as stored."""

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
    hash: bytes
    postings: tuple[Posting, ...] = ()

    def canonical(self) -> bytes:
        """The bytes to hash, with the command and events exactly as stored."""
        return self._canonical_with(_json_list(line.text() for line in self.postings))

    def _canonical_with(self, postings: str) -> bytes:
        return (
            f'{{"actor":{encode_basestring(self.actor)},"at":{self.at},"book":{self.book},'
            f'"command":{self.command},"engine":{self.engine},"events":{self.events},'
            f'"first_event":{self.first_event},"key":{encode_basestring(self.key)},'
            f'"postings":{postings},"version":{self.version}}}'
        ).encode()

    def hash_after(self, previous: bytes) -> bytes:
        """The hash of this entry, chained to the previous hash."""
        return hashlib.sha256(_ENTRY_PREFIX + previous + self.canonical()).digest()

    def hash_with(self, previous: bytes, lines: Sequence[PlainData]) -> bytes:
        """Like `hash_after`, but with these postings, even if they are invalid."""
        return hashlib.sha256(
            _ENTRY_PREFIX + previous + self._canonical_with(_encode(lines))
        ).digest()

    def event_data(self) -> list[PlainData]:
        events: list[PlainData] = json.loads(self.events)
        return events


@dataclass(frozen=True, slots=True)
class JournalHead:
    """A book's head: its latest version, number of events, and latest hash."""

    book: int
    version: int = 0
    events: int = 0
    hash: bytes = GENESIS_HASH

    def next_entry(self, request: EntryRequest) -> tuple[Entry, JournalHead]:
        """The entry for this request, and the book's head after it."""
        entry = Entry(
            book=self.book,
            version=self.version + 1,
            first_event=self.events + 1,
            at=request.at,
            actor=request.actor,
            key=request.key,
            request=request.request,
            command=_canonical_text(request.command),
            events=_json_list(map(_canonical_text, request.events)),
            engine=request.engine,
            postings=request.postings,
            hash=b"",
        )
        object.__setattr__(entry, "hash", entry.hash_after(self.hash))  # nobody has seen it yet
        return entry, JournalHead(
            self.book, entry.version, self.events + len(request.events), entry.hash
        )


def _canonical_text(data: PlainData | Canonical) -> str:
    return data if isinstance(data, str) else canonical_json(data)


def _json_list(texts: Iterable[str]) -> str:
    return f"[{','.join(texts)}]"


def request_hash(request: object) -> bytes:
    """Hash that distinguishes a retry from a different command with the same key."""
    return hash_of_request(canonical_json(request))


def hash_of_request(request: Canonical) -> bytes:
    """Like `request_hash`, for a string that is already canonical."""
    return hashlib.sha256(request.encode()).digest()


def record_text(tag: str, record: DataclassInstance) -> Canonical:
    """Encode a record with its class name under the tag."""
    template, names = _record_template(tag, type(record), left_out(record))
    return Canonical(template % tuple([encode_value(getattr(record, name)) for name in names]))


@cache
def _record_template(
    tag: str, kind: type[DataclassInstance], without: tuple[str, ...]
) -> tuple[str, list[str]]:
    """`{"card":%s,"event":"CardDealt",…}`, and the fields whose values fill it."""
    names = sorted(field.name for field in fields(kind) if field.name not in without)
    parts = {name: f'"{name}":%s' for name in names} | {tag: f'"{tag}":"{kind.__name__}"'}
    return f"{{{','.join(parts[name] for name in sorted(parts))}}}", names


def encode_value(value: object) -> str:
    """Encode one value; it may be invalid."""
    if type(value) is int:  # the most frequent kind
        return str(value)
    if isinstance(value, str):  # including enum members
        return _encode_string(value)
    if isinstance(value, Stakes):
        return _encode_stakes(value)
    if isinstance(value, tuple):
        return f"[{','.join(map(encode_value, value))}]"
    if value is None:
        return "null"
    return canonical_json(plain_value(value))


def _encode_stakes(stakes: Stakes[Any]) -> str:
    if not stakes:
        return "{}"
    by_name = sorted((str(name), amount) for name, amount in stakes.items())
    parts = [f"{_encode_string(name)}:{encode_value(amount)}" for name, amount in by_name]
    return f"{{{','.join(parts)}}}"


def _encode_string(text: str) -> str:
    if not text.isascii():
        check_utf8(text)
    return encode_basestring(text)
