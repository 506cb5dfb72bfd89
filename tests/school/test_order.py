"""Every order that the documents leave open is accepted; others are refused with their rule."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from tests import IS_SOAK
from ventiuna.engine.events import Place, Wager, WagerSettled
from ventiuna.rules import load_rules
from ventiuna.school.lessons import (
    Attempt,
    Lesson,
    LessonRound,
    StepFault,
    grade_step,
    make_lesson,
    open_steps,
)
from ventiuna.school.procedure import (
    OPEN,
    OpenOrder,
    RoundPart,
    open_between,
    part_of,
    reason_before,
)
from ventiuna.school.scenarios import INSURE, NO_INSURANCE, Script, ScriptedHand
from ventiuna.school.step_text import describe_step
from ventiuna.school.steps import DealerStep, StepKind, correct_input
from ventiuna.school.training import LEVELS, Level, TrainingRound, training_round
from ventiuna.school.views import buttons_data, lesson_felt

by_level = pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
LONG = 20  # steps; longer rounds aren't tested from every step
EVERYTHING = (
    "wsgc-2021(mtd_configuration=4,bonus_cards=2,jackpots=3c:1:seed=1000+4d:1:wager=5:seed=10000)"
)
# Rounds that need everything at once, unlike those of any real level.
OWN = Level(
    "order",
    "Order",
    "",
    EVERYTHING,
    (
        Script(
            "A Super Bonus and an award in one round",
            (
                ScriptedHand("7x 7x 7x", ("hit",), 25, ("up", "b1")),
                ScriptedHand("7y 7y", ("stand",), 10, ("j1", "j2")),
            ),
            "7y F*",
        ),
        Script(
            "Two paid blackjacks without insurance and one with it",
            (
                ScriptedHand("A* F*", (NO_INSURANCE,)),
                ScriptedHand("A* F*", (NO_INSURANCE,), 10, ("down",)),
                ScriptedHand("A* F*", (INSURE,)),
            ),
            "A* 8*",
        ),
        Script(
            "A draw with side wagers that wait for the down card",
            (
                ScriptedHand("F* 8*", ("stand",), 10, ("down", "j2")),
                ScriptedHand("F* 9*", ("stand",), 10, ("j2",)),
            ),
            "6* 2* 2* 8*",
        ),
    ),
    spots=4,
    deals=True,
    side_wagers=0.6,
)


def rounds_of(
    level: Level, rules: str = "", seed: int = 3, supervised: bool = False
) -> Iterator[TrainingRound]:
    used = load_rules(rules or level.rules)
    for number in range(1, len(level.scripts_for(used)) + 1):
        yield training_round(level, used, seed, number, supervised)


def attempts(steps: Sequence[DealerStep]) -> list[Attempt]:
    return [Attempt(correct_input(step), 1000) for step in steps]


# --- open orders ------------------------------------------------------------------------------


@by_level
def test_any_allowed_order_is_right_and_pays_the_same(
    level: Level,
) -> None:
    lesson = make_lesson(level.id, None, 11)
    for number in range(1, min(8, len(level.scripts_for(lesson.rules))) + 1):
        check_any_order(lesson, number)


@pytest.mark.parametrize("supervised", [False, True])
def test_any_open_order_in_rounds_with_everything(supervised: bool) -> None:
    lesson = Lesson(OWN, load_rules(OWN.rules), 3, supervised=supervised)
    for number in range(1, 4):
        check_any_order(lesson, number)


def check_any_order(lesson: Lesson, number: int) -> None:
    chance = random.Random(f"{lesson.level.id} {number}")
    played = LessonRound(lesson, number)
    while played.due is not None:
        step = chance.choice(played.allowed)
        assert played.attempt(Attempt(correct_input(step))).right
    assert all(mark.right for mark in played.marks)
    usual = LessonRound(lesson, number, attempts(lesson.round(number).steps))
    ended, expected = played.state(), usual.state()
    assert [meter.cents for meter in ended.meters] == [meter.cents for meter in expected.meters]
    assert ended.stage is expected.stage
    assert ended.dealer == expected.dealer
    for spot, other in zip(ended.order, expected.order, strict=True):
        assert spot.originals == other.originals
        assert [hand.cards for hand in spot.hands] == [hand.cards for hand in other.hands]
        assert [hand.result for hand in spot.hands] == [hand.result for hand in other.hands]


@pytest.mark.parametrize(
    "opening",
    [one for one in OPEN if one.one is not RoundPart.WATCH],  # it needs a step between: see below
    ids=lambda one: f"{one.one} and {', '.join(sorted(one.others))}",
)
def test_both_orders_of_open_steps_are_accepted(opening: OpenOrder) -> None:
    """R-026, R-028, R-030, R-031, R-034, R-072 to R-074, R-078 to R-081, R-095, R-096, D-05, D-25:
    do the later of the two first and cite its rule."""
    level, training, first, second = next(pairs_of(opening))
    steps = training.steps
    others = [*steps[:first], *steps[first + 1 : second], *steps[second + 1 :]]
    lesson = Lesson(level, training.rules, 3, supervised=training.supervised)
    played = LessonRound(lesson, training.number)
    for step in others[:first]:
        assert played.attempt(Attempt(correct_input(step))).right
    told = played.attempt(Attempt(correct_input(steps[second])))
    assert told.right
    assert all(number in told.note for number in opening.numbers(training.rules))
    for step in (steps[first], *others[first:]):
        assert played.attempt(Attempt(correct_input(step))).right
    assert played.due is None
    assert all(mark.right for mark in played.marks)


def pairs_of(opening: OpenOrder) -> Iterator[tuple[Level, TrainingRound, int, int]]:
    """Pairs of steps where the second is already possible when the first is due."""
    for level, supervised in ((OWN, False), *((level, False) for level in LEVELS), (OWN, True)):
        for training in rounds_of(level, supervised=supervised):
            for second, step in enumerate(training.steps):
                part = part_of(step)
                if part not in (opening.one, *opening.others):
                    continue
                for first in range(second):
                    if training.earlier[second] <= set(range(first)) and is_of(
                        opening, training, training.steps[first], step
                    ):
                        yield level, training, first, second


def is_of(opening: OpenOrder, training: TrainingRound, one: DealerStep, other: DealerStep) -> bool:
    parts = {part_of(one), part_of(other)}
    fits = any(parts == {opening.one, another} for another in opening.others)
    numbers, own = open_between(training.rules, one, other), opening.numbers(training.rules)
    return fits and numbers[-len(own) :] == own


# --- prescribed orders ------------------------------------------------------------------------


@pytest.mark.parametrize("supervised", [False, True], ids=["", "supervised"])
@pytest.mark.parametrize("level", [OWN, *LEVELS], ids=lambda level: level.id)
def test_a_prescribed_order_is_enforced_with_its_rule(level: Level, supervised: bool) -> None:
    for training in rounds_of(level, supervised=supervised):
        steps = training.steps
        every = 1 if IS_SOAK or len(steps) < LONG else 4
        for count in range(training.number % every, len(steps), every):
            done = set(range(count))
            places = open_steps(training, done)
            assert places[0] == count
            may_come = {correct_input(steps[place]) for place in places}
            for place in range(count, len(steps)):
                tried = correct_input(steps[place])
                judged = grade_step(training, done, tried)
                if tried in may_come:
                    assert judged.fault is None
                else:
                    assert judged.fault is not None
                    assert judged.place in places
                    assert judged.reason is not None
                    assert judged.reason.numbers
                    assert judged.reason.sentence.endswith(".")


@pytest.mark.parametrize(
    ("earlier", "later", "rule", "rules"),
    [
        (RoundPart.CLOSE, RoundPart.DEAL, "R-102", ""),
        (RoundPart.DEAL, RoundPart.BONUS_CARDS, "R-026", ""),
        (RoundPart.BONUS_CARDS, RoundPart.UP_WAGER, "R-027", ""),
        (RoundPart.UP_WAGER, RoundPart.LOCK, "R-028", ""),
        (RoundPart.UP_WAGER, RoundPart.ASK_BLACKJACKS, "R-079", ""),
        (RoundPart.BONUS_WAGER, RoundPart.LOCK, "R-028", ""),
        (RoundPart.BONUS_WAGER, RoundPart.PLAY, "R-080", ""),
        (RoundPart.FIXED_LINE, RoundPart.PLAY, "R-096", ""),
        (RoundPart.LOCK, RoundPart.PLAY, "R-028", ""),
        (RoundPart.SUPERVISOR, RoundPart.PLAY, "R-072", ""),
        (RoundPart.ASK_BLACKJACKS, RoundPart.BLACKJACK, "R-032", ""),
        (RoundPart.BLACKJACK, RoundPart.INSURANCE, "R-031", ""),
        (RoundPart.BLACKJACK, RoundPart.LOOK, "R-030", ""),
        (RoundPart.INSURANCE, RoundPart.LOOK, "R-034", ""),
        (RoundPart.AWAY, RoundPart.LOOK, "R-031", ""),
        (RoundPart.LOOK, RoundPart.PLAY, "R-033", ""),
        (RoundPart.AFTER_LOOK, RoundPart.PLAY, "R-034", ""),
        (RoundPart.PLAY, RoundPart.PLAY, "R-102", ""),
        (RoundPart.PLAY, RoundPart.EXPOSE, "R-077", ""),
        (RoundPart.EXPOSE, RoundPart.DRAW, "R-077", ""),
        (RoundPart.EXPOSE, RoundPart.DOWN_WAGER, "R-077", ""),
        (RoundPart.DRAW, RoundPart.HAND, "R-077", ""),
        (RoundPart.DRAW, RoundPart.DOWN_WAGER, "R-081", "wsgc-spanish-21"),
        (RoundPart.HAND, RoundPart.AWARD, "R-096", ""),
        (RoundPart.HAND, RoundPart.SUPER, "R-072", ""),
        (RoundPart.DOWN_WAGER, RoundPart.SUPER, "R-072", ""),
        (RoundPart.DOWN_LINE, RoundPart.SUPER, "R-072", ""),
        (RoundPart.AWARD, RoundPart.AWARD, "R-095", ""),
        (RoundPart.AWARD, RoundPart.COLLECT, "R-096", ""),
        (RoundPart.SUPER, RoundPart.ENVY, "R-076", ""),
        (RoundPart.ENVY, RoundPart.COLLECT, "R-073", ""),
        (RoundPart.INSURANCE, RoundPart.BLACKJACK, "R-115", "super-fun-21(decks=2)"),
        (RoundPart.BLACKJACK, RoundPart.LOOK, "R-115", "super-fun-21(decks=2)"),
        (RoundPart.LOOK, RoundPart.PLAY, "R-109", "super-fun-21(decks=2)"),
        (RoundPart.EXPOSE, RoundPart.DRAW, "R-117", "super-fun-21(decks=2)"),
    ],
)
def test_a_forbidden_order_cites_the_rule_of_the_documents(
    earlier: RoundPart, later: RoundPart, rule: str, rules: str
) -> None:
    training, first, second = next(ordered_pairs(earlier, later, rules))
    steps = training.steps
    told = reason_before(training.rules, steps[first], steps[second])
    assert rule in told.numbers
    judged = grade_step(training, set(range(first)), correct_input(steps[second]))
    assert judged.fault is not None
    assert judged.reason is not None
    assert judged.place == first


@pytest.mark.parametrize(
    ("winners", "says"),
    [
        ("each_in_full", "each with its full share of the posted amount."),
        ("in_sequence", "each from what the previous one left."),
    ],
)
def test_the_order_of_house_jackpot_awards_cites_its_own_reading(winners: str, says: str) -> None:
    """O-39: R-095 applies only to progressives."""
    house = f"kind=house:seed=100000:winners={winners}"
    rules = f"wsgc-2021(mtd_configuration=0,jackpots=3c:1:{house}+4d:1:{house})"
    level = next(level for level in LEVELS if level.id == "jackpots")
    training = next(
        one
        for one in rounds_of(level, rules)
        if sum(part_of(step) is RoundPart.AWARD for step in one.steps) >= 4
    )
    awards = [step for step in training.steps if part_of(step) is RoundPart.AWARD]
    first, of_next_game = awards[:2]
    of_next_spot = next(step for step in awards[1:] if step.wager is first.wager)
    told = reason_before(training.rules, first, of_next_spot)
    assert told.numbers == ("O-39",)
    assert told.sentence == f"Awards are paid from your left, {says}"
    assert open_between(training.rules, first, of_next_game) == ("O-39", "O-28")


def ordered_pairs(
    earlier: RoundPart, later: RoundPart, rules: str
) -> Iterator[tuple[TrainingRound, int, int]]:
    for level in (OWN, *LEVELS) if not rules else (LEVELS[-1], LEVELS[3], OWN):
        for training in rounds_of(level, rules):
            parts = [part_of(step) for step in training.steps]
            for second, part in enumerate(parts):
                for first in sorted(training.earlier[second]):
                    if (parts[first], part) == (earlier, later):
                        tried = [correct_input(training.steps[place]) for place in (first, second)]
                        if tried[0] != tried[1]:
                            yield training, first, second


def test_down_card_wagers_are_settled_when_the_document_says() -> None:
    """R-081, D-05: at exposure only if the document says so; with the hands under all documents."""
    for rules, at_exposure in (("wsgc-spanish-21", False), ("wsgc-2021", True)):
        training = next(
            one
            for one in rounds_of(OWN, f"{rules}(mtd_configuration=2)", seed=5)
            if any(step.place is Place.DEALER for step in one.steps)
            and any(part_of(step) is RoundPart.DOWN_WAGER for step in one.steps)
        )
        parts = [part_of(step) for step in training.steps]
        down = parts.index(RoundPart.DOWN_WAGER)
        after_expose = set(range(parts.index(RoundPart.EXPOSE) + 1))
        assert (down in open_steps(training, after_expose)) is at_exposure
        after_draw = {place for place, part in enumerate(parts) if part is RoundPart.DRAW}
        assert down in open_steps(training, after_expose | after_draw)


def test_the_up_card_wager_of_a_spot_comes_before_its_bonus_card_wagers() -> None:
    """R-079 and R-080: spot by spot is fine, but each spot's Up Card wager comes first."""
    training, first, second = next(
        (training, first, second)
        for training in rounds_of(OWN)
        for first, up in enumerate(training.steps)
        if part_of(up) is RoundPart.UP_WAGER
        for second, bonus in enumerate(training.steps)
        if part_of(bonus) is RoundPart.BONUS_WAGER and bonus.spot == up.spot
    )
    done = set(range(first))
    judged = grade_step(training, done, correct_input(training.steps[second]))
    assert judged.reason is not None
    assert judged.reason.numbers == ("R-079",)
    assert grade_step(training, done | {first}, correct_input(training.steps[second])).fault is None


def test_other_documents_prescribe_the_order_of_the_deal() -> None:
    """R-026, D-20: only document 003 lets the house choose when the dealer gets their own cards."""
    for rules, is_open in (("wsgc-2021", True), ("casino-card", False)):
        training = next(rounds_of(LEVELS[0], rules))
        up = next(n for n, step in enumerate(training.steps) if step.place is Place.UP)
        judged = grade_step(training, {0}, correct_input(training.steps[up]))
        assert (judged.fault is None) is is_open
        down = next(n for n, step in enumerate(training.steps) if step.place is Place.DOWN)
        judged = grade_step(training, {0}, correct_input(training.steps[down]))
        assert judged.fault is not None


# --- the sequence that the house determines ----------------------------------------------------

HOUSE_ORDER = "deal_order=down_card_first,spots_settled=from_right,bonus_order=wager_by_wager"


def test_r123_rounds_in_the_houses_order_are_right() -> None:
    rules = load_rules(EVERYTHING.replace(")", f",{HOUSE_ORDER})"))
    lesson = Lesson(OWN, rules, 3)
    for number in range(1, 4):
        check_any_order(lesson, number)


def test_r123_a_down_card_dealt_first_lies_on_the_learners_felt() -> None:
    rules = load_rules(EVERYTHING.replace(")", ",deal_order=down_card_first)"))
    played = LessonRound(Lesson(OWN, rules, 3), 1)
    seen = []
    while played.due is not None and part_of(played.due) in (RoundPart.CLOSE, RoundPart.DEAL):
        assert played.attempt(Attempt(correct_input(played.due))).right
        seen.append(lesson_felt(played).data()["dealer"])
    assert [None] in seen
    up, *rest = seen[-1]
    assert up is not None
    assert rest == [None]


@pytest.mark.parametrize(
    ("part", "sequence", "sentence"),
    [
        (RoundPart.BONUS_WAGER, "bonus_order=wager_by_wager", "all wagers on one Bonus Card"),
        (RoundPart.UP_WAGER, "spots_settled=from_right", "from your right to your left"),
        (RoundPart.HAND, "spots_settled=from_right", "from your right to your left"),
        (RoundPart.DEAL, "deal_order=dealer_last", "Then deal your up card"),
    ],
)
def test_r123_a_sequence_that_the_house_has_set_is_enforced(
    part: RoundPart, sequence: str, sentence: str
) -> None:
    rules = EVERYTHING.replace(")", f",{sequence})")
    found = []
    for training in rounds_of(OWN, rules):
        places = [n for n, step in enumerate(training.steps) if part_of(step) is part]
        for earlier, later in pairwise(places):
            judged = grade_step(training, set(range(earlier)), correct_input(training.steps[later]))
            if judged.reason is not None and "R-123" in judged.reason.numbers:
                found.append(judged.reason.sentence)
    assert found
    assert all(sentence in text for text in found)


# --- mistakes belong to the intended step ------------------------------------------------------


def test_a_wrong_amount_on_an_open_wager_is_reported_for_that_wager() -> None:
    lesson = make_lesson("match-the-dealer", None, 3)
    training = lesson.round(1)
    ups = [step for step in training.steps if part_of(step) is RoundPart.UP_WAGER]
    assert len(ups) > 1
    last = ups[-1]
    played = LessonRound(lesson, 1)
    wrong_kind = StepKind.PAY if last.kind is StepKind.TAKE else StepKind.TAKE
    wrong = correct_input(last)
    tried = type(wrong)(wrong_kind, wrong.spot, wrong.hand, None, wrong.wager, 1)
    told = played.attempt(Attempt(tried))
    assert told.fault is StepFault.KIND
    assert told.sentence.startswith("Right wager, but it is not ")
    assert played.attempt(Attempt(correct_input(ups[0]))).right
    assert played.marks[0].misses == 0
    assert played.attempt(Attempt(correct_input(last))).right
    assert played.marks[1].misses == 1


def test_an_exam_does_the_intended_step() -> None:
    lesson = make_lesson("match-the-dealer", None, 3, exam=True)
    ups = [step for step in lesson.round(1).steps if part_of(step) is RoundPart.UP_WAGER]
    last = correct_input(ups[-1])
    wrong = type(last)(last.kind, last.spot, last.hand, None, last.wager, 1)
    played = LessonRound(lesson, 1, [Attempt(wrong)])
    assert played.marks[0].step is ups[-1]
    assert played.marks[0].fault is StepFault.AMOUNT
    assert played.due is ups[0]


def test_a_missing_wager_is_never_due() -> None:
    lesson = make_lesson("match-the-dealer", None, 3)
    played = LessonRound(lesson, 1)
    first = correct_input(played.allowed[0])
    nowhere = type(first)(first.kind, 7, first.hand, None, first.wager, 500)
    told = played.attempt(Attempt(nowhere))
    assert told.sentence == "No such step is due there now."


# --- a table that requires a supervisor -------------------------------------------------------


def super_bonus_round(rules: str, supervised: bool) -> tuple[Lesson, TrainingRound]:
    lesson = make_lesson("bonuses", load_rules(rules), 3, supervised=supervised)
    rounds = map(lesson.round, range(1, len(lesson.level.scripts_for(lesson.rules)) + 1))
    return lesson, next(
        one for one in rounds if any(step.wager is Wager.SUPER for step in one.steps)
    )


@pytest.mark.parametrize(
    ("rules", "person"), [("catfish-bend", "supervisor"), ("wsgc-2021", "floor person")]
)
def test_the_supervisor_watches_instructs_and_authorizes(rules: str, person: str) -> None:
    """R-072, R-076, R-121: the Super Bonus procedure of document 002, in its order."""
    lesson, training = super_bonus_round(rules, supervised=True)
    spot = next(step.spot for step in training.steps if step.wager is Wager.SUPER)
    told = [describe_step(lesson.rules, step) for step in training.steps]
    procedure = [
        f"Stop play and call the {person}: spot {spot} may make the Super Bonus.",
        f"Wait until the {person} is there to watch.",
        f"Give a card to spot {spot} while the {person} watches.",
        f"on spot {spot} and leave the hand on the table, as the {person} instructs.",
        f"Wait until the {person} authorizes the payments.",
        f"for the Super Bonus on spot {spot}.",
        f"as the {person} instructs.",  # the Envy Bonuses
        "Collect the cards.",
    ]
    for words in procedure:
        assert any(words in text for text in told), words
        told = told[next(place for place, text in enumerate(told) if words in text) + 1 :]
    assert not told


def test_a_supervisor_changes_no_payment() -> None:
    _, usual = super_bonus_round("catfish-bend", supervised=False)
    _, supervised = super_bonus_round("catfish-bend", supervised=True)
    assert not any(step.supervised or step.kind is StepKind.WAIT for step in usual.steps)
    assert [event for event in supervised.events if isinstance(event, WagerSettled)] == [
        event for event in usual.events if isinstance(event, WagerSettled)
    ]


@pytest.mark.parametrize(
    ("wait", "early", "rules"),
    [
        (RoundPart.SUPERVISOR, RoundPart.WATCH, ("R-072",)),
        (RoundPart.WATCH, RoundPart.PLAY, ("R-072", "R-121")),
        (RoundPart.AUTHORIZE, RoundPart.SUPER, ("R-121",)),
        (RoundPart.AUTHORIZE, RoundPart.ENVY, ("R-121",)),
        (RoundPart.SUPER, RoundPart.ENVY, ("R-072", "R-076")),
    ],
)
def test_a_step_before_the_supervisor_is_a_mistake(
    wait: RoundPart, early: RoundPart, rules: tuple[str, ...]
) -> None:
    """R-072, R-076, R-121"""
    lesson, training = super_bonus_round("catfish-bend", supervised=True)
    parts = [part_of(step) for step in training.steps]
    due, tried = parts.index(wait), training.steps[parts.index(early)]
    played = LessonRound(lesson, training.number, attempts(training.steps[:due]))
    verdict = played.attempt(Attempt(correct_input(tried)))
    assert (verdict.right, verdict.rules) == (False, rules)
    for attempt in attempts(training.steps[due:]):
        played.attempt(attempt)
    assert played.due is None
    assert [mark.right for mark in played.marks].count(False) == 1


def test_the_supervisor_may_be_there_before_the_side_wagers_are_settled() -> None:
    """R-072: the call is first, and the Up Card wagers wait."""
    lesson = Lesson(OWN, load_rules(OWN.rules), 3, supervised=True)
    numbers = range(1, len(OWN.scripts) + 1)
    training = next(
        one
        for one in map(lesson.round, numbers)
        if {RoundPart.WATCH, RoundPart.UP_WAGER} <= set(map(part_of, one.steps))
    )
    dealt = (RoundPart.CLOSE, RoundPart.DEAL, RoundPart.BONUS_CARDS)
    first = [step for step in training.steps if part_of(step) in dealt]
    first += [step for step in training.steps if part_of(step) is RoundPart.SUPERVISOR]
    first += [step for step in training.steps if part_of(step) is RoundPart.WATCH]
    rest = [step for step in training.steps if step not in first]
    played = LessonRound(lesson, training.number, attempts([*first, *rest]))
    assert played.due is None
    assert all(mark.right for mark in played.marks)


def test_only_a_supervised_lesson_has_the_waiting_step() -> None:
    for supervised in (False, True):
        lesson, training = super_bonus_round("catfish-bend", supervised)
        kinds = {button["kind"] for button in buttons_data(lesson)}
        assert (StepKind.WAIT in kinds) is supervised
        assert {str(step.kind) for step in training.steps} <= kinds
