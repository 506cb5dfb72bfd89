"""Awards of one jackpot in one round with several players, exactly.

Awards are made from the dealer's left, each taken off the meter before the next one is
worked out (R-095), so a seat further to the right is worth a little less. Whose cards are
dealt first makes no difference to the odds: here the dealer's two come first, then each
player's two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from ventiuna.analysis.composition import (
    Basis,
    Composition,
    basis_of,
    players_problem,
    usable_composition,
)
from ventiuna.analysis.exact import cents_text, exact_data, one_in_text, orders, total
from ventiuna.analysis.frames import Framed
from ventiuna.analysis.notebook import html_table
from ventiuna.analysis.side_bets.deals import PairClass, pair_classes
from ventiuna.analysis.side_bets.jackpots import game_of
from ventiuna.core.jackpot import NO_LINE, special_line
from ventiuna.core.meters import (
    comes_from_meter,
    meter_share,
    pays_each_in_full,
    shown_to_next,
    special_pay,
)
from ventiuna.core.table import RuleTable
from ventiuna.records import brief_repr
from ventiuna.rules.compiled import compile_rules
from ventiuna.rules.errors import RulesError
from ventiuna.rules.model import Jackpot, Rules

DEALER_CARDS = PLAYER_CARDS = 2

# Special lines that the players before a seat have made, in their order, and its own line.
Turn = tuple[tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class SeatAwards:
    """What one seat may expect of the meter in a round."""

    seat: int  # 1 is the first from the dealer's left
    turns: Mapping[Turn, Fraction]
    share: Fraction  # of the meter as the round's awards begin, awards not rounded, no seed
    expected_award: Fraction | None  # cents at the given meter, awards rounded, seeds included

    __repr__ = brief_repr

    @property
    def frequency(self) -> Fraction:
        """Chance of any line that is paid out of the meter."""
        return total(self.turns.values())


@dataclass(frozen=True, slots=True)
class RoundAwards(Framed):
    """Awards of one jackpot game in one round, seat by seat."""

    main_table = "seats"

    basis: Basis
    number: int
    jackpot: Jackpot
    players: int
    meter: int | None  # cents as the round's awards begin
    seats: tuple[SeatAwards, ...]
    several: Fraction  # chance of two or more awards in one round

    __repr__ = brief_repr

    @property
    def expected_awards(self) -> Fraction:
        """How many a round has on average."""
        return total(seat.frequency for seat in self.seats)

    def as_data(self) -> dict[str, object]:
        return {
            **self.basis.as_data(),
            "game": self.number,
            "players": self.players,
            "meter_cents": self.meter,
            "expected_awards": exact_data(self.expected_awards),
            "several_awards": exact_data(self.several),
            "seats": [
                {
                    "seat": seat.seat,
                    "award_frequency": exact_data(seat.frequency),
                    "expected_share_of_meter": exact_data(seat.share),
                    "expected_award_cents": None
                    if seat.expected_award is None
                    else exact_data(seat.expected_award),
                }
                for seat in self.seats
            ],
        }

    def _repr_html_(self) -> str:
        rows = [
            [
                f"seat {seat.seat}",
                one_in_text(seat.frequency),
                f"{float(seat.share):.6e}",
                "" if seat.expected_award is None else cents_text(seat.expected_award, 6),
            ]
            for seat in self.seats
        ]
        caption = f"Jackpot awards in a round, {self.players} players, {self.basis.rules}"
        return html_table(caption, ["", "award one in", "share of meter", "expected award"], rows)


def round_awards(
    rules: Rules,
    players: int,
    meter: int | None = None,
    game: int = 1,
    composition: Composition | None = None,
) -> RoundAwards:
    """Every one of so many players has made this game's wager; the meter is in cents."""
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
    """Of the meter before the round's first award."""
    left = Fraction(1)
    if not pays_each_in_full(table, 0):
        for earlier in before:
            left -= left * meter_share(table, 0, earlier) / 100
    return left * meter_share(table, 0, line) / 100


def awards_in_turn(table: RuleTable, lines: tuple[int, ...], meter: int) -> list[int]:
    """Cents of each award, for these special lines from the dealer's left (R-095, O-20, O-37)."""
    awards = []
    for line in lines:
        awards.append(special_pay(table, 0, line, meter))
        meter = shown_to_next(table, 0, line, meter)
    return awards


# --- who makes which line ------------------------------------------------------------------------

_Left = tuple[int, ...]  # cards left of each kind that can make a line, then of all others
_State = tuple[_Left, tuple[int, ...]]  # and the lines made so far


@lru_cache(maxsize=64)
def _turns(
    table: RuleTable, players: int, composition: Composition
) -> tuple[tuple[dict[Turn, Fraction], ...], Fraction]:
    """For each seat its lines after those of the seats before, and the chance of several."""
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
    """Adds the ways of this up card and down card; returns those of several awards."""
    lines = _award_lines(table, dealer)
    if not lines:
        return 0
    places = sorted({place for pair in lines for place in pair})
    place_of = {place: index for index, place in enumerate(places)}
    by_place = {(place_of[a], place_of[b]): line for (a, b), line in lines.items()}
    left = tuple(dealer.kinds[place].left for place in places)
    states: dict[_State, int] = {((*left, cards - DEALER_CARDS - sum(left)), ()): dealer.ways}
    for turns in ways:
        after: dict[_State, int] = {}
        for (counts, before), count in states.items():
            _deal_player(by_place, counts, before, count, turns, after)
        states = after
    return sum(count for (_, made), count in states.items() if len(made) > 1)


def _award_lines(table: RuleTable, dealer: PairClass) -> dict[tuple[int, int], int]:
    """Pairs of kinds that make a line paid out of the meter against these dealer cards."""
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
    """Two cards to one player, in every way."""
    for first, have in enumerate(counts):
        for second, more in enumerate(counts):
            new_ways = ways * have * (more - (first == second))
            if new_ways == 0:
                continue
            left = list(counts)
            left[first] -= 1
            left[second] -= 1
            line = lines.get((first, second), NO_LINE)
            made = before
            if line != NO_LINE:
                turns[before, line] = turns.get((before, line), 0) + new_ways
                made = (*before, line)
            state = (tuple(left), made)
            after[state] = after.get(state, 0) + new_ways
