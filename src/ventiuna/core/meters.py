"""Meters of jackpot games: contributions from wagers, awards, and seed money.

A *progressive* is the players' money: wagers raise it, awards lower it, and the house adds seed
money when all of it is won. A *house jackpot* is a posted amount that neither wagers nor awards
change. `game` counts from zero. `shown` is the amount, in cents, on which an award is based.
"""

from ventiuna.core.rule_table import SPECIAL_LINES, RuleTable
from ventiuna.core.side_bets import NO_LINE

# Contributions are ten-thousandths of a wager, so they are counted in ten-thousandths of a cent
# (O-18).
SHARES = 10_000
WHOLE_METER = 100  # percent


# --- Contributions ---


def contribution(rules: RuleTable, game: int, wagered: int) -> int:
    """Amount that wagers of `wagered` cents add to the meter, in SHARES of a cent (R-086, O-19)."""
    return 0 if is_house_jackpot(rules, game) else wagered * rules.jackpot_contribution[game]


def is_house_jackpot(rules: RuleTable, game: int) -> bool:
    """Return whether the jackpot is a posted amount that wagers and awards don't change (O-39)."""
    return rules.jackpot_is_house[game] == 1


def raised_by(remainder: int, added: int) -> int:
    """Whole cents by which a contribution raises the meter, including the remainder so far."""
    return (remainder + added) // SHARES


def remainder_after(remainder: int, added: int) -> int:
    """Fraction of a cent carried over to the next contribution (O-18)."""
    return (remainder + added) % SHARES


# --- Awards ---


def meter_share(rules: RuleTable, game: int, special: int) -> int:
    """Percentage of the meter that a special line wins; 0 for a prize line."""
    return rules.jackpot_percent[game * SPECIAL_LINES + special]


def prize_pay(rules: RuleTable, game: int, special: int) -> int:
    """The operator's prize in cents: the amount per $1, multiplied by the wager (R-092)."""
    prize = rules.jackpot_prize[game * SPECIAL_LINES + special]
    return prize * rules.jackpot_wager[game] // 100


def comes_from_meter(rules: RuleTable, game: int, special: int) -> bool:
    """Return whether the meter pays: always for a share, by option for a prize (R-092, O-37)."""
    if special == NO_LINE:
        return False
    return meter_share(rules, game, special) > 0 or rules.jackpot_prize_from_meter[game] == 1


def share_of(shown: int, percent: int) -> int:
    """A share of the meter, rounded down to the cent (O-18)."""
    return shown * percent // 100


def special_pay(rules: RuleTable, game: int, special: int, shown: int) -> int:
    """Payout of a special line: its share of the meter, or the prize.

    A prize taken from the jackpot is limited to the meter (R-092, O-37).
    """
    percent = meter_share(rules, game, special)
    if percent > 0:
        return share_of(shown, percent)
    prize = prize_pay(rules, game, special)
    return min(prize, shown) if comes_from_meter(rules, game, special) else prize


def pays_each_in_full(rules: RuleTable, game: int) -> bool:
    """Return whether each winner in a round is paid as if there were no other winners.

    True for a house jackpot unless the house pays winners in sequence (O-39); never for a
    progressive (R-095).
    """
    return is_house_jackpot(rules, game) and rules.jackpot_in_sequence[game] == 0


def meter_for_next_winner(rules: RuleTable, game: int, special: int, shown: int) -> int:
    """Amount on which the round's next award is based.

    Awards are paid in order from the dealer's left, each deducted before the next (R-095).
    Seed money added at once is included (O-20).
    """
    if pays_each_in_full(rules, game):
        return shown
    left = shown - special_pay(rules, game, special, shown)
    return left + seed_at_once(rules, game, special)


def taken_off_meter(rules: RuleTable, game: int, paid: int) -> int:
    """Amount by which an award lowers the displayed meter; 0 for a house jackpot."""
    return 0 if is_house_jackpot(rules, game) else paid


# --- Seed money ---


def empties_meter(rules: RuleTable, game: int, special: int) -> bool:
    """Return whether the line wins all of a progressive's meter."""
    return not is_house_jackpot(rules, game) and meter_share(rules, game, special) == WHOLE_METER


def seed_at_once(rules: RuleTable, game: int, special: int) -> int:
    """Seed money added right after the award, so that it counts for a later winner (O-20)."""
    if rules.jackpot_reseeds_after_round[game] == 1 or not empties_meter(rules, game, special):
        return 0
    return rules.jackpot_seed[game]


def seed_after_round(rules: RuleTable, game: int, special: int) -> int:
    """Seed money added once, after the round's last award (O-20)."""
    if rules.jackpot_reseeds_after_round[game] == 0 or not empties_meter(rules, game, special):
        return 0
    return rules.jackpot_seed[game]
