"""Long-running jobs: simulations, each in its own process, and audits, one at a time."""

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
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from ventiuna.server import job_store as rows
from ventiuna.server.job_store import RESUMABLE_STATES, AuditRun, AuditState, Cluster, Job, JobState
from ventiuna.server.problems import RequestDeclined, not_found, too_many_requests
from ventiuna.server.settings import ServerSettings
from ventiuna.server.telemetry import Metrics, log
from ventiuna.simulation.settings import SimulationSettings
from ventiuna.table.audit.house import AuditProgress, AuditScope, Report, audit
from ventiuna.table.audit.tables import CardsOnTop, no_cards_on_top
from ventiuna.table.store.statements import StoreError
from ventiuna.texts import json_text

# --- Simulations ---

PROGRAM = (sys.executable, "-m", "ventiuna.server.simulation_worker")
MAX_LINE_BYTES = 16_000_000  # a result with all its tables
THREADS = 1
STOP = "stop"  # as the process understands it
STOP_TIMEOUT = 30.0  # seconds; the first block may have to be compiled
CLOSE_TIMEOUT = 1.0  # seconds for all of them, when the server ends
SAVE_EVERY = 5.0  # seconds between two looks that are kept of a running one
SHARE_JOB_EVERY = 1.0  # the same where other processes may be asked about it
READ_REQUESTS_EVERY = 0.5  # seconds, at what was wished for through other processes
CHECK_STOPPED_EVERY = 0.05  # seconds, whether what was asked to stop has done so
RETRY_JOB_AFTER = 1.0  # seconds before an end is written once more


@dataclass(slots=True, eq=False)
class RunningJob:
    """A job that this process runs."""

    job: Job
    checkpoint: Path
    stopping: bool = False
    process: asyncio.subprocess.Process | None = None
    watch: asyncio.Task[None] | None = None
    saved_at: int = 0  # the checkpoint that the database has

    @property
    def is_running(self) -> bool:
        return self.job.state is JobState.RUNNING

    def ask_to_stop(self) -> None:
        self.stopping = True
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.write(f"{STOP}\n".encode())

    def end(self, state: JobState) -> None:
        """Whatever it is doing."""
        self.job.state = state
        self.kill()

    def kill(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()

    def take(self, line: dict[str, Any]) -> None:
        """What the process said; after a cancel nothing counts any more."""
        if self.is_running:
            self.job.first = line.get("first", self.job.first)
            self.job.progress = line.get("progress", self.job.progress)
            self.job.result = line.get("result", self.job.result)
            self.job.problem = line.get("problem", self.job.problem)

    def new_checkpoint(self) -> bytes | None:
        """None where the database has it already."""
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
    """Bounded in number: in each process, and for each person over all of them."""

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
        self._looks: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """What ran in processes that are gone can go on."""
        await self._peers.write(
            lambda one: rows.interrupt_orphaned_jobs(one, self._peers.living(one))
        )

    # --- asked by people ---

    async def of(self, owner: int) -> list[Job]:
        before = dict(self._here)
        found = await self._peers.read(
            lambda one: rows.read_jobs(one, owner, self._peers.living(one))
        )
        here = before | self._here  # what runs here is known to the moment
        return [here[job.id].job if job.id in here else job for job in found]

    async def find(self, owner: int, number: str) -> Job:
        """This person's job; others' can't be told from none."""
        here = self._here.get(number)
        job = here.job if here is not None else await self._read(owner, number)
        if job is None or job.owner != owner:
            raise not_found("simulation of yours")
        return job

    async def _read(self, owner: int, number: str) -> Job | None:
        job = await self._peers.read(
            lambda one: rows.read_job(one, owner, number, self._peers.living(one))
        )
        here = self._here.get(number)  # begun meanwhile
        return here.job if here is not None else job

    async def start(
        self, owner: int, settings: SimulationSettings, rounds: int, until: float
    ) -> Job:
        """Begin a simulation whose plan was checked."""
        job = Job(self._new_id(), owner, settings, rounds, until)
        await self._begin(job, self._added)
        return job

    def _added(self, connection: Connection, job: Job) -> bool:
        rows.insert_job(connection, job, self._peers.own(), self._peers.now())
        return True

    async def resume(self, job: Job, rounds: int) -> None:
        """Go on where it stopped, or with more rounds than it was asked for."""
        await self._wait_for_end(job)
        if job.id in self._here or job.state not in RESUMABLE_STATES:
            raise _not_stopped(job.state)
        played = (job.result or job.progress).get("rounds", 0)  # progress is told now and then
        if rounds <= played:
            sentence = f"rounds: it has played {played:,} already, ask for more."
            raise RequestDeclined(422, "bad_plan", sentence)
        job.rounds, job.state = rounds, JobState.RUNNING
        job.result, job.problem = None, ""
        await self._begin(job, self._begun_again)

    def _begun_again(self, connection: Connection, job: Job) -> bool:
        return rows.restart_job(connection, job, self._peers.own(), self._peers.now())

    async def _begin(self, job: Job, write: Callable[[Connection, Job], bool]) -> None:
        self._check_room()
        here = sum(one.is_running and one.job.owner == job.owner for one in self._here.values())
        running = RunningJob(job, self._checkpoint(job.id))
        self._here[job.id] = running
        try:
            saved = await self._peers.write(lambda one: self._claimed(one, job, here, write))
            if saved is not None:
                await asyncio.to_thread(running.checkpoint.write_bytes, saved)
        except BaseException:
            del self._here[job.id]
            raise
        self._metrics.jobs_at_work.inc()
        running.watch = asyncio.create_task(self._run(running))
        if self._looks is None or self._looks.done():
            self._looks = asyncio.create_task(self._look())

    def _claimed(
        self, connection: Connection, job: Job, here: int, write: Callable[[Connection, Job], bool]
    ) -> bytes | None:
        """It is this process's now; the checkpoint from which it goes on."""
        living = self._peers.living(connection)
        elsewhere = rows.count_running_elsewhere(connection, job.owner, living)
        if here + elsewhere >= self._most_of_one:
            raise too_many_requests(
                "You have as many simulations running as you may: stop one.", 10
            )
        if not write(connection, job):
            raise _not_stopped(JobState.RUNNING)
        return rows.read_checkpoint(connection, job.id)

    def _check_room(self) -> None:
        if sum(one.is_running for one in self._here.values()) >= self._most:
            raise too_many_requests("The house has as many simulations running as it can.", 10)

    async def stop(self, job: Job) -> Job:
        """Let it end after the block that it plays; what it has found so far is kept."""
        here = self._here.get(job.id)
        if here is not None:
            here.ask_to_stop()
        elif job.state is JobState.RUNNING:
            await self._peers.write(lambda one: rows.request_stop(one, job.id))
        end = time.monotonic() + STOP_TIMEOUT
        while job.state is JobState.RUNNING and time.monotonic() < end:
            await asyncio.sleep(CHECK_STOPPED_EVERY)
            job = await self.find(job.owner, job.id)
        return job

    async def cancel(self, job: Job) -> Job:
        """End it, whatever it is doing, and drop what it has; one that is over is forgotten."""
        await self._wait_for_end(job)
        await self._peers.write(lambda one: rows.cancel_job(one, job.id))
        if job.state in (JobState.RUNNING, JobState.STOPPED, JobState.INTERRUPTED):
            job.state, job.result = JobState.CANCELLED, None
        here = self._here.get(job.id)
        if here is not None and here.watch is not None:
            here.kill()
            await asyncio.shield(here.watch)
        return job

    async def _wait_for_end(self, job: Job) -> None:
        """Of one that is over and whose end is being written."""
        here = self._here.get(job.id)
        if here is not None and here.watch is not None and not here.is_running:
            await asyncio.wait([here.watch], timeout=STOP_TIMEOUT)

    async def close(self) -> None:
        """Those that run are stopped, and killed where that takes long: they have a checkpoint."""
        running = list(self._here.values())
        for one in running:
            one.ask_to_stop()
        watches = [one.watch for one in running if one.watch is not None]
        if watches:
            _, late = await asyncio.wait(watches, timeout=CLOSE_TIMEOUT)
            for one in running:
                if one.watch in late:
                    one.end(JobState.INTERRUPTED)
            if late:
                await asyncio.wait(late, timeout=CLOSE_TIMEOUT)
        if self._looks is not None:
            self._looks.cancel()
            await asyncio.gather(self._looks, return_exceptions=True)
        if self._folder is not None:
            self._folder.cleanup()

    # --- what runs here ---

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
            if not running.is_running:  # before there was anything to end
                running.kill()
            await self._watch(running, running.process)
        except OSError as error:
            job.problem = "The simulation could not be started: try again later."
            log("job_not_started", error=type(error).__name__)
        except ValueError:  # a line longer than any that is read
            assert running.process is not None, "it has said something"
            running.kill()
            await running.process.communicate()
            job.problem = "What the simulation found is too long to be told: ask for less of it."
            log("job_too_long", most=MAX_LINE_BYTES)
        finally:
            if running.is_running:
                job.state = _job_ended(job)
            self._metrics.jobs_at_work.dec()
            self._metrics.jobs.labels(str(job.state)).inc()
            await self._keep_end(running)
            self._here.pop(job.id, None)
            running.checkpoint.unlink(missing_ok=True)

    async def _watch(self, running: RunningJob, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None, "a pipe was asked for"
        assert process.stdout is not None, "a pipe was asked for"
        job = running.job
        asked = {
            "settings": job.settings.as_data(),
            "rounds": job.rounds,
            "until": job.until,
            "threads": THREADS,
            "checkpoint": str(running.checkpoint),
        }
        with contextlib.suppress(ConnectionError):  # killed at once
            process.stdin.write(json_text(asked, None).encode() + b"\n")
            await process.stdin.drain()
        if running.stopping:  # before there was anybody to ask
            running.ask_to_stop()
        await self._take_lines(running, process.stdout)
        if await process.wait() and not job.problem and running.is_running:
            job.problem = "The simulation ended before its time: start it again."
        process.stdin.close()

    async def _take_lines(self, running: RunningJob, lines: asyncio.StreamReader) -> None:
        """How far it is, at once; a database that takes its time keeps it meanwhile."""
        every = SAVE_EVERY if self._peers.is_alone() else SHARE_JOB_EVERY
        kept, keeping = 0.0, None
        try:
            while (line := await lines.readline()).endswith(b"\n"):  # half of one is no word
                running.take(json.loads(line))
                if keeping is not None and not keeping.done():
                    continue
                if time.monotonic() - kept > every and running.is_running:
                    kept = time.monotonic()
                    keeping = asyncio.create_task(self._keep(running))
        finally:
            if keeping is not None:
                await keeping

    async def _keep_end(self, running: RunningJob) -> None:
        """Until the database has it: else it would be taken for running."""
        if running.job.state is not JobState.CANCELLED:
            while not await self._keep(running):
                await asyncio.sleep(RETRY_JOB_AFTER)

    async def _keep(self, running: RunningJob) -> bool:
        """How it stands; False where the database is away, which costs what others see of it."""
        job = running.job
        checkpoint = await asyncio.to_thread(running.new_checkpoint)
        now = self._peers.now()
        try:
            is_ours = await self._peers.write(lambda one: rows.save_job(one, job, checkpoint, now))
        except (SQLAlchemyError, StoreError) as error:
            running.saved_at = 0
            log("job_not_kept", error=type(error).__name__)
            return False
        if not is_ours and running.is_running:
            await self._let_go([running])
        return True

    async def _look(self) -> None:
        """Other processes may have been asked to stop or cancel what runs here."""
        while self._here:
            await asyncio.sleep(READ_REQUESTS_EVERY)
            if not self._peers.is_alone():
                with contextlib.suppress(SQLAlchemyError, StoreError):  # the next look will do
                    await self._let_go(list(self._here.values()))

    async def _let_go(self, ours: list[RunningJob]) -> None:
        numbers = [one.job.id for one in ours]
        found = await self._peers.read(lambda one: rows.read_requests(one, numbers))
        for one in ours:
            run, state, stops = found.get(one.job.id, (0, JobState.CANCELLED, False))
            if not one.is_running:
                continue
            if run != one.job.run or state != JobState.RUNNING:
                one.end(JobState.CANCELLED)  # or begun again elsewhere: nothing counts here
            elif stops and not one.stopping:
                one.ask_to_stop()

    def _checkpoint(self, number: str) -> Path:
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="ventiuna-jobs-")
        return Path(self._folder.name) / number


def _not_stopped(state: JobState) -> RequestDeclined:
    return RequestDeclined(409, "not_stopped", f"It is {state}: only what stopped can go on.")


def _job_ended(job: Job) -> JobState:
    if job.result is None:
        return JobState.FAILED
    return JobState.DONE if job.result["complete"] else JobState.STOPPED


# --- Audits ---

SHARE_AUDIT_EVERY = 1.0  # seconds between two words to other processes
RETRY_AUDIT_AFTER = 1.0  # seconds before an end is written once more


class _AuditCancelled(Exception):
    """It was cancelled, or its server ends."""


class RunningAudit:
    """An audit that this process runs, in a thread."""

    def __init__(self, found: AuditRun, peers: Cluster, on_top: CardsOnTop) -> None:
        self.found = found
        self._peers = peers
        self._on_top = on_top
        self._is_let_go = Event()
        self._closes = Event()  # with its server
        self._told = time.monotonic()

    def let_go(self) -> None:
        """The database says that it is cancelled."""
        self._is_let_go.set()

    def close(self) -> None:
        """Its server ends, whether the database can be told or not."""
        self._closes.set()
        self._is_let_go.set()

    def run(self) -> None:
        ended = self._ended()
        while not self._keep(ended) and not self._closes.wait(RETRY_AUDIT_AFTER):
            pass  # else it would be taken for running

    def _ended(self) -> AuditRun:
        try:
            with self._peers.store.read() as connection:
                report = audit(connection, AuditScope(on_top=self._on_top, watch=self._watch))
        except _AuditCancelled:
            return replace(self.found, state=AuditState.INTERRUPTED)
        except Exception as error:  # noqa: BLE001 - else all processes would take it for running
            log("audit_failed", error=type(error).__name__)
            return replace(self.found, state=AuditState.FAILED)
        return replace(self.found, state=AuditState.DONE, result=audit_result_data(report))

    def _watch(self, progress: AuditProgress) -> None:
        self.found.entries, self.found.of = progress.entries, progress.of
        if not self._peers.is_alone() and time.monotonic() - self._told > SHARE_AUDIT_EVERY:
            self._told = time.monotonic()
            self._keep(self.found)
        if self._is_let_go.is_set():
            raise _AuditCancelled

    def _keep(self, found: AuditRun) -> bool:
        """False where the database is away."""
        try:
            goes_on = self._peers.write_here(lambda one: rows.save_audit(one, found))
        except (SQLAlchemyError, StoreError) as error:
            log("audit_not_kept", error=type(error).__name__)
            return False
        if not goes_on:
            self.let_go()
        return True


class Audits:
    """They read one moment of the database, beside play."""

    def __init__(self, peers: Cluster, on_top: CardsOnTop = no_cards_on_top) -> None:
        self._peers = peers
        self._on_top = on_top
        self._begins = asyncio.Lock()
        self._running: RunningAudit | None = None
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> AuditRun:
        async with self._begins:
            made = None
            if self._task is None or self._task.done():
                made = await self._peers.write(self._new)
            if made is None:
                raise RequestDeclined(
                    409, "audit_running", "An audit is running already: look at that one."
                )
            self._running = RunningAudit(made, self._peers, self._on_top)
            self._task = asyncio.create_task(asyncio.to_thread(self._running.run))
            return made

    def _new(self, connection: Connection) -> AuditRun | None:
        return rows.insert_audit(connection, self._peers.own(), self._peers.living(connection))

    async def find(self, number: int) -> AuditRun:
        """As the database has it, so that all processes say the same."""
        found = await self._peers.read(lambda one: rows.read_audit(one, number, self._alive(one)))
        if found is None:
            raise not_found("audit")
        return self._to_the_moment(found)

    async def last(self) -> list[AuditRun]:
        """The last ones, the newest first."""
        found = await self._peers.read(lambda one: rows.read_audits(one, self._alive(one)))
        return [self._to_the_moment(one) for one in found]

    def _alive(self, connection: Connection) -> set[int]:
        own = set() if self._running is None else {self._peers.own()}
        return own | self._peers.living(connection)

    def _to_the_moment(self, found: AuditRun) -> AuditRun:
        """How far it is, where it runs here."""
        here = self._here(found.id)
        if here is None or found.state is not AuditState.RUNNING:
            return found
        return replace(here.found)

    def _here(self, number: int) -> RunningAudit | None:
        running = self._running
        return running if running is not None and running.found.id == number else None

    async def cancel(self, number: int) -> AuditRun:
        """End it, whichever process runs it; one that is over stays as it is."""
        await self.find(number)
        await self._peers.write(lambda one: rows.cancel_audit(one, number))
        here = self._here(number)
        if here is not None:
            here.let_go()
        return await self.find(number)

    async def close(self) -> None:
        """The one that runs ends with its next entries: it holds a connection."""
        if self._task is not None and self._running is not None:
            self._running.close()
            await self._task


def audit_result_data(report: Report) -> dict[str, object]:
    """What was found, as plain data."""
    return {
        "holds": report.holds,
        "house": report.house,
        "books": report.books,
        "entries": report.counts.entries,
        "accounts": report.accounts,
        "seals": report.seals,
        "newest_seal": report.newest.hash.hex() if report.newest else None,
        "notes": list(report.notes),
        "differences": [difference.data() for difference in report.differences],
        "total": report.total,
    }
