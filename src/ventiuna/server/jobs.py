"""Long-running jobs: simulations, each in a separate process, and audits, one at a time."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from ventiuna.server import job_store as rows
from ventiuna.server.job_store import (
    RESUMABLE_STATES,
    AuditResult,
    AuditRun,
    Cluster,
    Job,
    JobState,
)
from ventiuna.server.problems import RequestDeclined, not_found, too_many_requests
from ventiuna.server.settings import ServerSettings
from ventiuna.server.telemetry import Metrics, log
from ventiuna.simulation.queries import SimulationSettings
from ventiuna.table.store.statements import StoreError
from ventiuna.texts import json_text

if TYPE_CHECKING:
    from ventiuna.table.audit.house import AuditProgress, AuditReport
    from ventiuna.table.audit.tables import CardsOnTop

PROGRAM = (sys.executable, "-m", "ventiuna.server.simulation_worker")
MAX_LINE_BYTES = 16_000_000  # enough for a result with all tables
THREADS = 1
STOP = "stop"  # must match the word that the simulation process expects
STOP_TIMEOUT = 30.0  # seconds; the first block may need compilation
CLOSE_TIMEOUT = 1.0  # seconds for all jobs when the server shuts down
SAVE_EVERY = 5.0  # seconds between saves of a running job's progress
SHARE_EVERY = 1.0  # the same if other processes may report the progress
READ_REQUESTS_EVERY = 0.5  # seconds between checks for requests made through other processes
CHECK_STOPPED_EVERY = 0.05  # seconds between checks for a stopped job
RETRY_AFTER = 1.0  # seconds before another attempt to save a final state


@dataclass(slots=True, eq=False)
class RunningJob:
    """A job running in this process."""

    job: Job
    checkpoint: Path
    stopping: bool = False
    process: asyncio.subprocess.Process | None = None
    watch: asyncio.Task[None] | None = None
    saved_at: int = 0  # modification time of the checkpoint stored in the database

    @property
    def is_running(self) -> bool:
        return self.job.state is JobState.RUNNING

    def ask_to_stop(self) -> None:
        self.stopping = True
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.write(f"{STOP}\n".encode())

    def end(self, state: JobState) -> None:
        """Set the final state and kill the process."""
        self.job.state = state
        self.kill()

    def kill(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()

    def take(self, line: dict[str, Any]) -> None:
        """Record a line of output from the process; ignored after a cancel."""
        if self.is_running:
            self.job.first = line.get("first", self.job.first)
            self.job.progress = line.get("progress", self.job.progress)
            self.job.result = line.get("result", self.job.result)
            self.job.problem = line.get("problem", self.job.problem)

    def new_checkpoint(self) -> bytes | None:
        """The checkpoint, or None if the database already has it."""
        try:
            saved_at = self.checkpoint.stat().st_mtime_ns
            if saved_at == self.saved_at:
                return None
            data = self.checkpoint.read_bytes()
        except OSError:
            return None
        self.saved_at = saved_at
        return data


class Jobs:
    """Simulations, limited in number per process and per person across all processes."""

    def __init__(
        self,
        settings: ServerSettings,
        metrics: Metrics,
        new_id: Callable[[], str],
        peers: Cluster,
    ) -> None:
        self._most = settings.jobs
        self._most_of_one = settings.jobs_per_person
        self._metrics = metrics
        self._new_id = new_id
        self._peers = peers
        self._here: dict[str, RunningJob] = {}
        self._folder: TemporaryDirectory[str] | None = None
        self._request_checks: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Mark dead processes' jobs as interrupted so they can be resumed."""
        await self._peers.write(
            lambda conn: rows.interrupt_orphaned_jobs(conn, self._peers.living(conn))
        )

    async def of(self, owner: int) -> list[Job]:
        before = dict(self._here)
        found = await self._peers.read(
            lambda conn: rows.read_jobs(conn, owner, self._peers.living(conn))
        )
        here = before | self._here  # jobs in this process have up-to-date progress
        return [here[job.id].job if job.id in here else job for job in found]

    async def find(self, owner: int, number: str) -> Job:
        """Find this person's job; other people's jobs are reported as not found."""
        job = None
        if number not in self._here:
            job = await self._peers.read(
                lambda conn: rows.read_job(conn, owner, number, self._peers.living(conn))
            )
        if number in self._here:  # may have started in the meantime
            job = self._here[number].job
        if job is None or job.owner != owner:
            raise not_found("simulation")
        return job

    async def start(
        self, owner: int, settings: SimulationSettings, rounds: int, until: float
    ) -> Job:
        """Start a simulation whose plan has been checked."""
        job = Job(self._new_id(), owner, settings, rounds, until)
        await self._start(job, rows.insert_job)
        return job

    async def resume(self, job: Job, rounds: int) -> None:
        """Resume a simulation where it stopped, or continue with more rounds."""
        await self._wait_for_end(job)
        if job.id in self._here or job.state not in RESUMABLE_STATES:
            raise _not_stopped(job.state)
        played = (job.result or job.progress).get("rounds", 0)  # stored progress may be out of date
        if rounds <= played:
            sentence = (
                f"The simulation has already played {played:,} rounds. Request more than that."
            )
            raise RequestDeclined(422, "bad_plan", sentence)
        job.rounds, job.state = rounds, JobState.RUNNING
        job.result, job.problem = None, ""
        await self._start(job, rows.restart_job)

    async def _start(self, job: Job, write: Callable[[Connection, Job, int, int], bool]) -> None:
        if sum(item.is_running for item in self._here.values()) >= self._most:
            raise too_many_requests(
                "The house already has the maximum number of simulations running. Try again later.",
                10,
            )
        here = sum(item.is_running and item.job.owner == job.owner for item in self._here.values())
        running = RunningJob(job, self._checkpoint(job.id))
        self._here[job.id] = running
        try:
            saved = await self._peers.write(lambda conn: self._claim(conn, job, here, write))
            if saved is not None:
                await asyncio.to_thread(running.checkpoint.write_bytes, saved)
        except BaseException:
            del self._here[job.id]
            raise
        self._metrics.jobs_at_work.inc()
        running.watch = asyncio.create_task(self._run(running))
        if self._request_checks is None or self._request_checks.done():
            self._request_checks = asyncio.create_task(self._check_requests())

    def _claim(
        self,
        connection: Connection,
        job: Job,
        here: int,
        write: Callable[[Connection, Job, int, int], bool],
    ) -> bytes | None:
        """Claim the job for this process; returns the checkpoint to resume from."""
        living = self._peers.living(connection)
        elsewhere = rows.count_running_elsewhere(connection, job.owner, living)
        if here + elsewhere >= self._most_of_one:
            raise too_many_requests(
                "You already have the maximum number of simulations running. Stop one first.", 10
            )
        if not write(connection, job, self._peers.own(), self._peers.now()):
            raise _not_stopped(JobState.RUNNING)
        return rows.read_checkpoint(connection, job.id)

    async def stop(self, job: Job) -> Job:
        """Ask the job to stop after its current block, keeping its result so far."""
        here = self._here.get(job.id)
        if here is not None:
            here.ask_to_stop()
        elif job.state is JobState.RUNNING:
            await self._peers.write(lambda conn: rows.request_stop(conn, job.id))
        end = time.monotonic() + STOP_TIMEOUT
        while job.state is JobState.RUNNING and time.monotonic() < end:
            await asyncio.sleep(CHECK_STOPPED_EVERY)
            job = await self.find(job.owner, job.id)
        return job

    async def cancel(self, job: Job) -> Job:
        """Kill a running job and discard its results, or delete a finished job."""
        await self._wait_for_end(job)
        await self._peers.write(lambda conn: rows.cancel_job(conn, job.id))
        if job.state in (JobState.RUNNING, JobState.STOPPED, JobState.INTERRUPTED):
            job.state, job.result = JobState.CANCELLED, None
        here = self._here.get(job.id)
        if here is not None and here.watch is not None:
            here.kill()
            await asyncio.shield(here.watch)
        return job

    async def _wait_for_end(self, job: Job) -> None:
        """Wait until the final state is saved if the job is over."""
        here = self._here.get(job.id)
        if here is not None and here.watch is not None and not here.is_running:
            await asyncio.wait([here.watch], timeout=STOP_TIMEOUT)

    async def close(self) -> None:
        """Stop running jobs, and kill slow ones (they have checkpoints)."""
        running = list(self._here.values())
        for item in running:
            item.ask_to_stop()
        watches = [item.watch for item in running if item.watch is not None]
        if watches:
            _, late = await asyncio.wait(watches, timeout=CLOSE_TIMEOUT)
            for item in running:
                if item.watch in late:
                    item.end(JobState.INTERRUPTED)
            if late:
                await asyncio.wait(late, timeout=CLOSE_TIMEOUT)
        if self._request_checks is not None:
            self._request_checks.cancel()
            await asyncio.gather(self._request_checks, return_exceptions=True)
        if self._folder is not None:
            self._folder.cleanup()

    async def _run(self, running: RunningJob) -> None:
        job = running.job
        try:
            running.process = await asyncio.create_subprocess_exec(
                *PROGRAM,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=MAX_LINE_BYTES,
            )
            if not running.is_running:  # ended before the process started
                running.kill()
            await self._watch(running, running.process)
        except OSError as error:
            job.problem = "The simulation could not be started. Try again later."
            log("job_not_started", error=type(error).__name__)
        except ValueError:  # a line longer than the limit
            assert running.process is not None, "the process has sent output"
            running.kill()
            await running.process.communicate()
            job.problem = "The simulation's result is too large. Request less output."
            log("job_too_long", most=MAX_LINE_BYTES)
        finally:
            if running.is_running:
                job.state = JobState.FAILED
                if job.result is not None:
                    job.state = JobState.DONE if job.result["complete"] else JobState.STOPPED
            self._metrics.jobs_at_work.dec()
            self._metrics.jobs.labels(str(job.state)).inc()
            # Retry until the final state is saved; otherwise the job would still count as running.
            while job.state is not JobState.CANCELLED and not await self._keep(running):
                await asyncio.sleep(RETRY_AFTER)
            self._here.pop(job.id, None)
            running.checkpoint.unlink(missing_ok=True)

    async def _watch(self, running: RunningJob, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None, "stdin is a pipe"
        assert process.stdout is not None, "stdout is a pipe"
        job = running.job
        request = {
            "settings": job.settings.model_dump(),
            "rounds": job.rounds,
            "until": job.until,
            "threads": THREADS,
            "checkpoint": str(running.checkpoint),
        }
        with contextlib.suppress(ConnectionError):  # killed immediately
            process.stdin.write(json_text(request, None).encode() + b"\n")
            await process.stdin.drain()
        if running.stopping:  # a stop was requested before the process started
            running.ask_to_stop()
        await self._take_lines(running, process.stdout)
        if await process.wait() and not job.problem and running.is_running:
            job.problem = "The simulation ended unexpectedly. Start it again."
        process.stdin.close()

    async def _take_lines(self, running: RunningJob, lines: asyncio.StreamReader) -> None:
        """Update progress from each line immediately; save it without waiting for the database."""
        every = SAVE_EVERY if self._peers.is_alone() else SHARE_EVERY
        kept, keeping = 0.0, None
        try:
            while (line := await lines.readline()).endswith(b"\n"):  # ignore an incomplete line
                running.take(json.loads(line))
                if keeping is not None and not keeping.done():
                    continue
                if time.monotonic() - kept > every and running.is_running:
                    kept = time.monotonic()
                    keeping = asyncio.create_task(self._keep(running))
        finally:
            if keeping is not None:
                await keeping

    async def _keep(self, running: RunningJob) -> bool:
        """Save the current state; False if the database is unavailable."""
        job = running.job
        checkpoint = await asyncio.to_thread(running.new_checkpoint)
        now = self._peers.now()
        try:
            is_ours = await self._peers.write(
                lambda conn: rows.save_job(conn, job, checkpoint, now)
            )
        except (SQLAlchemyError, StoreError) as error:
            running.saved_at = 0
            log("job_not_kept", error=type(error).__name__)
            return False
        if not is_ours and running.is_running:
            await self._release([running])
        return True

    async def _check_requests(self) -> None:
        """Check whether a stop or cancel was requested through another process."""
        while self._here:
            await asyncio.sleep(READ_REQUESTS_EVERY)
            if not self._peers.is_alone():
                with contextlib.suppress(SQLAlchemyError, StoreError):  # the next check retries
                    await self._release(list(self._here.values()))

    async def _release(self, ours: list[RunningJob]) -> None:
        numbers = [our.job.id for our in ours]
        found = await self._peers.read(lambda conn: rows.read_requests(conn, numbers))
        for our in ours:
            run, state, stops = found.get(our.job.id, (0, JobState.CANCELLED, False))
            if not our.is_running:
                continue
            if run != our.job.run or state != JobState.RUNNING:
                our.end(JobState.CANCELLED)  # or restarted elsewhere; ignore its results
            elif stops and not our.stopping:
                our.ask_to_stop()

    def _checkpoint(self, number: str) -> Path:
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="ventiuna-jobs-")
        return Path(self._folder.name) / number


def _not_stopped(state: JobState) -> RequestDeclined:
    return RequestDeclined(
        409, "not_stopped", f"The simulation is {state}. Only a stopped simulation can be resumed."
    )


class _AuditCanceled(Exception):
    """The audit was canceled, or the server is shutting down."""


class RunningAudit:
    """An audit running in a thread of this process."""

    def __init__(self, found: AuditRun, peers: Cluster, on_top: CardsOnTop) -> None:
        self.found = found
        self._peers = peers
        self._on_top = on_top
        self._is_let_go = Event()
        self._closes = Event()  # set when the server shuts down
        self._shared_at = time.monotonic()

    def let_go(self) -> None:
        """Stop because the database says the audit was canceled."""
        self._is_let_go.set()

    def close(self) -> None:
        """Stop because the server is shutting down, even if the database is unavailable."""
        self._closes.set()
        self._is_let_go.set()

    def run(self) -> None:
        ended = self._ended()
        while not self._keep(ended) and not self._closes.wait(RETRY_AFTER):
            pass  # keep trying; otherwise it would still count as running

    def _ended(self) -> AuditRun:
        from ventiuna.table.audit.house import AuditScope, audit  # would slow down the start

        try:
            with self._peers.store.read() as connection:
                report = audit(connection, AuditScope(on_top=self._on_top, watch=self._watch))
        except _AuditCanceled:
            return replace(self.found, state=JobState.INTERRUPTED)
        except Exception as error:  # noqa: BLE001 - a bug must not leave the audit running forever
            log("audit_failed", error=type(error).__name__)
            return replace(self.found, state=JobState.FAILED)
        return replace(self.found, state=JobState.DONE, result=audit_result_data(report))

    def _watch(self, progress: AuditProgress) -> None:
        self.found.entries, self.found.of = progress.entries, progress.of
        if not self._peers.is_alone() and time.monotonic() - self._shared_at > SHARE_EVERY:
            self._shared_at = time.monotonic()
            self._keep(self.found)
        if self._is_let_go.is_set():
            raise _AuditCanceled

    def _keep(self, found: AuditRun) -> bool:
        """Save the state; False if the database is unavailable."""
        try:
            goes_on = self._peers.write_here(lambda one: rows.save_audit(one, found))
        except (SQLAlchemyError, StoreError) as error:
            log("audit_not_kept", error=type(error).__name__)
            return False
        if not goes_on:
            self.let_go()
        return True


class Audits:
    """Audits the books from one database snapshot while play continues."""

    def __init__(self, peers: Cluster, on_top: CardsOnTop) -> None:
        self._peers = peers
        self._on_top = on_top
        self._begins = asyncio.Lock()
        self._running: RunningAudit | None = None
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> AuditRun:
        async with self._begins:
            audit = None
            if self._task is None or self._task.done():
                own, living = self._peers.own(), self._peers.living
                audit = await self._peers.write(
                    lambda conn: rows.insert_audit(conn, own, living(conn))
                )
            if audit is None:
                raise RequestDeclined(
                    409, "audit_running", "An audit is already running. Wait for its result."
                )
            self._running = RunningAudit(audit, self._peers, self._on_top)
            self._task = asyncio.create_task(asyncio.to_thread(self._running.run))
            return audit

    async def find(self, number: int) -> AuditRun:
        """Read an audit from the database so that all processes give the same answer."""
        found = await self._peers.read(
            lambda conn: rows.read_audit(conn, number, self._alive(conn))
        )
        if found is None:
            raise not_found("audit")
        return self._to_the_moment(found)

    async def last(self) -> list[AuditRun]:
        """The latest audits, newest first."""
        found = await self._peers.read(lambda conn: rows.read_audits(conn, self._alive(conn)))
        return [self._to_the_moment(item) for item in found]

    def _alive(self, connection: Connection) -> set[int]:
        own = set() if self._running is None else {self._peers.own()}
        return own | self._peers.living(connection)

    def _to_the_moment(self, found: AuditRun) -> AuditRun:
        """Add live progress if the audit is running here."""
        here = self._here(found.id)
        if here is None or found.state is not JobState.RUNNING:
            return found
        return replace(here.found)

    def _here(self, number: int) -> RunningAudit | None:
        running = self._running
        return running if running is not None and running.found.id == number else None

    async def cancel(self, number: int) -> AuditRun:
        """Cancel an audit in any process; a finished audit stays unchanged."""
        await self.find(number)
        await self._peers.write(lambda conn: rows.cancel_audit(conn, number))
        here = self._here(number)
        if here is not None:
            here.let_go()
        return await self.find(number)

    async def close(self) -> None:
        """Stop the running audit at its next progress report, because it holds a connection."""
        if self._task is not None and self._running is not None:
            self._running.close()
            await self._task


def audit_result_data(report: AuditReport) -> AuditResult:
    """The report as plain data."""
    data = report.data()
    found = {name: data[name] for name in AuditResult.__annotations__ if name in data}
    newest = report.newest.hash.hex() if report.newest else None
    at = int(time.time() * 1000)
    return cast(AuditResult, found | {"at": at, "newest_seal": newest})
