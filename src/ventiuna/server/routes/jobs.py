"""Simulation jobs of one's own: start, watch, stop, go on, cancel, fetch."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Path
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from ventiuna.server.given import check_names, house_rules
from ventiuna.server.job_rows import JobState
from ventiuna.server.problems import Declined
from ventiuna.server.routes.rules import LONGEST_RULES, answer
from ventiuna.server.security import Somebody
from ventiuna.server.services import Services, services_of
from ventiuna.simulation.plan import LONGEST_SESSION, ShoeUse
from ventiuna.simulation.settings import Settings
from ventiuna.simulation.strategies import strategy_names
from ventiuna.strategy.counting import built_in_counts

router = APIRouter(prefix="/simulations", tags=["simulations"])
HouseServices = Annotated[Services, Depends(services_of)]

Word = Annotated[str, Field(max_length=200)]
Number = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,40}$")]
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
    _check_strategy(asked.strategy)
    _check_rounds(asked.rounds, house)
    settings = asked.settings()
    await run_sync(settings.plan, rules)
    job = await house.jobs.start(found.id, settings, asked.rounds, asked.until)
    return JSONResponse(job.as_data(), 202, headers={"Location": f"/simulations/{job.id}"})


def _check_strategy(name: str) -> None:
    """Now: a job would find out when its process has started and compiled."""
    if name not in strategy_names():
        known = ", ".join(strategy_names())
        raise Declined(422, "bad_plan", f"strategy: choose one of {known}.")


def _check_rounds(rounds: int, house: Services) -> None:
    most = house.settings.job_rounds
    if rounds > most:
        raise Declined(422, "bad_plan", f"rounds: a server plays at most {most:,} of them.")


@router.get("/choices")
async def choices(house: HouseServices, _: Somebody) -> JSONResponse:
    """Names that a simulation may be asked for with, and the most rounds of one."""
    return answer(
        {
            "strategies": list(strategy_names()),
            "counts": list(built_in_counts()),
            "shoes": [str(use) for use in ShoeUse],
            "most_rounds": house.settings.job_rounds,
            "longest_session": LONGEST_SESSION,
        }
    )


@router.get("")
async def list_jobs(found: Somebody, house: HouseServices) -> JSONResponse:
    """Your simulations."""
    return answer([job.as_data() for job in await house.jobs.of(found.id)])


@router.get("/{number}")
async def progress(number: Number, found: Somebody, house: HouseServices) -> JSONResponse:
    """How far it is, and what there is to draw: convergence, histogram, sessions so far."""
    job = await house.jobs.find(found.id, number)
    return answer(job.whole_data())


@router.post("/{number}/stop")
async def stop(number: Number, found: Somebody, house: HouseServices) -> JSONResponse:
    """End it early and keep what it has found; it can go on later."""
    job = await house.jobs.find(found.id, number)
    return answer((await house.jobs.stop(job)).as_data())


class MoreRounds(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    rounds: Annotated[int, Field(ge=0)] = Field(
        default=0, description="In all; 0: as many as it was started with."
    )


@router.post("/{number}/resume", status_code=202)
async def resume(
    number: Number, asked: MoreRounds, found: Somebody, house: HouseServices
) -> JSONResponse:
    """Go on where it was stopped: the digits are those of one run."""
    job = await house.jobs.find(found.id, number)
    rounds = asked.rounds or job.rounds
    _check_rounds(rounds, house)
    await house.jobs.resume(job, rounds)
    return JSONResponse(job.as_data(), 202)


@router.get("/{number}/result")
async def result(number: Number, found: Somebody, house: HouseServices) -> JSONResponse:
    """What came of it, as `ventiuna simulate --json` prints it."""
    job = await house.jobs.find(found.id, number)
    if job.result is None:
        is_running = job.state is JobState.RUNNING
        sentence = "It is not finished yet." if is_running else f"It was {job.state}: no result."
        raise Declined(409, "no_result", sentence)
    return answer(job.result)


@router.delete("/{number}")
async def cancel(number: Number, found: Somebody, house: HouseServices) -> JSONResponse:
    """End it; what it has played so far is dropped."""
    job = await house.jobs.find(found.id, number)
    return answer((await house.jobs.cancel(job)).as_data())
