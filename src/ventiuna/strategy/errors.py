"""Errors in a plan, a chart or a count, all reported at once, each with a fix."""

from __future__ import annotations

from ventiuna.rules.model import Problem, RulesError
from ventiuna.rules.options import short_repr


class PlanError(RulesError):
    """A simulation that can't be run as requested."""


def plan_problem(field: str, value: object, message: str, fix: str, rule: str = "") -> PlanError:
    return PlanError([Problem(field, _value_text(value), rule, message, fix)])


def check_range(field: str, value: object, low: int, high: int, things: str) -> None:
    """Require a whole number of things in this range."""
    if type(value) is not int or not low <= value <= high:
        message = f"must be {low} to {high:,} {things}"
        raise plan_problem(field, value, message, "Choose a number in that range.")


def _value_text(value: object) -> str:
    """A path or a choice as the user wrote it, or a number of any length."""
    return short_repr(value) if isinstance(value, int | tuple | list | dict) else str(value)
