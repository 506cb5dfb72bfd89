"""Meters of jackpot games: what wagers put in, what lines take out, when seed money comes.

A *progressive* is the players' money: wagers raise it, awards lower it, and an award of all of
it is followed by the seed. A *house jackpot* is a posted amount that neither moves. `game`
counts from zero. `shown` is the amount, in cents, that a winner's award is worked out from.
"""

from ventiuna.core.rule_table import SPECIAL_LINES, RuleTable
from ventiuna.core.side_bets import NO_LINE

# Contributions are ten-thousandths of a wager, so they are counted in that part of a cent (O-18).
SHARES = 10_000
WHOLE_METER = 100  # per cent


# --- what wagers put in -------------------------------------------------------------------------


def contribution(rules: RuleTable, game: int, wagered: int) -> int:
    """What so many cents of wagers add to the meter, in SHARES of a cent (R-086, O-19)."""
    return 0 if is_house_jackpot(rules, game) else wagered * rules.jackpot_contribution[game]


def is_house_jackpot(rules: RuleTable, game: int) -> bool:
    """Is it the house's own posted amount? No wager raises it and no award lowers it (O-39)."""
    return rules.jackpot_is_house[game] == 1


def raised_by(remainder: int, added: int) -> int:
    """Whole cents that a contribution raises the meter by, the remainder so far included."""
    return (remainder + added) // SHARES


def remainder_after(remainder: int, added: int) -> int:
    """The part of a cent that waits for the next contribution (O-18)."""
    return (remainder + added) % SHARES


# --- what lines take out ------------------------------------------------------------------------


def meter_share(rules: RuleTable, game: int, special: int) -> int:
    """Per cent of the meter that a special line wins; 0 for a prize line."""
    return rules.jackpot_percent[game * SPECIAL_LINES + special]


def prize_pay(rules: RuleTable, game: int, special: int) -> int:
    """The operator's prize, stated for $1 and multiplied by the wager (R-092), in cents."""
    prize = rules.jackpot_prize[game * SPECIAL_LINES + special]
    return prize * rules.jackpot_wager[game] // 100


def comes_from_meter(rules: RuleTable, game: int, special: int) -> bool:
    """Shares do, and prizes where the operator takes them out of the jackpot (R-092, O-37)."""
    if special == NO_LINE:
        return False
    return meter_share(rules, game, special) > 0 or rules.jackpot_prize_from_meter[game] == 1


def share_of(shown: int, percent: int) -> int:
    """A share of the meter, rounded down to the cent (O-18)."""
    return shown * percent // 100


def special_pay(rules: RuleTable, game: int, special: int, shown: int) -> int:
    """What a special line is paid: its share, or the prize, out of the jackpot no more than
    that holds (R-092, O-37)."""
    percent = meter_share(rules, game, special)
    if percent > 0:
        return share_of(shown, percent)
    prize = prize_pay(rules, game, special)
    return min(prize, shown) if comes_from_meter(rules, game, special) else prize


def pays_each_in_full(rules: RuleTable, game: int) -> bool:
    """Is each winner of a round paid as if he were the only one?

    A house jackpot's are, unless the house lets them share in sequence (O-39); a
    progressive's never (R-095).
    """
    return is_house_jackpot(rules, game) and rules.jackpot_in_sequence[game] == 0


def meter_for_next_winner(rules: RuleTable, game: int, special: int, shown: int) -> int:
    """What the round's next winner's award is worked out from: awards go from the dealer's
    left, each taken off before the next (R-095), and seed money at once counts (O-20)."""
    if pays_each_in_full(rules, game):
        return shown
    left = shown - special_pay(rules, game, special, shown)
    return left + seed_at_once(rules, game, special)


def taken_off_meter(rules: RuleTable, game: int, paid: int) -> int:
    """How far an award lowers the meter that people see: a house jackpot stays as posted."""
    return 0 if is_house_jackpot(rules, game) else paid


# --- seed money ---------------------------------------------------------------------------------


def empties_meter(rules: RuleTable, game: int, special: int) -> bool:
    """Does the line win all of a progressive's meter?"""
    return not is_house_jackpot(rules, game) and meter_share(rules, game, special) == WHOLE_METER


def seed_at_once(rules: RuleTable, game: int, special: int) -> int:
    """Seed money that follows the award at once, so that a later winner shares in it (O-20)."""
    if rules.jackpot_reseeds_after_round[game] == 1 or not empties_meter(rules, game, special):
        return 0
    return rules.jackpot_seed[game]


def seed_after_round(rules: RuleTable, game: int, special: int) -> int:
    """Seed money that waits for the round's last award and comes once (O-20)."""
    if rules.jackpot_reseeds_after_round[game] == 0 or not empties_meter(rules, game, special):
        return 0
    return rules.jackpot_seed[game]
