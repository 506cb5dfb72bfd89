"""A jackpot over time: how often it is hit, what its meter shows, who pays for its seeds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ventiuna.analysis.exact import exact_data, total
from ventiuna.analysis.side_bets.jackpots import JackpotLine, JackpotReport
from ventiuna.core.meters import comes_from_meter, empties_meter
from ventiuna.rules.model import JackpotKind

# An example of a busy table, so that rounds can be told as hours.
ROUNDS_PER_HOUR = 60
WAGERS_PER_ROUND = 5


@dataclass(frozen=True, slots=True)
class Funding:
    """Amounts in cents, exact; one wager a round, the operator's prizes paid in full."""

    report: JackpotReport
    emptied: Fraction  # chance that a wager wins all of the meter
    lowered: Fraction  # share of the meter that a wager takes by awards of less than all
    prizes: Fraction  # cents per wager that prizes take out of the meter

    @property
    def is_progressive(self) -> bool:
        return self.report.jackpot.kind == JackpotKind.PROGRESSIVE

    @property
    def contribution(self) -> Fraction:
        """Cents of a wager that go into the meter."""
        return self.report.contribution * self.report.jackpot.wager

    @property
    def mean_meter(self) -> Fraction | None:
        """What the meter shows on average in the long run: where what goes in and out are equal.

        Awards are not rounded, no maximum is set, and wagers come one by one.
        """
        if not self.is_progressive or not (self.emptied + self.lowered):
            return None
        coming = self.contribution + self.emptied * self.report.jackpot.seed - self.prizes
        return max(coming / (self.emptied + self.lowered), Fraction())

    @property
    def seeding(self) -> Fraction:
        """Cents per wager that new seeds cost: the share that a reserve would have to get."""
        return self.emptied * self.report.jackpot.seed

    @property
    def reserve_share(self) -> Fraction:
        """Of each wager, for a reserve that pays all seeds by itself."""
        return self.seeding / self.report.jackpot.wager

    @property
    def wagers_to_earn_the_seed(self) -> Fraction | None:
        """After which contributions have brought as much as the seed."""
        seed = self.report.jackpot.seed
        return seed / self.contribution if seed and self.contribution else None

    def hits(self) -> list[tuple[JackpotLine, Fraction | None, float | None]]:
        """The lines that the meter or the operator pays: wagers and hours from hit to hit."""
        found: list[tuple[JackpotLine, Fraction | None, float | None]] = []
        for line in self.report.special_lines:
            if not line.frequency:
                found.append((line, None, None))
                continue
            wagers = 1 / line.frequency
            found.append((line, wagers, float(wagers / (ROUNDS_PER_HOUR * WAGERS_PER_ROUND))))
        return found

    def as_data(self) -> dict[str, object]:
        jackpot, mean = self.report.jackpot, self.mean_meter
        even, earned = self.report.break_even_cents, self.wagers_to_earn_the_seed
        return {
            "game": self.report.number,
            "break_even_meter_cents": even,
            "mean_meter_cents": None if mean is None else exact_data(mean),
            "hits": [
                {
                    "line": line.hand,
                    "pay": line.pay,
                    "one_in": None if wagers is None else float(wagers),
                    "hours_between_hits": time,
                }
                for line, wagers, time in self.hits()
            ],
            "assumed_rounds_per_hour": ROUNDS_PER_HOUR,
            "assumed_wagers_per_round": WAGERS_PER_ROUND,
            "seed_cents": jackpot.seed,
            "contribution": exact_data(self.report.contribution),
            "reserve_share_for_seeds": exact_data(self.reserve_share),
            "wagers_to_earn_the_seed": None if earned is None else float(earned),
            "house_hold": exact_data(self.report.house_hold),
        }


def funding(report: JackpotReport) -> Funding:
    lines = list(enumerate(report.special_lines, start=1))
    emptied = total(line.frequency for n, line in lines if empties_meter(report.table, 0, n))
    lowered = total(
        line.expected_share for n, line in lines if not empties_meter(report.table, 0, n)
    )
    prizes = total(line.expected_pay for n, line in lines if comes_from_meter(report.table, 0, n))
    return Funding(report, emptied, lowered, prizes)
