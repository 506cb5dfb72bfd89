"""Departures from the document: what counts as one, and that it is always shown."""

from pathlib import Path

import pytest

from tests.cli.running import good
from ventiuna.rules import change_rules, load_rules, preset_ids
from ventiuna.rules.reading.loading import choices_of
from ventiuna.rules.words.departures import HOUSE_SETTINGS, departures
from ventiuna.testing.variations import every_choice


def options(rules: str) -> list[str]:
    return [departure.option for departure in departures(load_rules(rules))]


@pytest.mark.parametrize("name", preset_ids())
def test_a_preset_departs_from_nothing_whatever_the_house_chooses(name: str) -> None:
    names = ("decks", "soft_17", "double_double", "mtd_configuration")
    chosen = list(every_choice(name, names))
    assert chosen
    for rules in chosen:
        # With other decks another row of 7-7-7 is in force: still the document's own.
        assert departures(rules) == []


@pytest.mark.parametrize("name", preset_ids())
def test_house_settings_are_no_departures(name: str) -> None:
    changes = {
        "cut_card": 50,
        "burn_cards": 1,
        "seats": 3,
        "table_minimum": 10,
        "table_maximum": 200,
        "chip_unit": 5,
        "small_chip_unit": 1,
        "limit_profile": "none",
        "mtd_minimum": 5,
        "mtd_maximum": 50,
        "mtd_required": "up" if load_rules(name).mtd_configuration else "none",
    }
    assert set(changes) == HOUSE_SETTINGS
    assert departures(change_rules(load_rules(name), changes)) == []


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (
            "catfish-bend(decks=8,soft_17=stand,double_double=off)",
            ["decks", "soft_17", "double_double"],
        ),
        ("casino-card(double_blackjack=on,split=equal_value)", ["double_blackjack", "split"]),
        ("casino-card(jackpots=none)", ["jackpots"]),
        ("casino-card(jackpots=4d:1)", ["jackpots game 1 table"]),
        ("casino-card(jackpots=casino-card:1:kind=house:seed=100)", ["jackpots game 1 kind"]),
        ("casino-card(jackpots=casino-card:1:best_only=on:wager=5:seed=50)", []),
        ("wsgc-2021(jackpots=3c:8:wager=20:seed=1000+4d:2:contribution=10%)", []),
        ("wsgc-2021(jackpots=3c:8:kind=house:seed=1000)", []),
        ("wsgc-2021(jackpots=4d:1:best_only=on)", ["jackpots game 1 best_only"]),
        ("wsgc-2021(jackpots=casino-card:1)", ["jackpots game 1 table"]),
        ("wsgc-v002(jackpots=3c)", ["jackpots"]),
        (
            "wsgc-spanish-21(mtd_configuration=4,bonus_cards=2)",
            ["mtd_configuration", "bonus_cards"],
        ),
        ("wsgc-spanish-21(mtd_at_most_base=on)", []),
        ("super-fun-21(rescue=on,soft_17=stand)", ["soft_17", "rescue"]),
        ("blackjack(decks=3,blackjack_pays=6 to 5,double_totals=9-11)", []),
        ("blackjack(blackjack_pays=1 to 1)", ["blackjack_pays"]),
        ("blackjack(rescue=on)", ["rescue"]),
    ],
)
def test_options_outside_the_document(rules: str, expected: list[str]) -> None:
    assert options(rules) == expected


def test_a_departure_tells_what_the_document_has() -> None:
    [departure] = departures(load_rules("wsgc-2021(surrender=off)"))
    assert departure.value == "off"
    assert departure.allowed == "late"
    assert "R-036" in departure.rule


def test_rows_of_a_file_are_compared_with_the_document(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        """
        extends = "wsgc-2021"
        bonus_21 = [
          { name = "7-card 21", cards = "7+", pay = "5 to 1" },
          { name = "four aces", ranks = "A-A-A-A", total = "14", pay = "9 to 1" },
        ]
        super_bonus_bands = [{ base_from = 5, pay = 500 }]
        """,
        encoding="utf-8",
    )
    found = {departure.option: departure for departure in departures(load_rules(str(path)))}
    assert found["bonus_21 7-card 21"].value == "5 to 1 (7+ cards)"
    assert found["bonus_21 7-card 21"].allowed == "3 to 1 (7+ cards)"
    assert found["bonus_21 6-card 21"].value == "left out"
    assert found["bonus_21 four aces"].allowed == "nothing"
    assert found["super_bonus_bands base wager from $5.00"].value == "$500.00"


def test_a_file_can_not_widen_what_its_document_allows(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'extends = "catfish-bend"\ndecks = 8\n[choices]\ndecks = [6, 8]\n', encoding="utf-8"
    )
    assert choices_of(str(path))["decks"] == [6, 8]
    assert options(str(path)) == ["decks"]


@pytest.mark.parametrize("command", ["show", "check", "card", "procedure"])
def test_departures_are_always_shown(command: str) -> None:
    text = " ".join(good("rules", command, "catfish-bend(decks=8)").split())
    assert "decks = 8: the document has 6" in text
