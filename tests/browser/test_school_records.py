"""Recorded lessons in a browser: the guided round, errors to catch, payouts, progress, classes."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from itertools import count

from playwright.sync_api import Page, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import PHONE, WIDE, People
from tests.browser.houses import BrowserHouse
from tests.browser.test_lobby import forget_refusals
from tests.cli.test_school import typed
from ventiuna.money import plain_amount
from ventiuna.school.catch_errors import CatchRound, Watched
from ventiuna.school.lessons import Lesson
from ventiuna.school.payouts import PayoutDrill
from ventiuna.server.school_records import (
    Move,
    add_move,
    begin_round,
    find_lesson,
    finish_lesson,
)

Shot = Callable[[Page, str], None]
_names = count(1)


def newcomer(house: BrowserHouse) -> str:
    """Someone without results."""
    name = f"Trainee {next(_names)}"
    house.add(name)
    return name


def opened(page: Page, house: BrowserHouse) -> Lesson:
    """The lesson that this page has begun, with its seed, which only the database knows."""
    page.wait_for_url(re.compile(r"lesson=\d+"))
    number = int(page.url.rpartition("lesson=")[2])
    with house.store.read() as connection:
        found = find_lesson(connection, number)
    assert found is not None
    return found.lesson


def do_round(page: Page, lesson: Lesson, number: int) -> None:
    for step in lesson.round(number).steps:
        with page.expect_response("**/moves"):
            page.get_by_label("Type a step").fill(typed(step))
            page.get_by_label("Type a step").press("Enter")


def test_a_first_round_by_following_the_marks(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    """Select a place, then a verb: nothing else is needed."""
    page = people.page(shared_house, newcomer(shared_house), path="#/school")
    page.get_by_role("link", name="Begin").click()
    lesson = opened(page, shared_house)
    expect(page.get_by_text("select a place on the felt, then press a button")).to_be_visible()
    steps = lesson.round(1).steps
    for place, step in enumerate(steps):
        expect(page.get_by_text(f"{place} of {len(steps)} steps")).to_be_visible()
        if page.locator(".cloth .point").count():
            page.locator(".cloth .point").click()
        expect(page.locator(".cloth .point")).to_have_count(0)
        if place == 3:
            check_axe(page)
            shot(page, "guided")
        page.locator(".buttons .point").click()
        if step.amount and page.locator("#amount").count():
            page.locator("#amount").fill(plain_amount(step.amount))
            page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("You have dealt a round.")).to_be_visible()
    with page.expect_response("**/finish"):
        page.get_by_role("link", name="All levels").click()
    expect(page.get_by_role("heading", name="Base game")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Base game")).to_be_visible()
    expect(page.get_by_role("link", name="Begin")).to_have_count(0)


def test_an_error_is_stopped_named_and_corrected(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    page = people.page(shared_house, newcomer(shared_house), path="#/school/base-game/catch")
    lesson = opened(page, shared_house)
    go, is_alarmed = page.get_by_role("button", name="Let it pass"), False
    for number in range(1, 20):
        played = CatchRound(lesson, number)
        while not played.is_over:
            place = len(played.done)
            expect(
                page.get_by_text(f"{place} of {len(played.training.steps)} steps")
            ).to_be_visible()
            step = played.training.steps[place]
            is_error = played.error is not None and played.error.place == place
            with page.expect_response("**/moves"):
                if is_error or not is_alarmed:
                    page.keyboard.press("s")
                    title = "Wrong pay: blackjack"
                    if is_error:
                        assert played.error is not None
                        title = played.error.kind.label
                        check_axe(page)
                        shot(page, "naming")
                    page.get_by_role("button", name=title, exact=True).click()
                    page.get_by_label("Type a step").fill(typed(step))
                    page.get_by_label("Type a step").press("Enter")
                else:
                    go.click()
            if is_error:
                expect(page.get_by_text("Caught.")).to_be_visible()
                expect(page.get_by_text("corrected", exact=True)).to_be_visible()
                shot(page, "caught")
            elif not is_alarmed:
                expect(page.get_by_text("False alarm: the step was right.")).to_be_visible()
                is_alarmed = True
            played = CatchRound(lesson, number, [Watched()] * (place + 1))
        if played.error is not None:
            break
        page.get_by_role("button", name="Next round").click()
    page.get_by_role("button", name="Result").click()
    expect(page.get_by_role("heading", name="Catch-the-error result")).to_be_visible()
    expect(page.get_by_text("1 of 1")).to_be_visible()
    expect(page.get_by_text("90", exact=True)).to_be_visible()  # a false alarm costs ten points
    check_axe(page)
    shot(page, "result")


def test_a_payout_drill_with_chips(shared_house: BrowserHouse, people: People, shot: Shot) -> None:
    page = people.page(shared_house, newcomer(shared_house), path="#/school/bonuses/payouts")
    questions = PayoutDrill(opened(page, shared_house)).questions
    expect(page.get_by_role("timer")).to_be_visible()
    for place, step in enumerate(questions[:4]):
        expect(page.get_by_label(f"Question {place + 1} of {len(questions)}")).to_be_visible()
        with page.expect_response("**/moves"):
            if place:
                page.locator("#amount").fill(plain_amount(step.amount))
            else:
                page.get_by_role("button", name="+ $1", exact=True).click()
            page.get_by_role("button", name="Confirm").click()
        if place == 0:
            expect(page.get_by_text("Not $1.")).to_be_visible()
            expect(page.get_by_role("status")).to_contain_text("pays")
            expect(page.get_by_role("timer")).to_have_count(0)  # reading takes no time
            check_axe(page)
            shot(page, "asked")
            expect(page.get_by_role("button", name="Next question")).to_be_focused()
            page.keyboard.press("Enter")
    page.get_by_role("button", name="Result").click()
    expect(page.get_by_text("3 of 4")).to_be_visible()  # of those answered
    check_axe(page)
    shot(page, "result")


def test_a_lesson_is_recorded_for_its_person_and_resumes_anywhere(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    name = newcomer(shared_house)
    page = people.page(shared_house, name, path="#/school/doubles")
    lesson = opened(page, shared_house)
    expect(page.get_by_role("timer")).to_be_visible()
    first, *_ = lesson.round(1).steps
    with page.expect_response("**/moves"):
        page.get_by_label("Type a step").fill(typed(first))
        page.get_by_label("Type a step").press("Enter")
    other = people.page(shared_house, name, path="#/school")  # another browser, same person
    other.get_by_role("link", name="Continue").click()
    expect(other.get_by_text("1 of 1 right on the first try")).to_be_visible()
    other.goto(f"{shared_house.served.address}/#/school/results")
    expect(other.get_by_text("not finished")).to_be_visible()
    stranger = people.page(shared_house, newcomer(shared_house), path="#/school/results")
    expect(stranger.get_by_text("No lessons yet.")).to_be_visible()


def finish_exam(house: BrowserHouse, number: int, name: str = "") -> None:
    """Do all the steps that are left, as the page would."""
    with house.store.write() as connection:
        found = find_lesson(connection, number)
        assert found is not None
        at = found.line.changed_at
        for one in range(1, found.lesson.level.exam_rounds + 1):
            found = found if one == 1 else begin_round(connection, found, at)
            for place, step in enumerate(found.lesson.round(one).steps):
                found = add_move(connection, found, (one, place), Move(typed(step)), at)
        finish_lesson(connection, found, name, date(2026, 1, 1), at)


def test_a_passed_exam_is_on_the_map_and_on_the_certificate(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    name = newcomer(shared_house)
    page = people.page(shared_house, name, path="#/school/super-fun-21?exam=1")
    opened(page, shared_house)
    finish_exam(shared_house, int(page.url.rpartition("lesson=")[2]))
    page.reload()
    expect(page.get_by_text("90% were needed.")).to_be_visible()
    page.get_by_role("link", name="All levels").click()
    expect(page.get_by_text("1 of 8 exams passed")).to_be_visible()
    expect(page.get_by_text("passed, 100%")).to_be_visible()
    check_axe(page)
    shot(page, "map")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Certificate", exact=True).click()
    text = saved.value.path().read_text("utf-8")
    assert "For study" in text
    assert "Super Fun 21" in text
    page.get_by_role("link", name="Your results").click()
    page.get_by_role("button", name="Delete all my results").click()
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_text("No lessons yet.")).to_be_visible()


def test_a_class_from_its_code_to_the_trainers_page(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    teacher = newcomer(shared_house)
    trainer = people.page(shared_house, teacher, path="#/school/classes")
    trainer.get_by_label("Name of the class").fill("Evening class")
    trainer.get_by_role("button", name="Start class").click()
    expect(trainer.get_by_role("heading", name="Evening class")).to_be_visible()
    expect(trainer.get_by_text("Nobody has joined yet.")).to_be_visible()
    code = trainer.locator("code").inner_text()
    number = trainer.url.rpartition("/")[2]
    name = newcomer(shared_house)
    page = people.page(shared_house, name, path="#/school/classes")
    page.get_by_label("Class code").fill("NOCODE")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert")).to_contain_text("No class has this code")
    page.get_by_label("Class code").fill(code.lower())
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("Evening class, taught by")).to_be_visible()
    page.goto(f"{shared_house.served.address}/#/school/match-the-dealer")
    lesson = opened(page, shared_house)
    do_round(page, lesson, 1)
    page.get_by_role("button", name="Result").click()
    expect(page.get_by_role("heading", name="Practice result")).to_be_visible()
    trainer.reload()
    trainer.get_by_role("button", name=f"Show the lessons of {name}").click()
    expect(trainer.get_by_role("cell", name="Practice", exact=True)).to_be_visible()
    check_axe(trainer)
    shot(trainer, "class")
    with trainer.expect_download() as saved:
        trainer.get_by_role("button", name="Download results (CSV)").click()
    assert f"\n{name},Match the Dealer,practice," in saved.value.path().read_text("utf-8")
    trainer.get_by_role("link", name="See result").click()
    expect(trainer.get_by_role("heading", name="Practice result")).to_be_visible()
    page.goto(f"{shared_house.served.address}/#/school/classes")
    page.get_by_role("button", name="Leave Evening class").click()
    page.get_by_role("button", name="Leave it").click()
    expect(page.get_by_text("You haven't joined a class yet.")).to_be_visible()
    shared_house.post(name, "/school/classes/join", code=code).raise_for_status()
    page.reload()
    expect(page.get_by_text("Evening class, taught by")).to_be_visible()
    with shared_house.client(teacher) as client:
        client.delete(f"/school/classes/{number}").raise_for_status()
    page.get_by_role("button", name="Leave Evening class").click()
    page.get_by_role("button", name="Leave it").click()  # it was closed meanwhile
    expect(page.get_by_text("You haven't joined a class yet.")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    forget_refusals(people)


def test_an_unreadable_step_can_be_corrected_and_a_double_click_begins_one_round(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, newcomer(shared_house), path="#/school/match-the-dealer")
    lesson = opened(page, shared_house)
    field = page.get_by_label("Type a step")
    field.fill("pay 1 1e9")
    field.press("Enter")
    expect(page.get_by_text("isn't an amount in dollars")).to_be_visible()
    expect(field).to_have_value("pay 1 1e9")
    do_round(page, lesson, 1)
    page.get_by_role("button", name="Next round").dblclick()
    expect(field).to_be_visible()
    page.wait_for_timeout(500)  # for the second click's answer
    expect(page.get_by_text("Finish the round first.")).to_have_count(0)
    people.errors[:] = [error for error in people.errors if "status of 422" not in error]


def test_on_a_phone_the_dealers_step_is_in_view(shared_house: BrowserHouse, people: People) -> None:
    name = newcomer(shared_house)
    page = people.page(shared_house, name, path="#/school/everything/catch", size=PHONE)
    round_ = CatchRound(opened(page, shared_house), 1)
    far = next(
        place for place, step in enumerate(round_.training.steps) if step.spot == 7 and place
    )
    for place in range(far):
        with page.expect_response("**/moves"):
            page.get_by_role("button", name="Let it pass").click()
        expect(page.get_by_text(f"{place + 1} of ")).to_be_visible()
    expect(page.locator(".cloth .point")).to_be_in_viewport()
    page.get_by_role("button", name="Stop").click()
    box = page.get_by_role("combobox").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] < PHONE["width"]


def test_the_console_by_clicks_only_with_undo(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    page = people.page(shared_house, "Ana", path="#/console")
    page.get_by_role("button", name="Open the table").click()

    def click(name: str, exact: bool = True) -> None:
        with page.expect_response("**/school/console"):
            page.get_by_role("button", name=name, exact=exact).click()

    page.get_by_role("button", name="+ $25").click()
    page.get_by_role("button", name="Up Card").click()
    check_axe(page)
    shot(page, "wagers")
    click("Place on spot 1")
    click("Place on spot 2")
    click("No more bets")
    expect(page.get_by_text("Deal a card to spot 1, or deal your up card now.")).to_be_visible()
    check_axe(page)
    shot(page, "cards")
    page.set_viewport_size({"width": 1024, "height": 768})
    last, panel = page.locator(".suits button").last, page.get_by_role("complementary")
    at, beside = last.bounding_box(), panel.bounding_box()
    assert at is not None
    assert beside is not None
    assert at["x"] + at["width"] <= beside["x"]  # the panel covers no card
    page.set_viewport_size(WIDE)
    page.get_by_label("This is my up card").check()
    click("king of hearts, 6 left")
    for card in ("eight of clubs", "king of diamonds", "two of clubs"):
        click(f"{card}, 6 left")
    with page.expect_response("**/school/console"):
        page.get_by_role("button", name="Undo").click()
    click("eight of diamonds, 6 left")
    click("nine of hearts, 6 left")
    expect(page.get_by_text("Look at the down card.")).to_be_visible()
    click("no blackjack")
    expect(page.get_by_text("Spot 1 has 16 against a king.")).to_be_visible()
    click("stand")
    click("stand")
    click("seven of diamonds, 6 left")
    expect(page.get_by_text("All cards are in.")).to_be_visible()
    entries = [entry.inner_text() for entry in page.locator(".entries button").all()]
    assert entries[:4] == ["Spot 1: $25, Up Card $5", "Spot 2: $25", "No more bets", "Up card K♥"]
    assert entries[4:8] == ["Spot 1: 8♣", "Spot 2: K♦", "Spot 1: 8♦", "Spot 2: 9♥"]
    assert entries[8:] == ["No blackjack", "Spot 1: stand", "Spot 2: stand", "Down card 7♦"]
    expect(page.locator(".outcome b")).to_have_text(["\u2212$30", "+$25"])
    expect(page.locator(".seats .total")).to_have_text(["16", "19"])  # to check the payments
    page.get_by_role("button", name="Change rules").click()
    page.get_by_role("button", name="Keep this table").click()
    expect(page.get_by_text("All cards are in.")).to_be_visible()
    page.get_by_role("button", name="Change rules").click()
    page.get_by_role("button", name="Delete and choose rules").click()
    expect(page.get_by_role("button", name="Open the table")).to_be_visible()


def test_recorded_lessons_on_a_phone(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    for path in ("", "/base-game?guide=1", "/base-game/catch", "/doubles/payouts", "/classes"):
        page = people.page(shared_house, newcomer(shared_house), path=f"#/school{path}", size=PHONE)
        expect(page.get_by_role("heading", level=1)).to_be_attached()
        if path and path != "/classes":
            opened(page, shared_house)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        check_axe(page)
        shot(page, path.strip("/").replace("/", "-").partition("?")[0])
        felt = page.get_by_role("region", name="The table from the dealer's side")
        if felt.count():
            page.set_viewport_size({"width": PHONE["height"], "height": PHONE["width"]})
            box = felt.bounding_box()
            assert box is not None
            assert box["height"] > 200  # beside the steps, not above them
            page.set_viewport_size(PHONE)
