"""Following every rule earns a full score, and each mistake is reported with its rule."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import IS_SOAK
from tests.property.effort import examples
from tests.property.strategies import attempt, rule_sets
from ventiuna.engine.events import Place, Wager, WagerSettled
from ventiuna.notation import record_of, replay
from ventiuna.rules import Rules, load_rules
from ventiuna.school.lessons import (
    Attempt,
    Lesson,
    LessonRound,
    StepFault,
    fault_of,
    lesson_result,
    lesson_result_data,
    make_lesson,
)
from ventiuna.school.procedure import guide_for
from ventiuna.school.step_text import describe_input, describe_step, explain_amount, parse_step
from ventiuna.school.steps import (
    WITH_AMOUNT,
    DealerStep,
    SchoolError,
    StepInput,
    StepKind,
    correct_input,
)
from ventiuna.school.training import LEVELS, Level, TrainingRound, check_rules_for, training_round
from ventiuna.school.views import (
    DeedTarget,
    TrainingFelt,
    buttons_data,
    lesson_round_data,
    levels_data,
)
from ventiuna.texts import finite, json_text

by_level = pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)


def rounds_of(level: Level, seeds: int = 2) -> Iterator[TrainingRound]:
    rules = load_rules(level.rules)
    for seed in range(seeds):
        for number in range(1, len(level.scripts_for(rules)) + 1):
            yield training_round(level, rules, seed, number)


def done(training: TrainingRound, milliseconds: int = 1000) -> list[Attempt]:
    return [Attempt(correct_input(step), milliseconds) for step in training.steps]


# --- the steps match the engine ---------------------------------------------------------------


def check_steps_are_the_engines(training: TrainingRound) -> None:
    """The lesson changes no cards, payments or order: the recorded round replays identically."""
    record = record_of(training.rules, training.events, training.meters)
    assert replay(record).events == list(training.events)
    paid = [event for event in training.events if isinstance(event, WagerSettled)]
    steps = [step for step in training.steps if step.wager is not None]
    assert [(step.spot, step.hand, step.wager) for step in steps] == [
        (event.spot, event.hand, event.wager) for event in paid
    ]
    for step, event in zip(steps, paid, strict=True):
        assert step.back == event.paid
        if step.kind is StepKind.TAKE:
            assert step.amount == event.stake - event.paid
        elif step.wager is not None and step.wager.game:
            assert step.amount == event.paid  # "for": the wager is not returned
        else:
            assert step.amount == event.paid - event.stake


@by_level
def test_steps_match_the_engine_and_following_them_gives_a_perfect_score(level: Level) -> None:
    for training in rounds_of(level):
        check_steps_are_the_engines(training)
    lesson = make_lesson(level.id, None, 7, exam=True)
    rounds = [done(lesson.round(number)) for number in range(1, level.exam_rounds + 1)]
    result = lesson_result(lesson, rounds)
    assert (result.score, result.accuracy, result.passed) == (100, 100.0, True)
    assert result.mistakes == ()


@examples(20)
@given(rule_sets(), st.sampled_from(LEVELS), st.integers(0, 10**6), st.integers(1, 40))
def test_steps_match_the_engine_under_random_rules(
    rules: Rules, level: Level, seed: int, number: int
) -> None:
    refused = attempt(lambda: check_rules_for(level, rules), SchoolError)
    if refused is not None:
        assert str(refused).startswith("The level")
        return
    lesson = Lesson(level, rules, seed)
    training = lesson.round(number)
    check_steps_are_the_engines(training)
    played = LessonRound(lesson, number, done(training))
    assert played.due is None
    assert all(mark.right for mark in played.marks)
    for step in training.steps:
        check_told(rules, step)
        assert any(button["kind"] == step.kind for button in buttons_data(lesson))


def check_told(rules: Rules, step: DealerStep) -> None:
    """Every step has text and a rule with its sentence."""
    about = guide_for(rules, step)
    assert about.rules
    assert all(number[0] in "RDO" and number[1] == "-" for number in about.rules)
    assert about.sentence.endswith(".")
    assert describe_step(rules, step).endswith((".", "?", '."'))
    assert explain_amount(step).endswith(".") == (step.wager is not None)


@by_level
def test_every_seed_covers_what_the_level_teaches(level: Level) -> None:
    taught = set()
    for training in rounds_of(level, seeds=6 if IS_SOAK else 2):
        seen: set[str] = set()
        for step in training.steps:
            seen |= {str(step.kind), step.reason, str(step.wager), *step.rule.split(", ")}
        assert set(training.script.shows) <= seen, training.script.title
        taught.add(training.script.title)
    listed = next(data for data in levels_data() if data["id"] == level.id)["teaches"]
    assert sorted(taught) == sorted(listed)


def test_a_rounds_title_is_shown_only_if_it_is_true() -> None:
    titled = set()
    for training in rounds_of(LEVELS[0], seeds=20):
        if training.script.title.startswith("No hand left"):
            has_drawn = any(step.place is Place.DEALER for step in training.steps)
            assert (training.shown == "") == has_drawn
            titled.add(has_drawn)
        else:
            assert training.shown == training.script.title
    assert titled == {True, False}


def test_every_dealer_step_is_taught_somewhere() -> None:
    steps = [step for level in LEVELS for one in rounds_of(level) for step in one.steps]
    assert {step.kind for step in steps} == set(StepKind) - {StepKind.WAIT}  # only if supervised
    assert {step.wager for step in steps} == {*Wager, None}


def test_a_seed_gives_the_same_round_everywhere() -> None:
    level = LEVELS[-2]
    rules = load_rules(level.rules)
    first = training_round(level, rules, 5, 3)
    training_round.cache_clear()
    assert training_round(level, rules, 5, 3) == first
    assert training_round(level, rules, 6, 3).events != first.events


def test_a_full_table_has_seven_spots_with_everything_on_them() -> None:
    level = LEVELS[6]
    training = next(rounds_of(level))
    state = training.start()
    assert len({event.spot for event in training.events if hasattr(event, "spot")} - {0}) == 7
    assert state.rules.bonus_cards == 5
    assert len(state.rules.jackpots) == 2


# --- mistakes are refused, with their rule ----------------------------------------------------


@by_level
def test_a_wrong_amount_spot_hand_wager_or_place_is_refused(level: Level) -> None:
    faults = set()
    for training in rounds_of(level, seeds=1):
        for step in training.steps:
            right = correct_input(step)
            assert fault_of(step, right) is None
            for wrong in wrong_ways(step, right):
                found = fault_of(step, wrong)
                assert found is not None, (step, wrong)
                faults.add(found)
    assert {
        StepFault.AMOUNT,
        StepFault.SPOT,
        StepFault.WAGER,
        StepFault.KIND,
        StepFault.HAND,
    } <= faults


def wrong_ways(step: DealerStep, right: StepInput) -> Iterator[StepInput]:
    yield replace(right, kind=StepKind.LOCK if step.kind is not StepKind.LOCK else StepKind.CHECK)
    if step.kind in WITH_AMOUNT:
        yield replace(right, amount=step.amount + 1)
        yield replace(right, amount=step.back + step.amount + 1)
        if step.kind is StepKind.PAY or step.is_part:
            yield replace(right, amount=None)
    if step.wager is not None:
        yield replace(right, spot=step.spot % 7 + 1)
        yield replace(right, wager=Wager.ENVY if step.wager is not Wager.ENVY else Wager.SUPER)
    if step.place is Place.PLAYER:
        yield replace(right, spot=step.spot % 7 + 1)
        yield replace(right, hand=step.hand + 1)
        yield replace(right, place=Place.DEALER)


def test_a_miss_shows_its_rule_and_only_the_second_reveals_the_amount() -> None:
    lesson = make_lesson("bonuses", None, 3)
    training = next(
        lesson.round(number)
        for number in range(1, 8)
        if any(step.reason == "5-card 21" for step in lesson.round(number).steps)
    )
    place = next(n for n, step in enumerate(training.steps) if step.reason == "5-card 21")
    step = training.steps[place]
    wrong = Attempt(replace(correct_input(step), amount=step.amount + 100))
    attempts = [*done(training)[:place], wrong]
    first = LessonRound(lesson, training.number, attempts)
    assert first.verdict is not None
    assert first.verdict.fault is StepFault.AMOUNT
    assert first.verdict.rules[0] == "R-062"
    assert "3 to 2" in first.verdict.rule
    told = f"{first.verdict.sentence}{first.verdict.answer}{first.verdict.amount}"
    amount = explain_amount(step)
    assert describe_step(lesson.rules, step) not in told
    assert amount not in told
    second = LessonRound(lesson, training.number, [*attempts, wrong])
    assert second.verdict is not None
    assert (second.verdict.answer, second.verdict.amount) == (
        describe_step(lesson.rules, step),
        amount,
    )
    third = LessonRound(lesson, training.number, [*attempts, wrong, done(training)[place]])
    assert third.marks[place].misses == 2
    assert third.verdict is not None
    assert third.verdict.right


def test_the_amount_is_explained_in_one_sentence() -> None:
    rules = load_rules("wsgc-2021(mtd_configuration=0)")
    level = LEVELS[0]
    blackjacks = [
        step
        for number in range(1, 9)
        for step in training_round(level, rules, 1, number).steps
        if step.reason == "blackjack"
    ]
    step = replace(blackjacks[0], stake=1500, amount=2250, back=3750)
    assert explain_amount(step) == (
        "Blackjack. $15 at 3 to 2 pays $22.50; the player gets $37.50 back."
    )


def test_a_revealed_step_counts_as_missed() -> None:
    lesson = make_lesson("base-game", None, 1)
    shown = LessonRound(lesson, 1, [Attempt(None)])
    assert shown.verdict is not None
    assert shown.verdict.answer == 'Call "No more bets."'
    assert (shown.misses, shown.marks) == (1, [])


# --- exams ------------------------------------------------------------------------------------


def test_an_exam_continues_after_a_miss_and_reports_it_at_the_end() -> None:
    lesson = make_lesson("doubles", None, 2, exam=True)
    rounds = [done(lesson.round(number), 20_000) for number in range(1, 6)]
    rounds[0][0] = Attempt(StepInput(StepKind.COLLECT), 20_000)
    first = LessonRound(lesson, 1, rounds[0][:1])
    assert first.verdict is not None
    assert (first.verdict.right, first.verdict.rule, len(first.marks)) == (False, "", 1)
    result = lesson_result(lesson, rounds)
    assert result.steps - result.right == 1
    [mistake] = result.mistakes
    assert (mistake.round, mistake.fault) == (1, StepFault.KIND)
    assert mistake.instead == "collect the cards"
    assert mistake.order
    assert mistake.step == describe_step(lesson.rules, lesson.round(1).steps[0])
    assert mistake.rules
    assert 70 < result.score < 95  # the lesson also loses points for time
    data = lesson_result_data(result, "Ana")
    assert json.loads(json_text(data)) == finite(data)
    assert data["passed"] is True
    assert sum(line.steps for line in data["kinds"]) == result.steps


def test_an_exam_with_too_many_misses_or_unfinished_isnt_passed() -> None:
    lesson = make_lesson("base-game", None, 2, exam=True)
    wrong = [
        [Attempt(StepInput(StepKind.LOCK)) for _ in lesson.round(number).steps]
        for number in range(1, 6)
    ]
    assert lesson_result(lesson, wrong).passed is False
    assert lesson_result(lesson, wrong).score == 0
    assert lesson_result(lesson, wrong[:2]).passed is None


def test_an_exam_reveals_nothing_and_has_a_fixed_number_of_rounds() -> None:
    lesson = make_lesson("base-game", None, 2, exam=True)
    with pytest.raises(SchoolError, match="doesn't show answers"):
        LessonRound(lesson, 1, [Attempt(None)])
    with pytest.raises(SchoolError, match="from 1 to 5"):
        lesson.round(6)
    over = done(lesson.round(1))
    with pytest.raises(SchoolError, match="The round is over"):
        LessonRound(lesson, 1, [*over, over[0]])


# --- data for the web page --------------------------------------------------------------------


@by_level
def test_a_page_gets_the_table_but_never_the_next_step(level: Level) -> None:
    lesson = make_lesson(level.id, None, 4)
    training = lesson.round(1)
    for count in range(len(training.steps) + 1):
        played = LessonRound(lesson, 1, done(training)[:count])
        data = lesson_round_data(played)
        felt = data["felt"]
        assert isinstance(felt, dict)
        state = played.state()
        assert felt["stage"] == state.stage
        hidden = len(state.dealer) > 1 and not state.down_exposed
        assert (None in felt["dealer"]) == hidden
        assert (data["lesson"] != "") == (played.due is None)
        assert "due" not in data


def test_events_show_amounts_as_on_chips() -> None:
    lesson = make_lesson("match-the-dealer", None, 4)
    lines = lesson_round_data(LessonRound(lesson, 1, done(lesson.round(1))))["lines"]
    assert isinstance(lines, list)
    told = " ".join(lines)
    assert "loses $" in told
    assert ".00" not in told


def test_levels_that_do_not_fit_the_rules_say_so() -> None:
    with pytest.raises(SchoolError, match="needs something these rules don't have \\(jackpots\\)"):
        make_lesson("jackpots", load_rules("wsgc-2021"), 1)
    with pytest.raises(SchoolError, match="Did you mean doubles"):
        make_lesson("double", None, 1)
    with pytest.raises(SchoolError, match="The seed must be a number"):
        make_lesson("doubles", None, -1)


# --- typed steps ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("pay 2 22.50", StepInput(StepKind.PAY, 2, 0, None, Wager.HAND, 2250)),
        ("PAY 2.2 $1,000", StepInput(StepKind.PAY, 2, 1, None, Wager.HAND, 100_000)),
        ("pay 3 up 45", StepInput(StepKind.PAY, 3, -1, None, Wager.MTD_UP, 4500)),
        ("take 3 ins", StepInput(StepKind.TAKE, 3, -1, None, Wager.INSURANCE)),
        ("t 1 12.50", StepInput(StepKind.TAKE, 1, 0, None, Wager.HAND, 1250)),
        ("push 4", StepInput(StepKind.PUSH, 4, 0, None, Wager.HAND)),
        ("pay 1 j2 412.76", StepInput(StepKind.PAY, 1, -1, None, Wager.JACKPOT_2, 41_276)),
        ("card 2", StepInput(StepKind.CARD, 2, 0, Place.PLAYER)),
        ("card b3", StepInput(StepKind.CARD, 0, 2, Place.BONUS)),
        ("card up", StepInput(StepKind.CARD, place=Place.UP)),
        ("draw", StepInput(StepKind.CARD, place=Place.DEALER)),
        ("ask 7", StepInput(StepKind.ASK, 7)),
        ("look", StepInput(StepKind.CHECK)),
        ("ins", StepInput(StepKind.INSURANCE)),
        ("sup 2", StepInput(StepKind.SUPERVISOR, 2)),
        ("?", None),
    ],
)
def test_steps_are_typed(text: str, step: StepInput | None) -> None:
    assert parse_step(text) == step


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Type a step"),
        ("juggle", "'juggle' isn't a step"),
        ("c", "'c' isn't a step"),
        ("pay", "pay: name the spot. Type pay 2"),
        ("pay x 5", "pay: 'x' isn't a spot"),
        ("pay 2", "Say how much to pay"),
        ("pay 2 much", "pay: 'much' isn't an amount"),
        ("take 2 5 6", "take: '6' is unexpected"),
        ("look 2", "look: '2' is unexpected"),
        ("card", "Say where the card goes"),
    ],
)
def test_an_invalid_step_gets_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(SchoolError) as caught:
        parse_step(text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pay 2 22.50", "pay $22.50 on spot 2"),
        ("pay 3 up 45", "pay $45 on the Up Card wager on spot 3"),
        ("take 3 ins", "take the Insurance on spot 3"),
        ("take 2.2", "take spot 2, hand 2"),
        ("push 4", "push spot 4"),
        ("card 2", "give a card to spot 2"),
        ("card b3", "deal Bonus Card 3"),
        ("card up", "deal the up card"),
        ("draw", "draw a card"),
        ("ask 7", "ask spot 7"),
        ("look", "look at the down card"),
        ("sup 2", "call the floor person for spot 2"),
        ("remove 1", "remove the cards of spot 1"),
    ],
)
def test_the_wrong_step_is_described_in_words(text: str, told: str) -> None:
    tried = parse_step(text)
    assert tried is not None
    assert describe_input(load_rules("wsgc-2021"), tried) == told


@pytest.mark.parametrize(
    ("rules", "person", "other"),
    [("wsgc-2021", "floor person", "supervisor"), ("catfish-bend", "supervisor", "floor person")],
)
def test_the_school_uses_the_documents_own_word_for_the_floor_person(
    rules: str, person: str, other: str
) -> None:
    """R-072, R-121: documents 000 and 003 say floor person, document 002 says supervisor."""
    lesson = make_lesson("bonuses", load_rules(rules), 3)
    number, place = next(
        (number, place)
        for number in range(1, len(lesson.level.scripts_for(lesson.rules)) + 1)
        for place, step in enumerate(lesson.round(number).steps)
        if step.kind is StepKind.SUPERVISOR
    )
    training = lesson.round(number)
    too_early = Attempt(correct_input(training.steps[-1]))
    wrong_kind = Attempt(StepInput(StepKind.INSURANCE))
    ahead = [*done(training)[:place], too_early, wrong_kind]
    others: list[list[Attempt]] = [[] for _ in range(1, number)]
    result = lesson_result_data(lesson_result(lesson, [*others, [*ahead, *done(training)[place:]]]))
    said = [
        describe_step(lesson.rules, training.steps[place]),
        describe_input(lesson.rules, StepInput(StepKind.SUPERVISOR, 2)),
        str(LessonRound(lesson, number, ahead).verdict),
        str(
            next(one for one in buttons_data(lesson) if one["kind"] == StepKind.SUPERVISOR)["title"]
        ),
        str(result["kinds"]),
        str(result["mistakes"]),
    ]
    for text in said:
        assert person in text.lower()
        assert f" {other}" not in text.lower()


@by_level
def test_a_guided_lesson_points_at_a_place_on_the_felt(level: Level) -> None:
    lesson = make_lesson(level.id, None, 4)
    for number in (1, 2):
        played = LessonRound(lesson, number)
        while (step := played.due) is not None:
            seen = lesson_round_data(played, is_recorded=True, is_guided=True)
            hint = seen["hint"]
            assert hint is not None
            assert seen["seed"] is None
            assert hint["kind"] in {button["kind"] for button in seen["buttons"]}
            assert _is_on_felt(hint["target"], seen["felt"])
            assert (hint["amount"] is not None) == (step.kind in WITH_AMOUNT)
            played.attempt(Attempt(correct_input(step)))
        assert lesson_round_data(played, is_guided=True)["hint"] is None


def _is_on_felt(target: DeedTarget | None, felt: TrainingFelt) -> bool:
    if target is None:
        return True
    if target["at"] == "place":
        places = {f"b{number + 1}" for number in range(felt["bonus_places"])}
        return target["word"] in {"up", "down", "dealer"} | places
    [spot] = [one for one in felt["spots"] if one["number"] == target["spot"]]
    if target["at"] == "hand":
        return target["hand"] < len(spot["hands"])
    return target["word"] in {one["word"] for one in [*spot["wagers"], *spot["bonuses"]]}
