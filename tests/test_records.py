"""Events, commands, and rules are values: frozen, compared by type and content, and copied."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from ventiuna.engine.codec import COMMANDS, EVENTS
from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.events import HandHit, HandStood
from ventiuna.rules import load_rules


def test_kinds_with_the_same_fields_differ() -> None:
    kinds: list[object] = [HandHit(1, 0), HandStood(1, 0), HandHit(1, 1)]
    assert [kinds.index(each) for each in kinds] == [0, 1, 2]
    assert len({*kinds, HandHit(1, 0)}) == 3


def test_copies_are_equal_even_in_another_process() -> None:
    for whole in (PlaceWagers(1, 1000, mtd={"up": 500}), HandHit(1, 0), load_rules("wsgc-2021")):
        for again in (copy.copy(whole), copy.deepcopy(whole), pickle.loads(pickle.dumps(whole))):
            assert again == whole
            assert hash(again) == hash(whole)


def test_no_event_or_command_can_be_changed() -> None:
    kinds: list[type[Any]] = [*EVENTS.kinds.values(), *COMMANDS.kinds.values()]
    for kind in kinds:
        values = [1] * len(fields(kind))
        made = kind(*values)
        assert made == kind(*values)
        assert not hasattr(made, "__dict__")
        # Python raises TypeError instead for a name that isn't a field.
        with pytest.raises((FrozenInstanceError, TypeError)):
            made.spot = 2
