"""When a meter is worth playing for, for a seat, a table and a team, and how long until it is hit.

Fresh shoes, every player wagering in every round. With n players, of whom a team has m seats, a
round costs the team k (wagers less fixed lines and prizes), raises the meter by c and pays it a
share A of the meter on average, everybody together a share S; the meter is emptied with chance p.
A team that stays until the meter is emptied wins on average, from a meter M on,

    a M + (a c - k) / p        with a = A / S

exactly, where awards are shares of the meter and not rounded: the value is linear in the meter, and
the two coefficients follow from one round. So the meter that breaks even is (k / a - c) / p.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ventiuna.analysis.composition import Basis
from ventiuna.analysis.exact import exact_data, total
from ventiuna.analysis.given import check_amount, check_count
from ventiuna.analysis.side_bets.jackpot_awards import RoundAwards, SeatAwards, round_awards
from ventiuna.analysis.side_bets.jackpots import JackpotReport, jackpot_report
from ventiuna.core.meters import empties_meter
from ventiuna.counting.frames import CountTable, Row
from ventiuna.counting.waiting import Waiting, check_hits
from ventiuna.records import brief_repr
from ventiuna.rules import Rules
from ventiuna.strategy.errors import plan_problem


@dataclass(frozen=True)
class SeatWorth:
    """One seat, round by round."""

    seat: int
    share: Fraction  # of the meter, per round
    break_even: Fraction | None  # cents of meter

    def as_data(self) -> dict[str, object]:
        return {
            "seat": self.seat,
            "expected_share_of_meter": exact_data(self.share),
            "break_even_cents": None if self.break_even is None else exact_data(self.break_even),
        }


@dataclass(frozen=True)
class JackpotWorth(CountTable):
    """A jackpot game with so many players, of whom the first `ours` seats are one team.

    What is worth something at a `meter`, or takes until so many `hits`, is told for those that the
    question named, or for others.
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
        """Cents of one wager less what fixed lines and prizes return of it."""
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

    # --- a round at a time --------------------------------------------------------------------

    @cached_property
    def table_share(self) -> Fraction:
        return total(seat.share for seat in self.seats)

    @property
    def team_share(self) -> Fraction:
        return total(seat.share for seat in self.seats[: self.ours])

    @property
    def table_break_even(self) -> Fraction | None:
        """Of one who plays all seats for a round."""
        return _ratio(self.players * self.cost, self.table_share)

    @property
    def team_break_even(self) -> Fraction | None:
        """Of the team for a round."""
        return _ratio(self.ours * self.cost, self.team_share)

    def round_value(self, meter: int | None = None) -> Fraction:
        """Cents that the team wins in a round on average."""
        return self.team_share * self._at(meter) - self.ours * self.cost

    # --- until it is emptied ------------------------------------------------------------------

    @cached_property
    def emptied(self) -> Fraction:
        """Chance that a round empties the meter, by whichever seat."""
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
        """Chance that a round has an award out of the meter."""
        return total(
            chance
            for seat in self.awards.seats
            for (before, _), chance in seat.turns.items()
            if not before
        )

    @property
    def own_share(self) -> Fraction:
        """Of all that the meter will pay until it is emptied."""
        return self.team_share / self.table_share if self.table_share else Fraction(0)

    def staying_value(self, meter: int | None = None) -> Fraction | None:
        """Cents that the team wins on average when it stays until the meter is emptied."""
        at = self._at(meter)
        if not self.emptied:
            return None
        cost = self.ours * self.cost
        return self.own_share * at + (self.own_share * self.raised - cost) / self.emptied

    @property
    def staying_break_even(self) -> Fraction | None:
        """The meter from which staying until it is emptied loses nothing."""
        if not self.emptied or not self.own_share:
            return None
        cost = self.ours * self.cost
        return max((cost / self.own_share - self.raised) / self.emptied, Fraction(0))

    def _at(self, meter: int | None) -> int:
        known = self.meter if meter is None else meter
        check_amount("meter", known)
        if known is None:
            raise plan_problem("meter", "not given", "a value is that of a meter", "Name one.")
        return known

    def waiting(self, hits: int | None = None) -> Waiting | None:
        """Rounds until the meter has been emptied so often."""
        return Waiting(self.emptied, self.hits if hits is None else hits) if self.emptied else None

    def waiting_for_award(self) -> Waiting | None:
        """Rounds until anything is paid out of the meter."""
        return Waiting(self.any_award) if self.any_award else None

    @property
    def basis(self) -> Basis:
        return self.awards.basis

    @property
    def title(self) -> str:
        return f"Jackpot {self.report.number} with {self.players} players, {self.basis.rules}"

    def rows(self) -> list[Row]:
        """A row for each seat; what holds for the team is in the facts."""
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


def _data(value: Fraction | None) -> dict[str, object] | None:
    return None if value is None else exact_data(value)


def jackpot_worth(
    rules: Rules,
    game: int = 1,
    players: int = 1,
    ours: int = 0,
    meter: int | None = None,
    hits: int = 1,
) -> JackpotWorth:
    """A jackpot game for so many players; `ours` seats of them (0: all) are one team."""
    check_count("spots", players)
    check_count("team", ours)
    check_amount("meter", meter)
    check_hits(hits)
    if not 0 <= ours <= players:
        raise plan_problem(
            "team",
            ours,
            f"a team has at most the seats that are played, {players} here",
            "Choose fewer seats.",
        )
    return JackpotWorth(
        jackpot_report(rules, game),
        round_awards(rules, players, None, game),
        ours or players,
        meter,
        hits,
    )
