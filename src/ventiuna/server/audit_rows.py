"""Audits in the database, so that every process of the house can tell how far one is."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from ventiuna.table.store.schema import audit_run as audits
from ventiuna.table.store.schema import house
from ventiuna.texts import json_text

KEPT = 20


class AuditState(StrEnum):
    RUNNING = "running"
    INTERRUPTED = "interrupted"  # its process ended before it
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(slots=True)
class AuditRun:
    id: int
    state: AuditState = AuditState.RUNNING
    entries: int = 0
    of: int = 0
    result: dict[str, object] | None = None


def begin(connection: Connection, process: int, living: Collection[int]) -> AuditRun | None:
    """A new one, in a process that runs none; None where another one of the house does.

    Holds the house's row, so that two processes which are asked at once don't both begin.
    """
    connection.execute(select(house.c.id).with_for_update(key_share=True))
    running = audits.c.state == AuditState.RUNNING
    connection.execute(
        update(audits)
        .where(running, audits.c.process.not_in(living))
        .values(state=AuditState.INTERRUPTED)
    )
    if connection.scalar(select(audits.c.id).where(running)) is not None:
        return None
    row = {"process": process, "state": AuditState.RUNNING, "entries": 0, "entries_in_all": 0}
    number = connection.scalar(insert(audits).values(**row).returning(audits.c.id))
    newest = select(audits.c.id).order_by(audits.c.id.desc())
    old = connection.scalars(newest.offset(KEPT)).all()
    connection.execute(delete(audits).where(audits.c.id.in_(old)))
    return AuditRun(int(number or 0))


def read_audit(connection: Connection, number: int, living: Collection[int]) -> AuditRun | None:
    row = connection.execute(select(audits).where(audits.c.id == number)).first()
    return None if row is None else _audit(row, living)


def read_audits(connection: Connection, living: Collection[int]) -> list[AuditRun]:
    """Those that are kept, the newest first."""
    rows = connection.execute(select(audits).order_by(audits.c.id.desc()))
    return [_audit(row, living) for row in rows]


def keep(connection: Connection, found: AuditRun) -> bool:
    """How it stands; False where it was cancelled and nothing was written."""
    goes_on = (audits.c.id == found.id) & (audits.c.state == AuditState.RUNNING)
    values = {
        "state": found.state,
        "entries": found.entries,
        "entries_in_all": found.of,
        "result": None if found.result is None else json_text(found.result, None),
    }
    return bool(connection.execute(update(audits).where(goes_on).values(**values)).rowcount)


def cancel(connection: Connection, number: int) -> None:
    goes_on = (audits.c.id == number) & (audits.c.state == AuditState.RUNNING)
    connection.execute(update(audits).where(goes_on).values(state=AuditState.CANCELLED))


def _audit(row: Row[*tuple[Any, ...]], living: Collection[int]) -> AuditRun:
    state = AuditState(row.state)
    if state is AuditState.RUNNING and row.process not in living:
        state = AuditState.INTERRUPTED
    result = None if row.result is None else json.loads(row.result)
    return AuditRun(row.id, state, row.entries, row.entries_in_all, result)
