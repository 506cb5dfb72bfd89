"""`ventiuna rules diff`: options, rows, odds, and jackpots side by side."""

from typing import Any

import pytest

from tests.cli.running import good, run


def differences(first: str, second: str) -> dict[tuple[str, str], tuple[str, str]]:
    rows: list[dict[str, Any]] = run("rules", "diff", first, second, "--json").data["differences"]
    return {(row["field"], row["part"]): (row["first"], row["second"]) for row in rows}


def test_rules_equal_themselves() -> None:
    assert good("rules", "diff", "wsgc-2021", "wsgc-2021(decks=6)") == "These rules are the same.\n"
    data = run("rules", "diff", "wsgc-2021", "wsgc-v002", "--json").data
    assert data["decide_alike"] is True
    assert data["differences"] == []


ALIKE = "the same fingerprint: same options, different documents."


def test_presets_that_play_alike_differ_in_their_documents() -> None:
    """R-005, R-100: `wsgc-2021` and `wsgc-v002` share a fingerprint, not a document."""
    text = good("rules", "diff", "wsgc-2021", "wsgc-v002")
    assert text.startswith("These rules play alike (fingerprint 3b9b570874de8d66).\n")
    assert "A: wsgc-2021\nB: wsgc-v002\n" in text
    assert "003, part v002:" in text
    assert "choice of" in text
    assert "bonus_cards" in text
    data = run("rules", "diff", "wsgc-2021", "wsgc-v002", "--json").data
    documents = {row["field"]: (row["first"], row["second"]) for row in data["documents"]}
    assert documents["title"] == ("Spanish 21 (WSGC, 2021)", "Spanish 21 (WSGC, equipment v002)")
    assert documents["choice of mtd_configuration"] == ("0, 1, 2, 3, 4", "0, 1, 2")
    assert documents["jackpots, choice of games"] == ("0, 1, 2", "0, 1")
    assert run("rules", "diff", "wsgc-2021", "wsgc-2021", "--json").data["documents"] == []
    # These rules play alike: one turns off an option that double-double excludes anyway.
    less = "wsgc-2021(double_double=on,double_for_less=off)"
    text = good("rules", "diff", less, "wsgc-v002(double_double=on)")
    assert text.startswith("These rules play alike.\n")


def test_only_presets_with_equal_fingerprints_are_listed() -> None:
    listed = " ".join(good("rules", "list").split())
    assert listed.endswith(f"wsgc-2021 and wsgc-v002 have {ALIKE}")
    for command in ("show", "check"):
        assert f"wsgc-v002 has {ALIKE}" in " ".join(good("rules", command, "wsgc-2021").split())
        for other in ("wsgc-2021(decks=8)", "wsgc-spanish-21"):
            assert ALIKE not in " ".join(good("rules", command, other).split())
    assert run("rules", "show", "wsgc-v002", "--json").data["decides_like"] == ["wsgc-2021"]
    assert run("rules", "show", "wsgc-v002(decks=8)", "--json").data["decides_like"] == []
    assert run("rules", "show", "catfish-bend", "--json").data["decides_like"] == []
    alike = {row["name"]: row["decides_like"] for row in run("rules", "list", "--json").data}
    assert {name for name, others in alike.items() if others} == {"wsgc-2021", "wsgc-v002"}


@pytest.mark.parametrize("command", ["card", "procedure", "posting"])
def test_table_documents_cite_no_other_document(command: str) -> None:
    for rules in ("wsgc-2021", "wsgc-2021(decks=8)", "wsgc-v002"):
        assert ALIKE not in " ".join(good("rules", command, rules).split())
    assert "same fingerprint" not in str(run("rules", "card", "wsgc-2021", "--json").data)


def test_options_with_both_values_and_rule_numbers() -> None:
    data = run("rules", "diff", "wsgc-spanish-21", "wsgc-2021(soft_17=stand)", "--json").data
    assert data["decide_alike"] is False
    assert data["differences"] == [
        {
            "field": "soft_17",
            "part": "",
            "first": "hit",
            "second": "stand",
            "rule": "R-077, D-12",
        },
        {
            "field": "down_requires_up",
            "part": "",
            "first": "on",
            "second": "off",
            "rule": "R-025, D-02",
        },
    ]


def test_other_decks_change_rows_super_bonus_and_odds() -> None:
    found = differences("wsgc-2021", "wsgc-2021(decks=2)")
    assert found["decks", ""] == ("6", "2")
    assert found["bonus_21", "7-7-7"] == ("-", "2 to 1 (7-7-7)")
    assert found["bonus_21", "7-7-7 of spades"] == ("3 to 1 (7-7-7, spades)", "-")
    assert found["super_bonus", "hand"] == (
        "three 7s of one suit against any 7",
        "7h 7c 7d in any order against 7s",
    )
    assert found["match_the_dealer", "suited match"] == ("9 to 1", "15 to 1")
    assert ("match_the_dealer", "unsuited match") not in found


def test_jackpots_line_by_line() -> None:
    found = differences("wsgc-2021(jackpots=4d:1)", "wsgc-2021(jackpots=4d:2:wager=5:seed=10)")
    assert found == {
        ("jackpots game 1", "pay table"): ("1", "2"),
        ("jackpots game 1", "wager"): ("$1.00", "$5.00"),
        ("jackpots game 1", "seed"): ("$0.00", "$10.00"),
        ("jackpots game 1", "one suited and one unsuited match"): (
            "4 for 1 = $4",
            "11 for 2 = $27.50",
        ),
        ("jackpots game 1", "one suited match"): ("5 for 2 = $2.50", "9 for 2 = $22.50"),
        ("jackpots game 1", "two unsuited matches"): ("3 for 1 = $3", "2 for 1 = $10"),
        ("jackpots game 1", "one unsuited match"): ("3 for 2 = $1.50", "1 for 1 = $5"),
    }


def test_a_jackpot_on_one_side_only() -> None:
    found = differences("catfish-bend", "casino-card")
    assert found["jackpots game 1", "table"] == ("-", "casino-card")
    assert found["jackpots game 1", "one suited match"] == ("-", "5 for 2 = $2.50")


def test_different_games() -> None:
    text = good("rules", "diff", "super-fun-21", "wsgc-2021")
    assert max(map(len, text.splitlines())) <= 80
    for words in ("A: super-fun-21", "B: wsgc-2021", "instant_wins", "bonus_21", "R-112"):
        assert words in text


def test_an_error_in_either_rule_set_is_reported() -> None:
    assert run("rules", "diff", "wsgc-2021", "wsgc-2021(decks=7)").code == 2
    assert run("rules", "diff", "wsgc", "wsgc-2021").code == 2
