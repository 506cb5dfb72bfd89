"""Signs at the table and the dealer's visible actions, if a rule requires them."""

import pytest

from tests.rounds import play, seat
from ventiuna.engine.events import Stage
from ventiuna.rules import load_rules, preset_ids
from ventiuna.rules.model import Game
from ventiuna.rules.text.comparison import departures
from ventiuna.rules.text.procedure import ProcedureStep, procedure
from ventiuna.rules.text.rule_card import CardSection, rule_card

SPANISH_PRESETS = ["wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002"]


def section(rules: str, heading: str) -> CardSection:
    found = {part.heading: part for part in rule_card(load_rules(rules)).sections}
    return found[heading]


def steps(rules: str, stage: str) -> list[ProcedureStep]:
    return [step for step in procedure(load_rules(rules)) if step.stage == stage]


@pytest.mark.parametrize("preset", preset_ids())
def test_r003_minimum_and_maximum_are_posted(preset: str) -> None:
    rules = f"{preset}(table_minimum=15,table_maximum=250)"
    posted = {pay.hand: pay.pays for pay in section(rules, "Limits").pays}
    assert posted["table minimum"] == "$15"
    assert posted["table maximum"] == "$250"
    posting = [step.text for step in steps(rules, "opening") if "R-003" in step.rules]
    if preset in SPANISH_PRESETS:  # other games' documents don't require posting
        assert posting == ["Post the table limits: $15 to $250."]


# A hand for every row of the sign, by the row's name.
BONUS_HANDS = {
    "7-card 21 (7 or more cards)": "2c 2d / hit 2h / hit 3s / hit 3c / hit 4d / hit 5h",
    "6-card 21": "2c 3d / hit 4h / hit 5s / hit Ac / hit 6d",
    "5-card 21": "2c 3d / hit 4h / hit 5s / hit 7c",
    "6-7-8 of spades": "6s 7s / hit 8s",
    "6-7-8 of one suit": "6h 7h / hit 8h",
    "6-7-8 of mixed suits": "6s 7h / hit 8c",
    "7-7-7 of spades": "7s 7s / hit 7s",
    "7-7-7 of one suit": "7c 7c / hit 7c",
    "7-7-7 of mixed suits": "7c 7d / hit 7h",
    "7-7-7": "7c 7d / hit 7h",
}


@pytest.mark.parametrize("rules", [*SPANISH_PRESETS, "wsgc-2021(decks=2)"])
def test_r004_the_game_and_the_bonus_21_payouts_are_printed_as_paid(rules: str) -> None:
    assert rule_card(load_rules(rules)).game == "Spanish 21"
    printed = section(rules, "Bonus 21").pays
    assert len(printed) == len(load_rules(rules).bonus_21_rows())
    for pay in printed:
        assert play(rules, "9s Kh", BONUS_HANDS[pay.hand]).payment(1).odds == pay.pays


def test_r004_match_the_dealer_places_are_marked() -> None:
    up_only = section("catfish-bend", "Match the Dealer")
    assert "Up Card" in up_only.text[0]
    assert "Down Card" not in up_only.text[0]
    four = section("wsgc-2021(mtd_configuration=4,bonus_cards=2)", "Match the Dealer")
    for place in ("Up Card", "Down Card", "Bonus Card 1", "Bonus Card 2"):
        assert place in four.text[0]
    headings = [part.heading for part in rule_card(load_rules("super-fun-21")).sections]
    assert "Match the Dealer" not in headings


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
def test_r004_every_table_has_a_rule_sign(preset: str) -> None:
    told = [step for step in steps(preset, "opening") if "R-004" in step.rules]
    assert len(told) == 1
    # Document 002 requires only the layout.
    assert ("rule sign" in told[0].text) == (preset != "catfish-bend")


@pytest.mark.parametrize(("hand", "name"), [
    ("Kc 9d", "one unsuited match"),
    ("Kc Kd", "two unsuited matches"),
    ("Kh 9d", "one suited match"),
    ("Kh Kd", "one suited and one unsuited match"),
    ("Kh Kh", "two suited matches"),
])  # fmt: skip
def test_r004_r023_match_odds_are_printed_as_paid(hand: str, name: str) -> None:
    printed = {pay.hand: pay.pays for pay in section("casino-card", "Match the Dealer").pays}
    round_ = play("casino-card", "Kh 9c", seat(f"{hand} / stand", mtd={"up": 1}))
    assert printed[name] == f"{round_.payment(1, 'mtd up').net // 100} to 1"


def test_r006_the_sign_of_the_casino_card_forbids_side_wagers() -> None:
    notices = " ".join(rule_card(load_rules("casino-card")).notices)
    assert "Side wagers are forbidden" in notices
    assert "R-006" in notices
    assert "Side wagers" not in " ".join(rule_card(load_rules("catfish-bend")).notices)


def test_r008_decks_not_in_the_document_are_shown_as_a_departure() -> None:
    assert [change.option for change in departures(load_rules("catfish-bend(decks=8)"))] == [
        "decks"
    ]
    assert not departures(load_rules("catfish-bend"))
    assert not departures(load_rules("wsgc-2021(decks=8)"))
    assert rule_card(load_rules("catfish-bend(decks=8)")).departures


def test_r009_document_002_deals_from_a_shoe() -> None:
    by_hand = departures(load_rules("catfish-bend(dealt_from=hand)"))
    assert [change.option for change in by_hand] == ["dealt_from"]
    assert not departures(load_rules("wsgc-2021(dealt_from=hand)"))
    shoe = " ".join(step.text for step in steps("catfish-bend", "opening"))
    hand = " ".join(step.text for step in steps("wsgc-2021(dealt_from=hand)", "opening"))
    assert "shoe" in shoe
    assert "by hand" in hand


@pytest.mark.parametrize(("decks", "word"), [(2, "two"), (6, "six"), (8, "eight")])
def test_r010_opening_and_closing_a_spanish_table(decks: int, word: str) -> None:
    rules = f"wsgc-2021(decks={decks})"
    opening = [step.text for step in steps(rules, "opening") if "R-010" in step.rules]
    assert "supervisor" in opening[0]
    for part in ("the four tens and the jokers", f"each of the {word} decks in turn", "verify"):
        assert part in opening[0]
    assert "same back" in opening[1]
    closing = [step.text for step in steps(rules, "closing") if "R-010" in step.rules]
    assert len(closing) == 1
    assert "tens and the jokers back into their original boxes" in closing[0]


def test_r010_a_game_with_tens_removes_none() -> None:
    texts = " ".join(step.text for step in steps("super-fun-21", "opening"))
    assert "take the four tens" not in texts
    assert "tens included" in texts


@pytest.mark.parametrize("kind", ["house:seed=9000", "progressive"])
def test_r097_r098_jackpots_are_shown_with_their_kind_and_rules(kind: str) -> None:
    rules = f"wsgc-2021(jackpots=3c:1:kind={kind})"
    heading = "House jackpot" if kind.startswith("house") else "Progressive jackpot"
    shown = section(rules, heading)
    assert [pay.pays for pay in shown.pays[2:]] == [
        "8 for 1 = $8",
        "5 for 1 = $5",
        "6 for 1 = $6",
        "3 for 1 = $3",
    ]
    number = "R-097" if kind.startswith("house") else "R-098"
    assert any(number in step.rules for step in steps(rules, "opening"))


@pytest.mark.parametrize("preset", preset_ids())
def test_r102_r120_the_dealers_steps_follow_the_stages_of_a_round(preset: str) -> None:
    order = [str(stage) for stage in Stage]
    stages = [step.stage for step in procedure(load_rules(preset))]
    assert stages[0] == "opening"
    assert stages[-1] == ("closing" if load_rules(preset).game is Game.SPANISH_21 else "closed")
    of_round = [order.index(stage) for stage in stages if stage not in ("opening", "closing")]
    assert of_round == sorted(of_round)
