"""What each figure rests on, and how far it may be off."""

from __future__ import annotations

from ventiuna.reports.par.spots import ROUNDS, SEED

_EXACT = (
    "Exact: combinatorial analysis of every deal from a fresh shoe, cards leaving it as they are "
    "dealt, in double precision. The parts of all events add up to the edge within 1e-14 of a "
    "base wager. Split hands are played as the same cards unsplit (CDZ-); ventiuna edge "
    "--reoptimise tells what else they could gain."
)
_DEVIATION = (
    "Exact but for one thing: where suits count, those in different hands of one split are taken "
    "as independent. 200 million simulated rounds agree within their error of 0.00004."
)
_COVARIANCE = (
    f"Simulated: {ROUNDS:,} rounds of two spots, best play, a fresh shoe every round, seed {SEED}. "
    "Its standard error stands beside it."
)
_HOLD = (
    "The expected amounts are exact; the bands are those of a normal distribution with the "
    "deviation above, an approximation that is good from some thousand rounds on. Super Bonus, "
    "side wagers and jackpots are not in them."
)
_METER = (
    "Exact for wagers one by one from fresh shoes, awards not rounded to cents and no maximum set. "
    "Hours are an example."
)
_REMOVAL = (
    "Exact: the shoe less one card, mean over its suits, times the decks, so that they stand for "
    "one card of each deck. Correlations follow from them; deviations and break-even counts are "
    "first-order approximations."
)
_ALL = (
    "From a fresh shoe. A shoe dealt to its cut card has another average (the cut-card effect): "
    "ventiuna simulate tells it."
)
METHOD = (
    ("edge, stake, events, options, strategies", _EXACT),
    ("dealer's totals", "Exact fractions from a fresh shoe, rounded for print."),
    ("standard deviation", _DEVIATION),
    ("covariance of spots", _COVARIANCE),
    ("expected hold", _HOLD),
    ("side wagers, Super Bonus", "Exact fractions from a fresh shoe, rounded for print."),
    ("jackpot lines and returns", "Exact fractions from a fresh shoe, rounded for print."),
    ("meter in the long run", _METER),
    ("removal effects", _REMOVAL),
    ("all", _ALL),
)
