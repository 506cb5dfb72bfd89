"""Check whether a round can run out of cards, in which case nothing can be computed.

Best play compares all actions, so every legal line of play is checked, with every order of the
cards. For a fixed strategy and for split hands, only the lines actually played are checked. Only
small shoes can run out; for all others, it is enough to check the total pips.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

import numpy as np

from ventiuna.core import actions
from ventiuna.core.actions import first_legal
from ventiuna.core.cards import rank_of, suit_bit_of, value_of
from ventiuna.core.rule_table import RuleTable
from ventiuna.kernels.exact.dealer import dealer_wants_a_card
from ventiuna.kernels.exact.play import blackjack_value
from ventiuna.kernels.exact.splits import kind_of_split
from ventiuna.kernels.exact.suits import legal_by_suits
from ventiuna.kernels.exact.tables import (
    BUST,
    MAX_HANDS,
    UNSPLIT,
    VALUES,
    Game,
    Ints,
    composition_index,
    lattice,
)

_PIPS = np.arange(1, VALUES + 1)
_HIGHEST_DRAW = 16  # highest hard total on which the dealer draws
_HIGHEST_HAND = 21
_MAX_HAND_PIPS = 31  # pips of a busted split hand
_HIGHEST_CARD = 10
# If the player needs a card when the shoe is empty, every card is either in the player's hand or
# one of the dealer's two.
_MAX_PIPS = _HIGHEST_HAND + 2 * _HIGHEST_CARD


class Moves(NamedTuple):
    """The possible moves of a hand."""

    waits: bool  # waits for the dealer's hand
    ends: bool  # ends without waiting: paid, surrendered or rescued
    draws: tuple[int, ...]  # number of doublings when the hand draws a card


class Play(NamedTuple):
    """A fixed way to play hands against one up card."""

    preferences: Ints  # [doublings, composition]
    suited: Ints  # [row of two cards]


class Endings(NamedTuple):
    """Final cards of split hands, apart from the pair card; one row per ending."""

    ended: Ints  # [hand, value]
    waits: Ints  # [hand]
    wanting: Ints  # [hand, value]: hands that draw another card


class Lines:
    """All lines of play against one up card."""

    def __init__(
        self, table: RuleTable, game: Game, up_card: int, play: Play | None = None
    ) -> None:
        self.game = game
        self.up_card = up_card
        self.up = value_of(up_card) - 1
        self.special = int(blackjack_value(self.up))
        self.play = play
        self.shoe: Ints = game["shoe"].copy()
        self.shoe[self.up] -= 1
        self._dealer = dealer_wants_a_card(table, self.up)
        self._checked: set[tuple[int, int, int, int]] = set()

    # --- Remaining cards ---

    def goes_on(self, stock: Ints) -> bool:
        """Whether play can continue, because some down card doesn't make a blackjack."""
        others = int(stock.sum()) - (int(stock[self.special]) if self.special >= 0 else 0)
        return others > 0

    def dealer_may_run_out(self, stock: Ints) -> bool:
        """Whether the dealer can draw all remaining cards in some order and still need one."""
        if self.up + 1 + int(stock @ _PIPS) > _HIGHEST_DRAW:
            return False
        values = [self.up, *(value for value in range(VALUES) for _ in range(stock[value]))]
        return bool(self._dealer[composition_index(values)])

    # --- One hand ---

    def may_run_out(self, kind: int, doublings: int, place: int, removed: int = -1) -> bool:
        """Whether some line from this hand can run out of cards, with one `removed` card gone."""
        stock = self.shoe - lattice().counts[place]
        if removed >= 0:
            stock[removed] -= 1
        if stock.min() < 0 or not self.goes_on(stock):
            return False
        if int(lattice().hard[place]) + self.up + 1 + int(stock @ _PIPS) > _MAX_PIPS:
            return False
        key = (kind, doublings, place, removed)
        if key in self._checked:
            return False
        moves = self.moves(kind, doublings, place)
        if moves.waits and self.dealer_may_run_out(stock):
            return True
        if moves.draws and stock.sum() < 2:
            return True
        for after in moves.draws:
            for following in lattice().following[place]:
                if following != BUST and self.may_run_out(kind, after, int(following), removed):
                    return True
        self._checked.add(key)
        return False

    def moves(self, kind: int, doublings: int, place: int) -> Moves:
        waits = ends = False
        draws: set[int] = set()
        for taken, is_paid in self._action_sets(kind, doublings, place):
            can_stand = taken >> actions.STAND & 1 == 1
            waits = waits or (can_stand and not is_paid)
            ends = ends or (can_stand and is_paid)
            ends = ends or taken & (1 << actions.SURRENDER | 1 << actions.RESCUE) != 0
            if taken >> actions.HIT & 1:
                draws.add(0)
            if taken & (1 << actions.DOUBLE | 1 << actions.DOUBLE_DOUBLE):
                draws.add(doublings + 1)
        return Moves(waits, ends, tuple(sorted(draws)))

    def splits(self, place: int) -> bool:
        """Whether the fixed strategy splits this pair."""
        return any(taken >> actions.SPLIT & 1 for taken, _ in self._action_sets(UNSPLIT, 0, place))

    def _action_sets(self, kind: int, doublings: int, place: int) -> Iterator[tuple[int, bool]]:
        """Each possible set of actions as bits, and whether standing is paid immediately."""
        game, play = self.game, self.play
        row = -1 if doublings else int(game["suit_row"][place])
        is_paid = bool(game["paid"][kind, min(doublings, 1), place])
        legal = int(game["legal"][kind, doublings, place])
        if kind != UNSPLIT:
            legal &= ~(1 << actions.SPLIT)  # pairs are resplit before they are played
        looked_at = game["by_card" if kind == UNSPLIT else "suited"][place]
        if play is not None and looked_at and not doublings:
            yield from self._taken_by_cards(kind, place, legal & 1 << actions.SPLIT, play)
        elif row >= 0:
            for mask in self._masks(place):
                is_paid = not np.isnan(game["suit_pay"][kind, row, mask])
                yield int(game["suit_legal"][kind, row, mask]), is_paid
        elif play is not None:
            yield 1 << int(first_legal(int(play.preferences[doublings, place]), legal)), is_paid
        else:
            yield legal, is_paid

    def _taken_by_cards(
        self, kind: int, place: int, split: int, play: Play
    ) -> Iterator[tuple[int, bool]]:
        """Like `_taken`, but for two cards with every combination of suits and ranks."""
        game, remaining = self.game, self._remaining_cards
        row = int(game["suit_row"][place])
        for number in range(int(game["pairs"])):
            first, second = int(game["pair_first"][number]), int(game["pair_second"][number])
            needed = 2 if first == second else 1
            if (
                game["pair_place"][number] != place
                or min(remaining[first], remaining[second]) < needed
            ):
                continue
            mask = suit_bit_of(first) | suit_bit_of(second)
            is_paid = bool(game["paid"][kind, 0, place])
            if row >= 0:
                is_paid = not np.isnan(game["suit_pay"][kind, row, mask])
            legal = int(legal_by_suits(game, kind, place, mask))
            if not game["same_rank"] or rank_of(first) == rank_of(second):
                legal |= split
            yield 1 << int(first_legal(int(play.suited[number]), legal)), is_paid

    @cached_property
    def _remaining_cards(self) -> Ints:
        remaining: Ints = self.game["composition"].copy()
        remaining[self.up_card] -= 1
        return remaining

    def _masks(self, place: int) -> set[int]:
        """Suit masks that the cards of a composition can share."""
        choices = []
        for value in np.flatnonzero(lattice().counts[place]):
            cards = [
                card for card in range(len(self._remaining_cards)) if value_of(card) - 1 == value
            ]
            number = int(lattice().counts[place, value])
            choices.append(
                {
                    sum({suit_bit_of(card) for card in chosen})
                    for chosen in combinations_with_replacement(cards, number)
                    if all(chosen.count(card) <= self._remaining_cards[card] for card in chosen)
                }
            )
        found = set()
        for masks in product(*choices):
            together = 0
            for mask in masks:
                together |= mask
            found.add(together)
        return found

    # --- Splits ---

    def optimizing_may_run_out(self, pair: int) -> bool:
        """Whether optimizing split hands can exhaust the shoe, with one more pair card gone."""
        kind = int(kind_of_split(pair))
        return any(
            self.may_run_out(kind, 0, composition_index((pair, value)), removed=pair)
            for value in range(VALUES)
        )

    def split_may_run_out(self, pair: int) -> bool:
        """Whether split hands played by `play`, or the dealer after them, can exhaust the shoe."""
        stock = self.shoe.copy()
        stock[pair] -= 2
        maximum = int(self.game["hands_at_most"][pair])
        if stock[pair] < 0 or maximum < 2 or not self.goes_on(stock):
            return False
        hands = min(maximum, 2 + int(stock[pair]))
        if int(stock @ _PIPS) > hands * _MAX_HAND_PIPS + 2 * _HIGHEST_CARD:
            return False
        return _SplitLines(self, pair, maximum).may_run_out(stock, 2, 2, False)

    def endings(self, pair: int, with_pair: bool) -> Endings:
        """Endings of one split hand; with `with_pair`, its second card may be a pair card."""
        kind, places = int(kind_of_split(pair)), lattice()
        one = int(places.following[0, pair])
        ended: dict[tuple[int, ...], bool] = {}
        wanting: set[tuple[int, ...]] = set()
        met: set[tuple[int, int]] = set()
        ahead = [
            (0, int(places.following[one, value]))
            for value in range(VALUES)
            if value != pair or with_pair
        ]
        while ahead:
            doublings, place = ahead.pop()
            counts = places.counts[place] - places.counts[one]
            if (doublings, place) in met or (counts > self.shoe).any():
                continue
            met.add((doublings, place))
            moves = self.moves(kind, doublings, place)
            cards = tuple(int(count) for count in counts)
            if moves.waits or moves.ends:
                ended[cards] = ended.get(cards, False) or moves.waits
            if moves.draws:
                wanting.add(cards)
                for value in range(VALUES):
                    after = int(places.following[place, value])
                    if after == BUST:
                        ended.setdefault(
                            (*cards[:value], cards[value] + 1, *cards[value + 1 :]), False
                        )
                    else:
                        ahead += [(number, after) for number in moves.draws]
        rows = sorted(ended, key=lambda row: -sum(row))
        return Endings(
            ended=np.array(rows, dtype=np.int64).reshape(-1, VALUES),
            waits=np.array([ended[row] for row in rows], dtype=np.int64),
            wanting=np.array(sorted(wanting), dtype=np.int64).reshape(-1, VALUES),
        )


class _SplitLines:
    """Every way the hands of a split can share the cards."""

    def __init__(self, lines: Lines, pair: int, maximum: int) -> None:
        self.lines = lines
        self.pair = pair
        self.most = maximum
        by_rank = bool(lines.game["same_rank"])
        self.last = lines.endings(pair, with_pair=True)
        self.before = self.last if by_rank else lines.endings(pair, with_pair=False)
        hands = (self.last.ended, self.last.wanting)
        self.largest = pair + 1 + max(int((rows @ _PIPS).max(initial=0)) for rows in hands)
        self._checked: set[tuple[object, ...]] = set()

    def may_run_out(self, stock: Ints, hands: int, waiting: int, waits: bool) -> bool:
        """Whether `hands` hands can run out of cards, if `waiting` of them have a single card."""
        lines = self.lines
        if waiting == 0:
            return waits and lines.dealer_may_run_out(stock)
        room = waiting * (self.largest - self.pair - 1) + (self.most - hands) * self.largest
        if int(stock @ _PIPS) > room + max(_HIGHEST_DRAW - lines.up - 1, _HIGHEST_CARD):
            return False
        if stock.sum() < 2:
            return True
        key = (stock.tobytes(), hands, waiting, waits)
        if key in self._checked:
            return False
        self._checked.add(key)
        endings = self.before if hands < self.most else self.last
        if self._wants_last_card(stock, endings.wanting):
            return True
        if hands < self.most and stock[self.pair] > 0:
            remaining = stock.copy()
            remaining[self.pair] -= 1
            if lines.goes_on(remaining) and self.may_run_out(
                remaining, hands + 1, waiting + 1, waits
            ):
                return True
        fits = np.flatnonzero((endings.ended <= stock).all(axis=1))
        for row in fits:
            remaining = stock - endings.ended[row]
            then_waits = waits or bool(endings.waits[row])
            if lines.goes_on(remaining) and self.may_run_out(
                remaining, hands, waiting - 1, then_waits
            ):
                return True
        return False

    def _wants_last_card(self, stock: Ints, wanting: Ints) -> bool:
        """Whether some hand may need a card when only the down card is left."""
        remaining = stock - wanting
        alone = (remaining >= 0).all(axis=1) & (remaining.sum(axis=1) == 1)
        return any(self.lines.goes_on(row) for row in remaining[alone])


# --- Entry points ---


class SplitHands(NamedTuple):
    """How split hands are played; see the strategy record."""

    preferences: Ints  # [pair value or 0, up value, doublings, composition]
    suited: Ints  # [pair value or 0, row of two cards, row of up card]

    def play(self, pair: int, up: int, up_row: int) -> Play:
        table = pair if len(self.preferences) > 1 else 0
        return Play(self.preferences[table, up], self.suited[table, :, up_row])


def round_may_run_out(
    table: RuleTable, game: Game, pairs: Ints, split_hands: SplitHands, fixed: Any = None
) -> bool:
    """Whether some deal can run out of cards, under any play or the fixed strategy."""
    pips = int(game["shoe"] @ _PIPS)
    if pips > MAX_HANDS * _MAX_HAND_PIPS + 2 * _HIGHEST_CARD:
        return False
    two_cards = np.flatnonzero(lattice().cards == 2)
    for up_row in range(int(game["ups"])):
        up_card, up = int(game["up_card"][up_row]), int(game["up_value"][up_row])
        play = None
        if fixed is not None:
            play = Play(fixed.unsplit[up], fixed.suited[:, up_row : up_row + 1].ravel())
        lines = Lines(table, game, up_card, play)
        if pips <= _MAX_PIPS and any(
            lines.may_run_out(UNSPLIT, 0, int(place)) for place in two_cards
        ):
            return True
        for pair in pairs:
            place = composition_index((pair, pair))
            if (lattice().counts[place] > lines.shoe).any():
                continue
            if fixed is not None and not lines.splits(place):
                continue
            split = Lines(table, game, up_card, split_hands.play(int(pair), up, up_row))
            if split.split_may_run_out(int(pair)):
                return True
            if len(split_hands.preferences) > 1 and lines.optimizing_may_run_out(int(pair)):
                return True
    return False


def hand_may_run_out(
    table: RuleTable, game: Game, up_card: int, kind: int, doublings: int, place: int
) -> bool:
    """Whether some line from this hand can run out of cards, not counting splits."""
    if int(game["shoe"] @ _PIPS) > _MAX_PIPS:
        return False
    return Lines(table, game, up_card).may_run_out(kind, doublings, place)


def split_may_run_out(
    table: RuleTable, game: Game, up_card: int, pair: int, split_hands: SplitHands
) -> bool:
    """Whether splitting this pair, or optimizing its hands, can exhaust the shoe."""
    if int(game["shoe"] @ _PIPS) > MAX_HANDS * _MAX_HAND_PIPS + 2 * _HIGHEST_CARD:
        return False
    up = value_of(up_card) - 1
    split = Lines(table, game, up_card, split_hands.play(pair, up, 0))
    if split.split_may_run_out(pair):
        return True
    lines = Lines(table, game, up_card)
    if len(split_hands.preferences) > 1:
        return lines.optimizing_may_run_out(pair)
    return any(
        lines.may_run_out(UNSPLIT, 0, composition_index((pair, value))) for value in range(VALUES)
    )
