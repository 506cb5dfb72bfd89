"""The coach, practice hands, and reviews that split a person's results into luck and skill."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from math import sqrt
from random import Random
from typing import Annotated, Any, cast

from fastapi import Query, Request
from fastapi.responses import JSONResponse
from pydantic import ConfigDict, Field
from sqlalchemy import Connection, select
from typing_extensions import TypedDict

from ventiuna.analysis.base_game.queries import ParsedHand
from ventiuna.analysis.coaching import (
    DRILLED,
    Advice,
    AdviceData,
    CellData,
    DecisionCategory,
    HandContext,
    NothingToCoach,
    PromptType,
    cell_of,
    coached_hand,
    item_label,
    item_of,
    shape_of_item,
)
from ventiuna.analysis.composition import fresh_composition, without_cards
from ventiuna.analysis.drills import Drill, Situation, deal_drill, drill_of
from ventiuna.analysis.review import (
    REVIEW_FORMAT,
    ReviewData,
    ReviewedDecision,
    ReviewRound,
    StakedWager,
    deviation_of_hand,
    expected,
    review,
    variances,
)
from ventiuna.cards import CardError
from ventiuna.core.actions import ACTION_NAMES, DOUBLE
from ventiuna.core.cards import CARDS
from ventiuna.engine.events import Wager
from ventiuna.engine.views import EVERYONE, option_data, view
from ventiuna.money import LARGEST_AMOUNT
from ventiuna.rules import Rules, canonical, fingerprint, rules_from_data
from ventiuna.server.analysis_pool import HAND_OF_THE_DAY_RULES as DAYS_RULES
from ventiuna.server.analysis_pool import HandOfTheDay
from ventiuna.server.deps import (
    CurrentPerson,
    HouseServices,
    LiveTables,
    RequestBody,
    Services,
    permitted_router,
)
from ventiuna.server.deps import PathId as TableNumber
from ventiuna.server.problems import RequestDeclined, not_found
from ventiuna.server.routers.rules import MAX_RULES_LENGTH, json_response
from ventiuna.server.schemas import load_named_rules
from ventiuna.table import history as learning
from ventiuna.table import listings
from ventiuna.table.domain.state import TableState, meters_at
from ventiuna.table.history import RoundKey, practiced_hands
from ventiuna.table.store.schema import game_table

router = permitted_router("coach", "/coach")
table_router = permitted_router("coach", "/tables")

MOST_CARDS = 8 * CARDS
CardCode = Annotated[int, Field(ge=0, lt=CARDS)]


class CoachedHand(RequestBody):
    """A hand as its player sees it; cards are numbers, amounts are in cents."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"rules": "wsgc-2021", "cards": [16, 21], "up": 6, "seen": [27, 30], "base": 2500}
            ]
        },
    )

    rules: Annotated[str, Field(min_length=1, max_length=MAX_RULES_LENGTH)]
    cards: Annotated[list[CardCode], Field(min_length=2, max_length=21)]
    up: CardCode
    seen: Annotated[list[CardCode], Field(max_length=MOST_CARDS)] = Field(
        default=[], description="All other cards seen since the shuffle."
    )
    doublings: Annotated[int, Field(ge=0, le=3)] = 0
    hands: Annotated[int, Field(ge=1, le=4)] = 1
    base: Annotated[int, Field(ge=1, le=LARGEST_AMOUNT)] | None = None
    asks: PromptType = Field(
        default=PromptType.DECISION, strict=False, description="The decision in question."
    )
    done: Annotated[str, Field(max_length=20)] = Field(
        default="", description="The player's choice; the response includes its cost."
    )

    def coached(self) -> HandContext:
        rules = load_named_rules(self.rules)
        removed = (*self.cards, self.up, *self.seen)
        unseen = without_cards(fresh_composition(rules), removed)
        cards = tuple(self.cards)
        hand = ParsedHand(rules, cards, self.up, unseen, self.doublings, self.hands, self.base)
        return HandContext(hand, self.asks)


class HandAdvice(AdviceData):
    cell: CellData | None


@router.post("/hand", response_model=HandAdvice)
async def coach_hand(body: CoachedHand, house: HouseServices) -> JSONResponse:
    """Exact values of all choices for this shoe and for a fresh one, with the reasons.

    Includes the cost of the choice in `done`.
    """
    return json_response(_advice_data(await house.coach.advise(body.coached()), body.done))


@table_router.get("/{number}/coach", response_model=HandAdvice)
async def coach_table(
    number: TableNumber,
    live: LiveTables,
    house: HouseServices,
    spot: Annotated[int, Query(ge=0, le=100, description="0 means the spot to act.")] = 0,
    done: Annotated[str, Query(max_length=20, description="Choice to evaluate.")] = "",
    added: Annotated[
        int | None,
        Query(ge=1, le=LARGEST_AMOUNT, description="Amount of a double for less, in cents."),
    ] = None,
) -> JSONResponse:
    """Advice for a hand in play, based on what everyone at the table can see."""
    state = await live.state(number)
    if state is None:
        raise not_found("table")
    coached = coached_at(state, spot)
    if added is not None:
        _check_double(coached, done, added)
    return json_response(_advice_data(await house.coach.advise(coached, added), done))


def _check_double(coached: HandContext, choice: str, added: int) -> None:
    """Check a double for less: an undoubled hand, and an amount up to its wager (R-050)."""
    hand = coached.hand
    is_double = choice == ACTION_NAMES[DOUBLE] and coached.asks is PromptType.DECISION
    if not is_double or hand.doublings or not hand.rules.offers_double_for_less:
        raise CardError("Only a double for less takes an amount (R-050).")
    if hand.base is None or added > hand.base:
        raise CardError("A double for less can't exceed the hand's wager (R-050).")


def _advice_data(advice: Advice, choice: str) -> HandAdvice:
    """The advice, with the chart cell for this hand."""
    is_decision = advice.coached.asks is PromptType.DECISION
    cell = cell_of(advice.coached.hand).as_data() if is_decision else None
    return {**advice.as_data(choice), "cell": cell}


def coached_at(state: TableState, spot: int = 0) -> HandContext:
    """The decision a table is waiting for; raises `NothingToCoach` if there is none."""
    if state.round is None or state.live is None:
        raise NothingToCoach("There is no round in progress at this table.")
    if state.live.reshuffles:
        raise NothingToCoach(
            "The shoe was reshuffled during this round, so the remaining cards aren't "
            "known exactly."
        )
    seen = view(state.round, EVERYONE)
    return coached_hand(state.rules, seen, state.live.seen_before, spot)


MAX_REVIEWS_PER_REQUEST = 8  # rounds; the page repeats the request until no round is left
MAX_ROUNDS = 500
REVIEW_TIMEOUT = 0.25  # seconds to wait for the standard deviation; the page repeats the request
DUE_DRILL_CHANCE = 0.6  # chance that a due hand is preferred to a new one
MIN_MISTAKE_COST = 0.002  # in base wagers; a choice that costs less isn't a mistake


@dataclass(slots=True)
class ReviewedRound:
    """A round with its review and its wagers' expected result."""

    played: listings.PlayedRound
    data: ReviewData
    rules: Rules
    expected: float = 0.0
    variance: float | None = None  # None if not computed yet


@dataclass(frozen=True, slots=True)
class LearningSession:
    """A person's rounds since a given time, and how many still need a review."""

    rounds: list[ReviewedRound]  # oldest first
    pending: int


async def load_session(services: Services, person: int, since: int) -> LearningSession:
    """Load a person's reviewed rounds, after reviewing a few more."""
    with services.store.read() as connection:
        newest = listings.rounds_of_person(connection, person, maximum=MAX_ROUNDS)
        played = [one for one in reversed(newest) if one.outcome == "closed" and one.at >= since]
        reviews = learning.read_reviews(connection, person, [_round_key(one) for one in played])
        known = {
            key: cast(ReviewData, data)
            for key, data in reviews.items()
            if data.get("form") == REVIEW_FORMAT
        }
        missing = [one for one in played if _round_key(one) not in known]
        rules = {one.table: _rules_of(connection, one.table) for one in played}
        questions = list(
            _played_rounds(connection, person, missing[:MAX_REVIEWS_PER_REQUEST], rules)
        )
    for one, question in questions:
        known[_round_key(one)] = await _review(services, person, one, question)
    rounds = [
        ReviewedRound(one, known[_round_key(one)], rules[one.table])
        for one in played
        if _round_key(one) in known
    ]
    for table, its_rules in rules.items():
        await _add_expectations(
            services, its_rules, [one for one in rounds if one.played.table == table]
        )
    return LearningSession(rounds, len(played) - len(rounds))


async def _add_expectations(services: Services, rules: Rules, rounds: list[ReviewedRound]) -> None:
    """Add expected results, and variances if they are ready (new rules take a few seconds)."""
    staked = [
        [
            StakedWager(Wager(item["wager"]), item["cents"], item["meter"])
            for item in one.data["wagers"]
        ]
        for one in rounds
    ]
    flat = tuple(one for its in staked for one in its)
    means = iter(await services.coach.ask(expected, rules, flat))
    for one, its in zip(rounds, staked, strict=True):
        one.expected = sum(next(means) for _ in its)
    deviation = services.analysis_pool.ask(deviation_of_hand, rules, patient=True)
    try:
        of_hand = await asyncio.wait_for(deviation, REVIEW_TIMEOUT)
    except TimeoutError:
        return
    assert isinstance(of_hand, float)
    spread = iter(await services.coach.ask(variances, rules, flat, of_hand))
    for one, its in zip(rounds, staked, strict=True):
        one.variance = sum(next(spread) for _ in its)


def _round_key(played: listings.PlayedRound) -> RoundKey:
    return played.table, played.number


def _played_rounds(
    connection: Connection,
    person: int,
    rounds: Iterable[listings.PlayedRound],
    rules: Mapping[int, Rules],
) -> Iterator[tuple[listings.PlayedRound, ReviewRound]]:
    """The input for each round's review; each shoe's events are read only once."""
    timelines: dict[tuple[int, int], dict[int, learning.ShoeRound]] = {}
    for item in rounds:
        shoe = item.table, item.shoe
        if shoe not in timelines:
            shoe_rounds = learning.rounds_of_shoe(connection, item.table, item.shoe)
            timelines[shoe] = {story.number: story for story in shoe_rounds}
        story = timelines[shoe][item.number]
        its = rules[item.table]
        meters = tuple(meters_at(its, story.opening))
        yield item, ReviewRound(its, story.events, meters, str(person), story.seen_before)


def _rules_of(connection: Connection, table: int) -> Rules:
    found = connection.scalar(select(game_table.c.rules_data).where(game_table.c.id == table))
    return rules_from_data(json.loads(str(found)))


async def _review(
    services: Services, person: int, one: listings.PlayedRound, question: ReviewRound
) -> ReviewData:
    found = await services.coach.ask(review, question)
    with services.store.write() as connection:
        learning.save_review(connection, person, _round_key(one), one.at, found)
        now, rules = services.now(), fingerprint(question.rules)
        for decision in found["decisions"]:  # schedule misplayed hands for practice
            if decision["cost"] > MIN_MISTAKE_COST and decision["kind"] in DRILLED:
                hand = decision["item"], decision["kind"], asdict(situation_from_data(decision))
                learning.record_practice(connection, person, rules, hand, False, now)
    return found


class ItemWords(TypedDict):
    """A class of hands in words."""

    hand_words: str
    up_words: str
    item_words: str


class SessionDecision(ReviewedDecision, ItemWords):
    table: int
    table_name: str
    round: int


class WholeCents(TypedDict):
    net: int
    house_edge: int
    mistakes: int
    luck: int


class KindSummary(TypedDict):
    kind: str
    decisions: int
    wrong: int
    cents: float


class CurvePoint(TypedDict):
    table: int
    round: int
    at: int
    net: float
    expected: float
    deviation: float


class SessionReview(TypedDict):
    rounds: int
    pending: int
    spread_pending: bool
    base: int
    net: int
    house_edge: float
    mistakes: float
    luck: float
    shown: WholeCents
    luck_deviation: float | None  # None while it is being computed
    mistakes_deviation: float
    decisions: int
    wrong: int
    close: int
    worst: list[SessionDecision]
    kinds: list[KindSummary]
    curve: list[CurvePoint]
    assumes: str


def session_data(session: LearningSession, least: float = 0.0) -> SessionReview:
    """Result = house edge + mistakes + luck, in cents; each with its standard deviation.

    Choices that cost less than `least` base wagers aren't counted or listed as mistakes.
    """
    rounds = session.rounds
    net = sum(one.data["net"] for one in rounds)
    house_edge = sum(one.expected for one in rounds)
    cost = sum(one.data["cost"] for one in rounds)
    is_known = all(one.variance is not None for one in rounds)
    decisions: list[SessionDecision] = [
        {
            "table": one.played.table,
            "table_name": one.played.table_name,
            "round": one.played.number,
            **decision,
            **item_data(decision["item"], one.rules),
        }
        for one in rounds
        for decision in one.data["decisions"]
    ]
    imperfect = [one for one in decisions if one["cents"] > 0]
    mistakes = sorted(
        (one for one in imperfect if one["cost"] >= least), key=lambda one: -one["cents"]
    )
    return {
        "rounds": len(rounds),
        "pending": session.pending,
        "spread_pending": not is_known,
        "base": sum(one.data["base"] for one in rounds),
        "net": net,
        "house_edge": house_edge,
        "mistakes": -cost,
        "luck": net - house_edge + cost,
        # Use whole cents with an exact sum; rounding differences count as luck.
        "shown": {
            "net": net,
            "house_edge": round(house_edge),
            "mistakes": round(-cost),
            "luck": net - round(house_edge) - round(-cost),
        },
        "luck_deviation": sqrt(sum(one.variance or 0.0 for one in rounds)) if is_known else None,
        "mistakes_deviation": _standard_deviation([one.data["cost"] for one in rounds]),
        "decisions": len(decisions),
        "wrong": len(mistakes),
        "close": len(imperfect) - len(mistakes),
        "worst": mistakes[:20],
        "kinds": _mistakes_by_kind(decisions, least),
        "curve": _curve(rounds),
        "assumes": (
            "Each mistake's cost is exact for the cards unseen at that moment. The house edge is "
            "the expected loss on each wager, with best play from a fresh shoe. Luck is the rest "
            "of the result, including the Super Bonus and the Envy Bonus. Keeping a blackjack "
            "costs nothing; doubling it has a cost. The standard deviation of luck is an "
            "approximation: it is exact for each wager with best play from a fresh shoe, but "
            "treats a round's spots and wagers as independent. The standard deviation of mistakes "
            "is estimated from your own rounds."
        ),
    }


def _standard_deviation(costs: list[float]) -> float:
    """Standard deviation of the total, estimated from the cost of each round."""
    if len(costs) < 2:
        return 0.0
    mean = sum(costs) / len(costs)
    variance = sum((cost - mean) ** 2 for cost in costs) / (len(costs) - 1)
    return sqrt(variance * len(costs))


def _mistakes_by_kind(decisions: list[SessionDecision], least: float) -> list[KindSummary]:
    """Decisions by the cards only, as the list of mistakes names them; never SURRENDER."""
    found: list[KindSummary] = []
    for kind in DecisionCategory:
        made = [item for item in decisions if shape_of_item(item["item"]) is kind]
        wrong = [item for item in made if item["cents"] > 0 and item["cost"] >= least]
        if made:
            cost = sum(item["cents"] for item in wrong)
            found.append(
                {"kind": str(kind), "decisions": len(made), "wrong": len(wrong), "cents": cost}
            )
    return found


def _curve(rounds: list[ReviewedRound]) -> list[CurvePoint]:
    """The balance after each round, its expected value, and the standard deviation around it."""
    net = average = variance = 0.0
    points: list[CurvePoint] = []
    for item in rounds:
        net += item.data["net"]
        average += item.expected - item.data["cost"]
        variance += item.variance or 0.0
        points.append(
            {
                "table": item.played.table,
                "round": item.played.number,
                "at": item.played.at,
                "net": net,
                "expected": average,
                "deviation": sqrt(variance),
            }
        )
    return points


async def next_drill(
    services: Services,
    person: int,
    rules: Rules,
    kind: DecisionCategory | None,
    seed: int,
    after: str = "",
) -> tuple[Drill, bool]:
    """Choose a hand to play, and return whether it was due (missed before, or not seen recently).

    The item just practiced (`after`) is skipped, because the answer is still fresh.
    """
    chance = Random(seed)
    with services.store.read() as connection:
        due = learning.due_hands(
            connection, person, fingerprint(rules), kind and str(kind), services.now()
        )
    due = [item for item in due if item.item != after]
    if due and chance.random() < DUE_DRILL_CHANCE:
        again = chance.choice(due)
        return await services.coach.ask(drill_of, rules, situation_from_data(again.situation)), True
    return await services.coach.ask(deal_drill, rules, kind, chance), False


def item_data(item: str, rules: Rules) -> ItemWords:
    words = item_label(item, rules.pack)
    return {"hand_words": words.hand, "up_words": words.up, "item_words": words.full_text}


def situation_from_data(data: Mapping[str, Any]) -> Situation:
    """A situation as stored in a review or for practice."""
    return Situation(
        tuple(data["cards"]),
        data["up"],
        data["doublings"],
        bool(data["insurance"]),
        data.get("hands", 1),  # missing in data from earlier versions
        data.get("hand", 0),
    )


class PracticeRecord(TypedDict):
    """A class of practiced hands, and when it comes up again."""

    item: str
    box: int
    due_at: int
    asked: int
    missed: int


class DrillResult(AdviceData, PracticeRecord):
    right: bool


async def grade_drill(
    services: Services, person: int, rules: Rules, situation: Situation, action: str
) -> DrillResult:
    """Grade an answer by its cost, and schedule the hand's next practice."""
    drill = await services.coach.ask(drill_of, rules, situation)
    data = drill.advice.as_data(action)
    choice = data["done"]
    assert choice is not None
    right = choice["cost"] <= MIN_MISTAKE_COST
    hand = item_of(drill.coached), str(drill.kind), asdict(situation)
    with services.store.write() as connection:
        noted = learning.record_practice(
            connection, person, fingerprint(rules), hand, right, services.now()
        )
    return {**data, "right": right, **_practice_record(noted)}


def _practice_record(hand: learning.PracticedHand) -> PracticeRecord:
    return {
        "item": hand.item,
        "box": hand.box,
        "due_at": hand.due_at,
        "asked": hand.asked,
        "missed": hand.missed,
    }


learning_router = permitted_router("learning", "/learning")

RulesName = Annotated[
    str, Field(min_length=1, max_length=MAX_RULES_LENGTH, examples=["wsgc-spanish-21"])
]

LARGEST_SEED = 2**53


class DrillRequest(RequestBody):
    rules: RulesName
    kind: Annotated[str, Field(max_length=20)] = Field(
        default="", description="Kind of hand; empty for all kinds.", examples=["bonus_draw"]
    )
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None = Field(
        default=None, description="Seed that repeats the same hand; random if omitted."
    )
    after: Annotated[str, Field(max_length=60)] = Field(
        default="", description="The previous `item`; it isn't due again right away."
    )


class SituationData(RequestBody):
    """A hand before a decision; its last `doublings` cards were drawn by doubling."""

    cards: Annotated[list[CardCode], Field(min_length=2, max_length=21, examples=[[28, 23]])]
    up: Annotated[CardCode, Field(examples=[13])]
    doublings: Annotated[int, Field(ge=0, le=3)] = 0
    insurance: bool = False
    hands: Annotated[int, Field(ge=1, le=4)] = Field(
        default=1, description="Number of hands on the spot after a split."
    )
    hand: Annotated[int, Field(ge=0, le=3)] = Field(
        default=0,
        description="Index of the hand in question; the hands before it stand on two cards.",
    )


class DrillAnswer(RequestBody):
    rules: RulesName
    situation: SituationData
    action: Annotated[str, Field(min_length=1, max_length=20, examples=["hit"])]


@learning_router.get("/session", response_model=SessionReview)
async def own_session(
    person: CurrentPerson,
    house: HouseServices,
    since: Annotated[
        int,
        Query(ge=0, le=2**53, description="Rounds since this time, in milliseconds since 1970."),
    ] = 0,
    least: Annotated[
        float,
        Query(ge=0, le=10, description="Cost in base wagers from which a choice is a mistake."),
    ] = 0.0,
) -> JSONResponse:
    """Your rounds: the result split into house edge, mistakes, and luck.

    Rounds are reviewed a few at a time; repeat the request while `pending` is above 0.
    """
    return json_response(session_data(await load_session(house, person.id, since), least))


@learning_router.get("/kinds")
def kinds() -> list[str]:
    """The kinds of hands you can practice."""
    return [str(kind) for kind in DRILLED]


class PosedHand(ItemWords):
    """A hand to play, and the possible choices."""

    situation: Situation
    kind: str
    item: str
    cell: CellData | None
    options: list[dict[str, object]]


class HandOfTheDayData(PosedHand):
    rules: str
    advice: AdviceData


class DrillData(PosedHand):
    rules: str
    due: bool


@learning_router.get("/day", response_model=HandOfTheDayData)
async def hand_of_the_day(request: Request) -> JSONResponse:
    """One hand for everyone, with the exact cost of each choice."""
    cached = request.app.state.day_hand
    assert isinstance(cached, HandOfTheDay)
    daily = await cached.drill()
    return json_response(
        {"rules": DAYS_RULES, **_drill_data(daily), "advice": daily.advice.as_data()}
    )


@learning_router.post("/drills", response_model=DrillData)
async def drill(body: DrillRequest, person: CurrentPerson, house: HouseServices) -> JSONResponse:
    """A hand you missed before, or a new one, usually one where mistakes are costly."""
    rules = load_named_rules(body.rules)
    if body.kind and body.kind not in DRILLED:
        known = ", ".join(DRILLED)
        raise RequestDeclined(422, "bad_request", f"The kind must be one of {known}, or empty.")
    kind = DecisionCategory(body.kind) if body.kind else None
    seed = int.from_bytes(house.entropy(6)) if body.seed is None else body.seed
    new_drill, due = await next_drill(house, person.id, rules, kind, seed, body.after)
    return json_response({"rules": canonical(rules), "due": due, **_drill_data(new_drill)})


def _drill_data(drill: Drill) -> PosedHand:
    situation = drill.situation
    item = item_of(drill.coached)
    return {
        "situation": situation,
        "kind": str(drill.kind),
        "item": item,
        **item_data(item, drill.coached.hand.rules),
        "cell": None if situation.insurance else cell_of(drill.coached.hand).as_data(),
        "options": [option_data(option) for option in drill.options],
    }


class PracticedData(PracticeRecord):
    kind: str


@learning_router.post("/answers", response_model=DrillResult)
async def answer_drill(
    body: DrillAnswer, person: CurrentPerson, house: HouseServices
) -> JSONResponse:
    """The cost of your choice, the reason, and when the hand comes up again."""
    situation = situation_from_data(body.situation.model_dump())
    return json_response(
        await grade_drill(house, person.id, load_named_rules(body.rules), situation, body.action)
    )


@learning_router.get("/practice", response_model=list[PracticedData])
def practice(
    person: CurrentPerson,
    house: HouseServices,
    rules: Annotated[str, Query(min_length=1, max_length=MAX_RULES_LENGTH)],
) -> JSONResponse:
    """The hands you have practiced under these rules, and when each comes up again."""
    with house.store.read() as connection:
        known = practiced_hands(connection, person.id, fingerprint(load_named_rules(rules)))
    return json_response(
        [{"item": hand.item, "kind": hand.kind, **_practice_record(hand)} for hand in known]
    )
