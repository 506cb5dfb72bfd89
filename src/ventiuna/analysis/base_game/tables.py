"""From house rules and a composition to the tables that the exact kernels read."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from ventiuna.analysis.composition import Composition
from ventiuna.core import actions
from ventiuna.core.blackjacks import wins_two_blackjacks
from ventiuna.core.cards import (
    ANY_SUITS,
    CARDS,
    CLUBS,
    KING,
    QUEEN,
    card_of,
    card_of_value,
    unpacked_ranks,
    value_of,
)
from ventiuna.core.hand import EMPTY_HAND, Hand, add_card, split_hand
from ventiuna.core.payouts import doubling_wager, rescue_loss, surrender_loss
from ventiuna.core.refusals import LEGAL
from ventiuna.core.super_bonus import is_super_bonus, super_bonus_pay
from ventiuna.core.table import RuleTable
from ventiuna.kernels.exact.hands import ask_about_hands, ask_about_suits
from ventiuna.kernels.exact.lattice import (
    ACE_VALUE,
    TEN_VALUE,
    VALUES,
    Floats,
    Ints,
    composition_index,
    lattice,
)
from ventiuna.kernels.exact.play import AGAINST_DEALER
from ventiuna.kernels.exact.records import (
    DOUBLINGS,
    SUIT_MASKS,
    Game,
    copy_of,
    new_record,
    rules_record,
)
from ventiuna.kernels.exact.splits import split_weights
from ventiuna.rules.errors import Problem, RulesError

SMALL_BASE = 2  # cents: halves are whole, and no table maximum is in the way
_LONGEST_SUITED = 3


def value_counts(composition: Composition) -> Ints:
    """Cards by value: aces first, all ten-valued ones last."""
    counts = np.zeros(VALUES, dtype=np.int64)
    for card, count in enumerate(composition):
        counts[value_of(card) - 1] += count
    return counts


def game_tables(
    table: RuleTable,
    composition: Composition,
    base: int | None = None,
    super_bonus: bool = False,
) -> Game:
    """One record of all that the kernels read.

    With a `base` wager in cents the table maximum may cap a double-double (R-055), and with
    `super_bonus` the wager's Super Bonus is in the pays.
    """
    with_super = super_bonus and base is not None and table.super_ranks != 0
    game = copy_of(_rules_tables(table, with_super))
    _fill_money(game, table, base)
    if with_super and base is not None:
        _fill_super_bonus(game, table, base)
    game["composition"] = composition
    game["shoe"] = value_counts(composition)
    _fill_pairs(game, composition)
    _fill_up_cards(game, composition, values_told_apart(table, with_super))
    return game


@lru_cache(maxsize=32)
def _rules_tables(table: RuleTable, with_super: bool) -> Game:
    """What is the same for all compositions and wagers."""
    game = new_record(Game)
    places = lattice()
    for name in places._fields:
        game[name] = getattr(places, name)
    holding = [
        np.flatnonzero((places.counts[:, v] > 0) & (places.cards > 1)) for v in range(VALUES)
    ]
    game["with_start"] = np.cumsum([0, *(len(found) for found in holding)])
    game["with_value"] = np.concatenate(holding)
    game["weights"] = split_weights()
    game["hands_at_most"] = [hands_at_most(table, value) for value in range(VALUES)]
    game["same_rank"] = splits_by_rank(table)
    game["blackjack_wins"] = wins_two_blackjacks(table, paid_before_check=False)
    game["doublings_at_most"] = table.doublings_at_most
    ask_about_hands(rules_record(table), game)
    suited = np.array(suited_compositions(table, with_super), dtype=np.int64)
    game["suit_row"] = -1
    ask_about_suits(rules_record(table), game, suited)
    _fill_suited(game, suited)
    return game


# --- splits -------------------------------------------------------------------------------------


def hands_at_most(table: RuleTable, value: int) -> int:
    """How many hands a pair of this value may become: ask until a split is refused."""
    card = card_of_value(value + 1)
    pair = add_card(add_card(EMPTY_HAND, card), card)
    hands = 1
    while actions.refusal(table, actions.SPLIT, pair, hands) == LEGAL:
        pair = add_card(split_hand(card), card)
        hands += 1
    return hands


def splits_by_rank(table: RuleTable) -> bool:
    """Is a queen with a king no pair where two kings are one (D-11)?"""
    other_ranks = add_card(add_card(EMPTY_HAND, card_of(QUEEN, CLUBS)), card_of(KING, CLUBS))
    may_split_kings = hands_at_most(table, TEN_VALUE) > 1
    return may_split_kings and actions.refusal(table, actions.SPLIT, other_ranks, 1) != LEGAL


# --- money --------------------------------------------------------------------------------------


def _fill_money(game: Game, table: RuleTable, base: int | None) -> None:
    unit = base if base is not None else SMALL_BASE
    wagers = [unit]
    while len(wagers) < DOUBLINGS:
        wagers.append(wagers[-1] + doubling_wager(table, wagers[-1], len(wagers) - 1))
    game["wager"] = np.array(wagers) / unit
    game["surrender_loss"] = np.array([surrender_loss(2 * wager) for wager in wagers]) / (2 * unit)
    for number in range(1, DOUBLINGS):
        portion = wagers[number] - wagers[number - 1]
        game["rescue_loss"][number] = rescue_loss(wagers[number], portion) / unit
    game["bust_loss"] = game["wager"]
    game["blackjack_loss"] = game["wager"][0]
    game["against"] = AGAINST_DEALER


def _fill_super_bonus(game: Game, table: RuleTable, base: int) -> None:
    """In base wagers, by mask of suits and up card (R-067 to R-069)."""
    ranks = unpacked_ranks(table.super_ranks)
    game["super_place"] = composition_index(rank - 1 for rank in ranks)
    game["super_pay"] = super_bonus_pay(table, base) / base * _super_winners(table)


@lru_cache(maxsize=32)
def _super_winners(table: RuleTable) -> Floats:
    """1 where the hand wins it, by mask of suits and up card: the same for all wagers."""
    ranks = unpacked_ranks(table.super_ranks)
    winners = np.zeros((SUIT_MASKS, CARDS))
    for mask in range(SUIT_MASKS):
        hand = Hand(len(ranks), sum(ranks), 0, table.super_ranks, mask, 0, 0, 0)
        for up in range(CARDS):
            winners[mask, up] = is_super_bonus(table, hand, up)
    return winners


# --- suits --------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def suited_compositions(table: RuleTable, with_super: bool) -> tuple[int, ...]:
    """Compositions of two or three cards whose pay depends on suits."""
    places: set[int] = set()
    for row in range(table.bonus_rows):
        ranks = unpacked_ranks(table.bonus_ranks[row])
        if any(rank >= VALUES for rank in ranks):
            raise _not_analysed("a row that names ten-valued ranks")
        if table.bonus_suits[row] == ANY_SUITS:
            continue
        if ranks:
            places.add(composition_index(rank - 1 for rank in ranks))
        else:
            places.update(_places_of_row(table, row))
    if with_super:
        places.add(composition_index(rank - 1 for rank in unpacked_ranks(table.super_ranks)))
    if (table.diamond_num, table.diamond_den) != (table.blackjack_num, table.blackjack_den):
        places.add(composition_index([ACE_VALUE, TEN_VALUE]))
    if any(lattice().cards[place] > _LONGEST_SUITED for place in places):
        raise _not_analysed("a row by suits for hands of four or more cards")
    return tuple(sorted(places))


def _places_of_row(table: RuleTable, row: int) -> list[int]:
    """All compositions that a row without ranks may pay."""
    places = lattice()
    soft = (places.counts[:, ACE_VALUE] > 0) & (places.hard <= 11)
    total = np.where(soft, places.hard + 10, places.hard)
    fits = (
        (places.cards >= table.bonus_min_cards[row])
        & (places.cards <= table.bonus_max_cards[row])
        & (total >= table.bonus_min_total[row])
        & (total <= table.bonus_max_total[row])
    )
    return [int(place) for place in np.flatnonzero(fits)]


def _not_analysed(what: str) -> RulesError:
    return RulesError(
        [
            Problem(
                "bonus_21",
                what,
                "R-061",
                "exact analysis takes suited rows of at most three cards, and no ten-valued ranks",
                "Simulate these rules, or remove the row.",
            )
        ]
    )


def _fill_suited(game: Game, suited: Ints) -> None:
    """Which hands are looked at card by card: all that leads to the suited compositions."""
    places = lattice()
    for place in suited:
        game["hidden" if places.cards[place] == _LONGEST_SUITED else "suited"][place] = 1
    for place in np.flatnonzero(places.cards == 2):
        after = places.following[place]
        if game["hidden"][after[after >= 0]].any():
            game["suited"][place] = 1
    game["by_card"] = game["suited"]
    for value in range(VALUES):
        one = places.following[0, value]
        if game["hands_at_most"][value] > 1 and game["suited"][places.following[one]].any():
            game["by_card"][places.following[one, value]] = 1
    if game["same_rank"]:
        game["by_card"][composition_index([TEN_VALUE, TEN_VALUE])] = 1


def values_told_apart(table: RuleTable, with_super: bool) -> set[int]:
    """Values of up cards whose suit or rank may count: of such hands, or for the Super Bonus."""
    suited = suited_compositions(table, with_super)
    found = {int(v) for place in suited for v in np.flatnonzero(lattice().counts[place])}
    if with_super:
        found |= {value_of(c) - 1 for c in range(CARDS) if table.super_up_cards >> c & 1}
    return found | ({TEN_VALUE} if splits_by_rank(table) else set())


def _fill_pairs(game: Game, composition: Composition) -> None:
    """Two cards looked at one by one, the lower first, that this composition holds."""
    game["pair_row"] = -1
    if not game["by_card"].any():
        return
    counts = np.array(composition)
    places = _places_of_two_cards()
    looked_at = np.triu(game["by_card"][places] == 1)
    held = np.minimum.outer(counts, counts) > np.eye(CARDS, dtype=np.int64)
    first, second = np.nonzero(looked_at & held)
    rows = len(first)
    game["pairs"] = rows
    game["pair_first"][:rows] = first
    game["pair_second"][:rows] = second
    game["pair_place"][:rows] = places[first, second]
    game["pair_row"][first, second] = np.arange(rows)


@cache
def _places_of_two_cards() -> Ints:
    """[card, card]: their composition."""
    values = np.array([value_of(card) - 1 for card in range(CARDS)])
    following = lattice().following
    places: Ints = following[following[0, values][:, None], values[None, :]]
    return places


def _fill_up_cards(game: Game, composition: Composition, told_apart: set[int]) -> None:
    """Each card where its suit or rank may count, else one for all of its value."""
    rows: list[list[int]] = []  # card, value, count
    for card in range(CARDS):
        value = value_of(card) - 1
        known = rows and rows[-1][1] == value and value not in told_apart
        if known:
            rows[-1][2] += composition[card]
        elif composition[card]:
            rows.append([card, value, composition[card]])
    game["ups"] = len(rows)
    for row, (card, value, count) in enumerate(rows):
        game["up_card"][row], game["up_value"][row], game["up_count"][row] = card, value, count


def up_row_of(game: Game, card: int) -> int:
    """The row of an up card among those told apart, or of the one that stands for it."""
    rows = int(game["ups"])
    for row in range(rows):
        if game["up_card"][row] == card:
            return row
    return next(row for row in range(rows) if game["up_value"][row] == value_of(card) - 1)
