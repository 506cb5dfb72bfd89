"""Simulation jobs of one's own: start, watch, cancel, fetch."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from ventiuna.server.given import check_names, house_rules
from ventiuna.server.jobs import JobState
from ventiuna.server.problems import Declined
from ventiuna.server.routes.rules import LONGEST_RULES, answer
from ventiuna.server.security import Somebody
from ventiuna.server.services import Services, services_of
from ventiuna.simulation.plan import LONGEST_SESSION
from ventiuna.simulation.settings import Settings

router = APIRouter(prefix="/simulations", tags=["simulations"])
HouseServices = Annotated[Services, Depends(services_of)]

Word = Annotated[str, Field(max_length=200)]
LARGEST_SEED = 2**63 - 1


class NewSimulation(BaseModel):
    """Names and values are those of `ventiuna simulate`."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [{"rules": "wsgc-2021", "rounds": 1_000_000, "strategy": "chart"}]
        },
    )

    rules: Annotated[str, Field(min_length=1, max_length=LONGEST_RULES)]
    rounds: Annotated[int, Field(ge=1)] = 1_000_000
    until: Annotated[float, Field(ge=0, le=1)] = Field(
        default=0.0, description="Stop at this standard error; 0: play all rounds."
    )
    strategy: Word = "chart"
    spots: Annotated[int, Field(ge=1, le=100)] = 1
    base: Word = Field(default="", description="Dollars; left out: the table minimum.")
    side: Word = ""
    shoe: Word = "cut-card"
    errors: Word = ""
    count: Word = ""
    session: Annotated[int, Field(ge=0, le=LONGEST_SESSION)] = 0
    meter: Word = ""
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] = 21

    def settings(self) -> Settings:
        return Settings(**{field.name: getattr(self, field.name) for field in fields(Settings)})


@router.post("", status_code=202)
async def start(asked: NewSimulation, found: Somebody, house: HouseServices) -> JSONResponse:
    """Begin a simulation; refused when its plan is not sound, or too many run."""
    rules = house_rules(asked.rules)
    check_names(strategy=asked.strategy, count=asked.count)
    most = house.settings.job_rounds
    if asked.rounds > most:
        raise Declined(422, "bad_plan", f"rounds: a server plays at most {most:,} of them.")
    settings = asked.settings()
    await run_sync(settings.plan, rules)
    job = await house.jobs.start(found.id, settings, asked.rounds, asked.until)
    return JSONResponse(job.as_data(), 202, headers={"Location": f"/simulations/{job.id}"})


@router.get("")
async def list_jobs(found: Somebody, house: HouseServices) -> JSONResponse:
    """Your simulations."""
    return answer([job.as_data() for job in house.jobs.of(found.id)])


@router.get("/{number}")
async def progress(number: str, found: Somebody, house: HouseServices) -> JSONResponse:
    """How far it is."""
    return answer(house.jobs.find(found.id, number).as_data())


@router.get("/{number}/result")
async def result(number: str, found: Somebody, house: HouseServices) -> JSONResponse:
    """What came of it, as `ventiuna simulate --json` prints it."""
    job = house.jobs.find(found.id, number)
    if job.result is None:
        is_running = job.state is JobState.RUNNING
        sentence = "It is not finished yet." if is_running else f"It was {job.state}: no result."
        raise Declined(409, "no_result", sentence)
    return answer(job.result)


@router.delete("/{number}")
async def cancel(number: str, found: Somebody, house: HouseServices) -> JSONResponse:
    """End it; what it has played so far is dropped."""
    job = house.jobs.find(found.id, number)
    await house.jobs.cancel(job)
    return answer(job.as_data())
