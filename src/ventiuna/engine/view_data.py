"""Views and options as plain data for JSON: names are the contract, cards are numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

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

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

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


class _Fields(NamedTuple):
    """The names of a record's fields, and all their values at once."""

    names: tuple[str, ...]
    values: Callable[[object], tuple[object, ...]]


def _fields(kind: type[DataclassInstance], leave_out: str) -> _Fields:
    names = tuple(part.name for part in fields(kind) if part.name != leave_out)
    return _Fields(names, attrgetter(*names))


# Of an action's option all but its number: the name says it.
_FIELDS: dict[type[object], _Fields] = {
    **{kind: _fields(kind, "action") for kind in OPTION_KINDS},
    **{kind: _fields(kind, "") for kind in (SpotView, HandView)},
}
_BESIDE_HANDS = _fields(SpotView, "hands")


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


def record_data(value: Option | SpotView | HandView) -> Data:
    """An option, a spot or a hand, field by field."""
    return _data(value, _FIELDS[type(value)])


def spot_data(spot: SpotView) -> Data:
    """A spot without its hands."""
    return _data(spot, _BESIDE_HANDS)


def _data(value: object, of: _Fields) -> Data:
    return {
        name: part if type(part) in _PLAIN else _plain(part)
        for name, part in zip(of.names, of.values(value), strict=True)
    }


_PLAIN = frozenset({int, bool, str, type(None)})


def _plain(value: object) -> object:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Stakes):
        return {str(key): cents for key, cents in value.items()}
    if isinstance(value, HandView):
        return record_data(value)
    return str(value)  # a name of one of our enumerations
