"""House rules: presets, options, signs and procedures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import JSONResponse

from ventiuna.layout import layout
from ventiuna.layout.as_data import layout_data
from ventiuna.rules import RulesError, load_rules, preset_ids, rules_data
from ventiuna.rules.words import data
from ventiuna.rules.words.explained import UnknownNumber, explain, explained, explained_data
from ventiuna.rules.words.options import options_data
from ventiuna.server.given import house_rules
from ventiuna.server.problems import Declined
from ventiuna.texts import finite

router = APIRouter(prefix="/rules", tags=["rules"])

LONGEST_RULES = 2_000
RulesText = Annotated[
    str,
    Query(
        alias="rules",
        min_length=1,
        max_length=LONGEST_RULES,
        description="A preset, or one with changes.",
        examples=["wsgc-2021", "wsgc-2021(decks=8,soft_17=stand)"],
    ),
]


def answer(found: object) -> JSONResponse:
    """Plain data as they are: the same as the command line prints with --json."""
    return JSONResponse(finite(found))


@router.get("")
def list_rules() -> JSONResponse:
    """The presets: one for each rule document, and plain blackjack."""
    return answer(data.list_data([load_rules(name) for name in preset_ids()]))


@router.get("/options")
def list_options() -> JSONResponse:
    """Every option with its meaning, values and what each preset has; jackpot tables."""
    return answer(options_data())


@router.get("/show")
def show_rules(text: RulesText) -> JSONResponse:
    """Every option with the rules behind it, and all pays, jackpots and limits."""
    return answer(data.show_data(house_rules(text)))


@router.get("/check")
def check_rules(text: RulesText) -> JSONResponse:
    """Whether rules are valid; if not, every problem with its rule and a fix."""
    try:
        return answer(data.check_data(house_rules(text)))
    except RulesError as error:
        return answer(data.problems_data(text, error.problems))


@router.get("/diff")
def compare_rules(
    text: RulesText,
    other: Annotated[str, Query(min_length=1, max_length=LONGEST_RULES, examples=["super-fun-21"])],
) -> JSONResponse:
    """What differs between two sets of rules."""
    return answer(data.diff_data(house_rules(text), house_rules(other)))


@router.get("/card")
def rule_card(text: RulesText) -> JSONResponse:
    """The sign that stands at the table."""
    return answer(data.card_data(house_rules(text)))


@router.get("/procedure")
def dealers_procedure(text: RulesText) -> JSONResponse:
    """The dealer's steps."""
    return answer(data.procedure_data(house_rules(text)))


@router.get("/layout")
def printed_layout(text: RulesText) -> JSONResponse:
    """What is printed on the felt: words, pays and places in a frame of 1080 by 720."""
    return answer(layout_data(layout(house_rules(text))))


@router.get("/numbers")
def all_numbers() -> JSONResponse:
    """Every R-, D- and O-number with its text and its documents."""
    return answer([explained_data(one) for one in explained().values()])


@router.get("/number/{number}")
def one_number(
    number: Annotated[str, Path(max_length=16, examples=["R-036"])],
) -> JSONResponse:
    """What a number says that a refusal, a payment or an option refers to."""
    try:
        return answer(explained_data(explain(number)))
    except UnknownNumber as error:
        raise Declined(404, "no_such_number", str(error)) from None


@router.get("/data")
def whole_rules(text: RulesText) -> JSONResponse:
    """The rules complete in themselves, as tables are opened with them."""
    return answer(rules_data(house_rules(text)))
