"""Records are frozen dataclasses with slots in all but the time that it takes to declare them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, fields, replace
from typing import Any

import pytest

from ventiuna.engine.codec import COMMAND_TYPES, EVENT_TYPES
from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.events import HandHit, HandStood
from ventiuna.records import record
from ventiuna.rules import load_rules


@record(frozen=True, slots=True)
class Payment:
    """One payment."""

    spot: int
    cents: int = 0
    reason: str = "won"

    @property
    def dollars(self) -> int:
        return self.cents // 100


@dataclass(frozen=True, slots=True)
class Twin:
    spot: int
    cents: int = 0
    reason: str = "won"


@record(frozen=True, slots=True)
class Checked:
    cents: int

    def __post_init__(self) -> None:
        if self.cents < 0:
            raise ValueError("below zero")


@record(frozen=True, slots=True)
class Nothing:
    """Has no field."""


def test_a_record_is_made_and_shown_as_a_dataclass() -> None:
    for made, twin in (
        (Payment(1), Twin(1)),
        (Payment(1, 500), Twin(1, 500)),
        (Payment(spot=2, reason="lost"), Twin(spot=2, reason="lost")),
    ):
        assert repr(made) == repr(twin).replace("Twin", "Payment")
        assert [getattr(made, part.name) for part in fields(made)] == [
            getattr(twin, part.name) for part in fields(twin)
        ]
    assert Payment(1, 500).dollars == 5
    assert Payment.__match_args__ == Twin.__match_args__
    assert repr(Nothing()) == "Nothing()"


@pytest.mark.parametrize(
    "call",
    [
        lambda: Payment(),  # type: ignore[call-arg]
        lambda: Payment(1, 2, "won", 3),  # type: ignore[call-arg]
        lambda: Payment(1, colour="red"),  # type: ignore[call-arg]
        lambda: Nothing(1),  # type: ignore[call-arg]
    ],
)
def test_a_record_takes_its_own_fields_alone(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        call()


def test_records_are_compared_by_kind_and_value() -> None:
    assert Payment(1, 500) == Payment(1, 500)
    assert Payment(1, 500) != Payment(1, 501)
    kinds: list[object] = [Payment(1), Twin(1), HandHit(1, 0), HandStood(1, 0)]
    assert [kinds.index(each) for each in kinds] == [0, 1, 2, 3]
    assert len({*kinds, Payment(1, 0), Payment(2)}) == 5
    assert Nothing() == Nothing()


def test_a_record_never_changes() -> None:
    payment = Payment(1)
    with pytest.raises(FrozenInstanceError, match="Payment: cents can't be changed"):
        payment.cents = 5  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="colour can't be changed"):
        payment.colour = "red"  # type: ignore[attr-defined]
    with pytest.raises(FrozenInstanceError, match="cents can't be deleted"):
        del payment.cents
    assert payment == Payment(1)
    assert not hasattr(payment, "__dict__")


def test_a_record_checks_itself_when_it_is_made_or_replaced() -> None:
    with pytest.raises(ValueError, match="below zero"):
        Checked(-1)
    with pytest.raises(ValueError, match="below zero"):
        replace(Checked(1), cents=-1)
    assert replace(Payment(1), cents=7) == Payment(1, 7)


def test_records_are_copied_and_travel_between_processes() -> None:
    placed = PlaceWagers(1, 1000, mtd={"up": 500})
    for whole in (Payment(1, 500, "lost"), Nothing(), placed, load_rules("wsgc-2021")):
        for again in (copy.copy(whole), copy.deepcopy(whole), pickle.loads(pickle.dumps(whole))):
            assert again == whole
            assert hash(again) == hash(whole)


def test_every_event_and_command_is_a_record() -> None:
    kinds: list[type[Any]] = [*EVENT_TYPES.values(), *COMMAND_TYPES.values()]
    for kind in kinds:
        values = [1] * len(fields(kind))
        made = kind(*values)
        assert made == kind(*values)
        with pytest.raises(FrozenInstanceError):
            made.spot = 2
