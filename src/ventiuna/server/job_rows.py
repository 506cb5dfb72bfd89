"""Simulations in the database: what is known of each, and the checkpoint from which it can go on.

Any process of the house reads them. The one that runs a simulation writes how far it is, and only
as long as the row says that this run of it goes on: who cancels it, or begins it again because its
process was thought dead, changes the row, and the one that ran it lets go.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from ventiuna.simulation.settings import Settings
from ventiuna.table.store.schema import job as jobs
from ventiuna.table.store.schema import person
from ventiuna.texts import json_text

KEPT = 500  # simulations that have ended
KEPT_OF_ONE = 20  # person
SO_FAR = "so_far"


class JobState(StrEnum):
    RUNNING = "running"
    INTERRUPTED = "interrupted"  # its process ended before it; it can go on
    STOPPED = "stopped"  # early, with what there is; it can go on
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


CAN_GO_ON = (JobState.INTERRUPTED, JobState.STOPPED, JobState.DONE)


@dataclass(slots=True)
class Job:
    """One simulation of one person."""

    id: str
    owner: int
    settings: Settings
    rounds: int
    until: float
    run: int = 1
    state: JobState = JobState.RUNNING
    first: list[Any] = field(default_factory=list)  # points of its first block, for the plot
    progress: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    problem: str = ""

    def as_data(self) -> dict[str, object]:
        """How it stands; what there is to draw comes with `whole_data`."""
        progress = {name: part for name, part in self.progress.items() if name != SO_FAR}
        return {
            "id": self.id,
            "state": str(self.state),
            "settings": self.settings.as_data(),
            "rounds": self.rounds,
            "until": self.until,
            "progress": progress or None,
            "problem": self.problem or None,
        }

    def whole_data(self) -> dict[str, object]:
        return self.as_data() | {"first": self.first, "so_far": self.progress.get(SO_FAR)}


# --- reading ----------------------------------------------------------------------------------


def read_job(
    connection: Connection, owner: int, number: str, living: Collection[int]
) -> Job | None:
    """This person's simulation; one whose process is not alive is interrupted."""
    row = connection.execute(
        select(jobs).where(jobs.c.id == number, jobs.c.person_id == owner)
    ).first()
    return None if row is None else _readable(row, living)


def jobs_of(connection: Connection, owner: int, living: Collection[int]) -> list[Job]:
    """All of this person's, the one that changed last behind the others."""
    query = select(jobs).where(jobs.c.person_id == owner).order_by(jobs.c.changed_at, jobs.c.id)
    found = (_readable(row, living) for row in connection.execute(query))
    return [job for job in found if job is not None]


def checkpoint_of(connection: Connection, number: str) -> bytes | None:
    found = connection.scalar(select(jobs.c.checkpoint).where(jobs.c.id == number))
    return None if found is None else bytes(found)


def wishes(connection: Connection, numbers: Collection[str]) -> dict[str, tuple[int, str, bool]]:
    """Of these simulations: the run that goes on, the state, and whether it shall stop."""
    query = select(jobs.c.id, jobs.c.run, jobs.c.state, jobs.c.stopping)
    rows = connection.execute(query.where(jobs.c.id.in_(numbers)))
    return {row.id: (row.run, row.state, bool(row.stopping)) for row in rows}


# --- beginning --------------------------------------------------------------------------------


def running_elsewhere(connection: Connection, owner: int, living: Collection[int]) -> int:
    """How many simulations of this person other processes run.

    Holds the person's row, so that two processes which are asked at once count one by one.
    """
    connection.execute(
        select(person.c.id).where(person.c.id == owner).with_for_update(key_share=True)
    )
    running = (jobs.c.person_id == owner) & (jobs.c.state == JobState.RUNNING)
    query = select(func.count()).where(running, jobs.c.process.in_(living))
    return int(connection.scalar(query) or 0)


def add(connection: Connection, job: Job, process: int, now: int) -> None:
    values = {"id": job.id, "person_id": job.owner, "process": process, "run": job.run}
    row = values | {"stopping": 0} | _standing(job, now)
    connection.execute(insert(jobs).values(**row))
    _forget_old(connection, jobs.c.person_id == job.owner, KEPT_OF_ONE)
    _forget_old(connection, jobs.c.id != job.id, KEPT)


def begin_again(connection: Connection, job: Job, process: int, now: int) -> bool:
    """Its next run, in this process; False where another process was quicker, or cancelled it."""
    values = {"process": process, "run": job.run + 1, "stopping": 0} | _standing(job, now)
    as_known = (jobs.c.id == job.id) & (jobs.c.run == job.run)
    changed = update(jobs).where(as_known, jobs.c.state != JobState.CANCELLED).values(**values)
    if not connection.execute(changed).rowcount:
        return False
    job.run += 1
    return True


# --- going on and ending ----------------------------------------------------------------------


def keep(connection: Connection, job: Job, checkpoint: bytes | None, now: int) -> bool:
    """How it stands; False where this run goes on no more and nothing was written."""
    values = _standing(job, now) | ({} if checkpoint is None else {"checkpoint": checkpoint})
    return bool(connection.execute(update(jobs).where(_goes_on(job)).values(**values)).rowcount)


def ask_to_stop(connection: Connection, number: str) -> None:
    connection.execute(update(jobs).where(jobs.c.id == number).values(stopping=1))


def cancel(connection: Connection, number: str) -> None:
    """What it has played is dropped; one that is done or failed is forgotten."""
    ended = jobs.c.state.in_([JobState.DONE, JobState.FAILED])
    connection.execute(delete(jobs).where(jobs.c.id == number, ended))
    connection.execute(
        update(jobs)
        .where(jobs.c.id == number)
        .values(state=JobState.CANCELLED, result=None, checkpoint=None)
    )


def interrupt_lost(connection: Connection, living: Collection[int]) -> None:
    """This process begins: what ran in others that are gone was interrupted."""
    lost = (jobs.c.state == JobState.RUNNING) & jobs.c.process.not_in(living)
    connection.execute(update(jobs).where(lost).values(state=JobState.INTERRUPTED))


def _goes_on(job: Job) -> ColumnElement[bool]:
    return (jobs.c.id == job.id) & (jobs.c.run == job.run) & (jobs.c.state == JobState.RUNNING)


def _standing(job: Job, now: int) -> dict[str, object]:
    facts = {
        "settings": job.settings.as_data(),
        "rounds": job.rounds,
        "until": job.until,
        "first": job.first,
        "progress": job.progress,
        "problem": job.problem,
    }
    return {
        "state": str(job.state),
        "facts": json_text(facts, None),
        "result": None if job.result is None else json_text(job.result, None),
        "changed_at": now,
    }


def _readable(row: Row[*tuple[Any, ...]], living: Collection[int]) -> Job | None:
    """None where another version wrote it."""
    try:
        return _job(row, living)
    except (KeyError, TypeError, ValueError):
        return None


def _job(row: Row[*tuple[Any, ...]], living: Collection[int]) -> Job:
    facts = json.loads(row.facts)
    state = JobState(row.state)
    if state is JobState.RUNNING and row.process not in living:
        state = JobState.INTERRUPTED
    return Job(
        id=row.id,
        owner=row.person_id,
        settings=Settings(**facts["settings"]),
        rounds=facts["rounds"],
        until=facts["until"],
        run=row.run,
        state=state,
        first=facts["first"],
        progress=facts["progress"],
        result=None if row.result is None else json.loads(row.result),
        problem=facts["problem"],
    )


def _forget_old(connection: Connection, which: ColumnElement[bool], most: int) -> None:
    """The oldest that have ended."""
    ended = select(jobs.c.id).where(which, jobs.c.state != JobState.RUNNING)
    old: Iterable[str] = connection.scalars(
        ended.order_by(jobs.c.changed_at.desc(), jobs.c.id).offset(most)
    ).all()
    if old:
        connection.execute(delete(jobs).where(jobs.c.id.in_(old)))
