"""The graph of hands merges hands if and only if they are the same to every rule."""

from __future__ import annotations

import random

import pytest

from ventiuna.cards import parse_cards
from ventiuna.core.base_game import winning_row
from ventiuna.core.cards import EMPTY_HAND, Hand, add_card, best_total
from ventiuna.core.rule_table import RuleTable
from ventiuna.rules import compile_rules, load_rules
from ventiuna.simulation.tables import BUST, HandGraph, hand_graph

SPANISH = compile_rules(load_rules("wsgc-spanish-21"))
TWO_DECKS = compile_rules(load_rules("wsgc-spanish-21(decks=2)"))
SUPER_FUN = compile_rules(load_rules("super-fun-21"))
CARD = compile_rules(load_rules("casino-card"))


def node(rules: RuleTable, cards: str) -> int:
    return hand_graph(rules).node(parse_cards(cards))


def shape_of(cards: tuple[int, ...]) -> Hand:
    shape = EMPTY_HAND
    for card in cards:
        shape = add_card(shape, card)
    return shape


def random_hands(rules: RuleTable, number: int) -> list[tuple[int, ...]]:
    pack = load_rules("super-fun-21" if rules.has_tens else "wsgc-spanish-21").pack.cards
    generator = random.Random(5)
    return [
        tuple(generator.choice(pack) for _ in range(generator.randint(2, 6))) for _ in range(number)
    ]


@pytest.mark.parametrize("rules", [SPANISH, TWO_DECKS, SUPER_FUN, CARD])
def test_a_node_determines_total_cards_aces_and_row(rules: RuleTable) -> None:
    graph = hand_graph(rules)
    for cards in random_hands(rules, 3000):
        shape = shape_of(cards)
        if any(shape_of(cards[:n]).hard > 21 for n in range(1, len(cards))):
            continue  # a bust hand takes no more cards
        found = graph.node(cards)
        if shape.hard > 21:
            assert found == BUST
            continue
        like = graph.shapes[found]
        assert (like.cards, like.hard, like.aces) == (shape.cards, shape.hard, shape.aces)
        assert best_total(like.hard, like.aces) == best_total(shape.hard, shape.aces)
        for split in (0, 1):
            assert winning_row(rules, like._replace(split=split)) == winning_row(
                rules, shape._replace(split=split)
            )


@pytest.mark.parametrize("rules", [SPANISH, TWO_DECKS, SUPER_FUN])
def test_the_order_of_cards_does_not_matter(rules: RuleTable) -> None:
    graph = hand_graph(rules)
    generator = random.Random(8)
    for cards in random_hands(rules, 500):
        if shape_of(cards).hard <= 21:
            mixed = list(cards)
            generator.shuffle(mixed)
            assert graph.node(tuple(mixed)) == graph.node(cards)


def test_suits_matter_only_while_a_bonus_is_possible() -> None:
    assert node(SPANISH, "6c 7c") != node(SPANISH, "6c 7d")
    assert node(SPANISH, "6s 7s") != node(SPANISH, "6c 7c")
    assert node(SPANISH, "6c 7d") == node(SPANISH, "6h 7s")
    assert node(SPANISH, "6c 2c") == node(SPANISH, "6h 2d")
    assert node(SPANISH, "6c 7c 2c") == node(SPANISH, "6h 7d 2s")
    assert node(SUPER_FUN, "6c 7c") == node(SUPER_FUN, "6c 7d")


def test_jack_and_king_differ_only_if_they_arent_a_pair() -> None:
    assert node(SPANISH, "Jc Kd") == node(SPANISH, "Jc Jd")
    assert node(CARD, "Jc Kd") != node(CARD, "Jc Jd")
    assert node(CARD, "Jc Kd") == node(CARD, "Qc Kd")


def test_diamond_blackjacks_are_distinguished_only_in_super_fun() -> None:
    assert node(SUPER_FUN, "Ad Td") != node(SUPER_FUN, "Ad Tc")
    assert node(SUPER_FUN, "Ac Td") == node(SUPER_FUN, "As Kh")
    assert node(SPANISH, "Ad Kd") == node(SPANISH, "Ac Kd")


def test_the_two_deck_super_bonus_distinguishes_its_sevens() -> None:
    # The bonus is 7h 7c 7d against 7s, so the hand can't contain a spade.
    assert node(TWO_DECKS, "7h 7c") != node(TWO_DECKS, "7h 7s")
    assert node(TWO_DECKS, "7s 7c") == node(TWO_DECKS, "7s 7h")


def test_sixteen_aces_are_not_a_two() -> None:
    graph = hand_graph(compile_rules(load_rules("wsgc-spanish-21(decks=8)")))
    aces = graph.node((0,) * 17)
    assert graph.shapes[aces].hard == 17
    assert graph.shapes[aces].cards == 17


def test_nodes_are_few_and_in_order_of_cards() -> None:
    graph: HandGraph = hand_graph(SPANISH)
    assert len(graph) < 3200
    counts = [shape.cards for shape in graph.shapes]
    assert counts == sorted(counts)
    assert {len(graph.cards[place]) for place in graph.two_cards} == {2}
