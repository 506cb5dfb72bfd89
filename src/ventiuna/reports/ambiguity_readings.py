"""Points that the documents leave open: their readings, and how each one changes the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import partial
from typing import Any, Concatenate, ParamSpec

from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.base_game.solver import SolverQuery, game_tables, solve_deals
from ventiuna.analysis.composition import fresh_composition
from ventiuna.analysis.side_bets.jackpots import jackpot_report, round_awards
from ventiuna.analysis.side_bets.match_the_dealer import MatchOutcome, match_wager
from ventiuna.analysis.side_bets.super_bonus import super_bonus_report
from ventiuna.core import actions
from ventiuna.core.rule_table import FAMILY_TWO_DECKS, RuleTable
from ventiuna.kernels.exact.tables import (
    ACE_VALUE,
    DEAL_VALUE,
    SPLIT_ACE_HAND,
    SPLIT_HAND,
    TEN_VALUE,
    UNSPLIT,
    composition_index,
    lattice,
)
from ventiuna.kernels.exact.tables import Game as GameTables
from ventiuna.rules import (
    Rules,
    RulesError,
    change_rules,
    compile_rules,
    fingerprint,
    load_rules,
)
from ventiuna.rules.model import (
    Envy,
    Game,
    Jackpot,
    JackpotKind,
    PrizeFrom,
    Surrender,
    Winners,
)
from ventiuna.rules.options import MAX_CARDS, value_text
from ventiuna.rules.text.comparison import DecidedBy, authority
from ventiuna.rules.text.phrases import compares_with_down, has_prize, jackpot_table, may_split

BASE_WAGER = "base wager"
MATCH_WAGER = "Match the Dealer wager"
JACKPOT_WAGER = "jackpot wager"
FULL_TABLE_JACKPOT = "jackpot wager at a full table where everyone places it"
ENVY_BONUS = "base wager, Envy Bonus only"
SUPER_BONUS = "base wager of $25, Super Bonus only"


@dataclass(frozen=True, slots=True)
class Case:
    """The rules in question, and the base wager in cents."""

    rules: Rules
    base: int


@dataclass(frozen=True, slots=True)
class ReadingValue:
    """The value of a reading."""

    value: float | None  # None if impossible with these rules
    is_present: bool = False
    note: str = ""


P = ParamSpec("P")
Worth = Callable[[Case], ReadingValue]


def reading(worth: Callable[Concatenate[Case, P], ReadingValue]) -> Callable[P, Worth]:
    """Bind all arguments of `worth` except the case, which is passed later."""

    def called(*args: P.args, **named: P.kwargs) -> Worth:
        return lambda case: worth(case, *args, **named)

    return called


@dataclass(frozen=True, slots=True)
class Reading:
    words: str
    worth: Worth = field(compare=False, repr=False)
    documents: str = ""  # documents that use this reading

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
    # The status of this option in the preset says who decides; without one, the next two fields do.
    option: str = ""
    house_in: tuple[str, ...] = ()  # documents that leave it to the house
    open_in: tuple[str, ...] | None = None  # documents that don't settle it; None means all of them

    def decided_by(self, rules: Rules) -> DecidedBy:
        """Return who decides the point: SILENT if the document is silent or contradicts itself."""
        if self.option:
            return authority(rules.origin.preset, self.option)
        document = load_rules(rules.origin.preset).document[:3]
        if document in self.house_in:
            return DecidedBy.HOUSE
        is_open = self.open_in is None or document in self.open_in
        return DecidedBy.SILENT if is_open else DecidedBy.FIXED

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without the function, as for readings."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.compare}
        return partial(Point, **values), ()


# --- Base game ---


def as_they_are(case: Case) -> ReadingValue:
    """Evaluate the rules unchanged."""
    return ReadingValue(analyze(case.rules).ev, is_present=True)


@reading
def with_options(case: Case, /, **changes: str) -> ReadingValue:
    """Evaluate the rules with these options; a note explains any contradiction."""
    options: Mapping[str, str] = changes
    if "decks" in changes and case.rules.jackpots:
        options = {**changes, "jackpots": "none"}  # their pay tables depend on the decks
    try:
        changed = change_rules(case.rules, dict(options))
    except RulesError as error:
        return ReadingValue(None, note=str(error.problems[0]))
    same = fingerprint(changed) == fingerprint(case.rules)
    has = all(value_text(getattr(case.rules, name)) == value for name, value in changes.items())
    return ReadingValue(analyze(changed).ev, same or has)


@reading
def with_rules(case: Case, change: Callable[[Rules], Rules], note: str = "") -> ReadingValue:
    """Evaluate rules with a change that no option expresses."""
    changed = change(case.rules)
    same = compile_rules(changed) == compile_rules(case.rules)
    return ReadingValue(analyze(changed).ev, same, note)


@reading
def with_game(
    case: Case, change: Callable[[GameTables, Case], None], note: str = ""
) -> ReadingValue:
    """Evaluate changed payouts, losses or legal actions that no option expresses."""
    table = compile_rules(case.rules)
    game = game_tables(table, fresh_composition(case.rules))
    change(game, case)
    return ReadingValue(_value(case.rules, table, game), note=note)


def _value(rules: Rules, table: RuleTable, game: GameTables | None) -> float:
    question = SolverQuery(table, fresh_composition(rules), game=game)
    return float(solve_deals(question).figures.sum(axis=(0, 1))[DEAL_VALUE])


# --- Readings that no rule option expresses ---

SPLIT_KINDS = (int(SPLIT_HAND), int(SPLIT_ACE_HAND))
LARGE_BASE = 2500  # cents; smallest wager that earns the large Super Bonus


# --- Rows and hands ---


def seven_cards(most: int) -> Callable[[Rules], Rules]:
    """Pay the 7-card row for seven to `most` cards (D-07)."""

    def change(rules: Rules) -> Rules:
        rows = (
            replace(row, cards=(7, most)) if not row.ranks and row.cards[0] == 7 else row
            for row in rules.bonus_21
        )
        return replace(rules, bonus_21=tuple(rows))

    return change


def without_two_deck_hands(rules: Rules) -> Rules:
    """Pay 7-7-7 as with more decks, and no Super Bonus (D-21)."""
    rows = tuple(replace(row, decks=()) for row in rules.bonus_21 if row.decks != (2,))
    return replace(rules, bonus_21=rows, super_bonus=())


def blackjack_after_split(game: GameTables, _: Case) -> None:
    """Pay an ace with a ten-valued card on a split hand as a blackjack (O-05)."""
    place = composition_index([ACE_VALUE, TEN_VALUE])
    row = int(game["suit_row"][place])
    for kind in SPLIT_KINDS:
        for column in ("paid", "pay"):
            game[column][kind, 0, place] = game[column][UNSPLIT, 0, place]
        if row >= 0:
            game["suit_pay"][kind, row] = game["suit_pay"][UNSPLIT, row]


def counted_without_the_split_card(game: GameTables, _: Case) -> None:
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


def surrender_of_split_hands(game: GameTables, _: Case) -> None:
    """Allow a two-card split hand to surrender (O-10)."""
    two_cards = lattice().cards == 2
    for kind in SPLIT_KINDS:
        game["legal"][kind, 0, two_cards] |= 1 << actions.SURRENDER


def rescue_for_the_lesser_amount(game: GameTables, case: Case) -> None:
    """Let a rescue after doubling by the smallest chip cost only that chip.

    This takes 7a literally (D-15).
    """
    share = case.rules.small_chip_unit / case.base
    game["wager"][1] = game["bust_loss"][1] = 1 + share
    game["rescue_loss"][1] = share


def bonuses_when_doubled(case: Case) -> ReadingValue:
    """Pay bonus rows on doubled hands too (O-35)."""
    table = compile_rules(case.rules)
    rows = table.bonus_rows
    table = table._replace(bonus_doubled=(1,) * rows + table.bonus_doubled[rows:])
    return ReadingValue(_value(case.rules, table, None))


# --- Side bets ---


@reading
def match_paying(
    case: Case, unsuited: int, suited: int, best_card_only: bool = False
) -> ReadingValue:
    """Evaluate a Match the Dealer wager with these odds; 0 means the odds for the rules' decks."""
    wager = match_wager(case.rules)
    odds = (unsuited or wager.unsuited_odds, suited or wager.suited_odds)
    value = sum(
        (o.probability * _profit(o, *odds, best_card_only) for o in wager.outcomes), Fraction()
    )
    as_built = odds == (wager.unsuited_odds, wager.suited_odds) and not best_card_only
    return ReadingValue(float(value), as_built)


def _profit(outcome: MatchOutcome, unsuited: int, suited: int, best_card_only: bool) -> int:
    if not outcome.suited and not outcome.unsuited:
        return -1
    if best_card_only:
        return max(suited if outcome.suited else 0, unsuited if outcome.unsuited else 0)
    return suited * outcome.suited + unsuited * outcome.unsuited


@reading
def super_bonus_by(case: Case, pays: int) -> ReadingValue:
    """Evaluate a $25 wager whose Super Bonus is this many cents; 0 means no Super Bonus."""
    report = super_bonus_report(case.rules, [LARGE_BASE])
    built = report.spots[0].super_bonus
    return ReadingValue(float(report.event * pays / LARGE_BASE), pays == built)


@reading
def envy_as(case: Case, way: Envy) -> ReadingValue:
    """Evaluate one spot's Envy Bonuses at a full table (D-10)."""
    rules = replace(case.rules, envy=way)
    report = super_bonus_report(rules, [case.base] * rules.seats)
    return ReadingValue(float(report.spots[0].expected_envy / case.base), case.rules.envy == way)


@reading
def envy_of_two_spots(case: Case, own_counts: bool) -> ReadingValue:
    """Evaluate Envy Bonuses of a player with two spots (O-14).

    `own_counts` says whether one spot's Super Bonus earns the player's other spot an Envy Bonus.
    """
    seats = case.rules.seats
    others = [f"player {number}" for number in range(2, seats)]
    persons = ["two spots", "his own" if own_counts else "two spots", *others]
    report = super_bonus_report(case.rules, [case.base] * seats, persons)
    return ReadingValue(float(report.spots[0].expected_envy / case.base), not own_counts)


@reading
def jackpot_with(case: Case, /, **changes: Any) -> ReadingValue:
    """Evaluate a wager on the first jackpot game, counting the meter as the players' money."""
    jackpot: Jackpot = case.rules.jackpots[0]
    changed = replace(jackpot, **changes)
    rules = replace(case.rules, jackpots=(changed,))
    report = jackpot_report(rules)
    return ReadingValue(-float(report.house_hold), changed == jackpot)


@reading
def house_jackpot_paying(case: Case, winners: Winners) -> ReadingValue:
    """Evaluate the house jackpot as posted, averaged over the seats of a full table (O-39)."""
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


# --- Every open point by its D- or O-number ---

_EXCHANGE = "All unseen cards are equally likely, so the order of dealing changes no probability."
_INSURANCE = (
    "Best play from a fresh shoe never insures, so this doesn't change the game. Players who "
    "insure pay the same edge on every chip (see ventiuna sidebets)."
)
_LESS = (
    "The value of a double is convex in its amount, since the player then takes the better of "
    "standing and rescue. So either the full amount or next to nothing is best, and next to "
    "nothing is no better than a hit. Doubling for less never beats both."
)
_PRINTED = "Only this reading gives the figures printed in the document (R-101)."
_TIME = "This affects when money moves, not how much."
_STAKES = "This limits stakes; each chip keeps its odds."
_TABLES = "This concerns only jackpot tables, which these rules may or may not offer."


def _spanish(rules: Rules) -> bool:
    return rules.game == Game.SPANISH_21


def _super_fun(rules: Rules) -> bool:
    return rules.game == Game.SUPER_FUN_21


def _has_super_bonus(rules: Rules) -> bool:
    return rules.super_bonus_form() is not None


def _has_jackpot(rules: Rules) -> bool:
    return bool(rules.jackpots)


def _has_prize(rules: Rules) -> bool:
    return any(map(has_prize, rules.jackpots[:1]))


def _decks(*numbers: int) -> tuple[Reading, ...]:
    return tuple(
        Reading(f"{number} deck{'s' if number > 1 else ''}", with_options(decks=str(number)))
        for number in numbers
    )


def _switch(option: str, on: str, off: str) -> tuple[Reading, ...]:
    return (
        Reading(on, with_options(**{option: "on"})),
        Reading(off, with_options(**{option: "off"})),
    )


_NO = Reading("no", as_they_are)

POINTS: tuple[Point, ...] = (
    Point("D-01", _decks(2, 4, 5, 6, 8), only=_spanish, option="decks"),
    Point("D-01", _decks(1, 2), only=_super_fun, option="decks"),
    Point(
        "D-02",
        zero="This limits which wagers can be placed; each wager keeps its odds.",
        option="down_requires_up",
    ),
    Point("D-03", zero=_STAKES, option="mtd_maximum"),
    Point(
        "D-04",
        zero="Each additional Match the Dealer wager has the same edge (R-021).",
        option="mtd_configuration",
    ),
    Point("D-05", zero=_TIME, option="down_settled"),
    Point(
        "D-06",
        (
            Reading("odds by decks", match_paying(0, 0), "000, 002, 003"),
            Reading("4 and 9 to 1 with any number of decks", match_paying(4, 9), "001"),
        ),
        MATCH_WAGER,
        only=lambda rules: bool(rules.mtd_wagers),
        open_in=("001",),
    ),
    Point(
        "D-07",
        (
            Reading(
                "seven or more cards pay 3 to 1", with_rules(seven_cards(MAX_CARDS)), "001, 002"
            ),
            Reading(
                "exactly seven cards; eight or more are a plain 21", with_rules(seven_cards(7))
            ),
        ),
        only=_spanish,
        open_in=("000", "003"),
    ),
    Point(
        "D-08",
        (
            Reading("any 7 as up card", super_bonus_by(500_000), "000, 001, 003"),
            Reading("read literally, 002 means no card, so it is never paid", super_bonus_by(0)),
        ),
        SUPER_BONUS,
        only=_has_super_bonus,
        open_in=("002",),
    ),
    Point(
        "D-09",
        (
            Reading("by the player's own bet", super_bonus_by(500_000), "001, 002, procedures"),
            Reading("by a table minimum of $5: $1,000", super_bonus_by(100_000)),
        ),
        SUPER_BONUS,
        only=_has_super_bonus,
        open_in=("000", "003"),
    ),
    Point(
        "D-10",
        (
            Reading(
                "for each other winner, even to players who won too",
                envy_as(Envy.PER_OTHER_WINNER),
                "000, 003",
            ),
            Reading("for each Super Bonus, but not to winners", envy_as(Envy.LOSERS_ONLY), "001"),
            Reading("once, to players who didn't qualify", envy_as(Envy.LOSERS_ONCE), "002"),
        ),
        ENVY_BONUS,
        only=_has_super_bonus,
        open_in=("002",),
    ),
    Point(
        "D-11",
        (
            Reading("equal value", with_options(split="equal_value"), "000, 002, 003"),
            Reading("same rank", with_options(split="same_rank"), "001"),
        ),
        only=may_split,
        open_in=("001",),
    ),
    Point(
        "D-12",
        (
            Reading("the dealer hits soft 17", with_options(soft_17="hit")),
            Reading("the dealer stands on soft 17", with_options(soft_17="stand")),
        ),
        option="soft_17",
    ),
    Point(
        "D-13",
        _switch("double_double", "offered", "not offered"),
        only=_spanish,
        option="double_double",
    ),
    Point("D-14", zero=_LESS, open_in=("001", "002")),
    Point(
        "D-15",
        (
            Reading("the last portion is returned, the rest is lost", as_they_are),
            Reading(
                "read literally, 7a makes a rescue cost the lesser amount",
                with_game(
                    rescue_for_the_lesser_amount,
                    "a lower bound, for a player who doubles only by the smallest chip",
                ),
            ),
        ),
        only=lambda rules: rules.rescue and rules.offers_double_for_less,
        open_in=("000", "002", "003"),
    ),
    Point(
        "D-16",
        _switch("double_double", "up to three times", "once"),
        only=_spanish,
        open_in=("002",),
    ),
    Point(
        "D-17",
        _switch("double_blackjack", "can be doubled", "can't be doubled"),
        option="double_blackjack",
    ),
    Point("D-18", zero=_INSURANCE, option="insurance_on_blackjack"),
    Point("D-19", zero=_INSURANCE, option="insurance_pays"),
    Point("D-20", zero=_EXCHANGE, house_in=("003",), open_in=("000", "002", "004")),
    Point(
        "D-21",
        (
            Reading("7-7-7 at 2 to 1 and its Super Bonus", as_they_are, "000, 003"),
            Reading("7-7-7 as with more decks", with_rules(without_two_deck_hands)),
        ),
        only=lambda rules: _spanish(rules) and rules.decks == 2,
        open_in=("001", "002"),
    ),
    Point("D-22", zero=_TABLES, open_in=()),
    Point(
        "D-23",
        unknown="A percentage award isn't multiplied by the wager, so the answer depends on the "
        "meter. Use ventiuna jackpot --wager and --meter.",
        only=_has_jackpot,
        house_in=("003",),
        open_in=("001",),
    ),
    Point(
        "D-24",
        (
            Reading("up and down card both paid", jackpot_with(best_only=False)),
            Reading("only the better one", jackpot_with(best_only=True), "001, perhaps"),
        ),
        JACKPOT_WAGER,
        only=lambda rules: any(map(compares_with_down, rules.jackpots[:1])),
        open_in=("001",),
    ),
    Point("D-25", zero=_TIME, open_in=("003",)),
    Point(
        "D-26", zero="Table 4a has none of the lines that the alternates replace.", open_in=("003",)
    ),
    Point(
        "D-27",
        (
            Reading("first two cards", with_options(surrender="late")),
            # Requires equal bets, so doubling for less is off; here, that option is worth
            # nothing anyway (D-14).
            Reading(
                "any number of cards below 21, doubled hands too",
                with_options(surrender="any_time", double_for_less="off"),
            ),
        ),
        open_in=("004",),
    ),
    Point(
        "D-28",
        zero="A sixth card always ends an undoubled hand.",
        only=_super_fun,
        open_in=("004",),
    ),
    Point(
        "D-29",
        zero="Each game's document clearly states its own payout.",
        open_in=(),
    ),
    Point(
        "D-30",
        (
            Reading("each matching card is paid", match_paying(0, 0), "payment text"),
            Reading("only the better of two matches", match_paying(0, 0, best_card_only=True)),
        ),
        MATCH_WAGER,
        only=lambda rules: rules.offers_down_wager,
        open_in=("000", "003"),
    ),
    Point(
        "D-31",
        unknown="The wager is announced but never described.",
        only=_super_fun,
        open_in=("004",),
    ),
    Point(
        "D-32",
        zero="Either way, an uncapped wager reaches eight times the base wager after three "
        "doubles.",
        open_in=("001",),
    ),
    Point(
        "D-33",
        zero="This bars wagers that these rules don't offer; wagers on the card keep their odds.",
        only=_spanish,
        open_in=("001",),
    ),
    Point(
        "D-34",
        zero="This concerns what is printed on the layout; every wager keeps its odds.",
        only=_spanish,
        open_in=("002",),
    ),
    Point(
        "O-01",
        settled="If the documents are silent, standard blackjack rules apply, which are the same "
        "everywhere.",
    ),
    Point("O-02", zero=_EXCHANGE),
    Point(
        "O-03",
        unknown="A burn card changes nothing, and neither does the cut card in the rounds that "
        "every shoe deals, because all unseen cards are equally likely. The last rounds are dealt "
        "only if earlier ones took few cards, and are worth less. A shoe has too many orders to "
        "enumerate: ventiuna simulate with cut_card=… estimates the difference, with its error.",
    ),
    Point("O-04", zero=_EXCHANGE, house_in=("003",)),
    Point(
        "O-05",
        (
            _NO,
            Reading("yes, paid as a blackjack", with_game(blackjack_after_split)),
        ),
        only=may_split,
    ),
    Point(
        "O-06",
        (
            Reading("only a soft 21", with_options(double_on_21="soft")),
            Reading("any 21", with_options(double_on_21="any")),
            Reading("none", with_options(double_on_21="never")),
        ),
        only=_spanish,
    ),
    Point("O-07", zero="A 21 always wins, so doubling it can't be better.", only=_spanish),
    Point("O-08", zero="A doubled 21 always wins, so rescuing it can't be better."),
    Point(
        "O-09", zero="Best play takes the blackjack payout and never keeps the hand to double it."
    ),
    Point(
        "O-10",
        (_NO, Reading("yes, on its first two cards", with_game(surrender_of_split_hands))),
        only=lambda rules: rules.surrender == Surrender.LATE and may_split(rules),
    ),
    Point(
        "O-11",
        (
            Reading("any order", as_they_are),
            Reading(
                "only 6, then 7, then 8",
                with_rules(without_6_7_8, "a lower bound, as if 6-7-8 paid nothing extra"),
            ),
        ),
        only=_spanish,
    ),
    Point(
        "O-12",
        (
            Reading("all cards of the hand", as_they_are),
            Reading("without the card that was split", with_game(counted_without_the_split_card)),
        ),
        only=lambda rules: _spanish(rules) and may_split(rules),
    ),
    Point("O-13", zero="This concerns only wagers below $5 and between $24 and $25."),
    Point(
        "O-14",
        (
            Reading("winners get no Envy Bonus for their own hand", envy_of_two_spots(False)),
            Reading("each spot counts as a separate player", envy_of_two_spots(True)),
        ),
        ENVY_BONUS,
        only=_has_super_bonus,
    ),
    Point(
        "O-15",
        settled="Only the original two cards count (R-020), even if the hand was split, lost or "
        "paid earlier (R-081). In the documents, no wager ends with its hand.",
        only=lambda rules: bool(rules.mtd_wagers),
    ),
    Point("O-16", zero="No hand is left for the dealer's cards to decide."),
    Point("O-17", zero=_INSURANCE),
    Point("O-18", zero="Chip units that could lead to a fraction of a cent are rejected."),
    Point(
        "O-19",
        zero="Contributions are the players' money: what goes into the meter comes out of it.",
        only=_has_jackpot,
    ),
    Point(
        "O-20",
        unknown="This matters if a second award follows a 100% award in the same round. ventiuna "
        "jackpot --spots shows how rare that is.",
        only=_has_jackpot,
    ),
    Point(
        "O-21",
        unknown="The operator sets the prize. Use ventiuna jackpot --prize.",
        only=_has_prize,
        house_in=("003",),
    ),
    Point("O-22", settled=_PRINTED),
    Point(
        "O-23",
        (
            Reading("fixed lines in addition to the 100%", jackpot_with(top_alone=False)),
            Reading("only the 100%", jackpot_with(top_alone=True)),
        ),
        JACKPOT_WAGER,
        only=lambda rules: any(
            jackpot_table(j).family == FAMILY_TWO_DECKS for j in rules.jackpots[:1]
        ),
    ),
    Point("O-24", settled=_PRINTED),
    Point("O-25", settled=_PRINTED),
    Point("O-26", zero=_TIME),
    Point(
        "O-27", zero="Tables that aren't in a document can't be offered; no other wager changes."
    ),
    Point("O-28", zero="Meters never mix, so each game is separate.", house_in=("003",)),
    Point("O-29", zero=_EXCHANGE),
    Point(
        "O-30", zero=f"{_EXCHANGE} A split hand is played only by its own cards and the up card."
    ),
    Point("O-31", zero="The base wager is within the maximum, so the first double is too."),
    Point(
        "O-32",
        (
            Reading("counted separately for each split hand", as_they_are),
            Reading(
                "counted over all split hands together",
                with_rules(
                    lambda rules: replace(rules, double_after_split=False),
                    "a lower bound, as if split hands couldn't double",
                ),
            ),
        ),
        only=lambda rules: may_split(rules) and rules.double_after_split,
    ),
    Point(
        "O-33",
        (
            Reading(
                "any 21 with up to four cards can be doubled", with_options(double_on_21="any")
            ),
            Reading("only a soft 21", with_options(double_on_21="soft")),
            Reading("none", with_options(double_on_21="never")),
        ),
        only=_super_fun,
    ),
    Point("O-34", zero=_INSURANCE),
    Point(
        "O-35",
        (
            Reading("compared with the dealer at the end", as_they_are),
            Reading("also eligible for instant wins and bonuses", bonuses_when_doubled),
        ),
        only=_super_fun,
    ),
    Point("O-36", zero=_STAKES),
    Point(
        "O-37",
        (
            Reading("the house pays prizes", jackpot_with(prize_from=PrizeFrom.HOUSE)),
            Reading("prizes come out of the jackpot", jackpot_with(prize_from=PrizeFrom.JACKPOT)),
        ),
        JACKPOT_WAGER,
        only=_has_prize,
        house_in=("003",),
    ),
    Point("O-38", zero=_LESS, open_in=("001",)),
    Point(
        "O-39",
        (
            Reading(
                "each winner gets the full share of the posted amount",
                house_jackpot_paying(Winners.EACH_IN_FULL),
                "003 on displayed prizes, WAC 230-15-671",
            ),
            Reading(
                "paid in sequence, each award deducted before the next",
                house_jackpot_paying(Winners.IN_SEQUENCE),
                "003 on several awards",
            ),
        ),
        FULL_TABLE_JACKPOT,
        only=lambda rules: any(j.kind is JackpotKind.HOUSE for j in rules.jackpots[:1]),
    ),
    Point("O-40", zero=_LESS),
)
