"""Lessons that the server grades and records, and classes with a trainer."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from tests.cli.test_school import typed
from tests.server.conftest import House
from ventiuna.school.catch_errors import CatchRound
from ventiuna.school.lessons import Lesson
from ventiuna.school.payouts import PayoutDrill, describe_question
from ventiuna.server.school_records import (
    KEPT_DONE,
    KEPT_OPEN,
    LessonKind,
    Move,
    add_move,
    begin_lesson,
    begin_round,
    find_lesson,
    lessons_of,
)

Answer = dict[str, Any]


class Trainee:
    """Someone who takes lessons over HTTP."""

    def __init__(self, house: House, name: str = "") -> None:
        self.house = house
        with house.served.client("") as client:
            begun = client.post("/accounts/guest", json={"name": name} if name else {}).json()
        self.id: int = begun["person"]["id"]
        self.name: str = begun["person"]["name"]
        self.token: str = begun["tokens"]["access"]

    def ask(self, method: str, path: str, body: object = None) -> Any:
        with self.house.served.client(self.token) as client:
            return client.request(method, f"/school{path}", json=body)

    def begin(self, level: str, kind: str, **more: object) -> Answer:
        answer = self.ask("POST", "/lessons", {"level": level, "kind": kind, **more})
        assert answer.status_code == 201, answer.text
        found: Answer = answer.json()
        return found

    def move(self, seen: Answer, **move: object) -> Any:
        path = f"/lessons/{seen['lesson']['id']}/moves"
        return self.ask("POST", path, {"round": seen["number"], "at": seen["sent"], **move})

    def known(self, seen: Answer) -> Lesson:
        """The lesson with its seed, which only the database knows."""
        with self.house.store.read() as connection:
            found = find_lesson(connection, seen["lesson"]["id"])
        assert found is not None
        return found.lesson

    def deal(self, seen: Answer, wrong: int = 0) -> Answer:
        """Do all steps of the round, `wrong` of them wrong first."""
        training = self.known(seen).round(seen["number"])
        for place, step in enumerate(training.steps):
            if place < wrong:
                seen = self.move(seen, text="push 9").json()
                if seen["play"]["exam"]:
                    continue
            seen = self.move(seen, text=typed(step)).json()
        assert seen["play"]["over"]
        return seen

    def finish(self, seen: Answer) -> Answer:
        found: Answer = self.ask("POST", f"/lessons/{seen['lesson']['id']}/finish").json()
        return found

    def pass_exam(self, level: str = "super-fun-21") -> Answer:
        seen = self.begin(level, "exam")
        for number in range(1, 6):
            seen = self.deal(seen)
            if number < 5:
                seen = self.ask("POST", f"/lessons/{seen['lesson']['id']}/rounds").json()
        return self.finish(seen)


@pytest.fixture
def ana(house: House) -> Trainee:
    return Trainee(house)


def test_a_lesson_is_recorded_step_by_step(ana: Trainee) -> None:
    seen = ana.begin("bonuses", "practice")
    assert seen["play"]["seed"] is None
    assert seen["play"]["hint"] is None
    seen = ana.deal(seen, wrong=1)
    again = ana.ask("GET", f"/lessons/{seen['lesson']['id']}").json()
    assert again == seen
    done = ana.finish(seen)
    assert done["result"]["right"] == done["result"]["steps"] - 1
    assert done["lesson"]["score"] == done["result"]["score"] > 80
    assert done["result"]["mistakes"][0]["rules"]
    assert ana.ask("GET", "/lessons").json() == [done["lesson"]]


def test_a_step_is_never_taken_back_or_done_twice(ana: Trainee) -> None:
    seen = ana.begin("base-game", "exam")
    first = ana.known(seen).round(1).steps[0]
    wrong = ana.move(seen, text="collect")
    assert wrong.json()["play"]["done"] == 1
    right = ana.move(seen, text=typed(first))
    assert right.status_code == 409
    assert "moved on" in right.json()["detail"]
    assert ana.ask("GET", f"/lessons/{seen['lesson']['id']}").json()["play"]["right"] == 0


def test_a_result_cant_be_posted_for_steps_not_done(ana: Trainee) -> None:
    seen = ana.begin("base-game", "exam")
    number = seen["lesson"]["id"]
    assert ana.ask("POST", f"/lessons/{number}/rounds").status_code == 409
    forged = {"round": 1, "at": 0, "text": "close", "ms": 1, "score": 100}
    assert ana.ask("POST", f"/lessons/{number}/moves", forged).status_code == 422
    seed = {"level": "base-game", "kind": "exam", "seed": 21}
    assert ana.ask("POST", "/lessons", seed).status_code == 422
    finished = ana.finish(seen)
    assert finished["lesson"]["passed"] is None
    assert finished["lesson"]["score"] is None
    assert ana.move(seen, text="close").status_code == 409


def test_others_cant_see_or_continue_a_lesson(ana: Trainee, house: House) -> None:
    seen = ana.begin("base-game", "practice")
    ben = Trainee(house)
    assert ben.ask("GET", f"/lessons/{seen['lesson']['id']}").status_code == 404
    assert ben.move(seen, text="close").status_code == 404
    assert ben.ask("GET", "/lessons").json() == []


def test_an_invalid_step_changes_nothing(ana: Trainee) -> None:
    seen = ana.begin("base-game", "practice")
    refused = ana.move(seen, text="juggle")
    assert "isn't a step" in refused.json()["detail"]
    assert ana.ask("GET", f"/lessons/{seen['lesson']['id']}").json() == seen


@pytest.mark.parametrize(
    ("kind", "move"),
    [
        ("exam", {"stop": True}),
        ("practice", {"text": "close", "instead": "look"}),
        ("guided", {"error": "deal-order"}),
        ("payouts", {"text": "5", "stop": True}),
        ("catch", {"text": "close"}),
        ("catch", {"error": "deal-order", "instead": "look"}),
    ],
)
def test_fields_of_another_kind_of_lesson_change_nothing(
    ana: Trainee, kind: str, move: dict[str, object]
) -> None:
    seen = ana.begin("base-game", kind)
    refused = ana.move(seen, **move)
    assert (refused.status_code, refused.json()["code"]) == (422, "refused")
    assert ana.ask("GET", f"/lessons/{seen['lesson']['id']}").json() == seen


def test_a_guided_lesson_shows_every_step_and_has_no_score(ana: Trainee) -> None:
    seen = ana.begin("base-game", "guided")
    steps = ana.known(seen).round(1).steps
    for step in steps:
        hint = seen["play"]["hint"]
        assert hint["kind"] == step.kind
        assert hint["rules"]
        seen = ana.move(seen, text=typed(step)).json()
        assert seen["play"]["verdict"]["right"]
    assert seen["play"]["hint"] is None
    done = ana.finish(seen)
    assert (done["lesson"]["score"], done["lesson"]["rounds"]) == (None, 1)


def test_catching_errors_is_recorded(ana: Trainee) -> None:
    seen = ana.begin("base-game", "catch")
    for _ in range(30):
        played = CatchRound(ana.known(seen), seen["number"])
        while not seen["catch"]["over"]:
            error = played.error
            if error is not None and error.place == seen["sent"]:
                right = typed(played.training.steps[error.place])
                caught = {"stop": True, "error": error.kind, "instead": right}
                seen = ana.move(seen, **caught).json()
            else:
                seen = ana.move(seen).json()
        if played.error is not None:
            break
        seen = ana.ask("POST", f"/lessons/{seen['lesson']['id']}/rounds").json()
    done = ana.finish(seen)
    assert (done["lesson"]["correct"], done["lesson"]["score"]) == (1, 100)
    assert done["caught"]["kinds"][0]["named"] == 1


def test_a_payout_drill_is_recorded(ana: Trainee) -> None:
    seen = ana.begin("doubles", "payouts")
    questions = PayoutDrill(ana.known(seen)).questions
    for number, step in enumerate(questions):
        assert "amount" not in seen["payouts"]["question"]
        cents = step.amount + 100 * (number == 0)
        seen = ana.move(seen, text=f"{cents / 100:.2f}").json()
        assert seen["payouts"]["last"]["right"] == (number > 0)
        assert seen["payouts"]["last"]["amount"] == step.amount
        if number == 0:
            seen = ana.ask("POST", f"/lessons/{seen['lesson']['id']}/rounds").json()
    assert seen["payouts"]["over"]
    done = ana.finish(seen)
    assert (done["paid"]["right"], done["paid"]["score"]) == (len(questions) - 1, 95)
    answer = ana.ask("POST", "/lessons", {"level": "doubles", "kind": "juggling"})
    assert answer.status_code == 422


def test_the_next_question_is_shown_after_the_correction(ana: Trainee) -> None:
    seen = ana.begin("doubles", "payouts")
    number = seen["lesson"]["id"]
    first, second, *_ = PayoutDrill(ana.known(seen)).questions
    assert ana.ask("POST", f"/lessons/{number}/rounds").status_code == 409  # no question is skipped
    seen = ana.move(seen, text=f"{first.amount / 100 + 1:.2f}").json()
    assert seen["payouts"]["corrected"]
    assert seen["payouts"]["question"]["sentence"] == describe_question(first)
    assert ana.move(seen, text=f"{second.amount / 100:.2f}").status_code == 409  # not shown yet
    assert ana.ask("GET", f"/lessons/{number}").json() == seen
    seen = ana.ask("POST", f"/lessons/{number}/rounds").json()
    assert not seen["payouts"]["corrected"]
    assert seen["payouts"]["question"]["sentence"] == describe_question(second)


def test_reading_a_correction_takes_no_time(ana: Trainee, house: House) -> None:
    number = ana.begin("doubles", "payouts")["lesson"]["id"]
    with house.store.write() as connection:
        found = find_lesson(connection, number, lock=True)
        assert found is not None
        now = found.line.changed_at
        first, second, *_ = PayoutDrill(found.lesson).questions
        wrong, right = (Move(f"{cents / 100:.2f}") for cents in (first.amount + 100, second.amount))
        found = add_move(connection, found, (1, 0), wrong, now + 4000)
        found = begin_round(connection, found, now + 94_000)
        found = add_move(connection, found, (2, 0), right, now + 97_000)
        drill = found.play()
    assert isinstance(drill, PayoutDrill)
    assert [answer.milliseconds for answer in drill.answers] == [4000, 3000]


def test_the_certificate_lists_passed_exams_for_study(ana: Trainee) -> None:
    assert ana.ask("GET", "/certificate").status_code == 409
    done = ana.pass_exam()
    assert done["lesson"]["passed"] is True
    page = ana.ask("GET", "/certificate")
    assert page.headers["content-type"].startswith("text/html")
    assert all(text in page.text for text in (ana.name, "Super Fun 21", "For study", "100.0%"))
    assert ana.ask("GET", "/certificate?format=pdf").content.startswith(b"%PDF")


def test_a_certificate_never_prints_a_name_as_question_marks(house: House) -> None:
    lukasz = Trainee(house, "Łukasz 😀")
    lukasz.pass_exam()
    assert "Łukasz 😀" in lukasz.ask("GET", "/certificate").text
    refused = lukasz.ask("GET", "/certificate?format=pdf")
    assert refused.json()["code"] == "unprintable_name"
    zoe = Trainee(house, "Zoë")
    zoe.pass_exam()
    assert zoe.ask("GET", "/certificate?format=pdf").content.startswith(b"%PDF")


def test_a_trainer_sees_each_trainees_results_since_joining(ana: Trainee, house: House) -> None:
    trainer, ben = Trainee(house), Trainee(house)
    before = ana.finish(ana.deal(ana.begin("bonuses", "practice")))
    made = trainer.ask("POST", "/classes", {"name": "Evening class"}).json()
    joined = ana.ask("POST", "/classes/join", {"code": f" {made['code'].lower()} "}).json()
    assert joined == {"id": made["id"], "name": "Evening class", "trainer": trainer.name}
    assert ben.ask("POST", "/classes/join", {"code": made["code"]}).status_code == 200
    after = ana.finish(ana.deal(ana.begin("bonuses", "practice"), wrong=2))
    seen = trainer.ask("GET", f"/classes/{made['id']}").json()
    by_name = {one["name"]: one["lessons"] for one in seen["trainees"]}
    assert by_name == {ana.name: [after["lesson"]], ben.name: []}
    number = after["lesson"]["id"]
    assert trainer.ask("GET", f"/lessons/{number}").json()["result"] == after["result"]
    assert trainer.ask("GET", f"/lessons/{before['lesson']['id']}").status_code == 404
    assert ben.ask("GET", f"/lessons/{number}").status_code == 404
    assert ben.ask("GET", f"/classes/{made['id']}").status_code == 404
    text = trainer.ask("GET", f"/classes/{made['id']}/results").text
    [row] = csv.DictReader(io.StringIO(text))
    assert (row["trainee"], row["kind"], row["level"]) == (
        ana.name,
        "practice",
        "Bonus 21 and Super Bonus",
    )
    assert int(row["right"]) == int(row["steps"]) - 2
    assert ana.ask("DELETE", f"/classes/{made['id']}/trainees/{ana.id}").status_code == 204
    assert trainer.ask("GET", f"/lessons/{number}").status_code == 404
    assert ana.ask("DELETE", f"/classes/{made['id']}/trainees/{ben.id}").status_code == 404
    assert trainer.ask("DELETE", f"/classes/{made['id']}/trainees/{ben.id}").status_code == 204
    assert trainer.ask("DELETE", f"/classes/{made['id']}").status_code == 204
    assert ana.ask("GET", "/classes").json() == {"taught": [], "joined": []}


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("/classes/join", {"code": "NOCODE"}, "No class has this code"),
        ("/classes", {"name": "  "}, "needs a name"),
        ("/lessons", {"level": "none"}, "There is no level 'none'"),
        ("/classes/join", {"code": "ABC\0EF"}, "No class has this code"),
    ],
)
def test_bad_requests_get_one_sentence(
    ana: Trainee, path: str, body: object, sentence: str
) -> None:
    answer = ana.ask("POST", path, body)
    assert 400 <= answer.status_code < 500
    assert sentence in answer.json()["detail"]


def test_a_body_that_isnt_json_gets_one_sentence(ana: Trainee, house: House) -> None:
    with house.served.client(ana.token) as client:
        for body in (b"{", b"\xff", b"[" * 5_000):
            answer = client.post(
                "/school/lessons", content=body, headers={"Content-Type": "application/json"}
            )
            expected = "The body isn't valid JSON. Send a JSON object in UTF-8."
            assert (answer.status_code, answer.json()["detail"]) == (422, expected)


def test_a_trainer_cant_join_the_own_class(ana: Trainee) -> None:
    made = ana.ask("POST", "/classes", {"name": "Mine"}).json()
    answer = ana.ask("POST", "/classes/join", {"code": made["code"]})
    assert "can't join it" in answer.json()["detail"]


def test_results_can_be_deleted_and_old_ones_are(ana: Trainee, house: House) -> None:
    seen = ana.begin("base-game", "practice")
    lesson, begun = ana.known(seen), seen["lesson"]["begun_at"]
    assert ana.ask("DELETE", "/lessons").status_code == 204
    assert ana.ask("GET", "/lessons").json() == []
    with house.store.write() as connection:
        old = [
            begin_lesson(connection, ana.id, LessonKind.PRACTICE, lesson, at)
            for at in (begun, begun + KEPT_OPEN)
        ]
        assert KEPT_OPEN < KEPT_DONE
        new = begin_lesson(connection, ana.id, LessonKind.PRACTICE, lesson, begun + KEPT_OPEN + 1)
        assert [line.id for line in lessons_of(connection, ana.id)] == [new, old[1]]
