"""Actions that programs pass: numbers are accepted, and anything else gets a clear error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ventiuna.envs.aec_env import Seats21
from ventiuna.envs.env import Table21
from ventiuna.envs.vector_env import VectorTable21


@pytest.mark.parametrize("wrong", ["hit", None, 1.5, True, [1], -1, 12, 99])
def test_an_invalid_action_gets_one_sentence(wrong: Any) -> None:
    env = Table21("wsgc-2021")
    before, _ = env.reset(seed=1)
    with pytest.raises(ValueError, match=r"^action must be the number of an action \(0 stand, "):
        env.step(wrong)
    assert (env.reset(seed=1)[0] == before).all()


def test_the_acting_seat_needs_an_action_number() -> None:
    seats = Seats21("wsgc-2021")
    seats.reset(seed=1)
    with pytest.raises(ValueError, match=r"^action must be the number of an action .*, not None\."):
        seats.step(None)


@pytest.mark.parametrize("env", [Table21("wsgc-2021"), Seats21("wsgc-2021")])
@pytest.mark.parametrize("wrong", [{"card": "5c"}, {"cards": "5c 6d 7h", "seed": 1}, ["cards"]])
def test_unknown_reset_options_are_refused(env: Any, wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"reset has no such option\. The only option is 'cards'"):
        env.reset(seed=1, options=wrong)


@pytest.mark.parametrize("actions", ["hit", None, [0.5, 1.0], [None, 1], ["hit", "stand"]])
def test_actions_of_many_seats_are_whole_numbers(actions: object) -> None:
    env = VectorTable21(2)
    env.reset(seed=3)
    with pytest.raises(ValueError, match=r"must be the number of an action \(0 stand, 1 hit"):
        env.step(actions)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one for each of the 2 seats"):
        env.step(np.array([1]))
    rows, *_ = env.step(np.array([0, 1], dtype=np.int8))
    assert rows.shape[0] == 2
