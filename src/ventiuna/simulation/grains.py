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

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Money:
    """Wagers and pays of the base game in grains, the largest amount that divides them all."""

    grain: int  # cents
    wagers: Ints  # [level, doublings]; levels whose double is for less follow the others
    terminal: Ints  # [level, mode, entry]
    lowest: int
    highest: int


@dataclass(frozen=True)
class Size:
    """A size of the base wager, in cents."""

    base: int
    for_less: int = 0  # what a double for less adds; 0: the double is in full


def hand_wagers(rules: RuleTable, size: Size) -> tuple[list[int], list[int]]:
    """A hand's wager after 0 to 3 doublings, and the last portion added (R-053 to R-055, R-058)."""
    wagers, portions = [size.base], [0]
    for doublings in range(1, at.WAGERS):
        added = payouts.doubling_wager(rules, wagers[-1], doublings - 1)
        if doublings == 1 and size.for_less:
            added = size.for_less
        portions.append(added)
        wagers.append(wagers[-1] + added)
    return wagers, portions


def _terminal_cents(rules: RuleTable, size: Size, mode: int) -> dict[int, int]:
    """What ends a hand in this mode, in cents by entry."""
    doublings = max(0, mode - at.DOUBLED_ONCE + 1)
    if doublings > rules.doublings_at_most:
        return {}
    wagers, portions = hand_wagers(rules, size)
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


def money(rules: RuleTable, bases: tuple[int, ...], for_less: tuple[int, ...] = ()) -> Money:
    """Of these base wagers; `for_less` is what each one's double for less adds, if any does."""
    sizes = [Size(base) for base in bases]
    if for_less:
        sizes += [Size(base, added) for base, added in zip(bases, for_less, strict=True)]
    cents = {
        (level, mode): _terminal_cents(rules, size, mode)
        for level, size in enumerate(sizes)
        for mode in range(at.MODES)
    }
    reached = rules.doublings_at_most + 1
    wagers = [hand_wagers(rules, size)[0] for size in sizes]
    amounts = [amount for pays in cents.values() for amount in pays.values()]
    amounts += [wager for row in wagers for wager in row[:reached]]
    grain = gcd(*amounts)
    highest = max(*amounts, 0) * rules.split_hands // grain
    lowest = -max(wager for row in wagers for wager in row[:reached]) * rules.split_hands // grain
    wager_table = np.zeros((len(sizes), at.WAGERS), dtype=np.int64)
    terminal = np.zeros((len(sizes), at.MODES, at.TERMINALS), dtype=np.int64)
    for level, row in enumerate(wagers):
        wager_table[level, :reached] = [wager // grain for wager in row[:reached]]
    for (level, mode), pays in cents.items():
        for entry, amount in pays.items():
            terminal[level, mode, entry] = amount // grain
    return Money(grain, wager_table, terminal, lowest, highest)
