"""Simulation jobs: each a process of its own that its owner starts, watches, stops and resumes.

What is known of a job and its checkpoint are kept on disk (`job_files`), so that one which was
stopped, by its owner or with the server, can go on after the server has come back.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ventiuna.server.job_files import Facts, JobFiles
from ventiuna.server.logs import log
from ventiuna.server.metrics import Metrics
from ventiuna.server.problems import Declined, kept_elsewhere, not_found, too_many
from ventiuna.server.settings import Settings as ServerSettings
from ventiuna.simulation.settings import Settings
from ventiuna.texts import json_text

KEPT = 100  # jobs that have ended
LONGEST_LINE = 16_000_000  # a result with all its tables
THREADS = 1
SO_FAR = "so_far"
STOP = "stop"  # as the process understands it
STOP_PATIENCE = 30.0  # seconds; the first block may have to be compiled
CLOSE_PATIENCE = 5.0  # seconds for all of them, when the server ends
KEEP_EVERY = 5.0  # seconds between two looks that are kept of a running one


class JobState(StrEnum):
    RUNNING = "running"
    STOPPED = "stopped"  # early, with what there is; it can go on
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(slots=True)
class Job:
    """One simulation of one person."""

    id: str
    owner: int
    settings: Settings
    rounds: int
    until: float
    state: JobState = JobState.RUNNING
    first: list[Any] = field(default_factory=list)  # points of its first block, for the plot
    progress: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    problem: str = ""
    stopping: bool = False
    process: asyncio.subprocess.Process | None = None
    watch: asyncio.Task[None] | None = None

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

    def kept_data(self) -> dict[str, object]:
        """All that another server needs to know of it."""
        return self.as_data() | {
            "owner": self.owner,
            "first": self.first,
            "progress": self.progress,
            "result": self.result,
        }

    @classmethod
    def from_kept(cls, facts: Facts) -> Job:
        """One that ran when its server ended was stopped by that."""
        state = JobState(facts["state"])
        return cls(
            id=facts["id"],
            owner=facts["owner"],
            settings=Settings(**facts["settings"]),
            rounds=facts["rounds"],
            until=facts["until"],
            state=JobState.STOPPED if state is JobState.RUNNING else state,
            first=facts["first"],
            progress=facts["progress"],
            result=facts["result"],
            problem=facts["problem"] or "",
        )


class Jobs:
    """Bounded in number, in all and for each person; the oldest that ended are forgotten."""

    def __init__(
        self,
        settings: ServerSettings,
        metrics: Metrics,
        new_id: Callable[[], str],
        process: Callable[[], int] = lambda: 0,
    ) -> None:
        self._most = settings.jobs
        self._most_of_one = settings.jobs_per_person
        self._metrics = metrics
        self._new_id = new_id
        self._process = process  # of the house: it is part of each number
        self._jobs: dict[str, Job] = {}
        self._files = JobFiles(settings)

    def open(self) -> None:
        """Take over what earlier servers have left."""
        for facts in self._files.kept():
            try:
                job = Job.from_kept(facts)
            except (KeyError, TypeError, ValueError):
                continue  # of another version
            self._jobs[job.id] = job
        self._forget_old()

    async def start(self, owner: int, settings: Settings, rounds: int, until: float) -> Job:
        """Begin a simulation whose plan was checked."""
        self._check_room(owner)
        job = Job(f"{self._process()}-{self._new_id()}", owner, settings, rounds, until)
        self._jobs[job.id] = job
        self._forget_old()
        self._begin(job)
        return job

    async def resume(self, job: Job, rounds: int) -> None:
        """Go on where it stopped, or with more rounds than it was asked for."""
        if job.state not in (JobState.STOPPED, JobState.DONE):
            raise Declined(409, "not_stopped", f"It is {job.state}: only what stopped can go on.")
        if rounds <= job.progress.get("rounds", 0):
            played = job.progress["rounds"]
            sentence = f"rounds: it has played {played:,} already, ask for more."
            raise Declined(422, "bad_plan", sentence)
        self._check_room(job.owner)
        job.rounds, job.state, job.stopping = rounds, JobState.RUNNING, False
        job.result, job.problem = None, ""
        self._begin(job)

    def _check_room(self, owner: int) -> None:
        running = [job for job in self._jobs.values() if job.state is JobState.RUNNING]
        if sum(job.owner == owner for job in running) >= self._most_of_one:
            raise too_many("You have as many simulations running as you may: stop one.", 10)
        if len(running) >= self._most:
            raise too_many("The house has as many simulations running as it can.", 10)

    def _begin(self, job: Job) -> None:
        self._metrics.jobs_at_work.inc()
        job.watch = asyncio.create_task(self._run(job))

    def of(self, owner: int) -> list[Job]:
        return [job for job in self._jobs.values() if job.owner == owner]

    def find(self, owner: int, number: str) -> Job:
        """This person's job; others' can't be told from none."""
        job = self._jobs.get(number)
        if job is None and number.partition("-")[0] != str(self._process()):
            raise kept_elsewhere("simulation", number.partition("-")[0])
        if job is None or job.owner != owner:
            raise not_found("simulation of yours")
        return job

    async def stop(self, job: Job) -> None:
        """Let it end after the block that it plays; what it has found so far is kept."""
        if job.state is not JobState.RUNNING:
            return
        job.stopping = True
        _ask_to_stop(job)
        if job.watch is not None:
            await asyncio.wait([job.watch], timeout=STOP_PATIENCE)

    async def cancel(self, job: Job) -> None:
        """End it, whatever it is doing, and drop what it has; one that is done stays as it is."""
        if job.state in (JobState.RUNNING, JobState.STOPPED):
            job.state = JobState.CANCELLED
            job.result = None
            _kill(job)
        if job.watch is not None:
            await asyncio.shield(job.watch)
        self._files.forget(job.id)

    async def close(self) -> None:
        """Those that run are stopped, and killed where that takes long: they have a checkpoint."""
        running = [job for job in self._jobs.values() if job.state is JobState.RUNNING]
        for job in running:
            _ask_to_stop(job)
        watches = [job.watch for job in running if job.watch is not None]
        if watches:
            _, late = await asyncio.wait(watches, timeout=CLOSE_PATIENCE)
            for job in running:
                if job.watch in late:
                    job.state = JobState.STOPPED
                    _kill(job)
            await asyncio.gather(*late)
        self._files.close()

    async def _run(self, job: Job) -> None:
        try:
            job.process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "ventiuna.server.job",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=LONGEST_LINE,
            )
            if job.state is JobState.CANCELLED:  # before there was anything to end
                _kill(job)
            await self._watch(job, job.process)
        except OSError as error:
            job.problem = "The simulation could not be started: try again later."
            log("job_not_started", error=type(error).__name__)
        finally:
            if job.state is JobState.RUNNING:
                job.state = _ended(job)
            if job.state is not JobState.CANCELLED:
                self._files.keep(job.id, job.kept_data())
            self._metrics.jobs_at_work.dec()
            self._metrics.jobs.labels(str(job.state)).inc()

    async def _watch(self, job: Job, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None, "a pipe was asked for"
        assert process.stdout is not None, "a pipe was asked for"
        asked = {
            "settings": job.settings.as_data(),
            "rounds": job.rounds,
            "until": job.until,
            "threads": THREADS,
            "checkpoint": str(self._files.checkpoint(job.id)),
        }
        with contextlib.suppress(ConnectionError):  # killed at once
            process.stdin.write(json_text(asked, None).encode() + b"\n")
            await process.stdin.drain()
        if job.stopping:  # before there was anybody to ask
            _ask_to_stop(job)
        kept = 0.0
        while line := await process.stdout.readline():
            _take(job, json.loads(line))
            if time.monotonic() - kept > KEEP_EVERY and job.state is JobState.RUNNING:
                kept = time.monotonic()
                self._files.keep(job.id, job.kept_data())
        if await process.wait() and not job.problem and job.state is JobState.RUNNING:
            job.problem = "The simulation ended before its time: start it again."
        process.stdin.close()

    def _forget_old(self) -> None:
        ended = [job.id for job in self._jobs.values() if job.state is not JobState.RUNNING]
        for number in ended[: max(0, len(ended) - KEPT)]:
            del self._jobs[number]
            self._files.forget(number)


def _ended(job: Job) -> JobState:
    if job.result is None:
        return JobState.FAILED
    return JobState.DONE if job.result["complete"] else JobState.STOPPED


def _ask_to_stop(job: Job) -> None:
    if job.process is not None and job.process.stdin is not None:
        job.process.stdin.write(f"{STOP}\n".encode())


def _take(job: Job, line: dict[str, Any]) -> None:
    """What the process said; after a cancel nothing counts any more."""
    if job.state is not JobState.RUNNING:
        return
    job.first = line.get("first", job.first)
    job.progress = line.get("progress", job.progress)
    job.result = line.get("result", job.result)
    job.problem = line.get("problem", job.problem)


def _kill(job: Job) -> None:
    if job.process is not None:
        with contextlib.suppress(ProcessLookupError):
            job.process.kill()
