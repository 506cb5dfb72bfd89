"""Simulation jobs: each a process of its own that its owner starts, watches, stops and resumes.

Whichever process of the house is asked: what is known of a job and its checkpoint are kept in the
database (`job_rows`). One that was stopped, by its owner or with the server that ran it, can go on
in any of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from ventiuna.server import job_rows as rows
from ventiuna.server.job_rows import CAN_GO_ON, Job, JobState
from ventiuna.server.logs import log
from ventiuna.server.metrics import Metrics
from ventiuna.server.peers import Peers
from ventiuna.server.problems import Declined, not_found, too_many
from ventiuna.server.settings import Settings as ServerSettings
from ventiuna.simulation.settings import Settings
from ventiuna.table.store.errors import StoreError
from ventiuna.texts import json_text

PROGRAM = (sys.executable, "-m", "ventiuna.server.job")
LONGEST_LINE = 16_000_000  # a result with all its tables
THREADS = 1
STOP = "stop"  # as the process understands it
STOP_PATIENCE = 30.0  # seconds; the first block may have to be compiled
CLOSE_PATIENCE = 1.0  # seconds for all of them, when the server ends
KEEP_EVERY = 5.0  # seconds between two looks that are kept of a running one
TELL_EVERY = 1.0  # the same where other processes may be asked about it
LOOK_EVERY = 0.5  # seconds, at what was wished for through other processes
ASK_EVERY = 0.05  # seconds, whether what was asked to stop has done so
AGAIN = 1.0  # seconds before an end is written once more


@dataclass(slots=True, eq=False)
class Running:
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
        peers: Peers,
    ) -> None:
        self._most = settings.jobs
        self._most_of_one = settings.jobs_per_person
        self._metrics = metrics
        self._new_id = new_id
        self._peers = peers
        self._here: dict[str, Running] = {}
        self._folder: TemporaryDirectory[str] | None = None
        self._looks: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """What ran in processes that are gone can go on."""
        await self._peers.write(lambda one: rows.interrupt_lost(one, self._peers.living(one)))

    # --- asked by people ---

    async def of(self, owner: int) -> list[Job]:
        before = dict(self._here)
        found = await self._peers.read(
            lambda one: rows.jobs_of(one, owner, self._peers.living(one))
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

    async def start(self, owner: int, settings: Settings, rounds: int, until: float) -> Job:
        """Begin a simulation whose plan was checked."""
        job = Job(self._new_id(), owner, settings, rounds, until)
        await self._begin(job, self._added)
        return job

    def _added(self, connection: Connection, job: Job) -> bool:
        rows.add(connection, job, self._peers.own(), self._peers.now())
        return True

    async def resume(self, job: Job, rounds: int) -> None:
        """Go on where it stopped, or with more rounds than it was asked for."""
        await self._wait_for_end(job)
        if job.id in self._here or job.state not in CAN_GO_ON:
            raise _not_stopped(job.state)
        played = (job.result or job.progress).get("rounds", 0)  # progress is told now and then
        if rounds <= played:
            sentence = f"rounds: it has played {played:,} already, ask for more."
            raise Declined(422, "bad_plan", sentence)
        job.rounds, job.state = rounds, JobState.RUNNING
        job.result, job.problem = None, ""
        await self._begin(job, self._begun_again)

    def _begun_again(self, connection: Connection, job: Job) -> bool:
        return rows.begin_again(connection, job, self._peers.own(), self._peers.now())

    async def _begin(self, job: Job, write: Callable[[Connection, Job], bool]) -> None:
        self._check_room()
        here = sum(one.is_running and one.job.owner == job.owner for one in self._here.values())
        running = Running(job, self._checkpoint(job.id))
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
        elsewhere = rows.running_elsewhere(connection, job.owner, living)
        if here + elsewhere >= self._most_of_one:
            raise too_many("You have as many simulations running as you may: stop one.", 10)
        if not write(connection, job):
            raise _not_stopped(JobState.RUNNING)
        return rows.checkpoint_of(connection, job.id)

    def _check_room(self) -> None:
        if sum(one.is_running for one in self._here.values()) >= self._most:
            raise too_many("The house has as many simulations running as it can.", 10)

    async def stop(self, job: Job) -> Job:
        """Let it end after the block that it plays; what it has found so far is kept."""
        here = self._here.get(job.id)
        if here is not None:
            here.ask_to_stop()
        elif job.state is JobState.RUNNING:
            await self._peers.write(lambda one: rows.ask_to_stop(one, job.id))
        end = time.monotonic() + STOP_PATIENCE
        while job.state is JobState.RUNNING and time.monotonic() < end:
            await asyncio.sleep(ASK_EVERY)
            job = await self.find(job.owner, job.id)
        return job

    async def cancel(self, job: Job) -> Job:
        """End it, whatever it is doing, and drop what it has; one that is over is forgotten."""
        await self._wait_for_end(job)
        await self._peers.write(lambda one: rows.cancel(one, job.id))
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
            await asyncio.wait([here.watch], timeout=STOP_PATIENCE)

    async def close(self) -> None:
        """Those that run are stopped, and killed where that takes long: they have a checkpoint."""
        running = list(self._here.values())
        for one in running:
            one.ask_to_stop()
        watches = [one.watch for one in running if one.watch is not None]
        if watches:
            _, late = await asyncio.wait(watches, timeout=CLOSE_PATIENCE)
            for one in running:
                if one.watch in late:
                    one.end(JobState.INTERRUPTED)
            if late:
                await asyncio.wait(late, timeout=CLOSE_PATIENCE)
        if self._looks is not None:
            self._looks.cancel()
            await asyncio.gather(self._looks, return_exceptions=True)
        if self._folder is not None:
            self._folder.cleanup()

    # --- what runs here ---

    async def _run(self, running: Running) -> None:
        job = running.job
        try:
            running.process = await asyncio.create_subprocess_exec(
                *PROGRAM,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=LONGEST_LINE,
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
            log("job_too_long", most=LONGEST_LINE)
        finally:
            if running.is_running:
                job.state = _ended(job)
            self._metrics.jobs_at_work.dec()
            self._metrics.jobs.labels(str(job.state)).inc()
            await self._keep_end(running)
            self._here.pop(job.id, None)
            running.checkpoint.unlink(missing_ok=True)

    async def _watch(self, running: Running, process: asyncio.subprocess.Process) -> None:
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

    async def _take_lines(self, running: Running, lines: asyncio.StreamReader) -> None:
        """How far it is, at once; a database that takes its time keeps it meanwhile."""
        every = KEEP_EVERY if self._peers.is_alone() else TELL_EVERY
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

    async def _keep_end(self, running: Running) -> None:
        """Until the database has it: else it would be taken for running."""
        if running.job.state is not JobState.CANCELLED:
            while not await self._keep(running):
                await asyncio.sleep(AGAIN)

    async def _keep(self, running: Running) -> bool:
        """How it stands; False where the database is away, which costs what others see of it."""
        job = running.job
        checkpoint = await asyncio.to_thread(running.new_checkpoint)
        now = self._peers.now()
        try:
            is_ours = await self._peers.write(lambda one: rows.keep(one, job, checkpoint, now))
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
            await asyncio.sleep(LOOK_EVERY)
            if not self._peers.is_alone():
                with contextlib.suppress(SQLAlchemyError, StoreError):  # the next look will do
                    await self._let_go(list(self._here.values()))

    async def _let_go(self, ours: list[Running]) -> None:
        numbers = [one.job.id for one in ours]
        found = await self._peers.read(lambda one: rows.wishes(one, numbers))
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


def _not_stopped(state: JobState) -> Declined:
    return Declined(409, "not_stopped", f"It is {state}: only what stopped can go on.")


def _ended(job: Job) -> JobState:
    if job.result is None:
        return JobState.FAILED
    return JobState.DONE if job.result["complete"] else JobState.STOPPED
