"""A simulation's figures: each with its standard error and its assumptions."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ventiuna.analysis.notebook import html_table
from ventiuna.core.table import JACKPOTS, SPECIAL_LINES
from ventiuna.kernels.simulate import layout as at
from ventiuna.rules.data import jackpot_tables
from ventiuna.simulation import export
from ventiuna.simulation.events import (
    DecisionLine,
    EventLine,
    dealer_lines,
    decision_lines,
    event_lines,
)
from ventiuna.simulation.lines import AwardLine, MeterLine, StartLine, WagerLine
from ventiuna.simulation.result_data import data_of
from ventiuna.simulation.statistics import Estimate, mean_of, n_zero, quantile, share_of, table_mean
from ventiuna.simulation.tally import Tally
from ventiuna.simulation.work import MATCH_NAMES, describe, kit_of

_MATCH_TITLES = {"up": "Up Card", "down": "Down Card"}


@dataclass(frozen=True, repr=False)
class Result:
    """What a finished or stopped simulation says."""

    tally: Tally
    seconds: float = 0.0
    complete: bool = True
    played: int = 0  # rounds of this run; a continued one counts the earlier ones apart

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
        lines = [self._base_line()]
        lines += self._insurance_line()
        for number, (name, stake) in enumerate(
            zip(MATCH_NAMES, self.tally.work.match, strict=True)
        ):
            if stake:
                lines.append(self._match_line(number, name, stake))
        for game, stake in enumerate(self.tally.work.jackpots):
            if stake:
                lines.append(self._jackpot_line(game, stake))
        lines += self._bonus_lines()
        if len(lines) > 1:
            lines.append(self._total_line(sum(line.staked for line in lines)))
        return lines

    def _base_line(self) -> WagerLine:
        grain = kit_of(self.tally.work).grain
        placed = self.rounds * self.spots
        staked = int(self.average_stake * placed) * grain
        return WagerLine("base game", placed, staked, self._sums[0] * grain, self.ev, "base wager")

    def _insurance_line(self) -> list[WagerLine]:
        counters = self.tally.counters
        placed = counters[at.INSURANCE_WON] + counters[at.INSURANCE_LOST]
        if not placed:
            return []
        staked = counters[at.INSURANCE_STAKED]
        spread = mean_of(
            counters[at.INSURANCE_NET],
            counters[at.TABLE_INSURANCE_SQUARED],
            self.rounds,
            Fraction(staked, self.rounds),
        )
        own = mean_of(
            counters[at.INSURANCE_NET],
            counters[at.INSURANCE_SQUARED],
            placed,
            Fraction(staked, placed),
        )
        ev = Estimate(own.value, spread.standard_error, own.sd, placed)
        return [WagerLine("insurance", placed, staked, counters[at.INSURANCE_NET], ev, "stake")]

    def _match_line(self, number: int, name: str, stake: int) -> WagerLine:
        kit = kit_of(self.tally.work)
        counts = self.tally.match_counts.reshape(at.MATCHES, at.MATCH_CODES)[number].tolist()
        pays = kit.match_pay[number].tolist()
        net = sum(count * pay for count, pay in zip(counts, pays, strict=True))
        squared = sum(count * pay * pay for count, pay in zip(counts, pays, strict=True))
        together = self.tally.match_squared[number]
        ev = table_mean(net, squared, together, self.rounds, self.spots, stake)
        title = _MATCH_TITLES.get(name, f"Bonus Card {name[1:]}")
        placed = self.rounds * self.spots
        return WagerLine(f"Match the Dealer {title}", placed, placed * stake, net, ev, "stake")

    def _jackpot_line(self, game: int, stake: int) -> WagerLine:
        kit = kit_of(self.tally.work)
        counts = self.tally.jackpot_counts.reshape(kit.jackpot_pay.shape)[game].reshape(-1)
        pays = kit.jackpot_pay[game].reshape(-1)
        pairs = [(int(count), int(pay)) for count, pay in zip(counts, pays, strict=True) if count]
        own = self.tally.meters.own[game]
        net = sum(count * pay for count, pay in pairs) + own[0]
        squared = sum(count * pay * pay for count, pay in pairs) + own[1]
        together = self.tally.jackpot_squared[game] + own[2]
        placed = self.rounds * self.spots
        ev = table_mean(net, squared, together, self.rounds, self.spots, stake)
        return WagerLine(f"jackpot {game + 1}", placed, placed * stake, net, ev, "stake")

    def _bonus_lines(self) -> list[WagerLine]:
        """Super and Envy Bonus: no wager of their own, so per base wager (R-069, R-073)."""
        counters = self.tally.counters
        unit = self.base_wager * kit_of(self.tally.work).grain
        lines = []
        for name, count, paid, squared, together in (
            (
                "Super Bonus",
                at.SUPER_BONUSES,
                at.SUPER_PAID,
                at.SUPER_SQUARED,
                at.TABLE_SUPER_SQUARED,
            ),
            ("Envy Bonus", at.ENVIES, at.ENVY_PAID, at.ENVY_SQUARED, at.TABLE_ENVY_SQUARED),
        ):
            if counters[count]:
                ev = table_mean(
                    counters[paid],
                    counters[squared],
                    counters[together],
                    self.rounds,
                    self.spots,
                    unit,
                )
                lines.append(WagerLine(name, counters[count], 0, counters[paid], ev, "base wager"))
        return lines

    def _total_line(self, staked: int) -> WagerLine:
        grain = kit_of(self.tally.work).grain
        net = self._sums[0] * grain + self.tally.rest[at.REST]
        placed = self.rounds * self.spots
        return WagerLine("all together", placed, staked, net, self.total, "base wager")

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

    @cached_property
    def meters(self) -> list[MeterLine]:
        lines = []
        history = self.tally.meters
        for game, stake in enumerate(self.tally.work.jackpots[:JACKPOTS]):
            if not stake:
                continue
            jackpot = self.tally.work.rules.jackpots[game]
            special = jackpot_tables()[jackpot.table].special_lines(jackpot.alternate)
            awards = tuple(
                AwardLine(
                    special[line - 1].hand,
                    history.hits[game][line],
                    history.paid[game][line],
                    mean_of(
                        history.paid[game][line],
                        history.squared[game][line],
                        history.hits[game][line],
                    ),
                )
                for line in range(1, min(SPECIAL_LINES, len(special) + 1))
                if kit_of(self.tally.work).from_meter[game, line]
            )
            lines.append(
                MeterLine(
                    game + 1,
                    jackpot.table,
                    awards,
                    history.resets[game],
                    history.highest[game],
                    history.seeded[game],
                    history.cents[game],
                    tuple((point[0], point[1 + game]) for point in history.points),
                )
            )
        return lines

    @property
    def n_zero(self) -> Estimate:
        """Rounds after which the expectation of all wagers equals one standard deviation."""
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
        return replace(estimate, standard_error=estimate.standard_error * self.spots_together)

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

    # --- for others ---------------------------------------------------------------------------

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON. No figure without its standard error."""
        return data_of(self)

    def table(self, name: str) -> export.Columns:
        """One of `export.TABLES`, column by column."""
        return export.table(self, name)

    def to_arrow(self, name: str = "wagers") -> Any:
        """The table in Arrow's form (extra `arrow`)."""
        return export.to_arrow(self, name)

    def to_pandas(self, name: str = "wagers") -> Any:
        """The table as a data frame of pandas (extra `pandas`)."""
        return export.to_pandas(self, name)

    def to_polars(self, name: str = "wagers") -> Any:
        """The table as a data frame of Polars (extra `polars`)."""
        return export.to_polars(self, name)

    def __repr__(self) -> str:
        facts = describe(self.tally.work)
        edge = f"{100 * self.house_edge:.4f} % ± {100 * self.ev.standard_error:.4f} %"
        return (
            f"<{type(self).__name__}: {facts['rules']}, strategy {facts['strategy']}, "
            f"{self.rounds:,} rounds, house edge {edge}>"
        )

    def _repr_html_(self) -> str:
        rows = [
            (line.name, f"{line.placed:,}", f"{100 * line.ev.value:+.4f} %",
             f"{100 * line.ev.standard_error:.4f} %", line.per)
            for line in self.wagers
        ]  # fmt: skip
        facts = describe(self.tally.work)
        caption = (
            f"{facts['rules']} ({facts['fingerprint']}), strategy {facts['strategy']}: "
            f"{self.rounds:,} rounds, seed {self.tally.work.seed}"
        )
        return html_table(caption, ("wager", "placed", "ev", "standard error", "per"), rows)


def start_name(cards: tuple[int, ...]) -> str:
    """`A-10`, `6-7`, `8-8`: the first two cards by value, lower first."""
    values = sorted(min(card // 4 + 1, 10) for card in cards)
    return "-".join("A" if value == 1 else str(value) for value in values)
