"""Exact analysis. Names, values and answers are those of the command line with --json."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, cast

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Query
from fastapi.responses import JSONResponse, Response

from ventiuna.analysis.questions.changes import (
    Change,
    ChangeQuestion,
    changed_edge,
    changes_of,
    find_change,
)
from ventiuna.analysis.questions.edge import EdgeQuestion, edge_data
from ventiuna.analysis.questions.hand import HandQuestion, hand_rows
from ventiuna.analysis.questions.jackpot import JackpotQuestion, jackpot_data
from ventiuna.analysis.questions.shoes import shoe_of
from ventiuna.analysis.questions.side_bets import SideBetsQuestion, side_bets_data
from ventiuna.analysis.questions.strategy import StrategyQuestion, strategy_data
from ventiuna.cards import card_text
from ventiuna.counting.questions import CountQuestion, count_data, removal_data
from ventiuna.extras import require
from ventiuna.reports.sheets import Form, Sheet, SheetQuestion, sheet_file
from ventiuna.server.given import check_names
from ventiuna.server.routes.rules import RulesText, answer
from ventiuna.server.security import person
from ventiuna.server.services import Services, services_of
from ventiuna.server.studies import one_name, studied_rules

# Guests may ask too; a token keeps strangers from spending the house's time.
router = APIRouter(prefix="/analysis", tags=["analysis"], dependencies=[Depends(person)])
HouseServices = Annotated[Services, Depends(services_of)]

LONGEST = 1_000
Amount = Annotated[str, Query(max_length=30, description="Dollars.", examples=["25"])]
Amounts = Annotated[str, Query(max_length=200, description="Dollars.", examples=["5,25,10"])]
Cards = Annotated[str, Query(max_length=LONGEST, examples=["7s 7s Kh"])]
Counts = Annotated[
    str,
    Query(
        max_length=LONGEST,
        description="What is left of the shoe: cards, or ranks with all suits alike.",
        examples=["7s:3 K:12 2:20"],
    ),
]
Small = Annotated[int | None, Query(ge=0, le=100)]


@router.get("/edge")
async def edge(
    rules: RulesText,
    house: HouseServices,
    base: Amount = "",
    reoptimise: bool = False,
    shoe: Counts = "",
    without: Cards = "",
    vary: bool = False,
    grid: bool = False,
    effects: bool = False,
    hands: bool = False,
    sd: bool = False,
) -> JSONResponse:
    """House edge of the base game with best play, exactly: nothing is sampled."""
    question = EdgeQuestion(
        one_name(rules), base, reoptimise, shoe, without, vary, grid, effects, hands, sd
    )
    patient = reoptimise or vary or grid or effects or sd
    return answer(await house.studies.ask(edge_data, question, patient=patient))


@router.get("/changes")
def changes(rules: RulesText) -> JSONResponse:
    """Every single change of these rules whose worth can be asked for."""
    return answer([change.as_data() for change in _changes(one_name(rules))])


@router.get("/change")
async def change(
    rules: RulesText,
    name: Annotated[str, Query(min_length=1, max_length=100, examples=["soft_17=stand"])],
    house: HouseServices,
) -> JSONResponse:
    """What one of these changes is worth, exactly: points of house edge, + for the player."""
    start = one_name(rules)
    found = find_change(await run_sync(_changes, start), name)
    before = await house.studies.ask(edge_data, EdgeQuestion(start))
    if found.rules is None:
        question = ChangeQuestion(start, name)
        after = await house.studies.ask(changed_edge, question, patient=True)
    else:
        after = await house.studies.ask(edge_data, EdgeQuestion(found.rules), patient=True)
    edges = [cast(dict[str, float], data)["house_edge"] for data in (before, after)]
    data = found.as_data() | {"house_edge": edges[1], "change": edges[0] - edges[1]}
    return answer(data)


@lru_cache(maxsize=256)
def _changes(rules: str) -> tuple[Change, ...]:
    return changes_of(studied_rules(rules))


@router.get("/hand")
async def hand(
    rules: RulesText,
    cards: Annotated[str, Query(min_length=1, max_length=100, examples=["5c 6d"])],
    up: Annotated[str, Query(min_length=1, max_length=10, examples=["2h"])],
    house: HouseServices,
    doublings: Annotated[int, Query(ge=0, le=3)] = 0,
    hands: Annotated[int, Query(ge=1, le=4)] = 1,
    base: Amount = "",
    double: Amount = "",
    shoe: Counts = "",
    without: Cards = "",
) -> JSONResponse:
    """Exact value of each choice of one hand, best first."""
    question = HandQuestion(
        one_name(rules), cards, up, doublings, hands, base, double, shoe, without
    )
    return answer(await house.studies.ask(hand_rows, question))


@router.get("/shoe")
def shoe_left(rules: RulesText, shoe: Counts = "", without: Cards = "") -> JSONResponse:
    """How many of each card are in a shoe: a fresh one, or what is left of it."""
    found = studied_rules(rules)
    counts = shoe_of(found, without, shoe)
    cards = {card_text(card): counts[card] for card in found.pack.cards}
    return answer({"cards": sum(counts), "counts": cards})


@router.get("/strategy")
async def strategy(
    rules: RulesText,
    house: HouseServices,
    chart: Annotated[str, Query(max_length=60, examples=["spanish-21-h17"])] = "",
    base: Amount = "",
    worth: Annotated[str, Query(max_length=20, examples=["0.0001"])] = "",
) -> JSONResponse:
    """The strategy chart for these rules, and its exact cost against the best play."""
    check_names(chart=chart)
    question = StrategyQuestion(one_name(rules), chart, base, worth)
    return answer(await house.studies.ask(strategy_data, question, patient=True))


@router.get("/side-bets")
async def side_bets(
    rules: RulesText,
    house: HouseServices,
    stakes: Annotated[str, Query(max_length=200, examples=["up=5,down=2"])] = "",
    players: Small = None,
    base: Amounts = "",
    shoe: Counts = "",
    without: Cards = "",
) -> JSONResponse:
    """Match the Dealer, Super Bonus and Envy, insurance, blackjacks: exact odds."""
    question = SideBetsQuestion(one_name(rules), stakes, players, base, shoe, without)
    return answer(await house.studies.ask(side_bets_data, question))


@router.get("/jackpot")
async def jackpot(
    rules: RulesText,
    house: HouseServices,
    game: Small = None,
    table: Annotated[str | None, Query(max_length=20, examples=["3c"])] = None,
    pay_table: Small = None,
    alternate: Small = None,
    wager: Annotated[str | None, Query(max_length=30, examples=["1"])] = None,
    prize: Annotated[str | None, Query(max_length=30, examples=["5000"])] = None,
    meter: Annotated[str | None, Query(max_length=30, examples=["12345.21"])] = None,
    players: Small = None,
    shoe: Counts = "",
    without: Cards = "",
) -> JSONResponse:
    """A jackpot game: lines, returns, break-even meter, awards seat by seat."""
    question = JackpotQuestion(
        rules=one_name(rules),
        game=game,
        table=table,
        pay_table=pay_table,
        alternate=alternate,
        wager=wager,
        prize=prize,
        meter=meter,
        players=players,
        shoe=shoe,
        without=without,
    )
    return answer(await house.studies.ask(jackpot_data, question))


@router.get("/effects")
async def effects(rules: RulesText, house: HouseServices) -> JSONResponse:
    """What each card is worth to every wager when it is gone, exactly."""
    return answer(await house.studies.ask(removal_data, one_name(rules), patient=True))


@router.get("/count")
async def count(
    rules: RulesText,
    house: HouseServices,
    level: Annotated[int, Query(ge=1, le=3, description="Largest tag.")] = 1,
    indices: bool = False,
) -> JSONResponse:
    """The best balanced tags of a level, how good they are, and index numbers worth knowing."""
    question = CountQuestion(one_name(rules), level, indices)
    return answer(await house.studies.ask(count_data, question, patient=True))


_MEDIA = {Form.HTML: "text/html", Form.PDF: "application/pdf"}


@router.get(
    "/sheet/{sheet}",
    response_class=Response,
    responses={200: {"content": {media: {} for media in _MEDIA.values()}}},
)
async def sheet(
    sheet: Sheet,
    rules: RulesText,
    house: HouseServices,
    form: Annotated[Form, Query(alias="format")] = Form.HTML,
) -> Response:
    """PAR sheet, posting sheet, pocket card or readings of these rules: one file to save.

    A PDF needs a library that the extra `print` brings.
    """
    if form is Form.PDF:
        require("fpdf")
    question = SheetQuestion(sheet, one_name(rules), form)
    page = await house.studies.ask(sheet_file, question, patient=True, keep=False)
    name = f"{sheet}-{one_name(rules).partition('(')[0]}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(page, media_type=_MEDIA[form], headers=headers)
