"""Exact analysis and simulations, with the names and output of the command line's --json."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from inspect import Parameter, Signature
from typing import Annotated, Any, cast

from anyio.to_thread import run_sync
from fastapi import Depends, Path, Query
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from ventiuna.analysis.base_game.analyzer import HandRow
from ventiuna.analysis.base_game.design import DesignAnswer
from ventiuna.analysis.base_game.queries import (
    ChangeData,
    EdgeAnswer,
    RuleChange,
    find_change,
    rule_changes,
)
from ventiuna.analysis.charts.derivation import StrategyAnswer
from ventiuna.analysis.coerce import parse_shoe
from ventiuna.analysis.queries import (
    ChangeQuery,
    DesignQuery,
    EdgeQuery,
    GamesQuery,
    HandQuery,
    StrategyQuery,
)
from ventiuna.analysis.query import Query as AnalysisQuery
from ventiuna.analysis.query import answer
from ventiuna.analysis.side_bets.queries import (
    JackpotAnswer,
    JackpotQuery,
    SideBetsAnswer,
    SideBetsQuery,
)
from ventiuna.cards import card_text
from ventiuna.counting.indices import CountAnswer
from ventiuna.counting.queries import EffectsQuery, StudyQuery
from ventiuna.counting.removal import EffectsAnswer
from ventiuna.package import require_library
from ventiuna.reports.queries import ReportFormat, ReportName, ReportQuery, report_file
from ventiuna.server.analysis_pool import canonical_rules_name, rules_by_name
from ventiuna.server.deps import (
    CurrentPerson,
    HouseServices,
    Services,
    permitted_router,
)
from ventiuna.server.job_store import JobData, JobState, PlottedJob
from ventiuna.server.problems import RequestDeclined
from ventiuna.server.routers.rules import MAX_RULES_LENGTH, RulesText, json_response
from ventiuna.server.schemas import check_names, load_named_rules
from ventiuna.simulation.plan import MAX_SESSION, ShoeUse
from ventiuna.simulation.queries import SimulationSettings
from ventiuna.simulation.result import SimulationData
from ventiuna.simulation.settings import strategy_names
from ventiuna.strategy.counting import built_in_counts

# Guests may use this too; requiring a token keeps strangers from using the house's CPU time.
router = permitted_router("analysis", "/analysis")

MAX_TEXT_LENGTH = 1_000
MAX_COUNT = 100  # maximum number of players, games or tables
Cards = Annotated[str, Query(max_length=MAX_TEXT_LENGTH, examples=["7s 7s Kh"])]
Counts = Annotated[
    str,
    Query(
        max_length=MAX_TEXT_LENGTH,
        description="Cards left in the shoe, by card, or by rank with equal numbers of each suit.",
        examples=["7s:3 K:12 2:20"],
    ),
]


def _add_route(path: str, query: type[AnalysisQuery], model: Any) -> None:
    """Answer a query at this path; the URL parameters are the query's options."""

    async def route(*, question: AnalysisQuery, house: HouseServices) -> JSONResponse:
        found = await house.analysis_pool.ask(answer, question, patient=question.is_slow)
        return json_response(found)

    def read_url(**given: Any) -> AnalysisQuery:
        check_names(chart=given.get("chart", ""))
        for name, option in query.options().items():
            if option.old_name:
                given[name] |= given.pop(option.old_name)
        rules = rules_by_name(canonical_rules_name(given.pop("rules")))
        question = query.parse(rules=rules, **given)
        if question.too_long:
            raise RequestDeclined(422, "too_long", question.too_long)
        return question

    _set_parameters(read_url, _url_parameters(query))
    question = _parameter("question", Annotated[query, Depends(read_url)])
    _set_parameters(route, [question, _parameter("house", HouseServices)])
    description = (query.__doc__ or "").partition("\n\n")[0]
    router.get(path, name=path[1:], description=description, response_model=model)(route)


def _url_parameters(query: type[AnalysisQuery]) -> Iterator[Parameter]:
    for name, option in query.options().items():
        default = Parameter.empty if option.is_argument else query.model_fields[name].default
        if name == "rules":
            yield _parameter(name, RulesText)
        elif option.kind is bool:
            yield _parameter(name, bool, default)
        elif option.kind is int:
            kind: Any = int if default is not None else int | None
            low = option.low or 0
            high = MAX_COUNT if option.high is None else option.high
            yield _parameter(name, Annotated[kind, Query(ge=low, le=high)], default)
        else:
            limits: dict[str, Any] = {"min_length": 1} if option.is_argument else {}
            examples = [option.example] if option.example else None
            text = Query(
                max_length=option.longest, description=option.help, examples=examples, **limits
            )
            shown = default if isinstance(default, str) or option.is_argument else ""
            yield _parameter(name, Annotated[str, text], shown)
        if option.old_name:
            hidden = Query(include_in_schema=False)
            yield _parameter(option.old_name, Annotated[option.kind, hidden], default)


def _parameter(name: str, annotation: Any, default: object = Parameter.empty) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _set_parameters(function: Any, parameters: Iterable[Parameter]) -> None:
    function.__signature__ = Signature(list(parameters))


_add_route("/edge", EdgeQuery, EdgeAnswer)
_add_route("/games", GamesQuery, list[str])
_add_route("/design", DesignQuery, DesignAnswer)
_add_route("/hand", HandQuery, list[HandRow])
_add_route("/strategy", StrategyQuery, StrategyAnswer)
_add_route("/side-bets", SideBetsQuery, SideBetsAnswer)
_add_route("/jackpot", JackpotQuery, JackpotAnswer)
_add_route("/effects", EffectsQuery, EffectsAnswer)
_add_route("/count", StudyQuery, CountAnswer)


@router.get("/changes", response_model=list[ChangeData])
def changes(rules: RulesText) -> JSONResponse:
    """Every single-rule change that has a computable value."""
    return json_response(
        [change.as_data() for change in _list_changes(canonical_rules_name(rules))]
    )


class ValuedChange(ChangeData):
    house_edge: float
    change: float


@router.get("/change", response_model=ValuedChange)
async def change(
    rules: RulesText,
    name: Annotated[str, Query(min_length=1, max_length=100, examples=["soft_17=stand"])],
    house: HouseServices,
) -> JSONResponse:
    """Exact value of one rule change, in points of house edge; positive favors the player."""
    start = canonical_rules_name(rules)
    found = find_change(await run_sync(_list_changes, start), name)
    before = await house.analysis_pool.ask(answer, EdgeQuery(rules=rules_by_name(start)))
    changed = (
        ChangeQuery(rules=rules_by_name(start), name=name)
        if found.rules is None
        else EdgeQuery(rules=rules_by_name(found.rules))
    )
    after = await house.analysis_pool.ask(answer, changed, patient=True)
    edges = [cast(dict[str, float], data)["house_edge"] for data in (before, after)]
    data: ValuedChange = {
        **found.as_data(),
        "house_edge": edges[1],
        "change": edges[0] - edges[1],
    }
    return json_response(data)


@lru_cache(maxsize=256)
def _list_changes(rules: str) -> tuple[RuleChange, ...]:
    return rule_changes(rules_by_name(rules))


class CardsLeft(TypedDict):
    cards: int
    counts: dict[str, int]


@router.get("/shoe", response_model=CardsLeft)
def shoe_left(rules: RulesText, shoe: Counts = "", without: Cards = "") -> JSONResponse:
    """Number of each card in a shoe, fresh or partly dealt."""
    found = rules_by_name(rules)
    counts = parse_shoe(found, without, shoe)
    cards = {card_text(card): counts[card] for card in found.pack.cards}
    return json_response(CardsLeft(cards=sum(counts), counts=cards))


_MEDIA = {ReportFormat.HTML: "text/html", ReportFormat.PDF: "application/pdf"}


@router.get(
    "/sheet/{sheet}",
    response_class=Response,
    responses={200: {"content": {media: {} for media in _MEDIA.values()}}},
)
async def sheet(
    sheet: ReportName,
    rules: RulesText,
    house: HouseServices,
    form: Annotated[ReportFormat, Query(alias="format")] = ReportFormat.HTML,
) -> Response:
    """PAR sheet, posting sheet, pocket card, or list of ambiguities for these rules, as one file.

    A PDF requires the extra `print`.
    """
    if form is ReportFormat.PDF:
        require_library("fpdf")
    question = ReportQuery(sheet, canonical_rules_name(rules), form)
    page: Any = await house.analysis_pool.ask(report_file, question, patient=True, keep=False)
    name = f"{sheet}-{canonical_rules_name(rules).partition('(')[0]}"
    return file_response(page, name, form)


def file_response(page: bytes, name: str, form: ReportFormat) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
    return Response(page, media_type=_MEDIA[form], headers=headers)


simulations_router = permitted_router("simulations", "/simulations")


JobId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,40}$")]


class NewSimulation(SimulationSettings):
    """Names and values match those of `ventiuna simulate`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"rules": "wsgc-2021", "rounds": 1_000_000, "strategy": "chart"}]
        },
    )

    rules: Annotated[str, Field(min_length=1, max_length=MAX_RULES_LENGTH)]
    rounds: Annotated[int, Field(ge=1)] = 1_000_000
    until: Annotated[float, Field(ge=0, le=1)] = Field(
        default=0.0, description="Stop at this standard error; 0 plays all rounds."
    )
    session: Annotated[int, Field(ge=0, le=MAX_SESSION)] = 0


@simulations_router.post("", status_code=202, response_model=JobData)
async def start(body: NewSimulation, person: CurrentPerson, house: HouseServices) -> JSONResponse:
    """Start a simulation; declined if the plan is invalid or too many simulations are running."""
    rules = load_named_rules(body.rules)
    check_names(strategy=body.strategy, count=body.count)
    # Check now; otherwise, the job would fail only after its process has started and compiled.
    if body.strategy not in strategy_names():
        known = ", ".join(strategy_names())
        raise RequestDeclined(422, "bad_plan", f"The strategy must be one of {known}.")
    _check_rounds(body.rounds, house)
    settings = SimulationSettings(**body.model_dump(exclude={"rounds", "until"}))
    await run_sync(settings.plan, rules)
    job = await house.jobs.start(person.id, settings, body.rounds, body.until)
    return JSONResponse(job.as_data(), 202, headers={"Location": f"/simulations/{job.id}"})


def _check_rounds(rounds: int, house: Services) -> None:
    maximum = house.settings.job_rounds
    if rounds > maximum:
        raise RequestDeclined(
            422, "bad_plan", f"This server simulates at most {maximum:,} rounds. Request fewer."
        )


class SimulationChoices(TypedDict):
    strategies: list[str]
    counts: list[str]
    shoes: list[str]
    most_rounds: int
    longest_session: int


@simulations_router.get("/choices", response_model=SimulationChoices)
async def choices(house: HouseServices) -> JSONResponse:
    """Names that a simulation accepts, and the maximum number of rounds."""
    return json_response(
        SimulationChoices(
            strategies=list(strategy_names()),
            counts=list(built_in_counts()),
            shoes=[str(use) for use in ShoeUse],
            most_rounds=house.settings.job_rounds,
            longest_session=MAX_SESSION,
        )
    )


@simulations_router.get("", response_model=list[JobData])
async def list_jobs(person: CurrentPerson, house: HouseServices) -> JSONResponse:
    """Your simulations."""
    return json_response([job.as_data() for job in await house.jobs.of(person.id)])


@simulations_router.get("/{number}", response_model=PlottedJob)
async def progress(number: JobId, person: CurrentPerson, house: HouseServices) -> JSONResponse:
    """Progress and plot data: convergence, histogram, and sessions so far."""
    job = await house.jobs.find(person.id, number)
    return json_response(job.full_data())


@simulations_router.post("/{number}/stop", response_model=JobData)
async def stop(number: JobId, person: CurrentPerson, house: HouseServices) -> JSONResponse:
    """Stop a simulation early and keep its result so far; it can be resumed later."""
    job = await house.jobs.find(person.id, number)
    return json_response((await house.jobs.stop(job)).as_data())


class MoreRounds(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    rounds: Annotated[int, Field(ge=0)] = Field(
        default=0, description="Total number of rounds; 0 keeps the original number."
    )


@simulations_router.post("/{number}/resume", status_code=202, response_model=JobData)
async def resume(
    number: JobId, body: MoreRounds, person: CurrentPerson, house: HouseServices
) -> JSONResponse:
    """Resume a stopped simulation; the result is the same as from a single run."""
    job = await house.jobs.find(person.id, number)
    rounds = body.rounds or job.rounds
    _check_rounds(rounds, house)
    await house.jobs.resume(job, rounds)
    return JSONResponse(job.as_data(), 202)


@simulations_router.get("/{number}/result", response_model=SimulationData)
async def result(number: JobId, person: CurrentPerson, house: HouseServices) -> JSONResponse:
    """The result, as `ventiuna simulate --json` prints it."""
    job = await house.jobs.find(person.id, number)
    if job.result is None:
        sentence = f"The simulation was {job.state} and has no result."
        if job.state is JobState.RUNNING:
            sentence = "The simulation isn't finished yet."
        raise RequestDeclined(409, "no_result", sentence)
    return json_response(job.result)


@simulations_router.delete("/{number}", response_model=JobData)
async def cancel(number: JobId, person: CurrentPerson, house: HouseServices) -> JSONResponse:
    """Cancel a simulation and discard its results."""
    job = await house.jobs.find(person.id, number)
    return json_response((await house.jobs.cancel(job)).as_data())
