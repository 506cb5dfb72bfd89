"""What is wrong with a plan, a chart or a count: all of it at once, each with a fix."""

from __future__ import annotations

from ventiuna.rules.errors import Problem, RulesError


class PlanError(RulesError):
    """A simulation that can't be run as asked."""


def plan_problem(field: str, value: object, message: str, fix: str, rule: str = "") -> PlanError:
    return PlanError([Problem(field, str(value), rule, message, fix)])
