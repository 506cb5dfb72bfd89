"""Chart files: every mark has its meaning, and every mistake is reported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ventiuna.cards import parse_card, parse_cards
from ventiuna.core import actions
from ventiuna.core.cards import EMPTY_HAND, add_card, doubled_hand
from ventiuna.rules import compile_rules, load_rules
from ventiuna.simulation.settings import default_chart, find_strategy
from ventiuna.strategy.chart import ChartPlayer, built_in_charts, load_chart, read_chart
from ventiuna.strategy.protocol import HandSeen, Insurance, PlanError

ROW = "H H H H H H H H H H"
STAND = "S S S S S S S S S S"


def chart_data(**changes: Any) -> dict[str, Any]:
    data: dict[str, Any] = {
        "hard": {"4-16": ROW, "17-21": STAND},
        "soft": {"12-17": ROW, "18-21": STAND},
        "pairs": {"8": "P P P P P P P P P P"},
    }
    return data | changes


def first_choice(
    data: dict[str, Any], cards: str, up: str, rules: str = "wsgc-spanish-21", doublings: int = 0
) -> int:
    player = ChartPlayer(read_chart("test", data), compile_rules(load_rules(rules)), 500)
    return player.preferences(seen(cards, doublings), parse_card(up))[0]


def seen(cards: str, doublings: int = 0) -> HandSeen:
    hand = EMPTY_HAND
    for card in parse_cards(cards):
        hand = add_card(hand, card)
    for _ in range(doublings):
        hand = doubled_hand(hand)
    return HandSeen(parse_cards(cards), hand, 1)


def with_hard(row: str, cells: str) -> dict[str, Any]:
    low, high = int(row) - 1, int(row) + 1
    return chart_data(hard={f"4-{low}": ROW, row: cells, f"{high}-21": STAND})


def test_a_digit_means_hit_with_that_many_cards() -> None:
    data = with_hard("16", "S4 S4 S4 S4 S4 S4 S4 S4 S4 S4")
    assert first_choice(data, "9c 4d 3h", "5c") == actions.STAND
    assert first_choice(data, "9c 2d 2h 3c", "5c") == actions.HIT


def test_digit_with_two_letters_means_the_second() -> None:
    data = with_hard("16", "DS3 DS3 DS3 DS3 DS3 DS3 DS3 DS3 DS3 DS3")
    assert first_choice(data, "9c 7d", "5c") == actions.DOUBLE
    assert first_choice(data, "9c 4d 3h", "5c") == actions.STAND


@pytest.mark.parametrize(
    ("mark", "cards", "hits"),
    [
        ("*", "6c 8d", True),
        ("*", "9c 5d", False),
        ("*", "6c 6d 2h", False),
        ("'", "6c 8d", False),
        ("'", "6c 8c", True),
        ('"', "6c 8c", False),
        ('"', "6s 8s", True),
    ],
)
def test_marks_of_6_7_8(mark: str, cards: str, hits: bool) -> None:
    data = with_hard("14", " ".join([f"S{mark}"] * 10))
    wanted = actions.HIT if hits else actions.STAND
    assert first_choice(data, cards, "5c") == wanted


def test_marks_of_6_7_8_have_no_effect_without_the_bonus() -> None:
    data = with_hard("14", " ".join(["S*"] * 10))
    assert first_choice(data, "6c 8c", "5c", "super-fun-21") == actions.STAND


def test_dollar_means_hit_for_the_super_bonus() -> None:
    data = chart_data(pairs={"7": "P P P P P P$ P P P P"})
    assert first_choice(data, "7c 7c", "7d") == actions.HIT
    assert first_choice(data, "7c 7d", "7d") == actions.SPLIT
    assert first_choice(data, "7c 7c", "6d") == actions.SPLIT


def test_the_dollar_mark_has_no_effect_below_the_super_bonus_wager() -> None:
    chart = read_chart("test", chart_data(pairs={"7": "P P P P P P$ P P P P"}))
    player = ChartPlayer(chart, compile_rules(load_rules("wsgc-spanish-21")), 400)
    assert player.preferences(seen("7c 7c"), parse_card("7d"))[0] == actions.SPLIT


def test_a_pair_that_cannot_be_split_is_played_by_its_total() -> None:
    data = chart_data()
    player = ChartPlayer(read_chart("test", data), compile_rules(load_rules("blackjack")), 500)
    assert player.preferences(seen("8c 8d"), parse_card("9c"))[:2] == (actions.SPLIT, actions.HIT)


def test_doubled_rows_and_their_letters() -> None:
    doubled = {"hard": {"4-17": "R R R R R R R R R R", "18-21": STAND}, "soft": {"12-21": STAND}}
    twice = {"hard": {"4-21": "D D D D D D D D D D"}, "soft": {"12-21": STAND}}
    data = chart_data(doubled=doubled, doubled_twice=twice)
    assert first_choice(data, "5c 4d 6h", "9c", doublings=1) == actions.RESCUE
    assert first_choice(data, "5c 4d Kh", "9c", doublings=1) == actions.STAND
    assert first_choice(data, "5c 4d 6h 2c", "9c", doublings=2) == actions.DOUBLE_DOUBLE
    assert first_choice(data, "5c 4d 6h 2c 2d", "9c", doublings=3) == actions.DOUBLE_DOUBLE


def test_all_mistakes_are_reported_at_once() -> None:
    data = chart_data(
        hard={"4-16": "H H H", "17-22": STAND},
        pairs={"B": ROW, "2": "H H H H H H H H H Z"},
        insurance="sometimes",
        doubles=1,
    )
    with pytest.raises(PlanError) as caught:
        read_chart("mine.toml", data)
    text = str(caught.value)
    for part in ("ten cells", "17-22", "not the name of a row", "not a cell", "sometimes"):
        assert part in text
    assert "no such field in a chart" in text
    assert "no row for 17, 18, 19, 20, 21" in text


def test_a_file_that_isnt_toml_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("hard = [", encoding="utf-8")
    with pytest.raises(PlanError, match=r"mine\.toml: invalid TOML"):
        load_chart(path)


def test_built_in_charts_fit_their_rules() -> None:
    assert default_chart(load_rules("wsgc-spanish-21")) == "spanish-21-h17"
    assert default_chart(load_rules("wsgc-2021(soft_17=stand)")) == "spanish-21-s17"
    assert default_chart(load_rules("catfish-bend")) == "spanish-21-double-double"
    assert default_chart(load_rules("super-fun-21")) == "super-fun-21"
    assert set(built_in_charts()) >= {"blackjack-habits", "spanish-21-h17", "super-fun-21"}


def test_an_unknown_strategy_lists_the_available_ones() -> None:
    with pytest.raises(PlanError, match=r"no such strategy.*mimic"):
        find_strategy("clever", load_rules("super-fun-21"), 500)


def test_mimic_draws_as_the_dealer_does() -> None:
    hits = find_strategy("mimic", load_rules("wsgc-spanish-21"), 500)
    stands = find_strategy("mimic", load_rules("wsgc-spanish-21(soft_17=stand)"), 500)
    up = parse_card("7c")
    assert hits.preferences(seen("Ac 6d"), up) == (actions.HIT,)
    assert stands.preferences(seen("Ac 6d"), up) == (actions.STAND,)
    assert hits.preferences(seen("Kc 6d"), up) == (actions.HIT,)
    assert hits.preferences(seen("Kc 7d"), up) == (actions.STAND,)
    assert hits.insurance == Insurance.NEVER
