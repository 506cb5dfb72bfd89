"""Who decides an option, and departures from the document, which are always shown."""

from pathlib import Path

import pytest

from tests.cli.running import good, run
from tests.support.rule_sets import every_choice
from ventiuna.rules import (
    RulesError,
    change_rules,
    load_rules,
    preset_ids,
    rules_data,
    rules_from_data,
)
from ventiuna.rules.data_files import limit_profiles
from ventiuna.rules.loader import choices_of
from ventiuna.rules.text.comparison import departures


def options(rules: str) -> list[str]:
    return [departure.option for departure in departures(load_rules(rules))]


@pytest.mark.parametrize("name", preset_ids())
def test_a_preset_never_departs_whatever_the_house_chooses(name: str) -> None:
    names = ("decks", "soft_17", "double_double", "mtd_configuration")
    chosen = list(every_choice(name, names))
    assert chosen
    for rules in chosen:
        # Other deck counts have a different row for 7-7-7, which is also the document's.
        assert departures(rules) == []


@pytest.mark.parametrize("name", preset_ids())
def test_options_that_a_document_omits_arent_departures(name: str) -> None:
    """The house sets table limits; no document covers the cut card, spots, or chips."""
    changes = {
        "cut_card": 50,
        "burn_cards": 1,
        "seats": 3,
        "table_minimum": 10,
        "table_maximum": 200,
        "chip_unit": 5,
        "small_chip_unit": 1,
        "mtd_minimum": 5,
        "mtd_maximum": 50,
        "mtd_required": "up" if load_rules(name).mtd_configuration else "none",
    }
    if name == "catfish-bend":  # its document prints the Match the Dealer limits
        for option in ("mtd_minimum", "mtd_maximum", "chip_unit"):
            del changes[option]
    assert departures(change_rules(load_rules(name), changes)) == []


# --- limits fixed by a document ------------------------------------------------------------------


@pytest.mark.parametrize("change", ["mtd_minimum=5", "mtd_maximum=500"])
def test_r124_document_002_fixes_match_the_dealer_at_1_to_100_dollars(change: str) -> None:
    name, _, _ = change.partition("=")
    [departure] = departures(load_rules(f"catfish-bend({change})"))
    assert departure.option == name
    assert departure.allowed == {"mtd_minimum": "$1.00", "mtd_maximum": "$100.00"}[name]
    assert "R-024" in departure.rule


@pytest.mark.parametrize("name", ["wsgc-spanish-21", "wsgc-2021", "wsgc-v002", "super-fun-21"])
def test_r124_documents_that_cite_the_regulators_limits_follow_them(name: str) -> None:
    with pytest.raises(RulesError, match=r"up to \$400\.00"):
        load_rules(f"{name}(table_maximum=5000)")
    assert options(f"{name}(limit_profile=none)") == ["limit_profile"]
    above = f"{name}(limit_profile=none,table_maximum=5000)"
    assert options(above) == ["limit_profile", "table_maximum"]
    text = " ".join(good("rules", "check", above).split())
    assert "limit_profile = none: the document says wac-2009 or wac-2023" in text
    assert "table_maximum = $5,000.00: the document says at most $400.00" in text
    assert options(f"{name}(limit_profile=wac-2009,table_maximum=300)") == []


@pytest.mark.parametrize("name", ["casino-card", "catfish-bend"])
def test_r124_documents_without_a_regulator_have_no_limit_to_depart_from(name: str) -> None:
    assert options(f"{name}(table_maximum=5000)") == []
    assert options(f"{name}(limit_profile=wac-2023)") == []


def test_super_fun_21_has_a_limit_profile() -> None:
    profile = limit_profiles()[load_rules("super-fun-21").limit_profile]
    assert profile.maximum_wager == 400_00
    assert "WAC 230-15-040" in profile.source


# --- silent documents and optional offers --------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "dealt_from=hand",
        "double_blackjack=on",
        "double_on_21=never",
        "double_for_less=off",
        "blackjack_paid=at_once_unless_insured",
        "insurance_on_blackjack=off",
        "down_settled=at_exposure",
    ],
)
def test_r125_an_option_the_document_omits_is_never_attributed_to_it(change: str) -> None:
    rules = f"casino-card({change})"
    name, _, _ = change.partition("=")
    assert options(rules) == []
    for command in ("show", "check", "card"):
        text = " ".join(good("rules", command, rules).split())
        assert "the document says" not in text
    shown = {row["name"]: row for row in run("rules", "show", rules, "--json").data["options"]}
    assert shown[name]["standing"] == "silent"
    assert not shown[name]["departs"]
    assert shown[name]["allowed"] == []
    assert all(number[0] in "DO" for number in shown[name]["sources"])


def test_r125_the_three_states_are_shown_everywhere() -> None:
    rules = "casino-card(dealt_from=hand)"
    for command in ("card", "check"):
        text = " ".join(good("rules", command, rules).split())
        assert "Left to the house by the document: double-double, " in text
        assert "dealt from (O-03; our reading: shoe)" in text
        assert "double blackjack (D-17)" in text
        assert "Everything else is fixed by the document." in text
    text = " ".join(good("rules", "show", rules).split())
    assert "soft_17 hit fixed by the document; R-077, D-12" in text
    assert "double_double off left to the house: off or on; " in text
    assert "double_blackjack off silent: our reading (D-17)" in text
    assert "dealt_from hand silent: our reading is shoe (O-03)" in text
    standings = run("rules", "check", rules, "--json").data["standings"]
    assert set(standings) == {"fixed", "house", "silent"}
    assert "dealt_from" in standings["silent"]
    assert "double_double" in standings["house"]
    assert "soft_17" in standings["fixed"]
    departing = good("rules", "check", "casino-card(soft_17=stand)")
    assert "Everything else is fixed by the document, apart from the departures." in " ".join(
        departing.split()
    )


@pytest.mark.parametrize("name", preset_ids())
def test_r125_silent_options_state_our_reading(name: str) -> None:
    """Each status cites numbers: R- for the document, D- and O- for our reading."""
    for row in run("rules", "show", name, "--json").data["options"]:
        kinds = {number[0] for number in row["sources"]}
        if row["standing"] == "silent":
            assert kinds <= {"D", "O"}, row["name"]
        elif name != "blackjack":
            assert "R" in kinds, row["name"]


@pytest.mark.parametrize("name", ["wsgc-spanish-21", "wsgc-2021", "wsgc-v002"])
def test_optional_offers_can_be_left_out(name: str) -> None:
    assert options(f"{name}(mtd_configuration=0)") == []


def test_odds_that_document_001_prints_hold_for_six_decks_only() -> None:
    """D-01, D-06: it doesn't state a number of decks, but prints one list of odds."""
    assert options("casino-card(decks=8,jackpots=none)") == [
        "match_the_dealer unsuited match",
        "match_the_dealer suited match",
        "jackpots",
    ]


# --- options, rows, and jackpots outside the document ---------------------------------------------


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (
            "catfish-bend(decks=8,soft_17=stand,double_double=off)",
            ["decks", "double_double"],
        ),
        ("casino-card(double_blackjack=on,split=equal_value)", ["split"]),
        ("casino-card(jackpots=none)", ["jackpots"]),
        ("casino-card(jackpots=4d:1)", ["jackpots game 1 table"]),
        ("casino-card(jackpots=casino-card:1:kind=house:seed=100)", ["jackpots game 1 kind"]),
        ("casino-card(jackpots=casino-card:1:best_only=on:wager=5:seed=50)", []),
        ("wsgc-2021(jackpots=3c:8:wager=20:seed=1000+4d:2:contribution=10%)", []),
        ("wsgc-2021(jackpots=3c:8:kind=house:seed=1000)", []),
        ("wsgc-2021(jackpots=4d:1:best_only=on)", ["jackpots game 1 best_only"]),
        ("wsgc-2021(jackpots=casino-card:1)", ["jackpots game 1 table"]),
        ("wsgc-v002(jackpots=3c)", []),
        ("wsgc-v002(jackpots=3c+4d)", ["jackpots"]),
        ("wsgc-v002(jackpots=3c:1:kind=house:seed=100)", ["jackpots game 1 kind"]),
        ("wsgc-spanish-21(jackpots=3c)", ["jackpots"]),
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


def test_a_departure_states_the_documents_value() -> None:
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


def test_a_file_cannot_widen_its_documents_choices(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'extends = "catfish-bend"\ndecks = 8\n[choices]\ndecks = [6, 8]\n', encoding="utf-8"
    )
    assert choices_of(str(path))["decks"] == [6, 8]
    assert options(str(path)) == ["decks"]


@pytest.mark.parametrize("command", ["show", "check", "card", "procedure"])
def test_departures_are_always_shown(command: str) -> None:
    text = " ".join(good("rules", command, "catfish-bend(decks=8)").split())
    assert "decks = 8: the document says 6" in text


# --- double-double and doubling for less ---------------------------------------------------------


@pytest.mark.parametrize("changes", ["", ",double_for_less=on", ",double_for_less=off"])
def test_double_double_shows_doubling_for_less_as_off(changes: str) -> None:
    """R-050: the table refuses doubling for less, so rules show it as off either way."""
    rules = f"wsgc-2021(double_double=on{changes})"
    assert options(rules) == []
    shown = {row["name"]: row for row in run("rules", "show", rules, "--json").data["options"]}
    assert shown["double_for_less"]["value"] is False
    assert "double_for_less off" in " ".join(good("rules", "show", rules).split())
    compared = run("rules", "diff", rules, "wsgc-2021", "--json").data["differences"]
    values = {row["field"]: (row["first"], row["second"]) for row in compared}
    assert values["double_for_less"] == ("off", "on")


def test_doubling_for_less_departs_if_double_double_isnt_offered() -> None:
    assert options("wsgc-2021(double_for_less=off)") == ["double_for_less"]
    assert options("catfish-bend(double_for_less=on)") == []  # double-double already turns it off


# --- soft 17 under document 002 ------------------------------------------------------------------


def test_d12_document_002_is_silent_on_soft_17() -> None:
    rules = load_rules("catfish-bend(soft_17=stand)")
    assert rules.double_double
    assert departures(rules) == []
    text = " ".join(good("rules", "show", "catfish-bend(soft_17=stand)").split())
    assert "soft_17 stand silent: our reading is hit (D-12)" in text
    assert rules_from_data(rules_data(rules)) == rules
    for name in ("wsgc-2021", "casino-card"):  # their documents tie double-double to H17
        with pytest.raises(RulesError, match="R-051"):
            load_rules(f"{name}(double_double=on,soft_17=stand)")
