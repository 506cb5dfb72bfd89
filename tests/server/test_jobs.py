"""Simulation jobs: starting, watching, canceling, limits, and access by the owner only."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from threading import Event
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection

from tests.cli.running import run
from tests.coroutines import run_async
from tests.server.conftest import OPEN, House
from tests.server.prescribed import BLOCK, SIMULATION
from tests.server.running import PATIENCE, until
from ventiuna.server import job_store
from ventiuna.server import jobs as server_jobs
from ventiuna.server.job_store import Cluster, Job, JobState
from ventiuna.server.jobs import Jobs
from ventiuna.server.problems import RequestDeclined
from ventiuna.server.telemetry import Metrics
from ventiuna.simulation.queries import SimulationSettings
from ventiuna.table.accounts import add_guest
from ventiuna.table.presence import LOST_AFTER, start_heartbeat
from ventiuna.table.store import schema
from ventiuna.table.store.connection import Store

PROGRAM = server_jobs.PROGRAM
IDLE = "import sys; sys.stdin.read()"
LONG = {"rules": "wsgc-2021", "rounds": OPEN.job_rounds, "strategy": "mimic"}
SHORT = {"rules": "wsgc-2021", "rounds": 20_000, "seed": 5, "strategy": "mimic"}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_jobs, "PROGRAM", (sys.executable, "-c", SIMULATION))


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make jobs play nothing and never end."""
    monkeypatch.setattr(server_jobs, "PROGRAM", (sys.executable, "-S", "-c", IDLE))


@pytest.fixture
def client(house: House) -> Iterator[httpx.Client]:
    with house.served.client(house.tokens["player"]) as found:
        yield found
        for job in found.get("/simulations").json():
            found.delete(f"/simulations/{job['id']}")


def started(client: httpx.Client, body: dict[str, Any]) -> str:
    answer = client.post("/simulations", json=body)
    assert answer.status_code == 202, answer.text
    number: str = answer.json()["id"]
    assert answer.headers["Location"] == f"/simulations/{number}"
    return number


def state_of(client: httpx.Client, number: str) -> str:
    state: str = client.get(f"/simulations/{number}").json()["state"]
    return state


def test_a_result_matches_the_command(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_jobs, "PROGRAM", PROGRAM)  # blocks of the usual size
    number = started(client, SHORT)
    until(lambda: state_of(client, number) != "running")
    answer = client.get(f"/simulations/{number}/result")
    assert answer.status_code == 200, answer.text
    words = ["simulate", "wsgc-2021", "--rounds", "20000", "--seed", "5", "--strategy", "mimic"]
    printed = run(*words, "--threads", "1", "--json").data
    assert answer.json() == printed


def test_a_job_reports_progress_and_can_be_canceled(client: httpx.Client) -> None:
    number = started(client, LONG)
    until(lambda: client.get(f"/simulations/{number}").json()["progress"] is not None)
    progress = client.get(f"/simulations/{number}").json()["progress"]
    assert 0 < progress["rounds"] <= progress["target"] == OPEN.job_rounds
    early = client.get(f"/simulations/{number}/result")
    assert (early.status_code, early.json()["code"]) == (409, "no_result")
    assert client.delete(f"/simulations/{number}").json()["state"] == "cancelled"
    assert client.delete(f"/simulations/{number}").json()["state"] == "cancelled"
    assert "cancelled" in client.get(f"/simulations/{number}/result").json()["detail"]


def test_a_resumed_job_gives_the_same_digits(client: httpx.Client) -> None:
    body = {**LONG, "session": 100}
    number = started(client, body)
    until(lambda: client.get(f"/simulations/{number}").json()["progress"] is not None)
    assert client.post(f"/simulations/{number}/stop").json()["state"] == "stopped"
    early = client.get(f"/simulations/{number}/result").json()
    assert 0 < early["rounds"] < OPEN.job_rounds
    assert early["complete"] is False
    whole = client.get(f"/simulations/{number}").json()["so_far"]
    assert whole["convergence"][-1]["rounds"] > 0
    assert sum(line["count"] for line in whole["histogram"]) > 0
    assert whole["sessions"]["ruin"]
    rounds = early["rounds"] + 2 * BLOCK
    answer = client.post(f"/simulations/{number}/resume", json={"rounds": rounds})
    assert answer.status_code == 202, answer.text
    until(lambda: state_of(client, number) == "done")
    found = client.get(f"/simulations/{number}/result").json()
    other = started(client, {**body, "rounds": rounds})
    until(lambda: state_of(client, other) == "done")
    at_once = client.get(f"/simulations/{other}/result").json()
    assert found == at_once


def test_a_running_or_canceled_job_cannot_be_resumed(client: httpx.Client, idle: None) -> None:
    number = started(client, LONG)
    running = client.post(f"/simulations/{number}/resume", json={})
    assert (running.status_code, running.json()["code"]) == (409, "not_stopped")
    client.delete(f"/simulations/{number}")
    cancelled = client.post(f"/simulations/{number}/resume", json={})
    assert (cancelled.status_code, cancelled.json()["code"]) == (409, "not_stopped")


def test_a_finished_job_can_play_more_rounds_within_the_limit(client: httpx.Client) -> None:
    done = started(client, SHORT)
    until(lambda: state_of(client, done) == "done")
    fewer = client.post(f"/simulations/{done}/resume", json={"rounds": 10})
    assert (fewer.status_code, fewer.json()["code"]) == (422, "bad_plan")
    many = client.post(f"/simulations/{done}/resume", json={"rounds": OPEN.job_rounds + 1})
    assert (many.status_code, many.json()["code"]) == (422, "bad_plan")


def test_a_client_can_list_the_choices(client: httpx.Client) -> None:
    found = client.get("/simulations/choices").json()
    assert {"chart", "optimal"} <= set(found["strategies"])
    assert "cut-card" in found["shoes"]
    assert found["most_rounds"] == OPEN.job_rounds


def test_a_job_is_visible_only_to_its_owner(client: httpx.Client, house: House, idle: None) -> None:
    number = started(client, LONG)
    for role in ("guest", "operator", "auditor"):
        with house.served.client(house.tokens[role]) as other:
            assert other.get(f"/simulations/{number}").status_code == 404
            assert other.get(f"/simulations/{number}/result").status_code == 404
            assert other.delete(f"/simulations/{number}").status_code == 404
            assert number not in other.get("/simulations").text
    assert state_of(client, number) == "running"


def test_an_invalid_number(client: httpx.Client) -> None:
    assert client.get("/simulations/nothing").status_code == 404
    assert client.get("/simulations/%00").status_code == 422


def test_concurrent_jobs_per_person_are_limited(client: httpx.Client, idle: None) -> None:
    first = [started(client, LONG) for _ in range(OPEN.jobs_per_person)]
    answer = client.post("/simulations", json=LONG)
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
    client.delete(f"/simulations/{first[0]}")
    started(client, LONG)


def test_a_job_repeated_with_its_key_runs_once(client: httpx.Client, idle: None) -> None:
    headers = {"Idempotency-Key": f"job {time.time_ns()}"}
    answers = [client.post("/simulations", json=LONG, headers=headers) for _ in range(2)]
    assert answers[0].json()["id"] == answers[1].json()["id"]
    running = [job for job in client.get("/simulations").json() if job["state"] == "running"]
    assert len(running) == 1


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        ({"rounds": OPEN.job_rounds + 1}, "bad_plan", "at most 100,000,000"),
        ({"rounds": 0}, "bad_request", "rounds"),
        ({"rules": "house.toml"}, "bad_rules", "doesn't read files"),
        ({"strategy": "chart.toml"}, "bad_rules", "doesn't read files"),
        ({"count": "/etc/count.toml"}, "bad_rules", "doesn't read files"),
        ({"count": "fingers"}, "bad_plan", "no such count"),
        ({"strategy": "luck"}, "bad_plan", "strategy must be one of chart, optimal, mimic"),
        ({"spots": 99}, "bad_plan", "O-02"),
        ({"base": "much"}, "bad_amount", "base: "),
        ({"side": "up"}, "bad_rules", "this wager isn't offered"),
        ({"shoe": "pocket"}, "bad_plan", "cut-card"),
        ({"seed": -1}, "bad_request", "seed"),
        ({"save": "/tmp/file"}, "bad_request", "save"),
    ],
)
def test_an_invalid_plan_is_not_started(
    client: httpx.Client, change: dict[str, Any], code: str, told: str
) -> None:
    before = len(client.get("/simulations").json())
    answer = client.post("/simulations", json={**SHORT, "rules": "super-fun-21"} | change)
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] == code
    assert told in answer.text
    assert len(client.get("/simulations").json()) == before


# --- stored in the database ---------------------------------------------------------------------

PLAN = SimulationSettings(rules="wsgc-2021", strategy="mimic", session=100)
Numbers = Iterator[str]


@pytest.fixture
def owner(store: Store) -> int:
    with store.write() as connection:
        return add_guest(connection, "Ana", 0, os.urandom).id


@pytest.fixture
def numbers() -> Numbers:
    return iter("abcdefgh")


async def opened(store: Store, numbers: Numbers) -> Jobs:
    jobs = Jobs(OPEN, Metrics(), numbers.__next__, Cluster(store))
    await jobs.open()
    return jobs


async def ended(jobs: Jobs, job: Job) -> Job:
    while job.state is JobState.RUNNING:
        await asyncio.sleep(0.01)
        job = await jobs.find(job.owner, job.id)
    return job


async def begun(job: Job) -> None:
    """Wait until the job has played a block, so that it reports progress."""
    while not job.progress and job.state is JobState.RUNNING:
        await asyncio.sleep(0.01)


def test_a_stopped_job_can_be_resumed_after_a_restart(
    store: Store, owner: int, numbers: Numbers
) -> None:
    async def restart() -> tuple[Job, Job]:
        before = await opened(store, numbers)
        job = await before.start(owner, PLAN, OPEN.job_rounds, 0.0)
        await begun(job)
        await before.close()  # stops the job
        assert [point["rounds"] for point in job.first[:4]] == [1_000, 2_000, 5_000, 10_000]
        after = await opened(store, numbers)
        found = await after.find(owner, job.id)
        assert found.state is job.state is not JobState.RUNNING
        assert found.progress == job.progress
        assert found.first == job.first
        with pytest.raises(RequestDeclined, match="no such simulation"):
            await after.find(owner + 1, job.id)
        rounds = found.progress["rounds"] + 2 * BLOCK
        await after.resume(found, rounds)
        found = await ended(after, found)
        at_once = await ended(after, await after.start(owner, PLAN, rounds, 0.0))
        await after.close()
        return found, at_once

    resumed, at_once = run_async(restart())
    assert resumed.result is not None
    assert at_once.result is not None
    assert resumed.result == at_once.result


def test_a_job_running_when_its_server_died_can_be_resumed(
    store: Store, owner: int, numbers: Numbers
) -> None:
    """The database says that the job is running, and there is no checkpoint yet."""
    running = Job("x", owner, PLAN, 20_000, 0.0)
    with store.write() as connection:
        job_store.insert_job(connection, running, 7, 1)
        job_store.insert_job(connection, replace(running, id="y"), 7, 1)
        connection.execute(
            schema.job.update().where(schema.job.c.id == "y").values(facts='{"of": "later"}')
        )

    async def restart() -> Job:
        jobs = await opened(store, numbers)
        assert [job.id for job in await jobs.of(owner)] == ["x"], "the other is unreadable"
        job = await jobs.find(owner, "x")
        assert job.state is JobState.INTERRUPTED
        await jobs.resume(job, 20_000)
        job = await ended(jobs, job)
        await jobs.cancel(job)  # the job is done, so canceling it deletes its row
        assert await jobs.of(owner) == []
        await jobs.close()
        return job

    assert run_async(restart()).state is JobState.DONE


def test_a_slow_database_doesnt_hide_progress(
    store: Store, owner: int, numbers: Numbers, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = job_store.save_job

    def slow(connection: Connection, job: Job, checkpoint: bytes | None, now: int) -> bool:
        until(lambda: bool(job.progress))
        return keep(connection, job, checkpoint, now)

    monkeypatch.setattr(job_store, "save_job", slow)

    async def play() -> Job:
        jobs = await opened(store, numbers)
        job = await ended(jobs, await jobs.start(owner, PLAN, 20_000, 0.0))
        await jobs.close()
        return job

    assert run_async(play()).state is JobState.DONE


def test_a_job_canceled_while_its_end_is_saved_is_deleted(
    store: Store, owner: int, numbers: Numbers, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = server_jobs.RunningJob.new_checkpoint
    cancels = Event()

    def late(running: server_jobs.RunningJob) -> bytes | None:
        if not running.is_running:
            cancels.wait(PATIENCE)
            time.sleep(0.05)  # longer than a cancellation that doesn't wait
        return read(running)

    monkeypatch.setattr(server_jobs.RunningJob, "new_checkpoint", late)

    async def play() -> list[Job]:
        jobs = await opened(store, numbers)
        job = await ended(jobs, await jobs.start(owner, PLAN, 20_000, 0.0))
        cancels.set()
        await jobs.cancel(job)
        left = await jobs.of(owner)
        await jobs.close()
        return left

    assert run_async(play()) == []


def test_a_result_that_is_too_long_is_reported(
    store: Store, owner: int, numbers: Numbers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_jobs, "MAX_LINE_BYTES", 50)

    async def play() -> Job:
        jobs = await opened(store, numbers)
        job = await ended(jobs, await jobs.start(owner, PLAN, 20_000, 0.0))
        await jobs.close()
        return job

    job = run_async(play())
    assert (job.state, job.result) == (JobState.FAILED, None)
    assert "too large" in job.problem


def test_a_superseded_run_stops_writing(store: Store, owner: int) -> None:
    """The run's process was presumed dead but is still running."""
    silent = Job("x", owner, PLAN, 20_000, 0.0)
    with store.write() as connection:
        job_store.insert_job(connection, silent, 1, 1)
        taken = job_store.read_job(connection, owner, "x", {2})
        assert taken is not None
        assert taken.state is JobState.INTERRUPTED
        taken.state = JobState.RUNNING
        assert job_store.restart_job(connection, taken, 2, 2)
        assert not job_store.restart_job(connection, replace(taken, run=1), 3, 2), "too late"
        silent.state = JobState.FAILED
        assert not job_store.save_job(connection, silent, b"older", 3)
        assert job_store.save_job(connection, taken, b"newer", 3)
        assert job_store.read_checkpoint(connection, "x") == b"newer"
        found = job_store.read_job(connection, owner, "x", {2})
        assert found is not None
        assert found.state is JobState.RUNNING


def test_a_finished_job_resumes_only_with_more_rounds(
    store: Store, owner: int, numbers: Numbers
) -> None:
    """The last reported progress is older than the result."""
    done = Job("x", owner, PLAN, 20_000, 0.0, state=JobState.DONE)
    done.progress, done.result = {"rounds": 19_000}, {"rounds": 20_000, "complete": True}
    with store.write() as connection:
        job_store.insert_job(connection, done, 7, 1)

    async def ask() -> None:
        jobs = await opened(store, numbers)
        job = await jobs.find(owner, "x")
        with pytest.raises(RequestDeclined, match="has already played 20,000"):
            await jobs.resume(job, 20_000)
        assert job.result == done.result
        await jobs.close()

    run_async(ask())


def test_a_job_canceled_in_the_meantime_is_not_resumed(store: Store, owner: int) -> None:
    """Two processes get requests at once: one to cancel the job, the other to resume it."""
    job = Job("x", owner, PLAN, 20_000, 0.0, state=JobState.STOPPED)
    with store.write() as connection:
        job_store.insert_job(connection, job, 1, 1)
        job_store.cancel_job(connection, "x")
        resumed = replace(job, state=JobState.RUNNING)
        assert not job_store.restart_job(connection, resumed, 2, 2)
        found = job_store.read_job(connection, owner, "x", {2})
        assert found is not None
        assert found.state is JobState.CANCELLED


def test_a_job_running_in_another_process_is_not_started_here(
    store: Store, owner: int, numbers: Numbers
) -> None:
    """The job also counts toward the limit as long as the other process is alive."""
    with store.write() as connection:
        other, _ = start_heartbeat(connection, 1_000)
        for number in range(OPEN.jobs_per_person):
            job_store.insert_job(connection, Job(f"j{number}", owner, PLAN, 20_000, 0.0), other, 1)

    async def ask(now: int) -> None:
        peers = Cluster(store, lambda: other + 1, lambda: False, lambda: now)
        jobs = Jobs(OPEN, Metrics(), numbers.__next__, peers)
        found = await jobs.find(owner, "j0")
        assert found.state is JobState.RUNNING
        with pytest.raises(RequestDeclined, match="The simulation is running"):
            await jobs.resume(found, 20_000)
        with pytest.raises(RequestDeclined, match="maximum number of simulations running"):
            await jobs.start(owner, PLAN, 20_000, 0.0)
        await jobs.close()
        peers = replace(peers, now=lambda: now + LOST_AFTER)
        jobs = Jobs(OPEN, Metrics(), numbers.__next__, peers)
        assert (await jobs.find(owner, "j0")).state is JobState.INTERRUPTED
        job = await jobs.start(owner, PLAN, 20_000, 0.0)
        assert (await jobs.cancel(job)).state is JobState.CANCELLED
        await jobs.close()

    run_async(ask(1_001))


def test_the_oldest_finished_jobs_are_deleted(store: Store, owner: int) -> None:
    with store.write() as connection:
        for number in range(job_store.MAX_JOBS_KEPT_PER_PERSON + 3):
            job = Job(f"j{number}", owner, PLAN, 20_000, 0.0, state=JobState.STOPPED)
            job_store.insert_job(connection, job, 1, number)
        job_store.insert_job(connection, Job("runs", owner, PLAN, 20_000, 0.0), 1, 0)
        found = [job.id for job in job_store.read_jobs(connection, owner, {1})]
    assert found == [
        "runs",
        *(f"j{number}" for number in range(3, job_store.MAX_JOBS_KEPT_PER_PERSON + 3)),
    ]
