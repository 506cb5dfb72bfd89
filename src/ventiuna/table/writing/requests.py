"""A command on its way to a table, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused
from ventiuna.errors import VentiunaError
from ventiuna.records import record
from ventiuna.table.events import TableEvent
from ventiuna.table.ledger.chain import LARGEST, LONGEST_NAME, Canonical, hash_of_request
from ventiuna.table.play.carrying_out import Actor
from ventiuna.table.play.codec import command_text
from ventiuna.table.play.commands import TableCommand
from ventiuna.table.play.state import TableState

NO_SUCH_TABLE = "There is no such table."
KEY_REUSED = "key: already used for another command. Choose a new key for each command."


@dataclass(frozen=True, slots=True)
class Request:
    table: int
    actor: Actor
    key: str  # chosen by who asks, unique for that actor for ever
    command: TableCommand
    ask: int | None = None
    client: int | None = None  # the connection of the seat that sends it
    sent: int | None = None

    def content(self, command: Canonical | None = None) -> bytes:
        """What tells a copy from another command under the same key; `command` is its text."""
        text = command or command_text(self.command)
        ask = "null" if self.ask is None else self.ask
        return hash_of_request(Canonical(f"[{self.table},{ask},{text}]"))


@record(frozen=True, slots=True)
class Done:
    """Committed; `n` is the number of the last event that it caused."""

    table: int
    key: str
    version: int
    n: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Nothing has changed."""

    table: int
    key: str
    code: RefusalCode
    reason: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """The books can't be reached, and the command may be in them: send it again to find out."""

    table: int
    key: str
    reason: str


Outcome = Done | Refusal | Unknown


class OutcomeUnknown(VentiunaError):
    """It can't be determined now whether a command was carried out."""


def done(outcome: Outcome) -> Done:
    """The outcome of a command that must succeed; raises `Refused` or `OutcomeUnknown`."""
    if isinstance(outcome, Refusal):
        raise Refused(outcome.code, outcome.rules, outcome.reason)
    if isinstance(outcome, Unknown):
        raise OutcomeUnknown(outcome.reason)
    return outcome


class News(NamedTuple):
    """What a committed command added to a table, and the table before and after it."""

    table: int
    version: int
    first_event: int
    at: int
    events: tuple[TableEvent, ...]
    before: TableState
    state: TableState


def refusal_of(request: Request, error: Refused) -> Refusal:
    return Refusal(request.table, request.key, error.code, error.message, error.rules)


def check_request(request: Request) -> Refusal | None:
    """Refuse what no database may be asked for."""
    try:
        check_key(request.key)
        if not 0 < request.table <= LARGEST:
            raise Refused(RefusalCode.NO_SUCH_TABLE, (), NO_SUCH_TABLE)
    except Refused as error:
        return refusal_of(request, error)
    return None


def check_key(key: str) -> None:
    if not 0 < len(key) <= LONGEST_NAME or not key.isprintable():
        raise Refused(
            RefusalCode.BAD_COMMAND,
            (),
            f"key: give 1 to {LONGEST_NAME} printable characters, new ones for each command.",
        )
