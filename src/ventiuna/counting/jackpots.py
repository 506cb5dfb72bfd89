"""When a jackpot meter is worth playing for, and how long it takes to hit.

Values are for a seat, a table or a team. Shoes are fresh, and every player wagers in every round.
With n players, m of them in a team, a round costs the team k (wagers minus fixed lines and prizes),
raises the meter by c, and pays an average share A of the meter to the team and S to all players
together; the meter is emptied with probability p. If a team starts at a meter M and stays until the
meter is emptied, it wins on average

    a M + (a c - k) / p        with a = A / S

This is exact if awards are shares of the meter and aren't rounded, because the value is then linear
in the meter, and one round determines both coefficients. So the break-even meter is (k / a - c) /
p.

Waiting times: a round hits with a constant probability p (fresh shoes, a fixed number of seats).
The number of rounds until the first hit has a geometric distribution, and the number until the k-th
hit has a negative binomial distribution:

    P(T > n) = (1 - p)**n          P(T_k > n) = P(fewer than k hits in n rounds)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ventiuna.analysis.coerce import check_amount, check_count
from ventiuna.analysis.composition import Basis
from ventiuna.analysis.results import ExactData, TableRow, TitledResult, exact_data, total
from ventiuna.analysis.side_bets.jackpots import (
    JackpotReport,
    RoundAwards,
    SeatAwards,
    jackpot_report,
    round_awards,
)
from ventiuna.core.meters import empties_meter
from ventiuna.rules import Rules
from ventiuna.strategy.protocol import check_range, plan_problem
from ventiuna.texts import brief_repr

# --- Waiting times ---

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
MAX_HITS = 10_000


@dataclass(frozen=True)
class Waiting:
    """Rounds until the k-th hit, if every round has the same probability of a hit."""

    chance: Fraction
    hits: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.chance <= 1:
            raise plan_problem(
                "jackpot", self.chance, "it is never hit", "Choose a different line."
            )
        check_range("hits", self.hits, 1, MAX_HITS, "hits")

    @property
    def mean(self) -> Fraction:
        return self.hits / self.chance

    @property
    def deviation(self) -> float:
        return math.sqrt(self.hits * (1 - self.chance)) / float(self.chance)

    def longer_than(self, rounds: int) -> float:
        """Probability of fewer than k hits within `rounds` rounds."""
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
        """The fewest rounds within which the k-th hit occurs with at least this probability."""
        if not 0 < share < 1:
            raise plan_problem("share", share, "must be between 0 and 1", "Write it as 0.95.")
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


# --- Value of a meter ---


@dataclass(frozen=True)
class SeatWorth:
    """One seat in one round."""

    seat: int
    share: Fraction  # share of the meter won per round
    break_even: Fraction | None  # meter in cents

    def as_data(self) -> dict[str, object]:
        return {
            "seat": self.seat,
            "expected_share_of_meter": exact_data(self.share),
            "break_even_cents": None if self.break_even is None else exact_data(self.break_even),
        }


@dataclass(frozen=True)
class JackpotWorth(TitledResult):
    """A jackpot game; the first `ours` seats are one team.

    Methods that take a `meter` or `hits` use the values from the query by default.
    """

    main_table = "seats"

    report: JackpotReport
    awards: RoundAwards
    ours: int
    meter: int | None = None  # cents
    hits: int = 1

    __repr__ = brief_repr

    @property
    def players(self) -> int:
        return self.awards.players

    @cached_property
    def cost(self) -> Fraction:
        """One wager in cents, minus its average return from fixed lines and prizes."""
        report = self.report
        return (1 - report.fixed_return - report.prize_return) * report.jackpot.wager

    @cached_property
    def raised(self) -> Fraction:
        """Cents that a round adds to the meter."""
        return self.players * self.report.contribution * self.report.jackpot.wager

    @cached_property
    def seats(self) -> tuple[SeatWorth, ...]:
        return tuple(
            SeatWorth(seat.seat, seat.share, _ratio(self.cost, seat.share))
            for seat in self.awards.seats
        )

    # --- One round at a time ---

    @cached_property
    def table_share(self) -> Fraction:
        return total(seat.share for seat in self.seats)

    @property
    def team_share(self) -> Fraction:
        return total(seat.share for seat in self.seats[: self.ours])

    @property
    def table_break_even(self) -> Fraction | None:
        """Break-even meter for playing all seats for one round."""
        return _ratio(self.players * self.cost, self.table_share)

    @property
    def team_break_even(self) -> Fraction | None:
        """Break-even meter for the team for one round."""
        return _ratio(self.ours * self.cost, self.team_share)

    def round_value(self, meter: int | None = None) -> Fraction:
        """Average cents the team wins in a round."""
        return self.team_share * self._at(meter) - self.ours * self.cost

    # --- Until the meter is emptied ---

    @cached_property
    def emptied(self) -> Fraction:
        """Probability that a round empties the meter, from any seat."""
        return total(self._first_to_empty(seat) for seat in self.awards.seats)

    def _first_to_empty(self, seat: SeatAwards) -> Fraction:
        return total(
            chance
            for (before, line), chance in seat.turns.items()
            if self._empties(line) and not any(map(self._empties, before))
        )

    def _empties(self, line: int) -> bool:
        return empties_meter(self.report.table, 0, line)

    @cached_property
    def any_award(self) -> Fraction:
        """Probability that a round has an award from the meter."""
        return total(
            chance
            for seat in self.awards.seats
            for (before, _), chance in seat.turns.items()
            if not before
        )

    @property
    def own_share(self) -> Fraction:
        """The team's share of everything the meter will pay until it is emptied."""
        return self.team_share / self.table_share if self.table_share else Fraction(0)

    def staying_value(self, meter: int | None = None) -> Fraction | None:
        """Average cents the team wins if it stays until the meter is emptied."""
        at = self._at(meter)
        if not self.emptied:
            return None
        cost = self.ours * self.cost
        return self.own_share * at + (self.own_share * self.raised - cost) / self.emptied

    @property
    def staying_break_even(self) -> Fraction | None:
        """The lowest meter at which staying until it is emptied doesn't lose."""
        if not self.emptied or not self.own_share:
            return None
        cost = self.ours * self.cost
        return max((cost / self.own_share - self.raised) / self.emptied, Fraction(0))

    def _at(self, meter: int | None) -> int:
        known = self.meter if meter is None else meter
        check_amount("meter", known)
        if known is None:
            raise plan_problem(
                "meter", "not given", "the value depends on the meter", "Give its amount."
            )
        return known

    def waiting(self, hits: int | None = None) -> Waiting | None:
        """Rounds until the meter has been emptied `hits` times."""
        return Waiting(self.emptied, self.hits if hits is None else hits) if self.emptied else None

    def waiting_for_award(self) -> Waiting | None:
        """Rounds until anything is paid from the meter."""
        return Waiting(self.any_award) if self.any_award else None

    @property
    def basis(self) -> Basis:
        return self.awards.basis

    @property
    def title(self) -> str:
        return f"Jackpot {self.report.number} with {self.players} players, {self.basis.rules}"

    def rows(self) -> list[TableRow]:
        """One row per seat; the team's figures are in the facts."""
        return [
            {
                "seat": seat.seat,
                "is_of_the_team": seat.seat <= self.ours,
                "expected_share_of_meter": float(seat.share),
                "break_even_cents": _float(seat.break_even),
            }
            for seat in self.seats
        ]

    def more_facts(self) -> dict[str, object]:
        return {
            "game": self.report.number,
            "players": self.players,
            "team_seats": self.ours,
            "meter_cents": self.meter,
            "team_break_even_cents": _float(self.team_break_even),
            "staying_break_even_cents": _float(self.staying_break_even),
        }

    def as_data(self) -> dict[str, object]:
        waiting, award = self.waiting(), self.waiting_for_award()
        meter = self.meter
        return {
            **self.awards.basis.as_data(),
            "game": self.report.number,
            "players": self.players,
            "team_seats": self.ours,
            "cost_of_a_wager_cents": exact_data(self.cost),
            "raised_per_round_cents": exact_data(self.raised),
            "seats": [seat.as_data() for seat in self.seats],
            "table_break_even_cents": _data(self.table_break_even),
            "team_break_even_cents": _data(self.team_break_even),
            "expected_share_of_meter": exact_data(self.own_share),
            "staying_break_even_cents": _data(self.staying_break_even),
            "meter_cents": meter,
            "team_value_of_a_round_cents": None
            if meter is None
            else exact_data(self.round_value()),
            "team_value_of_staying_cents": None if meter is None else _data(self.staying_value()),
            "until_emptied": None if waiting is None else waiting.as_data(),
            "until_any_award": None if award is None else award.as_data(),
        }


def _ratio(cents: Fraction, share: Fraction) -> Fraction | None:
    return max(cents / share, Fraction(0)) if share else None


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _data(value: Fraction | None) -> ExactData | None:
    return None if value is None else exact_data(value)


def jackpot_worth(
    rules: Rules,
    game: int = 1,
    players: int = 1,
    ours: int = 0,
    meter: int | None = None,
    hits: int = 1,
) -> JackpotWorth:
    """A jackpot game for `players` players; `ours` of them (0 for all) are one team."""
    check_count("spots", players)
    check_count("team", ours)
    check_amount("meter", meter)
    check_range("hits", hits, 1, MAX_HITS, "hits")
    if not 0 <= ours <= players:
        raise plan_problem(
            "team",
            ours,
            f"a team can't have more seats than the {players} in play",
            "Choose fewer seats.",
        )
    return JackpotWorth(
        jackpot_report(rules, game),
        round_awards(rules, players, None, game),
        ours or players,
        meter,
        hits,
    )
