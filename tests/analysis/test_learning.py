"""Priced decisions, reviewed rounds and drills, compared with advice given during the round."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests import IS_SOAK
from ventiuna.analysis.base_game.queries import ParsedHand
from ventiuna.analysis.coaching import (
    DRILLED,
    DecisionCategory,
    NothingToCoach,
    PromptType,
    advise,
    category_of,
    cell_of,
    coached_hand,
    item_label,
    item_of,
    shape_of,
    shape_of_item,
)
from ventiuna.analysis.drills import Situation, deal_drill, drill_of
from ventiuna.analysis.figures import house_edge
from ventiuna.analysis.review import (
    Decision,
    ReviewRound,
    ScoredDecision,
    StakedWager,
    decisions_of,
    expected,
    review,
    score_decision,
    variances,
)
from ventiuna.analysis.side_bets.jackpots import jackpot_report
from ventiuna.analysis.side_bets.match_the_dealer import match_wager
from ventiuna.cards import CardError, parse_card, parse_cards
from ventiuna.core.cards import rank_of
from ventiuna.engine import commands as do
from ventiuna.engine.chips import Chips
from ventiuna.engine.commands import Command
from ventiuna.engine.dealing import ListSource, Player, finish_round
from ventiuna.engine.decide import execute
from ventiuna.engine.events import Event, Wager
from ventiuna.engine.options import ActionOption
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    Waiting,
)
from ventiuna.engine.state import RoundState
from ventiuna.engine.views import EVERYONE, view
from ventiuna.rules import Rules, load_rules
from ventiuna.strategy.players import RandomPlayer

RULES = load_rules("wsgc-2021(double_double=on)")
ROUNDS = 30 if IS_SOAK else 8


def shuffled(rules: Rules, seed: int) -> list[int]:
    cards = [card for card in rules.pack.cards for _ in range(rules.decks)]
    random.Random(seed).shuffle(cards)
    return cards


def played(
    rules: Rules, player: Player, seed: int, bases: tuple[int, ...] = (2000,)
) -> list[Event]:
    state = RoundState(rules)
    for spot, base in enumerate(bases, start=1):
        execute(state, do.PlaceWagers(spot, base, person=str(spot % 2)))
    return finish_round(state, ListSource(shuffled(rules, seed)), player)


def priced(rules: Rules, events: list[Event], spots: set[int]) -> list[ScoredDecision]:
    decision = decisions_of(RoundState(rules), rules, events, spots)
    return [one for one in map(score_decision, decision) if one is not None]


@pytest.mark.parametrize("name", ["wsgc-2021(double_double=on)", "super-fun-21"])
def test_a_decision_costs_what_the_coach_said_at_the_time(name: str) -> None:
    rules = load_rules(name)
    found = 0
    for seed in range(ROUNDS):
        told: list[tuple[int, str, float]] = []
        chance = RandomPlayer(random.Random(seed))

        def watched(
            state: RoundState,
            wanted: Waiting,
            told: list[tuple[int, str, float]] = told,
            chance: Player = chance,
        ) -> Command:
            command = chance(state, wanted)
            if isinstance(wanted, DecisionWanted) and getattr(command, "amount", None) is None:
                advice = advise(coached_hand(rules, view(state, EVERYONE)))
                assert isinstance(command, HandCommand)
                name = ACTION_NAMES_OF[type(command)]
                costs = {one.action: one.cost for one in advice.shoe.choices}
                if len(costs) > 1:
                    told.append((wanted.spot, name, costs[name]))
            return command

        events = played(rules, watched, seed, (2000, 5000))
        mine = [
            (one.decision.spot, one.decision.done, one.cost)
            for one in priced(rules, events, {1, 2})
            if one.decision.coached.asks is PromptType.DECISION and not one.decision.amount
        ]
        assert mine == told
        found += len(mine)
    assert found > 1.6 * ROUNDS


HandCommand = do.Stand | do.Hit | do.Double | do.DoubleDouble | do.Split | do.Surrender | do.Rescue
ACTION_NAMES_OF: dict[type[HandCommand], str] = {
    do.Stand: "stand",
    do.Hit: "hit",
    do.Double: "double",
    do.DoubleDouble: "double-double",
    do.Split: "split",
    do.Surrender: "surrender",
    do.Rescue: "rescue",
}


def test_following_the_coach_makes_no_mistakes() -> None:
    commands = {name: kind for kind, name in ACTION_NAMES_OF.items()}

    def follows(state: RoundState, wanted: Waiting) -> Command:
        if isinstance(wanted, DecisionWanted):
            best = advise(coached_hand(RULES, view(state, EVERYONE))).shoe.choices[0].action
            return commands[best](wanted.spot)
        if isinstance(wanted, InsuranceAnswersWanted):
            return do.Insure(wanted.spots[0], 0)
        assert isinstance(wanted, BlackjackAnswersWanted)
        return do.TakeBlackjack(wanted.spots[0])

    decided = [
        one
        for seed in range(ROUNDS)
        for one in priced(RULES, played(RULES, follows, seed), {1})
        if one.kind is not DecisionCategory.INSURANCE
    ]
    assert len(decided) > 0.6 * ROUNDS
    assert not any(one.is_mistake for one in decided)


def decision(cards: str, up: str, done: str, amount: int = 0, rules: Rules = RULES) -> Decision:
    situation = Situation(
        parse_cards(cards), parse_card(up), insurance=done in ("insure", "decline")
    )
    drill = drill_of(rules, situation)
    hand = replace(drill.coached.hand, base=2000)
    return Decision(0, 1, 0, replace(drill.coached, hand=hand), done, amount)


def ev_of_double(asked: ParsedHand) -> float:
    return next(one.ev for one in asked.values().actions if one.action == "double")


def test_a_double_for_less_costs_the_value_of_the_amount_left_out() -> None:
    rules = load_rules("wsgc-2021(double_for_less=on)")
    full = score_decision(decision("5c 6d", "2h", "double", rules=rules))
    less = score_decision(decision("5c 6d", "2h", "double", 500, rules))
    assert full is not None
    assert less is not None
    assert full.cost == 0
    asked = less.decision.coached.hand
    of_less = ev_of_double(replace(asked, added=500))
    assert less.cost == pytest.approx(ev_of_double(asked) - of_less)
    assert less.cost > 0.1


def test_insurance_is_priced_by_the_part_that_was_taken() -> None:
    none = score_decision(decision("9c 9d", "Ah", "decline"))
    half = score_decision(decision("9c 9d", "Ah", "insure", 500))
    full = score_decision(decision("9c 9d", "Ah", "insure", 1000))
    assert none is not None
    assert half is not None
    assert full is not None
    assert none.cents == 0
    assert full.cents == pytest.approx(2 * half.cents)
    assert full.cents > 0


def test_a_review_covers_only_one_person() -> None:
    events = played(RULES, RandomPlayer(random.Random(4)), 4, (2000, 5000, 3000))
    chips = Chips()
    for event in events:
        chips.add(event)
    meters = tuple((meter.cents, meter.remainder) for meter in RoundState(RULES).meters)
    odd = review(ReviewRound(RULES, tuple(events), meters, "1", ()))
    even = review(ReviewRound(RULES, tuple(events), meters, "0", ()))
    assert (odd["base"], even["base"]) == (5000, 5000)
    assert odd["net"] == chips.spots[1] + chips.spots[3]
    assert even["net"] == chips.spots[2]
    spots = {decision["spot"] for decision in odd["decisions"]}
    assert spots <= {1, 3}
    assert odd["cost"] == pytest.approx(sum(one["cents"] for one in odd["decisions"]))
    assert odd["wagers"] == [
        {"wager": "hand", "cents": 2000, "meter": 0},
        {"wager": "hand", "cents": 3000, "meter": 0},
    ]


def test_wagers_have_a_mean_and_a_deviation() -> None:
    rules = load_rules("wsgc-2021(jackpots=3c:1:seed=1000)")
    staked = (
        StakedWager(Wager.HAND, 2000),
        StakedWager(Wager.MTD_UP, 500),
        StakedWager(Wager.JACKPOT_1, 100, 500_000),
    )
    report = jackpot_report(rules, 1)
    wanted = (
        -2000 * float(house_edge(rules)),
        -500 * float(match_wager(rules).house_edge),
        -100 * float(report.house_edge_at(500_000)),
    )
    assert expected(rules, staked) == pytest.approx(wanted)
    of_hand, *spread = variances(rules, staked, 1.2)
    assert of_hand == pytest.approx(2400**2)
    assert spread[0] == pytest.approx((500 * float(match_wager(rules).standard_deviation)) ** 2)
    assert spread[1] == pytest.approx(float(report.variance_at(500_000)))


# --- drills -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [None, *DRILLED])
def test_a_hand_of_each_kind_is_dealt_and_dealt_again(kind: DecisionCategory | None) -> None:
    for seed in range(3):
        drill = deal_drill(RULES, kind, random.Random(seed))
        assert kind in (None, category_of(drill.coached, drill.valued))
        assert drill_of(RULES, drill.situation) == drill
        legal = {
            option.name
            for option in drill.options
            if isinstance(option, ActionOption) and option.legal
        }
        if not drill.situation.insurance:
            assert legal == {choice.action for choice in drill.valued.choices}


def test_hands_after_a_split_are_dealt_by_splitting() -> None:
    """The first of three hands: the others have one eight each, and no further split is allowed."""
    situation = Situation(parse_cards("8c 3d"), parse_card("6h"), hands=3)
    drill = drill_of(RULES, situation)
    (spot,) = drill.seen.spots
    assert [len(hand.cards) for hand in spot.hands] == [2, 1, 1]
    assert item_of(drill.coached) == "11 of a split v 6"
    assert drill.kind is DecisionCategory.AFTER_SPLIT
    assert {choice.action for choice in drill.valued.choices} == {"hit", "stand", "double"}
    again = drill_of(RULES, Situation(parse_cards("8c 8d"), parse_card("6h"), hands=2))
    assert "split" in {choice.action for choice in again.valued.choices}


@pytest.mark.parametrize("hand", [0, 1, 2])
def test_any_hand_of_a_split_can_be_drilled(hand: int) -> None:
    """Earlier hands stand on two cards; later hands are still waiting for their second card."""
    cards = parse_cards("8c 3d 2h")
    drill = drill_of(RULES, Situation(cards, parse_card("6h"), hands=3, hand=hand))
    (spot,) = drill.seen.spots
    assert [len(one.cards) for one in spot.hands] == [2] * hand + [3] + [1] * (2 - hand)
    assert spot.hands[hand].cards == cards
    assert all(rank_of(one.cards[0]) == rank_of(cards[0]) for one in spot.hands)
    assert drill.coached.hand.cards == cards
    assert drill.coached.hand.hands == 3
    assert sum(drill.coached.hand.unseen) == 6 * 48 - sum(len(one.cards) for one in spot.hands) - 1
    split_aces = Situation(parse_cards("Ac 4d"), parse_card("9h"), hands=2, hand=1)
    assert drill_of(RULES, split_aces).coached.hand.cards == parse_cards("Ac 4d")


def test_drills_after_a_split_cover_every_hand() -> None:
    asked = {
        deal_drill(RULES, DecisionCategory.AFTER_SPLIT, random.Random(seed)).situation.hand
        for seed in range(12)
    }
    assert {0, 1} <= asked


@pytest.mark.parametrize(
    ("item", "said", "rules"),
    [
        ("14 v 4", "hard 14 against a 4", "wsgc-2021"),
        ("soft 17 v A", "soft 17 against an ace", "wsgc-2021"),
        ("13 doubled 1 v face", "hard 13, doubled once, against a face card", "wsgc-2021"),
        ("soft 18 doubled 2 v 8", "soft 18, doubled twice, against an 8", "wsgc-2021"),
        ("8-8 v face", "a pair of 8s against a face card", "wsgc-2021"),
        ("A-A v 2", "a pair of aces against a 2", "wsgc-2021"),
        ("face-face v 6", "two face cards against a 6", "wsgc-2021"),
        ("face-face v face", "two ten-valued cards against a ten-valued card", "super-fun-21"),
        ("14 in 4 cards v 2", "hard 14, 4 cards, against a 2", "wsgc-2021"),
        ("6-8 draw v 4", "6-8, one card short of a bonus, against a 4", "wsgc-2021"),
        ("11 of a split v 6", "hard 11, after a split, against a 6", "wsgc-2021"),
        (
            "15 doubled 3 of a split v 7",
            "hard 15, doubled three times, after a split, against a 7",
            "wsgc-2021",
        ),
        ("blackjack v 7", "blackjack against a 7", "wsgc-2021"),
        ("insurance", "insurance against an ace", "wsgc-2021"),
    ],
)
def test_a_class_of_hands_is_described_as_players_do(item: str, said: str, rules: str) -> None:
    assert item_label(item, load_rules(rules).pack).full_text == said


def test_keeping_a_blackjack_costs_nothing_until_it_is_doubled() -> None:
    def keeps(state: RoundState, wanted: Waiting) -> Command:
        if isinstance(wanted, BlackjackAnswersWanted):
            return do.KeepBlackjack(1)
        is_doubled = state.spots[1].hands[0].shape.doublings
        return do.Stand(1) if is_doubled else do.Double(1)

    state = RoundState(RULES)
    execute(state, do.PlaceWagers(1, 2000, person="1"))
    cards = parse_cards("Ac 7h Kd 9c 5h 8c")
    events = finish_round(state, ListSource(list(cards)), keeps)
    kept, doubled, *_ = priced(RULES, events, {1})
    assert (kept.decision.done, kept.kind, kept.cost) == ("keep", DecisionCategory.BLACKJACK, 0.0)
    assert kept.best == "take"
    assert (doubled.decision.done, doubled.best) == ("double", "stand")
    assert doubled.cost > 1


def test_rules_without_such_hands_say_so() -> None:
    with pytest.raises(NothingToCoach, match="No such hand occurs"):
        deal_drill(load_rules("blackjack"), DecisionCategory.BONUS_DRAW, random.Random(1))


@pytest.mark.parametrize(
    ("cards", "up", "doublings", "insurance", "error"),
    [
        ("Ah Kh", "7c", 0, False, "has no decision to make"),  # a blackjack is paid, not played
        ("9c 8c 7c 6c", "7c", 0, False, "has no decision to make"),  # bust before its last card
        ("9c 8c", "7c", 1, False, "has no decision to make"),  # doubled with only one card
        ("Ac Kc", "7c", 1, False, "has no decision to make"),  # the double drew no card
        ("Th 2c", "7c", 0, False, "isn't in the Spanish pack"),
        ("9c 8c", "7c", 0, True, "only against an ace"),
    ],
)
def test_an_impossible_hand_is_reported(
    cards: str, up: str, doublings: int, insurance: bool, error: str
) -> None:
    situation = Situation(parse_cards(cards), parse_card(up), doublings, insurance)
    with pytest.raises((NothingToCoach, CardError), match=error):
        drill_of(RULES, situation)


@pytest.mark.parametrize(
    ("cards", "up", "doublings", "item", "section", "row", "column"),
    [
        ("Kc 4d", "4h", 0, "14 v 4", "hard", 14, 2),
        ("8c 6d", "4h", 0, "6-8 draw v 4", "hard", 14, 2),
        ("Ac 6d", "Ah", 0, "soft 17 v A", "soft", 17, 9),
        ("8c 8d", "Kh", 0, "8-8 v face", "pairs", 8, 8),
        ("2c 3d 4h 5c", "2h", 0, "14 in 4 cards v 2", "hard", 14, 0),
        ("5c 6d 4h", "7h", 1, "15 doubled 1 v 7", "doubled.hard", 15, 5),
    ],
)
def test_a_hand_has_its_class_and_its_cell(
    cards: str, up: str, doublings: int, item: str, section: str, row: int, column: int
) -> None:
    drill = drill_of(RULES, Situation(parse_cards(cards), parse_card(up), doublings))
    assert item_of(drill.coached) == item
    cell = cell_of(drill.coached.hand)
    assert (cell.section, cell.row, cell.column) == (section, row, column)


def test_the_class_of_a_hand_says_its_category_by_the_cards() -> None:
    found = set()
    for seed in range(60):
        events = played(RULES, RandomPlayer(random.Random(seed)), seed, (2000, 5000))
        for decision in decisions_of(RoundState(RULES), RULES, events, {1, 2}):
            shape = shape_of(decision.coached)
            assert shape_of_item(item_of(decision.coached)) is shape
            found.add(shape)
    by_values = {DecisionCategory.SURRENDER}
    assert found >= set(DecisionCategory) - by_values - {DecisionCategory.BLACKJACK}
