"""Sums can represent the largest wagers and meters that the rules allow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.simulation.test_counts_of_rounds import base_by_spot, counted, rest_by_spot, work_of
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.side_bets import (
    MAX_FACTOR,
    add_product,
    add_rest,
    add_wide,
    carry_rest,
    total_place,
)
from ventiuna.money import LARGEST_AMOUNT
from ventiuna.proof.lockstep import trace_rounds
from ventiuna.simulation.blocks import sum_of_products, wide_values
from ventiuna.simulation.result import Result
from ventiuna.strategy.protocol import PlanError

ROUNDS = 12_000
ANY_WAGER = "table_maximum=100000000000,mtd_maximum=0,limit_profile=none"
HOUSE = "jackpots=3c:1:wager=5:kind=house:seed=20000000"


def lines_of(result: Result) -> dict[str, tuple[float, float, float]]:
    return {
        line.name: (line.ev.value, line.ev.standard_error, line.ev.sd) for line in result.wagers
    }


@pytest.mark.parametrize("spots", [1, 2])
def test_a_wager_a_trillion_times_as_large_has_the_same_errors(spots: int) -> None:
    """Errors are fractions of the wager, so they don't depend on its size."""
    small, large = (
        counted(
            work_of(
                f"wsgc-spanish-21({ANY_WAGER})",
                "habits",
                spots=spots,
                base=500 * size,
                match={"up": 500 * size, "down": 500 * size},
            )
        )
        for size in (1, LARGEST_AMOUNT // 500)
    )
    free = ("Super Bonus", "Envy Bonus", "all together")  # in dollars, whatever the wager
    wanted = {name: figures for name, figures in lines_of(small).items() if name not in free}
    found = {name: figures for name, figures in lines_of(large).items() if name not in free}
    assert found == wanted
    assert large.total.standard_error == pytest.approx(small.total.standard_error, rel=0.05)


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        (
            f"wsgc-2021({ANY_WAGER},{HOUSE})",
            {"jackpots": (1,), "base": 500, "spots": 2},
        ),
        (
            f"wsgc-2021({ANY_WAGER},{HOUSE})",
            {"jackpots": (1,), "base": LARGEST_AMOUNT, "match": {"up": LARGEST_AMOUNT - 100}},
        ),
    ],
)
def test_large_sums_match_the_rounds(rules: str, settings: dict[str, Any]) -> None:
    """With meters of $20,000,000 and wagers of $100,000,000,000, squares exceed 64 bits."""
    spec = work_of(rules, **settings)
    traced, _ = trace_rounds(spec, ROUNDS)
    result = counted(spec, ROUNDS)
    base = [base_by_spot(one, spec.spots) for one in traced]
    rest = [rest_by_spot(one, spec.spots) for one in traced]
    whole = (np.array(base) + np.array(rest)) / spec.bases[0]
    assert result.total.sd == pytest.approx(whole.std(), rel=1e-9)
    error = whole.sum(axis=1).std(ddof=1) / spec.spots / ROUNDS**0.5
    assert result.total.standard_error == pytest.approx(error, rel=1e-9)


def test_awards_of_a_large_house_jackpot_have_their_error() -> None:
    spec = work_of(f"wsgc-2021({HOUSE})", jackpots=(1,), spots=3)
    result = counted(spec, 40_000)
    (meter,) = result.meters
    for award in meter.awards:
        assert award.hits == 0 or award.average.value * award.hits == pytest.approx(award.paid)
    paid = sum(award.paid for award in meter.awards)
    assert paid > 0
    line = next(line for line in result.wagers if line.name == "jackpot 1")
    # With one award in all these rounds, its error is about as large as its contribution.
    assert line.ev.standard_error > 0.3 * paid / (40_000 * 3 * 500) / len(meter.awards)


def test_wide_sums_are_exact() -> None:
    generator = np.random.default_rng(8)
    sums = np.zeros(4, dtype=np.int64)
    total = product = 0
    for bits in generator.integers(1, 61, 3000).tolist():
        one, other = (int(x) for x in generator.integers(-(2**bits) + 1, 2**bits, 2))
        add_wide(sums, 0, one)
        add_product(sums, 1, one, other)
        total += one
        product += one * other
    for one in (MAX_FACTOR, -MAX_FACTOR, 2**31, -(2**31), 2**31 - 1, 0):
        for other in (MAX_FACTOR, -MAX_FACTOR, -(2**31) + 1, 1):
            add_product(sums, 1, one, other)
            product += one * other
    assert wide_values(sums) == [total, product]


def test_sums_of_the_rest_are_exact_with_small_and_large_amounts() -> None:
    generator = np.random.default_rng(9)
    sums = np.zeros(2 * at.RESTS, dtype=np.int64)
    wanted = [0, 0, 0]
    for number in range(2 * at.CARRIED):
        net = int(generator.integers(-(2**18) + 1, 2**18))
        small = (at.SMALL_REST - 1) * (1 - 2 * (number % 2))
        large = int(generator.integers(-(2**59), 2**59))
        for rest in (*[small] * at.MAX_SPOTS, large if number % 16 == 0 else 0):
            add_rest(sums, net, rest)
            for place, amount in enumerate((rest, rest * rest, net * rest)):
                wanted[place] += amount
        if number % at.CARRIED == 0:
            carry_rest(sums)
    assert wide_values(sums)[:3] == wanted


@pytest.mark.parametrize("width", [1, 3, 250, 333, 2**20 + 1, LARGEST_AMOUNT // 2])
def test_the_place_of_a_result_is_its_whole_quotient(width: int) -> None:
    half = at.TOTAL_PLACES // 2
    for place in (0, 1, 7, half - 1, half, half + 1, at.TOTAL_PLACES - 1, at.TOTAL_PLACES):
        for cents in {-1, 0, 1, width // 2, width - 1}:
            total = (place - half) * width + cents
            wanted = min(max(total // width + half, 0), at.TOTAL_PLACES - 1)
            assert total_place(total, width) == wanted


def test_sums_of_products_are_exact() -> None:
    ones = np.array([2**62, -5, 2**40], dtype=np.int64)
    others = np.array([2**60, 7, -(2**50)], dtype=np.int64)
    assert sum_of_products(ones, others) == 2**122 - 35 - 2**90
    assert sum_of_products(ones[1:2], others[1:2]) == -35
    assert sum_of_products(ones[:0], others[:0]) == 0


def test_amounts_too_large_for_the_sums_are_refused() -> None:
    with pytest.raises(PlanError, match="too large for the simulator"):
        work_of(f"wsgc-spanish-21({ANY_WAGER},insurance_pays=100000 to 1)", base=LARGEST_AMOUNT)
    with pytest.raises(PlanError, match="Choose a shorter session"):
        work_of(f"wsgc-spanish-21({ANY_WAGER})", base=LARGEST_AMOUNT, session=1_000_000)
