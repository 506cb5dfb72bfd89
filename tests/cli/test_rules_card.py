"""`ventiuna rules card`: the sign at the table matches the documents."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import good, run
from tests.support.rule_sets import random_rules
from ventiuna.cli.rules_text import card_lines
from ventiuna.rules import load_rules, preset_ids

PAYTABLES = json.loads(
    (Path(__file__).parents[1] / "golden" / "paytables.json").read_text(encoding="utf-8")
)


def card(rules: str) -> dict[str, dict[str, Any]]:
    data = run("rules", "card", rules, "--json").data
    return {section["heading"]: section for section in data["sections"]}


def pays(rules: str, heading: str) -> dict[str, str]:
    return {row["hand"]: row["pays"] for row in card(rules)[heading]["pays"]}


@pytest.mark.parametrize("name", preset_ids())
def test_the_card_states_the_game_and_fits_80_columns(name: str) -> None:
    text = good("rules", "card", name)
    assert load_rules(name).game.words.upper() in text
    assert max(map(len, text.splitlines())) <= 80
    assert "Ventiuna is an independent implementation, for play money only." in text


def test_r003_and_r004_limits_and_bonus_21_are_posted() -> None:
    rules = "wsgc-2021(table_minimum=10,table_maximum=200)"
    assert pays(rules, "Limits") == {"table minimum": "$10", "table maximum": "$200"}
    bonus, printed = pays(rules, "Bonus 21"), PAYTABLES["bonus_21"]
    assert bonus == {
        "7-card 21 (7 or more cards)": printed["seven_cards_or_more"],
        "6-card 21": printed["six_cards"],
        "5-card 21": printed["five_cards"],
        "6-7-8 of spades": printed["678"]["spades"],
        "6-7-8 of one suit": printed["678"]["suited"],
        "6-7-8 of mixed suits": printed["678"]["mixed"],
        "7-7-7 of spades": printed["777"]["decks_4_5_6_8"]["spades"],
        "7-7-7 of one suit": printed["777"]["decks_4_5_6_8"]["suited"],
        "7-7-7 of mixed suits": printed["777"]["decks_4_5_6_8"]["mixed"],
    }
    assert "Bonus 21" not in card("super-fun-21")


@pytest.mark.parametrize("row", PAYTABLES["match_the_dealer"]["schedules"])
def test_match_the_dealer_odds_of_these_decks(row: dict[str, Any]) -> None:
    found = pays(f"wsgc-2021(decks={row['decks']})", "Match the Dealer")
    assert found["one unsuited match"] == row["unsuited"]
    assert found["one suited match"] == row["suited"]
    # Two decks don't have three identical cards.
    assert ("two suited matches" in found) == (row["decks"] > 2)


def test_r023_the_casino_cards_list_of_odds() -> None:
    assert pays("casino-card", "Match the Dealer") == {
        "one unsuited match": "4 to 1",
        "two unsuited matches": "8 to 1",
        "one suited match": "9 to 1",
        "one suited and one unsuited match": "13 to 1",
        "two suited matches": "18 to 1",
    }


@pytest.mark.parametrize("table", sorted(PAYTABLES["jackpot"]["tables"]))
def test_every_line_of_every_jackpot_pay_table(table: str) -> None:
    printed = PAYTABLES["jackpot"]["tables"][table]
    for number, pay_table in printed["paytables"].items():
        rules = f"wsgc-2021(decks={printed['decks']},jackpots={table}:{number}:wager=2:prize=30)"
        shown = list(pays(rules, "Progressive jackpot").values())
        assert len(shown) == len(pay_table["lines"])
        for line, text in zip(pay_table["lines"], shown, strict=True):
            if "%" in line["pay"]:
                percent = line["pay"].partition("%")[0]
                assert text == f"{percent}% of the meter"
            elif line["pay"].startswith("$"):
                assert text == "$60"
            else:
                assert text.startswith(f"{line['pay']} = $")


def test_amounts_are_for_the_wager_of_the_table() -> None:
    found = pays("wsgc-2021(jackpots=5c:1:wager=5:prize=12.50:seed=100)", "Progressive jackpot")
    assert found["one suited match"] == "5 for 1 = $25"
    assert found["two suited matches with the up card"] == "$62.50"


def test_two_house_jackpots_with_their_posted_amounts() -> None:
    rules = "wsgc-2021(jackpots=3c:1:kind=house:seed=5000+4d:1:kind=house:seed=900)"
    sections = card(rules)
    assert "House jackpot 1" in sections
    notes = " ".join(sections["House jackpot 2"]["notes"])
    assert "$900" in notes
    assert "each gets the full share of the posted amount" in notes
    assert "100% of the posted amount" in pays(rules, "House jackpot 1").values()


@pytest.mark.parametrize(
    ("rules", "has", "lacks"),
    [
        ("wsgc-2021", "Rescue", "Double-double"),
        ("wsgc-2021(double_double=on)", "Double-double", "up to your wager once more"),
        ("wsgc-2021(rescue=off)", "Surrender", "Rescue"),
        ("wsgc-2021(surrender=off)", "Rescue", "Surrender"),
        ("wsgc-2021(soft_17=stand)", "stands on soft 17", "hits soft 17"),
        ("super-fun-21", "all-diamond blackjack", "Match the Dealer"),
        ("super-fun-21", "at any time below 21", "Rescue"),
        ("blackjack", "pushes", "always wins"),
        ("casino-card", "of the same rank", "of equal value"),
        ("casino-card", "Side wagers are forbidden", "regulator's limit"),
        ("casino-card", "win no Super Bonus yourself", "Double-double"),
        ("catfish-bend", "$100", "Down Card"),
        ("wsgc-spanish-21", "A Down Card wager needs an Up Card wager", "Bonus Card"),
        (
            "wsgc-2021(mtd_configuration=4,bonus_cards=3)",
            "Bonus Cards 1 to 3",
            "Bonus Cards 1 to 4",
        ),
    ],
)
def test_the_card_covers_exactly_these_rules(rules: str, has: str, lacks: str) -> None:
    text = " ".join(good("rules", "card", rules).split())
    assert has in text
    assert lacks not in text


@pytest.mark.parametrize("seed", range(40))
def test_any_rules_fit_the_card(seed: int) -> None:
    rules = random_rules(random.Random(seed))
    for width in (40, 80):
        assert max(map(len, card_lines(rules, width))) <= width
