"""Simulation jobs: started, watched, cancelled; bounded; their owner's alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.running import run
from tests.server.conftest import OPEN, House
from tests.server.running import until
from ventiuna.server.job_files import JobFiles
from ventiuna.server.jobs import Job, Jobs, JobState
from ventiuna.server.metrics import Metrics
from ventiuna.server.problems import Declined
from ventiuna.simulation.settings import Settings as SimulationSettings

LONG = {"rules": "wsgc-2021", "rounds": OPEN.job_rounds}
SHORT = {"rules": "wsgc-2021", "rounds": 20_000, "seed": 5, "strategy": "mimic"}


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


def test_a_result_is_that_of_the_command(client: httpx.Client) -> None:
    number = started(client, SHORT)
    until(lambda: state_of(client, number) != "running")
    answer = client.get(f"/simulations/{number}/result")
    assert answer.status_code == 200, answer.text
    words = ["simulate", "wsgc-2021", "--rounds", "20000", "--seed", "5", "--strategy", "mimic"]
    printed = run(*words, "--threads", "1", "--json").data
    found = answer.json()
    timed = ("seconds", "rounds_per_second")
    assert {key: found[key] for key in found if key not in timed} == {
        key: printed[key] for key in printed if key not in timed
    }


def test_a_job_tells_how_far_it_is_and_can_be_cancelled(client: httpx.Client) -> None:
    number = started(client, LONG)
    until(lambda: client.get(f"/simulations/{number}").json()["progress"] is not None)
    progress = client.get(f"/simulations/{number}").json()["progress"]
    assert 0 < progress["rounds"] <= progress["target"] == OPEN.job_rounds
    early = client.get(f"/simulations/{number}/result")
    assert (early.status_code, early.json()["code"]) == (409, "no_result")
    assert client.delete(f"/simulations/{number}").json()["state"] == "cancelled"
    assert client.delete(f"/simulations/{number}").json()["state"] == "cancelled"
    assert "cancelled" in client.get(f"/simulations/{number}/result").json()["detail"]


def test_a_stopped_job_goes_on_to_the_same_digits(client: httpx.Client) -> None:
    body = {"rules": "wsgc-2021", "rounds": 3_000_000, "session": 100, "strategy": "mimic"}
    number = started(client, body)
    until(lambda: client.get(f"/simulations/{number}").json()["progress"] is not None)
    stopped = client.post(f"/simulations/{number}/stop").json()
    if stopped["state"] == "stopped":  # a quick machine may have finished it
        early = client.get(f"/simulations/{number}/result").json()
        assert 0 < early["rounds"] < 3_000_000
        assert early["complete"] is False
    whole = client.get(f"/simulations/{number}").json()["so_far"]
    assert whole["convergence"][-1]["rounds"] > 0
    assert sum(line["count"] for line in whole["histogram"]) > 0
    assert whole["sessions"]["ruin"]
    answer = client.post(f"/simulations/{number}/resume", json={"rounds": 4_000_000})
    assert answer.status_code == 202, answer.text
    until(lambda: state_of(client, number) == "done")
    found = client.get(f"/simulations/{number}/result").json()
    other = started(client, {**body, "rounds": 4_000_000})
    until(lambda: state_of(client, other) == "done")
    at_once = client.get(f"/simulations/{other}/result").json()
    timed = ("seconds", "rounds_per_second")
    assert {key: found[key] for key in found if key not in timed} == {
        key: at_once[key] for key in at_once if key not in timed
    }


def test_what_did_not_stop_does_not_go_on(client: httpx.Client) -> None:
    number = started(client, LONG)
    running = client.post(f"/simulations/{number}/resume", json={})
    assert (running.status_code, running.json()["code"]) == (409, "not_stopped")
    client.delete(f"/simulations/{number}")
    cancelled = client.post(f"/simulations/{number}/resume", json={})
    assert (cancelled.status_code, cancelled.json()["code"]) == (409, "not_stopped")
    done = started(client, SHORT)
    until(lambda: state_of(client, done) == "done")
    fewer = client.post(f"/simulations/{done}/resume", json={"rounds": 10})
    assert (fewer.status_code, fewer.json()["code"]) == (422, "bad_plan")
    many = client.post(f"/simulations/{done}/resume", json={"rounds": OPEN.job_rounds + 1})
    assert (many.status_code, many.json()["code"]) == (422, "bad_plan")


def test_a_client_is_told_what_it_may_ask_for(client: httpx.Client) -> None:
    found = client.get("/simulations/choices").json()
    assert {"chart", "optimal"} <= set(found["strategies"])
    assert "cut-card" in found["shoes"]
    assert found["most_rounds"] == OPEN.job_rounds


def test_a_job_is_its_owners_alone(client: httpx.Client, house: House) -> None:
    number = started(client, LONG)
    for role in ("guest", "operator", "auditor"):
        with house.served.client(house.tokens[role]) as other:
            assert other.get(f"/simulations/{number}").status_code == 404
            assert other.get(f"/simulations/{number}/result").status_code == 404
            assert other.delete(f"/simulations/{number}").status_code == 404
            assert number not in other.get("/simulations").text
    assert state_of(client, number) == "running"


def test_a_job_of_another_process_is_told_from_none(client: httpx.Client) -> None:
    """Several processes on one port each know their own jobs alone."""
    number = started(client, SHORT)
    process, _, rest = number.partition("-")
    other = client.get(f"/simulations/{int(process) + 1}-{rest}")
    assert (other.status_code, other.json()["code"]) == (409, "other_process")
    assert "ask again on a new connection" in other.json()["detail"]
    for none in (f"{process}-nothing", "nothing"):
        assert client.get(f"/simulations/{none}").status_code == 404


def test_nobody_has_more_than_some_at_a_time(client: httpx.Client) -> None:
    first = [started(client, LONG) for _ in range(OPEN.jobs_per_person)]
    answer = client.post("/simulations", json=LONG)
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
    client.delete(f"/simulations/{first[0]}")
    started(client, LONG)


def test_a_job_sent_again_with_its_key_runs_once(client: httpx.Client) -> None:
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
        ({"rules": "house.toml"}, "bad_rules", "reads no files"),
        ({"strategy": "chart.toml"}, "bad_rules", "reads no files"),
        ({"count": "/etc/count.toml"}, "bad_rules", "reads no files"),
        ({"count": "fingers"}, "bad_plan", "no such count"),
        ({"strategy": "luck"}, "bad_plan", "strategy: choose one of chart, optimal, mimic"),
        ({"spots": 99}, "bad_plan", "O-02"),
        ({"base": "much"}, "bad_amount", "base: "),
        ({"side": "up"}, "bad_rules", "not offered"),
        ({"shoe": "pocket"}, "bad_plan", "cut-card"),
        ({"seed": -1}, "bad_request", "seed"),
        ({"save": "/tmp/file"}, "bad_request", "save"),
    ],
)
def test_a_plan_that_is_not_sound_is_not_begun(
    client: httpx.Client, change: dict[str, Any], code: str, told: str
) -> None:
    before = len(client.get("/simulations").json())
    answer = client.post("/simulations", json={**SHORT, "rules": "super-fun-21"} | change)
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] == code
    assert told in answer.text
    assert len(client.get("/simulations").json()) == before


# --- after a restart ----------------------------------------------------------------------------

PLAN = SimulationSettings(rules="wsgc-2021", strategy="mimic", session=100)


def opened(folder: Path) -> Jobs:
    settings = replace(OPEN, database=str(folder / "house.sqlite"))
    jobs = Jobs(settings, Metrics(), iter("abcdefgh").__next__)
    jobs.open()
    return jobs


async def ended(job: Job) -> None:
    assert job.watch is not None
    await job.watch


async def begun(job: Job) -> None:
    """It has played a block: its number is in the progress."""
    while not job.progress and job.state is JobState.RUNNING:
        await asyncio.sleep(0.01)


def test_a_stopped_job_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def restart() -> tuple[Job, Job]:
        before = opened(tmp_path)
        job = await before.start(1, PLAN, 3_000_000, 0.0)
        await begun(job)
        await before.close()  # stops it
        assert [point["rounds"] for point in job.first[:4]] == [1_000, 2_000, 5_000, 10_000]
        after = opened(tmp_path)
        found = after.find(1, job.id)
        assert found.state is job.state is not JobState.RUNNING
        assert found.progress == job.progress
        assert found.first == job.first
        with pytest.raises(Declined, match="simulation of yours"):
            after.find(2, job.id)
        await after.resume(found, 4_000_000)
        await ended(found)
        at_once = await after.start(1, PLAN, 4_000_000, 0.0)
        await ended(at_once)
        await after.close()
        return found, at_once

    resumed, at_once = asyncio.run(restart())
    assert resumed.result is not None
    assert at_once.result is not None
    timed = {"seconds": 0, "rounds_per_second": 0}
    assert resumed.result | timed == at_once.result | timed


def test_one_that_ran_when_its_server_died_can_go_on(tmp_path: Path) -> None:
    """What is on disk says that it runs, and there is no checkpoint yet."""
    before = opened(tmp_path)
    files = JobFiles(replace(OPEN, database=str(tmp_path / "house.sqlite")))
    running = Job("0-x", 1, PLAN, 20_000, 0.0)
    files.keep(running.id, running.kept_data())
    files.keep("0-y", {"state": "of another version"})
    files.close()

    async def restart() -> Job:
        after = opened(tmp_path)
        job = after.find(1, "0-x")
        assert job.state is JobState.STOPPED
        await after.resume(job, 20_000)
        await ended(job)
        await after.cancel(job)  # it is done: its files go
        await after.close()
        return job

    job = asyncio.run(restart())
    assert job.state is JobState.DONE
    assert opened(tmp_path).of(1) == []
    assert before.of(1) == []


def test_processes_that_share_a_folder_have_each_a_part_of_it(tmp_path: Path) -> None:
    settings = replace(OPEN, simulations=str(tmp_path / "kept"))
    first, second = JobFiles(settings), JobFiles(settings)
    assert first.checkpoint("x").parent != second.checkpoint("x").parent
    first.close()
    third = JobFiles(settings)
    assert third.checkpoint("x").parent == first.checkpoint("x").parent
    for files in (second, third):
        files.close()
