"""What each wager of the base game wins or costs, in cents.

Chip units are checked when rules are loaded so that none of these divisions leaves a rest.
"""

from ventiuna.core.dealer import is_ace
from ventiuna.core.hand import Hand, is_all_diamonds
from ventiuna.core.rule_table import RuleTable

LOSES, PUSHES, WINS = -1, 0, 1


def odds_pay(wager: int, num: int, den: int) -> int:
    """`num to den`: the profit; `num for den`: what is handed over."""
    return wager * num // den


def blackjack_profit(rules: RuleTable, hand: Hand, wager: int) -> int:
    """3 to 2 (R-029); Super Fun 21: diamonds 2 to 1, others even money (R-114)."""
    if is_all_diamonds(hand):
        return odds_pay(wager, rules.diamond_num, rules.diamond_den)
    return odds_pay(wager, rules.blackjack_num, rules.blackjack_den)


def row_profit(rules: RuleTable, row: int, wager: int) -> int:
    """Pay of a Bonus 21 or instant-win row, in place of even money (R-061)."""
    return odds_pay(wager, rules.bonus_num[row], rules.bonus_den[row])


def compare(player: int, dealer: int) -> int:
    """Nearer to 21 wins, equal totals push, a dealer bust pays all (R-078, R-119)."""
    if dealer > 21 or player > dealer:
        return WINS
    if player == dealer:
        return PUSHES
    return LOSES


def split_wager(base: int) -> int:
    """Each split hand carries the original wager (R-045, R-108)."""
    return base


def doubling_wager(rules: RuleTable, existing: int, doublings: int) -> int:
    """What the next doubling adds to a wager that was doubled so often (R-047, R-052, R-105)."""
    return existing if doublings == 0 else double_double_wager(rules, existing)


def minimum_double(rules: RuleTable, wager: int, unit: int) -> int:
    """One chip where doubling for less is offered (R-050, O-40), else the whole wager."""
    return min(unit, wager) if rules.double_for_less == 1 else wager


def double_double_wager(rules: RuleTable, existing: int) -> int:
    """The then existing wager again, at most the table maximum (R-054, R-055).

    The first double equals the base wager, so it is never capped (O-31).
    """
    return min(existing, rules.table_maximum)


def rescue_loss(wager: int, last_portion: int) -> int:
    """The last doubled portion comes back, the rest is given up (R-057, R-058, D-15)."""
    return wager - last_portion


def surrender_loss(wager: int) -> int:
    """Half of the wager (R-036); of a doubled one, one of its two bets (R-110)."""
    return wager // 2


def insurance_is_offered(rules: RuleTable, up: int) -> bool:
    """Where the house offers it, when the up card is an ace (R-034, R-116)."""
    return rules.insurance == 1 and is_ace(up)


def may_insure(rules: RuleTable, up: int, has_blackjack: bool) -> bool:
    """Every hand, and a blackjack too where the house lets it (R-031)."""
    allowed = rules.insurance_on_blackjack == 1 or not has_blackjack
    return allowed and insurance_is_offered(rules, up)


def maximum_insurance(wager: int) -> int:
    """Up to half of the original wager (R-034, O-17, O-34)."""
    return wager // 2


def maximum_insurance_in_chips(wager: int, unit: int) -> int:
    """As much of that as chips of this unit make (O-18)."""
    return maximum_insurance(wager) // unit * unit


def insurance_profit(rules: RuleTable, wager: int) -> int:
    return odds_pay(wager, rules.insurance_num, rules.insurance_den)
