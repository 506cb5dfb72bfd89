"""Views and options as plain data for JSON: names are the contract, cards are numbers."""

from __future__ import annotations

from dataclasses import fields

from ventiuna.engine.options import ActionOption, AnswerOption, InsuranceOption, Option
from ventiuna.engine.stakes import Stakes
from ventiuna.engine.views import HandView, RoundView, SpotView
from ventiuna.engine.wager_options import WagerOption
from ventiuna.engine.waiting import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    WagersWanted,
    Waiting,
)

Data = dict[str, object]
WAITS: dict[type[Waiting], str] = {
    WagersWanted: "wagers",
    CardWanted: "card",
    BlackjackAnswersWanted: "blackjack_answers",
    InsuranceAnswersWanted: "insurance_answers",
    DecisionWanted: "decision",
    MetersWanted: "meters",
    NothingWanted: "closed",
}
OPTION_KINDS: dict[type[Option], str] = {
    WagerOption: "wager",
    InsuranceOption: "insurance",
    AnswerOption: "answer",
    ActionOption: "action",
}
# Of an action's option all but its number: the name says it.
_NAMES: dict[type[object], tuple[str, ...]] = {
    kind: tuple(part.name for part in fields(kind) if part.name != "action")
    for kind in OPTION_KINDS
} | {kind: tuple(part.name for part in fields(kind)) for kind in (SpotView, HandView)}


def view_data(seen: RoundView) -> Data:
    """The view as plain data."""
    return {
        "stage": str(seen.stage),
        "waiting_for": waiting_data(seen.waiting),
        "dealer": list(seen.dealer),
        "bonus_cards": list(seen.bonus_cards),
        "spots": [record_data(spot) for spot in seen.spots],
        "meters": list(seen.meters),
        "options": [option_data(option) for option in seen.options],
    }


def waiting_data(wanted: Waiting) -> Data:
    data: Data = {name: _plain(part) for name, part in wanted._asdict().items()}
    data["kind"] = WAITS[type(wanted)]
    return data


def option_data(option: Option) -> Data:
    data: Data = {"kind": OPTION_KINDS[type(option)]} | record_data(option)
    if isinstance(option, WagerOption):
        data["fixed"] = option.fixed
    return data


def record_data(value: Option | SpotView | HandView, leave_out: str = "") -> Data:
    """An option, a spot or a hand, field by field."""
    names = _NAMES[type(value)]
    return {name: _plain(getattr(value, name)) for name in names if name != leave_out}


def _plain(value: object) -> object:
    kind = type(value)
    if kind is int or kind is bool or kind is str or value is None:
        return value
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Stakes):
        return {str(key): cents for key, cents in value.items()}
    if isinstance(value, HandView):
        return record_data(value)
    return str(value)  # a name of one of our enumerations
