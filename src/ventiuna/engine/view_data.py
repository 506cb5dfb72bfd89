"""Views and options as plain data for JSON: names are the contract, cards are numbers."""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum

from ventiuna.engine.options import ActionOption, AnswerOption, InsuranceOption, Option
from ventiuna.engine.stakes import Stakes
from ventiuna.engine.views import RoundView
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
_OFF_THE_WIRE = "action"  # an action's number: its name says it


def view_data(seen: RoundView) -> Data:
    """The view as plain data."""
    data = _record(seen)
    data["waiting_for"] = waiting_data(seen.waiting)
    del data["waiting"]
    data["options"] = [option_data(option) for option in seen.options]
    return data


def waiting_data(wanted: Waiting) -> Data:
    return {**{name: _plain(part) for name, part in wanted._asdict().items()}} | {
        "kind": WAITS[type(wanted)]
    }


def option_data(option: Option) -> Data:
    data = {"kind": OPTION_KINDS[type(option)]} | _record(option)
    data.pop(_OFF_THE_WIRE, None)
    if isinstance(option, WagerOption):
        data["fixed"] = option.fixed
    return data


def _record(value: object) -> Data:
    return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}  # type: ignore[arg-type]


def _plain(value: object) -> object:
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Stakes):
        return {str(key): cents for key, cents in value.items()}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if hasattr(value, "__dataclass_fields__"):
        return _record(value)
    return value
