"""Simulations and audits in the database, and the live processes that can run them.

All of the house's processes can read jobs. The process that runs a job writes its progress, but
only while the row shows that its run is current. Canceling a job, or restarting it because its
process seemed dead, changes the row, so the old run stops.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter
from typing import Annotated, Any, NotRequired, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update
from typing_extensions import TypedDict

from ventiuna.analysis.results import data_of
from ventiuna.server.telemetry import now_ms
from ventiuna.simulation.queries import SimulationSettings
from ventiuna.simulation.result import EdgePoint, PlottedData, ProgressData
from ventiuna.table.audit.entries import AuditDifference
from ventiuna.table.presence import live_processes
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import audit_run as audits
from ventiuna.table.store.schema import house, person
from ventiuna.table.store.schema import job as jobs
from ventiuna.texts import json_text

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cluster:
    store: Store
    own: Callable[[], int] = lambda: 0  # this process's number
    is_alone: Callable[[], bool] = lambda: True
    now: Callable[[], int] = now_ms

    def living(self, connection: Connection) -> set[int]:
        """Other live processes; each one owns the jobs that it started."""
        if self.is_alone():
            return set()
        return live_processes(connection, self.now()) - {self.own()}

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self._read, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self.write_here, work)

    def write_here(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction in the current thread."""
        with self.store.write() as connection:
            return work(connection)

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self.store.read() as connection:
            return work(connection)


MAX_JOBS_KEPT = 500  # finished simulations
MAX_JOBS_KEPT_PER_PERSON = 20  # finished simulations per person
SO_FAR = "so_far"


class JobState(StrEnum):
    """State of a simulation or audit; audits are never stopped, only canceled."""

    RUNNING = "running"
    INTERRUPTED = "interrupted"  # the process ended early; the job can be resumed
    STOPPED = "stopped"  # stopped early with a partial result; the job can be resumed
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


_FACTS = ("settings", "rounds", "until", "first", "progress", "problem")  # stored as JSON
RESUMABLE_STATES = (JobState.INTERRUPTED, JobState.STOPPED, JobState.DONE)


class JobData(TypedDict):
    id: str
    state: JobState
    settings: Annotated[SimulationSettings, lambda job: job.settings.model_dump()]
    rounds: int
    until: float
    progress: Annotated[ProgressData | None, attrgetter("status")]
    problem: str | None


class PlottedJob(JobData):
    first: list[EdgePoint]
    so_far: Annotated[PlottedData | None, lambda job: job.progress.get(SO_FAR)]


@dataclass(slots=True)
class Job:
    """A simulation and its owner."""

    id: str
    owner: int
    settings: SimulationSettings
    rounds: int
    until: float
    run: int = 1
    state: JobState = JobState.RUNNING
    first: list[Any] = field(default_factory=list)  # points from the first block, for the plot
    progress: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    problem: str = ""

    @property
    def status(self) -> dict[str, Any] | None:
        """The progress without the plot data; None before the first report."""
        return {name: part for name, part in self.progress.items() if name != SO_FAR} or None

    def as_data(self) -> JobData:
        """The job's status, without the plot data in `full_data`."""
        return data_of(JobData, self)

    def full_data(self) -> PlottedJob:
        return data_of(PlottedJob, self)


def read_job(
    connection: Connection, owner: int, number: str, living: Collection[int]
) -> Job | None:
    """A person's simulation; marked interrupted if its process is no longer alive."""
    row = connection.execute(
        select(jobs).where(jobs.c.id == number, jobs.c.person_id == owner)
    ).first()
    return None if row is None else _job_or_none(row, living)


def read_jobs(connection: Connection, owner: int, living: Collection[int]) -> list[Job]:
    """All of a person's simulations, the most recently changed last."""
    query = select(jobs).where(jobs.c.person_id == owner).order_by(jobs.c.changed_at, jobs.c.id)
    found = (_job_or_none(row, living) for row in connection.execute(query))
    return [job for job in found if job is not None]


def read_checkpoint(connection: Connection, number: str) -> bytes | None:
    found = connection.scalar(select(jobs.c.checkpoint).where(jobs.c.id == number))
    return None if found is None else bytes(found)


def read_requests(
    connection: Connection, numbers: Collection[str]
) -> dict[str, tuple[int, str, bool]]:
    """For each of these simulations, the current run, the state, and whether to stop."""
    query = select(jobs.c.id, jobs.c.run, jobs.c.state, jobs.c.stopping)
    rows = connection.execute(query.where(jobs.c.id.in_(numbers)))
    return {row.id: (row.run, row.state, bool(row.stopping)) for row in rows}


def count_running_elsewhere(connection: Connection, owner: int, living: Collection[int]) -> int:
    """Count this person's simulations running in other processes.

    Locks the person's row so that concurrent requests in two processes count one after the other.
    """
    connection.execute(
        select(person.c.id).where(person.c.id == owner).with_for_update(key_share=True)
    )
    running = (jobs.c.person_id == owner) & (jobs.c.state == JobState.RUNNING)
    query = select(func.count()).where(running, jobs.c.process.in_(living))
    return int(connection.scalar(query) or 0)


def insert_job(connection: Connection, job: Job, process: int, now: int) -> bool:
    values = {"id": job.id, "person_id": job.owner, "process": process, "run": job.run}
    row = values | {"stopping": 0} | _job_values(job, now)
    connection.execute(insert(jobs).values(**row))
    _delete_old_jobs(connection, jobs.c.person_id == job.owner, MAX_JOBS_KEPT_PER_PERSON)
    _delete_old_jobs(connection, jobs.c.id != job.id, MAX_JOBS_KEPT)
    return True


def restart_job(connection: Connection, job: Job, process: int, now: int) -> bool:
    """Start the job's next run here; False if another process has restarted or canceled it."""
    values = {"process": process, "run": job.run + 1, "stopping": 0} | _job_values(job, now)
    as_known = (jobs.c.id == job.id) & (jobs.c.run == job.run)
    changed = update(jobs).where(as_known, jobs.c.state != JobState.CANCELLED).values(**values)
    if not connection.execute(changed).rowcount:
        return False
    job.run += 1
    return True


def save_job(connection: Connection, job: Job, checkpoint: bytes | None, now: int) -> bool:
    """Save the job's state; False, with nothing written, if this run is no longer current."""
    values = _job_values(job, now) | ({} if checkpoint is None else {"checkpoint": checkpoint})
    is_current = (
        (jobs.c.id == job.id) & (jobs.c.run == job.run) & (jobs.c.state == JobState.RUNNING)
    )
    return bool(connection.execute(update(jobs).where(is_current).values(**values)).rowcount)


def request_stop(connection: Connection, number: str) -> None:
    connection.execute(update(jobs).where(jobs.c.id == number).values(stopping=1))


def cancel_job(connection: Connection, number: str) -> None:
    """Discard the job's results; delete it if it is done or failed."""
    ended = jobs.c.state.in_([JobState.DONE, JobState.FAILED])
    connection.execute(delete(jobs).where(jobs.c.id == number, ended))
    connection.execute(
        update(jobs)
        .where(jobs.c.id == number)
        .values(state=JobState.CANCELLED, result=None, checkpoint=None)
    )


def interrupt_orphaned_jobs(connection: Connection, living: Collection[int]) -> None:
    """On startup, mark dead processes' jobs as interrupted."""
    lost = (jobs.c.state == JobState.RUNNING) & jobs.c.process.not_in(living)
    connection.execute(update(jobs).where(lost).values(state=JobState.INTERRUPTED))


def _job_values(job: Job, now: int) -> dict[str, object]:
    facts = {name: getattr(job, name) for name in _FACTS} | {"settings": job.settings.model_dump()}
    return {
        "state": str(job.state),
        "facts": json_text(facts, None),
        "result": _json_or_none(job.result),
        "changed_at": now,
    }


def _json_or_none(data: Mapping[str, Any] | None) -> str | None:
    return None if data is None else json_text(data, None)


def _job_or_none(row: Row[*tuple[Any, ...]], living: Collection[int]) -> Job | None:
    """The job, or None if another version wrote it."""
    try:
        facts = json.loads(row.facts)
        settings = SimulationSettings.model_construct(**facts["settings"])
        return Job(
            id=row.id,
            owner=row.person_id,
            run=row.run,
            **{name: facts[name] for name in _FACTS} | {"settings": settings},
            **_state_and_result(row, living),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _state_and_result(row: Row[*tuple[Any, ...]], living: Collection[int]) -> dict[str, Any]:
    """The state of a stored job or audit; interrupted if its process is no longer alive."""
    state = JobState(row.state)
    if state is JobState.RUNNING and row.process not in living:
        state = JobState.INTERRUPTED
    return {"state": state, "result": None if row.result is None else json.loads(row.result)}


def _delete_old_jobs(connection: Connection, which: ColumnElement[bool], maximum: int) -> None:
    """Delete the oldest finished jobs."""
    ended = select(jobs.c.id).where(which, jobs.c.state != JobState.RUNNING)
    old: Iterable[str] = connection.scalars(
        ended.order_by(jobs.c.changed_at.desc(), jobs.c.id).offset(maximum)
    ).all()
    if old:
        connection.execute(delete(jobs).where(jobs.c.id.in_(old)))


MAX_AUDITS_KEPT = 20


class AuditResult(TypedDict):
    at: NotRequired[int]  # end of the audit, in milliseconds since 1970; unknown for older audits
    holds: bool
    house: str
    books: int
    entries: int
    accounts: int
    seals: int
    newest_seal: str | None
    notes: list[str]
    differences: list[AuditDifference]  # at most a thousand rows
    total: int


@dataclass(slots=True)
class AuditRun:
    id: int
    state: JobState = JobState.RUNNING
    entries: int = 0
    of: int = 0
    result: AuditResult | None = None


def insert_audit(connection: Connection, process: int, living: Collection[int]) -> AuditRun | None:
    """Start an audit in this process; None if the house already has one running.

    Locks the house's row so that two concurrent requests don't both start one.
    """
    connection.execute(select(house.c.id).with_for_update(key_share=True))
    running = audits.c.state == JobState.RUNNING
    connection.execute(
        update(audits)
        .where(running, audits.c.process.not_in(living))
        .values(state=JobState.INTERRUPTED)
    )
    if connection.scalar(select(audits.c.id).where(running)) is not None:
        return None
    row = {"process": process, "state": JobState.RUNNING, "entries": 0, "entries_in_all": 0}
    number = connection.scalar(insert(audits).values(**row).returning(audits.c.id))
    newest = select(audits.c.id).order_by(audits.c.id.desc())
    old = connection.scalars(newest.offset(MAX_AUDITS_KEPT)).all()
    connection.execute(delete(audits).where(audits.c.id.in_(old)))
    return AuditRun(int(number or 0))


def read_audit(connection: Connection, number: int, living: Collection[int]) -> AuditRun | None:
    row = connection.execute(select(audits).where(audits.c.id == number)).first()
    return None if row is None else _audit_from_row(row, living)


def read_audits(connection: Connection, living: Collection[int]) -> list[AuditRun]:
    """The stored audits, newest first."""
    rows = connection.execute(select(audits).order_by(audits.c.id.desc()))
    return [_audit_from_row(row, living) for row in rows]


def save_audit(connection: Connection, found: AuditRun) -> bool:
    """Save the audit's state; False, with nothing written, if it was canceled."""
    goes_on = (audits.c.id == found.id) & (audits.c.state == JobState.RUNNING)
    values = {
        "state": found.state,
        "entries": found.entries,
        "entries_in_all": found.of,
        "result": _json_or_none(found.result),
    }
    return bool(connection.execute(update(audits).where(goes_on).values(**values)).rowcount)


def cancel_audit(connection: Connection, number: int) -> None:
    goes_on = (audits.c.id == number) & (audits.c.state == JobState.RUNNING)
    connection.execute(update(audits).where(goes_on).values(state=JobState.CANCELLED))


def _audit_from_row(row: Row[*tuple[Any, ...]], living: Collection[int]) -> AuditRun:
    return AuditRun(
        row.id, entries=row.entries, of=row.entries_in_all, **_state_and_result(row, living)
    )
