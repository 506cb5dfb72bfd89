"""Actions in order of preference: the first that is legal is taken, else the hand stands."""

from ventiuna.core.actions import STAND, refusal
from ventiuna.core.hand import Hand
from ventiuna.core.refusals import LEGAL
from ventiuna.core.table import RuleTable

# A packed preference is a row of actions, best first, three bits each, ended by NO_ACTION.
ACTION_BITS = 3
NO_ACTION = 7


def first_legal(preference: int, legal: int) -> int:
    """Of a packed preference; `legal` has a bit for each action."""
    while preference & NO_ACTION != NO_ACTION:
        if legal >> (preference & NO_ACTION) & 1 == 1:
            return preference & NO_ACTION
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
