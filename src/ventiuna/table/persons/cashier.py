"""The cashier's book: play money issued and taken back, and who was given which role.

It is the house's own book, with who asked and why in every entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import Connection, select

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.errors import shown
from ventiuna.engine.records import Records
from ventiuna.money import money_text
from ventiuna.table.books.copies import done_before
from ventiuna.table.books.entries import (
    BookKind,
    account_numbers,
    append,
    lock_accounts,
    lock_books,
)
from ventiuna.table.ledger.amounts import check_amount
from ventiuna.table.ledger.chain import Entry, Posting, Request, request_hash
from ventiuna.table.ledger.chart import AccountKind, PostingCode, account_code
from ventiuna.table.play.carrying_out import Actor
from ventiuna.table.play.reasons import checked_reason
from ventiuna.table.store.schema import book, person

FORMAT = 1
MINT = "mint"


# --- commands and events ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IssueMoney:
    """Play money for a person's wallet."""

    person: int
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class RedeemMoney:
    """Play money back, as much as the wallet holds at most."""

    person: int
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class GiveRole:
    """What a person may do in this house from now on."""

    person: int
    role: str
    reason: str


@dataclass(frozen=True, slots=True)
class MoneyIssued:
    person: int
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class MoneyRedeemed:
    person: int
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class RoleGiven:
    person: int
    role: str
    reason: str


CashierCommand: TypeAlias = IssueMoney | RedeemMoney | GiveRole
CashierEvent: TypeAlias = MoneyIssued | MoneyRedeemed | RoleGiven

COMMANDS: Records[CashierCommand] = Records("command", CashierCommand.__args__)
EVENTS: Records[CashierEvent] = Records("event", CashierEvent.__args__)


def postings_of(event: CashierEvent, number: int) -> tuple[Posting, ...]:
    """What an event of the cashier moves; `number` is its own in the book."""
    if isinstance(event, RoleGiven):
        return ()
    wallet = account_code(AccountKind.WALLET, event.person)
    if isinstance(event, MoneyIssued):
        return (Posting(PostingCode.ISSUE, MINT, wallet, event.amount, event=number),)
    return (Posting(PostingCode.REDEEM, wallet, MINT, event.amount, event=number),)


# --- carrying out -----------------------------------------------------------------------------


def cashier_book(connection: Connection) -> int:
    number = connection.scalar(select(book.c.id).where(book.c.kind == str(BookKind.CASHIER)))
    assert number is not None, "a house without a cashier"
    return int(number)


def carry_out(
    connection: Connection, actor: Actor, key: str, command: CashierCommand, at: int
) -> None:
    """One entry of the cashier's book; a copy of a command that is there already adds none."""
    content = request_hash(COMMANDS.data(command))
    number = cashier_book(connection)
    head = lock_books(connection, [number])[number]
    if done_before(connection, actor.name, key, content) is not None:
        return
    event = _decide(connection, command)
    entry, _ = head.next_entry(
        Request(
            actor=actor.name,
            key=key,
            at=at,
            request=content,
            command=COMMANDS.data(command),
            events=[EVENTS.data(event)],
            engine=FORMAT,
            postings=postings_of(event, head.events + 1),
        )
    )
    append(connection, [entry])
    if isinstance(event, RoleGiven):
        changed = person.update().where(person.c.id == event.person).values(role=event.role)
        connection.execute(changed)


def events_of(entry: Entry) -> list[CashierEvent]:
    return [EVENTS.read(dict(data)) for data in entry.event_data()]


def event_of(command: CashierCommand) -> CashierEvent:
    """What the command does, where the house's rows allow it."""
    reason = checked_reason(command.reason)
    if isinstance(command, GiveRole):
        return RoleGiven(command.person, _checked_role(command.role), reason)
    check_amount(command.amount, "give")
    happens = MoneyIssued if isinstance(command, IssueMoney) else MoneyRedeemed
    return happens(command.person, command.amount, reason)


def _decide(connection: Connection, command: CashierCommand) -> CashierEvent:
    event = event_of(command)
    if connection.scalar(select(person.c.id).where(person.c.id == command.person)) is None:
        raise Refused(
            RefusalCode.NO_SUCH_PERSON, (), f"person: nobody has the number {command.person}."
        )
    if not isinstance(event, RoleGiven):
        _check_covered(connection, event)
    return event


def _check_covered(connection: Connection, event: MoneyIssued | MoneyRedeemed) -> None:
    wallet = account_code(AccountKind.WALLET, event.person)
    numbers = account_numbers(connection, [wallet, MINT])
    held = lock_accounts(connection, numbers.values())[numbers[wallet]]
    if isinstance(event, MoneyRedeemed) and event.amount > held:
        raise Refused(
            RefusalCode.NOT_COVERED,
            (),
            f"amount: {money_text(event.amount)} is more than the {money_text(held)} in the "
            "wallet.",
        )


_ROLES = ("player", "operator", "auditor")


def _checked_role(role: str) -> str:
    if role not in _ROLES:
        raise Refused(
            RefusalCode.BAD_COMMAND, (), f"role: {shown(role)} is not one of {', '.join(_ROLES)}."
        )
    return role
