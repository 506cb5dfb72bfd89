"""`ventiuna rules list` and `ventiuna rules show`."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.cli.running import good, run
from ventiuna.cli.rules_text import print_show
from ventiuna.rules import fingerprint, load_rules, preset_ids
from ventiuna.rules.model import OPTIONS
from ventiuna.rules.text.references import references_by_number

GOLDEN = Path(__file__).parents[1] / "golden"


def known_numbers() -> set[str]:
    return set(references_by_number())


def test_list_shows_every_preset_with_document_decks_and_fingerprint() -> None:
    text = good("rules", "list")
    listed = run("rules", "list", "--json").data
    assert [row["name"] for row in listed] == list(preset_ids())
    for row in listed:
        rules = load_rules(row["name"])
        assert row["fingerprint"] == fingerprint(rules)
        assert row["decks"] == rules.decks
        assert row["document"]
        assert row["name"] in text
        assert row["fingerprint"] in text


@pytest.mark.parametrize("name", preset_ids())
def test_show_has_every_option_with_rule_numbers_that_exist(name: str) -> None:
    data = run("rules", "show", name, "--json").data
    assert [row["name"] for row in data["options"]] == [option.name for option in OPTIONS]
    numbers = known_numbers()
    for row in data["options"]:
        assert row["standing"] in ("fixed", "house", "silent")
        for source in row["sources"]:
            assert source in numbers, (row["name"], source)
    assert data["departures"] == []
    text = good("rules", "show", name)
    for option in OPTIONS:
        assert option.name in text
    assert data["rules"] == name
    assert data["fingerprint"] in text


def options_of(rules: str) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in run("rules", "show", rules, "--json").data["options"]}


def test_show_distinguishes_fixed_chosen_and_silent_options() -> None:
    """These are the columns of the preset table in the specification."""
    wsgc, card = options_of("wsgc-2021"), options_of("casino-card")
    bend = options_of("catfish-bend")
    assert wsgc["decks"]["standing"] == "house"
    assert wsgc["decks"]["allowed"] == ["2", "4", "5", "6", "8"]
    assert wsgc["soft_17"]["standing"] == "house"
    assert wsgc["surrender"]["standing"] == "fixed"
    assert wsgc["table_minimum"]["standing"] == "house"
    assert wsgc["table_minimum"]["allowed"] == []
    assert wsgc["limit_profile"]["standing"] == "fixed"
    assert wsgc["cut_card"]["standing"] == "silent"
    assert card["decks"]["standing"] == "silent"
    assert card["double_blackjack"]["standing"] == "silent"
    assert card["soft_17"]["standing"] == "fixed"
    assert bend["double_double"]["standing"] == "fixed"
    assert bend["soft_17"]["standing"] == "silent"


def test_show_values_are_typed_and_money_is_dollars() -> None:
    options = options_of("wsgc-2021(table_minimum=7.50,small_chip_unit=0.25,chip_unit=0.50)")
    assert options["table_minimum"]["value"] == "7.50"
    assert options["decks"]["value"] == 6
    assert options["rescue"]["value"] is True
    assert options["blackjack_pays"]["value"] == "3 to 2"


def test_show_has_rows_super_bonus_odds_jackpots_and_limits() -> None:
    rules = "wsgc-2021(decks=2,jackpots=4a:8:wager=5:prize=50:seed=100)"
    data = run("rules", "show", rules, "--json").data
    assert [row["name"] for row in data["bonus_21"]][-1] == "7-7-7"
    assert data["bonus_21"][-1]["pays"] == "2 to 1"
    assert data["super_bonus"]["hand"] == "7h 7c 7d in any order against 7s"
    assert [row["pays"] for row in data["super_bonus"]["pays"]] == ["$1,000", "$5,000"]
    assert data["match_the_dealer"]["unsuited"] == "4 to 1"
    assert data["match_the_dealer"]["suited"] == "15 to 1"
    jackpot = data["jackpots"][0]
    assert jackpot["published_house_advantage"] == "3.47 %"
    assert jackpot["pays"][2] == {"hand": "any 4 of one rank, 2s to Ks", "pays": "$250"}
    assert data["limit"]["maximum_wager"] == "400"
    text = good("rules", "show", rules)
    for words in ("15 to 1", "3.47 %", "$250", "7h 7c 7d in any order against 7s", "wac-2023"):
        assert words in text


def test_show_marks_departures_and_warnings() -> None:
    rules = "wsgc-2021(envy=off,mtd_configuration=4,bonus_cards=5)"
    text = good("rules", "show", rules)
    assert "departs from per_other_winner" in text
    assert "- envy = off: the document says per_other_winner" in text
    assert "WAC 230-15-040" in text
    data = run("rules", "show", rules, "--json").data
    assert [row["option"] for row in data["departures"]] == ["envy"]
    assert [row["name"] for row in data["options"] if row["departs"]] == ["envy"]
    assert len(data["warnings"]) == 1


def test_super_fun_21_has_instant_wins_and_no_side_wagers() -> None:
    data = run("rules", "show", "super-fun-21", "--json").data
    assert [row["name"] for row in data["instant_wins"]] == [
        "21 with five or more cards",
        "20 or less in six cards",
    ]
    assert data["match_the_dealer"] is None
    assert data["super_bonus"] is None
    assert data["jackpots"] == []
    text = good("rules", "show", "super-fun-21")
    assert "even money (6+ cards, total at most 20)" in text


@pytest.mark.parametrize("width", [50, 80, 100])
def test_nothing_is_cut_off_at_any_width(width: int) -> None:
    out = Console(file=StringIO(), width=width, highlight=False, markup=False, emoji=False)
    print_show(out, load_rules("super-fun-21"))
    assert isinstance(out.file, StringIO)
    text = out.file.getvalue()
    assert max(map(len, text.splitlines())) <= width
    for row in options_of("super-fun-21").values():
        for source in row["sources"]:
            assert source in text
    for word in ("two_or_more", "like_others", "hand"):
        assert word in text.split()
