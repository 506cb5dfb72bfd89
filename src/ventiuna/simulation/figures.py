"""A simulation's figures: each with its standard error and its assumptions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np

from ventiuna.core.cards import value_of
from ventiuna.kernels.simulate import layout as at
from ventiuna.simulation.by_count import CountLine, count_lines
from ventiuna.simulation.events import (
    DecisionLine,
    EventLine,
    dealer_lines,
    decision_lines,
    event_lines,
)
from ventiuna.simulation.lines import MeterLine, StartLine, WagerLine
from ventiuna.simulation.statistics import Estimate, mean_of, n_zero, quantile, share_of, table_mean
from ventiuna.simulation.tally import Tally
from ventiuna.simulation.wagers import meter_lines, other_wager_lines
from ventiuna.simulation.work import kit_of


@dataclass(frozen=True, repr=False)
class Figures:
    """What a finished or stopped simulation says."""

    tally: Tally
    seconds: float = field(default=0.0, compare=False)
    complete: bool = True
    played: int = field(default=0, compare=False)  # rounds of this run, without earlier ones

    @cached_property
    def by_count(self) -> tuple[CountLine, ...]:
        """Rounds by the count at which they were bet on; empty where nobody counted."""
        return count_lines(self.tally)

    # --- the base game ------------------------------------------------------------------------

    @property
    def rounds(self) -> int:
        return self.tally.rounds

    @property
    def spots(self) -> int:
        return self.tally.work.spots

    @property
    def rounds_per_second(self) -> float:
        return self.played / self.seconds if self.seconds else 0.0

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """Results of a spot in grains and how often they came."""
        offset = kit_of(self.tally.work).tables.offset
        found = np.flatnonzero(self.tally.results)
        return [(int(place) - offset, int(self.tally.results[place])) for place in found]

    @cached_property
    def base_wager(self) -> Fraction:
        """Average base wager in grains."""
        kit = kit_of(self.tally.work)
        bases = [base // kit.grain for base in self.tally.work.bases]
        if len(bases) == 1 or not self.rounds:
            return Fraction(bases[0])
        at_level = self.tally.counters[at.FIRST_LEVEL : at.FIRST_LEVEL + len(bases)]
        staked = sum(base * times for base, times in zip(bases, at_level, strict=True))
        return Fraction(staked, sum(at_level))

    @property
    def average_bet(self) -> Estimate:
        """Average base wager in smallest ones: above 1 only where a count raises it."""
        bases = self.tally.work.bases
        times = self.tally.counters[at.FIRST_LEVEL : at.FIRST_LEVEL + len(bases)]
        if len(bases) == 1 or not sum(times):
            return Estimate(1.0, 0.0, 0.0, self.rounds)
        total = sum(base * count for base, count in zip(bases, times, strict=True))
        squared = sum(base**2 * count for base, count in zip(bases, times, strict=True))
        return mean_of(total, squared, sum(times), bases[0])

    @cached_property
    def _sums(self) -> tuple[int, int, int]:
        """Sum, sum of squares, and sum of squared rounds of all spots, in grains."""
        total = sum(place * times for place, times in self._places)
        squared = sum(place * place * times for place, times in self._places)
        if self.spots == 1:
            return total, squared, squared
        together = 0
        for spot in range(self.spots):
            for other in range(spot + 1):
                product = self.tally.spots[at.MOST_SPOTS * (1 + spot) + other]
                together += product if spot == other else 2 * product
        return total, squared, together

    @cached_property
    def ev(self) -> Estimate:
        """Expectation of the base game per base wager; the house edge is its negative."""
        total, squared, together = self._sums
        return table_mean(total, squared, together, self.rounds, self.spots, self.base_wager)

    @property
    def house_edge(self) -> float:
        return -self.ev.value

    @cached_property
    def sd_error(self) -> float:
        """Standard error of the standard deviation of one spot's round."""
        trials = self.rounds * self.spots
        if trials < 2 or not self.ev.sd:
            return math.inf
        unit, mean = float(self.base_wager), self.ev.value
        fourth = math.fsum(times * (place / unit - mean) ** 4 for place, times in self._places)
        variance = self.ev.sd**2
        return math.sqrt(max(fourth / trials - variance**2, 0.0) / trials) / (2 * self.ev.sd)

    @property
    def average_stake(self) -> Fraction:
        """Base wager with splits and doublings, in grains."""
        if not self.rounds:
            return self.base_wager
        extra = Fraction(self.tally.counters[at.EXTRA_STAKE], self.rounds * self.spots)
        return self.base_wager + extra

    @property
    def stake(self) -> Estimate:
        """Chips risked on the base game, in base wagers."""
        counters = self.tally.counters
        extra = mean_of(
            counters[at.EXTRA_STAKE],
            counters[at.EXTRA_SQUARED],
            self.rounds * self.spots,
            self.base_wager,
        )
        return Estimate(1 + extra.value, extra.standard_error, extra.sd, extra.trials)

    @cached_property
    def element_of_risk(self) -> Estimate:
        """Expected loss of the base game per chip risked."""
        scale = float(self.base_wager / self.average_stake)
        return Estimate(
            -self.ev.value * scale,
            self.ev.standard_error * scale,
            self.ev.sd * scale,
            self.ev.trials,
        )

    @cached_property
    def total(self) -> Estimate:
        """Expectation of all wagers together, bonuses included, per base wager."""
        grain = kit_of(self.tally.work).grain
        total, squared, together = self._sums
        rest = self.tally.rest
        return table_mean(
            total * grain + rest[at.REST],
            squared * grain * grain + 2 * grain * rest[at.REST_PRODUCT] + rest[at.REST_SQUARED],
            together * grain * grain
            + 2 * grain * rest[at.TABLE_REST_PRODUCT]
            + rest[at.TABLE_REST_SQUARED],
            self.rounds,
            self.spots,
            self.base_wager * grain,
        )

    @property
    def block_error(self) -> float:
        """Standard error of `ev` from the spread of whole blocks: no assumption about rounds."""
        blocks = self.tally.whole_blocks
        if blocks < 2:
            return math.inf
        rounds = self.tally.work.block_rounds * self.spots
        unit = self.base_wager * rounds
        return mean_of(self.tally.block_sums, self.tally.block_squares, blocks, unit).standard_error

    # --- other wagers -------------------------------------------------------------------------

    @cached_property
    def wagers(self) -> list[WagerLine]:
        """The base game and every other wager by itself, then all together."""
        kit = kit_of(self.tally.work)
        placed = self.rounds * self.spots
        staked = int(self.average_stake * placed) * kit.grain
        net = self._sums[0] * kit.grain
        lines = [WagerLine("base game", placed, staked, net, self.ev, "base wager")]
        lines += other_wager_lines(self.tally, self.base_wager * kit.grain)
        if len(lines) > 1:
            staked = sum(line.staked for line in lines)
            net += self.tally.rest[at.REST]
            lines.append(WagerLine("all together", placed, staked, net, self.total, "base wager"))
        return lines

    @cached_property
    def meters(self) -> list[MeterLine]:
        return meter_lines(self.tally)

    # --- details ------------------------------------------------------------------------------

    @cached_property
    def events(self) -> list[EventLine]:
        return event_lines(self.tally)

    @cached_property
    def dealer(self) -> list[EventLine]:
        return dealer_lines(self.tally)

    @cached_property
    def decisions(self) -> list[DecisionLine]:
        return decision_lines(self.tally)

    @property
    def has_records(self) -> bool:
        """Does it know how often each decision was met?"""
        return len(self.tally.visits) > 0

    def without_records(self) -> Self:
        """The same figures in a few hundred kilobytes: decisions and regret are gone."""
        if not self.has_records:
            return self
        light = replace(self, tally=self.tally.without_records())
        vars(light).update(events=self.events, dealer=self.dealer)  # read off the records
        return light

    @cached_property
    def starts(self) -> list[StartLine]:
        """By the first two cards' values and the up card."""
        kit = kit_of(self.tally.work)
        cells = self.tally.starts.reshape(-1, at.UPS, at.CELL)
        gathered: dict[tuple[str, str], list[int]] = {}
        for node in kit.graph.two_cards:
            hand = start_name(kit.graph.cards[node])
            for up in range(1, at.UPS):
                rounds, total, squared = (int(part) for part in cells[node, up])
                if rounds:
                    name = kit.up_value(up)
                    sums = gathered.setdefault((hand, name), [0, 0, 0])
                    sums[0] += rounds
                    sums[1] += total
                    sums[2] += squared
        return [
            StartLine(hand, up, mean_of(total, squared, rounds, self.base_wager))
            for (hand, up), (rounds, total, squared) in sorted(gathered.items())
        ]

    @property
    def histogram(self) -> list[tuple[float, int]]:
        """Result of the base game in base wagers (of the smallest size), and how often."""
        base = kit_of(self.tally.work).tables.wagers[0]
        return [(place / int(base), times) for place, times in self._places]

    @cached_property
    def covariance(self) -> list[list[float]]:
        """Of the spots' base games, in squared base wagers."""
        unit = self.base_wager * self.base_wager
        sums = self.tally.spots
        matrix = [[0.0] * self.spots for _ in range(self.spots)]
        if self.spots == 1 or not self.rounds:
            return [[self.ev.sd**2] * self.spots for _ in range(self.spots)]
        for spot in range(self.spots):
            for other in range(spot + 1):
                product = Fraction(sums[at.MOST_SPOTS * (1 + spot) + other], self.rounds)
                means = Fraction(sums[spot] * sums[other], self.rounds**2)
                matrix[spot][other] = matrix[other][spot] = float((product - means) / unit)
        return matrix

    @property
    def covariance_error(self) -> float | None:
        """Standard error of the covariance of two spots, by the formula for normal results.

        Results are not normal, but the covariance is an average over many rounds.
        """
        if not self.rounds or self.spots == 1:
            return None
        variance, between = self.covariance[0][0], self.covariance[0][1]
        return math.sqrt((variance**2 + between**2) / self.rounds)

    @property
    def n_zero(self) -> Estimate:
        """Rounds after which the expectation of the base game equals one standard deviation."""
        return n_zero(self.ev)

    @property
    def total_n_zero(self) -> Estimate:
        """The same of all wagers together."""
        return n_zero(self.total)

    # --- sessions -----------------------------------------------------------------------------

    @cached_property
    def spots_together(self) -> float:
        """How much larger errors are because the spots of a table win and lose together."""
        total = self.total
        if self.spots == 1 or total.trials < 2 or not total.sd:
            return 1.0
        return max(1.0, total.standard_error * math.sqrt(total.trials) / total.sd)

    def _of_sessions(self, estimate: Estimate) -> Estimate:
        """Sessions of one table share the dealer's hands, as its rounds do."""
        return estimate.with_error(estimate.standard_error * self.spots_together)

    def ruin(self, bankroll: int) -> Estimate:
        """Chance that a session's result falls by so many base wagers at some time."""
        sessions = self.tally.sessions
        ruined = sum(times for lowest, times in sessions.lowest.items() if lowest <= -bankroll)
        return self._of_sessions(share_of(ruined, sessions.sessions))

    @property
    def session_mean(self) -> Estimate:
        """Result of a session, in base wagers."""
        found = self.tally.sessions
        base = self.tally.work.bases[0]
        return self._of_sessions(mean_of(found.total, found.squared, found.sessions, base))

    @property
    def longest_losing_run(self) -> Estimate:
        """Rounds lost one after the other, the most of a session."""
        runs = self.tally.sessions.losing
        total = sum(rounds * times for rounds, times in runs.items())
        squared = sum(rounds**2 * times for rounds, times in runs.items())
        return self._of_sessions(mean_of(total, squared, self.tally.sessions.sessions))

    def session_quantile(self, share: float) -> Estimate:
        """The result, in base wagers, that this share of sessions does not exceed."""
        found = quantile(sorted(self.tally.sessions.results.items()), share, self.spots_together)
        return Estimate(*found, self.session_mean.sd, self.tally.sessions.sessions)


def start_name(cards: tuple[int, ...]) -> str:
    """`A-10`, `6-7`, `8-8`: the first two cards by value, lower first."""
    values = sorted(value_of(card) for card in cards)
    return "-".join("A" if value == 1 else str(value) for value in values)
