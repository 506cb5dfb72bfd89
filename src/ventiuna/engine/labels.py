"""Odds and rule numbers as payments name them, worked out once for a set of rules."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ventiuna.rules.compiled import compile_rules, winning_rows
from ventiuna.rules.data import FIXED_LINE_NAMES, SpecialLine, jackpot_tables
from ventiuna.rules.model import Game, Rules


class RowLabel(NamedTuple):
    name: str
    odds: str
    rule: str


class Labels(NamedTuple):
    rows: tuple[RowLabel, ...]
    blackjack: str
    diamond: str
    blackjack_rule: str
    compare_rule: str
    surrender_rule: str
    dealer_blackjack_rule: str
    insurance_rule: str
    bust_rule: str
    insurance_odds: str
    match_odds: tuple[str, str]


_RULES = {
    Game.SPANISH_21: ("R-029", "R-078", "R-036", "R-035", "R-034", "R-013"),
    Game.SUPER_FUN_21: ("R-114", "R-119", "R-109", "R-120", "R-116", "O-01"),
    Game.BLACKJACK: ("O-01",) * 6,
}
# Payments that cite the same rule in every game that has them.
DOUBLED_21_RULE = "R-049"
DOUBLED_SURRENDER_RULE = "R-110"
RESCUE_RULE = "R-057"
MATCH_RULE = "R-021"
SUPER_BONUS_RULE = "R-069"
ENVY_BONUS_RULE = "R-073"


@lru_cache(maxsize=256)
def labels_of(rules: Rules) -> Labels:
    blackjack, compare, surrender, dealer_blackjack, insurance, bust = _RULES[rules.game]
    table = compile_rules(rules)
    return Labels(
        rows=tuple(
            RowLabel(row.name, row.pay.words, row.rule) for row, _, _ in winning_rows(rules)
        ),
        blackjack=rules.blackjack_pays.words,
        diamond=rules.diamond_blackjack_pays.words,
        blackjack_rule=blackjack,
        compare_rule=compare,
        surrender_rule=surrender,
        dealer_blackjack_rule=dealer_blackjack,
        insurance_rule=insurance,
        bust_rule=bust,
        insurance_odds=str(rules.insurance_pays),
        match_odds=(f"{table.mtd_unsuited} to 1", f"{table.mtd_suited} to 1"),
    )


def fixed_line_label(rules: Rules, game: int, line: int) -> str:
    """A fixed line of a jackpot game in words with its pay."""
    jackpot = rules.jackpots[game - 1]
    odds = jackpot_tables()[jackpot.table].pay_tables[jackpot.pay_table].fixed[line]
    return f"{FIXED_LINE_NAMES[line]} {odds}"


def special_line_of(rules: Rules, game: int, special: int) -> SpecialLine:
    jackpot = rules.jackpots[game - 1]
    return jackpot_tables()[jackpot.table].special_lines(jackpot.alternate)[special - 1]


def jackpot_rule(rules: Rules, game: int) -> str:
    return jackpot_tables()[rules.jackpots[game - 1].table].rule
