"""One hand against one up card: the value of every action for every composition.

`core` is called once per composition for its legal actions and payouts. Compositions are processed
from most cards to fewest, so that the results of drawing a card are already known. All money is in
base wagers. Values apply after the dealer's check, if there is one.
"""

import numpy as np

from ventiuna.core.actions import (
    ACTION_BITS,
    ACTIONS,
    DOUBLE,
    DOUBLE_DOUBLE,
    HIT,
    NO_ACTION,
    RESCUE,
    SPLIT,
    STAND,
    SURRENDER,
    first_legal,
    refusal,
)
from ventiuna.core.base_game import PUSHES, blackjack_profit, compare, row_profit, winning_row
from ventiuna.core.cards import KING, Hand, best_total, is_blackjack, one_of_rank
from ventiuna.core.refusals import LEGAL
from ventiuna.core.rule_table import RuleTable
from ventiuna.kernels.exact.dealer import TOTALS
from ventiuna.kernels.exact.tables import (
    ACE_VALUE,
    COMPOSITIONS,
    DECIDED,
    KINDS,
    SPLIT_ACE_HAND,
    SUIT_MASKS,
    TEN_VALUE,
    UNDOUBLED,
    UNSPLIT,
    VALUES,
    WAITING,
    Floats,
    Game,
    Ints,
    Plays,
)
from ventiuna.kernels.jit import compiled, compiled_within

# --- Legal actions and payments of every composition ---

# Suits matter for only a few hands, which are evaluated by suits; all others use these two suits.
SOME_SUITS = 0b0011


@compiled_within
def composition_hand(game: Game, place: int, suits: int, kind: int, doublings: int) -> Hand:
    """Return the hand of a composition, with kings for ten-valued cards."""
    ranks = 0
    for value in range(VALUES):
        rank = KING if value == TEN_VALUE else value + 1
        ranks += game.counts[place, value] * one_of_rank(rank)
    return Hand(
        game.cards[place],
        game.hard[place],
        game.counts[place, ACE_VALUE],
        ranks,
        suits,
        doublings,
        0 if kind == UNSPLIT else 1,
        1 if kind == SPLIT_ACE_HAND else 0,
    )


@compiled_within
def paid_at_once(rules: RuleTable, hand: Hand) -> float:
    """Return the profit per unit wagered if the hand stands, or NaN if it waits for the dealer."""
    if is_blackjack(hand):
        unit: int = rules.blackjack_den * rules.diamond_den
        return blackjack_profit(rules, hand, unit) / unit
    row = winning_row(rules, hand)
    if row < 0:
        return np.nan
    unit = rules.bonus_den[row]
    return row_profit(rules, row, unit) / unit


@compiled_within
def legal_actions(rules: RuleTable, hand: Hand, hands: int) -> int:
    """Return a bit per legal action. A hand that has already won can only be paid, like a stand."""
    bits = 1 << STAND
    for action in range(ACTIONS):
        if refusal(rules, action, hand, hands) == LEGAL:
            bits |= 1 << action
    return bits


@compiled
def fill_hand_tables(rules: RuleTable, game: Game) -> None:
    """Fill the tables for all compositions of two or more cards."""
    for place in range(COMPOSITIONS):
        game.total[place] = best_total(game.hard[place], game.counts[place, ACE_VALUE])
        if game.cards[place] < 2:
            continue
        for kind in range(KINDS):
            hands = 1 if kind == UNSPLIT else rules.split_hands
            for doublings in range(rules.doublings_at_most + 1):
                hand = composition_hand(game, place, SOME_SUITS, kind, doublings)
                game.legal[kind, doublings, place] = legal_actions(rules, hand, hands)
                if doublings < 2:
                    pay = paid_at_once(rules, hand)
                    game.paid[kind, doublings, place] = 0 if np.isnan(pay) else 1
                    game.pay[kind, doublings, place] = pay


@compiled
def fill_suit_tables(rules: RuleTable, game: Game, places: Ints) -> None:
    """Fill the tables by suits for these undoubled hands, whose payouts come only from them."""
    for row in range(places.shape[0]):
        place = places[row]
        game.suit_row[place] = row
        for kind in range(KINDS):
            hands = 1 if kind == UNSPLIT else rules.split_hands
            game.paid[kind, 0, place] = 0
            for mask in range(1, SUIT_MASKS):
                hand = composition_hand(game, place, mask, kind, 0)
                game.suit_pay[kind, row, mask] = paid_at_once(rules, hand)
                game.suit_legal[kind, row, mask] = legal_actions(rules, hand, hands)


# --- Values of actions ---

# Values closer than this are equal, and the first action in `core` is preferred. So rounding never
# decides how a split hand is played.
TIE = 1e-12

_LOWEST = 16  # represents all totals below 17
_DEALER_TOTALS = (*range(17, 17 + TOTALS), 22)
# Result of each player total against each dealer total: see `Game.against`.
AGAINST_DEALER = np.array(
    [[float(compare(total, dealer)) for dealer in _DEALER_TOTALS] for total in range(_LOWEST, 22)]
)

IMPOSSIBLE, NO_CARD, DRAWABLE = 0, 1, 2
DRAWING = 1 << HIT | 1 << DOUBLE | 1 << DOUBLE_DOUBLE  # actions that draw a card


@compiled_within
def preference_of(found: Floats, legal: int) -> int:
    """Return the legal actions from best to worst."""
    preference = 0
    shift = 0
    left = legal
    while left != 0:
        best = -1
        for action in range(ACTIONS):
            if left >> action & 1 == 1 and (best < 0 or found[action] > found[best] + TIE):
                best = action
        preference |= best << shift
        shift += ACTION_BITS
        left &= ~(1 << best)
    return preference | NO_ACTION << shift


@compiled_within
def blackjack_value(up: int) -> int:
    """Return the down card value that makes a blackjack with this up card, or -1."""
    if up == ACE_VALUE:
        return TEN_VALUE
    return ACE_VALUE if up == TEN_VALUE else -1


@compiled
def next_card_chances(game: Game, place: int, shoe: Ints, up: int, chances: Floats) -> int:
    """Fill in the next card's probabilities by value; return whether hand and card can occur.

    The `shoe` minus the hand is unseen, including the down card. After a check, that card can't
    make a blackjack, so values that would make one are slightly more likely to be drawn, and all
    others slightly less.
    """
    cards = 0
    for value in range(VALUES):
        left = shoe[value] - game.counts[place, value]
        if left < 0:
            return IMPOSSIBLE
        chances[value] = left
        cards += left
    special = blackjack_value(up)
    against = 0.0 if special < 0 else chances[special]
    others = cards - against
    if others < 1.0:
        return IMPOSSIBLE
    if cards < 2:
        return NO_CARD
    share = 1.0 / cards if special < 0 else (others - 1.0) / (others * (cards - 1))
    for value in range(VALUES):
        chances[value] *= share
    if special >= 0:
        chances[special] = against / (cards - 1)
    return DRAWABLE


@compiled_within
def compare_with_dealer(game: Game, total: int, chances: Floats) -> tuple[float, float]:
    """Return the expected result of a unit wager that waits, and its probability of not pushing."""
    against = game.against[max(total - _LOWEST, 0)]
    value, pushes, bust = 0.0, 0.0, 1.0
    for number in range(TOTALS):
        chance = chances[number]
        bust -= chance
        value += chance * against[number]
        if against[number] == PUSHES:
            pushes += chance
    return value + bust * against[TOTALS], 1.0 - pushes


@compiled_within
def drawn_value(
    game: Game, plays: Plays, row: int, doublings: int, place: int, chances: Floats
) -> float:
    """Return the value of drawing a card to a hand that then has this many doublings."""
    value = 0.0
    adds = game.adds[place]
    for card in range(adds):
        value += chances[card] * plays.values[row, doublings, game.following[place, card]]
    for card in range(adds, VALUES):
        value -= chances[card] * game.bust_loss[doublings]
    return value


@compiled_within
def drawn_money_and_square(
    game: Game, plays: Plays, row: int, doublings: int, place: int, chances: Floats
) -> tuple[float, float]:
    """Return the total wager on a hand that draws a card, and the mean square of its result."""
    money, square = 0.0, 0.0
    adds = game.adds[place]
    for card in range(adds):
        following = game.following[place, card]
        money += chances[card] * plays.wagered[row, doublings, following]
        square += chances[card] * plays.squares[row, doublings, following]
    for card in range(adds, VALUES):
        money += chances[card] * game.wager[doublings]
        square += chances[card] * game.wager[doublings] ** 2
    return money, square


@compiled_within
def play_hands(
    game: Game,
    kind: int,
    shoe: Ints,
    up: int,
    places: Ints,
    compared: Floats,
    optimize: bool,
    preferences: Ints,
    plays: Plays,
    row: int,
) -> None:
    """Evaluate the compositions in `places` (fewest cards first) for one shoe and up card.

    `compared[:, place]` is the value of waiting for the dealer and the probability of no push.
    Fills a row of `plays`.

    `preferences[doublings, place]` are filled when optimizing and followed otherwise. Results that
    depend on suits are not included: a hidden composition counts as 0 in the draw that leads to it,
    and the caller, which knows the suits, adds its value.
    """
    chances = np.empty(VALUES)
    found = np.empty(ACTIONS)
    for number in range(places.shape[0] - 1, -1, -1):
        place = places[number]
        state = next_card_chances(game, place, shoe, up, chances)
        if state == IMPOSSIBLE:
            continue
        if state == NO_CARD:
            for value in range(VALUES):
                chances[value] = 0.0
        most = min(game.doublings_at_most, game.cards[place] - 2)
        for doublings in range(most, -1, -1):
            legal = game.legal[kind, doublings, place] & ~(1 << SPLIT)
            value_actions(
                game,
                kind,
                place,
                doublings,
                legal,
                chances,
                compared[WAITING, place],
                plays,
                row,
                found,
            )
            if optimize:
                preferences[doublings, place] = preference_of(found, legal)
            chosen = first_legal(preferences[doublings, place], legal)
            result = found[chosen]
            plays.values[row, doublings, place] = result
            money = game.wager[doublings]
            square = result * result
            if 1 << chosen & DRAWING != 0:
                after = UNDOUBLED if chosen == HIT else doublings + 1
                money, square = drawn_money_and_square(game, plays, row, after, place, chances)
            elif chosen == STAND and game.paid[kind, min(doublings, 1), place] == 0:
                square = game.wager[doublings] ** 2 * compared[DECIDED, place]
            plays.wagered[row, doublings, place] = money
            plays.squares[row, doublings, place] = square
        for action in range(ACTIONS):
            plays.by_action[row, action, place] = found[action]
        plays.decided[row, place] = compared[DECIDED, place]
        if game.hidden[place] == 1:
            plays.values[row, 0, place] = 0.0
            plays.wagered[row, 0, place] = 0.0
            plays.squares[row, 0, place] = 0.0


@compiled_within
def value_actions(
    game: Game,
    kind: int,
    place: int,
    doublings: int,
    legal: int,
    chances: Floats,
    compared: float,
    plays: Plays,
    row: int,
    found: Floats,
) -> None:
    """Fill `found` with the value of each legal action of one hand."""
    doubled = 1 if doublings > 0 else 0
    if game.paid[kind, doubled, place] == 1:
        found[STAND] = game.wager[doublings] * game.pay[kind, doubled, place]
    elif legal >> STAND & 1 == 1:
        found[STAND] = game.wager[doublings] * compared
    if legal >> SURRENDER & 1 == 1:
        found[SURRENDER] = -game.surrender_loss[doublings]
    if legal >> RESCUE & 1 == 1:
        found[RESCUE] = -game.rescue_loss[doublings]
    if legal >> HIT & 1 == 1:
        found[HIT] = drawn_value(game, plays, row, UNDOUBLED, place, chances)
    further = DOUBLE if doublings == 0 else DOUBLE_DOUBLE
    if legal >> further & 1 == 1:
        found[further] = drawn_value(game, plays, row, doublings + 1, place, chances)
