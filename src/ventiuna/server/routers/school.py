"""The dealer school and the dealer console."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi.responses import JSONResponse
from pydantic import ConfigDict, Field

from ventiuna.core.cards import CARDS
from ventiuna.engine.events import Place, Wager
from ventiuna.money import LARGEST_AMOUNT
from ventiuna.school.catch_errors import (
    CatchResultData,
    CatchRound,
    ErrorKind,
    Watched,
    catch_result,
    catch_result_data,
)
from ventiuna.school.console import (
    MAX_ENTRY_LENGTH,
    ConsoleData,
    ConsoleRound,
    console_data,
    split_entries,
)
from ventiuna.school.lessons import (
    MAX_ROUNDS,
    MAX_SEED,
    Attempt,
    Lesson,
    LessonResultData,
    LessonRound,
    lesson_result,
    lesson_result_data,
    make_lesson,
)
from ventiuna.school.step_text import parse_step
from ventiuna.school.steps import StepInput, StepKind
from ventiuna.school.views import (
    CatchRoundData,
    LessonRoundData,
    LevelData,
    catch_round_data,
    lesson_round_data,
    levels_data,
)
from ventiuna.server.deps import (
    RequestBody,
    permitted_router,
)
from ventiuna.server.routers.rules import MAX_RULES_LENGTH, json_response
from ventiuna.server.schemas import load_named_rules

router = permitted_router("school", "/school")

MAX_STEPS = 600
MAX_ENTRIES = 600
MAX_MILLISECONDS = 24 * 3_600_000
MAX_LEARNER_LENGTH = 60
NEW_SEEDS = 10**9
Text = Annotated[str, Field(max_length=MAX_ENTRY_LENGTH)]
RulesName = Annotated[str, Field(max_length=MAX_RULES_LENGTH)]


class _SchoolBody(RequestBody):
    model_config = ConfigDict(strict=False)


class StepDone(_SchoolBody):
    """A learner's step, as `text` or in parts; omit both to ask for the answer."""

    text: Text = Field(default="", examples=["pay 2 22.50", "take 3 up", "card 2.1", "look"])
    kind: StepKind | None = None
    spot: Annotated[int, Field(ge=0, le=9)] = 0
    hand: Annotated[int, Field(ge=-1, le=9)] = Field(
        default=0, description="Counted from 0; for a Bonus Card, its number minus one."
    )
    place: Place | None = None
    wager: Wager | None = None
    amount: Annotated[int, Field(ge=0, le=LARGEST_AMOUNT)] | None = Field(
        default=None, description="In cents; if omitted with take, the whole wager."
    )
    ms: Annotated[int, Field(ge=0, le=MAX_MILLISECONDS)] = Field(
        default=0, description="Time taken, in milliseconds."
    )

    def attempt(self) -> Attempt:
        if self.kind is None:
            return Attempt(parse_step(self.text) if self.text else None, self.ms)
        on_hand = self.wager in (None, Wager.HAND)
        hand = self.hand if on_hand else -1
        tried = StepInput(self.kind, self.spot, hand, self.place, self.wager, self.amount)
        return Attempt(tried, self.ms)


Steps = Annotated[list[StepDone], Field(max_length=MAX_STEPS)]


SupervisorOption = Annotated[
    Literal["off", "required"],
    Field(description="Whether a floor person must watch third cards and authorize payments."),
]


class _TrainingRequest(_SchoolBody):
    level: Annotated[str, Field(max_length=40)]
    rules: RulesName = Field(default="", description="Defaults to the level's rules.")
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] | None = Field(
        default=None, description="Defaults to a new one."
    )
    supervisor: SupervisorOption = "off"

    def lesson(self, seed: int, exam: bool = False) -> Lesson:
        rules = load_named_rules(self.rules) if self.rules else None
        return make_lesson(self.level, rules, seed, exam, self.supervisor == "required")


class LessonRequest(_TrainingRequest):
    exam: bool = False


class LessonRoundRequest(LessonRequest):
    """One round of a lesson so far."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "level": "bonuses",
                    "seed": 21,
                    "round": 1,
                    "steps": [{"kind": "ask", "spot": 1, "ms": 2400}, {"text": "card 1"}],
                }
            ]
        }
    )

    round: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] = 1
    steps: Steps = Field(default=[])


class LessonResultRequest(LessonRequest):
    """All the learner's steps, round by round."""

    name: Annotated[str, Field(max_length=MAX_LEARNER_LENGTH)] = Field(
        default="", description="Name printed on the result."
    )
    rounds: Annotated[list[Steps], Field(max_length=40)]


class WatchedStep(_SchoolBody):
    """One of the dealer's steps, let pass or stopped."""

    stop: bool = False
    error: ErrorKind | None = Field(default=None, description="The kind of error you see.")
    instead: Text = Field(
        default="", description="The right step.", examples=["pay 2 22.50", "look"]
    )
    ms: Annotated[int, Field(ge=0, le=MAX_MILLISECONDS)] = Field(
        default=0, description="Time taken, in milliseconds."
    )

    def watched(self) -> Watched:
        instead = parse_step(self.instead) if self.instead else None
        return Watched(self.stop, self.error, instead, self.ms)


WatchedSteps = Annotated[list[WatchedStep], Field(max_length=MAX_STEPS)]


class CatchRoundRequest(_TrainingRequest):
    """One round so far: your reaction to each of the dealer's steps."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "level": "base-game",
                    "seed": 21,
                    "round": 1,
                    "steps": [
                        {"ms": 1800},
                        {"stop": True, "error": "deal-order", "instead": "card 1", "ms": 2400},
                    ],
                }
            ]
        }
    )

    round: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] = 1
    steps: WatchedSteps = Field(default=[])


class CatchResultRequest(_TrainingRequest):
    """All your reactions, round by round."""

    name: Annotated[str, Field(max_length=MAX_LEARNER_LENGTH)] = Field(
        default="", description="Name printed on the result."
    )
    rounds: Annotated[list[WatchedSteps], Field(max_length=40)]


class ConsoleRequest(_SchoolBody):
    """The entries so far for a round at a real table."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "rules": "wsgc-2021",
                    "entries": ["1 25 up 5", "close", "8c", "9d", "Kh"],
                }
            ]
        }
    )

    rules: Annotated[str, Field(min_length=1, max_length=MAX_RULES_LENGTH)]
    entries: Annotated[list[Text], Field(max_length=MAX_ENTRIES)] = Field(default=[])
    meters: Annotated[
        list[Annotated[list[Annotated[int, Field(ge=0, le=LARGEST_AMOUNT)]], Field(max_length=2)]],
        Field(max_length=2),
    ] = Field(default=[], description="Cents and remainder for each jackpot before the round.")
    gone: Annotated[list[Annotated[int, Field(ge=0, lt=CARDS)]], Field(max_length=8 * CARDS)] = (
        Field(default=[], description="Cards from earlier rounds since the shuffle.")
    )
    supervisor: SupervisorOption = "off"


@router.get("/levels", response_model=list[LevelData])
def levels() -> JSONResponse:
    """The levels, from the base game to seven spots with everything."""
    return json_response(levels_data())


@router.post("/rounds", response_model=LessonRoundData)
def play_round(body: LessonRoundRequest) -> JSONResponse:
    """The table after the steps so far, and the verdict on the last one."""
    lesson = body.lesson(_seed_of(body), body.exam)
    attempts = [step.attempt() for step in body.steps]
    return json_response(lesson_round_data(LessonRound(lesson, body.round, attempts)))


def _seed_of(body: _TrainingRequest) -> int:
    return secrets.randbelow(NEW_SEEDS) if body.seed is None else body.seed


@router.post("/results", response_model=LessonResultData)
def result(body: LessonResultRequest) -> JSONResponse:
    """Accuracy by kind of step, time, score, and every mistake with its rule."""
    lesson = body.lesson(body.seed or 0, body.exam)
    rounds = [[step.attempt() for step in steps] for steps in body.rounds]
    today = datetime.now(UTC).date()
    return json_response(lesson_result_data(lesson_result(lesson, rounds), body.name, today))


@router.post("/catch/rounds", response_model=CatchRoundData)
def watch_round(body: CatchRoundRequest) -> JSONResponse:
    """Catch the error: the dealer's current step, and the verdict on your last reaction."""
    watched = [step.watched() for step in body.steps]
    return json_response(
        catch_round_data(CatchRound(body.lesson(_seed_of(body)), body.round, watched))
    )


@router.post("/catch/results", response_model=CatchResultData)
def catch_results(body: CatchResultRequest) -> JSONResponse:
    """Errors caught, named and corrected, by kind; false alarms, time and score."""
    rounds = [[step.watched() for step in steps] for steps in body.rounds]
    result = catch_result(body.lesson(body.seed or 0), rounds)
    return json_response(catch_result_data(result, body.name, datetime.now(UTC).date()))


@router.post("/console", response_model=ConsoleData)
def console(body: ConsoleRequest) -> JSONResponse:
    """The next step, the next entry, and every payout so far."""
    meters = [(pair[0], pair[1] if len(pair) > 1 else 0) for pair in body.meters if pair]
    entries = [entry for line in body.entries for entry in split_entries(line)]
    rules, supervised = load_named_rules(body.rules), body.supervisor == "required"
    return json_response(console_data(ConsoleRound(rules, entries, meters, body.gone, supervised)))
