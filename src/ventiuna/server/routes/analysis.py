"""Exact analysis. Names, values and answers are those of the command line with --json."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import JSONResponse

from ventiuna.analysis.questions.edge import EdgeQuestion, edge_data
from ventiuna.analysis.questions.hand import HandQuestion, hand_rows
from ventiuna.analysis.questions.jackpot import JackpotQuestion, jackpot_data
from ventiuna.analysis.questions.side_bets import SideBetsQuestion, side_bets_data
from ventiuna.analysis.questions.strategy import StrategyQuestion, strategy_data
from ventiuna.server.given import check_names, check_rules_name
from ventiuna.server.routes.rules import RulesText, answer
from ventiuna.server.security import person
from ventiuna.server.services import Services, services_of

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
    check_rules_name(rules)
    question = EdgeQuestion(rules, base, reoptimise, shoe, without, vary, grid, effects, hands, sd)
    return answer(await house.studies.ask(edge_data, question))


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
    check_rules_name(rules)
    question = HandQuestion(rules, cards, up, doublings, hands, base, double, shoe, without)
    return answer(await house.studies.ask(hand_rows, question))


@router.get("/strategy")
async def strategy(
    rules: RulesText,
    house: HouseServices,
    chart: Annotated[str, Query(max_length=60, examples=["spanish-21-h17"])] = "",
    base: Amount = "",
    worth: Annotated[str, Query(max_length=20, examples=["0.0001"])] = "",
) -> JSONResponse:
    """The strategy chart for these rules, and its exact cost against the best play."""
    check_rules_name(rules)
    check_names(chart=chart)
    question = StrategyQuestion(rules, chart, base, worth)
    return answer(await house.studies.ask(strategy_data, question))


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
    check_rules_name(rules)
    question = SideBetsQuestion(rules, stakes, players, base, shoe, without)
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
    check_rules_name(rules)
    question = JackpotQuestion(
        rules=rules,
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
