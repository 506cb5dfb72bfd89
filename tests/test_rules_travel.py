"""Rules are self-contained: they survive conversion to data and back without their file."""

import json
import pickle
import tomllib
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.effort import examples
from tests.property.strategies import attempt, rule_sets
from ventiuna.analysis.charts.page import chart_toml
from ventiuna.core import rule_table
from ventiuna.rules import (
    BlackjackPaid,
    DoubleOn21,
    Envy,
    Rules,
    RulesError,
    Split,
    Surrender,
    canonical,
    change_rules,
    compile_rules,
    fingerprint,
    load_file,
    load_rules,
    preset_ids,
    rules_data,
    rules_from_data,
)
from ventiuna.rules.text.comparison import departures, differences
from ventiuna.rules.text.procedure import procedure
from ventiuna.rules.text.rule_card import rule_card
from ventiuna.strategy.chart import built_in_charts, read_chart
from ventiuna.strategy.protocol import PlanError

HOUSE = """
title = "Our house"
extends = "wsgc-2021"
revision = 3
decks = 8
notices = ["Ask the floor."]
[[bonus_21]]
name = "Three sevens"
ranks = "7-7-7"
suits = "hearts"
pay = "5 to 1"
[sources]
decks = "R-008"
"""


def there_and_back(rules: Rules) -> Rules:
    return rules_from_data(json.loads(json.dumps(rules_data(rules), allow_nan=False)))


def house_file(folder: Path, text: str = HOUSE) -> Path:
    path = folder / "house.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("preset", preset_ids())
def test_a_preset_survives_conversion_to_data_and_back(preset: str) -> None:
    rules = load_rules(preset)
    again = there_and_back(rules)
    assert again == rules
    assert canonical(again) == preset
    assert rule_card(again) == rule_card(rules)


@examples(100)
@given(rule_sets())
def test_any_rules_survive_conversion_to_data_and_back(rules: Rules) -> None:
    again = there_and_back(rules)
    assert again == rules
    assert canonical(again) == canonical(rules)
    assert fingerprint(again) == fingerprint(rules)
    assert compile_rules(again) == compile_rules(rules)


def test_rules_outlive_their_file(tmp_path: Path) -> None:
    """Rules can be named, printed, compared, changed, and compiled after their file is gone."""
    path = house_file(tmp_path)
    rules = change_rules(load_file(path), {"soft_17": "stand", "blackjack_pays": "6 to 5"})
    before = (canonical(rules), rule_card(rules), departures(rules), procedure(rules))
    stored = json.dumps(rules_data(rules))
    path.unlink()
    again = rules_from_data(json.loads(stored))
    assert again == rules
    assert (canonical(again), rule_card(again), departures(again), procedure(again)) == before
    assert canonical(again) == f"{path}(soft_17=stand,blackjack_pays=6 to 5)"
    assert again.title == "Our house"
    assert again.revision == 3
    assert rule_card(again).notices == ("Ask the floor.",)
    assert not differences(again, rules)
    assert pickle.loads(pickle.dumps(again)) == rules
    assert change_rules(again, {"soft_17": "hit"}).soft_17 == "hit"


def test_an_edited_file_does_not_rename_rules_read_before(tmp_path: Path) -> None:
    path = house_file(tmp_path)
    rules = load_file(path)
    before = canonical(rules), fingerprint(rules)
    house_file(tmp_path, HOUSE.replace("decks = 8", "decks = 6"))
    assert (canonical(rules), fingerprint(rules)) == before == (str(path), fingerprint(rules))
    assert load_file(path) != rules


def test_rules_of_a_missing_preset_can_be_named_and_printed() -> None:
    data = rules_data(load_rules("wsgc-2021(decks=8)"))
    text = json.dumps(data).replace('"wsgc-2021"', '"wsgc-2019"')
    rules = rules_from_data(json.loads(text))
    assert canonical(rules) == "wsgc-2019(decks=8)"
    assert fingerprint(rules) == data["fingerprint"]
    assert rule_card(rules).departures == (
        "preset = wsgc-2019: this version has no document to compare with",
    )


def test_no_preset_or_file_is_read_for_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Canonical strings, fingerprints, and data never read the disk."""
    data = rules_data(load_rules("catfish-bend(decks=8)"))

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the disk must not be accessed")

    for place in ("preset_layer", "file_layer", "layer_of", "load_preset"):
        monkeypatch.setattr(f"ventiuna.rules.loader.{place}", refuse)
    monkeypatch.setattr(Path, "open", refuse)
    rules = rules_from_data(data)
    assert canonical(rules) == "catfish-bend(decks=8)"
    assert fingerprint(rules) == data["fingerprint"]
    assert rules_data(rules) == data


# --- data not written by rules_data --------------------------------------------------------------


def _set(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        *path, last = key.split("/")
        place = data
        for part in path:
            place = place[part]
        place[last] = value

    return change


def _deep() -> list[Any]:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    return nested


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        (_set("format", 2), "format", "reads only format 1"),
        (_set("format", True), "format", "reads only format 1"),
        (_set("format", 1.0), "format", "reads only format 1"),
        (_set("colour", "red"), "colour", "no such field"),
        (_set("options/colour", "red"), "colour", "no such option"),
        (_set("options", 7), "options", "an object with options"),
        (_set("options/decks", float("nan")), "decks", "whole number"),
        (_set("options/decks", 10**6000), "decks", "from 1 to 8"),
        (_set("options/decks", _deep()), "decks", "whole number"),
        (_set("options/table_maximum", 10**6000), "table_maximum", "more than"),
        (_set("options/table_maximum", float("inf")), "table_maximum", "isn't an amount"),
        (_set("options/soft_17", {}), "soft_17", "not one of the choices"),
        (_set("options/mtd_required", [["up"]]), "mtd_required", "Match the Dealer wager"),
        (_set("bonus_21", "none"), "bonus_21", "list of rows"),
        (_set("bonus_21", [7]), "bonus_21 row 1", "must be a table of named values"),
        (_set("bonus_21", [{}]), "bonus_21 row 1 name", "required"),
        (_set("jackpots", [{"table": "9z"}]), "jackpots game 1 table", "no such jackpot table"),
        (_set("name", ""), "name", "required"),
        (_set("name", "../etc/passwd"), "name", "the name of a preset"),
        (_set("name", "a\x1b[2J.toml"), "name", "control characters"),
        (_set("title", "a\x1b[2Jb"), "title", "control characters"),
        (_set("title", None), "title", "a string of at most"),
        (_set("document", "two\nlines"), "document", "control characters"),
        (_set("revision", 0), "revision", "whole number from 1"),
        (_set("revision", True), "revision", "whole number from 1"),
        (_set("origin", []), "origin", "must be an object"),
        (_set("origin/start", "x"), "origin start", "object with options"),
        (_set("origin/start", {"decks": 99}), "origin start decks", "from 1 to 8"),
        (_set("origin/start", {"name": "x"}), "origin start name", "no such option"),
        (_set("origin/choices", {"decks": [float("nan")]}), "choices decks", "whole number"),
        (_set("origin/choices", {"x": []}), "choices x", "no such option"),
        (_set("origin/sources", {"decks": "\x1b"}), "sources decks", "must be printable"),
        (_set("origin/notices", ["\x07"]), "notices 1", "control characters"),
        (_set("origin/notices", ["a"] * 101), "notices", "at most 100"),
        (_set("fingerprint", "0" * 16), "fingerprint", "fingerprint of these options"),
        (_set("options/decks", 8), "fingerprint", "fingerprint of these options"),
        (_set("options/decks", 3), "decks", "is played with"),
        (_set("options/bonus_cards", 5), "bonus_cards", "Bonus Cards"),
    ],
)
def test_other_data_is_refused(
    change: Callable[[dict[str, Any]], None], field: str, message: str
) -> None:
    data: dict[str, Any] = json.loads(json.dumps(rules_data(load_rules("wsgc-2021"))))
    change(data)
    with pytest.raises(RulesError) as error:
        rules_from_data(data)
    assert field in [problem.field for problem in error.value.problems]
    assert message in str(error.value)
    assert all(len(problem.value) < 2000 for problem in error.value.problems)


@pytest.mark.parametrize("data", [None, 7, "wsgc-2021", [], float("nan")])
def test_data_that_isnt_an_object_is_refused(data: object) -> None:
    with pytest.raises(RulesError, match="must be an object, as written by rules_data"):
        rules_from_data(data)


def test_every_missing_part_is_reported() -> None:
    whole = rules_data(load_rules("wsgc-2021"))
    for key in whole:
        with pytest.raises(RulesError, match=f"{key} = not set: required"):
            rules_from_data({name: whole[name] for name in whole if name != key})
    with pytest.raises(RulesError) as error:
        rules_from_data({})
    assert {problem.field for problem in error.value.problems} == set(whole)


def test_all_problems_are_reported_at_once() -> None:
    data: dict[str, Any] = json.loads(json.dumps(rules_data(load_rules("wsgc-2021"))))
    data["options"] |= {"decks": 3, "soft_17": "sit", "table_maximum": "-1"}
    data["title"] = 5
    with pytest.raises(RulesError) as error:
        rules_from_data(data)
    fields = {problem.field for problem in error.value.problems}
    assert fields >= {"decks", "soft_17", "table_maximum", "title"}


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@examples(300)
@given(st.data(), _JSON)
def test_any_damage_is_one_kind_of_error(data: st.DataObject, junk: object) -> None:
    whole: Any = json.loads(json.dumps(rules_data(load_rules("wsgc-2021(jackpots=3c:1:prize=5)"))))
    place: Any = whole
    while True:
        key = data.draw(
            st.sampled_from(list(place) if isinstance(place, dict) else range(len(place)))
        )
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            place[key] = junk
            break
        place = inner
    rules = attempt(lambda: rules_from_data(whole), RulesError)
    if isinstance(rules, Rules):
        assert there_and_back(rules) == rules
    else:
        assert rules.problems


# --- fingerprints of stored rules -----------------------------------------------------------------


def test_a_chart_says_which_rules_it_was_made_for() -> None:
    rules, other = load_rules("wsgc-2021"), load_rules("wsgc-2021(soft_17=stand)")
    chart = replace(
        built_in_charts()["spanish-21-h17"], rules="wsgc-2021", fingerprint=fingerprint(rules)
    )
    again = read_chart("own.toml", tomllib.loads(chart_toml(chart)))
    assert (again.rules, again.fingerprint) == ("wsgc-2021", fingerprint(rules))
    assert again.misfit(rules) == ""
    assert again.misfit(other) == (
        f"The chart own.toml was made for wsgc-2021 with fingerprint {fingerprint(rules)}, but "
        f"these rules have {fingerprint(other)}. Derive a chart for them with 'ventiuna strategy'."
    )
    assert built_in_charts()["spanish-21-h17"].misfit(other) == ""
    data = tomllib.loads(chart_toml(chart))
    with pytest.raises(PlanError, match="fingerprint = 5: must be the fingerprint"):
        read_chart("own.toml", data | {"fingerprint": 5})


@pytest.mark.parametrize(
    ("choices", "prefix"),
    [
        (BlackjackPaid, "PAID"),
        (DoubleOn21, "DOUBLE_21"),
        (Surrender, "SURRENDER"),
        (Split, "SPLIT"),
        (Envy, "ENVY"),
    ],
)
def test_choices_are_numbered_in_declaration_order(choices: type[StrEnum], prefix: str) -> None:
    """Compiled rules give `core` the position of a choice in its list."""
    for place, choice in enumerate(choices):
        assert getattr(rule_table, f"{prefix}_{choice.name}") == place


FINGERPRINTS = {  # stored in houses, certificates and rounds
    "blackjack": "6219fb4636813b55",
    "casino-card": "95260e6dde0bfec1",
    "catfish-bend": "8c1b77c863d5133e",
    "super-fun-21": "ecba91e576f83017",
    "wsgc-2021": "3b9b570874de8d66",
    "wsgc-spanish-21": "171f1039d8d2618b",
    "wsgc-v002": "3b9b570874de8d66",
}


def test_a_preset_keeps_its_fingerprint() -> None:
    assert {name: fingerprint(load_rules(name)) for name in preset_ids()} == FINGERPRINTS


def test_rules_stored_before_a_row_was_renamed_are_still_the_preset() -> None:
    stored = json.dumps(rules_data(load_rules("super-fun-21")))
    stored = stored.replace("21 with five or more cards", "five or more cards of 21")
    rules = rules_from_data(json.loads(stored))
    assert rules != load_rules("super-fun-21")
    assert fingerprint(rules) == FINGERPRINTS["super-fun-21"]
    assert canonical(rules) == "super-fun-21"
