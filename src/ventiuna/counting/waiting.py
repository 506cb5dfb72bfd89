"""How long until a jackpot is hit: exact distributions of waiting times.

A round hits with a chance p that does not change (fresh shoes, a fixed number of seats). The rounds
until the first hit are geometric, those until the k-th negative binomial:

    P(T > n) = (1 - p)**n          P(T_k > n) = P(fewer than k hits in n rounds)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from ventiuna.strategy.errors import plan_problem

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
MOST_HITS = 10_000


def check_hits(hits: object) -> None:
    """A whole number of hits that can be waited for."""
    if type(hits) is not int or not 1 <= hits <= MOST_HITS:
        raise plan_problem("hits", hits, f"1 to {MOST_HITS:,} hits", "Choose in between.")


@dataclass(frozen=True)
class Waiting:
    """Rounds until the k-th hit, each round hitting with the same chance."""

    chance: Fraction
    hits: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.chance <= 1:
            raise plan_problem("jackpot", self.chance, "it is never hit", "Choose another line.")
        check_hits(self.hits)

    @property
    def mean(self) -> Fraction:
        return self.hits / self.chance

    @property
    def deviation(self) -> float:
        return math.sqrt(self.hits * (1 - self.chance)) / float(self.chance)

    def longer_than(self, rounds: int) -> float:
        """Chance that it is not hit so often within so many rounds."""
        if rounds < self.hits:
            return 1.0
        if self.chance == 1:
            return 0.0
        chance = float(self.chance)
        log_miss, log_hit = math.log1p(-chance), math.log(chance)
        terms = []
        log_ways = 0.0
        for hits in range(self.hits):
            if hits:
                log_ways += math.log(rounds - hits + 1) - math.log(hits)
            terms.append(math.exp(log_ways + hits * log_hit + (rounds - hits) * log_miss))
        return min(1.0, math.fsum(terms))

    def quantile(self, share: float) -> int:
        """The fewest rounds within which it is hit with at least this chance."""
        if not 0 < share < 1:
            raise plan_problem("share", share, "it lies between 0 and 1", "Write it as 0.95.")
        if self.chance == 1:
            return self.hits
        high = self.hits
        while 1.0 - self.longer_than(high) < share:
            high *= 2
        low = self.hits - 1
        while high - low > 1:
            middle = (low + high) // 2
            if 1.0 - self.longer_than(middle) >= share:
                high = middle
            else:
                low = middle
        return high

    def as_data(self) -> dict[str, object]:
        return {
            "chance": {"exact": str(self.chance), "value": float(self.chance)},
            "hits": self.hits,
            "rounds": float(self.mean),
            "rounds_sd": self.deviation,
            "quantiles": [{"chance": q, "rounds": self.quantile(q)} for q in QUANTILES],
        }
