"""Compiled rules: the flat table of ints that `core` reads, and payment labels."""

from __future__ import annotations

from collections.abc import Iterable
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
    PLAIN_21,
    BlackjackPaid,
    BlackjackTie,
    DoubleCards,
    DoubleOn21,
    DoubleTotals,
    Envy,
    Game,
    Jackpot,
    JackpotKind,
    PayRow,
    Player21,
    PrizeFrom,
    Reseed,
    Rules,
    Soft17,
    Split,
    SplitAces,
    Surrender,
    Winners,
)
from ventiuna.rules.options import MAX_CARDS

_PAID = {
    BlackjackPaid.AT_ONCE: core.PAID_AT_ONCE,
    BlackjackPaid.UNLESS_INSURED: core.PAID_UNLESS_INSURED,
    BlackjackPaid.AFTER_CHECK: core.PAID_AFTER_CHECK,
}
_DOUBLE_21 = {
    DoubleOn21.NEVER: core.DOUBLE_21_NEVER,
    DoubleOn21.SOFT: core.DOUBLE_21_SOFT,
    DoubleOn21.ANY: core.DOUBLE_21_ANY,
}
_TOTALS = {
    DoubleTotals.ANY: (0, 21),
    DoubleTotals.NINE_TO_ELEVEN: (9, 11),
    DoubleTotals.TEN_OR_ELEVEN: (10, 11),
}
_SURRENDER = {
    Surrender.OFF: core.SURRENDER_OFF,
    Surrender.LATE: core.SURRENDER_LATE,
    Surrender.ANY_TIME: core.SURRENDER_ANY_TIME,
}
_SPLIT = {
    Split.OFF: core.SPLIT_OFF,
    Split.EQUAL_VALUE: core.SPLIT_EQUAL_VALUE,
    Split.SAME_RANK: core.SPLIT_SAME_RANK,
}
_ENVY = {
    Envy.OFF: core.ENVY_OFF,
    Envy.PER_OTHER_WINNER: core.ENVY_PER_OTHER_WINNER,
    Envy.LOSERS_ONLY: core.ENVY_LOSERS_ONLY,
    Envy.LOSERS_ONCE: core.ENVY_LOSERS_ONCE,
}


def winning_rows(rules: Rules) -> tuple[tuple[PayRow, bool, bool], ...]:
    """Return all rows that pay a hand immediately, in order.

    Each comes with two flags: whether it also pays doubled hands, and whether it ends the hand by
    itself.
    """
    rows = [(row, False, True) for row in rules.instant_wins]
    rows += [(row, False, False) for row in rules.bonus_21_rows()]
    if rules.player_21 == Player21.WINS:
        rows.append((_plain_21(), True, False))
    return tuple(rows)


def _plain_21() -> PayRow:
    return PayRow(name=PLAIN_21, pay=EVEN_MONEY, rule="R-040", cards=(2, MAX_CARDS))


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
    rows = winning_rows(rules)
    double_low, double_high = _TOTALS[rules.double_totals]
    form = rules.super_bonus_form()
    odds = match_odds().get(rules.decks)
    bands = rules.super_bonus_bands

    def column(values: Iterable[int]) -> tuple[int, ...]:
        return _padded(values, core.BONUS_ROWS)

    return RuleTable(
        decks=rules.decks,
        has_tens=int(rules.pack == Pack.STANDARD),
        hits_soft_17=int(rules.soft_17 == Soft17.HIT),
        blackjack_num=rules.blackjack_pays.num,
        blackjack_den=rules.blackjack_pays.den,
        diamond_num=rules.diamond_blackjack_pays.num,
        diamond_den=rules.diamond_blackjack_pays.den,
        blackjack_beats_blackjack=int(rules.blackjack_tie == BlackjackTie.WINS),
        blackjack_paid=_PAID[rules.blackjack_paid],
        double_blackjack=int(rules.double_blackjack),
        player_21_wins=int(rules.player_21 == Player21.WINS),
        double_on_21=_DOUBLE_21[rules.double_on_21],
        double_max_cards=2 if rules.double_cards == DoubleCards.TWO else MAX_CARDS,
        double_low=double_low,
        double_high=double_high,
        double_after_split=int(rules.double_after_split),
        doublings_at_most=rules.doublings_at_most,
        double_for_less=int(rules.offers_double_for_less),
        rescue=int(rules.rescue),
        surrender=_SURRENDER[rules.surrender],
        split=_SPLIT[rules.split],
        split_hands=rules.split_hands,
        split_aces_one_card=int(rules.split_aces == SplitAces.ONE_CARD),
        resplit_aces=int(rules.resplit_aces),
        insurance=int(rules.insurance),
        insurance_num=rules.insurance_pays.num,
        insurance_den=rules.insurance_pays.den,
        insurance_on_blackjack=int(rules.insurance_on_blackjack),
        table_maximum=rules.table_maximum,
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
        envy=_ENVY[rules.envy],
        envy_amount=rules.envy_amount,
        mtd_unsuited=odds.unsuited if odds else 0,
        mtd_suited=odds.suited if odds else 0,
        **_compiled_jackpots(rules.jackpots),
    )


def _nonzero_divisors(values: tuple[int, ...]) -> tuple[int, ...]:
    """Pad divisors with ones, so that unused rows never divide by zero."""
    return tuple(value or 1 for value in values)


def _compiled_jackpots(jackpots: tuple[Jackpot, ...]) -> dict[str, Any]:
    tables = [jackpot_tables()[jackpot.table] for jackpot in jackpots]
    pairs = list(zip(jackpots, tables, strict=True))
    fixed = [_fixed_lines(jackpot, table) for jackpot, table in pairs]
    special = [_special_lines(jackpot, table) for jackpot, table in pairs]
    lines = core.JACKPOTS * core.FIXED_LINES
    return {
        "jackpots": len(jackpots),
        "jackpot_family": _padded((table.family for table in tables), core.JACKPOTS),
        "jackpot_alternate": _padded((j.alternate for j in jackpots), core.JACKPOTS),
        "jackpot_wager": _padded((j.wager for j in jackpots), core.JACKPOTS),
        "jackpot_fixed_num": _padded((num for game in fixed for num, _ in game), lines),
        "jackpot_fixed_den": _nonzero_divisors(
            _padded((den for game in fixed for _, den in game), lines)
        ),
        "jackpot_percent": _padded(
            (percent for game in special for percent, _ in game),
            core.JACKPOTS * core.SPECIAL_LINES,
        ),
        "jackpot_prize": _padded(
            (prize for game in special for _, prize in game), core.JACKPOTS * core.SPECIAL_LINES
        ),
        "jackpot_best_only": _padded((int(j.best_only) for j in jackpots), core.JACKPOTS),
        "jackpot_top_alone": _padded((int(j.top_alone) for j in jackpots), core.JACKPOTS),
        **_compiled_meters(jackpots),
    }


def _compiled_meters(jackpots: tuple[Jackpot, ...]) -> dict[str, tuple[int, ...]]:
    def column(values: Iterable[int]) -> tuple[int, ...]:
        return _padded((int(value) for value in values), core.JACKPOTS)

    return {
        "jackpot_is_house": column(j.kind == JackpotKind.HOUSE for j in jackpots),
        "jackpot_in_sequence": column(j.winners == Winners.IN_SEQUENCE for j in jackpots),
        "jackpot_contribution": column(j.contribution for j in jackpots),
        "jackpot_seed": column(j.seed for j in jackpots),
        "jackpot_reseeds_after_round": column(j.reseed == Reseed.AFTER_ROUND for j in jackpots),
        "jackpot_prize_from_meter": column(j.prize_from == PrizeFrom.JACKPOT for j in jackpots),
    }


def _fixed_lines(jackpot: Jackpot, table: JackpotTable) -> list[tuple[int, int]]:
    pays = table.pay_tables[jackpot.pay_table].fixed
    return [(0, 1)] + [(pays[line].num, pays[line].den) for line in range(1, core.FIXED_LINES)]


def _special_lines(jackpot: Jackpot, table: JackpotTable) -> list[tuple[int, int]]:
    """Return the percentage and prize of lines none, first, second, third."""
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
    """Describe a fixed line of a jackpot game with its pay."""
    jackpot = rules.jackpots[game - 1]
    odds = jackpot_tables()[jackpot.table].pay_tables[jackpot.pay_table].fixed[line]
    return f"{FIXED_LINE_NAMES[line]} {odds}"


def special_line_of(rules: Rules, game: int, special: int) -> SpecialLine:
    jackpot = rules.jackpots[game - 1]
    return jackpot_tables()[jackpot.table].special_lines(jackpot.alternate)[special - 1]


def jackpot_rule(rules: Rules, game: int) -> str:
    return jackpot_tables()[rules.jackpots[game - 1].table].rule
