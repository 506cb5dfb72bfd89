"""Run the exact kernels: build their tables from the rules and the shoe, then solve in order.

The order is dealer, unsplit hands, suits, splits, deals.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from ventiuna.analysis.base_game.shoe_exhaustion import SplitHands, round_may_run_out
from ventiuna.analysis.composition import Composition, EmptyShoe, SplitPlay
from ventiuna.core import actions
from ventiuna.core.base_game import (
    doubling_wager,
    is_super_bonus,
    rescue_loss,
    super_bonus_pay,
    surrender_loss,
    wins_two_blackjacks,
)
from ventiuna.core.cards import (
    ANY_SUITS,
    CARDS,
    CLUBS,
    EMPTY_HAND,
    KING,
    QUEEN,
    Hand,
    add_card,
    card_of,
    card_of_value,
    split_hand,
    unpacked_ranks,
    value_of,
)
from ventiuna.core.refusals import LEGAL
from ventiuna.core.rule_table import RuleTable
from ventiuna.kernels.exact import dealer, game, play, splits, suits
from ventiuna.kernels.exact import game as deals
from ventiuna.kernels.exact import play as hands
from ventiuna.kernels.exact import splits as spread
from ventiuna.kernels.exact.dealer import (
    LANES,
    SPAN,
    TOTALS,
    DealerTree,
    PairTree,
    dealer_totals,
    dealer_tree,
    pair_tree,
    totals_beside_pairs,
)
from ventiuna.kernels.exact.game import play_against, reoptimize_splits, value_deals, value_splits
from ventiuna.kernels.exact.play import AGAINST_DEALER, fill_hand_tables, fill_suit_tables
from ventiuna.kernels.exact.splits import place_shoes, plan_splits, split_weights
from ventiuna.kernels.exact.suits import value_suited_hands
from ventiuna.kernels.exact.tables import (
    ACE_VALUE,
    COMPOSITIONS,
    DEAL_FIGURES,
    DOUBLINGS,
    GONE,
    SUIT_MASKS,
    TEN_VALUE,
    UNSPLIT,
    VALUES,
    Bytes,
    Floats,
    Game,
    Ints,
    Plays,
    Scratch,
    Splits,
    SplitStrategy,
    SuitedPlays,
    composition_index,
    copy_of,
    lattice,
    new_record,
    rules_record,
    without_value,
)
from ventiuna.rules import compile_rules, load_rules
from ventiuna.rules.model import Problem, RulesError

# --- Tables that the kernels read ---

SMALL_BASE = 2  # cents; its half is a whole cent, and it never reaches a table maximum
_LONGEST_SUITED = 3


def value_counts(composition: Composition) -> Ints:
    """Card counts by value: aces first, all ten-valued cards last."""
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
    """Build the record that the kernels read.

    With a `base` wager in cents, the table maximum may cap a double-double (R-055). With
    `super_bonus`, payouts include the wager's Super Bonus.
    """
    with_super = super_bonus and base is not None and table.super_ranks != 0
    game = copy_of(_rules_tables(table, with_super))
    _fill_money(game, table, base)
    if with_super and base is not None:
        _fill_super_bonus(game, table, base)
    game["composition"] = composition
    game["shoe"] = value_counts(composition)
    _fill_pairs(game, composition)
    _fill_up_cards(game, composition, suit_sensitive_values(table, with_super))
    return game


@lru_cache(maxsize=32)
def _rules_tables(table: RuleTable, with_super: bool) -> Game:
    """The fields that are the same for all compositions and wagers."""
    game = new_record(Game)
    places = lattice()
    for name in places._fields:
        game[name] = getattr(places, name)
    holding = [
        np.flatnonzero((places.counts[:, v] > 0) & (places.cards > 1)) for v in range(VALUES)
    ]
    game["with_start"] = np.cumsum([0, *(len(item) for item in holding)])
    game["with_value"] = np.concatenate(holding)
    game["weights"] = split_weights()
    game["hands_at_most"] = [hands_at_most(table, value) for value in range(VALUES)]
    game["same_rank"] = splits_by_rank(table)
    game["blackjack_wins"] = wins_two_blackjacks(table, paid_before_check=False)
    game["doublings_at_most"] = table.doublings_at_most
    fill_hand_tables(rules_record(table), game)
    suited = np.array(suited_compositions(table, with_super), dtype=np.int64)
    game["suit_row"] = -1
    fill_suit_tables(rules_record(table), game, suited)
    _fill_suited(game, suited)
    return game


# --- Splits ---


def hands_at_most(table: RuleTable, value: int) -> int:
    """Maximum number of hands from a pair of this value, found by splitting until it is refused."""
    card = card_of_value(value + 1)
    pair = add_card(add_card(EMPTY_HAND, card), card)
    hands = 1
    while actions.refusal(table, actions.SPLIT, pair, hands) == LEGAL:
        pair = add_card(split_hand(card), card)
        hands += 1
    return hands


def splits_by_rank(table: RuleTable) -> bool:
    """Whether pairs must match in rank: two kings are a pair, a queen and a king aren't (D-11)."""
    other_ranks = add_card(add_card(EMPTY_HAND, card_of(QUEEN, CLUBS)), card_of(KING, CLUBS))
    may_split_kings = hands_at_most(table, TEN_VALUE) > 1
    return may_split_kings and actions.refusal(table, actions.SPLIT, other_ranks, 1) != LEGAL


# --- Money ---


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
    """Fill in the Super Bonus in base wagers, by suit mask and up card (R-067 to R-069)."""
    ranks = unpacked_ranks(table.super_ranks)
    game["super_place"] = composition_index(rank - 1 for rank in ranks)
    game["super_pay"] = super_bonus_pay(table, base) / base * _super_winners(table)


@lru_cache(maxsize=32)
def _super_winners(table: RuleTable) -> Floats:
    """1 if the hand wins the Super Bonus, by suit mask and up card; the same for all wagers."""
    ranks = unpacked_ranks(table.super_ranks)
    winners = np.zeros((SUIT_MASKS, CARDS))
    for mask in range(SUIT_MASKS):
        hand = Hand(len(ranks), sum(ranks), 0, table.super_ranks, mask, 0, 0, 0)
        for up in range(CARDS):
            winners[mask, up] = is_super_bonus(table, hand, up)
    return winners


# --- Suits ---


@lru_cache(maxsize=64)
def suited_compositions(table: RuleTable, with_super: bool) -> tuple[int, ...]:
    """Compositions of two or three cards whose pay depends on suits."""
    places: set[int] = set()
    for row in range(table.bonus_rows):
        ranks = unpacked_ranks(table.bonus_ranks[row])
        if any(rank >= VALUES for rank in ranks):
            raise _not_analyzed("a row that names ten-valued ranks")
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
        raise _not_analyzed("a suited row for hands of four or more cards")
    return tuple(sorted(places))


def _places_of_row(table: RuleTable, row: int) -> list[int]:
    """All compositions that can match a pay row without ranks."""
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


def _not_analyzed(what: str) -> RulesError:
    return RulesError(
        [
            Problem(
                "bonus_21",
                what,
                "R-061",
                "exact analysis needs suited rows of at most three cards and no ten-valued ranks",
                "Simulate these rules with a chart (`ventiuna simulate`), or remove the row.",
            )
        ]
    )


def _fill_suited(game: Game, suited: Ints) -> None:
    """Mark hands to enumerate card by card: those that lead to suited compositions."""
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


def suit_sensitive_values(table: RuleTable, with_super: bool) -> set[int]:
    """Up card values whose suit or rank may matter to suited compositions or to the Super Bonus."""
    suited = suited_compositions(table, with_super)
    found = {int(v) for place in suited for v in np.flatnonzero(lattice().counts[place])}
    if with_super:
        found |= {value_of(c) - 1 for c in range(CARDS) if table.super_up_cards >> c & 1}
    return found | ({TEN_VALUE} if splits_by_rank(table) else set())


def _fill_pairs(game: Game, composition: Composition) -> None:
    """List the two-card hands to enumerate by card in this composition, lower card first."""
    game["pair_row"] = -1
    if not game["by_card"].any():
        return
    counts = np.array(composition)
    places = _places_of_two_cards()
    looked_at = np.triu(game["by_card"][places] == 1)
    possible = np.minimum.outer(counts, counts) > np.eye(CARDS, dtype=np.int64)
    first, second = np.nonzero(looked_at & possible)
    rows = len(first)
    game["pairs"] = rows
    game["pair_first"][:rows] = first
    game["pair_second"][:rows] = second
    game["pair_place"][:rows] = places[first, second]
    game["pair_row"][first, second] = np.arange(rows)


@cache
def _places_of_two_cards() -> Ints:
    """The composition of every two cards, by [card, card]."""
    values = np.array([value_of(card) - 1 for card in range(CARDS)])
    following = lattice().following
    places: Ints = following[following[0, values][:, None], values[None, :]]
    return places


def _fill_up_cards(game: Game, composition: Composition, distinguished: set[int]) -> None:
    """List up cards one by one if suit or rank may matter, otherwise one per value."""
    rows: list[list[int]] = []  # card, value, count
    for card in range(CARDS):
        value = value_of(card) - 1
        known = rows and rows[-1][1] == value and value not in distinguished
        if known:
            rows[-1][2] += composition[card]
        elif composition[card]:
            rows.append([card, value, composition[card]])
    game["ups"] = len(rows)
    for row, (card, value, count) in enumerate(rows):
        game["up_card"][row], game["up_value"][row], game["up_count"][row] = card, value, count


def up_row_of(game: Game, card: int) -> int:
    """The row of an up card, or of the card that represents its value."""
    rows = int(game["ups"])
    for row in range(rows):
        if game["up_card"][row] == card:
            return row
    return next(row for row in range(rows) if game["up_value"][row] == value_of(card) - 1)


# --- Solving ---

FIRST_PLACE = VALUES + 1  # the first composition of two cards
TWO_CARD_PLACES = FIRST_PLACE + VALUES * (VALUES + 1) // 2
_SPLIT_SLOTS = 1 << 15  # usually more slots than splits need
ALL_PLACES: Ints = np.arange(FIRST_PLACE, COMPOSITIONS, dtype=np.int64)


class StrategyTables(NamedTuple):
    """A fixed strategy: packed preferences (see `core.actions`), including splits."""

    unsplit: Ints  # [up value, doublings, composition]
    split: Ints  # the same for split hands
    suited: Ints  # [row of two cards, row of up card] in the game's record
    suited_split: Ints


class Solution(NamedTuple):
    """The records of a finished analysis (see `kernels.exact.tables`)."""

    game: Game
    plays: Plays
    suited: SuitedPlays
    splits: Splits
    split_preferences: Ints  # [pair value or 0, up value, doublings, composition]
    split_suited: Ints  # [pair value or 0, row of two cards, row of up card]
    deals: Floats  # [up value, composition of two cards, figure], see `value_deals`


class Records(NamedTuple):
    """Output arrays filled while solving."""

    plays: Plays
    suited: SuitedPlays
    splits: Splits


class _Workspace(threading.local):
    """Reusable scratch memory, one per thread because kernels run without the GIL."""

    @cached_property
    def records(self) -> Records:
        return Records(new_record(Plays), new_record(SuitedPlays), new_record(Splits))

    @cached_property
    def base_chances(self) -> Floats:
        return np.zeros((COMPOSITIONS, VALUES, TOTALS))

    @cached_property
    def split_chances(self) -> Floats:
        return np.zeros((_SPLIT_SLOTS, VALUES, TOTALS))

    @cached_property
    def scratch(self) -> Scratch:
        return new_record(Scratch)

    @cached_property
    def played(self) -> Plays:
        return new_record(Plays)

    @cached_property
    def strategy(self) -> SplitStrategy:
        return new_record(SplitStrategy)

    @cached_property
    def shoes(self) -> Ints:
        return np.empty((VALUES * COMPOSITIONS, VALUES), dtype=np.int64)

    @cached_property
    def spans(self) -> Ints:
        return np.empty((VALUES * COMPOSITIONS, SPAN), dtype=np.int64)


workspace = _Workspace()


def dealer_chances(tree: DealerTree, shoe: Ints, places: Ints) -> Floats:
    """Dealer probabilities given each composition: [composition, up value, total]."""
    chances = workspace.base_chances
    shoes = shoe - lattice().counts[places]
    if len(places) == len(ALL_PLACES):
        dealer_totals(tree, shoes, chances[FIRST_PLACE:], LANES)
        return chances
    found = np.zeros((len(places), VALUES, TOTALS))
    dealer_totals(tree, shoes, found, LANES)
    chances[places] = found
    return chances


class DealerChances(NamedTuple):
    """Dealer probabilities for one strategy and shoe; they don't depend on payouts or costs."""

    beside_hands: Floats  # [composition, up value, total]
    beside_splits: Floats  # [slot, up value, total]


class SolverQuery(NamedTuple):
    """A problem for the solver."""

    table: RuleTable
    composition: Composition
    split_play: SplitPlay = SplitPlay.AS_UNSPLIT
    base: int | None = None
    super_bonus: bool = False
    strategy: StrategyTables | None = None  # None for best play
    game: Game | None = None  # the record; None to build it from the table and composition
    chances: DealerChances | None = None  # None to compute them; see `dealer_chances_of`


class Deals(NamedTuple):
    """All two-card deals, added up; small enough to store with each result."""

    figures: Floats  # [up value, composition of two cards, figure], see `value_deals`
    by_action: Floats  # [up value, action, composition of two cards]
    legal: Ints  # [composition of two cards]
    by_card: Bytes  # [composition of two cards]: 1 if suits matter


def solve(
    table: RuleTable,
    composition: Composition,
    split_play: SplitPlay = SplitPlay.AS_UNSPLIT,
    base: int | None = None,
    super_bonus: bool = False,
    strategy: StrategyTables | None = None,
    game: Game | None = None,
    chances: DealerChances | None = None,
) -> Solution:
    """Solve for best play of every hand, or value a fixed strategy; return all records."""
    query = SolverQuery(table, composition, split_play, base, super_bonus, strategy, game, chances)
    records = Records(new_record(Plays), new_record(SuitedPlays), new_record(Splits))
    game, deals = _fill_records(query, records)
    split_hands = split_hands_of(game)
    return Solution(
        game=game,
        plays=records.plays,
        suited=records.suited,
        splits=records.splits,
        split_preferences=split_hands.preferences.copy(),
        split_suited=split_hands.suited.copy(),
        deals=deals,
    )


def solve_deals(query: SolverQuery) -> Deals:
    """Solve, and return only the deals."""
    records = workspace.records
    game, deals = _fill_records(query, records)
    return Deals(
        figures=deals,
        by_action=records.plays["by_action"][:, :, :TWO_CARD_PLACES].copy(),
        legal=game["legal"][UNSPLIT, 0, :TWO_CARD_PLACES].copy(),
        by_card=game["by_card"][:TWO_CARD_PLACES].copy(),
    )


def dealer_chances_of(query: SolverQuery) -> DealerChances:
    """Dealer probabilities, to reuse for other amounts with the same rules, shoe and strategy."""
    _fill_records(query, workspace.records)
    return DealerChances(workspace.base_chances.copy(), workspace.split_chances.copy())


def _fill_records(query: SolverQuery, records: Records) -> tuple[Game, Floats]:
    """Fill the records; return the game's record and the deal figures."""
    table, composition, split_play, base, super_bonus, strategy, game, known = query
    if game is None:
        game = game_tables(table, composition, base, super_bonus)
    plays, suited, splits = records
    optimize = strategy is None
    if known is None:
        chances = dealer_chances(dealer_tree(table), game["shoe"], ALL_PLACES)
    else:
        chances = known.beside_hands
    ups = np.flatnonzero(game["shoe"])
    if strategy is not None:
        plays["preferences"] = strategy.unsplit
        rows, up_rows = strategy.suited.shape
        suited["preferences"][:rows, :up_rows] = strategy.suited
    scratch = workspace.scratch
    play_against(game, UNSPLIT, ups, ALL_PLACES, chances, optimize, plays, scratch)
    value_suited_hands(game, UNSPLIT, optimize, plays, suited, scratch)
    pairs = np.flatnonzero((game["hands_at_most"] > 1) & (game["shoe"] > 1))
    beside = None if known is None else known.beside_splits
    solve_splits(table, game, ups, pairs, split_play, records, strategy, beside)
    if round_may_run_out(table, game, pairs, split_hands_of(game), strategy):
        raise EmptyShoe(sum(composition))
    deals = np.zeros((VALUES, TWO_CARD_PLACES, DEAL_FIGURES))
    value_deals(game, ups, optimize, plays, suited, splits, scratch, deals)
    return game, deals


def split_hands_of(game: Game) -> SplitHands:
    """The play of split hands in this thread's most recent solution."""
    strategy = workspace.strategy
    by_pair = slice(None) if strategy["by_pair"] else slice(1)
    rows, up_rows = int(game["pairs"]), int(game["ups"])
    return SplitHands(
        strategy["preferences"][by_pair], strategy["suited"][by_pair, :rows, :up_rows]
    )


def best_hands(game: Game, kind: int) -> tuple[Plays, SuitedPlays]:
    """Best play of another kind of hand, such as split hands, each considered by itself.

    Uses the dealer probabilities from this thread's most recent solution.
    """
    plays, suited, scratch = new_record(Plays), new_record(SuitedPlays), workspace.scratch
    ups = np.flatnonzero(game["shoe"])
    play_against(game, kind, ups, ALL_PLACES, workspace.base_chances, True, plays, scratch)
    value_suited_hands(game, kind, True, plays, suited, scratch)
    return plays, suited


def solve_splits(
    table: RuleTable,
    game: Game,
    ups: Ints,
    pairs: Ints,
    split_play: SplitPlay,
    records: Records,
    fixed: StrategyTables | None = None,
    beside: Floats | None = None,
) -> None:
    """Value splitting each pair against each up card.

    Values that depend on suits go into the suited records. `beside` holds the dealer probabilities
    given the split hands, if known.
    """
    plays, suited, splits = records
    strategy, scratch = workspace.strategy, workspace.scratch
    strategy["by_pair"] = 0
    strategy["by_value"] = fixed is None
    strategy["judge_unsplit"] = split_play == SplitPlay.AS_UNSPLIT
    if fixed is not None:
        rows, up_rows = fixed.suited_split.shape
        strategy["preferences"][0] = fixed.split
        strategy["suited"][0, :rows, :up_rows] = fixed.suited_split
    elif split_play == SplitPlay.AS_UNSPLIT:
        rows, up_rows = int(game["pairs"]), int(game["ups"])
        strategy["preferences"][0] = plays["preferences"]
        strategy["suited"][0, :rows, :up_rows] = suited["preferences"][:rows, :up_rows]
    else:
        _reoptimise(table, game, ups, pairs, splits, strategy)
    plan_splits(game, ups, pairs, strategy, splits)
    chances = _chances_beside_pairs(table, game, ups, pairs, GONE, splits, beside)
    value_splits(
        game,
        ups,
        pairs,
        chances,
        strategy,
        plays,
        suited,
        splits,
        workspace.played,
        scratch,
    )


def _chances_beside_pairs(
    table: RuleTable,
    game: Game,
    ups: Ints,
    pairs: Ints,
    gone_at_most: int,
    splits: Splits,
    known: Floats | None = None,
) -> Floats:
    """Dealer probabilities given the split hands: [slot, up value, total]."""
    shoes, spans = workspace.shoes, workspace.spans
    slots = place_shoes(game, without_value(), pairs, gone_at_most, splits, shoes, spans)
    if known is not None and slots <= len(known):
        return known
    chances = workspace.split_chances
    if slots > len(chances):
        chances = np.empty((slots, VALUES, TOTALS))
    up = int(ups[0]) if len(ups) == 1 else None
    for pair in pairs:
        rows = np.arange(splits["first_row"][pair], splits["past_row"][pair])
        rows = rows[np.argsort(spans[rows, 0])]  # group rows with similar spans
        tree = pair_tree(table, int(pair), up)
        totals_beside_pairs(tree, int(pair), shoes[rows], spans[rows], chances, LANES)
    return chances


def _reoptimise(
    table: RuleTable, game: Game, ups: Ints, pairs: Ints, splits: Splits, strategy: SplitStrategy
) -> None:
    """Store in `strategy` the best play of split hands with one more pair card gone."""
    strategy["by_pair"] = 1
    splits["waits"] = 1
    chances = _chances_beside_pairs(table, game, ups, pairs, 1, splits)
    reoptimize_splits(
        game,
        ups,
        pairs,
        chances,
        splits,
        workspace.played,
        strategy,
        workspace.scratch,
    )


def strategy_of(solution: Solution) -> StrategyTables:
    """A solution's best play as a fixed strategy, with split hands played like unsplit ones."""
    rows, up_rows = int(solution.game["pairs"]), int(solution.game["ups"])
    suited = solution.suited["preferences"][:rows, :up_rows].copy()
    unsplit = solution.plays["preferences"].copy()
    return StrategyTables(unsplit, unsplit, suited, suited)


# --- Kernels to compile ---

# Each kernel with the types of its arguments, one word per argument.
_SIGNATURES: tuple[tuple[Callable[..., object], str], ...] = (
    (hands.fill_hand_tables, "rules game"),
    (hands.fill_suit_tables, "rules game ints"),
    (dealer.dealer_totals, "tree ints2 floats3 int"),
    (game.play_against, "game int ints ints floats3 bool plays scratch"),
    (suits.value_suited_hands, "game int bool plays suited scratch"),
    (splits.plan_splits, "game ints ints strategy splits"),
    (splits.place_shoes, "game ints2 ints int splits ints2 ints2"),
    (dealer.totals_beside_pairs, "pair_tree int ints2 ints2 floats3 int"),
    (deals.value_deals, "game ints bool plays suited splits scratch floats3"),
    (game.value_hand, "game int int int int plays scratch"),
    (suits.stand_by_suits, "game int int int int float"),
    (game.value_splits, "game ints ints floats3 strategy plays suited splits plays scratch"),
    (game.reoptimize_splits, "game ints ints floats3 splits plays strategy scratch"),
    (deals.blackjack_chance, "game int ints int"),
    (play.next_card_chances, "game int ints int floats"),
    (suits.legal_by_suits, "game int int int"),
    (spread.collect_events, "game int ints2 floats2 floats2 floats2 floats3"),
    (spread.group_pairs, "game ints ints2 ints"),
    (spread.gather_products, "game ints ints2 floats3 floats3"),
    (spread.sum_products, "ints ints2 int ints floats3 floats3 floats"),
)

_RECORDS = {
    "game": Game,
    "plays": Plays,
    "suited": SuitedPlays,
    "splits": Splits,
    "strategy": SplitStrategy,
    "scratch": Scratch,
}
_TREES: dict[str, type[DealerTree] | type[PairTree]] = {"tree": DealerTree, "pair_tree": PairTree}


def exact_signatures() -> list[tuple[Callable[..., object], tuple[object, ...]]]:
    """Each kernel with arguments of the types that the analyzer passes."""
    return [(kernel, _arguments(words)) for kernel, words in _SIGNATURES]


def _arguments(words: str) -> tuple[object, ...]:
    return tuple(_argument(word) for word in words.split())


@cache
def _argument(word: str) -> object:
    if word in _RECORDS:
        return new_record(_RECORDS[word])
    if word == "rules":
        return rules_record(compile_rules(load_rules("wsgc-spanish-21")))
    if word in _TREES:
        tree = _TREES[word]
        return tree._make(
            _argument("floats" if name == "entry_orders" else "ints") for name in tree._fields
        )
    if word in ("int", "float", "bool"):
        return {"int": 0, "float": 0.0, "bool": False}[word]
    kind, dimensions = word.rstrip("23"), int(word[-1]) if word[-1].isdigit() else 1
    return np.zeros((0,) * dimensions, dtype=np.int64 if kind == "ints" else np.float64)
