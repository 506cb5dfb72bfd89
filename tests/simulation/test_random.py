"""The simulator's random generator and card draws."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ventiuna.kernels.simulate.rounds import U64, below, draw, gather_discards, next_random

_MASK = 2**64 - 1


@pytest.fixture(autouse=True)
def numbers_of_64_bits() -> Iterator[None]:
    """Silence overflow warnings: sums wrap around at 64 bits, which Python warns about."""
    with np.errstate(over="ignore"):
        yield


def reference(state: list[int]) -> int:
    """xoshiro256++ in plain Python, as its authors describe it."""

    def rotated(number: int, by: int) -> int:
        return (number << by | number >> (64 - by)) & _MASK

    result = (rotated((state[0] + state[3]) & _MASK, 23) + state[0]) & _MASK
    shifted = state[1] << 17 & _MASK
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotated(state[3], 45)
    return result


def test_the_generator_is_xoshiro256_plus_plus() -> None:
    state = [1, 2, 3, 4]
    numbers = tuple(U64(part) for part in state)
    for _ in range(1000):
        wanted = reference(state)
        found, *rest = next_random(*numbers)
        numbers = tuple(U64(int(part)) for part in rest)
        assert int(found) == wanted
    # The first outputs from the state 1, 2, 3, 4, as in other implementations.
    assert [reference(again) for again in [[1, 2, 3, 4]]] == [41943041]


def test_below_covers_its_range_evenly() -> None:
    assert below(U64(0), 52) == 0
    assert below(U64(_MASK), 52) == 51
    assert below(U64(1 << 63), 52) == 26


def test_a_shoe_drawn_to_its_end_has_every_card_once() -> None:
    shoe = np.arange(200, dtype=np.uint8)
    s0, s1, s2, s3 = (U64(part) for part in (5, 6, 7, 8))
    cards = []
    pos = 0
    for _ in range(200):
        card, pos, s0, s1, s2, s3 = draw(shoe, pos, s0, s1, s2, s3)
        s0, s1, s2, s3 = (U64(int(part)) for part in (s0, s1, s2, s3))
        cards.append(int(card))
    assert sorted(cards) == list(range(200))
    assert cards != list(range(200))


def test_every_card_is_equally_likely_in_every_position() -> None:
    """Five cards, drawn three at a time: all 60 orders are equally likely (chi-squared)."""
    orders: dict[tuple[int, ...], int] = {}
    shoe = np.arange(5, dtype=np.uint8)
    state = tuple(U64(part) for part in (11, 12, 13, 14))
    rounds = 12_000
    for _ in range(rounds):
        pos, drawn = 0, []
        for _ in range(3):
            card, pos, *rest = draw(shoe, pos, *state)
            state = tuple(U64(int(part)) for part in rest)
            drawn.append(int(card))
        orders[tuple(drawn)] = orders.get(tuple(drawn), 0) + 1
    expected = rounds / 60
    squared = sum((count - expected) ** 2 / expected for count in orders.values())
    assert len(orders) == 60
    assert squared < 98.3  # 59 degrees of freedom, p = 0.001


def test_gathered_discards_exclude_the_rounds_cards() -> None:
    shoe = np.array([1, 2, 3, 4, 5, 6, 7], dtype=np.uint8)
    assert gather_discards(shoe, 4) == 3
    assert set(shoe[:3].tolist()) == {5, 6, 7}
    assert sorted(shoe.tolist()) == [1, 2, 3, 4, 5, 6, 7]
    few = np.array([1, 2, 3, 4, 5], dtype=np.uint8)
    assert gather_discards(few, 1) == 4
    assert set(few[:4].tolist()) == {2, 3, 4, 5}
    assert gather_discards(few, 0) == 5
