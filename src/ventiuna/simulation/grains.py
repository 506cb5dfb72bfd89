"""Wagers and pays of the base game, counted in the largest amount that divides them all."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

import numpy as np
import numpy.typing as npt

from ventiuna.core import payouts
from ventiuna.core.hand import Hand
from ventiuna.core.table import RuleTable
from ventiuna.kernels.simulate import layout as at
from ventiuna.strategy.errors import plan_problem

Ints = npt.NDArray[np.int64]

MOST_RESULTS = 1 << 18  # places in the histogram of results


@dataclass(frozen=True)
class Money:
    """Wagers and pays of the base game in grains, the largest amount that divides them all."""

    grain: int  # cents
    wagers: Ints  # [level, doublings]
    terminal: Ints  # [level, mode, entry]
    lowest: int
    highest: int


def hand_wagers(rules: RuleTable, base: int) -> tuple[list[int], list[int]]:
    """A hand's wager after 0 to 3 doublings, and the last portion added (R-053 to R-055)."""
    wagers, portions = [base], [0]
    for doublings in range(1, at.WAGERS):
        added = payouts.doubling_wager(rules, wagers[-1], doublings - 1)
        portions.append(added)
        wagers.append(wagers[-1] + added)
    return wagers, portions


def _terminal_cents(rules: RuleTable, base: int, mode: int) -> dict[int, int]:
    """What ends a hand in this mode, in cents by entry."""
    doublings = max(0, mode - at.DOUBLED_ONCE + 1)
    if doublings > rules.doublings_at_most:
        return {}
    wagers, portions = hand_wagers(rules, base)
    wager = wagers[doublings]
    pays = {
        at.BUSTED: -wager,
        at.SURRENDERED: -payouts.surrender_loss(wager),
    }
    if doublings:
        pays[at.RESCUED] = -payouts.rescue_loss(wager, portions[doublings])
    for row in range(rules.bonus_rows):
        if doublings == 0 or rules.bonus_doubled[row]:
            pays[row] = payouts.row_profit(rules, row, wager)
            pays[at.SUPER + row] = pays[row]
    if mode == at.AS_DEALT:
        for entry, suits in ((at.BLACKJACK, 1), (at.DIAMOND_BLACKJACK, 2)):
            hand = Hand(2, 11, 1, 0, suits, 0, 0, 0)
            pays[entry] = payouts.blackjack_profit(rules, hand, wager)
    return pays


def money(rules: RuleTable, bases: tuple[int, ...]) -> Money:
    cents = {
        (level, mode): _terminal_cents(rules, base, mode)
        for level, base in enumerate(bases)
        for mode in range(at.MODES)
    }
    reached = rules.doublings_at_most + 1
    wagers = [hand_wagers(rules, base)[0] for base in bases]
    amounts = [amount for pays in cents.values() for amount in pays.values()]
    amounts += [wager for row in wagers for wager in row[:reached]]
    grain = gcd(*amounts)
    highest = max(*amounts, 0) * rules.split_hands // grain
    lowest = -max(wager for row in wagers for wager in row[:reached]) * rules.split_hands // grain
    if highest - lowest >= MOST_RESULTS:
        raise plan_problem(
            "base",
            f"{bases[0] / 100:.2f}",
            "results of this wager and its doublings share no unit worth counting in",
            "Choose a base wager that divides the table maximum, or is well below it.",
            "R-055",
        )
    wager_table = np.zeros((at.LEVELS, at.WAGERS), dtype=np.int64)
    terminal = np.zeros((at.LEVELS, at.MODES, at.TERMINALS), dtype=np.int64)
    for level, row in enumerate(wagers):
        wager_table[level, :reached] = [wager // grain for wager in row[:reached]]
    for (level, mode), pays in cents.items():
        for entry, amount in pays.items():
            terminal[level, mode, entry] = amount // grain
    return Money(grain, wager_table, terminal, lowest, highest)
