"""Contradictions of the jackpot games."""

from __future__ import annotations

from collections.abc import Iterator

from ventiuna.core.table import JACKPOTS
from ventiuna.money import money_text
from ventiuna.rules.data import jackpot_tables
from ventiuna.rules.errors import Problem
from ventiuna.rules.model import Game, Jackpot, JackpotKind, Rules
from ventiuna.rules.values import alternatives, did_you_mean

JACKPOT_WAGER = (100, 2000)  # $1 to $20 (R-085, D-23)


def jackpots(rules: Rules) -> Iterator[Problem]:
    if len(rules.jackpots) > JACKPOTS:
        yield Problem(
            "jackpots",
            f"{len(rules.jackpots)} games",
            "R-084",
            "a layout has at most two jackpot games",
            "Take games out.",
        )
    if len({jackpot.kind for jackpot in rules.jackpots}) > 1:
        yield Problem(
            "jackpots",
            "progressive and house",
            "R-083",
            "a table runs either progressive jackpots or house jackpots, not both",
            "Give all jackpot games the same kind.",
        )
    for number, jackpot in enumerate(rules.jackpots, start=1):
        yield from _jackpot(rules, f"jackpots game {number}", jackpot)


def _jackpot(rules: Rules, place: str, jackpot: Jackpot) -> Iterator[Problem]:
    low, high = JACKPOT_WAGER
    if not low <= jackpot.wager <= high:
        yield Problem(
            f"{place} wager",
            money_text(jackpot.wager),
            "R-085",
            f"the fixed jackpot wager is from {money_text(low)} to {money_text(high)}",
            "Choose an amount in that range.",
        )
    table = jackpot_tables().get(jackpot.table)
    if table is None:
        yield Problem(
            f"{place} table",
            jackpot.table,
            "R-086",
            "there is no such jackpot table",
            did_you_mean(jackpot.table, jackpot_tables()),
        )
        return
    if rules.game != Game.SPANISH_21 or rules.decks not in table.decks:
        yield Problem(
            f"{place} table",
            jackpot.table,
            "R-086",
            f"table {table.id} is for Spanish 21 with {alternatives(table.decks)} decks, "
            f"not for {rules.game.words} with {rules.decks}",
            _tables_fix(rules),
        )
    if jackpot.pay_table not in table.pay_tables:
        yield Problem(
            f"{place} pay_table",
            str(jackpot.pay_table),
            "R-086",
            f"table {table.id} has pay tables 1 to {len(table.pay_tables)}",
            "Choose one of these.",
        )
    if jackpot.alternate and jackpot.alternate not in table.alternates:
        sets = "no alternate set of lines"
        if table.alternates:
            sets = f"alternate {alternatives(tuple(table.alternates))}"
        yield Problem(
            f"{place} alternate",
            str(jackpot.alternate),
            "R-093, R-094, D-26",
            f"table {table.id} has {sets}",
            "Use alternate=0 or a set that the table has.",
        )
        return
    special = table.special_lines(jackpot.alternate)
    if jackpot.prize is None and any(line.percent == 0 for line in special):
        yield Problem(
            f"{place} prize",
            "not set",
            "R-092, O-21",
            "the table has a line that pays the operator's prize",
            "Set prize to dollars for $1 of wager.",
        )
    if jackpot.kind == JackpotKind.HOUSE and jackpot.seed == 0:
        yield Problem(
            f"{place} seed",
            money_text(jackpot.seed),
            "R-097",
            "a house jackpot needs its posted amount",
            "Set seed to the amount.",
        )


def _tables_fix(rules: Rules) -> str:
    # The casino card's own table is no choice of the approved rules.
    fitting = [
        table.id
        for table in jackpot_tables().values()
        if rules.decks in table.decks and table.rule != "R-099"
    ]
    if rules.game != Game.SPANISH_21 or not fitting:
        return "Offer no jackpot."
    return f"Use table {' or '.join(fitting)}."
