"""Index plays in the strategy's table: cells that the count changes get codes of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ventiuna.core import actions
from ventiuna.core.hand import Hand, best_total, is_blackjack, is_equal_value_pair, is_soft
from ventiuna.core.table import RuleTable
from ventiuna.kernels.simulate import layout as at
from ventiuna.simulation import tables
from ventiuna.strategy.counting import Count
from ventiuna.strategy.errors import plan_problem
from ventiuna.strategy.plays import IndexPlay, Weights

Bytes = npt.NDArray[np.uint8]


def code_of_action(action: int, stand_code: int) -> int:
    """What the kernel's table holds for this action."""
    if action == actions.STAND:
        return stand_code
    special = {
        actions.SURRENDER: at.TERMINAL + at.SURRENDERED,
        actions.RESCUE: at.TERMINAL + at.RESCUED,
    }
    return special.get(action, action)


@dataclass
class IndexPlays:
    """Codes from INDEX_PLAY on name a threshold and the codes below and from it on."""

    codes: Bytes  # [mode, node, up]
    thresholds: npt.NDArray[np.int64] = field(
        default_factory=lambda: np.zeros(at.INDEX_PLAYS, dtype=np.int64)
    )
    below: Bytes = field(default_factory=lambda: np.zeros(at.INDEX_PLAYS, dtype=np.uint8))
    above: Bytes = field(default_factory=lambda: np.zeros(at.INDEX_PLAYS, dtype=np.uint8))
    departs_below: Bytes = field(default_factory=lambda: np.zeros(at.INDEX_PLAYS, dtype=np.uint8))
    weights: dict[int, Weights] = field(default_factory=dict)  # of plays with a sum of their own
    known: dict[tuple[int, int, int, bool, Weights], int] = field(default_factory=dict)

    def number(self, count: Count, usual: int, play: IndexPlay, code: int) -> int:
        threshold = count.threshold(play.at)
        below, above = (code, usual) if play.is_below else (usual, code)
        key = (threshold, below, above, play.is_below, play.weights)
        if key not in self.known:
            place = len(self.known)
            if place == at.INDEX_PLAYS:
                raise plan_problem(
                    "plays", count.name, "too many different index plays", "Take some out."
                )
            self.known[key] = place
            self.thresholds[place], self.below[place], self.above[place] = key[:3]
            self.departs_below[place] = play.is_below
            if play.weights:
                self.weights[place] = play.weights
        return self.known[key]


def index_plays(
    count: Count | None, rules: RuleTable, codes: Bytes, stand_codes: Bytes
) -> IndexPlays:
    """The strategy's codes with those of the count's plays written over them."""
    if count is None or not count.plays:
        return IndexPlays(codes)
    found = IndexPlays(codes.copy())
    facts = tables.hand_facts(rules)
    graph = facts.graph
    ups = tables.up_samples(rules)
    by_hand = _by_hand(count.plays)
    for node in range(graph.two_cards.start, len(graph)):
        shape = graph.shapes[node]
        plays = _plays_of(by_hand, shape)
        if not plays or is_blackjack(shape):
            continue
        for mode in range(at.MODES):
            hand = tables.hand_in_mode(shape, mode)
            for play in plays:
                action = play.action_among(int(facts.legal[mode, node]))
                if action is None:
                    continue
                for kind in (kind for kind, up in ups.items() if play.concerns(rules, hand, up)):
                    usual = int(codes[mode, node, kind])
                    if usual == actions.SPLIT and play.kind != "pair":
                        continue  # a pair that is split is not played as its total
                    other = code_of_action(action, int(stand_codes[mode, node, kind]))
                    code = usual  # a later play counts, even one that says what the chart says
                    if usual != other:
                        code = at.INDEX_PLAY + found.number(count, usual, play, other)
                    found.codes[mode, node, kind] = code
    return found


_ByHand = dict[tuple[str, int], list[tuple[int, IndexPlay]]]


def _by_hand(plays: Sequence[IndexPlay]) -> _ByHand:
    """Plays with their places, by row of the chart: few of them concern a hand at all."""
    found: _ByHand = {}
    for place, play in enumerate(plays):
        found.setdefault((play.kind, play.number), []).append((place, play))
    return found


def _plays_of(by_hand: _ByHand, shape: Hand) -> list[IndexPlay]:
    """Plays of this hand's rows, in their order."""
    kind = "soft" if is_soft(shape.hard, shape.aces) else "hard"
    found = list(by_hand.get((kind, best_total(shape.hard, shape.aces)), ()))
    if is_equal_value_pair(shape):
        found += by_hand.get(("pair", shape.hard // 2), ())
    return [play for _, play in sorted(found, key=lambda one: one[0])]
