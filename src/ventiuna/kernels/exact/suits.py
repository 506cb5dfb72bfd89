"""Hands whose suits matter: two cards that a third may turn into a paid hand, and blackjacks.

Such hands are evaluated card by card, against each relevant up card, with the odds of the real
shoe. Everything else is played by composition only.

This includes splits of sixes, sevens and eights, or of tens by rank. Given that certain cards are
pair cards, every order of their suits is equally likely. So the suits of a hand's cards come from
all pair cards except the two that were dealt, and so does the suit of the first card of a hand that
was split off later.
"""

from typing import NamedTuple

import numpy as np

from ventiuna.core.actions import ACTIONS, DOUBLE, HIT, SPLIT, STAND, first_legal
from ventiuna.core.cards import CARDS, rank_of, suit_bit_of, value_of
from ventiuna.kernels.exact.play import (
    DRAWABLE,
    drawn_money_and_square,
    next_card_chances,
    preference_of,
)
from ventiuna.kernels.exact.splits import kind_of_split
from ventiuna.kernels.exact.tables import (
    BY_PAIR,
    DEALT,
    DOUBLED,
    FIGURES,
    GONE,
    LATER,
    MONEY,
    NOT_BY_PAIR,
    SQUARE,
    UNDOUBLED,
    UNSPLIT,
    VALUE,
    VALUES,
    Game,
    Ints,
    Plays,
    Scratch,
    SplitStrategy,
    SuitedPlays,
)
from ventiuna.kernels.jit import compiled, compiled_within

# --- Two and three cards ---


class KnownHand(NamedTuple):
    """A hand with known suits, against an up card."""

    kind: int
    place: int
    mask: int  # bit mask of its suits
    up_card: int


class ThirdCardPolicy(NamedTuple):
    """How three cards are played: by the values of a row of hands, or by a preference."""

    kind: int
    plays: Plays
    row: int
    optimize: bool


class TwoCards(NamedTuple):
    """Two known cards, the lower first, against an up card."""

    kind: int
    first: int
    second: int
    up_card: int


@compiled_within
def past_value(value: int) -> int:
    """Return one past the last card of a value; ten-valued cards are contiguous at the end."""
    return CARDS if value == VALUES - 1 else 4 * value + 4


@compiled_within
def count_of_value(left: Ints, value: int) -> int:
    """Count the cards of a value, given counts by card."""
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
    """Return the value of a stand with these suits; `waiting` if it is compared with the dealer."""
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
    game: Game, hand: KnownHand, judge: ThirdCardPolicy, preference: int, scratch: Scratch
) -> int:
    """Return the action for three cards of known suits.

    An optimizing player ranks the actions by the values of the judge's kind of hand, and takes the
    best action that is legal for this hand.
    """
    place, mask = hand.place, hand.mask
    legal = legal_by_suits(game, hand.kind, place, mask)
    if legal == 1 << STAND:
        return STAND
    if judge.optimize:
        for action in range(ACTIONS):
            scratch.third[0, action] = judge.plays.by_action[judge.row, action, place]
        scratch.third[0, STAND] = stand_by_suits(
            game, judge.kind, place, mask, hand.up_card, scratch.third[0, STAND]
        )
        preference = preference_of(scratch.third[0], legal_by_suits(game, judge.kind, place, mask))
    return first_legal(preference, legal)


@compiled_within
def stand_square(game: Game, plays: Plays, row: int, hand: KnownHand) -> float:
    """Return the mean square of a stand's result with these suits."""
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
    """Fill the scratch's `figures` for an action on three cards of known suits."""
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
    optimize: bool,
    scratch: Scratch,
) -> int:
    """Fill `found`, `money` and `square` of the scratch, by action, for two known cards.

    `shoe` counts by value the unseen cards plus the hand; `left` counts by card the possible suits
    of the next card. Returns the legal actions without splitting.
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
        return legal  # no card can be drawn; the values by composition already reflect that
    if legal >> DOUBLE & 1 == 1:
        money, square = drawn_money_and_square(game, plays, row, DOUBLED, place, scratch.chances[0])
        scratch.money[0, DOUBLE], scratch.square[0, DOUBLE] = money, square
    if legal >> HIT & 1 == 0:
        return legal
    money, square = drawn_money_and_square(game, plays, row, UNDOUBLED, place, scratch.chances[0])
    scratch.money[0, HIT], scratch.square[0, HIT] = money, square
    judge = ThirdCardPolicy(kind, plays, row, optimize)
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
    game: Game, kind: int, optimize: bool, plays: Plays, suited: SuitedPlays, scratch: Scratch
) -> None:
    """Evaluate all two-card hands card by card, against every distinguished up card."""
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
                    game, cards, shoe, left, plays, up, plays.preferences[up], optimize, scratch
                )
                for action in range(ACTIONS):
                    suited.values[pair, up_row, action] = scratch.found[0, action]
                    suited.wagered[pair, up_row, action] = scratch.money[0, action]
                    suited.squares[pair, up_row, action] = scratch.square[0, action]
                if optimize:
                    suited.preferences[pair, up_row] = preference_of(scratch.found[0], legal)
            left[first] += 1
            left[second] += 1
        shoe[up] += 1
        left[up_card] += 1


# --- Splits ---


class SplitTables(NamedTuple):
    """Inputs and working memory for splits by suits."""

    game: Game
    strategy: SplitStrategy
    plays: Plays  # unsplit hands
    played: Plays  # split hands, by pair cards gone
    scratch: Scratch


class PairAgainst(NamedTuple):
    """A pair against an up card."""

    pair: int
    up_card: int
    up_row: int
    available: int  # number of possible counts of additional pair cards gone, including 0


class SplitStart(NamedTuple):
    """The start of a split hand."""

    source: int
    first: int
    weight: float


@compiled_within
def look_at_second_cards(
    game: Game, pair: int, up: int, available: int, played: Plays, scratch: Scratch
) -> None:
    """Compute figures common to all suits: probabilities of the third card, money by action."""
    one = game.following[0, pair]
    for second in range(VALUES):
        place = game.following[one, second]
        scratch.by_pair[second] = 0
        if game.suited[place] == 1:
            completed = second
            if game.adds[place] > pair and game.hidden[game.following[place, pair]] == 1:
                completed = pair  # another pair card may complete the hand
            scratch.by_pair[second] = 1 if completed == pair else 0
    for gone in range(available):
        for second in range(VALUES):
            place = game.following[one, second]
            if game.suited[place] == 0 or scratch.second_chances[gone, second] == 0.0:
                continue
            chances = scratch.third_chances[second, gone]
            state = next_card_chances(game, place, scratch.gone_shoes[gone], up, chances)
            if state != DRAWABLE:
                for value in range(VALUES):
                    chances[value] = 0.0
            money, square = drawn_money_and_square(game, played, gone, UNDOUBLED, place, chances)
            scratch.hit_money[second, gone], scratch.hit_square[second, gone] = money, square
            money, square = drawn_money_and_square(game, played, gone, DOUBLED, place, chances)
            scratch.double_money[second, gone], scratch.double_square[second, gone] = money, square


@compiled_within
def _value_known_cards(
    tables: SplitTables,
    against: PairAgainst,
    first: int,
    second: int,
    preference: int,
    left: Ints,
) -> None:
    """Fill in the value and money, by cards gone, of a split hand with two known cards."""
    game, strategy, plays, played, scratch = tables
    pair, up_card = against.pair, against.up_card
    kind = kind_of_split(pair)
    up = value_of(up_card) - 1
    table = pair if strategy.by_pair == 1 else 0
    value = value_of(second) - 1
    place = game.following[game.following[0, pair], value]
    mask = suit_bit_of(first) | suit_bit_of(second)
    hand = KnownHand(kind, place, mask, up_card)
    chosen = first_legal(preference, legal_by_suits(game, kind, place, mask))
    for gone in range(against.available):
        result = played.by_action[gone, chosen, place]
        money = game.wager[0]
        square = result * result
        if chosen == STAND:
            result = stand_by_suits(game, kind, place, mask, up_card, result)
            square = stand_square(game, played, gone, hand)
        elif chosen == DOUBLE:
            money = scratch.double_money[value, gone]
            square = scratch.double_square[value, gone]
        elif chosen == HIT:
            money = scratch.hit_money[value, gone]
            square = scratch.hit_square[value, gone]
        scratch.card_values[VALUE, gone] = result
        scratch.card_values[MONEY, gone] = money
        scratch.card_values[SQUARE, gone] = square
    if chosen != HIT:
        return
    by_value = strategy.by_value == 1
    judge = ThirdCardPolicy(kind, played, 0, by_value)
    if strategy.judge_unsplit == 1:
        judge = ThirdCardPolicy(UNSPLIT, plays, up, by_value)
    for third in range(game.adds[place]):
        after = game.following[place, third]
        if game.hidden[after] == 0:
            continue
        cards = count_of_value(left, third)
        for card in range(4 * third, past_value(third)):
            if left[card] <= 0:
                continue
            grown = KnownHand(kind, after, mask | suit_bit_of(card), up_card)
            by_rule = strategy.preferences[table, up, 0, after]
            action = third_card_action(game, grown, judge, by_rule, scratch)
            share = left[card] / cards
            _add_third_card(tables, grown, action, share, value, third, against.available)


@compiled_within
def _add_third_card(
    tables: SplitTables,
    hand: KnownHand,
    action: int,
    share: float,
    second: int,
    third: int,
    available: int,
) -> None:
    """Add a third card to the figures of a hand that hits, for each number of pair cards gone."""
    game, played, scratch = tables.game, tables.played, tables.scratch
    row = game.suit_row[hand.place]
    is_fixed = action == STAND and not np.isnan(game.suit_pay[hand.kind, row, hand.mask])
    for gone in range(available):
        if gone == 0 or not is_fixed:
            value_three_cards(game, played, gone, hand, action, scratch.gone_shoes[gone], scratch)
        chance = scratch.third_chances[second, gone, third] * share
        if chance > 0.0:
            for figure in range(FIGURES):
                scratch.card_values[figure, gone] += chance * scratch.figures[0, figure]


@compiled_within
def _add_hand(
    tables: SplitTables, against: PairAgainst, start: SplitStart, by_pair: int, left: Ints
) -> None:
    """Add a hand's second cards to the sums of its source; `left` excludes its first card.

    `by_pair` selects either the second cards for which the pair's suits matter, or the others.
    """
    game, strategy, played, scratch = tables.game, tables.strategy, tables.played, tables.scratch
    pair, available = against.pair, against.available
    source, first, weight = start
    one = game.following[0, pair]
    table = pair if strategy.by_pair == 1 else 0
    for second in range(VALUES):
        if scratch.by_pair[second] != by_pair:
            continue
        place = game.following[one, second]
        if game.suited[place] == 0:
            for gone in range(available):
                scratch.card_values[VALUE, gone] = played.values[gone, 0, place]
                scratch.card_values[MONEY, gone] = played.wagered[gone, 0, place]
                scratch.card_values[SQUARE, gone] = played.squares[gone, 0, place]
            _add_second_card(source, weight, second, second == pair, available, scratch)
            continue
        cards = count_of_value(left, second)
        for card in range(4 * second, past_value(second)):
            if left[card] <= 0:
                continue
            share = weight * left[card] / cards
            row = game.pair_row[min(first, card), max(first, card)]
            preference = strategy.suited[table, row, against.up_row]
            left[card] -= 1
            _value_known_cards(tables, against, first, card, preference, left)
            left[card] += 1
            _add_second_card(source, share, second, second == pair, available, scratch)


@compiled_within
def _add_second_card(
    source: int, weight: float, second: int, is_pair: bool, available: int, scratch: Scratch
) -> None:
    for gone in range(available):
        chance = weight * scratch.second_chances[gone, second]
        if chance == 0.0:
            continue
        for figure in range(FIGURES):
            value = scratch.card_values[figure, gone]
            scratch.any_card[figure, source, gone] += chance * value
            if is_pair:
                scratch.pair_card[figure, source, gone] += weight * value


@compiled_within
def _clear_sums(scratch: Scratch) -> None:
    for figure in range(FIGURES):
        for source in range(2):
            for gone in range(GONE):
                scratch.any_card[figure, source, gone] = 0.0
                scratch.pair_card[figure, source, gone] = 0.0


@compiled_within
def value_first_cards(tables: SplitTables, against: PairAgainst, left: Ints) -> None:
    """Compute figures of each first card that don't depend on the pair's suits.

    `left` includes the first card.
    """
    scratch, pair = tables.scratch, against.pair
    for card in range(4 * pair, past_value(pair)):
        if left[card] <= 0:
            continue
        _clear_sums(scratch)
        _add_hand(tables, against, SplitStart(DEALT, card, 1.0), NOT_BY_PAIR, left)
        for figure in range(FIGURES):
            for gone in range(GONE):
                any_card = scratch.any_card[figure, DEALT, gone]
                pair_card = scratch.pair_card[figure, DEALT, gone]
                scratch.from_card[card - 4 * pair, figure, 0, gone] = any_card
                scratch.from_card[card - 4 * pair, figure, 1, gone] = pair_card


@compiled_within
def split_by_cards(
    tables: SplitTables, against: PairAgainst, first: int, second: int, left: Ints
) -> None:
    """Fill in the values of the hands after splitting two known cards; `left` excludes them."""
    game, scratch = tables.game, tables.scratch
    pair, available = against.pair, against.available
    one_rank = game.same_rank == 1
    pair_cards = 0
    for card in range(4 * pair, past_value(pair)):
        if not one_rank or rank_of(card) == rank_of(first):
            pair_cards += left[card]
    cards = count_of_value(left, pair)
    for gone in range(GONE):
        scratch.pair_chances[gone] = 0.0
        if gone < available and pair_cards > gone:
            # The cards gone are all pair cards, but their value may also include other ranks.
            share = (pair_cards - gone) / (cards - gone)
            scratch.pair_chances[gone] = scratch.second_chances[gone, pair] * share
    _clear_sums(scratch)
    has_by_pair = False
    for value in range(VALUES):
        if scratch.by_pair[value] == 1:
            has_by_pair = True
    # Either card is equally likely to be the first of the pair; a later hand begins with any of the
    # others.
    for start in range(2 + past_value(pair) - 4 * pair):
        card, source, weight = first, DEALT, 0.5
        if start == 1:
            card = second
        elif start > 1:
            card = 4 * pair + start - 2
            if left[card] <= 0 or (one_rank and rank_of(card) != rank_of(first)):
                continue
            source, weight = LATER, left[card] / pair_cards
        for figure in range(FIGURES):
            for gone in range(available):
                any_card = scratch.from_card[card - 4 * pair, figure, 0, gone]
                pair_card = scratch.from_card[card - 4 * pair, figure, 1, gone]
                scratch.any_card[figure, source, gone] += weight * any_card
                scratch.pair_card[figure, source, gone] += weight * pair_card
        if not has_by_pair:
            continue
        if source == LATER:
            left[card] -= 1
        _add_hand(tables, against, SplitStart(source, card, weight), BY_PAIR, left)
        if source == LATER:
            left[card] += 1
