"""Counts in the form that is handy: a count, its name or file, or its tags written out."""

from __future__ import annotations

from ventiuna.analysis.given import given_text
from ventiuna.counting.tags import read_tags, telling_tags
from ventiuna.rules import Rules
from ventiuna.simulation.strategies import find_count
from ventiuna.strategy.counting import Count, started_at
from ventiuna.strategy.errors import plan_problem


def given_count(count: object, tags: object, start: object, rules: Rules) -> Count:
    """The count that was named or written out; a start of "" or None is none."""
    no_start = start is None or start == ""
    if bool(count) == bool(given_text("tags", tags)):
        given = "both are given" if count else "none is given"
        raise plan_problem(
            "count", count, f"a count is named or its tags are written: {given}",
            "Give the name of a count, or tags such as '2=1 10=-1'.",
        )  # fmt: skip
    if not count:
        return tags_count(given_text("tags", tags), "tags", None if no_start else start, rules)
    if not no_start:
        raise plan_problem(
            "start", start, "a named count has its own start", "Give it with tags only."
        )
    return named_count(count, rules)


def named_count(count: object, rules: Rules) -> Count:
    """A count, or the name or file of one, refused where it tells no card from another."""
    if isinstance(count, str):
        count = find_count(count)
    if not isinstance(count, Count):
        raise plan_problem("count", count, "it is a count, its name or its file", "Give one.")
    return _telling(count, rules)


def tags_count(tags: str, name: str, start: object, rules: Rules) -> Count:
    """A count of written-out tags; without a start it begins where a count file would."""
    known = _telling(read_tags(tags, name), rules)
    return known if start is None else started_at(known, start)


def _telling(count: Count, rules: Rules) -> Count:
    """The count, refused before any work where it tells no card of the pack from another."""
    telling_tags(count, rules.pack)
    return count
