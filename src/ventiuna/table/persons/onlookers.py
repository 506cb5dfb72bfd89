"""How many look on at each table, whichever process of the house they are connected to.

Each process writes its own rows and no other's, so none waits for another. Those of a process
that no longer beats count no more.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from ventiuna.table.persons.presence import BEATING, LOST_AFTER
from ventiuna.table.store.prepared import Prepared, PreparedStatement
from ventiuna.table.store.schema import process as processes
from ventiuna.table.store.schema import watching

_ELSEWHERE = Prepared(
    select(watching.c.table_id, func.sum(watching.c.people).label("people"))
    .where(watching.c.process != bindparam("here"), watching.c.process.in_(BEATING))
    .group_by(watching.c.table_id)
)
_BEGIN = PreparedStatement(
    delete(watching).where(
        (watching.c.process == bindparam("here"))
        | watching.c.process.not_in(select(processes.c.id))
    )
)


def note(connection: Connection, process: int, changed: Mapping[int, int]) -> None:
    """So many look on at these tables through this process now; 0 takes the row away."""
    own = watching.c.process == process
    connection.execute(delete(watching).where(own, watching.c.table_id.in_(changed)))
    rows = [
        {"process": process, "table_id": table, "people": people}
        for table, people in changed.items()
        if people
    ]
    if rows:
        connection.execute(insert(watching), rows)


def elsewhere(connection: Connection, process: int, now: int) -> dict[int, int]:
    """Those of all other processes together, by table."""
    rows = _ELSEWHERE.all(connection, here=process, since=now - LOST_AFTER)
    return {row.table_id: int(row.people) for row in rows}


def begin(connection: Connection, process: int) -> None:
    """A new process has no onlookers: an older one of its number may have had some, and others
    that nobody remembers."""
    _BEGIN.run(connection, here=process)


def leave(connection: Connection, process: int) -> None:
    """This process ends."""
    connection.execute(delete(watching).where(watching.c.process == process))
