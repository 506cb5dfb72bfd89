"""`ventiuna rules procedure`: the dealer's steps in the order the engine deals."""

import random
from typing import Any

import pytest

from tests.cli.running import good, run
from tests.cli.test_rules_show import known_numbers
from tests.support.rule_sets import random_rules
from ventiuna.engine.events import Stage
from ventiuna.rules import canonical, load_rules, preset_ids
from ventiuna.rules.text.references import explain

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


def test_r010_the_tens_are_removed_and_put_back() -> None:
    *_, last = steps("catfish-bend")
    taken_out = step_with("catfish-bend", "four tens and the jokers out of each of the six decks")
    assert "verify" in taken_out["text"]
    assert taken_out["rules"] == ["R-010"]
    assert "tens and the jokers back" in last["text"]
    assert last["rules"] == ["R-010"]


def test_super_fun_21_is_opened_with_full_decks() -> None:
    first = steps("super-fun-21(decks=2)")[0]
    assert "two decks of 52 cards, tens included" in first["text"]
    assert first["rules"] == ["R-103"]
    assert not any("R-010" in step["rules"] for step in steps("super-fun-21"))


def test_r102_the_order_of_all_payments() -> None:
    marks = [
        "Settle the Up Card wagers",
        "Settle the Bonus Card wagers",
        "Jackpot 1: pay the fixed lines of table 5c",
        "Lock up the Bonus Cards",
        "notify the floor person",
        "Pay blackjacks",
        "offer insurance",
        "aren't insured before you check",
        "check the down card",
        "Bonus 21: pay",
        "Expose the down card",
        "Compare the remaining hands",
        "Settle the Down Card wagers",
        "Jackpot 1: see whether the down card improves",
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


def test_r072_the_floor_person_is_notified() -> None:
    step = step_with("wsgc-2021(decks=2)", "notify the floor person")
    assert "7h 7c 7d in any order" in step["text"]
    assert step["rules"] == ["R-068", "R-072"]


@pytest.mark.parametrize("rules", ["wsgc-spanish-21", "wsgc-2021", "wsgc-v002", "casino-card"])
def test_the_floor_person_authorizes_super_bonuses_if_documents_say_so(rules: str) -> None:
    of_super_bonus = [step["text"] for step in steps(rules) if "R-072" in step["rules"]]
    assert sum("floor person" in text for text in of_super_bonus) == 2
    assert not any("supervisor" in text for text in of_super_bonus)


def test_the_supervisor_authorizes_super_bonuses_at_catfish_bend() -> None:
    assert "notify the supervisor, who observes" in step_with("catfish-bend", "can become")["text"]
    assert "as the supervisor instructs" in step_with("catfish-bend", "Pay the Super")["text"]
    assert not any("floor person" in step["text"] for step in steps("catfish-bend"))


@pytest.mark.parametrize("rules", [name for name in preset_ids() if "21" in name])
def test_r070_splitting_or_doubling_voids_the_super_bonus(rules: str) -> None:
    found = [step for step in steps(rules) if "R-070" in step["rules"]]
    assert [step["text"] for step in found] == (
        ["Splitting or doubling a hand voids its Super Bonus."] if "super-fun" not in rules else []
    )


def test_r106_the_ace_counts_one_in_a_doubled_hand() -> None:
    assert "the ace then counts as one" in step_with("super-fun-21", "Double down")["text"]
    without = step_with("super-fun-21(double_blackjack=off)", "Double down")
    assert "ace" not in without["text"]


# --- sources of steps ---------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [name for name in preset_ids() if name != "blackjack"])
def test_rules_of_other_documents_are_marked_as_borrowed(rules: str) -> None:
    own = load_rules(rules).document[:3]
    for step in steps(rules):
        borrowed = {entry["rule"]: entry["documents"] for entry in step["borrowed"]}
        for number in step["rules"]:
            documents = [document.id for document in explain(number).documents]
            if number.startswith("R") and own not in documents:
                assert borrowed.pop(number) == documents
                assert (
                    f"from document{'s' * (len(documents) > 1)} {', '.join(documents)}: "
                    in (step["source"])
                )
        assert not borrowed


def test_a_step_says_what_is_borrowed_and_what_is_our_reading() -> None:
    assert step_with("wsgc-2021", "same back")["source"] == "from document 002: R-010"
    assert step_with("catfish-bend", "same back")["source"] == "R-010"
    assert step_with("super-fun-21", "Shuffle,")["source"] == "our reading: O-03"
    split = step_with("catfish-bend", "Split:")["source"]
    assert split == ("R-042, R-043, R-044; from documents 000, 003, 004: R-045; our reading: D-11")
    text = " ".join(good("rules", "procedure", "wsgc-2021").split())
    assert "Make sure all decks have the same back. [from document 002: R-010]" in text


def test_super_fun_21_has_only_its_documents_steps() -> None:
    found = steps("super-fun-21(decks=2)")
    assert not any(step["borrowed"] for step in found)
    for absent in ("supervisor", "same back", "boxes", "rule sign", "limits"):
        assert not any(absent in step["text"] for step in found)


def test_r118_advice_is_given_only_in_super_fun_21() -> None:
    sixth, eleven = [step["text"] for step in steps("super-fun-21") if "R-118" in step["rules"]]
    assert "guaranteed six-card winner, and could even make a 2-to-1 winner" in sixth
    assert "hit instead of doubling: a ten-valued card pays 2 to 1" in eleven
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
def test_only_the_steps_that_apply_to_the_rules(rules: str, absent: str) -> None:
    assert not any(absent in step["text"] for step in steps(rules))


def test_every_payment_option_is_described() -> None:
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
