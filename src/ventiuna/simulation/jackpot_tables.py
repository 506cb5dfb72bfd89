"""Jackpot lines as tables: which line the cards make, looked up by how they match.

Lines depend on the matches with the up card and with the down card, on whether aces are among
the cards, and on two cards by name: the ace and the king of spades (R-087 to R-094). So the cards
of three ranks stand for all, and `core` is asked about those.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from ventiuna.core.cards import CARDS, SUITS, rank_of
from ventiuna.core.jackpot import CARD_KINDS, NAMED_RANKS, card_kind, fixed_pay, special_line
from ventiuna.core.match import suited_matches, unsuited_matches
from ventiuna.core.table import JACKPOTS, SPECIAL_LINES, RuleTable
from ventiuna.kernels.simulate import layout as at
from ventiuna.strategy.errors import plan_problem

_RANKS = (*NAMED_RANKS, 2)  # aces, kings, and a rank like all others


@lru_cache(maxsize=1)
def match_codes() -> npt.NDArray[np.uint8]:
    """How one player card matches a dealer card: [card, dealer card]."""
    codes = np.zeros((64, 64), dtype=np.uint8)
    for card in range(CARDS):
        for dealer_card in range(CARDS):
            other = (dealer_card + SUITS) % CARDS  # of another rank: it never matches
            suited = suited_matches(card, other, dealer_card)
            unsuited = unsuited_matches(card, other, dealer_card)
            codes[card, dealer_card] = suited * at.SUITED_MATCH + unsuited * at.UNSUITED_MATCH
    return codes


@dataclass(frozen=True)
class JackpotTables:
    possible: npt.NDArray[np.uint8]  # [game, with up, with down]: may it be a special line?
    lines: npt.NDArray[np.uint8]  # [game, with up, with down, kinds of the four cards]
    fixed: npt.NDArray[np.int64]  # [game, line, with up, with down]: what fixed lines hand over


@lru_cache(maxsize=16)
def jackpot_tables(rules: RuleTable) -> JackpotTables:
    codes = (at.MATCH_CODES, at.MATCH_CODES)
    possible = np.zeros((JACKPOTS, *codes), dtype=np.uint8)
    lines = np.zeros((JACKPOTS, *codes, at.CARD_KINDS), dtype=np.uint8)
    fixed = np.zeros((JACKPOTS, SPECIAL_LINES, *codes), dtype=np.int64)
    seen: dict[tuple[int, ...], int] = {}
    matches = match_codes()
    cards = [card for card in range(CARDS) if rank_of(card) in _RANKS]
    for first, second, up, down in product(cards, repeat=4):
        with_up = int(matches[first, up]) + int(matches[second, up])
        with_down = int(matches[first, down]) + int(matches[second, down])
        if with_up == 0 and with_down == 0:
            continue
        kinds = kinds_place(first, second, up, down)
        for game in range(rules.jackpots):
            line = special_line(rules, game, first, second, up, down)
            pay = fixed_pay(rules, game, line, first, second, up, down)
            for key, value in (
                ((game, with_up, with_down, kinds), line),
                ((game, -1 - line, with_up, with_down), pay),
            ):
                if seen.setdefault(key, value) != value:
                    raise plan_problem(
                        "jackpots",
                        f"game {game + 1}",
                        "its lines ask more of the cards than matches, aces and the king of spades",
                        "Use another table.",
                        "R-086",
                    )
            lines[game, with_up, with_down, kinds] = line
            fixed[game, line, with_up, with_down] = pay
            possible[game, with_up, with_down] |= line != 0
    return JackpotTables(possible, lines, fixed)


def kinds_place(first: int, second: int, up: int, down: int) -> int:
    place = 0
    for card in (first, second, up, down):
        place = place * CARD_KINDS + card_kind(card)
    return place
