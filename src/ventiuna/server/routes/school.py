"""The dealer's school and the dealer's console.

The server keeps nothing of either: a round follows from level, seed and the steps that the client
sends with each question, a console's round from what was keyed.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from ventiuna.core.cards import CARDS
from ventiuna.engine.events import Place
from ventiuna.engine.stakes import Wager
from ventiuna.money import LARGEST_AMOUNT
from ventiuna.school.console.data import console_data
from ventiuna.school.console.entries import LONGEST_ENTRY, entries_of
from ventiuna.school.console.round import ConsoleRound
from ventiuna.school.lesson import LARGEST_SEED, MOST_ROUNDS, Attempt, RoundOfLesson, lesson_of
from ventiuna.school.lesson_data import levels_data, round_data
from ventiuna.school.reading import read_step
from ventiuna.school.result import result_data, result_of
from ventiuna.school.steps import Kind, Tried
from ventiuna.server.given import house_rules
from ventiuna.server.routes.rules import LONGEST_RULES, answer
from ventiuna.server.security import person

router = APIRouter(prefix="/school", tags=["school"])
PERSONS = [Depends(person)]

MOST_STEPS = 600
MOST_ENTRIES = 600
LONGEST_MILLISECONDS = 24 * 3_600_000
LONGEST_LEARNER = 60
NEW_SEEDS = 10**9
Text = Annotated[str, Field(max_length=LONGEST_ENTRY)]
RulesName = Annotated[str, Field(max_length=LONGEST_RULES)]


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class StepDone(_Given):
    """What a learner did: typed as `text`, or in parts; neither asks to be shown the step."""

    text: Text = Field(default="", examples=["pay 2 22.50", "take 3 up", "card 2.1", "look"])
    kind: Kind | None = None
    spot: Annotated[int, Field(ge=0, le=9)] = 0
    hand: Annotated[int, Field(ge=-1, le=9)] = Field(
        default=0, description="From 0; of a Bonus Card its number less one."
    )
    place: Place | None = None
    wager: Wager | None = None
    amount: Annotated[int, Field(ge=0, le=LARGEST_AMOUNT)] | None = Field(
        default=None, description="Cents; left out with take: the whole wager."
    )
    ms: Annotated[int, Field(ge=0, le=LONGEST_MILLISECONDS)] = Field(
        default=0, description="How long it took."
    )

    def attempt(self) -> Attempt:
        if self.kind is None:
            return Attempt(read_step(self.text) if self.text else None, self.ms)
        on_hand = self.wager in (None, Wager.HAND)
        hand = self.hand if on_hand else -1
        tried = Tried(self.kind, self.spot, hand, self.place, self.wager, self.amount)
        return Attempt(tried, self.ms)


Steps = Annotated[list[StepDone], Field(max_length=MOST_STEPS)]


class LessonAsked(_Given):
    level: Annotated[str, Field(max_length=40)]
    rules: RulesName = Field(default="", description="Left out: those of the level.")
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None = Field(
        default=None, description="Left out: a new one."
    )
    exam: bool = False


class RoundAsked(LessonAsked):
    """One round of a lesson as far as it has come."""

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

    round: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] = 1
    steps: Steps = []


class ResultAsked(LessonAsked):
    """Everything that the learner did, round by round."""

    name: Annotated[str, Field(max_length=LONGEST_LEARNER)] = Field(
        default="", description="Whose result it is, as it is printed."
    )
    rounds: Annotated[list[Steps], Field(max_length=40)]


class ConsoleAsked(_Given):
    """A round at a real table as far as it was keyed."""

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

    rules: Annotated[str, Field(min_length=1, max_length=LONGEST_RULES)]
    entries: Annotated[list[Text], Field(max_length=MOST_ENTRIES)] = []
    meters: Annotated[
        list[Annotated[list[Annotated[int, Field(ge=0, le=LARGEST_AMOUNT)]], Field(max_length=2)]],
        Field(max_length=2),
    ] = Field(default=[], description="Cents and remainder of each jackpot before the round.")
    gone: Annotated[list[Annotated[int, Field(ge=0, lt=CARDS)]], Field(max_length=8 * CARDS)] = (
        Field(default=[], description="Cards of earlier rounds since the shuffle.")
    )


@router.get("/levels")
def levels() -> JSONResponse:
    """What can be learnt, from the base game to seven spots with everything."""
    return answer(levels_data())


@router.post("/rounds", dependencies=PERSONS)
def play_round(asked: RoundAsked) -> JSONResponse:
    """The table after the steps so far, and how the last of them was done."""
    seed = secrets.randbelow(NEW_SEEDS) if asked.seed is None else asked.seed
    rules = house_rules(asked.rules) if asked.rules else None
    lesson = lesson_of(asked.level, rules, seed, asked.exam)
    attempts = [step.attempt() for step in asked.steps]
    return answer(round_data(RoundOfLesson(lesson, asked.round, attempts)))


@router.post("/results", dependencies=PERSONS)
def result(asked: ResultAsked) -> JSONResponse:
    """Accuracy by kind of step, time, score and every mistake with its rule."""
    rules = house_rules(asked.rules) if asked.rules else None
    lesson = lesson_of(asked.level, rules, asked.seed or 0, asked.exam)
    rounds = [[step.attempt() for step in steps] for steps in asked.rounds]
    today = datetime.now(UTC).date()
    return answer(result_data(result_of(lesson, rounds), asked.name, today))


@router.post("/console", dependencies=PERSONS)
def console(asked: ConsoleAsked) -> JSONResponse:
    """What to do and what to key next, and every pay so far."""
    meters = [(pair[0], pair[1] if len(pair) > 1 else 0) for pair in asked.meters if pair]
    entries = [entry for line in asked.entries for entry in entries_of(line)]
    return answer(console_data(ConsoleRound(house_rules(asked.rules), entries, meters, asked.gone)))
