"""Asks `core` about the jackpot lines of all sets of four cards, seven million of them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ventiuna.core.cards import CARDS
from ventiuna.core.jackpot import NO_LINE, fixed_pay, special_line
from ventiuna.core.table import JACKPOTS, SPECIAL_LINES
from ventiuna.kernels.jit import compiled
from ventiuna.kernels.simulate_layout import MATCH_CODES


@compiled
def ask_about_jackpots(
    rules: Any,
    codes: npt.NDArray[np.uint8],
    possible: npt.NDArray[np.uint8],
    fixed: npt.NDArray[np.int64],
) -> bool:
    """For every set of four cards: may it be a special line, what do the fixed lines pay?

    Filled by the codes of the matches with the up card and the down card, which is all that
    the fixed lines depend on. False would mean that some pay depends on more.
    """
    alone = np.full_like(fixed, -1)
    for game in range(rules.jackpots):
        for first in range(CARDS):
            for second in range(CARDS):
                for up in range(CARDS):
                    with_up = codes[first, up] + codes[second, up]
                    for down in range(CARDS):
                        with_down = codes[first, down] + codes[second, down]
                        if with_up == 0 and with_down == 0:
                            continue
                        line = special_line(rules, game, first, second, up, down)
                        pay = fixed_pay(rules, game, line, first, second, up, down)
                        if line != NO_LINE:
                            possible[game, with_up, with_down] = 1
                        known = alone[game, line, with_up, with_down]
                        if known >= 0 and known != pay:
                            return False
                        alone[game, line, with_up, with_down] = pay
    for game in range(JACKPOTS):
        for line in range(SPECIAL_LINES):
            for with_up in range(MATCH_CODES):
                for with_down in range(MATCH_CODES):
                    pay = alone[game, line, with_up, with_down]
                    fixed[game, line, with_up, with_down] = max(pay, 0)
    return True
