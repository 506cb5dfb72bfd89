"""Exact values of split hands, and the mean product of two hands' results.

Assume that a split hand's play depends only on its own cards and the up card. Then the value of a
split is the sum of its hands' values. For one hand, a card in another hand is no different from a
card still in the shoe, with one exception: whether the other hand's second card was a pair card and
was split again. The probability of "no pair card" is one minus that of "a pair card", so
inclusion-exclusion leaves only hands played against shoes from which some number of further pair
cards is gone. Each such shoe needs three figures: the probability of a pair card, the value of a
hand with any second card, and the value of a hand whose second card is a pair card it may not
split.

For the variance, a hand's result is a sum of events: the wager is placed, it may be raised, and
something is returned at the end. Each event occurs with certain cards in the hand, in a number of
orders, and has a fixed amount or one that depends on the dealer. So the product of two hands'
results is a sum over pairs of compositions, each with the probability of all these cards and the
dealer's odds given them. A bust isn't an event, because nothing is returned. If suits matter, the
suits of different hands are treated as independent.
"""

from functools import cache
from itertools import product
from math import comb

import numpy as np

from ventiuna.core.actions import (
    ACTIONS,
    DOUBLE,
    DOUBLE_DOUBLE,
    HIT,
    RESCUE,
    SPLIT,
    STAND,
    SURRENDER,
    first_legal,
)
from ventiuna.core.base_game import compare
from ventiuna.kernels.exact.dealer import TOTALS
from ventiuna.kernels.exact.play import (
    DRAWABLE,
    blackjack_value,
    compare_with_dealer,
    next_card_chances,
    play_hands,
)
from ventiuna.kernels.exact.tables import (
    ACE_VALUE,
    ANY_CARD,
    COMPOSITIONS,
    DEALT,
    DECIDED,
    DOUBLINGS,
    FIGURES,
    GONE,
    LATER,
    MAX_HANDS,
    MONEY,
    NO_PAIR,
    SPLIT_ACE_HAND,
    SPLIT_HAND,
    SQUARE,
    UNDOUBLED,
    VALUE,
    VALUES,
    WAITING,
    Floats,
    Game,
    Ints,
    Plays,
    Scratch,
    Splits,
    SplitStrategy,
)
from ventiuna.kernels.jit import compiled, compiled_within

MAX_KEPT_CARDS = 4  # cards in the longest hand that two or three suited cards can lead to


@cache
def split_weights() -> Floats:
    """Return the weights by maximum hands, dealt or later, second card, and cards gone."""
    weights = np.zeros((MAX_HANDS + 1, 2, 2, GONE))
    for hands in range(2, MAX_HANDS + 1):
        _add_weights(weights[hands], hands)
    return weights


def _add_weights(weights: Floats, most: int) -> None:
    """Enumerate all patterns of second cards, hand by hand: each is a pair card or not."""
    for pattern in product((False, True), repeat=2 * most):
        waiting = [DEALT, DEALT]
        hands, used = 2, 0
        without_pair: list[int] = []
        while waiting and hands < most:
            if pattern[used]:
                waiting.insert(1, LATER)  # the new hand comes after the one it was split from
                hands += 1
            else:
                without_pair.append(waiting.pop(0))
            used += 1
        if not any(pattern[used:]):  # count each pattern once, ignoring its unused part
            _add_pattern(weights, hands - 2, without_pair, waiting)


def _add_pattern(weights: Floats, gone: int, without_pair: list[int], free: list[int]) -> None:
    """Add a pattern: `gone` pair cards, hands without one, and hands with any card."""
    for hands, second, others in (
        (without_pair, NO_PAIR, len(without_pair) - 1),
        (free, ANY_CARD, len(without_pair)),
    ):
        for source in hands:
            for further in range(others + 1):
                sign = -1 if further % 2 else 1
                weights[source, second, gone + further] += sign * comb(others, further)


@compiled_within
def kind_of_split(pair: int) -> int:
    return SPLIT_ACE_HAND if pair == ACE_VALUE else SPLIT_HAND


@compiled_within
def shoes_with_cards_gone(game: Game, pair: int) -> int:
    """Return the number of possible counts of additional pair cards gone, including 0."""
    count: int = max(min(2 * game.hands_at_most[pair] - 3, game.shoe[pair] - 1), 0)
    return count


@compiled_within
def is_splittable(game: Game, pair: int, up: int) -> bool:
    """Return whether this pair can be dealt against this up card."""
    pair_cards: int = game.shoe[pair] - (1 if pair == up else 0)
    return game.shoe[up] > 0 and pair_cards > 1


@compiled
def plan_splits(
    game: Game, ups: Ints, pairs: Ints, strategy: SplitStrategy, splits: Splits
) -> None:
    """Find the hands that splits can reach, for all pairs and up cards."""
    for pair in pairs:
        table = pair if strategy.by_pair == 1 else 0
        for place in range(COMPOSITIONS):
            splits.waits[pair, place] = 0
        for up in ups:
            _find_met_hands(game, pair, up, strategy.preferences[table, up], splits)


@compiled_within
def _find_met_hands(game: Game, pair: int, up: int, preferences: Ints, splits: Splits) -> None:
    """Find the compositions that split hands can reach."""
    kind = kind_of_split(pair)
    for place in range(COMPOSITIONS):
        splits.met[pair, up, place] = 0
    for value in range(VALUES):
        splits.met[pair, up, game.following[game.following[0, pair], value]] = 1
    for number in range(game.with_start[pair], game.with_start[pair + 1]):
        place = game.with_value[number]
        met = splits.met[pair, up, place]
        by_suits = game.suited[place] == 1 or game.hidden[place] == 1
        for doublings in range(game.doublings_at_most + 1):
            if met >> doublings & 1 == 0:
                continue
            legal = game.legal[kind, doublings, place] & ~(1 << SPLIT)
            if doublings > 0 or not by_suits:
                legal = 1 << first_legal(preferences[doublings, place], legal)
            if legal >> STAND & 1 == 1 and game.paid[kind, min(doublings, 1), place] == 0:
                splits.waits[pair, place] = 1
            after = 1 if legal >> HIT & 1 == 1 else 0
            if legal & (1 << DOUBLE | 1 << DOUBLE_DOUBLE) != 0:
                after |= 1 << (doublings + 1)
            if after != 0:
                for value in range(game.adds[place]):
                    splits.met[pair, up, game.following[place, value]] |= after


@compiled
def place_shoes(
    game: Game,
    others: Ints,
    pairs: Ints,
    gone_at_most: int,
    splits: Splits,
    shoes: Ints,
    spans: Ints,
) -> int:
    """Assign a slot of the dealer's chances to every waiting hand; return the number of slots.

    Hands that differ only in pair cards see the same shoes, with more or fewer of those gone: one
    row of `shoes` and `spans` (see `totals_beside_pairs`). Rows of a pair are contiguous, starting
    at `splits.first_row`.
    """
    row, slot = 0, 0
    rows = np.empty(COMPOSITIONS, dtype=np.int64)
    for pair in pairs:
        splits.first_row[pair] = row
        gone_of_pair = min(gone_at_most, shoes_with_cards_gone(game, pair))
        for place in range(COMPOSITIONS):
            rows[place] = -1
        for number in range(game.with_start[pair], game.with_start[pair + 1]):
            place = game.with_value[number]
            if splits.waits[pair, place] == 0 or gone_of_pair == 0:
                continue
            alike = others[pair, place]
            fewest = game.counts[place, pair] + 1
            if rows[alike] < 0:
                rows[alike] = row
                for value in range(VALUES):
                    shoes[row, value] = game.shoe[value] - game.counts[alike, value]
                spans[row, 0] = fewest
                row += 1
            spans[rows[alike], 1] = fewest + gone_of_pair - 1
        for known in range(splits.first_row[pair], row):
            spans[known, 2] = slot
            slot += spans[known, 1] - spans[known, 0] + 1
        for number in range(game.with_start[pair], game.with_start[pair + 1]):
            place = game.with_value[number]
            splits.slots[pair, place] = -1
            known = rows[others[pair, place]]
            if splits.waits[pair, place] == 1 and known >= 0:
                more = game.counts[place, pair] + 1 - spans[known, 0]
                splits.slots[pair, place] = spans[known, 2] + more
        splits.past_row[pair] = row
    return slot


@compiled_within
def meet_shoes(game: Game, pair: int, up: int, gone_at_most: int, scratch: Scratch) -> int:
    """Prepare the shoes with additional pair cards gone and their second cards; return how many."""
    shoe = scratch.shoe[0]
    for value in range(VALUES):
        shoe[value] = game.shoe[value]
    shoe[up] -= 1
    one = game.following[0, pair]
    for gone in range(gone_at_most):
        shoe[pair] -= 1
        if next_card_chances(game, one, shoe, up, scratch.second_chances[gone]) != DRAWABLE:
            return gone
        for value in range(VALUES):
            scratch.gone_shoes[gone, value] = shoe[value]
    return gone_at_most


@compiled_within
def find_best_play(
    game: Game,
    pair: int,
    up: int,
    preferences: Ints,
    chances: Floats,
    splits: Splits,
    played: Plays,
    scratch: Scratch,
) -> None:
    """Find the best play of split hands with one additional pair card gone, in row 0."""
    start, end = game.with_start[pair], game.with_start[pair + 1]
    for number in range(start, end):
        place = game.with_value[number]
        slot = splits.slots[pair, place]
        value, decided = compare_with_dealer(game, game.total[place], chances[slot, up])
        scratch.compared[WAITING, place], scratch.compared[DECIDED, place] = value, decided
    play_hands(
        game,
        kind_of_split(pair),
        scratch.gone_shoes[0],
        up,
        game.with_value[start:end],
        scratch.compared,
        True,
        preferences,
        played,
        0,
    )


@compiled_within
def follow_play(
    game: Game,
    pair: int,
    up: int,
    preferences: Ints,
    chances: Floats,
    splits: Splits,
    played: Plays,
    scratch: Scratch,
) -> None:
    """Evaluate split hands played by the preferences, in `hands` of the scratch.

    All numbers of additional pair cards gone are processed in parallel, because the same cards are
    played the same way no matter how many are gone. If suits matter, hands of up to four cards are
    also stored in `played`, one row per number of pair cards gone, with all actions of the hands
    whose play depends on suits.
    """
    kind = kind_of_split(pair)
    keeps = game.by_card[game.following[game.following[0, pair], pair]] == 1
    result = scratch.result[0]
    for number in range(game.with_start[pair + 1] - 1, game.with_start[pair] - 1, -1):
        place = game.with_value[number]
        met = splits.met[pair, up, place]
        if met == 0 or not _take_cards(game, pair, up, place, scratch):
            continue
        by_suits = game.suited[place] == 1 or game.hidden[place] == 1
        slot = splits.slots[pair, place]
        for gone in range(GONE):
            scratch.waiting[gone], scratch.decided[gone] = 0.0, 0.0
        if slot >= 0:
            for gone in range(shoes_with_cards_gone(game, pair)):
                value, decided = compare_with_dealer(
                    game, game.total[place], chances[slot + gone, up]
                )
                scratch.waiting[gone], scratch.decided[gone] = value, decided
        for doublings in range(game.doublings_at_most, -1, -1):
            if met >> doublings & 1 == 0:
                continue
            legal = game.legal[kind, doublings, place] & ~(1 << SPLIT)
            chosen = first_legal(preferences[doublings, place], legal)
            if doublings > 0 or not by_suits:
                legal = 1 << chosen
            for action in range(ACTIONS):
                if legal >> action & 1 == 0:
                    continue
                _take_action(game, kind, place, doublings, action, pair, up, scratch)
                if action == chosen:
                    into = scratch.hands[doublings, place]
                    for figure in range(FIGURES * GONE):
                        into[figure] = result[figure]
                if by_suits and doublings == 0:
                    for gone in range(GONE):
                        played.by_action[gone, action, place] = result[VALUE * GONE + gone]
                        played.decided[gone, place] = scratch.decided[gone]
            if doublings == 0 and game.hidden[place] == 1:
                into = scratch.hands[doublings, place]
                for figure in range(FIGURES * GONE):
                    into[figure] = 0.0
            if keeps and game.cards[place] <= MAX_KEPT_CARDS:
                into = scratch.hands[doublings, place]
                for gone in range(GONE):
                    played.values[gone, doublings, place] = into[VALUE * GONE + gone]
                    played.wagered[gone, doublings, place] = into[MONEY * GONE + gone]
                    played.squares[gone, doublings, place] = into[SQUARE * GONE + gone]


@compiled_within
def _take_cards(game: Game, pair: int, up: int, place: int, scratch: Scratch) -> bool:
    """Compute the shoes without this hand, and the probability of each remaining card."""
    stock = scratch.stock
    cards = 0
    for value in range(VALUES):
        stock[value] = scratch.gone_shoes[0, value] - game.counts[place, value]
        if stock[value] < 0:
            return False
        cards += stock[value]
    special = blackjack_value(up)
    for gone in range(GONE):
        left = cards - gone
        scratch.card_share[gone], scratch.special_share[gone] = 0.0, 0.0
        if left < 2:
            continue
        if special < 0:
            scratch.card_share[gone] = 1.0 / left
            continue
        others = left - stock[special] + (gone if special == pair else 0)
        if others > 0:
            scratch.card_share[gone] = (others - 1.0) / (others * (left - 1.0))
            scratch.special_share[gone] = 1.0 / (left - 1.0)
    return True


@compiled_within
def _take_action(
    game: Game,
    kind: int,
    place: int,
    doublings: int,
    action: int,
    pair: int,
    up: int,
    scratch: Scratch,
) -> None:
    """Fill the scratch's result: value, money and square for each number of pair cards gone."""
    result = scratch.result[0]
    wager = game.wager[doublings]
    if action == HIT or action == DOUBLE or action == DOUBLE_DOUBLE:
        after = UNDOUBLED if action == HIT else doublings + 1
        _draw_card(game, place, after, pair, up, scratch)
        return
    value = 0.0
    waits = False
    if action == STAND:
        doubled = min(doublings, 1)
        waits = game.paid[kind, doubled, place] == 0
        if not waits:
            value = wager * game.pay[kind, doubled, place]
    elif action == SURRENDER:
        value = -game.surrender_loss[doublings]
    elif action == RESCUE:
        value = -game.rescue_loss[doublings]
    for gone in range(GONE):
        result[VALUE * GONE + gone] = wager * scratch.waiting[gone] if waits else value
        result[MONEY * GONE + gone] = wager
        result[SQUARE * GONE + gone] = wager**2 * scratch.decided[gone] if waits else value * value


@compiled_within
def _draw_card(
    game: Game, place: int, doublings: int, pair: int, up: int, scratch: Scratch
) -> None:
    """Fill the scratch's result for a hand that draws and then has `doublings` doublings."""
    result, drawn, specials = scratch.result[0], scratch.drawn[0], scratch.specials[0]
    card_weight, special_weight = scratch.card_weight[0], scratch.special_weight[0]
    special = blackjack_value(up)
    for figure in range(FIGURES * GONE):
        drawn[figure], specials[figure] = 0.0, 0.0
    for gone in range(GONE):
        card_weight[gone], special_weight[gone] = 0.0, 0.0
    adds = game.adds[place]
    for value in range(adds):
        left = scratch.stock[value]
        if left == 0:
            continue
        after = scratch.hands[doublings, game.following[place, value]]
        into = specials if value == special else drawn
        weight = special_weight if value == special else card_weight
        if value != pair:
            for figure in range(FIGURES * GONE):
                into[figure] += left * after[figure]
            for gone in range(GONE):
                weight[gone] += left
            continue
        for gone in range(GONE):
            rest = max(left - gone, 0)
            weight[gone] += rest
            for figure in range(FIGURES):
                into[figure * GONE + gone] += rest * after[figure * GONE + gone]
    wager, bust_loss = game.wager[doublings], game.bust_loss[doublings]
    for gone in range(GONE):
        share, special_share = scratch.card_share[gone], scratch.special_share[gone]
        lost = 0.0
        if adds < VALUES:
            lost = 1.0 - share * card_weight[gone] - special_share * special_weight[gone]
        value, money, square = VALUE * GONE + gone, MONEY * GONE + gone, SQUARE * GONE + gone
        result[value] = share * drawn[value] + special_share * specials[value] - lost * bust_loss
        result[money] = share * drawn[money] + special_share * specials[money] + lost * wager
        result[square] = share * drawn[square] + special_share * specials[square] + lost * wager**2


@compiled_within
def fill_totals(game: Game, pair: int, available: int, scratch: Scratch) -> None:
    """Fill the scratch's `figures` for a whole split."""
    for figure in range(FIGURES):
        scratch.figures[0, figure] = _total_of_split(game, pair, available, figure, scratch)


@compiled_within
def _total_of_split(game: Game, pair: int, available: int, figure: int, scratch: Scratch) -> float:
    """Sum the hands' values, the money wagered on them, or their squares."""
    most = game.hands_at_most[pair]
    total = 0.0
    all_pairs = 1.0  # probability that this many given cards are all pair cards
    for gone in range(GONE):
        if all_pairs == 0.0 or gone >= available:
            break
        for source in range(2):
            no_pair = game.weights[most, source, NO_PAIR, gone]
            any_second = game.weights[most, source, ANY_CARD, gone]
            if no_pair == 0.0 and any_second == 0.0:
                continue
            value = scratch.any_card[figure, source, gone]
            total += all_pairs * any_second * value
            value -= scratch.pair_chances[gone] * scratch.pair_card[figure, source, gone]
            total += all_pairs * no_pair * value
        all_pairs *= scratch.pair_chances[gone]
    return total


@compiled_within
def split_by_composition(game: Game, pair: int, available: int, scratch: Scratch) -> None:
    """Fill in the values of a split's hands if suits don't matter."""
    one = game.following[0, pair]
    for gone in range(available):
        scratch.pair_chances[gone] = scratch.second_chances[gone, pair]
        for figure in range(FIGURES):
            total = 0.0
            for second in range(VALUES):
                chance = scratch.second_chances[gone, second]
                if chance > 0.0:
                    place = game.following[one, second]
                    total += chance * scratch.hands[0, place, figure * GONE + gone]
            of_pair = scratch.hands[0, game.following[one, pair], figure * GONE + gone]
            for source in range(2):
                scratch.any_card[figure, source, gone] = total
                scratch.pair_card[figure, source, gone] = of_pair


# --- Products of two hands' results, for the variance of splits ---

FIXED, ON_DEALER = 0, 1  # an event's amount: fixed, or multiplied by one plus win or loss
ANY_SECOND, PAIR_SECOND = 0, 1  # all hands, or those whose second card is a pair card
TOGETHER = 3  # sums of products of two hands: any and any, pair and any, pair and pair
OUTCOMES = TOTALS + 1  # outcomes of the dealer's hand: 17 to 21, bust
KEY_BITS = 6  # bits for the number of cards of one value in two hands
_KEY_BASE = 1 << KEY_BITS  # more cards of one value than two hands can have
_SMALLEST_TABLE = 1 << 14
_LOWEST_TOTAL, _BUST_TOTAL = 17, 22
_SCATTER = 0x1E3779B97F4A7C15  # an odd factor that spreads the keys
_HIGH_BITS = 40  # shift of the product: only its high bits depend on the whole key


@cache
def pair_weights() -> Floats:
    """Return the weights of two hands, by maximum hands, hands without a pair card, and cards
    gone."""
    weights = np.zeros((MAX_HANDS + 1, 3, GONE))
    for most in range(2, MAX_HANDS + 1):
        for pattern in product((False, True), repeat=2 * most):
            _add_pair_pattern(weights[most], most, pattern)
    return weights


def _add_pair_pattern(weights: Floats, most: int, pattern: tuple[bool, ...]) -> None:
    """Add the weights of one pattern of second cards, counting each once (see `_add_weights`)."""
    waiting, hands, used, without_pair = 2, 2, 0, 0
    while waiting and hands < most:
        if pattern[used]:
            waiting, hands = waiting + 1, hands + 1
        else:
            waiting, without_pair = waiting - 1, without_pair + 1
        used += 1
    if any(pattern[used:]):
        return
    gone = hands - 2
    for number, couples in (
        (2, comb(without_pair, 2)),
        (1, without_pair * waiting),
        (0, comb(waiting, 2)),
    ):
        others = without_pair - number
        for further in range(others + 1 if couples else 0):
            sign = -1 if further % 2 else 1
            weights[number, gone + further] += sign * couples * comb(others, further)


@compiled
def collect_events(
    game: Game,
    pair: int,
    preferences: Ints,
    second_actions: Floats,
    third_pays: Floats,
    ways: Floats,
    events: Floats,
) -> None:
    """Fill `events[second, kind, composition]` for a hand that begins with a pair card.

    `second_actions[value, action]` is how often each action is taken on a second card whose suit
    matters, and `third_pays[value, third]` is then the average payout with a third card.
    """
    kind = kind_of_split(pair)
    one = game.following[0, pair]
    for second in range(2):
        for place in range(COMPOSITIONS):
            for doublings in range(DOUBLINGS):
                ways[doublings, place] = 0.0
            events[second, FIXED, place] = 0.0
            events[second, ON_DEALER, place] = 0.0
        start = one if second == ANY_SECOND else game.following[one, pair]
        events[second, FIXED, start] = -game.wager[0]
        for value in range(VALUES):
            if second == ANY_SECOND or value == pair:
                ways[0, game.following[one, value]] = 1.0
        for number in range(game.with_start[pair], game.with_start[pair + 1]):
            place = game.with_value[number]
            for doublings in range(game.doublings_at_most + 1):
                if ways[doublings, place] == 0.0:
                    continue
                if doublings == 0 and game.suited[place] == 1:
                    for value in range(VALUES):
                        if game.following[one, value] == place:
                            for action in range(SURRENDER + 1):
                                share = second_actions[value, action]
                                if share > 0.0:
                                    _add_event(
                                        game,
                                        kind,
                                        place,
                                        doublings,
                                        action,
                                        share * ways[0, place],
                                        third_pays[value],
                                        ways,
                                        events[second],
                                    )
                    continue
                legal = game.legal[kind, doublings, place] & ~(1 << SPLIT)
                chosen = first_legal(preferences[doublings, place], legal)
                _add_event(
                    game,
                    kind,
                    place,
                    doublings,
                    chosen,
                    ways[doublings, place],
                    third_pays[0],
                    ways,
                    events[second],
                )


@compiled_within
def _add_event(
    game: Game,
    kind: int,
    place: int,
    doublings: int,
    action: int,
    orders: float,
    third_pays: Floats,
    ways: Floats,
    events: Floats,
) -> None:
    wager = game.wager[doublings]
    if action == STAND:
        doubled = min(doublings, 1)
        if game.paid[kind, doubled, place] == 1:
            events[FIXED, place] += orders * wager * (1.0 + game.pay[kind, doubled, place])
        else:
            events[ON_DEALER, place] += orders * wager
        return
    if action == SURRENDER:
        events[FIXED, place] += orders * (wager - game.surrender_loss[doublings])
        return
    if action == RESCUE:
        events[FIXED, place] += orders * (wager - game.rescue_loss[doublings])
        return
    after = 0
    if action == DOUBLE or action == DOUBLE_DOUBLE:
        after = doublings + 1
        events[FIXED, place] -= orders * (game.wager[after] - wager)
    for value in range(game.adds[place]):
        following = game.following[place, value]
        if after == 0 and game.hidden[following] == 1:
            events[FIXED, following] += orders * (1.0 + third_pays[value])
        else:
            ways[after, following] += orders


@compiled
def group_pairs(game: Game, places: Ints, slots: Ints, keys: Ints) -> int:
    """Assign a slot to the combined cards of any two compositions; return the number of slots.

    Uses an open-addressing hash table, because many pairs have the same combined cards. `keys` must
    be large enough for all of them and receives the slots' keys in order.
    """
    size = _SMALLEST_TABLE
    numbers = np.full(size, -1, dtype=np.int64)
    packed = np.zeros(places.shape[0], dtype=np.int64)
    for number in range(places.shape[0]):
        for value in range(VALUES):
            packed[number] = packed[number] << KEY_BITS | game.counts[places[number], value]
    used = 0
    for first in range(places.shape[0]):
        for second in range(first, places.shape[0]):
            key = packed[first] + packed[second]
            spot = _table_slot(key, numbers, keys)
            if numbers[spot] < 0:
                if 2 * used >= size:
                    size *= 4
                    numbers = np.full(size, -1, dtype=np.int64)
                    for number in range(used):
                        numbers[_table_slot(keys[number], numbers, keys)] = number
                    spot = _table_slot(key, numbers, keys)
                numbers[spot] = used
                keys[used] = key
                used += 1
            slots[first, second] = numbers[spot]
    return used


@compiled_within
def _table_slot(key: int, numbers: Ints, keys: Ints) -> int:
    """Return the position of this key in the table, or a free one for it."""
    size: int = numbers.shape[0]
    spot: int = (key * _SCATTER >> _HIGH_BITS) & (size - 1)
    while numbers[spot] >= 0 and keys[numbers[spot]] != key:
        spot = (spot + 1) & (size - 1)
    return spot


@compiled
def gather_products(
    game: Game, places: Ints, slots: Ints, events: Floats, products: Floats
) -> None:
    """Sum the products of two hands' events: `products[slot, together, dealer's total]`."""
    results = np.empty((places.shape[0], 2, OUTCOMES))
    for number in range(places.shape[0]):
        place = places[number]
        for second in range(2):
            for outcome in range(OUTCOMES):
                dealer = _LOWEST_TOTAL + outcome if outcome < TOTALS else _BUST_TOTAL
                back = 1.0 + compare(max(game.total[place], _LOWEST_TOTAL - 1), dealer)
                fixed, waits = events[second, FIXED, place], events[second, ON_DEALER, place]
                results[number, second, outcome] = fixed + waits * back
    for first in range(places.shape[0]):
        for second in range(first, places.shape[0]):
            into = products[slots[first, second]]
            one, other = results[first], results[second]
            turns = 1.0 if first == second else 2.0
            for outcome in range(OUTCOMES):
                any_one, pair_one = one[ANY_SECOND, outcome], one[PAIR_SECOND, outcome]
                any_other, pair_other = other[ANY_SECOND, outcome], other[PAIR_SECOND, outcome]
                mixed = pair_one * any_other
                if first != second:
                    mixed += any_one * pair_other
                into[0, outcome] += turns * any_one * any_other
                into[1, outcome] += mixed
                into[2, outcome] += turns * pair_one * pair_other


@compiled
def sum_products(
    unseen: Ints,
    drawn: Ints,
    up: int,
    beside: Ints,
    chances: Floats,
    products: Floats,
    sums: Floats,
) -> None:
    """Fill `sums` with the average products; `beside[slot]` indexes the dealer's chances."""
    any_any, pair_any, pair_pair = 0.0, 0.0, 0.0
    falling, per_order = np.empty((VALUES, _KEY_BASE)), np.empty(_KEY_BASE)
    _fill_factors(unseen, up, falling, per_order)
    for slot in range(drawn.shape[0]):
        weight = _sequence_chance(unseen, drawn[slot], up, falling, per_order)
        if weight == 0.0:
            continue
        found = chances[beside[slot], up]
        bust = 1.0
        for outcome in range(OUTCOMES):
            chance = found[outcome] if outcome < TOTALS else bust
            bust -= chance
            any_any += weight * chance * products[slot, 0, outcome]
            pair_any += weight * chance * products[slot, 1, outcome]
            pair_pair += weight * chance * products[slot, 2, outcome]
    sums[0], sums[1], sums[2] = any_any, pair_any, pair_pair


@compiled_within
def _fill_factors(unseen: Ints, up: int, falling: Floats, per_order: Floats) -> None:
    """Compute falling factorials of the unseen counts, and reciprocals for the cards to draw."""
    cards = 0
    for value in range(VALUES):
        cards += unseen[value]
        falling[value, 0] = 1.0
        for number in range(falling.shape[1] - 1):
            left = max(unseen[value] - number, 0)
            falling[value, number + 1] = falling[value, number] * left
    if blackjack_value(up) >= 0:
        cards -= 1  # the down card is known not to make a blackjack
    per_order[0] = 1.0
    for number in range(per_order.shape[0] - 1):
        per_order[number + 1] = per_order[number] / (cards - number) if cards > number else 0.0


@compiled_within
def _sequence_chance(
    unseen: Ints, drawn: Ints, up: int, falling: Floats, per_order: Floats
) -> float:
    """Return the probability of drawing these cards from the unseen ones in a given order."""
    cards, taken = 0, 0
    chance = 1.0
    for value in range(VALUES):
        cards += unseen[value]
        taken += drawn[value]
        chance *= falling[value, drawn[value]]
    special = blackjack_value(up)
    if special >= 0:
        # The down card is neither a special card nor one of those drawn.
        others = cards - unseen[special]
        if others < 1:
            return 0.0
        chance *= max(others - (taken - drawn[special]), 0) / others
    in_order: float = chance * per_order[taken]
    return in_order
