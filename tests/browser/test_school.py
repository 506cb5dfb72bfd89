"""The dealer's school and console in a browser: by keyboard, by mouse, on a phone, and on paper."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import PHONE, People
from tests.browser.houses import BrowserHouse
from tests.browser.test_lobby import forget_refusals
from tests.cli.test_school import typed
from ventiuna.money import plain_amount
from ventiuna.school.lessons import Attempt, Lesson, LessonRound, make_lesson
from ventiuna.school.step_text import describe_step
from ventiuna.school.steps import DealerStep, StepKind, correct_input
from ventiuna.school.training import LEVELS
from ventiuna.school.views import BUTTONS

Shot = Callable[[Page, str], None]
KEYED = ("1 Ana: 25 up 5", "2 10", "close", "8c Kd Kh 8d 9h")


def lesson_with(level: str, title: str, exam: bool = False) -> Lesson:
    """A lesson whose first round has this title."""
    lessons = (make_lesson(level, None, seed, exam) for seed in range(1000))
    return next(one for one in lessons if one.round(1).script.title.startswith(title))


def sit_down(house: BrowserHouse, people: People, lesson: Lesson, **more: object) -> Page:
    exam = "&exam=1" if lesson.exam else ""
    path = f"#/school/{lesson.level.id}?seed={lesson.seed}{exam}"
    page = people.page(house, "Ana", path=path, **more)  # type: ignore[arg-type]
    expect(page.get_by_role("region", name="The table from the dealer's side")).to_be_visible()
    return page


def type_step(page: Page, text: str) -> None:
    """Type a step and wait for the response."""
    with page.expect_response("**/school/rounds"):
        page.get_by_label("Type a step").fill(text)
        page.get_by_label("Type a step").press("Enter")


def key_step(page: Page, lesson: Lesson, step: DealerStep) -> None:
    """Enter a step with keys only: digits select, letters act, and the amount is typed."""
    page.evaluate("document.activeElement.blur()")
    if step.spot or step.place is not None:
        aim_at(page, step)
    with page.expect_response("**/school/rounds"):
        page.keyboard.press(BUTTONS[step.kind][1])
        if step.kind in (StepKind.PAY, StepKind.TAKE):
            page.locator("#amount").fill(plain_amount(step.amount))
            page.keyboard.press("Enter")


def aim_at(page: Page, step: DealerStep) -> None:
    """Press the number key until the page shows the right selection."""
    words = typed(step).split()
    wanted = words[1] if step.kind is StepKind.CARD or step.hand >= 0 else " ".join(words[1:3])
    if step.kind is StepKind.SUPERVISOR:
        wanted = f"{step.spot}.1"
    for _ in range(20):
        page.keyboard.press(str(step.spot))
        if page.get_by_text(f"Selected: {wanted}", exact=True).count():
            return
    pytest.fail(f"no control selects {wanted}")


def test_a_lesson_by_keyboard_only_with_a_super_bonus(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    lesson = lesson_with("bonuses", "The Super Bonus")
    page = sit_down(shared_house, people, lesson)
    steps = lesson.round(1).steps
    for number, step in enumerate(steps, start=1):
        key_step(page, lesson, step)
        expect(page.get_by_text(f"{number} of {len(steps)} steps")).to_be_visible()
    score = f"{len(steps)} of {len(steps)} right on the first try"
    expect(page.get_by_text(score).first).to_be_visible()
    expect(page.get_by_text("This round: the Super Bonus")).to_be_visible()
    expect(page.get_by_role("button", name="Next round")).to_be_focused()
    shot(page, "over")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    expect(page.get_by_label("Type a step")).to_be_focused()


def test_a_mistake_shows_its_rule_and_a_second_one_the_answer(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    lesson = lesson_with("base-game", "An ace up")
    page = sit_down(shared_house, people, lesson)
    for step in lesson.round(1).steps:
        if step.reason == "blackjack":
            break
        type_step(page, typed(step))
    type_step(page, f"pay {step.spot} {plain_amount(step.amount + 100)}")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Right wager, but")
    expect(page.get_by_text("R-029")).to_be_visible()
    expect(alert).not_to_contain_text(describe_step(lesson.rules, step))
    type_step(page, "look")
    expect(alert).to_contain_text("Not yet. Before you look at the down card, pay a wager.")
    expect(alert).to_contain_text(describe_step(lesson.rules, step))
    expect(alert).to_contain_text("at 3 to 2")
    shot(page, "told")
    type_step(page, typed(step))
    expect(page.get_by_role("status")).to_contain_text("Blackjack")
    page.get_by_label("Type a step").fill("juggle")
    page.get_by_label("Type a step").press("Enter")
    expect(alert).to_contain_text("'juggle' isn't a step")
    forget_refusals(people)


def test_any_open_order_is_accepted_and_a_forbidden_one_shows_its_rule(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    """R-079 to R-081: Bonus Card wagers from the right, Down Card wagers before the hands."""
    lesson = lesson_with("bonus-cards", "Down Card wagers")
    page = sit_down(shared_house, people, lesson)
    alert, status = page.get_by_role("alert"), page.get_by_role("status")
    left = list(lesson.round(1).steps)
    played = LessonRound(lesson, 1)
    told = 0
    while played.due is not None:
        later = next((step for step in left if step not in played.allowed), None)
        step = played.allowed[-1]  # the step farthest from the usual order that is still allowed
        if later is not None and later.kind in (StepKind.PAY, StepKind.TAKE) and told < 3:
            type_step(page, typed(later))
            verdict = played.attempt(Attempt(correct_input(later)))
            assert not verdict.right
            expect(alert).to_contain_text(verdict.sentence)
            expect(page.get_by_text(verdict.rule)).to_be_visible()
            expect(page.get_by_role("link", name=verdict.rules[0]).first).to_be_visible()
            told += 1
        type_step(page, typed(step))
        verdict = played.attempt(Attempt(correct_input(step)))
        if verdict.note:
            expect(status).to_contain_text(verdict.note)
            shot(page, "open")
        left.remove(step)
    assert told
    score = f"{sum(mark.right for mark in played.marks)} of {len(played.marks)}"
    expect(page.get_by_text(f"{score} right on the first try").first).to_be_visible()


def test_a_wager_is_paid_with_chips_by_mouse(shared_house: BrowserHouse, people: People) -> None:
    lesson = lesson_with("match-the-dealer", "Two suited matches")
    page = sit_down(shared_house, people, lesson)
    first = lesson.round(1).steps[0]
    assert first.wager is not None
    page.get_by_role("button", name=re.compile("^Pay")).first.click(force=True)  # explains why not
    expect(page.get_by_role("alert")).to_contain_text("Select a wager or a hand first")
    page.get_by_role("button", name=re.compile(f"^Spot {first.spot}, Up Card")).click()
    word = "Pay" if first.kind is StepKind.PAY else "Take"
    page.get_by_role("button", name=re.compile(f"^{word}")).first.click()
    for value in (50_000, 10_000, 2_500, 500, 100):
        while first.amount >= value and plain_amount(first.amount) != field(page):
            if int(float(field(page) or 0) * 100) + value > first.amount:
                break
            page.get_by_role("button", name=f"+ ${value // 100}", exact=True).click()
    with page.expect_response("**/school/rounds"):
        page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("1 of 1 right on the first try")).to_be_visible()


def field(page: Page) -> str:
    return page.locator("#amount").input_value()


def test_a_lesson_resumes_after_the_window_was_closed(
    shared_house: BrowserHouse, people: People
) -> None:
    lesson = lesson_with("doubles", "Surrender")
    page = sit_down(shared_house, people, lesson)
    type_step(page, typed(lesson.round(1).steps[0]))
    page.reload()
    expect(page.get_by_text("1 of ").first).to_be_visible()
    page.get_by_role("link", name="Dealer's school").click()
    page.get_by_role("link", name="Continue").click()
    expect(page.get_by_text("1 of 1 right on the first try")).to_be_visible()


def test_an_exam_and_its_result_on_paper(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    lesson = lesson_with("super-fun-21", "Six cards", exam=True)
    page = sit_down(shared_house, people, lesson)
    expect(page.get_by_text("one try per step")).to_be_visible()
    expect(page.get_by_role("button", name="Show me")).to_have_count(0)
    for number in range(1, lesson.level.exam_rounds + 1):
        steps = lesson.round(number).steps
        for place, step in enumerate(steps):
            wrong = number == 1 and place == 0
            type_step(page, "collect" if wrong else typed(step))
        last = number == lesson.level.exam_rounds
        page.get_by_role("button", name="Result" if last else "Next round").click()
        following = "Exam result" if last else f"Round {number + 1} of"
        expect(page.get_by_role("heading", name=following)).to_be_visible()
    expect(page.get_by_text("90% were needed.")).to_be_visible()
    expect(page.get_by_text(describe_step(lesson.rules, lesson.round(1).steps[0]))).to_be_visible()
    shot(page, "result")
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(page.get_by_role("banner")).to_be_hidden()
    shot(page, "paper")


@pytest.mark.parametrize("level", ["everything", "super-fun-21"])
def test_on_a_phone(shared_house: BrowserHouse, people: People, shot: Shot, level: str) -> None:
    lesson = make_lesson(level, None, 3)
    page = sit_down(shared_house, people, lesson, size=PHONE)
    first = lesson.round(1).steps[0]
    with page.expect_response("**/school/rounds"):
        page.get_by_role("button", name="Collect").click()
    expect(page.get_by_role("alert")).to_contain_text("Not yet")
    key_step(page, lesson, first)
    expect(page.get_by_text("1 of ").first).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"]
    check_axe(page)
    shot(page, "")


def test_levels_are_listed_for_guests(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    page = people.page(shared_house, path="#/school")
    for level in LEVELS:
        expect(page.get_by_role("heading", name=level.title, exact=True)).to_be_visible()
    check_axe(page)
    shot(page, "")
    page.get_by_role("link", name="Practice Base game").click()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("Guest")


def key_in(page: Page, *entries: str) -> None:
    for entry in entries:
        with page.expect_response("**/school/console"):
            page.get_by_role("textbox", name="Entry").fill(entry)
            page.get_by_role("textbox", name="Entry").press("Enter")


def test_the_console_from_wagers_to_notation(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    page = people.page(shared_house, "Ana", path="#/console")
    page.get_by_role("button", name="Open the table").click()
    key_in(page, *KEYED)
    expect(page.get_by_text("Look at the down card.")).to_be_visible()
    expect(page.get_by_text("Take the $5 from the Up Card wager on spot 1.").first).to_be_visible()
    check_axe(page)
    key_in(page, "h")
    expect(page.get_by_role("alert")).to_contain_text("check for blackjack before the players act")
    expect(page.get_by_role("link", name="R-033")).to_be_visible()
    key_in(page, "no")
    expect(page.get_by_text("Spot 1 has 16 against a king.")).to_be_visible()
    key_in(page, "h", "Tc")
    expect(page.get_by_role("alert")).to_contain_text("Tc isn't in the pack")
    key_in(page, "5c")
    expect(page.get_by_text("Pay $25 on spot 1.").first).to_be_visible()
    shot(page, "paid")
    key_in(page, "s", "7d")
    expect(page.get_by_text("All cards are in.")).to_be_visible()
    expect(page.locator("pre")).to_contain_text("8c 8d / hit 5c")
    shot(page, "over")
    page.get_by_role("button", name=re.compile("Correct entry 11: Spot 1: 5♣")).click()
    key_in(page, "6c")
    expect(page.get_by_text("Take the $25 from spot 1.").first).to_be_attached()
    with page.expect_response("**/school/console"):
        page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Expose the down card and enter it.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Expose the down card and enter it.")).to_be_visible()
    key_in(page, "7d")
    page.get_by_role("button", name="Next round").click()
    expect(page.get_by_text("7 cards seen since the shuffle · 1 round recorded")).to_be_visible()


def test_the_console_accepts_the_up_card_first_and_marks_steps_in_any_order(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    """R-026, R-078, R-079."""
    page = people.page(shared_house, "Ana", path="#/console")
    page.get_by_role("button", name="Open the table").click()
    key_in(page, "1 25 up 5", "2 10 up 5", "close", "up 6h")
    expect(page.get_by_text("Deal a card to spot 1.")).to_be_visible()
    key_in(page, "8c Kd", "9d 9h")
    expect(page.get_by_text("Spot 1 has 17 against a 6.")).to_be_visible()
    expect(page.get_by_text("You may also do this before the step above.").first).to_be_visible()
    page.locator(".todo summary").nth(1).click()
    expect(page.locator(".todo").get_by_role("link", name="R-079").first).to_be_visible()
    key_in(page, "2 s")
    expect(page.get_by_role("alert")).to_contain_text("Hands act in turn from your left")
    key_in(page, "1 s", "2 s", "Kc", "5c")
    expect(page.get_by_text("You may also do this before the step above.").first).to_be_visible()
    page.locator(".todo summary").nth(1).click()
    expect(page.locator(".todo").get_by_role("link", name="R-078").first).to_be_visible()
    shot(page, "any-order")
