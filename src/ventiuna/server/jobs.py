"""Simulation jobs: each a process of its own, started, watched and cancelled by its owner."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ventiuna.server.logs import log
from ventiuna.server.metrics import Metrics
from ventiuna.server.problems import not_found, too_many
from ventiuna.server.settings import Settings as ServerSettings
from ventiuna.simulation.settings import Settings
from ventiuna.texts import json_text

KEPT = 100  # jobs that have ended
LONGEST_LINE = 16_000_000  # a result with all its tables
THREADS = 1


class JobState(StrEnum):
    RUNNING = "running"
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
    progress: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    problem: str = ""
    process: asyncio.subprocess.Process | None = None
    watch: asyncio.Task[None] | None = None

    def as_data(self) -> dict[str, object]:
        return {
            "id": self.id,
            "state": str(self.state),
            "settings": self.settings.as_data(),
            "rounds": self.rounds,
            "progress": self.progress or None,
            "problem": self.problem or None,
        }


class Jobs:
    """Bounded in number, in all and for each person; the oldest that ended are forgotten."""

    def __init__(
        self, settings: ServerSettings, metrics: Metrics, new_id: Callable[[], str]
    ) -> None:
        self._most = settings.jobs
        self._most_of_one = settings.jobs_per_person
        self._metrics = metrics
        self._new_id = new_id
        self._jobs: dict[str, Job] = {}

    async def start(self, owner: int, settings: Settings, rounds: int, until: float) -> Job:
        """Begin a simulation whose plan was checked."""
        running = [job for job in self._jobs.values() if job.state is JobState.RUNNING]
        if sum(job.owner == owner for job in running) >= self._most_of_one:
            raise too_many("You have as many simulations running as you may: cancel one.", 10)
        if len(running) >= self._most:
            raise too_many("The house has as many simulations running as it can.", 10)
        job = Job(self._new_id(), owner, settings, rounds, until)
        self._jobs[job.id] = job
        self._forget_old()
        self._metrics.jobs_at_work.inc()
        job.watch = asyncio.create_task(self._run(job))
        return job

    def of(self, owner: int) -> list[Job]:
        return [job for job in self._jobs.values() if job.owner == owner]

    def find(self, owner: int, number: str) -> Job:
        """This person's job; others' can't be told from none."""
        job = self._jobs.get(number)
        if job is None or job.owner != owner:
            raise not_found("simulation of yours")
        return job

    async def cancel(self, job: Job) -> None:
        """End it, whatever it is doing; one that has ended stays as it is."""
        if job.state is JobState.RUNNING:
            job.state = JobState.CANCELLED
            _kill(job)
        if job.watch is not None:
            await asyncio.shield(job.watch)

    async def close(self) -> None:
        for job in self._jobs.values():
            await self.cancel(job)

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
                job.state = JobState.DONE if job.result is not None else JobState.FAILED
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
        }
        with contextlib.suppress(ConnectionError):  # killed at once
            process.stdin.write(json_text(asked, None).encode() + b"\n")
            await process.stdin.drain()
        while line := await process.stdout.readline():
            _take(job, json.loads(line))
        if await process.wait() and not job.problem and job.state is JobState.RUNNING:
            job.problem = "The simulation ended before its time: start it again."
        process.stdin.close()

    def _forget_old(self) -> None:
        ended = [job.id for job in self._jobs.values() if job.state is not JobState.RUNNING]
        for number in ended[: max(0, len(ended) - KEPT)]:
            del self._jobs[number]


def _take(job: Job, line: dict[str, Any]) -> None:
    """What the process said; after a cancel nothing counts any more."""
    if job.state is not JobState.RUNNING:
        return
    job.progress = line.get("progress", job.progress)
    job.result = line.get("result", job.result)
    job.problem = line.get("problem", job.problem)


def _kill(job: Job) -> None:
    if job.process is not None:
        with contextlib.suppress(ProcessLookupError):
            job.process.kill()
