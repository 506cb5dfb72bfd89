"""All deals of two cards and an up card, summed up."""

from typing import Any, NamedTuple

from ventiuna.core.actions import ACTIONS, SPLIT, STAND
from ventiuna.core.blackjacks import result_against_blackjack
from ventiuna.core.cards import rank_of, suit_bit_of
from ventiuna.core.preferences import first_legal
from ventiuna.kernels.exact.lattice import ACE_VALUE, TEN_VALUE, VALUES, Floats, Ints
from ventiuna.kernels.exact.play import (
    blackjack_value,
    preference_of,
)
from ventiuna.kernels.exact.records import (
    DEAL_CHANCE,
    DEAL_MONEY,
    DEAL_SQUARE,
    DEAL_VALUE,
    UNSPLIT,
    Game,
    Plays,
    Scratch,
    Splits,
    SuitedPlays,
)
from ventiuna.kernels.exact.suits import legal_by_suits
from ventiuna.kernels.jit import compiled, compiled_within


class DealResult(NamedTuple):
    """What a deal comes to: `lost` against a dealer blackjack, else the figures of its play."""

    lost: float
    value: float
    money: float
    square: float


@compiled
def blackjack_chance(game: Game, place: int, shoe: Ints, up: int) -> float:
    """Chance that the dealer's check finds a blackjack, beside this hand."""
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
    optimise: bool,
    plays: Plays,
    suited: SuitedPlays,
    splits: Splits,
    scratch: Scratch,
    deals: Floats,
) -> None:
    """Sum the deals into `deals[up value, composition, figure]`.

    The square leaves out what the hands of a split do together. Splitting enters the preferences
    of two cards here.
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
                    _deal_composition(game, low, high, up, optimise, plays, splits, scratch, deals)
        for up_row in range(game.ups):
            if game.up_value[up_row] == up:
                for row in range(game.pairs):
                    _deal_cards(game, row, up_row, optimise, suited, scratch, deals)
        shoe[up] += 1


@compiled_within
def _deal_composition(
    game: Game,
    low: int,
    high: int,
    up: int,
    optimise: bool,
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
    if optimise:
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
    optimise: bool,
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
    if optimise:
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
    """What two cards come to when the dealer has a blackjack, in base wagers."""
    has_blackjack = game.counts[place, ACE_VALUE] == 1 and game.counts[place, TEN_VALUE] == 1
    lost: Any = game.blackjack_loss
    return result_against_blackjack(has_blackjack, game.blackjack_wins == 1, pay, lost)


@compiled_within
def _add_deal(
    game: Game, place: int, up: int, ways: int, result: DealResult, shoe: Ints, deals: Floats
) -> None:
    """Add a deal's share."""
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
