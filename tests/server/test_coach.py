"""The coach: exact values for this shoe and a fresh one, using only what a player may know."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.server.conftest import House
from tests.support.dealt_rounds import deal_round, paused_rounds
from ventiuna.analysis.base_game.analyzer import hand_values
from ventiuna.analysis.base_game.queries import ParsedHand
from ventiuna.analysis.coaching import (
    Advice,
    HandContext,
    NothingToCoach,
    PromptType,
    advise,
    coached_hand,
    value_choices,
)
from ventiuna.analysis.composition import composition_of, fresh_composition
from ventiuna.cards import CardError, Pack, parse_card, parse_cards
from ventiuna.core.actions import ACTION_NAMES
from ventiuna.engine.events import CardDealt
from ventiuna.engine.options import legal_actions
from ventiuna.engine.prompts import DecisionWanted, InsuranceAnswersWanted
from ventiuna.engine.views import DEALER, EVERYONE, view
from ventiuna.rules import load_rules
from ventiuna.strategy.players import RandomPlayer
from ventiuna.table.fairness import LiveShoe, ShoeContext
from ventiuna.testing.conformance import random_wagers
from ventiuna.texts import finite

RULES = load_rules("wsgc-2021")


def test_the_unseen_cards_are_the_shoe_and_the_down_card() -> None:
    asked = 0
    for moment in paused_rounds(RULES, seed=3, rounds=30):
        seen = view(moment.state, EVERYONE)
        if not isinstance(seen.waiting, DecisionWanted | InsuranceAnswersWanted):
            continue
        coached = coached_hand(RULES, seen, moment.seen_before)
        down = moment.state.dealer[1]
        assert coached.hand.unseen == composition_of([*moment.left, down])
        asked += 1
    assert asked > 30


def test_the_down_card_changes_nothing() -> None:
    """Swapping the down card for another unseen card gives the same query, so the same advice."""
    tried = 0
    for moment in paused_rounds(RULES, seed=5, rounds=8):
        seen = view(moment.state, EVERYONE)
        if not isinstance(seen.waiting, DecisionWanted):
            continue
        assert seen.dealer[1] is None
        before = coached_hand(RULES, seen, moment.seen_before)
        true = moment.state.dealer[1]
        moment.state.dealer[1] = moment.left[0]
        try:
            after = coached_hand(RULES, view(moment.state, EVERYONE), moment.seen_before)
        finally:
            moment.state.dealer[1] = true
        assert after == before
        tried += 1
    assert tried > 8


def test_every_legal_action_is_valued_in_random_rounds() -> None:
    split_hands = doubled = 0
    for name, seed in (("wsgc-2021", 1), ("super-fun-21", 2)):
        rules = load_rules(name)
        for moment in paused_rounds(rules, seed, rounds=15, spots=2):
            seen = view(moment.state, EVERYONE)
            if not isinstance(seen.waiting, DecisionWanted):
                continue
            advice = advise(coached_hand(rules, seen, moment.seen_before))
            legal = {ACTION_NAMES[action] for action in legal_actions(moment.state)}
            for side in (advice.shoe, advice.fresh):
                assert {choice.action for choice in side.choices} == legal
                assert min(choice.cost for choice in side.choices) == 0.0
                assert side.why
            split_hands += advice.coached.hand.hands > 1
            doubled += advice.coached.hand.doublings > 0
    assert split_hands
    assert doubled


def asked(cards: str, up: str, gone: str = "", base: int | None = None) -> HandContext:
    held, upcard = parse_cards(cards), parse_card(up)
    unseen = list(fresh_composition(RULES))
    for card in (*held, upcard, *parse_cards(gone)):
        unseen[card] -= 1
    return HandContext(ParsedHand(RULES, held, upcard, tuple(unseen), base=base))


def test_values_match_the_analyzer() -> None:
    coached = asked("5c 6d", "2h", gone="Kc Kd Kh Ks Jc Jd")
    advice = advise(coached)
    this = hand_values(RULES, "5c 6d", "2h", coached.hand.unseen)
    fresh = hand_values(RULES, "5c 6d", "2h")
    assert [(c.action, c.ev) for c in advice.shoe.choices] == [
        (found.action, found.ev) for found in this.actions
    ]
    assert [(c.action, c.ev) for c in advice.fresh.choices] == [
        (found.action, found.ev) for found in fresh.actions
    ]
    assert advice.shoe.unseen == advice.fresh.unseen - 6
    assert advice.shoe.choices != advice.fresh.choices


def test_the_chosen_action_is_priced() -> None:
    advice = advise(asked("Kc 6d", "7h", base=2500))
    best, worst = advice.shoe.choices[0], advice.shoe.choices[-1]
    good = advice.done_data(best.action)
    assert (good["cost"], good["cents"]) == (0.0, 0)
    assert good["sentence"] == f"{best.action.capitalize()} was the best choice."
    bad = advice.done_data(worst.action)
    assert bad["cents"] == round(2500 * worst.cost)
    assert f"{best.action} was best" in str(bad["sentence"])
    with pytest.raises(CardError, match="one of the hand's choices"):
        advice.done_data("pray")


def test_a_double_for_less_is_priced_at_its_amount() -> None:
    coached = asked("9c 7h", "Kd", base=2500)
    less = value_choices(replace(coached.hand, added=50))
    advice = replace(advise(coached), less=less)
    worth = next(choice.ev for choice in less.choices if choice.action == "double")
    done = advice.done_data("double")
    assert done["cost"] == advice.shoe.choices[0].ev - worth
    full = advise(coached).done_data("double")
    assert isinstance(full["cost"], float)
    assert full["cost"] > 0.4 > 0.02 > done["cost"]
    assert advice.done_data("hit") == advise(coached).done_data("hit")


def test_insurance_is_valued_by_the_unseen_cards() -> None:
    coached = replace(asked("5c 6d", "Ah", base=1000), asks=PromptType.INSURANCE)
    poor = advise(coached)
    assert [choice.action for choice in poor.shoe.choices] == ["decline", "insure"]
    assert "breaking even takes" in poor.shoe.why
    small = " ".join(f"{rank}{suit}" for rank in "23456789" for suit in "cdhs")
    rich = advise(
        replace(asked("5c 6d", "Ah", gone=" ".join([small] * 5)), asks=PromptType.INSURANCE)
    )
    assert rich.shoe.choices[0].action == "insure"
    assert rich.fresh == poor.fresh


@pytest.mark.parametrize("up", ["7h", "Kd", "Ad"])
def test_taking_and_doubling_a_blackjack_are_valued(up: str) -> None:
    coached = replace(asked("Ac Kd", up), asks=PromptType.BLACKJACK)
    found = {choice.action: choice for choice in advise(coached).shoe.choices}
    doubled = hand_values(RULES, "Ac Kd", up).actions[1]
    assert doubled.action == "double"
    unseen = coached.hand.unseen
    completes = {"7h": range(0), "Kd": range(4), "Ad": range(40, 52)}[up]  # aces; faces
    met = sum(unseen[card] for card in completes) / sum(unseen)
    assert found["take"].ev == 1.5
    # If the dealer has a blackjack too, a blackjack that hasn't been doubled is still paid (O-09).
    assert found["keep"].ev == pytest.approx(met * 1.5 + (1 - met) * doubled.ev)
    assert found["keep"].cost == pytest.approx(1.5 - found["keep"].ev)
    checked = advise(replace(coached, asks=PromptType.CHECKED_BLACKJACK)).shoe
    assert checked.choices[1].ev == doubled.ev


def test_the_coach_quotes_cents_per_dollar() -> None:
    advice = advise(asked("5c 6d", "2h", base=1000))
    assert advice.shoe.why.startswith(
        "Doubling wins the most, 34.8¢ per $1 on average. Hitting is 15.2¢ worse."
    )
    sentence = advice.done_data("stand")["sentence"]
    assert sentence == "Stand gives away 70.6¢ per $1, $7.06 on average; double was best."


def test_a_shoe_that_may_run_out_is_reported() -> None:
    unseen = composition_of(parse_cards("2c 3c 4c"))
    hand = ParsedHand(RULES, parse_cards("2d 2h"), parse_card("3d"), unseen)
    advice = advise(HandContext(hand))
    assert advice.shoe.choices == ()
    assert "may run out" in advice.shoe.why
    assert advice.fresh.choices
    assert isinstance(advice, Advice)


def test_nothing_is_coached_without_a_decision() -> None:
    moment = next(iter(paused_rounds(RULES, seed=1, rounds=1)))
    seen = view(moment.state, EVERYONE)
    with pytest.raises(NothingToCoach):
        coached_hand(RULES, seen, (), spot=99)
    assert view(moment.state, DEALER).dealer[1] is not None


# --- at a table -------------------------------------------------------------------------------


def test_a_live_shoe_knows_the_cards_seen_before_this_round() -> None:
    context = ShoeContext("h1", "t1", 1, "example", Pack.SPANISH, 8, 3, 75)
    shoe = LiveShoe(context, bytes(32), bytes(32))
    generator = random.Random(4)
    seen: list[int] = []
    for _ in range(4):
        assert shoe.copy().seen_before == tuple(seen)
        wagers = [random_wagers(RULES, spot, generator) for spot in (1, 2)]
        events = deal_round(RULES, shoe, wagers, RandomPlayer(generator))
        assert shoe.seen_before == tuple(seen)  # the cards of this round are still on the table
        shoe.begin_round()
        dealt = [event.card for event in events if isinstance(event, CardDealt)]
        seen += [card for card in dealt if card is not None]
    assert len(seen) > 20


# --- over HTTP --------------------------------------------------------------------------------

QUESTION = {"rules": "wsgc-2021", "cards": [16, 21], "up": 6, "seen": [48, 49], "base": 2500}


def test_the_service_gives_the_same_advice(house: House) -> None:
    with house.served.client(house.tokens["player"]) as client:
        answer = client.post("/coach/hand", json={**QUESTION, "done": "stand"})
        again = client.post("/coach/hand", json={**QUESTION, "done": "hit"})
    assert answer.status_code == 200, answer.text
    cards, up = (16, 21), 6
    unseen = list(fresh_composition(RULES))
    for card in (*cards, up, 48, 49):
        unseen[card] -= 1
    hand = ParsedHand(RULES, cards, up, tuple(unseen), base=2500)
    advice = advise(HandContext(hand))
    cell = {"section": "hard", "row": "11", "column": 0}
    assert answer.json() == finite({**advice.as_data("stand"), "cell": cell})
    assert again.json() == finite({**advice.as_data("hit"), "cell": cell})


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"cards": [16]}, "bad_request"),
        ({"cards": [16, 52]}, "bad_request"),
        ({"rules": "/etc/passwd.toml"}, "bad_rules"),
        ({"rules": "no-such-rules"}, "bad_rules"),
        ({"seen": [16] * 9}, "bad_card"),
        ({"cards": [36, 40]}, "bad_card"),
        ({"doublings": 2}, "bad_rules"),
        ({"done": "pray"}, "bad_card"),
        ({"asks": "insurance"}, "nothing_to_coach"),
        ({"asks": "blackjack"}, "nothing_to_coach"),
        ({"asks": "weather"}, "bad_request"),
    ],
)
def test_bad_queries_are_reported(house: House, change: dict[str, object], code: str) -> None:
    with house.served.client(house.tokens["guest"]) as client:
        answer = client.post("/coach/hand", json=QUESTION | change)
    assert answer.status_code in (409, 422)
    assert answer.json()["code"] == code, answer.text
