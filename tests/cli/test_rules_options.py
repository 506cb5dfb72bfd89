"""`ventiuna rules options`: every option with its meaning, values, and settings by preset."""

from __future__ import annotations

from tests.cli.running import run
from ventiuna.rules import load_rules, preset_ids
from ventiuna.rules.model import OPTIONS


def test_every_option_is_listed_with_its_meaning_and_values() -> None:
    data = run("rules", "options", "--json").data
    found = [option for part in data["parts"] for option in part["options"]]
    assert [option["name"] for option in found] == [option.name for option in OPTIONS]
    soft = next(option for option in found if option["name"] == "soft_17")
    assert soft["meaning"] == "dealer on soft 17"
    assert [value["value"] for value in soft["values"]] == ["hit", "stand"]
    assert [preset["preset"] for preset in soft["presets"]] == list(preset_ids())
    assert {table["table"] for table in data["jackpot_tables"]} >= {"3c", "4d", "5a"}
    assert all(option.name in run("rules", "options").out for option in OPTIONS)


def test_listed_values_are_accepted_by_rules() -> None:
    """A preset's value can be written into another preset's canonical string."""
    data = run("rules", "options", "--json").data
    for option in (option for part in data["parts"] for option in part["options"]):
        own = next(preset for preset in option["presets"] if preset["preset"] == "wsgc-2021")
        rules = load_rules(f"wsgc-2021({option['name']}={own['value']})")
        assert rules == load_rules("wsgc-2021")


def test_one_option_shows_the_value_in_each_preset() -> None:
    text = run("rules", "options", "surrender").out
    assert "R-036, R-109" in text
    assert "super-fun-21" in text
    assert "any_time" in text


def test_an_unknown_option_gets_a_sentence() -> None:
    found = run("rules", "options", "softy")
    assert found.code == 2
    assert "no such option. Did you mean soft_17?" in found.err


def test_a_list_of_rows_is_not_an_option() -> None:
    found = run("rules", "options", "bonus_21")
    assert found.code == 2
    assert "this is a list of rows. Write it in a rules file, as [[bonus_21]] rows." in found.err
