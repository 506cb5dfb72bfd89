"""The school over HTTP: lessons based only on what the client sends, the console, bad input."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.conftest import House
from ventiuna.school.catch_errors import CatchRound, describe_deed
from ventiuna.school.lessons import make_lesson
from ventiuna.school.steps import StepInput, correct_input


def parts(tried: StepInput) -> dict[str, Any]:
    given = {
        "kind": str(tried.kind),
        "spot": tried.spot,
        "hand": tried.hand,
        "place": tried.place and str(tried.place),
        "wager": tried.wager and str(tried.wager),
        "amount": tried.amount,
    }
    return {name: value for name, value in given.items() if value is not None} | {"ms": 900}


def post(house: House, path: str, body: object) -> Any:
    with house.served.client(house.tokens["guest"]) as client:
        return client.post(path, json=body)


def test_levels_are_listed_with_what_they_teach(house: House) -> None:
    with house.served.client(house.tokens["guest"]) as client:
        levels = client.get("/school/levels").json()
    assert [level["id"] for level in levels][::6] == ["base-game", "everything"]
    assert all(level["teaches"] and level["exam_rounds"] for level in levels)


def test_a_lesson_continues_from_the_clients_record(house: House) -> None:
    begun = post(house, "/school/rounds", {"level": "doubles"}).json()
    asked = {"level": "doubles", "seed": begun["seed"], "round": 1}
    assert post(house, "/school/rounds", asked).json() == begun
    steps = [
        parts(correct_input(step))
        for step in make_lesson("doubles", None, begun["seed"]).round(1).steps
    ]
    wrong = post(house, "/school/rounds", {**asked, "steps": [{"text": "collect"}]}).json()
    assert (wrong["done"], wrong["misses"], wrong["verdict"]["right"]) == (0, 1, False)
    assert wrong["verdict"]["rules"]
    over = post(house, "/school/rounds", {**asked, "steps": [{"text": "collect"}, *steps]}).json()
    assert (over["over"], over["done"], over["right"]) == (True, len(steps), len(steps) - 1)
    rounds = [[{"text": "collect"}, *steps]]
    result = post(house, "/school/results", {**asked_of(begun), "rounds": rounds, "name": "Ana"})
    assert result.json()["right"] == len(steps) - 1
    assert result.json()["mistakes"][0]["rules"]


def test_a_lesson_and_the_console_can_require_a_supervisor(house: House) -> None:
    """R-121"""
    asked = {"level": "bonuses", "seed": 3, "supervisor": "required"}
    words = {one["word"] for one in post(house, "/school/rounds", asked).json()["buttons"]}
    assert "wait" in words
    result = post(house, "/school/results", {**asked, "rounds": []}).json()
    assert result["supervisor"] == "required"
    rules = {"rules": "catfish-bend", "entries": ["1 25", "close", "7h", "7s", "7h"]}
    console = post(house, "/school/console", {**rules, "supervisor": "required"}).json()
    assert [key["key"] for key in console["prompt"]["keys"]] == ["here"]
    assert (
        post(house, "/school/console", rules).json()["prompt"]["sentence"].startswith("Spot 1 has")
    )
    refused = post(house, "/school/rounds", {**asked, "supervisor": "yes"})
    assert refused.status_code == 422


def asked_of(begun: dict[str, Any]) -> dict[str, Any]:
    return {name: begun[name] for name in ("level", "seed", "exam")}


def test_any_suitable_rules_can_be_used(house: House) -> None:
    asked = {"level": "base-game", "rules": "super-fun-21", "seed": 1}
    assert post(house, "/school/rounds", asked).json()["table"] == "Super Fun 21"


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("rounds", {"level": "none"}, "There is no level 'none'"),
        ("rounds", {"level": "bonuses", "rules": "super-fun-21"}, "needs something these rules"),
        ("rounds", {"level": "bonuses", "rules": "mine.toml"}, "a server doesn't read files"),
        ("rounds", {"level": "bonuses", "seed": 1, "steps": [{"text": "juggle"}]}, "isn't a step"),
        ("rounds", {"level": "bonuses", "exam": True, "round": 9}, "must be a number from 1 to 5"),
        ("rounds", {"level": "bonuses", "steps": [{"kind": "juggle"}]}, "steps.0.kind"),
        ("results", {"level": "bonuses", "exam": True, "rounds": [[]] * 6}, "from 1 to 5"),
        ("console", {"rules": "wsgc-2021", "gone": [99]}, "gone.0"),
        ("console", {"rules": "wsgc-2021", "meters": [[5, 0]]}, "meters must give the cents"),
    ],
)
def test_bad_input_gets_one_sentence(house: House, path: str, body: object, sentence: str) -> None:
    answer = post(house, f"/school/{path}", body)
    assert 400 <= answer.status_code < 500
    assert sentence in answer.json()["detail"]


def test_the_console_gives_the_next_step_and_reports_errors(house: House) -> None:
    asked = {"rules": "wsgc-2021", "entries": ["1 25", "close", "8c 9d"]}
    told = post(house, "/school/console", asked).json()
    assert told["entries"] == ["1 25", "close", "8c", "9d"]
    assert told["prompt"]["sentence"] == "Deal a card to spot 1."
    wrong = post(house, "/school/console", {**asked, "entries": [*told["entries"], "Tc"]}).json()
    assert wrong["problem"]["entry"] == 4
    assert wrong["problem"]["rules"] == ["R-007"]
    assert wrong["entries"] == told["entries"]


def test_a_dealers_error_is_caught_over_http(house: House) -> None:
    lesson = make_lesson("match-the-dealer", None, 5)
    number, error = next(
        (number, played.error)
        for number in range(1, 9)
        if (played := CatchRound(lesson, number)).error is not None
    )
    asked = {"level": "match-the-dealer", "seed": 5}
    passed = [{"ms": 500}] * error.place
    body = {**asked, "round": number, "steps": passed}
    seen = post(house, "/school/catch/rounds", body).json()
    assert (seen["done"], seen["ending"]) == (error.place, None)
    assert error.kind in {choice["kind"] for choice in seen["kinds"]}
    right = describe_deed(lesson.rules, correct_input(lesson.round(number).steps[error.place]))
    assert seen["deed"]["sentence"] != right
    missed = post(house, "/school/catch/rounds", {**body, "steps": [*passed, {}]}).json()
    assert missed["verdict"]["outcome"] == "missed"
    stopped = {"stop": True, "error": error.kind, "ms": 1500}
    caught = post(house, "/school/catch/rounds", {**body, "steps": [*passed, stopped]}).json()
    assert caught["verdict"]["named"]
    assert not caught["verdict"]["corrected"]
    rounds = [*[[]] * (number - 1), [*passed, stopped]]
    result = post(house, "/school/catch/results", {**asked, "rounds": rounds}).json()
    assert (result["score"], result["caught"]) == (70, 1)
    nonsense = {"stop": True, "error": "nothing"}
    assert post(house, "/school/catch/rounds", {**body, "steps": [nonsense]}).status_code == 422
