"""The whole base game before the deal: every up card, every split."""

from ventiuna.core.actions import SPLIT
from ventiuna.core.cards import CARDS, rank_of
from ventiuna.kernels.exact.lattice import VALUES, Floats, Ints
from ventiuna.kernels.exact.play import (
    DRAWABLE,
    compare_with_dealer,
    next_card_chances,
    play_hands,
    preference_of,
    value_actions,
)
from ventiuna.kernels.exact.records import (
    DECIDED,
    MONEY,
    SQUARE,
    VALUE,
    WAITING,
    Game,
    Plays,
    Scratch,
    Splits,
    SplitStrategy,
    SuitedPlays,
)
from ventiuna.kernels.exact.split_suits import (
    PairAgainst,
    SplitTables,
    look_at_second_cards,
    split_by_cards,
    value_first_cards,
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
from ventiuna.kernels.exact.suits import TwoCards, value_two_cards
from ventiuna.kernels.jit import compiled, compiled_within


@compiled
def play_against(
    game: Game,
    kind: int,
    ups: Ints,
    places: Ints,
    dealer_chances: Floats,
    optimise: bool,
    plays: Plays,
    scratch: Scratch,
) -> None:
    """Hands of one kind and of the compositions in `places` against these up cards."""
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
            optimise,
            plays.preferences[up],
            plays,
            up,
        )
        shoe[up] += 1


@compiled
def value_hand(
    game: Game, kind: int, place: int, doublings: int, up: int, plays: Plays, scratch: Scratch
) -> None:
    """Fill `found` of the scratch with the actions of one hand, after `play_against`."""
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
    """Value and money of every split: by pair and up card, and by cards where they count."""
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
def reoptimise_splits(
    game: Game,
    ups: Ints,
    pairs: Ints,
    chances: Floats,
    splits: Splits,
    played: Plays,
    strategy: SplitStrategy,
    scratch: Scratch,
) -> None:
    """Best play of split hands by pair and up card, one further pair card gone."""
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
