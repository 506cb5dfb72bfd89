"""The largest amounts of a plan: what the kernel's sums must hold, known before the first card."""

from __future__ import annotations

from ventiuna.core.jackpot import line_pay
from ventiuna.core.match import match_profit
from ventiuna.core.meters import prize_pay
from ventiuna.core.payouts import insurance_profit, most_insurance
from ventiuna.core.super_bonus import envy_pay, super_bonus_pay
from ventiuna.core.table import FIXED_LINES, SPECIAL_LINES, RuleTable
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.wide import MOST_FACTOR
from ventiuna.simulation.grains import money
from ventiuna.simulation.plan import Plan
from ventiuna.strategy.errors import plan_problem

_MOST_RESULTS = 1 << 18  # places in the histogram of results
_MOST_SESSION = 1 << 62  # cents that a session's running result may come to
_GROWN = 16  # times its start: no meter of a run comes near


def check_amounts(plan: Plan, rules: RuleTable) -> None:
    """Refuse wagers whose payments could leave the sums."""
    rest = most_rest(plan, rules)
    if rest * at.MOST_SPOTS > MOST_FACTOR:
        raise plan_problem(
            "rules",
            plan.rules.name,
            "payments of these wagers are more than the simulator counts",
            "Lower the wagers, odds, prizes or meters.",
        )
    amounts = money(rules, plan.bases)
    if amounts.highest - amounts.lowest >= _MOST_RESULTS:
        raise plan_problem(
            "base",
            f"{plan.bases[0] / 100:.2f}",
            "results of this wager and its doublings share no unit worth counting in",
            "Choose a base wager that divides the table maximum, or is well below it.",
            "R-055",
        )
    base = max(amounts.highest, -amounts.lowest) * amounts.grain
    if (base + rest) * plan.session > _MOST_SESSION:
        raise plan_problem(
            "session",
            plan.session,
            "results of so many rounds with these wagers are more than the simulator counts",
            "Choose a shorter session or smaller wagers.",
        )


def most_rest(plan: Plan, rules: RuleTable) -> int:
    """Cents that a spot can win besides the base game in a round, or more."""
    base = max(plan.bases)
    most = insurance_profit(rules, most_insurance(base)) + most_insurance(base)
    most += super_bonus_pay(rules, base)
    most += max(envy_pay(rules, own, at.MOST_SPOTS) for own in (0, 1))
    most += sum(
        max(match_profit(rules, stake, 2, 0), match_profit(rules, stake, 0, 2))
        for stake in plan.match.values()
    )
    for game in range(rules.jackpots):
        meter = plan.meters[game] if plan.meters else plan.rules.jackpots[game].seed
        most += _GROWN * meter + rules.jackpot_wager[game]
        most += 2 * max(line_pay(rules, game, line) for line in range(1, FIXED_LINES))
        most += max(prize_pay(rules, game, line) for line in range(1, SPECIAL_LINES))
    return most
