"""Compiled rules: the flat table of ints that `core` reads, and payment labels."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from ventiuna.cards import SUIT_NAMES, Pack
from ventiuna.core import rule_table as core
from ventiuna.core.cards import ANY_SUITS, SUITS, packed_ranks, suit_bit
from ventiuna.core.rule_table import RuleTable
from ventiuna.money import EVEN_MONEY
from ventiuna.rules.data_files import (
    FIXED_LINE_NAMES,
    JackpotTable,
    SpecialLine,
    jackpot_tables,
    match_odds,
)
from ventiuna.rules.model import (
    OPTIONS_BY_NAME,
    PLAIN_21,
    ROW_PARTS,
    BlackjackTie,
    DoubleCards,
    DoubleTotals,
    Game,
    Jackpot,
    JackpotKind,
    PayRow,
    Player21,
    PrizeFrom,
    Reseed,
    Rules,
    Soft17,
    SplitAces,
    Winners,
)
from ventiuna.rules.options import MAX_CARDS

_TOTALS = {
    DoubleTotals.ANY: (0, 21),
    DoubleTotals.NINE_TO_ELEVEN: (9, 11),
    DoubleTotals.TEN_OR_ELEVEN: (10, 11),
}
# Columns named after an option, or after a jackpot setting with the prefix `jackpot_`.
_OPTION_COLUMNS = tuple(name for name in RuleTable._fields if name in OPTIONS_BY_NAME)
_JACKPOT_SETTINGS = tuple(
    name
    for name in ROW_PARTS[Jackpot]
    if f"jackpot_{name}" in RuleTable._fields and name != "prize"  # set with the special lines
)


def winning_rows(rules: Rules) -> tuple[tuple[PayRow, bool, bool], ...]:
    """Return all rows that pay a hand immediately, in order.

    Each comes with two flags: whether it also pays doubled hands, and whether it ends the hand
    automatically.
    """
    rows = [(row, False, True) for row in rules.instant_wins]
    rows += [(row, False, False) for row in rules.bonus_21_rows()]
    if rules.player_21 == Player21.WINS:
        plain = PayRow(name=PLAIN_21, pay=EVEN_MONEY, rule="R-040", cards=(2, MAX_CARDS))
        rows.append((plain, True, False))
    return tuple(rows)


def suit_masks(suits: str) -> int:
    """Return which of the 16 sets of suits match, one bit each."""
    if suits == "any":
        return ANY_SUITS
    if suits == "one suit":
        return sum(1 << suit_bit(suit) for suit in range(SUITS))
    mask = 0
    for word in suits.split(" "):
        mask |= suit_bit(SUIT_NAMES.index(word))
    return 1 << mask


def _padded(values: Iterable[int], length: int) -> tuple[int, ...]:
    found = tuple(values)
    return found + (0,) * (length - len(found))


@lru_cache(maxsize=256)
def compile_rules(rules: Rules) -> RuleTable:
    same: dict[str, Any] = {name: _code(rules.in_force(name)) for name in _OPTION_COLUMNS}
    rows = winning_rows(rules)
    double_low, double_high = _TOTALS[rules.double_totals]
    form = rules.super_bonus_form()
    odds = match_odds().get(rules.decks)
    bands = rules.super_bonus_bands

    def column(values: Iterable[int]) -> tuple[int, ...]:
        return _padded(values, core.BONUS_ROWS)

    return RuleTable(
        **same,
        has_tens=int(rules.pack == Pack.STANDARD),
        hits_soft_17=int(rules.soft_17 == Soft17.HIT),
        blackjack_num=rules.blackjack_pays.num,
        blackjack_den=rules.blackjack_pays.den,
        diamond_num=rules.diamond_blackjack_pays.num,
        diamond_den=rules.diamond_blackjack_pays.den,
        blackjack_beats_blackjack=int(rules.blackjack_tie == BlackjackTie.WINS),
        player_21_wins=int(rules.player_21 == Player21.WINS),
        double_max_cards=2 if rules.double_cards == DoubleCards.TWO else MAX_CARDS,
        double_low=double_low,
        double_high=double_high,
        doublings_at_most=rules.doublings_at_most,
        split_aces_one_card=int(rules.split_aces == SplitAces.ONE_CARD),
        insurance_num=rules.insurance_pays.num,
        insurance_den=rules.insurance_pays.den,
        bonus_rows=len(rows),
        bonus_lowest_total=min((row.total[0] for row, _, _ in rows), default=22),
        bonus_min_cards=column(row.cards[0] for row, _, _ in rows),
        bonus_max_cards=column(row.cards[1] for row, _, _ in rows),
        bonus_min_total=column(row.total[0] for row, _, _ in rows),
        bonus_max_total=column(row.total[1] for row, _, _ in rows),
        bonus_ranks=column(packed_ranks(row.ranks) for row, _, _ in rows),
        bonus_suits=column(suit_masks(row.suits) for row, _, _ in rows),
        bonus_split=column(int(row.after_split) for row, _, _ in rows),
        bonus_doubled=column(int(doubled) for _, doubled, _ in rows),
        bonus_forced=column(int(forced) for _, _, forced in rows),
        bonus_num=column(row.pay.num for row, _, _ in rows),
        bonus_den=_nonzero_divisors(column(row.pay.den for row, _, _ in rows)),
        super_ranks=packed_ranks(form.ranks) if form else 0,
        super_suits=suit_masks(form.suits) if form else 0,
        super_up_cards=sum(1 << card for card in set(form.up_cards)) if form else 0,
        super_bands=len(bands),
        super_from=_padded((band.base_from for band in bands), core.SUPER_BANDS),
        super_pay=_padded((band.pay for band in bands), core.SUPER_BANDS),
        mtd_unsuited=odds.unsuited if odds else 0,
        mtd_suited=odds.suited if odds else 0,
        **_compiled_jackpots(rules.jackpots),
    )


def _code(value: object) -> int:
    """Return a number for `core`; a choice's number is its position among the choices."""
    if isinstance(value, StrEnum):
        return list(type(value)).index(value)
    assert isinstance(value, int)
    return int(value)


def _nonzero_divisors(values: tuple[int, ...]) -> tuple[int, ...]:
    """Pad divisors with ones, so that unused rows never divide by zero."""
    return tuple(value or 1 for value in values)


def _compiled_jackpots(jackpots: tuple[Jackpot, ...]) -> dict[str, Any]:
    tables = [jackpot_tables()[jackpot.table] for jackpot in jackpots]
    pairs = list(zip(jackpots, tables, strict=True))
    fixed = [line for pair in pairs for line in _fixed_lines(*pair)]
    special = [line for pair in pairs for line in _special_lines(*pair)]

    def column(values: Iterable[int], lines: int = 1) -> tuple[int, ...]:
        return _padded((int(value) for value in values), core.JACKPOTS * lines)

    return {
        **{
            f"jackpot_{name}": column(getattr(jackpot, name) for jackpot in jackpots)
            for name in _JACKPOT_SETTINGS
        },
        "jackpots": len(jackpots),
        "jackpot_family": column(table.family for table in tables),
        "jackpot_fixed_num": column((num for num, _ in fixed), core.FIXED_LINES),
        "jackpot_fixed_den": _nonzero_divisors(column((den for _, den in fixed), core.FIXED_LINES)),
        "jackpot_percent": column((percent for percent, _ in special), core.SPECIAL_LINES),
        "jackpot_prize": column((prize for _, prize in special), core.SPECIAL_LINES),
        "jackpot_is_house": column(j.kind == JackpotKind.HOUSE for j in jackpots),
        "jackpot_in_sequence": column(j.winners == Winners.IN_SEQUENCE for j in jackpots),
        "jackpot_reseeds_after_round": column(j.reseed == Reseed.AFTER_ROUND for j in jackpots),
        "jackpot_prize_from_meter": column(j.prize_from == PrizeFrom.JACKPOT for j in jackpots),
    }


def _fixed_lines(jackpot: Jackpot, table: JackpotTable) -> list[tuple[int, int]]:
    pays = table.pay_tables[jackpot.pay_table].fixed
    return [(0, 1)] + [(pays[line].num, pays[line].den) for line in range(1, core.FIXED_LINES)]


def _special_lines(jackpot: Jackpot, table: JackpotTable) -> list[tuple[int, int]]:
    """Return the percentage and prize of each special line: none, first, second, third."""
    lines = [(0, 0)]
    lines += [
        (line.percent, 0) if line.percent else (0, jackpot.prize or 0)
        for line in table.special_lines(jackpot.alternate)
    ]
    return lines + [(0, 0)] * (core.SPECIAL_LINES - len(lines))


# --- Payment labels ---


class RowLabel(NamedTuple):
    name: str
    odds: str
    rule: str


class PaymentLabels(NamedTuple):
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


_RULE_NUMBERS = {
    Game.SPANISH_21: ("R-029", "R-078", "R-036", "R-035", "R-034", "R-013"),
    Game.SUPER_FUN_21: ("R-114", "R-119", "R-109", "R-120", "R-116", "O-01"),
    Game.BLACKJACK: ("O-01",) * 6,
}
# Payments that cite the same rule in every game.
DOUBLED_21_RULE = "R-049"
DOUBLED_SURRENDER_RULE = "R-110"
RESCUE_RULE = "R-057"
MATCH_RULE = "R-021"
SUPER_BONUS_RULE = "R-069"
ENVY_BONUS_RULE = "R-073"


@lru_cache(maxsize=256)
def labels_of(rules: Rules) -> PaymentLabels:
    blackjack, compare, surrender, dealer_blackjack, insurance, bust = _RULE_NUMBERS[rules.game]
    table = compile_rules(rules)
    return PaymentLabels(
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
    """Describe a fixed line of a jackpot game with its payout."""
    jackpot = rules.jackpots[game - 1]
    odds = jackpot_tables()[jackpot.table].pay_tables[jackpot.pay_table].fixed[line]
    return f"{FIXED_LINE_NAMES[line]} {odds}"


def special_line_of(rules: Rules, game: int, special: int) -> SpecialLine:
    jackpot = rules.jackpots[game - 1]
    return jackpot_tables()[jackpot.table].special_lines(jackpot.alternate)[special - 1]


def jackpot_rule(rules: Rules, game: int) -> str:
    return jackpot_tables()[rules.jackpots[game - 1].table].rule
