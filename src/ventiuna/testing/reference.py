"""The base game in exact fractions, written as simply as possible, to verify the fast code.

Every hand is played card by card, every possible down card is considered, and split hands are
played one after the other. It is only feasible for packs of a few cards, but its results are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import lcm
from operator import mul
from typing import NamedTuple

from ventiuna.analysis.composition import Composition, EmptyShoe, SplitPlay, without_cards
from ventiuna.core import actions
from ventiuna.core.base_game import (
    blackjack_profit,
    compare,
    dealer_checks,
    dealer_draws,
    double_double_wager,
    has_won_already,
    is_dealer_blackjack,
    is_super_bonus,
    rescue_loss,
    row_profit,
    super_bonus_pay,
    surrender_loss,
    winning_row,
)
from ventiuna.core.cards import (
    CARDS,
    EMPTY_HAND,
    Hand,
    add_card,
    best_total,
    doubled_hand,
    is_blackjack,
    is_bust,
    rank_of,
    split_hand,
    value_of,
)
from ventiuna.core.refusals import LEGAL
from ventiuna.rules import Rules, compile_rules

Cards = tuple[int, ...]
Authority = tuple[tuple[int, int], ...]  # total and wager of hands waiting for the dealer
Stock = tuple[int, ...]  # number of each kind of card, in the order of the round's `kinds`

PLAYS = (
    actions.STAND,
    actions.HIT,
    actions.DOUBLE,
    actions.DOUBLE_DOUBLE,
    actions.SURRENDER,
    actions.RESCUE,
)


class Outcome(NamedTuple):
    """Expected outcome of a hand or a spot, in cents."""

    profit: Fraction
    square: Fraction  # square of the profit
    wagered: Fraction


def certain(profit: int, wagered: int) -> Outcome:
    return Outcome(Fraction(profit), Fraction(profit * profit), Fraction(wagered))


def mixed(parts: Iterable[tuple[Fraction, Outcome]]) -> Outcome:
    """The average of outcomes, weighted by their probabilities."""
    chances, outcomes = zip(*parts, strict=True)
    weights, total = _over_one_denominator(chances)
    means = []
    for values in zip(*outcomes, strict=True):
        # Add integers and reduce once; adding fractions one by one takes four times as long.
        numerators, denominator = _over_one_denominator(values)
        means.append(Fraction(sum(map(mul, weights, numerators)), total * denominator))
    return Outcome(*means)


def _over_one_denominator(fractions: Iterable[Fraction]) -> tuple[list[int], int]:
    ratios = [fraction.as_integer_ratio() for fraction in fractions]
    common = lcm(*(denominator for _, denominator in ratios))
    return [numerator * (common // denominator) for numerator, denominator in ratios], common


def added(profit: int, wagered: int, outcome: Outcome) -> Outcome:
    """Add a settled hand to the outcome of the rest of its spot."""
    return Outcome(
        outcome.profit + profit,
        outcome.square + 2 * profit * outcome.profit + profit * profit,
        outcome.wagered + wagered,
    )


def shape_of(cards: Iterable[int]) -> Hand:
    shape = EMPTY_HAND
    for card in cards:
        shape = add_card(shape, card)
    return shape


def split_twin(cards: Cards, shape: Hand) -> Hand:
    """The unsplit hand of the same cards and doublings."""
    twin = shape_of(cards)
    for _ in range(shape.doublings):
        twin = doubled_hand(twin)
    return twin


class ReferenceRound:
    """One up card and a shoe: the exact value of every possible action."""

    def __init__(
        self,
        rules: Rules,
        shoe: Composition,
        up: int,
        split_play: SplitPlay = SplitPlay.AS_UNSPLIT,
        base: int | None = None,
        super_bonus: bool = False,
    ) -> None:
        """`shoe` has all unseen cards before the player's are dealt, including the down card."""
        self.table = compile_rules(rules)
        self.kinds = tuple(card for card in range(CARDS) if shoe[card])
        self.shoe: Stock = tuple(shoe[card] for card in self.kinds)
        self.up = up
        self.split_play = split_play
        self.base = base if base is not None else self._smallest_base()
        self.super_pay = super_bonus_pay(self.table, self.base) if super_bonus else 0
        self._values: dict[tuple[Cards, Hand, Stock], dict[int, Outcome]] = {}
        self._next: dict[Stock, dict[int, Fraction]] = {}
        self._totals: dict[Stock, dict[int, Fraction]] = {}
        self._dealer: dict[tuple[Stock, int, int], dict[int, Fraction]] = {}
        self._splits: dict[object, Outcome] = {}
        self._chosen: dict[tuple[Cards, Hand], int] = {}

    def _smallest_base(self) -> int:
        """The smallest wager in cents for which every payout is a whole number of cents."""
        return 2 * lcm(self.table.blackjack_den, self.table.diamond_den, *self.table.bonus_den)

    @cached_property
    def wagers(self) -> tuple[int, ...]:
        """The total wager on a hand after 0, 1, 2 and 3 doublings."""
        found = [self.base, 2 * self.base]
        while len(found) < 4:
            found.append(found[-1] + double_double_wager(self.table, found[-1]))
        return tuple(found)

    # --- unseen cards -------------------------------------------------------------------------

    def without(self, stock: Stock, cards: Iterable[int]) -> Stock:
        remaining = list(stock)
        for card in cards:
            remaining[self.kinds.index(card)] -= 1
        return tuple(remaining)

    def cards_of(self, stock: Stock) -> Iterator[tuple[int, Fraction, Stock]]:
        """Each possible card, its probability, and the remaining cards."""
        cards = sum(stock)
        if cards == 0:
            raise EmptyShoe(cards)
        for kind, count in enumerate(stock):
            if count:
                remaining = (*stock[:kind], count - 1, *stock[kind + 1 :])
                yield self.kinds[kind], Fraction(count, cards), remaining

    def down_cards(self, unseen: Stock) -> list[tuple[int, Fraction, Stock]]:
        """Each possible down card; the dealer has checked that it doesn't make a blackjack."""
        checked = dealer_checks(self.up)
        possible = [
            (card, chance, remaining)
            for card, chance, remaining in self.cards_of(unseen)
            if not (checked and is_dealer_blackjack(self.up, card))
        ]
        total = sum((chance for _, chance, _ in possible), Fraction())
        return [(card, chance / total, remaining) for card, chance, remaining in possible]

    def next_cards(self, unseen: Stock) -> dict[int, Fraction]:
        """Probabilities of the next card, given that the down card is already out."""
        if unseen not in self._next:
            found: dict[int, Fraction] = {}
            for _, chance, stock in self.down_cards(unseen):
                for card, inner, _ in self.cards_of(stock):
                    found[card] = found.get(card, Fraction()) + chance * inner
            self._next[unseen] = found
        return self._next[unseen]

    def dealer_totals(self, unseen: Stock) -> dict[int, Fraction]:
        if unseen not in self._totals:
            found: dict[int, Fraction] = {}
            for down, chance, stock in self.down_cards(unseen):
                for total, inner in self._after_down_card(stock, down).items():
                    found[total] = found.get(total, Fraction()) + chance * inner
            self._totals[unseen] = found
        return self._totals[unseen]

    def _after_down_card(self, stock: Stock, down: int) -> dict[int, Fraction]:
        hard = value_of(self.up) + value_of(down)
        aces = sum(1 for card in (self.up, down) if rank_of(card) == 1)
        return self._drawing(stock, hard, aces)

    def _drawing(self, stock: Stock, hard: int, aces: int) -> dict[int, Fraction]:
        if not dealer_draws(self.table, hard, aces):
            return {min(best_total(hard, aces), 22): Fraction(1)}
        key = (stock, hard, aces)
        if key not in self._dealer:
            found: dict[int, Fraction] = {}
            for card, chance, remaining in self.cards_of(stock):
                ace = 1 if rank_of(card) == 1 else 0
                following = self._drawing(remaining, hard + value_of(card), aces + ace)
                for total, inner in following.items():
                    found[total] = found.get(total, Fraction()) + chance * inner
            self._dealer[key] = found
        return self._dealer[key]

    # --- one hand -----------------------------------------------------------------------------

    def plays(self, cards: Cards) -> dict[int, Outcome]:
        """Outcome of each action on the first cards of a hand, including splitting."""
        shape = shape_of(cards)
        unseen = self.without(self.shoe, cards)
        found = dict(self.outcomes_by_action(cards, shape, unseen))
        if actions.refusal(self.table, actions.SPLIT, shape, 1) == LEGAL:
            found[actions.SPLIT] = self.split(cards)
        return found

    def outcomes_by_action(self, cards: Cards, shape: Hand, unseen: Stock) -> dict[int, Outcome]:
        """Outcome of every action except splitting, with best play afterward."""
        cards = tuple(sorted(cards))
        key = (cards, shape, unseen)
        if key not in self._values:
            self._values[key] = {
                action: self._outcomes(action, cards, shape, unseen)
                for action in PLAYS
                if actions.refusal(self.table, action, shape, self.table.split_hands) == LEGAL
            }
        return self._values[key]

    def _outcomes(self, action: int, cards: Cards, shape: Hand, unseen: Stock) -> Outcome:
        wager = self.wagers[shape.doublings]
        if action == actions.STAND:
            return self._stood(shape, unseen)
        if action == actions.SURRENDER:
            return certain(-surrender_loss(wager), wager)
        if action == actions.RESCUE:
            portion = wager - self.wagers[shape.doublings - 1]
            return certain(-rescue_loss(wager, portion), wager)
        if action in (actions.DOUBLE, actions.DOUBLE_DOUBLE):
            shape = doubled_hand(shape)
        return mixed(
            (
                chance,
                self._after((*cards, card), add_card(shape, card), self.without(unseen, (card,))),
            )
            for card, chance in self.next_cards(unseen).items()
        )

    def _after(self, cards: Cards, shape: Hand, unseen: Stock) -> Outcome:
        wager = self.wagers[shape.doublings]
        if is_bust(shape):
            return certain(-wager, wager)
        if has_won_already(self.table, shape):
            return self._stood(shape, unseen)
        return best_of(self.outcomes_by_action(cards, shape, unseen))

    def _stood(self, shape: Hand, unseen: Stock) -> Outcome:
        wager = self.wagers[shape.doublings]
        paid = self._paid_at_once(shape)
        if paid is not None:
            return certain(paid, wager)
        total = best_total(shape.hard, shape.aces)
        return mixed(
            (chance, certain(wager * compare(total, dealer), wager))
            for dealer, chance in self.dealer_totals(unseen).items()
        )

    def _paid_at_once(self, shape: Hand) -> int | None:
        wager = self.wagers[shape.doublings]
        if is_blackjack(shape):
            return blackjack_profit(self.table, shape, wager)
        row = winning_row(self.table, shape)
        if row < 0:
            return None
        extra = self.super_pay if is_super_bonus(self.table, shape, self.up) else 0
        return row_profit(self.table, row, wager) + extra

    # --- split hands --------------------------------------------------------------------------

    def split(self, pair: Cards) -> Outcome:
        """Outcome of both hands and any resplits, played in order (O-30).

        This is the average over both orders of the pair, which differ slightly if suits matter.
        """
        unseen = self.without(self.shoe, pair)
        orders = [
            tuple(((card,), split_hand(card)) for card in cards) for cards in (pair, pair[::-1])
        ]
        return mixed(
            (chance / 2, self._spot(waiting, 2, (), stock, down))
            for waiting in orders
            for down, chance, stock in self.down_cards(unseen)
        )

    def _spot(
        self,
        waiting: tuple[tuple[Cards, Hand], ...],
        hands: int,
        standing: Authority,
        stock: Stock,
        down: int,
    ) -> Outcome:
        """Outcome of the rest of a spot, including its standing hands."""
        key = (waiting, hands, standing, stock, down)
        if key not in self._splits:
            self._splits[key] = self._spot_goes_on(waiting, hands, standing, stock, down)
        return self._splits[key]

    def _spot_goes_on(
        self,
        waiting: tuple[tuple[Cards, Hand], ...],
        hands: int,
        standing: Authority,
        stock: Stock,
        down: int,
    ) -> Outcome:
        if not waiting:
            return self._compared(standing, stock, down)
        (cards, shape), *others = waiting
        rest = tuple(others)
        wager = self.wagers[shape.doublings]
        if len(cards) == 1:
            return self._drawn(cards, shape, rest, hands, standing, stock, down)
        if is_bust(shape):
            return added(-wager, wager, self._spot(rest, hands, standing, stock, down))
        action = self._action_of_split_hand(cards, shape, hands)
        if action == actions.SPLIT:
            twins = tuple(((card,), split_hand(card)) for card in cards)
            return self._spot(twins + rest, hands + 1, standing, stock, down)
        if action == actions.STAND:
            paid = self._paid_at_once(shape)
            if paid is not None:
                return added(paid, wager, self._spot(rest, hands, standing, stock, down))
            total = best_total(shape.hard, shape.aces)
            stood = tuple(sorted((*standing, (total, wager))))
            return self._spot(rest, hands, stood, stock, down)
        if action == actions.SURRENDER:
            after = self._spot(rest, hands, standing, stock, down)
            return added(-surrender_loss(wager), wager, after)
        if action == actions.RESCUE:
            loss = rescue_loss(wager, wager - self.wagers[shape.doublings - 1])
            return added(-loss, wager, self._spot(rest, hands, standing, stock, down))
        if action in (actions.DOUBLE, actions.DOUBLE_DOUBLE):
            shape = doubled_hand(shape)
        return self._drawn(cards, shape, rest, hands, standing, stock, down)

    def _drawn(
        self,
        cards: Cards,
        shape: Hand,
        rest: tuple[tuple[Cards, Hand], ...],
        hands: int,
        standing: Authority,
        stock: Stock,
        down: int,
    ) -> Outcome:
        """Draw a card for the hand; in a split hand the first card stays first."""
        parts = []
        for card, chance, remaining in self.cards_of(stock):
            grown = (*cards, card)
            if len(grown) > 2:
                grown = (grown[0], *sorted(grown[1:]))
            waiting = ((grown, add_card(shape, card)), *rest)
            parts.append((chance, self._spot(waiting, hands, standing, remaining, down)))
        return mixed(parts)

    def _compared(self, standing: Authority, stock: Stock, down: int) -> Outcome:
        if not standing:
            return certain(0, 0)
        wagered = sum(wager for _, wager in standing)
        return mixed(
            (
                chance,
                certain(sum(wager * compare(total, dealer) for total, wager in standing), wagered),
            )
            for dealer, chance in self._after_down_card(stock, down).items()
        )

    def _action_of_split_hand(self, cards: Cards, shape: Hand, hands: int) -> int:
        if has_won_already(self.table, shape):
            return actions.STAND
        if actions.refusal(self.table, actions.SPLIT, shape, hands) == LEGAL:
            return actions.SPLIT
        key = (cards, shape)
        if key not in self._chosen:
            if self.split_play == SplitPlay.AS_UNSPLIT:
                self._chosen[key] = self._as_unsplit(cards, shape)
            else:
                self._chosen[key] = self._reoptimised(cards, shape)
        return self._chosen[key]

    def _as_unsplit(self, cards: Cards, shape: Hand) -> int:
        twin = split_twin(cards, shape)
        values = self.outcomes_by_action(cards, twin, self.without(self.shoe, cards))
        return best_action(
            {
                action: outcome.profit
                for action, outcome in values.items()
                if actions.refusal(self.table, action, shape, self.table.split_hands) == LEGAL
            }
        )

    def _reoptimised(self, cards: Cards, shape: Hand) -> int:
        """The best action for these cards with one more pair card, of any suit, removed."""
        unseen = self.without(self.shoe, cards)
        values: dict[int, Fraction] = {}
        for card, chance, remaining in self.cards_of(unseen):
            if value_of(card) != value_of(cards[0]):
                continue
            for action, outcome in self.outcomes_by_action(cards, shape, remaining).items():
                values[action] = values.get(action, Fraction()) + chance * outcome.profit
        return best_action(values)

    # --- the whole deal -----------------------------------------------------------------------

    def deal(self, cards: Cards) -> Outcome:
        """A two-card hand against this up card, including the dealer's check."""
        shape = shape_of(cards)
        unseen = self.without(self.shoe, cards)
        checked = sum(
            (
                chance
                for card, chance, _ in self.cards_of(unseen)
                if is_dealer_blackjack(self.up, card)
            ),
            Fraction(),
        )
        parts: list[tuple[Fraction, Outcome]] = []
        if checked:
            parts.append((checked, certain(self._against_blackjack(shape), self.base)))
        if checked < 1:
            parts.append((1 - checked, best_of(self.plays(cards))))
        return mixed(parts)

    def _against_blackjack(self, shape: Hand) -> int:
        if not is_blackjack(shape):
            return -self.base
        if self.table.blackjack_beats_blackjack:
            return blackjack_profit(self.table, shape, self.base)
        return 0


def best_action(values: dict[int, Fraction]) -> int:
    """The best action; the first in action order if there is a tie."""
    return max(sorted(values), key=lambda action: values[action])


def best_of(by_action: dict[int, Outcome]) -> Outcome:
    values = {action: outcome.profit for action, outcome in by_action.items()}
    return by_action[best_action(values)]


def reference_outcome(
    rules: Rules,
    composition: Composition,
    split_play: SplitPlay = SplitPlay.AS_UNSPLIT,
    base: int | None = None,
    super_bonus: bool = False,
) -> tuple[Outcome, int]:
    """Expected outcome of a round from this shoe with best play, and the base wager in cents."""
    cards = sum(composition)
    parts: list[tuple[Fraction, Outcome]] = []
    wager = 0
    for up in range(CARDS):
        if not composition[up]:
            continue
        shoe = without_cards(composition, (up,))
        game = ReferenceRound(rules, shoe, up, split_play, base, super_bonus)
        wager = game.base
        for first, second in combinations_with_replacement(range(CARDS), 2):
            ways = shoe[first] * (shoe[second] - (first == second)) * (1 + (first != second))
            if ways > 0:
                chance = Fraction(composition[up] * ways, cards * (cards - 1) * (cards - 2))
                parts.append((chance, game.deal((first, second))))
    return mixed(parts), wager
