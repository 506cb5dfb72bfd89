"""House rules: presets, options, rule cards, and dealing procedures."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query
from fastapi.responses import JSONResponse

from ventiuna.reports import rules_data as data
from ventiuna.reports.layout import Layout, layout
from ventiuna.rules import RulesError, load_rules, preset_ids, rules_data
from ventiuna.rules.text.references import (
    RuleReference,
    UnknownNumber,
    explain,
    references_by_number,
)
from ventiuna.server.deps import permitted_router
from ventiuna.server.problems import RequestDeclined
from ventiuna.server.schemas import load_named_rules
from ventiuna.texts import finite

router = permitted_router("rules", "/rules")

MAX_RULES_LENGTH = 2_000
RulesText = Annotated[
    str,
    Query(
        alias="rules",
        min_length=1,
        max_length=MAX_RULES_LENGTH,
        description="A preset, optionally with changes.",
        examples=["wsgc-2021", "wsgc-2021(decks=8,soft_17=stand)"],
    ),
]


def json_response(found: object) -> JSONResponse:
    """Respond with plain data, identical to the command line's --json output."""
    return JSONResponse(finite(found))


@router.get("", response_model=list[data.PresetLine])
def list_rules() -> JSONResponse:
    """The presets: one for each rule document, plus plain blackjack."""
    return json_response(data.list_data([load_rules(name) for name in preset_ids()]))


@router.get("/options", response_model=data.OptionsData)
def list_options() -> JSONResponse:
    """Every option with its meaning, values, and setting in each preset, plus jackpot tables."""
    return json_response(data.options_data())


@router.get("/show", response_model=data.ShownRules)
def show_rules(text: RulesText) -> JSONResponse:
    """Every option with the rules behind it, and all pays, jackpots, and limits."""
    return json_response(data.show_data(load_named_rules(text)))


@router.get("/check", response_model=data.CheckedRules | data.InvalidRules)
def check_rules(text: RulesText) -> JSONResponse:
    """Whether rules are valid; if not, every error with its rule and a fix."""
    try:
        return json_response(data.check_data(load_named_rules(text)))
    except RulesError as error:
        return json_response(data.problems_data(text, error.problems))


@router.get("/diff", response_model=data.RulesComparison)
def compare_rules(
    text: RulesText,
    other: Annotated[
        str, Query(min_length=1, max_length=MAX_RULES_LENGTH, examples=["super-fun-21"])
    ],
) -> JSONResponse:
    """Differences between two rule sets."""
    return json_response(data.diff_data(load_named_rules(text), load_named_rules(other)))


@router.get("/card", response_model=data.RuleCardData)
def rule_card(text: RulesText) -> JSONResponse:
    """The rule card for the table."""
    return json_response(data.card_data(load_named_rules(text)))


@router.get("/procedure", response_model=data.ProcedureData)
def dealers_procedure(text: RulesText) -> JSONResponse:
    """The dealer's procedure."""
    return json_response(data.procedure_data(load_named_rules(text)))


@router.get("/layout", response_model=Layout)
def printed_layout(text: RulesText) -> JSONResponse:
    """The printed layout of the felt: text, pays, and positions in a 1080 by 720 frame."""
    return json_response(layout(load_named_rules(text)))


@router.get("/numbers", response_model=list[RuleReference])
def all_numbers() -> JSONResponse:
    """Every R-, D-, and O-number with its text and its documents."""
    return json_response(list(references_by_number().values()))


@router.get("/number/{number}", response_model=RuleReference)
def one_number(
    number: Annotated[str, Path(max_length=16, examples=["R-036"])],
) -> JSONResponse:
    """The text of a rule number cited by a refusal, a payment, or an option."""
    try:
        return json_response(explain(number))
    except UnknownNumber as error:
        raise RequestDeclined(404, "no_such_number", str(error)) from None


@router.get("/data", response_model=dict[str, object])
def complete_rules(text: RulesText) -> JSONResponse:
    """The complete rules, in the form used to open a table."""
    return json_response(rules_data(load_named_rules(text)))
