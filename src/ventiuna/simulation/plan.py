"""The plan of a simulation, checked before the first card is dealt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.wagers import checked_wagers
from ventiuna.money import LARGEST_AMOUNT
from ventiuna.rules import Rules
from ventiuna.strategy.counting import Count
from ventiuna.strategy.protocol import Strategy, plan_problem

MAX_ROUNDS = 10**13
MAX_BLOCK = 20_000_000
MAX_SEED = 10**1000  # Python refuses to write numbers with thousands of digits
DEFAULT_BLOCK = 1_000_000
MAX_SESSION = 10_000_000


class ShoeUse(StrEnum):
    CUT_CARD = "cut-card"  # dealt to the cut card, then shuffled (O-03)
    FRESH = "fresh"  # a full shoe for every round, as exact figures assume


@dataclass(frozen=True)
class Plan:
    """Rules, wagers and player of a simulation; amounts in cents."""

    rules: Rules
    strategy: Strategy | str = "chart"
    spots: int = 1
    base: int = 0  # 0 for the table minimum
    match: Mapping[str, int] = field(default_factory=dict)  # up, down, b1 to b5
    jackpots: tuple[int, ...] = ()  # numbers of the jackpot games bet on
    shoe: ShoeUse = ShoeUse.CUT_CARD
    errors: Fraction = Fraction(0)  # share of wrong decisions
    count: Count | None = None
    session: int = 0  # rounds; 0 for no session statistics
    meters: tuple[int, ...] = ()  # initial meters; empty for their seeds
    seed: int = 21
    block: int = 0  # rounds per block; 0 for about a million

    @property
    def base_wager(self) -> int:
        return self.base or self.rules.table_minimum

    @property
    def bases(self) -> tuple[int, ...]:
        """The base wagers, from the lowest count up."""
        if self.count is None:
            return (self.base_wager,)
        return tuple(self.base_wager * bet.wagers for bet in self.count.bets)

    @property
    def block_rounds(self) -> int:
        if self.block:
            return self.block
        if self.session:  # every block has whole sessions
            return self.session * max(1, DEFAULT_BLOCK // self.session)
        return DEFAULT_BLOCK


def is_whole_number(value: object) -> bool:
    """Whether this is an int: True, 1e6 and "5" aren't."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_error(value: object) -> bool:
    """Whether this can be the standard error at which to stop; 0 means don't stop early."""
    return isinstance(value, int | float) and 0 <= value < math.inf


def check_types(plan: Plan) -> None:
    """Reject arguments of the wrong type, which a calling program might pass."""
    for name in ("spots", "base", "session", "seed", "block"):
        if not is_whole_number(getattr(plan, name)):
            raise plan_problem(name, getattr(plan, name), "must be a whole number", "Use an int.")
    for name in ("jackpots", "meters"):
        found = getattr(plan, name)
        if not isinstance(found, tuple | list) or not all(map(is_whole_number, found)):
            raise plan_problem(name, found, "must be a tuple of whole numbers", "Example: (1, 2).")
    if not isinstance(plan.match, Mapping):
        raise plan_problem(
            "match", plan.match, "must map wager names to cents", 'Example: {"up": 500}.'
        )
    if not isinstance(plan.strategy, str) and not hasattr(plan.strategy, "preferences"):
        raise plan_problem(
            "strategy",
            plan.strategy,
            "not a strategy or the name of one",
            'Use "chart" or "optimal".',
        )
    if plan.count is not None and not isinstance(plan.count, Count):
        raise plan_problem("count", plan.count, "not a count", "Use its name, or load_count.")


def read_shoe_use(value: object) -> ShoeUse:
    if value not in list(ShoeUse):
        raise plan_problem(
            "shoe", value, "not a way to use the shoe", "Use cut-card or fresh.", "O-03"
        )
    return ShoeUse(str(value))


def read_errors(value: object) -> Fraction:
    """Parse a share of the decisions; reject floats that aren't numbers."""
    if isinstance(value, int | float | Fraction) and 0 <= value <= 1:
        return Fraction(value).limit_denominator(10**9)
    raise plan_problem(
        "errors", value, "must be a share of the decisions", "Use a number from 0 to 1."
    )


def check_plan(plan: Plan) -> None:
    """Reject plans that can't be played, with an explanation."""
    rules = plan.rules
    if not 1 <= plan.spots <= rules.seats:
        raise plan_problem(
            "spots",
            plan.spots,
            f"this table has {rules.seats} spots",
            f"Choose 1 to {rules.seats}.",
            "O-02",
        )
    for base in plan.bases:
        # The engine knows which wagers a spot may place, and explains refusals.
        checked_wagers(
            rules,
            PlaceWagers(
                1,
                base,
                "",
                dict(plan.match),
                {
                    game: rules.jackpots[game - 1].wager if 0 < game <= len(rules.jackpots) else 1
                    for game in plan.jackpots
                },
            ),
        )
    if not 0 <= plan.errors <= 1:
        raise plan_problem(
            "errors", plan.errors, "must be a share of the decisions", "Use 0% to 100%."
        )
    if not 0 <= plan.seed <= MAX_SEED:
        raise plan_problem(
            "seed",
            plan.seed,
            "a seed must not be negative or longer than 1,000 digits",
            "Use 0 or more.",
        )
    if not 0 <= plan.block <= MAX_BLOCK:
        raise plan_problem(
            "block", plan.block, f"must be at most {MAX_BLOCK:,} rounds", "Lower it."
        )
    _check_session(plan)
    for cents in plan.meters:
        if not 0 <= cents <= LARGEST_AMOUNT:
            raise plan_problem(
                "meters", cents, "a meter must be whole cents, 0 or more", "Correct it.", "R-084"
            )
    if plan.meters and len(plan.meters) != len(rules.jackpots):
        raise plan_problem(
            "meters",
            len(plan.meters),
            f"the table has {len(rules.jackpots)} jackpot game"
            f"{'s' if len(rules.jackpots) != 1 else ''}",
            "Give one amount for each.",
            "R-084",
        )


def _check_session(plan: Plan) -> None:
    if not 0 <= plan.session <= MAX_SESSION:
        raise plan_problem(
            "session", plan.session, f"must be at most {MAX_SESSION:,} rounds", "Lower it."
        )
    if plan.session and plan.block % plan.session:
        raise plan_problem(
            "block",
            plan.block,
            "a block must hold whole sessions",
            "Use a multiple of the session.",
        )
