"""Compare the fast analyzer with the reference, for every action of every deal of a small pack."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import perm

import pytest

from ventiuna.analysis.base_game.solver import Solution, solve, up_row_of
from ventiuna.analysis.composition import Composition, SplitPlay, composition_of, without_cards
from ventiuna.cards import parse_cards
from ventiuna.core import actions
from ventiuna.core.base_game import is_dealer_blackjack
from ventiuna.core.cards import CARDS, value_of
from ventiuna.rules import Rules, compile_rules
from ventiuna.testing.reference import ReferenceRound

TOLERANCE = 1e-12


def pack(text: str) -> Composition:
    """Parse a small pack: `8c*3 Kd` is three eights of clubs and a king."""
    cards: list[int] = []
    for word in text.split():
        card, _, times = word.partition("*")
        cards += parse_cards(card) * int(times or 1)
    return composition_of(cards)


def value_and_money(solution: Solution, action: int, hand: tuple[int, int], up: int) -> list[float]:
    """Value of an action on two cards and, if the solution stores it, the money wagered."""
    game = solution.game
    first, second = sorted(hand)
    low, high, up_value = value_of(first) - 1, value_of(second) - 1, value_of(up) - 1
    place = game["following"][game["following"][0, low], high]
    if game["by_card"][place]:
        row, up_row = game["pair_row"][first, second], up_row_of(game, up)
        suited = solution.suited
        return [
            float(suited["values"][row, up_row, action]),
            float(suited["wagered"][row, up_row, action]),
        ]
    value = float(solution.plays["by_action"][up_value, action, place])
    if action == actions.SPLIT:
        return [value, float(solution.splits["wagered"][low, up_value])]
    return [value]


def assert_equal_to_reference(
    rules: Rules,
    composition: Composition,
    split_play: SplitPlay = SplitPlay.AS_UNSPLIT,
    base: int | None = None,
    super_bonus: bool = False,
) -> int:
    """Compare all deals and return the number of splits compared."""
    solution = solve(compile_rules(rules), composition, split_play, base, super_bonus)
    splits = 0
    whole = [Fraction(), Fraction(), Fraction()]
    for up in range(CARDS):
        if not composition[up]:
            continue
        shoe = without_cards(composition, (up,))
        game = ReferenceRound(rules, shoe, up, split_play, base, super_bonus)
        for hand in combinations_with_replacement(range(CARDS), 2):
            ways = ways_to_deal(shoe, hand)
            if not ways:
                continue
            outcome = game.deal(hand)
            parts = (Fraction(1), outcome.profit / game.base, outcome.wagered / game.base)
            whole = [
                known + composition[up] * ways * part
                for known, part in zip(whole, parts, strict=True)
            ]
            if not _can_be_played(shoe, hand, up):
                continue
            for action, outcome in game.plays(hand).items():
                expected = [float(outcome.profit / game.base), float(outcome.wagered / game.base)]
                found = value_and_money(solution, action, hand, up)
                assert found == pytest.approx(expected[: len(found)], abs=TOLERANCE), (hand, up)
                splits += action == actions.SPLIT
    deals = perm(sum(composition), 3)
    expected = [float(part / deals) for part in whole]
    assert expected[0] == 1
    assert list(solution.deals.sum(axis=(0, 1))[:3]) == pytest.approx(expected, abs=TOLERANCE)
    return splits


def ways_to_deal(shoe: Composition, hand: tuple[int, int]) -> int:
    """Number of ways to draw two cards from the shoe."""
    first, second = hand
    if first == second:
        return shoe[first] * max(shoe[first] - 1, 0)
    return 2 * shoe[first] * shoe[second]


def _can_be_played(shoe: Composition, hand: tuple[int, int], up: int) -> bool:
    """Whether the hand is in the shoe and the dealer can have something other than a blackjack."""
    left = list(shoe)
    for card in hand:
        left[card] -= 1
    if min(left) < 0:
        return False
    return any(count and not is_dealer_blackjack(up, card) for card, count in enumerate(left))
