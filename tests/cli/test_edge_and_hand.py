"""`ventiuna edge` and `ventiuna hand`: figures, JSON, and bad input."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ventiuna.analysis.base_game.analyzer import next_card_chances
from ventiuna.analysis.composition import composition_of
from ventiuna.cards import parse_card, parse_cards
from ventiuna.cli.app import new_app


def run(*words: str) -> Result:
    return CliRunner().invoke(new_app(words), list(words))


def data(*words: str) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_edge_gives_only_the_base_game_with_all_digits() -> None:
    found = data("edge", "blackjack(decks=6,soft_17=stand,split_hands=2)")
    assert round(found["ev"] * 100, 9) == -0.456886297
    assert found["house_edge"] == -found["ev"]
    assert "CDZ-" in found["strategy_class"]
    assert found["fingerprint"] in run("rules", "show", found["rules"]).stdout
    assert "ev_with_super_bonus" not in found


def test_the_super_bonus_is_worth_more_with_a_small_bet() -> None:
    """$1,000 is 200 wagers of $5 but only 42 of $24 (R-069)."""
    small = data("edge", "wsgc-spanish-21", "--base", "5")
    large = data("edge", "wsgc-spanish-21", "--base", "24")
    assert small["ev"] == large["ev"]
    assert small["ev_with_super_bonus"] > large["ev_with_super_bonus"] > small["ev"]


def test_rules_without_a_super_bonus_give_the_same_value_with_it() -> None:
    found = data("edge", "super-fun-21", "--base", "5")
    assert found["ev_with_super_bonus"] == found["ev"]
    assert "Super Bonus" not in run("edge", "super-fun-21", "--base", "5").stdout


def test_the_standard_deviation_is_printed_on_request() -> None:
    rules = "blackjack(decks=6,soft_17=stand,split_hands=2)"
    assert round(data("edge", rules, "--sd")["sd"], 8) == 1.14654006
    told = " ".join(run("edge", rules, "--sd").stdout.split())
    assert "standard deviation of a round 1.14654006" in told
    assert "sd" not in data("edge", rules)


def test_the_printed_command_gives_the_same_result() -> None:
    found = data("edge", "wsgc-2021(soft_17=stand)", "--base", "10")
    words = found["command"].replace("'", "").split()[1:-1]
    assert data(*words)["ev_with_super_bonus"] == found["ev_with_super_bonus"]


def test_removed_cards_change_the_edge() -> None:
    fresh = data("edge", "super-fun-21")
    fives_gone = data("edge", "super-fun-21", "--without", "5c 5d 5h 5s")
    assert fives_gone["cards"] == 48
    assert fives_gone["ev"] > fresh["ev"]
    told = data("edge", "super-fun-21", "--shoe", " ".join(f"{r}:4" for r in "A2346789TJQK"))
    assert told["ev"] == fives_gone["ev"]


def test_one_option_at_a_time_and_the_grid() -> None:
    found = data("edge", "super-fun-21", "--vary", "--grid")
    changes = {line["name"]: line["change"] for line in found["vary"]}
    assert changes["unchanged"] is None
    assert changes["decks=2"] < 0 < changes["soft_17=stand"]
    assert [line["name"] for line in found["grid"]] == ["super-fun-21", "super-fun-21(decks=2)"]


def test_hands_are_listed_with_their_chances() -> None:
    hands = data("edge", "super-fun-21", "--hands")["hands"]
    assert len(hands) == 550
    assert sum(hand["chance"] for hand in hands) == pytest.approx(1)


def test_edge_in_words_fits_80_columns() -> None:
    result = run("edge", "wsgc-spanish-21", "--base", "25")
    assert result.exit_code == 0
    assert "0.776829039%" in result.stdout
    lines = result.stdout.splitlines()
    assert all(len(line) <= 80 for line in lines if not line.startswith("To repeat"))


def test_hand_lists_each_action_with_its_value() -> None:
    rows = data("hand", "wsgc-spanish-21", "5c 6d", "2h")
    assert [row["action"] for row in rows] == ["double", "hit", "stand", "surrender"]
    assert round(rows[0]["ev"], 11) == 0.34804839555
    assert [row["cost"] for row in rows] == sorted(row["cost"] for row in rows)


def test_an_ace_up_shows_the_value_of_insurance() -> None:
    """6 decks with two cards and the ace seen leave 72 ten-values among 285 cards (R-034)."""
    rows = data("hand", "wsgc-spanish-21", "9c 7d", "Ah")
    assert all(row["insurance_ev"] == pytest.approx(3 * 72 / 285 - 1) for row in rows)
    assert "insurance" not in {row["action"] for row in rows}
    told = run("hand", "wsgc-spanish-21", "9c 7d", "Ah").stdout
    assert "Insurance, before the dealer checks: -0.242105263" in " ".join(told.split())
    for words in (("9c 7d", "Kh"), ("2c 3d 4h", "Ah")):
        assert "insurance_ev" not in data("hand", "wsgc-spanish-21", *words)[0]


def test_doubling_for_less_wins_and_loses_in_proportion() -> None:
    """Without rescue, the whole wager is won or lost together (R-050)."""
    words = ("hand", "wsgc-spanish-21(rescue=off)", "5c 6d", "2h", "--base", "10")
    full, half, least = (
        {row["action"]: row["ev"] for row in data(*words, *more)}["double"]
        for more in ((), ("--double", "5"), ("--double", "0.50"))
    )
    assert full / 2 == pytest.approx(half / 1.5) == pytest.approx(least / 1.05)
    refused = run("hand", "catfish-bend", "5c 6d", "2h", "--base", "10", "--double", "5")
    assert refused.exit_code != 0
    assert "double = $5.00: " in refused.output


def test_a_doubled_hand_may_be_rescued_or_doubled_again() -> None:
    rows = data("hand", "catfish-bend", "5c 6d 2h", "Kh", "--doublings", "1")
    assert {row["action"] for row in rows} == {"stand", "rescue", "double-double"}
    values = {row["action"]: row["ev"] for row in rows}
    assert values["rescue"] == -1


def test_a_split_hand_has_no_surrender() -> None:
    rows = data("hand", "wsgc-spanish-21", "8c 8d", "Kh", "--hands", "2")
    assert {row["action"] for row in rows} == {"stand", "hit", "double", "split"}
    full = data("hand", "wsgc-spanish-21", "8c 8d", "Kh", "--hands", "4")
    assert "split" not in {row["action"] for row in full}


def test_the_super_bonus_makes_suited_sevens_a_hit() -> None:
    assert data("hand", "wsgc-2021", "7s 7s", "7h")[0]["action"] != "hit"
    assert data("hand", "wsgc-2021", "7s 7s", "7h", "--base", "5")[0]["action"] == "hit"


def test_hand_says_why() -> None:
    result = run("hand", "wsgc-spanish-21", "6s 7s", "9h")
    assert result.exit_code == 0
    assert "pays more than even money" in " ".join(result.stdout.split())
    assert "The dealer busts" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["hand", "wsgc-2021", "Tc 6d", "2h"], "R-007"),
        (["hand", "wsgc-2021", "5c", "2h"], "at least two cards"),
        (["hand", "wsgc-2021", "Kc Kd 5h", "2h"], "over 21"),
        (["hand", "wsgc-2021", "5c 5x", "2h"], "5x"),
        (["hand", "wsgc-2021(decks=2)", "5c 5c 5c", "2h"], "5c"),
        (["hand", "wsgc-2021", "5c 6d", "2h", "--doublings", "1"], "doublings"),
        (["hand", "wsgc-2021", "5c 6d", "2h", "--shoe", "K:3"], "K:3"),
        (["hand", "wsgc-2021", "5c 6d", "2h", "--shoe", "Ks:x"], "Ks:x"),
        (["hand", "super-fun-21", "5c 6d", "Ah", "--shoe", "Ks:1 Kh:1"], "blackjack"),
        (["edge", "wsgc-2021", "--base", "-5"], "-5"),
        (["edge", "wsgc-2021", "--base", "0"], "above zero"),
        (["edge", "wsgc-2021", "--shoe", "K:4 T:4"], "R-007"),
        (["edge", "super-fun-21", "--without", "Kc Kc"], "Kc"),
        (
            ["edge", "wsgc-2021", "--shoe", "7s:400"],
            "error: shoe 7s:400: 7s occurs only 6 times in 6 decks of the spanish pack (R-007",
        ),
        (
            ["sidebets", "super-fun-21", "--shoe", "K:4 7:8"],
            "error: shoe 7:8: 7 occurs only 4 times in 1 deck of the standard pack (R-103). Name",
        ),
        (
            ["hand", "wsgc-2021", "5c 5c", "2h", "--shoe", "5:24 K:24"],
            "spanish pack, 2 of them on the table (R-007, R-008). Name at most 4.\n",
        ),
        (
            ["jackpot", "wsgc-2021", "--table", "3c", "--shoe", "7s:7"],
            "shoe 7s:7: 7s occurs only 6 times",
        ),
        (["edge", "super-fun-21", "--shoe", "Kc:1 Kd:1"], "cards"),
    ],
)
def test_bad_input_gets_a_sentence(words: list[str], sentence: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("edge", "wsgc-2021"),
        ("hand", "wsgc-2021", "5c 6d", "2h"),
        ("strategy", "wsgc-2021"),
        ("sidebets", "wsgc-2021"),
    ],
)
def test_a_bad_amount_is_reported_with_its_option(words: tuple[str, ...]) -> None:
    refused = run(*words, "--base", "ten")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("error: base: 'ten' isn't an amount in dollars")


def test_a_hand_without_a_wager_is_refused() -> None:
    refused = run("hand", "wsgc-2021", "5c 6d", "2h", "--base", "0")
    assert refused.exit_code == 2
    assert "error: base = $0.00: a wager must be above zero (R-003). Raise it.\n" in refused.stderr


def test_the_explanation_of_a_doubled_hand_covers_its_legal_actions() -> None:
    """A doubled hand without double-double gets no more cards, and it has more than one wager at
    stake.
    """
    told = run("hand", "wsgc-2021", "5c 6d 2h", "2h", "--doublings", "1").stdout
    assert "next card" not in told
    assert "dealer busts" not in told
    told = run("hand", "catfish-bend", "5c 6d 2h", "2h", "--doublings", "1").stdout
    assert "has an 8.5% chance of making 21 and a" in " ".join(told.split())


def test_the_explanation_counts_cards_that_make_a_bonus_21_once() -> None:
    told = " ".join(run("hand", "wsgc-2021", "8s 6s", "4d").stdout.split())
    assert "has an 8.4% chance of making a 21 that pays more than even money and a 41.8%" in told


def test_next_card_chances_account_for_the_dealers_check() -> None:
    chances = next_card_chances(parse_card("Ah"), composition_of(parse_cards("Kc Kd 9s 8s")))
    # Without a dealer blackjack, the down card isn't a face card.
    assert chances[parse_card("Kc")] == Fraction(1, 3)
    assert chances[parse_card("9s")] == Fraction(1, 6)
    assert sum(chances.values()) == 1


@pytest.mark.parametrize("shoe", [("--without", "5c 5d"), ("--shoe", "A:4 5:4 9:4 K:4")])
def test_comparisons_accept_only_fresh_shoes(shoe: tuple[str, str]) -> None:
    refused = run("edge", "super-fun-21", *shoe, "--vary", "--effects")
    assert refused.exit_code == 2
    assert [line.partition(":")[2].strip() for line in refused.stderr.splitlines()] == [
        f"{name} = on: comparisons need a fresh shoe. Omit --shoe and --without."
        for name in ("vary", "effects")
    ]


def test_a_shoe_of_thousands_of_digits_is_not_repeated() -> None:
    told = run("edge", "wsgc-2021", "--shoe", f"7:{'9' * 5000}")
    assert told.exit_code == 2
    assert len(told.output) < 200
