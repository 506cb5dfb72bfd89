"""What every legal choice is worth exactly, in the environment's own unit of reward."""

from __future__ import annotations

import math
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.base_game.analyser import analyse
from ventiuna.analysis.composition import Composition, fresh_composition, with_cards, without_cards
from ventiuna.analysis.empty_shoe import EmptyShoe
from ventiuna.analysis.questions.hand import AskedHand
from ventiuna.analysis.side_bets.insurance import insurance_wager
from ventiuna.core.actions import ACTION_NAMES, DOUBLE
from ventiuna.core.blackjacks import wins_two_blackjacks
from ventiuna.core.dealer import is_dealer_blackjack
from ventiuna.core.payouts import blackjack_profit
from ventiuna.engine.events import Stage
from ventiuna.engine.state import PlayerHand, Spot
from ventiuna.envs.dealing import DealtTable, is_doubled_for_less
from ventiuna.kernels.seats import layout as at
from ventiuna.rules import Problem, RulesError
from ventiuna.rules.values import shown

Floats = npt.NDArray[np.float64]
UNKNOWN = math.nan  # so few cards are left that nothing exact can be said


class ValuesFrom(StrEnum):
    """Which cards are taken to be still to come."""

    SHOE = "shoe"  # those that this player has not seen
    FRESH = "fresh"  # a full shoe but for the hand and the up card


class Judge:
    """Knows what every choice on offer is worth, and what the one that is made gives away."""

    def __init__(self, table: DealtTable, values: str | None) -> None:
        if values is not None and values not in tuple(ValuesFrom):
            problem = Problem(
                "values", shown(values), "", "they are of a shoe", "Use shoe or fresh."
            )
            raise RulesError([problem])
        self._table = table
        self._source = ValuesFrom(values) if values else None
        self._values: Floats | None = None

    def look(self) -> dict[str, Floats]:
        """What the info tells of the choice that is asked for now."""
        if self._source is None:
            return {}
        self._values = action_values(self._table, self._source)
        return {"action_values": self._values.copy()}

    def regret(self, choice: int) -> dict[str, float]:
        """What the info tells of the choice that is about to be made."""
        if self._values is None:
            return {}
        made = choice if self._table.is_legal(choice) else self._table.usual_choice()
        return {"regret": float(np.max(self._values) - self._values[made])}


def action_values(table: DealtTable, source: ValuesFrom) -> Floats:
    """By choice: its value with best play after it; minus infinity where it is not legal.

    Of a split hand it is the hand's own. Insurance is valued as a wager of its own.
    """
    values = np.where(table.mask() == 1, UNKNOWN, -np.inf)
    unit = table.settings.base
    current = table.current
    if table.phase == at.WAGER:
        ev = _value_of_a_round(table, source)
        values[at.FIRST_WAGER :] = [base / unit * ev for base in table.settings.bases]
    elif current is not None:
        spot, hand = current
        unseen = _unseen(table, hand, source)
        if table.phase == at.INSURANCE:
            stake = table.settings.insurance(spot.base) / unit
            wager = insurance_wager(
                table.settings.rules, (), table.round.up, with_cards(unseen, (table.round.up,))
            )
            values[at.INSURE], values[at.DECLINE] = stake * float(wager.expected_value), 0.0
        elif table.phase == at.BLACKJACK:
            take, keep = _blackjack_values(table, spot, hand, unseen)
            values[at.TAKE], values[at.KEEP] = take * spot.base / unit, keep * spot.base / unit
        else:
            found = _hand_values(table, spot, hand, unseen)
            if values[at.DOUBLE_FOR_LESS] != -np.inf:
                less = _hand_values(table, spot, hand, unseen, table.least_double)
                values[at.DOUBLE_FOR_LESS] = less[ACTION_NAMES[DOUBLE]] * spot.base / unit
            for action, name in enumerate(ACTION_NAMES):
                if name in found:
                    values[action] = found[name] * spot.base / unit
    return values


def _unseen(table: DealtTable, hand: PlayerHand, source: ValuesFrom) -> Composition:
    if source is ValuesFrom.SHOE:
        return table.unseen()
    return without_cards(fresh_composition(table.settings.rules), (*hand.cards, table.round.up))


def _value_of_a_round(table: DealtTable, source: ValuesFrom) -> float:
    rules = table.settings.rules
    composition = table.unseen() if source is ValuesFrom.SHOE else fresh_composition(rules)
    try:
        return analyse(rules, composition).ev
    except EmptyShoe:
        return UNKNOWN


def _hand_values(
    table: DealtTable, spot: Spot, hand: PlayerHand, unseen: Composition, added: int | None = None
) -> dict[str, float]:
    """By action's name, in the spot's base wagers; the dealer has looked."""
    if added is None and is_doubled_for_less(spot, hand):
        added = hand.last_portion
    asked = AskedHand(
        rules=table.settings.rules,
        cards=tuple(hand.cards),
        up=table.round.up,
        unseen=unseen,
        doublings=hand.shape.doublings,
        hands=len(spot.hands),
        base=spot.base,
        added=added,
    )
    try:
        return {found.action: found.ev for found in asked.values().actions}
    except EmptyShoe:
        return dict.fromkeys(ACTION_NAMES, UNKNOWN)


def _blackjack_values(
    table: DealtTable, spot: Spot, hand: PlayerHand, unseen: Composition
) -> tuple[float, float]:
    """Paid now, or kept: which loses its pay where the dealer's blackjack is as good."""
    state = table.round
    pay = blackjack_profit(state.table, hand.shape, spot.base) / spot.base
    best = max(_hand_values(table, spot, hand, unseen).values())
    if state.stage is Stage.BLACKJACKS_AFTER_CHECK:
        return pay, best
    makes = sum(n for card, n in enumerate(unseen) if is_dealer_blackjack(state.up, card))
    chance = makes / sum(unseen)
    against = pay if wins_two_blackjacks(state.table, paid_before_check=False) else 0.0
    return pay, (1 - chance) * best + chance * against
