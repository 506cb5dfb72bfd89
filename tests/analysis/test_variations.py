"""The value of options and cards: which rules and shoes are compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.base_game.queries import (
    BASE_GAME_OPTIONS,
    approved_grid,
    shoes_without_one_card,
    variations,
)
from ventiuna.analysis.base_game.solver import suited_compositions
from ventiuna.reports.rules_data import options_data
from ventiuna.rules import (
    RulesError,
    canonical,
    compile_rules,
    load_file,
    load_rules,
    preset_ids,
)
from ventiuna.rules.options import value_text

# Presets with the number of combinations that their documents approve for the base game.
GRID = {
    "wsgc-spanish-21": 15,  # five deck counts, H17 with and without double-double, S17 without
    "wsgc-2021": 15,
    "wsgc-v002": 15,
    "casino-card": 2,
    "catfish-bend": 1,
    "super-fun-21": 2,
}


@pytest.mark.parametrize("preset", preset_ids())
def test_each_variation_differs_in_one_respect(preset: str) -> None:
    rules = load_rules(preset)
    for variation in variations(rules):
        name, sign, value = variation.name.partition("=")
        if not sign:
            assert variation.name.startswith("without ")
            rows = len(rules.bonus_21) + len(rules.instant_wins)
            assert len(variation.rules.bonus_21) + len(variation.rules.instant_wins) == rows - 1
            continue
        assert value_text(getattr(variation.rules, name)) == value
        others = set(BASE_GAME_OPTIONS) - {name}
        if name == "blackjack_pays" and preset != "super-fun-21":
            others -= {"diamond_blackjack_pays"}  # it follows blackjack_pays if not set separately
            assert variation.rules.diamond_blackjack_pays == variation.rules.blackjack_pays
        assert all(getattr(variation.rules, other) == getattr(rules, other) for other in others)


def test_the_page_offers_the_options_that_affect_the_edge() -> None:
    listed = [option for part in options_data()["parts"] for option in part["options"]]
    assert {one["name"] for one in listed if one["affects_edge"]} == set(BASE_GAME_OPTIONS)
    assert BASE_GAME_OPTIONS[:3] == ("decks", "soft_17", "double_double")


def test_contradictory_rules_arent_variations() -> None:
    """Double-double with S17 is refused (R-051), so it isn't compared."""
    names = {v.name for v in variations(load_rules("wsgc-2021(soft_17=stand)"))}
    assert "double_double=on" not in names
    assert "soft_17=hit" in names


@pytest.mark.parametrize("preset", GRID)
def test_the_grid_is_what_the_document_approves(preset: str) -> None:
    grid = approved_grid(preset, load_rules(preset))
    assert len(grid) == GRID[preset]
    assert len({canonical(rules) for rules in grid}) == len(grid)


def test_more_choice_never_costs_the_player() -> None:
    rules = load_rules("wsgc-spanish-21")
    start = analyze(rules).ev
    worse = {
        "surrender=off",
        "rescue=off",
        "double_after_split=off",
        "double_cards=two",
        "split=off",
        "split_hands=2",
        "without 5-card 21",
    }
    better = {"double_double=on", "soft_17=stand", "blackjack_pays=2 to 1"}
    found = {v.name: v.rules for v in variations(rules) if v.name in worse | better}
    assert set(found) == worse | better
    for name, changed in found.items():
        ev = analyze(changed).ev
        assert ev < start if name in worse else ev > start, name


def test_a_shoe_without_one_card_lacks_only_that_card() -> None:
    rules = load_rules("super-fun-21")
    shoes = shoes_without_one_card(rules)
    assert len(shoes) == 40
    assert {gone.value for gone in shoes} == {"A", *map(str, range(2, 11))}
    assert {sum(gone.composition) for gone in shoes} == {51}
    assert len({gone.composition for gone in shoes}) == 40


# --- rules with exact values --------------------------------------------------------------------

OWN_ROW = '[[bonus_21]]\nname = "own row"\npay = "2 to 1"\n{}\n'


@pytest.mark.parametrize("preset", GRID)
def test_every_approved_configuration_has_exact_values(preset: str) -> None:
    for rules in approved_grid(preset, load_rules(preset)):
        with_super = rules.super_bonus_form() is not None
        assert suited_compositions(compile_rules(rules), with_super)


@pytest.mark.parametrize(
    ("row", "is_exact"),
    [
        ('ranks = "5-7-9"\nsuits = "hearts"', True),
        ("cards = 8", True),
        ("cards = 3\nsuits = 'one suit'", True),
        ("cards = 5\nsuits = 'one suit'", False),
        ('ranks = "4-5-6-6"\nsuits = "one suit"', False),
        ('ranks = "5-6-K"', False),
    ],
)
def test_custom_rows_have_exact_values_as_documented(
    tmp_path: Path, row: str, is_exact: bool
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'extends = "wsgc-2021"\n{OWN_ROW.format(row)}', encoding="utf-8")
    table = compile_rules(load_file(path))
    if is_exact:
        suited_compositions(table, True)
        return
    with pytest.raises(RulesError, match=r"at most three cards and no ten-valued ranks \(R-061\)"):
        suited_compositions(table, True)


@pytest.mark.parametrize("preset", ["wsgc-2021", "wsgc-2021-everything"])
def test_the_number_of_decks_varies_with_match_the_dealer(preset: str) -> None:
    """The odds depend on the number of decks, and each number the game allows has its own odds."""
    decks = {v.rules.decks for v in variations(load_rules(preset)) if v.name.startswith("decks=")}
    assert decks == {2, 4, 5, 8}
