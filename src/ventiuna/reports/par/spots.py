"""How the results of two spots at one table go together: simulated, with its error."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ventiuna.rules import Rules

ROUNDS = 1_000_000
SEED = 21


@dataclass(frozen=True, slots=True)
class SpotsTogether:
    """Two spots of the same round; in squares of the base wager."""

    covariance: float
    standard_error: float
    rounds: int
    seed: int

    def deviation(self, spots: int, own: float) -> float:
        """Of a round's result when so many spots are played, each with its own deviation."""
        return float((spots * own**2 + spots * (spots - 1) * self.covariance) ** 0.5)

    def as_data(self) -> dict[str, object]:
        return {
            "covariance": self.covariance,
            "standard_error": self.standard_error,
            "rounds": self.rounds,
            "seed": self.seed,
            "method": "simulated, best play, a fresh shoe every round",
        }


def spots_together(rules: Rules) -> SpotsTogether:
    from ventiuna.simulation.run import simulate

    seated = replace(rules, seats=max(2, rules.seats))
    result = simulate(seated, "optimal", ROUNDS, spots=2, shoe="fresh", seed=SEED, records=False)
    error = result.covariance_error
    assert error is not None, "two spots have a covariance"
    return SpotsTogether(result.covariance[0][1], error, ROUNDS, SEED)
