"""Build the lookup arrays for compiled seats from wagers and the rules in `core`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.cards import new_shoe
from ventiuna.core.base_game import (
    blackjack_paid_when,
    dealer_checks,
    insurance_profit,
    maximum_insurance_in_chips,
    may_insure,
    minimum_double,
    wins_two_blackjacks,
)
from ventiuna.core.cards import is_soft, value_of
from ventiuna.kernels import vector_env_layout as at
from ventiuna.kernels.simulate.layout import UPS, PlayTables
from ventiuna.kernels.vector_env import step_seats
from ventiuna.rules import Rules, compile_rules, load_rules
from ventiuna.simulation import tables
from ventiuna.simulation.tables import hand_graph


@dataclass(frozen=True)
class SeatPlan:
    """The rules, wagers and options of compiled seats."""

    rules: Rules
    bases: tuple[int, ...]  # cents; every size of the base wager
    unit: int  # cents; the unit of results
    is_asked: bool  # whether the seat chooses its wager
    for_less: bool = False  # whether the seat may double for less, if the rules allow it
    episode: int = at.SHOES
    autoreset: int = at.NEXT_STEP

    @property
    def choices(self) -> int:
        return at.FIRST_WAGER + (len(self.bases) if self.is_asked else 0)

    def least_doubles(self) -> tuple[int, ...]:
        """The smallest double for each base wager, in cents: the full wager, or less (R-050)."""
        if not self.for_less:
            return self.bases
        table, unit = compile_rules(self.rules), self.rules.small_chip_unit
        return tuple(minimum_double(table, base, unit) for base in self.bases)


class SeatArguments(NamedTuple):
    """The first arguments of `step_seats`."""

    play: PlayTables
    tables: at.SeatTables
    kept: at.Seats
    shown: at.StepOutput


def seat_arguments(plan: SeatPlan, seats: int) -> SeatArguments:
    shoes = np.tile(ordered_shoe(plan.rules), (seats, 1))
    return SeatArguments(
        play=_tables_of_play(plan),
        tables=_tables_of_seats(plan),
        kept=at.Seats(np.zeros(seats, dtype=at.SEAT), shoes),
        shown=_new_observations(seats, plan.choices),
    )


def ordered_shoe(rules: Rules) -> npt.NDArray[np.uint8]:
    """All cards, unshuffled."""
    return np.array(new_shoe(rules.pack, rules.decks), dtype=np.uint8)


def fresh_counts(rules: Rules) -> npt.NDArray[np.int16]:
    """Cards of a full shoe by value, aces first."""
    counts = np.zeros(at.VALUES, dtype=np.int16)
    for card in new_shoe(rules.pack, rules.decks):
        counts[value_of(card) - 1] += 1
    return counts


def _tables_of_play(plan: SeatPlan) -> PlayTables:
    """Build the simulator's tables. They require a strategy, but the seats never use it."""
    rules, table = plan.rules, compile_rules(plan.rules)
    codes = tables.stand_code_table(table)
    return tables.play_tables(
        table,
        plan.bases,
        tables.Decisions(codes, codes, {}),
        codes,
        rules.shoe_size * (100 - rules.cut_card_percent) // 100,
        rules.burn_cards,
        rules.bonus_cards,
        plan.least_doubles(),
    )


def _tables_of_seats(plan: SeatPlan) -> at.SeatTables:
    table = compile_rules(plan.rules)
    graph = hand_graph(table)
    paid_when, insures = (np.zeros(UPS * 2, dtype=np.uint8) for _ in range(2))
    checks = np.zeros(UPS, dtype=np.uint8)
    for kind, up in tables.up_samples(table).items():
        checks[kind] = dealer_checks(up)
        for flag in (False, True):
            paid_when[kind * 2 + flag] = blackjack_paid_when(table, up, insured=flag)
            insures[kind * 2 + flag] = may_insure(table, up, has_blackjack=flag)
    unit = plan.rules.small_chip_unit
    stakes = [maximum_insurance_in_chips(base, unit) for base in plan.bases]
    return at.SeatTables(
        cards=np.array([shape.cards for shape in graph.shapes], dtype=np.uint8),
        soft=np.array([is_soft(shape.hard, shape.aces) for shape in graph.shapes], dtype=np.uint8),
        fresh=fresh_counts(plan.rules),
        paid_when=paid_when,
        may_insure=insures,
        checks=checks,
        wins_both=int(wins_two_blackjacks(table, paid_before_check=False)),
        insurance_stake=np.array(stakes, dtype=np.int64),
        insurance_pay=np.array([insurance_profit(table, cents) for cents in stakes], np.int64),
        for_less=np.less(plan.least_doubles(), plan.bases).astype(np.uint8),
        sizes=len(plan.bases),
        base=plan.unit,
        wagers=len(plan.bases) if plan.is_asked else 0,
        episode=plan.episode,
        autoreset=plan.autoreset,
    )


def _new_observations(seats: int, choices: int) -> at.StepOutput:
    return at.StepOutput(
        observations=np.zeros((seats, at.COLUMNS), dtype=np.int16),
        masks=np.zeros((seats, choices), dtype=np.int8),
        rewards=np.zeros(seats, dtype=np.float64),
        terminated=np.zeros(seats, dtype=np.bool_),
        rounds=np.zeros(seats, dtype=np.int64),
        passed=np.zeros(seats, dtype=np.float64),
        illegal=np.zeros(seats, dtype=np.bool_),
        final_observations=np.zeros((seats, at.COLUMNS), dtype=np.int16),
    )


def new_card_log(seats: int, cards: int) -> at.CardLog:
    """A log for `cards` cards at each seat."""
    return at.CardLog(np.zeros((seats, cards), np.uint8), np.zeros(seats, np.int64))


def seat_signatures() -> list[tuple[Callable[..., object], tuple[object, ...]]]:
    """The vector environment's kernel with and without a log of every card."""
    plan = SeatPlan(load_rules("wsgc-spanish-21"), (500,), 500, is_asked=False)
    logs = (None, new_card_log(1, 1))
    return [(step_seats, (*seat_arguments(plan, 1), np.zeros(1, np.int64), log)) for log in logs]
