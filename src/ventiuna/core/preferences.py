"""Actions in order of preference: the first that is legal is taken, else the hand stands."""

from ventiuna.core.actions import ACTIONS, STAND, refusal
from ventiuna.core.hand import Hand
from ventiuna.core.refusals import LEGAL
from ventiuna.core.table import RuleTable

# A packed preference is a row of actions, best first, three bits each, ended by NO_ACTION.
ACTION_BITS = 3
NO_ACTION = 7


def first_legal(preference: int, legal: int) -> int:
    """Of a packed preference; `legal` has a bit for each action."""
    for _ in range(ACTIONS):  # a row that was never written has no end
        action = preference & NO_ACTION
        if action == NO_ACTION:
            return STAND
        if legal >> action & 1 == 1:
            return action
        preference >>= ACTION_BITS
    return STAND


def first_legal_of(preferences: tuple[int, ...], legal: int) -> int:
    """Of a list; `legal` has a bit for each action."""
    for action in preferences:
        if legal >> action & 1 == 1:
            return action
    return STAND


def first_legal_for(rules: RuleTable, preferences: tuple[int, ...], hand: Hand, hands: int) -> int:
    """Of a list, for a hand that is one of its spot's `hands`; asks no more than it needs."""
    for action in preferences:
        if refusal(rules, action, hand, hands) == LEGAL:
            return action
    return STAND
