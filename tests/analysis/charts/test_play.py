"""Charts are played here the way the simulator plays them, hand by hand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests import IS_SOAK
from tests.analysis.charts.studied import (
    BLACKJACK,
    DOUBLE_DOUBLE,
    PRESETS,
    SPANISH,
    SUPER_FUN,
    derived,
)
from ventiuna.analysis.base_game.analyzer import game_for, preferred_actions
from ventiuna.analysis.charts.best_play import Hands, chart_tables
from ventiuna.core.cards import EMPTY_HAND, KING, Hand, add_card, value_of
from ventiuna.kernels.exact.tables import VALUES, lattice
from ventiuna.rules import compile_rules, load_rules
from ventiuna.strategy.chart import Chart, ChartPlayer, built_in_charts
from ventiuna.strategy.protocol import HandSeen

BASE = 1000
EVERY = 7 if IS_SOAK else 61  # checks one in this many compositions


def up_card(value: int) -> int:
    return 4 * (KING - 1) if value == VALUES - 1 else 4 * value


def cards_of(place: int) -> tuple[int, ...]:
    """Cards of a composition, in mixed suits."""
    values = [v for v in range(VALUES) for _ in range(int(lattice().counts[place, v]))]
    return tuple(up_card(value) + number % 4 for number, value in enumerate(values))


def seen(cards: tuple[int, ...], doublings: int = 0, split: int = 0) -> HandSeen:
    hand = EMPTY_HAND
    for card in cards:
        hand = add_card(hand, card)
    shape = Hand(*hand[:5], doublings, split, int(split and value_of(cards[0]) == 1))
    return HandSeen(cards, shape, 1 + split)


def charts(rules: str) -> Iterator[Chart]:
    yield derived(rules).chart
    yield from built_in_charts().values()


@pytest.mark.parametrize("rules", PRESETS)
def test_every_composition_is_played_as_in_the_simulator(rules: str) -> None:
    house = load_rules(rules)
    table = compile_rules(house)
    hands = Hands(table, game_for(house), None)
    by_card = hands.game["by_card"]
    places = [int(p) for p in np.flatnonzero(lattice().cards > 1) if not by_card[p]]
    for chart in charts(rules):
        player = ChartPlayer(chart, table, 0)
        tables = chart_tables(hands, chart)
        for place in places[::EVERY]:
            cards = cards_of(place)
            for up in range(VALUES):
                for doublings in range(min(hands.most_doublings, len(cards) - 2) + 1):
                    found = preferred_actions(int(tables.unsplit[up, doublings, place]))
                    assert found == player.preferences(seen(cards, doublings), up_card(up))
                    after = preferred_actions(int(tables.split[up, doublings, place]))
                    assert after == player.preferences(seen(cards, doublings, 1), up_card(up))


@pytest.mark.parametrize("rules", [SPANISH, DOUBLE_DOUBLE])
def test_every_suited_hand_is_played_as_in_the_simulator(rules: str) -> None:
    house = load_rules(rules)
    table = compile_rules(house)
    hands = Hands(table, game_for(house, base=BASE, super_bonus=True), BASE)
    game = hands.game
    for chart in charts(rules):
        player = ChartPlayer(chart, table, BASE)
        tables = chart_tables(hands, chart)
        assert tables.suited.shape == (int(game["pairs"]), int(game["ups"]))
        for pair in range(int(game["pairs"])):
            cards = (int(game["pair_first"][pair]), int(game["pair_second"][pair]))
            for row in range(int(game["ups"])):
                up = int(game["up_card"][row])
                found = preferred_actions(int(tables.suited[pair, row]))
                assert found == player.preferences(seen(cards), up)
                after = preferred_actions(int(tables.suited_split[pair, row]))
                assert after == player.preferences(seen(cards, split=1), up)


@pytest.mark.parametrize("rules", [SUPER_FUN, BLACKJACK])
def test_marks_for_6_7_8_have_no_effect_without_a_bonus(rules: str) -> None:
    hands = Hands(compile_rules(load_rules(rules)), game_for(load_rules(rules)), BASE)
    assert {hands.level(20, 24, up_card(up)) for up in range(VALUES)} == {0}
