"""Readings that no option expresses, as changes of rules, of pays and of legal actions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ventiuna.analysis.side_bets.jackpot_awards import round_awards
from ventiuna.analysis.side_bets.jackpots import jackpot_report
from ventiuna.analysis.side_bets.match_the_dealer import MatchOutcome, match_wager
from ventiuna.analysis.side_bets.super_bonus import super_bonus_report
from ventiuna.core import actions
from ventiuna.core.table import RuleTable
from ventiuna.kernels.exact.lattice import ACE_VALUE, TEN_VALUE, composition_index, lattice
from ventiuna.kernels.exact.records import SPLIT_ACE_HAND, SPLIT_HAND, UNSPLIT, Game
from ventiuna.reports.ambiguities.readings import Case, Found, Worth
from ventiuna.rules import Rules, load_rules
from ventiuna.rules.model import Envy, Jackpot, PayRow, PrizeFrom, Winners

SPLIT_KINDS = (int(SPLIT_HAND), int(SPLIT_ACE_HAND))
LARGE_BASE = 2500  # cents: the smallest wager that earns the large Super Bonus


# --- rows and hands -----------------------------------------------------------------------------


def exactly_seven_cards(rules: Rules) -> Rules:
    """The 7-card row pays seven cards alone (D-07)."""
    return replace(rules, bonus_21=tuple(map(_closed, rules.bonus_21)))


def seven_or_more_cards(rules: Rules) -> Rules:
    rows = load_rules("wsgc-2021").bonus_21
    longest = max(row.cards[1] for row in rows)
    return replace(
        rules,
        bonus_21=tuple(
            replace(row, cards=(7, longest)) if _is_seven(row) else row for row in rules.bonus_21
        ),
    )


def _is_seven(row: PayRow) -> bool:
    return not row.ranks and row.cards[0] == 7


def _closed(row: PayRow) -> PayRow:
    return replace(row, cards=(7, 7)) if _is_seven(row) else row


def without_two_deck_hands(rules: Rules) -> Rules:
    """7-7-7 as with more decks, and no Super Bonus (D-21)."""
    rows = tuple(replace(row, decks=()) for row in rules.bonus_21 if row.decks != (2,))
    return replace(rules, bonus_21=rows, super_bonus=())


def blackjack_after_split(game: Game, _: Case) -> None:
    """An ace with a ten-valued card on a split hand is paid as a blackjack (O-05)."""
    place = composition_index([ACE_VALUE, TEN_VALUE])
    row = int(game["suit_row"][place])
    for kind in SPLIT_KINDS:
        for field in ("paid", "pay"):
            game[field][kind, 0, place] = game[field][UNSPLIT, 0, place]
        if row >= 0:
            game["suit_pay"][kind, row] = game["suit_pay"][UNSPLIT, row]


def counted_without_the_split_card(game: Game, _: Case) -> None:
    """A split hand's 21 is paid as one with a card less (O-12); rows of ranks stay as they are."""
    cards = lattice().cards
    plain = game["suit_row"] < 0
    pays = {
        int(count): game["pay"][UNSPLIT, 0, place]
        for place, count in enumerate(cards)
        if plain[place] and game["paid"][UNSPLIT, 0, place] and count > 2
    }
    for kind in SPLIT_KINDS:
        for place, count in enumerate(cards):
            fewer = int(count) - 1
            if plain[place] and game["paid"][kind, 0, place] and fewer in pays:
                game["pay"][kind, 0, place] = pays[fewer]


def without_6_7_8(rules: Rules) -> Rules:
    """6-7-8 earns nothing besides (O-11)."""
    rows = tuple(row for row in rules.bonus_21 if sorted(row.ranks) != [6, 7, 8])
    return replace(rules, bonus_21=rows)


def no_double_after_a_split(rules: Rules) -> Rules:
    return replace(rules, double_after_split=False)


def surrender_of_split_hands(game: Game, _: Case) -> None:
    """Two cards of a split hand may be surrendered (O-10)."""
    two_cards = lattice().cards == 2
    for kind in SPLIT_KINDS:
        game["legal"][kind, 0, two_cards] |= 1 << actions.SURRENDER


def rescue_for_the_lesser_amount(game: Game, case: Case) -> None:
    """Doubled by the smallest chip, a rescue costs that chip alone: the letter of 7a (D-15)."""
    share = case.rules.small_chip_unit / case.base
    game["wager"][1] = game["bust_loss"][1] = 1 + share
    game["rescue_loss"][1] = share


def bonuses_when_doubled(table: RuleTable) -> RuleTable:
    """Rows pay doubled hands too (O-35)."""
    rows = table.bonus_rows
    return table._replace(bonus_doubled=(1,) * rows + table.bonus_doubled[rows:])


# --- side wagers --------------------------------------------------------------------------------


def match_paying(unsuited: int, suited: int, best_card_only: bool = False) -> Worth:
    """A Match the Dealer wager with these odds, or 0 for those of the decks."""

    def worth(case: Case) -> Found:
        wager = match_wager(case.rules)
        odds = (unsuited or wager.unsuited_odds, suited or wager.suited_odds)
        value = sum(
            (o.probability * _profit(o, *odds, best_card_only) for o in wager.outcomes), Fraction()
        )
        as_built = odds == (wager.unsuited_odds, wager.suited_odds) and not best_card_only
        return Found(float(value), as_built)

    return worth


def _profit(outcome: MatchOutcome, unsuited: int, suited: int, best_card_only: bool) -> int:
    if not outcome.suited and not outcome.unsuited:
        return -1
    if best_card_only:
        return max(suited if outcome.suited else 0, unsuited if outcome.unsuited else 0)
    return suited * outcome.suited + unsuited * outcome.unsuited


def super_bonus_by(pays: int) -> Worth:
    """A $25 wager whose Super Bonus is this many cents, or 0: none at all."""

    def worth(case: Case) -> Found:
        report = super_bonus_report(case.rules, [LARGE_BASE])
        built = report.spots[0].super_bonus
        return Found(float(report.event * pays / LARGE_BASE), pays == built)

    return worth


def envy_as(way: Envy) -> Worth:
    """The Envy Bonuses of one spot at a full table (D-10)."""

    def worth(case: Case) -> Found:
        rules = replace(case.rules, envy=way)
        report = super_bonus_report(rules, [case.base] * rules.seats)
        return Found(float(report.spots[0].expected_envy / case.base), case.rules.envy == way)

    return worth


def envy_of_two_spots(own_counts: bool) -> Worth:
    """One person on two of the spots: does his own Super Bonus earn his other spot one (O-14)?"""

    def worth(case: Case) -> Found:
        seats = case.rules.seats
        others = [f"player {number}" for number in range(2, seats)]
        persons = ["two spots", "his own" if own_counts else "two spots", *others]
        report = super_bonus_report(case.rules, [case.base] * seats, persons)
        return Found(float(report.spots[0].expected_envy / case.base), not own_counts)

    return worth


def jackpot_with(**changes: object) -> Worth:
    """What a wager on the first jackpot game leaves the player, meter money counted as his."""

    def worth(case: Case) -> Found:
        jackpot: Jackpot = case.rules.jackpots[0]
        changed = replace(jackpot, **changes)  # type: ignore[arg-type]
        rules = replace(case.rules, jackpots=(changed,))
        report = jackpot_report(rules)
        return Found(-float(report.house_hold), changed == jackpot)

    return worth


def house_jackpot_paying(winners: Winners) -> Worth:
    """The house jackpot as posted, averaged over the seats of a full table (O-39)."""

    def worth(case: Case) -> Found:
        posted: Jackpot = case.rules.jackpots[0]
        jackpot = replace(posted, winners=winners)
        rules = replace(case.rules, jackpots=(jackpot,))
        report = jackpot_report(rules)
        seats = round_awards(rules, rules.seats, jackpot.seed).seats
        awards = sum((seat.expected_award or Fraction() for seat in seats), Fraction())
        returned = report.fixed_return + awards / len(seats) / jackpot.wager
        if jackpot.prize_from is PrizeFrom.HOUSE:
            returned += report.prize_return
        return Found(float(returned - 1), jackpot == posted)

    return worth
