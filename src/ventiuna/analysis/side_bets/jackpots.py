"""Jackpot wagers as exact fractions: lines, returns, the break-even meter, awards by seat.

Awards are paid starting at the dealer's left, each deducted from the meter before the next one is
computed (R-095), so seats farther from the dealer's left are worth slightly less. The dealing order
doesn't affect the odds, so the enumeration deals the dealer's two cards first and then each
player's two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil
from operator import attrgetter
from typing import Annotated, NamedTuple

from typing_extensions import TypedDict

from ventiuna.analysis.composition import (
    Basis,
    BasisData,
    Composition,
    PairClass,
    basis_of,
    deals,
    pair_classes,
    players_problem,
    usable_composition,
)
from ventiuna.analysis.results import (
    CENTS_8,
    FIXED_9,
    ONE_IN,
    PER_WAGERS,
    Column,
    ExactData,
    Form,
    TabularResult,
    data_of,
    exact_data,
    html_notes,
    html_of,
    orders,
    percent_text,
    square_root,
    total,
)
from ventiuna.core.meters import (
    SHARES,
    comes_from_meter,
    contribution,
    empties_meter,
    meter_for_next_winner,
    meter_share,
    pays_each_in_full,
    prize_pay,
    share_of,
    special_pay,
)
from ventiuna.core.rule_table import RuleTable
from ventiuna.core.side_bets import NO_LINE, fixed_line, fixed_pay, paid_fixed_lines, special_line
from ventiuna.money import money_text, plain_amount
from ventiuna.rules.compiled import compile_rules
from ventiuna.rules.data_files import (
    FIXED_LINE_KEYS,
    FIXED_LINE_NAMES,
    JackpotTable,
    jackpot_tables,
)
from ventiuna.rules.loader import change_rules, load_rules
from ventiuna.rules.model import Jackpot, JackpotKind, Problem, Rules, RulesError
from ventiuna.rules.options import short_repr
from ventiuna.texts import brief_repr

# Combined value of all percentage and prize lines, as a share of the wager, that the printed house
# advantages assume.
PRINTED_SHARE = Fraction(21, 100)
ROUND_CARDS = 4

_FIXED_KEYS = {line: key for key, line in FIXED_LINE_KEYS.items()}


@dataclass(frozen=True, slots=True)
class JackpotLine:
    """A line of the pay table."""

    key: str
    hand: str
    pay: str
    percent: int  # percentage of the meter; 0 for a fixed pay or prize
    # Average number of payments per wager. A fixed line of Tables 4 may be paid twice on one hand,
    # by the up card and by the down card, and then counts twice.
    frequency: Fraction
    pays: int  # cents for the game's wager; 0 for a share of the meter

    @property
    def per_100_000(self) -> Fraction:
        return self.frequency * PER_WAGERS

    @property
    def expected_pay(self) -> Fraction:
        """Expected cents per wager, not counting shares of the meter."""
        return self.frequency * self.pays

    @property
    def expected_share(self) -> Fraction:
        """Expected share of the meter per wager."""
        return self.frequency * self.percent / 100

    def expected_award(self, meter: int) -> Fraction:
        """Expected cents per wager with a meter of `meter` cents, rounded like awards (O-18)."""
        return self.frequency * share_of(meter, self.percent)


class JackpotLineData(TypedDict):
    key: str
    hand: str
    pay: str
    frequency: ExactData
    one_in: Annotated[float | None, lambda line: ONE_IN.number(line.frequency)]
    per_100000_wagers: Annotated[float, attrgetter("per_100_000")]
    expected_pay_cents: Annotated[ExactData, attrgetter("expected_pay")]
    expected_share_of_meter: Annotated[ExactData, attrgetter("expected_share")]


class JackpotOutcome(NamedTuple):
    """A special line, if any, and the payout of the fixed lines in addition."""

    special: int
    fixed: int  # cents
    probability: Fraction


MeterReturn = TypedDict(
    "MeterReturn",
    {
        "meter_cents": int,
        "return": ExactData,
        "house_edge": ExactData,
        "standard_deviation": float,
    },
)


class JackpotReportData(BasisData):
    game: Annotated[int, attrgetter("number")]
    table: Annotated[str, attrgetter("jackpot.table")]
    pay_table: Annotated[int, attrgetter("jackpot.pay_table")]
    alternate: Annotated[int, attrgetter("jackpot.alternate")]
    kind: Annotated[str, attrgetter("jackpot.kind")]
    wager_cents: Annotated[int, attrgetter("jackpot.wager")]
    prize_for_1_dollar_cents: Annotated[int | None, attrgetter("jackpot.prize")]
    lines: list[JackpotLineData]
    hit_frequency: ExactData
    fixed_return: ExactData
    prize_return: ExactData
    expected_share_of_meter: Annotated[ExactData, attrgetter("meter_share")]
    printed_house_advantage: ExactData
    published_house_advantage: str | None
    break_even_meter_cents: Annotated[int | None, attrgetter("break_even_cents")]
    contribution: ExactData
    house_hold: ExactData


@dataclass(frozen=True, slots=True)
class JackpotReport(TabularResult):
    """One jackpot game; amounts in cents, returns per wager."""

    main_table = "lines"
    columns = (
        Column("line", None, attrgetter("hand"), "line"),
        Column("pay", None, attrgetter("pay"), "pay"),
        Column("frequency", None, attrgetter("frequency"), "frequency"),
        Column("one in", ONE_IN, attrgetter("frequency"), "one_in"),
        Column(
            "per 100,000", Form(4, grouped=True), attrgetter("per_100_000"), "per_100000_wagers"
        ),
    )

    basis: Basis
    number: int  # number of the game on its layout
    jackpot: Jackpot
    published_house_advantage: str  # figure as printed; empty if not published
    lines: tuple[JackpotLine, ...]  # special lines first, highest first
    outcomes: tuple[JackpotOutcome, ...]
    table: RuleTable

    # --- Returns of one wager ---

    __repr__ = brief_repr

    @property
    def fixed_return(self) -> Fraction:
        """Return of the fixed lines, per wager."""
        pays = total(outcome.probability * outcome.fixed for outcome in self.outcomes)
        return pays / self.jackpot.wager

    @property
    def prize_return(self) -> Fraction:
        """Return of the operator's prizes at full value, per wager."""
        return total(line.expected_pay for line in self.special_lines) / self.jackpot.wager

    @property
    def meter_share(self) -> Fraction:
        """The average share of the meter that one wager wins."""
        return total(line.expected_share for line in self.special_lines)

    @property
    def printed_house_advantage(self) -> Fraction:
        """House advantage by the convention of the printed figures (R-101)."""
        return 1 - self.fixed_return - PRINTED_SHARE

    @property
    def special_lines(self) -> tuple[JackpotLine, ...]:
        return tuple(line for line in self.lines if line.key not in FIXED_LINE_KEYS)

    @property
    def hit_frequency(self) -> Fraction:
        """Probability that a wager is paid anything; an award counts however small the meter is."""
        return total(o.probability for o in self.outcomes if o.fixed or o.special != NO_LINE)

    def special_pay(self, special: int, meter: int) -> int:
        """Cents that a special line pays the first winner of a round, given this meter."""
        return special_pay(self.table, 0, special, meter)

    def expected_pay_at(self, meter: int) -> Fraction:
        """Expected cents per wager for a round's first winner, with awards rounded down (O-18).

        `meter` is the amount awards are computed from, including this round's contributions (O-19).
        """
        return total(
            outcome.probability * (outcome.fixed + self.special_pay(outcome.special, meter))
            for outcome in self.outcomes
        )

    def return_at(self, meter: int) -> Fraction:
        return self.expected_pay_at(meter) / self.jackpot.wager

    def house_edge_at(self, meter: int) -> Fraction:
        """The player's expected loss per wager."""
        return 1 - self.return_at(meter)

    def variance_at(self, meter: int) -> Fraction:
        """Variance of the payout, in square cents."""
        squares = total(
            outcome.probability * (outcome.fixed + self.special_pay(outcome.special, meter)) ** 2
            for outcome in self.outcomes
        )
        return squares - self.expected_pay_at(meter) ** 2

    def standard_deviation_at(self, meter: int) -> Fraction:
        """Standard deviation of the payout, in wagers."""
        return square_root(self.variance_at(meter)) / self.jackpot.wager

    # --- Break-even meter ---

    @property
    def break_even_meter(self) -> Fraction | None:
        """Break-even meter in cents if awards aren't rounded; None if a wager never breaks even."""
        if not self.meter_share:
            return None
        missing = (1 - self.fixed_return - self.prize_return) * self.jackpot.wager
        return max(missing / self.meter_share, Fraction())

    @property
    def break_even_cents(self) -> int | None:
        """The smallest meter, in whole cents, at which a wager doesn't lose."""
        start = self.break_even_meter
        if start is None:
            return None
        low, high = -1, ceil(start)  # a wager loses at low (not a possible meter) but not at high
        while self.expected_pay_at(high) < self.jackpot.wager:
            low, high = high, 2 * high + 1
        while high - low > 1:
            middle = (low + high) // 2
            if self.expected_pay_at(middle) < self.jackpot.wager:
                low = middle
            else:
                high = middle
        return high

    # --- The operator's view ---

    @property
    def contribution(self) -> Fraction:
        """Share of each wager that goes to a progressive's meter (O-19)."""
        wager = self.jackpot.wager
        return Fraction(contribution(self.table, 0, wager), wager * SHARES)

    @property
    def house_hold(self) -> Fraction:
        """The house's average share of a wager after meter, seeds and prizes.

        A progressive's awards are the players' money: the house pays the contribution, and the seed
        after a 100% award. A house jackpot's awards are paid by the house, at the posted amount.
        """
        if self.jackpot.kind == JackpotKind.HOUSE:
            return self.house_edge_at(self.jackpot.seed)
        by_number = list(enumerate(self.special_lines, start=1))
        prizes = total(
            line.expected_pay
            for number, line in by_number
            if not comes_from_meter(self.table, 0, number)
        )
        emptied = total(
            line.frequency for number, line in by_number if empties_meter(self.table, 0, number)
        )
        paid = (prizes + emptied * self.jackpot.seed) / self.jackpot.wager
        return 1 - self.fixed_return - self.contribution - paid

    def records(self) -> tuple[JackpotLine, ...]:
        """The lines, best first."""
        return self.lines

    def ev_at(self, meter: int) -> float:
        """Expected result per chip wagered, at this meter in cents."""
        return -float(self.house_edge_at(meter))

    # --- Display ---

    @property
    def title(self) -> str:
        alternate = f", alternate lines {self.jackpot.alternate}" if self.jackpot.alternate else ""
        return f"table {self.jackpot.table}, pay table {self.jackpot.pay_table}{alternate}"

    def as_data(self) -> JackpotReportData:
        return data_of(JackpotReportData, self)

    def data_at(self, meter: int) -> MeterReturn:
        return {
            "meter_cents": meter,
            "return": exact_data(self.return_at(meter)),
            "house_edge": exact_data(self.house_edge_at(meter)),
            "standard_deviation": float(self.standard_deviation_at(meter)),
        }

    def _repr_html_(self) -> str:
        caption = f"Jackpot {self.title}, {self.basis.rules} ({self.basis.shoe_text})"
        even = self.break_even_cents
        notes = [
            f"Fixed lines return {percent_text(self.fixed_return)} of the wager.",
            f"House advantage as printed (R-101): {percent_text(self.printed_house_advantage)}.",
            "Never breaks even."
            if even is None
            else f"Breaks even at a meter of {money_text(even)}.",
        ]
        return html_of(caption, self.columns, self.lines) + html_notes(notes)


def jackpot_report(
    rules: Rules, game: int = 1, composition: Composition | None = None
) -> JackpotReport:
    """Report on the jackpot game with this number on the rules' layout.

    >>> from ventiuna.rules import load_rules
    >>> report = jackpot_report(load_rules("wsgc-2021(jackpots=3c:1)"))
    >>> percent_text(report.printed_house_advantage, 2)
    '24.19%'
    """
    jackpot = game_of(rules, game)
    known = usable_composition(rules, composition, ROUND_CARDS)
    table = compile_rules(replace(rules, jackpots=(jackpot,)))
    source = jackpot_tables()[jackpot.table]
    ways, paid_lines = _ways_of_outcomes(table, known)
    everything = orders(sum(known), ROUND_CARDS)
    lines = {line: Fraction(count, everything) for line, count in paid_lines.items()}
    outcomes = tuple(
        JackpotOutcome(special, fixed, Fraction(count, everything))
        for (special, fixed), count in sorted(ways.items())
    )
    return JackpotReport(
        basis_of(rules, known),
        game,
        jackpot,
        source.pay_tables[jackpot.pay_table].published_house_advantage,
        (*_special_lines(source, jackpot, table, outcomes), *_fixed_lines(source, jackpot, lines)),
        outcomes,
        table,
    )


def game_of(rules: Rules, game: int) -> Jackpot:
    if type(game) is int and 1 <= game <= len(rules.jackpots):
        return rules.jackpots[game - 1]
    offered = len(rules.jackpots)
    problem = Problem(
        "game",
        short_repr(game),
        "R-084",
        f"these rules have {offered or 'no'} jackpot game{'s' if offered != 1 else ''}",
        "Choose one of them, or a table such as 3c.",
    )
    raise RulesError([problem])


def with_jackpot(
    rules: Rules,
    table: str,
    pay_table: int = 1,
    alternate: int = 0,
    wager: int = 100,
    prize: int | None = None,
) -> Rules:
    """The same rules with this one jackpot game; an unset prize counts as $0 (O-21)."""
    row: dict[str, object] = {"table": table, "pay_table": pay_table}
    if alternate:
        row["alternate"] = alternate
    if wager != Jackpot(table).wager:
        row["wager"] = plain_amount(wager)
    if prize is not None or has_prize_line(table, alternate):
        row["prize"] = plain_amount(prize or 0)
    return change_rules(rules, {"jackpots": [row]})


def has_prize_line(table: str, alternate: int) -> bool:
    """Whether some line pays the operator's prize (R-092)."""
    source = jackpot_tables().get(table)
    if source is None or (alternate and alternate not in source.alternates):
        return False
    return any(line.percent == 0 for line in source.special_lines(alternate))


def _special_lines(
    source: JackpotTable, jackpot: Jackpot, table: RuleTable, outcomes: Iterable[JackpotOutcome]
) -> list[JackpotLine]:
    return [
        JackpotLine(
            line.key,
            line.hand,
            line.pay,
            line.percent,
            total(outcome.probability for outcome in outcomes if outcome.special == number),
            prize_pay(table, 0, number),
        )
        for number, line in enumerate(source.special_lines(jackpot.alternate), start=1)
    ]


def _fixed_lines(
    source: JackpotTable, jackpot: Jackpot, frequencies: dict[int, Fraction]
) -> list[JackpotLine]:
    pays = source.pay_tables[jackpot.pay_table].fixed
    return [
        JackpotLine(
            _FIXED_KEYS[line],
            FIXED_LINE_NAMES[line],
            str(pays[line]),
            0,
            frequencies.get(line, Fraction()),
            jackpot.wager * pays[line].num // pays[line].den,
        )
        for line in _FIXED_KEYS
    ]


# --- Lines made by the cards ---


class _DealClass(NamedTuple):
    """Cards that make the same special line and the same fixed lines, with one sample deal."""

    special: int
    first: int
    second: int
    up: int
    down: int


@lru_cache(maxsize=64)
def _deal_classes(
    family: int, alternate: int, composition: Composition
) -> tuple[tuple[_DealClass, int], ...]:
    """Classes of deals that make the same lines under any pay table, with their numbers of ways."""
    table = _reading_table(family, alternate)
    found: dict[tuple[int, int, int], tuple[_DealClass, int]] = {}
    for ways, first, second, up, down in deals(composition):
        special = special_line(table, 0, first, second, up, down)
        key = (special, fixed_line(first, second, up), fixed_line(first, second, down))
        made, so_far = found.get(key, (_DealClass(special, first, second, up, down), 0))
        found[key] = (made, so_far + ways)
    return tuple(found.values())


@lru_cache(maxsize=16)
def _reading_table(family: int, alternate: int) -> RuleTable:
    """A rule table with this family's jackpot lines; its payouts don't matter."""
    for source in jackpot_tables().values():
        if source.family == family and (not alternate or alternate in source.alternates):
            break
    else:
        problem = f"no jackpot table of family {family} has these alternate lines"
        raise RulesError([Problem("alternate", str(alternate), "", problem, "Use 0 for none.")])
    rules = change_rules(load_rules("wsgc-2021"), {"decks": source.decks[0]})
    return compile_rules(with_jackpot(rules, source.id, alternate=alternate))


def _ways_of_outcomes(
    table: RuleTable, composition: Composition
) -> tuple[dict[tuple[int, int], int], dict[int, int]]:
    """Number of deals by special line and fixed payout, and of payments by fixed line."""
    ways: dict[tuple[int, int], int] = {}
    lines: dict[int, int] = {}
    made_lines = _deal_classes(table.jackpot_family[0], table.jackpot_alternate[0], composition)
    for made, count in made_lines:
        pay = fixed_pay(table, 0, *made)
        key = (made.special, pay)
        ways[key] = ways.get(key, 0) + count
        for line in paid_fixed_lines(table, 0, *made):
            if line != NO_LINE:
                lines[line] = lines.get(line, 0) + count
    return ways, lines


# --- Awards of one round, seat by seat ---

DEALER_CARDS = PLAYER_CARDS = 2

# Special lines of the players before a seat, in order, and the seat's own line.
Turn = tuple[tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class SeatAwards:
    """The expected awards of one seat in a round."""

    seat: int  # 1 is first from the dealer's left
    turns: Mapping[Turn, Fraction]
    share: Fraction  # share of the meter before the round's awards, unrounded, without seed
    expected_award: Fraction | None  # cents at the given meter, rounded, including seeds

    __repr__ = brief_repr

    @property
    def frequency(self) -> Fraction:
        """Probability of any line paid from the meter."""
        return total(self.turns.values())


SEAT_COLUMNS = (
    Column("seat", None, attrgetter("seat")),
    Column("award one in", ONE_IN, attrgetter("frequency")),
    Column("share of meter, per million", FIXED_9, lambda seat: seat.share * 1_000_000),
    Column("expected award", CENTS_8, attrgetter("expected_award")),
)


class SeatAwardsData(TypedDict):
    seat: int
    award_frequency: Annotated[ExactData, attrgetter("frequency")]
    expected_share_of_meter: Annotated[ExactData, attrgetter("share")]
    expected_award_cents: Annotated[ExactData | None, attrgetter("expected_award")]


class RoundAwardsData(BasisData):
    game: Annotated[int, attrgetter("number")]
    players: int
    meter_cents: Annotated[int | None, attrgetter("meter")]
    expected_awards: ExactData
    several_awards: Annotated[ExactData, attrgetter("several")]
    seats: list[SeatAwardsData]


@dataclass(frozen=True, slots=True)
class RoundAwards(TabularResult):
    """Awards of one jackpot game in one round, seat by seat."""

    main_table = "seats"

    basis: Basis
    number: int
    jackpot: Jackpot
    players: int
    meter: int | None  # cents before the round's awards
    seats: tuple[SeatAwards, ...]
    several: Fraction  # probability of two or more awards in one round

    __repr__ = brief_repr

    @property
    def expected_awards(self) -> Fraction:
        """Average number of awards per round."""
        return total(seat.frequency for seat in self.seats)

    def as_data(self) -> RoundAwardsData:
        return data_of(RoundAwardsData, self)

    def _repr_html_(self) -> str:
        caption = f"Jackpot awards in a round, {self.players} players, {self.basis.rules}"
        return html_of(caption, SEAT_COLUMNS, self.seats)


def round_awards(
    rules: Rules,
    players: int,
    meter: int | None = None,
    game: int = 1,
    composition: Composition | None = None,
) -> RoundAwards:
    """Awards when all `players` players have placed this game's wager; the meter is in cents."""
    jackpot = game_of(rules, game)
    if problem := players_problem(rules, players):
        raise RulesError([problem])
    known = usable_composition(rules, composition, DEALER_CARDS + PLAYER_CARDS * players)
    table = compile_rules(replace(rules, jackpots=(jackpot,)))
    turns, several = _turns(table, players, known)
    seats = tuple(_seat(table, seat, of_seat, meter) for seat, of_seat in enumerate(turns, start=1))
    return RoundAwards(basis_of(rules, known), game, jackpot, players, meter, seats, several)


def _seat(
    table: RuleTable, seat: int, turns: Mapping[Turn, Fraction], meter: int | None
) -> SeatAwards:
    share = total(chance * _share(table, before, line) for (before, line), chance in turns.items())
    expected = None
    if meter is not None:
        expected = total(
            chance * awards_in_turn(table, (*before, line), meter)[-1]
            for (before, line), chance in turns.items()
        )
    return SeatAwards(seat, dict(turns), share, expected)


def _share(table: RuleTable, before: tuple[int, ...], line: int) -> Fraction:
    """Share of the meter before the round's first award."""
    remaining = Fraction(1)
    if not pays_each_in_full(table, 0):
        for earlier in before:
            remaining -= remaining * meter_share(table, 0, earlier) / 100
    return remaining * meter_share(table, 0, line) / 100


def awards_in_turn(table: RuleTable, lines: tuple[int, ...], meter: int) -> list[int]:
    """Each award in cents, in order from the dealer's left (R-095, O-20, O-37)."""
    awards = []
    for line in lines:
        awards.append(special_pay(table, 0, line, meter))
        meter = meter_for_next_winner(table, 0, line, meter)
    return awards


# --- Lines by player ---

_Left = tuple[int, ...]  # cards left of each kind that can make a line, then of all others
_State = tuple[_Left, tuple[int, ...]]  # cards left, and the lines made so far


@lru_cache(maxsize=64)
def _turns(
    table: RuleTable, players: int, composition: Composition
) -> tuple[tuple[dict[Turn, Fraction], ...], Fraction]:
    """Each seat's lines, given the lines of earlier seats, and the chance of several awards."""
    ways: list[dict[Turn, int]] = [{} for _ in range(players)]
    several = 0
    cards = sum(composition)
    for dealer in pair_classes(composition):
        several += _dealer_turns(table, dealer, ways, cards)
    dealt = DEALER_CARDS + PLAYER_CARDS * players
    found = []
    for seat, turns in enumerate(ways, start=1):
        everything = orders(cards, DEALER_CARDS + PLAYER_CARDS * seat)
        found.append({turn: Fraction(count, everything) for turn, count in turns.items()})
    return tuple(found), Fraction(several, orders(cards, dealt))


def _dealer_turns(
    table: RuleTable, dealer: PairClass, ways: list[dict[Turn, int]], cards: int
) -> int:
    """Add the deals for this up card and down card; return the number with several awards."""
    lines = _award_lines(table, dealer)
    if not lines:
        return 0
    places = sorted({place for pair in lines for place in pair})
    place_of = {place: index for index, place in enumerate(places)}
    by_place = {(place_of[a], place_of[b]): line for (a, b), line in lines.items()}
    remaining = tuple(dealer.kinds[place].left for place in places)
    states: dict[_State, int] = {
        ((*remaining, cards - DEALER_CARDS - sum(remaining)), ()): dealer.ways
    }
    for turns in ways:
        after: dict[_State, int] = {}
        for (counts, before), count in states.items():
            _deal_player(by_place, counts, before, count, turns, after)
        states = after
    return sum(count for (_, made), count in states.items() if len(made) > 1)


def _award_lines(table: RuleTable, dealer: PairClass) -> dict[tuple[int, int], int]:
    """Pairs of kinds that win an award from the meter against these dealer cards."""
    found = {}
    for one, first in enumerate(dealer.kinds):
        for other, second in enumerate(dealer.kinds):
            line = special_line(table, 0, first.card, second.card, dealer.one, dealer.other)
            if comes_from_meter(table, 0, line):
                found[one, other] = line
    return found


def _deal_player(
    lines: Mapping[tuple[int, int], int],
    counts: _Left,
    before: tuple[int, ...],
    ways: int,
    turns: dict[Turn, int],
    after: dict[_State, int],
) -> None:
    """Deal two cards to one player in every possible way."""
    for first, have in enumerate(counts):
        for second, more in enumerate(counts):
            new_ways = ways * have * (more - (first == second))
            if new_ways == 0:
                continue
            remaining = list(counts)
            remaining[first] -= 1
            remaining[second] -= 1
            line = lines.get((first, second), NO_LINE)
            made = before
            if line != NO_LINE:
                turns[before, line] = turns.get((before, line), 0) + new_ways
                made = (*before, line)
            state = (tuple(remaining), made)
            after[state] = after.get(state, 0) + new_ways
