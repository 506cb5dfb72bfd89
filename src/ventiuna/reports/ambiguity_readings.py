"""Readings of a point that the documents leave open, and how each one changes the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import partial
from typing import Any

from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.base_game.solver import SolverQuery, game_tables, solve_deals
from ventiuna.analysis.composition import fresh_composition
from ventiuna.analysis.side_bets.jackpots import jackpot_report, round_awards
from ventiuna.analysis.side_bets.match_the_dealer import MatchOutcome, match_wager
from ventiuna.analysis.side_bets.super_bonus import super_bonus_report
from ventiuna.core import actions
from ventiuna.core.rule_table import RuleTable
from ventiuna.kernels.exact.tables import (
    ACE_VALUE,
    DEAL_VALUE,
    SPLIT_ACE_HAND,
    SPLIT_HAND,
    TEN_VALUE,
    UNSPLIT,
    Game,
    composition_index,
    lattice,
)
from ventiuna.rules import (
    Rules,
    RulesError,
    change_rules,
    compile_rules,
    fingerprint,
    load_rules,
)
from ventiuna.rules.model import Envy, Jackpot, PayRow, PrizeFrom, Winners
from ventiuna.rules.text.comparison import Authority, authority

BASE_WAGER = "base wager"
MATCH_WAGER = "Match the Dealer wager"
JACKPOT_WAGER = "jackpot wager"
FULL_TABLE_JACKPOT = "jackpot wager at a full table where everyone makes it"
ENVY_BONUS = "base wager, Envy Bonus alone"
SUPER_BONUS = "base wager of $25, Super Bonus alone"


@dataclass(frozen=True, slots=True)
class Case:
    """The rules in question, and the base wager in cents."""

    rules: Rules
    base: int


@dataclass(frozen=True, slots=True)
class ReadingValue:
    """The value of a reading."""

    value: float | None  # None: impossible with these rules
    is_present: bool = False
    note: str = ""


Worth = Callable[[Case], ReadingValue]


@dataclass(frozen=True, slots=True)
class Reading:
    words: str
    worth: Worth = field(compare=False, repr=False)
    documents: str = ""  # that use this reading

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without the function, which is often local; a studied point keeps its value."""
        return Reading, (self.words, as_they_are, self.documents)


@dataclass(frozen=True, slots=True)
class Point:
    """One open point: its readings with their values, or the sentence that settles it."""

    number: str
    readings: tuple[Reading, ...] = ()
    of: str = BASE_WAGER  # the wager that values are relative to
    zero: str = ""  # why every reading has the same value
    settled: str = ""  # why only one reading makes sense
    unknown: str = ""  # why the value can't be computed here
    only: Callable[[Rules], bool] = field(
        default=lambda _: True, compare=False, repr=False
    )  # rules that it applies to
    option: str = ""  # option whose status in the preset says who decides; if empty, the next two
    house_in: tuple[str, ...] = ()  # documents that leave it to the house
    open_in: tuple[str, ...] | None = None  # documents that don't settle it; None means all of them

    def decided_by(self, rules: Rules) -> Authority:
        """Return who decides the point. SILENT: the document is silent or contradicts itself."""
        if self.option:
            return authority(rules.origin.preset, self.option)
        document = load_rules(rules.origin.preset).document[:3]
        if document in self.house_in:
            return Authority.HOUSE
        is_open = self.open_in is None or document in self.open_in
        return Authority.SILENT if is_open else Authority.FIXED

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without the function, as for readings."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.compare}
        return partial(Point, **values), ()


# --- Base game ----------------------------------------------------------------------------------


def as_they_are(case: Case) -> ReadingValue:
    """Evaluate the rules unchanged."""
    return ReadingValue(analyze(case.rules).ev, is_present=True)


def with_options(**changes: str) -> Worth:
    """Evaluate the rules with these options; a note explains any contradiction."""

    def worth(case: Case) -> ReadingValue:
        options: Mapping[str, str] = changes
        if "decks" in changes and case.rules.jackpots:
            options = {**changes, "jackpots": "none"}  # their pay tables depend on the decks
        try:
            changed = change_rules(case.rules, dict(options))
        except RulesError as error:
            return ReadingValue(None, note=str(error.problems[0]))
        same = fingerprint(changed) == fingerprint(case.rules)
        has = all(_has(case.rules, name, value) for name, value in changes.items())
        return ReadingValue(analyze(changed).ev, same or has)

    return worth


def _has(rules: Rules, name: str, value: str) -> bool:
    present = getattr(rules, name)
    text = ("on" if present else "off") if isinstance(present, bool) else str(present)
    return text == value


def with_rules(change: Callable[[Rules], Rules], note: str = "") -> Worth:
    """Evaluate rules with a change that no option expresses."""

    def worth(case: Case) -> ReadingValue:
        changed = change(case.rules)
        same = compile_rules(changed) == compile_rules(case.rules)
        return ReadingValue(analyze(changed).ev, same, note)

    return worth


def with_table(change: Callable[[RuleTable], RuleTable]) -> Worth:
    """Evaluate compiled rules with a change that no option expresses."""

    def worth(case: Case) -> ReadingValue:
        table = change(compile_rules(case.rules))
        return ReadingValue(_value(case.rules, table, None))

    return worth


def with_game(change: Callable[[Game, Case], None], note: str = "") -> Worth:
    """Evaluate changed payouts, losses or legal actions that no option expresses."""

    def worth(case: Case) -> ReadingValue:
        table = compile_rules(case.rules)
        game = game_tables(table, fresh_composition(case.rules))
        change(game, case)
        return ReadingValue(_value(case.rules, table, game), note=note)

    return worth


def _value(rules: Rules, table: RuleTable, game: Game | None) -> float:
    question = SolverQuery(table, fresh_composition(rules), game=game)
    return float(solve_deals(question).figures.sum(axis=(0, 1))[DEAL_VALUE])


# --- Readings that no rule option expresses ---

SPLIT_KINDS = (int(SPLIT_HAND), int(SPLIT_ACE_HAND))
LARGE_BASE = 2500  # cents; smallest wager that earns the large Super Bonus


# --- Rows and hands -----------------------------------------------------------------------------


def exactly_seven_cards(rules: Rules) -> Rules:
    """Pay the 7-card row only for exactly seven cards (D-07)."""
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
    """Pay 7-7-7 as with more decks, and no Super Bonus (D-21)."""
    rows = tuple(replace(row, decks=()) for row in rules.bonus_21 if row.decks != (2,))
    return replace(rules, bonus_21=rows, super_bonus=())


def blackjack_after_split(game: Game, _: Case) -> None:
    """Pay an ace with a ten-valued card on a split hand as a blackjack (O-05)."""
    place = composition_index([ACE_VALUE, TEN_VALUE])
    row = int(game["suit_row"][place])
    for kind in SPLIT_KINDS:
        for column in ("paid", "pay"):
            game[column][kind, 0, place] = game[column][UNSPLIT, 0, place]
        if row >= 0:
            game["suit_pay"][kind, row] = game["suit_pay"][UNSPLIT, row]


def counted_without_the_split_card(game: Game, _: Case) -> None:
    """Pay a split hand's 21 as if it had one card fewer (O-12), except in rows defined by ranks."""
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
    """Pay no bonus for 6-7-8 (O-11)."""
    rows = tuple(row for row in rules.bonus_21 if sorted(row.ranks) != [6, 7, 8])
    return replace(rules, bonus_21=rows)


def no_double_after_a_split(rules: Rules) -> Rules:
    return replace(rules, double_after_split=False)


def surrender_of_split_hands(game: Game, _: Case) -> None:
    """Allow a two-card split hand to surrender (O-10)."""
    two_cards = lattice().cards == 2
    for kind in SPLIT_KINDS:
        game["legal"][kind, 0, two_cards] |= 1 << actions.SURRENDER


def rescue_for_the_lesser_amount(game: Game, case: Case) -> None:
    """Let a rescue after doubling by the smallest chip cost only that chip.

    This takes 7a literally (D-15).
    """
    share = case.rules.small_chip_unit / case.base
    game["wager"][1] = game["bust_loss"][1] = 1 + share
    game["rescue_loss"][1] = share


def bonuses_when_doubled(table: RuleTable) -> RuleTable:
    """Pay bonus rows on doubled hands too (O-35)."""
    rows = table.bonus_rows
    return table._replace(bonus_doubled=(1,) * rows + table.bonus_doubled[rows:])


# --- Side bets ----------------------------------------------------------------------------------


def match_paying(unsuited: int, suited: int, best_card_only: bool = False) -> Worth:
    """Evaluate a Match the Dealer wager with these odds; 0 means the odds for the rules' decks."""

    def worth(case: Case) -> ReadingValue:
        wager = match_wager(case.rules)
        odds = (unsuited or wager.unsuited_odds, suited or wager.suited_odds)
        value = sum(
            (o.probability * _profit(o, *odds, best_card_only) for o in wager.outcomes), Fraction()
        )
        as_built = odds == (wager.unsuited_odds, wager.suited_odds) and not best_card_only
        return ReadingValue(float(value), as_built)

    return worth


def _profit(outcome: MatchOutcome, unsuited: int, suited: int, best_card_only: bool) -> int:
    if not outcome.suited and not outcome.unsuited:
        return -1
    if best_card_only:
        return max(suited if outcome.suited else 0, unsuited if outcome.unsuited else 0)
    return suited * outcome.suited + unsuited * outcome.unsuited


def super_bonus_by(pays: int) -> Worth:
    """Evaluate a $25 wager whose Super Bonus is this many cents; 0 means no Super Bonus."""

    def worth(case: Case) -> ReadingValue:
        report = super_bonus_report(case.rules, [LARGE_BASE])
        built = report.spots[0].super_bonus
        return ReadingValue(float(report.event * pays / LARGE_BASE), pays == built)

    return worth


def envy_as(way: Envy) -> Worth:
    """Evaluate one spot's Envy Bonuses at a full table (D-10)."""

    def worth(case: Case) -> ReadingValue:
        rules = replace(case.rules, envy=way)
        report = super_bonus_report(rules, [case.base] * rules.seats)
        return ReadingValue(
            float(report.spots[0].expected_envy / case.base), case.rules.envy == way
        )

    return worth


def envy_of_two_spots(own_counts: bool) -> Worth:
    """Evaluate Envy Bonuses of a player with two spots (O-14).

    `own_counts` says whether one spot's Super Bonus earns the player's other spot an Envy Bonus.
    """

    def worth(case: Case) -> ReadingValue:
        seats = case.rules.seats
        others = [f"player {number}" for number in range(2, seats)]
        persons = ["two spots", "his own" if own_counts else "two spots", *others]
        report = super_bonus_report(case.rules, [case.base] * seats, persons)
        return ReadingValue(float(report.spots[0].expected_envy / case.base), not own_counts)

    return worth


def jackpot_with(**changes: Any) -> Worth:
    """Evaluate a wager on the first jackpot game, counting the meter as the players' money."""

    def worth(case: Case) -> ReadingValue:
        jackpot: Jackpot = case.rules.jackpots[0]
        changed = replace(jackpot, **changes)
        rules = replace(case.rules, jackpots=(changed,))
        report = jackpot_report(rules)
        return ReadingValue(-float(report.house_hold), changed == jackpot)

    return worth


def house_jackpot_paying(winners: Winners) -> Worth:
    """Evaluate the house jackpot as posted, averaged over the seats of a full table (O-39)."""

    def worth(case: Case) -> ReadingValue:
        posted: Jackpot = case.rules.jackpots[0]
        jackpot = replace(posted, winners=winners)
        rules = replace(case.rules, jackpots=(jackpot,))
        report = jackpot_report(rules)
        seats = round_awards(rules, rules.seats, jackpot.seed).seats
        awards = sum((seat.expected_award or Fraction() for seat in seats), Fraction())
        returned = report.fixed_return + awards / len(seats) / jackpot.wager
        if jackpot.prize_from is PrizeFrom.HOUSE:
            returned += report.prize_return
        return ReadingValue(float(returned - 1), jackpot == posted)

    return worth
