"""The coach: what choices are worth, what those made have cost, and hands to practise with."""

from ventiuna.analysis.coaching.advice import (
    DECLINE,
    INSURE,
    Advice,
    Asks,
    Choice,
    Coached,
    NothingToCoach,
    Valued,
    advise,
    coached_hand,
    value,
    value_of_blackjack,
    value_of_hand,
    value_of_insurance,
)

__all__ = [
    "DECLINE",
    "INSURE",
    "Advice",
    "Asks",
    "Choice",
    "Coached",
    "NothingToCoach",
    "Valued",
    "advise",
    "coached_hand",
    "value",
    "value_of_blackjack",
    "value_of_hand",
    "value_of_insurance",
]
