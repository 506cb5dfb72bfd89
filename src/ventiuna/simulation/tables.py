"""From rules, wagers and a strategy to the arrays that the compiled order of play looks up.

Everything a rule says is asked of `core` here, once for every node of the hand graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ventiuna.core import actions, dealer, payouts
from ventiuna.core.blackjacks import AFTER_CHECK, blackjack_paid_when, wins_two_blackjacks
from ventiuna.core.bonus import winning_row
from ventiuna.core.cards import ACE, CARDS, card_of_value, rank_of, value_of
from ventiuna.core.hand import Hand, best_total, is_blackjack, is_soft
from ventiuna.core.preferences import first_legal_of
from ventiuna.core.refusals import LEGAL
from ventiuna.core.super_bonus import envy_pay, is_super_bonus, super_bonus_pay
from ventiuna.core.table import RuleTable
from ventiuna.kernels.simulate import layout as at
from ventiuna.simulation.grains import money
from ventiuna.simulation.hands import BUST, HandGraph, hand_graph
from ventiuna.strategy.chart import ChartPlayer
from ventiuna.strategy.strategy import HandSeen, Strategy

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

_CARD_PLACES = 64
_DEALER_STATES = 128


@dataclass(frozen=True)
class HandFacts:
    """What `core` says of every node in every mode."""

    graph: HandGraph
    legal: Bytes  # [mode, node]: a bit for each action; 0: the hand ends by itself
    rows: npt.NDArray[np.int8]  # [mode, node]: row that pays a stand, -1: compared


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
    """The hand of these cards, split and doubled as the mode says."""
    return Hand(
        *shape[:5],
        doublings=max(0, mode - at.DOUBLED_ONCE + 1),
        split=int(at.FROM_SPLIT <= mode <= at.FROM_ACES_LAST),
        split_ace=int(at.FROM_ACES <= mode <= at.FROM_ACES_LAST),
    )


def hands_in_mode(rules: RuleTable, mode: int) -> int:
    """How many hands the spot has: enough to split again, or all that splitting may make."""
    if mode in (at.FROM_SPLIT_LAST, at.FROM_ACES_LAST):
        return rules.split_hands
    return 2 if mode in (at.FROM_SPLIT, at.FROM_ACES) else 1


# --- up cards and the dealer ------------------------------------------------------------------


@lru_cache(maxsize=32)
def up_classes(rules: RuleTable) -> dict[int, int]:
    """The class of each up card: its value, or one of its own where only some of a value's
    cards can bring the Super Bonus (R-068)."""
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
    if dealer.dealer_draws(rules, hard, aces):
        return total + (at.BY_TOTAL if is_soft(hard, aces) else 0)
    return at.DEALER_DONE + total


def _dealer_tables(rules: RuleTable) -> tuple[Bytes, Bytes]:
    cards = {value: card_of_value(value) for value in range(1, 11)}
    start = np.zeros((at.BY_VALUE, at.BY_VALUE), dtype=np.uint8)
    for up in cards:
        for down in cards:
            aces = (up == ACE) + (down == ACE)
            if dealer.is_dealer_blackjack(cards[up], cards[down]):
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
            table[dealer_total, total] = payouts.compare(total, dealer_total)
    return table.reshape(-1)


# --- strategies -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decisions:
    """A strategy for every mode, node and up card, with what is legal baked in."""

    codes: Bytes  # [mode, node, up]
    stand_codes: Bytes
    keeps_blackjack: dict[int, set[int]]  # by entry: classes of up cards where it is doubled


_CODES = {
    actions.SURRENDER: at.TERMINAL + at.SURRENDERED,
    actions.RESCUE: at.TERMINAL + at.RESCUED,
}


def decisions(rules: RuleTable, strategy: Strategy) -> Decisions:
    """Every hand is asked for; a chart is asked once, since it always says the same."""
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
    """The first of the preferred actions that is legal, else to stand."""
    return first_legal_of(strategy.preferences(seen, up), legal)


def _blackjack_entry(rules: RuleTable, shape: Hand) -> int:
    plain = payouts.blackjack_profit(rules, shape._replace(suits=1), rules.diamond_den * 100)
    own = payouts.blackjack_profit(rules, shape, rules.diamond_den * 100)
    return at.BLACKJACK if own == plain else at.DIAMOND_BLACKJACK


@lru_cache(maxsize=32)
def stand_code_table(rules: RuleTable) -> Bytes:
    """What a hand becomes that takes no more cards: paid at once, or compared."""
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


# --- all together -----------------------------------------------------------------------------


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
    """`codes` are the strategy's, with index plays where it counts; `for_less` as in `money`."""
    graph = hand_graph(rules)
    amounts = money(rules, bases, for_less)
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
    """Is a blackjack paid though the dealer has one too? By entry, up card and insured.

    It always is where it wins against a dealer blackjack; elsewhere only when it was paid
    before the dealer looked, which a blackjack kept for doubling was not (R-030, R-115, O-09).
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
