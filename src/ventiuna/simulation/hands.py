"""Every hand that play can reach, as a graph: one node for all hands that no rule tells apart.

The compiled order of play walks this graph, one table look-up a card. What a node may do and
what it is paid was asked of `core` beforehand, node by node, so no rule is repeated there.

Two hands share a node when they have the same cards by value and every row of the house's pay
list that asks for ranks or suits (6-7-8 of one suit, the Super Bonus …) treats their futures
alike. That leaves about 3,100 nodes for Spanish 21 and lets a strategy use exact compositions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ventiuna.core.cards import (
    ACE,
    ANY_SUITS,
    CARDS,
    DIAMONDS,
    RANKS,
    TEN,
    count_of_rank,
    rank_of,
    ranks_below,
    suit_of,
    value_of,
)
from ventiuna.core.hand import (
    EMPTY_HAND,
    Hand,
    add_card,
    is_all_diamonds,
    is_blackjack,
    is_same_rank_pair,
)
from ventiuna.core.table import SPLIT_SAME_RANK, RuleTable
from ventiuna.strategy.errors import plan_problem

BUST = 0  # the node of every hand above 21
MOST_NODES = 60_000  # node numbers are 16 bits wide

Key = tuple[int, ...]


@dataclass(frozen=True)
class HandGraph:
    """Nodes are numbered by cards: bust, then hands of one card, of two, and so on."""

    column: npt.NDArray[np.uint8]  # of each card; cards of one column always lead alike
    shift: int  # a node's transitions are `following[node << shift | column]`
    following: npt.NDArray[np.uint16]
    one_card: npt.NDArray[np.uint16]  # node of each single card
    cards: tuple[tuple[int, ...], ...]  # an example of each node
    shapes: tuple[Hand, ...]
    two_cards: range  # the nodes that a deal can give

    def __len__(self) -> int:
        return len(self.cards)

    def node(self, cards: tuple[int, ...]) -> int:
        """The node of a hand given by its cards."""
        node = int(self.one_card[cards[0]])
        for card in cards[1:]:
            node = int(self.following[(node << self.shift) + int(self.column[card])])
        return node


@dataclass(frozen=True)
class _Row:
    """What a row of the pay list, or the Super Bonus, asks of ranks and suits."""

    ranks: int  # packed like Hand.ranks; 0: any
    suits: int  # which of the 16 suit masks fit
    most_cards: int

    @property
    def asks_suits(self) -> bool:
        return self.suits != ANY_SUITS


def _watched_rows(rules: RuleTable) -> tuple[_Row, ...]:
    rows = {
        _Row(rules.bonus_ranks[row], rules.bonus_suits[row], rules.bonus_max_cards[row])
        for row in range(rules.bonus_rows)
        if rules.bonus_ranks[row] or rules.bonus_suits[row] != ANY_SUITS
    }
    if rules.super_ranks:
        rows.add(_Row(rules.super_ranks, rules.super_suits, 3))
    return tuple(sorted(rows, key=lambda row: (row.ranks, row.suits, row.most_cards)))


def _contains(ranks: int, part: int) -> bool:
    return all(
        count_of_rank(part, rank) <= count_of_rank(ranks, rank) for rank in range(1, RANKS + 1)
    )


class _Builder:
    def __init__(self, rules: RuleTable) -> None:
        self.rules = rules
        self.rows = _watched_rows(rules)
        self.tells_diamonds = (rules.diamond_num * rules.blackjack_den) != (
            rules.blackjack_num * rules.diamond_den
        )
        self.tells_faces = rules.split == SPLIT_SAME_RANK or any(
            count_of_rank(row.ranks, rank) for row in self.rows for rank in range(TEN, RANKS + 1)
        )
        self.pack = [c for c in range(CARDS) if rules.has_tens or rank_of(c) != TEN]
        self._live: dict[int, tuple[_Row, ...]] = {}
        self._futures: dict[tuple[int, int], int] = {}

    def columns(self) -> dict[int, Key]:
        """Each card's class: cards that lead alike from everywhere share one."""
        return {card: self._column(card) for card in self.pack}

    def _column(self, card: int) -> Key:
        rank, suit, value = rank_of(card), suit_of(card), value_of(card)
        asks_suit = any(
            row.asks_suits and (row.ranks == 0 or count_of_rank(row.ranks, rank))
            for row in self.rows
        )
        face = rank if value == 10 and self.tells_faces else 0
        if asks_suit:
            return (value, face, suit)
        if self.tells_diamonds and (rank == ACE or value == 10):
            return (value, face, DIAMONDS if suit == DIAMONDS else 0)
        return (value, face, 0)

    def key(self, hand: Hand) -> Key:
        """Equal for hands that no rule and no later card tells apart."""
        if hand.hard > 21:
            return ()
        tens = sum(count_of_rank(hand.ranks, rank) for rank in range(TEN, RANKS + 1))
        low_ranks = ranks_below(hand.ranks, TEN)
        # The hard total tells sixteen aces from a two, whose packed counts are the same.
        parts = [low_ranks, tens, hand.hard]
        for row in self._live_rows(hand.ranks, hand.cards):
            future = self._future(row.suits, hand.suits)
            if future:
                parts += [row.ranks, row.suits, hand.ranks if self.tells_faces else 0, future]
        if hand.cards == 2:
            same = is_same_rank_pair(hand) and self.tells_faces
            diamonds = is_blackjack(hand) and is_all_diamonds(hand) and self.tells_diamonds
            parts += [-1, int(same), int(diamonds)]
        return tuple(parts)

    def _live_rows(self, ranks: int, cards: int) -> tuple[_Row, ...]:
        found = self._live.get(ranks)
        if found is None:
            found = tuple(
                row
                for row in self.rows
                if cards <= row.most_cards and (row.ranks == 0 or _contains(row.ranks, ranks))
            )
            self._live[ranks] = found
        return found

    def _future(self, fitting: int, suits: int) -> int:
        """Which suits still to come would fit, one bit for each of the 16 sets."""
        found = self._futures.get((fitting, suits))
        if found is None:
            found = sum((fitting >> (suits | more) & 1) << more for more in range(16))
            self._futures[fitting, suits] = found
        return found


def _fits_in_shoe(rules: RuleTable, hand: Hand, card: int) -> bool:
    return count_of_rank(hand.ranks, rank_of(card)) < 4 * rules.decks


@lru_cache(maxsize=32)
def hand_graph(rules: RuleTable) -> HandGraph:
    """All hands of these rules that do not bust, and where each card leads."""
    builder = _Builder(rules)
    classes = builder.columns()
    numbers = {kind: number for number, kind in enumerate(dict.fromkeys(classes.values()))}
    samples: dict[Key, int] = {}
    for card, kind in classes.items():
        samples.setdefault(kind, card)
    column = np.zeros(64, dtype=np.uint8)
    for card, kind in classes.items():
        column[card] = numbers[kind]
    shift = max(5, (len(numbers) - 1).bit_length())
    draws = [(numbers[kind], card) for kind, card in samples.items()]

    cards: list[tuple[int, ...]] = [()]
    shapes: list[Hand] = [EMPTY_HAND]
    leads: list[list[int]] = [[BUST] * (1 << shift)]
    of_kind: dict[Key, int] = {}
    for kind, card in samples.items():
        of_kind[kind] = len(cards)
        cards.append((card,))
        shapes.append(add_card(EMPTY_HAND, card))
    nodes: dict[Key, int] = {(): BUST}
    level = range(1, len(cards))
    two_cards = range(0)
    while level:
        first = len(cards)
        for node in level:
            row = [BUST] * (1 << shift)
            shape = shapes[node]
            for number, card in draws:
                if not _fits_in_shoe(rules, shape, card):
                    continue
                drawn = add_card(shape, card)
                key = builder.key(drawn)
                found = nodes.get(key)
                if found is None:
                    found = len(cards)
                    nodes[key] = found
                    cards.append((*cards[node], card))
                    shapes.append(drawn)
                row[number] = found
            leads.append(row)
        level = range(first, len(cards))
        two_cards = two_cards or level
        if len(cards) > MOST_NODES:
            raise plan_problem(
                "bonus_21",
                "",
                "these rows tell too many hands apart for the simulator",
                "Ask for suits only together with ranks.",
            )
    one_card = np.zeros(64, dtype=np.uint16)
    for card, kind in classes.items():
        one_card[card] = of_kind[kind]
    following = np.array(leads, dtype=np.uint16).reshape(-1)
    return HandGraph(column, shift, following, one_card, tuple(cards), tuple(shapes), two_cards)
