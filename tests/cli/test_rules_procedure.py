"""`ventiuna rules procedure`: the dealer's steps in the order in which the engine deals."""

import random
from typing import Any

import pytest

from tests.cli.running import good, run
from tests.cli.test_rules_show import known_numbers
from ventiuna.engine.events import Stage
from ventiuna.rules import canonical, preset_ids
from ventiuna.testing.variations import random_rules

ALL_OF_IT = (
    "wsgc-2021(double_double=on,mtd_configuration=4,bonus_cards=5,"
    "jackpots=5c:1:prize=50:seed=10+4d:1:seed=10)"
)


def steps(rules: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run("rules", "procedure", rules, "--json").data["steps"]
    return found


def step_with(rules: str, words: str) -> dict[str, Any]:
    [found] = [step for step in steps(rules) if words in step["text"]]
    return found


def rule_sets() -> list[str]:
    drawn = [canonical(random_rules(random.Random(seed))) for seed in range(30)]
    return [*preset_ids(), ALL_OF_IT, *drawn]


@pytest.mark.parametrize("rules", rule_sets())
def test_steps_follow_the_stages_of_the_engine(rules: str) -> None:
    found = steps(rules)
    assert [step["number"] for step in found] == list(range(1, len(found) + 1))
    order = ["opening", *(str(stage) for stage in Stage), "closing"]
    places = [order.index(step["stage"]) for step in found]
    assert places == sorted(places)
    numbers = known_numbers()
    for step in found:
        assert step["rules"]
        assert set(step["rules"]) <= numbers, step


def test_r010_the_tens_are_taken_out_and_go_back() -> None:
    first, *_, last = steps("catfish-bend")
    assert "four tens and the jokers out of each of the six decks" in first["text"]
    assert "verify" in first["text"]
    assert "R-010" in first["rules"]
    assert "tens and the jokers back" in last["text"]
    assert last["rules"] == ["R-010"]


def test_super_fun_21_is_opened_with_full_decks() -> None:
    first = steps("super-fun-21(decks=2)")[0]
    assert "two decks of 52 cards: tens included" in first["text"]
    assert first["rules"] == ["R-103"]
    assert not any("R-010" in step["rules"] for step in steps("super-fun-21"))


def test_r102_the_order_of_all_payments() -> None:
    marks = [
        "Settle the Up Card wagers",
        "Settle the Bonus Card wagers",
        "Jackpot 1: pay the fixed lines of table 5c",
        "Lock up the Bonus Cards",
        "call the supervisor",
        "Pay blackjacks",
        "offer insurance",
        "not insured, before you look",
        "look at the down card",
        "Bonus 21: pay",
        "Expose the down card",
        "Compare the hands",
        "Settle the Down Card wagers",
        "Jackpot 1: see whether the down card raises",
        "Jackpot 2: pay the fixed lines with the up card and the down card",
        "Jackpot 1: pay the percentage awards",
        "Jackpot 2: pay the percentage awards",
        "Pay the Super Bonuses",
        "pay an Envy Bonus",
        "Collect the cards",
    ]
    texts = [step["text"] for step in steps(ALL_OF_IT)]
    places = [next(n for n, text in enumerate(texts) if mark in text) for mark in marks]
    assert places == sorted(places)


def test_r120_super_fun_21_pays_blackjacks_around_the_insurance() -> None:
    stages = [step["stage"] for step in steps("super-fun-21")]
    wanted = ["blackjacks", "insurance", "uninsured_blackjacks", "check", "blackjacks_after_check"]
    assert [stage for stage in dict.fromkeys(stages) if stage in wanted] == wanted


def test_r072_the_supervisor_is_called() -> None:
    step = step_with("wsgc-2021(decks=2)", "call the supervisor")
    assert "7h 7c 7d in any order" in step["text"]
    assert step["rules"] == ["R-068", "R-072"]


def test_r118_advice_is_given_in_super_fun_21_alone() -> None:
    advice = [step for step in steps("super-fun-21") if "R-118" in step["rules"]]
    assert len(advice) == 2
    assert not any("R-118" in step["rules"] for step in steps(ALL_OF_IT))


def test_down_card_wagers_at_exposure_come_before_the_settlement() -> None:
    at_once = step_with("wsgc-2021(down_settled=at_exposure)", "Settle the Down Card wagers")
    later = step_with("wsgc-2021", "Settle the Down Card wagers")
    assert (at_once["stage"], later["stage"]) == ("dealer", "down_card_wagers")


@pytest.mark.parametrize(
    ("rules", "absent"),
    [
        ("catfish-bend", "Down Card wagers"),
        ("wsgc-2021", "Bonus Card"),
        ("wsgc-2021", "Jackpot"),
        ("wsgc-2021", "Double-double"),
        ("wsgc-2021(rescue=off)", "Rescue"),
        ("wsgc-2021(insurance=off)", "nsurance"),
        ("wsgc-2021(split=off)", "Split:"),
        ("wsgc-2021(envy=off)", "Envy"),
        ("super-fun-21", "Super Bonus"),
        ("super-fun-21", "Match the Dealer"),
        ("blackjack", "Surrender"),
    ],
)
def test_only_the_steps_that_these_rules_have(rules: str, absent: str) -> None:
    assert not any(absent in step["text"] for step in steps(rules))


def test_every_option_of_payment_is_told() -> None:
    match = step_with("wsgc-2021(decks=8)", "Settle the Up Card wagers")
    assert "3 to 1 unsuited, 12 to 1 suited" in match["text"]
    house = "wsgc-2021(jackpots=3c:1:kind=house:seed=100)"
    assert "R-097" in step_with(house, "percentage awards")["rules"]
    sequence = step_with("wsgc-2021(jackpots=3c:1:seed=100)", "percentage awards")
    assert "R-095" in sequence["rules"]
    prize = "wsgc-2021(jackpots=5c:1:prize=50:seed=100:prize_from=jackpot)"
    assert "prizes of $50" in step_with(prize, "percentage awards")["text"]


def test_the_text_is_numbered_and_fits_80_columns() -> None:
    text = good("rules", "procedure", ALL_OF_IT)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    numbers = [int(line[:3]) for line in lines if line[3:5] == ". " and line[:3].strip().isdigit()]
    assert numbers == list(range(1, len(steps(ALL_OF_IT)) + 1))
    assert "R-005" in text
