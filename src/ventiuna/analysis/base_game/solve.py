"""Runs the exact kernels in their order: dealer, unsplit hands, suits, splits, deals."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ventiuna.analysis.base_game.running_out import SplitHands, round_may_run_out
from ventiuna.analysis.base_game.split_play import SplitPlay
from ventiuna.analysis.base_game.tables import game_tables
from ventiuna.analysis.composition import Composition
from ventiuna.analysis.empty_shoe import EmptyShoe
from ventiuna.core.table import RuleTable
from ventiuna.kernels.exact.dealer import (
    LANES,
    SPAN,
    TOTALS,
    DealerTree,
    dealer_totals,
    dealer_tree,
    pair_tree,
    totals_beside_pairs,
)
from ventiuna.kernels.exact.deals import value_deals
from ventiuna.kernels.exact.game import play_against, reoptimise_splits, value_splits
from ventiuna.kernels.exact.lattice import (
    COMPOSITIONS,
    VALUES,
    Bytes,
    Floats,
    Ints,
    lattice,
    without_value,
)
from ventiuna.kernels.exact.records import (
    DEAL_FIGURES,
    GONE,
    UNSPLIT,
    Game,
    Plays,
    Scratch,
    Splits,
    SplitStrategy,
    SuitedPlays,
    new_record,
)
from ventiuna.kernels.exact.splits import place_shoes, plan_splits
from ventiuna.kernels.exact.suits import value_suited_hands

FIRST_PLACE = VALUES + 1  # the first composition of two cards
TWO_CARD_PLACES = FIRST_PLACE + VALUES * (VALUES + 1) // 2
_SPLIT_SLOTS = 1 << 15  # more than splits need as a rule
ALL_PLACES: Ints = np.arange(FIRST_PLACE, COMPOSITIONS, dtype=np.int64)


class StrategyTables(NamedTuple):
    """A fixed strategy: packed preferences (see `core.preferences`), splitting among them."""

    unsplit: Ints  # [up value, doublings, composition]
    split: Ints  # the same for split hands
    suited: Ints  # [row of two cards, row of up card] of the game's record
    suited_split: Ints


class Solution(NamedTuple):
    """The records of a finished analysis (see `kernels.exact.records`)."""

    game: Game
    plays: Plays
    suited: SuitedPlays
    splits: Splits
    split_preferences: Ints  # [pair value or 0, up value, doublings, composition]
    split_suited: Ints  # [pair value or 0, row of two cards, row of up card]
    deals: Floats  # [up value, composition of two cards, figure], see `value_deals`


class Records(NamedTuple):
    """What is filled on the way."""

    plays: Plays
    suited: SuitedPlays
    splits: Splits


class _Workspace(threading.local):
    """Room that is used again; one for each thread, since kernels run without the lock."""

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
    """Of the dealer's totals beside each of these compositions; [composition, up value, total]."""
    chances = workspace.base_chances
    shoes = shoe - lattice().counts[places]
    if len(places) == len(ALL_PLACES):
        dealer_totals(tree, shoes, chances[FIRST_PLACE:], LANES)
        return chances
    found = np.zeros((len(places), VALUES, TOTALS))
    dealer_totals(tree, shoes, found, LANES)
    chances[places] = found
    return chances


class Chances(NamedTuple):
    """The dealer's chances of one strategy and shoe: the same whatever hands pay and cost."""

    beside_hands: Floats  # [composition, up value, total]
    beside_splits: Floats  # [slot, up value, total]


class Question(NamedTuple):
    """What is to be worked out."""

    table: RuleTable
    composition: Composition
    split_play: SplitPlay = SplitPlay.AS_UNSPLIT
    base: int | None = None
    super_bonus: bool = False
    strategy: StrategyTables | None = None  # else best play
    game: Game | None = None  # the record, where it is not that of the table and composition
    chances: Chances | None = None  # where they are known: see `dealer_chances_of`


class Deals(NamedTuple):
    """All deals of two cards, summed up: little enough to be kept with each result."""

    figures: Floats  # [up value, composition of two cards, figure], see `value_deals`
    by_action: Floats  # [up value, action, composition of two cards]
    legal: Ints  # [composition of two cards]
    by_card: Bytes  # [composition of two cards]: 1 where suits tell them apart


def solve(
    table: RuleTable,
    composition: Composition,
    split_play: SplitPlay = SplitPlay.AS_UNSPLIT,
    base: int | None = None,
    super_bonus: bool = False,
    strategy: StrategyTables | None = None,
    game: Game | None = None,
    chances: Chances | None = None,
) -> Solution:
    """Best play of every hand, or what a fixed strategy comes to: all records of it."""
    question = Question(table, composition, split_play, base, super_bonus, strategy, game, chances)
    records = Records(new_record(Plays), new_record(SuitedPlays), new_record(Splits))
    game, deals = _work_out(question, records)
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


def solve_deals(question: Question) -> Deals:
    """The same, of which only the deals are kept."""
    records = workspace.records
    game, deals = _work_out(question, records)
    return Deals(
        figures=deals,
        by_action=records.plays["by_action"][:, :, :TWO_CARD_PLACES].copy(),
        legal=game["legal"][UNSPLIT, 0, :TWO_CARD_PLACES].copy(),
        by_card=game["by_card"][:TWO_CARD_PLACES].copy(),
    )


def dealer_chances_of(question: Question) -> Chances:
    """For further questions with the same rules, shoe and strategy, but other amounts."""
    _work_out(question, workspace.records)
    return Chances(workspace.base_chances.copy(), workspace.split_chances.copy())


def _work_out(question: Question, records: Records) -> tuple[Game, Floats]:
    """Fill the records; returns that of the game, and the deals' figures."""
    table, composition, split_play, base, super_bonus, strategy, game, known = question
    if game is None:
        game = game_tables(table, composition, base, super_bonus)
    plays, suited, splits = records
    optimise = strategy is None
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
    play_against(game, UNSPLIT, ups, ALL_PLACES, chances, optimise, plays, scratch)
    value_suited_hands(game, UNSPLIT, optimise, plays, suited, scratch)
    pairs = np.flatnonzero((game["hands_at_most"] > 1) & (game["shoe"] > 1))
    beside = None if known is None else known.beside_splits
    solve_splits(table, game, ups, pairs, split_play, records, strategy, beside)
    if round_may_run_out(table, game, pairs, split_hands_of(game), strategy):
        raise EmptyShoe(sum(composition))
    deals = np.zeros((VALUES, TWO_CARD_PLACES, DEAL_FIGURES))
    value_deals(game, ups, optimise, plays, suited, splits, scratch, deals)
    return game, deals


def split_hands_of(game: Game) -> SplitHands:
    """How the hands of splits were played by this thread just now."""
    strategy = workspace.strategy
    by_pair = slice(None) if strategy["by_pair"] else slice(1)
    rows, up_rows = int(game["pairs"]), int(game["ups"])
    return SplitHands(
        strategy["preferences"][by_pair], strategy["suited"][by_pair, :rows, :up_rows]
    )


def best_hands(game: Game, kind: int) -> tuple[Plays, SuitedPlays]:
    """Best play of hands of a further kind, such as those of splits, taken by themselves.

    From the shoe that this thread has solved just now: the dealer's chances are those.
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
    """Value of splitting each pair against each up card; those by suits enter the suited.

    `beside`: the dealer's chances beside split hands, where they are known.
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
    """Of the dealer's totals beside split hands; [slot, up value, total]."""
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
        rows = rows[np.argsort(spans[rows, 0])]  # those with like spans side by side
        tree = pair_tree(table, int(pair), up)
        totals_beside_pairs(tree, int(pair), shoes[rows], spans[rows], chances, LANES)
    return chances


def _reoptimise(
    table: RuleTable, game: Game, ups: Ints, pairs: Ints, splits: Splits, strategy: SplitStrategy
) -> None:
    """Find the best play of split hands, one further pair card gone, into the strategy."""
    strategy["by_pair"] = 1
    splits["waits"] = 1
    chances = _chances_beside_pairs(table, game, ups, pairs, 1, splits)
    reoptimise_splits(
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
    """The best play of a solution as a fixed strategy; split hands as the same cards unsplit."""
    rows, up_rows = int(solution.game["pairs"]), int(solution.game["ups"])
    suited = solution.suited["preferences"][:rows, :up_rows].copy()
    unsplit = solution.plays["preferences"].copy()
    return StrategyTables(unsplit, unsplit, suited, suited)
