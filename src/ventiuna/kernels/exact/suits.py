"""Hands whose suits count: two cards that a third may turn into a paid hand, and blackjacks.

Such hands are looked at card by card, against each up card that matters, with the odds of the
real shoe. Everything else is played by composition alone.
"""

from typing import NamedTuple

import numpy as np

from ventiuna.core.actions import ACTIONS, DOUBLE, HIT, SPLIT, STAND
from ventiuna.core.cards import CARDS, suit_bit_of, value_of
from ventiuna.core.preferences import first_legal
from ventiuna.kernels.exact.lattice import VALUES, Ints
from ventiuna.kernels.exact.play import (
    DRAWABLE,
    drawn_money_and_square,
    next_card_chances,
    preference_of,
)
from ventiuna.kernels.exact.records import (
    DOUBLED,
    MONEY,
    SQUARE,
    UNDOUBLED,
    UNSPLIT,
    VALUE,
    Game,
    Plays,
    Scratch,
    SuitedPlays,
)
from ventiuna.kernels.jit import compiled, compiled_within


class KnownHand(NamedTuple):
    """A hand whose suits are known, against an up card."""

    kind: int
    place: int
    mask: int  # of its suits
    up_card: int


class Judge(NamedTuple):
    """By what three cards are played: the values of a row of hands, or a preference."""

    kind: int
    plays: Plays
    row: int
    optimise: bool


class TwoCards(NamedTuple):
    """Two known cards, the lower first, against an up card."""

    kind: int
    first: int
    second: int
    up_card: int


@compiled_within
def past_value(value: int) -> int:
    """One past the last card of a value; ten-valued cards follow each other to the end."""
    return CARDS if value == VALUES - 1 else 4 * value + 4


@compiled_within
def count_of_value(left: Ints, value: int) -> int:
    """Cards of a value among counts by card."""
    count = 0
    for card in range(4 * value, past_value(value)):
        count += left[card]
    return count


@compiled
def legal_by_suits(game: Game, kind: int, place: int, mask: int) -> int:
    row = game.suit_row[place]
    legal: int = game.legal[kind, 0, place] if row < 0 else game.suit_legal[kind, row, mask]
    return legal & ~(1 << SPLIT)


@compiled
def stand_by_suits(
    game: Game, kind: int, place: int, mask: int, up_card: int, waiting: float
) -> float:
    """What a stand is worth with these suits; `waiting` if it is compared with the dealer."""
    row = game.suit_row[place]
    if row < 0:
        return waiting
    pay = game.suit_pay[kind, row, mask]
    value = waiting if np.isnan(pay) else pay
    if place == game.super_place and kind == UNSPLIT:
        value += game.super_pay[mask, up_card]
    return value


@compiled_within
def third_card_action(
    game: Game, hand: KnownHand, judge: Judge, preference: int, scratch: Scratch
) -> int:
    """What is done with three cards of known suits.

    An optimising player goes by the values of a hand of the judge's kind, and does the best of
    what this kind of hand may do.
    """
    place, mask = hand.place, hand.mask
    legal = legal_by_suits(game, hand.kind, place, mask)
    if legal == 1 << STAND:
        return STAND
    if judge.optimise:
        for action in range(ACTIONS):
            scratch.third[0, action] = judge.plays.by_action[judge.row, action, place]
        scratch.third[0, STAND] = stand_by_suits(
            game, judge.kind, place, mask, hand.up_card, scratch.third[0, STAND]
        )
        preference = preference_of(scratch.third[0], legal_by_suits(game, judge.kind, place, mask))
    return first_legal(preference, legal)


@compiled_within
def stand_square(game: Game, plays: Plays, row: int, hand: KnownHand) -> float:
    """The square of a stand's result, on average, with these suits."""
    kind, place = hand.kind, hand.place
    decided: float = plays.decided[row, place]
    value = stand_by_suits(game, kind, place, hand.mask, hand.up_card, np.nan)
    if game.suit_row[place] < 0 and game.paid[kind, 0, place] == 1:
        value = game.pay[kind, 0, place]
    return decided if np.isnan(value) else value * value


@compiled_within
def value_three_cards(
    game: Game, plays: Plays, row: int, hand: KnownHand, chosen: int, shoe: Ints, scratch: Scratch
) -> None:
    """Fill the `figures` of the scratch for an action taken with three cards of known suits."""
    place = hand.place
    value = plays.by_action[row, chosen, place]
    money = game.wager[0]
    square = value * value
    if chosen == STAND:
        value = stand_by_suits(game, hand.kind, place, hand.mask, hand.up_card, value)
        square = stand_square(game, plays, row, hand)
    elif chosen == HIT or chosen == DOUBLE:
        doublings = DOUBLED if chosen == DOUBLE else UNDOUBLED
        up = value_of(hand.up_card) - 1
        next_card_chances(game, place, shoe, up, scratch.further[0])
        money, square = drawn_money_and_square(
            game, plays, row, doublings, place, scratch.further[0]
        )
    scratch.figures[0, VALUE] = value
    scratch.figures[0, MONEY] = money
    scratch.figures[0, SQUARE] = square


@compiled_within
def value_two_cards(
    game: Game,
    cards: TwoCards,
    shoe: Ints,
    left: Ints,
    plays: Plays,
    row: int,
    preferences: Ints,
    optimise: bool,
    scratch: Scratch,
) -> int:
    """Fill `found`, `money` and `square` of the scratch, by action, for two known cards.

    `shoe` counts by value what is unseen, and the hand; `left` counts by card what the suits of
    the next card are taken from. Returns the legal actions, splitting left out.
    """
    kind, up_card = cards.kind, cards.up_card
    place = game.pair_place[game.pair_row[cards.first, cards.second]]
    up = value_of(up_card) - 1
    mask = suit_bit_of(cards.first) | suit_bit_of(cards.second)
    legal = legal_by_suits(game, kind, place, mask)
    for action in range(ACTIONS):
        scratch.found[0, action] = plays.by_action[row, action, place]
        scratch.money[0, action] = game.wager[0]
        scratch.square[0, action] = scratch.found[0, action] ** 2
    waiting = scratch.found[0, STAND]
    scratch.found[0, STAND] = stand_by_suits(game, kind, place, mask, up_card, waiting)
    scratch.square[0, STAND] = stand_square(game, plays, row, KnownHand(kind, place, mask, up_card))
    if next_card_chances(game, place, shoe, up, scratch.chances[0]) != DRAWABLE:
        return legal  # nothing can be drawn, and the values by composition say so
    if legal >> DOUBLE & 1 == 1:
        money, square = drawn_money_and_square(game, plays, row, DOUBLED, place, scratch.chances[0])
        scratch.money[0, DOUBLE], scratch.square[0, DOUBLE] = money, square
    if legal >> HIT & 1 == 0:
        return legal
    money, square = drawn_money_and_square(game, plays, row, UNDOUBLED, place, scratch.chances[0])
    scratch.money[0, HIT], scratch.square[0, HIT] = money, square
    judge = Judge(kind, plays, row, optimise)
    for value in range(game.adds[place]):
        after = game.following[place, value]
        if game.hidden[after] == 0 or scratch.chances[0, value] == 0.0:
            continue
        share = scratch.chances[0, value] / count_of_value(left, value)
        for card in range(4 * value, past_value(value)):
            if left[card] <= 0:
                continue
            grown = KnownHand(kind, after, mask | suit_bit_of(card), up_card)
            chosen = third_card_action(game, grown, judge, preferences[0, after], scratch)
            value_three_cards(game, plays, row, grown, chosen, shoe, scratch)
            chance = share * left[card]
            scratch.found[0, HIT] += chance * scratch.figures[0, VALUE]
            scratch.money[0, HIT] += chance * scratch.figures[0, MONEY]
            scratch.square[0, HIT] += chance * scratch.figures[0, SQUARE]
    return legal


@compiled
def value_suited_hands(
    game: Game, kind: int, optimise: bool, plays: Plays, suited: SuitedPlays, scratch: Scratch
) -> None:
    """All hands of two cards looked at card by card, against every up card told apart."""
    left, shoe = scratch.left[0], scratch.shoe[0]
    for card in range(CARDS):
        left[card] = game.composition[card]
    for value in range(VALUES):
        shoe[value] = game.shoe[value]
    for up_row in range(game.ups):
        up_card, up = game.up_card[up_row], game.up_value[up_row]
        shoe[up] -= 1
        left[up_card] -= 1
        for pair in range(game.pairs):
            first, second = game.pair_first[pair], game.pair_second[pair]
            left[first] -= 1
            left[second] -= 1
            if left[first] >= 0 and left[second] >= 0:
                cards = TwoCards(kind, first, second, up_card)
                legal = value_two_cards(
                    game, cards, shoe, left, plays, up, plays.preferences[up], optimise, scratch
                )
                for action in range(ACTIONS):
                    suited.values[pair, up_row, action] = scratch.found[0, action]
                    suited.wagered[pair, up_row, action] = scratch.money[0, action]
                    suited.squares[pair, up_row, action] = scratch.square[0, action]
                if optimise:
                    suited.preferences[pair, up_row] = preference_of(scratch.found[0], legal)
            left[first] += 1
            left[second] += 1
        shoe[up] += 1
        left[up_card] += 1
