"""Shuffles of committed shoes are fair; the same tests find shuffles that are not.

These are small samples with fixed seeds; `python -m benchmarks.shuffle_soak` takes large ones.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from itertools import count

import numpy as np
import pytest

from tests.support.shuffle_statistics import (
    ShuffleReport,
    chi_square_p_value,
    examine,
    normal_p_value,
    sample,
)
from ventiuna.cards import Pack
from ventiuna.table.fairness import HmacDrbg, RandomWords, ShoeContext, shoe_order, shoe_randomness

MIX = bytes(32)
DECK = 52


def words_of(number: int, decks: int = 1) -> RandomWords:
    """The words of a shoe with its own seed."""
    context = ShoeContext("h1", "t1", number + 1, "example", Pack.STANDARD, decks, 0, 75)
    return shoe_randomness(context, hashlib.sha256(number.to_bytes(8, "big")).digest(), MIX)


def report(
    shuffle: Callable[[list[int]], None], size: int = DECK, number: int = 1500
) -> ShuffleReport:
    return examine(sample(shuffle, size, number))


# --- ours ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("decks", "number"), [(1, 1500), (8, 150)])
def test_shuffles_of_committed_shoes_are_fair(decks: int, number: int) -> None:
    numbers = count()
    found = report(lambda cards: words_of(next(numbers), decks).shuffle(cards), 52 * decks, number)
    assert found.suspicious == []
    assert len(found.findings) == 15


def test_shuffles_with_leftover_words_are_fair() -> None:
    """Cards are reshuffled this way when they run out mid-round, whatever their number."""
    numbers = count(10_000)

    def second(cards: list[int]) -> None:
        words = words_of(next(numbers))
        words.shuffle([0] * 37)
        words.shuffle(cards)

    assert report(second).suspicious == []


def test_shuffles_from_one_generator_are_fair() -> None:
    assert report(RandomWords(HmacDrbg(MIX, b"", b"")).shuffle).suspicious == []


def test_a_shoe_is_its_decks_in_shuffled_order() -> None:
    context = ShoeContext("h1", "t1", 1, "example", Pack.SPANISH, 2, 0, 75)
    places = list(range(96))
    shoe_randomness(context, MIX, MIX).shuffle(places)
    pack = sorted(Pack.SPANISH.cards) * 2
    assert shoe_order(context, shoe_randomness(context, MIX, MIX)) == [
        pack[place] for place in places
    ]


@pytest.mark.parametrize("limit", [2, 3, 7, 48, 384, 3 * 2**30])
def test_numbers_below_a_limit_are_equally_likely(limit: int) -> None:
    words = RandomWords(HmacDrbg(limit.to_bytes(4, "big"), b"", b""))
    classes = min(limit, 48)  # 48 divides all larger limits
    counts = np.zeros(classes)
    for _ in range(4000):
        counts[words.below(limit) * classes // limit] += 1
    expected = 4000 / classes
    statistic = float(((counts - expected) ** 2).sum() / expected)
    assert chi_square_p_value(statistic, classes - 1) > 0.01 / 6


# --- wrong ones ---------------------------------------------------------------------------------


def any_other(generator: random.Random) -> Callable[[list[int]], None]:
    """Swap every card with any other: the usual mistake."""

    def shuffle(cards: list[int]) -> None:
        for place in range(len(cards)):
            other = generator.randrange(len(cards))
            cards[place], cards[other] = cards[other], cards[place]

    return shuffle


def never_itself(generator: random.Random) -> Callable[[list[int]], None]:
    """Off by one: no card may stay where it is."""

    def shuffle(cards: list[int]) -> None:
        for last in range(len(cards) - 1, 0, -1):
            other = generator.randrange(last)
            cards[last], cards[other] = cards[other], cards[last]

    return shuffle


def six_bits(generator: random.Random) -> Callable[[list[int]], None]:
    """Take remainders of numbers below 64 without rejection, so small ones are more frequent."""

    def shuffle(cards: list[int]) -> None:
        for last in range(len(cards) - 1, 0, -1):
            other = generator.getrandbits(6) % (last + 1)
            cards[last], cards[other] = cards[other], cards[last]

    return shuffle


def stops_early(generator: random.Random) -> Callable[[list[int]], None]:
    """Leave the first four places alone."""

    def shuffle(cards: list[int]) -> None:
        for last in range(len(cards) - 1, 3, -1):
            other = generator.randrange(last + 1)
            cards[last], cards[other] = cards[other], cards[last]

    return shuffle


def riffles(generator: random.Random) -> Callable[[list[int]], None]:
    """Six good riffles by hand."""

    def shuffle(cards: list[int]) -> None:
        for _ in range(6):
            from_left = [generator.random() < 0.5 for _ in cards]
            middle = sum(from_left)
            left, right = iter(cards[:middle]), iter(cards[middle:])
            cards[:] = [next(left) if is_left else next(right) for is_left in from_left]

    return shuffle


def repeats(generator: random.Random) -> Callable[[list[int]], None]:
    """Give every fiftieth shoe the previous one's seed."""
    numbers = count()
    seeds = [generator.getrandbits(64)]

    def shuffle(cards: list[int]) -> None:
        if next(numbers) % 50:
            seeds[0] = generator.getrandbits(64)
        random.Random(seeds[0]).shuffle(cards)

    return shuffle


def cuts(generator: random.Random) -> Callable[[list[int]], None]:
    """Shuffle once, then only cut."""
    order = list(range(DECK))
    generator.shuffle(order)

    def shuffle(cards: list[int]) -> None:
        place = generator.randrange(len(cards))
        cards[:] = order[place:] + order[:place]

    return shuffle


@pytest.mark.parametrize(
    ("wrong", "found_by"),
    [
        (any_other, "position by card"),
        (never_itself, "parity of the shuffle"),
        (six_bits, "position by card"),
        (stops_early, "position by card"),
        (riffles, "rises"),
        (repeats, "matches with the shoe before"),
        (cuts, "orders of neighbors"),
    ],
)
def test_a_wrong_shuffle_is_found(
    wrong: Callable[[random.Random], Callable[[list[int]], None]], found_by: str
) -> None:
    assert found_by in report(wrong(random.Random(21))).suspicious


def test_a_sample_that_fits_too_well_is_found() -> None:
    """Each card at each place equally often, which wouldn't happen by chance."""
    cards = np.arange(DECK)
    orders = np.array([np.roll(cards, shift) for shift in range(DECK)] * 20)
    assert "first card" in examine(orders).suspicious


# --- the tests' own arithmetic --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statistic", "freedom", "chance"),
    [(3.841, 1, 0.10), (18.307, 10, 0.10), (3.940, 10, 0.10), (124.342, 100, 0.10)],
)
def test_chi_square_probabilities_match_the_tables(
    statistic: float, freedom: int, chance: float
) -> None:
    """The 5% points on one side, so 10% on both."""
    assert chi_square_p_value(statistic, freedom) == pytest.approx(chance, rel=0.08)


@pytest.mark.parametrize(("z", "chance"), [(0, 1.0), (1.959964, 0.05), (-2.575829, 0.01)])
def test_normal_probabilities_match_the_tables(z: float, chance: float) -> None:
    assert normal_p_value(z) == pytest.approx(chance, rel=1e-5)


def test_fair_samples_are_suspicious_as_rarely_as_they_should_be() -> None:
    """Of 120 samples of numpy permutations, 1.2 fail on average; more than 6, once in 2,000."""
    generator = np.random.default_rng(7)
    rows = np.tile(np.arange(48), (300, 1))
    suspicious = sum(bool(examine(generator.permuted(rows, axis=1)).suspicious) for _ in range(120))
    assert suspicious <= 6
