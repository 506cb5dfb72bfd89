"""Build the arrays that the compiled order of play reads, from rules, wagers and a strategy.

All rules are looked up in `core` here, once for every node of the hand graph. The compiled order of
play walks this graph with one table lookup per card, so no rule is repeated there.

Two hands share a node if they have the same cards by value and no pay row that depends on ranks or
suits (6-7-8 of one suit, the Super Bonus …) can tell them apart, no matter which cards follow.
Spanish 21 has about 3,100 nodes, and a strategy can use exact compositions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import gcd

import numpy as np
import numpy.typing as npt

from ventiuna.core import actions, base_game
from ventiuna.core.actions import first_legal_of
from ventiuna.core.base_game import (
    AFTER_CHECK,
    blackjack_paid_when,
    envy_pay,
    is_super_bonus,
    super_bonus_pay,
    winning_row,
    wins_two_blackjacks,
)
from ventiuna.core.cards import (
    ACE,
    ANY_SUITS,
    CARDS,
    DIAMONDS,
    EMPTY_HAND,
    RANKS,
    TEN,
    Hand,
    add_card,
    best_total,
    card_of_value,
    count_of_rank,
    is_all_diamonds,
    is_blackjack,
    is_same_rank_pair,
    is_soft,
    rank_of,
    ranks_below,
    suit_of,
    value_of,
)
from ventiuna.core.refusals import LEGAL
from ventiuna.core.rule_table import SPLIT_SAME_RANK, RuleTable
from ventiuna.kernels.simulate import layout as at
from ventiuna.strategy.chart import ChartPlayer
from ventiuna.strategy.protocol import HandSeen, Strategy, plan_problem

# --- The money unit ---

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class UnitAmounts:
    """Wagers and payouts of the base game in grains; a grain is the largest common divisor."""

    grain: int  # cents
    wagers: Ints  # [level, doublings]; levels with a double for less come last
    terminal: Ints  # [level, mode, entry]
    lowest: int
    highest: int


@dataclass(frozen=True)
class WagerSize:
    """A size of the base wager, in cents."""

    base: int
    for_less: int = 0  # what a double for less adds; 0 for a full double


def hand_wagers(rules: RuleTable, size: WagerSize) -> tuple[list[int], list[int]]:
    """A hand's wager after 0 to 3 doublings, and the last portion added (R-053 to R-055, R-058)."""
    wagers, portions = [size.base], [0]
    for doublings in range(1, at.WAGERS):
        added = base_game.doubling_wager(rules, wagers[-1], doublings - 1)
        if doublings == 1 and size.for_less:
            added = size.for_less
        portions.append(added)
        wagers.append(wagers[-1] + added)
    return wagers, portions


def _terminal_cents(rules: RuleTable, size: WagerSize, mode: int) -> dict[int, int]:
    """Final results of a hand in this mode, in cents by entry."""
    doublings = max(0, mode - at.DOUBLED_ONCE + 1)
    if doublings > rules.doublings_at_most:
        return {}
    wagers, portions = hand_wagers(rules, size)
    wager = wagers[doublings]
    pays = {
        at.BUSTED: -wager,
        at.SURRENDERED: -base_game.surrender_loss(wager),
    }
    if doublings:
        pays[at.RESCUED] = -base_game.rescue_loss(wager, portions[doublings])
    for row in range(rules.bonus_rows):
        if doublings == 0 or rules.bonus_doubled[row]:
            pays[row] = base_game.row_profit(rules, row, wager)
            pays[at.SUPER + row] = pays[row]
    if mode == at.AS_DEALT:
        for entry, suits in ((at.BLACKJACK, 1), (at.DIAMOND_BLACKJACK, 2)):
            hand = Hand(2, 11, 1, 0, suits, 0, 0, 0)
            pays[entry] = base_game.blackjack_profit(rules, hand, wager)
    return pays


def unit_amounts(
    rules: RuleTable, bases: tuple[int, ...], for_less: tuple[int, ...] = ()
) -> UnitAmounts:
    """Amounts for these base wagers; `for_less` is what each one's double for less adds, if any."""
    sizes = [WagerSize(base) for base in bases]
    if for_less:
        sizes += [WagerSize(base, added) for base, added in zip(bases, for_less, strict=True)]
    cents = {
        (level, mode): _terminal_cents(rules, size, mode)
        for level, size in enumerate(sizes)
        for mode in range(at.MODES)
    }
    reached = rules.doublings_at_most + 1
    wagers = [hand_wagers(rules, size)[0] for size in sizes]
    amounts = [amount for pays in cents.values() for amount in pays.values()]
    amounts += [wager for row in wagers for wager in row[:reached]]
    grain = gcd(*amounts)
    highest = max(*amounts, 0) * rules.split_hands // grain
    lowest = -max(wager for row in wagers for wager in row[:reached]) * rules.split_hands // grain
    wager_table = np.zeros((len(sizes), at.WAGERS), dtype=np.int64)
    terminal = np.zeros((len(sizes), at.MODES, at.TERMINALS), dtype=np.int64)
    for level, row in enumerate(wagers):
        wager_table[level, :reached] = [wager // grain for wager in row[:reached]]
    for (level, mode), pays in cents.items():
        for entry, amount in pays.items():
            terminal[level, mode, entry] = amount // grain
    return UnitAmounts(grain, wager_table, terminal, lowest, highest)


# --- The hand graph ---

BUST = 0  # the node of every hand above 21
MAX_NODES = 60_000  # node numbers are 16 bits wide

Key = tuple[int, ...]


@dataclass(frozen=True)
class HandGraph:
    """Hands as nodes, numbered by card count: bust, then hands of one card, of two, and so on."""

    column: npt.NDArray[np.uint8]  # column of each card; cards in one column are equivalent
    shift: int  # a node's transitions are `following[node << shift | column]`
    following: npt.NDArray[np.uint16]
    one_card: npt.NDArray[np.uint16]  # node of each single card
    cards: tuple[tuple[int, ...], ...]  # a sample hand per node
    shapes: tuple[Hand, ...]
    two_cards: range  # nodes of dealt hands

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
    """The ranks and suits required by a row of the pay list, or by the Super Bonus."""

    ranks: int  # packed like Hand.ranks; 0 for any
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
        """The class of each card; cards that always lead to the same node share a class."""
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
        """A key shared by hands that neither a rule nor a later card distinguishes."""
        if hand.hard > 21:
            return ()
        tens = sum(count_of_rank(hand.ranks, rank) for rank in range(TEN, RANKS + 1))
        low_ranks = ranks_below(hand.ranks, TEN)
        # Sixteen aces and a two have equal packed counts; the hard total tells them apart.
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
        """Which sets of additional suits would fit, with one bit for each of the 16 sets."""
        found = self._futures.get((fitting, suits))
        if found is None:
            found = sum((fitting >> (suits | more) & 1) << more for more in range(16))
            self._futures[fitting, suits] = found
        return found


def _fits_in_shoe(rules: RuleTable, hand: Hand, card: int) -> bool:
    return count_of_rank(hand.ranks, rank_of(card)) < 4 * rules.decks


@lru_cache(maxsize=32)
def hand_graph(rules: RuleTable) -> HandGraph:
    """All hands under these rules that don't bust, and where each card leads."""
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
        if len(cards) > MAX_NODES:
            raise plan_problem(
                "bonus_21",
                "",
                "these rows distinguish too many hands for the simulator",
                "Require suits only in rows that name ranks.",
            )
    one_card = np.zeros(64, dtype=np.uint16)
    for card, kind in classes.items():
        one_card[card] = of_kind[kind]
    following = np.array(leads, dtype=np.uint16).reshape(-1)
    return HandGraph(column, shift, following, one_card, tuple(cards), tuple(shapes), two_cards)


# --- Tables ---

Bytes = npt.NDArray[np.uint8]

_CARD_PLACES = 64
_DEALER_STATES = 128


@dataclass(frozen=True)
class HandFacts:
    """Legal actions and pay rows from `core` for every node in every mode."""

    graph: HandGraph
    legal: Bytes  # [mode, node]: one bit per action; 0 if the hand ends automatically
    rows: npt.NDArray[np.int8]  # [mode, node]: row that pays a stand; -1 if none does


@lru_cache(maxsize=32)
def hand_facts(rules: RuleTable) -> HandFacts:
    graph = hand_graph(rules)
    legal = np.zeros((at.MODES, len(graph)), dtype=np.uint8)
    rows = np.full((at.MODES, len(graph)), -1, dtype=np.int8)
    for mode in range(at.MODES):
        hands = hands_in_mode(rules, mode)
        for node in range(graph.two_cards.start, len(graph)):
            hand = hand_in_mode(graph.shapes[node], mode)
            rows[mode, node] = winning_row(rules, hand)
            if actions.has_a_choice(rules, hand, hands):
                legal[mode, node] = sum(
                    1 << action
                    for action in range(actions.ACTIONS)
                    if actions.refusal(rules, action, hand, hands) == LEGAL
                )
    return HandFacts(graph, legal, rows)


def hand_in_mode(shape: Hand, mode: int) -> Hand:
    """The hand of these cards, split and doubled according to the mode."""
    return Hand(
        *shape[:5],
        doublings=max(0, mode - at.DOUBLED_ONCE + 1),
        split=int(at.FROM_SPLIT <= mode <= at.FROM_ACES_LAST),
        split_ace=int(at.FROM_ACES <= mode <= at.FROM_ACES_LAST),
    )


def hands_in_mode(rules: RuleTable, mode: int) -> int:
    """The spot's number of hands: few enough to allow resplitting, or the maximum."""
    if mode in (at.FROM_SPLIT_LAST, at.FROM_ACES_LAST):
        return rules.split_hands
    return 2 if mode in (at.FROM_SPLIT, at.FROM_ACES) else 1


# --- Up cards and the dealer ---


@lru_cache(maxsize=32)
def up_classes(rules: RuleTable) -> dict[int, int]:
    """The class of each up card: its value, or a separate class.

    A value gets separate classes if only some of its cards can win the Super Bonus (R-068).
    """
    pack = [card for card in range(CARDS) if rules.has_tens or rank_of(card) != 10]
    partly = {
        value
        for value in range(1, 11)
        if len({rules.super_up_cards >> card & 1 for card in pack if value_of(card) == value}) > 1
    }
    extra = {value: 11 + place for place, value in enumerate(sorted(partly))}
    return {
        card: extra[value_of(card)]
        if value_of(card) in partly and rules.super_up_cards >> card & 1
        else value_of(card)
        for card in pack
    }


def up_samples(rules: RuleTable) -> dict[int, int]:
    """One up card of each class."""
    samples: dict[int, int] = {}
    for card, kind in up_classes(rules).items():
        samples.setdefault(kind, card)
    return samples


def _dealer_state(rules: RuleTable, hard: int, aces: int) -> int:
    total = best_total(hard, aces)
    if total > 21:
        return at.DEALER_DONE + 22
    if base_game.dealer_draws(rules, hard, aces):
        return total + (at.BY_TOTAL if is_soft(hard, aces) else 0)
    return at.DEALER_DONE + total


def _dealer_tables(rules: RuleTable) -> tuple[Bytes, Bytes]:
    cards = {value: card_of_value(value) for value in range(1, 11)}
    start = np.zeros((at.BY_VALUE, at.BY_VALUE), dtype=np.uint8)
    for up in cards:
        for down in cards:
            aces = (up == ACE) + (down == ACE)
            if base_game.is_dealer_blackjack(cards[up], cards[down]):
                start[up, down] = at.DEALER_BLACKJACK
            else:
                start[up, down] = _dealer_state(rules, up + down, aces)
    following = np.zeros((_DEALER_STATES, at.BY_VALUE), dtype=np.uint8)
    for total in range(2, 22):
        for soft in (False, True):
            hard = total - 10 if soft else total
            if hard < 2:
                continue
            for value in cards:
                aces = int(soft) + (value == ACE)
                state = total + (at.BY_TOTAL if soft else 0)
                following[state, value] = _dealer_state(rules, hard + value, aces)
    return start.reshape(-1), following.reshape(-1)


def _compare_table() -> npt.NDArray[np.int8]:
    table = np.zeros((at.BY_TOTAL, at.BY_TOTAL), dtype=np.int8)
    for dealer_total in range(at.BY_TOTAL):
        for total in range(22):
            table[dealer_total, total] = base_game.compare(total, dealer_total)
    return table.reshape(-1)


# --- Strategies ---


@dataclass(frozen=True)
class Decisions:
    """A strategy for every mode, node and up card, limited to legal actions."""

    codes: Bytes  # [mode, node, up]
    stand_codes: Bytes
    keeps_blackjack: dict[int, set[int]]  # by entry: up card classes against which it is doubled


_CODES = {
    actions.SURRENDER: at.TERMINAL + at.SURRENDERED,
    actions.RESCUE: at.TERMINAL + at.RESCUED,
}


def decisions(rules: RuleTable, strategy: Strategy) -> Decisions:
    """Query the strategy for every hand; charts are cached, because they never change."""
    if isinstance(strategy, ChartPlayer):
        return _decisions_of_chart(rules, strategy)
    return _decisions(rules, strategy)


@lru_cache(maxsize=16)
def _decisions_of_chart(rules: RuleTable, player: ChartPlayer) -> Decisions:
    return _decisions(rules, player)


def _decisions(rules: RuleTable, strategy: Strategy) -> Decisions:
    facts = hand_facts(rules)
    graph = facts.graph
    ups = up_samples(rules)
    stand_codes = stand_code_table(rules)
    codes = stand_codes.copy()
    keeps: dict[int, set[int]] = {at.BLACKJACK: set(), at.DIAMOND_BLACKJACK: set()}
    for mode in range(at.MODES):
        if mode - at.DOUBLED_ONCE + 1 > rules.doublings_at_most:
            continue
        hands = hands_in_mode(rules, mode)
        for node in range(graph.two_cards.start, len(graph)):
            mask = int(facts.legal[mode, node])
            shape = graph.shapes[node]
            if mask == 0 or (mode in (at.FROM_ACES, at.FROM_ACES_LAST) and shape.aces == 0):
                continue
            seen = HandSeen(graph.cards[node], hand_in_mode(shape, mode), hands)
            for kind, up in ups.items():
                action = preferred(strategy, seen, up, mask)
                if action != actions.STAND:
                    codes[mode, node, kind] = _CODES.get(action, action)
                    if mode == at.AS_DEALT and is_blackjack(shape):
                        keeps[_blackjack_entry(rules, shape)].add(kind)
    codes.flags.writeable = False
    return Decisions(codes, stand_codes, keeps)


def preferred(strategy: Strategy, seen: HandSeen, up: int, legal: int) -> int:
    """The first preferred action that is legal, otherwise stand."""
    return first_legal_of(strategy.preferences(seen, up), legal)


def _blackjack_entry(rules: RuleTable, shape: Hand) -> int:
    plain = base_game.blackjack_profit(rules, shape._replace(suits=1), rules.diamond_den * 100)
    own = base_game.blackjack_profit(rules, shape, rules.diamond_den * 100)
    return at.BLACKJACK if own == plain else at.DIAMOND_BLACKJACK


@lru_cache(maxsize=32)
def stand_code_table(rules: RuleTable) -> Bytes:
    """Codes for hands that take no more cards: paid immediately, or compared."""
    facts = hand_facts(rules)
    graph = facts.graph
    table = np.zeros((at.MODES, len(graph), at.UPS), dtype=np.uint8)
    table[:, BUST, :] = at.TERMINAL + at.BUSTED
    paid = facts.rows >= 0
    table[paid] = (at.TERMINAL + facts.rows[paid].astype(np.int64))[:, None]
    for node in graph.two_cards:
        if is_blackjack(graph.shapes[node]):
            entry = _blackjack_entry(rules, graph.shapes[node])
            table[at.AS_DEALT, node, :] = at.TERMINAL + entry
    if rules.super_ranks:
        for node in range(1, len(graph)):
            row = int(facts.rows[at.AS_DEALT, node])
            for card, kind in up_classes(rules).items():
                if row >= 0 and is_super_bonus(rules, graph.shapes[node], card):
                    table[at.AS_DEALT, node, kind] = at.TERMINAL + at.SUPER + row
    return table


# --- All together ---


def play_tables(
    rules: RuleTable,
    bases: tuple[int, ...],
    choice: Decisions,
    codes: Bytes,
    cut: int,
    burn: int,
    bonus_cards: int,
    for_less: tuple[int, ...] = (),
) -> at.PlayTables:
    """All tables of play.

    `codes` are the strategy's, with index plays if it counts cards; `for_less` is as in
    `unit_amounts`.
    """
    graph = hand_graph(rules)
    amounts = unit_amounts(rules, bases, for_less)
    start, following = _dealer_tables(rules)
    value, up_class = (np.zeros(_CARD_PLACES, dtype=np.uint8) for _ in range(2))
    for card, kind in up_classes(rules).items():
        value[card] = value_of(card)
        up_class[card] = kind
    starts_with_ace = np.zeros(len(graph), dtype=np.uint8)
    blackjack_entry = np.zeros(len(graph), dtype=np.uint8)
    for node in range(1, graph.two_cards.stop):
        starts_with_ace[node] = rank_of(graph.cards[node][0]) == ACE
        if is_blackjack(graph.shapes[node]):
            blackjack_entry[node] = _blackjack_entry(rules, graph.shapes[node])
    super_pay = np.zeros(at.LEVELS, dtype=np.int64)
    super_pay[: len(bases)] = [super_bonus_pay(rules, base) for base in bases]
    envy = np.array(
        [envy_pay(rules, own, others) for own in (0, 1) for others in range(at.ANY_SPOTS)],
        dtype=np.int64,
    )
    return at.PlayTables(
        column=graph.column,
        shift=graph.shift,
        following=graph.following,
        one_card=graph.one_card,
        nodes=len(graph),
        action=codes.reshape(-1),
        stand_code=choice.stand_codes.reshape(-1),
        legal=hand_facts(rules).legal.reshape(-1),
        total=np.array([best_total(s.hard, s.aces) for s in graph.shapes], dtype=np.uint8),
        starts_with_ace=starts_with_ace,
        blackjack_entry=blackjack_entry,
        paid_first=_paid_first(rules, choice),
        up_class=up_class,
        value=value,
        dealer_start=start,
        dealer_next=following,
        compare=_compare_table(),
        wagers=amounts.wagers.reshape(-1),
        terminal=amounts.terminal.reshape(-1),
        super_pay=super_pay,
        envy_pay=envy,
        split_hands=rules.split_hands,
        cut=cut,
        burn=burn,
        bonus_cards=bonus_cards,
        grain=amounts.grain,
        offset=-amounts.lowest,
    )


def _paid_first(rules: RuleTable, choice: Decisions) -> Bytes:
    """Whether a blackjack is paid even if the dealer has one too, by entry, up card and insurance.

    It always is if it beats a dealer blackjack. Otherwise, it is paid only if payment comes before
    the dealer's check, and never if it is kept for doubling (R-030, R-115, O-09).
    """
    table = np.zeros((2, at.UPS, 2), dtype=np.uint8)
    for kind, up in up_samples(rules).items():
        for insured in (0, 1):
            before = blackjack_paid_when(rules, up, bool(insured)) != AFTER_CHECK
            for entry, kept in choice.keeps_blackjack.items():
                paid = wins_two_blackjacks(rules, before and kind not in kept)
                table[entry - at.BLACKJACK, kind, insured] = int(paid)
    return table.reshape(-1)


def empty_counts(tables: at.PlayTables, results: int, starts: int, deviations: int) -> at.Counts:
    visits = deviations * at.MODES * tables.nodes * at.UPS
    return at.Counts(
        sums=at.new_record(at.SUMS),
        results=np.zeros(results, dtype=np.int64),
        starts=np.zeros(starts * at.UPS * at.CELL, dtype=np.int64),
        visits=np.zeros(visits, dtype=np.uint32),
    )
