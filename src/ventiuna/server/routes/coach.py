"""The coach, for a hand that is described and for the hand in turn at a table."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from ventiuna.analysis.coaching import Advice, Asks, Coached, NothingToCoach, coached_hand
from ventiuna.analysis.coaching.kinds import cell_of
from ventiuna.analysis.composition import fresh_composition, without_cards
from ventiuna.analysis.questions.hand import AskedHand
from ventiuna.cards import CardError
from ventiuna.core.actions import ACTION_NAMES, DOUBLE
from ventiuna.core.cards import CARDS
from ventiuna.engine.views import EVERYONE, view
from ventiuna.money import LARGEST_AMOUNT
from ventiuna.server.acting import LiveTables
from ventiuna.server.acting import Number as TableNumber
from ventiuna.server.given import house_rules
from ventiuna.server.problems import not_found
from ventiuna.server.routes.rules import LONGEST_RULES, answer
from ventiuna.server.security import person
from ventiuna.server.services import Services, services_of
from ventiuna.table.play.state import TableState

router = APIRouter(prefix="/coach", tags=["coach"], dependencies=[Depends(person)])
table_router = APIRouter(prefix="/tables", tags=["coach"], dependencies=[Depends(person)])
HouseServices = Annotated[Services, Depends(services_of)]

MOST_CARDS = 8 * CARDS
CardCode = Annotated[int, Field(ge=0, lt=CARDS)]


class CoachedHand(BaseModel):
    """A hand as its player sees it; cards are numbers, amounts cents."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {"rules": "wsgc-2021", "cards": [16, 21], "up": 6, "seen": [27, 30], "base": 2500}
            ]
        },
    )

    rules: Annotated[str, Field(min_length=1, max_length=LONGEST_RULES)]
    cards: Annotated[list[CardCode], Field(min_length=2, max_length=21)]
    up: CardCode
    seen: Annotated[list[CardCode], Field(max_length=MOST_CARDS)] = Field(
        default=[], description="All other cards seen since the shuffle."
    )
    doublings: Annotated[int, Field(ge=0, le=3)] = 0
    hands: Annotated[int, Field(ge=1, le=4)] = 1
    base: Annotated[int, Field(ge=1, le=LARGEST_AMOUNT)] | None = None
    asks: Asks = Field(default=Asks.DECISION, strict=False, description="What is the question?")
    done: Annotated[str, Field(max_length=20)] = Field(
        default="", description="What was chosen, to be priced."
    )

    def coached(self) -> Coached:
        rules = house_rules(self.rules)
        gone = (*self.cards, self.up, *self.seen)
        unseen = without_cards(fresh_composition(rules), gone)
        cards = tuple(self.cards)
        hand = AskedHand(rules, cards, self.up, unseen, self.doublings, self.hands, self.base)
        return Coached(hand, self.asks)


@router.post("/hand")
async def coach_hand(asked: CoachedHand, house: HouseServices) -> JSONResponse:
    """Exact values of all choices for this shoe and for a fresh one, why, and what one cost."""
    return answer(_advice_data(await house.coach.advise(asked.coached()), asked.done))


@table_router.get("/{number}/coach")
async def coach_table(
    number: TableNumber,
    live: LiveTables,
    house: HouseServices,
    spot: Annotated[int, Query(ge=0, le=100, description="0: whoever has the turn.")] = 0,
    done: Annotated[str, Query(max_length=20, description="A choice to be priced.")] = "",
    added: Annotated[
        int | None,
        Query(ge=1, le=LARGEST_AMOUNT, description="Cents of a double for less that is priced."),
    ] = None,
) -> JSONResponse:
    """The same for a hand in play, from what everybody at the table may know."""
    state = await live.state(number)
    if state is None:
        raise not_found("table")
    coached = coached_at(state, spot)
    if added is not None:
        _check_double(coached, done, added)
    return answer(_advice_data(await house.coach.advise(coached, added), done))


def _check_double(coached: Coached, done: str, added: int) -> None:
    """A double for less is of a hand that is not doubled yet, and below its wager (R-050)."""
    hand = coached.hand
    is_double = done == ACTION_NAMES[DOUBLE] and coached.asks is Asks.DECISION
    if not is_double or hand.doublings or not hand.rules.offers_double_for_less:
        raise CardError("added: only a double for less has an amount of its own (R-050).")
    if hand.base is None or added > hand.base:
        raise CardError("added: a double for less is at most the hand's wager (R-050).")


def _advice_data(advice: Advice, done: str) -> dict[str, object]:
    """With the cell of the chart that has this hand."""
    is_decision = advice.coached.asks is Asks.DECISION
    cell = cell_of(advice.coached.hand).as_data() if is_decision else None
    return {**advice.as_data(done), "cell": cell}


def coached_at(state: TableState, spot: int = 0) -> Coached:
    """What a table asks now; raises `NothingToCoach` where that is not a decision."""
    if state.round is None or state.live is None:
        raise NothingToCoach("No round is in play at this table.")
    if state.live.reshuffles:
        raise NothingToCoach(
            "The shoe was shuffled within this round: what is left can't be told exactly."
        )
    seen = view(state.round, EVERYONE)
    return coached_hand(state.rules, seen, state.live.seen_before, spot)
