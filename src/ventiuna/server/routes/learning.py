"""Learning: one's session split into luck and skill, and hands to practise."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from ventiuna.analysis.coaching.drills import Drill
from ventiuna.analysis.coaching.kinds import DRILLED, Kind, cell_of, item_of
from ventiuna.core.cards import CARDS
from ventiuna.engine.view_data import option_data
from ventiuna.rules import canonical, fingerprint
from ventiuna.server.day_hand import RULES as DAYS_RULES
from ventiuna.server.day_hand import HandOfTheDay
from ventiuna.server.given import house_rules
from ventiuna.server.learning import (
    answered,
    next_drill,
    session_data,
    session_of,
    situation_of,
    words_data,
)
from ventiuna.server.problems import Declined
from ventiuna.server.routes.rules import LONGEST_RULES, answer
from ventiuna.server.security import Somebody
from ventiuna.server.services import Services, services_of
from ventiuna.table.persons.learning import all_practised

router = APIRouter(prefix="/learning", tags=["learning"])
HouseServices = Annotated[Services, Depends(services_of)]
RulesName = Annotated[
    str, Field(min_length=1, max_length=LONGEST_RULES, examples=["wsgc-spanish-21"])
]
CardCode = Annotated[int, Field(ge=0, lt=CARDS)]
LARGEST_SEED = 2**53


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class DrillWanted(_Body):
    rules: RulesName
    kind: Annotated[str, Field(max_length=20)] = Field(
        default="", description="Which hands; all where it is empty.", examples=["bonus_draw"]
    )
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None = Field(
        default=None, description="The same hand again; by chance where it is left out."
    )
    after: Annotated[str, Field(max_length=60)] = Field(
        default="", description="The `item` asked before: it is not due again at once."
    )


class SituationData(_Body):
    """A hand before a decision; the last `doublings` of its cards were drawn by doubling."""

    cards: Annotated[list[CardCode], Field(min_length=2, max_length=21, examples=[[28, 23]])]
    up: Annotated[CardCode, Field(examples=[13])]
    doublings: Annotated[int, Field(ge=0, le=3)] = 0
    insurance: bool = False
    hands: Annotated[int, Field(ge=1, le=4)] = Field(
        default=1, description="Of the spot, after a split."
    )
    hand: Annotated[int, Field(ge=0, le=3)] = Field(
        default=0, description="Which of them is asked; those before it stand on two cards."
    )


class DrillAnswer(_Body):
    rules: RulesName
    situation: SituationData
    action: Annotated[str, Field(min_length=1, max_length=20, examples=["hit"])]


@router.get("/session")
async def own_session(
    found: Somebody,
    house: HouseServices,
    since: Annotated[
        int, Query(ge=0, le=2**53, description="Milliseconds since 1970; rounds since then.")
    ] = 0,
) -> JSONResponse:
    """Your rounds: the result split into house edge, mistakes and luck.

    Rounds are reviewed some at a time: ask again while `pending` is above 0.
    """
    return answer(session_data(await session_of(house, found.id, since)))


@router.get("/kinds")
def kinds() -> list[str]:
    """The kinds of hands that can be practised."""
    return [str(kind) for kind in DRILLED]


@router.get("/day")
async def hand_of_the_day(request: Request) -> JSONResponse:
    """One hand for everybody, with the exact price of each choice."""
    kept = request.app.state.day_hand
    assert isinstance(kept, HandOfTheDay)
    made = await kept.drill()
    return answer({"rules": DAYS_RULES, **_drill_data(made), "advice": made.advice.as_data()})


@router.post("/drills")
async def drill(asked: DrillWanted, found: Somebody, house: HouseServices) -> JSONResponse:
    """A hand to play: new ones by what a mistake costs, and those that you missed before."""
    rules = house_rules(asked.rules)
    kind = _kind(asked.kind)
    seed = asked.seed
    if seed is None:
        seed = int.from_bytes(house.entropy(6))
    made, due = await next_drill(house, found.id, rules, kind, seed, asked.after)
    return answer({"rules": canonical(rules), "due": due, **_drill_data(made)})


def _kind(text: str) -> Kind | None:
    if not text:
        return None
    if text not in DRILLED:
        known = ", ".join(DRILLED)
        raise Declined(422, "bad_request", f"kind: choose one of {known}, or none.")
    return Kind(text)


def _drill_data(made: Drill) -> dict[str, Any]:
    situation = made.situation
    item = item_of(made.coached)
    return {
        "situation": asdict(situation),
        "kind": str(made.kind),
        "item": item,
        **words_data(item, made.coached.hand.rules),
        "cell": None if situation.insurance else cell_of(made.coached.hand).as_data(),
        "options": [option_data(option) for option in made.options],
    }


@router.post("/answers")
async def answer_drill(asked: DrillAnswer, found: Somebody, house: HouseServices) -> JSONResponse:
    """What your choice costs, why, and when the hand comes again."""
    situation = situation_of(asked.situation.model_dump())
    return answer(
        await answered(house, found.id, house_rules(asked.rules), situation, asked.action)
    )


@router.get("/practice")
def practice(
    found: Somebody,
    house: HouseServices,
    rules: Annotated[str, Query(min_length=1, max_length=LONGEST_RULES)],
) -> JSONResponse:
    """The hands that you have practised under these rules, and when each comes again."""
    with house.store.read() as connection:
        known = all_practised(connection, found.id, fingerprint(house_rules(rules)))
    return answer(
        [
            {
                "item": one.item,
                "kind": one.kind,
                "box": one.box,
                "due_at": one.due_at,
                "asked": one.asked,
                "missed": one.missed,
            }
            for one in known
        ]
    )
