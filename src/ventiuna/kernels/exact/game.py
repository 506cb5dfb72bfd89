"""The whole base game before the deal: every up card, every split, all deals summed."""

from typing import Any, NamedTuple

from ventiuna.core.actions import ACTIONS, SPLIT, STAND, first_legal
from ventiuna.core.base_game import result_against_blackjack
from ventiuna.core.cards import CARDS, rank_of, suit_bit_of
from ventiuna.kernels.exact.play import (
    DRAWABLE,
    blackjack_value,
    compare_with_dealer,
    next_card_chances,
    play_hands,
    preference_of,
    value_actions,
)
from ventiuna.kernels.exact.splits import (
    fill_totals,
    find_best_play,
    follow_play,
    is_splittable,
    kind_of_split,
    meet_shoes,
    shoes_with_cards_gone,
    split_by_composition,
)
from ventiuna.kernels.exact.suits import (
    PairAgainst,
    SplitTables,
    TwoCards,
    legal_by_suits,
    look_at_second_cards,
    split_by_cards,
    value_first_cards,
    value_two_cards,
)
from ventiuna.kernels.exact.tables import (
    ACE_VALUE,
    DEAL_CHANCE,
    DEAL_MONEY,
    DEAL_SQUARE,
    DEAL_VALUE,
    DECIDED,
    MONEY,
    SQUARE,
    TEN_VALUE,
    UNSPLIT,
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
    SuitedPlays,
)
from ventiuna.kernels.jit import compiled, compiled_within

# --- Deals ---


class DealResult(NamedTuple):
    """Result of a deal: `lost` against a dealer blackjack, otherwise the figures for its play."""

    lost: float
    value: float
    money: float
    square: float


@compiled
def blackjack_chance(game: Game, place: int, shoe: Ints, up: int) -> float:
    """Return the probability that the dealer's check finds a blackjack, given this hand."""
    special = blackjack_value(up)
    if special < 0:
        return 0.0
    cards = 0
    for value in range(VALUES):
        cards += shoe[value] - game.counts[place, value]
    against: int = shoe[special] - game.counts[place, special]
    return against / cards


@compiled
def value_deals(
    game: Game,
    ups: Ints,
    optimize: bool,
    plays: Plays,
    suited: SuitedPlays,
    splits: Splits,
    scratch: Scratch,
    deals: Floats,
) -> None:
    """Sum the deals into `deals[up value, composition, figure]`.

    The square omits the covariance between the hands of a split. Splitting is added to the
    preferences of two-card hands here.
    """
    shoe = scratch.shoe[0]
    for value in range(VALUES):
        shoe[value] = game.shoe[value]
    for up in ups:
        if shoe[up] < 1:
            continue
        shoe[up] -= 1
        for low in range(VALUES):
            for high in range(low, VALUES):
                place = game.following[game.following[0, low], high]
                if game.by_card[place] == 0:
                    _deal_composition(game, low, high, up, optimize, plays, splits, scratch, deals)
        for up_row in range(game.ups):
            if game.up_value[up_row] == up:
                for row in range(game.pairs):
                    _deal_cards(game, row, up_row, optimize, suited, scratch, deals)
        shoe[up] += 1


@compiled_within
def _deal_composition(
    game: Game,
    low: int,
    high: int,
    up: int,
    optimize: bool,
    plays: Plays,
    splits: Splits,
    scratch: Scratch,
    deals: Floats,
) -> None:
    shoe = scratch.shoe[0]
    ways = shoe[low] * (shoe[high] - 1 if low == high else 2 * shoe[high])
    if ways <= 0:
        return
    place = game.following[game.following[0, low], high]
    legal = game.legal[UNSPLIT, 0, place]
    if legal >> SPLIT & 1 == 1:
        plays.by_action[up, SPLIT, place] = splits.values[low, up]
    for action in range(ACTIONS):
        scratch.found[0, action] = plays.by_action[up, action, place]
    if optimize:
        plays.preferences[up, 0, place] = preference_of(scratch.found[0], legal)
    chosen = first_legal(plays.preferences[up, 0, place], legal)
    money = splits.wagered[low, up] if chosen == SPLIT else plays.wagered[up, 0, place]
    square = splits.squares[low, up] if chosen == SPLIT else plays.squares[up, 0, place]
    lost = _result_against_blackjack(game, place, game.pay[UNSPLIT, 0, place])
    result = DealResult(lost, scratch.found[0, chosen], money, square)
    _add_deal(game, place, up, game.shoe[up] * ways, result, shoe, deals)


@compiled_within
def _deal_cards(
    game: Game,
    row: int,
    up_row: int,
    optimize: bool,
    suited: SuitedPlays,
    scratch: Scratch,
    deals: Floats,
) -> None:
    place = game.pair_place[row]
    first, second, up_card = game.pair_first[row], game.pair_second[row], game.up_card[up_row]
    seconds = game.composition[second] - (1 if second == up_card else 0)
    firsts = game.composition[first] - (1 if first == up_card else 0)
    ways = firsts * (seconds - 1 if first == second else 2 * seconds)
    if ways <= 0:
        return
    legal = legal_by_suits(game, UNSPLIT, place, suit_bit_of(first) | suit_bit_of(second))
    if game.same_rank == 0 or rank_of(first) == rank_of(second):
        legal |= game.legal[UNSPLIT, 0, place] & 1 << SPLIT
    for action in range(ACTIONS):
        scratch.found[0, action] = suited.values[row, up_row, action]
    if optimize:
        suited.preferences[row, up_row] = preference_of(scratch.found[0], legal)
    chosen = first_legal(suited.preferences[row, up_row], legal)
    lost = _result_against_blackjack(game, place, scratch.found[0, STAND])
    result = DealResult(
        lost,
        scratch.found[0, chosen],
        suited.wagered[row, up_row, chosen],
        suited.squares[row, up_row, chosen],
    )
    ways *= game.up_count[up_row]
    _add_deal(game, place, game.up_value[up_row], ways, result, scratch.shoe[0], deals)


@compiled_within
def _result_against_blackjack(game: Game, place: int, pay: Any) -> Any:
    """Return the result of two cards against a dealer blackjack, in base wagers."""
    has_blackjack = game.counts[place, ACE_VALUE] == 1 and game.counts[place, TEN_VALUE] == 1
    lost: Any = game.blackjack_loss
    return result_against_blackjack(has_blackjack, game.blackjack_wins == 1, pay, lost)


@compiled_within
def _add_deal(
    game: Game, place: int, up: int, ways: int, result: DealResult, shoe: Ints, deals: Floats
) -> None:
    """Add a deal's probability and results to the sums."""
    lost, value, money, square = result
    cards = 0
    for number in range(VALUES):
        cards += game.shoe[number]
    chance = ways / (cards * (cards - 1.0) * (cards - 2.0))
    blackjack = blackjack_chance(game, place, shoe, up)
    into = deals[up, place]
    into[DEAL_CHANCE] += chance
    into[DEAL_VALUE] += chance * blackjack * lost
    into[DEAL_MONEY] += chance * blackjack
    into[DEAL_SQUARE] += chance * blackjack * lost * lost
    if blackjack < 1.0:
        into[DEAL_VALUE] += chance * (1.0 - blackjack) * value
        into[DEAL_MONEY] += chance * (1.0 - blackjack) * money
        into[DEAL_SQUARE] += chance * (1.0 - blackjack) * square


# --- Up cards and splits ---


@compiled
def play_against(
    game: Game,
    kind: int,
    ups: Ints,
    places: Ints,
    dealer_chances: Floats,
    optimize: bool,
    plays: Plays,
    scratch: Scratch,
) -> None:
    """Play hands of one kind and of the compositions in `places` against these up cards."""
    shoe = scratch.shoe[0]
    for value in range(VALUES):
        shoe[value] = game.shoe[value]
    for up in ups:
        shoe[up] -= 1
        for number in range(places.shape[0]):
            place = places[number]
            waiting, decided = compare_with_dealer(
                game, game.total[place], dealer_chances[place, up]
            )
            scratch.compared[WAITING, place], scratch.compared[DECIDED, place] = waiting, decided
        play_hands(
            game,
            kind,
            shoe,
            up,
            places,
            scratch.compared,
            optimize,
            plays.preferences[up],
            plays,
            up,
        )
        shoe[up] += 1


@compiled
def value_hand(
    game: Game, kind: int, place: int, doublings: int, up: int, plays: Plays, scratch: Scratch
) -> None:
    """Fill `found` in the scratch with the values of a hand's actions; run `play_against` first."""
    shoe = scratch.shoe[0]
    for value in range(VALUES):
        shoe[value] = game.shoe[value]
    shoe[up] -= 1
    if next_card_chances(game, place, shoe, up, scratch.chances[0]) != DRAWABLE:
        for value in range(VALUES):
            scratch.chances[0, value] = 0.0
    value_actions(
        game,
        kind,
        place,
        doublings,
        game.legal[kind, doublings, place],
        scratch.chances[0],
        scratch.compared[WAITING, place],
        plays,
        up,
        scratch.found[0],
    )


@compiled
def value_splits(
    game: Game,
    ups: Ints,
    pairs: Ints,
    chances: Floats,
    strategy: SplitStrategy,
    plays: Plays,
    suited: SuitedPlays,
    splits: Splits,
    played: Plays,
    scratch: Scratch,
) -> None:
    """Fill in each split's value and wagers by pair and up card, and by card if suits matter."""
    for pair in pairs:
        place = game.following[game.following[0, pair], pair]
        for up in ups:
            if not is_splittable(game, pair, up):
                continue
            available = meet_shoes(game, pair, up, shoes_with_cards_gone(game, pair), scratch)
            if available == 0:
                continue
            preferences = strategy.preferences[pair if strategy.by_pair == 1 else 0, up]
            follow_play(game, pair, up, preferences, chances, splits, played, scratch)
            if game.by_card[place] == 0:
                split_by_composition(game, pair, available, scratch)
                fill_totals(game, pair, available, scratch)
                splits.values[pair, up] = scratch.figures[0, VALUE]
                splits.wagered[pair, up] = scratch.figures[0, MONEY]
                splits.squares[pair, up] = scratch.figures[0, SQUARE]
                continue
            look_at_second_cards(game, pair, up, available, played, scratch)
            tables = SplitTables(game, strategy, plays, played, scratch)
            _split_known_pairs(tables, pair, up, available, suited)


@compiled_within
def _split_known_pairs(
    tables: SplitTables, pair: int, up: int, available: int, suited: SuitedPlays
) -> None:
    game, scratch = tables.game, tables.scratch
    place = game.following[game.following[0, pair], pair]
    left = scratch.left[0]
    for card in range(CARDS):
        left[card] = game.composition[card]
    for up_row in range(game.ups):
        if game.up_value[up_row] != up:
            continue
        up_card = game.up_card[up_row]
        against = PairAgainst(pair, up_card, up_row, available)
        left[up_card] -= 1
        value_first_cards(tables, against, left)
        for row in range(game.pairs):
            first, second = game.pair_first[row], game.pair_second[row]
            is_other_rank = game.same_rank == 1 and rank_of(first) != rank_of(second)
            if game.pair_place[row] != place or is_other_rank:
                continue
            left[first] -= 1
            left[second] -= 1
            if left[first] >= 0 and left[second] >= 0:
                split_by_cards(tables, against, first, second, left)
                fill_totals(game, pair, available, scratch)
                suited.values[row, up_row, SPLIT] = scratch.figures[0, VALUE]
                suited.wagered[row, up_row, SPLIT] = scratch.figures[0, MONEY]
                suited.squares[row, up_row, SPLIT] = scratch.figures[0, SQUARE]
            left[first] += 1
            left[second] += 1
        left[up_card] += 1


@compiled
def reoptimize_splits(
    game: Game,
    ups: Ints,
    pairs: Ints,
    chances: Floats,
    splits: Splits,
    played: Plays,
    strategy: SplitStrategy,
    scratch: Scratch,
) -> None:
    """Find the best play of split hands by pair and up card, after one more pair card is gone."""
    left = scratch.left[0]
    for card in range(CARDS):
        left[card] = game.composition[card]
    for pair in pairs:
        for up in ups:
            if not is_splittable(game, pair, up):
                continue
            if meet_shoes(game, pair, up, 1, scratch) == 0:
                continue
            preferences = strategy.preferences[pair, up]
            find_best_play(game, pair, up, preferences, chances, splits, played, scratch)
            for up_row in range(game.ups):
                if game.up_value[up_row] != up:
                    continue
                left[game.up_card[up_row]] -= 1
                for row in range(game.pairs):
                    first, second = game.pair_first[row], game.pair_second[row]
                    left[first] -= 1
                    left[second] -= 1
                    has_pair_card = game.counts[game.pair_place[row], pair] > 0
                    if has_pair_card and left[first] >= 0 and left[second] >= 0:
                        cards = TwoCards(kind_of_split(pair), first, second, game.up_card[up_row])
                        legal = value_two_cards(
                            game,
                            cards,
                            scratch.gone_shoes[0],
                            left,
                            played,
                            0,
                            strategy.preferences[pair, up],
                            True,
                            scratch,
                        )
                        preference = preference_of(scratch.found[0], legal)
                        strategy.suited[pair, row, up_row] = preference
                    left[first] += 1
                    left[second] += 1
                left[game.up_card[up_row]] += 1
