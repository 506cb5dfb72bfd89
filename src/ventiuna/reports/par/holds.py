"""What the house keeps in so many rounds, with the band that 95 of 100 such runs fall in."""

from __future__ import annotations

from dataclasses import dataclass

from ventiuna.analysis.base_game.result import BaseGameAnalysis
from ventiuna.reports.numbers import PERCENT
from ventiuna.reports.par.spots import SpotsTogether
from ventiuna.rules import Rules

ROUNDS = (1_000, 10_000, 100_000)
SIGMAS = 1.959963984540054  # of a normal distribution: 95 %


@dataclass(frozen=True, slots=True)
class Hold:
    """Amounts in cents; the band is that of a normal distribution."""

    rounds: int
    spots: int
    wagered: float  # base wagers
    expected: float
    low: float
    high: float

    @property
    def shares(self) -> tuple[float, float, float]:
        """Low, expected and high as shares of the base wagers."""
        return self.low / self.wagered, self.expected / self.wagered, self.high / self.wagered

    def as_data(self) -> dict[str, object]:
        low, expected, high = self.shares
        return {
            "rounds": self.rounds,
            "spots": self.spots,
            "base_wagers_cents": self.wagered,
            "expected_cents": self.expected,
            "low_cents": self.low,
            "high_cents": self.high,
            "expected_percent": PERCENT * expected,
            "low_percent": PERCENT * low,
            "high_percent": PERCENT * high,
        }


def holds(
    rules: Rules,
    analysis: BaseGameAnalysis,
    sd: float | None,
    together: SpotsTogether,
    wager: int,
) -> tuple[Hold, ...]:
    """Of one spot and of a full table; none where the deviation is not known."""
    if sd is None:
        return ()
    found = []
    for spots in dict.fromkeys((1, rules.seats)):
        deviation = sd if spots == 1 else together.deviation(spots, sd)
        for rounds in ROUNDS:
            expected = analysis.house_edge * rounds * spots * wager
            spread = SIGMAS * deviation * rounds**0.5 * wager
            found.append(
                Hold(
                    rounds,
                    spots,
                    float(rounds * spots * wager),
                    expected,
                    expected - spread,
                    expected + spread,
                )
            )
    return tuple(found)
