"""Contradictions of limits and chip units: every pay comes out in whole cents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ventiuna.money import Odds, money_text
from ventiuna.rules.data import FIXED_LINE_NAMES, jackpot_tables, limit_profiles
from ventiuna.rules.errors import Problem
from ventiuna.rules.model import Jackpot, Rules
from ventiuna.rules.values import did_you_mean


def limits(rules: Rules) -> Iterator[Problem]:
    if rules.table_maximum < rules.table_minimum:
        yield Problem(
            "table_maximum",
            money_text(rules.table_maximum),
            "R-003",
            f"it is below table_minimum = {money_text(rules.table_minimum)}",
            "Raise the maximum or lower the minimum.",
        )
    if rules.table_minimum == 0:
        yield Problem("table_minimum", "$0.00", "R-003", "a wager is above zero", "Raise it.")
    profile = limit_profiles().get(rules.limit_profile)
    if profile is None:
        yield Problem(
            "limit_profile",
            rules.limit_profile,
            "R-002, O-36",
            "there is no such limit profile",
            did_you_mean(rules.limit_profile, limit_profiles()),
        )
    elif profile.maximum_wager is not None:
        for field in ("table_maximum", "mtd_maximum"):
            limit: int = getattr(rules, field)
            if limit > profile.maximum_wager:
                most = money_text(profile.maximum_wager)
                yield Problem(
                    field,
                    money_text(limit),
                    "R-002",
                    f"limit profile {profile.id} allows wagers up to {most}",
                    f"Lower {field} or name another limit_profile (none: no regulator's limit).",
                )
    for field in ("table_minimum", "table_maximum", "mtd_minimum", "mtd_maximum"):
        amount: int = getattr(rules, field)
        if rules.chip_unit and amount % rules.chip_unit:
            yield Problem(
                field,
                money_text(amount),
                "O-18",
                f"wagers are multiples of chip_unit = {money_text(rules.chip_unit)}",
                "Choose a multiple.",
            )


def whole_cents(rules: Rules) -> Iterator[Problem]:
    """Every pay must come out in whole cents, so a chip unit that could not is refused (O-18)."""
    for field in ("chip_unit", "small_chip_unit"):
        if getattr(rules, field) == 0:
            yield Problem(field, "$0.00", "O-18", "a chip unit is above zero", "Raise it.")
    on_base = [("a blackjack", rules.blackjack_pays), ("surrender", Odds(1, 2))]
    on_base.append(("a blackjack in diamonds", rules.diamond_blackjack_pays))
    on_base += [(row.name, row.pay) for row in (*rules.bonus_21, *rules.instant_wins)]
    yield from _fractions("chip_unit", rules.chip_unit, on_base)
    yield from _fractions(
        "small_chip_unit", rules.small_chip_unit, [("insurance", rules.insurance_pays)]
    )
    for number, jackpot in enumerate(rules.jackpots, start=1):
        yield from _jackpot_cents(f"jackpots game {number} wager", jackpot)


def _fractions(field: str, unit: int, pays: Iterable[tuple[str, Odds]]) -> Iterator[Problem]:
    """One problem for all pays that could end in a fraction of a cent."""
    inexact = [f"{name} at {odds}" for name, odds in pays if not odds.is_exact_for(unit)]
    if inexact:
        yield Problem(
            field,
            money_text(unit),
            "O-18",
            f"a fraction of a cent could come of {', '.join(inexact)}",
            "Choose a larger unit that divides evenly.",
        )


def _jackpot_cents(place: str, jackpot: Jackpot) -> Iterator[Problem]:
    table = jackpot_tables().get(jackpot.table)
    if table is None or jackpot.pay_table not in table.pay_tables:
        return
    pays = [
        (FIXED_LINE_NAMES[line], odds)
        for line, odds in table.pay_tables[jackpot.pay_table].fixed.items()
    ]
    if jackpot.prize is not None:
        pays.append(("the operator's prize", Odds(jackpot.prize, 100, returns_stake=False)))
    yield from _fractions(place, jackpot.wager, pays)
