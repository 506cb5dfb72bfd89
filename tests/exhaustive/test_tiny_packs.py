"""All card orders of tiny packs and all legal actions, through the engine."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import count, permutations
from typing import Any

import pytest

from tests import IS_SOAK
from tests.exhaustive import enumeration
from tests.exhaustive.enumeration import (
    all_rounds,
    best_expectation,
    candidates,
    cash,
    distribution,
    following,
)
from tests.exhaustive.packs import PACKS, TinyPack, golden, pack_of, worked_out
from ventiuna.analysis.composition import Composition
from ventiuna.cards import parse_cards
from ventiuna.core.cards import CARDS
from ventiuna.engine import (
    ListSource,
    OutOfCards,
    RoundState,
    execute,
    finish_round,
    net_by_wager,
    waiting_for,
)
from ventiuna.engine.commands import (
    CloseWagers,
    Command,
    DealCard,
    Double,
    Insure,
    PlaceWagers,
    Stand,
    TakeBlackjack,
)
from ventiuna.engine.events import Wager
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    NothingWanted,
    Waiting,
)
from ventiuna.rules import load_rules
from ventiuna.rules.loader import change_rules
from ventiuna.strategy.players import steady_player

TEN_DOLLARS = [PlaceWagers(1, 1000)]


def stand(_: RoundState, wanted: Waiting) -> Command:
    """Never hits, insures or takes a chance."""
    if isinstance(wanted, BlackjackAnswersWanted):
        return TakeBlackjack(wanted.spots[0])
    if isinstance(wanted, InsuranceAnswersWanted):
        return Insure(wanted.spots[0], 0)
    assert isinstance(wanted, DecisionWanted)
    return Stand(wanted.spot)


# The largest trees are walked only in a soak.
WALKED = [n for n, row in enumerate(golden()) if IS_SOAK or row["found"]["rounds"] < 6_000]


@pytest.mark.parametrize("number", WALKED, ids=[PACKS[n].shows for n in WALKED])
def test_the_tree_of_all_rounds_has_not_changed(number: int) -> None:
    pack: TinyPack = PACKS[number]
    row: dict[str, Any] = golden()[number]
    assert (row["shows"], row["rules"], row["cards"]) == (pack.shows, pack.rules, pack.cards)
    found = worked_out(pack)
    assert found["chance"] == "1"
    assert found == row["found"]


def test_every_pack_has_its_golden_row() -> None:
    assert [row["shows"] for row in golden()] == [pack.shows for pack in PACKS]


# --- compared with every permutation of the cards ---------------------------------------------


def test_first_cards_occur_as_often_as_in_all_orders() -> None:
    """The walk distinguishes kinds of cards; a permutation distinguishes every card."""
    rules = load_rules("wsgc-2021(split_hands=1)")
    walked: dict[tuple[int, ...], Fraction] = {}
    for end in all_rounds(rules, pack_of("3 Kc, 2 9s, 2 8d"), TEN_DOLLARS, following(stand)):
        first, second = end.state.spots[1].originals
        deal = (first, end.state.up, second, end.state.down)
        walked[deal] = walked.get(deal, Fraction(0)) + end.chance
    orders = Counter(order[:4] for order in permutations(parse_cards("Kc Kc Kc 9s 9s 8d 8d")))
    total = sum(orders.values())
    assert walked == {deal: Fraction(number, total) for deal, number in orders.items()}


def test_results_occur_as_often_as_in_all_orders() -> None:
    """A simple player's results, by the walk and by dealing every order as a separate round."""
    rules = load_rules("blackjack(split_hands=1)")
    found = distribution(rules, pack_of("3 Kc, 1 Ah, 2 9s, 1 6d"), TEN_DOLLARS, steady_player)
    dealt: Counter[int] = Counter()
    for order in permutations(parse_cards("Kc Kc Kc Ah 9s 9s 6d")):
        state = RoundState(rules)
        execute(state, TEN_DOLLARS[0])
        events = finish_round(state, ListSource(order), steady_player)
        dealt[sum(net_by_wager(events).values())] += 1
    total = sum(dealt.values())
    assert len(dealt) > 3
    assert found == {net: Fraction(number, total) for net, number in dealt.items()}


# --- the best play ----------------------------------------------------------------------------


def test_a_pack_of_kings_always_pushes() -> None:
    """Everyone has 20, and nothing is better than standing."""
    rules = load_rules("blackjack(split_hands=1)")
    kings = pack_of("4 Kc, 4 Kd")
    assert distribution(rules, kings, TEN_DOLLARS, stand) == {0: Fraction(1)}
    assert best_expectation(rules, kings, TEN_DOLLARS) == 0


def test_a_pack_of_sevens_of_spades_wins_the_super_bonus() -> None:
    """R-064, R-067, R-069: one hit wins $30 for 7-7-7 of spades and $1,000."""
    rules = load_rules("wsgc-2021(split_hands=1)")
    assert best_expectation(rules, pack_of("6 7s"), TEN_DOLLARS) == 103_000


@pytest.mark.parametrize("number", [2, 3, 5, 8, 11, 13])
def test_no_player_beats_the_best_play(number: int) -> None:
    pack = PACKS[number]
    rules = load_rules(pack.rules)
    best = Fraction(golden()[number]["found"]["net_of_best_play"])
    for strategy in (stand, steady_player):
        results = distribution(rules, pack.composition, pack.wagers, strategy)
        assert sum(results.values()) == 1
        assert sum(net * chance for net, chance in results.items()) <= best


def test_cached_values_equal_computed_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    pack = PACKS[12]
    rules = load_rules(pack.rules)
    remembered = best_expectation(rules, pack.composition, pack.wagers)
    numbers = count()
    monkeypatch.setattr(enumeration, "_key", lambda _: next(numbers))
    assert best_expectation(rules, pack.composition, pack.wagers) == remembered
    assert next(numbers) > 1000


def with_open_cards(state: RoundState, left: list[int]) -> Fraction:
    """Players' winnings from here if they see the down card."""
    wanted = waiting_for(state)
    if isinstance(wanted, NothingWanted):
        return Fraction(0)
    if not isinstance(wanted, CardWanted):
        return max(_after(state, left, command) for command in candidates(state, wanted))
    total = Fraction(0)
    for card in [card for card in range(CARDS) if left[card]]:
        chance = Fraction(left[card], sum(left))
        left[card] -= 1
        total += chance * _after(state, left, DealCard(card))
        left[card] += 1
    return total


def _after(state: RoundState, left: list[int], command: Command) -> Fraction:
    following_state = state.copy()
    gain = cash(execute(following_state, command))
    return gain + with_open_cards(following_state, left)


def best_with_open_cards(rules_text: str, pack: Composition) -> Fraction:
    state = RoundState(load_rules(rules_text))
    start = cash(execute(state, TEN_DOLLARS[0]) + execute(state, CloseWagers()))
    return start + with_open_cards(state, list(pack))


def test_players_dont_use_the_hidden_down_card() -> None:
    """Whether to hit 12 or 13 depends on the down card, so seeing it beats the best play without
    it."""
    rules = "blackjack(decks=4,split_hands=1,double_totals=10-11)"
    pack = pack_of("3 Kc, 3 6d, 3 7h")
    assert best_expectation(load_rules(rules), pack, TEN_DOLLARS) < best_with_open_cards(
        rules, pack
    )


def test_a_known_down_card_changes_nothing() -> None:
    """With one kind of card, everyone knows them all."""
    rules = "wsgc-2021(split_hands=2,decks=8)"
    pack = pack_of("8 7s")
    assert best_expectation(load_rules(rules), pack, TEN_DOLLARS) == best_with_open_cards(
        rules, pack
    )


# --- the sequence that the house determines ---------------------------------------------------

DEALS = ("up_card_first", "down_card_first", "dealer_last")
SEQUENCES = (
    *(f"deal_order={order}" for order in DEALS),
    "spots_settled=from_right",
    "bonus_order=wager_by_wager",
    "deal_order=down_card_first,spots_settled=from_right,bonus_order=wager_by_wager",
)


@pytest.mark.parametrize("number", [2, 8, 12])
@pytest.mark.parametrize("sequence", SEQUENCES[1:])
def test_r123_the_best_play_is_worth_the_same_in_every_sequence(number: int, sequence: str) -> None:
    pack = PACKS[number]
    rules = change_rules(
        load_rules(pack.rules), dict(part.split("=") for part in sequence.split(","))
    )
    best = Fraction(golden()[number]["found"]["net_of_best_play"])
    assert best_expectation(rules, pack.composition, pack.wagers) == best


SHARED_METER = "wsgc-2021(decks=8,mtd_configuration=3,bonus_cards=1,jackpots=3d:1:seed=1000)"


JointResult = tuple[frozenset[tuple[tuple[int, int, Wager], int]], int]


def _joint_results(sequence: str, cards: str) -> Counter[JointResult]:
    """How often each combination of all wagers' results and the meter occurs, over all orders."""
    rules = change_rules(
        load_rules(SHARED_METER), dict(part.split("=") for part in sequence.split(","))
    )
    found: Counter[JointResult] = Counter()
    for order in sorted(set(permutations(parse_cards(cards)))):
        state = RoundState(rules)
        for spot in (1, 2):
            wagers = PlaceWagers(spot, 1000, f"P{spot}", {"up": 500, "b1": 500}, {1: 100})
            execute(state, wagers)
        nets = net_by_wager(finish_round(state, ListSource(order), stand))
        found[frozenset(nets.items()), state.meters[0].cents] += 1
    return found


def test_r123_r095_all_wagers_and_a_shared_meter_pay_the_same_in_every_sequence() -> None:
    """Two spots can win 10% in one round: the second award is a share of what the first left."""
    cards = "9c 9c 9c 9c 9c Kd Kd Ks Ks"
    usual = _joint_results(SEQUENCES[0], cards)
    assert len(usual) > 20
    awards = {net for nets, _ in usual for (_, _, wager), net in nets if wager == "jackpot 1"}
    assert {9904, 8903} <= awards
    for sequence in SEQUENCES[1:]:
        assert _joint_results(sequence, cards) == usual, sequence


# --- limits of the enumeration ----------------------------------------------------------------


def test_a_pack_may_be_too_small() -> None:
    with pytest.raises(OutOfCards, match="too small"):
        best_expectation(load_rules("wsgc-2021"), pack_of("2 8c, 3 8d"), TEN_DOLLARS)


def test_a_pack_has_no_more_copies_than_decks() -> None:
    with pytest.raises(ValueError, match="3 of 8c: the rules have only 2 decks"):
        best_expectation(load_rules("wsgc-2021(decks=2)"), pack_of("3 8c, 5 9c"), TEN_DOLLARS)


def test_candidate_amounts_are_the_ends_of_their_range() -> None:
    state = RoundState(load_rules("wsgc-2021"))
    execute(state, TEN_DOLLARS[0])
    execute(state, CloseWagers())
    for card in parse_cards("5c 6d 4h Kd"):
        execute(state, DealCard(card))
    found = candidates(state, waiting_for(state), doubles_for_less=True)
    assert [c.amount for c in found if isinstance(c, Double)] == [None, 50]
    plain = candidates(state, waiting_for(state))
    assert [c.amount for c in plain if isinstance(c, Double)] == [None]
