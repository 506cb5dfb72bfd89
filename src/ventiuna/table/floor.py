"""The floor's tasks: calls to answer and awards to pay by hand.

A table opened with `supervisor = required` stops until a floor person watches a third card or
authorizes payments (R-072, R-121). One opened with `hand_pay = required` holds percentage awards
until someone pays them by hand (R-122). The books record who did so, when, and why.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, select

from ventiuna.engine.codec import Data
from ventiuna.engine.prompts import THIRD_CARD
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.events import FOR_SUPERVISOR, AskKind
from ventiuna.table.journal import read_entries
from ventiuna.table.ledger import PostingCode
from ventiuna.table.listings import names_of
from ventiuna.table.read_model import events_of, version_of_event
from ventiuna.table.store import schema

MAX_PAID = 50  # hand-pays listed, the newest first
_WORDS = {THIRD_CARD: "watch the third card"}


@dataclass(frozen=True, slots=True)
class WaitingTable:
    """A table whose dealer has called the floor; times are in milliseconds since 1970."""

    table: int
    name: str
    task: str  # third_card or payments
    words: str
    spots: tuple[int, ...]
    since: int
    until: int | None  # when an operator may answer too or, after that, when the house continues
    is_late: bool  # whether an operator may answer


@dataclass(frozen=True, slots=True)
class HandPay:
    """A percentage award that must be paid by hand, or already was."""

    table: int
    table_name: str
    award: int
    round_number: int
    spot: int
    person: int
    player: str
    amount: int  # cents
    paid_by: str = ""  # a name, or the sender as recorded
    paid_at: int | None = None
    reason: str = ""


def utc_text(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S}"


def award_data(line: HandPay) -> Data:
    """A hand-pay as JSON; the amount's unit is in its name."""
    data = asdict(line)
    data["amount_cents"] = data.pop("amount")
    return data


def waiting_tables(connection: Connection) -> list[WaitingTable]:
    """All tables waiting for a supervisor, longest wait first."""
    table, waiting = schema.game_table, schema.waiting
    rows = connection.execute(
        select(table.c.id, table.c.name, waiting.c.ask, waiting.c.deadline_at)
        .join(waiting, waiting.c.table_id == table.c.id)
        .where(table.c.options.like('%"supervisor"%'), waiting.c.ask.is_not(None))
    ).all()
    found = [line for row in rows if (line := _waiting_table(connection, row)) is not None]
    return sorted(found, key=lambda line: (line.since, line.table))


def _waiting_table(connection: Connection, row: Any) -> WaitingTable | None:
    version = version_of_event(connection, row.id, row.ask)
    assert version is not None, "a prompt is an event of the book"
    entry = next(read_entries(connection, row.id, after=version - 1))
    asked = next(item.event for item in events_of(entry) if item.number == row.ask)
    if not isinstance(asked, ev.AskRaised) or asked.kind not in FOR_SUPERVISOR:
        return None
    is_late = asked.kind is AskKind.SUPERVISOR_LATE
    words = _WORDS.get(asked.task, "authorize the payments")
    return WaitingTable(
        row.id, row.name, asked.task, words, asked.called, entry.at, row.deadline_at, is_late
    )


def held_awards(connection: Connection) -> list[HandPay]:
    """All awards waiting for a hand-pay, by table."""
    held, table, person = schema.held_award, schema.game_table, schema.person
    rows = connection.execute(
        select(held, table.c.name.label("table_name"), person.c.name.label("player"))
        .join(table, table.c.id == held.c.table_id)
        .join(person, person.c.id == held.c.person_id)
        .order_by(held.c.table_id, held.c.number)
    )
    return [
        HandPay(
            row.table_id,
            row.table_name,
            row.number,
            row.round_number,
            row.spot,
            row.person_id,
            row.player,
            row.amount,
        )
        for row in rows
    ]


def hand_pays(connection: Connection, maximum: int = MAX_PAID) -> list[HandPay]:
    """The newest hand-pays, with who paid each one, when, and why."""
    posting, entry, table = schema.posting, schema.entry, schema.game_table
    rows = connection.execute(
        select(posting.c.book_id, posting.c.version, table.c.name)
        .join(entry, posting.c.book_id == entry.c.book_id)
        .join(table, table.c.id == posting.c.book_id)
        .where(posting.c.version == entry.c.version, posting.c.code == str(PostingCode.HAND_PAY))
        .order_by(entry.c.at.desc(), posting.c.book_id, posting.c.version.desc())
        .limit(maximum)
    ).all()
    return [_hand_pay(connection, row) for row in rows]


def _hand_pay(connection: Connection, row: Any) -> HandPay:
    entry = next(read_entries(connection, row.book_id, after=row.version - 1))
    paid = next(item.event for item in events_of(entry) if isinstance(item.event, ev.AwardHandPaid))
    player = f"person/{paid.person}"
    names = names_of(connection, {player, entry.actor})
    return HandPay(
        row.book_id,
        row.name,
        paid.award,
        paid.round_number,
        paid.spot,
        int(paid.person),
        names.get(player, ""),
        paid.amount,
        names.get(entry.actor, entry.actor),
        entry.at,
        str(json.loads(entry.command)["reason"]),
    )
