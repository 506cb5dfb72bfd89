"""Wins and losses of each base-game wager, in cents.

Loading rules checks the chip units, so none of these divisions leaves a remainder.
"""

from ventiuna.core.dealer import is_ace
from ventiuna.core.hand import Hand, is_all_diamonds
from ventiuna.core.rule_table import RuleTable

LOSES, PUSHES, WINS = -1, 0, 1


def odds_pay(wager: int, num: int, den: int) -> int:
    """Amount paid: the profit for `num to den`, the total returned for `num for den`."""
    return wager * num // den


def blackjack_profit(rules: RuleTable, hand: Hand, wager: int) -> int:
    """Profit of a blackjack: 3 to 2 in Spanish 21 (R-029).

    In Super Fun 21, diamonds pay 2 to 1 and other blackjacks even money (R-114).
    """
    if is_all_diamonds(hand):
        return odds_pay(wager, rules.diamond_num, rules.diamond_den)
    return odds_pay(wager, rules.blackjack_num, rules.blackjack_den)


def row_profit(rules: RuleTable, row: int, wager: int) -> int:
    """Profit of a Bonus 21 or instant-win row, in place of even money (R-061)."""
    return odds_pay(wager, rules.bonus_num[row], rules.bonus_den[row])


def compare(player: int, dealer: int) -> int:
    """The total nearer to 21 wins, equal totals push, and a dealer bust pays all (R-078, R-119)."""
    if dealer > 21 or player > dealer:
        return WINS
    if player == dealer:
        return PUSHES
    return LOSES


def split_wager(base: int) -> int:
    """Each split hand carries the original wager (R-045, R-108)."""
    return base


def doubling_wager(rules: RuleTable, existing: int, doublings: int) -> int:
    """Amount that the next doubling adds to a wager that was doubled `doublings` times.

    R-047, R-052, R-105.
    """
    return existing if doublings == 0 else double_double_wager(rules, existing)


def minimum_double(rules: RuleTable, wager: int, unit: int) -> int:
    """Minimum double: one chip if doubling for less is allowed (R-050, O-40), or else the wager."""
    return min(unit, wager) if rules.double_for_less == 1 else wager


def double_double_wager(rules: RuleTable, existing: int) -> int:
    """Amount of a double-double: the current wager again, at most the table maximum (R-054, R-055).

    The first double equals the base wager, so it is never capped (O-31).
    """
    return min(existing, rules.table_maximum)


def rescue_loss(wager: int, last_portion: int) -> int:
    """Loss on a rescue, which returns only the last doubled portion (R-057, R-058, D-15)."""
    return wager - last_portion


def surrender_loss(wager: int) -> int:
    """Loss on a surrender: half of the wager (R-036), or one bet of a doubled hand (R-110)."""
    return wager // 2


def insurance_is_offered(rules: RuleTable, up: int) -> bool:
    """Insurance is offered against an ace if the house allows it (R-034, R-116)."""
    return rules.insurance == 1 and is_ace(up)


def may_insure(rules: RuleTable, up: int, has_blackjack: bool) -> bool:
    """Any hand may be insured; a blackjack only if the house allows it (R-031)."""
    allowed = rules.insurance_on_blackjack == 1 or not has_blackjack
    return allowed and insurance_is_offered(rules, up)


def maximum_insurance(wager: int) -> int:
    """Maximum insurance: half of the original wager (R-034, O-17, O-34)."""
    return wager // 2


def maximum_insurance_in_chips(wager: int, unit: int) -> int:
    """Maximum insurance, rounded down to a multiple of the chip `unit` (O-18)."""
    return maximum_insurance(wager) // unit * unit


def insurance_profit(rules: RuleTable, wager: int) -> int:
    return odds_pay(wager, rules.insurance_num, rules.insurance_den)
